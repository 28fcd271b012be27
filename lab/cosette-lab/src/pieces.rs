//! Permutations, corners and edges as numbers, and their conjugates by table.
//!
//! The conjugate s⁻¹·p·s carries the contents of slot i to slot s(i), as a cubie and an orientation
//! that depend on slot, cubie and orientation alone. So a conjugate is a table look-up for each
//! slot. The reference implementation is [`Cube::conjugate`].

use cosette::cube::{Corner, Cube, Edge, Symmetry};
use std::sync::LazyLock;

/// Number of twists of the corners: 3⁷, since seven determine the eighth.
pub const TWISTS: usize = 2_187;

/// The number of a permutation among all, in lexicographic order.
#[inline(always)]
pub(crate) fn rank<const N: usize>(permutation: &[u8; N]) -> u64 {
    let mut rank = 0;
    let mut left = (1u32 << N) - 1;
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

/// The number of the twists of a position: digits to the base three, the first slot lowest; seven
/// determine the eighth.
pub(crate) fn twist_number(position: &Cube) -> u16 {
    let twists = Corner::ALL[..7].iter().rev();
    twists.fold(0, |number, &slot| {
        3 * number + u16::from(position.corner(slot).1)
    })
}

/// The arrangement of the corners: for each slot the cubie plus 8 · twist.
pub(crate) type CornerArrangement = [u8; 8];

/// The arrangement of the edges: for each slot the cubie plus 12 · flip.
pub(crate) type EdgeArrangement = [u8; 12];

/// The corners of a position.
pub(crate) fn corners_of(position: &Cube) -> CornerArrangement {
    Corner::ALL.map(|slot| {
        let (cubie, twist) = position.corner(slot);
        cubie as u8 + 8 * twist
    })
}

/// The edges of a position.
pub(crate) fn edges_of(position: &Cube) -> EdgeArrangement {
    Edge::ALL.map(|slot| {
        let (cubie, flip) = position.edge(slot);
        cubie as u8 + 12 * flip
    })
}

/// The position with these corners and edges, if there is one.
pub(crate) fn position_of(corners: CornerArrangement, edges: EdgeArrangement) -> Option<Cube> {
    Cube::from_cubies(
        &corners.map(|c| (c % 8, c / 8)),
        &edges.map(|e| (e % 12, e / 12)),
    )
    .ok()
}

/// The number of an arrangement of the corners: rank of the permutation · 3⁷ + twists of the first
/// seven slots.
pub(crate) fn corner_number(corners: &CornerArrangement) -> u64 {
    let twists = corners[..7]
        .iter()
        .fold(0, |sum, c| 3 * sum + u64::from(c / 8));
    rank(&corners.map(|c| c % 8)) * 2187 + twists
}

/// The arrangement of the corners with this number.
pub(crate) fn corners_with(number: u64) -> CornerArrangement {
    let mut corners = unrank::<8>(number / 2187);
    let mut twists = number % 2187;
    let mut sum = 0;
    for corner in corners[..7].iter_mut().rev() {
        let twist = (twists % 3) as u8;
        (*corner, sum, twists) = (*corner + 8 * twist, sum + twist, twists / 3);
    }
    corners[7] += 8 * ((21 - sum) % 3);
    corners
}

/// The number of an arrangement of the edges: rank of the permutation · 2¹¹ + flips of the first
/// eleven slots.
pub(crate) fn edge_number(edges: &EdgeArrangement) -> u64 {
    let flips = edges[..11]
        .iter()
        .fold(0, |sum, e| 2 * sum + u64::from(e / 12));
    (rank(&edges.map(|e| e % 12)) << 11) | flips
}

/// The arrangement of the edges with this number.
pub(crate) fn edges_with(number: u64) -> EdgeArrangement {
    let mut edges = unrank::<12>(number >> 11);
    let flips = (number & 0x7ff) as u32;
    for (slot, edge) in edges[..11].iter_mut().enumerate() {
        *edge += 12 * (flips >> (10 - slot) & 1) as u8;
    }
    edges[11] += 12 * (flips.count_ones() % 2) as u8;
    edges
}

/// The action of a symmetry on the pieces: the image of each slot, and the new contents of that
/// slot.
pub(crate) struct Conjugation {
    pub corner_slots: [u8; 8],
    corners: [[u8; 24]; 8],
    pub edge_slots: [u8; 12],
    edges: [[u8; 24]; 12],
}

static CONJUGATIONS: LazyLock<Vec<Conjugation>> =
    LazyLock::new(|| Symmetry::all().map(Conjugation::new).collect());

impl Conjugation {
    /// Returns the conjugation by the symmetry numbered `index`.
    #[inline(always)]
    pub fn by(index: usize) -> &'static Conjugation {
        &CONJUGATIONS[index]
    }

    /// All of them, by the numbers of their symmetries.
    pub fn all() -> &'static [Conjugation] {
        &CONJUGATIONS
    }

    fn new(s: Symmetry) -> Conjugation {
        let maps = s.maps();
        let corner_of = |slot: usize, value: usize| {
            let cubie = value % 8;
            let twist = (value / 8) as u8;
            let twist = if maps.mirrors { 3 - twist } else { twist };
            maps.corners[cubie]
                + 8 * ((twist + maps.corner_shift[slot] + 3 - maps.corner_shift[cubie]) % 3)
        };
        let edge_of = |slot: usize, value: usize| {
            let cubie = value % 12;
            let flip = (value / 12) as u8;
            maps.edges[cubie] + 12 * (flip ^ maps.edge_shift[slot] ^ maps.edge_shift[cubie])
        };
        Conjugation {
            corner_slots: maps.corners,
            corners: std::array::from_fn(|slot| {
                std::array::from_fn(|value| corner_of(slot, value))
            }),
            edge_slots: maps.edges,
            edges: std::array::from_fn(|slot| std::array::from_fn(|value| edge_of(slot, value))),
        }
    }

    /// The conjugate of an arrangement of the corners.
    #[inline(always)]
    pub fn corners(&self, corners: &CornerArrangement) -> CornerArrangement {
        let mut conjugate = [0; 8];
        for slot in 0..8 {
            conjugate[usize::from(self.corner_slots[slot] & 7)] =
                self.corners[slot][usize::from(corners[slot])];
        }
        conjugate
    }

    /// The conjugate of an arrangement of the edges.
    #[inline(always)]
    pub fn edges(&self, edges: &EdgeArrangement) -> EdgeArrangement {
        let mut conjugate = [0; 12];
        for slot in 0..12 {
            conjugate[usize::from(self.edge_slots[slot])] =
                self.edges[slot][usize::from(edges[slot])];
        }
        conjugate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn numbers_lead_back() {
        assert_eq!(
            (
                corner_number(&corners_of(&Cube::SOLVED)),
                edge_number(&edges_of(&Cube::SOLVED))
            ),
            (0, 0)
        );
        let last = 40_320 * 2187 - 1;
        assert_eq!(corner_number(&corners_with(last)), last);
        for position in random_positions(5).take(1000) {
            let corners = corners_of(&position);
            let edges = edges_of(&position);
            assert_eq!(corners_with(corner_number(&corners)), corners);
            assert_eq!(edges_with(edge_number(&edges)), edges);
            assert_eq!(position_of(corners, edges), Some(position));
        }
    }

    #[test]
    fn conjugates_by_table_are_conjugates() {
        for position in random_positions(6).take(100) {
            for s in Symmetry::all() {
                let conjugate = position.conjugate(s);
                let by_table = Conjugation::by(s.index());
                assert_eq!(
                    by_table.corners(&corners_of(&position)),
                    corners_of(&conjugate)
                );
                assert_eq!(by_table.edges(&edges_of(&position)), edges_of(&conjugate));
            }
        }
    }
}
