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
//! for each painted position s fewer than d_for moves from the instance, f moves:
//!     value(s) = its distance, where the backward space knows it, to depth d_back
//!     value(s) = d_back + d_for − f + 1 where it does not
//! for D = d_back + 1, …, d_back + d_for:
//!     each s of a greater value with a neighbor of distance D − 1: value(s) = D
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
//! there the values propagate. With seven moves, most of the time is spent on propagation from the
//! instance.
//!
//! Departure: the paper's forward space holds the positions d_for moves away as well. Their values
//! are only those of the backward space, so they are looked up there, and thirteen of fourteen
//! positions need not be stored.

use super::Perimeter;
use super::painting::{Painting, Selection};
use super::states::{BackwardSpace, StateSet};
use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Face, Move, Symmetry};
use rayon::prelude::*;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::Arc;

/// The paper's faces 0 to 5, in the order of the default net.
pub const FACES: [Face; 6] = [Face::U, Face::L, Face::F, Face::R, Face::B, Face::D];

/// The pairs of faces that the paper chooses for its search: 0-1, 2-3 and 3-5.
pub const CHOSEN: [[usize; 2]; 3] = [[0, 1], [2, 3], [3, 5]];

/// Returns the facelets of two faces of the paper.
pub fn pair_with_flips(faces: [usize; 2]) -> Selection {
    Selection::faces(&faces.map(|face| FACES[face]))
}

/// Returns the facelets of two faces of the paper, without the flips of edges, which its counts do
/// not see.
pub fn pair(faces: [usize; 2]) -> Selection {
    pair_with_flips(faces).without_flips()
}

/// Returns the facelets of each pair of opposite faces.
pub fn opposite_faces() -> [Selection; 3] {
    [Face::U, Face::R, Face::F].map(|face| Selection::faces(&[face, face.opposite()]))
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
}

/// A partial problem: to bring the visible facelets home.
#[derive(Clone)]
pub struct PartialProblem {
    /// The visible facelets of the backward space.
    selection: Selection,
    /// The symmetry that carries the visible facelets to those of the backward space.
    s: Symmetry,
    painting: Arc<Painting>,
    space: Arc<BackwardSpace>,
}

/// The result of a bidirectional search for the solution of a partial problem.
#[derive(Clone, Copy, Debug)]
pub struct PartialSearchResult {
    /// Length of the shortest solution; `None` if the two spaces did not meet.
    pub length: Option<u8>,
    /// The length, or one more than the greatest length that the search could have found.
    pub at_least: u8,
    /// Number of painted positions of the forward space.
    pub forward: u64,
}

impl PartialProblem {
    /// Creates the problem in which these facelets are visible, with its backward space
    /// ([`BackwardSpace::new`]).
    pub fn new(
        selection: &Selection,
        depth: u8,
        are_marked: bool,
        lab: &Lab<'_>,
    ) -> Result<PartialProblem, LabError> {
        Ok(PartialProblem {
            selection: selection.clone(),
            s: Symmetry::IDENTITY,
            painting: Arc::new(Painting::new(selection)),
            space: Arc::new(BackwardSpace::new(selection, depth, are_marked, lab)?),
        })
    }

    /// Creates the problems of these selections, each with its backward space to `depth`, for
    /// bounds of a kind or less informed ones. Problems that differ by a symmetry share their
    /// backward space.
    pub fn all(
        selections: &[Selection],
        depth: u8,
        bound: PartialBound,
        lab: &Lab<'_>,
    ) -> Result<Vec<PartialProblem>, LabError> {
        let are_marked = matches!(bound, PartialBound::Informed(6..));
        let mut problems: Vec<PartialProblem> = Vec::new();
        for selection in selections {
            let like = problems.iter().find_map(|problem| problem.like(selection));
            let problem = match like {
                Some(problem) => problem,
                None => PartialProblem::new(selection, depth, are_marked, lab)?,
            };
            problems.push(problem);
        }
        Ok(problems)
    }

    /// Generates the forward space of an instance: the painted positions fewer than `d_for` moves
    /// away. The values of the set are what the bounds are less than the depths of the backward and
    /// of the forward space plus one.
    fn forward_space(
        &self,
        instance: &Cube,
        d_for: u8,
        control: &Control<'_>,
    ) -> Result<StateSet, LabError> {
        assert!((1..=7).contains(&d_for), "values take four bits");
        let PartialProblem {
            painting, space, ..
        } = self;
        let d_back = space.depth();
        let base = d_back + d_for + 1;
        let mut positions = Vec::new();
        let on_new = |position: &Cube, _| {
            positions.push(*position);
            Continue(())
        };
        let start = self.seen(instance);
        let mut states = StateSet::around(painting, &start, d_for - 1, on_new, &control.silent())?;
        let positions = positions.par_iter().filter(|_| !control.is_cancelled());
        let near = positions.filter_map(|seen| Some((*seen, space.up_to_one_beyond(seen)?)));
        let near: Vec<(Cube, u8)> = near.collect();
        let mut last = Vec::new();
        for (position, distance) in near {
            states.raise(painting.number(&position), base - distance);
            if distance > d_back {
                last.push(position);
            }
        }
        for distance in d_back + 2..=d_back + d_for {
            let mut next = Vec::new();
            for position in last {
                let neighbors = Move::ALL.map(|m| position.apply(m)).into_iter();
                next.extend(
                    neighbors.filter(|neighbor| {
                        states.raise(painting.number(neighbor), base - distance)
                    }),
                );
            }
            last = next;
        }
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        Ok(states)
    }

