//! Insertions: a skeleton that leaves three pieces, or two swaps, is finished by a short sequence somewhere in it.
//!
//! Let a skeleton M leave a position after the scramble S, and X be done in it after its moves A, so that M = A·B. Then S·A·X·B is solved
//! if X solves B·S·A: the pieces that are left, seen from there. So there is one question for each place, and with all its shortest
//! answers, added up with the moves around them, the best insertion of a shortest sequence is found, and proven.

use super::reached::{Sides, whole};
use cosette::cube::{Cube, Move, Moves, canonical};
use cosette::search::{Options, Outcome, SolutionCount};
use cosette::{Cancel, Solver};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a skeleton leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Three corners in a cycle.
    ThreeCorners,
    /// Three edges in a cycle.
    ThreeEdges,
    /// Two pairs of pieces, swapped.
    TwoSwaps,
}

impl Left {
    /// The words for it.
    pub const fn name(self) -> &'static str {
        ["three corners", "three edges", "two swaps"][self as usize]
    }

    /// What is left in a position. Fails if it is something else.
    pub fn of(position: &Cube) -> Result<Left, NothingToInsert> {
        let (shown, solved) = (position.reid(), Cube::SOLVED.reid());
        let sorted = |piece: &str| piece.chars().collect::<BTreeSet<char>>();
        let slots: Vec<(&str, &str)> =
            solved.split(' ').zip(shown.split(' ')).filter(|(slot, piece)| slot != piece).collect();
        let (mut left, mut cycles) =
            (slots.iter().map(|(slot, piece)| (sorted(slot), sorted(piece))).collect::<BTreeMap<_, _>>(), Vec::new());
        while let Some((first, mut piece)) = left.pop_first() {
            let (faces, mut length) = (first.len(), 1);
            while let Some(next) = left.remove(&piece) {
                (piece, length) = (next, length + 1);
            }
            cycles.push((faces, length));
        }
        match cycles[..] {
            [(3, 3)] => Ok(Left::ThreeCorners),
            [(2, 3)] => Ok(Left::ThreeEdges),
            [(_, 2), (_, 2)] => Ok(Left::TwoSwaps),
            [] => Err(NothingToInsert::Solved),
            _ => Err(NothingToInsert::Others(slots.len())),
        }
    }
}

/// Why nothing is inserted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum NothingToInsert {
    /// Nothing is left.
    #[error(
        "these moves solve the scramble; give those of a skeleton that leaves three corners, three edges or two swaps"
    )]
    Solved,
    /// Other pieces are left.
    #[error("these moves leave {0} pieces; an insertion is for three corners, three edges or two swaps")]
    Others(usize),
}

/// A sequence in a skeleton that then solves the scramble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    /// So many moves of the skeleton come before it.
    pub place: usize,
    /// Its moves.
    pub moves: Vec<Move>,
    /// All moves, added up where they meet.
    pub solution: Vec<Move>,
}

impl Insertion {
    /// The skeleton with the insertion in square brackets.
    pub fn written(&self, skeleton: &[Move]) -> String {
        let (before, after) = skeleton.split_at(self.place);
        format!("{} [{}] {}", Moves(before), Moves(&self.moves), Moves(after)).trim().to_owned()
    }

    /// How many moves are saved where it meets the skeleton.
    pub fn cancelled(&self, skeleton: &[Move]) -> usize {
        skeleton.len() + self.moves.len() - self.solution.len()
    }
}

/// A skeleton that leaves three corners, three edges or two swaps of a scramble.
#[derive(Clone, Debug)]
pub struct Unfinished {
    scramble: Cube,
    /// Its moves, all on the scramble.
    pub moves: Vec<Move>,
    /// What it leaves.
    pub left: Left,
}

impl Unfinished {
    /// Moves on both sides of a scramble. Fails if they leave something else.
    pub fn new(scramble: &Cube, done: &Sides) -> Result<Unfinished, NothingToInsert> {
        let moves = whole(done);
        Ok(Unfinished { scramble: *scramble, left: Left::of(&scramble.after(&moves))?, moves })
    }

    /// All insertions of a shortest sequence, at every place, by the length of the solution; of those that make one solution, the first.
    /// Longer sequences, of which more may be saved, are not tried. `shortest` gives all shortest solutions of a position, or nothing once it is
    /// stopped: then so does this.
    pub fn insertions(&self, mut shortest: impl FnMut(&Cube) -> Option<Vec<Vec<Move>>>) -> Option<Vec<Insertion>> {
        let (scramble, skeleton) = (&self.scramble, &self.moves[..]);
        let (mut found, mut known): (Vec<Insertion>, BTreeSet<Vec<Move>>) = (Vec::new(), BTreeSet::new());
        for place in 0..=skeleton.len() {
            let (before, after) = skeleton.split_at(place);
            let left = Cube::from_moves(after).compose(scramble).after(before);
            for moves in shortest(&left)? {
                // Next to a turn of the opposite face there are two places for it, which make the same solution.
                let solution = canonical(&[before, &moves, after].concat());
                debug_assert!(scramble.after(&solution).is_solved());
                if known.insert(solution.clone()) {
                    found.push(Insertion { place, moves, solution });
                }
            }
        }
        found.sort_by_key(|insertion| insertion.solution.len());
        Some(found)
    }
}

