//! The loop that takes nearly all the time: nodes in batches, every line of the table prefetched.
//!
//! The pseudocode is in the head of [`super`], the rules and their proofs in
//! [`pruning_rules`](super::pruning_rules). Each thread has one stack; it is fed with root tasks
//! while it holds less than a batch, so that the nodes in flight come from several tasks at once.
//!
//! About half of all bounds prune, unpredictably; branches on them would lose half of the time to
//! mispredictions. So the steps of the loop do not branch on bounds. The bounds of a node's other
//! side are the bytes of one number, and a set of moves is three planes of bits, one bit per face
//! ([`TurnMask`]); so the moves that the bounds rule out are found by comparing all bytes of eight
//! nodes at once. The bounds of children are compared sixty-four at a time, and only the children
//! that survive are handled one by one.
//!
//! `% BATCH` and similar remainders replace bounds checks that would never fail.

use super::node::{ChildState, Counts, Node, NodeSide, OpenNode, TurnBit, TurnMask};
use crate::cube::{Cube, Metric};
use crate::kernel::{Kernel, LISTED, Queue, TableEntries, Work};
use zerocopy::FromZeros;

/// Number of nodes expanded together: some 560 lines of the table are prefetched at once. Measured
/// in docs/performance.md.
const BATCH: usize = 128;
const _: () = assert!(BATCH <= 256, "node numbers are stored as u8");

/// Room for the cosets on the other side: [`Kernel::expand_eight`] reads 64 bounds.
const OTHER_SIDE: usize = BATCH * 6 + 64;
/// Room for the children: [`Kernel::list`] writes 32 at a time, [`Kernel::at_most`] reads 64.
const CHILDREN: usize = (BATCH * 18 + LISTED).next_multiple_of(64);

/// Minimum number of remaining moves of a node that is worth giving away: smaller subtrees take
/// microseconds.
const MIN_REMAINING_TO_SHARE: u8 = 9;

/// A thread's source of nodes, and the receiver of its results.
pub(super) trait WorkSource {
    fn entries(&self) -> TableEntries<'_>;

    fn metric(&self) -> Metric;

    /// Returns the next node to begin with: the start of a root task, or an open node; `None` if
    /// there is none left.
    fn next<K: Kernel>(&self, kernel: K) -> Option<Node>;

    fn is_stopped(&self) -> bool;

    /// Returns `true` if other threads have requested work.
    fn should_share(&self) -> bool;

    /// Takes nodes for others to expand.
    fn share(&self, nodes: Vec<OpenNode>);

    /// Receives the counts of the nodes that the thread has expanded since the last call.
    fn add_counts(&self, counts: Counts);

    /// Records a solved node.
    fn record_solution(&self, node: &Node);

    /// Adds to the priority of a task, in which a node with this bound survived.
    fn add_priority(&self, task: u16, bound: u8);
}

/// Number of nodes after which a thread hands over its counts: some milliseconds' work.
const REPORT_INTERVAL: u64 = 1 << 16;

/// The search of one thread, with all its memory.
pub(super) struct ThreadSearch {
    stack: Stack,
    batch: NodeBatch,
    other_side: Queue<OTHER_SIDE>,
    child_cosets: Queue<CHILDREN>,
    children: Children,
    /// Counts that the source has not received yet.
    counts: Counts,
}

/// Nodes that are expanded together.
struct NodeBatch {
    nodes: [Node; BATCH],
    /// The side on which each node is expanded.
    sides: [NodeSide; BATCH],
    /// The moves not ruled out.
    moves: [TurnMask; BATCH],
    /// The faces with quarter turns in `moves`, in groups of eight nodes.
    faces: [[u8; 8]; BATCH / 8],
    /// The remaining moves of each node, never zero.
    remaining: [[u8; 8]; BATCH / 8],
    /// The bounds of the other side, a byte each: after the quarter turns of each face, and, in
    /// byte [`INHERITED`], after half turns.
    other_bounds: [[u64; 8]; BATCH / 8],
    length: usize,
}

/// The byte of the bound after half turns, which is the node's own (rule 4); the six bytes before
/// it belong to the faces.
const INHERITED: usize = 6;

/// Moves on nodes of the batch, in the order of the children's cosets in the queue.
#[derive(FromZeros)]
struct Children {
    /// The numbers of the nodes.
    nodes: [u8; CHILDREN],
    /// The moves, as numbers of [`TurnBit`]s.
    steps: [u8; CHILDREN],
    /// Remaining moves after each move.
    remaining: [u8; CHILDREN],
    /// The numbers of the children that may still be solved in time.
    survivors: [u16; CHILDREN],
    length: usize,
}

