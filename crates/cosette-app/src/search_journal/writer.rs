//! The writer of the records of a search.

use super::record::{FinishedUnit, SearchRecord};
use super::state::{JournalState, ResumePoint};
use crate::journal::{COMMIT_INTERVAL, Journal, JournalError};
use crate::lock;
use cosette::Cancel;
use cosette::cube::Cube;
use cosette::search::Event;
use cosette::search::distributed::Tasks;
use cosette::table::Table;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// A writer that records the search of one position. All clones write to the same journal.
#[derive(Clone)]
pub struct JournalWriter(Arc<Mutex<WriterState>>);

struct WriterState {
    journal: Journal<SearchRecord>,
    /// The numbers of the open nodes from which the search resumes.
    open: Vec<usize>,
    next_commit: Instant,
    /// The error of the first commit that failed.
    failure: Option<JournalError>,
    /// The search, which is cancelled if the journal cannot be written.
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
        let (journal, state) = JournalState::open(path, position, table.id())?;
        let resumed = if state.is_new() {
            None
        } else {
            Some(state.resume(&mut Tasks::of(position, table))?)
        };
        let open = resumed.as_ref().map(|resumed| resumed.open.clone());
        let writer = WriterState {
            journal,
            open: open.unwrap_or_default(),
            next_commit: Instant::now(),
            failure: None,
            search: Cancel::new(),
        };
        Ok((JournalWriter(Arc::new(Mutex::new(writer))), resumed))
    }

    /// Sets the search to cancel if the journal cannot be written.
    pub fn stop_on_failure(&self, search: &Cancel) {
        lock(&self.0).search = search.clone();
    }

    /// Records an event if it is a solution, or the end of an iteration that was searched
    /// completely.
    pub fn record(&self, event: Event<'_>) {
        let record = match event {
            Event::Solution(moves) => SearchRecord::Solution(moves.to_vec()),
            Event::IterationFinished(iteration) if iteration.exhausted => {
                SearchRecord::Iteration(*iteration)
            }
            _ => return,
        };
        lock(&self.0).journal.append(&record);
    }

    /// Records a finished unit.
    pub fn record_part(&self, mut unit: FinishedUnit) {
        let mut writer = lock(&self.0);
        for node in &mut unit.nodes {
            *node = writer.open[*node];
        }
        writer.journal.append(&SearchRecord::Unit(unit));
    }

    /// Writes the appended records to the disk if the commit interval has passed.
    pub fn commit_if_due(&self) {
        let mut writer = lock(&self.0);
        if Instant::now() >= writer.next_commit {
            writer.commit();
        }
    }

    /// Writes everything to the disk.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] if this commit, or an earlier one, failed.
    pub fn close(&self) -> Result<(), JournalError> {
        let mut writer = lock(&self.0);
        writer.commit();
        writer.failure.take().map_or(Ok(()), Err)
    }
}

impl WriterState {
    fn commit(&mut self) {
        self.next_commit = Instant::now() + COMMIT_INTERVAL;
        if self.failure.is_none() {
            self.failure = self.journal.commit().err();
        }
        if self.failure.is_some() {
            self.search.cancel();
        }
    }
}
