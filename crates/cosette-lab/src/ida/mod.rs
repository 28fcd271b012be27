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
//! Departures: 1. There is a stack instead of a recursion, and some nodes are taken from it together, so that the bounds of
//! all their children can be waited for at once ([`LowerBound::prune`]); what a complete iteration counts is the same. 2. The
//! first moves of a long iteration are tried by one thread, and their survivors are tasks that threads take one by one; the
//! counts of a complete iteration do not depend on how many threads there are. 3. Where the position has symmetry, it
//! may be used to try one of each class of first moves only; the counts are then those of the smaller tree.

mod iteration;
mod part;

pub use part::{Cut, Part};

use cosette::Cancel;
use cosette::cube::{Cube, Metric, Move, MoveSet, Symmetry};
use cosette::search::{Outcome, Report, SolutionCount, Threshold};
use iteration::Run;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
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
    path: iteration::Path,
}

/// What to search for, and when to leave off.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many of the shortest solutions to find.
    pub wanted: SolutionCount,
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
            wanted: SolutionCount::One,
            first: 0,
            last: None,
            nodes: u64::MAX,
            deadline: None,
            by_symmetry: false,
            by_parity: true,
        }
    }
}

impl Limits {
    /// The search of one threshold.
    pub fn only(threshold: u8) -> Limits {
        Limits { first: threshold, last: Some(threshold), ..Limits::default() }
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
            best_known: None,
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

impl<B: LowerBound> Ida<'_, B> {
    /// The threshold that a search begins with.
    pub fn first_threshold(&self, position: &Cube, limits: &Limits) -> u8 {
        let first = self.bound.bound(&self.bound.node(position), u8::MAX, &mut 0).max(limits.first);
        first + u8::from(self.step(limits) == 2 && (first % 2 == 1) != position.is_odd())
    }

    /// From one threshold to the next.
    pub fn step(&self, limits: &Limits) -> u8 {
        1 + u8::from(limits.by_parity && self.metric == Metric::Qtm)
    }

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
        let mut threshold = self.first_threshold(position, limits);
        let last = limits.last.unwrap_or(self.metric.diameter());
        let (outcome, solutions) = loop {
            if threshold > last {
                break (Outcome::NoneWithinLimit, BTreeSet::new());
            }
            let spent: u64 = iterations.iter().map(|iteration| iteration.nodes).sum();
            let used: &[Symmetry] = if limits.by_symmetry { &stabilizer } else { &[] };
            let run = Run::new(self, position, limits, used, limits.nodes.saturating_sub(spent), cancel);
            let iteration = run.iterate(&root, threshold);
            on_iteration(&iteration);
            iterations.push(iteration);
            let solutions = run.solutions.into_inner().expect("no thread panics");
            if !solutions.is_empty() && (iteration.complete || limits.wanted != SolutionCount::All) {
                break (Outcome::Optimal, solutions);
            }
            if !iteration.complete {
                break (Outcome::Cancelled, solutions);
            }
            threshold += self.step(limits);
        };
        let count = match limits.wanted {
            SolutionCount::One => 1,
            SolutionCount::AtMost(count) => count.get(),
            SolutionCount::All => usize::MAX,
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
