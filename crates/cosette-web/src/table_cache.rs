//! The table cache: one table for each metric, loaded on first use and replaced when a better one has been generated. That
//! of the half-turn metric is loaded when the server starts, if it is on disk.

use crate::args::Args;
use cosette::table::choice::{self, Choice, MemoryLimit, OpenedTable};
use cosette::table::{Table, TableError, TableFolder, TableId};
use cosette::{Cancel, Control, Metric, OpenError, Progress, ThreadCount};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

/// How often a search looks whether another one has finished loading its table.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The tables in memory, and how they are chosen and loaded.
pub struct TableCache {
    /// The folder of the tables.
    pub folder: TableFolder,
    /// The number of threads of a search.
    pub threads: ThreadCount,
    memory: Option<u64>,
    named: [Option<TableId>; 2],
    slots: [Mutex<Option<Arc<Table>>>; 2],
    /// The step of loading the table of each slot, for the searches that wait for it.
    loading: [Mutex<Option<(String, Progress)>>; 2],
}

impl TableCache {
    /// An empty cache for tables of this folder.
    pub fn new(args: &Args, folder: TableFolder) -> TableCache {
        TableCache {
            folder,
            threads: args.threads(),
            memory: args.memory,
            named: Metric::ALL.map(|metric| args.named(metric)),
            slots: Default::default(),
            loading: Default::default(),
        }
    }

    /// Loads the table of the half-turn metric, if it is on disk.
    pub fn preload(&self, cancel: &Cancel) {
        if !self.choice(Metric::Htm, None).is_ok_and(|choice| choice.is_on_disk) {
            return;
        }
        match self.get(Metric::Htm, &Control::new(self.threads).with_cancel(cancel)) {
            Ok(_) => {}
            Err(error) if error.is_cancellation() => {}
            Err(error) => tracing::warn!(%error, "the table could not be loaded"),
        }
    }

    /// The table that the next search in a metric uses, and generates first if it is not on disk; `None` if that is refused.
    pub fn next(&self, metric: Metric) -> Option<TableId> {
        let loaded = self.slots[metric as usize].try_lock().ok().and_then(|slot| slot.clone());
        if let Some(table) = loaded.as_ref().filter(|table| Arc::strong_count(table) > 2) {
            return Some(table.id());
        }
        self.choice(metric, loaded.as_deref()).ok().map(|choice| choice.id)
    }

    fn choice(&self, metric: Metric, loaded: Option<&Table>) -> Result<Choice, OpenError> {
        choice::choose(&self.folder, metric, self.named[metric as usize], self.memory_without(loaded))
    }

    /// The table for a metric. It is loaded if it is not in memory, and generated first if there is none on disk. Fails
    /// if there is too little memory, if the table is damaged, or on cancellation.
    pub fn get(&self, metric: Metric, control: &Control<'_>) -> Result<Arc<Table>, OpenError> {
        let mut slot = self.lock(metric, control)?;
        let in_use = slot.as_ref().filter(|table| Arc::strong_count(table) > 1);
        if let Some(table) = in_use {
            // Its memory cannot be freed now.
            return Ok(Arc::clone(table));
        }
        let choice = self.choice(metric, slot.as_deref());
        if let Some(table) = slot.as_ref() {
            match choice {
                Ok(choice) if choice.is_on_disk && choice.id != table.id() => *slot = None,
                _ => return Ok(Arc::clone(table)),
            }
        }
        let loading = &self.loading[metric as usize];
        let on_progress = |step: &str, progress: Progress| {
            *lock(loading) = Some((step.to_owned(), progress));
            control.step(step).report(progress.done, progress.total);
        };
        let opened = self.folder.open(choice?, &control.clone().on_progress(&on_progress));
        *lock(loading) = None;
        let OpenedTable { table, unsaved } = opened?;
        if let Some(error) = unsaved {
            tracing::warn!(%error, "the table could not be saved and will be generated again next time");
        }
        tracing::info!(table = %table.id(), "loaded");
        Ok(Arc::clone(slot.insert(Arc::new(table))))
    }

    /// The tables in memory, without one that is being loaded.
    pub fn loaded(&self) -> Vec<TableId> {
        let id = |slot: &Mutex<Option<Arc<Table>>>| Some(slot.try_lock().ok()?.as_ref()?.id());
        self.slots.iter().filter_map(id).collect()
    }

    /// The memory that a table may take now, if the loaded one is freed.
    fn memory_without(&self, loaded: Option<&Table>) -> MemoryLimit {
        let mut memory = MemoryLimit::now(self.memory);
        memory.available += loaded.map_or(0, |table| table.id().size.bytes());
        memory
    }

    /// Whether a table fits in the free memory.
    pub fn fits(&self, id: TableId) -> bool {
        MemoryLimit::now(self.memory).fits(id.size)
    }

    /// Locks the slot of a metric.
    fn lock(&self, metric: Metric, control: &Control<'_>) -> Result<MutexGuard<'_, Option<Arc<Table>>>, TableError> {
        loop {
            match self.slots[metric as usize].try_lock() {
                Ok(slot) => return Ok(slot),
                Err(TryLockError::Poisoned(slot)) => return Ok(PoisonError::into_inner(slot)),
                Err(TryLockError::WouldBlock) if control.is_cancelled() => return Err(TableError::Cancelled),
                Err(TryLockError::WouldBlock) => {
                    if let Some((step, progress)) = &*lock(&self.loading[metric as usize]) {
                        control.step(step).report(progress.done, progress.total);
                    }
                    std::thread::sleep(POLL_INTERVAL);
                }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
