//! One iteration of IDA*: all root tasks at one threshold, shared among the threads, and the solutions that they find:
//! canonical, without repetition, and with their conjugates under the stabilizer.

use super::explore::Source;
use super::forecast::Forecast;
use super::node::{Counts, Node, OpenNode, Part, PartialIteration, Side};
use super::report::{Event, SolutionCount};
use super::tasks::{ALL_MOVES, Tasks, firsts, weight};
use crate::control::{Cancel, Progress};
use crate::cube::{Cube, Metric, Move, Symmetry, canonical};
use crate::kernel::{Entries, Kernel};
use crate::platform::Instant;
use crate::table::Table;
use crate::twophase::{TwoPhase, TwoPhaseLimits};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// One iteration, shared by all threads that search its tasks.
///
/// An [`Executor`](super::executor::Executor) searches the nodes and tasks that are left, in any order, and reports its
/// solutions and counts here.
pub struct Iteration<'a> {
    pub(super) table: &'a Table,
    tasks: &'a Arc<Tasks>,
    length: u8,
    nodes_before: u64,
    /// What is left to search. Of the tasks, those that may be solved within the threshold, the most promising first.
    left: Part,
    /// The work in the tasks before each, estimated from the last iteration.
    work_before: Vec<u64>,
    next: AtomicUsize,
    priority: Vec<AtomicU64>,
    counts: Mutex<Counts>,
    /// How many nodes the threads of this process have expanded so far.
    expanded: AtomicU64,
    /// How many nodes it is expected to expand from here on, if that is known.
    expected: Option<u64>,
    solutions: Mutex<Solutions>,
    solution_count: SolutionCount,
    upper_bound_search: Option<UpperBoundSearch>,
    /// The moves that are known to begin a solution, where one of each is enough; as bits by their numbers.
    settled: Option<AtomicU32>,
    /// Requested by the user, or because enough solutions are found.
    stop: Cancel,
    /// Requested as well as soon as all tasks have been started.
    all_started: Cancel,
    start: Instant,
    /// The time spent before it was resumed.
    before: Duration,
    forecast: Forecast,
    /// When progress is reported next, in milliseconds from the start.
    next_report: AtomicU64,
    on_event: &'a (dyn Fn(Event<'_>) + Sync),
}

/// A two-phase search that runs at the same time as the tasks.
#[derive(Clone, Debug)]
pub struct UpperBoundSearch {
    position: Cube,
    limits: TwoPhaseLimits,
    /// Requested when the iteration is stopped, and as soon as all its tasks have been started.
    cancel: Cancel,
}

impl UpperBoundSearch {
    /// Searches, and calls `on_solution` with each solution that is shorter than all before.
    pub fn run(&self, on_solution: &mut dyn FnMut(&[Move])) {
        TwoPhase::get().search(&self.position, &self.limits, on_solution, &self.cancel);
    }
}

/// Milliseconds between two reports of progress.
const REPORT_EVERY: u64 = 50;

/// The state in which an iteration begins.
pub(super) struct Start<'a> {
    pub table: &'a Table,
    pub tasks: &'a Arc<Tasks>,
    pub length: u8,
    /// Nodes of the last iteration.
    pub nodes_before: u64,
    /// The part of it that was done before.
    pub partial: PartialIteration,
    pub forecast: Forecast,
    /// The position, and what a two-phase search may spend on it.
    pub two_phase: Option<(Cube, TwoPhaseLimits)>,
    pub solutions: Solutions,
    pub solution_count: SolutionCount,
    /// If only the first moves of solutions are wanted: those that are not.
    pub settled: Option<u32>,
}

