//! The journal of one position's search: what of it is done, so that another start goes on from there.
//!
//! An iteration is made of root tasks, which are searched in any order and by anyone (`cosette::search::Tasks`). Tasks that
//! are searched to their end are noted together with what came of them, and so is an iteration at its end. What was
//! under way when the process was killed is searched again, and nothing else. So nothing is counted twice: the nodes and
//! probes of complete iterations are those of a search that was never left.
//!
//! ```text
//! {"check":"…","body":{"journal":1,"kind":"search","position":"UUF…","table":"htm-2G"}}
//! {"check":"…","body":{"synced":110,"record":{"threshold":{"length":14,"nodes":…,"probes":…,…}}}}
//! {"check":"…","body":{"synced":290,"record":{"part":{"length":15,"tasks":[7,3],"counts":{…},"solutions":["R U2 F'"],…}}}}
//! {"check":"…","body":{"synced":290,"record":{"solution":"R U2 F'"}}}
//! ```
//!
//! The numbers of root tasks depend on the position and the table, so a journal is of both. How many solutions are wanted is
//! no part of it.

mod notation;
mod recorded;

pub use recorded::{Recorded, TakenUp};

use crate::journal::{self, JournalError, Log};
use cosette::cube::{Cube, Move};
use cosette::search::{Counts, Threshold};
use cosette::table::TableId;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

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
    const VERSION: u32 = 1;
    const WITHOUT_RECORD: &'static str = "what it tells of is searched again";
    type Record = Line;

    fn check_is(&self, asked: &Head, path: &Path) -> Result<(), JournalError> {
        let path = path.to_owned();
        if self.position != asked.position {
            let (found, asked) = (self.position.clone(), asked.position.clone());
            return Err(JournalError::OtherPosition { path, found, asked });
        }
        if self.table != asked.table {
            let (found, asked) = (self.table.clone(), asked.table.clone());
            return Err(JournalError::OtherTable { path, found, asked });
        }
        Ok(())
    }
}

/// A line that is not the first.
#[derive(Serialize, Deserialize)]
struct Line {
    /// How many bytes of the journal were on the disk before this.
    synced: u64,
    record: Record,
}

impl journal::Record for Line {
    fn synced(&self) -> u64 {
        self.synced
    }
}

/// What is noted of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Record {
    /// Root tasks were searched to their end.
    Part(PartDone),
    /// An iteration was searched to its end. All its parts are noted before.
    Threshold(Threshold),
    /// A solution is known, of any length, wherever it comes from.
    Solution(#[serde(with = "notation::one")] Vec<Move>),
}

/// Root tasks of an iteration that were searched to their end, and what came of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartDone {
    /// The length of the solutions that the iteration searches.
    pub length: u8,
    /// The root tasks, at least one, and each in one part only.
    pub tasks: Vec<u16>,
    /// What was counted in them.
    pub counts: Counts,
    /// The priority in them, as in [`PartResult`](cosette::search::PartResult); what is told of one task adds up.
    pub priority: Vec<(u16, u64)>,
    /// All solutions found in them.
    #[serde(with = "notation::many")]
    pub solutions: Vec<Vec<Move>>,
    /// How long the iteration has taken so far.
    pub elapsed: Duration,
}

/// A journal of a search that this process may append to.
pub struct SearchJournal(Log<Head>);

impl SearchJournal {
    /// Opens the journal of the search of this position with this table, or begins it where there is none. Whatever a
    /// crash has left at its end is cut off. Each solution in it is done on the position.
    ///
    /// # Errors
    /// If the system refuses, if another process writes it, or if it is damaged, no journal of a search, or that of another
    /// position or table, or if a solution in it is none.
    pub fn open(path: &Path, position: &Cube, table: TableId) -> Result<(SearchJournal, Recorded), JournalError> {
        let mut recorded = Recorded::new(path, position, table.metric);
        let log = Log::open(path, &Head::new(position, table), &mut |_, line: Line| recorded.add(line.record))?;
        Ok((SearchJournal(log), recorded))
    }

    /// Adds a record to the next commit. A threshold that was not searched to its end is left out.
    pub fn append(&mut self, record: &Record) {
        if !matches!(record, Record::Threshold(Threshold { exhausted: false, .. })) {
            let record = record.clone();
            self.0.append(|synced| Line { synced, record });
        }
    }

    /// Writes all that was appended, and returns when it is on the disk.
    ///
    /// # Errors
    /// If the system refuses. The journal is not to be used any more then; opened again, it is whole.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.0.commit()
    }
}
