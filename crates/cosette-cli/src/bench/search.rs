//! `cosette bench search`: the speed of solving, relative to the limit set by memory.

use super::{
    RunArgs, Spread, describe_overlap, huge_pages, least_line_time, least_overlap, one_and_all,
    rounded, write,
};
use clap::Args;
use cosette::bench::OverlapMeasurement;
use cosette::cube::{Cube, Metric, ParseOptions, parse_position, random_positions};
use cosette::search::{Report, Solver, TwoPhaseMode};
use cosette::table::{Table, TableError};
use cosette::twophase::TwoPhase;
use cosette::{Control, ThreadCount};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{SolverArgs, whole_number};
use cosette_app::cli::failure::{Failure, InputText};
use cosette_app::cli::lines;
use cosette_app::cli::machine::Machine;
use cosette_app::cli::tables::with_progress;
use cosette_app::units::{counted, grouped};
use indicatif::DecimalBytes;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

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
    #[arg(
        long = "set",
        value_name = "LENGTHS",
        value_delimiter = ',',
        default_value = "16,17",
        value_parser = whole_number::<u8>(16..=18),
        conflicts_with = "positions",
    )]
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

/// For each length, the places of its positions in the sequence of random positions, from one.
const NUMBERS: &str = include_str!("sets.txt");
/// The seed of the random positions.
const SEED: u64 = 1;

/// Positions that are measured together.
struct PositionSet {
    /// The name of the set in the output.
    name: String,
    positions: Vec<Cube>,
    /// Length of the shortest solutions in the half-turn metric, if known.
    length: Option<u8>,
}

impl PositionSet {
    /// Returns random positions whose shortest solutions have `length` moves.
    fn of_length(length: u8) -> PositionSet {
        let of_length = |line: &'static str| line.strip_prefix(&format!("{length}:"));
        let numbers = NUMBERS
            .lines()
            .find_map(of_length)
            .expect("the list has this length");
        // The numbers increase, so the random positions are drawn once.
        let mut random = (1..).zip(random_positions(SEED));
        let position = |number: &str| {
            let number: usize = number.parse().expect("the list holds numbers");
            let (_, position) = random.find(|&(other, _): &(usize, Cube)| other == number)?;
            Some(position)
        };
        PositionSet {
            name: format!("length {length}"),
            positions: numbers.split_whitespace().map_while(position).collect(),
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
        let read = |text: &str| parse_position(text, None, &ParseOptions::default());
        let lines = lines::of_file(path)?.0.into_iter();
        let positions = lines
            .map(|line| Ok(InputText::from(line).read(read)?.cube))
            .collect::<Result<_, Failure>>()?;
        Ok(PositionSet {
            name,
            positions,
            length: None,
        })
    }
}

/// The ways in which the positions of a set are solved: one after another, each with all threads;
/// or as many at a time as there are threads, each with one thread.
const MODES: [&str; 2] = ["cube by cube", "many at once"];

/// The work of a run over a set.
#[derive(Default)]
struct SetRun {
    nodes: u64,
    probes: u64,
    seconds: f64,
}

/// Number of measurements of the rate of lines, and of the overlap of memory and computation; the
/// best counts.
const LINE_RUNS: NonZeroU32 = NonZeroU32::new(5).expect("it is not zero");

/// Runs the subcommand.
pub fn run(args: &SearchBenchArgs) -> Result<(), Failure> {
    // Read first, so that an error in the positions is reported before a table is loaded.
    let mut sets = match &args.positions {
        Some(path) => vec![PositionSet::in_file(path)?],
        None => {
            let lengths = args.lengths.iter().copied();
            lengths.map(PositionSet::of_length).collect()
        }
    };
    let max_count = args.count.map_or(usize::MAX, NonZeroUsize::get);
    for set in &mut sets {
        set.positions.truncate(max_count);
    }
    let table = Arc::new(args.solver.open()?);
    TwoPhase::get(); // generated before anything is timed
    let overlap = with_progress(ThreadCount::ONE, |control| {
        least_overlap(table.memory(), LINE_RUNS, control)
    });
    let runs = args.runs.runs;
    if !args.runs.json {
        write_heading(&mut anstream::stdout(), &table, runs)?;
    }
    for threads in one_and_all(args.solver.store.threads.count()) {
        let ns_per_line = with_progress(threads, |control| {
            least_line_time(table.memory(), &[64, 128], LINE_RUNS, control)
        })?;
        let bench = SolverBench {
            solver: Solver::new(Arc::clone(&table), threads),
            runs,
            ns_per_line,
            overlap,
        };
        for set in &sets {
            // With one thread, both modes are the same.
            let modes = if threads == ThreadCount::ONE {
                &MODES[..1]
            } else {
                &MODES[..]
            };
            for mode in modes {
                let (figures, row) =
                    with_progress(threads, |control| bench.measure(set, mode, control))?;
                write(&args.runs, "search", figures, &row)?;
            }
        }
    }
    if !args.runs.json {
        writeln!(anstream::stdout(), "{}", describe_overlap(&overlap))?;
    }
    Ok(())
}

/// A solver whose speed is measured, and the limits of its table.
struct SolverBench {
    solver: Solver,
    runs: NonZeroU32,
    ns_per_line: f64,
    overlap: OverlapMeasurement,
}

impl SolverBench {
    /// Solves a set several times, and returns the figures and the row of the table.
    fn measure(
        &self,
        set: &PositionSet,
        mode: &str,
        control: &Control<'_>,
    ) -> Result<(Value, String), TableError> {
        let threads = self.solver.threads();
        let step = format!("{}, {}", set.name, counted(threads.get() as u64, "thread"));
        let control = control.step(&step);
        let runs = (0..self.runs.get().into())
            .map(|number| self.solve(set, mode, number, &control))
            .collect::<Result<Vec<SetRun>, TableError>>()?;
        let cubes = set.positions.len();
        let spread = |figure: fn(&SetRun) -> f64| {
            Spread::of(runs.iter().map(|run| figure(run) / cubes as f64))
        };
        let nodes = spread(|run| run.nodes as f64);
        let probes = spread(|run| run.probes as f64);
        let seconds = spread(|run| run.seconds);
        let per_probe = |run: &SetRun| 1e9 * threads.get() as f64 * run.seconds / run.probes as f64;
        let ns_per_probe = Spread::of(runs.iter().map(per_probe)).median;
        let share_of_limit = rounded(self.ns_per_line / ns_per_probe);
        let table = self.solver.table();
        let table_bytes = table.id().size.bytes();
        let gigabyte_seconds = rounded(table_bytes as f64 / 1e9 * seconds.median);
        // Nodes, probes, lines and seconds are per cube; nanoseconds are those of one thread. Each
        // probe reads a line.
        let figures = json!({
            "set": set.name,
            "positions": cubes,
            "mode": mode,
            "threads": threads,
            "table": table.id(),
            "table_bytes": table_bytes,
            "huge_share": table.share_of_huge_pages().map(rounded),
            "runs": self.runs,
            "nodes": nodes,
            "probes": probes,
            "lines": probes,
            "seconds": seconds,
            "ns_per_probe": ns_per_probe,
            "ns_per_line": rounded(self.ns_per_line),
            "share_of_limit": share_of_limit,
            "overlap": self.overlap,
            "gigabyte_seconds": gigabyte_seconds,
        });
        let row = format!(
            "{:14}  {cubes:>5}  {mode:12}  {threads:>7}  {:>11}  {:>13}  {:26}  \
             {ns_per_probe:>10.1}  {:>10.0} %  {gigabyte_seconds:>6.3}",
            set.name,
            grouped(nodes.median as u64),
            grouped(probes.median as u64),
            format!("{seconds:.4}"),
            100.0 * share_of_limit,
        );
        Ok((figures, row))
    }

