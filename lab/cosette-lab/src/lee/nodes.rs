//! The nodes of a best-first search, open and closed, in some 23 bytes each.
//!
//! A node is a word of 128 bits: its position (67 bits, exact), the move that led there, its depth
//! and its lower bound, flags for expanded and overtaken nodes, and the next node in its queue
//! (32). Nodes are never moved; an open hash table of 32-bit numbers, at most three quarters full,
//! finds them by their positions. The queues are lists through the nodes, one for each pair of f
//! and tie value: popping and pushing take constant time.

use super::ball::probe_sequence;
use super::space::PositionKey;
use cosette::cube::Move;

/// The order of expansion among equal nodes: first or last in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieOrder {
    /// First in, first out.
    Queue,
    /// Last in, first out.
    Stack,
}

/// A node: a position that was generated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct PackedNode(u128);

/// Marks the absence of a node number.
const NIL: u32 = u32::MAX;

const MOVE: u32 = PositionKey::BITS;
const DEPTH: u32 = MOVE + 5;
const BOUND: u32 = DEPTH + 5;
const CLOSED: u32 = BOUND + 5;
const OVERTAKEN: u32 = CLOSED + 1;
const NEXT: u32 = 96;

impl PackedNode {
    /// Creates a node reached by a move, `depth` moves from the root, with a lower bound.
    pub fn new(position: PositionKey, last: Option<Move>, depth: u8, bound: u8) -> PackedNode {
        debug_assert!(depth < 32 && bound < 32);
        let last = last.map_or(Move::COUNT, Move::index) as u128;
        let next = u128::from(NIL) << NEXT;
        PackedNode(
            position.0
                | last << MOVE
                | u128::from(depth) << DEPTH
                | u128::from(bound) << BOUND
                | next,
        )
    }

    pub fn position(self) -> PositionKey {
        PositionKey(self.0 & ((1 << PositionKey::BITS) - 1))
    }

    pub fn last(self) -> Option<Move> {
        let last = (self.0 >> MOVE & 31) as usize;
        (last < Move::COUNT).then(|| Move::from_index(last))
    }

    pub fn depth(self) -> u8 {
        (self.0 >> DEPTH & 31) as u8
    }

    pub fn bound(self) -> u8 {
        (self.0 >> BOUND & 31) as u8
    }

    pub fn is_closed(self) -> bool {
        self.0 >> CLOSED & 1 == 1
    }

    pub fn is_overtaken(self) -> bool {
        self.0 >> OVERTAKEN & 1 == 1
    }

    fn next(self) -> u32 {
        (self.0 >> NEXT) as u32
    }

    fn with_next(self, next: u32) -> PackedNode {
        PackedNode(self.0 & !(u128::from(NIL) << NEXT) | u128::from(next) << NEXT)
    }
}

/// A list of open nodes.
#[derive(Clone, Copy)]
struct OpenList {
    first: u32,
    last: u32,
}

/// All nodes.
pub(super) struct Store {
    order: TieOrder,
    chunks: Vec<Vec<PackedNode>>,
    count: u32,
    index: Vec<u32>,
    indexed: usize,
    /// By f and tie value.
    open: Vec<OpenList>,
}

/// Tie values are below this.
const TIES: usize = 16;
const CHUNK: usize = 1 << 16;

impl Store {
    pub fn new(order: TieOrder) -> Store {
        Store {
            order,
            chunks: Vec::new(),
            count: 0,
            index: vec![NIL; 64],
            indexed: 0,
            open: Vec::new(),
        }
    }

    /// Returns the number of stored nodes.
    pub fn len(&self) -> u64 {
        self.count.into()
    }

    /// Returns the memory use in bytes.
    pub fn bytes(&self) -> u64 {
        (self.chunks.len() * CHUNK * size_of::<PackedNode>() + self.index.len() * size_of::<u32>())
            as u64
    }

    fn get(&self, id: u32) -> PackedNode {
        self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    fn node(&mut self, id: u32) -> &mut PackedNode {
        &mut self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    /// The node of a position that was not overtaken.
    pub fn find(&self, position: PositionKey) -> Option<PackedNode> {
        let id = self.index[self.slot_of(position)];
        (id != NIL).then(|| self.get(id))
    }

    /// Stores a node and adds it to its queue. A node with the same position is overtaken: it is
    /// never expanded again.
    pub fn push(&mut self, node: PackedNode, tie: u8) {
        let id = self.count;
        assert!(id != NIL, "nodes have 32-bit numbers");
        if self.chunks.len() * CHUNK == id as usize {
            self.chunks.push(Vec::with_capacity(CHUNK));
        }
        self.chunks.last_mut().expect("a chunk was made").push(node);
        self.count += 1;
        self.enter(node.position(), id);
        let bucket = usize::from(node.depth() + node.bound()) * TIES + usize::from(tie);
        if bucket >= self.open.len() {
            self.open.resize(
                bucket + 1,
                OpenList {
                    first: NIL,
                    last: NIL,
                },
            );
        }
        let list = self.open[bucket];
        if list.first == NIL {
            self.open[bucket] = OpenList {
                first: id,
                last: id,
            };
        } else if self.order == TieOrder::Queue {
            let last = self.node(list.last);
            *last = last.with_next(id);
            self.open[bucket].last = id;
        } else {
            let own = self.node(id);
            *own = own.with_next(list.first);
            self.open[bucket].first = id;
        }
    }

    /// Removes and returns the next open node with the least f.
    pub fn pop(&mut self) -> Option<PackedNode> {
        for bucket in 0..self.open.len() {
            while self.open[bucket].first != NIL {
                let id = self.open[bucket].first;
                let node = *self.node(id);
                self.open[bucket].first = node.next();
                if !node.is_overtaken() {
                    self.node(id).0 |= 1 << CLOSED;
                    return Some(node);
                }
            }
        }
        None
    }

    /// Enters a node into the index, replacing one with the same position.
    fn enter(&mut self, position: PositionKey, id: u32) {
        let at = self.slot_of(position);
        let other = std::mem::replace(&mut self.index[at], id);
        if other != NIL {
            self.node(other).0 |= 1 << OVERTAKEN;
            return;
        }
        self.indexed += 1;
        if self.indexed * 4 > self.index.len() * 3 {
            self.widen();
        }
    }

    fn widen(&mut self) {
        let wider = vec![NIL; self.index.len() * 3 / 2];
        for id in std::mem::replace(&mut self.index, wider)
            .into_iter()
            .filter(|&id| id != NIL)
        {
            let at = self.slot_of(self.get(id).position());
            self.index[at] = id;
        }
    }

    /// Returns the index slot of a position, or the slot at which it would be entered.
    fn slot_of(&self, position: PositionKey) -> usize {
        let mut slots = probe_sequence(
            position.0 as u64 ^ (position.0 >> 64) as u64,
            self.index.len(),
        );
        let holds = |&at: &usize| match self.index[at] {
            NIL => true,
            id => self.get(id).position() == position,
        };
        slots.find(holds).expect("a quarter of the slots is empty")
    }
}
