//! Results, failures and events as JSON. Fields are added, never renamed.
//!
//! All types are plain values with owned text, so they can be read back as they were written, e.g.
//! from a journal or from the server.

use crate::answer::{Answer, StopReason};
use crate::explain::Explanation;
use crate::goal_engine::written;
use cosette::cube::{Cube, DisplayMoves, Metric, ParseError, is_displayable};
use cosette::goal::GoalSolution;
use cosette::search;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// The result for a position. It guarantees:
///
/// | field | guarantee | proven by |
/// |---|---|---|
/// | `optimal`, `length`, `lower_bound` | no shorter sequence of face turns, or of the `allowed_moves`, reaches the solved cube or a variant of the goal and satisfies `starts_with`, `ends_with` and `avoid`. Sequences that reach the goal earlier, or after only some of their last turns about one axis, do not count | the exhausted iterations of all shorter lengths ([`search::Report`], [`GoalReport`](cosette::goal::GoalReport)) |
/// | `complete` | `solutions` has `count` of the solutions within the slack and the maximum length; all of them if `count` is `all` or there are fewer. Solutions that differ only in the order of turns about one axis, or are equivalent under `unique_up_to`, count once | the iterations up to the last of these lengths; the last one may have stopped at `count` solutions |
/// | `stop_reason: max-length` | no such sequence up to the maximum length | as for `lower_bound` |
/// | `unreachable` | no sequence of the allowed turns, of any length, reaches the goal | the orbits of pieces under the turns, and the group that they generate on the fully specified pieces |
/// | `optimal_moves`, `neighbor_distances` | they cover all 18 face turns, or the 12 quarter turns | a proof for each position one move away |
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SolveResult {
    /// The text of the position.
    pub input: String,
    /// The line number of the position in a list, counted from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The name of the position, if it has one, as in `T-perm: R U R' …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The detected or requested format of the text.
    pub format: String,
    /// The position, as 54 facelets.
    pub facelets: String,
    /// The metric: `htm` or `qtm`; for a goal also `stm`, `qstm` or `etm`.
    pub metric: String,
    /// The goal, if the request has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The allowed moves, for a goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_moves: Option<String>,
    /// `true` if `length` is proven to be the shortest.
    pub optimal: bool,
    /// The length of the shortest solutions, if it is known.
    pub length: Option<u8>,
    /// The proven lower bound: no solution is shorter.
    pub lower_bound: u8,
    /// The upper bound: the shortest solutions are not longer. 255 if no bound is known.
    pub upper_bound: usize,
    /// The shortest solutions, up to the requested number; with a slack also longer ones.
    pub solutions: Vec<String>,
    /// The number of `solutions`.
    pub solution_count: usize,
    /// The cost of each solution of a goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<Vec<u32>>,
    /// The variant of the goal that each solution reaches, such as `D` for a cross, or several,
    /// separated by spaces. Empty if the goal has only one variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Vec<String>>,
    /// With `prefer`: the number of shortest solutions among which the preferred one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferred_among: Option<usize>,
    /// `true` if these are all the requested solutions, proven shortest.
    pub complete: bool,
    /// The reason why the search stopped early, if it did: `max-length`, `timeout`, `memory` or
    /// `interrupt`.
    pub stop_reason: Option<String>,
    /// The reason why the allowed turns cannot reach the goal, if they cannot. There is no solution
    /// then, and the bounds are meaningless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreachable: Option<String>,
    /// The best known solution, if no solution is proven shortest.
    pub best_known: Option<String>,
    /// The first moves of all shortest solutions, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_moves: Option<Vec<String>>,
    /// The distance of the position after each move from the solved cube, if requested: after U,
    /// U2, U', R, …, for the faces U, R, F, D, L and B in this order; without the half turns in the
    /// quarter-turn metric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbor_distances: Option<Vec<u8>>,
    /// The number of the 48 symmetries that fix the position.
    pub symmetries: usize,
    /// The number of nodes: expanded nodes for the engine `cosette`, generated nodes for all
    /// others.
    pub nodes: u64,
    /// The number of table lookups.
    pub probes: u64,
    /// The time of the search, in seconds. If the search was resumed from a journal, this value,
    /// `nodes` and `probes` include the earlier runs.
    pub seconds: f64,
    /// The name of the table, or of the method that the engine uses instead.
    pub table: String,
    /// The name of the engine.
    pub engine: String,
    /// The iterations, in order of increasing length.
    pub iterations: Vec<Iteration>,
    /// The special properties of the position, if requested. `/solve` of the HTTP API always
    /// returns them for the whole cube with face turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The line number of the position that was searched, if this one has the same result because
    /// the two are equivalent under symmetry and inversion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalent_to_line: Option<usize>,
}

