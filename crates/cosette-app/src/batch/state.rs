//! The state of a batch: its results, its remaining positions, and the threads that solve them.
//!
//! Each position is solved by one thread, as many positions at a time as there are threads, so no
//! thread waits for another at the end of an iteration. The last positions get more threads as
//! fewer are left, more than run at once, so that the threads of positions that end early are not
//! missed. The calling thread collects the results, commits them in groups, so that short positions
//! do not wait for the disk one by one, and passes them on after their commit.

use super::journal::BatchJournal;
use super::list::{Classes, ListEntry, PositionList};
use crate::answer::{Answer, EngineInfo, InvalidSolution, StopReason, known_solution};
use crate::explain::Explanation;
use crate::goal_engine::{GoalObserver, GoalSolverCache, cost};
use crate::journal::{COMMIT_INTERVAL, JournalError, Offset};
use crate::journal_error::quoted;
use crate::json::SolveResult;
use crate::request::{GoalRequest, Request};
use cosette::cube::{Cube, DisplayMoves, Move, ParseOptions, parse_moves};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Options, Outcome, Report, SolveMany, Solver, TwoPhaseMode};
use cosette::table::TableId;
use cosette::twophase::TwoPhase;
use cosette::{Cancel, CancelReason, Control, ThreadCount};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// Error that ends a batch.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The search returned a sequence that does not solve its position.
    #[error(transparent)]
    Mismatch(#[from] InvalidSolution),
    /// No thread could be started.
    #[error("no thread can be started: {0}")]
    Threads(std::io::Error),
    /// A result is wrong.
    #[error("internal error: wrong answer to `{text}`: {what}")]
    Wrong {
        /// The text of the position.
        text: String,
        /// The fault of the result.
        what: String,
    },
}

/// A position that remains to be solved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PendingPosition {
    /// The index in the list.
    pub number: usize,
    /// The position.
    pub cube: Cube,
    /// A known solution: the inverse of the input moves.
    pub known: Option<Vec<Move>>,
}

/// The result of the search of a position.
pub struct SearchedPosition {
    /// The index in the list.
    pub number: usize,
    /// The report of the search.
    pub report: Report,
}

/// A list of positions with their results. Entries are numbered by their index in the list.
pub struct Batch {
    list: PositionList,
    request: Request,
    /// The goal request; `None` for searches of the whole cube.
    goal: Option<GoalRequest>,
    target: Option<Cube>,
    classes: Classes,
    journal: Option<BatchJournal>,
    /// The record of each entry in the journal.
    records: Vec<Option<Offset>>,
    /// Results of the next commit.
    pending: Vec<(usize, SolveResult)>,
}

impl Batch {
    /// Opens a batch with the results of its journal. With `dedupe`, positions equivalent under
    /// symmetry and inversion are solved once, unless the request includes optimal moves: those of
    /// a position do not determine those of its inverse.
    ///
    /// # Errors
    ///
    /// Returns [`BatchError`] if the journal cannot be used.
    pub fn open(
        list: PositionList,
        request: Request,
        dedupe: bool,
        journal: Option<&Path>,
    ) -> Result<Batch, BatchError> {
        let goal = request.parse_goal().ok().flatten();
        let classes = Classes::of(&list, dedupe && goal.is_none() && !request.optimal_moves);
        let (journal, records) = match journal
            .map(|path| BatchJournal::open(path, &list, &request))
            .transpose()?
        {
            Some((journal, records)) => (Some(journal), records),
            None => (None, vec![None; list.entries().len()]),
        };
        let mut batch = Batch {
            target: request.target(),
            list,
            request,
            goal,
            classes,
            journal,
            records,
            pending: Vec::new(),
        };
        batch.complete_classes()?;
        Ok(batch)
    }

    /// Adds the results of all positions that are equivalent to a solved one.
    fn complete_classes(&mut self) -> Result<(), BatchError> {
        for class in 0..self.classes.all().len() {
            let members = &self.classes.all()[class];
            let Some(&answered) = members
                .iter()
                .find(|&&number| self.records[number].is_some())
            else {
                continue;
            };
            let open: Vec<usize> = members
                .iter()
                .copied()
                .filter(|&number| self.records[number].is_none())
                .collect();
            if let (false, Some(answer)) = (open.is_empty(), self.answer(answered)?) {
                self.carry_over(&answer, answered, &open)?;
            }
        }
        self.commit()?;
        Ok(())
    }

    /// Returns the list.
    pub fn list(&self) -> &PositionList {
        &self.list
    }

    /// Returns `true` for goals, which [`run_goal`] searches.
    pub fn has_goal(&self) -> bool {
        self.goal.is_some()
    }

