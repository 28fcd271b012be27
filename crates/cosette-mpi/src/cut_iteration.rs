//! An iteration whose root tasks are searched by all ranks, and its results.

use crate::dispatcher::LeaseNumber;
use cosette::cube::Move;
use cosette::search::distributed::{Iteration, Part, PartResult};
use cosette_app::search_journal::PartDone;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

/// Open nodes that were left by an earlier search are leased in parts of this size, for each thread of a rank.
const NODES_PER_THREAD: usize = 64;

/// A part that a lease has shared, or that an earlier search has left.
pub struct SharedPart {
    origin: Origin,
    part: Part,
}

/// Where a part comes from.
enum Origin {
    /// The lease whose root tasks or open nodes it is of.
    Lease(LeaseNumber),
    /// Open nodes that an earlier search left, from this one on.
    Earlier(usize),
}

/// The open nodes that an earlier search of the iteration has left, in parts for ranks of this many threads.
pub fn left_open(iteration: &Iteration<'_>, threads: usize) -> VecDeque<SharedPart> {
    let size = threads * NODES_PER_THREAD;
    let part = |nodes: &[_]| Part { tasks: Vec::new(), nodes: nodes.to_vec() };
    let parts = iteration.left().nodes.chunks(size).zip((0..).step_by(size));
    parts.map(|(nodes, first)| SharedPart { origin: Origin::Earlier(first), part: part(nodes) }).collect()
}

/// An iteration that is cut into leases, and its results.
pub struct CutIteration<'i, 'a> {
    iteration: &'i Iteration<'a>,
    /// The lease whose root tasks or earlier nodes each lease is of: itself, or the one it was shared from.
    origins: HashMap<LeaseNumber, LeaseNumber>,
    /// The results of a lease, and in how many parts the rest of it is being searched.
    unfinished: HashMap<LeaseNumber, (PartDone, usize)>,
    /// What was left by leases that were stopped, and their origins.
    left: Vec<(LeaseNumber, Part)>,
    /// How long all leases together were searched.
    searched: Duration,
    /// How often something was shared.
    sharings: usize,
    /// The work in the root tasks before each, and in all of them.
    work_before: Vec<u64>,
    /// The work in the root tasks of each lease, and in all those that have ended.
    work: HashMap<LeaseNumber, u64>,
    work_done: u64,
}

impl<'i, 'a> CutIteration<'i, 'a> {
    /// `work_before` has the work in the root tasks before each, and in all of them.
    pub fn new(iteration: &'i Iteration<'a>, work_before: Vec<u64>) -> CutIteration<'i, 'a> {
        CutIteration {
            iteration,
            origins: HashMap::new(),
            unfinished: HashMap::new(),
            left: Vec::new(),
            searched: Duration::ZERO,
            sharings: 0,
            work_before,
            work: HashMap::new(),
            work_done: 0,
        }
    }

    pub fn length(&self) -> u8 {
        self.iteration.length()
    }

    /// What to search for a new lease of these root tasks, which are given by their places in the order of the iteration.
    pub fn lease(&mut self, lease: LeaseNumber, places: &[usize]) -> Part {
        let work = places.iter().map(|&place| self.work_before[place + 1] - self.work_before[place]).sum();
        self.work.insert(lease, work);
        let tasks = self.tasks_at(places);
        self.begin(lease, PartDone { tasks: tasks.clone(), ..PartDone::default() });
        Part { tasks, nodes: Vec::new() }
    }

    fn tasks_at(&self, places: &[usize]) -> Vec<u16> {
        places.iter().map(|&place| self.iteration.left().tasks[place]).collect()
    }

    /// Reports progress: as if the tasks that come first had been searched, as many as have the work that is done.
    fn report(&mut self, ended: LeaseNumber) {
        self.work_done += self.work.remove(&ended).unwrap_or_default();
        self.iteration.report(self.work_before.partition_point(|&work| work <= self.work_done) - 1);
    }

    fn begin(&mut self, lease: LeaseNumber, done: PartDone) {
        self.origins.insert(lease, lease);
        self.unfinished.insert(lease, (PartDone { length: self.length(), ..done }, 1));
    }

    /// What to search for a new lease of what another has shared, or an earlier search has left.
    pub fn lease_shared(&mut self, lease: LeaseNumber, SharedPart { origin, part }: SharedPart) -> Part {
        match origin {
            Origin::Lease(origin) => drop(self.origins.insert(lease, origin)),
            Origin::Earlier(first) => {
                let nodes = (first..first + part.nodes.len()).collect();
                self.begin(lease, PartDone { nodes, ..PartDone::default() });
            }
        }
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
        Some(SharedPart { origin: Origin::Lease(origin), part })
    }

    /// Records the end of a lease. Returns the results of root tasks that are complete with it.
    pub fn done(&mut self, lease: LeaseNumber, result: PartResult, took: Duration) -> Option<PartDone> {
        let PartResult { counts, priority, left } = result;
        self.iteration.add_counts(counts);
        priority.iter().for_each(|&(task, priority)| self.iteration.add_priority(task, priority));
        let is_complete = left.is_empty();
        // The two-phase search has no origin.
        let origin = self.origins.remove(&lease)?;
        self.searched += took;
        self.report(lease);
        if !is_complete {
            self.left.push((origin, left));
        }
        let Entry::Occupied(mut unfinished) = self.unfinished.entry(origin) else { return None };
        let (done, parts) = unfinished.get_mut();
        done.counts += counts;
        done.priority.extend(priority);
        *parts -= usize::from(is_complete);
        if *parts > 0 {
            return None;
        }
        Some(PartDone { elapsed: self.iteration.elapsed(), ..unfinished.remove().0 })
    }

    /// What is left, with what was never leased; how long all leases together were searched; and what was searched of
    /// those that were stopped.
    pub fn end(mut self, places: &[usize], shared: VecDeque<SharedPart>) -> (Part, Duration, Vec<PartDone>) {
        tracing::debug!(length = self.length(), sharings = self.sharings, "an iteration has ended");
        let mut rest = Part { tasks: self.tasks_at(places), nodes: Vec::new() };
        for SharedPart { origin, part } in shared {
            match origin {
                Origin::Lease(origin) => self.left.push((origin, part)),
                Origin::Earlier(_) => rest.nodes.extend(part.nodes),
            }
        }
        let not_started: HashSet<u16> = self.left.iter().flat_map(|(_, part)| part.tasks.iter().copied()).collect();
        for (origin, part) in self.left {
            if let Some((done, _)) = self.unfinished.get_mut(&origin) {
                done.open.extend_from_slice(&part.nodes);
            }
            rest.join(part);
        }
        let mut begun: Vec<PartDone> = self.unfinished.into_values().map(|(done, _)| done).collect();
        begun.retain(|done| done.counts.nodes > 0);
        for done in &mut begun {
            done.tasks.retain(|task| !not_started.contains(task));
            done.elapsed = self.iteration.elapsed();
        }
        (rest, self.searched, begun)
    }
}
