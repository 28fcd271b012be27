//! The obvious solver: two breadth-first searches that meet.
//!
//! One search starts from the solved position and keeps the distance of every position within a
//! *radius*: 5 in the half-turn metric (621,649 positions), 6 in the quarter-turn metric (983,926).
//! The other tries the canonical sequences of length 0, 1, 2, … from the position to be solved. A
//! position at distance d beyond the radius has a shortest solution whose first moves cost d −
//! radius and end at a position exactly at the radius; conversely, when all smaller d have failed,
//! every sequence of that length that ends at the radius begins a shortest solution. From there on,
//! walking down the kept distances in all ways gives all endings.
//!
//! In the quarter-turn metric the meeting point may split a half turn; then both halves are quarter
//! turns, and the canonical form of the whole puts them together again.
//!
//! A position k moves beyond the radius costs every canonical sequence of up to k moves: 0.6
//! million at distance 10 (HTM) and about a million at 12 (QTM), a fraction of a second; each
//! further move 13 (HTM) or 9 (QTM) times as many.
//!
//! Every fast solver must agree with it. The cases are positions to try solvers on: the symmetric
//! ones, where reduction by symmetry goes wrong first, and random walks.

use crate::texts::known_texts;
use crate::{check_counts, generators, levels, position};
use cosette::cube::{Cube, DisplayMoves, Metric, Move, MoveSet, canonical, for_each_sequence};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

/// A set of solutions in canonical form, so that sets compare.
pub type ReferenceSolutions = BTreeSet<Vec<Move>>;

/// Solves by meeting in the middle.
pub struct ObviousSolver {
    metric: Metric,
    radius: usize,
    /// The distance of every position within the radius.
    distances: HashMap<Cube, usize>,
}

impl ObviousSolver {
    fn new(metric: Metric, radius: usize) -> ObviousSolver {
        let generators = generators(metric);
        let neighbors = |p: Cube| generators.iter().map(move |&m| p.apply(m));
        let mut distances = HashMap::new();
        let mut nearer = 0..;
        levels(Cube::SOLVED, radius, neighbors, |level| {
            let distance = nearer.next().unwrap();
            distances.extend(level.iter().map(|&p| (p, distance)));
        });
        ObviousSolver {
            metric,
            radius,
            distances,
        }
    }

    /// The solver of a metric, made once: its radius is 5 (HTM) or 6 (QTM).
    fn shared(metric: Metric) -> &'static ObviousSolver {
        static HTM: LazyLock<ObviousSolver> = LazyLock::new(|| ObviousSolver::new(Metric::Htm, 5));
        static QTM: LazyLock<ObviousSolver> = LazyLock::new(|| ObviousSolver::new(Metric::Qtm, 6));
        match metric {
            Metric::Htm => &HTM,
            Metric::Qtm => &QTM,
        }
    }

    /// All solutions that begin with `beginning` and then take the least number of moves. They must
    /// lead within the radius.
    fn through(&self, cube: &Cube, beginning: &[Move]) -> ReferenceSolutions {
        let here = cube.apply_moves(beginning);
        if here.is_solved() {
            return ReferenceSolutions::from([canonical(beginning)]);
        }
        let is_closer = |m: &Move| {
            let there = self.distances.get(&here.apply(*m));
            let cost = usize::from(self.metric.cost(*m));
            there.is_some_and(|there| there + cost == self.distances[&here])
        };
        let closer = Move::ALL.into_iter().filter(is_closer);
        closer
            .flat_map(|m| self.through(cube, &[beginning, &[m]].concat()))
            .collect()
    }
}

/// All shortest solutions of `cube` in canonical form if they have `limit` moves or fewer; none
/// otherwise.
pub fn all_shortest_solutions(cube: &Cube, metric: Metric, limit: usize) -> ReferenceSolutions {
    let solver = ObviousSolver::shared(metric);
    let mut solutions = ReferenceSolutions::new();
    if let Some(&distance) = solver.distances.get(cube) {
        if distance <= limit {
            solutions = solver.through(cube, &[]);
        }
        return solutions;
    }
    for length in solver.radius + 1..=limit {
        for_each_sequence((length - solver.radius) as u8, metric, |beginning| {
            if solver.distances.get(&cube.apply_moves(beginning)) == Some(&solver.radius) {
                solutions.extend(solver.through(cube, beginning));
            }
        });
        if !solutions.is_empty() {
            break;
        }
    }
    solutions
}

