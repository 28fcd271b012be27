//! What a command that solves a batch does: many positions, and a journal that survives being killed.

use super::solve::refuse_form;
use crate::batch::{Batch, Entry, Layout, List, Outcome, Output, Style, Workers, run_goal};
use crate::cli::args::{RequestArgs, journal_path, misuse, threads, usage};
use crate::cli::failure::{Exit, Failure, InputText};
use crate::cli::interrupt::{self, Interruptible};
use crate::cli::stderr::{Count, hint, tell};
use crate::cli::{lines, stderr};
use crate::form::Form;
use crate::goals::Goals;
use crate::json::{NotSolved, Solve};
use crate::request::{Request, Wanted};
use clap::Args;
use cosette::{Cancel, Control, ThreadCount};
use std::path::{Path, PathBuf};

/// The arguments of every `batch` command: a list of positions, what is requested of them, and how they are answered.
#[derive(Args)]
pub struct SharedBatchArgs {
    /// The positions, one per line, with names or without, or a table or JSON with them; - reads standard input
    #[arg(value_name = "FILE", required = true)]
    file: Option<PathBuf>,
    /// More files, which are refused: lines are told apart by their numbers in one.
    #[arg(hide = true)]
    others: Vec<PathBuf>,
    /// Keep the answers in this file, and continue from those it has
    #[arg(long, value_name = "FILE", value_parser = journal_path())]
    journal: Option<PathBuf>,
    /// Print the answers in the order of the list instead of as they are found
    #[arg(long)]
    ordered: bool,
    /// How many positions are solved at a time, by an equal share of the threads each [default: the number of threads]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub jobs: Option<ThreadCount>,
    /// The form of the solutions in text
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM", conflicts_with_all = ["json", "csv", "format_out"])]
    form: Form,
    /// Print the solutions alone, in the order of the list, and errors
    #[arg(short, long, conflicts_with_all = ["json", "csv", "format_out", "explain"])]
    quiet: bool,
    /// The format of the answers
    #[arg(long, value_enum, default_value_t, value_name = "LAYOUT")]
    format_out: Layout,
    /// Print one JSON object per line, like --format-out json
    #[arg(long, conflicts_with = "format_out")]
    json: bool,
    /// Print CSV, like --format-out csv
    #[arg(long, conflicts_with_all = ["format_out", "json"])]
    csv: bool,
    /// Solve nothing if a line is not a position
    #[arg(long)]
    strict: bool,
    /// Solve every position, even if positions are equal up to symmetry and inversion
    #[arg(long)]
    no_dedupe: bool,
    /// Find the moves that begin a shortest solution too, and the distances of all positions one move away; takes some forty times as
    /// long for random positions
    #[arg(long, conflicts_with = "quiet")]
    pub optimal_moves: bool,
    /// How they are read, and what is requested of each.
    #[command(flatten)]
    pub request: RequestArgs,
}

/// Solves the remaining positions of a batch, and calls the last argument with each answer once it is on the disk. Fails if
/// the journal cannot be written, if a solution is wrong, or if that call fails; the work stops then.
pub type SolveBatch<'a> =
    dyn FnOnce(&mut Batch, &Cancel, &mut dyn FnMut(usize, Solve) -> Result<(), Failure>) -> Result<(), Failure> + 'a;

impl SharedBatchArgs {
    /// The file of positions, as it was given.
    pub fn file(&self) -> String {
        self.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default()
    }

    /// Checks that the arguments go together, where only whole cubes are solved. Fails if they do not.
    pub fn check_is_plain(&self) -> Result<(), clap::Error> {
        match (self.optimal_moves, self.jobs) {
            (true, _) => Err(misuse("--optimal-moves is for `cosette batch`, on one machine")),
            (_, Some(_)) => {
                Err(misuse("--jobs is for `cosette batch`; here each thread of each rank solves a position"))
            }
            _ => self.request.check_has_no_goal(),
        }
    }

    fn style(&self) -> Style {
        let layout = match (self.json, self.csv) {
            (true, _) => Layout::Json,
            (_, true) => Layout::Csv,
            _ => self.format_out,
        };
        Style { layout, form: self.form, solutions_only: self.quiet, ordered: self.ordered || self.quiet }
    }

    /// Reads the list, and counts its lines.
    fn list(&self, request: &Request) -> Result<(List, usize), Failure> {
        if !self.others.is_empty() {
            usage("batch reads one file; for several: cat FILE FILE | cosette batch -");
        }
        let (lines, count) = lines::of_file(self.file.as_deref().unwrap_or(Path::new("-")))?;
        Ok((List::read(lines, request), count))
    }

    /// Solves with the threads of this process, once their table is in memory. Fails if there is no table to solve
    /// with.
    pub fn with_threads(&self) -> Result<Box<SolveBatch<'_>>, Failure> {
        let solver = self.request.solver.solver()?;
        let workers = Workers { jobs: self.jobs.unwrap_or(solver.threads()), solver };
        Ok(Box::new(move |batch, cancel, on_answer| workers.run(batch, cancel, on_answer)))
    }

    /// Searches a goal, with the threads of this process. Fails if there is no table to search with.
    fn for_goals(&self, wanted: &Wanted) -> Result<Box<SolveBatch<'_>>, Failure> {
        let control = Control::new(self.request.solver.store.threads.count());
        let goals = match wanted.goal.is_whole() {
            true => Goals::with_table(self.request.table_of_goals()?),
            false => Goals::default(),
        };
        Ok(Box::new(move |batch, cancel, on_answer| {
            run_goal(batch, &goals, &control.clone().with_cancel(cancel), on_answer)
        }))
    }
}

