//! The journal of a data set: its finished rows, on the disk.

use super::description::{Dataset, DatasetRow};
use crate::journal::{Journal, JournalError, JournalErrorKind, JournalRecord};
use cosette::cube::{DisplayMoves, ParseOptions, parse_facelets, parse_moves};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A record of a journal: a row.
#[derive(Serialize, Deserialize)]
pub struct RowRecord {
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

impl RowRecord {
    pub fn new(row: &DatasetRow) -> RowRecord {
        let solution = DisplayMoves(row.solution.as_deref().unwrap_or_default());
        RowRecord {
            row: row.index,
            facelets: row.position.facelets(),
            walk_length: row.walk_length,
            length: row.length,
            solution: solution.to_string(),
            neighbor_distances: row.neighbor_distances.clone(),
        }
    }

    /// Returns the row; `None` if a field cannot be read.
    fn row(self) -> Option<DatasetRow> {
        let solution = parse_moves(&self.solution, &ParseOptions::default()).ok()?;
        Some(DatasetRow {
            index: self.row,
            position: parse_facelets(&self.facelets).ok()?,
            walk_length: self.walk_length,
            length: self.length,
            solution: Some(solution.moves().to_vec()),
            neighbor_distances: self.neighbor_distances,
        })
    }
}

/// Opens or creates the journal of a data set. Also returns its rows.
///
/// # Errors
///
/// Returns [`JournalError`] if it is the journal of another data set, or cannot be used.
pub fn open(
    path: &Path,
    set: &Dataset,
) -> Result<(Journal<RowRecord>, Vec<DatasetRow>), JournalError> {
    let mut rows = Vec::new();
    let journal = Journal::open(path, set.settings(), &mut |_, record: RowRecord| {
        let place = format!("row {}", record.row);
        let what = "it is not a row".into();
        rows.push(
            record
                .row()
                .ok_or(JournalErrorKind::Invalid { place, what })?,
        );
        Ok(())
    })?;
    Ok((journal, rows))
}
