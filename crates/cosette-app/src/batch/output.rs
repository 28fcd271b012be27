//! Output of results, one per line: text, CSV or JSON.

use crate::events::{SolveFailure, write_line};
use crate::explain::Explanation;
use crate::name::written_name;
use crate::solution_format::SolutionFormat;
use crate::solve_result::{SolveResult, StopReason};
use crate::units::counted;
use cosette::cube::{Format, ParseOptions, Sequence, parse_moves};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The format of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum OutputFormat {
    /// One solution per line, followed by everything else in comments.
    #[default]
    Text,
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object per line.
    Json,
}

/// The style of the output for a list.
#[derive(Clone, Copy, Debug, Default)]
pub struct OutputStyle {
    /// Text, CSV or JSON.
    pub layout: OutputFormat,
    /// The format of solutions in text.
    pub form: SolutionFormat,
    /// `true` if text contains only the solutions.
    pub solutions_only: bool,
    /// `true` if results are written in the order of the list. Line i of the text then corresponds
    /// to line i of the list, with an empty line for a line without a position.
    pub ordered: bool,
}

/// The outcome of an entry of a list.
#[derive(Clone, Debug)]
pub enum EntryOutcome {
    /// A result.
    Answer(Box<SolveResult>),
    /// A text that is not a position.
    Unreadable(SolveFailure),
}

impl EntryOutcome {
    /// Returns the line number of the entry.
    fn line(&self) -> Option<usize> {
        match self {
            EntryOutcome::Answer(answer) => answer.line,
            EntryOutcome::Unreadable(failure) => failure.line,
        }
    }
}

/// A writer of results, in any order or in that of the list.
pub struct BatchOutput<W: Write> {
    out: W,
    style: OutputStyle,
    has_header: bool,
    order: OutcomeQueue,
}

/// Outcomes that wait for earlier ones.
#[derive(Default)]
struct OutcomeQueue {
    next: usize,
    /// The last line of the list whose outcome was written.
    line: usize,
    held: BTreeMap<usize, EntryOutcome>,
}

impl<W: Write> BatchOutput<W> {
    /// Creates a writer to `out`.
    pub fn new(style: OutputStyle, out: W) -> BatchOutput<W> {
        BatchOutput {
            out,
            style,
            has_header: false,
            order: OutcomeQueue::default(),
        }
    }

    /// Writes the outcome of the entry with this index in the list.
    ///
    /// # Errors
    ///
    /// Returns the error of the underlying writer.
    pub fn write(&mut self, number: usize, outcome: EntryOutcome) -> io::Result<()> {
        if !self.style.ordered {
            return self.write_now(&outcome);
        }
        self.order.held.insert(number, outcome);
        while let Some(outcome) = self.order.held.remove(&self.order.next) {
            self.order.next += 1;
            self.write_next(&outcome)?;
        }
        Ok(())
    }

    /// Writes the outcomes that still wait for earlier ones; in order, also blank lines after the
    /// last of them, up to `lines` lines.
    ///
    /// # Errors
    ///
    /// Returns the error of the underlying writer.
    pub fn finish(mut self, lines: usize) -> io::Result<()> {
        let held = std::mem::take(&mut self.order.held);
        held.values()
            .try_for_each(|outcome| self.write_next(outcome))?;
        match self.style {
            OutputStyle {
                ordered: true,
                layout: OutputFormat::Text,
                ..
            } => self.write_blank(lines),
            _ => Ok(()),
        }
    }

    /// Writes blank lines from the line after the last written one up to this line of the list.
    fn write_blank(&mut self, line: usize) -> io::Result<()> {
        (self.order.line..line).try_for_each(|_| writeln!(self.out))
    }

    /// Writes an outcome in the order of the list.
    fn write_next(&mut self, outcome: &EntryOutcome) -> io::Result<()> {
        if let (OutputFormat::Text, Some(line)) = (self.style.layout, outcome.line()) {
            self.write_blank(line - 1)?;
            self.order.line = line;
        }
        self.write_now(outcome)
    }

