//! Skeletons in the notation of competitors, read and written, and as JSON.
//!
//! Each step is one line, with moves on the inverse in parentheses, and a comment:
//! `F2 (R' D) // dr:UD (3/8), htr 4c2e` is a step of three moves, eight in total, after which four
//! corners and two edges are bad for `htr`. Cancellations with earlier moves are shown as in
//! `(3-1/7)`. The text can be read back as [prior moves](parse_prior_moves).

use super::pipeline::{Pipeline, StepKind, axis_name};
use super::reduction::{NissMoves, Reduction, Side, linearize};
use super::request::SearchResult;
use super::skeleton::{SearchReport, Skeleton, SkeletonStep};
use super::status::AttemptStatus;
use super::steps::joined;
use cosette::cube::{
    DisplayMoves, Move, NissSequence, ParseError, ParseOptions, canonical, parse_turns, quoted,
};
use cosette::numbers::{counted, grouped};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// Maximum number of prior moves. Each node and each skeleton stores a copy of them.
const MAX_PRIOR_MOVES: usize = 200;

/// Error of a text that cannot be read as prior moves.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PriorMovesError {
    /// Text that is not a sequence of moves.
    #[error("{}; {}", .0.message(), help(.0))]
    Read(#[from] ParseError),
    /// A turn that is not a face turn.
    #[error("`{0}` is not a face turn; use turns of U, R, F, D, L and B, without rotations")]
    Turn(String),
    /// An unmatched or nested parenthesis, or one followed by a repeat count.
    #[error(
        "the parenthesis at `{0}` is unmatched, nested or repeated; put moves on the inverse in one pair of parentheses, as in U (F R) D"
    )]
    Bracket(String),
    /// More moves than an attempt may have.
    #[error("there are more than {MAX_PRIOR_MOVES} moves; remove moves that cancel")]
    TooLong,
}

/// Returns the help for moves that cannot be read, where only face turns are allowed.
fn help(error: &ParseError) -> String {
    // The help for moves in general also names other kinds of moves.
    let help = error.help();
    if help.contains("slices") {
        "use turns of U, R, F, D, L and B".to_owned()
    } else {
        help
    }
}

/// Reads moves on both sides, with those on the inverse in parentheses. Ignores comments and lines
/// that begin with `Solution:`. A line with an insertion in square brackets replaces the moves that
/// it repeats.
///
/// # Errors
///
/// Returns [`PriorMovesError`] if the text is not a sequence of face turns, or is too long.
pub fn parse_prior_moves(text: &str) -> Result<NissMoves, PriorMovesError> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| after_solution(line).is_none())
        .map(without_comment)
        .collect();
    if !lines.iter().any(|line| line.contains('[')) {
        // Parentheses may span several lines.
        return read_moves(&lines.join(" "));
    }
    let mut done = NissMoves::default();
    lines
        .into_iter()
        .try_for_each(|line| read_line(line, &mut done).map(drop))?;
    if done.iter().map(Vec::len).sum::<usize>() > MAX_PRIOR_MOVES {
        Err(PriorMovesError::TooLong)
    } else {
        Ok(done)
    }
}

/// Appends the moves of a line to the moves `done` before it. Returns the moves of the line, and
/// the number of them that do not repeat earlier moves.
///
/// # Errors
///
/// Returns [`PriorMovesError`] if the line cannot be read.
pub fn read_line(line: &str, done: &mut NissMoves) -> Result<(NissMoves, usize), PriorMovesError> {
    let line = without_comment(line);
    if let Some(Insertion { count, all, .. }) =
        Insertion::read(line).filter(|one| one.repeated == linearize(done))
    {
        *done = [all, Vec::new()];
        return Ok((done.clone(), count));
    }
    let moves = read_moves(line)?;
    for side in Side::BOTH {
        done[side as usize] = joined(&done[side as usize], &moves[side as usize]);
    }
    let count = moves.iter().map(Vec::len).sum();
    Ok((moves, count))
}

