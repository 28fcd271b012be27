//! Placeholder until the hosts module is merged.
use crate::world::World;
use cosette::table::Table;
use cosette_cli::args::SolverArgs;
use cosette_cli::failure::Failure;
use std::num::NonZeroUsize;
pub fn open(_: &World, args: &SolverArgs) -> Result<Table, Failure> {
    cosette_cli::store::table(args)
}
pub fn threads(_: &World, args: &SolverArgs) -> NonZeroUsize {
    args.threads.count()
}
