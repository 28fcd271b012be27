//! Moves on the two sides of a scramble (NISS), and the notation of competitors for them.
//!
//! If N is done on the scramble S and I on its inverse, the resulting position is I⁻¹·S·N. Moves on
//! the inverse are in parentheses: `U (F R) D`. In an attempt, each step is one line, with a
//! comment. A line with an insertion in square brackets repeats all earlier moves:
//!
//! ```text
//! F2 R D' // eo:UD (3/3)
//! (R F') // three corners left (2/5)
//! F2 R [U R2 U'] D' F R' // insertion (3/8)
//! ```

use cosette::cube::{
    Cube, LayerTurn, Move, NissSequence, ParseError, ParseOptions, canonical, inverse, parse_turns,
    quoted,
};
use std::fmt;
use std::ops::{Index, IndexMut, Range};

/// The side on which moves are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NissSide {
    /// The scramble.
    Normal,
    /// The inverse of the scramble.
    Inverse,
}

impl NissSide {
    pub const BOTH: [NissSide; 2] = [NissSide::Normal, NissSide::Inverse];

    pub const fn other(self) -> NissSide {
        match self {
            NissSide::Normal => NissSide::Inverse,
            NissSide::Inverse => NissSide::Normal,
        }
    }

    /// Returns the position after moves on this side.
    pub fn apply(self, position: &Cube, moves: &[Move]) -> Cube {
        match self {
            NissSide::Normal => position.apply_moves(moves),
            NissSide::Inverse => position.inverse().apply_moves(moves).inverse(),
        }
    }
}

/// Moves on each side.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NissMoves {
    pub normal: Vec<Move>,
    pub inverse: Vec<Move>,
}

impl NissMoves {
    /// Creates moves on one side.
    pub fn on(side: NissSide, moves: Vec<Move>) -> NissMoves {
        let mut both = NissMoves::default();
        both[side] = moves;
        both
    }

    pub fn count(&self) -> usize {
        self.normal.len() + self.inverse.len()
    }

    pub fn is_empty(&self) -> bool {
        self.count() == 0
    }

    /// Returns the position after these moves.
    pub fn apply(&self, position: &Cube) -> Cube {
        let position = NissSide::Normal.apply(position, &self.normal);
        NissSide::Inverse.apply(&position, &self.inverse)
    }

    /// Returns these moves and then others, with cancellations on each side.
    pub fn then(&self, next: &NissMoves) -> NissMoves {
        NissMoves {
            normal: joined(&self.normal, &next.normal),
            inverse: joined(&self.inverse, &next.inverse),
        }
    }

    /// Returns the moves that lead from the position after these moves to the one after `later`,
    /// both from the same scramble.
    pub fn until(&self, later: &NissMoves) -> NissMoves {
        let undone = NissMoves {
            normal: inverse(&self.normal),
            inverse: inverse(&self.inverse),
        };
        undone.then(later)
    }

    /// Linearizes the moves into moves on the scramble, with cancellations. The result solves the
    /// scramble if the moves on both sides do.
    pub fn linearize(&self) -> Vec<Move> {
        joined(&self.normal, &inverse(&self.inverse))
    }
}

impl Index<NissSide> for NissMoves {
    type Output = Vec<Move>;

    fn index(&self, side: NissSide) -> &Vec<Move> {
        match side {
            NissSide::Normal => &self.normal,
            NissSide::Inverse => &self.inverse,
        }
    }
}

impl IndexMut<NissSide> for NissMoves {
    fn index_mut(&mut self, side: NissSide) -> &mut Vec<Move> {
        match side {
            NissSide::Normal => &mut self.normal,
            NissSide::Inverse => &mut self.inverse,
        }
    }
}

/// Writes the moves on the inverse in parentheses.
impl fmt::Display for NissMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NissMoves { normal, inverse } = self;
        NissSequence { normal, inverse }.fmt(f)
    }
}

/// Concatenates two sequences, with cancellations.
pub fn joined(one: &[Move], other: &[Move]) -> Vec<Move> {
    canonical(&[one, other].concat())
}

/// Returns the final turns about one axis.
pub fn last_run(moves: &[Move]) -> &[Move] {
    let axis = moves.last().map(|m| m.face().axis());
    let is_before = |m: &Move| Some(m.face().axis()) != axis;
    let start = moves.iter().rposition(is_before).map_or(0, |last| last + 1);
    &moves[start..]
}

/// Maximum number of prior moves. Each node and each skeleton stores a copy of them.
const MAX_PRIOR_MOVES: usize = 200;

