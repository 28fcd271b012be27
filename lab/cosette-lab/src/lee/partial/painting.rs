//! The visible facelets of a partial problem, and the painted position that remains when all others
//! are gray.
//!
//! Cubies whose visible facelets are alike are of one *kind*. A painted position is, slot by slot,
//! a kind and the orientation of its visible facelets; a kind without any has no orientation. Its
//! number is exact: the rank of the arrangement of the kinds among all of them, as a permutation of
//! a multiset, then the orientations of those that have one. If flips are not visible, no edge has
//! an orientation, and only the slots of the kinds of edges count.

use crate::pieces::{Conjugation, CornerArrangement, EdgeArrangement, corners_of, edges_of};
use cosette::cube::{Corner, Cube, Edge, Face, Symmetry};

/// A set of facelets, those of the solved cube. Centers do not move and are never in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each corner one bit a facelet.
    corners: [u8; Corner::COUNT],
    /// For each edge one bit a facelet.
    edges: [u8; Edge::COUNT],
    /// `true` if the flips of edges are visible.
    flips: bool,
}

impl Selection {
    /// No facelet.
    pub const NONE: Selection = Selection {
        corners: [0; Corner::COUNT],
        edges: [0; Edge::COUNT],
        flips: true,
    };

    /// All facelets of these faces.
    pub fn faces(faces: &[Face]) -> Selection {
        let mask = |own: &[Face]| {
            (0..own.len())
                .filter(|&i| faces.contains(&own[i]))
                .map(|i| 1 << i)
                .sum()
        };
        Selection {
            corners: Corner::ALL.map(|corner| mask(&corner.faces())),
            edges: Edge::ALL.map(|edge| mask(&edge.faces())),
            flips: true,
        }
    }

    /// Returns the same facelets, but only with the slots of edges, not their flips.
    #[must_use]
    pub fn without_flips(self) -> Selection {
        Selection {
            flips: false,
            ..self
        }
    }

    /// Its facelets on corners.
    #[must_use]
    pub fn corners_only(self) -> Selection {
        Selection {
            edges: Selection::NONE.edges,
            ..self
        }
    }

    /// Its facelets on edges.
    #[must_use]
    pub fn edges_only(self) -> Selection {
        Selection {
            corners: Selection::NONE.corners,
            ..self
        }
    }

