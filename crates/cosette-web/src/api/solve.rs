//! One position: a JSON request in, events out, the answer last.

use super::names::{FormatName, MetricName};
use super::request::{self, Body, Field, Fields};
use crate::api_error::ApiError;
use crate::job::{self, BeforeSearch, JobContext};
use crate::server::Server;
use crate::stream;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use cosette::cube::{Input, ReadOptions, read_position, shortened};
use cosette::search::{Event, Options, SolutionCount, TwoPhaseUse};
use cosette::{Metric, Solver};
use cosette_app::answer::{Answer, SolvedBy, known_solution};
use cosette_app::json;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// What to solve and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// The position: moves, 54 facelets, Reid's twenty pieces or Speffz cycles. It may also be named `text`.
    #[serde(alias = "text")]
    #[schema(example = "R U2 F'", min_length = 1)]
    position: String,
    /// The format of the position; detected if omitted.
    format: Option<FormatName>,
    /// Whether moves in parentheses apply to the inverse (NISS notation).
    #[serde(default)]
    niss: bool,
    /// What counts as one move.
    #[serde(default)]
    metric: MetricName,
    /// How many of the shortest solutions to find.
    #[serde(default)]
    count: Count,
    /// Give up when every length up to this one is ruled out.
    #[schema(maximum = 255)]
    max_length: Option<u8>,
    /// Give up after this many seconds of searching.
    #[schema(minimum = 0)]
    timeout: Option<f64>,
    /// Find all shortest solutions and return one that is shortest in this metric too.
    prefer: Option<MetricName>,
    /// Whether the answer says what is special about the position.
    #[serde(default)]
    explain: bool,
}

impl Fields for SolveRequest {
    const FIELDS: &'static [Field] = &[
        request::POSITION,
        request::TEXT,
        request::FORMAT,
        request::NISS,
        request::METRIC,
        request::COUNT,
        request::MAX_LENGTH,
        request::TIMEOUT,
        request::PREFER,
        request::EXPLAIN,
    ];
}

/// How many of the shortest solutions to find: a number, or `"all"`.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
enum Count {
    /// At most this many.
    AtMost(Number),
    /// All of them.
    All(All),
}

/// A number, one or more.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[schema(value_type = usize, minimum = 1)]
struct Number(NonZeroUsize);

/// The word `all`.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum All {
    /// All of them.
    All,
}

impl Default for Count {
    fn default() -> Count {
        Count::AtMost(Number(NonZeroUsize::MIN))
    }
}

/// The events of a search: its place in the queue, the progress of loading its table, what is found and ruled out, and last the
/// answer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "the OpenAPI document describes the stream by it; events are made one by one")]
pub enum SolveEvent {
    /// Before the search.
    Before(BeforeSearch),
    /// The search.
    Search(json::Event),
}