    /// Returns the request for each position.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// Returns the result of an entry from the journal, with its solutions checked again.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if the journal cannot be read, or holds a wrong result.
    pub fn answer(&self, number: usize) -> Result<Option<SolveResult>, JournalError> {
        let (Some(journal), Some(offset)) = (&self.journal, self.records[number]) else {
            return Ok(None);
        };
        let entry = &self.list.entries()[number];
        let mut answer = journal.read_back(offset, number)?;
        self.check(&answer, entry)
            .map_err(|what| journal.invalid(number, &what))?;
        answer.line = Some(entry.line);
        answer.name = entry.name.clone();
        Ok(Some(answer))
    }

    /// Returns the number of entries with a result in the journal.
    pub fn answered(&self) -> usize {
        self.records.iter().flatten().count()
    }

    /// Returns the entries to solve, one for each class without a result, in the order of the list.
    pub fn remaining(&self) -> Vec<usize> {
        let is_open =
            |members: &&Vec<usize>| members.iter().all(|&number| self.records[number].is_none());
        self.classes
            .all()
            .iter()
            .filter(is_open)
            .map(|members| members[0])
            .collect()
    }

    /// Returns the positions of the [remaining](Batch::remaining) entries.
    pub fn remaining_positions(&self) -> Vec<PendingPosition> {
        let position = |number: usize| {
            let input = self.list.entries()[number].input.as_ref().ok()?;
            Some(PendingPosition {
                number,
                cube: input.cube,
                known: known_solution(input, self.request.face_metric()),
            })
        };
        self.remaining().into_iter().filter_map(position).collect()
    }

    /// Records the result of an entry, and of its whole class. It may be shown after the next
    /// [`commit`](Batch::commit). The result of a position that ran out of time is not stored in
    /// the journal: the next run tries it again.
    ///
    /// # Errors
    ///
    /// Returns [`BatchError`] if the result is wrong.
    pub fn record(&mut self, number: usize, answer: SolveResult) -> Result<(), BatchError> {
        let others: Vec<usize> = self
            .classes
            .others(number)
            .filter(|&other| self.records[other].is_none())
            .collect();
        self.append(number, answer.clone())?;
        self.carry_over(&answer, number, &others)
    }

    /// Records the result of a search.
    ///
    /// # Errors
    ///
    /// Returns [`BatchError`] if a solution is wrong.
    pub fn record_search(
        &mut self,
        searched: SearchedPosition,
        by: EngineInfo,
    ) -> Result<(), BatchError> {
        let SearchedPosition { number, report } = searched;
        let entry = &self.list.entries()[number];
        let Ok(input) = &entry.input else {
            return Ok(());
        };
        let text = (&entry.text[..], Some(entry.line), input);
        let answer = Answer::new(text, report, &self.request.batch_options(), by)?;
        let answer = SolveResult::from(&answer.apply_request(&self.request));
        self.record(number, answer)
    }

    fn carry_over(
        &mut self,
        answer: &SolveResult,
        from: usize,
        to: &[usize],
    ) -> Result<(), BatchError> {
        for &other in to {
            let carried = self.carried(answer, from, other);
            self.append(other, carried.map_err(|what| self.wrong(other, what))?)?;
        }
        Ok(())
    }

    fn append(&mut self, number: usize, answer: SolveResult) -> Result<(), BatchError> {
        let entry = &self.list.entries()[number];
        self.check(&answer, entry)
            .map_err(|what| self.wrong(number, what))?;
        let answer = SolveResult {
            name: entry.name.clone(),
            ..answer
        };
        let is_final = answer
            .stop_reason
            .as_deref()
            .is_none_or(|stop| stop == StopReason::MaxLength.name());
        if let (Some(journal), true) = (&mut self.journal, is_final) {
            self.records[number] = Some(journal.append(number, entry, &answer));
        }
        self.pending.push((number, answer));
        Ok(())
    }

