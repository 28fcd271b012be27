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
//! searched (docs/lab/nargolkar-parallel.md). By subtrees that tree is shared.
//!
//! Rank 0 hands out the limits and searches too (section 3.1 of the thesis, and line 14 of its
//! pseudo code).
//!
//! Departures from the thesis: 1. Rank 0 answers requests while it searches; with `--master
//! alternates` it answers one and then searches, which is the pseudo code, and with `--master
//! coordinates` it does not search. 2. On a machine with fewer cores than ranks, seconds say
//! little, so nodes on the critical path are counted too (`plan`).
//! 3. In half turns ranks read tables with move sets, where they fit in memory: the nodes are the
//! same, ten times as many a second.
//!
//! | file | contents |
//! |---|---|
//! | `rank` | the work of every rank: it searches pieces with Reid's tables, and declares goals |
//! | `plan` | the assignments and their conclusions, by limits and by subtrees; the messages |
//! | `coordinator` | the work of rank 0: it hands out pieces until the goal is proven |
//! | `solve` | positions of the user: their solutions, the log, the journal |
//! | `records` | measured searches, their records, and the page of the records |

mod coordinator;
mod plan;
mod rank;
mod records;
mod solve;

use clap::Args;
use coordinator::{MasterRole, RankZero};
use cosette::cube::{Cube, Metric, ParseOptions, parse_position};
use cosette::search::Solver;
use cosette::table::{TableFileState, TableId, TableSize};
use cosette::{Control, ThreadCount};
use cosette_app::cli::args::{FolderArgs, exit_with_usage_error, one_of, whole_number};
use cosette_app::cli::failure::{ErrorReport, Exit, Failure, InputText};
use cosette_app::cli::lines;
use cosette_app::cli::machine::Build;
use cosette_lab::bound_table::DistanceStorage;
use cosette_lab::error::LabError;
use cosette_lab::lab::{Lab, LabTable};
use cosette_lab::reid::Reid;
use cosette_lab::reid::table::{CosetTable, ENTRIES};
use cosette_mpi::world::World;
use plan::{RankSplit, SearchProblem};
use rank::NargolkarRank;
use records::{Measurement, RecordLog, Subject};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Build information of this program.
const BUILD: Build = Build::new(option_env!("COSETTE_COMMIT"), env!("COSETTE_RUSTC"));

/// The default budget of a search, in nodes.
const DEFAULT_BUDGET: u64 = 50_000_000;
/// The budget with `--full`.
const FULL_BUDGET: u64 = 1_000_000_000;

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
    /// Solve this position, or with - those on standard input, one per line; eighteen half
    /// turns take minutes
    #[arg(
        long,
        value_name = "POSITION",
        conflicts_with_all = [
            "page", "record", "depths", "patterns", "symmetry", "budget", "full", "sequential",
            "rebuild",
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
    /// as it ends, with its nodes, tests, the seconds since the search began, its rank, and the
    /// rank that declared a goal
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
    /// Measure with the symmetry of the positions, and without the fast engine
    #[arg(long)]
    symmetry: bool,
    /// Begin no limit whose tree is likely to have more nodes [default: 50 million, with --full 1
    /// billion]
    #[arg(long, value_name = "NODES", value_parser = whole_number::<u64>(0..=u64::MAX))]
    budget: Option<u64>,
    /// Search further: hours instead of minutes
    #[arg(long, conflicts_with = "budget")]
    full: bool,
    /// The part of rank 0, beside handing out the work
    #[arg(long, value_enum, value_name = "PART", default_value = "searches")]
    master: MasterRole,
    /// Measure the sequential program only, to search further than several ranks
    #[arg(long, conflicts_with_all = ["master", "rebuild"])]
    sequential: bool,
    /// Also measure the time of each rank to load its tables, and to generate them
    #[arg(long)]
    rebuild: bool,
    /// Read the thesis's tables of four bits, even if memory suffices for those of move sets, which
    /// are ten times as large and as fast: 0.7 GB for each rank, in half turns
    #[arg(long)]
    four_bits: bool,
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
            for path in records::page(file)?.write(folder)? {
                println!("{}", path.display());
            }
        }
        return Ok(Exit::Success);
    }
    args.check_master(world.size());
    let folder = args.folder.folder()?;
    let lab = Lab {
        folder: &folder,
        control: Control::new(ThreadCount::ONE),
    };
    match &args.position {
        Some(text) => solve::solve(world, &lab, args, text),
        None => measure(world, &lab, args),
    }
}

