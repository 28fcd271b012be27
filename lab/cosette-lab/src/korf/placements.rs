//! Placements of a few cubies, as the set of their slots and their order in it.
//!
//! ```text
//! number = (cubies)! · (rank of the set among all of this size) + (rank of the order)
//! ```
//!
//! So the slots that a placement leaves free depend on its number divided by the number of orders
//! alone, and the tables that join placements are small enough for the processor's cache.

/// The placements of some cubies in the slots numbered from 0.
pub struct Placements {
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
