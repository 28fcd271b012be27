//! The 48 symmetries of the cube, mirrors included.
//!
//! A symmetry is given by the images of the six faces: a permutation of the three axes, and for
//! each axis a bit that exchanges its two faces. Everything else follows. Let `s` carry facelet k
//! of corner slot i to facelet σᵢ(k) = ±k + aᵢ (mod 3) of slot s(i), with the minus sign for
//! mirrors. A corner c of twist t in slot i shows its facelet j at facelet j + t of the slot. After
//! conjugation, cubie s(c) is in slot s(i), and its facelet σ_c(j) is seen at σᵢ(j + t): its twist
//! is σᵢ(j + t) − σ_c(j) = ±t + aᵢ − a_c. Likewise, if `s` carries facelet 0 of edge slot i to
//! facelet bᵢ, a flip f becomes f + bᵢ + b_c (mod 2).
//!
//! The facelets of a cubie are numbered so that aᵢ depends on the tetrad alone and bᵢ on the slice
//! alone ([`Corner`], [`Edge`]). Therefore a coset of the half-turn group can be conjugated as well
//! (`coord`).

use super::moves::{Axis, Face, Move};
use super::pieces::{Corner, Edge, Slot};

/// One of the 48 symmetries of the cube; number 0 is the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

/// The action of a symmetry on faces, slots and facelets.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct SymmetryMaps {
    /// Face f is carried to `faces[f]`.
    pub faces: [u8; 6],
    /// `true` for a mirror, which reverses the sense of turns and twists.
    pub mirrors: bool,
    /// Corner slot i is carried to `corners[i]`, its facelet 0 to facelet `corner_shift[i]`.
    pub corners: [u8; 8],
    pub corner_shift: [u8; 8],
    /// Edge slot i is carried to `edges[i]`, its facelet 0 to facelet `edge_shift[i]`.
    pub edges: [u8; 12],
    pub edge_shift: [u8; 12],
}

/// The three even permutations of the axes, and then the three odd ones.
const AXIS_PERMUTATIONS: [[u8; 3]; 6] = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [2, 1, 0],
    [1, 0, 2],
];

static MAPS: [SymmetryMaps; Symmetry::COUNT] = {
    let mut maps = [const { symmetry_maps(0) }; Symmetry::COUNT];
    let mut s = 1;
    while s < Symmetry::COUNT {
        maps[s] = symmetry_maps(s);
        s += 1;
    }
    maps
};

/// Returns the corner where faces `a`, `b`, `c` meet, and its facelet on face `a`.
const fn corner_at(a: u8, b: u8, c: u8) -> (u8, u8) {
    let wanted = 1 << a | 1 << b | 1 << c;
    let mut i = 0;
    while i < Corner::COUNT {
        let f = Corner::ALL[i].faces();
        if 1 << f[0] as u8 | 1 << f[1] as u8 | 1 << f[2] as u8 == wanted {
            let shift = if f[0] as u8 == a {
                0
            } else if f[1] as u8 == a {
                1
            } else {
                2
            };
            return (i as u8, shift);
        }
        i += 1;
    }
    panic!("three faces that do not meet")
}

/// Returns the edge where faces `a` and `b` meet, and its facelet on face `a`.
const fn edge_at(a: u8, b: u8) -> (u8, u8) {
    let mut i = 0;
    while i < Edge::COUNT {
        let f = Edge::ALL[i].faces();
        if f[0] as u8 == a && f[1] as u8 == b {
            return (i as u8, 0);
        }
        if f[0] as u8 == b && f[1] as u8 == a {
            return (i as u8, 1);
        }
        i += 1;
    }
    panic!("two faces that do not meet")
}

/// Returns the action of the symmetry with this number: eight times the number of the permutation
/// of the axes, plus a bit for each axis whose faces are exchanged.
const fn symmetry_maps(number: usize) -> SymmetryMaps {
    let axes = AXIS_PERMUTATIONS[number / 8];
    let swaps = number % 8;
    let mut faces = [0; 6];
    let mut f = 0;
    while f < 6 {
        let axis = f % 3;
        let swapped = (f / 3) ^ (swaps >> axis & 1);
        faces[f] = axes[axis] + 3 * swapped as u8;
        f += 1;
    }
    // An odd permutation of the axes is a mirror, and so is each exchange.
    maps_of_faces(faces, (swaps.count_ones() % 2 == 1) != (number / 8 >= 3))
}

