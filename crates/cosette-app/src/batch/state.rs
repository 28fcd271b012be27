//! The state of a batch: its answers, its remaining positions, and the threads that solve them.
//!
//! Each position is solved by one thread, as many positions at a time as there are threads, so no thread waits for another
//! at the end of an iteration. The last positions get more threads the fewer are left, more than run at once, so that the
//! threads of positions that end early are not missed. The calling thread collects the answers, commits them in groups, so
//! that short positions do not wait for the disk one by one, and hands them out after their commit.

use super::journal::Journal;
use super::list::{Classes, Entry, List};
use crate::answer::{Answer, Mismatch, SolvedBy, Stop, known_solution};
use crate::explain::Explanation;
use crate::goals::{Goals, Listener, cost};
use crate::journal::{COMMIT_INTERVAL, JournalError, Offset};
use crate::journal_error::quoted;
use crate::json::Solve;
use crate::request::{Request, Wanted};
use cosette::cube::{Cube, Move, Moves, ReadOptions, parse_moves};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Options, Outcome, Report, SolveMany, Solver, TwoPhaseUse};
use cosette::table::TableId;
use cosette::twophase::TwoPhase;
use cosette::{Cancel, CancelReason, Control, ThreadCount};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// Why a batch cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// Its journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The search gave a sequence that does not solve its position.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// No thread could be started.
    #[error("no thread can be started: {0}")]
    Threads(std::io::Error),
    /// An answer is wrong.
    #[error("internal error: wrong answer to `{text}`: {what}")]
    Wrong {
        /// The text of the position.
        text: String,
        /// What is wrong.
        what: String,
    },
}

/// A position that remains to be solved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Remaining {
    /// Its index in the list.
    pub number: usize,
    /// The position.
    pub cube: Cube,
    /// A solution that is known: the inverse of the given moves.
    pub known: Option<Vec<Move>>,
}

/// The result of the search of a position.
pub struct Searched {
    /// Its index in the list.
    pub number: usize,
    /// What was found.
    pub report: Report,
}

/// A list of positions with the answers so far. Entries are numbered by their index in the list.
pub struct Batch {
    list: List,
    request: Request,
    /// What is asked if not the whole cube.
    goal: Option<Wanted>,
    target: Option<Cube>,
    classes: Classes,
    journal: Option<Journal>,
    /// The record of each entry in the journal.
    records: Vec<Option<Offset>>,
    /// Answers of the next commit.
    pending: Vec<(usize, Solve)>,
}

impl Batch {
    /// A batch with the answers of its journal. With `dedupe`, positions that are equal up to symmetry and inversion
    /// are solved once, unless their optimal moves are asked for: those of a position say nothing of the inverse. Fails if the
    /// journal cannot be used.
    pub fn open(list: List, request: Request, dedupe: bool, journal: Option<&Path>) -> Result<Batch, BatchError> {
        let goal = request.goal().ok().flatten();
        let classes = Classes::of(&list, dedupe && goal.is_none() && !request.optimal_moves);
        let (journal, records) = match journal.map(|path| Journal::open(path, &list, &request)).transpose()? {
            Some((journal, records)) => (Some(journal), records),
            None => (None, vec![None; list.entries().len()]),
        };
        let mut batch =
            Batch { target: request.target(), list, request, goal, classes, journal, records, pending: Vec::new() };
        batch.complete_classes()?;
        Ok(batch)
    }

    /// Answers all that are equal to an answered position.
    fn complete_classes(&mut self) -> Result<(), BatchError> {
        for class in 0..self.classes.all().len() {
            let members = &self.classes.all()[class];
            let Some(&answered) = members.iter().find(|&&number| self.records[number].is_some()) else { continue };
            let open: Vec<usize> = members.iter().copied().filter(|&number| self.records[number].is_none()).collect();
            if let (false, Some(answer)) = (open.is_empty(), self.answer(answered)?) {
                self.carry_over(&answer, answered, &open)?;
            }
        }
        self.commit()?;
        Ok(())
    }

    /// The list.
    pub fn list(&self) -> &List {
        &self.list
    }

    /// Whether a goal is searched: [`run_goal`] does.
    pub fn has_goal(&self) -> bool {
        self.goal.is_some()
    }

    /// What is asked of each position.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The answer to an entry in the journal, with its solutions checked again. Fails if the journal cannot be read, or
    /// holds a wrong answer.
    pub fn answer(&self, number: usize) -> Result<Option<Solve>, JournalError> {
        let (Some(journal), Some(offset)) = (&self.journal, self.records[number]) else { return Ok(None) };
        let entry = &self.list.entries()[number];
        let mut answer = journal.read_back(offset, number)?;
        self.check(&answer, entry).map_err(|what| journal.invalid(number, &what))?;
        answer.line = Some(entry.line);
        answer.name = entry.name.clone();
        Ok(Some(answer))
    }

