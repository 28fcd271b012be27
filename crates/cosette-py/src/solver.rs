//! The solver.

use crate::answer::Answer;
use crate::errors;
use crate::many::Answers;
use crate::opening::{self, Opening};
use crate::position::Position;
use crate::work::{self, Timer};
use cosette::Cancel;
use cosette::cube::{Metric, ReadOptions};
use cosette::search::{self, Event, Options, SolutionCount, TwoPhaseUse};
use cosette::table::Table;
use cosette_app::answer::{self, Mismatch, SolvedBy, Stop};
use cosette_app::json;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pythonize::pythonize;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// An optimal solver: a pruning table in memory, and threads to search with.
///
/// ``table`` is the name of a table, as in ``"2G"``, or ``"auto"``: the largest on disk that fits in memory. A table that
/// is not on disk is filled and kept, in ``tables`` or else where the command ``cosette`` keeps it. ``threads`` are all
/// that the machine runs at once unless said otherwise, ``memory`` the most that the table may take, in bytes or as in
/// ``"2G"``. ``on_progress(what, done, total)`` is called while the table is filled and loaded.
///
///     >>> from cosette import Solver
///     >>> solver = Solver(table="30M")
///     >>> solver.table
///     'htm-30M'
///     >>> answer = solver.solve("R U2 F'")
///     >>> answer.length, answer.solutions
///     (3, ["F U2 R'"])
///
/// Loading takes a second for each few gigabytes, so keep a solver for as long as it is of use. Several threads may use
/// one at the same time.
#[pyclass(module = "cosette", frozen)]
pub struct Solver {
    table: Arc<Table>,
    threads: NonZeroUsize,
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (table="auto", threads=None, metric=None, tables=None, memory=None, *, on_progress=None))]
    fn new(
        py: Python<'_>,
        table: &str,
        threads: Option<usize>,
        metric: Option<&str>,
        tables: Option<PathBuf>,
        memory: Option<&Bound<'_, PyAny>>,
        on_progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Solver> {
        let (metric, named) = opening::table_named(py, table, metric)?;
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = threads.map(|threads| at_least_one("threads", threads)).transpose()?.unwrap_or_else(all);
        let memory = memory.map(opening::memory).transpose()?;
        let opening = Opening { named, metric, threads, folder: opening::folder(tables)?, memory };
        Ok(Solver { table: Arc::new(opening.open(py, callable(on_progress)?)?), threads })
    }

    /// The name of the table, as in ``htm-2G``.
    #[getter]
    fn table(&self) -> String {
        self.table.id().to_string()
    }

    /// How many threads search.
    #[getter]
    fn threads(&self) -> usize {
        self.threads.get()
    }

    /// What is counted: ``htm`` or ``qtm``.
    #[getter]
    fn metric(&self) -> &'static str {
        self.table.id().metric.name()
    }

    /// Proves the shortest solution of a position: a text in any format, or a ``Cube``.
    ///
    /// ``count`` shortest solutions are given at most; with ``prefer`` one that is shortest in that metric too, among all. The search gives up once all lengths up to ``max_length`` are ruled
    /// out, or after ``timeout`` seconds; then the answer is not optimal, and holds both bounds and the best solution known.
    /// ``on_event`` is called with a dictionary for each solution, threshold and step of progress, as ``cosette solve
    /// --events`` prints them. Ctrl-C stops the search and raises ``KeyboardInterrupt``.
    ///
    ///     >>> from cosette import Solver
    ///     >>> solver = Solver(table="30M")
    ///     >>> events = []
    ///     >>> solver.solve("R U R' U'", on_event=events.append).length
    ///     4
    ///     >>> sorted({event["event"] for event in events})
    ///     ['progress', 'solution', 'threshold-done', 'threshold-started']
    ///     >>> superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
    ///     >>> answer = solver.solve(superflip, max_length=10)
    ///     >>> answer.optimal, answer.lower_bound, answer.upper_bound, answer.stopped
    ///     (False, 11, 20, 'max-length')
    #[pyo3(signature = (position, *, count=1, prefer=None, max_length=None, timeout=None, on_event=None))]
    fn solve(
        &self,
        position: &Bound<'_, PyAny>,
        count: usize,
        prefer: Option<&str>,
        max_length: Option<u8>,
        timeout: Option<f64>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let prefer = prefer.map(opening::metric_named).transpose()?;
        let wanted = match prefer {
            None => SolutionCount::AtMost(at_least_one("count", count)?),
            Some(_) if count == 1 => SolutionCount::All,
            Some(_) => return Err(PyValueError::new_err("prefer= gives one solution; leave count out")),
        };
        self.search(position, Limits { prefer, ..Limits::new(wanted, max_length, timeout)? }, on_event)
    }

    /// Proves the shortest solutions of a position and finds all of them, symmetric ones included. The arguments are
    /// those of ``solve``.
    ///
    ///     >>> from cosette import Solver
    ///     >>> sorted(Solver(table="30M").solve_all("R2 L2 U2 D2").solutions)
    ///     ['R2 L2 U2 D2', 'U2 D2 R2 L2']
    #[pyo3(signature = (position, *, max_length=None, timeout=None, on_event=None))]
    fn solve_all(
        &self,
        position: &Bound<'_, PyAny>,
        max_length: Option<u8>,
        timeout: Option<f64>,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        self.search(position, Limits::new(SolutionCount::All, max_length, timeout)?, on_event)
    }

    /// Solves many positions, as many at a time as there are threads, each with one. Gives an iterator of their answers, in
    /// the order in which they are ready, or in that of the positions where they are to be ``ordered``;
    /// ``answer.index`` is the number of the position.
    ///
    /// Positions are asked for in the thread that asks for answers, and only some ahead of them, so they may come from a
    /// generator that never ends. A text that shows no position raises ``NotACubeError`` in its turn, and asking
    /// for the next answer goes on behind it; with ``errors="return"`` the exception is given in place of an answer.
    /// ``timeout`` is for each position.
    ///
    ///     >>> from cosette import Solver
    ///     >>> solver = Solver(table="30M")
    ///     >>> [answer.length for answer in solver.solve_many(["R", "R U", "R U F"], ordered=True)]
    ///     [1, 2, 3]
    #[pyo3(signature = (positions, *, ordered=false, count=1, max_length=None, timeout=None, errors="raise"))]
    fn solve_many(
        &self,
        positions: &Bound<'_, PyAny>,
        ordered: bool,
        count: usize,
        max_length: Option<u8>,
        timeout: Option<f64>,
        errors: &str,
    ) -> PyResult<Answers> {
        if positions.is_instance_of::<pyo3::types::PyString>() {
            return Err(PyTypeError::new_err("positions: give a list of texts, not one text"));
        }
        let raises = match errors {
            "raise" => true,
            "return" => false,
            _ => return Err(PyValueError::new_err("errors: give 'raise' or 'return'")),
        };
        let limits = Limits::new(SolutionCount::AtMost(at_least_one("count", count)?), max_length, timeout)?;
        Answers::start(positions.try_iter()?, (&self.table, self.threads), limits, (ordered, raises))
    }

    fn __repr__(&self) -> String {
        format!("<cosette.Solver {} threads={}>", self.table.id(), self.threads)
    }
}

