//! The session: the state in memory between two requests.

use cosette::cube::{Cube, ParseError};
use cosette::search::SolveResult;
use cosette::search::StopReason;
use cosette::search::distributed::Checkpoint;
use cosette::search::{Event, Options, Report, TwoPhaseMode};
use cosette::table::{TableError, UnknownTable};
use cosette::{Cancel, Control, Metric, Progress, Solver, Table, ThreadCount};
use cosette_app::engine::{self, Engine, OnEvent, ShortSolutions};
use cosette_app::events::SearchEvent;
use cosette_app::goal_engine::GoalSolverCache;
use cosette_app::remedies::{Audience, INTERNAL_ERROR, worded};
use cosette_app::request::Request;
use cosette_app::solve_result::{InvalidSolution, ParsedPosition};
use cosette_fmc::request::FieldError;
use cosette_fmc::step_solvers::StepSolvers;
use serde::Serialize;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The caller of a request.
pub trait Caller: Sync {
    /// Sends an event to the caller. May be called from any thread.
    fn send_event(&self, event: &Value);

    /// Returns the token by which the caller cancels the request.
    fn cancel(&self) -> Cancel;

    /// Sends the progress of a step, such as loading or generating a table.
    fn send_progress(&self, step: &str, Progress { done, total }: Progress) {
        self.send_event(&json!({"event": step, "done": done, "total": total}));
    }
}

/// An error of a request. Its kind names the subject, such as `table` or `position`.
#[derive(Serialize)]
pub struct EngineError {
    #[serde(rename = "error")]
    kind: &'static str,
    message: String,
    /// The range of the text to which the error refers, in UTF-16 code units.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
}

impl EngineError {
    pub fn new(kind: &'static str, message: impl ToString) -> EngineError {
        EngineError {
            kind,
            message: message.to_string(),
            span: None,
        }
    }

    /// Creates the error of a text that is not a position.
    pub fn position(text: &str, error: &ParseError) -> EngineError {
        EngineError {
            span: Some(utf16_span(text, error.span())),
            ..EngineError::new("position", error)
        }
    }

    /// Creates the error of a text that is not a sequence of moves.
    #[cfg(not(feature = "threads"))]
    pub fn moves(text: &str, error: &ParseError) -> EngineError {
        EngineError {
            kind: "moves",
            ..EngineError::position(text, error)
        }
    }
}

/// Converts a byte range of a text to UTF-16 code units, the units of strings in JavaScript.
pub fn utf16_span(text: &str, span: Range<usize>) -> [usize; 2] {
    [span.start, span.end].map(|end| text[..end].encode_utf16().count())
}

impl From<TableError> for EngineError {
    /// Chooses the kind by the remedy that the user has.
    fn from(error: TableError) -> EngineError {
        let kind = match &error {
            error if error.is_out_of_memory() => "memory",
            TableError::Threads(_) => "threads",
            error if error.is_cancellation() => "stopped",
            _ => "table",
        };
        let help = error
            .remedy()
            .map(|help| worded(&help, Audience::JavaScript));
        let help = help.map_or_else(String::new, |help| format!("; {help}"));
        EngineError::new(kind, format!("{error}{help}"))
    }
}

impl From<UnknownTable> for EngineError {
    fn from(error: UnknownTable) -> EngineError {
        EngineError::new("table", error)
    }
}

impl From<FieldError> for EngineError {
    fn from(error: FieldError) -> EngineError {
        let message = error.to_string();
        let span = error.span.map(|(text, span)| utf16_span(&text, span));
        EngineError {
            span,
            ..EngineError::new("request", message)
        }
    }
}

impl From<InvalidSolution> for EngineError {
    fn from(wrong: InvalidSolution) -> EngineError {
        EngineError::new("engine", format!("{wrong}; {INTERNAL_ERROR}"))
    }
}

/// Creates the error of a search that needs a table.
pub fn no_table() -> EngineError {
    let error = "this solver has no table; open one, for example with `Solver.open()`";
    EngineError::new("table", error)
}

/// A table, complete or not, and the current search. Tables are opened in `wasm.rs` or `node.rs`.
#[derive(Default)]
pub struct Session {
    pub threads: ThreadCount,
    /// `true` if the table, or its generated part, is stored and will not be generated again.
    pub is_stored: bool,
    /// An incomplete table.
    #[cfg(target_family = "wasm")]
    pub partial: Option<cosette::table::PartialTable>,
    pub solver: Option<Solver>,
    goals: GoalSolverCache,
    /// The tables of the fewest-moves steps.
    pub step_solvers: StepSolvers,
    /// The current search.
    pub search: Option<ActiveSearch>,
}

/// A search that has run for some time slices.
pub struct ActiveSearch {
    position: Cube,
    checkpoint: Checkpoint,
    /// The start of the first slice.
    start: Instant,
}

/// The result of a search, or the bounds that a slice of it has proven so far.
#[derive(Serialize)]
pub struct SolvedAnswer {
    pub answer: SolveResult,
    /// `true` if the slice has ended, and the same request resumes the search.
    unfinished: bool,
}