/// Measures all requested searches that are not recorded.
fn measure(world: &World, lab: &Lab<'_>, args: &NargolkarArgs) -> Result<Exit, Failure> {
    let start = Instant::now();
    let input = || Ok((RecordLog::open(args.record.as_deref())?, args.subjects()?));
    let input: Result<_, Failure> = world.is_first().then(input).transpose();
    let mut input = agree(world, input)?;
    let metrics = args
        .metric
        .map_or(Metric::ALL.to_vec(), |metric| vec![metric]);
    // A goal of the first metric may arrive in the second, so the numbers of the problems continue.
    let mut number = 0;
    for metric in metrics {
        let reid = agree(world, load(world, lab, metric, args.four_bits))?;
        let is_compared = world.is_first() && !args.sequential && !args.symmetry;
        let fastest = is_compared.then(|| fast_engine(lab, metric, args.fast_table));
        let fastest = agree(world, fastest.transpose())?;
        let measured = std::thread::scope(|scope| {
            let rank = NargolkarRank::new(world, &reid, scope);
            let Some((log, subjects)) = &mut input else {
                rank.serve();
                return Ok(0);
            };
            let mut zero = RankZero {
                rank,
                role: args.master,
            };
            let measured = measure_all(&mut zero, fastest.as_ref(), subjects, log, number, args);
            zero.end();
            measured
        });
        number = agree(world, measured)?;
        if args.rebuild {
            let tables = world.gather(&agree(world, measure_table(world, lab, metric))?);
            if let Some((log, _)) = &mut input {
                log.write(&tables)?;
            }
        }
    }
    if let Some((mut log, _)) = input {
        log.write(&[Measurement::Run {
            ranks: world.size(),
            circumstances: BUILD.circumstances(ThreadCount::ONE),
            budget: args.budget(),
            sequential: args.sequential,
            symmetry: args.symmetry,
            seconds: start.elapsed().as_secs_f64(),
        }])?;
    }
    Ok(Exit::Success)
}

/// Measures the searches in one metric that are not recorded, and records each position. Returns
/// the number of the last problem, given that of the one before all.
fn measure_all(
    zero: &mut RankZero<'_, '_>,
    fastest: Option<&Solver>,
    subjects: &[Subject],
    log: &mut RecordLog,
    mut number: u32,
    args: &NargolkarArgs,
) -> Result<u32, Failure> {
    let metric = zero.rank.reid.metric();
    for (subject, position) in subjects {
        let mut problem = SearchProblem {
            number,
            position: *position,
            metric,
            first: zero.rank.reid.bound(position),
            last: metric.diameter(),
            split: RankSplit::Sequential,
            finds_all: false,
            by_symmetry: args.symmetry,
        };
        if args.sequential || !log.has(subject, &problem, zero) {
            let lines = records::measure(zero, fastest, subject, &mut problem, args)?;
            log.write(&lines)?;
            number = problem.number;
        }
    }
    Ok(number)
}

impl NargolkarArgs {
    /// Exits with a usage error if the part of rank 0 needs other ranks, or is not measured.
    fn check_master(&self, ranks: usize) {
        let error = match self.master {
            MasterRole::Searches => return,
            _ if ranks == 1 => {
                "rank 0 is the only rank, so it must search; start more with `mpirun -np 2`"
            }
            MasterRole::Alternates if self.position.is_none() || self.subtrees => {
                "a master alternates only with --position, and without --subtrees"
            }
            _ => return,
        };
        exit_with_usage_error(error)
    }

