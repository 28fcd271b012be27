//! Building the file of a stored space, resuming where an earlier build stopped.
//!
//! ```text
//! for d = 0, 1, … d_back: the classes at distance d, from those at d − 1 and d − 2          (classes)
//! for each block of the file, in any order, if it is not there yet:
//!     the records that it holds, read off their levels                                     (level)
//!     written to its place, then recorded with its checksum in a journal                   (cosette::block_file)
//! ```
//!
//! Only the classes and the views are in memory: 0.11 GB for seven moves, 0.77 GB for eight. A build that was stopped
//! or killed resumes from the recorded blocks, which are checked; the classes are computed again each time, which is a
//! small part of the work. A block is the same however often it is built and by how many threads, so the file is too,
//! to the byte.

use super::classes;
use super::level::Level;
use super::record::{Key, Layout, Positions, Record};
use crate::error::LabError;
use crate::lee::{CUMULATIVE, MAX_DEPTH};
use cosette::{Control, block_file};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Builds the space of all positions within `depth` moves at `path`.
pub(super) fn build(path: &Path, depth: u8, layout: Layout, control: &Control<'_>) -> Result<(), LabError> {
    if depth > MAX_DEPTH {
        return Err(LabError::TooDeep { found: depth, most: MAX_DEPTH });
    }
    block_file::generate(path, &Positions { depth, layout }, control, |blocks, missing| {
        let levels = levels(depth, control)?;
        control.report(0, blocks.len() as u64);
        missing.par_iter().try_for_each_init(Default::default, |(records, bytes), &block| {
            if control.is_cancelled() {
                return Err(LabError::Cancelled);
            }
            read_block(&levels, layout, blocks.range(block), records, bytes);
            Ok(blocks.write(block, bytes, [0; 16])?)
        })
    })
}

/// The bytes in this range of the file, from the records that it holds.
fn read_block(levels: &[Level], layout: Layout, range: Range<u64>, records: &mut Vec<Record>, bytes: &mut Vec<u8>) {
    let size = layout.bytes() as u64;
    let (mut start, mut end) = (range.start / size, range.end / size);
    records.clear();
    bytes.clear();
    for level in levels {
        let (from, to) = (start.min(level.positions()), end.min(level.positions()));
        if from < to {
            level.read(from..to, records);
        }
        (start, end) = (start - from, end - to);
    }
    records.iter().for_each(|&record| layout.write(record, bytes));
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
