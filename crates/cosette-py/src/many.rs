//! Many positions at once: worker threads that solve them, and an iterator that feeds the threads.
//!
//! The iterator reads positions from Python in the thread that consumes the answers. For each
//! worker, it reads at most [`READ_AHEAD`] positions whose answers have not been returned. The
//! workers do not touch Python.
//!
//! With a journal, all positions are read first, because the journal belongs to one list. The
//! workers are then those of `cosette_app::batch`.

use crate::answer::{self, PyAnswer};
use crate::arguments;
use crate::background::{ProgressLine, SIGNAL_INTERVAL};
use crate::cube::PositionArg;
use crate::errors;
use cosette::search::SolveResult;
use cosette::search::TwoPhaseMode;
use cosette::twophase::TwoPhase;
use cosette::{Cancel, Control, Solver};
use cosette_app::batch::{Batch, BatchError, ListLine, PositionList, Workers, run_goal};
use cosette_app::goal_engine::GoalSolverCache;
use cosette_app::request::{GoalRequest, Request};
use cosette_app::solve_result::InvalidSolution;
use pyo3::exceptions::{PyException, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString, PyTuple};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{LazyLock, Mutex, MutexGuard, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Number of positions read ahead for each worker. With ordered answers, the other workers continue
/// with these positions while one is still busy with a hard position.
const READ_AHEAD: usize = 8;

/// Solvers of the most recent goals.
pub static GOALS: LazyLock<GoalSolverCache> = LazyLock::new(GoalSolverCache::default);

/// An iterator of answers, from ``solve_many``.
///
/// ``close``, which any thread may call, stops the searches in progress and ends the iterator; in a
/// ``with`` statement, the end of the block does.
///
///     >>> import cosette
///     >>> with cosette.solve_many(["R", "R U"]) as answers:
///     ...     next(answers).length
///     1
#[pyclass(name = "Answers", module = "cosette", generic, frozen)]
pub struct PyAnswers {
    state: Mutex<AnswersState>,
    /// The token of the workers. It outlives them, and needs no lock.
    cancel: Cancel,
}

/// The state of the iterator, which one thread at a time uses.
struct AnswersState {
    /// The source of positions; `None` at the end.
    positions: Option<Py<PyIterator>>,
    /// The exception that ended the positions, raised after the last answer.
    failure: Option<PyErr>,
    workers: PositionWorkers,
    options: SolveManyOptions,
    /// Number of positions that have been read.
    read: usize,
    /// Number of results that have been returned.
    returned: usize,
    /// The results that are not returned yet, by index.
    ready: BTreeMap<usize, PositionResult>,
}

/// The options of the iterator.
pub struct SolveManyOptions {
    /// The request for each position.
    pub request: Request,
    /// `true` if answers come in the order of the positions.
    pub ordered: bool,
    /// `true` to raise the error of an invalid position, `false` to return it.
    pub raises: bool,
    /// The progress line, if progress is shown.
    pub line: Option<ProgressLine>,
    /// Number of positions, if it is known.
    pub total: Option<usize>,
    /// The token of the argument `cancel`.
    pub requested: Cancel,
}

/// The result for one position.
enum PositionResult {
    Solved(Box<Result<SolveResult, InvalidSolution>>),
    InvalidCube(PyErr),
}

/// A message from a worker: the index of a position and its result, or the error that ends the run.
type WorkerMessage = Result<(usize, PositionResult), BatchError>;

impl AnswersState {
    /// Starts the workers, without a journal.
    fn start(
        positions: Bound<'_, PyIterator>,
        solver: &Solver,
        options: SolveManyOptions,
    ) -> PyResult<AnswersState> {
        // A search that may end early starts with the two-phase search.
        if options.request.batch_options().two_phase == TwoPhaseMode::Upfront {
            // The time of the first positions must not include generating its tables.
            positions.py().detach(TwoPhase::get);
        }
        let cancel = options.requested.child();
        let workers = PositionWorkers::start(solver, options.request.clone(), cancel)?;
        let mut answers = AnswersState::new(workers, options);
        answers.positions = Some(positions.unbind());
        Ok(answers)
    }

    fn new(workers: PositionWorkers, options: SolveManyOptions) -> AnswersState {
        AnswersState {
            positions: None,
            failure: None,
            workers,
            options,
            read: 0,
            returned: 0,
            ready: BTreeMap::new(),
        }
    }

    /// Reads all positions, takes their results from the journal, and starts the workers on the
    /// positions without a result.
    fn resume(
        positions: Bound<'_, PyIterator>,
        solver: &Solver,
        mut options: SolveManyOptions,
        journal: &Path,
    ) -> PyResult<AnswersState> {
        let py = positions.py();
        let mut lines = Vec::new();
        let mut ready = BTreeMap::new();
        for (index, position) in positions.enumerate() {
            let position = position?;
            // Empty for a value that is not a text, such as a missing value in a data frame.
            let text = position.extract().unwrap_or_default();
            let (name, text) = match read(index, &position) {
                Ok(position) => (position.name, position.text),
                Err(error) if is_invalid_position(py, &error) => {
                    ready.insert(index, PositionResult::InvalidCube(error));
                    (None, text)
                }
                Err(error) => return Err(error),
            };
            // As in a line of a file that the command reads.
            lines.push(ListLine {
                number: index + 1,
                name,
                text: text.trim_end().to_owned(),
                fault: None,
            });
            py.check_signals()?;
        }
        let journal_error = |error: BatchError| errors::batch(py, &error);
        let request = &options.request;
        let open = || {
            let list = PositionList::read(lines, request);
            Batch::open(list, request.clone(), false, Some(journal))
        };
        let batch = py.detach(open).map_err(journal_error)?;
        let count = batch.list().entries().len();
        for index in 0..count {
            py.check_signals()?;
            if let Some(answer) = batch
                .answer(index)
                .map_err(|error| journal_error(error.into()))?
            {
                ready.insert(index, PositionResult::Solved(Box::new(Ok(answer))));
            }
        }
        let workers = Workers {
            solver: solver.clone(),
            jobs: solver.threads(),
        };
        options.total = Some(count);
        let cancel = options.requested.child();
        let workers = PositionWorkers::with_journal(workers, batch, cancel)?;
        Ok(AnswersState {
            read: count,
            ready,
            ..AnswersState::new(workers, options)
        })
    }

    /// Reads positions until enough are read ahead.
    fn read_ahead(&mut self, py: Python<'_>) -> PyResult<()> {
        while self.read - self.returned < READ_AHEAD * self.workers.jobs {
            let Some(positions) = &self.positions else {
                break;
            };
            let failure = match positions.bind(py).clone().next() {
                None => None,
                Some(Ok(position)) => match self.accept(&position) {
                    Ok(()) => continue,
                    Err(failure) => Some(failure),
                },
                Some(Err(failure)) => Some(failure),
            };
            self.positions = None;
            self.failure = failure;
        }
        // An exception that is not an `Exception`, such as `KeyboardInterrupt`, is raised at once.
        match self
            .failure
            .take_if(|failure| !failure.is_instance_of::<PyException>(py))
        {
            None => Ok(()),
            Some(interrupt) => Err(interrupt),
        }
    }

    /// Sends a position to the workers, or records the error if the text is not a position.
    fn accept(&mut self, position: &Bound<'_, PyAny>) -> PyResult<()> {
        let index = self.read;
        match read(index, position) {
            Ok(position) => self.workers.submit(index, position),
            Err(error) if is_invalid_position(position.py(), &error) => {
                drop(self.ready.insert(index, PositionResult::InvalidCube(error)));
            }
            Err(error) => return Err(error),
        }
        self.read += 1;
        Ok(())
    }

    /// Stores a result from a worker.
    ///
    /// # Errors
    ///
    /// Returns the exception if the worker cannot continue.
    fn receive(&mut self, py: Python<'_>, message: WorkerMessage) -> PyResult<()> {
        let (index, result) = message.map_err(|error| {
            self.stop(py);
            errors::batch(py, &error)
        })?;
        self.ready.insert(index, result);
        Ok(())
    }

    /// Returns the next result, if it is ready.
    fn take_ready(&mut self, py: Python<'_>) -> PyResult<Option<PositionResult>> {
        while let Ok(message) = self.workers.receive(Duration::ZERO) {
            self.receive(py, message)?;
        }
        let result = match self.options.ordered {
            true => self.ready.remove(&self.returned),
            false => self.ready.pop_first().map(|(_, result)| result),
        };
        self.returned += usize::from(result.is_some());
        Ok(result)
    }

    fn to_python(&self, py: Python<'_>, result: PositionResult) -> PyResult<Py<PyAny>> {
        match result {
            PositionResult::Solved(solved) => {
                let mut answer = solved.map_err(|wrong| errors::internal(py, wrong))?;
                answer::explain(&mut answer);
                Ok(Py::new(py, PyAnswer(answer))?.into_any())
            }
            PositionResult::InvalidCube(error) if self.options.raises => Err(error),
            PositionResult::InvalidCube(error) => Ok(errors::as_invalid_cube(py, error).into_any()),
        }
    }

    /// Stops the workers.
    fn stop(&mut self, py: Python<'_>) {
        let workers = &mut self.workers;
        py.detach(|| workers.stop());
        self.positions = None;
        self.failure = None;
        self.options.line = None;
        self.ready.clear();
    }

    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        while !self.workers.is_stopped() {
            py.check_signals()?;
            if self.options.requested.is_cancelled() {
                self.stop(py);
                return Err(errors::cancelled(py));
            }
            if self.workers.cancel.is_cancelled() {
                // Another thread, or the iterator of the positions, has called `close`.
                return Ok(None);
            }
            self.read_ahead(py)?;
            let result = self.take_ready(py)?;
            if self.workers.cancel.is_cancelled() {
                // The result may be that of a search that was stopped.
                continue;
            }
            if let Some(result) = result {
                if let Some(line) = &self.options.line {
                    line.call(py, "answered", (self.returned, self.options.total))?;
                }
                return self.to_python(py, result).map(Some);
            }
            if self.returned == self.read {
                return self.failure.take().map_or(Ok(None), Err);
            }
            let workers = &mut self.workers;
            match py.detach(move || workers.receive(SIGNAL_INTERVAL)) {
                Ok(message) => self.receive(py, message)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) if self.workers.cancel.is_cancelled() => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(errors::internal(py, "a worker thread ended unexpectedly"));
                }
            }
        }
        Ok(None)
    }
}

