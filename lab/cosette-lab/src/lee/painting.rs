//! The visible facelets of a partial problem, and the painted position that remains when all others
//! are gray.
//!
//! Cubies whose visible facelets are alike are of one *kind*. A painted position is, slot by slot,
//! a kind and the orientation of its visible facelets; a kind without any has no orientation. Its
//! number is exact: the rank of the arrangement of the kinds among all of them, as a permutation of
//! a multiset, then the orientations of those that have one. If flips are not visible, no edge has
//! an orientation, and only the slots of the kinds of edges count. Where all orientations are
//! visible the last one follows, and where no two cubies look alike the parity of the edges.

use crate::pieces::{CornerArrangement, EdgeArrangement, corners_of, edges_of};
use cosette::cube::{Corner, Cube, Edge, Face, Symmetry};
use std::collections::BTreeMap;

/// A set of facelets, those of the solved cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// One bit a facelet, in the order of the facelet string; never that of a center.
    facelets: u64,
    /// `true` if the flips of edges are visible.
    flips: bool,
}

/// Returns the places of the facelets of each piece, corners first.
fn pieces() -> impl Iterator<Item = Vec<usize>> {
    let corners = Corner::ALL
        .into_iter()
        .map(|corner| corner.places().to_vec());
    corners.chain(Edge::ALL.into_iter().map(|edge| edge.places().to_vec()))
}

/// Returns the face of a place.
fn face_at(place: usize) -> Face {
    Face::from_index(place / 9)
}

impl Selection {
    /// No facelet.
    pub const NONE: Selection = Selection {
        facelets: 0,
        flips: true,
    };

    /// Returns the facelets at these places.
    fn at(places: impl Iterator<Item = usize>) -> Selection {
        Selection {
            facelets: places.fold(0, |facelets, place| facelets | 1 << place),
            flips: true,
        }
    }

    /// All facelets of these faces.
    pub fn faces(faces: &[Face]) -> Selection {
        let is_on = |place: &usize| faces.contains(&face_at(*place));
        Selection::at(pieces().flatten().filter(is_on))
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
        let corners = Selection::at(pieces().take(Corner::COUNT).flatten());
        Selection {
            facelets: self.facelets & corners.facelets,
            ..self
        }
    }

    /// Its facelets on edges.
    #[must_use]
    pub fn edges_only(self) -> Selection {
        Selection {
            facelets: self.facelets & !self.corners_only().facelets,
            ..self
        }
    }

    /// Adds some facelets of another face, numbered 0 to 7 row by row in the default net, without
    /// the center.
    #[must_use]
    pub fn and_of(self, face: Face, numbers: &[usize]) -> Selection {
        let place = |&number: &usize| {
            assert!(number < 8, "a face has eight facelets beside its center");
            9 * face.index() + number + usize::from(number > 3)
        };
        Selection {
            facelets: self.facelets | Selection::at(numbers.iter().map(place)).facelets,
            ..self
        }
    }

    /// Its image under a symmetry of the cube.
    #[must_use]
    pub fn conjugate(self, s: Symmetry) -> Selection {
        let images = pieces().flat_map(|piece| {
            let faces: Vec<Face> = piece.iter().map(|&place| s.face(face_at(place))).collect();
            let is_image = |other: &Vec<usize>| {
                other.len() == faces.len()
                    && other.iter().all(|&place| faces.contains(&face_at(place)))
            };
            let image = pieces().find(is_image).expect("a piece has these faces");
            let place_on =
                move |face: Face| image.iter().copied().find(|&place| face_at(place) == face);
            let seen = piece.into_iter().zip(faces);
            seen.filter(|(place, _)| self.facelets >> place & 1 == 1)
                .filter_map(|(_, face)| place_on(face))
                .collect::<Vec<usize>>()
        });
        Selection {
            flips: self.flips,
            ..Selection::at(images)
        }
    }

