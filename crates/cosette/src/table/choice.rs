//! The choice of a table to solve with, and of its folder.
//!
//! A table that the caller names is used, and generated if it is not on disk. Otherwise the largest
//! table on disk that fits in memory is used; if there is none, a small one is generated, in
//! seconds.

use super::catalog::{TableError, TableId, TableSize, UnknownTable, rounded_down, rounded_up};
use super::folder::TableFolder;
use super::pruning_table::Table;
use crate::control::{Control, ThreadCount, ThreadCountError};
use crate::cube::Metric;
use crate::platform::available_memory;
use crate::remedy::Remedy;

/// The table that is generated if none is on disk. Generating it takes a few seconds, and so does
/// solving a random position with it.
pub const DEFAULT_TABLE: TableSize = TableSize::ALL[3]; // 190M

/// The largest recommended table. Larger ones take minutes to generate.
const RECOMMENDED: TableSize = TableSize::ALL[6]; // 1.5G

/// Memory of a process in addition to its table, in bytes: the tables of the two-phase search, and
/// the buffers of generation.
const OWN_NEEDS: u64 = 64_000_000;
/// Memory of each thread of a process.
const NEEDS_OF_A_THREAD: u64 = 4_000_000;

/// The memory that a table may use.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// The free memory of the machine for a table, in bytes.
    pub available: u64,
    /// The maximum that the user allows, in bytes.
    pub allowed: Option<u64>,
}

impl MemoryLimit {
    /// Returns the current limit. `available` is the free memory of this machine, minus what a
    /// process with all threads needs besides its table; `allowed` is the maximum that the user
    /// set.
    pub fn now(allowed: Option<u64>) -> MemoryLimit {
        let threads = ThreadCount::available().get() as u64;
        let own = OWN_NEEDS + NEEDS_OF_A_THREAD * threads;
        MemoryLimit {
            available: available_memory().saturating_sub(own),
            allowed,
        }
    }

    /// Returns `true` if a table of this size fits.
    pub fn fits(self, size: TableSize) -> bool {
        size.bytes() <= self.available.min(self.allowed.unwrap_or(u64::MAX))
    }

    fn check(self, id: TableId) -> Result<(), OpenError> {
        let needed = id.size.bytes();
        let available = self.available;
        match self.allowed {
            Some(allowed) if needed > allowed => Err(OpenError::MemoryNotAllowed { id, allowed }),
            _ if needed > available => {
                Err(TableError::TooLittleMemory { needed, available }.into())
            }
            _ => Ok(()),
        }
    }
}

/// An error while opening a table to solve with.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum OpenError {
    /// The table could not be generated, stored or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The name of the table is unknown.
    #[error(transparent)]
    UnknownTable(#[from] UnknownTable),
    /// The table exceeds the memory that the user allows.
    #[error(
        "the table {id} needs {} of memory, but only {} are allowed",
        rounded_up(id.size.bytes()),
        allowed_text(*allowed),
    )]
    MemoryNotAllowed { id: TableId, allowed: u64 },
    /// The named table is for another metric.
    #[error("the table {table} is not for the metric {metric}; use {metric}-{}", table.size)]
    OtherMetric { table: TableId, metric: Metric },
    /// The number of threads is invalid.
    #[error(transparent)]
    Threads(#[from] ThreadCountError),
    /// No folder for tables is known.
    #[error("this system has no cache folder")]
    NoFolder,
}

/// Formats an allowed size in bytes: those below a megabyte are probably a mistake.
fn allowed_text(bytes: u64) -> String {
    match bytes {
        ..1_000_000 => format!("{bytes} bytes"),
        _ => rounded_down(bytes),
    }
}

impl OpenError {
    /// Returns a remedy; `None` if there is nothing to suggest.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            OpenError::Table(error) => error.remedy(),
            OpenError::MemoryNotAllowed { id, .. } if id.size == TableSize::ALL[0] => {
                Some(Remedy::AllowEnoughMemory)
            }
            OpenError::MemoryNotAllowed { .. } => Some(Remedy::AllowMoreMemory),
            OpenError::Threads(ThreadCountError::TooMany { .. }) => Some(Remedy::UseFewerThreads),
            OpenError::NoFolder => Some(Remedy::NameFolder),
            OpenError::Threads(_) | OpenError::UnknownTable(_) | OpenError::OtherMetric { .. } => {
                None
            }
        }
    }

    /// Returns `true` if the file at the path of a table is not that table
    /// ([`TableError::is_other_file`]).
    pub fn is_other_file(&self) -> bool {
        matches!(self, OpenError::Table(error) if error.is_other_file())
    }

    /// Returns `true` if the work was cancelled or timed out.
    pub fn is_cancellation(&self) -> bool {
        matches!(self, OpenError::Table(error) if error.is_cancellation())
    }
}

/// A table to solve with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSelection {
    /// The table.
    pub id: TableId,
    /// `true` if its file exists. Otherwise the table has to be generated.
    pub is_on_disk: bool,
    /// A larger table that would be faster; `None` if this one was named by the caller or is on
    /// disk.
    pub better: Option<TableId>,
    /// `true` if a smaller table on disk may replace this one if its file is corrupted, because the
    /// caller did not name this one.
    pub or_smaller: bool,
}

