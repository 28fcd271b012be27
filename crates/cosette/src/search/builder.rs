//! The builder of a search.

use super::deepening::deepen;
use super::executor::{Executor, ThreadExecutor};
use super::node::Checkpoint;
use super::report::{Event, Options, Report, SolutionCount};
use super::solver::{ONE_SOLUTION, Solution, Solver};
use crate::control::{Cancel, Control, ThreadCount};
use crate::cube::Cube;
use std::fmt;
use std::num::NonZeroUsize;
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
    solver: &'a Solver,
    position: &'a Cube,
    options: Options<'a>,
    threads: ThreadCount,
    cancel: Cancel,
    timeout: Option<Duration>,
    on_event: &'a (dyn Fn(Event<'_>) + Sync),
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
    /// Finds all shortest solutions.
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

    /// Gives up once every length up to this one, in the metric of the table, is ruled out.
    pub fn max_length(mut self, length: u8) -> Search<'a> {
        self.options.max_length = Some(length);
        self
    }

    /// Replaces all options.
    pub fn options(mut self, options: Options<'a>) -> Search<'a> {
        self.options = options;
        self
    }

    /// Stops after this time, counted from when it is run.
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
    /// Panics if a solution in the checkpoint, or the known one, does not solve the position.
    pub fn resume(self, from: Checkpoint) -> (Report, Checkpoint) {
        let mut threads = ThreadExecutor::with_instructions(self.threads, self.solver.instructions);
        self.resume_with(&mut threads, from)
    }

    /// [`Search::resume`] with an executor that searches the root tasks.
    pub fn resume_with(self, executor: &mut dyn Executor, from: Checkpoint) -> (Report, Checkpoint) {
        let Search { solver, position, options, cancel, timeout, on_event, .. } = self;
        deepen(solver, (position, &options), from, executor, on_event, &cancel.limited(timeout))
    }
}
