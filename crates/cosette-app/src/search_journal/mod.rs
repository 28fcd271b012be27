//! The journal of the search of one position, from which a later run resumes.
//!
//! An iteration consists of root tasks, which are searched in any order and on any machine
//! (`cosette::search::distributed::Tasks`). Completed tasks are recorded with their results, and so
//! are completed iterations. When a search is stopped, the tasks in progress are recorded with
//! their open nodes. Only the work in progress when the process was killed is searched again.
//! Nothing is counted twice: the nodes and probes of complete iterations are those of an
//! uninterrupted search.
//!
//! ```text
//! {"check":"…","body":{"journal":5,"kind":"search","position":"UUF…","table":"htm-1.5G"}}
//! {"check":"…","body":{"synced":110,"solutions":0,"record":{"iteration":{"length":14,"nodes":…,"probes":…,…}}}}
//! {"check":"…","body":{"synced":290,"solutions":0,"record":{"unit":{"length":15,"tasks":[7,3],"counts":{…},"solutions":["R U2 F'"],…}}}}
//! {"check":"…","body":{"synced":290,"solutions":1,"record":{"solution":"R U2 F'"}}}
//! ```
//!
//! The numbers of root tasks depend on the position and the table, so a journal belongs to both. It
//! does not depend on the requested number of solutions.

mod executor;
mod state;

pub use executor::RecordingExecutor;
pub use state::{JournalState, ResumePoint};

use crate::journal::{self, COMMIT_INTERVAL, Journal, JournalError};
use cosette::Cancel;
use cosette::cube::{Cube, DisplayMoves, Move, ParseError};
use cosette::search::distributed::{Counts, OpenNode, Tasks};
use cosette::search::{Event, IterationStats};
use cosette::table::{Table, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The head of a journal, on its first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Head {
    journal: u32,
    kind: String,
    /// The facelets of the position.
    position: String,
    /// The name of the table.
    table: String,
}

impl Head {
    fn new(position: &Cube, table: TableId) -> Head {
        Head {
            journal: <Head as journal::JournalHeader>::VERSION,
            kind: <Head as journal::JournalHeader>::KIND.into(),
            position: position.facelets(),
            table: table.to_string(),
        }
    }
}

impl journal::JournalHeader for Head {
    const KIND: &'static str = "search";
    const VERSION: u32 = 5;
    type Record = StoredRecord;

    fn check_is(&self, expected: &Head, path: &Path) -> Result<(), JournalError> {
        let fields = [
            ("position", &self.position, &expected.position),
            ("table", &self.table, &expected.table),
        ];
        JournalError::check_same(path, fields)
    }
}

/// A record of a journal, on any line but the first.
#[derive(Serialize, Deserialize)]
struct StoredRecord {
    synced: u64,
    /// Number of solutions recorded before.
    solutions: usize,
    record: Record,
}

/// The journal of a search, opened for writing.
pub struct SearchJournal {
    journal: Journal<Head>,
    /// The solutions recorded up to now.
    solutions: BTreeSet<Vec<Move>>,
}

impl SearchJournal {
    /// Opens or creates the journal of the search of this position with this table, and checks the
    /// solutions in it.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error, if another process writes the journal, if it is
    /// corrupted, not a journal of a search, or that of another position or table, or if a solution
    /// in it is wrong.
    pub fn open(
        path: &Path,
        position: &Cube,
        table: TableId,
    ) -> Result<(SearchJournal, JournalState), JournalError> {
        let mut recorded = JournalState::new(path, position, table.metric);
        let journal = Journal::open(
            path,
            &Head::new(position, table),
            &mut |_, stored: StoredRecord| recorded.add(stored.record, stored.solutions),
        )?;
        let solutions = recorded.solutions().map(<[Move]>::to_vec).collect();
        Ok((SearchJournal { journal, solutions }, recorded))
    }

    /// Adds a record to the next commit, unless it is an iteration that was not searched
    /// completely.
    pub fn append(&mut self, record: &Record) {
        if !matches!(
            record,
            Record::Iteration(IterationStats {
                exhausted: false,
                ..
            })
        ) {
            let solutions = self.solutions.len();
            self.solutions.extend(record.solutions().iter().cloned());
            self.journal.append(|synced| StoredRecord {
                synced,
                solutions,
                record: record.clone(),
            });
        }
    }

    /// Writes the appended records, and returns when they are on the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error. The journal must not be used afterwards; it can be
    /// opened again.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.journal.commit()
    }
}

