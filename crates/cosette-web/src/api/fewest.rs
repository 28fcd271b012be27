//! Fewest moves: skeletons of a scramble, step by step, and the best places for what finishes one.

use super::asked::{Asked, FewestRequest, InsertionsRequest};
use crate::api_error::ApiError;
use crate::jobs::{self, BeforeSearch, JobContext};
use crate::server::Server;
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use cosette::cube::{Cube, Input, Metric, ReadError, ReadOptions, read_position};
use cosette::{Control, Solver};
use cosette_app::fewest::insert::{Inserted, shortest};

use cosette_app::fewest::skeleton::Skeleton;
use cosette_app::fewest::write::{Answer, Event, Written};
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
pub enum InsertEvent {
    /// Before the search.
    Before(BeforeSearch),
    /// The end.
    Last(LastInsertEvent),
}

/// The last event of a search for insertions.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum LastInsertEvent {
    /// The answer.
    Answer(Inserted),
}

/// Find skeletons of fewest moves
///
/// Steps on the scramble and on its inverse, eo > dr > htr > finish, from what has been done. With one step and `count=all`, all ways to it.
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
    let Json(Asked { position: text, request }) = request?;
    let asked = request.read()?;
    let (text, Input { cube: scramble, .. }) = read(&server, text).await?;
    let ticket = server.queue.join()?;
    let answer = move |job: &JobContext| {
        let on_better = |skeleton: &Skeleton| job.events.send(&Event::Skeleton(Written::from(skeleton)));
        let control = Control::new(server.tables.threads).with_cancel(&job.cancel);
        Ok(asked.search(scramble, &server.steps, &on_better, &control)?.answer((&text, None)))
    };
    jobs::answered(ticket, &headers, answer, |answer| Event::Answer(Box::new(answer))).await
}

/// Find the best insertions
///
/// For a skeleton that leaves three corners, three edges or two swaps: all shortest sequences that finish it, at all places.
#[utoipa::path(
    post, path = "/insertions", request_body = InsertionsRequest,
    responses(
        (status = 200, description = "events, the last of them `answer` or `refused`; or the answer alone", content((InsertEvent = "text/event-stream"), (InsertEvent = "application/x-ndjson"), (Inserted = "application/json"))),
        (status = 400, description = "the body is not JSON", body = ApiError),
        (status = 404, description = "the table does not exist any more", body = ApiError),
        (status = 409, description = "stopped before the search ended, or its table is being generated", body = ApiError),
        (status = 415, description = "the content type is not `application/json`", body = ApiError),
        (status = 422, description = "the position or the request is invalid", body = ApiError),
        (status = 429, description = "the queue is full", body = ApiError),
        (status = 503, description = "the server is shutting down", body = ApiError),
        (status = 507, description = "there is not enough free disk space for the table", body = ApiError),
    ),
)]
pub async fn insertions(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<InsertionsRequest>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(Asked { position: text, request }) = request?;
    let (text, input) = read(&server, text).await?;
    let ticket = server.queue.join()?;
    let answer = move |job: &JobContext| {
        // What is wrong with the skeleton is said before a table is loaded.
        request.left(&input.cube)?;
        let solver = Solver::new(server.tables.for_job(Metric::Htm, job)?, server.tables.threads);
        let shortest = |position: &Cube| shortest(&solver, position, &job.cancel);
        request.answer((&text, None), &input.cube, shortest)?.ok_or_else(jobs::stopped_early)
    };
    jobs::answered(ticket, &headers, answer, LastInsertEvent::Answer).await
}

/// Reads a scramble.
async fn read(server: &Server, text: String) -> Result<(String, Input), ApiError> {
    let (text, input): (_, Result<Input, ReadError>) = server
        .unhurried(move || {
            let input = read_position(&text, None, &ReadOptions::default());
            (text, input)
        })
        .await?;
    Ok((text, input?))
}
