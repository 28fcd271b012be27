//! One iteration written down node by node: for examples, and the obvious twin of the search.

use super::bound::LowerBound;
use super::iteration::Ida;
use cosette::cube::{Cube, Move, MoveSet};

/// A node of an iteration.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The moves that lead to it.
    pub path: Vec<Move>,
    /// The position there.
    pub position: Cube,
    /// What remains of the threshold.
    pub remaining: u8,
    /// The lower bound of the position.
    pub bound: u8,
}

impl Visit {
    /// Whether nothing below it is searched: the bound exceeds what remains.
    pub fn is_cut(&self) -> bool {
        self.bound > self.remaining
    }
}

impl<B: LowerBound> Ida<'_, B> {
    /// All nodes that the iteration of this threshold generates, each before those below it.
    pub fn trace(&self, position: &Cube, threshold: u8) -> Vec<Visit> {
        let mut visits = Vec::new();
        self.descend(position, threshold, &mut Vec::new(), &mut visits);
        visits
    }

    fn descend(&self, position: &Cube, remaining: u8, path: &mut Vec<Move>, visits: &mut Vec<Visit>) {
        for m in MoveSet::after(path.last().copied()).iter().filter(|&m| self.metric.cost(m) <= remaining) {
            let child = position.turned(m);
            path.push(m);
            let bound = self.bound.bound(&self.bound.node(&child), u8::MAX, &mut 0);
            let remaining = remaining - self.metric.cost(m);
            let visit = Visit { path: path.clone(), position: child, remaining, bound };
            let is_cut = visit.is_cut();
            visits.push(visit);
            if !is_cut && remaining > 0 {
                self.descend(&child, remaining, path, visits);
            }
            path.pop();
        }
    }
}
