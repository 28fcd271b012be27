//! The partial file of a table, and the journal beside it.
//!
//! The journal is locked as long as the table is being filled: two processes never write to one partial file.

use super::super::TableError;
use super::TableFile;
use super::generation::TOTAL;
use super::journal::records;
use crate::control::Progress;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Where the partial file of a table is, and its journal.
pub(crate) struct PartPaths {
    table: PathBuf,
    pub(super) part: PathBuf,
    pub(super) journal: PathBuf,
}

impl PartPaths {
    /// Those of the table at `table`.
    pub fn of(table: &Path) -> PartPaths {
        let beside = |ending| {
            let mut name = table.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        PartPaths { table: table.to_owned(), part: beside(".part"), journal: beside(".journal") }
    }

    /// How much of the table is filled, by its journal; nothing if that is not even begun.
    pub fn generated(&self, table: &dyn TableFile) -> Option<Progress> {
        let records = records(&mut File::open(&self.journal).ok()?, table).ok()??;
        let done = records.iter().flatten().count() as u64;
        (done > 0 && self.part.exists()).then_some(Progress { done, total: TOTAL })
    }

    /// How much of the disk the partial file takes already.
    pub fn bytes_on_disk(&self) -> u64 {
        #[cfg(unix)]
        return fs::metadata(&self.part).map_or(0, |part| std::os::unix::fs::MetadataExt::blocks(&part) * 512);
        #[cfg(not(unix))]
        return fs::metadata(&self.part).map_or(0, |part| part.len());
    }

    /// Removes both, and says whether there was one.
    ///
    /// # Errors
    /// If the table is being filled, or if they cannot be removed.
    pub fn remove(&self) -> Result<bool, TableError> {
        let lock = match OpenOptions::new().write(true).open(&self.journal) {
            Ok(journal) => Some(self.lock(journal)?),
            Err(_) => None,
        };
        let removed = self.remove_files();
        drop(lock);
        removed
    }

    pub(super) fn remove_files(&self) -> Result<bool, TableError> {
        let mut removed = false;
        for path in [&self.part, &self.journal] {
            match fs::remove_file(path) {
                Ok(()) => removed = true,
                Err(refused) if refused.kind() == io::ErrorKind::NotFound => {}
                Err(refused) => return Err(TableError::io("remove", path)(refused)),
            }
        }
        Ok(removed)
    }

    /// Opens the journal, locked.
    pub(super) fn open_journal(&self) -> Result<File, TableError> {
        loop {
            let journal = open_to_write(&self.journal).map_err(TableError::io("write", &self.journal))?;
            let journal = self.lock(journal)?;
            // Whoever held the lock a moment ago may have removed the file: then the lock is worth nothing.
            if is_still_at(&journal, &self.journal) {
                return Ok(journal);
            }
        }
    }

    fn lock(&self, journal: File) -> Result<File, TableError> {
        match journal.try_lock() {
            Ok(()) => Ok(journal),
            Err(TryLockError::WouldBlock) => Err(TableError::BeingGenerated { path: self.table.clone() }),
            Err(TryLockError::Error(refused)) => {
                tracing::warn!(path = %self.journal.display(), %refused, "this folder knows no locks");
                Ok(journal)
            }
        }
    }
}

pub(super) fn open_to_write(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
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
