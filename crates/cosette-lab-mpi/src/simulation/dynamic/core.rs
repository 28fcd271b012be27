//! A core: it searches its leases one after the other.

use super::piece::Piece;
use crate::simulation::load::{Nanos, Task};
use std::collections::VecDeque;

/// The number of a lease.
pub type LeaseNumber = u64;

/// A lease in the hands of a core.
#[derive(Debug)]
struct Held {
    lease: LeaseNumber,
    piece: Piece,
    /// Whether it was asked to share before it was begun.
    is_asked: bool,
}

/// What a core will do next, unless an order comes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It finds a solution.
    Solution,
    /// It ends its lease.
    End(LeaseNumber),
}

/// A core.
#[derive(Debug, Default)]
pub struct Core {
    /// Its leases; the first is searched.
    held: VecDeque<Held>,
    /// Up to when the first is searched.
    now: Nanos,
    /// When it began the first.
    since: Nanos,
    /// How long it has searched.
    pub searched: Nanos,
    /// Whether the solution that comes next has been told of.
    pub is_told: bool,
    /// Counts what has changed, so that what was foreseen before can be told from what is foreseen now.
    pub version: u64,
}

impl Core {
    /// Takes a lease.
    pub fn take(&mut self, time: Nanos, lease: LeaseNumber, piece: Piece) {
        if self.held.is_empty() {
            (self.now, self.since) = (time, time);
            self.version += 1;
        }
        self.held.push_back(Held { lease, piece, is_asked: false });
    }

    /// What comes next and when; a core without a lease waits.
    pub fn next(&self, tasks: &[Task], tells: bool) -> Option<(Nanos, Next)> {
        let Held { lease, piece, .. } = self.held.front()?;
        let solution = if tells && !self.is_told { piece.solution(tasks) } else { None };
        Some(match solution {
            Some(after) => (self.now + after, Next::Solution),
            None => (self.now + piece.cost(), Next::End(*lease)),
        })
    }

    /// Ends the first lease, and begins the next. How long it has searched that lease, and what the next one gives away if it
    /// was asked to share before.
    pub fn end(&mut self, time: Nanos) -> (Nanos, Option<(LeaseNumber, Piece)>) {
        self.held.pop_front();
        self.come_to(time);
        let took = time - std::mem::replace(&mut self.since, time);
        let next = self.held.front_mut().filter(|next| next.is_asked);
        (took, next.map(|next| (next.lease, next.piece.give_half(false))))
    }

    /// Is asked to share. What it gives away, which may be nothing; none where the lease is not being searched.
    pub fn share(&mut self, time: Nanos, lease: LeaseNumber) -> Option<Piece> {
        let place = self.held.iter().position(|held| held.lease == lease)?;
        if place > 0 {
            self.held[place].is_asked = true;
            return None;
        }
        self.held[0].piece.advance(time - self.now);
        self.come_to(time);
        Some(self.held[0].piece.give_half(true))
    }

    /// Drops a lease; whether it had it.
    pub fn call_back(&mut self, time: Nanos, lease: LeaseNumber) -> bool {
        let Some(place) = self.held.iter().position(|held| held.lease == lease) else { return false };
        self.held.remove(place);
        if place == 0 {
            self.come_to(time);
        }
        true
    }

    /// It has searched until now.
    fn come_to(&mut self, time: Nanos) {
        self.searched += time - self.now;
        self.now = time;
        self.version += 1;
    }
}
