//! The search of one position: its options, and iterative deepening from its first threshold to its
//! last.

use super::executor::{Executor, ThreadExecutor};
use super::forecast::Forecast;
use super::iteration::{Iteration, IterationStart, KnownSolutions};
use super::node::{Checkpoint, Counts, Node, PartialIteration, WorkUnit};
use super::report::{Event, IterationStats, Options, Outcome, Report, SolutionCount, TwoPhaseMode};
use super::solver::{ONE_SOLUTION, Solution, Solver};
use super::tasks::{self, MIN_SPLIT_LENGTH, Tasks};
use crate::control::{Cancel, Control, ThreadCount};
use crate::cube::{Cube, Metric, Move, Symmetry};
use crate::platform::Instant;
use crate::twophase::{TwoPhase, TwoPhaseLimits};
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// A configurable search of one position; created by [`Solver::search`]. Set options, then call
/// [`run`](Search::run).
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
        let Search {
            solver,
            position,
            options,
            threads,
            cancel,
            timeout,
            ..
        } = self;
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
    /// Returns a proven shortest solution of `position`.
    ///
    /// There is no time limit, and the time varies widely between positions. For limits, events or
    /// all solutions, use [`Solver::search`].
    pub fn solve(&self, position: &Cube) -> Solution {
        let report = self.search(position).options(ONE_SOLUTION).run();
        Solution::new(report, self.metric()).expect("a search without limits ends with a solution")
    }

    /// Creates a search of `position`: by default for one shortest solution, without limits.
    pub fn search<'a>(&'a self, position: &'a Cube) -> Search<'a> {
        let options = Options::default();
        let threads = self.threads;
        Search {
            solver: self,
            position,
            options,
            threads,
            cancel: Cancel::new(),
            timeout: None,
            on_event: &|_| {},
        }
    }
}

