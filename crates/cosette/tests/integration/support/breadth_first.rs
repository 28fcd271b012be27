//! Breadth-first search that keeps each level as a sorted list.
//!
//! Moves can be undone, so a neighbour of a point at distance d is at distance d − 1, d or d + 1. The next level is
//! therefore all neighbours of this one, each once, less those in this level or in the one before.

use rayon::prelude::*;

/// Calls `visit` with the points at distance 0, 1, … and `deepest` from `start`, each level sorted.
pub fn levels<P, N>(start: P, deepest: usize, neighbours: impl Fn(P) -> N + Sync, mut visit: impl FnMut(&[P]))
where
    P: Copy + Ord + Send + Sync,
    N: IntoIterator<Item = P>,
{
    let mut before = Vec::new();
    let mut level = vec![start];
    for depth in 0..=deepest {
        visit(&level);
        if depth < deepest {
            let is_new = |p: &P| level.binary_search(p).is_err() && before.binary_search(p).is_err();
            let mut next: Vec<P> = level.par_iter().flat_map_iter(|&p| neighbours(p)).filter(is_new).collect();
            next.par_sort_unstable();
            next.dedup();
            before = std::mem::replace(&mut level, next);
        }
    }
}
