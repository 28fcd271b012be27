//! The interface between the search and a lower bound.

use super::IdaPart;
use cosette::Control;
use cosette::cube::{Cube, Metric, Move, MoveSet, Symmetry, canonical};
use cosette::search::{IterationStats, SolutionCount};
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A lower bound, with the node from which it is computed.
pub trait LowerBound: Sync {
    /// The data of a node.
    type Node: Copy + Send + Sync;

    /// Returns the node of a position.
    fn node(&self, position: &Cube) -> Self::Node;

    /// Returns the node after a move.
    fn turned(&self, node: &Self::Node, m: Move) -> Self::Node;

    /// Returns a lower bound on the distance to solved; if it exceeds `remaining`, any value above
    /// `remaining` is allowed. Adds its accesses to tables to `probes`.
    fn bound(&self, node: &Self::Node, remaining: u8, probes: &mut u64) -> u8;

    /// Prefetches what [`prune`](Self::prune) will read of this node; by default nothing.
    fn prefetch(&self, _node: &Self::Node) {}

    /// Retains the moves of each node whose children have a bound within the remaining cost. A
    /// bound that waits for memory should read the entries of all children without branching on
    /// them.
    fn prune(&self, nodes: &mut [IdaNode<Self::Node>], metric: Metric, probes: &mut u64) {
        for open in nodes {
            open.moves = open.moves.filter(|m| {
                let left = open.remaining - metric.cost(m);
                self.bound(&self.turned(&open.node, m), left, probes) <= left
            });
        }
    }
}

/// A node whose children are examined next.
#[derive(Clone, Copy, Debug)]
pub struct IdaNode<N> {
    /// The node.
    pub node: N,
    /// Remaining cost within the threshold, at least one.
    pub remaining: u8,
    /// The moves to be tried; each costs at most `remaining`.
    pub moves: MoveSet,
    pub(super) path: Path,
}

/// The moves that lead to a node, as digits to the base 18 after a leading one: a node is copied
/// for each child, and only solutions need the moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path(u128);

impl Path {
    /// More than any shortest solution has, and 18³⁰ · 2 < 2¹²⁸.
    const MAX_LENGTH: u8 = 30;
    pub const EMPTY: Path = Path(1);

    #[inline(always)]
    pub fn then(self, m: Move) -> Path {
        Path(self.0 * Move::COUNT as u128 + m.index() as u128)
    }

    pub fn moves(self) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut digits = self.0;
        while digits > 1 {
            moves.push(Move::from_index((digits % Move::COUNT as u128) as usize));
            digits /= Move::COUNT as u128;
        }
        moves.reverse();
        moves
    }
}

/// Options and limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct IdaLimits {
    /// Number of shortest solutions to find.
    pub solution_count: SolutionCount,
    /// The first threshold: lower ones are known to hold no solution. Zero is always valid.
    pub first: u8,
    /// The last threshold.
    pub last: Option<u8>,
    /// Total number of nodes after which the search ends.
    pub nodes: u64,
    /// `true` if the search uses the symmetry of the position.
    pub by_symmetry: bool,
    /// `true` if thresholds increase by two in the quarter-turn metric, where parity rules out the
    /// others.
    pub by_parity: bool,
}

impl Default for IdaLimits {
    fn default() -> IdaLimits {
        IdaLimits {
            solution_count: SolutionCount::ONE,
            first: 0,
            last: None,
            nodes: u64::MAX,
            by_symmetry: false,
            by_parity: true,
        }
    }
}

impl IdaLimits {
    /// Returns the symmetries of a position that its search uses.
    pub(super) fn stabilizer(&self, position: &Cube) -> Vec<Symmetry> {
        match self.by_symmetry {
            true => position.symmetries(),
            false => Vec::new(),
        }
    }

    /// Limits a search to one threshold.
    pub fn only(threshold: u8) -> IdaLimits {
        IdaLimits {
            first: threshold,
            last: Some(threshold),
            ..IdaLimits::default()
        }
    }
}

