//! The eight corners and the twelve edges, their slots, and the facelets of each.
//!
//! A cubie has the name of its slot in the solved cube. The facelets of a corner are numbered
//! clockwise from the one on U or D. The first facelet of an edge is the one on U or D, or else the
//! one on F or B. So the facelets of a corner are on the axes (UD, RL, FB) or (UD, FB, RL), in this
//! order, according to its tetrad. The axis of an edge's first facelet depends on its slice alone.
//!
//! Facelets also have an index in the standard net: U above F, D below F, L to the left of F, R and
//! B to the right. The faces come in the order U R F D L B, each row by row as it is drawn. A
//! facelet's row and column follow from the other faces that its slot touches: it is in the first
//! row if its slot touches the face above, in the last column if its slot touches the face to the
//! right, and so on.
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

use super::moves::Face::{self, B, D, F, L, R, U};
use std::fmt;
use std::sync::LazyLock;

pub(super) const FACELETS: usize = 54;

/// Number of facelets of a face.
pub(super) const FACELETS_PER_FACE: usize = 9;

/// Index of the center among the facelets of a face.
pub(super) const CENTER: usize = FACELETS_PER_FACE / 2;

const CORNER_FACES: &[[Face; 3]; 8] = &[
    [U, R, F],
    [U, F, L],
    [U, L, B],
    [U, B, R],
    [D, F, R],
    [D, L, F],
    [D, B, L],
    [D, R, B],
];

const EDGE_FACES: &[[Face; 2]; 12] = &[
    [U, R],
    [U, F],
    [U, L],
    [U, B],
    [D, R],
    [D, F],
    [D, L],
    [D, B],
    [F, R],
    [F, L],
    [B, L],
    [B, R],
];

/// The facelets of each slot as indices in the net, corners first.
static PLACES: LazyLock<Vec<Vec<usize>>> = LazyLock::new(|| {
    let places = |slot: Slot| {
        slot.faces()
            .iter()
            .map(|&face| slot.place_on(face))
            .collect()
    };
    Slot::all().map(places).collect()
});

/// One of the eight corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Corner {
    Urf,
    Ufl,
    Ulb,
    Ubr,
    Dfr,
    Dlf,
    Dbl,
    Drb,
}

impl Corner {
    /// Number of corners.
    pub const COUNT: usize = 8;

    /// The eight corners.
    pub const ALL: [Corner; 8] = {
        use Corner::*;
        [Urf, Ufl, Ulb, Ubr, Dfr, Dlf, Dbl, Drb]
    };

    /// Returns the number of this corner, 0 to 7.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the three faces of this corner's slot, clockwise from the one on U or D.
    pub const fn faces(self) -> [Face; 3] {
        CORNER_FACES[self as usize]
    }

    /// Returns the indices, 0 to 53, of this slot's facelets in a facelet string, in the order of
    /// [`Corner::faces`].
    pub fn places(self) -> [usize; 3] {
        self.faces().map(|face| Slot::Corner(self).place_on(face))
    }

    /// Returns the tetrad of this corner, 0 or 1: half turns carry a corner only to slots of its
    /// tetrad.
    pub const fn tetrad(self) -> u8 {
        [0, 1, 0, 1, 1, 0, 1, 0][self as usize]
    }
}

/// One of the twelve edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Edge {
    Ur,
    Uf,
    Ul,
    Ub,
    Dr,
    Df,
    Dl,
    Db,
    Fr,
    Fl,
    Bl,
    Br,
}

impl Edge {
    /// Number of edges.
    pub const COUNT: usize = 12;

    /// The twelve edges.
    pub const ALL: [Edge; 12] = {
        use Edge::*;
        [Ur, Uf, Ul, Ub, Dr, Df, Dl, Db, Fr, Fl, Bl, Br]
    };

    /// Returns the number of this edge, 0 to 11.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the two faces of this edge's slot. A cubie in the slot has flip 0 if its first
    /// facelet is on the first of them.
    pub const fn faces(self) -> [Face; 2] {
        EDGE_FACES[self as usize]
    }

    /// Returns the indices, 0 to 53, of this slot's facelets in a facelet string, in the order of
    /// [`Edge::faces`].
    pub fn places(self) -> [usize; 2] {
        self.faces().map(|face| Slot::Edge(self).place_on(face))
    }

