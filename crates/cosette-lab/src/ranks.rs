//! Numbers of permutations, and of the twists of the corners.

use cosette::cube::{Corner, Cube, Move};

/// How many twists the corners have: 3⁷, for the eighth follows from seven.
pub const TWISTS: usize = 2_187;

/// The number of a permutation among all, in lexicographic order.
#[inline(always)]
pub(crate) fn rank<const N: usize>(permutation: &[u8; N]) -> u64 {
    let (mut rank, mut left) = (0, (1u32 << N) - 1);
    for (i, &cubie) in permutation.iter().enumerate() {
        rank = rank * (N - i) as u64 + u64::from((left & ((1 << cubie) - 1)).count_ones());
        left &= !(1 << cubie);
    }
    rank
}

/// The permutation with this number, of at most twelve.
pub(crate) fn unrank<const N: usize>(mut rank: u64) -> [u8; N] {
    let mut permutation = [0; N];
    for i in (0..N).rev() {
        permutation[i] = (rank % (N - i) as u64) as u8;
        rank /= (N - i) as u64;
    }
    // The cubies left, in order, four bits each.
    let mut left = 0xba98_7654_3210u64;
    for cubie in &mut permutation {
        let at = 4 * u32::from(*cubie);
        *cubie = (left >> at & 15) as u8;
        left = (left & ((1 << at) - 1)) | (left >> 4 & !((1 << at) - 1));
    }
    permutation
}

/// The number of these twists: digits to the base three, the first slot lowest.
pub(crate) fn twist_number(twists: &[u8; 8]) -> u16 {
    twists[..7].iter().rev().fold(0, |number, &twist| 3 * number + u16::from(twist))
}

/// The twists with this number.
pub(crate) fn twists_numbered(mut number: u16) -> [u8; 8] {
    let mut twists = [0; 8];
    for twist in &mut twists[..7] {
        *twist = (number % 3) as u8;
        number /= 3;
    }
    twists[7] = (21 - twists.iter().sum::<u8>()) % 3;
    twists
}

/// The number of the twists after a move.
pub(crate) fn twist_turned(number: u16, m: Move) -> u16 {
    let twists = twists_numbered(number);
    twist_number(&Corner::ALL.map(|slot| {
        let (from, twist) = Cube::of_move(m).corner(slot);
        (twists[from.index()] + twist) % 3
    }))
}
