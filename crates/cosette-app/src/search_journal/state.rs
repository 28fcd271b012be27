//! The content of a search journal, and the checkpoint from which its search resumes.
//!
//! An iteration counts as complete if
//!
//! - its statistics are recorded,
//! - all its units are recorded, if it has any (a small iteration is searched in one piece),
//! - the iteration before it is complete, and
//! - no solution of its length is known.
//!
//! If a solution is known, the iteration of its length is the last one. It is resumed as a partial
//! iteration, even without work left, so that it ends the search with all its solutions.

use super::record::{FinishedUnit, SearchRecord};
use crate::journal::{Journal, JournalError, JournalErrorKind, JournalRecord};
use crate::journal_error::quoted;
use crate::units::counted;
use cosette::cube::{Cube, DisplayMoves, Metric, Move};
use cosette::search::IterationStats;
use cosette::search::distributed::{
    Checkpoint, Counts, MIN_SPLIT_LENGTH, OpenNode, PartialIteration, Tasks, WorkUnit,
};
use cosette::table::TableId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// The content of the journal of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalState {
    path: PathBuf,
    position: Cube,
    metric: Metric,
    /// The number of records. The last of them is on line `records` + 1, after the header.
    records: usize,
    /// The iterations, by length.
    iterations: BTreeMap<u8, RecordedIteration>,
    /// The highest number of a root task in the records, and the number of a line with this task.
    last_task: (u16, usize),
    solutions: BTreeSet<Vec<Move>>,
}

/// The records of an iteration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RecordedIteration {
    /// The statistics, once the whole iteration is searched.
    stats: Option<IterationStats>,
    units: Vec<FinishedUnit>,
    /// The root tasks of the units.
    recorded_tasks: BTreeSet<u16>,
    /// The nodes that the units left open; `None` for those that a later unit has searched.
    open: Vec<Option<OpenNode>>,
}

impl RecordedIteration {
    /// Returns the open nodes that no unit has searched, with their numbers.
    fn open_nodes(&self) -> impl Iterator<Item = (usize, &OpenNode)> {
        let open = self.open.iter().enumerate();
        open.filter_map(|(number, node)| Some((number, node.as_ref()?)))
    }

    /// Returns `true` if the iteration was searched in one piece, or all its units are recorded.
    /// `tasks` are its root tasks.
    fn has_all_units(&self, tasks: &[u16]) -> bool {
        let is_recorded = |task| self.recorded_tasks.contains(task);
        self.units.is_empty() || self.open_nodes().next().is_none() && tasks.iter().all(is_recorded)
    }

    /// Returns the priority of each of the `count` root tasks; empty if no unit is recorded.
    fn priority(&self, count: usize) -> Vec<u64> {
        if self.units.is_empty() {
            return Vec::new();
        }
        let mut priority = vec![0; count];
        for &(task, sum) in self.units.iter().flat_map(|unit| &unit.priority) {
            priority[usize::from(task)] += sum;
        }
        priority
    }

    /// Returns the results of the searched part, and the remaining work in the order of `tasks`,
    /// which are the `count` root tasks.
    fn partial(&self, mut tasks: Vec<u16>, count: usize) -> PartialIteration {
        tasks.retain(|task| !self.recorded_tasks.contains(task));
        let units = || self.units.iter();
        PartialIteration {
            elapsed: units().map(|unit| unit.elapsed).max().unwrap_or_default(),
            counts: Counts {
                nodes: units().map(|unit| unit.counts.nodes).sum(),
                probes: units().map(|unit| unit.counts.probes).sum(),
            },
            priority: self.priority(count),
            left: WorkUnit {
                tasks,
                nodes: self.open_nodes().map(|(_, node)| node.clone()).collect(),
            },
        }
    }
}

