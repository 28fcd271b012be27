//! The symmetries that fix a coset, and the first moves that need no search because of them.
//!
//! # Theory
//!
//! A symmetry s that preserves the axis of U and D maps the coset of p to the coset of s⁻¹·p·s. If
//! both are the same coset, s⁻¹·p·s = c·p with a member c of H. Then a sequence w from p to a
//! member h has an image: s⁻¹·w·s leads from p to c⁻¹·s⁻¹·h·s. So it suffices to search one
//! sequence of each class under these symmetries, and to mark the images of its end as well. A pass
//! needs no such step: if a set includes all its images, it still does after the pass.
//!
//! A sequence is searched if its first moves are chosen among their images. The image of a
//! canonical sequence need not be canonical: if a symmetry swaps U and D, the image of U D is D U.
//! So first moves are compared by the position that they lead to and the axis of the last move. Of
//! the first moves that are images of one another, those are chosen after which the most moves may
//! follow: U rather than D, as D may follow U. (In quarter turns, a clockwise turn is preferred, as
//! U U is canonical, but U′ U′ is not.)
//!
//! The coset H is fixed by all sixteen symmetries, as is the coset of the superflip. At most
//! 1,143,360 of the 2,217,093,120 cosets are fixed by a symmetry other than the identity: 16 times
//! the number of classes, 138,639,780, less the number of cosets.

use super::members::MemberNumbering;
use crate::cube::{Cube, Metric, Move, MoveSet, Symmetry, Turn, for_each_sequence};
use crate::twophase::phase1::Coset;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Maximum number of first moves that are compared.
const FIRST_MOVES: u8 = 3;

/// The symmetries that fix the coset of a position, except the identity: each with c⁻¹.
pub(super) struct Stabilizer(Vec<(Symmetry, Cube)>);

impl Stabilizer {
    pub fn of(position: &Cube) -> Stabilizer {
        let candidates = Symmetry::preserving_ud_axis()
            .map(|s| (s, *position * position.conjugate(s).inverse()));
        let fixes_coset = |(s, member): &(Symmetry, Cube)| {
            *s != Symmetry::IDENTITY && Coset::of(member) == Coset::TARGET
        };
        Stabilizer(candidates.filter(fixes_coset).collect())
    }

    pub fn is_trivial(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the images of the member of a bit.
    pub fn images(&self, bit: u64, members: &MemberNumbering) -> impl Iterator<Item = u64> {
        let member = members.member(bit);
        self.0
            .iter()
            .map(move |&(s, c_inverse)| members.bit_of(&(c_inverse * member.conjugate(s))))
    }

    /// Returns the first moves of the sequences of `length` moves from the position that must be
    /// searched.
    pub fn first_moves(&self, position: &Cube, length: u8, metric: Metric) -> Vec<Vec<Move>> {
        let mut chosen = Vec::new();
        // Two or more moves remain, as the search finds the last moves in pairs.
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
        let mut images_of_chosen = HashSet::new();
        chosen.retain(|moves| {
            let Some(last) = moves.last() else {
                return true;
            };
            let after = position.apply_moves(moves);
            let is_new = !images_of_chosen.contains(&(after, last.face().axis()));
            if is_new {
                let image = |&(s, c_inverse): &(Symmetry, Cube)| {
                    (c_inverse * after.conjugate(s), s.face(last.face()).axis())
                };
                images_of_chosen.extend(self.0.iter().map(image));
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
    fn the_chosen_first_moves_are_a_share_of_all() {
        let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
        let members = MemberNumbering::new();
        for (moves, order) in [
            ("U U'", 16),
            ("U R2", 16),
            (superflip, 16),
            ("R L", 8),
            ("R", 4),
            ("F R U2 B'", 1),
        ] {
            let position: Cube = moves.parse().unwrap();
            // The images of the member 1 are c⁻¹ = p · (s⁻¹·p·s)⁻¹.
            let images = Symmetry::preserving_ud_axis().map(|s| position.conjugate(s));
            let of_coset = images.filter(|image| Coset::of(image) == Coset::of(&position));
            let mut expected: Vec<u64> = of_coset
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
            // All sequences of three moves, or only the empty one if there is no symmetry. A
            // quarter more than one of each class may be chosen.
            let all = if order == 1 { 1 } else { 3240 };
            let expected = all / order..=all * 5 / 4 / order;
            assert!(expected.contains(&chosen), "{moves} {chosen}");
        }
    }
}
