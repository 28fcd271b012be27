//! Nodes of the search with their paths; and the checkpoints and work units from which a search
//! resumes elsewhere or later.

use super::report::IterationStats;
use crate::cube::{Cube, Metric, Move, MoveSet};
use crate::kernel::Kernel;
use crate::table::TableId;
use std::ops::AddAssign;
use std::time::Duration;

/// Maximum length of a path from a root task: 26 − 4 moves, as the diameter is 26 in quarter turns.
/// Rounded up to fill the 96 bytes of a node.
const MAX_PATH: usize = 24;

/// The cube of a node to which a move is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum NodeSide {
    /// The position p: the move belongs to the front of the solution.
    Position,
    /// The inverse: the inverse of the move belongs to the back of the solution.
    Inverse,
}

impl NodeSide {
    /// Both sides, the position first.
    pub const BOTH: [NodeSide; 2] = [NodeSide::Position, NodeSide::Inverse];

    #[inline(always)]
    pub fn other(self) -> NodeSide {
        match self {
            NodeSide::Position => NodeSide::Inverse,
            NodeSide::Inverse => NodeSide::Position,
        }
    }
}

/// The bounds and remaining moves of a child, and the pushed moves of its parent.
#[derive(Clone, Copy)]
pub(super) struct ChildState {
    /// The bound of the cube to which the move is applied.
    pub bound: u8,
    /// The bound of the other cube.
    pub other_bound: u8,
    pub remaining: u8,
    /// The moves of its parent that are pushed as children.
    pub pushed: TurnMask,
}

/// A position to be solved in exactly the remaining moves, with its inverse. One and a half cache
/// lines.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Node {
    /// The position and its inverse, by [`NodeSide`].
    cubes: [Cube; 2],
    /// The moves since the root task: each the number of a [`TurnBit`], with the side in the top
    /// bit.
    path: [u8; MAX_PATH],
    state: PackedState,
}

/// The other data of a node, in one number, so that it is written by one store: a wide load of
/// bytes that narrower stores have just written cannot be forwarded from the store buffer, and
/// stalls.
///
/// From the lowest byte: the values of the table for the cosets of both cubes; the [`LastMove`] on
/// each side; the remaining moves until the threshold; the length of the path; and in two bytes the
/// number of the root task.
#[derive(Clone, Copy)]
struct PackedState(u64);

impl PackedState {
    const LAST: u32 = 16;
    const REMAINING: u32 = 32;
    const PATH_LENGTH: u32 = 40;
    const TASK: u32 = 48;

    fn new(
        bounds: [u8; 2],
        last: [LastMove; 2],
        remaining: u8,
        path_length: u8,
        task: u16,
    ) -> PackedState {
        let [low, high] = task.to_le_bytes();
        PackedState(u64::from_le_bytes([
            bounds[0],
            bounds[1],
            last[0].0,
            last[1].0,
            remaining,
            path_length,
            low,
            high,
        ]))
    }

    /// Returns the byte from this bit on.
    #[inline(always)]
    fn byte(self, bit: u32) -> u8 {
        (self.0 >> bit) as u8
    }

    /// Returns the state of a child after a move of `face` on `side`. Branches and tables for the
    /// side would cost more than rotating the pair of bounds.
    #[inline(always)]
    fn child(self, side: NodeSide, face: usize, child_state: ChildState) -> PackedState {
        let shift = 8 * side as u32;
        let bounds =
            u16::from_le_bytes([child_state.bound, child_state.other_bound]).rotate_left(shift);
        let last = u64::from(LastMove::after(face, child_state.pushed).0) << shift;
        // The last move on the other side, the length of the path, and the root task.
        let unchanged = self.0
            & (0xff00_0000 >> shift
                | 0xff << PackedState::PATH_LENGTH
                | 0xffff << PackedState::TASK);
        let changed = u64::from(bounds)
            | last << PackedState::LAST
            | u64::from(child_state.remaining) << PackedState::REMAINING;
        PackedState((unchanged | changed) + (1 << PackedState::PATH_LENGTH))
    }
}

const SIDE_BIT: u8 = 0x80;

/// A set of moves as three planes of eight bits, the faces in the low six: clockwise, half and
/// counterclockwise turns.
///
/// This way the quarter turns of all faces are masked by one shift and one "and".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnMask(pub u32);

