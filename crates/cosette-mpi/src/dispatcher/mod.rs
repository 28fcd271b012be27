//! The assignment of work to ranks and to their threads: two state machines without messages and
//! without a clock.
//!
//! The [`Dispatcher`] is the state machine of the coordinator. It hands out *leases*. A lease is a
//! work unit of an iteration for all threads of a rank, or some whole positions for one thread. A
//! [`ThreadDispatcher`] is the state machine of a rank. It divides a work unit into *pieces*, one
//! for each thread. So the coordinator exchanges a few messages with each rank, not with each
//! thread. The drivers of the state machines report timed events and query the next actions. In
//! `cosette-mpi` the drivers are the coordinator and the ranks, over MPI messages and real time;
//! the example `scaling` drives the same code over simulated messages and time.
//!
//! ```text
//! Dispatcher: events in             actions out
//!
//! begin(tasks, expected time)       next_lease  Search: root tasks, or a part of another lease
//! shared(lease, part), done(lease)              Solve: whole positions
//! add_positions, position_solved    requests    Share: half of a long lease for an idle rank
//! positions_returned                            Stop: of a position, for all threads to continue
//!                                   stop        Stop: of all leases of the iteration
//!                                   stop_positions  Stop: of all leases of positions
//!
//! ThreadDispatcher: events in       actions out
//!
//! add(lease, part), done(thread)    next_piece  a piece for an idle thread
//! shared(thread, piece)             requests    threads to share their pieces with idle ones
//! share(lease)                      a work unit for another rank, at once or after sharing
//! stop(lease)                       the remaining work, and the threads to stop
//! ```
//!
//! The first leases of an iteration are dealt out, one task to each thread in rotation; in a short
//! iteration, they hold all tasks. In a longer one, a rank has one lease more than it searches, so
//! it never waits for the next. Such a lease holds a fixed fraction of the remaining work, within
//! limits of time. Leases thus become smaller towards the end ("guided self-scheduling",
//! Polychronopoulos and Kuck 1987). The numbers of nodes and probes of a whole iteration do not
//! depend on its leases.
//!
//! The positions of a batch are searched by one thread each, so that no thread waits for another.
//! They are leased in small groups. Once all positions are leased and threads are idle, the
//! position that has been searched longest is preempted. Its proven results are retained, and all
//! threads continue its search together.
//!
//! | file | contents |
//! |---|---|
//! | `iteration` | the leases of an iteration, and requests to share them |
//! | `free_threads` | the leases and free threads of each rank, and the work in a lease |
//! | `threads` | the pieces of the leases of a rank, and the division of work |

mod free_threads;
mod iteration;
mod threads;

pub use free_threads::expected_time;
use free_threads::{Ranks, Rate, ThreadId};
use iteration::IterationLeases;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
pub use threads::{Divisible, PieceProgress, ShareOutcome, SharedOut, ThreadDispatcher};

/// Maximum number of leases of a rank, including the lease that it searches.
const MAX_LEASES: usize = 2;

/// The number of a lease, counted from one over all leases of a dispatcher.
pub type LeaseNumber = u64;

/// An action for the driver.
#[derive(Debug)]
pub struct Action<P> {
    /// The lease: a new one, or one that has not ended.
    pub lease: LeaseNumber,
    /// The rank of the lease.
    pub rank: usize,
    /// The command to the rank.
    pub command: LeaseCommand<P>,
}

/// A command to a rank, for a lease.
#[derive(Debug)]
pub enum LeaseCommand<P> {
    /// Search root tasks, given by their indices in the order of the iteration.
    Search(Vec<usize>),
    /// Search a work unit that another lease has shared, or an earlier search has left.
    SearchShared(P),
    /// Solve whole positions one after the other, with one thread.
    Solve {
        /// The number of the thread.
        thread: usize,
        /// The indices of the positions in the list.
        positions: Vec<usize>,
    },
    /// Give half of the lease away.
    Share,
    /// Stop and return the remaining work.
    Stop,
}

/// The dispatcher of the coordinator, which hands out the work of iterations and of batches. `P` is
/// the type of the work units that leases share.
///
/// Times are counted from any common instant.
pub struct Dispatcher<P> {
    ranks: Ranks,
    /// The number of the last lease; 0 before the first.
    last_lease: LeaseNumber,
    iteration: IterationLeases<P>,
    positions: PositionJobs,
}

impl<P> Dispatcher<P> {
    /// Creates a dispatcher for ranks with these numbers of threads.
    pub fn new(threads: &[usize]) -> Dispatcher<P> {
        // An iteration without tasks, which is over.
        let iteration = IterationLeases::new(vec![0], VecDeque::new(), Rate::default());
        let ranks = Ranks::new(threads);
        let positions = PositionJobs::default();
        Dispatcher {
            ranks,
            last_lease: 0,
            iteration,
            positions,
        }
    }

    /// Returns the next lease to give, if there is work and a rank that has room for it. Call this
    /// until it returns `None`.
    pub fn next_lease(&mut self, now: Duration) -> Option<Action<P>> {
        self.next_positions(now)
            .or_else(|| self.next_iteration_lease(now))
    }

