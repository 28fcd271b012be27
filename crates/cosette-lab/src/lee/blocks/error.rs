//! What can go wrong with a stored space or its index, and what mends it.

use std::path::PathBuf;

const MEGABYTE: u64 = 1_000_000;

/// Why a stored space or its index could not be built or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum StoredError {
    /// Nobody stores positions so far from solved.
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
    /// What mends it.
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
                format!("remove {} and do the same again: it is then built anew", path.display())
            }
            TooLittleDisk { .. } => "make room, or choose another folder with --tables".into(),
            BeingBuilt { .. } => "wait until it has done so, or stop it: what it has built is kept".into(),
        }
    }
}