impl PyAnswers {
    /// Starts the searches; with a journal, only of the positions without a result there.
    pub fn start(
        positions: Bound<'_, PyIterator>,
        solver: &Solver,
        options: SolveManyOptions,
        journal: Option<&Path>,
    ) -> PyResult<PyAnswers> {
        let state = match journal {
            None => AnswersState::start(positions, solver, options),
            Some(journal) => AnswersState::resume(positions, solver, options, journal),
        }?;
        Ok(PyAnswers {
            cancel: state.workers.cancel.clone(),
            state: Mutex::new(state),
        })
    }

    /// Locks the state; `None` if the iterator is already waiting for an answer, or reading a
    /// position.
    fn state(&self) -> Option<MutexGuard<'_, AnswersState>> {
        match self.state.try_lock() {
            Ok(state) => Some(state),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

#[pymethods]
impl PyAnswers {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let in_use = "this iterator is in use by another thread or by its own positions; create \
            another one with solve_many";
        let mut answers = self
            .state()
            .ok_or_else(|| PyRuntimeError::new_err(in_use))?;
        let next = answers.next(py);
        // An ordinary exception, such as one for an invalid text, does not end the iteration; an
        // interrupt does.
        let is_end = match &next {
            Ok(answer) => answer.is_none(),
            Err(error) => !error.is_instance_of::<PyException>(py),
        };
        if is_end {
            answers.stop(py);
        }
        next
    }

    /// Returns the number of remaining answers, if the number of positions is known.
    fn __length_hint__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let state = self.state();
        let remaining = state.and_then(|state| state.options.total?.checked_sub(state.returned));
        match remaining {
            Some(remaining) => Ok(remaining.into_pyobject(py)?.into_any().unbind()),
            None => Ok(py.NotImplemented()),
        }
    }

