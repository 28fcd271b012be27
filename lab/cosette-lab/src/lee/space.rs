//! The stored backward space: all positions within d_back moves of solved, on disk, in
//! breadth-first order.
//!
//! Lee stores the positions that a backward breadth-first search finds, 40 bytes each: 4.36 GB
//! within seven moves. Here a position takes nine. They are in breadth-first order, those of a
//! level sorted by their keys; an index finds them
//! ([`hashed_membership`](crate::lee::hashed_membership)). Each comes with a move that leads one
//! level down.
//!
//! | within | positions | classes on the last level | bytes |
//! |---|---|---|---|
//! | 5 | 621,649 | 12,077 | 5.6 MB |
//! | 6 | 8,240,087 | 159,131 | 74 MB |
//! | 7 | 109,043,123 | 2,101,575 | 981 MB |
//! | 8 | 1,441,386,411 | 27,762,103 | 13.0 GB |
//!
//! # A stored position: 72 bits
//!
//! ```text
//! 27 bits   the number of the arrangement of the corners, below 8!·3⁷
//! 40 bits   that of the edges, below 12!·2¹¹
//!  5 bits   a move that leads one closer to solved; 31 at the solved position
//! ```
//!
//! The first two are the *key*. As numbers, records are ordered by their keys. The distance is not
//! stored: the levels follow one another, and their offsets are known. With the common parity of
//! corners and edges the key would have 66 bits, but one bit saves no byte.
//!
//! # Building
//!
//! Lee's search stores all positions seen, to detect new ones. Here the perimeter in memory does
//! this, with one position of each symmetry class. The positions of a level are the conjugates of
//! its classes; where a position has symmetry, several conjugates are one. They are generated in
//! eight parts by the cubie in the first corner slot, which its number begins with, so that the
//! parts follow one another: nothing is sorted on disk, and an eighth of a level is in memory at a
//! time, 0.2 GB for seven moves.
//!
//! ```text
//! the classes of each level, each with a move that leads home               (the perimeter)
//! for each level, for each corner cubie:
//!     the conjugates of the classes with that cubie in the first slot, sorted, each once
//!     into blocks of the file, each recorded with its checksum in a journal  (cosette::block_file)
//! ```
//!
//! A build that was stopped or killed computes the positions again, and writes the blocks that are
//! not recorded. Blocks do not depend on the number of attempts and of threads, so the file is
//! deterministic, to the byte.

use super::perimeter::SolvedPerimeter;
use super::{WITHIN, sort};
use crate::error::LabError;
use crate::lab::Lab;
use crate::pieces::{
    Conjugation, CornerArrangement, EdgeArrangement, corner_number, corners_of, corners_with,
    edge_number, edges_of, edges_with, position_of,
};
use cosette::Control;
use cosette::block_file::{self, BlockFile, FileError, PartialFile, PayloadKind};
use cosette::cube::{Corner, Cube, Move, Symmetry};
use rayon::prelude::*;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Number of bits of the number of an arrangement of the edges.
const EDGE_BITS: u32 = 40;
/// Number of bits of the move.
const MOVE_BITS: u32 = 5;
const NO_MOVE: u8 = 31;

/// The key of a position, which distinguishes it from all others: 67 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub(super) u128);

impl PositionKey {
    /// Number of bits of a key.
    pub(super) const BITS: u32 = 27 + EDGE_BITS;

    /// The key of a position.
    pub fn of(position: &Cube) -> PositionKey {
        PositionKey::with(&corners_of(position), &edges_of(position))
    }

    fn with(corners: &CornerArrangement, edges: &EdgeArrangement) -> PositionKey {
        PositionKey(
            u128::from(corner_number(corners)) << EDGE_BITS | u128::from(edge_number(edges)),
        )
    }

    /// Returns the position with this key, if there is one.
    pub fn position(self) -> Option<Cube> {
        position_of(corners_with(self.corners()), edges_with(self.edges()))
    }

    /// The number of the arrangement of the corners, below 88,179,840.
    pub const fn corners(self) -> u64 {
        (self.0 >> EDGE_BITS) as u64
    }

    /// The number of the arrangement of the edges, below 2⁴⁰.
    const fn edges(self) -> u64 {
        (self.0 & ((1 << EDGE_BITS) - 1)) as u64
    }
}

/// A key, and the move that leads closer to solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ParentRecord(u128);

impl ParentRecord {
    fn new(key: PositionKey, home: Option<Move>) -> ParentRecord {
        let home = home.map_or(NO_MOVE, |m| m.index() as u8);
        ParentRecord(key.0 << MOVE_BITS | u128::from(home))
    }

    const fn key(self) -> PositionKey {
        PositionKey(self.0 >> MOVE_BITS)
    }

    /// Returns the move that leads one closer to solved.
    fn home(self) -> Option<Move> {
        Move::ALL
            .get((self.0 & ((1 << MOVE_BITS) - 1)) as usize)
            .copied()
    }

    /// Number of bytes of a record in the file.
    const BYTES: usize = 9;

