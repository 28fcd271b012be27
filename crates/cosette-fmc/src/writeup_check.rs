//! The checker of write-ups: a scramble, then one step a line, as [`report`](crate::report)
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

use crate::notation::{InsertionLine, NissMoves, after_solution, read_line, read_moves};
use crate::reduction::{AXES, BadPieces, Reduction, StepKind, axis_name};
use crate::report::format_counts;
use cosette::cube::{
    Cube, DisplayMoves, Move, ParseOptions, canonical, parse_moves, parse_position,
};
use cosette::numbers::counted;
use std::{fmt, iter};

/// Maximum number of moves in the regulations of the World Cube Association (E2e).
const MAX_MOVES: usize = 80;

/// A write-up with the result of its check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedWriteup {
    /// The line number of the scramble, counted from one; 0 if there is none.
    pub scramble_line: usize,
    pub steps: Vec<WriteupStep>,
    /// All moves, with cancellations, if they solve the scramble.
    pub solution: Option<Vec<Move>>,
    pub errors: Vec<WriteupError>,
}

/// A line with moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteupStep {
    /// The line number, counted from one.
    pub line: usize,
    pub moves: NissMoves,
    /// Number of moves up to this line, with cancellations.
    pub total: usize,
    /// The furthest reductions after this line.
    pub reductions: Vec<Reduction>,
}

/// Error of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteupError {
    /// The line number, counted from one.
    pub line: usize,
    /// The fault, and how to fix it.
    pub message: String,
}

impl fmt::Display for WriteupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Checks a write-up. Its first line with moves is the scramble.
pub fn check(text: &str) -> CheckedWriteup {
    let mut checker = WriteupChecker::default();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        if let Err(message) = checker.check_line(number, line) {
            checker.add_error(number, message);
            if checker.scramble.is_none() {
                return checker.checked;
            }
        }
    }
    let last_line = checker.last_line.max(1);
    match checker.scramble {
        Some(scramble) => checker.check_end(&scramble),
        None => checker.add_error(
            last_line,
            "the scramble is missing; write it in the first line",
        ),
    }
    checker.checked
}

/// The check of a write-up, up to some line.
#[derive(Default)]
struct WriteupChecker {
    checked: CheckedWriteup,
    scramble: Option<Cube>,
    moves: NissMoves,
    /// Number of moves, with cancellations.
    total: usize,
    /// The number of the last line with a scramble or a step.
    last_line: usize,
    solution: Option<ClaimedSolution>,
}

impl WriteupChecker {
    fn add_error(&mut self, line: usize, message: impl Into<String>) {
        let message = message.into();
        self.checked.errors.push(WriteupError { line, message });
    }

    /// Checks a line that is not empty. Returns an error message if the line cannot be used.
    fn check_line(&mut self, number: usize, line: &str) -> Result<(), String> {
        let (moves, comment) = line.split_once("//").unwrap_or((line, ""));
        let Some(scramble) = self.scramble else {
            return self.read_scramble(number, moves, comment);
        };
        if let Some(text) = after_solution(moves) {
            let solution = ClaimedSolution::parse(number, text);
            let unreadable = "the solution cannot be read; write `Solution (23): R U F …`";
            self.solution = Some(solution.ok_or(unreadable)?);
            return Ok(());
        }
        let counts = ClaimedCounts::parse(comment);
        // A line without moves is a step only if its comment has counts.
        if moves.trim().is_empty() && counts.is_none() {
            let solution = ClaimedSolution::parse_comment(number, comment);
            self.solution = solution.or(self.solution.take());
            return Ok(());
        }
        let solution = whole_solution(moves, &scramble).filter(|_| !self.moves.is_empty());
        if let Some(moves) = solution {
            let count = counts.and_then(|counts| counts.total);
            self.solution = Some(ClaimedSolution {
                line: number,
                counts: [None, count],
                moves,
            });
            return Ok(());
        }
        self.check_step(number, moves, comment, &scramble)
    }

    /// Reads the scramble, which may be in a comment. A line without moves is skipped.
    fn read_scramble(&mut self, number: usize, text: &str, comment: &str) -> Result<(), String> {
        let Some(text) = scramble_in(text, comment) else {
            return Ok(());
        };
        let input = parse_position(text, None, &ParseOptions::default())
            .map_err(|error| format!("the scramble: {}; {}", error.message(), error.help()))?;
        self.scramble = Some(input.cube);
        self.checked.scramble_line = number;
        self.last_line = number;
        Ok(())
    }