    /// A generator of positions may refer to the iterator that reads it.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        // An iterator in use is reachable.
        self.state()
            .map_or(Ok(()), |state| visit.call(&state.positions))
    }

    fn __clear__(&self) {
        let positions = self.state().and_then(|mut state| state.positions.take());
        // Without the lock: dropping the positions may run Python code.
        drop(positions);
    }

    /// Stops the searches and ends the iterator. Any thread may call it: one that waits for an
    /// answer meanwhile gets the end of the iterator.
    fn close(&self, py: Python<'_>) {
        self.cancel.cancel();
        if let Some(mut state) = self.state() {
            state.stop(py);
        }
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.close(py);
    }
}

/// Puts the index of a position in front of the message of its error.
pub fn with_index(py: Python<'_>, index: usize, error: PyErr) -> PyErr {
    if error.is_instance_of::<PyValueError>(py) {
        // The text of an `InvalidCubeError` has more than its message.
        let value = error.value(py);
        // If this fails, the attribute `index` still has the index.
        let _ = match value.getattr("message") {
            Ok(message) => value.setattr("message", format!("positions[{index}]: {message}")),
            Err(_) => value.setattr("args", (format!("positions[{index}]: {value}"),)),
        };
    }
    error
}

/// Returns `true` if an error states that a value is not a position. Other errors end the run.
fn is_invalid_position(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyValueError>(py)
}

