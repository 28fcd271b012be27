//! The creation of the result for a position from the report of a search, after each solution has
//! been applied to the position once more.

use crate::request::{GoalRequest, Request};
use cosette::cube::{DisplayMoves, Input, Metric, Move, canonical, inverse};
use cosette::goal::{GoalReport, GoalSolution};
use cosette::search::{
    Explanation, Options, Outcome, Report, SolutionCount, SolveResult, StopReason,
};
use cosette::table::TableId;

/// The engine of a result, with its tables.
#[derive(Clone, Debug)]
pub struct EngineInfo {
    /// The name of the engine, as in `cosette-lab solve --engine korf`.
    pub engine: &'static str,
    /// The metric.
    pub metric: Metric,
    /// The name of its tables.
    pub tables: String,
    /// `true` if its solutions are proven shortest.
    pub is_optimal: bool,
}

impl EngineInfo {
    /// Describes the engine of this program with a table.
    pub fn table(table: TableId) -> EngineInfo {
        EngineInfo {
            engine: "cosette",
            metric: table.metric,
            tables: table.to_string(),
            is_optimal: true,
        }
    }
}

/// Error of a solution that does not solve its position: a bug in the search.
#[derive(Clone, Debug, thiserror::Error)]
#[error("internal error: `{solution}` does not solve the position {facelets}")]
pub struct InvalidSolution {
    /// The sequence.
    pub solution: String,
    /// The position.
    pub facelets: String,
}

/// A position, with the text from which it was parsed.
#[derive(Clone, Copy)]
pub struct ParsedPosition<'a> {
    /// The text, without the name.
    pub text: &'a str,
    /// The name.
    pub name: Option<&'a str>,
    /// The line number in a list of positions, counted from one.
    pub line: Option<usize>,
    /// The position, [relative](Request::parse_position) to the target of the request.
    pub input: &'a Input,
}

impl<'a> ParsedPosition<'a> {
    /// Creates a single position without a name.
    pub fn unnamed(text: &'a str, input: &'a Input) -> ParsedPosition<'a> {
        ParsedPosition {
            text,
            name: None,
            line: None,
            input,
        }
    }

    /// Sets the text, its format, name and line in a result.
    fn describe(&self, result: &mut SolveResult) {
        result.input = self.text.to_owned();
        result.format = self.input.format.name().to_owned();
        result.name = self.name.map(str::to_owned);
        result.line = self.line;
    }
}

/// Creates the result of a search of the whole cube. The inverse of the input moves is a known
/// solution for every optimal engine, even if the engine did not receive it: it may be the best
/// known one, and is shortest if all shorter lengths are ruled out.
///
/// # Errors
///
/// Returns [`InvalidSolution`] if a solution does not solve the position when it is applied again,
/// independently of the search.
pub fn checked_result(
    position: &ParsedPosition<'_>,
    request: &Request,
    options: &Options<'_>,
    mut report: Report,
    engine: &EngineInfo,
) -> Result<SolveResult, InvalidSolution> {
    adopt_known_solution(&mut report, position.input, options, engine);
    check_report(&report, position.input, engine.metric)?;
    let target = request.target();
    let cube = target.map_or(position.input.cube, |target| target * position.input.cube);
    let mut result = SolveResult::from_report(engine.metric, &cube, &report);
    position.describe(&mut result);
    result.goal = request.goal.clone().filter(|_| target.is_some());
    result.stop_reason = stop_reason(&report, options, engine);
    result.complete = engine.is_optimal && result.stop_reason.is_none();
    result.table = engine.tables.clone();
    result.engine = engine.engine.to_owned();
    if request.explain {
        // The common properties of solutions to another target do not apply to this position.
        let explains_solutions = target.is_none() && result.has_all_solutions();
        let all = explains_solutions.then_some(&report.solutions[..]);
        result.explanation = Some(Explanation::new(&cube, all));
    }
    if let Some(metric) = request.prefer
        && result.has_all_solutions()
    {
        result.preferred_among = Some(report.solutions.len());
        let best = report
            .solutions
            .iter()
            .min_by_key(|moves| metric.length(moves));
        let best = best.map(|moves| DisplayMoves(moves).to_string());
        result.solutions = best.into_iter().collect();
        result.solution_count = result.solutions.len();
    }
    Ok(result)
}

/// Creates the result of a search for a goal.
///
/// # Errors
///
/// Returns [`InvalidSolution`] if a solution does not reach the goal when it is applied again,
/// independently of the search.
pub fn checked_goal_result(
    position: &ParsedPosition<'_>,
    request: &Request,
    GoalRequest { goal, turns, .. }: &GoalRequest,
    report: &GoalReport,
) -> Result<SolveResult, InvalidSolution> {
    let cube = &position.input.cube;
    let is_wrong = |solution: &&GoalSolution| !goal.is_met(&cube.apply_moves(&solution.moves()));
    if let Some(wrong) = report.solutions.iter().find(is_wrong) {
        return Err(InvalidSolution {
            solution: wrong.to_string(),
            facelets: cube.facelets(),
        });
    }
    let mut result = SolveResult::from_goal_report(goal, turns, request.metric, cube, report);
    position.describe(&mut result);
    Ok(result)
}

