//! The search of one position: its options, and iterative deepening from its first threshold to its
//! last.

use super::executor::{Executor, ThreadExecutor};
use super::forecast::Forecast;
use super::iteration::{Iteration, IterationStart, KnownSolutions};
use super::node::{Checkpoint, Node, PartialIteration, WorkUnit};
use super::report::{
    Event, EventListener, IterationStats, Neighbors, Options, Outcome, Report, SolutionCount,
    TwoPhaseMode,
};
use super::solver::{ONE_SOLUTION, Solution, Solver};
use super::tasks::{self, MIN_SPLIT_LENGTH, Tasks};
use crate::control::{Cancel, Control, ThreadCount};
use crate::cube::{Cube, Metric, Move, Symmetry};
use crate::platform::Instant;
use crate::table::TableId;
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
    solver: &'a Solver,
    position: &'a Cube,
    options: Options<'a>,
    threads: ThreadCount,
    cancel: Cancel,
    timeout: Option<Duration>,
    on_event: EventListener<'a>,
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("solver", self.solver)
            .field("position", self.position)
            .field("options", &self.options)
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
        Search {
            solver: self,
            position,
            options: Options::default(),
            threads: self.threads,
            cancel: Cancel::new(),
            timeout: None,
            on_event: Arc::new(|_| {}),
        }
    }
}

impl<'a> Search<'a> {
    /// Finds all shortest solutions; solutions that differ only in the order of turns of opposite
    /// faces, such as R L and L R, count once.
    pub fn all(mut self) -> Search<'a> {
        self.options.solution_count = SolutionCount::All;
        self
    }

    /// Finds up to `count` shortest solutions, but at least one.
    pub fn count(mut self, count: usize) -> Search<'a> {
        let count = NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN);
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
    pub fn control(mut self, control: &Control<'_>) -> Search<'a> {
        self.threads = control.threads();
        self.with_cancel(control.cancel_token())
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
    /// let report = solver.search(&position).on_event(on_event).run();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_event(mut self, on_event: impl Fn(Event<'_>) + Send + Sync + 'a) -> Search<'a> {
        self.on_event = Arc::new(on_event);
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

    /// Runs like [`Search::run`], with an executor that is reused for many positions. Splits a
    /// search into root tasks, which takes four milliseconds, only after an iteration of enough
    /// nodes: positions of twelve to fourteen moves are solved ten times as fast.
    pub fn run_with(self, executor: &mut dyn Executor) -> Report {
        // The checkpoint is dropped: a search that splits at another length could not interpret its
        // task numbers.
        self.deepen(executor, Checkpoint::default(), WORTH_SPLITTING)
            .0
    }

    /// Searches threshold by threshold from the state `from` on; splits the search after an
    /// iteration of at least `split_after` nodes. Returns the report, and the state at the end.
    fn deepen(
        self,
        executor: &mut dyn Executor,
        from: Checkpoint,
        split_after: u64,
    ) -> (Report, Checkpoint) {
        let start = Instant::now();
        let earlier = from.elapsed();
        let mut search = Deepening::new(self);
        let (mut outcome, lower_bound) = search.run(executor, from, split_after);
        let checkpoint = search.end(lower_bound);
        let mut neighbors = None;
        // Neighbors need all shortest solutions; a stopped search may know only some.
        if FINDS_NEIGHBORS && search.options.neighbors && outcome == Outcome::Optimal {
            neighbors = search.neighbors(executor, lower_bound);
            if neighbors.is_none() {
                outcome = Outcome::unfinished(&search.cancel);
            }
        }
        let report = search.report(outcome, lower_bound, neighbors, earlier + start.elapsed());
        (report, checkpoint)
    }
}

/// `false` in the JavaScript package, which does not offer neighbors and is smaller without them.
const FINDS_NEIGHBORS: bool = cfg!(not(target_family = "wasm"));

/// Number of nodes that the optimal search expands for each node of the two-phase search for a
/// solution of the next length. Both take about the same time per node. Four is a guess: other
/// numbers were not measured.
const NODES_FOR_ONE_OF_TWO_PHASE: u64 = 4;
/// Number of nodes of the two-phase search for a first solution, which take somewhat more than a
/// millisecond; it continues if it has found none by then. For half of all positions, the solution
/// has 19 or 20 moves.
const FIRST_TWO_PHASE_NODES: u64 = 12_000;
/// Minimum number of nodes of a later two-phase search: with fewer, it rarely finds a shorter
/// solution than the first one did.
const MIN_TWO_PHASE_NODES: u64 = 100_000;
/// Maximum number of nodes of a two-phase search, some ten seconds; a longer one is not worth
/// waiting for.
const MAX_TWO_PHASE_NODES: u64 = 100_000_000;

/// If an iteration has at least this number of nodes, splitting the next one pays, because that
/// takes longer than the splitting. [`Search::run`] splits without this condition.
pub(super) const WORTH_SPLITTING: u64 = 10_000;

/// Returns the first threshold and the step to the next one. In the quarter-turn metric, the length
/// of every solution has the parity of the position.
fn thresholds(position: &Cube, bound: u8, metric: Metric) -> (u8, u8) {
    match metric {
        Metric::Htm => (bound, 1),
        Metric::Qtm => (bound + ((bound & 1) ^ u8::from(position.is_odd())), 2),
    }
}

/// A running search.
pub(super) struct Deepening<'a> {
    pub(super) solver: &'a Solver,
    pub(super) position: &'a Cube,
    pub(super) root: Node,
    pub(super) stabilizer: Vec<Symmetry>,
    options: Options<'a>,
    /// The requested number of solutions. (`options` requests all if neighbors are requested.)
    solution_count: SolutionCount,
    on_event: EventListener<'a>,
    cancel: Cancel,
    pub(super) tasks: Arc<Tasks>,
    pub(super) solutions: KnownSolutions,
    pub(super) iterations: Vec<IterationStats>,
    /// The state of the next iteration, if a part of it is done already.
    partial: Option<PartialIteration>,
    /// The priorities from a checkpoint, until the search is split.
    priority: Vec<u64>,
    /// During the search for neighbors: the settled moves (see `neighbors`), as bits by their
    /// numbers.
    pub(super) settled: Option<u32>,
}

