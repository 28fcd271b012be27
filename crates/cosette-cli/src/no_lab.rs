//! What the command has in place of the lab if it is built without: one engine, and no tables but its own.

use clap::Args;
use cosette::block_file::Contents;
use cosette_app::cli::args::RequestArgs;
use cosette_app::cli::failure::Failure;
use cosette_app::cli::tables::Store;
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

/// A table of the lab: no type is one.
pub trait LabTable: Contents + Send + Sync {}

/// No tables.
pub fn all_tables() -> Vec<Box<dyn LabTable>> {
    Vec::new()
}

/// Generates a table of the lab, of which there is none.
pub fn generate(_: &Store, _: &dyn LabTable) -> Result<(), Failure> {
    Ok(())
}

/// Checks a table of the lab, of which there is none.
pub fn verify(_: &Store, _: &dyn LabTable) -> Result<(), Failure> {
    Ok(())
}
