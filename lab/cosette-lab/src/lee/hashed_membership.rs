//! The hashing schemes that confirm absence fast (Lee 2013).
//!
//! A search looks up one position after another among the stored ones, and nearly all are absent.
//! On disk each random access costs milliseconds, so the cost is the number of accesses that
//! confirm absence. A hash function distributes the positions into buckets, and two arrays are
//! stored:
//!
//! - *hash1* has an entry for each bucket: how many positions are in it, and where in hash2 it
//!   starts;
//! - *hash2* has the numbers of the positions in the stored space, bucket by bucket.
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
//! Both arrays lie in one file, hash1 before hash2. They are built bucket by bucket: the pairs of
//! bucket and number are sorted, as many at a time as fit 400 MB, which takes a pass over the
//! stored positions each. An interrupted build starts again: it takes seconds.

use super::Perimeter;
use super::stored_space::{FileContents, FileWriter, PositionKey, StoredSpace};
use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::block_file::{BlockFile, PartialFile};
use cosette::cube::Cube;
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use xxhash_rust::xxh3::xxh3_64;

/// The numbers of buckets that the paper compares.
pub const BUCKETS: [u64; 3] = [524_288, 100_000_000, 500_000_000];

/// The hash function that maps a position to its bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// A good hash function: XXH3 of the key.
    Mixed,
    /// A poor, problem-specific function, like the paper's own: the number of the arrangement of
    /// the corners, modulo the number of buckets. Positions with the same corners share a bucket
    /// whatever their edges.
    Corners,
}

impl Hash {
    /// Both hash functions.
    pub const ALL: [Hash; 2] = [Hash::Mixed, Hash::Corners];

    /// The bucket of a position, 0 to `buckets - 1`.
    #[inline]
    pub fn bucket(self, key: PositionKey, buckets: u64) -> u64 {
        match self {
            Hash::Mixed => {
                ((u128::from(xxh3_64(&key.0.to_le_bytes())) * u128::from(buckets)) >> 64) as u64
            }
            Hash::Corners => key.corners() % buckets,
        }
    }

    /// Its name in a table.
    pub const fn name(self) -> &'static str {
        match self {
            Hash::Mixed => "XXH3",
            Hash::Corners => "corners",
        }
    }
}

