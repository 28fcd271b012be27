//! Nargolkar 2006: the search of Reid in parallel.
//!
//! A. Nargolkar, "Solving the Rubik's Cube with Parallel Processing", University of Texas at
//! Arlington, 2006, searches as [Reid](cosette_lab::reid) does, with a master and workers over MPI.
//! Rank 0 hands out search limits, and each processor searches the whole tree to one limit. A
//! processor that finds a goal declares it without waiting: searches to larger limits are cancelled
//! at once, those to smaller ones have to end before the goal is proven shortest.
//!
//! ```text
//! limits      rank 0   limit b, then the next that no rank has …         all at the same time: the tree of each limit is
//!             rank 1   limit b + 1, then …                               some 13 times (8 in quarter turns) that of the one
//!             rank 2   limit b + 2, …                                    before, and is searched by one rank alone
//!
//! subtrees    limit b: ranks 0, 1, 2 search parts of its tree; then limit b + 1: …
//! ```
//!
//! By limits the last tree stays with one rank, so that no number of processors gains more than
//! 15/7 in quarter turns or 25/12 in half turns, and 8/7 or 13/12 if all of the last tree is
//! searched (`thesis`). By subtrees that tree is shared.
//!
//! Departures from the thesis: 1. Rank 0 coordinates and searches; with `--coordinate-only` it only
//! coordinates, as a master does. 2. On a machine with fewer cores than ranks, seconds say little,
//! so nodes on the critical path are counted too (`plan`).
//!
//! | file | what it holds |
//! |---|---|
//! | `rank` | what every rank does: it searches pieces with Reid's tables, and declares goals |
//! | `plan` | what is handed out when, and what is then proven: by limits, by subtrees; the messages between the ranks |
//! | `coordinator` | what rank 0 does: it hands out pieces until the goal is proven, for each search that is measured |
//! | `records` | what is recorded of the searches |
//! | `thesis` | what the thesis prints; what processors gain, and by limits at most |
//! | `page`, `positions` | the page that is made of the records |

mod coordinator;
mod page;
mod plan;
mod positions;
mod rank;
mod records;
mod thesis;

use crate::{position, unreadable, write_page};
use clap::Args;
use coordinator::RankZero;
use cosette::cube::{Cube, Metric};
use cosette::table::TableSize;
use cosette::{Control, ThreadCount};
use cosette_app::cli::args::{FolderArgs, one_of, whole_number};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::machine::Build;
use cosette_lab::error::LabError;
use cosette_lab::experiment::{Cell, ResultTable};
use cosette_lab::lab::Lab;
use cosette_lab::report;
use cosette_mpi::world::World;
use plan::{RankSplit, SearchProblem};
use positions::in_full;
use rank::{NargolkarRank, RankEngines};
use records::{Measurements, ProgramRun};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

/// Build information of this program.
const BUILD: Build = Build::new(option_env!("COSETTE_COMMIT"), env!("COSETTE_RUSTC"));

/// The default budget of a search, in nodes.
const QUICK: u64 = 50_000_000;
/// The budget with `--full`.
const FULL: u64 = 1_000_000_000;

/// The message of a rank that is ready to search.
const READY: &str = "ready";

