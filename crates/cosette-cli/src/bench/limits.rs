//! `cosette bench memory`, `gen` and `load`: the rate of random cache lines from memory, and the
//! speed of generating tables and of loading them from a warm cache.

use super::{RunArgs, Spread, one_and_all, rounded, write_record};
use clap::Args;
use cosette::bench::{INSTRUCTIONS, OverlapMeasurement, RandomLines};
use cosette::table::choice::{self, DEFAULT_TABLE, MemoryLimit};
use cosette::table::{Table, TableError, TableSize, available_memory};
use cosette::{Control, ThreadCount};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{MetricArgs, StoreArgs, TableName, ThreadArgs, bytes};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::machine::Machine;
use cosette_app::cli::stderr::tell;
use cosette_app::cli::tables::with_progress;
use cosette_app::units::{counted, grouped};
use indicatif::DecimalBytes;
use serde::Serialize;
use std::io::{self, Write};
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

/// The measurements of memory.
#[derive(Serialize)]
struct MemoryMeasured {
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
            "memory and computation do not overlap, so a search takes the sum of both; in a virtual machine, enable huge pages on \
             its host"
        }
    };
    format!(
        "a line takes {lines_ns:.1} ns, {INSTRUCTIONS} instructions {instructions_ns:.1} ns, both {both_ns:.1} ns: {meaning}"
    )
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
    let measured = read(args, buffer(args.size)?)?;
    let mut out = anstream::stdout();
    if args.runs.json {
        write_record(&mut out, "memory", &measured)?;
    } else {
        measured.write(&mut out)?;
    }
    let share = measured.huge_share.unwrap_or(1.0);
    if share < 0.9 {
        let percent = 100.0 * share;
        tell(format_args!(
            "warning: only {percent:.0} % of the memory is in huge pages, which slows down searches; set \
             /sys/kernel/mm/transparent_hugepage/enabled to `madvise` or `always`"
        ));
    }
    Ok(Exit::Solved)
}

/// Returns the amount of memory to read from.
fn buffer(asked: Option<u64>) -> Result<u64, Failure> {
    let available = available_memory();
    match asked {
        Some(size) if size > available => {
            let [size, available] = [size, available].map(DecimalBytes);
            let message =
                format!("cannot measure {size} of memory: only {available} are available");
            Err(Failure::new(message, "choose a smaller --size"))
        }
        Some(size) => Ok(size),
        None => Ok(DEFAULT_SIZE
            .parse::<TableSize>()
            .expect("the catalog has this size")
            .bytes()
            .min(available / 2)),
    }
}

fn buffer_size(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        ..1_000_000 => Err("write a size of at least 1M".into()),
        size => Ok(size),
    }
}

/// Reads with one thread and with all, with each number of lines in flight.
fn read(args: &MemoryArgs, bytes: u64) -> Result<MemoryMeasured, Failure> {
    let (threads, runs) = (args.threads.count(), args.runs.runs);
    let ways =
        one_and_all(threads).flat_map(|threads| IN_FLIGHT.map(|in_flight| (threads, in_flight)));
    let mut least: Vec<_> = ways.map(|way| (way, f64::INFINITY)).collect();
    let what = DecimalBytes(bytes);
    let (lines, overlap) = with_progress(threads, |control| {
        let lines = RandomLines::new(bytes, &control.step(&format!("allocating {what}")))?;
        let step = format!("reading {what}");
        let control = control.step(&step);
        let mut overlap = lines.overlap(RUN, &control);
        // All readings once, then all again, so that a momentary disturbance of the machine does
        // not affect every run of one.
        for run in 0..runs.get() {
            control.report(run.into(), runs.get().into());
            for ((threads, in_flight), least) in &mut least {
                let of_way = Control::new(*threads).with_cancel(control.cancel_token());
                *least = least.min(lines.nanoseconds(*in_flight, RUN, &of_way)?);
            }
            overlap = overlap.least(lines.overlap(RUN, &control));
        }
        Ok::<_, TableError>((lines, overlap))
    })?;
    let reading = |((threads, in_flight), ns): ((ThreadCount, usize), f64)| {
        let lines_per_second = (1e9 * threads.get() as f64 / ns) as u64;
        Reading {
            threads,
            in_flight,
            ns: rounded(ns),
            lines_per_second,
        }
    };
    Ok(MemoryMeasured {
        bytes,
        huge_share: lines.share_of_huge_pages().map(rounded),
        runs,
        run_seconds: RUN.as_secs_f64(),
        readings: least.into_iter().map(reading).collect(),
        overlap,
    })
}