fn without_comment(line: &str) -> &str {
    let line = line.split_once("//").map_or(line, |(moves, _)| moves);
    line.split_once('#').map_or(line, |(moves, _)| moves)
}

/// A line with moves in square brackets that are inserted into its other moves. The inserted moves
/// may be written as a commutator.
struct Insertion {
    /// Number of inserted moves.
    count: usize,
    /// All moves.
    all: Vec<Move>,
    /// The moves into which they are inserted.
    repeated: Vec<Move>,
}

impl Insertion {
    /// Reads a line with square brackets. It is an insertion if `repeated` is equal to the moves
    /// done before the line; other uses of square brackets are not insertions.
    fn read(line: &str) -> Option<Insertion> {
        let (before, rest) = line.split_once('[')?;
        let (inserted, after) = rest.rsplit_once(']')?;
        let read = |text: &str| read_moves(text).ok();
        Some(Insertion {
            count: read(&format!("[{inserted}]"))?.iter().map(Vec::len).sum(),
            all: linearize(&read(&format!("{before} [{inserted}] {after}"))?),
            repeated: linearize(&read(&format!("{before} {after}"))?),
        })
    }
}

/// Returns the numbers of inserted and of repeated moves of a line; `None` without an insertion.
pub fn insertion_counts(line: &str) -> Option<(usize, usize)> {
    Insertion::read(without_comment(line)).map(
        |Insertion {
             count, repeated, ..
         }| (count, repeated.len()),
    )
}

/// Returns the mistyped move of a line with an insertion that repeats the earlier moves except for
/// one: its number, counted from one, the move in the line, and the move in `done`.
pub fn mistyped(line: &str, done: &NissMoves) -> Option<(usize, Move, Move)> {
    let above = linearize(done);
    let Insertion { repeated, .. } = Insertion::read(without_comment(line))?;
    let mut others = (1..)
        .zip(repeated.iter().zip(&above))
        .filter(|(_, (here, above))| here != above);
    let (number, (here, there)) = others.next()?;
    (repeated.len() == above.len() && above.len() > 2 && others.next().is_none())
        .then_some((number, *here, *there))
}

/// Returns the text after `Solution` in a line that begins with it, such as `Solution (23): R U F`.
pub fn after_solution(line: &str) -> Option<&str> {
    const WORD: &str = "solution";
    let (word, after) = line.trim_start().split_at_checked(WORD.len())?;
    let is_it = word.eq_ignore_ascii_case(WORD) && after.trim_start().starts_with([':', '(']);
    is_it.then_some(after)
}

/// Reads moves on both sides, with those on the inverse in parentheses.
///
/// # Errors
///
/// Returns [`PriorMovesError`] if the text is not a sequence of face turns, or is too long.
pub fn read_moves(text: &str) -> Result<NissMoves, PriorMovesError> {
    let mut done = NissMoves::default();
    let mut side = Side::Normal;
    let mut rest = text;
    let mut opened = "";
    loop {
        let end = rest.find(['(', ')']).unwrap_or(rest.len());
        for turn in parse_turns(&rest[..end], &ParseOptions::default())? {
            if !turn.is_face_turn() {
                return Err(PriorMovesError::Turn(turn.to_string()));
            }
            done[side as usize].extend(turn.face_turns());
            if done.iter().map(Vec::len).sum::<usize>() > MAX_PRIOR_MOVES {
                return Err(PriorMovesError::TooLong);
            }
        }
        let from_bracket = &rest[end..];
        side = match (from_bracket.chars().next(), side) {
            (None, Side::Normal) => return Ok(done.map(|moves| canonical(&moves))),
            (None, Side::Inverse) => return Err(PriorMovesError::Bracket(quoted(opened))),
            (Some('('), Side::Normal) => {
                opened = from_bracket;
                Side::Inverse
            }
            (Some(')'), Side::Inverse)
                if !from_bracket[1..].starts_with(|next: char| next.is_ascii_digit()) =>
            {
                Side::Normal
            }
            _ => return Err(PriorMovesError::Bracket(quoted(from_bracket))),
        };
        rest = &from_bracket[1..];
    }
}