    /// Returns its bytes, the least significant first.
    fn to_bytes(self) -> [u8; ParentRecord::BYTES] {
        std::array::from_fn(|i| (self.0 >> (8 * i)) as u8)
    }

    /// Parses a record; invalid bytes give a record of no position.
    #[inline]
    fn read(bytes: &[u8]) -> ParentRecord {
        let mut record = [0; 16];
        record[..ParentRecord::BYTES].copy_from_slice(bytes);
        ParentRecord(u128::from_le_bytes(record))
    }
}

/// The contents of the file of a space.
#[derive(Clone, Copy, Debug)]
struct Positions {
    depth: u8,
}

/// Number of bytes that are generated at a time and share a checksum: a whole number of records.
const BLOCK: u64 = 360 << 11;

impl PayloadKind for Positions {
    fn name(&self) -> String {
        format!(
            "the positions within {} moves, {} bytes each",
            self.depth,
            ParentRecord::BYTES
        )
    }

    fn bytes(&self) -> u64 {
        WITHIN[usize::from(self.depth)] * ParentRecord::BYTES as u64
    }

    fn numbering(&self) -> u64 {
        numbering()
    }

    fn block_size(&self) -> u64 {
        BLOCK
    }
}

/// Returns a checksum of the keys of some positions: a program with another numbering must not read
/// the file.
pub(super) fn numbering() -> u64 {
    block_file::numbering(|position| {
        let key = PositionKey::of(position);
        key.corners().rotate_left(EDGE_BITS) ^ key.edges()
    })
}

const _: () = assert!(BLOCK.is_multiple_of(ParentRecord::BYTES as u64));

/// All positions within some moves of solved, on disk.
#[derive(Debug)]
pub struct StoredSpace {
    file: BlockFile,
    depth: u8,
}

/// A stored position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The position.
    pub position: Cube,
    /// Its distance.
    pub distance: u8,
    /// A move that leads one closer to solved; `None` for the solved position.
    pub home: Option<Move>,
}

impl StoredSpace {
    /// Stores all positions within `depth` moves of solved at `path`, replacing an existing file.
    /// An interrupted build resumes where it stopped, even after a power failure. Progress counts
    /// blocks.
    ///
    /// # Errors
    /// The disk is full, the file cannot be written, another process builds it, or the build was
    /// cancelled. The part built until then stays on disk.
    pub fn build(path: &Path, depth: u8, control: &Control<'_>) -> Result<StoredSpace, LabError> {
        PartialFile::open(path, &Positions { depth })?.generate(control, |blocks, missing| {
            let mut levels = vec![Vec::new(); usize::from(depth) + 1];
            let mut on_class = |position: &Cube, distance: u8, last: Option<Move>| {
                levels[usize::from(distance)].push(ParentRecord::new(
                    PositionKey::of(position),
                    last.map(Move::inverse),
                ));
            };
            SolvedPerimeter::visiting(depth, &control.silent(), &mut on_class)?;
            control.report(0, blocks.count() as u64);
            let mut bytes = Vec::new();
            let mut ends = (0..blocks.count())
                .map(|block| blocks.range(block))
                .enumerate();
            let mut next = ends.next();
            for (level, cubie) in levels
                .iter()
                .flat_map(|level| Corner::ALL.map(|cubie| (level, cubie)))
            {
                let records = conjugates(level, cubie, control);
                if control.is_cancelled() {
                    return Err(LabError::Cancelled);
                }
                for record in records {
                    bytes.extend(record.to_bytes());
                    let (block, range) = next
                        .clone()
                        .expect("no block is left when all positions are there");
                    if bytes.len() as u64 == range.end - range.start {
                        if missing.contains(&block) {
                            blocks.write(block, &bytes, [0; 16])?;
                        }
                        bytes.clear();
                        next = ends.next();
                    }
                }
            }
            assert!(next.is_none(), "there are as many positions as is known");
            Ok(())
        })?;
        StoredSpace::open(path, depth)
    }

    /// Opens the space at `path`. Only its header is checked; see [`StoredSpace::verify`].
    ///
    /// # Errors
    /// The file is missing or truncated, its header is corrupted, or it holds another space.
    pub fn open(path: &Path, depth: u8) -> Result<StoredSpace, LabError> {
        let file = BlockFile::open(path, &Positions { depth })?;
        Ok(StoredSpace { file, depth })
    }

    /// Returns the path at which the lab stores the space of this depth.
    pub fn path_in(lab: &Lab<'_>, depth: u8) -> PathBuf {
        lab.folder.path().join(format!("lee-space-{depth}"))
    }

    /// Opens the space of this depth in the lab's folder and verifies it completely; if there is
    /// none, it is built and stored.
    pub fn in_lab(lab: &Lab<'_>, depth: u8) -> Result<StoredSpace, LabError> {
        let path = StoredSpace::path_in(lab, depth);
        if !path.exists() {
            let what = format!("storing the positions within {depth} moves");
            return StoredSpace::build(&path, depth, &lab.control.step(&what));
        }
        let space = StoredSpace::open(&path, depth)?;
        space.verify(
            &lab.control
                .step(&format!("checking the positions within {depth} moves")),
        )?;
        Ok(space)
    }