impl MemoryMeasured {
    /// Writes a row for each number of threads and of lines in flight.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{}", Machine::this())?;
        write!(out, "random lines of {}", DecimalBytes(self.bytes))?;
        self.huge_share
            .iter()
            .try_for_each(|share| write!(out, ", {:.0} % in huge pages", 100.0 * share))?;
        writeln!(
            out,
            "\n\n{BOLD}threads  in flight   ns per thread    lines/second{BOLD:#}"
        )?;
        for Reading {
            threads,
            in_flight,
            ns,
            lines_per_second,
        } in &self.readings
        {
            let millions = lines_per_second / 1_000_000;
            writeln!(
                out,
                "{threads:>7}  {in_flight:>9}  {ns:>14.1}  {millions:>6} million"
            )?;
        }
        writeln!(out, "\n{}", overlap_in_words(&self.overlap))?;
        out.flush()
    }
}

/// Measure the speed of generating a table, without saving it
#[derive(Args)]
pub struct GenArgs {
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
struct TableMeasured {
    table: String,
    bytes: u64,
    entries: u64,
    threads: ThreadCount,
    runs: NonZeroU32,
    seconds: Spread,
    entries_per_second: f64,
    bytes_per_second: f64,
}

impl TableMeasured {
    /// Measures the time that `get` takes to return a table.
    fn of(
        runs: NonZeroU32,
        threads: ThreadCount,
        mut get: impl FnMut() -> Result<Table, Failure>,
    ) -> Result<TableMeasured, Failure> {
        let mut seconds = Vec::new();
        let mut last = None;
        for _ in 0..runs.get() {
            drop(last.take()); // two tables may not fit in memory
            let start = Instant::now();
            last = Some(get()?);
            seconds.push(start.elapsed().as_secs_f64());
        }
        let table = last.expect("there are runs");
        let (bytes, entries) = (table.id().size.bytes(), table.distribution().iter().sum());
        let seconds = Spread::of(seconds);
        Ok(TableMeasured {
            table: table.id().to_string(),
            bytes,
            entries,
            threads,
            runs,
            seconds,
            entries_per_second: rounded(entries as f64 / seconds.median),
            bytes_per_second: rounded(bytes as f64 / seconds.median),
        })
    }

    /// Writes the measurements, with `rate`, the relevant rate in words.
    fn write(&self, args: &RunArgs, bench: &'static str, rate: &str) -> Result<Exit, Failure> {
        let mut out = anstream::stdout();
        if args.json {
            write_record(&mut out, bench, self)?;
        } else {
            let TableMeasured {
                table,
                bytes,
                entries,
                threads,
                runs,
                seconds,
                ..
            } = self;
            let threads = counted(threads.get() as u64, "thread");
            let runs = counted(runs.get().into(), "run");
            writeln!(out, "{}", Machine::this())?;
            writeln!(
                out,
                "{table}, {}, {} entries",
                DecimalBytes(*bytes),
                grouped(*entries)
            )?;
            writeln!(
                out,
                "{seconds:.2} seconds, {rate}, with {threads}; median of {runs}"
            )?;
        }
        Ok(Exit::Solved)
    }
}

/// Runs `cosette bench gen`.
pub fn generate(args: &GenArgs) -> Result<Exit, Failure> {
    let (id, threads) = (args.metric.table(args.table), args.threads.count());
    let measured = TableMeasured::of(args.runs.runs, threads, || {
        Ok(with_progress(threads, |control| {
            Table::generate(id, control)
        })?)
    })?;
    let rate = format!(
        "{:.1} million entries per second",
        measured.entries_per_second / 1e6
    );
    measured.write(&args.runs, "gen", &rate)
}

/// Runs `cosette bench load`.
pub fn load(args: &LoadArgs) -> Result<Exit, Failure> {
    let store = args.store.resolve()?;
    let named = args.table.map(|name| args.metric.table(name));
    let id = choice::choose(
        &store.folder,
        args.metric.with(args.table),
        named,
        MemoryLimit::now(None),
    )?
    .id;
    drop(store.load(id)?); // so that the system has the file in memory
    let measured = TableMeasured::of(args.runs.runs, store.threads, || {
        store.load(id)
    })?;
    let rate = format!(
        "{:.2} GB per second from a warm cache",
        measured.bytes_per_second / 1e9
    );
    measured.write(&args.runs, "load", &rate)
}
