//! The command line.

use crate::access::{TOKEN_VARIABLE, Token};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use cosette::table::TableId;
use cosette::{Metric, ThreadCount};
use cosette_app::cli::args::StoreArgs;
use cosette_app::words::{TableChoice, bytes, table_choice, threads, whole_number};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

/// Serves a local page and an HTTP API that prove the shortest solution of any Rubik's Cube position.
///
/// The server contacts no other machine, and no other machine can reach it without --host. Ctrl-C stops it.
#[derive(Debug, Parser)]
#[command(name = "cosette-web", version, max_term_width = 100)]
pub struct Args {
    /// The port; 0 takes any free one
    #[arg(long, value_name = "PORT", default_value_t = 7217, value_parser = port)]
    pub port: u16,
    /// Let other machines solve here too, as in a classroom: an address of this machine, or 0.0.0.0 for all it has. They
    /// need the printed address, token included, and cannot generate or remove tables. The connection is not encrypted
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), hide_default_value = true, value_parser = address)]
    pub host: IpAddr,
    /// The table to solve with: auto takes the best one on disk that fits in memory, or generates one if there is none. A name without
    /// a metric, as 190M, is one of half turns; in quarter turns that size is used if it is on disk, or if no other is
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = table_choice, env = "COSETTE_TABLE", hide_env_values = true)]
    table: TableChoice,
    /// The most memory that a table may take, as in 2G or 500M [default: all that is free]
    #[arg(long, value_name = "SIZE", value_parser = bytes, env = "COSETTE_MEMORY", hide_env_values = true)]
    pub memory: Option<u64>,
    /// The threads of a search, and where the tables are.
    #[command(flatten)]
    pub store: StoreArgs,
    /// The token that every request must have: at least eight letters, digits, dots, hyphens and underscores. Other users
    /// of the machine can read the command line, so choose it in the environment variable rather than here
    /// [default: a random one, part of the printed address]
    #[arg(long, value_name = "TOKEN", env = TOKEN_VARIABLE, hide_env_values = true, value_parser = token)]
    token: Option<Result<Token, String>>,
    /// Let any user of this machine solve, generate and remove tables, without a token
    #[arg(long, conflicts_with = "host")]
    no_token: bool,
    /// Open the page in the browser. Other users of the machine can see the address, token included, while that starts
    #[arg(long)]
    pub open: bool,
    /// How many searches run at a time; others wait
    #[arg(long, value_name = "N", default_value = "2", value_parser = searches)]
    pub searches: ThreadCount,
    /// How many searches may wait; more are refused
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = whole_number::<usize>(0..=u64::MAX))]
    pub queue: usize,
}

impl Args {
    /// Reads the arguments. Fails if they are wrong.
    pub fn read() -> Result<Args, clap::Error> {
        let args: Args = cosette_app::cli::parse()?;
        let is_argument = std::env::args_os().any(|argument| argument.to_string_lossy().starts_with("--token"));
        let refused = |kind, error: String| Err(Args::command().error(kind, error));
        match &args.token {
            Some(Err(fault)) => {
                let place = if is_argument { "--token" } else { TOKEN_VARIABLE };
                refused(ErrorKind::ValueValidation, format!("{place} cannot be used: {fault}"))
            }
            Some(Ok(_)) if args.no_token && is_argument => refused(
                ErrorKind::ArgumentConflict,
                "--token and --no-token contradict each other; leave one out".into(),
            ),
            _ => Ok(args),
        }
    }

    /// Whether there is a token and it is not wanted.
    pub fn is_token_unused(&self) -> bool {
        self.no_token && self.token.is_some()
    }

    /// The token that requests need, if any, and whether the user chose it.
    pub fn token(&self) -> (Option<Token>, bool) {
        match &self.token {
            _ if self.no_token => (None, false),
            Some(Ok(token)) => (Some(token.clone()), true),
            Some(Err(_)) | None => (Some(Token::random()), false),
        }
    }

    /// The table named for a metric. A name with a metric applies to that metric only.
    pub fn named(&self, metric: Metric) -> Option<TableId> {
        let name = self.table.filter(|name| name.metric.is_none_or(|of_table| of_table == metric))?;
        Some(TableId { metric, size: name.size })
    }
}

/// Reads a token. What is wrong is kept, for clap would show the token with the error.
fn token(text: &str) -> Result<Result<Token, String>, Infallible> {
    Ok(text.parse())
}

/// Reads an address of this machine. The error says what to write instead.
fn address(text: &str) -> Result<IpAddr, &'static str> {
    text.parse().map_err(|_| "write an IP address, as in 192.168.1.5, or 0.0.0.0; the port goes in --port")
}

/// Reads a port.
fn port(text: &str) -> Result<u16, &'static str> {
    text.parse().map_err(|_| "write a port, 0 to 65535")
}

/// Reads a number of searches. More threads than a search may have are too many searches as well.
fn searches(text: &str) -> Result<ThreadCount, String> {
    threads(text).map_err(|_| format!("write a number of searches, 1 to {}", ThreadCount::limit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_options_say_what_to_write() {
        for (name, value, expected) in [
            ("--host", "localhost", "write an IP address, as in 192.168.1.5, or 0.0.0.0; the port goes in --port"),
            ("--host", "0.0.0.0:8080", "write an IP address"),
            ("--port", "99999", "write a port, 0 to 65535"),
            ("--port", "x", "write a port"),
            ("--searches", "0", "write a number of searches, 1 to"),
            ("--searches", "18446744073709551615", "write a number of searches, 1 to"),
            ("--threads", "0", "write a number of threads, 1 to"),
            ("--queue", "-", "write a whole number"),
        ] {
            let refused = Args::try_parse_from(["cosette-web", name, value]).unwrap_err().to_string();
            assert!(refused.contains(expected), "{refused}");
        }
    }
}
