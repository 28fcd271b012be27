//! Goals as data: a mask, which holds the allowed slots and orientations of each piece, and the
//! variants of the goal. Also the named goals.

use super::turns::reach_all;
use crate::cube::{Corner, Cube, Edge, Move, Slot, Symmetry};
use std::fmt;
use std::sync::LazyLock;

/// A set of positions: the union of one or several variants. The [module](super) describes the
/// syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub(super) text: String,
    pub(super) mask: Mask,
    pub(super) variants: Vec<GoalVariant>,
}

/// A variant of a goal: the positions p for which the conjugate of target⁻¹ · p by `rotation` is in
/// the mask of the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoalVariant {
    pub name: String,
    pub rotation: Symmetry,
    pub target: Cube,
}

impl Goal {
    /// Creates the goal of reaching exactly this position.
    pub fn from_position(position: &Cube) -> Goal {
        Goal {
            text: position.facelets(),
            mask: Mask::solved(),
            variants: vec![GoalVariant {
                target: *position,
                ..GoalVariant::base()
            }],
        }
    }

    /// Returns the names of the variants. A goal without named variants, such as `edges`, has one
    /// empty name.
    pub fn variants(&self) -> impl Iterator<Item = &str> {
        self.variants_by_name()
            .map(|same_name| &same_name[0].name[..])
    }

    /// Returns the names of the variants that a position satisfies.
    pub fn satisfied_variants(&self, position: &Cube) -> impl Iterator<Item = &str> {
        let is_met = |variant: &GoalVariant| self.mask.contains(&variant.normalize(position));
        self.variants_by_name()
            .filter(move |same_name| same_name.iter().any(is_met))
            .map(|same_name| &same_name[0].name[..])
    }

    /// Returns the variants in groups with the same name, such as the four variants of `auf:U`.
    fn variants_by_name(&self) -> impl Iterator<Item = &[GoalVariant]> {
        self.variants.chunk_by(|one, next| one.name == next.name)
    }

    /// Returns `true` if a position satisfies the goal.
    pub fn is_met(&self, position: &Cube) -> bool {
        self.satisfied_variants(position).next().is_some()
    }

    /// Returns the position of the goal, if the goal is a single position.
    pub fn target(&self) -> Option<Cube> {
        let [GoalVariant { target, .. }] = self.variants[..] else {
            return None;
        };
        self.is_full_cube().then_some(target)
    }

    /// Returns `true` if the goal is a single position.
    pub fn is_position(&self) -> bool {
        self.target().is_some()
    }

    /// Returns `true` if every piece is constrained to one slot and orientation.
    pub fn is_full_cube(&self) -> bool {
        self.mask == Mask::solved()
    }

    /// Returns `true` if a symmetry permutes the variants.
    pub(super) fn is_preserved_by(&self, symmetry: Symmetry) -> bool {
        self.variants.iter().all(|variant| {
            let target = variant.target.conjugate(symmetry);
            let mask = variant.mask(&self.mask).conjugate(symmetry);
            self.variants
                .iter()
                .any(|other| other.target == target && other.mask(&self.mask) == mask)
        })
    }

