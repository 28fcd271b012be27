//! `cosette tables list`.

use super::{estimate, fits};
use crate::args::{FolderArgs, MetricArgs, ThreadArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::solve::write_object;
use anstyle::Style;
use clap::Args;
use cosette::table::{OnDisk, TableError, TableFolder, TableId};
use indicatif::DecimalBytes;
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroUsize;

#[derive(Args)]
pub struct ListArgs {
    /// One JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    metric: MetricArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

/// What is said of a table.
#[derive(Serialize)]
struct Row {
    name: String,
    metric: &'static str,
    bytes: u64,
    path: String,
    on_disk: bool,
    /// How much of it an interrupted filling has left.
    filled_percent: Option<u64>,
    /// Why the file there cannot be used.
    fault: Option<String>,
    /// Whether it fits in the memory that is free now.
    fits: bool,
    /// Estimates; there are none for quarter turns.
    fill_seconds: Option<f64>,
    cube_seconds: Option<f64>,
}

impl Row {
    fn of(id: TableId, state: &OnDisk, folder: &TableFolder, threads: NonZeroUsize) -> Row {
        Row {
            name: id.to_string(),
            metric: id.metric.name(),
            bytes: id.size.bytes(),
            path: folder.path_of(id).display().to_string(),
            on_disk: matches!(state, OnDisk::Yes),
            filled_percent: if let OnDisk::Partly(filled) = state { Some(filled.percent()) } else { None },
            fault: if let OnDisk::Faulty(fault) = state { Some(fault.to_string()) } else { None },
            fits: fits(id),
            fill_seconds: estimate::to_fill(id, threads).map(|time| time.as_secs_f64()),
            cube_seconds: estimate::to_solve(id, threads).map(|time| time.as_secs_f64()),
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &ListArgs) -> Result<Exit, Failure> {
    let (folder, threads) = (args.folder.folder()?, args.threads.count());
    let metric = args.metric.with(None);
    let is_shown = |id: TableId| args.metric.asked().is_none() && args.json || id.metric == metric;
    let mut out = anstream::stdout();
    let mut faults = Vec::new();
    if !args.json {
        write_heading(&mut out, threads)?;
    }
    for (id, state) in folder.list().into_iter().filter(|&(id, _)| is_shown(id)) {
        let row = Row::of(id, &state, &folder, threads);
        if args.json {
            write_object(&mut out, &row)?;
        } else {
            write_row(&mut out, &row)?;
        }
        if let OnDisk::Faulty(fault) = state {
            faults.push(fault);
        }
    }
    if !args.json {
        writeln!(
            out,
            "\nin {}; the times are estimates, and `cosette tables verify` checks the entries",
            folder.path().display()
        )?;
        for fault in faults {
            warn(&fault);
        }
    }
    Ok(Exit::Solved)
}

fn write_heading(out: &mut impl Write, threads: NonZeroUsize) -> io::Result<()> {
    const BOLD: Style = Style::new().bold();
    let threads = format!("{threads} thread{}", if threads.get() == 1 { "" } else { "s" });
    writeln!(out, "{BOLD}table          size  on disk      fits memory   to fill   a random cube{BOLD:#}   ({threads})")
}

fn write_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let on_disk = match (row.on_disk, &row.fault, row.filled_percent) {
        (true, ..) => "yes".into(),
        (_, Some(_), _) => "faulty".into(),
        (.., Some(percent)) => format!("{percent} % filled"),
        _ => "-".into(),
    };
    let [size, fill, cube] = [
        DecimalBytes(row.bytes).to_string(),
        row.fill_seconds.map_or("-".into(), rounded),
        row.cube_seconds.map_or("-".into(), rounded),
    ];
    let fits = if row.fits { "yes" } else { "no" };
    writeln!(out, "{:8}  {size:>9}  {on_disk:11}  {fits:11}  {fill:>8}  {cube:>14}", row.name)
}

fn warn(fault: &TableError) {
    let remedy = fault.help().map(|help| format!("; {help}")).unwrap_or_default();
    anstream::eprintln!("warning: {fault}{remedy}");
}

/// A time in seconds to two digits.
fn rounded(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.995 => format!("{seconds:.2} s"),
        seconds if seconds < 9.95 => format!("{seconds:.1} s"),
        seconds if seconds < 99.5 => format!("{seconds:.0} s"),
        seconds => format!("{:.0} min", seconds / 60.0),
    }
}
