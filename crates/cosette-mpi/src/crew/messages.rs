//! What ranks tell each other during a search.

use cosette::cube::Move;
use cosette::search::distributed::{Checkpoint, Part, PartResult};
use cosette::search::{Options, Report, SolutionCount, TwoPhaseUse};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The number of a lease; none is given twice.
pub type LeaseNumber = u64;

/// What the first rank says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// The leases to come are of this position: its 54 facelets.
    Position(String),
    /// One of the threads is to search a part of an iteration.
    Search {
        /// The lease.
        lease: LeaseNumber,
        /// Which thread of the rank.
        thread: usize,
        /// The length of the solutions.
        length: u8,
        /// What to search.
        part: Part,
    },
    /// One of the threads is to solve whole positions, one after the other.
    Solve {
        /// The lease.
        lease: LeaseNumber,
        /// Which thread of the rank.
        thread: usize,
        /// What is asked of each.
        question: Question,
        /// Their places in the list, and their 54 facelets.
        positions: Vec<(usize, String)>,
    },
    /// The thread that has this lease is to leave off, and to say what is left.
    CallBack(LeaseNumber),
    /// Others are idle: the thread that searches this lease is to give some of it away.
    Share(LeaseNumber),
    /// All threads are to leave off.
    Stop,
    /// The search is over for good.
    End,
}

/// What is asked of each position of a batch.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Question {
    /// How many of its shortest solutions to find.
    pub wanted: SolutionCount,
    /// Give up once every length up to this one is ruled out.
    pub max_length: Option<u8>,
    /// Whether to ask a two-phase search.
    pub two_phase: TwoPhaseUse,
    /// The time it has.
    pub timeout: Option<Duration>,
}

impl Question {
    /// The same, as a search is asked.
    pub fn options(&self) -> Options<'static> {
        Options { solution_count: self.wanted, max_length: self.max_length, known: None, two_phase: self.two_phase }
    }
}

/// What a rank answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// A solution.
    Solution {
        /// The lease it was found in.
        lease: LeaseNumber,
        /// Its moves.
        moves: Vec<Move>,
    },
    /// A part of a lease that was given away; it may be empty.
    Shared {
        /// The lease.
        lease: LeaseNumber,
        /// The part.
        part: Part,
    },
    /// A lease is at its end.
    Done {
        /// The lease.
        lease: LeaseNumber,
        /// What came of it.
        result: PartResult,
        /// How long its thread has searched it.
        took: Duration,
    },
    /// A position is searched no more.
    Solved {
        /// The lease.
        lease: LeaseNumber,
        /// Its place in the list.
        number: usize,
        /// What came of it.
        report: Report,
        /// Whether its time was up.
        is_late: bool,
    },
    /// Somebody has asked this rank to stop.
    Interrupted,
    /// A lease of positions is at its end, or was called back.
    Left {
        /// The lease.
        lease: LeaseNumber,
        /// The position that was under way, and where its search stands.
        under_way: Option<(usize, Checkpoint)>,
        /// Those that were not begun.
        not_begun: Vec<usize>,
    },
}
