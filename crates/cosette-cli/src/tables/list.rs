//! `cosette tables list`.

use super::AnyTable;
use anstyle::Style;
use clap::Args;
use cosette::ThreadCount;
use cosette::block_file::Contents;
use cosette::table::choice::MemoryLimit;
use cosette::table::{OnDisk, TableError, TableFolder, TableId};
use cosette_app::cli::args::{MetricArgs, StoreArgs};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr::tell;
use cosette_app::cli::store::Store;
use cosette_app::estimate;
use cosette_app::json;
use cosette_app::remedies::{Audience, worded};
use indicatif::DecimalBytes;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Args)]
pub struct ListArgs {
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    store: StoreArgs,
}

/// What is known about a table.
#[derive(Serialize)]
struct Row {
    name: String,
    /// Whether it belongs to the lab; then only its file is known.
    lab: bool,
    metric: Option<&'static str>,
    bytes: u64,
    path: String,
    on_disk: bool,
    /// How much of it an interrupted generation left.
    generated_percent: Option<u64>,
    /// Why the file cannot be used.
    fault: Option<String>,
    #[serde(skip)]
    remedy: Option<String>,
    /// Whether it fits in the memory that is free now, besides what the program needs.
    fits: bool,
    /// Estimates; `None` for tables of the lab.
    generation_seconds: Option<f64>,
    cube_seconds: Option<f64>,
}

impl Row {
    fn of(table: &AnyTable, state: OnDisk, folder: &TableFolder, threads: ThreadCount) -> Row {
        let id = table.id();
        let generated_percent = if let OnDisk::Partly(done) = &state { Some(done.percent()) } else { None };
        let fault = if let OnDisk::Faulty(fault) = &state { Some(fault) } else { None };
        Row {
            name: table.name(),
            lab: id.is_none(),
            metric: id.map(|id| id.metric.name()),
            bytes: table.bytes(),
            path: folder.path_of(table).display().to_string(),
            on_disk: matches!(state, OnDisk::Yes),
            generated_percent,
            fault: fault.map(TableError::to_string),
            remedy: fault.and_then(TableError::remedy).map(|remedy| worded(&remedy, Audience::Command)),
            fits: table.bytes() <= MemoryLimit::now(None).available,
            generation_seconds: id.map(|id| estimate::to_generate(id, threads).as_secs_f64()),
            cube_seconds: id.map(|id| estimate::to_solve(id, threads).as_secs_f64()),
        }
    }

    fn on_disk(&self) -> String {
        match (self.on_disk, &self.fault, self.generated_percent) {
            (true, ..) => "yes".into(),
            (_, Some(_), _) => "faulty".into(),
            (.., Some(percent)) => format!("{percent} % done"),
            _ => "-".into(),
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &ListArgs) -> Result<Exit, Failure> {
    let Store { folder, threads } = args.store.open()?;
    let asked = args.metric.asked();
    let row = |table: AnyTable| Row::of(&table, folder.state(&table), &folder, threads);
    let is_shown = |id: &TableId| asked.is_none_or(|metric| id.metric == metric);
    let of_engine: Vec<Row> = TableId::all().filter(is_shown).map(AnyTable::Engine).map(row).collect();
    let is_there = |row: &Row| asked.is_none() && (row.on_disk || row.fault.is_some());
    let of_lab: Vec<Row> = AnyTable::all_of_lab().map(row).filter(is_there).collect();

    let mut out = anstream::stdout();
    let all = || of_engine.iter().chain(&of_lab);
    if args.json {
        all().try_for_each(|row| json::write_line(&mut out, row))?;
        return Ok(Exit::Solved);
    }
    write_heading(&mut out, threads)?;
    of_engine.iter().try_for_each(|row| write_row(&mut out, row))?;
    if !of_lab.is_empty() {
        writeln!(out, "\n{BOLD}{:35}  {:>9}  on disk{BOLD:#}", "table of the lab", "size")?;
        of_lab.iter().try_for_each(|row| write_lab_row(&mut out, row))?;
    }
    writeln!(
        out,
        "\nin {}; the times are estimates, and `cosette tables verify` checks the entries",
        folder.path().display()
    )?;
    for row in all() {
        if let Some(fault) = &row.fault {
            let remedy = row.remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
            tell(format_args!("warning: {fault}{remedy}"));
        }
    }
    Ok(Exit::Solved)
}

const BOLD: Style = Style::new().bold();

fn write_heading(out: &mut impl Write, threads: ThreadCount) -> io::Result<()> {
    let threads = format!("{threads} thread{}", if threads.get() == 1 { "" } else { "s" });
    writeln!(out, "{BOLD}table          size  on disk      fits memory  generate   a random cube{BOLD:#}   ({threads})")
}

fn write_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let [size, generate, cube] = [
        DecimalBytes(row.bytes).to_string(),
        row.generation_seconds.map_or("-".into(), rounded),
        row.cube_seconds.map_or("-".into(), rounded),
    ];
    let fits = if row.fits { "yes" } else { "no" };
    writeln!(out, "{:8}  {size:>9}  {:11}  {fits:11}  {generate:>8}  {cube:>14}", row.name, row.on_disk())
}

fn write_lab_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    writeln!(out, "{:35}  {:>9}  {}", row.name, DecimalBytes(row.bytes).to_string(), row.on_disk())
}

/// A time in seconds to two digits.
fn rounded(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.995 => format!("{seconds:.2} s"),
        seconds if seconds < 9.95 => format!("{seconds:.1} s"),
        seconds if seconds < 99.5 => format!("{seconds:.0} s"),
        seconds if seconds < 5_970.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3_600.0),
    }
}
