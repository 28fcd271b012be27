//! Reading a journal from its beginning to its end.

use super::seal::unseal;
use super::{Head, JournalError, Place, Record, VERSION};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What a journal holds beside its records.
#[derive(Debug)]
pub struct Contents {
    /// Its first line.
    pub head: Head,
    /// The checksum of the first line.
    pub(super) seed: u64,
    /// How many bytes are whole.
    pub(super) whole: u64,
    /// Whether the remainder of an interrupted write follows them.
    pub(super) is_torn: bool,
}

/// Reads a journal, also while a process writes it, and calls `on_record` with each record. The first one of a position
/// counts.
///
/// # Errors
/// If the system refuses, or if it is damaged or no journal.
pub fn read(path: &Path, on_record: &mut dyn FnMut(Record)) -> Result<Contents, JournalError> {
    let file = File::open(path).map_err(JournalError::io("open", path))?;
    scan(path, BufReader::new(file), &mut |_, record| on_record(record))
}

/// Reads a journal, and calls `on_record` with each record and its place.
pub(super) fn scan(
    path: &Path,
    mut input: impl BufRead,
    on_record: &mut dyn FnMut(Place, Record),
) -> Result<Contents, JournalError> {
    let mut line = Vec::new();
    let mut next_line = |line: &mut Vec<u8>| {
        line.clear();
        input.read_until(b'\n', line).map_err(JournalError::io("read", path))
    };
    let mut end = next_line(&mut line)? as u64;
    let (head, seed) = read_head(path, &line)?;
    // The first damaged line: its number and its place.
    let mut damage = None;
    for number in 2.. {
        let length = next_line(&mut line)?;
        if length == 0 {
            break;
        }
        let record = unseal::<Record>(&line, seed).map(|(record, _)| record);
        match (record, damage) {
            (Some(record), None) => on_record(Place(end), record),
            (Some(record), Some((line, place))) if record.synced > place => {
                return Err(JournalError::Damaged { path: path.to_owned(), line });
            }
            (None, None) => damage = Some((number, end)),
            // What remains of the last commit.
            (_, Some(_)) => {}
        }
        end += length as u64;
    }
    let whole = damage.map_or(end, |(_, place)| place);
    Ok(Contents { head, seed, whole, is_torn: damage.is_some() })
}

/// What of the first line stays the same in all versions.
#[derive(Deserialize)]
struct Version {
    journal: u32,
}

fn read_head(path: &Path, line: &[u8]) -> Result<(Head, u64), JournalError> {
    let path = || path.to_owned();
    if let Some((Version { journal: found }, _)) = unseal(line, 0)
        && found != VERSION
    {
        return Err(JournalError::Version { path: path(), found, known: VERSION });
    }
    match unseal(line, 0) {
        Some(head) => Ok(head),
        None if line.starts_with(b"{\"check\":\"") => Err(JournalError::Damaged { path: path(), line: 1 }),
        None => Err(JournalError::NotAJournal { path: path() }),
    }
}
