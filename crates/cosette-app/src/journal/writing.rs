//! Writing a journal.

use super::error::JournalError;
use super::line::{Head, START, read_line, write_line};
use super::reading::{Offset, check_is_file, scan};
use same_file::Handle;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

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
            sync_folder(path).map_err(io("write"))?;
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
            BufReader::new(file).read_until(b'\n', &mut line)?;
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

/// Returns when the directory entry of a new file is on the disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Other systems cannot sync a directory.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}
