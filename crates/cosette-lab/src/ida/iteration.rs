//! One iteration: a stack of nodes, taken in batches; tasks for threads.

use super::{Ida, Iteration, Limits, LowerBound, Open};
use cosette::Cancel;
use cosette::cube::{Cube, Move, MoveSet, Symmetry, canonical};
use cosette::search::SolutionCount;
use std::collections::BTreeSet;
use std::ops::AddAssign;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

/// After so many moves the survivors are tasks.
const SPLIT: usize = 3;
/// From this threshold on an iteration is cut into tasks.
const SPLIT_FROM: u8 = 9;
/// So many nodes are taken from the stack together.
const BATCH: usize = 16;
/// After so many nodes a thread looks whether it should stop.
const LOOK_AFTER: u64 = 1 << 14;

/// The moves that lead to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path {
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

/// One iteration under way.
pub(super) struct Run<'a, B> {
    ida: &'a Ida<'a, B>,
    position: &'a Cube,
    limits: &'a Limits,
    /// The symmetries to be used.
    stabilizer: &'a [Symmetry],
    cancel: &'a Cancel,
    /// How many nodes may still be generated.
    left: AtomicU64,
    stop: AtomicBool,
    pub solutions: Mutex<BTreeSet<Vec<Move>>>,
}

/// What a search has counted, as in [`Iteration`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub nodes: u64,
    pub probes: u64,
    pub tests: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.nodes += other.nodes;
        self.probes += other.probes;
        self.tests += other.tests;
    }
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

    fn counts(&self) -> Counts {
        Counts { nodes: self.nodes, probes: self.probes, tests: self.tests }
    }
}

impl<'a, B: LowerBound> Run<'a, B> {
    /// An iteration that generates no more than `left` nodes, or a look's worth beyond.
    pub fn new(
        ida: &'a Ida<'a, B>,
        position: &'a Cube,
        limits: &'a Limits,
        stabilizer: &'a [Symmetry],
        left: u64,
        cancel: &'a Cancel,
    ) -> Run<'a, B> {
        let (left, stop, solutions) = (AtomicU64::new(left), AtomicBool::new(false), Mutex::default());
        Run { ida, position, limits, stabilizer, cancel, left, stop, solutions }
    }

    /// Searches solutions of this length.
    pub fn iterate(&self, root: &B::Node, threshold: u8) -> Iteration {
        let start = Instant::now();
        let (trunk, tasks) = self.trunk(root, threshold);
        let (next, total) = (AtomicUsize::new(0), Mutex::new(trunk));
        let work = || {
            let counts = self.work(&tasks, &next);
            *total.lock().expect("no thread panics") += counts;
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
        let Counts { nodes, probes, tests } = total.into_inner().expect("no thread panics");
        Iteration { threshold, nodes, probes, tests, elapsed: start.elapsed(), complete: !self.is_stopped() }
    }

    /// Tries the first moves, and leaves what survives them as tasks; all of a short iteration.
    pub fn trunk(&self, root: &B::Node, threshold: u8) -> (Counts, Vec<Open<B::Node>>) {
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
        (trunk.counts(), tasks.unwrap_or_default())
    }

    /// Searches tasks until there are no more of them; `next` is the first one that nobody has taken.
    pub fn work(&self, tasks: &[Open<B::Node>], next: &AtomicUsize) -> Counts {
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
        walk.counts()
    }

    pub fn is_stopped(&self) -> bool {
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
            SolutionCount::One => true,
            SolutionCount::AtMost(count) => solutions.len() >= count.get(),
            SolutionCount::All => false,
        };
        if enough {
            self.stop.store(true, Relaxed);
        }
    }
}

fn conjugate(path: &[Move], s: Symmetry) -> Vec<Move> {
    canonical(&path.iter().map(|&m| s.conjugate_move(m)).collect::<Vec<_>>())
}
