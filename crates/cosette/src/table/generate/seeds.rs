//! The seeds: all paintings within a few moves of solved whose corners are the representative of their class.
//!
//! A breadth-first search over whole paintings (all flips kept) modulo symmetry. A painting is conjugated by the symmetry
//! that brings its corners to the representative of their class; where the representative has a stabilizer, the paintings
//! that differ by it are all kept. So the seeds of class c are exactly the paintings with corners `representative(c)`,
//! and a conjugate by *any one* suitable symmetry finds its class's seeds complete.

use crate::coord::{CornerClasses, CornerMoves, CornerPainting, EDGE_BITS, EdgePainting};
use crate::cube::{Cube, Metric, Move};
use crate::progress::Cancel;
use rayon::prelude::*;

/// The seeds at each distance.
pub(super) struct Seeds {
    levels: Vec<Level>,
}

/// The seeds at one distance, by class of corners.
struct Level {
    edges: Vec<EdgePainting>,
    /// Where the seeds of each class start; one more entry for the end.
    starts: Vec<usize>,
}

/// A painting as one number: the class of its corners above the bits of its edges.
fn key(class: u32, edges: EdgePainting) -> u64 {
    u64::from(class) << EDGE_BITS | edges.0
}

impl Seeds {
    /// All seeds within `depth` of solved; nothing on cancellation.
    pub fn within(depth: u8, metric: Metric, cancel: &Cancel) -> Option<Seeds> {
        let classes = CornerClasses::get();
        let (solved, _) = classes.classify(CornerPainting::of(&Cube::SOLVED).coordinate());
        let mut before: Vec<u64> = Vec::new();
        let mut current = vec![key(solved, EdgePainting::of(&Cube::SOLVED))];
        let mut levels = vec![Level::new(&current)];
        for _ in 0..depth {
            let mut next: Vec<u64> = current
                .par_iter()
                .take_any_while(|_| !cancel.is_cancelled())
                .flat_map_iter(|&key| neighbours(key, metric))
                // A painting one level closer is met again from each of its neighbours: leave it out before sorting.
                .filter(|key| before.binary_search(key).is_err() && current.binary_search(key).is_err())
                .collect();
            next.par_sort_unstable();
            next.dedup();
            levels.push(Level::new(&next));
            before = std::mem::replace(&mut current, next);
        }
        (!cancel.is_cancelled()).then_some(Seeds { levels })
    }

    /// The edges of the seeds of `class` at exactly `distance`.
    pub fn of(&self, distance: u8, class: u32) -> &[EdgePainting] {
        let level = &self.levels[usize::from(distance)];
        &level.edges[level.starts[class as usize]..level.starts[class as usize + 1]]
    }

    /// How many cosets of the target subgroup lie at exactly `distance`.
    #[cfg(test)]
    pub fn cosets(&self, distance: u8) -> u64 {
        let classes = CornerClasses::get();
        let orbit = |class: u32| 48 / classes.stabilizer(class).len();
        let of_class = |class| (orbit(class) * self.of(distance, class).len()) as u64;
        (0..CornerClasses::COUNT as u32).map(of_class).sum()
    }
}

impl Level {
    fn new(keys: &[u64]) -> Level {
        let start = |class: usize| keys.partition_point(|key| key >> EDGE_BITS < class as u64);
        Level {
            edges: keys.iter().map(|key| EdgePainting(key & ((1 << EDGE_BITS) - 1))).collect(),
            starts: (0..=CornerClasses::COUNT).map(start).collect(),
        }
    }
}

/// The paintings one move of cost 1 away, with all that differ from them by a stabilizer.
fn neighbours(key: u64, metric: Metric) -> impl Iterator<Item = u64> {
    let classes = CornerClasses::get();
    let corners = classes.representative((key >> EDGE_BITS) as u32);
    let edges = EdgePainting(key & ((1 << EDGE_BITS) - 1));
    let moves = Move::ALL.into_iter().filter(move |&m| metric.cost(m) == 1);
    moves.flat_map(move |m| {
        let (class, s) = classes.classify(CornerMoves::get().turned(corners, m));
        let image = edges.turned(m).conjugate(s);
        classes.stabilizer(class).iter().map(move |&t| self::key(class, image.conjugate(t)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Cosets by distance, counted without symmetry.
    fn cosets_by_distance(depth: usize, metric: Metric) -> Vec<u64> {
        let painting = |cube: &Cube| (CornerPainting::of(cube), EdgePainting::of(cube));
        let mut seen = HashSet::from([painting(&Cube::SOLVED)]);
        let mut current = vec![Cube::SOLVED];
        let mut counts = vec![1];
        for _ in 0..depth {
            let neighbours = current
                .iter()
                .flat_map(|cube| Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1).map(move |m| cube.turned(m)));
            current = neighbours.filter(|cube| seen.insert(painting(cube))).collect();
            counts.push(current.len() as u64);
        }
        counts
    }

    #[test]
    fn seeds_are_all_cosets() {
        for metric in Metric::ALL {
            let seeds = Seeds::within(5, metric, &Cancel::new()).unwrap();
            let counts: Vec<u64> = (0..=5).map(|distance| seeds.cosets(distance)).collect();
            assert_eq!(counts, cosets_by_distance(5, metric), "{metric}");
        }
    }
}
