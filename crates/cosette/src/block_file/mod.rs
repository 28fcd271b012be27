//! Files of checksummed blocks: pruning tables, and the databases and stored spaces of the lab.
//!
//! ```text
//! byte 0     header, one page of 4096 bytes                            (header.rs)
//!            | magic | version | byte order | name | bytes of the payload | block size | facts | numbering |
//!            | checksum of the list below | room for the payload | … zeros … | checksum of the header |
//!      4096  the checksums of the blocks, 8 bytes each, zeros to the end of the page
//!            | block 0 | block 1 | …                                                          |
//!      P     the payload
//!            | block 0                    | block 1                   | … the rest            |
//! ```
//!
//! Checksums are XXH3 of 64 bits: they detect errors of disks, copies and transfers, not forgeries.
//! Each part is checked by the part before it, so opening a file costs two small reads, and its
//! blocks can be checked in any order while they are read ([`BlockFile`]).
//!
//! A file is written next to its final path, synced, and renamed: at any time, even after a power
//! cut, there is the old file, the new one or none. The payload is written first and the header
//! last ([`PartialFile`]). Generation by units is recorded in a journal, from which it resumes
//! after an interruption. Without files, the caller keeps the same bytes in a [`Storage`], and a
//! payload in memory is stored unit by unit ([`UnitStorage`]).
//!
//! A file names its [`PayloadKind`]; the meaning of the payload is known to the code that wrote it.

#[cfg(feature = "files")]
mod fs;
mod header;
#[cfg(feature = "files")]
mod partial;
mod reader;
mod units;

pub use header::file_size;
pub use reader::BlockFile;
pub use units::UnitStorage;
#[cfg(feature = "files")]
pub use {
    fs::sync_folder_of,
    partial::{Generation, PartialFile, check_room, open_if_missing, progress, remove},
};

use crate::control::SpawnError;
use crate::cube::{Cube, random_positions};
use crate::remedy::{Remedy, TableFile};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use xxhash_rust::xxh3::Xxh3Default;

/// Number of bytes that are read before they are checksummed, while still in the processor's cache.
const PIECE: usize = 256 << 10;

/// Numbers about the payload that are known once it is written, such as the numbers of entries with
/// each value.
pub type PayloadStats = [u64; 32];

/// The identity of a payload, which its file records: a file with another one is not read.
pub trait PayloadKind: Sync {
    /// Returns the name of the contents, in 64 bytes at most, such as the name of a table.
    fn name(&self) -> String;

    /// Returns the number of bytes of the payload; an upper bound if it may be shorter.
    fn bytes(&self) -> u64;

    /// Returns `true` if the number of bytes is known only once the payload is written. Otherwise a
    /// file with fewer is rejected.
    fn may_be_shorter(&self) -> bool {
        false
    }

    /// Returns a checksum of the addresses of some positions' entries, such as [`numbering`]
    /// computes, and of their meaning.
    fn numbering(&self) -> u64;

    /// Returns the number of bytes that share a checksum. The last block may be shorter.
    fn block_size(&self) -> u64 {
        4 << 20
    }

    /// Returns the number of bytes that are generated at a time ([`PartialFile::generate`]). The
    /// last unit may be shorter.
    fn unit_size(&self) -> u64 {
        self.block_size()
    }
}

impl<T: PayloadKind + ?Sized> PayloadKind for &T {
    fn name(&self) -> String {
        (**self).name()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn may_be_shorter(&self) -> bool {
        (**self).may_be_shorter()
    }

    fn numbering(&self) -> u64 {
        (**self).numbering()
    }

    fn block_size(&self) -> u64 {
        (**self).block_size()
    }

    fn unit_size(&self) -> u64 {
        (**self).unit_size()
    }
}

/// Returns a checksum of the addresses of the entries of a thousand positions, as `place` computes
/// them.
///
/// If a new version numbers classes or placements differently, all older tables are wrong, and no
/// other checksum detects it: some of their bounds are then too high, and solutions are missed.
pub fn numbering(place: impl Fn(&Cube) -> u64) -> u64 {
    let mut checksum = Xxh3Default::new();
    for cube in random_positions(0).take(1000) {
        checksum.update(&place(&cube).to_le_bytes());
    }
    checksum.digest()
}

/// Bytes that are read and written at offsets: a file of the system, or any storage of the caller,
/// such as the private files of a page in a browser. Other threads may read and write other bytes
/// at the same time.
pub trait Storage: Sync {
    /// Returns the number of bytes.
    fn length(&self) -> io::Result<u64>;

    /// Truncates the storage to `length`, or extends it by zeros.
    fn set_length(&self, length: u64) -> io::Result<()>;

    /// Fills `bytes` with the bytes at `offset`.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too few bytes.
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;

    /// Writes `bytes` at `offset`, and extends the storage if necessary.
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Returns once everything written before survives a power cut, within the guarantees of the
    /// system.
    fn sync(&self) -> io::Result<()>;
}

impl<S: Storage> Storage for &S {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        (**self).set_length(length)
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        (**self).read_exact_at(bytes, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        (**self).write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        (**self).sync()
    }
}

/// Bytes in memory, which the caller may keep anywhere.
impl Storage for RwLock<Vec<u8>> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.read().unwrap_or_else(PoisonError::into_inner).len() as u64)
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.write()
            .unwrap_or_else(PoisonError::into_inner)
            .resize(in_memory(length)?, 0);
        Ok(())
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let kept = self.read().unwrap_or_else(PoisonError::into_inner);
        let from = kept
            .get(in_memory(offset)?..)
            .and_then(|kept| kept.get(..bytes.len()));
        bytes.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut kept = self.write().unwrap_or_else(PoisonError::into_inner);
        let start = in_memory(offset)?;
        let end = start + bytes.len();
        if kept.len() < end {
            kept.resize(end, 0);
        }
        kept[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

fn in_memory(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(|_| io::ErrorKind::OutOfMemory.into())
}

const MEGABYTE: u64 = 1_000_000;

/// An error while reading or writing a file of blocks, such as a table.
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
    /// The file was written by a program that numbers the entries, or reads their codes,
    /// differently.
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
        /// Its number, from 0 on.
        block: usize,
        blocks: usize,
    },
    /// The file does not fit on the disk.
    #[error("{path} needs another {} MB on disk, but only {} MB are free", needed.div_ceil(MEGABYTE), available / MEGABYTE)]
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
            Io { source, .. } if is_refusal(source) => Remedy::ChooseWritableFolder,
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

fn is_refusal(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, NotADirectory, PermissionDenied, ReadOnlyFilesystem};
    matches!(
        error.kind(),
        PermissionDenied | ReadOnlyFilesystem | NotADirectory | AlreadyExists
    )
}
