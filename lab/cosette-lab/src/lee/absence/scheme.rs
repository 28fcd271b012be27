//! Which bucket a position goes to, and what an entry of hash1 holds.

use crate::lee::space::Key;
use xxhash_rust::xxh3::xxh3_64;

/// The numbers of buckets that the paper compares.
pub const BUCKETS: [u64; 3] = [524_288, 100_000_000, 500_000_000];

/// Which bucket a position goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// A good one: XXH3 of the key.
    Mixed,
    /// A poor one that comes from the problem, as the paper's own does: the number of the arrangement of the corners, modulo
    /// the number of buckets. Positions with the same corners share a bucket whatever their edges.
    Corners,
}

impl Hash {
    /// Both.
    pub const ALL: [Hash; 2] = [Hash::Mixed, Hash::Corners];

    /// The bucket of a position, 0 to `buckets - 1`.
    #[inline]
    pub fn bucket(self, key: Key, buckets: u64) -> u64 {
        match self {
            Hash::Mixed => ((u128::from(mixed(key)) * u128::from(buckets)) >> 64) as u64,
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

/// The 64 bits that the good hash function makes of a key.
#[inline]
fn mixed(key: Key) -> u64 {
    xxh3_64(&key.0.to_le_bytes())
}

/// What stands in an entry of hash1. Its words have four bytes; the first is the size of the bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Size and start.
    Start,
    /// Size and start; the number itself in place of start where the bucket holds one.
    One,
    /// Size, the first number, and start; the second number in place of start where the bucket holds two.
    Two,
    /// Size, the first two numbers, and start; the third in place of start where the bucket holds three.
    Three,
}

impl Method {
    /// The four methods, as the paper numbers them from 1 on.
    pub const ALL: [Method; 4] = [Method::Start, Method::One, Method::Two, Method::Three];

    /// The number that the paper gives it.
    pub const fn number(self) -> u64 {
        self as u64 + 1
    }

    /// The largest bucket that needs no access to hash2.
    pub const fn most_in_entry(self) -> u32 {
        self as u32
    }

    /// How many words an entry has.
    pub const fn words(self) -> usize {
        [2, 2, 3, 4][self as usize]
    }

    /// How many numbers of a bucket of this size stand in hash2.
    pub const fn in_hash2(self, size: u32) -> u32 {
        if size <= self.most_in_entry() { 0 } else { size - (self.words() as u32 - 2) }
    }

    /// How many random accesses confirm that a position is absent whose bucket has this size.
    pub const fn accesses(self, size: u32) -> u64 {
        1 + (self.in_hash2(size) > 0) as u64 + size as u64
    }
}

/// A hashing scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Which bucket a position goes to.
    pub hash: Hash,
    /// What stands in an entry of hash1.
    pub method: Method,
    /// How many buckets there are: 1 to 2³² − 1.
    pub buckets: u64,
}

/// How many bytes a word of the arrays has.
pub(super) const WORD: u64 = 4;
