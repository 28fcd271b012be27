//! Which rank gets which work, and when, and which of its threads: two state machines without messages and without a clock.
//!
//! The [`Dispatcher`] is that of the coordinator, and knows ranks; a [`ThreadDispatcher`] is that of a rank, and knows its threads. So
//! the coordinator sends and receives a few messages a rank, not a thread. Their driver reports what has happened and when, and asks what to do next. In `cosette-mpi` that is the coordinator, over MPI
//! messages and real time; the simulation of `cosette-lab-mpi` drives the same code over simulated messages and time.
//!
//! ```text
//! events in                                  actions out
//!
//! begin(tasks, expected time)                next_lease   Search: root tasks, or a chunk that another lease has shared
//! shared(lease, chunk), done(lease)                       Solve: whole positions
//! add_positions, position_solved             requests     Share: half of a long lease for an idle rank
//! positions_returned                                      Stop: of a position, for all threads to continue it together
//!                                            stop         Stop: of all leases
//! ```
//!
//! The first leases of an iteration are dealt out, a task to each thread in turn: all of a short iteration. Of a longer one a rank
//! has one lease more than it searches, so it never waits for the next; a lease holds a fixed share of the remaining work, so
//! leases become smaller towards the end ("guided self-scheduling", Polychronopoulos and Kuck 1987), within limits of time. What
//! is counted in a whole iteration does not depend on any of this.
//!
//! | file | what it holds |
//! |---|---|
//! | `iteration` | the leases of an iteration, and requests to share them |
//! | `positions` | whole positions of a batch, by one thread each |
//! | `sizing` | how much work a lease holds |
//! | `ranks` | how many leases each rank has, and what its threads are taken for |
//! | `threads`, `part` | the pieces of a rank's leases, and how work is divided |

mod iteration;
mod part;
mod positions;
mod ranks;
#[cfg(test)]
mod service_time;
mod sizing;
#[cfg(test)]
mod tests;
mod threads;

use iteration::IterationLeases;
pub use part::Divisible;
use positions::PositionJobs;
use ranks::Ranks;
use sizing::Rate;
pub use sizing::{ChunkSizes, expected_time};
use std::collections::VecDeque;
use std::time::Duration;
pub use threads::{Given, Progress, Sharing, ThreadDispatcher};

/// How many leases a rank has, including the one that it searches.
const LEASES: usize = 2;

/// The number of a lease, counted from one over all iterations.
pub type LeaseNumber = u64;

/// What the driver is to do.
#[derive(Debug)]
pub struct Action<C> {
    /// A lease: a new one, or one under way.
    pub lease: LeaseNumber,
    /// Its rank.
    pub rank: usize,
    /// What the rank is to do.
    pub command: Command<C>,
}

/// What a rank is to do for a lease.
#[derive(Debug)]
pub enum Command<C> {
    /// Search root tasks of the iteration, by their places in its order.
    Search(Vec<usize>),
    /// Search what another lease has shared.
    SearchShared(C),
    /// Have one of its threads solve whole positions one after the other.
    Solve {
        /// The number of the thread.
        thread: usize,
        /// The indices of the positions in the list.
        positions: Vec<usize>,
    },
    /// Give half of the lease away.
    Share,
    /// Stop and return what is left.
    Stop,
}

/// Hands out the work of iterations and of batches; `C` is what leases share.
///
/// Times are counted from any instant that is the same for all of them.
pub struct Dispatcher<C> {
    ranks: Ranks,
    sizes: ChunkSizes,
    /// How many leases were given.
    leases: LeaseNumber,
    iteration: IterationLeases<C>,
    positions: PositionJobs,
}

impl<C> Dispatcher<C> {
    /// A dispatcher for ranks with these numbers of threads.
    pub fn new(threads: &[usize], sizes: ChunkSizes) -> Dispatcher<C> {
        let iteration = IterationLeases::new(vec![0], VecDeque::new(), Rate::default());
        let (ranks, positions) = (Ranks::new(threads), PositionJobs::default());
        Dispatcher { ranks, sizes, leases: 0, iteration, positions }
    }

    /// The next lease to give, if there is work and a rank that has room for it. Call this until there is none.
    pub fn next_lease(&mut self, now: Duration) -> Option<Action<C>> {
        self.next_positions(now).or_else(|| self.next_chunk(now))
    }

    /// Requests to leases under way, while ranks or threads are idle.
    pub fn requests(&mut self, now: Duration) -> Vec<Action<C>> {
        if self.is_over() { self.preempt(now).into_iter().collect() } else { self.share_requests(now) }
    }

    /// Whether a rank could do more.
    pub fn has_idle_ranks(&self) -> bool {
        self.ranks.idle() > 0
    }

    fn new_lease(&mut self) -> LeaseNumber {
        self.leases += 1;
        self.leases
    }
}
