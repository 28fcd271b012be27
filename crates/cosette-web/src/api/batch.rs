//! Many positions: one line in, one result out for each, in the order in which they are solved.

use super::names::MetricName;
use crate::api_error::ApiError;
use crate::job::{self, BeforeSearch, JobContext};
use crate::server::Server;
use crate::stream;
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
    /// What counts as one move.
    #[serde(default)]
    #[param(inline, required = false)]
    metric: MetricName,
    /// Give up on a position when every length up to this one is ruled out.
    max_length: Option<u8>,
}

/// The events of a batch: its place in the queue, the progress of loading its table, then a result for each line.
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
    /// A line is not a position.
    Failure(json::NotSolved),
    /// The progress of the batch.
    Progress {
        /// Lines with a result.
        done: u64,
        /// All lines with a position.
        total: u64,
        /// Positions solved per second.
        rate: Option<f64>,
        /// An estimate of the seconds that remain.
        seconds_left: Option<f64>,
    },
    /// The last event.
    End {
        /// Lines with a result.
        done: u64,
        /// All lines with a position.
        total: u64,
        /// Whether the batch was stopped before every line had a result.
        stopped: bool,
    },
}

/// Prove the shortest solution of each line
///
/// Empty lines, and those that begin with `#` or `//`, are skipped. Answers come in the order in which they are found, each
/// with its line number; a line that is not a position gets a `failure`, and the others are still solved. Positions that are
/// equal up to symmetry and inversion are solved once.
#[utoipa::path(
    post, path = "/batch", params(BatchOptions), request_body(content = String, content_type = "text/plain", description = "one position per line, in any format"),
    responses(
        (status = 200, description = "events, the last of them `end` or `refused`", body = BatchEvents, content_type = "text/event-stream"),
        (status = 413, description = "the body is too large", body = ApiError),
        (status = 422, description = "the body has no positions", body = ApiError),
        (status = 429, description = "the queue is full", body = ApiError),
    ),
)]
pub async fn batch(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    options: Result<Query<BatchOptions>, QueryRejection>,
    text: Result<String, StringRejection>,
) -> Result<Response, ApiError> {
    let (Query(options), text) = (options?, text?);
    if Lines::new(text.as_bytes()).next().is_none() {
        let error = "the body has no positions";
        return Err(ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error, "send one position per line"));
    }
    let ticket = server.queue.join()?;
    let (events, response) = stream::response(&headers);
    tokio::spawn(job::run(ticket, events, move |job| solve(&text, &options, &server, job)));
    Ok(response)
}

/// Solves the lines of a text.
fn solve(text: &str, options: &BatchOptions, server: &Server, job: &JobContext) -> Result<(), ApiError> {
    let settings = Settings { metric: options.metric.into(), max_length: options.max_length, ..Settings::default() };
    let lines = Lines::new(text.as_bytes()).map_while(Result::ok).take_while(|_| !job.cancel.is_cancelled());
    let mut batch = Batch::open(List::read(lines, &settings), settings, true, None)?;
    let total = batch.list().entries().len() as u64;
    let mut done = 0;
    for entry in batch.list().entries() {
        if let Err(error) = &entry.input {
            done += 1;
            job.events.send(&BatchEvent::Failure(json::NotSolved::unreadable(&entry.text, Some(entry.line), error)));
        }
    }
    let unreadable = done;
    let workers = Workers {
        table: job.table(&server.tables, settings.metric)?,
        threads: server.tables.threads,
        jobs: server.tables.threads,
        timeout: None,
    };
    let start = Instant::now();
    let progress = |done: u64| {
        let rate = (done > unreadable).then(|| (done - unreadable) as f64 / start.elapsed().as_secs_f64());
        BatchEvent::Progress { done, total, rate, seconds_left: rate.map(|rate| (total - done) as f64 / rate) }
    };
    job.events.send(&progress(done));
    workers.run(&mut batch, &job.cancel, &mut |_, answer| -> Result<(), BatchError> {
        done += 1;
        job.events.send(&BatchEvent::Answer(Box::new(answer)));
        if job.throttle.is_due() {
            job.events.send(&progress(done));
        }
        Ok(())
    })?;
    job.events.send(&BatchEvent::End { done, total, stopped: done < total });
    Ok(())
}
