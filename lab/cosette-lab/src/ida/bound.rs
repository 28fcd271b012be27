//! The interface between the search and a lower bound.

use cosette::cube::{Cube, Metric, Move, MoveSet};

/// A lower bound, and the node that it is computed from.
pub trait LowerBound: Sync {
    /// What a node carries.
    type Node: Copy + Send + Sync;

    /// The node of a position.
    fn node(&self, position: &Cube) -> Self::Node;

    /// The node after a move.
    fn turned(&self, node: &Self::Node, m: Move) -> Self::Node;

    /// A lower bound of the distance to solved; if it exceeds `remaining`, any value above that is allowed. Adds its
    /// accesses to tables to `probes`.
    fn bound(&self, node: &Self::Node, remaining: u8, probes: &mut u64) -> u8;

    /// Keeps those moves of each node whose children have a bound within what then remains. A bound that waits for
    /// memory should read the entries of all children without branching on them.
    fn prune(&self, nodes: &mut [Open<Self::Node>], metric: Metric, probes: &mut u64) {
        for open in nodes {
            open.moves = open.moves.filter(|m| {
                let left = open.remaining - metric.cost(m);
                self.bound(&self.turned(&open.node, m), left, probes) <= left
            });
        }
    }
}

/// A node whose children are examined next.
#[derive(Clone, Copy, Debug)]
pub struct Open<N> {
    /// The node.
    pub node: N,
    /// What remains of the threshold, one at least.
    pub remaining: u8,
    /// The moves to be tried; none costs more than remains.
    pub moves: MoveSet,
    pub(super) path: Path,
}

/// The moves that lead to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
    length: u8,
    moves: [Move; Path::LONGEST],
}

impl Path {
    /// Longer than any shortest solution.
    const LONGEST: usize = 31;
    pub const EMPTY: Path = Path { length: 0, moves: [Move::ALL[0]; Path::LONGEST] };

    pub fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.length)]
    }

    pub fn then(mut self, m: Move) -> Path {
        self.moves[usize::from(self.length)] = m;
        Path { length: self.length + 1, ..self }
    }
}
