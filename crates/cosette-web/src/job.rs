//! Runs a job of the queue: it waits for its permit, works in a blocking thread, and stops on request or when its client
//! disconnects.

use crate::api_error::ApiError;
use crate::queue::Ticket;
use crate::stream::{EventSender, Throttle};
use crate::table_cache::TableCache;
use cosette::table::Table;
use cosette::{Cancel, Control, Metric, Progress};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// The least time between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Events before a search begins, or instead of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum BeforeSearch {
    /// The search is in the queue: always the first event.
    Queued {
        /// The id with which `DELETE /api/v1/solves/{id}` stops it.
        id: u64,
        /// How many searches are ahead of it.
        ahead: usize,
    },
    /// Its table is being loaded, or generated if there is none.
    Preparing {
        /// The step, as in `loading htm-1.5G`.
        doing: String,
        /// How much of the step is done.
        percent: u64,
    },
    /// It failed.
    Refused(ApiError),
}

/// What a running job works with.
pub struct JobContext {
    /// Sends events to its client.
    pub events: EventSender,
    /// Cancels it.
    pub cancel: Cancel,
    /// Limits its progress reports.
    pub throttle: Throttle,
}

impl JobContext {
    /// The table for a metric. The client receives the progress of loading or generating it.
    pub fn table(&self, tables: &TableCache, metric: Metric) -> Result<Arc<Table>, ApiError> {
        let on_progress = |step: &str, progress: Progress| {
            if self.throttle.is_due() {
                let percent = progress.percent();
                self.events.offer(&BeforeSearch::Preparing { doing: step.to_owned(), percent });
            }
        };
        let control = Control::new(tables.threads).with_cancel(&self.cancel).on_progress(&on_progress);
        tables.get(metric, &control).map_err(|error| match error {
            stopped if stopped.is_cancellation() => stopped_early(),
            error => error.into(),
        })
    }
}

fn stopped_early() -> ApiError {
    ApiError::conflict("stopped before the search began", "ask again")
}

/// Runs a job to its end. If it fails, the error is its last event.
pub async fn run<W>(ticket: Ticket, events: EventSender, work: W)
where
    W: FnOnce(&JobContext) -> Result<(), ApiError> + Send + 'static,
{
    let sender = events.clone();
    if let Err(error) = result(ticket, events, work).await {
        // The client may still have to read what came before.
        let _ = tokio::task::spawn_blocking(move || sender.send(&BeforeSearch::Refused(error))).await;
    }
}

/// Runs a job to its end, and returns its result.
pub async fn result<T, W>(ticket: Ticket, events: EventSender, work: W) -> Result<T, ApiError>
where
    T: Send + 'static,
    W: FnOnce(&JobContext) -> Result<T, ApiError> + Send + 'static,
{
    events.offer(&BeforeSearch::Queued { id: ticket.id, ahead: ticket.ahead });
    let permit = tokio::select! {
        permit = ticket.permit() => permit,
        () = events.closed() => None,
    };
    let _permit = permit.ok_or_else(stopped_early)?;
    let cancel = ticket.stop.cancel.clone();
    let throttle = Throttle::new(PROGRESS_INTERVAL);
    let context = JobContext { events: events.clone(), cancel: cancel.clone(), throttle };
    let mut working = tokio::task::spawn_blocking(move || work(&context));
    let result = tokio::select! {
        result = &mut working => result,
        () = events.closed() => {
            tracing::debug!(id = ticket.id, "the client disconnected");
            cancel.cancel();
            working.await
        }
    };
    result.unwrap_or_else(|panic| {
        tracing::error!(%panic, "a search panicked");
        Err(ApiError::internal())
    })
}
