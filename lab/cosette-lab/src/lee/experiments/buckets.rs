//! How many buckets hold how many positions, and what follows from it; and absent positions to ask for.

use super::kept::Kept;
use crate::error::LabError;
use crate::lab::Lab;
use crate::lee::absence::{Hash, Method};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Key, StoredSpace};
use cosette::cube::{Cube, Move, random_positions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How many buckets are counted at a time, in 256 MB.
const AT_A_TIME: u64 = 1 << 26;

/// How many buckets there are of each size.
pub struct Sizes(BTreeMap<u32, u64>);

impl Sizes {
    /// Those that are kept of so many buckets, under the name of a hash function.
    pub(super) fn kept(kept: &Kept, name: &str, buckets: u64) -> Sizes {
        let all = kept.all(&format!("{name} {buckets} size "));
        let number = |text: &str| text.parse().expect("sizes and counts are whole numbers");
        Sizes(all.iter().map(|(size, count)| (number(size) as u32, number(&count[0]))).collect())
    }

    /// Counts the positions in each bucket, and says how many there are in the buckets of each of these sets of keys.
    pub fn count(
        lab: &Lab<'_>,
        space: &StoredSpace,
        hash: Hash,
        buckets: u64,
        asked: &[&[Key]],
    ) -> Result<(Sizes, Vec<Vec<u32>>), LabError> {
        let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
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
                    None => *sizes.entry(size).or_default() += 1,
                }
            }
            for (size, count) in (0..).zip(small).filter(|&(_, count)| count > 0) {
                *sizes.entry(size).or_default() += count;
            }
        }
        Ok((Sizes(sizes), answers))
    }

    /// How many buckets there are of each size.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, u64)> {
        self.0.iter().map(|(&size, &count)| (size, count))
    }

    /// How many buckets there are.
    pub fn buckets(&self) -> u64 {
        self.0.values().sum()
    }

    /// How many hold a number of positions in this range.
    pub fn of_size(&self, sizes: impl std::ops::RangeBounds<u32>) -> u64 {
        self.0.range(sizes).map(|(_, count)| count).sum()
    }

    /// How many positions they hold.
    pub fn positions(&self) -> u64 {
        self.0.iter().map(|(&size, count)| u64::from(size) * count).sum()
    }

    /// How many positions the least full holds.
    pub fn smallest(&self) -> u32 {
        self.0.first_key_value().map_or(0, |(&size, _)| size)
    }

    /// How many positions the fullest holds.
    pub fn largest(&self) -> u32 {
        self.0.last_key_value().map_or(0, |(&size, _)| size)
    }

    /// The share of the buckets with a number of positions in this range.
    pub fn share(&self, sizes: impl std::ops::RangeBounds<u32>) -> f64 {
        self.of_size(sizes) as f64 / self.buckets() as f64
    }

    /// The mean of a value over all buckets, or over those for which it is positive, with its deviation.
    pub fn mean(&self, value: impl Fn(u32) -> u64, of_all: bool) -> (f64, f64) {
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for (&size, &buckets) in &self.0 {
            let value = value(size) as f64;
            if of_all || value > 0.0 {
                count += buckets as f64;
                sum += buckets as f64 * value;
                squares += buckets as f64 * value * value;
            }
        }
        let mean = sum / count;
        (mean, (squares / count - mean * mean).max(0.0).sqrt())
    }

    /// How many bytes the two arrays of a method take.
    pub fn bytes(&self, method: Method) -> u64 {
        let numbers: u64 = self.0.iter().map(|(&size, count)| count * u64::from(method.in_hash2(size))).sum();
        4 * (self.buckets() * method.words() as u64 + numbers)
    }

    /// The random accesses that confirm that a random position is absent, with their deviation.
    pub fn accesses(&self, method: Method) -> (f64, f64) {
        self.mean(|size| method.accesses(size), true)
    }

    /// Chi-squared of sizes against Poisson's law, with the number of cells: those of fewer than five expected buckets are one.
    pub fn chi_squared(&self) -> (f64, usize) {
        let buckets = self.buckets() as f64;
        let expected: Vec<f64> =
            poisson(self.positions() as f64 / buckets).map(|chance| chance * buckets).take(1000).collect();
        let mut cells: Vec<(f64, f64)> = Vec::new();
        let mut rest = (0.0, 0.0);
        for (size, expected) in (0..).zip(expected) {
            let observed = self.of_size(size..=size) as f64;
            if expected >= 5.0 {
                cells.push((observed, expected));
            } else {
                rest = (rest.0 + observed, rest.1 + expected);
            }
        }
        match cells.last_mut() {
            Some(last) if rest.1 < 5.0 => *last = (last.0 + rest.0, last.1 + rest.1),
            _ => cells.push(rest),
        }
        (cells.iter().map(|(observed, expected)| (observed - expected).powi(2) / expected).sum(), cells.len())
    }
}

/// The chances that a bucket holds 0, 1, 2, … positions where there are `mean` on average.
pub fn poisson(mean: f64) -> impl Iterator<Item = f64> {
    // As logarithms, which do not underflow.
    let next = move |&(size, chance): &(u32, f64)| Some((size + 1, chance + (mean / f64::from(size + 1)).ln()));
    std::iter::successors(Some((0, -mean)), next).map(|(_, chance)| chance.exp())
}

/// Positions that are not stored.
pub(super) struct Absent {
    /// Uniformly random ones.
    pub random: Vec<Cube>,
    /// Those one move beyond: children of random positions of the last level. A search that comes near asks for them.
    pub beyond: Vec<Cube>,
}

impl Absent {
    /// Draws `count` of each. That they are absent is checked with the classes, which share no look-up with the hashing
    /// schemes; a random position is stored with a chance of 10⁻¹¹ at most.
    pub fn draw(
        lab: &Lab<'_>,
        space: &StoredSpace,
        classes: &Perimeter,
        count: usize,
        seed: u64,
    ) -> Result<Absent, LabError> {
        lab.step("drawing absent positions", 0, 2 * count as u64);
        let is_absent = |position: &Cube| classes.distance(position).is_none();
        let level = StoredSpace::level(space.depth());
        let child = |number: u64| {
            lab.check()?;
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(number);
            let parent = space.get(rng.random_range(level.clone()))?.position;
            let children = std::iter::repeat_with(|| parent.turned(Move::ALL[rng.random_range(0..Move::COUNT)]));
            // Each position of the last level within eight moves has a child beyond.
            Ok(children.take(1000).find(is_absent))
        };
        lab.control.in_pool(|| {
            let mut positions = random_positions(seed);
            let mut random = Vec::with_capacity(count);
            while random.len() < count {
                lab.check()?;
                let some: Vec<Cube> = positions.by_ref().take((count - random.len()).min(20_000)).collect();
                random.par_extend(some.into_par_iter().filter(is_absent));
            }
            lab.step("drawing absent positions", count as u64, 2 * count as u64);
            let beyond: Vec<Option<Cube>> =
                (0..count as u64).into_par_iter().map(child).collect::<Result<_, LabError>>()?;
            Ok(Absent { random, beyond: beyond.into_iter().flatten().collect() })
        })?
    }

    /// The keys of the random ones and of those beyond.
    pub fn keys(&self) -> [Vec<Key>; 2] {
        [&self.random, &self.beyond].map(|positions| positions.iter().map(Key::of).collect())
    }
}
