//! What a command that solves positions does: positions in, proven shortest solutions out.

mod net;
mod output;
mod text;

use crate::answer::{Answer, SolvedBy, Stop, is_in_small_letters, known_solution};
use crate::cli::args::{RequestArgs, SolverArgs, journal_path, metric_parser, misuse, seconds};
use crate::cli::bars::Bound;
use crate::cli::failure::{Exit, Failure, InputText};
use crate::cli::interrupt::Interruptible;
use crate::cli::{lines, stderr};
use crate::form::Form;
use crate::journal::JournalError;
use crate::search_journal::{JournalWriter, RecordingExecutor};
use clap::Args;
use cosette::Control;
use cosette::cube::{Cube, Format, Input, Metric, ReadOptions, read_position};
use cosette::search::distributed::Checkpoint;
use cosette::search::{Event, Options, Report, SolutionCount, Solver, TwoPhaseUse};
use cosette::table::Table;
use output::{Output, Shape};
use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The arguments of every `solve` command: positions, what is requested of them, and how they are answered.
#[derive(Args)]
pub struct SharedSolveArgs {
    /// The position; if it is missing or -, positions are read from standard input
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// How they are read, and what is requested of each.
    #[command(flatten)]
    pub request: RequestArgs,
    /// Give up on a position after this time, counted once the table is in memory
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Find all shortest solutions and print one that is also shortest in this metric
    #[arg(long, value_name = "METRIC", value_parser = metric_parser(), conflicts_with_all = ["all", "count"])]
    prefer: Option<Metric>,
    /// Print what is special about the position: its symmetries, its order, what its shortest solutions have in common; finds
    /// all solutions, like --all
    #[arg(long, conflicts_with_all = ["count", "prefer"])]
    explain: bool,
    /// Show the position as a coloured net
    #[arg(long, conflicts_with_all = ["json", "events"])]
    show: bool,
    /// The form of the solutions
    #[arg(long = "as", value_enum, default_value_t, value_name = "FORM", conflicts_with_all = ["json", "events"])]
    form: Form,
    /// Print the solution alone, and errors
    #[arg(short, long, conflicts_with_all = ["json", "events", "show", "explain"])]
    quiet: bool,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Print all events of the search and the answers, one JSON object per line
    #[arg(long, conflicts_with = "json")]
    events: bool,
    /// Record the search of the one position in this file, and continue from there
    #[arg(long, value_name = "FILE", value_parser = journal_path())]
    pub journal: Option<PathBuf>,
    /// What a solver needs.
    #[command(flatten)]
    pub solver: SolverArgs,
}

impl SharedSolveArgs {
    /// Checks that the arguments go together. Fails if they do not.
    pub fn check(&self) -> Result<(), clap::Error> {
        if self.journal.is_some() && self.reads_lines() {
            return Err(misuse("--journal is for one position: name it as an argument; `batch` is for many"));
        }
        self.solver.check()
    }

    /// What a search is asked.
    pub fn search_options(&self) -> Options<'static> {
        let needs_all = self.explain || self.prefer.is_some();
        let solution_count = if needs_all { SolutionCount::All } else { self.request.solution_count() };
        Options { solution_count, max_length: self.request.max_length, known: None, two_phase: TwoPhaseUse::AtOnce }
    }

    fn shape(&self) -> Shape {
        match (self.json, self.events) {
            (true, _) => Shape::Json,
            (_, true) => Shape::Events,
            _ if self.quiet => Shape::Solutions { form: self.form },
            _ => Shape::Text { form: self.form, show: self.show },
        }
    }

    /// Whether positions are read from standard input.
    pub fn reads_lines(&self) -> bool {
        self.position.is_empty() || self.position == ["-"]
    }
}

/// What solves.
pub struct Engine<'a> {
    /// What answers say of it.
    pub by: SolvedBy,
    /// Solves a position.
    pub solve: Box<SolvePosition<'a>>,
    /// Where the search of the position is recorded.
    pub journal: Option<JournalWriter>,
}

/// Solves a position, as [`Solver::solve`] does.
pub type SolvePosition<'a> = dyn Fn(&Cube, &Options<'_>, OnEvent<'_>, &Control<'_>) -> Report + 'a;

