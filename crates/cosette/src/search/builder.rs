//! Builders of solvers, which find or generate a table, and [`solve`].

use super::solver::{Solution, Solver};
use crate::control::{Cancel, Control, OnProgress, ThreadCount};
use crate::cube::{Cube, Metric, ParseError};
use crate::table::choice::{self, MemoryLimit, OpenError};
use crate::table::{Table, TableFolder, TableId, UnknownTable};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};

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
}

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

    /// Sets the folder of tables. Default, also for an empty path: the folder in the environment
    /// variable `COSETTE_TABLES`, or else `cosette` in the user's cache folder.
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
    pub fn on_progress<'b>(self, on_progress: OnProgress<'b>) -> SolverBuilder<'b>
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
    /// If the folder cannot be written to, the table is generated in memory, each time, and
    /// [`Solver::save_error`] has the reason. If you did not choose a table, a corrupted one is
    /// [skipped](Solver::skipped_table_errors), and the next smaller one is used.
    ///
    /// # Errors
    ///
    /// Returns an error if the table does not fit in memory or is corrupted, if its name is
    /// unknown, if it is for another metric than the one set, if there are too many threads, or on
    /// cancellation.
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
            .or_else(choice::default_folder)
            .ok_or(OpenError::NoFolder)?;
        let folder = TableFolder::new(folder);
        let shared = largest_in_memory(&folder, metric, named, self.memory);
        let choice = choice::choose(&folder, metric, named, MemoryLimit::now(self.memory));
        if let Some(table) = shared
            && choice
                .as_ref()
                .map_or(true, |choice| choice.id.size <= table.id().size)
        {
            return Ok(Solver::new(table, threads));
        }
        let choice = choice?;
        let opened = folder.open(choice, &control)?;
        if let Some(refused) = &opened.save_error {
            tracing::warn!(table = %choice.id, %refused, "could not save the table; it will be \
                generated again next time");
        }
        for fault in &opened.skipped_table_errors {
            tracing::warn!(table = %opened.table.id(), %fault, "a larger table cannot be used; \
                using this one instead");
        }
        let mut table = Arc::new(opened.table);
        if opened.save_error.is_none() {
            let mut in_memory = IN_MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
            in_memory.retain(|(_, table)| table.strong_count() > 0);
            let path = folder.path_of(table.id());
            // Another thread may have opened it meanwhile.
            match in_memory
                .iter()
                .find_map(|(other, table)| table.upgrade().filter(|_| *other == path))
            {
                Some(there) => table = there,
                None => in_memory.push((path, Arc::downgrade(&table))),
            }
        }
        let save_error = opened.save_error.map(Arc::new);
        let skipped_table_errors = Arc::new(opened.skipped_table_errors);
        Ok(Solver {
            save_error,
            skipped_table_errors,
            ..Solver::new(table, threads)
        })
    }
}

/// Tables that solvers of this process have opened, by file: another solver with the same table
/// shares it.
static IN_MEMORY: Mutex<Vec<(PathBuf, Weak<Table>)>> = Mutex::new(Vec::new());

/// Returns the largest table of this folder that a solver of this process has in memory, in this
/// metric, or the named one; at most `most` bytes.
fn largest_in_memory(
    folder: &TableFolder,
    metric: Metric,
    named: Option<TableId>,
    most: Option<u64>,
) -> Option<Arc<Table>> {
    let in_memory = IN_MEMORY.lock().unwrap_or_else(PoisonError::into_inner);
    let is_asked_for = |table: &Table| {
        let is_asked = named.map_or(table.id().metric == metric, |named| named == table.id());
        is_asked && most.is_none_or(|most| table.id().size.bytes() <= most)
    };
    let at_its_path = |(path, table): &(PathBuf, Weak<Table>)| {
        let table = table.upgrade().filter(|table| is_asked_for(table))?;
        (*path == folder.path_of(table.id()) && path.exists()).then_some(table)
    };
    in_memory
        .iter()
        .filter_map(at_its_path)
        .max_by_key(|table| table.id().size)
}

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
/// Returns an error if the text is not a valid position, or if no table can be opened: too little
/// memory, a corrupted file.
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
