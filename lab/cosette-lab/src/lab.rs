//! The environment of the systems: a folder for tables, threads, cancellation and progress.

use crate::error::LabError;
use crate::packed::{PackedDistances, trimmed};
use cosette::Control;
use cosette::block_file::{self, BlockFile, FileError, PartialFile, PayloadKind};
use cosette::table::{Distribution, TableError, TableFolder, TableMemory};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The environment of the systems: a folder for tables, threads, cancellation and progress.
#[derive(Clone)]
pub struct Lab<'a> {
    /// The folder of the tables, shared with the fast engine.
    pub folder: &'a TableFolder,
    /// The number of threads, the cancellation, and the receiver of the progress.
    pub control: Control<'a>,
}

impl Lab<'_> {
    /// Reports the progress of a step.
    pub fn step(&self, what: &str, done: u64, total: u64) {
        self.control.step(what).report(done, total);
    }

    /// Checks for cancellation.
    ///
    /// # Errors
    ///
    /// [`LabError::Cancelled`] if the work is to stop.
    pub fn check(&self) -> Result<(), LabError> {
        if self.control.is_cancelled() {
            Err(LabError::Cancelled)
        } else {
            Ok(())
        }
    }

    /// Returns the table, from its file; if there is none, it is generated, and saved if possible.
    pub fn table(&self, table: &dyn LabTable) -> Result<PackedDistances, LabError> {
        // A thread that waits here for the same table finds it on disk.
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(packed) = self.load(table)? {
                return Ok(packed);
            }
            // No other process generates it at the same time.
            match block_file::open_if_missing(&self.folder.path_of(table), table, &self.control) {
                Ok(None) => {}
                Ok(Some(partial)) => {
                    let packed = match self.generated(table) {
                        Ok(packed) => packed,
                        Err(fault) => {
                            partial.discard()?;
                            return Err(fault);
                        }
                    };
                    let saved = self.save(table, &packed, partial);
                    return self.kept(table, packed, saved);
                }
                Err(FileError::Cancelled) => return Err(LabError::Cancelled),
                Err(refused) => {
                    return self.kept(table, self.generated(table)?, Err(refused.into()));
                }
            }
        }
    }

    /// Loads the table from its file; `None` if there is none.
    fn load(&self, table: &dyn LabTable) -> Result<Option<PackedDistances>, TableError> {
        let loading = format!("loading {}", table.name());
        let file = match self.open(table) {
            Err(refused) if refused.is_not_found() => return Ok(None),
            file => file?,
        };
        let mut bytes = TableMemory::zeroed(file.bytes())?;
        file.read_into(&mut bytes, &self.control.step(&loading))?;
        Ok(Some(PackedDistances {
            bytes,
            counts: trimmed(file.facts()),
        }))
    }

    fn open(&self, table: &dyn LabTable) -> Result<BlockFile, TableError> {
        Ok(BlockFile::open(&self.folder.path_of(table), table)?)
    }

    /// Returns a generated table; warns if it could not be saved.
    fn kept(
        &self,
        table: &dyn LabTable,
        packed: PackedDistances,
        saved: Result<(), TableError>,
    ) -> Result<PackedDistances, LabError> {
        match saved {
            Err(refused) if refused.is_cancellation() => return Err(refused.into()),
            Err(refused) => {
                let remedy = refused
                    .remedy()
                    .map(|remedy| format!("; {remedy}"))
                    .unwrap_or_default();
                let name = table.name();
                tracing::warn!(
                    "cannot save {name}, so it will be generated again next time: {refused}{remedy}"
                );
            }
            Ok(()) => {}
        }
        Ok(packed)
    }

    /// Generates the table into its file, replacing an existing one.
    pub fn generate(&self, table: &dyn LabTable) -> Result<(), LabError> {
        self.folder.check_room(table)?;
        let packed = self.generated(table)?;
        let file =
            PartialFile::open(&self.folder.path_of(table), table).map_err(TableError::from)?;
        Ok(self.save(table, &packed, file)?)
    }

    /// Verifies the entire file of the table.
    pub fn verify(&self, table: &dyn LabTable) -> Result<(), LabError> {
        let verifying = format!("verifying {}", table.name());
        let verified = self
            .open(table)?
            .for_each_block(|_, _| {}, &self.control.step(&verifying));
        Ok(verified.map_err(TableError::from)?)
    }

    fn generated(&self, table: &dyn LabTable) -> Result<PackedDistances, LabError> {
        let generating = format!("generating {}", table.name());
        table.generate(&self.control.step(&generating))
    }

    fn save(
        &self,
        table: &dyn LabTable,
        packed: &PackedDistances,
        file: PartialFile<'_>,
    ) -> Result<(), TableError> {
        let mut distribution = Distribution::default();
        distribution[..packed.counts.len()].copy_from_slice(&packed.counts);
        let saving = format!("saving {}", table.name());
        Ok(file.save(&packed.bytes, &distribution, &self.control.step(&saving))?)
    }
}

