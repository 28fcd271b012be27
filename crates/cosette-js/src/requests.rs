//! Requests and results, as JSON. For positions and solutions, they have the same fields as in the
//! HTTP API.

use crate::session::{Caller, Session};
use cosette::cube::{
    Cube, FaceOrder, Format, ParseError, ParseOptions, parse_position, random_positions,
};
use cosette::table::{TableError, TableSize, UnknownTable};
use cosette::{Progress, TableId, ThreadCount};
use cosette_app::name::NamedPosition;
use cosette_app::position::{PositionCheck, ScrambledPosition};
use cosette_app::remedies::{Audience, INTERNAL_ERROR, worded};
use cosette_app::request;
use cosette_app::scrambles::ScrambleRequest;
use cosette_app::solve_result::ParsedPosition;
use cosette_fmc::request::{FmcRequest, InsertionsRequest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A request from JavaScript.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum EngineRequest {
    /// Returns the names and sizes of all tables. Used only by the test that compares them with
    /// `npm/index.js`.
    Tables,
    /// Returns the name of a table, which is that of its file.
    #[cfg(target_family = "wasm")]
    Name { table: String },
    /// Opens a table, or closes it. The module may return before the table is ready; the addon does
    /// not.
    Open {
        table: Option<String>,
        threads: usize,
        #[serde(flatten)]
        place: TableLocation,
    },
    /// Generates more of the table.
    #[cfg(target_family = "wasm")]
    Generate { milliseconds: u64 },
    /// Checks a text, and returns everything that a page shows about it.
    Check {
        position: String,
        /// `true` if moves in parentheses apply to the inverse.
        #[serde(default)]
        niss: bool,
        /// The format. By default it is detected.
        #[serde(default)]
        format: Option<Format>,
        /// The order of the faces of 54 facelets.
        #[serde(default)]
        face_order: Option<FaceOrder>,
    },
    /// Returns a random position.
    Random { seed: u64 },
    /// Returns scrambles of a case; always with a seed.
    Scrambles { request: Map<String, Value> },
    /// Solves a position.
    Solve {
        request: Map<String, Value>,
        /// `true` to search without the two-phase search and the inverse of the input moves, for
        /// measurements.
        #[serde(default)]
        plain: bool,
        /// The time slice after which the call returns; the same request resumes the search.
        milliseconds: Option<u64>,
    },
    /// Searches for fewest-moves skeletons.
    Fmc { request: Map<String, Value> },
    /// Searches for the best insertions into a skeleton.
    Insertions { request: Map<String, Value> },
    /// Discards the current search.
    Forget,
}

/// The location of a table.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableLocation {
    /// The folder of the tables. Default: that of the command.
    #[cfg(not(target_family = "wasm"))]
    pub folder: Option<std::path::PathBuf>,
    /// `true` for a table that is only in memory.
    #[cfg(not(target_family = "wasm"))]
    #[serde(default)]
    pub in_memory: bool,
    /// `true` if the host has opened the files in a folder of the user, which may hold any files.
    #[cfg(target_family = "wasm")]
    #[serde(default)]
    pub is_in_users_folder: bool,
}

/// Returns the result of a request, or an error with its kind.
pub fn answer(session: &mut Session, request: &[u8], caller: &impl Caller) -> Value {
    let request = serde_json::from_slice(request).map_err(|error| failure("request", error));
    let answer = request.and_then(|request| answer_to(session, request, caller));
    answer.unwrap_or_else(|failure| failure)
}

/// Returns an error of this kind, as a result.
pub fn failure(kind: &str, error: impl std::fmt::Display) -> Value {
    json!({"error": kind, "message": error.to_string()})
}

/// Returns the failure of a table; its kind shows what the user can do about it.
fn table_failure(error: TableError) -> Value {
    let kind = match &error {
        error if error.is_out_of_memory() => "memory",
        TableError::Threads(_) => "threads",
        error if error.is_cancellation() => "stopped",
        _ => "table",
    };
    let help = error
        .remedy()
        .map(|remedy| format!("; {}", worded(&remedy, Audience::JavaScript)));
    failure(kind, format_args!("{error}{}", help.unwrap_or_default()))
}

fn answer_to(
    session: &mut Session,
    request: EngineRequest,
    caller: &impl Caller,
) -> Result<Value, Value> {
    match request {
        EngineRequest::Tables => {
            let of_size = |size: TableSize| json!({"name": size.name(), "bytes": size.bytes()});
            Ok(json!({"sizes": TableSize::ALL.map(of_size)}))
        }
        #[cfg(target_family = "wasm")]
        EngineRequest::Name { table } => Ok(json!({"table": named(&table)?.to_string()})),
        EngineRequest::Open {
            table,
            threads,
            place,
        } => {
            let threads = ThreadCount::new(threads).map_err(|error| failure("threads", error))?;
            open(session, table, threads, place, caller)
        }
        #[cfg(target_family = "wasm")]
        EngineRequest::Generate { milliseconds } => {
            let slice = Duration::from_millis(milliseconds);
            Ok(state(
                session.generate(slice, caller).map_err(table_failure)?,
                session,
            ))
        }
        EngineRequest::Check {
            position,
            niss,
            format,
            face_order,
        } => {
            let options = ParseOptions {
                niss,
                face_order: face_order.unwrap_or_default(),
            };
            Ok(json!(PositionCheck::of(&position, format, &options)))
        }
        EngineRequest::Random { seed } => Ok(json!(ScrambledPosition::from(
            &random_positions(seed)
                .next()
                .expect("the positions do not end")
        ))),
        EngineRequest::Scrambles { request } => {
            let request: ScrambleRequest = asked(request, "no others")?;
            let list = request
                .answer(0)
                .map_err(|error: ParseError| failure("position", error))?;
            Ok(json!(list))
        }
        EngineRequest::Solve {
            request,
            plain,
            milliseconds,
        } => {
            let mut request: request::Request = asked(request, OWN_OPTIONS)?;
            let position = request.position.take().unwrap_or_default();
            let slice = milliseconds.map(Duration::from_millis);
            solve(session, &position, (&request, plain), slice, caller)
        }
        EngineRequest::Fmc { request } => {
            let request: FmcRequest = asked(request, OPTIONS_OF_FMC)?;
            let parsed = request.parse().map_err(|error| failure("request", error))?;
            let scramble = read(&request.position)?;
            session
                .fmc(&request.position, scramble, &parsed, caller)
                .map(|result| json!(result))
                .map_err(|error| failure("request", error))
        }
        EngineRequest::Insertions { request } => {
            insertions(session, &asked(request, "`signal`")?, caller)
        }
        EngineRequest::Forget => {
            session.forget_search();
            Ok(json!({}))
        }
    }
}

