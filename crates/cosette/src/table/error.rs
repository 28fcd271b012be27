//! What can go wrong with a table, and how to fix it.

use super::catalogue::{TableId, TableSize};
use crate::block_file::{FileError, table_in};
use crate::control::{Progress, ThreadsRefused};
use crate::remedy::Remedy;
use std::fmt;
use std::io;
use std::path::PathBuf;

const MEGABYTE: u64 = 1_000_000;

/// A size in bytes that is needed, rounded up: in MB, or in GB from one GB on.
pub(super) struct SizeUp(pub u64);

impl fmt::Display for SizeUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.div_ceil(MEGABYTE) {
            megabytes if megabytes < 1000 => write!(f, "{megabytes} MB"),
            megabytes => write!(f, "{:.2} GB", megabytes.div_ceil(10) as f64 / 100.0),
        }
    }
}

/// Why there is too little memory: how much is available, unless the system refused less than that.
fn why_too_little(needed: u64, available: u64) -> String {
    if available < needed {
        format!("and {} are available for it", SizeDown(available))
    } else {
        "which the system refuses".to_owned()
    }
}

/// A size in bytes that there is, rounded down.
pub(super) struct SizeDown(pub u64);

impl fmt::Display for SizeDown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 / MEGABYTE {
            megabytes if megabytes < 1000 => write!(f, "{megabytes} MB"),
            megabytes => write!(f, "{:.2} GB", (megabytes / 10) as f64 / 100.0),
        }
    }
}

/// Why a table could not be made, kept or used.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum TableError {
    /// Its file could not be written or read.
    #[error(transparent)]
    File(FileError),
    /// All checksums agree, but the numbers of entries with each value differ from those in the header.
    #[error("the entries of {path} do not match the counts in its header")]
    WrongCounts { path: PathBuf },
    /// The table does not fit in memory.
    #[error("the table needs {} of memory, {}", SizeUp(*needed), why_too_little(*needed, *available))]
    TooLittleMemory { needed: u64, available: u64 },
    /// The requested threads could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsRefused),
    /// The work was asked to stop.
    #[error("stopped before the table was complete")]
    Cancelled,
    /// Generation was asked to stop; what has been generated is kept in the partial file.
    #[error("stopped with {} % of {id} generated", kept.percent())]
    Stopped { id: TableId, kept: Progress },
    /// The processes of this host cannot share memory.
    #[error("cannot {action} shared memory: {source}")]
    NotShared { action: &'static str, source: io::Error },
}

impl From<FileError> for TableError {
    fn from(error: FileError) -> TableError {
        match error {
            FileError::Cancelled => TableError::Cancelled,
            FileError::Threads(refused) => refused.into(),
            error => TableError::File(error),
        }
    }
}

impl TableError {
    /// Whether there is no such file.
    pub fn is_not_found(&self) -> bool {
        matches!(self, TableError::File(FileError::NotFound { .. }))
    }

    /// Whether the work stopped because it was asked to.
    pub fn is_cancellation(&self) -> bool {
        matches!(self, TableError::Cancelled | TableError::Stopped { .. })
    }

    /// Whether the file in the place of a table is not that table. It may be the user's, so it is not replaced.
    pub fn is_other_file(&self) -> bool {
        matches!(self, TableError::File(FileError::OtherFormat { .. } | FileError::OtherContents { .. }))
    }

    /// Whether the memory that there is does not hold the table.
    pub fn is_out_of_memory(&self) -> bool {
        matches!(self, TableError::TooLittleMemory { .. })
    }

    /// How to fix it; `None` if there is nothing to suggest.
    pub fn remedy(&self) -> Option<Remedy> {
        use TableError::*;
        Some(match self {
            File(error) => return error.remedy(),
            Threads(refused) => refused.remedy(),
            WrongCounts { path } => Remedy::GenerateAgain(table_in(path)),
            TooLittleMemory { needed, .. } if *needed <= TableSize::ALL[0].bytes() => Remedy::FreeMemory,
            TooLittleMemory { .. } => Remedy::ChooseSmallerTable,
            Stopped { id, .. } => Remedy::ContinueGeneration(id.to_string()),
            Cancelled | NotShared { .. } => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_explained() {
        let message = |available| TableError::TooLittleMemory { needed: 2_000_000_001, available }.to_string();
        assert_eq!(message(1_999_999_999), "the table needs 2.01 GB of memory, and 1.99 GB are available for it");
        assert_eq!(message(3_000_000_000), "the table needs 2.01 GB of memory, which the system refuses");
    }
}
