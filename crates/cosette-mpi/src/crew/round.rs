//! An iteration under way: what is leased, what was shared, what is left.

use super::messages::LeaseNumber;
use super::portions::{Pace, Sizes};
use cosette::cube::Move;
use cosette::search::distributed::{Iteration, Part, PartResult, UpperBoundSearch};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// A lease that has been searched for less is not asked to share: most end sooner than the question arrives.
pub const UNASKED: Duration = Duration::from_millis(5);
/// So many nodes that were left open make a part.
const NODES: usize = 64;
/// The origin of nodes that were left open before: no lease.
const NOBODY: LeaseNumber = 0;

/// Root tasks that were searched to their end.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// The length of the solutions that were searched.
    pub length: u8,
    /// The tasks.
    pub tasks: Vec<u16>,
    /// What came of them; nothing is left.
    pub result: PartResult,
    /// The solutions that begin with them.
    pub solutions: Vec<Vec<Move>>,
    /// How long the iteration has taken so far.
    pub elapsed: Duration,
}

/// A lease that is not at its end.
struct Lease {
    thread: usize,
    /// The lease whose root tasks it is of: itself, or the one that it was shared from.
    origin: LeaseNumber,
    since: Instant,
    /// How much of the work it holds, where that is known.
    work: u64,
    is_asked: bool,
    can_share: bool,
}

/// Root tasks of which something is still searched.
#[derive(Default)]
struct Origin {
    tasks: Vec<u16>,
    result: PartResult,
    solutions: Vec<Vec<Move>>,
    /// How many leases, and parts that wait for one, are of these tasks.
    parts: usize,
}

/// An iteration under way.
pub(super) struct Round<'i, 'a> {
    iteration: &'i Iteration<'a>,
    /// How many of the root tasks are leased.
    leased: usize,
    /// What was shared and waits for a thread.
    shared: VecDeque<(LeaseNumber, Part)>,
    leases: BTreeMap<LeaseNumber, Lease>,
    origins: BTreeMap<LeaseNumber, Origin>,
    pace: Pace,
    /// How long all leases together were searched.
    searched: Duration,
    /// How often something was shared.
    sharings: usize,
    /// What is left where leases were stopped.
    left: Part,
}

impl<'i, 'a> Round<'i, 'a> {
    /// The round of an iteration that will take one thread so long, where that can be foretold.
    pub fn new(iteration: &'i Iteration<'a>, expected: Option<Duration>) -> Round<'i, 'a> {
        // Nodes that were left open have no root tasks of their own.
        let nodes = iteration.left().nodes.chunks(NODES);
        let shared = nodes.map(|nodes| (NOBODY, Part { tasks: Vec::new(), nodes: nodes.to_vec() }));
        let shared: VecDeque<(LeaseNumber, Part)> = shared.collect();
        let origin = Origin { parts: shared.len(), ..Origin::default() };
        Round {
            iteration,
            leased: 0,
            shared,
            leases: BTreeMap::new(),
            origins: BTreeMap::from([(NOBODY, origin)]),
            pace: Pace::expecting(Sizes::default(), iteration.work_in_first(iteration.left().tasks.len()), expected),
            searched: Duration::ZERO,
            sharings: 0,
            left: Part::default(),
        }
    }

    /// The length of the solutions that are searched.
    pub fn length(&self) -> u8 {
        self.iteration.length()
    }

    /// Whether there are root tasks to lease.
    pub fn has_tasks(&self) -> bool {
        self.leased < self.iteration.left().tasks.len()
    }

    /// Whether something that was shared waits for a thread.
    pub fn has_shared(&self) -> bool {
        !self.shared.is_empty()
    }

    /// Whether everything is searched.
    pub fn is_over(&self) -> bool {
        self.leases.is_empty() && !self.has_tasks() && !self.has_shared()
    }

    /// The leases that are not at their end.
    pub fn leases(&self) -> impl Iterator<Item = LeaseNumber> {
        self.leases.keys().copied()
    }

    /// The thread that has this lease.
    pub fn thread_of(&self, lease: LeaseNumber) -> usize {
        self.leases[&lease].thread
    }

    /// How many leases a thread has.
    pub fn leases_of(&self, thread: usize) -> usize {
        self.leases.values().filter(|lease| lease.thread == thread).count()
    }

    /// The two-phase search to be asked beside the tasks.
    pub fn two_phase(&self) -> Option<UpperBoundSearch> {
        self.iteration.upper_bound_search().filter(|_| self.has_tasks()).cloned()
    }

    /// Gives the two-phase search to a thread.
    pub fn lease_two_phase(&mut self, lease: LeaseNumber, thread: usize) {
        let two_phase =
            Lease { thread, origin: NOBODY, since: Instant::now(), work: 0, is_asked: false, can_share: false };
        self.leases.insert(lease, two_phase);
    }

