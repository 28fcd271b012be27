//! Tables as the files that they are kept in.

use super::catalogue::TableId;
use super::error::TableError;
use super::line::{LEVELS, Line};
use super::memory::TableMemory;
use super::pruning_table::{Memory, Table, entry_address};
use crate::block_file::{self, BlockFile, Contents, Storage, numbering};
use crate::control::Control;
use std::sync::atomic::{AtomicU64, Ordering};
use zerocopy::FromBytes;

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
    /// Loads a table from a storage that holds its file, and checks every block. Progress counts bytes. Fails if it is damaged
    /// or holds something else, if there is too little memory, or on cancellation.
    pub fn load_from(id: TableId, file: &impl Storage, control: &Control<'_>) -> Result<Table, TableError> {
        let step = format!("loading {id}");
        let file = BlockFile::stored(file, &id)?;
        let mut memory = TableMemory::zeroed(file.bytes())?;
        file.read_into(&mut memory, &control.step(&step))?;
        Ok(Table { id, memory: Memory::Own(memory), distribution: *file.facts() })
    }

    /// Writes the file of the table to a storage, whatever it held before. Progress counts bytes. Fails if it cannot be
    /// written, or on cancellation.
    pub fn store_in(&self, file: &impl Storage, control: &Control<'_>) -> Result<(), TableError> {
        let step = format!("storing {}", self.id);
        Ok(block_file::store(file, &self.id, &self.memory, &self.distribution, &control.step(&step))?)
    }

    /// Checks the file of a table in a storage completely, without keeping it in memory: all checksums, and that its entries
    /// are as many as its header says. Progress counts bytes. Fails as [`Table::load_from`] does.
    pub fn verify_in(id: TableId, file: &impl Storage, control: &Control<'_>) -> Result<(), TableError> {
        verify(id, BlockFile::stored(file, &id)?, control)
    }
}

pub(super) fn verify<S: Storage>(id: TableId, file: BlockFile<S>, control: &Control<'_>) -> Result<(), TableError> {
    let counts: [AtomicU64; LEVELS] = Default::default();
    let count = |_, block: &[u8]| {
        let lines = block.chunks_exact(size_of::<Line>());
        let levels = lines.map(|line| Line::read_from_bytes(line).expect("it is as long as a line").level_counts());
        let levels = levels.fold([0; LEVELS], |sum, levels| std::array::from_fn(|level| sum[level] + levels[level]));
        for (sum, count) in counts.iter().zip(levels) {
            sum.fetch_add(count.into(), Ordering::Relaxed);
        }
    };
    let step = format!("verifying {id}");
    file.for_each_block(count, &control.step(&step))?;
    if id.may_be_read_as(counts.map(AtomicU64::into_inner), file.facts()) {
        Ok(())
    } else {
        Err(TableError::WrongCounts { path: file.path().to_owned() })
    }
}
