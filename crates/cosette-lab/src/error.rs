//! What can go wrong, and how to fix it.

use cosette::Remedy;
use cosette::block_file::FileError;
use cosette::control::ThreadsRefused;
use cosette::cube::ReadError;
use cosette::table::TableError;
#[cfg(feature = "cli")]
use cosette_app::cli::failure::{ErrorReport, Exit, Failure};
use std::io;
use std::path::{Path, PathBuf};

/// Why the lab could not do what it was asked to.
///
/// Whatever takes long ends with [`LabError::Cancelled`] when it is cancelled, and fails where memory, threads, a table or a file
/// is unavailable. Where a function can fail in other ways, its description says so.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum LabError {
    /// A table could not be made, kept or used.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file of a stored space or of its index could not be written or read.
    #[error(transparent)]
    File(FileError),
    /// A stored space or its index could not be built or used.
    #[error(transparent)]
    Stored(#[from] StoredError),
    /// The work was asked to stop.
    #[error("stopped")]
    Cancelled,
    /// A file of instances has none.
    #[error("{path} has no scrambles")]
    NoInstances { path: PathBuf },
    /// A line of a file of instances is no position.
    #[error("{path}, line {line}: {source}")]
    NoScramble { path: PathBuf, line: usize, source: ReadError },
    /// A line of a file of checkpoints cannot be read.
    #[error("{path}, line {line} is no checkpoint: {source}")]
    NoCheckpoint { path: PathBuf, line: usize, source: serde_json::Error },
    /// A file of checkpoints was written for other work.
    #[error("{path}, line {line} is a checkpoint of other {what}")]
    OtherCheckpoint { path: PathBuf, line: usize, what: &'static str },
    /// The system refused.
    #[error("cannot {action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
}

impl From<ThreadsRefused> for LabError {
    fn from(refused: ThreadsRefused) -> LabError {
        TableError::from(refused).into()
    }
}

impl From<FileError> for LabError {
    fn from(error: FileError) -> LabError {
        match error {
            FileError::Cancelled => LabError::Cancelled,
            FileError::Threads(refused) => refused.into(),
            error => LabError::File(error),
        }
    }
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
            _ => false,
        }
    }

    /// How to fix it, where something is known.
    pub fn help(&self) -> Option<String> {
        use io::ErrorKind::{NotFound, QuotaExceeded, StorageFull};
        match self {
            LabError::Table(error) => error.remedy().map(|remedy| remedy.to_string()),
            LabError::File(error) => help_for_file(error),
            LabError::Stored(error) => Some(error.help()),
            LabError::NoInstances { .. } => Some("write one a line, as for `cosette solve`".into()),
            LabError::NoScramble { source, .. } => Some(source.help()),
            LabError::NoCheckpoint { .. } => Some("name another file with --checkpoint, or move this one away".into()),
            LabError::OtherCheckpoint { what, .. } => {
                Some(format!("give the {what} that it was begun with, or name another file with --checkpoint"))
            }
            LabError::Io { source, .. } => match source.kind() {
                NotFound => Some("check the name; the file must be there and readable".into()),
                StorageFull | QuotaExceeded => Some("make room, or choose another folder".into()),
                _ => None,
            },
            LabError::Cancelled => None,
        }
    }
}

#[cfg(feature = "cli")]
impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        let exit = match error {
            LabError::Table(error) => return error.into(),
            LabError::Cancelled => Exit::Interrupted,
            LabError::NoScramble { .. } => Exit::NotACube,
            _ => Exit::Error,
        };
        Failure::Other(ErrorReport { message: error.to_string(), help: error.help(), exit })
    }
}

/// How to fix what is wrong with a stored space or an index: no command generates them, they are built where they are needed.
fn help_for_file(error: &FileError) -> Option<String> {
    Some(match (error.remedy()?, error.path()) {
        (Remedy::MoveAwayAndGenerate(_) | Remedy::GenerateAgain(_), Some(path)) => build_anew(path),
        (Remedy::GenerateTable(_), _) => "check the name; the file must be there and readable".into(),
        (Remedy::FreeDiskSpace, _) => "make room, or choose another folder with --tables".into(),
        (remedy, _) => remedy.to_string(),
    })
}

fn build_anew(path: &Path) -> String {
    format!("remove {} and run the same again: it is then built anew", path.display())
}

/// Why a stored space or its index could not be built or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum StoredError {
    /// Positions so far from solved are not stored.
    #[error("positions within {found} moves cannot be stored; at most {most} moves")]
    TooDeep { found: u8, most: u8 },
    /// From a stored position the stored moves do not lead to the solved one.
    #[error("position {index} of {path} does not lead home")]
    NoWayHome { path: PathBuf, index: u64 },
}

impl StoredError {
    /// How to fix it.
    pub fn help(&self) -> String {
        use StoredError::*;
        match self {
            TooDeep { most, .. } => format!("ask for 0 to {most} moves"),
            NoWayHome { path, .. } => build_anew(path),
        }
    }
}
