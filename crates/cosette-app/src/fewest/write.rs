//! Skeletons as competitors write them, which is also how they are read; and as JSON.
//!
//! One step is a line, with moves on the inverse in brackets and a comment: `F2 (R' D) // dr:UD (3/8), htr 4c2e` are three moves, eight with those
//! before, and four corners and two edges are in the way of `htr`. Where a move is added up with one before, `(3-1/7)`. What is written is read
//! again as what [has been done](read_done).

use super::here::Here;
use super::pipeline::{Kind, Pipeline, axis_name};
use super::reached::{Reached, Side, Sides, whole};
use super::request::Searched;
use super::skeleton::{Made, Report, Skeleton};
use super::steps::joined;
use crate::words::{counted, grouped};
use cosette::cube::{Move, Moves, Niss, ReadError, ReadOptions, canonical, parse_turns, quoted};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};

/// The most moves that may have been done. Each place and each skeleton has them once more.
const MOST_DONE: usize = 200;

/// Why a text is not what has been done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum DoneError {
    /// What stands there are no moves.
    #[error("{}; {}", .0.message(), help(.0))]
    Read(#[from] ReadError),
    /// A turn that is not one of a face.
    #[error("`{0}` is no turn of a face; write turns of U, R, F, D, L and B, without rotations")]
    Turn(String),
    /// A bracket without its other, or with a number behind it.
    #[error(
        "the bracket at `{0}` has no other, or is repeated; moves on the inverse stand in one pair of round brackets, as in U (F R) D"
    )]
    Bracket(String),
    /// More moves than an attempt has.
    #[error("there are more than {MOST_DONE} moves; leave out what was done and undone")]
    TooLong,
}

/// How to fix moves that cannot be read, where only turns of faces may be.
fn help(error: &ReadError) -> String {
    // What is said of any moves names the others.
    let help = error.help();
    if help.contains("slices") { "write turns of U, R, F, D, L and B".to_owned() } else { help }
}

/// Reads moves on both sides, those on the inverse in round brackets. Comments are left out, and lines that begin with `Solution:`. A line with
/// an insertion in square brackets stands for the moves that it repeats as well.
pub fn read_done(text: &str) -> Result<Sides, DoneError> {
    let lines: Vec<&str> = text.lines().filter(|line| after_solution(line).is_none()).map(without_comment).collect();
    if !lines.iter().any(|line| line.contains('[')) {
        // A bracket may go over several lines.
        return read_moves(&lines.join(" "));
    }
    let mut done = Sides::default();
    lines.into_iter().try_for_each(|line| read_line(line, &mut done).map(drop))?;
    if done.iter().map(Vec::len).sum::<usize>() > MOST_DONE { Err(DoneError::TooLong) } else { Ok(done) }
}

