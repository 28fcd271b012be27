//! Events and failures of searches as JSON, the reading and writing of JSON lines, and a limit on
//! the rate of reports. Fields of the JSON may be added, but are never renamed.
//!
//! The types own their text, so they can also be deserialized, for example from the output of the
//! server.

use crate::lock;
use crate::solve_result::ParsedPosition;
use cosette::cube::{Cube, DisplayMoves, Metric, ParseError, is_displayable};
use cosette::goal::GoalSolution;
use cosette::search;
use cosette::search::IterationSummary;
use cosette::search::SolveResult;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// An event of a search. The field `event` names its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SolveEvent))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum SearchEvent {
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
    IterationFinished(IterationSummary),
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

impl SearchEvent {
    /// Creates the event of a search that has started. `cube` is the original position, even if
    /// `position` is relative to a target.
    pub fn started(position: &ParsedPosition<'_>, cube: &Cube) -> SearchEvent {
        SearchEvent::Started {
            input: position.text.to_owned(),
            line: position.line,
            name: position.name.map(str::to_owned),
            facelets: cube.facelets(),
        }
    }

    /// Converts an event of a search in this metric.
    pub fn new(event: search::Event<'_>, metric: Metric) -> SearchEvent {
        match event {
            search::Event::Solution(moves) => SearchEvent::Solution {
                moves: DisplayMoves(moves).to_string(),
                length: metric.length(moves),
            },
            search::Event::IterationStarted { length } => SearchEvent::IterationStarted { length },
            search::Event::Progress {
                length,
                progress,
                time_left,
                ..
            } => SearchEvent::Progress {
                length,
                done: progress.done,
                total: progress.total,
                seconds_left: time_left.map(|time_left| time_left.iteration.as_secs_f64()),
                proof_seconds_left: time_left
                    .and_then(|time_left| time_left.proof)
                    .map(|proof| proof.as_secs_f64()),
            },
            search::Event::IterationFinished(iteration) => {
                SearchEvent::IterationFinished(iteration.into())
            }
            // This crate is built with the version of the library that it was released with.
            event => unreachable!("an event without JSON: {event:?}"),
        }
    }

    /// Creates the event of a solution of a goal.
    pub fn goal_solution(solution: &GoalSolution) -> SearchEvent {
        SearchEvent::Solution {
            moves: solution.to_string(),
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
    /// The characters of the text to which the error refers: the index of the first, and the index
    /// after the last.
    pub span: Option<[usize; 2]>,
}

impl SolveFailure {
    /// Creates the failure for a text that is not a position.
    pub fn unreadable(
        input: &str,
        name: Option<&str>,
        line: Option<usize>,
        error: &ParseError,
    ) -> SolveFailure {
        SolveFailure {
            input: input.to_owned(),
            line,
            name: name.map(str::to_owned),
            error: error.message(),
            help: Some(error.help()),
            span: Some(character_span(input, error.span())),
        }
    }
}

/// Converts a byte range of a text to characters: the index of the first, and the index after the
/// last.
pub fn character_span(text: &str, span: Range<usize>) -> [usize; 2] {
    [span.start, span.end].map(|offset| {
        let before = text.char_indices().take_while(|(index, _)| *index < offset);
        before.count()
    })
}

/// Writes an object as one line of JSON. Escapes the characters that a terminal interprets.
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
            // All characters that are not displayable are below U+10000.
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
    let parse = |(number, line): (usize, io::Result<String>)| {
        let with_number = |error| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("line {number}: {error}"),
            )
        };
        serde_json::from_str(&line?).map_err(with_number)
    };
    (1..)
        .zip(BufReader::new(File::open(path)?).lines())
        .map(parse)
        .collect()
}

/// A limit on the rate of reports, from any thread.
#[derive(Debug)]
pub struct Throttle {
    interval: Duration,
    last: Mutex<Option<Instant>>,
}

impl Throttle {
    /// Creates a limit of one report per interval.
    pub const fn new(interval: Duration) -> Throttle {
        Throttle {
            interval,
            last: Mutex::new(None),
        }
    }

    /// Returns `true` if a report is due; the next one is then due an interval later.
    pub fn is_due(&self) -> bool {
        let mut last = lock(&self.last);
        let is_due = last.is_none_or(|last| last.elapsed() >= self.interval);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}
