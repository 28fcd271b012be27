//! Many positions at once: worker threads that solve, and an iterator that feeds them.
//!
//! The iterator reads positions from Python in the thread that asks for answers, at most [`READ_AHEAD`] for each worker
//! ahead of the answers returned. The workers do not touch Python.

use crate::answer::Answer;
use crate::background::SIGNAL_INTERVAL;
use crate::cube::PositionArg;
use crate::errors;
use crate::request::Request;
use cosette::cube::ReadOptions;
use cosette::search::TwoPhaseUse;
use cosette::{Cancel, Solver, ThreadCount};
use cosette_app::answer::Mismatch;
use cosette_app::json;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

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
    ordered: bool,
    raises: bool,
    /// How many positions have been read, and how many results returned.
    read: usize,
    returned: usize,
    ready: BTreeMap<usize, PositionResult>,
}

/// The result for one position.
enum PositionResult {
    Solved(Box<Result<json::Solve, Mismatch>>),
    NotACube(PyErr),
}

impl Answers {
    /// Starts the workers.
    pub fn start(
        positions: Bound<'_, PyIterator>,
        solver: &Solver,
        request: Request,
        (ordered, raises): (bool, bool),
    ) -> PyResult<Answers> {
        Ok(Answers {
            positions: Some(positions.unbind()),
            failure: None,
            workers: WorkerPool::start(solver, request)?,
            ordered,
            raises,
            read: 0,
            returned: 0,
            ready: BTreeMap::new(),
        })
    }

    /// Reads positions until enough are read ahead.
    fn read_ahead(&mut self, py: Python<'_>) -> PyResult<()> {
        while self.read - self.returned < READ_AHEAD * self.workers.threads.len() {
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
        let (py, index) = (position.py(), self.read);
        match PositionArg::read(position, None, ReadOptions::default()) {
            Ok(position) => self.workers.submit(index, position),
            Err(error) if error.is_instance_of::<PyValueError>(py) => {
                error.value(py).setattr("index", index)?;
                self.ready.insert(index, PositionResult::NotACube(error));
            }
            Err(error) => return Err(error),
        }
        self.read += 1;
        Ok(())
    }

    /// The next result to return, if it is ready.
    fn take_ready(&mut self) -> Option<PositionResult> {
        self.ready.extend(self.workers.results().try_iter());
        let result = match self.ordered {
            true => self.ready.remove(&self.returned)?,
            false => self.ready.pop_first()?.1,
        };
        self.returned += 1;
        Some(result)
    }

    fn to_python(&self, py: Python<'_>, result: PositionResult) -> PyResult<Py<PyAny>> {
        match result {
            PositionResult::Solved(solved) => {
                let answer = solved.map_err(|wrong| errors::internal(py, wrong))?;
                Ok(Py::new(py, Answer(answer))?.into_any())
            }
            PositionResult::NotACube(error) if self.raises => Err(error),
            PositionResult::NotACube(error) => Ok(error.into_value(py).into_any()),
        }
    }

    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        while !self.workers.is_stopped() {
            self.read_ahead(py)?;
            if let Some(result) = self.take_ready() {
                return self.to_python(py, result).map(Some);
            }
            if self.returned == self.read {
                return self.failure.take().map_or(Ok(None), Err);
            }
            let results = self.workers.results();
            match py.detach(move || results.recv_timeout(SIGNAL_INTERVAL)) {
                Ok((index, result)) => drop(self.ready.insert(index, result)),
                Err(RecvTimeoutError::Timeout) if !self.workers.has_lost_one() => {}
                Err(_) => return Err(errors::internal(py, "a worker thread ended unexpectedly")),
            }
            py.check_signals()?;
        }
        Ok(None)
    }
}

#[pymethods]
impl Answers {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let next = self.next(py);
        // An ordinary exception, such as that of a bad text, does not end the iteration; an interrupt does.
        if next.as_ref().is_err_and(|error| !error.is_instance_of::<PyException>(py)) {
            self.close();
        }
        next
    }

    /// Stops the searches. The iterator then has no more answers.
    fn close(&mut self) {
        self.workers.stop();
        (self.positions, self.failure) = (None, None);
        self.ready.clear();
    }
}

/// Threads that each solve one position at a time.
struct WorkerPool {
    /// Positions to solve; `None` to end the workers.
    queue: Option<Sender<(usize, PositionArg)>>,
    results: Mutex<Receiver<(usize, PositionResult)>>,
    cancel: Cancel,
    threads: Vec<JoinHandle<()>>,
}

impl WorkerPool {
    fn start(solver: &Solver, request: Request) -> io::Result<WorkerPool> {
        let (queue, queued) = mpsc::channel();
        let (send, results) = mpsc::channel();
        let queued = Arc::new(Mutex::new(queued));
        let mut pool =
            WorkerPool { queue: Some(queue), results: Mutex::new(results), cancel: Cancel::new(), threads: Vec::new() };
        for _ in 0..solver.threads().get() {
            let solver = solver.clone().with_threads(ThreadCount::ONE);
            let (queued, send, cancel) = (Arc::clone(&queued), send.clone(), pool.cancel.clone());
            let work = move || {
                while let Some((index, position)) = take(&queued).filter(|_| !cancel.is_cancelled()) {
                    let solved =
                        request.solve(&solver, TwoPhaseUse::Meanwhile, (&position, Some(index)), &|_| {}, &cancel);
                    if send.send((index, PositionResult::Solved(Box::new(solved)))).is_err() {
                        break;
                    }
                }
            };
            pool.threads.push(thread::Builder::new().name("cosette-many".into()).spawn(work)?);
        }
        Ok(pool)
    }

    /// Queues a position.
    fn submit(&self, index: usize, position: PositionArg) {
        // If all workers have ended, `has_lost_one` reports it.
        if let Some(queue) = &self.queue {
            drop(queue.send((index, position)));
        }
    }

    fn results(&mut self) -> &mut Receiver<(usize, PositionResult)> {
        self.results.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a worker has ended although the pool is not stopped.
    fn has_lost_one(&self) -> bool {
        !self.is_stopped() && self.threads.iter().any(JoinHandle::is_finished)
    }

    fn is_stopped(&self) -> bool {
        self.queue.is_none()
    }

    /// Asks the workers to stop, which takes milliseconds.
    fn stop(&mut self) {
        self.cancel.cancel();
        self.queue = None;
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Waits for the next position; `None` at the end.
fn take(queued: &Mutex<Receiver<(usize, PositionArg)>>) -> Option<(usize, PositionArg)> {
    queued.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}
