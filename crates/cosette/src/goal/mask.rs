//! Masks: the allowed slots and orientations of each piece.

use crate::cube::{Corner, Cube, Edge, Move, Slot, Symmetry};
use std::sync::LazyLock;

/// The kind of a piece: corner or edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PieceKind {
    Corners,
    Edges,
}

impl PieceKind {
    pub const BOTH: [PieceKind; 2] = [PieceKind::Corners, PieceKind::Edges];

    /// Returns the number of pieces of this kind.
    pub const fn count(self) -> usize {
        [Corner::COUNT, Edge::COUNT][self as usize]
    }

    /// Returns the number of orientations of a piece in a slot.
    pub const fn orientations(self) -> u8 {
        [3, 2][self as usize]
    }

    /// Returns the slot of this number, which is that of the piece that belongs there.
    pub fn slot(self, number: usize) -> Slot {
        match self {
            PieceKind::Corners => Slot::Corner(Corner::ALL[number]),
            PieceKind::Edges => Slot::Edge(Edge::ALL[number]),
        }
    }

    /// Returns all pieces, each as its kind and number.
    pub fn all_pieces() -> impl Iterator<Item = (PieceKind, usize)> {
        PieceKind::BOTH
            .into_iter()
            .flat_map(|kind| (0..kind.count()).map(move |piece| (kind, piece)))
    }

    /// Returns the name of a piece in words, such as `the edge DF`.
    pub fn piece_name(self, piece: usize) -> String {
        match self.slot(piece) {
            Slot::Corner(corner) => format!("the corner {corner}"),
            Slot::Edge(edge) => format!("the edge {edge}"),
        }
    }

    /// Returns the first of the slots to which the moves carry the piece of a slot.
    pub fn orbit(self, slot: usize, moves: &[Move]) -> usize {
        let mut slots = vec![slot];
        let mut done = 0;
        while let Some(&from) = slots.get(done) {
            done += 1;
            let to = |m: &Move| {
                self.pieces(Cube::from_move(*m))
                    .position(|(piece, _)| piece == from)
            };
            for to in moves.iter().filter_map(to) {
                if !slots.contains(&to) {
                    slots.push(to);
                }
            }
        }
        slots.into_iter().min().unwrap_or(slot)
    }

    /// Returns the piece in each slot, and its orientation.
    pub fn pieces(self, cube: &Cube) -> impl Iterator<Item = (usize, u8)> {
        let cube = *cube;
        (0..self.count()).map(move |slot| {
            let (piece, orientation) = self.slot(slot).cubie(&cube);
            (piece.number(), orientation as u8)
        })
    }
}

/// The allowed orientations of a piece in each slot, as bits; edges use all twelve entries, corners
/// the first eight.
pub(super) type SlotOrientations = [u8; Edge::COUNT];

/// A set of positions: those in which every piece is in a slot, with an orientation, that is
/// allowed for it.
///
/// The constraint on a piece does not involve other pieces. So a projection that distinguishes some
/// pieces and ignores the others has its own goal patterns, and those of every position in the set
/// are among them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mask {
    corners: [SlotOrientations; Corner::COUNT],
    edges: [SlotOrientations; Edge::COUNT],
    /// `true` if the corners must be one of the 96 arrangements that half turns make of the solved
    /// ones. This is the only condition that is not one on each piece.
    pub half_turn_corners: bool,
}

/// All orientations.
const ANY: u8 = 0b111;

impl Mask {
    /// Creates the set of all positions.
    pub fn all() -> Mask {
        let corners = [[ANY; Edge::COUNT]; Corner::COUNT];
        let edges = [[0b11; Edge::COUNT]; Edge::COUNT];
        Mask {
            corners,
            edges,
            half_turn_corners: false,
        }
    }

    /// Creates the set of the solved cube alone.
    pub fn solved() -> Mask {
        let mut mask = Mask::all();
        for (kind, piece) in PieceKind::all_pieces() {
            mask.restrict(kind, piece, 1, |slot| slot == piece);
        }
        mask
    }

