//! A pruning table in memory.

use super::alphabets::values;
use super::catalogue::{Distribution, TableId};
use super::memory::{TableMemory, share_of_huge_pages};
#[cfg(feature = "files")]
use super::shared::memory::SharedMemory;
use crate::coord::{CornerClasses, CornerPainting, EdgePainting, EntryAddress, Layout};
use crate::cube::Cube;
use crate::kernel::Entries;
use std::fmt;
use std::ops::Deref;
use zerocopy::FromBytes;

/// A pruning table in memory.
pub struct Table {
    pub(super) id: TableId,
    pub(super) memory: Memory,
    pub(super) distribution: Distribution,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").field("id", &format_args!("{}", self.id)).finish_non_exhaustive()
    }
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

    /// A lower bound on the distance of `cube` to solved, in the metric of the table.
    ///
    /// This is the obvious implementation, by the definitions of `coord`; the search uses the kernel.
    pub fn bound(&self, cube: &Cube) -> u8 {
        let address = entry_address(cube, self.id.size.layout());
        values(self.id.base_value())[address.value_in(self.memory.as_words()[address.word()])]
    }

    /// The share of it that is in huge pages, from 0 to 1; `None` if the system does not say.
    pub fn share_of_huge_pages(&self) -> Option<f64> {
        share_of_huge_pages(&self.memory)
    }

    /// The table as the search sees it.
    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries { words: self.memory.as_words(), layout: self.id.size.layout(), values: values(self.id.base_value()) }
    }
}

/// The memory of a table.
pub(super) enum Memory {
    /// Of this process alone.
    Own(TableMemory),
    /// Of several processes on this host.
    #[cfg(feature = "files")]
    Shared(SharedMemory),
}

impl Memory {
    pub(super) fn as_words(&self) -> &[u64] {
        <[u64]>::ref_from_bytes(self).expect("pages are aligned, and the table is made of words")
    }
}

impl Deref for Memory {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Memory::Own(memory) => memory,
            #[cfg(feature = "files")]
            Memory::Shared(memory) => memory,
        }
    }
}

/// The address of the entry of a position, by the definitions of `coord`.
pub(super) fn entry_address(cube: &Cube, layout: Layout) -> EntryAddress {
    let (class, s) = CornerClasses::get().classify(CornerPainting::of(cube).coordinate());
    let edges = EdgePainting::of(cube).conjugate(s);
    layout.address(class, layout.offset(edges.placement(), edges.flips()))
}