/// Nargolkar 2006: the search of Reid in parallel, by limits as there and by subtrees
///
/// Searches the positions of the thesis' appendix C, their inverses and the superflip: on rank 0
/// alone, with a limit for each rank, and with one tree shared by all. `mpirun -np N
/// cosette-lab-mpi nargolkar --record FILE` adds the measurements of N ranks to a file, where those
/// of other numbers may be already; `cosette-lab-mpi nargolkar --page DIR FILE` makes a page of it.
/// With --position it solves one position, with all ranks.
#[derive(Args)]
pub struct NargolkarArgs {
    /// Write a page of these records into this folder, and measure nothing
    #[arg(long, value_name = "DIR", requires = "file")]
    page: Option<PathBuf>,
    /// The records to make the page of
    #[arg(value_name = "FILE", requires = "page")]
    file: Option<PathBuf>,
    /// Append the measurements to this file, one JSON object per line, and skip measurements that
    /// it already has [default: standard output]
    #[arg(long, value_name = "FILE", conflicts_with = "page")]
    record: Option<PathBuf>,
    /// Solve this position and report the cost of each limit; sixteen moves take minutes
    #[arg(
        long,
        value_name = "POSITION",
        conflicts_with_all = ["page", "record", "depths", "budget", "full", "sequential", "rebuild"],
    )]
    position: Option<String>,
    /// With --position: have all ranks search parts of one tree, limit by limit, instead of a
    /// different limit each
    #[arg(long, requires = "position")]
    subtrees: bool,
    /// Measure in this metric only: half turns (htm) or quarter turns (qtm) [default: both; a
    /// position is solved in half turns]
    #[arg(long, value_parser = one_of(Metric::ALL, Metric::name))]
    metric: Option<Metric>,
    /// Measure only the patterns of this printed depth, without the superflip; may be given more
    /// than once
    #[arg(long = "depth", value_name = "DEPTH", value_parser = whole_number::<u8>(12..=19))]
    depths: Vec<u8>,
    /// Begin no limit whose tree is likely to have more nodes [default: 50 million, with --full 1
    /// billion]
    #[arg(long, value_name = "NODES", value_parser = whole_number::<u64>(0..=u64::MAX))]
    budget: Option<u64>,
    /// Search further: hours instead of minutes
    #[arg(long, conflicts_with = "budget")]
    full: bool,
    /// Use rank 0 only to coordinate, like the master of the thesis
    #[arg(long)]
    coordinate_only: bool,
    /// Measure the sequential program only, to search further than several ranks
    #[arg(long, conflicts_with_all = ["coordinate_only", "rebuild"])]
    sequential: bool,
    /// Also measure the time of each rank to load its tables, and to generate them
    #[arg(long)]
    rebuild: bool,
    /// The tables of the fast engine
    #[arg(long, value_name = "SIZE", default_value = "190M")]
    fast_table: TableSize,
    #[command(flatten)]
    folder: FolderArgs,
}

/// Runs the subcommand, on every rank.
pub fn run(world: &World, args: &NargolkarArgs) -> Result<Exit, Failure> {
    if let (Some(folder), Some(file)) = (&args.page, &args.file) {
        let page = || {
            Measurements::read(file)
                .map(|records| page::page(&records))
                .map_err(unreadable(file))
        };
        return if world.is_first() {
            write_page(&page()?, folder)
        } else {
            Ok(Exit::Success)
        };
    }
    if args.coordinate_only && world.size() == 1 {
        cosette_app::cli::args::exit_with_usage_error(
            "rank 0 cannot be a pure coordinator if it is the only rank; start more ranks with \
                `mpirun -np 2`",
        );
    }
    let start = Instant::now();
    let folder = args.folder.folder()?;
    let lab = Lab {
        folder: &folder,
        control: Control::new(ThreadCount::ONE),
    };
    match &args.position {
        Some(text) => solve(world, &lab, args, text),
        None => search(world, &lab, args, start),
    }
}

/// Solves a position with all ranks.
fn solve(world: &World, lab: &Lab<'_>, args: &NargolkarArgs, text: &str) -> Result<Exit, Failure> {
    let metric = args.metric.unwrap_or(Metric::Htm);
    // Only one rank reads it, so that an error is reported once.
    let read = if world.is_first() {
        position(text.to_owned().into())
    } else {
        Ok(Cube::SOLVED)
    };
    let Some(position) = all_ready(world, read)? else {
        return Ok(Exit::Error);
    };
    let Some(bounds) = all_ready(world, load(world, lab, &[metric], None))? else {
        return Ok(Exit::Error);
    };
    let split = if args.subtrees {
        RankSplit::Subtrees
    } else {
        RankSplit::Limits
    };
    let problem = SearchProblem {
        position,
        metric,
        last: metric.diameter(),
        split,
    };
    let outcome = std::thread::scope(|scope| {
        let rank = NargolkarRank::new(world, &bounds, scope);
        if !world.is_first() {
            rank.serve();
            return None;
        }
        let mut coordinator = RankZero::new(world, &bounds, rank, args.coordinate_only);
        let outcome = coordinator.solve(&problem);
        coordinator.end();
        Some(outcome)
    });
    let Some(outcome) = outcome else {
        return Ok(Exit::Success);
    };
    let (length, solution) = outcome
        .goal
        .expect("no position is farther than the diameter");
    let mut table = ResultTable::headed("", "limit | nodes");
    outcome
        .limits
        .iter()
        .for_each(|&(limit, nodes)| table.row([limit.into(), nodes].map(Cell::Count)));
    let nodes = outcome.limits.iter().map(|limit| limit.1).sum::<u64>();
    let ranks = world.size();
    let mut out = anstream::stdout();
    writeln!(
        out,
        "{solution}\n{length} {}: all smaller limits ended without a solution\n",
        in_full(metric)
    )?;
    writeln!(
        out,
        "{}\n{nodes} nodes by {split}, np = {ranks}; {} on the critical path",
        report::table(&table),
        outcome.path
    )?;
    Ok(Exit::Success)
}

