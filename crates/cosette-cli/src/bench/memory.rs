//! `cosette bench memory`: how fast random lines arrive.

use super::record::{self, RunArgs, one_and_all, rounded};
use anstyle::Style;
use clap::Args;
use cosette::ThreadCount;
use cosette::bench::{Access, Hint, LineRate, RandomLines};
use cosette::table::{Pages, TableError, TableSize, available_memory};
use cosette_app::cli::args::{ThreadArgs, bytes};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::machine::Machine;
use cosette_app::cli::stderr::tell;
use cosette_app::cli::store::with_progress;
use indicatif::DecimalBytes;
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroU32;
use std::time::Duration;

/// Measure how fast random lines of memory arrive: the limit of every search
///
/// Each thread has several lines in flight, requested with a prefetch; when one arrives, it requests another that depends on
/// it. With one line in flight this is the latency of memory; with many, its throughput. Each way of reading is measured
/// several times for a short while, and the best result counts.
#[derive(Args)]
pub struct MemoryArgs {
    /// How much memory to read from [default: the size of the table 1.5G, or half of what is free]
    #[arg(long, value_name = "SIZE", value_parser = buffer_size)]
    size: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    runs: RunArgs,
}

/// The numbers of lines in flight.
const IN_FLIGHT: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
const _: () = assert!(IN_FLIGHT[IN_FLIGHT.len() - 1] == Access::MOST_IN_FLIGHT);

/// How long a way of reading is measured each time.
const RUN: Duration = Duration::from_millis(50);

/// By default, as much memory is read as this table takes.
const USUAL_SIZE: &str = "1.5G";

/// What was measured.
#[derive(Serialize)]
struct Measured {
    /// How much memory was read from.
    bytes: u64,
    runs: NonZeroU32,
    run_seconds: f64,
    readings: Vec<Reading>,
}

/// One way of reading.
#[derive(Serialize)]
struct Reading {
    pages: &'static str,
    /// The share of the memory that is in huge pages, if the system says.
    huge_share: Option<f64>,
    prefetch: &'static str,
    threads: ThreadCount,
    in_flight: usize,
    /// Nanoseconds of a thread for each line.
    ns: f64,
    /// How many lines per second all threads get together.
    lines_per_second: u64,
}

/// Runs the subcommand.
pub fn run(args: &MemoryArgs) -> Result<Exit, Failure> {
    let bytes = buffer(args.size)?;
    let mut readings = Vec::new();
    for pages in Pages::ALL {
        readings.extend(read(args, bytes, pages)?);
    }
    let measured = Measured { bytes, runs: args.runs.runs, run_seconds: RUN.as_secs_f64(), readings };
    let mut out = anstream::stdout();
    if args.runs.json {
        record::write(&mut out, "memory", &measured)?;
    } else {
        write_text(&mut out, &measured)?;
    }
    warn_of_missing_huge_pages(&measured);
    Ok(Exit::Solved)
}

/// How much memory to read from.
fn buffer(asked: Option<u64>) -> Result<u64, Failure> {
    let available = available_memory();
    match asked {
        Some(size) if size > available => {
            let [size, available] = [size, available].map(DecimalBytes);
            let message = format!("{size} of memory cannot be measured: {available} are available");
            Err(Failure::new(message, "choose less with --size"))
        }
        Some(size) => Ok(size),
        None => Ok(USUAL_SIZE.parse::<TableSize>().expect("the catalogue has this size").bytes().min(available / 2)),
    }
}

fn buffer_size(text: &str) -> Result<u64, String> {
    match bytes(text)? {
        ..1_000_000 => Err("choose 1M or more".into()),
        size => Ok(size),
    }
}

/// All ways of reading, by threads, then by prefetch, then by lines in flight.
fn ways(threads: ThreadCount) -> Vec<Access> {
    one_and_all(threads)
        .flat_map(|threads| Hint::ALL.map(|hint| (threads, hint)))
        .flat_map(|(threads, hint)| IN_FLIGHT.map(|in_flight| Access { in_flight, hint, threads }))
        .collect()
}

/// Reads in all ways from memory in these pages.
fn read(args: &MemoryArgs, bytes: u64, pages: Pages) -> Result<Vec<Reading>, Failure> {
    let (threads, runs) = (args.threads.count(), args.runs.runs.get() as usize);
    let (what, ways) = (format!("{} in {} pages", DecimalBytes(bytes), pages.name()), ways(threads));
    let (lines, rates) = with_progress(threads, |control| {
        let lines = RandomLines::new(bytes, pages, &control.step(&format!("taking {what}")))?;
        let step = format!("reading {what}");
        let control = control.step(&step);
        let total = runs * ways.len();
        let read = |(done, &access): (usize, &Access)| {
            control.report(done as u64, total as u64);
            lines.rate(access, RUN, control.cancel())
        };
        // All ways once, then all once more, so that what disturbs the machine for a moment hits no way in every run.
        let rates = ways.iter().cycle().take(total).enumerate().map(read).collect::<Vec<LineRate>>();
        if control.is_cancelled() { Err(TableError::Cancelled) } else { Ok((lines, rates)) }
    })?;
    let huge_share = lines.share_of_huge_pages().map(rounded);
    let reading = |(number, access): (usize, &Access)| {
        let of_this_way = rates.iter().skip(number).step_by(ways.len());
        let best = of_this_way.max_by(|a, b| a.per_second.total_cmp(&b.per_second)).expect("there are runs");
        Reading {
            pages: pages.name(),
            huge_share,
            prefetch: access.hint.instruction(),
            threads: access.threads,
            in_flight: access.in_flight,
            ns: rounded(best.nanoseconds()),
            lines_per_second: best.per_second as u64,
        }
    };
    Ok(ways.iter().enumerate().map(reading).collect())
}

/// Writes a row for each kind of pages, prefetch and threads, with a column for each number of lines in flight.
fn write_text(out: &mut impl Write, measured: &Measured) -> io::Result<()> {
    const BOLD: Style = Style::new().bold();
    writeln!(out, "{}", Machine::this())?;
    writeln!(out, "random lines of {}: nanoseconds of a thread, by lines in flight\n", DecimalBytes(measured.bytes))?;
    write!(out, "{BOLD}pages     prefetch    threads")?;
    IN_FLIGHT.iter().try_for_each(|in_flight| write!(out, "  {in_flight:>5}"))?;
    writeln!(out, "  most lines a second{BOLD:#}")?;
    for row in measured.readings.chunks(IN_FLIGHT.len()) {
        let Reading { pages, prefetch, threads, .. } = row[0];
        write!(out, "{pages:8}  {prefetch:10}  {threads:>7}")?;
        row.iter().try_for_each(|reading| write!(out, "  {:>5.1}", reading.ns))?;
        let most = row.iter().map(|reading| reading.lines_per_second).max().unwrap_or(0);
        writeln!(out, "  {:>11} million", most / 1_000_000)?;
    }
    out.flush()
}

fn warn_of_missing_huge_pages(measured: &Measured) {
    let share = measured.readings[0].huge_share.unwrap_or(1.0);
    if share < 0.9 {
        let percent = 100.0 * share;
        tell(format_args!(
            "warning: only {percent:.0} % of the memory requested in huge pages is in huge pages, and so will tables be; \
             /sys/kernel/mm/transparent_hugepage/enabled should say `madvise` or `always`"
        ));
    }
}
