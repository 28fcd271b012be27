//! Answers as JSON, one object a line. Fields are added, never renamed.

use super::answer::{Answer, Stop};
use crate::failure::{Failure, Quoted};
use cosette::cube::Moves;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Solve<'a> {
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    format: &'static str,
    facelets: String,
    metric: &'static str,
    /// Whether `length` is proven to be the shortest.
    optimal: bool,
    length: Option<u8>,
    lower_bound: u8,
    upper_bound: usize,
    solutions: Vec<String>,
    solution_count: usize,
    /// Whether all the solutions asked for are there.
    complete: bool,
    /// Why not: `max-length`, `timeout` or `interrupt`.
    stopped: Option<&'static str>,
    /// A solution not proven shortest, where none is.
    best_known: Option<String>,
    /// How many of the 48 symmetries fix the position.
    symmetries: usize,
    nodes: u64,
    probes: u64,
    seconds: f64,
    table: &'a str,
    engine: &'static str,
    thresholds: Vec<Threshold>,
}

#[derive(Serialize)]
struct Threshold {
    length: u8,
    nodes: u64,
    probes: u64,
    seconds: f64,
    exhausted: bool,
}

#[derive(Serialize)]
struct NotSolved<'a> {
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    error: String,
    help: Option<String>,
    /// The bytes of the input that the error is about.
    span: Option<[usize; 2]>,
}

/// Writes an answer.
pub fn write(out: &mut impl Write, answer: &Answer<'_>) -> io::Result<()> {
    let Answer { text, input, report, tables, engine, .. } = answer;
    let thresholds = report.thresholds.iter().map(|threshold| Threshold {
        length: threshold.length,
        nodes: threshold.nodes,
        probes: threshold.probes,
        seconds: threshold.elapsed.as_secs_f64(),
        exhausted: threshold.exhausted,
    });
    let solve = Solve {
        input: &text.text,
        line: text.line,
        format: input.format.name(),
        facelets: input.cube.facelets(),
        metric: answer.metric.name(),
        optimal: report.length().is_some(),
        length: report.length(),
        lower_bound: report.lower_bound,
        upper_bound: answer.upper_bound(),
        solutions: report.solutions.iter().map(|solution| Moves(solution).to_string()).collect(),
        solution_count: report.solutions.len(),
        complete: answer.stopped.is_none(),
        stopped: answer.stopped.map(Stop::name),
        best_known: answer.best_known().map(|moves| Moves(moves).to_string()),
        symmetries: report.stabilizer,
        nodes: report.nodes(),
        probes: report.probes(),
        seconds: report.elapsed.as_secs_f64(),
        table: tables,
        engine,
        thresholds: thresholds.collect(),
    };
    write_object(out, &solve)
}

/// Writes why a text has no answer.
pub fn write_failure(out: &mut impl Write, text: &Quoted, failure: &Failure) -> io::Result<()> {
    let (error, span) = match failure {
        Failure::NotACube { error, .. } => (error.message(), Some([error.span().start, error.span().end])),
        other => (other.to_string(), None),
    };
    write_object(out, &NotSolved { input: &text.text, line: text.line, error, help: failure.remedy(), span })
}

/// Writes an object on a line of its own.
pub fn write_object(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(object).map_err(io::Error::from)?;
    line.push('\n');
    out.write_all(line.as_bytes())?;
    out.flush()
}