/// One iteration.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdaIteration {
    /// Length of the searched solutions.
    pub threshold: u8,
    /// Number of nodes generated: all children, including those pruned at once.
    pub nodes: u64,
    /// Number of table accesses.
    pub probes: u64,
    /// Number of nodes with nothing remaining whose bound is zero: positions to be compared with
    /// the solved one.
    pub tests: u64,
    /// Elapsed time.
    pub elapsed: Duration,
    /// `true` if the entire iteration was searched.
    pub complete: bool,
}

impl IdaIteration {
    /// Returns the iteration in the form reported by the fast engine; nodes are those generated.
    pub fn threshold(&self) -> IterationStats {
        let mut stats = IterationStats::new(self.threshold);
        stats.nodes = self.nodes;
        stats.probes = self.probes;
        stats.elapsed = self.elapsed;
        stats.exhausted = self.complete;
        stats
    }
}

/// IDA* with a lower bound.
pub struct Ida<'a, B> {
    /// The lower bound.
    pub bound: &'a B,
    /// The move metric.
    pub metric: Metric,
}

/// The moves that may follow each move in a canonical sequence.
const AFTER: [MoveSet; Move::COUNT] = {
    let mut after = [MoveSet::ALL; Move::COUNT];
    let mut m = 0;
    while m < Move::COUNT {
        after[m] = MoveSet::after(Some(Move::from_index(m)));
        m += 1;
    }
    after
};

/// Number of moves after which the survivors are tasks.
const SPLIT: usize = 3;
/// Threshold from which an iteration is split into tasks.
const SPLIT_FROM: u8 = 9;
/// Number of nodes taken from the stack together.
const BATCH: usize = 16;
/// Number of nodes after which a thread checks whether to stop.
const CHECK_INTERVAL: u64 = 1 << 14;

/// A running iteration.
pub(super) struct IterationRun<'a, B> {
    ida: &'a Ida<'a, B>,
    position: &'a Cube,
    limits: &'a IdaLimits,
    /// The symmetries to be used.
    stabilizer: &'a [Symmetry],
    control: &'a Control<'a>,
    /// Number of nodes that may still be generated.
    left: AtomicU64,
    stop: AtomicBool,
    pub solutions: Mutex<BTreeSet<Vec<Move>>>,
}

/// State and counts of one thread.
struct Walk<N> {
    stack: Vec<IdaNode<N>>,
    /// The nodes taken from the stack together, whose entries are prefetched.
    batch: Vec<IdaNode<N>>,
    /// The empty memory of the batch before.
    spare: Vec<IdaNode<N>>,
    counts: IdaPart,
    /// Number of nodes already subtracted from `left`.
    accounted: u64,
}

impl<N> Walk<N> {
    fn new() -> Walk<N> {
        Walk {
            stack: Vec::new(),
            batch: Vec::new(),
            spare: Vec::new(),
            counts: IdaPart::default(),
            accounted: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.stack.is_empty() && self.batch.is_empty()
    }
}

impl<'a, B: LowerBound> IterationRun<'a, B> {
    /// Creates an iteration that generates at most `left` nodes, plus those between two checks.
    pub fn new(
        ida: &'a Ida<'a, B>,
        position: &'a Cube,
        limits: &'a IdaLimits,
        stabilizer: &'a [Symmetry],
        left: u64,
        control: &'a Control<'a>,
    ) -> IterationRun<'a, B> {
        let left = AtomicU64::new(left);
        let stop = AtomicBool::new(false);
        let solutions = Mutex::default();
        IterationRun {
            ida,
            position,
            limits,
            stabilizer,
            control,
            left,
            stop,
            solutions,
        }
    }

