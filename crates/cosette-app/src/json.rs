//! Answers, failures and events as JSON. Fields are added, never renamed.
//!
//! All are plain values with owned text, so they are read back as they were written: from a journal, from the page's
//! server.

use crate::answer::{Answer, Stop};
use crate::explain::Explanation;
use crate::goals::written;
use cosette::cube::{Cube, Metric, Moves, ReadError, is_displayable};
use cosette::goal::Found;
use cosette::search;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// The answer to a position.
///
/// | claim | is made over | is covered by |
/// |---|---|---|
/// | `optimal`, `length`, `lower_bound` | all sequences of turns of faces, or of the allowed `turns`, that lead to the solved cube or to any variant of the goal; with `--starts`, `--ends` and `--avoid`, those that meet these. One that reaches the goal before its last turn is none, nor is a part of it that turns about one axis | the iterations of all lengths below, each exhausted ([`search::Report`], [`GoalReport`](cosette::goal::GoalReport)) |
/// | `complete` | the solutions that were asked for: up to `count` of those within the slack and the maximum length. All of them if there are fewer than `count`, or it is `all`: each stands for those that differ in the order of turns about one axis, and for its images under `up_to` | the iterations up to the last of these lengths, exhausted unless `count` ended one |
/// | `stopped: max-length` | the same sequences up to the maximum length: none solves it | as `lower_bound` |
/// | `unreachable` | all sequences of the allowed turns, of any length | the orbits of pieces under the turns, and the group that they generate on the pieces with one wanted place |
/// | `optimal_moves`, `neighbours` | all 18 turns of faces, or the 12 quarter turns | a proof of each position one move away |
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Solve {
    /// The text of the position.
    pub input: String,
    /// Its line, counted from one, in a list of positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The name of the position, where it was given one, as in `T-perm: R U R' …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The format it was read in.
    pub format: String,
    /// The position, as 54 facelets.
    pub facelets: String,
    /// The metric: `htm` or `qtm`; for a goal also `stm`, `qstm` or `etm`.
    pub metric: String,
    /// The goal, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The turns that were allowed, where not only those of faces were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<String>,
    /// Whether `length` is proven to be the shortest.
    pub optimal: bool,
    /// The length of the shortest solutions, if it is known.
    pub length: Option<u8>,
    /// No solution is shorter.
    pub lower_bound: u8,
    /// No shortest solution is longer; 255 if nothing is known.
    pub upper_bound: usize,
    /// Shortest solutions, as many as were asked for; with a slack also longer ones.
    pub solutions: Vec<String>,
    /// The number of `solutions`.
    pub solution_count: usize,
    /// The length of each solution, if they are those of a goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lengths: Option<Vec<u32>>,
    /// The place where each solution meets the goal, such as `D` for a cross, or several; empty if it has only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub places: Option<Vec<String>>,
    /// How many shortest solutions there are, if one of them was chosen that is also shortest in another metric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferred_among: Option<usize>,
    /// Whether these are all the solutions asked for, proven shortest.
    pub complete: bool,
    /// Why the search stopped early, if it did: `max-length`, `timeout`, `memory` or `interrupt`.
    pub stopped: Option<String>,
    /// Why the turns do not lead to the goal, if they do not; then there is no solution, and the bounds say nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreachable: Option<String>,
    /// A solution that is not proven shortest, if no proven one is known.
    pub best_known: Option<String>,
    /// The moves that begin a shortest solution, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_moves: Option<Vec<String>>,
    /// How far the position after each move is from solved, if that was asked for: after U, U2, U', R, …, with turns of U, R, F, D, L
    /// and B; without the half turns where quarter turns are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Vec<u8>>,
    /// The number of the 48 symmetries that fix the position.
    pub symmetries: usize,
    /// Nodes: those expanded by the engine `cosette`, those generated by the others.
    pub nodes: u64,
    /// Accesses to tables.
    pub probes: u64,
    /// How long it took; in a search that is continued from a journal, the earlier runs count in all three.
    pub seconds: f64,
    /// The table, or what the engine uses instead.
    pub table: String,
    /// The engine.
    pub engine: String,
    /// The iterations, by increasing length.
    pub thresholds: Vec<Threshold>,
    /// What is special about the position, where that was asked for; `/solve` of the HTTP API always has it for the whole cube with turns of faces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The line of the position that was searched, if this one has its answer because the two are equal up to symmetry and
    /// inversion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
}

/// An iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Threshold {
    /// The length that was searched.
    pub length: u8,
    /// Nodes, counted as in the answer.
    pub nodes: u64,
    /// Accesses to tables.
    pub probes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Whether all of it was searched.
    pub exhausted: bool,
}

impl From<&search::Threshold> for Threshold {
    fn from(threshold: &search::Threshold) -> Threshold {
        Threshold {
            length: threshold.length,
            nodes: threshold.nodes,
            probes: threshold.probes,
            seconds: threshold.elapsed.as_secs_f64(),
            exhausted: threshold.exhausted,
        }
    }
}

