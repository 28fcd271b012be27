//! What a search has done and what is left of it, so that it can continue elsewhere or later.

use super::node::LONGEST_PATH;
use super::report::Threshold;
use crate::cube::{Metric, Move};
use std::ops::AddAssign;
use std::time::Duration;

/// The state of a search. The default is its beginning.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Checkpoint {
    /// The iterations that were searched to their end, by rising length.
    pub thresholds: Vec<Threshold>,
    /// For each root task its priority in the last of them. Empty if the search was not cut into root tasks.
    pub priority: Vec<u64>,
    /// The iteration after those, if it was started.
    pub partial: Option<PartialIteration>,
    /// Its solutions, and the best longer one.
    pub solutions: Vec<Vec<Move>>,
}

impl Checkpoint {
    /// How long the search has taken so far.
    pub fn elapsed(&self) -> Duration {
        let partial = self.partial.as_ref().map_or(Duration::ZERO, |partial| partial.elapsed);
        self.thresholds.iter().map(|threshold| threshold.elapsed).sum::<Duration>() + partial
    }

    /// The same, but a last iteration that has solutions is the partial one, with nothing left: the search ends with it again.
    pub(super) fn with_last_open(mut self, metric: Metric) -> Checkpoint {
        let lengths: Vec<usize> = self.solutions.iter().map(|moves| metric.length(moves)).collect();
        if let Some(last) = self.thresholds.pop_if(|last| lengths.contains(&last.length.into())) {
            let Threshold { nodes, probes, elapsed, .. } = last;
            let (counts, priority) = (Counts { nodes, probes }, std::mem::take(&mut self.priority));
            self.partial = Some(PartialIteration { elapsed, counts, priority, left: Part::default() });
        }
        self
    }
}

/// An iteration that was started and has not ended.
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

/// Counts of nodes and probes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    /// Nodes expanded: their children were generated, or pruned before they were.
    pub nodes: u64,
    /// Accesses to the table.
    pub probes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.nodes += other.nodes;
        self.probes += other.probes;
    }
}

/// A part of an iteration: root tasks that have not been started, and open nodes of tasks
/// that have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// Root tasks, by their numbers in [`super::tasks::Tasks`]. They are searched in this order, after the nodes.
    pub tasks: Vec<u16>,
    /// Open nodes.
    pub nodes: Vec<OpenNode>,
}

impl Part {
    /// Whether there is nothing to search.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.nodes.is_empty()
    }
}

/// A node that has not been expanded: the path to it, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenNode {
    /// The root task it belongs to.
    pub task: u16,
    /// What remains until the threshold.
    pub(super) remaining: u8,
    /// The bounds of the position and of its inverse.
    pub(super) bounds: [u8; 2],
    /// The moves that may follow the last move on each side.
    pub(super) last: [u8; 2],
    /// The moves since the root task, on both sides.
    pub(super) path: Vec<u8>,
}

impl OpenNode {
    /// Whether a search may leave it: its bounds do not exceed what remains, and no path below it is too long. Others are forged,
    /// and searching them would panic.
    pub fn is_possible(&self) -> bool {
        let longest = self.path.len() + usize::from(self.remaining);
        longest <= LONGEST_PATH && self.bounds.iter().all(|&bound| bound <= self.remaining)
    }
}
