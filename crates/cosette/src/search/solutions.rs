//! The solutions found: canonical, without repetition, and with all that symmetry makes of them.

use super::Wanted;
use crate::cube::{Cube, Move, Symmetry, canonical};
use std::collections::BTreeSet;

/// A set of shortest solutions of one position.
#[derive(Default)]
pub(super) struct Solutions {
    position: Cube,
    stabilizer: Vec<Symmetry>,
    found: BTreeSet<Vec<Move>>,
    first: Option<Vec<Move>>,
}

impl Solutions {
    pub fn new(position: &Cube, stabilizer: Vec<Symmetry>) -> Solutions {
        Solutions { position: *position, stabilizer, found: BTreeSet::new(), first: None }
    }

    /// Adds a solution and its conjugates by the symmetries of the position, which solve it as well.
    ///
    /// The two sides of the search meet anywhere in a solution, so two nodes may find the same one with two opposite faces
    /// in either order; the canonical form makes them one.
    ///
    /// # Panics
    /// If it does not solve the position: that would be an error of the search, never to be shown.
    pub fn add(&mut self, moves: Vec<Move>) {
        assert!(self.position.after(&moves).is_solved(), "{moves:?} does not solve {:?}", self.position);
        for &s in &self.stabilizer {
            let image: Vec<Move> = moves.iter().map(|&m| s.conjugate_move(m)).collect();
            self.found.insert(canonical(&image));
        }
        self.first.get_or_insert_with(|| canonical(&moves));
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn is_enough(&self, wanted: Wanted) -> bool {
        match wanted {
            Wanted::One => !self.found.is_empty(),
            Wanted::AtMost(count) => self.found.len() >= count.get(),
            Wanted::All => false,
        }
    }

    /// As many as are wanted: the first one found, or the set in lexicographic order.
    pub fn into_vec(self, wanted: Wanted) -> Vec<Vec<Move>> {
        match wanted {
            Wanted::One => self.first.into_iter().collect(),
            Wanted::AtMost(count) => self.found.into_iter().take(count.get()).collect(),
            Wanted::All => self.found.into_iter().collect(),
        }
    }
}