impl Solver {
    fn search(
        &self,
        position: &Bound<'_, PyAny>,
        limits: Limits,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let py = position.py();
        let position = Position::read(position, None, ReadOptions::default())?;
        let on_event = callable(on_event)?;
        let hand_on = |events: Vec<json::Event>| match on_event {
            Some(on_event) => events.iter().try_for_each(|event| on_event.call1((pythonize(py, event)?,)).map(drop)),
            None => Ok(()),
        };
        let (solver, metric) = (search::Solver::new(Arc::clone(&self.table), self.threads), self.table.id().metric);
        let is_watched = on_event.is_some();
        let solved = work::run(py, hand_on, |events, cancel| {
            let follow = |event: Event<'_>| {
                if is_watched {
                    // Nobody listens any more where the search is being stopped.
                    drop(events.send(json::Event::new(event, metric)));
                }
            };
            limits.solve(&solver, TwoPhaseUse::AtOnce, (&position, None), &follow, cancel)
        })?;
        solved?.map(Answer).map_err(|wrong| errors::mismatch(py, &wrong))
    }
}

/// What is searched, and what ends it.
#[derive(Clone, Copy)]
pub struct Limits {
    wanted: SolutionCount,
    prefer: Option<Metric>,
    max_length: Option<u8>,
    timeout: Option<Duration>,
}

impl Limits {
    fn new(wanted: SolutionCount, max_length: Option<u8>, timeout: Option<f64>) -> PyResult<Limits> {
        // What is too long for a duration, or endless, is as good as no limit.
        let timeout = match timeout {
            Some(seconds) if seconds.is_nan() || seconds < 0.0 => {
                return Err(PyValueError::new_err("timeout: give a number of seconds, 0 or more"));
            }
            seconds => seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
        };
        Ok(Limits { wanted, prefer: None, max_length, timeout })
    }

    /// Searches within the limits. The number is that of the position in a list.
    ///
    /// # Errors
    /// If the system has no thread left for the timer; and within, if a solution is wrong.
    pub fn solve(
        &self,
        solver: &search::Solver,
        two_phase: TwoPhaseUse,
        (position, number): (&Position, Option<usize>),
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> std::io::Result<Result<json::Solve, Mismatch>> {
        let options = Options { wanted: self.wanted, max_length: self.max_length, known: None, two_phase };
        let timer = Timer::start(self.timeout, cancel)?;
        let report = solver.solve(&position.input.cube, &options, on_event, cancel);
        drop(timer);
        let id = solver.table().id();
        let by = SolvedBy { engine: "cosette", metric: id.metric, tables: id.to_string(), is_optimal: true };
        let asked = cancel.is_cancelled().then_some(Stop::Timeout);
        let source = (position.text.as_str(), number.map(|number| number + 1), &position.input);
        Ok(answer::Answer::new(source, report, &options, by, asked).map(|answer| {
            let answer = answer.explained();
            json::Solve::from(&match self.prefer {
                Some(metric) => answer.preferring(metric),
                None => answer,
            })
        }))
    }
}

fn at_least_one(what: &str, number: usize) -> PyResult<NonZeroUsize> {
    NonZeroUsize::new(number).ok_or_else(|| PyValueError::new_err(format!("{what}: give at least 1")))
}

/// What is to be called; an error before the work where it cannot be.
fn callable<'a, 'py>(given: Option<&'a Bound<'py, PyAny>>) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    match given {
        Some(given) if !given.is_callable() => Err(PyTypeError::new_err("what is called on events must be a function")),
        given => Ok(given),
    }
}