    /// Adds some facelets of another face, numbered 0 to 7 row by row in the default net, without
    /// the center.
    #[must_use]
    pub fn and_of(mut self, face: Face, numbers: &[usize]) -> Selection {
        assert!(
            numbers.iter().all(|&number| number < 8),
            "a face has eight facelets beside its center"
        );
        let seen = |place: usize| {
            place / 9 == face.index()
                && numbers
                    .iter()
                    .any(|&number| number + usize::from(number > 3) == place % 9)
        };
        let mask = |places: &[usize]| {
            places
                .iter()
                .zip(0..)
                .map(|(&place, i)| u8::from(seen(place)) << i)
                .sum::<u8>()
        };
        for corner in Corner::ALL {
            self.corners[corner.index()] |= mask(&corner.places());
        }
        for edge in Edge::ALL {
            self.edges[edge.index()] |= mask(&edge.places());
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
        let mut result = Selection {
            flips: self.flips,
            ..Selection::NONE
        };
        for (corner, to) in Corner::ALL
            .into_iter()
            .zip(slots.corner_slots.map(usize::from))
        {
            result.corners[to] = image(
                &corner.faces(),
                self.corners[corner.index()],
                &Corner::ALL[to].faces(),
            );
        }
        for (edge, to) in Edge::ALL.into_iter().zip(slots.edge_slots.map(usize::from)) {
            result.edges[to] = image(
                &edge.faces(),
                self.edges[edge.index()],
                &Edge::ALL[to].faces(),
            );
        }
        result
    }

    /// Returns the number of visible facelets.
    pub fn count(&self) -> u32 {
        self.corners
            .iter()
            .chain(&self.edges)
            .map(|bits| bits.count_ones())
            .sum()
    }
}

fn bit_of(own: &[Face], face: Face) -> u8 {
    own.iter().position(|&f| f == face).map_or(0, |i| 1 << i)
}

/// The painting and numbering of positions.
#[derive(Clone, Debug)]
pub struct Painting {
    corners: Kinds,
    edges: Kinds,
}

/// The kinds of the corners, or of the edges.
#[derive(Clone, Debug)]
struct Kinds {
    /// The kind of each cubie.
    of: Vec<u8>,
    /// Offset added to a cubie's orientation, so that cubies of a kind look alike at the same sum.
    shift: Vec<u8>,
    /// Number of orientations of each kind of cubies; one if they look alike in all.
    turns: Vec<u64>,
    /// Number of orientations of a visible cubie: three, or two.
    orientations: u8,
    /// Nibble k holds the number of cubies of the kinds below k.
    below: u64,
    /// Number of arrangements of the kinds.
    arrangements: u64,
    /// Number of orientations of all cubies together.
    twists: u64,
}

impl Kinds {
    /// Creates the kinds from the visible facelets of each cubie: an identity for each facelet,
    /// zero if it is gray. `turns_are_seen` is `true` if orientations are visible.
    fn new(looks: &[Vec<u8>], turns_are_seen: bool) -> Kinds {
        let facelets = looks[0].len();
        // The least rotation of a look is that of its kind.
        let least: Vec<(Vec<u8>, u8)> = looks
            .iter()
            .map(|look| {
                let turned = |by: usize| {
                    (0..facelets)
                        .map(|i| look[(i + by) % facelets])
                        .collect::<Vec<u8>>()
                };
                (0..facelets)
                    .map(|by| (turned(by), by as u8))
                    .min()
                    .expect("a cubie has facelets")
            })
            .collect();
        let mut kinds: Vec<&Vec<u8>> = least.iter().map(|(look, _)| look).collect();
        kinds.sort();
        kinds.dedup();
        let kind =
            |look: &Vec<u8>| kinds.binary_search(&look).expect("every look is of a kind") as u8;
        let of: Vec<u8> = least.iter().map(|(look, _)| kind(look)).collect();
        let is_turned = |look: &[u8]| turns_are_seen && look.iter().any(|&seen| seen != 0);
        let turns: Vec<u64> = kinds
            .iter()
            .map(|look| if is_turned(look) { facelets as u64 } else { 1 })
            .collect();
        let count = |kind: usize| of.iter().filter(|&&own| usize::from(own) == kind).count() as u64;
        let counts: Vec<u64> = (0..kinds.len()).map(count).collect();
        let below = (0..=kinds.len())
            .map(|kind| counts[..kind].iter().sum::<u64>() << (4 * kind))
            .sum();
        let factorial = |n: u64| (1..=n).product::<u64>();
        Kinds {
            shift: least.iter().map(|(_, by)| *by).collect(),
            orientations: facelets as u8,
            below,
            arrangements: factorial(of.len() as u64)
                / counts
                    .iter()
                    .map(|&count| factorial(count))
                    .product::<u64>(),
            twists: of.iter().map(|&kind| turns[usize::from(kind)]).product(),
            of,
            turns,
        }
    }

    /// The rank of the arrangement of the kinds of these cubies, slot by slot.
    #[inline(always)]
    fn arrangement(&self, cubies: impl Iterator<Item = usize>) -> u64 {
        let (mut below, mut left, mut arrangements, mut rank) =
            (self.below, self.of.len(), self.arrangements, 0);
        for cubie in cubies {
            let kind = self.of[cubie];
            let smaller = below >> (4 * kind) & 15;
            let own = (below >> (4 * kind + 4) & 15) - smaller;
            rank += divided(arrangements * smaller, left);
            arrangements = divided(arrangements * own, left);
            below -= 0x1111_1111_1111_1110 << (4 * kind) & self.nibbles();
            left -= 1;
        }
        rank
    }