/// Sets the best known solution of a report, which may be the inverse of the input moves, and makes
/// it the solution of the report if it is proven shortest.
fn adopt_known_solution(
    report: &mut Report,
    input: &Input,
    options: &Options<'_>,
    engine: &EngineInfo,
) {
    let length = |moves: &Vec<Move>| engine.metric.length(moves);
    let inverse = inverse_of_input(input).filter(|_| engine.is_optimal);
    let known = report.best_known.take().into_iter().chain(inverse);
    report.best_known = known.min_by_key(length);
    if let Some(known) = &report.best_known
        && length(known) == usize::from(report.lower_bound)
        && options.solution_count == SolutionCount::ONE
        && report.solutions.is_empty()
    {
        // The search stopped when the lower bound had reached the length of a known solution: it is
        // shortest.
        report.solutions.push(known.clone());
        report.outcome = Outcome::Optimal;
    }
}

/// Returns the reason why the search of a report ended early, if it did.
fn stop_reason(report: &Report, options: &Options<'_>, engine: &EngineInfo) -> Option<StopReason> {
    let max_length = options.max_length.map_or(usize::MAX, usize::from);
    let known = report.best_known.as_ref();
    let is_within_limit = known.is_some_and(|moves| engine.metric.length(moves) <= max_length);
    let stop_reason = match report.outcome {
        // The solution of an engine that is not optimal is too long.
        Outcome::Unproven => Some(StopReason::MaxLength),
        outcome => outcome.stop_reason(),
    };
    let is_final = !engine.is_optimal && is_within_limit;
    stop_reason.filter(|&reason| reason == StopReason::Interrupt || !is_final)
}

/// Checks that the solutions of a report solve the position and have the proven length.
fn check_report(report: &Report, input: &Input, metric: Metric) -> Result<(), InvalidSolution> {
    let solves = |moves: &[Move]| input.cube.apply_moves(moves).is_solved();
    let is_shortest = |moves: &[Move]| metric.length(moves) == usize::from(report.lower_bound);
    let mut solutions = report.solutions.iter();
    let wrong_solution = solutions.find(|moves| !solves(moves) || !is_shortest(moves));
    let wrong_known = report.best_known.as_ref().filter(|moves| !solves(moves));
    match wrong_solution.or(wrong_known) {
        None => Ok(()),
        Some(wrong) => Err(InvalidSolution {
            solution: DisplayMoves(wrong).to_string(),
            facelets: input.cube.facelets(),
        }),
    }
}

/// Returns `true` if this length is within God's number, the maximum for any position.
pub fn is_within_diameter(length: usize, metric: Metric) -> bool {
    length <= metric.diameter().into()
}

/// Returns a solution known before the search: the inverse of the input moves, if it is within
/// God's number.
pub fn known_solution(input: &Input, metric: Metric) -> Option<Vec<Move>> {
    inverse_of_input(input).filter(|moves| is_within_diameter(metric.length(moves), metric))
}

/// Returns the inverse of the input moves, if it solves the position.
fn inverse_of_input(input: &Input) -> Option<Vec<Move>> {
    let inverse = input
        .sequence
        .as_ref()
        .map(|sequence| canonical(&inverse(sequence.moves())));
    // With another target than the solved cube, the inverse does not reach it.
    inverse.filter(|inverse| input.cube.apply_moves(inverse).is_solved())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::CancelReason;
    use cosette::cube::{ParseOptions, parse_position};

    #[test]
    fn the_result_of_every_engine_states_an_interruption() {
        let text = "R U F";
        let input = parse_position(text, None, &ParseOptions::default()).unwrap();
        for (is_optimal, reason, stopped) in [
            (true, CancelReason::Requested, Some(StopReason::Interrupt)),
            (false, CancelReason::Requested, Some(StopReason::Interrupt)),
            (true, CancelReason::TimedOut, Some(StopReason::Timeout)),
            (false, CancelReason::TimedOut, None),
        ] {
            let mut report = Report::new(&input.cube, Outcome::Cancelled(reason), 0);
            report.best_known = inverse_of_input(&input);
            let engine = EngineInfo {
                engine: "an engine",
                metric: Metric::Htm,
                tables: String::new(),
                is_optimal,
            };
            let result = checked_result(
                &ParsedPosition::unnamed(text, &input),
                &Request::default(),
                &Options::default(),
                report,
                &engine,
            );
            assert_eq!(result.unwrap().stop_reason, stopped);
        }
    }
}
