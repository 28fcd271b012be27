//! The command line.

use crate::token::{TOKEN_VARIABLE, Token};
use clap::Parser;
use cosette::table::choice::default_folder;
use cosette::table::{TableFolder, TableId};
use cosette::{Metric, ThreadCount};
use cosette_app::words::{TableChoice, bytes, table_choice};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

/// Serves a local page and an HTTP API that prove the shortest solution of any Rubik's Cube position.
///
/// The server contacts no other machine, and no other machine can reach it without --host. Ctrl-C stops it.
#[derive(Debug, Parser)]
#[command(name = "cosette-web", version, max_term_width = 100)]
pub struct Args {
    /// The port; 0 takes any free one
    #[arg(long, value_name = "PORT", default_value_t = 7217)]
    pub port: u16,
    /// Let other machines solve here too, as in a class room: an address of this machine, or 0.0.0.0 for all it has. They
    /// need the printed address, token included, and cannot change the tables. The connection is not encrypted
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), hide_default_value = true)]
    pub host: IpAddr,
    /// The table to solve with: auto takes the best one on disk that fits in memory, or generates one if there is none
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = table_choice)]
    table: TableChoice,
    /// The most memory that a table may take, as in 2G or 500M [default: all that is free]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<u64>,
    /// The number of threads of a search [default: as many as the machine runs at once]
    #[arg(long, value_name = "N")]
    threads: Option<ThreadCount>,
    /// The folder of the tables [default: $COSETTE_TABLES, or `cosette` in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// The token that every request must have: at least eight letters, digits, dots, hyphens and underscores. Other users
    /// of the machine can read the command line, so choose it in the environment variable rather than here
    /// [default: a random one, part of the printed address]
    #[arg(long, value_name = "TOKEN", env = TOKEN_VARIABLE, hide_env_values = true)]
    token: Option<Token>,
    /// Let any user of this machine solve, generate and remove tables, without a token
    #[arg(long, conflicts_with = "host")]
    no_token: bool,
    /// How many searches run at a time; others wait
    #[arg(long, value_name = "N", default_value = "2")]
    pub searches: ThreadCount,
    /// How many searches may wait; more are refused
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub queue: usize,
}

impl Args {
    /// The folder of the tables; `None` if the system has no cache folder.
    pub fn folder(&self) -> Option<TableFolder> {
        self.tables.clone().or_else(default_folder).map(TableFolder::new)
    }

    /// The number of threads.
    pub fn threads(&self) -> ThreadCount {
        self.threads.unwrap_or_default()
    }

    /// The token that requests need, if any, and whether the user chose it.
    pub fn token(&self) -> (Option<Token>, bool) {
        match &self.token {
            _ if self.no_token => (None, false),
            Some(token) => (Some(token.clone()), true),
            None => (Some(Token::random()), false),
        }
    }

    /// The table named for a metric. A name with a metric applies to that metric only.
    pub fn named(&self, metric: Metric) -> Option<TableId> {
        let name = self.table.filter(|name| name.metric.is_none_or(|of_table| of_table == metric))?;
        Some(TableId { metric, size: name.size })
    }
}
