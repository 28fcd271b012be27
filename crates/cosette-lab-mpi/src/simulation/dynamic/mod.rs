//! The dynamic split, as `cosette-mpi` has it: leases from a lead, two for each thread, and the remainder of long ones shared.
//!
//! The sizes of leases, when to ask whom to share, and how many leases a thread has are taken from the crew itself. The lead
//! does its loop as there, in simulated time:
//!
//! ```text
//! repeat: take all messages that have come, one at a time; where there are none, nap
//!         lease, one at a time, while there is something to lease and a thread that has room for it
//!         ask as many to share as are idle
//! at the first solution that is wanted: call all leases back, and wait for their ends
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `piece` | some of the work of a threshold, which can be halved |
//! | `core` | a core and its leases |
//! | `round` | what the lead knows |
//! | `events` | what is to happen, in the order of time |

mod core;
mod events;
mod piece;
mod round;

use super::load::{Nanos, SolutionCount, Solve, Task};
use super::network::Network;
use core::{Core, Next};
use cosette::cube::Metric;
use cosette_mpi::policy::LEASES;
use events::{Answer, Event, Events, Order};
use round::Round;
use std::collections::{BTreeSet, VecDeque};
use std::ops::AddAssign;

/// The lead looks around now and then even where messages wake it.
const LONGEST_NAP: Nanos = 1_000_000;

/// What came of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// How long it took.
    pub time: Nanos,
    /// How long the lead was busy with messages.
    pub busy: Nanos,
    /// How many messages the lead has sent and received.
    pub messages: u64,
    /// How long all cores together have searched.
    pub searched: Nanos,
}

impl AddAssign for Outcome {
    fn add_assign(&mut self, other: Outcome) {
        self.time += other.time;
        self.busy += other.busy;
        self.messages += other.messages;
        self.searched += other.searched;
    }
}

/// What comes of a solve.
pub fn outcome(solve: &Solve, wanted: SolutionCount, network: &Network) -> Outcome {
    // All ranks hear of the position one after the other, and cut it into root tasks; the lead has done so once before.
    let told = (network.cores as Nanos - 1) * network.service.message + solve.cut;
    let others = if network.cores == 1 || solve.thresholds.is_empty() { 0 } else { told };
    let mut all = Outcome { time: solve.serial + others, ..Outcome::default() };
    // Traces are in half turns.
    let mut expected = None;
    for tasks in &solve.thresholds {
        let threshold = Play::new(tasks, wanted, network, expected).run();
        expected = Some((threshold.searched as f64 * Metric::Htm.growth()) as Nanos);
        all += threshold;
    }
    all
}

/// A threshold under way.
struct Play<'a> {
    tasks: &'a [Task],
    wanted: SolutionCount,
    network: &'a Network,
    events: Events,
    cores: Vec<Core>,
    round: Round<'a>,
    /// The threads by how many leases they have.
    by_leases: BTreeSet<(usize, usize)>,
    leases_of: Vec<usize>,
    inbox: VecDeque<Answer>,
    /// Until when the lead is busy; then it looks for messages or naps.
    busy_until: Nanos,
    is_napping: bool,
    looks: u64,
    is_solved: bool,
    outcome: Outcome,
}