    /// Returns the allowed slots and orientations of a piece.
    pub fn of(&self, kind: PieceKind, piece: usize) -> &SlotOrientations {
        match kind {
            PieceKind::Corners => &self.corners[piece],
            PieceKind::Edges => &self.edges[piece],
        }
    }

    /// Returns `true` if a piece is unconstrained.
    pub fn ignores(&self, kind: PieceKind, piece: usize) -> bool {
        let any = ANY >> (3 - kind.orientations());
        self.of(kind, piece)[..kind.count()]
            .iter()
            .all(|&bits| bits & any == any)
    }

    /// Restricts a piece to `orientations`, as bits, in the slots for which `is_allowed`.
    pub fn restrict(
        &mut self,
        kind: PieceKind,
        piece: usize,
        orientations: u8,
        is_allowed: impl Fn(usize) -> bool,
    ) {
        for (slot, bits) in self.row(kind, piece)[..kind.count()].iter_mut().enumerate() {
            *bits &= if is_allowed(slot) { orientations } else { 0 };
        }
    }

    /// Restricts a piece to `orientations` in one slot.
    pub fn restrict_slot(&mut self, kind: PieceKind, piece: usize, slot: usize, orientations: u8) {
        self.row(kind, piece)[slot] &= orientations;
    }

    /// Requires that half turns lead to the arrangement of the corners.
    pub fn require_half_turn_corners(&mut self) {
        let tetrad = |corner: usize| Corner::ALL[corner].tetrad();
        self.half_turn_corners = true;
        for corner in 0..Corner::COUNT {
            self.restrict(PieceKind::Corners, corner, ANY, |slot| {
                tetrad(slot) == tetrad(corner)
            });
        }
    }

    fn row(&mut self, kind: PieceKind, piece: usize) -> &mut SlotOrientations {
        match kind {
            PieceKind::Corners => &mut self.corners[piece],
            PieceKind::Edges => &mut self.edges[piece],
        }
    }

    /// Returns `true` if a position is in the set.
    pub fn contains(&self, position: &Cube) -> bool {
        let are_as_half_turns =
            || half_turn_arrangements().contains(&arrangement_of_corners(position));
        self.violations(position).next().is_none()
            && (!self.half_turn_corners || are_as_half_turns())
    }