    /// Returns the problem of a selection, if it differs from this one by a symmetry.
    fn like(&self, selection: &Selection) -> Option<PartialProblem> {
        let s = Symmetry::all().find(|&s| selection.conjugate(s) == self.selection)?;
        Some(PartialProblem { s, ..self.clone() })
    }

    /// Returns the backward space.
    pub fn space(&self) -> &BackwardSpace {
        &self.space
    }

    /// Returns the position as the backward space sees it.
    #[inline(always)]
    fn seen(&self, position: &Cube) -> Cube {
        if self.s == Symmetry::IDENTITY {
            *position
        } else {
            position.conjugate(self.s)
        }
    }

    /// Solves the problem of an instance: the forward space grows until it meets the backward
    /// space, up to a depth.
    pub fn solve(
        &self,
        instance: &Cube,
        d_for: u8,
        control: &Control<'_>,
    ) -> Result<PartialSearchResult, LabError> {
        let mut length = None;
        let meet = |position: &Cube, away: u8| match self.space.get(position) {
            Some(distance) => {
                length = Some(away + distance);
                Break(())
            }
            None => Continue(()),
        };
        let start = self.seen(instance);
        let forward = StateSet::around(&self.painting, &start, d_for, meet, &control.silent())?;
        Ok(PartialSearchResult {
            length,
            at_least: length.unwrap_or(self.space.depth() + d_for + 1),
            forward: forward.count(),
        })
    }

    /// Counts the painted positions exactly `d_for` moves from an instance that lie in the backward
    /// space.
    pub fn near(&self, instance: &Cube, d_for: u8, control: &Control<'_>) -> Result<u64, LabError> {
        let mut near = 0;
        let count = |position: &Cube, away: u8| {
            near += u64::from(away == d_for && self.space.get(position).is_some());
            Continue(())
        };
        let start = self.seen(instance);
        StateSet::around(&self.painting, &start, d_for, count, &control.silent())?;
        Ok(near)
    }
}

/// The lower bound that partial problems give, for one instance if they have forward spaces.
pub struct Heuristic<'a> {
    /// The partial problems.
    pub problems: &'a [PartialProblem],
    /// The forward space of each problem, or none.
    forwards: Vec<StateSet>,
    /// The depth of the forward spaces.
    d_for: u8,
    most: u8,
}

impl<'a> Heuristic<'a> {
    /// Creates the bound that the backward spaces alone give, up to a maximum.
    pub fn backward(problems: &[PartialProblem], most: u8) -> Heuristic<'_> {
        Heuristic {
            problems,
            forwards: Vec::new(),
            d_for: 0,
            most,
        }
    }

    /// Creates the bound of a kind for an instance.
    ///
    /// # Panics
    /// Panics if the depth of its forward spaces is 0 or greater than seven.
    pub fn new(
        problems: &'a [PartialProblem],
        bound: PartialBound,
        instance: &Cube,
        control: &Control<'_>,
    ) -> Result<Heuristic<'a>, LabError> {
        let d_for = match bound {
            PartialBound::Backward(most) => return Ok(Heuristic::backward(problems, most)),
            PartialBound::Informed(d_for) => d_for,
        };
        let forwards = problems
            .par_iter()
            .map(|problem| problem.forward_space(instance, d_for, control));
        Ok(Heuristic {
            problems,
            forwards: control.in_pool(|| forwards.collect::<Result<_, LabError>>())??,
            d_for,
            most: u8::MAX,
        })
    }

    /// Returns a lower bound of the distance to solved: the maximum of the bounds of the problems
    /// and of `at_least`, which is known. Consistent: a move changes it by at most one.
    #[inline]
    pub fn bound(&self, position: &Cube, at_least: u8) -> u8 {
        let mut bound = at_least;
        for number in 0..self.problems.len() {
            if bound >= self.most {
                break;
            }
            bound = bound.max(self.of_problem(number, position, bound));
        }
        bound
    }

    /// Returns the bound of each problem.
    pub fn bounds(&self, position: &Cube) -> Vec<u8> {
        let numbers = 0..self.problems.len();
        numbers
            .map(|number| self.of_problem(number, position, 0))
            .collect()
    }

    /// Returns the bound of a problem; any other that is not greater than `at_least` may be
    /// returned.
    #[inline]
    fn of_problem(&self, number: usize, position: &Cube, at_least: u8) -> u8 {
        let problem = &self.problems[number];
        let seen = problem.seen(position);
        let beyond = problem.space.depth() + 1;
        let forward = self.forwards.get(number);
        let known = forward.and_then(|forward| forward.get(problem.painting.number(&seen)));
        let known = known.map(|less| beyond + self.d_for - less);
        // The backward space gives no better bound than that.
        let backward = || match beyond > at_least {
            true => problem.space.get(&seen).unwrap_or(beyond),
            false => 0,
        };
        known.unwrap_or_else(backward).min(self.most)
    }
}
