//! `cosette bench gen` and `cosette bench load`: how fast tables are generated, and read from a warm cache.

use super::record::{self, RunArgs, Spread, rounded};
use clap::Args;
use cosette::ThreadCount;
use cosette::table::choice::FIRST_TABLE;
use cosette::table::{OnDisk, Table, TableId, available_memory};
use cosette_app::cli::args::{MetricArgs, StoreArgs, TableName, ThreadArgs};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::machine::Machine;
use cosette_app::cli::store::{Store, Users, with_progress};
use cosette_app::words::counted;
use indicatif::{DecimalBytes, HumanCount};
use serde::Serialize;
use std::io::Write;
use std::num::NonZeroU32;
use std::time::Instant;

/// Measure how fast a table is generated, without saving it
#[derive(Args)]
pub struct GenArgs {
    /// The table, as in 24M or qtm-24M
    #[arg(long, value_name = "NAME", default_value = FIRST_TABLE.name())]
    table: TableName,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    runs: RunArgs,
}

/// Measure how fast a table is loaded with all checksums from a file that the system has cached
#[derive(Args)]
pub struct LoadArgs {
    /// The table [default: the largest on disk that fits in memory]
    #[arg(long, value_name = "NAME")]
    table: Option<TableName>,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    runs: RunArgs,
    #[command(flatten)]
    store: StoreArgs,
}

/// What was measured.
#[derive(Serialize)]
struct Measured {
    table: String,
    bytes: u64,
    entries: u64,
    threads: ThreadCount,
    runs: NonZeroU32,
    seconds: Spread,
    entries_per_second: f64,
    bytes_per_second: f64,
}

impl Measured {
    /// Measures how long it takes to get a table.
    fn of(
        runs: NonZeroU32,
        threads: ThreadCount,
        mut get: impl FnMut() -> Result<Table, Failure>,
    ) -> Result<Measured, Failure> {
        let mut seconds = Vec::new();
        let mut last = None;
        for _ in 0..runs.get() {
            drop(last.take()); // two tables may be more than memory holds
            let start = Instant::now();
            last = Some(get()?);
            seconds.push(start.elapsed().as_secs_f64());
        }
        let table = last.expect("there are runs");
        let (bytes, entries) = (table.id().size.bytes(), table.distribution().iter().sum());
        let seconds = Spread::of(seconds);
        Ok(Measured {
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

    /// Writes it, with the rate that matters.
    fn write(&self, args: &RunArgs, bench: &'static str, rate: &str) -> Result<Exit, Failure> {
        let mut out = anstream::stdout();
        if args.json {
            record::write(&mut out, bench, self)?;
        } else {
            let Measured { table, bytes, entries, threads, runs, seconds, .. } = self;
            let (threads, runs) = (counted(threads.get() as u64, "thread"), counted(runs.get().into(), "run"));
            writeln!(out, "{}", Machine::this())?;
            writeln!(out, "{table}, {}, {} entries", DecimalBytes(*bytes), HumanCount(*entries))?;
            writeln!(out, "{seconds:.2} seconds, {rate}, with {threads}; median of {runs}")?;
        }
        Ok(Exit::Solved)
    }
}

/// Runs `cosette bench gen`.
pub fn generate(args: &GenArgs) -> Result<Exit, Failure> {
    let (id, threads) = (args.metric.table(args.table), args.threads.count());
    let measured =
        Measured::of(args.runs.runs, threads, || Ok(with_progress(threads, |control| Table::generate(id, control))?))?;
    let rate = format!("{:.1} million entries a second", measured.entries_per_second / 1e6);
    measured.write(&args.runs, "gen", &rate)
}

/// Runs `cosette bench load`.
pub fn load(args: &LoadArgs) -> Result<Exit, Failure> {
    let store = args.store.open()?;
    let id = args.table.map_or_else(|| largest_on_disk(&store, &args.metric), |name| args.metric.table(name));
    drop(store.load(id, Users::This)?); // so that the system has the file in memory
    let measured = Measured::of(args.runs.runs, store.threads, || store.load(id, Users::This))?;
    let rate = format!("{:.2} GB a second from a warm cache", measured.bytes_per_second / 1e9);
    measured.write(&args.runs, "load", &rate)
}

/// The largest table on disk that fits in memory; otherwise a common one, and loading it reports what is missing.
fn largest_on_disk(store: &Store, metric: &MetricArgs) -> TableId {
    let metric = metric.with(None);
    let can_be_loaded = |id: &TableId, state: &OnDisk| {
        matches!(state, OnDisk::Yes) && id.metric == metric && id.size.bytes() <= available_memory()
    };
    let loadable = store.folder.list().into_iter().filter(|(id, state)| can_be_loaded(id, state)).map(|(id, _)| id);
    loadable.max_by_key(|id| id.size).unwrap_or(TableId { metric, size: FIRST_TABLE })
}
