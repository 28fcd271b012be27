//! The results of a list, in a journal if there is one, and the remaining positions.

use super::journal::{self, BatchRecord};
use super::list::{ListEntry, PositionClasses, PositionList};
use super::request::{BatchRequest, moves};
use crate::explain::Explanation;
use crate::journal::{Journal, JournalError, Offset};
use crate::request::{GoalRequest, Request};
use crate::solve_result::{EngineInfo, InvalidSolution, SolveResult, StopReason, known_solution};
use cosette::cube::{Cube, DisplayMoves, Move};
use cosette::search::Report;
use serde::{Deserialize, Serialize};
use std::path::Path;

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
    request: BatchRequest,
    classes: PositionClasses,
    journal: Option<Journal<BatchRecord>>,
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
        let opened = journal.map(|path| journal::open(path, &list, &request));
        let (journal, records) = match opened.transpose()? {
            Some((journal, records)) => (Some(journal), records),
            None => (None, vec![None; list.entries().len()]),
        };
        let request = BatchRequest::new(request);
        let is_deduplicated = dedupe && request.goal.is_none() && !request.options.optimal_moves;
        let mut batch = Batch {
            classes: PositionClasses::of(&list, is_deduplicated),
            list,
            request,
            journal,
            records,
            pending: Vec::new(),
        };
        batch.complete_classes()?;
        Ok(batch)
    }

    /// Returns the list.
    pub fn list(&self) -> &PositionList {
        &self.list
    }

    /// Returns `true` for goals, which [`run_goal`](super::run_goal) searches.
    pub fn has_goal(&self) -> bool {
        self.goal().is_some()
    }

    /// Returns the request for each position.
    pub fn request(&self) -> &Request {
        &self.request.options
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
        let record = journal.read_back(offset)?;
        let invalid = |what: &str| journal.error(journal::invalid(number + 1, what));
        let mut answer = match record.filter(|record| record.number == number + 1) {
            Some(record) => record.answer,
            None => return Err(invalid("its line has changed")),
        };
        self.check(&answer, entry).map_err(|what| invalid(&what))?;
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
                known: known_solution(input, self.request.options.face_metric()),
            })
        };
        self.remaining().into_iter().filter_map(position).collect()
    }

    /// Returns the goal; `None` for searches of the whole cube.
    pub(super) fn goal(&self) -> Option<&GoalRequest> {
        self.request.goal.as_ref()
    }

    /// Applies every solution of a result to the position of an entry, and compares all fields that
    /// both have.
    ///
    /// # Errors
    ///
    /// Returns the fault of the result.
    pub fn check(&self, answer: &SolveResult, entry: &ListEntry) -> Result<(), String> {
        self.request.check(answer, entry)
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
        engine: &EngineInfo,
    ) -> Result<(), BatchError> {
        let SearchedPosition { number, report } = searched;
        let Some(position) = self.list.entries()[number].position() else {
            return Ok(());
        };
        let request = &self.request.options;
        let options = request.batch_options();
        let result = SolveResult::from_report(&position, request, &options, report, engine)?;
        self.record(number, result)
    }

    fn append(&mut self, number: usize, answer: SolveResult) -> Result<(), BatchError> {
        let entry = &self.list.entries()[number];
        self.request
            .check(&answer, entry)
            .map_err(|what| self.wrong(number, what))?;
        let answer = SolveResult {
            name: entry.name.clone(),
            ..answer
        };
        let is_final = matches!(answer.stop_reason, None | Some(StopReason::MaxLength));
        if let (Some(journal), true) = (&mut self.journal, is_final) {
            let record = BatchRecord::new(number, entry, &answer);
            self.records[number] = Some(journal.append(&record));
        }
        self.pending.push((number, answer));
        Ok(())
    }

    /// Returns `true` if results are stored in a journal.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
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

/// The results of positions that are equivalent to a solved one.
impl Batch {
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

    /// Records the results of equivalent positions, derived from that of `from`.
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
                &self.request.as_given(&input.cube),
                of.solutions.is_some().then_some(&solutions[..]),
            )
        };
        let explanation = answer.explanation.as_ref().map(explain);
        Ok(SolveResult {
            input: entry.text.clone(),
            line: Some(entry.line),
            format: input.format.name().to_owned(),
            facelets: self.request.as_given(&input.cube).facelets(),
            solutions: solutions
                .iter()
                .map(|solution| DisplayMoves(solution).to_string())
                .collect(),
            best_known: best_known.map(|moves| DisplayMoves(&moves).to_string()),
            optimal_moves: None,
            neighbor_distances: None,
            equivalent_to_line: answer.equivalent_to_line.or(answer.line),
            explanation,
            symmetries: self.request.as_given(&input.cube).symmetries().len(),
            ..answer.clone()
        })
    }
}
