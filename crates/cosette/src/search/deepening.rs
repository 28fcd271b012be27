//! The search of one position: its options are set one by one, then it is run from its first threshold to its last.

use super::executor::{Executor, ThreadExecutor};
use super::forecast::Forecast;
use super::iteration::{Iteration, Solutions, Start};
use super::node::{Checkpoint, Counts, Node, Part, PartialIteration};
use super::report::{Event, Options, Outcome, Report, SolutionCount, Threshold, TwoPhaseUse};
use super::solver::{ONE_SOLUTION, Solution, Solver};
use super::tasks::{self, TASKS_FROM, Tasks};
use crate::control::{Cancel, Control, ThreadCount};
use crate::cube::{Cube, Metric, Move, Symmetry};
use crate::platform::Instant;
use crate::twophase::{TwoPhase, TwoPhaseLimits};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// A search of one position: its options are set one by one, then it is [run](Search::run).
///
/// ```no_run
/// use cosette::{Cube, Solver};
/// use std::time::Duration;
///
/// let solver = Solver::open("1.5G")?;
/// let position: Cube = "R U2 F' L D'".parse()?;
/// let report = solver.search(&position).all().max_length(18).timeout(Duration::from_secs(10)).run();
/// println!("{} solutions of {:?} moves", report.solutions.len(), report.length());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "a search does nothing until it is run"]
#[derive(Clone)]
pub struct Search<'a> {
    pub(super) solver: &'a Solver,
    pub(super) position: &'a Cube,
    pub(super) options: Options<'a>,
    pub(super) threads: ThreadCount,
    pub(super) cancel: Cancel,
    pub(super) timeout: Option<Duration>,
    pub(super) on_event: &'a (dyn Fn(Event<'_>) + Sync),
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Search { solver, position, options, threads, cancel, timeout, .. } = self;
        f.debug_struct("Search")
            .field("solver", solver)
            .field("position", position)
            .field("options", options)
            .field("threads", threads)
            .field("cancel", cancel)
            .field("timeout", timeout)
            .finish_non_exhaustive()
    }
}

impl Solver {
    /// A shortest solution of `position`, proven.
    ///
    /// There is no limit on the time. [`Solver::search`] has limits, events and all solutions.
    pub fn solve(&self, position: &Cube) -> Solution {
        let report = self.search(position).options(ONE_SOLUTION).run();
        Solution::new(report, self.metric()).expect("a search without limits ends with a solution")
    }

    /// A search whose options are set before it is [run](Search::run): by default for one shortest solution, without limits.
    pub fn search<'a>(&'a self, position: &'a Cube) -> Search<'a> {
        let (options, threads) = (Options::default(), self.threads);
        Search { solver: self, position, options, threads, cancel: Cancel::new(), timeout: None, on_event: &|_| {} }
    }
}

