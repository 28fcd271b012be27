//! The pruning tables: listing, generating, removing.

use crate::accept::ResponseFormat;
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
use cosette::table::{TableFileState, TableId, UnknownTable};
use cosette_app::estimate;
use cosette_app::units::TableName;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::watch;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;
use utoipa::{IntoParams, ToSchema};

/// The tables and their directory.
#[derive(Serialize, ToSchema)]
pub struct Tables {
    /// The directory.
    folder: String,
    /// `true` if the server was started with a specific table, which it always uses.
    named: bool,
    /// All tables of the catalog.
    tables: Vec<TableInfo>,
}

/// A table of the catalog.
#[derive(Serialize, ToSchema)]
pub struct TableInfo {
    /// The name of the table, e.g. `htm-190M`.
    name: String,
    /// The metric: `htm` or `qtm`.
    metric: &'static str,
    /// The size of the table, in bytes.
    bytes: u64,
    /// The state of the file on disk.
    state: TableState,
    /// The percentage generated, if the table is incomplete.
    percent: Option<u64>,
    /// The fault of the file on disk, if it cannot be used.
    fault: Option<String>,
    /// The checksum of the entries, if the table is on disk: 16 hexadecimal digits.
    checksum: Option<String>,
    /// `true` if searches use the table now.
    in_use: bool,
    /// `true` if the next search in the metric uses the table. If it is not on disk, it is
    /// generated first.
    next: bool,
    /// `true` if the table fits in the free memory.
    fits: bool,
    /// The estimated number of seconds to generate the table with all threads.
    generation_seconds: Option<f64>,
    /// The estimated average number of seconds to solve a random position.
    cube_seconds: Option<f64>,
}

/// The path of a table.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TablePath {
    /// The name of the table, such as `htm-190M`.
    name: String,
}

impl TablePath {
    /// Returns the table with this name. A name without a metric means the half-turn metric.
    fn id(&self) -> Result<TableId, ApiError> {
        let unknown =
            |error: UnknownTable| ApiError::not_found(error.to_string(), "see /api/v1/tables");
        let TableName { metric, size } = self.name.parse().map_err(unknown)?;
        let metric = metric.unwrap_or(Metric::Htm);
        Ok(TableId { metric, size })
    }
}

/// The state of a table on disk.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum TableState {
    /// There is no file.
    Absent,
    /// The table is partially generated; its generation resumes from there.
    Partial,
    /// The table is being generated.
    Generating,
    /// The table is complete.
    Ready,
    /// The file is known to be unusable. Its blocks are only verified when the table is loaded.
    Corrupted,
}

/// List the tables
#[utoipa::path(
    get, path = "/tables", operation_id = "listTables", tag = "Tables",
    responses((status = 200, description = "all tables of the catalog", body = Tables)),
)]
pub async fn list(State(server): State<Arc<Server>>) -> Result<Json<Tables>, ApiError> {
    let shared = Arc::clone(&server);
    server.run_blocking(move || tables(&shared)).await.map(Json)
}

/// Get the state of a table
#[utoipa::path(
    get, path = "/tables/{name}", operation_id = "getTable", tag = "Tables", params(TablePath),
    responses(
        (status = 200, description = "the table", body = TableInfo),
        (status = 404, description = "there is no such table", body = ApiError),
    ),
)]
pub async fn table(
    State(server): State<Arc<Server>>,
    path: Result<Path<TablePath>, PathRejection>,
) -> Result<Json<TableInfo>, ApiError> {
    let name = path?.id()?.to_string();
    let shared = Arc::clone(&server);
    let listed = server.run_blocking(move || tables(&shared)).await?;
    let table = listed.tables.into_iter().find(|table| table.name == name);
    table.map(Json).ok_or_else(ApiError::internal)
}

fn tables(server: &Server) -> Tables {
    let loaded = server.tables.loaded();
    let next = Metric::ALL.map(|metric| server.tables.next(metric));
    let threads = server.tables.threads;
    let row = |id: TableId| {
        let (state, percent, fault) = state(server, id);
        let checksum = server.tables.folder.checksum(id);
        TableInfo {
            name: id.to_string(),
            metric: id.metric.name(),
            bytes: id.size.bytes(),
            state,
            percent,
            fault,
            checksum: checksum.map(|sum| format!("{sum:016x}")),
            in_use: loaded.contains(&id),
            next: next.contains(&Some(id)),
            fits: loaded.contains(&id) || server.tables.fits(id),
            generation_seconds: Some(estimate::to_generate(id, threads).as_secs_f64()),
            cube_seconds: Some(estimate::to_solve(id, threads).as_secs_f64()),
        }
    };
    Tables {
        folder: server.tables.folder.path().display().to_string(),
        named: server.tables.is_named(),
        tables: TableId::all().map(row).collect(),
    }
}

/// Returns the state of a table, the percentage generated, and its fault.
fn state(server: &Server, id: TableId) -> (TableState, Option<u64>, Option<String>) {
    let on_disk = server.tables.folder.state(id);
    let fault_when_loaded = server.tables.fault(id);
    let (state, percent) = match (&on_disk, server.generated_percent(id)) {
        (_, Some(percent)) => (TableState::Generating, Some(percent)),
        (TableFileState::Missing, _) => (TableState::Absent, None),
        (TableFileState::Partial(progress), _) => (TableState::Partial, Some(progress.percent())),
        (TableFileState::Complete, _) if fault_when_loaded.is_none() => (TableState::Ready, None),
        _ => (TableState::Corrupted, None),
    };
    let fault = match on_disk {
        TableFileState::Corrupted(error) => Some(ApiError::from(error).to_string()),
        _ => fault_when_loaded,
    };
    (state, percent, fault)
}

