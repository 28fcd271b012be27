//! A partial problem and its backward space: what is seen of the positions near solved.

use super::ball::{Ball, BloomFilter};
use super::painting::Painting;
use super::selection::Selection;
use super::symmetries::SelectionSymmetries;
use crate::error::LabError;
use crate::lab::Lab;
use crate::lee::CUMULATIVE;
use crate::pieces::{corners_of, edges_of};
use cosette::Control;
use cosette::cube::{Cube, Move};
use rayon::prelude::*;
use std::ops::ControlFlow::{Break, Continue};

/// The greatest d_for.
pub(super) const FARTHEST: u8 = 7;

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
        if (1..=FARTHEST).contains(&depth) { Ok(ForwardDepth(depth)) } else { Err(ForwardDepthError(depth)) }
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
    /// forward spaces that it will have ([`Forward`](super::forward::Forward)), if any.
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
        let expected = CUMULATIVE[usize::from(depth).min(CUMULATIVE.len() - 1)] / symmetries.order();
        let class = |position: &Cube| symmetries.class(&painting, &corners_of(position), &edges_of(position));
        let on_new = |position: &Cube, distance: u8| {
            counts[usize::from(distance)] += symmetries.order() / class(position).1;
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

    /// How many classes of them are stored.
    pub fn classes(&self) -> u64 {
        self.ball.len()
    }

    /// How much memory it takes.
    pub fn bytes(&self) -> u64 {
        self.ball.bytes() + self.next.as_ref().map_or(0, BloomFilter::bytes)
    }

    /// Solves the partial problem of an instance: the forward space grows until it meets the backward space, up to a depth.
    /// Where the classes one move beyond the backward space are marked, the spaces may be one move apart.
    pub fn solve(&self, instance: &Cube, d_for: ForwardDepth, control: &Control<'_>) -> Result<Solved, LabError> {
        let (mut length, mut last) = (None, Vec::new());
        let meet = |position: &Cube, away: u8| match self.distance(position) {
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
    pub(super) fn up_to_one_beyond(&self, positions: &[Cube]) -> Vec<(Cube, u8)> {
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
