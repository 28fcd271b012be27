//! How the ranks start together: no rank opens a table before the first one knows that there is work; then all open it at
//! once.

use crate::hosts;
use crate::worker_pool::WorkerPool;
use crate::world::{POLL_INTERVAL, World};
use cosette::table::Table;
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::Failure;
use cosette_app::cli::store;
use std::cell::Cell;
use std::sync::Arc;

/// Keeps the other ranks waiting until the first one has read its input. Its message, the first one of all, says whether there
/// is work.
pub struct StartBarrier<'a>(Cell<Option<&'a World>>);

impl<'a> StartBarrier<'a> {
    /// The barrier, on the first rank.
    pub fn new(world: &'a World) -> StartBarrier<'a> {
        StartBarrier(Cell::new(Some(world)))
    }

    /// Lets all ranks start.
    pub fn release(&self) {
        self.send_all(true);
    }

    fn send_all(&self, has_work: bool) {
        if let Some(world) = self.0.take() {
            (1..world.size()).for_each(|rank| world.send(rank, &has_work));
        }
    }
}

impl Drop for StartBarrier<'_> {
    /// If there was nothing to do, the other ranks end.
    fn drop(&mut self) {
        self.send_all(false);
    }
}

/// What every rank but the first does: it waits at the barrier, then works until the first rank says that all is done. Fails if
/// a rank cannot open the table; the same error on all ranks.
pub fn serve(world: &World, args: &SolverArgs) -> Result<(), Failure> {
    let has_work = loop {
        match world.receive() {
            Some((_, has_work)) => break has_work,
            None => std::thread::sleep(POLL_INTERVAL),
        }
    };
    if has_work {
        Team::open(world, args)?.pool.serve(world);
    }
    Ok(())
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
