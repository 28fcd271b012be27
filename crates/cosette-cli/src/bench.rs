//! `cosette bench`: measurements of this machine, to be stored and compared.
//!
//! A measurement is printed as text, or with `--json` as a record: an object on one line with the
//! machine, the build and the date. The submodule `search` compares the speed of solving with the
//! limit set by memory.

mod search;

use clap::{Args, Subcommand};
use cosette::bench::{INSTRUCTIONS, OverlapMeasurement};
use cosette::table::choice::{self, DEFAULT_TABLE, MemoryLimit};
use cosette::table::{Table, TableError, TableMemory, TableSize, available_memory};
use cosette::{Control, ThreadCount};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{MetricArgs, StoreArgs, TableName, ThreadArgs, bytes, whole_number};
use cosette_app::cli::failure::{ErrorReport, Exit, Failure};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::machine::{self, Build, Machine};
use cosette_app::cli::stderr::tell;
use cosette_app::cli::tables::with_progress;
use cosette_app::events::write_line;
use cosette_app::units::{counted, grouped};
use indicatif::DecimalBytes;
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

/// Measure this machine: memory, search, and the generation and loading of tables
///
/// With --json, each figure comes with the machine, the compiler, the commit and the date.
#[derive(Args)]
pub struct BenchArgs {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    Memory(MemoryArgs),
    Search(search::SearchBenchArgs),
    Gen(GenerationArgs),
    Load(LoadArgs),
}

/// Runs the subcommand.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    // Notices an interruption also between the parts of a measurement.
    let _interruptible = Interruptible::start();
    let result = match &args.command {
        BenchCommand::Memory(args) => measure_memory(args),
        BenchCommand::Search(args) => search::run(args),
        BenchCommand::Gen(args) => measure_generation(args),
        BenchCommand::Load(args) => measure_loading(args),
    };
    result.map_err(|failure| match failure.exit() {
        exit @ Exit::Interrupted => Failure::Other(ErrorReport {
            message: "stopped before the measurement was complete".into(),
            help: None,
            exit,
        }),
        _ => failure,
    })?;
    Ok(Exit::Success)
}

/// The options of every measurement: number of runs, and output.
#[derive(Args)]
struct RunArgs {
    /// Number of times to measure each figure
    #[arg(
        long,
        value_name = "N",
        default_value = "3",
        value_parser = whole_number::<NonZeroU32>(1..=u32::MAX.into())
    )]
    runs: NonZeroU32,
    /// Print JSON Lines, one object per measurement
    #[arg(long)]
    json: bool,
}

/// A measurement with its circumstances. Fields are added, never renamed.
#[derive(Serialize)]
struct MeasurementRecord {
    /// Kind of the measurement: `memory`, `search`, `gen` or `load`.
    bench: &'static str,
    /// Date of the measurement, in UTC.
    date: String,
    #[serde(flatten)]
    build: Build,
    machine: Machine,
    #[serde(flatten)]
    figures: Value,
}

/// Writes a measurement: its figures as a record, or as text.
fn write(args: &RunArgs, bench: &'static str, figures: Value, text: &str) -> io::Result<()> {
    let mut out = anstream::stdout();
    if !args.json {
        writeln!(out, "{text}")?;
        return out.flush();
    }
    let record = MeasurementRecord {
        bench,
        date: machine::now(),
        build: crate::BUILD,
        machine: Machine::this(),
        figures,
    };
    write_line(&mut out, &record)
}

/// The median, minimum and maximum of several figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Spread {
    median: f64,
    min: f64,
    max: f64,
}

impl Spread {
    /// Returns the spread of `figures`, of which there is at least one.
    fn of(figures: impl IntoIterator<Item = f64>) -> Spread {
        let mut figures: Vec<f64> = figures.into_iter().map(rounded).collect();
        figures.sort_by(f64::total_cmp);
        let last = figures.len() - 1;
        Spread {
            median: rounded((figures[last / 2] + figures[last.div_ceil(2)]) / 2.0),
            min: figures[0],
            max: figures[last],
        }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(3);
        let Spread { median, min, max } = self;
        write!(f, "{median:.digits$} ({min:.digits$} to {max:.digits$})")
    }
}

/// Rounds a figure for records: to five significant digits, or to an integer if it has more digits
/// before the point.
fn rounded(figure: f64) -> f64 {
    let digits_after_point = 4 - figure.abs().max(1e-9).log10().floor() as i32;
    let unit = 10f64.powi(digits_after_point.max(0));
    (figure * unit).round() / unit
}

/// Returns one thread, and `threads` if that is more.
fn one_and_all(threads: ThreadCount) -> Vec<ThreadCount> {
    let mut counts = vec![ThreadCount::ONE, threads];
    counts.dedup();
    counts
}

