//! Fewest moves: skeletons of a scramble, step by step, and the best places for what finishes one.

use super::posed::{FewestRequest, InsertionsRequest, Posed};
use crate::api_error::ApiError;
use crate::jobs::{self, BeforeSearch, JobContext};
use crate::server::Server;
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use cosette::cube::{Cube, Metric, ReadOptions, read_position};
use cosette::{Control, Solver};
use cosette_app::fewest::insert::{Inserted, shortest};
use cosette_app::fewest::request::Refused;
use cosette_app::fewest::skeleton::Skeleton;
use cosette_app::fewest::write::{Answer, Event, WrittenSkeleton};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The events of a search for skeletons: its place in the queue, each skeleton that is shorter than all before, and last the answer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "the OpenAPI document describes the stream by it; events are made one by one")]
pub enum FewestEvent {
    /// Before the search.
    Before(BeforeSearch),
    /// The search.
    Search(Event),
}

/// The events of a search for insertions.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "the OpenAPI document describes the stream by it; events are made one by one")]
pub enum InsertionsEvent {
    /// Before the search.
    Before(BeforeSearch),
    /// The end.
    Last(LastInsertionsEvent),
}

/// The last event of a search for insertions.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum LastInsertionsEvent {
    /// The answer.
    Answer(Inserted),
}

/// Find skeletons of fewest moves
///
/// Steps on the scramble and on its inverse, eo > dr > htr > finish, from what has been done. With one step and `count=all`, all ways to it
/// of at most `max=` moves; without `max=` until the time is over.
/// The search is stopped as that of a shortest solution is. With `Accept: application/json` the response is the answer alone.
#[utoipa::path(
    post, path = "/fewest", request_body = FewestRequest,
    responses(
        (status = 200, description = "events, the last of them `answer` or `refused`; or the answer alone", content((FewestEvent = "text/event-stream"), (FewestEvent = "application/x-ndjson"), (Answer = "application/json"))),
        (status = 400, description = "the body is not JSON", body = ApiError),
        (status = 409, description = "stopped before the search began", body = ApiError),
        (status = 415, description = "the content type is not `application/json`", body = ApiError),
        (status = 422, description = "the position or the request is invalid", body = ApiError),
        (status = 429, description = "the queue is full", body = ApiError),
        (status = 503, description = "the server is shutting down", body = ApiError),
    ),
)]
pub async fn fewest(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<FewestRequest>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(Posed { position: text, request }) = request?;
    let (text, scramble, asked) = read(&server, text, move |_| request.read()).await?;
    let ticket = server.queue.join()?;
    let answer = move |job: &JobContext| {
        let on_better = |skeleton: &Skeleton| job.events.send(&Event::Skeleton(WrittenSkeleton::from(skeleton)));
        let control = Control::new(server.tables.threads).with_cancel(&job.cancel);
        Ok(asked.search(scramble, &server.steps, &on_better, &control)?.answer((&text, None)))
    };
    jobs::answered(ticket, &headers, answer, |answer| Event::Answer(Box::new(answer))).await
}

/// Find the best insertions
///
/// For a skeleton that leaves three corners, three edges or two swaps: all shortest sequences that finish it, at all places, by the length of the
/// solution. Longer sequences, of which more may be saved, are not tried. If it is stopped, there is no answer.
#[utoipa::path(
    post, path = "/insertions", request_body = InsertionsRequest,
    responses(
        (status = 200, description = "events, the last of them `answer` or `refused`; or the answer alone", content((InsertionsEvent = "text/event-stream"), (InsertionsEvent = "application/x-ndjson"), (Inserted = "application/json"))),
        (status = 400, description = "the body is not JSON", body = ApiError),
        (status = 404, description = "the table does not exist any more", body = ApiError),
        (status = 409, description = "stopped before the search ended, or its table is being generated", body = ApiError),
        (status = 415, description = "the content type is not `application/json`", body = ApiError),
        (status = 422, description = "the position or the request is invalid", body = ApiError),
        (status = 429, description = "the queue is full", body = ApiError),
        (status = 503, description = "the server is shutting down", body = ApiError),
    ),
)]
pub async fn insertions(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<InsertionsRequest>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(Posed { position: text, request }) = request?;
    let of_scramble = move |scramble: &Cube| request.read(scramble).map(|skeleton| (request, skeleton));
    let (text, _, (request, skeleton)) = read(&server, text, of_scramble).await?;
    let ticket = server.queue.join()?;
    let answer = move |job: &JobContext| {
        let solver = Solver::new(server.tables.for_job(Metric::Htm, job)?, server.tables.threads);
        let found = skeleton.insertions(|position| shortest(&solver, position, &job.cancel));
        let stopped = || ApiError::conflict("stopped before all places were tried", "ask again");
        Ok(request.answer((&text, None), &skeleton, &found.ok_or_else(stopped)?))
    };
    jobs::answered(ticket, &headers, answer, LastInsertionsEvent::Answer).await
}

/// Reads a scramble, and then what is asked of it.
async fn read<T: Send + 'static>(
    server: &Server,
    text: String,
    asked: impl FnOnce(&Cube) -> Result<T, Refused> + Send + 'static,
) -> Result<(String, Cube, T), ApiError> {
    let read = move || {
        let scramble = read_position(&text, None, &ReadOptions::default())?.cube;
        let asked = asked(&scramble)?;
        Ok::<_, ApiError>((text, scramble, asked))
    };
    server.unhurried(read).await?
}