    /// The number of entries that the journal answers.
    pub fn answered(&self) -> usize {
        self.records.iter().flatten().count()
    }

    /// The entries to solve, one for each class without an answer, in the order of the list.
    pub fn remaining(&self) -> Vec<usize> {
        let is_open = |members: &&Vec<usize>| members.iter().all(|&number| self.records[number].is_none());
        self.classes.all().iter().filter(is_open).map(|members| members[0]).collect()
    }

    /// The same with their positions.
    pub fn remaining_positions(&self) -> Vec<Remaining> {
        let position = |number: usize| {
            let input = self.list.entries()[number].input.as_ref().ok()?;
            Some(Remaining { number, cube: input.cube, known: known_solution(input, self.request.metric_of_faces()) })
        };
        self.remaining().into_iter().filter_map(position).collect()
    }

    /// Records the answer to an entry, and to its whole class. They may be shown after the next
    /// [`commit`](Batch::commit). The answer to a position that ran out of time is not kept in the journal: the next
    /// run tries it again. Fails if the answer is wrong.
    pub fn record(&mut self, number: usize, answer: Solve) -> Result<(), BatchError> {
        let others: Vec<usize> = self.classes.others(number).filter(|&other| self.records[other].is_none()).collect();
        self.append(number, answer.clone())?;
        self.carry_over(&answer, number, &others)
    }

    /// Records the result of a search. Fails if a solution is wrong.
    pub fn record_search(&mut self, searched: Searched, by: SolvedBy) -> Result<(), BatchError> {
        let Searched { number, report } = searched;
        let entry = &self.list.entries()[number];
        let Ok(input) = &entry.input else { return Ok(()) };
        let text = (&entry.text[..], Some(entry.line), input);
        let answer = Answer::new(text, report, &self.request.options_of_many(), by)?;
        let answer = Solve::from(&answer.as_asked(&self.request));
        self.record(number, answer)
    }

    fn carry_over(&mut self, answer: &Solve, from: usize, to: &[usize]) -> Result<(), BatchError> {
        for &other in to {
            let carried = self.carried(answer, from, other);
            self.append(other, carried.map_err(|what| self.wrong(other, what))?)?;
        }
        Ok(())
    }

    fn append(&mut self, number: usize, answer: Solve) -> Result<(), BatchError> {
        let entry = &self.list.entries()[number];
        self.check(&answer, entry).map_err(|what| self.wrong(number, what))?;
        let answer = Solve { name: entry.name.clone(), ..answer };
        let is_final = answer.stopped.as_deref().is_none_or(|stop| stop == Stop::MaxLength.name());
        if let (Some(journal), true) = (&mut self.journal, is_final) {
            self.records[number] = Some(journal.append(number, entry, &answer));
        }
        self.pending.push((number, answer));
        Ok(())
    }

    /// Applies every solution of an answer to the position of an entry, and compares everything that both say. Fails with
    /// what is wrong with the answer.
    pub fn check(&self, answer: &Solve, entry: &Entry) -> Result<(), String> {
        let Ok(input) = &entry.input else { return Err(format!("`{}` is not a position", entry.text)) };
        let is = |what: &str, holds: bool| if holds { Ok(()) } else { Err(what.to_owned()) };
        is("it has another position", answer.facelets == self.as_given(&input.cube).facelets())?;
        is("it has another metric", answer.metric == self.request.metric.name())?;
        is("`optimal` and `length` disagree", answer.optimal == answer.length.is_some())?;
        is("`optimal` and `solutions` disagree", answer.optimal != answer.solutions.is_empty())?;
        is("its length is not the lower bound", answer.length.is_none_or(|length| length == answer.lower_bound))?;
        let is_complete = answer.stopped.is_some() || answer.optimal_moves.is_some() == self.request.optimal_moves;
        is("it has no optimal moves", is_complete)?;
        let mut lengths = answer.lengths.iter().flatten();
        for text in answer.solutions.iter().chain(&answer.best_known) {
            let wrong = |what: &str| format!("`{}` {what}", quoted(text));
            if let Some(wanted) = &self.goal {
                let costs = cost(text, input, wanted)?.ok_or_else(|| wrong("does not reach the goal"))?;
                is(&wrong("has another length"), lengths.next() == Some(&costs))?;
                continue;
            }
            let moves = moves(text)?;
            is(&wrong("does not solve it"), input.cube.after(&moves).is_solved())?;
            let has_length = |length| self.request.metric_of_faces().length(&moves) == usize::from(length);
            is(&wrong("has another length"), answer.length.is_none_or(has_length))?;
        }
        Ok(())
    }

