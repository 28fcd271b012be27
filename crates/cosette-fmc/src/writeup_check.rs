//! The checker of write-ups: a scramble, then one step a line, as [`notation`](super::notation)
//! writes them and competitors hand them in.
//!
//! ```text
//! R' U' F L2 …
//! F2 R D' // eo:UD (3/3), dr:RL 5c3e
//! (R F' L B') // dr:RL (4/7)
//! …
//! // 20 moves: F2 R D' …
//! ```
//!
//! Claims in comments are checked if they are written as here: the reduction that the step reaches,
//! its number of moves and the total, the bad pieces of the next step, and the solution. All other
//! words are ignored. The scramble may be in a comment, `// scramble: R' U' F`, and the solution
//! after `Solution:`. A line with an insertion in square brackets repeats all earlier moves.

use super::notation::{after_solution, insertion_counts, mistyped, read_line, read_moves};
use super::pipeline::{AXES, StepKind, axis_name};
use super::reduction::{NissMoves, Reduction, apply_niss, linearize};
use super::status::BadPieces;
use cosette::cube::{
    Cube, DisplayMoves, Move, ParseOptions, canonical, parse_moves, parse_position,
};
use cosette::numbers::counted;
use std::{fmt, iter};

/// Maximum number of moves in the regulations of the World Cube Association (E2e).
const MAX_MOVES: usize = 80;

/// A write-up with the result of its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckedWriteup {
    /// The line number of the scramble, counted from one; 0 if there is none.
    pub scramble: usize,
    /// The steps.
    pub steps: Vec<WriteupStep>,
    /// All moves, with cancellations, if they solve the scramble.
    pub solution: Option<Vec<Move>>,
    /// The faults.
    pub faults: Vec<WriteupError>,
}

/// A line with moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteupStep {
    /// The line number, counted from one.
    pub line: usize,
    /// The moves on both sides.
    pub moves: NissMoves,
    /// Number of moves up to this line, with cancellations.
    pub total: usize,
    /// The reductions after this line, on each axis.
    pub reached: Vec<Reduction>,
}

/// A fault of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteupError {
    /// The line number, counted from one.
    pub line: usize,
    /// The fault, and how to fix it.
    pub message: String,
}

impl WriteupError {
    fn new(line: usize, message: impl Into<String>) -> WriteupError {
        WriteupError {
            line,
            message: message.into(),
        }
    }
}

