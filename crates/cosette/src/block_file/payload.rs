//! The identity of a payload.

use crate::cube::{Cube, random_positions};
use xxhash_rust::xxh3::Xxh3Default;

/// Numbers about the payload that are known once it is written, such as the numbers of entries with
/// each value.
pub type PayloadStats = [u64; 32];

/// The identity of a payload, which its file records: a file with another one is not read.
pub trait PayloadKind: Sync {
    /// Returns the name of the contents, in 64 bytes at most, such as the name of a table.
    fn name(&self) -> String;

    /// Returns the number of bytes of the payload; an upper bound if it may be shorter.
    fn bytes(&self) -> u64;

    /// Returns `true` if the number of bytes is known only once the payload is written. Otherwise a
    /// file with fewer is rejected.
    fn may_be_shorter(&self) -> bool {
        false
    }

    /// Returns a checksum of the addresses of some positions' entries, such as [`numbering`]
    /// computes, and of their meaning.
    fn numbering(&self) -> u64;

    /// Returns the number of bytes that share a checksum and are generated at a time
    /// ([`PartialFile::generate`](super::PartialFile::generate)). The last block may be shorter.
    fn block_size(&self) -> u64 {
        4 << 20
    }
}

impl<T: PayloadKind + ?Sized> PayloadKind for &T {
    fn name(&self) -> String {
        (**self).name()
    }

    fn bytes(&self) -> u64 {
        (**self).bytes()
    }

    fn may_be_shorter(&self) -> bool {
        (**self).may_be_shorter()
    }

    fn numbering(&self) -> u64 {
        (**self).numbering()
    }

    fn block_size(&self) -> u64 {
        (**self).block_size()
    }
}

/// Returns a checksum of the addresses of the entries of a thousand positions, as `place` computes
/// them.
///
/// If a new version numbers classes or placements differently, all older tables are wrong, and no
/// other checksum detects it: some of their bounds are then too high, and solutions are missed.
pub fn numbering(place: impl Fn(&Cube) -> u64) -> u64 {
    let mut checksum = Xxh3Default::new();
    for cube in random_positions(0).take(1000) {
        checksum.update(&place(&cube).to_le_bytes());
    }
    checksum.digest()
}
