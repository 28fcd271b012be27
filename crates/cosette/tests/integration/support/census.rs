//! Counts the positions at each distance from solved, 48 at a time.
//!
//! Conjugation by a symmetry carries moves to moves of the same cost, so it keeps distances, and it is enough to search
//! among the representatives of the symmetry classes. A class has 48 / |stabilizer| positions. If one of them is its own
//! inverse then all are, so the same search counts the involutions.

use super::breadth_first::levels;
use super::generators;
use cosette::cube::{Cube, Metric, Symmetry};
use rayon::prelude::*;

/// What there is at each distance, from 0 on.
#[derive(Default)]
pub struct Census {
    /// Symmetry classes.
    pub classes: Vec<u64>,
    /// Positions.
    pub positions: Vec<u64>,
    /// Positions that are their own inverse, solved among them.
    pub involutions: Vec<u64>,
}

impl Census {
    /// Counts out to the distance `deepest`.
    pub fn take(metric: Metric, deepest: usize) -> Census {
        let generators = generators(metric);
        let neighbours = |p: Cube| generators.iter().map(move |&m| p.turned(m).representative());
        let mut census = Census::default();
        levels(Cube::SOLVED, deepest, neighbours, |level| {
            let count = |&p: &Cube| {
                let size = (Symmetry::COUNT / p.stabilizer().len()) as u64;
                (size, if (p * p).is_solved() { size } else { 0 })
            };
            let sum = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
            let (positions, involutions) = level.par_iter().map(count).reduce(|| (0, 0), sum);
            census.classes.push(level.len() as u64);
            census.positions.push(positions);
            census.involutions.push(involutions);
        });
        census
    }
}
