//! Journals: files of records that survive a crash of the process or of the machine.
//!
//! A journal is a text file of JSON objects, one per line. The first is its *head*: the version of the format, and what the
//! journal is about. Every other line is a *record*.
//!
//! Records are appended and never changed, several at a time in one *commit*, which returns once the system says that they
//! are on the disk. Nothing is shown before its commit. A record also stores the length that the journal had after the
//! previous commit. So after a crash or a power cut, which may leave anything at all of the last commit, damage at the end
//! can be distinguished from damage elsewhere: if a valid record after a damaged one says that the damaged part was on the
//! disk before, then the file has been changed since, and it is refused, unless its records stand alone: those of a batch after
//! the damage are kept, and the damaged one is computed again. Anything else is what remains of an interrupted
//! commit, and it is cut off. Each checksum covers the one before, so what is read is always the journal as it once was, without
//! damaged records that stand alone: nothing else within it is missing, repeated or in another order.
//!
//! While a process writes a journal it holds the system's lock on it, which ends with the process, however that ends.
//!
//! | journal | of |
//! |---|---|
//! | [`crate::batch`] | many positions |
//! | [`crate::search_journal`] | the search of one position |
//! | `coset_list` of the commands | what is known of many cosets |
//! | `dataset` | the rows of a data set |
//! | `long_search` of the lab | searches by IDA* that take hours |
//!
//! A line is a JSON object with a checksum:
//!
//! ```text
//! {"check":"0123456789abcdef","body":{…}}
//! ```
//!
//! The checksum is the xxh3 hash of the bytes of the body, with a seed. The seed of the head is zero, and the checksum of each
//! line is the seed of the next. So a line is intact only after exactly the lines after which it was written: lines that were
//! lost, repeated, exchanged or taken from another journal are detected.

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

/// The first line of a journal. As JSON it has the version of the format as `journal`, and its kind as `kind`; a batch
/// omits the kind.
pub trait Head: Serialize + DeserializeOwned {
    /// What such a journal is about, in a word.
    const KIND: &'static str;
    /// The version of the format that this program writes and reads.
    const VERSION: u32;
    /// Whether each record means the same without the others, so that a damaged one is left out.
    const RECORDS_STAND_ALONE: bool = false;
    /// The other lines. Each has a field `synced`: how many bytes of the journal were on the disk before.
    type Record: Serialize + DeserializeOwned;

    /// Makes sure that a journal with this head is the expected one. Fails with the first difference.
    fn check_is(&self, expected: &Self, path: &Path) -> Result<(), JournalError>;
}

/// The part of any other line that is the same in all kinds.
#[derive(Deserialize)]
struct Synced {
    synced: u64,
}

/// The least time between two commits.
pub(crate) const COMMIT_INTERVAL: Duration = Duration::from_millis(200);

/// How every line starts.
pub(super) const START: &[u8] = b"{\"check\"";

/// The longest line that is read, in bytes: a record with some five million solutions. A longer one counts as damaged.
const MAX_LINE: usize = 1 << 28;

/// The line with this body, line feed included, and its checksum.
///
/// # Panics
/// If `body` cannot be written as JSON.
pub(super) fn write_line(body: &impl Serialize, seed: u64) -> (Vec<u8>, u64) {
    let body = serde_json::to_string(body).expect("the bodies are plain values");
    let check = xxh3_64_with_seed(body.as_bytes(), seed);
    (format!("{{\"check\":\"{check:016x}\",\"body\":{body}}}\n").into_bytes(), check)
}

/// The checksum that a line states, whether it is right or not, and the rest of the line.
fn split(line: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, rest) = line.strip_prefix(b"{\"check\":\"")?.split_at_checked(16)?;
    // Digits as they are written, and no sign: what is altered at all is damage.
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.as_bytes().iter().all(is_digit))?;
    Some((u64::from_str_radix(digits, 16).ok()?, rest))
}

/// Whether a line, without its line feed, is one of a journal but not as it was written after the line `before`, which is empty for the first.
pub fn is_damaged(line: &[u8], before: &[u8]) -> bool {
    let seed = stated_check(before).unwrap_or_default();
    let body =
        |rest: &[u8]| rest.strip_prefix(b"\",\"body\":")?.strip_suffix(b"}").map(|body| xxh3_64_with_seed(body, seed));
    line.starts_with(START) && split(line).is_none_or(|(check, rest)| body(rest) != Some(check))
}

/// The checksum that a line states, whether it is right or not.
pub(super) fn stated_check(line: &[u8]) -> Option<u64> {
    split(line).map(|(check, _)| check)
}

/// The body of a line and its checksum, if the line is intact.
pub(super) fn read_line<T: DeserializeOwned>(line: &[u8], seed: u64) -> Option<(T, u64)> {
    let (check, rest) = split(line)?;
    let body = rest.strip_prefix(b"\",\"body\":")?.strip_suffix(b"}\n")?;
    let is_intact = xxh3_64_with_seed(body, seed) == check;
    is_intact.then(|| serde_json::from_slice(body).ok())?.map(|body| (body, check))
}

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

/// Reads a line, line feed included, and returns its length in bytes. Of what begins unlike a line of a journal, or is longer than
/// [`MAX_LINE`], only the beginning is stored, without a line feed, so that it is no intact line.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<u64> {
    line.clear();
    let mut length = 0;
    let mut is_stored = true;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            other => other?,
        };
        let end = available.iter().position(|&byte| byte == b'\n').map_or(available.len(), |at| at + 1);
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

