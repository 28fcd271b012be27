//! Journals: files of records that survive a crash of the process or of the machine.
//!
//! A journal is a text file of JSON objects, one per line. The first is its *head*: the version of
//! the format, and the subject of the journal. Every other line is a *record*.
//!
//! Records are appended and never changed, several at a time in one *commit*, which returns once
//! the operating system confirms that they are on the disk. Nothing is shown before its commit. A
//! record also stores the length of the journal after the previous commit. A crash or a power cut
//! may leave arbitrary bytes of the last commit, but damage at the end can thus be distinguished
//! from damage elsewhere: if a valid record after a corrupted one states that the corrupted part
//! was on the disk before, the file has been changed since, and it is rejected, unless its records
//! stand alone: those of a batch after the damage are retained, and the corrupted one is computed
//! again. Any other damage is the remainder of an interrupted commit, which is cut off. Each
//! checksum covers the one before, so the content is always an earlier state of the journal,
//! without corrupted records that stand alone: nothing else within it is missing, repeated or in
//! another order.
//!
//! While a process writes a journal, it holds an operating-system lock on it, which ends with the
//! process, however that ends.
//!
//! | journal | content |
//! |---|---|
//! | [`crate::batch`] | many positions |
//! | [`crate::search_journal`] | the search of one position |
//! | `coset_list` of the commands | bounds of many cosets |
//! | `dataset` | the rows of a data set |
//! | `long_search` of the lab | IDA* searches that take hours |
//!
//! A line is a JSON object with a checksum:
//!
//! ```text
//! {"check":"0123456789abcdef","body":{…}}
//! ```
//!
//! The checksum is the xxh3 hash of the bytes of the body, with a seed. The seed of the head is
//! zero, and the checksum of each line is the seed of the next. A line is therefore intact only
//! after exactly the lines after which it was written: lines that were lost, repeated, exchanged or
//! taken from another journal are detected.

pub use crate::journal_error::JournalError;
use crate::journal_error::quoted;
use same_file::Handle;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The head of a journal, on its first line. As JSON it has the version of the format as `journal`,
/// and its kind as `kind`; a batch omits the kind.
pub trait JournalHeader: Serialize + DeserializeOwned {
    /// The kind of the journal, in one word.
    const KIND: &'static str;
    /// The version of the format that this program writes and reads.
    const VERSION: u32;
    /// `true` if each record is meaningful without the others, so that a corrupted one can be
    /// skipped.
    const RECORDS_STAND_ALONE: bool = false;
    /// The records, on the other lines. Each has a field `synced`: the number of bytes of the
    /// journal that were on the disk before.
    type Record: Serialize + DeserializeOwned;

    /// Checks that a journal with this head is the expected one.
    ///
    /// # Errors
    ///
    /// Returns the first difference as a [`JournalError`].
    fn check_is(&self, expected: &Self, path: &Path) -> Result<(), JournalError>;
}

/// The fields that records of all kinds share.
#[derive(Deserialize)]
struct CommitMark {
    synced: u64,
}

/// Minimum time between two commits.
pub(crate) const COMMIT_INTERVAL: Duration = Duration::from_millis(200);

/// The prefix of every line.
pub(super) const START: &[u8] = b"{\"check\"";

/// Maximum length of a line, in bytes: a record with some five million solutions. A longer line
/// counts as corrupted.
const MAX_LINE: usize = 1 << 28;

/// Formats the line with this body, including its line feed. Also returns its checksum.
///
/// # Panics
///
/// Panics if `body` cannot be written as JSON.
pub(super) fn write_line(body: &impl Serialize, seed: u64) -> (Vec<u8>, u64) {
    let body = serde_json::to_string(body).expect("the bodies are plain values");
    let check = xxh3_64_with_seed(body.as_bytes(), seed);
    (
        format!("{{\"check\":\"{check:016x}\",\"body\":{body}}}\n").into_bytes(),
        check,
    )
}

/// Returns the checksum that a line states, unverified, and the rest of the line.
fn split(line: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, rest) = line.strip_prefix(b"{\"check\":\"")?.split_at_checked(16)?;
    // Only digits in the written form, without a sign: any alteration is corruption.
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.as_bytes().iter().all(is_digit))?;
    Some((u64::from_str_radix(digits, 16).ok()?, rest))
}

