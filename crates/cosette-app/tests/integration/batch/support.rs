//! Lists of positions, and workers with the smallest table.

use crate::support::table;
use cosette::cube::{Cube, Symmetry, parse_moves};
use cosette::{Cancel, Solver, ThreadCount};
use cosette_app::batch::{Batch, BatchError, Lines, PositionList, Workers};
use cosette_app::request::Request;
use cosette_app::solve_result::SolveResult;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Positions of three to nine moves, a line that is none, and two that equal others up to symmetry
/// or inversion.
pub const TEXTS: [&str; 8] = [
    "R U F",
    "R U Q",
    "# comment",
    "R U R' U' F2 D L B2 R",
    "F' U' R'",
    "U2 D2 F2 B2 L2 R2",
    "L' U' F'",
    "B L2 D' R",
];

/// The entries of [`TEXTS`] that are positions, by their place in the list.
pub const POSITIONS: [usize; 6] = [0, 2, 3, 4, 5, 6];

pub fn list(texts: &[&str]) -> PositionList {
    let text = texts.join("\n");
    PositionList::read(
        Lines::new(text.as_bytes()).map(|line| line.unwrap()),
        &Request::default(),
    )
}

pub fn open(texts: &[&str], request: Request, journal: Option<&Path>) -> Result<Batch, BatchError> {
    Batch::open(list(texts), request, true, journal)
}

pub fn workers() -> Workers {
    let two = ThreadCount::new(2).unwrap();
    Workers {
        solver: Solver::new(table(), two),
        jobs: two,
    }
}

/// Solves what is to do; the answers by their place in the list.
pub fn solve(batch: &mut Batch) -> BTreeMap<usize, SolveResult> {
    let mut answers = BTreeMap::new();
    let mut on_answer = |number, answer| {
        assert!(
            answers.insert(number, answer).is_none(),
            "an answer is given once"
        );
        Ok::<_, BatchError>(())
    };
    workers()
        .run(batch, &Cancel::new(), &mut on_answer)
        .unwrap();
    answers
}

/// The position after moves.
pub fn position(moves: &str) -> Cube {
    parse_moves(moves, &Default::default()).unwrap().position()
}

/// A position and its inverse, in each of the symmetries, as facelets.
pub fn images(moves: &str) -> Vec<String> {
    let cube = position(moves);
    let sides = [cube, cube.inverse()];
    sides
        .iter()
        .flat_map(|side| Symmetry::all().map(|s| side.conjugate(s).facelets()))
        .collect()
}

/// A request that gives up on each position after 0.3 s.
pub fn hurried() -> Request {
    Request {
        timeout: Some(Duration::from_millis(300)),
        ..Request::default()
    }
}
