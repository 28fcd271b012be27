//! The `batch` commands: many positions, with a crash-safe journal.

use super::solve::check_solution_format;
use crate::batch::{
    Batch, BatchOutput, ListEntry, OutputFormat, OutputStyle, PositionList, Workers, run_goal,
};
use crate::cli::args::{RequestArgs, exit_with_usage_error, journal_path, threads, usage_error};
use crate::cli::failure::{Exit, Failure, InputText};
use crate::cli::interrupt::{self, Interruptible};
use crate::cli::stderr::{CountBar, hint, tell};
use crate::cli::{lines, stderr};
use crate::events::SolveFailure;
use crate::goal_engine::GoalSolverCache;
use crate::request::{GoalRequest, Request};
use crate::solution_format::SolutionFormat;
use clap::Args;
use cosette::search::SolveResult;
use cosette::{Cancel, Control, ThreadCount};
use std::path::{Path, PathBuf};

/// The arguments of every `batch` command: a list of positions, request and output.
#[derive(Args)]
pub struct SharedBatchArgs {
    /// File of positions: one per line, with or without names, or a CSV table or JSON that contains
    /// them; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,
    /// Further files, which are rejected because results are identified by their line in one file.
    #[arg(hide = true)]
    others: Vec<PathBuf>,
    /// Store results in FILE, and resume from the results it contains
    #[arg(long, value_name = "FILE", value_parser = journal_path(), help_heading = "Search")]
    journal: Option<PathBuf>,
    /// Print results in input order instead of as they are found
    #[arg(long, help_heading = "Output")]
    ordered: bool,
    /// Number of positions to solve in parallel; threads are divided equally among them [default:
    /// the number of threads]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Resources")]
    pub jobs: Option<ThreadCount>,
    /// Format of solutions in text output
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        conflicts_with_all = ["json", "csv", "output_format"],
        help_heading = "Output",
    )]
    solution_format: SolutionFormat,
    /// Print only solutions, in input order, and errors
    #[arg(
        short,
        long,
        conflicts_with_all = ["json", "csv", "output_format", "explain"],
        help_heading = "Output",
    )]
    quiet: bool,
    /// Format of the results
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        help_heading = "Output"
    )]
    output_format: OutputFormat,
    /// Print results as JSON Lines, like --output-format json
    #[arg(long, conflicts_with = "output_format", help_heading = "Output")]
    json: bool,
    /// Print results as CSV, like --output-format csv
    #[arg(long, conflicts_with_all = ["output_format", "json"], help_heading = "Output")]
    csv: bool,
    /// Solve nothing if any line is not a valid position
    #[arg(long, help_heading = "Input")]
    strict: bool,
    /// Solve every position, even if it is equivalent to another under symmetry and inversion
    #[arg(long, help_heading = "Search")]
    no_dedupe: bool,
    /// Also find the first moves of all shortest solutions, and the distances of all positions one
    /// move away; takes about forty times as long for random positions
    #[arg(long, conflicts_with = "quiet", help_heading = "Solutions")]
    pub optimal_moves: bool,
    /// The input format and the request.
    #[command(flatten)]
    pub request: RequestArgs,
}

/// Function that solves the remaining positions of a batch, and calls its last argument with each
/// result once it is on disk. Returns an error, and stops, if the journal cannot be written, if a
/// solution is wrong, or if that call returns an error.
pub type SolveBatch<'a> = dyn FnOnce(
        &mut Batch,
        &Cancel,
        &mut dyn FnMut(usize, SolveResult) -> Result<(), Failure>,
    ) -> Result<(), Failure>
    + 'a;

impl SharedBatchArgs {
    /// Returns the path of the list as given.
    pub fn file(&self) -> String {
        self.file
            .as_ref()
            .map(|file| file.display().to_string())
            .unwrap_or_default()
    }

