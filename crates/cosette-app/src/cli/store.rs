//! Tables loaded, generated and saved with progress on the terminal, and the choice of one to solve with.

use crate::cli::args::SolverArgs;
use crate::cli::bars::{self, Steps};
use crate::cli::failure::Failure;
use crate::cli::interrupt::Work;
use crate::cli::wording::remedy_of;
use crate::estimate;
use cosette::bench::Instructions;
use cosette::search::Solver;
use cosette::table::choice::{self, Choice, MemoryLimit};
use cosette::table::{Table, TableError, TableFolder, TableId};
use cosette::twophase::TwoPhase;
use cosette::{Control, ThreadCount};
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

/// Does work with this many threads, which Ctrl-C stops, and shows on the terminal how far it is.
pub fn with_progress<T>(threads: ThreadCount, work: impl FnOnce(&Control<'_>) -> T) -> T {
    let (under_way, steps) = (Work::begin(None), Steps::show());
    let follow = |step: &str, progress| steps.follow(step, progress);
    work(&Control::new(threads).with_cancel(&under_way.cancel).on_progress(&follow))
}

/// A folder of tables and the threads that work on them.
pub struct Store {
    /// The folder.
    pub folder: TableFolder,
    /// How many threads work.
    pub threads: ThreadCount,
}

impl Store {
    /// Loads a table.
    pub fn load(&self, id: TableId, users: Users) -> Result<Table, Failure> {
        self.timed(id, "loaded and checked every block", |control| match users {
            Users::This => self.folder.load(id, control),
            Users::AllOfHost => self.folder.load_shared(id, control),
        })
    }

    /// Generates a table into its file, from where an earlier generation stopped.
    pub fn generate(&self, id: TableId) -> Result<(), Failure> {
        self.timed(id, "generated", |control| self.folder.generate(id, control))
    }

    /// Checks a table completely.
    pub fn verify(&self, id: TableId) -> Result<(), Failure> {
        self.timed(id, "verified", |control| self.folder.verify(id, control))
    }

    /// The chosen table: loaded, and generated before where it is not on disk.
    pub fn open(&self, choice: Choice, users: Users) -> Result<Table, Failure> {
        let opened = self.timed(choice.id, "opened", |control| match users {
            Users::This => self.folder.open(choice, control),
            Users::AllOfHost => self.folder.open_shared(choice, control),
        })?;
        if let Some(refused) = opened.unsaved {
            let remedy = refused.remedy().map(|remedy| format!("; {}", remedy_of(&remedy))).unwrap_or_default();
            anstream::eprintln!(
                "warning: {} could not be saved and will be generated again: {refused}{remedy}",
                choice.id
            );
        }
        Ok(opened.table)
    }

    fn timed<T>(
        &self,
        id: TableId,
        done: &str,
        work: impl FnOnce(&Control<'_>) -> Result<T, TableError>,
    ) -> Result<T, Failure> {
        let start = Instant::now();
        tracing::info!(table = %id, threads = %self.threads, instructions = Instructions::best().name(), "working");
        let result = with_progress(self.threads, work)?;
        tracing::info!(table = %id, elapsed = ?start.elapsed(), "{done}");
        Ok(result)
    }
}

/// Begins to generate the tables of the two-phase search, which takes a thirtieth of a second, beside other work.
pub fn begin_two_phase() {
    if let Err(refused) = std::thread::Builder::new().spawn(TwoPhase::get) {
        tracing::debug!(%refused, "the tables of the two-phase search are generated when they are needed");
    }
}

/// The solver that the arguments ask for, with its table in memory.
pub fn solver(args: &SolverArgs) -> Result<Solver, Failure> {
    begin_two_phase();
    let (table, threads) = (table(args)?, args.threads.count());
    tracing::info!(table = %table.id(), %threads, instructions = Instructions::best().name(), "solving");
    Ok(Solver::new(Arc::new(table), threads))
}

/// The table that the arguments ask for.
pub fn table(args: &SolverArgs) -> Result<Table, Failure> {
    let store = Store { folder: args.folder.folder()?, threads: args.threads.count() };
    let choice = choice::choose(&store.folder, args.metric(), args.table(), MemoryLimit::now(args.memory))?;
    let table = store.open(choice, Users::This)?;
    if let Some(better) = choice.better.filter(|_| bars::is_watched()) {
        recommend(better, choice.id, store.threads);
    }
    Ok(table)
}

/// Says that a larger table would pay off.
fn recommend(better: TableId, than: TableId, threads: ThreadCount) {
    let seconds = estimate::to_fill(better, threads).map(|time| format!(", in about {:.0} s,", time.as_secs_f64()));
    let seconds = seconds.unwrap_or_default();
    let times = (better.size.bytes() as f64 / than.size.bytes() as f64).round();
    anstream::eprintln!(
        "{than} is small: `cosette tables gen {better}` fills{seconds} a table that solves {times} times as fast"
    );
}
