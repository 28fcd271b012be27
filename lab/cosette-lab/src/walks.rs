//! Random walks: canonical sequences from a seed.

pub use cosette::cube::{random_walk, random_walks};

use cosette::cube::{Cube, Metric, Move, MoveSet};
use rand::Rng;
use rand::seq::IteratorRandom;

/// Returns the position after a random canonical sequence of exactly this cost.
pub fn random_walk_of_cost<R: Rng + ?Sized>(rng: &mut R, cost: u8, metric: Metric) -> Cube {
    let mut walk: Vec<Move> = Vec::new();
    let mut left: u8 = cost;
    while left > 0 {
        let next = MoveSet::after(walk.last().copied())
            .filter(|m| metric.cost(m) <= left)
            .iter()
            .choose(rng);
        walk.push(next.expect("a quarter turn always fits"));
        left -= metric.cost(walk[walk.len() - 1]);
    }
    Cube::from_moves(&walk)
}

/// Returns the position after such a walk from the solved one.
pub fn random_walk_position<R: Rng + ?Sized>(rng: &mut R, length: u8) -> Cube {
    Cube::from_moves(&random_walk(rng, length.into()))
}
