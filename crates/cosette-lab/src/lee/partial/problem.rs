//! A partial problem and its backward space: what is seen of the positions near solved.

use super::ball::Ball;
use super::forward::ForwardDepth;
use super::painting::Painting;
use super::selection::Selection;
use crate::lab::{Lab, LabError};
use cosette::Cancel;
use cosette::cube::{Corner, Cube, Edge, Symmetry};
use std::ops::ControlFlow::{Break, Continue};

/// A partial problem with its backward space: the painted positions within a depth of solved.
///
/// Symmetries of the cube that keep the selection carry painted positions to painted positions as far from solved; one of
/// each class is stored.
pub struct Problem {
    painting: Painting,
    sides: Sides,
    depth: u8,
    ball: Ball,
    /// How many painted positions there are of each distance, not only one of each class.
    counts: Vec<u64>,
}

/// How many positions there are within so many moves: painted ones are fewer.
const WITHIN: [u64; 8] = [1, 19, 262, 3_502, 46_741, 621_649, 8_240_087, 109_043_123];

/// What a bidirectional search for the solution of a partial problem has found.
#[derive(Clone, Copy, Debug)]
pub struct Solved {
    /// The length of the shortest solution; none where the two spaces did not meet.
    pub length: Option<u8>,
    /// That length, or one more than both spaces are deep.
    pub at_least: u8,
    /// How many painted positions the forward space has.
    pub forward: u64,
}

/// The symmetries that keep the selection.
struct Sides {
    symmetries: Vec<Symmetry>,
    /// For each arrangement of the kinds of corners those, one bit each, that make the least of it.
    least: Vec<u64>,
}

impl Problem {
    /// The problem in which these facelets are seen, with all that lies within `depth` of solved.
    ///
    /// # Errors
    /// On cancellation.
    pub fn new(selection: Selection, depth: u8, lab: &Lab<'_>) -> Result<Problem, LabError> {
        let painting = Painting::new(selection);
        let symmetries: Vec<Symmetry> = Symmetry::all().filter(|&s| selection.conjugate(s) == selection).collect();
        let sides = Sides { least: least_symmetries(&painting, &symmetries), symmetries };
        let order = sides.symmetries.len() as u64;
        let mut counts = vec![0; usize::from(depth) + 1];
        let (mut found, expected) = (0, WITHIN[usize::from(depth).min(WITHIN.len() - 1)] / order);
        let on_new = |position: &Cube, distance: u8| {
            counts[usize::from(distance)] += order / sides.class(&painting, position).1;
            found += 1;
            if found % (1 << 16) == 0 {
                lab.step("filling the backward space of a partial problem", found, expected.max(found));
            }
            Continue(())
        };
        let ball =
            Ball::around(|position| sides.class(&painting, position).0, &Cube::SOLVED, depth, on_new, lab.cancel)?;
        Ok(Problem { painting, sides, depth, ball, counts })
    }

    /// How positions are painted.
    pub fn painting(&self) -> &Painting {
        &self.painting
    }

    /// The depth of the backward space.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// How many painted positions there are at each distance up to the depth.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many classes of them are stored.
    pub fn classes(&self) -> u64 {
        self.ball.len()
    }

    /// How much memory they take.
    pub fn bytes(&self) -> u64 {
        self.ball.bytes()
    }

    /// Solves the partial problem of an instance: the forward space grows until it meets the backward space, up to a depth.
    ///
    /// # Errors
    /// On cancellation.
    pub fn solve(&self, instance: &Cube, d_for: ForwardDepth, cancel: &Cancel) -> Result<Solved, LabError> {
        let mut length = None;
        let meet = |position: &Cube, away: u8| match self.distance(position) {
            Some(distance) => {
                length = Some(away + distance);
                Break(())
            }
            None => Continue(()),
        };
        let number = |position: &Cube| self.painting.number(position);
        let forward = Ball::around(number, instance, d_for.moves(), meet, cancel)?.len();
        Ok(Solved { length, at_least: length.unwrap_or(self.depth + d_for.moves() + 1), forward })
    }

    /// How far from solved a position is as it is painted, where that is within the depth.
    #[inline(always)]
    pub fn distance(&self, position: &Cube) -> Option<u8> {
        self.ball.get(self.sides.class(&self.painting, position).0)
    }
}

impl Sides {
    /// The number of the class of a painted position, and how many symmetries fix it as it is painted: the least number of
    /// its conjugates among those whose arrangement of corners is least.
    #[inline(always)]
    fn class(&self, painting: &Painting, position: &Cube) -> (u64, u64) {
        let mut left = self.least[painting.corner_arrangement(position)];
        let (mut corners, mut edges, mut times) = (u64::MAX, u64::MAX, 0);
        while left != 0 {
            let s = self.symmetries[left.trailing_zeros() as usize];
            left &= left - 1;
            let conjugate = if s == Symmetry::IDENTITY { *position } else { position.conjugate(s) };
            let own = painting.corner_number(&conjugate);
            if own > corners {
                continue;
            }
            let own = (own, painting.edge_number(&conjugate));
            if own < (corners, edges) {
                ((corners, edges), times) = (own, 1);
            } else if own == (corners, edges) {
                times += 1;
            }
        }
        (painting.of(corners, edges), times)
    }
}

fn least_symmetries(painting: &Painting, symmetries: &[Symmetry]) -> Vec<u64> {
    let mut least = vec![0; painting.corner_arrangements()];
    let mut corners: [(u8, u8); Corner::COUNT] = std::array::from_fn(|i| (i as u8, 0));
    each_order(&mut corners, 0, &mut |corners| {
        let position = with_corners(corners);
        let entry = &mut least[painting.corner_arrangement(&position)];
        if *entry == 0 {
            let images: Vec<usize> =
                symmetries.iter().map(|&s| painting.corner_arrangement(&position.conjugate(s))).collect();
            let lowest = images.iter().min().expect("the identity keeps every selection");
            *entry = (0..images.len()).filter(|&i| images[i] == *lowest).map(|i| 1 << i).sum();
        }
    });
    least
}

/// Calls `visit` with every order of the corners.
fn each_order(
    corners: &mut [(u8, u8); Corner::COUNT],
    from: usize,
    visit: &mut impl FnMut(&[(u8, u8); Corner::COUNT]),
) {
    if from == corners.len() {
        return visit(corners);
    }
    for i in from..corners.len() {
        corners.swap(from, i);
        each_order(corners, from + 1, visit);
        corners.swap(from, i);
    }
}

/// A position with these corners.
fn with_corners(corners: &[(u8, u8); Corner::COUNT]) -> Cube {
    let mut edges: [(u8, u8); Edge::COUNT] = std::array::from_fn(|i| (i as u8, 0));
    Cube::from_cubies(corners, &edges).unwrap_or_else(|_| {
        edges.swap(0, 1);
        Cube::from_cubies(corners, &edges).expect("one swap makes the parities agree")
    })
}
