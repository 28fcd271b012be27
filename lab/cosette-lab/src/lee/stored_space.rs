//! The stored backward space: all positions within d_back moves of solved, on disk, in
//! breadth-first order.
//!
//! Lee stores the positions that a backward breadth-first search finds, 40 bytes each: 4.36 GB
//! within seven moves. Here a position takes nine, 981 MB within seven moves and 13.0 GB within
//! eight. They are in breadth-first order, those of a level sorted by their keys; an index finds
//! them ([`hashed_membership`](crate::lee::hashed_membership)).
//!
//! A stored position is its *key*: 27 bits for the number of the arrangement of the corners, below
//! 8!·3⁷, and 40 for that of the edges, below 12!·2¹¹. The distance is not stored: the levels
//! follow one another, and their offsets are known. With the common parity of corners and edges
//! the key would have 66 bits, but one bit saves no byte.
//!
//! # Building
//!
//! Lee's search stores all positions seen, to detect new ones. Here the perimeter in memory does
//! this, with one position of each symmetry class. The positions of a level are the conjugates of
//! its classes; where a position has symmetry, several conjugates are one. They are generated in
//! eight parts by the cubie in the first corner slot, which its number begins with, so that the
//! parts follow one another: nothing is sorted on disk, and an eighth of a level is in memory at a
//! time, 0.2 GB for seven moves. An interrupted build starts again: nearly all its time goes into
//! the positions, not into writing them.

use super::WITHIN;
use super::backward::BackwardSpace;
use crate::error::LabError;
use crate::lab::Lab;
use crate::pieces::{
    Conjugation, CornerArrangement, EdgeArrangement, corner_number, corners_of, corners_with,
    edge_number, edges_of, edges_with, position_of,
};
use cosette::Control;
use cosette::block_file::{self, BlockFile, FileError, PartialFile, PayloadKind};
use cosette::cube::{Corner, Cube};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;

/// Number of bits of the number of an arrangement of the edges.
const EDGE_BITS: u32 = 40;
/// Number of bytes of a stored position.
const BYTES: usize = 9;

/// The key of a position, which distinguishes it from all others: 67 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey(pub(super) u128);

impl PositionKey {
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

    /// Returns its bytes, the least significant first.
    pub(super) fn to_bytes(self) -> [u8; BYTES] {
        std::array::from_fn(|i| (self.0 >> (8 * i)) as u8)
    }

    /// Returns the key with these bytes; invalid bytes give a key of no position.
    #[inline]
    pub(super) fn from_bytes(bytes: &[u8]) -> PositionKey {
        let mut key = [0; 16];
        key[..BYTES].copy_from_slice(bytes);
        PositionKey(u128::from_le_bytes(key))
    }
}

/// The contents of a file: stored positions, or the arrays of a hashing scheme.
pub(super) struct FileContents {
    pub name: String,
    /// Maximum number of bytes.
    pub bytes: u64,
    /// `true` if the file has as many.
    pub is_exact: bool,
}

/// Number of bytes that share a checksum: a whole number of positions.
const BLOCK: u64 = 360 << 11;
const _: () = assert!(BLOCK.is_multiple_of(BYTES as u64));

impl PayloadKind for FileContents {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn may_be_shorter(&self) -> bool {
        !self.is_exact
    }

    /// A program with other keys must not read the file.
    fn numbering(&self) -> u64 {
        block_file::numbering(|position| {
            let key = PositionKey::of(position);
            key.corners().rotate_left(EDGE_BITS) ^ key.edges()
        })
    }

    fn block_size(&self) -> u64 {
        BLOCK
    }
}

impl FileContents {
    /// Writes the file at `path`, replacing an existing one; `write` returns its number of bytes.
    /// On failure, no file is left.
    pub fn write(
        &self,
        path: &Path,
        write: impl FnOnce(&PartialFile<'_>) -> Result<u64, LabError>,
        control: &Control<'_>,
    ) -> Result<(), LabError> {
        let partial = PartialFile::open(path, self)?;
        match write(&partial) {
            Ok(bytes) => Ok(partial.finish(bytes, &[0; 32], control)?),
            Err(fault) => {
                partial.discard()?;
                Err(fault)
            }
        }
    }
}

/// A part of a file, written from its start to its end.
pub(super) struct FileWriter<'a> {
    partial: &'a PartialFile<'a>,
    /// Bytes still to be written.
    bytes: Vec<u8>,
    /// Offset of these bytes in the payload.
    at: u64,
}

/// Approximate number of bytes written at a time.
const PIECE: usize = 1 << 20;

impl<'a> FileWriter<'a> {
    pub fn new(partial: &'a PartialFile<'a>, at: u64) -> FileWriter<'a> {
        FileWriter {
            partial,
            bytes: Vec::new(),
            at,
        }
    }

    #[inline]
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() >= PIECE {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what is left, and returns the offset after it.
    pub fn flush(&mut self) -> Result<u64, LabError> {
        self.partial.write_all_at(&self.bytes, self.at)?;
        self.at = self.end();
        self.bytes.clear();
        Ok(self.at)
    }

    /// Returns the offset of the next byte.
    pub fn end(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }
}

