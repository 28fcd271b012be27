//! What is to happen, in the order of time.

use super::core::LeaseNumber;
use super::piece::Piece;
use crate::simulation::load::Nanos;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What the lead says.
#[derive(Debug)]
pub enum Order {
    Search(LeaseNumber, Piece),
    Share(LeaseNumber),
    CallBack(LeaseNumber),
}

/// What a core answers.
#[derive(Debug)]
pub enum Answer {
    Solution,
    Shared(LeaseNumber, Piece),
    /// The lease is at its end, and the core has searched it so long.
    Done(LeaseNumber, Nanos),
}

/// What happens.
#[derive(Debug)]
pub enum Event {
    /// A core sees an order.
    Order(usize, Order),
    /// A core comes to what was foreseen when it was in this version.
    Step(usize, u64),
    /// An answer of a core comes to the lead.
    Answer(usize, Answer),
    /// The lead looks for messages, if nothing has woken it since this version.
    Look(u64),
}

/// What is to happen; of events at the same time, what was foreseen first comes first.
#[derive(Debug, Default)]
pub struct Events {
    // The last is the next to come.
    queue: BTreeMap<Reverse<(Nanos, u64)>, Event>,
    count: u64,
}

impl Events {
    pub fn add(&mut self, time: Nanos, event: Event) {
        self.count += 1;
        self.queue.insert(Reverse((time, self.count)), event);
    }

    pub fn next(&mut self) -> Option<(Nanos, Event)> {
        self.queue.pop_last().map(|(Reverse((time, _)), event)| (time, event))
    }
}