    /// The positions to be measured.
    fn subjects(&self) -> Result<Vec<Subject>, Failure> {
        let Some(file) = &self.patterns else {
            return Ok(records::subjects(&self.depths));
        };
        let (list, _) = lines::of_file(file)?;
        list.into_iter()
            .map(|line| Ok(records::listed(position(&line.into())?)))
            .collect()
    }

    fn budget(&self) -> u64 {
        let default = if self.full {
            FULL_BUDGET
        } else {
            DEFAULT_BUDGET
        };
        self.budget.unwrap_or(default)
    }
}

/// Reads a position.
fn position(text: &InputText) -> Result<Cube, Failure> {
    let options = ParseOptions::default();
    Ok(text.read(|text| parse_position(text, None, &options))?.cube)
}

/// Loads Reid's table: with move sets if those of all ranks of a host fit in its memory. Rank 0
/// loads it first, so that no two ranks generate the same file.
fn load(world: &World, lab: &Lab<'_>, metric: Metric, four_bits: bool) -> Result<Reid, LabError> {
    let firsts = world.first_on_host();
    let own = firsts[world.rank()];
    let ranks = firsts.iter().filter(|&&first| first == own).count();
    let storage = match four_bits {
        true => DistanceStorage::FourBits,
        false => DistanceStorage::for_long_search(metric, ranks * ENTRIES),
    };
    // All ranks have looked at the free memory.
    world.barrier();
    let on_all_threads = Lab {
        control: lab.control.clone().with_threads(ThreadCount::available()),
        ..lab.clone()
    };
    let first = world
        .is_first()
        .then(|| Reid::with_storage(&on_all_threads, metric, storage));
    world.barrier();
    first.unwrap_or_else(|| Reid::with_storage(lab, metric, storage))
}

/// Loads the fast engine with one thread; a missing table is generated and stored.
fn fast_engine(lab: &Lab<'_>, metric: Metric, size: TableSize) -> Result<Solver, LabError> {
    let id = TableId { metric, size };
    if !matches!(lab.folder.state(id), TableFileState::Complete) {
        let control = lab.control.clone().with_threads(ThreadCount::available());
        lab.folder.generate(id, &control)?;
    }
    let table = lab.folder.load(id, &lab.control)?;
    Ok(Solver::new(Arc::new(table), ThreadCount::ONE))
}

/// Loads the table of the thesis and then generates it on one thread, at the same time as all other
/// ranks, and returns the times.
fn measure_table(world: &World, lab: &Lab<'_>, metric: Metric) -> Result<Measurement, LabError> {
    let table = CosetTable {
        metric,
        storage: DistanceStorage::FourBits,
    };
    world.barrier();
    let start = Instant::now();
    drop(lab.table(&table)?);
    let load = start.elapsed().as_secs_f64();
    let start = Instant::now();
    table.generate(&lab.control)?;
    Ok(Measurement::Table {
        ranks: world.size(),
        rank: world.rank(),
        metric,
        load,
        fill: start.elapsed().as_secs_f64(),
    })
}

/// Waits until every rank has called this, and returns the result of this rank.
///
/// # Errors
///
/// The error of the first rank that has one. All ranks return it, so their exit codes are equal.
fn agree<T>(world: &World, own: Result<T, impl Into<Failure>>) -> Result<T, Failure> {
    let own = own.map_err(Into::into);
    let report = own.as_ref().err().map(|failure| ErrorReport {
        message: failure.to_string(),
        help: failure.remedy(),
        exit: failure.exit(),
    });
    let first = world.gather(&report).into_iter().flatten().next();
    match (own, first) {
        // The error itself shows the fault in its text.
        (Err(failure), _) if world.is_first() => Err(failure),
        (_, Some(report)) => Err(Failure::Other(report)),
        (own, None) => own,
    }
}
