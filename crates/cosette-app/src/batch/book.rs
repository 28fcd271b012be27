//! What of a batch is answered, and what is to do.

use super::check::{carried, check};
use super::class::Classes;
use super::journal::Journal;
use super::list::List;
use super::settings::Settings;
use crate::answer::{Mismatch, Stop};
use crate::journal::{JournalError, Place};
use crate::json::Solve;
use std::path::Path;

/// Why a batch cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// Its journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The search gave a sequence that does not solve its position.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// What was given as an answer is none.
    #[error("internal error: no answer to `{text}`: {what}")]
    Wrong {
        /// The text of the position.
        text: String,
        /// What is wrong.
        what: String,
    },
}

/// A list of positions and what of it is answered. Whoever solves them tells it, and gets back what may be shown.
///
/// Entries are known by their place in the list, from zero.
pub struct Book {
    list: List,
    settings: Settings,
    classes: Classes,
    journal: Option<Journal>,
    places: Vec<Option<Place>>,
    /// Answers of the next commit.
    waiting: Vec<(usize, Solve)>,
}

impl Book {
    /// The book of a batch, with all that is in its journal. With `dedupe`, positions that are equal up to symmetry and
    /// inversion are solved once.
    ///
    /// # Errors
    /// If the journal cannot be used.
    pub fn open(list: List, settings: Settings, dedupe: bool, journal: Option<&Path>) -> Result<Book, BatchError> {
        let classes = Classes::of(&list, dedupe);
        let (journal, places) = match journal.map(|path| Journal::open(path, &list, &settings)).transpose()? {
            Some((journal, places)) => (Some(journal), places),
            None => (None, vec![None; list.entries().len()]),
        };
        let mut book = Book { list, settings, classes, journal, places, waiting: Vec::new() };
        book.complete_classes()?;
        Ok(book)
    }

    /// Answers what is equal to a position that is answered.
    fn complete_classes(&mut self) -> Result<(), BatchError> {
        for class in 0..self.classes.all().len() {
            let members = &self.classes.all()[class];
            let Some(&answered) = members.iter().find(|&&number| self.places[number].is_some()) else { continue };
            let open: Vec<usize> = members.iter().copied().filter(|&number| self.places[number].is_none()).collect();
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

    /// Whether answers outlive the process.
    pub fn has_journal(&self) -> bool {
        self.journal.is_some()
    }

    /// The answer to an entry as the journal has it, each solution done on the position once more.
    ///
    /// # Errors
    /// If the journal cannot be read, or holds a wrong answer.
    pub fn answer(&self, number: usize) -> Result<Option<Solve>, JournalError> {
        let (Some(journal), Some(place)) = (&self.journal, self.places[number]) else { return Ok(None) };
        let entry = &self.list.entries()[number];
        let mut answer = journal.read_back(place, number)?;
        check(&answer, entry, self.settings.metric).map_err(|what| journal.wrong(number, &what))?;
        answer.line = Some(entry.line);
        Ok(Some(answer))
    }

    /// How many entries the journal answers.
    pub fn answered(&self) -> usize {
        self.places.iter().flatten().count()
    }

    /// The entries to be solved, one for each class that is not answered, in the order of the list.
    pub fn to_do(&self) -> Vec<usize> {
        let is_open = |members: &&Vec<usize>| members.iter().all(|&number| self.places[number].is_none());
        self.classes.all().iter().filter(is_open).map(|members| members[0]).collect()
    }

    /// Takes note of the answer to an entry, and with it of those to its whole class. They may be shown after the next
    /// [`commit`](Book::commit). A position whose time was up is shown and not noted: another start tries it again.
    ///
    /// # Errors
    /// If it is no answer to the entry.
    pub fn finish(&mut self, number: usize, answer: Solve) -> Result<(), BatchError> {
        let others: Vec<usize> = self.classes.others(number).filter(|&other| self.places[other].is_none()).collect();
        self.note(number, answer.clone())?;
        self.carry_over(&answer, number, &others)
    }

    fn carry_over(&mut self, answer: &Solve, from: usize, to: &[usize]) -> Result<(), BatchError> {
        for &other in to {
            let carried = carried(answer, (&self.list, &self.classes), from, other);
            self.note(other, carried.map_err(|what| self.wrong(other, what))?)?;
        }
        Ok(())
    }

    fn note(&mut self, number: usize, answer: Solve) -> Result<(), BatchError> {
        let entry = &self.list.entries()[number];
        check(&answer, entry, self.settings.metric).map_err(|what| self.wrong(number, what))?;
        let is_final = answer.stopped.as_deref().is_none_or(|stop| stop == Stop::MaxLength.name());
        if let (Some(journal), true) = (&mut self.journal, is_final) {
            self.places[number] = Some(journal.append(number, entry, &answer));
        }
        self.waiting.push((number, answer));
        Ok(())
    }

    fn wrong(&self, number: usize, what: String) -> BatchError {
        BatchError::Wrong { text: self.list.entries()[number].text.clone(), what }
    }

    /// Puts on the disk what was noted, and returns it: from now on it may be shown.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn commit(&mut self) -> Result<Vec<(usize, Solve)>, JournalError> {
        if let Some(journal) = &mut self.journal {
            journal.commit()?;
        }
        Ok(std::mem::take(&mut self.waiting))
    }
}
