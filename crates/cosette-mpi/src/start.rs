//! How the ranks start together: no rank opens a table before the first one knows that there is work; then all open it at
//! once.

use crate::hosts;
use crate::worker_pool::WorkerPool;
use crate::world::{POLL_INTERVAL, World};
use cosette::table::Table;
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::Failure;
use cosette_app::cli::store;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::sync::Arc;

/// The first message of the first rank.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Start {
    Work,
    NothingToDo,
}

/// Keeps the other ranks waiting until the first one has read its input.
pub struct StartBarrier<'a> {
    world: &'a World,
    is_released: Cell<bool>,
}

impl<'a> StartBarrier<'a> {
    /// The barrier, on the first rank.
    pub fn new(world: &'a World) -> StartBarrier<'a> {
        StartBarrier { world, is_released: Cell::new(false) }
    }

    /// Lets all ranks start.
    pub fn release(&self) {
        if !self.is_released.replace(true) {
            self.send_all(Start::Work);
        }
    }

    fn send_all(&self, start: Start) {
        (1..self.world.size()).for_each(|rank| self.world.send(rank, &start));
    }
}

impl Drop for StartBarrier<'_> {
    /// If there was nothing to do, the other ranks end.
    fn drop(&mut self) {
        if !self.is_released.get() {
            self.send_all(Start::NothingToDo);
        }
    }
}

/// What every rank but the first does: it waits at the barrier, then works until the first rank says that all is done.
/// Fails if a rank cannot open the table; the same error on all ranks.
pub fn serve(world: &World, args: &SolverArgs) -> Result<(), Failure> {
    let start = loop {
        match world.receive() {
            Some((_, start)) => break start,
            None => std::thread::sleep(POLL_INTERVAL),
        }
    };
    match start {
        Start::Work => {
            Team::open(world, args)?.pool.serve(world);
            Ok(())
        }
        Start::NothingToDo => Ok(()),
    }
}

/// All ranks, as one of them sees them, once the table is open.
pub struct Team<'a> {
    /// The ranks.
    pub world: &'a World,
    /// The table, which the ranks of a host share.
    pub table: Arc<Table>,
    /// The threads of this rank.
    pub pool: WorkerPool,
    /// The number of threads of each rank.
    pub threads: Vec<usize>,
}

impl<'a> Team<'a> {
    /// Opens the table and starts the threads. All ranks call this at once. Fails if one of them fails; the same error
    /// on all ranks.
    pub fn open(world: &'a World, args: &SolverArgs) -> Result<Team<'a>, Failure> {
        if world.is_first() {
            store::begin_two_phase();
        }
        let (hosts, table) = hosts::open(world, args)?;
        let table = Arc::new(table);
        let pool = WorkerPool::start(Arc::clone(&table), hosts.threads(args));
        let (pool, threads) = hosts.agree_on(world, pool.map_err(Failure::from), WorkerPool::threads)?;
        Ok(Team { world, table, pool, threads })
    }
}
