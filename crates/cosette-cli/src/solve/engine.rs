//! What solves: the search of this program, or one of the systems that founded the field.

use super::SolveArgs;
use crate::args::usage;
use crate::bars::Steps;
use crate::failure::Failure;
use crate::interrupt::Work;
use crate::store;
use clap::ValueEnum;
use cosette::Cancel;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Report, SolutionCount, Solver};
use cosette_lab::engine::Engine;
use cosette_lab::fiat::Fiat;
use cosette_lab::kociemba::Kociemba;
use cosette_lab::korf::{Korf, SIX};
use cosette_lab::lab::{Lab, LabError};
use cosette_lab::reid::Reid;
use cosette_lab::thistlethwaite::Thistlethwaite;
use std::num::NonZeroUsize;

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// The search of this program
    Cosette,
    /// Korf's IDA* with pattern databases, 1997
    Korf,
    /// Fiat and others' bidirectional search that stores no frontier, 1989
    Fiat,
    /// Reid's search along three axes, 1997
    Reid,
    /// Lee's bidirectional A* over the positions near solved, 2013; one solution, to 13 moves or so
    Lee,
    /// Thistlethwaite's four stages of 1981: at once, not the shortest
    Thistlethwaite,
    /// Kociemba's two-phase search of 1992: good solutions; --max-length is its target, --timeout its time
    Twophase,
}

/// The engine that the arguments ask for, with its tables in memory.
pub fn engine<'a>(args: &SolveArgs) -> Result<Box<dyn Engine + 'a>, Failure> {
    if args.engine != EngineName::Cosette
        && (args.question.solver.table().is_some() || args.question.solver.memory.is_some())
    {
        usage("--table and --memory choose a table of the engine cosette; the others have tables of their own");
    }
    let metric = args.question.solver.metric();
    if metric != Metric::Htm && !matches!(args.engine, EngineName::Cosette | EngineName::Fiat | EngineName::Reid) {
        usage("this engine counts half turns as one move: it has no --metric qtm");
    }
    let wants_one =
        matches!(args.question.search_options().wanted, SolutionCount::One | SolutionCount::AtMost(NonZeroUsize::MIN));
    if args.engine == EngineName::Lee && !wants_one {
        usage("--all, -n, --prefer and --explain ask for several solutions; the engine lee finds one");
    }
    if args.engine != EngineName::Lee && args.lee.are_given() {
        usage("--d-back, --d-for and --states are for --engine lee");
    }
    Ok(match args.engine {
        EngineName::Cosette => Box::new(Fast(store::solver(&args.question.solver)?)),
        EngineName::Korf => Box::new(in_lab(args, |lab| Korf::new(lab, &SIX))?),
        EngineName::Fiat => Box::new(Fiat::new(metric, args.question.solver.threads.count())),
        EngineName::Lee => Box::new(in_lab(args, |lab| args.lee.engine(lab))?),
        EngineName::Reid => Box::new(in_lab(args, |lab| Reid::new(lab, metric))?),
        EngineName::Thistlethwaite => Box::new(Thistlethwaite::get()),
        EngineName::Twophase => Box::new(Kociemba { target: two_phase_target(args), time: None }),
    })
}

/// Makes an engine with its tables, under a bar.
fn in_lab<T>(args: &SolveArgs, make: impl FnOnce(&Lab<'_>) -> Result<T, LabError>) -> Result<T, Failure> {
    let (folder, work, steps) = (args.question.solver.folder.folder()?, Work::begin(None), Steps::show());
    let on_step = |what: &str, progress| steps.follow(what, progress);
    let threads = args.question.solver.threads.count();
    Ok(make(&Lab { folder: &folder, threads, on_step: &on_step, cancel: &work.cancel })?)
}

/// A length that is good enough: the one asked for; the shortest that can be had where there is a time limit; and where
/// there is neither, God's number.
fn two_phase_target(args: &SolveArgs) -> u8 {
    let whatever_comes = if args.question.timeout.is_some() { 0 } else { Metric::Htm.diameter() };
    args.question.ask.max_length.unwrap_or(whatever_comes)
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
