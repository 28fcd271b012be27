//! The solver, and the choice, generation and loading of its table.

#![expect(
    clippy::too_many_arguments,
    reason = "they are the arguments of the Python methods"
)]

use crate::answer::{self, PyAnswer};
use crate::arguments::{self, MemoryArgument, WholeNumber};
use crate::background::{self, CancelArgument, ProgressLine};
use crate::cube::{self, PositionArg};
use crate::errors;
use crate::many::{self, GOALS, PyAnswers, SolveManyOptions};
use crate::tables;
use cosette::cube::{Metric, ParseOptions};
use cosette::goal::TurnMetric;
use cosette::search::{self, SolutionCount, SolverBuilder};
use cosette::table::{TableError, TableId};
use cosette::{Cancel, Control, Progress, ThreadCount};
use cosette_app::batch::Batch;
use cosette_app::events::SearchEvent;
use cosette_app::goal_engine::{FullTableNeed, GoalSolverCache, OnSearchEvent};
use cosette_app::remedies::{Audience, worded};
use cosette_app::request::{GoalRequest, Request, RequestError};
use cosette_app::solve_result::InvalidSolution;
use cosette_app::units::TableName;
use pyo3::exceptions::{PyRuntimeWarning, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use pythonize::pythonize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An optimal solver: a pruning table in memory, and search threads.
///
/// - ``table``: the name of a table, such as ``"1.5G"`` or ``"qtm-1.5G"``, or ``"auto"`` for the
///   largest table on disk that fits in memory. A table that is not on disk is generated and
///   stored.
/// - ``threads``: the number of threads; by default as many as the machine can run in parallel.
/// - ``metric``: ``"htm"`` (default) or ``"qtm"``.
/// - ``tables``: the folder of the tables; by default the one that the command ``cosette`` uses.
/// - ``memory``: the maximum memory of the table, in bytes or as a string such as ``"1.5G"``.
/// - ``on_progress``: called as ``on_progress(step, done, total)`` while the table is generated and
///   loaded.
/// - ``progress``: True or False turns the progress line on or off. By default it is shown
///   without ``on_progress``, in a terminal or a notebook. Where it is not shown, generating a table
///   for more than five seconds is announced by a ``UserWarning``.
/// - ``cancel``: a ``Cancel``, which stops generating and loading the table.
///
///     >>> from cosette import Solver
///     >>> solver = Solver(table="24M")
///     >>> solver.table
///     'htm-24M'
///     >>> answer = solver.solve("R U2 F'")
///     >>> answer.length, answer.solutions
///     (3, ["F U2 R'"])
///
/// Loading takes about a second per gigabyte, so create a solver once and reuse it. Several threads
/// may use one solver at the same time. A solver can be pickled, e.g. for another process, which
/// then opens the same table with the same number of threads; so in a pool of processes, divide the
/// threads among them with ``threads``.
///
/// ``close``, or the end of a ``with`` statement, frees the memory of the table unless another
/// solver of this process has the same one.
#[pyclass(name = "Solver", module = "cosette", frozen)]
pub struct PySolver {
    /// `None` once the solver is closed.
    opened: Mutex<Option<Arc<OpenSolver>>>,
    table: TableId,
    threads: ThreadCount,
    /// The arguments `tables` and `memory`, for pickling.
    folder: Option<PathBuf>,
    memory: Option<u64>,
}

/// A solver that is not closed.
pub struct OpenSolver {
    /// The solver of the library.
    pub solver: search::Solver,
    /// Solvers of goals of the whole cube, which use the table of this solver.
    goals: GoalSolverCache,
}

#[pymethods]
impl PySolver {
    #[new]
    #[pyo3(
        signature = (
            table=None, threads=None, metric=None, tables=None, memory=None, *,
            on_progress=None, progress=None, cancel=None
        )
    )]
    fn new(
        py: Python<'_>,
        table: Option<&Bound<'_, PyString>>,
        threads: Option<WholeNumber>,
        metric: Option<&Bound<'_, PyAny>>,
        tables: Option<PathBuf>,
        memory: Option<MemoryArgument<'_>>,
        on_progress: Option<&Bound<'_, PyAny>>,
        progress: Option<bool>,
        cancel: Option<CancelArgument>,
    ) -> PyResult<PySolver> {
        let (metric, named) = parse_table(table, metric)?;
        let threads = arguments::threads(threads)?;
        let memory = memory.map(MemoryArgument::bytes).transpose()?;
        let folder = tables.map(|tables| arguments::path("tables", tables));
        let folder = folder.transpose()?;
        let on_progress = arguments::callable("on_progress", on_progress)?;
        let line = ProgressLine::new(py, progress, on_progress)?;
        let mut builder = search::Solver::builder()
            .metric(metric)
            .threads(threads.get());
        if let Some(table) = named {
            builder = builder.table(table);
        }
        if let Some(folder) = &folder {
            builder = builder.folder(folder);
        }
        if let Some(memory) = memory {
            builder = builder.memory(memory);
        }
        if on_progress.is_none() && line.is_none() {
            let folder = tables::folder(py, folder.clone())?;
            tables::announce_generation(py, &folder, (metric, named), (memory, threads))?;
        }
        let requested = background::token(cancel);
        let solver = open(py, builder, on_progress, line.as_ref(), &requested)?;
        Ok(PySolver {
            table: solver.table().id(),
            threads: solver.threads(),
            opened: Mutex::new(Some(Arc::new(OpenSolver {
                goals: GoalSolverCache::with_table(solver.shared_table()),
                solver,
            }))),
            folder,
            memory,
        })
    }

    /// The name of the table, such as ``htm-1.5G``.
    #[getter]
    fn table(&self) -> String {
        self.table.to_string()
    }

    /// The number of threads.
    #[getter]
    fn threads(&self) -> usize {
        self.threads.get()
    }

    /// The metric: ``htm`` or ``qtm``.
    #[getter]
    fn metric(&self) -> &'static str {
        self.table.metric.name()
    }

    /// True once ``close`` was called.
    #[getter]
    fn closed(&self) -> bool {
        self.lock().is_none()
    }

    /// Frees the table. Searches in progress end as usual; later ones raise ``ValueError``.
    fn close(&self, py: Python<'_>) {
        let opened = self.lock().take();
        py.detach(|| drop(opened));
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.close(py);
    }

    /// Finds a shortest solution of a position, and proves that no shorter one exists.
    ///
    /// ``position`` is a string in any format, a ``Cube``, or a row of 54 integers as in
    /// ``to_array``.
    ///
    /// - ``count``: the maximum number of shortest solutions in the answer, by default 1.
    /// - ``prefer``: ``"htm"`` or ``"qtm"``. Finds all shortest solutions and returns the one among
    ///   them that is shortest in this metric.
    /// - ``max_length``: the search stops once all lengths up to this one are ruled out. A known
    ///   solution that is one move longer is then proven to be shortest.
    /// - ``timeout``: the search stops after this many seconds.
    /// - ``on_event``: called with a dictionary for each solution, iteration and progress report,
    ///   as ``cosette solve --events`` prints them.
    /// - ``progress``: True or False turns the progress line on or off. By default it is shown if
    ///   there is no ``on_event`` and standard error is a terminal, or in a notebook, once a search
    ///   takes more than half a second.
    /// - ``cancel``: a ``Cancel``, which stops the search from another thread or from ``asyncio``.
    ///
    /// If a limit stops the search, ``answer.optimal`` is False, and the answer has both bounds and
    /// the best known solution. Ctrl-C stops the search and raises ``KeyboardInterrupt``. A string
    /// that is not a valid position raises ``InvalidCubeError``.
    ///
    /// These keywords define other goals and moves:
    ///
    /// - ``goal``: part of the cube, such as ``"cross:D"``, ``"2x2x2"`` or ``"UF UR URF"``, or
    ///   another position, instead of the solved cube.
    /// - ``moves``: the allowed moves, such as ``"R U F2 M"``.
    /// - ``costs``: the costs of individual moves, as in ``"R2=2"``.
    /// - ``metric``: the metric of the goal, which may also be ``"stm"``, ``"qstm"`` or ``"etm"``.
    /// - ``slack``: with ``count`` or ``solve_all``, also returns solutions whose cost exceeds the
    ///   minimum by at most this much.
    /// - ``starts_with``, ``ends_with``, ``avoid``: return only solutions with this prefix, with
    ///   this suffix, or without these sequences.
    /// - ``unique_up_to``: ``"symmetry"``, ``"inverse"`` or ``"symmetry,inverse"`` returns one
    ///   solution of each equivalence class.
    ///
    ///     >>> from cosette import Solver
    ///     >>> solver = Solver(table="24M")
    ///     >>> cross = solver.solve_all("D2 F R' B U L'", goal="cross:D")
    ///     >>> cross.length, len(cross.solutions)
    ///     (6, 6)
    ///     >>> superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
    ///     >>> events = []
    ///     >>> answer = solver.solve(superflip, max_length=10, on_event=events.append)
    ///     >>> sorted({event["event"] for event in events})
    ///     ['iteration-finished', 'iteration-started', 'progress', 'solution']
    ///     >>> answer.optimal, answer.lower_bound, answer.upper_bound, answer.stop_reason
    ///     (False, 11, 20, 'max-length')
    #[pyo3(
        signature = (position, *, on_event=None, progress=None, cancel=None, **options),
        text_signature = "($self, position, *, count=1, prefer=None, max_length=None, \
            timeout=None, goal=None, moves=None, costs=None, slack=0, starts_with=None, \
            ends_with=None, avoid=None, unique_up_to=None, metric=None, on_event=None, \
            progress=None, cancel=None)"
    )]
    fn solve(
        &self,
        position: &Bound<'_, PyAny>,
        on_event: Option<&Bound<'_, PyAny>>,
        progress: Option<bool>,
        cancel: Option<CancelArgument>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyAnswer> {
        let request = self.read_request(false, options)?;
        self.search(position, request, (on_event, progress), cancel)
    }

    /// Finds all shortest solutions of a position. The arguments are those of ``solve``.
    ///
    /// Symmetric solutions are included. Solutions that differ only in the order of turns of
    /// opposite faces count once.
    ///
    ///     >>> from cosette import Solver
    ///     >>> sorted(Solver(table="24M").solve_all("R2 L2 U2 D2").solutions)
    ///     ['R2 L2 U2 D2', 'U2 D2 R2 L2']
    #[pyo3(
        signature = (position, *, on_event=None, progress=None, cancel=None, **options),
        text_signature = "($self, position, *, max_length=None, timeout=None, goal=None, \
            moves=None, costs=None, slack=0, starts_with=None, ends_with=None, avoid=None, \
            unique_up_to=None, metric=None, on_event=None, progress=None, cancel=None)"
    )]
    fn solve_all(
        &self,
        position: &Bound<'_, PyAny>,
        on_event: Option<&Bound<'_, PyAny>>,
        progress: Option<bool>,
        cancel: Option<CancelArgument>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyAnswer> {
        let request = self.read_request(true, options)?;
        self.search(position, request, (on_event, progress), cancel)
    }

    /// Solves many positions in parallel, each with one thread, and returns an iterator of answers.
    ///
    /// Answers come in the order of the positions, or with ``ordered=False`` as soon as they are
    /// found; ``answer.index`` is the index of the position. ``timeout`` applies to each
    /// position. The other arguments and the keywords for goals are those of ``solve``.
    ///
    /// ``positions`` is any iterable of strings and ``Cube`` objects, or an array with a row of 54
    /// integers for each position, as from ``to_array``. The iterator reads it only a few positions
    /// ahead, so it may be endless. Each string is one position: unlike ``cosette
    /// batch``, ``solve_many`` does not skip empty lines and comments, nor expand alternatives in
    /// brackets; they are not positions.
    ///
    /// - ``errors="raise"`` (default): a string that is not a position raises ``InvalidCubeError``
    ///   when it is reached, and any other value, such as None or NaN, raises ``TypeError``. The
    ///   iteration can continue afterwards.
    /// - ``errors="return"``: the iterator returns an ``InvalidCubeError`` in place of the answer,
    ///   also for None and NaN.
    ///
    ///     >>> from cosette import Solver
    ///     >>> solver = Solver(table="24M")
    ///     >>> [answer.length for answer in solver.solve_many(["R", "R U", "R U F"])]
    ///     [1, 2, 3]
    ///
    /// With ``journal``, the path of a file, each answer is stored there before it is returned. The
    /// same call with the same positions resumes after any interruption, even if the process was
    /// killed: it returns the stored answers first, and solves the other positions and those that
    /// ran out of time. A changed list, even one with positions added, or other arguments raise
    /// ``JournalError``. All positions are read at the start, so the list must be finite.
    /// ``cosette batch`` uses the same journals.
    ///
    ///     >>> import os, tempfile
    ///     >>> journal = os.path.join(tempfile.mkdtemp(), "lengths.journal")
    ///     >>> def solve():
    ///     ...     return solver.solve_many(["R", "R U", "R U F"], journal=journal)
    ///     >>> first = next(solve())
    ///     >>> [answer.length for answer in solve()]
    ///     [1, 2, 3]
    ///
    /// ``cancel``, a ``Cancel``, stops the searches: the iterator then raises ``CancelledError``.
    /// ``close`` of the iterator stops them without an error.
    #[pyo3(
        signature = (
            positions, *, ordered=true, errors=None, journal=None, progress=None, cancel=None,
            **options
        ),
        text_signature = "($self, positions, *, ordered=True, errors='raise', journal=None, \
            count=1, prefer=None, max_length=None, timeout=None, goal=None, moves=None, \
            costs=None, slack=0, starts_with=None, ends_with=None, avoid=None, \
            unique_up_to=None, metric=None, progress=None, cancel=None)"
    )]
    fn solve_many(
        &self,
        positions: &Bound<'_, PyAny>,
        ordered: bool,
        errors: Option<&Bound<'_, PyAny>>,
        journal: Option<PathBuf>,
        progress: Option<bool>,
        cancel: Option<CancelArgument>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyAnswers> {
        let opened = self.opened()?;
        let iterator = many::iterator(positions)?;
        let options = SolveManyOptions {
            raises: errors.map_or(Ok(true), parse_raises)?,
            request: self.read_request(false, options)?,
            ordered,
            total: positions.len().ok(),
            line: ProgressLine::new(positions.py(), progress, None)?,
            requested: background::token(cancel),
        };
        let journal = journal.map(|journal| arguments::path("journal", journal));
        let journal = journal.transpose()?;
        PyAnswers::start(iterator, &opened.solver, options, journal.as_deref())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, Pickled) {
        let PySolver {
            table,
            threads,
            folder,
            memory,
            ..
        } = slf.get();
        (
            slf.get_type(),
            (
                table.to_string(),
                threads.get(),
                None,
                folder.clone(),
                *memory,
            ),
        )
    }

    fn __repr__(&self) -> String {
        let closed = if self.closed() { ", closed" } else { "" };
        format!(
            "<cosette.Solver {} threads={}{closed}>",
            self.table, self.threads
        )
    }
}

