//! Pruning tables: for each coset of painted positions a lower bound on the distance to solved.
//!
//! A table holds, for each coordinate (`coord`), the least distance of all positions with that coordinate, packed into
//! 1.6 bits (`line`). It is generated backwards from solved (`generate`), stored in a folder of block files
//! (`folder`), and loaded into huge pages if the system grants them (`memory`); the processes of one host can share its
//! memory (`shared`). The highest rate at which its lines can be read is measured on the same memory (`random_lines`).

mod alphabets;
mod catalogue;
#[cfg(feature = "files")]
pub mod choice;
mod error;
#[cfg(feature = "files")]
mod folder;
mod generate;
mod line;
mod memory;
mod pruning_table;
#[cfg(feature = "files")]
pub(crate) mod random_lines;
#[cfg(feature = "files")]
mod shared;
mod stored;

pub use crate::block_file::{FileError, Storage};
#[doc(hidden)]
pub use crate::platform::Pages;
pub use crate::platform::available_memory;
#[doc(hidden)]
pub use catalogue::Distribution;
pub use catalogue::{TableId, TableSize, UnknownTable};
pub use error::TableError;
#[cfg(feature = "files")]
pub use folder::{OnDisk, TableFolder};
pub use generate::PartialTable;
#[doc(hidden)]
pub use memory::TableMemory;
pub use pruning_table::Table;
#[cfg(feature = "files")]
pub use shared::{InvalidSharedTable, SharedTable};

#[cfg(test)]
mod tests;
