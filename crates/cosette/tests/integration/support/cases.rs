//! Positions to try solvers on: the symmetric ones, where reduction by symmetry goes wrong first, and random walks.

use super::breadth_first::levels;
use super::solver::shortest_solution;
use super::{moves, text};
use cosette::cube::{Cube, Metric, Move, MoveSet};
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A position and what to call it.
pub struct Case {
    /// What it is known as, or the moves that make it.
    pub name: String,
    /// The position.
    pub cube: Cube,
}

impl Case {
    fn new(name: impl Into<String>, cube: Cube) -> Case {
        Case { name: name.into(), cube }
    }

    fn of_moves(name: impl Into<String>, sequence: &str) -> Case {
        Case::new(name, Cube::from_moves(&moves(sequence)))
    }
}

/// The pattern in which every face is a checkerboard of two colours; all 48 symmetries fix it.
pub const PONS_ASINORUM: &str = "R2 L2 U2 D2 F2 B2";

/// The pattern with one spot of another colour on every face.
pub const SIX_SPOT: &str = "U D' R L' F B' U D'";

/// The superflip: every edge flipped in its place. All 48 symmetries fix it, it commutes with every position, and it is
/// at distance 20 (HTM), 24 (QTM).
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
    let named = NAMED.map(|(name, sequence)| Case::of_moves(name, sequence));
    let single = Move::ALL.map(|m| Case::of_moves(m.to_string(), &m.to_string()));
    named.into_iter().chain(single).collect()
}

/// A position of every symmetry class within `farthest` moves (HTM) that at least `least_order` symmetries fix, named by
/// its solution.
pub fn symmetric_classes(farthest: usize, least_order: usize) -> Vec<Case> {
    let neighbours = |p: Cube| Move::ALL.into_iter().map(move |m| p.turned(m).representative());
    let mut cases = Vec::new();
    levels(Cube::SOLVED, farthest, neighbours, |level| {
        for p in level.iter().filter(|p| p.stabilizer().len() >= least_order) {
            let solution =
                shortest_solution(p, Metric::Htm, farthest).expect("the search came from the solved position");
            cases.push(Case::new(format!("solved by {}", text(&solution)), *p));
        }
    });
    cases
}

/// Symmetric positions far from solved: the superflip, alone and composed with short sequences, and products of
/// patterns. The superflip keeps the stabilizer of what it is composed with.
pub fn far_symmetric_cases() -> Vec<Case> {
    let of_moves = |sequence: &str| Cube::from_moves(&moves(sequence));
    let mut cases = vec![
        Case::new("superflip", superflip()),
        Case::new("superflip · pons asinorum", superflip() * of_moves(PONS_ASINORUM)),
        Case::new("superflip · six-spot", superflip() * of_moves(SIX_SPOT)),
        Case::new("pons asinorum · six-spot", of_moves(PONS_ASINORUM) * of_moves(SIX_SPOT)),
        Case::new("superflip · pons asinorum · six-spot", superflip() * of_moves(PONS_ASINORUM) * of_moves(SIX_SPOT)),
    ];
    for sequence in ["U", "U2", "U'", "U D", "U D'", "U2 D2", "R U", "R2 F'", "R2 L2 U2 D2", "F B' U2", "R U R' U'"] {
        cases.push(Case::new(format!("superflip · {sequence}"), superflip() * of_moves(sequence)));
    }
    cases
}

/// `count` positions within `longest` moves of solved, the same for the same seed: walks along canonical sequences whose
/// length in `metric` is drawn evenly from 0 to `longest`. Each is named by its walk.
pub fn random_walks(seed: u64, count: usize, longest: usize, metric: Metric) -> Vec<Case> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut walk = || {
        let length = rng.random_range(0..=longest);
        let mut walk: Vec<Move> = Vec::new();
        while metric.length(&walk) < length {
            let fits = |m: &Move| metric.length(&walk) + usize::from(metric.cost(*m)) <= length;
            let next = MoveSet::after(walk.last().copied()).iter().filter(fits).choose(&mut rng);
            walk.push(next.expect("a quarter turn always fits"));
        }
        Case::new(format!("walk {}", text(&walk)), Cube::from_moves(&walk))
    };
    (0..count).map(|_| walk()).collect()
}
