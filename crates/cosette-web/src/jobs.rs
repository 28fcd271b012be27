//! Jobs: searches that wait, run, send events to their client, and stop.
//!
//! 1. A job joins the [`JobQueue`]: some run at a time, some wait, and more are rejected. Its
//!    [`Ticket`] has the id by which it can be stopped.
//! 2. [`run`] waits for its permit and works in a blocking thread. The job stops on request or when
//!    its client disconnects.
//! 3. Its events go to the client through an [`EventSender`], as server-sent events or as JSON
//!    lines. What the client has not read is in a queue. If the queue has [`EVENT_LIMIT`] events,
//!    the worker waits for the client, up to [`READ_TIMEOUT`]. Progress reports are dropped
//!    instead, and a [`Throttle`] limits their number. The worker of a cancelled job does not wait:
//!    its last events, which are few, are added to the queue.

use crate::accept::ResponseFormat;
use crate::api_error::ApiError;
use axum::Json;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use cosette::Cancel;
use cosette::cube::shortened;
use cosette_app::events::Throttle;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt, iter};
use utoipa::ToSchema;

/// The header of the response to a search that has its id.
pub const SEARCH_ID: HeaderName = HeaderName::from_static("search-id");

/// Maximum number of characters of a text that the list of searches shows.
const MAX_INPUT: usize = 200;

/// The queue of searches.
#[derive(Debug)]
pub struct JobQueue {
    /// A permit for each job that may run.
    permits: Arc<Semaphore>,
    /// Maximum number of running and waiting jobs.
    capacity: usize,
    next_id: AtomicU64,
    jobs: Mutex<BTreeMap<u64, QueuedJob>>,
    /// Signals that a job has left the queue.
    departures: watch::Sender<()>,
}

/// A running or waiting job.
#[derive(Debug)]
struct QueuedJob {
    kind: SearchKind,
    input: String,
    joined: Instant,
    is_running: bool,
    stop: StopSignal,
}

/// The kind of a search.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SearchKind {
    /// `POST /solve`
    Solve,
    /// `POST /batch`
    Batch,
    /// `POST /fmc`
    Fmc,
    /// `POST /fmc/insertions`
    Insertions,
    /// `POST /review`
    Review,
}

/// A running or waiting search.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchInfo {
    /// The id with which `DELETE /api/v1/solves/{id}` stops the search.
    id: u64,
    /// The kind of the search.
    kind: SearchKind,
    /// The text of the request, up to 200 characters.
    input: String,
    /// `true` if the search is running, `false` if it is waiting.
    running: bool,
    /// The number of searches ahead of a waiting one.
    ahead: usize,
    /// The time since the request, in seconds.
    seconds: f64,
}

/// A signal that stops a running or waiting job.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    /// Cancels the search.
    pub cancel: Cancel,
    sent: Arc<Notify>,
}

impl StopSignal {
    /// Sends the signal.
    pub fn send(&self) {
        self.cancel.cancel();
        self.sent.notify_one();
    }

    /// Waits for the signal.
    pub async fn received(&self) {
        if !self.cancel.is_cancelled() {
            self.sent.notified().await;
        }
    }
}

/// The place of a job in the queue, released on drop.
#[derive(Debug)]
pub struct Ticket {
    /// The id by which the job can be stopped.
    pub id: u64,
    /// Stops the job.
    pub stop: StopSignal,
    queue: Arc<JobQueue>,
}

impl JobQueue {
    /// Creates a queue in which `running` jobs run at a time and `waiting` more may wait.
    pub fn new(running: usize, waiting: usize) -> JobQueue {
        JobQueue {
            permits: Arc::new(Semaphore::new(running)),
            capacity: running.saturating_add(waiting),
            next_id: AtomicU64::new(1),
            jobs: Mutex::default(),
            departures: watch::Sender::default(),
        }
    }