/// Reads a journal, which must have the expected head if there is one, and calls `on_record` with each record and its offset.
pub(super) fn scan<H: Head>(
    path: &Path,
    mut input: impl BufRead,
    expected: Option<&H>,
    on_record: &mut dyn FnMut(Offset, H::Record) -> Result<(), JournalError>,
) -> Result<Contents<H>, JournalError> {
    let mut line = Vec::new();
    let beginning = input.fill_buf().map_err(JournalError::io("read", path))?;
    if !beginning.starts_with(&START[..START.len().min(beginning.len())]) {
        return Err(JournalError::NotAJournal { path: path.into(), kind: H::KIND });
    }
    let mut next_line = |line: &mut Vec<u8>| next_line(&mut input, line).map_err(JournalError::io("read", path));
    let mut end = next_line(&mut line)?;
    let (head, mut last_check) = read_head::<H>(path, &line)?;
    expected.map_or(Ok(()), |expected| head.check_is(expected, path))?;
    // The seed of the next line; `None` where damage hides it.
    let mut seed = Some(last_check);
    // The first damaged line: its number and its offset; and the records after it, until one says whether it was on the disk.
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
                on_record(Offset { start: end, seed: last_check }, record)?;
                last_check = check;
            }
            (Some((record, check)), Some((first, offset))) => {
                let synced = seed.and_then(|seed| read_line(&line, seed));
                let was_on_disk = synced.is_some_and(|(Synced { synced }, _)| synced > offset);
                after.push((Offset { start: end, seed: seed.unwrap_or_default() }, record));
                if was_on_disk {
                    if !H::RECORDS_STAND_ALONE {
                        return Err(damaged(path, first, offset));
                    }
                    tracing::warn!(journal = %path.display(), line = first, "damaged, and left out");
                    after.drain(..).try_for_each(|(offset, record)| on_record(offset, record))?;
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

/// A journal that this process may append to.
pub struct Journal<H> {
    path: PathBuf,
    file: File,
    /// The checksum of the last line, pending ones included.
    last_check: u64,
    /// How many bytes are known to be on the disk.
    synced: u64,
    /// The lines of the next commit.
    pending: Vec<u8>,
    head: PhantomData<H>,
}

impl<H: Head> Journal<H> {
    /// Opens a journal, or creates it with this head. The remainder of an interrupted commit is cut off. Calls
    /// `on_record` with each record and its offset. Fails if the system refuses, if another process writes it, if it is
    /// damaged, not a journal, or one with another head, or if `on_record` fails.
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
        let mut journal =
            Journal { path: path.to_owned(), file, last_check, synced: 0, pending: Vec::new(), head: PhantomData::<H> };
        if journal.is_begun(&first_line).map_err(io("read"))? {
            let contents = scan(path, BufReader::new(&journal.file), Some(head), on_record)?;
            journal.last_check = contents.last_check;
            journal.synced = contents.intact;
            if contents.is_torn {
                tracing::info!(journal = %path.display(), "cut off the remainder of an interrupted write");
            }
            // What was read may not be on the disk yet.
            journal.file.set_len(contents.intact).and_then(|()| journal.file.sync_all()).map_err(io("write"))?;
        } else {
            journal.file.set_len(0).map_err(io("write"))?;
            journal.pending.clone_from(&first_line);
            journal.commit()?;
            cosette::sync_folder_of(path).map_err(io("write"))?;
        }
        Ok(journal)
    }

    /// Whether the file holds anything but a part of this first line. A few bytes may be the beginning of anything, so only
    /// an empty file is taken for one that was just created.
    fn is_begun(&mut self, first_line: &[u8]) -> std::io::Result<bool> {
        let mut start = Vec::new();
        (&self.file).take(first_line.len() as u64).read_to_end(&mut start)?;
        self.file.seek(SeekFrom::Start(0))?;
        let is_torn = first_line.starts_with(&start) && start.starts_with(START) && start.len() < first_line.len();
        Ok(!start.is_empty() && !is_torn)
    }

    /// The path of the journal.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a record to the next commit; `record` makes it from the number of bytes that are on the disk.
    pub fn append(&mut self, record: impl FnOnce(u64) -> H::Record) -> Offset {
        let offset = Offset { start: self.synced + self.pending.len() as u64, seed: self.last_check };
        let (line, check) = write_line(&record(self.synced), self.last_check);
        self.pending.extend(line);
        self.last_check = check;
        offset
    }

    /// Writes the appended records, and returns when they are on the disk. Fails if the system refuses. The journal
    /// must not be used any more then; it can be opened again.
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

    /// Reads a record back; `None` if its line has changed. Fails if the system refuses.
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

/// How long a lock is waited for. A process that this one starts shares its locks until it runs its own program, so one
/// that was just released may still be held.
const LOCK_TIMEOUT: Duration = Duration::from_millis(300);

/// Opens or creates the file at `path` and locks it.
fn lock(path: &Path) -> Result<File, JournalError> {
    let io = |verb| JournalError::io(verb, path);
    let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
    let file = options.open(path).map_err(io("open"))?;
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        match cosette::try_lock(&file) {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(LOCK_TIMEOUT / 30),
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(io("lock")(source)),
        }
    }
}

/// Refuses the file that standard output or standard error is written to: answers would overwrite the journal.
fn check_is_not_output(path: &Path, file: &File) -> Result<(), JournalError> {
    let file = file.try_clone().and_then(Handle::from_file).map_err(JournalError::io("open", path))?;
    match [Handle::stdout(), Handle::stderr()].into_iter().flatten().any(|output| output == file) {
        true => Err(JournalError::IsOutput { path: path.to_owned() }),
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
