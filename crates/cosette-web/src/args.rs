//! The command line of `cosette-web`.

use crate::access::{AccessToken, TOKEN_VARIABLE};
use axum::http::{HeaderValue, Uri};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use cosette::table::TableId;
use cosette::{Metric, ThreadCount};
use cosette_app::cli::args::StoreArgs;
use cosette_app::units::{TableChoice, bytes, table_choice, threads, whole_number};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

/// Serves a local web app and an HTTP API for an optimal Rubik's Cube solver.
///
/// The server contacts no other machine, and no other machine can reach it without --host. Ctrl-C
/// stops it.
#[derive(Debug, Parser)]
#[command(name = "cosette-web", version, max_term_width = 100)]
pub struct Args {
    /// Port to listen on; 0 picks a free one
    #[arg(long, value_name = "PORT", default_value_t = 7217, value_parser = port)]
    pub port: u16,
    /// Let other machines use the server, e.g. in a classroom: ADDRESS is an address of this
    /// machine, or 0.0.0.0 for all its addresses
    ///
    /// Other machines need the printed address, token included, and cannot generate or remove
    /// tables. The connection is not encrypted.
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST),
        hide_default_value = true,
        value_parser = address
    )]
    pub host: IpAddr,
    /// Pruning table to use; auto picks the best one on disk that fits in memory, or generates one
    ///
    /// A name without a metric, e.g. 190M, means htm; in qtm that size is used if it is on disk, or
    /// if no other is.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "auto",
        value_parser = table_choice,
        env = "COSETTE_TABLE",
        hide_env_values = true,
        help_heading = "Resources"
    )]
    table: TableChoice,
    /// Maximum memory for a table, e.g. 2G or 500M [default: free memory]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = bytes,
        env = "COSETTE_MEMORY",
        hide_env_values = true,
        help_heading = "Resources"
    )]
    pub memory: Option<u64>,
    /// The number of threads of a search, and the directory of the tables.
    #[command(flatten)]
    pub store: StoreArgs,
    /// Token required in every request: at least eight letters, digits, dots, hyphens and
    /// underscores [default: a random one, part of the printed address]
    ///
    /// Other users of the machine can read the command line, so set the environment variable
    /// instead of this option.
    #[arg(
        long,
        value_name = "TOKEN",
        env = TOKEN_VARIABLE,
        hide_env_values = true,
        value_parser = token
    )]
    token: Option<Result<AccessToken, String>>,
    /// Let any user of this machine solve, and generate and remove tables, without a token
    #[arg(long, conflicts_with = "host")]
    no_token: bool,
    /// Let the web pages of URL, e.g. http://localhost:3000, use the API; may be repeated
    ///
    /// Their requests need the token too, as `Authorization: Bearer`.
    #[arg(long, value_name = "URL", value_parser = origin)]
    pub allow_origin: Vec<HeaderValue>,
    /// Open the web app in the browser; while it starts, other users of the machine can see the
    /// address, token included
    #[arg(long)]
    pub open: bool,
    /// Maximum number of searches to run at a time; others wait
    #[arg(long, value_name = "N", default_value = "2", value_parser = searches)]
    pub searches: ThreadCount,
    /// Maximum number of waiting searches; more are rejected
    #[arg(
        long,
        value_name = "N",
        default_value_t = 16,
        value_parser = whole_number::<usize>(0..=u64::MAX)
    )]
    pub queue: usize,
}

impl Args {
    /// Parses the arguments.
    ///
    /// # Errors
    ///
    /// Returns a usage error if they are invalid.
    pub fn read() -> Result<Args, clap::Error> {
        let args: Args = cosette_app::cli::parse()?;
        let is_argument =
            std::env::args_os().any(|argument| argument.to_string_lossy().starts_with("--token"));
        let usage_error = |kind, error: String| Err(Args::command().error(kind, error));
        match &args.token {
            Some(Err(fault)) => {
                let source = if is_argument {
                    "--token"
                } else {
                    TOKEN_VARIABLE
                };
                usage_error(
                    ErrorKind::ValueValidation,
                    format!("invalid {source}: {fault}"),
                )
            }
            Some(Ok(_)) if args.no_token && is_argument => usage_error(
                ErrorKind::ArgumentConflict,
                "--token and --no-token contradict each other; remove one of them".into(),
            ),
            _ => Ok(args),
        }
    }

    /// Returns `true` if a token is given and `--no-token` disables it.
    pub fn is_token_unused(&self) -> bool {
        self.no_token && self.token.is_some()
    }

    /// Returns the token that requests need, if any, and whether the user chose it.
    pub fn token(&self) -> (Option<AccessToken>, bool) {
        match &self.token {
            _ if self.no_token => (None, false),
            Some(Ok(token)) => (Some(token.clone()), true),
            Some(Err(_)) | None => (Some(AccessToken::random()), false),
        }
    }

    /// Returns the table that `--table` names for a metric. A name that contains a metric applies
    /// to that metric only.
    pub fn named(&self, metric: Metric) -> Option<TableId> {
        let name = self
            .table
            .filter(|name| name.metric.is_none_or(|own| own == metric))?;
        Some(TableId {
            metric,
            size: name.size,
        })
    }
}

/// Parses a token. An error is returned as a value, because clap would print the token with it.
fn token(text: &str) -> Result<Result<AccessToken, String>, Infallible> {
    Ok(text.parse())
}

/// Parses an address of this machine.
fn address(text: &str) -> Result<IpAddr, &'static str> {
    text.parse()
        .map_err(|_| "write an IP address, such as 192.168.1.5 or 0.0.0.0; use --port for the port")
}

/// Parses the origin of web pages, as browsers write it: without a path, in lowercase.
fn origin(text: &str) -> Result<HeaderValue, &'static str> {
    let origin = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
    let is_origin = origin.parse::<Uri>().is_ok_and(|uri| {
        let scheme_and_host = uri.scheme_str().zip(uri.authority());
        scheme_and_host.is_some_and(|(scheme, host)| origin == format!("{scheme}://{host}"))
    });
    let origin = HeaderValue::try_from(origin).ok().filter(|_| is_origin);
    origin.ok_or("write the scheme, host and port of the pages, such as http://localhost:3000")
}

/// Parses a port.
fn port(text: &str) -> Result<u16, &'static str> {
    text.parse().map_err(|_| "write a port from 0 to 65535")
}

/// Parses a number of searches, with the same maximum as a number of threads.
fn searches(text: &str) -> Result<ThreadCount, String> {
    threads(text).map_err(|_| {
        format!(
            "write a number of searches from 1 to {}",
            ThreadCount::limit()
        )
    })
}