/// Returns `true` if a line, without its line feed, belongs to a journal but is not intact after
/// the line `before`, which is empty for the first.
pub fn is_damaged(line: &[u8], before: &[u8]) -> bool {
    let seed = stated_check(before).unwrap_or_default();
    let body = |rest: &[u8]| {
        rest.strip_prefix(b"\",\"body\":")?
            .strip_suffix(b"}")
            .map(|body| xxh3_64_with_seed(body, seed))
    };
    line.starts_with(START) && split(line).is_none_or(|(check, rest)| body(rest) != Some(check))
}

/// Returns the checksum that a line states, unverified.
pub(super) fn stated_check(line: &[u8]) -> Option<u64> {
    split(line).map(|(check, _)| check)
}

/// Returns the body of a line and its checksum, if the line is intact.
pub(super) fn read_line<T: DeserializeOwned>(line: &[u8], seed: u64) -> Option<(T, u64)> {
    let (check, rest) = split(line)?;
    let body = rest.strip_prefix(b"\",\"body\":")?.strip_suffix(b"}\n")?;
    let is_intact = xxh3_64_with_seed(body, seed) == check;
    is_intact
        .then(|| serde_json::from_slice(body).ok())?
        .map(|body| (body, check))
}

/// The byte offset of a record in a journal, with the checksum of the line before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    pub(super) start: u64,
    pub(super) seed: u64,
}

/// The content of a journal except its records.
#[derive(Debug)]
pub struct Contents<H> {
    /// The head.
    pub head: H,
    /// The checksum of the last intact line.
    pub(super) last_check: u64,
    /// The length without the remainder of an interrupted write.
    pub(super) intact: u64,
    /// `true` if there is such a remainder.
    pub(super) is_torn: bool,
}

/// Reads a journal, even while a process writes it, and calls `on_record` with each record.
///
/// # Errors
///
/// Returns [`JournalError`] on an I/O error, or if the file is corrupted or not a journal of this
/// kind.
pub fn read<H: JournalHeader>(
    path: &Path,
    on_record: &mut dyn FnMut(H::Record),
) -> Result<Contents<H>, JournalError> {
    check_is_file(path, H::KIND)?;
    let file = File::open(path).map_err(JournalError::io("open", path))?;
    scan(path, BufReader::new(file), None, &mut |_, record| {
        on_record(record);
        Ok(())
    })
}

/// Rejects devices and pipes, reads of which might never return.
pub(super) fn check_is_file(path: &Path, kind: &'static str) -> Result<(), JournalError> {
    match std::fs::metadata(path) {
        Ok(file) if !file.is_file() && !file.is_dir() => Err(JournalError::NotAJournal {
            path: path.into(),
            kind,
        }),
        _ => Ok(()),
    }
}

/// Reads a line including its line feed, and returns its length in bytes. Only the beginning,
/// without a line feed, is stored of a line without the prefix of a journal line, or longer than
/// [`MAX_LINE`], so that it is never an intact line.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<u64> {
    line.clear();
    let mut length = 0;
    let mut is_stored = true;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            other => other?,
        };
        let end = available
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(available.len(), |at| at + 1);
        let is_begun = line.starts_with(&START[..START.len().min(line.len())]);
        is_stored &= is_begun && line.len() + end <= MAX_LINE;
        if is_stored {
            line.extend_from_slice(&available[..end]);
        }
        let is_end = end == 0 || available[end - 1] == b'\n';
        input.consume(end);
        length += end as u64;
        if is_end {
            return Ok(length);
        }
    }
}

