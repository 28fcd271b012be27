//! An iteration whose root tasks are searched by all ranks, and its results.

use crate::dispatcher::LeaseNumber;
use crate::worker_pool::WorkerCommand;
use cosette::cube::Move;
use cosette::search::distributed::{Iteration, WorkResult, WorkUnit};
use cosette_app::search_journal::FinishedUnit;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

/// Number of open nodes of an earlier search that a lease has for each thread of its rank.
const NODES_PER_THREAD: usize = 64;

/// A work unit that a lease has shared, or that an earlier search has left.
pub struct SharedPart {
    origin: LeaseOrigin,
    part: WorkUnit,
}

/// The origin of a shared work unit.
enum LeaseOrigin {
    /// The lease that first had this work.
    Lease(LeaseNumber),
    /// Open nodes of an earlier search, beginning with this index.
    Earlier(usize),
}

/// Returns the open nodes of an earlier search of the iteration, in work units for ranks of
/// `threads` threads.
pub fn earlier_open_nodes(iteration: &Iteration<'_>, threads: usize) -> VecDeque<SharedPart> {
    let size = threads * NODES_PER_THREAD;
    let part = |nodes: &[_]| WorkUnit {
        tasks: Vec::new(),
        nodes: nodes.to_vec(),
    };
    let parts = iteration
        .remaining()
        .nodes
        .chunks(size)
        .zip((0..).step_by(size));
    parts
        .map(|(nodes, first)| SharedPart {
            origin: LeaseOrigin::Earlier(first),
            part: part(nodes),
        })
        .collect()
}

/// An iteration that is split into leases, and its results.
pub struct SplitIteration<'i, 'a> {
    iteration: &'i Iteration<'a>,
    /// The original lease of each lease that has not ended: itself, or the lease that first had its
    /// work.
    origins: HashMap<LeaseNumber, LeaseNumber>,
    /// The results of each original lease that is not completely searched, and the number of work
    /// units in which its remaining work is being searched.
    unfinished: HashMap<LeaseNumber, (FinishedUnit, usize)>,
    /// The remaining work of stopped leases, with their original leases.
    left: Vec<(LeaseNumber, WorkUnit)>,
    /// Search time, summed over all leases.
    search_time: Duration,
    /// Number of shared work units.
    sharings: usize,
    /// For each root task, the work in the root tasks before it; then the work in all root tasks.
    work_before: Vec<u64>,
    /// The work in the root tasks of each lease.
    work: HashMap<LeaseNumber, u64>,
    /// The work in the root tasks of all leases that have ended.
    work_done: u64,
}

impl<'i, 'a> SplitIteration<'i, 'a> {
    /// Creates the iteration. `work_before` has, for each root task, the work in the root tasks
    /// before it; then the work in all root tasks.
    pub fn new(iteration: &'i Iteration<'a>, work_before: Vec<u64>) -> SplitIteration<'i, 'a> {
        SplitIteration {
            iteration,
            origins: HashMap::new(),
            unfinished: HashMap::new(),
            left: Vec::new(),
            search_time: Duration::ZERO,
            sharings: 0,
            work_before,
            work: HashMap::new(),
            work_done: 0,
        }
    }

    /// Returns the command for a new lease of these root tasks, given by their indices in the order
    /// of the iteration.
    pub fn search(&mut self, lease: LeaseNumber, indices: &[usize]) -> WorkerCommand {
        let work = indices
            .iter()
            .map(|&index| self.work_before[index + 1] - self.work_before[index])
            .sum();
        self.work.insert(lease, work);
        let tasks = self.tasks_at(indices);
        let unit = FinishedUnit {
            tasks: tasks.clone(),
            ..FinishedUnit::default()
        };
        self.begin(lease, unit);
        let nodes = Vec::new();
        self.command(lease, WorkUnit { tasks, nodes })
    }

    fn command(&self, lease: LeaseNumber, part: WorkUnit) -> WorkerCommand {
        WorkerCommand::Search {
            lease,
            length: self.iteration.length(),
            part,
        }
    }

    fn tasks_at(&self, indices: &[usize]) -> Vec<u16> {
        indices
            .iter()
            .map(|&index| self.iteration.remaining().tasks[index])
            .collect()
    }

    /// Reports progress, as if the completed work had been done in the order of the tasks.
    fn report(&mut self, ended: LeaseNumber) {
        self.work_done += self.work.remove(&ended).unwrap_or_default();
        let work_done = self.work_done;
        // `work_before` begins with zero, so `count` is at least one.
        let count = self.work_before.partition_point(|&work| work <= work_done);
        self.iteration.report(count - 1);
    }

