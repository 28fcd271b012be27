//! Goals: parts of the cube, and other turns and costs than those of faces. [`Goals`] is the way from a request to an answer, as
//! `engine::answer` is for the whole cube. It keeps the tables of the goals that were asked last.

use crate::answer::Stop;
use crate::json::{self, Solve, Threshold};
use crate::request::{Request, Wanted};
pub use cosette::control::lock_unless_cancelled;
use cosette::cube::{Input, LayerTurn, ReadOptions, parse_turns};
use cosette::goal::{Found, GoalReport, GoalSolver};
use cosette::search::{Event, Outcome, SolutionCount};
use cosette::{Control, Progress, Table, ThreadCount};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// How many goals have their tables in memory, some 130 MB each.
const MOST_KEPT: usize = 4;

/// So much of the work is timed before the rest is estimated.
const PERCENT_OF_ESTIMATE: u64 = 4;

/// A search whose last threshold has more nodes would have some ten times as many in the next, which takes as long as loading a table.
const NODES_WITHOUT_TABLE: u64 = 300_000;

/// Tables of goals.
#[derive(Default)]
pub struct Goals {
    kept: Mutex<Vec<Arc<GoalSolver>>>,
    /// A table of the whole cube, for goals of all its pieces.
    table: Option<Arc<Table>>,
}

/// What a search for a goal tells, from any thread.
pub struct Listener<'a> {
    /// Takes the thresholds and the progress.
    pub on_event: &'a (dyn Fn(Event<'_>) + Sync),
    /// Takes each solution as it is found.
    pub on_found: &'a (dyn Fn(&Found) + Sync),
}

/// Makes events of the progress of building tables: one for each per cent, with an estimate of the time left.
#[derive(Default)]
pub struct Preparation {
    /// When the first per cent was done, and how much that was: the beginning tells nothing of the pace.
    first: OnceLock<(Instant, u64)>,
    /// One more than the last percentage.
    next: AtomicU64,
}

impl Preparation {
    /// The event, if there is news.
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
        Some(json::Event::Preparing { doing: step.to_owned(), percent, seconds_left })
    }
}

impl Goals {
    /// Those that search with this table where all pieces have their places in the goal.
    pub fn with_table(table: Arc<Table>) -> Goals {
        Goals { table: Some(table), ..Goals::default() }
    }

    /// From now on, searches with this table, also with the tables of goals that are made.
    pub fn use_table(&mut self, table: Arc<Table>) {
        let kept = self.kept.get_mut().unwrap_or_else(PoisonError::into_inner);
        let solvers = std::mem::take(kept).into_iter().filter_map(Arc::into_inner);
        kept.extend(solvers.map(|solver| Arc::new(solver.with_table(table.clone()))));
        self.table = Some(table);
    }

