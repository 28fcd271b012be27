//! Generation a table into its file, from where an earlier filling stopped.
//!
//! While a table is filled, each class is written to its place in a *partial file* beside the table's own, and noted in a
//! journal (`journal`). When all are there, the partial file gets its header, is synced, and takes the table's name. A
//! filling that was stopped, or killed, goes on from there: the classes that the journal notes are read and checked, the
//! others filled. The lines are written while others are being filled, so saving takes no time of its own, and a table
//! need not fit in memory to be filled.

use super::super::generate::{Plan, Scratch};
use super::super::line::Line;
use super::super::{Distribution, TableError, TableId};
use super::header::{BLOCK, BlockSums, block_range, entries_start};
use super::journal::{Journal, Record};
use super::part::{PartPaths, open_to_write};
use super::positioned::{read_exact_at, write_all_at};
use super::syncing::while_syncing;
use super::writing::{folder_of, sync_folder, write_head};
use super::{PIECE, file_size};
use crate::control::Control;
use crate::coord::CornerClasses;
use crate::kernel::Instructions;
use rayon::prelude::*;
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use xxhash_rust::xxh3::Xxh3Default;
use zerocopy::{FromZeros, IntoBytes};

/// How many classes there are to fill.
pub(super) const TOTAL: u64 = CornerClasses::COUNT as u64;

/// Fills the table `id` into its file at `path`, from where an earlier filling stopped. Progress counts classes.
///
/// # Errors
/// If another process fills the table, if the files cannot be written, or on cancellation: what has been filled is kept.
pub(crate) fn generate(path: &Path, id: TableId, control: &Control<'_>) -> Result<(), TableError> {
    let paths = PartPaths::of(path);
    let journal = paths.open_journal()?;
    let (journal, records) = Journal::open(journal, &id).map_err(TableError::io("write", &paths.journal))?;
    let part = open_to_write(&paths.part).map_err(TableError::io("write", &paths.part))?;
    part.set_len(file_size(&id)).map_err(TableError::io("write", &paths.part))?;
    let generation = Generation::new(id, &part, &paths.part, &journal, control);
    let (filled, synced) = while_syncing(&[&part, journal.file()], || {
        control.in_pool(|| generation.run(&records)).map_err(TableError::from).flatten()
    });
    match (filled, paths.generated(&id)) {
        (Err(TableError::Cancelled), Some(kept)) => Err(TableError::Stopped { id, kept }),
        (Err(TableError::Cancelled), None) => {
            paths.remove_files()?;
            Err(TableError::Cancelled)
        }
        (filled, _) => {
            let distribution = filled?;
            synced.map_err(TableError::io("write", &paths.part))?;
            generation.write_head(&distribution).map_err(TableError::io("write", &paths.part))?;
            fs::rename(&paths.part, path).map_err(TableError::io("write", path))?;
            sync_folder(folder_of(path)).map_err(TableError::io("write", path))?;
            paths.remove_files().map(drop)
        }
    }
}

/// A table being filled into its partial file.
struct Generation<'a> {
    id: TableId,
    part: &'a File,
    path: &'a Path,
    journal: &'a Journal,
    control: &'a Control<'a>,
    /// How many classes are there.
    done: AtomicU64,
    /// How many classes are missing from each block.
    missing: Vec<AtomicU32>,
    /// The checksums of the blocks from which none is missing.
    sums: Vec<AtomicU64>,
}

/// What a thread needs to fill classes or to check them.
struct Desk {
    scratch: Scratch,
    lines: Vec<Line>,
    piece: Vec<u8>,
}

impl Desk {
    fn new(id: TableId) -> Desk {
        Desk {
            scratch: Scratch::new(id),
            lines: vec![Line::new_zeroed(); id.size.lines_per_class()],
            piece: vec![0; PIECE],
        }
    }
}

