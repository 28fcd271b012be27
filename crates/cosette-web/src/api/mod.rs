//! The HTTP API under `/api/v1`, and the OpenAPI document, generated from the handlers.

/// Declares the type of the events of a stream: the events of the queue, then those of the work.
/// The type is only for the OpenAPI document; the server sends the events themselves.
macro_rules! stream_events {
    ($(#[$doc:meta])* $name:ident: $event:ty) => {
        $(#[$doc])*
        #[derive(serde::Serialize, utoipa::ToSchema)]
        #[serde(untagged)]
        #[allow(dead_code, reason = "only the document uses it")]
        pub enum $name {
            /// An event before the work.
            Before(crate::jobs::QueueEvent),
            /// An event of the work.
            Work($event),
        }
    };
}

mod fmc;
mod position;
mod solve;
mod tables;

use crate::access::API;
use crate::api_error::ApiError;
use crate::jobs::JSON_LINES;
use crate::server::{self, Server};

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, StatusCode, header};
use axum::routing::get;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum size of the body of a request other than a batch, in bytes.
const BODY_LIMIT: usize = 64 << 10;

/// Maximum size of a batch, in bytes: a few hundred thousand positions.
const BATCH_LIMIT: usize = 8 << 20;

const DESCRIPTION: &str = "Finds a shortest solution of any Rubik's Cube position and proves it. \
    Without --host, the server accepts requests only from its own machine. Long responses are \
    streamed as server-sent events, with one JSON object in the data of each, or as JSON Lines if \
    the request accepts application/x-ndjson. If it accepts application/json, /solve, /fmc and \
    /fmc/insertions respond with one object, and /batch responds with status 406. An error is a \
    JSON object with `error` and `help`. Bodies are limited to 64 KiB, or 8 MiB for a batch (413). \
    When the queue is full, searches are rejected with 429 and Retry-After. Requests need the \
    token in the address that the server prints, as a cookie or as `Authorization: Bearer` (401), \
    unless the server was started with --no-token. Requests from other sites, and for hosts other \
    than 127.0.0.1 and localhost with the port of the server, are rejected with 403. With --host, \
    other machines use the address of the server, but cannot generate or remove tables.";

/// The response to a search.
const SEARCH_EVENTS: &str = "a stream of events that ends with `answer` or `refused`; with \
    `application/json`, only the result";

/// The statuses with which any request may be rejected.
const REFUSALS: [(&str, &str); 4] = [
    ("400", "the request is malformed"),
    ("401", "the token is missing or wrong"),
    (
        "403",
        "the request is for another host, comes from another site, or would generate or remove \
         tables from another machine",
    ),
    ("500", "internal error of the server"),
];

/// The statuses with which a request with a body may be rejected.
const BODY_REFUSALS: [(&str, &str); 3] = [
    ("408", "the body did not arrive in time"),
    ("413", "the body is too large"),
    ("422", "the position or the request is invalid"),
];

/// The statuses with which a request in JSON may be rejected.
const JSON_REFUSALS: [(&str, &str); 2] = [
    ("400", "the body is not JSON"),
    ("415", "the content type is not `application/json`"),
];

/// The statuses with which a search may be rejected.
const SEARCH_REFUSALS: [(&str, &str); 3] = [
    (
        "409",
        "stopped before the search ended, or its table is being generated",
    ),
    ("429", "the queue is full"),
    ("503", "the server is shutting down"),
];

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
            "/openapi.json",
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
        .layer(no_store)
}

/// Returns the handlers, and the document that describes them.
fn routes_and_document() -> (Router<Arc<Server>>, Value) {
    let batch = OpenApiRouter::new()
        .routes(routes!(solve::batch))
        .layer(DefaultBodyLimit::max(BATCH_LIMIT));
    let (router, document) = OpenApiRouter::new()
        .routes(routes!(solve::solve))
        .routes(routes!(solve::stop))
        .routes(routes!(fmc::fmc))
        .routes(routes!(fmc::insertions))
        .routes(routes!(position::check))
        .routes(routes!(position::random))
        .routes(routes!(position::scrambles))
        .routes(routes!(tables::list))
        .routes(routes!(tables::generate, tables::remove))
        .routes(routes!(tables::stop))
        .routes(routes!(server::health))
        .routes(routes!(server::sharing))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .merge(batch)
        .split_for_parts();
    let mut document = serde_json::to_value(document).expect("a document of text is JSON");
    document["info"] = json!({
        "title": "Cosette",
        "version": env!("CARGO_PKG_VERSION"),
        "description": DESCRIPTION,
    });
    document["servers"] = json!([{ "url": API }]);
    document["components"]["securitySchemes"] =
        json!({ "token": { "type": "http", "scheme": "bearer" } });
    document["security"] = json!([{ "token": [] }]);
    let paths = values(&mut document["paths"]);
    paths.flat_map(values).for_each(complete);
    (router, document)
}

/// Returns the values of a JSON object; none if `value` is not an object.
fn values(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_object_mut().into_iter().flat_map(Map::values_mut)
}

/// Completes the description of an operation: adds the formats of a stream, and the common
/// statuses. If several lists describe a status, the most specific list applies.
fn complete(operation: &mut Value) {
    let has_stream = operation
        .pointer_mut("/responses/200/content")
        .is_some_and(complete_stream);
    let mut refusals = Vec::new();
    if let Some(body) = operation.pointer("/requestBody/content") {
        if body.get("application/json").is_some() {
            refusals.extend(JSON_REFUSALS);
        }
        refusals.extend(BODY_REFUSALS);
        if has_stream {
            refusals.extend(SEARCH_REFUSALS);
        }
    }
    refusals.extend(REFUSALS);
    for (status, description) in refusals {
        let response = &mut operation["responses"][status];
        if response.is_null() {
            *response = json!({
                "description": description,
                "content": {
                    "application/json": { "schema": { "$ref": "#/components/schemas/ApiError" } },
                },
            });
        }
    }
}

/// Describes the formats of a stream of events: JSON lines, and server-sent events, which in
/// OpenAPI are objects whose `data` is a text with the schema of the event. Returns `false` if the
/// content is not a stream.
fn complete_stream(content: &mut Value) -> bool {
    let Some(stream) = content.get_mut("text/event-stream") else {
        return false;
    };
    let event = stream["schema"].take();
    let data = json!({
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": event,
    });
    stream["schema"] =
        json!({ "type": "object", "required": ["data"], "properties": { "data": data } });
    content[JSON_LINES] = json!({ "schema": event });
    true
}
