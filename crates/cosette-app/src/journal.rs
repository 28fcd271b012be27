//! Journals: files of records that survive a crash of the process or of the machine.
//!
//! A journal is a text file of JSON objects, one per line. The first is its *header*: the version
//! of the format, the kind of the journal, and the settings of the work. Every other line is a
//! *record*. The type of the records determines the kind and the version ([`JournalRecord`]);
//! everything else is the same for all journals.
//!
//! Records are appended and never changed. A *commit* appends several records, and returns once the
//! operating system confirms that they are on the disk. A result is shown only after the commit of
//! its record.
//!
//! A crash or a power cut may leave arbitrary bytes of the last commit. To distinguish them from
//! other damage, the line of a record also stores the length of the journal after the previous
//! commit. If a valid record after a corrupted line states that this line was already on the disk,
//! the file has been changed since. Such a journal is rejected, unless its records stand alone, as
//! the results of a batch do: then only the corrupted record is skipped and computed again. Any
//! other damage is the remainder of an interrupted commit, and is cut off.
//!
//! Each checksum covers the one before. The content is therefore always an earlier state of the
//! journal, in which only skipped records are missing, and nothing is repeated or in another order.
//!
//! While a process writes a journal, it holds an operating-system lock on it. The system releases
//! the lock when the process ends, even by a crash.
//!
//! | journal | content |
//! |---|---|
//! | [`crate::batch`] | many positions |
//! | [`crate::search_journal`] | the search of one position |
//! | `cosets` of the commands | bounds of many cosets |
//! | `dataset` | the rows of a data set |
//! | `long_search` of the lab | IDA* searches that take hours |
//!
//! A line is a JSON object with a checksum:
//!
//! ```text
//! {"check":"0123456789abcdef","body":{"journal":1,"kind":"example","settings":{"metric":"htm"}}}
//! {"check":"0123456789abcdef","body":{"synced":95,"record":{…}}}
//! ```
//!
//! The checksum is the xxh3 hash of the bytes of the body, with a seed. The seed of the header is
//! zero, and the checksum of each line is the seed of the next. A line is therefore intact only if
//! the lines before it are those that were there when it was written: lines that were lost,
//! repeated, exchanged or taken from another journal are detected.

use crate::journal_error::quoted;
pub use crate::journal_error::{JournalError, JournalErrorKind};
use same_file::Handle;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A record of one kind of journal.
pub trait JournalRecord: Serialize + DeserializeOwned {
    /// The kind of the journal, in one word.
    const KIND: &'static str;
    /// The version of the format that this program writes and reads.
    const VERSION: u32;
    /// `true` if each record is meaningful without the others, so that a corrupted one can be
    /// skipped.
    const STANDS_ALONE: bool = false;
}

/// The settings of the work that a journal records, by name. Work resumes only with equal settings.
pub type JournalSettings = BTreeMap<String, String>;

/// The header of a journal, on its first line.
#[derive(Serialize, Deserialize)]
struct JournalHeader {
    /// The version of the format.
    journal: u32,
    kind: String,
    #[serde(default)]
    settings: JournalSettings,
}

impl JournalHeader {
    /// Reads the header from the first line of a journal with records `R`. Its settings must equal
    /// `expected`, if that is given. Also returns the checksum of the line.
    fn read<R: JournalRecord>(
        line: &[u8],
        expected: Option<&JournalSettings>,
    ) -> Result<(JournalHeader, u64), JournalErrorKind> {
        let Some((header, check)) = read_line::<JournalHeader>(line, 0) else {
            return Err(match line.starts_with(b"{\"check\":\"") {
                true => JournalErrorKind::Damaged { line: 1, offset: 0 },
                false => JournalErrorKind::NotAJournal,
            });
        };
        if header.kind != R::KIND {
            let found = quoted(&header.kind);
            return Err(JournalErrorKind::OtherKind { found });
        }
        if header.journal != R::VERSION {
            return Err(JournalErrorKind::Version {
                found: header.journal,
                known: R::VERSION,
            });
        }
        if let Some(expected) = expected {
            header.check_settings(expected)?;
        }
        Ok((header, check))
    }

