//! Whole positions of a batch, each searched by one worker alone, so that no worker waits for another.
//!
//! They are leased in small groups. Once all are leased and workers are idle, the position that has been searched longest is
//! preempted, with everything that is proven of it; then all workers continue it together.

use super::{Action, Command, Dispatcher, LEASES, LeaseNumber};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The most positions in a group.
const MAX_GROUP: usize = 16;
/// A group holds this share of the remaining positions, divided by the number of workers.
const SHARE: usize = 8;
/// A position that has been searched for less is not preempted: most are solved sooner.
const PREEMPT_AFTER: Duration = Duration::from_millis(300);

/// The positions that are not solved, by their indices in the list.
#[derive(Default)]
pub(super) struct PositionJobs {
    queue: VecDeque<usize>,
    groups: BTreeMap<LeaseNumber, Group>,
}

/// Positions leased to one worker.
struct Group {
    worker: usize,
    /// When the worker began the position under way.
    since: Duration,
    is_preempted: bool,
}

impl<C> Dispatcher<C> {
    /// There are positions to solve, named by their indices in a list.
    pub fn add_positions(&mut self, positions: impl IntoIterator<Item = usize>) {
        self.positions.queue.extend(positions);
    }

    /// Whether every position is solved or was preempted.
    pub fn positions_are_done(&self) -> bool {
        self.positions.queue.is_empty() && self.positions.groups.is_empty()
    }

    /// Gives an idle worker the next group.
    pub(super) fn next_positions(&mut self, now: Duration) -> Option<Action<C>> {
        if self.positions.queue.is_empty() {
            return None;
        }
        let worker = self.workers.least_loaded(1)?;
        let lease = self.new_lease();
        let queue = &mut self.positions.queue;
        let count = (queue.len() / (SHARE * self.workers.count())).clamp(1, MAX_GROUP);
        let positions = queue.drain(..count).collect();
        self.workers.add(worker, lease, LEASES);
        self.positions.groups.insert(lease, Group { worker, since: now, is_preempted: false });
        Some(Action { lease, worker, command: Command::Solve(positions) })
    }

    /// Preempts the longest search while workers are idle, one at a time.
    pub(super) fn preempt(&mut self, now: Duration) -> Option<Action<C>> {
        let groups = &mut self.positions.groups;
        if self.workers.idle() == 0 || groups.values().any(|group| group.is_preempted) {
            return None;
        }
        let (&lease, group) = groups.iter_mut().min_by_key(|(_, group)| group.since)?;
        group.is_preempted = now.saturating_sub(group.since) > PREEMPT_AFTER;
        group.is_preempted.then_some(Action { lease, worker: group.worker, command: Command::Stop })
    }

    /// A position of this lease is solved; its worker begins the next one.
    pub fn position_solved(&mut self, now: Duration, lease: LeaseNumber) {
        self.positions.groups.get_mut(&lease).into_iter().for_each(|group| group.since = now);
    }

    /// A lease of positions has ended before these were begun. Returns how long the one under way was searched.
    ///
    /// # Panics
    /// If it had ended before.
    pub fn positions_returned(&mut self, now: Duration, lease: LeaseNumber, not_begun: Vec<usize>) -> Duration {
        let Group { worker, since, .. } = self.positions.groups.remove(&lease).expect("a lease ends once");
        self.workers.remove(worker, lease);
        not_begun.into_iter().rev().for_each(|position| self.positions.queue.push_front(position));
        now.saturating_sub(since)
    }

    /// Solves no more positions, and stops those under way.
    pub fn stop_positions(&mut self) -> Vec<Action<C>> {
        self.positions.queue.clear();
        let stop = |(&lease, &Group { worker, .. }): (_, &_)| Action { lease, worker, command: Command::Stop };
        self.positions.groups.iter().map(stop).collect()
    }
}
