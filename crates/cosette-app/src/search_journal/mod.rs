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
mod record;
mod recorded;
mod writer;

pub use executor::RecordingExecutor;
pub use record::{PartDone, Record};
pub use recorded::{Recorded, Resumed};
pub use writer::JournalWriter;

use crate::journal::{self, Journal, JournalError};
use cosette::cube::{Cube, Move};
use cosette::search::Threshold;
use cosette::table::TableId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

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
        match fields.into_iter().find(|(_, found, expected)| found != expected) {
            Some((what, found, expected)) => Err(JournalError::mismatch(path, what, found, expected)),
            None => Ok(()),
        }
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

impl journal::Record for StoredRecord {
    fn synced(&self) -> u64 {
        self.synced
    }
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
