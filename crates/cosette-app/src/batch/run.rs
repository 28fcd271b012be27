//! Solving what is to do, many positions at a time.
//!
//! Each position is solved by one thread, as many at a time as there are threads: no thread waits for another at the
//! end of an iteration. The last positions get more threads the fewer are left, more than can run at once: so the
//! threads of those that end early are not missed. Finished answers come together in the thread that called; it commits
//! them in groups, so that short positions do not wait for the disk one by one, and shows them after their commit.

use super::book::{BatchError, Book};
use crate::answer::{Answer, SolvedBy, Stop};
use crate::json::Solve;
use cosette::Cancel;
use cosette::cube::Cube;
use cosette::search::{Options, Outcome, Report, Solver, TwoPhaseUse};
use cosette::table::{Table, TableId};
use cosette::twophase::TwoPhase;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The least time between two commits.
pub const COMMIT_INTERVAL: Duration = Duration::from_millis(200);

/// With so many shares of the threads not begun, or fewer, a position gets more than one share.
///
/// Reckoned from the nodes of 75 random positions of 16 to 18 moves, shortest first: with one share for each position
/// the whole takes 1.05, 1.3, 1.7 and 2.6 times the least time that 2, 4, 8 and 16 threads could take; with 1 here
/// 1.02, 1.0, 1.2 and 1.9 times; with 4 here 1.0, 1.0, 1.1 and 1.1 times.
const LAST_SHARES: usize = 4;

/// What solves.
pub struct Workers {
    /// The table to search with.
    pub table: Arc<Table>,
    /// How many threads there are.
    pub threads: NonZeroUsize,
    /// How many positions are solved at a time; the threads are shared out among them.
    pub jobs: NonZeroUsize,
    /// The time each position has.
    pub timeout: Option<Duration>,
}

/// A position that is searched no more.
pub struct Searched {
    /// Its place in the list, from zero.
    pub number: usize,
    /// What came of it.
    pub report: Report,
    /// Why it was left off, where it was.
    pub stopped: Option<Stop>,
}

impl Workers {
    /// Solves what is to do in a book, and calls `on_answer` with each answer once it is safe. On cancellation the
    /// positions under way are left out; all others that are solved have been passed on.
    ///
    /// # Errors
    /// If the journal cannot be written, if a solution is wrong, or if `on_answer` fails. The work stops then.
    pub fn run<E: From<BatchError>>(
        &self,
        book: &mut Book,
        cancel: &Cancel,
        on_answer: &mut dyn FnMut(usize, Solve) -> Result<(), E>,
    ) -> Result<(), E> {
        let to_do = book.positions_to_do();
        let options = book.settings().options(self.timeout);
        if options.two_phase == TwoPhaseUse::AtOnce && !to_do.is_empty() {
            // Filling its tables is not to count as time of the first positions.
            TwoPhase::get();
        }
        // An error stops the workers too.
        let stop = cancel.of_part();
        let (next, (send, receive)) = (AtomicUsize::new(0), mpsc::channel());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.get().min(to_do.len()) {
                let (send, work) = (send.clone(), (&to_do[..], &next));
                let (options, stop) = (&options, &stop);
                scope.spawn(move || self.work(work, options, stop, &mut |searched| send.send(searched).is_ok()));
            }
            drop(send);
            let result = collect(&receive, book, &self.table, on_answer);
            stop.cancel();
            result
        })
    }

    /// What one worker does: searches one position after the other, until there are none or nobody listens.
    fn work(
        &self,
        (to_do, next): (&[(usize, Cube)], &AtomicUsize),
        options: &Options<'_>,
        stop: &Cancel,
        tell: &mut dyn FnMut(Searched) -> bool,
    ) {
        while !stop.is_cancelled() {
            let begun = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(number, cube)) = to_do.get(begun) else { break };
            let cancel = stop.of_part();
            let solver = Solver::new(Arc::clone(&self.table), self.threads_for_one(to_do.len() - begun));
            let search = || solver.solve(&cube, options, &|_| {}, &cancel);
            let report = match self.timeout {
                Some(timeout) => within(timeout, &cancel, search),
                None => search(),
            };
            if stop.is_cancelled() && report.outcome == Outcome::Cancelled {
                break;
            }
            let stopped = cancel.is_cancelled().then_some(Stop::Timeout);
            if !tell(Searched { number, report, stopped }) {
                break;
            }
        }
    }

    /// How many threads search a position, where so many are not begun.
    fn threads_for_one(&self, left: usize) -> NonZeroUsize {
        let (share, all) = (self.threads.get() / self.jobs.get(), self.threads.get());
        NonZeroUsize::new((LAST_SHARES * all / left).clamp(share.max(1), all)).unwrap_or(NonZeroUsize::MIN)
    }
}

/// Does work that is asked to stop after a time.
pub fn within<T>(limit: Duration, cancel: &Cancel, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                cancel.cancel();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Writes down what was searched until all workers have ended.
fn collect<E: From<BatchError>>(
    searched: &Receiver<Searched>,
    book: &mut Book,
    table: &Table,
    on_answer: &mut dyn FnMut(usize, Solve) -> Result<(), E>,
) -> Result<(), E> {
    let interval = if book.has_journal() { COMMIT_INTERVAL } else { Duration::ZERO };
    let mut due = Instant::now();
    while let Ok(first) = searched.recv() {
        book.write_down(first, table.id())?;
        while let Ok(other) = searched.recv_timeout(due.saturating_duration_since(Instant::now())) {
            book.write_down(other, table.id())?;
            if Instant::now() >= due {
                break;
            }
        }
        for (number, answer) in book.commit().map_err(BatchError::from)? {
            on_answer(number, answer)?;
        }
        due = Instant::now() + interval;
    }
    Ok(())
}

impl Book {
    /// Takes note of what came of a position that was searched with this table.
    ///
    /// # Errors
    /// If a solution is wrong.
    pub fn write_down(&mut self, searched: Searched, table: TableId) -> Result<(), BatchError> {
        let Searched { number, report, stopped } = searched;
        let entry = &self.list().entries()[number];
        let Ok(input) = &entry.input else { return Ok(()) };
        let by = SolvedBy::table(table);
        let options = self.settings().options(None);
        let answer = Answer::new((&entry.text, Some(entry.line), input), report, &options, by, stopped)?;
        let answer = Solve::from(&answer);
        self.finish(number, answer)
    }

    /// The positions to be solved, by their places in the list.
    pub fn positions_to_do(&self) -> Vec<(usize, Cube)> {
        let cube = |number: usize| Some((number, self.list().entries()[number].input.as_ref().ok()?.cube));
        self.to_do().into_iter().filter_map(cube).collect()
    }
}
