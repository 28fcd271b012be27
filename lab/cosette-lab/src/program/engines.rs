//! The engines by name, and the options of single engines.

use crate::experiments::in_lab;
use crate::solve::unit;
use clap::{Args, ValueEnum};
use cosette::cube::{Cube, Edge, Metric};
use cosette::goal::TurnMetric;
use cosette::search::SolutionCount;
use cosette_app::cli::args::{RequestArgs, exit_with_usage_error, whole_number};
use cosette_app::cli::failure::Failure;
use cosette_app::cli::solve::SharedSolveArgs;
use cosette_app::cli::stderr::{hint, tell};
use cosette_app::cli::tables::TableStore;
use cosette_app::engine::Engine;
use cosette_app::request::Request;
use cosette_lab::bound_table::DistanceStorage;
use cosette_lab::deepening::{LoggedEngine, OnLength};
use cosette_lab::error::LabError;
use cosette_lab::fiat::Fiat;
use cosette_lab::ida::IdaEngine;
use cosette_lab::kociemba::Kociemba;
use cosette_lab::korf::edges::EdgeSet;
use cosette_lab::korf::{self, Korf, SEVEN, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::lee::heuristic::{PartialBound, PartialProblem, opposite_faces, pair};
use cosette_lab::lee::search::{AstarSettings, Lee, OnBounds, TieOrder};
use cosette_lab::lee::states::BackwardSpace;
use cosette_lab::lee::stored::{Method, Scheme, StoredPerimeter};
use cosette_lab::lee::{Perimeter, WITHIN};
use cosette_lab::long_search::IdaSolver;
use cosette_lab::manhattan::{Manhattan, SumCombination};
use cosette_lab::reid::table::ENTRIES;
use cosette_lab::reid::{CosetCount, Reid};
use cosette_lab::space;
use cosette_lab::thistlethwaite::Thistlethwaite;
use serde_json::json;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// The `--engine` option, and the options of single engines.
#[derive(Args)]
#[command(next_help_heading = "Engines")]
pub struct EngineArgs {
    /// Solver to use
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Search")]
    engine: EngineName,
    /// Korf's pattern databases (--engine korf): the corners and two sets of six or seven edges; 8
    /// means the corners only [default: 8+6+6]
    #[arg(long, value_enum, value_name = "CUBIES")]
    databases: Option<KorfDatabases>,
    /// Edges of Korf's pattern databases (--engine korf): one set or two, of six or seven edges
    /// each, such as "UR UF UL UB FR FL; DR DF DL DB BR BL"
    #[arg(long, value_name = "SETS", conflicts_with = "databases")]
    edges: Option<EdgeSets>,
    /// Storage of distances (--engine korf and reid). In half turns, move-sets takes ten times the
    /// memory of four-bits (0.9 GB for korf 8+6+6, 0.7 GB for reid) and is about ten times as
    /// fast; mod-three applies to reid [default: move-sets if they take at most half of the free
    /// memory]
    #[arg(long, value_enum, value_name = "WHAT")]
    distances: Option<DistanceStorage>,
    #[command(flatten)]
    reid: ReidArgs,
    #[command(flatten)]
    lee: Option<LeeArgs>,
}

/// The options of the engine reid.
#[derive(Args)]
#[command(next_help_heading = "Engines")]
struct ReidArgs {
    /// Search equivalent first moves too if the position is symmetric (--engine reid)
    #[arg(long)]
    no_symmetry: bool,
    /// Count three equal distances other than zero as one more, which they prove (--engine reid)
    #[arg(long)]
    raise_equal: bool,
}

/// Sets of edges on the command line.
#[derive(Clone)]
struct EdgeSets(Vec<EdgeSet>);

impl FromStr for EdgeSets {
    type Err = String;

    fn from_str(text: &str) -> Result<EdgeSets, String> {
        let edge = |name: &str| {
            let is_named = |edge: &Edge| edge.to_string().eq_ignore_ascii_case(name);
            Edge::ALL.into_iter().find(is_named)
        };
        let set = |text: &str| {
            let edges: Option<Vec<Edge>> = text.split_whitespace().map(edge).collect();
            EdgeSet::new(&edges?)
        };
        let sets: Option<Vec<EdgeSet>> = text.split(';').map(set).collect();
        let sets = sets.filter(|sets| sets.len() <= korf::MAX_SETS);
        sets.map(EdgeSets).ok_or_else(|| {
            let edges = names(&Edge::ALL, " ");
            format!("write one or two sets of six or seven different edges; the edges are {edges}")
        })
    }
}

/// Joins names.
fn names(items: &[impl ToString], separator: &str) -> String {
    let names: Vec<String> = items.iter().map(ToString::to_string).collect();
    names.join(separator)
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

/// The options of the engine lee.
#[derive(Args, Default)]
#[command(next_help_heading = "Engines")]
struct LeeArgs {
    /// Store all positions within MOVES of solved, 0 to 8 (--engine lee) [default: 7]
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = whole_number::<u8>(0..=8),
    )]
    d_back: Option<u8>,
    /// Depth of the forward spaces of a position, 1 to 7 (--engine lee) [default: 5]
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = whole_number::<u8>(1..=7),
    )]
    d_for: Option<u8>,
    /// Give up on a position after storing COUNT states (--engine lee) [default: 50000000]
    #[arg(
        long,
        value_name = "COUNT",
        value_parser = whole_number::<u32>(1..=4_000_000_000),
    )]
    states: Option<u32>,
    /// Where to store positions near solved (--engine lee): one per symmetry class in memory, or
    /// all of them on disk with the hashing scheme of the paper (2 GB for seven moves, written
    /// within minutes) [default: memory]
    #[arg(long, value_enum, value_name = "WHERE")]
    perimeter: Option<PerimeterPlace>,
    /// Pairs of faces whose facelets bound the moves left, by the paper's numbers, the order of the
    /// default net: 0 U, 1 L, 2 F, 3 R, 4 B, 5 D; the paper's choice is 0-1,2-3,3-5. Flips of edges
    /// are not seen (--engine lee) [default: the three pairs of opposite faces, with flips]
    #[arg(
        long,
        value_name = "PAIRS",
        value_delimiter = ',',
        value_parser = face_pair,
    )]
    pairs: Vec<[usize; 2]>,
    /// The bound on the moves left: by forward spaces of the position, or only by the positions
    /// near solved, where all that is beyond five or seven moves counts six or eight (--engine
    /// lee) [default: forward]
    #[arg(long, value_enum, value_name = "NAME")]
    heuristic: Option<HeuristicName>,
    /// Which of equal positions comes first: the oldest (queue) or the newest (stack), or the one
    /// that heu6 or heu8 prefers and then the oldest or the newest (--engine lee) [default: stack]
    #[arg(long, value_enum, value_name = "RULE")]
    ties: Option<TieRule>,
    /// Method of the paper, 1 to 4, by which stored positions are looked up (--perimeter disk)
    /// [default: 2]
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = whole_number::<u8>(1..=4),
    )]
    hash_method: Option<u8>,
    /// Number of buckets of the hashing scheme, e.g. 100000000 (--perimeter disk) [default: as many
    /// as positions]
    #[arg(
        long,
        value_name = "COUNT",
        value_parser = whole_number::<u32>(1..=4_000_000_000),
    )]
    buckets: Option<u32>,
    /// Print the bound of each pair of faces for a position before it is searched (--engine lee)
    #[arg(long)]
    bounds: bool,
}

