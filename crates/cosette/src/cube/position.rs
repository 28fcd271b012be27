//! Positions on the cubie level and their group; random positions and random walks.

use super::moves::{Face, Move, MoveSet, Turn};
use super::pieces::{Corner, Edge, Slot};
use super::symmetry::{Symmetry, SymmetryMaps, quarter_rotation};
use rand::seq::{IteratorRandom, SliceRandom};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::Mul;

/// A position: the cubie in each slot, and its orientation.
///
/// Positions form a group. The product `p * m` is read left to right: it is the position after the
/// moves of `m` are applied to `p`. Slot i of `p * m` holds the cubie that `p` has in slot m\[i\].
/// Its orientation is the sum of its orientation in `p` and the orientation that `m` has at slot i.
///
/// Every `Cube` is a position that moves can reach: [`Cube::from_cubies`] checks this, and
/// products, inverses and conjugates of positions are positions. The kernels rely on it without a
/// check.
///
/// In memory each slot is a byte: the cubie's number in the low four bits and its orientation
/// above. The bytes past the twelfth edge and the eighth corner are fixed points. So one 16-byte
/// shuffle composes the edges of two positions, another the corners, and positions are equal if
/// their bytes are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(C, align(32))]
pub struct Cube {
    edges: [u8; 16],
    corners: [u8; 16],
}

/// The bits of a slot's byte that hold the number of the cubie.
pub(crate) const CUBIE: u8 = 0x0f;
/// A flip, in the byte of an edge slot.
pub(crate) const FLIP: u8 = 0x10;
/// A twist by one third, in the byte of a corner slot.
pub(crate) const TWIST: u8 = 0x10;

static MOVES: [Cube; Move::COUNT] = {
    let mut moves = [Cube::SOLVED; Move::COUNT];
    let mut f = 0;
    while f < 6 {
        let face = Face::from_index(f);
        let quarter = Cube::quarter_turn(face, &quarter_rotation(face));
        let half = quarter.compose(&quarter);
        moves[Move::new(face, Turn::Clockwise).index()] = quarter;
        moves[Move::new(face, Turn::Half).index()] = half;
        moves[Move::new(face, Turn::Counterclockwise).index()] = half.compose(&quarter);
        f += 1;
    }
    moves
};

/// The error for twenty pieces that are not a reachable position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum CubeError {
    /// A corner number or twist out of range.
    #[error(
        "corner slot {0} holds a piece or a twist that does not exist; corners are 0 to 7, twists \
         0 to 2"
    )]
    NoSuchCorner(Corner),
    /// An edge number or flip out of range.
    #[error(
        "edge slot {0} holds a piece or a flip that does not exist; edges are 0 to 11, flips 0 \
         and 1"
    )]
    NoSuchEdge(Edge),
    /// A corner appears twice, so another is missing.
    #[error("more than one corner is {twice} and none is {missing}; check each of them")]
    CornerTwice { twice: Corner, missing: Corner },
    /// An edge appears twice, so another is missing.
    #[error("more than one edge is {twice} and none is {missing}; check each of them")]
    EdgeTwice { twice: Edge, missing: Edge },
    /// The twists do not add up to a multiple of three; the remainder is 1 or 2.
    #[error(
        "one corner is twisted, so this cube is unsolvable; check all corners, and if they match \
         your cube, twist any corner {}",
        if *.0 == 1 { "counterclockwise" } else { "clockwise" }
    )]
    TwistedCorner(u8),
    /// The flips do not add up to an even number.
    #[error(
        "one edge is flipped, so this cube is unsolvable; check all edges, and if they match your \
         cube, flip any edge"
    )]
    FlippedEdge,
    /// The corners and the edges differ in parity.
    #[error(
        "two pieces are swapped, so this cube is unsolvable; check all pieces, and if they match \
         your cube, swap any two edges"
    )]
    SwappedPieces,
}

impl Cube {
    /// The solved position, the identity of the group.
    pub const SOLVED: Cube = {
        const SLOTS: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
        Cube {
            edges: SLOTS,
            corners: SLOTS,
        }
    };

