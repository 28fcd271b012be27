//! The journal of a data set: its finished rows, on the disk.

use super::description::{Dataset, DatasetRow};
use crate::journal::{Journal, JournalError, JournalErrorKind, JournalRecord};
use cosette::cube::{DisplayMoves, ParseOptions, parse_facelets, parse_moves};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A record of a journal: a row.
#[derive(Serialize, Deserialize)]
struct RowRecord {
    row: u64,
    facelets: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    walk_length: Option<usize>,
    length: u8,
    solution: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    neighbor_distances: Option<Vec<u8>>,
}

impl JournalRecord for RowRecord {
    const KIND: &'static str = "dataset";
    const VERSION: u32 = 4;
    const STANDS_ALONE: bool = true;
}

/// The journal of a data set.
pub struct RowJournal(Journal<RowRecord>);

impl RowJournal {
    /// Opens or creates the journal. Also returns its rows.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if it is the journal of another data set, or cannot be used.
    pub fn open(path: &Path, set: &Dataset) -> Result<(RowJournal, Vec<DatasetRow>), JournalError> {
        let settings = set.settings().into_iter();
        let settings = settings
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let mut rows = Vec::new();
        let journal = Journal::open(path, settings, &mut |_, record: RowRecord| {
            let place = format!("row {}", record.row);
            let what = "it is not a row".into();
            rows.push(row(record).ok_or(JournalErrorKind::Invalid { place, what })?);
            Ok(())
        })?;
        Ok((RowJournal(journal), rows))
    }

    /// Adds a row to the next commit.
    pub fn append(&mut self, row: &DatasetRow) {
        let facelets = row.position.facelets();
        let solution = DisplayMoves(row.solution.as_deref().unwrap_or_default()).to_string();
        self.0.append(&RowRecord {
            row: row.index,
            facelets,
            walk_length: row.walk_length,
            length: row.length,
            solution,
            neighbor_distances: row.neighbor_distances.clone(),
        });
    }

    /// Writes the added rows, and returns when they are on the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.0.commit()
    }
}

/// Returns the row of a record.
fn row(record: RowRecord) -> Option<DatasetRow> {
    let solution = parse_moves(&record.solution, &ParseOptions::default()).ok()?;
    Some(DatasetRow {
        index: record.row,
        position: parse_facelets(&record.facelets).ok()?,
        walk_length: record.walk_length,
        length: record.length,
        solution: Some(solution.moves().to_vec()),
        neighbor_distances: record.neighbor_distances,
    })
}
