//! Tables that are being generated. A generation continues when its client disconnects; it is followed again, or stopped, by
//! the name of the table.

use crate::api_error::ApiError;
use cosette::table::{TableError, TableFolder, TableId};
use cosette::{Cancel, Control, Progress, ThreadCount};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;
use utoipa::ToSchema;

/// The progress and the end of a generation.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum GenerationEvent {
    /// It is running.
    Progress {
        /// How much is done.
        percent: u64,
        /// An estimate of the seconds that remain; null at the beginning.
        seconds_left: Option<f64>,
    },
    /// The table is on disk.
    Generated,
    /// It was stopped; the finished part is kept, and the next generation continues from there.
    Stopped {
        /// How much is done.
        percent: u64,
    },
    /// It failed.
    Refused(ApiError),
}

/// The generations under way: one at a time, because each uses all threads.
#[derive(Debug, Default)]
pub struct GenerationJobs {
    is_closed: AtomicBool,
    jobs: Mutex<BTreeMap<TableId, GenerationJob>>,
}

#[derive(Debug)]
struct GenerationJob {
    cancel: Cancel,
    state: watch::Receiver<GenerationEvent>,
}

impl GenerationJobs {
    /// Starts a generation, unless it is under way, and returns a receiver of its events. Fails if another table is
    /// being generated, or if they are closed.
    pub fn start(
        &self,
        id: TableId,
        folder: &TableFolder,
        threads: ThreadCount,
    ) -> Result<watch::Receiver<GenerationEvent>, ApiError> {
        let mut jobs = self.jobs();
        if self.is_closed.load(Ordering::Relaxed) {
            return Err(ApiError::shutting_down());
        }
        if let Some(job) = jobs.get(&id) {
            return Ok(job.state.clone());
        }
        if let Some(other) = jobs.keys().next() {
            return Err(ApiError::conflict(format!("{other} is being generated"), "wait for it, or stop it"));
        }
        let (events, state) = watch::channel(GenerationEvent::Progress { percent: 0, seconds_left: None });
        let (folder, cancel) = (folder.clone(), Cancel::new());
        jobs.insert(id, GenerationJob { cancel: cancel.clone(), state: state.clone() });
        tokio::task::spawn_blocking(move || {
            generate(id, &folder, &Control::new(threads).with_cancel(&cancel), &events)
        });
        Ok(state)
    }

    /// The progress of a generation; `None` if it is not under way.
    pub fn percent(&self, id: TableId) -> Option<u64> {
        match *self.jobs().get(&id)?.state.borrow() {
            GenerationEvent::Progress { percent, .. } => Some(percent),
            _ => None,
        }
    }

    /// Asks a generation to stop, and returns whether it is under way.
    pub fn stop(&self, id: TableId) -> bool {
        self.jobs().get(&id).inspect(|job| job.cancel.cancel()).is_some()
    }

    /// Starts no more of them and asks all to stop.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.jobs().values().for_each(|job| job.cancel.cancel());
    }

    /// The jobs under way. One that has reported its end, or whose sender is gone, is removed.
    fn jobs(&self) -> MutexGuard<'_, BTreeMap<TableId, GenerationJob>> {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let is_running = |job: &GenerationJob| matches!(*job.state.borrow(), GenerationEvent::Progress { .. });
        jobs.retain(|_, job| job.state.has_changed().is_ok() && is_running(job));
        jobs
    }
}

fn generate(id: TableId, folder: &TableFolder, control: &Control<'_>, events: &watch::Sender<GenerationEvent>) {
    let start = Instant::now();
    let first = Mutex::new(None::<Progress>);
    let on_progress = |_: &str, progress: Progress| {
        let first = *first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(progress);
        let done = progress.done.saturating_sub(first.done);
        let left = progress.total.saturating_sub(progress.done) as f64;
        let seconds_left = (done > 0).then(|| start.elapsed().as_secs_f64() * left / done as f64);
        events.send_replace(GenerationEvent::Progress { percent: progress.percent(), seconds_left });
    };
    events.send_replace(match folder.generate(id, &control.clone().on_progress(&on_progress)) {
        Ok(()) => GenerationEvent::Generated,
        Err(TableError::Stopped { kept, .. }) => GenerationEvent::Stopped { percent: kept.percent() },
        Err(stopped) if stopped.is_cancellation() => GenerationEvent::Stopped { percent: 0 },
        Err(error) => GenerationEvent::Refused(error.into()),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::Metric;
    use cosette::table::TableSize;

    #[tokio::test]
    async fn none_begins_once_they_are_closed() {
        let folder = tempfile::TempDir::new().unwrap();
        let [first, second] = [0, 1].map(|size| TableId { metric: Metric::Htm, size: TableSize::ALL[size] });
        let (jobs, tables) = (GenerationJobs::default(), TableFolder::new(folder.path()));
        let start = |id| jobs.start(id, &tables, ThreadCount::ONE);
        let mut events = start(first).unwrap();
        jobs.close();
        while matches!(*events.borrow_and_update(), GenerationEvent::Progress { .. }) {
            events.changed().await.unwrap();
        }
        assert!(matches!(*events.borrow(), GenerationEvent::Stopped { .. }));
        for id in [first, second] {
            assert!(start(id).unwrap_err().to_string().contains("shutting down"), "{id}");
        }
    }
}
