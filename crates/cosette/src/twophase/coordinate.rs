//! Coordinates of the two phases, as small numbers that moves change by table lookup.

use crate::cube::{Corner, Cube, Edge, Face, Move, Symmetry, Turn};

/// For each value of a coordinate, the value after each move.
pub(super) type Turns = Vec<[u16; Move::COUNT]>;

/// Creates the turns of a coordinate with `count` values, from the value after a clockwise quarter
/// turn of each face.
fn turns(count: usize, quarter_turned: impl Fn(usize) -> [usize; 6]) -> Turns {
    let once = |face| Move::new(face, Turn::Clockwise).index();
    let mut turns = vec![[0; Move::COUNT]; count];
    for (value, turned) in turns.iter_mut().enumerate() {
        for (face, after) in Face::ALL.into_iter().zip(quarter_turned(value)) {
            turned[once(face)] = after as u16;
        }
    }
    for value in 0..count {
        for face in Face::ALL {
            let half = turns[usize::from(turns[value][once(face)])][once(face)];
            turns[value][Move::new(face, Turn::Half).index()] = half;
            turns[value][Move::new(face, Turn::Counterclockwise).index()] =
                turns[usize::from(half)][once(face)];
        }
    }
    turns
}

fn clockwise(face: Face) -> &'static Cube {
    Cube::from_move(Move::new(face, Turn::Clockwise))
}

/// The twists of the corners: for each slot, 0 to 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Twist([u8; Corner::COUNT]);

impl Twist {
    pub const COUNT: usize = 2187;

    pub fn of(cube: &Cube) -> Twist {
        Twist(Corner::ALL.map(|slot| cube.corner(slot).1))
    }

    /// Returns the twists of the first seven slots as digits to the base three. The sum of all
    /// eight is a multiple of three.
    pub fn value(&self) -> u16 {
        self.0[..7]
            .iter()
            .fold(0, |value, &twist| 3 * value + u16::from(twist))
    }

    pub fn from_value(value: u16) -> Twist {
        let mut digits = value;
        let mut twists = [0; Corner::COUNT];
        for twist in twists[..7].iter_mut().rev() {
            *twist = (digits % 3) as u8;
            digits /= 3;
        }
        twists[7] = (21 - twists.iter().sum::<u8>()) % 3;
        Twist(twists)
    }

    /// Returns the twists of the conjugate by a symmetry that preserves the axis of U and D.
    pub fn conjugate(&self, s: Symmetry) -> Twist {
        let mut twists = [0; Corner::COUNT];
        for (slot, twist) in self.0.into_iter().enumerate() {
            let twist = if s.is_mirror() {
                (3 - twist) % 3
            } else {
                twist
            };
            twists[usize::from(s.maps().corners[slot])] = twist;
        }
        Twist(twists)
    }

    pub fn turns() -> Turns {
        turns(Twist::COUNT, |value| {
            let before = Twist::from_value(value as u16);
            Face::ALL.map(|face| {
                let twist = |(from, twist): (Corner, u8)| (before.0[from.index()] + twist) % 3;
                Twist(Corner::ALL.map(|slot| twist(clockwise(face).corner(slot))))
                    .value()
                    .into()
            })
        })
    }
}

/// The flips of the edges: bit 11 − i for slot i.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flip(u16);

impl Flip {
    pub const COUNT: usize = 2048;

    pub fn of(cube: &Cube) -> Flip {
        Flip(
            Edge::ALL
                .into_iter()
                .fold(0, |flips, slot| flips << 1 | u16::from(cube.edge(slot).1)),
        )
    }

    /// Creates a flip in each of these four slots.
    pub fn in_slots(slots: &Quadruple<12>) -> Flip {
        Flip(slots.0.into_iter().map(|slot| 1 << (11 - slot)).sum())
    }

    /// Returns the flips of the first eleven slots. The sum of all twelve is even.
    pub fn value(self) -> u16 {
        self.0 >> 1
    }

