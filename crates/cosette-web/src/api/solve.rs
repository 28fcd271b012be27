//! `POST /solve`: one position, as a JSON request; the response is a stream of events that ends
//! with the result. `POST /batch`: many positions, with one result per line, in the order in which
//! they are solved; the fields of the request are its query parameters.

use super::SEARCH_EVENTS;
use crate::accept::ResponseFormat;
use crate::api_error::ApiError;
use crate::body::Object;
use crate::jobs::{self, JobContext, SearchInfo, SearchKind};
use crate::server::Server;
use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection, StringRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use cosette::cube::{Input, shortened};
use cosette::search::{Event, SolveResult};
use cosette::{Control, Solver};
use cosette_app::batch::{
    Batch, BatchError, Lines, ListError, PositionList, PositionListener, Workers, run_goal,
};
use cosette_app::engine::{self, Engine, ShortSolutions};
use cosette_app::events::{SearchEvent, SolveFailure, Throttle};
use cosette_app::name::NamedPosition;
use cosette_app::remedies::split_help;
use cosette_app::request::{GoalRequest, Request};
use cosette_app::solve_result::ParsedPosition;
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// Find a shortest solution of a position and prove it optimal
///
/// The first event has the id with which the search can be stopped. The search also stops when the
/// client disconnects. The result of a stopped search has the bounds proven until then. With
/// `Accept: application/json` the response is only the result, and an error has its own status.
#[utoipa::path(
    post, path = "/solve", operation_id = "solvePosition", tag = "Solving",
    request_body = Request,
    responses(
        (
            status = 200,
            description = SEARCH_EVENTS,
            content((SearchEvent = "text/event-stream"), (SolveResult = "application/json")),
        ),
        (status = 404, description = "the table no longer exists", body = ApiError),
    ),
)]
pub async fn solve(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<Object<Request>>, JsonRejection>,
) -> Result<Response, ApiError> {
    let Json(Object(mut request)) = request?;
    let format = ResponseFormat::of_result(&headers)?;
    let missing = || {
        let help = "send a JSON object as described in /api/v1/openapi.json";
        ApiError::invalid("missing field `position`", help)
    };
    let text = request.position.take().ok_or_else(missing)?;
    request.validate()?;
    let (request, parsed) = server
        .run_blocking(move || {
            let parsed = NamedPosition::read(&text, |text| request.parse_position(text));
            (
                request,
                parsed.map_err(|error| ApiError::of_text(&text, &error)),
            )
        })
        .await?;
    let (NamedPosition { name, text }, input) = parsed?;
    let job = SolveJob {
        name,
        text,
        request,
        input,
    };
    let ticket = server.queue.join(SearchKind::Solve, &job.text)?;
    let answer = move |context: &JobContext| job.answer(&server, context);
    jobs::run_and_respond(ticket, format, answer, |answer| {
        SearchEvent::Answer(Box::new(answer))
    })
    .await
}

/// A position to solve.
struct SolveJob {
    name: Option<String>,
    text: String,
    request: Request,
    input: Input,
}

impl SolveJob {
    /// Searches the position, and returns the result.
    fn answer(&self, server: &Server, job: &JobContext) -> Result<SolveResult, ApiError> {
        match self.request.parse_goal()? {
            Some(goal) => self.solve_goal(&goal, server, job),
            None => self.solve_cube(server, job),
        }
    }

    fn solve_goal(
        &self,
        goal: &GoalRequest,
        server: &Server,
        job: &JobContext,
    ) -> Result<SolveResult, ApiError> {
        self.send_start(job);
        let control = Control::new(server.tables.threads).with_cancel(&job.cancel);
        let solved = server.goals.solve(
            &self.request,
            goal,
            &self.position(),
            &|event| self.send_event(&event, job),
            &control,
        );
        Ok(solved.map_err(BatchError::from)?)
    }

