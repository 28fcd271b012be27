//! `cosette-lab solve`: positions solved by a historical solver.

use crate::engines::{EngineArgs, SolveRecord};
use clap::Args;
use cosette::cube::Metric;
use cosette::search::{IterationStats, IterationSummary, SolutionCount};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::solve::{ReadyEngine, SharedSolveArgs};
use cosette_app::cli::stderr::tell;
use cosette_app::units::counted;
use cosette_lab::deepening::OnLength;
use serde::Serialize;

/// Solve positions with a historical solver
///
/// POSITION is given in the formats of `cosette solve`. Without POSITION, one position per line is
/// read from standard input.
///
/// Example: cosette-lab solve --engine korf "R U2 F'"
#[derive(Args)]
pub struct EngineSolveArgs {
    #[command(flatten)]
    shared: SharedSolveArgs,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print each length that has been searched, with its nodes, its tests (positions compared with
    /// the solved one) and its seconds (of processor time with --journal); --engine reid begins with
    /// its table of cosets by distance, but not with --distances mod-three. The length of a position
    /// given as moves is not searched, as it is a known solution; give facelets, or --all, to count
    /// it too. Written to standard error, so that standard output holds only results; as JSON Lines
    /// with --json and --events
    #[arg(long, help_heading = "Output")]
    log: bool,
}

/// Runs the subcommand.
pub fn run(args: &EngineSolveArgs) -> Result<Exit, Failure> {
    let shared = &args.shared;
    shared.check().unwrap_or_else(|error| error.exit());
    args.engine.check(shared, args.log);
    let on_length: OnLength = match shared.is_json() {
        true => log_as_json,
        false => log_as_text,
    };
    let needs_one = shared.request.request().effective_count() == SolutionCount::ONE;
    shared.solve_with(&|first| {
        if args.log && !shared.is_json() && needs_one && first.sequence.is_some() {
            tell("the moves given are a known solution, so its length is not searched");
        }
        let record = SolveRecord {
            on_length: args.log.then_some(on_length),
            journal: shared.journal.as_deref(),
            position: &first.cube,
            is_json: shared.is_json(),
        };
        Ok(ReadyEngine {
            engine: args.engine.open(&shared.request, &record)?,
            journal: None,
        })
    })
}

/// Prints the work for a length in the manner of Reid's program.
fn log_as_text(metric: Metric, iteration: &IterationStats, tests: Option<u64>) {
    let ended = match iteration.exhausted {
        true => "completed",
        false => "ended early",
    };
    let tests = tests.map(|tests| counted(tests, "test") + ", ");
    tell(format_args!(
        "limit {}{} {ended} ({}, {}{:.3} s)",
        iteration.length,
        unit(metric),
        counted(iteration.nodes, "node"),
        tests.unwrap_or_default(),
        iteration.elapsed.as_secs_f64()
    ));
}

/// The work for a length as JSON: an iteration of a result, with its tests.
#[derive(Serialize)]
struct LoggedLength {
    #[serde(flatten)]
    iteration: IterationSummary,
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<u64>,
}

fn log_as_json(_: Metric, iteration: &IterationStats, tests: Option<u64>) {
    let logged = LoggedLength {
        iteration: iteration.into(),
        tests,
    };
    tell(serde_json::to_string(&logged).expect("it is a plain value"));
}

/// Returns the unit of a length in the manner of Reid: face turns or quarter turns.
pub fn unit(metric: Metric) -> char {
    match metric {
        Metric::Htm => 'f',
        Metric::Qtm => 'q',
    }
}
