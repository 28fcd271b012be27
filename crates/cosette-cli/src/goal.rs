//! `cosette solve --to`: the shortest way to a part of the cube, with the turns that are allowed.

use clap::Args;
use cosette::cube::{Input, LayerTurn};
use cosette::goal::{Found, Goal, GoalReport, GoalSolver, TurnMetric, Turns};
use cosette::search::{Outcome, SolutionCount};
use cosette::{CancelReason, Control};
use cosette_app::cli::args::usage;
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::solve::{Output, SharedSolveArgs};
use cosette_app::cli::{lines, stderr};
use cosette_app::json;
use cosette_app::words::counted;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, Write};

/// What is to be reached, and how.
#[derive(Args)]
pub struct GoalArgs {
    /// Find the shortest way to a part: cross, xcross, 2x2x2, 2x2x3, 1x2x3, blocks, f2l, f2l-1, eo, eoline, eocross, dr, htr,
    /// corners, edges, last-layer, with a place as in cross:D or 2x2x2:DLF; or pieces, as in 'UF UR URF'
    ///
    /// Without a place, every place is tried, and those of the shortest solutions are shown. Pieces in braces may be exchanged,
    /// placed(UF UR) asks only for their places and oriented(edges) only that they are not turned; 54 facelets may have dots
    /// where the colour does not matter.
    #[arg(long = "to", value_name = "GOAL")]
    to: Option<String>,
    /// With --to: the turns that are allowed, as in 'R U F2 r M'; a name without a number stands for all its turns
    #[arg(long, value_name = "TURNS", requires = "to")]
    moves: Option<String>,
    /// With --to: what turns cost, where not as the metric counts them, as in 'R2=2 B=3'
    #[arg(long, value_name = "COSTS", requires = "to")]
    cost: Option<String>,
    /// With --to, and --all or -n: also find solutions that are longer than the shortest, by up to this
    #[arg(long, value_name = "LENGTH", requires = "to", default_value_t = 0)]
    slack: u32,
    /// With --to: how turns are counted: in stm and qstm those of slices count as those of faces, in etm those of the whole cube
    /// count too [default: that of --metric]
    #[arg(long, value_name = "METRIC", requires = "to", value_parser = turn_metric_parser())]
    turn_metric: Option<TurnMetric>,
}

fn turn_metric_parser() -> impl clap::builder::TypedValueParser<Value = TurnMetric> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(TurnMetric::ALL.map(TurnMetric::name))
        .map(|name| name.parse().expect("the parser accepts only these names"))
}

/// The answer to a position as JSON.
#[derive(Serialize)]
struct Reached<'a> {
    input: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    format: &'a str,
    facelets: String,
    to: String,
    turns: String,
    metric: &'a str,
    /// Whether `length` is proven to be the shortest.
    optimal: bool,
    length: Option<u32>,
    /// No solution is shorter; `null` if the goal is unreachable.
    lower_bound: Option<u32>,
    solutions: Vec<ReachedBy>,
    solution_count: usize,
    /// Whether these are all that were asked for.
    complete: bool,
    stopped: Option<&'a str>,
    unreachable: Option<&'a str>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct ReachedBy {
    moves: String,
    length: u32,
    place: String,
}

/// A goal whose tables are in memory, and what is asked.
struct Reaching<'a> {
    shared: &'a SharedSolveArgs,
    solver: GoalSolver,
    slack: u32,
    metric: TurnMetric,
    output: Output,
}

impl GoalArgs {
    /// Whether a goal is given.
    pub fn is_given(&self) -> bool {
        self.to.is_some()
    }

    /// Answers the positions. Fails if one on the command line is invalid, or if the output cannot be written.
    pub fn answer(&self, shared: &SharedSolveArgs) -> Result<Exit, Failure> {
        if shared.is_quiet() {
            stderr::be_quiet();
        }
        let request = shared.request.request(None);
        let metric = self.turn_metric.unwrap_or(request.metric.into());
        let refuse = |error: &dyn std::fmt::Display| -> ! { usage(&error.to_string()) };
        let goal: Goal = self.to.as_deref().unwrap_or_default().parse().unwrap_or_else(|error| refuse(&error));
        let moves = self.moves.as_deref().unwrap_or("U R F D L B");
        let turns = Turns::read(moves, metric, self.cost.as_deref().unwrap_or(""));
        let turns = turns.unwrap_or_else(|error| refuse(&error));
        if !shared.reads_lines() {
            // An error in the position does not wait for tables.
            let text = InputText { text: shared.position(), line: None };
            request.read(&text.text).map_err(|error| Failure::NotACube { error, text })?;
        }
        let work = Interruptible::start();
        let control = Control::new(shared.request.solver.store.threads.count()).with_cancel(&work.cancel);
        let Ok(solver) = GoalSolver::new(&goal, &turns, &control) else { return Ok(Exit::Interrupted) };
        drop(work);
        let reaching = Reaching { shared, solver, slack: self.slack, metric, output: shared.output() };
        match shared.reads_lines() {
            true => lines::answer_each(|lines| reaching.output.skipped(lines), |text| reaching.answer(text)),
            false => reaching.answer(&InputText { text: shared.position(), line: None }),
        }
    }
}

