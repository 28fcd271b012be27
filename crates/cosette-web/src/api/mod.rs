//! The HTTP API under `/api/v1`, and the document that describes it, made of the handlers themselves.

mod batch;
mod faults;
mod health;
mod position;
mod solve;
mod tables;

use crate::refusal::Refusal;
use crate::server::Server;
use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, StatusCode, header};
use axum::routing::get;
use cosette::cube::{Format, Metric};
use serde::Deserialize;
use std::sync::Arc;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::ToSchema;
use utoipa::openapi::{InfoBuilder, OpenApi, OpenApiBuilder, ServerBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Where the API lies.
pub const BASE: &str = "/api/v1";

/// The largest body but for a batch, in bytes.
const BODY_LIMIT: usize = 64 << 10;

/// The largest batch, in bytes: some hundred thousand positions.
const BATCH_LIMIT: usize = 8 << 20;

const DESCRIPTION: &str = "Proves the shortest solution of any Rubik's Cube position, on this machine and for this machine alone. \
    Long answers come as server-sent events, one JSON object in the data of each, or as JSON lines where the request accepts \
    application/x-ndjson. What is refused has a JSON object with `error` and `help`. Bodies are limited to 64 KiB, that of a \
    batch to 8 MiB (413); a request beyond those that may wait is refused with 429 and Retry-After. Requests of pages other than the server's own, and for \
    other hosts than 127.0.0.1 and localhost, are refused with 403.";

/// What is counted as one move.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum MetricName {
    /// Any turn of a face.
    #[default]
    Htm,
    /// A quarter turn.
    Qtm,
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Metric {
        match name {
            MetricName::Htm => Metric::Htm,
            MetricName::Qtm => Metric::Qtm,
        }
    }
}

/// A way of writing positions.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum FormatName {
    /// Moves that lead from the solved cube to the position.
    Moves,
    /// 54 facelets.
    Facelets,
    /// Reid's twenty pieces.
    Reid,
    /// Speffz cycles.
    Speffz,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Format {
        match name {
            FormatName::Moves => Format::Moves,
            FormatName::Facelets => Format::Facelets,
            FormatName::Reid => Format::Reid,
            FormatName::Speffz => Format::Speffz,
        }
    }
}

/// All that lies under `/api/v1`.
pub fn router(server: Arc<Server>) -> Router {
    let (router, document) = described();
    let document = Bytes::from(serde_json::to_vec(&document).expect("a document of text is JSON"));
    let no_store = SetResponseHeaderLayer::if_not_present(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    router
        .route("/openapi.json", get(move || async move { ([(header::CONTENT_TYPE, "application/json")], document) }))
        .fallback(async || Refusal::not_found("there is nothing here", "see /api/v1/openapi.json for what there is"))
        .method_not_allowed_fallback(async || {
            let help = "see /api/v1/openapi.json for the methods";
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this cannot be done here", help)
        })
        .with_state(server)
        .layer(no_store)
}

/// The handlers and their description.
fn described() -> (Router<Arc<Server>>, OpenApi) {
    let batch = OpenApiRouter::new().routes(routes!(batch::batch)).layer(DefaultBodyLimit::max(BATCH_LIMIT));
    let info =
        InfoBuilder::new().title("Cosette").version(env!("CARGO_PKG_VERSION")).description(Some(DESCRIPTION)).build();
    let server = ServerBuilder::new().url(BASE).build();
    OpenApiRouter::with_openapi(OpenApiBuilder::new().info(info).servers(Some([server])).build())
        .routes(routes!(solve::solve))
        .routes(routes!(solve::stop))
        .routes(routes!(position::check))
        .routes(routes!(position::random))
        .routes(routes!(tables::list))
        .routes(routes!(tables::fill, tables::remove))
        .routes(routes!(tables::stop))
        .routes(routes!(health::health))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .merge(batch)
        .split_for_parts()
}
