//! An executor that searches with threads of this process and records each finished work unit.
//!
//! The root tasks of an iteration are handed out in work units, large ones first and single tasks
//! at the end, so that the threads end together. A unit takes a second or two, which is the work
//! that each thread loses if the process is killed. A search that is stopped records the searched
//! part of each unit, so even a short run makes progress.

use super::record::FinishedUnit;
use super::writer::JournalWriter;
use crate::lock;
use cosette::ThreadCount;
use cosette::search::distributed::{
    Executor, Iteration, Searcher, SearcherEvent, ThreadExecutor, WorkControl, WorkResult, WorkUnit,
};
use cosette::table::Table;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Mutex;

/// Minimum expected number of nodes of an iteration that is searched in units. A smaller one takes
/// a fraction of a second; it is recorded as a whole, unless a unit of it is already recorded.
const MIN_SPLIT_NODES: u64 = 1_300_000;
/// The work of a unit is about the remaining work of each thread divided by this number.
const UNITS_PER_THREAD: u64 = 16;
/// Minimum number of nodes of a unit: a search takes a while to have all its memory accesses in
/// flight.
const MIN_NODES: u64 = 10_000;
/// Maximum number of nodes of a unit.
const MAX_NODES: u64 = 10_000_000;
/// Maximum number of open nodes of an earlier search in a unit.
const MAX_OPEN_NODES: usize = 16;

/// Estimates the number of nodes of an iteration from the previous one.
fn expected_nodes(iteration: &Iteration<'_>) -> u64 {
    let metric = iteration.metric();
    (iteration.nodes_before() as f64 * metric.growth().powi(metric.step().into())) as u64
}

/// Returns `true` if a unit of the iteration was searched before. The iteration then counts as
/// complete only if all other units are recorded too.
fn is_begun(iteration: &Iteration<'_>) -> bool {
    let WorkUnit { tasks, nodes } = iteration.remaining();
    !nodes.is_empty() || tasks.len() < iteration.tasks().order(iteration.length()).len()
}

/// An executor that searches with threads of this process and records each finished unit.
pub struct RecordingExecutor<'a> {
    table: &'a Table,
    threads: ThreadCount,
    /// The executor of iterations that are not searched in units.
    whole_iterations: ThreadExecutor,
    searchers: Vec<Searcher>,
    writer: &'a JournalWriter,
}

impl<'a> RecordingExecutor<'a> {
    /// Creates an executor that searches with this table and records with this writer.
    pub fn new(
        table: &'a Table,
        threads: ThreadCount,
        writer: &'a JournalWriter,
    ) -> RecordingExecutor<'a> {
        let searchers = std::iter::repeat_with(Searcher::default)
            .take(threads.get())
            .collect();
        RecordingExecutor {
            table,
            threads,
            whole_iterations: ThreadExecutor::new(threads),
            searchers,
            writer,
        }
    }
}

impl Executor for RecordingExecutor<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        if !iteration.is_split()
            || expected_nodes(iteration) < MIN_SPLIT_NODES && !is_begun(iteration)
        {
            return self.whole_iterations.search(iteration);
        }
        if iteration.upper_bound_search().is_some() {
            // This record marks the iteration as begun. A resumed search then does not repeat the
            // upper-bound search, which may take longer than the time limit.
            self.writer.record_part(FinishedUnit {
                length: iteration.length(),
                ..FinishedUnit::default()
            });
        }
        let RecordingExecutor {
            table,
            threads,
            searchers,
            writer,
            ..
        } = self;
        let queue = Mutex::new(UnitQueue::new(iteration, *threads));
        let idle = Mutex::new(searchers.iter_mut());
        let unsearched = Mutex::new(WorkUnit::default());
        threads.run(&|number| {
            let searcher = lock(&idle).next().expect("there is one for each thread");
            // The first thread runs the upper-bound search; the others do not wait for it.
            if number == 0
                && let Some(search) = iteration.upper_bound_search()
            {
                search.run(&mut |moves| iteration.add_solution(moves));
            }
            loop {
                let next = lock(&queue).next();
                let Some(unit) = next else { break };
                let rest = search_unit(searcher, (table, iteration), unit, writer);
                lock(&unsearched).join(rest);
            }
        });
        let mut unsearched = std::mem::take(&mut *lock(&unsearched));
        unsearched.join(lock(&queue).remaining());
        unsearched
    }
}

