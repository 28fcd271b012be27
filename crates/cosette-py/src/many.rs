//! Many positions at once: worker threads that solve, and an iterator that feeds them.
//!
//! The iterator reads positions from Python in the thread that asks for answers, at most [`READ_AHEAD`] for each worker
//! ahead of the answers returned. The workers do not touch Python.
//!
//! With a journal, all positions are read first, because the journal is that of one list, and the workers are those of
//! `cosette_app::batch`.

use crate::answer::{self, Answer};
use crate::background::{ProgressLine, SIGNAL_INTERVAL};
use crate::cube::PositionArg;
use crate::errors;
use crate::request;
use crate::solver::GOALS;
use cosette::search::{SolveMany, TwoPhaseUse};
use cosette::twophase::TwoPhase;
use cosette::{Cancel, Control, Solver, ThreadCount};
use cosette_app::answer::Mismatch;
use cosette_app::batch::{Batch, BatchError, Line, List, Workers, run_goal};
use cosette_app::goals::Listener;
use cosette_app::json;
use cosette_app::request::Request;
use pyo3::exceptions::{PyException, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How many positions are read ahead for each worker. With ordered answers, workers continue with these while one is still
/// busy with a hard position.
const READ_AHEAD: usize = 8;

/// An iterator of the answers to many positions. ``close`` stops the searches under way.
#[pyclass(module = "cosette", generic)]
pub struct Answers {
    /// Where positions come from; `None` at the end.
    positions: Option<Py<PyIterator>>,
    /// The exception that ended the positions, raised after the last answer.
    failure: Option<PyErr>,
    workers: WorkerPool,
    asked: Asked,
    /// How many positions have been read, and how many results returned.
    read: usize,
    returned: usize,
    ready: BTreeMap<usize, PositionResult>,
}

/// What is asked of the iterator.
pub struct Asked {
    /// What is searched for.
    pub request: Request,
    /// Whether answers come in the order of the positions.
    pub ordered: bool,
    /// Whether the error of a bad text is raised, or else returned.
    pub raises: bool,
    /// Where progress is shown.
    pub line: Option<ProgressLine>,
    /// How many positions there are, if that is known.
    pub total: Option<usize>,
}

/// The result for one position.
enum PositionResult {
    Solved(Box<Result<json::Solve, Mismatch>>),
    NotACube(PyErr),
}

/// What a worker sends: the index of a position and its result, or why the journal cannot be continued.
type Sent = Result<(usize, PositionResult), BatchError>;

impl Answers {
    /// Starts the workers.
    pub fn start(positions: Bound<'_, PyIterator>, solver: &Solver, asked: Asked) -> PyResult<Answers> {
        // As in a batch: a search that may end early starts with it.
        if asked.request.options_of_many().two_phase == TwoPhaseUse::AtOnce {
            // Generating its tables must not count as time of the first positions.
            positions.py().detach(TwoPhase::get);
        }
        let workers = WorkerPool::start(solver, asked.request.clone())?;
        Ok(Answers {
            positions: Some(positions.unbind()),
            failure: None,
            workers,
            asked,
            read: 0,
            returned: 0,
            ready: BTreeMap::new(),
        })
    }

    /// Reads all positions, takes the answers that the journal has, and starts the workers on the rest.
    pub fn continue_journal(
        positions: Bound<'_, PyIterator>,
        solver: &Solver,
        asked: Asked,
        journal: &Path,
    ) -> PyResult<Answers> {
        let py = positions.py();
        let (mut lines, mut ready) = (Vec::new(), BTreeMap::new());
        for (index, position) in positions.enumerate() {
            let (name, text) = match read(index, &position?) {
                Ok(position) => (position.name, position.text),
                Err(NotRead::Position(text, error)) => {
                    ready.insert(index, PositionResult::NotACube(error));
                    (None, text)
                }
                Err(NotRead::Other(error)) => return Err(error),
            };
            // As the command reads the lines of a file.
            lines.push(Line { number: index + 1, name, text: text.trim_end().to_owned(), fault: None });
            py.check_signals()?;
        }
        let failed = |error: BatchError| errors::batch(py, &error);
        let batch =
            py.detach(|| Batch::open(List::read(lines, &asked.request), asked.request.clone(), false, Some(journal)));
        let batch = batch.map_err(failed)?;
        let read = batch.list().entries().len();
        for index in 0..read {
            py.check_signals()?;
            if let Some(answer) = batch.answer(index).map_err(|error| failed(error.into()))? {
                ready.insert(index, PositionResult::Solved(Box::new(Ok(answer))));
            }
        }
        let workers = Workers { solver: solver.clone(), jobs: solver.threads() };
        let workers = WorkerPool::with_journal(workers, batch)?;
        let asked = Asked { total: Some(read), ..asked };
        Ok(Answers { positions: None, failure: None, workers, asked, read, returned: 0, ready })
    }

    /// Reads positions until enough are read ahead.
    fn read_ahead(&mut self, py: Python<'_>) -> PyResult<()> {
        while self.read - self.returned < READ_AHEAD * self.workers.jobs {
            let Some(positions) = &self.positions else { break };
            let ended = match positions.bind(py).clone().next() {
                None => None,
                Some(Ok(position)) => match self.accept(&position) {
                    Ok(()) => continue,
                    Err(failure) => Some(failure),
                },
                Some(Err(failure)) => Some(failure),
            };
            (self.positions, self.failure) = (None, ended);
        }
        // An exception that is not an `Exception`, such as `KeyboardInterrupt`, is raised at once.
        match self.failure.take_if(|failure| !failure.is_instance_of::<PyException>(py)) {
            None => Ok(()),
            Some(interrupt) => Err(interrupt),
        }
    }

    /// Sends a position to the workers, or records the error if the text is not a position.
    fn accept(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let index = self.read;
        match read(index, position) {
            Ok(position) => self.workers.submit(index, position),
            Err(NotRead::Position(_, error)) => drop(self.ready.insert(index, PositionResult::NotACube(error))),
            Err(NotRead::Other(error)) => return Err(error),
        }
        self.read += 1;
        Ok(())
    }

    /// Keeps what a worker has sent. Fails if it cannot continue.
    fn receive(&mut self, py: Python<'_>, sent: Sent) -> PyResult<()> {
        match sent {
            Ok((index, result)) => drop(self.ready.insert(index, result)),
            Err(error) => {
                self.stop(py);
                return Err(errors::batch(py, &error));
            }
        }
        Ok(())
    }

    /// The next result to return, if it is ready.
    fn take_ready(&mut self, py: Python<'_>) -> PyResult<Option<PositionResult>> {
        while let Ok(sent) = self.workers.receive(Duration::ZERO) {
            self.receive(py, sent)?;
        }
        Ok(self.first_ready())
    }

    fn first_ready(&mut self) -> Option<PositionResult> {
        let result = match self.asked.ordered {
            true => self.ready.remove(&self.returned)?,
            false => self.ready.pop_first()?.1,
        };
        self.returned += 1;
        Some(result)
    }

    fn to_python(&self, py: Python<'_>, result: PositionResult) -> PyResult<Py<PyAny>> {
        match result {
            PositionResult::Solved(solved) => {
                let mut answer = solved.map_err(|wrong| errors::internal(py, wrong))?;
                answer::explain(&mut answer);
                Ok(Py::new(py, Answer(answer))?.into_any())
            }
            PositionResult::NotACube(error) if self.asked.raises => Err(error),
            PositionResult::NotACube(error) => Ok(errors::as_not_a_cube(py, error).into_any()),
        }
    }

    /// Stops the workers.
    fn stop(&mut self, py: Python<'_>) {
        let workers = &mut self.workers;
        py.detach(|| workers.stop());
        (self.positions, self.failure, self.asked.line) = (None, None, None);
        self.ready.clear();
    }

    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        while !self.workers.is_stopped() {
            py.check_signals()?;
            self.read_ahead(py)?;
            if let Some(result) = self.take_ready(py)? {
                if let Some(line) = &self.asked.line {
                    line.call(py, "answered", (self.returned, self.asked.total))?;
                }
                return self.to_python(py, result).map(Some);
            }
            if self.returned == self.read {
                return self.failure.take().map_or(Ok(None), Err);
            }
            let workers = &mut self.workers;
            match py.detach(move || workers.receive(SIGNAL_INTERVAL)) {
                Ok(sent) => self.receive(py, sent)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(errors::internal(py, "a worker thread ended unexpectedly"));
                }
            }
        }
        Ok(None)
    }
}

