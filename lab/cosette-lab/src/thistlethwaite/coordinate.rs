//! Coordinates: what a stage sees of a position, and what moves make of it.
//!
//! A coordinate is a function of positions with the same value all over a coset, whose value after a move depends on nothing but
//! its value before. Here the values are written into 64 bits as they come; they are numbered by a breadth-first search from
//! the solved position, which also finds the number after each move.

use cosette::cube::{Corner, Cube, Edge, Move};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What is seen of a position.
pub(super) type Feature = fn(&Cube) -> u64;

/// The values of a feature, numbered, and the number after each move.
pub struct Coordinate {
    feature: Feature,
    numbers: HashMap<u64, u32>,
    /// For each number that after each move of the stage.
    turns: Vec<[u32; Move::COUNT]>,
}

impl Coordinate {
    /// Numbers the values that `moves` lead to. The solved position has the number 0.
    pub(super) fn discover(feature: Feature, moves: &[Move]) -> Coordinate {
        let mut numbers = HashMap::from([(feature(&Cube::SOLVED), 0)]);
        let mut representatives = vec![Cube::SOLVED];
        let mut turns = Vec::new();
        while let Some(&here) = representatives.get(turns.len()) {
            let mut row = [0; Move::COUNT];
            for &m in moves {
                let there = here.turned(m);
                row[m.index()] = *numbers.entry(feature(&there)).or_insert_with(|| {
                    representatives.push(there);
                    representatives.len() as u32 - 1
                });
            }
            turns.push(row);
        }
        Coordinate { feature, numbers, turns }
    }

    /// How many values there are.
    pub fn count(&self) -> usize {
        self.turns.len()
    }

    /// The number of what is seen of a position; `None` where the moves lead to no position that looks like it.
    pub fn of(&self, position: &Cube) -> Option<usize> {
        self.numbers.get(&(self.feature)(position)).map(|&number| number as usize)
    }

    /// The number after a move of the stage.
    pub fn turned(&self, number: usize, m: Move) -> usize {
        self.turns[number][m.index()] as usize
    }
}

/// The digits as one number, four bits each.
fn digits(digits: impl IntoIterator<Item = u8>) -> u64 {
    digits.into_iter().fold(0, |value, digit| value << 4 | u64::from(digit))
}

/// Nothing at all.
pub(super) fn nothing(_: &Cube) -> u64 {
    0
}

/// The flips of the edges: quarter turns of U, D, R and L leave each as it is.
pub(super) fn flips(position: &Cube) -> u64 {
    digits(Edge::ALL.map(|slot| position.edge(slot).1))
}

/// The twists of the corners: quarter turns of U and D leave each as it is.
pub(super) fn twists(position: &Cube) -> u64 {
    digits(Corner::ALL.map(|slot| position.corner(slot).1))
}

/// The slots of the four edges that lie between U and D in the solved cube.
pub(super) fn middle_slots(position: &Cube) -> u64 {
    digits(Edge::ALL.map(|slot| u8::from(position.edge(slot).0.slice() == 0)))
}

/// The slices of the edges.
pub(super) fn slices(position: &Cube) -> u64 {
    digits(Edge::ALL.map(|slot| position.edge(slot).0.slice()))
}

/// Where the corners are.
pub(super) fn corners(position: &Cube) -> u64 {
    digits(Corner::ALL.map(|slot| position.corner(slot).0 as u8))
}

/// Where the edges are.
pub(super) fn edges(position: &Cube) -> u64 {
    digits(Edge::ALL.map(|slot| position.edge(slot).0 as u8))
}

/// Where the corners are, up to half turns done before: the least of the 96 arrangements that such moves make of it.
pub(super) fn corners_up_to_half_turns(position: &Cube) -> u64 {
    let here = Corner::ALL.map(|slot| position.corner(slot).0.index());
    let arrangements = HALF_TURNED.iter().map(|before| digits(here.map(|cubie| before[cubie])));
    arrangements.min().expect("there are 96 arrangements")
}

/// The arrangements of the corners that half turns make of the solved cube: for each slot its cubie.
static HALF_TURNED: LazyLock<Vec<[u8; Corner::COUNT]>> = LazyLock::new(|| {
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|m| m.is_half_turn()).collect();
    let values = Coordinate::discover(corners, &half_turns).numbers.into_keys();
    values.map(|value| std::array::from_fn(|slot| (value >> (4 * (7 - slot)) & 15) as u8)).collect()
});
