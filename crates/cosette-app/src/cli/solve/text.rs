//! Human-readable results.
//!
//! The result of the position on the command line takes a few lines. The result of a line of
//! standard input takes one line, with everything except the solution in a comment, so that it can
//! be parsed as moves.

use crate::answer::{Answer, Preferred, StopReason};
use crate::cli::{BOLD, DIM};
use crate::explain::Explanation;
use crate::name::written_name;
use crate::solution_format::SolutionFormat;
use crate::units::counted;
use cosette::cube::{Metric, Move, Sequence};
use cosette::search::SolutionCount;
use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

/// Writes a result in several lines.
pub fn write(out: &mut impl Write, answer: &Answer<'_>, form: SolutionFormat) -> io::Result<()> {
    let report = &answer.report;
    for solution in report
        .solutions
        .iter()
        .filter(|solution| !solution.is_empty())
    {
        writeln!(out, "{BOLD}{}{BOLD:#}", form.write(solution, given(answer)))?;
    }
    write!(out, "{}", label(answer.name.as_deref()))?;
    match report.length() {
        Some(0) if towards(answer).is_empty() => writeln!(out, "already solved")?,
        Some(length) => {
            let length = in_metric(length.into(), answer.engine.metric);
            let towards = towards(answer);
            writeln!(out, "{length}{towards}, {}", how_many(answer))?;
        }
        None if !answer.engine.is_optimal => write_unproven(out, answer, form)?,
        None => write_bounds(out, answer, form)?,
    }
    if let Some(stop) = answer.stop_reason {
        writeln!(out, "{}", after_stop(stop, answer.run_time))?;
    }
    writeln!(out, "{DIM}{}{DIM:#}", Cost(answer))?;
    let sentences = answer.explanation.iter().flat_map(Explanation::sentences);
    sentences
        .into_iter()
        .try_for_each(|sentence| writeln!(out, "{sentence}"))?;
    out.flush()
}

/// Writes a result in one line.
pub fn write_line(
    out: &mut impl Write,
    answer: &Answer<'_>,
    form: SolutionFormat,
) -> io::Result<()> {
    let report = &answer.report;
    let metric = answer.engine.metric;
    let unproven = answer.best_known().filter(|_| !answer.engine.is_optimal);
    let solutions: Vec<String> = solutions(answer)
        .map(|solution| form.write(solution, given(answer)))
        .collect();
    let what = match report.length() {
        Some(length) => format!("{length} {metric}, proven"),
        None => match unproven {
            Some(solution) => format!("{} {metric}, not proven", metric.length(solution)),
            None => format!("{} {metric}, not solved", Bounds(answer)),
        },
    };
    let stopped = answer
        .stop_reason
        .map(|stop| format!(", {}", after_stop(stop, answer.run_time)))
        .unwrap_or_default();
    // Further solutions are comments too.
    let (first, others) = solutions
        .split_first()
        .map_or(("", &[][..]), |(first, others)| (first, others));
    write!(
        out,
        "{BOLD}{first}{BOLD:#}{}",
        if first.is_empty() { "" } else { "  " }
    )?;
    write!(
        out,
        "// {}{what}{stopped}, {}",
        label(answer.name.as_deref()),
        Cost(answer)
    )?;
    for other in others {
        write!(out, " // {other}")?;
    }
    for sentence in answer.explanation.iter().flat_map(Explanation::sentences) {
        write!(out, " // {sentence}")?;
    }
    writeln!(out)?;
    out.flush()
}

/// Writes only the solutions, one per line; nothing if there are none.
pub fn write_solutions(
    out: &mut impl Write,
    answer: &Answer<'_>,
    form: SolutionFormat,
) -> io::Result<()> {
    solutions(answer)
        .try_for_each(|solution| writeln!(out, "{}", form.write(solution, given(answer))))?;
    out.flush()
}

/// Writes only the solutions, in one line; if there are none, writes the result like
/// [`write_line`].
pub fn write_solutions_in_line(
    out: &mut impl Write,
    answer: &Answer<'_>,
    form: SolutionFormat,
) -> io::Result<()> {
    let written: Vec<String> = solutions(answer)
        .map(|solution| form.write(solution, given(answer)))
        .collect();
    if written.is_empty() {
        return write_line(out, answer, form);
    }
    writeln!(out, "{}", written.join(" // "))?;
    out.flush()
}

/// Returns the name of a position as the label of its result.
pub fn label(name: Option<&str>) -> String {
    name.map(|name| format!("{}: ", written_name(name)))
        .unwrap_or_default()
}

/// Returns the moves of the position, if it was given as moves.
fn given<'a>(answer: &'a Answer<'_>) -> Option<&'a Sequence> {
    answer.input.sequence.as_ref()
}

/// Returns the requested solutions: proven ones, or the solution of an engine without proofs.
fn solutions<'a>(answer: &'a Answer<'_>) -> impl Iterator<Item = &'a [Move]> {
    let unproven = answer.best_known().filter(|_| !answer.engine.is_optimal);
    answer
        .report
        .solutions
        .iter()
        .map(Vec::as_slice)
        .chain(unproven)
}