impl ThreadSearch {
    pub fn new() -> ThreadSearch {
        ThreadSearch {
            stack: Stack {
                nodes: Vec::new(),
                length: 0,
            },
            batch: NodeBatch {
                nodes: [Node::root(&Cube::SOLVED, [0; 2]); BATCH],
                sides: [NodeSide::Position; BATCH],
                moves: [TurnMask::NONE; BATCH],
                faces: [[0; 8]; BATCH / 8],
                remaining: [[1; 8]; BATCH / 8],
                other_bounds: [[0; 8]; BATCH / 8],
                length: 0,
            },
            other_side: Queue::EMPTY,
            child_cosets: Queue::EMPTY,
            children: FromZeros::new_zeroed(),
            counts: Counts::default(),
        }
    }

    /// Discards the counts and the open nodes of an earlier search.
    pub fn reset(&mut self) {
        self.stack.length = 0;
        self.counts = Counts::default();
    }

    /// Takes the counts that the source has not received.
    pub fn take_counts(&mut self) -> Counts {
        std::mem::take(&mut self.counts)
    }

    /// Returns the nodes that have not been expanded.
    pub fn open_nodes(&self) -> impl Iterator<Item = OpenNode> {
        self.stack.nodes[..self.stack.length]
            .iter()
            .map(Node::open_node)
    }
}

/// Searches all nodes of a source until there are none left. If it is stopped, the remaining nodes
/// stay on the stack.
pub(super) struct SearchLoop<'a, S> {
    pub thread_search: &'a mut ThreadSearch,
    pub source: &'a S,
}

impl<S: WorkSource> Work for SearchLoop<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let SearchLoop {
            thread_search,
            source,
        } = self;
        let half_turn_cost = source.metric().half_turn_cost();
        let context = Context {
            kernel,
            entries: source.entries(),
            half_turn_cost,
        };
        while !source.is_stopped() {
            if source.should_share() {
                source.share(thread_search.stack.give_half());
            }
            if thread_search.counts.nodes >= REPORT_INTERVAL {
                source.add_counts(thread_search.take_counts());
            }
            while thread_search.stack.length < BATCH
                && let Some(node) = source.next(kernel)
            {
                thread_search.stack.grow(1)[0] = node;
            }
            if thread_search.stack.length == 0 {
                break;
            }
            context.take_batch(thread_search, source);
            context.probe_other_side(thread_search);
            context.prune_and_probe_children(thread_search);
            context.push_survivors(thread_search, source);
        }
    }
}

/// The data that the steps of the loop share.
#[derive(Clone, Copy)]
struct Context<'a, K> {
    kernel: K,
    entries: TableEntries<'a>,
    half_turn_cost: u8,
}

