//! What can go wrong, and how to fix it.

use cosette::control::ThreadsRefused;
use cosette::cube::ReadError;
use cosette::table::TableError;
#[cfg(feature = "cli")]
use cosette_app::cli::{
    exit::Exit,
    failure::{ErrorReport, Failure},
};
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
            LabError::Table(error) => return Failure::Table(error),
            LabError::Cancelled => Exit::Interrupted,
            LabError::NoScramble { .. } => Exit::NotACube,
            _ => Exit::Error,
        };
        Failure::Other(ErrorReport { message: error.to_string(), help: error.help(), exit })
    }
}

const MEGABYTE: u64 = 1_000_000;

/// Why a stored space or its index could not be built or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum StoredError {
    /// Positions so far from solved are not stored.
    #[error("positions within {found} moves cannot be stored; at most {most} moves")]
    TooDeep { found: u8, most: u8 },
    /// The file is something else.
    #[error("{path} is not what its name says")]
    OtherKind { path: PathBuf },
    /// The file was written by another version of the format.
    #[error("{path} has format version {found}, and this program reads version {expected}")]
    OtherVersion { path: PathBuf, found: u64, expected: u64 },
    /// The header or the list of checksums does not agree with its own checksum.
    #[error("the header of {path} is damaged")]
    DamagedHeader { path: PathBuf },
    /// The file is shorter or longer than its header says.
    #[error("{path} has {found} bytes and should have {expected}")]
    WrongLength { path: PathBuf, found: u64, expected: u64 },
    /// A block does not agree with its checksum.
    #[error("block {} of {blocks} of {path} is damaged", block + 1)]
    DamagedBlock {
        path: PathBuf,
        /// Its number, from 0 on.
        block: u64,
        blocks: u64,
    },
    /// The file holds something else of its kind, or numbers positions in another way.
    #[error("{path} holds {found}, not {expected}")]
    OtherContents { path: PathBuf, found: String, expected: String },
    /// From a stored position the stored moves do not lead to the solved one.
    #[error("position {index} of {path} does not lead home")]
    NoWayHome { path: PathBuf, index: u64 },
    /// There is too little room.
    #[error("{path} needs {} MB more on disk and {} MB are free", needed.div_ceil(MEGABYTE), available / MEGABYTE)]
    TooLittleDisk { path: PathBuf, needed: u64, available: u64 },
    /// Another process builds it.
    #[error("another process is building {path}")]
    BeingBuilt { path: PathBuf },
}

impl StoredError {
    /// How to fix it.
    pub fn help(&self) -> String {
        use StoredError::*;
        match self {
            TooDeep { most, .. } => format!("ask for 0 to {most} moves"),
            OtherKind { path }
            | OtherVersion { path, .. }
            | DamagedHeader { path }
            | WrongLength { path, .. }
            | DamagedBlock { path, .. }
            | OtherContents { path, .. }
            | NoWayHome { path, .. } => {
                format!("remove {} and run the same again: it is then built anew", path.display())
            }
            TooLittleDisk { .. } => "make room, or choose another folder with --tables".into(),
            BeingBuilt { .. } => "wait until it has done so, or stop it: what it has built is kept".into(),
        }
    }
}
