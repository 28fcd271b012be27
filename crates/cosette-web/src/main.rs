//! The server `cosette-web`: a page on this machine that proves the shortest solution of any position, and the HTTP API that
//! the page uses.
//!
//! | file | what it holds |
//! |---|---|
//! | `args` | what the server is told when it starts |
//! | `server` | its parts put together |
//! | `guard` | who may talk to it |
//! | `page` | the page, held within the program |
//! | `desk` | which searches go on, wait, or are refused |
//! | `work` | a search from its registration to its end |
//! | `stream` | answers that come bit by bit |
//! | `loaded` | the tables in memory |
//! | `fillings` | tables that are being filled |
//! | `refusal` | what cannot be done, as an HTTP answer |
//! | `api/` | what is asked and answered |
//! | `ui/` | the page itself, in TypeScript |

mod api;
mod args;
mod desk;
mod fillings;
mod guard;
mod loaded;
mod page;
mod refusal;
mod server;
mod stream;
mod work;

use args::Args;
use clap::Parser;
use server::Server;
use std::io::{IsTerminal, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;

/// A client that does not take its last events is waited for no longer than this when the server stops.
const FAREWELL: Duration = Duration::from_secs(3);

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::INFO)
        .with_target(false)
        .with_ansi(colours)
        .with_writer(std::io::stderr)
        .init();
    match serve(&args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(args: &Args) -> Result<(), String> {
    let folder =
        args.folder().ok_or("this system names no folder for caches; name one with --tables or COSETTE_TABLES")?;
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let listener = TcpListener::bind(wanted)
        .await
        .map_err(|error| format!("cannot listen on {wanted}: {error}; choose another port with --port, 0 for any"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let server = Arc::new(Server::new(args, folder));
    // Filled now, so that the first request need not wait for them.
    tokio::task::spawn_blocking(cosette::twophase::TwoPhase::get);
    println!("http://{address}");
    std::io::stdout().flush().map_err(|error| error.to_string())?;
    if !page::is_there() {
        tracing::warn!("built without the page: `{}` makes it, then build again", page::BUILD_COMMAND);
    }
    let serving = axum::serve(listener, server::router(Arc::clone(&server))).with_graceful_shutdown(asked_to_stop());
    tokio::select! {
        ended = serving => ended.map_err(|error| error.to_string()),
        () = close(&server) => Ok(()),
    }
}

/// Ends when the user or the system asks to stop.
async fn asked_to_stop() {
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

/// When the server is asked to stop, asks all that is under way to do so; ends when its clients have had their time.
async fn close(server: &Server) {
    asked_to_stop().await;
    tracing::info!("stopping");
    server.close();
    tokio::select! {
        () = tokio::time::sleep(FAREWELL) => {}
        () = asked_to_stop() => {}
    }
}
