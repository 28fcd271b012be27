//! Which table to solve with, and where tables are kept.
//!
//! A named table is taken, and filled where it is not on disk. Otherwise it is the largest on disk that fits in memory; and where
//! there is none, a small one is filled, in seconds.

use cosette::cube::Metric;
use cosette::table::{OnDisk, Table, TableError, TableFolder, TableId, TableSize, available_memory};
use cosette::{Cancel, Progress};
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// What is filled where no table is on disk: a few seconds of work, and a random cube takes some seconds.
pub const FIRST_TABLE: &str = "240M";

/// The largest table that is recommended unasked. Larger ones take minutes to fill.
const RECOMMENDED: &str = "2G";

/// The environment variable that names the folder of the tables.
pub const FOLDER_VARIABLE: &str = "COSETTE_TABLES";

/// `cosette` in the user's cache folder; none where the system names no such folder.
pub fn default_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("cosette"))
}

/// The memory that a table may take.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// What the machine has free, in bytes.
    pub available: u64,
    /// What the user allows, in bytes.
    pub allowed: Option<u64>,
}

impl Memory {
    /// What this machine has free now, and what the user allows.
    pub fn now(allowed: Option<u64>) -> Memory {
        Memory { available: available_memory(), allowed }
    }

    /// Whether a table of this size fits.
    pub fn fits(self, size: TableSize) -> bool {
        size.bytes() <= self.available.min(self.allowed.unwrap_or(u64::MAX))
    }

    fn check(self, id: TableId) -> Result<(), ChoiceError> {
        let (needed, available) = (id.size.bytes(), self.available);
        match self.allowed {
            Some(allowed) if needed > allowed => Err(ChoiceError::MemoryNotAllowed { id, allowed }),
            _ if needed > available => Err(TableError::TooLittleMemory { needed, available }.into()),
            _ => Ok(()),
        }
    }
}

/// Why there is no table to solve with.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// It could not be made, kept or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The user allows less memory than it needs.
    #[error("the table {id} needs {:.2} GB of memory and --memory allows {:.2} GB", id.size.bytes() as f64 / 1e9, *allowed as f64 / 1e9)]
    MemoryNotAllowed {
        /// The table.
        id: TableId,
        /// The limit, in bytes.
        allowed: u64,
    },
}

impl ChoiceError {
    /// What mends it.
    pub fn help(&self) -> Option<String> {
        match self {
            ChoiceError::Table(error) => error.help(),
            ChoiceError::MemoryNotAllowed { .. } => {
                Some("raise --memory, or choose a smaller table with --table".into())
            }
        }
    }

    /// Whether the user asked to stop.
    pub fn is_cancellation(&self) -> bool {
        matches!(self, ChoiceError::Table(error) if error.is_cancellation())
    }
}

/// A table to solve with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The table.
    pub id: TableId,
    /// Whether there is a file for it. Where there is none it is to be filled.
    pub is_on_disk: bool,
    /// A larger table that would pay off; none where this one was asked for, or is on disk.
    pub better: Option<TableId>,
}

/// The table that is named, or the best for the metric.
///
/// A faulty one on disk is chosen all the same, and loading it is an error: the next smaller one takes twice as long and nobody
/// would know why.
///
/// # Errors
/// If it does not fit in memory.
pub fn choose(
    folder: &TableFolder,
    metric: Metric,
    named: Option<TableId>,
    memory: Memory,
) -> Result<Choice, ChoiceError> {
    let is_on_disk = |id| folder.path_of(id).exists();
    if let Some(id) = named {
        memory.check(id)?;
        return Ok(Choice { id, is_on_disk: is_on_disk(id), better: None });
    }
    let with_size = |size| TableId { metric, size };
    let fitting = TableSize::ALL.into_iter().rev().filter(|&size| memory.fits(size));
    if let Some(id) = fitting.clone().map(with_size).find(|&id| is_on_disk(id)) {
        return Ok(Choice { id, is_on_disk: true, better: None });
    }
    let first = fitting.clone().find(|&size| size <= size_named(FIRST_TABLE)).unwrap_or(TableSize::ALL[0]);
    memory.check(with_size(first))?;
    let better = fitting.clone().find(|&size| size <= size_named(RECOMMENDED)).filter(|&size| size > first);
    Ok(Choice { id: with_size(first), is_on_disk: false, better: better.map(with_size) })
}

/// A piece of work under way: what is done, and how far it is.
pub type OnStep<'a> = &'a (dyn Fn(&str, Progress) + Sync);

/// The chosen table in memory: loaded with all its checksums, and filled before where it is not on disk. Where it cannot be
/// kept, `on_unsaved` is told why and it serves this time only.
///
/// # Errors
/// If it is damaged, if there is too little memory, or on cancellation.
pub fn open(
    choice: Choice,
    folder: &TableFolder,
    threads: NonZeroUsize,
    (on_step, on_unsaved): (OnStep<'_>, &dyn Fn(&TableError)),
    cancel: &Cancel,
) -> Result<Table, TableError> {
    let id = choice.id;
    if !choice.is_on_disk {
        match fill(id, folder, threads, on_step, cancel) {
            Ok(()) => {}
            Err(stopped) if stopped.is_cancellation() => return Err(stopped),
            Err(refused) => {
                on_unsaved(&refused);
                let on_progress = |progress| on_step(&format!("filling {id} in memory"), progress);
                return Table::generate(id, threads, &on_progress, cancel);
            }
        }
    }
    folder.load(id, threads, &|progress| on_step(&format!("loading {id}"), progress), cancel)
}

/// Fills a table into its file, from where an earlier filling stopped.
///
/// # Errors
/// If it cannot be kept, if there is too little memory, or on cancellation.
pub fn fill(
    id: TableId,
    folder: &TableFolder,
    threads: NonZeroUsize,
    on_step: OnStep<'_>,
    cancel: &Cancel,
) -> Result<(), TableError> {
    let what = match folder.state(id) {
        OnDisk::Partly(filled) => format!("filling {id}, {} % of it done before", filled.percent()),
        _ => format!("filling {id}"),
    };
    folder.fill(id, threads, &|progress| on_step(&what, progress), cancel)
}

/// A size that the catalogue is known to have.
pub fn size_named(name: &str) -> TableSize {
    name.parse().expect("the catalogue has this table")
}
