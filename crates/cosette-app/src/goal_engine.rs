//! The engine for goals: searches that solve only a part of the cube, or whose turns or costs are
//! not those of face turns.
//!
//! [`GoalSolverCache`] turns a request with a goal into a result, as `engine::solve` does without a
//! goal. It caches the pattern databases of the most recent goals.

use crate::events::SearchEvent;
use crate::lock;
use crate::request::{GoalRequest, Request};
use crate::solve_result::{InvalidSolution, ParsedPosition, checked_goal_result};
use cosette::cube::{Cube, Input, LayerTurn, ParseOptions, parse_turns};
use cosette::goal::{GoalReport, GoalSolution, GoalSolver};
use cosette::search::SolveResult;
use cosette::search::StopReason;
use cosette::search::{Outcome, SolutionCount};
use cosette::{Control, Progress, Table, ThreadCount};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Maximum number of goals whose pattern databases are cached: some 130 MB per goal.
const MAX_CACHED: usize = 4;

/// Minimum percentage of the work that is timed before the remaining time is estimated.
const MIN_TIMED_PERCENT: u64 = 4;

/// Maximum number of nodes of an iteration before a table is worth loading: the next iteration has
/// about ten times as many nodes, and searching them takes as long as loading the table.
const MAX_NODES_WITHOUT_TABLE: u64 = 300_000;

/// A cache of goal solvers with their pattern databases.
#[derive(Default)]
pub struct GoalSolverCache {
    /// The solvers of the most recent goals, the latest last.
    solvers: Mutex<Vec<Arc<GoalSolver>>>,
    /// A table of the whole cube, for goals that solve all pieces.
    table: Option<Arc<Table>>,
}

/// A callback for the events of a search for a goal, called from any thread.
pub type OnSearchEvent<'a> = &'a (dyn Fn(SearchEvent) + Sync);

/// The need of a search for a table of the whole cube.
pub enum FullTableNeed {
    /// The search is long enough that a table is worth loading, and none is loaded.
    Yes,
    /// The search is short, has a table, or cannot use one.
    No,
    /// The search was cancelled, with this result, before the need was known.
    Stopped(Box<SolveResult>),
}

/// A source of events for the progress of building pattern databases: at most one for each percent,
/// with an estimate of the time left.
#[derive(Default)]
struct Preparation {
    /// Time and percentage of the first event above 0 %. The work before it is not representative,
    /// so it does not count for the pace.
    first: OnceLock<(Instant, u64)>,
    /// The lowest percentage that may still be reported.
    next: AtomicU64,
}

impl Preparation {
    /// Returns an event if the percentage has increased.
    fn event(&self, step: &str, progress: Progress) -> Option<SearchEvent> {
        let percent = progress.percent();
        if self.next.fetch_max(percent + 1, Ordering::Relaxed) > percent {
            return None;
        }
        let mut seconds_left = None;
        if percent > 0 {
            let &(since, first) = self.first.get_or_init(|| (Instant::now(), percent));
            let pace = since.elapsed().as_secs_f64() / percent.saturating_sub(first) as f64;
            let has_estimate = percent >= first + MIN_TIMED_PERCENT;
            seconds_left = has_estimate.then(|| pace * (100 - percent) as f64);
        }
        Some(SearchEvent::Building {
            doing: step.to_owned(),
            percent,
            seconds_left,
        })
    }
}

impl GoalSolverCache {
    /// Creates a cache whose searches use this table if the goal solves all pieces.
    pub fn with_table(table: Arc<Table>) -> GoalSolverCache {
        GoalSolverCache {
            table: Some(table),
            ..GoalSolverCache::default()
        }
    }

    /// Sets the table for later searches, also of the cached solvers.
    pub fn use_table(&mut self, table: Arc<Table>) {
        let mut solvers = lock(&self.solvers);
        let cached = std::mem::take(&mut *solvers).into_iter();
        let cached = cached.filter_map(Arc::into_inner);
        solvers.extend(cached.map(|solver| Arc::new(solver.with_table(table.clone()))));
        drop(solvers);
        self.table = Some(table);
    }

    /// Searches a goal of the whole cube until it is known whether a table is worth loading.
    /// Reports only the progress of building pattern databases.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidSolution`] if a solution is wrong.
    pub fn full_table_need(
        &self,
        request: &Request,
        goal: &GoalRequest,
        position: &ParsedPosition<'_>,
        on_event: OnSearchEvent<'_>,
        control: &Control<'_>,
    ) -> Result<FullTableNeed, InvalidSolution> {
        if self.table.is_some() || !goal.goal.is_full_cube() {
            return Ok(FullTableNeed::No);
        }
        let cancel = control.cancel_token().child();
        let on_event = |event: SearchEvent| match event {
            SearchEvent::Building { .. } => on_event(event),
            SearchEvent::IterationFinished(iteration)
                if iteration.nodes > MAX_NODES_WITHOUT_TABLE =>
            {
                cancel.cancel();
            }
            _ => {}
        };
        let limited = control.clone().with_cancel(&cancel);
        let result = self.solve(request, goal, position, &on_event, &limited)?;
        Ok(match result.stop_reason {
            Some(_) if control.is_cancelled() => FullTableNeed::Stopped(Box::new(result)),
            None | Some(StopReason::MaxLength) => FullTableNeed::No,
            Some(_) => FullTableNeed::Yes,
        })
    }

