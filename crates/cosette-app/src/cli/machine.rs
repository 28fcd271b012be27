//! The description of the machine and the build, for records of measurements.

use crate::units::counted;
use cosette::ThreadCount;
use cosette::bench::Instructions;
use indicatif::DecimalBytes;
use serde::Serialize;
use std::fmt;
use std::time::SystemTime;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The machine.
#[derive(Serialize)]
pub struct Machine {
    /// The name of its processor.
    cpu: String,
    /// The number of its cores, if known.
    cores: Option<usize>,
    /// The number of hardware threads.
    threads: ThreadCount,
    /// The size of its memory, in bytes.
    memory: u64,
    /// The policy of the system for huge pages: `always`, `madvise` (on request, as for tables) or
    /// `never`; null if unknown.
    huge_pages: Option<String>,
    /// The instruction set that the kernel uses.
    instructions: &'static str,
    os: &'static str,
    arch: &'static str,
}

impl Machine {
    /// Returns the machine that this process runs on.
    pub fn this() -> Machine {
        let kinds = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(kinds);
        let cpu = system
            .cpus()
            .first()
            .map(|cpu| cpu.brand().trim())
            .filter(|name| !name.is_empty());
        Machine {
            cpu: cpu.unwrap_or("unknown").to_owned(),
            cores: System::physical_core_count(),
            threads: ThreadCount::available(),
            memory: system.total_memory(),
            huge_pages: huge_pages(),
            instructions: Instructions::best().name(),
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
        }
    }
}

/// Returns the choice in square brackets in `always [madvise] never`.
fn huge_pages() -> Option<String> {
    let choices = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").ok()?;
    let (_, chosen) = choices.split_once('[')?;
    chosen.split_once(']').map(|(chosen, _)| chosen.to_owned())
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine {
            cpu,
            threads,
            memory,
            instructions,
            ..
        } = self;
        let threads = counted(threads.get() as u64, "thread");
        write!(
            f,
            "{cpu}, {threads}, {}, {instructions}",
            DecimalBytes(*memory)
        )?;
        self.huge_pages
            .iter()
            .try_for_each(|choice| write!(f, ", huge pages: {choice}"))
    }
}

/// The version and the commit that a program was built from, and the compiler.
#[derive(Serialize)]
pub struct Build {
    cosette: &'static str,
    /// The commit, if known.
    pub commit: Option<&'static str>,
    rustc: &'static str,
}

impl Build {
    /// Creates the description of a program whose build script provides the commit, if known, and
    /// the compiler.
    pub const fn new(commit: Option<&'static str>, rustc: &'static str) -> Build {
        Build {
            cosette: env!("CARGO_PKG_VERSION"),
            commit,
            rustc,
        }
    }

    /// Describes the build and the machine in one sentence: `cosette 0.1.0 (ab12…), rustc 1.95.0, a
    /// processor, 2 threads, 2026-11-21`.
    pub fn circumstances(&self, threads: ThreadCount) -> String {
        let Build {
            cosette,
            commit,
            rustc,
        } = self;
        let commit = commit
            .map(|commit| format!(" ({commit})"))
            .unwrap_or_default();
        let threads = counted(threads.get() as u64, "thread");
        format!(
            "cosette {cosette}{commit}, {rustc}, {}, {threads} used, {}",
            Machine::this(),
            &now()[..10]
        )
    }
}

/// Returns the current time, in UTC.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