/// Prove the shortest solution of a position
///
/// The first event has the id with which the search can be stopped. It also stops when the client disconnects. The answer of
/// a stopped search says what was proven before. With `Accept: application/json` the response is the answer alone, and an
/// error has a status of its own.
#[utoipa::path(
    post, path = "/solve", request_body = SolveRequest,
    responses(
        (status = 200, description = "events, the last of them `answer` or `refused`; or the answer alone", content((SolveEvent = "text/event-stream"), (SolveEvent = "application/x-ndjson"), (json::Solve = "application/json"))),
        (status = 400, description = "the body is not JSON", body = ApiError),
        (status = 404, description = "the table does not exist any more", body = ApiError),
        (status = 409, description = "stopped before the search began, or its table is being generated", body = ApiError),
        (status = 415, description = "the content type is not `application/json`", body = ApiError),
        (status = 422, description = "the position or the request is invalid", body = ApiError),
        (status = 429, description = "the queue is full", body = ApiError),
        (status = 503, description = "the server is shutting down", body = ApiError),
        (status = 507, description = "there is not enough free disk space for the table", body = ApiError),
    ),
)]
pub async fn solve(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    Body(request): Body<SolveRequest>,
) -> Result<Response, ApiError> {
    let timeout = timeout(request.timeout)?;
    let (text, format, options) =
        (request.position, request.format.map(Into::into), ReadOptions { niss: request.niss });
    let (text, input) = server
        .unhurried(move || {
            let input = read_position(&text, format, &options);
            (text, input)
        })
        .await?;
    let input = input?;
    let ticket = server.queue.join()?;
    let job = SolveJob {
        text,
        input,
        metric: request.metric.into(),
        timeout,
        prefer: request.prefer.map(Into::into),
        explain: request.explain,
    };
    let options = Options {
        solution_count: match request.count {
            _ if request.prefer.is_some() => SolutionCount::All,
            Count::AtMost(Number(count)) => SolutionCount::AtMost(count),
            Count::All(_) => SolutionCount::All,
        },
        max_length: request.max_length,
        known: None,
        two_phase: TwoPhaseUse::AtOnce,
    };
    if stream::is_answer_wanted(&headers) {
        let (events, _until_disconnected) = stream::unread(&ticket.stop.cancel);
        let job = job::result(ticket, events, move |context| job.answer(&server, &options, context));
        let answer = tokio::spawn(job).await.unwrap_or_else(|_| Err(ApiError::internal()))?;
        return Ok(Json(answer).into_response());
    }
    let (events, response) = stream::response(&headers, &ticket.stop.cancel);
    let job = job::run(ticket, events, move |context| {
        let answer = job.answer(&server, &options, context)?;
        context.events.send(&json::Event::Answer(Box::new(answer)));
        Ok(())
    });
    tokio::spawn(job);
    Ok(response)
}

/// The timeout of a request, in seconds there.
pub fn timeout(seconds: Option<f64>) -> Result<Option<Duration>, ApiError> {
    seconds.map(Duration::try_from_secs_f64).transpose().map_err(|_| {
        let error = "the timeout is negative or too long";
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error, "write a number of seconds, as in 60 or 0.5")
    })
}

/// How much of an id an error quotes, in characters.
const LONGEST_ID: usize = 60;

/// A position to solve.
struct SolveJob {
    text: String,
    input: Input,
    metric: Metric,
    timeout: Option<Duration>,
    prefer: Option<Metric>,
    explain: bool,
}

impl SolveJob {
    fn answer(&self, server: &Server, options: &Options<'_>, job: &JobContext) -> Result<json::Solve, ApiError> {
        let table = job.table(&server.tables, self.metric)?;
        let by = SolvedBy::table(table.id());
        let solver = Solver::new(table, server.tables.threads);
        job.events.send(&json::Event::started(&self.text, None, &self.input.cube));
        let on_event = |event: Event<'_>| {
            if !matches!(event, Event::Progress { .. }) {
                job.events.send(&json::Event::new(event, self.metric));
            } else if job.throttle.is_due() {
                job.events.offer(&json::Event::new(event, self.metric));
            }
        };
        let cancel = self.timeout.map_or_else(|| job.cancel.clone(), |timeout| job.cancel.child_with_timeout(timeout));
        let known = known_solution(&self.input, self.metric);
        let options = &Options { known: known.as_deref(), ..*options };
        let report = solver.search(&self.input.cube).options(*options).cancel(&cancel).on_event(&on_event).run();
        let mut answer = Answer::new((&self.text, None, &self.input), report, options, by).map_err(|mismatch| {
            tracing::error!(%mismatch);
            ApiError::internal()
        })?;
        if self.explain {
            answer = answer.explained();
        }
        if let Some(metric) = self.prefer {
            answer = answer.preferring(metric);
        }
        Ok((&answer).into())
    }
}

/// Stop a search or a batch
#[utoipa::path(
    delete, path = "/solves/{id}",
    params(("id" = u64, Path, description = "the id in the first event of the search")),
    responses(
        (status = 204, description = "asked to stop; its stream ends with what was proven before"),
        (status = 404, description = "no search has this id", body = ApiError),
    ),
)]
pub async fn stop(
    State(server): State<Arc<Server>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let Path(text) = id?;
    let id = text.parse().map_err(|_| {
        let error = format!("`{}` is not the id of a search", shortened(&text, LONGEST_ID));
        ApiError::new(StatusCode::BAD_REQUEST, error, "give the number in the first event of the search")
    })?;
    if server.queue.stop(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found(format!("no search has the id {id}"), "it may have ended already"))
    }
}
