//! The hashing schemes that confirm absence fast (Lee 2013), and what one would use today.
//!
//! A search asks for one position after another whether it is stored, and nearly none is. On disk each random access costs
//! milliseconds, so what counts is how many it takes to be sure. A hash function throws the positions into buckets, and two
//! arrays are kept:
//!
//! - *hash1* has an entry for each bucket: how many positions are in it, and where in hash2 it starts;
//! - *hash2* has the numbers of the positions in the stored space, bucket by bucket.
//!
//! An empty bucket confirms absence with one access. Otherwise the numbers are read from hash2 in one more, and each position in the
//! bucket is read and compared, an access each. The four methods differ in how many numbers stand in hash1 itself, so that
//! small buckets need no access to hash2 ([`Method`]). More buckets make more of them empty, at the cost of bytes.
//!
//! ```text
//! absent(position):
//!     entry = hash1[bucket of the position]                        one access
//!     the numbers that do not stand in the entry: from hash2       one access, if there are any
//!     for each number: compare the stored position                 one access each
//! ```
//!
//! With a good hash function bucket sizes follow Poisson's law: with λ positions a bucket a share of e^−λ is empty, 33.6 % of 100
//! million within seven moves, and a method that keeps k numbers in hash1 takes 1 + P(size > k) + λ accesses.
//!
//! | module | what it holds |
//! |---|---|
//! | `index`, `building` | the two arrays on disk: looking up in them, and building them |
//! | `spread` | how a hash function spreads the positions, counted |
//! | `filter` | static filters and sorted arrays, as one would use today |
//! | `trial` | absent positions to ask for, and how long that takes from disk and from memory |
//! | `experiment`, `today` | the tables of the paper, and the same with today's means |

mod building;
mod experiment;
mod filter;
mod index;
mod spread;
mod today;
mod trial;

pub use experiment::absence;
pub use filter::{Filter, SortedHashes};
pub use index::{Accesses, HashedSpace};
pub use spread::Spread;
pub use today::today;
pub use trial::Absent;

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

/// The 64 bits that the good hash function, the filters and the sorted array make of a key.
#[inline]
fn mixed(key: Key) -> u64 {
    xxh3_64(&key.to_bytes())
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

    /// A bucket with so many positions or fewer needs no access to hash2.
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
