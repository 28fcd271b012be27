//! The folder that keeps a user's tables, each in the file that has its name: `htm-240M.table`.

use super::file::PartPaths;
use super::{Distribution, Table, TableError, TableFile, TableId, TableMemory, file};
use crate::progress::{Cancel, OnProgress, Progress};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder of tables. It need not exist until something is saved there.
#[derive(Clone, Debug)]
pub struct TableFolder {
    path: PathBuf,
}

/// What a folder holds of a table.
#[derive(Debug)]
pub enum OnDisk {
    /// There is no file.
    No,
    /// There is none yet, but a filling was interrupted and will go on from here. It may also be under way.
    Partly(Progress),
    /// There is a file, and its header is sound; its entries have not been read.
    Yes,
    /// There is a file that cannot be used.
    Faulty(TableError),
}

/// After this long without being written to, a temporary file belongs to nobody.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

impl TableFolder {
    /// The folder at this path.
    pub fn new(path: impl Into<PathBuf>) -> TableFolder {
        TableFolder { path: path.into() }
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the table is, or would be.
    pub fn path_of(&self, table: impl TableFile) -> PathBuf {
        self.path.join(format!("{}.table", table.name()))
    }

    /// What there is of this table. Reads the header and the list of checksums, not the entries.
    pub fn state(&self, table: impl TableFile) -> OnDisk {
        match file::check(&self.path_of(&table), &table) {
            Ok(()) => OnDisk::Yes,
            Err(TableError::NotFound { .. }) => self.part_of(&table).filled(&table).map_or(OnDisk::No, OnDisk::Partly),
            Err(fault) => OnDisk::Faulty(fault),
        }
    }

    /// What there is of each table of the fast engine.
    pub fn list(&self) -> Vec<(TableId, OnDisk)> {
        TableId::all().map(|id| (id, self.state(id))).collect()
    }

    /// Loads a table and checks every block, as [`Table::load`] does.
    ///
    /// # Errors
    /// As for [`Table::load`].
    pub fn load(
        &self,
        id: TableId,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<Table, TableError> {
        Table::load(&self.path_of(id), id, threads, on_progress, cancel)
    }

    /// Checks a table completely, as [`Table::verify`] does.
    ///
    /// # Errors
    /// As for [`Table::verify`].
    pub fn verify(
        &self,
        id: TableId,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<(), TableError> {
        Table::verify(&self.path_of(id), id, threads, on_progress, cancel)
    }

    /// Fills a table into its file, replacing one that is there. A filling that was interrupted, even by a power cut, goes
    /// on where it stopped. The table is not kept in memory. Progress counts classes of corner paintings.
    ///
    /// # Errors
    /// If there is no room, if the folder or the file cannot be written, if another process is filling this table, or on
    /// cancellation, which is heeded within a fraction of a second: [`TableError::Stopped`] says how much is kept.
    pub fn fill(
        &self,
        id: TableId,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<(), TableError> {
        self.check_room(id)?;
        file::fill(&self.path_of(id), id, threads, on_progress, cancel)
    }

    /// Saves a table, replacing the one there, and sweeps what interrupted saves may have left long ago.
    ///
    /// # Errors
    /// If there is no room, if the folder or the file cannot be written, or on cancellation.
    pub fn save(
        &self,
        table: &Table,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<(), TableError> {
        self.save_packed(table.id, (&table.memory, &table.distribution), threads, on_progress, cancel)
    }

    /// Loads a packed table and checks every block: its entries and its distribution. Progress counts bytes.
    ///
    /// # Errors
    /// As for [`Table::load`].
    pub fn load_packed(
        &self,
        table: impl TableFile,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<(TableMemory, Distribution), TableError> {
        file::load(&self.path_of(&table), &table, TableMemory::zeroed, threads, on_progress, cancel)
    }

    /// Checks all of the file of a packed table, which is not kept in memory. Progress counts bytes.
    ///
    /// # Errors
    /// As for [`Table::load`].
    pub fn verify_packed(
        &self,
        table: impl TableFile,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<(), TableError> {
        file::verify(&self.path_of(&table), &table, |_| [0; 4], threads, on_progress, cancel).map(drop)
    }

    /// Saves a packed table, as [`TableFolder::save`] does.
    ///
    /// # Errors
    /// As for [`TableFolder::save`].
    ///
    /// # Panics
    /// If there are not as many entries as the table has bytes, or if its name is too long.
    pub fn save_packed(
        &self,
        table: impl TableFile,
        (entries, distribution): (&[u8], &Distribution),
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<(), TableError> {
        assert_eq!(entries.len() as u64, table.bytes(), "the table has as many bytes as it says");
        self.sweep();
        self.check_room(&table)?;
        file::save(&self.path_of(&table), &table, entries, distribution, threads, on_progress, cancel)
    }

    /// Makes sure that a table could be saved: that the folder is there or can be made, that it can be written to, and
    /// that the disk has room. To be asked before a table is filled.
    ///
    /// # Errors
    /// If it could not be saved.
    pub fn check_room(&self, table: impl TableFile) -> Result<(), TableError> {
        fs::create_dir_all(&self.path).map_err(TableError::io("create the folder", &self.path))?;
        tempfile::tempfile_in(&self.path).map_err(TableError::io("write to the folder", &self.path))?;
        let available = fs4::available_space(&self.path).map_err(TableError::io("ask for room in", &self.path))?;
        // What an interrupted filling has written already needs no more room.
        let needed = file::file_size(&table).saturating_sub(self.part_of(&table).bytes_on_disk());
        if available < needed {
            return Err(TableError::TooLittleDisk { folder: self.path.clone(), needed, available });
        }
        Ok(())
    }

    /// Removes the file of a table, sound or not, and what an interrupted filling has left.
    ///
    /// # Errors
    /// If there is neither, if it cannot be removed, or if the table is being filled.
    pub fn remove(&self, table: impl TableFile) -> Result<(), TableError> {
        let was_partly_filled = self.part_of(&table).remove()?;
        let path = self.path_of(&table);
        match fs::remove_file(&path).map_err(TableError::io("remove", &path)) {
            Err(TableError::NotFound { .. }) if was_partly_filled => Ok(()),
            result => result,
        }
    }

    fn part_of(&self, table: impl TableFile) -> PartPaths {
        PartPaths::of(&self.path_of(table))
    }

    /// Removes stale temporary files of tables. What cannot be removed does no harm and is left.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_ours = name.ends_with(file::TEMPORARY) && name.contains(".table.");
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let is_stale = modified.is_ok_and(|then| then.elapsed().is_ok_and(|age| age > STALE));
            if is_ours && is_stale && fs::remove_file(entry.path()).is_ok() {
                tracing::info!(path = %entry.path().display(), "removed what an interrupted save left");
            }
        }
    }
}
