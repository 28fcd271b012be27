//! The tables in memory, and the generations of tables.
//!
//! The [`TableCache`] has at most one table for each metric, loaded on first use and replaced when
//! a better one has been generated. The table of the half-turn metric is loaded when the server
//! starts, if it is on disk. A generation ([`GenerationJobs`]) continues when its client
//! disconnects; it can be followed again, or stopped, by the name of the table.

use crate::api_error::ApiError;
use crate::args::Args;
use crate::jobs::{self, JobContext, PROGRESS_INTERVAL, QueueEvent};
use cosette::control::lock_unless_cancelled;
use cosette::table::choice::{self, MemoryLimit, OpenedTable, TableSelection};
use cosette::table::{Table, TableError, TableFolder, TableId};
use cosette::{Cancel, Control, Metric, OpenError, Progress, ThreadCount};
use cosette_app::events::Throttle;
use cosette_app::remedies::{Audience, worded};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};
use tokio::sync::watch;
use utoipa::ToSchema;

/// The tables in memory, with the rules for choosing and loading them.
pub struct TableCache {
    /// The directory of the tables.
    pub folder: TableFolder,
    /// The number of threads of a search.
    pub threads: ThreadCount,
    /// The value of `--memory`.
    memory: Option<u64>,
    /// The table that `--table` names for each metric.
    named: [Option<TableId>; 2],
    /// The table in memory for each metric.
    slots: [Mutex<Option<Arc<Table>>>; 2],
    /// The table that is being loaded into each slot, for the searches that wait for it.
    loading: [Mutex<Option<Loading>>; 2],
    /// The faults found when loading files, with the modification time of each file.
    faults: Mutex<BTreeMap<TableId, (SystemTime, String)>>,
}

/// A table that a search loads, and generates first if it is not on disk.
struct Loading {
    id: TableId,
    step: String,
    progress: Progress,
    /// Cancels the search that loads the table.
    cancel: Cancel,
}

impl TableCache {
    /// Creates an empty cache for the tables of `folder`.
    pub fn new(args: &Args, folder: TableFolder) -> TableCache {
        TableCache {
            folder,
            threads: args.store.threads.count(),
            memory: args.memory,
            named: Metric::ALL.map(|metric| args.named(metric)),
            slots: Default::default(),
            loading: Default::default(),
            faults: Mutex::default(),
        }
    }

    /// Loads the table of the half-turn metric if it is on disk.
    pub fn preload(&self, cancel: &Cancel) {
        match self.choice(Metric::Htm, None) {
            Ok(choice) if choice.is_on_disk => {}
            Ok(_) => return,
            Err(error) => {
                let error = ApiError::from(error);
                return tracing::warn!("cannot choose a table, so searches will fail: {error}");
            }
        }
        let control = Control::new(self.threads).with_cancel(cancel);
        match self.get(Metric::Htm, &control) {
            Err(error) if !error.is_cancellation() => {
                tracing::warn!("cannot load the table: {}", ApiError::from(error));
            }
            _ => {}
        }
    }

    /// Returns the table that the next search in a metric uses, and generates first if it is not on
    /// disk; `None` if no table can be chosen.
    pub fn next(&self, metric: Metric) -> Option<TableId> {
        let loaded = self.slots[metric as usize]
            .try_lock()
            .ok()
            .and_then(|slot| slot.clone());
        // Two of the references are those of the slot and of `loaded`; more are those of searches,
        // which keep the table in memory.
        if let Some(table) = loaded.as_ref().filter(|table| Arc::strong_count(table) > 2) {
            return Some(table.id());
        }
        let id = self.choice(metric, loaded.as_deref()).ok()?.id;
        // A corrupted table does not replace the one in memory.
        Some(
            loaded
                .filter(|_| self.fault(id).is_some())
                .map_or(id, |table| table.id()),
        )
    }