/// Adds the moves of a line to those done before, and returns them, and how many do not repeat these. Fails if it cannot be read.
pub fn read_line(line: &str, done: &mut Sides) -> Result<(Sides, usize), DoneError> {
    let line = without_comment(line);
    if let Some(Insertion { count, all, .. }) = Insertion::read(line).filter(|one| one.repeated == whole(done)) {
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

/// A line that has, in square brackets, moves that are inserted in others. They may be a commutator.
struct Insertion {
    /// How many moves are inserted.
    count: usize,
    /// All moves.
    all: Vec<Move>,
    /// Those in which they are inserted.
    repeated: Vec<Move>,
}

impl Insertion {
    /// Reads a line, which has one if these others are those that are done by then. Any other brackets are no insertion's.
    fn read(line: &str) -> Option<Insertion> {
        let (before, rest) = line.split_once('[')?;
        let (inserted, after) = rest.rsplit_once(']')?;
        let read = |text: &str| read_moves(text).ok();
        Some(Insertion {
            count: read(&format!("[{inserted}]"))?.iter().map(Vec::len).sum(),
            all: whole(&read(&format!("{before} [{inserted}] {after}"))?),
            repeated: whole(&read(&format!("{before} {after}"))?),
        })
    }
}

/// The number of moves that a line inserts, and of those that it repeats; `None` without an insertion.
pub fn insertion_counts(line: &str) -> Option<(usize, usize)> {
    Insertion::read(without_comment(line)).map(|Insertion { count, repeated, .. }| (count, repeated.len()))
}

/// If a line seems to repeat what is done, with an insertion, but for one move: which move that is, from one on, in the line and in what is done.
pub fn mistyped(line: &str, done: &Sides) -> Option<(usize, Move, Move)> {
    let (above, Insertion { repeated, .. }) = (whole(done), Insertion::read(without_comment(line))?);
    let mut others = (1..).zip(repeated.iter().zip(&above)).filter(|(_, (here, above))| here != above);
    let (number, (here, there)) = others.next()?;
    (repeated.len() == above.len() && above.len() > 2 && others.next().is_none()).then_some((number, *here, *there))
}

/// What follows `Solution` in a line that begins so, as in `Solution (23): R U F`.
pub fn after_solution(line: &str) -> Option<&str> {
    const WORD: &str = "solution";
    let (word, after) = line.trim_start().split_at_checked(WORD.len())?;
    let is_it = word.eq_ignore_ascii_case(WORD) && after.trim_start().starts_with([':', '(']);
    is_it.then_some(after)
}

/// Reads moves on both sides, those on the inverse in round brackets.
pub fn read_moves(text: &str) -> Result<Sides, DoneError> {
    let (mut done, mut side, mut rest, mut opened) = (Sides::default(), Side::Normal, text, "");
    loop {
        let end = rest.find(['(', ')']).unwrap_or(rest.len());
        for turn in parse_turns(&rest[..end], &ReadOptions::default())? {
            if !turn.is_face_turn() {
                return Err(DoneError::Turn(turn.to_string()));
            }
            done[side as usize].extend(turn.face_turns());
            if done.iter().map(Vec::len).sum::<usize>() > MOST_DONE {
                return Err(DoneError::TooLong);
            }
        }
        let from_bracket = &rest[end..];
        side = match (from_bracket.chars().next(), side) {
            (None, Side::Normal) => return Ok(done.map(|moves| canonical(&moves))),
            (None, Side::Inverse) => return Err(DoneError::Bracket(quoted(opened))),
            (Some('('), Side::Normal) => {
                opened = from_bracket;
                Side::Inverse
            }
            (Some(')'), Side::Inverse) if !from_bracket[1..].starts_with(|next: char| next.is_ascii_digit()) => {
                Side::Normal
            }
            _ => return Err(DoneError::Bracket(quoted(from_bracket))),
        };
        rest = &from_bracket[1..];
    }
}

/// Writes `eo:FB`, `dr:UD`, `htr`, `finish`.
impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reached::Nothing => f.write_str("nothing"),
            Reached::Eo(axis) => write!(f, "{}:{}", Kind::Eo.name(), axis_name(*axis)),
            Reached::Dr(axis) => write!(f, "{}:{}", Kind::Dr.name(), axis_name(*axis)),
            Reached::Htr => f.write_str(Kind::Htr.name()),
            Reached::Solved => f.write_str(Kind::Finish.name()),
        }
    }
}

/// Moves on both sides, those on the inverse in brackets.
pub fn sides([normal, inverse]: &Sides) -> String {
    Niss { normal, inverse }.to_string()
}

/// What each step is, and all moves by then: a line, and what its comment says.
fn lines(skeleton: &Skeleton, done: &Sides) -> Vec<(String, String)> {
    let mut before = done.iter().map(Vec::len).sum::<usize>();
    let is_given = before > 0;
    let given = is_given.then(|| (sides(done), format!("so far ({before})")));
    let is_end = |number: usize| number + 1 == skeleton.made.len();
    // What the moves that are given have reached needs no line.
    let is_reached =
        |(number, made): &(usize, &Made)| is_given && !is_end(*number) && made.moves.iter().all(Vec::is_empty);
    let steps = skeleton.made.iter().enumerate().skip_while(is_reached).map(|(number, made)| {
        let total = made.total;
        let own = made.moves.iter().map(Vec::len).sum::<usize>();
        let cancelled = (before + own).saturating_sub(total);
        before = total;
        let cancelled = if cancelled > 0 { format!("-{cancelled}") } else { String::new() };
        let left = skeleton.left(number).map(|left| format!(", {left}")).unwrap_or_default();
        (sides(&made.moves), format!("{} ({own}{cancelled}/{total}){left}", made.reached))
    });
    given.into_iter().chain(steps).collect()
}