    /// Gives a thread, one of so many, its next lease: something that was shared, or else root tasks.
    pub fn lease(&mut self, lease: LeaseNumber, thread: usize, threads: usize) -> Part {
        let (origin, part, work) = match self.shared.pop_front() {
            Some((origin, part)) => (origin, part, 0),
            None => {
                let (tasks, work) = self.next_tasks(threads);
                self.origins.insert(lease, Origin { tasks: tasks.clone(), parts: 1, ..Origin::default() });
                (lease, Part { tasks, nodes: Vec::new() }, work)
            }
        };
        self.leases
            .insert(lease, Lease { thread, origin, since: Instant::now(), work, is_asked: false, can_share: true });
        part
    }

    /// The root tasks of the next lease, and the work in them.
    fn next_tasks(&mut self, threads: usize) -> (Vec<u16>, u64) {
        let tasks = &self.iteration.left().tasks;
        let work_in_first = |count| self.iteration.work_in_first(count);
        let (before, all) = (work_in_first(self.leased), work_in_first(tasks.len()));
        let portion = self.pace.portion((all - before, all), threads);
        let enough = |&count: &usize| work_in_first(count) >= before + portion;
        let end = (self.leased + 1..tasks.len()).find(enough).unwrap_or(tasks.len());
        let next = tasks[self.leased..end].to_vec();
        self.leased = end;
        self.iteration.report(end);
        if end == tasks.len() {
            self.iteration.all_are_begun();
        }
        (next, work_in_first(end) - before)
    }

    /// The leases to be asked to share, where so many threads are idle and there is nothing for them: those that have been
    /// searched longest.
    pub fn asked_to_share(&mut self, idle: usize) -> Vec<LeaseNumber> {
        if self.has_tasks() {
            return Vec::new();
        }
        let asked = self.leases.values().filter(|lease| lease.is_asked).count() + self.shared.len();
        let can_share = |(_, lease): &(&LeaseNumber, &mut Lease)| {
            lease.can_share && !lease.is_asked && lease.since.elapsed() > UNASKED
        };
        let mut leases: Vec<_> = self.leases.iter_mut().filter(can_share).collect();
        leases.sort_by_key(|(_, lease)| lease.since);
        let ask = |(number, lease): (&LeaseNumber, &mut Lease)| {
            lease.is_asked = true;
            *number
        };
        leases.into_iter().take(idle.saturating_sub(asked)).map(ask).collect()
    }

    /// Takes note of a solution.
    pub fn found(&mut self, lease: LeaseNumber, moves: Vec<Move>) {
        self.iteration.take(&moves);
        let origin = self.leases.get(&lease).and_then(|lease| self.origins.get_mut(&lease.origin));
        if let Some(origin) = origin {
            origin.solutions.push(moves);
        }
    }

    /// Takes note of what was given away; it may be nothing.
    pub fn shared(&mut self, lease: LeaseNumber, part: Part) {
        let Some(lease) = self.leases.get_mut(&lease) else { return };
        lease.is_asked = false;
        if part.is_empty() {
            // Not to be asked again at once.
            lease.since = Instant::now();
        } else {
            let origin = lease.origin;
            self.sharings += 1;
            self.origins.entry(origin).or_default().parts += 1;
            self.shared.push_back((origin, part));
        }
    }

    /// Takes note of the end of a lease, which took its thread so long: the thread, and the root tasks that are searched to
    /// their end with it.
    pub fn done(&mut self, lease: LeaseNumber, mut result: PartResult, took: Duration) -> (usize, Option<Finished>) {
        let Lease { thread, origin: number, work, .. } = self.leases.remove(&lease).expect("a lease ends once");
        if result.left.is_empty() && work > 0 {
            self.pace.learn(work, took);
        }
        self.searched += took;
        self.iteration.count(result.counts);
        for &(task, priority) in &result.priority {
            self.iteration.add_priority(task, priority);
        }
        let is_whole = result.left.is_empty();
        self.left.tasks.append(&mut result.left.tasks);
        self.left.nodes.append(&mut result.left.nodes);
        let origin = self.origins.get_mut(&number).expect("it is kept until its last part is searched");
        origin.result.counts.nodes += result.counts.nodes;
        origin.result.counts.probes += result.counts.probes;
        origin.result.priority.extend(result.priority);
        if is_whole {
            origin.parts = origin.parts.saturating_sub(1);
        }
        // The lease behind it begins now.
        let now = Instant::now();
        self.leases.values_mut().filter(|lease| lease.thread == thread).for_each(|lease| lease.since = now);
        if origin.parts > 0 || number == NOBODY {
            return (thread, None);
        }
        let Origin { tasks, result, solutions, .. } = self.origins.remove(&number).expect("it was there just now");
        (
            thread,
            Some(Finished {
                length: self.iteration.length(),
                tasks,
                result,
                solutions,
                elapsed: self.iteration.elapsed(),
            }),
        )
    }

    /// What is left, and how long all leases together were searched.
    pub fn end(mut self) -> (Part, Duration) {
        tracing::debug!(length = self.length(), sharings = self.sharings, "an iteration has ended");
        self.left.tasks.extend_from_slice(&self.iteration.left().tasks[self.leased..]);
        for (_, part) in self.shared {
            self.left.tasks.extend(part.tasks);
            self.left.nodes.extend(part.nodes);
        }
        (self.left, self.searched)
    }
}
