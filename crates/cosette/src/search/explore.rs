//! The loop that all time goes into: nodes by the batch, every line of the table prefetched.
//!
//! The pseudocode stands in the head of [`super`]. One stack serves a thread; it is fed with root tasks while it holds less
//! than a batch, so that the nodes in flight come from several tasks at once.
//!
//! Half of what a processor could do is lost where it guesses branches wrong, and which bounds cut is nearly a coin toss.
//! So the steps of the loop do not branch on bounds: they look up what a bound rules out, and append to lists what is to
//! be kept by writing always and advancing only where it counts.

use super::iteration::Iteration;
use super::node::{Node, Side};
use super::probe::{Prober, Queue};
use crate::cube::{Cube, Metric, Move};
use crate::kernel::{Kernel, NEIGHBOURS, Work};

/// How many nodes are in flight: some 150 lines of the table on the way at once. Measured in ARCHITECTURE.md.
const BATCH: usize = 32;

/// Room for the cosets across: a byte numbers them, so that no index needs a look at the bounds.
const ACROSS: usize = BATCH * NEIGHBOURS;
const _: () = assert!(ACROSS == 256);

/// The bits of the moves that are quarter turns, and of those that are half turns.
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
    batch: Batch,
    across: Queue<ACROSS>,
    /// The cosets across that are probed, by their numbers in the queue.
    listed: [u8; ACROSS + 2],
    ahead: Queue<CHILDREN>,
    children: [Child; CHILDREN],
    children_length: usize,
    pub counts: Counts,
}

/// The nodes that are expanded together.
struct Batch {
    nodes: [Node; BATCH],
    /// The side each is expanded on.
    sides: [Side; BATCH],
    /// The moves still possible, as bits.
    moves: [u32; BATCH],
    /// The bounds of the other side: after the quarter turns of each face, and, in the place [`INHERITED`], after half
    /// turns.
    across: [[u8; NEIGHBOURS]; BATCH],
    length: usize,
}

const INHERITED: u8 = 6;

/// A move on a node of the batch.
#[derive(Clone, Copy)]
struct Child {
    node: u8,
    /// The number of the move.
    by: u8,
    bound: u8,
}

/// Room for the children of a batch, and for those written ahead that turn out not to exist.
const CHILDREN: usize = BATCH * Move::COUNT + WRITTEN_AHEAD;
const WRITTEN_AHEAD: usize = 4;