    pub fn from_value(value: u16) -> Flip {
        Flip(value << 1 | (value.count_ones() % 2) as u16)
    }

    /// Returns the symmetric difference: the slots in exactly one of the two.
    pub fn with(self, other: Flip) -> Flip {
        Flip(self.0 ^ other.0)
    }

    /// Returns the image of the flips under a symmetry.
    pub fn carried(self, s: Symmetry) -> Flip {
        let carried = |slot: usize| (self.0 >> (11 - slot) & 1) << (11 - s.maps().edges[slot]);
        Flip((0..Edge::COUNT).map(carried).sum())
    }

    pub fn turns() -> Turns {
        turns(Flip::COUNT, |value| {
            let before = Flip::from_value(value as u16).0;
            Face::ALL.map(|face| {
                let flip = |(from, flip): (Edge, u8)| {
                    (before >> (11 - from.index()) & 1) ^ u16::from(flip)
                };
                let after = Edge::ALL.into_iter().fold(0, |flips, slot| {
                    flips << 1 | flip(clockwise(face).edge(slot))
                });
                Flip(after).value().into()
            })
        })
    }
}

/// The slots of four pieces, of a kind that has `SLOTS` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Quadruple<const SLOTS: usize>([u8; 4]);

/// Number of orders of four pieces.
pub(super) const ORDERS: u16 = 24;

impl Quadruple<8> {
    /// Returns the slots of the corners with the numbers `first` to `first + 3`.
    pub fn corners(cube: &Cube, first: usize) -> Quadruple<8> {
        Quadruple::of(first, Corner::ALL.map(|slot| cube.corner(slot).0.index()))
    }

    pub fn corner_turns() -> Turns {
        Quadruple::turns(
            Face::ALL.map(|face| Corner::ALL.map(|slot| clockwise(face).corner(slot).0.index())),
        )
    }
}

impl Quadruple<12> {
    /// Returns the slots of the edges with the numbers `first` to `first + 3`.
    pub fn edges(cube: &Cube, first: usize) -> Quadruple<12> {
        Quadruple::of(first, Edge::ALL.map(|slot| cube.edge(slot).0.index()))
    }

    pub fn edge_turns() -> Turns {
        Quadruple::turns(
            Face::ALL.map(|face| Edge::ALL.map(|slot| clockwise(face).edge(slot).0.index())),
        )
    }

    /// Returns the image of the slots under a symmetry.
    pub fn carried(&self, s: Symmetry) -> Quadruple<12> {
        Quadruple(self.0.map(|slot| s.maps().edges[usize::from(slot)]))
    }
}

impl<const SLOTS: usize> Quadruple<SLOTS> {
    /// Number of sets of four slots.
    pub const SETS: u16 = choose(SLOTS, 4) as u16;

    fn of(first: usize, pieces: [usize; SLOTS]) -> Quadruple<SLOTS> {
        let slot_of = |piece| {
            pieces
                .iter()
                .position(|&other| other == piece)
                .expect("every piece is somewhere") as u8
        };
        Quadruple(std::array::from_fn(|i| slot_of(first + i)))
    }

    /// Returns the rank of the set of slots. Sets are ranked as the numbers that have their bits.
    pub fn set(&self) -> u16 {
        let mut slots = self.0;
        slots.sort_unstable();
        slots
            .into_iter()
            .zip(1..)
            .map(|(slot, count)| choose(slot.into(), count) as u16)
            .sum()
    }

    /// Returns the rank of the order in which the pieces fill their set of slots.
    fn order(&self) -> u16 {
        let [a, b, c, d] = self.0;
        let lower =
            |slot: u8, later: &[u8]| later.iter().filter(|&&other| other < slot).count() as u16;
        6 * lower(a, &[b, c, d]) + 2 * lower(b, &[c, d]) + lower(c, &[d])
    }

    /// Returns 24 · set + order.
    pub fn value(&self) -> u16 {
        ORDERS * self.set() + self.order()
    }

