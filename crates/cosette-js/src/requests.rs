//! Requests and results, as JSON. For positions and solutions, they have the same fields as in the
//! HTTP API.

use crate::session::{Caller, EngineError, Session, no_table, utf16_span};
use cosette::cube::{Cube, FaceOrder, Format, ParseOptions, parse_position};
use cosette::table::TableSize;
use cosette::{Control, Metric, Progress, ThreadCount};
use cosette_app::name::NamedPosition;
use cosette_app::position::PositionCheck;
use cosette_app::remedies::Audience;
use cosette_app::request::Request;
use cosette_app::solve_result::ParsedPosition;
use cosette_fmc::insertions::shortest_solutions;
use cosette_fmc::report::{Skeleton, SkeletonEvent};
use cosette_fmc::request::{FmcRequest, InsertionsRequest};
use cosette_fmc::review::{ReviewEvent, ReviewRequest, ReviewUpdate, review};
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
    /// Returns the full name of a table, which is also the name of its file.
    #[cfg(target_family = "wasm")]
    Name { table: String },
    /// Opens a table; without one, closes the open table. The WebAssembly module may return before
    /// the table is complete; the Node addon does not.
    Open {
        table: Option<String>,
        threads: usize,
        #[serde(flatten)]
        location: TableLocation,
    },
    /// Generates more of the table.
    #[cfg(target_family = "wasm")]
    Generate { milliseconds: u64 },
    /// Parses a position without solving it.
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
    /// Answers a request of a reader or of a cube model.
    #[cfg(not(feature = "threads"))]
    Read {
        request: crate::reader::ReaderRequest,
    },
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
    /// Solves positions. Each answer, or the error of a text that is not a position, is an event
    /// with the index of the position.
    #[cfg(any(not(target_family = "wasm"), feature = "threads"))]
    SolveMany {
        /// The texts; `null` in place of a value that is not a text.
        positions: Vec<Option<String>>,
        request: Map<String, Value>,
    },
    /// Searches for fewest-moves skeletons.
    Fmc { request: Map<String, Value> },
    /// Searches for the best insertions into a skeleton.
    Insertions { request: Map<String, Value> },
    /// Reviews a solution.
    Review { request: Map<String, Value> },
    /// Discards the current search.
    Forget,
}

/// The location of a table.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableLocation {
    /// The folder of the tables. Default: the folder of the command `cosette`.
    #[cfg(not(target_family = "wasm"))]
    pub folder: Option<std::path::PathBuf>,
    /// `true` for a table that is neither read from a file nor stored.
    #[cfg(not(target_family = "wasm"))]
    #[serde(default)]
    pub in_memory: bool,
    /// `true` if the host has opened the files in a folder of the user, which may hold any files.
    #[cfg(target_family = "wasm")]
    #[serde(default)]
    pub is_in_users_folder: bool,
}

/// Returns the error of an invalid request.
fn invalid(error: impl ToString) -> EngineError {
    EngineError::new("request", error)
}

/// Returns the result of a request, or an error with its kind.
pub fn answer(session: &mut Session, request: &[u8], caller: &impl Caller) -> Value {
    let request = serde_json::from_slice(request).map_err(invalid);
    let answer = request.and_then(|request: EngineRequest| request.answer(session, caller));
    answer.unwrap_or_else(|error| json!(error))
}

