//! A set of numbers that also contains some that were never put in (Bloom 1970): a number is three bits of one word.

use crate::lee::slots::home;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A set that never denies a number that was put in, and takes one in two hundred of the others for one.
pub(super) struct Marks(Vec<AtomicU64>);

impl Marks {
    /// An empty set with room for `room` numbers, a word of 64 bits for every four.
    pub fn new(room: usize) -> Marks {
        Marks((0..room.div_ceil(4).max(1)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Puts a number in.
    pub fn insert(&self, number: u64) {
        let (word, bits) = self.place(number);
        if self.0[word].load(Relaxed) & bits != bits {
            self.0[word].fetch_or(bits, Relaxed);
        }
    }

    /// Whether the number was put in, or others whose bits are the same.
    #[inline(always)]
    pub fn contains(&self, number: u64) -> bool {
        let (word, bits) = self.place(number);
        self.0[word].load(Relaxed) & bits == bits
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> u64 {
        self.0.len() as u64 * 8
    }

    #[inline(always)]
    fn place(&self, number: u64) -> (usize, u64) {
        let spread = number.wrapping_mul(0x9fb2_1c65_1e98_df25) >> 32;
        (home(number, self.0.len()), 1 << (spread & 63) | 1 << (spread >> 6 & 63) | 1 << (spread >> 12 & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_was_put_in_is_there_and_little_else() {
        let marks = Marks::new(10_000);
        (0..10_000).for_each(|number| marks.insert(number * 977));
        assert!((0..10_000).all(|number| marks.contains(number * 977)));
        let wrong = (0..1_000_000).filter(|number| number % 977 != 0 && marks.contains(*number)).count();
        assert!(wrong < 10_000, "{wrong}");
    }
}
