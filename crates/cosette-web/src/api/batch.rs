//! `POST /batch`: many positions, with one result per line, in the order in which they are solved.

use crate::api_error::ApiError;
use crate::jobs::{self, JobContext, QueueEvent};
use crate::server::Server;
use axum::extract::rejection::{QueryRejection, StringRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use cosette::{Control, Solver};
use cosette_app::batch::{Batch, BatchError, Lines, PositionList, Workers, run_goal};
use cosette_app::events::SolveFailure;
use cosette_app::remedies::split_help;
use cosette_app::request::Request;
use cosette_app::solve_result::SolveResult;
use serde::Serialize;
use std::sync::Arc;
use std::time::Instant;
use utoipa::ToSchema;

/// The events of a batch: its place in the queue, the progress of loading its table, then a result
/// for each line.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(
    dead_code,
    reason = "the OpenAPI document describes the stream by it; events are made one by one"
)]
pub enum BatchEvents {
    /// An event before the search.
    Before(QueueEvent),
    /// An event of the search.
    Batch(BatchEvent),
}

/// An event of a batch that is being solved.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum BatchEvent {
    /// The result of a line, within the limits of the request.
    Answer(Box<SolveResult>),
    /// A line is not a valid position.
    Failure(SolveFailure),
    /// The progress of the batch.
    Progress {
        /// The number of lines with a result.
        done: u64,
        /// The number of lines, without comments and blank lines.
        total: u64,
        /// Positions solved per second.
        rate: Option<f64>,
        /// The estimated remaining time in seconds.
        seconds_left: Option<f64>,
    },
    /// The last event.
    End {
        /// The number of lines with a result.
        done: u64,
        /// The number of lines, without comments and blank lines.
        total: u64,
        /// `true` if the batch was stopped before every line had a result.
        stopped: bool,
    },
}

impl BatchEvent {
    /// Returns the progress of a batch that solves since `start`, if it has begun.
    fn progress((done, total): (u64, u64), solved: u64, start: Option<Instant>) -> BatchEvent {
        let rate = start
            .filter(|_| solved > 0)
            .map(|start| solved as f64 / start.elapsed().as_secs_f64());
        BatchEvent::Progress {
            done,
            total,
            rate,
            seconds_left: rate.map(|rate| (total - done) as f64 / rate),
        }
    }
}

/// Find and prove a shortest solution for each line
///
/// Blank lines, and lines that begin with `#` or `//`, are skipped. A line may have a name before
/// its position, e.g. `T-perm: R U R' …`; tables with a header line, and JSON objects, are accepted
/// as well. Results arrive in the order in which they are found, each with its line number. A line
/// that is not a valid position produces a `failure`, and the others are still solved. Among 5,000
/// lines at a time, positions that are equivalent under symmetry and inversion are solved once.
#[utoipa::path(
    post, path = "/batch", params(Request), request_body(content = String, content_type = "text/plain", description = "one position per line, in any format"),
    responses(
        (
            status = 200,
            description = "a stream of events that ends with `end` or `refused`",
            content((BatchEvents = "text/event-stream"), (BatchEvents = "application/x-ndjson")),
        ),
        (
            status = 400,
            description = "the body is not UTF-8, or a parameter is invalid",
            body = ApiError,
        ),
        (
            status = 406,
            description = "the request accepts only `application/json`",
            body = ApiError,
        ),
        (
            status = 415,
            description = "the body is JSON or form data, not lines of text",
            body = ApiError,
        ),
        (
            status = 422,
            description = "the body has no positions or a line that is too long, or the options \
                conflict",
            body = ApiError,
        ),
    ),
)]
pub async fn batch(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Query<Request>, QueryRejection>,
    text: Result<String, StringRejection>,
) -> Result<Response, ApiError> {
    let Query(request) = request?;
    let text = text?;
    if request.position.is_some() {
        return Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "unknown field `position`",
            "see /api/v1/openapi.json for the parameters",
        ));
    }
    request.validate()?;
    if jobs::is_stream_refused(&headers) {
        let help = "accept application/x-ndjson, one JSON object per line, or text/event-stream";
        return Err(ApiError::new(
            StatusCode::NOT_ACCEPTABLE,
            "the results of a batch are a stream, not a single JSON value",
            help,
        ));
    }
    // `curl -d @FILE` removes the line breaks, so that many scrambles would be one; `-F` adds lines
    // of its own.
    let is_one_line = is_kind(&headers, "x-www-form-urlencoded") && !text.contains('\n');
    if is_one_line || is_kind(&headers, "multipart/form-data") {
        let help = "with `curl`, use -H 'content-type: text/plain' --data-binary @FILE, because \
            -d removes line breaks and -F adds lines";
        let error = format!(
            "the body is a form{}, not lines of text",
            if is_one_line { " of one line" } else { "" }
        );
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            error,
            help,
        ));
    }
    if is_json(&headers, &text) {
        let help = "send one position per line as text/plain, and the options as query parameters";
        return Err(ApiError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body is JSON, not lines of text",
            help,
        ));
    }
    let (text, total) = server
        .unhurried(move || {
            let total =
                Lines::new(text.as_bytes()).try_fold(0, |total: u64, line| line.map(|_| total + 1));
            total.map(|total| (text, total))
        })
        .await?
        .map_err(|error| {
            let (wrong, help) = split_help(&error.to_string());
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, wrong, help)
        })?;
    if total == 0 {
        let error = "the body has no positions";
        return Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            error,
            "send one position per line",
        ));
    }
    let ticket = server.queue.join()?;
    let (events, response) = jobs::response(&headers, &ticket.stop.cancel);
    tokio::spawn(jobs::run(ticket, events, move |job| {
        solve((&text, total), request, &server, job)
    }));
    Ok(response)
}

