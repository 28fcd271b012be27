//! The server `cosette-web`: a local web app that finds and proves shortest solutions, and its HTTP
//! API.
//!
//! | file | contents |
//! |---|---|
//! | `args` | the command line |
//! | `access` | access control: pages, machines and clients that may use the server |
//! | `body` | bodies of requests that are encoded, or not read to their end |
//! | `accept` | content negotiation: the format of a response |
//! | `server` | shared state of the handlers |
//! | `jobs` | searches: the queue, their execution, their event streams |
//! | `tables` | the tables in memory, and the generations of tables |
//! | `page` | the web app, embedded in the program |
//! | `api_error` | errors as HTTP responses, with remedies |
//! | `api/` | the requests and responses |
//! | `ui/` | the web app, in TypeScript |

mod accept;
mod access;
mod api;
mod api_error;
mod args;
mod body;
mod jobs;
mod page;
mod server;
mod tables;

use accept::ResponseFormat;
use access::{Access, AccessToken, ConnectionAddrs, Guard, ListenConfig, TOKEN_VARIABLE};
use api_error::ApiError;
use args::Args;
use axum::Router;
use axum::middleware::from_fn_with_state;
use clap::Parser;
#[cfg(unix)]
use cosette_app::cli::interrupt::is_ignored;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use server::{Server, SharingInfo};
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot::{self, Receiver};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::timeout::{RequestBodyDeadlineLayer, RequestBodyTimeoutLayer};

/// Time that a stopping server gives its clients to read their last events.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum time between two parts of the body of a request.
const BODY_PAUSE: Duration = Duration::from_secs(8);

/// Maximum time for the body of a request.
const BODY_DEADLINE: Duration = Duration::from_secs(120);

/// Maximum time for the head of a request, and maximum idle time between two requests of a
/// connection.
const HEADER_TIMEOUT: Duration = Duration::from_secs(8);

/// Maximum size of the head of a request, in bytes.
const HEADER_LIMIT: usize = 32 << 10;

/// Maximum number of buffered bytes of a connection in each direction.
const BUFFER_LIMIT: usize = 64 << 10;

/// Size of the send buffer of a connection, in bytes. The system would let it grow to megabytes,
/// and report room for more only once a third of it is free: for minutes, a client that reads slowly
/// would look like one that does not read.
const SEND_BUFFER: u32 = 64 << 10;

/// Maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// Time to wait if the system has no file descriptor or memory for another connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

/// Runs the server, from its arguments to its exit code.
#[tokio::main]
pub async fn main() -> ExitCode {
    let args = Args::read().unwrap_or_else(|error| error.exit());
    let colors = std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::INFO)
        .with_target(false)
        .with_ansi(colors)
        // If the log cannot be written, reporting that would fail as well, and panic.
        .log_internal_errors(false)
        .with_writer(std::io::stderr)
        .init();
    match serve(&args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Raises the limit of open files, and thus of connections, as far as the system allows. On macOS
/// the initial limit is 256: once as many connections are idle, new ones wait until some of them
/// time out.
#[cfg(unix)]
fn allow_many_connections() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// The maximum that macOS accepts.
    const MAX_FILES: u64 = 10_240;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let new_limit = maximum.map_or(MAX_FILES, |maximum| maximum.min(MAX_FILES));
    if current.is_none_or(|current| current >= new_limit) {
        return;
    }
    let limit = Rlimit {
        current: Some(new_limit),
        maximum,
    };
    if let Err(refused) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!(%refused, "cannot raise the limit on open files");
    }
}

async fn serve(args: &Args) -> Result<(), String> {
    #[cfg(unix)]
    allow_many_connections();
    // With a handler for it, exceeding the file size limit is a write error, which does not end the
    // process. 25 is SIGXFSZ on Linux and macOS.
    #[cfg(unix)]
    let _file_size_handler =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(25));
    let folder = args.store.folder.folder();
    let folder = folder.map_err(|error| ApiError::from(error).to_string())?;
    let listener = listen(SocketAddr::from((args.host, args.port)))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let port = address.port();
    let (token, is_token_chosen) = args.token();
    let sharing = SharingInfo::new(args.host, port, token.as_ref());
    let server = Arc::new(Server::new(args, folder, sharing));
    // Generates the tables of the two-phase search now, so that the first request need not wait for
    // them.
    tokio::task::spawn_blocking(cosette::twophase::TwoPhase::get);
    let preloading_server = Arc::clone(&server);
    tokio::task::spawn_blocking(move || preloading_server.preload());
    let mut entry_url = server::address(args.host, port);
    if let Some(token) = token.as_ref().filter(|_| !is_token_chosen) {
        entry_url = format!("{entry_url}/?token={}", token.text());
    }
    announce(args, &entry_url, is_token_chosen)?;
    let listen_config = ListenConfig {
        port,
        is_shared: !args.host.is_loopback(),
    };
    let guard = Guard {
        listening: listen_config,
        allowed_origins: args.allow_origin.clone(),
    };
    let router = router(Arc::clone(&server), token, guard);
    let (stop_sender, stop_receiver) = oneshot::channel();
    // Running work is cancelled first, because the server waits until each connection has its
    // response.
    let stop = async {
        stop_signal().await;
        tracing::info!("stopping");
        server.close();
        let _ = stop_sender.send(());
    };
    tokio::select! {
        () = serve_connections(listener, router, stop) => {}
        () = wait_for_last_events(stop_receiver) => {}
    }
    Ok(())
}

