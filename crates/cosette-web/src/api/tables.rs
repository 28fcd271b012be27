//! The pruning tables: listing, generating, removing.

use crate::api_error::ApiError;
use crate::jobs;
use crate::server::Server;
use crate::tables::GenerationEvent;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use cosette::cube::Metric;
use cosette::table::{OnDisk, TableId, UnknownTable};
use cosette_app::estimate;
use cosette_app::words::TableName;
use serde::Serialize;
use std::sync::Arc;
use tokio::sync::watch;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;
use utoipa::ToSchema;

/// The tables and their folder.
#[derive(Serialize, ToSchema)]
pub struct Tables {
    /// The folder.
    folder: String,
    /// Whether the server was started with a table, which it uses whatever else is on disk.
    named: bool,
    /// All tables of the catalogue.
    tables: Vec<TableInfo>,
}

/// A table of the catalogue.
#[derive(Serialize, ToSchema)]
pub struct TableInfo {
    /// Its name, as in `htm-190M`.
    name: String,
    /// What is counted: `htm` or `qtm`.
    metric: &'static str,
    /// Its size in bytes.
    bytes: u64,
    /// What is on disk.
    state: TableState,
    /// How much of it is generated, if it is not complete.
    percent: Option<u64>,
    /// Why the file on disk cannot be used.
    fault: Option<String>,
    /// Whether searches use it now.
    in_use: bool,
    /// Whether the next search in its metric uses it. If it is not on disk, it is generated first.
    next: bool,
    /// Whether it fits in the free memory.
    fits: bool,
    /// An estimate of the seconds it takes to generate it with all threads.
    generation_seconds: Option<f64>,
    /// An estimate of the average seconds it takes to solve a random position.
    cube_seconds: Option<f64>,
}

/// What is on disk of a table.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum TableState {
    /// Nothing.
    Absent,
    /// A part, from which its generation continues.
    Partial,
    /// It is being generated.
    Generating,
    /// The complete table.
    Ready,
    /// A file that cannot be used, as far as that is known: blocks are checked when the table is loaded.
    Faulty,
}

/// The tables
#[utoipa::path(get, path = "/tables", responses((status = 200, description = "all tables of the catalogue", body = Tables)))]
pub async fn list(State(server): State<Arc<Server>>) -> Result<Json<Tables>, ApiError> {
    let shared = Arc::clone(&server);
    server.unhurried(move || tables(&shared)).await.map(Json)
}

fn tables(server: &Server) -> Tables {
    let loaded = server.tables.loaded();
    let next = Metric::ALL.map(|metric| server.tables.next(metric));
    let row = |id: TableId| {
        let on_disk = server.tables.folder.state(id);
        let seen = server.tables.fault(id);
        let (state, percent) = match (&on_disk, server.generations.percent(id).or_else(|| server.tables.generating(id)))
        {
            (_, Some(percent)) => (TableState::Generating, Some(percent)),
            (OnDisk::No, _) => (TableState::Absent, None),
            (OnDisk::Partly(kept), _) => (TableState::Partial, Some(kept.percent())),
            (OnDisk::Yes, _) if seen.is_none() => (TableState::Ready, None),
            (OnDisk::Yes | OnDisk::Faulty(_), _) => (TableState::Faulty, None),
        };
        let threads = server.tables.threads;
        TableInfo {
            name: id.to_string(),
            metric: id.metric.name(),
            bytes: id.size.bytes(),
            state,
            percent,
            fault: if let OnDisk::Faulty(error) = on_disk { Some(ApiError::from(error).to_string()) } else { seen },
            in_use: loaded.contains(&id),
            next: next.contains(&Some(id)),
            fits: loaded.contains(&id) || server.tables.fits(id),
            generation_seconds: Some(estimate::to_generate(id, threads).as_secs_f64()),
            cube_seconds: Some(estimate::to_solve(id, threads).as_secs_f64()),
        }
    };
    let folder = server.tables.folder.path().display().to_string();
    Tables { folder, named: server.tables.is_named(), tables: TableId::all().map(row).collect() }
}