impl<K: Kernel> Context<'_, K> {
    /// Takes the next nodes from the stack and decides for each on which side to expand it.
    #[inline(always)]
    fn take_batch(&self, thread_search: &mut ThreadSearch, source: &impl WorkSource) {
        let ThreadSearch {
            stack,
            batch,
            counts,
            ..
        } = thread_search;
        let start = stack.length.saturating_sub(BATCH);
        batch.length = 0;
        for node in &stack.nodes[start..stack.length] {
            if node.remaining() > 0 {
                let (side, moves) = self.choose_side(node);
                let number = batch.length;
                batch.nodes[number] = *node;
                batch.sides[number] = side;
                batch.moves[number] = moves;
                batch.faces[number / 8][number % 8] = moves.quarters() as u8;
                batch.remaining[number / 8][number % 8] = node.remaining();
                batch.other_bounds[number / 8][number % 8] =
                    u64::from(node.bound(side.other())) << (8 * INHERITED);
                batch.length += 1;
            } else if node.cube(NodeSide::Position).is_solved() {
                source.record_solution(node);
            }
        }
        stack.length = start;
        counts.nodes += batch.length as u64;
    }

    /// Returns the side with fewer possible moves, or if both have equally many, the side with the
    /// larger bound; and the possible moves of that side.
    ///
    /// A half turn on one side does not change the coset of the other. So if the other side's bound
    /// exceeds what would remain after a half turn, only quarter turns are possible.
    #[inline(always)]
    fn choose_side(&self, node: &Node) -> (NodeSide, TurnMask) {
        let after_half_turn = i32::from(node.remaining()) - i32::from(self.half_turn_cost);
        let [front, back] = NodeSide::BOTH.map(|side| {
            // All ones if no half turn is possible (rule 1).
            let tight = (after_half_turn - i32::from(node.bound(side.other()))) >> 31;
            TurnMask(node.followers(side).0 & !(TurnMask::HALVES.0 & tight as u32))
        });
        // The number of moves, above the bits of the bound, which decides among equals.
        let order = |moves: TurnMask, side| {
            ((moves.0.count_ones() as i32) << 8) - i32::from(node.bound(side))
        };
        // All ones if the inverse is chosen.
        let inverse = (order(back, NodeSide::Inverse) - order(front, NodeSide::Position)) >> 31;
        (
            NodeSide::BOTH[(inverse & 1) as usize],
            TurnMask(front.0 ^ (front.0 ^ back.0) & inverse as u32),
        )
    }

    /// Queues the cosets on the other side: one for both quarter turns of each face that may turn.
    #[inline(always)]
    fn probe_other_side(&self, thread_search: &mut ThreadSearch) {
        let ThreadSearch {
            batch,
            other_side,
            counts,
            ..
        } = thread_search;
        other_side.clear();
        for number in 0..batch.length {
            let cube = batch.nodes[number].cube(batch.sides[number].other());
            self.kernel.queue_other_side(
                cube,
                batch.faces[number / 8][number % 8].into(),
                other_side,
            );
        }
        counts.probes += other_side.len() as u64;
        self.kernel.locate(other_side, &self.entries);
    }

    /// Reads the bounds of the other side, drops the moves they rule out, and queues the cosets of
    /// the other moves' children.
    #[inline(always)]
    fn prune_and_probe_children(&self, thread_search: &mut ThreadSearch) {
        let ThreadSearch {
            batch,
            other_side,
            child_cosets,
            children,
            counts,
            ..
        } = thread_search;
        // Here the processor waits for memory: all lines were prefetched when the batch was
        // located. SAFETY: `probe_other_side` located this queue in this table; nothing was queued
        // since.
        unsafe { self.kernel.read(other_side, &self.entries) };
        const ONES: u64 = 0x0101_0101_0101_0101;
        let mut bounds_read = 0;
        let half_turn_extra = ONES * u64::from(self.half_turn_cost - 1);
        children.length = 0;
        // Eight nodes at a time. Nodes past the end are stale and get no children.
        for eight in 0..batch.length.div_ceil(8) {
            let faces = u64::from_le_bytes(batch.faces[eight]);
            let other_bounds = &mut batch.other_bounds[eight];
            let bounds = other_side.bounds()[bounds_read..]
                .first_chunk()
                .expect("a queue has slack");
            self.kernel.expand_eight(bounds, faces, other_bounds);
            bounds_read += faces.count_ones() as usize;
            let remaining = u64::from_le_bytes(batch.remaining[eight]);
            // For each node the faces whose bounds exceed r + 1 (rule 3), r′ (rule 2), and the
            // limit for half turns (rule 3), a bit each.
            let too_far = self
                .kernel
                .exceeding(other_bounds, remaining + ONES)
                .to_le_bytes();
            let pruned_quarters = self
                .kernel
                .exceeding(other_bounds, remaining - ONES)
                .to_le_bytes();
            let pruned_halves = self
                .kernel
                .exceeding(other_bounds, remaining - half_turn_extra)
                .to_le_bytes();
            for (i, number) in (8 * eight..batch.length).take(8).enumerate() {
                // All ones, or zero if the node is too far (rule 3).
                let keep = u32::from(too_far[i] != 0).wrapping_sub(1);
                let moves = batch.moves[number]
                    .without(pruned_quarters[i].into(), pruned_halves[i].into())
                    .0
                    & keep;
                children.add(
                    self.kernel,
                    number as u8,
                    moves,
                    batch.remaining[eight][i] - 1,
                );
            }
        }
        children.subtract_half_turns(self.half_turn_cost);
        child_cosets.clear();
        let cosets = children
            .nodes
            .iter()
            .zip(&children.steps)
            .take(children.length)
            .map(|(&number, &step)| {
                let number = usize::from(number) % BATCH;
                (
                    batch.nodes[number].cube(batch.sides[number]),
                    TurnBit(step).to_move(),
                )
            });
        self.kernel.queue_children(cosets, child_cosets);
        counts.probes += children.length as u64;
        self.kernel.locate(child_cosets, &self.entries);
    }

    /// Reads the bounds of the children and pushes the children that may still be solved in time.
    #[inline(always)]
    fn push_survivors(&self, thread_search: &mut ThreadSearch, source: &impl WorkSource) {
        let ThreadSearch {
            stack,
            batch,
            child_cosets,
            children,
            ..
        } = thread_search;
        // Here the processor waits again, for the lines of the children. SAFETY:
        // `prune_and_probe_children` located this queue in this table; nothing was queued since.
        unsafe { self.kernel.read(child_cosets, &self.entries) };
        let mut pushed = [TurnMask::NONE; BATCH];
        let mut survivors = 0;
        for first in (0..children.length).step_by(64) {
            let bounds = child_cosets.bounds()[first..]
                .first_chunk()
                .expect("a whole chunk");
            let remaining = children.remaining[first..]
                .first_chunk()
                .expect("a whole chunk");
            let existing = u64::MAX >> (64 - (children.length - first).min(64));
            let mut surviving = self.kernel.at_most(bounds, remaining) & existing;
            while surviving != 0 {
                let child = first + surviving.trailing_zeros() as usize;
                surviving &= surviving - 1;
                pushed[usize::from(children.nodes[child]) % BATCH].0 |=
                    1 << (children.steps[child] % 32);
                children.survivors[survivors] = child as u16;
                survivors += 1;
            }
        }
        for (slot, &child) in stack.grow(survivors).iter_mut().zip(&children.survivors) {
            let child = usize::from(child);
            let node = usize::from(children.nodes[child]) % BATCH;
            let parent = &batch.nodes[node];
            let side = batch.sides[node];
            let step = TurnBit(children.steps[child]);
            let bound = child_cosets.bounds()[child];
            let byte = if step.is_half_turn() {
                INHERITED
            } else {
                step.face()
            };
            let other_bound = (batch.other_bounds[node / 8][node % 8] >> (8 * byte)) as u8;
            let child_state = ChildState {
                bound,
                other_bound,
                remaining: children.remaining[child],
                pushed: pushed[node],
            };
            source.add_priority(parent.task(), bound);
            slot.set_child(self.kernel, parent, side, step, child_state);
        }
    }
}