/// A skeleton as text: a line for each step, and the solution.
pub fn skeleton(skeleton: &Skeleton, done: &Sides) -> String {
    let mut text = String::new();
    for (moves, comment) in lines(skeleton, done) {
        let gap = if moves.is_empty() { "" } else { " " };
        let _ = writeln!(text, "{moves}{gap}// {comment}");
    }
    if let Some(solution) = &skeleton.solution {
        let _ = writeln!(text, "// {}: {}", counted(solution.len() as u64, "move"), Moves(solution));
    }
    text
}

/// What is proven, in sentences. `is_given` if moves were done before the first step.
pub fn proven(report: &Report, pipeline: &Pipeline, is_given: bool) -> Vec<String> {
    let mut told = Vec::new();
    for list in &report.lists {
        let step = &pipeline.stages[list.stage].step;
        let (all, most) = (list.counts.iter().sum::<usize>() as u64, list.counts.len() - 1);
        let after = if list.after == Reached::Nothing { String::new() } else { format!(" after {}", list.after) };
        let by_length = list.counts.iter().enumerate().filter(|(_, count)| **count > 0);
        let by_length: Vec<String> =
            by_length.map(|(length, count)| format!("{} of {length}", grouped(*count as u64))).collect();
        let name = super::pipeline::Step { niss: step.niss, triggers: step.triggers.clone(), ..step.bare() };
        let ways = match all {
            0 => format!("{name}{after}: there is none of at most {}", counted(most as u64, "move")),
            _ => format!(
                "{name}{after}: {} of at most {}, {}; these are all",
                counted(all, "way"),
                counted(most as u64, "move"),
                by_length.join(", ")
            ),
        };
        told.push(ways);
    }
    let limits = limits(report, pipeline).join(", ");
    let within = if limits.is_empty() { String::new() } else { format!(" within their limits ({limits})") };
    let unless = if is_given { ", unless it undoes more than the last turns so far" } else { "" };
    told.push(match (report.is_exhausted, report.skeletons.first()) {
        (true, Some(_)) => format!("proven: no skeleton of these steps is shorter{within}{unless}"),
        (true, None) if !limits.is_empty() => format!("no skeleton of these steps{within}; others are not excluded"),
        (true, None) => "proven: there is no such skeleton".to_owned(),
        (false, Some(_)) => format!("best found in {:.1} s; there may be shorter ones", report.elapsed.as_secs_f64()),
        (false, None) => format!("none found in {:.1} s", report.elapsed.as_secs_f64()),
    });
    told
}

/// The steps whose limits may have excluded a skeleton, with their options.
fn limits(report: &Report, pipeline: &Pipeline) -> Vec<String> {
    report.limits.iter().map(|&stage| pipeline.stages[stage].step.to_string()).collect()
}

/// The answer as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Fewest))]
pub struct Answer {
    /// The text of the scramble.
    pub input: String,
    /// Its line, counted from one, in a list of scrambles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The position, as 54 facelets.
    pub facelets: String,
    /// The steps.
    pub steps: String,
    /// What had been done, with moves on the inverse in brackets.
    pub from: String,
    /// Where that leads.
    pub here: Here,
    /// By their length.
    pub skeletons: Vec<WrittenSkeleton>,
    /// Number of ways to the first step, and to those that follow a first step which holds already.
    pub ways: Vec<Ways>,
    /// Whether no skeleton of these steps, with their options, is shorter, unless it undoes more than the last turns of `from`. The first step may
    /// use all turns, any other keeps what those before it have reached. False if the search was stopped, and if `limits` leave no skeleton.
    pub proven: bool,
    /// The steps whose `max=` or `n=` may have excluded a skeleton that is as short as these: `proven` is within these limits.
    #[serde(default)]
    pub limits: Vec<String>,
    /// Why the search ended early, if it did: `timeout`, `interrupt` or `memory`.
    pub stopped: Option<String>,
    /// How many lists of ways were made.
    pub tasks: u64,
    /// How long it took.
    pub seconds: f64,
}

/// What happens during a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SkeletonEvent))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A skeleton that is shorter than all before.
    Skeleton(WrittenSkeleton),
    /// The end of the search.
    Answer(Box<Answer>),
}