impl<'a> Generation<'a> {
    fn new(
        id: TableId,
        part: &'a File,
        path: &'a Path,
        journal: &'a Journal,
        control: &'a Control<'a>,
    ) -> Generation<'a> {
        let blocks = BlockSums::zeroed(id.size.bytes()).blocks();
        let missing: Vec<AtomicU32> = std::iter::repeat_with(AtomicU32::default).take(blocks).collect();
        for class in 0..CornerClasses::COUNT as u32 {
            for block in blocks_of(id, class) {
                missing[block].fetch_add(1, Ordering::Relaxed);
            }
        }
        let sums = std::iter::repeat_with(AtomicU64::default).take(blocks).collect();
        Generation { id, part, path, journal, control, done: AtomicU64::new(0), missing, sums }
    }

    /// Brings all classes into the partial file and counts their entries by value.
    fn run(&self, records: &[Option<Record>]) -> Result<Distribution, TableError> {
        let desk = || Desk::new(self.id);
        let recorded: Vec<(u32, Record)> = (0..).zip(records).filter_map(|(class, &r)| Some((class, r?))).collect();
        let restore = |desk: &mut Desk, &(class, record): &(u32, Record)| {
            if self.control.is_cancelled() { Err(TableError::Cancelled) } else { self.restore(class, record, desk) }
        };
        let restored = recorded.par_iter().map_init(desk, restore).collect::<Result<Vec<Option<Distribution>>, _>>()?;

        let mut missing = vec![true; CornerClasses::COUNT];
        let mut sum = Distribution::default();
        for (&(class, _), distribution) in recorded.iter().zip(restored) {
            missing[class as usize] = distribution.is_none();
            sum = add(sum, distribution.unwrap_or_default());
        }
        let missing: Vec<u32> = (0..CornerClasses::COUNT as u32).filter(|&class| missing[class as usize]).collect();
        let plan = Plan::new(self.id, Instructions::best(), self.control.cancel()).ok_or(TableError::Cancelled)?;
        let generate = |desk: &mut Desk, &class: &u32| {
            if self.control.is_cancelled() { Err(TableError::Cancelled) } else { self.fill(class, &plan, desk) }
        };
        let filled = missing.par_iter().map_init(desk, generate);
        Ok(add(sum, filled.try_reduce(Distribution::default, |a, b| Ok(add(a, b)))?))
    }

    /// The distribution of a class that an earlier filling left, if it left it whole.
    fn restore(&self, class: u32, record: Record, desk: &mut Desk) -> Result<Option<Distribution>, TableError> {
        let bytes = desk.lines.as_mut_bytes();
        read_exact_at(self.part, bytes, class_range(self.id, class).start).map_err(self.io("read"))?;
        if !record.is_of(class, bytes) {
            return Ok(None);
        }
        self.is_there(class, desk)?;
        Ok(Some(record.distribution()))
    }

    /// Fills a class.
    fn fill(&self, class: u32, plan: &Plan, desk: &mut Desk) -> Result<Distribution, TableError> {
        let distribution = plan.generate_class(class, &mut desk.scratch, &mut desk.lines);
        let bytes = desk.lines.as_bytes();
        write_all_at(self.part, bytes, class_range(self.id, class).start).map_err(self.io("write"))?;
        self.journal.note(class, &distribution, bytes).map_err(self.io("write"))?;
        self.is_there(class, desk)?;
        Ok(distribution)
    }

    /// Counts a class, and takes the checksums of the blocks that it was the last one to complete, which are then still in
    /// memory.
    fn is_there(&self, class: u32, desk: &mut Desk) -> Result<(), TableError> {
        for block in blocks_of(self.id, class) {
            if self.missing[block].fetch_sub(1, Ordering::AcqRel) == 1 {
                let sum = self.checksum(block, &mut desk.piece).map_err(self.io("read"))?;
                self.sums[block].store(sum, Ordering::Relaxed);
            }
        }
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        self.control.report(done, TOTAL);
        Ok(())
    }

    fn checksum(&self, block: usize, piece: &mut [u8]) -> io::Result<u64> {
        let mut checksum = Xxh3Default::new();
        let Range { mut start, end } = block_range(self.id.size.bytes(), block);
        while start < end {
            let length = piece.len().min((end - start) as usize);
            read_exact_at(self.part, &mut piece[..length], start)?;
            checksum.update(&piece[..length]);
            start += length as u64;
        }
        Ok(checksum.digest())
    }

    /// Makes the complete partial file a table.
    fn write_head(&self, distribution: &Distribution) -> io::Result<()> {
        let mut sums = BlockSums::zeroed(self.id.size.bytes());
        for (block, sum) in self.sums.iter().enumerate() {
            sums.set(block, sum.load(Ordering::Relaxed));
        }
        write_head(self.part, &self.id, distribution, &sums)
    }

    fn io(&self, action: &'static str) -> impl FnOnce(io::Error) -> TableError {
        TableError::io(action, self.path)
    }
}

/// Where the lines of a class are in the file.
fn class_range(id: TableId, class: u32) -> Range<u64> {
    let length = (id.size.lines_per_class() * size_of::<Line>()) as u64;
    let start = entries_start(id.size.bytes()) + u64::from(class) * length;
    start..start + length
}

/// The blocks that hold lines of a class.
fn blocks_of(id: TableId, class: u32) -> Range<usize> {
    let Range { start, end } = class_range(id, class);
    let block = |offset: u64| ((offset - entries_start(id.size.bytes())) / BLOCK as u64) as usize;
    block(start)..block(end - 1) + 1
}

fn add(a: Distribution, b: Distribution) -> Distribution {
    std::array::from_fn(|i| a[i] + b[i])
}
