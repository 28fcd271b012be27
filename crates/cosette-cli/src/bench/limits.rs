//! `cosette bench memory`, `gen` and `load`: the rate of random cache lines from memory, and the
//! speed of generating tables and of loading them from a warm cache.

use super::{RunArgs, Spread, one_and_all, rounded, write_measurement};
use clap::Args;
use cosette::bench::{INSTRUCTIONS, OverlapMeasurement, RandomLines};
use cosette::table::choice::{self, DEFAULT_TABLE, MemoryLimit};
use cosette::table::{Table, TableError, TableSize, available_memory};
use cosette::{Control, ThreadCount};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{MetricArgs, StoreArgs, TableName, ThreadArgs, bytes};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr::tell;
use cosette_app::cli::tables::with_progress;
use cosette_app::units::{counted, grouped};
use indicatif::DecimalBytes;
use serde::Serialize;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

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
pub struct MemoryArgs {
    /// Amount of memory to read from [default: the size of the table 1.5G, or half of the free
    /// memory]
    #[arg(long, value_name = "SIZE", value_parser = buffer_size)]
    size: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    runs: RunArgs,
}

/// The numbers of lines in flight: one for the latency, and those with the highest throughput.
const IN_FLIGHT: [usize; 3] = [1, 64, 128];

/// Duration of one measurement of one number of lines.
const RUN: Duration = Duration::from_millis(50);

/// The table whose size is the default amount of memory to read from.
const DEFAULT_SIZE: &str = "1.5G";

fn buffer_size(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        ..1_000_000 => Err("write a size of at least 1M".into()),
        size => Ok(size),
    }
}

/// The measurements of memory.
#[derive(Serialize)]
struct MemoryMeasurement {
    /// Amount of memory that was read from.
    bytes: u64,
    /// Share of the memory that is in huge pages, if known.
    huge_share: Option<f64>,
    runs: NonZeroU32,
    run_seconds: f64,
    readings: Vec<Reading>,
    /// Overlap of memory and computation, of one thread.
    overlap: OverlapMeasurement,
}

/// The rate with one number of threads and of lines in flight.
#[derive(Serialize)]
struct Reading {
    threads: ThreadCount,
    in_flight: usize,
    /// Nanoseconds of a thread per line.
    ns: f64,
    /// Lines per second of all threads together.
    lines_per_second: u64,
}

/// Runs `cosette bench memory`.
pub fn memory(args: &MemoryArgs) -> Result<Exit, Failure> {
    let default = DEFAULT_SIZE.parse::<TableSize>().map(TableSize::bytes);
    let available = available_memory();
    let bytes = args
        .size
        .unwrap_or_else(|| default.map_or(available, |size| size.min(available / 2)));
    if bytes > available {
        let [size, available] = [bytes, available].map(DecimalBytes);
        return Err(Failure::new(
            format!("cannot measure {size} of memory: only {available} are available"),
            "choose a smaller --size",
        ));
    }
    let measured = with_progress(args.threads.count(), |control| {
        read(bytes, args.runs.runs, control)
    })?;
    let mut text = format!("random lines of {}", DecimalBytes(bytes));
    if let Some(share) = measured.huge_share {
        text += &format!(", {:.0} % in huge pages", 100.0 * share);
    }
    text += &format!("\n\n{BOLD}threads  in flight   ns per thread    lines/second{BOLD:#}\n");
    for reading in &measured.readings {
        text += &format!(
            "{:>7}  {:>9}  {:>14.1}  {:>6} million\n",
            reading.threads,
            reading.in_flight,
            reading.ns,
            reading.lines_per_second / 1_000_000
        );
    }
    text += &format!("\n{}", overlap_in_words(&measured.overlap));
    write_measurement(&args.runs, "memory", &measured, &text)?;
    if let Some(share) = measured.huge_share.filter(|&share| share < 0.9) {
        let percent = 100.0 * share;
        tell(format_args!(
            "warning: only {percent:.0} % of the memory is in huge pages, which slows down \
                searches; set \
             /sys/kernel/mm/transparent_hugepage/enabled to `madvise` or `always`"
        ));
    }
    Ok(Exit::Success)
}

