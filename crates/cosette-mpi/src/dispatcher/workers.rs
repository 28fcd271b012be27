//! The workers and their leases.

use super::LeaseNumber;
use std::collections::BTreeSet;

/// Threads of any rank, numbered from zero.
pub(super) struct Workers {
    leases: Vec<Vec<LeaseNumber>>,
    by_load: BTreeSet<(usize, usize)>,
}

impl Workers {
    pub fn new(count: usize) -> Workers {
        Workers { leases: vec![Vec::new(); count], by_load: (0..count).map(|worker| (0, worker)).collect() }
    }

    pub fn count(&self) -> usize {
        self.leases.len()
    }

    /// The worker with the fewest leases, if it has fewer than `room`.
    pub fn least_loaded(&self, room: usize) -> Option<usize> {
        self.by_load.first().filter(|(load, _)| *load < room).map(|&(_, worker)| worker)
    }

    pub fn is_idle(&self, worker: usize) -> bool {
        self.leases[worker].is_empty()
    }

    pub fn idle(&self) -> usize {
        self.by_load.iter().take_while(|(load, _)| *load == 0).count()
    }

    pub fn leases_of(&self, worker: usize) -> &[LeaseNumber] {
        &self.leases[worker]
    }

    /// Adds a lease that counts as `load` leases.
    pub fn add(&mut self, worker: usize, lease: LeaseNumber, load: usize) {
        self.change(worker, |leases| leases.extend(std::iter::repeat_n(lease, load)));
    }

    pub fn remove(&mut self, worker: usize, lease: LeaseNumber) {
        self.change(worker, |leases| leases.retain(|&other| other != lease));
    }

    fn change(&mut self, worker: usize, change: impl FnOnce(&mut Vec<LeaseNumber>)) {
        let leases = &mut self.leases[worker];
        self.by_load.remove(&(leases.len(), worker));
        change(leases);
        self.by_load.insert((leases.len(), worker));
    }
}
