//! The engine for goals: parts of the cube, and other turns and costs than those of faces.
//! [`GoalSolverCache`] turns a request into a result, like `engine::answer` for the whole cube. It
//! caches the pattern databases of the most recent goals.

use crate::answer::StopReason;
use crate::json::{self, Iteration, SolveResult};
use crate::request::{GoalRequest, Request};
pub use cosette::control::lock_unless_cancelled;
use cosette::cube::{Input, LayerTurn, ParseOptions, parse_turns};
use cosette::goal::{GoalReport, GoalSolution, GoalSolver};
use cosette::search::{Event, Outcome, SolutionCount};
use cosette::{Control, Progress, Table, ThreadCount};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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

/// Callbacks of a search for a goal, called from any thread.
pub struct GoalObserver<'a> {
    /// Called with the iterations and the progress.
    pub on_event: &'a (dyn Fn(Event<'_>) + Sync),
    /// Called with each solution as it is found.
    pub on_solution: &'a (dyn Fn(&GoalSolution) + Sync),
}

/// A source of events for the progress of building tables: one for each percent, with an estimate
/// of the time left.
#[derive(Default)]
pub struct Preparation {
    /// Time and percentage of the first event. The work before it is excluded from the pace, as it
    /// is not representative.
    first: OnceLock<(Instant, u64)>,
    /// The next percentage to report.
    next: AtomicU64,
}