impl<'a> Search<'a> {
    /// Finds all shortest solutions; those that differ only in the order of turns of opposite faces, as R L and L R, count once.
    pub fn all(mut self) -> Search<'a> {
        self.options.solution_count = SolutionCount::All;
        self
    }

    /// Finds this many of the shortest solutions, or all if there are fewer. Panics if it is zero.
    pub fn count(mut self, count: usize) -> Search<'a> {
        let count = NonZeroUsize::new(count).expect("a search is for at least one solution");
        self.options.solution_count = SolutionCount::AtMost(count);
        self
    }

    /// Gives up once every length up to this one, in the metric of the table, is ruled out. A longer solution that is known by then, as from a
    /// two-phase search, is in the report all the same.
    pub fn max_length(mut self, length: u8) -> Search<'a> {
        self.options.max_length = Some(length);
        self
    }

    /// Finds the distances of all positions one move away as well: [`Report::neighbours`].
    pub fn neighbours(mut self) -> Search<'a> {
        self.options.neighbours = true;
        self
    }

    /// Replaces all options.
    pub fn options(mut self, options: Options<'a>) -> Search<'a> {
        self.options = options;
        self
    }

    /// Whether a two-phase search looks for solutions meanwhile; by default it does not.
    pub fn two_phase(mut self, two_phase: TwoPhaseUse) -> Search<'a> {
        self.options.two_phase = two_phase;
        self
    }

    /// Stops after this time, counted from when it is run. [`TwoPhaseUse::AtOnce`] has it know a
    /// solution by then, unproven; the first search of a process needs some tens of milliseconds for that.
    pub fn timeout(mut self, timeout: Duration) -> Search<'a> {
        self.timeout = Some(timeout);
        self
    }

    /// Stops within a few milliseconds of this request; the report says what was proven by then.
    pub fn cancel(mut self, cancel: &Cancel) -> Search<'a> {
        self.cancel = cancel.clone();
        self
    }

    /// Takes the number of threads and the request to stop from a [`Control`].
    pub fn control(self, control: &Control<'_>) -> Search<'a> {
        Search { threads: control.threads(), ..self }.cancel(control.cancel())
    }

    /// Calls `on_event`, from any thread, with what happens: solutions, bounds, progress.
    pub fn on_event(mut self, on_event: &'a (dyn Fn(Event<'_>) + Sync)) -> Search<'a> {
        self.on_event = on_event;
        self
    }

    /// Finds the shortest solutions and proves that there is no shorter one.
    ///
    /// With one thread the result is always the same. With several, the length is, and so is the set of all solutions.
    /// Panics if the known solution does not solve the position.
    pub fn run(self) -> Report {
        self.resume(Checkpoint::default()).0
    }

    /// Continues a search of this position with this table from a checkpoint, and returns a checkpoint of its end.
    /// Panics if the checkpoint is of another position or table, if a solution in it, or the known one, does not solve the position,
    /// or if it has root tasks or nodes that do not exist, as after damage: store it with a checksum.
    pub fn resume(self, from: Checkpoint) -> (Report, Checkpoint) {
        let mut threads = ThreadExecutor::with_instructions(self.threads, self.solver.instructions);
        self.resume_with(&mut threads, from)
    }

    /// [`Search::resume`] with an executor that searches the root tasks.
    pub fn resume_with(self, executor: &mut dyn Executor, from: Checkpoint) -> (Report, Checkpoint) {
        self.deepen(executor, from, 0)
    }

    /// [`Search::run`] with an executor that is kept for many positions. The search is cut into root tasks only once that pays,
    /// which makes positions of twelve to fourteen moves ten times as fast: cutting takes four milliseconds.
    pub fn run_with(self, executor: &mut dyn Executor) -> Report {
        // Its checkpoint is not to be resumed: the numbers of tasks have a meaning only if all searches cut alike.
        self.deepen(executor, Checkpoint::default(), WORTH_CUTTING).0
    }

    /// Searches from a state on; cuts the search after an iteration of so many nodes.
    pub(super) fn deepen(self, executor: &mut dyn Executor, from: Checkpoint, cut_after: u64) -> (Report, Checkpoint) {
        // The JavaScript package does not offer them, and is smaller without.
        if self.options.neighbours && cfg!(not(target_family = "wasm")) {
            return self.deepen_to_neighbours(executor, from, cut_after);
        }
        let Search { solver, position, options, cancel, timeout, on_event, .. } = self;
        deepen(solver, (position, &options), from, (executor, cut_after), on_event, &cancel.limited(timeout))
    }
}

/// For each this many nodes that a search has expanded, it spends one node of a two-phase search on a solution of the
/// next length. The two take about the same time per node. A quarter is a guess: other shares were not measured.
const NODES_FOR_ONE_OF_TWO_PHASE: u64 = 4;
/// For a first solution it gets this many nodes, somewhat more than a millisecond, and more if it has not found one by
/// then. For half of all positions, it then has one of 19 or 20 moves.
const FIRST_TWO_PHASE_NODES: u64 = 12_000;
/// With fewer nodes, a two-phase search rarely finds more than the first one did.
const LEAST_TWO_PHASE_NODES: u64 = 100_000;
/// Some ten seconds; what is not found by then is not worth waiting for.
const MOST_TWO_PHASE_NODES: u64 = 100_000_000;

/// After an iteration of so many nodes the next one takes longer than cutting it, where it is not cut always.
pub(super) const WORTH_CUTTING: u64 = 10_000;

