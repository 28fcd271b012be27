//! The engines by name, and the options of single engines.

use crate::experiments::in_lab;
use clap::{Args, ValueEnum};
use cosette::cube::Metric;
use cosette::goal::TurnMetric;
use cosette::search::SolutionCount;
use cosette_app::cli::args::{RequestArgs, exit_with_usage_error, whole_number};
use cosette_app::cli::failure::Failure;
use cosette_app::engine::Engine;
use cosette_app::request::Request;
use cosette_lab::bound_table::DistanceStorage;
use cosette_lab::error::LabError;
use cosette_lab::fiat::Fiat;
use cosette_lab::kociemba::Kociemba;
use cosette_lab::korf::edges::EdgeSet;
use cosette_lab::korf::{self, Korf, SEVEN, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::lee::BackwardSpace;
use cosette_lab::lee::hashed_membership::HashedSpace;
use cosette_lab::lee::partial::problem::ForwardDepth;
use cosette_lab::lee::perimeter::SolvedPerimeter;
use cosette_lab::lee::search::{AstarSettings, Lee};
use cosette_lab::manhattan::{Manhattan, SumCombination};
use cosette_lab::reid::Reid;
use cosette_lab::reid::table::ENTRIES;
use cosette_lab::thistlethwaite::Thistlethwaite;
use std::time::Duration;

/// The `--engine` option, and the options of single engines.
#[derive(Args)]
pub struct EngineArgs {
    /// Solver to use
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Search")]
    engine: EngineName,
    /// Korf's pattern databases (--engine korf): the corners and two sets of six or seven edges; 8
    /// means the corners only [default: 8+6+6]
    #[arg(long, value_enum, value_name = "CUBIES", help_heading = "Engines")]
    databases: Option<KorfDatabases>,
    /// Store distances in four bits, or with the sets of moves that a search may make, which takes
    /// ten times the memory (0.9 GB for korf 8+6+6, 0.7 GB for reid) and is three times as fast or
    /// more (--engine korf, and reid in half turns) [default: move-sets if they take at most half
    /// of the free memory]
    #[arg(long, value_enum, value_name = "WHAT", help_heading = "Engines")]
    distances: Option<StoredDistances>,
    #[command(flatten)]
    lee: LeeArgs,
}

/// Korf's pattern databases, named by the number of cubies in each.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum KorfDatabases {
    /// Corners only: 44 MB
    #[value(name = "8")]
    Corners,
    /// Corners and two sets of six edges, as in the paper: 87 MB
    #[default]
    #[value(name = "8+6+6")]
    Six,
    /// Corners and two sets of seven edges: 555 MB, generated within minutes
    #[value(name = "8+7+7")]
    Seven,
}

/// The storage of distances by the engines korf and reid.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StoredDistances {
    FourBits,
    MoveSets,
}

/// The options of the engine lee.
#[derive(Args)]
struct LeeArgs {
    /// Store all positions within MOVES of solved, 0 to 8 (--engine lee) [default: 7]
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = whole_number::<u8>(0..=8),
        help_heading = "Engines",
    )]
    d_back: Option<u8>,
    /// Depth of the forward spaces of a position, 1 to 7 (--engine lee) [default: 5]
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = whole_number::<u8>(1..=7),
        help_heading = "Engines",
    )]
    d_for: Option<u8>,
    /// Give up on a position after storing COUNT states (--engine lee) [default: 50000000]
    #[arg(
        long,
        value_name = "COUNT",
        value_parser = whole_number::<u32>(1..=4_000_000_000),
        help_heading = "Engines",
    )]
    states: Option<u32>,
    /// Where to store positions near solved (--engine lee): one per symmetry class in memory, or
    /// all of them on disk with the hashing scheme of the paper (2 GB for seven moves, written
    /// within minutes) [default: memory]
    #[arg(long, value_enum, value_name = "WHERE", help_heading = "Engines")]
    perimeter: Option<PerimeterPlace>,
}

/// The storage of the positions near solved in Lee's search.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PerimeterPlace {
    Memory,
    Disk,
}

impl LeeArgs {
    /// Returns `true` if any of these options is given.
    fn are_given(&self) -> bool {
        self.d_back.is_some()
            || self.d_for.is_some()
            || self.states.is_some()
            || self.perimeter.is_some()
    }

    /// Returns Lee's search. The partial problems reach back as far as the stored positions, at
    /// most seven moves. Returns an error on cancellation.
    fn engine(&self, lab: &Lab<'_>) -> Result<Lee, LabError> {
        let d_back = self.d_back.unwrap_or(7);
        let d_for = ForwardDepth::of(self.d_for.unwrap_or(5));
        let states = self
            .states
            .map_or(AstarSettings::default().states, u64::from);
        let settings = AstarSettings {
            states,
            ..AstarSettings::default()
        };
        let perimeter: Box<dyn BackwardSpace> = match self.perimeter {
            Some(PerimeterPlace::Disk) => Box::new(HashedSpace::in_lab(lab, d_back)?),
            _ => Box::new(SolvedPerimeter::new(d_back, lab)?),
        };
        Lee::new(perimeter, d_back.min(7), Some(d_for), settings, lab)
    }
}

