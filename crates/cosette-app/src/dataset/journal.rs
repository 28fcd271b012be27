//! The journal of a data set: its finished rows, on the disk.

use super::{Dataset, DatasetError, Row};
use crate::journal::{self, Journal, JournalError};
use cosette::cube::{DisplayMoves, ParseOptions, parse_facelets, parse_moves};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The head of a journal, on its first line: the description of the data set.
#[derive(Serialize, Deserialize)]
struct Head {
    journal: u32,
    kind: String,
    set: BTreeMap<String, String>,
}

impl journal::JournalHeader for Head {
    const KIND: &'static str = "dataset";
    const VERSION: u32 = 3;
    const RECORDS_STAND_ALONE: bool = true;
    type Record = Record;

    fn check_is(&self, expected: &Head, path: &Path) -> Result<(), JournalError> {
        JournalError::check_same_settings(path, [&self.set, &expected.set])
    }
}

/// A record of a journal, on any other line: a row.
#[derive(Serialize, Deserialize)]
struct Record {
    row: u64,
    facelets: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    walk_length: Option<usize>,
    length: u8,
    solution: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    neighbor_distances: Option<Vec<u8>>,
    synced: u64,
}

/// The journal of a data set.
pub struct RowJournal(Journal<Head>);

impl RowJournal {
    /// Opens or creates the journal. Also returns its rows.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if it is the journal of another data set, or cannot be used.
    pub fn open(path: &Path, set: &Dataset) -> Result<(RowJournal, Vec<Row>), DatasetError> {
        let named = set
            .settings()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        let head = Head {
            journal: <Head as journal::JournalHeader>::VERSION,
            kind: "dataset".into(),
            set: named.collect(),
        };
        let mut rows = Vec::new();
        let journal = Journal::open(path, &head, &mut |_, record| {
            let place = format!("row {}", record.row);
            let invalid = |what: &str| JournalError::Invalid {
                path: path.to_owned(),
                place: place.clone(),
                what: what.into(),
            };
            rows.push(row(record).ok_or_else(|| invalid("it is not a row"))?);
            Ok(())
        });
        let journal = journal.map_err(|error| match error {
            JournalError::Mismatch { what, .. } if what == "positions" => DatasetError::Refused(format!(
                "{} was started with another list of positions; use that list again, or delete the journal",
                path.display()
            )),
            JournalError::Mismatch { what, found, expected, .. } => DatasetError::Refused(format!(
                "{} was started with {what} {found}, not {expected}; use the same arguments again, or delete it",
                path.display()
            )),
            error => error.into(),
        })?;
        Ok((RowJournal(journal), rows))
    }

    /// Adds a row to the next commit.
    pub fn append(&mut self, row: &Row) {
        let facelets = row.position.facelets();
        let solution = DisplayMoves(row.solution.as_deref().unwrap_or_default()).to_string();
        let Row {
            index,
            walk_length,
            length,
            neighbor_distances,
            ..
        } = row.clone();
        self.0.append(|synced| Record {
            row: index,
            facelets,
            walk_length,
            length,
            solution,
            neighbor_distances,
            synced,
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
fn row(record: Record) -> Option<Row> {
    let solution = Some(
        parse_moves(&record.solution, &ParseOptions::default())
            .ok()?
            .moves()
            .to_vec(),
    );
    let position = parse_facelets(&record.facelets).ok()?;
    let Record {
        row: index,
        walk_length,
        length,
        neighbor_distances,
        ..
    } = record;
    Some(Row {
        index,
        position,
        walk_length,
        length,
        solution,
        neighbor_distances,
    })
}
