//! Insertions: a short algorithm at the best point of a skeleton that leaves three pieces or two
//! swaps.
//!
//! Let a skeleton M solve the scramble S up to some pieces, and let X be inserted after its moves
//! A, so that M = A·B. Then S·A·X·B is solved if X solves B·S·A, the unsolved pieces as seen from
//! the insertion point. Each insertion point is thus one position to solve. All its shortest
//! solutions, with cancellations against the adjacent moves, give the best insertion of a shortest
//! sequence, with proof.

use crate::notation::NissMoves;
use cosette::cube::{Cube, DisplayMoves, Move, canonical};
use cosette::search::Outcome;
use cosette::{Cancel, Solver};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The unsolved pieces of a skeleton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertionCase {
    /// A 3-cycle of corners.
    CornerThreeCycle,
    /// A 3-cycle of edges.
    EdgeThreeCycle,
    /// Two swaps of pieces.
    DoubleSwap,
}

impl InsertionCase {
    pub const fn name(self) -> &'static str {
        ["three corners", "three edges", "two swaps"][self as usize]
    }

    /// Determines the case of a position.
    ///
    /// # Errors
    ///
    /// Returns [`InsertionError`] if the unsolved pieces are not one of these cases, or if the cube
    /// is solved.
    pub fn of(position: &Cube) -> Result<InsertionCase, InsertionError> {
        let cycles = cycles(position);
        match cycles[..] {
            [(3, 3)] => Ok(InsertionCase::CornerThreeCycle),
            [(2, 3)] => Ok(InsertionCase::EdgeThreeCycle),
            [(_, 2), (_, 2)] => Ok(InsertionCase::DoubleSwap),
            _ => {
                let count = cycles.iter().map(|(_, length)| length).sum();
                Err(InsertionError(count))
            }
        }
    }
}

/// Returns the cycles of the unsolved pieces of a position: for each, the number of facelets of a
/// piece (3 for corners, 2 for edges), and the number of pieces.
fn cycles(position: &Cube) -> Vec<(usize, usize)> {
    let faces = |piece: &str| piece.chars().collect::<BTreeSet<char>>();
    let solved = Cube::SOLVED.reid();
    let reid = position.reid();
    let slots = solved.split(' ').zip(reid.split(' '));
    let mut unsolved: BTreeMap<_, _> = slots
        .filter(|(slot, piece)| slot != piece)
        .map(|(slot, piece)| (faces(slot), faces(piece)))
        .collect();
    let mut cycles = Vec::new();
    while let Some((slot, mut piece)) = unsolved.pop_first() {
        let mut length = 1;
        while let Some(next) = unsolved.remove(&piece) {
            piece = next;
            length += 1;
        }
        cycles.push((slot.len(), length));
    }
    cycles
}

/// Error of a skeleton without an insertion case, with the number of unsolved pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "these moves {}; use a skeleton that leaves three corners, three edges or two swaps",
    match .0 {
        0 => "solve the scramble".to_owned(),
        count => format!("leave {count} pieces in another case"),
    }
)]
pub struct InsertionError(usize);

/// An insertion into a skeleton that solves the scramble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// Number of skeleton moves before the insertion.
    pub index: usize,
    /// The inserted moves.
    pub moves: Vec<Move>,
    /// All moves, with cancellations.
    pub solution: Vec<Move>,
}

impl Insertion {
    /// Formats the skeleton with the insertion in square brackets.
    pub fn format(&self, skeleton: &[Move]) -> String {
        let (before, after) = skeleton.split_at(self.index);
        format!(
            "{} [{}] {}",
            DisplayMoves(before),
            DisplayMoves(&self.moves),
            DisplayMoves(after)
        )
        .trim()
        .to_owned()
    }

    /// Returns the number of moves that cancel.
    pub fn cancellations(&self, skeleton: &[Move]) -> usize {
        skeleton.len() + self.moves.len() - self.solution.len()
    }
}

/// A skeleton that leaves three corners, three edges or two swaps of a scramble.
#[derive(Clone, Debug)]
pub struct OpenSkeleton {
    scramble: Cube,
    /// The moves, all on the scramble.
    pub moves: Vec<Move>,
    /// The unsolved pieces.
    pub case: InsertionCase,
}

impl OpenSkeleton {
    /// Creates the skeleton of moves on a scramble and on its inverse (NISS).
    ///
    /// # Errors
    ///
    /// Returns [`InsertionError`] if the moves do not leave three corners, three edges or two
    /// swaps.
    pub fn new(scramble: &Cube, moves: &NissMoves) -> Result<OpenSkeleton, InsertionError> {
        let moves = moves.linearize();
        Ok(OpenSkeleton {
            scramble: *scramble,
            case: InsertionCase::of(&scramble.apply_moves(&moves))?,
            moves,
        })
    }

    /// Returns all insertions of shortest sequences at all points, in order of the length of their
    /// solutions. Of several insertions with the same solution, only the first is returned. Longer
    /// sequences, which may cancel more moves, are not tried. `shortest` returns all shortest
    /// solutions of a position, or `None` once it is cancelled; then this function returns `None`
    /// as well.
    pub fn insertions(
        &self,
        mut shortest: impl FnMut(&Cube) -> Option<Vec<Vec<Move>>>,
    ) -> Option<Vec<Insertion>> {
        let scramble = &self.scramble;
        let skeleton = &self.moves[..];
        let mut insertions: Vec<Insertion> = Vec::new();
        let mut known: BTreeSet<Vec<Move>> = BTreeSet::new();
        for index in 0..=skeleton.len() {
            let (before, after) = skeleton.split_at(index);
            let unsolved = Cube::from_moves(after)
                .compose(scramble)
                .apply_moves(before);
            for moves in shortest(&unsolved)? {
                // Two insertion points may give the same solution, as in `[R F] R` and `R [F R]`.
                let solution = canonical(&[before, &moves, after].concat());
                debug_assert!(scramble.apply_moves(&solution).is_solved());
                if known.insert(solution.clone()) {
                    insertions.push(Insertion {
                        index,
                        moves,
                        solution,
                    });
                }
            }
        }
        insertions.sort_by_key(|insertion| insertion.solution.len());
        Some(insertions)
    }
}

