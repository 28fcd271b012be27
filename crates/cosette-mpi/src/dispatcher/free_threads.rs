//! The ranks, their threads and their leases; and the work in a lease.

use super::LeaseNumber;
use cosette::cube::Metric;
use std::collections::BTreeSet;
use std::time::Duration;

/// A thread: its rank and its number there.
pub(super) type ThreadId = (usize, usize);

/// The ranks of a job, numbered from zero. A rank has *room* for leases of an iteration while at
/// least one of its threads is not reserved for other work.
pub(super) struct Ranks {
    ranks: Vec<RankState>,
    /// The ranks that have a thread for an iteration, each as (number of its leases, rank).
    by_leases: BTreeSet<(usize, usize)>,
    /// Number of ranks that have a thread for an iteration, and no lease.
    idle: usize,
    /// The threads that are not reserved, each as (thread, rank), so that the ranks take turns.
    free: BTreeSet<(usize, usize)>,
}

struct RankState {
    threads: usize,
    /// Number of reserved threads.
    reserved: usize,
    /// The leases of an iteration that the rank has.
    leases: Vec<LeaseNumber>,
}

impl Ranks {
    /// Creates ranks with these numbers of threads.
    pub fn new(threads: &[usize]) -> Ranks {
        let ranks = threads
            .iter()
            .map(|&threads| RankState {
                threads,
                reserved: 0,
                leases: Vec::new(),
            })
            .collect();
        let by_leases = (0..threads.len()).map(|rank| (0, rank)).collect();
        let of_rank =
            |(rank, &threads): (usize, &usize)| (0..threads).map(move |thread| (thread, rank));
        let free = threads.iter().enumerate().flat_map(of_rank).collect();
        Ranks {
            ranks,
            by_leases,
            idle: threads.len(),
            free,
        }
    }

    /// Returns the number of free threads of each rank.
    pub fn all_free_threads(&self) -> impl Iterator<Item = usize> {
        self.ranks.iter().map(|rank| rank.threads - rank.reserved)
    }

    /// Returns the number of threads of all ranks.
    pub fn all_threads(&self) -> usize {
        self.ranks.iter().map(|rank| rank.threads).sum()
    }

    /// Returns the number of free threads of a rank.
    pub fn free_threads(&self, rank: usize) -> usize {
        self.ranks[rank].threads - self.ranks[rank].reserved
    }

    /// Returns the rank with the fewest leases among those with a free thread, if it has fewer than
    /// `limit` leases.
    pub fn least_loaded(&self, limit: usize) -> Option<usize> {
        self.by_leases
            .first()
            .filter(|(leases, _)| *leases < limit)
            .map(|&(_, rank)| rank)
    }

    /// Returns the number of ranks that have a thread for an iteration, and no lease.
    pub fn idle(&self) -> usize {
        self.idle
    }

    pub fn leases_of(&self, rank: usize) -> &[LeaseNumber] {
        &self.ranks[rank].leases
    }

    pub fn add_lease(&mut self, rank: usize, lease: LeaseNumber) {
        self.change(rank, |rank| rank.leases.push(lease));
    }

    pub fn remove_lease(&mut self, rank: usize, lease: LeaseNumber) {
        self.change(rank, |rank| rank.leases.retain(|&other| other != lease));
    }

    /// Returns a thread that is not reserved.
    pub fn free_thread(&self) -> Option<ThreadId> {
        self.free.first().map(|&(thread, rank)| (rank, thread))
    }

    /// Returns a thread of this rank that is not reserved.
    pub fn free_thread_of(&self, rank: usize) -> Option<ThreadId> {
        (0..self.ranks[rank].threads)
            .find(|&thread| self.free.contains(&(thread, rank)))
            .map(|thread| (rank, thread))
    }

    /// Reserves a thread for other work than an iteration.
    pub fn reserve(&mut self, (rank, thread): ThreadId) {
        self.free.remove(&(thread, rank));
        self.change(rank, |rank| rank.reserved += 1);
    }

    /// Releases a thread that was [reserved](Ranks::reserve).
    pub fn release(&mut self, (rank, thread): ThreadId) {
        self.free.insert((thread, rank));
        self.change(rank, |rank| rank.reserved -= 1);
    }

    fn change(&mut self, number: usize, change: impl FnOnce(&mut RankState)) {
        let rank = &mut self.ranks[number];
        self.idle -= usize::from(rank.is_idle());
        self.by_leases.remove(&(rank.leases.len(), number));
        change(rank);
        self.idle += usize::from(rank.is_idle());
        if rank.has_room() {
            self.by_leases.insert((rank.leases.len(), number));
        }
    }
}

