//! What can go wrong with a table, and how to fix it.

use super::catalogue::TableId;
use super::remedy::Remedy;
use crate::control::{Progress, ThreadsRefused};
use std::io;
use std::path::{Path, PathBuf};

const MEGABYTE: u64 = 1_000_000;

/// Why a table could not be made, kept or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum TableError {
    /// The file does not exist.
    #[error("there is no table at {path}")]
    NotFound { path: PathBuf },
    /// The file does not start with the magic of a table.
    #[error("{path} is not a table of Cosette")]
    NotATable { path: PathBuf },
    /// The file was written by another version of the format.
    #[error("{path} has format version {found}, and this program reads version {expected}")]
    OtherVersion { path: PathBuf, found: u32, expected: u32 },
    /// The file was written on a machine with the other byte order.
    #[error("{path} was written on a machine with the other byte order")]
    OtherByteOrder { path: PathBuf },
    /// The file holds another table than its name says.
    #[error("{path} holds the table {found}, not {expected}")]
    OtherTable { path: PathBuf, found: String, expected: String },
    /// The file was written by a program that numbers the entries of a table, or reads their codes, differently.
    #[error("{path} numbers its entries differently from this program")]
    OtherNumbering { path: PathBuf },
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
        block: usize,
        blocks: usize,
    },
    /// All checksums agree, but the numbers of entries with each value differ from those in the header.
    #[error("the entries of {path} do not match the counts in its header")]
    WrongCounts { path: PathBuf },
    /// The table does not fit in memory.
    #[error("the table needs {} MB of memory and {} MB are available", needed.div_ceil(MEGABYTE), available / MEGABYTE)]
    TooLittleMemory { needed: u64, available: u64 },
    /// The table does not fit on the disk.
    #[error("the table needs {} MB on disk and {} MB are free in {folder}", needed.div_ceil(MEGABYTE), available / MEGABYTE)]
    TooLittleDisk { folder: PathBuf, needed: u64, available: u64 },
    /// The threads asked for could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsRefused),
    /// The work was asked to stop.
    #[error("stopped before the table was complete")]
    Cancelled,
    /// Generation was asked to stop; what has been generated is kept in the partial file.
    #[error("stopped with {} % of {id} generated", kept.percent())]
    Stopped { id: TableId, kept: Progress },
    /// Another process is generating the table.
    #[error("another process is generating {path}")]
    BeingGenerated { path: PathBuf },
    /// The processes of this host cannot share memory.
    #[error("cannot {action} shared memory: {source}")]
    NotShared { action: &'static str, source: io::Error },
    /// The system refused.
    #[error("cannot {action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
}

impl TableError {
    /// Whether the work stopped because it was asked to.
    pub fn is_cancellation(&self) -> bool {
        matches!(self, TableError::Cancelled | TableError::Stopped { .. })
    }

    /// How to fix it; `None` if there is nothing to suggest.
    pub fn remedy(&self) -> Option<Remedy> {
        use TableError::*;
        Some(match self {
            Threads(_) => Remedy::UseFewerThreads,
            NotFound { path } => Remedy::GenerateTable(name_in(path)),
            NotATable { path } | OtherTable { path, .. } => Remedy::MoveAwayAndGenerate(name_in(path)),
            OtherVersion { path, .. }
            | OtherByteOrder { path }
            | OtherNumbering { path }
            | DamagedHeader { path }
            | WrongLength { path, .. }
            | DamagedBlock { path, .. }
            | WrongCounts { path } => Remedy::GenerateAgain(name_in(path)),
            TooLittleMemory { .. } => Remedy::ChooseSmallerTable,
            TooLittleDisk { .. } => Remedy::FreeDiskSpace,
            Io { source, .. } if is_refusal(source) => Remedy::ChooseWritableFolder,
            Io { source, .. } if matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
                Remedy::FreeDiskSpace
            }
            Stopped { id, .. } => Remedy::ContinueGeneration(*id),
            BeingGenerated { .. } => Remedy::WaitForGeneration,
            Cancelled | NotShared { .. } | Io { .. } => return None,
        })
    }

    /// Says what was being done to which path when the system refused.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TableError {
        let path = path.to_owned();
        move |source| match source.kind() {
            // A path below a regular file does not exist either.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if matches!(action, "open" | "remove") => {
                TableError::NotFound { path }
            }
            _ => TableError::Io { action, path, source },
        }
    }
}

/// The name of the table whose file this should be; `None` if the file name is not that of a table.
fn name_in(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.strip_suffix(".table")?.to_owned())
}

fn is_refusal(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, NotADirectory, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | NotADirectory | AlreadyExists)
}
