//! The perimeter on disk, and the hashing schemes that confirm absence fast (Lee 2013).
//!
//! # Positions
//!
//! Lee stores the positions that a backward breadth-first search finds, 40 bytes each: 4.36 GB
//! within seven moves. Here a position takes nine, 981 MB within seven moves and 13.0 GB within
//! eight. A stored position is its *key*: 27 bits for the number of the arrangement of the corners,
//! below 8!·3⁷, and 40 for that of the edges, below 12!·2¹¹. With the common parity of corners and
//! edges the key would have 66 bits, but one bit saves no byte. The distance is not stored: the
//! levels follow one another, and their offsets are known.
//!
//! Lee's search stores all positions seen, to detect new ones. Here the perimeter in memory does
//! this, with one position of each symmetry class; class by class, its different conjugates are
//! written. An interrupted build starts again.
//!
//! # Hashing schemes
//!
//! A search looks up one position after another among the stored ones, and nearly all are absent.
//! On disk each random access costs milliseconds, so the cost is the number of accesses that
//! confirm absence. A hash function distributes the positions into buckets, and two arrays are
//! stored:
//!
//! - *hash1* has an entry for each bucket: how many positions are in it, and where in hash2 it
//!   starts;
//! - *hash2* has the numbers of the stored positions, bucket by bucket.
//!
//! An empty bucket confirms absence with one access. Otherwise the numbers are read from hash2 in
//! one more, and each position in the bucket is read and compared, an access each. The four methods
//! differ in how many numbers are stored in hash1 itself, so that small buckets need no access to
//! hash2 ([`Method`]). More buckets make more of them empty, at the cost of bytes.
//!
//! ```text
//! absent(position):
//!     entry = hash1[bucket of the position]                        one access
//!     the numbers that do not stand in the entry: from hash2       one access, if there are any
//!     for each number: compare the stored position                 one access each
//! ```
//!
//! With a good hash function bucket sizes follow Poisson's law: with λ positions a bucket a share
//! of e^−λ is empty, 33.6 % of 100 million within seven moves, and a method that stores k numbers
//! in hash1 takes 1 + P(size > k) + λ accesses.
//!
//! The positions and both arrays lie in one file. The arrays are built bucket by bucket: the pairs
//! of bucket and number are sorted, as many at a time as fit 1.2 GB, which takes a pass over the
//! classes each.

use super::painting::Selection;
use super::states::BackwardSpace;
use super::{Perimeter, WITHIN};
use crate::error::LabError;
use crate::lab::Lab;
use crate::pieces::{
    Conjugation, CornerArrangement, EdgeArrangement, corner_number, corners_of, corners_with,
    edge_number, edges_of, edges_with, position_of,
};
use cosette::Control;
use cosette::block_file::{self, BlockFile, PartialFile, PayloadKind};
use cosette::cube::{Cube, Face};
use rayon::prelude::*;
use std::fs::File;
use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

/// Number of bits of the number of an arrangement of the edges.
const EDGE_BITS: u32 = 40;
/// Number of bytes of a stored position.
const BYTES: usize = 9;

/// The key of a position, which distinguishes it from all others: 67 bits, the least significant
/// byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PositionKey([u8; BYTES]);

impl PositionKey {
    /// Returns the key of a position.
    pub fn of(position: &Cube) -> PositionKey {
        PositionKey::with(&corners_of(position), &edges_of(position))
    }

    fn with(corners: &CornerArrangement, edges: &EdgeArrangement) -> PositionKey {
        let corners = u128::from(corner_number(corners));
        let key = (corners << EDGE_BITS | u128::from(edge_number(edges))).to_le_bytes();
        PositionKey(std::array::from_fn(|i| key[i]))
    }

    fn padded(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..BYTES].copy_from_slice(&self.0);
        bytes
    }

    /// Returns the numbers of the arrangements of the corners and of the edges.
    fn numbers(self) -> (u64, u64) {
        let key = u128::from_le_bytes(self.padded());
        let edges = key & ((1 << EDGE_BITS) - 1);
        ((key >> EDGE_BITS) as u64, edges as u64)
    }

    /// Returns the position with this key, if there is one.
    pub fn position(self) -> Option<Cube> {
        let (corners, edges) = self.numbers();
        position_of(corners_with(corners), edges_with(edges))
    }

    /// Returns the keys of the different conjugates of the position, in order.
    fn conjugates(self) -> Vec<PositionKey> {
        let (corners, edges) = self.numbers();
        let corners = corners_with(corners);
        let edges = edges_with(edges);
        let all = Conjugation::all()
            .iter()
            .map(|by| PositionKey::with(&by.corners(&corners), &by.edges(&edges)));
        let mut keys: Vec<PositionKey> = all.collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Returns the bucket by a good hash function, XXH3 of the key: 0 to `buckets - 1`.
    #[inline]
    pub fn bucket(self, buckets: u64) -> u64 {
        let hash = xxh3_64(&self.padded());
        ((u128::from(hash) * u128::from(buckets)) >> 64) as u64
    }

    /// Returns the bucket by a poor, problem-specific function, like the paper's own: the number of
    /// the arrangement of the corners, modulo the number of buckets. Positions with the same
    /// corners share a bucket whatever their edges.
    pub fn poor_bucket(self, buckets: u64) -> u64 {
        self.numbers().0 % buckets
    }
}

