//! What the lead knows of a threshold under way: as `cosette-mpi`'s round, in simulated time.

use super::core::LeaseNumber;
use super::piece::Piece;
use crate::simulation::load::{Nanos, Task};
use cosette_mpi::policy::{Pace, Sizes, UNASKED};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// A lease that is not at its end.
struct Lease {
    thread: usize,
    since: Nanos,
    work: u64,
    is_asked: bool,
}

/// A threshold under way.
pub struct Round<'a> {
    tasks: &'a [Task],
    /// The work in the tasks before each, and in all.
    work_before: Vec<u64>,
    leased: usize,
    shared: VecDeque<Piece>,
    leases: BTreeMap<LeaseNumber, Lease>,
    /// The leases that were not asked to share, those that are searched longest first.
    unasked: BTreeSet<(Nanos, LeaseNumber)>,
    /// The leases of each thread.
    of_thread: Vec<Vec<LeaseNumber>>,
    pace: Pace,
    next_lease: LeaseNumber,
}

impl<'a> Round<'a> {
    /// The round of tasks that are expected to take one of the threads so long.
    pub fn new(tasks: &'a [Task], threads: usize, sizes: Sizes, expected: Option<Nanos>) -> Round<'a> {
        let sums = tasks.iter().scan(0, |sum, task| {
            *sum += task.work;
            Some(*sum)
        });
        let work_before: Vec<u64> = std::iter::once(0).chain(sums).collect();
        let all = *work_before.last().expect("the sum of all stands last");
        Round {
            tasks,
            work_before,
            leased: 0,
            shared: VecDeque::new(),
            leases: BTreeMap::new(),
            unasked: BTreeSet::new(),
            of_thread: vec![Vec::new(); threads],
            pace: Pace::expecting(sizes, all, expected.map(Duration::from_nanos)),
            next_lease: 0,
        }
    }

    pub fn has_tasks(&self) -> bool {
        self.leased < self.tasks.len()
    }

    pub fn has_shared(&self) -> bool {
        !self.shared.is_empty()
    }

    pub fn is_over(&self) -> bool {
        self.leases.is_empty() && !self.has_tasks() && !self.has_shared()
    }

    pub fn leases(&self) -> impl Iterator<Item = LeaseNumber> {
        self.leases.keys().copied()
    }

    pub fn has_leases(&self) -> bool {
        !self.leases.is_empty()
    }

    pub fn thread_of(&self, lease: LeaseNumber) -> usize {
        self.leases[&lease].thread
    }

    pub fn lease(&mut self, now: Nanos, thread: usize) -> (LeaseNumber, Piece) {
        let (piece, work) = match self.shared.pop_front() {
            Some(piece) => (piece, 0),
            None => self.next_tasks(),
        };
        self.next_lease += 1;
        let lease = self.next_lease;
        self.leases.insert(lease, Lease { thread, since: now, work, is_asked: false });
        self.unasked.insert((now, lease));
        self.of_thread[thread].push(lease);
        (lease, piece)
    }

    fn next_tasks(&mut self) -> (Piece, u64) {
        let (begin, all) = (self.leased, self.work_before[self.tasks.len()]);
        let before = self.work_before[begin];
        let enough = before + self.pace.portion((all - before, all), self.of_thread.len());
        let end = self.work_before.partition_point(|&work| work < enough).clamp(begin + 1, self.tasks.len());
        self.leased = end;
        (Piece::of(self.tasks, begin..end), self.work_before[end] - before)
    }

    /// The leases to be asked to share.
    pub fn asked_to_share(&mut self, now: Nanos, idle: usize) -> Vec<LeaseNumber> {
        if self.has_tasks() {
            return Vec::new();
        }
        let asked = self.leases.len() - self.unasked.len() + self.shared.len();
        let unasked = UNASKED.as_nanos() as Nanos;
        let long = self.unasked.iter().take_while(|(since, _)| now.saturating_sub(*since) > unasked);
        let leases: Vec<_> = long.take(idle.saturating_sub(asked)).copied().collect();
        for (since, number) in &leases {
            self.unasked.remove(&(*since, *number));
            self.leases.get_mut(number).expect("it is not at its end").is_asked = true;
        }
        leases.into_iter().map(|(_, number)| number).collect()
    }

    /// Takes note of what was given away.
    pub fn shared(&mut self, now: Nanos, number: LeaseNumber, piece: Piece) {
        if let Some(lease) = self.leases.get_mut(&number) {
            lease.is_asked = false;
            if piece.is_empty() {
                lease.since = now;
            }
            self.unasked.insert((lease.since, number));
        }
        // Unlike a real one it is never heard of after its lease has ended, for messages arrive in order.
        if !piece.is_empty() {
            self.shared.push_back(piece);
        }
    }

    /// Takes note of the end of a lease: its thread.
    pub fn done(&mut self, now: Nanos, number: LeaseNumber, took: Nanos) -> usize {
        let Lease { thread, since, work, .. } = self.leases.remove(&number).expect("a lease ends once");
        self.unasked.remove(&(since, number));
        if work > 0 {
            self.pace.learn(work, Duration::from_nanos(took));
        }
        self.of_thread[thread].retain(|&lease| lease != number);
        for behind in &self.of_thread[thread] {
            let lease = self.leases.get_mut(behind).expect("it is not at its end");
            if self.unasked.remove(&(lease.since, *behind)) {
                self.unasked.insert((now, *behind));
            }
            lease.since = now;
        }
        thread
    }
}