    /// Searches the whole cube. The result always explains the position; `explain` in the request
    /// only makes the search find all shortest solutions.
    fn solve_cube(&self, server: &Server, job: &JobContext) -> Result<SolveResult, ApiError> {
        let request = &self.request;
        let metric = request.face_metric();
        // Until the table is loaded, a position close to the solved cube is solved without it. With
        // a maximum length it is not, because these solutions may be longer.
        let may_skip_table = request.max_length.is_none() && server.tables.is_optional(metric);
        let short = may_skip_table.then(|| ShortSolutions::find(&self.input.cube, metric));
        let engine: Box<dyn Engine> = match short.flatten() {
            Some(short) => Box::new(short),
            None => {
                let table = server.tables.for_job(metric, job)?;
                Box::new(Solver::new(table, server.tables.threads))
            }
        };
        self.send_start(job);
        let explained = Request {
            explain: true,
            ..request.clone()
        };
        let control = Control::new(server.tables.threads).with_cancel(&job.cancel);
        let solved = engine::solve(
            &*engine,
            &explained,
            request.options(),
            &self.position(),
            &|event| self.send_event(&SearchEvent::new(event, metric), job),
            &control,
        );
        Ok(solved.map_err(BatchError::from)?)
    }

    fn position(&self) -> ParsedPosition<'_> {
        ParsedPosition {
            name: self.name.as_deref(),
            ..ParsedPosition::unnamed(&self.text, &self.input)
        }
    }

    fn send_start(&self, job: &JobContext) {
        let cube = self.request.absolute(&self.input.cube);
        job.events
            .send(&SearchEvent::started(&self.position(), &cube));
    }

    fn send_event(&self, event: &SearchEvent, job: &JobContext) {
        match event {
            SearchEvent::Progress { .. } if !job.throttle.is_due() => {}
            SearchEvent::Progress { .. } | SearchEvent::Building { .. } => job.events.offer(event),
            _ => job.events.send(event),
        }
    }
}

/// An event of a batch that is being solved.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum BatchEvent {
    /// The result of a line, within the limits of the request.
    Answer(Box<SolveResult>),
    /// A line is not a valid position.
    Failure(SolveFailure),
    /// The progress of a line whose search takes long, at most once a second.
    Searching {
        /// The line number, counted from one.
        line: usize,
        /// The length that is searched: all shorter ones are ruled out.
        length: u8,
        /// The amount of work started, in an arbitrary unit.
        done: u64,
        /// The total amount of work of this length.
        total: u64,
        /// An estimate of the seconds until the end of this length.
        seconds_left: Option<f64>,
    },
    /// The progress of the batch.
    Progress {
        /// The number of lines with a result.
        done: u64,
        /// The number of lines, without comments and blank lines.
        total: u64,
        /// Positions solved per second.
        rate: Option<f64>,
        /// The estimated remaining time in seconds.
        seconds_left: Option<f64>,
    },
    /// The last event.
    End {
        /// The number of lines with a result.
        done: u64,
        /// The number of lines, without comments and blank lines.
        total: u64,
        /// `true` if the batch was stopped before every line had a result.
        stopped: bool,
    },
}

/// Find and prove a shortest solution for each line
///
/// Blank lines, and lines that begin with `#` or `//`, are skipped. A line may have a name before
/// its position, e.g. `T-perm: R U R' …`; tables with a header line, and JSON objects, are accepted
/// as well. Results arrive in the order in which they are found, each with its line number. A line
/// that is not a valid position produces a `failure`, and the others are still solved. Among 5,000
/// lines at a time, positions that are equivalent under symmetry and inversion are solved once.
#[utoipa::path(
    post, path = "/batch", operation_id = "solveBatch", tag = "Solving", params(Request),
    request_body(
        content = String,
        content_type = "text/plain",
        description = "one position per line, in any format, or a list in another format of \
            `cosette batch`; JSON Lines may also have the type application/x-ndjson or \
            application/jsonl",
    ),
    responses(
        (
            status = 200,
            description = "a stream of events that ends with `end` or `refused`",
            content((BatchEvent = "text/event-stream")),
        ),
        (
            status = 415,
            description = "the body is JSON or form data, not lines of text",
            body = ApiError,
        ),
    ),
)]
pub async fn batch(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Query<Request>, QueryRejection>,
    text: Result<String, StringRejection>,
) -> Result<Response, ApiError> {
    let Query(request) = request?;
    let text = text?;
    if request.position.is_some() {
        let help = "see /api/v1/openapi.json for the parameters";
        return Err(ApiError::malformed("unknown field `position`", help));
    }
    request.validate()?;
    let format = ResponseFormat::of_stream(&headers)?;
    check_content(&headers, &text)?;
    let count = move || {
        let lines = Lines::new(text.as_bytes()).map(|line| line.map(|_| 1));
        let total = lines.sum::<Result<u64, ListError>>();
        total.map(|total| (text, total))
    };
    let counted = server.run_blocking(count).await?.map_err(|error| {
        let (wrong, help) = split_help(&error.to_string());
        ApiError::invalid(wrong, help)
    });
    let (text, total) = counted?;
    if total == 0 {
        let help = "send one position per line";
        return Err(ApiError::invalid("the body has no positions", help));
    }
    let ticket = server.queue.join(SearchKind::Batch, &text)?;
    let (events, response) = jobs::response(format, &ticket);
    let mut batch = BatchJob {
        request,
        server,
        total,
        done: 0,
        unreadable: 0,
        start: None,
    };
    tokio::spawn(jobs::run(ticket, events, move |job| {
        batch.solve(&text, job)
    }));
    Ok(response)
}

