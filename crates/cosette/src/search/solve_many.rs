//! Many positions at once, one on each thread: the thread pool of [`Solver::solve_many`], of
//! `cosette batch` and of the Python package.

use super::iterative_deepening::Search;
use super::report::{Outcome, Report};
use super::solver::{ONE_SOLUTION, Solution, Solver};
use crate::control::{Cancel, ThreadCount};
use crate::cube::Cube;
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Interval at which cancellation is checked while no solution is found.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// An iterator over the answers to many positions; created by [`Solver::solve_many`],
/// [`Solver::search_many`] and [`Solver::answer_many`].
///
/// Dropping it stops the threads within milliseconds; a thread that is blocked in the iterator of
/// positions stops once that returns.
pub struct SolveMany<A = Solution> {
    /// Answers with the numbers of their positions, in the order in which they are found. `None`
    /// once no more are awaited.
    found: Option<Receiver<(usize, A)>>,
    /// Answers found before their turn.
    early: BTreeMap<usize, A>,
    /// Number of the next answer in order.
    next: usize,
    cancel: Cancel,
    threads: Vec<JoinHandle<()>>,
}

impl Solver {
    /// Solves many positions, one on each thread; no thread waits for another at the end of an
    /// iteration. The solutions come in the order of the positions, as soon as they are available;
    /// dropping the iterator stops the work.
    ///
    /// # Panics
    ///
    /// Panics if the system refuses to start even one thread.
    pub fn solve_many(
        &self,
        positions: impl IntoIterator<Item = Cube, IntoIter: Send + 'static>,
    ) -> SolveMany {
        self.solve_many_until(positions, &Cancel::new())
    }

    /// Solves many positions like [`Solver::solve_many`], until `cancel` is triggered: unfinished
    /// positions are left out, and only [`SolveMany::unordered`] returns the number of the position
    /// with each solution.
    ///
    /// # Panics
    ///
    /// Panics if the system refuses to start even one thread.
    pub fn solve_many_until(
        &self,
        positions: impl IntoIterator<Item = Cube, IntoIter: Send + 'static>,
        cancel: &Cancel,
    ) -> SolveMany {
        let solve = |solver: &Solver, position: Cube, cancel: &Cancel| {
            let report = solver
                .search(&position)
                .options(ONE_SOLUTION)
                .with_cancel(cancel)
                .run();
            Solution::new(report, solver.metric())
        };
        self.answer_many(positions, cancel, solve)
            .expect("the system grants a thread")
    }

