//! Human-readable results.
//!
//! The result of the position on the command line takes a few lines. The result of a line of
//! standard input takes one line, with everything except the solution in a comment, so that the
//! line can be parsed as moves.

use crate::batch::{self, OutputStyle};
use crate::cli::{BOLD, DIM};
use crate::name::written_name;
use crate::request::Request;
use crate::solution_format::SolutionFormat;
use crate::solve_result::is_within_diameter;
use crate::units::counted;
use cosette::cube::{Input, Metric, Move, ParseOptions, parse_moves};
use cosette::search::Explanation;
use cosette::search::SolutionCount;
use cosette::search::SolveResult;
use cosette::search::StopReason;
use std::io::{self, Write};
use std::time::Duration;

/// A result, with the additional data that its text shows.
pub struct ResultText<'a> {
    /// The result.
    pub result: &'a SolveResult,
    /// The request.
    pub request: &'a Request,
    /// The position.
    pub input: &'a Input,
    /// The format of solutions.
    pub format: SolutionFormat,
    /// The time of this run. For a resumed search, `result` has the time of all runs.
    pub run_time: Duration,
    /// `true` if the solutions of the engine are proven shortest.
    pub is_optimal: bool,
}

impl ResultText<'_> {
    /// Writes the result in several lines.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let SolveResult {
            solutions, costs, ..
        } = self.result;
        for (index, solution) in solutions.iter().enumerate() {
            // An empty solution is shown only with the longer ones of a goal.
            if !solution.is_empty() || costs.is_some() && solutions.len() > 1 {
                let solution = self.rewrite(solution);
                let remarks = self.goal_remarks(index);
                writeln!(out, "{BOLD}{solution}{BOLD:#}{remarks}")?;
            }
        }
        self.write_statements(out)
    }

    /// Writes everything except the proven solutions, in several lines.
    pub fn write_statements(&self, out: &mut impl Write) -> io::Result<()> {
        let result = self.result;
        write!(out, "{}", self.label())?;
        if self.is_of_goal() {
            writeln!(out, "{}", self.goal_statement())?;
        } else {
            self.write_cube_statement(out)?;
        }
        if let Some(stop_text) = self.stop_text() {
            writeln!(out, "{stop_text}")?;
        }
        writeln!(out, "{DIM}{}{DIM:#}", self.effort())?;
        for sentence in result.explanation.iter().flat_map(Explanation::sentences) {
            writeln!(out, "{sentence}")?;
        }
        out.flush()
    }

    /// Writes the result in one line.
    pub fn write_line(&self, out: &mut impl Write) -> io::Result<()> {
        if self.is_of_goal() {
            return self.write_goal_line(out, false);
        }
        let result = self.result;
        let metric = &result.metric;
        let length = match result.length {
            Some(length) => format!("{length} {metric}, proven"),
            None => match result.best_known_length().filter(|_| !self.is_optimal) {
                Some(length) => format!("{length} {metric}, not proven"),
                None => format!("{} {metric}, not solved", self.bounds()),
            },
        };
        let mut solutions = self.shown_solutions().into_iter();
        let first = solutions.next().unwrap_or_default();
        let space = if first.is_empty() { "" } else { "  " };
        write!(out, "{BOLD}{first}{BOLD:#}{space}")?;
        write!(out, "// {}{length}", self.label())?;
        if let Some(stop_text) = self.stop_text() {
            write!(out, ", {stop_text}")?;
        }
        write!(out, ", {}", self.effort())?;
        // Further solutions are comments too.
        let sentences = result.explanation.iter().flat_map(Explanation::sentences);
        for comment in solutions.chain(sentences) {
            write!(out, " // {comment}")?;
        }
        writeln!(out)?;
        out.flush()
    }

    /// Writes only the solutions, one per line. Without solutions, it writes nothing.
    pub fn write_solutions(&self, out: &mut impl Write) -> io::Result<()> {
        for solution in self.shown_solutions() {
            writeln!(out, "{solution}")?;
        }
        out.flush()
    }

    /// Writes only the solutions, in one line. A result without solutions is written like
    /// [`write_line`](ResultText::write_line).
    pub fn write_solutions_in_line(&self, out: &mut impl Write) -> io::Result<()> {
        if self.is_of_goal() {
            return self.write_goal_line(out, true);
        }
        let solutions = self.shown_solutions();
        if solutions.is_empty() {
            return self.write_line(out);
        }
        writeln!(out, "{}", solutions.join(" // "))?;
        out.flush()
    }

    /// Writes the result of a goal in one line, like a batch.
    fn write_goal_line(&self, out: &mut impl Write, solutions_only: bool) -> io::Result<()> {
        let mut result = self.result.clone();
        result.line = None;
        let style = OutputStyle {
            solutions_only,
            ..OutputStyle::default()
        };
        batch::write_text(out, &result, style)
    }

    /// Returns `true` for the result of a goal.
    pub fn is_of_goal(&self) -> bool {
        self.result.variants.is_some()
    }

    /// Returns the name of the position as the label of its result.
    fn label(&self) -> String {
        let name = self.result.name.as_deref();
        name.map(|name| format!("{}: ", written_name(name)))
            .unwrap_or_default()
    }

    /// Converts a solution to the requested format.
    fn rewrite(&self, solution: &str) -> String {
        self.format.rewrite(solution, self.input.sequence.as_ref())
    }

    /// Returns the requested solutions: proven ones, and the solution of an engine without proofs.
    fn shown_solutions(&self) -> Vec<String> {
        let unproven = self.result.best_known.iter().filter(|_| !self.is_optimal);
        let solutions = self.result.solutions.iter().chain(unproven);
        solutions.map(|solution| self.rewrite(solution)).collect()
    }

    /// Describes the reason why the search stopped early, if it did.
    fn stop_text(&self) -> Option<String> {
        let stop_reason = self.result.stop_reason?;
        if self.is_of_goal() {
            let more = match self.result.length {
                Some(_) => ": there may be more solutions",
                None => "",
            };
            let seconds = self.result.seconds;
            return (stop_reason != StopReason::MaxLength)
                .then(|| format!("stopped after {seconds:.1} s{more}"));
        }
        let run_time = seconds(self.run_time.as_secs_f64());
        Some(match stop_reason {
            StopReason::MaxLength => "stopped at --max-length".into(),
            StopReason::Timeout => format!("stopped by --timeout after {run_time}"),
            StopReason::Memory => "stopped at --states, the limit on stored states".into(),
            StopReason::Interrupt => format!("interrupted after {run_time}"),
        })
    }

    /// Returns the effort of the search: tables, nodes, probes and time.
    fn effort(&self) -> String {
        let result = self.result;
        let nodes = counted(result.nodes, "node");
        if self.is_of_goal() {
            return format!("{nodes}, {:.3} s", result.seconds);
        }
        let probes = counted(result.probes, "probe");
        let seconds = seconds(result.seconds);
        format!("{}, {nodes}, {probes}, {seconds}", result.table)
    }

    // The whole cube.

    /// Writes the length of the solutions or its bounds, and the best known solution.
    fn write_cube_statement(&self, out: &mut impl Write) -> io::Result<()> {
        let target = self.target();
        let known = self.result.best_known.as_deref();
        let known = known.map(|known| self.rewrite(known));
        let known_length = self.result.best_known_length().unwrap_or_default();
        let known_length = self.in_metric(known_length);
        match (self.result.length, known) {
            (Some(0), _) if target.is_empty() => writeln!(out, "already solved"),
            (Some(length), _) => {
                let length = self.in_metric(length.into());
                writeln!(out, "{length}{target}, {}", self.cube_proof())
            }
            (None, Some(known)) if !self.is_optimal => {
                writeln!(out, "{BOLD}{known}{BOLD:#}")?;
                writeln!(out, "{known_length}, not proven shortest by this engine")
            }
            (None, None) if !self.is_optimal => writeln!(out, "no solution found"),
            (None, known) => {
                let bounds = self.bounds();
                let noun = noun(self.result.face_metric());
                writeln!(
                    out,
                    "not solved: the shortest solution{target} has {bounds} {noun}s"
                )?;
                if let Some(known) = known {
                    writeln!(
                        out,
                        "best solution known, {known_length}: {BOLD}{known}{BOLD:#}"
                    )?;
                }
                Ok(())
            }
        }
    }

    /// Describes the target, if it is another position than the solved cube, so that the user
    /// notices a goal that was misread.
    fn target(&self) -> String {
        match (self.request.target(), &self.result.goal) {
            (Some(target), Some(text)) if !target.is_solved() => {
                format!(" to the position {text}")
            }
            _ => String::new(),
        }
    }

    /// Returns the bounds of the length: `18 to 20`, or `at least 18`.
    fn bounds(&self) -> String {
        let lower_bound = self.result.lower_bound;
        let metric = self.result.face_metric();
        match self.result.best_known_length() {
            Some(length) if is_within_diameter(length, metric) => {
                format!("{lower_bound} to {length}")
            }
            _ => format!("at least {lower_bound}"),
        }
    }

    fn in_metric(&self, length: usize) -> String {
        in_metric(length, self.result.face_metric())
    }

    /// Describes the proof, and the number of solutions if several were requested.
    fn cube_proof(&self) -> String {
        let result = self.result;
        let solutions: Vec<Vec<Move>> = result.solutions.iter().map(|text| moves(text)).collect();
        if let (Some(metric), Some(among)) = (self.request.prefer, result.preferred_among) {
            let length = solutions.first().map_or(0, |moves| metric.length(moves));
            let length = in_metric(length, metric);
            return match among {
                1 => format!("proven shortest; {length} in its only solution"),
                2 => format!("proven shortest; {length}, the fewest of both solutions"),
                _ => format!("proven shortest; {length}, the fewest of all {among} solutions"),
            };
        }
        if self.request.effective_count() == SolutionCount::ONE {
            return "proven shortest".into();
        }
        let order = match solutions.iter().any(|moves| can_be_reordered(moves)) {
            true => ", up to the order of opposite faces",
            false => "",
        };
        let count = solutions.len();
        let solutions_text = match result.has_all_solutions() {
            true => number_text(count, true, ", including symmetric ones", order),
            false => number_text(count, false, "", ""),
        };
        format!("proven shortest; {solutions_text}")
    }

    // Goals.

    /// Returns the remarks about a solution of a goal: the variant that it reaches, and its cost if
    /// it is not one of the cheapest.
    fn goal_remarks(&self, index: usize) -> String {
        let SolveResult {
            goal,
            length,
            costs: Some(costs),
            variants: Some(variants),
            ..
        } = self.result
        else {
            return String::new();
        };
        let goal = goal.as_deref().unwrap_or_default();
        let variant = &variants[index];
        let cost = costs[index];
        let mut remarks = Vec::new();
        if !variant.is_empty() && !goal.ends_with(&format!(":{variant}")) {
            remarks.push(variant.clone());
        }
        if length.is_none_or(|length| cost > length.into()) {
            remarks.push(self.cost(cost));
        }
        match remarks.is_empty() {
            true => String::new(),
            false => format!("  // {}", remarks.join(", ")),
        }
    }

    /// Describes the cost of the solutions of a goal, its lower bound, or the reason why there are
    /// no solutions.
    fn goal_statement(&self) -> String {
        let result = self.result;
        let goal = result.goal.as_deref().unwrap_or_default();
        match (&result.unreachable, result.length) {
            (Some(reason), _) => format!("no solution: {reason}"),
            (None, Some(0)) => {
                let first = result.variants.iter().flatten().next();
                let variant = first.filter(|variant| !variant.is_empty());
                let variant = variant.map(|variant| format!(" ({variant})"));
                format!("{goal}: already reached{}", variant.unwrap_or_default())
            }
            (None, Some(length)) => {
                let cost = self.cost(length.into());
                format!("{cost} to {goal}, {}", goal_proof(result, self.request))
            }
            (None, None) => {
                let cost = self.cost(result.lower_bound.into());
                format!("not solved: {goal} needs at least {cost}")
            }
        }
    }

    /// Formats a cost. With custom costs, the metric is not its unit.
    fn cost(&self, cost: u32) -> String {
        match self.request.costs {
            Some(_) => format!("cost {cost}"),
            None => format!("{cost} {}", self.result.metric),
        }
    }
}