    /// Returns the number of visible facelets.
    pub fn count(&self) -> u32 {
        self.facelets.count_ones()
    }
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
    /// Number of slots whose orientations are numbered: all but the last, if all are visible.
    turning: usize,
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
        let orientations = looks[0].len();
        // The least rotation of a look is that of its kind.
        let least = |look: &Vec<u8>| {
            let turned = |by: usize| {
                let mut turned = look.clone();
                turned.rotate_left(by);
                (turned, by as u8)
            };
            (0..orientations)
                .map(turned)
                .min()
                .expect("a cubie has facelets")
        };
        let least: Vec<(Vec<u8>, u8)> = looks.iter().map(least).collect();
        let mut counts: BTreeMap<&[u8], u64> = BTreeMap::new();
        for (look, _) in &least {
            *counts.entry(look).or_default() += 1;
        }
        let kind = |look: &[u8]| counts.keys().take_while(|&&other| other < look).count() as u8;
        let of: Vec<u8> = least.iter().map(|(look, _)| kind(look)).collect();
        let is_turned = |look: &[u8]| turns_are_seen && look.iter().any(|&seen| seen != 0);
        let turns: Vec<u64> = counts
            .keys()
            .map(|look| {
                if is_turned(look) {
                    orientations as u64
                } else {
                    1
                }
            })
            .collect();
        let turning = of.len() - usize::from(turns.iter().all(|&turns| turns > 1));
        let counts: Vec<u64> = counts.into_values().collect();
        let below = (0..=counts.len())
            .map(|kind| counts[..kind].iter().sum::<u64>() << (4 * kind))
            .sum();
        let factorial = |n: &u64| (1..=*n).product::<u64>();
        let twists = of
            .iter()
            .map(|&kind| turns[usize::from(kind)])
            .product::<u64>();
        Kinds {
            shift: least.iter().map(|(_, by)| *by).collect(),
            orientations: orientations as u8,
            below,
            arrangements: factorial(&(of.len() as u64))
                / counts.iter().map(factorial).product::<u64>(),
            twists: if turning < of.len() {
                twists / orientations as u64
            } else {
                twists
            },
            turning,
            of,
            turns,
        }
    }

    /// The rank of the arrangement of the kinds of these cubies, slot by slot.
    #[inline(always)]
    fn arrangement(&self, cubies: impl Iterator<Item = usize>) -> u64 {
        let mut below = self.below;
        let mut left = self.of.len();
        let mut arrangements = self.arrangements;
        let mut rank = 0;
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
        cubies
            .take(self.turning)
            .fold(0, |twists, (cubie, orientation)| {
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

    /// Returns `true` if no two cubies look alike.
    fn are_distinct(&self) -> bool {
        self.turns.len() == self.of.len()
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

/// The painting and numbering of positions.
#[derive(Clone, Debug)]
pub struct Painting {
    corners: Kinds,
    edges: Kinds,
    /// One if the last bit of the arrangement of the edges follows from the corners: if all cubies
    /// look different.
    halved: u32,
}

impl Painting {
    /// Creates the painting in which these facelets are visible, each in the color of its face.
    pub fn new(selection: Selection) -> Painting {
        let color = |place: usize| match selection.facelets >> place & 1 {
            1 => face_at(place).index() as u8 + 1,
            _ => 0,
        };
        let looks: Vec<Vec<u8>> = pieces()
            .map(|piece| piece.into_iter().map(color).collect())
            .collect();
        let (corners, edges) = looks.split_at(Corner::COUNT);
        let corners = Kinds::new(corners, true);
        let edges = Kinds::new(edges, selection.flips);
        Painting {
            halved: u32::from(corners.are_distinct() && edges.are_distinct()),
            corners,
            edges,
        }
    }

    /// Returns the number of painted positions. Some belong to no position, where the sum of
    /// visible orientations or a parity is impossible.
    pub fn states(&self) -> u128 {
        u128::from(self.corners.arrangements * self.corners.twists) * u128::from(self.edge_states())
    }

    /// Returns the number of painted arrangements of the edges.
    pub(super) fn edge_states(&self) -> u64 {
        (self.edges.arrangements >> self.halved) * self.edges.twists
    }

    /// Returns the number of arrangements of the kinds of corners.
    pub(super) fn corner_arrangements(&self) -> usize {
        self.corners.arrangements as usize
    }

    /// The rank of the arrangement of the kinds of corners.
    #[inline(always)]
    pub(super) fn corner_arrangement(&self, corners: &CornerArrangement) -> u64 {
        let cubies = corners.iter().map(|corner| usize::from(corner % 8));
        self.corners.arrangement(cubies)
    }

    /// The number of corners whose kinds have an arrangement of this rank.
    #[inline(always)]
    pub(super) fn corner_number(&self, arrangement: u64, corners: &CornerArrangement) -> u64 {
        let turned = corners
            .iter()
            .map(|corner| (usize::from(corner % 8), corner / 8));
        arrangement * self.corners.twists + self.corners.turned(turned)
    }

    /// Returns the number of a painted arrangement of the edges.
    #[inline(always)]
    pub(super) fn edge_number(&self, edges: &EdgeArrangement) -> u64 {
        let cubies = edges.iter().map(|edge| usize::from(edge % 12));
        let turned = edges.iter().map(|edge| (usize::from(edge % 12), edge / 12));
        (self.edges.arrangement(cubies) >> self.halved) * self.edges.twists
            + self.edges.turned(turned)
    }

    /// Returns the number of the painted position: equal for two positions if and only if they look
    /// alike. It must be below 2⁶⁴, as with three faces or fewer.
    #[inline(always)]
    pub fn number(&self, position: &Cube) -> u64 {
        let corners = corners_of(position);
        let corners = self.corner_number(self.corner_arrangement(&corners), &corners);
        corners * self.edge_states() + self.edge_number(&edges_of(position))
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
                assert!(u128::from(number) < painting.states());
                assert_eq!(*numbers.entry(number).or_insert_with(|| look.clone()), look);
                assert_eq!(*looks.entry(look).or_insert(number), number);
            }
        }
    }

    #[test]
    fn as_many_as_the_arithmetic_says() {
        let states = |selection: Selection| Painting::new(selection).states();
        let opposite = Selection::faces(&[Face::U, Face::D]);
        assert_eq!(states(opposite.corners_only()), 70 * 2187);
        assert_eq!(states(opposite.edges_only()), 34_650 * 256);
        let adjacent = Selection::faces(&[Face::U, Face::R]);
        assert_eq!(states(adjacent.corners_only()), 5_040 * 729);
        assert_eq!(states(adjacent.edges_only()), 110_880 * 128);
        assert_eq!(states(adjacent.edges_only().without_flips()), 110_880);
    }
}
