//! Root tasks: the canonical sequences of four moves that a long search begins with, the most
//! promising first.

use super::node::{Node, NodeSide, OpenNode, TurnBit};
use crate::cube::{Cube, Face, Metric, Move, Symmetry, canonical};
use crate::kernel::{Instructions, Kernel, Queue, Work};
use crate::table::Table;

/// Iterations of at least this length may be split into root tasks. Shorter ones take less than a
/// millisecond.
pub const MIN_SPLIT_LENGTH: u8 = 12;

/// Number of moves from the root to a root task.
const DEPTH: usize = 4;

/// Number of bits of a task number.
const NUMBER_BITS: u32 = u16::BITS;

/// The root tasks of a position: the subtrees that its iterations are made of, numbered from zero.
///
/// They depend on the position and the table alone, so a task has the same number everywhere.
#[derive(Clone)]
pub struct Tasks {
    root: Node,
    tasks: Vec<RootTask>,
    priority: Vec<u64>,
    metric: Metric,
}

/// A subtree: the moves on the position that lead to it, and the bounds there. Eight bytes; its
/// node is computed when the task is started.
#[derive(Clone, Copy)]
struct RootTask {
    moves: [Move; DEPTH],
    length: u8,
    cost: u8,
    bounds: [u8; 2],
}

impl RootTask {
    fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.length)]
    }

    fn then(mut self, m: Move, metric: Metric, bounds: [u8; 2]) -> RootTask {
        self.moves[usize::from(self.length)] = m;
        self.length += 1;
        self.cost += metric.cost(m);
        RootTask { bounds, ..self }
    }
}

impl Tasks {
    /// Creates the root tasks of a long search for solutions of `position`.
    pub fn of(position: &Cube, table: &Table) -> Tasks {
        Tasks::prefixes(
            root(position, table),
            &position.symmetries(),
            table,
            Instructions::best(),
        )
    }

    /// Creates a single task: the whole search.
    pub(super) fn whole(root: Node, metric: Metric) -> Tasks {
        let bounds = NodeSide::BOTH.map(|side| root.bound(side));
        let whole = RootTask {
            moves: [Move::ALL[0]; DEPTH],
            length: 0,
            cost: 0,
            bounds,
        };
        Tasks {
            root,
            tasks: vec![whole],
            priority: vec![0],
            metric,
        }
    }

    /// Creates a task for each canonical sequence of four moves on the position; of sequences that
    /// its stabilizer maps to one another, only for the lowest.
    ///
    /// A symmetry s with s⁻¹·p·s = p carries the solutions that begin with w to those that begin
    /// with s⁻¹·w·s.
    pub(super) fn prefixes(
        root: Node,
        stabilizer: &[Symmetry],
        table: &Table,
        instructions: Instructions,
    ) -> Tasks {
        let mut tasks = Tasks::whole(root, table.id().metric);
        for _ in 0..DEPTH {
            // After a move of a canonical sequence, at most 15 moves may follow.
            let mut grown = Vec::with_capacity(15 * tasks.count());
            instructions.run(Grow {
                tasks: &tasks,
                stabilizer,
                table,
                grown: &mut grown,
            });
            tasks.tasks = grown;
        }
        tasks.priority = tasks
            .tasks
            .iter()
            .map(|task| weight(task.bounds[0].max(task.bounds[1])))
            .collect();
        tasks
    }

    /// Returns the number of tasks.
    pub fn count(&self) -> usize {
        self.tasks.len()
    }

    /// Returns the tasks that may be solved within `threshold`, by decreasing priority.
    pub fn order(&self, threshold: u8) -> Vec<u16> {
        // A single number to sort by: the inverted priority above the bits of the task number.
        let key = |number: usize| {
            (u64::MAX >> NUMBER_BITS).saturating_sub(self.priority[number]) << NUMBER_BITS
                | number as u64
        };
        let may_be_solved =
            |task: &RootTask| task.cost + task.bounds[0].max(task.bounds[1]) <= threshold;
        let tasks = self
            .tasks
            .iter()
            .enumerate()
            .filter(|(_, task)| may_be_solved(task));
        let mut keys: Vec<u64> = tasks.map(|(number, _)| key(number)).collect();
        keys.sort_unstable();
        keys.into_iter().map(|key| key as u16).collect()
    }

    /// Returns for each task of `order` the estimated work in the tasks before it, and last the
    /// work in all of them, in the unit of progress.
    ///
    /// The work in a task grows with the square root of its priority in the last iteration.
    /// Measured on complete iterations of seconds, length 17, three positions: after 10, 25, 50 and
    /// 75 % of the time 11, 26, 52 and 78 % of the work have been started. By the number of tasks
    /// it would be 3, 13, 33 and 60 %; by the priority instead of its square root, 30, 47, 70 and
    /// 87 %.
    pub(super) fn work_before(&self, order: &[u16]) -> Vec<u64> {
        let work = order
            .iter()
            .map(|&number| self.priority[usize::from(number)].isqrt().max(1));
        let sums = work.scan(0, |sum, work| {
            *sum += work;
            Some(*sum)
        });
        std::iter::once(0).chain(sums).collect()
    }

