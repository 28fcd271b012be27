//! The hashing schemes that confirm absence fast (Lee 2013).
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

mod building;
mod index;
mod scheme;

pub use index::{Accesses, HashedSpace};
pub use scheme::{BUCKETS, Hash, Method, Scheme};
