//! The `solve` commands: positions in, proven shortest solutions out.

mod goal;
mod output;
mod text;

pub use output::Output;

use crate::answer::Answer;
use crate::batch::alternatives;
use crate::bidirectional::ShortSolutions;
use crate::cli::args::{RequestArgs, journal_path, usage_error};
use crate::cli::failure::{Exit, Failure, InputText};
use crate::cli::interrupt::Interruptible;
use crate::cli::stderr::SearchBar;
use crate::cli::{lines, stderr};
use crate::engine::{self, Engine, OnEvent};
use crate::goal_engine::{GoalObserver, GoalSolverCache, Preparation};
use crate::journal::JournalError;
use crate::json;
use crate::position::hint;
use crate::request::{GoalRequest, Request};
use crate::search_journal::{JournalWriter, RecordingExecutor};
use crate::solution_format::SolutionFormat;
use clap::Args;
use cosette::cube::{Cube, Format, Input, Metric, ParseOptions, parse_moves};
use cosette::goal::GoalSolution;
use cosette::search::distributed::Checkpoint;
use cosette::search::{Event, Options, Report, Solver};
use cosette::table::Table;
use cosette::{Control, Progress};
use output::OutputMode;
use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The arguments of every `solve` command: positions, request and output.
#[derive(Args)]
pub struct SharedSolveArgs {
    /// Position to solve; if omitted or -, positions are read from standard input
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// The input format and the request.
    #[command(flatten)]
    pub request: RequestArgs,
    /// Show the position as a colored net
    #[arg(long, conflicts_with_all = ["json", "events"], help_heading = "Output")]
    show: bool,
    /// Format of solutions
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", conflicts_with_all = ["json", "events"], help_heading = "Output")]
    solution_format: SolutionFormat,
    /// Print only solutions and errors
    #[arg(short, long, conflicts_with_all = ["json", "events", "show", "explain"], help_heading = "Output")]
    quiet: bool,
    /// Print results as JSON Lines; `nodes` counts expanded nodes for the engine cosette, generated
    /// nodes for all others
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print all search events and results as JSON Lines
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    events: bool,
    /// Save the progress of the search to FILE and resume from it (one position only)
    #[arg(long, value_name = "FILE", value_parser = journal_path(), help_heading = "Search")]
    pub journal: Option<PathBuf>,
}

/// Checks that the goal is the solved cube if `form` requires that.
///
/// # Errors
///
/// Returns a usage error if the goal is another position and `form` is `scramble` or `niss`.
pub fn check_solution_format(form: SolutionFormat, request: &Request) -> Result<(), clap::Error> {
    match request.target() {
        Some(target)
            if target != Cube::SOLVED
                && matches!(form, SolutionFormat::Scramble | SolutionFormat::Niss) =>
        {
            Err(usage_error(
                "the solution formats scramble and niss apply only to full solves; remove --solution-format or --goal",
            ))
        }
        _ => Ok(()),
    }
}

impl SharedSolveArgs {
    /// Validates the combination of arguments.
    ///
    /// # Errors
    ///
    /// Returns a usage error if arguments conflict, or if the request is invalid.
    pub fn check(&self) -> Result<(), clap::Error> {
        if self.journal.is_some()
            && (self.reads_lines() || alternatives(&self.position()).len() > 1)
        {
            return Err(usage_error(
                "--journal supports only one position; give it as an argument, or use `batch` for several",
            ));
        }
        joined(&self.position)?;
        let goal = self.request.check()?;
        let given = [
            ("--journal", self.journal.is_some()),
            (
                "--solution-format",
                self.solution_format != SolutionFormat::Moves,
            ),
            ("--explain", self.request.is_explained()),
        ];
        match given
            .iter()
            .find(|(_, is_given)| goal.is_some() && *is_given)
        {
            Some((option, _)) => Err(self.request.misuse_with_goal(option)),
            None => check_solution_format(self.solution_format, &self.request.request()),
        }
    }

