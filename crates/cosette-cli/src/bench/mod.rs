//! `cosette bench`: measurements of this machine, to be stored and compared.
//!
//! A measurement is printed as text, or with `--json` as a record: an object on one line with the
//! machine, the build and the date. This module defines the record and its figures, the median and
//! range of several runs. `limits` measures memory and the generation and loading of tables;
//! `search` measures solving, relative to the limit set by memory.

mod limits;
mod search;

use clap::{Args, Subcommand};
use cosette::ThreadCount;
use cosette_app::cli::args::whole_number;
use cosette_app::cli::failure::{ErrorReport, Exit, Failure};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::machine::{self, Build, Machine};
use cosette_app::events::write_line;
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroU32;

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
    Memory(limits::MemoryArgs),
    Search(search::SearchBenchArgs),
    Gen(limits::GenerationArgs),
    Load(limits::LoadArgs),
}

/// Runs the subcommand.
pub fn run(args: &BenchArgs) -> Result<Exit, Failure> {
    // Reports an interruption also between the parts of a measurement.
    let _whole = Interruptible::start();
    let result = match &args.command {
        BenchCommand::Memory(args) => limits::memory(args),
        BenchCommand::Search(args) => search::run(args),
        BenchCommand::Gen(args) => limits::generate(args),
        BenchCommand::Load(args) => limits::load(args),
    };
    result.map_err(|failure| match failure.exit() {
        exit @ Exit::Interrupted => {
            let message = "stopped before the measurement was complete".into();
            Failure::Other(ErrorReport {
                message,
                help: None,
                exit,
            })
        }
        _ => failure,
    })
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
struct MeasurementRecord<'a, T> {
    /// Kind of the measurement: `memory`, `search`, `gen` or `load`.
    bench: &'static str,
    /// Date of the measurement, in UTC.
    date: String,
    #[serde(flatten)]
    build: Build,
    machine: &'a Machine,
    #[serde(flatten)]
    measured: &'a T,
}

/// Writes a measurement of this machine as a record.
fn write_record(
    out: &mut impl Write,
    bench: &'static str,
    measured: &impl Serialize,
) -> io::Result<()> {
    let record = MeasurementRecord {
        bench,
        date: machine::now(),
        build: crate::BUILD,
        machine: &Machine::this(),
        measured,
    };
    write_line(out, &record)
}

/// Writes a measurement: as a record, or as text below the machine.
fn write_measurement(
    args: &RunArgs,
    bench: &'static str,
    measured: &impl Serialize,
    text: &str,
) -> io::Result<()> {
    let mut out = anstream::stdout();
    if args.json {
        return write_record(&mut out, bench, measured);
    }
    writeln!(out, "{}\n{text}", Machine::this())
}

/// Returns one thread, and `threads` if that is more.
fn one_and_all(threads: ThreadCount) -> impl Iterator<Item = ThreadCount> {
    std::iter::once(ThreadCount::ONE)
        .chain(Some(threads).filter(|&threads| threads > ThreadCount::ONE))
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
        let [below, above] = [(figures.len() - 1) / 2, figures.len() / 2].map(|at| figures[at]);
        Spread {
            median: rounded((below + above) / 2.0),
            min: figures[0],
            max: figures[figures.len() - 1],
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

/// Rounds a figure for records: to five significant digits, or to an integer if that has more.
fn rounded(figure: f64) -> f64 {
    let digits_after_point = 4 - figure.abs().max(1e-9).log10().floor() as i32;
    let unit = 10f64.powi(digits_after_point.max(0));
    (figure * unit).round() / unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(
            Spread::of([3.0, 1.0, 2.0]),
            Spread {
                median: 2.0,
                min: 1.0,
                max: 3.0
            }
        );
        assert_eq!(
            Spread::of([4.0, 1.0]),
            Spread {
                median: 2.5,
                min: 1.0,
                max: 4.0
            }
        );
        assert_eq!(format!("{:.1}", Spread::of([7.0])), "7.0 (7.0 to 7.0)");
    }

    #[test]
    fn figures_are_kept_to_five_digits_or_whole() {
        assert_eq!(rounded(0.012345678), 0.012346);
        assert_eq!(rounded(1_234_567.8), 1_234_568.0);
        assert_eq!(rounded(0.0), 0.0);
    }
}