/// Reads a journal, which must have the expected head if one is given, and calls `on_record` with
/// each record and its offset.
pub(super) fn scan<H: JournalHeader>(
    path: &Path,
    mut input: impl BufRead,
    expected: Option<&H>,
    on_record: &mut dyn FnMut(Offset, H::Record) -> Result<(), JournalError>,
) -> Result<Contents<H>, JournalError> {
    let mut line = Vec::new();
    let beginning = input.fill_buf().map_err(JournalError::io("read", path))?;
    if !beginning.starts_with(&START[..START.len().min(beginning.len())]) {
        return Err(JournalError::NotAJournal {
            path: path.into(),
            kind: H::KIND,
        });
    }
    let mut next_line =
        |line: &mut Vec<u8>| next_line(&mut input, line).map_err(JournalError::io("read", path));
    let mut end = next_line(&mut line)?;
    let (head, mut last_check) = read_head::<H>(path, &line)?;
    expected.map_or(Ok(()), |expected| head.check_is(expected, path))?;
    // The seed of the next line; `None` if corruption hides it.
    let mut seed = Some(last_check);
    // The first corrupted line: its number and its offset; and the records after it, until one
    // shows whether it was on the disk.
    let mut damage = None;
    let mut after = Vec::new();
    for number in 2.. {
        let length = next_line(&mut line)?;
        if length == 0 {
            break;
        }
        let record = seed.and_then(|seed| read_line::<H::Record>(&line, seed));
        match (record, damage) {
            (Some((record, check)), None) => {
                on_record(
                    Offset {
                        start: end,
                        seed: last_check,
                    },
                    record,
                )?;
                last_check = check;
            }
            (Some((record, check)), Some((first, offset))) => {
                let synced = seed.and_then(|seed| read_line(&line, seed));
                let was_on_disk = synced.is_some_and(|(CommitMark { synced }, _)| synced > offset);
                after.push((
                    Offset {
                        start: end,
                        seed: seed.unwrap_or_default(),
                    },
                    record,
                ));
                if was_on_disk {
                    if !H::RECORDS_STAND_ALONE {
                        return Err(damaged(path, first, offset));
                    }
                    tracing::warn!(journal = %path.display(), line = first, "the line is corrupted; skipping it");
                    after
                        .drain(..)
                        .try_for_each(|(offset, record)| on_record(offset, record))?;
                    (damage, last_check) = (None, check);
                }
            }
            (None, None) => damage = Some((number, end)),
            // The remainder of an interrupted commit.
            (None, Some(_)) => {}
        }
        end += length;
        seed = stated_check(&line);
    }
    let intact = damage.map_or(end, |(_, offset)| offset);
    Ok(Contents {
        head,
        last_check,
        intact,
        is_torn: damage.is_some(),
    })
}

/// The fields of the first line that all versions and kinds share.
#[derive(Deserialize)]
struct Format {
    journal: u32,
    #[serde(default = "batch")]
    kind: String,
}

/// Returns the kind of a journal without a field `kind`.
fn batch() -> String {
    "batch".into()
}

fn read_head<H: JournalHeader>(path: &Path, line: &[u8]) -> Result<(H, u64), JournalError> {
    if let Some((
        Format {
            journal: found,
            kind,
        },
        _,
    )) = read_line(line, 0)
    {
        if kind != H::KIND {
            return Err(JournalError::OtherKind {
                path: path.into(),
                found: quoted(&kind),
                expected: H::KIND,
            });
        }
        if found != H::VERSION {
            return Err(JournalError::Version {
                path: path.into(),
                found,
                known: H::VERSION,
            });
        }
    }
    match read_line(line, 0) {
        Some(head) => Ok(head),
        None if line.starts_with(b"{\"check\":\"") => Err(damaged(path, 1, 0)),
        None => Err(JournalError::NotAJournal {
            path: path.into(),
            kind: H::KIND,
        }),
    }
}

fn damaged(path: &Path, line: usize, offset: u64) -> JournalError {
    JournalError::Damaged {
        path: path.to_owned(),
        line,
        offset,
    }
}

/// A journal to which this process may append.
pub struct Journal<H> {
    path: PathBuf,
    file: File,
    /// The checksum of the last line, including pending ones.
    last_check: u64,
    /// Number of bytes known to be on the disk.
    synced: u64,
    /// The lines of the next commit.
    pending: Vec<u8>,
    head: PhantomData<H>,
}

impl<H: JournalHeader> Journal<H> {
    /// Opens a journal, or creates it with this head. Cuts off the remainder of an interrupted
    /// commit. Calls `on_record` with each record and its offset.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error, if another process writes the journal, if it is
    /// corrupted, not a journal, or has another head, or if `on_record` fails.
    pub fn open(
        path: &Path,
        head: &H,
        on_record: &mut dyn FnMut(Offset, H::Record) -> Result<(), JournalError>,
    ) -> Result<Journal<H>, JournalError> {
        let io = |verb| JournalError::io(verb, path);
        check_is_file(path, H::KIND)?;
        let file = lock(path)?;
        check_is_not_output(path, &file)?;
        let (first_line, last_check) = write_line(head, 0);
        let mut journal = Journal {
            path: path.to_owned(),
            file,
            last_check,
            synced: 0,
            pending: Vec::new(),
            head: PhantomData::<H>,
        };
        if journal.is_begun(&first_line).map_err(io("read"))? {
            let contents = scan(path, BufReader::new(&journal.file), Some(head), on_record)?;
            journal.last_check = contents.last_check;
            journal.synced = contents.intact;
            if contents.is_torn {
                tracing::info!(journal = %path.display(), "cut off the remainder of an interrupted write");
            }
            // The bytes that were read may not be on the disk yet.
            journal
                .file
                .set_len(contents.intact)
                .and_then(|()| journal.file.sync_all())
                .map_err(io("write"))?;
        } else {
            journal.file.set_len(0).map_err(io("write"))?;
            journal.pending.clone_from(&first_line);
            journal.commit()?;
            cosette::sync_folder_of(path).map_err(io("write"))?;
        }
        Ok(journal)
    }

