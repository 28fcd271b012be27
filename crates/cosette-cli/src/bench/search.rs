//! `cosette bench search`: the speed of solving, relative to the limit set by memory.

use super::limits::overlap_in_words;
use super::{RunArgs, Spread, one_and_all, rounded, write_record};
use clap::Args;
use cosette::bench::OverlapMeasurement;
use cosette::cube::{Cube, Metric, ParseOptions, parse_position, random_positions};
use cosette::search::{Options, Outcome, Solver, TwoPhaseMode};
use cosette::table::{Table, TableError};
use cosette::twophase::TwoPhase;
use cosette::{Cancel, Control, ThreadCount};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{SolverArgs, whole_number};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::lines;
use cosette_app::cli::machine::Machine;
use cosette_app::cli::tables::with_progress;
use cosette_app::remedies::INTERNAL_ERROR;
use cosette_app::units::{counted, grouped};
use indicatif::DecimalBytes;
use serde::Serialize;
use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measure the speed of solving, with one thread and with all
///
/// Each set is solved several times. Expanded nodes, probes and seconds are means per cube; the
/// median over the runs is shown. A probe reads one random line of the table, so the rate of random
/// lines limits the search: that limit is measured on the same table, and the share of it that the
/// search reaches is shown.
///
/// GB s is the size of the table in memory times the seconds per cube with all threads. Doubling
/// the size of a table halves the work, so this figure is about the same for all tables, and
/// solvers can be compared by it: for random cubes, with all threads of a machine. A random cube
/// takes about as long as the mean of length 18, which two thirds of them have.
#[derive(Args)]
pub struct SearchBenchArgs {
    /// Sets to solve: random positions of LENGTHS, 25 of 16, 25 of 17 and 10 of 18, e.g. 16,17,18
    #[arg(long = "set", value_name = "LENGTHS", value_delimiter = ',', default_value = "16,17",
          value_parser = whole_number::<u8>(16..=18), conflicts_with = "positions")]
    lengths: Vec<u8>,
    /// Solve the positions in FILE instead, one per line; - reads standard input
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// Solve only the first COUNT positions of each set
    #[arg(
        short = 'n',
        long,
        value_name = "COUNT",
        value_parser = whole_number::<NonZeroUsize>(1..=u64::MAX)
    )]
    count: Option<NonZeroUsize>,
    #[command(flatten)]
    runs: RunArgs,
    #[command(flatten)]
    solver: SolverArgs,
}

/// The numbers of the random positions of each length.
const LENGTHS: &str = include_str!("sets.txt");
const SEED: u64 = 1;

/// Positions that are measured together.
struct PositionSet {
    /// The name of the set in the output.
    name: String,
    /// The positions.
    positions: Vec<Cube>,
    /// Length of the shortest solutions in the half-turn metric, if all positions have the same
    /// length and it is known.
    length: Option<u8>,
}

impl PositionSet {
    /// Returns random positions whose shortest solutions have `length` moves.
    fn of_length(length: u8) -> PositionSet {
        let numbers = numbers(length);
        let is_listed = |number: usize| numbers.contains(&number);
        let numbered = (1..)
            .zip(random_positions(SEED))
            .take(numbers.iter().copied().max().unwrap_or(0));
        let positions = numbered
            .filter(|&(number, _)| is_listed(number))
            .map(|(_, position)| position);
        PositionSet {
            name: format!("length {length}"),
            positions: positions.collect(),
            length: Some(length),
        }
    }

    /// Reads the positions of a file, one per line, in the formats of `cosette solve`; `-` is
    /// standard input.
    fn in_file(path: &Path) -> Result<PositionSet, Failure> {
        let name = match path.file_name() {
            _ if path == Path::new("-") => "standard input".into(),
            name => name.unwrap_or_default().display().to_string(),
        };
        let mut positions = Vec::new();
        for line in lines::of_file(path)?.0 {
            let input = InputText::from(line)
                .read(|text| parse_position(text, None, &ParseOptions::default()));
            positions.push(input?.cube);
        }
        Ok(PositionSet {
            name,
            positions,
            length: None,
        })
    }
}

