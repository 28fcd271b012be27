//! Answers that come bit by bit: events from the threads that work to the client, as server-sent events or as JSON lines.
//!
//! Nobody waits for a slow client: what it has not taken yet is kept for it. So whoever reports often reports through a
//! [`Pace`].

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::convert::Infallible;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tokio_stream::{Stream, StreamExt};

/// The form for programs that read lines.
pub const JSON_LINES: &str = "application/x-ndjson";

/// The end into which events are put.
#[derive(Clone, Debug)]
pub struct Events(UnboundedSender<String>);

impl Events {
    /// Puts an event in. Whether the client is still there is not told.
    pub fn put(&self, event: &impl Serialize) {
        match serde_json::to_string(event) {
            Ok(json) => drop(self.0.send(json)),
            Err(error) => tracing::error!(%error, "an event cannot be written"),
        }
    }

    /// Waits until the client has gone.
    pub async fn gone(&self) {
        self.0.closed().await;
    }
}

/// Both ends: one for those who work, and the response, in the form that the client accepts. The response ends when the
/// last [`Events`] is dropped.
pub fn response(headers: &HeaderMap) -> (Events, Response) {
    let (sender, receiver) = unbounded_channel();
    (Events(sender), respond(UnboundedReceiverStream::new(receiver), headers))
}

/// A stream of JSON texts as a response.
pub fn respond(events: impl Stream<Item = String> + Send + 'static, headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok()).unwrap_or_default();
    let mut response = if accepted.contains(JSON_LINES) {
        let lines = events.map(|json| Ok::<_, Infallible>(json + "\n"));
        ([(header::CONTENT_TYPE, JSON_LINES)], Body::from_stream(lines)).into_response()
    } else {
        let events = events.map(|json| Ok::<_, Infallible>(Event::default().data(json)));
        Sse::new(events).keep_alive(KeepAlive::default()).into_response()
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Lets a report through now and then.
#[derive(Debug)]
pub struct Pace {
    between: Duration,
    last: Mutex<Option<Instant>>,
}

impl Pace {
    /// One report in so much time.
    pub const fn every(between: Duration) -> Pace {
        Pace { between, last: Mutex::new(None) }
    }

    /// Whether it is time for a report; if so it is taken as made.
    pub fn is_due(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= self.between);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}
