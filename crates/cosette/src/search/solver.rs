//! The optimal solver, a table and the threads that search with it; its solutions; and its
//! builder, which finds or generates a table.

use super::report::{Options, Report, SolutionCount, TwoPhaseMode};
use crate::control::ThreadCount;
#[cfg(feature = "files")]
use crate::control::{Cancel, Control, Progress};
#[cfg(feature = "files")]
use crate::cube::{Cube, ParseError};
use crate::cube::{DisplayMoves, Metric, Move};
use crate::kernel::Instructions;
#[cfg(feature = "files")]
use crate::table::choice::{self, MemoryLimit, OpenError, OpenedTable};
use crate::table::{Table, TableError};
#[cfg(feature = "files")]
use crate::table::{TableFolder, TableId, UnknownTable};
use std::fmt;
#[cfg(feature = "files")]
use std::path::PathBuf;
use std::sync::Arc;
#[cfg(feature = "files")]
use std::sync::{Mutex, PoisonError, Weak};

/// The optimal solver: a table, and the threads that search with it.
///
/// Clones share the table. A solver is `Send` and `Sync`: threads can search with one solver at the
/// same time. Searches block the calling thread, so call them from async code through a function
/// such as tokio's `spawn_blocking`, and cancel them when the future is dropped, as
/// `examples/async_search.rs` does.
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

#[cfg(feature = "files")]
impl Solver {
    /// Opens a solver with the named table (`1.5G`, `htm-1.5G`, `qtm-190M`), which is loaded from
    /// the user's cache folder, and generated there first if it is missing. The folder is
    /// `~/.cache/cosette`, or `%LOCALAPPDATA%\cosette` on Windows, unless `COSETTE_TABLES` in the
    /// environment or [`SolverBuilder::folder`] names another.
    ///
    /// On two cores, generation takes seconds for `190M`, half a minute for `1.5G` and five minutes
    /// for `12G`; for quarter turns, a minute for `qtm-1.5G` and a quarter of an hour for
    /// `qtm-12G`. Loading takes about a second per gigabyte. [`SolverBuilder::on_progress`] reports
    /// the progress.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is unknown, or if the table does not fit in memory or is
    /// corrupted.
    pub fn open(table: &str) -> Result<Solver, OpenError> {
        Solver::builder().table(table).open()
    }

    /// Creates a builder with default options; [`open`](SolverBuilder::open) creates the solver.
    pub fn builder() -> SolverBuilder<'static> {
        SolverBuilder::default()
    }

    /// Creates a solver with an opened table. If the table is stored in its file, later solvers of
    /// this process share it.
    fn with_opened(opened: OpenedTable, folder: &TableFolder, threads: ThreadCount) -> Solver {
        let id = opened.table.id();
        if let Some(refused) = &opened.save_error {
            tracing::warn!(table = %id, %refused, "could not save the table; it will be \
                generated again next time");
        }
        for fault in &opened.skipped_table_errors {
            tracing::warn!(table = %id, %fault, "a larger table cannot be used; using this one \
                instead");
        }
        let table = match opened.save_error {
            None => share(folder.path_of(id), opened.table),
            Some(_) => Arc::new(opened.table),
        };
        Solver {
            save_error: opened.save_error.map(Arc::new),
            skipped_table_errors: Arc::new(opened.skipped_table_errors),
            ..Solver::new(table, threads)
        }
    }
}

#[cfg(feature = "files")]
/// A builder of a [`Solver`].
///
/// By default it uses the largest table on disk that fits in memory, in the half-turn metric, with
/// all threads of the machine. If there is no table, it generates one of 190 MB.
///
/// ```no_run
/// use cosette::{Metric, Solver};
///
/// let solver = Solver::builder().metric(Metric::Qtm).threads(8).memory(4_000_000_000).open()?;
/// # Ok::<(), cosette::OpenError>(())
/// ```
#[must_use = "nothing is opened before `open`"]
#[derive(Clone, Default)]
pub struct SolverBuilder<'a> {
    table: Option<Result<TableId, UnknownTable>>,
    metric: Option<Metric>,
    folder: Option<PathBuf>,
    memory: Option<u64>,
    threads: Option<usize>,
    control: Control<'a>,
}