impl EngineRequest {
    fn answer(self, session: &mut Session, caller: &impl Caller) -> Result<Value, EngineError> {
        Ok(match self {
            Self::Tables => {
                let name_and_bytes =
                    |size: TableSize| json!({"name": size.name(), "bytes": size.bytes()});
                json!({"sizes": TableSize::ALL.map(name_and_bytes)})
            }
            #[cfg(target_family = "wasm")]
            Self::Name { table } => {
                json!({"table": table.parse::<cosette::TableId>()?.to_string()})
            }
            Self::Open {
                table,
                threads,
                location,
            } => open(session, table, threads, location, caller)?,
            #[cfg(target_family = "wasm")]
            Self::Generate { milliseconds } => {
                let unfinished = session.generate(Duration::from_millis(milliseconds), caller)?;
                state(unfinished, session)
            }
            Self::Check {
                position,
                niss,
                format,
                face_order,
            } => {
                let face_order = face_order.unwrap_or_default();
                check(&position, format, &ParseOptions { niss, face_order })
            }
            #[cfg(not(feature = "threads"))]
            Self::Read { request } => request.answer()?,
            Self::Solve {
                request,
                plain,
                milliseconds,
            } => {
                let request = parse(request, "`onEvent`, `signal`, `stopSignal`, `plain`")?;
                let slice = milliseconds.map(Duration::from_millis);
                solve(session, request, plain, slice, caller)?
            }
            #[cfg(any(not(target_family = "wasm"), feature = "threads"))]
            Self::SolveMany { positions, request } => {
                let request = parse(request, "`signal`, `ordered`, `errors`")?;
                crate::many::solve_many(session, positions, request, caller)?;
                json!({})
            }
            Self::Fmc { request } => fmc(session, request, caller)?,
            Self::Insertions { request } => insertions(session, request, caller)?,
            Self::Review { request } => review_solution(session, request, caller)?,
            Self::Forget => {
                session.search = None;
                json!({})
            }
        })
    }
}

/// Checks a text, with the place of its error in UTF-16 code units.
fn check(text: &str, format: Option<Format>, options: &ParseOptions) -> Value {
    let mut check = json!(PositionCheck::of(text, format, options));
    let read = |text: &str| parse_position(text, format, options);
    let error = match format {
        Some(_) => read(text).err(),
        None => NamedPosition::read(text, read).err(),
    };
    if let Some(error) = error {
        check["span"] = json!(utf16_span(text, error.span()));
    }
    check
}

/// Opens a table. Without a name, opens a session for work that needs no table.
fn open(
    session: &mut Session,
    table: Option<String>,
    threads: usize,
    location: TableLocation,
    caller: &impl Caller,
) -> Result<Value, EngineError> {
    let threads = ThreadCount::new(threads).map_err(|error| EngineError::new("threads", error))?;
    let Some(table) = table else {
        *session = Session::new(threads);
        return Ok(state(None, session));
    };
    let (id, unfinished) = session.open(&table, threads, location, caller)?;
    let mut answer = state(unfinished, session);
    answer["table"] = id.to_string().into();
    answer["metric"] = id.metric.name().into();
    Ok(answer)
}

/// Solves a position, for at most one time slice.
fn solve(
    session: &mut Session,
    mut request: Request,
    plain: bool,
    slice: Option<Duration>,
    caller: &impl Caller,
) -> Result<Value, EngineError> {
    let position = request.position.take().unwrap_or_default();
    validate(&request)?;
    let parsed = NamedPosition::read(&position, |text| request.parse_position(text));
    let (NamedPosition { name, text }, input) =
        parsed.map_err(|error| EngineError::position(&position, &error))?;
    let position = ParsedPosition {
        name: name.as_deref(),
        ..ParsedPosition::unnamed(&text, &input)
    };
    Ok(json!(session.solve(
        &position,
        (&request, plain),
        slice,
        caller
    )?))
}

/// Returns an error if options of a request are in conflict.
pub fn validate(request: &Request) -> Result<(), EngineError> {
    request
        .validate()
        .map_err(|wrong| invalid(wrong.message_for(Audience::JavaScript)))
}

/// Searches for fewest-moves skeletons, and sends each one that is shorter than all before it.
fn fmc(
    session: &Session,
    request: Map<String, Value>,
    caller: &impl Caller,
) -> Result<Value, EngineError> {
    let request: FmcRequest = parse(request, "`onEvent`, `signal`, `stopSignal`")?;
    let parsed = request.parse()?;
    let scramble = parse_cube(&request.position)?;
    // One thread in WebAssembly: the heap must not grow while other threads run (`wasm.rs`).
    let threads = if cfg!(target_family = "wasm") {
        ThreadCount::ONE
    } else {
        session.threads
    };
    let control = Control::new(threads).with_cancel(&caller.cancel());
    let on_better = |skeleton: &Skeleton| {
        caller.send_event(&json!(SkeletonEvent::Skeleton(skeleton.into())));
    };
    let report = parsed.search(scramble, &session.step_solvers, &on_better, &control)?;
    Ok(json!(report.result(&request.position, None)))
}