/// Writes `eo:FB`, `dr:UD`, `htr`, `finish`.
impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reduction::Nothing => f.write_str("nothing"),
            Reduction::Eo(axis) => write!(f, "{}:{}", StepKind::Eo.name(), axis_name(*axis)),
            Reduction::Dr(axis) => write!(f, "{}:{}", StepKind::Dr.name(), axis_name(*axis)),
            Reduction::Htr => f.write_str(StepKind::Htr.name()),
            Reduction::Solved => f.write_str(StepKind::Finish.name()),
        }
    }
}

/// Formats moves on both sides, with those on the inverse in parentheses.
pub fn sides([normal, inverse]: &NissMoves) -> String {
    NissSequence { normal, inverse }.to_string()
}

/// Returns the lines of a skeleton, one for each step: its moves, and the text of its comment.
fn lines(skeleton: &Skeleton, done: &NissMoves) -> Vec<(String, String)> {
    let mut before = done.iter().map(Vec::len).sum::<usize>();
    let is_given = before > 0;
    let given = is_given.then(|| (sides(done), format!("so far ({before})")));
    let is_end = |number: usize| number + 1 == skeleton.steps.len();
    // Steps that the prior moves have already solved need no line.
    let is_reached = |(number, made): &(usize, &SkeletonStep)| {
        is_given && !is_end(*number) && made.moves.iter().all(Vec::is_empty)
    };
    let steps = skeleton
        .steps
        .iter()
        .enumerate()
        .skip_while(is_reached)
        .map(|(number, made)| {
            let total = made.total;
            let own = made.moves.iter().map(Vec::len).sum::<usize>();
            let cancelled = (before + own).saturating_sub(total);
            before = total;
            let cancelled = if cancelled > 0 {
                format!("-{cancelled}")
            } else {
                String::new()
            };
            let left = skeleton
                .left(number)
                .map(|left| format!(", {left}"))
                .unwrap_or_default();
            (
                sides(&made.moves),
                format!("{} ({own}{cancelled}/{total}){left}", made.reduction),
            )
        });
    given.into_iter().chain(steps).collect()
}

/// Formats a skeleton as text: a line for each step, and the solution.
pub fn skeleton(skeleton: &Skeleton, done: &NissMoves) -> String {
    let mut text = String::new();
    for (moves, comment) in lines(skeleton, done) {
        let gap = if moves.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{moves}{gap}// {comment}");
    }
    if let Some(solution) = &skeleton.solution {
        let _ = writeln!(
            text,
            "// {}: {}",
            counted(solution.len() as u64, "move"),
            DisplayMoves(solution)
        );
    }
    text
}

/// Returns the proven statements of a report, as sentences. `is_given` is `true` if there are moves
/// before the first step.
pub fn proven(report: &SearchReport, pipeline: &Pipeline, is_given: bool) -> Vec<String> {
    let mut told = Vec::new();
    for list in &report.step_counts {
        let step = &pipeline.stages[list.stage].step;
        let all = list.counts.iter().sum::<usize>() as u64;
        let most = list.counts.len() - 1;
        let after = if list.after == Reduction::Nothing {
            String::new()
        } else {
            format!(" after {}", list.after)
        };
        let by_length = list
            .counts
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0);
        let by_length: Vec<String> = by_length
            .map(|(length, count)| format!("{} of {length}", grouped(*count as u64)))
            .collect();
        let name = super::pipeline::Step {
            niss: step.niss,
            triggers: step.triggers.clone(),
            ..step.bare()
        };
        let ways = match all {
            0 => format!(
                "{name}{after} has no solution of up to {}",
                counted(most as u64, "move")
            ),
            _ => format!(
                "{name}{after} has exactly {} of up to {}: {}",
                counted(all, "solution"),
                counted(most as u64, "move"),
                by_length.join(", ")
            ),
        };
        told.push(ways);
    }
    let limits = limits(report, pipeline).join(", ");
    let within = if limits.is_empty() {
        String::new()
    } else {
        format!(" within the limits ({limits})")
    };
    let unless = if is_given {
        ", except those that undo more than the last given turns"
    } else {
        ""
    };
    told.push(match (report.is_exhausted, report.skeletons.first()) {
        (true, Some(_)) => format!("proven: no skeleton of these steps is shorter{within}{unless}"),
        (true, None) if !limits.is_empty() => {
            format!("no skeleton of these steps{within}; there may be others beyond them")
        }
        (true, None) => "proven: no such skeleton exists".to_owned(),
        (false, Some(_)) => format!(
            "best found in {:.1} s; shorter ones may exist",
            report.elapsed.as_secs_f64()
        ),
        (false, None) => format!("none found in {:.1} s", report.elapsed.as_secs_f64()),
    });
    told
}

