//! Reading a journal from its beginning to its end.

use super::error::{JournalError, quoted};
use super::line::{Head, Record, read_line, stated_check};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Where a record begins in a journal, in bytes, and the checksum of the line before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    pub(super) start: u64,
    pub(super) seed: u64,
}

/// What a journal holds besides its records.
#[derive(Debug)]
pub struct Contents<H> {
    /// Its first line.
    pub head: H,
    /// The checksum of the last intact line.
    pub(super) last_check: u64,
    /// The length without the remainder of an interrupted write.
    pub(super) intact: u64,
    /// Whether there is such a remainder.
    pub(super) is_torn: bool,
}

/// Reads a journal, also while a process writes it, and calls `on_record` with each record. Fails if the system
/// refuses, or if the file is damaged or not a journal of this kind.
pub fn read<H: Head>(path: &Path, on_record: &mut dyn FnMut(H::Record)) -> Result<Contents<H>, JournalError> {
    check_is_file(path, H::KIND)?;
    let file = File::open(path).map_err(JournalError::io("open", path))?;
    scan(path, BufReader::new(file), None, &mut |_, record| {
        on_record(record);
        Ok(())
    })
}

/// Refuses devices and pipes, which might never answer.
pub(super) fn check_is_file(path: &Path, kind: &'static str) -> Result<(), JournalError> {
    match std::fs::metadata(path) {
        Ok(file) if !file.is_file() && !file.is_dir() => Err(JournalError::NotAJournal { path: path.into(), kind }),
        _ => Ok(()),
    }
}

/// Reads a journal, which must have the expected head if there is one, and calls `on_record` with each record and its offset.
pub(super) fn scan<H: Head>(
    path: &Path,
    mut input: impl BufRead,
    expected: Option<&H>,
    on_record: &mut dyn FnMut(Offset, H::Record) -> Result<(), JournalError>,
) -> Result<Contents<H>, JournalError> {
    let mut line = Vec::new();
    let mut next_line = |line: &mut Vec<u8>| {
        line.clear();
        input.read_until(b'\n', line).map_err(JournalError::io("read", path))
    };
    let mut end = next_line(&mut line)? as u64;
    let (head, mut last_check) = read_head::<H>(path, &line)?;
    expected.map_or(Ok(()), |expected| head.check_is(expected, path))?;
    // The seed of the next line; `None` where damage hides it.
    let mut seed = Some(last_check);
    // The first damaged line: its number and its offset.
    let mut damage = None;
    for number in 2.. {
        let length = next_line(&mut line)?;
        if length == 0 {
            break;
        }
        let record = seed.and_then(|seed| read_line::<H::Record>(&line, seed));
        match (record, damage) {
            (Some((record, check)), None) => {
                on_record(Offset { start: end, seed: last_check }, record)?;
                last_check = check;
            }
            (Some((record, _)), Some((line, offset))) if record.synced() > offset => {
                return Err(damaged(path, line, offset));
            }
            (None, None) => damage = Some((number, end)),
            // The remainder of an interrupted commit.
            (_, Some(_)) => {}
        }
        end += length as u64;
        seed = stated_check(&line);
    }
    let intact = damage.map_or(end, |(_, offset)| offset);
    Ok(Contents { head, last_check, intact, is_torn: damage.is_some() })
}

/// The part of the first line that is the same in all versions and kinds.
#[derive(Deserialize)]
struct Format {
    journal: u32,
    #[serde(default = "batch")]
    kind: String,
}

/// The kind of a journal that does not say it.
fn batch() -> String {
    "batch".into()
}

fn read_head<H: Head>(path: &Path, line: &[u8]) -> Result<(H, u64), JournalError> {
    if let Some((Format { journal: found, kind }, _)) = read_line(line, 0) {
        if kind != H::KIND {
            return Err(JournalError::OtherKind { path: path.into(), found: quoted(&kind), expected: H::KIND });
        }
        if found != H::VERSION {
            return Err(JournalError::Version { path: path.into(), found, known: H::VERSION });
        }
    }
    match read_line(line, 0) {
        Some(head) => Ok(head),
        None if line.starts_with(b"{\"check\":\"") => Err(damaged(path, 1, 0)),
        None => Err(JournalError::NotAJournal { path: path.into(), kind: H::KIND }),
    }
}

fn damaged(path: &Path, line: usize, offset: u64) -> JournalError {
    JournalError::Damaged { path: path.to_owned(), line, offset }
}