/// Searches threshold by threshold from the state `from` on. Returns what was proven, and the state of the search at
/// the end. Panics if `from` is of another search, or a solution in it, or the known one, does not solve the position.
fn deepen(
    solver: &Solver,
    (position, options): (&Cube, &Options<'_>),
    from: Checkpoint,
    (executor, cut_after): (&mut dyn Executor, u64),
    on_event: &(dyn Fn(Event<'_>) + Sync),
    cancel: &Cancel,
) -> (Report, Checkpoint) {
    let start = Instant::now();
    let of = (*position, solver.table.id());
    assert!(from.of.is_none_or(|from| from == of), "the checkpoint is of another position or table");
    let from = from.with_last_open(solver.metric());
    let mut search = Deepening::new(solver, (position, options), on_event, cancel);
    let (first, step) = thresholds(position, search.root.best_bound(), solver.metric());
    let mut length = from.thresholds.last().map_or(first, |last| last.length + step);
    let earlier = from.elapsed();
    search.restore(from, length);
    let last = options.max_length.unwrap_or(solver.metric().diameter());
    let outcome = loop {
        search.add_known(length);
        if search.solutions.is_enough(options.solution_count) {
            break Outcome::Optimal;
        }
        if length > last {
            break Outcome::NoneWithinLimit;
        }
        let nodes = search.thresholds.last().map_or(0, |last| last.nodes);
        if length >= TASKS_FROM && nodes >= cut_after && !search.is_cut() {
            search.cut();
        }
        on_event(Event::ThresholdStarted { length });
        let exhausted = search.iterate(executor, length);
        if search.solutions.is_enough(options.solution_count) || exhausted && !search.solutions.is_empty() {
            break Outcome::Optimal;
        }
        if !exhausted {
            break Outcome::unfinished(cancel);
        }
        length += step;
    };
    search.end(outcome, length, earlier + start.elapsed())
}

/// The first threshold and the step to the next: with quarter turns the parity of the position is that of every
/// solution.
fn thresholds(position: &Cube, bound: u8, metric: Metric) -> (u8, u8) {
    match metric {
        Metric::Htm => (bound, 1),
        Metric::Qtm => (bound + ((bound & 1) ^ u8::from(position.is_odd())), 2),
    }
}

/// A running search.
struct Deepening<'a> {
    solver: &'a Solver,
    position: &'a Cube,
    root: Node,
    stabilizer: Vec<Symmetry>,
    options: &'a Options<'a>,
    on_event: &'a (dyn Fn(Event<'_>) + Sync),
    cancel: &'a Cancel,
    tasks: Arc<Tasks>,
    solutions: Solutions,
    thresholds: Vec<Threshold>,
    /// The part already done of the next iteration.
    partial: Option<PartialIteration>,
    /// The priority to begin with.
    priority: Vec<u64>,
}

