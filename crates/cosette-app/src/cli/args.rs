//! Options that several subcommands share.

use crate::cli::failure::Failure;
use crate::cli::stderr;
use crate::cli::tables::{self, TableStore};
use crate::remedies::Audience;
use crate::request::{GoalRequest, Request};
pub use crate::units::{
    TableChoice, TableName, bytes, length, seconds, table_choice, threads, whole_number,
};
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, Args, Command};
use cosette::ThreadCount;
use cosette::bench::Instructions;
use cosette::cube::{FaceOrder, Format, Metric};
use cosette::goal::TurnMetric;
use cosette::search::{SolutionCount, Solver};
use cosette::table::choice::{self, MemoryLimit, OpenError};
use cosette::table::{Table, TableFolder, TableId, TableSize};
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The directory of the tables.
#[derive(Args, Debug)]
pub struct FolderArgs {
    /// Directory of the pruning tables [default: $COSETTE_TABLES, or `cosette` in the user's cache
    /// directory]
    #[arg(long = "tables", value_name = "DIR", help_heading = "Resources")]
    path: Option<PathBuf>,
}

impl FolderArgs {
    /// Returns the directory.
    ///
    /// # Errors
    ///
    /// [`OpenError::NoFolder`] if none is given and the system has no cache directory.
    pub fn folder(&self) -> Result<TableFolder, OpenError> {
        let named = self.path.clone().map(TableFolder::new);
        named
            .or_else(TableFolder::user_default)
            .ok_or(OpenError::NoFolder)
    }
}

/// Parses the path of a journal, which is both read and written, so that `-` (a stream) is
/// rejected.
pub fn journal_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("a journal must be a file, not a stream; write ./- for a file named -"),
        false => Ok(path),
    })
}

/// The `--threads` option.
#[derive(Args, Debug)]
pub struct ThreadArgs {
    /// Number of threads [default: all hardware threads]
    #[arg(
        long,
        value_name = "N",
        value_parser = threads,
        env = "COSETTE_THREADS",
        hide_env_values = true,
        help_heading = "Resources",
    )]
    threads: Option<ThreadCount>,
}

impl ThreadArgs {
    /// Returns the number of threads, if one is given.
    pub fn requested(&self) -> Option<ThreadCount> {
        self.threads
    }

    /// Returns the number of threads: the given one, or all hardware threads.
    pub fn count(&self) -> ThreadCount {
        self.threads.unwrap_or_default()
    }
}

/// The directory of the tables and the number of threads that work on them.
#[derive(Args, Debug)]
pub struct StoreArgs {
    /// The number of threads.
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// The directory of the tables.
    #[command(flatten)]
    pub folder: FolderArgs,
}

impl StoreArgs {
    /// Returns the directory and the number of threads.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if the [directory](FolderArgs::folder) is unknown.
    pub fn resolve(&self) -> Result<TableStore, Failure> {
        Ok(TableStore {
            folder: self.folder.folder()?,
            threads: self.threads.count(),
        })
    }
}

/// The `--metric` option of commands that work on tables.
#[derive(Args)]
pub struct MetricArgs {
    /// Metric of the table: htm counts any face turn as one move, qtm a quarter turn [default: the
    /// metric in the name of the table, or htm; `list` and `verify` include both]
    #[arg(
        long,
        value_parser = TableMetricParser,
        ignore_case = true,
        env = "COSETTE_METRIC",
        hide_env_values = true,
    )]
    metric: Option<MetricSource>,
}

/// The requested metric of a table, and its source.
#[derive(Clone, Copy, Debug)]
enum MetricSource {
    /// A metric given on the command line.
    Argument(Metric),
    /// A metric from the environment: the default for table names without a metric. A metric that
    /// only `solve` and `batch` support is ignored.
    Environment(TurnMetric),
}

/// Parser of the metric of a table.
#[derive(Clone)]
struct TableMetricParser;

impl TypedValueParser for TableMetricParser {
    type Value = MetricSource;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<MetricSource, clap::Error> {
        one_of(Metric::ALL, Metric::name)
            .parse_ref(command, arg, value)
            .map(MetricSource::Argument)
    }

