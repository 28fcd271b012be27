//! The records of a search.

use crate::journal::JournalRecord;
use cosette::cube::{DisplayMoves, Move, ParseError};
use cosette::search::IterationStats;
use cosette::search::distributed::{Counts, OpenNode};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A record of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchRecord {
    /// A work unit of an iteration was searched.
    Unit(FinishedUnit),
    /// An iteration was searched completely. All its units are recorded before.
    Iteration(IterationStats),
    /// A solution of any length, from any source.
    Solution(#[serde(with = "move_text")] Vec<Move>),
}

impl JournalRecord for SearchRecord {
    const KIND: &'static str = "search";
    const VERSION: u32 = 6;
}

/// A finished work unit of an iteration: root tasks, or open nodes of earlier units, and the
/// results. If the search was stopped, the unsearched nodes of the unit are its open nodes. A unit
/// without tasks and nodes records that the iteration was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedUnit {
    /// The length of the solutions that the iteration searches.
    pub length: u8,
    /// The root tasks, each in one unit only.
    pub tasks: Vec<u16>,
    /// The searched open nodes of earlier units, each in one unit only. In the journal, the open
    /// nodes of an iteration are numbered from zero in the order of their records. Executors give
    /// the indices in [`Iteration::remaining`](cosette::search::distributed::Iteration::remaining),
    /// which the journal writer converts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<usize>,
    /// The counted nodes and probes.
    pub counts: Counts,
    /// The priority of the tasks, from [`WorkResult`](cosette::search::distributed::WorkResult);
    /// entries of the same task add up.
    pub priority: Vec<(u16, u64)>,
    /// All solutions found.
    #[serde(with = "move_texts")]
    pub solutions: Vec<Vec<Move>>,
    /// The nodes that this unit leaves open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<OpenNode>,
    /// Time of the iteration up to the end of this unit.
    pub elapsed: Duration,
}

/// Parses moves in the notation of the journal: `R U2 F'`.
fn parse(text: &str) -> Result<Vec<Move>, ParseError> {
    text.split_whitespace().map(str::parse).collect()
}

/// Serialization of one sequence: `"R U2 F'"`.
pub(crate) mod move_text {
    use super::{DisplayMoves, Move, parse};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&DisplayMoves(moves))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Move>, D::Error> {
        parse(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Serialization of several sequences: `["R U2 F'","L"]`.
mod move_texts {
    use super::{DisplayMoves, Move, ParseError, parse};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(sequences: &[Vec<Move>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(sequences.iter().map(|one| DisplayMoves(one).to_string()))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Vec<Move>>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let sequences: Result<_, ParseError> = texts.iter().map(|text| parse(text)).collect();
        sequences.map_err(D::Error::custom)
    }
}
