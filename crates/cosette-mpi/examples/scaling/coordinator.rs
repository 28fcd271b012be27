//! The dynamic split of `cosette-mpi`: its own [dispatchers](cosette_mpi::dispatcher), that of the
//! coordinator and those of the ranks, driven over simulated messages in simulated time.
//!
//! The coordinator's loop is that of the real one:
//!
//! ```text
//! repeat: take all messages that have arrived, one at a time, or else wait until the next poll
//!         give leases, one at a time, while there is work and a rank that has room for it
//!         ask as many leases to share as there are idle ranks
//! at the first solution that is wanted: stop all leases, and wait for their ends
//! ```

use crate::model::{Nanos, Network, SimulatedTask, Solve};
use crate::rank::{CoreReply, SimulatedRank, TaskSpans};
use cosette::cube::Metric;
use cosette::search::SolutionCount;
use cosette_mpi::dispatcher::{Action, Dispatcher, LeaseCommand, LeaseNumber, expected_time};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The outcome of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SimulatedSolve {
    /// Elapsed time.
    pub time: Nanos,
    /// Time that the coordinator was busy with messages.
    pub busy: Nanos,
    /// Total search time of all cores.
    pub searched: Nanos,
}

/// Simulates a solve.
pub fn outcome(solve: &Solve, wanted: SolutionCount, network: &Network) -> SimulatedSolve {
    let mut all = SimulatedSolve {
        time: solve.serial + network.begin(solve),
        ..SimulatedSolve::default()
    };
    let mut before = solve.before;
    for (tasks, length) in solve.thresholds.iter().zip(1..) {
        // Traces are in half turns.
        let took = before.map(Duration::from_nanos);
        let expected = took.and_then(|took| expected_time((length - 1, took), length, Metric::Htm));
        let threshold = Simulation::new(tasks, wanted, network, expected).run();
        before = Some(threshold.searched);
        all.time += threshold.time;
        all.busy += threshold.busy;
        all.searched += threshold.searched;
    }
    all
}

enum SimulatedEvent {
    /// A rank sees what the coordinator has sent for a lease.
    Command(usize, LeaseNumber, LeaseCommand<TaskSpans>),
    /// A core of a rank comes to an event that was scheduled when it had this version.
    Step(usize, usize, u64),
    /// A rank checks for a piece that has been searched for long.
    Turn(usize),
    /// A reply of a rank arrives.
    Reply(usize, CoreReply),
    /// The coordinator polls for messages, if nothing has woken it since this version.
    Poll(u64),
}

/// A running threshold.
struct Simulation<'a> {
    network: &'a Network,
    ranks: Vec<SimulatedRank<'a>>,
    dispatcher: Dispatcher<TaskSpans>,
    /// The coming events, the next one last; of events at the same time, the one scheduled first
    /// comes first.
    events: BTreeMap<Reverse<(Nanos, u64)>, SimulatedEvent>,
    /// Number of scheduled events.
    scheduled: u64,
    inbox: VecDeque<CoreReply>,
    /// The time until which the coordinator is busy; then it polls for messages or waits.
    busy_until: Nanos,
    is_waiting: bool,
    polls: u64,
    is_solved: bool,
    outcome: SimulatedSolve,
}

