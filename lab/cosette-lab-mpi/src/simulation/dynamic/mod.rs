//! The dynamic split, as `cosette-mpi` has it: its own [dispatchers](cosette_mpi::dispatcher), that of the coordinator and those of
//! the ranks, driven over simulated messages in simulated time.
//!
//! The coordinator's loop is that of the real one:
//!
//! ```text
//! repeat: take all messages that have arrived, one at a time; if there are none, wait until the next poll
//!         give leases, one at a time, while there is work and a rank that has room for it
//!         ask as many leases to share as there are idle ranks
//! at the first solution that is wanted: stop all leases, and wait for their ends
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `piece` | some of the work of a threshold, which can be halved |
//! | `core` | a core and its piece |
//! | `rank` | a rank and its cores |

mod core;
mod piece;
mod rank;

use super::fixed::begin;
use super::load::{Nanos, Solve, Task};
use super::network::Network;
use cosette::cube::Metric;
use cosette::search::SolutionCount;
use cosette_mpi::dispatcher::{Action, Command, Dispatcher, LeaseNumber, expected_time};
use piece::Piece;
use rank::{Rank, Request};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Where messages wake the coordinator and the ranks, they still look this often.
const MAX_POLL_INTERVAL: Nanos = 1_000_000;

/// The outcome of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How long it took.
    pub time: Nanos,
    /// How long the coordinator was busy with messages.
    pub busy: Nanos,
    /// How long all cores together have searched.
    pub searched: Nanos,
}

/// Simulates a solve.
pub fn outcome(solve: &Solve, wanted: SolutionCount, network: &Network) -> Outcome {
    let mut all = Outcome { time: solve.serial + begin(solve, network), ..Outcome::default() };
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

/// A message from a rank to the coordinator.
enum Reply {
    Solution,
    Shared(LeaseNumber, Option<Piece>),
    /// The lease has ended, after the cores have searched it for this time together.
    Done(LeaseNumber, Nanos),
}

enum Event {
    /// A rank sees a request.
    Request(usize, Request),
    /// A core of a rank comes to an event that was scheduled when it had this version.
    Step(usize, usize, u64),
    /// A rank looks whether a piece has been searched for long.
    Turn(usize),
    /// A reply of a rank arrives.
    Reply(usize, Reply),
    /// The coordinator looks for messages, if nothing has woken it since this version.
    Poll(u64),
}

/// A threshold under way.
struct Simulation<'a> {
    tasks: &'a [Task],
    wanted: SolutionCount,
    network: &'a Network,
    ranks: Vec<Rank>,
    dispatcher: Dispatcher<Piece>,
    /// The coming events, the next one last; of events at the same time, the one scheduled first comes first.
    events: BTreeMap<Reverse<(Nanos, u64)>, Event>,
    /// How many events were scheduled.
    scheduled: u64,
    inbox: VecDeque<Reply>,
    /// Until when the coordinator is busy; then it looks for messages or waits.
    busy_until: Nanos,
    is_waiting: bool,
    polls: u64,
    is_solved: bool,
    outcome: Outcome,
}