    /// The answer to entry `from`, carried over to entry `to` of its class.
    fn carried(&self, answer: &Solve, from: usize, to: usize) -> Result<Solve, String> {
        let entry = &self.list.entries()[to];
        let input = entry.input.as_ref().map_err(|_| "it is not a position")?;
        let carry = |text: &String| Ok::<_, String>(self.classes.carry(&moves(text)?, from, to));
        let mut solutions = answer.solutions.iter().map(carry).collect::<Result<Vec<_>, _>>()?;
        solutions.sort_unstable();
        let best_known = answer.best_known.as_ref().map(carry).transpose()?;
        // Positions of one class have different orders and symmetries as seen from outside, so each is explained by itself.
        let explain = |of: &Explanation| {
            Explanation::new(&self.as_given(&input.cube), of.solutions.is_some().then_some(&solutions[..]))
        };
        let explanation = answer.explanation.as_ref().map(explain);
        Ok(Solve {
            input: entry.text.clone(),
            line: Some(entry.line),
            format: input.format.name().to_owned(),
            facelets: self.as_given(&input.cube).facelets(),
            solutions: solutions.iter().map(|solution| Moves(solution).to_string()).collect(),
            best_known: best_known.map(|moves| Moves(&moves).to_string()),
            optimal_moves: None,
            neighbours: None,
            same_as: answer.same_as.or(answer.line),
            explanation,
            symmetries: self.as_given(&input.cube).symmetries().len(),
            ..answer.clone()
        })
    }

    /// A position as it was given.
    fn as_given(&self, position: &Cube) -> Cube {
        self.target.map_or(*position, |target| target * *position)
    }

    fn wrong(&self, number: usize, what: String) -> BatchError {
        BatchError::Wrong { text: self.list.entries()[number].text.clone(), what }
    }

    /// Writes the recorded answers to the disk, and returns them: from now on they may be shown. Fails if the system
    /// refuses.
    pub fn commit(&mut self) -> Result<Vec<(usize, Solve)>, JournalError> {
        if let Some(journal) = &mut self.journal {
            journal.commit()?;
        }
        Ok(std::mem::take(&mut self.pending))
    }
}

/// Reads a solution.
fn moves(text: &str) -> Result<Vec<Move>, String> {
    let sequence = parse_moves(text, &ReadOptions::default());
    Ok(sequence.map_err(|error| format!("`{}`: {}", quoted(text), error.message()))?.moves().to_vec())
}

/// A position gets more than one share of the threads once at most this many positions per share are left.
///
/// Computed from the nodes of 75 random positions of 16 to 18 moves, shortest first: with one share for each position the
/// batch takes 1.05, 1.3, 1.7 and 2.6 times the least time possible with 2, 4, 8 and 16 threads; with 1 here 1.02, 1.0, 1.2
/// and 1.9 times; with 4 here 1.0, 1.0, 1.1 and 1.1 times.
const LAST_SHARES: usize = 4;

/// What solves a batch.
pub struct Workers {
    /// The solver, with all threads.
    pub solver: Solver,
    /// How many positions are solved at a time, by an equal share of the threads each.
    pub jobs: ThreadCount,
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
        let (remaining, request) = (batch.remaining_positions(), batch.request().clone());
        if remaining.is_empty() {
            return Ok(());
        }
        if request.options_of_many().two_phase == TwoPhaseUse::AtOnce {
            // Generating its tables must not count as time of the first positions.
            TwoPhase::get();
        }
        let (threads, jobs, left) = (self.solver.threads(), self.jobs, remaining.len());
        let search = move |solver: &Solver, (remaining, left): (Remaining, usize), stop: &Cancel| {
            let Remaining { number, cube, known } = remaining;
            let (cancel, options) =
                (request.limited(stop), Options { known: known.as_deref(), ..request.options_of_many() });
            let solver = solver.clone().with_threads(threads_for_one(left, threads, jobs));
            let report = solver.search(&cube).options(options).cancel(&cancel).run();
            (report.outcome != Outcome::Cancelled(CancelReason::Requested)).then_some(Searched { number, report })
        };
        let solver = self.solver.clone().with_threads(jobs.at_most(left));
        let searched = solver.answer_many(remaining.into_iter().zip((1..=left).rev()), cancel, search);
        let answers = Answers::new(batch, self.solver.table().id(), on_answer);
        collect(searched.map_err(BatchError::Threads)?, answers)
    }
}