    /// Creates the position with these pieces: for each slot, the cubie's number and its
    /// orientation.
    ///
    /// `corners[i]` is the cubie in slot i, 0 to 7, and its twist, 0 to 2: the cubie's first
    /// facelet ([`Corner::faces`]) lies `twist` facelets clockwise from the slot's. `edges[i]` is
    /// the cubie, 0 to 11, and its flip: 0 if its first facelet ([`Edge::faces`]) is the slot's,
    /// and otherwise 1.
    ///
    /// # Errors
    ///
    /// Returns an error if a piece does not exist or appears twice, or if the position is
    /// unsolvable.
    pub fn from_cubies(corners: &[(u8, u8); 8], edges: &[(u8, u8); 12]) -> Result<Cube, CubeError> {
        let mut cube = Cube::SOLVED;
        for (slot, &(cubie, twist)) in corners.iter().enumerate() {
            if cubie >= 8 || twist >= 3 {
                return Err(CubeError::NoSuchCorner(Corner::ALL[slot]));
            }
            cube.corners[slot] = cubie | (twist * TWIST);
        }
        for (slot, &(cubie, flip)) in edges.iter().enumerate() {
            if cubie >= 12 || flip >= 2 {
                return Err(CubeError::NoSuchEdge(Edge::ALL[slot]));
            }
            cube.edges[slot] = cubie | (flip * FLIP);
        }
        if let Some((twice, missing)) = twice_and_missing(&cube.corners[..8]) {
            let [twice, missing] = [twice, missing].map(|i| Corner::ALL[i]);
            return Err(CubeError::CornerTwice { twice, missing });
        }
        if let Some((twice, missing)) = twice_and_missing(&cube.edges[..12]) {
            let [twice, missing] = [twice, missing].map(|i| Edge::ALL[i]);
            return Err(CubeError::EdgeTwice { twice, missing });
        }
        let twist = corners.iter().map(|c| c.1).sum::<u8>() % 3;
        if twist != 0 {
            return Err(CubeError::TwistedCorner(twist));
        }
        if edges.iter().map(|e| e.1).sum::<u8>() % 2 != 0 {
            return Err(CubeError::FlippedEdge);
        }
        if cube.is_odd() != is_odd(&cube.edges[..12]) {
            return Err(CubeError::SwappedPieces);
        }
        Ok(cube)
    }

    /// Creates the position after `moves` are applied to the solved cube.
    pub fn from_moves(moves: &[Move]) -> Cube {
        Cube::SOLVED.apply_moves(moves)
    }

    /// Returns the cubie in a corner slot and its twist, 0 to 2.
    pub const fn corner(&self, slot: Corner) -> (Corner, u8) {
        let byte = self.corners[slot as usize];
        (Corner::ALL[(byte & CUBIE) as usize], byte / TWIST)
    }

    /// Returns the cubie in an edge slot and its flip, 0 or 1.
    pub const fn edge(&self, slot: Edge) -> (Edge, u8) {
        let byte = self.edges[slot as usize];
        (Edge::ALL[(byte & CUBIE) as usize], byte / FLIP)
    }

    /// Creates the position with these bytes ([`Cube::edge_bytes`], [`Cube::corner_bytes`]).
    ///
    /// # Safety
    /// There must be such a position: the kernels rely on it.
    #[cfg(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    ))]
    #[inline(always)]
    pub(crate) unsafe fn from_bytes_unchecked(edges: [u8; 16], corners: [u8; 16]) -> Cube {
        debug_assert!(
            edges.iter().all(|edge| edge & !FLIP < 16)
                && corners.iter().all(|corner| corner / TWIST < 3)
        );
        Cube { edges, corners }
    }

    /// Returns the bytes of the edge slots: cubie + 16 · flip; four bytes of padding.
    pub(crate) const fn edge_bytes(&self) -> &[u8; 16] {
        &self.edges
    }

    /// Returns the bytes of the corner slots: cubie + 16 · twist; eight bytes of padding.
    pub(crate) const fn corner_bytes(&self) -> &[u8; 16] {
        &self.corners
    }

