//! `cosette solve`: one position, or one per line of standard input.

use clap::Args;
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
}

/// Runs the subcommand.
pub fn run(SolveArgs { shared }: &SolveArgs) -> Result<Exit, Failure> {
    shared.check().unwrap_or_else(|error| error.exit());
    answer(shared, true, &|first| {
        let solver = shared.request.solver.solver()?;
        match &shared.journal {
            Some(path) => ReadyEngine::recording(solver, path, &first.cube),
            None => Ok(ReadyEngine::new(solver)),
        }
    })
}
