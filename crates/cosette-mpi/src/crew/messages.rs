//! What ranks tell each other during a search.

use cosette::cube::Move;
use cosette::search::{Harvest, Part};
use serde::{Deserialize, Serialize};

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
    /// Others are idle: the thread that searches this lease is to give some of it away.
    Share(LeaseNumber),
    /// All threads are to leave off.
    Stop,
    /// The search is over for good.
    End,
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
        harvest: Harvest,
    },
}
