//! A partial problem: its backward space, the painted positions near solved, and the forward space
//! of an instance, the painted positions near it.
//!
//! # Symmetries
//!
//! Symmetries of the cube that keep the selection carry painted positions to painted positions as
//! far from solved: they are of one class. A class is numbered by the least of its painted
//! positions, corners first. The image of the arrangement of the kinds of corners under a symmetry
//! depends on nothing else, so the symmetries that minimize each arrangement are known; only those
//! are tried, and on the edges only those that minimize the corners.
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

use super::painting::{Painting, Selection};
use crate::error::LabError;
use crate::lab::Lab;
use crate::lee::WITHIN;
use crate::lee::ball::{Ball, BallFilter};
use crate::pieces::{
    Conjugation, CornerArrangement, EdgeArrangement, TWISTS, corners_of, corners_with, edges_of,
};
use cosette::Control;
use cosette::cube::{Cube, Move, Symmetry};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::ControlFlow::{Break, Continue};

/// The symmetries that keep a selection.
struct SelectionSymmetries {
    /// Number of these symmetries.
    order: u64,
    /// For each arrangement of the kinds of corners, its least image, and the symmetries, one bit
    /// each, that produce it.
    least: Vec<(u64, u64)>,
}

impl SelectionSymmetries {
    /// Returns the symmetries of a selection with this painting.
    fn of(selection: Selection, painting: &Painting) -> SelectionSymmetries {
        let symmetries: Vec<Symmetry> = Symmetry::all()
            .filter(|&s| selection.conjugate(s) == selection)
            .collect();
        let mut least = vec![(0, 0); painting.corner_arrangements()];
        for corners in (0..40_320).map(|order| corners_with(order * TWISTS as u64)) {
            let (lowest, those) = &mut least[painting.corner_arrangement(&corners) as usize];
            if *those == 0 {
                let image = |s: &Symmetry| {
                    painting.corner_arrangement(&Conjugation::by(s.index()).corners(&corners))
                };
                *lowest = symmetries
                    .iter()
                    .map(image)
                    .min()
                    .expect("the identity keeps every selection");
                *those = symmetries
                    .iter()
                    .filter(|s| image(s) == *lowest)
                    .map(|s| 1 << s.index())
                    .sum();
            }
        }
        SelectionSymmetries {
            order: symmetries.len() as u64,
            least,
        }
    }

    /// Returns the number of the class of a painted position, and the number of symmetries that fix
    /// the painted position.
    #[inline(always)]
    fn class(
        &self,
        painting: &Painting,
        corners: &CornerArrangement,
        edges: &EdgeArrangement,
    ) -> (u64, u64) {
        let (arrangement, those) = self.least[painting.corner_arrangement(corners) as usize];
        let mut least = u64::MAX;
        let mut ties = 0_u64;
        for s in bits(those) {
            let number = painting.corner_number(arrangement, &Conjugation::by(s).corners(corners));
            match number.cmp(&least) {
                Ordering::Less => (least, ties) = (number, 1 << s),
                Ordering::Equal => ties |= 1 << s,
                Ordering::Greater => {}
            }
        }
        let mut least_edges = u64::MAX;
        let mut times = 0;
        for s in bits(ties) {
            let number = painting.edge_number(&Conjugation::by(s).edges(edges));
            match number.cmp(&least_edges) {
                Ordering::Less => (least_edges, times) = (number, 1),
                Ordering::Equal => times += 1,
                Ordering::Greater => {}
            }
        }
        (painting.of(least, least_edges), times)
    }
}

/// Returns the numbers of the set bits.
#[inline(always)]
fn bits(mut left: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        next
    })
}

/// Maximum d_for.
const MAX_DISTANCE: u8 = 7;

/// Depth of a forward space: the paper's d_for, 1 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForwardDepth(u8);

impl ForwardDepth {
    /// Returns the depth of `moves` moves.
    pub fn of(moves: u8) -> ForwardDepth {
        assert!(
            (1..=MAX_DISTANCE).contains(&moves),
            "a forward space of depth {moves}"
        );
        ForwardDepth(moves)
    }

