//! Coordinates of the two phases: small numbers that moves change by table lookup.

use crate::cube::{Corner, Cube, Edge, Face, Move, Symmetry, Turn};

/// For each value of a coordinate, the value after each move.
pub(super) type Turns = Vec<[u16; Move::COUNT]>;

/// A coordinate of positions, whose value after a move depends on its value alone.
pub(super) struct PhaseCoordinate {
    pub turns: Turns,
    /// For each value a position that has it.
    pub positions: Vec<Cube>,
    value: fn(&Cube) -> u16,
}

impl PhaseCoordinate {
    /// Creates the coordinate, which has `count` values, by a search from the solved cube.
    pub fn new(count: usize, value: fn(&Cube) -> u16) -> PhaseCoordinate {
        let mut positions = vec![None; count];
        let mut quarter_turned = vec![[0; Face::ALL.len()]; count];
        let start = value(&Cube::SOLVED);
        positions[usize::from(start)] = Some(Cube::SOLVED);
        let mut open = vec![(start, Cube::SOLVED)];
        while let Some((before, position)) = open.pop() {
            for face in Face::ALL {
                let turned = position.apply(Move::new(face, Turn::Clockwise));
                let after = value(&turned);
                quarter_turned[usize::from(before)][face.index()] = after;
                if positions[usize::from(after)].is_none() {
                    positions[usize::from(after)] = Some(turned);
                    open.push((after, turned));
                }
            }
        }
        let after = |before: u16, m: Move| {
            let quarters = 0..m.turn().quarters();
            quarters.fold(before, |value, _| {
                quarter_turned[usize::from(value)][m.face().index()]
            })
        };
        PhaseCoordinate {
            turns: (0..count as u16)
                .map(|before| Move::ALL.map(|m| after(before, m)))
                .collect(),
            positions: positions
                .into_iter()
                .map(|position| position.expect("moves lead to every value"))
                .collect(),
            value,
        }
    }

    /// Returns for each value the value of the conjugate by a symmetry, which must not depend on
    /// the rest of the position.
    pub fn conjugates<const COUNT: usize>(&self, s: Symmetry) -> [u16; COUNT] {
        std::array::from_fn(|value| (self.value)(&self.positions[value].conjugate(s)))
    }
}

/// Number of values of [`twist`].
pub(super) const TWISTS: usize = 2187;

/// Returns the twists of the first seven slots as digits to the base three. The last twist follows
/// from them, because the sum of all eight is a multiple of three.
pub(super) fn twist(cube: &Cube) -> u16 {
    let twists = Corner::ALL[..7].iter().map(|&slot| cube.corner(slot).1);
    twists.fold(0, |value, twist| 3 * value + u16::from(twist))
}

/// Number of values of [`flip`].
pub(super) const FLIPS: usize = 2048;

/// Returns the flips of the first eleven slots as bits. The last flip follows from them, because
/// the sum of all twelve is even.
pub(super) fn flip(cube: &Cube) -> u16 {
    let flips = Edge::ALL[..11].iter().map(|&slot| cube.edge(slot).1);
    flips.fold(0, |value, flip| 2 * value + u16::from(flip))
}

/// Number of orders of four pieces.
pub(super) const ORDERS: u16 = 24;

/// Number of sets of four corner slots.
pub(super) const CORNER_SETS: u16 = 70;
/// Number of sets of four edge slots.
pub(super) const EDGE_SETS: u16 = 495;

/// Returns the rank of the slots of the four corners with the numbers `first` to `first + 3`: 24 ·
/// the rank of the set of slots + the rank of the order of the corners.
pub(super) fn four_corners(cube: &Cube, first: usize) -> u16 {
    four(first, Corner::ALL.map(|slot| cube.corner(slot).0.index()))
}

/// Returns the rank of the slots of the four edges with the numbers `first` to `first + 3`,
/// likewise.
pub(super) fn four_edges(cube: &Cube, first: usize) -> u16 {
    four(first, Edge::ALL.map(|slot| cube.edge(slot).0.index()))
}

/// Ranks the slots of the four pieces from `first` on. Sets of slots are ranked in the order of the
/// numbers whose bits they are.
fn four<const SLOTS: usize>(first: usize, pieces: [usize; SLOTS]) -> u16 {
    let mut slots = [0; 4];
    for (slot, piece) in pieces.into_iter().enumerate() {
        if (first..first + 4).contains(&piece) {
            slots[piece - first] = slot;
        }
    }
    // The Lehmer code of the order.
    let lower = |i: usize| slots[i..].iter().filter(|&&other| other < slots[i]).count();
    let order = 6 * lower(0) + 2 * lower(1) + lower(2);
    slots.sort_unstable();
    let set: usize = slots
        .into_iter()
        .zip(1..)
        .map(|(slot, count)| choose(slot, count))
        .sum();
    ORDERS * set as u16 + order as u16
}

/// Returns the binomial coefficient: the number of choices of `count` things, four at most, out of
/// `n`, twelve at most.
const fn choose(n: usize, count: usize) -> usize {
    const WAYS: [[usize; 5]; 13] = {
        let mut ways = [[0; 5]; 13];
        let mut n = 0;
        while n < ways.len() {
            ways[n][0] = 1;
            let mut count = 1;
            while n > 0 && count < 5 {
                ways[n][count] = ways[n - 1][count - 1] + ways[n - 1][count];
                count += 1;
            }
            n += 1;
        }
        ways
    };
    WAYS[n][count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_positions;

    #[test]
    fn coordinates_follow_moves_and_symmetries() {
        let corners =
            PhaseCoordinate::new(usize::from(ORDERS * CORNER_SETS), |p| four_corners(p, 4));
        let edges = PhaseCoordinate::new(usize::from(ORDERS * EDGE_SETS), |p| four_edges(p, 8));
        let twists = PhaseCoordinate::new(TWISTS, twist);
        let flips = PhaseCoordinate::new(FLIPS, flip);
        for p in random_positions(10).take(200) {
            for m in Move::ALL {
                let turned = p.apply(m);
                let follows = |coordinate: &PhaseCoordinate, value: &dyn Fn(&Cube) -> u16| {
                    let after = coordinate.turns[usize::from(value(&p))][m.index()];
                    assert_eq!(after, value(&turned));
                };
                follows(&twists, &twist);
                follows(&flips, &flip);
                for first in [0, 4] {
                    follows(&corners, &|p| four_corners(p, first));
                }
                for first in [0, 4, 8] {
                    follows(&edges, &|p| four_edges(p, first));
                }
            }
            for s in Symmetry::preserving_ud_axis() {
                assert_eq!(
                    twists.conjugates::<TWISTS>(s)[usize::from(twist(&p))],
                    twist(&p.conjugate(s))
                );
            }
        }
    }
}
