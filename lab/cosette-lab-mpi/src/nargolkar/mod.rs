//! Nargolkar 2006: the search of Reid in parallel.
//!
//! A. Nargolkar, "Solving the Rubik's Cube with Parallel Processing", University of Texas at
//! Arlington, 2006, searches as [Reid](cosette_lab::reid) does, with a master and workers over MPI.
//! Rank 0 hands out search limits, and each processor searches the whole tree to one limit. A
//! processor that finds a goal declares it without waiting: searches to larger limits are cancelled
//! at once, those to smaller ones have to end before the goal is proven shortest.
//!
//! ```text
//! limits      rank 0   limit b, then the next that no rank has …    all at the same time: a tree
//!             rank 1   limit b + 1, then …                          is some 13 times (8 in quarter
//!             rank 2   limit b + 2, …                               turns) the one before, and one
//!                                                                   rank alone searches it
//! subtrees    limit b: ranks 0, 1, 2 search parts of its tree; then limit b + 1: …
//! ```
//!
//! By limits the last tree stays with one rank, so that no number of processors gains more than
//! 15/7 in quarter turns or 25/12 in half turns, and 8/7 or 13/12 if all of the last tree is
//! searched (`thesis`). By subtrees that tree is shared.
//!
//! Rank 0 hands out the limits and searches too (section 3.1 of the thesis, and line 14 of its
//! pseudo code).
//!
//! Departures from the thesis: 1. Rank 0 answers requests while it searches; with `--master
//! alternates` it answers one and then searches, which is the pseudo code, and with `--master
//! coordinates` it does not search. 2. On a machine with fewer cores than ranks, seconds say
//! little, so nodes on the critical path are counted too (`plan`).
//!
//! | file | contents |
//! |---|---|
//! | `rank` | the work of every rank: it searches pieces with Reid's tables, and declares goals |
//! | `plan` | the assignments and their conclusions, by limits and by subtrees; the messages |
//! | `coordinator` | the work of rank 0: it hands out pieces until the goal is proven |
//! | `solve` | positions of the user: their solutions, the log, the journal |
//! | `records` | the records of the searches |
//! | `thesis` | the printed figures; speedups, and their maximum by limits |
//! | `page` | the figures of the page, computed from the records |

mod coordinator;
mod page;
mod plan;
mod rank;
mod records;
mod solve;
mod thesis;

use crate::{position, unreadable};
use clap::Args;
use coordinator::{MasterRole, RankZero};
use cosette::cube::Metric;
use cosette::table::TableSize;
use cosette::{Control, ThreadCount};
use cosette_app::cli::args::{FolderArgs, one_of, whole_number};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::machine::Build;
use cosette_lab::error::LabError;
use cosette_lab::lab::Lab;
use cosette_mpi::world::World;
use rank::{NargolkarRank, RankEngines};
use records::{Measurements, ProgramRun, Subject};
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