    /// Returns the moves that may come first in the solutions of a task, as bits by their numbers:
    /// all moves if the task is the whole search.
    pub(super) fn firsts(&self, number: u16) -> u32 {
        match self.tasks[usize::from(number)].moves() {
            [] => ALL_MOVES,
            moves => firsts(moves),
        }
    }

    /// Returns the node from which a task starts.
    #[inline(always)]
    pub(super) fn start<K: Kernel>(&self, kernel: K, number: u16, threshold: u8) -> Node {
        let task = &self.tasks[usize::from(number)];
        let mut cubes = NodeSide::BOTH.map(|side| *self.root.cube(side));
        for &m in task.moves() {
            kernel.turn(&cubes.clone(), NodeSide::Position as usize, m, &mut cubes);
        }
        Node::start(
            cubes,
            task.moves().last().copied(),
            task.bounds,
            (number, threshold - task.cost),
        )
    }

    /// Returns the node of which `open` holds the path.
    #[inline(always)]
    pub(super) fn reopen<K: Kernel>(&self, kernel: K, open: &OpenNode) -> Node {
        self.start(kernel, open.task, u8::MAX)
            .reopened(kernel, open)
    }

    /// Returns the priorities of the last iteration, task by task.
    pub(super) fn priority(&self) -> &[u64] {
        &self.priority
    }

    /// Replaces the priorities by those of a later iteration.
    pub fn learn(&mut self, priority: Vec<u64>) {
        self.priority = priority;
    }

    /// Returns the whole solution of a solved node.
    pub(super) fn solution(&self, node: &Node) -> Vec<Move> {
        let task = &self.tasks[usize::from(node.task())];
        task.moves().iter().copied().chain(node.moves()).collect()
    }
}

pub(super) fn root(position: &Cube, table: &Table) -> Node {
    Node::root(
        position,
        [position, &position.inverse()].map(|cube| table.bound(cube)),
    )
}

/// The bits of all moves.
pub(super) const ALL_MOVES: u32 = (1 << Move::COUNT) - 1;

/// Returns the moves that a canonical sequence may begin with, as bits by their numbers: its first,
/// and its second if both commute.
pub(super) fn firsts(moves: &[Move]) -> u32 {
    let first = moves.first().map(|m| m.face());
    let may_begin = |&(index, m): &(usize, &Move)| {
        index == 0 || index == 1 && first == Some(m.face().opposite())
    };
    moves
        .iter()
        .enumerate()
        .filter(may_begin)
        .fold(0, |bits, (_, m)| bits | 1 << m.index())
}

const ALL_FACES: u32 = 0b11_1111;

/// Extends each task by one move.
struct Grow<'a> {
    tasks: &'a Tasks,
    stabilizer: &'a [Symmetry],
    table: &'a Table,
    grown: &'a mut Vec<RootTask>,
}

impl Work for Grow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Grow {
            tasks,
            stabilizer,
            table,
            grown,
        } = self;
        let entries = table.entries();
        // Room for 6 + 18 cosets and the slack of the kernel.
        let mut queue = Box::new(Queue::<48>::EMPTY);
        for (number, task) in tasks.tasks.iter().enumerate() {
            let node = tasks.start(kernel, number as u16, task.cost);
            let moves = node.followers(NodeSide::Position);
            queue.clear();
            kernel.queue_other_side(node.cube(NodeSide::Inverse), ALL_FACES, &mut queue);
            kernel.queue_children(
                Move::ALL
                    .iter()
                    .map(|&m| (node.cube(NodeSide::Position), m)),
                &mut queue,
            );
            kernel.locate(&mut queue, &entries);
            // SAFETY: it was located in this table.
            unsafe { kernel.read(&mut queue, &entries) };
            let (other_side, children) = queue.bounds().split_at(Face::ALL.len());
            for m in Move::ALL
                .into_iter()
                .filter(|&m| moves.contains(TurnBit::of(m)))
            {
                let other_bound = if m.is_half_turn() {
                    node.bound(NodeSide::Inverse)
                } else {
                    other_side[m.face().index()]
                };
                let bound = children[m.index()];
                let child = task.then(m, tasks.metric, [bound, other_bound]);
                if is_least_conjugate(child.moves(), stabilizer) {
                    grown.push(child);
                }
            }
        }
    }
}

/// Returns `true` if no conjugate of this sequence by the stabilizer is lexicographically lower.
///
/// Every prefix of such a sequence has no lower conjugate either, so sequences can be filtered
/// while they grow: if w were not the lowest of its conjugates, neither would w·m be.
fn is_least_conjugate(path: &[Move], stabilizer: &[Symmetry]) -> bool {
    stabilizer
        .iter()
        .filter(|&&s| s != Symmetry::IDENTITY)
        .all(|&s| {
            let image: Vec<Move> = path.iter().map(|&m| s.conjugate_move(m)).collect();
            canonical(&image).as_slice() >= path
        })
}

/// Returns the amount that a surviving node adds to the priority of its task: 2^−bound in units of
/// 2⁻²⁰, at least 1.
#[inline(always)]
pub(super) fn weight(bound: u8) -> u64 {
    1 << (20u8.saturating_sub(bound))
}
