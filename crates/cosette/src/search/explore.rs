//! The loop that all time goes into: nodes by the batch, every line of the table prefetched.
//!
//! The pseudocode stands in the head of [`super`]. One stack serves a thread; it is fed with root tasks while it holds less
//! than a batch, so that the nodes in flight come from several tasks at once.

use super::iteration::Iteration;
use super::node::{ChildRemaining, Node, Side};
use super::probe::{Prober, Queue};
use crate::cube::{Cube, Metric, Move};
use crate::kernel::{Kernel, NEIGHBOURS, Work};

/// How many nodes are in flight: some 150 lines of the table on the way at once. Measured in ARCHITECTURE.md.
const BATCH: usize = 32;

/// The bits of the moves that are quarter turns, and those that are half turns.
const QUARTERS: u32 = 0b101_101_101_101_101_101;
const HALVES: u32 = 0b010_010_010_010_010_010;

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Nodes expanded: their children were generated, or pruned before they were.
    pub nodes: u64,
    /// Accesses to the table.
    pub probes: u64,
}

/// The search of one thread, with all its memory.
pub(super) struct Explorer {
    stack: Vec<Node>,
    batch: Vec<Expansion>,
    across: Queue<{ BATCH * NEIGHBOURS }>,
    ahead: Queue<{ BATCH * Move::COUNT }>,
    /// For the entries ahead: which expansion of the batch, and which move.
    children: [(u8, Move); BATCH * Move::COUNT],
    pub counts: Counts,
}

/// A node of the batch while it is expanded.
#[derive(Clone, Copy)]
struct Expansion {
    node: Node,
    side: Side,
    /// The moves still possible, as bits.
    moves: u32,
    /// The bounds of the other side after the quarter turns of each face.
    across: [u8; 6],
}

impl Explorer {
    pub fn new() -> Explorer {
        Explorer {
            stack: Vec::new(),
            batch: Vec::with_capacity(BATCH),
            across: Queue::EMPTY,
            ahead: Queue::EMPTY,
            children: [(0, Move::ALL[0]); BATCH * Move::COUNT],
            counts: Counts::default(),
        }
    }
}

/// Searches root tasks of an iteration until there are none left.
pub(super) struct Explore<'a> {
    pub explorer: &'a mut Explorer,
    pub iteration: &'a Iteration<'a>,
}

impl Work for Explore<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Explore { explorer, iteration } = self;
        let context = Context { prober: Prober { kernel, table: iteration.table() }, metric: iteration.metric() };
        explorer.stack.clear();
        explorer.counts = Counts::default();
        while !iteration.is_stopped() {
            while explorer.stack.len() < BATCH
                && let Some(task) = iteration.next_task()
            {
                explorer.stack.push(task);
            }
            if explorer.stack.is_empty() {
                break;
            }
            context.take_batch(explorer, iteration);
            context.look_across(explorer);
            context.cut_and_look_ahead(explorer);
            context.push_survivors(explorer, iteration);
        }
    }
}

/// What the steps of the loop share.
#[derive(Clone, Copy)]
struct Context<'a, K> {
    prober: Prober<'a, K>,
    metric: Metric,
}