/// An iteration of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Iteration {
    /// The length that was searched.
    pub length: u8,
    /// The number of nodes, counted as in the result.
    pub nodes: u64,
    /// The number of table lookups.
    pub probes: u64,
    /// The time of the iteration, in seconds.
    pub seconds: f64,
    /// `true` if all sequences of this length were searched.
    pub exhausted: bool,
}

impl From<&search::IterationStats> for Iteration {
    fn from(iteration: &search::IterationStats) -> Iteration {
        Iteration {
            length: iteration.length,
            nodes: iteration.nodes,
            probes: iteration.probes,
            seconds: iteration.elapsed.as_secs_f64(),
            exhausted: iteration.exhausted,
        }
    }
}

impl From<&Answer<'_>> for SolveResult {
    fn from(answer: &Answer<'_>) -> SolveResult {
        let Answer {
            text,
            line,
            name,
            input,
            report,
            engine,
            target,
            ..
        } = answer;
        let position = target
            .as_ref()
            .map_or(input.cube, |(_, target)| *target * input.cube);
        SolveResult {
            input: (*text).to_owned(),
            line: *line,
            name: name.clone(),
            format: input.format.name().to_owned(),
            facelets: position.facelets(),
            metric: engine.metric.name().to_owned(),
            goal: target.as_ref().map(|(text, _)| text.clone()),
            optimal: report.length().is_some(),
            length: report.length(),
            lower_bound: report.lower_bound,
            upper_bound: answer.upper_bound(),
            solutions: report
                .solutions
                .iter()
                .map(|solution| DisplayMoves(solution).to_string())
                .collect(),
            solution_count: report.solutions.len(),
            preferred_among: answer.preferred.map(|preferred| preferred.among),
            complete: engine.is_optimal && answer.stop_reason.is_none(),
            stop_reason: answer.stop_reason.map(StopReason::name).map(str::to_owned),
            best_known: answer
                .best_known()
                .map(|moves| DisplayMoves(moves).to_string()),
            optimal_moves: report.neighbors.as_ref().map(|neighbors| {
                neighbors
                    .optimal_moves(report.lower_bound)
                    .map(|m| DisplayMoves(&[m]).to_string())
                    .collect()
            }),
            neighbor_distances: report
                .neighbors
                .as_ref()
                .map(|neighbors| neighbors.lengths().map(|(_, length)| length).collect()),
            symmetries: position.symmetries().len(),
            nodes: report.nodes(),
            probes: report.probes(),
            seconds: report.elapsed.as_secs_f64(),
            table: engine.tables.clone(),
            engine: engine.engine.to_owned(),
            iterations: report.iterations.iter().map(Iteration::from).collect(),
            explanation: answer.explanation.clone(),
            ..SolveResult::default()
        }
    }
}

/// An event of a search. The field `event` names its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The search of a position has started.
    Started {
        /// The text of the position.
        input: String,
        /// The line number of the position in a list, counted from one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// The name of the position, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The position, as 54 facelets.
        facelets: String,
    },
    /// A solution has been found: one that is shorter than all before, or any solution of a goal.
    Solution {
        /// The moves of the solution.
        moves: String,
        /// The length of the solution in the metric of the search.
        length: usize,
    },
    /// An iteration has started: all shorter lengths are ruled out.
    IterationStarted {
        /// The length of the iteration, a proven lower bound.
        length: u8,
    },
    /// The progress of an iteration.
    Progress {
        /// The length of the iteration.
        length: u8,
        /// The amount of work started, in an arbitrary unit.
        done: u64,
        /// The total amount of work of this iteration.
        total: u64,
        /// An estimate of the seconds until the end of this iteration.
        #[serde(skip_serializing_if = "Option::is_none")]
        seconds_left: Option<f64>,
        /// An estimate of the seconds until all lengths below that of the best known solution are
        /// ruled out.
        #[serde(skip_serializing_if = "Option::is_none")]
        proof_seconds_left: Option<f64>,
    },
    /// An iteration has ended.
    IterationFinished(Iteration),
    /// The pattern databases of a goal are being built.
    Building {
        /// The name of the step.
        doing: String,
        /// The completed part of the step, in percent.
        percent: u64,
        /// An estimate of the seconds until the end of the step; missing at the beginning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds_left: Option<f64>,
    },
    /// The search has ended with this result.
    Answer(Box<SolveResult>),
    /// The search has failed.
    Failure(SolveFailure),
}

