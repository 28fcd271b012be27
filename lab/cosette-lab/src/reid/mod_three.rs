//! The other way to store the distances: modulo three, in two bits each.
//!
//! Neighbours differ by one at most, so the distance of a child follows from that of its parent and the entry modulo
//! three. The distance of the first position is rebuilt by descent: as long as the target is not reached there is a
//! neighbour whose entry is one less modulo three, and it is one nearer.
//!
//! ```text
//! distance(coset) = 0 if it is the target, else 1 + distance(a neighbour whose entry is one less modulo three)
//! ```
//!
//! In the quarter-turn metric a half turn may change a distance by two. It is followed as two quarter turns, with an
//! access to the table for each.

use super::bound::Node;
use super::view::{Lookup, View, Views};
use crate::ida::LowerBound;
use crate::packed::ModThree;
use crate::space::generators;
use cosette::cube::{Cube, Metric, Move, Turn};

/// The lower bound read from distances modulo three.
pub struct ModThreeBound {
    lookup: &'static Lookup,
    table: ModThree,
    metric: Metric,
    pub(super) raises_equal: bool,
}

impl ModThreeBound {
    /// The bound by this table, which is that of `metric`; whether three equal distances count as one more.
    pub fn new(table: ModThree, metric: Metric, raises_equal: bool) -> ModThreeBound {
        ModThreeBound { lookup: Lookup::get(), table, metric, raises_equal }
    }

    fn at(&self, view: View) -> u8 {
        self.table.get(self.lookup.entry(view))
    }

    /// The distance of the view along an axis, by descent to the target.
    fn descend(&self, mut views: Views, axis: usize) -> u8 {
        let target = self.lookup.entry(self.lookup.views(&Cube::SOLVED)[axis]);
        let mut distance = 0;
        while self.lookup.entry(views[axis]) != target {
            let nearer = (self.at(views[axis]) + 2) % 3;
            let after = |m: Move| self.lookup.view_turned(&views, axis, m);
            let next = generators(self.metric).into_iter().map(after).find(|&view| self.at(view) == nearer);
            views[axis] = next.expect("a coset other than the target has a neighbour that is nearer");
            distance += 1;
        }
        distance
    }

    /// The node after a move that costs one.
    #[inline(always)]
    fn beside(&self, node: &Node, m: Move) -> Node {
        let views = self.lookup.turned(&node.views, m);
        let distance = |axis: usize| self.table.beside(node.distances[axis], self.lookup.entry(views[axis]));
        Node { views, distances: [distance(0), distance(1), distance(2)], probes: 3 }
    }
}

impl LowerBound for ModThreeBound {
    type Node = Node;

    fn node(&self, position: &Cube) -> Node {
        let views = self.lookup.views(position);
        Node { views, distances: [0, 1, 2].map(|axis| self.descend(views, axis)), probes: 3 }
    }

    #[inline(always)]
    fn turned(&self, node: &Node, m: Move) -> Node {
        if self.metric.cost(m) == 1 {
            return self.beside(node, m);
        }
        let quarter = Move::new(m.face(), Turn::Clockwise);
        Node { probes: 6, ..self.beside(&self.beside(node, quarter), quarter) }
    }

    #[inline(always)]
    fn bound(&self, node: &Node, _remaining: u8, probes: &mut u64) -> u8 {
        *probes += u64::from(node.probes);
        node.bound(self.raises_equal)
    }
}
