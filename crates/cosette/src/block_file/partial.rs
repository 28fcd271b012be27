//! The partial file that becomes the file once it is complete, and the journal next to it; and a file that is saved at once.
//!
//! The journal is locked while the partial file is written, so that no two processes write to it.

use super::disk::{
    bytes_on_disk, folder_of, is_still_at, open_to_write, read_exact_at, sync_folder, while_syncing, write_all_at,
};
use super::header::Layout;
use super::writing::{write_head, write_payload};
use super::{Contents, Facts, FileError, PIECE, file_size};
use crate::control::Control;
use crate::platform::try_lock;
use rayon::prelude::*;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3Default;

/// A file that is being written next to its final path, in any order and by any threads.
pub struct PartialFile<'a> {
    contents: &'a dyn Contents,
    layout: Layout,
    paths: Paths,
    file: File,
    journal: File,
}

impl PartialFile<'_> {
    /// Opens the partial file of `path`, with what an earlier attempt has left in it. Fails if there is no room
    /// ([`check_room`]), if another process writes it, or if it cannot be written.
    pub fn open<'a>(path: &Path, contents: &'a dyn Contents) -> Result<PartialFile<'a>, FileError> {
        check_room(path, contents)?;
        let (paths, layout) = (Paths::of(path), Layout::of(contents));
        let journal = paths.open_journal()?;
        let file = open_to_write(&paths.part).map_err(FileError::io("write", &paths.part))?;
        file.set_len(layout.file_size()).map_err(FileError::io("write", &paths.part))?;
        Ok(PartialFile { contents, layout, paths, file, journal })
    }

    /// Writes into the payload at an offset. Fails if the system refuses, for example because the disk is full.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> Result<(), FileError> {
        let offset = self.layout.payload_start() + offset;
        write_all_at(&self.file, bytes, offset).map_err(FileError::io("write", &self.paths.part))
    }

    /// Completes the file, with `bytes` bytes of payload. They are read again for their checksums, with the threads of
    /// `control`; progress is not reported. Fails if the system refuses, or on cancellation. Nothing is left of it
    /// then.
    pub fn finish(mut self, bytes: u64, control: &Control<'_>) -> Result<(), FileError> {
        self.layout.bytes = bytes;
        self.file.set_len(self.layout.file_size()).map_err(FileError::io("write", &self.paths.part))?;
        let sum = |block| if control.is_cancelled() { Err(FileError::Cancelled) } else { self.checksum(block) };
        let blocks = (0..self.layout.blocks()).into_par_iter();
        let sums =
            control.in_pool(|| blocks.map(sum).collect::<Result<Vec<u64>, _>>()).map_err(FileError::from).flatten();
        let finished = sums.and_then(|sums| self.complete(&Facts::default(), &sums));
        if finished.is_err() {
            self.discard()?;
        }
        finished
    }

    /// Removes it. Fails if the system refuses.
    pub fn discard(self) -> Result<(), FileError> {
        self.paths.remove_files().map(drop)
    }

    /// Writes the header and gives the file its name.
    pub(super) fn complete(&self, facts: &Facts, sums: &[u64]) -> Result<(), FileError> {
        let Paths { path, part, .. } = &self.paths;
        write_head(&self.file, self.contents, &self.layout, facts, sums).map_err(FileError::io("write", part))?;
        fs::rename(part, path).map_err(FileError::io("write", path))?;
        sync_folder(folder_of(path)).map_err(FileError::io("write", path))?;
        self.paths.remove_files().map(drop)
    }

    pub(super) fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), FileError> {
        let offset = self.layout.payload_start() + offset;
        read_exact_at(&self.file, bytes, offset).map_err(FileError::io("read", &self.paths.part))
    }

    /// The checksum of a block as it is in the file.
    pub(super) fn checksum(&self, block: usize) -> Result<u64, FileError> {
        let (mut checksum, mut piece, block) = (Xxh3Default::new(), vec![0; PIECE], self.layout.block(block));
        for start in block.clone().step_by(PIECE) {
            let piece = &mut piece[..PIECE.min((block.end - start) as usize)];
            self.read_exact_at(piece, start)?;
            checksum.update(piece);
        }
        Ok(checksum.digest())
    }

    /// Does `work` while another thread syncs the partial file and the journal.
    pub(super) fn while_syncing<T>(&self, work: impl FnOnce() -> T) -> (T, Result<(), FileError>) {
        let (result, synced) = while_syncing(&[&self.file, &self.journal], work);
        (result, synced.map_err(FileError::io("write", &self.paths.part)))
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn contents(&self) -> &dyn Contents {
        self.contents
    }

    pub(super) fn with_journal<T>(&self, work: impl FnOnce(&File) -> io::Result<T>) -> Result<T, FileError> {
        work(&self.journal).map_err(FileError::io("write", &self.paths.journal))
    }
}

