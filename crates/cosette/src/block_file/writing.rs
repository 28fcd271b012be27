//! Writing what is in memory: all of it at once, or unit by unit while it is generated.
//!
//! Units lie in the storage as in the file that they will be, with a journal in another storage that says which of them are
//! there (`header`). The header is written last: as long as there is none, it is no file.

use super::header::{Header, Layout, PAGE, Record, begin, records};
use super::{Contents, Facts, FileError, Storage};
use crate::control::{Control, Threads};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;
use zerocopy::IntoBytes;

/// Writes a payload and its header to a storage, with the threads of `control`: the bytes of a file. Progress counts bytes.
/// Fails if they cannot be written, or on cancellation.
///
/// # Panics
/// If the payload does not have as many bytes as its contents say, or if their name is too long.
pub fn store(
    storage: &impl Storage,
    contents: &dyn Contents,
    payload: &[u8],
    facts: &Facts,
    control: &Control<'_>,
) -> Result<(), FileError> {
    assert_eq!(payload.len() as u64, contents.bytes(), "the payload has as many bytes as its contents say");
    let (path, layout) = (name_of(contents), Layout::of(contents));
    // What was there is no file any more until the new one is complete.
    storage.set_length(0).map_err(FileError::io("write", &path))?;
    let sums = write_payload(storage, &path, &layout, payload, control)?;
    write_head(storage, contents, &layout, facts, &sums).map_err(FileError::io("write", &path))
}

/// Writes a payload to its place, with the threads of `control`, and returns the checksums of its blocks. Progress counts
/// bytes. Fails if it cannot be written, or on cancellation. `path` is for messages.
pub(super) fn write_payload(
    storage: &impl Storage,
    path: &Path,
    layout: &Layout,
    payload: &[u8],
    control: &Control<'_>,
) -> Result<Vec<u64>, FileError> {
    let done = AtomicU64::new(0);
    let write_block = |_: &mut (), (i, block): (usize, &[u8])| {
        if control.is_cancelled() {
            return Err(FileError::Cancelled);
        }
        let offset = layout.payload_start() + layout.block(i).start;
        storage.write_all_at(block, offset).map_err(FileError::io("write", path))?;
        let done = block.len() as u64 + done.fetch_add(block.len() as u64, Ordering::Relaxed);
        control.report(done, layout.bytes);
        Ok(xxh3_64(block))
    };
    let blocks = payload.chunks(layout.block_size as usize).enumerate().collect();
    Threads::run(control.threads(), |threads| threads.map(blocks, || (), write_block))?
}

/// Writes what precedes the payload and syncs all of it: the header last, so that no incomplete file has one.
pub(super) fn write_head(
    storage: &impl Storage,
    contents: &dyn Contents,
    layout: &Layout,
    facts: &Facts,
    sums: &[u64],
) -> io::Result<()> {
    let list = layout.list(sums);
    storage.write_all_at(&list, PAGE as u64)?;
    storage.sync()?;
    storage.write_all_at(Header::new(contents, layout, facts, &list).as_bytes(), 0)?;
    storage.sync()
}

/// The units of a payload that is in memory, as far as they are stored.
pub struct StoredUnits<'a, S> {
    contents: &'a dyn Contents,
    layout: Layout,
    payload: &'a S,
    journal: &'a S,
}

impl<'a, S: Storage> StoredUnits<'a, S> {
    /// Those of a payload in this storage, and of its journal in another.
    pub fn new(contents: &'a dyn Contents, payload: &'a S, journal: &'a S) -> StoredUnits<'a, S> {
        StoredUnits { contents, layout: Layout::of(contents), payload, journal }
    }

    /// Reads the units that are stored whole into their places in `memory`, and returns what each of them counts. Where the
    /// journal is one of something else, it is replaced, and nothing is read. Fails if the storage cannot be read or
    /// written.
    ///
    /// # Panics
    /// If `memory` is not as large as the payload.
    pub fn restore(&self, memory: &mut [u8]) -> Result<Vec<Option<[u32; 16]>>, FileError> {
        assert_eq!(memory.len() as u64, self.layout.bytes, "there is room for the payload");
        let units = self.layout.bytes.div_ceil(self.contents.unit_size()) as usize;
        let recorded = records(self.journal, self.contents, units).map_err(self.failed("read"))?;
        if recorded.is_none() {
            begin(self.journal, self.contents).map_err(self.failed("write"))?;
            // Nothing of what was there stays, nor its header.
            self.payload.set_length(0).map_err(self.failed("write"))?;
            self.payload.set_length(self.layout.file_size()).map_err(self.failed("write"))?;
        }
        let mut counts = vec![None; units];
        for (unit, record) in recorded.into_iter().flatten().enumerate() {
            let Some(record) = record else { continue };
            let Range { start, end } = self.range(unit);
            let bytes = &mut memory[start as usize..end as usize];
            // What was not stored whole is generated again.
            let is_read = self.payload.read_exact_at(bytes, self.layout.payload_start() + start).is_ok();
            counts[unit] = (is_read && record.is_of(unit, bytes)).then(|| record.counts());
        }
        Ok(counts)
    }

    /// Stores a unit of the payload in `memory`, with what it adds to the first 16 facts. Fails if it cannot be written.
    pub fn write(&self, unit: usize, memory: &[u8], counts: [u32; 16]) -> Result<(), FileError> {
        let Range { start, end } = self.range(unit);
        let bytes = &memory[start as usize..end as usize];
        let write = || {
            self.payload.write_all_at(bytes, self.layout.payload_start() + start)?;
            Record::new(unit, counts, bytes).write(self.journal, unit)
        };
        write().map_err(self.failed("write"))
    }

    /// Makes the stored units a file, once all of them are stored; the journal is not needed any more. Fails if it cannot be
    /// written, or on cancellation.
    pub fn complete(&self, memory: &[u8], facts: &Facts, control: &Control<'_>) -> Result<(), FileError> {
        let blocks: Vec<&[u8]> = memory.chunks(self.layout.block_size as usize).collect();
        let sum =
            |_: &mut (), block| if control.is_cancelled() { Err(FileError::Cancelled) } else { Ok(xxh3_64(block)) };
        let sums = Threads::run(control.threads(), |threads| threads.map(blocks, || (), sum))??;
        write_head(self.payload, self.contents, &self.layout, facts, &sums).map_err(self.failed("write"))
    }

    /// Where a unit is in the payload.
    fn range(&self, unit: usize) -> Range<u64> {
        let start = unit as u64 * self.contents.unit_size();
        start..self.layout.bytes.min(start + self.contents.unit_size())
    }

    fn failed(&self, action: &'static str) -> impl FnOnce(std::io::Error) -> FileError {
        FileError::io(action, &name_of(self.contents))
    }
}

/// What messages call a table or database that is in a storage without a path.
pub(super) fn name_of(contents: &dyn Contents) -> PathBuf {
    PathBuf::from(format!("{}.table", contents.name()))
}
