//! Heuristics from partial problems (Lee 2013).
//!
//! In a partial problem only some facelets are visible. The visible part of a position, the
//! *painted* position, is defined after every move, so it has its own distance from the painted
//! solved position, which is a lower bound on the distance of the position. The distance is known
//! near solved, from a backward space that is stored once, and near an instance, from a forward
//! space that is built for it and to which the distances of the backward space are propagated. The
//! bound is the maximum over several problems.
//!
//! # The forward space
//!
//! ```text
//! for each painted position s fewer than d_for moves from the instance:
//!     value(s) = its distance, where the backward space knows it, to depth d_back
//! for D = d_back + 1, …, d_back + d_for:
//!     each s without a value, at most d_back + d_for − D moves from the instance,
//!         with a neighbor of value D − 1: value(s) = D
//! each s still without one, f moves from the instance: value(s) = d_back + d_for − f + 1
//! ```
//!
//! Theorem: value(s) = min(distance of s, d_back + d_for − f + 1). Proof: let the distance be D ≤
//! d_back + d_for − f, and t the next position on a shortest path to solved. It is at most f + 1
//! moves from the instance and D − 1 from solved, so the same holds of it, and by induction it has
//! its value, D − 1, when D comes; where D − 1 = d_back, t lies in the backward space. No s gets a
//! value below its distance, for a move changes distances by one at most. And as f and the distance
//! change by one at most with a move, so does the value: the bound is consistent.
//!
//! *Generation.* Each s is looked up in the backward space, together with the marked positions at
//! most one move beyond it: so nearly all take one look-up, instead of one for each neighbor. From
//! there the values propagate: a position of value D − 1 gives D to its neighbors without a value.
//! With seven moves, most of the time is spent on propagation from the instance.
//!
//! Departure: the paper's forward space holds the positions d_for moves away as well. Their values
//! are only those of the backward space, so they are looked up there, and thirteen of fourteen
//! positions need not be stored.

use super::backward::BackwardSpace;
use super::ball::Ball;
use super::painting::Selection;
use super::{Perimeter, WITHIN};
use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Face, Move, Symmetry};
use rayon::prelude::*;
use std::ops::ControlFlow::Continue;
use std::sync::Arc;

/// The paper's faces 0 to 5, in the order of the default net.
pub const FACES: [Face; 6] = [Face::U, Face::L, Face::F, Face::R, Face::B, Face::D];

/// The pairs of faces that the paper chooses for its search: 0-1, 2-3 and 3-5.
pub const CHOSEN: [[usize; 2]; 3] = [[0, 1], [2, 3], [3, 5]];

/// Returns the facelets of two faces of the paper, without the flips of edges, which its counts do
/// not see.
pub fn pair(faces: [usize; 2]) -> Selection {
    Selection::faces(&faces.map(|face| FACES[face])).without_flips()
}

/// The lower bound of a search from partial problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartialBound {
    /// The distances of the backward spaces alone, up to a maximum: the paper's heu6 and heu8.
    Backward(u8),
    /// The distances of the backward spaces and of forward spaces, d_for moves deep.
    Informed(u8),
}

impl PartialBound {
    /// heu6: all distances greater than five count as six.
    pub const HEU6: PartialBound = PartialBound::Backward(6);
    /// heu8: all distances greater than seven count as eight.
    pub const HEU8: PartialBound = PartialBound::Backward(8);

    /// Returns `true` if marks beyond the backward space pay.
    fn needs_marks(self) -> bool {
        matches!(self, PartialBound::Informed(6..))
    }
}

/// A choice of partial problems. Problems that differ by a symmetry share their backward space.
#[derive(Clone, Default)]
pub struct Partials(Vec<PartialProblem>);

/// A problem, with a symmetry that carries the selection to that of the space.
#[derive(Clone)]
struct PartialProblem {
    selection: Selection,
    s: Symmetry,
    space: Arc<BackwardSpace>,
}

impl PartialProblem {
    #[inline(always)]
    fn seen(&self, position: &Cube) -> Cube {
        if self.s == Symmetry::IDENTITY {
            *position
        } else {
            position.conjugate(self.s)
        }
    }

