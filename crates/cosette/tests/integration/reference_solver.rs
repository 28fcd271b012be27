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
//! ones, where reduction by symmetry goes wrong first, and random walks. The tests compare it with
//! known counts and with still simpler code.

use crate::{check_counts, generators, levels, position};
use cosette::cube::{
    Cube, DisplayMoves, Metric, Move, MoveSet, Symmetry, canonical, for_each_sequence, inverse,
    is_canonical,
};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
    /// The solver that keeps the positions within `radius`.
    pub fn new(metric: Metric, radius: usize) -> ObviousSolver {
        let generators = generators(metric);
        let mut distances = HashMap::from([(Cube::SOLVED, 0)]);
        let mut level = vec![Cube::SOLVED];
        for distance in 1..=radius {
            let mut next = Vec::new();
            for p in level {
                for neighbor in generators.iter().map(|&m| p.apply(m)) {
                    distances.entry(neighbor).or_insert_with(|| {
                        next.push(neighbor);
                        distance
                    });
                }
            }
            level = next;
        }
        ObviousSolver {
            metric,
            radius,
            distances,
        }
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
    pub fn all_shortest_solutions(&self, cube: &Cube, limit: usize) -> ReferenceSolutions {
        if let Some(&distance) = self.distances.get(cube) {
            return if distance <= limit {
                self.through(cube, &[])
            } else {
                ReferenceSolutions::new()
            };
        }
        for length in self.radius + 1..=limit {
            let mut solutions = ReferenceSolutions::new();
            for_each_sequence((length - self.radius) as u8, self.metric, |beginning| {
                if self.distances.get(&cube.apply_moves(beginning)) == Some(&self.radius) {
                    solutions.extend(self.through(cube, beginning));
                }
            });
            if !solutions.is_empty() {
                return solutions;
            }
        }
        ReferenceSolutions::new()
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
            there.is_some_and(|there| {
                there + usize::from(self.metric.cost(*m)) == self.distances[&here]
            })
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
    ObviousSolver::shared(metric).all_shortest_solutions(cube, limit)
}

/// A shortest solution of `cube`, the first in the order of moves; `None` if it has more than
/// `limit` moves.
pub fn shortest_solution(cube: &Cube, metric: Metric, limit: usize) -> Option<Vec<Move>> {
    all_shortest_solutions(cube, metric, limit).pop_first()
}

/// The distance of `cube` from solved; `None` if it is more than `limit`.
pub fn distance(cube: &Cube, metric: Metric, limit: usize) -> Option<usize> {
    shortest_solution(cube, metric, limit).map(|solution| metric.length(&solution))
}

/// A position and what to call it.
pub struct Case {
    /// What it is known as, or the moves that make it.
    pub name: String,
    /// The position.
    pub cube: Cube,
}

impl Case {
    fn new(name: impl Into<String>, cube: Cube) -> Case {
        Case {
            name: name.into(),
            cube,
        }
    }

    fn position(name: impl Into<String>, sequence: &str) -> Case {
        Case::new(name, position(sequence))
    }
}

/// The pattern in which every face is a checkerboard of two colors; all 48 symmetries fix it.
pub const PONS_ASINORUM: &str = "R2 L2 U2 D2 F2 B2";

/// The pattern with one spot of another color on every face.
pub const SIX_SPOT: &str = "U D' R L' F B' U D'";

/// The superflip: every edge flipped in its place. All 48 symmetries fix it, it commutes with every
/// position, and it is at distance 20 (HTM), 24 (QTM).
pub fn superflip() -> Cube {
    let corners = std::array::from_fn(|i| (i as u8, 0));
    let edges = std::array::from_fn(|i| (i as u8, 1));
    Cube::from_cubies(&corners, &edges).expect("twelve flips are even in number")
}

/// Symmetric positions at distance 8 (HTM), 12 (QTM) at most: within the obvious solver's reach.
pub fn near_symmetric_cases() -> Vec<Case> {
    const NAMED: [(&str, &str); 15] = [
        ("solved", ""),
        ("pons asinorum", PONS_ASINORUM),
        ("pons asinorum on two axes", "R2 L2 U2 D2"),
        ("pons asinorum on one axis", "R2 L2"),
        ("six-spot", SIX_SPOT),
        ("six-spot, inverse", "D U' B F' L R' D U'"),
        ("four-spot", "F2 B2 U D' R2 L2 U D'"),
        ("slice", "U D'"),
        ("antislice", "U D"),
        ("half and quarter turn of one axis", "U2 D"),
        ("three slices", "U D' R L' F B'"),
        ("two antislices", "R L F B"),
        ("commutator of slices", "R L' U D' R' L U' D"),
        ("two swaps of edges", "R2 U2 R2 U2 R2 U2"),
        ("commutator of turns", "R U R' U'"),
    ];
    let named = NAMED.map(|(name, sequence)| Case::position(name, sequence));
    let single = Move::ALL.map(|m| Case::position(m.to_string(), &m.to_string()));
    named.into_iter().chain(single).collect()
}

/// A position of every symmetry class within `farthest` moves (HTM) that at least `least_order`
/// symmetries fix, named by its solution.
pub fn symmetric_classes(farthest: usize, least_order: usize) -> Vec<Case> {
    let neighbors = |p: Cube| {
        Move::ALL
            .into_iter()
            .map(move |m| p.apply(m).representative())
    };
    let mut cases = Vec::new();
    levels(Cube::SOLVED, farthest, neighbors, |level| {
        for p in level.iter().filter(|p| p.symmetries().len() >= least_order) {
            let solution = shortest_solution(p, Metric::Htm, farthest)
                .expect("the search came from the solved position");
            cases.push(Case::new(
                format!("solved by {}", DisplayMoves(&solution)),
                *p,
            ));
        }
    });
    cases
}

/// Symmetric positions far from solved: the superflip, alone and composed with short sequences, and
/// products of patterns. The superflip keeps the stabilizer of what it is composed with.
pub fn far_symmetric_cases() -> Vec<Case> {
    let mut cases = vec![
        Case::new("superflip", superflip()),
        Case::new(
            "superflip · pons asinorum",
            superflip() * position(PONS_ASINORUM),
        ),
        Case::new("superflip · six-spot", superflip() * position(SIX_SPOT)),
        Case::new(
            "pons asinorum · six-spot",
            position(PONS_ASINORUM) * position(SIX_SPOT),
        ),
        Case::new(
            "superflip · pons asinorum · six-spot",
            superflip() * position(PONS_ASINORUM) * position(SIX_SPOT),
        ),
    ];
    for sequence in [
        "U",
        "U2",
        "U'",
        "U D",
        "U D'",
        "U2 D2",
        "R U",
        "R2 F'",
        "R2 L2 U2 D2",
        "F B' U2",
        "R U R' U'",
    ] {
        cases.push(Case::new(
            format!("superflip · {sequence}"),
            superflip() * position(sequence),
        ));
    }
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
        Case::new(
            format!("walk {}", DisplayMoves(&walk)),
            Cube::from_moves(&walk),
        )
    };
    (0..count).map(|_| walk()).collect()
}

