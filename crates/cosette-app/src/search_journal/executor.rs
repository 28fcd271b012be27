//! An executor that searches with threads of this process and records each finished work unit.
//!
//! The root tasks of an iteration are handed out in work units, large ones first and single tasks
//! at the end, so that the threads end together. A unit takes a second or two, which is the work
//! that each thread loses if the process is killed. A search that is stopped records the searched
//! part of each unit, so that it resumes from there, however short a run is.

use super::writer::{FinishedUnit, JournalWriter};
use crate::lock;
use cosette::ThreadCount;
use cosette::search::distributed::{
    Executor, Iteration, Searcher, SearcherEvent, ThreadExecutor, WorkControl, WorkResult, WorkUnit,
};
use cosette::table::Table;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Mutex;

/// Number of nodes below which an iteration, which takes a fraction of a second, is recorded as a
/// whole, unless a unit of it is recorded.
const MIN_CUT: u64 = 1_300_000;
/// A unit is about the remaining work of each thread divided by this number.
const PARTS_PER_THREAD: u64 = 16;
/// Minimum number of nodes of a unit: a search takes a while to have all its memory accesses in
/// flight.
const MIN_NODES: u64 = 10_000;
/// Maximum number of nodes of a unit.
const MAX_NODES: u64 = 10_000_000;
/// Number of open nodes of an earlier search per unit.
const OPEN_NODES: usize = 16;

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
    whole: ThreadExecutor,
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
            whole: ThreadExecutor::new(threads),
            searchers,
            writer,
        }
    }
}

impl Executor for RecordingExecutor<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        if !iteration.is_split() || expected_nodes(iteration) < MIN_CUT && !is_begun(iteration) {
            return self.whole.search(iteration);
        }
        if iteration.upper_bound_search().is_some() {
            // A resumed search must not start with the upper-bound search again, which may take
            // longer than the time limit.
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
        let parts = Mutex::new(Parts::new(iteration, *threads));
        let idle = Mutex::new(searchers.iter_mut());
        let left = Mutex::new(WorkUnit::default());
        threads.run(&|number| {
            let searcher = lock(&idle).next().expect("there is one for each thread");
            // The other threads do not wait for it.
            if number == 0
                && let Some(search) = iteration.upper_bound_search()
            {
                search.run(&mut |moves| iteration.add_solution(moves));
            }
            loop {
                let next = lock(&parts).next();
                let Some(part) = next else { break };
                let rest = search_part(searcher, (table, iteration), part, writer);
                lock(&left).join(rest);
            }
        });
        let mut left = std::mem::take(&mut *lock(&left));
        left.join(lock(&parts).rest());
        left
    }
}

/// Searches a unit, and records the searched part of it. Returns the rest.
fn search_part(
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
    let part = WorkUnit {
        tasks: tasks.to_vec(),
        nodes: iteration.remaining().nodes[nodes.clone()].to_vec(),
    };
    let length = iteration.length();
    let job = (length, part);
    let WorkResult {
        counts,
        priority,
        left,
    } = searcher.search((table, iteration.tasks()), job, &control, &on_event);
    iteration.add_counts(counts);
    priority
        .iter()
        .for_each(|&(task, priority)| iteration.add_priority(task, priority));
    // Open nodes with nothing remaining are searched without being counted.
    if counts.nodes > 0 || left.nodes.len() < nodes.len() {
        // Tasks are searched in order.
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
struct Parts<'i, 'a> {
    iteration: &'i Iteration<'a>,
    threads: u64,
    nodes: Range<usize>,
    tasks: Range<usize>,
    /// Minimum and maximum work in a unit, in the unit of progress.
    sizes: [u64; 2],
}

impl<'i, 'a> Parts<'i, 'a> {
    fn new(iteration: &'i Iteration<'a>, threads: ThreadCount) -> Parts<'i, 'a> {
        let WorkUnit { tasks, nodes } = iteration.remaining();
        let work = u128::from(iteration.work_in_first(tasks.len()));
        // The remaining work may be less than the whole iteration; units are then smaller than
        // necessary.
        let expected = expected_nodes(iteration).max(MIN_CUT);
        let work_of = |nodes: u64| (work * u128::from(nodes) / u128::from(expected)) as u64;
        Parts {
            iteration,
            threads: threads.get() as u64,
            nodes: 0..nodes.len(),
            tasks: 0..tasks.len(),
            sizes: [MIN_NODES, MAX_NODES].map(work_of),
        }
    }

    /// Returns the next root tasks, or the indices of the next open nodes.
    fn next(&mut self) -> Option<(&'i [u16], Range<usize>)> {
        let Parts {
            iteration,
            threads,
            nodes,
            tasks,
            sizes: [least, most],
        } = self;
        if iteration.is_stopped() {
            return None;
        }
        if !Range::is_empty(nodes) {
            let part = nodes.start..nodes.end.min(nodes.start + OPEN_NODES);
            nodes.start = part.end;
            return Some((&[], part));
        }
        if Range::is_empty(tasks) {
            iteration.mark_all_started();
            return None;
        }
        iteration.report(tasks.start);
        let before = iteration.work_in_first(tasks.start);
        let share = (iteration.work_in_first(tasks.end) - before) / (PARTS_PER_THREAD * *threads);
        let enough = before + share.clamp(*least, *most);
        let is_within = |&end: &usize| iteration.work_in_first(end) <= enough;
        let end = (tasks.start + 1..=tasks.end)
            .take_while(is_within)
            .last()
            .unwrap_or(tasks.start + 1);
        let part = &iteration.remaining().tasks[tasks.start..end];
        tasks.start = end;
        Some((part, 0..0))
    }

    /// Returns the work that was not handed out.
    fn rest(&self) -> WorkUnit {
        let WorkUnit { tasks, nodes } = self.iteration.remaining();
        WorkUnit {
            tasks: tasks[self.tasks.clone()].to_vec(),
            nodes: nodes[self.nodes.clone()].to_vec(),
        }
    }
}
