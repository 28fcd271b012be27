//! Where and with what the systems work, and what can go wrong.

use crate::lee::space::StoredError;
use crate::packed::Packed;
use cosette::table::{TableError, TableFolder};
use cosette::{Cancel, OnProgress, Progress};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// How much of a paper's experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// What fits a minute or so on two cores: all quick exhibits together end within ten minutes.
    Quick,
    /// As much as the paper did, or as fits a day.
    Full,
}

/// Where and with what the systems work.
pub struct Lab<'a> {
    /// Where their tables are kept, beside those of the fast engine.
    pub folder: &'a TableFolder,
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// Called with what is being done and how far it is, from any thread.
    pub on_step: &'a (dyn Fn(&str, Progress) + Sync),
    /// Heeded within a fraction of a second.
    pub cancel: &'a Cancel,
}

impl Lab<'_> {
    /// Says how far a step is.
    pub fn step(&self, what: &str, done: u64, total: u64) {
        (self.on_step)(what, Progress { done, total });
    }

    /// Stops here where that is asked for.
    ///
    /// # Errors
    /// [`LabError::Cancelled`].
    pub fn check(&self) -> Result<(), LabError> {
        if self.cancel.is_cancelled() { Err(LabError::Cancelled) } else { Ok(()) }
    }

    /// The table, from its file; where there is none, it is filled and kept.
    ///
    /// # Errors
    /// If its file is damaged, if it cannot be filled, or on cancellation.
    pub fn table(&self, table: &dyn LabTable) -> Result<Packed, LabError> {
        let what = format!("filling {}", table.name());
        table.fill(self.threads, &|Progress { done, total }| self.step(&what, done, total), self.cancel)
    }
}

/// A table of one of the systems: how it is filled, and what its file says of it.
pub trait LabTable: Sync {
    /// The name, which is that of its file too: `korf-corners-htm`.
    fn name(&self) -> String;

    /// How large it is, in bytes.
    fn bytes(&self) -> usize;

    /// A checksum of where the entries of some positions lie: whoever numbers them in another way must not read the file.
    fn numbering(&self) -> u64;

    /// Fills it.
    ///
    /// # Errors
    /// If there is too little memory, or on cancellation.
    fn fill(&self, threads: NonZeroUsize, on_progress: OnProgress<'_>, cancel: &Cancel) -> Result<Packed, LabError>;
}

/// Why the lab could not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum LabError {
    /// A table could not be made, kept or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A stored space or its index could not be built or used.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// The work was asked to stop.
    #[error("stopped")]
    Cancelled,
    /// The system refused.
    #[error("cannot {action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
}

impl LabError {
    /// Says what was being done to which path when the system refused.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> LabError {
        let path = path.to_owned();
        move |source| LabError::Io { action, path, source }
    }

    /// Whether the work stopped because it was asked to.
    pub fn is_cancellation(&self) -> bool {
        match self {
            LabError::Cancelled => true,
            LabError::Table(error) => error.is_cancellation(),
            LabError::Stored(_) | LabError::Io { .. } => false,
        }
    }

    /// What mends it, where there is something to say.
    pub fn help(&self) -> Option<String> {
        use io::ErrorKind::{QuotaExceeded, StorageFull};
        match self {
            LabError::Table(error) => error.help(),
            LabError::Stored(error) => Some(error.help()),
            LabError::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded) => {
                Some("make room, or choose another folder with --tables".into())
            }
            LabError::Cancelled | LabError::Io { .. } => None,
        }
    }
}