    /// Returns the slots of corners and of edges whose pieces violate the first variant of the
    /// goal. Both lists may be empty although the position does not satisfy the goal: the half-turn
    /// reduction also constrains all corners together.
    pub fn unsatisfied_slots(&self, position: &Cube) -> (Vec<Corner>, Vec<Edge>) {
        let mut corners = Vec::new();
        let mut edges = Vec::new();
        if let Some(variant) = self.variants.first() {
            let mask = variant.mask(&self.mask);
            for slot in mask.violations(&variant.relative(position)) {
                match slot {
                    Slot::Corner(corner) => corners.push(corner),
                    Slot::Edge(edge) => edges.push(edge),
                }
            }
        }
        (corners, edges)
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl GoalVariant {
    /// Creates the variant without a name whose positions are those of the mask itself.
    pub fn base() -> GoalVariant {
        GoalVariant::rotated(String::new(), Symmetry::IDENTITY)
    }

    /// Creates the variant that `rotation` carries to the mask.
    pub fn rotated(name: String, rotation: Symmetry) -> GoalVariant {
        GoalVariant {
            name,
            rotation,
            target: Cube::SOLVED,
        }
    }

    /// Returns the position relative to the target; it is solved if the position is the target.
    pub fn relative(&self, position: &Cube) -> Cube {
        self.target.inverse().compose(position)
    }

    /// Returns a position that is in the mask exactly if `position` is in this variant.
    pub fn normalize(&self, position: &Cube) -> Cube {
        self.relative(position).conjugate(self.rotation)
    }

    /// Returns the mask of this variant in the frame of the centers, without the target.
    pub fn mask(&self, mask: &Mask) -> Mask {
        mask.conjugate(self.rotation.inverse())
    }
}

/// The kind of a piece: corner or edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum PieceKind {
    Corners,
    Edges,
}

impl PieceKind {
    pub const BOTH: [PieceKind; 2] = [PieceKind::Corners, PieceKind::Edges];

    /// Returns the kind of a piece, which is given by its own slot.
    pub const fn of(piece: Slot) -> PieceKind {
        match piece {
            Slot::Corner(_) => PieceKind::Corners,
            Slot::Edge(_) => PieceKind::Edges,
        }
    }

    /// Returns the number of pieces of this kind.
    pub const fn count(self) -> usize {
        [Corner::COUNT, Edge::COUNT][self as usize]
    }

    /// Returns the number of orientations of a piece in a slot.
    pub const fn orientations(self) -> u8 {
        [3, 2][self as usize]
    }

    /// Returns the slots of this kind. Each also denotes the piece that belongs there.
    pub fn slots(self) -> impl Iterator<Item = Slot> {
        let first = [0, Corner::COUNT][self as usize];
        Slot::all().skip(first).take(self.count())
    }

    /// Returns the first slot to which the moves can carry a piece from `slot`: a name of the
    /// orbit.
    pub fn orbit(self, slot: usize, moves: &[Move]) -> usize {
        let after = |from| {
            moves.iter().filter_map(move |&m| {
                let mut pieces = self.pieces(Cube::from_move(m));
                pieces.position(|(piece, _)| piece == from)
            })
        };
        let slots = reach_all(vec![slot], after);
        slots.into_iter().min().unwrap_or(slot)
    }

    /// Returns the piece in each slot, and its orientation.
    pub fn pieces(self, cube: &Cube) -> impl Iterator<Item = (usize, u8)> {
        let cube = *cube;
        self.slots().map(move |slot| {
            let (piece, orientation) = slot.cubie(&cube);
            (piece.number(), orientation as u8)
        })
    }

    /// Returns the image of each slot under a symmetry, and the facelet of the image to which the
    /// first facelet of the slot goes.
    pub fn images(self, symmetry: Symmetry) -> (&'static [u8], &'static [u8]) {
        let maps = symmetry.maps();
        match self {
            PieceKind::Corners => (&maps.corners, &maps.corner_shift),
            PieceKind::Edges => (&maps.edges, &maps.edge_shift),
        }
    }
}

/// The allowed orientations of a piece in each slot, as bits; edges use all twelve entries, corners
/// the first eight.
pub(super) type SlotOrientations = [u8; Edge::COUNT];

/// The set of positions in which every piece is in an allowed slot, with an orientation that is
/// allowed there.
///
/// The constraint on a piece does not involve other pieces. So the constraints on any subset of the
/// pieces define its goal patterns, which include the pattern of every position in the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mask {
    /// By piece, corners first.
    pieces: [SlotOrientations; Corner::COUNT + Edge::COUNT],
    /// `true` if the corners must be in one of the 96 arrangements that half turns lead to. No
    /// other condition involves several pieces.
    pub half_turn_corners: bool,
}

/// All orientations.
pub(super) const ANY: u8 = 0b111;

