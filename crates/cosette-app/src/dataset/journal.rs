//! The rows of a data set that are done, on the disk.

use super::{Dataset, DatasetError, Row};
use crate::journal::{self, Journal, JournalError};
use cosette::cube::{Moves, ReadOptions, parse_facelets, parse_moves};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The first line: what the data set is.
#[derive(Serialize, Deserialize)]
struct Head {
    journal: u32,
    kind: String,
    set: BTreeMap<String, String>,
}

impl journal::Head for Head {
    const KIND: &'static str = "dataset";
    const VERSION: u32 = 1;
    const RECORDS_STAND_ALONE: bool = true;
    type Record = Record;

    fn check_is(&self, expected: &Head, path: &Path) -> Result<(), JournalError> {
        JournalError::check_same_settings(path, [&self.set, &expected.set])
    }
}

/// Any other line: a row.
#[derive(Serialize, Deserialize)]
struct Record {
    row: u64,
    facelets: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    walk: Option<usize>,
    length: u8,
    solution: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    neighbours: Option<Vec<u8>>,
    synced: u64,
}

/// The journal of a data set.
pub struct Rows(Journal<Head>);

impl Rows {
    /// Opens or creates it, with its rows. Fails if it is that of another data set, or cannot be used.
    pub fn open(path: &Path, set: &Dataset) -> Result<(Rows, Vec<Row>), DatasetError> {
        let named = set.named().into_iter().map(|(name, value)| (name.to_owned(), value));
        let head = Head { journal: <Head as journal::Head>::VERSION, kind: "dataset".into(), set: named.collect() };
        let mut rows = Vec::new();
        let journal = Journal::open(path, &head, &mut |_, record| {
            let place = format!("row {}", record.row);
            let invalid =
                |what: &str| JournalError::Invalid { path: path.to_owned(), place: place.clone(), what: what.into() };
            rows.push(row(record).ok_or_else(|| invalid("it is no row"))?);
            Ok(())
        });
        let journal = journal.map_err(|error| match error {
            JournalError::Mismatch { what, .. } if what == "positions" => DatasetError::Refused(format!(
                "{} was begun with another list of positions; give that list again, or delete the journal",
                path.display()
            )),
            JournalError::Mismatch { what, found, expected, .. } => DatasetError::Refused(format!(
                "{} was begun with {what} {found}, not {expected}; give the same arguments again, or delete it",
                path.display()
            )),
            error => error.into(),
        })?;
        Ok((Rows(journal), rows))
    }

    /// Adds a row to the next commit.
    pub fn append(&mut self, row: &Row) {
        let (facelets, solution) =
            (row.position.facelets(), Moves(row.solution.as_deref().unwrap_or_default()).to_string());
        let Row { index, walk, length, neighbours, .. } = row.clone();
        self.0.append(|synced| Record { row: index, facelets, walk, length, solution, neighbours, synced });
    }

    /// Writes the added rows, and returns when they are on the disk. Fails if the system refuses.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.0.commit()
    }
}

/// The row of a record.
fn row(record: Record) -> Option<Row> {
    let solution = Some(parse_moves(&record.solution, &ReadOptions::default()).ok()?.moves().to_vec());
    let position = parse_facelets(&record.facelets).ok()?;
    let Record { row: index, walk, length, neighbours, .. } = record;
    Some(Row { index, position, walk, length, solution, neighbours })
}
