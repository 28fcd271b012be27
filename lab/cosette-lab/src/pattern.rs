//! Patterns: what is seen of some pieces of a position, as a number.
//!
//! What a pattern sees after a move depends on what it saw before, not on the rest of the position.
//! So a breadth-first search finds a position for each of its values, and these positions show what
//! moves and symmetries make of each value.

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
