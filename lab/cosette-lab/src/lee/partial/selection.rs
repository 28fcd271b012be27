//! Which facelets a partial problem sees.

use crate::pieces::Conjugation;
use cosette::cube::{Corner, Edge, Face, Symmetry};
use std::fmt;

/// A set of facelets, those of the solved cube. Centres do not move and are never in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Selection {
    /// For each corner one bit a facelet.
    corners: [u8; Corner::COUNT],
    /// For each edge one bit a facelet.
    edges: [u8; Edge::COUNT],
}

impl Selection {
    /// No facelet.
    pub const NONE: Selection = Selection { corners: [0; Corner::COUNT], edges: [0; Edge::COUNT] };

    /// All facelets of these faces.
    pub fn faces(faces: &[Face]) -> Selection {
        let mask = |own: &[Face]| (0..own.len()).filter(|&i| faces.contains(&own[i])).map(|i| 1 << i).sum();
        Selection {
            corners: Corner::ALL.map(|corner| mask(&corner.faces())),
            edges: Edge::ALL.map(|edge| mask(&edge.faces())),
        }
    }

    /// Its facelets on corners.
    #[must_use]
    pub fn corners_only(self) -> Selection {
        Selection { edges: Selection::NONE.edges, ..self }
    }

    /// Its facelets on edges.
    #[must_use]
    pub fn edges_only(self) -> Selection {
        Selection { corners: Selection::NONE.corners, ..self }
    }

    /// These facelets and some of another face, numbered 0 to 7 row by row in the usual net, without the centre.
    ///
    /// # Panics
    /// If a number is more than seven.
    #[must_use]
    pub fn and_of(mut self, face: Face, numbers: &[usize]) -> Selection {
        assert!(numbers.iter().all(|&number| number < 8), "a face has eight facelets beside its centre");
        for place in numbers.iter().map(|&number| if number < 4 { number } else { number + 1 }) {
            let neighbours = neighbours(face, place);
            let with = |own: &[Face]| own.iter().all(|f| *f == face || neighbours.contains(f)) && own.contains(&face);
            for corner in Corner::ALL.into_iter().filter(|corner| neighbours.len() == 2 && with(&corner.faces())) {
                self.corners[corner.index()] |= bit_of(&corner.faces(), face);
            }
            for edge in Edge::ALL.into_iter().filter(|edge| neighbours.len() == 1 && with(&edge.faces())) {
                self.edges[edge.index()] |= bit_of(&edge.faces(), face);
            }
        }
        self
    }

    /// Its image under a symmetry of the cube.
    #[must_use]
    pub fn conjugate(&self, s: Symmetry) -> Selection {
        let slots = Conjugation::by(s.index());
        let image = |own: &[Face], bits: u8, to: &[Face]| {
            let seen = own.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
            seen.map(|(_, &face)| bit_of(to, s.face(face))).sum()
        };
        let mut result = Selection::NONE;
        for (corner, to) in Corner::ALL.into_iter().zip(slots.corner_slots.map(usize::from)) {
            result.corners[to] = image(&corner.faces(), self.of_corner(corner), &Corner::ALL[to].faces());
        }
        for (edge, to) in Edge::ALL.into_iter().zip(slots.edge_slots.map(usize::from)) {
            result.edges[to] = image(&edge.faces(), self.of_edge(edge), &Edge::ALL[to].faces());
        }
        result
    }

    /// The visible facelets of a corner, one bit each.
    pub(super) fn of_corner(&self, corner: Corner) -> u8 {
        self.corners[corner.index()]
    }

    /// The facelets of an edge that are seen, one bit each.
    pub(super) fn of_edge(&self, edge: Edge) -> u8 {
        self.edges[edge.index()]
    }

    /// How many facelets are seen.
    pub fn len(&self) -> u32 {
        self.corners.iter().chain(&self.edges).map(|bits| bits.count_ones()).sum()
    }

    /// Whether none is seen.
    pub fn is_empty(&self) -> bool {
        *self == Selection::NONE
    }
}

impl fmt::Debug for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} facelets", self.len())
    }
}

fn bit_of(own: &[Face], face: Face) -> u8 {
    own.iter().position(|&f| f == face).map_or(0, |i| 1 << i)
}

/// The faces around `face` in the net, above it, left of it, right of it and below it.
fn around(face: Face) -> [Face; 4] {
    use Face::{B, D, F, L, R, U};
    match face {
        U => [B, L, R, F],
        R => [U, F, B, D],
        F => [U, L, R, D],
        D => [F, L, R, B],
        L => [U, B, F, D],
        B => [U, R, L, D],
    }
}

/// The other faces that the cubie at this place of a face touches.
fn neighbours(face: Face, place: usize) -> Vec<Face> {
    let [above, left, right, below] = around(face);
    let row = [Some(above), None, Some(below)][place / 3];
    let column = [Some(left), None, Some(right)][place % 3];
    row.into_iter().chain(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_eight_of_a_face_are_the_face() {
        for face in Face::ALL {
            assert_eq!(Selection::NONE.and_of(face, &[0, 1, 2, 3, 4, 5, 6, 7]), Selection::faces(&[face]));
            for count in 0..8 {
                let some: Vec<usize> = (0..count).collect();
                assert_eq!(Selection::NONE.and_of(face, &some).len(), count as u32);
            }
        }
        assert_eq!(Selection::faces(&[Face::U, Face::D]).len(), 16);
        for s in Symmetry::all() {
            let image = Selection::faces(&[s.face(Face::U), s.face(Face::F)]);
            assert_eq!(Selection::faces(&[Face::U, Face::F]).conjugate(s), image);
        }
        assert_eq!(Selection::faces(&[Face::U, Face::R]).corners_only().len(), 8);
    }
}
