//! The HTTP API under `/api/v1`, and the OpenAPI document, generated from the handlers.

mod batch;
mod fmc;
mod position;
mod solve;
mod status;
mod tables;

use crate::access::API;
use crate::api_error::ApiError;
use crate::server::Server;

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, StatusCode, header};
use axum::routing::get;
use serde_json::{Value, json};
use std::sync::Arc;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    Content, InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, ResponseBuilder, ServerBuilder,
};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Maximum size of the body of a request other than a batch, in bytes.
const BODY_LIMIT: usize = 64 << 10;

/// Maximum size of a batch, in bytes: a few hundred thousand positions.
const BATCH_LIMIT: usize = 8 << 20;

const DESCRIPTION: &str = "Finds a shortest solution of any Rubik's Cube position and proves it. \
    Without --host, the server accepts requests \
    only from its own machine. Long responses are streamed as server-sent events, with one JSON \
    object in the data of each, \
    or as JSON Lines if the request accepts application/x-ndjson. If it accepts application/json, \
    /solve, /fmc and \
    /fmc/insertions respond with one object, and /batch responds with status 406. An error is a \
    JSON object with `error` and \
    `help`. Bodies are limited to 64 KiB, or 8 MiB for a batch (413). When the queue is full, \
    searches are rejected with 429 \
    and Retry-After. Requests need the token in the address that the server prints, as a cookie \
    or as \
    `Authorization: Bearer` (401), unless the server was started with --no-token. Requests from \
    other sites, and for hosts \
    other than 127.0.0.1 and localhost with the port of the server, are rejected with 403. With \
    --host, other machines use \
    the address of the server, but cannot generate or remove tables.";

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
const BODY_REFUSALS: [(&str, &str); 2] = [
    ("408", "the body did not arrive in time"),
    ("413", "the body is too large"),
];

/// The statuses with which a request in JSON may be rejected.
const JSON_REFUSALS: [(&str, &str); 2] = [
    ("400", "the body is not JSON"),
    ("415", "the content type is not `application/json`"),
];

/// The statuses with which a search may be rejected.
const SEARCH_REFUSALS: [(&str, &str); 2] = [
    ("429", "the queue is full"),
    ("503", "the server is shutting down"),
];

/// Returns the router of the routes under `/api/v1`.
pub fn router(server: Arc<Server>) -> Router {
    let (router, document) = described();
    let document = Bytes::from(with_streams(&document).to_string());
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

/// Returns the document as JSON. In OpenAPI, a server-sent event is an object whose `data` is a
/// text; the schema of that text is the one that the handlers name.
fn with_streams(document: &OpenApi) -> Value {
    let mut document = serde_json::to_value(document).expect("a document of text is JSON");
    let paths = document["paths"]
        .as_object_mut()
        .into_iter()
        .flat_map(serde_json::Map::values_mut);
    let operations = paths
        .filter_map(Value::as_object_mut)
        .flat_map(serde_json::Map::values_mut);
    for content in operations.filter_map(|operation| operation.pointer_mut(EVENT_STREAM)) {
        let event = content["schema"].take();
        let data = json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": event });
        content["schema"] =
            json!({ "type": "object", "required": ["data"], "properties": { "data": data } });
    }
    document
}

/// The JSON pointer to the description of the server-sent events of an operation.
const EVENT_STREAM: &str = "/responses/200/content/text~1event-stream";

/// Returns the handlers, and the document that describes them.
fn described() -> (Router<Arc<Server>>, OpenApi) {
    let batch = OpenApiRouter::new()
        .routes(routes!(batch::batch))
        .layer(DefaultBodyLimit::max(BATCH_LIMIT));
    let info = InfoBuilder::new()
        .title("Cosette")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .build();
    let server = ServerBuilder::new().url(API).build();
    let (router, mut document) = OpenApiRouter::with_openapi(
        OpenApiBuilder::new()
            .info(info)
            .servers(Some([server]))
            .build(),
    )
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
    .routes(routes!(status::health))
    .routes(routes!(status::sharing))
    .layer(DefaultBodyLimit::max(BODY_LIMIT))
    .merge(batch)
    .split_for_parts();
    describe_refusals(&mut document);
    (router, document)
}

/// Adds the common statuses to each operation, and the security scheme of the token to the
/// document.
fn describe_refusals(document: &mut OpenApi) {
    let refusal = |description: &str| {
        let body = Content::new(Some(Ref::from_schema_name("ApiError")));
        ResponseBuilder::new()
            .description(description)
            .content("application/json", body)
            .build()
    };
    let items = document.paths.paths.values_mut();
    for operation in items
        .flat_map(|item| [&mut item.get, &mut item.post, &mut item.delete])
        .flatten()
    {
        for (status, description) in refusals(operation) {
            let responses = &mut operation.responses.responses;
            responses
                .entry(status.to_owned())
                .or_insert_with(|| refusal(description).into());
        }
    }
    let components = document.components.get_or_insert_default();
    components.add_security_scheme(
        "token",
        SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
    );
    document.security = Some(vec![SecurityRequirement::new("token", [""; 0])]);
}

/// Returns the common statuses of an operation, the most specific ones first.
fn refusals(operation: &Operation) -> Vec<(&'static str, &'static str)> {
    let mut refusals = Vec::new();
    if let Some(RefOr::T(body)) = &operation.request_body {
        if body.content.contains_key("application/json") {
            refusals.extend(JSON_REFUSALS);
        }
        refusals.extend(BODY_REFUSALS);
        if is_stream(operation) {
            refusals.extend(SEARCH_REFUSALS);
        }
    }
    refusals.extend(REFUSALS);
    refusals
}

/// Returns `true` if the response of an operation is a stream of events.
fn is_stream(operation: &Operation) -> bool {
    matches!(
        operation.responses.responses.get("200"),
        Some(RefOr::T(response)) if response.content.contains_key("text/event-stream")
    )
}