    /// The number of the orientations of these cubies, slot by slot.
    #[inline(always)]
    fn turned(&self, cubies: impl Iterator<Item = (usize, u8)>) -> u64 {
        cubies.fold(0, |twists, (cubie, orientation)| {
            let turns = self.turns[usize::from(self.of[cubie])];
            let sum = orientation + self.shift[cubie];
            let turn = if sum >= self.orientations {
                sum - self.orientations
            } else {
                sum
            };
            twists * turns + if turns > 1 { u64::from(turn) } else { 0 }
        })
    }

    /// The nibbles in use.
    #[inline(always)]
    fn nibbles(&self) -> u64 {
        (1 << (4 * (self.turns.len() + 1))) - 1
    }

    fn states(&self) -> u64 {
        self.arrangements * self.twists
    }
}

/// For each odd number up to twelve, and for the odd part of the others, its inverse modulo 2⁶⁴.
static INVERSES: [u64; 13] = {
    let mut inverses = [1; 13];
    let mut n = 1;
    while n < inverses.len() {
        let odd = (n >> n.trailing_zeros()) as u64;
        let mut inverse = odd;
        let mut bits = 3;
        while bits < 64 {
            inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
            bits *= 2;
        }
        inverses[n] = inverse;
        n += 1;
    }
    inverses
};

/// A multiple of n, from one to twelve, divided by n; a quarter of the time that a division takes.
#[inline(always)]
fn divided(multiple: u64, n: usize) -> u64 {
    debug_assert_eq!(multiple % n as u64, 0);
    (multiple >> n.trailing_zeros()).wrapping_mul(INVERSES[n])
}

impl Painting {
    /// Number of bits of the number of a painted position.
    pub const BITS: u32 = 60;

    /// Creates the painting in which these facelets are visible, each in the color of its face.
    ///
    /// # Panics
    /// Panics if there are more painted positions than [`Painting::BITS`] can number, which does
    /// not occur with three faces or fewer.
    pub fn new(selection: Selection) -> Painting {
        let look = |bits: u8, faces: &[Face]| {
            faces
                .iter()
                .enumerate()
                .map(|(i, face)| (bits >> i & 1) * (face.index() as u8 + 1))
                .collect::<Vec<u8>>()
        };
        let corners =
            Corner::ALL.map(|corner| look(selection.corners[corner.index()], &corner.faces()));
        let edges = Edge::ALL.map(|edge| look(selection.edges[edge.index()], &edge.faces()));
        let painting = Painting {
            corners: Kinds::new(&corners, true),
            edges: Kinds::new(&edges, selection.flips),
        };
        let states = painting
            .corners
            .states()
            .checked_mul(painting.edges.states());
        assert!(
            states.is_some_and(|states| states >> Painting::BITS == 0),
            "{selection:?} has too many positions"
        );
        painting
    }

    /// Returns the number of painted states. Some belong to no position, because their sums or
    /// parities are impossible.
    pub fn states(&self) -> u64 {
        self.corners.states() * self.edges.states()
    }

    /// The number of a painted position whose corners and edges have these.
    #[inline(always)]
    pub(super) fn of(&self, corners: u64, edges: u64) -> u64 {
        corners * self.edges.states() + edges
    }

    /// Returns the number of arrangements of the kinds of corners.
    pub(super) fn corner_arrangements(&self) -> usize {
        self.corners.arrangements as usize
    }

    /// The rank of the arrangement of the kinds of corners.
    #[inline(always)]
    pub(super) fn corner_arrangement(&self, corners: &CornerArrangement) -> u64 {
        self.corners
            .arrangement(corners.iter().map(|corner| usize::from(corner % 8)))
    }

