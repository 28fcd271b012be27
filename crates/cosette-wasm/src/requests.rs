//! Requests and answers, as JSON.

use crate::host::Place;
use crate::session::{Caller, Session};
use cosette::cube::{
    Format, Input, Mark, Painting, ReadError, ReadOptions, Sequence, Symmetry, canonical, inverse, random_positions,
    read_position,
};
use cosette::search::{Options, Outcome, Report, SolutionCount, TwoPhaseUse};
use cosette::table::{TableError, TableSize};
use cosette::twophase::TwoPhase;
use cosette::{Cube, Metric, Move, Moves, Progress, TableId, ThreadCount};
use serde::Deserialize;
use serde_json::{Value, json};
use std::num::NonZeroUsize;
use std::time::Duration;

/// What JavaScript may ask for.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Request {
    /// The names and sizes of all tables.
    Tables,
    /// A table. The module may return before it is ready; the addon does not.
    Open {
        table: String,
        threads: usize,
        #[serde(flatten)]
        place: Place,
    },
    /// More of the table.
    #[cfg(target_family = "wasm")]
    Generate { milliseconds: u64 },
    /// What a position is, in any format.
    Read { position: String },
    /// Whether a text is a position, and all that a page shows of it; of a painted cube, also what is wrong with each piece.
    Check {
        position: String,
        /// Moves in parentheses are on the inverse.
        #[serde(default)]
        niss: bool,
    },
    /// A random position.
    Random { seed: u64 },
    /// The shortest solution, or all of them.
    Solve {
        position: String,
        #[serde(default)]
        all: bool,
        /// At most so many solutions, if not all: one where this is missing.
        count: Option<NonZeroUsize>,
        /// Moves in parentheses are on the inverse.
        #[serde(default)]
        niss: bool,
        /// Neither with the two-phase search nor with the inverse of the given moves: for measurements.
        #[serde(default)]
        plain: bool,
        max_length: Option<u8>,
        /// Stops after this time; the same request continues.
        milliseconds: Option<u64>,
    },
    /// No more of the search that is under way.
    Forget,
}

/// The answer to a request, or an error with its kind.
pub fn answer(session: &mut Session, request: &[u8], caller: &impl Caller) -> Value {
    let request = serde_json::from_slice(request).map_err(|error| failure("request", &error));
    let answer = request.and_then(|request| answer_to(session, request, caller));
    answer.unwrap_or_else(|failure| failure)
}

/// An error of this kind, as an answer.
pub fn failure(kind: &str, error: &dyn std::fmt::Display) -> Value {
    json!({"error": kind, "message": error.to_string()})
}

/// A failure with a table: its kind is what users can do something about.
fn table_failure(error: &TableError) -> Value {
    match error {
        TableError::TooLittleMemory { .. } => failure("memory", &format_args!("{error}; choose a smaller table")),
        TableError::Threads(_) => failure("threads", error),
        _ if error.is_cancellation() => failure("stopped", error),
        _ if error.is_other_file() => {
            failure("table", &format_args!("{error}; move that file away, or use another folder"))
        }
        _ => failure("table", error),
    }
}

fn answer_to(session: &mut Session, request: Request, caller: &impl Caller) -> Result<Value, Value> {
    match request {
        Request::Tables => {
            let of_size = |size: TableSize| json!({"name": size.name(), "bytes": size.bytes()});
            Ok(json!({"sizes": TableSize::ALL.map(of_size)}))
        }
        Request::Open { table, threads, place } => {
            let id: TableId = table.parse().map_err(|error| failure("table", &error))?;
            let threads = ThreadCount::ONE.max(ThreadCount::new(threads).map_err(|error| failure("threads", &error))?);
            let unfinished = session.open(id, threads, place, caller).map_err(|error| table_failure(&error))?;
            let mut answer = state(unfinished, session);
            answer["table"] = id.to_string().into();
            answer["bytes"] = id.size.bytes().into();
            Ok(answer)
        }
        #[cfg(target_family = "wasm")]
        Request::Generate { milliseconds } => {
            let slice = Duration::from_millis(milliseconds);
            Ok(state(session.generate(slice, caller).map_err(|error| table_failure(&error))?, session))
        }
        Request::Read { position } => {
            let cube = read(&position, false)?.cube;
            Ok(json!({"facelets": cube.to_string(), "solved": cube.is_solved()}))
        }
        Request::Check { position, niss } => Ok(match read_position(&position, None, &ReadOptions { niss }) {
            Ok(input) => check_json(&input),
            Err(error) => fault_json(&position, &error),
        }),
        Request::Random { seed } => {
            let cube = random_positions(seed).next().expect("the positions do not end");
            Ok(json!({"facelets": cube.facelets(), "scramble": scramble(&cube)}))
        }
        Request::Solve { position, all, count, niss, plain, max_length, milliseconds } => {
            let input = read(&position, niss)?;
            let metric = session.metric().ok_or_else(|| failure("table", &"no table is ready"))?;
            let known = (!plain).then(|| known_solution(&input, metric)).flatten();
            let options = Options {
                solution_count: match count {
                    _ if all => SolutionCount::All,
                    Some(count) => SolutionCount::AtMost(count),
                    None => SolutionCount::ONE,
                },
                max_length,
                known: known.as_deref(),
                two_phase: if plain { TwoPhaseUse::Never } else { TwoPhaseUse::AtOnce },
            };
            let report = session.search(input.cube, options, milliseconds.map(Duration::from_millis), caller);
            let report = report.ok_or_else(|| failure("table", &"no table is ready"))?;
            Ok(report_json(&report, metric))
        }
        Request::Forget => {
            session.forget_search();
            Ok(json!({}))
        }
    }
}