impl<'a> Simulation<'a> {
    /// The threshold, which is expected to take one core this long.
    fn new(
        tasks: &'a [Task],
        wanted: SolutionCount,
        network: &'a Network,
        expected: Option<Duration>,
    ) -> Simulation<'a> {
        let sums = tasks.iter().scan(0, |sum, task| {
            *sum += task.work;
            Some(*sum)
        });
        let threads = network.ranks();
        let mut dispatcher = Dispatcher::new(&threads, network.sizes);
        dispatcher.begin(std::iter::once(0).chain(sums).collect(), VecDeque::new(), expected);
        Simulation {
            tasks,
            wanted,
            network,
            ranks: threads.into_iter().map(|threads| Rank::new(threads, network.hand_over)).collect(),
            dispatcher,
            events: BTreeMap::new(),
            scheduled: 0,
            inbox: VecDeque::new(),
            busy_until: 0,
            // It begins with leases.
            is_waiting: true,
            polls: 0,
            is_solved: false,
            outcome: Outcome::default(),
        }
    }

    fn run(mut self) -> Outcome {
        self.poll_at(0);
        while let Some((Reverse((time, _)), event)) = self.events.pop_last() {
            match event {
                Event::Poll(poll) if poll == self.polls => {
                    if self.turn(time) {
                        break;
                    }
                }
                // Something has woken the coordinator before.
                Event::Poll(_) => {}
                Event::Request(rank, request) => self.receive_request(time, rank, request),
                Event::Step(rank, core, version) => self.step(time, rank, core, version),
                Event::Turn(rank) => {
                    self.ranks[rank].wake();
                    self.turn_of_rank(time, rank);
                }
                Event::Reply(rank, reply) => {
                    self.inbox.push_back(reply);
                    // It waits for its own threads, and polls for the messages of others.
                    if self.is_waiting && (rank == 0 || self.network.wakes) {
                        self.poll_at(time.max(self.busy_until));
                    }
                }
            }
        }
        let searched = self.ranks.iter().map(Rank::searched).sum();
        Outcome { time: self.busy_until, searched, ..self.outcome }
    }

    fn schedule(&mut self, time: Nanos, event: Event) {
        self.scheduled += 1;
        self.events.insert(Reverse((time, self.scheduled)), event);
    }

    /// The coordinator looks for messages at this time, unless something wakes it before.
    fn poll_at(&mut self, time: Nanos) {
        self.polls += 1;
        self.schedule(time, Event::Poll(self.polls));
    }

    /// The coordinator's loop, once; whether the threshold is over.
    fn turn(&mut self, time: Nanos) -> bool {
        let has_waited = std::mem::take(&mut self.is_waiting);
        if self.inbox.is_empty() && !has_waited {
            self.is_waiting = true;
            let waits = self.dispatcher.has_idle_ranks() || self.ranks[0].waits();
            self.poll_at(time + self.sleeps(waits));
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
        requests.into_iter().for_each(|request| self.perform(request));
        self.poll_at(self.busy_until);
        self.dispatcher.is_over()
    }

    /// How long the coordinator or a rank sleeps, unless something wakes it.
    fn sleeps(&self, waits: bool) -> Nanos {
        match self.network.interval(waits) {
            0 => MAX_POLL_INTERVAL,
            interval => interval,
        }
    }

    fn now(&self) -> Duration {
        Duration::from_nanos(self.busy_until)
    }

    /// A message keeps the coordinator busy.
    fn serve(&mut self) {
        self.busy_until += self.network.service;
        self.outcome.busy += self.network.service;
    }

    fn receive_reply(&mut self, reply: Reply) {
        let now = self.now();
        match reply {
            Reply::Solution if self.is_solved => {}
            Reply::Solution => {
                self.is_solved = true;
                let stops = self.dispatcher.stop();
                stops.into_iter().for_each(|stop| self.perform(stop));
            }
            Reply::Shared(lease, piece) => self.dispatcher.shared(now, lease, piece),
            Reply::Done(lease, took) => self.dispatcher.done(now, lease, Duration::from_nanos(took), !self.is_solved),
        }
    }

    fn perform(&mut self, Action { lease, rank, command }: Action<Piece>) {
        let request = match command {
            Command::Search(places) => Request::Search(lease, Piece::of(self.tasks, &places)),
            Command::SearchShared(piece) => Request::Search(lease, piece),
            Command::Share => Request::Share(lease),
            Command::Stop => Request::Stop(lease),
            Command::Solve { .. } => unreachable!("only one position is simulated"),
        };
        self.serve();
        let seen = self.network.request_seen(rank, self.busy_until, self.ranks[rank].waits());
        self.schedule(seen, Event::Request(rank, request));
    }

    fn receive_request(&mut self, time: Nanos, rank: usize, request: Request) {
        self.ranks[rank].take(time, request);
        self.turn_of_rank(time, rank);
    }

    /// A core comes to a scheduled event, unless something has come before.
    fn step(&mut self, time: Nanos, rank: usize, core: usize, version: u64) {
        if self.ranks[rank].step(time, (core, version), (self.tasks, self.wanted == SolutionCount::ONE)) {
            self.turn_of_rank(time, rank);
        }
    }

    /// A rank gives its idle cores something to do, and replies to the coordinator.
    fn turn_of_rank(&mut self, time: Nanos, rank: usize) {
        let waits = self.ranks[rank].hand_out(time);
        if waits {
            self.schedule(time + self.sleeps(true), Event::Turn(rank));
        }
        let arrives = self.network.reply_arrives(rank, time);
        for reply in std::mem::take(&mut self.ranks[rank].replies) {
            self.schedule(arrives, Event::Reply(rank, reply));
        }
        for (core, at, version) in self.ranks[rank].changed(self.tasks, self.wanted == SolutionCount::ONE) {
            self.schedule(at, Event::Step(rank, core, version));
        }
    }
}

#[cfg(test)]
mod tests;
