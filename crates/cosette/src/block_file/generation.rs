//! Generating a payload unit by unit into its file, from where an earlier generation stopped.
//!
//! Each *unit*, an equal part of the payload, is written to its place in a *partial file* next to the file, and recorded
//! in a journal (`header`). When all are there, the partial file gets its header, is synced, and takes the file's name.
//! Generation that was stopped, or killed, continues from there: the units that the journal records are read and checked,
//! the others generated. Units are written while others are being generated, so saving takes no time of its own, and the
//! payload need not fit in memory.

use super::disk::open_to_read;
use super::header::{Record, begin, records};
use super::partial::{PartialFile, Paths};
use super::{Contents, Facts, FileError};
use crate::control::{Control, Progress};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// How often to look whether another process still generates the file.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Generates the file at `path` unit by unit, from where an earlier generation stopped, replacing what is
/// there. `work` is given the units that are missing, in a pool with the threads of `control`, and writes each of them
/// ([`Units::write`]). Progress counts units. The facts of the file add up what its units count.
///
/// # Errors
/// Those of `work`; if there is no room, if another process generates the file, if it cannot be written, or on
/// cancellation. What has been generated is kept.
///
/// # Panics
/// If `work` leaves a unit out.
pub fn generate<E: From<FileError> + Send>(
    path: &Path,
    contents: &dyn Contents,
    control: &Control<'_>,
    work: impl FnOnce(&Units<'_>, &[usize]) -> Result<(), E> + Send,
) -> Result<(), E> {
    continue_generation(PartialFile::open(path, contents)?, control, work)
}

/// [`generate`], unless there is a file at `path` ([`open_if_missing`]).
pub fn generate_if_missing<E: From<FileError> + Send>(
    path: &Path,
    contents: &dyn Contents,
    control: &Control<'_>,
    work: impl FnOnce(&Units<'_>, &[usize]) -> Result<(), E> + Send,
) -> Result<(), E> {
    match open_if_missing(path, contents, control)? {
        Some(partial) => continue_generation(partial, control, work),
        None => Ok(()),
    }
}

/// Opens the partial file of `path` unless there is a file at `path`. If another process is generating it, waits for that
/// process and reports its progress; if that process ends before the file is complete, opens what it has left. Fails as
/// [`PartialFile::open`] does, or on cancellation.
pub fn open_if_missing<'a>(
    path: &Path,
    contents: &'a dyn Contents,
    control: &Control<'_>,
) -> Result<Option<PartialFile<'a>>, FileError> {
    let step = format!("waiting for another process that generates {}", contents.name());
    let waiting = control.step(&step);
    let mut is_waiting = false;
    while !path.exists() {
        match PartialFile::open(path, contents) {
            // The other process has just completed it.
            Ok(partial) if path.exists() => partial.discard()?,
            Err(_) if path.exists() => {}
            Ok(partial) => return Ok(Some(partial)),
            Err(FileError::BeingGenerated { .. }) if control.is_cancelled() => return Err(FileError::Cancelled),
            Err(FileError::BeingGenerated { .. }) => {
                if !std::mem::replace(&mut is_waiting, true) {
                    tracing::info!(path = %path.display(), "waiting for another process that generates it");
                }
                let Progress { done, total } = progress(path, contents).unwrap_or(Progress { done: 0, total: 1 });
                waiting.report(done, total);
                std::thread::sleep(POLL_INTERVAL);
            }
            Err(refused) => return Err(refused),
        }
    }
    Ok(None)
}

fn continue_generation<E: From<FileError> + Send>(
    partial: PartialFile<'_>,
    control: &Control<'_>,
    work: impl FnOnce(&Units<'_>, &[usize]) -> Result<(), E> + Send,
) -> Result<(), E> {
    let units = Units::new(&partial, control);
    let recorded = units.recorded()?;
    let (generated, synced) = partial.while_syncing(|| {
        let work = || work(&units, &units.restore(&recorded)?);
        control.in_pool(work).map_err(FileError::from)?
    });
    match generated {
        Err(error) => {
            // What there is may be unreadable just now; only where there is nothing, nothing is kept.
            if recorded.iter().all(Option::is_none) && units.done.load(Ordering::Relaxed) == 0 {
                partial.discard()?;
            }
            Err(error)
        }
        Ok(()) => {
            synced?;
            Ok(units.complete()?)
        }
    }
}

/// How many units of the file at `path` are generated, by its journal; `None` if generation has not started.
pub fn progress(path: &Path, contents: &dyn Contents) -> Option<Progress> {
    let (paths, total) = (Paths::of(path), contents.bytes().div_ceil(contents.unit_size()));
    let records = records(&open_to_read(&paths.journal).ok()?, contents, total as usize).ok()??;
    let done = records.iter().flatten().count() as u64;
    (done > 0 && paths.part.exists()).then_some(Progress { done, total })
}

/// The units of a file that is being generated.
pub struct Units<'a> {
    partial: &'a PartialFile<'a>,
    size: u64,
    control: &'a Control<'a>,
    /// How many units have been written.
    done: AtomicU64,
    /// What they count.
    facts: [AtomicU64; 32],
    /// How many units are missing from each block.
    missing: Vec<AtomicU32>,
    /// The checksums of the blocks from which none is missing.
    sums: Vec<AtomicU64>,
}