/// Generate a table, or follow a generation that is under way in this server
///
/// It continues where an earlier one was stopped, and does not stop when the client disconnects. If the table is complete
/// already, the only event is `generated`. One that was found damaged (`faulty`) is replaced; a file that is not this table is not.
#[utoipa::path(
    post, path = "/tables/{name}", params(("name" = String, Path, description = "as in htm-190M")),
    responses(
        (status = 200, description = "events, the last of them `generated`, `stopped` or `refused`", content((GenerationEvent = "text/event-stream"), (GenerationEvent = "application/x-ndjson"))),
        (status = 404, description = "there is no such table", body = ApiError),
        (status = 409, description = "another table is being generated, or a file in its place is not this table", body = ApiError),
        (status = 507, description = "there is not enough free disk space", body = ApiError),
    ),
)]
pub async fn generate(
    State(server): State<Arc<Server>>,
    name: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let id = table(&name?)?;
    let tables = &server.tables;
    match tables.folder.state(id) {
        OnDisk::Yes if tables.fault(id).is_none() => {
            return Ok(jobs::respond(tokio_stream::iter(jobs::json(&GenerationEvent::Generated)), &headers));
        }
        OnDisk::Faulty(fault) if fault.is_other_file() => return Err(fault.into()),
        OnDisk::No | OnDisk::Partly(_) | OnDisk::Yes | OnDisk::Faulty(_) => {}
    }
    let is_under_way = server.generations.percent(id).is_some();
    let state = if !is_under_way && tables.generating(id).is_some() {
        follow_search(Arc::clone(&server), id)
    } else {
        if !is_under_way {
            tables.folder.check_room(id)?;
        }
        server.generations.start(id, &tables.folder, tables.threads)?
    };
    let events = WatchStream::new(state).filter_map(|event| jobs::json(&event));
    Ok(jobs::respond(events, &headers))
}

/// Follows the generation of a table for a search.
fn follow_search(server: Arc<Server>, id: TableId) -> watch::Receiver<GenerationEvent> {
    let progress = |percent| GenerationEvent::Progress { percent, seconds_left: None };
    let (events, state) = watch::channel(progress(0));
    tokio::spawn(async move {
        while let Some(percent) = server.tables.generating(id).filter(|_| !events.is_closed()) {
            events.send_replace(progress(percent));
            tokio::time::sleep(jobs::PROGRESS_INTERVAL).await;
        }
        events.send_replace(match server.tables.folder.state(id) {
            OnDisk::Yes => GenerationEvent::Generated,
            OnDisk::Partly(kept) => GenerationEvent::Stopped { percent: kept.percent() },
            OnDisk::No | OnDisk::Faulty(_) => GenerationEvent::Stopped { percent: 0 },
        });
    });
    state
}

/// Stop generating a table
///
/// The finished part is kept. A search for which it is generated ends too.
#[utoipa::path(
    delete, path = "/tables/{name}/generation", params(("name" = String, Path, description = "as in htm-190M")),
    responses(
        (status = 204, description = "asked to stop"),
        (status = 404, description = "it is not being generated", body = ApiError),
    ),
)]
pub async fn stop(
    State(server): State<Arc<Server>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = table(&name?)?;
    if server.generations.stop(id) || server.tables.stop_generating(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found(
            format!("this server does not generate {id}"),
            "it may be complete already, or another process generates it",
        ))
    }
}

/// Remove a table, or the part that an interrupted generation has left
#[utoipa::path(
    delete, path = "/tables/{name}", params(("name" = String, Path, description = "as in htm-190M")),
    responses(
        (status = 204, description = "removed; a search that uses it has it in memory and continues"),
        (status = 404, description = "there is no such table on disk", body = ApiError),
        (status = 409, description = "it is being generated, or the file in its place is not this table", body = ApiError),
    ),
)]
pub async fn remove(
    State(server): State<Arc<Server>>,
    name: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = table(&name?)?;
    if server.generations.percent(id).is_some() || server.tables.generating(id).is_some() {
        return Err(ApiError::conflict(format!("{id} is being generated"), "stop that first"));
    }
    let folder = server.tables.folder.clone();
    server.unhurried(move || folder.remove(id)).await??;
    Ok(StatusCode::NO_CONTENT)
}

/// The table with this name.
fn table(name: &str) -> Result<TableId, ApiError> {
    let unknown = |error: UnknownTable| ApiError::not_found(error.to_string(), "see /api/v1/tables");
    let TableName { metric, size } = name.parse().map_err(unknown)?;
    Ok(TableId { metric: metric.unwrap_or(Metric::Htm), size })
}
