//! `cosette-mpi ranks`: the ranks of a job, their hosts, threads and tables.

use crate::handshake;
use crate::hosts::{self, Hosts};
use crate::world::World;
use clap::Args;
use cosette::table::Table;
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::json;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{self, Write};
use std::process;

/// Show the ranks, their hosts and threads, and the sharing of the table
///
/// Every host loads the table and verifies all of it, as a long job would.
#[derive(Args)]
pub struct RanksArgs {
    /// Print JSON Lines, one object per rank
    #[arg(long)]
    json: bool,
    /// The options of the solver.
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// A row of the output: a rank.
#[derive(Serialize, Deserialize)]
struct Row {
    rank: usize,
    host: String,
    /// The first rank on its host.
    first_on_host: usize,
    process: u32,
    threads: usize,
    /// Number of cores of its host, if known.
    cores: Option<usize>,
    table: String,
    /// `true` if the other ranks of the host use the same copy of the table.
    shared: bool,
    /// The share of the table that is in huge pages, if known.
    huge_share: Option<f64>,
    /// The memory that the process has mapped, in bytes, if known.
    resident_bytes: Option<u64>,
    /// The mapped memory, with shared memory divided among the processes that share it.
    proportional_bytes: Option<u64>,
}

impl Row {
    fn of_this(world: &World, hosts: &Hosts, table: &Table, args: &SolverArgs) -> Row {
        Row {
            rank: world.rank(),
            host: hosts.name(world.rank()).to_owned(),
            first_on_host: hosts.first_on_host(world.rank()),
            process: process::id(),
            threads: hosts.threads(args).get(),
            cores: handshake::cores_of_host(),
            table: table.id().to_string(),
            shared: table.shared_location().is_some(),
            huge_share: table.share_of_huge_pages(),
            resident_bytes: memory_of_this_process("Rss:"),
            proportional_bytes: memory_of_this_process("Pss:"),
        }
    }
}

/// Runs the subcommand.
pub fn run(world: &World, args: &RanksArgs) -> Result<Exit, Failure> {
    let (hosts, table) = hosts::open(world, &args.solver)?;
    let rows = hosts.agree(world, Ok(Row::of_this(world, &hosts, &table, &args.solver)))?;
    if world.is_first() {
        let mut out = anstream::stdout();
        if args.json {
            rows.iter()
                .try_for_each(|row| json::write_line(&mut out, row))?;
        } else {
            write_rows(&mut out, &rows)?;
        }
    }
    Ok(Exit::Solved)
}

fn write_rows(out: &mut impl Write, rows: &[Row]) -> io::Result<()> {
    let width = rows
        .iter()
        .map(|row| row.host.len())
        .max()
        .unwrap_or_default()
        .max(4);
    writeln!(
        out,
        "rank  {:width$}  process  threads  cores  table",
        "host"
    )?;
    for row in rows {
        let cores = row.cores.map_or("-".into(), |cores| cores.to_string());
        let Row {
            rank,
            host,
            process,
            threads,
            table,
            ..
        } = row;
        writeln!(
            out,
            "{rank:>4}  {host:width$}  {process:>7}  {threads:>7}  {cores:>5}  {table}{}",
            memory_notes(row)
        )?;
    }
    for first in rows.iter().filter(|row| row.first_on_host == row.rank) {
        let threads: usize = rows
            .iter()
            .filter(|row| row.first_on_host == first.rank)
            .map(|row| row.threads)
            .sum();
        let Some(cores) = first.cores.filter(|&cores| cores != threads) else {
            continue;
        };
        let host = &first.host;
        match cores.checked_sub(threads) {
            Some(idle) => writeln!(
                out,
                "{host}: {idle} of {cores} cores are idle; start more ranks, or use a larger --threads or `mpirun --bind-to none`"
            )?,
            None => writeln!(
                out,
                "{host}: {threads} threads share {cores} cores; start fewer ranks, or use a smaller --threads"
            )?,
        }
    }
    Ok(())
}

/// Describes the memory of the table of a rank: sharing and huge pages.
fn memory_notes(row: &Row) -> String {
    let shared = if row.shared { ", shared" } else { "" };
    let huge = row
        .huge_share
        .map(|share| format!(", {:.0} % in huge pages", 100.0 * share))
        .unwrap_or_default();
    format!("{shared}{huge}")
}

/// Returns, in bytes, a line of the summary of all mappings, such as `Rss:  31836 kB`.
fn memory_of_this_process(name: &str) -> Option<u64> {
    let summary = fs::read_to_string("/proc/self/smaps_rollup").ok()?;
    let kilobytes = summary
        .lines()
        .find_map(|line| line.strip_prefix(name))?
        .trim()
        .strip_suffix(" kB")?;
    Some(kilobytes.parse::<u64>().ok()? << 10)
}
