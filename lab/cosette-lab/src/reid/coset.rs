//! The coset H·p of a position, with H = ⟨U, D, F2, R2, B2, L2⟩: the coset seen along one axis.
//!
//! Moves of H permute the cubies of a position, but preserve three properties: the slots of the
//! four edges between U and D, the flip of each edge, and the twist of each corner. They determine
//! the coset, since flips and twists are measured from U and D (or F and B). Each has its own
//! coordinate, and a move acts on each separately, since flips and twists belong to slots,
//! whichever cubie is there:
//!
//! ```text
//! slots    C(12,4) =   495
//! flips    2^11    = 2,048      495 · 2,048 = 1,013,760 raw coordinates of slots and flips
//! twists   3^7     = 2,187      1,013,760 · 2,187 = 2,217,093,120 cosets
//! ```
//!
//! The sixteen symmetries that keep the axis of U and D map H to itself, so a coset can be
//! conjugated. An edge between U and D that goes from F or B to R or L is measured from another
//! facelet there; its slot as well, so that flip f in slot i of cubie c becomes f + b(i) + b(c), b
//! being one for the edges between U and D (`Symmetry`).
//!
//! # The 64,430 classes of slots and flips under the sixteen symmetries that keep the axis of U and D
//!
//! A class represents up to sixteen raw coordinates; its representative is the lowest. Where the
//! representative has a stabilizer, two twists that it maps to one another represent cosets of one
//! class.

pub use crate::pieces::TWISTS;

use crate::pattern::Pattern;
use crate::pieces::{Conjugation, twist_number};
use cosette::cube::{Axis, Cube, Edge, Face, Move, Symmetry};
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
pub struct ReidCoset {
    /// The rank of the set of slots that the edges between U and D fill, 0 to 494, by the bits of
    /// the set.
    pub slots: u16,
    /// The flips of the first eleven slots, one bit each.
    pub flips: u16,
    /// The twists of the first seven corner slots as digits to the base three, the first slot
    /// lowest.
    pub twist: u16,
}

impl ReidCoset {
    /// The target subgroup itself.
    pub fn target() -> ReidCoset {
        ReidCoset::of(&Cube::SOLVED)
    }

    /// The coset of a position.
    pub fn of(cube: &Cube) -> ReidCoset {
        ReidCoset {
            slots: Maps::get().ranks[usize::from(slots_of(cube))],
            flips: flips_of(cube),
            twist: twist_number(cube),
        }
    }

    /// The raw coordinate of slots and flips, below [`RAW`]: 2048 · slots + flips.
    #[inline(always)]
    pub fn raw(self) -> usize {
        usize::from(self.slots) * FLIPS + usize::from(self.flips)
    }

    /// The coset with these coordinates.
    pub fn new(raw: usize, twist: usize) -> ReidCoset {
        ReidCoset {
            slots: (raw / FLIPS) as u16,
            flips: (raw % FLIPS) as u16,
            twist: twist as u16,
        }
    }

    /// The coset after a move.
    #[inline(always)]
    #[must_use]
    pub fn turned(self, maps: &Maps, m: Move) -> ReidCoset {
        ReidCoset {
            slots: maps.slots_turned[usize::from(self.slots)][m.index()],
            flips: maps.flips_turned[usize::from(self.flips)][m.index()],
            twist: maps.twists_turned[usize::from(self.twist)][m.index()],
        }
    }

    /// The conjugate by the symmetry with this number.
    #[must_use]
    pub fn conjugate(self, maps: &Maps, s: usize) -> ReidCoset {
        let slots = maps.sets[usize::from(self.slots)];
        let flips = with_last_flip(self.flips);
        let carried = &maps.carried[s];
        let shifts = if maps.shifts[s] { BETWEEN ^ slots } else { 0 };
        let flips = carried[usize::from(flips ^ shifts)];
        ReidCoset {
            slots: maps.ranks[usize::from(carried[usize::from(slots)])],
            flips: flips % FLIPS as u16,
            twist: maps.twists_conjugated[s][usize::from(self.twist)],
        }
    }
}