impl TurnMask {
    const FACES: u32 = 0b11_1111;
    pub const NONE: TurnMask = TurnMask(0);
    pub const QUARTERS: TurnMask = TurnMask(TurnMask::FACES | TurnMask::FACES << 16);
    pub const HALVES: TurnMask = TurnMask(TurnMask::FACES << 8);
    pub const ALL: TurnMask = TurnMask(TurnMask::QUARTERS.0 | TurnMask::HALVES.0);

    /// Returns the faces with a quarter turn in the set.
    #[inline(always)]
    pub fn quarters(self) -> u32 {
        (self.0 | self.0 >> 16) & TurnMask::FACES
    }

    /// Returns the set without the quarter turns and the half turns of these faces.
    #[inline(always)]
    pub fn without(self, quarters: u32, halves: u32) -> TurnMask {
        TurnMask(self.0 & !(quarters | halves << 8 | quarters << 16))
    }

    #[inline(always)]
    pub fn contains(self, step: TurnBit) -> bool {
        self.0 >> (step.0 % 32) & 1 == 1
    }

    /// Returns the turns of one face: clockwise, half and counterclockwise in bits 0 to 2.
    #[inline(always)]
    const fn of_face(self, face: usize) -> u32 {
        // The product moves bits 0, 8 and 16 to bits 16, 17 and 18.
        (self.0 >> face & 0x1_0101).wrapping_mul(0x1_0204) >> 16 & 0b111
    }
}

/// A move, as the number of its bit in a [`TurnMask`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnBit(pub u8);

impl TurnBit {
    pub fn of(m: Move) -> TurnBit {
        TurnBit((m.index() % 3 * 8 + m.face().index()) as u8)
    }

    #[inline(always)]
    pub fn face(self) -> usize {
        usize::from(self.0 % 8)
    }

    #[inline(always)]
    pub fn is_half_turn(self) -> bool {
        self.0 / 8 == 1
    }

    /// Returns the move; an arbitrary one if no move has this number.
    #[inline(always)]
    pub fn to_move(self) -> Move {
        static MOVES: [Move; 32] = {
            let mut moves = [Move::ALL[0]; 32];
            let mut m = 0;
            while m < Move::COUNT {
                moves[m % 3 * 8 + m / 3] = Move::ALL[m];
                m += 1;
            }
            moves
        };
        MOVES[usize::from(self.0 % 32)]
    }
}

/// The last move on a side: from bit 3 on its face (6 if there is no move), and in bits 0 to 2 the
/// turns of the opposite face that may follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
struct LastMove(u8);

impl LastMove {
    const NONE: LastMove = LastMove(6 * 8 + 0b111);

    /// Creates the last move from a move of `face` and the moves that were pushed as children of
    /// the same parent.
    ///
    /// Turns of opposite faces commute. So if p·L is too far from solved, p·R·L = p·L·R is as well:
    /// of the face opposite to R, only turns that were pushed together with R may follow it.
    #[inline(always)]
    fn after(face: usize, pushed: TurnMask) -> LastMove {
        LastMove((face * 8) as u8 | pushed.of_face((face + 3) % 6) as u8)
    }

    #[inline(always)]
    fn followers(self) -> TurnMask {
        FOLLOWERS[usize::from(self.0 % 64)]
    }
}

/// For each [`LastMove`], the moves that may follow it in a canonical sequence.
static FOLLOWERS: [TurnMask; 64] = {
    let mut followers = [TurnMask::ALL; 64];
    let mut last = 0;
    while last < 6 * 8 {
        let face = last / 8;
        let opposite_turns = last as u32 % 8;
        let mut canonical = 0;
        let mut m = 0;
        while m < Move::COUNT {
            if MoveSet::after(Some(Move::from_index(3 * face))).contains(Move::from_index(m)) {
                let ruled_out = m / 3 == (face + 3) % 6 && opposite_turns >> (m % 3) & 1 == 0;
                canonical |= (!ruled_out as u32) << (m % 3 * 8 + m / 3);
            }
            m += 1;
        }
        followers[last] = TurnMask(canonical);
        last += 1;
    }
    followers
};

impl Node {
    /// Creates the root, with no moves on either side.
    pub fn root(position: &Cube, bounds: [u8; 2]) -> Node {
        Node {
            cubes: [*position, position.inverse()],
            path: [0; MAX_PATH],
            state: PackedState::new(bounds, [LastMove::NONE; 2], 0, 0, 0),
        }
    }

