//! The folder with a user's tables, each in a block file with its name: `htm-190M.table`.

use super::catalogue::{TableError, TableId};
use super::generate::{Plan, Scratch};
use super::line::Line;
use super::pruning_table::{Table, load, verify};
use crate::block_file::{self, BlockFile, Contents, FileError, PartialFile};
use crate::control::{Control, Progress, Threads};
use crate::kernel::Instructions;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use zerocopy::{FromZeros, IntoBytes};

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
    /// There is no complete file, but generation was interrupted and will continue from here. It may also be running
    /// now.
    Partly(Progress),
    /// There is a file, and its header is sound; its entries have not been read.
    Yes,
    /// There is a file that cannot be used.
    Faulty(TableError),
}

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
    pub fn path_of(&self, table: impl Contents) -> PathBuf {
        self.path.join(format!("{}.table", table.name()))
    }

    /// The state of this table. Reads the header and the list of checksums, not the entries.
    pub fn state(&self, table: impl Contents) -> OnDisk {
        match BlockFile::open(&self.path_of(&table), &table) {
            Ok(_) => OnDisk::Yes,
            Err(FileError::NotFound { .. }) => {
                block_file::progress(&self.path_of(&table), &table).map_or(OnDisk::No, OnDisk::Partly)
            }
            Err(fault) => OnDisk::Faulty(fault.into()),
        }
    }

    /// The state of each table of the optimal search.
    pub fn list(&self) -> Vec<(TableId, OnDisk)> {
        TableId::all().map(|id| (id, self.state(id))).collect()
    }

    /// Loads a table and checks every block. Progress counts bytes. Fails if there is no such file, if it is damaged or
    /// holds another table, if there is too little memory, or on cancellation.
    pub fn load(&self, id: TableId, control: &Control<'_>) -> Result<Table, TableError> {
        load(id, BlockFile::open(&self.path_of(id), &id)?, control)
    }

    /// Checks a table completely, without keeping it in memory: all checksums, and that its entries are as many as its
    /// header says. Progress counts bytes. Fails as [`TableFolder::load`] does.
    pub fn verify(&self, id: TableId, control: &Control<'_>) -> Result<(), TableError> {
        verify(id, BlockFile::open(&self.path_of(id), &id)?, control)
    }

    /// Generates a table into its file, replacing whatever is there (to keep what is not this table, look at
    /// [`TableFolder::state`] first). Generation that was interrupted, even by a power
    /// cut, continues where it stopped. The table is not kept in memory. Progress counts classes of corner paintings.
    /// Fails if there is no room, if the folder or the file cannot be written, if another process is generating it, or
    /// on cancellation, which takes effect within a fraction of a second: [`TableError::Stopped`] says how much is
    /// kept.
    pub fn generate(&self, id: TableId, control: &Control<'_>) -> Result<(), TableError> {
        self.generate_file(id, PartialFile::open(&self.path_of(id), &id)?, control)
    }

    /// Generates a table unless there is a file of it, sound or not. If another process is generating it, waits for that
    /// process and reports its progress; if that process ends before the table is complete, continues in its place. Fails
    /// as [`TableFolder::generate`] does.
    pub fn generate_if_missing(&self, id: TableId, control: &Control<'_>) -> Result<(), TableError> {
        match block_file::open_if_missing(&self.path_of(id), &id, control)? {
            Some(partial) => self.generate_file(id, partial, control),
            None => Ok(()),
        }
    }

    fn generate_file(&self, id: TableId, partial: PartialFile<'_>, control: &Control<'_>) -> Result<(), TableError> {
        let step = format!("generating {id}");
        let control = &control.step(&step);
        let generated = partial.generate(control, |file, missing| {
            let plan = Plan::new(id, Instructions::best(), &Threads::of_this_pool(), control.cancel());
            let plan = plan.ok_or(TableError::Cancelled)?;
            let buffers = || (Scratch::new(id), vec![Line::new_zeroed(); id.size.lines_per_class()]);
            missing.par_iter().try_for_each_init(buffers, |(scratch, lines), &class| {
                if control.is_cancelled() {
                    return Err(TableError::Cancelled);
                }
                let counts = plan.generate_class(class as u32, scratch, lines);
                Ok(file.write(class, lines.as_bytes(), counts)?)
            })
        });
        match (generated, block_file::progress(&self.path_of(id), &id)) {
            (Err(TableError::Cancelled), Some(kept)) => {
                Err(TableError::Stopped { id, folder: Some(self.path().to_owned()), kept })
            }
            (generated, _) => generated,
        }
    }

    /// Saves a table, replacing whatever is there. Fails if there is no room, if the folder or the file cannot be written, if
    /// another process is generating it, or on cancellation.
    pub fn save(&self, table: &Table, control: &Control<'_>) -> Result<(), TableError> {
        let file = PartialFile::open(&self.path_of(table.id), &table.id)?;
        Ok(file.save(&table.memory, &table.distribution, control)?)
    }

    /// Makes sure that a table could be saved: that the folder exists or can be created, that it can be written to, and
    /// that the disk has room. Call it before a table is generated. Fails if it could not be saved.
    pub fn check_room(&self, table: impl Contents) -> Result<(), TableError> {
        Ok(block_file::check_room(&self.path_of(&table), &table)?)
    }

    /// Removes the file of a table, sound or not, and what an interrupted generation left. Fails if there is neither,
    /// if it cannot be removed, or if the table is being generated.
    pub fn remove(&self, table: impl Contents) -> Result<(), TableError> {
        Ok(block_file::remove(&self.path_of(table))?)
    }
}