/// Returns the index of a piece in [`Mask::pieces`].
fn index(piece: Slot) -> usize {
    match piece {
        Slot::Corner(corner) => corner.index(),
        Slot::Edge(edge) => Corner::COUNT + edge.index(),
    }
}

impl Mask {
    /// Creates the set of all positions.
    pub fn all() -> Mask {
        let any = |piece| if piece < Corner::COUNT { ANY } else { 0b11 };
        Mask {
            pieces: std::array::from_fn(|piece| [any(piece); Edge::COUNT]),
            half_turn_corners: false,
        }
    }

    /// Creates the set of the solved cube alone.
    pub fn solved() -> Mask {
        let mut mask = Mask::all();
        for piece in Slot::all() {
            mask.restrict(piece, |slot| (slot == piece).into());
        }
        mask
    }

    /// Returns the allowed slots and orientations of a piece.
    pub fn of(&self, piece: Slot) -> &SlotOrientations {
        &self.pieces[index(piece)]
    }

    /// Returns the allowed orientations of a piece in a slot of its kind.
    pub fn allowed(&self, piece: Slot, slot: Slot) -> u8 {
        self.of(piece)[slot.number()]
    }

    /// Returns `true` if a piece is unconstrained.
    pub fn ignores(&self, piece: Slot) -> bool {
        self.of(piece) == Mask::all().of(piece)
    }

    /// Restricts a piece to the orientations, as bits, that are `allowed` in each slot.
    pub fn restrict(&mut self, piece: Slot, allowed: impl Fn(Slot) -> u8) {
        for slot in PieceKind::of(piece).slots() {
            self.pieces[index(piece)][slot.number()] &= allowed(slot);
        }
    }

    /// Returns `true` if half turns must lead to the arrangement of the pieces of this kind.
    pub fn needs_half_turns(&self, kind: PieceKind) -> bool {
        self.half_turn_corners && kind == PieceKind::Corners
    }

    /// Requires that half turns lead to the arrangement of the corners.
    pub fn require_half_turn_corners(&mut self) {
        self.half_turn_corners = true;
        for corner in Corner::ALL {
            self.restrict(Slot::Corner(corner), |slot| match slot {
                Slot::Corner(slot) if slot.tetrad() == corner.tetrad() => ANY,
                _ => 0,
            });
        }
    }

    /// Returns `true` if a position is in the set.
    pub fn contains(&self, position: &Cube) -> bool {
        let is_half_turn_arrangement =
            || half_turn_arrangements().contains(&arrangement_of_corners(position));
        self.violations(position).next().is_none()
            && (!self.half_turn_corners || is_half_turn_arrangement())
    }

    /// Returns the slots whose pieces violate their constraint.
    pub fn violations(&self, position: &Cube) -> impl Iterator<Item = Slot> {
        Slot::all().filter(move |slot| {
            let (piece, orientation) = slot.cubie(position);
            self.allowed(piece, *slot) >> orientation & 1 == 0
        })
    }

    /// Returns the intersection of two sets.
    #[must_use]
    pub fn intersect(mut self, other: &Mask) -> Mask {
        for piece in Slot::all() {
            self.restrict(piece, |slot| other.allowed(piece, slot));
        }
        self.half_turn_corners |= other.half_turn_corners;
        self
    }

    /// Returns the set of the conjugates of its positions: the set for a cube that is held in
    /// another way (`cube::symmetry` derives the formula).
    #[must_use]
    pub fn conjugate(&self, symmetry: Symmetry) -> Mask {
        let mut conjugate = Mask {
            half_turn_corners: self.half_turn_corners,
            ..Mask::all()
        };
        for piece in Slot::all() {
            let kind = PieceKind::of(piece);
            let orientations = kind.orientations();
            let (slots, shifts) = kind.images(symmetry);
            let image = |slot: Slot| slot.with_number(slots[slot.number()].into());
            for slot in kind.slots() {
                let shift = orientations + shifts[slot.number()] - shifts[piece.number()];
                let reflected = |orientation: u8| {
                    if symmetry.is_mirror() {
                        orientations - orientation
                    } else {
                        orientation
                    }
                };
                let allowed = self.allowed(piece, slot);
                let allowed =
                    (0..orientations).filter(|orientation| allowed >> orientation & 1 == 1);
                conjugate.pieces[index(image(piece))][image(slot).number()] =
                    allowed.fold(0, |bits, orientation| {
                        bits | 1 << ((reflected(orientation) + shift) % orientations)
                    });
            }
        }
        conjugate
    }