impl<'a> Play<'a> {
    /// The threshold, which is expected to take one core so long.
    fn new(tasks: &'a [Task], wanted: SolutionCount, network: &'a Network, expected: Option<Nanos>) -> Play<'a> {
        Play {
            tasks,
            wanted,
            network,
            events: Events::default(),
            cores: (0..network.cores).map(|_| Core::default()).collect(),
            round: Round::new(tasks, network.cores, network.sizes, expected),
            by_leases: (0..network.cores).map(|thread| (0, thread)).collect(),
            leases_of: vec![0; network.cores],
            inbox: VecDeque::new(),
            busy_until: 0,
            // It begins with leases, not with a nap.
            is_napping: true,
            looks: 0,
            is_solved: false,
            outcome: Outcome::default(),
        }
    }

    fn run(mut self) -> Outcome {
        self.look_at(0);
        while let Some((time, event)) = self.events.next() {
            match event {
                Event::Look(look) if look == self.looks => {
                    if self.turn(time) {
                        break;
                    }
                }
                // Something has woken the lead before.
                Event::Look(_) => {}
                Event::Order(core, order) => self.obey(time, core, order),
                Event::Step(core, version) if version == self.cores[core].version => self.step(time, core),
                Event::Step(..) => {}
                Event::Answer(core, answer) => {
                    self.inbox.push_back(answer);
                    // It waits for its own threads, and looks for the messages of others only after a nap.
                    if self.is_napping && (core == 0 || self.network.nap == 0) {
                        self.look_at(time.max(self.busy_until));
                    }
                }
            }
        }
        let searched = self.cores.iter().map(|core| core.searched).sum();
        Outcome { time: self.busy_until, searched, ..self.outcome }
    }

    /// The lead looks for messages at this time, unless something wakes it before.
    fn look_at(&mut self, time: Nanos) {
        self.looks += 1;
        self.events.add(time, Event::Look(self.looks));
    }

    /// The lead's loop, once; whether the threshold is over.
    fn turn(&mut self, time: Nanos) -> bool {
        let has_napped = std::mem::take(&mut self.is_napping);
        if self.inbox.is_empty() && !has_napped {
            self.is_napping = true;
            self.look_at(time + self.network.nap.max(LONGEST_NAP));
            return false;
        }
        self.busy_until = time;
        for answer in std::mem::take(&mut self.inbox) {
            self.serve();
            self.hear(answer);
        }
        if !self.is_solved {
            self.lease_all();
            self.ask_to_share();
        }
        self.look_at(self.busy_until);
        !self.round.has_leases() && (self.is_solved || self.round.is_over())
    }

    /// A message takes the lead so long.
    fn serve(&mut self) {
        let service = self.network.service.with(self.network.cores);
        self.busy_until += service;
        self.outcome.busy += service;
        self.outcome.messages += 1;
    }

    fn hear(&mut self, answer: Answer) {
        let now = self.busy_until;
        match answer {
            Answer::Solution if self.is_solved => {}
            Answer::Solution => self.call_all_back(),
            Answer::Shared(lease, piece) => self.round.shared(now, lease, piece),
            Answer::Done(lease, took) => {
                let thread = self.round.done(now, lease, took);
                self.change_leases(thread, |leases| leases - 1);
            }
        }
    }

    fn change_leases(&mut self, thread: usize, change: impl Fn(usize) -> usize) {
        self.by_leases.remove(&(self.leases_of[thread], thread));
        self.leases_of[thread] = change(self.leases_of[thread]);
        self.by_leases.insert((self.leases_of[thread], thread));
    }

    fn call_all_back(&mut self) {
        self.is_solved = true;
        let leases: Vec<_> = self.round.leases().collect();
        for lease in leases {
            self.tell(self.round.thread_of(lease), Order::CallBack(lease));
        }
    }

    fn lease_all(&mut self) {
        loop {
            let room = match (self.round.has_tasks(), self.round.has_shared()) {
                (false, false) => return,
                (false, true) => 1,
                _ => LEASES,
            };
            let Some(&(leases, thread)) = self.by_leases.first().filter(|(leases, _)| *leases < room) else { return };
            let (lease, piece) = self.round.lease(self.busy_until, thread);
            self.change_leases(thread, |_| leases + 1);
            self.tell(thread, Order::Search(lease, piece));
        }
    }

    fn ask_to_share(&mut self) {
        let idle = self.by_leases.iter().take_while(|(leases, _)| *leases == 0).count();
        for lease in self.round.asked_to_share(self.busy_until, idle) {
            self.tell(self.round.thread_of(lease), Order::Share(lease));
        }
    }

    fn tell(&mut self, core: usize, order: Order) {
        self.serve();
        self.events.add(self.network.order_seen(core, self.busy_until), Event::Order(core, order));
    }

    fn answer(&mut self, time: Nanos, core: usize, answer: Answer) {
        self.events.add(self.network.answer_comes(core, time), Event::Answer(core, answer));
    }

    fn obey(&mut self, time: Nanos, core: usize, order: Order) {
        let before = self.cores[core].version;
        match order {
            Order::Search(lease, piece) => self.cores[core].take(time, lease, piece),
            Order::Share(lease) => {
                if let Some(piece) = self.cores[core].share(time, lease) {
                    self.answer(time, core, Answer::Shared(lease, piece));
                }
            }
            Order::CallBack(lease) => {
                if self.cores[core].call_back(time, lease) {
                    self.answer(time, core, Answer::Done(lease, 0));
                }
            }
        }
        if self.cores[core].version != before {
            self.foresee(core);
        }
    }

    fn foresee(&mut self, core: usize) {
        let next = self.cores[core].next(self.tasks, self.wanted == SolutionCount::One);
        next.into_iter().for_each(|(time, _)| self.events.add(time, Event::Step(core, self.cores[core].version)));
    }

    /// A core comes to what was foreseen.
    fn step(&mut self, time: Nanos, core: usize) {
        match self.cores[core].next(self.tasks, self.wanted == SolutionCount::One) {
            Some((_, Next::Solution)) => {
                self.cores[core].is_told = true;
                self.answer(time, core, Answer::Solution);
            }
            Some((_, Next::End(lease))) => {
                let (took, given) = self.cores[core].end(time);
                self.answer(time, core, Answer::Done(lease, took));
                given.into_iter().for_each(|(lease, piece)| self.answer(time, core, Answer::Shared(lease, piece)));
            }
            None => {}
        }
        self.foresee(core);
    }
}

#[cfg(test)]
mod tests;
