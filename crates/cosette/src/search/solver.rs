//! The optimal solver, a table and the threads that search with it, and its solutions.

use super::report::{Options, Report, SolutionCount, TwoPhaseMode};
use crate::control::ThreadCount;
use crate::cube::{DisplayMoves, Metric, Move};
use crate::kernel::Instructions;
use crate::table::{Table, TableError};
use std::fmt;
use std::sync::Arc;

/// The optimal solver: a table, and the threads that search with it.
///
/// Clones share the table. A solver is `Send` and `Sync`: threads can search with one solver at the
/// same time. Searches block the calling thread, so call them from async code by a function such as
/// `spawn_blocking`.
///
/// [`Solver::open`] finds or generates a table, [`Solver::builder`] does so with options, and
/// [`Solver::new`] takes one that is in memory.
#[derive(Clone, Debug)]
pub struct Solver {
    pub(super) table: Arc<Table>,
    pub(super) threads: ThreadCount,
    pub(super) instructions: Instructions,
    pub(super) save_error: Option<Arc<TableError>>,
    pub(super) skipped_table_errors: Arc<Vec<TableError>>,
}

/// The options of [`Solver::solve`] and [`Solver::solve_many`].
pub(super) const ONE_SOLUTION: Options<'static> = Options {
    solution_count: SolutionCount::ONE,
    max_length: None,
    known_solution: None,
    two_phase: TwoPhaseMode::Interleaved,
    neighbors: false,
};

impl Solver {
    /// Creates a solver in the metric of `table`, with the fastest instructions of this machine.
    pub fn new(table: Arc<Table>, threads: ThreadCount) -> Solver {
        Solver {
            table,
            threads,
            instructions: Instructions::best(),
            save_error: None,
            skipped_table_errors: Arc::default(),
        }
    }

    /// Selects other instructions: for tests and benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Solver {
        Solver {
            instructions,
            ..self
        }
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(self, threads: ThreadCount) -> Solver {
        Solver { threads, ..self }
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the table, to be shared.
    pub fn shared_table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// Returns the reason why the table could not be saved when the solver was
    /// [opened](Solver::open); it will then be generated again next time. `None` if the table is on
    /// disk, or if the solver was [created from a table](Solver::new).
    pub fn save_error(&self) -> Option<&TableError> {
        self.save_error.as_deref()
    }

    /// Returns the errors of larger tables that were skipped when the solver was
    /// [opened](Solver::open).
    pub fn skipped_table_errors(&self) -> &[TableError] {
        &self.skipped_table_errors
    }

    /// Returns the metric of the table.
    pub fn metric(&self) -> Metric {
        self.table.id().metric
    }

    /// Returns the requested number of threads. Without the feature `threads`, a search always uses
    /// one.
    pub fn threads(&self) -> ThreadCount {
        self.threads
    }
}

/// A proven shortest solution, verified by applying it to its position. [`moves`](Self::moves)
/// returns its moves, and `Display` writes them.
#[derive(Clone, Debug)]
pub struct Solution {
    report: Report,
    metric: Metric,
}

impl Solution {
    /// Returns the solution in a report; `None` if the search ended without one.
    pub(super) fn new(report: Report, metric: Metric) -> Option<Solution> {
        (!report.solutions.is_empty()).then_some(Solution { report, metric })
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[Move] {
        &self.report.solutions[0]
    }

    /// Returns the length in the metric of the search. In the quarter-turn metric, a half turn
    /// counts as two, so the length may be greater than `moves().len()`:
    ///
    /// ```
    /// use cosette::{Metric, Sequence};
    ///
    /// let sequence: Sequence = "R2 U F2".parse()?;
    /// assert_eq!((Metric::Qtm.length(sequence.moves()), sequence.moves().len()), (5, 3));
    /// # Ok::<(), cosette::ParseError>(())
    /// ```
    pub fn length(&self) -> usize {
        self.metric.length(self.moves())
    }

    /// Returns the report of the search.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        DisplayMoves(self.moves()).fmt(f)
    }
}
