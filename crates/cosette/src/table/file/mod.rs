//! Tables in files.
//!
//! ```text
//! byte 0     header, one page of 4096 bytes                            (header.rs)
//!            | magic | version | byte order | name | bytes of the entries | block size |
//!            | distribution | numbering of the entries | checksum of the list below | … zeros … | checksum of the header |
//!      4096  the checksums of the blocks, 8 bytes each, zeros to the end of the page
//!            | block 0 | block 1 | …                                                          |
//!      E     the entries, as they lie in memory
//!            | block 0, 4 MiB             | block 1, 4 MiB            | … the rest            |
//! ```
//!
//! Any table that is bytes in memory can be kept so ([`TableFile`]): those of the fast engine, whose entries lie in lines
//! of 64 bytes, and those that others fill.
//!
//! Checksums are XXH3 of 64 bits: they find what disks, copies and transfers do to a file, not what a forger does. Each
//! part is checked by the part before it, so opening a table costs two small reads, and its blocks can be checked in any
//! order while they are loaded.
//!
//! A table is written to another file beside its place, synced, and renamed; whoever looks finds the old table, the new
//! one or none, also after a power cut. The entries are written first and the header last. A table in memory is saved to
//! a temporary file (`writing`); one that is filled for its file goes to a partial file, from which an interrupted filling
//! goes on (`filling`).

mod generation;
mod header;
mod journal;
mod part;
mod positioned;
mod reading;
mod syncing;
mod writing;

pub(super) use generation::generate;
pub(super) use part::PartPaths;
pub(super) use reading::{check, load, verify};
pub(super) use writing::save;

use super::catalogue::TableId;
use super::error::TableError;
use super::line::Line;
use super::memory::TableMemory;
use super::pruning_table::{Memory, Table, entry_address};
use crate::control::Control;
use crate::cube::{Cube, random_positions};
use header::entries_start;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;
use zerocopy::FromBytes;

/// How the name of a temporary file ends.
pub(super) const TEMPORARY: &str = ".partial";

/// How much is read before it is checksummed, while it still lies in the processor's cache.
const PIECE: usize = 256 << 10;

/// What the file of a table says of it: a file that says otherwise is not read.
pub trait TableFile {
    /// The name, of 64 bytes at most: `htm-240M` is kept in `htm-240M.table`.
    fn name(&self) -> String;

    /// How many bytes the entries take.
    fn bytes(&self) -> u64;

    /// A checksum of where the entries of some positions lie, such as [`numbering`] makes, and of what they mean.
    fn numbering(&self) -> u64;
}

impl<T: TableFile + ?Sized> TableFile for &T {
    fn name(&self) -> String {
        (**self).name()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn numbering(&self) -> u64 {
        (**self).numbering()
    }
}

impl TableFile for TableId {
    fn name(&self) -> String {
        self.to_string()
    }

    fn bytes(&self) -> u64 {
        self.size.bytes()
    }

    fn numbering(&self) -> u64 {
        numbering(|cube| entry_address(cube, self.size.layout()).0 << 8 | u64::from(self.base_value()))
    }
}

/// A checksum of where the entries of a thousand positions lie, as `place` tells.
///
/// Whoever numbers classes or placements in another way makes all older tables wrong, and no other checksum would tell:
/// their bounds are then too high in places, and solutions are missed.
pub fn numbering(place: impl Fn(&Cube) -> u64) -> u64 {
    let mut checksum = Xxh3Default::new();
    for cube in random_positions(0).take(1000) {
        checksum.update(&place(&cube).to_le_bytes());
    }
    checksum.digest()
}

/// How large the file of a table is, in bytes.
pub(super) fn file_size(table: &dyn TableFile) -> u64 {
    entries_start(table.bytes()) + table.bytes()
}

impl Table {
    /// Writes the table to a file, which appears at `path` once it is complete, or never, with `threads` threads. Progress
    /// counts bytes.
    ///
    /// # Errors
    /// If the file cannot be written, or on cancellation. Nothing is left behind.
    pub fn save(&self, path: &Path, control: &Control<'_>) -> Result<(), TableError> {
        save(path, &self.id, &self.memory, &self.distribution, control)
    }

    /// Reads the table `expected` from a file and checks every block on the way, with `threads` threads. Progress counts
    /// bytes.
    ///
    /// # Errors
    /// If there is no such file, if it is damaged or holds another table, if there is too little memory, or on
    /// cancellation.
    pub fn load(path: &Path, expected: TableId, control: &Control<'_>) -> Result<Table, TableError> {
        let step = format!("loading {expected}");
        let (memory, distribution) = load(path, &expected, TableMemory::zeroed, &control.step(&step))?;
        Ok(Table { id: expected, memory: Memory::Own(memory), distribution })
    }

    /// Checks a file completely: all checksums, and that its entries are as many as its header says. Progress counts
    /// bytes. The table is not kept in memory.
    ///
    /// # Errors
    /// As for [`Table::load`].
    pub fn verify(path: &Path, expected: TableId, control: &Control<'_>) -> Result<(), TableError> {
        let count = |block: &[u8]| {
            let lines = <[Line]>::ref_from_bytes(block).expect("a block starts a line, and holds whole ones");
            let codes = lines.iter().map(Line::code_counts);
            codes.fold([0; 4], |sum, codes| std::array::from_fn(|code| sum[code] + u64::from(codes[code])))
        };
        let step = format!("verifying {expected}");
        let (counts, distribution) = verify(path, &expected, count, &control.step(&step))?;
        if counts == expected.code_counts(&distribution) {
            Ok(())
        } else {
            Err(TableError::WrongCounts { path: path.to_owned() })
        }
    }
}