/// The contents of an entry of hash1. Its words have four bytes; the first is the size of the
/// bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Size and start.
    Start,
    /// Size and start; the number itself in place of start if the bucket holds one.
    One,
    /// Size, the first number, and start; the second number in place of start if the bucket holds
    /// two.
    Two,
    /// Size, the first two numbers, and start; the third in place of start if the bucket holds
    /// three.
    Three,
}

impl Method {
    /// The four methods, numbered from 1 on in the paper.
    pub const ALL: [Method; 4] = [Method::Start, Method::One, Method::Two, Method::Three];

    /// Returns the number of the method in the paper.
    pub const fn number(self) -> u64 {
        self as u64 + 1
    }

    /// Returns the number of words of an entry.
    pub const fn words(self) -> usize {
        [2, 2, 3, 4][self as usize]
    }

    /// Returns the number of position numbers in hash2 of a bucket of this size.
    pub const fn in_hash2(self, size: u32) -> u32 {
        if size <= self as u32 {
            0
        } else {
            size - (self.words() as u32 - 2)
        }
    }

    /// Returns the number of random accesses that confirm the absence of a position whose bucket
    /// has this size.
    pub const fn accesses(self, size: u32) -> u64 {
        1 + (self.in_hash2(size) > 0) as u64 + size as u64
    }
}

/// A perimeter on disk with a hashing scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The distance of the farthest positions.
    pub d_back: u8,
    /// The contents of an entry of hash1.
    pub method: Method,
    /// Number of buckets: 1 to 2³² − 1.
    pub buckets: u64,
}

/// Number of bytes of a word of the arrays.
const WORD: u64 = 4;

/// The contents of the file of a perimeter.
struct PerimeterFile {
    scheme: Scheme,
    /// `false` while it is written: hash2 has at most a word for each position.
    is_complete: bool,
}

impl PayloadKind for PerimeterFile {
    fn name(&self) -> String {
        self.scheme.name()
    }

    fn bytes(&self) -> u64 {
        self.scheme.start_of_hash2() + self.scheme.positions() * WORD
    }

    fn may_be_shorter(&self) -> bool {
        self.is_complete
    }

    /// A program with other keys must not read the file.
    fn numbering(&self) -> u64 {
        block_file::numbering(|position| {
            let (corners, edges) = PositionKey::of(position).numbers();
            corners.rotate_left(EDGE_BITS) ^ edges
        })
    }
}

impl Scheme {
    fn name(&self) -> String {
        let Scheme {
            d_back, buckets, ..
        } = self;
        let method = self.method.number();
        format!("the positions within {d_back} moves by method {method} with {buckets} buckets")
    }

    fn positions(&self) -> u64 {
        WITHIN[usize::from(self.d_back)]
    }

    fn start_of_hash1(&self) -> u64 {
        self.positions() * BYTES as u64
    }

    fn start_of_hash2(&self) -> u64 {
        let words = self.buckets * self.method.words() as u64;
        self.start_of_hash1() + words * WORD
    }

