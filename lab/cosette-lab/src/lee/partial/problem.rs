//! A partial problem: its backward space, of what is seen of the positions near solved, and the forward space of an instance,
//! of what is seen of the positions near it.
//!
//! # Symmetries
//!
//! Symmetries of the cube that keep the selection carry painted positions to painted positions as far from solved: they
//! are of one class. A class is numbered by the least of its painted positions, corners first. What a symmetry makes of the
//! arrangement of the kinds of corners depends on nothing else, so for each arrangement it is known which symmetries make the
//! least of it; only those are tried, and on the edges only those that make the least of the corners.
//!
//! # The forward space
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

use super::painting::{Painting, Selection};
use crate::error::LabError;
use crate::lab::Lab;
use crate::lee::WITHIN;
use crate::lee::ball::{Ball, BloomFilter};
use crate::pieces::{Conjugation, CornerArrangement, EdgeArrangement, TWISTS, corners_of, corners_with, edges_of};
use cosette::Control;
use cosette::cube::{Cube, Move, Symmetry};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::ControlFlow::{Break, Continue};

/// The symmetries that keep a selection.
struct SelectionSymmetries {
    /// How many there are.
    order: u64,
    /// For each arrangement of the kinds of corners the least that they make of it, and those, one bit each, that do.
    least: Vec<(u64, u64)>,
}

impl SelectionSymmetries {
    /// Those of a selection that is painted so.
    fn of(selection: Selection, painting: &Painting) -> SelectionSymmetries {
        let symmetries: Vec<Symmetry> = Symmetry::all().filter(|&s| selection.conjugate(s) == selection).collect();
        let mut least = vec![(0, 0); painting.corner_arrangements()];
        for corners in (0..40_320).map(|order| corners_with(order * TWISTS as u64)) {
            let (lowest, those) = &mut least[painting.corner_arrangement(&corners) as usize];
            if *those == 0 {
                let image = |s: &Symmetry| painting.corner_arrangement(&Conjugation::by(s.index()).corners(&corners));
                *lowest = symmetries.iter().map(image).min().expect("the identity keeps every selection");
                *those = symmetries.iter().filter(|s| image(s) == *lowest).map(|s| 1 << s.index()).sum();
            }
        }
        SelectionSymmetries { order: symmetries.len() as u64, least }
    }

    /// The number of the class of a painted position, and how many symmetries fix it as it is painted.
    #[inline(always)]
    fn class(&self, painting: &Painting, corners: &CornerArrangement, edges: &EdgeArrangement) -> (u64, u64) {
        let (arrangement, those) = self.least[painting.corner_arrangement(corners) as usize];
        let (mut least, mut ties) = (u64::MAX, 0_u64);
        for s in bits(those) {
            let number = painting.corner_number(arrangement, &Conjugation::by(s).corners(corners));
            match number.cmp(&least) {
                Ordering::Less => (least, ties) = (number, 1 << s),
                Ordering::Equal => ties |= 1 << s,
                Ordering::Greater => {}
            }
        }
        let (mut least_edges, mut times) = (u64::MAX, 0);
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

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(mut left: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        next
    })
}

/// The greatest d_for.
const FARTHEST: u8 = 7;

/// How deep a forward space is: the paper's d_for, 1 to 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForwardDepth(u8);

impl ForwardDepth {
    /// The depth of so many moves.
    ///
    /// # Panics
    /// If that is not 1 to 7.
    pub fn of(moves: u8) -> ForwardDepth {
        assert!((1..=FARTHEST).contains(&moves), "a forward space of depth {moves}");
        ForwardDepth(moves)
    }

    /// The depth in moves.
    pub const fn moves(self) -> u8 {
        self.0
    }
}

/// A partial problem with its backward space: the painted positions within a depth of solved, one of each symmetry class.
pub struct Problem {
    painting: Painting,
    symmetries: SelectionSymmetries,
    depth: u8,
    ball: Ball,
    /// The classes to one move beyond the depth, and a few others; none where it would not pay.
    next: Option<BloomFilter>,
    /// How many painted positions there are of each distance, not only one of each class.
    counts: Vec<u64>,
}

/// Forward spaces of this many moves or more are generated faster where the classes one move beyond the backward space are
/// marked, which takes as long as one of them.
const MARKED_FROM: u8 = 6;

/// What a bidirectional search for the solution of a partial problem has found.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// The length of the shortest solution; none where the two spaces did not meet.
    pub length: Option<u8>,
    /// That length, or one more than the greatest that would have been found.
    pub at_least: u8,
    /// How many painted positions the forward space has.
    pub forward: u64,
}