#[pymethods]
impl Answers {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(slf: &Bound<'_, Self>) -> PyResult<Option<Py<PyAny>>> {
        let py = slf.py();
        let mut answers = in_use_by_one(slf)?;
        let next = answers.next(py);
        // An ordinary exception, such as that of a bad text, does not end the iteration; an interrupt does.
        let is_end = match &next {
            Ok(answer) => answer.is_none(),
            Err(error) => !error.is_instance_of::<PyException>(py),
        };
        if is_end {
            answers.stop(py);
        }
        next
    }

    /// A generator of positions may refer to the iterator that reads it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.positions)
    }

    fn __clear__(&mut self) {
        self.positions = None;
    }

    /// Stops the searches. The iterator then has no more answers.
    fn close(slf: &Bound<'_, Self>) -> PyResult<()> {
        in_use_by_one(slf)?.stop(slf.py());
        Ok(())
    }
}

/// The iterator, if nobody waits for its next answer.
fn in_use_by_one<'py>(answers: &Bound<'py, Answers>) -> PyResult<PyRefMut<'py, Answers>> {
    let in_use = "this iterator is in use by another thread, or by its own positions; solve_many makes another";
    answers.try_borrow_mut().map_err(|_| PyRuntimeError::new_err(in_use))
}

/// Why a position was not read.
pub enum NotRead {
    /// It is not a position. Its text; empty if it is not even a text, as where a value is missing in a data frame.
    Position(String, PyErr),
    /// Something else is wrong, which ends the run.
    Other(PyErr),
}

