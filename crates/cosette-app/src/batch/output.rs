//! Answers written one per line: as text, CSV or JSON.

use crate::json::{self, NotSolved, Solve};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How answers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Layout {
    /// One solution per line, followed by everything else in comments.
    #[default]
    Text,
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
    Json,
}

/// The outcome of an entry of a list.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It is answered.
    Answer(Box<Solve>),
    /// It is not a position.
    Unreadable(NotSolved),
}

/// Where answers are written to, as they come or in the order of their list.
pub struct Output<W: Write> {
    out: W,
    layout: Layout,
    has_header: bool,
    order: Option<Order>,
}

/// Outcomes that have to wait for earlier ones.
#[derive(Default)]
struct Order {
    next: usize,
    held: BTreeMap<usize, Outcome>,
}

impl<W: Write> Output<W> {
    /// Writes to `out`; where `ordered`, in the order of the list.
    pub fn new(layout: Layout, ordered: bool, out: W) -> Output<W> {
        Output { out, layout, has_header: false, order: ordered.then(Order::default) }
    }

    /// Writes the outcome of the entry with this index in the list. Fails if it cannot be written.
    pub fn write(&mut self, number: usize, outcome: Outcome) -> io::Result<()> {
        let Some(order) = &mut self.order else { return self.write_now(&outcome) };
        order.held.insert(number, outcome);
        while let Some(order) = &mut self.order
            && let Some(outcome) = order.held.remove(&order.next)
        {
            order.next += 1;
            self.write_now(&outcome)?;
        }
        Ok(())
    }

    /// Writes the outcomes that still wait for earlier ones. Fails if it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        let held = self.order.take().unwrap_or_default().held;
        held.values().try_for_each(|outcome| self.write_now(outcome))
    }

    fn write_now(&mut self, outcome: &Outcome) -> io::Result<()> {
        match (self.layout, outcome) {
            (Layout::Text, Outcome::Answer(answer)) => write_text(&mut self.out, answer),
            // It has been reported on standard error.
            (Layout::Text, Outcome::Unreadable(_)) => Ok(()),
            (Layout::Csv, outcome) => {
                let mut out = csv::Writer::from_writer(&mut self.out);
                if !std::mem::replace(&mut self.has_header, true) {
                    out.write_record(COLUMNS.split(','))?;
                }
                out.write_record(cells(outcome)?)?;
                out.flush()
            }
            (Layout::Json, Outcome::Answer(answer)) => json::write_line(&mut self.out, answer),
            (Layout::Json, Outcome::Unreadable(failure)) => json::write_line(&mut self.out, failure),
        }
    }
}

/// Writes the first solution, so that the line can be read as moves again, and everything else in comments.
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

/// The columns of CSV, which are fields of [`Solve`] and [`NotSolved`].
const COLUMNS: &str = "line,input,format,facelets,metric,optimal,length,lower_bound,upper_bound,solutions,solution_count,\
                       stopped,best_known,symmetries,nodes,probes,seconds,table,engine,same_as,error";

/// The cells of a line of CSV. Several solutions are separated by semicolons.
fn cells(outcome: &Outcome) -> serde_json::Result<Vec<String>> {
    let mut object = match outcome {
        Outcome::Answer(answer) => serde_json::to_value(answer)?,
        Outcome::Unreadable(failure) => serde_json::to_value(failure)?,
    };
    object["optimal"] = (object["optimal"] == true).into();
    object["solution_count"] = object["solution_count"].as_u64().unwrap_or(0).into();
    let cell = |column: &str| match &object[column] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "),
        other => other.to_string(),
    };
    Ok(COLUMNS.split(',').map(cell).collect())
}
