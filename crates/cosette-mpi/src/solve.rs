//! `cosette-mpi solve`: what `cosette solve` does, by all threads of all ranks.

use crate::coordinator::{Coordinator, end_all};
use crate::journal_writer::JournalWriter;
use crate::start::{self, StartBarrier, Team};
use crate::world::World;
use clap::Args;
use cosette::search::Event;
use cosette::search::distributed::Checkpoint;
use cosette_app::answer::SolvedBy;
use cosette_app::cli::args::misuse;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::solve::{Engine, SharedSolveArgs, SolvePosition, answer};
use std::cell::RefCell;
use std::path::PathBuf;

/// Prove the shortest solution of positions, each by all threads of all ranks
///
/// Positions are given, and answered, as by `cosette solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// The positions, and what is asked of them.
    #[command(flatten)]
    pub shared: SharedSolveArgs,
    /// Record the search of the one position in this file, and continue from there
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

impl SolveArgs {
    /// Checks that the arguments go together. Fails if they do not.
    pub fn check(&self) -> Result<(), clap::Error> {
        if self.journal.is_some() && self.shared.reads_lines() {
            return Err(misuse("--journal is for one position: name it as an argument; `batch` is for many"));
        }
        self.shared.solver.check()
    }
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
    let (barrier, writer) = (StartBarrier::new(world), RefCell::new(None));
    let answered = answer(&args.shared, &|first| {
        barrier.release();
        let team = Team::open(world, &args.shared.solver)?;
        let journal = args.journal.as_ref().map(|path| JournalWriter::open(path, &first.cube, &team.table)).transpose();
        let (journal, checkpoint) = journal.inspect_err(|_| end_all(world))?.unzip();
        writer.replace(journal.clone());
        Ok(engine(team, journal, checkpoint.unwrap_or_default()))
    });
    let written = writer.into_inner().map_or(Ok(()), |writer: JournalWriter| writer.close());
    // If the journal could not be written, what was proven has been shown all the same.
    answered.and_then(|exit| written.map(|()| exit).map_err(Failure::from))
}

/// All ranks, as one engine; the first search continues from the checkpoint.
fn engine(team: Team<'_>, journal: Option<JournalWriter>, checkpoint: Checkpoint) -> Engine<'_> {
    let by = SolvedBy::table(team.table.id());
    let coordinator = RefCell::new(Coordinator::new(team, journal.clone()));
    let checkpoint = RefCell::new(checkpoint);
    let solve: Box<SolvePosition<'_>> = Box::new(move |position, options, on_event, control| {
        journal.iter().for_each(|journal| journal.stop_on_failure(control.cancel()));
        let on_event = |event: Event<'_>| {
            journal.iter().for_each(|journal| journal.record(event));
            on_event(event);
        };
        coordinator.borrow_mut().search((position, options, checkpoint.take()), &on_event, control.cancel())
    });
    Engine { by, solve }
}
