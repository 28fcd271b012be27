//! The connections: how many there may be, and when the server closes one.
//!
//! | limit | against |
//! |---|---|
//! | `HEADER_TIMEOUT` | connections that send no request or half of one, also between two requests |
//! | `WRITE_TIMEOUT` | clients that do not read their response |
//! | `CONNECTION_LIMIT` | many connections at once |
//!
//! A connection is a stranger until one of its requests has shown the token ([`Admission::grant`]). Where there are as many
//! connections as there may be, a new one takes the place of the oldest stranger. So a flood from a client without the token
//! keeps nobody out.

use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

/// The most connections at a time: fewer than the 1,024 files that a process may usually have open.
const CONNECTION_LIMIT: usize = 512;

/// How long a connection may take to send the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(8);

/// How long a client may leave a response unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// The largest head of a request, in bytes.
const HEADER_LIMIT: usize = 32 << 10;

/// The most bytes of a connection that are buffered in each direction.
const BUFFER_LIMIT: usize = 64 << 10;

/// How long to wait when the system has no file or memory for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Serves connections until `stop`, then waits until those that are left have their responses.
pub async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let connections = Arc::new(Connections::new(CONNECTION_LIMIT));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    http.max_header_size(HEADER_LIMIT).max_buf_size(BUFFER_LIMIT);
    let service = TowerToHyperService::new(router);
    let mut stop = pin!(stop);
    loop {
        let next = async {
            let (stream, ends) = accept(&listener).await?;
            Ok::<_, io::Error>((stream, ends, connections.enter().await))
        };
        let (stream, ends, place) = tokio::select! {
            next = next => match next {
                Ok(next) => next,
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let (service, admission) = (service.clone(), place.admission());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(admission.clone());
            request.extensions_mut().insert(ends);
            service.call(request)
        });
        let stream = TokioIo::new(WriteTimeout { stream, stalled: None });
        let connection = graceful.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            tokio::select! {
                ended = connection => drop(ended.inspect_err(|error| tracing::debug!(%error, "a connection broke off"))),
                () = place.removal.notified() => {}
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// The addresses of the two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// The address of this machine that the client has connected to.
    pub local: IpAddr,
    /// The address of the client.
    pub peer: IpAddr,
}

impl Ends {
    /// Whether the client runs on this machine.
    pub fn are_one_machine(self) -> bool {
        self.peer.is_loopback() || self.peer == self.local
    }
}

/// The next connection. What is written is sent at once: with Nagle's algorithm, the last part of a response waits until
/// the client has acknowledged the part before, some 40 ms.
async fn accept(listener: &TcpListener) -> io::Result<(TcpStream, Ends)> {
    let (stream, peer) = listener.accept().await?;
    stream.set_nodelay(true)?;
    let ends = Ends { local: stream.local_addr()?.ip().to_canonical(), peer: peer.ip().to_canonical() };
    Ok((stream, ends))
}

/// The connections, of which only so many are let in.
struct Connections {
    places: Arc<Semaphore>,
    strangers: Mutex<Strangers>,
}

/// Connections that have not shown the token, the oldest first.
#[derive(Default)]
struct Strangers {
    next: u64,
    removals: BTreeMap<u64, Arc<Notify>>,
}

/// The place of a connection, given up on drop.
struct Place {
    number: u64,
    removal: Arc<Notify>,
    connections: Arc<Connections>,
    _permit: Option<OwnedSemaphorePermit>,
}

/// Tells that a connection has shown the token.
#[derive(Clone)]
pub struct Admission {
    number: u64,
    connections: Arc<Connections>,
}

impl Connections {
    fn new(limit: usize) -> Connections {
        Connections { places: Arc::new(Semaphore::new(limit)), strangers: Mutex::default() }
    }

    /// A place for a new connection. If there is none, the oldest stranger has to go; if there is no stranger, it waits.
    async fn enter(self: &Arc<Connections>) -> Place {
        if self.places.available_permits() == 0
            && let Some((_, removal)) = self.strangers().removals.pop_first()
        {
            removal.notify_one();
        }
        let permit = Arc::clone(&self.places).acquire_owned().await.ok();
        let removal = Arc::new(Notify::new());
        let mut strangers = self.strangers();
        let number = strangers.next;
        strangers.next += 1;
        strangers.removals.insert(number, Arc::clone(&removal));
        Place { number, removal, connections: Arc::clone(self), _permit: permit }
    }

    fn strangers(&self) -> MutexGuard<'_, Strangers> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    fn admission(&self) -> Admission {
        Admission { number: self.number, connections: Arc::clone(&self.connections) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.strangers().removals.remove(&self.number);
    }
}

impl Admission {
    /// The connection is no stranger any more, so it keeps its place.
    pub fn grant(&self) {
        self.connections.strangers().removals.remove(&self.number);
    }
}

/// A stream that fails when nothing could be written for [`WRITE_TIMEOUT`].
struct WriteTimeout {
    stream: TcpStream,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    /// Passes on the result of a write, or the end of the time limit while it waits.
    fn limited(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.limited(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.limited(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_written_to_a_client_is_sent_at_once() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, ends) = accept(&listener).await.unwrap();
        assert!(stream.nodelay().unwrap());
        assert!(ends.are_one_machine() && ends.local.is_loopback());
    }

    #[tokio::test]
    async fn a_new_connection_takes_the_place_of_the_oldest_stranger() {
        let connections = Arc::new(Connections::new(3));
        let admitted = connections.enter().await;
        admitted.admission().grant();
        let [older, newer] = [connections.enter().await, connections.enter().await];
        let entering = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.enter().await }
        });
        older.removal.notified().await;
        drop(older);
        let last = entering.await.unwrap();
        let left: Vec<u64> = connections.strangers().removals.keys().copied().collect();
        assert_eq!(left, [newer.number, last.number]);
        assert_eq!(admitted.number, 0);
    }
}
