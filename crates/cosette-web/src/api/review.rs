//! `POST /review`: the proven distance to solved after each move of a solution.

use super::SEARCH_EVENTS;
use super::fmc::parse_scramble;
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
use cosette::{Control, Solver};
use cosette_fmc::review::{Review, ReviewEvent, ReviewRequest, ReviewUpdate};
use std::sync::Arc;

/// Review a solution
///
/// Proves the distance to solved after each move of a solution, from its end to the scramble. It
/// can be stopped like `/solve`; the positions without a proof then have bounds. With `Accept:
/// application/json` the response is only the result.
#[utoipa::path(
    post, path = "/review", operation_id = "reviewSolution", tag = "Solving",
    request_body = ReviewRequest,
    responses(
        (
            status = 200,
            description = SEARCH_EVENTS,
            content((ReviewUpdate = "text/event-stream"), (Review = "application/json")),
        ),
        (status = 404, description = "the table no longer exists", body = ApiError),
    ),
)]
pub async fn review(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<Object<ReviewRequest>>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(Object(request)) = request?;
    let format = ResponseFormat::of_result(&headers)?;
    let parse = move || {
        let scramble = parse_scramble(&request.position)?;
        // Faults of the solution are reported before the search waits in the queue.
        request.attempt(scramble)?;
        Ok::<_, ApiError>((request, scramble))
    };
    let (request, scramble) = server.run_blocking(parse).await??;
    let ticket = server.queue.join(SearchKind::Review, &request.position)?;
    let search = move |job: &JobContext| {
        let table = server.tables.for_job(request.metric, job)?;
        let solver = Solver::new(table, server.tables.threads);
        let on_event = |event: ReviewEvent<'_>| {
            if let ReviewEvent::Position(progress) = event {
                job.events.offer(&ReviewUpdate::Progress(progress));
            }
        };
        let cancel = job.cancel.limited(request.timeout);
        let control = Control::new(server.tables.threads).with_cancel(&cancel);
        let attempt = request.attempt(scramble)?;
        Ok(cosette_fmc::review::review(
            &attempt, &solver, &on_event, &control,
        ))
    };
    jobs::run_and_respond(ticket, format, search, |review| {
        ReviewUpdate::Answer(Box::new(review))
    })
    .await
}
