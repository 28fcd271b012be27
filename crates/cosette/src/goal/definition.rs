//! What a goal consists of: a mask, and the variants in which it is solved; and the named goals.

use super::mask::Mask;
use crate::cube::{Corner, Cube, Edge, Slot, Symmetry};
use std::fmt;

/// A set of positions, in one or several variants; the [module](super) has the syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    pub(super) text: String,
    pub(super) mask: Mask,
    pub(super) variants: Vec<GoalVariant>,
}

/// A variant of a goal. It is reached by target · x for every position x that is in the mask after
/// conjugation by `rotation`: by p if the conjugate of target⁻¹ · p is in the mask.
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

    /// Returns the names of its variants; one empty name if it has only one.
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

    /// Returns the variants in groups with one name: the positions of one variant are consecutive.
    fn variants_by_name(&self) -> impl Iterator<Item = &[GoalVariant]> {
        self.variants.chunk_by(|one, next| one.name == next.name)
    }

    /// Returns `true` if a position satisfies the goal.
    pub fn is_met(&self, position: &Cube) -> bool {
        self.satisfied_variants(position).next().is_some()
    }

    /// Returns the position that is the goal, if it is a single one.
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

    /// Returns `true` if a symmetry permutes its variants.
    pub(super) fn is_preserved_by(&self, symmetry: Symmetry) -> bool {
        self.variants.iter().all(|variant| {
            let target = variant.target.conjugate(symmetry);
            let mask = variant.mask(&self.mask).conjugate(symmetry);
            self.variants
                .iter()
                .any(|other| other.target == target && other.mask(&self.mask) == mask)
        })
    }

    /// Returns the slots of corners and of edges whose pieces violate the goal (its first variant).
    /// Both may be empty for a position that does not satisfy it: a half-turn reduction constrains
    /// all corners together.
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
    /// Creates the variant of the mask itself.
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

    /// Returns the position relative to the target: the solved cube at the target.
    pub fn relative(&self, position: &Cube) -> Cube {
        self.target.inverse().compose(position)
    }

    /// Returns the position that is in the mask if `position` reaches this variant.
    pub fn normalize(&self, position: &Cube) -> Cube {
        self.relative(position).conjugate(self.rotation)
    }

    /// Returns the mask of this variant in the frame of the centers, without the target.
    pub fn mask(&self, mask: &Mask) -> Mask {
        mask.conjugate(self.rotation.inverse())
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
        ORIENTED,
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

/// A goal whose variants are positions.
pub(super) const AUF: &str = "auf";
/// A goal with a condition on all corners together.
pub(super) const HTR: &str = "htr";

const SOLVED: &str = "edges corners";
const ORIENTED: &str =
    "DF DR DB DL FR FL BL BR DFR DLF DBL DRB oriented(UF UR UB UL URF UFL ULB UBR)";
const DOMINO: &str = "oriented(edges corners) {FR FL BL BR} {UF UR UB UL DF DR DB DL}";
const HALF_TURNS: &str = "oriented(edges corners) {UF UB DF DB} {UR UL DR DL} {FR FL BL BR}";
