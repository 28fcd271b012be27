//! The threads that solve a batch.
//!
//! Each position is solved by one thread, as many positions at a time as there are threads, so no
//! thread waits for another at the end of an iteration. The fewer positions are left, the more
//! threads each of the last ones gets. Together these positions get more threads than the machine
//! runs at once, so that it stays busy when one of them ends early.
//!
//! The calling thread collects the results ([`BatchAnswers`]). It commits them in groups, so that
//! short searches do not each wait for the disk, and passes them on after their commit.

use super::state::{Batch, BatchError, PendingPosition, SearchedPosition};
use crate::goal_engine::GoalSolverCache;
use crate::journal::COMMIT_INTERVAL;
use crate::request::Request;
use crate::solve_result::EngineInfo;
use cosette::search::SolveResult;
use cosette::search::StopReason;
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Event, Options, Outcome, SolveMany, Solver, TwoPhaseMode};
use cosette::table::TableId;
use cosette::twophase::TwoPhase;
use cosette::{Cancel, CancelReason, Control, ThreadCount};
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// Factor by which the threads of the last positions together exceed the number of threads. Each
/// position gets this factor times all threads, divided by the number of remaining positions, but
/// at least an equal share and at most all threads.
///
/// Computed from the nodes of 75 random positions of 16 to 18 moves, shortest first. With 2, 4, 8
/// and 16 threads, the batch takes 1.0, 1.0, 1.1 and 1.1 times the minimum time with the factor 4;
/// 1.02, 1.0, 1.2 and 1.9 times with the factor 1; and 1.05, 1.3, 1.7 and 2.6 times with equal
/// shares only.
const LAST_THREADS_FACTOR: usize = 4;

