//! A pruning table in memory, in anonymous pages, which are huge if the system grants it; and
//! loading and verifying its file.

use super::catalog::{Distribution, TableError, TableId};
use super::line::{LEVELS, Line, values};
use crate::block_file::{BlockFile, PayloadKind, Storage, numbering};
use crate::control::Control;
use crate::coord::{CornerClasses, CornerPainting, EdgePainting, EntryAddress, Layout};
use crate::cube::Cube;
use crate::kernel::{TableEntries, prefetch};
use crate::platform::{PageMemory, available_memory};
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use zerocopy::FromBytes;

/// A pruning table in memory.
pub struct Table {
    pub(super) id: TableId,
    pub(super) memory: TableMemory,
    pub(super) distribution: Distribution,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("id", &format_args!("{}", self.id))
            .finish_non_exhaustive()
    }
}

impl Table {
    /// Returns the identity of the table.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// Returns the number of entries with each value. The largest value that the table stores also
    /// stands for all larger ones.
    pub fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// Returns a lower bound on the distance of `cube` to solved, in the metric of the table.
    ///
    /// This is a simple reference implementation; searches use an optimized one.
    pub fn bound(&self, cube: &Cube) -> u8 {
        let address = entry_address(cube, self.id.size.layout());
        values(self.id.base_value())[address.value_in(self.memory.as_words()[address.word()])]
    }

    /// Returns the share of the table in huge pages, from 0 to 1; `None` if unknown.
    pub fn share_of_huge_pages(&self) -> Option<f64> {
        self.memory.share_of_huge_pages()
    }

    /// Returns the memory of the table, for measurements.
    #[doc(hidden)]
    pub fn memory(&self) -> &TableMemory {
        &self.memory
    }

    /// Returns the view of the table for the search.
    pub(crate) fn entries(&self) -> TableEntries<'_> {
        TableEntries {
            words: self.memory.as_words(),
            layout: self.id.size.layout(),
            values: values(self.id.base_value()),
        }
    }
}

/// Returns the address of the entry of a position, by the definitions of `coord`.
pub(super) fn entry_address(cube: &Cube, layout: Layout) -> EntryAddress {
    let (class, s) = CornerClasses::get().classify(CornerPainting::of(cube).coordinate());
    let edges = EdgePainting::of(cube).conjugate(s);
    layout.address(class, layout.offset(edges.placement(), edges.flips()))
}

/// The bytes of a table, all zero at first. They start on a line and are in huge pages if the
/// system grants them.
#[derive(Debug)]
pub struct TableMemory {
    bytes: PageMemory,
}

impl TableMemory {
    /// Reserves this many bytes, in huge pages. The system allocates them when they are first
    /// written.
    ///
    /// # Errors
    ///
    /// Returns an error if the machine does not have that much memory available.
    pub fn zeroed(needed: u64) -> Result<TableMemory, TableError> {
        let available = available_memory();
        let memory = (needed <= available)
            .then(|| PageMemory::zeroed(needed))
            .flatten();
        memory
            .map(|bytes| TableMemory { bytes })
            .ok_or(TableError::TooLittleMemory { needed, available })
    }

    /// Returns the share of the memory in huge pages, from 0 to 1; `None` if unknown.
    pub fn share_of_huge_pages(&self) -> Option<f64> {
        let smaps = std::fs::read_to_string("/proc/self/smaps").ok()?;
        huge_share_of_mapping(&smaps, self.as_ptr() as usize)
    }

    /// Prefetches the byte at `index`, which will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        prefetch(self.bytes.as_ptr().wrapping_add(index));
    }

    /// Returns the bytes as words.
    fn as_words(&self) -> &[u64] {
        <[u64]>::ref_from_bytes(self).expect("pages are aligned, and the table is made of words")
    }

    /// Returns the bytes as lines.
    pub(super) fn as_mut_lines(&mut self) -> &mut [Line] {
        <[Line]>::mut_from_bytes(&mut self.bytes)
            .expect("it starts on a line, and the table is made of lines")
    }
}

