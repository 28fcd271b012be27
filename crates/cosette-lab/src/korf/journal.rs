//! The journal of long searches: an iteration of IDA* that took a night is not searched again.
//!
//! A record is one complete iteration: the position, the threshold, what was counted, and the solution if there is one. So a
//! run that is stopped, or killed, continues with the next iteration, and nothing is counted twice.

use crate::error::LabError;
use cosette::cube::{Cube, ReadOptions, parse_moves};
use cosette_app::journal::{self, Journal, JournalError};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What one iteration has counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IterationRecord {
    /// The position, as facelets.
    pub position: String,
    /// The length of the solutions that were searched.
    pub threshold: u8,
    /// Nodes generated.
    pub nodes: u64,
    /// Accesses to databases.
    pub probes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The solution that ended it; none where all was searched.
    pub solution: Option<String>,
}

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    journal: u32,
    kind: String,
    /// The databases.
    databases: String,
}

impl journal::Head for Head {
    const KIND: &'static str = "Korf search";
    const VERSION: u32 = 1;
    type Record = Line;

    fn check_is(&self, expected: &Head, path: &Path) -> Result<(), JournalError> {
        for (what, found, expected) in
            [("kind", &self.kind, &expected.kind), ("databases", &self.databases, &expected.databases)]
        {
            if found != expected {
                return Err(JournalError::other(path, what, found, expected));
            }
        }
        Ok(())
    }
}

/// Any other line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    synced: u64,
    /// The iteration.
    pub record: IterationRecord,
}

impl journal::Record for Line {
    fn synced(&self) -> u64 {
        self.synced
    }
}

/// The complete iterations of some positions, and the journal in which they are kept, if they are.
#[derive(Default)]
pub struct Iterations {
    journal: Option<Journal<Head>>,
    records: Vec<IterationRecord>,
}

impl Iterations {
    /// The iterations in the journal at `path`, which is created if there is none.
    ///
    /// # Errors
    /// If the journal cannot be read and written, if it is damaged, not a journal of this kind or one of other databases, or
    /// if it has an iteration of a position that is not among `positions`, or a wrong solution.
    pub fn open(path: &Path, positions: &[Cube], databases: &str) -> Result<Iterations, LabError> {
        let names: Vec<String> = positions.iter().map(Cube::facelets).collect();
        let mut records: Vec<IterationRecord> = Vec::new();
        let (kind, databases) = (<Head as journal::Head>::KIND.to_owned(), databases.to_owned());
        let head = Head { journal: <Head as journal::Head>::VERSION, kind, databases };
        let journal = Journal::open(path, &head, &mut |_, Line { record, .. }| {
            let Some(place) = names.iter().position(|name| *name == record.position) else {
                let expected = format!("one of these {}", positions.len());
                return Err(JournalError::other(path, "instance", &record.position, &expected));
            };
            if !record.solution.as_ref().is_none_or(|text| solves(&positions[place], text, record.threshold)) {
                return Err(JournalError::Wrong {
                    path: path.to_owned(),
                    place: format!("the solution of length {}", record.threshold),
                    what: format!("it does not solve {}", record.position),
                });
            }
            records.push(record);
            Ok(())
        })?;
        Ok(Iterations { journal: Some(journal), records })
    }

    /// The records, in the order in which they were made.
    pub fn records(&self) -> &[IterationRecord] {
        &self.records
    }

    /// The record of an iteration.
    pub fn get(&self, position: &str, threshold: u8) -> Option<&IterationRecord> {
        self.records.iter().find(|record| record.position == position && record.threshold == threshold)
    }

    /// The record of the iteration that solved a position.
    pub fn solved(&self, position: &str) -> Option<&IterationRecord> {
        self.records.iter().find(|record| record.position == position && record.solution.is_some())
    }

    /// Adds a record: it is on the disk when this returns.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub fn add(&mut self, record: IterationRecord) -> Result<(), LabError> {
        if let Some(journal) = &mut self.journal {
            journal.append(|synced| Line { synced, record: record.clone() });
            journal.commit()?;
        }
        self.records.push(record);
        Ok(())
    }
}

/// Whether a text is a solution of this length.
fn solves(position: &Cube, text: &str, length: u8) -> bool {
    parse_moves(text, &ReadOptions::default()).is_ok_and(|sequence| {
        sequence.moves().len() == usize::from(length) && position.after(sequence.moves()).is_solved()
    })
}
