//! IDA*, with any lower bound.
//!
//! Iterative deepening A* (Korf 1985) searches depth first along the canonical sequences to a threshold, and raises it
//! until a solution is found. A node whose depth and lower bound exceed the threshold is cut.
//!
//! ```text
//! for threshold = bound of the position, …
//!     descend(position, threshold):
//!         for each move m that may follow the last one
//!             child = position · m                                          a node generated
//!             unless bound(child) exceeds what remains
//!                 nothing remains: test whether it is solved                a test
//!                 else descend(child, what remains)
//! ```
//!
//! Departures: 1. The first moves of a long iteration are tried by one thread, and their survivors are tasks that threads take
//! one by one; the counts of a complete iteration do not depend on how many threads there are. 2. Where the position has
//! symmetry, it may be used to try one of each class of first moves only; the counts are then those of the smaller tree.

use cosette::Cancel;
use cosette::cube::{Cube, Metric, Move, MoveSet, Symmetry, canonical};
use cosette::search::{Outcome, Report, Threshold, Wanted};
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A lower bound, and what of a position it is read from.
pub trait LowerBound: Sync {
    /// What a node carries.
    type Node: Copy + Send + Sync;

    /// The node of a position.
    fn node(&self, position: &Cube) -> Self::Node;

    /// The node after a move.
    fn turned(&self, node: &Self::Node, m: Move) -> Self::Node;

    /// A lower bound of the distance to solved; where it exceeds `remaining`, any value above that will do. Adds its
    /// accesses to tables to `probes`.
    fn bound(&self, node: &Self::Node, remaining: u8, probes: &mut u64) -> u8;

    /// Leaves of the moves of each node those whose children have a bound within what then remains. A bound that waits for
    /// memory had better ask for the entries of all children before it looks at the first.
    fn prune(&self, nodes: &mut [Open<Self::Node>], metric: Metric, probes: &mut u64) {
        for open in nodes {
            open.moves = open.moves.filter(|m| {
                let left = open.remaining - metric.cost(m);
                self.bound(&self.turned(&open.node, m), left, probes) <= left
            });
        }
    }
}

/// A node whose children are looked at next.
#[derive(Clone, Copy, Debug)]
pub struct Open<N> {
    /// The node.
    pub node: N,
    /// What remains of the threshold, one at least.
    pub remaining: u8,
    /// The moves to be tried; none costs more than remains.
    pub moves: MoveSet,
    path: Path,
}

/// The moves that lead to a node.
#[derive(Clone, Copy, Debug)]
struct Path {
    length: u8,
    moves: [Move; Path::LONGEST],
}

impl Path {
    /// Longer than any shortest solution.
    const LONGEST: usize = 31;
    const EMPTY: Path = Path { length: 0, moves: [Move::ALL[0]; Path::LONGEST] };

    fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.length)]
    }

    fn then(mut self, m: Move) -> Path {
        self.moves[usize::from(self.length)] = m;
        Path { length: self.length + 1, ..self }
    }
}

/// What to search for, and when to leave off.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many of the shortest solutions to find.
    pub wanted: Wanted,
    /// The first threshold: those below are known to hold no solution. Zero is always right.
    pub first: u8,
    /// The last threshold.
    pub last: Option<u8>,
    /// No iteration goes on after so many nodes in all.
    pub nodes: u64,
    /// No iteration goes on after this moment.
    pub deadline: Option<Instant>,
    /// Whether the symmetry of the position is used.
    pub by_symmetry: bool,
    /// Whether thresholds go by twos in the quarter-turn metric, where parity rules out the others.
    pub by_parity: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            wanted: Wanted::One,
            first: 0,
            last: None,
            nodes: u64::MAX,
            deadline: None,
            by_symmetry: false,
            by_parity: true,
        }
    }
}

/// One iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Iteration {
    /// The length of the solutions it searched.
    pub threshold: u8,
    /// Nodes generated: all children, those that are cut at once among them.
    pub nodes: u64,
    /// Accesses to tables.
    pub probes: u64,
    /// Nodes with nothing remaining whose bound is zero: positions to be compared with the solved one.
    pub tests: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether all of it was searched.
    pub complete: bool,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Found {
    /// How it ended.
    pub outcome: Outcome,
    /// No solution is shorter than this.
    pub lower_bound: u8,
    /// Solutions of that length in canonical form, each re-applied to the position.
    pub solutions: Vec<Vec<Move>>,
    /// The iterations, by rising threshold.
    pub iterations: Vec<Iteration>,
    /// The symmetries that fix the position; the identity is the first.
    pub stabilizer: Vec<Symmetry>,
    /// How long it took in all.
    pub elapsed: Duration,
}