/// Returns an iterator over the argument `positions`.
pub fn iterator<'py>(positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    if positions.is_instance_of::<PyString>() {
        return Err(arguments::wrong_type(
            "positions",
            positions,
            "pass a list of strings, not one string",
        ));
    }
    // The iterator of a data frame returns the names of its columns.
    if positions.hasattr("columns")? {
        let name = positions.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "positions has the type {name}: pass one of its columns, as df[\"scramble\"]"
        )));
    }
    positions.try_iter().map_err(|error| {
        match error.is_instance_of::<PyTypeError>(positions.py()) {
            true => arguments::wrong_type(
                "positions",
                positions,
                "pass an iterable of strings or Cubes, or an array with rows of 54 integers",
            ),
            false => error,
        }
    })
}

/// Parses the position with this index. An error has the index as an attribute.
pub fn read(index: usize, position: &Bound<'_, PyAny>) -> PyResult<PositionArg> {
    let py = position.py();
    let read = PositionArg::read_line(&format!("positions[{index}]"), position);
    if let Err(error) = &read
        && is_invalid_position(py, error)
    {
        error.value(py).setattr("index", index)?;
    }
    read
}

/// The threads that solve positions, with the channel of their results.
struct PositionWorkers {
    /// Positions to solve. `None` with a journal, whose threads have all positions from the start,
    /// and once the threads are stopped.
    queue: Option<Sender<(usize, PositionArg)>>,
    /// The results, and the thread that collects them; `None` once the threads are stopped.
    results: Option<(Receiver<WorkerMessage>, JoinHandle<()>)>,
    cancel: Cancel,
    /// Number of positions solved in parallel.
    jobs: usize,
}