    #[inline(always)]
    pub fn cube(&self, side: NodeSide) -> &Cube {
        &self.cubes[side as usize]
    }

    #[inline(always)]
    pub fn bound(&self, side: NodeSide) -> u8 {
        self.state.byte(8 * side as u32)
    }

    /// Returns the larger of both bounds.
    pub fn best_bound(&self) -> u8 {
        self.bound(NodeSide::Position)
            .max(self.bound(NodeSide::Inverse))
    }

    /// Returns the remaining moves until the threshold, in the metric of the search.
    #[inline(always)]
    pub fn remaining(&self) -> u8 {
        self.state.byte(PackedState::REMAINING)
    }

    #[inline(always)]
    fn path_length(&self) -> usize {
        self.state.byte(PackedState::PATH_LENGTH).into()
    }

    /// Returns the number of the root task.
    #[inline(always)]
    pub fn task(&self) -> u16 {
        (self.state.0 >> PackedState::TASK) as u16
    }

    #[inline(always)]
    fn last(&self, side: NodeSide) -> LastMove {
        LastMove(self.state.byte(PackedState::LAST + 8 * side as u32))
    }

    /// Returns the moves that keep the sequence on one side canonical.
    #[inline(always)]
    pub fn followers(&self, side: NodeSide) -> TurnMask {
        self.last(side).followers()
    }

    /// Makes this the child of `parent` after `step` on `side`.
    #[inline(always)]
    pub fn set_child<K: Kernel>(
        &mut self,
        kernel: K,
        parent: &Node,
        side: NodeSide,
        step: TurnBit,
        child_state: ChildState,
    ) {
        kernel.turn(
            &parent.cubes,
            side as usize,
            step.to_move(),
            &mut self.cubes,
        );
        self.path = parent.path;
        self.path[parent.path_length()] = step.0 | (side as u8 * SIDE_BIT);
        self.state = parent.state.child(side, step.face(), child_state);
    }

    /// Creates the first node of a root task, reached by moves on the position of which `last` is
    /// the last one; its path is empty.
    #[inline(always)]
    pub fn start(
        cubes: [Cube; 2],
        last: Option<Move>,
        bounds: [u8; 2],
        (task, remaining): (u16, u8),
    ) -> Node {
        let after = |m| LastMove::after(TurnBit::of(m).face(), TurnMask::ALL);
        let last = [last.map_or(LastMove::NONE, after), LastMove::NONE];
        Node {
            cubes,
            path: [0; MAX_PATH],
            state: PackedState::new(bounds, last, remaining, 0, task),
        }
    }

    /// Returns the path to this node and its state, without its cubes.
    pub fn open_node(&self) -> OpenNode {
        OpenNode {
            task: self.task(),
            remaining: self.remaining(),
            bounds: NodeSide::BOTH.map(|side| self.bound(side)),
            last: NodeSide::BOTH.map(|side| self.last(side).0),
            path: self.path[..self.path_length()].to_vec(),
        }
    }

    /// Returns the node to which the path of `open` leads from `self`, the first node of its root
    /// task.
    pub fn reopened<K: Kernel>(mut self, kernel: K, open: &OpenNode) -> Node {
        for (&step, slot) in open.path.iter().zip(&mut self.path) {
            *slot = step;
            let side = usize::from(step & SIDE_BIT != 0);
            kernel.turn(
                &self.cubes.clone(),
                side,
                TurnBit(step & !SIDE_BIT).to_move(),
                &mut self.cubes,
            );
        }
        let OpenNode {
            task,
            remaining,
            bounds,
            last,
            ref path,
        } = *open;
        Node {
            state: PackedState::new(
                bounds,
                last.map(LastMove),
                remaining,
                path.len() as u8,
                task,
            ),
            ..self
        }
    }

    /// Returns the moves since the root task as a sequence: those applied to the position, then,
    /// backwards and inverted, those applied to its inverse.
    pub fn moves(&self) -> Vec<Move> {
        let path = &self.path[..self.path_length()];
        let front = path.iter().filter(|&&step| step & SIDE_BIT == 0);
        let back = path.iter().rev().filter(|&&step| step & SIDE_BIT != 0);
        let to_move = |step: &u8| TurnBit(step & !SIDE_BIT).to_move();
        front
            .map(to_move)
            .chain(back.map(|step| !to_move(step)))
            .collect()
    }
}