    /// Validates the arguments of a command that supports only full solves with face turns.
    ///
    /// # Errors
    ///
    /// Returns a usage error if there is a goal, `--optimal-moves` or `--jobs`, or if arguments
    /// conflict.
    pub fn check_is_plain(&self) -> Result<(), clap::Error> {
        match (self.optimal_moves, self.jobs) {
            (true, _) => Err(usage_error(
                "--optimal-moves is not supported by MPI jobs; use `cosette batch`",
            )),
            (_, Some(_)) => Err(usage_error(
                "--jobs is not supported by MPI jobs, where each thread of each rank solves a \
                    position; use `cosette batch` or remove it",
            )),
            _ => self.request.check_has_no_goal(),
        }
    }

    /// Validates the combination of arguments, and parses the goal.
    fn check(&self) -> Result<Option<GoalRequest>, clap::Error> {
        let request = &self.request;
        if self.jobs.is_some_and(|jobs| jobs > self.threads()) {
            return Err(usage_error(
                "--jobs is larger than the number of threads; raise --threads",
            ));
        }
        let Some(goal) = request.check()? else {
            check_solution_format(self.solution_format, &request.request())?;
            return Ok(None);
        };
        let has_format = self.solution_format != SolutionFormat::Moves;
        request.check_options_of_cube(&[
            ("--solution-format", has_format),
            ("--explain", request.is_explained()),
        ])?;
        if self.jobs.is_some() {
            return Err(usage_error(
                "--jobs applies only to full solves with face turns; remove it: other goals are \
                    solved one at a time, with all threads",
            ));
        }
        if self.optimal_moves {
            return Err(usage_error(
                "--optimal-moves applies only to full solves with face turns; remove it",
            ));
        }
        Ok(Some(goal))
    }

    fn threads(&self) -> ThreadCount {
        self.request.solver.store.threads.count()
    }

    fn style(&self) -> OutputStyle {
        let layout = match (self.json, self.csv) {
            (true, _) => OutputFormat::Json,
            (_, true) => OutputFormat::Csv,
            _ => self.output_format,
        };
        OutputStyle {
            layout,
            form: self.solution_format,
            solutions_only: self.quiet,
            ordered: self.ordered || self.quiet,
        }
    }

    /// Reads the list, and returns it with its number of lines.
    fn list(&self, request: &Request) -> Result<(PositionList, usize), Failure> {
        if !self.others.is_empty() {
            exit_with_usage_error(
                "batch reads only one file; for several, use `cat FILE FILE | cosette batch -`",
            );
        }
        let (lines, count) = lines::of_file(self.file.as_deref().unwrap_or(Path::new("-")))?;
        Ok((PositionList::read(lines, request), count))
    }

    /// Loads a table, and returns the function that solves with it and the threads of this process.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if the table to solve with is missing, or on interruption.
    pub fn with_threads(&self) -> Result<Box<SolveBatch<'_>>, Failure> {
        let solver = self.request.solver.solver()?;
        let workers = Workers {
            jobs: self.jobs.unwrap_or(solver.threads()),
            solver,
        };
        Ok(Box::new(move |batch, cancel, on_answer| {
            workers.run(batch, cancel, on_answer)
        }))
    }

    /// Returns the function that searches `goal` with the threads of this process. Loads a table if
    /// the goal constrains all pieces.
    fn for_goal(&self, goal: &GoalRequest) -> Result<Box<SolveBatch<'_>>, Failure> {
        let control = Control::new(self.threads());
        let goals = match goal.goal.is_full_cube() {
            true => GoalSolverCache::with_table(self.request.table_of_goals()?),
            false => GoalSolverCache::default(),
        };
        Ok(Box::new(move |batch, cancel, on_answer| {
            let control = control.clone().with_cancel(cancel);
            run_goal(batch, &goals, &control, on_answer)
        }))
    }
}