    fn parse_ref_(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
        source: ValueSource,
    ) -> Result<MetricSource, clap::Error> {
        match source {
            ValueSource::EnvVariable => {
                let read = one_of(TurnMetric::ALL, TurnMetric::name).parse_ref(command, arg, value);
                read.map(MetricSource::Environment)
            }
            _ => self.parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Metric::ALL.map(|metric| PossibleValue::new(metric.name()));
        Some(Box::new(names.into_iter()))
    }
}

impl MetricArgs {
    /// Returns the metric of the option or of the name of `table`. Ends the command if the two
    /// contradict each other.
    pub fn resolve(&self, table: Option<TableName>) -> Metric {
        let full_name = table.and_then(|name| Some((name.metric?, name.size)));
        match (self.metric, full_name) {
            (Some(MetricSource::Argument(given)), Some((metric, size))) if given != metric => {
                exit_with_usage_error(&format!(
                    "the table {metric}-{size} is for {metric}, but --metric is {given}; remove \
                        one of them"
                ))
            }
            (Some(MetricSource::Argument(given)), _) => given,
            (_, Some((metric, _))) => metric,
            (Some(MetricSource::Environment(default)), _) => {
                default.name().parse().unwrap_or_default()
            }
            (None, None) => Metric::default(),
        }
    }

    /// Returns the table `name`, in the [metric](Self::resolve) of its name or of the option.
    pub fn table(&self, name: TableName) -> TableId {
        TableId {
            metric: self.resolve(Some(name)),
            size: name.size,
        }
    }

