//! The stored backward space: all positions within d_back moves of solved, on disk, in breadth-first order.
//!
//! Lee stores the positions that a backward breadth-first search finds, 40 bytes each: 4.36 GB within seven moves. Here a
//! position takes nine ([`Layout`]). They are in breadth-first order, those of a level sorted by their keys; an index finds them
//! ([`absence`](crate::lee::absence)). Each comes with a move that leads one level down.
//!
//! Lee's search keeps what it has seen to know what is new. Here a level is spread from the symmetry classes of the last one
//! and its positions are read off in order, any stretch of them by itself (`levels`): there is nothing to sort on
//! disk, blocks are built by all threads, and an interrupted building resumes where it stopped.
//!
//! | within | positions | classes on the last level | bytes |
//! |---|---|---|---|
//! | 5 | 621,649 | 12,077 | 5.6 MB |
//! | 6 | 8,240,087 | 159,131 | 74 MB |
//! | 7 | 109,043,123 | 2,101,575 | 981 MB |
//! | 8 | 1,441,386,411 | 27,762,103 | 13.0 GB |
//!
//! On two cores seven moves take 14 s to build, half of it until the disk has them; eight take 196 s of
//! processor time.
//!
//! # Building
//!
//! ```text
//! for d = 0, 1, … d_back: the classes at distance d, from those at d − 1 and d − 2
//! for each block of the file, in any order, if it is not there yet:
//!     the records that it holds, read off their levels                                     (levels)
//!     written to its place, then recorded with its checksum in a journal                   (cosette::block_file)
//! ```
//!
//! Only the classes and the views are in memory: 0.11 GB for seven moves, 0.77 GB for eight. A build that was stopped
//! or killed resumes from the recorded blocks, which are checked; the classes are computed again each time, which is a
//! small part of the work. A block is the same however often it is built and by how many threads, so the file is too,
//! to the byte.

use super::CUMULATIVE;
use super::levels::{Level, levels};
use super::record::{BLOCK, Positions, Record};
pub use super::record::{Key, Layout};
use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::block_file::{self, BlockFile, FileError};
use cosette::cube::{Cube, Move};
use rayon::prelude::*;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// All positions within some moves of solved, on disk.
#[derive(Debug)]
pub struct StoredSpace {
    file: BlockFile,
    depth: u8,
    layout: Layout,
}

/// A stored position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The position.
    pub position: Cube,
    /// Its distance.
    pub distance: u8,
    /// A move that leads one closer to solved; none for the solved position.
    pub home: Option<Move>,
}

impl StoredSpace {
    /// How many bytes the file of such a space has.
    ///
    /// # Panics
    /// If the depth is more than eight.
    pub fn file_size(depth: u8, layout: Layout) -> u64 {
        block_file::file_size(&Positions { depth, layout })
    }

    /// Stores all positions within `depth` moves of solved at `path`, replacing what is there. An interrupted build
    /// resumes where it stopped, even after a power failure. Progress counts blocks.
    ///
    /// # Errors
    /// If there is no room, if the file cannot be written, if another process builds it, or on cancellation: what has been built is
    /// kept.
    pub fn build(path: &Path, depth: u8, layout: Layout, control: &Control<'_>) -> Result<StoredSpace, LabError> {
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
        })?;
        StoredSpace::open(path, depth, layout)
    }

    /// Opens the space at `path`. Its header is checked, its positions are not ([`StoredSpace::verify`]).
    ///
    /// # Errors
    /// If there is no file, if it is truncated, if its header is damaged, or if it holds another space.
    pub fn open(path: &Path, depth: u8, layout: Layout) -> Result<StoredSpace, LabError> {
        let file = BlockFile::open(path, &Positions { depth, layout })?;
        Ok(StoredSpace { file, depth, layout })
    }

    /// Where the lab keeps the space of this depth.
    pub fn path_in(lab: &Lab<'_>, depth: u8) -> PathBuf {
        lab.folder.path().join(format!("lee-space-{depth}"))
    }

    /// The space of this depth, from the lab's folder; if there is none, it is built and kept. It is checked
    /// completely.
    pub fn in_lab(lab: &Lab<'_>, depth: u8) -> Result<StoredSpace, LabError> {
        let path = StoredSpace::path_in(lab, depth);
        match StoredSpace::open(&path, depth, Layout::Compact) {
            Err(LabError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                let what = format!("storing the positions within {depth} moves");
                StoredSpace::build(&path, depth, Layout::Compact, &lab.control.step(&what))
            }
            Err(fault) => Err(fault),
            Ok(space) => {
                let what = format!("checking the positions within {depth} moves");
                space.verify(&lab.control.step(&what))?;
                Ok(space)
            }
        }
    }

    /// Checks all checksums. Progress counts bytes.
    pub fn verify(&self, control: &Control<'_>) -> Result<(), LabError> {
        Ok(self.file.for_each_block(|_, _| {}, control)?)
    }

    /// Removes the space at `path`, and what an interrupted build has left.
    ///
    /// # Errors
    /// If the system refuses, or if another process builds it.
    pub fn remove(path: &Path) -> Result<(), LabError> {
        match block_file::remove(path) {
            Err(FileError::NothingToRemove { .. }) => Ok(()),
            result => Ok(result?),
        }
    }

    /// How many positions are stored.
    pub fn positions(&self) -> u64 {
        CUMULATIVE[usize::from(self.depth)]
    }

    /// The distance of the farthest positions.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// The positions at this distance: where they begin and end in the order of the space.
    ///
    /// # Panics
    /// If the distance is more than eight.
    pub fn level(distance: u8) -> Range<u64> {
        let distance = usize::from(distance);
        distance.checked_sub(1).map_or(0, |nearer| CUMULATIVE[nearer])..CUMULATIVE[distance]
    }

    /// The position numbered `index`, from 0 on.
    ///
    /// # Errors
    /// If the file cannot be read, or if what is there is no position: the file was altered after it was checked.
    pub fn get(&self, index: u64) -> Result<Stored, LabError> {
        let record = self.record(index)?;
        let damaged = || self.file.damaged_at(index * self.layout.bytes() as u64);
        let position = record.key().position().ok_or_else(damaged)?;
        let distance = CUMULATIVE.partition_point(|&positions| positions <= index) as u8;
        Ok(Stored { position, distance, home: record.home() })
    }

    /// The key of the position numbered `index`.
    pub fn key(&self, index: u64) -> Result<Key, LabError> {
        Ok(self.record(index)?.key())
    }

    #[inline]
    fn record(&self, index: u64) -> Result<Record, LabError> {
        let mut bytes = [0; 40];
        let bytes = &mut bytes[..self.layout.bytes()];
        self.file.read_exact_at(bytes, index * self.layout.bytes() as u64)?;
        Ok(self.layout.read(bytes))
    }

    /// Reads all keys, and hands each stretch of them to `work`, with the number of its first
    /// position. Progress counts bytes.
    pub fn for_each_stretch(
        &self,
        work: impl Fn(u64, &mut dyn Iterator<Item = Key>) + Sync,
        control: &Control<'_>,
    ) -> Result<(), LabError> {
        let bytes = self.layout.bytes();
        let read = |block: usize, stretch: &[u8]| {
            let keys = &mut stretch.chunks_exact(bytes).map(|record| self.layout.read(record).key());
            work(block as u64 * BLOCK / bytes as u64, keys);
        };
        Ok(self.file.for_each_block(read, control)?)
    }

    pub(super) fn file(&self) -> &std::fs::File {
        self.file.file()
    }
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