/// Solves a list, by an engine of the lab if one is named. What solves it is made if there is something to solve. Fails if the
/// list cannot be read, or if solving fails.
pub fn solve<'a>(
    args: &'a SharedBatchArgs,
    engine: Option<&'static str>,
    make: impl FnOnce() -> Result<Box<SolveBatch<'a>>, Failure>,
) -> Result<Exit, Failure> {
    if args.jobs.is_some_and(|jobs| jobs > args.request.solver.store.threads.count()) {
        usage("--jobs is more than the number of threads: raise --threads");
    }
    let request = Request { optimal_moves: args.optimal_moves, ..args.request.request(engine) };
    let goal = args.request.check().unwrap_or_else(|error| error.exit());
    if goal.is_some() && args.form != Form::Moves {
        args.request.misuse_with_goal("--as").exit();
    }
    if goal.is_some() && args.request.is_explained() {
        args.request.misuse_with_goal("--explain").exit();
    }
    if goal.is_some() && args.jobs.is_some() {
        usage(
            "--jobs is for the whole cube and turns of faces; other goals are solved one at a time, with all threads",
        );
    }
    refuse_form(args.form, &request).unwrap_or_else(|error| error.exit());
    if args.optimal_moves && (goal.is_some() || engine.is_some()) {
        usage("--optimal-moves is for the whole cube, turns of faces and the engine cosette");
    }
    if args.quiet {
        stderr::be_quiet();
    }
    let (list, lines) = args.list(&request)?;
    let unreadable = unreadable(&list);
    let mut worst = if unreadable.is_empty() { Exit::Solved } else { Exit::NotACube };
    if args.strict && !unreadable.is_empty() {
        report(&list);
        tell("nothing is solved because of --strict");
        return Ok(worst);
    }
    let mut batch = Batch::open(list, request, !args.no_dedupe, args.journal.as_deref())?;
    // They are on standard output as well, unless that is text.
    match args.style().layout {
        Layout::Json | Layout::Csv => match unreadable.len() {
            0 => {}
            1 => hint("one position cannot be read; its `error` says why"),
            count => hint(format_args!("{count} positions cannot be read; their `error` says why")),
        },
        Layout::Text => report(batch.list()),
    }
    let mut output = Output::new(args.style(), std::io::stdout());
    for (number, failure) in unreadable {
        output.write(number, Outcome::Unreadable(failure))?;
    }
    for number in 0..batch.list().entries().len() {
        if let Some(answer) = batch.answer(number)? {
            worst = worst.max(Exit::of(&answer));
            output.write(number, Outcome::Answer(Box::new(answer)))?;
        }
    }
    if !batch.remaining().is_empty() {
        let at_once = match goal.is_some() || engine.is_some() {
            true => 1,
            false => args.jobs.unwrap_or(args.request.solver.store.threads.count()).get(),
        };
        let solve = goal.map_or_else(make, |goal| args.for_goals(&goal))?;
        let readable = batch.list().entries().iter().filter(|entry| entry.input.is_ok()).count();
        let (work, bar) = (Interruptible::start(), Count::show(batch.answered(), readable, at_once));
        solve(&mut batch, &work.cancel, &mut |number, answer| {
            worst = worst.max(Exit::of(&answer));
            bar.above(|| output.write(number, Outcome::Answer(Box::new(answer))))?;
            bar.step();
            Ok(())
        })?;
        drop((work, bar));
    }
    output.finish(if interrupt::is_requested() { 0 } else { lines })?;
    if interrupt::is_requested() {
        say_how_to_continue(args, &batch);
        return Ok(Exit::Interrupted);
    }
    Ok(worst)
}

/// The texts that are not positions.
fn unreadable(list: &List) -> Vec<(usize, NotSolved)> {
    let of = |(number, entry): (usize, &Entry)| {
        let error = entry.input.as_ref().err()?;
        Some((number, NotSolved::unreadable(&entry.text, entry.name.as_deref(), Some(entry.line), error)))
    };
    list.entries().iter().enumerate().filter_map(of).collect()
}

/// Reports them: the first of each line.
pub fn report(list: &List) {
    let mut reported = 0;
    for Entry { line, name, text, input } in list.entries() {
        if let Err(error) = input
            && std::mem::replace(&mut reported, *line) != *line
        {
            let text = InputText { name: name.clone(), line: Some(*line), ..InputText::from(text.clone()) };
            Failure::NotACube { error: error.clone(), text: Box::new(text) }.report();
        }
    }
}

fn say_how_to_continue(args: &SharedBatchArgs, batch: &Batch) {
    let count = batch.list().entries().len();
    match &args.journal {
        Some(journal) => tell(format_args!(
            "interrupted; {} of {count} positions are answered in {}; the same command continues from there",
            batch.answered(),
            journal.display()
        )),
        None => tell("interrupted; with --journal the same command would continue from here"),
    }
}
