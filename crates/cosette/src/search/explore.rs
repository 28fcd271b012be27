//! The loop that all time goes into: nodes by the batch, every line of the table prefetched.
//!
//! The pseudocode stands in the head of [`super`]. One stack serves a thread; it is fed with root tasks while it holds less
//! than a batch, so that the nodes in flight come from several tasks at once.
//!
//! Half of what a processor could do is lost where it guesses branches wrong, and which bounds cut is nearly a coin toss.
//! So the steps of the loop do not branch on bounds: they look up what a bound rules out, and append to lists what is to
//! be kept by writing always and advancing only where it counts.

use super::iteration::Iteration;
use super::node::{Node, STEPS, Side, Step, Turns};
use crate::cube::{Cube, Metric};
use crate::kernel::{Entries, Kernel, Queue, SLACK, Work};

/// How many nodes are in flight: some 150 lines of the table on the way at once. Measured in ARCHITECTURE.md.
const BATCH: usize = 32;

/// Room for the cosets across, and for the children.
const ACROSS: usize = BATCH * 6 + SLACK;
const CHILDREN: usize = BATCH * 18 + SLACK;

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
    ahead: Queue<CHILDREN>,
    children: [Child; CHILDREN],
    pub counts: Counts,
}

/// The nodes that are expanded together.
struct Batch {
    nodes: [Node; BATCH],
    /// The side each is expanded on.
    sides: [Side; BATCH],
    /// The moves still possible.
    moves: [Turns; BATCH],
    /// The bounds of the other side, a byte each: after the quarter turns of each face, and, in byte [`INHERITED`], after
    /// half turns.
    across: [[u8; 8]; BATCH],
    length: usize,
}

const INHERITED: usize = 6;

/// A move on a node of the batch.
#[derive(Clone, Copy)]
struct Child {
    node: u8,
    step: Step,
    bound: u8,
}

/// Children are written so many at a time; those that do not exist are overwritten by the next.
const WRITTEN_AHEAD: usize = 4;

