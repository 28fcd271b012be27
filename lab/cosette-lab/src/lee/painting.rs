//! The visible facelets of a partial problem, and the painted position that remains when all others
//! are gray.
//!
//! Cubies whose visible facelets are alike are of one *kind*. A painted position is, slot by slot,
//! a kind and the orientation of its visible facelets; a kind without any has no orientation. Its
//! number is exact: the rank of the arrangement of the kinds among all of them, as a permutation of
//! a multiset, then the orientations of those that have one. If flips are not visible, no edge has
//! an orientation. Where all orientations are visible the last one follows, and where no two cubies
//! look alike the parity of the edges.
//!
//! Symmetries of the cube that keep the visible facelets carry painted positions to painted
//! positions as far from solved: they are of one class. A class is numbered by the least of its
//! painted positions, corners first. The image of the arrangement of the kinds of corners under a
//! symmetry depends on nothing else, so the symmetries that minimize each arrangement are known;
//! only those are tried, and on the edges only those that minimize the corners. Numbers are exact
//! and take at most 60 bits: nothing is lost by hashing.

use crate::pieces::{Conjugation, TWISTS, corners_of, corners_with, edges_of};
use cosette::cube::{Corner, Cube, Edge, Face, Symmetry};
use std::collections::{BTreeMap, BTreeSet};

/// A set of facelets, those of the solved cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Facelets, none of a center: the faces of the piece, one bit each, and that of the facelet.
    facelets: BTreeSet<(u8, usize)>,
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

/// Returns the bits of the faces at these places.
fn faces_at(places: &[usize]) -> u8 {
    places.iter().map(|place| 1 << (place / 9)).sum()
}

impl Selection {
    /// Returns the facelets whose places in the facelet string are visible.
    fn at(is_visible: impl Fn(usize) -> bool) -> Selection {
        let facelets = pieces().flat_map(|piece| {
            let faces = faces_at(&piece);
            piece.into_iter().map(move |place| (faces, place))
        });
        let visible = facelets.filter(|&(_, place)| is_visible(place));
        Selection {
            facelets: visible.map(|(faces, place)| (faces, place / 9)).collect(),
            flips: true,
        }
    }

    /// Returns all facelets of these faces.
    pub fn faces(faces: &[Face]) -> Selection {
        Selection::at(|place| faces.contains(&Face::from_index(place / 9)))
    }

    /// Returns the same facelets, but only with the slots of edges, not their flips.
    #[must_use]
    pub fn without_flips(self) -> Selection {
        Selection {
            flips: false,
            ..self
        }
    }

    /// Returns the facelets on corners.
    #[must_use]
    pub fn corners_only(mut self) -> Selection {
        self.facelets.retain(|(faces, _)| faces.count_ones() == 3);
        self
    }

    /// Returns the facelets on edges.
    #[must_use]
    pub fn edges_only(mut self) -> Selection {
        self.facelets.retain(|(faces, _)| faces.count_ones() == 2);
        self
    }

    /// Adds some facelets of another face, numbered 0 to 7 row by row in the default net, without
    /// the center.
    #[must_use]
    pub fn and_of(mut self, face: Face, numbers: &[usize]) -> Selection {
        let place = |&number: &usize| 9 * face.index() + number + usize::from(number > 3);
        let places: Vec<usize> = numbers.iter().map(place).collect();
        let added = Selection::at(|place| places.contains(&place));
        self.facelets.extend(added.facelets);
        self
    }

    /// Returns the image under a symmetry of the cube.
    #[must_use]
    pub fn conjugate(&self, s: Symmetry) -> Selection {
        let image = |face: usize| s.face(Face::from_index(face)).index();
        let faces_image = |faces: u8| {
            let faces = (0..Face::ALL.len()).filter(|face| faces >> face & 1 == 1);
            faces.map(|face| 1 << image(face)).sum()
        };
        let images = self.facelets.iter();
        Selection {
            facelets: images
                .map(|&(faces, face)| (faces_image(faces), image(face)))
                .collect(),
            flips: self.flips,
        }
    }

    /// Returns the number of visible facelets.
    pub fn count(&self) -> usize {
        self.facelets.len()
    }
}

