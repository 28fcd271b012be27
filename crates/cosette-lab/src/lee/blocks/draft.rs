//! A file that is being written, beside its place.

use super::positioned::{read_exact_at, write_all_at};
use super::{BLOCK, Head, PAGE};
use crate::error::{LabError, StoredError};
use cosette::Control;
use rayon::prelude::*;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// A file that is being written. It is locked: two processes never write the same.
pub(in crate::lee) struct Draft {
    path: PathBuf,
    part: PathBuf,
    file: File,
}

impl Draft {
    /// The file that is to become `path`, with what an earlier attempt has left in it.
    ///
    /// # Errors
    /// If another process writes it, or if it cannot be written.
    pub fn open(path: &Path) -> Result<Draft, LabError> {
        let part = beside(path, ".part");
        loop {
            let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&part);
            let file = file.map_err(LabError::io("write", &part))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(StoredError::BeingBuilt { path: path.to_owned() }.into()),
                Err(TryLockError::Error(refused)) => {
                    tracing::warn!(path = %part.display(), %refused, "this folder knows no locks");
                }
            }
            // Whoever held the lock a moment ago may have renamed the file: then this is the finished one.
            if is_still_at(&file, &part) {
                return Ok(Draft { path: path.to_owned(), part, file });
            }
        }
    }

    /// Makes it as long as it is to be.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn set_len(&self, head: &Head) -> Result<(), LabError> {
        self.file.set_len(head.file_size()).map_err(LabError::io("write", &self.part))
    }

    /// Writes into the payload.
    ///
    /// # Errors
    /// If the system refuses, for want of room perhaps.
    pub fn write(&self, head: &Head, bytes: &[u8], at: u64) -> Result<(), LabError> {
        write_all_at(&self.file, bytes, head.payload_start() + at).map_err(LabError::io("write", &self.part))
    }

    /// The checksum of a block as it lies in the file.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn checksum(&self, head: &Head, block: u64, bytes: &mut Vec<u8>) -> Result<u64, LabError> {
        let Range { start, end } = head.block(block);
        bytes.resize((end - start) as usize, 0);
        read_exact_at(&self.file, bytes, head.payload_start() + start).map_err(LabError::io("read", &self.part))?;
        Ok(xxh3_64(bytes))
    }

    /// The checksums of all blocks as they lie in the file.
    ///
    /// # Errors
    /// If the system refuses, or on cancellation.
    pub fn checksums(&self, head: &Head, control: &Control<'_>) -> Result<Vec<u64>, LabError> {
        let sum = |bytes: &mut Vec<u8>, block| {
            if control.is_cancelled() { Err(LabError::Cancelled) } else { self.checksum(head, block, bytes) }
        };
        control.in_pool(|| (0..head.blocks()).into_par_iter().map_init(Vec::new, sum).collect())?
    }

    /// Makes the complete draft the file: the list of checksums and then the header are written, all is brought to disk, and
    /// the draft takes its name.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn finish(self, head: &Head, sums: &[u64]) -> Result<(), LabError> {
        let list = head.list(sums);
        let write = || {
            write_all_at(&self.file, &list, PAGE as u64)?;
            self.file.sync_data()?;
            write_all_at(&self.file, &head.page(&list), 0)?;
            self.file.sync_all()?;
            fs::rename(&self.part, &self.path)?;
            if cfg!(unix) { File::open(folder_of(&self.path))?.sync_all() } else { Ok(()) }
        };
        write().map_err(LabError::io("write", &self.path))
    }

    /// Removes it.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn discard(self) -> Result<(), LabError> {
        fs::remove_file(&self.part).map_err(LabError::io("remove", &self.part))
    }
}

/// Makes sure that there is a folder for the file, and room; what an earlier attempt has written needs no more.
///
/// # Errors
/// If there is not.
pub(in crate::lee) fn check_room(path: &Path, needed: u64) -> Result<(), LabError> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
    let available = fs4::available_space(folder).map_err(LabError::io("ask for room in", folder))?;
    let needed = needed.saturating_sub(bytes_on_disk(&beside(path, ".part")));
    if available < needed {
        return Err(StoredError::TooLittleDisk { path: path.to_owned(), needed, available }.into());
    }
    Ok(())
}

/// Removes the file at `path`, and what is left of an attempt to write it.
///
/// # Errors
/// If the system refuses.
pub(in crate::lee) fn remove(path: &Path) -> Result<(), LabError> {
    for path in [path.to_owned(), beside(path, ".part"), beside(path, ".journal")] {
        match fs::remove_file(&path) {
            Err(refused) if refused.kind() != io::ErrorKind::NotFound => {
                return Err(LabError::io("remove", &path)(refused));
            }
            _ => {}
        }
    }
    Ok(())
}

fn bytes_on_disk(path: &Path) -> u64 {
    #[cfg(unix)]
    return fs::metadata(path).map_or(0, |part| std::os::unix::fs::MetadataExt::blocks(&part) * 512);
    #[cfg(not(unix))]
    return fs::metadata(path).map_or(0, |part| part.len());
}

/// The path with an ending.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether `path` still names this file.
fn is_still_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let [this, that] = [file.metadata(), fs::metadata(path)].map(|metadata| metadata.map(identity).ok());
        this.is_some() && this == that
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

const _: () = assert!(BLOCK.is_multiple_of(9) && BLOCK.is_multiple_of(40));
