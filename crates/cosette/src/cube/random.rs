//! Uniformly random positions, and random walks.

use super::canonical::MoveSet;
use super::moves::Move;
use super::position::{Cube, CubeError};
use rand::seq::{IteratorRandom, SliceRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

impl Cube {
    /// A position drawn with equal chance from all 43,252,003,274,489,856,000.
    pub fn random<R: Rng + ?Sized>(rng: &mut R) -> Cube {
        // One permutation pair in two has equal parities, one twist sum in three and one flip sum in two is zero: the
        // last twist and the last flip are computed from the others, and the two swapped edges make the parities agree.
        let mut corners: [(u8, u8); 8] = std::array::from_fn(|i| (i as u8, 0));
        let mut edges: [(u8, u8); 12] = std::array::from_fn(|i| (i as u8, 0));
        corners.shuffle(rng);
        edges.shuffle(rng);
        for corner in &mut corners[..7] {
            corner.1 = rng.random_range(0..3);
        }
        for edge in &mut edges[..11] {
            edge.1 = rng.random_range(0..2);
        }
        corners[7].1 = (21 - corners.iter().map(|c| c.1).sum::<u8>()) % 3;
        edges[11].1 = edges.iter().map(|e| e.1).sum::<u8>() % 2;
        match Cube::from_cubies(&corners, &edges) {
            Err(CubeError::SwappedPieces) => {
                let (first, second) = (edges[0].0, edges[1].0);
                (edges[0].0, edges[1].0) = (second, first);
                Cube::from_cubies(&corners, &edges).expect("one swap makes the parities agree")
            }
            cube => cube.expect("all pieces are there once and the sums fit"),
        }
    }
}

/// An endless sequence of uniformly random positions, the same for the same seed on every machine.
pub fn random_positions(seed: u64) -> impl Iterator<Item = Cube> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || Cube::random(&mut rng))
}

/// An endless sequence of random walks of `length` moves, the same for the same seed on every machine. Each move is drawn
/// from those that may follow in a canonical sequence: none turns the same face as the one before it, nor, after D, L or B,
/// the opposite one.
pub fn random_walks(seed: u64, length: usize) -> impl Iterator<Item = Vec<Move>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || random_walk(&mut rng, length))
}

fn random_walk(rng: &mut impl Rng, length: usize) -> Vec<Move> {
    let mut walk: Vec<Move> = Vec::with_capacity(length);
    for _ in 0..length {
        let next = MoveSet::after(walk.last().copied()).iter().choose(rng);
        walk.push(next.expect("some move can always follow"));
    }
    walk
}
