//! The engine that solves: the search of this program, or one of the systems that founded the field.

use crate::lab;
use clap::{Args, ValueEnum};
use cosette::cube::Metric;
use cosette::goal::TurnMetric;
use cosette::search::SolutionCount;
use cosette_app::cli::args::{RequestArgs, SolverArgs, usage, whole_number};
use cosette_app::cli::failure::Failure;
use cosette_app::engine::Engine;
use cosette_app::request::Request;
use cosette_lab::error::LabError;
use cosette_lab::fiat::Fiat;
use cosette_lab::kociemba::Kociemba;
use cosette_lab::korf::{Korf, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::lee::partial::problem::ForwardDepth;
use cosette_lab::lee::perimeter::Perimeter;
use cosette_lab::lee::search::{AstarSettings, Lee};
use cosette_lab::reid::Reid;
use cosette_lab::thistlethwaite::Thistlethwaite;

/// The engine, and options of some.
#[derive(Args)]
pub struct EngineArgs {
    /// The engine that solves
    #[arg(long, value_enum, default_value_t = EngineName::Cosette, value_name = "NAME")]
    engine: EngineName,
    #[command(flatten)]
    lee: LeeArgs,
}

/// Options of the engine lee only.
#[derive(Args)]
struct LeeArgs {
    /// With --engine lee: store all positions within this many moves of solved, 0 to 8 [default: 7]
    #[arg(long, value_name = "MOVES", value_parser = whole_number::<u8>(0..=8))]
    d_back: Option<u8>,
    /// With --engine lee: the depth of the forward spaces of a position, 1 to 7 [default: 5]
    #[arg(long, value_name = "MOVES", value_parser = whole_number::<u8>(1..=7))]
    d_for: Option<u8>,
    /// With --engine lee: give up on a position once this many states are stored [default: 50000000]
    #[arg(long, value_name = "COUNT", value_parser = whole_number::<u32>(1..=4_000_000_000))]
    states: Option<u32>,
}

impl LeeArgs {
    /// Whether any of them is given.
    fn are_given(&self) -> bool {
        self.d_back.is_some() || self.d_for.is_some() || self.states.is_some()
    }

    /// Lee's search. The partial problems see as far back as the stored positions go, seven moves at most. Fails on
    /// cancellation.
    fn engine(&self, lab: &Lab<'_>) -> Result<Lee, LabError> {
        let d_back = self.d_back.unwrap_or(7);
        let d_for = ForwardDepth::of(self.d_for.unwrap_or(5));
        let states = self.states.map_or(AstarSettings::default().states, u64::from);
        let settings = AstarSettings { states, ..AstarSettings::default() };
        Lee::new(Perimeter::new(d_back, lab)?, d_back.min(7), Some(d_for), settings, lab)
    }
}

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// The search of this program
    Cosette,
    /// Korf's IDA* with pattern databases, 1997
    Korf,
    /// Fiat and others' bidirectional search that stores no frontier, 1989
    Fiat,
    /// Reid's search along three axes, 1997
    Reid,
    /// Lee's bidirectional A* over the positions near solved, 2013; one solution, up to about 13 moves
    Lee,
    /// Thistlethwaite's four stages of 1981: fast, not the shortest
    Thistlethwaite,
    /// Kociemba's two-phase search of 1992: good solutions; --max-length is its target, --timeout its time
    Twophase,
}

impl EngineArgs {
    /// The name of the engine, if it is one of the lab. Ends the command if it cannot do what is asked of it.
    pub fn of_lab(&self, args: &RequestArgs) -> Option<&'static str> {
        if self.engine != EngineName::Lee && self.lee.are_given() {
            usage("--d-back, --d-for and --states are for --engine lee");
        }
        if self.engine == EngineName::Cosette {
            return None;
        }
        if args.solver.names_table() || args.solver.memory.is_some() {
            usage("--table and --memory are for the engine cosette; the other engines have their own tables");
        }
        let request = args.request(None);
        if request.goal().is_ok_and(|goal| goal.is_some()) {
            usage("--engine is for the whole cube and turns of faces");
        }
        if request.metric != TurnMetric::Htm && !matches!(self.engine, EngineName::Fiat | EngineName::Reid) {
            usage("this engine does not support --metric qtm");
        }
        let only_one = matches!(self.engine, EngineName::Lee | EngineName::Thistlethwaite | EngineName::Twophase);
        if only_one && request.to_find() != SolutionCount::ONE {
            usage("--all, -n, --prefer and --explain ask for several solutions; this engine finds one");
        }
        Some(self.engine.name())
    }

    /// The engine with its tables in memory. Fails if it has no table to solve with, or on interruption.
    pub fn open(&self, args: &RequestArgs) -> Result<Box<dyn Engine>, Failure> {
        let (solver, request) = (&args.solver, args.request(None));
        Ok(match self.engine {
            EngineName::Cosette => Box::new(solver.solver()?),
            EngineName::Korf => Box::new(in_lab(solver, |lab| Korf::new(lab, &SIX))?),
            EngineName::Fiat => Box::new(Fiat::new(request.metric_of_faces())),
            EngineName::Lee => Box::new(in_lab(solver, |lab| self.lee.engine(lab))?),
            EngineName::Reid => Box::new(in_lab(solver, |lab| Reid::new(lab, request.metric_of_faces()))?),
            EngineName::Thistlethwaite => Box::new(Thistlethwaite::get()),
            EngineName::Twophase => Box::new(Kociemba { target: two_phase_target(&request), time: None }),
        })
    }
}

impl EngineName {
    /// Its name as an argument.
    fn name(self) -> &'static str {
        match self {
            EngineName::Cosette => "cosette",
            EngineName::Korf => "korf",
            EngineName::Fiat => "fiat",
            EngineName::Reid => "reid",
            EngineName::Lee => "lee",
            EngineName::Thistlethwaite => "thistlethwaite",
            EngineName::Twophase => "twophase",
        }
    }
}

/// Makes an engine with its tables, under a bar.
fn in_lab<T>(args: &SolverArgs, make: impl FnOnce(&Lab<'_>) -> Result<T, LabError>) -> Result<T, Failure> {
    lab::in_lab(&args.store.resolve()?, make)
}

/// A length that is good enough: the one asked for; with a time limit, as short as that time allows; otherwise God's number.
fn two_phase_target(request: &Request) -> u8 {
    let default = if request.timeout.is_some() { 0 } else { Metric::Htm.diameter() };
    request.max_length.unwrap_or(default)
}
