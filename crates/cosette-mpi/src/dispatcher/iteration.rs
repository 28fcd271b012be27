//! The running iteration: leases, shared work units and remaining root tasks.

use super::free_threads::{Ranks, Rate, ThreadId};
use super::{Action, Dispatcher, LeaseCommand, LeaseNumber, MAX_LEASES};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::time::Duration;

/// Minimum age of a lease for a request to share: a younger lease may end before the request
/// arrives.
const SHARE_AFTER: Duration = Duration::from_millis(1);

/// A lease that has not ended.
struct RankLease {
    rank: usize,
    /// The time from which its age counts: when it was given, when the previous lease of the rank
    /// ended, or when it last had nothing to share.
    since: Duration,
    /// The work in it; zero for a shared work unit, whose work is unknown.
    work: u64,
    /// `true` if it was requested to share and has not replied yet.
    is_requested: bool,
}

/// The leases of an iteration, and the work that is not leased yet.
pub(super) struct IterationLeases<P> {
    /// For each task, the work in the tasks before it; then the work in all tasks.
    work_before: Vec<u64>,
    /// The root tasks of the first leases that are dealt but not given, each with its rank; `None`
    /// before they are dealt.
    dealt: Option<VecDeque<(usize, Vec<usize>)>>,
    /// Number of tasks that are dealt or leased.
    leased: usize,
    /// Shared work units that wait for a rank.
    shared: VecDeque<P>,
    leases: BTreeMap<LeaseNumber, RankLease>,
    /// The leases that can be requested to share, oldest first.
    requestable: BTreeSet<(Duration, LeaseNumber)>,
    /// The threads reserved for other work, by the lease of that work.
    reserved: BTreeMap<LeaseNumber, ThreadId>,
    /// Number of leases that were requested to share and have not replied.
    requested: usize,
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
            requestable: BTreeSet::new(),
            reserved: BTreeMap::new(),
            requested: 0,
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

    /// Deals the first tasks out, one to each free thread of all ranks in rotation: all tasks, or
    /// as many as take the maximum time of a lease. A very short iteration is dealt only to the
    /// first ranks.
    fn deal(&mut self, ranks: &Ranks) {
        let all = self.work_before[self.tasks()];
        let enough = self.rate.first_work(all, ranks.all_threads());
        let max_threads = self.rate.most_threads(all).max(1);
        // The free threads of all ranks are numbered consecutively.
        let numbers = ranks.all_free_threads().scan(0, |first, threads| {
            let numbers_of_rank = *first..*first + threads;
            *first = numbers_of_rank.end;
            Some(numbers_of_rank)
        });
        let numbers: Vec<Range<usize>> = numbers
            .take_while(|numbers_of_rank| numbers_of_rank.start < max_threads)
            .collect();
        let threads = numbers
            .last()
            .map_or(0, |numbers_of_rank| numbers_of_rank.end);
        if threads > 0 {
            self.leased = self.work_before.partition_point(|&work| work <= enough) - 1;
        }
        let mut dealt = VecDeque::new();
        for (rank, numbers_of_rank) in numbers.into_iter().enumerate() {
            let mut tasks: Vec<usize> = numbers_of_rank
                .flat_map(|thread| (thread..self.leased).step_by(threads))
                .collect();
            tasks.sort_unstable();
            dealt.extend(Some((rank, tasks)).filter(|(_, tasks)| !tasks.is_empty()));
        }
        self.dealt = Some(dealt);
    }

    /// Returns the next dealt root tasks, with the rank that gets them and the work in them. If
    /// their own rank has no free thread any more, an idle rank gets them.
    fn next_dealt(&mut self, ranks: &Ranks) -> Option<(usize, Vec<usize>, u64)> {
        let dealt = self.dealt.as_mut().filter(|dealt| !dealt.is_empty())?;
        let (index, rank) = match dealt
            .iter()
            .position(|&(rank, _)| ranks.free_threads(rank) > 0)
        {
            Some(index) => (index, dealt[index].0),
            None => (0, ranks.least_loaded(1)?),
        };
        let (_, tasks) = dealt.remove(index)?;
        let work = tasks
            .iter()
            .map(|&task| self.work_before[task + 1] - self.work_before[task])
            .sum();
        Some((rank, tasks, work))
    }