/// The distance of `cube` from solved; `None` if it is more than `limit`.
pub fn distance(cube: &Cube, metric: Metric, limit: usize) -> Option<usize> {
    let solutions = all_shortest_solutions(cube, metric, limit);
    solutions.first().map(|solution| metric.length(solution))
}

/// A position and what to call it.
pub struct Case {
    /// Its name, or the moves that make it.
    pub name: String,
    /// The position.
    pub cube: Cube,
}

impl Case {
    pub fn new(name: String, moves: &str) -> Case {
        let cube = position(moves);
        Case { name, cube }
    }
}

fn known_cases(list: &str) -> Vec<Case> {
    let cases = known_texts(list).into_iter();
    cases.map(|[name, moves]| Case::new(name, &moves)).collect()
}

/// The superflip: every edge flipped in its place. All 48 symmetries fix it, it commutes with every
/// position, and it is at distance 20 (HTM), 24 (QTM).
pub fn superflip() -> Cube {
    far_symmetric_cases()[0].cube
}

/// Symmetric positions at distance 8 (HTM), 12 (QTM) at most: within the obvious solver's reach.
pub fn near_symmetric_cases() -> Vec<Case> {
    let single = Move::ALL.map(|m| Case::new(m.to_string(), &m.to_string()));
    let mut cases = known_cases("symmetric-near");
    cases.extend(single);
    cases
}

/// Symmetric positions far from solved.
pub fn far_symmetric_cases() -> Vec<Case> {
    known_cases("symmetric-far")
}

/// A position of every symmetry class within `farthest` moves (HTM) that at least `least_order`
/// symmetries fix.
pub fn symmetric_classes(farthest: usize, least_order: usize) -> Vec<Case> {
    let neighbors = |p: Cube| Move::ALL.map(|m| p.apply(m).representative());
    let mut cases = Vec::new();
    levels(Cube::SOLVED, farthest, neighbors, |level| {
        let symmetric = level.iter().filter(|p| p.symmetries().len() >= least_order);
        cases.extend(symmetric.map(|&cube| Case {
            name: format!("{cube:?}"),
            cube,
        }));
    });
    cases
}

/// `count` positions within `longest` moves of solved, the same for the same seed: walks along
/// canonical sequences whose length in `metric` is drawn evenly from 0 to `longest`. Each is named
/// by its walk.
pub fn random_walks(seed: u64, count: usize, longest: usize, metric: Metric) -> Vec<Case> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut walk = || {
        let length = rng.random_range(0..=longest);
        let mut walk: Vec<Move> = Vec::new();
        while metric.length(&walk) < length {
            let fits = |m: &Move| metric.length(&walk) + usize::from(metric.cost(*m)) <= length;
            let next = MoveSet::after(walk.last().copied())
                .iter()
                .filter(fits)
                .choose(&mut rng);
            walk.push(next.expect("a quarter turn always fits"));
        }
        Case {
            name: format!("walk {}", DisplayMoves(&walk)),
            cube: Cube::from_moves(&walk),
        }
    };
    (0..count).map(|_| walk()).collect()
}

#[test]
fn as_many_positions_as_known_lie_within_the_radius() {
    for metric in Metric::ALL {
        let solver = ObviousSolver::shared(metric);
        let mut counts = vec![0; solver.radius + 1];
        for &distance in solver.distances.values() {
            counts[distance] += 1;
        }
        check_counts(&format!("positions-{metric}"), &counts);
    }
}

#[test]
fn the_metrics_differ() {
    for (text, htm, qtm) in [
        ("", 0, 0),
        ("R", 1, 1),
        ("R2", 1, 2),
        ("R2 L2", 2, 4),
        ("R2 L2 U2 D2 F2 B2", 6, 12),
        ("U D' R L' F B' U D'", 8, 8),
        ("F2 B2 U D' R2 L2 U D'", 8, 12),
    ] {
        assert_eq!(distance(&position(text), Metric::Htm, 8), Some(htm));
        assert_eq!(distance(&position(text), Metric::Qtm, 12), Some(qtm));
    }
    // Counted once with this code, so that a change is noticed.
    assert_eq!(symmetric_classes(5, 4).len(), 34);
}

#[test]
fn symmetric_cases_are_symmetric() {
    let far = far_symmetric_cases();
    let orders = [0, 1, 2, 3].map(|case| far[case].cube.symmetries().len());
    assert_eq!(orders, [48, 48, 6, 6]);
    for Case { name, cube } in near_symmetric_cases() {
        let flipped = superflip() * cube;
        assert_eq!(flipped.symmetries(), cube.symmetries(), "{name}");
        assert_eq!(flipped, cube * superflip(), "{name}");
    }
}