/// Returns the numbers of the random positions with this length.
fn numbers(length: u8) -> Vec<usize> {
    let of_length = |line: &'static str| {
        line.split_once(':')
            .filter(|(of, _)| of.parse() == Ok(length))
    };
    let (_, numbers) = LENGTHS
        .lines()
        .find_map(of_length)
        .expect("the list has this length");
    numbers
        .split_whitespace()
        .map(|number| number.parse().expect("the list holds numbers"))
        .collect()
}

/// The way in which the positions of a set share the threads.
#[derive(Clone, Copy)]
enum Mode {
    /// Positions one after another, each with all threads.
    CubeByCube,
    /// As many positions at a time as there are threads, each with one thread.
    ManyAtOnce,
}

impl Mode {
    /// Returns the modes to compare, which coincide with one thread.
    const fn with(threads: ThreadCount) -> &'static [Mode] {
        if threads.get() == 1 {
            &[Mode::CubeByCube]
        } else {
            &[Mode::CubeByCube, Mode::ManyAtOnce]
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Mode::CubeByCube => "cube by cube",
            Mode::ManyAtOnce => "many at once",
        }
    }
}

/// The measurements of a set.
#[derive(Serialize)]
struct SearchMeasurement<'a> {
    set: &'a str,
    positions: usize,
    mode: &'static str,
    threads: ThreadCount,
    table: String,
    table_bytes: u64,
    /// Share of the table that is in huge pages, if known.
    huge_share: Option<f64>,
    runs: NonZeroU32,
    /// Expanded nodes per cube (mean over the set, like the next three).
    nodes: Spread,
    /// Accesses to the table per cube.
    probes: Spread,
    /// Lines of the table fetched per cube.
    lines: Spread,
    /// Seconds per cube.
    seconds: Spread,
    /// Nanoseconds of a thread per probe.
    ns_per_probe: f64,
    /// Nanoseconds of a thread per random line of the table.
    ns_per_line: f64,
    /// Share of the rate of random lines that the search reaches.
    share_of_limit: f64,
    /// Overlap of memory and computation, of one thread.
    overlap: OverlapMeasurement,
    /// Gigabytes of the table times seconds per cube.
    gigabyte_seconds: f64,
}

/// A run over a set.
struct SetRun {
    nodes: u64,
    probes: u64,
    seconds: f64,
}

/// Runs the subcommand.
pub fn run(args: &SearchBenchArgs) -> Result<Exit, Failure> {
    // Read first, so that an error in the positions is reported before a table is loaded.
    let sets = sets(args)?;
    let table = Arc::new(args.solver.open()?);
    TwoPhase::get(); // generated before anything is timed
    let overlap = overlap(&table);
    let mut out = anstream::stdout();
    if !args.runs.json {
        write_heading(&mut out, &table, args.runs.runs)?;
    }
    for threads in one_and_all(args.solver.store.threads.count()) {
        let solver = Solver::new(Arc::clone(&table), threads);
        let ns_per_line = limit(&table, threads)?;
        for (set, mode) in sets
            .iter()
            .flat_map(|set| Mode::with(threads).iter().map(move |&mode| (set, mode)))
        {
            let runs = solve(&solver, set, (threads, mode), args.runs.runs)?;
            let measured =
                SearchMeasurement::of(&table, set, (threads, mode), &runs, (ns_per_line, overlap));
            if args.runs.json {
                write_record(&mut out, "search", &measured)?;
            } else {
                write_row(&mut out, &measured)?;
            }
        }
    }
    if !args.runs.json {
        writeln!(out, "{}", overlap_in_words(&overlap))?;
    }
    Ok(Exit::Success)
}

fn sets(args: &SearchBenchArgs) -> Result<Vec<PositionSet>, Failure> {
    let mut sets = match &args.positions {
        Some(path) => vec![PositionSet::in_file(path)?],
        None => args
            .lengths
            .iter()
            .map(|&length| PositionSet::of_length(length))
            .collect(),
    };
    let most = args.count.map_or(usize::MAX, NonZeroUsize::get);
    sets.iter_mut().for_each(|set| set.positions.truncate(most));
    Ok(sets)
}

