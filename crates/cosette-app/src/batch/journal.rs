//! The journal of a batch: what is answered, safe from one moment to the next.
//!
//! Its head holds the settings and what tells the list of positions from others. Each record holds the number of a
//! position, the hash of its text and its answer. An answer is shown after its commit, so whatever was shown is kept.

use super::list::{Entry, Identity, List};
use super::settings::Settings;
use crate::journal::{self, Contents, JournalError, Log, Place};
use crate::json::Solve;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    /// The version of the format.
    pub journal: u32,
    /// The settings of the batch by name.
    pub settings: BTreeMap<String, String>,
    /// What tells its list from others.
    pub positions: Identity,
}

impl Head {
    fn new(list: &List, settings: &Settings) -> Head {
        Head { journal: <Head as journal::Head>::VERSION, settings: settings.named(), positions: list.identity() }
    }
}

impl journal::Head for Head {
    const KIND: &'static str = "batch";
    const VERSION: u32 = 1;
    const WITHOUT_RECORD: &'static str = "its position is solved again, and no other";
    type Record = Record;

    fn check_is(&self, asked: &Head, path: &Path) -> Result<(), JournalError> {
        let path = || path.to_owned();
        let none = String::from("unknown");
        let value = |head: &Head, name: &str| head.settings.get(name).unwrap_or(&none).clone();
        for name in self.settings.keys().chain(asked.settings.keys()) {
            let (found, asked) = (value(self, name), value(asked, name));
            if found != asked {
                return Err(JournalError::OtherSettings { path: path(), name: name.clone(), found, asked });
            }
        }
        if self.positions != asked.positions {
            let describe = |Identity { count, hash }: &Identity| format!("{count} positions (hash {hash})");
            let (found, asked) = (describe(&self.positions), describe(&asked.positions));
            return Err(JournalError::OtherPositions { path: path(), found, asked });
        }
        Ok(())
    }
}

/// A line that is not the first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The number of the position in its list, counted from one.
    pub number: usize,
    /// The hash of its text.
    text: u64,
    /// How many bytes of the journal were on the disk before this.
    synced: u64,
    /// The answer.
    pub answer: Solve,
}

impl journal::Record for Record {
    fn synced(&self) -> u64 {
        self.synced
    }
}

/// Reads a journal, also while a process writes it, and calls `on_record` with each record. The first one of a position
/// counts.
///
/// # Errors
/// If the system refuses, or if it is damaged or no journal of a batch.
pub fn read(path: &Path, on_record: &mut dyn FnMut(Record)) -> Result<Contents<Head>, JournalError> {
    journal::read(path, on_record)
}

/// A journal that this process may append to.
pub struct Journal(Log<Head>);

impl Journal {
    /// Opens the journal of a batch, or begins it where there is none. Whatever a crash has left at its end is cut off.
    /// For each position, the place of its record.
    ///
    /// # Errors
    /// If the system refuses, if another process writes it, or if it is damaged, no journal, or that of another batch.
    pub fn open(path: &Path, list: &List, settings: &Settings) -> Result<(Journal, Vec<Option<Place>>), JournalError> {
        let mut places = vec![None; list.entries().len()];
        let log = Log::open(path, &Head::new(list, settings), &mut |place, Record { number, text, .. }| {
            match list.entries().get(number.wrapping_sub(1)) {
                // The first record of a position counts.
                Some(entry) if entry.hash() == text => {
                    places[number - 1].get_or_insert(place);
                    Ok(())
                }
                _ => Err(wrong(path, number, "it is of another text")),
            }
        })?;
        Ok((Journal(log), places))
    }

    /// Adds a record to the next commit. `number` is the place of the position in its list, from zero.
    pub fn append(&mut self, number: usize, entry: &Entry, answer: &Solve) -> Place {
        let answer = answer.clone();
        self.0.append(|synced| Record { number: number + 1, text: entry.hash(), synced, answer })
    }

    /// Writes all that was appended, and returns when it is on the disk.
    ///
    /// # Errors
    /// If the system refuses. The journal is not to be used any more then; opened again, it is whole.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.0.commit()
    }

    /// Reads an answer back.
    ///
    /// # Errors
    /// If the system refuses, or if it is not there any more.
    pub fn read_back(&self, place: Place, number: usize) -> Result<Solve, JournalError> {
        let record = self.0.read_back(place)?.filter(|record| record.number == number + 1);
        Ok(record.ok_or_else(|| self.wrong(number, "its line has changed"))?.answer)
    }

    /// What is wrong with the answer to the position in this place of the list, from zero.
    pub fn wrong(&self, number: usize, what: &str) -> JournalError {
        wrong(self.0.path(), number + 1, what)
    }
}

/// What is wrong with the answer to a position, counted from one.
fn wrong(path: &Path, number: usize, what: &str) -> JournalError {
    JournalError::Wrong { path: path.to_owned(), number, what: what.to_owned() }
}
