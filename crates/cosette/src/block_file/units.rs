//! A payload that is stored unit by unit while it is generated, or at once.
//!
//! Each *unit*, an equal part of the payload, lies in the storage at its offset in the final file,
//! with a journal in another storage that records the stored units (`header`). The header is
//! written last: without it, the storage is not a file.

use super::header::{Header, Layout, PAGE, Record, begin, records};
use super::{FileError, PayloadKind, PayloadStats, Storage};
use crate::control::{Control, Threads};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

/// The stored units of a payload.
pub struct UnitStorage<'a, S> {
    contents: &'a dyn PayloadKind,
    pub(super) layout: Layout,
    pub(super) payload: S,
    pub(super) journal: S,
    /// The names of payload and journal in messages.
    names: [PathBuf; 2],
}

impl<'a, S: Storage> UnitStorage<'a, S> {
    /// Creates the units of a payload in this storage, with its journal in another.
    pub fn new(contents: &'a dyn PayloadKind, payload: S, journal: S) -> UnitStorage<'a, S> {
        UnitStorage::named(
            [name_of(contents), name_of(contents)],
            contents,
            payload,
            journal,
        )
    }

    /// Creates the units with names for messages.
    pub(super) fn named(
        names: [PathBuf; 2],
        contents: &'a dyn PayloadKind,
        payload: S,
        journal: S,
    ) -> UnitStorage<'a, S> {
        UnitStorage {
            contents,
            layout: Layout::of(contents),
            payload,
            journal,
            names,
        }
    }

    /// Returns the number of units.
    pub fn count(&self) -> usize {
        self.layout.bytes.div_ceil(self.contents.unit_size()) as usize
    }

    /// Returns the byte range of a unit in the payload.
    pub fn range(&self, unit: usize) -> Range<u64> {
        let start = unit as u64 * self.contents.unit_size();
        start..self.layout.bytes.min(start + self.contents.unit_size())
    }

    /// Reads the units that are stored completely into `memory`, and returns the counts of each. A
    /// journal of other contents is replaced, and nothing is read.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage cannot be read or written.
    ///
    /// # Panics
    ///
    /// Panics if the length of `memory` differs from that of the payload.
    pub fn restore(&self, memory: &mut [u8]) -> Result<Vec<Option<[u32; 16]>>, FileError> {
        assert_eq!(
            memory.len() as u64,
            self.layout.bytes,
            "there is room for the payload"
        );
        self.make_room()?;
        let units = memory
            .chunks_mut(self.contents.unit_size() as usize)
            .enumerate();
        units
            .zip(self.recorded()?)
            .map(|((unit, bytes), record)| self.read(unit, record, bytes))
            .collect()
    }

