//! One iteration of IDA*: all root tasks at one threshold, shared among the threads.

use super::Wanted;
use super::node::{Node, Side};
use super::solutions::Solutions;
use super::tasks::Tasks;
use crate::cube::Metric;
use crate::kernel::{Entries, Kernel};
use crate::progress::{Cancel, Progress};
use crate::table::Table;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// What the threads of an iteration share.
pub(super) struct Iteration<'a> {
    table: &'a Table,
    tasks: &'a Tasks,
    /// The root tasks that may be solved within the threshold, the most promising first.
    order: Vec<u16>,
    threshold: u8,
    next: AtomicUsize,
    evidence: Vec<AtomicU64>,
    solutions: Mutex<Solutions>,
    enough: AtomicBool,
    wanted: Wanted,
    cancel: &'a Cancel,
    on_progress: &'a (dyn Fn(Progress) + Sync),
}

/// How many tasks are begun between two reports of progress.
const TASKS_PER_REPORT: usize = 64;

impl<'a> Iteration<'a> {
    pub fn new(
        (table, tasks): (&'a Table, &'a Tasks),
        threshold: u8,
        (solutions, wanted): (Solutions, Wanted),
        cancel: &'a Cancel,
        on_progress: &'a (dyn Fn(Progress) + Sync),
    ) -> Iteration<'a> {
        Iteration {
            table,
            tasks,
            order: tasks.order(threshold),
            threshold,
            next: AtomicUsize::new(0),
            evidence: std::iter::repeat_with(AtomicU64::default).take(tasks.len()).collect(),
            solutions: Mutex::new(solutions),
            enough: AtomicBool::new(false),
            wanted,
            cancel,
            on_progress,
        }
    }

    pub fn entries(&self) -> Entries<'_> {
        self.table.entries()
    }

    pub fn metric(&self) -> Metric {
        self.table.id().metric
    }

    /// How many tasks there are to search.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The next task that no thread has begun.
    #[inline(always)]
    pub fn next_task<K: Kernel>(&self, kernel: K) -> Option<Node> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        let &task = self.order.get(at)?;
        if at.is_multiple_of(TASKS_PER_REPORT) {
            (self.on_progress)(Progress { done: at as u64, total: self.order.len() as u64 });
        }
        Some(self.tasks.start(kernel, task, self.threshold))
    }

    /// Whether the threads should leave off: enough is found, or the user asks to stop.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.enough.load(Ordering::Relaxed) || self.cancel.is_cancelled()
    }

    /// Notes that a node with this bound survived in a task. A task belongs to one thread, so nobody else adds to it.
    #[inline(always)]
    pub fn add_evidence(&self, task: u16, bound: u8) {
        let evidence = &self.evidence[usize::from(task)];
        evidence.store(evidence.load(Ordering::Relaxed) + weight(bound), Ordering::Relaxed);
    }

    /// Keeps the solution that ends in a solved node.
    #[cold]
    pub fn found(&self, node: &Node) {
        debug_assert!(node.cube(Side::Position).is_solved());
        let mut solutions = self.solutions.lock().expect("no thread panics while it holds the solutions");
        if solutions.is_enough(self.wanted) {
            return; // found at the same moment as the last one wanted
        }
        solutions.add(self.tasks.solution(node));
        if solutions.is_enough(self.wanted) {
            self.enough.store(true, Ordering::Relaxed);
        }
    }

    /// The solutions and the evidence, when all threads are done.
    pub fn finish(self) -> (Solutions, Vec<u64>) {
        let solutions = self.solutions.into_inner().expect("no thread panics while it holds the solutions");
        (solutions, self.evidence.into_iter().map(AtomicU64::into_inner).collect())
    }
}

/// What a surviving node tells of its task: twice as much for each move its bound is lower.
#[inline(always)]
pub(super) fn weight(bound: u8) -> u64 {
    1 << (20u8.saturating_sub(bound))
}
