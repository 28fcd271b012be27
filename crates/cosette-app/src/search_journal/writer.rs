//! Writing the journal of a search.

use super::record::{FinishedUnit, SearchRecord};
use super::state::{JournalState, ResumePoint};
use crate::journal::{COMMIT_INTERVAL, Journal, JournalError};
use cosette::Cancel;
use cosette::cube::Cube;
use cosette::search::distributed::Tasks;
use cosette::search::{Event, IterationStats};
use cosette::table::{Table, TableId};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The journal of a search, opened for writing.
pub struct SearchJournal(Journal<SearchRecord>);

impl SearchJournal {
    /// Opens or creates the journal of the search of this position with this table, and checks the
    /// solutions in it.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error, if another process writes the journal, if it is
    /// corrupted, not a journal of a search, or that of another position or table, or if a solution
    /// in it is wrong.
    pub fn open(
        path: &Path,
        position: &Cube,
        table: TableId,
    ) -> Result<(SearchJournal, JournalState), JournalError> {
        let settings = [
            ("position", position.facelets()),
            ("table", table.to_string()),
        ];
        let mut state = JournalState::new(path, position, table.metric);
        let journal = Journal::open(path, settings, &mut |_, record| state.add(record))?;
        Ok((SearchJournal(journal), state))
    }

    /// Adds a record to the next commit, unless it is an iteration that was not searched
    /// completely.
    pub fn append(&mut self, record: &SearchRecord) {
        if !matches!(
            record,
            SearchRecord::Iteration(IterationStats {
                exhausted: false,
                ..
            })
        ) {
            self.0.append(record);
        }
    }

    /// Writes the appended records, and returns when they are on the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error. The journal must not be used afterwards; it can be
    /// opened again.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.0.commit()
    }
}

/// A writer that records the search of one position. All clones write to the same journal.
#[derive(Clone)]
pub struct JournalWriter(Arc<Mutex<WriterState>>);

struct WriterState {
    journal: SearchJournal,
    /// The numbers of the open nodes from which the search resumes.
    open: Vec<usize>,
    next_commit: Instant,
    failed: Option<JournalError>,
    /// Cancelled if the journal cannot be written.
    search: Cancel,
}

impl JournalWriter {
    /// Opens the journal of a position. Also returns the point from which the search resumes, if
    /// the journal has records.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if the journal cannot be read or written, or belongs to another
    /// position or table.
    pub fn open(
        path: &Path,
        position: &Cube,
        table: &Table,
    ) -> Result<(JournalWriter, Option<ResumePoint>), JournalError> {
        let (journal, state) = SearchJournal::open(path, position, table.id())?;
        let resumed = if state.is_new() {
            None
        } else {
            Some(state.resume(&mut Tasks::of(position, table))?)
        };
        let open = resumed
            .as_ref()
            .map(|resumed| resumed.open.clone())
            .unwrap_or_default();
        let writing = WriterState {
            journal,
            open,
            next_commit: Instant::now(),
            failed: None,
            search: Cancel::new(),
        };
        Ok((JournalWriter(Arc::new(Mutex::new(writing))), resumed))
    }

    fn lock(&self) -> MutexGuard<'_, WriterState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the search to cancel if the journal cannot be written.
    pub fn stop_on_failure(&self, search: &Cancel) {
        self.lock().search = search.clone();
    }

    /// Records an event of the search.
    pub fn record(&self, event: Event<'_>) {
        let record = match event {
            Event::Solution(moves) => SearchRecord::Solution(moves.to_vec()),
            Event::IterationFinished(iteration) => SearchRecord::Iteration(*iteration),
            Event::IterationStarted { .. } | Event::Progress { .. } => return,
        };
        self.lock().journal.append(&record);
    }

    /// Records a finished unit.
    pub fn record_part(&self, mut part: FinishedUnit) {
        let mut writing = self.lock();
        part.nodes
            .iter_mut()
            .for_each(|node| *node = writing.open[*node]);
        writing.journal.append(&SearchRecord::Unit(part));
    }

    /// Writes the appended records to the disk if the commit interval has passed.
    pub fn commit_if_due(&self) {
        let mut writing = self.lock();
        if Instant::now() >= writing.next_commit {
            writing.commit();
        }
    }

    /// Writes everything to the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if this commit, or an earlier one, failed.
    pub fn close(&self) -> Result<(), JournalError> {
        let mut writing = self.lock();
        writing.commit();
        writing.failed.take().map_or(Ok(()), Err)
    }
}

impl WriterState {
    fn commit(&mut self) {
        self.next_commit = Instant::now() + COMMIT_INTERVAL;
        if self.failed.is_none() {
            self.failed = self.journal.commit().err();
        }
        if self.failed.is_some() {
            self.search.cancel();
        }
    }
}