/// Counts for each number with all threads, and returns the sums.
///
/// # Errors
/// Returns an error on cancellation.
pub fn tally<const N: usize>(
    control: &Control<'_>,
    what: &str,
    numbers: Range<u64>,
    count: impl Fn(u64, &mut [u64; N]) + Sync,
) -> Result<[u64; N], LabError> {
    let total = numbers.end - numbers.start;
    let done = AtomicU64::new(0);
    let of_number = |number| {
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        let mut counts = [0; N];
        count(number, &mut counts);
        let done = done.fetch_add(1, Relaxed) + 1;
        control.step(what).report(done, total);
        Ok(counts)
    };
    let add = |a: [u64; N], b: [u64; N]| Ok(std::array::from_fn(|i| a[i] + b[i]));
    let counts = || {
        let numbers = numbers.into_par_iter();
        numbers.map(of_number).try_reduce(|| [0; N], add)
    };
    control.in_pool(counts)?
}

/// Returns the peak memory of this process in bytes, if the system reports it.
pub fn peak_memory() -> Option<u64> {
    memory("VmHWM:")
}

/// Returns the memory of this process in bytes, if the system reports it, and resets the peak.
pub fn memory_from_now_on() -> Option<u64> {
    // Resets the peak: proc(5).
    std::fs::write("/proc/self/clear_refs", "5").ok();
    memory("VmRSS:")
}

fn memory(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix(field))?
        .trim()
        .strip_suffix(" kB")?;
    kilobytes
        .parse::<u64>()
        .ok()
        .map(|kilobytes| kilobytes * 1024)
}

/// A table of one of the systems: the contents of its file, and its generation.
pub trait LabTable: PayloadKind + Send + Sync {
    /// Generates it.
    fn generate(&self, control: &Control<'_>) -> Result<PackedDistances, LabError>;
}

/// Returns the processor time of this thread in seconds; if the system does not report it, the
/// wall-clock time.
pub fn processor_time() -> f64 {
    clock::seconds(clock::THREAD)
}

/// Returns the processor time of this process in seconds; if the system does not report it, the
/// wall-clock time.
pub fn processor_time_of_process() -> f64 {
    clock::seconds(clock::PROCESS)
}

#[cfg(target_os = "linux")]
mod clock {
    use rustix::time::{ClockId, clock_gettime};

    pub const THREAD: ClockId = ClockId::ThreadCPUTime;
    pub const PROCESS: ClockId = ClockId::ProcessCPUTime;

    pub fn seconds(clock: ClockId) -> f64 {
        let time = clock_gettime(clock);
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }
}

#[cfg(not(target_os = "linux"))]
mod clock {
    use std::sync::LazyLock;
    use std::time::Instant;

    pub const THREAD: () = ();
    pub const PROCESS: () = ();

    pub fn seconds((): ()) -> f64 {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        START.elapsed().as_secs_f64()
    }
}
