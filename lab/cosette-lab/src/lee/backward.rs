//! The positions near solved in memory: those that look different, one of each symmetry class.
//!
//! With all facelets visible these are the *perimeter*, whose 109,043,123 positions within seven
//! moves are of 2,273,804 classes, 1,441,386,411 within eight of 30,035,907. With some they are the
//! backward space of a partial problem.
//!
//! Symmetries of the cube that keep the visible facelets carry painted positions to painted
//! positions as far from solved: they are of one class. A class is numbered by the least of its
//! painted positions, corners first. The image of the arrangement of the kinds of corners under a
//! symmetry depends on nothing else, so the symmetries that minimize each arrangement are known;
//! only those are tried, and on the edges only those that minimize the corners. Numbers are exact
//! and take at most 60 bits: nothing is lost by hashing.

use super::ball::{Ball, BallFilter};
use super::painting::{Painting, Selection};
use super::{Perimeter, WITHIN};
use crate::error::LabError;
use crate::lab::Lab;
use crate::pieces::{
    Conjugation, CornerArrangement, EdgeArrangement, TWISTS, corners_of, corners_with, edges_of,
};
use cosette::Control;
use cosette::cube::{Cube, Face, Move, Symmetry};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::ControlFlow::{Break, Continue};

/// The symmetries that keep a selection.
struct SelectionSymmetries {
    /// Number of these symmetries.
    order: u64,
    /// For each arrangement of the kinds of corners, the number of its class, and the symmetries,
    /// one bit each, that carry it to the least of the class.
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
        let mut classes: Vec<u64> = least.iter().map(|&(lowest, _)| lowest).collect();
        classes.sort_unstable();
        classes.dedup();
        for (lowest, _) in &mut least {
            *lowest = classes.partition_point(|class| class < lowest) as u64;
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
        (least * painting.edge_states() + least_edges, times)
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

/// The painted positions within a depth of solved, one of each symmetry class.
pub struct BackwardSpace {
    painting: Painting,
    symmetries: SelectionSymmetries,
    depth: u8,
    ball: Ball,
    /// The classes to one move beyond the depth, and a few others, if they are marked.
    next: Option<BallFilter>,
    /// Number of painted positions of each distance, counting all members of a class.
    counts: Vec<u64>,
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

impl BackwardSpace {
    /// The maximum depth with all facelets visible; depth nine would take 4 GB.
    pub const MAX_DEPTH: u8 = 8;

    /// The perimeter: all positions within `depth` moves of solved; 24 MB and a second or two for
    /// seven.
    ///
    /// # Panics
    /// Panics if the depth is more than [`BackwardSpace::MAX_DEPTH`].
    pub fn perimeter(depth: u8, lab: &Lab<'_>) -> Result<BackwardSpace, LabError> {
        let control = lab.control.step("generating the perimeter");
        BackwardSpace::perimeter_visiting(depth, &control, &mut |_, _| {})
    }

    /// Builds the perimeter; `on_class` is called with a position of each class and its
    /// distance.
    pub(super) fn perimeter_visiting(
        depth: u8,
        control: &Control<'_>,
        on_class: &mut dyn FnMut(&Cube, u8),
    ) -> Result<BackwardSpace, LabError> {
        assert!(
            depth <= BackwardSpace::MAX_DEPTH,
            "positions within {depth} moves take too much memory"
        );
        BackwardSpace::visiting(Selection::faces(&Face::ALL), depth, control, on_class)
    }

    /// The backward space of the problem in which these facelets are visible. If the classes one
    /// move beyond the depth `are_marked`, which takes as long as a forward space of seven moves,
    /// forward spaces are generated faster.
    pub fn new(
        selection: Selection,
        depth: u8,
        are_marked: bool,
        lab: &Lab<'_>,
    ) -> Result<BackwardSpace, LabError> {
        let step = "generating the backward space of a partial problem";
        let mut farthest = Vec::new();
        let mut on_class = |position: &Cube, distance: u8| {
            if are_marked && distance == depth {
                farthest.push(*position);
            }
        };
        let mut space =
            BackwardSpace::visiting(selection, depth, &lab.control.step(step), &mut on_class)?;
        if are_marked {
            let step = "marking positions beyond the backward space";
            lab.step(step, 0, farthest.len() as u64);
            let next = BallFilter::new(farthest.len() * Move::COUNT);
            space.ball.numbers().for_each(|class| next.insert(class));
            let mark = |position: &Cube| {
                Move::ALL
                    .iter()
                    .for_each(|&m| next.insert(space.class(&position.apply(m))))
            };
            let farthest = farthest.par_iter().filter(|_| !lab.control.is_cancelled());
            lab.control.in_pool(|| farthest.for_each(mark))?;
            space.next = Some(next);
        }
        lab.check()?;
        Ok(space)
    }

    fn visiting(
        selection: Selection,
        depth: u8,
        control: &Control<'_>,
        on_class: &mut dyn FnMut(&Cube, u8),
    ) -> Result<BackwardSpace, LabError> {
        let painting = Painting::new(selection);
        let symmetries = SelectionSymmetries::of(selection, &painting);
        let mut counts = vec![0; usize::from(depth) + 1];
        let mut found = 0;
        // A few classes have fewer members than there are symmetries.
        let expected = WITHIN[usize::from(depth)] / symmetries.order;
        let room = if selection == Selection::faces(&Face::ALL) {
            expected + expected / 100
        } else {
            0
        };
        let class = |position: &Cube| {
            symmetries.class(&painting, &corners_of(position), &edges_of(position))
        };
        let on_new = |position: &Cube, distance: u8| {
            counts[usize::from(distance)] += symmetries.order / class(position).1;
            found += 1;
            if found % (1 << 16) == 0 {
                control.report(found, expected.max(found));
            }
            on_class(position, distance);
            Continue(())
        };
        let number = |position: &Cube| class(position).0;
        let ball = Ball::around(number, &Cube::SOLVED, depth, room as usize, on_new, control)?;
        Ok(BackwardSpace {
            painting,
            symmetries,
            depth,
            ball,
            next: None,
            counts,
        })
    }

    /// Returns the painting of positions.
    pub fn painting(&self) -> &Painting {
        &self.painting
    }

    /// Returns the number of painted positions at each distance up to the depth.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of classes at each distance.
    pub fn class_counts(&self) -> &[u64] {
        self.ball.counts()
    }

    /// Solves the partial problem of an instance: the forward space grows until it meets the
    /// backward space, up to a depth.
    pub fn solve(
        &self,
        instance: &Cube,
        d_for: u8,
        control: &Control<'_>,
    ) -> Result<PartialSearchResult, LabError> {
        let mut length = None;
        let meet = |position: &Cube, away: u8| match self.get(position) {
            Some(distance) => {
                length = Some(away + distance);
                Break(())
            }
            None => Continue(()),
        };
        let number = |position: &Cube| self.painting.number(position);
        let forward = Ball::around(number, instance, d_for, 0, meet, control)?.len();
        Ok(PartialSearchResult {
            length,
            at_least: length.unwrap_or(self.depth + d_for + 1),
            forward,
        })
    }

    /// Returns the distance of a painted position from solved, if it is within the depth.
    #[inline(always)]
    pub fn get(&self, position: &Cube) -> Option<u8> {
        self.ball.get(self.class(position))
    }

    /// Returns the positions that are at most one move beyond the depth, with their distances.
    pub(super) fn up_to_one_beyond(&self, positions: &[Cube]) -> Vec<(Cube, u8)> {
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
                .any(|&m| self.get(&position.apply(m)).is_some())
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

impl Perimeter for BackwardSpace {
    fn depth(&self) -> u8 {
        self.depth
    }

    #[inline]
    fn distance(&self, position: &Cube) -> Result<Option<u8>, LabError> {
        Ok(self.get(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classes_of_whole_positions_fit() {
        let all = Selection::faces(&Face::ALL);
        let painting = Painting::new(all);
        assert_eq!(painting.states(), 43_252_003_274_489_856_000);
        let symmetries = SelectionSymmetries::of(all, &painting);
        let classes = symmetries.least.iter().map(|least| least.0).max();
        assert_eq!(classes, Some(983));
        assert!(984 * TWISTS as u64 * painting.edge_states() < 1 << 60);
    }
}
