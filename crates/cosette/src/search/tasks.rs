//! Root tasks: the canonical sequences of four moves that a long search begins with, in the order of their promise.

use super::iteration::weight;
use super::node::{Node, Side};
use super::probe::{Prober, Queue};
use crate::cube::{Cube, Metric, Move, Symmetry, canonical};
use crate::kernel::{Kernel, NEIGHBOURS, Work};
use crate::table::Table;

/// The subtrees that an iteration is made of.
pub(super) struct Tasks {
    prefixes: Vec<Vec<Move>>,
    nodes: Vec<Node>,
    evidence: Vec<u64>,
    metric: Metric,
}

impl Tasks {
    /// One task: the whole search.
    pub fn whole(root: Node, metric: Metric) -> Tasks {
        Tasks { prefixes: vec![vec![]], nodes: vec![root], evidence: vec![0], metric }
    }

    /// The canonical sequences of `depth` moves on the position, one for each class under its stabilizer.
    ///
    /// A symmetry s with s⁻¹·p·s = p carries the solutions that begin with w to those that begin with s⁻¹·w·s.
    pub fn prefixes(root: Node, depth: usize, stabilizer: &[Symmetry], table: &Table, run: impl Fn(Grow<'_>)) -> Tasks {
        let mut tasks = Tasks::whole(root, table.id().metric);
        for _ in 0..depth {
            let (mut prefixes, mut nodes) = (Vec::new(), Vec::new());
            run(Grow { tasks: &tasks, stabilizer, table, prefixes: &mut prefixes, nodes: &mut nodes });
            (tasks.prefixes, tasks.nodes) = (prefixes, nodes);
        }
        tasks.nodes = tasks.nodes.iter().enumerate().map(|(i, node)| node.into_task(i as u16)).collect();
        tasks.evidence = tasks.nodes.iter().map(|node| weight(node.best_bound())).collect();
        tasks
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The tasks that may be solved within `threshold`, those with the most evidence first.
    pub fn order(&self, threshold: u8) -> Vec<u16> {
        let may_be_solved = |&task: &u16| {
            let remaining = usize::from(threshold).checked_sub(self.cost(task));
            remaining.is_some_and(|remaining| usize::from(self.nodes[usize::from(task)].best_bound()) <= remaining)
        };
        let mut order: Vec<u16> = (0..self.len() as u16).filter(may_be_solved).collect();
        order.sort_by_key(|&task| std::cmp::Reverse(self.evidence[usize::from(task)]));
        order
    }

    /// The node a task starts from.
    pub fn start(&self, task: u16, threshold: u8) -> Node {
        let mut node = self.nodes[usize::from(task)];
        node.remaining = threshold - self.cost(task) as u8;
        node
    }

    /// Puts the evidence of an iteration in place of that of the last one.
    pub fn learn(&mut self, evidence: Vec<u64>) {
        self.evidence = evidence;
    }

    /// The whole solution that a solved node stands for.
    pub fn solution(&self, node: &Node) -> Vec<Move> {
        let prefix = &self.prefixes[usize::from(node.task)];
        prefix.iter().copied().chain(node.moves()).collect()
    }

    fn cost(&self, task: u16) -> usize {
        self.metric.length(&self.prefixes[usize::from(task)])
    }
}

/// Makes the tasks one move longer.
pub(super) struct Grow<'a> {
    tasks: &'a Tasks,
    stabilizer: &'a [Symmetry],
    table: &'a Table,
    prefixes: &'a mut Vec<Vec<Move>>,
    nodes: &'a mut Vec<Node>,
}

impl Work for Grow<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Grow { tasks, stabilizer, table, prefixes, nodes } = self;
        let prober = Prober { kernel, table: table.view() };
        let mut queue = Box::new(Queue::<32>::EMPTY);
        for (prefix, node) in tasks.prefixes.iter().zip(&tasks.nodes) {
            let [cube, inverse] = Side::BOTH.map(|side| node.cube(side));
            let (edges, corners) = (&mut queue.paintings.edges, &mut queue.paintings.corners);
            let (across_edges, ahead_edges) = edges.split_first_chunk_mut().expect("there is room");
            let (across_corners, ahead_corners) = corners.split_first_chunk_mut().expect("there is room");
            kernel.across(inverse, across_edges, across_corners);
            for m in Move::ALL {
                ahead_corners[m.index()] = kernel.ahead(cube, m, &mut ahead_edges[m.index()]);
            }
            for first in (0..NEIGHBOURS + Move::COUNT).step_by(2) {
                prober.locate(&mut queue, [first, first + 1]);
            }
            for m in Move::ALL.into_iter().filter(|m| node.followers(Side::Position) >> m.index() & 1 == 1) {
                let path: Vec<Move> = prefix.iter().copied().chain([m]).collect();
                if !is_least_conjugate(&path, stabilizer) {
                    continue;
                }
                let across =
                    if m.is_half_turn() { node.bound(Side::Inverse) } else { prober.bound(&queue, m.face().index()) };
                let own = (kernel.compose(cube, Cube::of_move(m)), prober.bound(&queue, NEIGHBOURS + m.index()));
                let other = (kernel.compose(Cube::of_move(!m), inverse), across);
                nodes.push(node.child(Side::Position, m, own, other, 0));
                prefixes.push(path);
            }
        }
    }
}

/// Whether no symmetry of the stabilizer makes a lower sequence of this one.
///
/// The beginning of such a sequence is one too, so sequences can be sifted while they grow: were w·m least and w not,
/// a conjugate of w·m would begin lower.
fn is_least_conjugate(path: &[Move], stabilizer: &[Symmetry]) -> bool {
    stabilizer.iter().filter(|&&s| s != Symmetry::IDENTITY).all(|&s| {
        let image: Vec<Move> = path.iter().map(|&m| s.conjugate_move(m)).collect();
        canonical(&image).as_slice() >= path
    })
}
