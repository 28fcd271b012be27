//! Whole positions of a batch, each searched by one thread alone, so that no thread waits for another.
//!
//! They are leased in small groups. Once all are leased and threads are idle, the position that has been searched longest is
//! preempted, with everything that is proven of it; then all threads continue it together.

use super::ranks::ThreadId;
use super::{Action, Command, Dispatcher, LeaseNumber};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The most positions in a group.
const MAX_GROUP: usize = 16;
/// A group holds this share of the remaining positions, divided by the number of threads.
const SHARE: usize = 8;
/// A position that has been searched for less is not preempted: most are solved sooner.
const PREEMPT_AFTER: Duration = Duration::from_millis(300);

/// The positions that are not solved, by their indices in the list.
#[derive(Default)]
pub(super) struct PositionJobs {
    queue: VecDeque<usize>,
    groups: BTreeMap<LeaseNumber, Group>,
    is_stopped: bool,
}

/// Positions leased to one thread.
struct Group {
    thread: ThreadId,
    /// When it began the position under way.
    since: Duration,
    is_preempted: bool,
}

impl<P> Dispatcher<P> {
    /// There are positions to solve, named by their indices in a list.
    pub fn add_positions(&mut self, positions: impl IntoIterator<Item = usize>) {
        self.positions.queue.extend(positions);
    }

    /// Whether every position is solved or was preempted; after a stop, whether no thread is at work on one.
    pub fn positions_are_done(&self) -> bool {
        self.positions.queue.is_empty() && self.positions.groups.is_empty()
    }

    /// Gives an idle thread the next group.
    pub(super) fn next_positions(&mut self, now: Duration) -> Option<Action<P>> {
        if self.positions.queue.is_empty() {
            return None;
        }
        let thread = self.ranks.free_thread()?;
        let lease = self.new_lease();
        let queue = &mut self.positions.queue;
        let count = (queue.len() / (SHARE * self.ranks.all_threads())).clamp(1, MAX_GROUP);
        let positions = queue.drain(..count).collect();
        self.ranks.reserve(thread);
        self.positions.groups.insert(lease, Group { thread, since: now, is_preempted: false });
        let (rank, thread) = thread;
        Some(Action { lease, rank, command: Command::Solve { thread, positions } })
    }

    /// Preempts the longest search while threads are idle, one at a time.
    pub(super) fn preempt(&mut self, now: Duration) -> Option<Action<P>> {
        let groups = &mut self.positions.groups;
        if self.ranks.free_thread().is_none() || groups.values().any(|group| group.is_preempted) {
            return None;
        }
        let (&lease, group) = groups.iter_mut().min_by_key(|(_, group)| group.since)?;
        group.is_preempted = now.saturating_sub(group.since) > PREEMPT_AFTER;
        group.is_preempted.then_some(Action { lease, rank: group.thread.0, command: Command::Stop })
    }

    /// A position of this lease is solved; its thread begins the next one.
    pub fn position_solved(&mut self, now: Duration, lease: LeaseNumber) {
        self.positions.groups.get_mut(&lease).into_iter().for_each(|group| group.since = now);
    }

    /// A lease of positions has ended before these were begun. Returns how long the one under way was searched.
    ///
    /// # Panics
    /// If it had ended before.
    pub fn positions_returned(&mut self, now: Duration, lease: LeaseNumber, not_begun: Vec<usize>) -> Duration {
        let Group { thread, since, .. } = self.positions.groups.remove(&lease).expect("a lease ends once");
        self.ranks.release(thread);
        if !self.positions.is_stopped {
            not_begun.into_iter().rev().for_each(|position| self.positions.queue.push_front(position));
        }
        now.saturating_sub(since)
    }

    /// Solves no more positions, and stops those under way.
    pub fn stop_positions(&mut self) -> Vec<Action<P>> {
        self.positions.queue.clear();
        self.positions.is_stopped = true;
        let stop = |(&lease, &Group { thread, .. }): (_, &_)| Action { lease, rank: thread.0, command: Command::Stop };
        self.positions.groups.iter().map(stop).collect()
    }
}
