//! A payload that is stored block by block while it is generated, or at once.
//!
//! Each block lies in the storage at its offset in the final file. The header is written last:
//! without it, the storage is not a file. A journal in another storage records the stored blocks:
//!
//! ```text
//! byte 0     a page with the contents, the numbering and the version of the format
//!      4096  one record of 80 bytes per block, in order; a block without a valid one is missing
//!            | 16 counts of 4 bytes each | checksum of the block | checksum of the record |
//! ```
//!
//! Writes are neither ordered nor synced. A block counts as stored only if both checksums in its
//! record are right. So after a power cut, each block is either complete or generated again.

use super::byte_storage::Storage;
use super::error::FileError;
use super::header::{FileLayout, Header, JOURNAL_MAGIC, MAGIC, PAGE, PayloadKind, PayloadStats};
use crate::control::Control;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

/// The stored blocks of a payload.
pub struct BlockStorage<'a, S> {
    contents: &'a dyn PayloadKind,
    pub(super) layout: FileLayout,
    pub(super) payload: S,
    pub(super) journal: S,
    /// The names of the payload and the journal in messages.
    names: [PathBuf; 2],
}

impl<'a, S: Storage> BlockStorage<'a, S> {
    /// Creates a block storage that writes the file to `payload` and its journal to `journal`.
    pub fn new(contents: &'a dyn PayloadKind, payload: S, journal: S) -> BlockStorage<'a, S> {
        BlockStorage::named(
            [name_of(contents), name_of(contents)],
            contents,
            payload,
            journal,
        )
    }

    /// Creates a block storage with names for messages.
    pub(super) fn named(
        names: [PathBuf; 2],
        contents: &'a dyn PayloadKind,
        payload: S,
        journal: S,
    ) -> BlockStorage<'a, S> {
        BlockStorage {
            contents,
            layout: FileLayout::of(contents),
            payload,
            journal,
            names,
        }
    }

    /// Returns the number of blocks.
    pub fn count(&self) -> usize {
        self.layout.blocks()
    }

    /// Returns the byte range of a block in the payload.
    pub fn range(&self, block: usize) -> Range<u64> {
        self.layout.block(block)
    }

    /// Reads the completely stored blocks into `memory`. Returns the counts of each block, or
    /// `None` for a block that is missing. If the journal has other contents, it is replaced and
    /// nothing is read.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage cannot be read or written.
    ///
    /// # Panics
    ///
    /// Panics if the length of `memory` differs from that of the payload.
    pub fn restore(&self, memory: &mut [u8]) -> Result<Vec<Option<[u32; 16]>>, FileError> {
        assert_eq!(memory.len() as u64, self.layout.bytes);
        self.make_room()?;
        let records = self.journal_records()?;
        let blocks = memory.chunks_mut(self.layout.block_size as usize);
        let mut counts = Vec::new();
        for (block, (bytes, record)) in blocks.zip(records).enumerate() {
            let record = self.read_if_stored(block, record, bytes)?;
            counts.push(record.map(|record| record.counts()));
        }
        Ok(counts)
    }

