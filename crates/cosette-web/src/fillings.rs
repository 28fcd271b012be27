//! Tables that are being filled. A filling goes on when its client goes away: it is looked at again, or stopped, by its name.

use crate::refusal::Refusal;
use cosette::table::{TableError, TableFolder, TableId};
use cosette::{Cancel, Progress};
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;
use utoipa::ToSchema;

/// How a filling goes.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum FillEvent {
    /// It goes on.
    Progress {
        /// How much is filled.
        percent: u64,
        /// About so many seconds remain; not known at the beginning.
        seconds_left: Option<f64>,
    },
    /// The table is on disk.
    Filled,
    /// It was stopped; what is filled is kept, and the next filling goes on from there.
    Stopped {
        /// How much is filled.
        percent: u64,
    },
    /// It cannot go on.
    Refused(Refusal),
}

/// The fillings under way: one at a time, for each takes all threads.
#[derive(Debug, Default)]
pub struct Fillings(Mutex<BTreeMap<TableId, Filling>>);

#[derive(Debug)]
struct Filling {
    cancel: Cancel,
    state: watch::Receiver<FillEvent>,
}

impl Fillings {
    /// Starts a filling, unless it is under way; what is told of it.
    ///
    /// # Errors
    /// If another table is being filled.
    pub fn start(
        &self,
        id: TableId,
        folder: &TableFolder,
        threads: NonZeroUsize,
    ) -> Result<watch::Receiver<FillEvent>, Refusal> {
        let mut fillings = self.fillings();
        if let Some(filling) = fillings.get(&id) {
            return Ok(filling.state.clone());
        }
        if let Some(other) = fillings.keys().next() {
            return Err(Refusal::conflict(format!("{other} is being filled"), "wait for it, or stop it"));
        }
        let (teller, state) = watch::channel(FillEvent::Progress { percent: 0, seconds_left: None });
        let (folder, cancel) = (folder.clone(), Cancel::new());
        fillings.insert(id, Filling { cancel: cancel.clone(), state: state.clone() });
        tokio::task::spawn_blocking(move || fill(id, &folder, threads, &teller, &cancel));
        Ok(state)
    }

    /// How far a filling is; none where it is not under way.
    pub fn percent(&self, id: TableId) -> Option<u64> {
        match *self.fillings().get(&id)?.state.borrow() {
            FillEvent::Progress { percent, .. } => Some(percent),
            _ => None,
        }
    }

    /// Asks a filling to stop; whether it is under way.
    pub fn stop(&self, id: TableId) -> bool {
        self.fillings().get(&id).inspect(|filling| filling.cancel.cancel()).is_some()
    }

    /// Asks all of them to stop.
    pub fn stop_all(&self) {
        self.fillings().values().for_each(|filling| filling.cancel.cancel());
    }

    /// Those under way. One that has told its end, or whose teller has gone, is over and forgotten.
    fn fillings(&self) -> MutexGuard<'_, BTreeMap<TableId, Filling>> {
        let mut fillings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on = |filling: &Filling| matches!(*filling.state.borrow(), FillEvent::Progress { .. });
        fillings.retain(|_, filling| filling.state.has_changed().is_ok() && goes_on(filling));
        fillings
    }
}

fn fill(id: TableId, folder: &TableFolder, threads: NonZeroUsize, teller: &watch::Sender<FillEvent>, cancel: &Cancel) {
    let start = Instant::now();
    let first = Mutex::new(None::<Progress>);
    let on_progress = |progress: Progress| {
        let first = *first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(progress);
        let done = progress.done.saturating_sub(first.done);
        let left = progress.total.saturating_sub(progress.done) as f64;
        let seconds_left = (done > 0).then(|| start.elapsed().as_secs_f64() * left / done as f64);
        teller.send_replace(FillEvent::Progress { percent: progress.percent(), seconds_left });
    };
    teller.send_replace(match folder.fill(id, threads, &on_progress, cancel) {
        Ok(()) => FillEvent::Filled,
        Err(TableError::Stopped { kept, .. }) => FillEvent::Stopped { percent: kept.percent() },
        Err(stopped) if stopped.is_cancellation() => FillEvent::Stopped { percent: 0 },
        Err(error) => FillEvent::Refused(error.into()),
    });
}