/// Describes the proof of a goal, and the number of solutions if several were requested.
fn goal_proof(result: &SolveResult, request: &Request) -> String {
    if request.count == SolutionCount::ONE {
        return "proven shortest".into();
    }
    let classes = request.unique_up_to.as_ref().map(|classes| {
        let classes: Vec<&str> = classes.split(',').map(str::trim).collect();
        format!(" up to {}", classes.join(" and "))
    });
    let classes = classes.unwrap_or_default();
    let max_slack = request
        .max_length
        .zip(result.length)
        .map(|(max_length, length)| max_length.saturating_sub(length));
    let slack = max_slack.map_or(request.slack, |max| request.slack.min(max.into()));
    let within = match slack {
        0 => String::new(),
        slack => format!(" within {slack} of the shortest"),
    };
    let are_all = result.complete && result.solution_count < request.count.max();
    let solutions_text = number_text(result.solution_count, are_all, &within, &classes);
    format!("proven shortest; {solutions_text}")
}

/// Describes the number of solutions. `within` names the limit of several solutions, and `classes`
/// the equivalence under which solutions count once.
fn number_text(count: usize, are_all: bool, within: &str, classes: &str) -> String {
    let counted = counted(count as u64, "solution");
    match count {
        _ if !are_all => format!("{counted}{within}{classes}, possibly more"),
        0 => format!("{counted}{within}{classes}"),
        1 => format!("the only solution{classes}"),
        2 => format!("both solutions{within}{classes}"),
        _ => format!("all {counted}{within}{classes}"),
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

/// Returns the moves of a solution.
fn moves(solution: &str) -> Vec<Move> {
    let sequence = parse_moves(solution, &ParseOptions::default());
    sequence.expect("it is a solution").moves().to_vec()
}

/// Returns `true` if two consecutive moves turn opposite faces, so that the solution represents
/// others that differ only in their order.
fn can_be_reordered(moves: &[Move]) -> bool {
    moves
        .windows(2)
        .any(|two| two[0].face().axis() == two[1].face().axis())
}

/// Formats a time.
fn seconds(seconds: f64) -> String {
    if seconds < 10.0 {
        format!("{seconds:.3} s")
    } else {
        format!("{seconds:.1} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slack_is_limited_by_the_maximum_length() {
        let proof = |solution_count, slack, max_length| {
            let mut result = SolveResult::default();
            result.complete = true;
            result.length = Some(5);
            result.solution_count = solution_count;
            let request = Request {
                count: SolutionCount::All,
                slack,
                max_length,
                ..Request::default()
            };
            goal_proof(&result, &request)
        };
        let all_6 = "proven shortest; all 6 solutions";
        assert_eq!(
            proof(6, 3, None),
            format!("{all_6} within 3 of the shortest")
        );
        assert_eq!(
            proof(6, 3, Some(6)),
            format!("{all_6} within 1 of the shortest")
        );
        assert_eq!(proof(6, 3, Some(5)), all_6);
        let both = "proven shortest; both solutions within 1 of the shortest";
        assert_eq!(proof(2, 1, None), both);
    }
}