    /// Chooses the table for a metric. A name without a metric means the half-turn metric: in the
    /// quarter-turn metric, the table of that size is not generated if another table is on disk.
    fn choice(&self, metric: Metric, loaded: Option<&Table>) -> Result<TableSelection, OpenError> {
        let memory = self.memory_without(loaded);
        let choose = |named| choice::choose(&self.folder, metric, named, memory);
        let named = choose(self.named[metric as usize]);
        // A name with a metric leaves the other metric without a named table.
        let is_named_for_metric = metric == Metric::Htm || self.named.iter().any(Option::is_none);
        match choose(None) {
            Ok(automatic)
                if !is_named_for_metric
                    && automatic.is_on_disk
                    && !named.as_ref().is_ok_and(|named| named.is_on_disk) =>
            {
                Ok(automatic)
            }
            _ => named,
        }
    }

    /// Returns the table for a metric. A table that is not in memory is loaded; if none is on disk,
    /// one is generated first.
    ///
    /// # Errors
    ///
    /// Returns an error if there is too little memory, if the table is corrupted, or on
    /// cancellation.
    pub fn get(&self, metric: Metric, control: &Control<'_>) -> Result<Arc<Table>, OpenError> {
        // While another search loads the table, this one reports the progress of that search.
        let on_wait = || {
            if let Some(Loading { step, progress, .. }) = &*lock(&self.loading[metric as usize]) {
                control.step(step).report(progress.done, progress.total);
            }
        };
        let slot = lock_unless_cancelled(&self.slots[metric as usize], control, on_wait);
        let mut slot = slot.ok_or(TableError::Cancelled)?;
        // One of the references is that of the slot; more are those of searches.
        let in_use = slot.as_ref().filter(|table| Arc::strong_count(table) > 1);
        if let Some(table) = in_use {
            // The memory of this table cannot be freed now for a better one.
            return Ok(Arc::clone(table));
        }
        let choice = self.choice(metric, slot.as_deref());
        if let Some(table) = slot.as_ref() {
            match choice {
                Ok(choice)
                    if choice.is_on_disk
                        && choice.id != table.id()
                        && self.fault(choice.id).is_none() =>
                {
                    // Frees the memory for the better table.
                    *slot = None;
                }
                _ => return Ok(Arc::clone(table)),
            }
        }
        let choice = choice?;
        let loading = &self.loading[metric as usize];
        let on_progress = |step: &str, progress: Progress| {
            let cancel = control.cancel_token().clone();
            *lock(loading) = Some(Loading {
                id: choice.id,
                step: step.to_owned(),
                progress,
                cancel,
            });
            control.step(step).report(progress.done, progress.total);
        };
        let opened = self
            .folder
            .open(choice, &control.clone().on_progress(on_progress));
        *lock(loading) = None;
        let OpenedTable {
            table,
            save_error,
            skipped_table_errors,
        } = opened.inspect_err(|error| self.note_fault(choice.id, error))?;
        if let Some(fault) = skipped_table_errors.first() {
            tracing::warn!(%fault, table = %table.id(), "a larger table cannot be used; using \
                this one instead");
            self.note_fault(choice.id, fault);
        }
        if let Some(error) = save_error {
            tracing::warn!(%error, "could not save the table; it will be generated again next \
                time");
        }
        tracing::info!(table = %table.id(), "loaded");
        Ok(Arc::clone(slot.insert(Arc::new(table))))
    }

    /// Returns the table for a metric, and sends the progress of loading or generating it to the
    /// client of the job.
    pub fn for_job(&self, metric: Metric, job: &JobContext) -> Result<Arc<Table>, ApiError> {
        let on_progress = |step: &str, progress: Progress| {
            if job.throttle.is_due() {
                job.events.offer(&QueueEvent::Preparing {
                    doing: step.to_owned(),
                    percent: progress.percent(),
                });
            }
        };
        let control = Control::new(self.threads)
            .with_cancel(&job.cancel)
            .on_progress(on_progress);
        self.get(metric, &control).map_err(|error| match error {
            stopped if stopped.is_cancellation() => jobs::stopped_early(),
            error => error.into(),
        })
    }

    /// Returns `true` if `--table` names a table, for any metric.
    pub fn is_named(&self) -> bool {
        self.named.iter().any(Option::is_some)
    }