impl fmt::Display for WriteupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Checks a write-up. Its first line with moves is the scramble.
pub fn check(text: &str) -> CheckedWriteup {
    let mut checked = CheckedWriteup {
        scramble: 0,
        steps: Vec::new(),
        solution: None,
        faults: Vec::new(),
    };
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let mut scramble: Option<Cube> = None;
    let mut done = NissMoves::default();
    let mut total = 0;
    let mut last = 1;
    let mut solution = None;
    for (number, line) in lines {
        let (written, comment) = line.split_once("//").unwrap_or((line, ""));
        let mut fault = |message: String| checked.faults.push(WriteupError::new(number, message));
        let Some(scrambled) = scramble else {
            let named = comment
                .trim_start()
                .get(..9)
                .filter(|word| word.eq_ignore_ascii_case("scramble:"));
            let written = if named.is_some() {
                &comment.trim_start()[9..]
            } else {
                written
            };
            if written.trim().is_empty() {
                continue;
            }
            match parse_position(written, None, &ParseOptions::default()) {
                Ok(input) => {
                    (scramble, checked.scramble, last) = (Some(input.cube), number, number)
                }
                Err(error) => {
                    fault(format!(
                        "the scramble: {}; {}",
                        error.message(),
                        error.help()
                    ));
                    return checked;
                }
            }
            continue;
        };
        if let Some(text) = after_solution(written) {
            match ClaimedSolution::read(number, text) {
                Some(claimed) => solution = Some(claimed),
                None => {
                    fault("the solution cannot be read; write `Solution (23): R U F …`".to_owned())
                }
            }
            continue;
        }
        // A step may have no moves.
        if written.trim().is_empty() && counts_in(comment).is_none() {
            solution = ClaimedSolution::in_comment(number, comment).or(solution);
            continue;
        }
        if let Some(moves) = whole_in(written, &scrambled).filter(|_| done != NissMoves::default())
        {
            let counts = [None, counts_in(comment).and_then(|counts| counts.by_then)];
            solution = Some(ClaimedSolution {
                line: number,
                counts,
                moves,
            });
            continue;
        }
        if let Some((place, here, above)) = mistyped(written, &done) {
            fault(format!(
                "without the square brackets, move {place} is {here} here, but {above} in the lines above"
            ));
            continue;
        }
        let (moves, own) = match read_line(written, &mut done) {
            Ok(read) => read,
            Err(error) => {
                fault(error.to_string());
                continue;
            }
        };
        let position = apply_niss(&scrambled, &done);
        let before = total;
        // If the cube is solved, moves of the two sides may cancel as well.
        total = match position.is_solved() {
            true => linearize(&done).len(),
            false => done.iter().map(Vec::len).sum(),
        };
        // An insertion may count from the moves that it repeats, with cancellations, whether or not
        // the lines above contain them.
        let mut counted_from = iter::once((own, before)).chain(insertion_counts(written));
        if let Some(claimed) = counts_in(comment)
            && !(counted_from
                .any(|(own, before)| claimed.own == own && own + before == total + claimed.saved)
                && claimed.by_then.is_none_or(|by_then| by_then == total))
        {
            let saved = (own + before).saturating_sub(total);
            let saved = if saved > 0 {
                format!("-{saved}")
            } else {
                String::new()
            };
            fault(format!(
                "this line has {}, {total} in total; write ({own}{saved}/{total})",
                counted(own as u64, "move")
            ));
        }
        if let Some(claimed) =
            step_in(comment).filter(|claimed| !claimed.iter().any(|step| step.holds(&position)))
        {
            fault(format!(
                "{} is not reached here",
                claimed
                    .iter()
                    .map(Reduction::to_string)
                    .collect::<Vec<_>>()
                    .join(" or ")
            ));
        }
        for (claimed, bad) in left_in(comment) {
            let told: Vec<String> = claimed
                .iter()
                .map(|step| format!("{step} {}", step.bad(&position)))
                .collect();
            if !claimed
                .iter()
                .any(|step| step.bad(&position).to_string() == bad)
            {
                fault(format!(
                    "{bad} are not the bad pieces; write {}",
                    told.join(" or ")
                ));
            }
        }
        last = number;
        checked.steps.push(WriteupStep {
            line: number,
            moves,
            total,
            reached: Reduction::furthest(&position),
        });
    }
    match scramble {
        None => checked.faults.push(WriteupError::new(
            last,
            "the scramble is missing; write it in the first line",
        )),
        Some(scramble) => checked.end(last, &scramble, linearize(&done), solution),
    }
    checked
}

impl CheckedWriteup {
    /// Checks that the steps solve the scramble, and the solution that a line claims.
    fn end(
        &mut self,
        last: usize,
        scramble: &Cube,
        steps: Vec<Move>,
        claimed: Option<ClaimedSolution>,
    ) {
        let left = |moves: &[Move]| {
            let BadPieces { corners, edges } = Reduction::Solved.bad(&scramble.apply_moves(moves));
            counted((corners.len() + edges.len()) as u64, "piece")
        };
        let is_solved = scramble.apply_moves(&steps).is_solved();
        let (line, solution) = match &claimed {
            Some(claimed) if !is_solved => (claimed.line, canonical(&claimed.moves)),
            _ => (last, steps.clone()),
        };
        if !scramble.apply_moves(&solution).is_solved() {
            let message = format!(
                "the cube is not solved after this line: {} unsolved",
                left(&solution)
            );
            return self.faults.push(WriteupError::new(line, message));
        }
        if !is_solved {
            let step = self.steps.last().map_or(self.scramble, |step| step.line);
            let message = format!(
                "{} unsolved after the steps, but the solution in line {line} solves the cube",
                left(&steps)
            );
            self.faults.push(WriteupError::new(step, message));
        }
        let length = counted(solution.len() as u64, "move");
        if solution.len() > MAX_MOVES {
            self.faults.push(WriteupError::new(
                line,
                format!("the solution has {length}; at most {MAX_MOVES} are allowed"),
            ));
        }
        if let Some(ClaimedSolution {
            line,
            counts,
            moves,
        }) = claimed
        {
            if let Some(count) = counts
                .into_iter()
                .flatten()
                .find(|&count| count != moves.len())
            {
                let own = counted(moves.len() as u64, "move");
                self.faults.push(WriteupError::new(
                    line,
                    format!("the solution has {own}, not {count}"),
                ));
            }
            if canonical(&moves) != solution {
                let solves = if scramble.apply_moves(&moves).is_solved() {
                    "solves"
                } else {
                    "does not solve"
                };
                let own = DisplayMoves(&solution);
                let message = format!(
                    "this {solves} the scramble, but the lines above give another solution of {length}: {own}"
                );
                self.faults.push(WriteupError::new(line, message));
            }
        }
        self.solution = Some(solution);
    }
}

