//! The dynamic split, as `cosette-mpi` has it: its own [dispatcher](cosette_mpi::dispatcher), driven over simulated messages in
//! simulated time.
//!
//! The coordinator's loop is that of the real one:
//!
//! ```text
//! repeat: take all messages that have arrived, one at a time; if there are none, wait until the next poll
//!         give leases, one at a time, while there is work and a worker that has room for it
//!         ask as many leases to share as there are idle workers
//! at the first solution that is wanted: stop all leases, and wait for their ends
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `piece` | some of the work of a threshold, which can be halved |
//! | `core` | a core and its leases |

mod core;
mod piece;

use super::load::{Nanos, SolutionCount, Solve, Task};
use super::network::Network;
use core::{Core, Next};
use cosette::cube::Metric;
use cosette_mpi::dispatcher::{Action, Command, Dispatcher, LeaseNumber, expected_time};
use piece::Piece;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The coordinator polls at least this often, even if messages wake it.
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
    // All ranks are told the position one after the other, and cut it into root tasks; the first did so before.
    let told = (network.cores as Nanos - 1) * network.service.message + solve.cut;
    let others = if network.cores == 1 || solve.thresholds.is_empty() { 0 } else { told };
    let mut all = Outcome { time: solve.serial + others, ..Outcome::default() };
    let mut expected = None;
    for (tasks, length) in solve.thresholds.iter().zip(0..) {
        let threshold = Simulation::new(tasks, wanted, network, expected).run();
        // Traces are in half turns.
        expected = expected_time((length, Duration::from_nanos(threshold.searched)), length + 1, Metric::Htm);
        all.time += threshold.time;
        all.busy += threshold.busy;
        all.searched += threshold.searched;
    }
    all
}

/// A message from the coordinator to a core.
enum Request {
    Search(LeaseNumber, Piece),
    Share(LeaseNumber),
    Stop(LeaseNumber),
}

/// A message from a core to the coordinator.
enum Reply {
    Solution,
    Shared(LeaseNumber, Piece),
    /// The lease has ended, after the core has searched it for this time.
    Done(LeaseNumber, Nanos),
}

enum Event {
    /// A core sees a request.
    Request(usize, Request),
    /// A core comes to an event that was scheduled when it had this version.
    Step(usize, u64),
    /// A reply of a core arrives.
    Reply(usize, Reply),
    /// The coordinator looks for messages, if nothing has woken it since this version.
    Poll(u64),
}

/// A threshold under way.
struct Simulation<'a> {
    tasks: &'a [Task],
    wanted: SolutionCount,
    network: &'a Network,
    cores: Vec<Core>,
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
        let mut dispatcher = Dispatcher::new(network.cores, network.sizes);
        dispatcher.begin(std::iter::once(0).chain(sums).collect(), VecDeque::new(), expected);
        Simulation {
            tasks,
            wanted,
            network,
            cores: (0..network.cores).map(|_| Core::default()).collect(),
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
                Event::Request(core, request) => self.receive_request(time, core, request),
                Event::Step(core, version) if version == self.cores[core].version => self.step(time, core),
                Event::Step(..) => {}
                Event::Reply(core, reply) => {
                    self.inbox.push_back(reply);
                    // It waits for its own threads, and polls for the messages of others.
                    if self.is_waiting && (core == 0 || self.network.poll_interval == 0) {
                        self.poll_at(time.max(self.busy_until));
                    }
                }
            }
        }
        let searched = self.cores.iter().map(|core| core.searched).sum();
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
            self.poll_at(time + self.network.poll_interval.max(MAX_POLL_INTERVAL));
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

    fn now(&self) -> Duration {
        Duration::from_nanos(self.busy_until)
    }

    /// A message keeps the coordinator busy.
    fn serve(&mut self) {
        let service = self.network.service.with(self.network.cores);
        self.busy_until += service;
        self.outcome.busy += service;
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
            Reply::Shared(lease, piece) => {
                self.dispatcher.shared(now, lease, Some(piece).filter(|piece| !piece.is_empty()));
            }
            Reply::Done(lease, took) => self.dispatcher.done(now, lease, Duration::from_nanos(took), !self.is_solved),
        }
    }

    fn perform(&mut self, Action { lease, worker, command }: Action<Piece>) {
        let request = match command {
            Command::Search(range) => Request::Search(lease, Piece::of(self.tasks, range)),
            Command::SearchShared(piece) => Request::Search(lease, piece),
            Command::Share => Request::Share(lease),
            Command::Stop => Request::Stop(lease),
            Command::Solve(_) => unreachable!("only one position is simulated"),
        };
        self.serve();
        self.schedule(self.network.request_seen(worker, self.busy_until), Event::Request(worker, request));
    }

    fn reply(&mut self, time: Nanos, core: usize, reply: Reply) {
        self.schedule(self.network.reply_arrives(core, time), Event::Reply(core, reply));
    }

    fn receive_request(&mut self, time: Nanos, core: usize, request: Request) {
        let before = self.cores[core].version;
        match request {
            Request::Search(lease, piece) => self.cores[core].take(time, lease, piece),
            Request::Share(lease) => {
                if let Some(piece) = self.cores[core].share(time, lease) {
                    self.reply(time, core, Reply::Shared(lease, piece));
                }
            }
            Request::Stop(lease) => {
                if self.cores[core].stop(time, lease) {
                    self.reply(time, core, Reply::Done(lease, 0));
                }
            }
        }
        if self.cores[core].version != before {
            self.schedule_step(core);
        }
    }

    fn schedule_step(&mut self, core: usize) {
        let next = self.cores[core].next(self.tasks, self.wanted == SolutionCount::One);
        next.into_iter().for_each(|(time, _)| self.schedule(time, Event::Step(core, self.cores[core].version)));
    }

    /// A core comes to a scheduled event.
    fn step(&mut self, time: Nanos, core: usize) {
        match self.cores[core].next(self.tasks, self.wanted == SolutionCount::One) {
            Some((_, Next::Solution)) => {
                self.cores[core].is_reported = true;
                self.reply(time, core, Reply::Solution);
            }
            Some((_, Next::End(lease))) => {
                let (took, given) = self.cores[core].end(time);
                self.reply(time, core, Reply::Done(lease, took));
                given.into_iter().for_each(|(lease, piece)| self.reply(time, core, Reply::Shared(lease, piece)));
            }
            None => {}
        }
        self.schedule_step(core);
    }
}

#[cfg(test)]
mod tests;