/// Searches for the best insertions into a skeleton.
fn insertions(
    session: &Session,
    request: Map<String, Value>,
    caller: &impl Caller,
) -> Result<Value, EngineError> {
    let request: InsertionsRequest = parse(request, "`signal`")?;
    let skeleton = request.parse(&parse_cube(&request.position)?)?;
    let solver = session.solver.as_ref();
    let Some(solver) = solver.filter(|solver| solver.metric() == Metric::Htm) else {
        let error = "insertions need a table in htm; open one, for example with `Solver.open()`";
        return Err(EngineError::new("table", error));
    };
    let cancel = caller.cancel();
    let stopped = || EngineError::new("stopped", "stopped before all insertion points were tried");
    let insertions = skeleton
        .insertions(|position| shortest_solutions(solver, position, &cancel))
        .ok_or_else(stopped)?;
    Ok(json!(request.result(&skeleton, &insertions)))
}

/// Reviews a solution, and sends the bounds of each position that has been searched.
fn review_solution(
    session: &Session,
    request: Map<String, Value>,
    caller: &impl Caller,
) -> Result<Value, EngineError> {
    let request: ReviewRequest = parse(request, "`onEvent`, `signal`, `stopSignal`")?;
    let attempt = request.attempt(parse_cube(&request.position)?)?;
    let solver = session.solver.as_ref().ok_or_else(no_table)?;
    let on_event = |event: ReviewEvent<'_>| {
        if let ReviewEvent::Position(progress) = event {
            caller.send_event(&json!(ReviewUpdate::Progress(progress)));
        }
    };
    let cancel = caller.cancel().limited(request.timeout);
    let control = Control::new(session.threads).with_cancel(&cancel);
    Ok(json!(review(&attempt, solver, &on_event, &control)))
}

/// Parses a position in any format.
pub fn parse_cube(position: &str) -> Result<Cube, EngineError> {
    parse_position(position, None, &ParseOptions::default())
        .map(|input| input.cube)
        .map_err(|error| EngineError::position(position, &error))
}

/// The fields of requests that JavaScript gives as arguments, not as options.
const ARGUMENTS: [&str; 4] = ["`position`", "`text`", "`solution`", "`case`"];

/// Parses the fields of a request. The error of an unknown field lists the options; `own_options`
/// are those that only JavaScript has. Every error names its field, because each field is parsed
/// alone before all are parsed together.
pub fn parse<R: DeserializeOwned>(
    fields: Map<String, Value>,
    own_options: &str,
) -> Result<R, EngineError> {
    for (name, value) in &fields {
        match R::deserialize(json!({ name: value })) {
            Err(wrong) if wrong.to_string().starts_with("unknown field") => {
                let wrong = wrong.to_string();
                let (_, fields) = wrong.rsplit_once(" one of ").unwrap_or_default();
                let options = fields
                    .split(", ")
                    .filter(|field| !ARGUMENTS.contains(field));
                let options: Vec<&str> = options.chain([own_options]).collect();
                return Err(invalid(format!(
                    "unknown field `{name}`, expected one of {}",
                    options.join(", ")
                )));
            }
            Err(wrong) if !wrong.to_string().starts_with("missing field") => {
                return Err(invalid(format!("{name}: {wrong}")));
            }
            _ => {}
        }
    }
    R::deserialize(Value::Object(fields)).map_err(invalid)
}

/// Returns the state of the table: its progress, unless it is ready, and whether it is stored.
fn state(unfinished: Option<Progress>, session: &Session) -> Value {
    match unfinished {
        None => json!({"ready": true, "stored": session.is_stored}),
        Some(Progress { done, total }) => {
            json!({"ready": false, "done": done, "total": total, "stored": session.is_stored})
        }
    }
}