    /// The number of corners whose kinds have an arrangement of this rank.
    #[inline(always)]
    pub(super) fn corner_number(&self, arrangement: u64, corners: &CornerArrangement) -> u64 {
        let turned = self.corners.turned(
            corners
                .iter()
                .map(|corner| (usize::from(corner % 8), corner / 8)),
        );
        arrangement * self.corners.twists + turned
    }

    /// Returns the number of a painted arrangement of the edges.
    #[inline(always)]
    pub(super) fn edge_number(&self, edges: &EdgeArrangement) -> u64 {
        let turned = self
            .edges
            .turned(edges.iter().map(|edge| (usize::from(edge % 12), edge / 12)));
        self.edges
            .arrangement(edges.iter().map(|edge| usize::from(edge % 12)))
            * self.edges.twists
            + turned
    }

    /// Returns the number of the painted position: equal for two positions if and only if they look
    /// alike.
    #[inline(always)]
    pub fn number(&self, position: &Cube) -> u64 {
        let corners = corners_of(position);
        let corners = self.corner_number(self.corner_arrangement(&corners), &corners);
        self.of(corners, self.edge_number(&edges_of(position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;
    use std::collections::BTreeMap;

    #[test]
    fn all_eight_of_a_face_are_the_face() {
        for face in Face::ALL {
            assert_eq!(
                Selection::NONE.and_of(face, &[0, 1, 2, 3, 4, 5, 6, 7]),
                Selection::faces(&[face])
            );
            for count in 0..8 {
                let some: Vec<usize> = (0..count).collect();
                assert_eq!(Selection::NONE.and_of(face, &some).count(), count as u32);
            }
        }
        assert_eq!(Selection::faces(&[Face::U, Face::D]).count(), 16);
        for s in Symmetry::all() {
            let image = Selection::faces(&[s.face(Face::U), s.face(Face::F)]);
            assert_eq!(Selection::faces(&[Face::U, Face::F]).conjugate(s), image);
        }
        assert_eq!(
            Selection::faces(&[Face::U, Face::R]).corners_only().count(),
            8
        );
    }

    /// The reference implementation: the facelet string with all facelets of invisible faces gray.
    fn painted(position: &Cube, faces: &[Face]) -> String {
        let seen: Vec<char> = faces.iter().map(|face| face.letter()).collect();
        position
            .facelets()
            .chars()
            .map(|letter| if seen.contains(&letter) { letter } else { '.' })
            .collect()
    }

    #[test]
    fn positions_have_one_number_if_they_look_alike() {
        for faces in [
            vec![Face::U, Face::D],
            vec![Face::U, Face::R],
            vec![Face::U, Face::R, Face::F],
            vec![Face::B],
        ] {
            let painting = Painting::new(Selection::faces(&faces));
            let mut numbers = BTreeMap::new();
            let mut looks = BTreeMap::new();
            let near = Symmetry::all().flat_map(|s| {
                let m = cosette::cube::Move::ALL;
                m.map(|m| *Cube::from_move(m) * Cube::from_move(m).conjugate(s))
            });
            for position in random_positions(1).take(200).chain(near) {
                let number = painting.number(&position);
                let look = painted(&position, &faces);
                assert!(number < painting.states());
                assert_eq!(*numbers.entry(number).or_insert_with(|| look.clone()), look);
                assert_eq!(*looks.entry(look).or_insert(number), number);
            }
        }
    }

    #[test]
    fn as_many_as_the_arithmetic_says() {
        let states = |selection: Selection| Painting::new(selection).states();
        let opposite = Selection::faces(&[Face::U, Face::D]);
        assert_eq!(states(opposite.corners_only()), 70 * 6561);
        assert_eq!(states(opposite.edges_only()), 34_650 * 256);
        let adjacent = Selection::faces(&[Face::U, Face::R]);
        assert_eq!(states(adjacent.corners_only()), 5_040 * 729);
        assert_eq!(states(adjacent.edges_only()), 110_880 * 128);
        assert_eq!(states(adjacent.edges_only().without_flips()), 110_880);
    }
}