impl From<&Answer<'_>> for Solve {
    fn from(answer: &Answer<'_>) -> Solve {
        let Answer { text, line, name, input, report, by, target, .. } = answer;
        let position = target.as_ref().map_or(input.cube, |(_, target)| *target * input.cube);
        Solve {
            input: (*text).to_owned(),
            line: *line,
            name: name.clone(),
            format: input.format.name().to_owned(),
            facelets: position.facelets(),
            metric: by.metric.name().to_owned(),
            to: target.as_ref().map(|(text, _)| text.clone()),
            optimal: report.length().is_some(),
            length: report.length(),
            lower_bound: report.lower_bound,
            upper_bound: answer.upper_bound(),
            solutions: report.solutions.iter().map(|solution| Moves(solution).to_string()).collect(),
            solution_count: report.solutions.len(),
            preferred_among: answer.preferred.map(|preferred| preferred.among),
            complete: by.is_optimal && answer.stopped.is_none(),
            stopped: answer.stopped.map(Stop::name).map(str::to_owned),
            best_known: answer.best_known().map(|moves| Moves(moves).to_string()),
            optimal_moves: report.neighbours.as_ref().map(|neighbours| {
                neighbours.optimal_moves(report.lower_bound).map(|m| Moves(&[m]).to_string()).collect()
            }),
            neighbours: report
                .neighbours
                .as_ref()
                .map(|neighbours| neighbours.lengths().map(|(_, length)| length).collect()),
            symmetries: position.symmetries().len(),
            nodes: report.nodes(),
            probes: report.probes(),
            seconds: report.elapsed.as_secs_f64(),
            table: by.tables.clone(),
            engine: by.engine.to_owned(),
            thresholds: report.thresholds.iter().map(Threshold::from).collect(),
            explanation: answer.explanation.clone(),
            ..Solve::default()
        }
    }
}

/// Something that happens during a search; `event` names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The search of a position starts.
    Started {
        /// Its text.
        input: String,
        /// Its line, counted from one, in a list of positions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// The name of the position, where it was given one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The position, as 54 facelets.
        facelets: String,
    },
    /// A solution is found that is shorter than all before, or one of those to a goal.
    Solution {
        /// Its moves.
        moves: String,
        /// Its length in the metric of the search.
        length: usize,
    },
    /// All shorter lengths are ruled out; the search of this one starts.
    ThresholdStarted {
        /// The length, a proven lower bound.
        length: u8,
    },
    /// The progress of an iteration.
    Progress {
        /// The length that is searched.
        length: u8,
        /// The work that has been started, in an arbitrary unit.
        done: u64,
        /// All the work of this length.
        total: u64,
        /// An estimate of the seconds until all of this length is searched.
        #[serde(skip_serializing_if = "Option::is_none")]
        seconds_left: Option<f64>,
        /// An estimate of the seconds until every length below that of the best solution known is ruled out.
        #[serde(skip_serializing_if = "Option::is_none")]
        proof_seconds_left: Option<f64>,
    },
    /// An iteration has ended.
    ThresholdDone(Threshold),
    /// The tables of a goal are being built.
    Preparing {
        /// The step.
        doing: String,
        /// The part of it that is done, in per cent.
        percent: u64,
        /// An estimate of the seconds until it is done; missing at the beginning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds_left: Option<f64>,
    },
    /// The search has ended.
    Answer(Box<Solve>),
    /// There is no answer.
    Failure(NotSolved),
}

impl Event {
    /// A text was read and the search of its position starts.
    pub fn started(input: &str, name: Option<&str>, line: Option<usize>, position: &Cube) -> Event {
        Event::Started { input: input.to_owned(), line, name: name.map(str::to_owned), facelets: position.facelets() }
    }

    /// An event of a search in this metric.
    pub fn new(event: search::Event<'_>, metric: Metric) -> Event {
        match event {
            search::Event::Solution(moves) => {
                Event::Solution { moves: Moves(moves).to_string(), length: metric.length(moves) }
            }
            search::Event::ThresholdStarted { length } => Event::ThresholdStarted { length },
            search::Event::Progress { length, progress, remaining } => Event::Progress {
                length,
                done: progress.done,
                total: progress.total,
                seconds_left: remaining.map(|remaining| remaining.threshold.as_secs_f64()),
                proof_seconds_left: remaining.and_then(|remaining| remaining.proof).map(|proof| proof.as_secs_f64()),
            },
            search::Event::ThresholdDone(threshold) => Event::ThresholdDone(threshold.into()),
        }
    }

    /// A solution of a goal.
    pub fn found(found: &Found) -> Event {
        Event::Solution { moves: written(&found.turns), length: found.cost as usize }
    }
}

/// A text without an answer, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotSolved {
    /// The text.
    pub input: String,
    /// Its line, counted from one, in a list of positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The name of the position, where it was given one, as in `T-perm: R U R' …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is wrong with it.
    pub error: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The bytes of the text that the error is about: the first, and the one after the last.
    pub span: Option<[usize; 2]>,
}

impl NotSolved {
    /// A text that is not a position.
    pub fn unreadable(input: &str, name: Option<&str>, line: Option<usize>, error: &ReadError) -> NotSolved {
        let span = error.span();
        NotSolved {
            input: input.to_owned(),
            line,
            name: name.map(str::to_owned),
            error: error.message(),
            help: Some(error.help()),
            span: Some([span.start, span.end]),
        }
    }
}

/// Writes an object as one line. Characters that a terminal would obey are escaped. Fails if it cannot be written.
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

/// Reads the objects in a file, one per line. Fails if it cannot be read; names the first line that is not such an
/// object.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    let read = |(number, line): (usize, io::Result<String>)| {
        let refused = |error| io::Error::new(io::ErrorKind::InvalidData, format!("line {number}: {error}"));
        serde_json::from_str(&line?).map_err(refused)
    };
    (1..).zip(BufReader::new(File::open(path)?).lines()).map(read).collect()
}
