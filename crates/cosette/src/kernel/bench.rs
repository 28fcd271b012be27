//! The operations of the kernels one by one, for `benches/kernels.rs`. No part of the API.

use super::{Instructions, Kernel, NEIGHBOURS, Paintings, Work};
use crate::coord::{
    CornerPainting, ENTRIES_PER_LINE, EdgeMap, EdgePainting, Layout, PLACEMENTS, Place, edge_conjugations,
};
use crate::cube::{Cube, Move, random_positions};
use std::hint::black_box;

/// An operation of the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Compose,
    Across,
    Ahead,
    Places,
    Mark,
}

/// How many positions an operation is done on.
const POSITIONS: usize = 512;

/// Random positions, their paintings, and room for results.
pub struct Sample {
    positions: Vec<Cube>,
    edges: Vec<EdgePainting>,
    corners: Vec<u32>,
    bits: Vec<u64>,
    map: EdgeMap,
    bitmap: Vec<u64>,
}

/// The layout of the table 2G.
const LAYOUT: Layout = Layout { kept_flips: 6, lines_per_class: ((PLACEMENTS << 6) as u32).div_ceil(ENTRIES_PER_LINE) };

impl Sample {
    pub fn new() -> Sample {
        let positions: Vec<Cube> = random_positions(1).take(POSITIONS).collect();
        let edges: Vec<EdgePainting> = positions.iter().map(EdgePainting::of).collect();
        Sample {
            corners: positions.iter().map(|position| CornerPainting::of(position).coordinate()).collect(),
            bits: edges.iter().map(|edges| edges.to_bits()).collect(),
            map: edge_conjugations()[29].then(&positions[0]),
            bitmap: vec![0; (PLACEMENTS << LAYOUT.kept_flips).div_ceil(64)],
            positions,
            edges,
        }
    }
}

impl Default for Sample {
    fn default() -> Sample {
        Sample::new()
    }
}

impl Operation {
    pub const ALL: [Operation; 5] =
        [Operation::Compose, Operation::Across, Operation::Ahead, Operation::Places, Operation::Mark];

    pub const fn name(self) -> &'static str {
        match self {
            Operation::Compose => "compose",
            Operation::Across => "across",
            Operation::Ahead => "ahead",
            Operation::Places => "places",
            Operation::Mark => "mark",
        }
    }

    /// How many results [`Self::run`] computes: products, paintings, places or marks.
    pub const fn results(self) -> u64 {
        match self {
            Operation::Across => 6 * POSITIONS as u64,
            _ => POSITIONS as u64,
        }
    }

    /// Does it on all of the sample.
    pub fn run(self, instructions: Instructions, sample: &mut Sample) {
        instructions.run(Run { operation: self, sample });
    }
}

struct Run<'a> {
    operation: Operation,
    sample: &'a mut Sample,
}

impl Work for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Sample { positions, edges, corners, bits, map, bitmap } = self.sample;
        match self.operation {
            Operation::Compose => {
                for position in &*positions {
                    black_box(kernel.compose(position, &positions[0]));
                }
            }
            Operation::Across => {
                let mut across = Paintings::<NEIGHBOURS>::EMPTY;
                for position in &*positions {
                    kernel.across(position, &mut across.edges, &mut across.corners);
                    black_box(&mut across);
                }
            }
            Operation::Ahead => {
                let mut edges = EdgePainting([0; 16]);
                for (position, m) in positions.iter().zip(Move::ALL.into_iter().cycle()) {
                    black_box(kernel.ahead(position, m, &mut edges));
                    black_box(&mut edges);
                }
            }
            Operation::Places => {
                let pairs = edges.as_chunks().0.iter().zip(corners.as_chunks().0);
                for ([first, second], &corners) in pairs {
                    // SAFETY: both are paintings of positions.
                    let places: [Place; 2] = unsafe { kernel.places([first, second], corners, LAYOUT) };
                    black_box(places);
                }
            }
            // SAFETY: all are paintings of positions.
            Operation::Mark => unsafe { kernel.mark(map, bits, LAYOUT, bitmap) },
        }
    }
}