/// Reads with one thread and with all, with each number of lines in flight.
fn read(
    bytes: u64,
    runs: NonZeroU32,
    control: &Control<'_>,
) -> Result<MemoryMeasurement, TableError> {
    let what = DecimalBytes(bytes);
    let lines = RandomLines::new(bytes, &control.step(&format!("allocating {what}")))?;
    let step = format!("reading {what}");
    let control = control.step(&step);
    let mut readings = Vec::new();
    for threads in one_and_all(control.threads()) {
        readings.extend(IN_FLIGHT.map(|in_flight| Reading {
            threads,
            in_flight,
            ns: f64::INFINITY,
            lines_per_second: 0,
        }));
    }
    let mut overlap = lines.overlap(RUN, &control);
    // All readings once, then all again, so that a momentary disturbance of the machine does not
    // affect every run of one.
    for run in 0..runs.get() {
        control.report(run.into(), runs.get().into());
        for reading in &mut readings {
            let threads = Control::new(reading.threads).with_cancel(control.cancel_token());
            let ns = lines.nanoseconds(reading.in_flight, RUN, &threads)?;
            reading.ns = reading.ns.min(rounded(ns));
            reading.lines_per_second = (1e9 * reading.threads.get() as f64 / reading.ns) as u64;
        }
        overlap = overlap.least(lines.overlap(RUN, &control));
    }
    Ok(MemoryMeasurement {
        bytes,
        huge_share: lines.share_of_huge_pages().map(rounded),
        runs,
        run_seconds: RUN.as_secs_f64(),
        readings,
        overlap,
    })
}

/// Describes whether memory and computation overlap, and the remedy if they do not.
pub(super) fn overlap_in_words(overlap: &OverlapMeasurement) -> String {
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
                virtual machine, enable huge pages on \
             its host"
        }
    };
    format!(
        "a line takes {lines_ns:.1} ns, {INSTRUCTIONS} instructions {instructions_ns:.1} ns, both \
         {both_ns:.1} ns: {meaning}"
    )
}

/// Measure the speed of generating a table, without saving it
#[derive(Args)]
pub struct GenerationArgs {
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
pub struct LoadArgs {
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

/// The measurements of generating or loading a table.
#[derive(Serialize)]
struct TableMeasurement {
    table: String,
    bytes: u64,
    entries: u64,
    threads: ThreadCount,
    runs: NonZeroU32,
    seconds: Spread,
    entries_per_second: f64,
    bytes_per_second: f64,
}

/// Measures the time that `get` takes to return a table with this number of threads, and writes it
/// with the relevant rate in words.
fn measure(
    args: &RunArgs,
    bench: &'static str,
    threads: ThreadCount,
    mut get: impl FnMut() -> Result<Table, Failure>,
    rate: fn(&TableMeasurement) -> String,
) -> Result<Exit, Failure> {
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
    let entries = table.distribution().iter().sum();
    let measured = TableMeasurement {
        table: table.id().to_string(),
        bytes,
        entries,
        threads,
        runs: args.runs,
        seconds,
        entries_per_second: rounded(entries as f64 / seconds.median),
        bytes_per_second: rounded(bytes as f64 / seconds.median),
    };
    let text = format!(
        "{}, {}, {} entries\n{seconds:.2} seconds, {}, with {}; median of {}",
        measured.table,
        DecimalBytes(bytes),
        grouped(entries),
        rate(&measured),
        counted(threads.get() as u64, "thread"),
        counted(args.runs.get().into(), "run")
    );
    write_measurement(args, bench, &measured, &text)?;
    Ok(Exit::Success)
}

/// Runs `cosette bench gen`.
pub fn generate(args: &GenerationArgs) -> Result<Exit, Failure> {
    let id = args.metric.table(args.table);
    let threads = args.threads.count();
    let generate = || {
        Ok(with_progress(threads, |control| {
            Table::generate(id, control)
        })?)
    };
    measure(&args.runs, "gen", threads, generate, |measured| {
        let millions = measured.entries_per_second / 1e6;
        format!("{millions:.1} million entries per second")
    })
}

/// Runs `cosette bench load`.
pub fn load(args: &LoadArgs) -> Result<Exit, Failure> {
    let store = args.store.resolve()?;
    let named = args.table.map(|name| args.metric.table(name));
    let metric = args.metric.with(args.table);
    let id = choice::choose(&store.folder, metric, named, MemoryLimit::now(None))?.id;
    drop(store.load(id)?); // so that the system has the file in memory
    let load = || store.load(id);
    measure(&args.runs, "load", store.threads, load, |measured| {
        let gigabytes = measured.bytes_per_second / 1e9;
        format!("{gigabytes:.2} GB per second from a warm cache")
    })
}
