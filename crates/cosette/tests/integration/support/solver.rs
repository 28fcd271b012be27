//! The obvious solver: two breadth-first searches that meet.
//!
//! One search starts from the solved position and keeps the distance of every position within a *radius*: 5 in the
//! half-turn metric (621,649 positions), 6 in the quarter-turn metric (983,926). The other tries the canonical sequences
//! of length 0, 1, 2, … from the position to be solved. A position at distance d beyond the radius has a shortest
//! solution whose first moves cost d − radius and end at a position exactly at the radius; conversely, when all smaller d
//! have failed, every sequence of that length that ends at the radius begins a shortest solution. From there on, walking
//! down the kept distances in all ways gives all endings.
//!
//! In the quarter-turn metric the meeting point may split a half turn; then both halves are quarter turns, and the
//! canonical form of the whole puts them together again.
//!
//! A position k moves beyond the radius costs every canonical sequence of up to k moves: 0.6 million at distance 10 (HTM)
//! and about a million at 12 (QTM), a fraction of a second; each further move 13 (HTM) or 9 (QTM) times as many.

use super::generators;
use cosette::cube::{Cube, Metric, Move, canonical, for_each_sequence};
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// A set of solutions in canonical form, so that sets compare.
pub type Solutions = BTreeSet<Vec<Move>>;

/// Solves by meeting in the middle.
pub struct ObviousSolver {
    metric: Metric,
    radius: usize,
    /// The distance of every position within the radius.
    distances: HashMap<Cube, usize>,
}

impl ObviousSolver {
    /// The solver that keeps the positions within `radius`.
    pub fn new(metric: Metric, radius: usize) -> ObviousSolver {
        let generators = generators(metric);
        let mut distances = HashMap::from([(Cube::SOLVED, 0)]);
        let mut level = vec![Cube::SOLVED];
        for distance in 1..=radius {
            let mut next = Vec::new();
            for p in level {
                for neighbour in generators.iter().map(|&m| p.turned(m)) {
                    distances.entry(neighbour).or_insert_with(|| {
                        next.push(neighbour);
                        distance
                    });
                }
            }
            level = next;
        }
        ObviousSolver { metric, radius, distances }
    }

    /// The solver of the usual radius, made once: 5 (HTM) or 6 (QTM).
    pub fn shared(metric: Metric) -> &'static ObviousSolver {
        static HTM: LazyLock<ObviousSolver> = LazyLock::new(|| ObviousSolver::new(Metric::Htm, 5));
        static QTM: LazyLock<ObviousSolver> = LazyLock::new(|| ObviousSolver::new(Metric::Qtm, 6));
        match metric {
            Metric::Htm => &HTM,
            Metric::Qtm => &QTM,
        }
    }

    /// The positions within the radius, with their distances.
    pub fn kept(&self) -> impl Iterator<Item = (&Cube, usize)> {
        self.distances.iter().map(|(p, &distance)| (p, distance))
    }

    /// All shortest solutions of `cube` if they have `limit` moves or fewer; none otherwise.
    pub fn all_shortest_solutions(&self, cube: &Cube, limit: usize) -> Solutions {
        if let Some(&distance) = self.distances.get(cube) {
            return if distance <= limit { self.through(cube, &[]) } else { Solutions::new() };
        }
        for length in self.radius + 1..=limit {
            let mut solutions = Solutions::new();
            for_each_sequence((length - self.radius) as u8, self.metric, |beginning| {
                if self.distances.get(&cube.after(beginning)) == Some(&self.radius) {
                    solutions.extend(self.through(cube, beginning));
                }
            });
            if !solutions.is_empty() {
                return solutions;
            }
        }
        Solutions::new()
    }

    /// All solutions that begin with `beginning` and then take the least number of moves. They must lead within the
    /// radius.
    fn through(&self, cube: &Cube, beginning: &[Move]) -> Solutions {
        let here = cube.after(beginning);
        if here.is_solved() {
            return Solutions::from([canonical(beginning)]);
        }
        let is_closer = |m: &Move| {
            let there = self.distances.get(&here.turned(*m));
            there.is_some_and(|there| there + usize::from(self.metric.cost(*m)) == self.distances[&here])
        };
        let closer = Move::ALL.into_iter().filter(is_closer);
        closer.flat_map(|m| self.through(cube, &[beginning, &[m]].concat())).collect()
    }
}

/// All shortest solutions of `cube` in canonical form if they have `limit` moves or fewer; none otherwise.
pub fn all_shortest_solutions(cube: &Cube, metric: Metric, limit: usize) -> Solutions {
    ObviousSolver::shared(metric).all_shortest_solutions(cube, limit)
}

/// A shortest solution of `cube`, the first in the order of moves; `None` if it has more than `limit` moves.
pub fn shortest_solution(cube: &Cube, metric: Metric, limit: usize) -> Option<Vec<Move>> {
    all_shortest_solutions(cube, metric, limit).pop_first()
}

/// The distance of `cube` from solved; `None` if it is more than `limit`.
pub fn distance(cube: &Cube, metric: Metric, limit: usize) -> Option<usize> {
    shortest_solution(cube, metric, limit).map(|solution| metric.length(&solution))
}