impl Explorer {
    pub fn new() -> Explorer {
        Explorer {
            stack: Vec::new(),
            batch: Batch {
                nodes: [Node::root(&Cube::SOLVED, [0; 2]); BATCH],
                sides: [Side::Position; BATCH],
                moves: [Turns::NONE; BATCH],
                across: [[0; 8]; BATCH],
                length: 0,
            },
            across: Queue::EMPTY,
            ahead: Queue::EMPTY,
            children: [Child { node: 0, step: Step(0), bound: 0 }; CHILDREN],
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
        let context = Context { kernel, entries: iteration.entries(), rules: &rules };
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

/// What depends on the metric.
struct Rules {
    half_turn_cost: u8,
    /// What each step costs.
    costs: [u8; STEPS],
}

impl Rules {
    fn of(metric: Metric) -> Rules {
        let half_turn_cost = metric.half_turn_cost();
        let costs = std::array::from_fn(|step| if Step(step as u8).is_half_turn() { half_turn_cost } else { 1 });
        Rules { half_turn_cost, costs }
    }

    /// What remains after a step; negative where it is not left.
    #[inline(always)]
    fn after(&self, step: Step, remaining: u8) -> i8 {
        remaining as i8 - self.costs[usize::from(step.0) % STEPS] as i8
    }
}

/// Bit i for each byte i that is `least` or more; bytes and `least` are below 128.
#[inline(always)]
fn bytes_from(bytes: u64, least: u8) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let from = (bytes | 0x80 * ONES) - ONES * u64::from(least) & 0x80 * ONES;
    ((from >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
}

/// For each set of faces, their bytes.
static FACE_BYTES: [u64; 64] = {
    let mut bytes = [0; 64];
    let mut faces = 0;
    while faces < 64 {
        let mut face = 0;
        while face < 6 {
            bytes[faces] |= ((faces >> face & 1) as u64 * 0xff) << (8 * face);
            face += 1;
        }
        faces += 1;
    }
    bytes
};

/// What the steps of the loop share.
#[derive(Clone, Copy)]
struct Context<'a, K> {
    kernel: K,
    entries: Entries<'a>,
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
    fn choose_side(&self, node: &Node) -> (Side, Turns) {
        let after_half_turn = node.remaining as i8 - self.rules.half_turn_cost as i8;
        let moves = Side::BOTH.map(|side| {
            let tight = u32::from(node.bound(side.other()) as i8 > after_half_turn);
            Turns(node.followers(side).0 & (Turns::QUARTERS.0 | Turns::HALVES.0 & tight.wrapping_sub(1)))
        });
        let [front, back] =
            Side::BOTH.map(|side| ((moves[side as usize].0.count_ones() + 1) << 8) - u32::from(node.bound(side)));
        let side = Side::BOTH[usize::from(back < front)];
        (side, moves[side as usize])
    }

    /// Queues the cosets across: one for both quarter turns of each face that may turn.
    #[inline(always)]
    fn look_across(&self, explorer: &mut Explorer) {
        let Explorer { batch, across, counts, .. } = explorer;
        across.clear();
        for number in 0..batch.length {
            let cube = batch.nodes[number].cube(batch.sides[number].other());
            self.kernel.across(cube, batch.moves[number].quarters(), across);
        }
        counts.probes += across.len() as u64;
        self.kernel.locate(across, &self.entries);
    }

    /// Reads the bounds across, drops what they rule out, and queues the cosets ahead of the moves that are left.
    #[inline(always)]
    fn cut_and_look_ahead(&self, explorer: &mut Explorer) {
        let Explorer { batch, across, ahead, children, counts, .. } = explorer;
        // SAFETY: the queue was located in this table.
        unsafe { self.kernel.read(across, &self.entries) };
        let (mut read, mut length) = (0, 0);
        for number in 0..batch.length {
            let node = &batch.nodes[number];
            let faces = batch.moves[number].quarters();
            let bounds = u64::from_le_bytes(*across.bounds()[read..].first_chunk().expect("a queue has slack"));
            let bounds = self.kernel.spread(bounds, FACE_BYTES[faces as usize % 64]);
            read += faces.count_ones() as usize;
            let too_far = u32::from(bytes_from(bounds, node.remaining + 2) != 0).wrapping_sub(1);
            let quarters = bytes_from(bounds, node.remaining);
            let halves = bytes_from(bounds, node.remaining + 2 - self.rules.half_turn_cost);
            let mut moves = batch.moves[number].without(quarters, halves).0 & too_far;
            batch.across[number] = bounds.to_le_bytes();
            batch.across[number][INHERITED] = node.bound(batch.sides[number].other());
            let count = moves.count_ones() as usize;
            for child in &mut children[length..length + count.max(WRITTEN_AHEAD)] {
                *child = Child { node: number as u8, step: Step(moves.trailing_zeros() as u8), bound: 0 };
                moves &= moves.wrapping_sub(1);
            }
            length += count;
        }
        ahead.clear();
        for child in &children[..length] {
            let number = usize::from(child.node) % BATCH;
            self.kernel.ahead(batch.nodes[number].cube(batch.sides[number]), child.step.to_move(), ahead);
        }
        counts.probes += length as u64;
        self.kernel.locate(ahead, &self.entries);
    }

    /// Reads the bounds ahead and pushes the children that may still be solved in time.
    #[inline(always)]
    fn push_survivors(&self, explorer: &mut Explorer, iteration: &Iteration<'_>) {
        let Explorer { stack, batch, ahead, children, .. } = explorer;
        // SAFETY: the queue was located in this table.
        unsafe { self.kernel.read(ahead, &self.entries) };
        let mut left = [0; BATCH];
        let mut kept = 0;
        for (number, &bound) in ahead.bounds()[..ahead.len()].iter().enumerate() {
            let child = children[number];
            let node = usize::from(child.node) % BATCH;
            let survives = bound as i8 <= self.rules.after(child.step, batch.nodes[node].remaining);
            children[kept] = Child { bound, ..child };
            kept += usize::from(survives);
            left[node] |= u32::from(survives) << (child.step.0 % 32);
        }
        for &Child { node: number, step, bound } in &children[..kept] {
            let number = usize::from(number) % BATCH;
            let (node, side, m) = (&batch.nodes[number], batch.sides[number], step.to_move());
            let across = batch.across[number][if step.is_half_turn() { INHERITED } else { step.face() }];
            let own = self.kernel.compose(node.cube(side), Cube::of_move(m));
            let other = self.kernel.compose(Cube::of_move(!m), node.cube(side.other()));
            let remaining = self.rules.after(step, node.remaining) as u8;
            iteration.add_evidence(node.task, bound);
            stack.push(node.child((side, step, Turns(left[number])), (own, bound), (other, across), remaining));
        }
    }
}
