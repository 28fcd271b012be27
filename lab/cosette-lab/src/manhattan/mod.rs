//! Bounds of the Manhattan type (Korf 1997, section 3.1), and the tree that they are to prune
//! (section 3, Table 1).
//!
//! # Theory
//!
//! The Manhattan distance of the sliding-tile puzzles counts for each tile the moves it needs
//! alone. Likewise for each cubie of the cube: the minimum number of moves that solve it, in its
//! slot and orientation, regardless of the others. One move carries eight cubies, four corners and
//! four edges, so the sum of all these counts is divided by eight; or those of the corners and
//! those of the edges are each divided by four, and the larger is taken. The edges alone are nearly
//! as good, for there are twelve of them and only eight corners. (The paper misprints that: "8 edge
//! cubies and 12 corner cubies".) All are lower bounds:
//!
//! ```text
//! a move of cost c lowers the count of a cubie that it carries by c at most, and that of the others not at all;
//! it carries four corners and four edges, so it lowers the sum of the corners by 4 c at most, and so that of the edges
//! ```
//!
//! so a position with the sum s takes ⌈s ÷ 4⌉ moves at least.

mod experiment;

pub use experiment::{branching_factor, manhattan, nodes};

use crate::ida::{IdaEngine, LowerBound};
use crate::pieces::{corners_of, edges_of};
use crate::space::{UNREACHED, generators};
use cosette::cube::{Corner, Cube, Edge, Metric, Move};

/// The way in which the sums are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumCombination {
    /// Only a test for the solved position.
    BruteForce,
    /// The sum over all cubies ÷ 8.
    AllCubies,
    /// The larger of the sum over the corners ÷ 4 and the sum over the edges ÷ 4.
    Larger,
    /// The sum over the edges ÷ 4.
    Edges,
}

impl SumCombination {
    /// All heuristics.
    pub const ALL: [SumCombination; 4] = [
        SumCombination::BruteForce,
        SumCombination::AllCubies,
        SumCombination::Larger,
        SumCombination::Edges,
    ];

    /// Returns a short description.
    pub const fn name(self) -> &'static str {
        match self {
            SumCombination::BruteForce => "brute force",
            SumCombination::AllCubies => "all cubies ÷ 8",
            SumCombination::Larger => "larger of corners and edges ÷ 4",
            SumCombination::Edges => "edges ÷ 4",
        }
    }

    /// The bound from the sums over the corners and over the edges, as a quotient that is not
    /// rounded.
    pub const fn quotient(self, corners: u8, edges: u8) -> (u8, u8) {
        match self {
            SumCombination::BruteForce => (if corners + edges == 0 { 0 } else { 1 }, 1),
            SumCombination::AllCubies => (corners + edges, 8),
            SumCombination::Larger => (if corners > edges { corners } else { edges }, 4),
            SumCombination::Edges => (edges, 4),
        }
    }
}

/// A position with the sums over its corners and its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManhattanNode {
    /// The position.
    pub position: Cube,
    /// The sum over the corners, 0 to 24 (HTM).
    pub corners: u8,
    /// The sum over the edges, 0 to 36 (HTM).
    pub edges: u8,
}

/// A bound of the Manhattan type; as an engine, IDA* with it.
#[derive(Clone, Debug)]
pub struct Manhattan {
    heuristic: SumCombination,
    metric: Metric,
    costs: CubieCosts,
}

impl Manhattan {
    /// The bound in a metric.
    pub fn new(heuristic: SumCombination, metric: Metric) -> Manhattan {
        Manhattan {
            heuristic,
            metric,
            costs: CubieCosts::new(metric),
        }
    }
}

impl LowerBound for Manhattan {
    type Node = ManhattanNode;

    #[inline]
    fn node(&self, position: &Cube) -> ManhattanNode {
        let corner = |slot| self.costs.corner(position, slot);
        let edge = |slot| self.costs.edge(position, slot);
        ManhattanNode {
            position: *position,
            corners: Corner::ALL.into_iter().map(corner).sum(),
            edges: Edge::ALL.into_iter().map(edge).sum(),
        }
    }