    /// Adds a job that searches the positions of a text.
    ///
    /// # Errors
    ///
    /// Returns an error if the queue is full or closed.
    pub fn join(self: &Arc<JobQueue>, kind: SearchKind, text: &str) -> Result<Ticket, ApiError> {
        let mut jobs = self.jobs();
        if self.permits.is_closed() {
            return Err(ApiError::shutting_down());
        }
        if jobs.len() >= self.capacity {
            let (error, help) = match jobs.len() {
                1 => (
                    "1 search is already running".to_owned(),
                    "try again when it has ended",
                ),
                many => (
                    format!("{many} searches are already running or waiting"),
                    "try again when some of them have ended",
                ),
            };
            return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, error, help));
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let stop = StopSignal::default();
        let job = QueuedJob {
            kind,
            input: shortened(text, MAX_INPUT),
            joined: Instant::now(),
            is_running: false,
            stop: stop.clone(),
        };
        jobs.insert(id, job);
        Ok(Ticket {
            id,
            stop,
            queue: Arc::clone(self),
        })
    }

    /// Stops the job with this id. Returns `true` if there is one.
    pub fn stop(&self, id: u64) -> bool {
        let jobs = self.jobs();
        jobs.get(&id).inspect(|job| job.stop.send()).is_some()
    }

    /// Returns the running and waiting jobs, the oldest first.
    pub fn list(&self) -> Vec<SearchInfo> {
        let jobs = self.jobs();
        let info = |(ahead, (&id, job)): (usize, (&u64, &QueuedJob))| SearchInfo {
            id,
            kind: job.kind,
            input: job.input.clone(),
            running: job.is_running,
            ahead: if job.is_running { 0 } else { ahead },
            seconds: job.joined.elapsed().as_secs_f64(),
        };
        jobs.iter().enumerate().map(info).collect()
    }

    /// Returns the job with this id.
    pub fn get(&self, id: u64) -> Option<SearchInfo> {
        self.list().into_iter().find(|info| info.id == id)
    }

    /// Stops all jobs, and accepts no more.
    pub fn close(&self) {
        let jobs = self.jobs();
        self.permits.close();
        jobs.values().for_each(|job| job.stop.send());
    }

    /// Returns the number of running and waiting jobs.
    pub fn len(&self) -> usize {
        self.jobs().len()
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u64, QueuedJob>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Waits for the permit to run, which is valid until dropped. Returns `None` if the job is
    /// stopped first.
    pub async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        tokio::select! {
            biased;
            () = self.stop.received() => None,
            permit = Arc::clone(&self.queue.permits).acquire_owned() => {
                if let Some(job) = self.queue.jobs().get_mut(&self.id) {
                    job.is_running = true;
                }
                permit.ok()
            }
        }
    }

    /// Waits for the permit to run, and reports each change of the number of jobs ahead, including
    /// running ones.
    async fn permit_in_turn(&self, on_ahead: impl Fn(usize)) -> Option<OwnedSemaphorePermit> {
        let mut departures = self.queue.departures.subscribe();
        let mut ahead = self.ahead();
        on_ahead(ahead);
        let mut permit = pin!(self.permit());
        loop {
            tokio::select! {
                biased;
                permit = &mut permit => return permit,
                _ = departures.changed() => {
                    let ahead_now = self.ahead();
                    if ahead_now < ahead {
                        ahead = ahead_now;
                        on_ahead(ahead);
                    }
                }
            }
        }
    }

    /// Returns the number of jobs ahead of this one, including running ones; 0 if it can run at
    /// once.
    fn ahead(&self) -> usize {
        if self.queue.permits.available_permits() > 0 {
            return 0;
        }
        self.queue.jobs().range(..self.id).count()
    }

    /// Returns the header of the response that has the id.
    fn id_header(&self) -> [(HeaderName, HeaderValue); 1] {
        [(SEARCH_ID, self.id.into())]
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.queue.jobs().remove(&self.id);
        self.queue.departures.send_replace(());
    }
}

/// Minimum time between two progress reports.
pub const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Events before a search begins, or instead of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum QueueEvent {
    /// The search is in the queue: the first event, and sent again when `ahead` falls.
    Queued {
        /// The id with which `DELETE /api/v1/solves/{id}` stops it.
        id: u64,
        /// The number of searches ahead of it.
        ahead: usize,
    },
    /// The table of the search is being loaded, or generated if there is none.
    Preparing {
        /// The step, e.g. `loading htm-1.5G`.
        doing: String,
        /// The completed percentage of the step.
        percent: u64,
    },
    /// The search failed.
    Refused(ApiError),
}