impl<'a> Search<'a> {
    /// Finds all shortest solutions; those that differ only in the order of turns of opposite
    /// faces, such as R L and L R, count once.
    pub fn all(mut self) -> Search<'a> {
        self.options.solution_count = SolutionCount::All;
        self
    }

    /// Finds up to `count` shortest solutions.
    ///
    /// # Panics
    ///
    /// Panics if `count` is zero.
    pub fn count(mut self, count: usize) -> Search<'a> {
        let count = NonZeroUsize::new(count).expect("a search is for at least one solution");
        self.options.solution_count = SolutionCount::AtMost(count);
        self
    }

    /// Stops once every length up to `length`, in the metric of the table, is ruled out. If a
    /// longer solution is known at that point, for example from a two-phase search, the report
    /// includes it.
    pub fn max_length(mut self, length: u8) -> Search<'a> {
        self.options.max_length = Some(length);
        self
    }

    /// Also finds the distances of all positions one move away: [`Report::neighbors`].
    pub fn neighbors(mut self) -> Search<'a> {
        self.options.neighbors = true;
        self
    }

    /// Replaces all options.
    pub fn options(mut self, options: Options<'a>) -> Search<'a> {
        self.options = options;
        self
    }

    /// Sets the mode of the concurrent two-phase search. Default: off.
    pub fn two_phase(mut self, two_phase: TwoPhaseMode) -> Search<'a> {
        self.options.two_phase = two_phase;
        self
    }

    /// Stops after `timeout`, counted from the start of the run. With [`TwoPhaseMode::Upfront`] the
    /// report has an unproven solution even if the time runs out, unless `timeout` is a few
    /// milliseconds, or some tens of milliseconds in the first search of a process.
    pub fn timeout(mut self, timeout: Duration) -> Search<'a> {
        self.timeout = Some(timeout);
        self
    }

    /// Stops within a few milliseconds after `cancel` is triggered; the report has the lower bound
    /// proven by then.
    pub fn with_cancel(mut self, cancel: &Cancel) -> Search<'a> {
        self.cancel = cancel.clone();
        self
    }

    /// Takes the number of threads and the cancellation token from a [`Control`].
    pub fn control(self, control: &Control<'_>) -> Search<'a> {
        Search {
            threads: control.threads(),
            ..self
        }
        .with_cancel(control.cancel_token())
    }

    /// Calls `on_event`, from any thread, with solutions, bounds and progress.
    ///
    /// ```no_run
    /// use cosette::{Cube, Event, Solver};
    ///
    /// let solver = Solver::open("190M")?;
    /// let position: Cube = "U R2 F B R B2 R U2 L B2".parse()?;
    /// let on_event = |event: Event<'_>| match event {
    ///     Event::IterationStarted { length } => eprintln!("at least {length} moves"),
    ///     Event::Progress { time_left: Some(time_left), .. } => {
    ///         eprintln!("{:?} left in this iteration", time_left.iteration);
    ///     }
    ///     _ => {}
    /// };
    /// let report = solver.search(&position).on_event(&on_event).run();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_event(mut self, on_event: &'a (dyn Fn(Event<'_>) + Sync)) -> Search<'a> {
        self.on_event = on_event;
        self
    }

    /// Finds the shortest solutions and proves that there is no shorter one.
    ///
    /// With one thread the result is deterministic. With several threads, only the length and the
    /// set of all solutions are deterministic.
    ///
    /// # Panics
    ///
    /// Panics if [`Options::known_solution`] does not solve the position.
    pub fn run(self) -> Report {
        self.resume(Checkpoint::default()).0
    }

    /// Resumes a search of this position with this table from a checkpoint. Returns the report and
    /// the checkpoint at the end of the search, from which it can be resumed again. Store
    /// checkpoints with a checksum: a corrupted one may cause a panic.
    ///
    /// # Panics
    ///
    /// Panics if the checkpoint belongs to another position or table, if one of its solutions or
    /// [`Options::known_solution`] does not solve the position, or if it contains root tasks or
    /// nodes that do not exist.
    pub fn resume(self, from: Checkpoint) -> (Report, Checkpoint) {
        let mut threads = ThreadExecutor::with_instructions(self.threads, self.solver.instructions);
        self.resume_with(&mut threads, from)
    }

    /// Resumes like [`Search::resume`], with an executor that searches the root tasks.
    pub fn resume_with(
        self,
        executor: &mut dyn Executor,
        from: Checkpoint,
    ) -> (Report, Checkpoint) {
        self.deepen(executor, from, 0)
    }

    /// Runs like [`Search::run`], with an executor that is reused for many positions. Splitting a
    /// search into root tasks takes four milliseconds. Here a search is split only after an
    /// iteration of enough nodes, so positions of twelve to fourteen moves are solved ten times as
    /// fast.
    pub fn run_with(self, executor: &mut dyn Executor) -> Report {
        // Its checkpoint must not be resumed: the numbers of tasks are meaningful only if all
        // searches split alike.
        self.deepen(executor, Checkpoint::default(), WORTH_CUTTING)
            .0
    }

    /// Searches from a state on; splits the search after an iteration of `cut_after` nodes.
    pub(super) fn deepen(
        self,
        executor: &mut dyn Executor,
        from: Checkpoint,
        cut_after: u64,
    ) -> (Report, Checkpoint) {
        // The JavaScript package does not offer neighbors, and is smaller without.
        if self.options.neighbors && cfg!(not(target_family = "wasm")) {
            return self.deepen_to_neighbors(executor, from, cut_after);
        }
        let Search {
            solver,
            position,
            options,
            cancel,
            timeout,
            on_event,
            ..
        } = self;
        deepen(
            solver,
            (position, &options),
            from,
            (executor, cut_after),
            on_event,
            &cancel.limited(timeout),
        )
    }
}

/// Number of nodes of a search for each of which it spends one node of a two-phase search on a
/// solution of the next length. The two take about the same time per node. A quarter is a guess:
/// other shares were not measured.
const NODES_FOR_ONE_OF_TWO_PHASE: u64 = 4;
/// Nodes of the two-phase search for a first solution, somewhat more than a millisecond; more if it
/// has not found one by then. For half of all positions, it then has one of 19 or 20 moves.
const FIRST_TWO_PHASE_NODES: u64 = 12_000;
/// Minimum nodes of a two-phase search: with fewer, it rarely finds more than the first one did.
const MIN_TWO_PHASE_NODES: u64 = 100_000;
/// Maximum nodes of a two-phase search, some ten seconds; a longer one is not worth waiting for.
const MAX_TWO_PHASE_NODES: u64 = 100_000_000;

/// Number of nodes of an iteration after which the next one takes longer than splitting it, if it
/// is not split always.
pub(super) const WORTH_CUTTING: u64 = 10_000;