#[test]
fn as_many_positions_as_known_lie_within_the_radius() {
    for (metric, radius) in [(Metric::Htm, 5), (Metric::Qtm, 6)] {
        let mut counts = vec![0; radius + 1];
        ObviousSolver::shared(metric)
            .kept()
            .for_each(|(_, distance)| counts[distance] += 1);
        check_counts(&format!("positions-{metric}"), &counts);
    }
}

/// The positions whose shortest sequences have exactly `length`, each with all of those, found by
/// trying everything.
fn made_by_shortest_sequences(length: u8, metric: Metric) -> BTreeMap<Cube, ReferenceSolutions> {
    let mut nearer = BTreeSet::new();
    for shorter in 0..length {
        for_each_sequence(shorter, metric, |sequence| {
            nearer.extend([Cube::from_moves(sequence)])
        });
    }
    let mut made: BTreeMap<Cube, ReferenceSolutions> = BTreeMap::new();
    for_each_sequence(length, metric, |sequence| {
        let cube = Cube::from_moves(sequence);
        if !nearer.contains(&cube) {
            made.entry(cube).or_default().insert(sequence.to_vec());
        }
    });
    made
}

#[test]
fn all_solutions_are_found_wherever_the_searches_meet() {
    for (metric, longest) in [(Metric::Htm, 4), (Metric::Qtm, 5)] {
        let solvers: Vec<ObviousSolver> = (0..=4)
            .map(|radius| ObviousSolver::new(metric, radius))
            .collect();
        for length in 0..=longest {
            for (nth, (cube, sequences)) in made_by_shortest_sequences(length, metric)
                .into_iter()
                .enumerate()
            {
                let expected: ReferenceSolutions = sequences
                    .iter()
                    .map(|sequence| canonical(&inverse(sequence)))
                    .collect();
                assert_eq!(all_shortest_solutions(&cube, metric, 10), expected);
                // The smaller the radius, the longer the search outside: all of them on a few
                // positions only.
                for solver in solvers.iter().filter(|_| nth % 1_000 == 0) {
                    assert_eq!(
                        solver.all_shortest_solutions(&cube, usize::from(length)),
                        expected
                    );
                    let too_few = usize::from(length).checked_sub(1);
                    assert!(too_few.is_none_or(|limit| {
                        solver.all_shortest_solutions(&cube, limit).is_empty()
                    }));
                }
            }
        }
    }
}