    /// Searches solutions of this length.
    pub fn iterate(&self, root: &B::Node, threshold: u8) -> IdaIteration {
        let start = Instant::now();
        let (trunk, tasks) = self.trunk(root, threshold);
        let next = AtomicUsize::new(0);
        let total = Mutex::new(trunk);
        self.control.threads().at_most(tasks.len()).run(&|_| {
            let counts = self.work(&tasks, &next);
            let mut total = total.lock().expect("no thread panics");
            total.nodes += counts.nodes;
            total.probes += counts.probes;
            total.tests += counts.tests;
        });
        let total = total.into_inner().expect("no thread panics");
        IdaIteration {
            threshold,
            nodes: total.nodes,
            probes: total.probes,
            tests: total.tests,
            elapsed: start.elapsed(),
            complete: !self.is_stopped(),
        }
    }

    /// Tries the first moves, and returns the survivors as tasks; a short iteration is searched
    /// entirely. The order of the tasks is part of stored journals, whose parts are ranges of them.
    pub fn trunk(&self, root: &B::Node, threshold: u8) -> (IdaPart, Vec<IdaNode<B::Node>>) {
        assert!(threshold <= Path::MAX_LENGTH, "a threshold of {threshold}");
        let mut walk = Walk::new();
        let mut tasks = Vec::new();
        if threshold == 0 {
            self.test(&mut walk, &[]);
            return (walk.counts, tasks);
        }
        let root = self.open(*root, Path::EMPTY, MoveSet::ALL, threshold);
        if threshold < SPLIT_FROM {
            return (self.work(&[root], &AtomicUsize::new(0)), tasks);
        }
        walk.stack.push(root);
        while !walk.stack.is_empty() {
            let first = walk.stack.len().saturating_sub(BATCH);
            let mut batch = walk.stack.split_off(first);
            self.expand(&mut walk, &mut batch);
            for child in walk.stack.split_off(first) {
                let path = child.path.moves();
                if path.len() < SPLIT {
                    walk.stack.push(child);
                } else if self.is_first_of_its_class(&path) {
                    tasks.push(child);
                }
            }
        }
        (walk.counts, tasks)
    }

