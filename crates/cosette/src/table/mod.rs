//! Pruning tables: lower bounds on the distance to solved, one for each class of positions that
//! look alike if opposite faces have the same color.
//!
//! A table holds, for each coordinate (`coord`), the minimum distance of all positions with that
//! coordinate, packed into 1.6 bits (`line`). It is generated backwards from solved (`generate`),
//! stored in a folder of block files (`folder`), and loaded into huge pages if the system grants
//! them (`pruning_table`). The highest rate at which its lines can be read is measured on the same
//! memory (`random_lines`).

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