type OnEvent<'a> = &'a (dyn Fn(Event<'_>) + Sync);

impl From<Solver> for Engine<'_> {
    fn from(solver: Solver) -> Self {
        Engine {
            by: SolvedBy::table(solver.table().id()),
            solve: Box::new(move |position, options, on_event, control| {
                solver.search(position).options(*options).control(control).on_event(on_event).run()
            }),
            journal: None,
        }
    }
}

impl Engine<'_> {
    /// The search of the position that the arguments name, recorded in a journal, from which it continues.
    pub fn recording(solver: Solver, path: &Path, position: &Cube) -> Result<Engine<'static>, Failure> {
        let (journal, from) = open_journal(path, position, solver.table())?;
        let (from, writer) = (RefCell::new(from), journal.clone());
        let by = SolvedBy::table(solver.table().id());
        let solve = move |position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>| {
            let mut executor = RecordingExecutor::new(solver.table(), control.threads(), &writer);
            let search = solver.search(position).options(*options).control(control).on_event(on_event);
            search.resume_with(&mut executor, from.take()).0
        };
        Ok(Engine { by, solve: Box::new(solve), journal: Some(journal) })
    }
}

/// Opens the journal of the search of a position, and says from where it continues.
pub fn open_journal(path: &Path, position: &Cube, table: &Table) -> Result<(JournalWriter, Checkpoint), JournalError> {
    let (writer, resumed) = JournalWriter::open(path, position, table)?;
    if let Some(resumed) = &resumed {
        stderr::hint(format_args!("continuing from {}: {resumed}", path.display()));
    }
    Ok((writer, resumed.map(|resumed| resumed.checkpoint).unwrap_or_default()))
}

/// Makes an engine once the first position, which it is given, has been read.
pub type MakeEngine<'a> = dyn Fn(&Input) -> Result<Engine<'a>, Failure> + 'a;

/// Answers positions with an engine. Fails if the position on the command line is invalid, if there is no engine, or if
/// the output cannot be written.
pub fn answer<'a>(args: &'a SharedSolveArgs, make_engine: &'a MakeEngine<'a>) -> Result<Exit, Failure> {
    if args.quiet {
        stderr::be_quiet();
    }
    let solving = Solving { args, make_engine, engine: OnceCell::new(), output: Output::new(args.shape()) };
    let answered = if args.reads_lines() { solving.lines() } else { solving.one() };
    let journal = solving.engine.get().and_then(|engine| engine.journal.as_ref());
    let written = journal.map_or(Ok(()), JournalWriter::close);
    // If the journal could not be written, what was proven has been shown all the same.
    answered.and_then(|exit| written.map(|()| exit).map_err(Failure::from))
}

/// The arguments as one text, so that moves need no quotation marks. Fails if one of several is a position by itself: it
/// holds white space, or all facelets. The cycles of Speffz follow headings, and are one position.
pub fn joined(arguments: &[String]) -> Result<String, Failure> {
    let text = arguments.join(" ");
    let is_whole =
        |argument: &String| argument.trim().contains(char::is_whitespace) || Format::of(argument) == Format::Facelets;
    match arguments.len() > 1 && Format::of(&text) != Format::Speffz && arguments.iter().any(is_whole) {
        true => Err(Failure::new(
            format!("{} arguments are more than one position", arguments.len()),
            "put quotation marks around the whole position, or give several on standard input, one per line",
        )),
        false => Ok(text),
    }
}

struct Solving<'a> {
    args: &'a SharedSolveArgs,
    make_engine: &'a MakeEngine<'a>,
    /// Made once the first position has been read: an error in the text should not wait for a table.
    engine: OnceCell<Engine<'a>>,
    output: Output,
}

