//! The answer to a position.

use crate::answer::{Answer, Stop};
use crate::explain::Explanation;
use cosette::cube::Moves;
use serde::{Deserialize, Serialize};

/// The answer to a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Solve {
    /// The text of the position.
    pub input: String,
    /// Its line, counted from one, in a list of positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The format it was read in.
    pub format: String,
    /// The position, as 54 facelets.
    pub facelets: String,
    /// What is counted: `htm` or `qtm`.
    pub metric: String,
    /// Whether `length` is proven to be the shortest.
    pub optimal: bool,
    /// The length of the shortest solutions, where it is known.
    pub length: Option<u8>,
    /// No solution is shorter.
    pub lower_bound: u8,
    /// No shortest solution is longer.
    pub upper_bound: usize,
    /// Shortest solutions, as many as were wanted.
    pub solutions: Vec<String>,
    /// How many there are in `solutions`.
    pub solution_count: usize,
    /// Whether all the solutions asked for are there.
    pub complete: bool,
    /// Why not: `max-length`, `timeout`, `memory` or `interrupt`.
    pub stopped: Option<String>,
    /// A solution not proven shortest, where none is.
    pub best_known: Option<String>,
    /// How many of the 48 symmetries fix the position.
    pub symmetries: usize,
    /// Nodes expanded.
    pub nodes: u64,
    /// Accesses to the table.
    pub probes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The table, or what the engine has in its place.
    pub table: String,
    /// The engine.
    pub engine: String,
    /// The iterations, by rising length.
    pub thresholds: Vec<Threshold>,
    /// What is special about the position, where that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The line of the position that was searched, where this one equals it up to symmetry and inversion and has its
    /// answer from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<usize>,
}

/// An iteration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Threshold {
    /// The length that was searched.
    pub length: u8,
    /// Nodes expanded.
    pub nodes: u64,
    /// Accesses to the table.
    pub probes: u64,
    /// How long it took.
    pub seconds: f64,
    /// Whether all of it was searched.
    pub exhausted: bool,
}

impl From<&cosette::search::Threshold> for Threshold {
    fn from(threshold: &cosette::search::Threshold) -> Threshold {
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
        let Answer { text, line, input, report, by, .. } = answer;
        Solve {
            input: (*text).to_owned(),
            line: *line,
            format: input.format.name().to_owned(),
            facelets: input.cube.facelets(),
            metric: by.metric.name().to_owned(),
            optimal: report.length().is_some(),
            length: report.length(),
            lower_bound: report.lower_bound,
            upper_bound: answer.upper_bound(),
            solutions: report.solutions.iter().map(|solution| Moves(solution).to_string()).collect(),
            solution_count: report.solutions.len(),
            complete: answer.stopped.is_none(),
            stopped: answer.stopped.map(Stop::name).map(str::to_owned),
            best_known: answer.best_known().map(|moves| Moves(moves).to_string()),
            symmetries: report.stabilizer,
            nodes: report.nodes(),
            probes: report.probes(),
            seconds: report.elapsed.as_secs_f64(),
            table: by.tables.clone(),
            engine: by.engine.to_owned(),
            thresholds: report.thresholds.iter().map(Threshold::from).collect(),
            explanation: answer.explanation.clone(),
            same_as: None,
        }
    }
}