/// The symmetries that keep the axis of U and D, by number; number 0 is the identity.
pub fn axis_symmetries() -> Vec<Symmetry> {
    Symmetry::all()
        .filter(|s| s.face(Face::U).axis() == Axis::Ud)
        .collect()
}

/// Actions of moves and symmetries on the three coordinates.
pub struct Maps {
    /// The set of slots of each rank, and the rank of each set of four.
    sets: Vec<u16>,
    ranks: Vec<u16>,
    slots_turned: Vec<[u16; Move::COUNT]>,
    flips_turned: Vec<[u16; Move::COUNT]>,
    pub(super) twists_turned: Vec<[u16; Move::COUNT]>,
    /// Image of each set of edge slots under each symmetry.
    carried: Vec<Vec<u16>>,
    /// `true` if the symmetry measures the edges between U and D from another facelet.
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
        let sets: Vec<u16> = (0..ALL_SLOTS as u16)
            .filter(|set| set.count_ones() == 4)
            .collect();
        let mut ranks = vec![0; ALL_SLOTS];
        sets.iter()
            .zip(0..)
            .for_each(|(&set, rank)| ranks[usize::from(set)] = rank);
        let symmetries = axis_symmetries();
        let twists = Pattern::new(twist_number);
        let twists_conjugated = |&s: &Symmetry| {
            let conjugates = twists.positions.iter().map(|p| p.conjugate(s));
            conjugates.map(|p| twist_number(&p)).collect()
        };
        let carried = |&s: &Symmetry| {
            (0..ALL_SLOTS as u16)
                .map(|set| edges_carried(set, s))
                .collect()
        };
        let shifts = |s: &Symmetry| s.face(Face::F).axis() == Axis::Rl;
        Maps {
            slots_turned: Pattern::new(|p| ranks[usize::from(slots_of(p))]).turns,
            flips_turned: Pattern::new(flips_of).turns,
            carried: symmetries.iter().map(carried).collect(),
            shifts: symmetries.iter().map(shifts).collect(),
            twists_conjugated: symmetries.iter().map(twists_conjugated).collect(),
            twists_turned: twists.turns,
            sets,
            ranks,
        }
    }
}

/// The slots that the edges between U and D fill, one bit each.
fn slots_of(cube: &Cube) -> u16 {
    let bit = |(slot, edge)| u16::from(cube.edge(edge).0.slice() == 0) << slot;
    (0..).zip(Edge::ALL).map(bit).sum()
}

/// The flips of the first eleven slots, one bit each.
fn flips_of(cube: &Cube) -> u16 {
    let bit = |(slot, edge)| u16::from(cube.edge(edge).1) << slot;
    (0..11).zip(Edge::ALL).map(bit).sum()
}

/// The flips of all twelve slots: their number is even.
fn with_last_flip(flips: u16) -> u16 {
    flips | (flips.count_ones() as u16 % 2) << 11
}

/// A bit for each slot after a symmetry.
fn edges_carried(bits: u16, s: Symmetry) -> u16 {
    let slots = Conjugation::by(s.index()).edge_slots;
    slots
        .iter()
        .enumerate()
        .map(|(from, to)| (bits >> from & 1) << to)
        .sum()
}

/// The classes, and the symmetry that carries each raw coordinate to its representative.
pub struct CosetClasses {
    /// For each raw coordinate: 16 · class + symmetry.
    class_and_symmetry: Vec<u32>,
    representatives: Vec<u32>,
    /// The symmetries that fix a representative, one bit each.
    stabilizers: Vec<u16>,
}

impl CosetClasses {
    /// Number of classes.
    pub const COUNT: usize = 64_430;