    /// Checks a step, and what its comment claims.
    fn check_step(
        &mut self,
        number: usize,
        line: &str,
        comment: &str,
        scramble: &Cube,
    ) -> Result<(), String> {
        let insertion = InsertionLine::read(line);
        let mistyped = insertion
            .as_ref()
            .and_then(|insertion| insertion.mistyped(&self.moves));
        if let Some((move_number, here, above)) = mistyped {
            return Err(format!(
                "leaving out the part in square brackets, move {move_number} is {here} here, \
                    but {above} in the lines above"
            ));
        }
        let before = self.total;
        let (moves, line_count) =
            read_line(line, &mut self.moves).map_err(|error| error.to_string())?;
        let position = self.moves.apply(scramble);
        // If the cube is solved, moves on the scramble and on its inverse may cancel where they
        // meet.
        let total = match position.is_solved() {
            true => self.moves.linearize().len(),
            false => self.moves.count(),
        };
        // In a line with square brackets, the claimed counts may also start from the number of
        // moves outside the brackets, even if the lines above have other moves.
        let repeated = insertion.map(|insertion| (insertion.count, insertion.repeated.len()));
        let mut counts = iter::once((line_count, before)).chain(repeated);
        if let Some(claimed) = ClaimedCounts::parse(comment)
            && !counts.any(|(count, before)| claimed.is_right(count, before, total))
        {
            let moves = counted(line_count as u64, "move");
            let right = format_counts(line_count, before, total);
            let message = format!("this line has {moves}, {total} in total; write {right}");
            self.add_error(number, message);
        }
        for message in wrong_claims(comment, &position) {
            self.add_error(number, message);
        }
        self.total = total;
        self.last_line = number;
        self.checked.steps.push(WriteupStep {
            line: number,
            moves,
            total,
            reductions: Reduction::furthest(&position),
        });
        Ok(())
    }

    /// Checks that the steps solve the scramble, and the solution that a line claims.
    fn check_end(&mut self, scramble: &Cube) {
        let steps = self.moves.linearize();
        let claimed = self.solution.take();
        let is_solved = scramble.apply_moves(&steps).is_solved();
        let (line, solution) = match &claimed {
            Some(claimed) if !is_solved => (claimed.line, canonical(&claimed.moves)),
            _ => (self.last_line, steps.clone()),
        };
        if !scramble.apply_moves(&solution).is_solved() {
            let unsolved = unsolved(&solution, scramble);
            return self.add_error(
                line,
                format!("the cube is not solved after this line: {unsolved} unsolved"),
            );
        }
        if !is_solved {
            let last = self.checked.steps.last();
            let last = last.map_or(self.checked.scramble_line, |step| step.line);
            let unsolved = unsolved(&steps, scramble);
            self.add_error(
                last,
                format!(
                    "{unsolved} unsolved after the steps, but the solution in line {line} solves \
                        the cube"
                ),
            );
        }
        if solution.len() > MAX_MOVES {
            let length = counted(solution.len() as u64, "move");
            self.add_error(
                line,
                format!("the solution has {length}; at most {MAX_MOVES} are allowed"),
            );
        }
        if let Some(claimed) = claimed {
            self.check_solution(&claimed, &solution, scramble);
        }
        self.checked.solution = Some(solution);
    }

    /// Checks the solution that a line claims against `solution`, which solves the scramble.
    fn check_solution(&mut self, claimed: &ClaimedSolution, solution: &[Move], scramble: &Cube) {
        let moves = &claimed.moves;
        let mut counts = claimed.counts.into_iter().flatten();
        if let Some(count) = counts.find(|&count| count != moves.len()) {
            let right_count = counted(moves.len() as u64, "move");
            let message = format!("the solution has {right_count}, not {count}");
            self.add_error(claimed.line, message);
        }
        if canonical(moves) == solution {
            return;
        }
        let length = counted(solution.len() as u64, "move");
        let right_moves = DisplayMoves(solution);
        let message = match scramble.apply_moves(moves).is_solved() {
            true => format!(
                "this solves the scramble, but the lines above give another solution of {length}: \
                    {right_moves}"
            ),
            false => format!(
                "this does not solve the scramble; the lines above do, in {length}: {right_moves}"
            ),
        };
        self.add_error(claimed.line, message);
    }
}

