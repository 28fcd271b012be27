//! The optimal solver, a table and searches with it, and the solution that it proves shortest.

use super::report::{Options, Report, SolutionCount, TwoPhaseUse};
use crate::control::ThreadCount;
use crate::cube::{Metric, Move, Moves};
use crate::kernel::Instructions;
use crate::table::{Table, TableError};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The optimal solver: a table, and the threads that search with it. Clones share the table.
///
/// [`Solver::open`] finds or generates a table, [`Solver::builder`] does so with options, and [`Solver::new`] takes one
/// that is in memory.
#[derive(Clone, Debug)]
pub struct Solver {
    pub(super) table: Arc<Table>,
    pub(super) threads: ThreadCount,
    pub(super) instructions: Instructions,
    pub(super) unsaved: Option<Arc<TableError>>,
    pub(super) passed_over: Arc<Vec<TableError>>,
}

/// The options of [`Solver::solve`] and [`Solver::solve_many`].
pub(super) const ONE_SOLUTION: Options<'static> = Options {
    solution_count: SolutionCount::ONE,
    max_length: None,
    known: None,
    two_phase: TwoPhaseUse::Meanwhile,
    neighbours: false,
};

impl Solver {
    /// A solver in the metric of `table`, with the fastest instructions of this machine.
    pub fn new(table: Arc<Table>, threads: ThreadCount) -> Solver {
        Solver { table, threads, instructions: Instructions::best(), unsaved: None, passed_over: Arc::default() }
    }

    /// The same solver with other instructions: for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Solver {
        Solver { instructions, ..self }
    }

    /// The same solver with another number of threads.
    #[must_use]
    pub fn with_threads(self, threads: ThreadCount) -> Solver {
        Solver { threads, ..self }
    }

    /// The table it searches with.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The same table, to be shared.
    pub fn shared_table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// Why the table could not be saved when the solver was [opened](Solver::open), so that it will be generated
    /// again next time; `None` if it is on disk, or the solver was not opened but [made of a table](Solver::new).
    pub fn unsaved(&self) -> Option<&TableError> {
        self.unsaved.as_deref()
    }

    /// What was wrong with larger tables when the solver was [opened](Solver::open), so that this one is used.
    pub fn passed_over(&self) -> &[TableError] {
        &self.passed_over
    }

    /// The metric of the table.
    pub fn metric(&self) -> Metric {
        self.table.id().metric
    }

    /// The number of threads that was asked for. Without the feature `threads`, a search uses one all the same.
    pub fn threads(&self) -> ThreadCount {
        self.threads
    }
}

/// A proven shortest solution, checked by applying it to its position. It dereferences to its moves, and `Display` writes
/// them.
#[derive(Clone, Debug)]
pub struct Solution {
    report: Report,
    metric: Metric,
}

impl Solution {
    /// The solution in a report; `None` if the search ended without one.
    pub(super) fn new(report: Report, metric: Metric) -> Option<Solution> {
        (!report.solutions.is_empty()).then_some(Solution { report, metric })
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.report.solutions[0]
    }

    /// How many moves it has, in the metric of the search. Where quarter turns are counted, that may be more than the
    /// `len()` of its slice of moves.
    pub fn length(&self) -> usize {
        self.metric.length(self.moves())
    }

    /// What the search has proven and counted.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl Deref for Solution {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        self.moves()
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Moves(self.moves()).fmt(f)
    }
}