/// Number of measurements of lines of each kind.
const LINE_RUNS: usize = 5;
const LINE_RUN: Duration = Duration::from_millis(50);

/// Returns the minimum nanoseconds of a thread per random line of the table.
fn limit(table: &Table, threads: ThreadCount) -> Result<f64, Failure> {
    let work = Interruptible::start();
    let control = Control::new(threads).with_cancel(&work.cancel);
    let measure = |in_flight| table.line_nanoseconds(in_flight, LINE_RUN, &control);
    let rates = [64, 128]
        .into_iter()
        .cycle()
        .take(2 * LINE_RUNS)
        .map(measure)
        .collect::<Result<Vec<f64>, _>>()?;
    Ok(rates.into_iter().fold(f64::INFINITY, f64::min))
}

/// Measures the overlap of computation and of fetching lines of the table, with one thread.
fn overlap(table: &Table) -> OverlapMeasurement {
    let work = Interruptible::start();
    let control = Control::new(ThreadCount::ONE).with_cancel(&work.cancel);
    let measure = || table.overlap(LINE_RUN, &control);
    (1..LINE_RUNS).fold(measure(), |least, _| least.least(measure()))
}

/// Solves a set several times.
fn solve(
    solver: &Solver,
    set: &PositionSet,
    (threads, mode): (ThreadCount, Mode),
    runs: NonZeroU32,
) -> Result<Vec<SetRun>, Failure> {
    with_progress(threads, |control| {
        let step = format!("{}, {}", set.name, counted(threads.get() as u64, "thread"));
        let control = control.step(&step);
        let cubes = set.positions.len() as u64;
        let total = u64::from(runs.get()) * cubes;
        let run = |number| {
            let on_cube = |cube: usize| control.report(number * cubes + cube as u64, total);
            match mode {
                Mode::CubeByCube => solve_one_by_one(solver, set, &on_cube, control.cancel_token()),
                Mode::ManyAtOnce => solve_at_once(solver, set, &on_cube, control.cancel_token()),
            }
        };
        (0..runs.get().into()).map(run).collect()
    })
}

/// Solves each position of a set, one after another, as the command does, except for the two-phase
/// search at the start.
fn solve_one_by_one(
    solver: &Solver,
    set: &PositionSet,
    on_cube: &dyn Fn(usize),
    cancel: &Cancel,
) -> Result<SetRun, Failure> {
    let mut run = SetRun {
        nodes: 0,
        probes: 0,
        seconds: 0.0,
    };
    let options = Options {
        two_phase: TwoPhaseMode::Interleaved,
        ..Options::default()
    };
    for (number, position) in set.positions.iter().enumerate() {
        let start = Instant::now();
        let report = solver
            .search(position)
            .options(options)
            .with_cancel(cancel)
            .run();
        run.seconds += start.elapsed().as_secs_f64();
        run.nodes += report.nodes();
        run.probes += report.probes();
        if matches!(report.outcome, Outcome::Cancelled(_)) {
            return Err(TableError::Cancelled.into());
        }
        check_length(solver, position, set.length, report.lower_bound)?;
        on_cube(number + 1);
    }
    Ok(run)
}

/// Solves as many positions of a set at a time as the solver has threads.
fn solve_at_once(
    solver: &Solver,
    set: &PositionSet,
    on_cube: &dyn Fn(usize),
    cancel: &Cancel,
) -> Result<SetRun, Failure> {
    let start = Instant::now();
    let mut run = SetRun {
        nodes: 0,
        probes: 0,
        seconds: 0.0,
    };
    for (solved, (number, solution)) in solver
        .solve_many_until(set.positions.clone(), cancel)
        .unordered()
        .enumerate()
    {
        on_cube(solved + 1);
        let report = solution.report();
        run.nodes += report.nodes();
        run.probes += report.probes();
        check_length(
            solver,
            &set.positions[number],
            set.length,
            report.lower_bound,
        )?;
    }
    run.seconds = start.elapsed().as_secs_f64();
    if cancel.is_cancelled() {
        Err(TableError::Cancelled.into())
    } else {
        Ok(run)
    }
}

