//! The pruning tables: what is on disk, filling, removing.

use crate::fillings::FillEvent;
use crate::refusal::Refusal;
use crate::server::Server;
use crate::stream;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use cosette::cube::Metric;
use cosette::table::{OnDisk, TableError, TableId, UnknownTable};
use cosette_app::estimate;
use cosette_app::words::TableName;
use serde::Serialize;
use std::sync::Arc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;
use utoipa::ToSchema;

/// The tables and where they are.
#[derive(Serialize, ToSchema)]
pub struct Tables {
    /// The folder.
    folder: String,
    /// All tables that there can be.
    tables: Vec<TableState>,
}

/// What there is of a table.
#[derive(Serialize, ToSchema)]
pub struct TableState {
    /// Its name, as in `htm-240M`.
    name: String,
    /// What is counted: `htm` or `qtm`.
    metric: &'static str,
    /// Its size.
    bytes: u64,
    /// What is on disk.
    state: OnFile,
    /// How much of it is filled, where it is not whole.
    percent: Option<u64>,
    /// Why the file there cannot be used.
    fault: Option<String>,
    /// Whether searches use it now.
    in_use: bool,
    /// Whether it fits in the memory that is free now.
    fits: bool,
    /// About so many seconds to fill it with all threads.
    fill_seconds: Option<f64>,
    /// About so many seconds a random cube, on average.
    cube_seconds: Option<f64>,
}

/// What is on disk of a table.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum OnFile {
    /// Nothing.
    Absent,
    /// A part; a filling goes on from there.
    Partial,
    /// It is being filled.
    Filling,
    /// All of it.
    Ready,
    /// A file that cannot be used.
    Faulty,
}

/// The tables
#[utoipa::path(get, path = "/tables", responses((status = 200, description = "all that there can be", body = Tables)))]
pub async fn list(State(server): State<Arc<Server>>) -> Json<Tables> {
    let loaded = server.tables.loaded();
    let row = |id: TableId| {
        let on_disk = server.tables.folder.state(id);
        let filling = server.fillings.percent(id);
        let (state, percent) = match (&on_disk, filling) {
            (_, Some(percent)) => (OnFile::Filling, Some(percent)),
            (OnDisk::No, _) => (OnFile::Absent, None),
            (OnDisk::Partly(filled), _) => (OnFile::Partial, Some(filled.percent())),
            (OnDisk::Yes, _) => (OnFile::Ready, None),
            (OnDisk::Faulty(_), _) => (OnFile::Faulty, None),
        };
        let seconds = |time: Option<std::time::Duration>| time.map(|time| time.as_secs_f64());
        let threads = server.tables.threads;
        TableState {
            name: id.to_string(),
            metric: id.metric.name(),
            bytes: id.size.bytes(),
            state,
            percent,
            fault: if let OnDisk::Faulty(fault) = &on_disk { Some(described(fault)) } else { None },
            in_use: loaded.contains(&id),
            fits: loaded.contains(&id) || server.tables.fits(id),
            fill_seconds: seconds(estimate::to_fill(id, threads)),
            cube_seconds: seconds(estimate::to_solve(id, threads)),
        }
    };
    let folder = server.tables.folder.path().display().to_string();
    Json(Tables { folder, tables: TableId::all().map(row).collect() })
}

fn described(fault: &TableError) -> String {
    fault.help().map_or(fault.to_string(), |help| format!("{fault}; {help}"))
}

/// Fill a table, or look at a filling that is under way
///
/// It goes on where an earlier one was stopped, and it goes on when the client closes the connection. Where the table is whole
/// nothing is done.
#[utoipa::path(
    post, path = "/tables/{name}", params(("name" = String, Path, description = "as in htm-240M")),
    responses(
        (status = 200, description = "events, the last of them `filled`, `stopped` or `refused`", body = FillEvent, content_type = "text/event-stream"),
        (status = 404, description = "there is no such table", body = Refusal),
        (status = 409, description = "another table is being filled", body = Refusal),
        (status = 507, description = "there is no room on the disk", body = Refusal),
    ),
)]
pub async fn fill(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let id = table(&name)?;
    let tables = &server.tables;
    if matches!(tables.folder.state(id), OnDisk::Yes) {
        return Ok(stream::respond(tokio_stream::iter(json(&FillEvent::Filled)), &headers));
    }
    if server.fillings.percent(id).is_none() {
        tables.folder.check_room(id)?;
    }
    let state = server.fillings.start(id, &tables.folder, tables.threads)?;
    let events = WatchStream::new(state).filter_map(|event| json(&event));
    Ok(stream::respond(events, &headers))
}

/// An event as it is written.
fn json(event: &FillEvent) -> Option<String> {
    serde_json::to_string(event).inspect_err(|error| tracing::error!(%error, "an event cannot be written")).ok()
}

/// Stop a filling
///
/// What is filled is kept.
#[utoipa::path(
    delete, path = "/tables/{name}/filling", params(("name" = String, Path, description = "as in htm-240M")),
    responses(
        (status = 204, description = "asked to stop"),
        (status = 404, description = "it is not being filled", body = Refusal),
    ),
)]
pub async fn stop(State(server): State<Arc<Server>>, Path(name): Path<String>) -> Result<StatusCode, Refusal> {
    let id = table(&name)?;
    if server.fillings.stop(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refusal::not_found(format!("{id} is not being filled"), "it may be full already"))
    }
}

/// Remove a table and what an interrupted filling has left
#[utoipa::path(
    delete, path = "/tables/{name}", params(("name" = String, Path, description = "as in htm-240M")),
    responses(
        (status = 204, description = "removed; a search that uses it has it in memory and goes on"),
        (status = 404, description = "there is no such table on disk", body = Refusal),
        (status = 409, description = "it is being filled", body = Refusal),
    ),
)]
pub async fn remove(State(server): State<Arc<Server>>, Path(name): Path<String>) -> Result<StatusCode, Refusal> {
    let id = table(&name)?;
    server.tables.folder.remove(id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The table with this name.
fn table(name: &str) -> Result<TableId, Refusal> {
    let unknown = |error: UnknownTable| Refusal::not_found(error.to_string(), "see /api/v1/tables");
    let TableName { metric, size } = name.parse().map_err(unknown)?;
    Ok(TableId { metric: metric.unwrap_or(Metric::Htm), size })
}