/// The look of a cubie in one orientation.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    kind: u8,
    turn: u64,
    /// Number of orientations of the kind; one if they look alike in all.
    turns: u64,
}

/// The kinds of the corners, or of the edges.
#[derive(Debug)]
struct Kinds {
    /// The look of each possible content of a slot: cubie + number of cubies · orientation.
    looks: [Look; 24],
    /// Number of cubies.
    cubies: u64,
    /// Nibble k holds the number of cubies of the kinds below k.
    below: u64,
    /// Number of arrangements of the kinds.
    arrangements: u64,
    /// Number of slots whose orientations are numbered: all but the last, if all are visible.
    turning: usize,
    /// Number of orientations of all cubies together.
    twists: u64,
    /// `true` if no two cubies look alike.
    are_distinct: bool,
}

impl Kinds {
    /// Creates the kinds from the visible facelets of each cubie: the face of each facelet, `None`
    /// if it is gray. `turns_are_seen` is `true` if orientations are visible.
    fn new(cubies: &[Vec<Option<usize>>], turns_are_seen: bool) -> Kinds {
        let orientations = cubies[0].len();
        // The least rotation of the facelets is that of the kind.
        let least = |facelets: &Vec<Option<usize>>| {
            let rotations = (0..orientations).map(|by| {
                let mut rotated = facelets.clone();
                rotated.rotate_left(by);
                (rotated, by)
            });
            rotations.min().expect("a cubie has facelets")
        };
        let least: Vec<(Vec<Option<usize>>, usize)> = cubies.iter().map(least).collect();
        let mut counts: BTreeMap<&[Option<usize>], u64> = BTreeMap::new();
        for (facelets, _) in &least {
            *counts.entry(facelets).or_default() += 1;
        }
        let mut looks = [Look::default(); 24];
        for (cubie, (facelets, by)) in least.iter().enumerate() {
            let kind = counts.keys().position(|other| other == facelets);
            let is_turned = turns_are_seen && facelets.iter().any(Option::is_some);
            let turns = if is_turned { orientations } else { 1 };
            for orientation in 0..orientations {
                looks[cubie + cubies.len() * orientation] = Look {
                    kind: kind.expect("all kinds are counted") as u8,
                    turn: ((orientation + by) % turns) as u64,
                    turns: turns as u64,
                };
            }
        }
        let counts: Vec<u64> = counts.into_values().collect();
        let below = (0..=counts.len()).map(|kind| counts[..kind].iter().sum::<u64>() << (4 * kind));
        let factorial = |n: &u64| (1..=*n).product::<u64>();
        let all_turn = looks[..cubies.len()].iter().all(|look| look.turns > 1);
        let turning = cubies.len() - usize::from(all_turn);
        Kinds {
            cubies: cubies.len() as u64,
            below: below.sum(),
            arrangements: factorial(&(cubies.len() as u64))
                / counts.iter().map(factorial).product::<u64>(),
            turning,
            twists: looks[..turning].iter().map(|look| look.turns).product(),
            are_distinct: counts.len() == cubies.len(),
            looks,
        }
    }

    /// Returns the rank of the arrangement of the kinds of these contents, slot by slot.
    #[inline(always)]
    fn arrangement(&self, contents: &[u8]) -> u64 {
        let mut below = self.below;
        let mut arrangements = self.arrangements;
        let mut rank = 0;
        for (&content, left) in contents.iter().zip((1..=self.cubies).rev()) {
            let kind = self.looks[usize::from(content)].kind;
            let smaller = below >> (4 * kind) & 15;
            let own = (below >> (4 * kind + 4) & 15) - smaller;
            rank += arrangements * smaller / left;
            arrangements = arrangements * own / left;
            below = below.wrapping_sub(0x1111_1111_1111_1110 << (4 * kind));
        }
        rank
    }

    /// Returns the number of the orientations of these contents, slot by slot.
    #[inline(always)]
    fn turned(&self, contents: &[u8]) -> u64 {
        let looks = contents[..self.turning]
            .iter()
            .map(|&content| self.looks[usize::from(content)]);
        looks.fold(0, |twists, look| twists * look.turns + look.turn)
    }
}

