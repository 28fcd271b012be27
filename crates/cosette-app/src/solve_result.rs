//! The result for a position: one type for JSON, texts, Python and JavaScript. It is created from
//! the report of a search, after each solution has been applied to the position once more.

use crate::explain::Explanation;
use crate::request::{GoalRequest, Request};
use cosette::cube::{
    DisplayMoves, Input, LayerTurn, Metric, Move, ParseOptions, canonical, inverse, parse_moves,
};
use cosette::goal::{GoalReport, GoalSolution};
use cosette::search::{IterationStats, Options, Outcome, Report, SolutionCount, StopReason};
use cosette::table::TableId;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The result for a position. It guarantees:
///
/// - `optimal`, `length`, `lower_bound`: no shorter sequence of face turns, or of the
///   `allowed_moves`, reaches the solved cube or a variant of the goal and satisfies `starts_with`,
///   `ends_with` and `avoid`. A sequence does not count if it reaches the goal before its end, or
///   with only some of its last turns about one axis. Proven by the exhausted iterations of all
///   shorter lengths ([`Report`], [`GoalReport`]).
/// - `complete`: `solutions` has `count` of the solutions within the slack and the maximum length;
///   all of them if `count` is `all`, or if there are fewer. Solutions that differ only in the
///   order of turns about one axis, or are equivalent under `unique_up_to`, count once. Proven by
///   the iterations up to the maximum of these lengths; the last iteration may have stopped at
///   `count` solutions.
/// - `stop_reason: max-length`: no such sequence up to the maximum length. Proven like
///   `lower_bound`.
/// - `unreachable`: no sequence of the allowed turns, of any length, reaches the goal. Proven by
///   the orbits of pieces under the turns, and by the group that the turns generate on the fully
///   specified pieces.
/// - `optimal_moves`, `neighbor_distances`: they cover all 18 face turns, or the 12 quarter turns.
///   Proven for each position one move away.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SolveResult {
    /// The text of the position.
    pub input: String,
    /// The line number of the position in a list, counted from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The name of the position, if it has one, as in `T-perm: R U R' …`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The detected or requested format of the text.
    pub format: String,
    /// The position, as 54 facelets.
    pub facelets: String,
    /// The metric: `htm` or `qtm`; for a goal also `stm`, `qstm` or `etm`.
    pub metric: String,
    /// The goal, if the request has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The allowed moves, for a goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_moves: Option<String>,
    /// `true` if `length` is proven to be the shortest.
    pub optimal: bool,
    /// The length of the shortest solutions, if it is known.
    pub length: Option<u8>,
    /// The proven lower bound: no solution is shorter.
    pub lower_bound: u8,
    /// The upper bound: the shortest solutions are not longer. 255 if no bound is known.
    pub upper_bound: usize,
    /// The shortest solutions, and with a slack also longer ones, up to the requested number.
    pub solutions: Vec<String>,
    /// The number of `solutions`.
    pub solution_count: usize,
    /// The cost of each solution of a goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub costs: Option<Vec<u32>>,
    /// The variant of the goal that each solution reaches, such as `D` for a cross, or several,
    /// separated by spaces. Empty if the goal has only one variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Vec<String>>,
    /// With `prefer`: the number of shortest solutions among which the preferred one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preferred_among: Option<usize>,
    /// `true` if `solutions` are proven to be all the requested ones.
    pub complete: bool,
    /// The reason why the search stopped early, if it did: `max-length`, `timeout`, `memory` or
    /// `interrupt`.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub stop_reason: Option<StopReason>,
    /// The reason why no sequence of the allowed turns reaches the goal, if none does. The bounds
    /// are then meaningless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreachable: Option<String>,
    /// The best known solution, if no solution is proven shortest.
    pub best_known: Option<String>,
    /// The first moves of all shortest solutions, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_moves: Option<Vec<String>>,
    /// The distances of the positions one move away, if requested: after U, U2, U', R, …, with the
    /// faces in the order U, R, F, D, L, B, and without half turns in the quarter-turn metric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbor_distances: Option<Vec<u8>>,
    /// The number of symmetries, out of 48, that fix the position.
    pub symmetries: usize,
    /// The number of nodes: expanded nodes for the engine `cosette`, generated nodes for all
    /// others.
    pub nodes: u64,
    /// The number of table lookups.
    pub probes: u64,
    /// The time of the search, in seconds. If the search was resumed from a journal, this value,
    /// `nodes` and `probes` include the earlier runs.
    pub seconds: f64,
    /// The name of the table, or of the method that the engine uses instead.
    pub table: String,
    /// The name of the engine.
    pub engine: String,
    /// The iterations, in order of increasing length.
    pub iterations: Vec<IterationSummary>,
    /// The special properties of the position, if requested. `/solve` of the HTTP API always
    /// returns them for the whole cube with face turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// The line number of the position whose search gave this result, if that is another position,
    /// equivalent under symmetry and inversion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equivalent_to_line: Option<usize>,
}