impl Session {
    /// Creates a session without a table.
    pub fn new(threads: ThreadCount) -> Session {
        Session {
            threads,
            ..Session::default()
        }
    }

    /// Sets the table for further searches.
    pub fn use_table(&mut self, table: Table) {
        self.solver = Some(Solver::new(Arc::new(table), self.threads));
    }

    /// Searches a position, for a time slice or to the end; a position other than the previous one
    /// is searched from the start. A plain search uses neither the two-phase search nor the input
    /// moves. A goal is searched without slices, with its own pattern databases.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no table and the position is not close to the solved cube, or
    /// if a solution is wrong.
    pub fn solve(
        &mut self,
        position: &ParsedPosition<'_>,
        (request, is_plain): (&Request, bool),
        slice: Option<Duration>,
        caller: &impl Caller,
    ) -> Result<SolvedAnswer, EngineError> {
        let control = Control::new(self.threads).with_cancel(&caller.cancel());
        // The request has been validated, so its goal can be parsed.
        let answer = if let Ok(Some(goal)) = request.parse_goal() {
            let on_event = |event: SearchEvent| caller.send_event(&json!(event));
            self.goals
                .solve(request, &goal, position, &on_event, &control)
        } else if self.solver.is_some() {
            let solved = self.solve_slice(position, (request, is_plain), slice, caller, &control);
            return Ok(solved?);
        } else {
            let metric = request.face_metric();
            // The solutions of `ShortSolutions` may be longer than a maximum length.
            let short = match request.max_length {
                None => ShortSolutions::find(&position.input.cube, metric),
                Some(_) => None,
            };
            solve_cube(
                &short.ok_or_else(no_table)?,
                position,
                request,
                caller,
                &control,
            )
        };
        Ok(SolvedAnswer {
            answer: answer?,
            unfinished: false,
        })
    }

    /// Searches with the table for a time slice.
    fn solve_slice(
        &mut self,
        position: &ParsedPosition<'_>,
        (request, is_plain): (&Request, bool),
        slice: Option<Duration>,
        caller: &impl Caller,
        control: &Control<'_>,
    ) -> Result<SolvedAnswer, InvalidSolution> {
        let solver = self.solver.as_ref().expect("there is a table");
        let cube = position.input.cube;
        let active = self.search.take().filter(|active| active.position == cube);
        let active = active.unwrap_or_else(|| ActiveSearch {
            position: cube,
            checkpoint: Checkpoint::default(),
            start: Instant::now(),
        });
        let start = active.start;
        let remaining_time = request
            .timeout
            .map(|timeout| timeout.saturating_sub(start.elapsed()));
        let request = Request {
            metric: solver.metric().into(),
            timeout: remaining_time.into_iter().chain(slice).min(),
            ..request.clone()
        };
        let engine = ResumedSearch {
            solver,
            is_plain,
            checkpoint: RefCell::new(active.checkpoint),
        };
        let mut answer = solve_cube(&engine, position, &request, caller, control)?;

        let slice_ends_first =
            slice.is_some_and(|slice| remaining_time.is_none_or(|remaining| slice < remaining));
        if slice.is_some() {
            // Includes the time between slices.
            answer.seconds = start.elapsed().as_secs_f64();
        }
        let unfinished = slice_ends_first && answer.stop_reason == Some(StopReason::Timeout);
        if unfinished {
            self.search = Some(ActiveSearch {
                position: cube,
                checkpoint: engine.checkpoint.into_inner(),
                start,
            });
            // This reason is final only if the caller does not resume the search, which then counts
            // as interrupted.
            answer.stop_reason = Some(StopReason::Interrupt);
        }
        Ok(SolvedAnswer { answer, unfinished })
    }
}

/// Returns the result of an engine. As in the HTTP API, it always includes the explanation.
fn solve_cube(
    engine: &impl Engine,
    position: &ParsedPosition<'_>,
    request: &Request,
    caller: &impl Caller,
    control: &Control<'_>,
) -> Result<SolveResult, InvalidSolution> {
    let metric = engine.metric();
    let on_event = |event: Event<'_>| caller.send_event(&json!(SearchEvent::new(event, metric)));
    let options = request.options();
    let request = Request {
        explain: true,
        ..request.clone()
    };
    engine::solve(engine, &request, options, position, &on_event, control)
}

/// A search that resumes from a checkpoint.
struct ResumedSearch<'a> {
    solver: &'a Solver,
    is_plain: bool,
    checkpoint: RefCell<Checkpoint>,
}

impl Engine for ResumedSearch<'_> {
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
        let plain = Options {
            known_solution: None,
            two_phase: TwoPhaseMode::Off,
            ..*options
        };
        let options = if self.is_plain { plain } else { *options };
        let search = self
            .solver
            .search(position)
            .options(options)
            .control(control)
            .on_event(on_event);
        let (report, checkpoint) = search.resume(self.checkpoint.take());
        self.checkpoint.replace(checkpoint);
        report
    }
}
