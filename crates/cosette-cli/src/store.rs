//! Tables loaded, filled and saved before the user's eyes, and the choice of one to solve with.

use crate::args::SolverArgs;
use crate::at_once;
use crate::bars::{self, Steps};
use crate::failure::Failure;
use crate::interrupt::Work;
use crate::tables::estimate;
use cosette::cube::Metric;
use cosette::search::Solver;
use cosette::table::{OnDisk, Table, TableError, TableFolder, TableId, TableSize, available_memory};
use cosette::{Cancel, Instructions, OnProgress};
use cosette_lab::lab::Lab;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

/// What is filled where no table is on disk: a few seconds of work, and a random cube takes some seconds.
pub const FIRST_TABLE: &str = "240M";

/// The largest table that is recommended unasked. Larger ones take minutes to fill.
const RECOMMENDED: &str = "2G";

/// A folder of tables and the threads that work on them.
pub struct Store {
    /// The folder.
    pub folder: TableFolder,
    /// How many threads work.
    pub threads: NonZeroUsize,
}

impl Store {
    /// Loads a table.
    pub fn load(&self, id: TableId) -> Result<Table, Failure> {
        let start = Instant::now();
        let work = Work::begin(None);
        let table = bars::with_bar(&format!("loading {id}"), |on_progress| {
            self.folder.load(id, self.threads, on_progress, &work.cancel)
        })?;
        tracing::info!(table = %id, elapsed = ?start.elapsed(), "loaded and checked every block");
        Ok(table)
    }

    /// Loads a table if there is a file for it.
    fn load_if_there(&self, id: TableId) -> Result<Option<Table>, Failure> {
        self.folder.path_of(id).exists().then(|| self.load(id)).transpose()
    }

    /// Fills a table into its file, from where an earlier filling stopped.
    pub fn fill(&self, id: TableId) -> Result<(), Failure> {
        let what = match self.folder.state(id) {
            OnDisk::Partly(filled) => format!("filling {id}, {} % of it done before", filled.percent()),
            _ => format!("filling {id}"),
        };
        filling(id, self.threads, &what, |on_progress, cancel| self.folder.fill(id, self.threads, on_progress, cancel))
    }

    /// Checks a table completely.
    pub fn verify(&self, id: TableId) -> Result<(), Failure> {
        let work = Work::begin(None);
        Ok(bars::with_bar(&format!("verifying {id}"), |on_progress| {
            self.folder.verify(id, self.threads, on_progress, &work.cancel)
        })?)
    }