/// Searches threshold by threshold from the state `from` on. Returns the report, and the state of
/// the search at the end. Panics if `from` is of another search, or a solution in it, or the known
/// one, does not solve the position.
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
    assert!(
        from.of.is_none_or(|from| from == of),
        "the checkpoint is of another position or table"
    );
    let from = from.with_last_open(solver.metric());
    let mut search = Deepening::new(solver, (position, options), on_event, cancel);
    let (first, step) = thresholds(position, search.root.best_bound(), solver.metric());
    let mut length = from
        .iterations
        .last()
        .map_or(first, |last| last.length + step);
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
        let nodes = search.iterations.last().map_or(0, |last| last.nodes);
        if length >= MIN_SPLIT_LENGTH && nodes >= cut_after && !search.is_split() {
            search.split();
        }
        on_event(Event::IterationStarted { length });
        let exhausted = search.iterate(executor, length);
        if search.solutions.is_enough(options.solution_count)
            || exhausted && !search.solutions.is_empty()
        {
            break Outcome::Optimal;
        }
        if !exhausted {
            break Outcome::unfinished(cancel);
        }
        length += step;
    };
    search.end(outcome, length, earlier + start.elapsed())
}

/// Returns the first threshold and the step to the next: with quarter turns every solution has the
/// parity of the position.
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
    solutions: KnownSolutions,
    iterations: Vec<IterationStats>,
    /// The part already done of the next iteration.
    partial: Option<PartialIteration>,
    /// The initial priorities.
    priority: Vec<u64>,
}