/// Solves a list. The solving function is created only if there is something to solve; for searches
/// of the whole cube, by `make_solve`.
///
/// # Errors
///
/// Returns an error if the list cannot be read, or an error of the solving function.
pub fn solve<'a>(
    args: &'a SharedBatchArgs,
    make_solve: impl FnOnce() -> Result<Box<SolveBatch<'a>>, Failure>,
) -> Result<Exit, Failure> {
    let goal = args.check().unwrap_or_else(|error| error.exit());
    let request = Request {
        optimal_moves: args.optimal_moves,
        ..args.request.request()
    };
    if args.quiet {
        stderr::be_quiet();
    }
    let (list, line_count) = args.list(&request)?;
    let failures = failures(&list);
    let mut worst = if failures.is_empty() {
        Exit::Success
    } else {
        Exit::NotACube
    };
    if args.strict && !failures.is_empty() {
        report(&list);
        tell("nothing was solved because of --strict");
        return Ok(worst);
    }
    let mut batch = Batch::open(list, request, !args.no_dedupe, args.journal.as_deref())?;
    report_invalid(args.style().layout, batch.list(), failures.len());
    let mut output = BatchOutput::new(args.style(), std::io::stdout());
    for (index, failure) in failures {
        output.write(index, Err(failure))?;
    }
    let mut write = |index: usize, answer: SolveResult| {
        worst = worst.max(Exit::from(&answer));
        output.write(index, Ok(answer))
    };
    for index in 0..batch.list().entries().len() {
        if let Some(answer) = batch.answer(index)? {
            write(index, answer)?;
        }
    }
    if !batch.remaining().is_empty() {
        let at_once = match goal {
            Some(_) => ThreadCount::ONE,
            None => args.jobs.unwrap_or(args.threads()),
        };
        let solve = goal.map_or_else(make_solve, |goal| args.for_goal(&goal))?;
        let entries = batch.list().entries().iter();
        let readable = entries.filter(|entry| entry.input.is_ok()).count();
        let work = Interruptible::start();
        let bar = CountBar::show(batch.answered(), readable, at_once.get());
        solve(&mut batch, &work.cancel, &mut |index, answer| {
            bar.above(|| write(index, answer))?;
            bar.step();
            Ok(())
        })?;
    }
    if !interrupt::is_requested() {
        output.finish(line_count)?;
        return Ok(worst);
    }
    // The lines after the last result are not blank but unsolved.
    output.finish(0)?;
    print_how_to_resume(args, &batch);
    Ok(Exit::Interrupted)
}

/// Returns the errors of the texts that are not valid positions, with the indices of their entries.
fn failures(list: &PositionList) -> Vec<(usize, SolveFailure)> {
    let entries = list.entries().iter().enumerate();
    let failure = |(index, entry): (usize, &ListEntry)| {
        let error = entry.input.as_ref().err()?;
        let name = entry.name.as_deref();
        let failure = SolveFailure::unreadable(&entry.text, name, Some(entry.line), error);
        Some((index, failure))
    };
    entries.filter_map(failure).collect()
}

/// Reports invalid positions: each of them if the output is text, and otherwise their number,
/// because their errors are in the output.
fn report_invalid(layout: OutputFormat, list: &PositionList, count: usize) {
    match (layout, count) {
        (OutputFormat::Text, _) => report(list),
        (_, 0) => {}
        (_, 1) => hint("one position cannot be read; see its `error`"),
        _ => hint(format_args!(
            "{count} positions cannot be read; see their `error`"
        )),
    }
}

/// Reports the first invalid position of each line.
pub fn report(list: &PositionList) {
    let mut reported_line = 0;
    for entry in list.entries() {
        if let Err(error) = &entry.input
            && std::mem::replace(&mut reported_line, entry.line) != entry.line
        {
            let text = InputText {
                name: entry.name.clone(),
                line: Some(entry.line),
                ..InputText::from(entry.text.clone())
            };
            let failure = Failure::NotACube {
                error: error.clone(),
                text: Box::new(text),
            };
            failure.report();
        }
    }
}

fn print_how_to_resume(args: &SharedBatchArgs, batch: &Batch) {
    let count = batch.list().entries().len();
    match &args.journal {
        Some(journal) => tell(format_args!(
            "interrupted; the journal has results for {} of {count} positions: {}; run the same \
                command again to resume",
            batch.answered(),
            journal.display()
        )),
        None => tell("interrupted; use --journal to make a batch resumable"),
    }
}