/// Checks what must hold of the solutions of any position within `limit`, and returns the distance.
fn check_solutions(case: &Case, metric: Metric, limit: usize) -> usize {
    let Case { name, cube } = case;
    let solutions = all_shortest_solutions(cube, metric, limit);
    let length = metric.length(
        solutions
            .first()
            .unwrap_or_else(|| panic!("{name}: no solution within {limit}")),
    );
    for solution in &solutions {
        assert!(
            cube.apply_moves(solution).is_solved(),
            "{name}: {solution:?}"
        );
        assert!(is_canonical(solution), "{name}: {solution:?}");
        assert_eq!(metric.length(solution), length, "{name}: {solution:?}");
    }
    assert_eq!(
        shortest_solution(cube, metric, limit).as_ref(),
        solutions.first(),
        "{name}"
    );
    assert_eq!(distance(cube, metric, limit), Some(length), "{name}");
    if metric == Metric::Qtm {
        assert_eq!(length % 2 == 1, cube.is_odd(), "{name}");
    }

    let of_inverse: ReferenceSolutions = solutions
        .iter()
        .map(|solution| canonical(&inverse(solution)))
        .collect();
    assert_eq!(
        all_shortest_solutions(&cube.inverse(), metric, limit),
        of_inverse,
        "{name}, inverse"
    );
    let s = Symmetry::from_index(name.len() * 7 % Symmetry::COUNT);
    let conjugate = |solution: &Vec<_>| {
        solution
            .iter()
            .map(|&m| s.conjugate_move(m))
            .collect::<Vec<_>>()
    };
    let of_conjugate: ReferenceSolutions = solutions
        .iter()
        .map(|solution| canonical(&conjugate(solution)))
        .collect();
    assert_eq!(
        all_shortest_solutions(&cube.conjugate(s), metric, limit),
        of_conjugate,
        "{name}, {s:?}"
    );
    length
}

#[test]
fn symmetric_cases_within_reach() {
    near_symmetric_cases().par_iter().for_each(|case| {
        let htm = check_solutions(case, Metric::Htm, 8);
        let qtm = check_solutions(case, Metric::Qtm, 12);
        assert!(
            htm <= qtm && qtm <= 2 * htm,
            "{}: {htm} and {qtm}",
            case.name
        );
    });
}

/// Counted once with this code, so that a change is noticed.
#[test]
fn all_symmetric_classes_near_solved() {
    let cases = symmetric_classes(5, 4);
    assert_eq!(cases.len(), 34);
    cases.par_iter().for_each(|case| {
        check_solutions(case, Metric::Htm, 5);
        check_solutions(case, Metric::Qtm, 10);
    });
}

#[test]
fn random_walks_within_reach() {
    for metric in Metric::ALL {
        random_walks(1, 200, 9, metric).par_iter().for_each(|case| {
            check_solutions(case, metric, 9);
        });
    }
}

#[test]
fn the_metrics_differ() {
    let distances = |text: &str| {
        let cube = position(text);
        (
            distance(&cube, Metric::Htm, 8).unwrap(),
            distance(&cube, Metric::Qtm, 12).unwrap(),
        )
    };
    assert_eq!(distances(""), (0, 0));
    assert_eq!(distances("R"), (1, 1));
    assert_eq!(distances("R2"), (1, 2));
    assert_eq!(distances("R2 L2"), (2, 4));
    assert_eq!(distances(PONS_ASINORUM), (6, 12));
    assert_eq!(distances(SIX_SPOT), (8, 8));
    assert_eq!(distances("F2 B2 U D' R2 L2 U D'"), (8, 12));
}

#[test]
fn symmetric_cases_are_symmetric() {
    let order = |cube: Cube| cube.symmetries().len();
    let of = |text: &str| position(text);
    assert_eq!(order(of(PONS_ASINORUM)), 48);
    assert_eq!(order(superflip() * of(PONS_ASINORUM)), 48);
    assert_eq!(order(of(SIX_SPOT)), 6);
    assert_eq!(order(of(PONS_ASINORUM) * of(SIX_SPOT)), 6);
    for case in near_symmetric_cases() {
        assert_eq!(
            order(superflip() * case.cube),
            order(case.cube),
            "{}",
            case.name
        );
        assert_eq!(
            superflip() * case.cube,
            case.cube * superflip(),
            "{}",
            case.name
        );
    }
}
