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
/// priorities, the counts and the progress to the iteration. The counts of a whole iteration do not
/// depend on the order of its tasks, or on the machines that search them.
pub trait Executor {
    /// Searches the iteration to its end, or until it is stopped ([`Iteration::is_stopped`]).
    /// Returns the remaining work.
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit;
}

/// Searches with threads of this process.
pub struct ThreadExecutor {
    threads: ThreadCount,
    instructions: Instructions,
    explorers: Vec<Box<ThreadSearch>>,
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
        let explorers = std::iter::repeat_with(|| Box::new(ThreadSearch::new()))
            .take(threads.get())
            .collect();
        ThreadExecutor {
            threads,
            instructions,
            explorers,
        }
    }
}

impl Executor for ThreadExecutor {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        let explore = |explorer: &mut Box<ThreadSearch>| {
            self.instructions.run(SearchLoop {
                explorer,
                source: iteration,
            })
        };
        // Starting a thread takes longer than a small iteration.
        let left = iteration.remaining();
        let threads = self.threads.at_most(left.tasks.len() + left.nodes.len());
        let explorers = &mut self.explorers[..threads.get()];
        explorers.iter_mut().for_each(|explorer| explorer.reset());
        let idle = Mutex::new(explorers.iter_mut());
        threads.run(&|number| {
            // Only this thread runs it; the others do not wait.
            if number == 0 {
                iteration
                    .upper_bound_search()
                    .into_iter()
                    .for_each(|search| search.run(&mut |moves| iteration.add_solution(moves)));
            }
            let explorer = idle
                .lock()
                .expect("no thread panics while it takes an explorer")
                .next();
            explore(explorer.expect("there is one for each thread"));
        });
        let mut left = iteration.not_started();
        for explorer in explorers {
            iteration.add_counts(explorer.take_counts());
            left.nodes.extend(explorer.open_nodes());
        }
        left
    }
}

/// Searches work units of iterations in the calling thread.
pub struct Searcher {
    instructions: Instructions,
    explorer: Box<ThreadSearch>,
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
    /// Asks the thread to give away some of its work, which it does within a fraction of a
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
    /// The priorities of root tasks, if they are not zero.
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
            explorer: Box::new(ThreadSearch::new()),
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
        (length, mut part): (u8, WorkUnit),
        control: &WorkControl,
        on_event: &dyn Fn(SearcherEvent<'_>),
    ) -> WorkResult {
        self.priority.resize(tasks.count(), Cell::default());
        self.explorer.reset();
        let mut touched: Vec<u16> = part.tasks.clone();
        touched.extend(part.nodes.iter().map(|open| open.task));
        touched.sort_unstable();
        touched.dedup();
        part.tasks.reverse();
        let lease = RunningUnit {
            table,
            tasks,
            length,
            left: RefCell::new(part),
            counts: Cell::default(),
            priority: &self.priority,
            control,
            on_event,
        };
        self.instructions.run(SearchLoop {
            explorer: &mut self.explorer,
            source: &lease,
        });
        // A request to share may arrive after the last check.
        if lease.is_asked_to_share() {
            lease.share(Vec::new());
        }
        let mut counts = lease.counts.get();
        counts += self.explorer.take_counts();
        let mut left = lease.left.into_inner();
        left.tasks.reverse();
        left.nodes.extend(self.explorer.open_nodes());
        let priority = touched
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
    /// Tasks that have not been started, the last one first.
    left: RefCell<WorkUnit>,
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
        let mut left = self.left.borrow_mut();
        if let Some(open) = left.nodes.pop() {
            return Some(self.tasks.reopen(kernel, &open));
        }
        Some(self.tasks.start(kernel, left.tasks.pop()?, self.length))
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.control.stop.is_cancelled()
    }

    #[inline(always)]
    fn is_asked_to_share(&self) -> bool {
        self.control.share.load(Relaxed)
    }

    #[cold]
    fn add_counts(&self, more: Counts) {
        let mut counts = self.counts.get();
        counts += more;
        self.counts.set(counts);
    }

    /// Gives the nodes away, with half of the tasks that have not been started.
    fn share(&self, mut nodes: Vec<OpenNode>) {
        self.control.share.store(false, Relaxed);
        let mut left = self.left.borrow_mut();
        let half = left.tasks.len() / 2;
        let tasks = left.tasks.drain(..half).rev().collect();
        let half = left.nodes.len() / 2;
        nodes.extend(left.nodes.drain(..half));
        (self.on_event)(SearcherEvent::Shared(WorkUnit { tasks, nodes }));
    }

    #[cold]
    fn found(&self, node: &Node) {
        (self.on_event)(SearcherEvent::Solution(&self.tasks.solution(node)));
    }

    #[inline(always)]
    fn add_priority(&self, task: u16, bound: u8) {
        let priority = &self.priority[usize::from(task)];
        priority.set(priority.get() + weight(bound));
    }
}