impl NotRead {
    /// The error, with the index of a text in front of its message.
    pub fn with_index(self, py: Python<'_>, index: usize) -> PyErr {
        let error = PyErr::from(self);
        if error.is_instance_of::<PyValueError>(py) {
            // A `NotACubeError` writes its message and more.
            let value = error.value(py);
            // If that fails, the attribute `index` still says it.
            let _ = match value.getattr("message") {
                Ok(message) => value.setattr("message", format!("positions[{index}]: {message}")),
                Err(_) => value.setattr("args", (format!("positions[{index}]: {value}"),)),
            };
        }
        error
    }
}

impl From<NotRead> for PyErr {
    fn from(not_read: NotRead) -> PyErr {
        match not_read {
            NotRead::Position(_, error) | NotRead::Other(error) => error,
        }
    }
}

/// The positions of the argument `positions`, one after the other.
pub fn iterator<'py>(positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if positions.is_instance_of::<PyString>() {
        return Err(request::wrong_type("positions", positions, "give a list of texts, not one text"));
    }
    positions.try_iter().map_err(|error| match error.is_instance_of::<PyTypeError>(positions.py()) {
        true => request::wrong_type("positions", positions, "give texts or Cubes, as in a list"),
        false => error,
    })
}

/// Reads the position with this index.
pub fn read(index: usize, position: &Bound<'_, PyAny>) -> Result<PositionArg, NotRead> {
    let py = position.py();
    PositionArg::read_line(&format!("positions[{index}]"), position).map_err(|error| {
        if !error.is_instance_of::<PyTypeError>(py) && !error.is_instance_of::<PyValueError>(py) {
            return NotRead::Other(error);
        }
        match error.value(py).setattr("index", index) {
            Ok(()) => NotRead::Position(position.extract().unwrap_or_default(), error),
            Err(error) => NotRead::Other(error),
        }
    })
}

/// The threads that solve, and what they send.
struct WorkerPool {
    /// Positions to solve; with a journal, the threads have all of them from the start.
    queue: Option<Sender<(usize, PositionArg)>>,
    /// `None` once they are stopped.
    results: Mutex<Option<Results>>,
    cancel: Cancel,
    /// How many positions are solved at a time.
    jobs: usize,
}

/// Where results come from.
enum Results {
    /// The threads that solve positions as they are read.
    Threads(SolveMany<(usize, PositionResult)>),
    /// The thread that solves the remaining positions of a batch.
    Batch(Receiver<Sent>, JoinHandle<()>),
}

