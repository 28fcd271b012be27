//! An iteration under way: what is leased, what was shared, what is left.

use super::ranks::{Ranks, Rate, ThreadId};
use super::{Action, Command, Dispatcher, LEASES, LeaseNumber};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::time::Duration;

/// A lease that was begun more recently is not asked to share: it may end before the request arrives.
const SHARE_AFTER: Duration = Duration::from_millis(1);

/// A lease that has not ended.
struct Lease {
    rank: usize,
    /// When it was given, or when the lease before it ended.
    since: Duration,
    /// How much of the work it holds; zero for what was shared, where that is unknown.
    work: u64,
    /// Whether it was asked to share and has not replied yet.
    is_asked: bool,
}

/// The leases of an iteration, and what is not leased yet.
pub(super) struct IterationLeases<P> {
    /// The work in the tasks before each, and in all of them.
    work_before: Vec<u64>,
    /// The first leases, each with its rank; `None` before they are dealt out.
    dealt: Option<VecDeque<(usize, Vec<usize>)>>,
    /// How many of the tasks are dealt or leased.
    leased: usize,
    /// What was shared and waits for a rank.
    shared: VecDeque<P>,
    leases: BTreeMap<LeaseNumber, Lease>,
    /// The leases that can be asked to share, the longest under way first.
    unasked: BTreeSet<(Duration, LeaseNumber)>,
    /// The threads that do something else meanwhile.
    reserved: BTreeMap<LeaseNumber, ThreadId>,
    /// How many leases were asked to share and have not replied.
    asked: usize,
    rate: Rate,
    is_stopped: bool,
}

impl<P> IterationLeases<P> {
    pub fn new(work_before: Vec<u64>, shared: VecDeque<P>, rate: Rate) -> IterationLeases<P> {
        IterationLeases {
            work_before,
            dealt: None,
            leased: 0,
            shared,
            leases: BTreeMap::new(),
            unasked: BTreeSet::new(),
            reserved: BTreeMap::new(),
            asked: 0,
            rate,
            is_stopped: false,
        }
    }

    fn tasks(&self) -> usize {
        self.work_before.len() - 1
    }

    fn has_tasks(&self) -> bool {
        self.leased < self.tasks() || self.dealt.as_ref().is_some_and(|dealt| !dealt.is_empty())
    }

    /// Deals the first tasks out, to the free threads of all ranks in turn: all of them, or so many that it takes as long as the
    /// longest lease. A very short iteration is only for the first ranks.
    fn deal(&mut self, ranks: &Ranks) {
        let all = self.work_before[self.tasks()];
        let enough = self.rate.first_work(all, ranks.all_threads());
        let most = self.rate.most_threads(all).max(1);
        let numbered = ranks.all_free_threads().scan(0, |first, threads| {
            let of_rank = *first..*first + threads;
            *first = of_rank.end;
            Some(of_rank)
        });
        let of_ranks: Vec<Range<usize>> = numbered.take_while(|of_rank| of_rank.start < most).collect();
        let threads = of_ranks.last().map_or(0, |of_rank| of_rank.end);
        if threads > 0 {
            self.leased = self.work_before.partition_point(|&work| work <= enough) - 1;
        }
        let mut dealt = VecDeque::new();
        for (rank, of_rank) in of_ranks.into_iter().enumerate() {
            let mut tasks: Vec<usize> = of_rank.flat_map(|thread| (thread..self.leased).step_by(threads)).collect();
            tasks.sort_unstable();
            dealt.extend(Some((rank, tasks)).filter(|(_, tasks)| !tasks.is_empty()));
        }
        self.dealt = Some(dealt);
    }