/// Returns the scramble in the moves or the comment of a line; `None` if the line has none.
pub(crate) fn scramble_in<'a>(moves: &'a str, comment: &'a str) -> Option<&'a str> {
    const LABEL: &str = "scramble:";
    let labelled = comment
        .trim_start()
        .split_at_checked(LABEL.len())
        .filter(|(label, _)| label.eq_ignore_ascii_case(LABEL));
    let text = labelled.map_or(moves, |(_, scramble)| scramble);
    (!text.trim().is_empty()).then_some(text)
}

/// Returns the number of pieces that moves leave unsolved, in words.
fn unsolved(moves: &[Move], scramble: &Cube) -> String {
    let position = scramble.apply_moves(moves);
    let BadPieces { corners, edges } = Reduction::Solved.bad_pieces(&position);
    counted((corners.len() + edges.len()) as u64, "piece")
}

/// Returns messages about the reduction and the bad pieces that a comment claims wrongly.
fn wrong_claims(comment: &str, position: &Cube) -> Vec<String> {
    let mut messages = Vec::new();
    if let Some(claimed) = claimed_reductions(comment)
        && !claimed.iter().any(|reduction| reduction.holds(position))
    {
        let names: Vec<String> = claimed.iter().map(Reduction::to_string).collect();
        messages.push(format!("{} is not reached here", names.join(" or ")));
    }
    for (reductions, claimed) in claimed_bad_pieces(comment) {
        let bad_pieces = |reduction: &Reduction| reduction.bad_pieces(position).to_string();
        if !reductions
            .iter()
            .any(|reduction| bad_pieces(reduction) == claimed)
        {
            let right = reductions.iter();
            let right: Vec<String> = right
                .map(|reduction| format!("{reduction} {}", bad_pieces(reduction)))
                .collect();
            messages.push(format!(
                "{claimed} are not the bad pieces; write {}",
                right.join(" or ")
            ));
        }
    }
    messages
}

/// A line that gives the solution.
struct ClaimedSolution {
    /// The line number.
    line: usize,
    /// The claimed numbers of moves: the one before the solution and the one after it.
    counts: [Option<usize>; 2],
    moves: Vec<Move>,
}

impl ClaimedSolution {
    /// Parses the text after `Solution`, such as ` (23): R U F` or `: R U F (3)`.
    fn parse(line: usize, text: &str) -> Option<ClaimedSolution> {
        let (before, moves) = text.split_once(':')?;
        let number = |text: &str| {
            let text = text.trim().strip_prefix('(')?.strip_suffix(')')?;
            text.trim().parse().ok()
        };
        let (moves, after) = moves.split_at(moves.rfind('(').unwrap_or(moves.len()));
        let count = number(after);
        // Parentheses with anything but a number are part of the moves.
        let moves = match count {
            Some(_) => moves.to_owned(),
            None => format!("{moves}{after}"),
        };
        Some(ClaimedSolution {
            line,
            counts: [number(before), count],
            moves: parse_solution(&moves)?,
        })
    }

    /// Parses a comment such as `20 moves: R U F`.
    fn parse_comment(line: usize, comment: &str) -> Option<ClaimedSolution> {
        let (count, moves) = comment.split_once(':')?;
        let count = count.trim();
        let count = count.strip_suffix("moves").or(count.strip_suffix("move"))?;
        Some(ClaimedSolution {
            line,
            counts: [Some(count.trim().parse().ok()?), None],
            moves: parse_solution(moves)?,
        })
    }
}

fn parse_solution(text: &str) -> Option<Vec<Move>> {
    let parsed = parse_moves(text, &ParseOptions::default()).ok()?;
    Some(parsed.moves().to_vec())
}

/// Returns the moves of a line that solves the scramble on its own and has no insertion in square
/// brackets.
pub(crate) fn whole_solution(line: &str, scramble: &Cube) -> Option<Vec<Move>> {
    if line.contains('[') {
        return None;
    }
    let moves = read_moves(line).ok()?.linearize();
    scramble.apply_moves(&moves).is_solved().then_some(moves)
}

/// The numbers of moves that a comment claims for a step.
struct ClaimedCounts {
    own: usize,
    /// Number of moves that cancel.
    cancelled: usize,
    /// Total up to the end of the step.
    total: Option<usize>,
}

impl ClaimedCounts {
    /// Parses the numbers in `(3-1/7)` or `8 moves, 2 saved`.
    fn parse(comment: &str) -> Option<ClaimedCounts> {
        let mut parentheses = comment.split('(').skip(1);
        ClaimedCounts::parse_words(comment)
            .or_else(|| parentheses.find_map(ClaimedCounts::parse_parenthesis))
    }