    /// Checks that the journal has exactly the expected settings.
    fn check_settings(&self, expected: &JournalSettings) -> Result<(), JournalErrorKind> {
        let value = |settings: &JournalSettings, name: &String| {
            quoted(settings.get(name).map_or("not set", String::as_str))
        };
        let mut names = self.settings.keys().chain(expected.keys());
        match names.find(|&name| self.settings.get(name) != expected.get(name)) {
            None => Ok(()),
            Some(name) => Err(JournalErrorKind::Mismatch {
                setting: quoted(name),
                found: value(&self.settings, name),
                expected: value(expected, name),
            }),
        }
    }
}

/// The body of a line with a record.
#[derive(Serialize, Deserialize)]
struct RecordLine<R> {
    /// Length of the journal after the previous commit, in bytes.
    synced: u64,
    record: R,
}

impl JournalError {
    /// Returns a constructor of the errors of a journal with records `R`.
    fn of<R: JournalRecord>(path: &Path) -> impl Fn(JournalErrorKind) -> JournalError {
        move |kind| JournalError {
            path: path.to_owned(),
            journal: R::KIND,
            kind,
        }
    }
}

/// Minimum time between two commits.
pub(crate) const COMMIT_INTERVAL: Duration = Duration::from_millis(200);

/// The prefix of every line.
const START: &[u8] = b"{\"check\"";

/// Maximum length of a line, in bytes: a record with some five million solutions. A longer line
/// counts as corrupted.
const MAX_LINE: usize = 1 << 28;

/// Formats the line with this body, including its line feed. Also returns its checksum.
///
/// # Panics
///
/// Panics if `body` cannot be written as JSON.
fn write_line(body: &impl Serialize, seed: u64) -> (Vec<u8>, u64) {
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
    // `from_str_radix` also accepts uppercase digits and a sign, which are never written.
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.as_bytes().iter().all(is_digit))?;
    Some((u64::from_str_radix(digits, 16).ok()?, rest))
}

/// Returns `true` if a line, without its line feed, belongs to a journal but is not intact after
/// the line `before`. For the first line, `before` is empty.
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
fn stated_check(line: &[u8]) -> Option<u64> {
    split(line).map(|(check, _)| check)
}

/// Returns the body of a line and its checksum, if the line is intact.
fn read_line<T: DeserializeOwned>(line: &[u8], seed: u64) -> Option<(T, u64)> {
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
    start: u64,
    seed: u64,
}

/// The content of a journal except its records.
struct JournalContents {
    settings: JournalSettings,
    /// The checksum of the last intact line.
    last_check: u64,
    /// The length in bytes, without the remainder of an interrupted commit.
    intact: u64,
    /// `true` if there is such a remainder.
    is_torn: bool,
}

/// Reads a journal, even while a process writes it, and calls `on_record` with each record. Returns
/// the settings.
///
/// # Errors
///
/// Returns [`JournalError`] on an I/O error, or if the file is corrupted or not a journal of this
/// kind.
pub fn read<R: JournalRecord>(
    path: &Path,
    on_record: &mut dyn FnMut(R),
) -> Result<JournalSettings, JournalError> {
    let mut read = || {
        check_is_file(path)?;
        let file = File::open(path).map_err(JournalErrorKind::io("open"))?;
        scan(path, BufReader::new(file), None, &mut |_, record| {
            on_record(record);
            Ok(())
        })
    };
    let contents = read().map_err(JournalError::of::<R>(path))?;
    Ok(contents.settings)
}

/// Checks that a journal, if it exists, has these settings. Reads only its header, without a lock.
/// Any other fault of the file is left to [`Journal::open`].
///
/// # Errors
///
/// Returns [`JournalError`] if the file is not a journal of this kind, or has other settings.
pub fn check_settings<R: JournalRecord>(
    path: &Path,
    settings: impl IntoIterator<Item = (impl Into<String>, String)>,
) -> Result<(), JournalError> {
    let settings = settings.into_iter();
    let expected = settings.map(|(name, value)| (name.into(), value)).collect();
    let check = || {
        check_is_file(path)?;
        let mut line = Vec::new();
        let read =
            File::open(path).and_then(|file| next_line(&mut BufReader::new(file), &mut line));
        if read.is_err() || line.is_empty() {
            return Ok(());
        }
        match JournalHeader::read::<R>(&line, Some(&expected)) {
            // An interrupted write leaves the beginning of a header.
            Err(JournalErrorKind::Damaged { .. }) => Ok(()),
            checked => checked.map(drop),
        }
    };
    check().map_err(JournalError::of::<R>(path))
}