    /// The depth in moves.
    pub const fn moves(self) -> u8 {
        self.0
    }
}

/// A partial problem with its backward space: the painted positions within a depth of solved, one
/// of each symmetry class.
pub struct PartialProblem {
    painting: Painting,
    symmetries: SelectionSymmetries,
    depth: u8,
    ball: Ball,
    /// The classes to one move beyond the depth, and a few others; `None` if it would not pay.
    next: Option<BallFilter>,
    /// Number of painted positions of each distance, counting all members of a class.
    counts: Vec<u64>,
}

/// Number of moves from which forward spaces are generated faster if the classes one move beyond
/// the backward space are marked, which takes as long as one of them.
const MARKED_FROM: u8 = 6;

/// The result of a bidirectional search for the solution of a partial problem.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// Length of the shortest solution; `None` if the two spaces did not meet.
    pub length: Option<u8>,
    /// The length, or one more than the greatest length that the search could have found.
    pub at_least: u8,
    /// Number of painted positions of the forward space.
    pub forward: u64,
}

impl PartialProblem {
    /// Creates the problem in which these facelets are visible, with all painted positions within
    /// `depth` of solved. `d_for` is the depth of its future forward spaces ([`Forward`]), if any.
    pub fn new(
        selection: Selection,
        depth: u8,
        d_for: Option<ForwardDepth>,
        lab: &Lab<'_>,
    ) -> Result<PartialProblem, LabError> {
        let painting = Painting::new(selection);
        let symmetries = SelectionSymmetries::of(selection, &painting);
        let is_marked = d_for.is_some_and(|d_for| d_for.moves() >= MARKED_FROM);
        let mut counts = vec![0; usize::from(depth) + 1];
        let mut found = 0;
        let mut farthest = Vec::new();
        let expected = WITHIN[usize::from(depth)] / symmetries.order;
        let class = |position: &Cube| {
            symmetries.class(&painting, &corners_of(position), &edges_of(position))
        };
        let on_new = |position: &Cube, distance: u8, _| {
            counts[usize::from(distance)] += symmetries.order / class(position).1;
            found += 1;
            if found % (1 << 16) == 0 {
                lab.step(
                    "generating the backward space of a partial problem",
                    found,
                    expected.max(found),
                );
            }
            if is_marked && distance == depth {
                farthest.push(*position);
            }
            Continue(())
        };
        let ball = Ball::around(
            |position| class(position).0,
            &Cube::SOLVED,
            depth,
            0,
            on_new,
            &lab.control,
        )?;
        let next = is_marked.then(|| BallFilter::new(farthest.len() * Move::COUNT));
        if let Some(next) = &next {
            lab.step(
                "marking what lies beyond the backward space",
                0,
                farthest.len() as u64,
            );
            ball.numbers().for_each(|class| next.insert(class));
            let mark = |position: &Cube| {
                Move::ALL
                    .iter()
                    .for_each(|&m| next.insert(class(&position.apply(m)).0))
            };
            let farthest = farthest.par_iter().filter(|_| !lab.control.is_cancelled());
            lab.control.in_pool(|| farthest.for_each(mark))?;
        }
        lab.check()?;
        Ok(PartialProblem {
            painting,
            symmetries,
            depth,
            ball,
            next,
            counts,
        })
    }

    /// Returns the painting of positions.
    pub fn painting(&self) -> &Painting {
        &self.painting
    }

    /// The depth of the backward space.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// Returns the number of painted positions at each distance up to the depth.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Solves the partial problem of an instance: the forward space grows until it meets the
    /// backward space, up to a depth. Where the classes one move beyond the backward space are
    /// marked, the spaces may be one move apart.
    pub fn solve(
        &self,
        instance: &Cube,
        d_for: ForwardDepth,
        control: &Control<'_>,
    ) -> Result<Solved, LabError> {
        let mut length = None;
        let mut last = Vec::new();
        let meet = |position: &Cube, away: u8, _| match self.distance(position) {
            Some(distance) => {
                length = Some(away + distance);
                Break(())
            }
            None => {
                if self.next.is_some() && away == d_for.moves() {
                    last.push(*position);
                }
                Continue(())
            }
        };
        let number = |position: &Cube| self.painting.number(position);
        let forward = Ball::around(number, instance, d_for.moves(), 0, meet, control)?.len();
        let deep = self.depth + d_for.moves();
        if length.is_none()
            && last
                .chunks(512)
                .any(|stretch| !self.up_to_one_beyond(stretch).is_empty())
        {
            length = Some(deep + 1);
        }
        let at_least = length.unwrap_or(deep + 1 + u8::from(self.next.is_some()));
        Ok(Solved {
            length,
            at_least,
            forward,
        })
    }