/// A skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Skeleton))]
pub struct WrittenSkeleton {
    /// How many moves; if they solve the cube, of the solution, in which some may cancel.
    pub length: usize,
    /// The steps.
    pub steps: Vec<WrittenStep>,
    /// All moves, with those on the inverse in brackets.
    pub moves: String,
    /// The solution, if the cube is solved.
    pub solution: Option<String>,
}

/// A step of a skeleton.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = SkeletonStep))]
pub struct WrittenStep {
    /// What it reaches.
    pub step: String,
    /// Its moves, with those on the inverse in brackets.
    pub moves: String,
    /// All moves by then.
    pub total: usize,
    /// What is in the way of the reduction after it: `dr:UD 4c2e` are four corners and two edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
}

/// Number of ways to a step from the position at which the search begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Ways {
    /// The step.
    pub step: String,
    /// The reduction that they keep; `null` if they use all turns.
    pub after: Option<String>,
    /// By number of moves, from none on; for each number, all that there are with the sides and triggers of the step.
    pub counts: Vec<usize>,
}

impl Searched<'_> {
    /// The answer to a text, one of a list if it has the number of a line.
    pub fn answer(&self, (text, line): (&str, Option<usize>)) -> Answer {
        let Searched { attempt, report, stopped } = self;
        Answer {
            input: text.to_owned(),
            line,
            facelets: attempt.scramble.facelets(),
            steps: attempt.pipeline.to_string(),
            from: sides(&attempt.done),
            here: Here::from(&attempt.position()),
            skeletons: report.skeletons.iter().map(WrittenSkeleton::from).collect(),
            ways: ways(report, attempt.pipeline),
            proven: report.is_proven(),
            limits: limits(report, attempt.pipeline),
            stopped: stopped.map(|stop| stop.name().to_owned()),
            tasks: report.tasks,
            seconds: report.elapsed.as_secs_f64(),
        }
    }
}

impl From<&Skeleton> for WrittenSkeleton {
    fn from(skeleton: &Skeleton) -> WrittenSkeleton {
        let steps = skeleton.made.iter().enumerate().map(|(number, made)| WrittenStep {
            step: made.reached.to_string(),
            moves: sides(&made.moves),
            total: made.total,
            left: skeleton.left(number),
        });
        WrittenSkeleton {
            length: skeleton.total,
            steps: steps.collect(),
            moves: sides(&skeleton.moves),
            solution: skeleton.solution.as_ref().map(|solution| Moves(solution).to_string()),
        }
    }
}

/// The ways of a report.
fn ways(report: &Report, pipeline: &Pipeline) -> Vec<Ways> {
    let of = |list: &super::skeleton::List| Ways {
        step: pipeline.stages[list.stage].step.to_string(),
        after: (list.after != Reached::Nothing).then(|| list.after.to_string()),
        counts: list.counts.clone(),
    };
    report.lists.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_been_done_is_read_on_both_sides() {
        let read = |text: &str| read_done(text).map(|done| sides(&done)).map_err(|error| error.to_string());
        assert_eq!(read(""), Ok(String::new()));
        assert_eq!(read("U (F R) D2 (L)"), Ok("U D2 (F R L)".into()));
        assert_eq!(read("U // eo (4/4) and (more\n(F R) # dr\n\nU'"), Ok("(F R)".into()));
        // Insertions repeat what is there, and commutators do not.
        assert_eq!(read("U (F')\nU [R2] F // first\nU [L2] R2 F\nSolution (4): U L2 R2 F"), Ok("U R2 L2 F".into()));
        assert_eq!(read("U\nF [R, F]"), Ok("U F R F R' F'".into()));
        assert_eq!(read("U\nU [R, F]"), Ok("U R F R' F'".into()));
        for (text, error) in [
            ("U (F", "the bracket at `(F` has no other"),
            ("U F) R", "the bracket at `) R` has no other, or is repeated; moves on the inverse stand in one pair"),
            ("R (U)2", "the bracket at `)2` has no other, or is repeated"),
            ("R X", "`X` is not a valid move; write turns of U, R, F, D, L and B"),
            ("(U (F))", "the bracket at `(F))` has no other"),
            ("U M", "`M` is no turn of a face; write turns of U, R, F, D, L and B"),
            ("U x", "`x` is no turn of a face"),
            ("U Q", "`Q` is not a valid move"),
        ] {
            assert!(read(text).unwrap_err().starts_with(error), "{text}: {:?}", read(text));
        }
    }
}
