//! What solves: the search of this program, or one of the systems that founded the field.

use super::SolveArgs;
use crate::args::usage;
use crate::failure::Failure;
use crate::store;
use clap::ValueEnum;
use cosette::Cancel;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Report, Solver};
use cosette_lab::engine::Engine;

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The search of this program
    Cosette,
}

/// The engine that the arguments ask for, with its tables in memory.
pub fn engine(args: &SolveArgs) -> Result<Box<dyn Engine>, Failure> {
    let metric = args.solver.metric();
    let threads = args.solver.threads.count();
    if args.engine != EngineName::Cosette && (args.solver.table().is_some() || args.solver.memory.is_some()) {
        usage("--table and --memory choose a table of the engine cosette; the others have tables of their own");
    }
    Ok(match args.engine {
        EngineName::Cosette => Box::new(Fast(store::solver(&args.solver)?)),
    })
}

/// The search of this program, as one engine among others.
struct Fast(Solver);

impl Engine for Fast {
    fn name(&self) -> &'static str {
        "cosette"
    }

    fn metric(&self) -> Metric {
        self.0.table().id().metric
    }

    fn tables(&self) -> String {
        self.0.table().id().to_string()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Report {
        self.0.solve(position, options, on_event, cancel)
    }
}