impl KorfDatabases {
    /// Returns the sets of edges.
    fn sets(self) -> &'static [EdgeSet] {
        match self {
            KorfDatabases::Corners => &[],
            KorfDatabases::Six => &SIX,
            KorfDatabases::Seven => &SEVEN,
        }
    }
}

/// Time for which two-phase search improves its solution, without `--timeout` and `--max-length`.
const TWO_PHASE_TIME: Duration = Duration::from_secs(1);

/// The names of the engines.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EngineName {
    /// Korf 1997: IDA* with pattern databases
    Korf,
    /// IDA* with a Manhattan-distance heuristic, which Korf tried first; up to about 12 moves
    Manhattan,
    /// Fiat et al. 1989: bidirectional search without a stored frontier
    Fiat,
    /// Reid 1997: IDA* with coset distances along three axes
    Reid,
    /// Lee 2013: bidirectional A* over the positions near solved; one solution, up to about 13
    /// moves
    Lee,
    /// Thistlethwaite 1981: four stages; fast, not optimal
    Thistlethwaite,
    /// Kociemba 1992: two-phase algorithm; not optimal. Improves its solution for one second, or
    /// until --timeout, and stops early at --max-length
    TwoPhase,
}

impl EngineArgs {
    /// Ends the command if the engine does not support the request.
    pub fn check(&self, args: &RequestArgs) {
        if self.engine != EngineName::Lee && self.lee.are_given() {
            exit_with_usage_error(
                "--d-back, --d-for, --states and --perimeter apply only to --engine lee; add it \
                    or remove them",
            );
        }
        if self.engine != EngineName::Korf && self.databases.is_some() {
            exit_with_usage_error(
                "--databases applies only to --engine korf; add it or remove --databases",
            );
        }
        let may_choose = match self.engine {
            EngineName::Korf => true,
            EngineName::Reid => args.request().metric == TurnMetric::Htm,
            _ => false,
        };
        if self.distances.is_some() && !may_choose {
            exit_with_usage_error(
                "--distances applies only to --engine korf and, in half turns, to --engine reid; \
                    remove it",
            );
        }
        if args.solver.names_table() || args.solver.memory.is_some() {
            exit_with_usage_error(
                "--table and --memory (or COSETTE_TABLE and COSETTE_MEMORY) apply only to \
                    `cosette`; remove them: these engines have their own tables",
            );
        }
        let request = args.request();
        if request.parse_goal().is_ok_and(|goal| goal.is_some()) {
            exit_with_usage_error(
                "these engines support only full solves with face turns; remove the goal options",
            );
        }
        let has_both = matches!(
            self.engine,
            EngineName::Fiat | EngineName::Manhattan | EngineName::Reid
        );
        if request.metric != TurnMetric::Htm && !has_both {
            exit_with_usage_error(
                "this engine does not support --metric qtm (or COSETTE_METRIC); use htm",
            );
        }
        let only_one = matches!(
            self.engine,
            EngineName::Lee | EngineName::Thistlethwaite | EngineName::TwoPhase
        );
        if only_one && request.effective_count() != SolutionCount::ONE {
            exit_with_usage_error(
                "--all, -n, --prefer and --explain need several solutions, but this engine finds \
                    only one; remove them",
            );
        }
    }

    /// Returns the storage of tables with this many entries in all.
    fn storage(&self, metric: Metric, entries: usize) -> DistanceStorage {
        match self.distances {
            None => DistanceStorage::for_long_search(metric, entries),
            Some(StoredDistances::FourBits) => DistanceStorage::FourBits,
            Some(StoredDistances::MoveSets) => DistanceStorage::MoveSets,
        }
    }

    /// Returns the engine with its tables in memory.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if its tables cannot be generated or read, or on interruption.
    pub fn open(&self, args: &RequestArgs) -> Result<Box<dyn Engine>, Failure> {
        let request = args.request();
        let store = args.solver.store.resolve()?;
        Ok(match self.engine {
            EngineName::Korf => {
                let sets = self.databases.unwrap_or_default().sets();
                let storage = self.storage(Metric::Htm, korf::entries(sets));
                Box::new(in_lab(&store, |lab| {
                    Korf::with_storage(lab, sets, storage)
                })?)
            }
            EngineName::Manhattan => Box::new(Manhattan::new(
                SumCombination::Larger,
                request.face_metric(),
            )),
            EngineName::Fiat => Box::new(Fiat::new(request.face_metric())),
            EngineName::Lee => Box::new(in_lab(&store, |lab| self.lee.engine(lab))?),
            EngineName::Reid => {
                let metric = request.face_metric();
                let storage = self.storage(metric, ENTRIES);
                Box::new(in_lab(&store, |lab| {
                    Reid::with_storage(lab, metric, storage)
                })?)
            }
            EngineName::Thistlethwaite => Box::new(Thistlethwaite::get()),
            EngineName::TwoPhase => Box::new(two_phase(&request)),
        })
    }
}

/// Returns a two-phase search that stops at the length of `--max-length`, if given; otherwise after
/// `--timeout`, or one second.
fn two_phase(request: &Request) -> Kociemba {
    let is_limited = request.max_length.is_some() || request.timeout.is_some();
    Kociemba {
        target: request.max_length.unwrap_or(0),
        time: (!is_limited).then_some(TWO_PHASE_TIME),
    }
}
