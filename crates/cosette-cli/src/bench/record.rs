//! The record of a measurement: a JSON object on one line.

use clap::Args;
use cosette::ThreadCount;
use cosette_app::cli::machine::{self, Build, Machine};
use cosette_app::json;
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroU32;

/// How often to measure, and what to write.
#[derive(Args)]
pub struct RunArgs {
    /// How many times each figure is measured
    #[arg(long, value_name = "N", default_value = "3")]
    pub runs: NonZeroU32,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
}

/// A measurement with what it depends on. Fields are added, never renamed.
#[derive(Serialize)]
struct Record<'a, T> {
    /// What was measured: `memory`, `search`, `gen` or `load`.
    bench: &'static str,
    /// When, in UTC.
    date: String,
    #[serde(flatten)]
    build: Build,
    machine: &'a Machine,
    #[serde(flatten)]
    measured: &'a T,
}

/// Writes what was measured on this machine.
pub fn write(out: &mut impl Write, bench: &'static str, measured: &impl Serialize) -> io::Result<()> {
    let record = Record { bench, date: machine::now(), build: Build::THIS, machine: &Machine::this(), measured };
    json::write_line(out, &record)
}

/// One thread, and this many if they are more.
pub fn one_and_all(threads: ThreadCount) -> impl Iterator<Item = ThreadCount> {
    std::iter::once(ThreadCount::ONE).chain(Some(threads).filter(|&threads| threads > ThreadCount::ONE))
}
