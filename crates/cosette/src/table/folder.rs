//! The folder with a user's tables, each in a block file with its name: `htm-190M.table`.

use super::catalog::{TableError, TableId};
use super::generate::{GenerationPlan, Scratch};
use super::line::Line;
use super::pruning_table::{Table, load, verify};
use crate::block_file::{self, BlockFile, FileError, PartialFile, PayloadKind};
use crate::control::{Control, Progress, Threads};
use crate::kernel::Instructions;
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use zerocopy::{FromZeros, IntoBytes};

/// A folder of tables. It need not exist until something is saved there.
#[derive(Clone, Debug)]
pub struct TableFolder {
    pub(super) path: PathBuf,
    /// `true` for the folder that is used if none is named. A table that cannot be saved there is
    /// generated in memory instead.
    pub(super) is_default: bool,
}

/// The state of a table in a folder.
#[derive(Debug)]
pub enum TableFileState {
    /// There is no file.
    Missing,
    /// There is no complete file. Generation was interrupted, and can resume from this progress, or
    /// is still running.
    Partial(Progress),
    /// There is a file, and its header is intact; its entries were not checked.
    Complete,
    /// There is a file that cannot be used.
    Corrupted(TableError),
}

impl TableFolder {
    /// Creates a handle of the folder at this path.
    pub fn new(path: impl Into<PathBuf>) -> TableFolder {
        TableFolder {
            path: path.into(),
            is_default: false,
        }
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a table (a [`TableId`]), whether or not it exists.
    pub fn path_of(&self, table: impl PayloadKind) -> PathBuf {
        self.path.join(format!("{}.table", table.name()))
    }

    /// Returns the state of a table. Reads the header and the list of checksums, not the entries.
    pub fn state(&self, table: impl PayloadKind) -> TableFileState {
        match BlockFile::open(&self.path_of(&table), &table) {
            Ok(_) => TableFileState::Complete,
            Err(FileError::NotFound { .. }) => block_file::progress(&self.path_of(&table), &table)
                .map_or(TableFileState::Missing, TableFileState::Partial),
            Err(fault) => TableFileState::Corrupted(fault.into()),
        }
    }

    /// Returns the checksum of a complete table: the same for all files with the same entries.
    pub fn checksum(&self, table: impl PayloadKind) -> Option<u64> {
        let file = BlockFile::open(&self.path_of(&table), &table).ok()?;
        Some(file.checksum())
    }

    /// Returns the state of each table of the optimal search.
    pub fn list(&self) -> Vec<(TableId, TableFileState)> {
        TableId::all().map(|id| (id, self.state(id))).collect()
    }

    /// Loads a table and checks every block. Progress counts bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the file does not exist, is corrupted or holds another table, if there
    /// is too little memory, or on cancellation.
    pub fn load(&self, id: TableId, control: &Control<'_>) -> Result<Table, TableError> {
        load(id, BlockFile::open(&self.path_of(id), &id)?, control)
    }

    /// Verifies a table without keeping it in memory: all checksums, and the number of entries with
    /// each value, which the header records. Progress counts bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TableFolder::load`].
    pub fn verify(&self, id: TableId, control: &Control<'_>) -> Result<(), TableError> {
        verify(id, BlockFile::open(&self.path_of(id), &id)?, control)
    }

    /// Generates a table into its file, replacing any file there. (Check [`TableFolder::state`]
    /// first to keep a file that is not this table.) Generation that was interrupted, even by a
    /// power cut, resumes where it stopped. The table does not stay in memory. Progress counts
    /// classes of corner paintings, the units in which a table is generated.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk is full, if the folder or the file cannot be written, if
    /// another process is generating it, or on cancellation, which takes effect within a fraction
    /// of a second: [`TableError::Stopped`] then has the progress, which is kept. The first phase,
    /// which takes a second or two, cannot be resumed: if it is cancelled before anything was
    /// generated, the error is [`TableError::Cancelled`].
    pub fn generate(&self, id: TableId, control: &Control<'_>) -> Result<(), TableError> {
        self.generate_file(id, PartialFile::open(&self.path_of(id), &id)?, control)
    }

    /// Generates a table unless its file exists, intact or not. If another process is generating
    /// it, waits for that process and reports its progress; if that process ends before the table
    /// is complete, resumes in its place.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TableFolder::generate`].
    pub fn generate_if_missing(
        &self,
        id: TableId,
        control: &Control<'_>,
    ) -> Result<(), TableError> {
        match block_file::open_if_missing(&self.path_of(id), &id, control)? {
            Some(partial) => self.generate_file(id, partial, control),
            None => Ok(()),
        }
    }

    fn generate_file(
        &self,
        id: TableId,
        partial: PartialFile<'_>,
        control: &Control<'_>,
    ) -> Result<(), TableError> {
        let step = format!("generating {id}");
        let control = &control.step(&step);
        let generated = partial.generate(control, |file, missing| {
            let plan = GenerationPlan::new(
                id,
                Instructions::best(),
                &Threads::of_this_pool(),
                control.cancel_token(),
            );
            let plan = plan.ok_or(TableError::Cancelled)?;
            let buffers = || {
                (
                    Scratch::new(id),
                    vec![Line::new_zeroed(); id.size.lines_per_class()],
                )
            };
            missing
                .par_iter()
                .try_for_each_init(buffers, |(scratch, lines), &class| {
                    if control.is_cancelled() {
                        return Err(TableError::Cancelled);
                    }
                    let counts = plan.generate_class(class as u32, scratch, lines);
                    Ok(file.write(class, lines.as_bytes(), counts)?)
                })
        });
        match (generated, block_file::progress(&self.path_of(id), &id)) {
            (Err(TableError::Cancelled), Some(progress)) => Err(TableError::Stopped {
                id,
                folder: Some(self.path().to_owned()),
                progress,
            }),
            (generated, _) => generated,
        }
    }

    /// Saves a table, replacing any file there.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk is full, if the folder or the file cannot be written, if
    /// another process is generating it, or on cancellation.
    pub fn save(&self, table: &Table, control: &Control<'_>) -> Result<(), TableError> {
        let file = PartialFile::open(&self.path_of(table.id), &table.id)?;
        Ok(file.save(&table.memory, &table.distribution, control)?)
    }

    /// Checks that a table could be saved: that the folder exists or can be created, that it can be
    /// written to, and that the disk has room. Call it before a table is generated.
    ///
    /// # Errors
    ///
    /// Returns an error if the table could not be saved.
    pub fn check_room(&self, table: impl PayloadKind) -> Result<(), TableError> {
        Ok(block_file::check_room(&self.path_of(&table), &table)?)
    }

    /// Removes the file of a table, intact or not, and the remains of an interrupted generation.
    ///
    /// # Errors
    ///
    /// Returns an error if there is neither a file nor remains, if they cannot be removed, or if
    /// the table is being generated.
    pub fn remove(&self, table: impl PayloadKind) -> Result<(), TableError> {
        Ok(block_file::remove(&self.path_of(table))?)
    }
}
