//! Which rank gets which work, and when, and which of its threads: two state machines without messages and without a clock.
//!
//! The [`Dispatcher`] is that of the coordinator. It hands out *leases*: a part of an iteration to a rank, for all its threads, or whole
//! positions to one thread. A [`ThreadDispatcher`] is that of a rank. It divides a part into *pieces*, one for each thread. So the
//! coordinator sends and receives a few messages for each rank, not for each thread. Their drivers report what has happened and when,
//! and ask what to do next. In `cosette-mpi` those are the coordinator and the ranks, over MPI messages and real time; the
//! simulation of `cosette-lab-mpi` drives the same code over simulated messages and time.
//!
//! ```text
//! Dispatcher: events in                      actions out
//!
//! begin(tasks, expected time)                next_lease   Search: root tasks, or a part that another lease has shared
//! shared(lease, part), done(lease)                        Solve: whole positions
//! add_positions, position_solved             requests     Share: half of a long lease for an idle rank
//! positions_returned                                      Stop: of a position, for all threads to continue it together
//!                                            stop         Stop: of all leases
//!
//! ThreadDispatcher: events in                actions out
//!
//! add(lease, part), done(thread)             next_piece   a piece for an idle thread
//! shared(thread, piece)                      requests     threads to share their pieces with idle ones
//! share(lease)                               what is given to another rank, at once or when the threads have shared
//! stop(lease)                                what is left, and the threads to stop
//! ```
//!
//! The first leases of an iteration are dealt out, a task to each thread in turn: all of a short iteration. Of a longer one a rank
//! has one lease more than it searches, so it never waits for the next; a lease holds a fixed fraction of the remaining work, so
//! leases become smaller towards the end ("guided self-scheduling", Polychronopoulos and Kuck 1987), within limits of time. What
//! is counted in a whole iteration does not depend on any of this.
//!
//! | file | what it holds |
//! |---|---|
//! | `iteration` | the leases of an iteration, and requests to share them |
//! | `positions` | whole positions of a batch, by one thread each |
//! | `sizing` | how much work a lease holds |
//! | `ranks` | how many leases each rank has, and which of its threads are reserved |
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
pub use sizing::{LeaseSizes, expected_time};
use std::collections::VecDeque;
use std::time::Duration;
pub use threads::{Given, Progress, Sharing, ThreadDispatcher};

/// How many leases a rank has, including the one that it searches.
const LEASES: usize = 2;

/// The number of a lease, counted from one over all iterations.
pub type LeaseNumber = u64;

/// What the driver is to do.
#[derive(Debug)]
pub struct Action<P> {
    /// A lease: a new one, or one under way.
    pub lease: LeaseNumber,
    /// Its rank.
    pub rank: usize,
    /// What the rank is to do.
    pub command: Command<P>,
}

/// What a rank is to do for a lease.
#[derive(Debug)]
pub enum Command<P> {
    /// Search root tasks of the iteration, by their places in its order.
    Search(Vec<usize>),
    /// Search what another lease has shared.
    SearchShared(P),
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

/// Hands out the work of iterations and of batches; `P` is a part of an iteration, which a lease has shared.
///
/// Times are counted from any instant that is the same for all of them.
pub struct Dispatcher<P> {
    ranks: Ranks,
    sizes: LeaseSizes,
    /// How many leases were given.
    leases: LeaseNumber,
    iteration: IterationLeases<P>,
    positions: PositionJobs,
}

impl<P> Dispatcher<P> {
    /// A dispatcher for ranks with these numbers of threads.
    pub fn new(threads: &[usize], sizes: LeaseSizes) -> Dispatcher<P> {
        let iteration = IterationLeases::new(vec![0], VecDeque::new(), Rate::default());
        let (ranks, positions) = (Ranks::new(threads), PositionJobs::default());
        Dispatcher { ranks, sizes, leases: 0, iteration, positions }
    }

    /// The next lease to give, if there is work and a rank that has room for it. Call this until there is none.
    pub fn next_lease(&mut self, now: Duration) -> Option<Action<P>> {
        self.next_positions(now).or_else(|| self.next_iteration_lease(now))
    }

    /// Requests to leases under way, while ranks or threads are idle.
    pub fn requests(&mut self, now: Duration) -> Vec<Action<P>> {
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
