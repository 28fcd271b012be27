//! One position: JSON in, events out, the answer last.

use super::{FormatName, MetricName};
use crate::refusal::Refusal;
use crate::server::Server;
use crate::stream;
use crate::work::{BeforeSearch, Work, lead};
use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use cosette::Cancel;
use cosette::cube::{Input, Metric, ReadOptions, read_position};
use cosette::search::{Event, Options, SolutionCount, Solver, TwoPhaseUse};
use cosette_app::answer::{Answer, SolvedBy, Stop};
use cosette_app::json;
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use utoipa::ToSchema;

/// What to solve, and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// The position: moves, 54 facelets, Reid's twenty pieces or Speffz cycles.
    #[schema(example = "R U2 F'")]
    position: String,
    /// The format of the position; recognised by itself where it is left out.
    format: Option<FormatName>,
    /// Whether round brackets hold moves on the inverse, as in fewest-moves notes.
    #[serde(default)]
    niss: bool,
    /// What is counted as one move.
    #[serde(default)]
    metric: MetricName,
    /// How many of the shortest solutions to find.
    #[serde(default)]
    count: Count,
    /// Give up once every length up to this one is ruled out.
    max_length: Option<u8>,
    /// Give up after so many seconds of searching.
    timeout: Option<f64>,
    /// Of all the shortest solutions take one that is shortest in this metric too; it searches all of them.
    prefer: Option<MetricName>,
    /// Whether to say in the answer what is special about the position.
    #[serde(default)]
    explain: bool,
}

/// How many of the shortest solutions to find: a number, or `"all"`.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(untagged)]
enum Count {
    /// So many at most.
    #[schema(value_type = u64)]
    AtMost(NonZeroUsize),
    /// All there are.
    All(All),
}

/// The word `all`.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum All {
    /// All there are.
    All,
}

impl Default for Count {
    fn default() -> Count {
        Count::AtMost(NonZeroUsize::MIN)
    }
}

/// What the client is told, in this order: that the search is registered, how its table is loaded, what is found and
/// ruled out, the answer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "the OpenAPI document describes the stream by it; events are made one by one")]
pub enum SolveEvent {
    /// Before the search.
    Before(BeforeSearch),
    /// The search.
    Search(json::Event),
}

/// Prove the shortest solution of a position
///
/// The first event gives the id by which the search is stopped; so is it when the client closes the connection. A search that is
/// stopped answers with what is proven by then.
#[utoipa::path(
    post, path = "/solve", request_body = SolveRequest,
    responses(
        (status = 200, description = "events, the last of them `answer` or `refused`", body = SolveEvent, content_type = "text/event-stream"),
        (status = 413, description = "the body is too large", body = Refusal),
        (status = 422, description = "the position is none, or the request is not as described", body = Refusal),
        (status = 429, description = "too many searches wait already", body = Refusal),
    ),
)]
pub async fn solve(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    request: Result<Json<SolveRequest>, JsonRejection>,
) -> Result<Response, Refusal> {
    let Json(request) = request?;
    let timeout = request.timeout.map(Duration::try_from_secs_f64).transpose().map_err(|error| {
        let error = format!("the timeout cannot be kept: {error}");
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error, "write a number of seconds, as in 60 or 0.5")
    })?;
    let options = ReadOptions { niss: request.niss };
    let input = read_position(&request.position, request.format.map(Into::into), &options)?;
    let entry = server.desk.register()?;
    let (events, response) = stream::response(&headers);
    let asked = Asked {
        text: request.position,
        input,
        metric: request.metric.into(),
        timeout,
        prefer: request.prefer.map(Into::into),
        explain: request.explain,
    };
    let options = Options {
        wanted: match request.count {
            _ if request.prefer.is_some() => SolutionCount::All,
            Count::AtMost(NonZeroUsize::MIN) => SolutionCount::One,
            Count::AtMost(count) => SolutionCount::AtMost(count),
            Count::All(_) => SolutionCount::All,
        },
        max_length: request.max_length,
        known: None,
        two_phase: TwoPhaseUse::AtOnce,
    };
    let runtime = Handle::current();
    tokio::spawn(lead(entry, events, move |work| asked.answer(&server, &options, work, &runtime)));
    Ok(response)
}

/// A position to be solved.
struct Asked {
    text: String,
    input: Input,
    metric: Metric,
    timeout: Option<Duration>,
    prefer: Option<Metric>,
    explain: bool,
}

impl Asked {
    fn answer(&self, server: &Server, options: &Options<'_>, work: &Work, runtime: &Handle) -> Result<(), Refusal> {
        let table = work.table(&server.tables, self.metric)?;
        let by = SolvedBy { engine: "cosette", metric: self.metric, tables: table.id().to_string(), is_optimal: true };
        let solver = Solver::new(table, server.tables.threads);
        work.events.put(&json::Event::started(&self.text, None, &self.input.cube));
        let alarm = self.timeout.map(|limit| Alarm::set(limit, work.cancel.clone(), runtime));
        let on_event = |event: Event<'_>| {
            if !matches!(event, Event::Progress { .. }) || work.pace.is_due() {
                work.events.put(&json::Event::new(event, self.metric));
            }
        };
        let report = solver.solve(&self.input.cube, options, &on_event, &work.cancel);
        let has_rung = alarm.is_some_and(|alarm| alarm.has_rung());
        let asked = work.cancel.is_cancelled().then_some(if has_rung { Stop::Timeout } else { Stop::Interrupt });
        let mut answer =
            Answer::new((&self.text, None, &self.input), report, options, by, asked).map_err(|mismatch| {
                tracing::error!(%mismatch);
                Refusal::internal()
            })?;
        if self.explain {
            answer = answer.explained();
        }
        if let Some(metric) = self.prefer {
            answer = answer.preferring(metric);
        }
        work.events.put(&json::Event::Answer(Box::new((&answer).into())));
        Ok(())
    }
}

/// Stops a search when its time is up.
struct Alarm {
    rung: Arc<AtomicBool>,
    waiting: JoinHandle<()>,
}

impl Alarm {
    fn set(limit: Duration, cancel: Cancel, runtime: &Handle) -> Alarm {
        let rung = Arc::new(AtomicBool::new(false));
        let ringing = Arc::clone(&rung);
        let waiting = runtime.spawn(async move {
            tokio::time::sleep(limit).await;
            if !cancel.is_cancelled() {
                ringing.store(true, Ordering::Relaxed);
                cancel.cancel();
            }
        });
        Alarm { rung, waiting }
    }

    /// Turns it off; whether it has rung.
    fn has_rung(self) -> bool {
        self.waiting.abort();
        self.rung.load(Ordering::Relaxed)
    }
}

/// Stop a search or a batch
#[utoipa::path(
    delete, path = "/solves/{id}",
    params(("id" = u64, Path, description = "what the first event of the search gave")),
    responses(
        (status = 204, description = "asked to stop; its stream ends with what is proven by then"),
        (status = 404, description = "there is no such search under way", body = Refusal),
    ),
)]
pub async fn stop(
    State(server): State<Arc<Server>>,
    id: Result<Path<u64>, PathRejection>,
) -> Result<StatusCode, Refusal> {
    let Path(id) = id?;
    if server.desk.stop(id) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refusal::not_found(format!("there is no search {id} under way"), "it may have ended by itself"))
    }
}