/// Writes the solution of an engine that does not prove it shortest.
fn write_unproven(
    out: &mut impl Write,
    answer: &Answer<'_>,
    form: SolutionFormat,
) -> io::Result<()> {
    match answer.best_known() {
        Some(solution) => {
            writeln!(out, "{BOLD}{}{BOLD:#}", form.write(solution, given(answer)))?;
            writeln!(
                out,
                "{}, not proven shortest by this engine",
                length_of(solution, answer)
            )
        }
        None => writeln!(out, "no solution found"),
    }
}

/// Writes the bounds if the shortest solution is not known.
fn write_bounds(out: &mut impl Write, answer: &Answer<'_>, form: SolutionFormat) -> io::Result<()> {
    let bounds = Bounds(answer);
    let noun = noun(answer.engine.metric);
    let towards = towards(answer);
    writeln!(
        out,
        "not solved: the shortest solution{towards} has {bounds} {noun}s"
    )?;
    if let Some(known) = answer.best_known() {
        let (length, known) = (length_of(known, answer), form.write(known, given(answer)));
        writeln!(out, "best solution known, {length}: {BOLD}{known}{BOLD:#}")?;
    }
    Ok(())
}

/// Returns the description of the goal, if it is another position than the solved cube, so that the
/// user notices a misunderstanding.
fn towards(answer: &Answer<'_>) -> String {
    let target = answer
        .target
        .as_ref()
        .filter(|(_, target)| !target.is_solved());
    target
        .map(|(text, _)| format!(" to the position {text}"))
        .unwrap_or_default()
}

/// The bounds of the length: `18 to 20`, or `at least 18`.
struct Bounds<'a>(&'a Answer<'a>);

impl fmt::Display for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = self.0.report.lower_bound;
        match self.0.known_upper_bound() {
            Some(most) => write!(f, "{least} to {most}"),
            None => write!(f, "at least {least}"),
        }
    }
}

/// Returns the unit of lengths in a metric.
fn noun(metric: Metric) -> &'static str {
    match metric {
        Metric::Htm => "move",
        Metric::Qtm => "quarter turn",
    }
}

/// Formats a length: `1 move`, `18 quarter turns`.
fn in_metric(length: usize, metric: Metric) -> String {
    counted(length as u64, noun(metric))
}

/// Formats the length of a solution in the metric of its engine.
fn length_of(solution: &[Move], answer: &Answer<'_>) -> String {
    in_metric(answer.engine.metric.length(solution), answer.engine.metric)
}

/// Describes the proof, and the number of solutions if several were requested.
fn how_many(answer: &Answer<'_>) -> String {
    let count = answer.report.solutions.len();
    let order = if answer
        .report
        .solutions
        .iter()
        .any(|moves| can_be_reordered(moves))
    {
        UP_TO_ORDER
    } else {
        ""
    };
    let found = match answer.solution_count {
        SolutionCount::ONE => "",
        _ if answer.is_complete() && count == 1 => &format!("; the only solution{order}"),
        _ if answer.is_complete() && count == 2 => {
            &format!("; both solutions, including symmetric ones{order}")
        }
        _ if answer.is_complete() => {
            &format!("; all {count} solutions, including symmetric ones{order}")
        }
        _ if count == 1 => "; 1 solution, possibly more",
        _ => &format!("; {count} solutions, possibly more"),
    };
    let preferred = answer
        .preferred
        .map(|preferred| among(answer, preferred))
        .unwrap_or_default();
    format!("proven shortest{found}{preferred}")
}

/// Remark for solutions that represent others which differ only in the order of turns of opposite
/// faces.
const UP_TO_ORDER: &str = ", up to the order of opposite faces";

/// Returns `true` if two consecutive moves turn opposite faces.
fn can_be_reordered(moves: &[Move]) -> bool {
    moves
        .windows(2)
        .any(|two| two[0].face().axis() == two[1].face().axis())
}

/// Compares the preferred solution with all shortest solutions.
fn among(answer: &Answer<'_>, Preferred { metric, among }: Preferred) -> String {
    let least = answer
        .report
        .solutions
        .first()
        .map_or(0, |solution| metric.length(solution));
    match among {
        1 => format!("; {} in its only solution", in_metric(least, metric)),
        2 => format!(
            "; {}, the fewest of both solutions",
            in_metric(least, metric)
        ),
        _ => format!(
            "; {}, the fewest of all {among} solutions",
            in_metric(least, metric)
        ),
    }
}

fn after_stop(stop: StopReason, run_time: Duration) -> String {
    match stop {
        StopReason::MaxLength => "stopped at --max-length".into(),
        StopReason::Timeout => format!("stopped by --timeout after {}", Seconds(run_time)),
        StopReason::Memory => "stopped at --states, the limit on stored states".into(),
        StopReason::Interrupt => format!("interrupted after {}", Seconds(run_time)),
    }
}

/// Formatter of the cost of a result: tables, nodes, probes and time.
struct Cost<'a>(&'a Answer<'a>);

impl fmt::Display for Cost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Answer {
            report, engine: by, ..
        } = self.0;
        let nodes = counted(report.nodes(), "node");
        let probes = counted(report.probes(), "probe");
        write!(
            f,
            "{}, {nodes}, {probes}, {}",
            by.tables,
            Seconds(report.elapsed)
        )
    }
}

struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        if seconds < 10.0 {
            write!(f, "{seconds:.3} s")
        } else {
            write!(f, "{seconds:.1} s")
        }
    }
}
