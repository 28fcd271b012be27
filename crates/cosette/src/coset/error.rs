//! Errors of a coset search, and of a file of its levels.

use crate::control::SpawnError;
use crate::remedy::Remedy;
use std::io;
use std::path::{Path, PathBuf};

/// An error that ended a coset search.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum CosetError {
    /// Too little memory.
    #[error("a coset needs {} MB of memory, but only {} MB are available", needed.div_ceil(1_000_000), available / 1_000_000)]
    TooLittleMemory { needed: u64, available: u64 },
    /// The requested threads could not be started.
    #[error(transparent)]
    Threads(#[from] SpawnError),
    /// An unusable file of levels.
    #[error(transparent)]
    LevelFile(#[from] LevelFileError),
    /// The work was cancelled or timed out.
    #[error("stopped before the level was complete")]
    Cancelled,
}

impl CosetError {
    /// Returns a remedy, if there is one.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            CosetError::TooLittleMemory { .. } => Some(Remedy::FreeMemory),
            CosetError::Threads(refused) => Some(refused.remedy()),
            CosetError::LevelFile(_) | CosetError::Cancelled => None,
        }
    }
}

/// An error in a file of levels.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum LevelFileError {
    /// An I/O error.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// The file is locked by another process.
    #[error("{} is in use by another process", path.display())]
    Locked { path: PathBuf },
    /// The file has another format.
    #[error("{} is not a file of coset levels", path.display())]
    NotALevelFile { path: PathBuf },
    /// The file was written by another version of Cosette.
    #[error("{} has format version {found}, but this program reads version {known}", path.display())]
    Version {
        path: PathBuf,
        found: u32,
        known: u32,
    },
    /// A part has changed since it was written.
    #[error("level {level} in {} is corrupted", path.display())]
    Corrupted {
        path: PathBuf,
        level: u8,
        /// Offset of the part in bytes: everything before is intact.
        offset: u64,
    },
    /// The file holds another coset, metric or search effort.
    #[error("{} holds {found}, not {expected}", path.display())]
    WrongCoset {
        path: PathBuf,
        found: String,
        expected: String,
    },
}

impl LevelFileError {
    pub(super) fn io(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> LevelFileError + Clone + use<> {
        let path = path.to_owned();
        move |source| LevelFileError::Io {
            action,
            path,
            source,
        }
    }
}