/// Content types of lines, which may be JSON, because lists are stored that way.
const LINE_TYPES: [&str; 3] = ["text/plain", "application/x-ndjson", "application/jsonl"];

/// Rejects a body that is not lines of text.
fn check_content(headers: &HeaderMap, text: &str) -> Result<(), ApiError> {
    let has_content_type = |kind: &str| {
        headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.contains(kind))
    };
    // `curl -d @FILE` removes the line breaks, so that many scrambles would be one; `-F` adds lines
    // of its own.
    let is_one_line = has_content_type("x-www-form-urlencoded") && !text.contains('\n');
    let (error, help) = if is_one_line || has_content_type("multipart/form-data") {
        (
            match is_one_line {
                true => "the body is a form of one line, not lines of text",
                false => "the body is a form, not lines of text",
            },
            "with `curl`, use -H 'content-type: text/plain' --data-binary @FILE, because -d \
             removes line breaks and -F adds lines",
        )
    } else if !LINE_TYPES.into_iter().any(has_content_type)
        && (has_content_type("json") || begins_json(text))
    {
        // Other JSON may have fields of the request, which would be ignored.
        (
            "the body is JSON, not lines of text",
            "send one position per line as text/plain, or JSON Lines as application/x-ndjson, and \
             the options as query parameters",
        )
    } else {
        return Ok(());
    };
    Err(ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        error,
        help,
    ))
}

/// Returns `true` if a text begins like JSON, and not like the session of a timer, which is a valid
/// list.
fn begins_json(text: &str) -> bool {
    let symbols = text.chars().filter(|symbol| !symbol.is_whitespace());
    let start: String = symbols.take(2).collect();
    start.starts_with('{') && !text.starts_with("{\"session") || start == "[\"" || start == "[{"
}

/// Number of lines of a batch that are read and then solved together. All their positions and
/// results are in memory at once.
const PORTION: usize = 5_000;

/// Interval of the reports on a line that is being searched.
const LINE_INTERVAL: Duration = Duration::from_secs(1);

/// Returns a listener that reports the progress of each line.
fn line_listener(batch: &Batch, job: &JobContext) -> PositionListener {
    let events = job.events.clone();
    let entries = batch.list().entries().iter();
    let lines: Vec<(usize, Throttle)> = entries
        .map(|entry| (entry.line, Throttle::new(LINE_INTERVAL)))
        .collect();
    Arc::new(move |number, event| {
        let (line, throttle) = &lines[number];
        // The begin of the search starts the first interval.
        let is_due = throttle.is_due();
        let Event::Progress {
            length,
            progress,
            time_left,
            ..
        } = event
        else {
            return;
        };
        if is_due {
            events.offer(&BatchEvent::Searching {
                line: *line,
                length,
                done: progress.done,
                total: progress.total,
                seconds_left: time_left.map(|time_left| time_left.iteration.as_secs_f64()),
            });
        }
    })
}

/// A batch and its progress.
struct BatchJob {
    request: Request,
    server: Arc<Server>,
    /// Number of lines, without comments and blank lines.
    total: u64,
    /// Number of lines with a result, including the unreadable ones.
    done: u64,
    /// Number of lines that are not valid positions.
    unreadable: u64,
    /// The time at which the first search began.
    start: Option<Instant>,
}

impl BatchJob {
    /// Solves the lines of a text, one portion after another.
    fn solve(&mut self, text: &str, job: &JobContext) -> Result<(), ApiError> {
        let is_cancelled = || job.cancel.is_cancelled();
        let mut lines = Lines::new(text.as_bytes()).map_while(Result::ok).peekable();
        while lines.peek().is_some() && !is_cancelled() {
            let portion = lines.by_ref().take(PORTION).take_while(|_| !is_cancelled());
            let list = PositionList::read(portion, &self.request);
            self.solve_portion(Batch::open(list, self.request.clone(), true, None)?, job)?;
        }
        job.events.send(&BatchEvent::End {
            done: self.done,
            total: self.total,
            stopped: self.done < self.total,
        });
        Ok(())
    }

