//! The symmetries that keep a coset, and what they save.
//!
//! # Theory
//!
//! A symmetry s that keeps the axis of U and D makes of the coset of p that of s⁻¹·p·s. Where it is the same coset, s⁻¹·p·s is
//! c·p with a member c of H. Then a way w from p to a member h has an image: s⁻¹·w·s leads from p to c⁻¹·s⁻¹·h·s. So of the
//! ways that are images of one another at least one is searched, and what it marks is marked with its images. What a pass marks has its
//! images among what it marks.
//!
//! A way is searched if its first moves are the chosen ones of their images. Images of canonical sequences need not be
//! canonical: where U and D change places, that of U D is D U. But their first moves are, in the right order, and of those
//! with the same images that is chosen after which most moves may follow: U rather than D, as D may follow it. (In quarter
//! turns, where U U is canonical and U′ U′ is not, a clockwise turn.)
//!
//! H itself is kept by all sixteen symmetries, as is the coset of the superflip. Of all 2,217,093,120 cosets at most 1,143,360
//! are kept by any but the one that changes nothing: so many fewer than 16 times the 138,639,780 classes they are.

use super::members::Members;
use crate::cube::{Cube, Metric, Move, MoveSet, Symmetry, Turn, for_each_sequence};
use crate::twophase::cosets::Coset;
use std::cmp::Reverse;
use std::collections::HashSet;

/// How many first moves are compared.
const FIRST_MOVES: u8 = 3;

/// The symmetries that keep the coset of a position, but for the one that changes nothing: each with c⁻¹.
pub(super) struct Stabilizer(Vec<(Symmetry, Cube)>);

impl Stabilizer {
    pub fn of(position: &Cube) -> Stabilizer {
        let images = Symmetry::keeping_up_and_down().map(|s| (s, *position * position.conjugate(s).inverse()));
        let keeps = |(s, member): &(Symmetry, Cube)| *s != Symmetry::IDENTITY && Coset::of(member) == Coset::TARGET;
        Stabilizer(images.filter(keeps).collect())
    }

    pub fn is_trivial(&self) -> bool {
        self.0.is_empty()
    }

    /// The images of the member of a bit.
    pub fn images(&self, bit: u64, members: &Members) -> impl Iterator<Item = u64> {
        let member = members.member(bit);
        self.0.iter().map(move |&(s, left)| members.bit_of(&(left * member.conjugate(s))))
    }

    /// The first moves of the sequences of `length` moves from the position that are searched.
    pub fn first_moves(&self, position: &Cube, length: u8, metric: Metric) -> Vec<Vec<Move>> {
        let mut chosen = Vec::new();
        // After these, two moves remain: the last are found in pairs.
        let count = if self.is_trivial() { 0 } else { FIRST_MOVES.min(length.saturating_sub(2)) };
        for_each_sequence(count, metric, |moves| chosen.push(moves.to_vec()));
        chosen.sort_by_key(|moves: &Vec<Move>| {
            let last = moves.last().copied();
            (Reverse(MoveSet::after(last).bits().count_ones()), last.map(Move::turn) != Some(Turn::Clockwise))
        });
        let mut seen = HashSet::new();
        chosen.retain(|moves| {
            let Some(last) = moves.last() else { return true };
            let after = position.after(moves);
            let is_new = !seen.contains(&(after, last.face().axis()));
            if is_new {
                let image = |&(s, left): &(Symmetry, Cube)| (left * after.conjugate(s), s.face(last.face()).axis());
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
        let members = Members::new();
        for (moves, order) in [("", 16), ("U R2", 16), (superflip, 16), ("R L", 8), ("R", 4), ("F R U2 B'", 1)] {
            let moves: Vec<Move> = moves.split_whitespace().map(|m| m.parse().unwrap()).collect();
            let position = Cube::from_moves(&moves);
            let images = Symmetry::keeping_up_and_down().map(|s| position.conjugate(s));
            let kept: Vec<Cube> = images.filter(|image| Coset::of(image) == Coset::of(&position)).collect();
            assert_eq!(kept.len(), order, "{moves:?}");
            // The member 1 is where the way of no moves from p ends, if p is solved; what solves c·p ends at c.
            let stabilizer = Stabilizer::of(&position);
            let mut found: Vec<u64> = stabilizer.images(members.bit_of(&Cube::SOLVED), &members).collect();
            let mut expected: Vec<u64> =
                kept.iter().map(|image| members.bit_of(&(position * image.inverse()))).collect();
            found.push(members.bit_of(&Cube::SOLVED));
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
            let chosen = stabilizer.first_moves(&position, 9, Metric::Htm).len();
            let all = if order == 1 { 1 } else { 3240 };
            assert!((all / order..=all * 5 / 4 / order).contains(&chosen), "{moves:?} {chosen}");
        }
    }
}
