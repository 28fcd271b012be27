//! The records of a search journal.

use cosette::cube::{Move, Moves, ReadError};
use cosette::search::Threshold;
use cosette::search::distributed::{Counts, OpenNode};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A record of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Record {
    /// A part of an iteration was searched.
    Part(PartDone),
    /// An iteration was searched completely. All its parts are recorded before.
    Threshold(Threshold),
    /// A solution of any length, wherever it comes from.
    Solution(#[serde(with = "one")] Vec<Move>),
}

impl Record {
    /// The solutions in it.
    pub(super) fn solutions(&self) -> &[Vec<Move>] {
        match self {
            Record::Part(part) => &part.solutions,
            Record::Solution(moves) => std::slice::from_ref(moves),
            Record::Threshold(_) => &[],
        }
    }
}

/// A part of an iteration that was searched, and the results: root tasks, or nodes that earlier parts left open. What a
/// search that was stopped left of them is open. A part without tasks and nodes says that the iteration was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartDone {
    /// The length of the solutions that the iteration searches.
    pub length: u8,
    /// The root tasks, each in one part only.
    pub tasks: Vec<u16>,
    /// The nodes that earlier parts left open, each in one part only. In the journal, the open nodes of an iteration are
    /// numbered from zero in the order of their records. Executors give the places in
    /// [`Iteration::left`](cosette::search::distributed::Iteration::left), and the journal's writer numbers them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<usize>,
    /// The nodes and probes that were counted.
    pub counts: Counts,
    /// The priority in them, as in [`PartResult`](cosette::search::distributed::PartResult); the entries of one task add up.
    pub priority: Vec<(u16, u64)>,
    /// All solutions that were found.
    #[serde(with = "many")]
    pub solutions: Vec<Vec<Move>>,
    /// The nodes that are left open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<OpenNode>,
    /// How long the iteration has taken so far.
    pub elapsed: Duration,
}

/// Reads moves, which the journal writes as people do: `R U2 F'`.
fn read(text: &str) -> Result<Vec<Move>, ReadError> {
    text.split_whitespace().map(str::parse).collect()
}

/// One sequence: `"R U2 F'"`.
mod one {
    use super::{Move, Moves, read};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&Moves(moves))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Move>, D::Error> {
        read(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Several: `["R U2 F'","L"]`.
mod many {
    use super::{Move, Moves, read};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(sequences: &[Vec<Move>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(sequences.iter().map(|moves| Moves(moves).to_string()))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Vec<Move>>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| read(text)).collect::<Result<_, _>>().map_err(D::Error::custom)
    }
}
