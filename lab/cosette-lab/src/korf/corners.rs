//! The corners as two placements and twists, and their pattern database.
//!
//! Four corners have 1,680 placements, in a set of slots and an order each; the other four have the
//! rest of the slots, and an order too.
//!
//! ```text
//! permutation = 24 · (placement of the first four) + (order of the others)
//! index       = 2187 · permutation + (twists of the first seven slots, to the base three)
//! ```
//!
//! A twist is stored with the slot, not with the cubie: so the action of a move on the twists does
//! not depend on the placements, and its action on the placements does not depend on the twists.
//! Two move tables of 60 and 79 KB suffice, which stay in the processor's cache while databases are
//! read; one of all permutations has 1.5 MB, and waiting for it took a quarter of a search.

use crate::pattern::{Pattern, Placements};
use crate::pieces::{TWISTS, twist_number};
use crate::space::Space;
use cosette::cube::{Corner, Cube, Move};
use std::sync::LazyLock;

/// Number of permutations of the corners: 8!.
pub const PERMUTATIONS: usize = 40_320;
/// Number of orders of four corners: 4!.
const ORDERS: usize = 24;
/// Number of sets of four slots: C(8,4).
const SETS: usize = 70;

/// The corners of a position: the placements of the first and of the last four cubies, and the
/// twists in the slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    fours: [u16; 2],
    twist: u16,
}

impl Corners {
    /// Number of arrangements of the corners.
    pub const COUNT: usize = PERMUTATIONS * TWISTS;

    /// Returns the corners of a position.
    pub fn of(position: &Cube) -> Corners {
        let transitions = CornerTransitions::get();
        let four = |first| number_of_four(&transitions.placements, position, first);
        Corners {
            fours: [four(0), four(4)],
            twist: twist_number(position),
        }
    }

    /// The index, 0 to 88,179,839.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.row() * TWISTS + usize::from(self.twist)
    }

    /// The number of the permutation.
    #[inline(always)]
    fn row(self) -> usize {
        let [first, second] = self.fours.map(usize::from);
        first * ORDERS + second % ORDERS
    }

    /// The corners of a permutation, untwisted.
    fn of_row(row: usize) -> Corners {
        let first = row / ORDERS;
        // The complement of the set with rank i has rank 69 − i.
        let second = (SETS - 1 - first / ORDERS) * ORDERS + row % ORDERS;
        Corners {
            fours: [first as u16, second as u16],
            twist: 0,
        }
    }

    /// Applies a move.
    #[inline(always)]
    pub fn turned(self, transitions: &CornerTransitions, m: Move) -> Corners {
        let m = m.index();
        let four = |placement: u16| transitions.fours[usize::from(placement)][m];
        Corners {
            fours: [four(self.fours[0]), four(self.fours[1])],
            twist: transitions.twists[usize::from(self.twist)][m],
        }
    }
}

/// Images of each placement of four corners and of each twist under each move, 139 KB.
pub struct CornerTransitions {
    placements: Placements,
    fours: Vec<[u16; Move::COUNT]>,
    twists: Vec<[u16; Move::COUNT]>,
}

impl CornerTransitions {
    /// The tables; computed at the first call, in a few milliseconds.
    pub fn get() -> &'static CornerTransitions {
        static MOVES: LazyLock<CornerTransitions> = LazyLock::new(|| {
            let placements = Placements::new(4, 8);
            let first = |position: &Cube| number_of_four(&placements, position, 0);
            CornerTransitions {
                fours: Pattern::new(first).turns,
                twists: Pattern::new(twist_number).turns,
                placements,
            }
        });
        &MOVES
    }
}

/// Returns the number of the placement of four corners, of which this is the first.
fn number_of_four(placements: &Placements, position: &Cube, first: usize) -> u16 {
    let slot_of = |cubie: usize| {
        let is_there = |slot: &Corner| position.corner(*slot).0 == Corner::ALL[cubie];
        let slot = Corner::ALL.iter().position(is_there);
        slot.expect("every corner is somewhere") as u8
    };
    placements.number(&[0, 1, 2, 3].map(|i| slot_of(first + i))) as u16
}

/// Permutations are the rows, twists the columns.
pub(super) struct CornerSpace(pub &'static CornerTransitions);

impl Space for CornerSpace {
    fn rows(&self) -> usize {
        PERMUTATIONS
    }

    fn columns(&self) -> usize {
        TWISTS
    }

    fn start(&self) -> (usize, usize) {
        let solved = Corners::of(&Cube::SOLVED);
        (solved.row(), solved.twist.into())
    }

    fn turned(&self, row: usize, m: Move) -> (usize, impl Fn(usize) -> usize) {
        let turned = Corners::of_row(row).turned(self.0, m);
        (turned.row(), move |twist| {
            self.0.twists[twist][m.index()].into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn rows_stand_for_permutations() {
        assert!((0..PERMUTATIONS).all(|row| Corners::of_row(row).row() == row));
        assert_eq!(Corners::of(&Cube::SOLVED).index(), 0);
    }

    #[test]
    fn corners_move_as_positions_do() {
        for position in random_positions(1).take(1000) {
            let corners = Corners::of(&position);
            assert_eq!(corners.fours, Corners::of_row(corners.row()).fours);
            for m in Move::ALL {
                let turned = corners.turned(CornerTransitions::get(), m);
                assert_eq!(turned, Corners::of(&position.apply(m)));
            }
        }
    }
}