    fn write_now(&mut self, outcome: &EntryOutcome) -> io::Result<()> {
        match (self.style.layout, outcome) {
            (OutputFormat::Text, EntryOutcome::Answer(answer)) => {
                write_text(&mut self.out, answer, self.style)
            }
            // Users of text output get the error with its location on standard error.
            (
                OutputFormat::Text,
                EntryOutcome::Unreadable(SolveFailure {
                    line: Some(line), ..
                }),
            ) if self.style.ordered => {
                writeln!(self.out, "// line {line}: not a position")
            }
            (OutputFormat::Text, EntryOutcome::Unreadable(_)) => Ok(()),
            (OutputFormat::Csv, outcome) => {
                let mut out = csv::Writer::from_writer(&mut self.out);
                if !std::mem::replace(&mut self.has_header, true) {
                    out.write_record(COLUMNS.split(','))?;
                }
                out.write_record(cells(outcome)?)?;
                out.flush()
            }
            (OutputFormat::Json, EntryOutcome::Answer(answer)) => write_line(&mut self.out, answer),
            (OutputFormat::Json, EntryOutcome::Unreadable(failure)) => {
                write_line(&mut self.out, failure)
            }
        }
    }
}

/// Writes the first solution, so that the line can be read back as moves, and everything else in
/// comments.
///
/// # Errors
///
/// Returns the error of the underlying writer.
pub fn write_text(
    out: &mut impl Write,
    answer: &SolveResult,
    style: OutputStyle,
) -> io::Result<()> {
    // An engine that proves nothing still has a solution.
    let unproven = answer
        .best_known
        .iter()
        .filter(|_| answer.stop_reason.is_none() && answer.solutions.is_empty());
    let given = given(answer, style.form);
    let rewritten = |solution: &String| style.form.rewrite(solution, given.as_ref());
    let solutions: Vec<String> = answer
        .solutions
        .iter()
        .chain(unproven)
        .map(rewritten)
        .collect();
    if style.solutions_only && !solutions.is_empty() {
        writeln!(out, "{}", solutions.join(" // "))?;
        return out.flush();
    }
    let SolveResult {
        metric,
        lower_bound,
        upper_bound,
        nodes,
        probes,
        seconds,
        table,
        ..
    } = answer;
    let (first, others) = solutions
        .split_first()
        .map_or(("", &[][..]), |(first, others)| (first, others));
    let mut line = format!("{first}{}//", if first.is_empty() { "" } else { "  " });
    let place = answer.line.map(|number| format!("line {number}"));
    let name = answer.name.as_deref().map(written_name);
    let labels: Vec<String> = place.into_iter().chain(name).collect();
    if !labels.is_empty() {
        line += &format!(" {}:", labels.join(", "));
    }
    line += &match answer.length {
        Some(length) => format!(" {length} {metric}, proven"),
        None if answer.unreachable.is_some() => {
            format!(" {}", answer.unreachable.as_deref().unwrap_or_default())
        }
        None if answer.variants.is_some() => {
            format!(" at least {lower_bound} {metric}, not solved")
        }
        None if !solutions.is_empty() => {
            let length = answer.best_known_length().unwrap_or_default();
            format!(" {length} {metric}, not proven")
        }
        None => format!(" {lower_bound} to {upper_bound} {metric}, not solved"),
    };
    line += match answer.stop_reason {
        None => "",
        Some(StopReason::Interrupt) => ", interrupted",
        Some(StopReason::MaxLength) => ", stopped by --max-length",
        Some(StopReason::Timeout) => ", stopped by --timeout",
        // The memory limit of a batch is that of Lee's engine, which counts states.
        Some(StopReason::Memory) => ", stopped by --states",
    };
    let places = answer.variants.clone().unwrap_or_default();
    line += &places
        .first()
        .filter(|place| !place.is_empty())
        .map(|place| format!(", {place}"))
        .unwrap_or_default();
    match answer.equivalent_to_line {
        None if answer.variants.is_some() => {
            line += &format!(", {}, {seconds:.3} s", counted(*nodes, "node"))
        }
        Some(other) => line += &format!(", as line {other} up to symmetry and inversion"),
        None => {
            line += &format!(
                ", {table}, {}, {}, {seconds:.3} s",
                counted(*nodes, "node"),
                counted(*probes, "probe")
            )
        }
    }
    if let (Some(known), true) = (&answer.best_known, solutions.is_empty()) {
        line += &format!(" // best known: {}", rewritten(known));
    }
    if let Some(moves) = &answer.optimal_moves {
        line += &format!(" // optimal moves: {}", moves.join(" "));
    }
    let sentences = answer.explanation.iter().flat_map(Explanation::sentences);
    let placed = |(number, other): (usize, &String)| match places
        .get(number + 1)
        .filter(|place| !place.is_empty())
    {
        Some(place) => format!("{other}, {place}"),
        None => other.clone(),
    };
    for comment in others.iter().enumerate().map(placed).chain(sentences) {
        line += &format!(" // {comment}");
    }
    writeln!(out, "{line}")?;
    out.flush()
}

