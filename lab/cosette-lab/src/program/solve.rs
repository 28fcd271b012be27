//! `cosette-lab solve`: positions solved by a historical solver.

use crate::engines::EngineArgs;
use clap::Args;
use cosette_app::cli::args::exit_with_usage_error;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::solve::{ReadyEngine, SharedSolveArgs};

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
}

/// Runs the subcommand.
pub fn run(EngineSolveArgs { shared, engine }: &EngineSolveArgs) -> Result<Exit, Failure> {
    shared.check().unwrap_or_else(|error| error.exit());
    engine.check(&shared.request);
    if shared.journal.is_some() {
        exit_with_usage_error("--journal applies only to `cosette solve`; remove it");
    }
    shared.solve_with(&|_| {
        Ok(ReadyEngine {
            engine: engine.open(&shared.request)?,
            journal: None,
        })
    })
}
