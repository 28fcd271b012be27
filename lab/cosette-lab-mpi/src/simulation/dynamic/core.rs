//! A core: it searches one piece of a lease at a time.

use super::piece::Piece;
use crate::simulation::load::{Nanos, Task};

/// What a core will do next, unless a request comes before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Solution,
    End,
}

#[derive(Debug, Default)]
pub struct Core {
    piece: Option<Piece>,
    /// Up to when it is searched.
    now: Nanos,
    /// When it was begun.
    since: Nanos,
    /// How long it has searched all its pieces.
    pub searched: Nanos,
    /// Whether the next solution has been reported.
    pub is_reported: bool,
    /// Counts changes, so that outdated events can be recognised.
    pub version: u64,
}

impl Core {
    pub fn take(&mut self, time: Nanos, piece: Piece) {
        (self.now, self.since) = (time, time);
        self.piece = Some(piece);
        self.version += 1;
    }

    /// What comes next and when; `None` if the core has no piece.
    pub fn next(&self, tasks: &[Task], reports: bool) -> Option<(Nanos, Next)> {
        let piece = self.piece.as_ref()?;
        let solution = if reports && !self.is_reported { piece.solution(tasks) } else { None };
        Some(match solution {
            Some(after) => (self.now + after, Next::Solution),
            None => (self.now + piece.cost(), Next::End),
        })
    }

    /// Ends its piece, finished or not. Returns how long it was searched.
    pub fn end(&mut self, time: Nanos) -> Nanos {
        self.piece = None;
        self.advance_to(time);
        time.saturating_sub(self.since)
    }

    /// Gives half of its piece away, which may be nothing.
    pub fn share(&mut self, time: Nanos) -> Option<Piece> {
        // It may not have begun yet.
        let searched = time.saturating_sub(self.now);
        self.advance_to(time);
        let piece = self.piece.as_mut()?;
        piece.advance(searched);
        Some(piece.give_half()).filter(|piece| !piece.is_empty())
    }

    /// It has searched until now.
    fn advance_to(&mut self, time: Nanos) {
        self.searched += time.saturating_sub(self.now);
        self.now = self.now.max(time);
        self.version += 1;
    }
}
