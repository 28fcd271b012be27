//! Reading a journal from its beginning to its end.

use super::seal::unseal;
use super::{Head, JournalError, Place, Record};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// What a journal holds beside its records.
#[derive(Debug)]
pub struct Contents<H> {
    /// Its first line.
    pub head: H,
    /// The checksum of the first line.
    pub(super) seed: u64,
    /// How many bytes are whole.
    pub(super) whole: u64,
    /// Whether the remainder of an interrupted write follows them.
    pub(super) is_torn: bool,
}

/// Reads a journal, also while a process writes it, and calls `on_record` with each record.
///
/// # Errors
/// If the system refuses, or if it is damaged or no journal of this kind.
pub fn read<H: Head>(path: &Path, on_record: &mut dyn FnMut(H::Record)) -> Result<Contents<H>, JournalError> {
    let file = File::open(path).map_err(JournalError::io("open", path))?;
    scan(path, BufReader::new(file), None, &mut |_, record| {
        on_record(record);
        Ok(())
    })
}

/// Reads a journal, which is to have a head like the one asked for, and calls `on_record` with each record and its place.
pub(super) fn scan<H: Head>(
    path: &Path,
    mut input: impl BufRead,
    asked: Option<&H>,
    on_record: &mut dyn FnMut(Place, H::Record) -> Result<(), JournalError>,
) -> Result<Contents<H>, JournalError> {
    let mut line = Vec::new();
    let mut next_line = |line: &mut Vec<u8>| {
        line.clear();
        input.read_until(b'\n', line).map_err(JournalError::io("read", path))
    };
    let mut end = next_line(&mut line)? as u64;
    let (head, seed) = read_head::<H>(path, &line)?;
    asked.map_or(Ok(()), |asked| head.check_is(asked, path))?;
    // The first damaged line: its number and its place.
    let mut damage = None;
    for number in 2.. {
        let length = next_line(&mut line)?;
        if length == 0 {
            break;
        }
        let record = unseal::<H::Record>(&line, seed).map(|(record, _)| record);
        match (record, damage) {
            (Some(record), None) => on_record(Place(end), record)?,
            (Some(record), Some((line, place))) if record.synced() > place => {
                return Err(damaged::<H>(path, line));
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

/// What of the first line stays the same in all versions and kinds.
#[derive(Deserialize)]
struct Format {
    journal: u32,
    #[serde(default = "batch")]
    kind: String,
}

/// The kind of a journal that does not name it.
fn batch() -> String {
    "batch".into()
}

fn read_head<H: Head>(path: &Path, line: &[u8]) -> Result<(H, u64), JournalError> {
    let owned = || path.to_owned();
    if let Some((Format { journal: found, kind }, _)) = unseal(line, 0) {
        if kind != H::KIND {
            return Err(JournalError::OtherKind { path: owned(), found: kind, asked: H::KIND });
        }
        if found != H::VERSION {
            return Err(JournalError::Version { path: owned(), found, known: H::VERSION });
        }
    }
    match unseal(line, 0) {
        Some(head) => Ok(head),
        None if line.starts_with(b"{\"check\":\"") => Err(damaged::<H>(path, 1)),
        None => Err(JournalError::NotAJournal { path: owned(), kind: H::KIND }),
    }
}

fn damaged<H: Head>(path: &Path, line: usize) -> JournalError {
    JournalError::Damaged { path: path.to_owned(), line, without: H::WITHOUT_RECORD }
}