/// Makes sure that the file can be written: that its folder is there or can be made, that it can be written to, and
/// that the disk has room. What an interrupted generation has written already is not counted again. Fails if it cannot.
pub fn check_room(path: &Path, contents: &dyn Contents) -> Result<(), FileError> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(FileError::io("create the folder", folder))?;
    tempfile::tempfile_in(folder).map_err(FileError::io("write to the folder", folder))?;
    let available = fs4::available_space(folder).map_err(FileError::io("ask for room in", folder))?;
    let needed = file_size(contents).saturating_sub(bytes_on_disk(&Paths::of(path).part));
    if available < needed {
        return Err(FileError::TooLittleDisk { path: path.to_owned(), needed, available });
    }
    Ok(())
}

/// Removes the file at `path`, sound or not, and what interrupted generation has left. Fails if there is neither, if it
/// cannot be removed, or if it is being generated.
pub fn remove(path: &Path) -> Result<(), FileError> {
    let paths = Paths::of(path);
    let lock = match OpenOptions::new().write(true).open(&paths.journal) {
        Ok(journal) => Some(paths.lock(journal)?),
        Err(_) => None,
    };
    let was_partial = paths.remove_files();
    drop(lock);
    match (was_partial?, fs::remove_file(path).map_err(FileError::io("remove", path))) {
        (true, Err(FileError::NothingToRemove { .. })) => Ok(()),
        (_, result) => result,
    }
}

/// The path of a file, and those of the files next to it while it is being written.
pub(super) struct Paths {
    path: PathBuf,
    pub part: PathBuf,
    pub journal: PathBuf,
}

impl Paths {
    pub fn of(path: &Path) -> Paths {
        let with_ending = |ending| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        Paths { path: path.to_owned(), part: with_ending(".part"), journal: with_ending(".journal") }
    }

    /// Removes partial file and journal, and says whether there was one.
    fn remove_files(&self) -> Result<bool, FileError> {
        let mut removed = false;
        for path in [&self.part, &self.journal] {
            match fs::remove_file(path) {
                Ok(()) => removed = true,
                Err(refused) if refused.kind() == io::ErrorKind::NotFound => {}
                Err(refused) => return Err(FileError::io("remove", path)(refused)),
            }
        }
        Ok(removed)
    }

    /// Opens the journal, locked.
    fn open_journal(&self) -> Result<File, FileError> {
        loop {
            let journal = open_to_write(&self.journal).map_err(FileError::io("write", &self.journal))?;
            let journal = self.lock(journal)?;
            // If the previous holder of the lock has just removed the file, this lock protects nothing.
            if is_still_at(&journal, &self.journal) {
                return Ok(journal);
            }
        }
    }

    fn lock(&self, journal: File) -> Result<File, FileError> {
        match try_lock(&journal) {
            Ok(()) => Ok(journal),
            Err(TryLockError::WouldBlock) => Err(FileError::BeingGenerated { path: self.path.clone() }),
            Err(TryLockError::Error(refused)) => {
                tracing::warn!(path = %self.journal.display(), %refused, "this folder does not support locks");
                Ok(journal)
            }
        }
    }
}

/// How the name of a temporary file ends.
pub(crate) const TEMPORARY: &str = ".partial";

/// Writes a payload to a file, which appears at `path` once it is complete, or never, with the threads of `control`.
/// Progress counts bytes. Fails if the file cannot be written, or on cancellation. Nothing is left behind. Panics if
/// the payload does not have as many bytes as its contents say, or if their name is too long.
pub fn save(
    path: &Path,
    contents: &dyn Contents,
    payload: &[u8],
    facts: &Facts,
    control: &Control<'_>,
) -> Result<(), FileError> {
    assert_eq!(payload.len() as u64, contents.bytes(), "the payload has as many bytes as its contents say");
    let temporary = temporary_file(path)?;
    let (file, layout) = (temporary.as_file(), Layout::of(contents));
    let (written, synced) = while_syncing(&[file], || write_payload(file, path, &layout, payload, control));
    let sums = written?;
    synced.map_err(FileError::io("write", path))?;
    write_head(file, contents, &layout, facts, &sums).map_err(FileError::io("write", path))?;
    temporary.persist(path).map_err(|refused| FileError::io("write", path)(refused.error))?;
    sync_folder(folder_of(path)).map_err(FileError::io("write", path))
}

/// A file next to `path` that is removed when it is dropped.
fn temporary_file(path: &Path) -> Result<tempfile::NamedTempFile, FileError> {
    let mut builder = tempfile::Builder::new();
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    builder.prefix(&name).suffix(TEMPORARY);
    // Others may read the file, as the user's mask allows: temporary files are otherwise private.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder_of(path)).map_err(FileError::io("write", path))
}