impl<K: Kernel> Context<'_, K> {
    /// Takes the next nodes from the stack and decides for each on which side to expand it.
    #[inline(always)]
    fn take_batch(&self, explorer: &mut Explorer, iteration: &Iteration<'_>) {
        explorer.batch.clear();
        let rest = explorer.stack.len().saturating_sub(BATCH);
        for node in &explorer.stack[rest..] {
            if node.remaining > 0 {
                let (side, moves) = self.choose_side(node);
                explorer.batch.push(Expansion { node: *node, side, moves, across: [0; 6] });
            } else if node.cube(Side::Position).is_solved() {
                iteration.found(node);
            }
        }
        explorer.stack.truncate(rest);
        explorer.counts.nodes += explorer.batch.len() as u64;
    }

    /// The side with fewer moves left, or with the larger bound among equals, and its moves.
    ///
    /// A half turn on one side leaves the coset of the other as it is. So where the other side's bound exceeds what would
    /// remain after a half turn, only quarter turns are left.
    #[inline(always)]
    fn choose_side(&self, node: &Node) -> (Side, u32) {
        let remaining = ChildRemaining::of(node.remaining, self.metric);
        let [front, back] = [Side::Position, Side::Inverse].map(|side| {
            let tight = node.bound(side.other()) as i8 > remaining.half;
            node.followers(side) & if tight { QUARTERS } else { QUARTERS | HALVES }
        });
        let rank = |moves: u32, side: Side| (moves.count_ones() << 8) + u32::from(31 - node.bound(side));
        if rank(front, Side::Position) <= rank(back, Side::Inverse) {
            (Side::Position, front)
        } else {
            (Side::Inverse, back)
        }
    }

    /// Queues the cosets across: one for both quarter turns of each face that may turn.
    #[inline(always)]
    fn look_across(&self, explorer: &mut Explorer) {
        let Explorer { batch, across, counts, .. } = explorer;
        across.clear();
        let edges = across.paintings.edges.as_chunks_mut().0.iter_mut();
        let corners = across.paintings.corners.as_chunks_mut().0.iter_mut();
        for (expansion, (edges, corners)) in batch.iter().zip(edges.zip(corners)) {
            self.prober.kernel.across(expansion.node.cube(expansion.side.other()), edges, corners);
            for &corners in corners.iter().take(6) {
                self.prober.kernel.prefetch_class(corners);
            }
        }
        for (number, expansion) in batch.iter().enumerate() {
            for face in 0..6 {
                across.push_if(NEIGHBOURS * number + face, expansion.moves >> (3 * face) & 1 == 1);
            }
        }
        counts.probes += across.len() as u64;
        self.prober.locate(across);
    }

    /// Reads the bounds across, drops what they rule out, and queues the cosets ahead of the moves that are left.
    #[inline(always)]
    fn cut_and_look_ahead(&self, explorer: &mut Explorer) {
        let Explorer { batch, across: queue, ahead, children, counts, .. } = explorer;
        let mut read = 0;
        for expansion in batch.iter_mut() {
            let remaining = ChildRemaining::of(expansion.node.remaining, self.metric);
            let mut highest = 0;
            let mut moves = expansion.moves;
            for face in 0..6 {
                let allowed = expansion.moves >> (3 * face) & 1;
                if allowed == 0 {
                    continue;
                }
                let across = self.prober.bound(queue, read);
                read += 1;
                expansion.across[face] = across;
                highest = across.max(highest);
                if across as i8 > remaining.quarter {
                    moves &= !(0b101 << (3 * face));
                }
                if across as i8 - 1 > remaining.half {
                    moves &= !(0b010 << (3 * face));
                }
            }
            // A neighbour at distance u puts the node itself at u − 1 at least.
            let too_far = highest > expansion.node.remaining + 1;
            expansion.moves = if too_far { 0 } else { moves };
        }
        ahead.clear();
        for (number, expansion) in batch.iter().enumerate() {
            let cube = expansion.node.cube(expansion.side);
            let mut moves = expansion.moves;
            while moves != 0 {
                let m = Move::from_index(moves.trailing_zeros() as usize);
                moves &= moves - 1;
                let child = ahead.len();
                let corners = self.prober.kernel.ahead(cube, m, &mut ahead.paintings.edges[child]);
                ahead.paintings.corners[child] = corners;
                self.prober.kernel.prefetch_class(corners);
                children[child] = (number as u8, m);
                ahead.push_if(child, true);
            }
        }
        counts.probes += ahead.len() as u64;
        self.prober.locate(ahead);
    }

    /// Reads the bounds ahead and pushes the children that may still be solved in time.
    #[inline(always)]
    fn push_survivors(&self, explorer: &mut Explorer, iteration: &Iteration<'_>) {
        let Explorer { stack, batch, ahead: queue, children, .. } = explorer;
        for (read, &(number, m)) in children[..queue.len()].iter().enumerate() {
            let expansion = &batch[usize::from(number)];
            let node = &expansion.node;
            let remaining = ChildRemaining::of(node.remaining, self.metric).after(m);
            let ahead = self.prober.bound(queue, read);
            if ahead as i8 > remaining {
                continue;
            }
            let side = expansion.side;
            let across = if m.is_half_turn() { node.bound(side.other()) } else { expansion.across[m.face().index()] };
            let own = self.prober.kernel.compose(node.cube(side), Cube::of_move(m));
            let other = self.prober.kernel.compose(Cube::of_move(!m), node.cube(side.other()));
            let (cubes, bounds) = match side {
                Side::Position => ([own, other], [ahead, across]),
                Side::Inverse => ([other, own], [across, ahead]),
            };
            iteration.add_evidence(node.task, ahead);
            stack.push(node.child(side, m, cubes, bounds, remaining as u8));
        }
    }
}