    /// Writes the positions and the arrays, and returns their number of bytes.
    fn write(&self, file: &PartialFile<'_>, control: &Control<'_>) -> Result<u64, LabError> {
        let classes = PerimeterClasses::generate(self.d_back, &control.silent())?;
        classes.for_each(control, |first, keys| {
            let bytes: Vec<u8> = keys.iter().flat_map(|key| key.0).collect();
            Ok(file.write_all_at(&bytes, first * BYTES as u64)?)
        })?;
        let buckets = self.buckets;
        let parts = self.positions().div_ceil(PAIRS);
        let mut end = self.start_of_hash2();
        for part in 0..parts {
            let range = part * buckets / parts..(part + 1) * buckets / parts;
            // The bucket above the number.
            let mut pairs: Vec<u64> = Vec::new();
            classes.for_each(&control.silent(), |first, keys| {
                let keys = (first..).zip(keys);
                let placed = keys.map(|(number, key)| (key.bucket(buckets), number));
                let here = placed.filter(|(bucket, _)| range.contains(bucket));
                pairs.extend(here.map(|(bucket, number)| bucket << 32 | number));
                Ok(())
            })?;
            control.in_pool(|| pairs.par_sort_unstable())?;
            let mut pairs = &pairs[..];
            for first in range.clone().step_by(BUCKETS_AT_A_TIME) {
                control.report(first, buckets);
                if control.is_cancelled() {
                    return Err(LabError::Cancelled);
                }
                let last = range.end.min(first + BUCKETS_AT_A_TIME as u64);
                pairs = self.write_buckets(file, first..last, pairs, &mut end)?;
            }
        }
        Ok(end)
    }

    /// Writes the arrays of some buckets, with hash2 from `end` on, and returns the pairs of
    /// others.
    fn write_buckets<'a>(
        &self,
        file: &PartialFile<'_>,
        buckets: Range<u64>,
        mut pairs: &'a [u64],
        end: &mut u64,
    ) -> Result<&'a [u64], LabError> {
        let method = self.method;
        let mut hash1: Vec<u32> = Vec::new();
        let mut hash2: Vec<u32> = Vec::new();
        let start = (*end - self.start_of_hash2()) / WORD;
        for bucket in buckets.clone() {
            let size = pairs.iter().take_while(|&&pair| pair >> 32 == bucket);
            let (own, rest) = pairs.split_at(size.count());
            pairs = rest;
            let numbers: Vec<u32> = own.iter().map(|&pair| pair as u32).collect();
            let beyond = method.in_hash2(numbers.len() as u32) as usize;
            let (here, beyond) = numbers.split_at(numbers.len() - beyond);
            let mut entry = vec![numbers.len() as u32];
            entry.extend(here);
            if !beyond.is_empty() {
                entry.push(start as u32 + hash2.len() as u32);
            }
            entry.resize(method.words(), 0);
            hash1.extend(entry);
            hash2.extend(beyond);
        }
        let bytes =
            |words: Vec<u32>| -> Vec<u8> { words.into_iter().flat_map(u32::to_le_bytes).collect() };
        let entry = method.words() as u64 * WORD;
        file.write_all_at(&bytes(hash1), self.start_of_hash1() + buckets.start * entry)?;
        let hash2 = bytes(hash2);
        file.write_all_at(&hash2, *end)?;
        *end += hash2.len() as u64;
        Ok(pairs)
    }
}

/// Approximate number of pairs sorted at a time.
const PAIRS: u64 = 150_000_000;
/// Number of buckets written at a time.
const BUCKETS_AT_A_TIME: usize = 1 << 18;
/// Number of classes whose positions are generated at a time.
const CLASSES: usize = 1 << 14;

/// A position of each symmetry class within some moves of solved, by distance.
pub(super) struct PerimeterClasses(pub Vec<PositionKey>);

impl PerimeterClasses {
    /// Generates the classes within a depth.
    pub fn generate(depth: u8, control: &Control<'_>) -> Result<PerimeterClasses, LabError> {
        let mut classes = Vec::new();
        let on_new = |position: &Cube, _| classes.push(PositionKey::of(position));
        BackwardSpace::visiting(&Selection::faces(&Face::ALL), depth, control, on_new)?;
        Ok(PerimeterClasses(classes))
    }

    /// Passes all positions to `work`, some at a time, with the number of the first. Progress
    /// counts classes.
    pub fn for_each(
        &self,
        control: &Control<'_>,
        mut work: impl FnMut(u64, Vec<PositionKey>) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        let mut first = 0;
        for (chunk, classes) in self.0.chunks(CLASSES).enumerate() {
            control.report((chunk * CLASSES) as u64, self.0.len() as u64);
            if control.is_cancelled() {
                return Err(LabError::Cancelled);
            }
            let keys = classes.par_iter().flat_map_iter(|key| key.conjugates());
            let keys: Vec<PositionKey> = control.in_pool(|| keys.collect())?;
            let count = keys.len() as u64;
            work(first, keys)?;
            first += count;
        }
        Ok(())
    }
}

/// All positions within some moves of solved, on disk, with the arrays of a hashing scheme.
#[derive(Debug)]
pub struct StoredPerimeter {
    scheme: Scheme,
    file: BlockFile,
}