impl<'a> Simulation<'a> {
    /// Creates a threshold with this expected time of one core.
    fn new(
        tasks: &'a [SimulatedTask],
        wanted: SolutionCount,
        network: &'a Network,
        expected: Option<Duration>,
    ) -> Simulation<'a> {
        let sums = tasks.iter().scan(0, |sum, task| {
            *sum += task.work;
            Some(*sum)
        });
        let threads = network.ranks();
        let mut dispatcher = Dispatcher::new(&threads);
        dispatcher.begin(
            std::iter::once(0).chain(sums).collect(),
            VecDeque::new(),
            expected,
        );
        let reports = wanted == SolutionCount::ONE;
        let rank = |threads| SimulatedRank::new(tasks, reports, threads, network.hand_over);
        Simulation {
            network,
            ranks: threads.into_iter().map(rank).collect(),
            dispatcher,
            events: BTreeMap::new(),
            scheduled: 0,
            inbox: VecDeque::new(),
            busy_until: 0,
            // The loop begins with leases.
            is_waiting: true,
            polls: 0,
            is_solved: false,
            outcome: SimulatedSolve::default(),
        }
    }

    fn run(mut self) -> SimulatedSolve {
        self.poll_at(0);
        while let Some((Reverse((time, _)), event)) = self.events.pop_last() {
            match event {
                SimulatedEvent::Poll(poll) if poll == self.polls => {
                    if self.turn(time) {
                        break;
                    }
                }
                // The coordinator was woken before.
                SimulatedEvent::Poll(_) => {}
                SimulatedEvent::Command(rank, lease, command) => {
                    self.ranks[rank].take(time, lease, command);
                    self.turn_of_rank(time, rank);
                }
                SimulatedEvent::Step(rank, core, version) => {
                    // Something may have come before.
                    if self.ranks[rank].step(time, core, version) {
                        self.turn_of_rank(time, rank);
                    }
                }
                SimulatedEvent::Turn(rank) => {
                    self.ranks[rank].wake();
                    self.turn_of_rank(time, rank);
                }
                SimulatedEvent::Reply(rank, reply) => {
                    self.inbox.push_back(reply);
                    // Rank 0 waits for its own threads, and polls for the messages of others.
                    if self.is_waiting && rank == 0 {
                        self.poll_at(time.max(self.busy_until));
                    }
                }
            }
        }
        let searched = self.ranks.iter().map(SimulatedRank::searched).sum();
        SimulatedSolve {
            time: self.busy_until,
            searched,
            ..self.outcome
        }
    }

    fn schedule(&mut self, time: Nanos, event: SimulatedEvent) {
        self.scheduled += 1;
        self.events.insert(Reverse((time, self.scheduled)), event);
    }

    /// Schedules a poll of the coordinator at this time, unless something wakes it before.
    fn poll_at(&mut self, time: Nanos) {
        self.polls += 1;
        self.schedule(time, SimulatedEvent::Poll(self.polls));
    }

    /// Runs the coordinator's loop once; returns `true` if the threshold is over.
    fn turn(&mut self, time: Nanos) -> bool {
        let has_waited = std::mem::take(&mut self.is_waiting);
        if self.inbox.is_empty() && !has_waited {
            self.is_waiting = true;
            let waits = self.dispatcher.has_idle_ranks() || self.ranks[0].waits();
            self.poll_at(time + self.network.interval(waits));
            return false;
        }
        self.busy_until = time;
        for reply in std::mem::take(&mut self.inbox) {
            self.serve();
            self.receive_reply(reply);
        }
        while let Some(lease) = self.dispatcher.next_lease(self.now()) {
            self.perform(lease);
        }
        let requests = self.dispatcher.requests(self.now());
        requests
            .into_iter()
            .for_each(|request| self.perform(request));
        self.poll_at(self.busy_until);
        self.dispatcher.iteration_is_over()
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(self.busy_until)
    }

    /// A message keeps the coordinator busy.
    fn serve(&mut self) {
        self.busy_until += self.network.service;
        self.outcome.busy += self.network.service;
    }

    fn receive_reply(&mut self, reply: CoreReply) {
        let now = self.now();
        match reply {
            CoreReply::Solution if self.is_solved => {}
            CoreReply::Solution => {
                self.is_solved = true;
                let stops = self.dispatcher.stop();
                stops.into_iter().for_each(|stop| self.perform(stop));
            }
            CoreReply::Shared(lease, piece) => self.dispatcher.shared(now, lease, piece),
            CoreReply::Done(lease, took) => {
                self.dispatcher
                    .done(now, lease, Duration::from_nanos(took), !self.is_solved)
            }
        }
    }

    fn perform(
        &mut self,
        Action {
            lease,
            rank,
            command,
        }: Action<TaskSpans>,
    ) {
        self.serve();
        let seen = self
            .network
            .request_seen(rank, self.busy_until, self.ranks[rank].waits());
        self.schedule(seen, SimulatedEvent::Command(rank, lease, command));
    }

    /// Lets a rank assign work to its idle cores, and reply to the coordinator.
    fn turn_of_rank(&mut self, time: Nanos, rank: usize) {
        let waits = self.ranks[rank].hand_out(time);
        if waits {
            self.schedule(
                time + self.network.interval(true),
                SimulatedEvent::Turn(rank),
            );
        }
        let arrives = self.network.reply_arrives(rank, time);
        for reply in std::mem::take(&mut self.ranks[rank].replies) {
            self.schedule(arrives, SimulatedEvent::Reply(rank, reply));
        }
        for (core, at, version) in self.ranks[rank].changed() {
            self.schedule(at, SimulatedEvent::Step(rank, core, version));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    /// A solve of tasks with these costs, predicted exactly.
    fn solve(thresholds: &[&[Nanos]]) -> Solve {
        let task = |&cost: &Nanos| SimulatedTask {
            cost,
            work: cost,
            solution: None,
        };
        let tasks = |costs: &&[Nanos]| costs.iter().map(task).collect();
        Solve {
            thresholds: thresholds.iter().map(tasks).collect(),
            ..Solve::default()
        }
    }

    /// Cores whose messages arrive at once.
    fn ideal(cores: usize, threads: usize) -> Network {
        Network {
            service: 0,
            hand_over: 0,
            ..Network::new(cores, threads, 0)
        }
    }

    #[test]
    fn every_task_is_searched_once() {
        // Tasks of many sizes, up to some hundred times the least.
        let costs: Vec<Nanos> = (0..3_000).map(|task| 30_000 << (task * 7 % 8)).collect();
        let solve = solve(&[&costs[..40], &costs]);
        let alone = solve.by_one_thread(SolutionCount::All);
        for cores in [1, 2, 3, 8, 64, 500] {
            for network in [
                ideal(cores, 1),
                ideal(cores, 7),
                Network::new(cores, 1, 100_000),
                Network::new(cores, 64, 100_000),
            ] {
                let outcome = outcome(&solve, SolutionCount::All, &network);
                assert_eq!(outcome.searched, alone, "{cores} cores");
                assert!(outcome.time * cores as u64 >= alone, "{cores} cores");
                let fixed = solve.by_static_split(SolutionCount::All, &network);
                assert!(fixed * cores as u64 >= alone, "{cores} cores");
            }
        }
        let time = outcome(&solve, SolutionCount::All, &ideal(1, 1)).time;
        assert_eq!(time, alone);
    }

    #[test]
    fn a_single_large_task_is_shared() {
        let solve = solve(&[&[8 * SECOND]]);
        let time = outcome(&solve, SolutionCount::All, &Network::new(8, 2, 100_000)).time;
        assert!(time < 12 * SECOND / 10, "{time} ns");
    }

    #[test]
    fn the_first_solution_ends_it() {
        let mut solve = solve(&[&vec![1_000_000; 10_000]]);
        solve.thresholds[0][2_000].solution = Some(500_000);
        let alone = outcome(&solve, SolutionCount::ONE, &ideal(1, 1));
        assert_eq!(alone.time, 2_000_500_000);
        let ours = outcome(&solve, SolutionCount::ONE, &Network::new(8, 1, 100_000));
        // Leases that hold later tasks are searched at the same time.
        assert!((240_000_000..400_000_000).contains(&ours.time), "{ours:?}");
        assert!(ours.searched < 4 * SECOND, "{ours:?}");
    }
}
