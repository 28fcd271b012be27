//! The forward space: what is seen of the positions near an instance, with their distances from solved.
//!
//! ```text
//! for each painted position s fewer than d_for moves from the instance:
//!     value(s) = its distance, where the backward space knows it, to depth d_back
//! for D = d_back + 1, …, d_back + d_for:
//!     each s without a value, at most d_back + d_for − D moves from the instance,
//!         with a neighbour of value D − 1: value(s) = D
//! each s still without one, f moves from the instance: value(s) = d_back + d_for − f + 1
//! ```
//!
//! Theorem: value(s) = min(distance of s, d_back + d_for − f + 1). Proof: let the distance be D ≤ d_back + d_for − f,
//! and t the next position on a shortest way home. It is at most f + 1 moves from the instance and D − 1 from solved,
//! so the same holds of it, and by induction it has its value, D − 1, when D comes; where D − 1 = d_back, t lies in the
//! backward space. No s gets a value below its distance, for a move changes distances by one at most. And as f
//! and the distance change by one at most with a move, so does the value: the bound is consistent.
//!
//! *How it is generated.* Each s is asked for in the backward space, with those at most one move beyond it, which are
//! marked: so nearly all are done with one look, and not one for each neighbour. From there the values go on: what has
//! the value D − 1 gives D to its neighbours that have none yet. With seven moves most of the time goes into spreading
//! from the instance.
//!
//! Departure: the paper's forward space holds the positions d_for moves away as well. All they tell is what the
//! backward space tells of them, so they are asked for there, and thirteen of fourteen positions need not be stored.

use super::ball::Ball;
use super::problem::{FARTHEST, ForwardDepth, Problem};
use crate::error::LabError;
use crate::lee::CUMULATIVE;
use cosette::Control;
use cosette::cube::{Cube, Move};
use rayon::prelude::*;
use std::ops::ControlFlow::Continue;

/// What is seen of the positions fewer than d_for moves from an instance, each with what is known of its distance from
/// solved.
pub struct Forward {
    /// By number: how many moves from the instance, where no more is known; [`NEAR`], where the backward space knows
    /// the distance; [`FARTHEST`] plus how much the distance exceeds the depth of the backward space.
    ball: Ball,
    /// The depth of the backward space.
    d_back: u8,
    d_for: u8,
    length: Option<u8>,
}

/// In place of a distance that the backward space knows.
const NEAR: u8 = 15;

impl Forward {
    /// The forward space of a position to the depth d_for, for a problem with a backward space.
    pub fn new(
        problem: &Problem,
        start: &Cube,
        d_for: ForwardDepth,
        control: &Control<'_>,
    ) -> Result<Forward, LabError> {
        let d_for = d_for.moves();
        let (d_back, mut positions) = (problem.depth(), Vec::new());
        let number = |position: &Cube| problem.painting().number(position);
        let on_new = |position: &Cube, _| {
            positions.push(*position);
            Continue(())
        };
        let room = CUMULATIVE[usize::from(d_for) - 1] as usize;
        let mut ball = Ball::around(number, start, d_for - 1, room, on_new, control)?;
        let stretches = positions.par_chunks(512).filter(|_| !control.is_cancelled());
        let within: Vec<(Cube, u8)> =
            stretches.flat_map_iter(|positions| problem.up_to_one_beyond(positions)).collect();
        let mut last = Vec::new();
        for &(position, distance) in &within {
            if distance <= d_back {
                ball.set(number(&position), NEAR);
            } else {
                ball.set(number(&position), FARTHEST + 1);
                last.push(position);
            }
        }
        for beyond in 2..=d_for {
            let mut next = Vec::new();
            for position in last.iter().flat_map(|position| Move::ALL.map(|m| position.turned(m))) {
                let number = number(&position);
                if ball.get(number).is_some_and(|away| away <= d_for - beyond) {
                    ball.set(number, FARTHEST + beyond);
                    next.push(position);
                }
            }
            last = next;
        }
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        let mut forward = Forward { ball, d_back, d_for, length: problem.distance(start) };
        forward.length =
            forward.length.or_else(|| forward.get(number(start))).filter(|&length| length <= d_back + d_for);
        Ok(forward)
    }

    /// How far a painted position is from solved at least, where it is there and farther than the backward space is
    /// deep.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<u8> {
        match self.ball.get(number)? {
            NEAR => None,
            away if away < FARTHEST => Some(self.d_back + self.d_for - away + 1),
            distance => Some(self.d_back + distance - FARTHEST),
        }
    }

    /// The length of the problem's shortest solution; none where it is longer than both spaces are deep.
    pub fn length(&self) -> Option<u8> {
        self.length
    }

    /// How many painted positions are stored.
    pub fn len(&self) -> u64 {
        self.ball.len()
    }

    /// Always false: the instance is there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How much memory they take.
    pub fn bytes(&self) -> u64 {
        self.ball.bytes()
    }
}
