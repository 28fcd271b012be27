//! The coset H·p of a position, with H = ⟨U, D, F2, R2, B2, L2⟩: what one view shows.
//!
//! Moves of H exchange the cubies of a position, but not what is seen of these three: which slots the four edges
//! between U and D fill, how each edge is flipped, how each corner is twisted. These are the coset, for flips and
//! twists are measured from U and D (or F and B). Each has its own coordinate, and a move carries each by itself, since
//! flips and twists belong to slots, whichever cubie is there:
//!
//! ```text
//! slots    C(12,4) =   495
//! flips    2^11    = 2,048      495 · 2,048 = 1,013,760 raw coordinates of slots and flips
//! twists   3^7     = 2,187      1,013,760 · 2,187 = 2,217,093,120 cosets
//! ```
//!
//! The sixteen symmetries that keep the axis of U and D map H to itself, so a coset can be conjugated. An edge between
//! U and D that goes from F or B to R or L is measured from another facelet there; its slot as well, so that
//! flip f in slot i of cubie c becomes f + b(i) + b(c), b being one for the edges between U and D (`Symmetry`).

pub use crate::pieces::TWISTS;
use crate::pieces::{Conjugation, twist_number, twist_turned, twists_numbered};
use cosette::cube::{Axis, Corner, Cube, Edge, Face, Move, Symmetry};
use std::sync::LazyLock;

/// Placements of the four edges between U and D.
pub const SLOTS: usize = 495;
/// Flips of eleven edges.
pub const FLIPS: usize = 2048;
/// Raw coordinates of slots and flips.
pub const RAW: usize = SLOTS * FLIPS;
/// The symmetries that keep the axis of U and D.
pub const AXIS_SYMMETRIES: usize = 16;

/// The slots between U and D, as a set.
const BETWEEN: u16 = 0xf00;
/// All twelve edge slots.
const ALL_SLOTS: usize = 1 << Edge::COUNT;

/// A coset of ⟨U, D, F2, R2, B2, L2⟩.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coset {
    /// The rank of the set of slots that the edges between U and D fill, 0 to 494, by the bits of the set.
    pub slots: u16,
    /// The flips of the first eleven slots, one bit each.
    pub flips: u16,
    /// The twists of the first seven corner slots as digits to the base three, the first slot lowest.
    pub twist: u16,
}

impl Coset {
    /// The target subgroup itself.
    pub fn target() -> Coset {
        Coset::of(&Cube::SOLVED)
    }

    /// The coset of a position.
    pub fn of(cube: &Cube) -> Coset {
        let (mut slots, mut flips) = (0, 0);
        for (slot, edge) in Edge::ALL.into_iter().enumerate() {
            let (cubie, flip) = cube.edge(edge);
            slots |= u16::from(cubie.slice() == 0) << slot;
            flips |= u16::from(flip) << slot;
        }
        let maps = Maps::get();
        let twist = twist_number(&Corner::ALL.map(|slot| cube.corner(slot).1));
        Coset { slots: maps.ranks[usize::from(slots)], flips: flips % FLIPS as u16, twist }
    }

    /// The raw coordinate of slots and flips, below [`RAW`]: 2048 · slots + flips.
    #[inline(always)]
    pub fn raw(self) -> usize {
        usize::from(self.slots) * FLIPS + usize::from(self.flips)
    }

    /// The coset with these coordinates.
    pub fn new(raw: usize, twist: usize) -> Coset {
        Coset { slots: (raw / FLIPS) as u16, flips: (raw % FLIPS) as u16, twist: twist as u16 }
    }

    /// The coset after a move.
    #[inline(always)]
    #[must_use]
    pub fn turned(self, maps: &Maps, m: Move) -> Coset {
        Coset {
            slots: maps.slots_turned[usize::from(self.slots)][m.index()],
            flips: maps.flips_turned[usize::from(self.flips)][m.index()],
            twist: maps.twists_turned[usize::from(self.twist)][m.index()],
        }
    }

    /// The conjugate by a symmetry that keeps the axis of U and D.
    #[must_use]
    pub fn conjugate(self, maps: &Maps, s: AxisSymmetry) -> Coset {
        let slots = maps.sets[usize::from(self.slots)];
        let flips = with_last_flip(self.flips);
        let carried = &maps.carried[s.index()];
        let shifts = if maps.shifts[s.index()] { BETWEEN ^ slots } else { 0 };
        let flips = carried[usize::from(flips ^ shifts)];
        Coset {
            slots: maps.ranks[usize::from(carried[usize::from(slots)])],
            flips: flips % FLIPS as u16,
            twist: maps.twists_conjugated[s.index()][usize::from(self.twist)],
        }
    }
}

/// One of the sixteen symmetries that keep the axis of U and D; number 0 is the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisSymmetry(u8);

impl AxisSymmetry {
    /// The sixteen.
    pub fn all() -> impl Iterator<Item = AxisSymmetry> {
        (0..AXIS_SYMMETRIES as u8).map(AxisSymmetry)
    }

