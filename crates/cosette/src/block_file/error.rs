//! What can go wrong with a file, and how to fix it.

use crate::control::ThreadsRefused;
use crate::remedy::Remedy;
use std::io;
use std::path::{Path, PathBuf};

const MEGABYTE: u64 = 1_000_000;

/// Why a file could not be written or read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum FileError {
    /// The file does not exist.
    #[error("there is no table at {path}")]
    NotFound { path: PathBuf },
    /// There is nothing to remove: neither the file nor a part of it.
    #[error("there is no table at {path}")]
    NothingToRemove { path: PathBuf },
    /// The file does not start with the magic of the format.
    #[error("{path} is not a table or database of Cosette")]
    OtherFormat { path: PathBuf },
    /// The file was written by another version of the format.
    #[error("{path} has format version {found}, and this program reads version {expected}")]
    OtherVersion { path: PathBuf, found: u32, expected: u32 },
    /// The file was written on a machine with the other byte order.
    #[error("{path} was written on a machine with the other byte order")]
    OtherByteOrder { path: PathBuf },
    /// The file holds something else.
    #[error("{path} holds {found}, not {expected}")]
    OtherContents { path: PathBuf, found: String, expected: String },
    /// The file was written by a program that numbers the entries, or reads their codes, differently.
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
    /// The file does not fit on the disk.
    #[error("{path} needs {} MB more on disk and {} MB are free", needed.div_ceil(MEGABYTE), available / MEGABYTE)]
    TooLittleDisk { path: PathBuf, needed: u64, available: u64 },
    /// Another process is generating the file.
    #[error("another process is generating {path}")]
    BeingGenerated { path: PathBuf },
    /// The requested threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsRefused),
    /// The work was asked to stop.
    #[error("stopped before the file was complete")]
    Cancelled,
    /// The system refused.
    #[error("cannot {action} {path}: {source}")]
    Io { action: &'static str, path: PathBuf, source: io::Error },
}

impl FileError {
    /// How to fix it, where there is something to say.
    pub fn remedy(&self) -> Option<Remedy> {
        use FileError::*;
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        Some(match self {
            NotFound { path } => Remedy::GenerateTable(table_in(path)),
            OtherFormat { path } | OtherContents { path, .. } => Remedy::MoveAwayAndGenerate(table_in(path)),
            OtherVersion { path, .. }
            | OtherByteOrder { path }
            | OtherNumbering { path }
            | DamagedHeader { path }
            | WrongLength { path, .. }
            | DamagedBlock { path, .. } => Remedy::GenerateAgain(table_in(path)),
            TooLittleDisk { .. } => Remedy::FreeDiskSpace,
            BeingGenerated { .. } => Remedy::WaitForGeneration,
            Threads(refused) => refused.remedy(),
            Io { action: "open" | "read", source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
                Remedy::MakeReadable
            }
            Io { source, .. } if is_refusal(source) => Remedy::ChooseWritableFolder,
            Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded | FileTooLarge) => {
                Remedy::FreeDiskSpace
            }
            NothingToRemove { .. } | Cancelled | Io { .. } => return None,
        })
    }

    /// The file, or the folder, that the error is about.
    pub fn path(&self) -> Option<&Path> {
        use FileError::*;
        match self {
            NotFound { path }
            | NothingToRemove { path }
            | OtherFormat { path }
            | OtherVersion { path, .. }
            | OtherByteOrder { path }
            | OtherContents { path, .. }
            | OtherNumbering { path }
            | DamagedHeader { path }
            | WrongLength { path, .. }
            | DamagedBlock { path, .. }
            | TooLittleDisk { path, .. }
            | BeingGenerated { path }
            | Io { path, .. } => Some(path),
            Threads(_) | Cancelled => None,
        }
    }

    /// Adds to an error of the system what was being done to which path.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError + use<> {
        let path = path.to_owned();
        move |source| match source.kind() {
            // A path below a regular file does not exist either.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if action == "open" => FileError::NotFound { path },
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if action == "remove" => {
                FileError::NothingToRemove { path }
            }
            _ => FileError::Io { action, path, source },
        }
    }
}

/// The name of the table whose file this should be; `None` if the file name is not that of a table.
pub(crate) fn table_in(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.strip_suffix(".table")?.to_owned())
}

fn is_refusal(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, NotADirectory, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | NotADirectory | AlreadyExists)
}