    /// Whether a search that might do with a table of the whole cube has none and gets long, so that the table is worth loading. Fails
    /// with the answer by then if `control` has stopped it.
    pub fn would_take_table(
        &self,
        (request, wanted): (&Request, &Wanted),
        (text, line, input): (&str, Option<usize>, &Input),
        control: &Control<'_>,
    ) -> Result<bool, Box<Solve>> {
        if self.table.is_some() || !wanted.goal.is_whole() {
            return Ok(false);
        }
        let cancel = control.cancel().child();
        let on_event = |event: Event<'_>| match event {
            Event::ThresholdDone(threshold) if threshold.nodes > NODES_WITHOUT_TABLE => cancel.cancel(),
            _ => {}
        };
        let listener = Listener { on_event: &on_event, on_found: &|_| {} };
        let searched = control.clone().with_cancel(&cancel);
        let answer = self.answer((request, wanted), (text, line, input), listener, &searched);
        match &answer.stopped {
            Some(_) if control.is_cancelled() => Err(Box::new(answer)),
            stopped => Ok(stopped.as_ref().is_some_and(|stopped| stopped != Stop::MaxLength.name())),
        }
    }

    /// The solver of a goal, which makes its tables once a search needs them.
    fn solver(&self, Wanted { goal, turns, .. }: &Wanted, threads: ThreadCount) -> Arc<GoalSolver> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |solver: &Arc<GoalSolver>| solver.goal() == goal && solver.turns() == turns;
        let solver = match kept.iter().position(is_it) {
            Some(place) => kept.remove(place),
            None => {
                if kept.len() == MOST_KEPT {
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

    /// Makes the tables of a goal before the first search, so that its time limit does not count for them. They stay unmade if
    /// `control` is stopped.
    pub fn prepare(&self, wanted: &Wanted, control: &Control<'_>) {
        // The search that follows says why it has none.
        let _ = self.solver(wanted, control.threads()).prepare(control);
    }

    /// Answers a text, one of a list if it has the number of a line, with the threads and the cancellation of `control`, which gets
    /// the progress of making tables. The time limit counts while tables are made.
    pub fn answer(
        &self,
        (request, wanted): (&Request, &Wanted),
        (text, line, input): (&str, Option<usize>, &Input),
        listener: Listener<'_>,
        control: &Control<'_>,
    ) -> Solve {
        let start = Instant::now();
        let (goal, cancel) = (&wanted.goal, request.limited(control.cancel()));
        let control = control.clone().with_cancel(&cancel);
        let is_for_least = request.slack == 0 && wanted.starts.is_empty() && wanted.ends.is_empty();
        let most = if request.count == SolutionCount::ONE { 1 } else { usize::MAX };
        let met = goal.met_places(&input.cube).filter(|_| is_for_least).take(most);
        let found: Vec<Found> =
            met.map(|place| Found { cost: 0, place: place.to_owned(), turns: Vec::new() }).collect();
        found.iter().for_each(listener.on_found);
        let report = match found.is_empty() {
            false => GoalReport {
                outcome: Outcome::Optimal,
                least: 0,
                found,
                unreachable: None,
                thresholds: Vec::new(),
                elapsed: Duration::ZERO,
            },
            true => {
                let solver = self.solver(wanted, control.threads());
                let mut search = solver.search(&input.cube).solution_count(request.count).slack(request.slack);
                search = search.starts(&wanted.starts).ends(&wanted.ends);
                search = wanted.avoid.iter().fold(search, |search, turns| search.avoid(turns));
                search = if wanted.up_to_symmetry { search.up_to_symmetry() } else { search };
                search = if wanted.up_to_inverse { search.up_to_inverse() } else { search };
                search = request.max_length.into_iter().fold(search, |search, most| search.max_cost(most.into()));
                search.control(&control).on_event(listener.on_event).on_found(listener.on_found).run()
            }
        };
        reached(request, wanted, (text, line, input), GoalReport { elapsed: start.elapsed(), ..report })
    }
}

/// The answer.
fn reached(
    request: &Request,
    Wanted { goal, turns, .. }: &Wanted,
    (text, line, input): (&str, Option<usize>, &Input),
    report: GoalReport,
) -> Solve {
    let stopped = match report.outcome {
        Outcome::Optimal | Outcome::Unproven => None,
        Outcome::Cancelled(reason) => Some(reason.into()),
        Outcome::NoneWithinLimit => report.unreachable.is_none().then_some(Stop::MaxLength),
    };
    // The same turns may reach the goal in several places.
    let mut found: Vec<(String, u32, String)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for Found { turns, cost, place } in &report.found {
        let moves = written(turns);
        let number = *known.entry(moves.clone()).or_insert(found.len());
        match found.get_mut(number) {
            Some((.., places)) if places.split(' ').any(|known| known == place) => {}
            Some((.., places)) => *places += &format!(" {place}"),
            None => found.push((moves, *cost, place.clone())),
        }
    }
    let told = |cost: u32| u8::try_from(cost).unwrap_or(u8::MAX);
    let length = report.found.first().map(|found| told(found.cost));
    Solve {
        input: text.to_owned(),
        line,
        format: input.format.name().to_owned(),
        facelets: input.cube.facelets(),
        metric: request.metric.name().to_owned(),
        to: Some(goal.to_string()),
        turns: Some(turns.to_string()),
        optimal: length.is_some(),
        length,
        lower_bound: told(report.least),
        upper_bound: length.unwrap_or(u8::MAX).into(),
        solution_count: found.len(),
        solutions: found.iter().map(|(moves, ..)| moves.clone()).collect(),
        lengths: Some(found.iter().map(|&(_, cost, _)| cost).collect()),
        places: Some(found.into_iter().map(|(.., places)| places).collect()),
        complete: stopped.is_none(),
        stopped: stopped.map(Stop::name).map(str::to_owned),
        unreachable: report.unreachable.clone(),
        symmetries: input.cube.symmetries().len(),
        nodes: report.nodes(),
        probes: report.thresholds.iter().map(|threshold| threshold.probes).sum(),
        seconds: report.elapsed.as_secs_f64(),
        table: "goal".to_owned(),
        engine: "goal".to_owned(),
        thresholds: report.thresholds.iter().map(Threshold::from).collect(),
        ..Solve::default()
    }
}

/// Turns as text.
pub fn written(turns: &[LayerTurn]) -> String {
    turns.iter().map(LayerTurn::to_string).collect::<Vec<_>>().join(" ")
}

/// What turns cost that lead from a position, as it is [read](Request::read), to a goal; `None` if they lead elsewhere, or are not
/// allowed. Fails if the text is none.
pub fn cost(text: &str, input: &Input, Wanted { goal, turns, .. }: &Wanted) -> Result<Option<u32>, String> {
    let path = parse_turns(text, &ReadOptions::default()).map_err(|error| error.message())?;
    let cost_of = |turn: &LayerTurn| {
        turns.allowed().iter().find(|(allowed, _)| allowed == turn).map(|&(_, cost)| u32::from(cost))
    };
    let cost = path.iter().map(cost_of).sum();
    let found = Found { cost: 0, place: String::new(), turns: path };
    Ok(if goal.is_met(&input.cube.after(&found.moves())) { cost } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::goal::TurnMetric;

    fn answer(request: &Request, position: &str, control: &Control<'_>) -> Solve {
        let (goals, wanted) = (Goals::default(), request.goal().unwrap().unwrap());
        let input = request.read(position).unwrap();
        let listener = Listener { on_event: &|_| {}, on_found: &|_| {} };
        goals.answer((request, &wanted), (position, None, &input), listener, control)
    }

    #[test]
    fn tables_are_made_within_the_time() {
        let hurried = |to: &str| Request { to: Some(to.into()), timeout: Some(Duration::ZERO), ..Request::default() };
        let control = Control::default();
        let late = answer(&hurried("f2l:D"), "R U F", &control);
        assert_eq!((late.stopped.as_deref(), late.lower_bound), (Some(Stop::Timeout.name()), 1));
        control.cancel().cancel();
        assert_eq!(answer(&hurried("f2l:D"), "R U F", &control).stopped.as_deref(), Some(Stop::Interrupt.name()));
    }

    /// Tables that are made report their progress.
    #[test]
    fn near_positions_need_no_tables() {
        let text = |text: &str| Some(text.to_owned());
        let plain = Request { moves: text("R U F"), ..Request::default() };
        let stm = Request { metric: TurnMetric::Stm, ..Request::default() };
        let f2l = Request { to: text("f2l:D"), ..Request::default() };
        for (request, position, length) in [
            (stm.clone(), "R", 1),
            (Request { moves: text("M U"), ..stm.clone() }, "M U", 2),
            (Request { cost: text("R2=2"), ..Request::default() }, "R", 1),
            (Request { slack: 1, ..plain.clone() }, "R U R' U'", 4),
            (Request { starts: text("U"), ..plain.clone() }, "R U R' U'", 4),
            (Request { ends: text("F"), ..plain.clone() }, "F' U R", 3),
            (Request { avoid: text("U R"), ..plain.clone() }, "U R2 F", 3),
            (Request { up_to: text("symmetry"), count: SolutionCount::All, ..stm }, "R L M2", 2),
            (f2l.clone(), "R U R'", 3),
            (Request { slack: 1, ..f2l }, "U", 0),
        ] {
            let reported = AtomicU64::new(0);
            let on_progress = |_: &str, _: Progress| {
                reported.fetch_add(1, Ordering::Relaxed);
            };
            let control = Control::default().on_progress(&on_progress);
            let answer = answer(&request, position, &control);
            assert_eq!((answer.length, answer.complete), (Some(length), true), "{request:?} {position}");
            assert_eq!(reported.into_inner(), 0, "{request:?} {position}");
        }
    }

    /// What is met is answered as the search answers it.
    #[test]
    fn what_is_met_needs_no_tables() {
        let (one, all) = (SolutionCount::ONE, SolutionCount::All);
        for (to, count, position) in
            [("f2l", one, "U2"), ("cross", all, "R R'"), ("2x2x2 | 2x2x2:DLF", one, "U2"), ("auf", one, "U2")]
        {
            let hurried = Request { to: Some(to.into()), count, timeout: Some(Duration::ZERO), ..Request::default() };
            let met = answer(&hurried, position, &Control::default());
            // With slack it is searched.
            let searched = answer(&Request { slack: 1, timeout: None, ..hurried }, position, &Control::default());
            let searched = Solve { seconds: met.seconds, thresholds: Vec::new(), ..searched };
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
                json::Event::Preparing { percent, seconds_left, .. } => (percent, seconds_left.is_some()),
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(events, [(0, false), (2, false), (4, false), (50, true), (100, true)]);
    }

    #[test]
    fn a_table_is_worth_loading_for_long_searches() {
        let of = |position: &str, moves: &str, slack: u32| {
            let moves = Some(moves.to_owned());
            let request = Request { moves, slack, count: SolutionCount::All, ..Request::default() };
            let (goals, wanted) = (Goals::default(), request.goal().unwrap().unwrap());
            let input = request.read(position).unwrap();
            goals.would_take_table((&request, &wanted), (position, None, &input), &Control::default()).unwrap()
        };
        let domino = "U D R2 F2 L2 B2";
        assert!(!of("R U R' U R U2 R'", "R U", 0));
        assert!(!of("R U R' U' R' F R2 U' R' U' R U R' F'", "R U", 0), "no turns lead there");
        assert!(!of("U R2 F2 D", domino, 0));
        assert!(of("U R2 F2 D L2 U B2 D' R2 U' F2 D R2 U2 L2", domino, 6));
    }
}
