//! Pruning tables: for each coset of painted positions a lower bound of the distance to solved.
//!
//! A table holds, for each coordinate (`coord`), the least distance of all positions with that coordinate, packed into
//! two bits (`line`). It is filled by pulling (`generate`), kept in a file with checksums (`file`) in a folder of tables
//! (`folder`), and lives in huge pages where the system grants them (`memory`); the processes of one host can share its
//! memory (`shared`). How fast its lines can be had at best is
//! measured on this same memory (`random_lines`).

mod catalogue;
pub mod choice;
mod error;
mod file;
mod folder;
mod generate;
mod line;
mod memory;
pub(crate) mod random_lines;
mod remedy;
mod shared;

pub use catalogue::{TableId, TableSize, UnknownTable};
pub use error::TableError;
pub use file::{TableFile, numbering};
pub use folder::{OnDisk, TableFolder};
pub use generate::Distribution;
pub use memory::{Pages, TableMemory, available as available_memory};
pub use remedy::Remedy;
pub use shared::{InvalidSharedTable, SharedTable};

use crate::coord::{CornerClasses, CornerPainting, EdgePainting, Layout, EntryAddress};
use crate::cube::Cube;
use crate::kernel::Entries;
use shared::SharedMemory;
use std::ops::Deref;
use zerocopy::FromBytes;

/// A pruning table in memory.
pub struct Table {
    id: TableId,
    memory: Memory,
    distribution: Distribution,
}

impl Table {
    /// Which table this is.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// How many entries have each value; those of base + 3 and more count as base + 3.
    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// A lower bound of the distance of `cube` to solved, in the metric of the table.
    ///
    /// This is the obvious way to an entry, by the definitions of `coord`; the search goes through the kernel.
    pub fn bound(&self, cube: &Cube) -> u8 {
        let address = entry_address(cube, self.id.size.layout());
        line::values(self.id.base_value())[address.code_in(self.memory.as_words()[address.word()])]
    }

    /// The share of it that lies in huge pages, from 0 to 1; none where the system does not say.
    pub fn share_of_huge_pages(&self) -> Option<f64> {
        match &self.memory {
            Memory::Own(memory) => memory.share_of_huge_pages(),
            Memory::Shared(memory) => memory.share_of_huge_pages(),
        }
    }

    /// The table as the search sees it.
    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries::new(self.memory.as_words(), self.id.size.layout(), line::values(self.id.base_value()))
    }
}

/// The memory of a table.
enum Memory {
    /// Of this process alone.
    Own(TableMemory),
    /// Of several processes on this host.
    Shared(SharedMemory),
}

impl Memory {
    fn as_words(&self) -> &[u64] {
        <[u64]>::ref_from_bytes(self).expect("pages are aligned, and the table is made of words")
    }

    fn as_lines(&self) -> &[line::Line] {
        <[line::Line]>::ref_from_bytes(self).expect("pages are aligned, and the table is made of lines")
    }
}

impl Deref for Memory {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Memory::Own(memory) => memory,
            Memory::Shared(memory) => memory,
        }
    }
}

/// Where the entry of a position lies, by the definitions of `coord`.
fn entry_address(cube: &Cube, layout: Layout) -> EntryAddress {
    let (class, s) = CornerClasses::get().classify(CornerPainting::of(cube).coordinate());
    let edges = EdgePainting::of(cube).conjugate(s);
    layout.address(class, layout.offset(edges.placement(), edges.flips()))
}

#[cfg(test)]
mod tests;