/// A function that receives the events of each search, with the index of its position in the list,
/// from any thread.
pub type PositionListener = Arc<dyn Fn(usize, Event<'_>) + Send + Sync>;

/// The threads that solve a batch.
pub struct Workers {
    /// The solver, with all threads.
    pub solver: Solver,
    /// Number of positions to solve in parallel; the threads are divided equally among them.
    pub jobs: ThreadCount,
}

impl Workers {
    /// Solves the remaining positions of a batch, and calls `on_answer` with each result once it is
    /// on the disk. On cancellation, positions in progress are dropped.
    ///
    /// # Errors
    ///
    /// Stops and returns an error if the journal cannot be written, if a solution is wrong, or if
    /// `on_answer` fails.
    pub fn run<E: From<BatchError>>(
        &self,
        batch: &mut Batch,
        cancel: &Cancel,
        on_answer: &mut dyn FnMut(usize, SolveResult) -> Result<(), E>,
    ) -> Result<(), E> {
        self.run_with_events(batch, cancel, Arc::new(|_, _| {}), on_answer)
    }

    /// Works like [`Workers::run`], and passes the events of the searches on.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Workers::run`].
    pub fn run_with_events<E: From<BatchError>>(
        &self,
        batch: &mut Batch,
        cancel: &Cancel,
        on_event: PositionListener,
        on_answer: &mut dyn FnMut(usize, SolveResult) -> Result<(), E>,
    ) -> Result<(), E> {
        let remaining = batch.remaining_positions();
        let count = remaining.len();
        if count == 0 {
            return Ok(());
        }
        let request = batch.request().clone();
        if request.batch_options().two_phase == TwoPhaseMode::Upfront {
            // The time of the first positions must not include generating the two-phase tables.
            TwoPhase::get();
        }
        let threads = self.solver.threads();
        let jobs = self.jobs;
        let search = move |solver: &Solver, (position, left), stop: &Cancel| {
            let share = threads_for_one(left, threads, jobs);
            let solver = solver.clone().with_threads(share);
            search_position(&solver, position, &request, stop, &on_event)
        };
        let solver = self.solver.clone().with_threads(jobs.at_most(count));
        let positions = remaining.into_iter().zip((1..=count).rev());
        let searched = solver.answer_many(positions, cancel, search);
        let answers = BatchAnswers::new(batch, self.solver.table().id(), on_answer);
        collect(searched.map_err(BatchError::Threads)?, answers)
    }
}

/// Searches a position; `None` if the batch was stopped before the search ended.
fn search_position(
    solver: &Solver,
    position: PendingPosition,
    request: &Request,
    stop: &Cancel,
    on_event: &PositionListener,
) -> Option<SearchedPosition> {
    let options = Options {
        known_solution: position.known.as_deref(),
        ..request.batch_options()
    };
    let report = solver
        .search(&position.cube)
        .options(options)
        .with_cancel(&request.with_deadline(stop))
        .on_event(|event| on_event(position.number, event))
        .run();
    let is_stopped = report.outcome == Outcome::Cancelled(CancelReason::Requested);
    (!is_stopped).then_some(SearchedPosition {
        number: position.number,
        report,
    })
}

/// Searches the remaining positions of a batch with a goal, one after the other, each with all
/// threads. Otherwise works like [`Workers::run`].
///
/// # Errors
///
/// Returns the errors of [`Workers::run`].
pub fn run_goal<E: From<BatchError>>(
    batch: &mut Batch,
    goals: &GoalSolverCache,
    control: &Control<'_>,
    on_answer: &mut dyn FnMut(usize, SolveResult) -> Result<(), E>,
) -> Result<(), E> {
    let request = batch.request().clone();
    let Some(goal) = batch.goal().cloned() else {
        return Ok(());
    };
    if request.timeout.is_some() {
        // The time of the first position must not include building the pattern databases.
        goals.prepare(&goal, control);
    }
    for number in batch.remaining() {
        let Some(position) = batch.list().entries()[number].position() else {
            continue;
        };
        let result = goals
            .solve(&request, &goal, &position, &|_| {}, control)
            .map_err(BatchError::from)?;
        if result.stop_reason == Some(StopReason::Interrupt) {
            break;
        }
        batch.record(number, result)?;
        for (number, answer) in batch.commit().map_err(BatchError::from)? {
            on_answer(number, answer)?;
        }
    }
    Ok(())
}

/// A solver, with its threads.
pub type ChunkSolver = (Solver, ThreadExecutor);

/// Solves many items in chunks of `size`. Each chunk gets a solver with its share of the threads.
/// Results and errors are those of [`Solver::answer_many`].
pub fn answer_chunks<T: Clone + Send + 'static, A: Send + 'static>(
    solver: &Solver,
    (items, size): (&[T], usize),
    cancel: &Cancel,
    answer: impl Fn(&mut ChunkSolver, Vec<T>, &Cancel) -> Option<A> + Send + Sync + 'static,
) -> std::io::Result<SolveMany<A>> {
    let threads = solver.threads();
    let left = (0..items.len())
        .step_by(size)
        .map(|start| items.len() - start);
    let chunks: Vec<(usize, Vec<T>)> = left.zip(items.chunks(size).map(<[T]>::to_vec)).collect();
    solver.answer_many(chunks, cancel, move |solver, (left, chunk), cancel| {
        let share = threads_for_one(left, threads, threads);
        let solver = solver.clone().with_threads(share);
        answer(&mut (solver, ThreadExecutor::new(share)), chunk, cancel)
    })
}

/// Returns the number of threads for a position when `left` have not been started, including this
/// one.
fn threads_for_one(left: usize, threads: ThreadCount, jobs: ThreadCount) -> ThreadCount {
    let all = threads.get();
    let share = all / jobs.get();
    threads.at_most((LAST_THREADS_FACTOR * all / left).clamp(share.max(1), all))
}

/// Records results until all workers have ended. After an error, the workers are stopped.
fn collect<E: From<BatchError>>(
    mut searched: SolveMany<SearchedPosition>,
    mut answers: BatchAnswers<'_, E>,
) -> Result<(), E> {
    loop {
        match searched.found_within(COMMIT_INTERVAL) {
            Ok((_, first)) => answers.record(first)?,
            Err(RecvTimeoutError::Timeout) => continue,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        while let Ok((_, other)) = searched.found_within(answers.until_due()) {
            answers.record(other)?;
            if answers.until_due().is_zero() {
                break;
            }
        }
        answers.commit()?;
    }
}

/// A collector of the results of a batch: records each, and passes it on once it is on the disk.
pub struct BatchAnswers<'a, E> {
    batch: &'a mut Batch,
    table: TableId,
    on_answer: &'a mut dyn FnMut(usize, SolveResult) -> Result<(), E>,
    next_commit: Instant,
}

impl<'a, E: From<BatchError>> BatchAnswers<'a, E> {
    /// Creates the collector of results found with a table, which are passed to `on_answer`.
    pub fn new(
        batch: &'a mut Batch,
        table: TableId,
        on_answer: &'a mut dyn FnMut(usize, SolveResult) -> Result<(), E>,
    ) -> BatchAnswers<'a, E> {
        BatchAnswers {
            batch,
            table,
            on_answer,
            next_commit: Instant::now(),
        }
    }

    /// Records the result of the search of a position.
    ///
    /// # Errors
    ///
    /// Returns an error if a solution is wrong.
    pub fn record(&mut self, searched: SearchedPosition) -> Result<(), E> {
        Ok(self
            .batch
            .record_search(searched, &EngineInfo::table(self.table))?)
    }

    /// Returns the time until the next commit is due.
    pub fn until_due(&self) -> Duration {
        self.next_commit.saturating_duration_since(Instant::now())
    }

    /// Commits the recorded results to the disk, and passes them on.
    ///
    /// # Errors
    ///
    /// Returns an error if the journal cannot be written, or if `on_answer` fails.
    pub fn commit(&mut self) -> Result<(), E> {
        for (number, answer) in self.batch.commit().map_err(BatchError::from)? {
            (self.on_answer)(number, answer)?;
        }
        let interval = if self.batch.has_journal() {
            COMMIT_INTERVAL
        } else {
            Duration::ZERO
        };
        self.next_commit = Instant::now() + interval;
        Ok(())
    }
}
