//! `cosette solve`: the search of this program, or one of the systems that founded the field.

use crate::engine::EngineArgs;
use clap::Args;
use cosette_app::cli::args::usage;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::solve::{Opened, SharedSolveArgs, answer};

/// Prove the shortest solution of positions
///
/// A position is given as moves that make it (`R U2 F'`, wide turns, slices, rotations, groups), as 54 facelets in any
/// colours (faces in the order U R F D L B), as Reid's twenty pieces or as Speffz cycles, the way pieces
/// go from the solved cube: U is `corners: (A B C D) edges: (A B C D)`.
///
/// Standard input has one position per line. In text without --show, line i of the output answers line i of the input; blank
/// lines, and comments that begin with # or //, have blank ones.
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
        usage("--journal is for the engine cosette");
    }
    answer(shared, of_lab.is_none(), &|first| match &shared.journal {
        Some(path) => Opened::recording(shared.request.solver.solver()?, path, &first.cube),
        None => Ok(Opened { engine: engine.open(&shared.request)?, journal: None }),
    })
}
