//! Solving the remaining positions, many at a time.
//!
//! Each position is solved by one thread, as many positions at a time as there are threads, so no thread waits for another
//! at the end of an iteration. The last positions get more threads the fewer are left, more than run at once, so that the
//! threads of positions that end early are not missed. The calling thread collects the answers, commits them in groups, so
//! that short positions do not wait for the disk one by one, and hands them out after their commit.

use super::state::{Batch, BatchError, Searched};
use crate::json::Solve;
use cosette::cube::Cube;
use cosette::search::{Options, Outcome, Solver, TwoPhaseUse};
use cosette::table::Table;
use cosette::twophase::TwoPhase;
use cosette::{Cancel, CancelReason, ThreadCount};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// The least time between two commits.
pub const COMMIT_INTERVAL: Duration = Duration::from_millis(200);

/// A position gets more than one share of the threads once at most this many positions per share are left.
///
/// Computed from the nodes of 75 random positions of 16 to 18 moves, shortest first: with one share for each position the
/// batch takes 1.05, 1.3, 1.7 and 2.6 times the least time possible with 2, 4, 8 and 16 threads; with 1 here 1.02, 1.0, 1.2
/// and 1.9 times; with 4 here 1.0, 1.0, 1.1 and 1.1 times.
const LAST_SHARES: usize = 4;

/// The threads that solve a batch.
pub struct Workers {
    /// The table to search with.
    pub table: Arc<Table>,
    /// The number of threads.
    pub threads: ThreadCount,
    /// How many positions are solved at a time, by an equal share of the threads each.
    pub jobs: ThreadCount,
    /// The time limit of a position.
    pub timeout: Option<Duration>,
}

impl Workers {
    /// Solves the remaining positions of a batch, and calls `on_answer` with each answer once it is on the disk. On
    /// cancellation the positions being solved are dropped. Fails if the journal cannot be written, if a solution is
    /// wrong, or if `on_answer` fails. The work stops then.
    pub fn run<E: From<BatchError>>(
        &self,
        batch: &mut Batch,
        cancel: &Cancel,
        on_answer: &mut dyn FnMut(usize, Solve) -> Result<(), E>,
    ) -> Result<(), E> {
        let remaining = batch.remaining_positions();
        let options = batch.settings().options(self.timeout);
        if options.two_phase == TwoPhaseUse::AtOnce && !remaining.is_empty() {
            // Generating its tables must not count as time of the first positions.
            TwoPhase::get();
        }
        // An error stops the workers too.
        let stop = cancel.child();
        // Bounded, so that the answers of a batch whose reader is slow do not fill the memory.
        let (next, (send, receive)) = (AtomicUsize::new(0), mpsc::sync_channel(self.jobs.get()));
        std::thread::scope(|scope| {
            for job in 0..self.jobs.get().min(remaining.len()) {
                let (send, work) = (send.clone(), (&remaining[..], &next));
                let (options, stop) = (&options, &stop);
                let work = move || self.work(work, options, stop, &mut |searched| send.send(searched).is_ok());
                match std::thread::Builder::new().spawn_scoped(scope, work) {
                    Ok(_) => {}
                    Err(refused) if job == 0 => return Err(BatchError::Threads(refused).into()),
                    Err(refused) => {
                        tracing::warn!(%refused, "solving {job} positions at a time instead of {}", self.jobs);
                        break;
                    }
                }
            }
            drop(send);
            let result = collect(receive, batch, &self.table, on_answer);
            stop.cancel();
            result
        })
    }

    /// Solves one position after another, until none is left or nobody listens.
    fn work(
        &self,
        (remaining, next): (&[(usize, Cube)], &AtomicUsize),
        options: &Options<'_>,
        stop: &Cancel,
        send: &mut dyn FnMut(Searched) -> bool,
    ) {
        while !stop.is_cancelled() {
            let started = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(number, cube)) = remaining.get(started) else { break };
            let cancel = self.timeout.map_or(stop.clone(), |timeout| stop.child_with_timeout(timeout));
            let solver = Solver::new(Arc::clone(&self.table), self.threads_for_one(remaining.len() - started));
            let report = solver.search(&cube).options(*options).cancel(&cancel).run();
            if report.outcome == Outcome::Cancelled(CancelReason::Requested) {
                break;
            }
            if !send(Searched { number, report }) {
                break;
            }
        }
    }

    /// The number of threads for a position when `left` have not been started, this one included.
    fn threads_for_one(&self, left: usize) -> ThreadCount {
        let (share, all) = (self.threads.get() / self.jobs.get(), self.threads.get());
        self.threads.at_most((LAST_SHARES * all / left).clamp(share.max(1), all))
    }
}

/// Records answers until all workers have ended. After an error nobody receives any more, so no worker waits.
fn collect<E: From<BatchError>>(
    searched: Receiver<Searched>,
    batch: &mut Batch,
    table: &Table,
    on_answer: &mut dyn FnMut(usize, Solve) -> Result<(), E>,
) -> Result<(), E> {
    let interval = if batch.has_journal() { COMMIT_INTERVAL } else { Duration::ZERO };
    let mut due = Instant::now();
    while let Ok(first) = searched.recv() {
        batch.record_search(first, table.id())?;
        while let Ok(other) = searched.recv_timeout(due.saturating_duration_since(Instant::now())) {
            batch.record_search(other, table.id())?;
            if Instant::now() >= due {
                break;
            }
        }
        for (number, answer) in batch.commit().map_err(BatchError::from)? {
            on_answer(number, answer)?;
        }
        due = Instant::now() + interval;
    }
    Ok(())
}