/// The storage of the positions near solved in Lee's search.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PerimeterPlace {
    Memory,
    Disk,
}

/// The bound of Lee's search.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum HeuristicName {
    Forward,
    Heu6,
    Heu8,
}

/// The tie-breaking rules of Lee's search.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TieRule {
    Queue,
    Stack,
    Heu6Queue,
    Heu6Stack,
    Heu8Queue,
    Heu8Stack,
}

impl TieRule {
    /// Returns the order, and the maximum of the bound that comes before it.
    fn parts(self) -> (TieOrder, Option<u8>) {
        match self {
            TieRule::Queue => (TieOrder::Queue, None),
            TieRule::Stack => (TieOrder::Stack, None),
            TieRule::Heu6Queue => (TieOrder::Queue, Some(6)),
            TieRule::Heu6Stack => (TieOrder::Stack, Some(6)),
            TieRule::Heu8Queue => (TieOrder::Queue, Some(8)),
            TieRule::Heu8Stack => (TieOrder::Stack, Some(8)),
        }
    }
}

/// Parses a pair of the paper's faces: 0-1.
fn face_pair(text: &str) -> Result<[usize; 2], String> {
    let face = |text: &str| text.parse::<usize>().ok().filter(|&face| face < 6);
    text.split_once('-')
        .and_then(|(first, second)| Some([face(first)?, face(second)?]))
        .filter(|[first, second]| first != second)
        .ok_or_else(|| {
            "write pairs of two different faces by their numbers, 0 to 5: 0-1,2-3,3-5".into()
        })
}