/// A line that gives the solution.
struct ClaimedSolution {
    /// The line number.
    line: usize,
    /// The claimed numbers of moves, before and after the solution.
    counts: [Option<usize>; 2],
    moves: Vec<Move>,
}

impl ClaimedSolution {
    /// Parses the text after `Solution`, such as ` (23): R U F` or `: R U F (3)`.
    fn read(line: usize, text: &str) -> Option<ClaimedSolution> {
        let (before, moves) = text.split_once(':')?;
        let number = |text: &str| {
            text.trim()
                .strip_prefix('(')?
                .strip_suffix(')')?
                .trim()
                .parse()
                .ok()
        };
        let (moves, behind) = match moves.rfind('(') {
            Some(bracket) if number(&moves[bracket..]).is_some() => {
                (&moves[..bracket], number(&moves[bracket..]))
            }
            _ => (moves, None),
        };
        let moves = parse_moves(moves, &ParseOptions::default())
            .ok()?
            .moves()
            .to_vec();
        Some(ClaimedSolution {
            line,
            counts: [number(before), behind],
            moves,
        })
    }

    /// Parses a comment such as `20 moves: R U F`.
    fn in_comment(line: usize, comment: &str) -> Option<ClaimedSolution> {
        let (before, moves) = comment.split_once(':')?;
        let count = before
            .trim()
            .strip_suffix("moves")
            .or(before.trim().strip_suffix("move"))?
            .trim()
            .parse()
            .ok()?;
        let moves = parse_moves(moves, &ParseOptions::default())
            .ok()?
            .moves()
            .to_vec();
        Some(ClaimedSolution {
            line,
            counts: [Some(count), None],
            moves,
        })
    }
}

/// Returns the reductions that a comment claims: `eo:FB`, `EO`, `dr:UD`, `HTR`, `finish`.
fn step_in(comment: &str) -> Option<Vec<Reduction>> {
    let word = comment
        .trim_start()
        .split(|c: char| !c.is_ascii_alphanumeric() && c != ':')
        .next()?
        .to_ascii_lowercase();
    let (name, axis) = word
        .split_once(':')
        .map_or((&word[..], None), |(name, axis)| (name, Some(axis)));
    let kind = StepKind::ALL.into_iter().find(|kind| kind.name() == name)?;
    let axes = AXES
        .into_iter()
        .filter(|&each| axis.is_none_or(|axis| axis_name(each).eq_ignore_ascii_case(axis)));
    let mut steps: Vec<Reduction> = axes.map(|axis| kind.reached(axis)).collect();
    steps.dedup();
    (!steps.is_empty()).then_some(steps)
}

/// Returns the moves of a line that solves the scramble on its own: the whole solution, without a
/// marked insertion.
fn whole_in(line: &str, scramble: &Cube) -> Option<Vec<Move>> {
    if line.contains('[') {
        return None;
    }
    let moves = linearize(&read_moves(line).ok()?);
    scramble.apply_moves(&moves).is_solved().then_some(moves)
}

