//! The state of a batch: its answers and its remaining positions.

use super::class::Classes;
use super::journal::Journal;
use super::list::{Entry, List, Settings};
use crate::answer::{Answer, Mismatch, SolvedBy, Stop};
use crate::explain::Explanation;
use crate::journal::{JournalError, Offset, quoted};
use crate::json::Solve;
use cosette::cube::{Cube, Metric, Move, Moves, ReadOptions, parse_moves};
use cosette::search::Report;
use cosette::table::TableId;
use std::path::Path;

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
    settings: Settings,
    classes: Classes,
    journal: Option<Journal>,
    /// The record of each entry in the journal.
    records: Vec<Option<Offset>>,
    /// Answers of the next commit.
    pending: Vec<(usize, Solve)>,
}

impl Batch {
    /// A batch with the answers of its journal. With `dedupe`, positions that are equal up to symmetry and inversion
    /// are solved once. Fails if the journal cannot be used.
    pub fn open(list: List, settings: Settings, dedupe: bool, journal: Option<&Path>) -> Result<Batch, BatchError> {
        let classes = Classes::of(&list, dedupe);
        let (journal, records) = match journal.map(|path| Journal::open(path, &list, &settings)).transpose()? {
            Some((journal, records)) => (Some(journal), records),
            None => (None, vec![None; list.entries().len()]),
        };
        let mut batch = Batch { list, settings, classes, journal, records, pending: Vec::new() };
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

    /// What is asked of each position.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether answers survive the process.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// The answer to an entry in the journal, with its solutions checked again. Fails if the journal cannot be read, or
    /// holds a wrong answer.
    pub fn answer(&self, number: usize) -> Result<Option<Solve>, JournalError> {
        let (Some(journal), Some(offset)) = (&self.journal, self.records[number]) else { return Ok(None) };
        let entry = &self.list.entries()[number];
        let mut answer = journal.read_back(offset, number)?;
        check(&answer, entry, self.settings.metric).map_err(|what| journal.invalid(number, &what))?;
        answer.line = Some(entry.line);
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
    pub fn remaining_positions(&self) -> Vec<(usize, Cube)> {
        let cube = |number: usize| Some((number, self.list.entries()[number].input.as_ref().ok()?.cube));
        self.remaining().into_iter().filter_map(cube).collect()
    }

    /// Records the answer to an entry, and to its whole class. They may be shown after the next
    /// [`commit`](Batch::commit). The answer to a position that ran out of time is not kept in the journal: the next
    /// run tries it again. Fails if the answer is wrong.
    pub fn record(&mut self, number: usize, answer: Solve) -> Result<(), BatchError> {
        let others: Vec<usize> = self.classes.others(number).filter(|&other| self.records[other].is_none()).collect();
        self.append(number, answer.clone())?;
        self.carry_over(&answer, number, &others)
    }

    /// Records the result of a search with this table. Fails if a solution is wrong.
    pub fn record_search(&mut self, searched: Searched, table: TableId) -> Result<(), BatchError> {
        self.record_search_by(searched, SolvedBy::table(table))
    }

    /// Records the result of a search by any engine. Fails if a solution is wrong.
    pub fn record_search_by(&mut self, searched: Searched, by: SolvedBy) -> Result<(), BatchError> {
        let Searched { number, report } = searched;
        let entry = &self.list.entries()[number];
        let Ok(input) = &entry.input else { return Ok(()) };
        let text = (&entry.text[..], Some(entry.line), input);
        let options = self.settings.options(None);
        let answer = Answer::new(text, report, &options, by)?;
        let answer = Solve::from(&answer.finished(self.settings.prefer, self.settings.explain));
        self.record(number, answer)
    }

    fn carry_over(&mut self, answer: &Solve, from: usize, to: &[usize]) -> Result<(), BatchError> {
        for &other in to {
            let carried = carried(answer, (&self.list, &self.classes), from, other);
            self.append(other, carried.map_err(|what| self.wrong(other, what))?)?;
        }
        Ok(())
    }

    fn append(&mut self, number: usize, answer: Solve) -> Result<(), BatchError> {
        let entry = &self.list.entries()[number];
        check(&answer, entry, self.settings.metric).map_err(|what| self.wrong(number, what))?;
        let is_final = answer.stopped.as_deref().is_none_or(|stop| stop == Stop::MaxLength.name());
        if let (Some(journal), true) = (&mut self.journal, is_final) {
            self.records[number] = Some(journal.append(number, entry, &answer));
        }
        self.pending.push((number, answer));
        Ok(())
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

/// Applies every solution of an answer to the position of an entry, and compares everything that both say. Fails with
/// what is wrong with the answer.
pub fn check(answer: &Solve, entry: &Entry, metric: Metric) -> Result<(), String> {
    let Ok(input) = &entry.input else { return Err(format!("`{}` is not a position", entry.text)) };
    let is = |what: &str, holds: bool| if holds { Ok(()) } else { Err(what.to_owned()) };
    is("it has another position", answer.facelets == input.cube.facelets())?;
    is("it has another metric", answer.metric == metric.name())?;
    is("`optimal` and `length` disagree", answer.optimal == answer.length.is_some())?;
    is("`optimal` and `solutions` disagree", answer.optimal != answer.solutions.is_empty())?;
    is("its length is not the lower bound", answer.length.is_none_or(|length| length == answer.lower_bound))?;
    for text in answer.solutions.iter().chain(&answer.best_known) {
        let moves = moves(text)?;
        is(&format!("`{}` does not solve it", quoted(text)), input.cube.after(&moves).is_solved())?;
        let has_length = |length| metric.length(&moves) == usize::from(length);
        is(&format!("`{}` has another length", quoted(text)), answer.length.is_none_or(has_length))?;
    }
    Ok(())
}

/// The answer to entry `from`, carried over to entry `to` of its class.
fn carried(answer: &Solve, (list, classes): (&List, &Classes), from: usize, to: usize) -> Result<Solve, String> {
    let entry = &list.entries()[to];
    let input = entry.input.as_ref().map_err(|_| "it is not a position")?;
    let carry = |text: &String| Ok::<_, String>(classes.carry(&moves(text)?, from, to));
    let mut solutions = answer.solutions.iter().map(carry).collect::<Result<Vec<_>, _>>()?;
    solutions.sort_unstable();
    let best_known = answer.best_known.as_ref().map(carry).transpose()?;
    // Positions of one class have different orders and symmetries as seen from outside, so each is explained by itself.
    let explain = |of: &Explanation| Explanation::new(&input.cube, of.solutions.is_some().then_some(&solutions[..]));
    let explanation = answer.explanation.as_ref().map(explain);
    Ok(Solve {
        input: entry.text.clone(),
        line: Some(entry.line),
        format: input.format.name().to_owned(),
        facelets: input.cube.facelets(),
        solutions: solutions.iter().map(|solution| Moves(solution).to_string()).collect(),
        best_known: best_known.map(|moves| Moves(&moves).to_string()),
        same_as: answer.same_as.or(answer.line),
        explanation,
        ..answer.clone()
    })
}
