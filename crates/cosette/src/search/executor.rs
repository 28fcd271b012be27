//! Executors search the root tasks of an iteration: with threads of this process, or in work units
//! on any machine.

use super::explore::{SearchLoop, ThreadSearch, WorkSource};
use super::iteration::Iteration;
use super::node::{Counts, Node, OpenNode, WorkUnit};
use super::tasks::{Tasks, weight};
use crate::control::{Cancel, ThreadCount};
use crate::cube::{Metric, Move};
use crate::kernel::{Instructions, Kernel, TableEntries};
use crate::table::Table;
use std::cell::{Cell, RefCell};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Searches the root tasks of an iteration.
///
/// An implementation searches everything in [`Iteration::remaining`], and passes each solution, the
/// priorities, the counts and the progress to the iteration. The counts of an iteration that is
/// searched to its end depend neither on the order of its tasks nor on the machines that search
/// them.
pub trait Executor {
    /// Searches the iteration to its end, or until it is stopped ([`Iteration::is_stopped`]).
    /// Returns the remaining work.
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit;
}

/// Searches with threads of this process.
pub struct ThreadExecutor {
    threads: ThreadCount,
    instructions: Instructions,
    thread_searches: Vec<Box<ThreadSearch>>,
}

impl ThreadExecutor {
    /// Creates an executor with this many threads and the fastest instructions of this machine.
    pub fn new(threads: ThreadCount) -> ThreadExecutor {
        ThreadExecutor::with_instructions(threads, Instructions::best())
    }

    pub(super) fn with_instructions(
        threads: ThreadCount,
        instructions: Instructions,
    ) -> ThreadExecutor {
        let thread_searches = std::iter::repeat_with(|| Box::new(ThreadSearch::new()))
            .take(threads.get())
            .collect();
        ThreadExecutor {
            threads,
            instructions,
            thread_searches,
        }
    }
}

impl Executor for ThreadExecutor {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        let explore = |thread_search: &mut Box<ThreadSearch>| {
            self.instructions.run(SearchLoop {
                thread_search,
                source: iteration,
            })
        };
        // Starting a thread takes longer than a small iteration.
        let work = iteration.remaining();
        let threads = self.threads.at_most(work.tasks.len() + work.nodes.len());
        let thread_searches = &mut self.thread_searches[..threads.get()];
        thread_searches
            .iter_mut()
            .for_each(|thread_search| thread_search.reset());
        let unused = Mutex::new(thread_searches.iter_mut());
        threads.run(&|number| {
            // This thread runs the two-phase search first; the other threads do not wait for it.
            if number == 0
                && let Some(search) = iteration.upper_bound_search()
            {
                search.run(&mut |moves| iteration.add_solution(moves));
            }
            let thread_search = unused
                .lock()
                .expect("no thread panics while it takes a thread search")
                .next();
            explore(thread_search.expect("there is one for each thread"));
        });
        let mut remaining = iteration.not_started();
        for thread_search in thread_searches {
            iteration.add_counts(thread_search.take_counts());
            remaining.nodes.extend(thread_search.open_nodes());
        }
        remaining
    }
}

/// Searches work units of iterations in the calling thread.
pub struct Searcher {
    instructions: Instructions,
    thread_search: Box<ThreadSearch>,
    /// The priority of each root task in the current work unit; zero between two units.
    priority: Vec<Cell<u64>>,
}

/// Requests of other threads to a thread while it searches a work unit.
#[derive(Clone, Debug, Default)]
pub struct WorkControl {
    /// Stops the search.
    pub stop: Cancel,
    share: std::sync::Arc<AtomicBool>,
}

impl WorkControl {
    /// Requests that the thread give away some of its work, which it does within a fraction of a
    /// millisecond.
    pub fn share(&self) {
        self.share.store(true, Relaxed);
    }
}

/// The result of searching a work unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorkResult {
    /// Counts of nodes and probes.
    pub counts: Counts,
    /// The numbers of root tasks with their priorities, except zeros.
    pub priority: Vec<(u16, u64)>,
    /// The remaining work if the search was stopped; otherwise empty.
    pub left: WorkUnit,
}

/// An event during the search of a work unit.
#[derive(Debug)]
pub enum SearcherEvent<'a> {
    /// A solution of the position, not yet checked by applying it.
    Solution(&'a [Move]),
    /// Work that was given away on request; may be empty.
    Shared(WorkUnit),
}