/// Searches the goal of the remaining positions of a batch one after the other, each with all threads, as [`Workers::run`] solves
/// them. Fails as it does.
pub fn run_goal<E: From<BatchError>>(
    batch: &mut Batch,
    goals: &Goals,
    control: &Control<'_>,
    on_answer: &mut dyn FnMut(usize, Solve) -> Result<(), E>,
) -> Result<(), E> {
    let (request, Some(goal)) = (batch.request.clone(), batch.goal.clone()) else { return Ok(()) };
    if request.timeout.is_some() {
        // Making its tables must not count as time of the first position.
        goals.prepare(&goal, control);
    }
    for number in batch.remaining() {
        let Entry { line, text, input: Ok(input), .. } = &batch.list.entries()[number] else { continue };
        let listener = Listener { on_event: &|_| {}, on_found: &|_| {} };
        let answer = goals.answer((&request, &goal), (text, Some(*line), input), listener, control);
        if answer.stopped.as_deref() == Some(Stop::Interrupt.name()) {
            break;
        }
        batch.record(number, answer)?;
        for (number, answer) in batch.commit().map_err(BatchError::from)? {
            on_answer(number, answer)?;
        }
    }
    Ok(())
}

/// Answers many items, so many at a time, each chunk by a solver with its share of the threads. The answers come as those of
/// [`Solver::answer_many`], and it fails as that does.
pub fn answer_chunks<T: Clone + Send + 'static, A: Send + 'static>(
    solver: &Solver,
    (items, size): (&[T], usize),
    cancel: &Cancel,
    answer: impl Fn(&mut (Solver, ThreadExecutor), Vec<T>, &Cancel) -> Option<A> + Send + Sync + 'static,
) -> std::io::Result<SolveMany<A>> {
    let threads = solver.threads();
    let left = (0..items.len()).step_by(size).map(|done| items.len() - done);
    let chunks: Vec<(usize, Vec<T>)> = left.zip(items.chunks(size).map(<[T]>::to_vec)).collect();
    solver.answer_many(chunks, cancel, move |solver, (left, chunk), cancel| {
        let share = threads_for_one(left, threads, threads);
        answer(&mut (solver.clone().with_threads(share), ThreadExecutor::new(share)), chunk, cancel)
    })
}

/// The number of threads for a position when `left` have not been started, this one included.
fn threads_for_one(left: usize, threads: ThreadCount, jobs: ThreadCount) -> ThreadCount {
    let (share, all) = (threads.get() / jobs.get(), threads.get());
    threads.at_most((LAST_SHARES * all / left).clamp(share.max(1), all))
}

/// Records answers until all workers have ended. They stop after an error.
fn collect<E: From<BatchError>>(mut searched: SolveMany<Searched>, mut answers: Answers<'_, E>) -> Result<(), E> {
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

/// The answers of a batch as they are found: each is recorded, and passed on once it is on the disk.
pub struct Answers<'a, E> {
    batch: &'a mut Batch,
    table: TableId,
    on_answer: &'a mut dyn FnMut(usize, Solve) -> Result<(), E>,
    due: Instant,
}

impl<'a, E: From<BatchError>> Answers<'a, E> {
    /// Those that are found with a table, to be passed to `on_answer`.
    pub fn new(
        batch: &'a mut Batch,
        table: TableId,
        on_answer: &'a mut dyn FnMut(usize, Solve) -> Result<(), E>,
    ) -> Answers<'a, E> {
        Answers { batch, table, on_answer, due: Instant::now() }
    }

    /// Records what the search of a position has found. Fails if a solution is wrong.
    pub fn record(&mut self, searched: Searched) -> Result<(), E> {
        Ok(self.batch.record_search(searched, SolvedBy::table(self.table))?)
    }

    /// How long it is until what was recorded should be committed.
    pub fn until_due(&self) -> Duration {
        self.due.saturating_duration_since(Instant::now())
    }

    /// Puts on the disk what was recorded, and passes it on. Fails if the journal cannot be written, or if passing on fails.
    pub fn commit(&mut self) -> Result<(), E> {
        for (number, answer) in self.batch.commit().map_err(BatchError::from)? {
            (self.on_answer)(number, answer)?;
        }
        let interval = if self.batch.journal.is_some() { COMMIT_INTERVAL } else { Duration::ZERO };
        self.due = Instant::now() + interval;
        Ok(())
    }
}
