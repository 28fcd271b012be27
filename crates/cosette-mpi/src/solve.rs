//! `cosette-mpi solve`: what `cosette solve` does, by all threads of all ranks.

use crate::coordinator::{Coordinator, end_all};
use crate::start::{self, StartBarrier, Team};
use crate::world::World;
use clap::Args;
use cosette::search::distributed::Checkpoint;
use cosette_app::answer::SolvedBy;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::solve::{Engine, SharedSolveArgs, SolvePosition, answer, open_journal};
use cosette_app::search_journal::JournalWriter;
use std::cell::RefCell;

/// Prove the shortest solution of positions, each by all threads of all ranks
///
/// Positions are given, and answered, as by `cosette solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// The positions, and what is asked of them.
    #[command(flatten)]
    pub shared: SharedSolveArgs,
}

/// Runs the subcommand on this rank.
pub fn run(world: &World, args: &SolveArgs) -> Result<Exit, Failure> {
    if world.is_first() {
        return coordinate(world, args);
    }
    start::serve(world, &args.shared.solver)?;
    Ok(Exit::Solved)
}

fn coordinate(world: &World, args: &SolveArgs) -> Result<Exit, Failure> {
    let barrier = StartBarrier::new(world);
    answer(&args.shared, &|first| {
        barrier.release();
        let team = Team::open(world, &args.shared.solver)?;
        let journal = args.shared.journal.as_ref().map(|path| open_journal(path, &first.cube, &team.table)).transpose();
        let (journal, checkpoint) = journal.inspect_err(|_| end_all(world))?.unzip();
        Ok(engine(team, journal, checkpoint.unwrap_or_default()))
    })
}

/// All ranks, as one engine; the first search continues from the checkpoint.
fn engine(team: Team<'_>, journal: Option<JournalWriter>, checkpoint: Checkpoint) -> Engine<'_> {
    let by = SolvedBy::table(team.table.id());
    let coordinator = RefCell::new(Coordinator::new(team, journal.clone()));
    let checkpoint = RefCell::new(checkpoint);
    let solve: Box<SolvePosition<'_>> = Box::new(move |position, options, on_event, control| {
        coordinator.borrow_mut().search((position, options, checkpoint.take()), on_event, control.cancel())
    });
    Engine { by, solve, journal }
}