impl Default for Searcher {
    fn default() -> Searcher {
        Searcher {
            instructions: Instructions::best(),
            thread_search: Box::new(ThreadSearch::new()),
            priority: Vec::new(),
        }
    }
}

impl Searcher {
    /// Searches a work unit of the iteration for solutions of this length, with the table and the
    /// root tasks of the position.
    pub fn search(
        &mut self,
        (table, tasks): (&Table, &Tasks),
        (length, mut unit): (u8, WorkUnit),
        control: &WorkControl,
        on_event: &dyn Fn(SearcherEvent<'_>),
    ) -> WorkResult {
        self.priority.resize(tasks.count(), Cell::default());
        self.thread_search.reset();
        let mut task_numbers: Vec<u16> = unit.tasks.clone();
        task_numbers.extend(unit.nodes.iter().map(|open| open.task));
        task_numbers.sort_unstable();
        task_numbers.dedup();
        unit.tasks.reverse();
        let running = RunningUnit {
            table,
            tasks,
            length,
            remaining: RefCell::new(unit),
            counts: Cell::default(),
            priority: &self.priority,
            control,
            on_event,
        };
        self.instructions.run(SearchLoop {
            thread_search: &mut self.thread_search,
            source: &running,
        });
        // A request to share may arrive after the last check.
        if running.should_share() {
            running.share(Vec::new());
        }
        let mut counts = running.counts.get();
        counts += self.thread_search.take_counts();
        let mut left = running.remaining.into_inner();
        left.tasks.reverse();
        left.nodes.extend(self.thread_search.open_nodes());
        let priority = task_numbers
            .into_iter()
            .map(|task| (task, self.priority[usize::from(task)].take()));
        WorkResult {
            counts,
            priority: priority.filter(|&(_, sum)| sum > 0).collect(),
            left,
        }
    }
}

/// A work unit during its search.
struct RunningUnit<'a> {
    table: &'a Table,
    tasks: &'a Tasks,
    length: u8,
    /// The work that has not been started. The tasks are reversed, since they are popped from the
    /// end.
    remaining: RefCell<WorkUnit>,
    counts: Cell<Counts>,
    priority: &'a [Cell<u64>],
    control: &'a WorkControl,
    on_event: &'a dyn Fn(SearcherEvent<'_>),
}

impl WorkSource for RunningUnit<'_> {
    fn entries(&self) -> TableEntries<'_> {
        self.table.entries()
    }

    fn metric(&self) -> Metric {
        self.table.id().metric
    }

    #[inline(always)]
    fn next<K: Kernel>(&self, kernel: K) -> Option<Node> {
        let mut remaining = self.remaining.borrow_mut();
        if let Some(open) = remaining.nodes.pop() {
            return Some(self.tasks.reopen(kernel, &open));
        }
        Some(
            self.tasks
                .start(kernel, remaining.tasks.pop()?, self.length),
        )
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.control.stop.is_cancelled()
    }

    #[inline(always)]
    fn should_share(&self) -> bool {
        self.control.share.load(Relaxed)
    }

    #[cold]
    fn add_counts(&self, more: Counts) {
        let mut counts = self.counts.get();
        counts += more;
        self.counts.set(counts);
    }

    /// Gives the nodes away, with half of the tasks and open nodes that have not been started.
    fn share(&self, mut nodes: Vec<OpenNode>) {
        self.control.share.store(false, Relaxed);
        let mut remaining = self.remaining.borrow_mut();
        let half = remaining.tasks.len() / 2;
        let tasks = remaining.tasks.drain(..half).rev().collect();
        let half = remaining.nodes.len() / 2;
        nodes.extend(remaining.nodes.drain(..half));
        (self.on_event)(SearcherEvent::Shared(WorkUnit { tasks, nodes }));
    }

    #[cold]
    fn record_solution(&self, node: &Node) {
        (self.on_event)(SearcherEvent::Solution(&self.tasks.solution(node)));
    }

    #[inline(always)]
    fn add_priority(&self, task: u16, bound: u8) {
        let priority = &self.priority[usize::from(task)];
        priority.set(priority.get() + weight(bound));
    }
}
