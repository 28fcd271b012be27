//! A payload on its way into a storage, unit by unit while it is generated, or at once.
//!
//! Each *unit*, an equal part of the payload, lies in the storage as in the file that it will be, with a journal in another
//! storage that says which of them are there (`header`). The header is written last: as long as there is none, it is no file.

use super::header::{Header, Layout, PAGE, Record, begin, records};
use super::{Contents, Facts, FileError, Storage};
use crate::control::{Control, Threads};
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

/// The units of a payload, as far as they are stored.
pub struct Units<'a, S> {
    contents: &'a dyn Contents,
    pub(super) layout: Layout,
    pub(super) payload: S,
    pub(super) journal: S,
    /// What messages call the two.
    names: [PathBuf; 2],
}

impl<'a, S: Storage> Units<'a, S> {
    /// Those of a payload in this storage, and of its journal in another.
    pub fn new(contents: &'a dyn Contents, payload: S, journal: S) -> Units<'a, S> {
        Units::named([name_of(contents), name_of(contents)], contents, payload, journal)
    }

    /// The same, with what messages call the two.
    pub(super) fn named(names: [PathBuf; 2], contents: &'a dyn Contents, payload: S, journal: S) -> Units<'a, S> {
        Units { contents, layout: Layout::of(contents), payload, journal, names }
    }

    /// How many units there are.
    pub fn count(&self) -> usize {
        self.layout.bytes.div_ceil(self.contents.unit_size()) as usize
    }

    /// Where a unit is in the payload.
    pub fn range(&self, unit: usize) -> Range<u64> {
        let start = unit as u64 * self.contents.unit_size();
        start..self.layout.bytes.min(start + self.contents.unit_size())
    }

    /// Reads the units that are stored whole into their places in `memory`, and returns what each of them counts. Where the
    /// journal is one of something else, it is replaced, and nothing is read. Fails if the storage cannot be read or
    /// written.
    ///
    /// # Panics
    /// If `memory` is not as large as the payload.
    pub fn restore(&self, memory: &mut [u8]) -> Result<Vec<Option<[u32; 16]>>, FileError> {
        assert_eq!(memory.len() as u64, self.layout.bytes, "there is room for the payload");
        self.make_room()?;
        let units = memory.chunks_mut(self.contents.unit_size() as usize).enumerate();
        units.zip(self.recorded()?).map(|((unit, bytes), record)| self.read(unit, record, bytes)).collect()
    }

    /// Stores a unit, with what it adds to the first 16 facts. Fails if it cannot be written.
    pub fn write(&self, unit: usize, bytes: &[u8], counts: [u32; 16]) -> Result<(), FileError> {
        self.write_all_at(bytes, self.range(unit).start)?;
        let written = Record::new(unit, counts, bytes).write(&self.journal, unit);
        written.map_err(self.failed_in_journal("write"))
    }

    /// Makes the stored units a file, once all those in `memory` are stored; the journal is not needed any more. Fails if it
    /// cannot be written, or on cancellation.
    pub fn complete(&self, memory: &[u8], facts: &Facts, control: &Control<'_>) -> Result<(), FileError> {
        let sum = |block: Range<u64>| Ok(xxh3_64(&memory[block.start as usize..block.end as usize]));
        self.write_head(facts, &self.checksums(control, sum)?)
    }

    /// What the journal says of each unit. A journal of something else is replaced by an empty one, and nothing stays of its
    /// payload, nor its header.
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

    /// Reads a unit, and returns what it counts; `None` if it was not stored whole.
    pub(super) fn read(
        &self,
        unit: usize,
        record: Option<Record>,
        bytes: &mut [u8],
    ) -> Result<Option<[u32; 16]>, FileError> {
        let Some(record) = record else { return Ok(None) };
        self.read_exact_at(bytes, self.range(unit).start)?;
        Ok(record.is_of(unit, bytes).then(|| record.counts()))
    }

    /// Gives the payload its length.
    pub(super) fn make_room(&self) -> Result<(), FileError> {
        self.payload.set_length(self.layout.file_size()).map_err(self.failed("write"))
    }

    /// Writes into the payload at an offset.
    pub(super) fn write_all_at(&self, bytes: &[u8], offset: u64) -> Result<(), FileError> {
        self.payload.write_all_at(bytes, self.layout.payload_start() + offset).map_err(self.failed("write"))
    }

    /// Reads from the payload at an offset.
    pub(super) fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), FileError> {
        self.payload.read_exact_at(bytes, self.layout.payload_start() + offset).map_err(self.failed("read"))
    }

    /// The checksum of each block, as `sum` finds it, with the threads of `control`. Fails as that does, or on cancellation.
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

    /// Writes what precedes the payload and syncs all of it: the header last, so that no incomplete file has one.
    pub(super) fn write_head(&self, facts: &Facts, sums: &[u64]) -> Result<(), FileError> {
        let list = self.layout.list(sums);
        let write = || {
            self.payload.write_all_at(&list, PAGE as u64)?;
            self.payload.sync()?;
            self.payload.write_all_at(Header::new(self.contents, &self.layout, facts, &list).as_bytes(), 0)?;
            self.payload.sync()
        };
        write().map_err(self.failed("write"))
    }

    fn failed(&self, action: &'static str) -> impl FnOnce(io::Error) -> FileError + use<S> {
        FileError::io(action, &self.names[0])
    }

    fn failed_in_journal(&self, action: &'static str) -> impl FnOnce(io::Error) -> FileError + use<S> {
        FileError::io(action, &self.names[1])
    }
}

/// What messages call a table or database that is in a storage without a path.
pub(super) fn name_of(contents: &dyn Contents) -> PathBuf {
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

    impl Contents for Noise {
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

    /// Records, or any range of bytes, are deleted, altered, doubled or exchanged, in the journal or in the payload, which may also be
    /// cut: whatever the journal says of a unit that is not so, the unit is not taken for whole.
    #[test]
    fn no_damage_makes_a_unit_whole_that_was_not_written() {
        let mut chance = ChaCha8Rng::seed_from_u64(15);
        let is_written = |unit: usize| unit % 3 != 1;
        for round in 0..1000 {
            let [file, journal] = [RwLock::default(), RwLock::default()];
            let units = Units::new(&Noise, &file, &journal);
            let mut memory = vec![0; Noise.bytes() as usize];
            assert!(units.restore(&mut memory).unwrap().iter().all(Option::is_none));
            for unit in (0..UNITS).filter(|&unit| is_written(unit)) {
                units.write(unit, &bytes(unit, units.range(unit)), [unit as u32; 16]).unwrap();
            }
            let mut damaged = if round % 2 == 0 { journal.write() } else { file.write() }.unwrap();
            let [one, other] =
                [(); 2].map(|()| PAGE + RECORD * chance.random_range(0..(damaged.len() - PAGE) / RECORD));
            let (start, length) = (chance.random_range(0..damaged.len()), chance.random_range(1..200));
            let end = damaged.len().min(start + length);
            match round % 16 / 2 {
                0 => {}
                1 => drop(damaged.drain(start..end)),
                2 => damaged[start..end].iter_mut().for_each(|byte| *byte ^= chance.random_range(1..=255u8)),
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
                        assert_eq!(memory[range.start as usize..range.end as usize], bytes(unit, range));
                    }
                    None => assert!(!is_written(unit) || round % 16 / 2 != 0, "unit {unit} was lost"),
                }
            }
        }
    }
}
