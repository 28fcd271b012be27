//! A perimeter in memory: one position of each symmetry class, in eight bytes.
//!
//! The 48 symmetries leave 2,273,804 classes of the 109,043,123 positions within seven moves,
//! 30,035,907 of the 1,441,386,411 within eight. A class is represented by its lowest member among
//! those with the lowest permutation of corners. There are 984 such permutations, so with 3⁷ twists
//! and half of 12!·2¹¹ edges a class has a number below 2⁶⁰, and the remaining bits hold its
//! distance: nothing is lost by hashing.

use super::ball::Ball;
use super::{BackwardSpace, MAX_DEPTH};
use crate::error::LabError;
use crate::lab::Lab;
use crate::pieces::{Conjugation, corner_number, corners_of, corners_with, edge_number, edges_of};
use cosette::Control;
use cosette::cube::{Cube, Move, Symmetry};
use std::ops::ControlFlow::Continue;

/// All positions within a depth of solved, in the half-turn metric, by symmetry classes.
pub struct SolvedPerimeter {
    depth: u8,
    ball: Ball,
    permutations: Permutations,
}

/// The action of symmetries on the permutations of the corners.
struct Permutations {
    /// By the rank of a permutation: the number of its class, and the symmetries, one bit each,
    /// that make it the lowest.
    of: Vec<(u16, u64)>,
}

impl Permutations {
    fn new() -> Permutations {
        let mut of = vec![(0, 0); 40_320];
        let mut classes = 0;
        for at in 0..of.len() {
            if of[at].1 != 0 {
                continue;
            }
            // The first permutation of a class is the lowest.
            let lowest = corners_with(at as u64 * TWISTS);
            for s in Symmetry::all() {
                let image = Conjugation::by(s.index()).corners(&lowest);
                let entry = &mut of[(corner_number(&image) / TWISTS) as usize];
                *entry = (classes, entry.1 | 1 << s.inverse().index());
            }
            classes += 1;
        }
        Permutations { of }
    }

    /// The number of the class of a position: below 984 · 3⁷ · 12!/2 · 2¹¹ < 2⁶⁰.
    #[inline(always)]
    fn class(&self, position: &Cube) -> u64 {
        let corners = corners_of(position);
        let edges = edges_of(position);
        let (class, mut left) = self.of[(corner_number(&corners) / TWISTS) as usize];
        let mut least = u64::MAX;
        while left != 0 {
            let conjugation = Conjugation::by(left.trailing_zeros() as usize);
            let twists = corner_number(&conjugation.corners(&corners)) % TWISTS;
            // The parity of the edges is that of the corners, so half of the ranks suffice.
            let edges = edge_number(&conjugation.edges(&edges));
            least = least.min(twists * EDGES + (edges >> 12 << 11 | edges & 0x7ff));
            left &= left - 1;
        }
        u64::from(class) * (TWISTS * EDGES) + least
    }
}

const TWISTS: u64 = 3_u64.pow(7);
/// Number of arrangements of the edges, given that of the corners.
const EDGES: u64 = 479_001_600 / 2 * 2048;

impl SolvedPerimeter {
    /// All positions within `depth` moves of solved: 29 MB and a second or two for seven.
    ///
    /// # Panics
    /// Panics if the depth is more than [`MAX_DEPTH`].
    pub fn new(depth: u8, lab: &Lab<'_>) -> Result<SolvedPerimeter, LabError> {
        SolvedPerimeter::visiting(
            depth,
            &lab.control.step("generating the perimeter"),
            &mut |_, _, _| {},
        )
    }

    /// Builds the perimeter; `on_class` is called with a position of each class, its distance, and
    /// the move that leads there from a nearer one.
    pub(super) fn visiting(
        depth: u8,
        control: &Control<'_>,
        on_class: &mut dyn FnMut(&Cube, u8, Option<Move>),
    ) -> Result<SolvedPerimeter, LabError> {
        assert!(
            depth <= MAX_DEPTH,
            "positions within {depth} moves take too much memory"
        );
        let expected =
            [1, 3, 12, 87, 1_021, 13_098, 172_229, 2_273_804, 30_035_907][usize::from(depth)];
        let permutations = Permutations::new();
        let mut found = 0;
        let on_new = |position: &Cube, distance: u8, last: Option<Move>| {
            found += 1;
            if found % (1 << 16) == 0 || found == expected {
                control.report(found, expected);
            }
            on_class(position, distance, last);
            Continue(())
        };
        let class = |position: &Cube| permutations.class(position);
        let ball = Ball::around(
            class,
            &Cube::SOLVED,
            depth,
            expected as usize,
            on_new,
            control,
        )?;
        Ok(SolvedPerimeter {
            depth,
            ball,
            permutations,
        })
    }

    /// Returns the number of classes at each distance.
    pub fn counts(&self) -> &[u64] {
        self.ball.counts()
    }

    /// Returns the memory use in bytes.
    pub fn bytes(&self) -> u64 {
        self.ball.bytes()
    }
}

impl BackwardSpace for SolvedPerimeter {
    fn depth(&self) -> u8 {
        self.depth
    }

    #[inline]
    fn distance(&self, position: &Cube) -> Result<Option<u8>, LabError> {
        Ok(self.ball.get(self.permutations.class(position)))
    }

    fn solution(&self, position: &Cube) -> Result<Option<Vec<Move>>, LabError> {
        let mut position = *position;
        let mut moves = Vec::new();
        let Some(distance) = self.distance(&position)? else {
            return Ok(None);
        };
        for distance in (0..distance).rev() {
            let is_closer = |m: &Move| {
                self.distance(&position.apply(*m))
                    .is_ok_and(|found| found == Some(distance))
            };
            let m = Move::ALL
                .into_iter()
                .find(is_closer)
                .expect("a move leads closer");
            position = position.apply(m);
            moves.push(m);
        }
        Ok(Some(moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Edge;

    #[test]
    fn edges_and_corners_fit() {
        let orders = (1..=Edge::COUNT as u64).product::<u64>();
        assert_eq!(EDGES, orders / 2 * (1 << (Edge::COUNT - 1)));
        assert_eq!(
            Permutations::new().of.iter().map(|entry| entry.0).max(),
            Some(983)
        );
        const { assert!(984 * TWISTS * EDGES < 1 << 60) };
    }
}
