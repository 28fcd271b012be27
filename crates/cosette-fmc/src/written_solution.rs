//! Solutions as people write them, read for a [review](crate::review).
//!
//! ```text
//! x2 // inspection
//! D' R' F R // cross
//! U (R U' R') // first pair
//! ```
//!
//! Each line with moves is a step, and its comment the label of the step. Parentheses group moves.
//! If these moves do not solve the scramble, but do with the moves in parentheses on its inverse,
//! the text is a write-up of a fewest-moves attempt ([`notation`](crate::notation)); its turns are
//! those of the linearized solution. So is a text that names the sides: the moves after `Inverse`,
//! up to `Normal`, are on the inverse. A line that repeats the whole solution is not a step.

use crate::notation::{NissMoves, NissSide, after_solution, joined, read_line, without_comment};
use crate::writeup_check::{scramble_in, whole_solution};
use cosette::cube::{
    Cube, LayerTurn, Move, ParseError, ParseOptions, Symmetry, is_empty, parse_turns,
};
use std::ops::Range;

/// A solution that somebody has written.
#[derive(Clone, Debug)]
pub struct WrittenSolution {
    /// The turns, in the order in which they are applied to the scramble.
    pub turns: Vec<WrittenTurn>,
    /// The lines with moves.
    pub steps: Vec<WrittenStep>,
    /// `true` if moves in parentheses are on the inverse of the scramble.
    pub is_niss: bool,
}

/// A turn of a face, of two layers, of a slice or of the whole cube.
#[derive(Clone, Debug)]
pub struct WrittenTurn {
    /// The turn as it was written.
    pub turn: LayerTurn,
    /// The equivalent face turns, named in the orientation of the scramble.
    pub moves: Vec<Move>,
    /// The rotation of the whole cube from the scramble to the position after the turn.
    pub rotation: Symmetry,
}

/// A line with moves.
#[derive(Clone, Debug)]
pub struct WrittenStep {
    /// The line number in the text, counted from one.
    pub line: usize,
    /// The comment.
    pub label: Option<String>,
    /// The moves as they were written.
    pub text: String,
    /// The moves that lead from the position before the step to the one after it, named in the
    /// orientation of the scramble.
    pub moves: NissMoves,
    /// The moves before the step.
    pub before: SolutionPoint,
    /// The moves up to the end of the step.
    pub after: SolutionPoint,
}

/// A point in a solution.
#[derive(Clone, Debug)]
pub struct SolutionPoint {
    /// All moves up to this point, with cancellations, named in the orientation of the scramble.
    pub moves: NissMoves,
    /// Number of turns up to this point; 0 in a solution on both sides.
    pub turn_count: usize,
    /// The rotation of the whole cube since the scramble.
    pub rotation: Symmetry,
}

impl SolutionPoint {
    /// The point before the first move.
    const START: SolutionPoint = SolutionPoint {
        moves: NissMoves {
            normal: Vec::new(),
            inverse: Vec::new(),
        },
        turn_count: 0,
        rotation: Symmetry::IDENTITY,
    };
}

/// Error of a line that cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
#[error("line {line}: {}; {}", error.message(), error.help())]
pub struct SolutionTextError {
    /// The line number in the text, counted from one.
    pub line: usize,
    /// The line.
    pub text: String,
    /// The fault, with its place in the line.
    pub error: ParseError,
    /// The range of the fault in the whole text, in bytes.
    pub span: Range<usize>,
}

impl WrittenSolution {
    /// Reads a solution of `scramble`, or any other moves.
    ///
    /// # Errors
    ///
    /// Returns [`SolutionTextError`] if a line is not a sequence of moves.
    pub fn read(text: &str, scramble: &Cube) -> Result<WrittenSolution, SolutionTextError> {
        let lines = solution_lines(text);
        let read = read_turns(&lines, scramble);
        let is_solved = |solution: &WrittenSolution| solution.end(scramble).is_solved();
        let names_sides = lines.iter().any(|line| line.side.is_some());
        if !names_sides && read.as_ref().is_ok_and(is_solved) {
            return read;
        }
        read_niss(&lines, scramble)
            .filter(|solution| names_sides || is_solved(solution))
            .map_or(read, Ok)
    }

    /// Returns the position after the last turn, in the orientation of the scramble.
    pub fn end(&self, scramble: &Cube) -> Cube {
        let after = |position: Cube, turn: &WrittenTurn| position.apply_moves(&turn.moves);
        self.turns.iter().fold(*scramble, after)
    }
}

/// Returns `true` if moves are in parentheses.
pub fn has_parentheses(text: &str) -> bool {
    let lines = solution_lines(text);
    lines.iter().any(|line| line.moves.contains('('))
}