/// The name of a metric in full.
fn in_full(metric: Metric) -> &'static str {
    match metric {
        Metric::Htm => "half turns",
        Metric::Qtm => "quarter turns",
    }
}

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
///
/// With --position it solves positions with all ranks: by limits, with the symmetry of the
/// position, to the first solution that is proven shortest. Ctrl-C prints the lengths that are
/// ruled out. `mpirun -q` leaves out the lines of mpirun after an error.
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
    /// Solve this position, or with - those on standard input, one per line; sixteen moves take
    /// minutes
    #[arg(
        long,
        value_name = "POSITION",
        conflicts_with_all = [
            "page", "record", "depths", "patterns", "budget", "full", "sequential", "rebuild"
        ],
    )]
    position: Option<String>,
    /// With --position: have all ranks search parts of one tree, limit by limit, instead of a
    /// different limit each
    #[arg(long, requires = "position")]
    subtrees: bool,
    /// With --position: end at the first goal that a rank declares, which may not be shortest
    #[arg(long, requires = "position", conflicts_with_all = ["subtrees", "all"])]
    first_goal: bool,
    /// With --position: find all shortest solutions
    #[arg(long, requires = "position")]
    all: bool,
    /// With --position: do not use the symmetry of the position
    #[arg(long, requires = "position")]
    no_symmetry: bool,
    /// With --position: log to standard error the options, the cosets by distance, and each limit
    /// as it ends, with its nodes, tests, rank, and the seconds since the search began
    #[arg(long, requires = "position")]
    log: bool,
    /// With --position: add each limit that ends to this file, and begin after those that it holds
    #[arg(long, value_name = "FILE", requires = "position")]
    journal: Option<PathBuf>,
    /// Measure in this metric only: half turns (htm) or quarter turns (qtm) [default: both; a
    /// position is solved in half turns]
    #[arg(long, value_parser = one_of(Metric::ALL, Metric::name))]
    metric: Option<Metric>,
    /// Measure only the patterns of this printed depth, without the superflip; may be given more
    /// than once
    #[arg(long = "depth", value_name = "DEPTH", value_parser = whole_number::<u8>(12..=19))]
    depths: Vec<u8>,
    /// Measure the positions in this file, one per line, instead of appendix C and the superflip
    #[arg(long, value_name = "FILE", conflicts_with_all = ["page", "depths"])]
    patterns: Option<PathBuf>,
    /// Begin no limit whose tree is likely to have more nodes [default: 50 million, with --full 1
    /// billion]
    #[arg(long, value_name = "NODES", value_parser = whole_number::<u64>(0..=u64::MAX))]
    budget: Option<u64>,
    /// Search further: hours instead of minutes
    #[arg(long, conflicts_with = "budget")]
    full: bool,
    /// The part of rank 0, which hands out the work: it searches too; it alternates between one
    /// request and one search, as in pseudo code 4.3 of the thesis (with --position); or it only
    /// coordinates
    #[arg(
        long,
        value_name = "PART",
        default_value = "searches",
        value_parser = one_of(MasterRole::ALL, MasterRole::name),
    )]
    master: MasterRole,
    /// Measure the sequential program only, to search further than several ranks
    #[arg(long, conflicts_with_all = ["master", "rebuild"])]
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
        if world.is_first() {
            let records = Measurements::read(file).map_err(unreadable(file))?;
            for path in page::page(&records)?.write(folder)? {
                println!("{}", path.display());
            }
        }
        return Ok(Exit::Success);
    }
    args.check_master(world.size());
    let start = Instant::now();
    let folder = args.folder.folder()?;
    let lab = Lab {
        folder: &folder,
        control: Control::new(ThreadCount::ONE),
    };
    match &args.position {
        Some(text) => solve::solve(world, &lab, args, text),
        None => search(world, &lab, args, start),
    }
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
    let continued = || match &args.record {
        Some(file) => Measurements::continued(file).map_err(unreadable(file)),
        None => Ok(Measurements::default()),
    };
    let records = world.is_first().then(continued).transpose();
    let Some(mut records) = all_ready(world, records)? else {
        return Ok(Exit::Error);
    };
    let subjects = world.is_first().then(|| args.subjects()).transpose();
    let Some(subjects) = all_ready(world, subjects)? else {
        return Ok(Exit::Error);
    };
    let Some(bounds) = all_ready(world, load(world, lab, &metrics, Some(args.fast_table)))? else {
        return Ok(Exit::Error);
    };
    std::thread::scope(|scope| {
        let rank = NargolkarRank::new(world, &bounds, scope);
        let (Some(records), Some(subjects)) = (&mut records, &subjects) else {
            rank.serve();
            return Ok(());
        };
        let mut coordinator = RankZero::new(world, &bounds, rank, args.master);
        let searches = metrics
            .iter()
            .flat_map(|&metric| subjects.iter().map(move |&subject| (subject, metric)));
        let measured = measure_all(&mut coordinator, searches, args, records);
        coordinator.end();
        measured
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
    searches: impl Iterator<Item = (Subject, Metric)>,
    args: &NargolkarArgs,
    records: &mut Measurements,
) -> Result<(), Failure> {
    for search in searches {
        if args.sequential || !records.has(search, coordinator.way()) {
            let budget = (args.budget(), args.sequential);
            coordinator::measure(coordinator, search, budget, records)?;
            args.save(records)?;
        }
    }
    Ok(())
}

impl NargolkarArgs {
    /// Exits with a usage error if the part of rank 0 needs other ranks, or is not measured.
    fn check_master(&self, ranks: usize) {
        let error = match self.master {
            MasterRole::Searches => return,
            _ if ranks == 1 => {
                "rank 0 is the only rank, so it must search at all times; start more ranks with \
                    `mpirun -np 2`"
            }
            MasterRole::Alternates if self.position.is_none() || self.subtrees => {
                "a master alternates only by limits, for a position: add --position, or remove \
                    --subtrees"
            }
            _ => return,
        };
        cosette_app::cli::args::exit_with_usage_error(error)
    }

    /// The positions to be measured.
    fn subjects(&self) -> Result<Vec<Subject>, Failure> {
        let Some(file) = &self.patterns else {
            return Ok(coordinator::subjects(&self.depths));
        };
        let text = fs::read_to_string(file).map_err(|refused| {
            let message = format!("cannot read the positions in {}: {refused}", file.display());
            Failure::new(message, "write one position per line")
        })?;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines
            .map(|line| Ok(Subject::listed(position(line.to_owned().into())?)))
            .collect()
    }

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
