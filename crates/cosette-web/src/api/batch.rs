//! Many positions: a line each in, a result each out, as they are ready.

use super::MetricName;
use super::solve::solved_by;
use crate::refusal::Refusal;
use crate::server::Server;
use crate::stream;
use crate::work::{BeforeSearch, Work, lead};
use axum::extract::rejection::{QueryRejection, StringRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use cosette::cube::{Cube, Input, Metric, ReadOptions, read_position};
use cosette::search::{Options, Outcome, Report, TwoPhaseUse};
use cosette_front::answer::Answer;
use cosette_front::json;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use utoipa::{IntoParams, ToSchema};

/// How to solve them.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BatchOptions {
    /// What is counted as one move.
    #[serde(default)]
    #[param(inline, required = false)]
    metric: MetricName,
    /// Give up on a position once every length up to this one is ruled out.
    max_length: Option<u8>,
}

/// What the client is told: that the batch is registered, how its table is loaded, then a result for each line.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(dead_code)] // it describes the stream and is never made
pub enum BatchEvents {
    /// Before the search.
    Before(BeforeSearch),
    /// The search.
    Batch(BatchEvent),
}

/// What happens while a batch is solved.
#[derive(Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum BatchEvent {
    /// A line is solved.
    Answer(Box<json::Solve>),
    /// A line is no position.
    Failure(json::NotSolved),
    /// How far the batch is.
    Progress {
        /// Lines with a result.
        done: u64,
        /// All lines that hold something.
        total: u64,
        /// Positions solved a second.
        rate: Option<f64>,
        /// About so many seconds remain.
        seconds_left: Option<f64>,
    },
    /// The last event.
    End {
        /// Lines with a result.
        done: u64,
        /// All lines that hold something.
        total: u64,
        /// Whether it was stopped before all had one.
        stopped: bool,
    },
}

/// Prove the shortest solution of each line
///
/// Empty lines, and those that begin with `#` or `//`, are passed over. Answers come as they are ready, each with the number of its
/// line; a line that is no position gets a `failure`, and the rest goes on.
#[utoipa::path(
    post, path = "/batch", params(BatchOptions), request_body(content = String, content_type = "text/plain", description = "one position a line, in any format"),
    responses(
        (status = 200, description = "events, the last of them `end` or `refused`", body = BatchEvents, content_type = "text/event-stream"),
        (status = 413, description = "the body is too large", body = Refusal),
        (status = 422, description = "no line holds anything", body = Refusal),
        (status = 429, description = "too many searches wait already", body = Refusal),
    ),
)]
pub async fn batch(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    options: Result<Query<BatchOptions>, QueryRejection>,
    text: Result<String, StringRejection>,
) -> Result<Response, Refusal> {
    let (Query(options), text) = (options?, text?);
    if !text.lines().any(holds_something) {
        let error = "there is no position in the body";
        return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, error, "send one position a line"));
    }
    let entry = server.desk.register()?;
    let (events, response) = stream::response(&headers);
    tokio::spawn(lead(entry, events, move |work| Lines::read(&text, work).solve(&server, &options, work)));
    Ok(response)
}

/// The lines of a batch.
#[derive(Default)]
struct Lines {
    positions: Vec<(usize, String, Input)>,
    faulty: Vec<json::NotSolved>,
}

/// Whether a line is not passed over.
fn holds_something(line: &str) -> bool {
    let line = line.trim();
    !(line.is_empty() || line.starts_with('#') || line.starts_with("//"))
}

impl Lines {
    fn read(text: &str, work: &Work) -> Lines {
        let mut lines = Lines::default();
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| holds_something(line)) {
            if work.cancel.is_cancelled() {
                break;
            }
            let line = line.trim();
            match read_position(line, None, &ReadOptions::default()) {
                // A line may stand for a million turns; the position is all that is needed of them.
                Ok(input) => lines.positions.push((number, line.to_owned(), Input { sequence: None, ..input })),
                Err(error) => lines.faulty.push(json::NotSolved::unreadable(line, Some(number), &error)),
            }
        }
        lines
    }

    fn total(&self) -> u64 {
        (self.positions.len() + self.faulty.len()) as u64
    }

    fn solve(&self, server: &Server, asked: &BatchOptions, work: &Work) -> Result<(), Refusal> {
        for faulty in &self.faulty {
            work.events.put(&BatchEvent::Failure(faulty.clone()));
        }
        let metric = asked.metric.into();
        let solver = work.solver(&server.solvers, metric)?;
        let (start, done) = (Instant::now(), AtomicU64::new(self.faulty.len() as u64));
        let options = Options { max_length: asked.max_length, two_phase: TwoPhaseUse::Meanwhile, ..Options::default() };
        let on_solved = |number: usize, report: Report| {
            // A search that was stopped has no result.
            if report.outcome == Outcome::Cancelled {
                return;
            }
            work.events.put(&self.result(number, report, &options, metric, &solver));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if work.pace.is_due() {
                work.events.put(&self.progress(done, start));
            }
        };
        let positions: Vec<Cube> = self.positions.iter().map(|(.., input)| input.cube).collect();
        work.events.put(&self.progress(done.load(Ordering::Relaxed), start));
        solver.solve_each(&positions, &options, &on_solved, &work.cancel);
        let (done, total) = (done.into_inner(), self.total());
        work.events.put(&BatchEvent::End { done, total, stopped: done < total });
        Ok(())
    }

    fn result(
        &self,
        number: usize,
        report: Report,
        options: &Options<'_>,
        metric: Metric,
        solver: &cosette::search::Solver,
    ) -> BatchEvent {
        let (line, text, input) = &self.positions[number];
        match Answer::new((text, Some(*line), input), report, options, solved_by(metric, solver), None) {
            Ok(answer) => BatchEvent::Answer(Box::new((&answer).into())),
            Err(mismatch) => {
                tracing::error!(%mismatch);
                let (error, help) = (mismatch.to_string(), Some("please report this".to_owned()));
                BatchEvent::Failure(json::NotSolved { input: text.clone(), line: Some(*line), error, help, span: None })
            }
        }
    }

    fn progress(&self, done: u64, start: Instant) -> BatchEvent {
        let (total, solved) = (self.total(), done - self.faulty.len() as u64);
        let rate = (solved > 0).then(|| solved as f64 / start.elapsed().as_secs_f64());
        BatchEvent::Progress { done, total, rate, seconds_left: rate.map(|rate| (total - done) as f64 / rate) }
    }
}