/// An iteration of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IterationSummary {
    /// The length that was searched.
    pub length: u8,
    /// The number of nodes, counted like `nodes` of [`SolveResult`].
    pub nodes: u64,
    /// The number of table lookups.
    pub probes: u64,
    /// The time of the iteration, in seconds.
    pub seconds: f64,
    /// `true` if all sequences of this length were searched.
    pub exhausted: bool,
}

impl From<&IterationStats> for IterationSummary {
    fn from(iteration: &IterationStats) -> IterationSummary {
        IterationSummary {
            length: iteration.length,
            nodes: iteration.nodes,
            probes: iteration.probes,
            seconds: iteration.elapsed.as_secs_f64(),
            exhausted: iteration.exhausted,
        }
    }
}

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
}

impl SolveResult {
    /// Creates the result of a search of the whole cube. The inverse of the input moves is a known
    /// solution for every optimal engine, even if the engine did not receive it: it may be the best
    /// known one, and is shortest if all shorter lengths are ruled out.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidSolution`] if a solution does not solve the position when it is applied
    /// again, independently of the search.
    pub fn from_report(
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
        let stop_reason = stop_reason(&report, options, engine);
        let best_known = report.best_known.take();
        let best_known = best_known.filter(|_| report.solutions.is_empty());
        let diameter = usize::from(engine.metric.diameter());
        let known_length = best_known.as_ref().map(|known| engine.metric.length(known));
        let upper_bound = report.length().map(usize::from).or(known_length);
        let mut result = SolveResult {
            facelets: cube.facelets(),
            metric: engine.metric.name().to_owned(),
            goal: request.goal.clone().filter(|_| target.is_some()),
            optimal: report.length().is_some(),
            length: report.length(),
            lower_bound: report.lower_bound,
            upper_bound: upper_bound.map_or(diameter, |bound| bound.min(diameter)),
            complete: engine.is_optimal && stop_reason.is_none(),
            stop_reason,
            best_known: best_known.map(|moves| DisplayMoves(&moves).to_string()),
            symmetries: cube.symmetries().len(),
            nodes: report.nodes(),
            probes: report.probes(),
            seconds: report.elapsed.as_secs_f64(),
            table: engine.tables.clone(),
            engine: engine.engine.to_owned(),
            iterations: report.iterations.iter().map(Into::into).collect(),
            ..SolveResult::unsolved(position)
        };
        if let Some(neighbors) = &report.neighbors {
            let moves = neighbors.optimal_moves(report.lower_bound);
            let lengths = neighbors.lengths();
            result.optimal_moves = Some(moves.map(|m| DisplayMoves(&[m]).to_string()).collect());
            result.neighbor_distances = Some(lengths.map(|(_, length)| length).collect());
        }
        if request.explain {
            // The common properties of solutions to another target do not apply to this position.
            let explains_solutions = target.is_none() && result.has_all_solutions();
            let all = explains_solutions.then_some(&report.solutions[..]);
            result.explanation = Some(Explanation::new(&cube, all));
        }
        result.set_solutions(report.solutions, request.prefer);
        Ok(result)
    }

