//! `cosette-mpi solve`: what `cosette solve` does, by all threads of all ranks.

use crate::crew::{Clerk, Lead};
use crate::gate::{self, Keeper};
use crate::team::Team;
use crate::world::World;
use clap::Args;
use cosette::Cancel;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Report, Solver, Standing};
use cosette_cli::exit::Exit;
use cosette_cli::failure::Failure;
use cosette_cli::solve::{QuestionArgs, answer};
use cosette_lab::engine::Engine;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;

/// Prove the shortest solution of positions, each by all threads of all ranks
///
/// Positions are given, and answered, as by `cosette solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// The positions, and what is asked of them.
    #[command(flatten)]
    pub question: QuestionArgs,
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
            Ok(Box::new(Leader::new(Team::open(world, &args.question.solver)?)))
        });
    }
    if gate::wait(world) {
        Team::open(world, &args.question.solver)?.follow();
    }
    Ok(Exit::Solved)
}

/// All ranks, as one engine.
struct Leader<'a> {
    solver: Solver,
    lead: RefCell<Lead<'a>>,
}

impl<'a> Leader<'a> {
    fn new(team: Team<'a>) -> Leader<'a> {
        let Team { world, table, workshop, threads } = team;
        let lead = Lead::new(world, workshop, &threads, Nobody);
        Leader { solver: Solver::new(table, NonZeroUsize::MIN), lead: RefCell::new(lead) }
    }
}

/// Where nothing is written down.
struct Nobody;

impl Clerk for Nobody {}

impl Engine for Leader<'_> {
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