    /// Stores a block and its `counts`, which it contributes to the first 16 facts.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub fn write(&self, block: usize, bytes: &[u8], counts: [u32; 16]) -> Result<(), FileError> {
        self.write_all_at(bytes, self.range(block).start)?;
        let record = BlockRecord::new(block, counts, xxh3_64(bytes));
        let offset = PAGE + block * size_of::<BlockRecord>();
        self.journal
            .write_all_at(record.as_bytes(), offset as u64)
            .map_err(self.failed_in_journal("write"))
    }

    /// Completes the file. All blocks of `memory` must have been stored. The journal is not needed
    /// afterwards.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, or on cancellation.
    pub fn complete(
        &self,
        memory: &[u8],
        facts: &PayloadStats,
        control: &Control<'_>,
    ) -> Result<(), FileError> {
        let sums = self.layout.for_each_block(control, |_, block| {
            let Range { start, end } = self.range(block);
            Ok(xxh3_64(&memory[start as usize..end as usize]))
        })?;
        self.write_head(facts, &sums)
    }

    /// Returns the journal record of each block. If the journal has other contents, it is replaced
    /// by an empty one, and the file is filled with zeros.
    pub(super) fn journal_records(&self) -> Result<Vec<Option<BlockRecord>>, FileError> {
        let records = read_journal(&self.journal, self.contents);
        if let Some(records) = records.map_err(self.failed_in_journal("read"))? {
            return Ok(records);
        }
        let begin = || {
            self.journal.set_length(0)?;
            let header = journal_header(self.contents);
            self.journal.write_all_at(header.as_bytes(), 0)
        };
        begin().map_err(self.failed_in_journal("write"))?;
        self.payload.set_length(0).map_err(self.failed("write"))?;
        self.make_room()?;
        Ok(vec![None; self.count()])
    }

    /// Reads a block and returns `record`; `None` if the block does not agree with it, or has no
    /// record.
    pub(super) fn read_if_stored(
        &self,
        block: usize,
        record: Option<BlockRecord>,
        bytes: &mut [u8],
    ) -> Result<Option<BlockRecord>, FileError> {
        let Some(record) = record else {
            return Ok(None);
        };
        self.read_exact_at(bytes, self.range(block).start)?;
        Ok((xxh3_64(bytes) == record.block_checksum()).then_some(record))
    }

    /// Sets the length of the file to that of the complete file.
    pub(super) fn make_room(&self) -> Result<(), FileError> {
        self.payload
            .set_length(self.layout.file_size())
            .map_err(self.failed("write"))
    }

    /// Writes into the payload at an offset.
    pub(super) fn write_all_at(&self, bytes: &[u8], offset: u64) -> Result<(), FileError> {
        self.payload
            .write_all_at(bytes, self.layout.payload_start() + offset)
            .map_err(self.failed("write"))
    }

    /// Reads from the payload at an offset.
    pub(super) fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), FileError> {
        self.payload
            .read_exact_at(bytes, self.layout.payload_start() + offset)
            .map_err(self.failed("read"))
    }

    /// Writes the parts before the payload and syncs everything. The header is last, so that no
    /// incomplete file has a header.
    pub(super) fn write_head(&self, facts: &PayloadStats, sums: &[u64]) -> Result<(), FileError> {
        let list = self.layout.list(sums);
        let write = || {
            self.payload.write_all_at(&list, PAGE as u64)?;
            self.payload.sync()?;
            let header = Header::new(MAGIC, self.contents, &self.layout, facts, &list);
            self.payload.write_all_at(header.as_bytes(), 0)?;
            self.payload.sync()
        };
        write().map_err(self.failed("write"))
    }

    fn failed(&self, action: &'static str) -> impl FnOnce(io::Error) -> FileError + use<S> {
        FileError::io(action, &self.names[0])
    }

    fn failed_in_journal(
        &self,
        action: &'static str,
    ) -> impl FnOnce(io::Error) -> FileError + use<S> {
        FileError::io(action, &self.names[1])
    }
}

/// Returns the name for messages of a payload whose storage has no path.
pub(super) fn name_of(contents: &dyn PayloadKind) -> PathBuf {
    PathBuf::from(format!("{}.table", contents.name()))
}

/// The journal record of a block.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct BlockRecord {
    counts: [U32; 16],
    block_checksum: U64,
    checksum: U64,
}

impl BlockRecord {
    pub fn new(block: usize, counts: [u32; 16], block_checksum: u64) -> BlockRecord {
        let mut record = BlockRecord {
            counts: counts.map(U32::from),
            block_checksum: block_checksum.into(),
            checksum: 0.into(),
        };
        record.checksum = record.own_checksum(block).into();
        record
    }

    /// Returns the checksum of the record, seeded with the number of its block, so that no record
    /// is valid for another block.
    fn own_checksum(&self, block: usize) -> u64 {
        let bytes = self.as_bytes();
        xxh3_64_with_seed(&bytes[..bytes.len() - size_of::<U64>()], block as u64)
    }

    pub fn block_checksum(&self) -> u64 {
        self.block_checksum.get()
    }

    pub fn counts(&self) -> [u32; 16] {
        self.counts.map(U32::get)
    }
}

