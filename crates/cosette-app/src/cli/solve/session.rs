//! The session of a `solve` command: the engine, and the way from each text to its result.

use super::args::SharedSolveArgs;
use super::output::SolveOutput;
use super::text::ResultText;
use crate::cli::failure::{Exit, Failure, InputText};
use crate::cli::interrupt::Interruptible;
use crate::cli::stderr::SearchBar;
use crate::cli::{lines, stderr};
use crate::engine::{self, Engine, OnEvent, ShortSolutions};
use crate::events::SearchEvent;
use crate::goal_engine::{FullTableNeed, GoalSolverCache, OnSearchEvent};
use crate::journal::JournalError;
use crate::position::hint;
use crate::request::{GoalRequest, Request};
use crate::search_journal::{JournalWriter, RecordingExecutor};
use crate::solve_result::ParsedPosition;
use cosette::cube::{Cube, Input, Metric, ParseOptions, parse_moves};
use cosette::search::SolveResult;
use cosette::search::distributed::Checkpoint;
use cosette::search::{Event, Options, Report, Solver};
use cosette::table::Table;
use cosette::{Control, ThreadCount};
use std::cell::RefCell;
use std::path::Path;
use std::time::{Duration, Instant};

/// Function that opens the engine for the first position, once it has been parsed, so that an error
/// in the text is reported before a table is loaded.
pub type OpenEngine<'a> = dyn Fn(&Input) -> Result<ReadyEngine<'a>, Failure> + 'a;

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

    /// Creates an engine whose search of `position` resumes from a journal and is recorded there.
    ///
    /// # Errors
    ///
    /// Returns an error if the journal cannot be used.
    pub fn recording(
        solver: Solver,
        path: &Path,
        position: &Cube,
    ) -> Result<ReadyEngine<'a>, Failure> {
        let (journal, checkpoint) = open_journal(path, position, solver.table())?;
        let engine = JournaledEngine {
            solver,
            journal: journal.clone(),
            checkpoint: RefCell::new(checkpoint),
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
    checkpoint: RefCell<Checkpoint>,
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
        search.resume_with(&mut executor, self.checkpoint.take()).0
    }
}

/// Opens the journal of the search of a position, and prints the point from which the search
/// resumes, if the journal has one.
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

impl SharedSolveArgs {
    /// Runs `cosette solve`: positions near solved are solved without a table, the others with the
    /// table and the journal of the arguments. Exits the process on a usage error.
    ///
    /// # Errors
    ///
    /// Returns an error if the position on the command line is invalid, if the table or the journal
    /// cannot be used, or if the output cannot be written.
    pub fn solve(&self) -> Result<Exit, Failure> {
        self.check().unwrap_or_else(|error| error.exit());
        run(self, self.tries_short(), &|first| {
            let solver = self.request.solver.solver()?;
            match &self.journal {
                Some(path) => ReadyEngine::recording(solver, path, &first.cube),
                None => Ok(ReadyEngine::new(solver)),
            }
        })
    }

    /// Solves the positions with an engine that is opened once the first of them has been parsed.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`solve`](SharedSolveArgs::solve) and `open_engine`.
    pub fn solve_with(&self, open_engine: &OpenEngine<'_>) -> Result<Exit, Failure> {
        run(self, false, open_engine)
    }
}

/// Solves the positions of the arguments. With `tries_short`, positions near solved are solved
/// without a table until another position has opened the engine.
fn run(
    args: &SharedSolveArgs,
    tries_short: bool,
    open_engine: &OpenEngine<'_>,
) -> Result<Exit, Failure> {
    if args.quiet {
        stderr::be_quiet();
    }
    let request = args.request.request();
    // The request has been validated, so its goal can be parsed.
    let goal = request.parse_goal().ok().flatten();
    let output = SolveOutput::new(args.output_mode());
    let mut session = SolveSession {
        args,
        request: &request,
        goal: goal.as_ref(),
        goals: GoalSolverCache::default(),
        tries_short,
        open_engine,
        engine: None,
        output: &output,
    };
    let solved = if args.reads_lines() {
        lines::answer_each(|count| output.skip(count), |text| session.solve(text))
    } else {
        lines::answer_alternatives(&args.position(), |text| session.solve(text))
    };
    let journal = session.engine.and_then(|engine| engine.journal);
    let closed = journal.as_ref().map_or(Ok(()), JournalWriter::close);
    // Even if the journal could not be written, the proven results have been shown.
    let exit = solved?;
    closed?;
    Ok(exit)
}

