//! What a table of the main engine says of the whole cube.
//!
//! The table has lower bounds on the turns of faces that solve a position. An allowed turn is some turns of faces as the centres see
//! it: a slice two, a rotation none. If it costs c and is n turns of faces in the metric of the table, each of these costs c / n with
//! it. So what is n turns of faces away costs at least n times the least such quotient.

use crate::Table;
use crate::cube::{Cube, LayerTurn};
use std::sync::Arc;

pub(super) struct Whole {
    table: Arc<Table>,
    /// So many turns of faces cost at least so much.
    faces: u32,
    cost: u32,
}

impl Whole {
    pub fn new(table: Arc<Table>, turns: &[(LayerTurn, u8)]) -> Whole {
        let metric = table.id().metric;
        let worth = |turn: LayerTurn| turn.face_turns().map(|m| u32::from(metric.cost(m))).sum::<u32>();
        let quotients =
            turns.iter().map(|&(turn, cost)| (worth(turn), u32::from(cost))).filter(|&(faces, _)| faces > 0);
        // Where nothing but rotations is allowed, nothing is told.
        let least = quotients.min_by(|one, other| (one.1 * other.0).cmp(&(other.1 * one.0)));
        let (faces, cost) = least.unwrap_or((1, 0));
        Whole { table, faces, cost }
    }

    /// What solving a position costs at least.
    pub fn least(&self, position: &Cube) -> u32 {
        let bound = self.table.bound(position).max(self.table.bound(&position.inverse()));
        (u32::from(bound) * self.cost).div_ceil(self.faces)
    }
}
