//! The symmetries of a partial problem.
//!
//! Symmetries of the cube that keep the selection carry painted positions to painted positions as far from solved: they
//! are of one class. A class is numbered by the least of its painted positions, corners first. What a symmetry makes of the
//! arrangement of the kinds of corners depends on nothing else, so for each arrangement it is known which symmetries make the
//! least of it; only those are tried, and on the edges only those that make the least of the corners.

use super::painting::Painting;
use super::selection::Selection;
use crate::pieces::{Conjugation, CornerArrangement, EdgeArrangement};
use cosette::cube::{Corner, Symmetry};
use std::cmp::Ordering;

/// The symmetries that keep a selection.
pub(super) struct SelectionSymmetries {
    order: u64,
    /// For each arrangement of the kinds of corners the least that they make of it, and those, one bit each, that do.
    least: Vec<(u64, u64)>,
}

impl SelectionSymmetries {
    /// Those of a selection that is painted so.
    pub fn of(selection: Selection, painting: &Painting) -> SelectionSymmetries {
        let symmetries: Vec<Symmetry> = Symmetry::all().filter(|&s| selection.conjugate(s) == selection).collect();
        let mut least = vec![(0, 0); painting.corner_arrangements()];
        let mut corners: CornerArrangement = std::array::from_fn(|i| i as u8);
        each_order(&mut corners, 0, &mut |corners| {
            let (lowest, those) = &mut least[painting.corner_arrangement(corners) as usize];
            if *those == 0 {
                let image = |s: &Symmetry| painting.corner_arrangement(&Conjugation::by(s.index()).corners(corners));
                *lowest = symmetries.iter().map(image).min().expect("the identity keeps every selection");
                *those = symmetries.iter().filter(|s| image(s) == *lowest).map(|s| 1 << s.index()).sum();
            }
        });
        SelectionSymmetries { order: symmetries.len() as u64, least }
    }

    /// How many there are.
    pub fn order(&self) -> u64 {
        self.order
    }

    /// The number of the class of a painted position, and how many symmetries fix it as it is painted.
    #[inline(always)]
    pub fn class(&self, painting: &Painting, corners: &CornerArrangement, edges: &EdgeArrangement) -> (u64, u64) {
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

/// Calls `visit` with every order of the corners.
fn each_order(corners: &mut CornerArrangement, from: usize, visit: &mut impl FnMut(&CornerArrangement)) {
    if from == Corner::COUNT {
        return visit(corners);
    }
    for i in from..Corner::COUNT {
        corners.swap(from, i);
        each_order(corners, from + 1, visit);
        corners.swap(from, i);
    }
}