/// Returns the steps whose limits may have excluded a skeleton, with their options.
fn limits(report: &SearchReport, pipeline: &Pipeline) -> Vec<String> {
    report
        .limits
        .iter()
        .map(|&stage| pipeline.stages[stage].step.to_string())
        .collect()
}

/// The result as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Fmc))]
pub struct Answer {
    /// The text of the scramble.
    pub input: String,
    /// The line number of the scramble in a list, counted from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The position, as 54 facelets.
    pub facelets: String,
    /// The steps.
    pub steps: String,
    /// The moves done before the first step, with those on the inverse in parentheses.
    pub from: String,
    /// The status after these moves.
    pub status: AttemptStatus,
    /// The skeletons, in order of length.
    pub skeletons: Vec<SkeletonJson>,
    /// Number of solutions of the first step, and of each step that follows a first step which is
    /// solved from the start.
    pub step_counts: Vec<StepCountsJson>,
    /// `true` if it is proven that no skeleton of these steps, with their options, is shorter,
    /// except those that undo more than the last turns of `from`. The first step may use all turns;
    /// every other step preserves the reductions of the steps before it. `false` if the search was
    /// stopped, or if there is no skeleton within `limits`.
    pub optimal: bool,
    /// The steps whose `max=` or `n=` may have excluded a skeleton that is as short as these:
    /// `optimal` holds within these limits.
    #[serde(default)]
    pub limits: Vec<String>,
    /// The reason why the search ended early, if it did: `timeout`, `interrupt` or `memory`.
    pub stop_reason: Option<String>,
    /// Number of tasks done; each lists the solutions of one step with one number of moves.
    pub tasks: u64,
    /// Time of the search, in seconds.
    pub seconds: f64,
}

/// An event of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SkeletonEvent))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A skeleton that is shorter than all before.
    Skeleton(SkeletonJson),
    /// The result, at the end of the search.
    Answer(Box<Answer>),
}

/// A skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Skeleton))]
pub struct SkeletonJson {
    /// Number of moves; if the cube is solved, that of the solution, in which some may cancel.
    pub length: usize,
    /// The steps.
    pub steps: Vec<StepJson>,
    /// All moves, with those on the inverse in parentheses.
    pub moves: String,
    /// The solution, if the cube is solved.
    pub solution: Option<String>,
}

/// A step of a skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SkeletonStep))]
pub struct StepJson {
    /// The reduction that the step reaches.
    pub step: String,
    /// The moves of the step, with those on the inverse in parentheses.
    pub moves: String,
    /// Number of moves up to the end of the step, with cancellations.
    pub total: usize,
    /// The bad pieces of the next reduction: `dr:UD 4c2e` are four corners and two edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bad_pieces: Option<String>,
}

/// Number of solutions of a step from the position at which the search begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StepCountsJson {
    /// The step.
    pub step: String,
    /// The reduction that the solutions preserve; `null` if they use all turns.
    pub from_reduction: Option<String>,
    /// Number of solutions by number of moves, from zero on. Each number counts all solutions with
    /// the sides and triggers of the step.
    pub counts: Vec<usize>,
}

