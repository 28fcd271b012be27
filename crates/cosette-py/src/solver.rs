//! The solver, and how its table is chosen, generated and loaded.

#![expect(clippy::too_many_arguments, reason = "they are the arguments of the Python methods")]

use crate::answer::{self, Answer};
use crate::background::{self, ProgressLine};
use crate::cube::PositionArg;
use crate::errors;
use crate::many::{self, Answers, Asked};
use crate::request::{self, Seconds, Whole};
use cosette::cube::{Metric, ReadOptions};
use cosette::search::{self, Event, SolverBuilder};
use cosette::table::{TableError, TableId};
use cosette::{Cancel, Control, Progress, ThreadCount};
use cosette_app::goals::{Goals, Listener, Preparation};
use cosette_app::json;
use cosette_app::remedies::{Audience, worded};
use cosette_app::request::{Request, Wanted};
use cosette_app::words::TableName;
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};
use pythonize::pythonize;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::LazyLock;

/// An optimal solver: a pruning table in memory, and threads to search with.
///
/// ``table`` is the name of a table, as in ``"1.5G"``, or ``"auto"``: the largest on disk that fits in memory. A table that
/// is not on disk is generated and kept, in the folder ``tables`` or else in the one that the command ``cosette`` uses.
/// ``threads`` is the number of threads, by default as many as the machine runs at once. ``memory`` is the most memory
/// that the table may take, in bytes or as in ``"1.5G"``. ``on_progress(what, done, total)`` is called while the table is
/// generated and loaded. Without it, progress is shown where standard error is a terminal or in a notebook; ``progress``
/// turns that on or off.
///
///     >>> from cosette import Solver
///     >>> solver = Solver(table="24M")
///     >>> solver.table
///     'htm-24M'
///     >>> answer = solver.solve("R U2 F'")
///     >>> answer.length, answer.solutions
///     (3, ["F U2 R'"])
///
/// Loading takes about a second for each gigabyte, so keep a solver instead of making it again. Several threads
/// may use one at the same time. A solver that is pickled, as for another process, is made again there from the same
/// arguments.
#[pyclass(module = "cosette", frozen)]
pub struct Solver {
    solver: search::Solver,
    /// Goals that are searched with its table.
    goals: Goals,
    /// The arguments `tables` and `memory`, for pickling.
    folder: Option<PathBuf>,
    memory: Option<u64>,
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(
        signature = (
            table=None, threads=None, metric=None, tables=None, memory=None, *, on_progress=None, progress=None
        ),
        text_signature = "(table='auto', threads=None, metric=None, tables=None, memory=None, *, on_progress=None, \
                          progress=None)"
    )]
    fn new(
        py: Python<'_>,
        table: Option<&Bound<'_, PyString>>,
        threads: Option<Whole>,
        metric: Option<&Bound<'_, PyString>>,
        tables: Option<PathBuf>,
        memory: Option<request::Memory<'_>>,
        on_progress: Option<&Bound<'_, PyAny>>,
        progress: Option<bool>,
    ) -> PyResult<Solver> {
        let (metric, named) = table_named(table, metric)?;
        let threads = request::threads(threads)?;
        let memory = memory.map(request::Memory::bytes).transpose()?;
        let folder = tables.map(|tables| request::path("tables", tables)).transpose()?;
        let on_progress = request::callable("on_progress", on_progress)?;
        let line = ProgressLine::new(py, progress, on_progress)?;
        let mut builder = search::Solver::builder().metric(metric).threads(threads.get());
        if let Some(table) = named {
            builder = builder.table(table);
        }
        if let Some(folder) = &folder {
            builder = builder.folder(folder);
        }
        if let Some(memory) = memory {
            builder = builder.memory(memory);
        }
        let solver = open(py, builder, on_progress, line.as_ref())?;
        Ok(Solver { goals: Goals::with_table(solver.shared_table()), solver, folder, memory })
    }

    /// The name of the table, as in ``htm-1.5G``.
    #[getter]
    fn table(&self) -> String {
        self.solver.table().id().to_string()
    }

    /// The number of threads.
    #[getter]
    fn threads(&self) -> usize {
        self.solver.threads().get()
    }

    /// What is counted: ``htm`` or ``qtm``.
    #[getter]
    fn metric(&self) -> &'static str {
        self.solver.metric().name()
    }

    /// Proves the shortest solution of a position: a text in any format, or a ``Cube``.
    ///
    /// The answer has at most ``count`` shortest solutions. With ``prefer`` it has one, which is also shortest in that
    /// metric among all of them. The search gives up when all lengths up to ``max_length`` are ruled out (a known solution
    /// that is one move longer is then proven), or after ``timeout`` seconds; the answer is then not optimal, and has both
    /// bounds and the best solution known.
    /// ``on_event`` is called with a dictionary for each solution, threshold and progress report, as ``cosette solve
    /// --events`` prints them. Without it, progress is shown where standard error is a terminal or in a notebook, once a
    /// search takes more than half a second; ``progress`` turns that on or off. Ctrl-C stops the search and raises
    /// ``KeyboardInterrupt``.
    ///
    /// ``to`` names a goal other than the solved cube: a part, as in ``"cross:D"``, ``"2x2x2"`` or ``"UF UR URF"``, or another
    /// position. ``moves`` are the turns that are allowed, as in ``"R U F2 M"``, and ``cost`` what they cost where not as the metric
    /// counts them, as in ``"R2=2"``; ``metric`` may then also be ``"stm"``, ``"qstm"`` or ``"etm"``. With ``slack`` the answer has
    /// solutions that cost up to so much more too; ``starts``, ``ends`` and ``avoid`` say what is and is not in them, and
    /// ``up_to="symmetry"``, ``"inverse"`` or ``"symmetry,inverse"`` of which of them one is enough.
    ///
    ///     >>> from cosette import Solver
    ///     >>> solver = Solver(table="24M")
    ///     >>> cross = solver.solve_all("D2 F R' B U L'", to="cross:D")
    ///     >>> cross.length, len(cross.solutions)
    ///     (6, 6)
    ///     >>> events = []
    ///     >>> solver.solve("R U R' U'", on_event=events.append).length
    ///     4
    ///     >>> sorted({event["event"] for event in events})
    ///     ['progress', 'solution', 'threshold-done', 'threshold-started']
    ///     >>> superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
    ///     >>> answer = solver.solve(superflip, max_length=10)
    ///     >>> answer.optimal, answer.lower_bound, answer.upper_bound, answer.stopped
    ///     (False, 11, 20, 'max-length')
    #[pyo3(
        signature = (
            position, *, count=Whole::ONE, prefer=None, max_length=None, timeout=None, on_event=None, progress=None,
            **goal
        ),
        text_signature = "($self, position, *, count=1, prefer=None, max_length=None, timeout=None, on_event=None, \
                          progress=None, **goal)"
    )]
    fn solve(
        &self,
        position: &Bound<'_, PyAny>,
        count: Whole,
        prefer: Option<&Bound<'_, PyString>>,
        max_length: Option<Whole>,
        timeout: Option<Seconds>,
        on_event: Option<&Bound<'_, PyAny>>,
        progress: Option<bool>,
        goal: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answer> {
        let request = self.asked(request::at_most(request::all(max_length, timeout)?, count, prefer)?, goal)?;
        self.search(position, request, on_event, progress)
    }

    /// Finds all shortest solutions of a position, symmetric ones included; those that differ only in the order of turns of opposite
    /// faces count once. The arguments are those of ``solve``.
    ///
    ///     >>> from cosette import Solver
    ///     >>> sorted(Solver(table="24M").solve_all("R2 L2 U2 D2").solutions)
    ///     ['R2 L2 U2 D2', 'U2 D2 R2 L2']
    #[pyo3(
        signature = (position, *, max_length=None, timeout=None, on_event=None, progress=None, **goal),
        text_signature = "($self, position, *, max_length=None, timeout=None, on_event=None, progress=None, **goal)"
    )]
    fn solve_all(
        &self,
        position: &Bound<'_, PyAny>,
        max_length: Option<Whole>,
        timeout: Option<Seconds>,
        on_event: Option<&Bound<'_, PyAny>>,
        progress: Option<bool>,
        goal: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answer> {
        self.search(position, self.asked(request::all(max_length, timeout)?, goal)?, on_event, progress)
    }

    /// Solves many positions in parallel, each with one thread. Returns an iterator of answers in the order in which
    /// they are found, or with ``ordered`` in the order of the positions; ``answer.index`` is the index of the position.
    /// ``count`` and ``prefer`` are as in ``solve``.
    ///
    /// The thread that asks for answers reads the positions, and only a few of them ahead, so they may come from an
    /// endless generator. A text that is not a position raises ``NotACubeError`` in its turn, after which the iterator
    /// continues, and what is not even a text, such as a missing value, a ``TypeError``; with ``errors="return"`` it
    /// returns a ``NotACubeError`` in place of an answer. ``timeout`` is for each position. ``progress`` is as in ``solve``.
    ///
    ///     >>> from cosette import Solver
    ///     >>> solver = Solver(table="24M")
    ///     >>> [answer.length for answer in solver.solve_many(["R", "R U", "R U F"], ordered=True)]
    ///     [1, 2, 3]
    ///
    /// With ``journal``, the path of a file, each answer is stored there before it is returned. Started again with the same
    /// positions and arguments, however it was stopped, a run returns the stored answers first and solves only the other
    /// positions. All positions are read at the start then. The journal is that of ``cosette batch``. A position that ran
    /// out of time is tried again.
    ///
    ///     >>> import os, tempfile
    ///     >>> journal = os.path.join(tempfile.mkdtemp(), "lengths.journal")
    ///     >>> first = next(solver.solve_many(["R", "R U", "R U F"], ordered=True, journal=journal))
    ///     >>> [answer.length for answer in solver.solve_many(["R", "R U", "R U F"], ordered=True, journal=journal)]
    ///     [1, 2, 3]
    #[pyo3(
        signature = (
            positions, *, ordered=false, count=Whole::ONE, prefer=None, max_length=None, timeout=None,
            errors=None, journal=None, progress=None, **goal
        ),
        text_signature = "($self, positions, *, ordered=False, count=1, prefer=None, max_length=None, timeout=None, \
                          errors='raise', journal=None, progress=None, **goal)"
    )]
    fn solve_many(
        &self,
        positions: &Bound<'_, PyAny>,
        ordered: bool,
        count: Whole,
        prefer: Option<&Bound<'_, PyString>>,
        max_length: Option<Whole>,
        timeout: Option<Seconds>,
        errors: Option<&Bound<'_, PyString>>,
        journal: Option<PathBuf>,
        progress: Option<bool>,
        goal: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Answers> {
        let iterator = many::iterator(positions)?;
        let raises = errors.map_or(Ok(true), raises)?;
        let request = self.asked(request::at_most(request::all(max_length, timeout)?, count, prefer)?, goal)?;
        let journal = journal.map(|journal| request::path("journal", journal)).transpose()?;
        let line = ProgressLine::new(positions.py(), progress, None)?;
        let asked = Asked { request, ordered, raises, line, total: positions.len().ok() };
        match journal {
            None => Answers::start(iterator, &self.solver, asked),
            Some(journal) => Answers::continue_journal(iterator, &self.solver, asked, &journal),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, Pickled) {
        let Solver { solver, folder, memory, .. } = slf.get();
        (slf.get_type(), (solver.table().id().to_string(), solver.threads().get(), None, folder.clone(), *memory))
    }

    fn __repr__(&self) -> String {
        format!("<cosette.Solver {} threads={}>", self.solver.table().id(), self.solver.threads())
    }
}

/// The arguments with which a solver is made again.
type Pickled = (String, usize, Option<String>, Option<PathBuf>, Option<u64>);

impl Solver {
    /// The solver of the library.
    pub fn engine(&self) -> &search::Solver {
        &self.solver
    }

    /// The request in the metric of the table, or for this goal.
    fn asked(&self, request: Request, goal: Option<&Bound<'_, PyDict>>) -> PyResult<Request> {
        let of_table = self.solver.metric().into();
        let request = request::with_goal(Request { metric: of_table, ..request }, goal)?;
        match request.metric == of_table || request.goal().is_ok_and(|goal| goal.is_some()) {
            true => Ok(request),
            false => {
                let (metric, own) = (request.metric.name(), self.solver.metric());
                Err(PyValueError::new_err(format!(
                    "metric='{metric}': the table is for {own}; make another solver with Solver(metric='{metric}')"
                )))
            }
        }
    }

    fn search(
        &self,
        position: &Bound<'_, PyAny>,
        request: Request,
        on_event: Option<&Bound<'_, PyAny>>,
        progress: Option<bool>,
    ) -> PyResult<Answer> {
        if let Some(wanted) = wanted(&request)? {
            // Tables of parts do not depend on this solver.
            let goals = if wanted.goal.is_whole() { &self.goals } else { &*GOALS };
            let answer = in_background(position, &request, on_event, progress, |position, tell, cancel| {
                let preparation = Preparation::default();
                let on_progress =
                    |step: &str, progress: Progress| preparation.event(step, progress).into_iter().for_each(tell);
                let control = Control::new(self.solver.threads()).with_cancel(cancel).on_progress(&on_progress);
                goal_answer(position, (&request, &wanted), goals, tell, &control)
            })?;
            return Ok(Answer(answer));
        }
        let py = position.py();
        let solved = in_background(position, &request, on_event, progress, |position, tell, cancel| {
            let on_event = |event: Event<'_>| tell(json::Event::new(event, self.solver.metric()));
            answer::solve(&self.solver, (&request, request.options()), (position, None), &on_event, cancel)
        })?;
        solved.map(Answer).map_err(|wrong| errors::internal(py, wrong))
    }
}

/// Answers what is asked of a part of the cube, or of the whole cube with other turns while that is short. ``None`` if it is for a ``Solver``,
/// which has a table.
#[pyfunction]
#[pyo3(signature = (position, count, prefer, max_length, timeout, on_event, progress, **goal))]
pub fn solve_goal(
    position: &Bound<'_, PyAny>,
    count: Option<Whole>,
    prefer: Option<&Bound<'_, PyString>>,
    max_length: Option<Whole>,
    timeout: Option<Seconds>,
    on_event: Option<&Bound<'_, PyAny>>,
    progress: Option<bool>,
    goal: Option<&Bound<'_, PyDict>>,
) -> PyResult<Option<Answer>> {
    let all = request::all(max_length, timeout)?;
    let request = match count {
        Some(count) => request::at_most(all, count, prefer)?,
        None => all,
    };
    let request = request::with_goal(request, goal)?;
    let Some(wanted) = wanted(&request)? else { return Ok(None) };
    let answer = in_background(position, &request, on_event, progress, |position, tell, cancel| {
        let preparation = Preparation::default();
        let on_progress = |step: &str, progress: Progress| preparation.event(step, progress).into_iter().for_each(tell);
        let control =
            Control::new(ThreadCount::available()).with_cancel(&request.limited(cancel)).on_progress(&on_progress);
        let of_text = (&position.text[..], None, &position.input);
        match GOALS.would_take_table((&request, &wanted), of_text, &control) {
            Ok(true) => None,
            Ok(false) => Some(goal_answer(position, (&request, &wanted), &GOALS, tell, &control)),
            Err(stopped) => Some(json::Solve { name: position.name.clone(), ..*stopped }),
        }
    })?;
    Ok(answer.map(Answer))
}

/// The tables of the goals that were asked last.
pub static GOALS: LazyLock<Goals> = LazyLock::new(Goals::default);

fn wanted(request: &Request) -> PyResult<Option<Wanted>> {
    request.goal().map_err(|refused| PyValueError::new_err(refused.worded(Audience::Python)))
}

fn goal_answer(
    position: &PositionArg,
    (request, wanted): (&Request, &Wanted),
    goals: &Goals,
    tell: Tell<'_>,
    control: &Control<'_>,
) -> json::Solve {
    let on_event = |event: Event<'_>| tell(json::Event::new(event, request.metric_of_faces()));
    let listener = Listener { on_event: &on_event, on_found: &|found| tell(json::Event::found(found)) };
    let mut answer = goals.answer((request, wanted), (&position.text, None, &position.input), listener, control);
    answer::explain(&mut answer);
    json::Solve { name: position.name.clone(), ..answer }
}

/// Takes the events of a search.
type Tell<'a> = &'a (dyn Fn(json::Event) + Sync);

/// Reads a position and answers it, while the thread that called delivers events.
fn in_background<T: Send>(
    position: &Bound<'_, PyAny>,
    request: &Request,
    on_event: Option<&Bound<'_, PyAny>>,
    progress: Option<bool>,
    answer: impl FnOnce(&PositionArg, Tell<'_>, &Cancel) -> T + Send,
) -> PyResult<T> {
    let py = position.py();
    let on_event = request::callable("on_event", on_event)?;
    let line = ProgressLine::new(py, progress, on_event)?;
    let mut position = PositionArg::read("position", position, None, ReadOptions::default())?;
    position.input.cube = request.as_seen(&position.input.cube);
    let deliver = |events: Vec<json::Event>| {
        events.iter().try_for_each(|event| {
            let event = pythonize(py, event)?;
            line.as_ref().map_or(Ok(()), |line| line.call(py, "event", (&event,)))?;
            on_event.map_or(Ok(()), |on_event| on_event.call1((event,)).map(drop))
        })
    };
    let has_listener = on_event.is_some() || line.is_some();
    background::run(py, deliver, |events, cancel| {
        let tell = |event: json::Event| {
            if has_listener {
                // The receiver is gone if the search is being stopped.
                drop(events.send(event));
            }
        };
        answer(&position, &tell, cancel)
    })
}

/// Whether the argument `errors` says that errors are raised.
fn raises(errors: &Bound<'_, PyString>) -> PyResult<bool> {
    match &*errors.to_cow()? {
        "raise" => Ok(true),
        "return" => Ok(false),
        _ => Err(request::wrong_value("errors", errors, "give 'raise' or 'return'")),
    }
}

/// Chooses the table, generates it if it is not on disk, and loads it. `on_progress` is called with the step and its progress.
fn open(
    py: Python<'_>,
    builder: SolverBuilder<'_>,
    on_progress: Option<&Bound<'_, PyAny>>,
    line: Option<&ProgressLine>,
) -> PyResult<search::Solver> {
    let deliver = |steps: Vec<(String, Progress)>| {
        let Some((what, Progress { done, total })) = steps.last() else { return Ok(()) };
        line.map_or(Ok(()), |line| line.call(py, "step", (what, done, total)))?;
        on_progress.map_or(Ok(()), |on_progress| on_progress.call1((what, done, total)).map(drop))
    };
    let opened = background::run(py, deliver, |steps, cancel| {
        let on_progress = |step: &str, progress| drop(steps.send((step.to_owned(), progress)));
        builder.cancel(cancel).on_progress(&on_progress).open()
    })?;
    let solver = opened.map_err(|error| errors::no_table(py, &error))?;
    let id = solver.table().id();
    let help = |error: &TableError| {
        error.remedy().map(|remedy| format!("; {}", worded(&remedy, Audience::Python))).unwrap_or_default()
    };
    let passed_over = solver.passed_over().iter().map(|fault| format!("{fault}, and {id} is used{}", help(fault)));
    let unsaved = solver
        .unsaved()
        .map(|error| format!("{id} could not be saved and will be generated again next time: {error}{}", help(error)));
    for warning in passed_over.chain(unsaved) {
        let warning = CString::new(warning.replace('\0', "?")).expect("there is no zero left");
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &warning, 1)?;
    }
    Ok(solver)
}

/// The metric and the table that the arguments `table` and `metric` name together.
fn table_named(
    table: Option<&Bound<'_, PyString>>,
    metric: Option<&Bound<'_, PyString>>,
) -> PyResult<(Metric, Option<TableId>)> {
    let requested = metric.map(|metric| request::metric("metric", metric)).transpose()?;
    let Some(table) = table else { return Ok((requested.unwrap_or_default(), None)) };
    let text = table.to_cow()?;
    if text == "auto" {
        return Ok((requested.unwrap_or_default(), None));
    }
    let name: TableName = text.parse().map_err(|error| errors::unknown_table(table, &error))?;
    match (requested, name.metric) {
        (Some(requested), Some(of_table)) if requested != of_table => {
            let message = format!("the table {text} is for {of_table}, but metric= is {requested}; leave one out");
            Err(PyValueError::new_err(message))
        }
        (requested, of_table) => {
            let metric = requested.or(of_table).unwrap_or_default();
            Ok((metric, Some(TableId { metric, size: name.size })))
        }
    }
}
