//! Parts of an iteration: what can be searched elsewhere, or later.

/// A part of an iteration: root tasks that are not begun, and open nodes of tasks that are.
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
