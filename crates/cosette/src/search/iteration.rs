//! One iteration of IDA*: all root tasks at one threshold, shared among the threads, and the
//! solutions that they find: canonical, without repetition, and with their conjugates under the
//! stabilizer.

use super::explore::WorkSource;
use super::forecast::Forecast;
use super::node::{Counts, Node, NodeSide, OpenNode, PartialIteration, WorkUnit};
use super::report::{Event, SolutionCount};
use super::tasks::{ALL_MOVES, Tasks, firsts, weight};
use crate::control::{Cancel, Progress};
use crate::cube::{Cube, Metric, Move, Symmetry, canonical};
use crate::kernel::{Kernel, TableEntries};
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
/// An [`Executor`](super::executor::Executor) searches the remaining nodes and tasks, in any order,
/// and reports its solutions and counts here.
pub struct Iteration<'a> {
    pub(super) table: &'a Table,
    tasks: &'a Arc<Tasks>,
    length: u8,
    nodes_before: u64,
    /// The remaining work. Its tasks are only the ones that may be solved within the threshold, the
    /// most promising first.
    remaining: WorkUnit,
    /// For each remaining task the estimated work in the tasks before it, and last the work in all
    /// of them ([`Tasks::work_before`]).
    work_before: Vec<u64>,
    /// Number of nodes and tasks of `remaining` that threads of this process have taken, the nodes
    /// first. May exceed their total.
    next: AtomicUsize,
    /// The priority of each task in this iteration.
    priority: Vec<AtomicU64>,
    /// Number of nodes since the search was resumed.
    nodes: AtomicU64,
    /// Number of probes since the search was resumed.
    probes: AtomicU64,
    /// Expected number of nodes since the search was resumed, if known.
    expected: Option<u64>,
    solutions: Mutex<KnownSolutions>,
    solution_count: SolutionCount,
    upper_bound_search: Option<UpperBoundSearch>,
    /// During the search for neighbors: the settled moves (see `neighbors`), as bits by their
    /// numbers.
    settled: Option<AtomicU32>,
    /// Triggered by the user, or once enough solutions are found.
    stop: Cancel,
    /// Triggered with `stop`, and as soon as all tasks have been started.
    all_started: Cancel,
    start: Instant,
    /// Time before the search was resumed.
    time_before: Duration,
    /// Counts before the search was resumed.
    counts_before: Counts,
    forecast: Forecast,
    /// Time of the next progress report, in milliseconds from the start.
    next_report: AtomicU64,
    on_event: &'a (dyn Fn(Event<'_>) + Sync),
}

/// A two-phase search that runs concurrently with the tasks.
#[derive(Clone, Debug)]
pub struct UpperBoundSearch {
    position: Cube,
    limits: TwoPhaseLimits,
    /// Triggered when the iteration is stopped, and as soon as all its tasks have been started.
    cancel: Cancel,
}

impl UpperBoundSearch {
    /// Runs the search; calls `on_solution` with each solution that is shorter than all before.
    pub fn run(&self, on_solution: &mut dyn FnMut(&[Move])) {
        TwoPhase::get().search(&self.position, &self.limits, on_solution, &self.cancel);
    }
}

/// Milliseconds between two progress reports.
const REPORT_EVERY: u64 = 50;

/// The initial state of an iteration.
pub(super) struct IterationStart<'a> {
    pub table: &'a Table,
    pub tasks: &'a Arc<Tasks>,
    pub length: u8,
    /// Number of nodes of the last iteration.
    pub nodes_before: u64,
    /// The state from which the iteration resumes.
    pub partial: PartialIteration,
    pub forecast: Forecast,
    /// The position, and the limits of a two-phase search for it.
    pub two_phase: Option<(Cube, TwoPhaseLimits)>,
    pub solutions: KnownSolutions,
    pub solution_count: SolutionCount,
    /// During the search for neighbors: the moves already settled.
    pub settled: Option<u32>,
}

