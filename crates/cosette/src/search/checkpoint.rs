//! What a search has done, so that it can continue elsewhere or later.

use super::explore::Counts;
use super::part::Part;
use super::report::Threshold;
use crate::cube::Move;
use std::time::Duration;

/// The state of a search. The default is its beginning.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Checkpoint {
    /// The iterations that were searched to their end, by rising length.
    pub thresholds: Vec<Threshold>,
    /// For each root task its priority in the last of them. Empty if the search was not cut into root tasks.
    pub priority: Vec<u64>,
    /// The iteration after those, if it was begun.
    pub begun: Option<PartialIteration>,
    /// Its solutions, and the best longer one.
    pub solutions: Vec<Vec<Move>>,
}

/// An iteration that was begun and has not ended.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartialIteration {
    /// How long it took so far.
    pub elapsed: Duration,
    /// What was counted so far.
    pub counts: Counts,
    /// For each root task the priority so far.
    pub priority: Vec<u64>,
    /// What is left to search.
    pub left: Part,
}