/// Returns the least of the numbers of some symmetries, one bit each, and the symmetries that have
/// it.
#[inline(always)]
fn least(mut symmetries: u64, number: impl Fn(usize) -> u64) -> (u64, u64) {
    let mut least = u64::MAX;
    let mut ties = 0;
    while symmetries != 0 {
        let s = symmetries.trailing_zeros() as usize;
        symmetries &= symmetries - 1;
        let number = number(s);
        if number < least {
            least = number;
            ties = 0;
        }
        if number == least {
            ties |= 1 << s;
        }
    }
    (least, ties)
}

/// The painting of positions, and the numbers of painted positions or of their classes.
#[derive(Debug)]
pub struct Painting {
    corners: Kinds,
    edges: Kinds,
    /// One if the last bit of the arrangement of the edges follows from the corners: if all cubies
    /// look different.
    halved: u32,
    /// Number of symmetries that carry a painted position to one of the same class.
    symmetries: u32,
    /// For each arrangement of the kinds of corners, the number of its class, and the symmetries,
    /// one bit each, that carry it to the least of the class.
    least: Vec<(u64, u64)>,
}

impl Painting {
    /// Creates the painting in which these facelets are visible; each painted position has a number
    /// of its own.
    pub fn new(selection: &Selection) -> Painting {
        Painting::up_to(selection, 1 << Symmetry::IDENTITY.index())
    }

    /// Creates the painting in which these facelets are visible; painted positions of a class have
    /// the same number.
    pub fn of_classes(selection: &Selection) -> Painting {
        let keeping = Symmetry::all().filter(|&s| selection.conjugate(s) == *selection);
        Painting::up_to(selection, keeping.map(|s| 1 << s.index()).sum())
    }

    fn up_to(selection: &Selection, symmetries: u64) -> Painting {
        let cubies: Vec<Vec<Option<usize>>> = pieces()
            .map(|piece| {
                let faces = faces_at(&piece);
                let visible = |place: usize| {
                    let face = place / 9;
                    selection.facelets.contains(&(faces, face)).then_some(face)
                };
                piece.iter().copied().map(visible).collect()
            })
            .collect();
        let (corners, edges) = cubies.split_at(Corner::COUNT);
        let corners = Kinds::new(corners, true);
        let edges = Kinds::new(edges, selection.flips);
        let mut least_of = vec![(0, 0); corners.arrangements as usize];
        for pieces in (0..40_320).map(|order| corners_with(order * TWISTS as u64)) {
            let of_arrangement = &mut least_of[corners.arrangement(&pieces) as usize];
            if of_arrangement.1 == 0 {
                *of_arrangement = least(symmetries, |s| {
                    corners.arrangement(&Conjugation::by(s).corners(&pieces))
                });
            }
        }
        let classes: BTreeSet<u64> = least_of.iter().map(|&(class, _)| class).collect();
        let classes: Vec<u64> = classes.into_iter().collect();
        for (class, _) in &mut least_of {
            *class = classes.partition_point(|other| other < class) as u64;
        }
        Painting {
            halved: u32::from(corners.are_distinct && edges.are_distinct),
            corners,
            edges,
            symmetries: symmetries.count_ones(),
            least: least_of,
        }
    }

    /// Returns the number of painted positions. Some belong to no position, where the sum of
    /// visible orientations or a parity is impossible.
    pub fn states(&self) -> u128 {
        u128::from(self.corners.arrangements * self.corners.twists) * u128::from(self.edge_states())
    }

    /// Returns the number of painted arrangements of the edges.
    fn edge_states(&self) -> u64 {
        (self.edges.arrangements >> self.halved) * self.edges.twists
    }

    /// Returns the number of a painted position or of its class: below 2⁶⁰, as with all facelets
    /// and classes, or with three faces or fewer.
    #[inline(always)]
    pub fn number(&self, position: &Cube) -> u64 {
        self.number_and_ties(position).0
    }

    /// Returns the number of painted positions in the class of this one.
    pub fn class_size(&self, position: &Cube) -> u64 {
        u64::from(self.symmetries / self.number_and_ties(position).1.count_ones())
    }