struct SolveSession<'s, 'a> {
    args: &'s SharedSolveArgs,
    request: &'s Request,
    /// The goal, unless the search is one of the whole cube.
    goal: Option<&'s GoalRequest>,
    goals: GoalSolverCache,
    tries_short: bool,
    open_engine: &'s OpenEngine<'a>,
    /// The engine, once a position has needed it.
    engine: Option<ReadyEngine<'a>>,
    output: &'s SolveOutput,
}

impl SolveSession<'_, '_> {
    fn solve(&mut self, text: &InputText) -> Result<Exit, Failure> {
        let input = match text.read(|text| self.request.parse_position(text)) {
            Ok(input) => input,
            Err(failure) => {
                self.output.failure(&failure)?;
                return Err(failure);
            }
        };
        self.show_hints(text, &input);
        let position = ParsedPosition {
            text: &text.text,
            name: text.name.as_deref(),
            line: text.line,
            input: &input,
        };
        match self.goal {
            Some(goal) => self.solve_goal(goal, &position),
            None => self.solve_cube(&position),
        }
    }

    /// Shows hints if a text might be meant otherwise than it was read.
    fn show_hints(&self, text: &InputText, input: &Input) {
        if let Some(hint) = hint(&text.text, input) {
            let line = text.line.map(|line| format!("line {line}: "));
            stderr::hint(format_args!("{}{hint}", line.unwrap_or_default()));
        }
        if !self.request.niss && has_unrepeated_groups(&text.text, input) {
            stderr::hint(
                "parentheses are read as groups of moves; \
                 use --niss to read them as moves on the inverse",
            );
        }
    }

    /// Searches the whole cube. Until the engine is open, with `tries_short`, a position near
    /// solved is searched without a table.
    fn solve_cube(&mut self, position: &ParsedPosition<'_>) -> Result<Exit, Failure> {
        if self.tries_short
            && self.engine.is_none()
            && let Some(short) =
                ShortSolutions::find(&position.input.cube, self.request.face_metric())
        {
            return self.search_cube(&ReadyEngine::new(short), position);
        }
        if self.engine.is_none() {
            self.engine = Some((self.open_engine)(position.input)?);
        }
        let engine = self.engine.as_ref().expect("it is open");
        self.search_cube(engine, position)
    }

