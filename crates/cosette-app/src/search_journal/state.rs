//! The content of a search journal, and the checkpoint from which its search resumes.
//!
//! An iteration is complete if its statistics are recorded, with all its units if there are any (a
//! small iteration is searched in one piece), the one before it is complete, and no solution of its
//! length is known. If there is one, then that iteration is the last: it is resumed as a partial
//! iteration, possibly with no work left, so that it ends the search at once with all its
//! solutions.

use super::record::{FinishedUnit, SearchRecord};
use crate::journal::{JournalError, JournalErrorKind, JournalRecord};
use crate::journal_error::quoted;
use cosette::cube::{Cube, DisplayMoves, Metric, Move};
use cosette::search::IterationStats;
use cosette::search::distributed::{
    Checkpoint, Counts, MIN_SPLIT_LENGTH, OpenNode, PartialIteration, Tasks, WorkUnit,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

/// The content of the journal of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalState {
    path: PathBuf,
    position: Cube,
    metric: Metric,
    /// The number of records.
    records: usize,
    /// The complete iterations, by length.
    iterations: BTreeMap<u8, IterationStats>,
    /// The units of each iteration, each with its line number.
    units: BTreeMap<u8, Vec<(usize, FinishedUnit)>>,
    /// The root tasks in the units of each iteration.
    done: BTreeMap<u8, BTreeSet<u16>>,
    /// The nodes that the units of each iteration left open; `None` for those that a later unit has
    /// searched.
    open: BTreeMap<u8, Vec<Option<OpenNode>>>,
    solutions: BTreeSet<Vec<Move>>,
}

impl JournalState {
    pub(super) fn new(path: &Path, position: &Cube, metric: Metric) -> JournalState {
        JournalState {
            path: path.to_owned(),
            position: *position,
            metric,
            records: 0,
            iterations: BTreeMap::new(),
            units: BTreeMap::new(),
            done: BTreeMap::new(),
            open: BTreeMap::new(),
            solutions: BTreeSet::new(),
        }
    }

    /// Adds the next record. Only the first record of a task, an open node or an iteration counts.
    pub(super) fn add(&mut self, record: SearchRecord) -> Result<(), JournalErrorKind> {
        self.records += 1;
        let line = self.records + 1;
        for moves in record.solutions() {
            self.add_solution(moves, line)?;
        }
        match record {
            SearchRecord::Solution(_) => {}
            SearchRecord::Iteration(iteration) => {
                self.iterations.entry(iteration.length).or_insert(iteration);
            }
            SearchRecord::Unit(unit) => self.add_unit(unit, line)?,
        }
        Ok(())
    }

    fn add_unit(&mut self, mut unit: FinishedUnit, line: usize) -> Result<(), JournalErrorKind> {
        if unit.length < MIN_SPLIT_LENGTH {
            let what = format!("an iteration of length {} has no work units", unit.length);
            return Err(invalid(line, what));
        }
        if !unit.open.iter().all(OpenNode::is_possible) {
            return Err(invalid(line, "the open node is impossible".into()));
        }
        let done = self.done.entry(unit.length).or_default();
        let open = self.open.entry(unit.length).or_default();
        if let Some(&node) = unit.nodes.iter().find(|&&node| node >= open.len()) {
            return Err(invalid(line, format!("there is no open node {node}")));
        }
        let is_new = unit.tasks.iter().all(|task| !done.contains(task))
            && unit.nodes.iter().all(|&node| open[node].is_some());
        if is_new {
            done.extend(&unit.tasks);
            unit.nodes.iter().for_each(|&node| open[node] = None);
            open.extend(std::mem::take(&mut unit.open).into_iter().map(Some));
            unit.solutions.clear();
            let units = self.units.entry(unit.length).or_default();
            units.push((line, unit));
        }
        Ok(())
    }

    fn add_solution(&mut self, moves: &[Move], line: usize) -> Result<(), JournalErrorKind> {
        if !self.position.apply_moves(moves).is_solved() {
            let solution = quoted(&DisplayMoves(moves).to_string());
            let what = format!("`{solution}` does not solve its position");
            return Err(invalid(line, what));
        }
        self.solutions.insert(moves.to_vec());
        Ok(())
    }

    /// Returns `true` if there is no record.
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
    /// Returns [`JournalError`] if a unit has a task that is not among them.
    pub fn resume(&self, tasks: &mut Tasks) -> Result<ResumePoint, JournalError> {
        self.check(tasks.count())?;
        let iterations = self.complete(tasks);
        let Some(last) = iterations.last().map(|last| last.length) else {
            // The first iteration takes little time, so it is searched again.
            let checkpoint = Checkpoint {
                solutions: self.solutions.iter().cloned().collect(),
                ..Checkpoint::default()
            };
            return Ok(ResumePoint {
                checkpoint,
                open: Vec::new(),
                lower_bound: None,
                share_done: 0.0,
            });
        };
        let next = last + self.metric.step();
        let priority = self.priority(last, tasks.count());
        if !priority.is_empty() {
            tasks.learn(priority.clone());
        }
        let partial = self.partial(next, tasks);
        let share_done = partial.as_ref().map_or(0.0, |partial| {
            share_done(&tasks.order(next), &partial.left.tasks, &priority)
        });
        let solutions = self.solutions.iter().cloned().collect();
        let checkpoint = Checkpoint {
            of: None,
            iterations,
            priority,
            partial,
            solutions,
        };
        let open: Vec<usize> = self.open(next).map(|(number, _)| number).collect();
        // The work in open nodes is unknown, but not zero.
        let share_done = if open.is_empty() {
            share_done
        } else {
            share_done.min(0.99)
        };
        Ok(ResumePoint {
            checkpoint,
            open,
            lower_bound: Some(next),
            share_done,
        })
    }

