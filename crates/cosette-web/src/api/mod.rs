//! The HTTP API under `/api/v1`.

mod document;
mod fmc;
mod position;
mod review;
mod solve;
mod tables;

use crate::access::DOCUMENT;
use crate::api_error::ApiError;
use crate::body;
use crate::server::{self, Server};
use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::from_fn;
use axum::routing::get;
use serde_json::Value;
use std::sync::Arc;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum size of the body of a request other than a batch, in bytes.
const BODY_LIMIT: usize = 64 << 10;

/// Maximum size of a batch, in bytes: a few hundred thousand positions.
const BATCH_LIMIT: usize = 8 << 20;

/// The response to a search.
const SEARCH_EVENTS: &str = "a stream of events that ends with `answer` or `refused`; with \
    `application/json`, only the result";

/// Returns the router of the routes under `/api/v1`.
pub fn router(server: Arc<Server>) -> Router {
    let (router, document) = routes_and_document();
    let document = Bytes::from(document.to_string());
    let no_store = SetResponseHeaderLayer::if_not_present(
        header::CACHE_CONTROL,
        HeaderValue::from_static("no-store"),
    );
    router
        .route(
            DOCUMENT,
            get(move || async move { ([(header::CONTENT_TYPE, "application/json")], document) }),
        )
        .fallback(async || {
            ApiError::not_found("unknown path", "see /api/v1/openapi.json for the paths")
        })
        .method_not_allowed_fallback(async || {
            let help = "see /api/v1/openapi.json for the methods";
            ApiError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "this path does not support this method",
                help,
            )
        })
        .with_state(server)
        .layer(from_fn(body::read_rest))
        .layer(no_store)
}

/// Returns the handlers, and the document that describes them.
fn routes_and_document() -> (Router<Arc<Server>>, Value) {
    let batch = OpenApiRouter::new()
        .routes(routes!(solve::batch))
        .layer(DefaultBodyLimit::max(BATCH_LIMIT));
    let (router, document) = OpenApiRouter::new()
        .routes(routes!(solve::solve))
        .routes(routes!(solve::list))
        .routes(routes!(solve::search, solve::stop))
        .routes(routes!(fmc::fmc))
        .routes(routes!(fmc::insertions))
        .routes(routes!(review::review))
        .routes(routes!(position::check))
        .routes(routes!(position::random))
        .routes(routes!(position::scrambles))
        .routes(routes!(tables::list))
        .routes(routes!(tables::table, tables::generate, tables::remove))
        .routes(routes!(tables::stop))
        .routes(routes!(server::health))
        .routes(routes!(server::sharing))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .merge(batch)
        .split_for_parts();
    (router, document::complete(document))
}