    /// The next root tasks that were dealt out, for their rank or, if that has no free thread any more, for an idle one; and the work
    /// in them.
    fn next_dealt(&mut self, ranks: &Ranks) -> Option<(usize, Vec<usize>, u64)> {
        let dealt = self.dealt.as_mut().filter(|dealt| !dealt.is_empty())?;
        let (at, rank) = match dealt.iter().position(|&(rank, _)| ranks.free_threads(rank) > 0) {
            Some(at) => (at, dealt[at].0),
            None => (0, ranks.least_loaded(1)?),
        };
        let (_, tasks) = dealt.remove(at)?;
        let work = tasks.iter().map(|&task| self.work_before[task + 1] - self.work_before[task]).sum();
        Some((rank, tasks, work))
    }

    /// Root tasks for a lease of a rank with so many of all threads, and the work in them.
    fn next_tasks(&mut self, (threads, all_threads): (usize, usize)) -> (Vec<usize>, u64) {
        let (begin, all) = (self.leased, self.work_before[self.tasks()]);
        let before = self.work_before[begin];
        let enough = before + threads as u64 * self.rate.next_work((all - before, all), all_threads);
        let end = self.work_before.partition_point(|&work| work < enough).clamp(begin + 1, self.tasks());
        self.leased = end;
        ((begin..end).collect(), self.work_before[end] - before)
    }
}

impl<P> Dispatcher<P> {
    /// An iteration begins. `work_before` has the work in the tasks before each, and in all of them; `shared` is to be searched
    /// besides. `expected` is how long it would take one thread, where that can be predicted.
    pub fn begin(&mut self, work_before: Vec<u64>, shared: VecDeque<P>, expected: Option<Duration>) {
        let all = work_before.last().copied().unwrap_or_default();
        self.iteration = IterationLeases::new(work_before, shared, Rate::expecting(all, expected));
    }

    /// Whether the iteration has leases that have not ended.
    pub fn has_leases(&self) -> bool {
        !self.iteration.leases.is_empty() || !self.iteration.reserved.is_empty()
    }

    /// Whether all root tasks are leased, and a rank is idle.
    pub fn is_running_out(&self) -> bool {
        !self.iteration.has_tasks() && self.ranks.idle() > 0
    }

    /// Whether everything in the iteration is searched, or stopped.
    pub fn is_over(&self) -> bool {
        let IterationLeases { is_stopped, shared, .. } = &self.iteration;
        !self.has_leases() && (*is_stopped || !self.iteration.has_tasks() && shared.is_empty())
    }

    /// Gives a rank that has room for it the next lease: what was shared, or else root tasks.
    pub(super) fn next_iteration_lease(&mut self, now: Duration) -> Option<Action<P>> {
        if self.iteration.dealt.is_none() {
            self.iteration.deal(&self.ranks);
        }
        if self.iteration.is_stopped {
            return None;
        }
        let (rank, command, work) = match self.iteration.next_dealt(&self.ranks) {
            Some((rank, tasks, work)) => (rank, Command::Search(tasks), work),
            None => self.next_shared_or_tasks()?,
        };
        let lease = self.new_lease();
        self.ranks.add_lease(rank, lease);
        self.iteration.leases.insert(lease, Lease { rank, since: now, work, is_asked: false });
        self.iteration.unasked.insert((now, lease));
        Some(Action { lease, rank, command })
    }

    /// For the rank with the fewest leases: what was shared, or else root tasks; and the work in it, if that is known.
    fn next_shared_or_tasks(&mut self) -> Option<(usize, Command<P>, u64)> {
        // Once no tasks are left, what was shared is for idle ranks.
        let has_tasks = self.iteration.leased < self.iteration.tasks();
        if !has_tasks && self.iteration.shared.is_empty() {
            return None;
        }
        let rank = self.ranks.least_loaded(if has_tasks { LEASES } else { 1 })?;
        if let Some(shared) = self.iteration.shared.pop_front() {
            return Some((rank, Command::SearchShared(shared), 0));
        }
        let threads = (self.ranks.free_threads(rank), self.ranks.all_threads());
        let (tasks, work) = self.iteration.next_tasks(threads);
        Some((rank, Command::Search(tasks), work))
    }