/// Error of a text that cannot be read as prior moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PriorMovesError {
    /// The fault and, after a semicolon, how to fix it.
    pub message: String,
    /// The range of the fault in the text, in bytes.
    pub span: Range<usize>,
}

impl PriorMovesError {
    /// Returns the error for a text of which `start` bytes precede the one that was read.
    fn shifted(self, start: usize) -> PriorMovesError {
        PriorMovesError {
            span: start + self.span.start..start + self.span.end,
            ..self
        }
    }

    /// Creates the error of the parenthesis at an index.
    fn parenthesis(text: &str, index: usize) -> PriorMovesError {
        PriorMovesError {
            message: format!(
                "the parenthesis at `{}` is unmatched, nested or repeated; put moves on the \
                 inverse in one pair of parentheses, as in U (F R) D",
                quoted(text[index..].trim_end())
            ),
            span: index..index + 1,
        }
    }
}

/// Returns the help for moves that cannot be read. It names only face turns.
fn help(error: &ParseError) -> String {
    // The general help also names slices and other moves, which are not allowed here.
    let help = error.help();
    if help.contains("slices") {
        "use turns of U, R, F, D, L and B".to_owned()
    } else {
        help
    }
}

/// Reads moves on both sides, with moves on the inverse in parentheses.
///
/// # Errors
///
/// Returns [`PriorMovesError`] if the text is not a sequence of face turns, or is too long.
pub fn read_moves(text: &str) -> Result<NissMoves, PriorMovesError> {
    let mut moves = NissMoves::default();
    let mut side = NissSide::Normal;
    let mut start = 0;
    let mut opening = 0;
    loop {
        let length = text[start..].find(['(', ')']);
        let end = length.map_or(text.len(), |length| start + length);
        let read = read_face_turns(&text[start..end]);
        moves[side].extend(read.map_err(|error| error.shifted(start))?);
        check_count(&moves, text)?;
        let parenthesis = &text[end..];
        start = match (parenthesis.chars().next(), side) {
            // `then` also cancels moves.
            (None, NissSide::Normal) => return Ok(moves.then(&NissMoves::default())),
            (None, NissSide::Inverse) => return Err(PriorMovesError::parenthesis(text, opening)),
            (Some('('), NissSide::Normal) => {
                opening = end;
                end + 1
            }
            // A digit after the parenthesis would repeat the moves, as in `(U)2`.
            (Some(')'), NissSide::Inverse)
                if !parenthesis[1..].starts_with(|next: char| next.is_ascii_digit()) =>
            {
                end + 1
            }
            _ => return Err(PriorMovesError::parenthesis(text, end)),
        };
        side = side.other();
    }
}

fn read_face_turns(text: &str) -> Result<Vec<Move>, PriorMovesError> {
    let turns = parse_turns(text, &ParseOptions::default());
    let turns = turns.map_err(|error| PriorMovesError {
        message: format!("{}; {}", error.message(), help(&error)),
        span: error.span(),
    })?;
    if let Some(turn) = turns.iter().find(|turn| !turn.is_face_turn()) {
        let turn = turn.to_string();
        // A turn that is written in another form, as in a group, is not found.
        let start = text.find(&turn);
        return Err(PriorMovesError {
            message: format!(
                "`{turn}` is not a face turn; use turns of U, R, F, D, L and B, without rotations"
            ),
            span: start.map_or(0..text.len(), |start| start..start + turn.len()),
        });
    }
    Ok(turns.into_iter().flat_map(LayerTurn::face_turns).collect())
}

fn check_count(moves: &NissMoves, text: &str) -> Result<(), PriorMovesError> {
    if moves.count() > MAX_PRIOR_MOVES {
        return Err(PriorMovesError {
            message: format!(
                "there are more than {MAX_PRIOR_MOVES} moves; remove moves that cancel"
            ),
            span: 0..text.len(),
        });
    }
    Ok(())
}

/// Reads moves on both sides, with moves on the inverse in parentheses. Ignores comments and lines
/// that begin with `Solution:`. A line with an insertion in square brackets replaces the moves that
/// it repeats.
///
/// # Errors
///
/// Returns [`PriorMovesError`] if the text is not a sequence of face turns, or is too long.
pub fn parse_prior_moves(text: &str) -> Result<NissMoves, PriorMovesError> {
    let lines: Vec<String> = text.split('\n').map(blank_comment).collect();
    if !lines.iter().any(|line| line.contains('[')) {
        // Parentheses may span several lines.
        return read_moves(&lines.join(" "));
    }
    let mut moves = NissMoves::default();
    let mut start = 0;
    for line in lines {
        read_line(&line, &mut moves).map_err(|error| error.shifted(start))?;
        start += line.len() + 1;
    }
    check_count(&moves, text)?;
    Ok(moves)
}