/// Searches a unit, and records the searched part of it. Returns the rest.
fn search_unit(
    searcher: &mut Searcher,
    (table, iteration): (&Table, &Iteration<'_>),
    (tasks, nodes): (&[u16], Range<usize>),
    writer: &JournalWriter,
) -> WorkUnit {
    let solutions = RefCell::new(Vec::new());
    let on_event = |event: SearcherEvent<'_>| {
        if let SearcherEvent::Solution(moves) = event {
            iteration.add_solution(moves);
            solutions.borrow_mut().push(moves.to_vec());
        }
    };
    let mut control = WorkControl::default();
    control.stop = iteration.stop_token().clone();
    let unit = WorkUnit {
        tasks: tasks.to_vec(),
        nodes: iteration.remaining().nodes[nodes.clone()].to_vec(),
    };
    let length = iteration.length();
    let job = (length, unit);
    let WorkResult {
        counts,
        priority,
        left,
    } = searcher.search((table, iteration.tasks()), job, &control, &on_event);
    iteration.add_counts(counts);
    priority
        .iter()
        .for_each(|&(task, priority)| iteration.add_priority(task, priority));
    // Records the unit if anything was searched: an open node without remaining work may be
    // finished although no node is counted.
    if counts.nodes > 0 || left.nodes.len() < nodes.len() {
        // Tasks are searched in order, so the unsearched ones are the last.
        let tasks = tasks[..tasks.len() - left.tasks.len()].to_vec();
        writer.record_part(FinishedUnit {
            length,
            tasks,
            nodes: nodes.collect(),
            counts,
            priority,
            solutions: solutions.into_inner(),
            open: left.nodes.clone(),
            elapsed: iteration.elapsed(),
        });
    }
    writer.commit_if_due();
    left
}

/// The units of an iteration that have not been handed out: first the open nodes of an earlier
/// search, then root tasks.
struct UnitQueue<'i, 'a> {
    iteration: &'i Iteration<'a>,
    threads: u64,
    nodes: Range<usize>,
    tasks: Range<usize>,
    /// Minimum and maximum work in a work unit, in the unit of progress.
    sizes: [u64; 2],
}

impl<'i, 'a> UnitQueue<'i, 'a> {
    fn new(iteration: &'i Iteration<'a>, threads: ThreadCount) -> UnitQueue<'i, 'a> {
        let WorkUnit { tasks, nodes } = iteration.remaining();
        let work = u128::from(iteration.work_in_first(tasks.len()));
        // `expected` is for the whole iteration, even if less work remains; units are then smaller
        // than necessary.
        let expected = expected_nodes(iteration).max(MIN_SPLIT_NODES);
        let work_of = |nodes: u64| (work * u128::from(nodes) / u128::from(expected)) as u64;
        UnitQueue {
            iteration,
            threads: threads.get() as u64,
            nodes: 0..nodes.len(),
            tasks: 0..tasks.len(),
            sizes: [MIN_NODES, MAX_NODES].map(work_of),
        }
    }

    /// Removes the next unit and returns its root tasks and the indices of its open nodes, one of
    /// which is empty. Returns `None` at the end, or if the iteration is stopped.
    fn next(&mut self) -> Option<(&'i [u16], Range<usize>)> {
        let UnitQueue {
            iteration,
            threads,
            nodes,
            tasks,
            sizes: [min_size, max_size],
        } = self;
        if iteration.is_stopped() {
            return None;
        }
        if !Range::is_empty(nodes) {
            let unit = nodes.start..nodes.end.min(nodes.start + MAX_OPEN_NODES);
            nodes.start = unit.end;
            return Some((&[], unit));
        }
        if Range::is_empty(tasks) {
            iteration.mark_all_started();
            return None;
        }
        iteration.report(tasks.start);
        let before = iteration.work_in_first(tasks.start);
        let share = (iteration.work_in_first(tasks.end) - before) / (UNITS_PER_THREAD * *threads);
        let max_work = before + share.clamp(*min_size, *max_size);
        let is_within = |&end: &usize| iteration.work_in_first(end) <= max_work;
        let end = (tasks.start + 1..=tasks.end)
            .take_while(is_within)
            .last()
            .unwrap_or(tasks.start + 1);
        let unit = &iteration.remaining().tasks[tasks.start..end];
        tasks.start = end;
        Some((unit, 0..0))
    }

    /// Returns the units that were not handed out, as one.
    fn remaining(&self) -> WorkUnit {
        let WorkUnit { tasks, nodes } = self.iteration.remaining();
        WorkUnit {
            tasks: tasks[self.tasks.clone()].to_vec(),
            nodes: nodes[self.nodes.clone()].to_vec(),
        }
    }
}