/// Measure the rate of random cache lines from memory: the limit of every search
///
/// Each thread has several lines in flight, requested with a prefetch; when one arrives, the thread
/// requests another that depends on it. One line in flight measures the latency of memory; many
/// measure its throughput. Each number of lines is measured several times for a short while, and
/// the best result counts.
///
/// Finally, one thread computes between its requests, as a search does: if memory and computation
/// do not overlap, a search takes as long as both together.
#[derive(Args)]
struct MemoryArgs {
    /// Amount of memory to read from [default: the size of the table 1.5G, or half of the free
    /// memory]
    #[arg(long, value_name = "SIZE", value_parser = buffer_size)]
    size: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    runs: RunArgs,
}

/// Parses an amount of memory of at least 1 MB.
fn buffer_size(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        ..1_000_000 => Err("write a size of at least 1M".into()),
        size => Ok(size),
    }
}

/// The measured numbers of lines in flight: 1 gives the latency; 64 and 128 give the highest
/// throughput.
const IN_FLIGHT: [usize; 3] = [1, 64, 128];

/// Duration of a measurement with one number of lines in flight.
const RUN: Duration = Duration::from_millis(50);

/// The table whose size is the default amount of memory to read from: 1.5G.
const DEFAULT_SIZE: TableSize = TableSize::ALL[6];

/// Measures and writes the rate of random lines, and the overlap of memory and computation.
fn measure_memory(args: &MemoryArgs) -> Result<(), Failure> {
    let available = available_memory();
    let default = DEFAULT_SIZE.bytes().min(available / 2);
    let bytes = args.size.unwrap_or(default);
    let size = DecimalBytes(bytes);
    if bytes > available {
        let available = DecimalBytes(available);
        return Err(Failure::new(
            format!("cannot measure {size} of memory: only {available} are available"),
            "choose a smaller --size",
        ));
    }
    let runs = args.runs.runs;
    let (figures, text, huge_share) = with_progress(args.threads.count(), |control| {
        let memory = TableMemory::filled(bytes, &control.step(&format!("allocating {size}")))?;
        let huge_share = memory.share_of_huge_pages().map(rounded);
        let mut readings = Vec::new();
        let mut text = format!(
            "{}\nrandom lines of {size}{}\n\n{BOLD}threads  in flight   ns per thread    \
             lines/second{BOLD:#}\n",
            Machine::this(),
            huge_pages(huge_share)
        );
        for threads in one_and_all(control.threads()) {
            let control = control.clone().with_threads(threads);
            for in_flight in IN_FLIGHT {
                let ns = rounded(least_line_time(&memory, &[in_flight], runs, &control)?);
                let rate = (1e9 * threads.get() as f64 / ns) as u64;
                let millions = rate / 1_000_000;
                text +=
                    &format!("{threads:>7}  {in_flight:>9}  {ns:>14.1}  {millions:>6} million\n");
                readings.push(json!({
                    "threads": threads,
                    "in_flight": in_flight,
                    "ns": ns,
                    "lines_per_second": rate,
                }));
            }
        }
        let overlap = least_overlap(&memory, runs, control);
        let figures = json!({
            "bytes": bytes,
            "huge_share": huge_share,
            "runs": runs,
            "run_seconds": RUN.as_secs_f64(),
            "readings": readings,
            "overlap": overlap,
        });
        let text = format!("{text}\n{}", describe_overlap(&overlap));
        Ok::<_, TableError>((figures, text, huge_share))
    })?;
    write(&args.runs, "memory", figures, &text)?;
    if let Some(share) = huge_share.filter(|&share| share < 0.9) {
        let percent = 100.0 * share;
        tell(format_args!(
            "warning: only {percent:.0} % of the memory is in huge pages, which slows down \
             searches; set /sys/kernel/mm/transparent_hugepage/enabled to `madvise` or `always`"
        ));
    }
    Ok(())
}

/// Returns the minimum number of nanoseconds that a thread needs per random line, over `runs`
/// measurements with each number of lines in flight.
fn least_line_time(
    memory: &TableMemory,
    in_flight: &[usize],
    runs: NonZeroU32,
    control: &Control<'_>,
) -> Result<f64, TableError> {
    let mut min_time = f64::INFINITY;
    for _ in 0..runs.get() {
        for &in_flight in in_flight {
            min_time = min_time.min(memory.line_nanoseconds(in_flight, RUN, control)?);
        }
    }
    Ok(min_time)
}

/// Returns the minimum of each time, over `runs` measurements of overlap.
fn least_overlap(
    memory: &TableMemory,
    runs: NonZeroU32,
    control: &Control<'_>,
) -> OverlapMeasurement {
    let measure = || memory.overlap(RUN, control);
    (1..runs.get()).fold(measure(), |least, _| least.least(measure()))
}