/// The answer as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Inserted {
    /// The text of the scramble.
    pub input: String,
    /// Its line, counted from one, in a list of scrambles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The moves of the skeleton.
    pub skeleton: String,
    /// What it leaves.
    pub left: String,
    /// How many insertions of shortest sequences there are.
    pub count: usize,
    /// The best of them, by the length of the solution: none of a shortest sequence is shorter, with the moves of `skeleton` in this order. Longer
    /// sequences, of which more may be saved, are not tried, nor other orders of turns of opposite faces.
    pub insertions: Vec<WrittenInsertion>,
}

/// An insertion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Insertion))]
pub struct WrittenInsertion {
    /// All moves.
    pub length: usize,
    /// So many moves of the skeleton come before it.
    pub place: usize,
    /// Its moves.
    pub moves: String,
    /// How many moves are saved where it meets the skeleton.
    pub cancelled: usize,
    /// All moves, added up.
    pub solution: String,
}

impl Inserted {
    /// The first of all that were found for the skeleton of a text, one of a list if it has the number of a line.
    pub fn new(
        (text, line): (&str, Option<usize>),
        skeleton: &Unfinished,
        found: &[Insertion],
        most: usize,
    ) -> Inserted {
        let Unfinished { moves, left, .. } = skeleton;
        Inserted {
            input: text.to_owned(),
            line,
            skeleton: Moves(moves).to_string(),
            left: left.name().to_owned(),
            count: found.len(),
            insertions: found.iter().take(most).map(|insertion| insertion.as_json(moves)).collect(),
        }
    }
}

/// All shortest solutions of a position, unless it is stopped.
pub fn shortest(solver: &Solver, position: &Cube, cancel: &Cancel) -> Option<Vec<Vec<Move>>> {
    let options = Options { solution_count: SolutionCount::All, ..Options::default() };
    let report = solver.search(position).options(options).cancel(cancel).run();
    (report.outcome == Outcome::Optimal).then_some(report.solutions)
}

impl Insertion {
    /// As JSON.
    fn as_json(&self, skeleton: &[Move]) -> WrittenInsertion {
        let (moves, solution) = (Moves(&self.moves).to_string(), Moves(&self.solution).to_string());
        WrittenInsertion {
            length: self.solution.len(),
            place: self.place,
            moves,
            cancelled: self.cancelled(skeleton),
            solution,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{Metric, for_each_sequence, inverse, parse_moves};
    use std::collections::HashMap;

    fn moves(text: &str) -> Vec<Move> {
        parse_moves(text, &Default::default()).unwrap().moves().to_vec()
    }

    #[test]
    fn what_is_left_is_recognised() {
        let left = |text: &str| Left::of(&Cube::from_moves(&moves(text)));
        assert_eq!(left("R U R' D2 R U' R' D2"), Ok(Left::ThreeCorners));
        assert_eq!(left("R L' F2 R' L D2"), Ok(Left::ThreeEdges));
        assert_eq!(left("R2 L2 D R2 L2 U2 R2 L2 D R2 L2"), Ok(Left::TwoSwaps));
        assert_eq!(left("R R'"), Err(NothingToInsert::Solved));
        assert_eq!(left("R"), Err(NothingToInsert::Others(8)));
    }

    /// Beside everything of six moves at every place.
    #[test]
    fn the_best_places_are_found() {
        let (skeleton, inserted) = (moves("R U2 L D' B R2 F"), moves("L' R F2 L R' D2"));
        let whole = [&skeleton[..2], &inserted, &skeleton[2..]].concat();
        let scramble = Cube::from_moves(&inverse(&whole));
        let mut halves: HashMap<Cube, Vec<Vec<Move>>> = HashMap::new();
        for_each_sequence(3, Metric::Htm, |b| {
            halves.entry(Cube::from_moves(&inverse(b))).or_default().push(b.to_vec())
        });
        let six = |position: &Cube| {
            let mut found = BTreeSet::new();
            for_each_sequence(3, Metric::Htm, |a| {
                let ends = halves.get(&position.after(a)).into_iter().flatten();
                found.extend(ends.map(|b| canonical(&[a, b].concat())).filter(|moves| moves.len() == 6));
            });
            Some(found.into_iter().collect())
        };
        let unfinished = Unfinished::new(&scramble, &[skeleton.clone(), Vec::new()]).unwrap();
        let found = unfinished.insertions(six).unwrap();
        assert!(found.iter().all(|insertion| scramble.after(&insertion.solution).is_solved()));
        let mut tried = BTreeSet::new();
        for place in 0..=skeleton.len() {
            for_each_sequence(3, Metric::Htm, |a| {
                let middle = scramble.after(&skeleton[..place]).after(a);
                let wanted = middle.inverse().compose(&Cube::from_moves(&skeleton[place..]).inverse());
                for b in halves.get(&wanted.inverse()).into_iter().flatten() {
                    let moves = canonical(&[a, b].concat());
                    if moves.len() == 6 {
                        tried.insert(canonical(&[&skeleton[..place], &moves, &skeleton[place..]].concat()));
                    }
                }
            });
        }
        assert_eq!(found.iter().map(|insertion| insertion.solution.clone()).collect::<BTreeSet<_>>(), tried);
        let best = &found[0];
        assert!(best.solution.len() <= canonical(&whole).len() && best.cancelled(&skeleton) >= 1, "{best:?}");
        let written = moves(&best.written(&skeleton).replace(['[', ']'], ""));
        assert_eq!(canonical(&written), best.solution);
        assert_eq!(unfinished.insertions(|_| None), None);
    }
}