    /// Creates the result of a search for a goal.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidSolution`] if a solution does not reach the goal when it is applied again,
    /// independently of the search.
    pub fn from_goal_report(
        position: &ParsedPosition<'_>,
        request: &Request,
        GoalRequest { goal, turns, .. }: &GoalRequest,
        report: &GoalReport,
    ) -> Result<SolveResult, InvalidSolution> {
        let cube = &position.input.cube;
        let is_wrong =
            |solution: &&GoalSolution| !goal.is_met(&cube.apply_moves(&solution.moves()));
        if let Some(wrong) = report.solutions.iter().find(is_wrong) {
            return Err(InvalidSolution {
                solution: turns_text(&wrong.turns),
                facelets: cube.facelets(),
            });
        }
        let stop_reason = report.outcome.stop_reason();
        let stop_reason = stop_reason.filter(|_| report.unreachable.is_none());
        let to_bound = |cost: u32| u8::try_from(cost).unwrap_or(u8::MAX);
        let length = report.solutions.first().map(|first| to_bound(first.cost));
        let mut result = SolveResult {
            metric: request.metric.name().to_owned(),
            goal: Some(goal.to_string()),
            allowed_moves: Some(turns.to_string()),
            optimal: length.is_some(),
            length,
            lower_bound: to_bound(report.lower_bound),
            upper_bound: length.unwrap_or(u8::MAX).into(),
            complete: stop_reason.is_none(),
            stop_reason,
            unreachable: report.unreachable.clone(),
            symmetries: cube.symmetries().len(),
            nodes: report.nodes(),
            probes: report.iterations.iter().map(|stats| stats.probes).sum(),
            seconds: report.elapsed.as_secs_f64(),
            table: "goal".to_owned(),
            engine: "goal".to_owned(),
            iterations: report.iterations.iter().map(Into::into).collect(),
            ..SolveResult::unsolved(position)
        };
        result.set_goal_solutions(&report.solutions);
        Ok(result)
    }

    /// Creates a result without solutions and bounds.
    fn unsolved(position: &ParsedPosition<'_>) -> SolveResult {
        let ParsedPosition {
            text,
            name,
            line,
            input,
        } = *position;
        SolveResult {
            input: text.to_owned(),
            name: name.map(str::to_owned),
            line,
            format: input.format.name().to_owned(),
            facelets: input.cube.facelets(),
            ..SolveResult::default()
        }
    }

    /// Sets the solutions of the whole cube. With a `preferred` metric, if all shortest solutions
    /// are known, only one of those that are shortest in that metric is kept.
    fn set_solutions(&mut self, mut solutions: Vec<Vec<Move>>, preferred: Option<Metric>) {
        if let Some(metric) = preferred
            && self.has_all_solutions()
        {
            self.preferred_among = Some(solutions.len());
            let best = solutions.into_iter();
            let best = best.min_by_key(|moves| metric.length(moves));
            solutions = best.into_iter().collect();
        }
        self.solution_count = solutions.len();
        let texts = solutions
            .iter()
            .map(|moves| DisplayMoves(moves).to_string());
        self.solutions = texts.collect();
    }

    /// Sets the solutions of a goal. `solutions` has the same turns once for each variant that they
    /// reach; they become one solution.
    fn set_goal_solutions(&mut self, solutions: &[GoalSolution]) {
        let mut costs = Vec::new();
        let mut variants: Vec<String> = Vec::new();
        let mut indices: HashMap<String, usize> = HashMap::new();
        for solution in solutions {
            let GoalSolution {
                turns,
                cost,
                variant,
                ..
            } = solution;
            let text = turns_text(turns);
            if let Some(&index) = indices.get(&text) {
                let known = &mut variants[index];
                if known.split(' ').all(|name| name != variant) {
                    *known += &format!(" {variant}");
                }
                continue;
            }
            indices.insert(text.clone(), self.solutions.len());
            self.solutions.push(text);
            costs.push(*cost);
            variants.push(variant.clone());
        }
        self.solution_count = self.solutions.len();
        self.costs = Some(costs);
        self.variants = Some(variants);
    }

    /// Returns `true` if `solutions` are all the shortest solutions of the whole cube.
    pub fn has_all_solutions(&self) -> bool {
        let is_last = |iteration: &&IterationSummary| iteration.length == self.lower_bound;
        // Later iterations are for the neighbors.
        let last = self.iterations.iter().rfind(is_last);
        self.stop_reason.is_none() && last.is_some_and(|iteration| iteration.exhausted)
    }

    /// Returns the metric of a result for the whole cube.
    pub fn face_metric(&self) -> Metric {
        self.metric.parse().unwrap_or_default()
    }

    /// Returns the length of the best known solution, if no solution is proven shortest.
    pub fn best_known_length(&self) -> Option<usize> {
        let known = parse_moves(self.best_known.as_ref()?, &ParseOptions::default());
        Some(self.face_metric().length(known.ok()?.moves()))
    }
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

/// Formats turns as text.
pub fn turns_text(turns: &[LayerTurn]) -> String {
    let turns: Vec<String> = turns.iter().map(LayerTurn::to_string).collect();
    turns.join(" ")
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
    use cosette::cube::parse_position;

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
            let result = SolveResult::from_report(
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