impl<'a> Deepening<'a> {
    fn new(search: Search<'a>) -> Deepening<'a> {
        let Search {
            solver,
            position,
            mut options,
            ..
        } = search;
        let root = tasks::root(position, &solver.table);
        let stabilizer = position.symmetries();
        let solution_count = options.solution_count;
        if FINDS_NEIGHBORS && options.neighbors {
            options.solution_count = SolutionCount::All;
        }
        Deepening {
            solver,
            position,
            root,
            options,
            solution_count,
            on_event: search.on_event,
            cancel: search.cancel.limited(search.timeout),
            tasks: Arc::new(Tasks::whole(root, solver.metric())),
            solutions: KnownSolutions::new(position, stabilizer.clone(), solver.metric()),
            stabilizer,
            iterations: Vec::new(),
            partial: None,
            priority: Vec::new(),
            settled: None,
        }
    }

    /// Searches from the state `from` on. Returns the outcome, and the proven lower bound. Panics
    /// if `from` belongs to another search, or if one of its solutions or the known solution does
    /// not solve the position.
    fn run(
        &mut self,
        executor: &mut dyn Executor,
        from: Checkpoint,
        split_after: u64,
    ) -> (Outcome, u8) {
        let metric = self.solver.metric();
        assert!(
            from.of.is_none_or(|identity| identity == self.identity()),
            "the checkpoint is of another position or table"
        );
        let from = from.with_last_open(metric);
        let (first, step) = thresholds(self.position, self.root.best_bound(), metric);
        let mut length = from
            .iterations
            .last()
            .map_or(first, |last| last.length + step);
        self.restore(from, length);
        let max_length = self.options.max_length.unwrap_or(metric.diameter());
        loop {
            self.add_known(length);
            if self.is_enough() {
                return (Outcome::Optimal, length);
            }
            if length > max_length {
                return (Outcome::NoneWithinLimit, length);
            }
            if length >= MIN_SPLIT_LENGTH && self.last_nodes() >= split_after && !self.is_split() {
                self.split();
            }
            let exhausted = self.iterate(executor, length);
            if self.is_enough() || exhausted && !self.solutions.is_empty() {
                return (Outcome::Optimal, length);
            }
            if !exhausted {
                return (Outcome::unfinished(&self.cancel), length);
            }
            length += step;
        }
    }

    /// Returns the position and the table of the search.
    fn identity(&self) -> (Cube, TableId) {
        (*self.position, self.solver.table.id())
    }

    fn is_enough(&self) -> bool {
        self.solutions.is_enough(self.options.solution_count)
    }

    /// Returns the number of nodes of the last iteration.
    pub(super) fn last_nodes(&self) -> u64 {
        self.iterations.last().map_or(0, |last| last.nodes)
    }

    /// Restores an earlier search, which resumes with the iteration of this length.
    fn restore(&mut self, from: Checkpoint, length: u8) {
        let metric = self.solver.metric();
        let is_new = from.iterations.is_empty() && from.partial.is_none();
        for solution in &from.solutions {
            if from.partial.is_some() && metric.length(solution) == usize::from(length) {
                // The remaining work of the partial iteration may not contain it any more.
                self.solutions.add(solution);
            } else {
                self.offer(solution);
            }
        }
        self.iterations = from.iterations;
        self.partial = from.partial;
        self.priority = from.priority;
        if let Some(known) = self.options.known_solution {
            self.offer(known);
        }
        if self.options.two_phase == TwoPhaseMode::Upfront
            && (is_new || self.solutions.best().is_none())
        {
            self.find_first_solution();
        }
    }

    /// Ends the search at threshold `lower_bound`, and returns its checkpoint.
    fn end(&mut self, lower_bound: u8) -> Checkpoint {
        let checkpoint = Checkpoint {
            of: Some(self.identity()),
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
            partial: self.partial.take(),
            solutions: self.solutions.all().map(<[Move]>::to_vec).collect(),
        };
        // The statistics do not contain a partial iteration that was not resumed.
        let last = self.iterations.last().map(|last| last.length);
        if let Some(partial) = &checkpoint.partial
            && last.is_none_or(|last| last < lower_bound)
        {
            self.iterations.push(partial.stats(lower_bound, false));
        }
        checkpoint
    }

    fn report(
        self,
        outcome: Outcome,
        lower_bound: u8,
        neighbors: Option<Neighbors>,
        elapsed: Duration,
    ) -> Report {
        let mut solutions = self.solutions.shortest(self.options.solution_count);
        solutions.truncate(self.solution_count.max());
        Report {
            outcome,
            lower_bound,
            solutions,
            best_known: self.solutions.best().map(<[Move]>::to_vec),
            iterations: self.iterations,
            neighbors,
            symmetry_count: self.stabilizer.len(),
            elapsed,
        }
    }

    /// Counts a known solution of this length as found: every shorter length is ruled out.
    fn add_known(&mut self, length: u8) {
        let metric = self.solver.metric();
        if let Some(best) = self.solutions.best().map(<[Move]>::to_vec)
            && metric.length(&best) == usize::from(length)
        {
            self.solutions.add(&best);
        }
    }

    /// Records a solution, and reports it if it is the best known.
    fn offer(&mut self, moves: &[Move]) {
        if self.solutions.offer(moves) {
            let best = self.solutions.best().expect("one was just recorded");
            (self.on_event)(Event::Solution(best));
        }
    }

    /// Runs a two-phase search for a first solution.
    fn find_first_solution(&mut self) {
        let limits = TwoPhaseLimits {
            nodes: FIRST_TWO_PHASE_NODES,
            until_solved: true,
            ..TwoPhaseLimits::default()
        };
        let position = self.position;
        let cancel = self.cancel.clone();
        TwoPhase::get().search(position, &limits, &mut |moves| self.offer(moves), &cancel);
    }

    /// Returns the limits of a two-phase search for a solution of this length; `None` if no such
    /// search is to run.
    fn two_phase_limits(&self, length: u8) -> Option<TwoPhaseLimits> {
        let expanded: u64 = self
            .iterations
            .iter()
            .map(|iteration| iteration.nodes)
            .sum();
        let nodes = (expanded / NODES_FOR_ONE_OF_TWO_PHASE).min(MAX_TWO_PHASE_NODES);
        let is_wanted = self.options.two_phase != TwoPhaseMode::Off
            && self.solver.metric() == Metric::Htm
            && self.options.solution_count == SolutionCount::ONE;
        (is_wanted && nodes >= MIN_TWO_PHASE_NODES).then(|| TwoPhaseLimits {
            target: length,
            nodes,
            ..TwoPhaseLimits::default()
        })
    }

    pub(super) fn is_split(&self) -> bool {
        self.tasks.count() > 1
    }

    /// Splits the search into root tasks.
    pub(super) fn split(&mut self) {
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
    pub(super) fn iterate(&mut self, executor: &mut dyn Executor, length: u8) -> bool {
        (self.on_event)(Event::IterationStarted { length });
        // A resumed iteration does not start with the two-phase search again.
        let two_phase = match self.partial {
            None => self.two_phase_limits(length),
            Some(_) => None,
        };
        let partial = self.partial.take().unwrap_or_else(|| PartialIteration {
            left: WorkUnit {
                tasks: self.tasks.order(length),
                nodes: Vec::new(),
            },
            ..PartialIteration::default()
        });
        let iteration = Iteration::new(
            IterationStart {
                table: &self.solver.table,
                tasks: &self.tasks,
                length,
                nodes_before: self.last_nodes(),
                partial,
                forecast: Forecast::new(&self.iterations, self.solver.metric()),
                two_phase: two_phase.map(|limits| (*self.position, limits)),
                solutions: std::mem::take(&mut self.solutions),
                solution_count: self.options.solution_count,
                settled: self.settled,
            },
            &self.cancel,
            &*self.on_event,
        );
        let remaining = executor.search(&iteration);
        // An executor may return remaining work without being stopped; then the length is not ruled
        // out.
        let exhausted = !iteration.is_stopped() && remaining.is_empty();
        self.settled = iteration.settled();
        let (solutions, partial) = iteration.finish(remaining);
        self.solutions = solutions;
        let stats = partial.stats(length, exhausted);
        if exhausted {
            Arc::make_mut(&mut self.tasks).learn(partial.priority);
        } else {
            self.partial = Some(partial);
        }
        (self.on_event)(Event::IterationFinished(&stats));
        self.iterations.push(stats);
        exhausted
    }
}
