//! `POST /fmc` and `POST /fmc/insertions`: fewest-moves skeletons of a scramble, and the best
//! insertions of a skeleton.

use super::SEARCH_EVENTS;
use crate::accept::ResponseFormat;
use crate::api_error::ApiError;
use crate::body::Object;
use crate::jobs::{self, JobContext, SearchKind};
use crate::server::Server;
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::HeaderMap;
use axum::response::Response;
use cosette::cube::{Cube, Metric, ParseOptions, parse_position};
use cosette::{Control, Solver};
use cosette_fmc::insertions::{InsertionsResult, shortest_solutions};
use cosette_fmc::report::{FmcResult, Skeleton, SkeletonEvent, SkeletonJson};
use cosette_fmc::request::{FmcRequest, InsertionsRequest};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// An event of a search for insertions.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum InsertionsEvent {
    /// The result.
    Answer(InsertionsResult),
}

/// Find fewest-moves skeletons
///
/// The search applies the steps eo > dr > htr > finish to the scramble and its inverse (NISS),
/// after the moves in `from`. With one step and `count=all`, it finds all step solutions of at most
/// `max=` moves; without `max=`, it runs until the time limit. It can be stopped like `/solve`.
/// With `Accept: application/json` the response is only the result.
#[utoipa::path(
    post, path = "/fmc", operation_id = "findSkeletons", tag = "Fewest moves",
    request_body = FmcRequest,
    responses(
        (
            status = 200,
            description = SEARCH_EVENTS,
            content((SkeletonEvent = "text/event-stream"), (FmcResult = "application/json")),
        ),
    ),
)]
pub async fn fmc(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<Object<FmcRequest>>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(Object(request)) = request?;
    let format = ResponseFormat::of_result(&headers)?;
    let parse = move || {
        let scramble = parse_scramble(&request.position)?;
        let parsed = request.parse()?;
        Ok::<_, ApiError>((request.position, scramble, parsed))
    };
    let (text, scramble, request) = server.run_blocking(parse).await??;
    let ticket = server.queue.join(SearchKind::Fmc, &text)?;
    let search = move |job: &JobContext| {
        let on_better = |skeleton: &Skeleton| {
            let skeleton = SkeletonJson::from(skeleton);
            job.events.send(&SkeletonEvent::Skeleton(skeleton))
        };
        let control = Control::new(server.tables.threads).with_cancel(&job.cancel);
        let report = request.search(scramble, &server.step_solvers, &on_better, &control)?;
        Ok(report.result(&text, None))
    };
    jobs::run_and_respond(ticket, format, search, |result| {
        SkeletonEvent::Answer(Box::new(result))
    })
    .await
}

/// Find the best insertions
///
/// The skeleton leaves a 3-cycle of corners or edges, or two swaps. All shortest sequences that
/// finish it are tried at every point, and the insertions are sorted by the length of the solution.
/// Longer sequences, which may cancel more moves, are not tried. A stopped search has no result.
#[utoipa::path(
    post, path = "/fmc/insertions", operation_id = "findInsertions", tag = "Fewest moves",
    request_body = InsertionsRequest,
    responses(
        (
            status = 200,
            description = SEARCH_EVENTS,
            content(
                (InsertionsEvent = "text/event-stream"),
                (InsertionsResult = "application/json"),
            ),
        ),
        (status = 404, description = "the table no longer exists", body = ApiError),
    ),
)]
pub async fn insertions(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<Object<InsertionsRequest>>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(Object(request)) = request?;
    let format = ResponseFormat::of_result(&headers)?;
    let parse = move || {
        let skeleton = request.parse(&parse_scramble(&request.position)?)?;
        Ok::<_, ApiError>((request, skeleton))
    };
    let (request, skeleton) = server.run_blocking(parse).await??;
    let ticket = server
        .queue
        .join(SearchKind::Insertions, &request.position)?;
    let search = move |job: &JobContext| {
        let table = server.tables.for_job(Metric::Htm, job)?;
        let solver = Solver::new(table, server.tables.threads);
        let insertions =
            skeleton.insertions(|position| shortest_solutions(&solver, position, &job.cancel));
        let stopped = || {
            ApiError::conflict(
                "stopped before all insertion points were tried",
                "send the request again",
            )
        };
        Ok(request.result(&skeleton, &insertions.ok_or_else(stopped)?))
    };
    jobs::run_and_respond(ticket, format, search, InsertionsEvent::Answer).await
}

/// Parses a scramble in any format.
pub(super) fn parse_scramble(text: &str) -> Result<Cube, ApiError> {
    let parsed = parse_position(text, None, &ParseOptions::default());
    let input = parsed.map_err(|error| ApiError::of_text(text, &error))?;
    Ok(input.cube)
}