    /// Returns the number, and the symmetries that carry the painted position to the least of its
    /// class.
    #[inline(always)]
    fn number_and_ties(&self, position: &Cube) -> (u64, u64) {
        let corners = corners_of(position);
        let edges = edges_of(position);
        let (class, symmetries) = self.least[self.corners.arrangement(&corners) as usize];
        let (twists, ties) = least(symmetries, |s| {
            self.corners.turned(&Conjugation::by(s).corners(&corners))
        });
        let (edges, ties) = least(ties, |s| {
            let edges = Conjugation::by(s).edges(&edges);
            (self.edges.arrangement(&edges) >> self.halved) * self.edges.twists
                + self.edges.turned(&edges)
        });
        let corners = class * self.corners.twists + twists;
        (corners * self.edge_states() + edges, ties)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{Move, random_positions};

    /// Selections with their numbers of facelets and of painted positions.
    fn selections() -> Vec<(Selection, usize, u128)> {
        let opposite = Selection::faces(&[Face::U, Face::D]);
        let adjacent = Selection::faces(&[Face::U, Face::R]);
        let all = Selection::faces(&Face::ALL);
        let edges = adjacent.clone().edges_only();
        let corner = Selection::faces(&[]).and_of(Face::F, &[0]);
        vec![
            (opposite.clone().corners_only(), 8, 70 * 2187),
            (opposite.edges_only(), 8, 34_650 * 256),
            (adjacent.clone().corners_only(), 8, 5_040 * 729),
            (edges.clone(), 8, 110_880 * 128),
            (edges.without_flips(), 8, 110_880),
            (adjacent, 16, 5_040 * 729 * 110_880 * 128),
            (corner, 1, 24),
            (all, 48, 43_252_003_274_489_856_000),
        ]
    }

    #[test]
    fn facelets_and_painted_positions_are_as_many_as_the_arithmetic_says() {
        for (selection, facelets, states) in selections() {
            assert_eq!(selection.count(), facelets);
            assert_eq!(Painting::new(&selection).states(), states, "{selection:?}");
        }
        for face in Face::ALL {
            let eight = Selection::faces(&[]).and_of(face, &[0, 1, 2, 3, 4, 5, 6, 7]);
            assert_eq!(eight, Selection::faces(&[face]));
        }
        let painting = Painting::of_classes(&Selection::faces(&Face::ALL));
        let classes = painting.least.iter().map(|&(class, _)| class + 1).max();
        assert_eq!(classes, Some(984));
        assert!(984 * TWISTS as u64 * painting.edge_states() < 1 << 60);
    }

    /// Returns the reference implementation of painting: the facelet string, with gray facelets.
    fn painted(position: &Cube, faces: &[Face]) -> String {
        let is_seen = |letter: char| faces.iter().any(|face| face.letter() == letter);
        let facelets = position.facelets();
        facelets
            .chars()
            .map(|letter| if is_seen(letter) { letter } else { '.' })
            .collect()
    }

    #[test]
    fn positions_have_one_number_if_they_look_alike_and_classes_if_a_symmetry_makes_them_so() {
        use Face::{B, D, F, R, U};
        let near = Symmetry::all()
            .flat_map(|s| Move::ALL.map(|m| *Cube::from_move(m) * Cube::from_move(m).conjugate(s)));
        let positions: Vec<Cube> = random_positions(1).take(200).chain(near).collect();
        for faces in [&[U, D][..], &[U, R], &[U, R, F], &[B]] {
            let selection = Selection::faces(faces);
            let painting = Painting::new(&selection);
            let classes = Painting::of_classes(&selection);
            let keeping: Vec<Symmetry> = Symmetry::all()
                .filter(|&s| selection.conjugate(s) == selection)
                .collect();
            let mut numbers = BTreeMap::new();
            let mut looks = BTreeMap::new();
            for position in &positions {
                let number = painting.number(position);
                let look = painted(position, faces);
                assert!(u128::from(number) < painting.states());
                assert_eq!(*numbers.entry(number).or_insert_with(|| look.clone()), look);
                assert_eq!(*looks.entry(look).or_insert(number), number);
                let images = keeping.iter().map(|&s| position.conjugate(s));
                let images: Vec<Cube> = images.collect();
                let class = classes.number(position);
                assert!(images.iter().all(|image| classes.number(image) == class));
                let distinct: BTreeSet<u64> = images.iter().map(|c| painting.number(c)).collect();
                assert_eq!(distinct.len() as u64, classes.class_size(position));
            }
        }
    }
}