    /// Searches tasks until none remain; `next` is the first task that is not taken. Reports the
    /// share of the tasks that are done: those taken, but for the few that each thread has open.
    pub fn work(&self, tasks: &[IdaNode<B::Node>], next: &AtomicUsize) -> IdaPart {
        let mut walk = Walk::new();
        let open = BATCH * self.control.threads().get();
        while !self.is_stopped() {
            while walk.stack.len() < BATCH
                && let Some(task) = tasks.get(next.fetch_add(1, Relaxed))
            {
                walk.stack.push(*task);
                let done = next.load(Relaxed).min(tasks.len()).saturating_sub(open);
                self.control.report(done as u64, tasks.len() as u64);
            }
            if walk.is_done() {
                break;
            }
            self.step(&mut walk);
        }
        walk.counts
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Returns the result with these counts.
    pub fn result(self, counts: IdaPart) -> IdaPart {
        let complete = !self.is_stopped();
        let solutions = self.solutions.into_inner().expect("no thread panics");
        IdaPart {
            complete,
            solutions: solutions.into_iter().collect(),
            ..counts
        }
    }

    /// A node with these moves, but for those that cost too much.
    #[inline(always)]
    fn open(
        &self,
        node: B::Node,
        path: Path,
        mut moves: MoveSet,
        remaining: u8,
    ) -> IdaNode<B::Node> {
        if remaining < self.ida.metric.half_turn_cost() {
            moves = moves.filter(|m| self.ida.metric.cost(m) <= remaining);
        }
        IdaNode {
            node,
            remaining,
            moves,
            path,
        }
    }

    /// Takes some nodes from the stack and prefetches their entries; expands those taken before,
    /// whose entries are there by now.
    fn step(&self, walk: &mut Walk<B::Node>) {
        let first = walk.stack.len().saturating_sub(BATCH);
        let mut next = std::mem::take(&mut walk.spare);
        next.extend(walk.stack.drain(first..));
        next.iter()
            .for_each(|open| self.ida.bound.prefetch(&open.node));
        let mut batch = std::mem::replace(&mut walk.batch, next);
        self.expand(walk, &mut batch);
        walk.spare = batch;
        if walk.counts.nodes - walk.accounted >= CHECK_INTERVAL {
            self.check_limits(walk);
        }
    }

    /// Pushes the children of some nodes that may still lead to a solution, and clears the batch.
    #[inline(always)]
    fn expand(&self, walk: &mut Walk<B::Node>, batch: &mut Vec<IdaNode<B::Node>>) {
        let Ida { bound, metric } = *self.ida;
        walk.counts.nodes += batch
            .iter()
            .map(|open| u64::from(open.moves.bits().count_ones()))
            .sum::<u64>();
        bound.prune(batch, metric, &mut walk.counts.probes);
        for open in batch.drain(..) {
            for m in open.moves.iter() {
                let left = open.remaining - metric.cost(m);
                let path = open.path.then(m);
                if left == 0 {
                    self.test(walk, &path.moves());
                } else {
                    let child = bound.turned(&open.node, m);
                    let child = self.open(child, path, AFTER[m.index()], left);
                    walk.stack.push(child);
                }
            }
        }
    }

    /// Checks whether the search should stop.
    fn check_limits(&self, walk: &mut Walk<B::Node>) {
        let new = walk.counts.nodes - walk.accounted;
        walk.accounted = walk.counts.nodes;
        let left = self
            .left
            .fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(new)));
        if left.is_ok_and(|left| left <= new) || self.control.is_cancelled() {
            self.stop.store(true, Relaxed);
        }
    }

    /// Returns `true` if no conjugate of the moves by a symmetry of the position precedes them.
    fn is_first_of_its_class(&self, path: &[Move]) -> bool {
        self.stabilizer
            .iter()
            .all(|&s| conjugate(path, s).as_slice() >= path)
    }

    /// Stores the moves, and their conjugates by the symmetries of the position, if they solve it.
    fn test(&self, walk: &mut Walk<B::Node>, path: &[Move]) {
        walk.counts.tests += 1;
        if !self.position.apply_moves(path).is_solved() {
            return;
        }
        let mut solutions = self.solutions.lock().expect("no thread panics");
        solutions.insert(canonical(path));
        solutions.extend(self.stabilizer.iter().map(|&s| conjugate(path, s)));
        if solutions.len() >= self.limits.solution_count.max() {
            self.stop.store(true, Relaxed);
        }
    }
}

fn conjugate(path: &[Move], s: Symmetry) -> Vec<Move> {
    canonical(
        &path
            .iter()
            .map(|&m| s.conjugate_move(m))
            .collect::<Vec<_>>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Sequence;

    /// A bound that prunes nothing.
    struct Zero;

    impl LowerBound for Zero {
        type Node = ();

        fn node(&self, _: &Cube) {}

        fn turned(&self, (): &(), _: Move) {}

        fn bound(&self, (): &(), _: u8, _: &mut u64) -> u8 {
            0
        }
    }

    #[test]
    fn tasks_are_in_the_order_of_stored_journals() {
        let ida = Ida {
            bound: &Zero,
            metric: Metric::Htm,
        };
        let limits = IdaLimits::default();
        let control = Control::default();
        let run = IterationRun::new(&ida, &Cube::SOLVED, &limits, &[], u64::MAX, &control);
        let (_, tasks) = run.trunk(&(), SPLIT_FROM);
        assert_eq!(tasks.len(), 3240);
        for (task, moves) in [
            (0, "B2 D' R"),
            (1, "B2 D' R2"),
            (1000, "L U' L2"),
            (2000, "R' B' U'"),
            (3000, "U2 L2 D"),
            (3239, "U B2 L'"),
        ] {
            let moves: Sequence = moves.parse().expect("moves");
            assert_eq!(tasks[task].path.moves(), moves.moves());
        }
    }
}
