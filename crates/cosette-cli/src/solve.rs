//! `cosette solve`: Cosette's own optimal solver, or one of the historical solvers.

use crate::engine::EngineArgs;
use clap::Args;
use cosette_app::cli::args::exit_with_usage_error;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::solve::{ReadyEngine, SharedSolveArgs, answer};

/// Find a shortest solution and prove it optimal
///
/// POSITION can be a scramble (R U2 F', wide moves, slices, rotations, groups), 54 facelets in any
/// colors (faces in the order U R F D L B), Reid notation (twenty pieces) or Speffz cycles, which
/// show where the pieces of a solved cube go: the position after U is
/// `corners: (A B C D) edges: (A B C D)`.
///
/// Without POSITION, one position per line is read from standard input. In text output without
/// --show, output line N answers input line N. Blank lines and lines that begin with # or //
/// produce blank lines.
#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    shared: SharedSolveArgs,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Runs the subcommand.
pub fn run(args: &SolveArgs) -> Result<Exit, Failure> {
    let SolveArgs { shared, engine } = args;
    shared.check().unwrap_or_else(|error| error.exit());
    let of_lab = engine.of_lab(&shared.request);
    if of_lab.is_some() && shared.journal.is_some() {
        exit_with_usage_error("--journal is for the engine cosette");
    }
    answer(shared, of_lab.is_none(), &|first| match &shared.journal {
        Some(path) => ReadyEngine::recording(shared.request.solver.solver()?, path, &first.cube),
        None => Ok(ReadyEngine { engine: engine.open(&shared.request)?, journal: None }),
    })
}
