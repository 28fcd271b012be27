//! The engine that solves: the search of this program, or one of the systems that founded the field.

use crate::lab;
use clap::{Args, ValueEnum};
use cosette::goal::TurnMetric;
use cosette::search::SolutionCount;
use cosette_app::cli::args::{RequestArgs, SolverArgs, usage, whole_number};
use cosette_app::cli::failure::Failure;
use cosette_app::engine::Engine;
use cosette_app::request::Request;
use cosette_lab::error::LabError;
use cosette_lab::fiat::Fiat;
use cosette_lab::kociemba::Kociemba;
use cosette_lab::korf::edges::EdgeSet;
use cosette_lab::korf::{Korf, SEVEN, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::lee::BackwardSpace;
use cosette_lab::lee::absence::HashedSpace;
use cosette_lab::lee::partial::problem::ForwardDepth;
use cosette_lab::lee::perimeter::Perimeter;
use cosette_lab::lee::search::{AstarSettings, Lee};
use cosette_lab::manhattan::{Heuristic, Manhattan};
use cosette_lab::reid::Reid;
use cosette_lab::thistlethwaite::Thistlethwaite;
use std::time::Duration;

/// The engine, and options of some.
#[derive(Args)]
pub struct EngineArgs {
    /// The engine that solves
    #[arg(long, value_enum, default_value_t = EngineName::Cosette, value_name = "NAME")]
    engine: EngineName,
    /// With --engine korf: the pattern databases, of the eight corners and of two sets of six or seven edges; 8 is the corners alone
    /// [default: 8+6+6]
    #[arg(long, value_enum, value_name = "CUBIES")]
    databases: Option<KorfDatabases>,
    #[command(flatten)]
    lee: LeeArgs,
}

/// Korf's pattern databases by how many cubies each has.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum KorfDatabases {
    /// The corners: 44 MB
    #[value(name = "8")]
    Corners,
    /// The corners and twice six edges: 87 MB, as the paper's
    #[default]
    #[value(name = "8+6+6")]
    Six,
    /// The corners and twice seven edges: 555 MB, generated within minutes
    #[value(name = "8+7+7")]
    Seven,
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
    /// With --engine lee: where the positions near solved are: by symmetry classes in memory, or all of them in files that are asked
    /// through a hashing scheme, as in the paper (2 GB for seven moves, written within minutes) [default: memory]
    #[arg(long, value_enum, value_name = "WHERE")]
    perimeter: Option<PerimeterPlace>,
}

/// Where Lee's search has the positions near solved.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PerimeterPlace {
    Memory,
    Disk,
}

impl LeeArgs {
    /// Whether any of them is given.
    fn are_given(&self) -> bool {
        self.d_back.is_some() || self.d_for.is_some() || self.states.is_some() || self.perimeter.is_some()
    }

    /// Lee's search. The partial problems see as far back as the stored positions go, seven moves at most. Fails on
    /// cancellation.
    fn engine(&self, lab: &Lab<'_>) -> Result<Lee, LabError> {
        let d_back = self.d_back.unwrap_or(7);
        let d_for = ForwardDepth::of(self.d_for.unwrap_or(5));
        let states = self.states.map_or(AstarSettings::default().states, u64::from);
        let settings = AstarSettings { states, ..AstarSettings::default() };
        let perimeter: Box<dyn BackwardSpace> = match self.perimeter {
            Some(PerimeterPlace::Disk) => Box::new(HashedSpace::in_lab(lab, d_back)?),
            _ => Box::new(Perimeter::new(d_back, lab)?),
        };
        Lee::new(perimeter, d_back.min(7), Some(d_for), settings, lab)
    }
}

impl KorfDatabases {
    /// The sets of edges.
    fn sets(self) -> &'static [EdgeSet] {
        match self {
            KorfDatabases::Corners => &[],
            KorfDatabases::Six => &SIX,
            KorfDatabases::Seven => &SEVEN,
        }
    }
}

/// How long two-phase search improves its solution, where nothing is said of that.
const TWO_PHASE_TIME: Duration = Duration::from_secs(1);

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// The search of this program
    Cosette,
    /// Korf's IDA* with pattern databases, 1997
    Korf,
    /// IDA* with a bound of the Manhattan type, which Korf tried first; up to about 12 moves
    Manhattan,
    /// Fiat and others' bidirectional search that stores no frontier, 1989
    Fiat,
    /// Reid's search along three axes, 1997
    Reid,
    /// Lee's bidirectional A* over the positions near solved, 2013; one solution, up to about 13 moves
    Lee,
    /// Thistlethwaite's four stages of 1981: fast, not the shortest
    Thistlethwaite,
    /// Kociemba's two-phase search of 1992: good solutions; it improves them for a second, or for the time that --timeout gives,
    /// and ends with one as short as --max-length
    Twophase,
}

impl EngineArgs {
    /// The name of the engine, if it is one of the lab. Ends the command if it cannot do what is asked of it.
    pub fn of_lab(&self, args: &RequestArgs) -> Option<&'static str> {
        if self.engine != EngineName::Lee && self.lee.are_given() {
            usage("--d-back, --d-for, --states and --perimeter are for --engine lee");
        }
        if self.engine != EngineName::Korf && self.databases.is_some() {
            usage("--databases is for --engine korf");
        }
        if self.engine == EngineName::Cosette {
            return None;
        }
        if args.solver.names_table() || args.solver.memory.is_some() {
            usage(
                "--table and --memory (or COSETTE_TABLE and COSETTE_MEMORY) are for the engine cosette; the others have their own tables",
            );
        }
        let request = args.request(None);
        if request.goal().is_ok_and(|goal| goal.is_some()) {
            usage("--engine is for the whole cube and turns of faces");
        }
        let has_both = matches!(self.engine, EngineName::Fiat | EngineName::Manhattan | EngineName::Reid);
        if request.metric != TurnMetric::Htm && !has_both {
            usage("this engine does not support --metric qtm (or COSETTE_METRIC)");
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
            EngineName::Korf => {
                Box::new(in_lab(solver, |lab| Korf::new(lab, self.databases.unwrap_or_default().sets()))?)
            }
            EngineName::Manhattan => Box::new(Manhattan::new(Heuristic::Larger, request.metric_of_faces())),
            EngineName::Fiat => Box::new(Fiat::new(request.metric_of_faces())),
            EngineName::Lee => Box::new(in_lab(solver, |lab| self.lee.engine(lab))?),
            EngineName::Reid => Box::new(in_lab(solver, |lab| Reid::new(lab, request.metric_of_faces()))?),
            EngineName::Thistlethwaite => Box::new(Thistlethwaite::get()),
            EngineName::Twophase => Box::new(two_phase(&request)),
        })
    }
}

impl EngineName {
    /// Its name as an argument.
    fn name(self) -> &'static str {
        match self {
            EngineName::Cosette => "cosette",
            EngineName::Korf => "korf",
            EngineName::Manhattan => "manhattan",
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

/// Two-phase search to a length that is good enough, if one is asked for; otherwise for the time that is given, or a second.
fn two_phase(request: &Request) -> Kociemba {
    let is_limited = request.max_length.is_some() || request.timeout.is_some();
    Kociemba { target: request.max_length.unwrap_or(0), time: (!is_limited).then_some(TWO_PHASE_TIME) }
}