    /// Returns the slice of this edge, numbered by the axis it does *not* touch: 0 for the edges
    /// between U and D, 1 for those between R and L, 2 for those between F and B.
    pub const fn slice(self) -> u8 {
        [2, 1, 2, 1, 2, 1, 2, 1, 0, 0, 0, 0][self as usize]
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Slot::Corner(*self).fmt(f)
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Slot::Edge(*self).fmt(f)
    }
}

/// One of the twenty slots.
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

    /// Returns all corner slots if this is a corner slot, and otherwise all edge slots.
    pub fn of_same_kind(self) -> impl Iterator<Item = Slot> {
        Slot::all().filter(move |slot| slot.faces().len() == self.faces().len())
    }

    /// Returns the slot of the same kind with this number.
    pub fn with_number(self, number: usize) -> Slot {
        match self {
            Slot::Corner(_) => Slot::Corner(Corner::ALL[number]),
            Slot::Edge(_) => Slot::Edge(Edge::ALL[number]),
        }
    }

    /// Returns the number of this slot among the corners or among the edges.
    pub fn number(self) -> usize {
        match self {
            Slot::Corner(corner) => corner.index(),
            Slot::Edge(edge) => edge.index(),
        }
    }

    /// Returns the faces that this slot touches, in the order of its facelets.
    pub fn faces(self) -> &'static [Face] {
        match self {
            Slot::Corner(corner) => &CORNER_FACES[corner.index()],
            Slot::Edge(edge) => &EDGE_FACES[edge.index()],
        }
    }

    /// Returns the slot where these faces meet, given in any order.
    pub fn touching(faces: &[Face]) -> Option<Slot> {
        Slot::all().find(|slot| {
            let own = slot.faces();
            own.len() == faces.len() && own.iter().all(|face| faces.contains(face))
        })
    }

    /// Returns the slot with this name, and the faces in the order of the name. A name is the
    /// capital letters of the slot's faces, in any order.
    pub fn named(name: &str) -> Option<(Slot, Vec<Face>)> {
        let faces: Vec<Face> = name.chars().map(Face::from_letter).collect::<Option<_>>()?;
        Some((Slot::touching(&faces)?, faces))
    }

    /// Returns the number and the orientation of the first cubie that shows these faces in this
    /// slot, if there is one. A `None` in `shown` matches any face.
    pub fn find_cubie(self, shown: &[Option<Face>]) -> Option<(u8, u8)> {
        self.of_same_kind().zip(0..).find_map(|(cubie, number)| {
            let faces = cubie.faces();
            let count = faces.len();
            // Facelet j of a cubie is at facelet j + orientation of the slot.
            let shows = |orientation: &usize| {
                (0..count)
                    .all(|j| shown[(j + orientation) % count].is_none_or(|face| face == faces[j]))
            };
            (0..count)
                .find(shows)
                .map(|orientation| (number, orientation as u8))
        })
    }

    /// Returns the indices of this slot's facelets in the net.
    pub fn places(self) -> &'static [usize] {
        match self {
            Slot::Corner(corner) => &PLACES[corner.index()],
            Slot::Edge(edge) => &PLACES[Corner::COUNT + edge.index()],
        }
    }

    /// Returns the slot of a facelet of the net, and the number of the facelet in the slot. It must
    /// not be a center.
    pub fn of_facelet(place: usize) -> (Slot, usize) {
        let facelet =
            |slot: Slot| Some((slot, slot.places().iter().position(|&own| own == place)?));
        Slot::all()
            .find_map(facelet)
            .expect("the facelet is no center")
    }

    /// Returns the index in the net of this slot's facelet on a face: nine times the number of the
    /// face, plus the number of the facelet on it, 0 to 8.
    pub fn place_on(self, face: Face) -> usize {
        let faces = self.faces();
        // The row or the column of the facelet; the last one touches the face `last`.
        let line = |last: Face| match (faces.contains(&last.opposite()), faces.contains(&last)) {
            (true, _) => 0,
            (_, true) => 2,
            _ => 1,
        };
        let (below, right) = neighbors(face);
        face.index() * FACELETS_PER_FACE + line(below) * 3 + line(right)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.faces().iter().try_for_each(|face| write!(f, "{face}"))
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

/// Returns the name of the facelet with this index: the face, and the number of the facelet on it,
/// 1 to 9.
pub(super) fn place_name(place: usize) -> String {
    format!(
        "{}{}",
        Face::from_index(place / FACELETS_PER_FACE),
        place % FACELETS_PER_FACE + 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_agree_with_kociemba() {
        let names = |slot: Slot| {
            let names = slot.places().iter().map(|&place| place_name(place));
            names.collect::<Vec<_>>().join(" ")
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