/// Returns the record of each block, or `None` for a block without a valid record. Returns `None`
/// for all if the journal has other contents.
pub(super) fn read_journal(
    journal: &impl Storage,
    contents: &dyn PayloadKind,
) -> io::Result<Option<Vec<Option<BlockRecord>>>> {
    let mut records = vec![BlockRecord::new_zeroed(); FileLayout::of(contents).blocks()];
    let max_length = PAGE + size_of_val(&records[..]);
    let mut bytes = vec![0; journal.length()?.min(max_length as u64) as usize];
    journal.read_exact_at(&mut bytes, 0)?;
    let Some(record_bytes) = bytes.strip_prefix(journal_header(contents).as_bytes()) else {
        return Ok(None);
    };
    records.as_mut_bytes()[..record_bytes.len()].copy_from_slice(record_bytes);
    let validated = |(block, record): (usize, BlockRecord)| {
        (record.checksum == record.own_checksum(block)).then_some(record)
    };
    Ok(Some(
        records.into_iter().enumerate().map(validated).collect(),
    ))
}

/// Returns the first page of the journal of a file with these contents.
fn journal_header(contents: &dyn PayloadKind) -> Header {
    let layout = FileLayout::of(contents);
    Header::new(JOURNAL_MAGIC, contents, &layout, &[0; 32], &[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_file::header::tests::Noise;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::RwLock;

    const BLOCK: u64 = 24;
    const RECORD: usize = size_of::<BlockRecord>();

    /// Damages `bytes` in one of eight ways: 0 not at all; 1 to 3 deletes, alters or doubles a
    /// range of bytes; 4 to 6 overwrites a record by another, swaps two or deletes one; 7
    /// truncates.
    fn damage(bytes: &mut Vec<u8>, kind: u32, chance: &mut ChaCha8Rng) {
        let records = (bytes.len() - PAGE) / RECORD;
        let [offset, other_offset] =
            [(); 2].map(|()| PAGE + RECORD * chance.random_range(0..records));
        let start = chance.random_range(0..bytes.len());
        let end = bytes.len().min(start + chance.random_range(1..200));
        match kind {
            0 => {}
            1 => drop(bytes.drain(start..end)),
            2 => bytes[start..end]
                .iter_mut()
                .for_each(|byte| *byte ^= chance.random_range(1..=255u8)),
            3 => {
                let doubled = bytes[start..end].to_vec();
                drop(bytes.splice(start..start, doubled));
            }
            4 => bytes.copy_within(offset..offset + RECORD, other_offset),
            5 => (0..RECORD).for_each(|i| bytes.swap(offset + i, other_offset + i)),
            6 => drop(bytes.drain(offset..offset + RECORD)),
            _ => bytes.truncate(start),
        }
    }

    /// Damages the journal or the file: a block that does not agree with its record is never taken
    /// for complete.
    #[test]
    fn no_damage_makes_an_unwritten_block_count_as_stored() {
        let mut chance = ChaCha8Rng::seed_from_u64(15);
        let noise = Noise::new(40 * BLOCK - 5, BLOCK);
        let payload = noise.payload();
        let is_written = |block: usize| block % 3 != 1;
        for round in 0..1000 {
            let [file, journal] = [RwLock::default(), RwLock::default()];
            let blocks = BlockStorage::new(&noise, &file, &journal);
            let mut memory = vec![0; payload.len()];
            let restored = blocks.restore(&mut memory).unwrap();
            assert!(restored.iter().all(Option::is_none));
            for (block, bytes) in payload.chunks(BLOCK as usize).enumerate() {
                if is_written(block) {
                    blocks.write(block, bytes, [block as u32; 16]).unwrap();
                }
            }
            let kind = round % 16 / 2;
            let damaged = if round % 2 == 0 { &journal } else { &file };
            damage(&mut damaged.write().unwrap(), kind, &mut chance);
            let counts = blocks.restore(&mut memory).unwrap();
            for (block, counts) in counts.into_iter().enumerate() {
                let range = blocks.range(block);
                let range = range.start as usize..range.end as usize;
                match counts {
                    Some(counts) => {
                        assert!(is_written(block) && counts == [block as u32; 16]);
                        assert_eq!(memory[range.clone()], payload[range]);
                    }
                    None => assert!(!is_written(block) || kind != 0, "block {block} was lost"),
                }
            }
        }
    }
}
