//! The journal of the search of one position, from which a later run continues.
//!
//! An iteration consists of root tasks, which are searched in any order and anywhere
//! (`cosette::search::distributed::Tasks`). Completed tasks are recorded with their results, and so are completed
//! iterations. Where a search is stopped, tasks that were begun are recorded with the nodes that are open. Only what was in
//! progress when the process was killed is searched again. So nothing is counted twice: the nodes and probes of complete
//! iterations are those of an uninterrupted search.
//!
//! ```text
//! {"check":"…","body":{"journal":4,"kind":"search","position":"UUF…","table":"htm-1.5G"}}
//! {"check":"…","body":{"synced":110,"solutions":0,"record":{"threshold":{"length":14,"nodes":…,"probes":…,…}}}}
//! {"check":"…","body":{"synced":290,"solutions":0,"record":{"part":{"length":15,"tasks":[7,3],"counts":{…},"solutions":["R U2 F'"],…}}}}
//! {"check":"…","body":{"synced":290,"solutions":1,"record":{"solution":"R U2 F'"}}}
//! ```
//!
//! The numbers of root tasks depend on the position and the table, so a journal belongs to both. It does not depend on how
//! many solutions are asked for.

mod executor;
mod recorded;

pub use executor::RecordingExecutor;
pub use recorded::{Recorded, Resumed};

use crate::journal::{self, COMMIT_INTERVAL, Journal, JournalError};
use cosette::Cancel;
use cosette::cube::{Cube, Move, Moves, ReadError};
use cosette::search::distributed::{Counts, OpenNode, Tasks};
use cosette::search::{Event, Threshold};
use cosette::table::{Table, TableId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The first line.
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
            journal: <Head as journal::Head>::VERSION,
            kind: <Head as journal::Head>::KIND.into(),
            position: position.facelets(),
            table: table.to_string(),
        }
    }
}

impl journal::Head for Head {
    const KIND: &'static str = "search";
    const VERSION: u32 = 4;
    type Record = StoredRecord;

    fn check_is(&self, expected: &Head, path: &Path) -> Result<(), JournalError> {
        let fields = [("position", &self.position, &expected.position), ("table", &self.table, &expected.table)];
        JournalError::check_same(path, fields)
    }
}

/// A line that is not the first.
#[derive(Serialize, Deserialize)]
struct StoredRecord {
    synced: u64,
    /// How many solutions are recorded before.
    solutions: usize,
    record: Record,
}

/// The journal of a search, to be written.
pub struct SearchJournal {
    journal: Journal<Head>,
    /// The solutions recorded so far.
    solutions: BTreeSet<Vec<Move>>,
}

impl SearchJournal {
    /// Opens or creates the journal of the search of this position with this table, and checks the solutions in it.
    /// Fails if the system refuses, if another process writes it, or if it is damaged, not a journal of a search, or
    /// that of another position or table, or if a solution in it is wrong.
    pub fn open(path: &Path, position: &Cube, table: TableId) -> Result<(SearchJournal, Recorded), JournalError> {
        let mut recorded = Recorded::new(path, position, table.metric);
        let journal = Journal::open(path, &Head::new(position, table), &mut |_, stored: StoredRecord| {
            recorded.add(stored.record, stored.solutions)
        })?;
        let solutions = recorded.solutions().map(<[Move]>::to_vec).collect();
        Ok((SearchJournal { journal, solutions }, recorded))
    }

    /// Adds a record to the next commit, unless it is a threshold that was not searched completely.
    pub fn append(&mut self, record: &Record) {
        if !matches!(record, Record::Threshold(Threshold { exhausted: false, .. })) {
            let solutions = self.solutions.len();
            self.solutions.extend(record.solutions().iter().cloned());
            self.journal.append(|synced| StoredRecord { synced, solutions, record: record.clone() });
        }
    }

    /// Writes the appended records, and returns when they are on the disk. Fails if the system refuses. The journal
    /// must not be used any more then; it can be opened again.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.journal.commit()
    }
}

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

/// Records the search of one position. All copies write to the same journal.
#[derive(Clone)]
pub struct JournalWriter(Arc<Mutex<Writing>>);

struct Writing {
    journal: SearchJournal,
    /// The numbers of the open nodes from which the search continues.
    open: Vec<usize>,
    next_commit: Instant,
    failed: Option<JournalError>,
    /// Cancelled if the journal cannot be written.
    search: Cancel,
}

impl JournalWriter {
    /// Opens the journal of a position; returns the search as it continues too, if some of it is recorded. Fails if it
    /// cannot be read or written, or belongs to another position or table.
    pub fn open(path: &Path, position: &Cube, table: &Table) -> Result<(JournalWriter, Option<Resumed>), JournalError> {
        let (journal, recorded) = SearchJournal::open(path, position, table.id())?;
        let resumed = if recorded.is_new() { None } else { Some(recorded.resume(&mut Tasks::of(position, table))?) };
        let open = resumed.as_ref().map(|resumed| resumed.open.clone()).unwrap_or_default();
        let writing = Writing { journal, open, next_commit: Instant::now(), failed: None, search: Cancel::new() };
        Ok((JournalWriter(Arc::new(Mutex::new(writing))), resumed))
    }

    fn lock(&self) -> MutexGuard<'_, Writing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels this search if the journal cannot be written.
    pub fn stop_on_failure(&self, search: &Cancel) {
        self.lock().search = search.clone();
    }

    /// Records an event of the search.
    pub fn record(&self, event: Event<'_>) {
        let record = match event {
            Event::Solution(moves) => Record::Solution(moves.to_vec()),
            Event::ThresholdDone(threshold) => Record::Threshold(*threshold),
            Event::ThresholdStarted { .. } | Event::Progress { .. } => return,
        };
        self.lock().journal.append(&record);
    }

    /// Records a part that was searched.
    pub fn record_part(&self, mut part: PartDone) {
        let mut writing = self.lock();
        part.nodes.iter_mut().for_each(|node| *node = writing.open[*node]);
        writing.journal.append(&Record::Part(part));
    }

    /// Writes what was recorded to the disk if that was last done a while ago.
    pub fn commit_if_due(&self) {
        let mut writing = self.lock();
        if Instant::now() >= writing.next_commit {
            writing.commit();
        }
    }

    /// Writes everything to the disk. Fails if that, or anything before, could not be written.
    pub fn close(&self) -> Result<(), JournalError> {
        let mut writing = self.lock();
        writing.commit();
        writing.failed.take().map_or(Ok(()), Err)
    }
}

impl Writing {
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