impl Found {
    /// The same as the fast engine reports; nodes are those generated.
    pub fn into_report(self) -> Report {
        let threshold = |iteration: &Iteration| Threshold {
            length: iteration.threshold,
            nodes: iteration.nodes,
            probes: iteration.probes,
            elapsed: iteration.elapsed,
            exhausted: iteration.complete,
        };
        Report {
            outcome: self.outcome,
            lower_bound: self.lower_bound,
            thresholds: self.iterations.iter().map(threshold).collect(),
            stabilizer: self.stabilizer.len(),
            solutions: self.solutions,
            elapsed: self.elapsed,
        }
    }
}

/// IDA* with a lower bound.
pub struct Ida<'a, B> {
    /// The lower bound.
    pub bound: &'a B,
    /// What is counted.
    pub metric: Metric,
    /// How many threads search.
    pub threads: NonZeroUsize,
}

/// After so many moves the survivors are tasks.
const SPLIT: usize = 3;
/// From this threshold on an iteration is cut into tasks.
const SPLIT_FROM: u8 = 9;
/// So many nodes are taken from the stack together.
const BATCH: usize = 16;
/// After so many nodes a thread looks whether it should stop.
const LOOK_AFTER: u64 = 1 << 14;

impl<B: LowerBound> Ida<'_, B> {
    /// Finds shortest solutions. Calls `on_iteration` after each iteration, also after one that was not completed.
    pub fn search(
        &self,
        position: &Cube,
        limits: &Limits,
        on_iteration: &mut dyn FnMut(&Iteration),
        cancel: &Cancel,
    ) -> Found {
        let start = Instant::now();
        let stabilizer = position.stabilizer();
        let root = self.bound.node(position);
        let mut iterations: Vec<Iteration> = Vec::new();
        let mut threshold = self.bound.bound(&root, u8::MAX, &mut 0).max(limits.first);
        let by_twos = limits.by_parity && self.metric == Metric::Qtm;
        if by_twos && (threshold % 2 == 1) != position.is_odd() {
            threshold += 1;
        }
        let last = limits.last.unwrap_or(self.metric.diameter());
        let (outcome, solutions) = loop {
            if threshold > last {
                break (Outcome::NoneWithinLimit, BTreeSet::new());
            }
            let spent: u64 = iterations.iter().map(|iteration| iteration.nodes).sum();
            let run = Run {
                ida: self,
                position,
                limits,
                stabilizer: if limits.by_symmetry { &stabilizer } else { &[] },
                cancel,
                left: AtomicU64::new(limits.nodes.saturating_sub(spent)),
                stop: AtomicBool::new(false),
                solutions: Mutex::new(BTreeSet::new()),
            };
            let iteration = run.iterate(&root, threshold);
            on_iteration(&iteration);
            iterations.push(iteration);
            let solutions = run.solutions.into_inner().expect("no thread panics");
            if !solutions.is_empty() && (iteration.complete || limits.wanted != Wanted::All) {
                break (Outcome::Optimal, solutions);
            }
            if !iteration.complete {
                break (Outcome::Cancelled, solutions);
            }
            threshold += 1 + u8::from(by_twos);
        };
        let count = match limits.wanted {
            Wanted::One => 1,
            Wanted::AtMost(count) => count.get(),
            Wanted::All => usize::MAX,
        };
        Found {
            outcome,
            lower_bound: threshold,
            solutions: solutions.into_iter().take(count).collect(),
            iterations,
            stabilizer,
            elapsed: start.elapsed(),
        }
    }
}

/// One iteration under way.
struct Run<'a, B> {
    ida: &'a Ida<'a, B>,
    position: &'a Cube,
    limits: &'a Limits,
    /// The symmetries to be used.
    stabilizer: &'a [Symmetry],
    cancel: &'a Cancel,
    /// How many nodes may still be generated.
    left: AtomicU64,
    stop: AtomicBool,
    solutions: Mutex<BTreeSet<Vec<Move>>>,
}

/// Where one thread is, and what it has counted.
struct Walk<N> {
    stack: Vec<Open<N>>,
    /// The nodes that were taken from the stack together.
    batch: Vec<Open<N>>,
    nodes: u64,
    probes: u64,
    tests: u64,
    /// Nodes that were already taken from what is left.
    accounted: u64,
}

impl<N> Walk<N> {
    fn new() -> Walk<N> {
        Walk { stack: Vec::new(), batch: Vec::new(), nodes: 0, probes: 0, tests: 0, accounted: 0 }
    }
}

