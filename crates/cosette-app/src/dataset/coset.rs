//! Positions of a coset, with the distances that a search through all of it proves.

use super::{Dataset, DatasetError, Positions};
use cosette::Control;
use cosette::coset::{CosetSearch, CosetTables, Effort};
use cosette::cube::Cube;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The farthest of them, by metric: there are some 300 million, and every move more takes ten times as long.
pub const FARTHEST_OF_COSET: [u8; 2] = [16, 19];

impl Dataset {
    /// Draws the positions, if they are those of a coset, in some 20 seconds and 5.7 GB of memory. Fails if there is too little memory,
    /// or on cancellation.
    pub fn drawn(mut self, control: &Control<'_>) -> Result<Dataset, DatasetError> {
        if let Positions::Coset { of, within, drawn } = &mut self.positions {
            let tables = CosetTables::new(self.metric);
            let mut search = CosetSearch::new(&tables, of)?;
            let mut chosen = Chosen { count: self.rows as usize, bound: u64::MAX, rows: Vec::new() };
            while search.level().is_none_or(|level| level.moves < *within) {
                let moves = search.advance(Effort::All, control)?.moves;
                for position in search.newly_marked() {
                    chosen.add(xxh3_64_with_seed(position.facelets().as_bytes(), self.seed), (position, moves));
                }
            }
            *drawn = Arc::new(chosen.in_order());
        }
        Ok(self)
    }
}

/// The rows with the least of random numbers: a uniform choice, in whatever order they are added.
struct Chosen {
    count: usize,
    /// Rows with greater numbers are not chosen.
    bound: u64,
    rows: Vec<(u64, (Cube, u8))>,
}

impl Chosen {
    fn add(&mut self, number: u64, row: (Cube, u8)) {
        if number <= self.bound {
            self.rows.push((number, row));
            if self.rows.len() > 2 * self.count + 1000 {
                self.drop_most();
            }
        }
    }

    /// Drops all but the chosen ones so far.
    fn drop_most(&mut self) {
        if self.rows.len() > self.count {
            self.bound = self.rows.select_nth_unstable_by_key(self.count, |row| row.0).1.0;
            self.rows.truncate(self.count);
        }
    }

    fn in_order(mut self) -> Vec<(Cube, u8)> {
        self.drop_most();
        self.rows.sort_unstable_by_key(|row| row.0);
        self.rows.into_iter().map(|(_, row)| row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_are_chosen_in_any_order() {
        let all: Vec<(u64, (Cube, u8))> =
            (0..5000u64).map(|n| (xxh3_64_with_seed(&n.to_le_bytes(), 3), (Cube::SOLVED, (n % 251) as u8))).collect();
        let chosen = |rows: &mut dyn Iterator<Item = &(u64, (Cube, u8))>, count| {
            let mut chosen = Chosen { count, bound: u64::MAX, rows: Vec::new() };
            rows.for_each(|&(number, row)| chosen.add(number, row));
            chosen.in_order().into_iter().map(|row| row.1).collect::<Vec<u8>>()
        };
        let mut sorted = all.clone();
        sorted.sort_unstable_by_key(|row| row.0);
        for count in [0, 1, 70, 4999, 5000, 6000] {
            let expected: Vec<u8> = sorted.iter().take(count).map(|row| row.1.1).collect();
            assert_eq!(chosen(&mut all.iter(), count), expected, "{count}");
            assert_eq!(chosen(&mut all.iter().rev(), count), expected, "{count}");
        }
    }
}