    fn search_cube(
        &self,
        ReadyEngine { engine, journal }: &ReadyEngine<'_>,
        position: &ParsedPosition<'_>,
    ) -> Result<Exit, Failure> {
        self.start(position)?;
        let start = Instant::now();
        let work = Interruptible::start();
        let bar = SearchBar::show();
        let output = self.output;
        let metric = engine.metric();
        if let Some(journal) = journal {
            journal.stop_on_failure(&work.cancel);
        }
        let on_event = |event: Event<'_>| {
            if let Some(journal) = journal {
                journal.record(event);
            }
            let event = SearchEvent::new(event, metric);
            bar.follow(&event, metric);
            output.follow(&event, &work.cancel);
        };
        let control = Control::new(self.threads()).with_cancel(&work.cancel);
        let options = self.request.options();
        let engine = engine.as_ref();
        let solved = engine::solve(engine, self.request, options, position, &on_event, &control);
        drop(work);
        drop(bar);
        let run_time = start.elapsed();
        let result = solved?;
        for iteration in &result.iterations {
            tracing::debug!(
                length = iteration.length,
                nodes = iteration.nodes,
                probes = iteration.probes,
                elapsed = ?Duration::from_secs_f64(iteration.seconds),
                exhausted = iteration.exhausted,
                "iteration"
            );
        }
        self.finish(position, &result, run_time, engine.is_optimal())
    }

    /// Searches a goal, with a table of the whole cube if that is worth loading.
    fn solve_goal(
        &mut self,
        goal: &GoalRequest,
        position: &ParsedPosition<'_>,
    ) -> Result<Exit, Failure> {
        let start = Instant::now();
        let request = self.request;
        let need = self.with_control(|on_event, control| {
            let goals = &self.goals;
            goals.full_table_need(request, goal, position, on_event, control)
        })?;
        let trial_time = start.elapsed();
        if let FullTableNeed::Yes = need {
            self.goals.use_table(self.args.request.table_of_goals()?);
        }
        self.start(position)?;
        let result = match need {
            FullTableNeed::Stopped(result) => *result,
            FullTableNeed::Yes | FullTableNeed::No => {
                let mut result = self.with_control(|on_event, control| {
                    let goals = &self.goals;
                    goals.solve(request, goal, position, on_event, control)
                })?;
                result.seconds += trial_time.as_secs_f64();
                result
            }
        };
        self.finish(position, &result, start.elapsed(), true)
    }

    /// Calls `search` for a goal, with a callback that shows its events and a control whose time
    /// limit starts now.
    fn with_control<T>(&self, search: impl FnOnce(OnSearchEvent<'_>, &Control<'_>) -> T) -> T {
        let work = Interruptible::start();
        let bar = SearchBar::show();
        let output = self.output;
        let metric = self.request.face_metric();
        let on_event = |event: SearchEvent| {
            // All solutions of a goal are shown with its result.
            if !matches!(event, SearchEvent::Solution { .. }) {
                bar.follow(&event, metric);
            }
            output.follow(&event, &work.cancel);
        };
        let cancel = self.request.with_deadline(&work.cancel);
        let control = Control::new(self.threads()).with_cancel(&cancel);
        search(&on_event, &control)
    }

    fn threads(&self) -> ThreadCount {
        self.args.request.solver.store.threads.count()
    }

    /// Writes the start of a search.
    fn start(&self, position: &ParsedPosition<'_>) -> Result<(), Failure> {
        let cube = self.request.absolute(&position.input.cube);
        Ok(self.output.start(position, &cube)?)
    }

    /// Writes the result of a position.
    fn finish(
        &self,
        position: &ParsedPosition<'_>,
        result: &SolveResult,
        run_time: Duration,
        is_optimal: bool,
    ) -> Result<Exit, Failure> {
        self.output.result(&ResultText {
            result,
            request: self.request,
            input: position.input,
            format: self.args.solution_format,
            run_time,
            is_optimal,
        })?;
        Ok(Exit::from(result))
    }
}

/// Returns `true` if moves have a pair of parentheses without a repetition count, which may be
/// meant as NISS.
fn has_unrepeated_groups(text: &str, input: &Input) -> bool {
    let repeats = |c: char| c.is_ascii_digit() || "'\u{2019}*^×".contains(c);
    let is_unrepeated = |after: &str| !after.trim_start().starts_with(repeats);
    let parts: Vec<&str> = text.split(')').collect();
    // A number of moves, such as `(3f)`, is not a group.
    let is_count = |inside: &str| inside.starts_with(|c: char| c.is_ascii_digit());
    let are_moves = |inside: &str| {
        inside.contains(char::is_alphabetic)
            && !is_count(inside)
            && parse_moves(inside, &ParseOptions::default()).is_ok()
    };
    // An unmatched closing parenthesis belongs to a label, such as `1) R U F`; parentheses around a
    // time contain no moves.
    let is_group = |parts: &[&str]| {
        parts[0]
            .rsplit_once('(')
            .is_some_and(|(_, inside)| are_moves(inside))
            && is_unrepeated(parts[1])
    };
    input.sequence.is_some() && !text.contains("://") && parts.windows(2).any(is_group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_without_a_repetition_count_may_be_niss() {
        let has = |text: &str| {
            has_unrepeated_groups(text, &Request::default().parse_position(text).unwrap())
        };
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
}