    /// Returns root tasks for a lease of a rank that has `threads` of `all_threads`, and the work
    /// in these tasks.
    fn next_tasks(&mut self, (threads, all_threads): (usize, usize)) -> (Vec<usize>, u64) {
        let begin = self.leased;
        let all = self.work_before[self.tasks()];
        let before = self.work_before[begin];
        let enough =
            before + threads as u64 * self.rate.next_work((all - before, all), all_threads);
        let end = self
            .work_before
            .partition_point(|&work| work < enough)
            .clamp(begin + 1, self.tasks());
        self.leased = end;
        ((begin..end).collect(), self.work_before[end] - before)
    }
}

impl<P> Dispatcher<P> {
    /// Begins an iteration. `work_before` has, for each task, the work in the tasks before it; then
    /// the work in all tasks. `shared` are further work units. `expected` is the time that one
    /// thread would take, if predictable.
    pub fn begin(
        &mut self,
        work_before: Vec<u64>,
        shared: VecDeque<P>,
        expected: Option<Duration>,
    ) {
        let all = work_before.last().copied().unwrap_or_default();
        self.iteration = IterationLeases::new(work_before, shared, Rate::expecting(all, expected));
    }

    /// Returns `true` if the iteration has leases that have not ended.
    pub fn has_leases(&self) -> bool {
        !self.iteration.leases.is_empty() || !self.iteration.reserved.is_empty()
    }

    /// Returns `true` if all root tasks are leased, and a rank is idle.
    pub fn is_running_out(&self) -> bool {
        !self.iteration.has_tasks() && self.ranks.idle() > 0
    }

    /// Returns `true` if no lease is left, and the iteration is completely searched or stopped.
    pub fn iteration_is_over(&self) -> bool {
        let IterationLeases {
            is_stopped, shared, ..
        } = &self.iteration;
        !self.has_leases() && (*is_stopped || !self.iteration.has_tasks() && shared.is_empty())
    }

    /// Gives the next lease to a rank that has room for it: a shared work unit, or else root tasks.
    pub(super) fn next_iteration_lease(&mut self, now: Duration) -> Option<Action<P>> {
        if self.iteration.dealt.is_none() {
            self.iteration.deal(&self.ranks);
        }
        if self.iteration.is_stopped {
            return None;
        }
        let (rank, command, work) = match self.iteration.next_dealt(&self.ranks) {
            Some((rank, tasks, work)) => (rank, LeaseCommand::Search(tasks), work),
            None => self.next_shared_or_tasks()?,
        };
        let lease = self.new_lease();
        self.ranks.add_lease(rank, lease);
        self.iteration.leases.insert(
            lease,
            RankLease {
                rank,
                since: now,
                work,
                is_requested: false,
            },
        );
        self.iteration.requestable.insert((now, lease));
        Some(Action {
            lease,
            rank,
            command,
        })
    }

    /// Returns the rank with the fewest leases, its next command, and the work in that; zero if
    /// unknown. The command is to search a shared work unit if there is one, or else root tasks.
    fn next_shared_or_tasks(&mut self) -> Option<(usize, LeaseCommand<P>, u64)> {
        // Once no tasks are left, shared work units are only for idle ranks.
        let has_tasks = self.iteration.leased < self.iteration.tasks();
        if !has_tasks && self.iteration.shared.is_empty() {
            return None;
        }
        let rank = self
            .ranks
            .least_loaded(if has_tasks { MAX_LEASES } else { 1 })?;
        if let Some(shared) = self.iteration.shared.pop_front() {
            return Some((rank, LeaseCommand::SearchShared(shared), 0));
        }
        let threads = (self.ranks.free_threads(rank), self.ranks.all_threads());
        let (tasks, work) = self.iteration.next_tasks(threads);
        Some((rank, LeaseCommand::Search(tasks), work))
    }

    /// Reserves a thread of this rank, if one is free, for other work in parallel to the iteration,
    /// until its lease is [`done`](Dispatcher::done).
    pub fn reserve(&mut self, rank: usize) -> Option<(LeaseNumber, usize)> {
        let thread = self.ranks.free_thread_of(rank)?;
        let lease = self.new_lease();
        self.ranks.reserve(thread);
        self.iteration.reserved.insert(lease, thread);
        Some((lease, thread.1))
    }