impl RankState {
    fn has_room(&self) -> bool {
        self.reserved < self.threads
    }

    fn is_idle(&self) -> bool {
        self.has_room() && self.leases.is_empty()
    }
}

/// Divisor of the first leases: while the rate is unknown, before the first lease has ended, a
/// lease holds the total work divided by this, times the rank's share of all threads.
const FIRST_DIVISOR: u64 = 64;

/// Minimum time of a lease: a shorter one is not worth its messages.
const MIN_TIME: Duration = Duration::from_millis(3);

/// Maximum time of a lease: a longer one loses too much work when the job is killed, and its last
/// tasks may no longer be the most promising.
const MAX_TIME: Duration = Duration::from_millis(200);

/// Divisor of later leases: a lease holds the remaining work divided by this, times the rank's
/// share of all threads.
const NEXT_DIVISOR: u64 = 4;

/// Minimum work of a thread in an iteration: less is not worth the messages.
const MIN_THREAD_TIME: Duration = Duration::from_micros(100);

/// Estimates the search time of an iteration, summed over all threads, from the length and the time
/// of the last iteration and the growth in the number of canonical sequences. Returns `None` if the
/// last iteration was not shorter.
pub fn expected_time((last, took): (u8, Duration), length: u8, metric: Metric) -> Option<Duration> {
    (last < length).then(|| took.mul_f64(metric.growth().powi((length - last).into())))
}

/// The work rate of a thread, in the unit of
/// [`cosette::search::distributed::Iteration::work_in_first`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    work: u64,
    time: Duration,
}

/// Divisor for the weight of an expectation: it counts like measured leases with the total work of
/// the iteration, divided by this.
const EXPECTATION_DIVISOR: u32 = 200;

impl Rate {
    /// Creates the rate at which one thread does `work` in `time`; unknown without a time.
    pub fn expecting(work: u64, time: Option<Duration>) -> Rate {
        let work = if time.is_some() {
            work / u64::from(EXPECTATION_DIVISOR)
        } else {
            0
        };
        Rate {
            work,
            time: time.unwrap_or_default() / EXPECTATION_DIVISOR,
        }
    }

    /// Records a lease that was searched completely.
    pub fn learn(&mut self, work: u64, time: Duration) {
        self.work += work;
        self.time += time;
    }

    fn work_within(&self, time: Duration) -> Option<u64> {
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| (self.work as f64 / seconds * time.as_secs_f64()) as u64)
    }

    /// Returns the part of `all` the work that is dealt out first.
    pub fn first_work(&self, all: u64, threads: usize) -> u64 {
        let most = self
            .work_within(MAX_TIME)
            .map(|work| work.saturating_mul(threads as u64));
        all.min(most.unwrap_or(all / FIRST_DIVISOR))
    }

    /// Returns the maximum number of threads for which `all` the work is worth the messages.
    pub fn most_threads(&self, all: u64) -> usize {
        self.work_within(MIN_THREAD_TIME)
            .map_or(usize::MAX, |work| all.div_ceil(work.max(1)) as usize)
    }

    /// Returns the work for each thread in the next lease, while `left` of `all` the work remains.
    pub fn next_work(&self, (left, all): (u64, u64), threads: usize) -> u64 {
        let threads = threads as u64;
        let work = match (self.work_within(MIN_TIME), self.work_within(MAX_TIME)) {
            (Some(min), Some(max)) => (left / (NEXT_DIVISOR * threads)).clamp(min, max.max(min)),
            _ => all / (FIRST_DIVISOR * threads),
        };
        work.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_become_smaller_towards_the_end() {
        let mut rate = Rate::default();
        assert_eq!(rate.next_work((12_800, 12_800), 2), 100);
        rate.learn(1_000, Duration::from_secs(1));
        // A share of the remaining work, but no more than 200 ms and no less than 3 ms.
        assert_eq!(rate.next_work((10_000, 12_800), 2), 200);
        assert_eq!(rate.next_work((800, 12_800), 2), 100);
        assert_eq!(rate.next_work((8, 12_800), 2), 3);
        assert_eq!(rate.next_work((0, 12_800), 2), 3);
    }

    #[test]
    fn the_rate_can_be_predicted() {
        let expecting = |seconds| Rate::expecting(12_800, seconds).next_work((8, 12_800), 2);
        assert_eq!(expecting(None), 100);
        assert_eq!(expecting(Some(Duration::from_millis(12_800))), 3);
    }
}