impl Event {
    /// Creates the event of a search that starts with a parsed position.
    pub fn started(input: &str, name: Option<&str>, line: Option<usize>, position: &Cube) -> Event {
        Event::Started {
            input: input.to_owned(),
            line,
            name: name.map(str::to_owned),
            facelets: position.facelets(),
        }
    }

    /// Creates the event of a search in this metric.
    pub fn new(event: search::Event<'_>, metric: Metric) -> Event {
        match event {
            search::Event::Solution(moves) => Event::Solution {
                moves: DisplayMoves(moves).to_string(),
                length: metric.length(moves),
            },
            search::Event::IterationStarted { length } => Event::IterationStarted { length },
            search::Event::Progress {
                length,
                progress,
                time_left,
            } => Event::Progress {
                length,
                done: progress.done,
                total: progress.total,
                seconds_left: time_left.map(|time_left| time_left.iteration.as_secs_f64()),
                proof_seconds_left: time_left
                    .and_then(|time_left| time_left.proof)
                    .map(|proof| proof.as_secs_f64()),
            },
            search::Event::IterationFinished(iteration) => {
                Event::IterationFinished(iteration.into())
            }
        }
    }

    /// Creates the event of a solution of a goal.
    pub fn goal_solution(solution: &GoalSolution) -> Event {
        Event::Solution {
            moves: written(&solution.turns),
            length: solution.cost as usize,
        }
    }
}

/// A text that could not be parsed or solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SolveFailure {
    /// The text.
    pub input: String,
    /// The line number of the position in a list, counted from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The name of the position, if it has one, as in `T-perm: R U R' …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The error message.
    pub error: String,
    /// The help that explains how to fix the error.
    pub help: Option<String>,
    /// The byte range of the text to which the error refers: the index of the first byte, and one
    /// past the last.
    pub span: Option<[usize; 2]>,
}

impl SolveFailure {
    /// Creates the failure of a text that is not a position.
    pub fn unreadable(
        input: &str,
        name: Option<&str>,
        line: Option<usize>,
        error: &ParseError,
    ) -> SolveFailure {
        let span = error.span();
        SolveFailure {
            input: input.to_owned(),
            line,
            name: name.map(str::to_owned),
            error: error.message(),
            help: Some(error.help()),
            span: Some([span.start, span.end]),
        }
    }
}

/// Writes an object as one line. Escapes characters that are control characters for a terminal.
///
/// # Errors
///
/// Returns the error of the writer or of the serialization.
pub fn write_line(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(object).map_err(io::Error::from)?;
    let mut line = String::with_capacity(text.len() + 1);
    for char in text.chars() {
        match is_displayable(char) {
            true => line.push(char),
            // All of them are below U+10000.
            false => line += &format!("\\u{:04x}", u32::from(char)),
        }
    }
    line.push('\n');
    out.write_all(line.as_bytes())?;
    out.flush()
}

/// Reads the objects in a file, one per line.
///
/// # Errors
///
/// Returns an error if the file cannot be read or a line cannot be deserialized; the error names
/// the line.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    let read = |(number, line): (usize, io::Result<String>)| {
        let refused = |error| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("line {number}: {error}"),
            )
        };
        serde_json::from_str(&line?).map_err(refused)
    };
    (1..)
        .zip(BufReader::new(File::open(path)?).lines())
        .map(read)
        .collect()
}