/// Generate a table, or follow its running generation
///
/// The generation resumes from where an earlier one was stopped, and does not stop when the client
/// disconnects. If the table is complete already, the only event is `generated`. A corrupted table
/// (`corrupted`) is replaced; a file that is not this table is not replaced.
#[utoipa::path(
    post, path = "/tables/{name}", operation_id = "generateTable", tag = "Tables",
    params(TablePath),
    responses(
        (
            status = 200,
            description = "a stream of events that ends with `generated`, `stopped` or `refused`",
            content((GenerationEvent = "text/event-stream")),
        ),
        (status = 404, description = "there is no such table", body = ApiError),
        (
            status = 409,
            description = "another table is being generated, or the existing file is not this \
                table",
            body = ApiError,
        ),
        (status = 507, description = "there is not enough free disk space", body = ApiError),
    ),
)]
pub async fn generate(
    State(server): State<Arc<Server>>,
    path: Result<Path<TablePath>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let id = path?.id()?;
    let format = ResponseFormat::of_stream(&headers)?;
    let tables = &server.tables;
    match tables.folder.state(id) {
        TableFileState::Complete if tables.fault(id).is_none() => {
            return Ok(jobs::streamed_response(
                tokio_stream::iter(jobs::json(&GenerationEvent::Generated).map(Ok)),
                format,
            ));
        }
        TableFileState::Corrupted(fault) if fault.is_other_file() => return Err(fault.into()),
        TableFileState::Missing
        | TableFileState::Partial(_)
        | TableFileState::Complete
        | TableFileState::Corrupted(_) => {}
    }
    // A table is generated by a job, which `start` begins or joins, or by a search, which is only
    // followed.
    let has_job = server.generations.percent(id).is_some();
    let state = if !has_job && tables.percent_of_search(id).is_some() {
        follow_search(Arc::clone(&server), id)
    } else {
        if !has_job {
            tables.folder.check_room(id)?;
        }
        server
            .generations
            .start(id, &tables.folder, tables.threads)?
    };
    let events = WatchStream::new(state).filter_map(|event| jobs::json(&event).map(Ok));
    Ok(jobs::streamed_response(events, format))
}

/// Follows the generation of a table by a search. Returns a receiver of its events.
fn follow_search(server: Arc<Server>, id: TableId) -> watch::Receiver<GenerationEvent> {
    let progress = |percent| GenerationEvent::Progress {
        percent,
        seconds_left: None,
    };
    let (events, state) = watch::channel(progress(0));
    tokio::spawn(async move {
        while let Some(percent) = server
            .tables
            .percent_of_search(id)
            .filter(|_| !events.is_closed())
        {
            events.send_replace(progress(percent));
            tokio::time::sleep(jobs::PROGRESS_INTERVAL).await;
        }
        events.send_replace(match server.tables.folder.state(id) {
            TableFileState::Complete => GenerationEvent::Generated,
            TableFileState::Partial(progress) => GenerationEvent::Stopped {
                percent: progress.percent(),
            },
            TableFileState::Missing | TableFileState::Corrupted(_) => {
                GenerationEvent::Stopped { percent: 0 }
            }
        });
    });
    state
}

/// Stop generating a table
///
/// The finished part is stored. A search for which the table is generated ends as well.
#[utoipa::path(
    delete, path = "/tables/{name}/generation", operation_id = "stopGeneration", tag = "Tables",
    params(TablePath),
    responses(
        (status = 204, description = "the generation is stopping"),
        (status = 404, description = "the table is not being generated", body = ApiError),
    ),
)]
pub async fn stop(
    State(server): State<Arc<Server>>,
    path: Result<Path<TablePath>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = path?.id()?;
    if server.generations.stop(id) || server.tables.stop_generating(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ApiError::not_found(
            format!("this server is not generating {id}"),
            "it may be complete, or another process may be generating it",
        ))
    }
}

/// Remove a table, including a partial one of an interrupted generation
#[utoipa::path(
    delete, path = "/tables/{name}", operation_id = "removeTable", tag = "Tables",
    params(TablePath),
    responses(
        (
            status = 204,
            description = "removed; a search that uses the table has it in memory and continues",
        ),
        (status = 404, description = "there is no such table on disk", body = ApiError),
        (
            status = 409,
            description = "the table is being generated, or the existing file is not this table",
            body = ApiError,
        ),
    ),
)]
pub async fn remove(
    State(server): State<Arc<Server>>,
    path: Result<Path<TablePath>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = path?.id()?;
    if server.generated_percent(id).is_some() {
        return Err(ApiError::conflict(
            format!("{id} is being generated"),
            "stop the generation first",
        ));
    }
    let folder = server.tables.folder.clone();
    server.run_blocking(move || folder.remove(id)).await??;
    Ok(StatusCode::NO_CONTENT)
}
