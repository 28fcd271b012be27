//! Tables loaded, filled and saved before the user's eyes, and the choice of one to solve with.

use crate::args::SolverArgs;
use crate::at_once;
use crate::bars;
use crate::failure::Failure;
use crate::interrupt::Work;
use crate::tables::estimate;
use cosette::Instructions;
use cosette::cube::Metric;
use cosette::search::Solver;
use cosette::table::{Table, TableError, TableFolder, TableId, TableSize, available_memory};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

/// What is filled where no table is on disk: a few seconds of work, and a random cube takes some seconds.
const FIRST_TABLE: &str = "240M";

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

    /// Fills a table.
    pub fn fill(&self, id: TableId) -> Result<Table, Failure> {
        let start = Instant::now();
        tracing::info!(table = %id, threads = self.threads, instructions = Instructions::best().name(), "filling");
        let work = Work::begin(None);
        let table = bars::with_bar(&format!("filling {id}"), |on_progress| {
            Table::generate(id, self.threads, on_progress, &work.cancel)
        })?;
        tracing::info!(table = %id, elapsed = ?start.elapsed(), "filled");
        Ok(table)
    }

    /// Saves a table.
    pub fn save(&self, table: &Table) -> Result<(), Failure> {
        let work = Work::begin(None);
        bars::with_bar(&format!("saving {}", table.id()), |on_progress| {
            self.folder.save(table, on_progress, &work.cancel)
        })?;
        tracing::info!(table = %table.id(), folder = %self.folder.path().display(), "saved");
        Ok(())
    }

    /// Checks a table completely.
    pub fn verify(&self, id: TableId) -> Result<(), Failure> {
        let work = Work::begin(None);
        Ok(bars::with_bar(&format!("verifying {id}"), |on_progress| {
            self.folder.verify(id, self.threads, on_progress, &work.cancel)
        })?)
    }

    /// Fills a table to be used now, and saves it for later if it can be saved.
    fn fill_and_keep(&self, id: TableId) -> Result<Table, Failure> {
        // Asked first, so that the warning comes while there is still time to choose otherwise.
        let room = self.folder.check_room(id);
        if let Err(refused) = &room {
            warn_unsaved(id, refused);
        }
        let table = self.fill(id)?;
        if room.is_ok() {
            match self.save(&table) {
                Err(Failure::Table(refused)) if !matches!(refused, TableError::Cancelled) => warn_unsaved(id, &refused),
                result => result?,
            }
        }
        Ok(table)
    }
}

fn warn_unsaved(id: TableId, refused: &TableError) {
    let remedy = refused.help().map(|help| format!("; {help}")).unwrap_or_default();
    anstream::eprintln!("warning: {id} will serve this time only and be filled again the next: {refused}{remedy}");
}

/// The solver that the arguments ask for, with its table in memory.
pub fn solver(args: &SolverArgs) -> Result<Solver, Failure> {
    at_once::prepare(args.metric());
    let store = Store { folder: args.folder.folder()?, threads: args.threads.count() };
    let memory = Memory { available: available_memory(), allowed: args.memory };
    let table = match args.table() {
        Some(id) => named(&store, id, memory),
        None => best(&store, args.metric(), memory),
    }?;
    tracing::info!(table = %table.id(), threads = store.threads, instructions = Instructions::best().name(), "solving");
    Ok(Solver::new(Arc::new(table), store.threads))
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
        None => store.fill_and_keep(id),
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
    let table = store.fill_and_keep(id)?;
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

fn size_named(name: &str) -> TableSize {
    name.parse().expect("the catalogue has this table")
}
