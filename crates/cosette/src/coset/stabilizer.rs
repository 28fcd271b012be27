//! The symmetries that fix a coset, and the search that they save.
//!
//! # Theory
//!
//! A symmetry s that preserves the axis of U and D maps the coset of p to that of s⁻¹·p·s. If it is
//! the same coset, s⁻¹·p·s is c·p with a member c of H. Then a sequence w from p to a member h has
//! an image: s⁻¹·w·s leads from p to c⁻¹·s⁻¹·h·s. So at least one sequence of each class under
//! these symmetries is searched, and the images of the member that it marks are marked as well. The
//! set that a pass marks includes its images.
//!
//! A sequence is searched if its first moves are the chosen ones of their images. Images of
//! canonical sequences need not be canonical: if U and D change places, that of U D is D U. But
//! their first moves are, in the right order, and among those with the same images the one is
//! chosen after which most moves may follow: U rather than D, as D may follow it. (In quarter
//! turns, where U U is canonical and U′ U′ is not, a clockwise turn.)
//!
//! H itself is fixed by all sixteen symmetries, as is the coset of the superflip. Of all
//! 2,217,093,120 cosets at most 1,143,360 are fixed by any symmetry but the identity: the
//! difference between that number of cosets and 16 times the 138,639,780 classes.

use super::members::MemberBitmap;
use crate::cube::{Cube, Metric, Move, MoveSet, Symmetry, Turn, for_each_sequence};
use crate::twophase::phase1::Coset;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Number of first moves that are compared.
const FIRST_MOVES: u8 = 3;

/// The symmetries that fix the coset of a position, except the identity: each with c⁻¹.
pub(super) struct Stabilizer(Vec<(Symmetry, Cube)>);

impl Stabilizer {
    pub fn of(position: &Cube) -> Stabilizer {
        let images = Symmetry::preserving_ud_axis()
            .map(|s| (s, *position * position.conjugate(s).inverse()));
        let keeps = |(s, member): &(Symmetry, Cube)| {
            *s != Symmetry::IDENTITY && Coset::of(member) == Coset::TARGET
        };
        Stabilizer(images.filter(keeps).collect())
    }

    pub fn is_trivial(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the images of the member of a bit.
    pub fn images(&self, bit: u64, members: &MemberBitmap) -> impl Iterator<Item = u64> {
        let member = members.member(bit);
        self.0
            .iter()
            .map(move |&(s, left)| members.bit_of(&(left * member.conjugate(s))))
    }

    /// Returns the first moves of the searched sequences of `length` moves from the position.
    pub fn first_moves(&self, position: &Cube, length: u8, metric: Metric) -> Vec<Vec<Move>> {
        let mut chosen = Vec::new();
        // After these, two moves remain: the last are found in pairs.
        let count = if self.is_trivial() {
            0
        } else {
            FIRST_MOVES.min(length.saturating_sub(2))
        };
        for_each_sequence(count, metric, |moves| chosen.push(moves.to_vec()));
        chosen.sort_by_key(|moves: &Vec<Move>| {
            let last = moves.last().copied();
            (
                Reverse(MoveSet::after(last).bits().count_ones()),
                last.map(Move::turn) != Some(Turn::Clockwise),
            )
        });
        let mut seen = HashSet::new();
        chosen.retain(|moves| {
            let Some(last) = moves.last() else {
                return true;
            };
            let after = position.apply_moves(moves);
            let is_new = !seen.contains(&(after, last.face().axis()));
            if is_new {
                let image = |&(s, left): &(Symmetry, Cube)| {
                    (left * after.conjugate(s), s.face(last.face()).axis())
                };
                seen.extend(self.0.iter().map(image));
            }
            is_new
        });
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_the_first_moves_stands_for_all() {
        let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
        let members = MemberBitmap::new();
        for (moves, order) in [
            ("U U'", 16),
            ("U R2", 16),
            (superflip, 16),
            ("R L", 8),
            ("R", 4),
            ("F R U2 B'", 1),
        ] {
            let position: Cube = moves.parse().unwrap();
            // The member 1 is the end of the empty sequence from p, if p is solved; a solution of
            // c·p ends at c.
            let images = Symmetry::preserving_ud_axis().map(|s| position.conjugate(s));
            let kept = images.filter(|image| Coset::of(image) == Coset::of(&position));
            let mut expected: Vec<u64> = kept
                .map(|image| members.bit_of(&(position * image.inverse())))
                .collect();
            assert_eq!(expected.len(), order, "{moves}");
            let stabilizer = Stabilizer::of(&position);
            let solved = members.bit_of(&Cube::SOLVED);
            let mut found: Vec<u64> = stabilizer.images(solved, &members).collect();
            found.push(solved);
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
            let chosen = stabilizer.first_moves(&position, 9, Metric::Htm).len();
            let all = if order == 1 { 1 } else { 3240 };
            let expected = all / order..=all * 5 / 4 / order;
            assert!(expected.contains(&chosen), "{moves} {chosen}");
        }
    }
}
