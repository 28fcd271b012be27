//! The journal of a batch.
//!
//! The settings are those of the request and the number of texts in the list. Each record holds the
//! number of a position, the hash of its text and its result. Texts without a result may therefore
//! change: invalid positions can be corrected. A result is shown only after its commit, so no shown
//! result is lost.

use super::list::{ListEntry, PositionList};
use crate::journal::{Journal, JournalError, JournalErrorKind, JournalRecord, Offset};
use crate::journal_error::quoted;
use crate::request::Request;
use crate::solve_result::SolveResult;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The setting that holds the number of texts in the list.
pub const LIST: &str = "list";

/// A record of a journal: the result of a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BatchRecord {
    /// The number of the position in its list, counted from one.
    pub number: usize,
    /// The hash of the text.
    text: u64,
    /// The result.
    pub answer: SolveResult,
}

impl JournalRecord for BatchRecord {
    const KIND: &'static str = "batch";
    const VERSION: u32 = 5;
    const STANDS_ALONE: bool = true;
}

impl BatchRecord {
    /// Creates the record of the position with this index in its list.
    pub fn new(index: usize, entry: &ListEntry, answer: &SolveResult) -> BatchRecord {
        BatchRecord {
            number: index + 1,
            text: entry.hash(),
            answer: answer.clone(),
        }
    }
}

/// Opens or creates the journal of a batch. Also returns the offset of the record of each position.
///
/// # Errors
///
/// Returns [`JournalError`] on an I/O error, if another process writes the journal, or if it is
/// corrupted, not a journal, or that of another batch: with a result for another text.
pub fn open(
    path: &Path,
    list: &PositionList,
    request: &Request,
) -> Result<(Journal<BatchRecord>, Vec<Option<Offset>>), JournalError> {
    let mut settings = request.settings();
    settings.insert(LIST.to_owned(), list.entries().len().to_string());
    let mut offsets = vec![None; list.entries().len()];
    let mut add = |offset, record: BatchRecord| {
        let index = record.number.wrapping_sub(1);
        let Some(entry) = list.entries().get(index) else {
            return Err(invalid(record.number, "the list has no such position"));
        };
        if entry.hash() != record.text {
            return Err(JournalErrorKind::OtherText {
                line: entry.line,
                was: quoted(&record.answer.input),
                now: quoted(&entry.text),
            });
        }
        // Only the first record of a position counts.
        offsets[index].get_or_insert(offset);
        Ok(())
    };
    let journal = Journal::open(path, settings, &mut add)?;
    Ok((journal, offsets))
}

/// Creates the error for an invalid result of a position, counted from one.
pub fn invalid(number: usize, what: &str) -> JournalErrorKind {
    JournalErrorKind::Invalid {
        place: format!("the answer to position {number}"),
        what: what.to_owned(),
    }
}
