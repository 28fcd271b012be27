//! The solver.

use crate::answer::Answer;
use crate::background;
use crate::cube::PositionArg;
use crate::errors;
use crate::many::Answers;
use crate::request::Request;
use crate::table::{self, TableRequest};
use cosette::cube::ReadOptions;
use cosette::search::{self, Event, SolutionCount, TwoPhaseUse};
use cosette_app::json;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pythonize::pythonize;
use std::path::PathBuf;
use std::sync::Arc;

/// An optimal solver: a pruning table in memory, and threads to search with.
///
/// ``table`` is the name of a table, as in ``"2G"``, or ``"auto"``: the largest on disk that fits in memory. A table that
/// is not on disk is generated and kept, in the folder ``tables`` or else in the one that the command ``cosette`` uses.
/// ``threads`` is the number of threads, by default as many as the machine runs at once. ``memory`` is the most memory
/// that the table may take, in bytes or as in ``"2G"``. ``on_progress(what, done, total)`` is called while the table is
/// generated and loaded.
///
///     >>> from cosette import Solver
///     >>> solver = Solver(table="30M")
///     >>> solver.table
///     'htm-30M'
///     >>> answer = solver.solve("R U2 F'")
///     >>> answer.length, answer.solutions
///     (3, ["F U2 R'"])
///
/// Loading takes about a second for every few gigabytes, so keep a solver instead of making it again. Several threads
/// may use one at the same time.
#[pyclass(module = "cosette", frozen)]
pub struct Solver {
    solver: search::Solver,
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
        let (metric, named) = table::table_named(py, table, metric)?;
        let threads = table::threads(threads)?;
        let memory = memory.map(table::memory).transpose()?;
        let request = TableRequest { named, metric, threads, folder: table::folder(py, tables)?, memory };
        let table = request.open(py, callable(on_progress)?)?;
        Ok(Solver { solver: search::Solver::new(Arc::new(table), threads) })
    }

    /// The name of the table, as in ``htm-2G``.
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
    /// metric among all of them. The search gives up when all lengths up to ``max_length`` are ruled out, or after
    /// ``timeout`` seconds; the answer is then not optimal, and has both bounds and the best solution known.
    /// ``on_event`` is called with a dictionary for each solution, threshold and progress report, as ``cosette solve
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
        let request = Request::at_most(count, max_length, timeout)?;
        let request = match prefer.map(table::metric_named).transpose()? {
            None => request,
            Some(metric) if count == 1 => request.preferring(metric),
            Some(_) => return Err(PyValueError::new_err("prefer= gives one solution; leave count out")),
        };
        self.search(position, request, on_event)
    }

    /// Finds all shortest solutions of a position, symmetric ones included. The arguments are those of ``solve``.
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
        self.search(position, Request::new(SolutionCount::All, max_length, timeout)?, on_event)
    }

    /// Solves many positions in parallel, each with one thread. Returns an iterator of answers in the order in which
    /// they are found, or with ``ordered`` in the order of the positions; ``answer.index`` is the index of the position.
    ///
    /// The thread that asks for answers reads the positions, and only a few of them ahead, so they may come from an
    /// endless generator. A text that is not a position raises ``NotACubeError`` in its turn, after which the iterator
    /// continues; with ``errors="return"`` it returns the exception in place of an answer. ``timeout`` is for each
    /// position.
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
        let request = Request::at_most(count, max_length, timeout)?;
        Answers::start(positions.try_iter()?, &self.solver, request, (ordered, raises))
    }

    fn __repr__(&self) -> String {
        format!("<cosette.Solver {} threads={}>", self.solver.table().id(), self.solver.threads())
    }
}

impl Solver {
    fn search(
        &self,
        position: &Bound<'_, PyAny>,
        request: Request,
        on_event: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let py = position.py();
        let position = PositionArg::read(position, None, ReadOptions::default())?;
        let on_event = callable(on_event)?;
        let deliver = |events: Vec<json::Event>| match on_event {
            Some(on_event) => events.iter().try_for_each(|event| on_event.call1((pythonize(py, event)?,)).map(drop)),
            None => Ok(()),
        };
        let metric = self.solver.metric();
        let has_listener = on_event.is_some();
        let solved = background::run(py, deliver, |events, cancel| {
            let on_event = |event: Event<'_>| {
                if has_listener {
                    // The receiver is gone if the search is being stopped.
                    drop(events.send(json::Event::new(event, metric)));
                }
            };
            request.solve(&self.solver, TwoPhaseUse::AtOnce, (&position, None), &on_event, cancel)
        })?;
        solved.map(Answer).map_err(|wrong| errors::internal(py, wrong))
    }
}

/// Refuses a callback that cannot be called, before any work begins.
fn callable<'a, 'py>(callback: Option<&'a Bound<'py, PyAny>>) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    match callback {
        Some(callback) if !callback.is_callable() => Err(PyTypeError::new_err("a callback must be a function")),
        callback => Ok(callback),
    }
}