    /// Returns the problem of a selection, if it differs from this one by a symmetry.
    fn like(&self, selection: Selection) -> Option<PartialProblem> {
        let own = self.selection.conjugate(self.s);
        let s = Symmetry::all().find(|&s| selection.conjugate(s) == own)?;
        Some(PartialProblem {
            selection,
            s,
            space: Arc::clone(&self.space),
        })
    }
}

impl Partials {
    /// The problems of these selections, each with its backward space to `depth`, for bounds of a
    /// kind or less informed ones.
    pub fn new(
        selections: &[Selection],
        depth: u8,
        bound: PartialBound,
        lab: &Lab<'_>,
    ) -> Result<Partials, LabError> {
        let mut problems: Vec<PartialProblem> = Vec::new();
        for &selection in selections {
            let problem = match problems.iter().find_map(|problem| problem.like(selection)) {
                Some(problem) => problem,
                None => {
                    let marks = bound.needs_marks();
                    PartialProblem {
                        selection,
                        s: Symmetry::IDENTITY,
                        space: Arc::new(BackwardSpace::new(selection, depth, marks, lab)?),
                    }
                }
            };
            problems.push(problem);
        }
        Ok(Partials(problems))
    }

    /// Creates the three problems in which two opposite faces are visible, like [`Partials::new`].
    pub fn opposite_faces(
        depth: u8,
        bound: PartialBound,
        lab: &Lab<'_>,
    ) -> Result<Partials, LabError> {
        let pairs =
            [Face::U, Face::R, Face::F].map(|face| Selection::faces(&[face, face.opposite()]));
        Partials::new(&pairs, depth, bound, lab)
    }

    /// Returns the number of problems.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The backward space of the problem of this number.
    pub fn space(&self, number: usize) -> &BackwardSpace {
        &self.0[number].space
    }

    /// Returns the painted position of the problem of this number, as its backward space has it.
    pub fn seen(&self, number: usize, position: &Cube) -> Cube {
        self.0[number].seen(position)
    }

    /// Returns the bound that the backward spaces alone give, up to a maximum.
    pub fn backward(&self, most: u8) -> Heuristic<'_> {
        Heuristic {
            partials: self,
            forwards: Vec::new(),
            most,
        }
    }

    /// Returns the bound for an instance.
    pub fn heuristic(
        &self,
        bound: PartialBound,
        instance: &Cube,
        control: &Control<'_>,
    ) -> Result<Heuristic<'_>, LabError> {
        let d_for = match bound {
            PartialBound::Backward(most) => return Ok(self.backward(most)),
            PartialBound::Informed(d_for) => d_for,
        };
        let forward = |problem: &PartialProblem| {
            ForwardSpace::new(&problem.space, &problem.seen(instance), d_for, control)
        };
        let forwards = control.in_pool(|| {
            self.0
                .par_iter()
                .map(forward)
                .collect::<Result<_, LabError>>()
        })??;
        Ok(Heuristic {
            partials: self,
            forwards,
            most: u8::MAX,
        })
    }
}

/// The lower bound that partial problems give, for one instance if they have forward spaces.
pub struct Heuristic<'a> {
    partials: &'a Partials,
    /// The forward space of each problem, or none.
    forwards: Vec<ForwardSpace>,
    most: u8,
}

impl<'a> Heuristic<'a> {
    /// Returns a lower bound of the distance to solved: the maximum of the bounds of the problems
    /// and of `at_least`, which is known. Consistent: a move changes it by at most one.
    #[inline]
    pub fn bound(&self, position: &Cube, at_least: u8) -> u8 {
        let mut bound = at_least;
        for number in 0..self.partials.count() {
            if bound >= self.most {
                break;
            }
            bound = bound.max(self.of_problem(number, position, bound));
        }
        bound
    }

    /// Returns the bound of each problem.
    pub fn bounds(&self, position: &Cube) -> Vec<u8> {
        (0..self.partials.count())
            .map(|number| self.of_problem(number, position, 0))
            .collect()
    }

