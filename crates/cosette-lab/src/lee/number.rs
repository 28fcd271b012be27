//! Positions as numbers, from 0 to 43,252,003,274,489,855,999, and back.
//!
//! Two numbers make one: that of the corners, the rank of their permutation and their twists in base three, and that of the
//! edges, the same with flips. The last twist and the last flip follow from the others. So does the last digit of the
//! rank of the edges in the factorial base: it is one or zero, and makes the parity that of the corners.

use super::pieces::{corner_number, corners_of, corners_with, edge_number, edges_of, edges_with, position_of};
use cosette::cube::Cube;

/// How many bits a number of a position has.
pub const BITS: u32 = 66;
/// How many numbers of edges there are.
pub const EDGES: u64 = 479_001_600 / 2 * 2048;

/// The number of the corners, 0 to 88,179,839.
#[inline(always)]
pub fn corners(position: &Cube) -> u64 {
    corner_number(&corners_of(position))
}

/// The number of the edges, 0 to 490,497,638,399.
#[inline(always)]
pub fn edges(position: &Cube) -> u64 {
    let number = edge_number(&edges_of(position));
    number >> 12 << 11 | number & 0x7ff
}

/// The number of a position.
#[inline(always)]
pub fn of(position: &Cube) -> u128 {
    u128::from(corners(position)) * u128::from(EDGES) + u128::from(edges(position))
}

/// The position with this number.
///
/// # Panics
/// If there is none.
pub fn position(number: u128) -> Cube {
    let [corners, edges] = [number / u128::from(EDGES), number % u128::from(EDGES)].map(|number| number as u64);
    let (corners, mut edges) = (corners_with(corners), edges_with(edges >> 11 << 12 | edges & 0x7ff));
    position_of(corners, edges).unwrap_or_else(|| {
        // The last two edges change places; flips belong to slots.
        let [before, last] = [edges[10], edges[11]];
        (edges[10], edges[11]) = (last % 12 + before / 12 * 12, before % 12 + last / 12 * 12);
        position_of(corners, edges).expect("all pieces are there once and the sums fit")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn there_and_back() {
        let largest = 43_252_003_274_489_856_000;
        assert_eq!(of(&Cube::SOLVED), 0);
        for position in random_positions(2).take(10_000) {
            let number = of(&position);
            assert!(number < largest && number >> BITS == 0);
            assert_eq!(super::position(number), position);
        }
        let mut number = 1_u128;
        while number < largest {
            assert_eq!(of(&super::position(number)), number);
            assert_eq!(of(&super::position(largest - number)), largest - number);
            number = number * 7 + 3;
        }
    }
}