    /// The classes; computed at the first call, in about a tenth of a second.
    pub fn get() -> &'static CosetClasses {
        static CLASSES: LazyLock<CosetClasses> = LazyLock::new(CosetClasses::compute);
        &CLASSES
    }

    fn compute() -> CosetClasses {
        const UNSEEN: u32 = u32::MAX;
        let symmetries = axis_symmetries();
        let inverse = |s: &Symmetry| symmetries.iter().position(|t| *t == s.inverse());
        let inverses: Option<Vec<usize>> = symmetries.iter().map(inverse).collect();
        let inverses = inverses.expect("the sixteen are a group");
        let maps = Maps::get();
        let mut class_and_symmetry = vec![UNSEEN; RAW];
        let mut representatives = Vec::new();
        let mut stabilizers = Vec::new();
        for raw in 0..RAW {
            if class_and_symmetry[raw] != UNSEEN {
                continue;
            }
            let class = representatives.len() as u32;
            let mut stabilizer = 0;
            for (s, &inverse) in inverses.iter().enumerate() {
                let image = ReidCoset::new(raw, 0).conjugate(maps, s).raw();
                stabilizer |= u16::from(image == raw) << s;
                if class_and_symmetry[image] == UNSEEN {
                    class_and_symmetry[image] = class * AXIS_SYMMETRIES as u32 + inverse as u32;
                }
            }
            representatives.push(raw as u32);
            stabilizers.push(stabilizer);
        }
        CosetClasses {
            class_and_symmetry,
            representatives,
            stabilizers,
        }
    }

    /// The class of a raw coordinate, and the symmetry that brings it to the representative.
    #[inline(always)]
    pub fn of(&self, raw: usize) -> (usize, usize) {
        let packed = self.class_and_symmetry[raw] as usize;
        (packed / AXIS_SYMMETRIES, packed % AXIS_SYMMETRIES)
    }

    /// The lowest raw coordinate of a class.
    pub fn representative(&self, class: usize) -> usize {
        self.representatives[class] as usize
    }

    /// The symmetries that fix the representative; the identity is the first.
    pub fn stabilizer(&self, class: usize) -> impl Iterator<Item = usize> + use<> {
        let stabilizer = self.stabilizers[class];
        (0..AXIS_SYMMETRIES).filter(move |s| stabilizer >> s & 1 == 1)
    }

    /// Returns the number of raw coordinates that a class represents.
    pub fn size(&self, class: usize) -> u64 {
        (AXIS_SYMMETRIES as u32 / self.stabilizers[class].count_ones()).into()
    }

    /// Returns the class of the representative after a move, and the symmetry that carries it to
    /// the representative of the new class.
    pub fn turned(&self, maps: &Maps, class: usize, m: Move) -> (usize, usize) {
        self.of(ReidCoset::new(self.representative(class), 0)
            .turned(maps, m)
            .raw())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn cosets_turn_and_conjugate_as_positions_do() {
        let maps = Maps::get();
        for position in random_positions(1).take(200) {
            let coset = ReidCoset::of(&position);
            assert_eq!(ReidCoset::new(coset.raw(), usize::from(coset.twist)), coset);
            for m in Move::ALL {
                assert_eq!(coset.turned(maps, m), ReidCoset::of(&position.apply(m)));
            }
            for (number, s) in axis_symmetries().into_iter().enumerate() {
                let conjugate = ReidCoset::of(&position.conjugate(s));
                assert_eq!(coset.conjugate(maps, number), conjugate);
            }
        }
    }

    #[test]
    fn the_target_subgroup_is_a_coset() {
        let position: Cube = "U R2 D' F2 B2 L2 U2".parse().expect("moves");
        assert_eq!(ReidCoset::of(&position), ReidCoset::target());
    }

    #[test]
    fn classes_partition_the_raw_coordinates() {
        let maps = Maps::get();
        let classes = CosetClasses::get();
        assert_eq!(classes.representatives.len(), CosetClasses::COUNT);
        assert_eq!(
            (0..CosetClasses::COUNT)
                .map(|class| classes.size(class))
                .sum::<u64>(),
            RAW as u64
        );
        for raw in (0..RAW).step_by(97) {
            let (class, s) = classes.of(raw);
            let representative = ReidCoset::new(raw, 0).conjugate(maps, s).raw();
            assert_eq!(representative, classes.representative(class));
            let orbit =
                (0..AXIS_SYMMETRIES).map(|s| ReidCoset::new(raw, 0).conjugate(maps, s).raw());
            assert_eq!(orbit.min(), Some(representative));
            for s in classes.stabilizer(class) {
                assert_eq!(
                    ReidCoset::new(representative, 0).conjugate(maps, s).raw(),
                    representative
                );
            }
        }
    }
}