/// Returns the moves of the position, if it was given as moves and the format depends on them. A
/// result does not store the NISS setting, but its facelets determine the reading.
fn given(answer: &SolveResult, form: SolutionFormat) -> Option<Sequence> {
    let is_needed = matches!(form, SolutionFormat::Link | SolutionFormat::Niss)
        && answer.format == Format::Moves.name();
    let readings = [false, true].into_iter().filter(|_| is_needed);
    let mut sequences = readings.filter_map(|niss| {
        parse_moves(
            &answer.input,
            &ParseOptions {
                niss,
                ..ParseOptions::default()
            },
        )
        .ok()
    });
    sequences.find(|sequence| sequence.position().facelets() == answer.facelets)
}

/// The columns of CSV, which are fields of [`SolveResult`] and [`SolveFailure`].
const COLUMNS: &str = "line,input,format,facelets,metric,optimal,length,lower_bound,upper_bound,solutions,solution_count,\
                       stop_reason,best_known,symmetries,nodes,probes,seconds,table,engine,equivalent_to_line,explanation,error,goal,allowed_moves,costs,\
                       variants,unreachable,optimal_moves,neighbor_distances,name";

/// Returns the cells of a line of CSV. Several solutions are separated by semicolons, and so are
/// the sentences of an explanation.
fn cells(outcome: &EntryOutcome) -> serde_json::Result<Vec<String>> {
    let mut object = match outcome {
        EntryOutcome::Answer(answer) => serde_json::to_value(answer)?,
        EntryOutcome::Unreadable(failure) => serde_json::to_value(failure)?,
    };
    if let EntryOutcome::Answer(answer) = outcome {
        object["explanation"] = answer
            .explanation
            .as_ref()
            .map(Explanation::sentences)
            .into();
    }
    // No bound is known.
    for bound in ["lower_bound", "upper_bound"] {
        if object[bound] == u8::MAX {
            object[bound] = Value::Null;
        }
    }
    object["optimal"] = (object["optimal"] == true).into();
    object["solution_count"] = object["solution_count"].as_u64().unwrap_or(0).into();
    let cell = |column: &str| match &object[column] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let text = |value: &Value| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            };
            values.iter().map(text).collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    };
    Ok(COLUMNS.split(',').map(cell).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_stopped_the_search() {
        for (stop, said) in [
            (StopReason::MaxLength, ", stopped by --max-length,"),
            (StopReason::Timeout, ", stopped by --timeout,"),
            (StopReason::Memory, ", stopped by --states,"),
            (StopReason::Interrupt, ", interrupted,"),
        ] {
            let result = SolveResult {
                stop_reason: Some(stop),
                ..SolveResult::default()
            };
            let mut out = Vec::new();
            write_text(&mut out, &result, OutputStyle::default()).unwrap();
            let line = String::from_utf8(out).unwrap();
            assert!(line.contains(said), "{line}");
        }
    }

    #[test]
    fn brackets_of_niss_are_named_as_the_cube_is_held_at_first() {
        let input = "y R U F2 D";
        let sequence = parse_moves(input, &ParseOptions::default()).unwrap();
        let result = SolveResult {
            input: input.to_owned(),
            format: Format::Moves.name().to_owned(),
            facelets: sequence.position().facelets(),
            solutions: vec!["D' F2 U' R'".to_owned()],
            ..SolveResult::default()
        };
        let style = OutputStyle {
            form: SolutionFormat::Niss,
            solutions_only: true,
            ..OutputStyle::default()
        };
        let mut out = Vec::new();
        write_text(&mut out, &result, style).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "D' F2 (B U)\n");
    }
}
