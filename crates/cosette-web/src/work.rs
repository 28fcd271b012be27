//! A search from its registration to its end: it waits for its turn, works in a thread of its own, and stops when it is asked to
//! or when its client has gone.

use crate::desk::Entry;
use crate::loaded::Loaded;
use crate::refusal::Refusal;
use crate::stream::{Events, Pace};
use cosette::table::Table;
use cosette::{Cancel, Progress, cube::Metric};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// Reports of progress come this often at most.
const REPORTS: Duration = Duration::from_millis(100);

/// What happens before a search begins, or in its place.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum BeforeSearch {
    /// The search is registered: always the first event.
    Queued {
        /// The id by which `DELETE /api/v1/solves/{id}` stops it.
        id: u64,
        /// How many searches it waits for.
        ahead: usize,
    },
    /// Its table is being loaded, or filled where there is none.
    Preparing {
        /// What is done, as in `loading htm-2G`.
        doing: String,
        /// How much of it is done.
        percent: u64,
    },
    /// It cannot go on.
    Refused(Refusal),
}

/// What a search has to do with the outside.
pub struct Work {
    /// Where it reports.
    pub events: Events,
    /// What it heeds.
    pub cancel: Cancel,
    /// Lets reports of progress through now and then.
    pub pace: Pace,
}

impl Work {
    /// The table for a metric; the client sees how it is loaded or filled.
    pub fn table(&self, tables: &Loaded, metric: Metric) -> Result<Arc<Table>, Refusal> {
        let on_step = |what: &str, progress: Progress| {
            if self.pace.is_due() {
                let percent = progress.percent();
                self.events.put(&BeforeSearch::Preparing { doing: what.to_owned(), percent });
            }
        };
        tables.get(metric, &on_step, &self.cancel).map_err(|error| match error {
            stopped if stopped.is_cancellation() => stopped_early(),
            error => error.into(),
        })
    }
}

fn stopped_early() -> Refusal {
    Refusal::conflict("stopped before the search began", "ask again")
}

/// Leads a search to its end. An error of the work is its last event.
pub async fn lead<T>(entry: Entry, events: Events, work: T)
where
    T: FnOnce(&Work) -> Result<(), Refusal> + Send + 'static,
{
    events.put(&BeforeSearch::Queued { id: entry.id, ahead: entry.ahead });
    let turn = tokio::select! {
        turn = entry.turn() => turn,
        () = events.gone() => return,
    };
    let Some(_turn) = turn else {
        return events.put(&BeforeSearch::Refused(stopped_early()));
    };
    let cancel = entry.stop.cancel.clone();
    let context = Work { events: events.clone(), cancel: cancel.clone(), pace: Pace::every(REPORTS) };
    let mut working = tokio::task::spawn_blocking(move || work(&context));
    let ended = tokio::select! {
        ended = &mut working => ended,
        () = events.gone() => {
            tracing::debug!(id = entry.id, "its client has gone");
            cancel.cancel();
            working.await
        }
    };
    match ended {
        Ok(Ok(())) => {}
        Ok(Err(refusal)) => events.put(&BeforeSearch::Refused(refusal)),
        Err(panicked) => {
            tracing::error!(%panicked, "a search broke down");
            events.put(&BeforeSearch::Refused(Refusal::internal()));
        }
    }
}
