//! The messages between the coordinator and the ranks during a search.

use crate::dispatcher::LeaseNumber;
use cosette::cube::{Cube, Move};
use cosette::search::Report;
use cosette::search::distributed::{Checkpoint, Part, PartResult};
use cosette_app::batch::Remaining;
use cosette_app::request::Request;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// From the coordinator to a rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the other fields say what they are
pub enum Order {
    /// The leases that follow are of this position.
    Position(Cube),
    /// All threads together are to search a part of an iteration.
    Search {
        lease: LeaseNumber,
        /// The length of the solutions.
        length: u8,
        part: Part,
    },
    /// One of the threads is to solve whole positions, one after the other.
    Solve {
        lease: LeaseNumber,
        thread: usize,
        /// What is asked of each.
        request: Request,
        positions: Vec<Remaining>,
    },
    /// Another rank is idle: this one is to give some of this lease away.
    Share(LeaseNumber),
    /// This lease is to be stopped, and what is left of it returned.
    Stop(LeaseNumber),
    /// There is no more work; the rank ends.
    End,
}

/// From a rank to the coordinator.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the other fields say what they are
pub enum Reply {
    /// A solution.
    Solution {
        /// The lease it was found in.
        lease: LeaseNumber,
        moves: Vec<Move>,
    },
    /// A part of a lease that is given away; it may be empty.
    Shared { lease: LeaseNumber, part: Part },
    /// A lease of a part has ended.
    Done {
        lease: LeaseNumber,
        /// Its result.
        result: PartResult,
        /// How long the threads have searched it together.
        took: Duration,
    },
    /// The search of a position has ended.
    Solved {
        lease: LeaseNumber,
        /// Its index in the list.
        position: usize,
        /// Its report.
        report: Report,
    },
    /// A lease of positions has ended, or was stopped.
    Returned {
        lease: LeaseNumber,
        /// The position that was under way, and the state of its search.
        under_way: Option<(usize, Checkpoint)>,
        /// Those that were not begun.
        not_begun: Vec<usize>,
    },
    /// This rank was asked to stop, as by Ctrl-C.
    Interrupted,
}