    /// Returns the distance of a painted position from solved, if it is within the depth.
    #[inline(always)]
    pub fn distance(&self, position: &Cube) -> Option<u8> {
        self.ball.get(self.class(position))
    }

    /// Returns the positions that are at most one move beyond the depth, with their distances.
    fn up_to_one_beyond(&self, positions: &[Cube]) -> Vec<(Cube, u8)> {
        // Numbers are computed first, so that the memory accesses of the marks overlap.
        let classes: Vec<u64> = positions
            .iter()
            .map(|position| self.class(position))
            .collect();
        let may_be = |class: &u64| self.next.as_ref().is_none_or(|next| next.contains(*class));
        let marked: Vec<bool> = classes.iter().map(may_be).collect();
        let is_next = |position: &Cube| {
            Move::ALL
                .iter()
                .any(|&m| self.distance(&position.apply(m)).is_some())
        };
        let distance = |(position, class): (&Cube, u64)| {
            let distance = self
                .ball
                .get(class)
                .or_else(|| is_next(position).then_some(self.depth + 1));
            distance.map(|distance| (*position, distance))
        };
        let marked = positions
            .iter()
            .zip(classes)
            .zip(marked)
            .filter(|(_, marked)| *marked);
        marked
            .filter_map(|(of_class, _)| distance(of_class))
            .collect()
    }

    #[inline(always)]
    fn class(&self, position: &Cube) -> u64 {
        self.symmetries
            .class(&self.painting, &corners_of(position), &edges_of(position))
            .0
    }
}

/// The painted positions fewer than d_for moves from an instance, each with a lower bound on its
/// distance from solved.
pub struct Forward {
    /// By number: the number of moves from the instance, if no more is known; [`NEAR`], if the
    /// backward space has the distance; [`MAX_DISTANCE`] plus the excess of the distance over the
    /// depth of the backward space.
    ball: Ball,
    /// The depth of the backward space.
    d_back: u8,
    d_for: u8,
}

/// Marks a distance that the backward space has.
const NEAR: u8 = 15;

impl Forward {
    /// The forward space of a position to the depth d_for, for a problem with a backward space.
    pub fn new(
        problem: &PartialProblem,
        start: &Cube,
        d_for: ForwardDepth,
        control: &Control<'_>,
    ) -> Result<Forward, LabError> {
        let d_for = d_for.moves();
        let d_back = problem.depth();
        let mut positions = Vec::new();
        let number = |position: &Cube| problem.painting().number(position);
        let on_new = |position: &Cube, _, _| {
            positions.push(*position);
            Continue(())
        };
        let room = WITHIN[usize::from(d_for) - 1] as usize;
        let mut ball = Ball::around(number, start, d_for - 1, room, on_new, control)?;
        let stretches = positions
            .par_chunks(512)
            .filter(|_| !control.is_cancelled());
        let within: Vec<(Cube, u8)> = stretches
            .flat_map_iter(|positions| problem.up_to_one_beyond(positions))
            .collect();
        let mut last = Vec::new();
        for &(position, distance) in &within {
            if distance <= d_back {
                ball.set(number(&position), NEAR);
            } else {
                ball.set(number(&position), MAX_DISTANCE + 1);
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
                    ball.set(number, MAX_DISTANCE + beyond);
                    next.push(position);
                }
            }
            last = next;
        }
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        Ok(Forward {
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
            away if away < MAX_DISTANCE => Some(self.d_back + self.d_for - away + 1),
            distance => Some(self.d_back + distance - MAX_DISTANCE),
        }
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