impl<'a> Iteration<'a> {
    pub(super) fn new(
        start: IterationStart<'a>,
        cancel: &Cancel,
        on_event: &'a (dyn Fn(Event<'_>) + Sync),
    ) -> Iteration<'a> {
        let stop = cancel.child();
        let all_started = stop.child();
        let search = |(position, limits)| UpperBoundSearch {
            position,
            limits,
            cancel: all_started.clone(),
        };
        let PartialIteration {
            elapsed,
            counts,
            mut priority,
            left,
        } = start.partial;
        priority.resize(start.tasks.count(), 0);
        Iteration {
            table: start.table,
            tasks: start.tasks,
            work_before: start.tasks.work_before(&left.tasks),
            length: start.length,
            nodes_before: start.nodes_before,
            remaining: left,
            next: AtomicUsize::new(0),
            priority: priority.into_iter().map(AtomicU64::new).collect(),
            nodes: AtomicU64::new(0),
            probes: AtomicU64::new(0),
            expected: start
                .forecast
                .nodes()
                .and_then(|nodes| nodes.checked_sub(counts.nodes)),
            solutions: Mutex::new(start.solutions),
            solution_count: start.solution_count,
            upper_bound_search: start.two_phase.map(search),
            settled: start.settled.map(AtomicU32::new),
            all_started,
            stop,
            start: Instant::now(),
            time_before: elapsed,
            counts_before: counts,
            forecast: start.forecast,
            next_report: AtomicU64::new(0),
            on_event,
        }
    }

    /// Returns the length of the solutions searched for, in the metric of the table.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Returns the elapsed time of the iteration, including the time before it was resumed.
    pub fn elapsed(&self) -> Duration {
        self.time_before + self.start.elapsed()
    }

    /// Returns the number of nodes of the last iteration; this one is expected to have some
    /// thirteen times as many, or eighty times in the quarter-turn metric.
    pub fn nodes_before(&self) -> u64 {
        self.nodes_before
    }

    /// Returns the metric of the search.
    pub fn metric(&self) -> Metric {
        self.table.id().metric
    }

    /// Returns the root tasks of the position.
    pub fn tasks(&self) -> &Arc<Tasks> {
        self.tasks
    }

    /// Returns `true` if the search is split into root tasks. A short one is a single task, which
    /// takes a millisecond.
    pub fn is_split(&self) -> bool {
        self.tasks.count() > 1
    }

    /// Returns the remaining work, the most promising tasks first.
    pub fn remaining(&self) -> &WorkUnit {
        &self.remaining
    }

    /// Returns the work in the first `tasks` remaining tasks, in the unit of progress; estimated
    /// from the last iteration.
    pub fn work_in_first(&self, tasks: usize) -> u64 {
        self.work_before[tasks]
    }

    /// Returns `true` if the iteration should stop: enough solutions are found, or the search was
    /// cancelled.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Returns the cancellation token, triggered once enough solutions are found or the search is
    /// cancelled.
    pub fn stop_token(&self) -> &Cancel {
        &self.stop
    }

    /// Records a solution of the length searched for, or a longer one. Solutions beyond the
    /// requested number are retained: their nodes are no longer part of the remaining work, so a
    /// resumed search that requests more could not find them again.
    ///
    /// # Panics
    ///
    /// Panics if the moves do not solve the position.
    pub fn add_solution(&self, moves: &[Move]) {
        let mut solutions = self.lock();
        if solutions.offer(moves)
            && let Some(best) = solutions.best()
        {
            (self.on_event)(Event::Solution(best));
        }
        if self.table.id().metric.length(moves) == usize::from(self.length) {
            solutions.add(moves);
            if let Some(settled) = &self.settled {
                let first_moves = solutions.firsts(moves);
                if settled.fetch_or(first_moves, Relaxed) | first_moves == ALL_MOVES {
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
        self.nodes.fetch_add(counts.nodes, Relaxed);
        self.probes.fetch_add(counts.probes, Relaxed);
    }

    /// Adds to the priority of a task: tasks of higher priority come earlier in the next iteration.
    pub fn add_priority(&self, task: u16, priority: u64) {
        self.priority[usize::from(task)].fetch_add(priority, Relaxed);
    }

    /// Returns the two-phase search to run concurrently with the tasks, if there is one. Its
    /// solutions go to [`Iteration::add_solution`].
    pub fn upper_bound_search(&self) -> Option<&UpperBoundSearch> {
        self.upper_bound_search.as_ref()
    }

    /// Records that all tasks have been started.
    pub fn mark_all_started(&self) {
        self.all_started.cancel();
    }

    /// Reports progress from time to time, given the number of tasks that have been started.
    #[inline(always)]
    pub fn report(&self, started: usize) {
        let elapsed = self.start.elapsed();
        let due = self.next_report.load(Relaxed);
        let now = elapsed.as_millis() as u64;
        // If several threads get here when a report is due, only the first makes it.
        let is_mine = || {
            self.next_report
                .compare_exchange(due, now + REPORT_EVERY, Relaxed, Relaxed)
                .is_ok()
        };
        if now >= due && is_mine() {
            let progress = self.progress(started);
            let best = self.lock().best_length();
            let time_left = self
                .forecast
                .remaining(self.length, best, progress, elapsed);
            (self.on_event)(Event::Progress {
                length: self.length,
                progress,
                time_left,
            });
        }
    }

    /// Returns the progress: by nodes, if their number can be expected and threads of this process
    /// search; otherwise by the tasks started.
    fn progress(&self, started: usize) -> Progress {
        let nodes = match self.next.load(Relaxed) {
            0 => 0,
            _ => self.nodes.load(Relaxed),
        };
        match (nodes, self.expected) {
            // Never complete before the end of the iteration, whatever the number of nodes.
            (done @ 1.., Some(expected)) => Progress {
                done: done.min(expected - expected / 100),
                total: expected,
            },
            _ => {
                let total = *self.work_before.last().expect("the sum of all is last");
                Progress {
                    done: self.work_before[started],
                    total,
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, KnownSolutions> {
        self.solutions
            .lock()
            .expect("no thread panics while it holds the solutions")
    }

    /// Returns the tasks and nodes that [`WorkSource::next`] has not handed out.
    pub(super) fn not_started(&self) -> WorkUnit {
        let started = self.next.load(Relaxed);
        let WorkUnit { tasks, nodes } = &self.remaining;
        let not_started = |all: usize, started: usize| started.min(all)..all;
        WorkUnit {
            tasks: tasks[not_started(tasks.len(), started.saturating_sub(nodes.len()))].to_vec(),
            nodes: nodes[not_started(nodes.len(), started)].to_vec(),
        }
    }

    /// Returns the settled moves; `None` except during the search for neighbors.
    pub(super) fn settled(&self) -> Option<u32> {
        self.settled.as_ref().map(|settled| settled.load(Relaxed))
    }

    /// Returns `true` if every solution of a task begins with settled moves.
    fn is_settled(&self, task: u16) -> bool {
        self.settled()
            .is_some_and(|settled| self.tasks.firsts(task) & !settled == 0)
    }

    /// Returns the solutions and the work done, given the remaining work.
    pub(super) fn finish(self, remaining: WorkUnit) -> (KnownSolutions, PartialIteration) {
        let elapsed = self.elapsed();
        let solutions = self
            .solutions
            .into_inner()
            .expect("no thread panics while it holds the solutions");
        let priority = self
            .priority
            .into_iter()
            .map(AtomicU64::into_inner)
            .collect();
        let mut counts = self.counts_before;
        counts += Counts {
            nodes: self.nodes.into_inner(),
            probes: self.probes.into_inner(),
        };
        (
            solutions,
            PartialIteration {
                elapsed,
                counts,
                priority,
                left: remaining,
            },
        )
    }
}

/// Threads of one process take the tasks one by one.
impl WorkSource for Iteration<'_> {
    fn entries(&self) -> TableEntries<'_> {
        self.table.entries()
    }

    fn metric(&self) -> Metric {
        self.metric()
    }

    #[inline(always)]
    fn next<K: Kernel>(&self, kernel: K) -> Option<Node> {
        loop {
            let index = self.next.fetch_add(1, Relaxed);
            if let Some(open) = self.remaining.nodes.get(index) {
                return Some(self.tasks.reopen(kernel, open));
            }
            let started = index - self.remaining.nodes.len();
            let Some(&task) = self.remaining.tasks.get(started) else {
                self.mark_all_started();
                return None;
            };
            self.report(started);
            if !self.is_settled(task) {
                return Some(self.tasks.start(kernel, task, self.length));
            }
        }
    }

    #[inline(always)]
    fn is_stopped(&self) -> bool {
        self.is_stopped()
    }

    /// No thread gives work away: each takes the next task.
    #[inline(always)]
    fn should_share(&self) -> bool {
        false
    }

    fn share(&self, _: Vec<OpenNode>) {}

    #[cold]
    fn add_counts(&self, counts: Counts) {
        self.add_counts(counts);
        self.report(
            self.next
                .load(Relaxed)
                .saturating_sub(self.remaining.nodes.len())
                .min(self.remaining.tasks.len()),
        );
    }

    #[cold]
    fn record_solution(&self, node: &Node) {
        debug_assert!(node.cube(NodeSide::Position).is_solved());
        self.add_solution(&self.tasks.solution(node));
    }

    /// Only one thread searches a task, so its priority is not added atomically. Several threads
    /// may search open nodes of one task; then an addition may be lost, which changes only the
    /// order of tasks.
    #[inline(always)]
    fn add_priority(&self, task: u16, bound: u8) {
        let priority = &self.priority[usize::from(task)];
        priority.store(priority.load(Relaxed) + weight(bound), Relaxed);
    }
}

/// The known solutions of one position.
#[derive(Default)]
pub(super) struct KnownSolutions {
    position: Cube,
    stabilizer: Vec<Symmetry>,
    metric: Metric,
    /// The shortest solutions, canonical and with their conjugates.
    found: BTreeSet<Vec<Move>>,
    /// The first one that was added to `found`.
    first: Option<Vec<Move>>,
    /// The shortest known solution, possibly longer than the optimum.
    best: Option<Vec<Move>>,
}

impl KnownSolutions {
    pub fn new(position: &Cube, stabilizer: Vec<Symmetry>, metric: Metric) -> KnownSolutions {
        KnownSolutions {
            position: *position,
            stabilizer,
            metric,
            ..KnownSolutions::default()
        }
    }

    /// Records a solution of any length. Returns `true` if it is shorter than all known before.
    /// Panics if it does not solve the position.
    pub fn offer(&mut self, moves: &[Move]) -> bool {
        assert!(
            self.position.apply_moves(moves).is_solved(),
            "{moves:?} does not solve {:?}",
            self.position
        );
        let moves = canonical(moves);
        let is_better = self
            .best_length()
            .is_none_or(|best| self.metric.length(&moves) < best);
        if is_better {
            self.best = Some(moves);
        }
        is_better
    }

    /// Returns all solutions found, and the best known.
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

    /// Adds a solution and its conjugates by the symmetries of the position, which solve it as
    /// well.
    ///
    /// The two sides of the search meet anywhere in a solution, so two nodes may find the same
    /// solution with turns of two opposite faces in different order; their canonical form is the
    /// same. Panics if it does not solve the position: that would be a bug in the search, and such
    /// a solution must never be shown.
    pub fn add(&mut self, moves: &[Move]) {
        self.offer(moves);
        for &s in &self.stabilizer {
            let image: Vec<Move> = moves.iter().map(|&m| s.conjugate_move(m)).collect();
            self.found.insert(canonical(&image));
        }
        self.first.get_or_insert_with(|| canonical(moves));
    }

    /// Returns the moves that this solution or a conjugate of it may begin with, as bits by their
    /// numbers.
    fn firsts(&self, moves: &[Move]) -> u32 {
        let moves = canonical(moves);
        let images = self.stabilizer.iter().map(|&s| {
            moves
                .iter()
                .map(|&m| s.conjugate_move(m))
                .collect::<Vec<_>>()
        });
        images.fold(0, |bits, image| bits | firsts(&image))
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub fn is_enough(&self, count: SolutionCount) -> bool {
        self.found.len() >= count.max()
    }

    /// Returns the requested number of shortest solutions, or fewer if there are fewer: the first
    /// one found if one is requested, otherwise the first in lexicographic order.
    pub fn shortest(&self, count: SolutionCount) -> Vec<Vec<Move>> {
        match count {
            SolutionCount::ONE => self.first.iter().cloned().collect(),
            _ => self.found.iter().take(count.max()).cloned().collect(),
        }
    }
}
