//! Which positions are wanted: where each piece may be, and how it may be oriented there.

use crate::cube::{Corner, Cube, Edge, Move, Slot, Symmetry};

/// Corners or edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Corners,
    Edges,
}

impl Kind {
    pub const BOTH: [Kind; 2] = [Kind::Corners, Kind::Edges];

    /// How many pieces of this kind there are.
    pub const fn count(self) -> usize {
        [Corner::COUNT, Edge::COUNT][self as usize]
    }

    /// In how many ways a piece lies in a slot.
    pub const fn orientations(self) -> u8 {
        [3, 2][self as usize]
    }

    /// The slot of this number, which is that of the piece that belongs there.
    pub fn slot(self, number: usize) -> Slot {
        match self {
            Kind::Corners => Slot::Corner(Corner::ALL[number]),
            Kind::Edges => Slot::Edge(Edge::ALL[number]),
        }
    }

    /// The first of the slots to which moves bring the piece of a slot.
    pub fn orbit(self, slot: usize, moves: &[Move]) -> usize {
        let (mut slots, mut done) = (vec![slot], 0);
        while let Some(&from) = slots.get(done) {
            done += 1;
            let to = |m: &Move| self.pieces(Cube::of_move(*m)).position(|(piece, _)| piece == from);
            for to in moves.iter().filter_map(to) {
                if !slots.contains(&to) {
                    slots.push(to);
                }
            }
        }
        slots.into_iter().min().unwrap_or(slot)
    }

    /// The piece in each slot, and its orientation.
    pub fn pieces(self, cube: &Cube) -> impl Iterator<Item = (usize, u8)> {
        let cube = *cube;
        (0..self.count()).map(move |slot| {
            let (piece, orientation) = self.slot(slot).cubie(&cube);
            (piece.number(), orientation as u8)
        })
    }
}

/// The orientations that a piece may have in each slot, as bits; those of edges use the first twelve, of corners the first eight.
pub(super) type Allowed = [u8; Edge::COUNT];

/// A set of positions: those in which every piece is in a slot, with an orientation, that is allowed for it.
///
/// The condition on a piece says nothing of other pieces. So whatever tells some of the pieces apart, and forgets the others, has
/// wanted positions of its own, and every wanted position is among them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mask {
    corners: [Allowed; Corner::COUNT],
    edges: [Allowed; Edge::COUNT],
    /// Whether the corners must be an arrangement that half turns make of the solved ones, one of 96. It is the only condition
    /// that is not one on each piece.
    pub half_turn_corners: bool,
}

/// All orientations that there are.
const ANY: u8 = 0b111;

impl Mask {
    /// All positions.
    pub fn all() -> Mask {
        let (corners, edges) = ([[ANY; Edge::COUNT]; Corner::COUNT], [[0b11; Edge::COUNT]; Edge::COUNT]);
        Mask { corners, edges, half_turn_corners: false }
    }

    /// What is allowed for a piece.
    pub fn of(&self, kind: Kind, piece: usize) -> &Allowed {
        match kind {
            Kind::Corners => &self.corners[piece],
            Kind::Edges => &self.edges[piece],
        }
    }

    /// Whether nothing is asked of a piece.
    pub fn ignores(&self, kind: Kind, piece: usize) -> bool {
        let any = ANY >> (3 - kind.orientations());
        self.of(kind, piece)[..kind.count()].iter().all(|&bits| bits & any == any)
    }

    /// Allows a piece only `orientations`, as bits, in the slots for which `is_allowed`.
    pub fn restrict(&mut self, kind: Kind, piece: usize, orientations: u8, is_allowed: impl Fn(usize) -> bool) {
        for (slot, bits) in self.row(kind, piece)[..kind.count()].iter_mut().enumerate() {
            *bits &= if is_allowed(slot) { orientations } else { 0 };
        }
    }

    /// Allows a piece only `orientations` in one slot.
    pub fn restrict_in(&mut self, kind: Kind, piece: usize, slot: usize, orientations: u8) {
        self.row(kind, piece)[slot] &= orientations;
    }

    fn row(&mut self, kind: Kind, piece: usize) -> &mut Allowed {
        match kind {
            Kind::Corners => &mut self.corners[piece],
            Kind::Edges => &mut self.edges[piece],
        }
    }

    /// Whether a position is in the set.
    pub fn contains(&self, position: &Cube) -> bool {
        let are_as_half_turns = || half_turn_arrangements().contains(&arrangement_of_corners(position));
        self.missed(position).next().is_none() && (!self.half_turn_corners || are_as_half_turns())
    }

    /// The slots whose pieces are not allowed there as they are.
    pub fn missed(&self, position: &Cube) -> impl Iterator<Item = Slot> {
        Kind::BOTH.into_iter().flat_map(move |kind| {
            let is_missed = move |&(slot, (piece, orientation)): &(usize, (usize, u8))| {
                self.of(kind, piece)[slot] >> orientation & 1 == 0
            };
            kind.pieces(position).enumerate().filter(is_missed).map(move |(slot, _)| kind.slot(slot))
        })
    }

