//! Streamed responses: events from the worker threads to the client, as server-sent events or as JSON lines.
//!
//! The events that a client has not read are in a queue of [`QUEUE_LENGTH`]. If it is full, the worker waits for the client,
//! which [`connections`](crate::connections) disconnects if it reads nothing at all. Reports of progress are dropped instead,
//! and limited by a [`Throttle`].

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use cosette::Cancel;
use serde::Serialize;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};

/// The content type of JSON lines.
pub const JSON_LINES: &str = "application/x-ndjson";

/// How many events may wait for the client.
const QUEUE_LENGTH: usize = 64;

/// How often a worker looks whether the client has made room in a full queue.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// How long a cancelled job waits for its client to read the last events.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// Sends events to the client.
#[derive(Clone, Debug)]
pub struct EventSender {
    queue: Sender<String>,
    /// Cancels the job.
    cancel: Cancel,
    /// Whether the job was cancelled and the client did not read what it still had to say.
    is_abandoned: Arc<AtomicBool>,
}

impl EventSender {
    /// Sends an event, and waits while the queue is full. It is dropped if the client has disconnected, or if the job is
    /// cancelled and the client does not read. For threads that may block.
    pub fn send(&self, event: &impl Serialize) {
        if self.is_abandoned.load(Ordering::Relaxed) {
            return;
        }
        let mut unsent = json(event);
        let mut cancelled = None;
        while let Some(text) = unsent {
            unsent = match self.queue.try_send(text) {
                Ok(()) | Err(TrySendError::Closed(_)) => return,
                Err(TrySendError::Full(text)) => Some(text),
            };
            if self.cancel.is_cancelled() && cancelled.get_or_insert_with(Instant::now).elapsed() > LAST_WAIT {
                return self.is_abandoned.store(true, Ordering::Relaxed);
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Sends an event unless the queue is full. Does not wait.
    pub fn offer(&self, event: &impl Serialize) {
        if let Some(text) = json(event) {
            drop(self.queue.try_send(text));
        }
    }

    /// Waits until the client has disconnected.
    pub async fn closed(&self) {
        self.queue.closed().await;
    }
}

/// An event as JSON.
pub fn json(event: &impl Serialize) -> Option<String> {
    serde_json::to_string(event).inspect_err(|error| tracing::error!(%error, "an event cannot be serialised")).ok()
}

/// A sender for a job that `cancel` cancels, and the response in the format that the client accepts. The response ends when
/// the last sender is dropped.
pub fn response(headers: &HeaderMap, cancel: &Cancel) -> (EventSender, Response) {
    let (queue, receiver) = channel(QUEUE_LENGTH);
    let sender = EventSender { queue, cancel: cancel.clone(), is_abandoned: Arc::default() };
    (sender, respond(ReceiverStream::new(receiver), headers))
}

/// Whether the client accepts only one JSON object: the answer, without the events before.
pub fn is_answer_wanted(headers: &HeaderMap) -> bool {
    let accepted = accepted(headers);
    accepted.contains("application/json")
        && ![JSON_LINES, "text/event-stream"].iter().any(|kind| accepted.contains(kind))
}

/// What the client accepts.
fn accepted(headers: &HeaderMap) -> &str {
    headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok()).unwrap_or_default()
}

/// A sender for a job that `cancel` cancels, whose events nobody reads, and what tells it that the client has disconnected
/// when it is dropped.
pub fn unread(cancel: &Cancel) -> (EventSender, Receiver<String>) {
    let (queue, receiver) = channel(1);
    (EventSender { queue, cancel: cancel.clone(), is_abandoned: Arc::new(true.into()) }, receiver)
}

/// A response that streams JSON texts.
pub fn respond(events: impl Stream<Item = String> + Send + 'static, headers: &HeaderMap) -> Response {
    let mut response = if accepted(headers).contains(JSON_LINES) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A sender, and the queue of its client.
    fn queue(length: usize) -> (EventSender, tokio::sync::mpsc::Receiver<String>) {
        let (queue, receiver) = channel(length);
        (EventSender { queue, cancel: Cancel::new(), is_abandoned: Arc::default() }, receiver)
    }

    #[test]
    fn a_worker_waits_for_a_slow_client_and_loses_nothing() {
        let (sender, mut receiver) = queue(2);
        let worker = thread::spawn(move || (0..50).for_each(|number| sender.send(&number)));
        thread::sleep(Duration::from_millis(50));
        assert!(!worker.is_finished() && receiver.len() == 2);
        for number in 0..50 {
            assert_eq!(receiver.blocking_recv(), Some(number.to_string()));
        }
        worker.join().unwrap();
        assert_eq!(receiver.blocking_recv(), None);
    }

    #[test]
    fn what_is_offered_to_a_full_queue_is_dropped() {
        let (sender, mut receiver) = queue(1);
        sender.offer(&1);
        sender.offer(&2);
        drop(sender);
        assert_eq!((receiver.blocking_recv(), receiver.blocking_recv()), (Some("1".to_owned()), None));
    }

    #[test]
    fn a_cancelled_job_does_not_wait_for_its_client_for_long() {
        let (sender, _receiver) = queue(1);
        sender.cancel.cancel();
        let start = Instant::now();
        (0..1000).for_each(|number| sender.send(&number));
        assert!(start.elapsed() < 3 * LAST_WAIT, "{:?}", start.elapsed());
    }
}
