//! What a rank has once all have opened the table together.

use crate::crew::{Workshop, follow};
use crate::hosts;
use crate::world::World;
use cosette::table::Table;
use cosette_cli::args::SolverArgs;
use cosette_cli::failure::Failure;
use cosette_cli::store;
use std::sync::Arc;

/// All ranks, as one of them sees them.
pub struct Team<'a> {
    /// All of them.
    pub world: &'a World,
    /// The table, which the ranks of a host share.
    pub table: Arc<Table>,
    /// The threads of this rank.
    pub workshop: Workshop,
    /// How many threads each rank has.
    pub threads: Vec<usize>,
}

impl<'a> Team<'a> {
    /// Opens the table and starts the threads. All ranks come here together.
    ///
    /// # Errors
    /// If it cannot be done on one of them; then on all.
    pub fn open(world: &'a World, args: &SolverArgs) -> Result<Team<'a>, Failure> {
        if world.is_first() {
            store::begin_two_phase();
        }
        let (hosts, table) = hosts::open(world, args)?;
        let table = Arc::new(table);
        let workshop = Workshop::open(Arc::clone(&table), hosts.threads(args));
        let (workshop, threads) = hosts.agree_on(world, workshop.map_err(Failure::from), Workshop::threads)?;
        Ok(Team { world, table, workshop, threads })
    }

    /// Does what the first rank says, until all is done.
    pub fn follow(mut self) {
        follow(self.world, &mut self.workshop);
    }
}