    #[inline]
    fn turned(&self, node: &ManhattanNode, m: Move) -> ManhattanNode {
        self.node(&node.position.apply(m))
    }

    #[inline]
    fn bound(&self, node: &ManhattanNode, _remaining: u8, _probes: &mut u64) -> u8 {
        let (sum, divisor) = self.heuristic.quotient(node.corners, node.edges);
        sum.div_ceil(divisor)
    }
}

impl IdaEngine for Manhattan {
    type Bound = Manhattan;

    fn name(&self) -> &'static str {
        "manhattan"
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn tables(&self) -> String {
        self.heuristic.name().into()
    }

    fn lower_bound(&self) -> &Manhattan {
        self
    }
}

/// For each slot, and each cubie and orientation in it, the minimum cost of moves that solve the
/// cubie.
#[derive(Clone, Debug)]
pub struct CubieCosts {
    corners: [[u8; 24]; Corner::COUNT],
    edges: [[u8; 24]; Edge::COUNT],
}

impl CubieCosts {
    /// Computes the costs by breadth-first search over the 24 states of each cubie.
    pub fn new(metric: Metric) -> CubieCosts {
        let moves: Vec<&Cube> = generators(metric)
            .into_iter()
            .map(Cube::from_move)
            .collect();
        CubieCosts {
            corners: spread(&moves.iter().map(|m| corners_of(m)).collect::<Vec<_>>(), 3),
            edges: spread(&moves.iter().map(|m| edges_of(m)).collect::<Vec<_>>(), 2),
        }
    }

    /// Returns the cost of the cubie in a corner slot.
    #[inline(always)]
    pub fn corner(&self, position: &Cube, slot: Corner) -> u8 {
        let (cubie, twist) = position.corner(slot);
        self.corners[slot.index()][cubie.index() + Corner::COUNT * usize::from(twist)]
    }

    /// Returns the cost of the cubie in an edge slot.
    #[inline(always)]
    pub fn edge(&self, position: &Cube, slot: Edge) -> u8 {
        let (cubie, flip) = position.edge(slot);
        self.edges[slot.index()][cubie.index() + Edge::COUNT * usize::from(flip)]
    }

    /// The costs of a corner cubie in its 24 states.
    pub fn of_corner(&self, cubie: Corner) -> Vec<u8> {
        self.corners
            .iter()
            .flat_map(|slot| slot.iter().skip(cubie.index()).step_by(Corner::COUNT))
            .copied()
            .collect()
    }

    /// The costs of an edge cubie in its 24 states.
    pub fn of_edge(&self, cubie: Edge) -> Vec<u8> {
        self.edges
            .iter()
            .flat_map(|slot| slot.iter().skip(cubie.index()).step_by(Edge::COUNT))
            .copied()
            .collect()
    }
}

/// Computes the costs of the corners, or of the edges. The arrangement after a move from the solved
/// cube gives, for each slot, the slot of its cubie, plus its orientation times the number of
/// slots.
fn spread<const SLOTS: usize>(moves: &[[u8; SLOTS]], turns: usize) -> [[u8; 24]; SLOTS] {
    let mut costs = [[UNREACHED; 24]; SLOTS];
    for (home, of_slot) in costs.iter_mut().enumerate() {
        of_slot[home] = 0;
    }
    for cost in 0.. {
        let mut has_new = false;
        for (there, &from) in moves.iter().flat_map(|m| m.iter().enumerate()) {
            let turn = usize::from(from) / SLOTS;
            for state in 0..24 {
                let turned = (state / SLOTS + turn) % turns;
                let is_next = costs[usize::from(from) % SLOTS][state] == cost;
                let known = &mut costs[there][state % SLOTS + SLOTS * turned];
                if is_next && *known == UNREACHED {
                    *known = cost + 1;
                    has_new = true;
                }
            }
        }
        if !has_new {
            break;
        }
    }
    costs
}