    /// Returns `true` if the file holds anything but a part of this first line. A few bytes may be
    /// the beginning of any file, so only an empty file counts as newly created.
    fn is_begun(&mut self, first_line: &[u8]) -> std::io::Result<bool> {
        let mut start = Vec::new();
        (&self.file)
            .take(first_line.len() as u64)
            .read_to_end(&mut start)?;
        self.file.seek(SeekFrom::Start(0))?;
        let is_torn = first_line.starts_with(&start)
            && start.starts_with(START)
            && start.len() < first_line.len();
        Ok(!start.is_empty() && !is_torn)
    }

    /// Returns the path of the journal.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a record to the next commit; `record` creates it from the number of bytes that are on
    /// the disk.
    pub fn append(&mut self, record: impl FnOnce(u64) -> H::Record) -> Offset {
        let offset = Offset {
            start: self.synced + self.pending.len() as u64,
            seed: self.last_check,
        };
        let (line, check) = write_line(&record(self.synced), self.last_check);
        self.pending.extend(line);
        self.last_check = check;
        offset
    }

    /// Writes the appended records, and returns when they are on the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error. The journal must not be used afterwards; it can be
    /// opened again.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let write = || {
            let mut file = &self.file;
            file.seek(SeekFrom::Start(self.synced))?;
            file.write_all(&self.pending)?;
            file.sync_data()
        };
        write().map_err(JournalError::io("write", &self.path))?;
        self.synced += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Reads a record back; `None` if its line has changed.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error.
    pub fn read_back(&self, offset: Offset) -> Result<Option<H::Record>, JournalError> {
        let line = || {
            let mut file = &self.file;
            file.seek(SeekFrom::Start(offset.start))?;
            let mut line = Vec::new();
            next_line(&mut BufReader::new(file), &mut line)?;
            Ok(line)
        };
        let line = line().map_err(JournalError::io("read", &self.path))?;
        Ok(read_line(&line, offset.seed).map(|(record, _)| record))
    }
}

/// Maximum time to wait for a lock. A child process shares the locks of this one until it runs its
/// own program, so a lock that was just released may still be held.
const LOCK_TIMEOUT: Duration = Duration::from_millis(300);

/// Opens or creates the file at `path` and locks it.
fn lock(path: &Path) -> Result<File, JournalError> {
    let io = |verb| JournalError::io(verb, path);
    let options = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .clone();
    let file = options.open(path).map_err(io("open"))?;
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        match cosette::try_lock(&file) {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(LOCK_TIMEOUT / 30)
            }
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Locked {
                    path: path.to_owned(),
                });
            }
            Err(TryLockError::Error(source)) => return Err(io("lock")(source)),
        }
    }
}

/// Rejects the file to which standard output or standard error is redirected: output would
/// overwrite the journal.
fn check_is_not_output(path: &Path, file: &File) -> Result<(), JournalError> {
    let file = file
        .try_clone()
        .and_then(Handle::from_file)
        .map_err(JournalError::io("open", path))?;
    match [Handle::stdout(), Handle::stderr()]
        .into_iter()
        .flatten()
        .any(|output| output == file)
    {
        true => Err(JournalError::IsOutput {
            path: path.to_owned(),
        }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_beginning_of_what_is_no_line_is_stored() {
        let long = "R".repeat(1_000_000);
        let text = format!("{{\"check\":\"{long}\n{long}\n\n{{\"che");
        let mut input = BufReader::new(text.as_bytes());
        let mut line = Vec::new();
        let mut read = || {
            let length = next_line(&mut input, &mut line).unwrap();
            (length, line.len() < 10_000, line.ends_with(b"\n"))
        };
        assert_eq!(read(), (1_000_011, false, true));
        assert_eq!(read(), (1_000_001, true, false));
        assert_eq!(read(), (1, true, true));
        assert_eq!(read(), (5, true, false));
        assert_eq!(read(), (0, true, false));
    }
}
