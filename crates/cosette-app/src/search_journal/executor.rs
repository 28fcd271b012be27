//! Searches with threads of this process, and records each part that is done.
//!
//! The root tasks of an iteration are handed out in parts, large ones first and single tasks at the end, so that the threads
//! end together. A part takes a second at most, which is what a kill costs each thread.

use super::{JournalWriter, PartDone};
use cosette::ThreadCount;
use cosette::search::distributed::{
    Executor, Iteration, Part, PartControl, PartResult, Searcher, SearcherEvent, ThreadExecutor,
};
use cosette::table::Table;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// An iteration after one with fewer nodes takes a fraction of a second, and is recorded as a whole.
const MIN_NODES: u64 = 100_000;
/// How many times as many nodes an iteration has as the one before, roughly.
const GROWTH: u64 = 13;
/// A part has about this share of what is left for each thread,
const SHARE: usize = 16;
/// but at least so many nodes, as a search takes a while to have all its memory accesses under way,
const LEAST_NODES: u64 = 10_000;
/// and at most so many.
const MOST_NODES: u64 = 10_000_000;

/// Searches with threads of this process, and records each part that is done.
pub struct RecordingExecutor<'a> {
    table: &'a Table,
    threads: ThreadCount,
    whole: ThreadExecutor,
    searchers: Vec<Searcher>,
    writer: &'a JournalWriter,
}

impl<'a> RecordingExecutor<'a> {
    /// Searches with this table, and records with this writer.
    pub fn new(table: &'a Table, threads: ThreadCount, writer: &'a JournalWriter) -> RecordingExecutor<'a> {
        let searchers = std::iter::repeat_with(Searcher::default).take(threads.get()).collect();
        RecordingExecutor { table, threads, whole: ThreadExecutor::new(threads), searchers, writer }
    }
}

impl Executor for RecordingExecutor<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> Part {
        if !iteration.is_cut() || iteration.nodes_before() < MIN_NODES {
            return self.whole.search(iteration);
        }
        let RecordingExecutor { table, threads, searchers, writer, .. } = self;
        let parts = Mutex::new(Parts::new(iteration, *threads));
        let (idle, left) = (Mutex::new(searchers.iter_mut()), Mutex::new(Part::default()));
        threads.run(&|number| {
            let searcher = idle.lock().unwrap_or_else(PoisonError::into_inner).next();
            let searcher = searcher.expect("there is one for each thread");
            // The other threads do not wait for it.
            if number == 0 {
                let search = iteration.upper_bound_search();
                search.into_iter().for_each(|search| search.run(&mut |moves| iteration.add_solution(moves)));
            }
            loop {
                let next = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(part) = next else { break };
                let rest = search_part(searcher, (table, iteration), part, writer);
                let mut left = left.lock().unwrap_or_else(PoisonError::into_inner);
                left.tasks.extend(rest.tasks);
                left.nodes.extend(rest.nodes);
            }
        });
        let mut left = left.into_inner().unwrap_or_else(PoisonError::into_inner);
        let not_started = parts.into_inner().unwrap_or_else(PoisonError::into_inner).rest();
        left.tasks.extend(not_started.tasks);
        left.nodes.extend(not_started.nodes);
        left
    }
}

/// Searches a part, and records it if it was searched to its end. Returns what is left of it.
fn search_part(
    searcher: &mut Searcher,
    (table, iteration): (&Table, &Iteration<'_>),
    part: Part,
    writer: &JournalWriter,
) -> Part {
    let solutions = RefCell::new(Vec::new());
    let on_event = |event: SearcherEvent<'_>| {
        if let SearcherEvent::Solution(moves) = event {
            iteration.add_solution(moves);
            solutions.borrow_mut().push(moves.to_vec());
        }
    };
    let mut control = PartControl::default();
    control.stop = iteration.stop().clone();
    let (length, tasks, has_nodes) = (iteration.length(), part.tasks.clone(), !part.nodes.is_empty());
    let result = searcher.search((table, iteration.tasks()), (length, part), &control, &on_event);
    let PartResult { counts, priority, left } = result;
    iteration.add_counts(counts);
    priority.iter().for_each(|&(task, priority)| iteration.add_priority(task, priority));
    // The rest of a task that was begun before is not a task.
    if left.is_empty() && !has_nodes {
        let (elapsed, solutions) = (iteration.elapsed(), solutions.into_inner());
        writer.record_part(PartDone { length, tasks, counts, priority, solutions, elapsed });
    }
    writer.commit_if_due();
    left
}

/// The parts of an iteration that have not been handed out.
struct Parts<'i, 'a> {
    iteration: &'i Iteration<'a>,
    threads: usize,
    has_nodes: bool,
    tasks: Range<usize>,
    sizes: Range<usize>,
}

impl<'i, 'a> Parts<'i, 'a> {
    fn new(iteration: &'i Iteration<'a>, threads: ThreadCount) -> Parts<'i, 'a> {
        let left = iteration.left();
        let nodes_per_task = (GROWTH * iteration.nodes_before() / iteration.tasks().count() as u64).max(1);
        let [least, most] = [LEAST_NODES, MOST_NODES].map(|nodes| (nodes / nodes_per_task).max(1) as usize);
        let has_nodes = !left.nodes.is_empty();
        Parts { iteration, threads: threads.get(), has_nodes, tasks: 0..left.tasks.len(), sizes: least..most }
    }

    fn next(&mut self) -> Option<Part> {
        if self.iteration.is_stopped() {
            return None;
        }
        let left = self.iteration.left();
        if std::mem::take(&mut self.has_nodes) {
            return Some(Part { tasks: Vec::new(), nodes: left.nodes.clone() });
        }
        if self.tasks.is_empty() {
            self.iteration.all_are_started();
            return None;
        }
        let share = self.tasks.len() / (SHARE * self.threads);
        let size = share.clamp(self.sizes.start, self.sizes.end).min(self.tasks.len());
        self.iteration.report(self.tasks.start);
        let tasks = left.tasks[self.tasks.start..self.tasks.start + size].to_vec();
        self.tasks.start += size;
        Some(Part { tasks, nodes: Vec::new() })
    }

    /// What was not handed out.
    fn rest(self) -> Part {
        let Part { tasks, nodes } = self.iteration.left();
        Part { tasks: tasks[self.tasks].to_vec(), nodes: if self.has_nodes { nodes.clone() } else { Vec::new() } }
    }
}