    /// Verifies all checksums. Progress counts bytes.
    pub fn verify(&self, control: &Control<'_>) -> Result<(), LabError> {
        Ok(self.file.for_each_block(|_, _| {}, control)?)
    }

    /// Removes the space at `path`, and the files of an interrupted build.
    ///
    /// # Errors
    /// Returns an I/O error, or an error if another process builds the space.
    pub fn remove(path: &Path) -> Result<(), LabError> {
        match block_file::remove(path) {
            Err(FileError::NothingToRemove { .. }) => Ok(()),
            result => Ok(result?),
        }
    }

    /// Returns the number of stored positions.
    pub fn positions(&self) -> u64 {
        WITHIN[usize::from(self.depth)]
    }

    /// The distance of the farthest positions.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Returns the range of the positions at this distance, in the order of the space.
    ///
    /// # Panics
    /// Panics if the distance is more than eight.
    pub fn level(distance: u8) -> Range<u64> {
        let distance = usize::from(distance);
        distance.checked_sub(1).map_or(0, |nearer| WITHIN[nearer])..WITHIN[distance]
    }

    /// Returns the position numbered `index`, from 0 on.
    ///
    /// # Errors
    /// The file cannot be read, or the record is not a position because the file was altered after
    /// it was checked.
    pub fn get(&self, index: u64) -> Result<Stored, LabError> {
        let record = self.record(index)?;
        let position = record
            .key()
            .position()
            .ok_or_else(|| self.damaged_at(index))?;
        Ok(Stored {
            position,
            distance: StoredSpace::distance(index),
            home: record.home(),
        })
    }

    /// Returns the error that the position numbered `index` is corrupted.
    pub(super) fn damaged_at(&self, index: u64) -> LabError {
        self.file
            .damaged_at(index * ParentRecord::BYTES as u64)
            .into()
    }

    /// Returns the distance of the position numbered `index`.
    pub fn distance(index: u64) -> u8 {
        WITHIN.partition_point(|&positions| positions <= index) as u8
    }

    /// Returns the key of the position numbered `index`.
    pub fn key(&self, index: u64) -> Result<PositionKey, LabError> {
        Ok(self.record(index)?.key())
    }

    #[inline]
    fn record(&self, index: u64) -> Result<ParentRecord, LabError> {
        let mut bytes = [0; ParentRecord::BYTES];
        self.file
            .read_exact_at(&mut bytes, index * ParentRecord::BYTES as u64)?;
        Ok(ParentRecord::read(&bytes))
    }

    /// Reads all keys, and passes each stretch of them to `work`, with the number of its first
    /// position. Progress counts bytes.
    pub fn for_each_stretch(
        &self,
        work: impl Fn(u64, &mut dyn Iterator<Item = PositionKey>) + Sync,
        control: &Control<'_>,
    ) -> Result<(), LabError> {
        let read = |block: usize, stretch: &[u8]| {
            let keys = &mut stretch
                .chunks_exact(ParentRecord::BYTES)
                .map(|record| ParentRecord::read(record).key());
            work(block as u64 * BLOCK / ParentRecord::BYTES as u64, keys);
        };
        Ok(self.file.for_each_block(read, control)?)
    }

    pub(super) fn file(&self) -> &std::fs::File {
        self.file.file()
    }
}

/// Returns the positions of a level with this cubie in the first corner slot, in order: conjugates
/// of its classes. Uses the threads of this pool. On cancellation they are in any order.
fn conjugates(classes: &[ParentRecord], cubie: Corner, control: &Control<'_>) -> Vec<ParentRecord> {
    let of_class = |class: &ParentRecord| {
        let corners = corners_with(class.key().corners());
        let edges = edges_with(class.key().edges());
        let home = class.home();
        let has_it =
            move |by: &&Conjugation| usize::from(by.first_corner(&corners) % 8) == cubie.index();
        Symmetry::all()
            .zip(Conjugation::all())
            .filter(move |(_, by)| has_it(by))
            .map(move |(s, by)| {
                ParentRecord::new(
                    PositionKey::with(&by.corners(&corners), &by.edges(&edges)),
                    home.map(|m| s.conjugate_move(m)),
                )
            })
    };
    let mut records: Vec<ParentRecord> = classes.par_iter().flat_map_iter(of_class).collect();
    sort(&mut records, control);
    records.dedup_by_key(|record| record.key());
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn records_come_back_from_their_bytes() {
        for (i, position) in random_positions(7).take(500).enumerate() {
            let home = Move::ALL.get(i % 19).copied();
            let record = ParentRecord::new(PositionKey::of(&position), home);
            let read = ParentRecord::read(&record.to_bytes());
            assert_eq!(
                (read, read.home(), read.key().position()),
                (record, home, Some(position))
            );
        }
    }
}
