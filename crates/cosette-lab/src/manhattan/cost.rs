//! How many moves a single cubie needs.

use crate::space::generators;
use cosette::cube::{Corner, Cube, Edge, Metric};

/// For each slot, cubie and orientation the least cost of moves that bring the cubie home, untwisted or unflipped.
#[derive(Clone, Debug)]
pub struct CubieCosts {
    corners: [[[u8; 3]; Corner::COUNT]; Corner::COUNT],
    edges: [[[u8; 2]; Edge::COUNT]; Edge::COUNT],
}

const UNREACHED: u8 = u8::MAX;

impl CubieCosts {
    /// Computes them by breadth-first search over the 24 states of each cubie.
    pub fn new(metric: Metric) -> CubieCosts {
        let mut costs = CubieCosts { corners: [[[UNREACHED; 3]; 8]; 8], edges: [[[UNREACHED; 2]; 12]; 12] };
        for cubie in Corner::ALL {
            spread(
                &mut costs.corners.each_mut().map(|slot| &mut slot[cubie.index()]),
                cubie.index(),
                metric,
                |m, slot| {
                    let (from, twist) = m.corner(Corner::ALL[slot]);
                    (from.index(), twist)
                },
            );
        }
        for cubie in Edge::ALL {
            spread(
                &mut costs.edges.each_mut().map(|slot| &mut slot[cubie.index()]),
                cubie.index(),
                metric,
                |m, slot| {
                    let (from, flip) = m.edge(Edge::ALL[slot]);
                    (from.index(), flip)
                },
            );
        }
        costs
    }

    /// What the cubie in a corner slot costs.
    #[inline(always)]
    pub fn corner(&self, position: &Cube, slot: Corner) -> u8 {
        let (cubie, twist) = position.corner(slot);
        self.corners[slot.index()][cubie.index()][usize::from(twist)]
    }

    /// What the cubie in an edge slot costs.
    #[inline(always)]
    pub fn edge(&self, position: &Cube, slot: Edge) -> u8 {
        let (cubie, flip) = position.edge(slot);
        self.edges[slot.index()][cubie.index()][usize::from(flip)]
    }

    /// The costs of a corner cubie in its 24 states.
    pub fn of_corner(&self, cubie: Corner) -> Vec<u8> {
        self.corners.iter().flat_map(|slot| slot[cubie.index()]).collect()
    }

    /// The costs of an edge cubie in its 24 states.
    pub fn of_edge(&self, cubie: Edge) -> Vec<u8> {
        self.edges.iter().flat_map(|slot| slot[cubie.index()]).collect()
    }
}

/// Fills in the costs of one cubie: `costs[slot][orientation]`. `source` names the slot from which a position brings a cubie
/// to a slot, and how that turns the cubie.
fn spread<const TURNS: usize, const SLOTS: usize>(
    costs: &mut [&mut [u8; TURNS]; SLOTS],
    home: usize,
    metric: Metric,
    source: impl Fn(&Cube, usize) -> (usize, u8),
) {
    costs[home][0] = 0;
    let mut level = vec![(home, 0)];
    for cost in 1.. {
        let mut next = Vec::new();
        for &(here, orientation) in &level {
            for m in generators(metric) {
                for (there, costs) in costs.iter_mut().enumerate() {
                    let (from, turn) = source(Cube::of_move(m), there);
                    let turned = (orientation + usize::from(turn)) % TURNS;
                    if from == here && costs[turned] == UNREACHED {
                        costs[turned] = cost;
                        next.push((there, turned));
                    }
                }
            }
        }
        if next.is_empty() {
            return;
        }
        level = next;
    }
}
