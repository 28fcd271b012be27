//! A journal that this process writes.

use super::seal::{seal, unseal};
use super::{Head, JournalError, reading};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// A journal that this process may append to.
pub struct Log<H> {
    path: PathBuf,
    file: File,
    /// The checksum of the head.
    seed: u64,
    /// How many bytes are on the disk.
    synced: u64,
    /// The lines of the next commit.
    pending: Vec<u8>,
    head: PhantomData<H>,
}

/// Where a record begins in a journal, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(pub(super) u64);

impl<H: Head> Log<H> {
    /// Opens a journal, or begins it with this head where there is none. Whatever a crash has left at its end is cut off.
    /// Calls `on_record` with each record and its place; the first is line 2.
    ///
    /// # Errors
    /// If the system refuses, if another process writes it, if it is damaged, no journal, or one with another head, or if
    /// `on_record` fails.
    pub fn open(
        path: &Path,
        head: &H,
        on_record: &mut dyn FnMut(Place, H::Record) -> Result<(), JournalError>,
    ) -> Result<Log<H>, JournalError> {
        let io = |verb| JournalError::io(verb, path);
        let file = lock(path)?;
        let first_line = seal(head, 0);
        let mut log =
            Log { path: path.to_owned(), file, seed: 0, synced: 0, pending: Vec::new(), head: PhantomData::<H> };
        if log.is_begun(&first_line).map_err(io("read"))? {
            let contents = reading::scan(path, BufReader::new(&log.file), Some(head), on_record)?;
            log.seed = contents.seed;
            log.synced = contents.whole;
            if contents.is_torn {
                tracing::info!(journal = %path.display(), "cut off what an interrupted write has left");
            }
            // What is read may not have been on the disk yet.
            log.file.set_len(contents.whole).and_then(|()| log.file.sync_all()).map_err(io("write"))?;
        } else {
            log.file.set_len(0).map_err(io("write"))?;
            log.pending.clone_from(&first_line);
            log.commit()?;
            log.seed = unseal::<H>(&first_line, 0).expect("it was sealed just now").1;
            sync_folder(path).map_err(io("write"))?;
        }
        Ok(log)
    }

    /// Whether there is more in the file than a part of this first line.
    fn is_begun(&mut self, first_line: &[u8]) -> std::io::Result<bool> {
        let mut start = Vec::new();
        (&self.file).take(first_line.len() as u64).read_to_end(&mut start)?;
        self.file.seek(SeekFrom::Start(0))?;
        Ok(start.len() == first_line.len() || !first_line.starts_with(&start))
    }

    /// Where the journal is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a record to the next commit; `record` makes it of the number of bytes that are on the disk.
    pub fn append(&mut self, record: impl FnOnce(u64) -> H::Record) -> Place {
        let place = Place(self.synced + self.pending.len() as u64);
        self.pending.extend(seal(&record(self.synced), self.seed));
        place
    }

    /// Writes all that was appended, and returns when it is on the disk.
    ///
    /// # Errors
    /// If the system refuses. The journal is not to be used any more then; opened again, it is whole.
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

    /// Reads a record back; none where its line has changed.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn read_back(&self, place: Place) -> Result<Option<H::Record>, JournalError> {
        let line = || {
            let mut file = &self.file;
            file.seek(SeekFrom::Start(place.0))?;
            let mut line = Vec::new();
            BufReader::new(file).read_until(b'\n', &mut line)?;
            Ok(line)
        };
        let line = line().map_err(JournalError::io("read", &self.path))?;
        Ok(unseal(&line, self.seed).map(|(record, _)| record))
    }
}

/// The file at `path`, there or new, with the system's lock on it.
fn lock(path: &Path) -> Result<File, JournalError> {
    let io = |verb| JournalError::io(verb, path);
    let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
    let file = options.open(path).map_err(io("open"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked { path: path.to_owned() }),
        Err(TryLockError::Error(source)) => Err(io("lock")(source)),
    }
}

/// Returns when the name of a new file is on the disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Elsewhere a folder cannot be synced.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}