/// The context of a running job.
pub struct JobContext {
    /// Sends events to its client.
    pub events: EventSender,
    /// Cancels the job.
    pub cancel: Cancel,
    /// Limits its progress reports.
    pub throttle: Throttle,
}

/// Returns the error of a job that was stopped before its search began.
pub fn stopped_early() -> ApiError {
    ApiError::conflict("stopped before the search began", "send the request again")
}

/// Runs a job, and responds in the format that its client accepts: with the events of the job, or
/// with its result only. `last_event` creates the last event from the result.
pub async fn run_and_respond<T, E, W>(
    ticket: Ticket,
    format: ResponseFormat,
    work: W,
    last_event: impl FnOnce(T) -> E + Send + 'static,
) -> Result<Response, ApiError>
where
    T: Serialize + Send + 'static,
    E: Serialize,
    W: FnOnce(&JobContext) -> Result<T, ApiError> + Send + 'static,
{
    if format == ResponseFormat::Json {
        // If the client disconnects, this function is dropped with the receiver, and the job stops.
        let (events, mut receiver) = EventSender::with_queue(&ticket.stop.cancel);
        let id_header = ticket.id_header();
        let answer = tokio::spawn(result(ticket, events, work));
        // The client gets no events.
        while receiver.recv().await.is_some() {}
        let answer = answer.await;
        let answer = answer.unwrap_or_else(|_| Err(ApiError::internal()));
        return Ok((id_header, answer.map(Json)).into_response());
    }
    let (events, response) = response(format, &ticket);
    let job = run(ticket, events, move |context| {
        context.events.send(&last_event(work(context)?));
        Ok(())
    });
    tokio::spawn(job);
    Ok(response)
}

/// Runs a job to its end. If it fails, the error is its last event.
pub async fn run<W>(ticket: Ticket, events: EventSender, work: W)
where
    W: FnOnce(&JobContext) -> Result<(), ApiError> + Send + 'static,
{
    let sender = events.clone();
    if let Err(error) = result(ticket, events, work).await {
        // Sending may block until the client has read earlier events.
        let _ = tokio::task::spawn_blocking(move || sender.send(&QueueEvent::Refused(error))).await;
    }
}

/// Runs a job to its end, and returns its result. If it fails while the server stops, that is the
/// reason.
async fn result<T, W>(ticket: Ticket, events: EventSender, work: W) -> Result<T, ApiError>
where
    T: Send + 'static,
    W: FnOnce(&JobContext) -> Result<T, ApiError> + Send + 'static,
{
    let queue = Arc::clone(&ticket.queue);
    let result = run_in_turn(ticket, events, work).await;
    result.map_err(|error| match queue.permits.is_closed() {
        true => ApiError::shutting_down(),
        false => error,
    })
}

/// Waits for the permit of a job, runs it, and returns its result.
async fn run_in_turn<T, W>(ticket: Ticket, events: EventSender, work: W) -> Result<T, ApiError>
where
    T: Send + 'static,
    W: FnOnce(&JobContext) -> Result<T, ApiError> + Send + 'static,
{
    let id = ticket.id;
    let on_ahead = |ahead| events.offer(&QueueEvent::Queued { id, ahead });
    let permit = tokio::select! {
        permit = ticket.permit_in_turn(on_ahead) => permit,
        () = events.closed() => None,
    };
    let _permit = permit.ok_or_else(stopped_early)?;
    let cancel = ticket.stop.cancel.clone();
    let throttle = Throttle::new(PROGRESS_INTERVAL);
    let context = JobContext {
        events: events.clone(),
        cancel: cancel.clone(),
        throttle,
    };
    let mut working = tokio::task::spawn_blocking(move || work(&context));
    let result = tokio::select! {
        result = &mut working => result,
        () = events.closed() => {
            tracing::debug!(id, "the client disconnected");
            cancel.cancel();
            working.await
        }
    };
    result.unwrap_or_else(|panic| {
        tracing::error!(%panic, "a search panicked");
        Err(ApiError::internal())
    })
}

/// Interval of the comments in a stream of server-sent events without events, after which some
/// proxies would close the connection.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Number of events in a queue at which the worker waits for the client.
const EVENT_LIMIT: usize = 64;