    /// Solves each position of a set like `cosette solve`, but without the two-phase search at the
    /// start. Progress counts the positions of all runs; `run` is the number of this run, from 0.
    fn solve(
        &self,
        set: &PositionSet,
        mode: &str,
        run: u64,
        control: &Control<'_>,
    ) -> Result<SetRun, TableError> {
        let start = Instant::now();
        let cancel = control.cancel_token();
        let cubes = set.positions.len() as u64;
        let mut finished = run * cubes;
        let mut work = SetRun::default();
        let mut add = |position: &Cube, report: &Report| {
            finished += 1;
            control.report(finished, u64::from(self.runs.get()) * cubes);
            work.nodes += report.nodes();
            work.probes += report.probes();
            if let (Metric::Htm, Some(length)) = (self.solver.metric(), set.length) {
                assert_eq!(report.lower_bound, length, "{}", position.facelets());
            }
        };
        if mode == MODES[0] {
            for position in &set.positions {
                let search = self.solver.search(position);
                let search = search.two_phase(TwoPhaseMode::Interleaved);
                let report = search.with_cancel(cancel).run();
                if cancel.is_cancelled() {
                    break;
                }
                add(position, &report);
            }
        } else {
            let solutions = self.solver.solve_many_until(set.positions.clone(), cancel);
            for (number, solution) in solutions.unordered() {
                add(&set.positions[number], solution.report());
            }
        }
        if cancel.is_cancelled() {
            return Err(TableError::Cancelled);
        }
        work.seconds = start.elapsed().as_secs_f64();
        Ok(work)
    }
}

fn write_heading(out: &mut impl Write, table: &Table, runs: NonZeroU32) -> io::Result<()> {
    let id = table.id();
    writeln!(
        out,
        "{}\n{id}, {}{}; means per cube, median of {}\n",
        Machine::this(),
        DecimalBytes(id.size.bytes()),
        huge_pages(table.share_of_huge_pages()),
        counted(runs.get().into(), "run")
    )?;
    writeln!(
        out,
        "{BOLD}{:14}  cubes  {:12}  threads  {:>11}  {:>13}  {:26}    ns/probe  of the limit    GB \
         s{BOLD:#}",
        "set", "mode", "nodes", "probes", "seconds (min to max)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_are_complete() {
        for (length, count) in [(16, 25), (17, 25), (18, 10)] {
            let set = PositionSet::of_length(length);
            assert_eq!(set.positions.len(), count, "length {length}");
        }
    }
}
