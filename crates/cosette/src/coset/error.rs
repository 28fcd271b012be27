//! Errors of a coset search.

use crate::block_file::FileError;
use crate::control::SpawnError;
use crate::remedy::Remedy;

/// An error that ended a coset search.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum CosetError {
    /// Too little memory.
    #[error(
        "a coset needs {} MB of memory, but only {} MB are available",
        needed.div_ceil(1_000_000),
        available / 1_000_000,
    )]
    TooLittleMemory { needed: u64, available: u64 },
    /// The requested threads could not be started.
    #[error(transparent)]
    Threads(#[from] SpawnError),
    /// An unusable folder of levels.
    #[error(transparent)]
    Levels(FileError),
    /// The work was cancelled or timed out.
    #[error("stopped before the level was complete")]
    Cancelled,
}

impl From<FileError> for CosetError {
    fn from(error: FileError) -> CosetError {
        match error {
            FileError::Threads(error) => CosetError::Threads(error),
            FileError::Cancelled => CosetError::Cancelled,
            error => CosetError::Levels(error),
        }
    }
}

impl CosetError {
    /// Returns a remedy, if there is one.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            CosetError::TooLittleMemory { .. } => Some(Remedy::FreeMemory),
            CosetError::Threads(refused) => Some(refused.remedy()),
            CosetError::Levels(_) | CosetError::Cancelled => None,
        }
    }
}