    /// Returns the position after one move is applied to the solved cube.
    pub fn from_move(m: Move) -> &'static Cube {
        &MOVES[m.index()]
    }

    /// Returns the position after `m` is applied to this one.
    #[must_use]
    pub fn apply(&self, m: Move) -> Cube {
        self.compose(Cube::from_move(m))
    }

    /// Returns the position after `moves` are applied to this one.
    #[must_use]
    pub fn apply_moves(&self, moves: &[Move]) -> Cube {
        moves.iter().fold(*self, |cube, &m| cube.apply(m))
    }

    /// Returns the product: first this position, then `next`.
    #[must_use]
    pub const fn compose(&self, next: &Cube) -> Cube {
        let mut product = Cube::SOLVED;
        let mut i = 0;
        while i < Edge::COUNT {
            let from = next.edges[i];
            product.edges[i] = self.edges[(from & CUBIE) as usize] ^ (from & FLIP);
            i += 1;
        }
        i = 0;
        while i < Corner::COUNT {
            let from = next.corners[i];
            let sum = self.corners[(from & CUBIE) as usize] + (from & !CUBIE);
            product.corners[i] = if sum >= 3 * TWIST {
                sum - 3 * TWIST
            } else {
                sum
            };
            i += 1;
        }
        product
    }

    /// Returns the inverse: `p * p.inverse()` is solved. A solution of the inverse is the inverse
    /// of a solution.
    #[must_use]
    pub const fn inverse(&self) -> Cube {
        let mut inverse = Cube::SOLVED;
        let mut i = 0;
        while i < Edge::COUNT {
            let byte = self.edges[i];
            inverse.edges[(byte & CUBIE) as usize] = i as u8 | (byte & FLIP);
            i += 1;
        }
        i = 0;
        while i < Corner::COUNT {
            let byte = self.corners[i];
            let twist = (3 - byte / TWIST) % 3;
            inverse.corners[(byte & CUBIE) as usize] = i as u8 | (twist * TWIST);
            i += 1;
        }
        inverse
    }

    /// Returns the conjugate s⁻¹·p·s of this position p: its image under the symmetry.
    #[must_use]
    pub fn conjugate(&self, s: Symmetry) -> Cube {
        // The head of `symmetry` derives the flips and twists.
        let maps = s.maps();
        let mut conjugate = Cube::SOLVED;
        for (slot, &byte) in self.edges[..12].iter().enumerate() {
            let cubie = usize::from(byte & CUBIE);
            let flip = (byte / FLIP) ^ maps.edge_shift[slot] ^ maps.edge_shift[cubie];
            conjugate.edges[usize::from(maps.edges[slot])] = maps.edges[cubie] | (flip * FLIP);
        }
        for (slot, &byte) in self.corners[..8].iter().enumerate() {
            let cubie = usize::from(byte & CUBIE);
            let twist = if maps.mirrors {
                3 - byte / TWIST
            } else {
                byte / TWIST
            };
            let twist = (twist + maps.corner_shift[slot] + 3 - maps.corner_shift[cubie]) % 3;
            conjugate.corners[usize::from(maps.corners[slot])] =
                maps.corners[cubie] | (twist * TWIST);
        }
        conjugate
    }

    /// Returns the stabilizer of this position p: the symmetries s with s⁻¹·p·s = p. The identity
    /// is always the first.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::all()
            .filter(|&s| self.conjugate(s) == *self)
            .collect()
    }

    /// Returns the smallest of the 48 conjugates: the representative of all positions that are
    /// equivalent under symmetry.
    #[must_use]
    pub fn representative(&self) -> Cube {
        let conjugates = Symmetry::all().map(|s| self.conjugate(s));
        conjugates.min().expect("there are 48 symmetries")
    }

    /// Returns the order of this position p in the group, at most 1,260: the smallest n > 0 for
    /// which pⁿ is solved.
    pub fn order(&self) -> u32 {
        let powers = std::iter::successors(Some(*self), |power| Some(power.compose(self)));
        1 + powers.take_while(|power| !power.is_solved()).count() as u32
    }

    /// Returns the power pⁿ of this position p, for n = `times`: p⁰ is solved, and p⁻¹ is the
    /// inverse.
    #[must_use]
    pub fn power(&self, times: i64) -> Cube {
        let times = times.rem_euclid(i64::from(self.order()));
        (0..times).fold(Cube::SOLVED, |power, _| power.compose(self))
    }

    /// Returns `true` if an odd number of quarter turns leads to this position.
    pub fn is_odd(&self) -> bool {
        is_odd(&self.corners[..8])
    }

    /// Returns `true` if this is the solved position.
    pub fn is_solved(&self) -> bool {
        *self == Cube::SOLVED
    }

    /// Returns the quarter turn of `face`: the `rotation` of the whole cube about this face,
    /// restricted to its layer.
    const fn quarter_turn(face: Face, rotation: &SymmetryMaps) -> Cube {
        let mut cube = Cube::SOLVED;
        let mut i = 0;
        while i < Corner::COUNT {
            let faces = Corner::ALL[i].faces();
            if faces[0] as u8 == face as u8
                || faces[1] as u8 == face as u8
                || faces[2] as u8 == face as u8
            {
                cube.corners[rotation.corners[i] as usize] =
                    i as u8 | (rotation.corner_shift[i] * TWIST);
            }
            i += 1;
        }
        i = 0;
        while i < Edge::COUNT {
            let faces = Edge::ALL[i].faces();
            if faces[0] as u8 == face as u8 || faces[1] as u8 == face as u8 {
                cube.edges[rotation.edges[i] as usize] = i as u8 | (rotation.edge_shift[i] * FLIP);
            }
            i += 1;
        }
        cube
    }
}