/// The contents of an entry of hash1. Its words have four bytes; the first is the size of the
/// bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Size and start.
    Start,
    /// Size and start; the number itself in place of start if the bucket holds one.
    #[default]
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

    /// The largest bucket that needs no access to hash2.
    pub const fn most_in_entry(self) -> u32 {
        self as u32
    }

    /// Returns the number of words of an entry.
    pub const fn words(self) -> usize {
        [2, 2, 3, 4][self as usize]
    }

    /// Returns the number of position numbers in hash2 of a bucket of this size.
    pub const fn in_hash2(self, size: u32) -> u32 {
        if size <= self.most_in_entry() {
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

/// A hashing scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The function that maps a position to its bucket.
    pub hash: Hash,
    /// The contents of an entry of hash1.
    pub method: Method,
    /// Number of buckets: 1 to 2³² − 1.
    pub buckets: u64,
}

/// Number of bytes of a word of the arrays.
const WORD: u64 = 4;

/// A stored space with the arrays of a hashing scheme.
#[derive(Debug)]
pub struct HashedSpace {
    space: StoredSpace,
    index: BlockFile,
    scheme: Scheme,
}

impl HashedSpace {
    /// Builds the arrays for a stored space at `path`, replacing an existing file. On failure, no
    /// file is left. Progress counts buckets.
    pub fn build(
        space: StoredSpace,
        path: &Path,
        scheme: Scheme,
        control: &Control<'_>,
    ) -> Result<HashedSpace, LabError> {
        let write = |partial: &PartialFile<'_>| scheme.write(&space, partial, control);
        scheme.contents(&space).write(path, write, control)?;
        HashedSpace::open(space, path, scheme)
    }

    /// Opens the arrays at `path`. Only their header is checked; see [`HashedSpace::verify`].
    ///
    /// # Errors
    /// The file is missing or truncated, its header is corrupted, or it holds other arrays.
    pub fn open(space: StoredSpace, path: &Path, scheme: Scheme) -> Result<HashedSpace, LabError> {
        let index = BlockFile::open(path, &scheme.contents(&space))?;
        Ok(HashedSpace {
            space,
            index,
            scheme,
        })
    }

    /// Returns the space of this depth and its arrays by a method, from the lab's folder; by
    /// default with as many buckets as positions. Missing files are built and stored, existing
    /// ones verified completely.
    pub fn in_lab(
        lab: &Lab<'_>,
        depth: u8,
        method: Method,
        buckets: Option<u64>,
    ) -> Result<HashedSpace, LabError> {
        let space = StoredSpace::in_lab(lab, depth)?;
        let scheme = Scheme {
            hash: Hash::Mixed,
            method,
            buckets: buckets.unwrap_or(space.positions()),
        };
        let number = method.number();
        let name = format!("lee-index-{depth}-{number}-{}", scheme.buckets);
        let path = lab.folder.path().join(name);
        if !path.exists() {
            let what = format!("indexing the positions within {depth} moves");
            return HashedSpace::build(space, &path, scheme, &lab.control.step(&what));
        }
        let hashed = HashedSpace::open(space, &path, scheme)?;
        let what = format!("checking the index of the positions within {depth} moves");
        hashed.verify(&lab.control.step(&what))?;
        Ok(hashed)
    }

    /// Verifies all checksums of the arrays.
    pub fn verify(&self, control: &Control<'_>) -> Result<(), LabError> {
        Ok(self.index.for_each_block(|_, _| {}, control)?)
    }

    /// The stored space.
    pub fn space(&self) -> &StoredSpace {
        &self.space
    }

    /// Returns the stored space, dropping the arrays.
    pub fn into_space(self) -> StoredSpace {
        self.space
    }

    /// Returns the number of bytes of the two arrays.
    pub fn bytes(&self) -> u64 {
        self.index.bytes()
    }

    /// The files that are read: the arrays and the positions.
    pub(in crate::lee) fn files(&self) -> [&std::fs::File; 2] {
        [self.index.file(), self.space.file()]
    }

    /// The number of the position with this key, if it is stored; adds the random accesses it took.
    pub fn find(&self, key: PositionKey, accesses: &mut u64) -> Result<Option<u64>, LabError> {
        let Scheme {
            hash,
            method,
            buckets,
        } = self.scheme;
        let mut entry = [0; 16];
        let entry = &mut entry[..method.words() * WORD as usize];
        *accesses += 1;
        self.index
            .read_exact_at(entry, hash.bucket(key, buckets) * entry.len() as u64)?;
        let word = |bytes: &[u8]| u32::from_le_bytes(std::array::from_fn(|i| bytes[i]));
        let size = word(entry);
        let beyond = method.in_hash2(size);
        let (here, last) = entry[4..].split_at(if beyond > 0 {
            entry.len() - 8
        } else {
            4 * size.min(3) as usize
        });
        if let found @ Some(_) = self.compare(key, here, accesses)? {
            return Ok(found);
        }
        if beyond == 0 {
            return Ok(None);
        }
        let start = self.scheme.start_of_hash2() + u64::from(word(last)) * WORD;
        let mut numbers = vec![0; 4 * beyond as usize];
        *accesses += 1;
        self.index.read_exact_at(&mut numbers, start)?;
        self.compare(key, &numbers, accesses)
    }

    /// The number among these whose position has this key.
    fn compare(
        &self,
        key: PositionKey,
        numbers: &[u8],
        accesses: &mut u64,
    ) -> Result<Option<u64>, LabError> {
        for number in numbers.chunks_exact(4) {
            let number = u64::from(u32::from_le_bytes(std::array::from_fn(|i| number[i])));
            *accesses += 1;
            if self.space.key(number)? == key {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

impl Perimeter for HashedSpace {
    fn depth(&self) -> u8 {
        self.space.depth()
    }

    fn distance(&self, position: &Cube) -> Result<Option<u8>, LabError> {
        let found = self.find(PositionKey::of(position), &mut 0)?;
        Ok(found.map(StoredSpace::distance))
    }
}

/// Approximate number of pairs sorted at a time.
const PAIRS: u64 = 50_000_000;

impl Scheme {
    fn contents(&self, space: &StoredSpace) -> FileContents {
        let Scheme {
            hash,
            method,
            buckets,
        } = self;
        let depth = space.depth();
        let number = method.number();
        FileContents {
            name: format!(
                "an index of {depth} moves by {hash:?}, method {number}, {buckets} buckets"
            ),
            bytes: self.start_of_hash2() + space.positions() * WORD,
            is_exact: false,
        }
    }

    fn start_of_hash2(&self) -> u64 {
        self.buckets * self.method.words() as u64 * WORD
    }

    /// Writes both arrays and returns their number of bytes.
    fn write(
        &self,
        space: &StoredSpace,
        partial: &PartialFile<'_>,
        control: &Control<'_>,
    ) -> Result<u64, LabError> {
        let start_of_hash2 = self.start_of_hash2();
        let mut hash1 = FileWriter::new(partial, 0);
        let mut hash2 = FileWriter::new(partial, start_of_hash2);
        let parts = space.positions().div_ceil(PAIRS);
        for part in 0..parts {
            let range = part * self.buckets / parts..(part + 1) * self.buckets / parts;
            let pairs = self.pairs(space, &range, control)?;
            let mut pairs = &pairs[..];
            for bucket in range {
                if bucket % (1 << 18) == 0 {
                    control.report(bucket, self.buckets);
                    if control.is_cancelled() {
                        return Err(LabError::Cancelled);
                    }
                }
                let in_bucket = pairs.iter().take_while(|&&pair| pair >> 32 == bucket);
                let (numbers, rest) = pairs.split_at(in_bucket.count());
                pairs = rest;
                let size = numbers.len();
                let beyond = self.method.in_hash2(size as u32) as usize;
                let mut words = [size as u32, 0, 0, 0];
                for (word, &number) in words[1..].iter_mut().zip(&numbers[..size - beyond]) {
                    *word = number as u32;
                }
                if beyond > 0 {
                    let start = (hash2.end() - start_of_hash2) / WORD;
                    words[self.method.words() - 1] = start as u32;
                }
                for word in &words[..self.method.words()] {
                    hash1.push(&word.to_le_bytes())?;
                }
                for &number in &numbers[size - beyond..] {
                    hash2.push(&(number as u32).to_le_bytes())?;
                }
            }
        }
        hash1.flush()?;
        hash2.flush()
    }

    /// Returns the positions of some buckets, in order: the bucket above the number.
    fn pairs(
        &self,
        space: &StoredSpace,
        range: &Range<u64>,
        control: &Control<'_>,
    ) -> Result<Vec<u64>, LabError> {
        let pairs = Mutex::new(Vec::new());
        let gather = |first: u64, keys: &mut dyn Iterator<Item = PositionKey>| {
            let pair = |(number, key)| {
                let bucket = self.hash.bucket(key, self.buckets);
                range.contains(&bucket).then_some(bucket << 32 | number)
            };
            let here: Vec<u64> = (first..).zip(keys).filter_map(pair).collect();
            pairs.lock().expect("no thread panics").extend(here);
        };
        space.for_each_stretch(gather, &control.silent())?;
        let mut pairs = pairs.into_inner().expect("no thread panics");
        control.in_pool(|| pairs.par_sort_unstable())?;
        Ok(pairs)
    }
}
