//! Lower bounds from a pruning table of the main engine, for goals of the whole cube.
//!
//! The table has lower bounds on the number of face turns that solve a position. An allowed turn
//! equals some face turns in the frame of the centers: a slice two, a rotation none. If it costs c
//! and is n face turns in the metric of the table, each of these costs c / n. So a position at a
//! distance of n face turns costs at least n times the minimum of these quotients.

use crate::Table;
use crate::cube::{Cube, LayerTurn};
use std::sync::Arc;

pub(super) struct FullCubeBound {
    table: Arc<Table>,
    /// Number of face turns that together cost at least `cost`.
    faces: u32,
    cost: u32,
}

impl FullCubeBound {
    pub fn new(table: Arc<Table>, turns: &[(LayerTurn, u8)]) -> FullCubeBound {
        let metric = table.id().metric;
        let worth = |turn: LayerTurn| {
            turn.face_turns()
                .map(|m| u32::from(metric.cost(m)))
                .sum::<u32>()
        };
        let quotients = turns
            .iter()
            .map(|&(turn, cost)| (worth(turn), u32::from(cost)))
            .filter(|&(faces, _)| faces > 0);
        // With rotations only, the bound is 0.
        let least = quotients.min_by(|one, other| (one.1 * other.0).cmp(&(other.1 * one.0)));
        let (faces, cost) = least.unwrap_or((1, 0));
        FullCubeBound { table, faces, cost }
    }

    /// Returns a lower bound on the cost of solving a position.
    pub fn lower_bound(&self, position: &Cube) -> u32 {
        let bound = self
            .table
            .bound(position)
            .max(self.table.bound(&position.inverse()));
        (u32::from(bound) * self.cost).div_ceil(self.faces)
    }
}