    /// Returns the solver of a goal, which builds its pattern databases when a search first needs
    /// them.
    fn solver(
        &self,
        GoalRequest { goal, turns, .. }: &GoalRequest,
        threads: ThreadCount,
    ) -> Arc<GoalSolver> {
        let mut solvers = lock(&self.solvers);
        let is_of_goal =
            |solver: &Arc<GoalSolver>| solver.goal() == goal && solver.turns() == turns;
        let solver = match solvers.iter().position(is_of_goal) {
            Some(index) => solvers.remove(index),
            None => {
                if solvers.len() == MAX_CACHED {
                    solvers.remove(0);
                }
                let solver = GoalSolver::on_demand(goal, turns, threads);
                Arc::new(match &self.table {
                    Some(table) => solver.with_table(table.clone()),
                    None => solver,
                })
            }
        };
        solvers.push(solver.clone());
        solver
    }

    /// Builds the pattern databases of a goal before the first search, so that its time limit does
    /// not include them. They are not built if `control` is cancelled.
    pub fn prepare(&self, goal: &GoalRequest, control: &Control<'_>) {
        // The search that follows reports why the pattern databases are missing.
        let _ = self.solver(goal, control.threads()).prepare(control);
    }

    /// Searches for solutions of a goal from a position. Uses the threads and the cancellation of
    /// `control`. Events include the progress of building pattern databases, and the time limit
    /// includes building them.
    ///
    /// # Errors
    ///
    /// Returns [`InvalidSolution`] if a solution is wrong.
    pub fn solve(
        &self,
        request: &Request,
        goal: &GoalRequest,
        position: &ParsedPosition<'_>,
        on_event: OnSearchEvent<'_>,
        control: &Control<'_>,
    ) -> Result<SolveResult, InvalidSolution> {
        let start = Instant::now();
        let cancel = request.with_deadline(control.cancel_token());
        let control = control.clone().with_cancel(&cancel);
        let cube = &position.input.cube;
        let mut report = match report_if_reached(request, goal, cube) {
            Some(report) => {
                let solutions = report.solutions.iter();
                solutions.for_each(|solution| on_event(SearchEvent::goal_solution(solution)));
                report
            }
            None => self.search(request, goal, cube, on_event, &control),
        };
        report.elapsed = start.elapsed();
        checked_goal_result(position, request, goal, &report)
    }

    fn search(
        &self,
        request: &Request,
        goal: &GoalRequest,
        cube: &Cube,
        on_event: OnSearchEvent<'_>,
        control: &Control<'_>,
    ) -> GoalReport {
        let preparation = Preparation::default();
        let on_progress = |step: &str, progress: Progress| {
            if let Some(event) = preparation.event(step, progress) {
                on_event(event);
            }
        };
        let metric = request.face_metric();
        let solver = self.solver(goal, control.threads());
        let mut search = solver
            .search(cube)
            .solution_count(request.count)
            .slack(request.slack)
            .starts_with(&goal.starts_with)
            .ends_with(&goal.ends_with);
        for turns in &goal.avoid {
            search = search.avoid(turns);
        }
        if goal.dedup_symmetric {
            search = search.dedup_symmetric();
        }
        if goal.dedup_inverse {
            search = search.dedup_inverse();
        }
        if let Some(max_length) = request.max_length {
            search = search.max_cost(max_length.into());
        }
        search
            .control(&control.clone().on_progress(on_progress))
            .on_event(|event| on_event(SearchEvent::new(event, metric)))
            .on_solution(|solution| on_event(SearchEvent::goal_solution(solution)))
            .run()
    }
}

/// Returns the report for a position that already satisfies the goal; `None` if it does not, or if
/// the request demands longer solutions: with slack, a prefix or a suffix.
fn report_if_reached(request: &Request, goal: &GoalRequest, cube: &Cube) -> Option<GoalReport> {
    if request.slack > 0 || !goal.starts_with.is_empty() || !goal.ends_with.is_empty() {
        return None;
    }
    let max_count = match request.count {
        SolutionCount::ONE => 1,
        _ => usize::MAX,
    };
    let variants = goal.goal.satisfied_variants(cube).take(max_count);
    let empty_solution = |variant: &str| GoalSolution::new(Vec::new(), 0, variant.to_owned());
    let mut report = GoalReport::new(Outcome::Optimal, 0);
    report.solutions = variants.map(empty_solution).collect();
    (!report.solutions.is_empty()).then_some(report)
}

