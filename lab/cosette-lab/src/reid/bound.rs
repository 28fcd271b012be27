//! The lower bound: the largest of the distances along three axes.
//!
//! Three equal distances x, x, x other than zero prove x + 1. Say the last move of a shortest solution turns a face of some
//! axis. The target subgroup of that axis contains the move, so the position before it lies in that subgroup already, and
//! the distance along that axis is less than the length of the solution. This holds in both metrics.

use super::view::{Lookup, Views};
use crate::ida::{LowerBound, Open};
use crate::packed::FourBits;
use cosette::cube::{Cube, Metric, Move};

/// What a search carries of a position.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Its views along the three axes.
    pub views: Views,
    /// Their distances.
    pub distances: [u8; 3],
    /// How many accesses to the table they took.
    pub probes: u8,
}

impl Node {
    /// The bound that three distances prove.
    #[inline(always)]
    pub fn bound(&self, raises_equal: bool) -> u8 {
        let [a, b, c] = self.distances;
        a.max(b).max(c) + u8::from(raises_equal && a == b && b == c && a > 0)
    }

    /// The axis with the largest distance (0), with that in the middle (1), with the smallest (2).
    #[inline(always)]
    fn axis_by_distance(&self, nth: usize) -> usize {
        let mut axes = [0, 1, 2];
        axes.sort_unstable_by_key(|&axis| std::cmp::Reverse(self.distances[axis]));
        axes[nth]
    }
}

/// The lower bound read from distances of four bits.
pub struct FourBitBound {
    lookup: &'static Lookup,
    table: FourBits,
    pub(super) raises_equal: bool,
}

impl FourBitBound {
    /// The bound by this table; whether three equal distances count as one more.
    pub fn new(table: FourBits, raises_equal: bool) -> FourBitBound {
        FourBitBound { lookup: Lookup::get(), table, raises_equal }
    }

    /// The table.
    pub fn table(&self) -> &FourBits {
        &self.table
    }

    #[inline(always)]
    fn looked_up(&self, views: Views) -> Node {
        let distances = views.map(|view| self.table.get(self.lookup.entry(view)));
        Node { views, distances, probes: 3 }
    }
}

impl LowerBound for FourBitBound {
    type Node = Node;

    fn node(&self, position: &Cube) -> Node {
        self.looked_up(self.lookup.views(position))
    }

    #[inline(always)]
    fn turned(&self, node: &Node, m: Move) -> Node {
        self.looked_up(self.lookup.turned(&node.views, m))
    }

    #[inline(always)]
    fn bound(&self, node: &Node, _remaining: u8, probes: &mut u64) -> u8 {
        *probes += u64::from(node.probes);
        node.bound(self.raises_equal)
    }

    /// Looks up axis by axis, that with the largest distance first, for all moves of all nodes that have survived so far:
    /// no read waits for the one before.
    fn prune(&self, nodes: &mut [Open<Node>], metric: Metric, probes: &mut u64) {
        for nth in 0..3 {
            for open in &mut *nodes {
                *probes += u64::from(open.moves.bits().count_ones());
                let (node, remaining, axis) = (open.node, open.remaining, open.node.axis_by_distance(nth));
                open.moves = open.moves.filter(|m| {
                    let view = self.lookup.view_turned(&node.views, axis, m);
                    self.table.get(self.lookup.entry(view)) <= remaining - metric.cost(m)
                });
            }
        }
        if self.raises_equal {
            for open in nodes {
                let (node, remaining) = (open.node, open.remaining);
                open.moves = open.moves.filter(|m| self.turned(&node, m).bound(true) <= remaining - metric.cost(m));
            }
        }
    }
}
