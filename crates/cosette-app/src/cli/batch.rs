//! What a command that solves a batch does: many positions, and a journal that survives being killed.

use crate::answer::Stop;
use crate::batch::{Batch, Layout, List, Outcome, Output, Settings, Workers};
use crate::cli::args::{AskArgs, SolverArgs, seconds, usage};
use crate::cli::bars::Count;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, InputText};
use crate::cli::interrupt::{self, Interruptible};
use crate::cli::lines;
use crate::json::{NotSolved, Solve};
use clap::{Args, ValueEnum};
use cosette::{Cancel, ThreadCount};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A list of positions, what is asked of them, and how they are answered.
#[derive(Args)]
pub struct RunArgs {
    /// The positions, one per line; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,
    /// Keep the answers in this file, and continue from those it has
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Print the answers in the order of the list instead of as they are found
    #[arg(long)]
    ordered: bool,
    /// How many positions are solved at a time, by an equal share of the threads each [default: the number of threads]
    #[arg(long, value_name = "N")]
    jobs: Option<ThreadCount>,
    /// The format of the answers
    #[arg(long, value_enum, default_value_t = LayoutName::Text, value_name = "LAYOUT")]
    format_out: LayoutName,
    /// Print one JSON object per line, like --format-out json
    #[arg(long, conflicts_with = "format_out")]
    json: bool,
    /// Solve nothing if a line is not a position
    #[arg(long)]
    strict: bool,
    /// Solve every position, even if positions are equal up to symmetry and inversion
    #[arg(long)]
    no_dedupe: bool,
    #[command(flatten)]
    ask: AskArgs,
    /// Give up on a position after this time; with a journal, the next run tries it again
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// What a solver needs.
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// What solves the positions of a batch.
pub trait Backend {
    /// Solves the remaining positions of a batch, and calls `on_answer` with each answer once it is on the disk.
    ///
    /// # Errors
    /// If the journal cannot be written, if a solution is wrong, or if `on_answer` fails. The work stops then.
    fn run(
        &self,
        batch: &mut Batch,
        cancel: &Cancel,
        on_answer: &mut dyn FnMut(usize, Solve) -> Result<(), Failure>,
    ) -> Result<(), Failure>;
}

impl Backend for Workers {
    fn run(
        &self,
        batch: &mut Batch,
        cancel: &Cancel,
        on_answer: &mut dyn FnMut(usize, Solve) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        Workers::run(self, batch, cancel, on_answer)
    }
}

/// The layouts by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LayoutName {
    /// One solution per line, followed by everything else in comments
    Text,
    /// Comma-separated values with a header
    Csv,
    /// One JSON object per line
    Json,
}

impl RunArgs {
    fn settings(&self) -> Settings {
        let (metric, solution_count) = (self.solver.metric(), self.ask.solution_count());
        let AskArgs { max_length, format, niss, .. } = self.ask;
        Settings { metric, solution_count, max_length, format, niss }
    }

    fn layout(&self) -> Layout {
        match self.format_out {
            _ if self.json => Layout::Json,
            LayoutName::Text => Layout::Text,
            LayoutName::Csv => Layout::Csv,
            LayoutName::Json => Layout::Json,
        }
    }

    /// Reads the list.
    fn list(&self, settings: &Settings) -> Result<List, Failure> {
        let path = self.file.clone().unwrap_or_else(|| "-".into());
        let refused = |source| Failure::Positions { path: path.clone(), source };
        let lines = lines::of_file(&path).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(refused)?;
        match lines {
            lines if lines.is_empty() => Err(Failure::NoPositions { path }),
            lines => Ok(List::read(lines, settings)),
        }
    }

    /// The time limit of a position.
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// The threads that solve, with their table in memory.
    ///
    /// # Errors
    /// If there is no table to solve with.
    pub fn workers(&self) -> Result<Workers, Failure> {
        let threads = self.solver.store.threads.count();
        let jobs = self.jobs.unwrap_or(threads);
        let table = Arc::new(self.solver.open()?);
        Ok(Workers { table, threads, jobs, timeout: self.timeout })
    }
}

/// Solves a list with a backend, which is made if there is something to solve.
///
/// # Errors
/// If the list cannot be read, or as [`Backend::run`].
pub fn solve<'a>(
    args: &'a RunArgs,
    make_backend: &'a dyn Fn() -> Result<Box<dyn Backend + 'a>, Failure>,
) -> Result<Exit, Failure> {
    if args.jobs.is_some_and(|jobs| jobs > args.solver.store.threads.count()) {
        usage("--jobs is more than the number of threads: raise --threads");
    }
    let settings = args.settings();
    let list = args.list(&settings)?;
    let unreadable = report_unreadable(&list);
    let mut worst = if unreadable.is_empty() { Exit::Solved } else { Exit::NotACube };
    if args.strict && !unreadable.is_empty() {
        anstream::eprintln!("nothing is solved because of --strict");
        return Ok(worst);
    }
    let mut batch = Batch::open(list, settings, !args.no_dedupe, args.journal.as_deref())?;
    let mut output = Output::new(args.layout(), args.ordered, anstream::stdout());
    for (number, failure) in unreadable {
        output.write(number, Outcome::Unreadable(failure))?;
    }
    for number in 0..batch.list().entries().len() {
        if let Some(answer) = batch.answer(number)? {
            worst = worst.max(exit_of(&answer));
            output.write(number, Outcome::Answer(Box::new(answer)))?;
        }
    }
    if !batch.remaining().is_empty() {
        let backend = make_backend()?;
        let readable = batch.list().entries().iter().filter(|entry| entry.input.is_ok()).count();
        let (work, bar) = (Interruptible::start(None), Count::show(batch.answered(), readable));
        backend.run(&mut batch, &work.cancel, &mut |number, answer| {
            worst = worst.max(exit_of(&answer));
            bar.above(|| output.write(number, Outcome::Answer(Box::new(answer))))?;
            bar.step();
            Ok(())
        })?;
        drop((work, bar));
    }
    output.finish()?;
    if interrupt::is_requested() {
        say_how_to_continue(args, &batch);
        return Ok(Exit::Interrupted);
    }
    Ok(worst)
}

/// Reports the texts that are not positions.
fn report_unreadable(list: &List) -> Vec<(usize, NotSolved)> {
    let mut unreadable = Vec::new();
    for (number, entry) in list.entries().iter().enumerate() {
        if let Err(error) = &entry.input {
            unreadable.push((number, NotSolved::unreadable(&entry.text, Some(entry.line), error)));
            let text = InputText { text: entry.text.clone(), line: Some(entry.line) };
            Failure::NotACube { error: error.clone(), text }.report();
        }
    }
    unreadable
}

fn exit_of(answer: &Solve) -> Exit {
    match answer.stopped.as_deref() {
        None => Exit::Solved,
        Some(stop) if stop == Stop::Interrupt.name() => Exit::Interrupted,
        Some(_) => Exit::Limit,
    }
}

fn say_how_to_continue(args: &RunArgs, batch: &Batch) {
    let count = batch.list().entries().len();
    match &args.journal {
        Some(journal) => anstream::eprintln!(
            "interrupted; {} of {count} positions are answered in {}; the same command continues from there",
            batch.answered(),
            journal.display()
        ),
        None => anstream::eprintln!("interrupted; with --journal the same command would continue from here"),
    }
}