impl SearchResult<'_> {
    /// Returns the result for a text, with its line number if it comes from a list.
    pub fn answer(&self, (text, line): (&str, Option<usize>)) -> Answer {
        let SearchResult {
            attempt,
            report,
            stop_reason,
        } = self;
        Answer {
            input: text.to_owned(),
            line,
            facelets: attempt.scramble.facelets(),
            steps: attempt.pipeline.to_string(),
            from: sides(&attempt.prior_moves),
            status: AttemptStatus::from(&attempt.position()),
            skeletons: report.skeletons.iter().map(SkeletonJson::from).collect(),
            step_counts: ways(report, attempt.pipeline),
            optimal: report.is_proven(),
            limits: limits(report, attempt.pipeline),
            stop_reason: stop_reason.map(str::to_owned),
            tasks: report.tasks,
            seconds: report.elapsed.as_secs_f64(),
        }
    }
}

impl From<&Skeleton> for SkeletonJson {
    fn from(skeleton: &Skeleton) -> SkeletonJson {
        let steps = skeleton
            .steps
            .iter()
            .enumerate()
            .map(|(number, made)| StepJson {
                step: made.reduction.to_string(),
                moves: sides(&made.moves),
                total: made.total,
                bad_pieces: skeleton.left(number),
            });
        SkeletonJson {
            length: skeleton.total,
            steps: steps.collect(),
            moves: sides(&skeleton.moves),
            solution: skeleton
                .solution
                .as_ref()
                .map(|solution| DisplayMoves(solution).to_string()),
        }
    }
}

/// Returns the step counts of a report as JSON.
fn ways(report: &SearchReport, pipeline: &Pipeline) -> Vec<StepCountsJson> {
    let of = |list: &super::skeleton::StepCounts| StepCountsJson {
        step: pipeline.stages[list.stage].step.to_string(),
        from_reduction: (list.after != Reduction::Nothing).then(|| list.after.to_string()),
        counts: list.counts.clone(),
    };
    report.step_counts.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_been_done_is_read_on_both_sides() {
        let read = |text: &str| {
            parse_prior_moves(text)
                .map(|done| sides(&done))
                .map_err(|error| error.to_string())
        };
        assert_eq!(read(""), Ok(String::new()));
        assert_eq!(read("U (F R) D2 (L)"), Ok("U D2 (F R L)".into()));
        assert_eq!(
            read("U // eo (4/4) and (more\n(F R) # dr\n\nU'"),
            Ok("(F R)".into())
        );
        // Insertions repeat earlier moves, and commutators do not.
        assert_eq!(
            read("U (F')\nU [R2] F // first\nU [L2] R2 F\nSolution (4): U L2 R2 F"),
            Ok("U R2 L2 F".into())
        );
        assert_eq!(read("U\nF [R, F]"), Ok("U F R F R' F'".into()));
        assert_eq!(read("U\nU [R, F]"), Ok("U R F R' F'".into()));
        for (text, error) in [
            ("U (F", "the parenthesis at `(F` is unmatched"),
            (
                "U F) R",
                "the parenthesis at `) R` is unmatched, nested or repeated; put moves on the inverse in one pair",
            ),
            (
                "R (U)2",
                "the parenthesis at `)2` is unmatched, nested or repeated",
            ),
            (
                "R X",
                "`X` is not a valid move; use turns of U, R, F, D, L and B",
            ),
            ("(U (F))", "the parenthesis at `(F))` is unmatched"),
            (
                "U M",
                "`M` is not a face turn; use turns of U, R, F, D, L and B",
            ),
            ("U x", "`x` is not a face turn"),
            ("U Q", "`Q` is not a valid move"),
        ] {
            assert!(
                read(text).unwrap_err().starts_with(error),
                "{text}: {:?}",
                read(text)
            );
        }
    }
}