impl<B: LowerBound> Run<'_, B> {
    fn iterate(&self, root: &B::Node, threshold: u8) -> Iteration {
        let start = Instant::now();
        let mut trunk = Walk::new();
        let mut tasks = (threshold >= SPLIT_FROM).then(Vec::new);
        if threshold == 0 {
            self.test(&mut trunk, &[]);
        } else {
            trunk.stack.push(self.open(*root, Path::EMPTY, threshold));
        }
        while !trunk.stack.is_empty() && !self.is_stopped() {
            self.step(&mut trunk, tasks.as_mut());
        }
        let tasks = tasks.unwrap_or_default();
        let next = AtomicUsize::new(0);
        let totals = Mutex::new([trunk.nodes, trunk.probes, trunk.tests]);
        let work = || {
            let mut walk = Walk::new();
            while !self.is_stopped() {
                while walk.stack.len() < BATCH
                    && let Some(task) = tasks.get(next.fetch_add(1, Relaxed))
                {
                    walk.stack.push(*task);
                }
                if walk.stack.is_empty() {
                    break;
                }
                self.step(&mut walk, None);
            }
            let mut totals = totals.lock().expect("no thread panics");
            *totals = [totals[0] + walk.nodes, totals[1] + walk.probes, totals[2] + walk.tests];
        };
        std::thread::scope(|scope| {
            for _ in 1..self.ida.threads.get().min(tasks.len()) {
                if let Err(refused) = std::thread::Builder::new().spawn_scoped(scope, work) {
                    tracing::warn!(%refused, "searching with fewer threads");
                    break;
                }
            }
            work();
        });
        let [nodes, probes, tests] = totals.into_inner().expect("no thread panics");
        Iteration { threshold, nodes, probes, tests, elapsed: start.elapsed(), complete: !self.is_stopped() }
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// A node with the moves that may follow the last one.
    #[inline(always)]
    fn open(&self, node: B::Node, path: Path, remaining: u8) -> Open<B::Node> {
        let mut moves = MoveSet::after(path.moves().last().copied());
        if remaining < self.ida.metric.half_turn_cost() {
            moves = moves.filter(|m| self.ida.metric.cost(m) <= remaining);
        }
        Open { node, remaining, moves, path }
    }

    /// Takes some nodes from the stack, and puts their children there that may still be solved in time; or to the tasks,
    /// where there is a list of them.
    fn step(&self, walk: &mut Walk<B::Node>, mut tasks: Option<&mut Vec<Open<B::Node>>>) {
        let Ida { bound, metric, .. } = *self.ida;
        let first = walk.stack.len().saturating_sub(BATCH);
        let mut batch = std::mem::take(&mut walk.batch);
        batch.extend(walk.stack.drain(first..));
        walk.nodes += batch.iter().map(|open| u64::from(open.moves.bits().count_ones())).sum::<u64>();
        bound.prune(&mut batch, metric, &mut walk.probes);
        for open in batch.drain(..) {
            for m in open.moves.iter() {
                let (left, path) = (open.remaining - metric.cost(m), open.path.then(m));
                if left == 0 {
                    self.test(walk, path.moves());
                    continue;
                }
                let child = self.open(bound.turned(&open.node, m), path, left);
                match &mut tasks {
                    Some(tasks) if path.moves().len() == SPLIT => {
                        if self.is_first_of_its_class(path.moves()) {
                            tasks.push(child);
                        }
                    }
                    _ => walk.stack.push(child),
                }
            }
        }
        walk.batch = batch;
        if walk.nodes - walk.accounted >= LOOK_AFTER {
            self.look(walk);
        }
    }

    /// Looks whether the search should stop.
    fn look(&self, walk: &mut Walk<B::Node>) {
        let new = walk.nodes - walk.accounted;
        walk.accounted = walk.nodes;
        let left = self.left.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(new)));
        let is_late = self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if left.is_ok_and(|left| left <= new) || is_late || self.cancel.is_cancelled() {
            self.stop.store(true, Relaxed);
        }
    }

    /// Whether no conjugate of the moves by a symmetry of the position comes before them.
    fn is_first_of_its_class(&self, path: &[Move]) -> bool {
        self.stabilizer.iter().all(|&s| conjugate(path, s).as_slice() >= path)
    }

    /// Keeps the moves, and their conjugates by the symmetries of the position, if they solve it.
    fn test(&self, walk: &mut Walk<B::Node>, path: &[Move]) {
        walk.tests += 1;
        if !self.position.after(path).is_solved() {
            return;
        }
        let mut solutions = self.solutions.lock().expect("no thread panics");
        solutions.insert(canonical(path));
        solutions.extend(self.stabilizer.iter().map(|&s| conjugate(path, s)));
        let enough = match self.limits.wanted {
            Wanted::One => true,
            Wanted::AtMost(count) => solutions.len() >= count.get(),
            Wanted::All => false,
        };
        if enough {
            self.stop.store(true, Relaxed);
        }
    }
}

fn conjugate(path: &[Move], s: Symmetry) -> Vec<Move> {
    canonical(&path.iter().map(|&m| s.conjugate_move(m)).collect::<Vec<_>>())
}