    /// Applies every solution of a result to the position of an entry, and compares all fields that
    /// both have.
    ///
    /// # Errors
    ///
    /// Returns the fault of the result.
    pub fn check(&self, answer: &SolveResult, entry: &ListEntry) -> Result<(), String> {
        let Ok(input) = &entry.input else {
            return Err(format!("`{}` is not a position", entry.text));
        };
        let is = |what: &str, holds: bool| if holds { Ok(()) } else { Err(what.to_owned()) };
        is(
            "it has another position",
            answer.facelets == self.as_given(&input.cube).facelets(),
        )?;
        is(
            "it has another metric",
            answer.metric == self.request.metric.name(),
        )?;
        is(
            "`optimal` and `length` disagree",
            answer.optimal == answer.length.is_some(),
        )?;
        is(
            "`optimal` and `solutions` disagree",
            answer.optimal != answer.solutions.is_empty(),
        )?;
        is(
            "its length is not the lower bound",
            answer
                .length
                .is_none_or(|length| length == answer.lower_bound),
        )?;
        let is_complete = answer.stop_reason.is_some()
            || answer.optimal_moves.is_some() == self.request.optimal_moves;
        is("it has no optimal moves", is_complete)?;
        let mut lengths = answer.costs.iter().flatten();
        for text in answer.solutions.iter().chain(&answer.best_known) {
            let wrong = |what: &str| format!("`{}` {what}", quoted(text));
            if let Some(wanted) = &self.goal {
                let costs =
                    cost(text, input, wanted)?.ok_or_else(|| wrong("does not reach the goal"))?;
                is(&wrong("has another length"), lengths.next() == Some(&costs))?;
                continue;
            }
            let moves = moves(text)?;
            is(
                &wrong("does not solve it"),
                input.cube.apply_moves(&moves).is_solved(),
            )?;
            let has_length =
                |length| self.request.face_metric().length(&moves) == usize::from(length);
            is(
                &wrong("has another length"),
                answer.length.is_none_or(has_length),
            )?;
        }
        Ok(())
    }

    /// Derives the result of entry `to` from that of entry `from` of the same class.
    fn carried(&self, answer: &SolveResult, from: usize, to: usize) -> Result<SolveResult, String> {
        let entry = &self.list.entries()[to];
        let input = entry.input.as_ref().map_err(|_| "it is not a position")?;
        let carry = |text: &String| Ok::<_, String>(self.classes.carry(&moves(text)?, from, to));
        let mut solutions = answer
            .solutions
            .iter()
            .map(carry)
            .collect::<Result<Vec<_>, _>>()?;
        solutions.sort_unstable();
        let best_known = answer.best_known.as_ref().map(carry).transpose()?;
        // Equivalent positions have different orders and symmetries in the fixed frame, so each is
        // explained on its own.
        let explain = |of: &Explanation| {
            Explanation::new(
                &self.as_given(&input.cube),
                of.solutions.is_some().then_some(&solutions[..]),
            )
        };
        let explanation = answer.explanation.as_ref().map(explain);
        Ok(SolveResult {
            input: entry.text.clone(),
            line: Some(entry.line),
            format: input.format.name().to_owned(),
            facelets: self.as_given(&input.cube).facelets(),
            solutions: solutions
                .iter()
                .map(|solution| DisplayMoves(solution).to_string())
                .collect(),
            best_known: best_known.map(|moves| DisplayMoves(&moves).to_string()),
            optimal_moves: None,
            neighbor_distances: None,
            equivalent_to_line: answer.equivalent_to_line.or(answer.line),
            explanation,
            symmetries: self.as_given(&input.cube).symmetries().len(),
            ..answer.clone()
        })
    }

    /// Returns the original position for a relative one.
    fn as_given(&self, position: &Cube) -> Cube {
        self.target.map_or(*position, |target| target * *position)
    }

    fn wrong(&self, number: usize, what: String) -> BatchError {
        BatchError::Wrong {
            text: self.list.entries()[number].text.clone(),
            what,
        }
    }

    /// Writes the recorded results to the disk, and returns them; now they may be shown.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error.
    pub fn commit(&mut self) -> Result<Vec<(usize, SolveResult)>, JournalError> {
        if let Some(journal) = &mut self.journal {
            journal.commit()?;
        }
        Ok(std::mem::take(&mut self.pending))
    }
}

/// Parses a solution.
fn moves(text: &str) -> Result<Vec<Move>, String> {
    let sequence = parse_moves(text, &ParseOptions::default());
    Ok(sequence
        .map_err(|error| format!("`{}`: {}", quoted(text), error.message()))?
        .moves()
        .to_vec())
}

/// Maximum number of remaining positions per share at which a position gets more than one share of
/// the threads.
///
/// Computed from the nodes of 75 random positions of 16 to 18 moves, shortest first: with one share
/// for each position the batch takes 1.05, 1.3, 1.7 and 2.6 times the minimum time with 2, 4, 8 and
/// 16 threads; with 1 here 1.02, 1.0, 1.2 and 1.9 times; with 4 here 1.0, 1.0, 1.1 and 1.1 times.
const LAST_SHARES: usize = 4;

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
        let (remaining, request) = (batch.remaining_positions(), batch.request().clone());
        if remaining.is_empty() {
            return Ok(());
        }
        if request.batch_options().two_phase == TwoPhaseMode::Upfront {
            // The time of the first positions must not include generating its tables.
            TwoPhase::get();
        }
        let (threads, jobs, left) = (self.solver.threads(), self.jobs, remaining.len());
        let search =
            move |solver: &Solver, (remaining, left): (PendingPosition, usize), stop: &Cancel| {
                let PendingPosition {
                    number,
                    cube,
                    known,
                } = remaining;
                let cancel = request.with_deadline(stop);
                let options = Options {
                    known_solution: known.as_deref(),
                    ..request.batch_options()
                };
                let solver = solver
                    .clone()
                    .with_threads(threads_for_one(left, threads, jobs));
                let report = solver
                    .search(&cube)
                    .options(options)
                    .with_cancel(&cancel)
                    .run();
                (report.outcome != Outcome::Cancelled(CancelReason::Requested))
                    .then_some(SearchedPosition { number, report })
            };
        let solver = self.solver.clone().with_threads(jobs.at_most(left));
        let searched =
            solver.answer_many(remaining.into_iter().zip((1..=left).rev()), cancel, search);
        let answers = Answers::new(batch, self.solver.table().id(), on_answer);
        collect(searched.map_err(BatchError::Threads)?, answers)
    }
}

