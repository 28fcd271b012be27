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
//! Theorem: value(s) = min(distance of s, d_back + d_for − f + 1). Proof: let the distance be D ≤ d_back + d_for − f, and t
//! the next position on a shortest way home. It is at most f + 1 moves from the instance and D − 1 from solved, so
//! the same holds of it, and by induction it has its value, D − 1, when D comes; where D − 1 = d_back, t lies in the
//! backward space. No s gets a value below its distance, for a move changes distances by one at most. And as f
//! and the distance change by one at most with a move, so does the value: the bound is consistent.
//!
//! Departure: the paper's forward space holds the positions d_for moves away as well. All they tell is what the backward
//! space tells of them, so they are asked for there, and thirteen of fourteen positions need not be stored.

use super::ball::Ball;
use super::problem::Problem;
use crate::lab::LabError;
use cosette::Cancel;
use cosette::cube::{Cube, Move};
use rayon::prelude::*;
use std::ops::ControlFlow::Continue;

/// What is seen of the positions fewer than d_for moves from an instance, each with what is known of its distance from solved.
pub struct Forward {
    ball: Ball,
    start: u64,
    depth: u8,
}

/// Of a painted position whose distance is not known yet.
const UNKNOWN: u8 = 15;

/// How deep a forward space is: the paper's d_for, 1 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForwardDepth(u8);

/// A depth that no forward space has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a forward space of depth {0} is out of range; give 1 to 7")]
pub struct ForwardDepthError(pub u8);

impl ForwardDepth {
    /// The depth in moves.
    pub const fn moves(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for ForwardDepth {
    type Error = ForwardDepthError;
    fn try_from(depth: u8) -> Result<ForwardDepth, ForwardDepthError> {
        if (1..=7).contains(&depth) { Ok(ForwardDepth(depth)) } else { Err(ForwardDepthError(depth)) }
    }
}

impl Forward {
    /// The forward space of a position to the depth d_for, for a problem with a backward space.
    ///
    /// # Errors
    /// On cancellation.
    pub fn new(problem: &Problem, start: &Cube, d_for: ForwardDepth, cancel: &Cancel) -> Result<Forward, LabError> {
        let ForwardDepth(d_for) = d_for;
        let painting = problem.painting();
        let mut levels: Vec<Vec<Cube>> = Vec::new();
        let on_new = |position: &Cube, distance: u8| {
            levels.resize_with(usize::from(distance) + 1, Vec::new);
            levels[usize::from(distance)].push(*position);
            Continue(())
        };
        let mut ball = Ball::around(|position| painting.number(position), start, d_for - 1, on_new, cancel)?;
        let stored = |level: &Vec<Cube>| {
            level.par_iter().map(|position| problem.distance(position).unwrap_or(UNKNOWN)).collect::<Vec<u8>>()
        };
        let mut values: Vec<Vec<u8>> = levels.iter().map(stored).collect();
        enter(&mut ball, problem, &levels, &values);
        for further in 1..=d_for {
            let before = problem.depth() + further - 1;
            let known = |position: &Cube| match further {
                1 => problem.distance(position),
                _ => ball.get(painting.number(position)),
            };
            let is_next = |position: &Cube| Move::ALL.iter().any(|&m| known(&position.turned(m)) == Some(before));
            let inner = usize::from(d_for - further) + 1;
            for (level, values) in levels.iter().zip(&mut values).take(inner) {
                values.par_iter_mut().zip(level).filter(|(value, _)| **value == UNKNOWN).for_each(
                    |(value, position)| {
                        if !cancel.is_cancelled() && is_next(position) {
                            *value = before + 1;
                        }
                    },
                );
            }
            if cancel.is_cancelled() {
                return Err(LabError::Cancelled);
            }
            enter(&mut ball, problem, &levels, &values);
        }
        for (distance, values) in values.iter_mut().enumerate() {
            let beyond = problem.depth() + 1 + d_for - distance as u8;
            values.iter_mut().filter(|value| **value == UNKNOWN).for_each(|value| *value = beyond);
        }
        enter(&mut ball, problem, &levels, &values);
        Ok(Forward { ball, start: painting.number(start), depth: problem.depth() + d_for })
    }

    /// How far a painted position is from solved at least, where it is there.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<u8> {
        self.ball.get(number)
    }

    /// The length of the problem's shortest solution; none where it is longer than both spaces are deep.
    pub fn length(&self) -> Option<u8> {
        self.ball.get(self.start).filter(|&length| length <= self.depth)
    }

    /// How many painted positions are stored.
    pub fn len(&self) -> u64 {
        self.ball.len()
    }

    /// Whether there is none: never so, for the instance is there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// How much memory they take.
    pub fn bytes(&self) -> u64 {
        self.ball.bytes()
    }
}

/// Writes the values beside the painted positions.
fn enter(ball: &mut Ball, problem: &Problem, levels: &[Vec<Cube>], values: &[Vec<u8>]) {
    for (position, &value) in levels.iter().flatten().zip(values.iter().flatten()) {
        ball.set(problem.painting().number(position), value);
    }
}
