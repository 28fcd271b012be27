//! The records of a search, and their writer.

use super::state::{JournalState, ResumePoint};
use crate::journal::{COMMIT_INTERVAL, Journal, JournalError, JournalRecord};
use crate::lock;
use cosette::Cancel;
use cosette::cube::{Cube, DisplayMoves, Move, ParseError};
use cosette::search::distributed::{Counts, OpenNode, Tasks};
use cosette::search::{Event, IterationStats};
use cosette::table::Table;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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

/// A writer that records the search of one position. All clones write to the same journal.
#[derive(Clone)]
pub struct JournalWriter(Arc<Mutex<WriterState>>);

struct WriterState {
    journal: Journal<SearchRecord>,
    /// The numbers of the open nodes from which the search resumes.
    open: Vec<usize>,
    next_commit: Instant,
    /// The error of the first commit that failed.
    failure: Option<JournalError>,
    /// The search, which is cancelled if the journal cannot be written.
    search: Cancel,
}

impl JournalWriter {
    /// Opens the journal of a position. Also returns the point from which the search resumes, if
    /// the journal has records.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if the journal cannot be read or written, or belongs to another
    /// position or table.
    pub fn open(
        path: &Path,
        position: &Cube,
        table: &Table,
    ) -> Result<(JournalWriter, Option<ResumePoint>), JournalError> {
        let (journal, state) = JournalState::open(path, position, table.id())?;
        let resumed = if state.is_new() {
            None
        } else {
            Some(state.resume(&mut Tasks::of(position, table))?)
        };
        let open = resumed.as_ref().map(|resumed| resumed.open.clone());
        let writer = WriterState {
            journal,
            open: open.unwrap_or_default(),
            next_commit: Instant::now(),
            failure: None,
            search: Cancel::new(),
        };
        Ok((JournalWriter(Arc::new(Mutex::new(writer))), resumed))
    }

    /// Sets the search to cancel if the journal cannot be written.
    pub fn stop_on_failure(&self, search: &Cancel) {
        lock(&self.0).search = search.clone();
    }

    /// Records an event if it is a solution, or the end of an iteration that was searched
    /// completely.
    pub fn record(&self, event: Event<'_>) {
        let record = match event {
            Event::Solution(moves) => SearchRecord::Solution(moves.to_vec()),
            Event::IterationFinished(iteration) if iteration.exhausted => {
                SearchRecord::Iteration(*iteration)
            }
            _ => return,
        };
        lock(&self.0).journal.append(&record);
    }

    /// Records a finished unit.
    pub fn record_part(&self, mut unit: FinishedUnit) {
        let mut writer = lock(&self.0);
        for node in &mut unit.nodes {
            *node = writer.open[*node];
        }
        writer.journal.append(&SearchRecord::Unit(unit));
    }

    /// Writes the appended records to the disk if the commit interval has passed.
    pub fn commit_if_due(&self) {
        let mut writer = lock(&self.0);
        if Instant::now() >= writer.next_commit {
            writer.commit();
        }
    }

    /// Writes everything to the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if this commit, or an earlier one, failed.
    pub fn close(&self) -> Result<(), JournalError> {
        let mut writer = lock(&self.0);
        writer.commit();
        writer.failure.take().map_or(Ok(()), Err)
    }
}

impl WriterState {
    fn commit(&mut self) {
        self.next_commit = Instant::now() + COMMIT_INTERVAL;
        if self.failure.is_none() {
            self.failure = self.journal.commit().err();
        }
        if self.failure.is_some() {
            self.search.cancel();
        }
    }
}
