//! Tables in files: how the tables of the fast engine lie in a block file.

use super::catalogue::TableId;
use super::error::TableError;
use super::generate::{Plan, Scratch};
use super::line::Line;
use super::memory::TableMemory;
use super::pruning_table::{Memory, Table, entry_address};
use crate::block_file::{self, BlockFile, Contents, numbering};
use crate::control::Control;
use crate::kernel::Instructions;
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use zerocopy::{FromBytes, FromZeros, IntoBytes};

impl Contents for TableId {
    fn name(&self) -> String {
        self.to_string()
    }

    fn bytes(&self) -> u64 {
        self.size.bytes()
    }

    fn numbering(&self) -> u64 {
        numbering(|cube| entry_address(cube, self.size.layout()).0 << 8 | u64::from(self.base_value()))
    }

    /// A class of corner paintings.
    fn unit_size(&self) -> u64 {
        (self.size.lines_per_class() * size_of::<Line>()) as u64
    }
}

impl Table {
    /// Writes the table to a file, which appears at `path` once it is complete, or never. Progress counts bytes.
    ///
    /// # Errors
    /// If the file cannot be written, or on cancellation. Nothing is left behind.
    pub fn save(&self, path: &Path, control: &Control<'_>) -> Result<(), TableError> {
        Ok(block_file::save(path, &self.id, &self.memory, &self.distribution, control)?)
    }

    /// Reads the table `expected` from a file and checks every block on the way. Progress counts bytes.
    ///
    /// # Errors
    /// If there is no such file, if it is damaged or holds another table, if there is too little memory, or on
    /// cancellation.
    pub fn load(path: &Path, expected: TableId, control: &Control<'_>) -> Result<Table, TableError> {
        let step = format!("loading {expected}");
        let file = BlockFile::open(path, &expected)?;
        let mut memory = TableMemory::zeroed(file.bytes())?;
        file.read_into(&mut memory, &control.step(&step))?;
        Ok(Table { id: expected, memory: Memory::Own(memory), distribution: *file.facts() })
    }

    /// Checks a file completely: all checksums, and that its entries are as many as its header says. Progress counts
    /// bytes. The table is not kept in memory.
    ///
    /// # Errors
    /// As for [`Table::load`].
    pub fn verify(path: &Path, expected: TableId, control: &Control<'_>) -> Result<(), TableError> {
        let counts: [AtomicU64; 4] = Default::default();
        let count = |_, block: &[u8]| {
            let lines = block.chunks_exact(size_of::<Line>());
            let codes = lines.map(|line| Line::read_from_bytes(line).expect("it is as long as a line").code_counts());
            let codes = codes.fold([0; 4], |sum: [u32; 4], codes| std::array::from_fn(|code| sum[code] + codes[code]));
            for (sum, count) in counts.iter().zip(codes) {
                sum.fetch_add(count.into(), Ordering::Relaxed);
            }
        };
        let step = format!("verifying {expected}");
        let file = BlockFile::open(path, &expected)?;
        file.for_each_block(count, &control.step(&step))?;
        if counts.map(AtomicU64::into_inner) == expected.code_counts(file.facts()) {
            Ok(())
        } else {
            Err(TableError::WrongCounts { path: path.to_owned() })
        }
    }
}

/// Generates the table `id` into its file at `path`, from where an earlier generation stopped. Progress counts classes of
/// corner paintings.
///
/// # Errors
/// If another process generates the table, if the files cannot be written, or on cancellation: what has been generated is
/// kept.
pub(super) fn generate(path: &Path, id: TableId, control: &Control<'_>) -> Result<(), TableError> {
    let generated = block_file::generate(path, &id, control, |units, missing| {
        let plan = Plan::new(id, Instructions::best(), control.cancel()).ok_or(TableError::Cancelled)?;
        let buffers = || (Scratch::new(id), vec![Line::new_zeroed(); id.size.lines_per_class()]);
        missing.par_iter().try_for_each_init(buffers, |(scratch, lines), &class| {
            if control.is_cancelled() {
                return Err(TableError::Cancelled);
            }
            let distribution = plan.generate_class(class as u32, scratch, lines);
            let counts = std::array::from_fn(|value| distribution[value] as u32);
            Ok(units.write(class, lines.as_bytes(), counts)?)
        })
    });
    match (generated, block_file::progress(path, &id)) {
        (Err(TableError::Cancelled), Some(kept)) => Err(TableError::Stopped { id, kept }),
        (generated, _) => generated,
    }
}
