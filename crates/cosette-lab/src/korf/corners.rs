//! The corners as permutation and twist, and their pattern database.
//!
//! ```text
//! index = 2187 · (rank of the permutation, 0 … 40,319) + (twists of the first seven slots, to the base three)
//! ```
//!
//! A twist is kept with the slot, not with the cubie: so a move does to the twists of all permutations the same, and to
//! the permutations of all twists. Two small tables of moves are enough.

use crate::error::LabError;
use crate::lab::LabTable;
use crate::packed::{FourBits, Packed};
use crate::space::{self, Columns, Space};
use cosette::cube::{Corner, Cube, Metric, Move};
use cosette::table::numbering;
use cosette::{Cancel, OnProgress};
use std::num::NonZeroUsize;
use std::sync::LazyLock;

/// How many permutations of the corners there are: 8!.
pub const PERMUTATIONS: usize = 40_320;
/// How many twists of the corners there are: 3⁷; the eighth follows.
pub const TWISTS: usize = 2_187;

/// The corners of a position: which cubie is where, and how it is twisted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corners {
    permutation: u16,
    twist: u16,
}

impl Corners {
    /// How many there are.
    pub const COUNT: usize = PERMUTATIONS * TWISTS;

    /// Those of a position.
    pub fn of(position: &Cube) -> Corners {
        let cubies = Corner::ALL.map(|slot| position.corner(slot).0.index() as u8);
        let twists = Corner::ALL.map(|slot| position.corner(slot).1);
        Corners { permutation: rank(&cubies), twist: twist_number(&twists) }
    }

    /// The index, 0 to 88,179,839.
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.permutation) * TWISTS + usize::from(self.twist)
    }

    /// What a move makes of them.
    #[inline(always)]
    pub fn turned(self, moves: &CornerMoves, m: Move) -> Corners {
        Corners { permutation: moves.permutations(self)[m.index()], twist: moves.twists(self)[m.index()] }
    }
}

/// What each move makes of each permutation and of each twist, 1.5 MB.
pub struct CornerMoves {
    permutations: Vec<[u16; Move::COUNT]>,
    twists: Vec<[u16; Move::COUNT]>,
}

impl CornerMoves {
    /// The tables; computed at the first call, in some hundredths of a second.
    pub fn get() -> &'static CornerMoves {
        static MOVES: LazyLock<CornerMoves> = LazyLock::new(|| {
            let permutations = (0..PERMUTATIONS as u16).map(unrank);
            let twists = (0..TWISTS as u16).map(twists_numbered);
            CornerMoves {
                permutations: permutations.map(|cubies| Move::ALL.map(|m| rank(&moved(&cubies, m)))).collect(),
                twists: twists.map(|twists| Move::ALL.map(|m| twist_number(&twisted(&twists, m)))).collect(),
            }
        });
        &MOVES
    }

    /// The permutations that the eighteen moves lead to.
    #[inline(always)]
    fn permutations(&self, corners: Corners) -> &[u16; Move::COUNT] {
        &self.permutations[usize::from(corners.permutation)]
    }

    /// The twists that the eighteen moves lead to.
    #[inline(always)]
    fn twists(&self, corners: Corners) -> &[u16; Move::COUNT] {
        &self.twists[usize::from(corners.twist)]
    }

    /// The corners that each move leads to.
    #[inline(always)]
    pub fn all(&self, corners: Corners) -> impl Fn(Move) -> Corners + use<'_> {
        let (permutations, twists) = (self.permutations(corners), self.twists(corners));
        |m| Corners { permutation: permutations[m.index()], twist: twists[m.index()] }
    }
}

/// The rank of a permutation among all in lexicographic order.
fn rank(cubies: &[u8; 8]) -> u16 {
    (0..8).fold(0, |rank, slot| {
        let lower = cubies[slot + 1..].iter().filter(|&&later| later < cubies[slot]).count();
        rank * (8 - slot as u16) + lower as u16
    })
}

/// The permutation of this rank.
fn unrank(mut rank: u16) -> [u8; 8] {
    let mut digits = [0; 8];
    for slot in (0..8).rev() {
        digits[slot] = usize::from(rank % (8 - slot as u16));
        rank /= 8 - slot as u16;
    }
    let mut left: Vec<u8> = (0..8).collect();
    digits.map(|digit| left.remove(digit))
}

fn twist_number(twists: &[u8; 8]) -> u16 {
    twists[..7].iter().rev().fold(0, |number, &twist| 3 * number + u16::from(twist))
}

fn twists_numbered(mut number: u16) -> [u8; 8] {
    let mut twists = [0; 8];
    for twist in &mut twists[..7] {
        *twist = (number % 3) as u8;
        number /= 3;
    }
    twists[7] = (21 - twists.iter().sum::<u8>()) % 3;
    twists
}

fn moved(cubies: &[u8; 8], m: Move) -> [u8; 8] {
    Corner::ALL.map(|slot| cubies[Cube::of_move(m).corner(slot).0.index()])
}

fn twisted(twists: &[u8; 8], m: Move) -> [u8; 8] {
    Corner::ALL.map(|slot| {
        let (from, twist) = Cube::of_move(m).corner(slot);
        (twists[from.index()] + twist) % 3
    })
}

/// The pattern database of the corners.
#[derive(Clone, Copy, Debug)]
pub struct CornerDatabase {
    /// The metric of its distances.
    pub metric: Metric,
}

impl LabTable for CornerDatabase {
    fn name(&self) -> String {
        format!("korf-corners-{}", self.metric)
    }

    fn bytes(&self) -> usize {
        FourBits::bytes(Corners::COUNT)
    }

    fn numbering(&self) -> u64 {
        numbering(|position| Corners::of(position).index() as u64)
    }

    fn generate(
        &self,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<Packed, LabError> {
        let space = CornerSpace(CornerMoves::get());
        FourBits::pack(&space::distances(&space, self.metric, threads, on_progress, cancel)?, threads)
    }
}

/// Permutations are the rows, twists the columns.
struct CornerSpace(&'static CornerMoves);

impl Space for CornerSpace {
    type Columns<'a> = Twisting<'a>;

    fn rows(&self) -> usize {
        PERMUTATIONS
    }

    fn columns(&self) -> usize {
        TWISTS
    }

    fn start(&self) -> (usize, usize) {
        let Corners { permutation, twist } = Corners::of(&Cube::SOLVED);
        (permutation.into(), twist.into())
    }

    fn turned(&self, row: usize, m: Move) -> (usize, Twisting<'_>) {
        (self.0.permutations[row][m.index()].into(), Twisting { twists: &self.0.twists, m })
    }
}

/// What a move makes of the twists.
struct Twisting<'a> {
    twists: &'a [[u16; Move::COUNT]],
    m: Move,
}

impl Columns for Twisting<'_> {
    #[inline(always)]
    fn image(&self, column: usize) -> usize {
        self.twists[column][self.m.index()].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn numbers_stand_for_permutations_and_twists() {
        assert!((0..PERMUTATIONS as u16).all(|number| rank(&unrank(number)) == number));
        assert!((0..TWISTS as u16).all(|number| twist_number(&twists_numbered(number)) == number));
        assert_eq!(Corners::of(&Cube::SOLVED).index(), 0);
    }

    #[test]
    fn corners_move_as_positions_do() {
        for position in random_positions(1).take(1000) {
            for m in Move::ALL {
                let corners = Corners::of(&position).turned(CornerMoves::get(), m);
                assert_eq!(corners, Corners::of(&position.turned(m)));
                assert_eq!(CornerMoves::get().all(Corners::of(&position))(m), corners);
            }
        }
    }
}