impl Slot {
    /// Returns the cubie in this slot, named by its slot in the solved cube, and its twist or flip.
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
}

/// Returns `true` if the permutation in the low bits of these bytes is odd.
pub(super) fn is_odd(slots: &[u8]) -> bool {
    let cubies = || slots.iter().map(|byte| byte & CUBIE);
    let inversions = cubies()
        .enumerate()
        .map(|(i, cubie)| cubies().skip(i + 1).filter(|&later| later < cubie).count());
    inversions.sum::<usize>() % 2 == 1
}

/// Returns a cubie that is in two of these slots and one that is in none; `None` if each is in one.
fn twice_and_missing(slots: &[u8]) -> Option<(usize, usize)> {
    let count = |cubie: &usize| {
        slots
            .iter()
            .filter(|&&byte| usize::from(byte & CUBIE) == *cubie)
            .count()
    };
    let twice = (0..slots.len()).find(|cubie| count(cubie) > 1)?;
    let missing = (0..slots.len()).find(|cubie| count(cubie) == 0)?;
    Some((twice, missing))
}

impl Mul for Cube {
    type Output = Cube;
    /// Returns the product: first the left position, then the right one.
    fn mul(self, next: Cube) -> Cube {
        self.compose(&next)
    }
}

impl Mul<Move> for Cube {
    type Output = Cube;
    /// Returns the position after the move is applied to this one.
    fn mul(self, m: Move) -> Cube {
        self.apply(m)
    }
}

impl Default for Cube {
    fn default() -> Self {
        Cube::SOLVED
    }
}

impl Cube {
    /// Draws a position uniformly from all 43,252,003,274,489,856,000. The generator is one of
    /// [`cosette::rand`](rand); [`random_positions`] takes a seed instead.
    ///
    /// For another position each time, add `rand = "0.10"` to your dependencies and call
    /// `Cube::random(&mut rand::rng())`: Cosette itself enables only the feature `std` of `rand`,
    /// without the generator that the system seeds.
    ///
    /// ```
    /// use cosette::Cube;
    /// use cosette::rand::{SeedableRng, rngs::SmallRng};
    ///
    /// let position = Cube::random(&mut SmallRng::seed_from_u64(1));
    /// assert!(!position.is_solved());
    /// ```
    pub fn random<R: Rng + ?Sized>(rng: &mut R) -> Cube {
        // The twists must add up to a multiple of three, the flips to an even number, and the two
        // permutations must have equal parities. So the last twist and the last flip are computed
        // from the others, and two edges are swapped if the parities differ.
        let mut corners: [(u8, u8); 8] = std::array::from_fn(|i| (i as u8, 0));
        let mut edges: [(u8, u8); 12] = std::array::from_fn(|i| (i as u8, 0));
        corners.shuffle(rng);
        edges.shuffle(rng);
        for corner in &mut corners[..7] {
            corner.1 = rng.random_range(0..3);
        }
        for edge in &mut edges[..11] {
            edge.1 = rng.random_range(0..2);
        }
        // The sum of seven twists is at most 14, and 21 is a multiple of three.
        corners[7].1 = (21 - corners.iter().map(|c| c.1).sum::<u8>()) % 3;
        edges[11].1 = edges.iter().map(|e| e.1).sum::<u8>() % 2;
        match Cube::from_cubies(&corners, &edges) {
            Err(CubeError::SwappedPieces) => {
                let first = edges[0].0;
                let second = edges[1].0;
                (edges[0].0, edges[1].0) = (second, first);
                Cube::from_cubies(&corners, &edges).expect("one swap makes the parities agree")
            }
            cube => cube.expect("all pieces are there once and the sums fit"),
        }
    }
}

/// Returns an endless sequence of uniformly random positions, the same for the same seed on every
/// machine.
pub fn random_positions(seed: u64) -> impl Iterator<Item = Cube> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || Cube::random(&mut rng))
}

/// Returns an endless sequence of random walks of `length` moves, the same for the same seed on
/// every machine. Each move is drawn from those that may follow in a canonical sequence: it does
/// not turn the face of the move before it, nor, after D, L or B, the opposite face.
pub fn random_walks(seed: u64, length: usize) -> impl Iterator<Item = Vec<Move>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || random_walk(&mut rng, length))
}

/// Draws a random walk of `length` moves, like those of [`random_walks`].
pub fn random_walk<R: Rng + ?Sized>(rng: &mut R, length: usize) -> Vec<Move> {
    let mut walk: Vec<Move> = Vec::with_capacity(length);
    for _ in 0..length {
        let next = MoveSet::after(walk.last().copied()).iter().choose(rng);
        walk.push(next.expect("some move can always follow"));
    }
    walk
}