impl Problem {
    /// The problem in which these facelets are seen, with all that lies within `depth` of solved. `d_for` is the depth of the
    /// forward spaces that it will have ([`Forward`]), if any.
    pub fn new(
        selection: Selection,
        depth: u8,
        d_for: Option<ForwardDepth>,
        lab: &Lab<'_>,
    ) -> Result<Problem, LabError> {
        let painting = Painting::new(selection);
        let symmetries = SelectionSymmetries::of(selection, &painting);
        let is_marked = d_for.is_some_and(|d_for| d_for.moves() >= MARKED_FROM);
        let mut counts = vec![0; usize::from(depth) + 1];
        let (mut found, mut farthest) = (0, Vec::new());
        let expected = WITHIN[usize::from(depth)] / symmetries.order;
        let class = |position: &Cube| symmetries.class(&painting, &corners_of(position), &edges_of(position));
        let on_new = |position: &Cube, distance: u8, _| {
            counts[usize::from(distance)] += symmetries.order / class(position).1;
            found += 1;
            if found % (1 << 16) == 0 {
                lab.step("generating the backward space of a partial problem", found, expected.max(found));
            }
            if is_marked && distance == depth {
                farthest.push(*position);
            }
            Continue(())
        };
        let ball = Ball::around(|position| class(position).0, &Cube::SOLVED, depth, 0, on_new, &lab.control)?;
        let next = is_marked.then(|| BloomFilter::new(farthest.len() * Move::COUNT));
        if let Some(next) = &next {
            lab.step("marking what lies beyond the backward space", 0, farthest.len() as u64);
            ball.numbers().for_each(|class| next.insert(class));
            let mark = |position: &Cube| Move::ALL.iter().for_each(|&m| next.insert(class(&position.turned(m)).0));
            let farthest = farthest.par_iter().filter(|_| !lab.control.is_cancelled());
            lab.control.in_pool(|| farthest.for_each(mark))?;
        }
        lab.check()?;
        Ok(Problem { painting, symmetries, depth, ball, next, counts })
    }

    /// How positions are painted.
    pub fn painting(&self) -> &Painting {
        &self.painting
    }

    /// The depth of the backward space.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// How many painted positions there are at each distance up to the depth.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Solves the partial problem of an instance: the forward space grows until it meets the backward space, up to a depth.
    /// Where the classes one move beyond the backward space are marked, the spaces may be one move apart.
    pub fn solve(&self, instance: &Cube, d_for: ForwardDepth, control: &Control<'_>) -> Result<Solved, LabError> {
        let (mut length, mut last) = (None, Vec::new());
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
        if length.is_none() && last.chunks(512).any(|stretch| !self.up_to_one_beyond(stretch).is_empty()) {
            length = Some(deep + 1);
        }
        let at_least = length.unwrap_or(deep + 1 + u8::from(self.next.is_some()));
        Ok(Solved { length, at_least, forward })
    }

    /// How far from solved a position is as it is painted, where that is within the depth.
    #[inline(always)]
    pub fn distance(&self, position: &Cube) -> Option<u8> {
        self.ball.get(self.class(position))
    }

    /// Those of the positions that are at most one move farther than the depth, with their distances.
    fn up_to_one_beyond(&self, positions: &[Cube]) -> Vec<(Cube, u8)> {
        // Numbers first, so that the memory of one mark is not waited for before the next is asked for.
        let classes: Vec<u64> = positions.iter().map(|position| self.class(position)).collect();
        let may_be = |class: &u64| self.next.as_ref().is_none_or(|next| next.contains(*class));
        let marked: Vec<bool> = classes.iter().map(may_be).collect();
        let is_next = |position: &Cube| Move::ALL.iter().any(|&m| self.distance(&position.turned(m)).is_some());
        let distance = |(position, class): (&Cube, u64)| {
            let distance = self.ball.get(class).or_else(|| is_next(position).then_some(self.depth + 1));
            distance.map(|distance| (*position, distance))
        };
        let marked = positions.iter().zip(classes).zip(marked).filter(|(_, marked)| *marked);
        marked.filter_map(|(of_class, _)| distance(of_class)).collect()
    }

    #[inline(always)]
    fn class(&self, position: &Cube) -> u64 {
        self.symmetries.class(&self.painting, &corners_of(position), &edges_of(position)).0
    }
}

/// What is seen of the positions fewer than d_for moves from an instance, each with what is known of its distance from
/// solved.
pub struct Forward {
    /// By number: how many moves from the instance, where no more is known; [`NEAR`], where the backward space knows
    /// the distance; [`FARTHEST`] plus how much the distance exceeds the depth of the backward space.
    ball: Ball,
    /// The depth of the backward space.
    d_back: u8,
    d_for: u8,
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
        let on_new = |position: &Cube, _, _| {
            positions.push(*position);
            Continue(())
        };
        let room = WITHIN[usize::from(d_for) - 1] as usize;
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
        Ok(Forward { ball, d_back, d_for })
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

    /// How many painted positions are stored.
    pub fn states(&self) -> u64 {
        self.ball.len()
    }

    /// How much memory they take.
    pub fn bytes(&self) -> u64 {
        self.ball.bytes()
    }
}
