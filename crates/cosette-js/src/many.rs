//! Lists of positions. The answer of each position, or the error of a text that is not one, is an
//! event with its index. With the module without threads, JavaScript requests one position after
//! the other instead, each in time slices.

use crate::requests::validate;
use crate::session::{Caller, EngineError, Session};
use cosette::cube::Input;
use cosette::search::{SolveResult, TwoPhaseMode};
use cosette::twophase::TwoPhase;
use cosette::{Cancel, Control, Solver, ThreadCount};
use cosette_app::engine;
use cosette_app::name::NamedPosition;
use cosette_app::request::Request;
use cosette_app::solve_result::ParsedPosition;
use serde_json::{Value, json};

/// A position with its index in the list.
struct ListedPosition {
    index: usize,
    named: NamedPosition,
    input: Input,
}

impl ListedPosition {
    fn parsed(&self) -> ParsedPosition<'_> {
        ParsedPosition {
            name: self.named.name.as_deref(),
            ..ParsedPosition::unnamed(&self.named.text, &self.input)
        }
    }

    /// Returns the event with the answer.
    fn event(&self, answer: &SolveResult) -> Value {
        json!({"event": "answer", "index": self.index, "answer": answer})
    }
}

/// Solves the positions of a list: with the table several at once, otherwise one after the other
/// with all threads.
///
/// # Errors
///
/// Returns an error if options are in conflict, if a position far from solved needs a table and none
/// is open, or if a solution is wrong.
pub fn solve_many(
    session: &mut Session,
    texts: Vec<Option<String>>,
    request: Request,
    caller: &impl Caller,
) -> Result<(), EngineError> {
    validate(&request)?;
    let target = request.target();
    let mut positions = Vec::new();
    for (index, text) in texts.into_iter().enumerate() {
        let Some(text) = text else {
            continue;
        };
        match NamedPosition::read(&text, |text| request.parse_relative(text, target)) {
            Ok((named, input)) => positions.push(ListedPosition {
                index,
                named,
                input,
            }),
            Err(error) => {
                let failure = EngineError::position(&text, &error);
                caller.send_event(&json!({"event": "failure", "index": index, "failure": failure}));
            }
        }
    }
    let has_goal = matches!(request.parse_goal(), Ok(Some(_)));
    if let Some(solver) = session.solver.as_ref().filter(|_| !has_goal) {
        return solve_in_parallel(solver, positions, request, caller);
    }
    for position in positions {
        let solved = session.solve(&position.parsed(), (&request, false), None, caller)?;
        if caller.cancel().is_cancelled() {
            break;
        }
        caller.send_event(&position.event(&solved.answer));
    }
    Ok(())
}

/// Solves several positions at once, each with an equal share of the threads. The answers are sent
/// from this thread, so that none arrives after the result of the request.
fn solve_in_parallel(
    solver: &Solver,
    positions: Vec<ListedPosition>,
    request: Request,
    caller: &impl Caller,
) -> Result<(), EngineError> {
    let options = request.batch_options();
    if options.two_phase == TwoPhaseMode::Upfront {
        // The time of the first positions must not include generating the two-phase tables.
        TwoPhase::get();
    }
    let threads = solver.threads();
    let jobs = threads.at_most(positions.len());
    // In WebAssembly, workers are started only for the threads of one search.
    let share = if cfg!(target_family = "wasm") {
        ThreadCount::ONE
    } else {
        threads.at_most(threads.get() / jobs.get())
    };
    let request = Request {
        metric: solver.metric().into(),
        explain: true,
        ..request
    };
    let solve = move |solver: &Solver, position: ListedPosition, cancel: &Cancel| {
        let solver = solver.clone().with_threads(share);
        let control = Control::new(share).with_cancel(cancel);
        let answer = engine::solve(
            &solver,
            &request,
            options,
            &position.parsed(),
            &|_| {},
            &control,
        );
        let event = answer.map(|answer| position.event(&answer));
        (!cancel.is_cancelled()).then_some(event)
    };
    let answers = solver
        .clone()
        .with_threads(jobs)
        .answer_many(positions, &caller.cancel(), solve)
        .map_err(|error| EngineError::new("threads", format!("cannot start threads: {error}")))?;
    for (_, answer) in answers.unordered() {
        caller.send_event(&answer?);
    }
    Ok(())
}
