//! What solves where the command is built without the lab: the search of this program alone.

use clap::Args;
use cosette_app::cli::args::RequestArgs;
use cosette_app::cli::failure::Failure;
use cosette_app::engine::Engine;

/// There is nothing to choose.
#[derive(Args)]
pub struct EngineArgs {}

impl EngineArgs {
    /// The name of the engine, if it is one of the lab.
    pub fn of_lab(&self, _: &RequestArgs) -> Option<&'static str> {
        None
    }

    /// The engine with its table in memory. Fails if it has no table to solve with, or on interruption.
    pub fn open(&self, args: &RequestArgs) -> Result<Box<dyn Engine>, Failure> {
        Ok(Box::new(args.solver.solver()?))
    }
}