/// The arguments from which a pickled solver is created again.
type Pickled = (String, usize, Option<String>, Option<PathBuf>, Option<u64>);

impl PySolver {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<OpenSolver>>> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the solver, unless it is closed.
    pub fn opened(&self) -> PyResult<Arc<OpenSolver>> {
        let closed = "this solver is closed; create another one with cosette.Solver";
        self.lock()
            .clone()
            .ok_or_else(|| PyValueError::new_err(closed))
    }

    /// Returns the request that keywords describe. A request without a goal must be in the metric
    /// of the table.
    fn read_request(
        &self,
        is_for_all: bool,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Request> {
        let table_metric = self.table.metric;
        let request = read_request(table_metric.into(), is_for_all, keywords)?;
        let is_for_goal = || request.parse_goal().is_ok_and(|goal| goal.is_some());
        if request.metric == table_metric.into() || is_for_goal() {
            return Ok(request);
        }
        let metric = request.metric.name();
        Err(PyValueError::new_err(format!(
            "metric='{metric}': the table is for {table_metric}; create another solver with \
             Solver(metric='{metric}')"
        )))
    }

    fn search(
        &self,
        position: &Bound<'_, PyAny>,
        request: Request,
        listener: (Option<&Bound<'_, PyAny>>, Option<bool>),
        cancel: Option<CancelArgument>,
    ) -> PyResult<PyAnswer> {
        let OpenSolver { solver, goals } = &*self.opened()?;
        let goal = parse_goal(&request)?;
        let search = |position: &PositionArg, tell: OnSearchEvent<'_>, cancel: &Cancel| {
            let goal = goal.as_ref().map(|goal| match goal.goal.is_full_cube() {
                true => (goal, goals),
                // Pattern databases of other goals do not depend on this solver.
                false => (goal, &*GOALS),
            });
            answer::solve(
                solver,
                &request,
                goal,
                request.options(),
                &position.position(None),
                tell,
                cancel,
            )
        };
        in_background(position, &request, listener, cancel, search)?
            .map(PyAnswer)
            .map_err(|wrong| errors::internal(position.py(), wrong))
    }
}

/// Solves a request for a part of the cube, or for the whole cube with other turns if the search is
/// short. Returns ``None`` if the request needs a ``Solver``, which has a table.
#[pyfunction]
#[pyo3(signature = (position, is_for_all, on_event, progress, cancel, **options))]
pub fn solve_goal(
    position: &Bound<'_, PyAny>,
    is_for_all: bool,
    on_event: Option<&Bound<'_, PyAny>>,
    progress: Option<bool>,
    cancel: Option<CancelArgument>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<PyAnswer>> {
    let request = read_request(TurnMetric::default(), is_for_all, options)?;
    let Some(goal) = parse_goal(&request)? else {
        return Ok(None);
    };
    let search = |position: &PositionArg, tell: OnSearchEvent<'_>, cancel: &Cancel| {
        let cancel = request.with_deadline(cancel);
        let control = Control::new(ThreadCount::available()).with_cancel(&cancel);
        let parsed = position.position(None);
        let need = GOALS.full_table_need(&request, &goal, &parsed, tell, &control)?;
        let mut result = match need {
            FullTableNeed::Yes => return Ok(None),
            FullTableNeed::No => GOALS.solve(&request, &goal, &parsed, tell, &control)?,
            FullTableNeed::Stopped(result) => return Ok(Some(*result)),
        };
        answer::explain(&mut result);
        Ok(Some(result))
    };
    let result = in_background(position, &request, (on_event, progress), cancel, search)?;
    let result = result.map_err(|wrong: InvalidSolution| errors::internal(position.py(), wrong))?;
    Ok(result.map(PyAnswer))
}

/// Checks that a journal, if it exists, was started with a list of this length and with these
/// keywords: an error comes before a table is generated.
#[pyfunction]
#[pyo3(signature = (journal, length, **options))]
pub fn check_journal(
    py: Python<'_>,
    journal: PathBuf,
    length: usize,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<()> {
    let path = arguments::path("journal", journal)?;
    let request = Request {
        list_length: Some(length),
        ..read_request(TurnMetric::default(), false, options)?
    };
    let checked = py.detach(|| Batch::check_journal(&path, &request));
    checked.map_err(|error| errors::batch(py, &error.into()))
}

/// Returns the request that keywords describe. The keywords have the names of the fields of
/// [`Request`]. The request is for all solutions, or for at most `count`, which is 1 by default.
fn read_request(
    metric: TurnMetric,
    is_for_all: bool,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Request> {
    let count = match is_for_all {
        true => SolutionCount::All,
        false => SolutionCount::ONE,
    };
    let mut request = Request {
        metric,
        count,
        ..Request::default()
    };
    for (name, value) in keywords.into_iter().flatten() {
        let name = name.extract::<String>()?;
        match &*name {
            "count" if !is_for_all => {
                let allowed = "pass an integer from 1 to 2**64 - 1";
                request.count = arguments::count(value.extract()?, allowed)?;
            }
            "prefer" if !is_for_all => request.prefer = arguments::metric(&name, &value)?,
            "optimal_moves" => request.optimal_moves = value.extract()?,
            "list_length" => request.list_length = value.extract()?,
            "max_length" => request.max_length = arguments::length(&name, value.extract()?)?,
            "timeout" => request.timeout = arguments::timeout(value.extract()?)?,
            "metric" if value.is_none() => {}
            "metric" => {
                let allowed = "pass 'htm', 'qtm', 'stm', 'qstm' or 'etm'";
                request.metric = arguments::parsed(&name, &value, allowed)?;
            }
            "slack" => {
                let range = 0..=u32::MAX.into();
                let slack = value.extract::<WholeNumber>()?;
                let slack = slack.within(&name, range, "pass a non-negative integer")?;
                request.slack = slack as u32;
            }
            "goal" => {
                request.goal = match cube::read_cube(&name, &value)? {
                    Some(cube) => Some(cube.facelets()),
                    None => optional_text(&name, &value, "pass a string or a Cube, or None")?,
                }
            }
            _ => {
                let field = match &*name {
                    "moves" => &mut request.moves,
                    "costs" => &mut request.costs,
                    "starts_with" => &mut request.starts_with,
                    "ends_with" => &mut request.ends_with,
                    "avoid" => &mut request.avoid,
                    "unique_up_to" => &mut request.unique_up_to,
                    _ => {
                        let error = format!("unexpected keyword argument '{name}'");
                        return Err(PyTypeError::new_err(error));
                    }
                };
                *field = optional_text(&name, &value, "pass a string, or None")?;
            }
        }
    }
    request.validate().map_err(|refused| match refused {
        RequestError::PreferWithCount => {
            PyValueError::new_err("prefer= returns one solution; remove count=")
        }
        refused => PyValueError::new_err(refused.message_for(Audience::Python)),
    })?;
    Ok(request)
}

/// Converts an argument that is a text or `None`.
fn optional_text(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyResult<Option<String>> {
    value
        .extract()
        .map_err(|_| arguments::wrong_type(name, value, allowed))
}

/// Parses the goal of a request; `None` for a search of the whole cube.
fn parse_goal(request: &Request) -> PyResult<Option<GoalRequest>> {
    request
        .parse_goal()
        .map_err(|refused| PyValueError::new_err(refused.message_for(Audience::Python)))
}

/// Parses a position and solves it, while the calling thread delivers events.
fn in_background<T: Send>(
    position: &Bound<'_, PyAny>,
    request: &Request,
    (on_event, progress): (Option<&Bound<'_, PyAny>>, Option<bool>),
    cancel: Option<CancelArgument>,
    answer: impl FnOnce(&PositionArg, OnSearchEvent<'_>, &Cancel) -> T + Send,
) -> PyResult<T> {
    let py = position.py();
    let on_event = arguments::callable("on_event", on_event)?;
    let line = ProgressLine::new(py, progress, on_event)?;
    let mut position = PositionArg::read("position", position, None, ParseOptions::default())?;
    position.input.cube = request.relative_to_target(&position.input.cube);
    let deliver = |events: Vec<SearchEvent>| {
        events.iter().try_for_each(|event| {
            let event = pythonize(py, event)?;
            line.as_ref()
                .map_or(Ok(()), |line| line.call(py, "event", (&event,)))?;
            on_event.map_or(Ok(()), |on_event| on_event.call1((event,)).map(drop))
        })
    };
    let has_listener = on_event.is_some() || line.is_some();
    background::run(py, &background::token(cancel), deliver, |events, cancel| {
        let tell = |event: SearchEvent| {
            if has_listener {
                // The receiver is gone if the search is being stopped.
                drop(events.send(event));
            }
        };
        answer(&position, &tell, cancel)
    })
}

/// Parses the argument `errors`. Returns `true` if errors are raised.
fn parse_raises(errors: &Bound<'_, PyAny>) -> PyResult<bool> {
    let allowed = "pass 'raise' or 'return'";
    match &*arguments::parsed::<String>("errors", errors, allowed)? {
        "raise" => Ok(true),
        "return" => Ok(false),
        _ => Err(arguments::wrong_value("errors", errors, allowed)),
    }
}

/// Shows the latest of the reports of a step, and passes it to `on_progress`.
pub fn step_progress(
    py: Python<'_>,
    steps: &[(String, Progress)],
    on_progress: Option<&Bound<'_, PyAny>>,
    line: Option<&ProgressLine>,
) -> PyResult<()> {
    let Some((step, Progress { done, total })) = steps.last() else {
        return Ok(());
    };
    line.map_or(Ok(()), |line| line.call(py, "step", (step, done, total)))?;
    on_progress.map_or(Ok(()), |on_progress| {
        on_progress.call1((step, done, total)).map(drop)
    })
}

/// Chooses the table, generates it if it is not on disk, and loads it. `on_progress` is called with
/// the step and its progress.
fn open(
    py: Python<'_>,
    builder: SolverBuilder<'_>,
    on_progress: Option<&Bound<'_, PyAny>>,
    line: Option<&ProgressLine>,
    requested: &Cancel,
) -> PyResult<search::Solver> {
    let deliver = |steps: Vec<(String, Progress)>| step_progress(py, &steps, on_progress, line);
    let opened = background::run(py, requested, deliver, |steps, cancel| {
        let on_progress = |step: &str, progress| drop(steps.send((step.to_owned(), progress)));
        builder.with_cancel(cancel).on_progress(on_progress).open()
    })?;
    let solver = opened.map_err(|error| errors::open_error(py, &error))?;
    let id = solver.table().id();
    let help = |error: &TableError| {
        error
            .remedy()
            .map(|remedy| format!("; {}", worded(&remedy, Audience::Python)))
            .unwrap_or_default()
    };
    let skipped_tables = solver
        .skipped_table_errors()
        .iter()
        .map(|fault| format!("{fault}; using {id} instead{}", help(fault)));
    let unsaved_table = solver.save_error().map(|error| {
        format!(
            "cannot save {id}, so it will be generated again next time: {error}{}",
            help(error)
        )
    });
    for warning in skipped_tables.chain(unsaved_table) {
        tables::warn(py, &py.get_type::<PyRuntimeWarning>(), &warning)?;
    }
    Ok(solver)
}

/// Parses the arguments `table` and `metric`. Returns the metric, and the table if one is named.
pub fn parse_table(
    table: Option<&Bound<'_, PyString>>,
    metric: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Metric, Option<TableId>)> {
    let requested = metric.map_or(Ok(None), |metric| arguments::metric("metric", metric))?;
    let text = table.map_or(Ok("auto".into()), |table| table.to_cow())?;
    let Some(table) = table.filter(|_| text != "auto") else {
        return Ok((requested.unwrap_or_default(), None));
    };
    let TableName { metric, size } = text
        .parse()
        .map_err(|error| errors::unknown_table(table, &error))?;
    if let (Some(requested), Some(own)) = (requested, metric)
        && requested != own
    {
        return Err(PyValueError::new_err(format!(
            "the table {text} is for {own}, but metric= is {requested}; remove one of them"
        )));
    }
    let metric = requested.or(metric).unwrap_or_default();
    Ok((metric, Some(TableId { metric, size })))
}