impl<'a> Iteration<'a> {
    pub(super) fn new(start: Start<'a>, cancel: &Cancel, on_event: &'a (dyn Fn(Event<'_>) + Sync)) -> Iteration<'a> {
        let Start { table, tasks, length, nodes_before, partial, .. } = start;
        let Start { forecast, two_phase, solutions, solution_count, settled, .. } = start;
        let stop = cancel.child();
        let all_started = stop.child();
        let search = |(position, limits)| UpperBoundSearch { position, limits, cancel: all_started.clone() };
        let mut priority = partial.priority;
        priority.resize(tasks.count(), 0);
        Iteration {
            table,
            tasks,
            work_before: tasks.work_before(&partial.left.tasks),
            length,
            nodes_before,
            left: partial.left,
            next: AtomicUsize::new(0),
            priority: priority.into_iter().map(AtomicU64::new).collect(),
            expanded: AtomicU64::new(0),
            expected: forecast.nodes().and_then(|nodes| nodes.checked_sub(partial.counts.nodes)),
            counts: Mutex::new(partial.counts),
            solutions: Mutex::new(solutions),
            solution_count,
            upper_bound_search: two_phase.map(search),
            settled: settled.map(AtomicU32::new),
            all_started,
            stop,
            start: Instant::now(),
            before: partial.elapsed,
            forecast,
            next_report: AtomicU64::new(0),
            on_event,
        }
    }

    /// The length of the solutions that are searched, in the metric of the table.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// How long it has taken so far, including the time before it was resumed.
    pub fn elapsed(&self) -> Duration {
        self.before + self.start.elapsed()
    }

    /// How many nodes the last iteration had; this one will have some thirteen times as many, in the quarter-turn
    /// metric some eighty times.
    pub fn nodes_before(&self) -> u64 {
        self.nodes_before
    }

    /// The metric of the search.
    pub fn metric(&self) -> Metric {
        self.table.id().metric
    }

    /// The root tasks of the position.
    pub fn tasks(&self) -> &Arc<Tasks> {
        self.tasks
    }

    /// Whether the search is cut into root tasks. A short one is a single task, which takes a millisecond.
    pub fn is_cut(&self) -> bool {
        self.tasks.count() > 1
    }

    /// What is left to search, the most promising tasks first.
    pub fn left(&self) -> &Part {
        &self.left
    }

    /// The work in the first `tasks` tasks that are left, in the unit of progress; estimated from the last iteration.
    pub fn work_in_first(&self, tasks: usize) -> u64 {
        self.work_before[tasks]
    }

    /// Whether to stop: enough solutions are found, or the search was cancelled.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// The request to stop, which is made when enough solutions are found or the search is cancelled.
    pub fn stop(&self) -> &Cancel {
        &self.stop
    }

    /// Records a solution of the length that is searched, or a longer one. More than are wanted are kept for a search that continues
    /// and wants more, as their nodes are not left to search. Panics if it does not solve the position.
    pub fn add_solution(&self, moves: &[Move]) {
        let mut solutions = self.lock();
        if solutions.offer(moves) {
            solutions.best().iter().for_each(|best| (self.on_event)(Event::Solution(best)));
        }
        if self.table.id().metric.length(moves) == usize::from(self.length) {
            solutions.add(moves);
            if let Some(settled) = &self.settled {
                let found = solutions.firsts(moves);
                if settled.fetch_or(found, Relaxed) | found == ALL_MOVES {
                    self.stop.cancel();
                }
            }
        }
        if solutions.is_enough(self.solution_count) {
            self.stop.cancel();
        }
    }

    /// Adds the counts of some nodes or tasks.
    pub fn add_counts(&self, counts: Counts) {
        *self.counts.lock().expect("nothing panics while it holds the counts") += counts;
    }

    /// Adds to the priority of a task: the higher it is, the earlier the next iteration searches the task.
    pub fn add_priority(&self, task: u16, priority: u64) {
        self.priority[usize::from(task)].fetch_add(priority, Relaxed);
    }

    /// The two-phase search to run at the same time as the tasks, if there is to be one. Its solutions go
    /// to [`Iteration::add_solution`].
    pub fn upper_bound_search(&self) -> Option<&UpperBoundSearch> {
        self.upper_bound_search.as_ref()
    }

    /// Records that all tasks have been started.
    pub fn all_are_started(&self) {
        self.all_started.cancel();
    }

    /// Records how many of the tasks left have been started, and reports progress from time to time.
    #[inline(always)]
    pub fn report(&self, started: usize) {
        let (elapsed, due) = (self.start.elapsed(), self.next_report.load(Relaxed));
        let now = elapsed.as_millis() as u64;
        // Of the threads that get here when a report is due, only the first makes it.
        let is_mine = || self.next_report.compare_exchange(due, now + REPORT_EVERY, Relaxed, Relaxed).is_ok();
        if now >= due && is_mine() {
            let progress = self.progress(started);
            let best = self.lock().best_length();
            let remaining = self.forecast.remaining(self.length, best, progress, elapsed);
            (self.on_event)(Event::Progress { length: self.length, progress, remaining });
        }
    }

    /// How much is done: by nodes, where their number is expected and known, and otherwise by the tasks started.
    fn progress(&self, started: usize) -> Progress {
        match (self.expanded.load(Relaxed), self.expected) {
            // It is not done before its end, however many nodes it has.
            (done @ 1.., Some(expected)) => Progress { done: done.min(expected - expected / 100), total: expected },
            _ => {
                let total = *self.work_before.last().expect("the sum of all is last");
                Progress { done: self.work_before[started], total }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Solutions> {
        self.solutions.lock().expect("no thread panics while it holds the solutions")
    }

    /// The tasks and nodes that [`Source::next`] has not handed out.
    pub(super) fn not_started(&self) -> Part {
        let started = self.next.load(Relaxed);
        let Part { tasks, nodes } = &self.left;
        let rest = |all: usize, started: usize| started.min(all)..all;
        Part {
            tasks: tasks[rest(tasks.len(), started.saturating_sub(nodes.len()))].to_vec(),
            nodes: nodes[rest(nodes.len(), started)].to_vec(),
        }
    }

    /// The moves that are settled.
    pub(super) fn settled(&self) -> u32 {
        self.settled.as_ref().map_or(0, |settled| settled.load(Relaxed))
    }

    /// Whether every solution of a task begins with moves that are settled.
    fn is_settled(&self, task: u16) -> bool {
        self.settled.is_some() && self.tasks.firsts(task) & !self.settled() == 0
    }

    /// The solutions and the work done, given what is left.
    pub(super) fn finish(self, left: Part) -> (Solutions, PartialIteration) {
        let elapsed = self.elapsed();
        let solutions = self.solutions.into_inner().expect("no thread panics while it holds the solutions");
        let priority = self.priority.into_iter().map(AtomicU64::into_inner).collect();
        let counts = self.counts.into_inner().expect("nothing panics while it holds the counts");
        (solutions, PartialIteration { elapsed, counts, priority, left })
    }
}

/// Threads of one process take the tasks one by one.
impl Source for Iteration<'_> {
    fn entries(&self) -> Entries<'_> {
        self.table.entries()
    }

    fn metric(&self) -> Metric {
        self.metric()
    }

    #[inline(always)]
    fn next<K: Kernel>(&self, kernel: K) -> Option<Node> {
        loop {
            let at = self.next.fetch_add(1, Relaxed);
            if let Some(open) = self.left.nodes.get(at) {
                return Some(self.tasks.reopen(kernel, open));
            }
            let at = at - self.left.nodes.len();
            let Some(&task) = self.left.tasks.get(at) else {
                self.all_are_started();
                return None;
            };
            self.report(at);
            if !self.is_settled(task) {
                return Some(self.tasks.start(kernel, task, self.length));
            }
        }
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.is_stopped()
    }

    /// Threads have nothing to share: each takes the next task.
    #[inline(always)]
    fn is_asked_to_share(&self) -> bool {
        false
    }

    fn share(&self, _: Vec<OpenNode>) {}

    #[cold]
    fn expanded(&self, nodes: u64) {
        self.expanded.fetch_add(nodes, Relaxed);
        self.report(self.next.load(Relaxed).saturating_sub(self.left.nodes.len()).min(self.left.tasks.len()));
    }

    #[cold]
    fn found(&self, node: &Node) {
        debug_assert!(node.cube(Side::Position).is_solved());
        self.add_solution(&self.tasks.solution(node));
    }

    /// A task belongs to one thread, so no other thread adds to it, except for open nodes.
    #[inline(always)]
    fn add_priority(&self, task: u16, bound: u8) {
        let priority = &self.priority[usize::from(task)];
        priority.store(priority.load(Relaxed) + weight(bound), Relaxed);
    }
}

/// The solutions of one position that are known.
#[derive(Default)]
pub(super) struct Solutions {
    position: Cube,
    stabilizer: Vec<Symmetry>,
    metric: Metric,
    /// The shortest ones.
    found: BTreeSet<Vec<Move>>,
    first: Option<Vec<Move>>,
    /// The shortest known, which may not be the shortest there is.
    best: Option<Vec<Move>>,
}

impl Solutions {
    pub fn new(position: &Cube, stabilizer: Vec<Symmetry>, metric: Metric) -> Solutions {
        Solutions { position: *position, stabilizer, metric, ..Solutions::default() }
    }

    /// Records a solution, the shortest or not. Returns whether it is shorter than all known before. Panics if it does
    /// not solve the position.
    pub fn offer(&mut self, moves: &[Move]) -> bool {
        assert!(self.position.after(moves).is_solved(), "{moves:?} does not solve {:?}", self.position);
        let moves = canonical(moves);
        let is_better = self.best_length().is_none_or(|best| self.metric.length(&moves) < best);
        if is_better {
            self.best = Some(moves);
        }
        is_better
    }

    /// All solutions found, and the best known.
    pub fn all(&self) -> impl Iterator<Item = &[Move]> {
        let best = self.best().filter(|&best| !self.found.contains(best));
        self.found.iter().map(Vec::as_slice).chain(best)
    }

    pub fn best(&self) -> Option<&[Move]> {
        self.best.as_deref()
    }

    pub fn best_length(&self) -> Option<usize> {
        self.best().map(|best| self.metric.length(best))
    }

    /// Adds a solution and its conjugates by the symmetries of the position, which solve it as well.
    ///
    /// The two sides of the search meet anywhere in a solution, so two nodes may find the same solution with turns of
    /// two opposite faces in different order; their canonical form is the same. Panics if it does not solve the
    /// position: that would be a bug in the search, and such a solution must never be shown.
    pub fn add(&mut self, moves: &[Move]) {
        self.offer(moves);
        for &s in &self.stabilizer {
            let image: Vec<Move> = moves.iter().map(|&m| s.conjugate_move(m)).collect();
            self.found.insert(canonical(&image));
        }
        self.first.get_or_insert_with(|| canonical(moves));
    }

    /// The moves that this solution or a conjugate of it may begin with, as bits by their numbers.
    fn firsts(&self, moves: &[Move]) -> u32 {
        let moves = canonical(moves);
        let images = self.stabilizer.iter().map(|&s| moves.iter().map(|&m| s.conjugate_move(m)).collect::<Vec<_>>());
        images.fold(0, |bits, image| bits | firsts(&image))
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn is_enough(&self, count: SolutionCount) -> bool {
        self.found.len() >= count.most()
    }

    /// As many of the shortest as are wanted: the first one found, or the set in lexicographic order.
    pub fn shortest(&self, count: SolutionCount) -> Vec<Vec<Move>> {
        match count {
            SolutionCount::ONE => self.first.iter().cloned().collect(),
            _ => self.found.iter().take(count.most()).cloned().collect(),
        }
    }
}