impl LeeArgs {
    /// Ends the command if the options do not go together.
    fn check(&self) {
        let hashes = self.hash_method.is_some() || self.buckets.is_some();
        if hashes && self.perimeter != Some(PerimeterPlace::Disk) {
            exit_with_usage_error(
                "--hash-method and --buckets apply only to --perimeter disk; add it or remove them",
            );
        }
        let has_forward = matches!(self.heuristic, None | Some(HeuristicName::Forward));
        if self.d_for.is_some() && !has_forward {
            exit_with_usage_error("--d-for applies only to --heuristic forward; remove it");
        }
    }

    /// Returns Lee's search. The partial problems reach back as far as the stored positions, at
    /// most seven moves. Returns an error on cancellation.
    fn engine(&self, lab: &Lab<'_>) -> Result<Lee, LabError> {
        let d_back = self.d_back.unwrap_or(7);
        let bound = match self.heuristic {
            Some(HeuristicName::Heu6) => PartialBound::HEU6,
            Some(HeuristicName::Heu8) => PartialBound::HEU8,
            _ => PartialBound::Informed(self.d_for.unwrap_or(5)),
        };
        let defaults = AstarSettings::default();
        let (order, tie_bound) = self.ties.unwrap_or(TieRule::Stack).parts();
        let settings = AstarSettings {
            states: self.states.map_or(defaults.states, u64::from),
            order,
            tie_bound,
            ..defaults
        };
        let perimeter: Box<dyn Perimeter> = match self.perimeter {
            Some(PerimeterPlace::Disk) => {
                let method = self.hash_method.unwrap_or(2);
                let method = Method::ALL[usize::from(method) - 1];
                let positions = WITHIN[usize::from(d_back)];
                let buckets = self.buckets.map_or(positions, u64::from);
                let scheme = Scheme {
                    d_back,
                    method,
                    buckets,
                };
                Box::new(StoredPerimeter::in_lab(lab, scheme)?)
            }
            _ => Box::new(BackwardSpace::perimeter(d_back, lab)?),
        };
        let backward = d_back.min(7);
        let selections = if self.pairs.is_empty() {
            opposite_faces().into()
        } else {
            self.pairs.iter().copied().map(pair).collect::<Vec<_>>()
        };
        let names = if self.pairs.is_empty() {
            vec!["U-D".to_owned(), "R-L".to_owned(), "F-B".to_owned()]
        } else {
            self.pairs
                .iter()
                .map(|[first, second]| format!("{first}-{second}"))
                .collect()
        };
        Ok(Lee {
            perimeter,
            problems: PartialProblem::all(&selections, backward, bound, lab)?,
            bound,
            settings,
            on_bounds: self.bounds.then(|| print_bounds(names)),
        })
    }
}

/// Returns a callback that prints the bound of each pair of faces, and the largest.
fn print_bounds(names: Vec<String>) -> OnBounds {
    Box::new(move |bounds| {
        for (name, bound) in names.iter().zip(bounds) {
            tell(format_args!("h by {name}: {bound}"));
        }
        let largest = bounds.iter().max().copied().unwrap_or_default();
        tell(format_args!("h: {largest}"));
    })
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
    /// Reid 1997: IDA* with coset distances along three axes. Also named nargolkar: Nargolkar 2006
    /// searches so, on one processor; on several with `cosette-lab-mpi nargolkar`
    #[value(alias = "nargolkar")]
    Reid,
    /// Lee 2013: bidirectional A* over the positions near solved; one solution, up to about 13
    /// moves
    Lee,
    /// Thistlethwaite 1981: four stages; fast, not optimal
    Thistlethwaite,
    /// Kociemba 1992: two-phase algorithm; not optimal. Improves its solution for one second, or
    /// until --timeout, and stops early at --max-length. Also named kociemba
    #[value(alias = "kociemba")]
    TwoPhase,
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value().expect("every engine has a name");
        f.write_str(value.get_name())
    }
}

