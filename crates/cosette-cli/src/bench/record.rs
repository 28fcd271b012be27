//! What is kept of a measurement: a JSON object on a line of its own.

use super::counted;
use super::machine::Machine;
use cosette_app::json;
use serde::Serialize;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::SystemTime;

/// A measurement with all that it depends on. Fields are added, never renamed.
#[derive(Serialize)]
struct Record<'a, T> {
    /// What was measured: `memory`, `search`, `gen` or `load`.
    bench: &'static str,
    /// When, in UTC.
    date: String,
    cosette: &'static str,
    /// The commit that the command was built from, where it is known.
    commit: Option<&'static str>,
    rustc: &'static str,
    machine: &'a Machine,
    #[serde(flatten)]
    measured: &'a T,
}

/// What the figures of this run depend on, in one sentence: `cosette 0.1.0 (ab12…), rustc 1.95.0, a processor, 2 threads, 2026-11-21`.
pub fn circumstances(threads: NonZeroUsize) -> String {
    let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
    let commit = option_env!("COSETTE_COMMIT").map(|commit| format!(" ({commit})")).unwrap_or_default();
    let threads = counted((threads.get(), "thread"));
    let [version, rustc] = [env!("CARGO_PKG_VERSION"), env!("COSETTE_RUSTC")];
    format!("cosette {version}{commit}, {rustc}, {}, {threads} used, {}", Machine::this(), &date[..10])
}

/// Writes what was measured on this machine.
pub fn write(out: &mut impl Write, bench: &'static str, measured: &impl Serialize) -> io::Result<()> {
    let record = Record {
        bench,
        date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        cosette: env!("CARGO_PKG_VERSION"),
        commit: option_env!("COSETTE_COMMIT"),
        rustc: env!("COSETTE_RUSTC"),
        machine: &Machine::this(),
        measured,
    };
    json::write_line(out, &record)
}