/// The result as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InsertionsResult {
    /// The text of the scramble.
    pub input: String,
    /// The line number of the scramble in a list, counted from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The moves of the skeleton.
    pub skeleton: String,
    /// The unsolved pieces of the skeleton.
    pub case: String,
    /// Number of insertions of shortest sequences.
    pub count: usize,
    /// The best insertions, in order of the length of the solution. No insertion of a shortest
    /// sequence into these moves, in the order of `skeleton`, gives a shorter solution. Longer
    /// sequences, which may cancel more moves, are not tried; nor are other orders of turns of
    /// opposite faces.
    pub insertions: Vec<InsertionJson>,
}

/// An insertion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Insertion))]
pub struct InsertionJson {
    /// Number of moves of the solution.
    pub length: usize,
    /// Number of skeleton moves before the insertion.
    pub index: usize,
    /// The inserted moves.
    pub moves: String,
    /// Number of moves that cancel.
    pub cancellations: usize,
    /// All moves, with cancellations.
    pub solution: String,
}

impl Insertion {
    pub(crate) fn as_json(&self, skeleton: &[Move]) -> InsertionJson {
        InsertionJson {
            length: self.solution.len(),
            index: self.index,
            moves: DisplayMoves(&self.moves).to_string(),
            cancellations: self.cancellations(skeleton),
            solution: DisplayMoves(&self.solution).to_string(),
        }
    }
}

/// Returns all shortest solutions of a position; `None` if cancelled.
pub fn shortest_solutions(
    solver: &Solver,
    position: &Cube,
    cancel: &Cancel,
) -> Option<Vec<Vec<Move>>> {
    let report = solver.search(position).all().with_cancel(cancel).run();
    (report.outcome == Outcome::Optimal).then_some(report.solutions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::NissSide;
    use crate::testing::cases;
    use cosette::cube::{Metric, for_each_sequence, inverse, parse_moves};
    use std::collections::HashMap;

    fn moves(text: &str) -> Vec<Move> {
        parse_moves(text, &Default::default())
            .unwrap()
            .moves()
            .to_vec()
    }

    #[test]
    fn insertion_cases_are_recognized() {
        for [text, expected] in cases("skeletons that leave pieces") {
            let case = InsertionCase::of(&Cube::from_moves(&moves(text)));
            let case = case.map_or_else(|error| error.to_string(), |case| case.name().into());
            assert!(case.starts_with(expected), "{text}: {case}");
        }
    }

    /// Compares with brute force: all sequences of six moves at every point.
    #[test]
    fn the_best_insertions_are_found() {
        let skeleton = moves("R U2 L D' B R2 F");
        let inserted = moves("L' R F2 L R' D2");
        let whole = [&skeleton[..2], &inserted, &skeleton[2..]].concat();
        let scramble = Cube::from_moves(&inverse(&whole));
        // Sequences of three moves, by the position that they solve.
        let mut halves: HashMap<Cube, Vec<Vec<Move>>> = HashMap::new();
        for_each_sequence(3, Metric::Htm, |b| {
            halves
                .entry(Cube::from_moves(&inverse(b)))
                .or_default()
                .push(b.to_vec())
        });
        let solutions_of_six_moves = |position: &Cube| {
            let mut solutions = BTreeSet::new();
            for_each_sequence(3, Metric::Htm, |a| {
                let ends = halves.get(&position.apply_moves(a)).into_iter().flatten();
                solutions.extend(
                    ends.map(|b| canonical(&[a, b].concat()))
                        .filter(|moves| moves.len() == 6),
                );
            });
            Some(solutions.into_iter().collect())
        };
        let skeleton_moves = NissMoves::on(NissSide::Normal, skeleton.clone());
        let open = OpenSkeleton::new(&scramble, &skeleton_moves).unwrap();
        let insertions = open.insertions(solutions_of_six_moves).unwrap();
        let solves = |insertion: &Insertion| {
            let solved = scramble.apply_moves(&insertion.solution);
            solved.is_solved()
        };
        assert!(insertions.iter().all(solves));
        let mut expected = BTreeSet::new();
        for index in 0..=skeleton.len() {
            let (before, after) = skeleton.split_at(index);
            for_each_sequence(3, Metric::Htm, |a| {
                let middle = scramble.apply_moves(before).apply_moves(a);
                let end = Cube::from_moves(after).inverse();
                // b must do what remains; `halves` lists it under the position that it solves, the
                // inverse.
                let remaining = middle.inverse().compose(&end);
                for b in halves.get(&remaining.inverse()).into_iter().flatten() {
                    let moves = canonical(&[a, b].concat());
                    if moves.len() == 6 {
                        expected.insert(canonical(&[before, &moves, after].concat()));
                    }
                }
            });
        }
        let solutions = insertions
            .iter()
            .map(|insertion| insertion.solution.clone());
        assert_eq!(solutions.collect::<BTreeSet<_>>(), expected);
        let best = &insertions[0];
        assert!(
            best.solution.len() <= canonical(&whole).len() && best.cancellations(&skeleton) >= 1,
            "{best:?}"
        );
        let written = moves(&best.format(&skeleton).replace(['[', ']'], ""));
        assert_eq!(canonical(&written), best.solution);
        assert_eq!(open.insertions(|_| None), None);
    }
}
