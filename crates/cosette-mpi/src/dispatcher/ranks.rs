//! The ranks, their threads and the leases that they have; and how much of the remaining work a lease holds.

use super::LeaseNumber;
use cosette::cube::Metric;
use std::collections::BTreeSet;
use std::time::Duration;

/// A thread: its rank and its number there.
pub(super) type ThreadId = (usize, usize);

/// The ranks of a job, numbered from zero. A rank has *room* for leases of an iteration while at least one of its threads is
/// not reserved for something else.
pub(super) struct Ranks {
    ranks: Vec<Rank>,
    /// The ranks that have a thread for an iteration, by the number of their leases.
    by_leases: BTreeSet<(usize, usize)>,
    /// Those of them without a lease.
    idle: usize,
    /// The threads that are not reserved, by their number in their rank: so the ranks take turns.
    free: BTreeSet<(usize, usize)>,
}

struct Rank {
    threads: usize,
    /// How many of them are reserved.
    reserved: usize,
    /// Its leases of an iteration.
    leases: Vec<LeaseNumber>,
}

impl Ranks {
    /// Ranks with these numbers of threads.
    pub fn new(threads: &[usize]) -> Ranks {
        let ranks = threads.iter().map(|&threads| Rank { threads, reserved: 0, leases: Vec::new() }).collect();
        let by_leases = (0..threads.len()).map(|rank| (0, rank)).collect();
        let of_rank = |(rank, &threads): (usize, &usize)| (0..threads).map(move |thread| (thread, rank));
        let free = threads.iter().enumerate().flat_map(of_rank).collect();
        Ranks { ranks, by_leases, idle: threads.len(), free }
    }

    /// How many threads of each rank are not reserved.
    pub fn all_free_threads(&self) -> impl Iterator<Item = usize> {
        self.ranks.iter().map(|rank| rank.threads - rank.reserved)
    }

    /// The number of threads of all ranks.
    pub fn all_threads(&self) -> usize {
        self.ranks.iter().map(|rank| rank.threads).sum()
    }

    /// How many threads of a rank are not reserved.
    pub fn free_threads(&self, rank: usize) -> usize {
        self.ranks[rank].threads - self.ranks[rank].reserved
    }

    /// The rank with the fewest leases of those that have a thread for them, if it has fewer than `most`.
    pub fn least_loaded(&self, most: usize) -> Option<usize> {
        self.by_leases.first().filter(|(leases, _)| *leases < most).map(|&(_, rank)| rank)
    }

    /// How many ranks have a thread for an iteration, and no lease.
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

    /// A thread that is not reserved.
    pub fn free_thread(&self) -> Option<ThreadId> {
        self.free.first().map(|&(thread, rank)| (rank, thread))
    }

    /// A thread of this rank that is not reserved.
    pub fn free_thread_of(&self, rank: usize) -> Option<ThreadId> {
        (0..self.ranks[rank].threads).find(|&thread| self.free.contains(&(thread, rank))).map(|thread| (rank, thread))
    }

    /// Reserves a thread for something else than an iteration.
    pub fn reserve(&mut self, (rank, thread): ThreadId) {
        self.free.remove(&(thread, rank));
        self.change(rank, |rank| rank.reserved += 1);
    }

    /// The opposite of [`reserve`](Ranks::reserve).
    pub fn release(&mut self, (rank, thread): ThreadId) {
        self.free.insert((thread, rank));
        self.change(rank, |rank| rank.reserved -= 1);
    }

    fn change(&mut self, number: usize, change: impl FnOnce(&mut Rank)) {
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

impl Rank {
    fn has_room(&self) -> bool {
        self.reserved < self.threads
    }

    fn is_idle(&self) -> bool {
        self.has_room() && self.leases.is_empty()
    }
}

/// While the rate is unknown, before the first lease has ended, a lease holds this fraction of all the work: one part in so many, for
/// each of its threads divided by the number of all.
const FIRST_FRACTION: u64 = 64;

/// A lease that takes less is not worth its messages.
const MIN: Duration = Duration::from_millis(3);

/// A lease that takes more loses too much work when the job is killed, and holds on to tasks that no longer come first.
const MAX: Duration = Duration::from_millis(200);

/// A lease holds one part in so many of the remaining work, for each thread of its rank divided by the number of all.
const FRACTION: u64 = 4;

/// A thread that has less to do in an iteration is not worth the messages.
const WORTH_A_THREAD: Duration = Duration::from_micros(100);

/// How long all threads together are likely to search an iteration, from the length of the last one and the time it took:
/// longer, as there are more canonical sequences.
pub fn expected_time((last, took): (u8, Duration), length: u8, metric: Metric) -> Option<Duration> {
    (last < length).then(|| took.mul_f64(metric.growth().powi((length - last).into())))
}

/// How much work a thread does in a given time, in the unit of [`cosette::search::distributed::Iteration::work_in_first`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    work: u64,
    time: Duration,
}

/// The expectation for a whole iteration weighs as much as this fraction of it that was searched: one part in this many.
const TRUST: u32 = 200;

impl Rate {
    /// The rate at which `work` takes one thread `time`, where that can be predicted.
    pub fn expecting(work: u64, time: Option<Duration>) -> Rate {
        let work = if time.is_some() { work / u64::from(TRUST) } else { 0 };
        Rate { work, time: time.unwrap_or_default() / TRUST }
    }

    /// Records a lease that was searched to its end.
    pub fn learn(&mut self, work: u64, time: Duration) {
        self.work += work;
        self.time += time;
    }

    fn work_within(&self, time: Duration) -> Option<u64> {
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| (self.work as f64 / seconds * time.as_secs_f64()) as u64)
    }

    /// The work that is dealt out first, of `all` the work.
    pub fn first_work(&self, all: u64, threads: usize) -> u64 {
        let most = self.work_within(MAX).map(|work| work.saturating_mul(threads as u64));
        all.min(most.unwrap_or(all / FIRST_FRACTION))
    }

    /// How many threads all the work is worth.
    pub fn most_threads(&self, all: u64) -> usize {
        self.work_within(WORTH_A_THREAD).map_or(usize::MAX, |work| all.div_ceil(work.max(1)) as usize)
    }

    /// The work for each thread in the next lease, while `left` of `all` the work remains.
    pub fn next_work(&self, (left, all): (u64, u64), threads: usize) -> u64 {
        let threads = threads as u64;
        let work = match (self.work_within(MIN), self.work_within(MAX)) {
            (Some(min), Some(max)) => (left / (FRACTION * threads)).clamp(min, max.max(min)),
            _ => all / (FIRST_FRACTION * threads),
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
        // A share of what is left, and neither more than 200 ms nor less than 3 ms.
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