    fn begin(&mut self, lease: LeaseNumber, mut unit: FinishedUnit) {
        unit.length = self.iteration.length();
        self.origins.insert(lease, lease);
        self.unfinished.insert(lease, (unit, 1));
    }

    /// Returns the command for a new lease of work that another lease has shared, or an earlier
    /// search has left.
    pub fn search_shared(&mut self, lease: LeaseNumber, shared: SharedPart) -> WorkerCommand {
        let SharedPart { origin, part } = shared;
        match origin {
            LeaseOrigin::Lease(origin) => drop(self.origins.insert(lease, origin)),
            LeaseOrigin::Earlier(first) => {
                let unit = FinishedUnit {
                    nodes: (first..first + part.nodes.len()).collect(),
                    ..FinishedUnit::default()
                };
                self.begin(lease, unit);
            }
        }
        self.command(lease, part)
    }

    /// Records a solution that a lease has found.
    pub fn found(&mut self, lease: LeaseNumber, moves: Vec<Move>) {
        self.iteration.add_solution(&moves);
        let origin = self.origins.get(&lease);
        if let Some((unit, _)) = origin.and_then(|origin| self.unfinished.get_mut(origin)) {
            unit.solutions.push(moves);
        }
    }

    /// Records a work unit that a lease has shared. Returns `None` if the unit is empty.
    pub fn shared(&mut self, lease: LeaseNumber, part: WorkUnit) -> Option<SharedPart> {
        if part.is_empty() {
            return None;
        }
        let origin = self.origins[&lease];
        self.sharings += 1;
        self.unfinished
            .entry(origin)
            .and_modify(|(_, parts)| *parts += 1);
        Some(SharedPart {
            origin: LeaseOrigin::Lease(origin),
            part,
        })
    }

    /// Records the end of a lease. Returns the results of the original lease if no work of that
    /// lease remains.
    pub fn done(
        &mut self,
        lease: LeaseNumber,
        result: WorkResult,
        took: Duration,
    ) -> Option<FinishedUnit> {
        let WorkResult {
            counts,
            priority,
            left,
        } = result;
        self.iteration.add_counts(counts);
        priority
            .iter()
            .for_each(|&(task, priority)| self.iteration.add_priority(task, priority));
        let is_complete = left.is_empty();
        // The two-phase search has no origin.
        let origin = self.origins.remove(&lease)?;
        self.search_time += took;
        self.report(lease);
        if !is_complete {
            self.left.push((origin, left));
        }
        let Entry::Occupied(mut unfinished) = self.unfinished.entry(origin) else {
            return None;
        };
        let (unit, parts) = unfinished.get_mut();
        unit.counts += counts;
        unit.priority.extend(priority);
        *parts -= usize::from(is_complete);
        if *parts > 0 {
            return None;
        }
        Some(FinishedUnit {
            elapsed: self.iteration.elapsed(),
            ..unfinished.remove().0
        })
    }

    /// Returns the remaining work, including work that was never leased; the search time, summed
    /// over all leases; and the results of stopped leases.
    pub fn end(
        mut self,
        indices: &[usize],
        shared: VecDeque<SharedPart>,
    ) -> (WorkUnit, Duration, Vec<FinishedUnit>) {
        tracing::debug!(
            length = self.iteration.length(),
            sharings = self.sharings,
            "an iteration has ended"
        );
        let mut remaining = WorkUnit {
            tasks: self.tasks_at(indices),
            nodes: Vec::new(),
        };
        for SharedPart { origin, part } in shared {
            match origin {
                LeaseOrigin::Lease(origin) => self.left.push((origin, part)),
                LeaseOrigin::Earlier(_) => remaining.nodes.extend(part.nodes),
            }
        }
        let not_started: HashSet<u16> = self
            .left
            .iter()
            .flat_map(|(_, part)| part.tasks.iter().copied())
            .collect();
        for (origin, part) in self.left {
            if let Some((unit, _)) = self.unfinished.get_mut(&origin) {
                unit.open.extend_from_slice(&part.nodes);
            }
            remaining.join(part);
        }
        let mut begun: Vec<FinishedUnit> = self
            .unfinished
            .into_values()
            .map(|(unit, _)| unit)
            .collect();
        begun.retain(|unit| unit.counts.nodes > 0);
        for unit in &mut begun {
            unit.tasks.retain(|task| !not_started.contains(task));
            unit.elapsed = self.iteration.elapsed();
        }
        (remaining, self.search_time, begun)
    }
}
