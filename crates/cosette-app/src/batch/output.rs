//! Answers written one a line: as text, as CSV or as JSON.

use crate::json::{self, NotSolved, Solve};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// A solution a line, with all else in comments behind it.
    #[default]
    Text,
    /// Comma-separated values under a line of headings.
    Csv,
    /// A JSON object a line.
    Json,
}

/// What becomes of an entry of a list.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is answered.
    Answer(Box<Solve>),
    /// It is no position.
    Unreadable(NotSolved),
}

/// Where answers are written to, as they come or in the order of their list.
pub struct Output<W: Write> {
    writer: Writer<W>,
    order: Option<Order>,
}

/// What has to wait for those before it.
#[derive(Default)]
struct Order {
    next: usize,
    held: BTreeMap<usize, Outcome>,
}

impl<W: Write> Output<W> {
    /// Writes to `out`; where `ordered`, in the order of the list.
    pub fn new(layout: Layout, ordered: bool, out: W) -> Output<W> {
        let writer = match layout {
            Layout::Text => Writer::Text(out),
            Layout::Csv => Writer::Csv(Box::new(csv::Writer::from_writer(out))),
            Layout::Json => Writer::Json(out),
        };
        Output { writer, order: ordered.then(Order::default) }
    }

    /// Writes what has become of the entry with this place in the list, from zero.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, number: usize, outcome: Outcome) -> io::Result<()> {
        let Some(order) = &mut self.order else { return self.writer.write(&outcome) };
        order.held.insert(number, outcome);
        while let Some(outcome) = order.held.remove(&order.next) {
            order.next += 1;
            self.writer.write(&outcome)?;
        }
        Ok(())
    }

    /// Writes what waits for others that have not come.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        let held = self.order.take().unwrap_or_default().held;
        held.values().try_for_each(|outcome| self.writer.write(outcome))
    }
}

enum Writer<W: Write> {
    Text(W),
    Csv(Box<csv::Writer<W>>),
    Json(W),
}

impl<W: Write> Writer<W> {
    fn write(&mut self, outcome: &Outcome) -> io::Result<()> {
        match (self, outcome) {
            (Writer::Text(out), Outcome::Answer(answer)) => write_text(out, answer),
            // Standard error has told of it.
            (Writer::Text(_), Outcome::Unreadable(_)) => Ok(()),
            (Writer::Csv(out), outcome) => {
                out.serialize(Row::from(outcome)).map_err(io::Error::from)?;
                out.flush()
            }
            (Writer::Json(out), Outcome::Answer(answer)) => json::write_line(out, answer),
            (Writer::Json(out), Outcome::Unreadable(failure)) => json::write_line(out, failure),
        }
    }
}

/// Writes the first solution, so that the line can be read as moves again, and all else in comments.
fn write_text(out: &mut impl Write, answer: &Solve) -> io::Result<()> {
    let Solve { metric, lower_bound, upper_bound, nodes, probes, seconds, table, .. } = answer;
    let (first, others) = answer.solutions.split_first().map_or(("", &[][..]), |(first, others)| (first, others));
    let mut line = format!("{first}{}//", if first.is_empty() { "" } else { "  " });
    if let Some(number) = answer.line {
        line += &format!(" line {number}:");
    }
    line += &match answer.length {
        Some(length) => format!(" {length} {metric}, proven"),
        None => format!(" {lower_bound} to {upper_bound} {metric}, not solved"),
    };
    match answer.stopped.as_deref() {
        None => {}
        Some(stop) => line += &format!(", stopped by --{stop}"),
    }
    match answer.same_as {
        Some(other) => line += &format!(", as line {other} up to symmetry and inversion"),
        None => line += &format!(", {table}, {nodes} nodes, {probes} probes, {seconds:.3} s"),
    }
    if let Some(known) = &answer.best_known {
        line += &format!(" // best known: {known}");
    }
    for other in others {
        line += &format!(" // {other}");
    }
    writeln!(out, "{line}")?;
    out.flush()
}

/// A line of CSV. What an unreadable text has no value for is empty.
#[derive(Default, Serialize)]
struct Row<'a> {
    line: Option<usize>,
    input: &'a str,
    format: &'a str,
    facelets: &'a str,
    metric: &'a str,
    optimal: bool,
    length: Option<u8>,
    lower_bound: Option<u8>,
    upper_bound: Option<usize>,
    /// Several are separated by semicolons.
    solutions: String,
    solution_count: usize,
    stopped: Option<&'a str>,
    best_known: Option<&'a str>,
    symmetries: Option<usize>,
    nodes: Option<u64>,
    probes: Option<u64>,
    seconds: Option<f64>,
    table: &'a str,
    engine: &'a str,
    same_as: Option<usize>,
    error: &'a str,
}

impl<'a> From<&'a Outcome> for Row<'a> {
    fn from(outcome: &'a Outcome) -> Row<'a> {
        match outcome {
            Outcome::Answer(answer) => Row {
                line: answer.line,
                input: &answer.input,
                format: &answer.format,
                facelets: &answer.facelets,
                metric: &answer.metric,
                optimal: answer.optimal,
                length: answer.length,
                lower_bound: Some(answer.lower_bound),
                upper_bound: Some(answer.upper_bound),
                solutions: answer.solutions.join("; "),
                solution_count: answer.solution_count,
                stopped: answer.stopped.as_deref(),
                best_known: answer.best_known.as_deref(),
                symmetries: Some(answer.symmetries),
                nodes: Some(answer.nodes),
                probes: Some(answer.probes),
                seconds: Some(answer.seconds),
                table: &answer.table,
                engine: &answer.engine,
                same_as: answer.same_as,
                error: "",
            },
            Outcome::Unreadable(failure) => {
                Row { line: failure.line, input: &failure.input, error: &failure.error, ..Row::default() }
            }
        }
    }
}