/// Checks that the search found the known length.
fn check_length(
    solver: &Solver,
    position: &Cube,
    known: Option<u8>,
    found: u8,
) -> Result<(), Failure> {
    match known.filter(|_| solver.table().id().metric == Metric::Htm) {
        Some(known) if known != found => {
            let facelets = position.facelets();
            let message = "internal error: the shortest solution of";
            let message =
                format!("{message} {facelets} has {known} moves, but the search found {found}");
            Err(Failure::new(message, INTERNAL_ERROR))
        }
        _ => Ok(()),
    }
}

impl<'a> SearchMeasurement<'a> {
    fn of(
        table: &Table,
        set: &'a PositionSet,
        (threads, mode): (ThreadCount, Mode),
        runs: &[SetRun],
        (ns_per_line, overlap): (f64, OverlapMeasurement),
    ) -> SearchMeasurement<'a> {
        let cubes = set.positions.len() as f64;
        let spread =
            |figure: fn(&SetRun) -> f64| Spread::of(runs.iter().map(|run| figure(run) / cubes));
        let probes = spread(|run| run.probes as f64);
        let seconds = spread(|run| run.seconds);
        let per_probe = |run: &SetRun| 1e9 * threads.get() as f64 * run.seconds / run.probes as f64;
        let ns_per_probe = Spread::of(runs.iter().map(per_probe)).median;
        let table_bytes = table.id().size.bytes();
        SearchMeasurement {
            set: &set.name,
            positions: set.positions.len(),
            mode: mode.name(),
            threads,
            table: table.id().to_string(),
            table_bytes,
            huge_share: table.share_of_huge_pages().map(rounded),
            runs: NonZeroU32::try_from(runs.len() as u32).expect("there are runs"),
            nodes: spread(|run| run.nodes as f64),
            probes,
            lines: probes,
            seconds,
            ns_per_probe,
            ns_per_line: rounded(ns_per_line),
            share_of_limit: rounded(ns_per_line / ns_per_probe),
            overlap,
            gigabyte_seconds: rounded(table_bytes as f64 / 1e9 * seconds.median),
        }
    }
}

fn write_heading(out: &mut impl Write, table: &Table, runs: NonZeroU32) -> io::Result<()> {
    writeln!(out, "{}", Machine::this())?;
    let id = table.id();
    write!(out, "{id}, {}", DecimalBytes(id.size.bytes()))?;
    table
        .share_of_huge_pages()
        .iter()
        .try_for_each(|share| write!(out, ", {:.0} % in huge pages", 100.0 * share))?;
    writeln!(
        out,
        "; means per cube, median of {}\n",
        counted(runs.get().into(), "run")
    )?;
    writeln!(
        out,
        "{BOLD}{:14}  cubes  {:12}  threads  {:>11}  {:>13}  {:26}    ns/probe  of the limit    GB \
         s{BOLD:#}",
        "set", "mode", "nodes", "probes", "seconds (min to max)"
    )
}

fn write_row(out: &mut impl Write, measured: &SearchMeasurement<'_>) -> io::Result<()> {
    let SearchMeasurement {
        set,
        positions,
        mode,
        threads,
        seconds,
        ns_per_probe,
        ..
    } = measured;
    let [nodes, probes] =
        [measured.nodes, measured.probes].map(|spread| grouped(spread.median as u64));
    writeln!(
        out,
        "{set:14}  {positions:>5}  {:12}  {threads:>7}  {nodes:>11}  {probes:>13}  {:26}  \
         {ns_per_probe:>10.1}  {:>10.0} %  {:>6.3}",
        mode,
        format!("{seconds:.4}"),
        100.0 * measured.share_of_limit,
        measured.gigabyte_seconds,
    )?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_are_complete() {
        for (length, count) in [(16, 25), (17, 25), (18, 10)] {
            assert!(
                numbers(length).is_sorted_by(|a, b| a < b),
                "length {length}"
            );
            assert_eq!(
                PositionSet::of_length(length).positions.len(),
                count,
                "length {length}"
            );
        }
        assert_eq!(
            PositionSet::of_length(17).positions[1],
            random_positions(SEED).nth(1).unwrap()
        );
    }
}
