//! IDA*, with any lower bound.
//!
//! Iterative deepening A* (Korf 1985) searches depth first along the canonical sequences to a
//! threshold, and raises it until a solution is found. A node whose depth plus lower bound exceeds
//! the threshold is pruned.
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
//! Departures: 1. There is a stack instead of a recursion, and some nodes are taken from it
//! together, so that the bounds of all their children can be waited for at once
//! ([`LowerBound::prune`]); while they are expanded, the entries of those taken next are prefetched
//! ([`LowerBound::prefetch`]). The counts of a complete iteration are the same. 2. The first moves
//! of a long iteration are tried by one thread, and their survivors are tasks that threads take one
//! by one; the counts of a complete iteration do not depend on the number of threads. 3. If the
//! position has symmetry, it may be used to try one of each class of first moves only; the counts
//! are then those of the smaller tree.
//!
//! # An iteration searched in parts, for instance by several processes
//!
//! ```text
//! cut(position, threshold)                 the first moves tried; what survives them are tasks, the same for everyone
//! for parts of the tasks, in any order     search_part
//! ```
//!
//! The counts of the split and of all its parts add up to those of the whole iteration, to the
//! node.

mod iteration;

pub use iteration::{Ida, IdaIteration, IdaLimits, IdaNode, LowerBound};

use crate::deepening::by_length;
use crate::error::LabError;
use crate::lab::{Lab, processor_time_of_process};
use cosette::cube::{Cube, Metric, Move, MoveSet, Symmetry};
use cosette::search::{Options, Outcome, Report, SolutionCount};
use cosette::{Control, ThreadCount};
use cosette_app::engine::OnEvent;
use iteration::IterationRun;
use std::ops::Range;
use std::sync::atomic::AtomicUsize;

/// The result of a search.
#[derive(Clone, Debug)]
pub struct IdaResult {
    /// The outcome of the search.
    pub outcome: Outcome,
    /// Proven lower bound: no solution is shorter.
    pub lower_bound: u8,
    /// Solutions of that length in canonical form, each re-applied to the position.
    pub solutions: Vec<Vec<Move>>,
    /// The iterations, by increasing threshold.
    pub iterations: Vec<IdaIteration>,
}

impl<B: LowerBound> Ida<'_, B> {
    /// Returns the first threshold of a search.
    pub fn first_threshold(&self, position: &Cube, limits: &IdaLimits) -> u8 {
        let first = self
            .bound
            .bound(&self.bound.node(position), u8::MAX, &mut 0)
            .max(limits.first);
        first + u8::from(self.step(limits) == 2 && (first % 2 == 1) != position.is_odd())
    }

    /// Returns the increment of the threshold.
    pub fn step(&self, limits: &IdaLimits) -> u8 {
        1 + u8::from(limits.by_parity && self.metric == Metric::Qtm)
    }

    /// Finds shortest solutions. The last iteration may be incomplete.
    pub fn search(&self, position: &Cube, limits: &IdaLimits, control: &Control<'_>) -> IdaResult {
        let options = Options {
            solution_count: limits.solution_count,
            max_length: limits.last,
            ..Options::default()
        };
        let mut iterations = Vec::new();
        let mut keep = |iteration| iterations.push(iteration);
        let report = self.solve(position, &options, limits, &|_| {}, &mut keep, control);
        IdaResult {
            outcome: report.outcome,
            lower_bound: report.lower_bound,
            solutions: report.solutions,
            iterations,
        }
    }

    /// Finds shortest solutions as an engine does, and reports each iteration as it ends.
    pub fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        limits: &IdaLimits,
        on_event: OnEvent<'_>,
        on_iteration: &mut dyn FnMut(IdaIteration),
        control: &Control<'_>,
    ) -> Report {
        let limits = &IdaLimits {
            solution_count: options.solution_count,
            ..*limits
        };
        let stabilizer = limits.stabilizer(position);
        let root = self.bound.node(position);
        let mut left = limits.nodes;
        by_length(
            position,
            self.metric,
            options,
            (self.first_threshold(position, limits), self.step(limits)),
            (on_event, control),
            |threshold, control| {
                let run = IterationRun::new(self, position, limits, &stabilizer, left, control);
                let iteration = run.iterate(&root, threshold);
                left = left.saturating_sub(iteration.nodes);
                on_iteration(iteration);
                let solutions = run.solutions.into_inner().expect("no thread panics");
                Some((iteration.threshold(), solutions.into_iter().collect()))
            },
        )
    }
}

/// A solver that searches by IDA*: what it searches with. It is an engine as an
/// [`IdaSolver`](crate::long_search::IdaSolver).
pub trait IdaEngine {
    /// The type of its lower bound.
    type Bound: LowerBound;

    /// Returns its name, as in `cosette-lab solve --engine korf`.
    fn name(&self) -> &'static str;

    /// Returns the metric.
    fn metric(&self) -> Metric;

    /// Returns the name of its tables.
    fn tables(&self) -> String;

    /// Returns its lower bound.
    fn lower_bound(&self) -> &Self::Bound;

    /// Returns a name of its lower bound: searches with equal names have equal nodes.
    fn bound_name(&self) -> String {
        self.tables()
    }

    /// Returns its use of symmetry and parity.
    fn limits(&self) -> IdaLimits {
        IdaLimits::default()
    }
}