/// Opens a table, or without one a session for work that needs none.
fn open(
    session: &mut Session,
    table: Option<String>,
    threads: ThreadCount,
    place: TableLocation,
    caller: &impl Caller,
) -> Result<Value, Value> {
    let Some(table) = table else {
        *session = Session::new(threads);
        return Ok(state(None, session));
    };
    let id = named(&table)?;
    let unfinished = session
        .open(id, threads, place, caller)
        .map_err(table_failure)?;
    let mut answer = state(unfinished, session);
    answer["table"] = id.to_string().into();
    answer["metric"] = id.metric.name().into();
    Ok(answer)
}

/// Solves a position, for at most one time slice.
fn solve(
    session: &mut Session,
    position: &str,
    (request, plain): (&request::Request, bool),
    slice: Option<Duration>,
    caller: &impl Caller,
) -> Result<Value, Value> {
    request
        .validate()
        .map_err(|wrong| failure("request", wrong.message_for(Audience::JavaScript)))?;
    let not_a_cube = |error: ParseError| failure("position", error);
    let read = NamedPosition::read(position, |text| request.parse_position(text));
    let (NamedPosition { name, text }, input) = read.map_err(not_a_cube)?;
    let position = ParsedPosition {
        name: name.as_deref(),
        ..ParsedPosition::unnamed(&text, &input)
    };
    let solved = session.solve(&position, (request, plain), slice, caller);
    let solved =
        solved.map_err(|wrong| failure("engine", format_args!("{wrong}; {INTERNAL_ERROR}")))?;
    solved.map(|solved| json!(solved)).ok_or_else(no_table)
}

/// Finds the insertions into a skeleton.
fn insertions(
    session: &Session,
    request: &InsertionsRequest,
    caller: &impl Caller,
) -> Result<Value, Value> {
    let skeleton = request
        .parse(&read(&request.position)?)
        .map_err(|error| failure("request", error))?;
    let insertions = session
        .insertions(&skeleton, caller)
        .ok_or_else(no_table_in_htm)?;
    let insertions = insertions
        .ok_or_else(|| failure("stopped", "stopped before all insertion points were tried"))?;
    Ok(json!(request.result(&skeleton, &insertions)))
}

/// Returns the table of this name, ignoring case.
fn named(table: &str) -> Result<TableId, Value> {
    table
        .parse()
        .map_err(|error: UnknownTable| failure("table", error))
}

/// Parses a scramble.
fn read(position: &str) -> Result<Cube, Value> {
    let input = parse_position(position, None, &ParseOptions::default());
    Ok(input
        .map_err(|error: ParseError| failure("position", error))?
        .cube)
}

fn no_table_in_htm() -> Value {
    failure(
        "table",
        "insertions need a table in htm; open one, for example with `Solver.open()`",
    )
}

fn no_table() -> Value {
    failure(
        "table",
        "this solver has no table; open one, for example with `Solver.open()`",
    )
}

/// The options of JavaScript in addition to those of a request.
const OWN_OPTIONS: &str = "`onEvent`, `signal`, `stopSignal`, `plain`";
const OPTIONS_OF_FMC: &str = "`onEvent`, `signal`, `stopSignal`";

/// Parses the fields of a request. Errors name the field, as in the HTTP API; each field can be
/// parsed on its own.
fn asked<R: DeserializeOwned>(fields: Map<String, Value>, own_options: &str) -> Result<R, Value> {
    let fault_of = |(name, value): (&String, &Value)| {
        let wrong = R::deserialize(json!({ name: value })).err()?.to_string();
        if wrong.starts_with("missing field") {
            return None;
        }
        let is_unknown = wrong.starts_with("unknown field");
        Some(if is_unknown {
            format!("{wrong}, {own_options}")
        } else {
            format!("{name}: {wrong}")
        })
    };
    let fault = fields.iter().find_map(fault_of);
    let read = fault.map_or_else(
        || R::deserialize(Value::Object(fields)).map_err(|wrong| wrong.to_string()),
        Err,
    );
    read.map_err(|wrong| failure("request", wrong))
}

/// Returns the progress of a table, if it is not ready, and its storage state.
fn state(unfinished: Option<Progress>, session: &Session) -> Value {
    match unfinished {
        None => json!({"ready": true, "stored": session.is_stored}),
        Some(Progress { done, total }) => {
            json!({"ready": false, "done": done, "total": total, "stored": session.is_stored})
        }
    }
}