    /// Returns requests to leases that have not ended, while ranks or threads are idle.
    pub fn requests(&mut self, now: Duration) -> Vec<Action<P>> {
        if self.iteration_is_over() {
            self.preempt(now).into_iter().collect()
        } else {
            self.share_requests(now)
        }
    }

    /// Returns `true` if a rank could do more.
    pub fn has_idle_ranks(&self) -> bool {
        self.ranks.idle() > 0
    }

    fn new_lease(&mut self) -> LeaseNumber {
        self.last_lease += 1;
        self.last_lease
    }
}

/// Maximum number of positions in a group.
const MAX_GROUP: usize = 16;
/// Divisor of the group size: a group holds the number of remaining positions, divided by this and
/// by the number of threads.
const GROUP_DIVISOR: usize = 8;
/// Minimum search time of a position before it is preempted: most positions are solved sooner.
const PREEMPT_AFTER: Duration = Duration::from_millis(300);

/// The unsolved positions, by their indices in the list.
#[derive(Default)]
struct PositionJobs {
    queue: VecDeque<usize>,
    groups: BTreeMap<LeaseNumber, PositionGroup>,
    is_stopped: bool,
}

/// Positions leased to one thread.
struct PositionGroup {
    thread: ThreadId,
    /// The time at which the thread began the current position.
    since: Duration,
    is_preempted: bool,
}

impl<P> Dispatcher<P> {
    /// Adds positions to solve, given by their indices in a list.
    pub fn add_positions(&mut self, positions: impl IntoIterator<Item = usize>) {
        self.positions.queue.extend(positions);
    }

    /// Returns `true` if every position is solved or was preempted; after a stop, if no thread is
    /// searching one.
    pub fn positions_are_done(&self) -> bool {
        self.positions.queue.is_empty() && self.positions.groups.is_empty()
    }

    /// Gives an idle thread the next group.
    fn next_positions(&mut self, now: Duration) -> Option<Action<P>> {
        if self.positions.queue.is_empty() {
            return None;
        }
        let thread = self.ranks.free_thread()?;
        let lease = self.new_lease();
        let queue = &mut self.positions.queue;
        let count = (queue.len() / (GROUP_DIVISOR * self.ranks.all_threads())).clamp(1, MAX_GROUP);
        let positions = queue.drain(..count).collect();
        self.ranks.reserve(thread);
        self.positions.groups.insert(
            lease,
            PositionGroup {
                thread,
                since: now,
                is_preempted: false,
            },
        );
        let (rank, thread) = thread;
        Some(Action {
            lease,
            rank,
            command: LeaseCommand::Solve { thread, positions },
        })
    }

    /// Preempts the longest search of a position if threads are idle, one search at a time.
    fn preempt(&mut self, now: Duration) -> Option<Action<P>> {
        let groups = &mut self.positions.groups;
        if self.ranks.free_thread().is_none() || groups.values().any(|group| group.is_preempted) {
            return None;
        }
        let (&lease, group) = groups.iter_mut().min_by_key(|(_, group)| group.since)?;
        group.is_preempted = now.saturating_sub(group.since) > PREEMPT_AFTER;
        group.is_preempted.then_some(Action {
            lease,
            rank: group.thread.0,
            command: LeaseCommand::Stop,
        })
    }

    /// Records that a position of this lease is solved; its thread begins the next one.
    pub fn position_solved(&mut self, now: Duration, lease: LeaseNumber) {
        self.positions
            .groups
            .get_mut(&lease)
            .into_iter()
            .for_each(|group| group.since = now);
    }

    /// Records the end of a lease of positions, and queues the positions `not_begun` again, except
    /// after a stop. Returns the time since the thread began its current position.
    ///
    /// # Panics
    /// Panics if the lease had ended before.
    pub fn positions_returned(
        &mut self,
        now: Duration,
        lease: LeaseNumber,
        not_begun: Vec<usize>,
    ) -> Duration {
        let PositionGroup { thread, since, .. } = self
            .positions
            .groups
            .remove(&lease)
            .expect("a lease ends once");
        self.ranks.release(thread);
        if !self.positions.is_stopped {
            not_begun
                .into_iter()
                .rev()
                .for_each(|position| self.positions.queue.push_front(position));
        }
        now.saturating_sub(since)
    }

    /// Stops the search of all positions, and leases no more positions.
    pub fn stop_positions(&mut self) -> Vec<Action<P>> {
        self.positions.queue.clear();
        self.positions.is_stopped = true;
        let stop = |(&lease, &PositionGroup { thread, .. }): (_, &_)| Action {
            lease,
            rank: thread.0,
            command: LeaseCommand::Stop,
        };
        self.positions.groups.iter().map(stop).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);
    const TENTH: Duration = Duration::from_millis(100);

    /// Returns a dispatcher of these ranks at the beginning of an iteration of `tasks` equal tasks.
    fn dispatcher(threads: &[usize], tasks: u64, expected: Option<Duration>) -> Dispatcher<()> {
        let mut dispatcher = Dispatcher::new(threads);
        let work_before = (0..=tasks).map(|task| 1000 * task).collect();
        dispatcher.begin(work_before, VecDeque::new(), expected);
        dispatcher
    }

