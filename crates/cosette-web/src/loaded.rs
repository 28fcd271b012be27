//! The tables in memory: one for each metric, loaded when it is first asked for, and exchanged for a better one that has come
//! since.

use crate::args::Args;
use cosette::Cancel;
use cosette::cube::Metric;
use cosette::table::{Table, TableError, TableFolder, TableId};
use cosette_app::choice::{self, ChoiceError, Memory, OnStep};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// A search that waits for a table which another one loads looks up so often.
const LOOK_UP: Duration = Duration::from_millis(20);

/// The tables, and what searches with them are given.
pub struct Loaded {
    /// Where the tables are.
    pub folder: TableFolder,
    /// How many threads a search has.
    pub threads: NonZeroUsize,
    memory: Option<u64>,
    named: [Option<TableId>; 2],
    loaded: [Mutex<Option<Arc<Table>>>; 2],
}

impl Loaded {
    /// What is asked for, with tables of this folder.
    pub fn new(args: &Args, folder: TableFolder) -> Loaded {
        Loaded {
            folder,
            threads: args.threads(),
            memory: args.memory,
            named: Metric::ALL.map(|metric| args.named(metric)),
            loaded: Default::default(),
        }
    }

    /// The table for a metric. It is loaded where it is not yet in memory, and filled where none is on disk.
    ///
    /// # Errors
    /// If there is too little memory, if the table is damaged, or on cancellation.
    pub fn get(&self, metric: Metric, on_step: OnStep<'_>, cancel: &Cancel) -> Result<Arc<Table>, ChoiceError> {
        let mut slot = self.wait_for(metric, cancel)?;
        let in_use = slot.as_ref().filter(|table| Arc::strong_count(table) > 1);
        if let Some(table) = in_use {
            // Its memory cannot be given back now.
            return Ok(Arc::clone(table));
        }
        let named = self.named[metric as usize];
        let choice = choice::choose(&self.folder, metric, named, self.memory_beside(slot.as_deref()));
        if let Some(table) = slot.as_ref() {
            match choice {
                Ok(choice) if choice.is_on_disk && choice.id != table.id() => *slot = None,
                _ => return Ok(Arc::clone(table)),
            }
        }
        let on_unsaved = |refused: &TableError| tracing::warn!(%refused, "the table will serve this time only");
        let table = choice::open(choice?, &self.folder, self.threads, (on_step, &on_unsaved), cancel)?;
        tracing::info!(table = %table.id(), "loaded");
        Ok(Arc::clone(slot.insert(Arc::new(table))))
    }

    /// The tables in memory. One that is being loaded is not among them yet.
    pub fn loaded(&self) -> Vec<TableId> {
        let id = |slot: &Mutex<Option<Arc<Table>>>| Some(slot.try_lock().ok()?.as_ref()?.id());
        self.loaded.iter().filter_map(id).collect()
    }

    /// The memory that a table may take now, where what is loaded may be given back.
    fn memory_beside(&self, loaded: Option<&Table>) -> Memory {
        let mut memory = Memory::now(self.memory);
        memory.available += loaded.map_or(0, |table| table.id().size.bytes());
        memory
    }

    /// Whether a table fits into the memory that is free now.
    pub fn fits(&self, id: TableId) -> bool {
        Memory::now(self.memory).fits(id.size)
    }

    /// The place of a metric's table, for oneself alone.
    fn wait_for(&self, metric: Metric, cancel: &Cancel) -> Result<MutexGuard<'_, Option<Arc<Table>>>, TableError> {
        loop {
            match self.loaded[metric as usize].try_lock() {
                Ok(slot) => return Ok(slot),
                Err(TryLockError::Poisoned(slot)) => return Ok(PoisonError::into_inner(slot)),
                Err(TryLockError::WouldBlock) if cancel.is_cancelled() => return Err(TableError::Cancelled),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOOK_UP),
            }
        }
    }
}