#[cfg(feature = "files")]
impl<'a> SolverBuilder<'a> {
    /// Sets the table: a [`TableId`] or its name, such as `1.5G` or `qtm-190M`.
    pub fn table(
        mut self,
        table: impl TryInto<TableId, Error: Into<UnknownTable>>,
    ) -> SolverBuilder<'a> {
        self.table = Some(table.try_into().map_err(Into::into));
        self
    }

    /// Sets the metric.
    pub fn metric(mut self, metric: Metric) -> SolverBuilder<'a> {
        self.metric = Some(metric);
        self
    }

    /// Sets the folder of tables. Default, also for an empty path:
    /// [`TableFolder::user_default`].
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> SolverBuilder<'a> {
        self.folder = Some(folder.into());
        self
    }

    /// Sets the maximum size of the table in bytes. Default: the free memory of the machine.
    pub fn memory(mut self, bytes: u64) -> SolverBuilder<'a> {
        self.memory = Some(bytes);
        self
    }

    /// Sets the number of threads.
    pub fn threads(mut self, threads: usize) -> SolverBuilder<'a> {
        self.threads = Some(threads);
        self
    }

    /// Stops loading and generating when `cancel` is triggered.
    pub fn with_cancel(mut self, cancel: &Cancel) -> SolverBuilder<'a> {
        self.control = self.control.with_cancel(cancel);
        self
    }

    /// Calls `on_progress` while a table is loaded or generated, with the current step and its
    /// progress.
    pub fn on_progress<'b>(
        self,
        on_progress: impl Fn(&str, Progress) + Send + Sync + 'b,
    ) -> SolverBuilder<'b>
    where
        'a: 'b,
    {
        SolverBuilder {
            control: self.control.on_progress(on_progress),
            ..self
        }
    }

    /// Loads the table, or generates it if it is missing, and returns the solver. Solvers in one
    /// process that use the same table share its memory.
    ///
    /// If the user's cache folder cannot be written to, the table is generated in memory, each
    /// time, and [`Solver::save_error`] has the reason. If you did not choose a table, a corrupted one is
    /// [skipped](Solver::skipped_table_errors), and the next smaller one is used.
    ///
    /// # Errors
    ///
    /// Returns an error if the table does not fit in memory or is corrupted, if its name is
    /// unknown, if it is for another metric than the one set, if it has to be generated and cannot
    /// be saved in the folder set, if there are too many threads, or on cancellation.
    pub fn open(self) -> Result<Solver, OpenError> {
        let threads = self
            .threads
            .map_or(Ok(ThreadCount::available()), ThreadCount::new)?;
        let control = self.control.with_threads(threads);
        let named = self.table.transpose()?;
        let metric = self
            .metric
            .or(named.map(|table| table.metric))
            .unwrap_or_default();
        if let Some(table) = named.filter(|table| table.metric != metric) {
            return Err(OpenError::OtherMetric { table, metric });
        }
        let folder = self
            .folder
            .filter(|folder| !folder.as_os_str().is_empty())
            .map(TableFolder::new)
            .or_else(TableFolder::user_default)
            .ok_or(OpenError::NoFolder)?;
        let in_memory = largest_in_memory(&folder, metric, named, self.memory);
        let choice = choice::choose(&folder, metric, named, MemoryLimit::now(self.memory));
        match (in_memory, choice) {
            (None, Err(error)) => Err(error),
            (Some(table), Ok(choice)) if choice.id.size <= table.id().size => {
                Ok(Solver::new(table, threads))
            }
            // There is no room for another table, but this one is in memory already.
            (Some(table), Err(_)) => Ok(Solver::new(table, threads)),
            (_, Ok(choice)) => {
                let opened = folder.open(choice, &control)?;
                Ok(Solver::with_opened(opened, &folder, threads))
            }
        }
    }
}

#[cfg(feature = "files")]
/// Tables that solvers of this process have opened, by file: another solver with the same table
/// shares it.
static IN_MEMORY: Mutex<Vec<(PathBuf, Weak<Table>)>> = Mutex::new(Vec::new());

#[cfg(feature = "files")]
/// Returns the largest table in this metric, or the `named` table, that a solver of this process
/// has in memory. Its file must be in this folder, and its size at most `max_bytes`.
fn largest_in_memory(
    folder: &TableFolder,
    metric: Metric,
    named: Option<TableId>,
    max_bytes: Option<u64>,
) -> Option<Arc<Table>> {
    let in_memory = IN_MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    let usable = |(path, table): &(PathBuf, Weak<Table>)| {
        let table = table.upgrade()?;
        let id = table.id();
        let is_usable = named.map_or(id.metric == metric, |named| named == id)
            && max_bytes.is_none_or(|max_bytes| id.size.bytes() <= max_bytes)
            && *path == folder.path_of(id)
            && path.exists();
        is_usable.then_some(table)
    };
    in_memory
        .iter()
        .filter_map(usable)
        .max_by_key(|table| table.id().size)
}

#[cfg(feature = "files")]
/// Returns the table of this file if a solver of this process has it in memory; otherwise `opened`,
/// which later solvers then share.
fn share(path: PathBuf, opened: Table) -> Arc<Table> {
    let mut in_memory = IN_MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    in_memory.retain(|(_, table)| table.strong_count() > 0);
    // Another thread may have opened the table meanwhile.
    let mut others = in_memory.iter().filter(|(other, _)| *other == path);
    if let Some(table) = others.find_map(|(_, table)| table.upgrade()) {
        return table;
    }
    let table = Arc::new(opened);
    in_memory.push((path, Arc::downgrade(&table)));
    table
}

#[cfg(feature = "files")]
/// An error from [`solve`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text is not a valid position.
    #[error(transparent)]
    Read(#[from] ParseError),
    /// No table could be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
}

#[cfg(feature = "files")]
/// Returns a proven shortest solution of a position in any format: moves that lead to it, 54
/// facelets, Reid notation, or Speffz cycles.
///
/// The first call loads the best table in the user's cache folder, or generates one of 190 MB
/// there, which takes some seconds. It stays in memory for later calls. [`Solver`] has more
/// options.
///
/// ```no_run
/// let solution = cosette::solve("R U2 F'")?;
/// assert_eq!((solution.to_string(), solution.length()), ("F U2 R'".to_owned(), 3));
/// # Ok::<(), cosette::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the text is not a valid position, or if no table can be opened (too little
/// memory or a corrupted file).
pub fn solve(position: &str) -> Result<Solution, Error> {
    static SOLVER: Mutex<Option<Solver>> = Mutex::new(None);
    let position: Cube = position.parse()?;
    let solver = {
        let mut solver = SOLVER.lock().unwrap_or_else(PoisonError::into_inner);
        match &*solver {
            Some(solver) => solver.clone(),
            None => solver.insert(Solver::builder().open()?).clone(),
        }
    };
    Ok(solver.solve(&position))
}