/// The log and the journal of the searches of an engine.
pub struct SolveRecord<'a> {
    /// The receiver of the work for each length, if it is logged.
    pub on_length: Option<OnLength>,
    /// The path of the journal, if there is one.
    pub journal: Option<&'a Path>,
    /// The first position.
    pub position: &'a Cube,
    /// `true` if the log is JSON Lines.
    pub is_json: bool,
}

impl SolveRecord<'_> {
    /// Returns an engine without a journal.
    fn of(&self, engine: impl Engine + 'static) -> Box<dyn Engine> {
        match self.on_length {
            Some(on_length) => Box::new(LoggedEngine { engine, on_length }),
            None => Box::new(engine),
        }
    }

    /// Returns an engine with its journal, and prints the point from which the search resumes.
    fn of_ida<E: IdaEngine + 'static>(
        &self,
        engine: E,
        count: SolutionCount,
    ) -> Result<Box<dyn Engine>, Failure> {
        let mut engine = IdaSolver::new(engine, self.on_length);
        if let Some(path) = self.journal
            && let Some(resume_point) = engine.record(path, self.position, count)?
        {
            hint(format_args!(
                "resuming from {}: {resume_point}",
                path.display()
            ));
        }
        Ok(Box::new(engine))
    }
}

impl EngineArgs {
    /// Ends the command if the engine does not support the request, the journal or the log.
    pub fn check(&self, shared: &SharedSolveArgs, is_logged: bool) {
        use EngineName::{Fiat, Korf, Lee, Manhattan, Reid};
        let args = &shared.request;
        let request = args.request();
        let is_mod_three = self.distances == Some(DistanceStorage::ModThree);
        let lee_options = "each of --d-back, --d-for, --states, --perimeter, --pairs, --heuristic, \
            --ties, --hash-method, --buckets and --bounds";
        let of_engines: [(bool, &str, &[EngineName]); 9] = [
            (self.lee.is_some(), lee_options, &[Lee]),
            (self.databases.is_some(), "--databases", &[Korf]),
            (self.edges.is_some(), "--edges", &[Korf]),
            (self.distances.is_some(), "--distances", &[Korf, Reid]),
            (is_mod_three, "--distances mod-three", &[Reid]),
            (self.reid.no_symmetry, "--no-symmetry", &[Reid]),
            (self.reid.raise_equal, "--raise-equal", &[Reid]),
            (is_logged, "--log", &[Korf, Manhattan, Fiat, Reid, Lee]),
            (
                shared.journal.is_some(),
                "--journal",
                &[Korf, Manhattan, Reid],
            ),
        ];
        for (is_given, options, engines) in of_engines {
            if is_given && !engines.contains(&self.engine) {
                exit_with_usage_error(&format!(
                    "{options} applies only to --engine {}; remove it, or choose such an engine",
                    names(engines, ", ")
                ));
            }
        }
        self.lee.iter().for_each(LeeArgs::check);
        let is_in_half_turns = request.metric == TurnMetric::Htm;
        if self.distances == Some(DistanceStorage::MoveSets) && !is_in_half_turns {
            exit_with_usage_error("--distances move-sets applies only in half turns; remove it");
        }
        if args.solver.names_table() || args.solver.memory.is_some() {
            exit_with_usage_error(
                "--table and --memory (or COSETTE_TABLE and COSETTE_MEMORY) apply only to \
                    `cosette`; remove them: these engines have their own tables",
            );
        }
        if request.parse_goal().is_ok_and(|goal| goal.is_some()) {
            exit_with_usage_error(
                "these engines support only full solves, in half or quarter turns; remove the options of \
                    goals, moves, other metrics and longer solutions",
            );
        }
        let has_both = matches!(self.engine, Fiat | Manhattan | Reid);
        if !is_in_half_turns && !has_both {
            exit_with_usage_error(
                "this engine does not support --metric qtm (or COSETTE_METRIC); use htm",
            );
        }
        let finds_several = matches!(self.engine, Korf | Fiat | Manhattan | Reid);
        if !finds_several && request.effective_count() != SolutionCount::ONE {
            exit_with_usage_error(
                "--all, -n, --prefer and --explain need several solutions, but this engine finds \
                    only one; remove them",
            );
        }
    }

