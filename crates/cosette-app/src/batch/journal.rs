//! The journal of a batch.
//!
//! Its head holds the settings and how many texts the list has. Each record holds the number of a position, the hash of its text and
//! its answer. So texts without an answer may change: those that were no positions can be corrected. An answer is shown after its
//! commit, so whatever was shown is kept.

use super::list::{Entry, List};
use crate::journal::{self, JournalError, Offset};
use crate::journal_error::quoted;
use crate::json::Solve;
use crate::request::Request;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The version of the format.
    pub journal: u32,
    /// The settings of the batch by name.
    pub settings: BTreeMap<String, String>,
    /// Its list.
    pub positions: Listed,
}

/// What a head says of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Listed {
    /// How many texts it has.
    pub count: usize,
}

impl Head {
    fn new(list: &List, request: &Request) -> Head {
        let positions = Listed { count: list.entries().len() };
        Head { journal: <Head as journal::Head>::VERSION, settings: request.named(), positions }
    }
}

impl journal::Head for Head {
    const KIND: &'static str = "batch";
    const VERSION: u32 = 2;
    const RECORDS_STAND_ALONE: bool = true;
    type Record = Record;

    fn check_is(&self, expected: &Head, path: &Path) -> Result<(), JournalError> {
        JournalError::check_same_settings(path, [&self.settings, &expected.settings])?;
        let list = |head: &Head| match head.positions.count {
            1 => "of 1 position".to_owned(),
            count => format!("of {count} positions"),
        };
        JournalError::check_same(path, [("list", list(self), list(expected))])
    }
}

/// A line that is not the first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the position in its list, counted from one.
    pub number: usize,
    /// The hash of its text.
    text: u64,
    synced: u64,
    /// The answer.
    pub answer: Solve,
}

/// The journal of a batch, to be written.
pub struct Journal(journal::Journal<Head>);

impl Journal {
    /// Opens or creates the journal of a batch, with the offset of the record of each position. Fails if the system
    /// refuses, if another process writes it, or if it is damaged, not a journal, or that of another batch: with an answer to another
    /// text.
    pub fn open(path: &Path, list: &List, request: &Request) -> Result<(Journal, Vec<Option<Offset>>), JournalError> {
        let mut offsets = vec![None; list.entries().len()];
        let head = Head::new(list, request);
        let journal = journal::Journal::open(path, &head, &mut |offset, Record { number, text, answer, .. }| {
            match list.entries().get(number.wrapping_sub(1)) {
                // The first record of a position counts.
                Some(entry) if entry.hash() == text => {
                    offsets[number - 1].get_or_insert(offset);
                    Ok(())
                }
                Some(Entry { line, text, .. }) => {
                    let (line, [was, now]) = (*line, [&answer.input, text].map(|text| quoted(text)));
                    Err(JournalError::OtherText { path: path.to_owned(), line, was, now })
                }
                None => Err(invalid(path, number, "the list has no such position")),
            }
        })?;
        Ok((Journal(journal), offsets))
    }

    /// Adds a record to the next commit. `number` is the index of the position in its list.
    pub fn append(&mut self, number: usize, entry: &Entry, answer: &Solve) -> Offset {
        let answer = answer.clone();
        self.0.append(|synced| Record { number: number + 1, text: entry.hash(), synced, answer })
    }

    /// Writes the appended records, and returns when they are on the disk. Fails if the system refuses.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.0.commit()
    }

    /// Reads an answer back. Fails if the system refuses, or if the record has changed.
    pub fn read_back(&self, offset: Offset, number: usize) -> Result<Solve, JournalError> {
        let record = self.0.read_back(offset)?.filter(|record| record.number == number + 1);
        Ok(record.ok_or_else(|| self.invalid(number, "its line has changed"))?.answer)
    }

    /// What is wrong with the answer to the position with this index in the list.
    pub fn invalid(&self, number: usize, what: &str) -> JournalError {
        invalid(self.0.path(), number + 1, what)
    }
}

/// What is wrong with the answer to a position, counted from one.
fn invalid(path: &Path, number: usize, what: &str) -> JournalError {
    let place = format!("the answer to position {number}");
    JournalError::Invalid { path: path.to_owned(), place, what: what.to_owned() }
}
