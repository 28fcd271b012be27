//! The server `cosette-web`: a local page that proves the shortest solution of any position, and the HTTP API that the page
//! uses.
//!
//! | file | what it holds |
//! |---|---|
//! | `args` | the command line |
//! | `server` | what the handlers share |
//! | `connections` | how many connections there may be, their time limits and their ends |
//! | `guard` | which pages and which machines may use the server |
//! | `token` | which clients may use the server |
//! | `sharing` | what other machines need to use it |
//! | `page` | the page, embedded in the program |
//! | `queue` | the job queue: which searches run, wait, or are refused |
//! | `job` | runs a job of the queue |
//! | `stream` | streamed responses |
//! | `table_cache` | the tables in memory |
//! | `generation` | tables that are being generated |
//! | `api_error` | errors as HTTP responses, and how they say how to fix it |
//! | `api/` | the requests and responses |
//! | `ui/` | the page itself, in TypeScript |

mod api;
mod api_error;
mod args;
mod connections;
mod generation;
mod guard;
mod job;
mod page;
mod queue;
mod server;
mod sharing;
mod stream;
mod table_cache;
mod token;

use api_error::ApiError;
use args::Args;
use axum::Router;
use axum::middleware::from_fn_with_state;
use clap::Parser;
use cosette::OpenError;
use cosette_app::cli::stdout;
use guard::Listening;
use server::Server;
use sharing::Sharing;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use token::{Access, TOKEN_VARIABLE};
use tokio::net::TcpListener;
use tokio::sync::oneshot::{self, Receiver};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::timeout::{RequestBodyDeadlineLayer, RequestBodyTimeoutLayer};

/// How long the server waits for its clients to read their last events when it stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a client may pause while it sends the body of a request.
const BODY_PAUSE: Duration = Duration::from_secs(8);

/// How long the body of a request may take.
const BODY_DEADLINE: Duration = Duration::from_secs(120);

/// The command, from its arguments to its exit code.
#[tokio::main]
pub async fn main() -> ExitCode {
    let args: Args = cosette_app::cli::parse().unwrap_or_else(|error| error.exit());
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::INFO)
        .with_target(false)
        .with_ansi(colours)
        // Where the log cannot be written, the complaint would fail too, and panic.
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

async fn serve(args: &Args) -> Result<(), String> {
    let folder = args.folder().ok_or_else(|| ApiError::from(OpenError::NoFolder).to_string())?;
    let address = SocketAddr::from((args.host, args.port));
    let listener = TcpListener::bind(address)
        .await
        .map_err(|error| format!("cannot listen on {address}: {error}; {}", help_to_listen(&error)))?;
    let port = listener.local_addr().map_err(|error| error.to_string())?.port();
    let (token, is_chosen) = args.token();
    let server = Arc::new(Server::new(args, folder, Sharing::new(args.host, port, token.as_ref())));
    // Generates the tables of the two-phase search now, so that the first request need not wait for them.
    tokio::task::spawn_blocking(cosette::twophase::TwoPhase::get);
    let preloading = Arc::clone(&server);
    tokio::task::spawn_blocking(move || preloading.preload());
    let query = token.as_ref().filter(|_| !is_chosen).map(|token| format!("/?token={}", token.text()));
    let mut out = std::io::stdout();
    writeln!(out, "{}{}", sharing::address(args.host, port), query.unwrap_or_default())
        .and_then(|()| out.flush())
        .map_err(|error| format!("cannot print the address: {error}"))?;
    if !page::is_embedded() {
        tracing::warn!("built without the page: `{}` makes it, then build again", page::BUILD_COMMAND);
    }
    if !args.host.is_loopback() {
        tracing::warn!("other machines may solve here if they have the token; the connection is not encrypted");
        if !is_chosen {
            tracing::info!(
                "for a token that is easy to type, choose one of eight characters or more in {TOKEN_VARIABLE}"
            );
        }
    }
    let access = Arc::new(Access::new(token, port));
    let listening = Listening { port, is_shared: !args.host.is_loopback() };
    let router = router(Arc::clone(&server), access, listening);
    let (stopping, is_stopping) = oneshot::channel();
    // What is under way is asked to stop before the connections are closed: with none open, that ends the server.
    let stop = async {
        stop_signal().await;
        tracing::info!("stopping");
        server.close();
        let _ = stopping.send(());
    };
    tokio::select! {
        () = connections::serve(listener, router, stop) => {}
        () = last_events(is_stopping) => {}
    }
    Ok(())
}

/// How to fix that the server cannot listen.
fn help_to_listen(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrNotAvailable => "give an address of this machine in --host, or 0.0.0.0 for all it has",
        _ => "choose another port with --port, 0 for any",
    }
}

/// Everything that the server responds to.
fn router(server: Arc<Server>, access: Arc<Access>, listening: Listening) -> Router {
    // A compressor would delay streamed events.
    let not_streamed = DefaultPredicate::new().and(NotForContentType::const_new(stream::JSON_LINES));
    Router::new()
        .nest(token::API, api::router(server))
        .fallback(axum::routing::get(page::file))
        .layer(RequestBodyTimeoutLayer::new(BODY_PAUSE))
        .layer(RequestBodyDeadlineLayer::new(BODY_DEADLINE))
        .layer(CompressionLayer::new().compress_when(not_streamed))
        .layer(from_fn_with_state(access, token::check))
        .layer(from_fn_with_state(listening, guard::guard))
}

/// What the fuzz targets ask.
#[doc(hidden)]
pub mod fuzzing {
    use super::{Access, Arc, Args, Listening, Parser, Router, Server};
    use cosette::table::TableFolder;

    /// A server on port 7217 that needs no token and has neither tables nor memory for them.
    pub fn router(tables: TableFolder) -> Router {
        let args = Args::parse_from(["cosette-web", "--no-token", "--memory", "1"]);
        let access = Access::new(None, args.port);
        let listening = Listening { port: args.port, is_shared: false };
        super::router(Arc::new(Server::new(&args, tables, None)), Arc::new(access), listening)
    }
}

/// Waits for Ctrl-C or SIGTERM.
async fn stop_signal() {
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        () = terminated => {}
    }
}

/// Once the server is stopping, gives the clients time to read their last events.
async fn last_events(is_stopping: Receiver<()>) {
    if is_stopping.await.is_err() {
        std::future::pending::<()>().await;
    }
    tokio::select! {
        () = tokio::time::sleep(SHUTDOWN_TIMEOUT) => {}
        () = stop_signal() => {}
    }
}