    /// Searches many positions like [`Solver::solve_many_until`], each with the options and limits
    /// that `configure` sets, except the cancellation token, which is `cancel`. The reports come in
    /// the order of the positions; an item that is an error instead of a position is passed on in
    /// its place.
    ///
    /// ```no_run
    /// use cosette::{Cancel, Cube, Solver};
    /// use std::time::Duration;
    ///
    /// let positions = ["R U", "F2 D", "nonsense"].map(str::parse::<Cube>);
    /// let solver = Solver::open("190M")?;
    /// for answer in solver.search_many(positions, &Cancel::new(), |search| search.timeout(Duration::from_secs(10))) {
    ///     println!("at least {} moves", answer?.lower_bound);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn search_many<E: Send + 'static>(
        &self,
        positions: impl IntoIterator<Item = Result<Cube, E>, IntoIter: Send + 'static>,
        cancel: &Cancel,
        configure: impl for<'a> Fn(Search<'a>) -> Search<'a> + Send + Sync + 'static,
    ) -> SolveMany<Result<Report, E>> {
        let search =
            move |solver: &Solver, position: Result<Cube, E>, cancel: &Cancel| match position {
                Ok(position) => {
                    let report = configure(solver.search(&position))
                        .with_cancel(cancel)
                        .run();
                    // Cancelled by `cancel`, not by a limit of the search.
                    let is_left_out =
                        matches!(report.outcome, Outcome::Cancelled(_)) && cancel.is_cancelled();
                    (!is_left_out).then_some(Ok(report))
                }
                Err(error) => Some(Err(error)),
            };
        self.answer_many(positions, cancel, search)
            .expect("the system grants a thread")
    }

    /// Maps positions, or items of any type, to answers, on all threads of the solver. Each thread
    /// calls `answer` with a single-threaded solver, the next item and the cancellation token;
    /// `None` stops that thread. The answers come in the order of the items. Works with fewer
    /// threads if the system refuses some.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses to start even one thread.
    pub fn answer_many<P: Send + 'static, A: Send + 'static>(
        &self,
        positions: impl IntoIterator<Item = P, IntoIter: Send + 'static>,
        cancel: &Cancel,
        answer: impl Fn(&Solver, P, &Cancel) -> Option<A> + Send + Sync + 'static,
    ) -> io::Result<SolveMany<A>> {
        let (sender, found) = sync_channel(self.threads.get());
        let positions = Arc::new(Mutex::new(positions.into_iter().enumerate()));
        let answer = Arc::new(answer);
        let cancel = cancel.child();
        let mut threads = Vec::new();
        for number in 0..self.threads.get() {
            let solver = self.clone().with_threads(ThreadCount::ONE);
            let cancel = cancel.clone();
            let positions = Arc::clone(&positions);
            let answer = Arc::clone(&answer);
            let sender = sender.clone();
            let work = move || {
                let next = || {
                    positions
                        .lock()
                        .ok()?
                        .next()
                        .filter(|_| !cancel.is_cancelled())
                };
                while let Some((number, position)) = next() {
                    let Some(answer) = answer(&solver, position, &cancel) else {
                        return;
                    };
                    if sender.send((number, answer)).is_err() {
                        return;
                    }
                }
            };
            match thread::Builder::new().spawn(work) {
                Ok(thread) => threads.push(thread),
                Err(refused) if number == 0 => return Err(refused),
                Err(refused) => {
                    let wanted = self.threads;
                    tracing::warn!(%refused, "using {number} threads instead of {wanted}");
                    break;
                }
            }
        }
        Ok(SolveMany {
            found: Some(found),
            early: BTreeMap::new(),
            next: 0,
            cancel,
            threads,
        })
    }
}

impl<A: Send + 'static> SolveMany<A> {
    /// Returns the answers in the order in which they are found, each with the number of its
    /// position, counted from 0.
    pub fn unordered(mut self) -> impl Iterator<Item = (usize, A)> {
        std::iter::from_fn(move || self.receive())
    }

    /// Returns the next answer found, with the number of its position; waits for it up to `time`.
    ///
    /// A panic of a thread is resumed here, after the last answer.
    ///
    /// # Errors
    ///
    /// Returns [`Timeout`](RecvTimeoutError::Timeout) if there is no answer within `time`, and
    /// [`Disconnected`](RecvTimeoutError::Disconnected) once there are no more.
    pub fn found_within(&mut self, time: Duration) -> Result<(usize, A), RecvTimeoutError> {
        let found = self
            .found
            .as_ref()
            .ok_or(RecvTimeoutError::Disconnected)?
            .recv_timeout(time);
        match found {
            Err(RecvTimeoutError::Disconnected) => self.join(),
            // No join: a thread may be blocked in the iterator of positions.
            Err(RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => self.found = None,
            _ => {}
        }
        found
    }

    /// Returns the next answer found.
    fn receive(&mut self) -> Option<(usize, A)> {
        loop {
            match self.found_within(POLL_INTERVAL) {
                Ok(found) => return Some(found),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
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

impl<A: Send + 'static> Iterator for SolveMany<A> {
    type Item = A;

    fn next(&mut self) -> Option<A> {
        loop {
            if let Some(answer) = self.early.remove(&self.next) {
                self.next += 1;
                return Some(answer);
            }
            match self.receive() {
                Some((number, answer)) => {
                    self.early.insert(number, answer);
                }
                // No more answers come: skip the missing ones.
                None => self.next = *self.early.first_key_value()?.0,
            }
        }
    }
}

impl<A> Drop for SolveMany<A> {
    fn drop(&mut self) {
        // The threads are not joined: one may be blocked in the iterator of positions until the
        // current thread provides a position. A thread that is blocked while sending an answer
        // wakes and stops.
        self.cancel.cancel();
        self.found = None;
    }
}