impl JournalState {
    /// Opens or creates the journal of the search of this position with this table, and checks the
    /// solutions in it.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error, if another process writes the journal, if it is
    /// corrupted, not a journal of a search, or that of another position or table, or if a solution
    /// in it is wrong.
    pub fn open(
        path: &Path,
        position: &Cube,
        table: TableId,
    ) -> Result<(Journal<SearchRecord>, JournalState), JournalError> {
        let settings = [
            ("position", position.facelets()),
            ("table", table.to_string()),
        ];
        let mut state = JournalState {
            path: path.to_owned(),
            position: *position,
            metric: table.metric,
            records: 0,
            iterations: BTreeMap::new(),
            last_task: (0, 0),
            solutions: BTreeSet::new(),
        };
        let journal = Journal::open(path, settings, &mut |_, record| {
            state.records += 1;
            let line = state.records + 1;
            state.add(record).map_err(|what| invalid(line, what))
        })?;
        Ok((journal, state))
    }

    /// Adds the next record. Only the first record of a task, an open node or an iteration counts.
    fn add(&mut self, record: SearchRecord) -> Result<(), String> {
        match record {
            SearchRecord::Solution(moves) => self.add_solution(moves),
            SearchRecord::Iteration(stats) => {
                let iteration = self.iterations.entry(stats.length).or_default();
                iteration.stats.get_or_insert(stats);
                Ok(())
            }
            SearchRecord::Unit(unit) => self.add_unit(unit),
        }
    }

    fn add_unit(&mut self, mut unit: FinishedUnit) -> Result<(), String> {
        for moves in std::mem::take(&mut unit.solutions) {
            self.add_solution(moves)?;
        }
        let length = unit.length;
        if length < MIN_SPLIT_LENGTH {
            return Err(format!("an iteration of length {length} has no work units"));
        }
        if !unit.open.iter().all(OpenNode::is_possible) {
            return Err("the open node is impossible".to_owned());
        }
        let RecordedIteration {
            units,
            recorded_tasks,
            open,
            ..
        } = self.iterations.entry(length).or_default();
        if let Some(&node) = unit.nodes.iter().find(|&&node| node >= open.len()) {
            return Err(format!("there is no open node {node}"));
        }
        let is_new = unit.tasks.iter().all(|task| !recorded_tasks.contains(task))
            && unit.nodes.iter().all(|&node| open[node].is_some());
        if is_new {
            let tasks = unit.tasks.iter();
            let tasks = tasks.chain(unit.priority.iter().map(|(task, _)| task));
            let tasks = tasks.chain(unit.open.iter().map(|node| &node.task));
            let line = self.records + 1;
            for &task in tasks {
                self.last_task = self.last_task.max((task, line));
            }
            recorded_tasks.extend(&unit.tasks);
            unit.nodes.iter().for_each(|&node| open[node] = None);
            open.extend(std::mem::take(&mut unit.open).into_iter().map(Some));
            units.push(unit);
        }
        Ok(())
    }

    fn add_solution(&mut self, moves: Vec<Move>) -> Result<(), String> {
        if !self.position.apply_moves(&moves).is_solved() {
            let solution = quoted(&DisplayMoves(&moves).to_string());
            return Err(format!("`{solution}` does not solve its position"));
        }
        self.solutions.insert(moves);
        Ok(())
    }

    /// Returns `true` if the journal has no record.
    pub fn is_new(&self) -> bool {
        self.records == 0
    }

    /// Returns the solutions, all of them checked.
    pub fn solutions(&self) -> impl Iterator<Item = &[Move]> {
        self.solutions.iter().map(Vec::as_slice)
    }

