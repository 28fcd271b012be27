//! A core: it searches its leases one after the other.

use super::piece::Piece;
use crate::simulation::load::{Nanos, Task};
use cosette_mpi::dispatcher::LeaseNumber;
use std::collections::VecDeque;

/// A lease of a core.
#[derive(Debug)]
struct Held {
    lease: LeaseNumber,
    piece: Piece,
    /// Whether it was asked to share before it was begun.
    is_asked: bool,
}

/// What a core will do next, unless a request comes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Solution,
    End(LeaseNumber),
}

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
    /// Whether the next solution has been reported.
    pub is_reported: bool,
    /// Counts changes, so that outdated events can be recognised.
    pub version: u64,
}

impl Core {
    pub fn take(&mut self, time: Nanos, lease: LeaseNumber, piece: Piece) {
        if self.held.is_empty() {
            (self.now, self.since) = (time, time);
            self.version += 1;
        }
        self.held.push_back(Held { lease, piece, is_asked: false });
    }

    /// What comes next and when; `None` if the core has no lease.
    pub fn next(&self, tasks: &[Task], reports: bool) -> Option<(Nanos, Next)> {
        let Held { lease, piece, .. } = self.held.front()?;
        let solution = if reports && !self.is_reported { piece.solution(tasks) } else { None };
        Some(match solution {
            Some(after) => (self.now + after, Next::Solution),
            None => (self.now + piece.cost(), Next::End(*lease)),
        })
    }

    /// Ends the first lease, and begins the next. How long it has searched that lease, and what the next one gives away if it
    /// was asked to share before.
    pub fn end(&mut self, time: Nanos) -> (Nanos, Option<(LeaseNumber, Piece)>) {
        self.held.pop_front();
        self.advance_to(time);
        let took = time - std::mem::replace(&mut self.since, time);
        let next = self.held.front_mut().filter(|next| next.is_asked);
        (took, next.map(|next| (next.lease, next.piece.give_half(false))))
    }

    /// Is asked to share. Returns what it gives away, which may be nothing; `None` if the lease is not being searched.
    pub fn share(&mut self, time: Nanos, lease: LeaseNumber) -> Option<Piece> {
        let place = self.held.iter().position(|held| held.lease == lease)?;
        if place > 0 {
            self.held[place].is_asked = true;
            return None;
        }
        self.held[0].piece.advance(time - self.now);
        self.advance_to(time);
        Some(self.held[0].piece.give_half(true))
    }

    /// Drops a lease; whether it had that lease.
    pub fn stop(&mut self, time: Nanos, lease: LeaseNumber) -> bool {
        let Some(place) = self.held.iter().position(|held| held.lease == lease) else { return false };
        self.held.remove(place);
        if place == 0 {
            self.advance_to(time);
        }
        true
    }

    /// It has searched until now.
    fn advance_to(&mut self, time: Nanos) {
        self.searched += time - self.now;
        self.now = time;
        self.version += 1;
    }
}