/// Returns `true` if a body is declared as JSON, or begins like JSON without being declared as
/// text: the request fields in it would be ignored. A declared text may be JSON, because lists are
/// stored that way.
fn is_json(headers: &HeaderMap, text: &str) -> bool {
    let start: String = text
        .chars()
        .filter(|symbol| !symbol.is_whitespace())
        .take(2)
        .collect();
    let begins_json = start.starts_with('{') && !text.starts_with("{\"session")
        || start == "[\""
        || start == "[{";
    is_kind(headers, "json") || begins_json && !is_kind(headers, "text/plain")
}

fn is_kind(headers: &HeaderMap, kind: &str) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains(kind))
}

/// Number of lines that are read before they are solved. All their positions and results are in
/// memory at once.
const PORTION: usize = 5_000;

/// Solves the `total` lines of a text, one portion after another.
fn solve(
    (text, total): (&str, u64),
    request: Request,
    server: &Server,
    job: &JobContext,
) -> Result<(), ApiError> {
    let is_cancelled = || job.cancel.is_cancelled();
    let mut lines = Lines::new(text.as_bytes()).map_while(Result::ok).peekable();
    let mut done = 0;
    let mut unreadable = 0;
    let mut start = None;
    let progress =
        |done: u64, solved: u64, start| BatchEvent::progress((done, total), solved, start);
    while lines.peek().is_some() && !is_cancelled() {
        let portion = lines.by_ref().take(PORTION).take_while(|_| !is_cancelled());
        let mut batch = Batch::open(
            PositionList::read(portion, &request),
            request.clone(),
            true,
            None,
        )?;
        for entry in batch.list().entries() {
            if let Err(error) = &entry.input {
                done += 1;
                unreadable += 1;
                let failure = SolveFailure::unreadable(
                    &entry.text,
                    entry.name.as_deref(),
                    Some(entry.line),
                    error,
                );
                job.events.send(&BatchEvent::Failure(failure));
            }
        }
        let table = match batch.has_goal() {
            true => None,
            false => Some(server.tables.for_job(request.face_metric(), job)?),
        };
        start.get_or_insert_with(Instant::now);
        job.events.offer(&progress(done, done - unreadable, start));
        let mut on_answer = |_, answer| -> Result<(), BatchError> {
            done += 1;
            job.events.send(&BatchEvent::Answer(Box::new(answer)));
            if job.throttle.is_due() {
                job.events.offer(&progress(done, done - unreadable, start));
            }
            Ok(())
        };
        let jobs = server.tables.threads;
        if let Some(table) = table {
            let solver = Solver::new(table, jobs);
            Workers { solver, jobs }.run(&mut batch, &job.cancel, &mut on_answer)?;
        } else {
            let control = Control::new(jobs).with_cancel(&job.cancel);
            run_goal(&mut batch, &server.goals, &control, &mut on_answer)?;
        }
    }
    job.events.send(&BatchEvent::End {
        done,
        total,
        stopped: done < total,
    });
    Ok(())
}