    /// Stores a unit, with its contribution to the first 16 facts.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub fn write(&self, unit: usize, bytes: &[u8], counts: [u32; 16]) -> Result<(), FileError> {
        self.write_all_at(bytes, self.range(unit).start)?;
        let written = Record::new(unit, counts, bytes).write(&self.journal, unit);
        written.map_err(self.failed_in_journal("write"))
    }

    /// Completes the file, once all units in `memory` are stored; the journal is not needed any
    /// more.
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
        let sum =
            |block: Range<u64>| Ok(xxh3_64(&memory[block.start as usize..block.end as usize]));
        self.write_head(facts, &self.checksums(control, sum)?)
    }

    /// Returns the journal record of each unit. A journal of other contents is replaced by an empty
    /// one, and its payload and its header are discarded.
    pub(super) fn recorded(&self) -> Result<Vec<Option<Record>>, FileError> {
        let recorded = records(&self.journal, self.contents, self.count());
        if let Some(records) = recorded.map_err(self.failed_in_journal("read"))? {
            return Ok(records);
        }
        begin(&self.journal, self.contents).map_err(self.failed_in_journal("write"))?;
        self.payload.set_length(0).map_err(self.failed("write"))?;
        self.make_room()?;
        Ok(vec![None; self.count()])
    }

    /// Reads a unit, and returns its counts; `None` if it was not stored completely.
    pub(super) fn read(
        &self,
        unit: usize,
        record: Option<Record>,
        bytes: &mut [u8],
    ) -> Result<Option<[u32; 16]>, FileError> {
        let Some(record) = record else {
            return Ok(None);
        };
        self.read_exact_at(bytes, self.range(unit).start)?;
        Ok(record.is_of(unit, bytes).then(|| record.counts()))
    }

    /// Sets the length of the payload.
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

    /// Returns the checksum of each block, computed by `sum` with the threads of `control`. Returns
    /// the first error of `sum`, or an error on cancellation.
    pub(super) fn checksums(
        &self,
        control: &Control<'_>,
        sum: impl Fn(Range<u64>) -> Result<u64, FileError> + Send + Sync,
    ) -> Result<Vec<u64>, FileError> {
        let sum = |_: &mut (), block| match control.is_cancelled() {
            true => Err(FileError::Cancelled),
            false => sum(self.layout.block(block)),
        };
        let blocks = (0..self.layout.blocks()).collect();
        Threads::run(control.threads(), |threads| threads.map(blocks, || (), sum))?
    }

    /// Writes the parts before the payload and syncs everything: the header last, so that no
    /// incomplete file has one.
    pub(super) fn write_head(&self, facts: &PayloadStats, sums: &[u64]) -> Result<(), FileError> {
        let list = self.layout.list(sums);
        let write = || {
            self.payload.write_all_at(&list, PAGE as u64)?;
            self.payload.sync()?;
            self.payload.write_all_at(
                Header::new(self.contents, &self.layout, facts, &list).as_bytes(),
                0,
            )?;
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

/// Returns the name in messages of a table or database in a storage without a path.
pub(super) fn name_of(contents: &dyn PayloadKind) -> PathBuf {
    PathBuf::from(format!("{}.table", contents.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::RwLock;

    const UNITS: usize = 40;
    const UNIT: usize = 24;
    const RECORD: usize = size_of::<Record>();

    struct Noise;

    impl PayloadKind for Noise {
        fn name(&self) -> String {
            "noise".into()
        }

        fn bytes(&self) -> u64 {
            (UNITS * UNIT) as u64 - 5
        }

        fn numbering(&self) -> u64 {
            7
        }

        fn unit_size(&self) -> u64 {
            UNIT as u64
        }
    }

    fn bytes(unit: usize, range: Range<u64>) -> Vec<u8> {
        range.map(|i| (unit as u64 * 31 + i * i) as u8).collect()
    }

    /// Deletes, alters, duplicates or exchanges records, or any range of bytes, in the journal or
    /// in the payload, which may also be truncated: whatever the journal has for a unit that does
    /// not match, the unit is not taken for complete.
    #[test]
    fn no_damage_makes_a_unit_whole_that_was_not_written() {
        let mut chance = ChaCha8Rng::seed_from_u64(15);
        let is_written = |unit: usize| unit % 3 != 1;
        for round in 0..1000 {
            let [file, journal] = [RwLock::default(), RwLock::default()];
            let units = UnitStorage::new(&Noise, &file, &journal);
            let mut memory = vec![0; Noise.bytes() as usize];
            assert!(
                units
                    .restore(&mut memory)
                    .unwrap()
                    .iter()
                    .all(Option::is_none)
            );
            for unit in (0..UNITS).filter(|&unit| is_written(unit)) {
                units
                    .write(unit, &bytes(unit, units.range(unit)), [unit as u32; 16])
                    .unwrap();
            }
            let mut damaged = if round % 2 == 0 {
                journal.write()
            } else {
                file.write()
            }
            .unwrap();
            let [one, other] = [(); 2]
                .map(|()| PAGE + RECORD * chance.random_range(0..(damaged.len() - PAGE) / RECORD));
            let start = chance.random_range(0..damaged.len());
            let length = chance.random_range(1..200);
            let end = damaged.len().min(start + length);
            match round % 16 / 2 {
                0 => {}
                1 => drop(damaged.drain(start..end)),
                2 => damaged[start..end]
                    .iter_mut()
                    .for_each(|byte| *byte ^= chance.random_range(1..=255u8)),
                3 => {
                    let doubled = damaged[start..end].to_vec();
                    drop(damaged.splice(start..start, doubled));
                }
                4 => damaged.copy_within(one..one + RECORD, other),
                5 => (0..RECORD).for_each(|i| damaged.swap(one + i, other + i)),
                6 => drop(damaged.drain(one..one + RECORD)),
                _ => damaged.truncate(start),
            }
            drop(damaged);
            let counts = units.restore(&mut memory).unwrap();
            for (unit, counts) in counts.into_iter().enumerate() {
                match counts {
                    Some(counts) => {
                        let range = units.range(unit);
                        assert!(is_written(unit) && counts == [unit as u32; 16]);
                        assert_eq!(
                            memory[range.start as usize..range.end as usize],
                            bytes(unit, range)
                        );
                    }
                    None => assert!(
                        !is_written(unit) || round % 16 / 2 != 0,
                        "unit {unit} was lost"
                    ),
                }
            }
        }
    }
}
