//! How many buckets hold how many positions, and what follows from it.

use super::kept::Kept;
use crate::lee::absence::{Hash, Method};
use std::collections::BTreeMap;

/// How many buckets there are of each size.
pub struct Sizes(BTreeMap<u32, u64>);

impl Sizes {
    /// Those that are kept of a hash function.
    pub fn kept(kept: &Kept, hash: Hash, buckets: u64) -> Sizes {
        let all = kept.all(&format!("{} {buckets} size ", hash.name()));
        let number = |text: &str| text.parse().expect("sizes and counts are whole numbers");
        Sizes(all.iter().map(|(size, count)| (number(size) as u32, number(&count[0]))).collect())
    }

    /// From how many buckets there are of size 0, 1, 2, …
    pub fn of(counts: &[u64]) -> Sizes {
        Sizes((0..).zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect())
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