    fn shape(&self) -> OutputMode {
        match (self.json, self.events) {
            (true, _) => OutputMode::Json,
            (_, true) => OutputMode::Events,
            _ if self.quiet => OutputMode::Solutions {
                form: self.solution_format,
            },
            _ => OutputMode::Text {
                form: self.solution_format,
                show: self.show,
            },
        }
    }

    /// Returns `true` if any table may be used; a position near solved then needs none.
    fn takes_any_table(&self) -> bool {
        let RequestArgs { solver, .. } = &self.request;
        self.journal.is_none() && !solver.names_table() && solver.memory.is_none()
    }

    /// Returns the position on the command line as given.
    pub fn position(&self) -> String {
        self.position.join(" ")
    }

    /// Returns `true` if positions are read from standard input.
    pub fn reads_lines(&self) -> bool {
        self.position.is_empty() || self.position == ["-"]
    }
}

/// A loaded engine, with the journal of its search.
pub struct ReadyEngine<'a> {
    /// The engine.
    pub engine: Box<dyn Engine + 'a>,
    /// The journal that records the search of the position.
    pub journal: Option<JournalWriter>,
}

impl<'a> ReadyEngine<'a> {
    /// Creates an engine without a journal.
    pub fn new(engine: impl Engine + 'a) -> ReadyEngine<'a> {
        ReadyEngine {
            engine: Box::new(engine),
            journal: None,
        }
    }
}

impl ReadyEngine<'_> {
    /// Creates an engine whose search of `position` is recorded in a journal, and resumes from it.
    ///
    /// # Errors
    ///
    /// Returns an error if the journal cannot be used.
    pub fn recording(
        solver: Solver,
        path: &Path,
        position: &Cube,
    ) -> Result<ReadyEngine<'static>, Failure> {
        let (journal, from) = open_journal(path, position, solver.table())?;
        let engine = JournaledEngine {
            solver,
            journal: journal.clone(),
            from: RefCell::new(from),
        };
        Ok(ReadyEngine {
            engine: Box::new(engine),
            journal: Some(journal),
        })
    }
}

/// An engine that records its searches in a journal. Its first search resumes from the journal.
struct JournaledEngine {
    solver: Solver,
    journal: JournalWriter,
    from: RefCell<Checkpoint>,
}

impl Engine for JournaledEngine {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn metric(&self) -> Metric {
        self.solver.metric()
    }

    fn tables(&self) -> String {
        self.solver.tables()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        let mut executor =
            RecordingExecutor::new(self.solver.table(), control.threads(), &self.journal);
        let search = self
            .solver
            .search(position)
            .options(*options)
            .control(control)
            .on_event(on_event);
        search.resume_with(&mut executor, self.from.take()).0
    }
}

/// Opens the journal of the search of a position, and prints the point from which it resumes.
///
/// # Errors
///
/// Returns an error if the journal cannot be used.
pub fn open_journal(
    path: &Path,
    position: &Cube,
    table: &Table,
) -> Result<(JournalWriter, Checkpoint), JournalError> {
    let (writer, resumed) = JournalWriter::open(path, position, table)?;
    if let Some(resumed) = &resumed {
        stderr::hint(format_args!("resuming from {}: {resumed}", path.display()));
    }
    Ok((
        writer,
        resumed
            .map(|resumed| resumed.checkpoint)
            .unwrap_or_default(),
    ))
}

/// Function that creates the engine from the first position, once that has been read.
pub type MakeEngine<'a> = dyn Fn(&Input) -> Result<ReadyEngine<'a>, Failure> + 'a;

