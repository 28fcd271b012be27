//! Files of checksummed blocks: pruning tables, and the databases and stored spaces of the lab.
//!
//! ```text
//! byte 0     header, one page of 4096 bytes                            (header.rs)
//!            | magic | version | byte order | name | bytes of the payload | block size | facts | numbering |
//!            | checksum of the list below | room for the payload | … zeros … | checksum of the header |
//!      4096  the checksums of the blocks, 8 bytes each, zeros to the end of the page
//!            | block 0 | block 1 | …                                                          |
//!      P     the payload
//!            | block 0                    | block 1                   | … the rest            |
//! ```
//!
//! Checksums are XXH3 of 64 bits: they find what disks, copies and transfers do to a file, not what a forger does. Each
//! part is checked by the part before it, so opening a file costs two small reads, and its blocks can be checked in any
//! order while they are read ([`BlockFile`]).
//!
//! A file is written next to its final path, synced, and renamed: at any time, even after a power cut, there is the old
//! file, the new one or none. The payload is written first and the header last. What is in memory is saved through a temporary
//! file (`save`); what is generated in units goes to a partial file with a journal, from which interrupted generation
//! continues (`generate`); what is written in any other order goes to a `PartialFile`. Where there are no files, the caller keeps
//! the same bytes in a [`Storage`], and what is generated in memory is stored unit by unit ([`StoredUnits`]).
//!
//! A file states its [`Contents`]; the meaning of the payload is known to the code that wrote it.

#[cfg(feature = "files")]
mod disk;
mod error;
#[cfg(feature = "files")]
mod generation;
mod header;
#[cfg(feature = "files")]
mod partial;
mod reading;
mod storage;
mod writing;

pub use error::FileError;
pub(crate) use error::table_in;
#[cfg(feature = "files")]
pub use generation::{Units, generate, generate_if_missing, open_if_missing, progress};
#[cfg(feature = "files")]
pub(crate) use partial::TEMPORARY;
#[cfg(feature = "files")]
pub use partial::{PartialFile, check_room, remove, save};
pub use reading::BlockFile;
pub use storage::Storage;
pub use writing::{StoredUnits, store};

use crate::cube::{Cube, random_positions};
use xxhash_rust::xxh3::Xxh3Default;

/// How much is read before it is checksummed, while it is still in the processor's cache.
const PIECE: usize = 256 << 10;

/// Numbers about the payload that are known once it is written, such as how many entries have each value.
pub type Facts = [u64; 32];

/// What a file states about its payload: a file that states something else is not read.
pub trait Contents: Sync {
    /// What it is, in 64 bytes at most, such as the name of a table.
    fn name(&self) -> String;

    /// How many bytes the payload takes; an upper bound if it may be shorter.
    fn bytes(&self) -> u64;

    /// Whether only writing the payload shows how many bytes it takes. Otherwise a file with fewer is refused.
    fn may_be_shorter(&self) -> bool {
        false
    }

    /// A checksum of where the entries of some positions are, such as [`numbering`] makes, and of what they mean.
    fn numbering(&self) -> u64;

    /// How many bytes share a checksum. The last block may be shorter.
    fn block_size(&self) -> u64 {
        4 << 20
    }

    /// How many bytes are generated at a time ([`generate`]). The last unit may be shorter.
    fn unit_size(&self) -> u64 {
        self.block_size()
    }
}

impl<T: Contents + ?Sized> Contents for &T {
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

    fn unit_size(&self) -> u64 {
        (**self).unit_size()
    }
}

/// How large a complete file with these contents is, in bytes; an upper bound if the payload may be shorter.
pub fn file_size(contents: &dyn Contents) -> u64 {
    header::Layout::of(contents).file_size()
}

/// A checksum of where the entries of a thousand positions are, as `place` computes it.
///
/// If a new version numbers classes or placements differently, all older tables are wrong, and no other checksum shows it:
/// some of their bounds are then too high, and solutions are missed.
pub fn numbering(place: impl Fn(&Cube) -> u64) -> u64 {
    let mut checksum = Xxh3Default::new();
    for cube in random_positions(0).take(1000) {
        checksum.update(&place(&cube).to_le_bytes());
    }
    checksum.digest()
}
