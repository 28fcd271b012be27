//! `cosette-mpi ranks`: the hosts of a job, their ranks, threads and tables.

use crate::hosts::{Hosts, cores_of_host};
use clap::Args;
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::events::write_line;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::process;

/// Show the hosts of the job, their ranks and threads, and their tables
///
/// Every host loads the table and verifies all of it, as a long job would.
#[derive(Args)]
pub struct RanksArgs {
    /// Print JSON Lines, one object per host
    #[arg(long)]
    json: bool,
    /// The options of the solver.
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// A row of the output: a host.
#[derive(Serialize, Deserialize)]
struct HostRow {
    host: String,
    /// Number of ranks on the host: the working rank, and the ranks that lend it their cores.
    ranks: usize,
    /// The process ID of the working rank.
    process: u32,
    threads: usize,
    /// Number of cores of the host, if known.
    cores: Option<usize>,
    table: String,
    /// The share of the table that is in huge pages, if known.
    huge_share: Option<f64>,
}

/// Runs the subcommand.
pub fn run(hosts: &Hosts, args: &RanksArgs) -> Result<Exit, Failure> {
    let table = hosts.table(&args.solver)?;
    let rows = hosts.gather(Ok(HostRow {
        host: hosts.name().to_owned(),
        ranks: hosts.ranks(),
        process: process::id(),
        threads: hosts.threads(&args.solver).get(),
        cores: cores_of_host(),
        table: table.id().to_string(),
        huge_share: table.share_of_huge_pages(),
    }))?;
    if hosts.world.is_first() {
        let mut out = anstream::stdout();
        if args.json {
            rows.iter().try_for_each(|row| write_line(&mut out, row))?;
        } else {
            write_rows(&mut out, &rows)?;
        }
    }
    Ok(Exit::Success)
}

fn write_rows(out: &mut impl Write, rows: &[HostRow]) -> io::Result<()> {
    let widths = rows.iter().map(|row| row.host.len());
    let width = widths.max().unwrap_or_default().max(4);
    writeln!(
        out,
        "{:width$}  ranks  process  threads  cores  table",
        "host"
    )?;
    for row in rows {
        let cores = row.cores.map_or("-".into(), |cores| cores.to_string());
        let huge = row.huge_share.map_or(String::new(), |share| {
            format!(", {:.0} % in huge pages", 100.0 * share)
        });
        writeln!(
            out,
            "{:width$}  {:>5}  {:>7}  {:>7}  {cores:>5}  {}{huge}",
            row.host, row.ranks, row.process, row.threads, row.table
        )?;
    }
    for HostRow {
        host,
        threads,
        cores,
        ..
    } in rows
    {
        let cores = cores.unwrap_or(*threads);
        if *threads < cores {
            let idle = cores - threads;
            writeln!(
                out,
                "{host}: {idle} of {cores} cores are idle; start more ranks, or use a larger \
                 --threads or `mpirun --bind-to none`"
            )?;
        } else if *threads > cores {
            writeln!(
                out,
                "{host}: {threads} threads share {cores} cores; start fewer ranks, or use a \
                 smaller --threads"
            )?;
        }
    }
    Ok(())
}
