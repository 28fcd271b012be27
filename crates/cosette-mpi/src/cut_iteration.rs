//! An iteration whose root tasks are searched by all ranks, and its results.

use crate::dispatcher::LeaseNumber;
use cosette::cube::Move;
use cosette::search::distributed::{Iteration, Part, PartResult};
use cosette_app::search_journal::PartDone;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::ops::Range;
use std::time::Duration;

/// Open nodes that were left by an earlier search are leased in chunks of this size.
const NODES_PER_CHUNK: usize = 64;
/// The origin of open nodes that were left by an earlier search: no lease.
const EARLIER: LeaseNumber = 0;

/// A part that a lease has shared.
pub struct SharedPart {
    /// The lease whose root tasks it is of.
    origin: LeaseNumber,
    part: Part,
}

/// The open nodes that an earlier search of the iteration has left, in chunks.
pub fn left_open(iteration: &Iteration<'_>) -> VecDeque<SharedPart> {
    let chunks = iteration.left().nodes.chunks(NODES_PER_CHUNK);
    let part = |nodes: &[_]| Part { tasks: Vec::new(), nodes: nodes.to_vec() };
    chunks.map(|nodes| SharedPart { origin: EARLIER, part: part(nodes) }).collect()
}

/// An iteration that is cut into leases, and its results.
pub struct CutIteration<'i, 'a> {
    iteration: &'i Iteration<'a>,
    /// The lease whose root tasks each lease is of: itself, or the one it was shared from.
    origins: HashMap<LeaseNumber, LeaseNumber>,
    /// The results of the root tasks of a lease, and in how many parts the rest of them is being searched.
    unfinished: HashMap<LeaseNumber, (PartDone, usize)>,
    /// What was left by leases that were stopped.
    left: Part,
    /// How long all leases together were searched.
    searched: Duration,
    /// How often something was shared.
    sharings: usize,
}

impl<'i, 'a> CutIteration<'i, 'a> {
    pub fn new(iteration: &'i Iteration<'a>) -> CutIteration<'i, 'a> {
        CutIteration {
            iteration,
            origins: HashMap::new(),
            unfinished: HashMap::new(),
            left: Part::default(),
            searched: Duration::ZERO,
            sharings: 0,
        }
    }

    pub fn length(&self) -> u8 {
        self.iteration.length()
    }

    /// What to search for a new lease of these root tasks.
    pub fn lease(&mut self, lease: LeaseNumber, tasks: Range<usize>) -> Part {
        let (end, all) = (tasks.end, &self.iteration.left().tasks);
        self.iteration.report(end);
        if end == all.len() {
            self.iteration.all_are_started();
        }
        let tasks = all[tasks].to_vec();
        let done = PartDone { length: self.length(), tasks: tasks.clone(), ..PartDone::default() };
        self.unfinished.insert(lease, (done, 1));
        self.lease_shared(lease, SharedPart { origin: lease, part: Part { tasks, nodes: Vec::new() } })
    }

    /// What to search for a new lease of what another has shared.
    pub fn lease_shared(&mut self, lease: LeaseNumber, SharedPart { origin, part }: SharedPart) -> Part {
        self.origins.insert(lease, origin);
        part
    }

    pub fn found(&mut self, lease: LeaseNumber, moves: Vec<Move>) {
        self.iteration.add_solution(&moves);
        if let Some((done, _)) = self.origins.get(&lease).and_then(|origin| self.unfinished.get_mut(origin)) {
            done.solutions.push(moves);
        }
    }

    pub fn shared(&mut self, lease: LeaseNumber, part: Part) -> Option<SharedPart> {
        if part.is_empty() {
            return None;
        }
        let origin = self.origins[&lease];
        self.sharings += 1;
        self.unfinished.entry(origin).and_modify(|(_, parts)| *parts += 1);
        Some(SharedPart { origin, part })
    }

    /// Records the end of a lease. Returns the results of root tasks that are complete with it.
    pub fn done(&mut self, lease: LeaseNumber, result: PartResult, took: Duration) -> Option<PartDone> {
        let PartResult { counts, priority, left } = result;
        self.searched += took;
        self.iteration.add_counts(counts);
        priority.iter().for_each(|&(task, priority)| self.iteration.add_priority(task, priority));
        let is_complete = left.is_empty();
        self.left.tasks.extend(left.tasks);
        self.left.nodes.extend(left.nodes);
        // The two-phase search and what was left earlier have no root tasks.
        let Entry::Occupied(mut unfinished) = self.unfinished.entry(self.origins.remove(&lease)?) else { return None };
        let (done, parts) = unfinished.get_mut();
        done.counts.nodes += counts.nodes;
        done.counts.probes += counts.probes;
        done.priority.extend(priority);
        *parts -= usize::from(is_complete);
        if *parts > 0 {
            return None;
        }
        Some(PartDone { elapsed: self.iteration.elapsed(), ..unfinished.remove().0 })
    }

    /// What is left, with what was never leased, and how long all leases together were searched.
    pub fn end(mut self, tasks: Range<usize>, shared: VecDeque<SharedPart>) -> (Part, Duration) {
        tracing::debug!(length = self.length(), sharings = self.sharings, "an iteration has ended");
        self.left.tasks.extend_from_slice(&self.iteration.left().tasks[tasks]);
        for SharedPart { part, .. } in shared {
            self.left.tasks.extend(part.tasks);
            self.left.nodes.extend(part.nodes);
        }
        (self.left, self.searched)
    }
}