    /// Returns the slots whose pieces violate their constraint.
    pub fn violations(&self, position: &Cube) -> impl Iterator<Item = Slot> {
        PieceKind::BOTH.into_iter().flat_map(move |kind| {
            let pieces = kind.pieces(position).enumerate();
            pieces.filter_map(move |(slot, (piece, orientation))| {
                let is_violated = self.of(kind, piece)[slot] >> orientation & 1 == 0;
                is_violated.then(|| kind.slot(slot))
            })
        })
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub fn intersect(mut self, other: &Mask) -> Mask {
        let rows = self
            .corners
            .iter_mut()
            .zip(&other.corners)
            .chain(self.edges.iter_mut().zip(&other.edges));
        for (bits, others) in rows.flat_map(|(row, others)| row.iter_mut().zip(others)) {
            *bits &= others;
        }
        self.half_turn_corners |= other.half_turn_corners;
        self
    }

    /// Returns the set of the conjugates of the positions: the set in the frame of a cube that is
    /// held another way (`cube::symmetry` has the formula).
    #[must_use]
    pub fn conjugate(&self, symmetry: Symmetry) -> Mask {
        let maps = symmetry.maps();
        let mut rotated = Mask {
            half_turn_corners: self.half_turn_corners,
            ..Mask::all()
        };
        for piece in 0..Corner::COUNT {
            for slot in 0..Corner::COUNT {
                let to_piece = usize::from(maps.corners[piece]);
                let to_slot = usize::from(maps.corners[slot]);
                let shift = 3 + maps.corner_shift[slot] - maps.corner_shift[piece];
                let seen = |twist: u8| if maps.mirrors { 3 - twist } else { twist };
                let bits = (0..3).filter(|twist| self.corners[piece][slot] >> twist & 1 == 1);
                rotated.corners[to_piece][to_slot] =
                    bits.fold(0, |bits, twist| bits | 1 << ((seen(twist) + shift) % 3));
            }
        }
        for piece in 0..Edge::COUNT {
            for slot in 0..Edge::COUNT {
                let to_piece = usize::from(maps.edges[piece]);
                let to_slot = usize::from(maps.edges[slot]);
                let shift = maps.edge_shift[slot] + maps.edge_shift[piece];
                let bits = (0..2).filter(|flip| self.edges[piece][slot] >> flip & 1 == 1);
                rotated.edges[to_piece][to_slot] =
                    bits.fold(0, |bits, flip| bits | 1 << ((flip + shift) % 2));
            }
        }
        rotated
    }

    /// Returns `true` if the only constraint on corners is that half turns carry them to their
    /// slots.
    pub fn corners_need_only_tetrads(&self) -> bool {
        let tetrad = |corner: usize| Corner::ALL[corner].tetrad();
        let is_so = |corner: usize, slot: usize| {
            self.corners[corner][slot] == u8::from(tetrad(slot) == tetrad(corner))
        };
        (0..Corner::COUNT).all(|corner| (0..Corner::COUNT).all(|slot| is_so(corner, slot)))
    }

    /// Returns `true` if all pieces are unconstrained.
    pub fn is_unconstrained(&self) -> bool {
        PieceKind::all_pieces().all(|(kind, piece)| self.ignores(kind, piece))
    }

    /// Returns `true` if no position is in the set, apart from the condition on half turns: the
    /// pieces have no slots left, or only arrangements with one piece flipped or twisted alone, or
    /// one swap alone.
    pub fn is_empty(&self) -> bool {
        self.parities(PieceKind::Corners) & self.parities(PieceKind::Edges) == 0
    }

    /// Returns the parities of the allowed arrangements of one kind that moves can reach, as bits:
    /// 1 for even, 2 for odd.
    fn parities(&self, kind: PieceKind) -> u8 {
        let count = kind.count();
        let orientations = kind.orientations();
        // Each sum of orientations has two bits, for even and for odd.
        let sums = (1u8 << (2 * orientations)) - 1;
        let evens = 0b01_01_01;
        // Indexed by the pieces in the first slots, as bits.
        let mut occurs = vec![0u8; 1 << count];
        occurs[0] = 1;
        for used in (0..occurs.len()).filter(|used| used.count_ones() < count as u32) {
            let slot = used.count_ones() as usize;
            for piece in (0..count).filter(|piece| used >> piece & 1 == 0) {
                // An inversion with each larger piece before it.
                let swaps = (used >> piece).count_ones();
                let before = occurs[used];
                let moved = if swaps % 2 == 0 {
                    before
                } else {
                    (before & evens) << 1 | before >> 1 & evens
                };
                for orientation in
                    (0..orientations).filter(|o| self.of(kind, piece)[slot] >> o & 1 == 1)
                {
                    let turned =
                        moved << (2 * orientation) | moved >> (2 * (orientations - orientation));
                    occurs[used | 1 << piece] |= turned & sums;
                }
            }
        }
        occurs[occurs.len() - 1] & 0b11
    }
}

/// Returns the corner in each slot.
fn arrangement_of_corners(cube: &Cube) -> [usize; 8] {
    std::array::from_fn(|slot| {
        PieceKind::Corners
            .pieces(cube)
            .nth(slot)
            .unwrap_or_default()
            .0
    })
}

/// Returns the 96 arrangements that half turns make of the corners: the corner in each slot.
pub(super) fn half_turn_arrangements() -> &'static [[usize; 8]] {
    static ARRANGEMENTS: LazyLock<Vec<[usize; 8]>> = LazyLock::new(|| {
        let mut cubes = vec![Cube::SOLVED];
        let mut arrangements = vec![arrangement_of_corners(&Cube::SOLVED)];
        while let Some(cube) = cubes.pop() {
            for m in Move::ALL.into_iter().filter(|m| m.is_half_turn()) {
                let turned = cube.apply(m);
                let arrangement = arrangement_of_corners(&turned);
                if !arrangements.contains(&arrangement) {
                    arrangements.push(arrangement);
                    cubes.push(turned);
                }
            }
        }
        arrangements
    });
    &ARRANGEMENTS
}