    /// The positions in both sets.
    #[must_use]
    pub fn and(mut self, other: &Mask) -> Mask {
        let rows = self.corners.iter_mut().zip(&other.corners).chain(self.edges.iter_mut().zip(&other.edges));
        for (bits, others) in rows.flat_map(|(row, others)| row.iter_mut().zip(others)) {
            *bits &= others;
        }
        self.half_turn_corners |= other.half_turn_corners;
        self
    }

    /// The set as it is seen when the cube is held another way: the conjugates of its positions (`cube::symmetry` has the
    /// formula).
    #[must_use]
    pub fn rotated(&self, symmetry: Symmetry) -> Mask {
        let maps = symmetry.maps();
        let mut rotated = Mask { half_turn_corners: self.half_turn_corners, ..Mask::all() };
        for piece in 0..Corner::COUNT {
            for slot in 0..Corner::COUNT {
                let (to_piece, to_slot) = (usize::from(maps.corners[piece]), usize::from(maps.corners[slot]));
                let shift = 3 + maps.corner_shift[slot] - maps.corner_shift[piece];
                let seen = |twist: u8| if maps.mirrors { 3 - twist } else { twist };
                let bits = (0..3).filter(|twist| self.corners[piece][slot] >> twist & 1 == 1);
                rotated.corners[to_piece][to_slot] =
                    bits.fold(0, |bits, twist| bits | 1 << ((seen(twist) + shift) % 3));
            }
        }
        for piece in 0..Edge::COUNT {
            for slot in 0..Edge::COUNT {
                let (to_piece, to_slot) = (usize::from(maps.edges[piece]), usize::from(maps.edges[slot]));
                let shift = maps.edge_shift[slot] + maps.edge_shift[piece];
                let bits = (0..2).filter(|flip| self.edges[piece][slot] >> flip & 1 == 1);
                rotated.edges[to_piece][to_slot] = bits.fold(0, |bits, flip| bits | 1 << ((flip + shift) % 2));
            }
        }
        rotated
    }

    /// Whether no more is asked of the corners than that half turns lead to their places.
    pub fn asks_of_corners_as_half_turns(&self) -> bool {
        let tetrad = |corner: usize| Corner::ALL[corner].tetrad();
        let is_so = |corner: usize, slot: usize| self.corners[corner][slot] == u8::from(tetrad(slot) == tetrad(corner));
        (0..Corner::COUNT).all(|corner| (0..Corner::COUNT).all(|slot| is_so(corner, slot)))
    }

    /// Whether nothing is asked.
    pub fn is_of_all(&self) -> bool {
        Kind::BOTH.into_iter().all(|kind| (0..kind.count()).all(|piece| self.ignores(kind, piece)))
    }

    /// Whether no position is in the set, but for the condition on half turns: the pieces find no slots, or only such that one would
    /// be flipped, twisted or swapped with another, and nothing else.
    pub fn is_empty(&self) -> bool {
        self.parities(Kind::Corners) & self.parities(Kind::Edges) == 0
    }

    /// Of which parity the allowed arrangements of one kind are that moves can reach: a bit for even and one for odd.
    fn parities(&self, kind: Kind) -> u8 {
        let (count, orientations) = (kind.count(), kind.orientations());
        // By the pieces in the first slots, as bits: two for each sum of orientations that occurs, for even and for odd.
        let (sums, evens) = ((1u8 << (2 * orientations)) - 1, 0b01_01_01);
        let mut occurs = vec![0u8; 1 << count];
        occurs[0] = 1;
        for used in (0..occurs.len()).filter(|used| used.count_ones() < count as u32) {
            let slot = used.count_ones() as usize;
            for piece in (0..count).filter(|piece| used >> piece & 1 == 0) {
                // It is out of order with each larger piece before it.
                let swaps = (used >> piece).count_ones();
                let before = occurs[used];
                let moved = if swaps % 2 == 0 { before } else { (before & evens) << 1 | before >> 1 & evens };
                for orientation in (0..orientations).filter(|o| self.of(kind, piece)[slot] >> o & 1 == 1) {
                    let turned = moved << (2 * orientation) | moved >> (2 * (orientations - orientation));
                    occurs[used | 1 << piece] |= turned & sums;
                }
            }
        }
        occurs[occurs.len() - 1] & 0b11
    }
}

/// The corner in each slot.
fn arrangement_of_corners(cube: &Cube) -> [usize; 8] {
    std::array::from_fn(|slot| Kind::Corners.pieces(cube).nth(slot).unwrap_or_default().0)
}

/// The 96 arrangements that half turns make of the corners: the corner in each slot.
pub(super) fn half_turn_arrangements() -> &'static [[usize; 8]] {
    static FOUND: std::sync::LazyLock<Vec<[usize; 8]>> = std::sync::LazyLock::new(|| {
        let (mut cubes, mut found) = (vec![Cube::SOLVED], vec![arrangement_of_corners(&Cube::SOLVED)]);
        while let Some(cube) = cubes.pop() {
            for turned in Move::ALL.into_iter().filter(|m| m.is_half_turn()).map(|m| cube.turned(m)) {
                if !found.contains(&arrangement_of_corners(&turned)) {
                    found.push(arrangement_of_corners(&turned));
                    cubes.push(turned);
                }
            }
        }
        found
    });
    &FOUND
}
