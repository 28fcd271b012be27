//! The twenty slots: their facelet indices in the net, and the cubie that given colors show there.
//!
//! The net is the standard one: U above F, D below it, L to its left, R and B to its right. Each
//! face is read row by row as it is drawn there. A facelet's row and column follow from the other
//! faces its slot touches: in the first row where it touches the face above, in the last column
//! where it touches the face to the right, and so on.
//!
//! ```text
//!              U1 U2 U3
//!              U4 U5 U6
//!              U7 U8 U9
//!    L1 L2 L3  F1 F2 F3  R1 R2 R3  B1 B2 B3
//!    L4 L5 L6  F4 F5 F6  R4 R5 R6  B4 B5 B6
//!    L7 L8 L9  F7 F8 F9  R7 R8 R9  B7 B8 B9
//!              D1 D2 D3
//!              D4 D5 D6
//!              D7 D8 D9
//! ```

use super::cubie::{Corner, Edge};
use super::moves::Face::{self, B, D, F, L, R, U};
use super::position::Cube;
use std::fmt;

pub(super) const FACELETS: usize = 54;

/// Number of facelets of a face, its center at number four.
pub(super) const ON_FACE: usize = 9;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Corner(Corner),
    Edge(Edge),
}

impl Slot {
    pub fn corners() -> impl Iterator<Item = Slot> {
        Corner::ALL.into_iter().map(Slot::Corner)
    }

    pub fn edges() -> impl Iterator<Item = Slot> {
        Edge::ALL.into_iter().map(Slot::Edge)
    }

    pub fn all() -> impl Iterator<Item = Slot> {
        Slot::corners().chain(Slot::edges())
    }

    /// Returns its number among the corners or among the edges.
    pub fn number(self) -> usize {
        match self {
            Slot::Corner(corner) => corner.index(),
            Slot::Edge(edge) => edge.index(),
        }
    }

    /// Returns the slot of its kind that has this number.
    pub fn of_same_kind(self, number: usize) -> Slot {
        match self {
            Slot::Corner(_) => Slot::Corner(Corner::ALL[number]),
            Slot::Edge(_) => Slot::Edge(Edge::ALL[number]),
        }
    }

    /// Returns the faces it touches, in the order of its facelets.
    pub fn faces(self) -> Vec<Face> {
        match self {
            Slot::Corner(corner) => corner.faces().to_vec(),
            Slot::Edge(edge) => edge.faces().to_vec(),
        }
    }

    /// Returns the slot where these faces meet, in any order.
    pub fn touching(faces: &[Face]) -> Option<Slot> {
        Slot::all().find(|slot| {
            let own = slot.faces();
            own.len() == faces.len() && own.iter().all(|face| faces.contains(face))
        })
    }

    /// Returns the cubie in it, under the name of its own slot, and its twist or flip.
    pub fn cubie(self, cube: &Cube) -> (Slot, usize) {
        match self {
            Slot::Corner(corner) => {
                let (cubie, twist) = cube.corner(corner);
                (Slot::Corner(cubie), usize::from(twist))
            }
            Slot::Edge(edge) => {
                let (cubie, flip) = cube.edge(edge);
                (Slot::Edge(cubie), usize::from(flip))
            }
        }
    }

    /// Returns the faces whose colors it shows, in the order of its facelets: facelet j of a cubie
    /// is at facelet j + twist.
    pub fn shown(self, cube: &Cube) -> Vec<Face> {
        let (cubie, orientation) = self.cubie(cube);
        let mut faces = cubie.faces();
        faces.rotate_right(orientation);
        faces
    }

    /// Returns the number of the cubie of its kind that shows these faces in it, and its
    /// orientation; `None` matches any face.
    pub fn find_cubie(self, shown: &[Option<Face>]) -> Option<(u8, u8)> {
        match self {
            Slot::Corner(_) => find(Slot::corners(), shown),
            Slot::Edge(_) => find(Slot::edges(), shown),
        }
    }

    /// Returns the indices of its facelets in the net.
    pub fn facelet_indices(self) -> impl Iterator<Item = usize> {
        (0..self.faces().len()).map(move |facelet| self.place(facelet))
    }

    /// Returns the index of its facelet in the net: nine times the number of the face, plus the
    /// cell 0 to 8 on it.
    pub fn place(self, facelet: usize) -> usize {
        let faces = self.faces();
        let line = |last: Face| match (faces.contains(&last.opposite()), faces.contains(&last)) {
            (true, _) => 0,
            (_, true) => 2,
            _ => 1,
        };
        let (below, right) = neighbors(faces[facelet]);
        faces[facelet].index() * 9 + line(below) * 3 + line(right)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Corner(corner) => corner.fmt(f),
            Slot::Edge(edge) => edge.fmt(f),
        }
    }
}

/// Returns the faces below this one and to its right in the net.
const fn neighbors(face: Face) -> (Face, Face) {
    match face {
        U => (F, R),
        R => (D, B),
        F => (D, R),
        D => (B, R),
        L => (D, F),
        B => (D, L),
    }
}

/// Returns the name of a facelet index: the face and the facelet on it, 1 to 9.
pub(super) fn place_name(place: usize) -> String {
    format!("{}{}", Face::from_index(place / 9), place % 9 + 1)
}

/// Returns the number of the first cubie that shows these faces, and its orientation.
fn find(cubies: impl Iterator<Item = Slot>, shown: &[Option<Face>]) -> Option<(u8, u8)> {
    cubies.zip(0..).find_map(|(cubie, number)| {
        let mut faces = cubie.faces();
        (0..faces.len() as u8).find_map(|orientation| {
            let shows = faces
                .iter()
                .zip(shown)
                .all(|(face, shown)| shown.is_none_or(|shown| shown == *face));
            faces.rotate_right(1);
            shows.then_some((number, orientation))
        })
    })
}

impl Corner {
    /// Returns the indices of its slot's facelets in a facelet string, 0 to 53, in the order of
    /// [`Corner::faces`].
    pub fn places(self) -> [usize; 3] {
        [0, 1, 2].map(|facelet| Slot::Corner(self).place(facelet))
    }
}

impl Edge {
    /// Returns the indices of its slot's facelets in a facelet string, 0 to 53, in the order of
    /// [`Edge::faces`].
    pub fn places(self) -> [usize; 2] {
        [0, 1].map(|facelet| Slot::Edge(self).place(facelet))
    }
}

/// The slots in Reid's order.
pub(super) const SLOTS: [&str; 20] = [
    "UF", "UR", "UB", "UL", "DF", "DR", "DB", "DL", "FR", "FL", "BR", "BL", "UFR", "URB", "UBL",
    "ULF", "DRF", "DFL", "DLB", "DBR",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_agree_with_kociemba() {
        let names = |slot: Slot| {
            (0..slot.faces().len())
                .map(|i| place_name(slot.place(i)))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let corners = [
            "U9 R1 F3", "U7 F1 L3", "U1 L1 B3", "U3 B1 R3", "D3 F9 R7", "D1 L9 F7", "D7 B9 L7",
            "D9 R9 B7",
        ];
        let edges = [
            "U6 R2", "U8 F2", "U4 L2", "U2 B2", "D6 R8", "D2 F8", "D4 L8", "D8 B8", "F6 R4",
            "F4 L6", "B6 L4", "B4 R6",
        ];
        assert!(Slot::corners().map(names).eq(corners));
        assert!(Slot::edges().map(names).eq(edges));
    }
}
