//! Streamed responses: events from the worker threads to the client, as server-sent events or as JSON lines.
//!
//! Workers do not wait for a slow client: events it has not read are buffered. So frequent reports go through a
//! [`Throttle`].

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

/// The content type of JSON lines.
pub const JSON_LINES: &str = "application/x-ndjson";

/// Sends events to the client.
#[derive(Clone, Debug)]
pub struct EventSender(UnboundedSender<String>);

impl EventSender {
    /// Sends an event; it is dropped if the client has disconnected.
    pub fn send(&self, event: &impl Serialize) {
        match serde_json::to_string(event) {
            Ok(json) => drop(self.0.send(json)),
            Err(error) => tracing::error!(%error, "an event cannot be serialised"),
        }
    }

    /// Waits until the client has disconnected.
    pub async fn closed(&self) {
        self.0.closed().await;
    }
}

/// A sender, and the response in the format that the client accepts. The response ends when the last sender is dropped.
pub fn response(headers: &HeaderMap) -> (EventSender, Response) {
    let (sender, receiver) = unbounded_channel();
    (EventSender(sender), respond(UnboundedReceiverStream::new(receiver), headers))
}

/// A response that streams JSON texts.
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

/// Limits how often something is reported.
#[derive(Debug)]
pub struct Throttle {
    interval: Duration,
    last: Mutex<Option<Instant>>,
}

impl Throttle {
    /// At most one report in each interval.
    pub const fn new(interval: Duration) -> Throttle {
        Throttle { interval, last: Mutex::new(None) }
    }

    /// Whether a report is due. If so, the next one is due an interval later.
    pub fn is_due(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= self.interval);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}
