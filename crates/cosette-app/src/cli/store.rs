//! Tables loaded, filled and saved before the user's eyes, and the choice of one to solve with.

use crate::choice::{self, Choice, Memory};
use crate::cli::args::SolverArgs;
use crate::cli::bars;
use crate::cli::failure::Failure;
use crate::cli::interrupt::Work;
use crate::estimate;
use cosette::search::Solver;
use cosette::table::{OnDisk, Table, TableError, TableFolder, TableId};
use cosette::twophase::TwoPhase;
use cosette::{Cancel, Instructions, OnProgress};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

/// Who uses a table in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Users {
    /// This process.
    This,
    /// Other processes of this host too.
    AllOfHost,
}

/// A folder of tables and the threads that work on them.
pub struct Store {
    /// The folder.
    pub folder: TableFolder,
    /// How many threads work.
    pub threads: NonZeroUsize,
}

impl Store {
    /// Loads a table.
    pub fn load(&self, id: TableId, users: Users) -> Result<Table, Failure> {
        let start = Instant::now();
        let work = Work::begin(None);
        let table = bars::with_bar(&format!("loading {id}"), |on_progress| match users {
            Users::This => self.folder.load(id, self.threads, on_progress, &work.cancel),
            Users::AllOfHost => self.folder.load_shared(id, self.threads, on_progress, &work.cancel),
        })?;
        tracing::info!(table = %id, elapsed = ?start.elapsed(), "loaded and checked every block");
        Ok(table)
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

    /// The chosen table: loaded, and filled before where it is not on disk.
    pub fn open(&self, choice: Choice, users: Users) -> Result<Table, Failure> {
        if choice.is_on_disk { self.load(choice.id, users) } else { self.fill_and_load(choice.id, users) }
    }

    /// Fills a table to be used now, and keeps it for later if it can be kept.
    fn fill_and_load(&self, id: TableId, users: Users) -> Result<Table, Failure> {
        match self.fill(id) {
            Ok(()) => self.load(id, users),
            Err(Failure::Table(refused)) if !refused.is_cancellation() => {
                warn_unsaved(id, &refused);
                let table = fill_in_memory(id, self.threads)?;
                Ok(if users == Users::This { table } else { table.into_shared()? })
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

/// Begins to fill the tables of the two-phase search, which takes a thirtieth of a second, beside other work.
pub fn begin_two_phase() {
    if let Err(refused) = std::thread::Builder::new().spawn(TwoPhase::get) {
        tracing::debug!(%refused, "the tables of the two-phase search are filled when they are needed");
    }
}

/// The solver that the arguments ask for, with its table in memory.
pub fn solver(args: &SolverArgs) -> Result<Solver, Failure> {
    begin_two_phase();
    let (table, threads) = (table(args)?, args.threads.count());
    tracing::info!(table = %table.id(), threads, instructions = Instructions::best().name(), "solving");
    Ok(Solver::new(Arc::new(table), threads))
}

/// The table that the arguments ask for.
pub fn table(args: &SolverArgs) -> Result<Table, Failure> {
    let store = Store { folder: args.folder.folder()?, threads: args.threads.count() };
    let choice = choice::choose(&store.folder, args.metric(), args.table(), Memory::now(args.memory))?;
    let table = store.open(choice, Users::This)?;
    if let Some(better) = choice.better.filter(|_| bars::is_watched()) {
        recommend(better, choice.id, store.threads);
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