impl<'a> Units<'a> {
    fn new(partial: &'a PartialFile<'a>, control: &'a Control<'a>) -> Units<'a> {
        let size = partial.contents().unit_size();
        let zeros = || std::iter::repeat_with(AtomicU64::default).take(partial.layout().blocks()).collect();
        let missing = (0..partial.layout().blocks()).map(|block| {
            let Range { start, end } = partial.layout().block(block);
            AtomicU32::new((end.div_ceil(size) - start / size) as u32)
        });
        let (done, facts, missing, sums) = (AtomicU64::new(0), Default::default(), missing.collect(), zeros());
        Units { partial, size, control, done, facts, missing, sums }
    }

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.partial.layout().bytes.div_ceil(self.size) as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a unit is in the payload.
    pub fn range(&self, unit: usize) -> Range<u64> {
        let start = unit as u64 * self.size;
        start..self.partial.layout().bytes.min(start + self.size)
    }

    /// Writes a unit, and what it adds to the first 16 facts. Fails if the system refuses.
    pub fn write(&self, unit: usize, bytes: &[u8], counts: [u32; 16]) -> Result<(), FileError> {
        self.partial.write_all_at(bytes, self.range(unit).start)?;
        let record = Record::new(unit, counts, bytes);
        self.partial.with_journal(|journal| record.write(journal, unit))?;
        self.count(unit, bytes, counts)
    }

    /// What the journal says of each unit. A journal of something else is replaced by an empty one.
    fn recorded(&self) -> Result<Vec<Option<Record>>, FileError> {
        self.partial.with_journal(|journal| {
            let contents = self.partial.contents();
            let Some(records) = records(journal, contents, self.len())? else {
                begin(journal, contents)?;
                return Ok(vec![None; self.len()]);
            };
            Ok(records)
        })
    }

    /// Counts the units that an earlier generation left whole, and returns the others.
    fn restore(&self, recorded: &[Option<Record>]) -> Result<Vec<usize>, FileError> {
        let is_missing = |bytes: &mut Vec<u8>, (unit, record): (usize, &Option<Record>)| {
            let Some(record) = record else { return Ok(Some(unit)) };
            if self.control.is_cancelled() {
                return Err(FileError::Cancelled);
            }
            let Range { start, end } = self.range(unit);
            bytes.resize((end - start) as usize, 0);
            self.partial.read_exact_at(bytes, start)?;
            if !record.is_of(unit, bytes) {
                return Ok(Some(unit));
            }
            self.count(unit, bytes, record.counts())?;
            Ok(None)
        };
        let missing = recorded.par_iter().enumerate().map_init(Vec::new, is_missing);
        Ok(missing.collect::<Result<Vec<Option<usize>>, FileError>>()?.into_iter().flatten().collect())
    }

    /// Counts a unit, and takes the checksums of the blocks that it was the last one to complete, which are then still in
    /// memory.
    fn count(&self, unit: usize, bytes: &[u8], counts: [u32; 16]) -> Result<(), FileError> {
        let Range { start, end } = self.range(unit);
        let block_size = self.partial.layout().block_size;
        for block in (start / block_size) as usize..end.div_ceil(block_size) as usize {
            if self.missing[block].fetch_sub(1, Ordering::AcqRel) == 1 {
                let range = self.partial.layout().block(block);
                let sum = if start <= range.start && range.end <= end {
                    xxh3_64(&bytes[(range.start - start) as usize..(range.end - start) as usize])
                } else {
                    self.partial.checksum(block)?
                };
                self.sums[block].store(sum, Ordering::Relaxed);
            }
        }
        for (sum, count) in self.facts.iter().zip(counts) {
            sum.fetch_add(count.into(), Ordering::Relaxed);
        }
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        self.control.report(done, self.len() as u64);
        Ok(())
    }

    /// Makes the partial file the file.
    fn complete(&self) -> Result<(), FileError> {
        assert_eq!(self.done.load(Ordering::Relaxed), self.len() as u64, "each unit is written once");
        let facts: Facts = std::array::from_fn(|i| self.facts[i].load(Ordering::Relaxed));
        let sums: Vec<u64> = self.sums.iter().map(|sum| sum.load(Ordering::Relaxed)).collect();
        self.partial.complete(&facts, &sums)
    }
}
