//! How a hash function spreads the stored positions over buckets, counted.

use crate::error::LabError;
use crate::lab::Lab;
use crate::lee::absence::{Hash, Method};
use crate::lee::space::{Key, StoredSpace};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How many buckets are counted at a time, in 256 MB.
const AT_A_TIME: u64 = 1 << 26;

/// How the stored positions spread over buckets.
#[derive(Clone, Debug)]
pub struct Spread {
    /// Which bucket a position goes to.
    pub hash: Hash,
    /// How many buckets there are.
    pub buckets: u64,
    /// How many positions.
    pub positions: u64,
    /// How many buckets there are of each size.
    pub sizes: BTreeMap<u32, u64>,
}

impl Spread {
    /// Counts the positions in each bucket, and says how many there are in the buckets of each of these sets of keys.
    pub fn count(
        lab: &Lab<'_>,
        space: &StoredSpace,
        hash: Hash,
        buckets: u64,
        asked: &[&[Key]],
    ) -> Result<(Spread, Vec<Vec<u32>>), LabError> {
        let mut spread = Spread { hash, buckets, positions: space.len(), sizes: BTreeMap::new() };
        let mut answers: Vec<Vec<u32>> = asked.iter().map(|keys| vec![0; keys.len()]).collect();
        let counts: Vec<AtomicU32> = (0..AT_A_TIME.min(buckets)).map(|_| AtomicU32::new(0)).collect();
        for first in (0..buckets).step_by(AT_A_TIME as usize) {
            lab.step(&format!("counting {buckets} buckets"), first, buckets);
            let counts = &counts[..AT_A_TIME.min(buckets - first) as usize];
            counts.iter().for_each(|count| count.store(0, Relaxed));
            let count_of = |key| counts.get(hash.bucket(key, buckets).wrapping_sub(first) as usize);
            let count = |_, keys: &mut dyn Iterator<Item = Key>| {
                for count in keys.filter_map(count_of) {
                    count.fetch_add(1, Relaxed);
                }
            };
            space.for_each_stretch(count, &lab.control.silent())?;
            for (answers, keys) in answers.iter_mut().zip(asked) {
                for (answer, &key) in answers.iter_mut().zip(*keys) {
                    *answer = count_of(key).map_or(*answer, |count| count.load(Relaxed));
                }
            }
            let mut small = [0; 256];
            for size in counts.iter().map(|count| count.load(Relaxed)) {
                match small.get_mut(size as usize) {
                    Some(count) => *count += 1,
                    None => *spread.sizes.entry(size).or_default() += 1,
                }
            }
            for (size, count) in (0..).zip(small).filter(|&(_, count)| count > 0) {
                *spread.sizes.entry(size).or_default() += count;
            }
        }
        Ok((spread, answers))
    }

    /// How many positions the fullest bucket holds.
    pub fn largest(&self) -> u32 {
        self.sizes.last_key_value().map_or(0, |(&size, _)| size)
    }

    /// How many bytes the two arrays of a method take.
    pub fn bytes(&self, method: Method) -> u64 {
        let numbers: u64 = self.sizes.iter().map(|(&size, count)| count * u64::from(method.in_hash2(size))).sum();
        4 * (self.buckets * method.words() as u64 + numbers)
    }
}