impl<B: LowerBound> Ida<'_, B> {
    /// Searches the iteration of this threshold completely; none of its nodes is generated if the
    /// bound of the position exceeds it.
    ///
    /// # Errors
    /// Returns an error on cancellation.
    pub fn iteration(
        &self,
        position: &Cube,
        threshold: u8,
        lab: &Lab<'_>,
    ) -> Result<IdaIteration, LabError> {
        let limits = IdaLimits {
            solution_count: SolutionCount::All,
            by_parity: false,
            ..IdaLimits::only(threshold)
        };
        let found = self.search(position, &limits, &lab.control);
        lab.check()?;
        Ok(found.iterations.first().copied().unwrap_or_default())
    }

    /// Returns the mean nodes of complete iterations of this threshold.
    ///
    /// # Errors
    /// Returns an error on cancellation.
    pub fn mean_nodes(
        &self,
        positions: &[Cube],
        threshold: u8,
        lab: &Lab<'_>,
    ) -> Result<f64, LabError> {
        let mut nodes = 0;
        for (position, done) in positions.iter().zip(0..) {
            lab.step("complete iterations", done, positions.len() as u64);
            nodes += self.iteration(position, threshold, lab)?.nodes;
        }
        Ok(nodes as f64 / positions.len() as f64)
    }

    /// Searches the iteration of this threshold on one thread, three times. Returns it with the
    /// median of the nodes a second of processor time.
    pub fn speed(
        &self,
        position: &Cube,
        threshold: u8,
        lab: &Lab<'_>,
    ) -> Result<(IdaIteration, f64), LabError> {
        let one = Lab {
            control: lab.control.clone().with_threads(ThreadCount::ONE),
            ..lab.clone()
        };
        let search = || -> Result<_, LabError> {
            let before = processor_time_of_process();
            let iteration = self.iteration(position, threshold, &one)?;
            let seconds = processor_time_of_process() - before;
            Ok((iteration, iteration.nodes as f64 / seconds))
        };
        let mut searches = [search()?, search()?, search()?];
        searches.sort_by(|a, b| a.1.total_cmp(&b.1));
        Ok(searches[1])
    }
}

/// The result of a part of an iteration.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct IdaPart {
    /// Nodes generated.
    pub nodes: u64,
    /// Accesses to tables.
    pub probes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    /// `true` if the entire iteration was searched.
    pub complete: bool,
    /// The solutions it holds.
    pub solutions: Vec<Vec<Move>>,
}

/// An iteration that is split into tasks.
#[derive(Clone, Debug)]
pub struct Cut<N> {
    /// Length of the searched solutions.
    pub threshold: u8,
    /// The search of the first moves, which ends at the tasks.
    pub trunk: IdaPart,
    tasks: Vec<IdaNode<N>>,
    stabilizer: Vec<Symmetry>,
}

impl<N> Cut<N> {
    /// Returns the number of tasks: none if the trunk is the entire iteration.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }
}

impl<B: LowerBound> Ida<'_, B> {
    /// Splits the iteration of this threshold into tasks.
    pub fn cut(&self, position: &Cube, threshold: u8, limits: &IdaLimits) -> Cut<B::Node> {
        let stabilizer = limits.stabilizer(position);
        let control = Control::default();
        let run = IterationRun::new(self, position, limits, &stabilizer, u64::MAX, &control);
        let (counts, tasks) = run.trunk(&self.bound.node(position), threshold);
        let trunk = run.result(counts);
        Cut {
            threshold,
            trunk,
            tasks,
            stabilizer,
        }
    }

    /// Searches some of the tasks, on this thread, without reports of progress.
    ///
    /// # Panics
    /// Panics if there are no such tasks.
    pub fn search_part(
        &self,
        position: &Cube,
        cut: &Cut<B::Node>,
        tasks: Range<usize>,
        limits: &IdaLimits,
        control: &Control<'_>,
    ) -> IdaPart {
        let control = control.silent();
        let stabilizer = &cut.stabilizer;
        let run = IterationRun::new(self, position, limits, stabilizer, limits.nodes, &control);
        let counts = run.work(&cut.tasks[tasks], &AtomicUsize::new(0));
        run.result(counts)
    }
}

/// A node of an iteration.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The moves that lead to it.
    pub path: Vec<Move>,
    /// The position there.
    pub position: Cube,
    /// Remaining cost within the threshold.
    pub remaining: u8,
    /// The lower bound of the position.
    pub bound: u8,
}

impl Visit {
    /// Returns `true` if the node is pruned: the bound exceeds the remaining cost.
    pub fn is_cut(&self) -> bool {
        self.bound > self.remaining
    }
}

impl<B: LowerBound> Ida<'_, B> {
    /// Returns all nodes generated by the iteration of this threshold, each before its descendants.
    pub fn trace(&self, position: &Cube, threshold: u8) -> Vec<Visit> {
        let mut visits = Vec::new();
        self.descend(position, threshold, &mut Vec::new(), &mut visits);
        visits
    }

    fn descend(
        &self,
        position: &Cube,
        remaining: u8,
        path: &mut Vec<Move>,
        visits: &mut Vec<Visit>,
    ) {
        for m in MoveSet::after(path.last().copied())
            .iter()
            .filter(|&m| self.metric.cost(m) <= remaining)
        {
            let child = position.apply(m);
            path.push(m);
            let bound = self.bound.bound(&self.bound.node(&child), u8::MAX, &mut 0);
            let remaining = remaining - self.metric.cost(m);
            let visit = Visit {
                path: path.clone(),
                position: child,
                remaining,
                bound,
            };
            let is_cut = visit.is_cut();
            visits.push(visit);
            if !is_cut && remaining > 0 {
                self.descend(&child, remaining, path, visits);
            }
            path.pop();
        }
    }
}
