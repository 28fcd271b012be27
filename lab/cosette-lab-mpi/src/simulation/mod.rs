//! A simulation of the speedup with more cores than we have, from the recorded costs of real
//! solves.
//!
//! `cosette-lab-mpi trace` records the nodes of each root task of a solve; `cosette-lab-mpi
//! simulate` simulates how cores would divide these tasks among themselves, in three ways (splits):
//!
//! | split | who searches what |
//! |---|---|
//! | static | each core an equal part of the tasks of a threshold, dealt in advance |
//! | search limits | each core all tasks of one threshold (Nargolkar 2006) |
//! | dynamic | leases from a coordinator, long ones shared: the dispatcher of `cosette-mpi` itself |
//!
//! Messages take time to arrive, keep the coordinator busy, and wait until a rank polls for them.
//!
//! | file | what it holds |
//! |---|---|
//! | `trace` | the recorded costs, and the command that records them |
//! | `model` | the work and the messages, as the simulation sees them |
//! | `splits` | what the splits gain by cores and latency; the two splits without leases |
//! | `dynamic`, `cores` | the dynamic split: the coordinator, and the ranks with their cores |
//! | `page` | the page with its tables and plots |

mod cores;
mod dynamic;
mod model;
mod page;
mod splits;
mod trace;

use crate::{unreadable, write_page};
use clap::Args;
use cosette_app::cli::args::whole_number;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::events::read_lines;
use cosette_lab::report::filled;
use cosette_mpi::world::World;
use model::nanos_from_seconds;
use page::{MeasuredSeconds, Range};
use serde::Deserialize;
use splits::SolveGroup;
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;
pub use trace::{TraceArgs, run as trace};

/// Simulate recorded solves on many cores
///
/// Reads files that `cosette-lab-mpi trace` has written; the solves of a file are shown together.
/// Shows speedup and efficiency by cores of three splits: tasks dealt in advance, a search limit
/// for each core, and leases as in `cosette-mpi solve`.
#[derive(Args)]
pub struct SimulateArgs {
    /// Read these traces
    #[arg(value_name = "FILE", required = true)]
    traces: Vec<PathBuf>,
    /// Simulate these message latencies, in microseconds
    #[arg(
        long,
        value_name = "MICROSECONDS",
        value_delimiter = ',',
        default_value = "1,10,100,1000",
        value_parser = whole_number::<u32>(0..=u32::MAX.into()),
    )]
    latency_us: Vec<u32>,
    /// Simulate these numbers of cores
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "1,2,8,64,512,4096",
        value_parser = whole_number::<u32>(1..=65_536),
    )]
    cores: Vec<u32>,
    /// Compare with measured times: FILE is the output of `cosette-mpi solve --all --json` on RANKS
    /// ranks with one thread each, e.g. 2=FILE
    #[arg(long, value_name = "RANKS=FILE")]
    measured: Vec<MeasuredAnswers>,
    /// Write a page with plots into this folder
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

pub fn simulate(world: &World, args: &SimulateArgs) -> Result<Exit, Failure> {
    if !world.is_first() {
        return Ok(Exit::Success);
    }
    let groups = args.traces.iter().map(|path| {
        trace::read(path)
            .map(SolveGroup::of)
            .map_err(unreadable(path))
    });
    let groups: Vec<SolveGroup> = groups.collect::<Result<_, _>>()?;
    let range = Range {
        latencies: args
            .latency_us
            .iter()
            .map(|&micros| nanos_from_seconds(f64::from(micros) / 1e6))
            .collect(),
        cores: args.cores.iter().map(|&cores| cores as usize).collect(),
    };
    let mut measured = Vec::new();
    for file in &args.measured {
        measured.push((file.ranks, file.read().map_err(unreadable(&file.path))?));
    }
    let page = page::of(&groups, &range, &measured);
    match &args.page {
        Some(folder) => return write_page(&page, folder),
        None => writeln!(
            io::stdout().lock(),
            "{}",
            filled(&page, &|_| None).trim_end()
        )?,
    }
    Ok(Exit::Success)
}

/// A file with the answers of `cosette-mpi solve --json`, by some number of ranks.
#[derive(Clone, Debug)]
pub struct MeasuredAnswers {
    /// The number of ranks, each with one thread.
    pub ranks: usize,
    pub path: PathBuf,
}

impl FromStr for MeasuredAnswers {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<MeasuredAnswers, &'static str> {
        let (ranks, path) = text.split_once('=').ok_or("write it as RANKS=FILE")?;
        let ranks = ranks
            .parse()
            .ok()
            .filter(|&ranks| ranks > 0)
            .ok_or("the number of ranks is one or more")?;
        Ok(MeasuredAnswers {
            ranks,
            path: path.into(),
        })
    }
}

/// The fields of an answer that are read.
#[derive(Deserialize)]
struct MeasuredAnswer {
    facelets: String,
    table: String,
    seconds: f64,
}

impl MeasuredAnswers {
    /// The seconds of each position, by its facelets and the table; the median if it was solved
    /// several times.
    pub fn read(&self) -> io::Result<MeasuredSeconds> {
        let mut all: HashMap<(String, String), Vec<f64>> = HashMap::new();
        for MeasuredAnswer {
            facelets,
            table,
            seconds,
        } in read_lines(&self.path)?
        {
            all.entry((facelets, table)).or_default().push(seconds);
        }
        let median = |mut seconds: Vec<f64>| {
            seconds.sort_by(f64::total_cmp);
            seconds[seconds.len() / 2]
        };
        Ok(all
            .into_iter()
            .map(|(solved, seconds)| (solved, median(seconds)))
            .collect())
    }
}