/// Returns the action of the symmetry that carries face f to `faces[f]`.
const fn maps_of_faces(faces: [u8; 6], mirrors: bool) -> SymmetryMaps {
    let mut corners = [0; 8];
    let mut corner_shift = [0; 8];
    let mut edges = [0; 12];
    let mut edge_shift = [0; 12];
    let mut i = 0;
    while i < Corner::COUNT {
        let f = Corner::ALL[i].faces();
        (corners[i], corner_shift[i]) = corner_at(
            faces[f[0] as usize],
            faces[f[1] as usize],
            faces[f[2] as usize],
        );
        i += 1;
    }
    i = 0;
    while i < Edge::COUNT {
        let f = Edge::ALL[i].faces();
        (edges[i], edge_shift[i]) = edge_at(faces[f[0] as usize], faces[f[1] as usize]);
        i += 1;
    }
    SymmetryMaps {
        faces,
        mirrors,
        corners,
        corner_shift,
        edges,
        edge_shift,
    }
}

/// Returns the action of the rotation of the whole cube about `face`, clockwise by a quarter. A
/// turn of the face is this rotation restricted to its layer.
pub(super) const fn quarter_rotation(face: Face) -> SymmetryMaps {
    let mut faces = [0, 1, 2, 3, 4, 5];
    let cycle = face.clockwise_cycle();
    let mut i = 0;
    while i < 4 {
        faces[cycle[i] as usize] = cycle[(i + 1) % 4] as u8;
        i += 1;
    }
    maps_of_faces(faces, false)
}

impl Symmetry {
    /// Number of symmetries.
    pub const COUNT: usize = 48;

    /// The identity.
    pub const IDENTITY: Symmetry = Symmetry(0);

    /// Returns the 48 symmetries.
    pub fn all() -> impl ExactSizeIterator<Item = Symmetry> + Clone {
        (0..Self::COUNT as u8).map(Symmetry)
    }

    /// Returns the sixteen symmetries that preserve the axis of U and D.
    pub(crate) fn preserving_ud_axis() -> impl Iterator<Item = Symmetry> {
        Symmetry::all().filter(|s| s.axis(Axis::Ud) == Axis::Ud)
    }

    /// Returns the symmetry numbered `index`, 0 to 47.
    ///
    /// # Panics
    ///
    /// Panics if `index` is 48 or more.
    pub const fn from_index(index: usize) -> Symmetry {
        assert!(index < Self::COUNT);
        Symmetry(index as u8)
    }

    /// Returns the number of this symmetry, 0 to 47.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the action on faces, slots and facelets.
    #[doc(hidden)]
    pub fn maps(self) -> &'static SymmetryMaps {
        &MAPS[self.index()]
    }

    /// Returns `true` if this is a mirror.
    pub fn is_mirror(self) -> bool {
        self.maps().mirrors
    }

    /// Returns the image of `face`.
    pub fn face(self, face: Face) -> Face {
        Face::from_index(usize::from(self.maps().faces[face.index()]))
    }

    /// Returns the image of `axis`.
    pub fn axis(self, axis: Axis) -> Axis {
        self.face(Face::from_index(axis as usize)).axis()
    }

    /// Returns the conjugate s⁻¹·m·s of a move: the same turn as seen in this symmetry.
    pub fn conjugate_move(self, m: Move) -> Move {
        let turn = if self.is_mirror() {
            m.turn().inverse()
        } else {
            m.turn()
        };
        Move::new(self.face(m.face()), turn)
    }

    /// Returns the composition: first this symmetry, then `next`.
    pub fn then(self, next: Symmetry) -> Symmetry {
        Symmetry::of_faces(|face| next.face(self.face(face)))
    }

    /// Returns the inverse symmetry.
    pub fn inverse(self) -> Symmetry {
        let mut faces = Face::ALL;
        for face in Face::ALL {
            faces[self.face(face).index()] = face;
        }
        Symmetry::of_faces(|face| faces[face.index()])
    }

    /// Returns the rotation of the whole cube about `face`, clockwise by a quarter, such as `y` for
    /// U.
    pub fn rotation(face: Face) -> Symmetry {
        let faces = quarter_rotation(face).faces;
        Symmetry::of_faces(|f| Face::from_index(usize::from(faces[f.index()])))
    }

    /// Returns the symmetry with these images of U, R and F.
    fn of_faces(image: impl Fn(Face) -> Face) -> Symmetry {
        let image = [Face::U, Face::R, Face::F].map(image);
        let axes = image.map(|face| face.axis() as u8);
        let permutation = AXIS_PERMUTATIONS.iter().position(|&p| p == axes);
        let permutation = permutation.expect("a symmetry permutes the axes");
        let swaps: usize = (0..3).map(|axis| (image[axis].index() / 3) << axis).sum();
        Symmetry((permutation * 8 + swaps) as u8)
    }
}

impl Slot {
    /// Returns the slot to which a symmetry carries this slot, and the face to which it carries
    /// each of the slot's facelets.
    pub(super) fn carried(self, s: Symmetry) -> (Slot, Vec<Face>) {
        let faces: Vec<Face> = self.faces().iter().map(|&face| s.face(face)).collect();
        let slot = Slot::touching(&faces).expect("symmetries carry slots to slots");
        (slot, faces)
    }
}
