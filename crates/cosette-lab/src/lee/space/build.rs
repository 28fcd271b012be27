//! Building the file of a stored space, from where an earlier building stopped.
//!
//! ```text
//! for d = 0, 1, … d_back: the classes at distance d, from those at d − 1 and d − 2          (classes)
//! for each block of the file, in any order, if it is not there yet:
//!     the records that it holds, read off their levels                                     (level)
//!     written to its place, then recorded with its checksum in a journal
//! ```
//!
//! What is in memory are the classes and the views: 0.11 GB for seven moves, 0.77 GB for eight. A building that was stopped or killed finds the recorded blocks and
//! checks them; the classes are found again each time, which is a small part of the work. A block is the same however
//! often it is built and by how many threads, so the file is too, to the byte.

use super::classes;
use super::level::Level;
use super::record::{Key, Layout, Record, head};
use crate::error::{LabError, StoredError};
use crate::lee::blocks::{BLOCK, Draft, Head, Journal, check_room};
use crate::lee::perimeter::{CUMULATIVE, MAX_DEPTH};
use cosette::Control;
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use xxhash_rust::xxh3::xxh3_64;

/// Builds the space of all positions within `depth` moves at `path`.
pub(super) fn build(path: &Path, depth: u8, layout: Layout, control: &Control<'_>) -> Result<(), LabError> {
    if depth > MAX_DEPTH {
        return Err(StoredError::TooDeep { found: depth, most: MAX_DEPTH }.into());
    }
    let head = head(depth, layout);
    check_room(path, head.file_size())?;
    let draft = Draft::open(path)?;
    let (journal, noted) = Journal::open(path, &head)?;
    draft.set_len(&head)?;
    let sums = control.in_pool(|| -> Result<Vec<u64>, LabError> {
        let levels = levels(depth, control)?;
        let total = CUMULATIVE[usize::from(depth)];
        control.report(0, total);
        let building = Building { head, layout, levels, draft: &draft, journal: &journal };
        let done = AtomicU64::new(0);
        let bring = |buffers: &mut Buffers, (block, &noted): (usize, &Option<u64>)| {
            if control.is_cancelled() {
                return Err(LabError::Cancelled);
            }
            let sum = building.bring(block as u64, noted, buffers)?;
            let records = (building.head.block(block as u64).end - block as u64 * BLOCK) / layout.bytes() as u64;
            control.report(records + done.fetch_add(records, Relaxed), total);
            Ok(sum)
        };
        noted.par_iter().enumerate().map_init(Buffers::default, bring).collect()
    })??;
    draft.finish(&head, &sums)?;
    journal.remove()
}

/// The levels up to `depth`.
fn levels(depth: u8, control: &Control<'_>) -> Result<Vec<Level>, LabError> {
    let (mut before, mut last) = (Vec::new(), vec![Record::new(Key(0), None)]);
    let mut levels = Vec::new();
    for _ in 0..depth {
        let next = classes::next(&before, &last, control)?;
        before = std::mem::replace(&mut last, next);
        levels.push(Level::new(before.clone(), control)?);
    }
    drop(before);
    levels.push(Level::new(last, control)?);
    let mut positions = 0;
    for (level, known) in levels.iter().zip(CUMULATIVE) {
        positions += level.positions();
        assert_eq!(positions, known, "the levels are as large as is known");
    }
    Ok(levels)
}

/// A space being built.
struct Building<'a> {
    head: Head,
    layout: Layout,
    levels: Vec<Level>,
    draft: &'a Draft,
    journal: &'a Journal,
}

/// What a thread works with.
#[derive(Default)]
struct Buffers {
    records: Vec<Record>,
    bytes: Vec<u8>,
}

impl Building<'_> {
    /// Writes a block into the draft, unless the recorded one is there, and returns its checksum.
    fn bring(&self, block: u64, noted: Option<u64>, buffers: &mut Buffers) -> Result<u64, LabError> {
        if let Some(noted) = noted
            && self.draft.checksum(&self.head, block, &mut buffers.bytes)? == noted
        {
            return Ok(noted);
        }
        let bytes = self.head.block(block);
        let size = self.layout.bytes() as u64;
        let (mut start, mut end) = (bytes.start / size, bytes.end / size);
        buffers.records.clear();
        buffers.bytes.clear();
        for level in &self.levels {
            let (from, to) = (start.min(level.positions()), end.min(level.positions()));
            if from < to {
                level.read(from..to, &mut buffers.records);
            }
            (start, end) = (start - from, end - to);
        }
        buffers.records.iter().for_each(|&record| self.layout.write(record, &mut buffers.bytes));
        self.draft.write(&self.head, &buffers.bytes, bytes.start)?;
        let sum = xxh3_64(&buffers.bytes);
        self.journal.note(block, sum)?;
        Ok(sum)
    }
}