impl Children {
    /// Adds moves on a node; after a quarter turn, `remaining` moves are left.
    #[inline(always)]
    fn add<K: Kernel>(&mut self, kernel: K, node: u8, moves: u32, remaining: u8) {
        let start = self.length;
        let room = self.steps[start..]
            .first_chunk_mut()
            .expect("room for all moves");
        kernel.list(moves, room);
        self.nodes[start..start + LISTED].fill(node);
        self.remaining[start..start + LISTED].fill(remaining);
        self.length += moves.count_ones() as usize;
    }

    /// Subtracts the extra cost of half turns from the remaining moves. A listed half turn leaves
    /// at least 0 (rule 1); stale entries past the end may wrap.
    #[inline(always)]
    fn subtract_half_turns(&mut self, half_turn_cost: u8) {
        for (remaining, &step) in self
            .remaining
            .iter_mut()
            .zip(&self.steps)
            .take(self.length.next_multiple_of(64))
        {
            *remaining = remaining
                .wrapping_sub(u8::from(TurnBit(step).is_half_turn()) * (half_turn_cost - 1));
        }
    }
}

/// A stack of nodes; the last ones are expanded first.
struct Stack {
    /// Entries past `length` are stale.
    nodes: Vec<Node>,
    length: usize,
}

impl Stack {
    /// Adds `more` nodes and returns them for the caller to write.
    #[inline(always)]
    fn grow(&mut self, more: usize) -> &mut [Node] {
        let start = self.length;
        self.length += more;
        if self.length > self.nodes.len() {
            self.enlarge();
        }
        &mut self.nodes[start..self.length]
    }

    /// Removes and returns every second node that is worth giving away: about half of the work at
    /// each depth.
    #[cold]
    fn give_half(&mut self) -> Vec<OpenNode> {
        if self.length < 2 {
            return Vec::new();
        }
        let mut given = Vec::new();
        let mut length = 0;
        let mut gives = false;
        for index in 0..self.length {
            let is_large = self.nodes[index].remaining() >= MIN_REMAINING_TO_SHARE;
            gives ^= is_large;
            if is_large && gives {
                given.push(self.nodes[index].open_node());
            } else {
                self.nodes[length] = self.nodes[index];
                length += 1;
            }
        }
        self.length = length;
        given
    }

    #[cold]
    fn enlarge(&mut self) {
        self.nodes
            .resize(2 * self.length, Node::root(&Cube::SOLVED, [0; 2]));
    }
}
