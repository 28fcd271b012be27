//! The messages between the ranks.

use cosette::cube::{Cube, Metric};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How a search is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Not at all: the sequential program, on rank 0.
    Sequential,
    /// Not at all: the fast engine of this library, with one thread, on rank 0.
    Fastest,
    /// Each rank searches to a different limit, as in the thesis.
    Limits,
    /// The same, but the first goal that any rank declares ends the search, whether or not smaller limits have ended.
    Unproven,
    /// All ranks search parts of one tree to one limit.
    Subtrees,
}

impl Split {
    /// The ways to divide a search among several ranks.
    pub const PARALLEL: [Split; 3] = [Split::Limits, Split::Unproven, Split::Subtrees];
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Split::Sequential => "sequential",
            Split::Fastest => "fastest sequential",
            Split::Limits => "limits",
            Split::Unproven => "limits, first goal taken",
            Split::Subtrees => "subtrees",
        })
    }
}

/// A position to solve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    pub position: Cube,
    /// What is counted.
    pub metric: Metric,
    /// The last limit that is searched.
    pub last: u8,
    /// How it is divided.
    pub split: Split,
}

/// A piece of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// The length of the solutions that are searched.
    pub limit: u8,
    /// The first of the tasks to be searched, and the end of them; without them, all of the tree.
    pub tasks: Option<(usize, usize)>,
}

/// The result of a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    pub piece: Piece,
    pub nodes: u64,
    /// A solution, if there is one.
    pub solution: Option<String>,
    /// All nodes that this rank has generated for the problem so far.
    pub generated: u64,
    /// The time that this rank has spent on the problem so far.
    pub spent: Spent,
}

/// What ranks have spent their time on, in seconds. What is left of it they were idle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Processor time of searching.
    pub computation: f64,
    /// Packing, sending, receiving and unpacking messages.
    pub communication: f64,
}

/// What is sent from rank to rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Message {
    /// Rank 0 to all: a problem, and its number.
    Begin(u32, Problem),
    /// Rank 0 to one: a piece of it.
    Search(Piece),
    /// Any rank to all: the problem with this number has a solution of this length. Searches to larger limits are cancelled.
    Goal(u32, u8),
    /// To rank 0: a piece has ended.
    Done(Done),
    /// Rank 0 to all: there are no more problems.
    End,
}
