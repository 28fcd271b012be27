//! Positions as numbers, from 0 to 43,252,003,274,489,855,999, and back.
//!
//! Two numbers make one: that of the corners, the rank of their permutation and their twists in base three, and that of the
//! edges, the same with flips. The last twist and the last flip follow from the others. So does the last digit of the
//! rank of the edges in the factorial base: it is one or zero, and makes the parity that of the corners.

use cosette::cube::{Corner, Cube, Edge};

/// How many bits a number of a position has.
pub const BITS: u32 = 66;

const TWISTS: u64 = 3_u64.pow(7);
const FLIPS: u64 = 1 << 11;
const ORDERS: u64 = 479_001_600 / 2;

/// The number of the corners, 0 to 88,179,839.
#[inline(always)]
pub fn corners(position: &Cube) -> u64 {
    let rank = rank(Corner::ALL.into_iter().map(|slot| position.corner(slot).0.index()), 8);
    let twists = Corner::ALL[..7].iter().fold(0, |twists, &slot| twists * 3 + u64::from(position.corner(slot).1));
    rank * TWISTS + twists
}

/// The number of the edges, 0 to 490,497,638,399.
#[inline(always)]
pub fn edges(position: &Cube) -> u64 {
    let rank = rank(Edge::ALL.into_iter().map(|slot| position.edge(slot).0.index()), 12);
    let flips = Edge::ALL[..11].iter().fold(0, |flips, &slot| flips * 2 + u64::from(position.edge(slot).1));
    rank / 2 * FLIPS + flips
}

/// The number of a position.
#[inline(always)]
pub fn of(position: &Cube) -> u128 {
    u128::from(corners(position)) * u128::from(ORDERS * FLIPS) + u128::from(edges(position))
}

/// The position with this number.
///
/// # Panics
/// If there is none.
pub fn position(number: u128) -> Cube {
    let (high, low) = ((number / u128::from(ORDERS * FLIPS)) as u64, (number % u128::from(ORDERS * FLIPS)) as u64);
    let mut corners: [(u8, u8); 8] = unrank(high / TWISTS).map(|corner| (corner, 0));
    let mut edges: [(u8, u8); 12] = unrank(low / FLIPS * 2).map(|edge| (edge, 0));
    let mut twists = high % TWISTS;
    for slot in (0..7).rev() {
        corners[slot].1 = (twists % 3) as u8;
        twists /= 3;
    }
    corners[7].1 = (21 - corners.iter().map(|corner| corner.1).sum::<u8>()) % 3;
    for (i, edge) in edges[..11].iter_mut().rev().enumerate() {
        edge.1 = (low >> i & 1) as u8;
    }
    edges[11].1 = edges.iter().map(|edge| edge.1).sum::<u8>() % 2;
    let cube = Cube::from_cubies(&corners, &edges);
    cube.unwrap_or_else(|_| {
        // The last two edges change places; flips belong to slots.
        let (last, before) = (edges[11].0, edges[10].0);
        (edges[11].0, edges[10].0) = (before, last);
        Cube::from_cubies(&corners, &edges).expect("all pieces are there once and the sums fit")
    })
}

/// The rank of a permutation in the order of the alphabet. Nibble c of `smaller` counts the numbers below c that are left.
#[inline(always)]
pub fn rank(permutation: impl Iterator<Item = usize>, count: u64) -> u64 {
    let (mut smaller, mut rank) = (0xfedc_ba98_7654_3210_u64, 0);
    for (slot, c) in permutation.enumerate() {
        rank = rank * (count - slot as u64) + (smaller >> (4 * c) & 15);
        smaller = smaller.wrapping_sub(0x1111_1111_1111_1110 << (4 * c));
    }
    rank
}

fn unrank<const N: usize>(mut rank: u64) -> [u8; N] {
    let mut permutation = [0; N];
    for slot in (0..N).rev() {
        let left = (N - slot) as u64;
        permutation[slot] = (rank % left) as u8;
        rank /= left;
        for later in slot + 1..N {
            permutation[later] += u8::from(permutation[later] >= permutation[slot]);
        }
    }
    permutation
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
