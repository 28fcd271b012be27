//! Errors of a file of blocks, with their remedies.

use crate::control::SpawnError;
use crate::remedy::{Remedy, TableFile};
use std::io;
use std::path::{Path, PathBuf};

/// An error while reading or writing a file of blocks, such as a table.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum FileError {
    /// The file does not exist, or its storage is empty.
    #[error("there is no table at {path}")]
    NotFound { path: PathBuf },
    /// There is nothing to remove: neither the file nor a partial file.
    #[error("there is no table at {path}")]
    NothingToRemove { path: PathBuf },
    /// The file does not start with the magic of the format.
    #[error("{path} is not a table or database of Cosette")]
    OtherFormat { path: PathBuf },
    /// The file was written by another version of the format.
    #[error("{path} has format version {found}, but this program reads version {expected}")]
    OtherVersion {
        path: PathBuf,
        found: u32,
        expected: u32,
    },
    /// The file was written on a machine with the other byte order.
    #[error("{path} was written on a machine with a different byte order")]
    OtherByteOrder { path: PathBuf },
    /// The file has other contents.
    #[error("{path} holds {found}, not {expected}")]
    OtherContents {
        path: PathBuf,
        found: String,
        expected: String,
    },
    /// The file was written by a program that numbers the entries differently, or gives them
    /// another meaning.
    #[error("{path} numbers its entries differently from this program")]
    OtherNumbering { path: PathBuf },
    /// The header or the list of checksums does not agree with its own checksum.
    #[error("the header of {path} is corrupted")]
    CorruptedHeader { path: PathBuf },
    /// The file is shorter or longer than its header says.
    #[error("{path} has {found} bytes, but should have {expected}")]
    WrongLength {
        path: PathBuf,
        found: u64,
        expected: u64,
    },
    /// A block does not agree with its checksum.
    #[error("block {} of {blocks} of {path} is corrupted", block + 1)]
    CorruptedBlock {
        path: PathBuf,
        /// The number of the block, from 0 on.
        block: usize,
        blocks: usize,
    },
    /// The file does not fit on the disk.
    #[error(
        "{path} needs another {} MB on disk, but only {} MB are free",
        needed.div_ceil(1_000_000),
        available / 1_000_000,
    )]
    TooLittleDisk {
        path: PathBuf,
        needed: u64,
        available: u64,
    },
    /// Another process is generating the file.
    #[error("another process is generating {path}")]
    BeingGenerated { path: PathBuf },
    /// The requested threads could not be started.
    #[error(transparent)]
    Threads(#[from] SpawnError),
    /// The work was cancelled or timed out.
    #[error("stopped before the file was complete")]
    Cancelled,
    /// An I/O error.
    #[error("cannot {action} {path}: {source}")]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl FileError {
    /// Returns a remedy, if there is one.
    pub fn remedy(&self) -> Option<Remedy> {
        use FileError::*;
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        Some(match self {
            NotFound { path } => Remedy::GenerateTable(TableFile::at(path)),
            OtherFormat { path } | OtherContents { path, .. } => {
                Remedy::MoveAwayAndGenerate(TableFile::at(path))
            }
            OtherVersion { path, .. }
            | OtherByteOrder { path }
            | OtherNumbering { path }
            | CorruptedHeader { path }
            | WrongLength { path, .. }
            | CorruptedBlock { path, .. } => Remedy::GenerateAgain(TableFile::at(path)),
            TooLittleDisk { .. } => Remedy::FreeDiskSpace,
            BeingGenerated { .. } => Remedy::WaitForGeneration,
            Threads(refused) => refused.remedy(),
            Io {
                action: "open" | "read",
                source,
                ..
            } if source.kind() == io::ErrorKind::PermissionDenied => Remedy::MakeReadable,
            Io { source, .. } if is_folder_unwritable(source) => Remedy::ChooseWritableFolder,
            Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded) => {
                Remedy::FreeDiskSpace
            }
            Io { source, .. } if source.kind() == FileTooLarge => Remedy::RaiseLimits,
            NothingToRemove { .. } | Cancelled | Io { .. } => return None,
        })
    }

    /// Returns the file, or the folder, that the error is about.
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
            | CorruptedHeader { path }
            | WrongLength { path, .. }
            | CorruptedBlock { path, .. }
            | TooLittleDisk { path, .. }
            | BeingGenerated { path }
            | Io { path, .. } => Some(path),
            Threads(_) | Cancelled => None,
        }
    }

    /// Adds the action and the path to an I/O error.
    pub(crate) fn io(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> FileError + use<> {
        let path = path.to_owned();
        move |source| match source.kind() {
            // A path below a regular file does not exist either.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if action == "open" => {
                FileError::NotFound { path }
            }
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if action == "remove" => {
                FileError::NothingToRemove { path }
            }
            _ => FileError::Io {
                action,
                path,
                source,
            },
        }
    }
}

/// Returns `true` if the error means that a folder cannot be written to, or cannot be created, for
/// example because a file has its path (`AlreadyExists`).
fn is_folder_unwritable(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, NotADirectory, PermissionDenied, ReadOnlyFilesystem};
    matches!(
        error.kind(),
        PermissionDenied | ReadOnlyFilesystem | NotADirectory | AlreadyExists
    )
}