/// A record of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Record {
    /// A work unit of an iteration was searched.
    Unit(FinishedUnit),
    /// An iteration was searched completely. All its units are recorded before.
    Iteration(IterationStats),
    /// A solution of any length, from any source.
    Solution(#[serde(with = "one")] Vec<Move>),
}

impl Record {
    /// Returns the solutions in the record.
    pub(super) fn solutions(&self) -> &[Vec<Move>] {
        match self {
            Record::Unit(part) => &part.solutions,
            Record::Solution(moves) => std::slice::from_ref(moves),
            Record::Iteration(_) => &[],
        }
    }
}

/// A finished work unit of an iteration: root tasks, or open nodes of earlier units, and the
/// results. The nodes that a stopped search left in them are open again. A unit without tasks and
/// nodes records that the iteration was begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedUnit {
    /// The length of the solutions that the iteration searches.
    pub length: u8,
    /// The root tasks, each in one unit only.
    pub tasks: Vec<u16>,
    /// The nodes that earlier units left open, each in one unit only. In the journal, the open
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
    #[serde(with = "many")]
    pub solutions: Vec<Vec<Move>>,
    /// The nodes left open.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<OpenNode>,
    /// Time of the iteration up to the end of this unit.
    pub elapsed: Duration,
}

/// Parses moves in the notation of the journal: `R U2 F'`.
fn read(text: &str) -> Result<Vec<Move>, ParseError> {
    text.split_whitespace().map(str::parse).collect()
}

/// Serialization of one sequence: `"R U2 F'"`.
mod one {
    use super::{DisplayMoves, Move, read};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(moves: &[Move], to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&DisplayMoves(moves))
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Move>, D::Error> {
        read(&String::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Serialization of several sequences: `["R U2 F'","L"]`.
mod many {
    use super::{DisplayMoves, Move, read};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(sequences: &[Vec<Move>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            sequences
                .iter()
                .map(|moves| DisplayMoves(moves).to_string()),
        )
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Vec<Vec<Move>>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts
            .iter()
            .map(|text| read(text))
            .collect::<Result<_, _>>()
            .map_err(D::Error::custom)
    }
}

/// A writer that records the search of one position. All clones write to the same journal.
#[derive(Clone)]
pub struct JournalWriter(Arc<Mutex<WriterState>>);

struct WriterState {
    journal: SearchJournal,
    /// The numbers of the open nodes from which the search resumes.
    open: Vec<usize>,
    next_commit: Instant,
    failed: Option<JournalError>,
    /// Cancelled if the journal cannot be written.
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
        let (journal, recorded) = SearchJournal::open(path, position, table.id())?;
        let resumed = if recorded.is_new() {
            None
        } else {
            Some(recorded.resume(&mut Tasks::of(position, table))?)
        };
        let open = resumed
            .as_ref()
            .map(|resumed| resumed.open.clone())
            .unwrap_or_default();
        let writing = WriterState {
            journal,
            open,
            next_commit: Instant::now(),
            failed: None,
            search: Cancel::new(),
        };
        Ok((JournalWriter(Arc::new(Mutex::new(writing))), resumed))
    }

    fn lock(&self) -> MutexGuard<'_, WriterState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the search to cancel if the journal cannot be written.
    pub fn stop_on_failure(&self, search: &Cancel) {
        self.lock().search = search.clone();
    }

    /// Records an event of the search.
    pub fn record(&self, event: Event<'_>) {
        let record = match event {
            Event::Solution(moves) => Record::Solution(moves.to_vec()),
            Event::IterationFinished(iteration) => Record::Iteration(*iteration),
            Event::IterationStarted { .. } | Event::Progress { .. } => return,
        };
        self.lock().journal.append(&record);
    }

    /// Records a finished unit.
    pub fn record_part(&self, mut part: FinishedUnit) {
        let mut writing = self.lock();
        part.nodes
            .iter_mut()
            .for_each(|node| *node = writing.open[*node]);
        writing.journal.append(&Record::Unit(part));
    }

    /// Writes the appended records to the disk if the commit interval has passed.
    pub fn commit_if_due(&self) {
        let mut writing = self.lock();
        if Instant::now() >= writing.next_commit {
            writing.commit();
        }
    }

    /// Writes everything to the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if this commit, or an earlier one, failed.
    pub fn close(&self) -> Result<(), JournalError> {
        let mut writing = self.lock();
        writing.commit();
        writing.failed.take().map_or(Ok(()), Err)
    }
}

impl WriterState {
    fn commit(&mut self) {
        self.next_commit = Instant::now() + COMMIT_INTERVAL;
        if self.failed.is_none() {
            self.failed = self.journal.commit().err();
        }
        if self.failed.is_some() {
            self.search.cancel();
        }
    }
}
