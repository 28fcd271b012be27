//! The two arrays on disk, and looking up in them.
//!
//! Both lie in one file, hash1 before hash2.

use super::building::Building;
use super::scheme::{Scheme, WORD};
use crate::error::LabError;
use crate::lee::space::{Key, StoredSpace, numbering};
use cosette::Control;
use cosette::block_file::{BlockFile, Contents};
use std::path::Path;

/// A stored space with the arrays of a hashing scheme.
#[derive(Debug)]
pub struct HashedSpace {
    space: StoredSpace,
    index: BlockFile,
    scheme: Scheme,
}

/// How many random accesses were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// To hash1.
    pub hash1: u64,
    /// To hash2.
    pub hash2: u64,
    /// To stored positions.
    pub positions: u64,
}

impl Accesses {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.hash1 + self.hash2 + self.positions
    }
}

impl HashedSpace {
    /// Builds the arrays for a stored space at `path`, replacing what is there. Progress counts buckets.
    pub fn build(
        space: StoredSpace,
        path: &Path,
        scheme: Scheme,
        control: &Control<'_>,
    ) -> Result<HashedSpace, LabError> {
        Building { space: &space, scheme, control }.build(path, &Arrays { space: &space, scheme })?;
        HashedSpace::open(space, path, scheme)
    }

    /// Opens the arrays at `path`. Their header is checked, they themselves are not ([`HashedSpace::verify`]).
    ///
    /// # Errors
    /// If there is no file, if it is truncated, if its header is damaged, or if it holds other arrays.
    pub fn open(space: StoredSpace, path: &Path, scheme: Scheme) -> Result<HashedSpace, LabError> {
        let index = BlockFile::open(path, &Arrays { space: &space, scheme })?;
        Ok(HashedSpace { space, index, scheme })
    }

    /// Checks all checksums of the arrays.
    pub fn verify(&self, control: &Control<'_>) -> Result<(), LabError> {
        Ok(self.index.for_each_block(|_, _| {}, &control.silent())?)
    }

    /// The stored space.
    pub fn space(&self) -> &StoredSpace {
        &self.space
    }

    /// Gives the stored space back.
    pub fn into_space(self) -> StoredSpace {
        self.space
    }

    /// How many bytes the two arrays take.
    pub fn bytes(&self) -> u64 {
        self.index.bytes()
    }

    /// The files that are read: the arrays and the positions.
    pub(in crate::lee) fn files(&self) -> [&std::fs::File; 2] {
        [self.index.file(), self.space.file()]
    }

    /// The number of the position with this key, if it is stored; adds the random accesses it took.
    pub fn find(&self, key: Key, accesses: &mut Accesses) -> Result<Option<u64>, LabError> {
        let Scheme { hash, method, buckets } = self.scheme;
        let mut entry = [0; 16];
        let entry = &mut entry[..method.words() * WORD as usize];
        accesses.hash1 += 1;
        self.index.read_exact_at(entry, hash.bucket(key, buckets) * entry.len() as u64)?;
        let word = |bytes: &[u8]| u32::from_le_bytes(std::array::from_fn(|i| bytes[i]));
        let size = word(entry);
        let beyond = method.in_hash2(size);
        let (here, last) = entry[4..].split_at(if beyond > 0 { entry.len() - 8 } else { 4 * size.min(3) as usize });
        if let found @ Some(_) = self.compare(key, here, accesses)? {
            return Ok(found);
        }
        if beyond == 0 {
            return Ok(None);
        }
        let start = buckets * method.words() as u64 * WORD + u64::from(word(last)) * WORD;
        let mut small = [0; 64];
        let mut large = Vec::new();
        let numbers = match small.get_mut(..4 * beyond as usize) {
            Some(numbers) => numbers,
            None => {
                large.resize(4 * beyond as usize, 0);
                &mut large[..]
            }
        };
        accesses.hash2 += 1;
        self.index.read_exact_at(numbers, start)?;
        self.compare(key, numbers, accesses)
    }

    /// The number among these whose position has this key.
    fn compare(&self, key: Key, numbers: &[u8], accesses: &mut Accesses) -> Result<Option<u64>, LabError> {
        for number in numbers.chunks_exact(4) {
            let number = u64::from(u32::from_le_bytes(std::array::from_fn(|i| number[i])));
            accesses.positions += 1;
            if self.space.key(number)? == key {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

/// What the file of the arrays holds, with room for all numbers in hash2.
struct Arrays<'a> {
    space: &'a StoredSpace,
    scheme: Scheme,
}

impl Contents for Arrays<'_> {
    fn name(&self) -> String {
        let (depth, Scheme { hash, method, buckets }) = (self.space.depth(), self.scheme);
        format!("an index of {depth} moves by {hash:?}, method {}, {buckets} buckets", method.number())
    }

    fn bytes(&self) -> u64 {
        (self.scheme.buckets * self.scheme.method.words() as u64 + self.space.len()) * WORD
    }

    fn may_be_shorter(&self) -> bool {
        true
    }

    fn numbering(&self) -> u64 {
        numbering()
    }
}