impl<'a> Deepening<'a> {
    fn new(
        solver: &'a Solver,
        (position, options): (&'a Cube, &'a Options<'a>),
        on_event: &'a (dyn Fn(Event<'_>) + Sync),
        cancel: &'a Cancel,
    ) -> Deepening<'a> {
        let (root, stabilizer) = (tasks::root(position, &solver.table), position.symmetries());
        Deepening {
            solver,
            position,
            root,
            options,
            on_event,
            cancel,
            tasks: Arc::new(Tasks::whole(root, solver.metric())),
            solutions: Solutions::new(position, stabilizer.clone(), solver.metric()),
            stabilizer,
            thresholds: Vec::new(),
            partial: None,
            priority: Vec::new(),
        }
    }

    /// Restores an earlier search, which continues with solutions of this length.
    fn restore(&mut self, from: Checkpoint, length: u8) {
        let metric = self.solver.metric();
        let is_new = from.thresholds.is_empty() && from.partial.is_none();
        for solution in &from.solutions {
            if from.partial.is_some() && metric.length(solution) == usize::from(length) {
                self.solutions.add(solution);
            } else {
                self.offer(solution);
            }
        }
        (self.thresholds, self.partial, self.priority) = (from.thresholds, from.partial, from.priority);
        self.options.known.iter().for_each(|known| self.offer(known));
        if self.options.two_phase == TwoPhaseUse::AtOnce && (is_new || self.solutions.best().is_none()) {
            self.solve_at_once();
        }
    }

    /// What was proven, and the state of the search.
    fn end(mut self, outcome: Outcome, lower_bound: u8, elapsed: Duration) -> (Report, Checkpoint) {
        // What was done earlier of an iteration that is not needed any more.
        let last = self.thresholds.last().map(|last| last.length);
        if let Some(partial) = self.partial.as_ref().filter(|_| last.is_none_or(|last| last < lower_bound)) {
            let (Counts { nodes, probes }, elapsed) = (partial.counts, partial.elapsed);
            self.thresholds.push(Threshold { length: lower_bound, nodes, probes, elapsed, exhausted: false });
        }
        let checkpoint = Checkpoint {
            of: Some((*self.position, self.solver.table.id())),
            thresholds: self.thresholds.iter().filter(|threshold| threshold.exhausted).copied().collect(),
            priority: if self.is_cut() { self.tasks.priority().to_vec() } else { std::mem::take(&mut self.priority) },
            partial: self.partial,
            solutions: self.solutions.all().map(<[Move]>::to_vec).collect(),
        };
        let report = Report {
            outcome,
            lower_bound,
            solutions: self.solutions.shortest(self.options.solution_count),
            best_known: self.solutions.best().map(<[Move]>::to_vec),
            thresholds: self.thresholds,
            neighbours: None,
            symmetry_count: self.stabilizer.len(),
            elapsed,
        };
        (report, checkpoint)
    }

    fn wants_one(&self) -> bool {
        self.options.solution_count == SolutionCount::ONE
    }

    /// Counts a known solution of this length as found: every shorter length is ruled out.
    fn add_known(&mut self, length: u8) {
        let best = self.solutions.best().filter(|best| self.solver.metric().length(best) == usize::from(length));
        best.map(<[Move]>::to_vec).iter().for_each(|best| self.solutions.add(best));
    }

    /// Records a solution, and reports it if it is the best so far.
    fn offer(&mut self, moves: &[Move]) {
        if self.solutions.offer(moves) {
            self.solutions.best().iter().for_each(|best| (self.on_event)(Event::Solution(best)));
        }
    }

    /// Runs a two-phase search for a first solution.
    fn solve_at_once(&mut self) {
        let limits = TwoPhaseLimits { nodes: FIRST_TWO_PHASE_NODES, until_solved: true, ..TwoPhaseLimits::default() };
        let (position, cancel) = (self.position, self.cancel);
        TwoPhase::get().search(position, &limits, &mut |moves| self.offer(moves), cancel);
    }

    /// The limits of a two-phase search for a solution of this length; `None` if there is to be none.
    fn two_phase_limits(&self, length: u8) -> Option<TwoPhaseLimits> {
        let expanded: u64 = self.thresholds.iter().map(|threshold| threshold.nodes).sum();
        let nodes = (expanded / NODES_FOR_ONE_OF_TWO_PHASE).min(MOST_TWO_PHASE_NODES);
        let htm = self.solver.metric() == Metric::Htm;
        let is_asked = self.options.two_phase != TwoPhaseUse::Never && htm && self.wants_one();
        (is_asked && nodes >= LEAST_TWO_PHASE_NODES).then(|| TwoPhaseLimits {
            target: length,
            nodes,
            ..TwoPhaseLimits::default()
        })
    }

    fn is_cut(&self) -> bool {
        self.tasks.count() > 1
    }

    /// Cuts the search into root tasks.
    fn cut(&mut self) {
        let Solver { table, instructions, .. } = self.solver;
        self.tasks = Arc::new(Tasks::prefixes(self.root, &self.stabilizer, table, *instructions));
        if self.priority.len() == self.tasks.count() {
            Arc::make_mut(&mut self.tasks).learn(std::mem::take(&mut self.priority));
        }
    }

    /// Searches one threshold. Returns whether all of it was searched.
    fn iterate(&mut self, executor: &mut dyn Executor, length: u8) -> bool {
        let whole = || PartialIteration {
            left: Part { tasks: self.tasks.order(length), nodes: Vec::new() },
            ..PartialIteration::default()
        };
        // A search that continues does not begin with the two-phase search again.
        let two_phase = if self.partial.is_none() { self.two_phase_limits(length) } else { None };
        let partial = self.partial.take().unwrap_or_else(whole);
        let iteration = Iteration::new(
            Start {
                table: &self.solver.table,
                tasks: &self.tasks,
                length,
                nodes_before: self.thresholds.last().map_or(0, |last| last.nodes),
                partial,
                forecast: Forecast::new(&self.thresholds, self.solver.metric()),
                two_phase: two_phase.map(|limits| (*self.position, limits)),
                solutions: std::mem::take(&mut self.solutions),
                solution_count: self.options.solution_count,
                settled: None,
            },
            self.cancel,
            self.on_event,
        );
        let left = executor.search(&iteration);
        // An executor may leave work without being asked to stop; then the length is not ruled out.
        let exhausted = !iteration.is_stopped() && left.is_empty();
        let (solutions, partial) = iteration.finish(left);
        self.solutions = solutions;
        let (Counts { nodes, probes }, elapsed) = (partial.counts, partial.elapsed);
        if exhausted {
            Arc::make_mut(&mut self.tasks).learn(partial.priority);
        } else {
            self.partial = Some(partial);
        }
        let threshold = Threshold { length, nodes, probes, elapsed, exhausted };
        (self.on_event)(Event::ThresholdDone(&threshold));
        self.thresholds.push(threshold);
        exhausted
    }
}