/// Solves positions with an engine. If `short_first`, positions near solved are solved without one
/// until it has been created.
///
/// # Errors
///
/// Returns an error if the position on the command line is invalid, if there is no engine, or if
/// the output cannot be written.
pub fn answer<'a>(
    args: &'a SharedSolveArgs,
    short_first: bool,
    make_engine: &'a MakeEngine<'a>,
) -> Result<Exit, Failure> {
    if args.quiet {
        stderr::be_quiet();
    }
    let request = args.request.request();
    let output = Output::new(args.shape());
    let goal = request.parse_goal().ok().flatten();
    // With a maximum length, a longer solution must not be reported.
    let short_first = short_first && args.takes_any_table() && request.max_length.is_none();
    let solving = SolveSession {
        args,
        request,
        goal,
        goals: RefCell::default(),
        short_first,
        make_engine,
        opened: OnceCell::new(),
        output,
    };
    let answered = match args.reads_lines() {
        true => lines::answer_each(
            |lines| solving.output.skipped(lines),
            |text| solving.answer(text),
        ),
        false => lines::answer_alternatives(&args.position(), |text| solving.answer(text)),
    };
    let journal = solving
        .opened
        .get()
        .and_then(|opened| opened.journal.as_ref());
    let written = journal.map_or(Ok(()), JournalWriter::close);
    // If the journal could not be written, the proven results have been shown nevertheless.
    answered.and_then(|exit| written.map(|()| exit).map_err(Failure::from))
}

/// Joins the arguments into one text, so that moves need no quotation marks. Speffz cycles follow
/// headings, and are one position.
///
/// # Errors
///
/// Returns a usage error if one of several arguments is a position by itself: it contains
/// whitespace, or all facelets.
pub fn joined(arguments: &[String]) -> Result<String, clap::Error> {
    let text = arguments.join(" ");
    let is_whole = |argument: &String| {
        argument.trim().contains(char::is_whitespace)
            || Format::detect(argument) == Format::Facelets
    };
    match arguments.len() > 1
        && Format::detect(&text) != Format::Speffz
        && arguments.iter().any(is_whole)
    {
        true => Err(usage_error(&format!(
            "{} arguments are more than one position; put the position in quotation marks, or write several to standard input, \
             one per line",
            arguments.len()
        ))),
        false => Ok(text),
    }
}

struct SolveSession<'a> {
    args: &'a SharedSolveArgs,
    request: Request,
    /// The goal, if it is not the solved cube with face turns. Its pattern databases are in
    /// `goals`.
    goal: Option<GoalRequest>,
    goals: RefCell<GoalSolverCache>,
    short_first: bool,
    make_engine: &'a MakeEngine<'a>,
    /// The engine, created once the first position has been read, so that an error in the text is
    /// reported before a table is loaded.
    opened: OnceCell<ReadyEngine<'a>>,
    output: Output,
}