    /// Its number, 0 to 15.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The one numbered `index`, 0 to 15.
    #[inline(always)]
    pub(super) const fn from_index(index: usize) -> AxisSymmetry {
        AxisSymmetry(index as u8)
    }

    /// The same as one of all 48.
    pub fn symmetry(self) -> Symmetry {
        symmetries()[self.index()]
    }
}

/// The symmetries that keep the axis of U and D, in their order.
fn symmetries() -> Vec<Symmetry> {
    Symmetry::all().filter(|s| s.face(Face::U).axis() == Axis::Ud).collect()
}

/// How moves and symmetries act on the three coordinates.
pub struct Maps {
    /// The set of slots of each rank, and the rank of each set of four.
    sets: Vec<u16>,
    ranks: Vec<u16>,
    slots_turned: Vec<[u16; Move::COUNT]>,
    flips_turned: Vec<[u16; Move::COUNT]>,
    pub(super) twists_turned: Vec<[u16; Move::COUNT]>,
    /// What each symmetry makes of each set of edge slots.
    carried: Vec<Vec<u16>>,
    /// Whether it measures the edges between U and D from another facelet.
    shifts: Vec<bool>,
    pub(super) twists_conjugated: Vec<Vec<u16>>,
}

impl Maps {
    /// The maps; computed at the first call, in some milliseconds.
    pub fn get() -> &'static Maps {
        static MAPS: LazyLock<Maps> = LazyLock::new(Maps::compute);
        &MAPS
    }

    fn compute() -> Maps {
        let sets: Vec<u16> = (0..ALL_SLOTS as u16).filter(|set| set.count_ones() == 4).collect();
        let mut ranks = vec![0; ALL_SLOTS];
        sets.iter().zip(0..).for_each(|(&set, rank)| ranks[usize::from(set)] = rank);
        let symmetries = symmetries();
        Maps {
            slots_turned: sets
                .iter()
                .map(|&set| Move::ALL.map(|m| ranks[usize::from(edges_turned(set, m, false))]))
                .collect(),
            flips_turned: (0..FLIPS as u16)
                .map(|flips| Move::ALL.map(|m| edges_turned(with_last_flip(flips), m, true) % FLIPS as u16))
                .collect(),
            twists_turned: (0..TWISTS as u16).map(|twist| Move::ALL.map(|m| twist_turned(twist, m))).collect(),
            carried: symmetries
                .iter()
                .map(|&s| (0..ALL_SLOTS as u16).map(|set| edges_carried(set, s)).collect())
                .collect(),
            shifts: symmetries.iter().map(|s| s.face(Face::F).axis() == Axis::Rl).collect(),
            twists_conjugated: symmetries
                .iter()
                .map(|&s| (0..TWISTS as u16).map(|twist| twist_conjugated(twist, s)).collect())
                .collect(),
            sets,
            ranks,
        }
    }
}

/// The flips of all twelve slots: their number is even.
fn with_last_flip(flips: u16) -> u16 {
    flips | (flips.count_ones() as u16 % 2) << 11
}

/// A bit for each slot after a move; with the flips that the move makes, or without.
fn edges_turned(bits: u16, m: Move, with_flips: bool) -> u16 {
    let bit = |slot: usize| {
        let (from, flip) = Cube::of_move(m).edge(Edge::ALL[slot]);
        (bits >> from.index() & 1 ^ u16::from(with_flips && flip == 1)) << slot
    };
    (0..Edge::COUNT).map(bit).sum()
}

/// A bit for each slot after a symmetry.
fn edges_carried(bits: u16, s: Symmetry) -> u16 {
    let slots = Conjugation::by(s.index()).edge_slots;
    slots.iter().enumerate().map(|(from, to)| (bits >> from & 1) << to).sum()
}

/// Facelets on U and D stay there, so twists move with their slots, and a mirror reverses them.
fn twist_conjugated(coordinate: u16, s: Symmetry) -> u16 {
    let mut carried = [0; 8];
    for (twist, to) in twists_numbered(coordinate).into_iter().zip(Conjugation::by(s.index()).corner_slots) {
        carried[usize::from(to)] = if s.is_mirror() { (3 - twist) % 3 } else { twist };
    }
    twist_number(&carried)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn cosets_turn_and_conjugate_as_positions_do() {
        let maps = Maps::get();
        for position in random_positions(1).take(200) {
            let coset = Coset::of(&position);
            assert_eq!(Coset::new(coset.raw(), usize::from(coset.twist)), coset);
            for m in Move::ALL {
                assert_eq!(coset.turned(maps, m), Coset::of(&position.turned(m)));
            }
            for s in AxisSymmetry::all() {
                assert_eq!(coset.conjugate(maps, s), Coset::of(&position.conjugate(s.symmetry())));
            }
        }
    }

    #[test]
    fn the_target_subgroup_is_a_coset() {
        let position: Cube = "U R2 D' F2 B2 L2 U2".parse().expect("moves");
        assert_eq!(Coset::of(&position), Coset::target());
    }
}
