//! The engine for goals: parts of the cube, and other turns and costs than those of faces.
//! [`GoalSolverCache`] turns a request into a result, like `engine::solve` for the whole cube. It
//! caches the pattern databases of the most recent goals.

use crate::events::SearchEvent;
use crate::lock;
use crate::request::{GoalRequest, Request};
use crate::solve_result::{InvalidSolution, ParsedPosition, SolveResult, StopReason};
use cosette::cube::{Cube, Input, LayerTurn, ParseOptions, parse_turns};
use cosette::goal::{GoalReport, GoalSolution, GoalSolver};
use cosette::search::{Outcome, SolutionCount};
use cosette::{Control, Progress, Table, ThreadCount};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Maximum number of goals with cached pattern databases, some 130 MB each.
const MAX_CACHED: usize = 4;

/// Percentage of the work that is timed before the remaining time is estimated.
const PERCENT_OF_ESTIMATE: u64 = 4;

/// Number of nodes of an iteration beyond which a search loads the table: the next iteration would
/// have some ten times as many, which takes as long as loading the table.
const NODES_WITHOUT_TABLE: u64 = 300_000;

/// A cache of goal solvers with their pattern databases.
#[derive(Default)]
pub struct GoalSolverCache {
    kept: Mutex<Vec<Arc<GoalSolver>>>,
    /// A table of the whole cube, for goals of all its pieces.
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
    /// The search was cancelled before this was known, with this result.
    Stopped(Box<SolveResult>),
}

/// A source of events for the progress of building tables: one for each percent, with an estimate
/// of the time left.
#[derive(Default)]
struct Preparation {
    /// Time and percentage of the first event. The work before it is excluded from the pace, as it
    /// is not representative.
    first: OnceLock<(Instant, u64)>,
    /// The next percentage to report.
    next: AtomicU64,
}

impl Preparation {
    /// Returns the event, if the percentage has changed.
    fn event(&self, step: &str, progress: Progress) -> Option<SearchEvent> {
        let percent = progress.percent();
        if self.next.fetch_max(percent + 1, Ordering::Relaxed) > percent {
            return None;
        }
        let mut seconds_left = None;
        if percent > 0 {
            let &(since, first) = self.first.get_or_init(|| (Instant::now(), percent));
            let pace = since.elapsed().as_secs_f64() / percent.saturating_sub(first) as f64;
            let is_settled = percent >= first + PERCENT_OF_ESTIMATE;
            seconds_left = is_settled.then(|| pace * (100 - percent) as f64);
        }
        Some(SearchEvent::Building {
            doing: step.to_owned(),
            percent,
            seconds_left,
        })
    }
}

impl GoalSolverCache {
    /// Creates a cache that searches with this table for goals that solve all pieces.
    pub fn with_table(table: Arc<Table>) -> GoalSolverCache {
        GoalSolverCache {
            table: Some(table),
            ..GoalSolverCache::default()
        }
    }

    /// Sets the table for further searches, including those of cached solvers.
    pub fn use_table(&mut self, table: Arc<Table>) {
        let mut kept = lock(&self.kept);
        let solvers = std::mem::take(&mut *kept).into_iter();
        let solvers = solvers.filter_map(Arc::into_inner);
        kept.extend(solvers.map(|solver| Arc::new(solver.with_table(table.clone()))));
        drop(kept);
        self.table = Some(table);
    }

    /// Searches until it is known whether a table is worth loading for a goal of the whole cube.
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
            SearchEvent::IterationFinished(iteration) if iteration.nodes > NODES_WITHOUT_TABLE => {
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
        let mut kept = lock(&self.kept);
        let is_it = |solver: &Arc<GoalSolver>| solver.goal() == goal && solver.turns() == turns;
        let solver = match kept.iter().position(is_it) {
            Some(place) => kept.remove(place),
            None => {
                if kept.len() == MAX_CACHED {
                    kept.remove(0);
                }
                let solver = GoalSolver::on_demand(goal, turns, threads);
                Arc::new(match &self.table {
                    Some(table) => solver.with_table(table.clone()),
                    None => solver,
                })
            }
        };
        kept.push(solver.clone());
        solver
    }

    /// Builds the pattern databases of a goal before the first search, so that its time limit does
    /// not include them. They are not built if `control` is cancelled.
    pub fn prepare(&self, goal: &GoalRequest, control: &Control<'_>) {
        // The search that follows reports the reason for missing tables.
        let _ = self.solver(goal, control.threads()).prepare(control);
    }

    /// Searches a goal from a position. Uses the threads and the cancellation of `control`. Events
    /// include the progress of building pattern databases, and the time limit includes building
    /// them.
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
        SolveResult::from_goal_report(position, request, goal, &report)
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
            .control(&control.clone().on_progress(&on_progress))
            .on_event(&|event| on_event(SearchEvent::new(event, metric)))
            .on_solution(&|solution| on_event(SearchEvent::goal_solution(solution)))
            .run()
    }
}

/// Returns the report of a position that has reached the goal, if no other solutions are requested.
fn report_if_reached(request: &Request, goal: &GoalRequest, cube: &Cube) -> Option<GoalReport> {
    if request.slack > 0 || !goal.starts_with.is_empty() || !goal.ends_with.is_empty() {
        return None;
    }
    let max_count = match request.count {
        SolutionCount::ONE => 1,
        _ => usize::MAX,
    };
    let variants = goal.goal.satisfied_variants(cube).take(max_count);
    let to_solution = |variant: &str| GoalSolution {
        cost: 0,
        variant: variant.to_owned(),
        turns: Vec::new(),
    };
    let solutions: Vec<GoalSolution> = variants.map(to_solution).collect();
    (!solutions.is_empty()).then_some(GoalReport {
        outcome: Outcome::Optimal,
        lower_bound: 0,
        solutions,
        unreachable: None,
        iterations: Vec::new(),
        elapsed: Duration::ZERO,
    })
}

/// Returns the cost of turns that lead from a [parsed](Request::parse_position) position to a goal;
/// `None` if they lead elsewhere, or are not allowed.
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
    let found = GoalSolution {
        cost: 0,
        variant: String::new(),
        turns: path,
    };
    Ok(if goal.is_met(&input.cube.apply_moves(&found.moves())) {
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
    fn tables_are_made_within_the_time() {
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
    fn what_is_met_needs_no_tables() {
        for (json, position) in [
            (r#"{"goal": "f2l", "timeout": 0}"#, "U2"),
            (r#"{"goal": "cross", "count": "all", "timeout": 0}"#, "R R'"),
            (r#"{"goal": "2x2x2 | 2x2x2:DLF", "timeout": 0}"#, "U2"),
            (r#"{"goal": "auf", "timeout": 0}"#, "U2"),
        ] {
            let met = solve(&request(json), position, &Control::default());
            // With slack it is searched.
            let mut searching = request(json);
            searching.slack = 1;
            searching.timeout = None;
            let searched = SolveResult {
                seconds: met.seconds,
                iterations: Vec::new(),
                ..solve(&searching, position, &Control::default())
            };
            assert_eq!((met.length, &met), (Some(0), &searched), "{json}");
        }
    }

    #[test]
    fn the_time_left_for_tables_is_estimated() {
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
            // No turns lead there.
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
