//! Sets of numbers in open hash tables: all positions within some moves of one, with their
//! distances, by numbers that may each represent many positions; and a Bloom filter.

use crate::error::LabError;
use cosette::Control;
use cosette::cube::{Cube, Move};
use std::ops::ControlFlow::{self, Break};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// All numbers within a radius of a center, each in eight bytes of an open hash table, at most
/// three quarters full: the number in 60 bits, the distance in four.
pub struct Ball {
    slots: Vec<u64>,
    /// Number of occupied slots.
    filled: usize,
    /// Number of entries at each distance.
    counts: Vec<u64>,
}

const EMPTY: u64 = u64::MAX;

impl Ball {
    /// Breadth-first search from a position, with room for `room` numbers from the start. Positions
    /// with the same number count as one; the first one found is passed to `on_new`, which may end
    /// the search, with its distance.
    ///
    /// The face that turned last is not turned again, since other moves reach the same positions.
    ///
    /// # Panics
    /// Panics if the radius exceeds 14.
    pub fn around(
        number: impl Fn(&Cube) -> u64,
        center: &Cube,
        radius: u8,
        room: usize,
        mut on_new: impl FnMut(&Cube, u8) -> ControlFlow<()>,
        control: &Control<'_>,
    ) -> Result<Ball, LabError> {
        assert!(radius <= Ball::MAX_RADIUS, "distances take four bits");
        let slots = vec![EMPTY; room.max(48).div_ceil(3) * 4];
        let mut ball = Ball {
            slots,
            filled: 0,
            counts: vec![1],
        };
        ball.insert(number(center), 0);
        if on_new(center, 0) == Break(()) {
            return Ok(ball);
        }
        let mut level = vec![*center];
        let mut faces = vec![None];
        for distance in 1..=radius {
            let mut next = Vec::new();
            let mut next_faces = Vec::new();
            let before = ball.len();
            for (i, (position, &face)) in level.iter().zip(&faces).enumerate() {
                if i % 1024 == 0 && control.is_cancelled() {
                    return Err(LabError::Cancelled);
                }
                for m in Move::ALL.into_iter().filter(|m| Some(m.face()) != face) {
                    let child = position.apply(m);
                    if ball.insert(number(&child), distance) {
                        ball.counts.resize(usize::from(distance) + 1, 0);
                        ball.counts[usize::from(distance)] += 1;
                        if on_new(&child, distance) == Break(()) {
                            return Ok(ball);
                        }
                        if distance < radius {
                            next.push(child);
                            next_faces.push(Some(m.face()));
                        }
                    }
                }
            }
            if ball.len() == before {
                break;
            }
            (level, faces) = (next, next_faces);
        }
        Ok(ball)
    }

    /// Maximum radius.
    const MAX_RADIUS: u8 = 14;

    /// Returns the distance of a number from the center, if it is within the radius.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<u8> {
        let slot = self.slots[self.slot_of(number)];
        (slot != EMPTY).then_some((slot & 15) as u8)
    }

    /// Returns all numbers, in no particular order.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        self.slots
            .iter()
            .filter(|&&slot| slot != EMPTY)
            .map(|slot| slot >> 4)
    }

    /// Returns the number of entries at each distance.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of entries.
    pub fn len(&self) -> u64 {
        self.filled as u64
    }

    /// Returns the memory use in bytes.
    pub fn bytes(&self) -> u64 {
        self.slots.len() as u64 * 8
    }

    /// Returns the slot of a number, or the empty slot for it.
    #[inline(always)]
    fn slot_of(&self, number: u64) -> usize {
        let holds = |&at: &usize| self.slots[at] == EMPTY || self.slots[at] >> 4 == number;
        probe_sequence(number, self.slots.len())
            .find(holds)
            .expect("a quarter of the slots is empty")
    }

    /// Replaces the value of a number that is in the table.
    pub(super) fn set(&mut self, number: u64, value: u8) {
        let at = self.slot_of(number);
        self.slots[at] = number << 4 | u64::from(value);
    }

    /// Inserts a number if it is new.
    fn insert(&mut self, number: u64, distance: u8) -> bool {
        let at = self.slot_of(number);
        if self.slots[at] != EMPTY {
            return false;
        }
        self.slots[at] = number << 4 | u64::from(distance);
        self.filled += 1;
        if self.filled * 4 > self.slots.len() * 3 {
            self.widen();
        }
        true
    }

    fn widen(&mut self) {
        let slots = vec![EMPTY; self.slots.len() * 3 / 2];
        for slot in std::mem::replace(&mut self.slots, slots)
            .into_iter()
            .filter(|&slot| slot != EMPTY)
        {
            let at = self.slot_of(slot >> 4);
            self.slots[at] = slot;
        }
    }
}

/// Returns the first slot for a number, distributed evenly for any set of numbers.
#[inline(always)]
fn home(number: u64, slots: usize) -> usize {
    let folded = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (folded ^ (folded >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((u128::from(mixed) * slots as u128) >> 64) as usize
}

/// Returns the probe sequence of a number: from its first slot to the end, then from the start.
#[inline(always)]
fn probe_sequence(number: u64, slots: usize) -> impl Iterator<Item = usize> {
    let home = home(number, slots);
    (home..slots).chain(0..home)
}

/// A Bloom filter (1970), three bits of one word for each number: it finds every number that was
/// inserted, and one in two hundred of the others.
pub(super) struct BallFilter(Vec<AtomicU64>);

impl BallFilter {
    /// An empty set with room for `room` numbers, a word of 64 bits for every four.
    pub fn new(room: usize) -> BallFilter {
        BallFilter(
            (0..room.div_ceil(4).max(1))
                .map(|_| AtomicU64::new(0))
                .collect(),
        )
    }

    /// Inserts a number.
    pub fn insert(&self, number: u64) {
        let (word, bits) = self.place(number);
        if self.0[word].load(Relaxed) & bits != bits {
            self.0[word].fetch_or(bits, Relaxed);
        }
    }

    /// Returns `true` if the number was inserted, or if other numbers set the same bits.
    #[inline(always)]
    pub fn contains(&self, number: u64) -> bool {
        let (word, bits) = self.place(number);
        self.0[word].load(Relaxed) & bits == bits
    }

    #[inline(always)]
    fn place(&self, number: u64) -> (usize, u64) {
        let spread = number.wrapping_mul(0x9fb2_1c65_1e98_df25) >> 32;
        (
            home(number, self.0.len()),
            1 << (spread & 63) | 1 << (spread >> 6 & 63) | 1 << (spread >> 12 & 63),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bloom_filter_finds_what_was_inserted_and_little_else() {
        let filter = BallFilter::new(10_000);
        (0..10_000).for_each(|number| filter.insert(number * 977));
        assert!((0..10_000).all(|number| filter.contains(number * 977)));
        let wrong = (0..1_000_000)
            .filter(|number| number % 977 != 0 && filter.contains(*number))
            .count();
        assert!(wrong < 10_000, "{wrong}");
    }
}