    /// Returns the tables in memory, without one that is being loaded.
    pub fn loaded(&self) -> Vec<TableId> {
        let id = |slot: &Mutex<Option<Arc<Table>>>| Some(slot.try_lock().ok()?.as_ref()?.id());
        self.slots.iter().filter_map(id).collect()
    }

    /// Returns `true` if a search may do without a table: none is in memory for the metric, and
    /// `--table` names none, which would have to be used.
    pub fn is_optional(&self, metric: Metric) -> bool {
        !self.is_named() && self.loaded().iter().all(|table| table.metric != metric)
    }

    /// Records the error of a table if it is a fault of its file.
    fn note_fault(&self, id: TableId, error: &TableError) {
        let remedy = error.remedy().filter(|_| error.is_fault_of_file());
        if let (Some(remedy), Some(modified)) = (remedy, self.modification_time(id)) {
            let fault = format!("{error}; {}", worded(&remedy, Audience::Page));
            lock(&self.faults).insert(id, (modified, fault));
        }
    }

    /// Returns the fault found when the file of a table was loaded, if the file has not changed
    /// since.
    pub fn fault(&self, id: TableId) -> Option<String> {
        let (modified, fault) = lock(&self.faults).get(&id)?.clone();
        (self.modification_time(id) == Some(modified)).then_some(fault)
    }

    fn modification_time(&self, id: TableId) -> Option<SystemTime> {
        fs::metadata(self.folder.path_of(id)).ok()?.modified().ok()
    }

    /// Returns the percentage of a table that a search has generated; `None` if no search generates
    /// the table.
    pub fn percent_of_search(&self, id: TableId) -> Option<u64> {
        let loading = lock(&self.loading[id.metric as usize]);
        let generating = loading
            .as_ref()
            .filter(|loading| loading.id == id && !self.folder.path_of(id).exists());
        generating.map(|loading| loading.progress.percent())
    }

    /// Stops the search that generates a table. Returns `true` if there is one.
    pub fn stop_generating(&self, id: TableId) -> bool {
        let is_generating = self.percent_of_search(id).is_some();
        let loading = lock(&self.loading[id.metric as usize]);
        if let Some(loading) = loading.as_ref().filter(|_| is_generating) {
            loading.cancel.cancel();
        }
        is_generating
    }

    /// Returns the memory that a table may take now, if the loaded one is freed.
    fn memory_without(&self, loaded: Option<&Table>) -> MemoryLimit {
        let mut memory = MemoryLimit::now(self.memory);
        memory.available += loaded.map_or(0, |table| table.id().size.bytes());
        memory
    }

