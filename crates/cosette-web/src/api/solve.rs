//! `POST /solve`: one position, as a JSON request; the response is a stream of events that ends
//! with the result. The fields of the request are also the query parameters for many positions.

use crate::api_error::ApiError;
use crate::jobs::{self, JobContext, QueueEvent};
use crate::server::Server;
use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use cosette::cube::{Input, shortened};
use cosette::{Control, Solver};
use cosette_app::batch::BatchError;
use cosette_app::bidirectional::ShortSolutions;
use cosette_app::engine;
use cosette_app::engine::Engine;
use cosette_app::events::SearchEvent;
use cosette_app::name::NamedPosition;
use cosette_app::request::{GoalRequest, Request};
use cosette_app::solve_result::{ParsedPosition, SolveResult};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The events of a search: its place in the queue, the progress of loading its table, its solutions
/// and bounds, and finally the result.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(
    dead_code,
    reason = "the OpenAPI document describes the stream by it; events are made one by one"
)]
pub enum SolveEvent {
    /// An event before the search.
    Before(QueueEvent),
    /// An event of the search.
    Search(SearchEvent),
}

/// Find a shortest solution of a position and prove it optimal
///
/// The first event has the id with which the search can be stopped. The search also stops when the
/// client disconnects. The result of a stopped search has the bounds proven until then. With
/// `Accept: application/json` the response is only the result, and an error has its own status.
#[utoipa::path(
    post, path = "/solve", request_body = Request,
    responses(
        (
            status = 200,
            description = "a stream of events that ends with `answer` or `refused`; with \
                `application/json`, only the result",
            content(
                (SolveEvent = "text/event-stream"),
                (SolveEvent = "application/x-ndjson"),
                (SolveResult = "application/json"),
            ),
        ),
        (status = 404, description = "the table no longer exists", body = ApiError),
        (
            status = 409,
            description = "stopped before the search began, or its table is being generated",
            body = ApiError,
        ),
        (status = 422, description = "the position or the request is invalid", body = ApiError),
    ),
)]
pub async fn solve(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<Request>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(mut request) = request?;
    let text = request.position.take().ok_or_else(missing_position)?;
    request.validate()?;
    let (request, read) = server
        .unhurried(move || {
            let read = NamedPosition::read(&text, |text| request.parse_position(text));
            (request, read)
        })
        .await?;
    let (NamedPosition { name, text }, input) = read?;
    let job = SolveJob {
        name,
        text,
        request,
        input,
    };
    let ticket = server.queue.join()?;
    let answer = move |context: &JobContext| job.answer(&server, context);
    jobs::answered(ticket, &headers, answer, |answer| {
        SearchEvent::Answer(Box::new(answer))
    })
    .await
}

fn missing_position() -> ApiError {
    ApiError::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "missing field `position`",
        "send a JSON object as described in /api/v1/openapi.json",
    )
}

/// Maximum length of an id quoted in an error, in characters.
const MAX_ID_LENGTH: usize = 60;

/// A position to solve.
struct SolveJob {
    name: Option<String>,
    text: String,
    request: Request,
    input: Input,
}

impl SolveJob {
    /// Searches the position, and returns the result. The result always describes the position; the
    /// request only decides whether all its solutions are found.
    fn answer(&self, server: &Server, job: &JobContext) -> Result<SolveResult, ApiError> {
        match self.request.parse_goal()? {
            Some(goal) => self.solve_goal(&goal, server, job),
            None => self.solve_cube(server, job),
        }
    }

    fn solve_goal(
        &self,
        goal: &GoalRequest,
        server: &Server,
        job: &JobContext,
    ) -> Result<SolveResult, ApiError> {
        self.send_start(job);
        let control = Control::new(server.tables.threads).with_cancel(&job.cancel);
        let solved = server.goals.solve(
            &self.request,
            goal,
            &self.position(),
            &|event| self.send_event(&event, job),
            &control,
        );
        Ok(solved.map_err(BatchError::from)?)
    }

    /// Searches the whole cube, and always explains the position.
    fn solve_cube(&self, server: &Server, job: &JobContext) -> Result<SolveResult, ApiError> {
        let request = &self.request;
        let metric = request.face_metric();
        // Until its table is loaded, a position near solved is solved without one. With a maximum
        // length, a longer solution must not be reported.
        let is_without_table = request.max_length.is_none() && server.tables.is_awaited(metric);
        let short = is_without_table.then(|| ShortSolutions::find(&self.input.cube, metric));
        let engine: Box<dyn Engine> = match short.flatten() {
            Some(short) => Box::new(short),
            None => {
                let table = server.tables.for_job(metric, job)?;
                Box::new(Solver::new(table, server.tables.threads))
            }
        };
        self.send_start(job);
        let explained = Request {
            explain: true,
            ..request.clone()
        };
        let control = Control::new(server.tables.threads).with_cancel(&job.cancel);
        let solved = engine::solve(
            &*engine,
            &explained,
            request.options(),
            &self.position(),
            &|event| self.send_event(&SearchEvent::new(event, metric), job),
            &control,
        );
        Ok(solved.map_err(BatchError::from)?)
    }

    fn position(&self) -> ParsedPosition<'_> {
        ParsedPosition {
            name: self.name.as_deref(),
            ..ParsedPosition::unnamed(&self.text, &self.input)
        }
    }

    fn send_start(&self, job: &JobContext) {
        let cube = self.request.absolute(&self.input.cube);
        job.events
            .send(&SearchEvent::started(&self.position(), &cube));
    }

    fn send_event(&self, event: &SearchEvent, job: &JobContext) {
        match event {
            SearchEvent::Progress { .. } if !job.throttle.is_due() => {}
            SearchEvent::Progress { .. } | SearchEvent::Building { .. } => job.events.offer(event),
            _ => job.events.send(event),
        }
    }
}

/// Stop a search or a batch
#[utoipa::path(
    delete, path = "/solves/{id}",
    params(("id" = u64, Path, description = "the id in the first event of the search")),
    responses(
        (
            status = 204,
            description = "stopping; its stream ends with the results found before the stop (for \
                insertions, without a result)",
        ),
        (status = 404, description = "there is no search with this id", body = ApiError),
    ),
)]
pub async fn stop(
    State(server): State<Arc<Server>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let Path(text) = id?;
    let id = text.parse().map_err(|_| {
        let error = format!(
            "`{}` is not the id of a search",
            shortened(&text, MAX_ID_LENGTH)
        );
        ApiError::new(
            StatusCode::BAD_REQUEST,
            error,
            "use the number in the first event of the search",
        )
    })?;
    if server.queue.stop(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found(
            format!("no search has the id {id}"),
            "it may have ended",
        ))
    }
}