    /// Does `work` in a lab whose tables are kept here, with what it is at on the terminal.
    pub fn in_lab<T>(&self, work: impl FnOnce(&Lab<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let (under_way, steps) = (Work::begin(None), Steps::show());
        work(&Lab {
            folder: &self.folder,
            threads: self.threads,
            on_step: &|what, progress| steps.follow(what, progress),
            cancel: &under_way.cancel,
        })
    }

    /// Fills a table to be used now, and keeps it for later if it can be kept.
    fn fill_and_load(&self, id: TableId) -> Result<Table, Failure> {
        match self.fill(id) {
            Ok(()) => self.load(id),
            Err(Failure::Table(refused)) if !refused.is_cancellation() => {
                warn_unsaved(id, &refused);
                fill_in_memory(id, self.threads)
            }
            Err(stopped) => Err(stopped),
        }
    }
}

/// Fills a table in memory.
pub fn fill_in_memory(id: TableId, threads: NonZeroUsize) -> Result<Table, Failure> {
    let what = format!("filling {id} in memory");
    filling(id, threads, &what, |on_progress, cancel| Table::generate(id, threads, on_progress, cancel))
}

fn filling<T>(
    id: TableId,
    threads: NonZeroUsize,
    what: &str,
    fill: impl FnOnce(OnProgress<'_>, &Cancel) -> Result<T, TableError>,
) -> Result<T, Failure> {
    let start = Instant::now();
    tracing::info!(threads, instructions = Instructions::best().name(), "{what}");
    let work = Work::begin(None);
    let filled = bars::with_bar(what, |on_progress| fill(on_progress, &work.cancel))?;
    tracing::info!(table = %id, elapsed = ?start.elapsed(), "filled");
    Ok(filled)
}

fn warn_unsaved(id: TableId, refused: &TableError) {
    let remedy = refused.help().map(|help| format!("; {help}")).unwrap_or_default();
    anstream::eprintln!("warning: {id} will serve this time only and be filled again the next: {refused}{remedy}");
}

/// The solver that the arguments ask for, with its table in memory.
pub fn solver(args: &SolverArgs) -> Result<Solver, Failure> {
    at_once::prepare(args.metric());
    let (table, threads) = (table(args)?, args.threads.count());
    tracing::info!(table = %table.id(), threads, instructions = Instructions::best().name(), "solving");
    Ok(Solver::new(Arc::new(table), threads))
}

/// The table that the arguments ask for.
pub fn table(args: &SolverArgs) -> Result<Table, Failure> {
    let store = Store { folder: args.folder.folder()?, threads: args.threads.count() };
    let memory = Memory { available: available_memory(), allowed: args.memory };
    match args.table() {
        Some(id) => named(&store, id, memory),
        None => best(&store, args.metric(), memory),
    }
}

/// The memory that a table may take.
#[derive(Clone, Copy)]
struct Memory {
    available: u64,
    allowed: Option<u64>,
}

impl Memory {
    fn fits(self, size: TableSize) -> bool {
        size.bytes() <= self.available.min(self.allowed.unwrap_or(u64::MAX))
    }

    /// Refuses a table that does not fit.
    fn check(self, id: TableId) -> Result<(), Failure> {
        let (needed, available) = (id.size.bytes(), self.available);
        match self.allowed {
            Some(allowed) if needed > allowed => Err(Failure::MemoryNotAllowed { id, allowed }),
            _ if needed > available => Err(TableError::TooLittleMemory { needed, available }.into()),
            _ => Ok(()),
        }
    }
}

/// The table `id`, filled where it is not on disk.
fn named(store: &Store, id: TableId, memory: Memory) -> Result<Table, Failure> {
    memory.check(id)?;
    match store.load_if_there(id)? {
        Some(table) => Ok(table),
        None => store.fill_and_load(id),
    }
}

/// The largest table on disk that fits in memory; where there is none, a small one is filled.
///
/// A faulty one is an error rather than passed over: the next smaller one takes twice as long and nobody would know why.
fn best(store: &Store, metric: Metric, memory: Memory) -> Result<Table, Failure> {
    let fitting = TableSize::ALL.into_iter().rev().filter(|&size| memory.fits(size));
    for id in fitting.clone().map(|size| TableId { metric, size }) {
        if let Some(table) = store.load_if_there(id)? {
            return Ok(table);
        }
    }
    let first = fitting.clone().find(|&size| size <= size_named(FIRST_TABLE));
    let id = TableId { metric, size: first.unwrap_or(TableSize::ALL[0]) };
    memory.check(id)?;
    let table = store.fill_and_load(id)?;
    let better = fitting.clone().find(|&size| size <= size_named(RECOMMENDED)).filter(|&size| size > id.size);
    if let Some(better) = better.filter(|_| bars::is_watched()) {
        recommend(TableId { metric, size: better }, id, store.threads);
    }
    Ok(table)
}

/// Says that a larger table would pay off.
fn recommend(better: TableId, than: TableId, threads: NonZeroUsize) {
    let seconds = estimate::to_fill(better, threads).map(|time| format!(", in about {:.0} s,", time.as_secs_f64()));
    let seconds = seconds.unwrap_or_default();
    let times = (better.size.bytes() as f64 / than.size.bytes() as f64).round();
    anstream::eprintln!(
        "{than} is small: `cosette tables gen {better}` fills{seconds} a table that solves {times} times as fast"
    );
}

/// A size that the catalogue is known to have.
pub fn size_named(name: &str) -> TableSize {
    name.parse().expect("the catalogue has this table")
}