impl SolveSession<'_> {
    fn answer(&self, text: &InputText) -> Result<Exit, Failure> {
        let input = match text.read(|text| self.request.parse_position(text)) {
            Ok(input) => input,
            Err(failure) => {
                self.output.failure(&failure)?;
                return Err(failure);
            }
        };
        if let Some(hint) = hint(&text.text, &input) {
            let line = text
                .line
                .map(|line| format!("line {line}: "))
                .unwrap_or_default();
            stderr::hint(format_args!("{line}{hint}"));
        }
        if !self.request.niss && has_plain_groups(&text.text, &input) {
            stderr::hint(
                "parentheses are read as groups of moves; use --niss to read them as moves on the inverse",
            );
        }
        if let Some(goal) = &self.goal {
            return self.solve_goal(goal, text, &input);
        }
        let answer = self.solve(text, &input)?;
        self.output.answer(&answer)?;
        Ok(Exit::from(&answer))
    }

    /// Searches the goal from a position, and writes the result.
    fn solve_goal(
        &self,
        wanted: &GoalRequest,
        text: &InputText,
        input: &Input,
    ) -> Result<Exit, Failure> {
        let (asked, of_text) = ((&self.request, wanted), (&text.text[..], text.line, input));
        let mut goals = self.goals.borrow_mut();
        let mut work = Interruptible::start();
        let mut bound = SearchBar::show();
        let start = Instant::now();
        let output = &self.output;
        let metric = self.request.face_metric();
        let preparation = Preparation::default();
        let told = {
            let on_progress = shown_preparation(&preparation, (output, &bound), &work);
            goals.needs_full_table(
                asked,
                of_text,
                &self.control(&work).on_progress(&on_progress),
            )
        };
        let tried = start.elapsed().as_secs_f64();
        let stopped = match told {
            Ok(true) => {
                drop((bound, work));
                goals.use_table(self.args.request.table_of_goals()?);
                work = Interruptible::start();
                bound = SearchBar::show();
                None
            }
            told => told.err(),
        };
        output.start(text, &self.request.absolute(&input.cube), input)?;
        let on_event = |event: Event<'_>| {
            bound.follow(event, metric);
            output.follow(|| json::Event::new(event, metric), &work.cancel);
        };
        let on_solution = |found: &GoalSolution| {
            output.follow(|| json::Event::goal_solution(found), &work.cancel)
        };
        let listener = GoalObserver {
            on_event: &on_event,
            on_solution: &on_solution,
        };
        let answer = match stopped {
            Some(stopped) => *stopped,
            None => {
                let on_progress = shown_preparation(&preparation, (output, &bound), &work);
                let within = self.control(&work).on_progress(&on_progress);
                let answer = goals.answer(asked, of_text, listener, &within);
                json::SolveResult {
                    seconds: tried + answer.seconds,
                    ..answer
                }
            }
        };
        let answer = json::SolveResult {
            name: text.name.clone(),
            ..answer
        };
        drop((work, bound));
        self.output.reached(&answer, &self.request)?;
        Ok(Exit::of(&answer))
    }

    /// Returns the control of a search for a goal. Its time starts now.
    fn control(&self, work: &Interruptible) -> Control<'static> {
        let cancel = self.request.with_deadline(&work.cancel);
        Control::new(self.args.request.solver.store.threads.count()).with_cancel(&cancel)
    }

    fn opened(&self, first: &Input) -> Result<&ReadyEngine<'_>, Failure> {
        if self.opened.get().is_none() {
            let opened = (self.make_engine)(first)?;
            return Ok(self.opened.get_or_init(|| opened));
        }
        Ok(self.opened.get().expect("it has been made"))
    }

    fn solve<'a>(&self, text: &'a InputText, input: &'a Input) -> Result<Answer<'a>, Failure> {
        let is_first = self.short_first && self.opened.get().is_none();
        match is_first
            .then(|| ShortSolutions::find(&input.cube, self.request.face_metric()))
            .flatten()
        {
            Some(short) => self.solve_with(&ReadyEngine::new(short), text, input),
            None => self.solve_with(self.opened(input)?, text, input),
        }
    }

    fn solve_with<'a>(
        &self,
        ReadyEngine { engine, journal }: &ReadyEngine<'_>,
        text: &'a InputText,
        input: &'a Input,
    ) -> Result<Answer<'a>, Failure> {
        self.output
            .start(text, &self.request.absolute(&input.cube), input)?;
        let (start, work) = (Instant::now(), Interruptible::start());
        let bound = SearchBar::show();
        let output = &self.output;
        let metric = engine.metric();
        journal
            .iter()
            .for_each(|journal| journal.stop_on_failure(&work.cancel));
        let on_event = |event: Event<'_>| {
            journal.iter().for_each(|journal| journal.record(event));
            bound.follow(event, metric);
            output.follow(|| json::Event::new(event, metric), &work.cancel);
        };
        let control =
            Control::new(self.args.request.solver.store.threads.count()).with_cancel(&work.cancel);
        let of_text = (&text.text[..], text.line, input);
        let answer = engine::answer(
            engine.as_ref(),
            (&self.request, self.request.options()),
            of_text,
            &on_event,
            &control,
        );
        drop((work, bound));
        let answer = Answer {
            run_time: start.elapsed(),
            name: text.name.clone(),
            ..answer?
        }
        .apply_request(&self.request);
        for iteration in &answer.report.iterations {
            let &cosette::search::IterationStats {
                length,
                nodes,
                probes,
                elapsed,
                exhausted,
            } = iteration;
            tracing::debug!(length, nodes, probes, ?elapsed, exhausted, "iteration");
        }
        Ok(answer)
    }
}