    fn solve_portion(&mut self, mut batch: Batch, job: &JobContext) -> Result<(), ApiError> {
        for entry in batch.list().entries() {
            if let Err(error) = &entry.input {
                self.done += 1;
                self.unreadable += 1;
                let name = entry.name.as_deref();
                let line = Some(entry.line);
                let failure = SolveFailure::unreadable(&entry.text, name, line, error);
                job.events.send(&BatchEvent::Failure(failure));
            }
        }
        let server = Arc::clone(&self.server);
        let table = match batch.has_goal() {
            true => None,
            false => Some(server.tables.for_job(self.request.face_metric(), job)?),
        };
        self.start.get_or_insert_with(Instant::now);
        job.events.offer(&self.progress());
        let mut on_answer = |_, answer| -> Result<(), BatchError> {
            self.done += 1;
            job.events.send(&BatchEvent::Answer(Box::new(answer)));
            if job.throttle.is_due() {
                job.events.offer(&self.progress());
            }
            Ok(())
        };
        let jobs = server.tables.threads;
        if let Some(table) = table {
            let solver = Solver::new(table, jobs);
            let on_event = line_listener(&batch, job);
            Workers { solver, jobs }.run_with_events(
                &mut batch,
                &job.cancel,
                on_event,
                &mut on_answer,
            )?;
        } else {
            let control = Control::new(jobs).with_cancel(&job.cancel);
            run_goal(&mut batch, &server.goals, &control, &mut on_answer)?;
        }
        Ok(())
    }

    fn progress(&self) -> BatchEvent {
        let solved = self.done - self.unreadable;
        let rate = self.start.filter(|_| solved > 0);
        let rate = rate.map(|start| solved as f64 / start.elapsed().as_secs_f64());
        BatchEvent::Progress {
            done: self.done,
            total: self.total,
            rate,
            seconds_left: rate.map(|rate| (self.total - self.done) as f64 / rate),
        }
    }
}

/// The running and waiting searches.
#[derive(Serialize, ToSchema)]
pub struct SearchList {
    /// The searches, the oldest first.
    solves: Vec<SearchInfo>,
}

/// List the running and waiting searches
///
/// Batches and searches for fewest moves are searches too.
#[utoipa::path(
    get, path = "/solves", operation_id = "listSolves", tag = "Solving",
    responses((status = 200, description = "the searches", body = SearchList)),
)]
pub async fn list(State(server): State<Arc<Server>>) -> Json<SearchList> {
    Json(SearchList {
        solves: server.queue.list(),
    })
}

/// Get the state of a search
#[utoipa::path(
    get, path = "/solves/{id}", operation_id = "getSolve", tag = "Solving",
    params(("id" = u64, Path, description = "the id of the search")),
    responses(
        (status = 200, description = "the search", body = SearchInfo),
        (status = 404, description = "there is no search with this id", body = ApiError),
    ),
)]
pub async fn search(
    State(server): State<Arc<Server>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<Json<SearchInfo>, ApiError> {
    let id = parse_id(id)?;
    server.queue.get(id).map(Json).ok_or_else(|| no_search(id))
}

/// Maximum length of an id quoted in an error, in characters.
const MAX_ID_LENGTH: usize = 60;

fn parse_id(id: Result<Path<String>, PathRejection>) -> Result<u64, ApiError> {
    let Path(text) = id?;
    text.parse().map_err(|_| {
        let text = shortened(&text, MAX_ID_LENGTH);
        ApiError::malformed(
            format!("`{text}` is not the id of a search"),
            "use the number in the first event of the search",
        )
    })
}

fn no_search(id: u64) -> ApiError {
    ApiError::not_found(format!("no search has the id {id}"), "it may have ended")
}

/// Stop a search or a batch
#[utoipa::path(
    delete, path = "/solves/{id}", operation_id = "stopSolve", tag = "Solving",
    params(("id" = u64, Path, description = "the id in the first event of the search")),
    responses(
        (
            status = 204,
            description = "stopping; its stream ends with the results found before the stop (for \
                insertions, without a result)",
        ),
        (status = 404, description = "there is no search with this id", body = ApiError),
    ),
)]
pub async fn stop(
    State(server): State<Arc<Server>>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, ApiError> {
    let id = parse_id(id)?;
    if server.queue.stop(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(no_search(id))
    }
}
