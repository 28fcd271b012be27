//! The six views of a position: along each axis, direct or inverse.

use super::cosets::Coset;
use super::members::Fours;
use crate::cube::{Cube, Face, Move, Symmetry, canonical};

/// A position as the two phases see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The rotation that brings the axis upright.
    rotation: Symmetry,
    is_inverse: bool,
    pub coset: Coset,
    pub fours: Fours,
}

impl View {
    /// The views of a position, without those that are conjugates of others by a symmetry of the target subgroup.
    pub fn all(position: &Cube) -> Vec<View> {
        let mut seen = Vec::new();
        let mut views = Vec::new();
        // R to U to F to R: none, one and two times.
        let turn = Symmetry::rotation(Face::U).then(Symmetry::rotation(Face::R));
        for rotation in [Symmetry::IDENTITY, turn, turn.then(turn)] {
            for is_inverse in [false, true] {
                let cube = if is_inverse { position.inverse() } else { *position }.conjugate(rotation);
                let class = Symmetry::keeping_up_and_down().map(|s| cube.conjugate(s)).min();
                if !seen.contains(&class) {
                    seen.push(class);
                    views.push(View { rotation, is_inverse, coset: Coset::of(&cube), fours: Fours::of(&cube) });
                }
            }
        }
        views
    }

    /// The solution of the position that corresponds to a solution of the view, in canonical form.
    pub fn solution(&self, moves: &[Move]) -> Vec<Move> {
        let back = self.rotation.inverse();
        let mut moves: Vec<Move> = moves.iter().map(|&m| back.conjugate_move(m)).collect();
        if self.is_inverse {
            moves.reverse();
            moves.iter_mut().for_each(|m| *m = m.inverse());
        }
        canonical(&moves)
    }
}