/// Interval at which a worker checks whether the client has made room in a full queue.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Time that a job waits for its client to make room in a full queue. A program that works on each
/// event reads slowly, and the system passes on what it has read in pieces of up to 64 KiB.
const READ_TIMEOUT: Duration = Duration::from_secs(300);

/// Time after the last event of a job whose client has not read, before the connection is closed:
/// what the connection has not written then is lost.
const CLOSE_DELAY: Duration = Duration::from_secs(10);

/// Sends events to the client.
#[derive(Clone, Debug)]
pub struct EventSender {
    /// A queue without a limit; `send` waits while it has `limit` events.
    queue: Sender<String>,
    limit: usize,
    read_timeout: Duration,
    /// Cancels the job.
    cancel: Cancel,
    /// `true` if the job was cancelled because the client does not read.
    is_abandoned: Arc<AtomicBool>,
}

impl EventSender {
    /// Creates a sender for a job that `cancel` cancels, and the queue of its client. Dropping the
    /// queue signals that the client has disconnected.
    fn with_queue(cancel: &Cancel) -> (EventSender, Receiver<String>) {
        let (queue, receiver) = channel(Semaphore::MAX_PERMITS);
        let sender = EventSender {
            queue,
            limit: EVENT_LIMIT,
            read_timeout: READ_TIMEOUT,
            cancel: cancel.clone(),
            is_abandoned: Arc::default(),
        };
        (sender, receiver)
    }

    fn is_full(&self) -> bool {
        self.queue.max_capacity() - self.queue.capacity() >= self.limit
    }

    /// Sends an event, and waits while the queue is full, unless the job is cancelled; for threads
    /// that may block. The event is dropped if the client has disconnected. A client that does not
    /// make room within [`READ_TIMEOUT`] cancels its job.
    pub fn send(&self, event: &impl Serialize) {
        let Some(text) = json(event) else { return };
        let deadline = Instant::now() + self.read_timeout;
        while self.is_full() && !self.cancel.is_cancelled() && !self.queue.is_closed() {
            if Instant::now() > deadline {
                self.is_abandoned.store(true, Ordering::Relaxed);
                self.cancel.cancel();
            }
            thread::sleep(POLL_INTERVAL);
        }
        drop(self.queue.try_send(text));
    }

    /// Sends an event unless the queue is full, without waiting.
    pub fn offer(&self, event: &impl Serialize) {
        if let Some(text) = json(event)
            && !self.is_full()
        {
            drop(self.queue.try_send(text));
        }
    }

    /// Waits until the client has disconnected.
    pub async fn closed(&self) {
        self.queue.closed().await;
    }
}

/// Serializes an event as JSON.
pub fn json(event: &impl Serialize) -> Option<String> {
    serde_json::to_string(event)
        .inspect_err(|error| tracing::error!(%error, "an event cannot be serialized"))
        .ok()
}

/// Returns a sender for a job, and the streamed response, which ends when the last sender is
/// dropped.
pub fn response(format: ResponseFormat, ticket: &Ticket) -> (EventSender, Response) {
    let (sender, receiver) = EventSender::with_queue(&ticket.stop.cancel);
    let response = response_of_sender(&sender, receiver, format);
    (sender, (ticket.id_header(), response).into_response())
}

/// Returns the streamed response with the events of a sender. If its job was cancelled because the
/// client did not read, the connection is closed after them without the end of the response, so
/// that every client notices.
fn response_of_sender(
    sender: &EventSender,
    receiver: Receiver<String>,
    format: ResponseFormat,
) -> Response {
    let is_abandoned = Arc::clone(&sender.is_abandoned);
    let end = iter([is_abandoned]).then(|is_abandoned| async move {
        if !is_abandoned.load(Ordering::Relaxed) {
            return None;
        }
        tokio::time::sleep(CLOSE_DELAY).await;
        Some(Err(io::Error::other("the client has not read its events")))
    });
    let end = end.filter_map(|error| error);
    streamed_response(ReceiverStream::new(receiver).map(Ok).chain(end), format)
}