/// A line with moves.
struct SolutionLine<'a> {
    number: usize,
    moves: &'a str,
    /// The offset of the moves in the text, in bytes.
    start: usize,
    label: Option<String>,
    /// The side of the moves; `None` if the text has not named one.
    side: Option<NissSide>,
}

impl SolutionLine<'_> {
    /// Returns the moves, with those on the inverse in parentheses.
    fn niss_moves(&self) -> String {
        match self.side {
            Some(NissSide::Inverse) if !self.moves.contains('(') => format!("({})", self.moves),
            _ => self.moves.to_owned(),
        }
    }

    /// Returns `true` if the moves `before` solve the scramble and the line repeats a solution.
    fn repeats(&self, before: &NissMoves, scramble: &Cube) -> bool {
        !before.is_empty()
            && before.apply(scramble).is_solved()
            && whole_solution(self.moves, scramble).is_some()
    }
}

/// Returns the lines with moves. A line `Solution: …` is used only if it is the first one.
fn solution_lines(text: &str) -> Vec<SolutionLine<'_>> {
    let mut lines: Vec<SolutionLine<'_>> = Vec::new();
    let mut side = None;
    for (number, line) in (1..).zip(text.lines()) {
        let mut moves = without_comment(line);
        let comment = line[moves.len()..].trim_start_matches(['/', '#']).trim();
        if let Some((named, after)) = split_side(moves) {
            side = Some(named);
            moves = after;
        }
        let claimed = after_solution(moves).and_then(|after| after.split_once(':'));
        if is_empty(moves) || claimed.is_some() && !lines.is_empty() {
            continue;
        }
        if let Some((_, solution)) = claimed {
            moves = solution;
        }
        lines.push(SolutionLine {
            number,
            moves,
            start: moves.as_ptr() as usize - text.as_ptr() as usize,
            label: (!comment.is_empty()).then(|| comment.to_owned()),
            side,
        });
    }
    lines
}

/// Splits a line after the name of a side, as in `Inverse: R U`.
fn split_side(line: &str) -> Option<(NissSide, &str)> {
    let line = line.trim_start();
    let names = [(NissSide::Normal, "normal"), (NissSide::Inverse, "inverse")];
    names.into_iter().find_map(|(side, name)| {
        let (word, after) = line.split_at_checked(name.len())?;
        let is_name = word.eq_ignore_ascii_case(name);
        is_name.then(|| (side, after.trim_start_matches([':', ' '])))
    })
}