/// Returns the cost of turns that lead from a [parsed](Request::parse_position) position to a goal;
/// `None` if they lead elsewhere, or if a turn is not allowed.
///
/// # Errors
///
/// Returns the message if the text is not a sequence of turns.
pub fn cost(
    text: &str,
    input: &Input,
    GoalRequest { goal, turns, .. }: &GoalRequest,
) -> Result<Option<u32>, String> {
    let path = parse_turns(text, &ParseOptions::default()).map_err(|error| error.message())?;
    let cost_of = |turn: &LayerTurn| {
        turns
            .allowed()
            .iter()
            .find(|(allowed, _)| allowed == turn)
            .map(|&(_, cost)| u32::from(cost))
    };
    let cost = path.iter().map(cost_of).sum();
    // `GoalSolution` converts turns into moves; its cost and variant are not used.
    let solution = GoalSolution::new(path, 0, String::new());
    Ok(if goal.is_met(&input.cube.apply_moves(&solution.moves())) {
        cost
    } else {
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(request: &Request, text: &str, control: &Control<'_>) -> SolveResult {
        let goals = GoalSolverCache::default();
        let goal = request.parse_goal().unwrap().unwrap();
        let input = request.parse_position(text).unwrap();
        let position = ParsedPosition::unnamed(text, &input);
        let solved = goals.solve(request, &goal, &position, &|_| {}, control);
        solved.unwrap()
    }

    fn request(json: &str) -> Request {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_time_limit_includes_building_pattern_databases() {
        let hurried = request(r#"{"goal": "f2l:D", "timeout": 0}"#);
        let control = Control::default();
        let late = solve(&hurried, "R U F", &control);
        assert_eq!(late.stop_reason, Some(StopReason::Timeout));
        assert_eq!(late.lower_bound, 1);
        control.cancel_token().cancel();
        let interrupted = solve(&hurried, "R U F", &control);
        assert_eq!(interrupted.stop_reason, Some(StopReason::Interrupt));
    }

    /// A goal that is already satisfied gives the same result with and without a search.
    #[test]
    fn a_satisfied_goal_needs_no_pattern_databases() {
        for (json, position) in [
            (r#"{"goal": "f2l", "timeout": 0}"#, "U2"),
            (r#"{"goal": "cross", "count": "all", "timeout": 0}"#, "R R'"),
            (r#"{"goal": "2x2x2 | 2x2x2:DLF", "timeout": 0}"#, "U2"),
            (r#"{"goal": "auf", "timeout": 0}"#, "U2"),
        ] {
            let unsearched = solve(&request(json), position, &Control::default());
            // With slack, the goal is searched even if it is satisfied.
            let mut with_slack = request(json);
            with_slack.slack = 1;
            with_slack.timeout = None;
            let mut searched = solve(&with_slack, position, &Control::default());
            searched.seconds = unsearched.seconds;
            searched.iterations.clear();
            assert_eq!(
                (unsearched.length, &unsearched),
                (Some(0), &searched),
                "{json}"
            );
        }
    }

    #[test]
    fn the_time_left_for_building_is_estimated() {
        let preparation = Preparation::default();
        let events = [0, 0, 1, 20, 40, 500, 400, 505, 1_000]
            .into_iter()
            .filter_map(|done| preparation.event("", Progress { done, total: 1_000 }));
        let estimates: Vec<(u64, bool)> = events
            .map(|event| match event {
                SearchEvent::Building {
                    percent,
                    seconds_left,
                    ..
                } => (percent, seconds_left.is_some()),
                other => panic!("{other:?}"),
            })
            .collect();
        let expected = [(0, false), (2, false), (4, false), (50, true), (100, true)];
        assert_eq!(estimates, expected);
    }

    #[test]
    fn a_table_is_worth_loading_for_long_searches() {
        let domino = "U D R2 F2 L2 B2";
        let long = "U R2 F2 D L2 U B2 D' R2 U' F2 D R2 U2 L2";
        for (text, moves, slack, is_worth_it) in [
            ("R U R' U R U2 R'", "R U", 0, false),
            // R and U turns cannot solve this position.
            ("R U R' U' R' F R2 U' R' U' R U R' F'", "R U", 0, false),
            ("U R2 F2 D", domino, 0, false),
            (long, domino, 6, true),
        ] {
            let request = Request {
                moves: Some(moves.to_owned()),
                slack,
                count: SolutionCount::All,
                ..Request::default()
            };
            let goal = request.parse_goal().unwrap().unwrap();
            let input = request.parse_position(text).unwrap();
            let position = ParsedPosition::unnamed(text, &input);
            let goals = GoalSolverCache::default();
            let control = Control::default();
            let need = goals.full_table_need(&request, &goal, &position, &|_| {}, &control);
            assert_eq!(
                matches!(need, Ok(FullTableNeed::Yes)),
                is_worth_it,
                "{text}"
            );
        }
    }
}