    /// Returns requests to share, one for each idle rank that will not get work otherwise. They are
    /// for the oldest leases.
    pub(super) fn share_requests(&mut self, now: Duration) -> Vec<Action<P>> {
        if self.iteration.has_tasks() || self.iteration.is_stopped {
            return Vec::new();
        }
        let IterationLeases {
            leases,
            requestable,
            requested,
            shared,
            ..
        } = &mut self.iteration;
        let missing = self.ranks.idle().saturating_sub(*requested + shared.len());
        let long = requestable
            .iter()
            .take_while(|(since, _)| now.saturating_sub(*since) > SHARE_AFTER);
        let to_request: Vec<_> = long.take(missing).copied().collect();
        *requested += to_request.len();
        let request = |key: (Duration, LeaseNumber)| {
            requestable.remove(&key);
            let lease = leases
                .get_mut(&key.1)
                .expect("a lease that can be requested has not ended");
            lease.is_requested = true;
            Action {
                lease: key.1,
                rank: lease.rank,
                command: LeaseCommand::Share,
            }
        };
        to_request.into_iter().map(request).collect()
    }

    /// Records the work unit that a lease has shared; `None` if it had nothing to share.
    pub fn shared(&mut self, now: Duration, lease: LeaseNumber, part: Option<P>) {
        let IterationLeases {
            leases,
            requestable,
            requested,
            shared,
            ..
        } = &mut self.iteration;
        if let Some(sharing) = leases.get_mut(&lease) {
            *requested -= usize::from(std::mem::take(&mut sharing.is_requested));
            if part.is_none() {
                // Delays the next request to this lease.
                sharing.since = now;
            }
            requestable.insert((sharing.since, lease));
        }
        shared.extend(part);
    }

    /// Records the end of a lease of the iteration, which its rank has searched completely, or
    /// until it was stopped. `took` is the search time, summed over the threads.
    ///
    /// # Panics
    /// Panics if the lease had ended before.
    pub fn done(&mut self, now: Duration, lease: LeaseNumber, took: Duration, is_complete: bool) {
        let IterationLeases {
            leases,
            requestable,
            requested,
            rate,
            reserved,
            ..
        } = &mut self.iteration;
        if let Some(thread) = reserved.remove(&lease) {
            return self.ranks.release(thread);
        }
        let RankLease {
            rank,
            since,
            work,
            is_requested,
        } = leases.remove(&lease).expect("a lease ends once");
        requestable.remove(&(since, lease));
        *requested -= usize::from(is_requested);
        if is_complete && work > 0 {
            rate.learn(work, took);
        }
        self.ranks.remove_lease(rank, lease);
        // The next lease of this rank begins now.
        for &next in self.ranks.leases_of(rank) {
            let lease = leases.get_mut(&next).expect("the lease has not ended");
            if requestable.remove(&(lease.since, next)) {
                requestable.insert((now, next));
            }
            lease.since = now;
        }
    }

    /// Stops all leases of the iteration, and gives no more leases.
    pub fn stop(&mut self) -> Vec<Action<P>> {
        self.iteration.is_stopped = true;
        let stop = |(&lease, &RankLease { rank, .. }): (_, &_)| Action {
            lease,
            rank,
            command: LeaseCommand::Stop,
        };
        let reserved = |(&lease, &(rank, _)): (_, &ThreadId)| Action {
            lease,
            rank,
            command: LeaseCommand::Stop,
        };
        self.iteration
            .leases
            .iter()
            .map(stop)
            .chain(self.iteration.reserved.iter().map(reserved))
            .collect()
    }

    /// Returns the work that was never leased: root tasks, and shared work units.
    pub fn take_unleased(&mut self) -> (Vec<usize>, VecDeque<P>) {
        let all = self.iteration.tasks();
        let dealt = self.iteration.dealt.take().into_iter().flatten();
        let mut tasks: Vec<usize> = dealt.flat_map(|(_, tasks)| tasks).collect();
        tasks.sort_unstable();
        tasks.extend(self.iteration.leased..all);
        (tasks, std::mem::take(&mut self.iteration.shared))
    }
}