/// The numbers of moves that a comment claims for a step.
struct Counts {
    own: usize,
    /// Number of moves that cancel.
    saved: usize,
    /// Total up to the end of the step.
    by_then: Option<usize>,
}

/// Parses the numbers in `(3-1/7)` or `8 moves, 2 saved`.
fn counts_in(comment: &str) -> Option<Counts> {
    let number = |text: &str| text.trim().parse::<u16>().ok().map(usize::from);
    let of_insertion = || {
        let (own, saved) = comment.split_once(" moves, ")?;
        Some(Counts {
            own: number(own)?,
            saved: number(saved.trim_end().strip_suffix("saved")?)?,
            by_then: None,
        })
    };
    let mut parts = comment.split('(').skip(1);
    of_insertion().or_else(|| {
        parts.find_map(|part| {
            let (own, by_then) = part.split_once(')')?.0.split_once('/')?;
            let (own, saved) = own.split_once('-').unwrap_or((own, "0"));
            Some(Counts {
                own: number(own)?,
                saved: number(saved)?,
                by_then: Some(number(by_then)?),
            })
        })
    })
}

/// Parses the bad pieces of the next step, such as `4c2e` in `dr:UD 4c2e`, for each step that the
/// name may denote.
fn left_in(comment: &str) -> impl Iterator<Item = (Vec<Reduction>, &str)> {
    let is_bad = |text: &str| {
        let numbers = text.strip_suffix('e').and_then(|text| text.split_once('c'));
        numbers.is_some_and(|(corners, edges)| {
            [corners, edges]
                .iter()
                .all(|number| number.parse::<u8>().is_ok())
        })
    };
    let words = comment.split([' ', ',']).filter(|word| !word.is_empty());
    let pairs = words.clone().zip(words.skip(1));
    pairs
        .filter_map(move |(step, bad)| Some((step_in(step)?, Some(bad).filter(|bad| is_bad(bad))?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITE_UP: &str = "R' L2 B2 D' R2 D L' U2 F' R2 F R L2 F D' L D2 L' B' R D' B D2 F2 R'\n\
        F2 R D' // eo:UD (3/3), dr:RL 5c3e\n\
        (R F' L B' L2 U2 L' B') // DR (8/11)\n\
        // the last quarter turn may go either way\n\
        L B2 L D2 L B2 R // htr (7/18)\n\
        B2 R2 // finish (2/20)\n\
        // 20 moves: F2 R D' L B2 L D2 L B2 R B2 R2 B L U2 L2 B L' F R'";

    fn faults(text: &str) -> Vec<String> {
        check(text)
            .faults
            .iter()
            .map(WriteupError::to_string)
            .collect()
    }

    #[test]
    fn what_is_written_is_checked() {
        let checked = check(WRITE_UP);
        assert_eq!(checked.faults, []);
        assert_eq!(checked.solution.map(|moves| moves.len()), Some(20));
        assert_eq!(
            checked
                .steps
                .iter()
                .map(|step| (step.line, step.total))
                .collect::<Vec<_>>(),
            [(2, 3), (3, 11), (5, 18), (6, 20)]
        );
        assert_eq!(checked.steps[3].reached, [Reduction::Solved]);
    }

    #[test]
    fn faults_say_where_they_are() {
        for (right, wrong, fault) in [
            ("eo:UD", "eo:FB", "line 2: eo:FB is not reached here"),
            (
                "// the last quarter turn",
                "// htr (0/11) the last quarter turn",
                "line 4: htr is not reached here",
            ),
            (
                "(3/3)",
                "(4/4)",
                "line 2: this line has 3 moves, 3 in total; write (3/3)",
            ),
            ("DR (8/11)", "htr", "line 3: htr is not reached here"),
            ("L2 U2 L' B')", "L2 U2 L' B'", "line 3: the parenthesis"),
            ("B2 R2 // finish", "B2 R2 // solved", ""),
            (
                "B2 R2 // finish (2/20)",
                "B2 // (1/19)",
                "line 6: 8 pieces unsolved after the steps, but the solution in line 7",
            ),
            (
                "F R'",
                "F R",
                "line 7: this does not solve the scramble, but the lines above give another solution of 20 moves",
            ),
            (
                "R' L2 B2",
                "R' Q",
                "line 1: the scramble: `Q` is not a valid move",
            ),
            ("R' L2 B2", "// Scramble: R' L2 B2", ""),
            (
                "5c3e",
                "5c2e",
                "line 2: 5c2e are not the bad pieces; write dr:RL 5c3e",
            ),
            (
                "// 20 moves:",
                "// 19 moves:",
                "line 7: the solution has 20 moves, not 19",
            ),
            ("// 20 moves: F2 R D'", "Solution: F2 R D'", ""),
            (
                "// 20 moves: F2 R D'",
                "Solution (19): F2 R D'",
                "line 7: the solution has 20 moves, not 19",
            ),
            (
                "// 20 moves: F2 R D'",
                "Solution: Q",
                "line 7: the solution cannot be read",
            ),
            (
                "// 20 moves: F2 R D'",
                "Solution (20): F2 R D",
                "line 7: this does not solve the scramble",
            ),
        ] {
            let faults = faults(&WRITE_UP.replacen(right, wrong, 1));
            let is_told = if fault.is_empty() {
                faults.is_empty()
            } else {
                faults.iter().any(|told| told.starts_with(fault))
            };
            assert!(is_told, "{wrong}: {faults:?}");
        }
        // Three corners are left; then the moves are repeated with an insertion.
        let inserted = |line: &str| {
            faults(&format!(
                "R U R' D R U' R' D' F\nF' // 3 corners left (1/1)\n{line}"
            ))
        };
        for (line, fault) in [
            ("F' [D R U R' D' R U' R'] // insertion (8/9)", ""),
            ("F' [D, R U R'] // 8 moves, 0 saved", ""),
            ("F' [ [D, R U R'] ] // insertion (8/9)", ""),
            (
                "F' [D, R U R'] // 8 moves, nice (9/9)",
                "line 3: this line has 8 moves, 9 in total; write (8/9)",
            ),
            (
                "F' [D, R U R'] // 8 moves, 1 saved",
                "line 3: this line has 8 moves, 9 in total; write (8/9)",
            ),
            (
                "Solution: F' D R U R' D' R U'",
                "line 3: the cube is not solved after this line: 8 pieces unsolved",
            ),
        ] {
            assert_eq!(
                inserted(line),
                if fault.is_empty() {
                    vec![]
                } else {
                    vec![fault]
                },
                "{line}"
            );
        }
        // Cancellations across the brackets are counted in the line that repeats the moves, which
        // may also be the only line.
        let alone =
            "R' F R' B2 R F' R' B2 R2 D F' U'\n[L2 D' L U2 L' D L U2 L] U F D' // 9 moves, 0 saved";
        assert_eq!(faults(alone), <[&str; 0]>::default());
        assert_eq!(
            faults(&alone.replace('[', "U F2 // (2/2)\n(D F) // (2/4)\n[")),
            <[&str; 0]>::default()
        );
        let mistyped = "F R U\nU' R' F' // (3/3)\nU' R2 F' [R U R'] // (3/6)";
        assert_eq!(
            faults(mistyped),
            ["line 3: without the square brackets, move 2 is R2 here, but R' in the lines above"]
        );
        let left =
            "line 2: 3 pieces unsolved after the steps, but the solution in line 3 solves the cube";
        assert_eq!(inserted("Solution (9): F' D R U R' D' R U' R'"), [left]);
        assert_eq!(
            inserted("F' D R U R' D' R U' R' // insertion (8/9)"),
            [left]
        );
        assert_eq!(
            inserted("Solution (8): F' D R U R' D' R U' R'"),
            [left, "line 3: the solution has 9 moves, not 8"]
        );
        assert_eq!(
            faults("// nothing"),
            ["line 1: the scramble is missing; write it in the first line"]
        );
    }
}