    fn parse_words(comment: &str) -> Option<ClaimedCounts> {
        let (own, cancelled) = comment.split_once(" moves, ")?;
        Some(ClaimedCounts {
            own: parse_number(own)?,
            cancelled: parse_number(cancelled.trim_end().strip_suffix("saved")?)?,
            total: None,
        })
    }

    fn parse_parenthesis(text: &str) -> Option<ClaimedCounts> {
        let (text, _) = text.split_once(')')?;
        let (own, total) = text.split_once('/')?;
        let (own, cancelled) = own.split_once('-').unwrap_or((own, "0"));
        Some(ClaimedCounts {
            own: parse_number(own)?,
            cancelled: parse_number(cancelled)?,
            total: Some(parse_number(total)?),
        })
    }

    fn is_right(&self, own: usize, before: usize, total: usize) -> bool {
        self.own == own
            && own + before == total + self.cancelled
            && self.total.is_none_or(|claimed| claimed == total)
    }
}

fn parse_number(text: &str) -> Option<usize> {
    text.trim().parse::<u16>().ok().map(usize::from)
}

/// Returns the reductions that the first word of a comment may denote, such as `eo:FB`, `EO`,
/// `dr:UD`, `HTR` or `finish`; without an axis, on all axes.
pub(crate) fn claimed_reductions(comment: &str) -> Option<Vec<Reduction>> {
    let word = comment
        .trim_start()
        .split(|c: char| !c.is_ascii_alphanumeric() && c != ':')
        .next()?
        .to_ascii_lowercase();
    let (name, axis) = match word.split_once(':') {
        Some((name, axis)) => (name, Some(axis)),
        None => (&word[..], None),
    };
    let kind = StepKind::ALL.into_iter().find(|kind| kind.name() == name)?;
    let axes = AXES
        .into_iter()
        .filter(|&each| axis.is_none_or(|axis| axis_name(each).eq_ignore_ascii_case(axis)));
    let mut reductions: Vec<Reduction> = axes.map(|axis| kind.reduction(axis)).collect();
    reductions.dedup();
    (!reductions.is_empty()).then_some(reductions)
}

/// Returns the bad pieces that a comment claims, such as `4c2e` in `dr:UD 4c2e`, with the
/// reductions that the name before them may denote.
fn claimed_bad_pieces(comment: &str) -> impl Iterator<Item = (Vec<Reduction>, &str)> {
    let words = comment.split([' ', ',']).filter(|word| !word.is_empty());
    let pairs = words.clone().zip(words.skip(1));
    pairs.filter_map(|(name, bad_pieces)| {
        let (corners, edges) = bad_pieces.strip_suffix('e')?.split_once('c')?;
        corners.parse::<u8>().ok()?;
        edges.parse::<u8>().ok()?;
        Some((claimed_reductions(name)?, bad_pieces))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WRITEUPS: &str = include_str!("../tests/writeups.txt");

    /// Splits the lines of a case from the errors below them.
    fn split_errors(case: &str) -> (String, Vec<&str>) {
        let lines = case.lines().filter(|line| !line.starts_with("# "));
        let (errors, text): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("! "));
        (text.join("\n"), errors)
    }

    fn errors(text: &str) -> Vec<String> {
        let errors = check(text).errors;
        errors.iter().map(|error| format!("! {error}")).collect()
    }

    #[test]
    fn errors_name_their_line() {
        for part in WRITEUPS.split("\n\n").skip(1) {
            let mut cases = part.split("\n= ").map(split_errors);
            let (writeup, expected) = cases.next().unwrap();
            assert_eq!(errors(&writeup), expected, "{writeup}");
            for (change, expected) in cases {
                let (old, new) = change.split_once(" => ").unwrap();
                assert!(writeup.contains(old), "{change}");
                assert_eq!(errors(&writeup.replacen(old, new, 1)), expected, "{change}");
            }
        }
    }

    #[test]
    fn steps_are_counted() {
        let (_, writeup) = WRITEUPS.split_once("\n\n").unwrap();
        let (writeup, _) = writeup.split_once("\n= ").unwrap();
        let checked = check(writeup);
        assert_eq!(checked.solution.map(|moves| moves.len()), Some(20));
        let steps = checked.steps.iter().map(|step| (step.line, step.total));
        assert!(steps.eq([(2, 3), (3, 11), (5, 18), (6, 20)]));
        assert_eq!(checked.steps[3].reductions, [Reduction::Solved]);
    }
}
