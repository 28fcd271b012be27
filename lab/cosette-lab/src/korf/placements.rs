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

    /// The slots of the cubies in each placement, by number.
    pub fn all(&self) -> impl Iterator<Item = Vec<u8>> {
        let orders: usize = (1..=self.cubies).product();
        (0..self.sets.len() * orders).map(|number| self.slots(number))
    }

    fn slots(&self, mut number: usize) -> Vec<u8> {
        let mut digits = Vec::new();
        for choices in 1..=self.cubies {
            digits.push(number % choices);
            number /= choices;
        }
        let set = self.sets[number];
        let mut left: Vec<u8> = (0..16).filter(|slot| set >> slot & 1 == 1).collect();
        let digits = digits.into_iter().rev();
        digits.map(|digit| left.remove(digit)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_placements() {
        for (cubies, slots, count) in [(4, 8, 1_680), (3, 12, 1_320)] {
            let placements = Placements::new(cubies, slots);
            let numbers = placements.all().map(|slots| placements.number(&slots));
            assert!(numbers.eq(0..count));
        }
    }
}