fn read(position: &str, niss: bool) -> Result<Input, Value> {
    read_position(position, None, &ReadOptions { niss }).map_err(|error| failure("position", &error))
}

/// What a page shows of a position; in the words of the HTTP API of `cosette-web`.
fn check_json(input: &Input) -> Value {
    let cube = &input.cube;
    let inverse = cube.inverse();
    let stabilizer = cube.symmetries();
    let mirrors = stabilizer.iter().filter(|s| s.is_mirror()).count();
    json!({
        "ok": true,
        "format": input.format.name(),
        "facelets": cube.facelets(),
        "setup": scramble(cube),
        "rotation": input.sequence.as_ref().and_then(Sequence::rotation_text),
        "symmetries": stabilizer.len(),
        "rotations": stabilizer.len() - mirrors,
        "mirrors": mirrors,
        "inverting": Symmetry::all().filter(|&s| cube.conjugate(s) == inverse).count(),
        "order": cube.order(),
        "odd": cube.is_odd(),
    })
}

/// Why a text is not a position.
fn fault_json(text: &str, error: &ReadError) -> Value {
    let painting = Painting::read(text, None);
    let mark = |Mark { places, error, help }| json!({"places": places, "error": error, "help": help});
    let marks: Vec<Value> = painting.iter().flat_map(Painting::marks).map(mark).collect();
    let span = error.span();
    json!({
        "ok": false,
        "format": Format::of(text).name(),
        "facelets": painting.as_ref().map(Painting::facelets),
        "error": error.message(),
        "help": error.help(),
        "span": [span.start, span.end],
        "blank": painting.as_ref().map_or(0, Painting::blank),
        "marks": marks,
    })
}

fn scramble(cube: &Cube) -> String {
    Moves(&TwoPhase::get().sequence_to(cube)).to_string()
}

/// A solution that is known before the search, as in the native programs: the inverse of the given moves.
fn known_solution(input: &Input, metric: Metric) -> Option<Vec<Move>> {
    let inverted = input.sequence.as_ref().map(|sequence| canonical(&inverse(sequence.moves())));
    inverted.filter(|moves| metric.length(moves) <= metric.diameter().into())
}

/// How far a table is, if it is not ready, and whether it is stored.
fn state(unfinished: Option<Progress>, session: &Session) -> Value {
    match unfinished {
        None => json!({"ready": true, "stored": session.is_stored}),
        Some(Progress { done, total }) => {
            json!({"ready": false, "done": done, "total": total, "stored": session.is_stored})
        }
    }
}

fn report_json(report: &Report, metric: Metric) -> Value {
    let text = |moves: &Vec<_>| Moves(moves).to_string();
    let outcome = match report.outcome {
        Outcome::Optimal => "optimal",
        Outcome::NoneWithinLimit => "noneWithinLimit",
        Outcome::Cancelled(_) | Outcome::Unproven => "stopped",
    };
    json!({
        "outcome": outcome,
        "length": report.length(),
        "lowerBound": report.lower_bound,
        "solutions": report.solutions.iter().map(text).collect::<Vec<_>>(),
        "bestKnown": report.best_known.as_ref().map(text),
        "bestKnownLength": report.best_known.as_ref().map(|moves| metric.length(moves)),
        "nodes": report.nodes(),
        "probes": report.probes(),
        "seconds": report.elapsed.as_secs_f64(),
    })
}
