//! Loading, generating and saving tables, with progress on the terminal.

use crate::cli::failure::Failure;
use crate::cli::interrupt::Interruptible;
use crate::cli::stderr::{StepBar, hint, tell};
use crate::estimate;
use crate::remedies::{Audience, table_argument, worded};
use cosette::bench::Instructions;
use cosette::table::choice::TableSelection;
use cosette::table::{Table, TableError, TableFolder, TableId};
use cosette::twophase::TwoPhase;
use cosette::{Control, ThreadCount};
use std::time::{Duration, Instant};

/// Minimum estimated time of a generation that is announced.
const MIN_ANNOUNCED_TIME: Duration = Duration::from_secs(5);

/// Runs `work` with `threads` threads and a progress bar; Ctrl-C stops it.
pub fn with_progress<T>(threads: ThreadCount, work: impl FnOnce(&Control<'_>) -> T) -> T {
    let interruptible = Interruptible::start();
    let steps = StepBar::show();
    let follow = |step: &str, progress| steps.follow(step, progress);
    work(
        &Control::new(threads)
            .with_cancel(&interruptible.cancel)
            .on_progress(follow),
    )
}

/// A directory of tables, and the number of threads that work on them.
pub struct TableStore {
    /// The directory.
    pub folder: TableFolder,
    /// The number of threads.
    pub threads: ThreadCount,
}

impl TableStore {
    /// Loads a table.
    pub fn load(&self, id: TableId) -> Result<Table, Failure> {
        self.run(id, "loaded, every block verified", |control| {
            self.folder.load(id, control)
        })
    }

    /// Prints the estimated time to generate a table, if it is at least [`MIN_ANNOUNCED_TIME`].
    fn announce_generation(&self, id: TableId) {
        let time = estimate::to_generate(id, self.threads);
        if time >= MIN_ANNOUNCED_TIME {
            let seconds = time.as_secs_f64();
            hint(format_args!(
                "generating {id} takes about {seconds:.0} s; it is saved in {} if that folder is \
                    writable",
                self.folder.path().display()
            ));
        }
    }

    /// Generates a table and saves it to its file, or resumes an interrupted generation.
    pub fn generate(&self, id: TableId) -> Result<(), Failure> {
        self.run(id, "generated", |control| self.folder.generate(id, control))
    }

    /// Generates a table unless its file exists, or waits for another process that generates it.
    pub fn generate_if_missing(&self, id: TableId) -> Result<(), Failure> {
        self.run(id, "generated", |control| {
            self.folder.generate_if_missing(id, control)
        })
    }

    /// Verifies a table completely.
    pub fn verify(&self, id: TableId) -> Result<(), Failure> {
        self.run(id, "verified", |control| self.folder.verify(id, control))
    }

    /// Loads the chosen table, which is generated first if it is not on disk.
    pub fn open(&self, choice: TableSelection) -> Result<Table, Failure> {
        if !choice.is_on_disk {
            self.announce_generation(choice.id);
        }
        let done = if choice.is_on_disk {
            "loaded, every block verified"
        } else {
            "generated and loaded"
        };
        let opened = self.run(choice.id, done, |control| self.folder.open(choice, control))?;
        let id = opened.table.id();
        let remedy = |error: &TableError| match error.remedy() {
            Some(remedy) => format!("; {}", worded(&remedy, Audience::Command)),
            None => String::new(),
        };
        for error in &opened.skipped_table_errors {
            let remedy = remedy(error);
            tell(format_args!("warning: {error}; using {id} instead{remedy}"));
        }
        if let Some(refused) = &opened.save_error {
            let remedy = remedy(refused);
            tell(format_args!(
                "warning: cannot save {id}, so it will be generated again next time: \
                    {refused}{remedy}"
            ));
        }
        Ok(opened.table)
    }

    /// Runs `work` on a table with a progress bar, and logs the time it took; `done` is the log
    /// message at the end.
    fn run<T>(
        &self,
        id: TableId,
        done: &str,
        work: impl FnOnce(&Control<'_>) -> Result<T, TableError>,
    ) -> Result<T, Failure> {
        let start = Instant::now();
        let instructions = Instructions::best().name();
        tracing::info!(table = %id, threads = %self.threads, instructions, "working");
        let result = with_progress(self.threads, work)?;
        tracing::info!(table = %id, elapsed = ?start.elapsed(), "{done}");
        Ok(result)
    }
}

/// Starts generating the tables of the two-phase search in the background. This takes about a
/// thirtieth of a second.
pub fn start_two_phase_tables() {
    if let Err(refused) = std::thread::Builder::new().spawn(TwoPhase::get) {
        tracing::debug!(%refused, "cannot start a thread; the tables of the two-phase search will \
            be generated on first use");
    }
}

/// Prints that a larger table would be faster.
pub fn recommend(better: TableId, current: TableId, store: &TableStore) {
    let seconds = estimate::to_generate(better, store.threads).as_secs_f64();
    let times = (better.size.bytes() as f64 / current.size.bytes() as f64).round();
    let argument = table_argument(&better.to_string(), Some(store.folder.path()));
    hint(format_args!(
        "{current} is a small table; `cosette tables gen {argument}` generates one that solves \
            {times} times as fast, in about {seconds:.0} s"
    ));
}