    /// Returns the bound of a problem; any other that is not greater than `at_least` may be
    /// returned.
    #[inline]
    fn of_problem(&self, number: usize, position: &Cube, at_least: u8) -> u8 {
        let problem = &self.partials.0[number];
        let seen = problem.seen(position);
        let forward = self.forwards.get(number);
        let known = forward.and_then(|forward| forward.get(problem.space.painting().number(&seen)));
        let beyond = problem.space.depth() + 1;
        // The backward space gives no better bound than that.
        let backward = || {
            if beyond > at_least {
                problem.space.get(&seen).unwrap_or(beyond)
            } else {
                0
            }
        };
        known.unwrap_or_else(backward).min(self.most)
    }

    /// The partial problems.
    pub fn partials(&self) -> &'a Partials {
        self.partials
    }

    /// The forward spaces, in the order of the problems.
    pub fn forwards(&self) -> &[ForwardSpace] {
        &self.forwards
    }
}

/// The painted positions fewer than d_for moves from an instance, each with a lower bound on its
/// distance from solved.
pub struct ForwardSpace {
    /// The value of each position: its number of moves from the instance, if no more is known; [`NEAR`], if the
    /// backward space has the distance; [`ForwardSpace::MAX_DEPTH`] plus the excess of the distance
    /// over the depth of the backward space.
    ball: Ball,
    /// The depth of the backward space.
    d_back: u8,
    d_for: u8,
}

/// Marks a distance that the backward space has.
const NEAR: u8 = 15;

impl ForwardSpace {
    /// Maximum d_for.
    pub const MAX_DEPTH: u8 = 7;

    /// The forward space of a position to the depth d_for, for a problem with a backward space.
    ///
    /// # Panics
    /// Panics if the depth is 0 or greater than [`ForwardSpace::MAX_DEPTH`].
    pub fn new(
        space: &BackwardSpace,
        start: &Cube,
        d_for: u8,
        control: &Control<'_>,
    ) -> Result<ForwardSpace, LabError> {
        assert!(
            (1..=ForwardSpace::MAX_DEPTH).contains(&d_for),
            "a forward space of depth {d_for}"
        );
        let d_back = space.depth();
        let mut positions = Vec::new();
        let number = |position: &Cube| space.painting().number(position);
        let on_new = |position: &Cube, _| {
            positions.push(*position);
            Continue(())
        };
        let room = WITHIN[usize::from(d_for) - 1] as usize;
        let mut ball = Ball::around(number, start, d_for - 1, room, on_new, control)?;
        let stretches = positions
            .par_chunks(512)
            .filter(|_| !control.is_cancelled());
        let within: Vec<(Cube, u8)> = stretches
            .flat_map_iter(|positions| space.up_to_one_beyond(positions))
            .collect();
        let mut last = Vec::new();
        for &(position, distance) in &within {
            if distance <= d_back {
                ball.set(number(&position), NEAR);
            } else {
                ball.set(number(&position), ForwardSpace::MAX_DEPTH + 1);
                last.push(position);
            }
        }
        for beyond in 2..=d_for {
            let mut next = Vec::new();
            for position in last
                .iter()
                .flat_map(|position| Move::ALL.map(|m| position.apply(m)))
            {
                let number = number(&position);
                if ball.get(number).is_some_and(|away| away <= d_for - beyond) {
                    ball.set(number, ForwardSpace::MAX_DEPTH + beyond);
                    next.push(position);
                }
            }
            last = next;
        }
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        Ok(ForwardSpace {
            ball,
            d_back,
            d_for,
        })
    }

    /// Returns a lower bound on the distance of a painted position from solved, if it is stored and
    /// beyond the depth of the backward space.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<u8> {
        match self.ball.get(number)? {
            NEAR => None,
            away if away < ForwardSpace::MAX_DEPTH => Some(self.d_back + self.d_for - away + 1),
            distance => Some(self.d_back + distance - ForwardSpace::MAX_DEPTH),
        }
    }

    /// Returns `true` if the painted position of this number is stored.
    pub fn contains(&self, number: u64) -> bool {
        self.ball.get(number).is_some()
    }

    /// Returns the number of stored painted positions.
    pub fn states(&self) -> u64 {
        self.ball.len()
    }

    /// Returns the memory use in bytes.
    pub fn bytes(&self) -> u64 {
        self.ball.bytes()
    }
}