fn search(
    world: &World,
    lab: &Lab<'_>,
    args: &NargolkarArgs,
    start: Instant,
) -> Result<Exit, Failure> {
    let metrics = args
        .metric
        .map_or(Metric::ALL.to_vec(), |metric| vec![metric]);
    let Some(bounds) = all_ready(world, load(world, lab, &metrics, Some(args.fast_table)))? else {
        return Ok(Exit::Error);
    };
    let continued = || match &args.record {
        Some(file) => Measurements::continued(file).map_err(unreadable(file)),
        None => Ok(Measurements::default()),
    };
    let records = world.is_first().then(continued).transpose();
    let Some(mut records) = all_ready(world, records)? else {
        return Ok(Exit::Error);
    };
    std::thread::scope(|scope| {
        let rank = NargolkarRank::new(world, &bounds, scope);
        match &mut records {
            Some(records) => {
                let mut coordinator = RankZero::new(world, &bounds, rank, args.coordinate_only);
                let measured = measure_all(&mut coordinator, &metrics, args, records);
                coordinator.end();
                measured
            }
            None => {
                rank.serve();
                Ok(())
            }
        }
    })?;
    drop(bounds);
    for &metric in metrics.iter().filter(|_| args.rebuild) {
        let tables = rank::measure_tables(world, lab, metric)?;
        records
            .iter_mut()
            .for_each(|records| records.tables.extend_from_slice(&tables));
    }
    if let Some(mut records) = records {
        records.runs.push(ProgramRun {
            ranks: world.size(),
            circumstances: BUILD.circumstances(ThreadCount::ONE),
            cores: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            budget: args.budget(),
            sequential: args.sequential,
            seconds: start.elapsed().as_secs_f64(),
        });
        args.save(&records)?;
        if args.record.is_none() {
            records.write(anstream::stdout())?;
        }
    }
    Ok(Exit::Success)
}

/// Measures all requested searches that are not recorded, and saves the records after each
/// position.
fn measure_all(
    coordinator: &mut RankZero<'_, '_>,
    metrics: &[Metric],
    args: &NargolkarArgs,
    records: &mut Measurements,
) -> Result<(), Failure> {
    for &metric in metrics {
        for subject in coordinator::subjects(&args.depths) {
            if args.sequential || !records.has((subject, metric), coordinator.way()) {
                coordinator::measure(
                    coordinator,
                    (subject, metric),
                    (args.budget(), args.sequential),
                    records,
                )?;
                args.save(records)?;
            }
        }
    }
    Ok(())
}

impl NargolkarArgs {
    fn budget(&self) -> u64 {
        self.budget.unwrap_or(if self.full { FULL } else { QUICK })
    }

    /// Saves the records in the file to which they are added.
    fn save(&self, records: &Measurements) -> io::Result<()> {
        self.record.iter().try_for_each(|file| records.save(file))
    }
}

/// The bounds, with their tables; on rank 0 with the fast engine, if it has a table. Rank 0 loads
/// them first, so that no two ranks generate the same file.
fn load(
    world: &World,
    lab: &Lab<'_>,
    metrics: &[Metric],
    fast_table: Option<TableSize>,
) -> Result<RankEngines, LabError> {
    let all = Lab {
        control: lab.control.clone().with_threads(ThreadCount::available()),
        ..lab.clone()
    };
    let first = world.is_first().then(|| RankEngines::load(&all, metrics));
    world.all_gather("loaded");
    match (first, fast_table) {
        (Some(bounds), Some(size)) => bounds?.with_fastest(&all, metrics, size),
        (Some(bounds), None) => bounds,
        (None, _) => RankEngines::load(lab, metrics),
    }
}

/// Waits until all ranks are ready. `None` if another rank has failed; that one reports why.
fn all_ready<T>(world: &World, ready: Result<T, impl Into<Failure>>) -> Result<Option<T>, Failure> {
    let all = world
        .all_gather(if ready.is_ok() { READY } else { "failed" })
        .iter()
        .all(|said| said == READY);
    let ready = ready.map_err(Into::into)?;
    Ok(all.then_some(ready))
}