/// Describes the share of memory that is in huge pages.
fn huge_pages(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| {
        format!(", {:.0} % in huge pages", 100.0 * share)
    })
}

/// Describes whether memory and computation overlap, and the remedy if they do not.
fn describe_overlap(overlap: &OverlapMeasurement) -> String {
    let OverlapMeasurement {
        lines_ns,
        instructions_ns,
        both_ns,
    } = overlap;
    let meaning = match overlap.share() {
        0.7.. => "memory and computation overlap",
        0.3.. => "memory and computation overlap partly",
        _ => {
            "memory and computation do not overlap, so a search takes the sum of both; in a \
             virtual machine, enable huge pages on its host"
        }
    };
    format!(
        "a line takes {lines_ns:.1} ns, {INSTRUCTIONS} instructions {instructions_ns:.1} ns, both \
         {both_ns:.1} ns: {meaning}"
    )
}

/// Measure the speed of generating a table, without saving it
#[derive(Args)]
struct GenerationArgs {
    /// Table to generate, e.g. 24M or qtm-24M
    #[arg(long, value_name = "NAME", default_value = DEFAULT_TABLE.name())]
    table: TableName,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    runs: RunArgs,
}

/// Measure the speed of loading a table, with all checksums, from a file in the system's cache
#[derive(Args)]
struct LoadArgs {
    /// Table to load [default: the largest on disk that fits in memory]
    #[arg(long, value_name = "NAME")]
    table: Option<TableName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    runs: RunArgs,
    #[command(flatten)]
    store: StoreArgs,
}

fn measure_generation(args: &GenerationArgs) -> Result<(), Failure> {
    let id = args.metric.table(args.table);
    let threads = args.threads.count();
    let generate = || {
        Ok(with_progress(threads, |control| {
            Table::generate(id, control)
        })?)
    };
    measure_table("gen", &args.runs, threads, generate)
}

fn measure_loading(args: &LoadArgs) -> Result<(), Failure> {
    let store = args.store.resolve()?;
    let named = args.table.map(|name| args.metric.table(name));
    let metric = args.metric.resolve(args.table);
    let id = choice::choose(&store.folder, metric, named, MemoryLimit::now(None))?.id;
    drop(store.load(id)?); // so that the system has the file in memory
    measure_table("load", &args.runs, store.threads, || store.load(id))
}

/// Measures the time that `get` takes to return a table with this number of threads. Writes the
/// time and a rate: entries per second if the table is generated, bytes per second if it is loaded.
fn measure_table(
    bench: &'static str,
    args: &RunArgs,
    threads: ThreadCount,
    get: impl Fn() -> Result<Table, Failure>,
) -> Result<(), Failure> {
    let mut seconds = Vec::new();
    let mut last = None;
    for _ in 0..args.runs.get() {
        drop(last.take()); // two tables may not fit in memory
        let start = Instant::now();
        last = Some(get()?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    let table = last.expect("there are runs");
    let seconds = Spread::of(seconds);
    let bytes = table.id().size.bytes();
    let entries: u64 = table.distribution().iter().sum();
    let entries_per_second = rounded(entries as f64 / seconds.median);
    let bytes_per_second = rounded(bytes as f64 / seconds.median);
    let rate = match bench {
        "gen" => format!("{:.1} million entries per second", entries_per_second / 1e6),
        _ => format!(
            "{:.2} GB per second from a warm cache",
            bytes_per_second / 1e9
        ),
    };
    let text = format!(
        "{}\n{}, {}, {} entries\n{seconds:.2} seconds, {rate}, with {}; median of {}",
        Machine::this(),
        table.id(),
        DecimalBytes(bytes),
        grouped(entries),
        counted(threads.get() as u64, "thread"),
        counted(args.runs.get().into(), "run")
    );
    let figures = json!({
        "table": table.id(),
        "bytes": bytes,
        "entries": entries,
        "threads": threads,
        "runs": args.runs,
        "seconds": seconds,
        "entries_per_second": entries_per_second,
        "bytes_per_second": bytes_per_second,
    });
    Ok(write(args, bench, figures, &text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_rounded_and_the_median_is_in_the_middle() {
        for (figures, text) in [
            (&[3.0, 1.0, 2.0][..], "2.0 (1.0 to 3.0)"),
            (&[4.0, 1.0], "2.5 (1.0 to 4.0)"),
            (&[7.0], "7.0 (7.0 to 7.0)"),
        ] {
            assert_eq!(format!("{:.1}", Spread::of(figures.to_vec())), text);
        }
        for (figure, expected) in [
            (0.012345678, 0.012346),
            (1_234_567.8, 1_234_568.0),
            (0.0, 0.0),
        ] {
            assert_eq!(rounded(figure), expected);
        }
    }
}