    /// Returns the leases that are given at this time: the number and the rank of each, and its
    /// tasks or positions.
    fn leases(dispatcher: &mut Dispatcher<()>, now: Duration) -> Vec<(u64, usize, Vec<usize>)> {
        let given = std::iter::from_fn(|| dispatcher.next_lease(now));
        let described = given.map(|action| match action.command {
            LeaseCommand::Search(indices)
            | LeaseCommand::Solve {
                positions: indices, ..
            } => (action.lease, action.rank, indices),
            command => panic!("{command:?}"),
        });
        described.collect()
    }

    #[test]
    fn a_short_iteration_is_dealt_out_whole() {
        let mut short = dispatcher(&[1, 3], 10, Some(TENTH));
        let leases_of_short = leases(&mut short, Duration::ZERO);
        let dealt = [(1, 0, vec![0, 4, 8]), (2, 1, vec![1, 2, 3, 5, 6, 7, 9])];
        assert_eq!(leases_of_short, dealt);
        assert!(!short.iteration_is_over());
        for (lease, ..) in dealt {
            short.done(MILLISECOND, lease, MILLISECOND, true);
        }
        assert!(short.iteration_is_over());
        // A very short iteration is dealt only to the first ranks.
        let mut shorter = dispatcher(&[2, 2, 2], 600, Some(MILLISECOND / 4));
        let ranks = leases(&mut shorter, Duration::ZERO);
        assert!(ranks.into_iter().map(|(_, rank, _)| rank).eq([0, 1]));
    }

    #[test]
    fn every_task_of_a_long_iteration_is_leased_once() {
        for expected in [None, Some(60_000 * MILLISECOND)] {
            let mut dispatcher = dispatcher(&[2, 5, 1], 40_000, expected);
            let mut leased = Vec::new();
            let mut now = Duration::ZERO;
            let mut waiting = VecDeque::from(leases(&mut dispatcher, now));
            while let Some((lease, _, tasks)) = waiting.pop_front() {
                now += MILLISECOND;
                dispatcher.done(now, lease, tasks.len() as u32 * MILLISECOND, true);
                waiting.extend(leases(&mut dispatcher, now));
                leased.extend(tasks);
            }
            assert!(dispatcher.iteration_is_over());
            leased.sort_unstable();
            assert!(leased.into_iter().eq(0..40_000));
        }
    }

    #[test]
    fn tasks_that_were_never_leased_are_returned() {
        let mut dispatcher = dispatcher(&[2, 2], 10, Some(TENTH));
        let lease = dispatcher.next_lease(Duration::ZERO).unwrap();
        dispatcher.stop();
        assert!(dispatcher.next_lease(Duration::ZERO).is_none());
        dispatcher.done(MILLISECOND, lease.lease, MILLISECOND, false);
        assert!(dispatcher.iteration_is_over());
        assert_eq!(dispatcher.take_unleased().0, [2, 3, 6, 7]);
    }

    #[test]
    fn a_rank_without_a_free_thread_gets_no_lease() {
        let mut dispatcher = dispatcher(&[1, 2], 9, Some(TENTH));
        let (reservation, thread) = dispatcher.reserve(0).unwrap();
        assert_eq!((thread, dispatcher.reserve(0)), (0, None));
        let all = (0..9).collect();
        assert_eq!(leases(&mut dispatcher, Duration::ZERO), [(2, 1, all)]);
        assert!(!dispatcher.is_running_out());
        dispatcher.done(MILLISECOND, reservation, MILLISECOND, true);
        assert!(dispatcher.is_running_out());
        let requests = dispatcher.requests(TENTH);
        let [Action { rank, command, .. }] = &requests[..] else {
            panic!("{requests:?}")
        };
        assert!(*rank == 1 && matches!(command, LeaseCommand::Share));
    }

    #[test]
    fn free_threads_solve_positions() {
        let mut dispatcher: Dispatcher<()> = Dispatcher::new(&[2, 1]);
        dispatcher.add_positions(0..4);
        let given = leases(&mut dispatcher, Duration::ZERO);
        assert_eq!(given, [(1, 0, vec![0]), (2, 1, vec![1]), (3, 0, vec![2])]);
        let spent = dispatcher.positions_returned(3 * MILLISECOND, 1, Vec::new());
        assert_eq!(spent, 3 * MILLISECOND);
        assert!(dispatcher.next_lease(Duration::ZERO).is_some());
        assert!(!dispatcher.positions_are_done());
    }

    #[test]
    fn positions_that_are_returned_after_a_stop_are_not_leased_again() {
        let mut dispatcher: Dispatcher<()> = Dispatcher::new(&[1, 1]);
        dispatcher.add_positions(0..64);
        let given = leases(&mut dispatcher, Duration::ZERO);
        assert_eq!(dispatcher.stop_positions().len(), 2);
        for (lease, _, positions) in given {
            assert!(!dispatcher.positions_are_done());
            dispatcher.positions_returned(MILLISECOND, lease, positions[1..].to_vec());
        }
        assert!(dispatcher.positions_are_done());
    }
}
