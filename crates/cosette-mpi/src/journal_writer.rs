//! Who writes down what is searched of a position, so that the work can go on from there.

use crate::crew::{Clerk, Finished};
use cosette::Cancel;
use cosette::cube::Cube;
use cosette::search::Event;
use cosette::search::distributed::{Checkpoint, Tasks};
use cosette::table::Table;
use cosette_app::batch::COMMIT_INTERVAL;
use cosette_app::journal::JournalError;
use cosette_app::search_journal::{PartDone, Record, SearchJournal};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Writes down what is searched of one position. All copies write to the same journal.
#[derive(Clone)]
pub struct JournalWriter(Arc<Mutex<Writing>>);

struct Writing {
    journal: SearchJournal,
    due: Instant,
    failed: Option<JournalError>,
    /// Made where it cannot write.
    stop: Cancel,
}

impl JournalWriter {
    /// Opens the journal of a position, and says where its search stands.
    ///
    /// # Errors
    /// If it cannot be read or written, or is of something else.
    pub fn open(path: &Path, position: &Cube, table: &Table) -> Result<(JournalWriter, Checkpoint), JournalError> {
        let (journal, recorded) = SearchJournal::open(path, position, table.id())?;
        let resumed = recorded.resume(&mut Tasks::of(position, table))?;
        if !recorded.is_new() {
            anstream::eprintln!("going on from {}: {resumed}", path.display());
        }
        let writing = Writing { journal, due: Instant::now(), failed: None, stop: Cancel::new() };
        Ok((JournalWriter(Arc::new(Mutex::new(writing))), resumed.checkpoint))
    }

    fn lock(&self) -> MutexGuard<'_, Writing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has this request made where nothing more can be written.
    pub fn stop_by(&self, stop: &Cancel) {
        self.lock().stop = stop.clone();
    }

    /// Takes note of what happens in the search.
    pub fn follow(&self, event: Event<'_>) {
        match event {
            Event::Solution(moves) => self.lock().note(&Record::Solution(moves.to_vec())),
            Event::ThresholdDone(threshold) => self.lock().note(&Record::Threshold(*threshold)),
            Event::ThresholdStarted { .. } | Event::Progress { .. } => {}
        }
    }

    /// Puts everything on the disk.
    ///
    /// # Errors
    /// If that, or anything before, could not be written.
    pub fn close(&self) -> Result<(), JournalError> {
        let mut writing = self.lock();
        writing.commit();
        writing.failed.take().map_or(Ok(()), Err)
    }
}

impl Writing {
    fn note(&mut self, record: &Record) {
        self.journal.append(record);
    }

    fn commit(&mut self) {
        self.due = Instant::now() + COMMIT_INTERVAL;
        if self.failed.is_none() {
            self.failed = self.journal.commit().err();
        }
        if self.failed.is_some() {
            self.stop.cancel();
        }
    }
}

impl Clerk for JournalWriter {
    fn finished(&mut self, finished: Finished) {
        let Finished { length, tasks, result, solutions, elapsed } = finished;
        let (counts, priority) = (result.counts, result.priority);
        self.lock().note(&Record::Part(PartDone { length, tasks, counts, priority, solutions, elapsed }));
    }

    fn tick(&mut self) {
        let mut writing = self.lock();
        if Instant::now() >= writing.due {
            writing.commit();
        }
    }
}