/// Chooses the named table, or the best one for the metric.
///
/// A corrupted table on disk may be chosen, because corruption is detected only on loading.
/// [`TableFolder::open`] then loads the next smaller table and reports the reason, because searches
/// take twice as long with a smaller table.
///
/// # Errors
///
/// Returns an error if the table does not fit in memory.
pub fn choose(
    folder: &TableFolder,
    metric: Metric,
    named: Option<TableId>,
    memory: MemoryLimit,
) -> Result<TableSelection, OpenError> {
    let is_on_disk = |id| folder.path_of(id).exists();
    let selection = |id| TableSelection {
        id,
        is_on_disk: is_on_disk(id),
        better: None,
        or_smaller: false,
    };
    if let Some(id) = named {
        memory.check(id)?;
        return Ok(selection(id));
    }
    let largest_fitting = |limit: TableSize, is_accepted: &dyn Fn(TableId) -> bool| {
        let sizes = TableSize::ALL.into_iter().rev();
        sizes
            .filter(|&size| size <= limit && memory.fits(size))
            .map(|size| TableId { metric, size })
            .find(|&id| is_accepted(id))
    };
    let [smallest, .., largest] = TableSize::ALL;
    if let Some(id) = largest_fitting(largest, &is_on_disk) {
        return Ok(TableSelection {
            or_smaller: true,
            ..selection(id)
        });
    }
    let id = largest_fitting(DEFAULT_TABLE, &|_| true).unwrap_or(TableId {
        metric,
        size: smallest,
    });
    memory.check(id)?;
    let better = largest_fitting(RECOMMENDED, &|_| true).filter(|better| better.size > id.size);
    Ok(TableSelection {
        better,
        ..selection(id)
    })
}

/// A table in memory.
pub struct OpenedTable {
    /// The table.
    pub table: Table,
    /// The reason why a generated table could not be saved; it will have to be generated again next
    /// time.
    pub save_error: Option<TableError>,
    /// The errors of larger tables, which would have been better but were skipped.
    pub skipped_table_errors: Vec<TableError>,
}

impl TableFolder {
    /// Returns the folder for a caller that names none: the one in the environment variable
    /// `COSETTE_TABLES`, or else `cosette` in the user's cache folder; `None` if the system has no
    /// such folder.
    pub fn user_default() -> Option<TableFolder> {
        use etcetera::BaseStrategy;
        let named = std::env::var_os("COSETTE_TABLES").filter(|path| !path.is_empty());
        if let Some(path) = named {
            return Some(TableFolder::new(path));
        }
        let strategy = etcetera::choose_base_strategy().ok()?;
        Some(TableFolder {
            path: strategy.cache_dir().join("cosette"),
            is_default: true,
        })
    }

    /// Opens the chosen table: loads it and verifies all checksums. If it is not on disk, it is
    /// generated first; if another process is already generating it, this waits for that process.
    /// If the table cannot be saved in the user's cache folder, it is generated in memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the table is corrupted and no [smaller one](TableSelection::or_smaller)
    /// replaces it, if it cannot be saved in a folder that was named, if there is too little
    /// memory, or on cancellation.
    pub fn open(
        &self,
        choice: TableSelection,
        control: &Control<'_>,
    ) -> Result<OpenedTable, TableError> {
        if !choice.is_on_disk {
            match self.generate_if_missing(choice.id, control) {
                Ok(()) => {}
                Err(error) if error.is_cancellation() || !self.is_default => return Err(error),
                unsaved => {
                    return Ok(OpenedTable {
                        table: Table::generate(choice.id, control)?,
                        save_error: unsaved.err(),
                        skipped_table_errors: Vec::new(),
                    });
                }
            }
        }
        self.load_chosen(choice, |id| self.load(id, control))
    }

    /// Loads the chosen table. If its file is unusable and smaller tables are allowed, loads the
    /// next smaller one on disk; if there is none, returns the error of the chosen one.
    fn load_chosen(
        &self,
        choice: TableSelection,
        load: impl Fn(TableId) -> Result<Table, TableError>,
    ) -> Result<OpenedTable, TableError> {
        let mut id = choice.id;
        let mut skipped_table_errors = Vec::new();
        loop {
            match load(id) {
                Err(fault)
                    if choice.or_smaller && (fault.is_fault_of_file() || fault.is_unreadable()) =>
                {
                    skipped_table_errors.push(fault)
                }
                loaded => {
                    return Ok(OpenedTable {
                        table: loaded?,
                        save_error: None,
                        skipped_table_errors,
                    });
                }
            }
            let smaller = TableSize::ALL.into_iter().rev();
            let mut smaller = smaller
                .filter(|&size| size < id.size)
                .map(|size| TableId { size, ..id });
            match smaller.find(|&id| self.path_of(id).exists()) {
                Some(smaller) => id = smaller,
                None => return Err(skipped_table_errors.swap_remove(0)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_file::FileError;
    use std::cell::RefCell;
    use std::io;

    #[test]
    fn a_table_that_cannot_be_read_is_skipped() {
        let home = tempfile::tempdir().unwrap();
        let folder = TableFolder::new(home.path());
        let metric = Metric::Htm;
        let [small, .., large] = TableSize::ALL.map(|size| TableId { metric, size });
        std::fs::write(folder.path_of(small), "").unwrap();
        for (action, kind) in [
            ("open", io::ErrorKind::PermissionDenied),
            ("read", io::ErrorKind::Other),
        ] {
            let choice = TableSelection {
                id: large,
                is_on_disk: true,
                better: None,
                or_smaller: true,
            };
            let tried = RefCell::new(Vec::new());
            let opened = folder.load_chosen(choice, |id| {
                tried.borrow_mut().push(id);
                let error = FileError::Io {
                    action,
                    path: folder.path_of(id),
                    source: kind.into(),
                };
                Err(error.into())
            });
            assert_eq!(tried.into_inner(), [large, small]);
            let first = opened.err().unwrap().to_string();
            assert!(first.contains(large.size.name()), "{first}");
        }
    }
}
