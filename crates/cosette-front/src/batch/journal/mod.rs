//! The journal: what is answered, safe from one moment to the next.
//!
//! A journal is a text file of JSON objects, one a line. The first is its *head*: the version of the format, the
//! settings and what tells the list of positions from others. Each other line is a *record*: the number of a position,
//! the hash of its text and its answer.
//!
//! Records are appended and never changed, several at a time in one *commit*, which ends when the system says that all
//! is on the disk. An answer is shown after its commit, so whatever was shown is kept. A record notes how long the
//! journal was at the end of the commit before. So after a crash or a power cut, which may leave anything at all of the
//! last commit, damage at the end can be told from damage elsewhere: where a whole record that follows a damaged one
//! says that this was on the disk before, the file has been changed since, and it is refused. All else is the remainder
//! of a commit, and it is cut off.
//!
//! While a process writes a journal it holds the system's lock on it, which ends with the process, however it ends.

mod error;
mod reading;
mod seal;

pub use error::JournalError;
pub use reading::{Contents, read};

use super::list::{Entry, Identity, List};
use super::settings::Settings;
use crate::json::Solve;
use seal::{seal, unseal};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the format.
const VERSION: u32 = 1;

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
        Head { journal: VERSION, settings: settings.named(), positions: list.identity() }
    }

    /// Refuses a journal that was begun for another batch.
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

/// A journal that this process may append to.
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The checksum of the head.
    seed: u64,
    /// How many bytes are on the disk.
    synced: u64,
    /// The lines of the next commit.
    pending: Vec<u8>,
}

/// Where a record begins in a journal, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(u64);

impl Journal {
    /// Opens the journal of a batch, or begins it where there is none. Whatever a crash has left at its end is cut off.
    /// For each position, the place of its record.
    ///
    /// # Errors
    /// If the system refuses, if another process writes it, or if it is damaged, no journal, or that of another batch.
    pub fn open(path: &Path, list: &List, settings: &Settings) -> Result<(Journal, Vec<Option<Place>>), JournalError> {
        let io = |verb| JournalError::io(verb, path);
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let file = options.open(path).map_err(io("open"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => return Err(io("lock")(source)),
        }
        let asked = Head::new(list, settings);
        let head = seal(&asked, 0);
        let mut journal = Journal { path: path.to_owned(), file, seed: 0, synced: 0, pending: Vec::new() };
        let mut places = vec![None; list.entries().len()];
        if journal.is_begun(&head).map_err(io("read"))? {
            let mut misplaced = None;
            let contents = reading::scan(path, BufReader::new(&journal.file), &mut |place, record| {
                match list.entries().get(record.number.wrapping_sub(1)) {
                    // The first record of a position counts.
                    Some(entry) if entry.hash() == record.text => {
                        places[record.number - 1].get_or_insert(place);
                    }
                    _ => misplaced = misplaced.or(Some(record.number)),
                }
            })?;
            contents.head.check_is(&asked, path)?;
            if let Some(number) = misplaced {
                let what = "it is of another text".into();
                return Err(JournalError::Wrong { path: path.to_owned(), number, what });
            }
            journal.seed = contents.seed;
            journal.synced = contents.whole;
            if contents.is_torn {
                tracing::info!(journal = %path.display(), "cut off what an interrupted write has left");
            }
            // What is read may not have been on the disk yet.
            journal.file.set_len(contents.whole).and_then(|()| journal.file.sync_all()).map_err(io("write"))?;
        } else {
            journal.file.set_len(0).map_err(io("write"))?;
            journal.pending.clone_from(&head);
            journal.commit()?;
            journal.seed = unseal::<Head>(&head, 0).expect("it was sealed just now").1;
            sync_folder(path).map_err(io("write"))?;
        }
        Ok((journal, places))
    }

    /// Whether there is more in the file than a part of this first line.
    fn is_begun(&mut self, head: &[u8]) -> std::io::Result<bool> {
        let mut start = Vec::new();
        (&self.file).take(head.len() as u64).read_to_end(&mut start)?;
        self.file.seek(SeekFrom::Start(0))?;
        Ok(start.len() == head.len() || !head.starts_with(&start))
    }

    /// Adds a record to the next commit. `number` is the place of the position in its list, from zero.
    pub fn append(&mut self, number: usize, entry: &Entry, answer: &Solve) -> Place {
        let place = Place(self.synced + self.pending.len() as u64);
        let answer = answer.clone();
        let record = Record { number: number + 1, text: entry.hash(), synced: self.synced, answer };
        self.pending.extend(seal(&record, self.seed));
        place
    }

    /// Writes all that was appended, and returns when it is on the disk.
    ///
    /// # Errors
    /// If the system refuses. The journal is not to be used any more then; opened again, it is whole.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let write = || {
            let mut file = &self.file;
            file.seek(SeekFrom::Start(self.synced))?;
            file.write_all(&self.pending)?;
            file.sync_data()
        };
        write().map_err(JournalError::io("write", &self.path))?;
        self.synced += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }

    /// Reads an answer back.
    ///
    /// # Errors
    /// If the system refuses, or if it is not there any more.
    pub fn read_back(&self, place: Place, number: usize) -> Result<Solve, JournalError> {
        let line = || {
            let mut file = &self.file;
            file.seek(SeekFrom::Start(place.0))?;
            let mut line = Vec::new();
            BufReader::new(file).read_until(b'\n', &mut line)?;
            Ok(line)
        };
        let line = line().map_err(JournalError::io("read", &self.path))?;
        let record = unseal::<Record>(&line, self.seed).map(|(record, _)| record);
        let record = record.filter(|record| record.number == number + 1);
        Ok(record.ok_or_else(|| self.wrong(number, "its line has changed"))?.answer)
    }

    /// What is wrong with the answer to the position in this place of the list, from zero.
    pub fn wrong(&self, number: usize, what: &str) -> JournalError {
        JournalError::Wrong { path: self.path.clone(), number: number + 1, what: what.to_owned() }
    }
}

/// Returns when the name of a new file is on the disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Elsewhere a folder cannot be synced.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}