    /// Returns the metric, if one is given on the command line.
    pub fn requested(&self) -> Option<Metric> {
        match self.metric {
            Some(MetricSource::Argument(metric)) => Some(metric),
            _ => None,
        }
    }
}

/// Returns the requested metric or the metric in the name of `table`, or an error if the two
/// contradict each other.
fn resolve_metric(given: Option<Metric>, table: Option<TableName>) -> Result<Metric, clap::Error> {
    match (given, table.and_then(|name| name.metric)) {
        (Some(given), Some(of_table)) if given != of_table => Err(usage_error(&format!(
            "the table (--table or COSETTE_TABLE) is for {of_table}, but --metric (or \
                COSETTE_METRIC) is {given}; remove one of them"
        ))),
        (given, of_table) => Ok(given.or(of_table).unwrap_or_default()),
    }
}

/// Bytes of memory that must be free besides the table, so that the tables of the two-phase search
/// are generated while it is loaded.
const SPARE_MEMORY: u64 = 1_000_000_000;

/// Ends the command with a usage error.
pub fn exit_with_usage_error(message: &str) -> ! {
    usage_error(message).exit()
}

/// Returns a usage error with this message.
pub fn usage_error(message: &str) -> clap::Error {
    clap::Error::raw(
        clap::error::ErrorKind::ArgumentConflict,
        format!("{message}\n\nFor more information, try '--help'.\n"),
    )
}

/// The options of a request: input format, search limits, goal, allowed moves and constraints on
/// solutions.
#[derive(Args)]
pub struct RequestArgs {
    /// Input format [default: detected]
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = one_of(Format::ALL, Format::name),
        help_heading = "Input",
    )]
    input_format: Option<Format>,
    /// Order of the faces in 54 facelets, e.g. ULFRBD; mark a rotated face with +, 2 or ', e.g.
    /// UL'FR+B2D [default: URFDLB]
    #[arg(
        long,
        value_name = "ORDER",
        value_parser = str::parse::<FaceOrder>,
        help_heading = "Input",
    )]
    face_order: Option<FaceOrder>,
    /// Read parentheses as NISS: in `SCRAMBLE A (B) C`, B is applied to the inverse scramble, A and
    /// C to the normal one
    #[arg(long, help_heading = "Input")]
    niss: bool,
    /// Find all shortest solutions
    ///
    /// Symmetric solutions are included. Solutions that differ only in the order of commuting moves
    /// (R L and L R) or in moves about one axis with the same effect (R2 r and R' M') count as one.
    #[arg(long, conflicts_with = "count", help_heading = "Solutions")]
    all: bool,
    /// Find at most COUNT shortest solutions
    #[arg(
        short = 'n',
        long,
        value_name = "COUNT",
        value_parser = whole_number::<NonZeroUsize>(1..=u64::MAX),
        help_heading = "Solutions",
    )]
    count: Option<NonZeroUsize>,
    /// Stop once all solutions of up to LENGTH moves are ruled out; a known solution of LENGTH + 1
    /// moves is then proven shortest
    #[arg(long, value_name = "LENGTH", value_parser = length, help_heading = "Search")]
    max_length: Option<u8>,
    /// Stop the search of a position after SECONDS, not counting the time to load the table; a
    /// batch with a journal tries the position again in the next run
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Search")]
    timeout: Option<Duration>,
    /// Find all shortest solutions and print one that is also shortest in METRIC
    #[arg(
        long,
        value_name = "METRIC",
        value_parser = one_of(Metric::ALL, Metric::name),
        ignore_case = true,
        conflicts_with_all = ["all", "count"],
        help_heading = "Solutions",
    )]
    prefer: Option<Metric>,
    /// Describe the position: its symmetries, its order, and common features of all its shortest
    /// solutions (implies --all)
    #[arg(long, conflicts_with_all = ["count", "prefer"], help_heading = "Solutions")]
    explain: bool,
    /// Goal to reach instead of the solved cube, e.g. cross, f2l, 2x2x2:DLF, 'UF UR URF', or
    /// another position
    ///
    /// Named goals: cross, xcross, 2x2x2, 2x2x3, 1x2x3, blocks, f2l, f2l-1, oll, eo, eoline,
    /// eocross, dr, htr, corners, edges, layer, auf, solved. Add a variant after a colon
    /// (cross:D, 2x2x2:DLF, eo:FB); without one, all variants are tried, and those reached by the
    /// shortest solutions are printed.
    ///
    /// Pieces: 'UF UR URF' must be solved; '{UF UR}' may be swapped among their slots; placed(UF
    /// UR) ignores orientation; oriented(edges) ignores position. In a goal of 54 facelets, a dot
    /// matches any color.
    ///
    /// Names are case-insensitive and take precedence over positions and pieces: F2L is the goal
    /// f2l, and DR is domino reduction; write {DR} for the edge, or DR in a list of pieces.
    #[arg(long, value_name = "GOAL", help_heading = "Goal")]
    goal: Option<String>,
    /// Allowed moves, e.g. 'R U F2 r M'; a letter alone allows all its turns [default: face turns;
    /// in stm and qstm also slices; in etm all moves]
    #[arg(long, value_name = "MOVES", help_heading = "Goal")]
    moves: Option<String>,
    /// Override the cost of individual moves, e.g. 'R2=2 B=3'
    #[arg(long, value_name = "COSTS", help_heading = "Goal")]
    costs: Option<String>,
    /// With --all or -n, also find solutions up to LENGTH moves longer than the shortest
    #[arg(
        long,
        value_name = "LENGTH",
        default_value_t = 0,
        hide_default_value = true,
        help_heading = "Solutions"
    )]
    slack: u32,
    /// Only find solutions that begin with MOVES, e.g. 'R U'
    #[arg(long, value_name = "MOVES", help_heading = "Solutions")]
    starts_with: Option<String>,
    /// Only find solutions that end with MOVES, e.g. U
    #[arg(long, value_name = "MOVES", help_heading = "Solutions")]
    ends_with: Option<String>,
    /// Exclude solutions that contain any of these comma-separated sequences, e.g. 'F2, R L'
    #[arg(long, value_name = "SEQUENCES", help_heading = "Solutions")]
    avoid: Option<String>,
    /// Print one solution of each class that is equivalent under KIND: symmetry, inverse, or
    /// symmetry,inverse
    #[arg(long, value_name = "KIND", help_heading = "Solutions")]
    unique_up_to: Option<String>,
    /// The options of the solver.
    #[command(flatten)]
    pub solver: SolverArgs,
}

impl RequestArgs {
    /// Returns the request. Ends the command if the arguments contradict each other.
    pub fn request(&self) -> Request {
        let &RequestArgs {
            input_format: format,
            face_order,
            niss,
            all,
            count,
            max_length,
            timeout,
            prefer,
            explain,
            slack,
            ..
        } = self;
        let count = match count {
            _ if all => SolutionCount::All,
            Some(count) => SolutionCount::AtMost(count),
            None => SolutionCount::ONE,
        };
        Request {
            position: None,
            metric: self.solver.turn_metric(),
            goal: self.goal.clone(),
            moves: self.moves.clone(),
            costs: self.costs.clone(),
            slack,
            starts_with: self.starts_with.clone(),
            ends_with: self.ends_with.clone(),
            avoid: self.avoid.clone(),
            unique_up_to: self.unique_up_to.clone(),
            format,
            face_order,
            niss,
            count,
            max_length,
            timeout,
            prefer,
            explain,
            optimal_moves: false,
            list_length: None,
        }
    }