    /// Returns `true` if each corner must only be oriented and in a slot of its own tetrad, as half
    /// turns require.
    pub fn corners_need_only_tetrads(&self) -> bool {
        let mut tetrads = Mask::all();
        Slot::corners().for_each(|corner| tetrads.restrict(corner, |_| 1));
        tetrads.require_half_turn_corners();
        self.pieces[..Corner::COUNT] == tetrads.pieces[..Corner::COUNT]
    }

    /// Returns `true` if all pieces are unconstrained.
    pub fn is_unconstrained(&self) -> bool {
        self.pieces == Mask::all().pieces
    }

    /// Returns `true` if no position satisfies the constraints on the single pieces: they leave
    /// some piece no slot, or only arrangements with one piece flipped or twisted alone, or one
    /// swap alone. Ignores the condition on half turns.
    pub fn is_empty(&self) -> bool {
        self.parities(PieceKind::Corners) & self.parities(PieceKind::Edges) == 0
    }

    /// Returns the parities of the allowed arrangements of one kind that moves can reach, as bits:
    /// 1 for even, 2 for odd.
    fn parities(&self, kind: PieceKind) -> u8 {
        let pieces: Vec<Slot> = kind.slots().collect();
        let count = pieces.len();
        let orientations = kind.orientations();
        // Each sum of orientations has two bits, for even and for odd.
        let sums = (1u8 << (2 * orientations)) - 1;
        let evens = 0b01_01_01;
        // By the set of pieces in the first slots, as bits: the sums and parities that occur.
        let mut occurs = vec![0u8; 1 << count];
        occurs[0] = 1;
        for used in (0..occurs.len()).filter(|used| used.count_ones() < count as u32) {
            let slot = used.count_ones() as usize;
            for piece in (0..count).filter(|piece| used >> piece & 1 == 0) {
                // The piece forms an inversion with each larger piece in a slot before.
                let inversions = (used >> piece).count_ones();
                let before = occurs[used];
                let with_parity = if inversions % 2 == 0 {
                    before
                } else {
                    (before & evens) << 1 | before >> 1 & evens
                };
                for orientation in
                    (0..orientations).filter(|o| self.of(pieces[piece])[slot] >> o & 1 == 1)
                {
                    let with_sum = with_parity << (2 * orientation)
                        | with_parity >> (2 * (orientations - orientation));
                    occurs[used | 1 << piece] |= with_sum & sums;
                }
            }
        }
        // Moves keep the sum of all orientations at zero.
        occurs[occurs.len() - 1] & 0b11
    }
}

/// Returns the corner in each slot.
fn arrangement_of_corners(cube: &Cube) -> [usize; 8] {
    Corner::ALL.map(|slot| cube.corner(slot).0.index())
}

/// Returns the 96 arrangements that half turns make of the corners: the corner in each slot.
pub(super) fn half_turn_arrangements() -> &'static [[usize; 8]] {
    static ARRANGEMENTS: LazyLock<Vec<[usize; 8]>> = LazyLock::new(|| {
        let after = |corners: [usize; 8]| {
            let half_turns = Move::ALL.into_iter().filter(|m| m.is_half_turn());
            half_turns
                .map(move |m| arrangement_of_corners(Cube::from_move(m)).map(|from| corners[from]))
        };
        reach_all(vec![arrangement_of_corners(&Cube::SOLVED)], after)
    });
    &ARRANGEMENTS
}