    /// Returns the point from which the search resumes. `tasks` are the root tasks of the position
    /// with the table of the journal; they receive the priorities of the last complete iteration.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if a recorded task is not among `tasks`.
    pub fn resume(&self, tasks: &mut Tasks) -> Result<ResumePoint, JournalError> {
        let count = tasks.count();
        let (task, line) = self.last_task;
        if usize::from(task) >= count {
            let what = format!("its position has {count} root tasks, so there is no task {task}");
            return Err(JournalError {
                path: self.path.clone(),
                journal: SearchRecord::KIND,
                kind: invalid(line, what),
            });
        }
        let mut point = ResumePoint {
            checkpoint: Checkpoint {
                iterations: self.complete(tasks),
                solutions: self.solutions.iter().cloned().collect(),
                ..Checkpoint::default()
            },
            open: Vec::new(),
            lower_bound: None,
            share_done: 0.0,
        };
        let checkpoint = &mut point.checkpoint;
        // Without a complete iteration, the first one is searched again; it takes little time.
        let Some(last) = checkpoint.iterations.last().map(|last| last.length) else {
            return Ok(point);
        };
        let next = last + self.metric.step();
        point.lower_bound = Some(next);
        checkpoint.priority = self.iterations[&last].priority(count);
        if !checkpoint.priority.is_empty() {
            tasks.learn(checkpoint.priority.clone());
        }
        let begun = self.iterations.get(&next);
        if let Some(iteration) = begun.filter(|iteration| !iteration.units.is_empty()) {
            let order = tasks.order(next);
            let partial = iteration.partial(order.clone(), count);
            point.share_done = share_done(&order, &partial.left.tasks, &checkpoint.priority);
            point.open = iteration.open_nodes().map(|(number, _)| number).collect();
            if !point.open.is_empty() {
                // The work in open nodes is unknown, but not zero.
                point.share_done = point.share_done.min(0.99);
            }
            checkpoint.partial = Some(partial);
        }
        Ok(point)
    }

    /// Returns the complete iterations, by increasing length.
    fn complete(&self, tasks: &Tasks) -> Vec<IterationStats> {
        let lengths = self.solutions().map(|moves| self.metric.length(moves));
        let shortest = lengths.min().unwrap_or(usize::MAX);
        let mut complete: Vec<IterationStats> = Vec::new();
        for iteration in self.iterations.values() {
            let Some(stats) = iteration.stats else {
                continue;
            };
            let last = complete.last();
            let follows = last.is_none_or(|last| last.length + self.metric.step() == stats.length);
            let is_complete = stats.exhausted
                && usize::from(stats.length) < shortest
                && follows
                && iteration.has_all_units(&tasks.order(stats.length));
            if !is_complete {
                break;
            }
            complete.push(stats);
        }
        complete
    }
}

/// Creates the error for a line with invalid content.
fn invalid(line: usize, what: String) -> JournalErrorKind {
    JournalErrorKind::Invalid {
        place: format!("line {line}"),
        what,
    }
}

/// Returns the completed share of the work of the tasks in `all`, of which those in `left` remain.
/// The work of a task grows with the square root of its priority in the previous iteration
/// (`cosette::search::distributed::Tasks`).
fn share_done(all: &[u16], left: &[u16], priority: &[u64]) -> f64 {
    let work = |&task: &u16| {
        let priority = priority.get(usize::from(task));
        priority.map_or(1, |sum| sum.isqrt().max(1))
    };
    let sum = |tasks: &[u16]| tasks.iter().map(work).sum::<u64>();
    1.0 - sum(left) as f64 / sum(all).max(1) as f64
}

/// The point from which a search resumes. It is displayed as, e.g., `6 iterations complete, lower
/// bound 17, 38 % of length 17 done`.
#[derive(Clone, Debug)]
pub struct ResumePoint {
    /// The checkpoint of the search.
    pub checkpoint: Checkpoint,
    /// The numbers of the open nodes.
    pub(super) open: Vec<usize>,
    /// Proven lower bound on the length, in the metric of the table; `None` before an iteration is
    /// complete.
    pub lower_bound: Option<u8>,
    /// The completed share of the next iteration, from 0 to 1.
    pub share_done: f64,
}

impl fmt::Display for ResumePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(lower_bound) = self.lower_bound else {
            return f.write_str("no iteration complete");
        };
        let iterations = counted(self.checkpoint.iterations.len() as u64, "iteration");
        write!(f, "{iterations} complete, lower bound {lower_bound}")?;
        if self.checkpoint.partial.is_some() {
            // Rounded down, so that 100 % means complete.
            let percent = (100.0 * self.share_done).floor();
            write!(f, ", {percent} % of length {lower_bound} done")?;
        }
        Ok(())
    }
}
