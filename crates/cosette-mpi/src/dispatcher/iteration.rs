//! An iteration under way: what is leased, what was shared, what is left.

use super::sizing::Rate;
use super::{Action, Command, Dispatcher, LEASES, LeaseNumber};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::time::Duration;

/// A lease that was begun more recently is not asked to share: most end before the request arrives.
const SHARE_AFTER: Duration = Duration::from_millis(5);

/// A lease that has not ended.
struct Lease {
    worker: usize,
    /// When it was given, or when the lease before it ended.
    since: Duration,
    /// How much of the work it holds; zero for what was shared, where that is unknown.
    work: u64,
    /// Whether it was asked to share and has not replied yet.
    is_asked: bool,
}

/// The leases of an iteration, and what is not leased yet.
pub(super) struct IterationLeases<C> {
    /// The work in the tasks before each, and in all of them.
    work_before: Vec<u64>,
    /// How many of the tasks are leased.
    leased: usize,
    /// What was shared and waits for a worker.
    shared: VecDeque<C>,
    leases: BTreeMap<LeaseNumber, Lease>,
    /// The leases that can be asked to share, the longest under way first.
    unasked: BTreeSet<(Duration, LeaseNumber)>,
    /// How many leases were asked to share and have not replied.
    asked: usize,
    rate: Rate,
    is_stopped: bool,
}

impl<C> IterationLeases<C> {
    pub fn new(work_before: Vec<u64>, shared: VecDeque<C>, rate: Rate) -> IterationLeases<C> {
        let (leases, unasked) = (BTreeMap::new(), BTreeSet::new());
        IterationLeases { work_before, leased: 0, shared, leases, unasked, asked: 0, rate, is_stopped: false }
    }

    fn tasks(&self) -> usize {
        self.work_before.len() - 1
    }

    fn has_tasks(&self) -> bool {
        self.leased < self.tasks()
    }

    /// Root tasks for a lease, and the work in them.
    fn next_tasks(&mut self, workers: usize) -> (Command<C>, u64) {
        let (begin, all) = (self.leased, self.work_before[self.tasks()]);
        let before = self.work_before[begin];
        let enough = before + self.rate.chunk((all - before, all), workers);
        let end = self.work_before.partition_point(|&work| work < enough).clamp(begin + 1, self.tasks());
        self.leased = end;
        (Command::Search(begin..end), self.work_before[end] - before)
    }
}

impl<C> Dispatcher<C> {
    /// An iteration begins. `work_before` has the work in the tasks before each, and in all of them; `shared` is to be searched
    /// besides. `expected` is how long it would take one worker, where that can be predicted.
    pub fn begin(&mut self, work_before: Vec<u64>, shared: VecDeque<C>, expected: Option<Duration>) {
        let all = work_before.last().copied().unwrap_or_default();
        self.iteration = IterationLeases::new(work_before, shared, Rate::expecting(self.sizes, all, expected));
    }

    /// Whether the iteration has leases that have not ended.
    pub fn has_leases(&self) -> bool {
        !self.iteration.leases.is_empty()
    }

    /// Whether everything in the iteration is searched, or stopped.
    pub fn is_over(&self) -> bool {
        let IterationLeases { is_stopped, shared, .. } = &self.iteration;
        !self.has_leases() && (*is_stopped || !self.iteration.has_tasks() && shared.is_empty())
    }

    /// Gives a worker that has room for it the next lease: what was shared, or else root tasks.
    pub(super) fn next_chunk(&mut self, now: Duration) -> Option<Action<C>> {
        // What was shared is for idle workers.
        let room = match (self.iteration.has_tasks(), self.iteration.shared.is_empty()) {
            _ if self.iteration.is_stopped => return None,
            (false, true) => return None,
            (false, false) => 1,
            (true, _) => LEASES,
        };
        let worker = self.workers.least_loaded(room)?;
        let lease = self.new_lease();
        let (command, work) = match self.iteration.shared.pop_front() {
            Some(shared) => (Command::SearchShared(shared), 0),
            None => self.iteration.next_tasks(self.workers.count()),
        };
        self.workers.add(worker, lease, 1);
        self.iteration.leases.insert(lease, Lease { worker, since: now, work, is_asked: false });
        self.iteration.unasked.insert((now, lease));
        Some(Action { lease, worker, command })
    }