    /// Rejects tasks that do not exist.
    fn check(&self, count: usize) -> Result<(), JournalError> {
        for (line, unit) in self.units.values().flatten() {
            let open = self.open(unit.length).map(|(_, node)| &node.task);
            let mut tasks = unit
                .tasks
                .iter()
                .chain(unit.priority.iter().map(|(task, _)| task))
                .chain(open);
            if let Some(task) = tasks.find(|&&task| usize::from(task) >= count) {
                let what =
                    format!("its position has {count} root tasks, so there is no task {task}");
                return Err(JournalError {
                    path: self.path.clone(),
                    journal: SearchRecord::KIND,
                    kind: invalid(*line, what),
                });
            }
        }
        Ok(())
    }

    /// Returns the complete iterations, by increasing length.
    fn complete(&self, tasks: &Tasks) -> Vec<IterationStats> {
        let shortest = self
            .solutions()
            .map(|moves| self.metric.length(moves))
            .min()
            .unwrap_or(usize::MAX);
        let mut complete: Vec<IterationStats> = Vec::new();
        for iteration in self.iterations.values() {
            let length = iteration.length;
            let follows = complete
                .last()
                .is_none_or(|last| last.length + self.metric.step() == length);
            let has_all_units = self.done.get(&length).is_none_or(|done| {
                self.open(length).next().is_none()
                    && tasks.order(length).iter().all(|task| done.contains(task))
            });
            if !(iteration.exhausted && usize::from(length) < shortest && follows && has_all_units)
            {
                break;
            }
            complete.push(*iteration);
        }
        complete
    }

    fn units(&self, length: u8) -> impl Iterator<Item = &FinishedUnit> {
        let units = self.units.get(&length).into_iter().flatten();
        units.map(|(_, unit)| unit)
    }

    /// Returns the open nodes of an iteration that no unit has searched, with their numbers.
    fn open(&self, length: u8) -> impl Iterator<Item = (usize, &OpenNode)> {
        let open = self.open.get(&length).into_iter().flatten().enumerate();
        open.filter_map(|(number, node)| Some((number, node.as_ref()?)))
    }

    /// Returns the priority of each root task in an iteration; empty if no unit of it is recorded.
    fn priority(&self, length: u8, count: usize) -> Vec<u64> {
        if !self.units.contains_key(&length) {
            return Vec::new();
        }
        let mut priority = vec![0; count];
        for &(task, sum) in self.units(length).flat_map(|unit| &unit.priority) {
            priority[usize::from(task)] += sum;
        }
        priority
    }

    /// Returns an iteration that is partly searched.
    fn partial(&self, length: u8, tasks: &Tasks) -> Option<PartialIteration> {
        let done = self.done.get(&length)?;
        let sum = |sum: Counts, unit: &FinishedUnit| Counts {
            nodes: sum.nodes + unit.counts.nodes,
            probes: sum.probes + unit.counts.probes,
        };
        let left = tasks
            .order(length)
            .into_iter()
            .filter(|task| !done.contains(task))
            .collect();
        Some(PartialIteration {
            elapsed: self
                .units(length)
                .map(|unit| unit.elapsed)
                .max()
                .unwrap_or_default(),
            counts: self.units(length).fold(Counts::default(), sum),
            priority: self.priority(length, tasks.count()),
            left: WorkUnit {
                tasks: left,
                nodes: self.open(length).map(|(_, node)| node.clone()).collect(),
            },
        })
    }
}

/// Creates the error for a line with a wrong content.
fn invalid(line: usize, what: String) -> JournalErrorKind {
    JournalErrorKind::Invalid {
        place: format!("line {line}"),
        what,
    }
}

/// Returns the completed share of the work. The work of a task grows with the square root of its
/// priority in the previous iteration (`cosette::search::distributed::Tasks`).
fn share_done(all: &[u16], left: &[u16], priority: &[u64]) -> f64 {
    let work = |&task: &u16| {
        priority
            .get(usize::from(task))
            .map_or(1, |sum| sum.isqrt().max(1))
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
        let count = self.checkpoint.iterations.len();
        let iterations = if count == 1 {
            "iteration"
        } else {
            "iterations"
        };
        write!(
            f,
            "{count} {iterations} complete, lower bound {lower_bound}"
        )?;
        if self.checkpoint.partial.is_some() {
            // 100 only when it is complete.
            let percent = (100.0 * self.share_done).floor();
            write!(f, ", {percent} % of length {lower_bound} done")?;
        }
        Ok(())
    }
}
