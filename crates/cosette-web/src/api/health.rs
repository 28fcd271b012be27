//! The state of the server.

use crate::server::Server;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The state of the server.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
    /// The version of the server.
    version: &'static str,
    /// Searches that run or wait.
    searches: usize,
    /// The number of threads of a search.
    threads: usize,
    /// The tables in memory.
    tables: Vec<String>,
}

/// The state of the server
#[utoipa::path(get, path = "/health", responses((status = 200, description = "it is running", body = Health)))]
pub async fn health(State(server): State<Arc<Server>>) -> Json<Health> {
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        searches: server.queue.len(),
        threads: server.tables.threads.get(),
        tables: server.tables.loaded().iter().map(ToString::to_string).collect(),
    })
}
