//! An iteration searched in parts, for instance by several processes.
//!
//! ```text
//! cut(position, threshold)                 the first moves tried; what survives them are tasks, the same for everyone
//! for parts of the tasks, in any order     search_part
//! ```
//!
//! The counts of the cut and of all its parts are those of the whole iteration, to the node.

use super::bound::{LowerBound, Open};
use super::iteration::{Ida, IdaLimits, Run, SearchCounts};
use cosette::Control;
use cosette::cube::{Cube, Move, Symmetry};
use std::ops::Range;
use std::sync::atomic::AtomicUsize;

/// The result of a part of an iteration.
#[derive(Clone, Debug)]
pub struct IdaPart {
    /// Nodes generated.
    pub nodes: u64,
    /// Accesses to tables.
    pub probes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    /// Whether all of it was searched.
    pub complete: bool,
    /// The solutions it holds.
    pub solutions: Vec<Vec<Move>>,
}

/// An iteration that is cut into tasks.
#[derive(Clone, Debug)]
pub struct Cut<N> {
    /// The length of the solutions that are searched.
    pub threshold: u8,
    /// The search of the first moves, which ends at the tasks.
    pub trunk: IdaPart,
    tasks: Vec<Open<N>>,
    stabilizer: Vec<Symmetry>,
}

impl<N> Cut<N> {
    /// How many tasks there are: none where the trunk is all of the iteration.
    pub fn tasks(&self) -> usize {
        self.tasks.len()
    }
}

impl<B: LowerBound> Ida<'_, B> {
    /// Cuts the iteration of this threshold into tasks.
    pub fn cut(&self, position: &Cube, threshold: u8, limits: &IdaLimits) -> Cut<B::Node> {
        let stabilizer = if limits.by_symmetry { position.symmetries() } else { Vec::new() };
        let control = Control::default();
        let run = Run::new(self, position, limits, &stabilizer, u64::MAX, &control);
        let (counts, tasks) = run.trunk(&self.bound.node(position), threshold);
        let trunk = part(run, counts);
        Cut { threshold, trunk, tasks, stabilizer }
    }

    /// Searches some of the tasks, on this thread.
    ///
    /// # Panics
    /// If there are no such tasks.
    pub fn search_part(
        &self,
        position: &Cube,
        cut: &Cut<B::Node>,
        tasks: Range<usize>,
        limits: &IdaLimits,
        control: &Control<'_>,
    ) -> IdaPart {
        let run = Run::new(self, position, limits, &cut.stabilizer, limits.nodes, control);
        let counts = run.work(&cut.tasks[tasks], &AtomicUsize::new(0));
        part(run, counts)
    }
}

fn part<B: LowerBound>(run: Run<'_, B>, counts: SearchCounts) -> IdaPart {
    let complete = !run.is_stopped();
    let solutions = run.solutions.into_inner().expect("no thread panics").into_iter().collect();
    let SearchCounts { nodes, probes, tests } = counts;
    IdaPart { nodes, probes, tests, complete, solutions }
}
