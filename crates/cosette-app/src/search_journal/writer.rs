//! Writes the journal of a search while it runs.

use super::{PartDone, Record, Resumed, SearchJournal};
use crate::batch::COMMIT_INTERVAL;
use crate::journal::JournalError;
use cosette::Cancel;
use cosette::cube::Cube;
use cosette::search::Event;
use cosette::search::distributed::Tasks;
use cosette::table::Table;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Records the search of one position. All copies write to the same journal.
#[derive(Clone)]
pub struct JournalWriter(Arc<Mutex<Writing>>);

struct Writing {
    journal: SearchJournal,
    /// The numbers of the open nodes from which the search continues.
    open: Vec<usize>,
    next_commit: Instant,
    failed: Option<JournalError>,
    /// Cancelled if the journal cannot be written.
    search: Cancel,
}

impl JournalWriter {
    /// Opens the journal of a position; returns the search as it continues too, if some of it is recorded. Fails if it
    /// cannot be read or written, or belongs to another position or table.
    pub fn open(path: &Path, position: &Cube, table: &Table) -> Result<(JournalWriter, Option<Resumed>), JournalError> {
        let (journal, recorded) = SearchJournal::open(path, position, table.id())?;
        let resumed = if recorded.is_new() { None } else { Some(recorded.resume(&mut Tasks::of(position, table))?) };
        let open = resumed.as_ref().map(|resumed| resumed.open.clone()).unwrap_or_default();
        let writing = Writing { journal, open, next_commit: Instant::now(), failed: None, search: Cancel::new() };
        Ok((JournalWriter(Arc::new(Mutex::new(writing))), resumed))
    }

    fn lock(&self) -> MutexGuard<'_, Writing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Cancels this search if the journal cannot be written.
    pub fn stop_on_failure(&self, search: &Cancel) {
        self.lock().search = search.clone();
    }

    /// Records an event of the search.
    pub fn record(&self, event: Event<'_>) {
        let record = match event {
            Event::Solution(moves) => Record::Solution(moves.to_vec()),
            Event::ThresholdDone(threshold) => Record::Threshold(*threshold),
            Event::ThresholdStarted { .. } | Event::Progress { .. } => return,
        };
        self.lock().journal.append(&record);
    }

    /// Records a part that was searched.
    pub fn record_part(&self, mut part: PartDone) {
        let mut writing = self.lock();
        part.nodes.iter_mut().for_each(|node| *node = writing.open[*node]);
        writing.journal.append(&Record::Part(part));
    }

    /// Writes what was recorded to the disk if that was last done a while ago.
    pub fn commit_if_due(&self) {
        let mut writing = self.lock();
        if Instant::now() >= writing.next_commit {
            writing.commit();
        }
    }

    /// Writes everything to the disk. Fails if that, or anything before, could not be written.
    pub fn close(&self) -> Result<(), JournalError> {
        let mut writing = self.lock();
        writing.commit();
        writing.failed.take().map_or(Ok(()), Err)
    }
}

impl Writing {
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