impl Reaching<'_> {
    fn answer(&self, text: &InputText) -> Result<Exit, Failure> {
        let request = self.shared.request.request(None);
        let input = match request.read(&text.text) {
            Ok(input) => input,
            Err(error) => {
                let failure = Failure::NotACube { error, text: text.clone() };
                self.output.failure(&failure)?;
                return Err(failure);
            }
        };
        let work = Interruptible::start();
        let cancel = request.limited(&work.cancel);
        let search = self.solver.search(&input.cube).solution_count(request.count).slack(self.slack).cancel(&cancel);
        let report = match request.max_length {
            Some(most) => search.max_cost(most.into()).run(),
            None => search.run(),
        };
        drop(work);
        let exit = match report.outcome {
            Outcome::Cancelled(CancelReason::Requested) => Exit::Interrupted,
            Outcome::Optimal => Exit::Solved,
            _ if report.unreachable.is_some() => Exit::Solved,
            _ => Exit::Limit,
        };
        let mut out = anstream::stdout();
        match self.shared.wants_json() {
            true => json::write_line(&mut out, &self.reached(text, &input, &report))?,
            false if text.line.is_some() => writeln!(out, "{}", self.line(&report))?,
            false if self.shared.is_quiet() => {
                report.found.iter().try_for_each(|found| writeln!(out, "{}", written(&found.turns)))?;
            }
            false => self.write(&mut out, &report)?,
        }
        out.flush()?;
        if let Some(reason) = report.unreachable.filter(|_| self.shared.is_quiet() && text.line.is_none()) {
            stderr::tell(reason);
        }
        Ok(exit)
    }

    /// In several lines: the solutions, and what is proven.
    fn write(&self, out: &mut impl Write, report: &GoalReport) -> io::Result<()> {
        for found in report.found.iter().filter(|found| !found.turns.is_empty()) {
            writeln!(out, "{}", self.with_place(found))?;
        }
        let goal = self.solver.goal();
        match (&report.unreachable, report.found.first()) {
            (Some(reason), _) => writeln!(out, "{goal} cannot be reached: {reason}")?,
            (None, Some(first)) if first.turns.is_empty() => match &first.place[..] {
                "" => writeln!(out, "{goal} is solved already")?,
                place => writeln!(out, "{goal} is solved already: {place}")?,
            },
            (None, Some(first)) => {
                let all = match (self.shared.request.request(None).count, report.outcome) {
                    (SolutionCount::All, Outcome::Optimal) if self.slack == 0 => {
                        format!("all {} shortest solutions", report.found.len())
                    }
                    (SolutionCount::All, Outcome::Optimal) => {
                        format!("all {} solutions of at most {} more", report.found.len(), self.slack)
                    }
                    _ => "proven shortest".into(),
                };
                writeln!(out, "{} {} to {goal}, {all}", first.cost, self.metric.name())?;
            }
            (None, None) => writeln!(out, "not solved: {goal} takes at least {} {}", report.least, self.metric.name())?,
        }
        if let Outcome::Cancelled(_) = report.outcome {
            writeln!(out, "stopped after {:.1} s: there may be more", report.elapsed.as_secs_f64())?;
        }
        let nodes = counted(report.nodes(), "node");
        writeln!(out, "{nodes}, {:.3} s", report.elapsed.as_secs_f64())
    }

    /// In one line that can be read as moves again.
    fn line(&self, report: &GoalReport) -> String {
        let mut line = String::new();
        match (report.found.split_first(), &report.unreachable) {
            (Some((first, others)), _) => {
                let _ = write!(line, "{}  // {} {}", written(&first.turns), first.cost, self.metric.name());
                let place =
                    |found: &Found| if found.place.is_empty() { String::new() } else { format!(", {}", found.place) };
                line += &place(first);
                others.iter().for_each(|other| line += &format!(" // {}{}", written(&other.turns), place(other)));
            }
            (None, Some(reason)) => line = format!("// {reason}"),
            (None, None) => line = format!("// at least {} {}, not solved", report.least, self.metric.name()),
        }
        line
    }

    /// The turns, and where the goal is met if that was not asked.
    fn with_place(&self, found: &Found) -> String {
        let turns = written(&found.turns);
        match found.place.is_empty() || self.solver.goal().places().count() == 1 {
            true => turns,
            false => format!("{turns}  // {}", found.place),
        }
    }

    fn reached<'a>(&'a self, text: &'a InputText, input: &'a Input, report: &'a GoalReport) -> Reached<'a> {
        let by =
            |found: &Found| ReachedBy { moves: written(&found.turns), length: found.cost, place: found.place.clone() };
        Reached {
            input: &text.text,
            line: text.line,
            format: input.format.name(),
            facelets: input.cube.facelets(),
            to: self.solver.goal().to_string(),
            turns: self.solver.turns().to_string(),
            metric: self.metric.name(),
            optimal: !report.found.is_empty(),
            length: report.found.first().map(|found| found.cost),
            lower_bound: report.unreachable.is_none().then_some(report.least),
            solutions: report.found.iter().map(by).collect(),
            solution_count: report.found.len(),
            complete: report.outcome == Outcome::Optimal || report.unreachable.is_some(),
            stopped: match report.outcome {
                Outcome::Cancelled(CancelReason::Requested) => Some("interrupt"),
                Outcome::Cancelled(CancelReason::TimedOut) => Some("timeout"),
                Outcome::NoneWithinLimit if report.unreachable.is_none() => Some("max-length"),
                _ => None,
            },
            unreachable: report.unreachable.as_deref(),
            nodes: report.nodes(),
            seconds: report.elapsed.as_secs_f64(),
        }
    }
}

fn written(turns: &[LayerTurn]) -> String {
    turns.iter().map(LayerTurn::to_string).collect::<Vec<_>>().join(" ")
}