/// Rejects devices and pipes, reads of which might never return.
fn check_is_file(path: &Path) -> Result<(), JournalErrorKind> {
    match std::fs::metadata(path) {
        Ok(file) if !file.is_file() && !file.is_dir() => Err(JournalErrorKind::NotAJournal),
        _ => Ok(()),
    }
}

/// Reads a line including its line feed, and returns its length in bytes. A line that does not
/// begin with [`START`], or is longer than [`MAX_LINE`], is not intact: only its beginning, without
/// a line feed, is stored in `line`.
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
            .map_or(available.len(), |index| index + 1);
        let has_prefix = line.starts_with(&START[..START.len().min(line.len())]);
        is_stored &= has_prefix && line.len() + end <= MAX_LINE;
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

/// Reads a journal, and calls `on_record` with each record and its offset. The settings of the
/// journal must equal `expected`, if that is given.
fn scan<R: JournalRecord>(
    path: &Path,
    mut input: impl BufRead,
    expected: Option<&JournalSettings>,
    on_record: &mut dyn FnMut(Offset, R) -> Result<(), JournalErrorKind>,
) -> Result<JournalContents, JournalErrorKind> {
    let mut line = Vec::new();
    let beginning = input.fill_buf().map_err(JournalErrorKind::io("read"))?;
    if !beginning.starts_with(&START[..START.len().min(beginning.len())]) {
        return Err(JournalErrorKind::NotAJournal);
    }
    let mut next_line =
        |line: &mut Vec<u8>| next_line(&mut input, line).map_err(JournalErrorKind::io("read"));
    let mut end = next_line(&mut line)?;
    let (header, mut last_check) = JournalHeader::read::<R>(&line, expected)?;
    // The seed of the next line; `None` if corruption hides it.
    let mut seed = Some(last_check);
    // The number and the offset of the first corrupted line.
    let mut damage = None;
    // The records after the corrupted line, until one of them shows that the line was on the disk.
    let mut after_damage = Vec::new();
    for number in 2.. {
        let length = next_line(&mut line)?;
        if length == 0 {
            break;
        }
        let offset = Offset {
            start: end,
            seed: seed.unwrap_or_default(),
        };
        let read = seed.and_then(|seed| read_line::<RecordLine<R>>(&line, seed));
        match (read, damage) {
            (Some((RecordLine { record, .. }, check)), None) => {
                on_record(offset, record)?;
                last_check = check;
            }
            (Some((RecordLine { synced, record }, check)), Some((damaged_line, damaged_at))) => {
                after_damage.push((offset, record));
                if synced > damaged_at {
                    if !R::STANDS_ALONE {
                        return Err(JournalErrorKind::Damaged {
                            line: damaged_line,
                            offset: damaged_at,
                        });
                    }
                    tracing::warn!(journal = %path.display(), line = damaged_line, "the line is \
                        corrupted; skipping it");
                    for (offset, record) in after_damage.drain(..) {
                        on_record(offset, record)?;
                    }
                    damage = None;
                    last_check = check;
                }
            }
            // The line may be the remainder of an interrupted commit; the lines after it show this.
            (None, _) => damage = damage.or(Some((number, end))),
        }
        end += length;
        seed = stated_check(&line);
    }
    Ok(JournalContents {
        settings: header.settings,
        last_check,
        intact: damage.map_or(end, |(_, offset)| offset),
        is_torn: damage.is_some(),
    })
}

/// A journal that this process has locked, and to which it may append.
pub struct Journal<R> {
    path: PathBuf,
    file: File,
    /// The checksum of the last line, including pending ones.
    last_check: u64,
    /// Number of bytes known to be on the disk.
    synced: u64,
    /// The lines of the next commit.
    pending: Vec<u8>,
    records: PhantomData<R>,
}

