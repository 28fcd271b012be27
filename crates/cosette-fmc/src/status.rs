//! Status of an attempt: its reductions, and the bad pieces of each step.

use super::pipeline::AXES;
use super::reduction::Reduction;
use cosette::cube::{Corner, Cube, Edge, Face};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The slots of the bad pieces of a step.
///
/// | step | corners | edges |
/// |---|---|---|
/// | `eo` | none | flipped ones |
/// | `dr` | twisted ones | slots of the middle layer that hold no correctly oriented edge of the middle layer; elsewhere, flipped edges, except those that belong in the middle layer |
/// | `htr` | those that half turns cannot solve | those that are not in their slice (M, E or S) |
/// | `finish` | all unsolved ones | all unsolved ones |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BadPieces {
    /// Slots of bad corners.
    pub corners: Vec<Corner>,
    /// Slots of bad edges.
    pub edges: Vec<Edge>,
}

/// Writes the notation of competitors: `4c2e` are four corners and two edges.
impl fmt::Display for BadPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}c{}e", self.corners.len(), self.edges.len())
    }
}

impl Reduction {
    /// Returns all reductions on all axes, in the order in which they are reached.
    pub fn all() -> impl Iterator<Item = Reduction> {
        let along = |reached: fn(_) -> Reduction| AXES.into_iter().map(reached);
        along(Reduction::Eo)
            .chain(along(Reduction::Dr))
            .chain([Reduction::Htr, Reduction::Solved])
    }

    /// Returns the next reductions: each of them implies this one.
    fn next(self) -> Vec<Reduction> {
        match self {
            Reduction::Nothing => AXES.map(Reduction::Eo).to_vec(),
            Reduction::Eo(axis) => AXES
                .into_iter()
                .filter(|&other| other != axis)
                .map(Reduction::Dr)
                .collect(),
            Reduction::Dr(_) => vec![Reduction::Htr],
            Reduction::Htr => vec![Reduction::Solved],
            Reduction::Solved => Vec::new(),
        }
    }

    /// Returns the furthest reductions of a position: `dr:UD` without the `eo:FB` that it implies.
    pub fn furthest(position: &Cube) -> Vec<Reduction> {
        let is_there = |reached: &Reduction| reached.holds(position);
        Reduction::all()
            .filter(is_there)
            .filter(|reached| !reached.next().iter().any(is_there))
            .collect()
    }

    /// Returns the bad pieces of a position for this reduction. There may be none before a
    /// half-turn reduction: then only all corners together need quarter turns.
    pub fn bad(self, position: &Cube) -> BadPieces {
        let Some(goal) = self.goal() else {
            return BadPieces::default();
        };
        let (corners, mut edges) = goal.unsatisfied_slots(position);
        if let Reduction::Dr(axis) = self {
            // An edge of the middle layer in another layer occupies a slot that is counted already.
            let shown: Vec<char> = position.facelets().chars().collect();
            let outer = Face::ALL.map(|face| (face.axis() == axis).then(|| face.letter()));
            edges.retain(|edge| {
                let is_in_middle = edge.faces().iter().all(|face| face.axis() != axis);
                is_in_middle
                    || edge
                        .places()
                        .iter()
                        .any(|&place| outer.contains(&Some(shown[place])))
            });
        }
        BadPieces { corners, edges }
    }

    /// Returns the next reduction, on the axis with the fewest bad pieces of a position.
    pub fn nearest(self, position: &Cube) -> Option<Reduction> {
        let next = self
            .next()
            .into_iter()
            .filter(|next| matches!(next, Reduction::Dr(_) | Reduction::Htr));
        next.min_by_key(|next| {
            let BadPieces { corners, edges } = next.bad(position);
            corners.len() + edges.len()
        })
    }
}

/// The status of an attempt, as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttemptStatus {
    /// The position, as 54 facelets.
    pub facelets: String,
    /// The furthest reductions of the position: `eo:FB`, `dr:UD`, `htr`, `finish`.
    pub reductions: Vec<String>,
    /// The bad pieces of each step, on each axis.
    pub bad_pieces: Vec<BadPiecesJson>,
}

/// The bad pieces of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BadPiecesJson {
    /// The step.
    pub step: String,
    /// Number of bad corners.
    pub corners: usize,
    /// Number of bad edges: for `eo` the flipped ones; for `dr` the slots of the middle layer that
    /// hold no correctly oriented edge of that layer, and elsewhere the flipped edges, except those
    /// that belong in the middle layer; for `htr` the edges that are not in their slice.
    pub edges: usize,
    /// The facelet indices of the bad pieces, 0 to 53.
    pub facelets: Vec<usize>,
}

impl From<&Cube> for AttemptStatus {
    fn from(position: &Cube) -> AttemptStatus {
        let bad_pieces = Reduction::all().map(|reached| {
            let BadPieces { corners, edges } = reached.bad(position);
            let facelets = corners.iter().flat_map(|corner| corner.places());
            BadPiecesJson {
                step: reached.to_string(),
                corners: corners.len(),
                edges: edges.len(),
                facelets: facelets
                    .chain(edges.iter().flat_map(|edge| edge.places()))
                    .collect(),
            }
        });
        let reductions = Reduction::furthest(position)
            .iter()
            .map(Reduction::to_string)
            .collect();
        AttemptStatus {
            facelets: position.facelets(),
            reductions,
            bad_pieces: bad_pieces.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Axis;

    #[test]
    fn what_is_in_the_way_is_counted() {
        let bad =
            |reached: Reduction, moves: &str| reached.bad(&moves.parse().unwrap()).to_string();
        let nearest = |reached: Reduction, moves: &str| reached.nearest(&moves.parse().unwrap());
        assert_eq!(bad(Reduction::Eo(Axis::Fb), "F R"), "0c4e");
        assert_eq!(bad(Reduction::Eo(Axis::Ud), "F R"), "0c0e");
        assert_eq!(bad(Reduction::Dr(Axis::Ud), "R"), "4c2e");
        let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
        assert_eq!(bad(Reduction::Dr(Axis::Ud), superflip), "0c12e");
        assert_eq!(bad(Reduction::Htr, "R"), "4c4e");
        assert_eq!(bad(Reduction::Solved, "R2"), "4c4e");
        assert_eq!(
            nearest(Reduction::Eo(Axis::Fb), "R"),
            Some(Reduction::Dr(Axis::Rl))
        );
        assert_eq!(nearest(Reduction::Dr(Axis::Rl), "R"), Some(Reduction::Htr));
        assert_eq!(nearest(Reduction::Htr, "R2"), None);
    }

    #[test]
    fn what_is_included_is_left_out() {
        let here = |moves: &str| AttemptStatus::from(&moves.parse::<Cube>().unwrap());
        assert_eq!(here("F R U").reductions, [""; 0]);
        assert_eq!(here("R U L").reductions, ["eo:FB"]);
        assert_eq!(here("R F2").reductions, ["dr:RL"]);
        assert_eq!(here("R2 F2").reductions, ["htr"]);
        assert_eq!(here("R R'").reductions, ["finish"]);
        let htr = &here("R").bad_pieces[6];
        assert_eq!(
            (&htr.step[..], htr.corners, htr.edges, htr.facelets.len()),
            ("htr", 4, 4, 20)
        );
    }
}
