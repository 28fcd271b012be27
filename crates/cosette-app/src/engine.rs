//! Engines: the search of this program, the search for short solutions without a table, and the
//! historical solvers of the lab.
//!
//! [`solve`] turns a request into a result, in the same way for every front end. The inverse of the
//! input moves is an upper bound. The engine searches within the limits of the request. Each
//! solution is checked: applied to the position, it must give the solved cube.

use crate::request::Request;
use crate::solve_result::{
    EngineInfo, InvalidSolution, ParsedPosition, checked_result, known_solution,
};
use cosette::Control;
use cosette::cube::{Cube, Metric, Move, canonical, for_each_sequence, inverse};
use cosette::search::SolveResult;
use cosette::search::{Event, IterationStats, Options, Outcome, Report, Solver};
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// A callback for the events of a search, called from any thread.
pub type OnEvent<'a> = &'a (dyn Fn(Event<'_>) + Sync);

/// An engine that solves positions.
pub trait Engine {
    /// Returns the name of the engine, as in `cosette-lab solve --engine korf`.
    fn name(&self) -> &'static str;

    /// Returns the metric.
    fn metric(&self) -> Metric;

    /// Returns the name of its tables, such as `korf 8+6+6`, or of the method used instead of
    /// tables.
    fn tables(&self) -> String;

    /// Returns `true` if its solutions are proven shortest.
    fn is_optimal(&self) -> bool {
        true
    }

    /// Solves `position`. In the report, `nodes` counts the expanded nodes if the engine is the
    /// search of this program, and otherwise the generated nodes; `probes` counts table lookups. An
    /// engine that does not prove optimality returns its solution as the best known one, with the
    /// lower bound zero.
    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report;

    /// Returns the description of the engine for results.
    fn info(&self) -> EngineInfo {
        EngineInfo {
            engine: self.name(),
            metric: self.metric(),
            tables: self.tables(),
            is_optimal: self.is_optimal(),
        }
    }
}

impl Engine for Solver {
    fn name(&self) -> &'static str {
        "cosette"
    }

    fn metric(&self) -> Metric {
        Solver::metric(self)
    }

    fn tables(&self) -> String {
        self.table().id().to_string()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        self.search(position)
            .options(*options)
            .control(control)
            .on_event(on_event)
            .run()
    }
}

/// Searches a position, using the threads and the cancellation of `control`. `options` are those of
/// the request for a single position, or its [options for many](Request::batch_options).
///
/// # Errors
///
/// Returns [`InvalidSolution`] if a solution is wrong.
pub fn solve(
    engine: &dyn Engine,
    request: &Request,
    options: Options<'static>,
    position: &ParsedPosition<'_>,
    on_event: OnEvent<'_>,
    control: &Control<'_>,
) -> Result<SolveResult, InvalidSolution> {
    let cancel = request.with_deadline(control.cancel_token());
    let control = control.clone().with_cancel(&cancel);
    let known = known_solution(position.input, engine.metric());
    let options = Options {
        known_solution: known.as_deref(),
        ..options
    };
    let report = engine.solve(&position.input.cube, &options, on_event, &control);
    checked_result(position, request, &options, report, &engine.info())
}

/// All shortest solutions of a position close to the solved cube. They are found without a table,
/// since loading one takes longer than this search.
///
/// A solution of the position p is split into a·b, where b is as long as a or one move shorter.
/// Then b solves the position p·a. The search therefore applies all canonical sequences a to p, and
/// looks up each p·a among the positions that canonical sequences b solve. The length of a·b
/// increases from 0, so the first length with a solution is the shortest, and all solutions of that
/// length are found. In the quarter-turn metric, the split may divide a half turn, which the
/// canonical form of a·b joins again.
pub struct ShortSolutions {
    metric: Metric,
    solutions: BTreeSet<Vec<Move>>,
    iterations: Vec<IterationStats>,
}

impl ShortSolutions {
    /// Finds all shortest solutions of `position`; `None` if they are longer than eight moves or
    /// ten quarter turns. The search takes at most some hundredths of a second.
    pub fn find(position: &Cube, metric: Metric) -> Option<ShortSolutions> {
        let max_half = match metric {
            Metric::Htm => 4,
            Metric::Qtm => 5,
        };
        let mut short = ShortSolutions {
            metric,
            solutions: BTreeSet::new(),
            iterations: Vec::new(),
        };
        let mut second_halves: HashMap<Cube, Vec<Vec<Move>>> =
            HashMap::from([(Cube::SOLVED, vec![Vec::new()])]);
        for length in 0..=2 * max_half {
            let start = Instant::now();
            let mut nodes = 0;
            if length % 2 == 0 && length > 0 {
                second_halves.clear();
                for_each_sequence(length / 2, metric, |b| {
                    second_halves
                        .entry(Cube::from_moves(&inverse(b)))
                        .or_default()
                        .push(b.to_vec());
                });
            }
            for_each_sequence(length.div_ceil(2), metric, |a| {
                nodes += 1;
                let end = position.apply_moves(a);
                let matching = second_halves.get(&end).into_iter().flatten();
                short
                    .solutions
                    .extend(matching.map(|b| canonical(&[a, b].concat())));
            });
            let mut iteration = IterationStats::new(length);
            iteration.nodes = nodes;
            iteration.elapsed = start.elapsed();
            iteration.exhausted = true;
            short.iterations.push(iteration);
            if !short.solutions.is_empty() {
                return Some(short);
            }
        }
        None
    }

    /// Returns all shortest solutions.
    pub fn into_solutions(self) -> Vec<Vec<Move>> {
        self.solutions.into_iter().collect()
    }

    /// Returns the length of the solutions.
    pub fn length(&self) -> u8 {
        self.iterations
            .last()
            .map_or(0, |iteration| iteration.length)
    }
}

impl Engine for ShortSolutions {
    fn name(&self) -> &'static str {
        "cosette"
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn tables(&self) -> String {
        "no table".into()
    }

    /// Returns the solutions that [`find`](ShortSolutions::find) found, up to the requested number.
    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        _: &Control<'_>,
    ) -> Report {
        let solutions: Vec<Vec<Move>> = self
            .solutions
            .iter()
            .take(options.solution_count.max())
            .cloned()
            .collect();
        let mut iterations = self.iterations.clone();
        if let Some(last) = iterations.last_mut() {
            last.exhausted = solutions.len() == self.solutions.len();
        }
        for iteration in &iterations {
            on_event(Event::IterationStarted {
                length: iteration.length,
            });
            if iteration.length == self.length() {
                on_event(Event::Solution(&solutions[0]));
            }
            on_event(Event::IterationFinished(iteration));
        }
        let mut report = Report::new(position, Outcome::Optimal, self.length());
        report.best_known = Some(solutions[0].clone());
        report.solutions = solutions;
        report.elapsed = iterations.iter().map(|iteration| iteration.elapsed).sum();
        report.iterations = iterations;
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{is_canonical, random_positions};

    /// Reference implementation: tries every canonical sequence.
    fn by_brute_force(position: &Cube, metric: Metric) -> (u8, BTreeSet<Vec<Move>>) {
        let solutions = |length| {
            let mut solutions = BTreeSet::new();
            for_each_sequence(length, metric, |moves| {
                if position.apply_moves(moves).is_solved() {
                    solutions.insert(moves.to_vec());
                }
            });
            solutions
        };
        let mut by_length = (0..).map(|length| (length, solutions(length)));
        by_length
            .find(|(_, solutions)| !solutions.is_empty())
            .expect("some sequence solves every position")
    }

    #[test]
    fn all_shortest_solutions_are_found_up_to_a_length() {
        for metric in Metric::ALL {
            for text in [
                "[]",
                "R",
                "R2",
                "U D'",
                "R2 L2",
                "R U R' U'",
                "U2 D2 F2 B2",
                "R U2 F' L2 D",
            ] {
                let position: Cube = text.parse().unwrap();
                let short = ShortSolutions::find(&position, metric)
                    .unwrap_or_else(|| panic!("{text} in {metric}"));
                let (length, solutions) = by_brute_force(&position, metric);
                assert_eq!(short.length(), length, "{text} in {metric}");
                assert_eq!(short.solutions, solutions, "{text} in {metric}");
                assert!(solutions.iter().all(|moves| is_canonical(moves)));
            }
        }
        assert!(
            random_positions(1)
                .take(3)
                .all(|far| ShortSolutions::find(&far, Metric::Htm).is_none())
        );
    }
}
