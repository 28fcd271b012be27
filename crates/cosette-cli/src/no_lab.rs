//! Replacement of the lab in a build without it: one engine, and no further tables.

use clap::Args;
use cosette::block_file::PayloadKind;
use cosette_app::cli::args::RequestArgs;
use cosette_app::cli::failure::Failure;
use cosette_app::cli::tables::TableStore;
use cosette_app::engine::Engine;

/// No options: there is only one engine.
#[derive(Args)]
pub struct EngineArgs {}

impl EngineArgs {
    /// Returns the name of the engine if it belongs to the lab: always `None`.
    pub fn of_lab(&self, _: &RequestArgs) -> Option<&'static str> {
        None
    }

    /// Returns the engine with its table in memory.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if there is no table to solve with, or on interruption.
    pub fn open(&self, args: &RequestArgs) -> Result<Box<dyn Engine>, Failure> {
        Ok(Box::new(args.solver.solver()?))
    }
}

/// A table of the lab; no type implements this.
pub trait LabTable: PayloadKind + Send + Sync {}

/// Returns the tables of the lab: none.
pub fn all_tables() -> Vec<Box<dyn LabTable>> {
    Vec::new()
}

/// Generates a table of the lab; never called, because there is none.
pub fn generate(_: &TableStore, _: &dyn LabTable) -> Result<(), Failure> {
    Ok(())
}

/// Verifies a table of the lab; never called, because there is none.
pub fn verify(_: &TableStore, _: &dyn LabTable) -> Result<(), Failure> {
    Ok(())
}
