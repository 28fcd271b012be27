//! Whether the server is well, and what it does.

use crate::server::Server;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// How the server is.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
    /// The version of the server.
    version: &'static str,
    /// Searches under way or waiting.
    searches: usize,
    /// How many threads a search has.
    threads: usize,
    /// The tables in memory.
    tables: Vec<String>,
}

/// How the server is
#[utoipa::path(get, path = "/health", responses((status = 200, description = "it is well", body = Health)))]
pub async fn health(State(server): State<Arc<Server>>) -> Json<Health> {
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        searches: server.desk.registered(),
        threads: server.tables.threads.get(),
        tables: server.tables.loaded().iter().map(ToString::to_string).collect(),
    })
}
