//! What may go wrong with a coset, and with a file of its levels.

use crate::control::ThreadsRefused;
use crate::remedy::Remedy;
use std::io;
use std::path::{Path, PathBuf};

/// Why a search through a coset ended.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum CosetError {
    /// There is too little memory.
    #[error("a coset needs {} MB of memory, and {} MB are available", needed.div_ceil(1_000_000), available / 1_000_000)]
    TooLittleMemory { needed: u64, available: u64 },
    /// The requested threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsRefused),
    /// The file of the levels cannot be used.
    #[error(transparent)]
    Saved(#[from] SavedError),
    /// The work was asked to stop.
    #[error("stopped before the level was complete")]
    Cancelled,
}

impl CosetError {
    /// How to fix it, where there is something to say.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            CosetError::TooLittleMemory { .. } => Some(Remedy::FreeMemory),
            CosetError::Threads(refused) => Some(refused.remedy()),
            CosetError::Saved(_) | CosetError::Cancelled => None,
        }
    }
}

/// Why a file of levels cannot be used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum SavedError {
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    /// Another process has it open.
    #[error("{} is in use by another process", path.display())]
    Locked { path: PathBuf },
    /// The file is something else.
    #[error("{} is not a file of the levels of a coset", path.display())]
    Foreign { path: PathBuf },
    /// Another version of Cosette wrote it.
    #[error("{} has format version {found}, and this program reads version {known}", path.display())]
    Version { path: PathBuf, found: u32, known: u32 },
    /// A part has changed since it was written.
    #[error("level {level} in {} is damaged", path.display())]
    Damaged {
        path: PathBuf,
        level: u8,
        /// Where it begins, in bytes: what is before is intact.
        offset: u64,
    },
    /// The file holds something else.
    #[error("{} holds {found}, not {expected}", path.display())]
    Other { path: PathBuf, found: String, expected: String },
}

impl SavedError {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SavedError + Clone + use<> {
        let path = path.to_owned();
        move |source| SavedError::Io { action, path, source }
    }
}