/// Searches the goal of the remaining positions of a batch one after the other, each with all
/// threads; otherwise like [`Workers::run`].
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
    let (request, Some(goal)) = (batch.request.clone(), batch.goal.clone()) else {
        return Ok(());
    };
    if request.timeout.is_some() {
        // The time of the first position must not include building its tables.
        goals.prepare(&goal, control);
    }
    for number in batch.remaining() {
        let ListEntry {
            line,
            text,
            input: Ok(input),
            ..
        } = &batch.list.entries()[number]
        else {
            continue;
        };
        let listener = GoalObserver {
            on_event: &|_| {},
            on_solution: &|_| {},
        };
        let answer = goals.answer(
            (&request, &goal),
            (text, Some(*line), input),
            listener,
            control,
        );
        if answer.stop_reason.as_deref() == Some(StopReason::Interrupt.name()) {
            break;
        }
        batch.record(number, answer)?;
        for (number, answer) in batch.commit().map_err(BatchError::from)? {
            on_answer(number, answer)?;
        }
    }
    Ok(())
}

/// Solves many items in chunks of `size`, each by a solver with its share of the threads. Results
/// and errors are those of [`Solver::answer_many`].
pub fn answer_chunks<T: Clone + Send + 'static, A: Send + 'static>(
    solver: &Solver,
    (items, size): (&[T], usize),
    cancel: &Cancel,
    answer: impl Fn(&mut (Solver, ThreadExecutor), Vec<T>, &Cancel) -> Option<A> + Send + Sync + 'static,
) -> std::io::Result<SolveMany<A>> {
    let threads = solver.threads();
    let left = (0..items.len())
        .step_by(size)
        .map(|done| items.len() - done);
    let chunks: Vec<(usize, Vec<T>)> = left.zip(items.chunks(size).map(<[T]>::to_vec)).collect();
    solver.answer_many(chunks, cancel, move |solver, (left, chunk), cancel| {
        let share = threads_for_one(left, threads, threads);
        answer(
            &mut (
                solver.clone().with_threads(share),
                ThreadExecutor::new(share),
            ),
            chunk,
            cancel,
        )
    })
}

/// Returns the number of threads for a position when `left` have not been started, including this
/// one.
fn threads_for_one(left: usize, threads: ThreadCount, jobs: ThreadCount) -> ThreadCount {
    let (share, all) = (threads.get() / jobs.get(), threads.get());
    threads.at_most((LAST_SHARES * all / left).clamp(share.max(1), all))
}

/// Records results until all workers have ended. They stop after an error.
fn collect<E: From<BatchError>>(
    mut searched: SolveMany<SearchedPosition>,
    mut answers: Answers<'_, E>,
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

/// The results of a batch as they arrive: each is recorded, and passed on once it is on the disk.
pub struct Answers<'a, E> {
    batch: &'a mut Batch,
    table: TableId,
    on_answer: &'a mut dyn FnMut(usize, SolveResult) -> Result<(), E>,
    due: Instant,
}

impl<'a, E: From<BatchError>> Answers<'a, E> {
    /// Creates the collector of results found with a table, which are passed to `on_answer`.
    pub fn new(
        batch: &'a mut Batch,
        table: TableId,
        on_answer: &'a mut dyn FnMut(usize, SolveResult) -> Result<(), E>,
    ) -> Answers<'a, E> {
        Answers {
            batch,
            table,
            on_answer,
            due: Instant::now(),
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
            .record_search(searched, EngineInfo::table(self.table))?)
    }

    /// Returns the time until the next commit is due.
    pub fn until_due(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
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
        let interval = if self.batch.journal.is_some() {
            COMMIT_INTERVAL
        } else {
            Duration::ZERO
        };
        self.due = Instant::now() + interval;
        Ok(())
    }
}
