//! What happens during a search, as it happens.

use super::{NotSolved, Solve, Threshold};
use cosette::cube::{Cube, Metric, Moves};
use cosette::search;
use serde::{Deserialize, Serialize};

/// One thing that happens; `event` names it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A position is solved now.
    Started {
        /// Its text.
        input: String,
        /// Its line, counted from one, in a list of positions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        line: Option<usize>,
        /// The position, as 54 facelets.
        facelets: String,
    },
    /// A solution is known that is shorter than all before.
    Solution {
        /// Its moves.
        moves: String,
        /// Its length in the metric of the search.
        length: usize,
    },
    /// All shorter lengths are ruled out; this one is searched now.
    ThresholdStarted {
        /// The length, a proven lower bound.
        length: u8,
    },
    /// How far it is.
    Progress {
        /// The length that is searched.
        length: u8,
        /// The work that is begun, in a unit of its own.
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
    /// The search has ended.
    Answer(Box<Solve>),
    /// There is no answer.
    Failure(NotSolved),
}

impl Event {
    /// A text is read and its position is solved now.
    pub fn started(input: &str, line: Option<usize>, position: &Cube) -> Event {
        Event::Started { input: input.to_owned(), line, facelets: position.facelets() }
    }

    /// The event of a search in this metric.
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
}
