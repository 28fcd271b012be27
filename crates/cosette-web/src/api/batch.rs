//! Many positions: a line each in, a result each out, as they are ready.

use super::MetricName;
use crate::refusal::Refusal;
use crate::server::Server;
use crate::stream;
use crate::work::{BeforeSearch, Work, lead};
use axum::extract::rejection::{QueryRejection, StringRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use cosette_app::batch::{Batch, BatchError, Lines, List, Settings, Workers};
use cosette_app::json;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;
use utoipa::{IntoParams, ToSchema};

/// How to solve them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BatchOptions {
    /// What is counted as one move.
    #[serde(default)]
    #[param(inline, required = false)]
    metric: MetricName,
    /// Give up on a position once every length up to this one is ruled out.
    max_length: Option<u8>,
}

/// What the client is told: that the batch is registered, how its table is loaded, then a result for each line.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "the OpenAPI document describes the stream by it; events are made one by one")]
pub enum BatchEvents {
    /// Before the search.
    Before(BeforeSearch),
    /// The search.
    Batch(BatchEvent),
}

/// What happens while a batch is solved.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum BatchEvent {
    /// A line is solved.
    Answer(Box<json::Solve>),
    /// A line is no position.
    Failure(json::NotSolved),
    /// How far the batch is.
    Progress {
        /// Lines with a result.
        done: u64,
        /// All lines that hold something.
        total: u64,
        /// Positions solved a second.
        rate: Option<f64>,
        /// About so many seconds remain.
        seconds_left: Option<f64>,
    },
    /// The last event.
    End {
        /// Lines with a result.
        done: u64,
        /// All lines that hold something.
        total: u64,
        /// Whether it was stopped before all had one.
        stopped: bool,
    },
}

/// Prove the shortest solution of each line
///
/// Empty lines, and those that begin with `#` or `//`, are passed over. Answers come as they are ready, each with the number of its
/// line; a line that is no position gets a `failure`, and the rest goes on. Positions that are equal up to symmetry and inversion are solved
/// once.
#[utoipa::path(
    post, path = "/batch", params(BatchOptions), request_body(content = String, content_type = "text/plain", description = "one position a line, in any format"),
    responses(
        (status = 200, description = "events, the last of them `end` or `refused`", body = BatchEvents, content_type = "text/event-stream"),
        (status = 413, description = "the body is too large", body = Refusal),
        (status = 422, description = "no line holds anything", body = Refusal),
        (status = 429, description = "too many searches wait already", body = Refusal),
    ),
)]
pub async fn batch(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    options: Result<Query<BatchOptions>, QueryRejection>,
    text: Result<String, StringRejection>,
) -> Result<Response, Refusal> {
    let (Query(options), text) = (options?, text?);
    if Lines::new(text.as_bytes()).next().is_none() {
        let error = "there is no position in the body";
        return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error, "send one position a line"));
    }
    let entry = server.desk.register()?;
    let (events, response) = stream::response(&headers);
    tokio::spawn(lead(entry, events, move |work| solve(&text, &options, &server, work)));
    Ok(response)
}

/// Solves the lines of a text.
fn solve(text: &str, asked: &BatchOptions, server: &Server, work: &Work) -> Result<(), Refusal> {
    let settings = Settings { metric: asked.metric.into(), max_length: asked.max_length, ..Settings::default() };
    let lines = Lines::new(text.as_bytes()).map_while(Result::ok).take_while(|_| !work.cancel.is_cancelled());
    let mut batch = Batch::open(List::read(lines, &settings), settings, true, None)?;
    let total = batch.list().entries().len() as u64;
    let mut done = 0;
    for entry in batch.list().entries() {
        if let Err(error) = &entry.input {
            done += 1;
            work.events.put(&BatchEvent::Failure(json::NotSolved::unreadable(&entry.text, Some(entry.line), error)));
        }
    }
    let faulty = done;
    let workers = Workers {
        table: work.table(&server.tables, settings.metric)?,
        threads: server.tables.threads,
        jobs: server.tables.threads,
        timeout: None,
    };
    let start = Instant::now();
    let progress = |done: u64| {
        let rate = (done > faulty).then(|| (done - faulty) as f64 / start.elapsed().as_secs_f64());
        BatchEvent::Progress { done, total, rate, seconds_left: rate.map(|rate| (total - done) as f64 / rate) }
    };
    work.events.put(&progress(done));
    workers.run(&mut batch, &work.cancel, &mut |_, answer| -> Result<(), BatchError> {
        done += 1;
        work.events.put(&BatchEvent::Answer(Box::new(answer)));
        if work.pace.is_due() {
            work.events.put(&progress(done));
        }
        Ok(())
    })?;
    work.events.put(&BatchEvent::End { done, total, stopped: done < total });
    Ok(())
}