/// All positions within some moves of solved, on disk.
#[derive(Debug)]
pub struct StoredSpace {
    file: BlockFile,
    depth: u8,
}

impl StoredSpace {
    fn contents(depth: u8) -> FileContents {
        FileContents {
            name: format!("the keys of the positions within {depth} moves, {BYTES} bytes each"),
            bytes: WITHIN[usize::from(depth)] * BYTES as u64,
            is_exact: true,
        }
    }

    /// Stores all positions within `depth` moves of solved at `path`, replacing an existing file.
    ///
    /// # Errors
    /// The disk is full, the file cannot be written, another process builds it, or the build was
    /// cancelled. No file is left then.
    pub fn build(path: &Path, depth: u8, control: &Control<'_>) -> Result<StoredSpace, LabError> {
        let contents = StoredSpace::contents(depth);
        let write = |partial: &PartialFile<'_>| {
            let mut levels = vec![Vec::new(); usize::from(depth) + 1];
            let mut on_class = |position: &Cube, distance: u8| {
                levels[usize::from(distance)].push(PositionKey::of(position));
            };
            BackwardSpace::perimeter_visiting(depth, &control.silent(), &mut on_class)?;
            let mut file = FileWriter::new(partial, 0);
            let parts = levels
                .iter()
                .flat_map(|level| Corner::ALL.map(|cubie| (level, cubie)));
            for (level, cubie) in parts {
                control.report(file.end(), contents.bytes);
                let keys = control.in_pool(|| conjugates(level, cubie))?;
                if control.is_cancelled() {
                    return Err(LabError::Cancelled);
                }
                for key in keys {
                    file.push(&key.to_bytes())?;
                }
            }
            file.flush()
        };
        contents.write(path, write, control)?;
        StoredSpace::open(path, depth)
    }

    /// Opens the space at `path`. Only its header is checked; see [`StoredSpace::verify`].
    ///
    /// # Errors
    /// The file is missing or truncated, its header is corrupted, or it holds another space.
    pub fn open(path: &Path, depth: u8) -> Result<StoredSpace, LabError> {
        let file = BlockFile::open(path, &StoredSpace::contents(depth))?;
        Ok(StoredSpace { file, depth })
    }

    /// Opens the space of this depth in the lab's folder and verifies it completely; if there is
    /// none, it is built and stored.
    pub fn in_lab(lab: &Lab<'_>, depth: u8) -> Result<StoredSpace, LabError> {
        let path = lab.folder.path().join(format!("lee-space-{depth}"));
        if !path.exists() {
            let what = format!("storing the positions within {depth} moves");
            return StoredSpace::build(&path, depth, &lab.control.step(&what));
        }
        let space = StoredSpace::open(&path, depth)?;
        let what = format!("checking the positions within {depth} moves");
        space.verify(&lab.control.step(&what))?;
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

    /// Returns the distance of the position numbered `index`, from 0 on.
    pub fn distance(index: u64) -> u8 {
        WITHIN.partition_point(|&positions| positions <= index) as u8
    }

    /// Returns the position numbered `index`.
    ///
    /// # Errors
    /// The file cannot be read, or the key is not of a position because the file was altered after
    /// it was checked.
    pub fn position(&self, index: u64) -> Result<Cube, LabError> {
        let damaged = || self.file.damaged_at(index * BYTES as u64);
        Ok(self.key(index)?.position().ok_or_else(damaged)?)
    }

    /// Returns the key of the position numbered `index`.
    #[inline]
    pub fn key(&self, index: u64) -> Result<PositionKey, LabError> {
        let mut bytes = [0; BYTES];
        self.file.read_exact_at(&mut bytes, index * BYTES as u64)?;
        Ok(PositionKey::from_bytes(&bytes))
    }

    /// Reads all keys, and passes each stretch of them to `work`, with the number of its first
    /// position. Progress counts bytes.
    pub fn for_each_stretch(
        &self,
        work: impl Fn(u64, &mut dyn Iterator<Item = PositionKey>) + Sync,
        control: &Control<'_>,
    ) -> Result<(), LabError> {
        let read = |block: usize, stretch: &[u8]| {
            let keys = &mut stretch.chunks_exact(BYTES).map(PositionKey::from_bytes);
            work(block as u64 * BLOCK / BYTES as u64, keys);
        };
        Ok(self.file.for_each_block(read, control)?)
    }

    pub(super) fn file(&self) -> &std::fs::File {
        self.file.file()
    }
}

/// Returns the positions of a level with this cubie in the first corner slot, in order: conjugates
/// of its classes. Uses the threads of this pool.
fn conjugates(classes: &[PositionKey], cubie: Corner) -> Vec<PositionKey> {
    let of_class = |class: &PositionKey| {
        let corners = corners_with(class.corners());
        let edges = edges_with(class.edges());
        let has_it =
            move |by: &&Conjugation| usize::from(by.first_corner(&corners) % 8) == cubie.index();
        Conjugation::all()
            .iter()
            .filter(has_it)
            .map(move |by| PositionKey::with(&by.corners(&corners), &by.edges(&edges)))
    };
    let mut keys: Vec<PositionKey> = classes.par_iter().flat_map_iter(of_class).collect();
    keys.par_sort_unstable();
    keys.dedup();
    keys
}