/// The state of a search, from which it can resume. The default is the initial state.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Checkpoint {
    /// The position and the table of the search; root tasks depend on both. `None` for a new
    /// search, and for a checkpoint restored from a journal, which records the position and the
    /// table itself.
    pub of: Option<(Cube, TableId)>,
    /// The iterations that were searched to their end, by increasing length.
    pub iterations: Vec<IterationStats>,
    /// The priority of each root task in the last of these iterations. Empty if the search was not
    /// split into root tasks.
    pub priority: Vec<u64>,
    /// The next iteration, if it was started.
    pub partial: Option<PartialIteration>,
    /// The shortest solutions that were found, and the best known solution.
    pub solutions: Vec<Vec<Move>>,
}

impl Checkpoint {
    /// Returns the elapsed time of the search.
    pub fn elapsed(&self) -> Duration {
        let partial = self
            .partial
            .as_ref()
            .map_or(Duration::ZERO, |partial| partial.elapsed);
        self.iterations
            .iter()
            .map(|iteration| iteration.elapsed)
            .sum::<Duration>()
            + partial
    }

    /// If there are solutions of the length of the last iteration, makes it the partial iteration,
    /// without remaining work: the search then ends with it again.
    pub(super) fn with_last_open(mut self, metric: Metric) -> Checkpoint {
        let lengths: Vec<usize> = self
            .solutions
            .iter()
            .map(|moves| metric.length(moves))
            .collect();
        if let Some(last) = self
            .iterations
            .pop_if(|last| lengths.contains(&last.length.into()))
        {
            let IterationStats {
                nodes,
                probes,
                elapsed,
                ..
            } = last;
            let counts = Counts { nodes, probes };
            let priority = std::mem::take(&mut self.priority);
            self.partial = Some(PartialIteration {
                elapsed,
                counts,
                priority,
                left: WorkUnit::default(),
            });
        }
        self
    }
}

/// An iteration that was started and has not ended.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartialIteration {
    /// Its elapsed time.
    pub elapsed: Duration,
    /// Its counts.
    pub counts: Counts,
    /// The priority of each root task.
    pub priority: Vec<u64>,
    /// The remaining work.
    pub left: WorkUnit,
}

impl PartialIteration {
    /// Returns the statistics of the iteration, which is for solutions of this length.
    pub(super) fn stats(&self, length: u8, exhausted: bool) -> IterationStats {
        IterationStats {
            length,
            nodes: self.counts.nodes,
            probes: self.counts.probes,
            elapsed: self.elapsed,
            exhausted,
        }
    }
}

/// Counts of nodes and probes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    /// Expanded nodes, including those whose children were all pruned before they were generated.
    pub nodes: u64,
    /// Accesses to the table.
    pub probes: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.nodes += other.nodes;
        self.probes += other.probes;
    }
}

/// A part of an iteration: root tasks that have not been started, and open nodes of tasks that have
/// been started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorkUnit {
    /// Root tasks, by their numbers in [`super::tasks::Tasks`]. They are searched in this order,
    /// after the nodes.
    pub tasks: Vec<u16>,
    /// Open nodes.
    pub nodes: Vec<OpenNode>,
}

impl WorkUnit {
    /// Returns `true` if there is no work.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty() && self.nodes.is_empty()
    }

    /// Adds another work unit of the same iteration.
    pub fn join(&mut self, other: WorkUnit) {
        self.tasks.extend(other.tasks);
        self.nodes.extend(other.nodes);
    }
}

/// A node that has not been expanded: its path and state.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenNode {
    /// The root task it belongs to.
    pub task: u16,
    /// Remaining moves until the threshold.
    remaining: u8,
    /// The bounds of the position and of its inverse.
    bounds: [u8; 2],
    /// The last move on each side, as a `LastMove`.
    last: [u8; 2],
    /// The moves since the root task, as in `Node`.
    path: Vec<u8>,
}

impl OpenNode {
    /// Returns `true` if this is a valid open node: its bounds do not exceed the remaining moves,
    /// and no path below it is too long. Searching any other node, for example from a forged
    /// checkpoint, would panic.
    pub fn is_possible(&self) -> bool {
        let longest_path = self.path.len() + usize::from(self.remaining);
        longest_path <= MAX_PATH && self.bounds.iter().all(|&bound| bound <= self.remaining)
    }
}