impl Solving<'_> {
    /// Answers the position of the command line.
    fn one(&self) -> Result<Exit, Failure> {
        self.answer(&InputText { text: joined(&self.args.position)?, line: None })
    }

    /// Answers each line of standard input; lines that are not positions are reported.
    fn lines(&self) -> Result<Exit, Failure> {
        let (mut worst, mut lines, mut written) = (Exit::Solved, lines::of_standard_input(), 0);
        for line in lines.by_ref() {
            let line = line?;
            self.output.skipped(line.number - 1 - written)?;
            written = line.number;
            let exit = match self.answer(&line.into()) {
                Err(failure @ Failure::NotACube { .. }) => {
                    let exit = failure.exit();
                    failure.report();
                    exit
                }
                exit => exit?,
            };
            worst = worst.max(exit);
            if exit == Exit::Interrupted {
                return Ok(worst);
            }
        }
        self.output.skipped(lines.count_read() - written)?;
        Ok(worst)
    }

    fn answer(&self, text: &InputText) -> Result<Exit, Failure> {
        let input = match self.read(text) {
            Ok(input) => input,
            Err(error) => {
                let failure = Failure::NotACube { error, text: text.clone() };
                self.output.failure(&failure)?;
                return Err(failure);
            }
        };
        if is_in_small_letters(&text.text, &input) {
            let line = text.line.map(|line| format!("line {line}: ")).unwrap_or_default();
            stderr::hint(format_args!(
                "{line}small letters are wide turns, as in r for Rw; write R for a turn of one face"
            ));
        }
        let answer = self.solve(text, &input)?;
        self.output.answer(&answer)?;
        Ok(Exit::from(&answer))
    }

    fn read(&self, text: &InputText) -> Result<Input, cosette::cube::ReadError> {
        read_position(&text.text, self.args.request.format, &ReadOptions { niss: self.args.request.niss })
    }

    fn engine(&self, first: &Input) -> Result<&Engine<'_>, Failure> {
        if self.engine.get().is_none() {
            let engine = (self.make_engine)(first)?;
            return Ok(self.engine.get_or_init(|| engine));
        }
        Ok(self.engine.get().expect("it has been made"))
    }

    fn solve<'a>(&self, text: &'a InputText, input: &'a Input) -> Result<Answer<'a>, Failure> {
        let engine = self.engine(input)?;
        self.output.start(text, input)?;
        let work = Interruptible::start(self.args.timeout);
        let metric = engine.by.metric;
        let known = known_solution(input, metric);
        let options = Options { known: known.as_deref(), ..self.args.search_options() };
        let (bound, output) = (Bound::show(), &self.output);
        let journal = &engine.journal;
        journal.iter().for_each(|journal| journal.stop_on_failure(&work.cancel));
        let on_event = |event: Event<'_>| {
            journal.iter().for_each(|journal| journal.record(event));
            bound.follow(event, metric);
            output.follow(event, metric);
        };
        let control = Control::new(self.args.solver.store.threads.count()).with_cancel(&work.cancel);
        let report = (engine.solve)(&input.cube, &options, &on_event, &control);
        let asked = work.cancel.reason().map(Stop::from);
        drop((work, bound));
        for threshold in &report.thresholds {
            let &cosette::search::Threshold { length, nodes, probes, elapsed, exhausted } = threshold;
            tracing::debug!(length, nodes, probes, ?elapsed, exhausted, "threshold");
        }
        let answer = Answer::new((&text.text, text.line, input), report, &options, engine.by.clone(), asked)?;
        Ok(answer.finished(self.args.prefer, self.args.explain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_of_one_position_are_joined() {
        let facelets = Cube::SOLVED.facelets();
        let joined = |arguments: &[&str]| joined(&arguments.iter().map(|&text| text.to_owned()).collect::<Vec<_>>());
        for (arguments, text) in [
            (&["R U F"][..], "R U F"),
            (&["R", "U2", "F'"], "R U2 F'"),
            (&["corners:", "(A B C)", "edges:", "()"], "corners: (A B C) edges: ()"),
            (&[&facelets], &facelets),
            (&["UF", "UR"], "UF UR"),
        ] {
            assert_eq!(joined(arguments).unwrap(), text);
        }
        for arguments in [&["R U F", "R"][..], &["R", "U F"], &[&facelets, &facelets], &["R", &facelets]] {
            let refused = joined(arguments).unwrap_err();
            assert!(refused.to_string().contains("more than one position"), "{refused}");
            assert!(refused.remedy().is_some_and(|remedy| remedy.contains("one per line")));
        }
    }
}
