//! Pruning tables: for each coset of painted positions a lower bound of the distance to solved.
//!
//! A table holds, for each coordinate (`coord`), the least distance of all positions with that coordinate, packed into
//! two bits (`line`). It is filled by pulling (`generate`), kept in a file with checksums (`file`) in a folder of tables
//! (`folder`), and lives in huge pages where the system grants them (`memory`).

mod catalogue;
mod error;
mod file;
mod folder;
mod generate;
mod line;
mod memory;

pub use catalogue::{TableId, TableSize, UnknownTable};
pub use error::TableError;
pub use folder::{OnDisk, TableFolder};
pub use generate::Distribution;
pub use memory::available as available_memory;

use crate::coord::{CornerClasses, CornerPainting, EdgePainting};
use crate::cube::Cube;
use crate::kernel::Entries;
use line::{ENTRIES_PER_LINE, Line};
use memory::LineMemory;

/// A pruning table in memory.
pub struct Table {
    id: TableId,
    lines: LineMemory,
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
        let (class, s) = CornerClasses::get().classify(CornerPainting::of(cube).coordinate());
        let edges = EdgePainting::of(cube).conjugate(s);
        let view = self.view();
        let place = view.place(class, view.entries.offset(edges.placement(), edges.flips()));
        view.value(place)
    }

    /// The table as the search sees it.
    pub(crate) fn view(&self) -> TableView<'_> {
        TableView {
            lines: &self.lines,
            lines_per_class: self.id.size.lines_per_class(),
            entries: Entries { kept_flips: self.id.size.kept_flips() },
            base_value: self.id.base_value(),
        }
    }
}

/// What a probe needs of a table.
#[derive(Clone, Copy)]
pub(crate) struct TableView<'a> {
    lines: &'a [Line],
    lines_per_class: usize,
    pub entries: Entries,
    base_value: u8,
}

/// Where an entry lies: its line and its slot there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    line: u32,
    slot: u32,
}

impl TableView<'_> {
    /// Where the entry at `offset` of `class` lies.
    #[inline(always)]
    pub fn place(&self, class: u32, offset: u32) -> Place {
        let line = class * self.lines_per_class as u32 + offset / ENTRIES_PER_LINE as u32;
        Place { line, slot: offset % ENTRIES_PER_LINE as u32 }
    }

    /// Asks the processor to fetch a line.
    #[inline(always)]
    pub fn prefetch(&self, place: Place) {
        prefetch(&raw const self.lines[place.line as usize]);
    }

    /// The bound an entry stands for.
    #[inline(always)]
    pub fn value(&self, place: Place) -> u8 {
        self.lines[place.line as usize].value(place.slot, self.base_value)
    }
}

/// Asks the processor to fetch what lies at an address, past the first-level cache: with `prefetcht1` twice as many lines
/// a second arrive as with `prefetcht0`, which is bound by the few line-fill buffers.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests;
