//! Duplicate elimination: which words are not tried on a seed, because what they reach is reached in another way.
//!
//! A painting p is reached from a seed s by a word u: p = s·u, where u is the inverse of a canonical word. Let f be a
//! face that a shortest path to s ends with: s = t·f′, where t is one move nearer than s and f′ some turn of f.
//!
//! 1. *Words that begin with f* can be skipped. Two consecutive turns of f are one turn or none, so p = t·f″·… is
//!    nearer than |s| + |u|, and an earlier level has marked it.
//! 2. *Words that begin with the opposite face g* can be skipped where g is D, L or B. As g and f commute, p =
//!    (t·g)·f·…, and t·g is a seed as far as s (or nearer, see 1) with g among its last faces. Its words that begin
//!    with f = U, R or F are skipped by rule 1 alone, and what rule 1 skips has been marked.
//!
//! Both hold for cosets as they do for positions: all that is used is that a move on the right changes the distance by
//! one at most. So |s|, |t| may be the distances of cosets, and no path needs to begin in any particular way.
//!
//! Together they leave as many words as there are canonical sequences: about 0.74 of all. A rule applied to some of a
//! seed's last faces only is weaker and still right; so a seed with last faces on several axes is grouped by one axis,
//! and what is skipped is one range of nine groups of seeds:
//!
//! ```text
//! last faces   U  UD  D   R  RL  L   F  FB  B   none
//! group        0   1  2   3   4  5   6   7  8      9
//! ```
//!
//! In the quarter-turn metric a seed and a word may together make a half turn: t·f·f really costs two. It may also be made
//! of two counterclockwise turns, and one of both ways is enough. So rule 1 is there:
//!
//! 1. *Words that begin with the counterclockwise or the half turn of f* can be skipped. Two turns of f in opposite
//!    directions, or three in one, make p nearer. If s = t·f⁻¹ and the word begins with f⁻¹, the seed t·f reaches p by the
//!    same word with f in its place, which is not skipped by rule 1.
//!
//! Rule 2 holds as it stands, whatever the turns: where g is turned twice, t·g is the seed, and its word turns f, then g. No
//! seed is left waiting for another in a circle: rule 1 replaces a counterclockwise turn by a clockwise one of the same
//! face, rule 2 a turn of D, L or B by one of U, R or F.

use crate::cube::{Metric, Move, Symmetry, Turn};
use std::ops::Range;

/// How many groups of seeds there are.
pub(super) const SEED_GROUPS: usize = 10;

const NO_LAST_FACE: usize = SEED_GROUPS - 1;

/// The faces that shortest paths to a seed end with, a bit each.
#[derive(Clone, Copy)]
pub(super) struct LastFaces(u8);

impl LastFaces {
    /// Those of the solved painting.
    pub const NONE: LastFaces = LastFaces(0);

    /// Bit i stands for the face numbered i.
    pub fn of_bits(bits: u8) -> LastFaces {
        LastFaces(bits)
    }

    /// The group of a seed with these last faces: by an axis on which both are last ones, or else by any.
    pub fn group(self) -> usize {
        let (first, second) = (self.0 & 0b111, self.0 >> 3);
        let axes = if first & second != 0 { first & second } else { first | second };
        if axes == 0 {
            return NO_LAST_FACE;
        }
        let axis = axes.trailing_zeros() as usize;
        match (first >> axis & 1, second >> axis & 1) {
            (1, 0) => 3 * axis,
            (1, 1) => 3 * axis + 1,
            _ => 3 * axis + 2,
        }
    }
}

/// The groups of seeds on which a word beginning with `first` is not tried, where the seeds are conjugated by `s`.
pub(super) fn skipped_groups(first: Move, s: Symmetry, metric: Metric) -> Range<usize> {
    let face = first.face();
    let seen = s.face(face).index();
    let (axis, is_second) = (seen % 3, seen / 3);
    let with = |is_second: usize| 3 * axis + is_second..3 * axis + is_second + 2;
    let may_double = metric == Metric::Qtm && first.turn() == Turn::Clockwise;
    match (may_double, face > face.opposite()) {
        (false, false) => with(is_second),
        (false, true) => 3 * axis..3 * axis + 3,
        (true, false) => 0..0,
        (true, true) => with(1 - is_second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Face;

    #[test]
    fn a_group_is_skipped_by_the_last_faces_it_goes_by() {
        let is_last = |bits: u8, face: Face| bits >> face.index() & 1 == 1;
        for (metric, s) in Metric::ALL.into_iter().flat_map(|metric| Symmetry::all().map(move |s| (metric, s))) {
            for first in Move::ALL {
                let face = first.face();
                let skipped = skipped_groups(first, s, metric);
                let [seen, opposite] = [face, face.opposite()].map(|face| s.face(face));
                let may_double = metric == Metric::Qtm && first.turn() == Turn::Clockwise;
                for bits in 0..64 {
                    let by_itself = is_last(bits, seen) && !may_double;
                    let reason = by_itself || face > face.opposite() && is_last(bits, opposite);
                    // A seed with last faces on several axes goes by one of them, so it may be kept without need.
                    let axes = (bits | bits >> 3) & 0b111;
                    let is_skipped = skipped.contains(&LastFaces::of_bits(bits).group());
                    assert!(reason || !is_skipped, "{metric} {first} {bits:06b}");
                    assert!(is_skipped || !reason || axes.count_ones() > 1, "{metric} {first} {bits:06b}");
                }
            }
        }
    }
}