impl Results {
    /// What was sent next; waits for it so long.
    fn receive(&mut self, time: Duration) -> Result<Sent, RecvTimeoutError> {
        match self {
            Results::Threads(found) => found.found_within(time).map(|(_, result)| Ok(result)),
            Results::Batch(results, _) => results.recv_timeout(time),
        }
    }
}

impl WorkerPool {
    fn start(solver: &Solver, request: Request) -> io::Result<WorkerPool> {
        let (queue, queued) = mpsc::channel::<(usize, PositionArg)>();
        let cancel = Cancel::new();
        let goal = request.goal().ok().flatten();
        let solve = move |solver: &Solver, (index, mut position): (usize, PositionArg), cancel: &Cancel| {
            position.input.cube = request.as_seen(&position.input.cube);
            if let Some(goal) = &goal {
                let listener = Listener { on_event: &|_| {}, on_found: &|_| {} };
                let text = (&position.text[..], Some(index + 1), &position.input);
                let control = Control::new(ThreadCount::ONE);
                let answer = GOALS.answer((&request, goal), text, listener, &control.with_cancel(cancel));
                let answer = json::Solve { name: position.name, ..answer };
                return Some((index, PositionResult::Solved(Box::new(Ok(answer)))));
            }
            let asked = (&request, request.options_of_many());
            let solved = answer::solve(solver, asked, (&position, Some(index)), &|_| {}, cancel);
            Some((index, PositionResult::Solved(Box::new(solved))))
        };
        let results = Results::Threads(solver.answer_many(queued, &cancel, solve)?);
        let jobs = solver.threads().get();
        Ok(WorkerPool { queue: Some(queue), results: Mutex::new(Some(results)), cancel, jobs })
    }

    /// Starts a thread that solves the remaining positions of the batch.
    fn with_journal(workers: Workers, mut batch: Batch) -> io::Result<WorkerPool> {
        // Bounded, so that the answers to a million positions do not fill the memory of a slow program.
        let (send, results) = mpsc::sync_channel(READ_AHEAD * workers.jobs.get());
        let (cancel, jobs) = (Cancel::new(), workers.jobs.get());
        let of_work = cancel.clone();
        let work = move || {
            let mut on_answer = |index, answer| {
                if send.send(Ok((index, PositionResult::Solved(Box::new(Ok(answer)))))).is_err() {
                    of_work.cancel();
                }
                Ok::<(), BatchError>(())
            };
            let control = Control::new(workers.solver.threads()).with_cancel(&of_work);
            let solved = match batch.has_goal() {
                true => run_goal(&mut batch, &GOALS, &control, &mut on_answer),
                false => workers.run(&mut batch, &of_work, &mut on_answer),
            };
            if let Err(error) = solved {
                drop(send.send(Err(error)));
            }
        };
        let thread = thread::Builder::new().name("cosette-many".into()).spawn(work)?;
        Ok(WorkerPool { queue: None, results: Mutex::new(Some(Results::Batch(results, thread))), cancel, jobs })
    }

    /// Queues a position. If no thread is left, `receive` says so.
    fn submit(&self, index: usize, position: PositionArg) {
        if let Some(queue) = &self.queue {
            drop(queue.send((index, position)));
        }
    }

    /// What was sent next; waits for it so long. There is nothing more once it is disconnected.
    fn receive(&mut self, time: Duration) -> Result<Sent, RecvTimeoutError> {
        let results = self.results.get_mut().unwrap_or_else(PoisonError::into_inner);
        results.as_mut().ok_or(RecvTimeoutError::Disconnected)?.receive(time)
    }

    fn is_stopped(&mut self) -> bool {
        self.results.get_mut().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    /// Asks the threads to stop, which takes milliseconds. A journal is closed on return, so that it can be continued.
    fn stop(&mut self) {
        self.cancel.cancel();
        self.queue = None;
        if let Some(Results::Batch(results, thread)) =
            self.results.get_mut().unwrap_or_else(PoisonError::into_inner).take()
        {
            // Nobody waits to send a result any more.
            drop(results);
            drop(thread.join());
        }
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.stop();
    }
}
