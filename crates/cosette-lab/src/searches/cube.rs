//! The cube as a problem of the plain searches.

use super::Problem;
use crate::ida::LowerBound;
use cosette::cube::{Cube, Metric, Move, MoveSet};

/// To solve a position by moves that cost what a metric says, with a lower bound as the estimate.
pub struct CubeProblem<B> {
    /// The position.
    pub position: Cube,
    /// What moves cost.
    pub metric: Metric,
    /// What estimates the distance.
    pub bound: B,
}

impl<B: LowerBound> Problem for CubeProblem<B> {
    type State = Cube;
    type Action = Move;

    fn start(&self) -> Cube {
        self.position
    }

    fn successors(&self, position: &Cube, after: Option<Move>) -> impl Iterator<Item = (Move, u32, Cube)> {
        MoveSet::after(after).iter().map(|m| (m, self.metric.cost(m).into(), position.turned(m)))
    }

    fn is_goal(&self, position: &Cube) -> bool {
        position.is_solved()
    }

    fn estimate(&self, position: &Cube) -> u32 {
        self.bound.bound(&self.bound.node(position), u8::MAX, &mut 0).into()
    }
}