    /// Returns the storage of tables with this many entries in all.
    fn storage(&self, metric: Metric, entries: usize) -> DistanceStorage {
        self.distances
            .unwrap_or_else(|| DistanceStorage::for_long_search(metric, entries))
    }

    /// Returns the sets of edges of Korf's databases.
    fn edge_sets(&self) -> &[EdgeSet] {
        match &self.edges {
            Some(EdgeSets(sets)) => sets,
            None => self.databases.unwrap_or_default().sets(),
        }
    }

    /// Returns the engine with its tables in memory.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if its tables cannot be generated or read, if the journal cannot be
    /// used, or on interruption.
    pub fn open(
        &self,
        args: &RequestArgs,
        record: &SolveRecord<'_>,
    ) -> Result<Box<dyn Engine>, Failure> {
        let request = args.request();
        let metric = request.face_metric();
        let count = request.effective_count();
        let store = args.solver.store.resolve()?;
        match self.engine {
            EngineName::Korf => {
                let sets = self.edge_sets();
                let storage = self.storage(metric, korf::entries(sets));
                let korf = in_lab(&store, |lab| Korf::with_storage(lab, sets, storage))?;
                record.of_ida(korf, count)
            }
            EngineName::Manhattan => {
                record.of_ida(Manhattan::new(SumCombination::Larger, metric), count)
            }
            EngineName::Reid => self.open_reid(&store, metric, count, record),
            EngineName::Fiat => Ok(record.of(Fiat::new(metric))),
            EngineName::Lee => {
                let defaults = LeeArgs::default();
                let lee = self.lee.as_ref().unwrap_or(&defaults);
                Ok(record.of(in_lab(&store, |lab| lee.engine(lab))?))
            }
            EngineName::Thistlethwaite => Ok(Box::new(Thistlethwaite::get())),
            EngineName::TwoPhase => Ok(Box::new(two_phase(&request))),
        }
    }

    /// Returns Reid's engine; prints its table first if the search is logged as text.
    fn open_reid(
        &self,
        store: &TableStore,
        metric: Metric,
        count: SolutionCount,
        record: &SolveRecord<'_>,
    ) -> Result<Box<dyn Engine>, Failure> {
        let ReidArgs {
            no_symmetry,
            raise_equal,
        } = self.reid;
        let storage = self.storage(metric, ENTRIES);
        if storage == DistanceStorage::ModThree {
            let mut reid = in_lab(store, |lab| Reid::mod_three(lab, metric, raise_equal))?;
            reid.by_symmetry = !no_symmetry;
            return record.of_ida(reid, count);
        }
        let reid = in_lab(store, |lab| {
            let mut reid = Reid::with_storage(lab, metric, storage)?;
            reid.raise_equal(raise_equal);
            reid.by_symmetry = !no_symmetry;
            if record.on_length.is_some() {
                let counts = reid.coset_counts(&lab.control)?;
                match record.is_json {
                    true => log_cosets_as_json(&counts),
                    false => log_cosets(metric, &counts),
                }
            }
            Ok(reid)
        })?;
        record.of_ida(reid, count)
    }
}

/// Prints the cosets by distance in the manner of Reid's program, in brackets the entries of the
/// table, with the distance from which it is generated backward.
fn log_cosets(metric: Metric, counts: &[CosetCount]) {
    tell("distance\tpositions\t(quotient)");
    let mut reached = 0;
    let mut is_forward = true;
    for (distance, count) in counts.iter().enumerate() {
        if is_forward && !space::is_forward(reached, ENTRIES) {
            tell("switching to backward searching");
            is_forward = false;
        }
        let distance = format!("{distance}{}", unit(metric));
        tell(format_args!(
            "{distance}\t{}\t({})",
            count.positions, count.entries
        ));
        reached += count.entries;
    }
}

/// Prints the cosets by distance, a JSON object for each.
fn log_cosets_as_json(counts: &[CosetCount]) {
    for (distance, count) in counts.iter().enumerate() {
        let line = json!({
            "distance": distance, "cosets": count.positions, "entries": count.entries,
        });
        tell(line);
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
