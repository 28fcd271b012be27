//! The solutions found: canonical, without repetition, and with their conjugates under the stabilizer; and the best
//! known.

use super::options::SolutionCount;
use crate::cube::{Cube, Metric, Move, Symmetry, canonical};
use std::collections::BTreeSet;

/// The solutions of one position that are known.
#[derive(Default)]
pub(super) struct Solutions {
    position: Cube,
    stabilizer: Vec<Symmetry>,
    metric: Metric,
    /// The shortest ones.
    found: BTreeSet<Vec<Move>>,
    first: Option<Vec<Move>>,
    /// The shortest known, which may not be the shortest there is.
    best: Option<Vec<Move>>,
}

impl Solutions {
    pub fn new(position: &Cube, stabilizer: Vec<Symmetry>, metric: Metric) -> Solutions {
        Solutions { position: *position, stabilizer, metric, ..Solutions::default() }
    }

    /// Records a solution, the shortest or not. Returns whether it is shorter than all known before. Panics if it does
    /// not solve the position.
    pub fn offer(&mut self, moves: &[Move]) -> bool {
        assert!(self.position.after(moves).is_solved(), "{moves:?} does not solve {:?}", self.position);
        let moves = canonical(moves);
        let is_better = self.best_length().is_none_or(|best| self.metric.length(&moves) < best);
        if is_better {
            self.best = Some(moves);
        }
        is_better
    }

    /// All solutions found, and the best known.
    pub fn all(&self) -> impl Iterator<Item = &[Move]> {
        let best = self.best().filter(|&best| !self.found.contains(best));
        self.found.iter().map(Vec::as_slice).chain(best)
    }

    pub fn best(&self) -> Option<&[Move]> {
        self.best.as_deref()
    }

    pub fn best_length(&self) -> Option<usize> {
        self.best().map(|best| self.metric.length(best))
    }

    /// Adds a solution and its conjugates by the symmetries of the position, which solve it as well.
    ///
    /// The two sides of the search meet anywhere in a solution, so two nodes may find the same solution with turns of
    /// two opposite faces in different order; their canonical form is the same. Panics if it does not solve the
    /// position: that would be a bug in the search, and such a solution must never be shown.
    pub fn add(&mut self, moves: &[Move]) {
        self.offer(moves);
        for &s in &self.stabilizer {
            let image: Vec<Move> = moves.iter().map(|&m| s.conjugate_move(m)).collect();
            self.found.insert(canonical(&image));
        }
        self.first.get_or_insert_with(|| canonical(moves));
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn is_enough(&self, count: SolutionCount) -> bool {
        self.found.len() >= count.most()
    }

    /// As many of the shortest as are wanted: the first one found, or the set in lexicographic order.
    pub fn shortest(&self, count: SolutionCount) -> Vec<Vec<Move>> {
        match count {
            SolutionCount::ONE => self.first.iter().cloned().collect(),
            _ => self.found.iter().take(count.most()).cloned().collect(),
        }
    }
}
