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
use cosette_lab::kociemba::Kociemba;
use cosette_lab::thistlethwaite::Thistlethwaite;

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The search of this program
    Cosette,
    /// Thistlethwaite's four stages of 1981: at once, not the shortest
    Thistlethwaite,
    /// Kociemba's two-phase search of 1992: good solutions; --max-length is its target, --timeout its time
    Twophase,
}

/// The engine that the arguments ask for, with its tables in memory.
pub fn engine(args: &SolveArgs) -> Result<Box<dyn Engine>, Failure> {
    if args.engine != EngineName::Cosette && (args.solver.table().is_some() || args.solver.memory.is_some()) {
        usage("--table and --memory choose a table of the engine cosette; the others have tables of their own");
    }
    if args.solver.metric() != Metric::Htm && matches!(args.engine, EngineName::Thistlethwaite | EngineName::Twophase) {
        usage("this engine counts half turns as one move: it has no --metric qtm");
    }
    Ok(match args.engine {
        EngineName::Cosette => Box::new(Fast(store::solver(&args.solver)?)),
        EngineName::Thistlethwaite => Box::new(Thistlethwaite::get()),
        EngineName::Twophase => Box::new(Kociemba { target: two_phase_target(args), time: None }),
    })
}

/// A length that is good enough: the one asked for; the shortest that can be had where there is a time limit; and where
/// there is neither, God's number.
fn two_phase_target(args: &SolveArgs) -> u8 {
    let whatever_comes = if args.timeout.is_some() { 0 } else { Metric::Htm.diameter() };
    args.max_length.unwrap_or(whatever_comes)
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
