//! Patterns: what is seen of some pieces of a position, as a number.
//!
//! A move changes what a pattern sees in a way that depends only on what it saw before.
//! So a breadth-first search finds a position for each of its values, and these positions show what
//! moves and symmetries make of each value.
//!
//! # Placements of a few cubies, as the set of their slots and their order in it
//!
//! ```text
//! number = (cubies)! · (rank of the set among all of this size) + (rank of the order)
//! ```
//!
//! So the slots that a placement leaves free depend on its number divided by the number of orders
//! alone, and the tables that join placements are small enough for the processor's cache.

use cosette::cube::{Cube, Move};
use std::collections::HashSet;

/// Returns a position with each value that the moves reach, the solved one first.
pub(crate) fn discover(moves: &[Move], value: impl Fn(&Cube) -> u64) -> Vec<Cube> {
    let mut seen = HashSet::from([value(&Cube::SOLVED)]);
    let mut positions = vec![Cube::SOLVED];
    let mut next = 0;
    while let Some(&position) = positions.get(next) {
        let after = moves.iter().map(|&m| position.apply(m));
        positions.extend(after.filter(|after| seen.insert(value(after))));
        next += 1;
    }
    positions
}

/// The positions with each number of a pattern, and the numbers after each move.
pub(crate) struct Pattern {
    pub positions: Vec<Cube>,
    pub turns: Vec<[u16; Move::COUNT]>,
}

impl Pattern {
    /// Creates the pattern with these numbers, all of which moves reach.
    pub fn new(number: impl Fn(&Cube) -> u16) -> Pattern {
        let mut positions = discover(&Move::ALL, |position| number(position).into());
        positions.sort_by_key(&number);
        let turns = |position: &Cube| Move::ALL.map(|m| number(&position.apply(m)));
        Pattern {
            turns: positions.iter().map(turns).collect(),
            positions,
        }
    }
}

/// The placements of some cubies in the slots numbered from 0.
pub(crate) struct Placements {
    cubies: usize,
    /// The sets of slots, one bit each.
    sets: Vec<u16>,
}

impl Placements {
    /// Creates the placements of this number of cubies in this number of slots.
    pub fn new(cubies: usize, slots: u32) -> Placements {
        let sets = (0..1 << slots).filter(|set: &u16| set.count_ones() as usize == cubies);
        Placements {
            cubies,
            sets: sets.collect(),
        }
    }

    /// The sets of slots, by rank.
    pub fn sets(&self) -> &[u16] {
        &self.sets
    }

    /// The number of the placement of the cubies in these slots.
    ///
    /// # Panics
    /// Panics if the slots are not as many as the cubies, or if two are the same.
    pub fn number(&self, slots: &[u8]) -> usize {
        let set = slots.iter().fold(0, |set, slot| set | 1 << slot);
        let set = self.sets.binary_search(&set).expect("a set of this size");
        (0..self.cubies).fold(set, |number, i| {
            let lower = slots[i..].iter().filter(|&&slot| slot < slots[i]);
            number * (self.cubies - i) + lower.count()
        })
    }
}
