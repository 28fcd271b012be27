//! Where an attempt is: what is reached by then, and which pieces are in the way of each step.

use super::pipeline::AXES;
use super::reached::Reached;
use cosette::cube::{Corner, Cube, Edge, Face};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The slots of the pieces that are in the way of a step.
///
/// | step | corners | edges |
/// |---|---|---|
/// | `eo` | none | flipped ones |
/// | `dr` | twisted ones | slots of the middle layer with an edge of another layer or a flipped one, and slots of the outer layers with a flipped edge of theirs |
/// | `htr` | those that half turns do not bring home | those in another layer than their own |
/// | `finish` | all that are not home | all that are not home |
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bad {
    /// Of corners.
    pub corners: Vec<Corner>,
    /// Of edges.
    pub edges: Vec<Edge>,
}

/// As competitors write it: `4c2e` are four corners and two edges.
impl fmt::Display for Bad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}c{}e", self.corners.len(), self.edges.len())
    }
}

impl Reached {
    /// Along all axes, in the order in which they are reached.
    pub fn all() -> impl Iterator<Item = Reached> {
        let along = |reached: fn(_) -> Reached| AXES.into_iter().map(reached);
        along(Reached::Eo).chain(along(Reached::Dr)).chain([Reached::Htr, Reached::Solved])
    }

    /// The next reductions: each of them implies this one.
    fn next(self) -> Vec<Reached> {
        match self {
            Reached::Nothing => AXES.map(Reached::Eo).to_vec(),
            Reached::Eo(axis) => AXES.into_iter().filter(|&other| other != axis).map(Reached::Dr).collect(),
            Reached::Dr(_) => vec![Reached::Htr],
            Reached::Htr => vec![Reached::Solved],
            Reached::Solved => Vec::new(),
        }
    }

    /// What a position has reached, only the furthest: no `eo:FB` beside `dr:UD`.
    pub fn most(position: &Cube) -> Vec<Reached> {
        let is_there = |reached: &Reached| reached.holds(position);
        Reached::all().filter(is_there).filter(|reached| !reached.next().iter().any(is_there)).collect()
    }

    /// The pieces of a position that are in the way of it. There may be none before a half-turn reduction: then all corners together need
    /// quarter turns.
    pub fn bad(self, position: &Cube) -> Bad {
        let Some(goal) = self.goal() else { return Bad::default() };
        let (corners, mut edges) = goal.missed(position);
        if let Reached::Dr(axis) = self {
            // An edge of the middle layer in another one takes a slot that is counted already.
            let shown: Vec<char> = position.facelets().chars().collect();
            let outer = Face::ALL.map(|face| (face.axis() == axis).then(|| face.letter()));
            edges.retain(|edge| {
                let is_in_middle = edge.faces().iter().all(|face| face.axis() != axis);
                is_in_middle || edge.places().iter().any(|&place| outer.contains(&Some(shown[place])))
            });
        }
        Bad { corners, edges }
    }

    /// The next reduction, along the axis where the fewest pieces of a position are in the way.
    pub fn nearest(self, position: &Cube) -> Option<Reached> {
        let next = self.next().into_iter().filter(|next| matches!(next, Reached::Dr(_) | Reached::Htr));
        next.min_by_key(|next| {
            let Bad { corners, edges } = next.bad(position);
            corners.len() + edges.len()
        })
    }
}

/// Where an attempt is, as JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Here {
    /// The position, as 54 facelets.
    pub facelets: String,
    /// What it has reached, only the furthest: `eo:FB`, `dr:UD`, `htr`, `finish`.
    pub reached: Vec<String>,
    /// What is in the way of each step, along each axis.
    pub bad: Vec<BadPieces>,
}

/// The pieces that are in the way of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BadPieces {
    /// The step.
    pub step: String,
    /// How many corners.
    pub corners: usize,
    /// How many edges: before `eo` the flipped ones, before `dr` the slots of the middle layer with others or flipped ones, and those of the outer layers with flipped ones of theirs, before `htr` those in another
    /// layer than their own.
    pub edges: usize,
    /// Their places among the facelets, 0 to 53.
    pub facelets: Vec<usize>,
}

impl From<&Cube> for Here {
    fn from(position: &Cube) -> Here {
        let bad = Reached::all().map(|reached| {
            let Bad { corners, edges } = reached.bad(position);
            let facelets = corners.iter().flat_map(|corner| corner.places());
            BadPieces {
                step: reached.to_string(),
                corners: corners.len(),
                edges: edges.len(),
                facelets: facelets.chain(edges.iter().flat_map(|edge| edge.places())).collect(),
            }
        });
        let reached = Reached::most(position).iter().map(Reached::to_string).collect();
        Here { facelets: position.facelets(), reached, bad: bad.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Axis;

    #[test]
    fn what_is_in_the_way_is_counted() {
        let bad = |reached: Reached, moves: &str| reached.bad(&moves.parse().unwrap()).to_string();
        let nearest = |reached: Reached, moves: &str| reached.nearest(&moves.parse().unwrap());
        assert_eq!(bad(Reached::Eo(Axis::Fb), "F R"), "0c4e");
        assert_eq!(bad(Reached::Eo(Axis::Ud), "F R"), "0c0e");
        assert_eq!(bad(Reached::Dr(Axis::Ud), "R"), "4c2e");
        let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
        assert_eq!(bad(Reached::Dr(Axis::Ud), superflip), "0c12e");
        assert_eq!(bad(Reached::Htr, "R"), "4c4e");
        assert_eq!(bad(Reached::Solved, "R2"), "4c4e");
        assert_eq!(nearest(Reached::Eo(Axis::Fb), "R"), Some(Reached::Dr(Axis::Rl)));
        assert_eq!(nearest(Reached::Dr(Axis::Rl), "R"), Some(Reached::Htr));
        assert_eq!(nearest(Reached::Htr, "R2"), None);
    }

    #[test]
    fn what_is_included_is_left_out() {
        let here = |moves: &str| Here::from(&moves.parse::<Cube>().unwrap());
        assert_eq!(here("F R U").reached, [""; 0]);
        assert_eq!(here("R U L").reached, ["eo:FB"]);
        assert_eq!(here("R F2").reached, ["dr:RL"]);
        assert_eq!(here("R2 F2").reached, ["htr"]);
        assert_eq!(here("R R'").reached, ["finish"]);
        let htr = &here("R").bad[6];
        assert_eq!((&htr.step[..], htr.corners, htr.edges, htr.facelets.len()), ("htr", 4, 4, 20));
    }
}
