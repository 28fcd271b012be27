//! The journal of a batch.
//!
//! The head holds the settings and the number of texts in the list. Each record holds the number of
//! a position, the hash of its text and its result. Texts without a result may therefore change:
//! invalid positions can be corrected. A result is shown only after its commit, so no shown result
//! is lost.

use super::list::{ListEntry, PositionList};
use crate::journal::{self, JournalError, Offset};
use crate::journal_error::quoted;
use crate::json::SolveResult;
use crate::request::Request;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The head of a journal, on its first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The version of the format.
    pub journal: u32,
    /// The settings of the batch by name.
    pub settings: BTreeMap<String, String>,
    /// The header of the list.
    pub positions: ListHeader,
}

/// The part of the head that describes the list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ListHeader {
    /// Number of texts in the list.
    pub count: usize,
}

impl Head {
    fn new(list: &PositionList, request: &Request) -> Head {
        let positions = ListHeader {
            count: list.entries().len(),
        };
        Head {
            journal: <Head as journal::JournalHeader>::VERSION,
            settings: request.settings(),
            positions,
        }
    }
}

impl journal::JournalHeader for Head {
    const KIND: &'static str = "batch";
    const VERSION: u32 = 4;
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

/// A record of a journal, on any line but the first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the position in its list, counted from one.
    pub number: usize,
    /// The hash of the text.
    text: u64,
    synced: u64,
    /// The result.
    pub answer: SolveResult,
}

/// The journal of a batch, opened for writing.
pub struct Journal(journal::Journal<Head>);

impl Journal {
    /// Opens or creates the journal of a batch. Also returns the offset of the record of each
    /// position.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error, if another process writes the journal, or if it is
    /// corrupted, not a journal, or that of another batch: with a result for another text.
    pub fn open(
        path: &Path,
        list: &PositionList,
        request: &Request,
    ) -> Result<(Journal, Vec<Option<Offset>>), JournalError> {
        let mut offsets = vec![None; list.entries().len()];
        let head = Head::new(list, request);
        let journal = journal::Journal::open(
            path,
            &head,
            &mut |offset,
                  Record {
                      number,
                      text,
                      answer,
                      ..
                  }| {
                match list.entries().get(number.wrapping_sub(1)) {
                    // Only the first record of a position counts.
                    Some(entry) if entry.hash() == text => {
                        offsets[number - 1].get_or_insert(offset);
                        Ok(())
                    }
                    Some(ListEntry { line, text, .. }) => {
                        let (line, [was, now]) =
                            (*line, [&answer.input, text].map(|text| quoted(text)));
                        Err(JournalError::OtherText {
                            path: path.to_owned(),
                            line,
                            was,
                            now,
                        })
                    }
                    None => Err(invalid(path, number, "the list has no such position")),
                }
            },
        )?;
        Ok((Journal(journal), offsets))
    }

    /// Adds a record to the next commit. `number` is the index of the position in its list.
    pub fn append(&mut self, number: usize, entry: &ListEntry, answer: &SolveResult) -> Offset {
        let answer = answer.clone();
        self.0.append(|synced| Record {
            number: number + 1,
            text: entry.hash(),
            synced,
            answer,
        })
    }

    /// Writes the appended records, and returns when they are on the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.0.commit()
    }

    /// Reads a result back.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error, or if the record has changed.
    pub fn read_back(&self, offset: Offset, number: usize) -> Result<SolveResult, JournalError> {
        let record = self
            .0
            .read_back(offset)?
            .filter(|record| record.number == number + 1);
        Ok(record
            .ok_or_else(|| self.invalid(number, "its line has changed"))?
            .answer)
    }

    /// Creates the error for an invalid result of the position with this index in the list.
    pub fn invalid(&self, number: usize, what: &str) -> JournalError {
        invalid(self.0.path(), number + 1, what)
    }
}

/// Creates the error for an invalid result of a position, counted from one.
fn invalid(path: &Path, number: usize, what: &str) -> JournalError {
    let place = format!("the answer to position {number}");
    JournalError::Invalid {
        path: path.to_owned(),
        place,
        what: what.to_owned(),
    }
}
