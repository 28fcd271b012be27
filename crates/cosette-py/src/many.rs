//! Many positions at once: worker threads that solve, and an iterator that feeds them.
//!
//! The iterator takes positions from Python in the thread that asks for answers, at most [`READ_AHEAD`] for each worker
//! more than it has given answers. The workers know nothing of Python.

use crate::answer::Answer;
use crate::errors;
use crate::position::Position;
use crate::solver::Limits;
use crate::work::TICK;
use cosette::Cancel;
use cosette::cube::ReadOptions;
use cosette::search::{self, TwoPhaseUse};
use cosette::table::Table;
use cosette_app::answer::Mismatch;
use cosette_app::json;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyIterator;
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// How many positions each worker has in stock. In order, some workers would wait for a hard position without them.
const READ_AHEAD: usize = 8;

/// The answers to many positions, as they come; ``close`` stops the search for those that are missing.
#[pyclass(module = "cosette", generic)]
pub struct Answers {
    /// Where positions come from; none once there are no more.
    positions: Option<Py<PyIterator>>,
    /// The exception that has ended the positions, to be raised behind the last answer.
    failure: Option<PyErr>,
    workers: Workers,
    ordered: bool,
    raises: bool,
    /// How many positions have been read, and for how many an answer has been given.
    read: usize,
    given: usize,
    ready: BTreeMap<usize, Outcome>,
}

/// What has become of a position.
enum Outcome {
    Solved(Box<io::Result<Result<json::Solve, Mismatch>>>),
    NotACube(PyErr),
}

impl Answers {
    /// Starts the workers.
    pub fn start(
        positions: Bound<'_, PyIterator>,
        (table, threads): (&Arc<Table>, NonZeroUsize),
        limits: Limits,
        (ordered, raises): (bool, bool),
    ) -> PyResult<Answers> {
        Ok(Answers {
            positions: Some(positions.unbind()),
            failure: None,
            workers: Workers::start(table, threads, limits)?,
            ordered,
            raises,
            read: 0,
            given: 0,
            ready: BTreeMap::new(),
        })
    }

    /// Reads positions until the workers have enough in stock.
    fn read_ahead(&mut self, py: Python<'_>) -> PyResult<()> {
        while self.read - self.given < READ_AHEAD * self.workers.threads.len() {
            let Some(positions) = &self.positions else { break };
            let ended = match positions.bind(py).clone().next() {
                None => None,
                Some(Ok(given)) => match self.take_in(&given) {
                    Ok(()) => continue,
                    Err(failure) => Some(failure),
                },
                Some(Err(failure)) => Some(failure),
            };
            (self.positions, self.failure) = (None, ended);
        }
        // What is no `Exception` is a wish to stop at once.
        match self.failure.take_if(|failure| !failure.is_instance_of::<PyException>(py)) {
            None => Ok(()),
            Some(stop) => Err(stop),
        }
    }

    /// Hands a position to the workers, or notes that a text shows none.
    fn take_in(&mut self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = self.read;
        match Position::read(given, None, ReadOptions::default()) {
            Ok(position) => self.workers.begin(number, position),
            Err(error) if error.is_instance_of::<PyValueError>(given.py()) => {
                error.value(given.py()).setattr("index", number)?;
                self.ready.insert(number, Outcome::NotACube(error));
            }
            Err(error) => return Err(error),
        }
        self.read += 1;
        Ok(())
    }

    /// The next outcome to be given, where it is ready.
    fn take_ready(&mut self) -> Option<Outcome> {
        self.ready.extend(self.workers.solved().try_iter());
        let outcome = match self.ordered {
            true => self.ready.remove(&self.given)?,
            false => self.ready.pop_first()?.1,
        };
        self.given += 1;
        Some(outcome)
    }

    fn hand_over(&self, py: Python<'_>, outcome: Outcome) -> PyResult<Py<PyAny>> {
        match outcome {
            Outcome::Solved(solved) => {
                let answer = (*solved)?.map_err(|wrong| errors::mismatch(py, &wrong))?;
                Ok(Py::new(py, Answer(answer))?.into_any())
            }
            Outcome::NotACube(error) if self.raises => Err(error),
            Outcome::NotACube(error) => Ok(error.into_value(py).into_any()),
        }
    }

    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        while !self.workers.is_stopped() {
            self.read_ahead(py)?;
            if let Some(outcome) = self.take_ready() {
                return self.hand_over(py, outcome).map(Some);
            }
            if self.given == self.read {
                return self.failure.take().map_or(Ok(None), Err);
            }
            let solved = self.workers.solved();
            match py.detach(move || solved.recv_timeout(TICK)) {
                Ok((number, outcome)) => drop(self.ready.insert(number, outcome)),
                Err(RecvTimeoutError::Timeout) if !self.workers.has_lost_one() => {}
                Err(_) => return Err(errors::internal(py, "a thread of the search has ended before its time")),
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
        // A text that is no position, or the like, does not end the run; a signal does.
        if next.as_ref().is_err_and(|error| !error.is_instance_of::<PyException>(py)) {
            self.close();
        }
        next
    }

    /// Stops the search. There are no more answers then.
    fn close(&mut self) {
        self.workers.stop();
        (self.positions, self.failure) = (None, None);
        self.ready.clear();
    }
}

/// Threads that solve a position each.
struct Workers {
    /// Positions to solve; none where the workers are to end.
    begin: Option<Sender<(usize, Position)>>,
    solved: Mutex<Receiver<(usize, Outcome)>>,
    cancel: Cancel,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    fn start(table: &Arc<Table>, count: NonZeroUsize, limits: Limits) -> io::Result<Workers> {
        let (begin, to_do) = mpsc::channel();
        let (done, solved) = mpsc::channel();
        let to_do = Arc::new(Mutex::new(to_do));
        let mut workers =
            Workers { begin: Some(begin), solved: Mutex::new(solved), cancel: Cancel::new(), threads: Vec::new() };
        for _ in 0..count.get() {
            let solver = search::Solver::new(Arc::clone(table), NonZeroUsize::MIN);
            let (to_do, done, cancel) = (Arc::clone(&to_do), done.clone(), workers.cancel.clone());
            let work = move || {
                while let Some((number, position)) = next_of(&to_do).filter(|_| !cancel.is_cancelled()) {
                    let solved = limits.solve(
                        &solver,
                        TwoPhaseUse::Meanwhile,
                        (&position, Some(number)),
                        &|_| {},
                        &cancel.of_part(),
                    );
                    if done.send((number, Outcome::Solved(Box::new(solved)))).is_err() {
                        break;
                    }
                }
            };
            workers.threads.push(thread::Builder::new().name("cosette-many".into()).spawn(work)?);
        }
        Ok(workers)
    }

    /// Lets one of them solve this position.
    fn begin(&self, number: usize, position: Position) {
        // Where all of them have ended, `has_lost_one` tells.
        if let Some(begin) = &self.begin {
            drop(begin.send((number, position)));
        }
    }

    fn solved(&mut self) -> &mut Receiver<(usize, Outcome)> {
        self.solved.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one of them has ended though there may be more to do.
    fn has_lost_one(&self) -> bool {
        !self.is_stopped() && self.threads.iter().any(JoinHandle::is_finished)
    }

    fn is_stopped(&self) -> bool {
        self.begin.is_none()
    }

    /// Asks them to stop, which they do within milliseconds.
    fn stop(&mut self) {
        self.cancel.cancel();
        self.begin = None;
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The next position, once there is one; none where there will be no more.
fn next_of(to_do: &Mutex<Receiver<(usize, Position)>>) -> Option<(usize, Position)> {
    to_do.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}