/// Returns a response that streams JSON texts. An error closes the connection.
pub fn streamed_response(
    events: impl Stream<Item = io::Result<String>> + Send + 'static,
    format: ResponseFormat,
) -> Response {
    let mut response = if format == ResponseFormat::JsonLines {
        let lines = events.map(|json| Ok::<_, io::Error>(json? + "\n"));
        (
            [(header::CONTENT_TYPE, format.media_type())],
            Body::from_stream(lines),
        )
            .into_response()
    } else {
        let events = events.map(|json| Ok::<_, io::Error>(Event::default().data(json?)));
        Sse::new(events)
            .keep_alive(KeepAlive::new().interval(HEARTBEAT))
            .into_response()
    };
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_finished_job_frees_its_place_and_a_closed_queue_has_none() {
        let queue = Arc::new(JobQueue::new(1, 1));
        let first = join(&queue).unwrap();
        let permit = first.permit().await.unwrap();
        let second = join(&queue).unwrap();
        assert!(join(&queue).is_err());
        drop((permit, first));
        assert!(second.permit().await.is_some());
        assert!(join(&queue).is_ok());
        queue.close();
        assert!(second.stop.cancel.is_cancelled() && join(&queue).is_err());
    }

    fn join(queue: &Arc<JobQueue>) -> Result<Ticket, ApiError> {
        queue.join(SearchKind::Solve, "R")
    }

    #[test]
    fn the_error_of_a_full_queue_counts_the_searches() {
        for (waiting, message) in [
            (0, "1 search is already running; "),
            (1, "2 searches are already running or waiting; "),
        ] {
            let queue = Arc::new(JobQueue::new(1, waiting));
            let _joined: Vec<Ticket> = (0..=waiting).map(|_| join(&queue).unwrap()).collect();
            let refusal = join(&queue).unwrap_err().to_string();
            assert!(refusal.starts_with(message), "{refusal}");
        }
    }

    /// A sender whose queue is full with this many events.
    fn limited(limit: usize) -> (EventSender, Receiver<String>) {
        let (sender, receiver) = EventSender::with_queue(&Cancel::new());
        (EventSender { limit, ..sender }, receiver)
    }

    #[test]
    fn a_worker_waits_for_a_slow_client_and_loses_nothing() {
        let (sender, mut receiver) = limited(2);
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
    fn an_event_offered_to_a_full_queue_is_dropped() {
        let (sender, mut receiver) = limited(1);
        sender.offer(&1);
        sender.offer(&2);
        drop(sender);
        assert_eq!(
            (receiver.blocking_recv(), receiver.blocking_recv()),
            (Some("1".to_owned()), None)
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_read_stops_its_job_and_loses_its_connection_after_the_events() {
        for (read_timeout, is_lost) in [(Duration::ZERO, true), (READ_TIMEOUT, false)] {
            let (mut sender, receiver) = limited(1);
            sender.read_timeout = read_timeout;
            let response = response_of_sender(&sender, receiver, ResponseFormat::JsonLines);
            let worker = thread::spawn(move || {
                (0..3).for_each(|number| sender.send(&number));
                sender.cancel.is_cancelled()
            });
            thread::sleep(Duration::from_millis(100));
            let parts: Vec<_> = response.into_body().into_data_stream().collect().await;
            let texts = parts.iter().map_while(|part| part.as_deref().ok());
            assert_eq!(texts.collect::<Vec<_>>(), [b"0\n", b"1\n", b"2\n"]);
            assert_eq!(parts.last().unwrap().is_err(), is_lost);
            assert_eq!(worker.join().unwrap(), is_lost);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_without_events_has_a_comment_before_proxies_close_it() {
        let response = streamed_response(tokio_stream::pending(), ResponseFormat::EventStream);
        let mut parts = response.into_body().into_data_stream();
        let start = tokio::time::Instant::now();
        assert_eq!(parts.next().await.unwrap().unwrap(), ":\n\n");
        assert!((20..25).contains(&start.elapsed().as_secs()));
    }

    #[test]
    fn a_cancelled_job_does_not_wait_for_its_client_and_loses_nothing() {
        let (sender, receiver) = limited(1);
        sender.cancel.cancel();
        (0..1000).for_each(|number| sender.send(&number));
        assert_eq!(receiver.len(), 1000);
    }
}
