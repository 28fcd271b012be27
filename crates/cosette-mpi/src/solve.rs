//! `cosette-mpi solve`: what `cosette solve` does, by all threads of all ranks.

use crate::crew::{Lead, Workshop, follow};
use crate::gate::{self, Keeper};
use crate::hosts;
use crate::world::World;
use clap::Args;
use cosette::Cancel;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Report, Solver, Standing};
use cosette::table::Table;
use cosette_cli::exit::Exit;
use cosette_cli::failure::Failure;
use cosette_cli::solve::{QuestionArgs, answer};
use cosette_lab::engine::Engine;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

/// Prove the shortest solution of positions, each by all threads of all ranks
///
/// Positions are given, and answered, as by `cosette solve`.
#[derive(Args)]
pub struct SolveArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Keep what is searched of the one position in this file, and go on from there
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// Runs the subcommand on this rank.
pub fn run(world: &World, args: &SolveArgs) -> Result<Exit, Failure> {
    if world.is_first() {
        let keeper = Keeper::new(world);
        return answer(&args.question, &|| {
            keeper.open();
            Ok(Box::new(Ranks::open(world, args)?))
        });
    }
    if gate::wait(world) {
        let (_, mut workshop, _) = open(world, args)?;
        follow(world, &mut workshop);
    }
    Ok(Exit::Solved)
}

/// The table, the threads of this rank, and how many threads each rank has.
fn open(world: &World, args: &SolveArgs) -> Result<(Arc<Table>, Workshop, Vec<usize>), Failure> {
    let table = Arc::new(hosts::open(world, &args.question.solver)?);
    let workshop = Workshop::open(Arc::clone(&table), hosts::threads(world, &args.question.solver))?;
    let threads = world.tell_all(&workshop.threads().to_string());
    let threads = threads.iter().map(|text| text.parse().expect("a number was told")).collect();
    Ok((table, workshop, threads))
}

/// All ranks, as one engine.
struct Ranks<'a> {
    solver: Solver,
    lead: RefCell<Lead<'a>>,
}

impl<'a> Ranks<'a> {
    fn open(world: &'a World, args: &SolveArgs) -> Result<Ranks<'a>, Failure> {
        let (table, workshop, threads) = open(world, args)?;
        let lead = RefCell::new(Lead::new(world, workshop, &threads, |_| {}));
        Ok(Ranks { solver: Solver::new(table, NonZeroUsize::MIN), lead })
    }
}

impl Engine for Ranks<'_> {
    fn name(&self) -> &'static str {
        "cosette"
    }

    fn metric(&self) -> Metric {
        self.solver.table().id().metric
    }

    fn tables(&self) -> String {
        self.solver.table().id().to_string()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Report {
        let mut lead = self.lead.borrow_mut();
        lead.set_position(position);
        let from = (position, options, Standing::default());
        self.solver.resume_with(&mut *lead, from, on_event, cancel).0
    }
}