    /// Returns `true` if a table fits in the free memory.
    pub fn fits(&self, id: TableId) -> bool {
        MemoryLimit::now(self.memory).fits(id.size)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The progress and the end of a generation.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum GenerationEvent {
    /// The generation is running.
    Progress {
        /// The completed percentage.
        percent: u64,
        /// The estimated remaining time in seconds; null at the beginning.
        seconds_left: Option<f64>,
    },
    /// The table is on disk.
    Generated,
    /// The generation was stopped; the finished part is stored, and the next generation resumes
    /// from it.
    Stopped {
        /// The completed percentage.
        percent: u64,
    },
    /// The generation failed.
    Refused(ApiError),
}

/// The running generation: one at a time, because each uses all threads.
#[derive(Debug, Default)]
pub struct GenerationJobs {
    is_closed: AtomicBool,
    running: Mutex<Option<GenerationJob>>,
}

#[derive(Debug)]
struct GenerationJob {
    id: TableId,
    cancel: Cancel,
    /// The latest event.
    state: watch::Receiver<GenerationEvent>,
}

impl GenerationJobs {
    /// Starts the generation of a table unless it is running, and returns a receiver of its events.
    ///
    /// # Errors
    ///
    /// Returns an error if another table is being generated, or if the server is stopping.
    pub fn start(
        &self,
        id: TableId,
        folder: &TableFolder,
        threads: ThreadCount,
    ) -> Result<watch::Receiver<GenerationEvent>, ApiError> {
        let mut running = self.running();
        if self.is_closed.load(Ordering::Relaxed) {
            return Err(ApiError::shutting_down());
        }
        match &*running {
            None => {}
            Some(job) if job.id == id => return Ok(job.state.clone()),
            Some(job) => {
                let error = format!("{} is being generated", job.id);
                let help = "wait until it has finished, or stop it";
                return Err(ApiError::conflict(error, help));
            }
        }
        let (events, state) = watch::channel(GenerationEvent::Progress {
            percent: 0,
            seconds_left: None,
        });
        let cancel = Cancel::new();
        *running = Some(GenerationJob {
            id,
            cancel: cancel.clone(),
            state: state.clone(),
        });
        let folder = folder.clone();
        tokio::task::spawn_blocking(move || {
            let control = Control::new(threads).with_cancel(&cancel);
            generate(id, &folder, &control, &events)
        });
        Ok(state)
    }

    /// Returns the completed percentage of a running generation; `None` if no job generates the
    /// table.
    pub fn percent(&self, id: TableId) -> Option<u64> {
        let running = self.running();
        let job = running.as_ref().filter(|job| job.id == id)?;
        match *job.state.borrow() {
            GenerationEvent::Progress { percent, .. } => Some(percent),
            _ => None,
        }
    }

    /// Stops the generation of a table. Returns `true` if it was running.
    pub fn stop(&self, id: TableId) -> bool {
        let running = self.running();
        let job = running.as_ref().filter(|job| job.id == id);
        job.inspect(|job| job.cancel.cancel()).is_some()
    }

    /// Stops the generation, and starts no more.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.running().iter().for_each(|job| job.cancel.cancel());
    }

    /// Returns the running job, after removing one that has reported its end or lost its sender.
    fn running(&self) -> MutexGuard<'_, Option<GenerationJob>> {
        let mut running = lock(&self.running);
        running.take_if(|job| {
            let is_running = matches!(*job.state.borrow(), GenerationEvent::Progress { .. });
            job.state.has_changed().is_err() || !is_running
        });
        running
    }
}

fn generate(
    id: TableId,
    folder: &TableFolder,
    control: &Control<'_>,
    events: &watch::Sender<GenerationEvent>,
) {
    let start = Instant::now();
    // A resumed generation begins with the stored part, which takes no time.
    let first_progress = Mutex::new(None::<Progress>);
    let throttle = Throttle::new(PROGRESS_INTERVAL);
    let on_progress = |_: &str, progress: Progress| {
        if !throttle.is_due() {
            return;
        }
        let first = *lock(&first_progress).get_or_insert(progress);
        let generated = progress.done.saturating_sub(first.done);
        let remaining = progress.total.saturating_sub(progress.done) as f64;
        let seconds_left =
            (generated > 0).then(|| start.elapsed().as_secs_f64() * remaining / generated as f64);
        events.send_replace(GenerationEvent::Progress {
            percent: progress.percent(),
            seconds_left,
        });
    };
    events.send_replace(
        match folder.generate(id, &control.clone().on_progress(on_progress)) {
            Ok(()) => GenerationEvent::Generated,
            Err(TableError::Stopped { progress, .. }) => GenerationEvent::Stopped {
                percent: progress.percent(),
            },
            Err(stopped) if stopped.is_cancellation() => GenerationEvent::Stopped { percent: 0 },
            Err(error) => GenerationEvent::Refused(error.into()),
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::table::TableSize;

    #[tokio::test]
    async fn no_generation_begins_after_close() {
        let folder = tempfile::TempDir::new().unwrap();
        let [first, second] = [0, 1].map(|size| TableId {
            metric: Metric::Htm,
            size: TableSize::ALL[size],
        });
        let jobs = GenerationJobs::default();
        let tables = TableFolder::new(folder.path());
        let start = |id| jobs.start(id, &tables, ThreadCount::ONE);
        let mut events = start(first).unwrap();
        jobs.close();
        while matches!(
            *events.borrow_and_update(),
            GenerationEvent::Progress { .. }
        ) {
            events.changed().await.unwrap();
        }
        assert!(matches!(*events.borrow(), GenerationEvent::Stopped { .. }));
        for id in [first, second] {
            assert!(
                start(id).unwrap_err().to_string().contains("shutting down"),
                "{id}"
            );
        }
    }
}