/// Reads parentheses as groups of moves.
fn read_turns(
    lines: &[SolutionLine<'_>],
    scramble: &Cube,
) -> Result<WrittenSolution, SolutionTextError> {
    let mut turns: Vec<WrittenTurn> = Vec::new();
    let mut steps = Vec::new();
    let mut point = SolutionPoint::START;
    for line in lines {
        if line.repeats(&point.moves, scramble) {
            continue;
        }
        let read = parse_turns(line.moves, &ParseOptions::default());
        let read = read.map_err(|error| SolutionTextError {
            line: line.number,
            text: line.moves.to_owned(),
            span: line.start + error.span().start..line.start + error.span().end,
            error,
        })?;
        let before = point.clone();
        let mut step_moves = Vec::new();
        for &turn in &read {
            let back = point.rotation.inverse();
            let moves = turn.face_turns().map(|m| back.conjugate_move(m));
            let moves: Vec<Move> = moves.collect();
            point.moves.normal = joined(&point.moves.normal, &moves);
            step_moves.extend_from_slice(&moves);
            point.rotation = point.rotation.then(turn.rotation());
            turns.push(WrittenTurn {
                turn,
                moves,
                rotation: point.rotation,
            });
        }
        point.turn_count = turns.len();
        let texts: Vec<String> = read.iter().map(LayerTurn::to_string).collect();
        steps.push(WrittenStep {
            line: line.number,
            label: line.label.clone(),
            text: texts.join(" "),
            moves: NissMoves::on(NissSide::Normal, step_moves),
            before,
            after: point.clone(),
        });
    }
    Ok(WrittenSolution {
        turns,
        steps,
        is_niss: false,
    })
}

/// Reads moves in parentheses as moves on the inverse; `None` if a line cannot be read like this.
fn read_niss(lines: &[SolutionLine<'_>], scramble: &Cube) -> Option<WrittenSolution> {
    let mut steps = Vec::new();
    let mut point = SolutionPoint::START;
    for line in lines {
        if line.repeats(&point.moves, scramble) {
            continue;
        }
        let before = point.clone();
        let (moves, _) = read_line(&line.niss_moves(), &mut point.moves).ok()?;
        steps.push(WrittenStep {
            line: line.number,
            label: line.label.clone(),
            text: moves.to_string(),
            moves: before.moves.until(&point.moves),
            before,
            after: point.clone(),
        });
    }
    let is_niss = !point.moves[NissSide::Inverse].is_empty();
    let linearized = point.moves.linearize().into_iter();
    let turns = linearized.map(|m| WrittenTurn {
        turn: m.to_string().parse().expect("it is a turn of a face"),
        moves: vec![m],
        rotation: Symmetry::IDENTITY,
    });
    Some(WrittenSolution {
        turns: turns.collect(),
        steps,
        is_niss,
    })
}

/// A scramble and a solution in one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptText<'a> {
    /// The line number of the scramble, counted from one.
    pub scramble_line: usize,
    /// The scramble.
    pub scramble: &'a str,
    /// The text below the scramble.
    pub solution: &'a str,
}

impl AttemptText<'_> {
    /// Splits a text at its first line with moves, or with a comment `scramble: …`, which is the
    /// scramble. Returns `None` if the text has neither.
    pub fn split(text: &str) -> Option<AttemptText<'_>> {
        let mut rest = text;
        let mut scramble_line = 0;
        while !rest.is_empty() {
            let (line, below) = rest.split_once('\n').unwrap_or((rest, ""));
            let (moves, comment) = line.split_once("//").unwrap_or((line, ""));
            scramble_line += 1;
            if let Some(scramble) = scramble_in(moves, comment) {
                return Some(AttemptText {
                    scramble_line,
                    scramble: scramble.trim(),
                    solution: below,
                });
            }
            rest = below;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::parse_moves;

    #[test]
    fn turns_are_followed_through_rotations() {
        let scramble: Cube = "F2 R U' D L".parse().unwrap();
        let text = "x2 y // inspection\n\nM' (R U)2 r2 // cross # 1\n// words\nz' F E S2 # end";
        let solution = WrittenSolution::read(text, &scramble).unwrap();
        let labels = solution.steps.iter().map(|step| step.label.as_deref());
        assert!(labels.eq([Some("inspection"), Some("cross # 1"), Some("end")]));
        let lines = solution.steps.iter().map(|step| step.line);
        assert!(lines.eq([1, 3, 5]));
        assert_eq!(solution.steps[1].text, "M' R U R U r2");
        assert!(!solution.is_niss);
        let sequence = parse_moves(text, &ParseOptions::default()).unwrap();
        let moves = solution.turns.iter().flat_map(|turn| &turn.moves);
        assert!(moves.eq(&sequence.moves_in_initial_frame()));
        let last = solution.turns.last().unwrap();
        assert_eq!(last.rotation, sequence.rotation());
        let held = solution.end(&scramble).conjugate(last.rotation);
        let setup = format!("F2 R U' D L {}", text.replace("\n", " // \n"));
        assert_eq!(held, setup.parse().unwrap());
    }

    #[test]
    fn parentheses_are_on_the_inverse_if_only_that_solves_the_scramble() {
        let scramble: Cube = "R U F".parse().unwrap();
        let read = |text: &str| WrittenSolution::read(text, &scramble).unwrap();
        assert!(!read("F' (U' R')").is_niss);
        let niss = read("F' // eo\n(R) // dr\nU'\nSolution: F' U' R'");
        assert!(niss.is_niss && niss.end(&scramble).is_solved());
        let turns: Vec<String> = niss
            .turns
            .iter()
            .map(|each| each.turn.to_string())
            .collect();
        assert_eq!(turns, ["F'", "U'", "R'"]);
        assert_eq!(niss.steps.len(), 3);
        for text in [
            "Normal: F'\nINVERSE: R\nnormal\nU'",
            "F'\nInverse\nR // dr\nU\nF' U' R'",
        ] {
            let niss = read(text);
            assert!(niss.is_niss && niss.end(&scramble).is_solved(), "{text}");
            assert_eq!((niss.steps.len(), &niss.steps[1].text[..]), (3, "(R)"));
        }
        assert!(read("F'\nInverse\nU").is_niss);
        // An insertion replaces the moves that it repeats.
        assert_eq!(read("F' R'\nF' [U'] R'").turns.len(), 3);
        // Neither reading solves the scramble.
        assert!(!read("F' (U)").is_niss);
        assert_eq!(read("Solution (3): F' U' R'").turns.len(), 3);
    }

    #[test]
    fn errors_name_their_line() {
        let error = WrittenSolution::read("R // é\nU Q2 // b", &Cube::SOLVED).unwrap_err();
        assert_eq!(
            (error.line, &error.text[..], error.error.span(), error.span),
            (2, "U Q2 ", 2..3, 10..11)
        );
    }

    #[test]
    fn a_text_is_split_at_its_scramble() {
        let split = |text| AttemptText::split(text).map(|it| (it.scramble_line, it.scramble));
        assert_eq!(split("// notes\n\n R U \nU' R'"), Some((3, "R U")));
        assert_eq!(split("// Scramble: R U\nU' R'"), Some((1, "R U")));
        assert_eq!(split("// notes"), None);
    }
}