    /// Reserves a thread of this rank, if one is free, for something else that runs beside the iteration, until that lease is
    /// [`done`](Dispatcher::done).
    pub fn reserve(&mut self, rank: usize) -> Option<(LeaseNumber, usize)> {
        let thread = self.ranks.free_thread_of(rank)?;
        let lease = self.new_lease();
        self.ranks.reserve(thread);
        self.iteration.reserved.insert(lease, thread);
        Some((lease, thread.1))
    }

    /// Requests to share: as many as there are idle ranks, to the leases that are under way longest.
    pub(super) fn share_requests(&mut self, now: Duration) -> Vec<Action<P>> {
        if self.iteration.has_tasks() || self.iteration.is_stopped {
            return Vec::new();
        }
        let IterationLeases { leases, unasked, asked, shared, .. } = &mut self.iteration;
        let missing = self.ranks.idle().saturating_sub(*asked + shared.len());
        let long = unasked.iter().take_while(|(since, _)| now.saturating_sub(*since) > SHARE_AFTER);
        let to_ask: Vec<_> = long.take(missing).copied().collect();
        *asked += to_ask.len();
        let ask = |key: (Duration, LeaseNumber)| {
            unasked.remove(&key);
            let lease = leases.get_mut(&key.1).expect("only leases under way can be asked");
            lease.is_asked = true;
            Action { lease: key.1, rank: lease.rank, command: Command::Share }
        };
        to_ask.into_iter().map(ask).collect()
    }

    /// A lease has shared this, which may be nothing.
    pub fn shared(&mut self, now: Duration, lease: LeaseNumber, chunk: Option<P>) {
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

    /// A lease of the iteration has ended, after the threads of its rank have searched it for `took` together: all of it, or
    /// until it was stopped.
    ///
    /// # Panics
    /// If it had ended before.
    pub fn done(&mut self, now: Duration, lease: LeaseNumber, took: Duration, is_complete: bool) {
        let IterationLeases { leases, unasked, asked, rate, reserved, .. } = &mut self.iteration;
        if let Some(thread) = reserved.remove(&lease) {
            return self.ranks.release(thread);
        }
        let Lease { rank, since, work, is_asked } = leases.remove(&lease).expect("a lease ends once");
        unasked.remove(&(since, lease));
        *asked -= usize::from(is_asked);
        if is_complete && work > 0 {
            rate.learn(work, took);
        }
        self.ranks.remove_lease(rank, lease);
        // The next lease of this rank begins now.
        for &next in self.ranks.leases_of(rank) {
            let lease = leases.get_mut(&next).expect("it has not ended");
            if unasked.remove(&(lease.since, next)) {
                unasked.insert((now, next));
            }
            lease.since = now;
        }
    }

    /// Gives no more leases of the iteration, and stops those under way.
    pub fn stop(&mut self) -> Vec<Action<P>> {
        self.iteration.is_stopped = true;
        let stop = |(&lease, &Lease { rank, .. }): (_, &_)| Action { lease, rank, command: Command::Stop };
        let reserved = |(&lease, &(rank, _)): (_, &ThreadId)| Action { lease, rank, command: Command::Stop };
        self.iteration.leases.iter().map(stop).chain(self.iteration.reserved.iter().map(reserved)).collect()
    }

    /// What was never leased: root tasks, and what was shared.
    pub fn take_rest(&mut self) -> (Vec<usize>, VecDeque<P>) {
        let all = self.iteration.tasks();
        let dealt = self.iteration.dealt.take().into_iter().flatten();
        let mut tasks: Vec<usize> = dealt.flat_map(|(_, tasks)| tasks).collect();
        tasks.sort_unstable();
        tasks.extend(self.iteration.leased..all);
        (tasks, std::mem::take(&mut self.iteration.shared))
    }
}
