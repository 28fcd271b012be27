//! What is kept of a measurement: a JSON object on a line of its own.

use cosette_app::cli::machine::{self, Build, Machine};
use cosette_app::json;
use serde::Serialize;
use std::io::{self, Write};

/// A measurement with all that it depends on. Fields are added, never renamed.
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