/// Replaces the comment of a line, or a line that begins with `Solution:`, with spaces of the same
/// length in bytes.
fn blank_comment(line: &str) -> String {
    let moves = match after_solution(line) {
        Some(_) => "",
        None => without_comment(line).trim_end(),
    };
    format!(
        "{moves:<width$}",
        width = moves.chars().count() + line.len() - moves.len()
    )
}

/// Appends the moves of a line to the moves before it. Returns the moves of the line, and the
/// number of them that do not repeat earlier moves.
///
/// # Errors
///
/// Returns [`PriorMovesError`] if the line cannot be read.
pub fn read_line(
    line: &str,
    before: &mut NissMoves,
) -> Result<(NissMoves, usize), PriorMovesError> {
    let line = without_comment(line);
    let insertion = InsertionLine::read(line);
    if let Some(insertion) = insertion.filter(|line| line.repeated == before.linearize()) {
        *before = NissMoves::on(NissSide::Normal, insertion.all);
        return Ok((before.clone(), insertion.count));
    }
    let moves = read_moves(line)?;
    *before = before.then(&moves);
    let count = moves.count();
    Ok((moves, count))
}

pub(crate) fn without_comment(line: &str) -> &str {
    let line = line.split_once("//").map_or(line, |(moves, _)| moves);
    line.split_once('#').map_or(line, |(moves, _)| moves)
}

/// Returns the text after `Solution` in a line that begins with it, such as `Solution (23): R U F`.
pub fn after_solution(line: &str) -> Option<&str> {
    const WORD: &str = "solution";
    let (word, after) = line.trim_start().split_at_checked(WORD.len())?;
    let is_solution = word.eq_ignore_ascii_case(WORD) && after.trim_start().starts_with([':', '(']);
    is_solution.then_some(after)
}

/// A line with moves in square brackets that are inserted into its other moves. The inserted moves
/// may be written as a commutator.
pub(crate) struct InsertionLine {
    /// Number of inserted moves.
    pub count: usize,
    /// All moves of the line, linearized.
    pub all: Vec<Move>,
    /// The moves outside the square brackets, linearized.
    pub repeated: Vec<Move>,
}

impl InsertionLine {
    /// Reads a line with square brackets. It is an insertion if `repeated` is equal to the moves
    /// before the line; other uses of square brackets are not insertions.
    pub fn read(line: &str) -> Option<InsertionLine> {
        let (before, rest) = without_comment(line).split_once('[')?;
        let (inserted, after) = rest.rsplit_once(']')?;
        let read = |text: &str| read_moves(text).ok();
        Some(InsertionLine {
            count: read(&format!("[{inserted}]"))?.count(),
            all: read(&format!("{before} [{inserted}] {after}"))?.linearize(),
            repeated: read(&format!("{before} {after}"))?.linearize(),
        })
    }

    /// Returns the mistyped move if the line repeats all earlier moves except for one: its number,
    /// counted from one, the move in the line, and the earlier move.
    pub fn mistyped(&self, before: &NissMoves) -> Option<(usize, Move, Move)> {
        let before = before.linearize();
        let mut differences = (1..)
            .zip(self.repeated.iter().zip(&before))
            .filter(|(_, (here, there))| here != there);
        let (number, (here, there)) = differences.next()?;
        let is_only_one = differences.next().is_none();
        // A text of one or two moves is too short to tell a mistyped move by.
        (self.repeated.len() == before.len() && before.len() > 2 && is_only_one)
            .then_some((number, *here, *there))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::cases;

    #[test]
    fn prior_moves_are_read_on_both_sides() {
        assert_eq!(parse_prior_moves(""), Ok(NissMoves::default()));
        for [text, moves] in cases("moves before a search") {
            let read = parse_prior_moves(&text.replace("\\n", "\n"));
            assert_eq!(read.unwrap().to_string(), moves, "{text}");
        }
        for [text, error] in cases("faults of moves before a search") {
            let message = parse_prior_moves(text).unwrap_err().to_string();
            assert!(message.starts_with(error), "{text}: {message}");
        }
        for (text, wrong) in [
            ("U // é\nF (R", "("),
            ("U // é\nF R) D", ")"),
            ("U (F) // é\r\nR Q2", "Q"),
            ("U (F M2)", "M2"),
            ("R U // é\nR [F] U X", "X"),
        ] {
            let span = parse_prior_moves(text).unwrap_err().span;
            assert_eq!(&text[span], wrong, "{text}");
        }
    }
}