    /// Validates the combination of arguments, and parses the goal.
    ///
    /// # Errors
    ///
    /// Returns a usage error if arguments conflict, or if the goal, the moves or the constraints
    /// are invalid.
    pub fn check(&self) -> Result<Option<GoalRequest>, clap::Error> {
        self.solver.check()?;
        let request = self.request();
        request
            .validate()
            .and_then(|()| request.parse_goal())
            .map_err(|refused| usage_error(&refused.message_for(Audience::Command)))
    }

    /// Checks that none of these `options`, which do not apply to the requested goal, is given.
    /// Each has its name, and `true` if it is given.
    ///
    /// # Errors
    ///
    /// Returns a usage error for the first option that is given.
    pub fn check_options_of_cube(&self, options: &[(&str, bool)]) -> Result<(), clap::Error> {
        let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given) else {
            return Ok(());
        };
        let cause = self.request().field_of_goal().replace('_', "-");
        let remedy = match *option {
            "--solution-format" => {
                " (for several scrambles of a position, see `cosette scramble --case`)"
            }
            _ => "",
        };
        Err(usage_error(&format!(
            "{option} applies only to shortest full solves with face turns, not to a search with \
                --{cause}; remove \
             {option} or --{cause}{remedy}"
        )))
    }

    /// Validates the arguments of a command that supports only full solves with face turns.
    ///
    /// # Errors
    ///
    /// The errors of [`check`](Self::check), and a usage error if there is a goal.
    pub fn check_has_no_goal(&self) -> Result<(), clap::Error> {
        match self.check()? {
            Some(_) => Err(usage_error(
                "goals, custom moves, costs and solution filters are not supported by MPI jobs; \
                    use `cosette`",
            )),
            None => Ok(()),
        }
    }

    /// Loads a table of the full cube, for goals that constrain all pieces.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if a table is missing, or on interruption.
    pub fn table_of_goals(&self) -> Result<Arc<Table>, Failure> {
        let metric = self.solver.turn_metric().face_metric();
        self.solver.open_for(metric).map(Arc::new)
    }

    /// Returns `true` if `--explain` is given.
    pub fn is_explained(&self) -> bool {
        self.explain
    }
}

/// Returns a `value_parser` that reads one of `all` by its name. With clap's `ignore_case`, the
/// name may be in upper or lower case.
pub fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(name)).map(move |given| {
        let named = all
            .into_iter()
            .find(|&one| name(one).eq_ignore_ascii_case(&given));
        named.expect("the parser accepts only these names")
    })
}

/// Returns the parser of the choice of a table, with the names that a shell completes.
fn table_choice_parser() -> impl TypedValueParser<Value = TableChoice> {
    let auto = std::iter::once("auto".to_owned());
    WithCompletions::new(table_choice, auto.chain(table_names()))
}

/// Returns the names of all tables, without and with their metric.
pub fn table_names() -> impl Iterator<Item = String> {
    TableSize::ALL
        .into_iter()
        .map(|size| size.name().to_owned())
        .chain(TableId::all().map(|id| id.to_string()))
}

/// A parser of names, with the names that a shell completes.
#[derive(Clone)]
pub struct WithCompletions<P> {
    parser: P,
    names: Vec<String>,
}

impl<P> WithCompletions<P> {
    /// Creates a parser that reads values like `parser` and offers `names` for completion.
    pub fn new(parser: P, names: impl IntoIterator<Item = String>) -> WithCompletions<P> {
        WithCompletions {
            parser,
            names: names.into_iter().collect(),
        }
    }
}

impl<P: TypedValueParser> TypedValueParser for WithCompletions<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().cloned().map(PossibleValue::new)))
    }
}

