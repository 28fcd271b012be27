//! Output of results, one per line: text, CSV or JSON.

use crate::events::{SolveFailure, write_line};
use crate::name::written_name;
use crate::solution_format::SolutionFormat;
use crate::units::counted;
use cosette::cube::{Format, ParseOptions, Sequence, parse_moves};
use cosette::search::Explanation;
use cosette::search::SolveResult;
use cosette::search::StopReason;
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

/// A writer of results, in any order or in that of the list.
pub struct BatchOutput<W: Write> {
    out: W,
    style: OutputStyle,
    has_header: bool,
    /// The index of the next outcome to write in the order of the list.
    next: usize,
    /// The last line of the list whose outcome was written.
    line: usize,
    /// Outcomes that wait for earlier ones.
    held: BTreeMap<usize, EntryOutcome>,
}

/// The outcome of an entry of a list: a result, or the error of a text that is not a position.
type EntryOutcome = Result<SolveResult, SolveFailure>;

impl<W: Write> BatchOutput<W> {
    /// Creates a writer to `out`.
    pub fn new(style: OutputStyle, out: W) -> BatchOutput<W> {
        BatchOutput {
            out,
            style,
            has_header: false,
            next: 0,
            line: 0,
            held: BTreeMap::new(),
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
        self.held.insert(number, outcome);
        while let Some(outcome) = self.held.remove(&self.next) {
            self.next += 1;
            self.write_next(&outcome)?;
        }
        Ok(())
    }

    /// Writes the outcomes that still wait for earlier ones. Fills text in the order of the list up
    /// to `lines` lines with blank lines.
    ///
    /// # Errors
    ///
    /// Returns the error of the underlying writer.
    pub fn finish(mut self, lines: usize) -> io::Result<()> {
        for outcome in std::mem::take(&mut self.held).values() {
            self.write_next(outcome)?;
        }
        if self.style.ordered && self.style.layout == OutputFormat::Text {
            self.write_blank(lines)?;
        }
        Ok(())
    }

    /// Writes blank lines for the lines of the list after the last written one, up to this line.
    fn write_blank(&mut self, line: usize) -> io::Result<()> {
        (self.line..line).try_for_each(|_| writeln!(self.out))
    }

    /// Writes an outcome in the order of the list.
    fn write_next(&mut self, outcome: &EntryOutcome) -> io::Result<()> {
        let line = match outcome {
            Ok(answer) => answer.line,
            Err(failure) => failure.line,
        };
        if let (OutputFormat::Text, Some(line)) = (self.style.layout, line) {
            self.write_blank(line - 1)?;
            self.line = line;
        }
        self.write_now(outcome)
    }

    fn write_now(&mut self, outcome: &EntryOutcome) -> io::Result<()> {
        let out = &mut self.out;
        match (self.style.layout, outcome) {
            (OutputFormat::Text, Ok(answer)) => write_text(out, answer, self.style),
            // Users of text output get the error with its location on standard error.
            (OutputFormat::Text, Err(failure)) => match failure.line {
                Some(line) if self.style.ordered => {
                    writeln!(out, "// line {line}: not a position")
                }
                _ => Ok(()),
            },
            (OutputFormat::Csv, outcome) => {
                let mut out = csv::Writer::from_writer(out);
                if !std::mem::replace(&mut self.has_header, true) {
                    out.write_record(COLUMNS.split(','))?;
                }
                out.write_record(cells(outcome)?)?;
                out.flush()
            }
            (OutputFormat::Json, Ok(answer)) => write_line(out, answer),
            (OutputFormat::Json, Err(failure)) => write_line(out, failure),
        }
    }
}

/// Writes a result as one line: the first solution, and everything else in comments. The line can
/// thus be read back as moves.
///
/// # Errors
///
/// Returns the error of the underlying writer.
pub fn write_text(
    out: &mut impl Write,
    answer: &SolveResult,
    style: OutputStyle,
) -> io::Result<()> {
    // The solution of an engine that proves nothing is only in `best_known`.
    let is_unproven = answer.stop_reason.is_none() && answer.solutions.is_empty();
    let unproven = answer.best_known.iter().filter(|_| is_unproven);
    let given = given_moves(answer, style.form);
    let rewritten = |solution: &String| style.form.rewrite(solution, given.as_ref());
    let solutions = answer.solutions.iter().chain(unproven);
    let solutions: Vec<String> = solutions.map(rewritten).collect();
    if style.solutions_only && !solutions.is_empty() {
        writeln!(out, "{}", solutions.join(" // "))?;
        return out.flush();
    }
    let first = solutions.first().map_or("", String::as_str);
    let space = if first.is_empty() { "" } else { "  " };
    let mut comments = vec![statement(answer, !solutions.is_empty())];
    if let (Some(known), true) = (&answer.best_known, solutions.is_empty()) {
        comments.push(format!("best known: {}", rewritten(known)));
    }
    if let Some(moves) = &answer.optimal_moves {
        comments.push(format!("optimal moves: {}", moves.join(" ")));
    }
    for (index, other) in solutions.iter().enumerate().skip(1) {
        comments.push(format!("{other}{}", variant(answer, index)));
    }
    comments.extend(answer.explanation.iter().flat_map(Explanation::sentences));
    writeln!(out, "{first}{space}// {}", comments.join(" // "))?;
    out.flush()
}

/// Returns the variant of the goal that the solution with this index reaches, after a comma; empty
/// if it has no name.
fn variant(answer: &SolveResult, index: usize) -> String {
    let variants = answer.variants.as_ref();
    let variant = variants.and_then(|variants| variants.get(index));
    match variant {
        Some(variant) if !variant.is_empty() => format!(", {variant}"),
        _ => String::new(),
    }
}

/// Returns the line, the name, the length or its bounds, and the effort of the search.
fn statement(answer: &SolveResult, has_solution: bool) -> String {
    let SolveResult {
        metric,
        lower_bound,
        upper_bound,
        seconds,
        table,
        ..
    } = answer;
    let mut labels: Vec<String> = answer
        .line
        .iter()
        .map(|line| format!("line {line}"))
        .collect();
    labels.extend(answer.name.as_deref().map(written_name));
    let label = match labels.is_empty() {
        true => String::new(),
        false => format!("{}: ", labels.join(", ")),
    };
    let length = match (answer.length, &answer.unreachable) {
        (Some(length), _) => format!("{length} {metric}, proven"),
        (None, Some(reason)) => reason.clone(),
        _ if answer.variants.is_some() => format!("at least {lower_bound} {metric}, not solved"),
        _ if has_solution => {
            let length = answer.best_known_length().unwrap_or_default();
            format!("{length} {metric}, not proven")
        }
        _ => format!("{lower_bound} to {upper_bound} {metric}, not solved"),
    };
    let stopped = match answer.stop_reason {
        None => "",
        Some(StopReason::Interrupt) => ", interrupted",
        Some(StopReason::MaxLength) => ", stopped by --max-length",
        Some(StopReason::Timeout) => ", stopped by --timeout",
        // Only Lee's engine of the lab limits memory, by the number of states.
        Some(StopReason::Memory) => ", stopped by --states",
    };
    let nodes = counted(answer.nodes, "node");
    let probes = counted(answer.probes, "probe");
    let effort = match answer.equivalent_to_line {
        Some(other) => format!("as line {other} up to symmetry and inversion"),
        None if answer.variants.is_some() => format!("{nodes}, {seconds:.3} s"),
        None => format!("{table}, {nodes}, {probes}, {seconds:.3} s"),
    };
    let variant = variant(answer, 0);
    format!("{label}{length}{stopped}{variant}, {effort}")
}

/// Returns the moves of the position, if it was given as moves and the format depends on them. A
/// result does not store whether its input was read as NISS; the moves are read in the way that
/// gives its facelets.
fn given_moves(answer: &SolveResult, form: SolutionFormat) -> Option<Sequence> {
    let is_needed = matches!(form, SolutionFormat::Link | SolutionFormat::Niss)
        && answer.format == Format::Moves.name();
    let readings = [false, true].into_iter().filter(|_| is_needed);
    let mut sequences = readings.filter_map(|niss| {
        let options = ParseOptions {
            niss,
            ..ParseOptions::default()
        };
        parse_moves(&answer.input, &options).ok()
    });
    sequences.find(|sequence| sequence.position().facelets() == answer.facelets)
}

/// The columns of CSV, which are fields of [`SolveResult`] and [`SolveFailure`].
const COLUMNS: &str = "line,input,format,facelets,metric,optimal,length,lower_bound,upper_bound,\
                       solutions,solution_count,stop_reason,best_known,symmetries,nodes,probes,\
                       seconds,table,engine,equivalent_to_line,explanation,error,goal,\
                       allowed_moves,costs,variants,unreachable,optimal_moves,\
                       neighbor_distances,name";

/// Returns the cells of a line of CSV. Several values in a cell, such as solutions or the sentences
/// of an explanation, are separated by semicolons.
fn cells(outcome: &EntryOutcome) -> serde_json::Result<Vec<String>> {
    let mut object = match outcome {
        Ok(answer) => {
            let mut object = serde_json::to_value(answer)?;
            let explanation = answer.explanation.as_ref();
            object["explanation"] = explanation.map(Explanation::sentences).into();
            object
        }
        Err(failure) => serde_json::to_value(failure)?,
    };
    // This value stands for an unknown bound.
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
            let texts = values.iter().map(|value| match value.as_str() {
                Some(text) => text.to_owned(),
                None => value.to_string(),
            });
            texts.collect::<Vec<_>>().join("; ")
        }
        other => other.to_string(),
    };
    Ok(COLUMNS.split(',').map(cell).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(result: &SolveResult, style: OutputStyle) -> String {
        let mut out = Vec::new();
        write_text(&mut out, result, style).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_line_names_the_limit_that_stopped_the_search() {
        for (reason, expected) in [
            (StopReason::MaxLength, ", stopped by --max-length,"),
            (StopReason::Timeout, ", stopped by --timeout,"),
            (StopReason::Memory, ", stopped by --states,"),
            (StopReason::Interrupt, ", interrupted,"),
        ] {
            let mut result = SolveResult::default();
            result.stop_reason = Some(reason);
            let line = written(&result, OutputStyle::default());
            assert!(line.contains(expected), "{line}");
        }
    }

    #[test]
    fn moves_in_niss_parentheses_are_in_the_initial_frame() {
        let input = "y R U F2 D";
        let sequence = parse_moves(input, &ParseOptions::default()).unwrap();
        let mut result = SolveResult::default();
        result.input = input.to_owned();
        result.format = Format::Moves.name().to_owned();
        result.facelets = sequence.position().facelets();
        result.solutions = vec!["D' F2 U' R'".to_owned()];
        let style = OutputStyle {
            form: SolutionFormat::Niss,
            solutions_only: true,
            ..OutputStyle::default()
        };
        assert_eq!(written(&result, style), "D' F2 (B U)\n");
    }
}