/// Returns a piece in words, such as `the edge DF`.
pub(super) fn named_piece(piece: Slot) -> String {
    match piece {
        Slot::Corner(corner) => format!("the corner {corner}"),
        Slot::Edge(edge) => format!("the edge {edge}"),
    }
}

/// A named goal.
///
/// Every variant is the image of the default one under a rotation of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedGoal {
    /// The name.
    pub name: &'static str,
    /// The faces of its default variant; empty if it has only one variant.
    pub default_variant: &'static str,
    /// A description of the goal, in its default variant.
    pub description: &'static str,
    /// The default variant, as a list of items.
    pub(super) definition: &'static str,
}

const fn named(
    name: &'static str,
    default_variant: &'static str,
    definition: &'static str,
    description: &'static str,
) -> NamedGoal {
    NamedGoal {
        name,
        default_variant,
        description,
        definition,
    }
}

/// The named goals.
pub const NAMED_GOALS: [NamedGoal; 19] = [
    named("cross", "D", "DF DR DB DL", "the four edges of D"),
    named(
        "xcross",
        "DFR",
        "DF DR DB DL DFR FR",
        "the cross on D, the corner DFR and the edge above it",
    ),
    named(
        "2x2x2",
        "DLF",
        "DL DF FL DLF",
        "the corner DLF and the three edges beside it",
    ),
    named(
        "2x2x3",
        "DL",
        "DL DF DB FL BL DLF DBL",
        "a 2x2x3 block along DL",
    ),
    named(
        "f2l",
        "D",
        "DF DR DB DL FR FL BL BR DFR DLF DBL DRB",
        "first two layers: D and the middle layer",
    ),
    named(
        "f2l-1",
        "DFR",
        "DF DR DB DL FL BL BR DLF DBL DRB",
        "F2L without the corner DFR and the edge above it",
    ),
    named(
        "1x2x3",
        "DL",
        "DL FL BL DLF DBL",
        "a 1x2x3 block on L, next to D",
    ),
    named(
        "blocks",
        "DL",
        "DL FL BL DLF DBL DR FR BR DFR DRB",
        "the 1x2x3 blocks on L and on R, next to D",
    ),
    named(
        "eo",
        "FB",
        "oriented(edges)",
        "all edges oriented: no more quarter turns of F and B are needed",
    ),
    named(
        "eoline",
        "DF",
        "oriented(edges) DF DB",
        "all edges oriented, and the edges DF and DB",
    ),
    named(
        "eocross",
        "DF",
        "oriented(edges) DF DR DB DL",
        "all edges oriented, and the cross on D",
    ),
    named("corners", "", "corners", "all corners"),
    named("edges", "", "edges", "all edges"),
    named(
        "oll",
        "U",
        OLL,
        "first two layers, and the pieces of U oriented",
    ),
    named(
        "layer",
        "U",
        "UF UR UB UL URF UFL ULB UBR",
        "the eight pieces of the U layer",
    ),
    named(
        "dr",
        "UD",
        DOMINO,
        "domino reduction: the subgroup of U, D and half turns of the other faces",
    ),
    named(
        HTR,
        "",
        HALF_TURNS,
        "half-turn reduction: the subgroup of half turns",
    ),
    named("solved", "", SOLVED, "the whole cube"),
    named(AUF, "U", SOLVED, "the whole cube, up to a turn of U (AUF)"),
];

/// The named goal whose variants are positions.
pub(super) const AUF: &str = "auf";
/// The named goal with a condition on all corners together.
pub(super) const HTR: &str = "htr";

const SOLVED: &str = "edges corners";
const OLL: &str = "DF DR DB DL FR FL BL BR DFR DLF DBL DRB oriented(UF UR UB UL URF UFL ULB UBR)";
const DOMINO: &str = "oriented(edges corners) {FR FL BL BR} {UF UR UB UL DF DR DB DL}";
const HALF_TURNS: &str = "oriented(edges corners) {UF UB DF DB} {UR UL DR DL} {FR FL BL BR}";