impl StoredPerimeter {
    /// Opens a perimeter in the lab's folder, and verifies it completely; a missing one is built.
    ///
    /// # Errors
    /// The file is corrupted or holds something else, the disk is full, the file cannot be read or
    /// written, another process builds it, or the build was cancelled. No file is left then.
    pub fn in_lab(lab: &Lab<'_>, scheme: Scheme) -> Result<StoredPerimeter, LabError> {
        let Scheme {
            d_back,
            method,
            buckets,
        } = scheme;
        let name = format!("lee-perimeter-{d_back}-{}-{buckets}", method.number());
        let path = lab.folder.path().join(name);
        let is_new = !path.exists();
        let contents = |is_complete| PerimeterFile {
            scheme,
            is_complete,
        };
        if is_new {
            let step = format!("storing {}", scheme.name());
            let control = lab.control.step(&step);
            let incomplete = contents(false);
            let partial = PartialFile::open(&path, &incomplete)?;
            match scheme.write(&partial, &control) {
                Ok(bytes) => partial.finish(bytes, &[0; 32], &control)?,
                Err(fault) => {
                    partial.discard()?;
                    return Err(fault);
                }
            }
        }
        let file = BlockFile::open(&path, &contents(true))?;
        let stored = StoredPerimeter { scheme, file };
        if !is_new {
            let step = format!("checking {}", scheme.name());
            stored.verify(&lab.control.step(&step))?;
        }
        Ok(stored)
    }

    /// Reads the file completely: the checksums are verified, and the system caches it.
    pub fn verify(&self, control: &Control<'_>) -> Result<(), LabError> {
        Ok(self.file.for_each_block(|_, _| {}, control)?)
    }

    /// Removes the file.
    pub fn remove(self) -> Result<(), LabError> {
        let path = self.file.path().to_owned();
        drop(self);
        Ok(block_file::remove(&path)?)
    }

    /// Returns the number of bytes of the two arrays.
    pub fn array_bytes(&self) -> u64 {
        self.file.bytes() - self.scheme.start_of_hash1()
    }

    pub(super) fn file(&self) -> &File {
        self.file.file()
    }

    /// Returns the key of the position numbered `number`, from 0 on.
    pub fn key(&self, number: u64) -> Result<PositionKey, LabError> {
        let mut bytes = [0; BYTES];
        self.file.read_exact_at(&mut bytes, number * BYTES as u64)?;
        Ok(PositionKey(bytes))
    }

    /// Returns the number of the position with this key, if it is stored; adds the random accesses
    /// it took.
    pub fn find(&self, key: PositionKey, accesses: &mut u64) -> Result<Option<u64>, LabError> {
        let Scheme {
            method, buckets, ..
        } = self.scheme;
        let words = method.words();
        let at = key.bucket(buckets) * words as u64 * WORD;
        let entry = self.words(self.scheme.start_of_hash1() + at, words, accesses)?;
        let size = entry[0];
        let beyond = method.in_hash2(size);
        let here = &entry[1..=(size - beyond) as usize];
        let found = self.compare(key, here, accesses)?;
        if found.is_some() || beyond == 0 {
            return Ok(found);
        }
        let start = self.scheme.start_of_hash2() + u64::from(entry[words - 1]) * WORD;
        let numbers = self.words(start, beyond as usize, accesses)?;
        self.compare(key, &numbers, accesses)
    }

    /// Reads some words of the arrays in one access.
    fn words(&self, at: u64, count: usize, accesses: &mut u64) -> Result<Vec<u32>, LabError> {
        *accesses += 1;
        let mut bytes = vec![0; count * WORD as usize];
        self.file.read_exact_at(&mut bytes, at)?;
        let words = bytes.as_chunks().0.iter();
        Ok(words.map(|&word| u32::from_le_bytes(word)).collect())
    }

    /// Returns the number among these whose position has this key.
    fn compare(
        &self,
        key: PositionKey,
        numbers: &[u32],
        accesses: &mut u64,
    ) -> Result<Option<u64>, LabError> {
        for &number in numbers {
            *accesses += 1;
            if self.key(number.into())? == key {
                return Ok(Some(number.into()));
            }
        }
        Ok(None)
    }
}

impl Perimeter for StoredPerimeter {
    fn depth(&self) -> u8 {
        self.scheme.d_back
    }

    fn distance(&self, position: &Cube) -> Result<Option<u8>, LabError> {
        let number = self.find(PositionKey::of(position), &mut 0)?;
        let distance = |number| WITHIN.partition_point(|&within| within <= number) as u8;
        Ok(number.map(distance))
    }
}