    pub fn from_value(value: u16) -> Quadruple<SLOTS> {
        let mut set = usize::from(value / ORDERS);
        let order = value % ORDERS;
        let mut slots = [0; 4];
        let mut above = SLOTS;
        for count in (1..=4).rev() {
            above = (0..above)
                .rev()
                .find(|&slot| choose(slot, count) <= set)
                .expect("there is one way to choose none");
            slots[count - 1] = above as u8;
            set -= choose(above, count);
        }
        // The slots in increasing order; each piece takes the one with as many lower ones left as
        // its order gives.
        for (piece, lower) in [order / 6, order % 6 / 2, order % 2]
            .into_iter()
            .enumerate()
        {
            slots[piece..=piece + usize::from(lower)].rotate_right(1);
        }
        Quadruple(slots)
    }

    /// Creates the turns, if a clockwise quarter turn carries to each slot the piece of the slot in
    /// `sources`.
    fn turns(sources: [[usize; SLOTS]; 6]) -> Turns {
        let targets = sources.map(|sources| {
            let mut targets = [0; SLOTS];
            for (slot, source) in sources.into_iter().enumerate() {
                targets[source] = slot as u8;
            }
            targets
        });
        turns(usize::from(ORDERS * Self::SETS), |value| {
            let Quadruple(slots) = Quadruple::<SLOTS>::from_value(value as u16);
            targets.map(|targets| {
                Quadruple::<SLOTS>(slots.map(|slot| targets[usize::from(slot)]))
                    .value()
                    .into()
            })
        })
    }
}

/// Returns the binomial coefficient: the number of choices of `count` things, four at most, out of
/// `of`, twelve at most.
const fn choose(of: usize, count: usize) -> usize {
    const WAYS: [[usize; 5]; 13] = {
        let mut ways = [[0; 5]; 13];
        let mut of = 0;
        while of < ways.len() {
            ways[of][0] = 1;
            let mut count = 1;
            while of > 0 && count < 5 {
                ways[of][count] = ways[of - 1][count - 1] + ways[of - 1][count];
                count += 1;
            }
            of += 1;
        }
        ways
    };
    WAYS[of][count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_positions;

    #[test]
    fn values_are_bijections() {
        for value in 0..Twist::COUNT as u16 {
            assert_eq!(Twist::from_value(value).value(), value);
        }
        for value in 0..Flip::COUNT as u16 {
            assert_eq!(Flip::from_value(value).value(), value);
        }
        for value in 0..ORDERS * Quadruple::<8>::SETS {
            assert_eq!(Quadruple::<8>::from_value(value).value(), value);
        }
        for value in 0..ORDERS * Quadruple::<12>::SETS {
            assert_eq!(Quadruple::<12>::from_value(value).value(), value);
        }
    }

    /// Asserts that a coordinate follows moves as its table says.
    fn assert_follows(turns: &Turns, value: impl Fn(&Cube) -> u16) {
        for p in random_positions(10).take(200) {
            let after = turns[usize::from(value(&p))];
            for m in Move::ALL {
                assert_eq!(after[m.index()], value(&p.apply(m)));
            }
        }
    }

    #[test]
    fn coordinates_follow_moves_and_symmetries() {
        assert_follows(&Twist::turns(), |p| Twist::of(p).value());
        assert_follows(&Flip::turns(), |p| Flip::of(p).value());
        for first in [0, 4] {
            let corners = |p: &Cube| Quadruple::corners(p, first).value();
            assert_follows(&Quadruple::corner_turns(), corners);
        }
        for first in [0, 4, 8] {
            let edges = |p: &Cube| Quadruple::edges(p, first).value();
            assert_follows(&Quadruple::edge_turns(), edges);
        }
        for p in random_positions(10).take(200) {
            for s in Symmetry::preserving_ud_axis() {
                let conjugate = p.conjugate(s);
                assert_eq!(Twist::of(&p).conjugate(s), Twist::of(&conjugate));
                let carried = Quadruple::edges(&p, 8).carried(s).set();
                assert_eq!(carried, Quadruple::edges(&conjugate, 8).set());
            }
        }
    }
}
