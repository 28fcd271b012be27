//! One iteration of IDA*: all root tasks at one threshold, shared among the threads.

use super::forecast::Forecast;
use super::node::{Node, Side};
use super::solutions::Solutions;
use super::tasks::Tasks;
use super::{Event, Wanted};
use crate::cube::{Metric, Move};
use crate::kernel::{Entries, Kernel};
use crate::progress::{Cancel, Progress};
use crate::table::Table;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// What the threads of an iteration share.
pub(super) struct Iteration<'a> {
    table: &'a Table,
    tasks: &'a Tasks,
    /// The root tasks that may be solved within the threshold, the most promising first.
    order: Vec<u16>,
    /// The work in the tasks before each, foretold by the last iteration.
    work_before: Vec<u64>,
    threshold: u8,
    next: AtomicUsize,
    evidence: Vec<AtomicU64>,
    solutions: Mutex<Solutions>,
    wanted: Wanted,
    /// Made by the user, or because enough is found.
    stop: Cancel,
    /// Made as well as soon as all tasks are begun.
    all_begun: Cancel,
    start: Instant,
    forecast: Forecast,
    /// When progress is reported next, in milliseconds from the start.
    next_report: AtomicU64,
    on_event: &'a (dyn Fn(Event<'_>) + Sync),
}

/// Milliseconds between two reports of progress.
const REPORT_EVERY: u64 = 50;

impl<'a> Iteration<'a> {
    pub fn new(
        (table, tasks): (&'a Table, &'a Tasks),
        (threshold, forecast): (u8, Forecast),
        (solutions, wanted): (Solutions, Wanted),
        cancel: &Cancel,
        on_event: &'a (dyn Fn(Event<'_>) + Sync),
    ) -> Iteration<'a> {
        let stop = cancel.of_part();
        let order = tasks.order(threshold);
        Iteration {
            table,
            tasks,
            work_before: tasks.work_before(&order),
            order,
            threshold,
            next: AtomicUsize::new(0),
            evidence: std::iter::repeat_with(AtomicU64::default).take(tasks.len()).collect(),
            solutions: Mutex::new(solutions),
            wanted,
            all_begun: stop.of_part(),
            stop,
            start: Instant::now(),
            forecast,
            next_report: AtomicU64::new(0),
            on_event,
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
        let Some(&task) = self.order.get(at) else {
            self.all_begun.cancel();
            return None;
        };
        self.report(at);
        Some(self.tasks.start(kernel, task, self.threshold))
    }

    /// Says now and then how much of the work is begun. One thread does so, the first that comes when it is time.
    #[inline(always)]
    fn report(&self, begun: usize) {
        let (elapsed, due) = (self.start.elapsed(), self.next_report.load(Ordering::Relaxed));
        let now = elapsed.as_millis() as u64;
        let is_mine = || {
            let next = now + REPORT_EVERY;
            self.next_report.compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        };
        if now >= due && is_mine() {
            let total = *self.work_before.last().expect("the sum of all stands last");
            let progress = Progress { done: self.work_before[begun], total };
            let best = self.lock().best_length();
            let remaining = self.forecast.remaining(self.threshold, best, progress, elapsed);
            (self.on_event)(Event::Progress { length: self.threshold, progress, remaining });
        }
    }

    /// Whether the threads should leave off: enough is found, or the user asks to stop.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// A request to stop what goes on beside the tasks: made when the iteration is stopped, or when no task is left to begin.
    pub fn all_begun(&self) -> &Cancel {
        &self.all_begun
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
        self.take(&self.tasks.solution(node));
    }

    /// Takes note of a solution, of the length that is searched or longer.
    pub fn take(&self, moves: &[Move]) {
        let mut solutions = self.lock();
        if solutions.is_enough(self.wanted) {
            return; // found at the same moment as the last one wanted
        }
        if solutions.offer(moves) {
            solutions.best().iter().for_each(|best| (self.on_event)(Event::Solution(best)));
        }
        if self.metric().length(moves) == usize::from(self.threshold) {
            solutions.add(moves);
        }
        if solutions.is_enough(self.wanted) {
            self.stop.cancel();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Solutions> {
        self.solutions.lock().expect("no thread panics while it holds the solutions")
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