/// Prints the address of the web app, opens it in a browser if requested, and logs warnings.
fn announce(args: &Args, entry_url: &str, is_token_chosen: bool) -> Result<(), String> {
    if args.is_token_unused() {
        tracing::warn!(
            "with --no-token, {TOKEN_VARIABLE} is ignored: every user of this machine can use the \
             server"
        );
    }
    let mut out = std::io::stdout();
    writeln!(out, "{entry_url}")
        .and_then(|()| out.flush())
        .map_err(|error| format!("cannot print the address: {error}"))?;
    if args.open
        && let Err(error) = open::that_detached(entry_url)
    {
        tracing::warn!("cannot open a browser: {error}; open the printed address yourself");
    }
    if !page::is_embedded() {
        tracing::warn!(
            "built without the web app; run `{}` and build again",
            page::BUILD_COMMAND
        );
    }
    if !args.host.is_loopback() {
        tracing::warn!(
            "other machines with the token can use this server; the connection is not encrypted"
        );
        if !is_token_chosen {
            tracing::info!(
                "for a token that is easy to type, set {TOKEN_VARIABLE} to one of at least eight \
                 characters"
            );
        }
    }
    Ok(())
}

fn listen(address: SocketAddr) -> Result<TcpListener, String> {
    bind(address).map_err(|error| {
        let help = match error.kind() {
            io::ErrorKind::AddrNotAvailable => {
                "set --host to an address of this machine, or to 0.0.0.0 for all of them"
            }
            _ => "choose another port with --port, or 0 for any free one",
        };
        format!("cannot listen on {address}: {error}; {help}")
    })
}

/// Listens like [`TcpListener::bind`], with the send buffer of the connections.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // Elsewhere, it would let another program listen on the same port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Returns the router of the web app and the API, with all layers.
fn router(server: Arc<Server>, token: Option<AccessToken>, guard: Guard) -> Router {
    let access = Arc::new(Access::new(token, guard.listening.port));
    // A compressor would delay streamed events.
    let lines = ResponseFormat::JsonLines.media_type();
    let not_streamed = DefaultPredicate::new().and(NotForContentType::const_new(lines));
    let mut router = Router::new()
        .nest(access::API, api::router(server))
        .fallback(axum::routing::get(page::file))
        .layer(RequestBodyTimeoutLayer::new(BODY_PAUSE))
        .layer(RequestBodyDeadlineLayer::new(BODY_DEADLINE))
        .layer(CompressionLayer::new().compress_when(not_streamed))
        .layer(from_fn_with_state(access, access::require_token));
    if !guard.allowed_origins.is_empty() {
        router = router.layer(access::cors(guard.allowed_origins.clone()));
    }
    router.layer(from_fn_with_state(Arc::new(guard), access::guard))
}

/// Serves connections until `stop` ends, and then waits until the open ones have their responses.
async fn serve_connections(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT);
    http.max_header_size(HEADER_LIMIT)
        .max_buf_size(BUFFER_LIMIT);
    let service = TowerToHyperService::new(router);
    let mut stop = pin!(stop);
    loop {
        let (stream, addresses) = tokio::select! {
            accepted = accept(&listener) => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let service = service.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(addresses);
            service.call(request)
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection was lost");
            }
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Accepts the next connection, and disables Nagle's algorithm for it. The algorithm would delay
/// the last part of a response by about 40 ms, until the client has acknowledged the previous part.
async fn accept(listener: &TcpListener) -> io::Result<(TcpStream, ConnectionAddrs)> {
    let (stream, peer) = listener.accept().await?;
    stream.set_nodelay(true)?;
    let addresses = ConnectionAddrs {
        local: stream.local_addr()?.ip().to_canonical(),
        peer: peer.ip().to_canonical(),
    };
    Ok((stream, addresses))
}

/// The server of the fuzz targets.
#[doc(hidden)]
pub mod fuzzing {
    use super::{Arc, Args, Guard, ListenConfig, Parser, Router, Server, SharingInfo};
    use cosette::table::TableFolder;

    /// Returns the router of a server on port 7217 that needs no token, and whose memory does not
    /// suffice for a table.
    pub fn router(folder: TableFolder) -> Router {
        let args = Args::parse_from(["cosette-web", "--no-token", "--memory", "1K"]);
        let listen_config = ListenConfig {
            port: args.port,
            is_shared: false,
        };
        let server = Server::new(&args, folder, SharingInfo::default());
        let guard = Guard {
            listening: listen_config,
            allowed_origins: Vec::new(),
        };
        super::router(Arc::new(server), None, guard)
    }
}

/// Waits for Ctrl-C, or for SIGTERM or SIGHUP unless that signal is ignored, e.g. by `nohup`.
async fn stop_signal() {
    #[cfg(unix)]
    let [terminated, hung_up] = {
        use tokio::signal::unix::SignalKind;
        [SignalKind::terminate(), SignalKind::hangup()].map(|kind| async move {
            match (!is_ignored(kind.as_raw_value())).then(|| tokio::signal::unix::signal(kind)) {
                Some(Ok(mut signal)) => drop(signal.recv().await),
                _ => std::future::pending().await,
            }
        })
    };
    #[cfg(not(unix))]
    let [terminated, hung_up] = [(), ()].map(|()| std::future::pending::<()>());
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
        () = hung_up => {}
    }
}

/// Waits until the server is stopping, and then for [`SHUTDOWN_TIMEOUT`] or another signal.
async fn wait_for_last_events(stop_receiver: Receiver<()>) {
    if stop_receiver.await.is_err() {
        std::future::pending::<()>().await;
    }
    tokio::select! {
        () = tokio::time::sleep(SHUTDOWN_TIMEOUT) => {}
        () = stop_signal() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn small_writes_to_a_client_are_not_delayed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (stream, addresses) = accept(&listener).await.unwrap();
        assert!(stream.nodelay().unwrap());
        assert!(addresses.is_local() && addresses.local.is_loopback());
    }
}
