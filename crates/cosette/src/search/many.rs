//! Many positions at once, one on each thread.

use super::solution::Solution;
use super::solver::{ONE_SOLUTION, Solver};
use crate::control::{Cancel, ThreadCount};
use crate::cube::Cube;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How soon a request to stop is heard while no solution is found.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The solutions of many positions: made by [`Solver::solve_many`].
///
/// Dropping it stops the threads, within milliseconds; one that waits for the next of the positions stops once it has that.
pub struct SolveMany {
    /// Numbered solutions, in the order in which they are found. `None` once nothing more is awaited.
    found: Option<Receiver<(usize, Solution)>>,
    /// Found before their turn.
    early: BTreeMap<usize, Solution>,
    next: usize,
    cancel: Cancel,
    threads: Vec<JoinHandle<()>>,
}

impl Solver {
    /// Solves many positions, as many at a time as there are threads, each with one: so no thread waits for another at
    /// the end of an iteration. The solutions come in the order of the positions, as soon as they are there; dropping
    /// the iterator stops the work. Panics if the system refuses to start a thread.
    pub fn solve_many(&self, positions: impl IntoIterator<Item = Cube, IntoIter: Send + 'static>) -> SolveMany {
        self.solve_many_until(positions, &Cancel::new())
    }

    /// [`Solver::solve_many`] that ends early when this request is made: unfinished positions are left out.
    pub fn solve_many_until(
        &self,
        positions: impl IntoIterator<Item = Cube, IntoIter: Send + 'static>,
        cancel: &Cancel,
    ) -> SolveMany {
        SolveMany::begin(self, positions.into_iter(), cancel.child())
    }
}

impl SolveMany {
    fn begin(solver: &Solver, positions: impl Iterator<Item = Cube> + Send + 'static, cancel: Cancel) -> SolveMany {
        let (sender, found) = sync_channel(solver.threads.get());
        let positions = Arc::new(Mutex::new(positions.enumerate()));
        let mut threads = Vec::new();
        for number in 0..solver.threads.get() {
            let worker = Worker { solver: solver.clone().with_threads(ThreadCount::ONE), cancel: cancel.clone() };
            let (positions, sender) = (Arc::clone(&positions), sender.clone());
            match thread::Builder::new().spawn(move || worker.solve(&positions, &sender)) {
                Ok(thread) => threads.push(thread),
                Err(refused) if number == 0 => panic!("no thread can be started: {refused}"),
                Err(refused) => {
                    tracing::warn!(%refused, "solving with {number} threads instead of {}", solver.threads);
                    break;
                }
            }
        }
        SolveMany { found: Some(found), early: BTreeMap::new(), next: 0, cancel, threads }
    }

    /// The solutions in the order in which they are found, each with the number of its position, counted from 0.
    pub fn unordered(mut self) -> impl Iterator<Item = (usize, Solution)> {
        std::iter::from_fn(move || self.receive())
    }

    /// The next solution found; after the last one, a panic of a thread is resumed here.
    fn receive(&mut self) -> Option<(usize, Solution)> {
        loop {
            match self.found.as_ref()?.recv_timeout(POLL_INTERVAL) {
                Ok(found) => return Some(found),
                // A thread may be waiting for the next of the positions.
                Err(RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => self.found = None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.join(),
            }
        }
    }

    fn join(&mut self) {
        self.found = None;
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    }
}

impl Iterator for SolveMany {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        loop {
            if let Some(solution) = self.early.remove(&self.next) {
                self.next += 1;
                return Some(solution);
            }
            let (number, solution) = self.receive()?;
            self.early.insert(number, solution);
        }
    }
}

impl Drop for SolveMany {
    fn drop(&mut self) {
        // Nobody waits for the threads: one may be waiting for the next of the positions, which whoever drops this may have to
        // provide. Those that wait to send a solution stop waiting.
        self.cancel.cancel();
        self.found = None;
    }
}

/// One of the threads.
struct Worker {
    solver: Solver,
    cancel: Cancel,
}

impl Worker {
    fn solve<P: Iterator<Item = (usize, Cube)>>(&self, positions: &Mutex<P>, found: &SyncSender<(usize, Solution)>) {
        let next = || positions.lock().ok()?.next().filter(|_| !self.cancel.is_cancelled());
        while let Some((number, position)) = next() {
            let report = self.solver.search(&position).options(ONE_SOLUTION).cancel(&self.cancel).run();
            let Some(solution) = Solution::new(report, self.solver.metric()) else { return };
            if found.send((number, solution)).is_err() {
                return;
            }
        }
    }
}