impl<R: JournalRecord> Journal<R> {
    /// Opens a journal, or creates it with these settings. Cuts off the remainder of an interrupted
    /// commit. Calls `on_record` with each record and its offset.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error, if another process writes the journal, if it is
    /// corrupted, not a journal, or has other settings, or if `on_record` fails.
    pub fn open(
        path: &Path,
        settings: impl IntoIterator<Item = (impl Into<String>, String)>,
        on_record: &mut dyn FnMut(Offset, R) -> Result<(), JournalErrorKind>,
    ) -> Result<Journal<R>, JournalError> {
        let settings = settings.into_iter();
        let header = JournalHeader {
            journal: R::VERSION,
            kind: R::KIND.to_owned(),
            settings: settings.map(|(name, value)| (name.into(), value)).collect(),
        };
        let mut open = || {
            let io = JournalErrorKind::io;
            check_is_file(path)?;
            let file = lock(path)?;
            check_is_not_output(&file)?;
            let (first_line, last_check) = write_line(&header, 0);
            let mut journal = Journal {
                path: path.to_owned(),
                file,
                last_check,
                synced: 0,
                pending: Vec::new(),
                records: PhantomData,
            };
            if journal.has_content(&first_line).map_err(io("read"))? {
                let input = BufReader::new(&journal.file);
                let contents = scan(path, input, Some(&header.settings), on_record)?;
                journal.last_check = contents.last_check;
                journal.synced = contents.intact;
                if contents.is_torn {
                    tracing::info!(journal = %path.display(), "cut off the remainder of an \
                        interrupted write");
                }
                // The bytes that were read may not be on the disk yet.
                journal
                    .file
                    .set_len(contents.intact)
                    .and_then(|()| journal.file.sync_all())
                    .map_err(io("write"))?;
            } else {
                journal.file.set_len(0).map_err(io("write"))?;
                journal.pending = first_line;
                journal.write_pending().map_err(io("write"))?;
                cosette::sync_folder_of(path).map_err(io("write"))?;
            }
            Ok(journal)
        };
        open().map_err(JournalError::of::<R>(path))
    }

    /// Returns `false` if the file is empty, or holds only the beginning of this first line after
    /// an interrupted write. A beginning shorter than [`START`] may be that of any file, which must
    /// not be overwritten: the result is then `true`.
    fn has_content(&mut self, first_line: &[u8]) -> std::io::Result<bool> {
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

    /// Creates an error of this journal.
    pub fn error(&self, kind: JournalErrorKind) -> JournalError {
        JournalError::of::<R>(&self.path)(kind)
    }

    /// Adds a record to the next commit.
    pub fn append(&mut self, record: &R) -> Offset {
        let offset = Offset {
            start: self.synced + self.pending.len() as u64,
            seed: self.last_check,
        };
        let line = RecordLine {
            synced: self.synced,
            record,
        };
        let (line, check) = write_line(&line, self.last_check);
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
        self.write_pending()
            .map_err(|source| self.error(JournalErrorKind::io("write")(source)))
    }

    fn write_pending(&mut self) -> std::io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(self.synced))?;
        self.file.write_all(&self.pending)?;
        self.file.sync_data()?;
        self.synced += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Reads the record at an offset again; `None` if its line has changed.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error.
    pub fn read_back(&self, offset: Offset) -> Result<Option<R>, JournalError> {
        let read_line_at = || {
            let mut file = &self.file;
            file.seek(SeekFrom::Start(offset.start))?;
            let mut line = Vec::new();
            next_line(&mut BufReader::new(file), &mut line)?;
            Ok(line)
        };
        let line =
            read_line_at().map_err(|source| self.error(JournalErrorKind::io("read")(source)))?;
        let read = read_line::<RecordLine<R>>(&line, offset.seed);
        Ok(read.map(|(RecordLine { record, .. }, _)| record))
    }
}

/// Maximum time to wait for a lock. A child process shares the locks of this one until it runs its
/// own program, so a lock that was just released may still be held.
const LOCK_TIMEOUT: Duration = Duration::from_millis(300);

/// Opens or creates the file at `path` and locks it.
fn lock(path: &Path) -> Result<File, JournalErrorKind> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(JournalErrorKind::io("open"))?;
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        match cosette::try_lock(&file) {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                thread::sleep(LOCK_TIMEOUT / 30)
            }
            Err(TryLockError::WouldBlock) => return Err(JournalErrorKind::Locked),
            Err(TryLockError::Error(source)) => return Err(JournalErrorKind::io("lock")(source)),
        }
    }
}

/// Rejects the file to which standard output or standard error is redirected: output would
/// overwrite the journal.
fn check_is_not_output(file: &File) -> Result<(), JournalErrorKind> {
    let file = file
        .try_clone()
        .and_then(Handle::from_file)
        .map_err(JournalErrorKind::io("open"))?;
    let mut outputs = [Handle::stdout(), Handle::stderr()].into_iter().flatten();
    match outputs.any(|output| output == file) {
        true => Err(JournalErrorKind::IsOutput),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_a_line_that_is_not_intact_is_stored() {
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