/// The options of a solver: metric, table, memory, threads and directory.
#[derive(Args)]
pub struct SolverArgs {
    /// Metric, which defines one move: htm, qtm; for `solve` and `batch` also stm, qstm, etm
    /// [default: htm]
    ///
    /// htm: any turn of a face; qtm: a quarter turn of a face; stm: any turn of a face, wide layer
    /// or slice; qstm: a quarter turn of a face, wide layer or slice; etm: any move, including
    /// rotations. Tables exist for htm and qtm.
    #[arg(
        long,
        value_parser = one_of(TurnMetric::ALL, TurnMetric::name),
        ignore_case = true,
        hide_possible_values = true,
        env = "COSETTE_METRIC",
        hide_env_values = true,
        help_heading = "Search",
    )]
    metric: Option<TurnMetric>,
    /// Pruning table to use; auto picks the best one on disk that fits in memory, or generates one
    #[arg(
        long,
        value_name = "NAME",
        default_value = "auto",
        env = "COSETTE_TABLE",
        hide_env_values = true,
        value_parser = table_choice_parser(),
        hide_possible_values = true,
        help_heading = "Resources",
    )]
    table: TableChoice,
    /// Maximum memory for the table, e.g. 2G or 500M [default: free memory]
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = bytes,
        allow_hyphen_values = true,
        env = "COSETTE_MEMORY",
        hide_env_values = true,
        help_heading = "Resources",
    )]
    pub memory: Option<u64>,
    /// The number of threads and the directory of the tables.
    #[command(flatten)]
    pub store: StoreArgs,
}

impl SolverArgs {
    /// Checks that the metric and the table do not contradict each other.
    ///
    /// # Errors
    ///
    /// Returns a usage error if the metric and the table contradict each other.
    pub fn check(&self) -> Result<(), clap::Error> {
        resolve_metric(self.metric.map(TurnMetric::face_metric), self.table).map(drop)
    }

    /// Returns the metric of moves: the given one, or else the metric of the table.
    pub fn turn_metric(&self) -> TurnMetric {
        self.metric
            .unwrap_or_else(|| self.require_table_metric().into())
    }

    /// Returns the metric of the table. Ends the command if the given metric has no tables, or if
    /// the arguments contradict each other.
    pub fn require_table_metric(&self) -> Metric {
        let metric = self.metric.unwrap_or_default();
        if metric != metric.face_metric().into() {
            exit_with_usage_error(&format!(
                "--metric {} (or COSETTE_METRIC) is only for `solve` and `batch`; use htm or qtm, \
                    for which there are tables",
                metric.name()
            ));
        }
        resolve_metric(self.metric.map(TurnMetric::face_metric), self.table)
            .unwrap_or_else(|contradiction| contradiction.exit())
    }

    /// Returns `true` if a table is given.
    pub fn names_table(&self) -> bool {
        self.table.is_some()
    }

    /// Returns the table, if one is given.
    pub fn table(&self) -> Option<TableId> {
        self.table.map(|name| TableId {
            metric: self.require_table_metric(),
            size: name.size,
        })
    }

    /// Loads the table to solve with.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if a table is missing, or on interruption.
    pub fn open(&self) -> Result<Table, Failure> {
        self.open_for(self.require_table_metric())
    }

    /// Loads the table to solve with in `metric`, which may differ from the metric of moves.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if a table is missing, or on interruption.
    pub fn open_for(&self, metric: Metric) -> Result<Table, Failure> {
        let store = self.store.resolve()?;
        let memory = MemoryLimit::now(self.memory);
        let requested = self.table.map(|name| TableId {
            metric,
            size: name.size,
        });
        let choice = choice::choose(&store.folder, metric, requested, memory)?;
        if memory.available > choice.id.size.bytes() + SPARE_MEMORY {
            tables::start_two_phase_tables();
        }
        let table = store.open(choice)?;
        if let Some(better) = choice.better.filter(|_| stderr::is_watched()) {
            tables::recommend(better, choice.id, &store);
        }
        Ok(table)
    }

    /// Returns a solver with the [loaded table](Self::open).
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if a table is missing, or on interruption.
    pub fn solver(&self) -> Result<Solver, Failure> {
        let table = self.open()?;
        let threads = self.store.threads.count();
        let instructions = Instructions::best().name();
        tracing::info!(table = %table.id(), %threads, instructions, "solving");
        Ok(Solver::new(Arc::new(table), threads))
    }
}
