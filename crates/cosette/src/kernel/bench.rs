//! The operations of the kernels one by one, for `benches/kernels.rs`. Not part of the API.

use super::Instructions;
use super::operations::{Kernel, Queue, SLACK, TableEntries, Work};
use crate::coord::{EdgeMap, EdgePainting, Layout, PLACEMENTS, VALUES, edge_conjugations};
use crate::cube::{Cube, Move, random_positions};
use std::hint::black_box;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Compose,
    OtherSide,
    Child,
    Locate,
    Mark,
}

/// Number of positions that an operation is applied to.
const POSITIONS: usize = 512;

/// Room for the paintings of all neighbors on the other side.
const ROOM: usize = 6 * POSITIONS + SLACK + 1;

/// Random positions, their paintings, and room for results.
pub struct Sample {
    positions: Vec<Cube>,
    edges: Vec<EdgePainting>,
    map: EdgeMap,
    queue: Box<Queue<ROOM>>,
    bitmap: Vec<u64>,
}

/// The layout of the table 1.5G.
const LAYOUT: Layout = Layout::new(6);

impl Default for Sample {
    fn default() -> Sample {
        let positions: Vec<Cube> = random_positions(1).take(POSITIONS).collect();
        Sample {
            edges: positions.iter().map(EdgePainting::of).collect(),
            map: edge_conjugations()[29].then(&positions[0]),
            queue: Box::new(Queue::EMPTY),
            bitmap: vec![0; (PLACEMENTS << LAYOUT.kept_flips).div_ceil(64)],
            positions,
        }
    }
}

impl Operation {
    pub const ALL: [Operation; 5] = [
        Operation::Compose,
        Operation::OtherSide,
        Operation::Child,
        Operation::Locate,
        Operation::Mark,
    ];

    /// Returns the number of results of [`Self::run`]: of products, paintings, addresses or marks.
    pub const fn results(self) -> u64 {
        match self {
            Operation::OtherSide => 6 * POSITIONS as u64,
            _ => POSITIONS as u64,
        }
    }

    pub fn run(self, instructions: Instructions, sample: &mut Sample) {
        instructions.run(SampleRun {
            operation: self,
            sample,
        });
    }
}

struct SampleRun<'a> {
    operation: Operation,
    sample: &'a mut Sample,
}

impl Work for SampleRun<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Sample {
            positions,
            edges,
            map,
            queue,
            bitmap,
        } = self.sample;
        match self.operation {
            Operation::Compose => {
                for position in &*positions {
                    black_box(kernel.compose(position, &positions[0]));
                }
            }
            Operation::OtherSide => {
                queue.clear();
                for position in &*positions {
                    kernel.queue_other_side(position, 0b111111, queue);
                }
            }
            Operation::Child => {
                queue.clear();
                kernel.queue_children(
                    positions
                        .iter()
                        .enumerate()
                        .map(|(i, p)| (p, Move::ALL[i % Move::COUNT])),
                    queue,
                );
            }
            // Locates the paintings that were queued last: the children.
            Operation::Locate => kernel.locate(
                queue,
                &TableEntries {
                    words: &[],
                    layout: LAYOUT,
                    values: &[0; VALUES],
                },
            ),
            Operation::Mark => kernel.mark(map, edges, LAYOUT, bitmap),
        }
    }
}