/// Returns a callback that shows the progress of building the pattern databases of a goal.
fn shown_preparation<'a>(
    preparation: &'a Preparation,
    (output, bound): (&'a Output, &'a SearchBar),
    work: &'a Interruptible,
) -> impl Fn(&str, Progress) + Sync + 'a {
    move |step, progress| {
        let Some(event) = preparation.event(step, progress) else {
            return;
        };
        if let json::Event::Building {
            doing,
            percent,
            seconds_left,
        } = &event
        {
            bound.prepare(doing, *percent, *seconds_left);
        }
        output.follow(|| event, &work.cancel);
    }
}

/// Returns `true` if moves have a pair of parentheses without a repetition count, which may be
/// meant as NISS.
fn has_plain_groups(text: &str, input: &Input) -> bool {
    let repeats = |c: char| c.is_ascii_digit() || "'\u{2019}*^×".contains(c);
    let is_plain = |rest: &str| !rest.trim_start().starts_with(repeats);
    let pieces: Vec<&str> = text.split(')').collect();
    // A number of moves, such as `(3f)`, is not a group.
    let is_count = |inside: &str| inside.starts_with(|c: char| c.is_ascii_digit());
    let are_moves = |inside: &str| {
        inside.contains(char::is_alphabetic)
            && !is_count(inside)
            && parse_moves(inside, &ParseOptions::default()).is_ok()
    };
    // An unmatched closing parenthesis belongs to a label, such as `1) R U F`; parentheses around a
    // time contain no moves.
    let is_group = |piece: &[&str]| {
        piece[0]
            .rsplit_once('(')
            .is_some_and(|(_, inside)| are_moves(inside))
            && is_plain(piece[1])
    };
    input.sequence.is_some() && !text.contains("://") && pieces.windows(2).any(is_group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_that_repeat_nothing_may_be_niss() {
        let has =
            |text: &str| has_plain_groups(text, &Request::default().parse_position(text).unwrap());
        assert!(has("R (U F) D") && has("(R U) (F2)3 (B)"));
        assert!(!has("(1:02.34) R2 U") && !has("12. (DNF(12.34))[so, so]   R2 U"));
        assert!(
            !has("R U F")
                && !has("R U F (3f)")
                && !has("1) R U F")
                && !has("(R U)3 F")
                && !has("(R U)'")
                && !has("(R U) × 3")
        );
    }

    #[test]
    fn only_parts_of_one_position_are_joined() {
        let facelets = Cube::SOLVED.facelets();
        let joined = |arguments: &[&str]| {
            joined(
                &arguments
                    .iter()
                    .map(|&text| text.to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        for (arguments, text) in [
            (&["R U F"][..], "R U F"),
            (&["R", "U2", "F'"], "R U2 F'"),
            (
                &["corners:", "(A B C)", "edges:", "()"],
                "corners: (A B C) edges: ()",
            ),
            (&[&facelets], &facelets),
            (&["UF", "UR"], "UF UR"),
        ] {
            assert_eq!(joined(arguments).unwrap(), text);
        }
        for arguments in [
            &["R U F", "R"][..],
            &["R", "U F"],
            &[&facelets, &facelets],
            &["R", &facelets],
        ] {
            let refused = joined(arguments).unwrap_err();
            assert!(
                refused.to_string().contains("more than one position"),
                "{refused}"
            );
        }
    }
}