    /// Gives the first idle worker among these a lease of something else that runs beside the iteration. The worker gets
    /// nothing more until it is [`done`](Dispatcher::done).
    pub fn reserve(&mut self, now: Duration, mut among: Range<usize>) -> Option<(LeaseNumber, usize)> {
        let worker = among.find(|&worker| self.workers.is_idle(worker))?;
        let lease = self.new_lease();
        self.workers.add(worker, lease, LEASES);
        self.iteration.leases.insert(lease, Lease { worker, since: now, work: 0, is_asked: false });
        Some((lease, worker))
    }

    /// Requests to share: as many as there are idle workers, to the leases that are under way longest.
    pub(super) fn share_requests(&mut self, now: Duration) -> Vec<Action<C>> {
        if self.iteration.has_tasks() || self.iteration.is_stopped {
            return Vec::new();
        }
        let IterationLeases { leases, unasked, asked, shared, .. } = &mut self.iteration;
        let missing = self.workers.idle().saturating_sub(*asked + shared.len());
        let long = unasked.iter().take_while(|(since, _)| now.saturating_sub(*since) > SHARE_AFTER);
        let to_ask: Vec<_> = long.take(missing).copied().collect();
        *asked += to_ask.len();
        let ask = |key: (Duration, LeaseNumber)| {
            unasked.remove(&key);
            let lease = leases.get_mut(&key.1).expect("only leases under way can be asked");
            lease.is_asked = true;
            Action { lease: key.1, worker: lease.worker, command: Command::Share }
        };
        to_ask.into_iter().map(ask).collect()
    }

    /// A lease has shared this, which may be nothing.
    pub fn shared(&mut self, now: Duration, lease: LeaseNumber, chunk: Option<C>) {
        let IterationLeases { leases, unasked, asked, shared, .. } = &mut self.iteration;
        if let Some(sharing) = leases.get_mut(&lease) {
            *asked -= usize::from(std::mem::take(&mut sharing.is_asked));
            if chunk.is_none() {
                // Not to be asked again at once.
                sharing.since = now;
            }
            unasked.insert((sharing.since, lease));
        }
        shared.extend(chunk);
    }

    /// A lease of the iteration has ended, after its worker has searched it for `took`: all of it, or until it was stopped.
    ///
    /// # Panics
    /// If it had ended before.
    pub fn done(&mut self, now: Duration, lease: LeaseNumber, took: Duration, is_complete: bool) {
        let IterationLeases { leases, unasked, asked, rate, .. } = &mut self.iteration;
        let Lease { worker, since, work, is_asked } = leases.remove(&lease).expect("a lease ends once");
        unasked.remove(&(since, lease));
        *asked -= usize::from(is_asked);
        if is_complete && work > 0 {
            rate.learn(work, took);
        }
        self.workers.remove(worker, lease);
        // The next lease of this worker begins now.
        for &next in self.workers.leases_of(worker) {
            let lease = leases.get_mut(&next).expect("it has not ended");
            if unasked.remove(&(lease.since, next)) {
                unasked.insert((now, next));
            }
            lease.since = now;
        }
    }

    /// Gives no more leases of the iteration, and stops those under way.
    pub fn stop(&mut self) -> Vec<Action<C>> {
        self.iteration.is_stopped = true;
        let stop = |(&lease, &Lease { worker, .. }): (_, &_)| Action { lease, worker, command: Command::Stop };
        self.iteration.leases.iter().map(stop).collect()
    }

    /// What was never leased: root tasks, and what was shared.
    pub fn take_rest(&mut self) -> (Range<usize>, VecDeque<C>) {
        (self.iteration.leased..self.iteration.tasks(), std::mem::take(&mut self.iteration.shared))
    }
}