impl<'a> Deepening<'a> {
    fn new(
        solver: &'a Solver,
        (position, options): (&'a Cube, &'a Options<'a>),
        on_event: &'a (dyn Fn(Event<'_>) + Sync),
        cancel: &'a Cancel,
    ) -> Deepening<'a> {
        let root = tasks::root(position, &solver.table);
        let stabilizer = position.symmetries();
        Deepening {
            solver,
            position,
            root,
            options,
            on_event,
            cancel,
            tasks: Arc::new(Tasks::whole(root, solver.metric())),
            solutions: KnownSolutions::new(position, stabilizer.clone(), solver.metric()),
            stabilizer,
            iterations: Vec::new(),
            partial: None,
            priority: Vec::new(),
        }
    }

    /// Restores an earlier search, which resumes with solutions of this length.
    fn restore(&mut self, from: Checkpoint, length: u8) {
        let metric = self.solver.metric();
        let is_new = from.iterations.is_empty() && from.partial.is_none();
        for solution in &from.solutions {
            if from.partial.is_some() && metric.length(solution) == usize::from(length) {
                self.solutions.add(solution);
            } else {
                self.offer(solution);
            }
        }
        (self.iterations, self.partial, self.priority) =
            (from.iterations, from.partial, from.priority);
        self.options
            .known_solution
            .iter()
            .for_each(|known| self.offer(known));
        if self.options.two_phase == TwoPhaseMode::Upfront
            && (is_new || self.solutions.best().is_none())
        {
            self.solve_at_once();
        }
    }

    /// Returns the report, and the state of the search.
    fn end(mut self, outcome: Outcome, lower_bound: u8, elapsed: Duration) -> (Report, Checkpoint) {
        // The partial iteration is included only if it is still needed.
        let last = self.iterations.last().map(|last| last.length);
        if let Some(partial) = self
            .partial
            .as_ref()
            .filter(|_| last.is_none_or(|last| last < lower_bound))
        {
            let Counts { nodes, probes } = partial.counts;
            let elapsed = partial.elapsed;
            self.iterations.push(IterationStats {
                length: lower_bound,
                nodes,
                probes,
                elapsed,
                exhausted: false,
            });
        }
        let checkpoint = Checkpoint {
            of: Some((*self.position, self.solver.table.id())),
            iterations: self
                .iterations
                .iter()
                .filter(|iteration| iteration.exhausted)
                .copied()
                .collect(),
            priority: if self.is_split() {
                self.tasks.priority().to_vec()
            } else {
                std::mem::take(&mut self.priority)
            },
            partial: self.partial,
            solutions: self.solutions.all().map(<[Move]>::to_vec).collect(),
        };
        let report = Report {
            outcome,
            lower_bound,
            solutions: self.solutions.shortest(self.options.solution_count),
            best_known: self.solutions.best().map(<[Move]>::to_vec),
            iterations: self.iterations,
            neighbors: None,
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
        let best = self
            .solutions
            .best()
            .filter(|best| self.solver.metric().length(best) == usize::from(length));
        best.map(<[Move]>::to_vec)
            .iter()
            .for_each(|best| self.solutions.add(best));
    }

    /// Records a solution, and reports it if it is the best known.
    fn offer(&mut self, moves: &[Move]) {
        if self.solutions.offer(moves) {
            self.solutions
                .best()
                .iter()
                .for_each(|best| (self.on_event)(Event::Solution(best)));
        }
    }

    /// Runs a two-phase search for a first solution.
    fn solve_at_once(&mut self) {
        let limits = TwoPhaseLimits {
            nodes: FIRST_TWO_PHASE_NODES,
            until_solved: true,
            ..TwoPhaseLimits::default()
        };
        let position = self.position;
        let cancel = self.cancel;
        TwoPhase::get().search(position, &limits, &mut |moves| self.offer(moves), cancel);
    }

    /// Returns the limits of a two-phase search for a solution of this length; `None` if none is to
    /// run.
    fn two_phase_limits(&self, length: u8) -> Option<TwoPhaseLimits> {
        let expanded: u64 = self
            .iterations
            .iter()
            .map(|iteration| iteration.nodes)
            .sum();
        let nodes = (expanded / NODES_FOR_ONE_OF_TWO_PHASE).min(MAX_TWO_PHASE_NODES);
        let htm = self.solver.metric() == Metric::Htm;
        let is_asked = self.options.two_phase != TwoPhaseMode::Off && htm && self.wants_one();
        (is_asked && nodes >= MIN_TWO_PHASE_NODES).then(|| TwoPhaseLimits {
            target: length,
            nodes,
            ..TwoPhaseLimits::default()
        })
    }

    fn is_split(&self) -> bool {
        self.tasks.count() > 1
    }

    /// Splits the search into root tasks.
    fn split(&mut self) {
        let Solver {
            table,
            instructions,
            ..
        } = self.solver;
        self.tasks = Arc::new(Tasks::prefixes(
            self.root,
            &self.stabilizer,
            table,
            *instructions,
        ));
        if self.priority.len() == self.tasks.count() {
            Arc::make_mut(&mut self.tasks).learn(std::mem::take(&mut self.priority));
        }
    }

    /// Searches one threshold. Returns `true` if all of it was searched.
    fn iterate(&mut self, executor: &mut dyn Executor, length: u8) -> bool {
        let whole = || PartialIteration {
            left: WorkUnit {
                tasks: self.tasks.order(length),
                nodes: Vec::new(),
            },
            ..PartialIteration::default()
        };
        // A resumed search does not start with the two-phase search again.
        let two_phase = if self.partial.is_none() {
            self.two_phase_limits(length)
        } else {
            None
        };
        let partial = self.partial.take().unwrap_or_else(whole);
        let iteration = Iteration::new(
            IterationStart {
                table: &self.solver.table,
                tasks: &self.tasks,
                length,
                nodes_before: self.iterations.last().map_or(0, |last| last.nodes),
                partial,
                forecast: Forecast::new(&self.iterations, self.solver.metric()),
                two_phase: two_phase.map(|limits| (*self.position, limits)),
                solutions: std::mem::take(&mut self.solutions),
                solution_count: self.options.solution_count,
                settled: None,
            },
            self.cancel,
            self.on_event,
        );
        let left = executor.search(&iteration);
        // An executor may leave work without being stopped; the length is not ruled out then.
        let exhausted = !iteration.is_stopped() && left.is_empty();
        let (solutions, partial) = iteration.finish(left);
        self.solutions = solutions;
        let Counts { nodes, probes } = partial.counts;
        let elapsed = partial.elapsed;
        if exhausted {
            Arc::make_mut(&mut self.tasks).learn(partial.priority);
        } else {
            self.partial = Some(partial);
        }
        let stats = IterationStats {
            length,
            nodes,
            probes,
            elapsed,
            exhausted,
        };
        (self.on_event)(Event::IterationFinished(&stats));
        self.iterations.push(stats);
        exhausted
    }
}