impl Explorer {
    pub fn new() -> Explorer {
        Explorer {
            stack: Vec::new(),
            batch: Batch {
                nodes: [Node::root(&Cube::SOLVED, [0; 2]); BATCH],
                sides: [Side::Position; BATCH],
                moves: [0; BATCH],
                across: [[0; NEIGHBOURS]; BATCH],
                length: 0,
            },
            across: Queue::EMPTY,
            listed: [0; ACROSS + 2],
            ahead: Queue::EMPTY,
            children: [Child { node: 0, by: 0, bound: 0 }; CHILDREN],
            children_length: 0,
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
        let rules = Rules::of(iteration.metric());
        let context = Context { prober: Prober { kernel, table: iteration.table() }, rules: &rules };
        explorer.stack.clear();
        while !iteration.is_stopped() {
            while explorer.stack.len() < BATCH
                && let Some(task) = iteration.next_task(kernel)
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

/// What bounds rule out, by what remains.
struct Rules {
    half_turn_cost: u8,
    costs: [u8; Move::COUNT],
    /// For what remains and a bound across: the moves of the face to drop, a bit each, and [`TOO_FAR`].
    dropped: [[u8; 16]; 32],
    /// For each move, where the bound across stands in [`Batch::across`].
    bound_across: [u8; Move::COUNT],
}

/// A neighbour is so far from solved that the node itself cannot be solved in time.
const TOO_FAR: u8 = 0b1000;

impl Rules {
    fn of(metric: Metric) -> Rules {
        let half_turn_cost = metric.half_turn_cost();
        let dropped = |remaining: u8, bound: u8| {
            let quarters = if bound + 1 > remaining { 0b101 } else { 0 };
            let half = if bound + half_turn_cost > remaining + 1 { 0b010 } else { 0 };
            let too_far = if bound > remaining + 1 { TOO_FAR } else { 0 };
            quarters | half | too_far
        };
        let bound_across = |m: Move| if m.is_half_turn() { INHERITED } else { m.face().index() as u8 };
        Rules {
            half_turn_cost,
            costs: Move::ALL.map(|m| metric.cost(m)),
            dropped: std::array::from_fn(|remaining| {
                std::array::from_fn(|bound| dropped(remaining as u8, bound as u8))
            }),
            bound_across: Move::ALL.map(bound_across),
        }
    }

    /// What remains after a half turn; negative where none is left.
    #[inline(always)]
    fn after_half_turn(&self, remaining: u8) -> i8 {
        remaining as i8 - self.half_turn_cost as i8
    }

    /// What remains after a move; negative where it is not left.
    #[inline(always)]
    fn after(&self, by: u8, remaining: u8) -> i8 {
        remaining as i8 - self.costs[usize::from(by)] as i8
    }
}

/// What the steps of the loop share.
#[derive(Clone, Copy)]
struct Context<'a, K> {
    prober: Prober<'a, K>,
    rules: &'a Rules,
}

impl<K: Kernel> Context<'_, K> {
    /// Takes the next nodes from the stack and decides for each on which side to expand it.
    #[inline(always)]
    fn take_batch(&self, explorer: &mut Explorer, iteration: &Iteration<'_>) {
        let Explorer { stack, batch, counts, .. } = explorer;
        let rest = stack.len().saturating_sub(BATCH);
        batch.length = 0;
        for node in &stack[rest..] {
            if node.remaining > 0 {
                let (side, moves) = self.choose_side(node);
                let at = batch.length;
                (batch.nodes[at], batch.sides[at], batch.moves[at]) = (*node, side, moves);
                batch.length += 1;
            } else if node.cube(Side::Position).is_solved() {
                iteration.found(node);
            }
        }
        stack.truncate(rest);
        counts.nodes += batch.length as u64;
    }

    /// The side with fewer moves left, or with the larger bound among equals, and its moves.
    ///
    /// A half turn on one side leaves the coset of the other as it is. So where the other side's bound exceeds what would
    /// remain after a half turn, only quarter turns are left.
    #[inline(always)]
    fn choose_side(&self, node: &Node) -> (Side, u32) {
        let after_half_turn = self.rules.after_half_turn(node.remaining);
        let moves = Side::BOTH.map(|side| {
            let tight = u32::from(node.bound(side.other()) as i8 > after_half_turn);
            node.followers(side) & (QUARTERS | HALVES & tight.wrapping_sub(1))
        });
        let [front, back] =
            Side::BOTH.map(|side| (moves[side as usize].count_ones() << 8) - u32::from(node.bound(side)));
        let side = Side::BOTH[usize::from(back < front)];
        (side, moves[side as usize])
    }

    /// Queues the cosets across: one for both quarter turns of each face that may turn.
    #[inline(always)]
    fn look_across(&self, explorer: &mut Explorer) {
        let Explorer { batch, across, listed, counts, .. } = explorer;
        across.clear();
        let edges = across.paintings.edges.as_chunks_mut().0.iter_mut();
        let corners = across.paintings.corners.as_chunks_mut().0.iter_mut();
        let mut length = 0;
        for (number, (edges, corners)) in edges.zip(corners).enumerate().take(batch.length) {
            self.prober.kernel.across(batch.nodes[number].cube(batch.sides[number].other()), edges, corners);
            for (face, &corners) in corners[..6].iter().enumerate() {
                self.prober.kernel.prefetch_class(corners);
                listed[length] = (NEIGHBOURS * number + face) as u8;
                length += (batch.moves[number] >> (3 * face) & 1) as usize;
            }
        }
        counts.probes += length as u64;
        // An odd one out is paired with whatever was listed there before: that too is a painting of this queue.
        for pair in listed.chunks_exact(2).take(length.div_ceil(2)) {
            self.prober.locate(across, [usize::from(pair[0]), usize::from(pair[1])]);
        }
    }

    /// Reads the bounds across, drops what they rule out, and queues the cosets ahead of the moves that are left.
    #[inline(always)]
    fn cut_and_look_ahead(&self, explorer: &mut Explorer) {
        let Explorer { batch, across, ahead, children, .. } = explorer;
        let mut length = 0;
        for number in 0..batch.length {
            let node = &batch.nodes[number];
            let rules = &self.rules.dropped[usize::from(node.remaining) % 32];
            let bounds = &mut batch.across[number];
            let moves = batch.moves[number];
            let (mut dropped, mut too_far) = (0, 0);
            for (face, bound) in bounds[..6].iter_mut().enumerate() {
                *bound = self.prober.bound(across, NEIGHBOURS * number + face);
                let rule = u32::from(rules[usize::from(*bound) % 16]);
                dropped |= (rule & 0b111) << (3 * face);
                // Faces that may not turn were not probed: what is read for them means nothing.
                too_far |= rule & (moves << TOO_FAR.trailing_zeros()) >> (3 * face);
            }
            bounds[usize::from(INHERITED)] = node.bound(batch.sides[number].other());
            let kept = u32::from(too_far & u32::from(TOO_FAR) != 0).wrapping_sub(1);
            let mut moves = moves & !dropped & kept;
            let count = moves.count_ones() as usize;
            for child in 0..count.max(WRITTEN_AHEAD) {
                children[length + child] = Child { node: number as u8, by: moves.trailing_zeros() as u8, bound: 0 };
                moves &= moves.wrapping_sub(1);
            }
            length += count;
        }
        for (number, child) in children[..length].iter().enumerate() {
            let node = usize::from(child.node) % BATCH;
            let cube = batch.nodes[node].cube(batch.sides[node]);
            let edges = &mut ahead.paintings.edges[number];
            let corners = self.prober.kernel.ahead(cube, Move::from_index(usize::from(child.by)), edges);
            ahead.paintings.corners[number] = corners;
            self.prober.kernel.prefetch_class(corners);
        }
        for first in (0..length).step_by(2) {
            self.prober.locate(ahead, [first, first + 1]);
        }
        explorer.counts.probes += length as u64;
        explorer.children_length = length;
    }

    /// Reads the bounds ahead and pushes the children that may still be solved in time.
    #[inline(always)]
    fn push_survivors(&self, explorer: &mut Explorer, iteration: &Iteration<'_>) {
        let Explorer { stack, batch, ahead, children, children_length, .. } = explorer;
        let mut kept = 0;
        for number in 0..*children_length {
            let child = children[number];
            let bound = self.prober.bound(ahead, number);
            let remaining = self.rules.after(child.by, batch.nodes[usize::from(child.node) % BATCH].remaining);
            children[kept] = Child { bound, ..child };
            kept += usize::from(bound as i8 <= remaining);
        }
        for child in &children[..kept] {
            let number = usize::from(child.node) % BATCH;
            let (node, side, m) = (&batch.nodes[number], batch.sides[number], Move::from_index(usize::from(child.by)));
            let across = batch.across[number][usize::from(self.rules.bound_across[usize::from(child.by)]) % NEIGHBOURS];
            let own = self.prober.kernel.compose(node.cube(side), Cube::of_move(m));
            let other = self.prober.kernel.compose(Cube::of_move(!m), node.cube(side.other()));
            let remaining = self.rules.after(child.by, node.remaining) as u8;
            iteration.add_evidence(node.task, child.bound);
            stack.push(node.child(side, m, (own, child.bound), (other, across), remaining));
        }
    }
}
