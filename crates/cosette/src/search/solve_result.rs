//! The result for a position, as JSON: one type for the command, the HTTP API, and the packages for
//! Python and JavaScript.

use super::explanation::Explanation;
use super::report::{IterationStats, Outcome, Report, StopReason};
use super::solver::Solver;
use crate::cube::{Cube, DisplayMoves, Format, Metric, ParseOptions, parse_moves};
use crate::goal::{Goal, GoalReport, GoalSolution, TurnMetric, TurnSet};
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
#[non_exhaustive]
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

impl SolveResult {
    /// Creates the result of a search of `position` by `solver`. Its `input` and `format` are those
    /// of the facelets; if the position was read from another text, set both.
    ///
    /// ```no_run
    /// use cosette::{Cube, SolveResult, Solver};
    ///
    /// let solver = Solver::open("190M")?;
    /// let position: Cube = "R U2 F'".parse()?;
    /// let report = solver.search(&position).all().run();
    /// let json = serde_json::to_string(&SolveResult::new(&solver, &position, &report))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(solver: &Solver, position: &Cube, report: &Report) -> SolveResult {
        SolveResult {
            table: solver.table().id().to_string(),
            engine: "cosette".to_owned(),
            ..SolveResult::from_report(solver.metric(), position, report)
        }
    }

    /// Creates the result of a search of `position` by any engine in this metric.
    #[doc(hidden)]
    pub fn from_report(metric: Metric, position: &Cube, report: &Report) -> SolveResult {
        let best_known = report.best_known.as_ref();
        let best_known = best_known.filter(|_| report.solutions.is_empty());
        let known_length = best_known.map(|known| metric.length(known));
        let upper_bound = report.length().map(usize::from).or(known_length);
        let diameter = usize::from(metric.diameter());
        let stop_reason = report.outcome.stop_reason();
        let neighbors = report.neighbors.as_ref();
        let optimal_moves = neighbors.map(|neighbors| {
            let moves = neighbors.optimal_moves(report.lower_bound);
            moves.map(|m| m.to_string()).collect()
        });
        let neighbor_distances =
            neighbors.map(|neighbors| neighbors.lengths().map(|(_, length)| length).collect());
        let solutions = report.solutions.iter();
        SolveResult {
            metric: metric.name().to_owned(),
            optimal: report.length().is_some(),
            length: report.length(),
            lower_bound: report.lower_bound,
            upper_bound: upper_bound.map_or(diameter, |bound| bound.min(diameter)),
            solutions: solutions
                .map(|moves| DisplayMoves(moves).to_string())
                .collect(),
            solution_count: report.solutions.len(),
            complete: report.outcome == Outcome::Optimal,
            stop_reason,
            best_known: best_known.map(|moves| DisplayMoves(moves).to_string()),
            optimal_moves,
            neighbor_distances,
            nodes: report.nodes(),
            probes: report.probes(),
            seconds: report.elapsed.as_secs_f64(),
            iterations: report.iterations.iter().map(Into::into).collect(),
            ..SolveResult::unsolved(position)
        }
    }

    /// Creates the result of a search from `position` to a goal, with these turns; `metric` is the
    /// one that their costs are from.
    pub fn from_goal_report(
        goal: &Goal,
        turns: &TurnSet,
        metric: TurnMetric,
        position: &Cube,
        report: &GoalReport,
    ) -> SolveResult {
        let stop_reason = report.outcome.stop_reason();
        let stop_reason = stop_reason.filter(|_| report.unreachable.is_none());
        let to_bound = |cost: u32| u8::try_from(cost).unwrap_or(u8::MAX);
        let length = report.solutions.first().map(|first| to_bound(first.cost));
        let mut result = SolveResult {
            metric: metric.name().to_owned(),
            goal: Some(goal.to_string()),
            allowed_moves: Some(turns.to_string()),
            optimal: length.is_some(),
            length,
            lower_bound: to_bound(report.lower_bound),
            upper_bound: length.unwrap_or(u8::MAX).into(),
            complete: stop_reason.is_none(),
            stop_reason,
            unreachable: report.unreachable.clone(),
            nodes: report.nodes(),
            probes: report.iterations.iter().map(|stats| stats.probes).sum(),
            seconds: report.elapsed.as_secs_f64(),
            table: "goal".to_owned(),
            engine: "goal".to_owned(),
            iterations: report.iterations.iter().map(Into::into).collect(),
            ..SolveResult::unsolved(position)
        };
        result.set_goal_solutions(&report.solutions);
        result
    }

    /// Creates a result without solutions and bounds.
    fn unsolved(position: &Cube) -> SolveResult {
        let facelets = position.facelets();
        SolveResult {
            input: facelets.clone(),
            format: Format::Facelets.name().to_owned(),
            facelets,
            symmetries: position.symmetries().len(),
            ..SolveResult::default()
        }
    }

    /// Sets the solutions of a goal. `solutions` has the same turns once for each variant that they
    /// reach; they become one solution.
    fn set_goal_solutions(&mut self, solutions: &[GoalSolution]) {
        let mut costs = Vec::new();
        let mut variants: Vec<String> = Vec::new();
        let mut indices: HashMap<String, usize> = HashMap::new();
        for solution in solutions {
            let GoalSolution { cost, variant, .. } = solution;
            let text = solution.to_string();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::CancelReason;
    use crate::cube::{Sequence, inverse};
    use serde_json::{json, to_value};

    #[test]
    fn a_report_is_written_as_the_answer_of_all_front_ends() {
        let position: Cube = "R U F".parse().unwrap();
        let solution = inverse(&"R U F".parse::<Sequence>().unwrap());
        let mut report = Report::new(&position, Outcome::Optimal, 3);
        report.solutions.push(solution.clone());
        let mut known = Report::new(&position, Outcome::Cancelled(CancelReason::TimedOut), 2);
        known.best_known = Some(solution);
        for (report, expected) in [
            (&report, json!([3, 3, 3, ["F' U' R'"], 1, true, null, null])),
            (
                &known,
                json!([null, 2, 3, [], 0, false, "timeout", "F' U' R'"]),
            ),
        ] {
            let result = SolveResult::from_report(Metric::Htm, &position, report);
            let json = to_value(&result).unwrap();
            let fields = [
                "length",
                "lower_bound",
                "upper_bound",
                "solutions",
                "solution_count",
                "complete",
                "stop_reason",
                "best_known",
            ];
            assert_eq!(json!(fields.map(|field| &json[field])), expected);
            assert_eq!([&json["metric"], &json["format"]], ["htm", "facelets"]);
            assert_eq!(serde_json::from_value::<SolveResult>(json).unwrap(), result);
        }
    }
}