impl Deref for TableMemory {
    type Target = [u8];
    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for TableMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

/// Returns the share of huge pages in the mapping that holds this address. `smaps` is the text of
/// `/proc/self/smaps`: for each mapping a line `7f1200000000-7f1280000000 rw-p …`, then lines such
/// as `Size:  2097152 kB` and `AnonHugePages:  2095104 kB`, in this order.
fn huge_share_of_mapping(smaps: &str, address: usize) -> Option<f64> {
    let holds_address = |line: &str| {
        let (start, end) = line.split_whitespace().next()?.split_once('-')?;
        let [start, end] = [start, end].map(|text| usize::from_str_radix(text, 16).ok());
        Some((start?..end?).contains(&address))
    };
    let lines = smaps
        .lines()
        .skip_while(|line| holds_address(line) != Some(true))
        .skip(1);
    let mut lines = lines.take_while(|line| holds_address(line).is_none());
    let mut kilobytes = |name: &str| {
        let value_if_named = |line: &str| {
            line.strip_prefix(name)?
                .trim_end_matches("kB")
                .trim()
                .parse::<f64>()
                .ok()
        };
        lines.find_map(value_if_named)
    };
    let size = kilobytes("Size:")?;
    Some(kilobytes("AnonHugePages:")? / size)
}

impl PayloadKind for TableId {
    fn name(&self) -> String {
        self.to_string()
    }

    fn bytes(&self) -> u64 {
        self.size.bytes()
    }

    fn numbering(&self) -> u64 {
        // An entry is numbered as in files: the number of its word, then seven bits for its place
        // in the word.
        let number = |EntryAddress(address)| {
            (address & 0xffff_ffff) << 7 | address >> EntryAddress::IN_WORD_SHIFT
        };
        // Entries depend on the base value too, which takes eight more bits.
        numbering(|cube| {
            number(entry_address(cube, self.size.layout())) << 8 | u64::from(self.base_value())
        })
    }

    /// The size of a class of corner paintings.
    fn block_size(&self) -> u64 {
        (self.size.lines_per_class() * size_of::<Line>()) as u64
    }
}

impl Table {
    /// Loads a table from the bytes of its file in a [`Storage`], and checks every block. Progress
    /// counts bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is corrupted or has other contents, if there is too little
    /// memory, or on cancellation.
    pub fn load_from(
        id: TableId,
        file: &impl Storage,
        control: &Control<'_>,
    ) -> Result<Table, TableError> {
        load(id, BlockFile::stored(file, &id)?, control)
    }

    /// Verifies a table in a [`Storage`] without keeping it in memory: all checksums, and the
    /// number of entries with each value, which the header records. Progress counts bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Table::load_from`].
    pub fn verify_in(
        id: TableId,
        file: &impl Storage,
        control: &Control<'_>,
    ) -> Result<(), TableError> {
        verify(id, BlockFile::stored(file, &id)?, control)
    }
}

pub(super) fn load<S: Storage>(
    id: TableId,
    file: BlockFile<S>,
    control: &Control<'_>,
) -> Result<Table, TableError> {
    let step = format!("loading {id}");
    let mut memory = TableMemory::zeroed(file.bytes())?;
    file.read_into(&mut memory, &control.step(&step))?;
    Ok(Table {
        id,
        memory,
        distribution: *file.facts(),
    })
}

pub(super) fn verify<S: Storage>(
    id: TableId,
    file: BlockFile<S>,
    control: &Control<'_>,
) -> Result<(), TableError> {
    let counts: [AtomicU64; LEVELS] = Default::default();
    let count = |_, block: &[u8]| {
        let lines = block.chunks_exact(size_of::<Line>());
        let counts_of_lines = lines.map(|line| {
            Line::read_from_bytes(line)
                .expect("it is as long as a line")
                .level_counts()
        });
        let counts_of_block = counts_of_lines.fold([0; LEVELS], |sum, counts| {
            std::array::from_fn(|level| sum[level] + counts[level])
        });
        for (sum, count) in counts.iter().zip(counts_of_block) {
            sum.fetch_add(count.into(), Ordering::Relaxed);
        }
    };
    let step = format!("verifying {id}");
    file.for_each_block(count, &control.step(&step))?;
    if id.may_be_read_as(counts.map(AtomicU64::into_inner), file.facts()) {
        Ok(())
    } else {
        Err(TableError::WrongCounts {
            path: file.path().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn huge_pages_are_counted_in_the_mapping_that_holds_the_address() {
        let smaps = "\
            7f10-7f20 rw-p 00000000 00:00 0\nSize:     16 kB\nAnonHugePages:     0 kB\n\
            7f30-7f40 rw-p 00000000 00:00 0\nSize:   4096 kB\nRss: 4096 kB\nAnonHugePages:  3072 kB\nTHPeligible: 1\n";
        assert_eq!(huge_share_of_mapping(smaps, 0x7f30), Some(0.75));
        assert_eq!(huge_share_of_mapping(smaps, 0x7f1f), Some(0.0));
        assert_eq!(huge_share_of_mapping(smaps, 0x7f40), None);
    }
}
