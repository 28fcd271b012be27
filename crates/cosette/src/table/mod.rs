//! Pruning tables: lower bounds on the distance to solved, one for each class of positions that
//! look alike if opposite faces have the same color.
//!
//! A table holds, for each coordinate (`coord`), the minimum distance of all positions with that
//! coordinate, packed into 1.6 bits (`line`). It is generated backwards from solved (`generate`),
//! stored in a folder of block files (`folder`), and loaded into huge pages if the system grants
//! them (`pruning_table`); the processes of one host can share its memory (`shared`). The highest
//! rate at which its lines can be read is measured on the same memory (`random_lines`).

mod catalog;
#[cfg(feature = "files")]
pub mod choice;
#[cfg(feature = "files")]
mod folder;
mod generate;
mod line;
mod pruning_table;
#[cfg(feature = "files")]
pub(crate) mod random_lines;
#[cfg(feature = "files")]
mod shared;
#[cfg(all(feature = "files", target_os = "linux"))]
mod shared_memory;
/// A stub for systems without memory that is freed with its last user: each process loads its own
/// copy of a table.
#[cfg(all(feature = "files", not(target_os = "linux")))]
mod shared_memory {
    use super::TableError;
    use crate::platform::Pages;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct MemoryLocation {
        pub process: u32,
        pub descriptor: u32,
        pub file: u64,
    }

    #[derive(Debug)]
    pub(super) enum SharedMemory {}

    impl SharedMemory {
        pub fn filled(
            _: Pages,
            _: u64,
            _: impl FnOnce(&mut [u8]) -> Result<(), TableError>,
        ) -> Result<SharedMemory, TableError> {
            Err(unsupported("create"))
        }

        pub fn open(_: MemoryLocation, _: u64) -> Result<SharedMemory, TableError> {
            Err(unsupported("open"))
        }

        pub fn location(&self) -> Option<MemoryLocation> {
            match *self {}
        }
    }

    impl std::ops::Deref for SharedMemory {
        type Target = [u8];
        fn deref(&self) -> &[u8] {
            match *self {}
        }
    }

    fn unsupported(action: &'static str) -> TableError {
        TableError::NotShared {
            action,
            source: std::io::ErrorKind::Unsupported.into(),
        }
    }
}

pub use crate::block_file::{FileError, Storage};
pub use crate::platform::available_memory;
#[doc(hidden)]
pub use catalog::Distribution;
pub use catalog::{TableError, TableId, TableSize, UnknownTable};
#[cfg(feature = "files")]
pub use folder::{TableFileState, TableFolder};
pub use generate::PartialTable;
pub use pruning_table::Table;
#[doc(hidden)]
pub use pruning_table::TableMemory;
#[cfg(feature = "files")]
pub use shared::{InvalidSharedTableLocation, SharedTableLocation};