impl Preparation {
    /// Returns the event, if the percentage has changed.
    pub fn event(&self, step: &str, progress: Progress) -> Option<json::Event> {
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
        Some(json::Event::Building {
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
        let kept = self.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        let solvers = std::mem::take(kept).into_iter().filter_map(Arc::into_inner);
        kept.extend(solvers.map(|solver| Arc::new(solver.with_table(table.clone()))));
        self.table = Some(table);
    }

    /// Returns `true` if the search for a goal of the whole cube is long enough that a table is
    /// worth loading, and none is loaded.
    ///
    /// # Errors
    ///
    /// Returns the result of the search if `control` has cancelled it.
    pub fn needs_full_table(
        &self,
        (request, wanted): (&Request, &GoalRequest),
        (text, line, input): (&str, Option<usize>, &Input),
        control: &Control<'_>,
    ) -> Result<bool, Box<SolveResult>> {
        if self.table.is_some() || !wanted.goal.is_full_cube() {
            return Ok(false);
        }
        let cancel = control.cancel_token().child();
        let on_event = |event: Event<'_>| match event {
            Event::IterationFinished(iteration) if iteration.nodes > NODES_WITHOUT_TABLE => {
                cancel.cancel()
            }
            _ => {}
        };
        let listener = GoalObserver {
            on_event: &on_event,
            on_solution: &|_| {},
        };
        let searched = control.clone().with_cancel(&cancel);
        let answer = self.answer((request, wanted), (text, line, input), listener, &searched);
        match &answer.stop_reason {
            Some(_) if control.is_cancelled() => Err(Box::new(answer)),
            stopped => Ok(stopped
                .as_ref()
                .is_some_and(|stopped| stopped != StopReason::MaxLength.name())),
        }
    }

    /// Returns the solver of a goal, which builds its pattern databases when a search first needs
    /// them.
    fn solver(
        &self,
        GoalRequest { goal, turns, .. }: &GoalRequest,
        threads: ThreadCount,
    ) -> Arc<GoalSolver> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
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
    pub fn prepare(&self, wanted: &GoalRequest, control: &Control<'_>) {
        // The search that follows reports the reason for missing tables.
        let _ = self.solver(wanted, control.threads()).prepare(control);
    }

    /// Returns the result for a text, with its line number if it comes from a list. Uses the
    /// threads and the cancellation of `control`, and reports the progress of building pattern
    /// databases to it. The time limit includes building them.
    pub fn answer(
        &self,
        (request, wanted): (&Request, &GoalRequest),
        (text, line, input): (&str, Option<usize>, &Input),
        listener: GoalObserver<'_>,
        control: &Control<'_>,
    ) -> SolveResult {
        let start = Instant::now();
        let goal = &wanted.goal;
        let cancel = request.with_deadline(control.cancel_token());
        let control = control.clone().with_cancel(&cancel);
        let is_for_least =
            request.slack == 0 && wanted.starts_with.is_empty() && wanted.ends_with.is_empty();
        let most = if request.count == SolutionCount::ONE {
            1
        } else {
            usize::MAX
        };
        let met = goal
            .satisfied_variants(&input.cube)
            .filter(|_| is_for_least)
            .take(most);
        let found: Vec<GoalSolution> = met
            .map(|place| GoalSolution {
                cost: 0,
                variant: place.to_owned(),
                turns: Vec::new(),
            })
            .collect();
        found.iter().for_each(listener.on_solution);
        let report = match found.is_empty() {
            false => GoalReport {
                outcome: Outcome::Optimal,
                lower_bound: 0,
                solutions: found,
                unreachable: None,
                iterations: Vec::new(),
                elapsed: Duration::ZERO,
            },
            true => {
                let solver = self.solver(wanted, control.threads());
                let mut search = solver
                    .search(&input.cube)
                    .solution_count(request.count)
                    .slack(request.slack);
                search = search
                    .starts_with(&wanted.starts_with)
                    .ends_with(&wanted.ends_with);
                search = wanted
                    .avoid
                    .iter()
                    .fold(search, |search, turns| search.avoid(turns));
                search = if wanted.dedup_symmetric {
                    search.dedup_symmetric()
                } else {
                    search
                };
                search = if wanted.dedup_inverse {
                    search.dedup_inverse()
                } else {
                    search
                };
                search = request
                    .max_length
                    .into_iter()
                    .fold(search, |search, most| search.max_cost(most.into()));
                search
                    .control(&control)
                    .on_event(listener.on_event)
                    .on_solution(listener.on_solution)
                    .run()
            }
        };
        reached(
            request,
            wanted,
            (text, line, input),
            GoalReport {
                elapsed: start.elapsed(),
                ..report
            },
        )
    }
}

/// Returns the result for a report.
fn reached(
    request: &Request,
    GoalRequest { goal, turns, .. }: &GoalRequest,
    (text, line, input): (&str, Option<usize>, &Input),
    report: GoalReport,
) -> SolveResult {
    let stop_reason = match report.outcome {
        Outcome::Optimal | Outcome::Unproven => None,
        Outcome::Cancelled(reason) => Some(reason.into()),
        Outcome::NoneWithinLimit => report
            .unreachable
            .is_none()
            .then_some(StopReason::MaxLength),
    };
    // The same turns may reach several variants of the goal.
    let mut found: Vec<(String, u32, String)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for GoalSolution {
        turns,
        cost,
        variant: place,
    } in &report.solutions
    {
        let moves = written(turns);
        let number = *known.entry(moves.clone()).or_insert(found.len());
        match found.get_mut(number) {
            Some((.., places)) if places.split(' ').any(|known| known == place) => {}
            Some((.., places)) => *places += &format!(" {place}"),
            None => found.push((moves, *cost, place.clone())),
        }
    }
    let told = |cost: u32| u8::try_from(cost).unwrap_or(u8::MAX);
    let length = report.solutions.first().map(|found| told(found.cost));
    SolveResult {
        input: text.to_owned(),
        line,
        format: input.format.name().to_owned(),
        facelets: input.cube.facelets(),
        metric: request.metric.name().to_owned(),
        goal: Some(goal.to_string()),
        allowed_moves: Some(turns.to_string()),
        optimal: length.is_some(),
        length,
        lower_bound: told(report.lower_bound),
        upper_bound: length.unwrap_or(u8::MAX).into(),
        solution_count: found.len(),
        solutions: found.iter().map(|(moves, ..)| moves.clone()).collect(),
        costs: Some(found.iter().map(|&(_, cost, _)| cost).collect()),
        variants: Some(found.into_iter().map(|(.., places)| places).collect()),
        complete: stop_reason.is_none(),
        stop_reason: stop_reason.map(StopReason::name).map(str::to_owned),
        unreachable: report.unreachable.clone(),
        symmetries: input.cube.symmetries().len(),
        nodes: report.nodes(),
        probes: report
            .iterations
            .iter()
            .map(|iteration| iteration.probes)
            .sum(),
        seconds: report.elapsed.as_secs_f64(),
        table: "goal".to_owned(),
        engine: "goal".to_owned(),
        iterations: report.iterations.iter().map(Iteration::from).collect(),
        ..SolveResult::default()
    }
}

/// Formats turns as text.
pub fn written(turns: &[LayerTurn]) -> String {
    turns
        .iter()
        .map(LayerTurn::to_string)
        .collect::<Vec<_>>()
        .join(" ")
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
    use cosette::goal::TurnMetric;

    fn answer(request: &Request, position: &str, control: &Control<'_>) -> SolveResult {
        let goals = GoalSolverCache::default();
        let wanted = request.parse_goal().unwrap().unwrap();
        let input = request.parse_position(position).unwrap();
        let listener = GoalObserver {
            on_event: &|_| {},
            on_solution: &|_| {},
        };
        goals.answer(
            (request, &wanted),
            (position, None, &input),
            listener,
            control,
        )
    }

    #[test]
    fn tables_are_made_within_the_time() {
        let hurried = |to: &str| Request {
            goal: Some(to.into()),
            timeout: Some(Duration::ZERO),
            ..Request::default()
        };
        let control = Control::default();
        let late = answer(&hurried("f2l:D"), "R U F", &control);
        assert_eq!(
            (late.stop_reason.as_deref(), late.lower_bound),
            (Some(StopReason::Timeout.name()), 1)
        );
        control.cancel_token().cancel();
        assert_eq!(
            answer(&hurried("f2l:D"), "R U F", &control)
                .stop_reason
                .as_deref(),
            Some(StopReason::Interrupt.name())
        );
    }

    /// Building tables reports progress.
    #[test]
    fn near_positions_need_no_tables() {
        let text = |text: &str| Some(text.to_owned());
        let plain = Request {
            moves: text("R U F"),
            ..Request::default()
        };
        let stm = Request {
            metric: TurnMetric::Stm,
            ..Request::default()
        };
        let f2l = Request {
            goal: text("f2l:D"),
            ..Request::default()
        };
        for (request, position, length) in [
            (stm.clone(), "R", 1),
            (
                Request {
                    moves: text("M U"),
                    ..stm.clone()
                },
                "M U",
                2,
            ),
            (
                Request {
                    costs: text("R2=2"),
                    ..Request::default()
                },
                "R",
                1,
            ),
            (
                Request {
                    slack: 1,
                    ..plain.clone()
                },
                "R U R' U'",
                4,
            ),
            (
                Request {
                    starts_with: text("U"),
                    ..plain.clone()
                },
                "R U R' U'",
                4,
            ),
            (
                Request {
                    ends_with: text("F"),
                    ..plain.clone()
                },
                "F' U R",
                3,
            ),
            (
                Request {
                    avoid: text("U R"),
                    ..plain.clone()
                },
                "U R2 F",
                3,
            ),
            (
                Request {
                    unique_up_to: text("symmetry"),
                    count: SolutionCount::All,
                    ..stm
                },
                "R L M2",
                2,
            ),
            (f2l.clone(), "R U R'", 3),
            (Request { slack: 1, ..f2l }, "U", 0),
        ] {
            let reported = AtomicU64::new(0);
            let on_progress = |_: &str, _: Progress| {
                reported.fetch_add(1, Ordering::Relaxed);
            };
            let control = Control::default().on_progress(&on_progress);
            let answer = answer(&request, position, &control);
            assert_eq!(
                (answer.length, answer.complete),
                (Some(length), true),
                "{request:?} {position}"
            );
            assert_eq!(reported.into_inner(), 0, "{request:?} {position}");
        }
    }

    /// A goal that is already satisfied gives the same result with and without a search.
    #[test]
    fn what_is_met_needs_no_tables() {
        let one = SolutionCount::ONE;
        let all = SolutionCount::All;
        for (to, count, position) in [
            ("f2l", one, "U2"),
            ("cross", all, "R R'"),
            ("2x2x2 | 2x2x2:DLF", one, "U2"),
            ("auf", one, "U2"),
        ] {
            let hurried = Request {
                goal: Some(to.into()),
                count,
                timeout: Some(Duration::ZERO),
                ..Request::default()
            };
            let met = answer(&hurried, position, &Control::default());
            // With slack it is searched.
            let searched = answer(
                &Request {
                    slack: 1,
                    timeout: None,
                    ..hurried
                },
                position,
                &Control::default(),
            );
            let searched = SolveResult {
                seconds: met.seconds,
                iterations: Vec::new(),
                ..searched
            };
            assert_eq!((met.length, &met), (Some(0), &searched), "{to}");
        }
    }

    #[test]
    fn the_time_left_for_tables_is_estimated() {
        let preparation = Preparation::default();
        let events: Vec<(u64, bool)> = [0, 0, 1, 20, 40, 500, 400, 505, 1_000]
            .into_iter()
            .filter_map(|done| preparation.event("", Progress { done, total: 1_000 }))
            .map(|event| match event {
                json::Event::Building {
                    percent,
                    seconds_left,
                    ..
                } => (percent, seconds_left.is_some()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            events,
            [(0, false), (2, false), (4, false), (50, true), (100, true)]
        );
    }

    #[test]
    fn a_table_is_worth_loading_for_long_searches() {
        let of = |position: &str, moves: &str, slack: u32| {
            let moves = Some(moves.to_owned());
            let request = Request {
                moves,
                slack,
                count: SolutionCount::All,
                ..Request::default()
            };
            let goals = GoalSolverCache::default();
            let wanted = request.parse_goal().unwrap().unwrap();
            let input = request.parse_position(position).unwrap();
            goals
                .needs_full_table(
                    (&request, &wanted),
                    (position, None, &input),
                    &Control::default(),
                )
                .unwrap()
        };
        let domino = "U D R2 F2 L2 B2";
        assert!(!of("R U R' U R U2 R'", "R U", 0));
        assert!(
            !of("R U R' U' R' F R2 U' R' U' R U R' F'", "R U", 0),
            "no turns lead there"
        );
        assert!(!of("U R2 F2 D", domino, 0));
        assert!(of("U R2 F2 D L2 U B2 D' R2 U' F2 D R2 U2 L2", domino, 6));
    }
}
