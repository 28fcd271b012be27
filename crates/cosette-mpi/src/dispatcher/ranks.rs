//! The ranks, their threads, and the leases that they have.

use super::LeaseNumber;
use std::collections::BTreeSet;

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