impl PositionWorkers {
    /// Starts threads that solve positions as they are queued.
    fn start(solver: &Solver, request: Request, cancel: Cancel) -> io::Result<PositionWorkers> {
        let (queue, queued) = mpsc::channel::<(usize, PositionArg)>();
        let goal = request.parse_goal().ok().flatten();
        let solve = move |solver: &Solver,
                          (index, position): (usize, PositionArg),
                          cancel: &Cancel| {
            let solved = solve_one(solver, (&request, goal.as_ref()), (index, position), cancel);
            Some((index, PositionResult::Solved(Box::new(solved))))
        };
        let solved = solver.answer_many(queued, &cancel, solve)?;
        let collect = move |send: SyncSender<WorkerMessage>| {
            // The receiver is gone once the threads are being stopped.
            let _ = solved
                .unordered()
                .try_for_each(|(_, result)| send.send(Ok(result)));
        };
        let mut workers = PositionWorkers::with_collector(solver.threads().get(), cancel, collect)?;
        workers.queue = Some(queue);
        Ok(workers)
    }

    /// Starts threads that solve the positions of a batch that its journal does not contain.
    fn with_journal(
        workers: Workers,
        mut batch: Batch,
        cancel: Cancel,
    ) -> io::Result<PositionWorkers> {
        let work_cancel = cancel.clone();
        let jobs = workers.jobs.get();
        let collect = move |send: SyncSender<WorkerMessage>| {
            let mut on_answer = |index, answer| {
                let solved = PositionResult::Solved(Box::new(Ok(answer)));
                if send.send(Ok((index, solved))).is_err() {
                    work_cancel.cancel();
                }
                Ok::<(), BatchError>(())
            };
            let control = Control::new(workers.solver.threads()).with_cancel(&work_cancel);
            let solved = match batch.has_goal() {
                true => run_goal(&mut batch, &GOALS, &control, &mut on_answer),
                false => workers.run(&mut batch, &work_cancel, &mut on_answer),
            };
            if let Err(error) = solved {
                drop(send.send(Err(error)));
            }
        };
        PositionWorkers::with_collector(jobs, cancel, collect)
    }

    /// Starts the thread that collects results.
    fn with_collector(
        jobs: usize,
        cancel: Cancel,
        collect: impl FnOnce(SyncSender<WorkerMessage>) + Send + 'static,
    ) -> io::Result<PositionWorkers> {
        // The channel is bounded, so that the answers to a million positions do not fill the memory
        // if the program reads them slowly.
        let (send, results) = mpsc::sync_channel(READ_AHEAD * jobs);
        let thread = thread::Builder::new()
            .name("cosette-many".into())
            .spawn(move || collect(send))?;
        Ok(PositionWorkers {
            queue: None,
            results: Some((results, thread)),
            cancel,
            jobs,
        })
    }

    /// Queues a position. If all threads have ended, `receive` reports it.
    fn submit(&self, index: usize, position: PositionArg) {
        if let Some(queue) = &self.queue {
            drop(queue.send((index, position)));
        }
    }

    /// Returns the next message, waiting for at most `time`. Once the channel is disconnected,
    /// there are no more messages.
    fn receive(&self, time: Duration) -> Result<WorkerMessage, RecvTimeoutError> {
        let (results, _) = self
            .results
            .as_ref()
            .ok_or(RecvTimeoutError::Disconnected)?;
        results.recv_timeout(time)
    }

    fn is_stopped(&self) -> bool {
        self.results.is_none()
    }

    /// Stops the threads, which takes milliseconds. A journal is closed on return, so that it can
    /// be resumed.
    fn stop(&mut self) {
        self.cancel.cancel();
        self.queue = None;
        if let Some((results, thread)) = self.results.take() {
            // Without a receiver, no thread waits to send a result.
            drop(results);
            drop(thread.join());
        }
    }
}

impl Drop for PositionWorkers {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Solves a position, or searches the goal of the request.
fn solve_one(
    solver: &Solver,
    (request, goal): (&Request, Option<&GoalRequest>),
    (index, mut position): (usize, PositionArg),
    cancel: &Cancel,
) -> Result<SolveResult, InvalidSolution> {
    position.input.cube = request.relative_to_target(&position.input.cube);
    answer::solve(
        solver,
        request,
        goal.map(|goal| (goal, &*GOALS)),
        request.batch_options(),
        &position.position(Some(index)),
        &|_| {},
        cancel,
    )
}
