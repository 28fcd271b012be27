//! What one would use today to confirm absence: a static filter, or the sorted hashes of the keys.
//!
//! A *binary fuse filter* (Graf and Lemire 2022) keeps a fingerprint of each key, spread over three places whose exclusive or gives
//! it back, in 1.13 times as many places as keys. Asked for a key it does not hold, it says so but for one time in 256, or in 65,536
//! with two bytes a place; then the position must be looked up exactly. It fits in memory where the positions do not.
//!
//! *Sorted hashes* are evenly spread, so the place of one can be predicted: interpolation search finds it, or the
//! gap where it is not, after log log n steps.

use super::scheme::mixed;
use crate::error::LabError;
use crate::lab::Lab;
use crate::lee::sort;
use crate::lee::space::{Key, StoredSpace};
use rayon::prelude::*;
use std::sync::Mutex;
use xorf::{BinaryFuse8, BinaryFuse16, Filter as _};

/// The hashes of all stored positions in order, 8 bytes each.
pub struct SortedHashes(Vec<u64>);

impl SortedHashes {
    /// Hashes all positions of a space.
    pub fn new(lab: &Lab<'_>, space: &StoredSpace) -> Result<SortedHashes, LabError> {
        let hashes = Mutex::new(Vec::with_capacity(space.len() as usize));
        let gather = |_, keys: &mut dyn Iterator<Item = Key>| {
            let here: Vec<u64> = keys.map(mixed).collect();
            hashes.lock().expect("no thread panics").extend(here);
        };
        space.for_each_stretch(gather, &lab.control.step("hashing the positions"))?;
        let mut hashes = hashes.into_inner().expect("no thread panics");
        lab.control.in_pool(|| sort(&mut hashes, &lab.control))?;
        lab.check()?;
        // Two keys with one hash are rare, and a filter takes no key twice.
        hashes.dedup();
        Ok(SortedHashes(hashes))
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> u64 {
        8 * self.0.len() as u64
    }

    /// Whether the hash of this key is there; adds the accesses it took. Where it is not, neither is the position.
    pub fn may_contain(&self, key: Key, accesses: &mut u64) -> bool {
        let hash = mixed(key);
        // The hash lies in hashes[start..end], all of which are in least..=most.
        let (mut start, mut end, mut least, mut most) = (0, self.0.len(), 0, u64::MAX);
        while start < end && (least..=most).contains(&hash) {
            let share = (hash - least) as f64 / ((most - least) as f64 + 1.0);
            let place = (start + (share * (end - start) as f64) as usize).min(end - 1);
            *accesses += 1;
            match self.0[place] {
                here if here == hash => return true,
                here if here < hash => (start, least) = (place + 1, here + 1),
                here => (end, most) = (place, here - 1),
            }
        }
        false
    }
}

/// Binary fuse filters with the hashes of all stored positions: one for each million or so, by the first bits of the hash, so that
/// they are built by all threads and in little memory.
pub enum Filter {
    /// With fingerprints of eight bits.
    Eight(Vec<BinaryFuse8>),
    /// With fingerprints of sixteen bits.
    Sixteen(Vec<BinaryFuse16>),
}

impl Filter {
    /// A filter with fingerprints of eight bits.
    pub fn eight(lab: &Lab<'_>, hashes: &SortedHashes) -> Result<Filter, LabError> {
        Filter::parts(lab, hashes, |hashes| BinaryFuse8::try_from(hashes)).map(Filter::Eight)
    }

    /// A filter with fingerprints of sixteen bits.
    pub fn sixteen(lab: &Lab<'_>, hashes: &SortedHashes) -> Result<Filter, LabError> {
        Filter::parts(lab, hashes, |hashes| BinaryFuse16::try_from(hashes)).map(Filter::Sixteen)
    }

    fn parts<T: Send>(
        lab: &Lab<'_>,
        SortedHashes(hashes): &SortedHashes,
        build: impl Fn(&[u64]) -> Result<T, &'static str> + Sync,
    ) -> Result<Vec<T>, LabError> {
        let parts = hashes.len().div_ceil(PART);
        let first_of = |part: usize| hashes.partition_point(|&hash| part_of(hash, parts) < part);
        let build = |part: usize| {
            lab.check()?;
            // It would take a thousand unlucky seeds in a row.
            Ok(build(&hashes[first_of(part)..first_of(part + 1)]).expect("the hashes differ"))
        };
        lab.control.in_pool(|| (0..parts).into_par_iter().map(build).collect())?
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        match self {
            Filter::Eight(parts) => parts.iter().map(|part| part.len() as u64).sum(),
            Filter::Sixteen(parts) => parts.iter().map(|part| 2 * part.len() as u64).sum(),
        }
    }

    /// Whether the position may be stored; where not, it is not.
    #[inline]
    pub fn may_contain(&self, key: Key) -> bool {
        let hash = mixed(key);
        match self {
            Filter::Eight(parts) => parts[part_of(hash, parts.len())].contains(&hash),
            Filter::Sixteen(parts) => parts[part_of(hash, parts.len())].contains(&hash),
        }
    }
}

/// How many hashes a part of a filter has, about.
const PART: usize = 1 << 20;

#[inline]
fn part_of(hash: u64, parts: usize) -> usize {
    ((u128::from(hash) * parts as u128) >> 64) as usize
}
