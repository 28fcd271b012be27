//! Which worker gets which work, and when: a state machine without messages and without a clock.
//!
//! Its driver reports what has happened and when, and asks what to do next. In `cosette-mpi` that is the coordinator, over MPI
//! messages and real time; the simulation of `cosette-lab-mpi` drives the same code over simulated messages and time.
//!
//! ```text
//! events in                                  actions out
//!
//! begin(tasks, expected time)                next_lease   Search: root tasks, or a chunk that another lease has shared
//! shared(lease, chunk), done(lease)                       Solve: whole positions
//! add_positions, position_solved             requests     Share: half of a long lease for an idle worker
//! positions_returned                                      Stop: of a position, for all workers to continue it together
//!                                            stop         Stop: of all leases
//! ```
//!
//! A worker has one lease more than it searches, so it never waits for the next. A lease holds a fixed share of the
//! remaining work, so leases become smaller towards the end of an iteration ("guided self-scheduling", Polychronopoulos
//! and Kuck 1987), within limits of time. What is counted in a whole iteration does not depend on any of this.
//!
//! | file | what it holds |
//! |---|---|
//! | `iteration` | the leases of an iteration, and requests to share them |
//! | `positions` | whole positions of a batch, by one worker each |
//! | `sizing` | how much work a lease holds |
//! | `workers` | how many leases each worker has |

mod iteration;
mod positions;
#[cfg(test)]
mod service_time;
mod sizing;
mod workers;

use iteration::IterationLeases;
use positions::PositionJobs;
use sizing::Rate;
pub use sizing::{ChunkSizes, expected_time};
use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;
use workers::Workers;

/// How many leases a worker has, including the one that it searches.
const LEASES: usize = 2;

/// The number of a lease, counted from one over all iterations.
pub type LeaseNumber = u64;

/// What the driver is to do.
#[derive(Debug)]
pub struct Action<C> {
    /// A lease: a new one, or one under way.
    pub lease: LeaseNumber,
    /// Its worker.
    pub worker: usize,
    /// What the worker is to do.
    pub command: Command<C>,
}

/// What a worker is to do for a lease.
#[derive(Debug)]
pub enum Command<C> {
    /// Search root tasks of the iteration, a range of their order.
    Search(Range<usize>),
    /// Search what another lease has shared.
    SearchShared(C),
    /// Solve whole positions one after the other, named by their indices in the list.
    Solve(Vec<usize>),
    /// Give half of the lease away.
    Share,
    /// Stop and return what is left.
    Stop,
}

/// Hands out the work of iterations and of batches; `C` is what leases share.
///
/// Times are counted from any instant that is the same for all of them.
pub struct Dispatcher<C> {
    workers: Workers,
    sizes: ChunkSizes,
    /// How many leases were given.
    leases: LeaseNumber,
    iteration: IterationLeases<C>,
    positions: PositionJobs,
}

impl<C> Dispatcher<C> {
    /// A dispatcher for this many workers.
    pub fn new(workers: usize, sizes: ChunkSizes) -> Dispatcher<C> {
        let iteration = IterationLeases::new(vec![0], VecDeque::new(), Rate::default());
        let (workers, positions) = (Workers::new(workers), PositionJobs::default());
        Dispatcher { workers, sizes, leases: 0, iteration, positions }
    }

    /// The next lease to give, if there is work and a worker that has room for it. Call this until there is none.
    pub fn next_lease(&mut self, now: Duration) -> Option<Action<C>> {
        self.next_positions(now).or_else(|| self.next_chunk(now))
    }

    /// Requests to leases under way, while workers are idle.
    pub fn requests(&mut self, now: Duration) -> Vec<Action<C>> {
        if self.is_over() { self.preempt(now).into_iter().collect() } else { self.share_requests(now) }
    }

    fn new_lease(&mut self) -> LeaseNumber {
        self.leases += 1;
        self.leases
    }
}
