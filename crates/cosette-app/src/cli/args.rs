//! Options that several subcommands share.

use crate::cli::failure::Failure;
use crate::cli::stderr;
use crate::cli::tables::{self, Store, Users};
use crate::remedies::Audience;
use crate::request::{Request, Wanted};
pub use crate::words::{TableChoice, TableName, bytes, length, seconds, table_choice, threads, whole_number};
use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::parser::ValueSource;
use clap::{Arg, Args, Command};
use cosette::ThreadCount;
use cosette::bench::Instructions;
use cosette::cube::{FaceOrder, Format, Metric};
use cosette::goal::TurnMetric;
use cosette::search::{SolutionCount, Solver};
use cosette::table::choice::{self, MemoryLimit, OpenError, default_folder};
use cosette::table::{Table, TableFolder, TableId, TableSize};
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where the tables are.
#[derive(Args, Debug)]
pub struct FolderArgs {
    /// The folder of the tables [default: $COSETTE_TABLES, or `cosette` in the user's cache folder]
    #[arg(long = "tables", value_name = "DIR")]
    path: Option<PathBuf>,
}

impl FolderArgs {
    /// The folder. Fails if none is given and the system has no folder for caches.
    pub fn folder(&self) -> Result<TableFolder, OpenError> {
        let path = self.path.clone().or_else(default_folder).ok_or(OpenError::NoFolder)?;
        Ok(TableFolder::new(path))
    }
}

/// Reads the path of a journal, which is read and written, so it is not a stream.
pub fn journal_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("a journal is a file: name one, or write ./- if that is its name"),
        false => Ok(path),
    })
}

/// The number of threads.
#[derive(Args, Debug)]
pub struct ThreadArgs {
    /// The number of threads [default: as many as the machine runs at once]
    #[arg(long, value_name = "N", value_parser = threads, env = "COSETTE_THREADS", hide_env_values = true)]
    threads: Option<ThreadCount>,
}

impl ThreadArgs {
    /// The number of threads, if one is given.
    pub fn asked(&self) -> Option<ThreadCount> {
        self.threads
    }

    /// The number of threads.
    pub fn count(&self) -> ThreadCount {
        self.threads.unwrap_or_default()
    }
}

/// A folder of tables, and the threads that work on them.
#[derive(Args, Debug)]
pub struct StoreArgs {
    /// The number of threads.
    #[command(flatten)]
    pub threads: ThreadArgs,
    /// Where the tables are.
    #[command(flatten)]
    pub folder: FolderArgs,
}

impl StoreArgs {
    /// The folder and the threads. Fails if there is no [folder](FolderArgs::folder).
    pub fn resolve(&self) -> Result<Store, Failure> {
        Ok(Store { folder: self.folder.folder()?, threads: self.threads.count() })
    }
}

/// The metric.
#[derive(Args)]
pub struct MetricArgs {
    /// What counts as one move: any turn of a face (htm) or a quarter of a turn (qtm) [default: that of the table's name, or htm; `list` and `verify` take both]
    #[arg(long, value_parser = MetricOfTables, ignore_case = true, env = "COSETTE_METRIC", hide_env_values = true)]
    metric: Option<AskedMetric>,
}

/// The metric of a table, as it is asked for.
#[derive(Clone, Copy, Debug)]
enum AskedMetric {
    /// On the command line.
    Argument(Metric),
    /// In the environment: the one of names that say none. It may also be one that is for `solve` and `batch`, and says nothing of tables.
    Environment(TurnMetric),
}

/// Reads the metric of a table.
#[derive(Clone)]
struct MetricOfTables;

impl TypedValueParser for MetricOfTables {
    type Value = AskedMetric;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<AskedMetric, clap::Error> {
        one_of(Metric::ALL, Metric::name).parse_ref(command, arg, value).map(AskedMetric::Argument)
    }

    fn parse_ref_(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
        source: ValueSource,
    ) -> Result<AskedMetric, clap::Error> {
        match source {
            ValueSource::EnvVariable => {
                let read = one_of(TurnMetric::ALL, TurnMetric::name).parse_ref(command, arg, value);
                read.map(AskedMetric::Environment)
            }
            _ => self.parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Metric::ALL.map(|metric| PossibleValue::new(metric.name())).into_iter()))
    }
}

impl MetricArgs {
    /// The metric, which the name of a table may also give. Ends the command if they contradict each other.
    pub fn with(&self, table: Option<TableName>) -> Metric {
        match (self.metric, table) {
            (Some(AskedMetric::Argument(asked)), Some(TableName { metric: Some(of_table), size }))
                if asked != of_table =>
            {
                usage(&format!("the table {of_table}-{size} is for {of_table}, but --metric is {asked}"))
            }
            (Some(AskedMetric::Argument(asked)), _) => asked,
            (_, Some(TableName { metric: Some(of_table), .. })) => of_table,
            (Some(AskedMetric::Environment(usual)), _) => usual.name().parse().unwrap_or_default(),
            (None, _) => Metric::default(),
        }
    }

    /// The table of this name, in the metric of the name or else this one.
    pub fn table(&self, name: TableName) -> TableId {
        TableId { metric: self.with(Some(name)), size: name.size }
    }

    /// The metric, if one is given on the command line.
    pub fn asked(&self) -> Option<Metric> {
        match self.metric {
            Some(AskedMetric::Argument(metric)) => Some(metric),
            _ => None,
        }
    }
}

/// The metric that is asked for, which the name of a table may also give. Fails if they contradict each other.
fn agreed(asked: Option<Metric>, table: Option<TableName>) -> Result<Metric, clap::Error> {
    match (asked, table.and_then(|name| name.metric)) {
        (Some(asked), Some(of_table)) if asked != of_table => Err(misuse(&format!(
            "the table (--table or COSETTE_TABLE) is for {of_table}, but --metric (or COSETTE_METRIC) is {asked}"
        ))),
        (asked, of_table) => Ok(asked.or(of_table).unwrap_or_default()),
    }
}

/// With this much memory left besides the table, the tables of the two-phase search are generated while it is loaded.
const PLENTY: u64 = 1_000_000_000;

/// Ends the command because its arguments contradict each other.
pub fn usage(message: &str) -> ! {
    misuse(message).exit()
}

/// The error of arguments that contradict each other.
pub fn misuse(message: &str) -> clap::Error {
    clap::Error::raw(
        clap::error::ErrorKind::ArgumentConflict,
        format!("{message}\n\nFor more information, try '--help'.\n"),
    )
}

/// How positions are read, and what is requested of each.
#[derive(Args)]
pub struct RequestArgs {
    /// The format of the positions [default: recognised]
    #[arg(long, value_parser = one_of(Format::ALL, Format::name))]
    format: Option<Format>,
    /// The order in which the faces of 54 facelets are given, for example ULFRBD; a face that is given turned has a mark, as in
    /// UL'FR+B2D [default: URFDLB]
    #[arg(long, value_name = "ORDER", value_parser = str::parse::<FaceOrder>)]
    face_order: Option<FaceOrder>,
    /// Read round brackets as moves on the inverse, as in the notes of an attempt at fewest moves: `SCRAMBLE A (B) C` is the
    /// position that is left to solve after A and C on the scramble and B on its inverse
    #[arg(long)]
    niss: bool,
    /// Find all shortest solutions, symmetric ones included; those that differ only in the order of turns of opposite faces
    /// count once, and so do turns of layers about one axis that do the same together, as R2 r and R' M'
    #[arg(long, conflicts_with = "count")]
    all: bool,
    /// Find at most this many of the shortest solutions
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = whole_number::<NonZeroUsize>(1..=u64::MAX))]
    count: Option<NonZeroUsize>,
    /// Give up on a position once all lengths up to this are ruled out; a known solution that is one move longer is then proven
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    max_length: Option<u8>,
    /// Give up on a position after this time, counted once the table is in memory; a batch with a journal tries it again in the
    /// next run
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    /// Find all shortest solutions and print one that is also shortest in this metric
    #[arg(long, value_name = "METRIC", value_parser = one_of(Metric::ALL, Metric::name), ignore_case = true, conflicts_with_all = ["all", "count"])]
    prefer: Option<Metric>,
    /// Print what is special about the position: its symmetries, its order, what its shortest solutions have in common; finds
    /// all solutions, like --all
    #[arg(long, conflicts_with_all = ["count", "prefer"])]
    explain: bool,
    /// Find the shortest way to a part of the cube, or to another position: cross, xcross, 2x2x2, 2x2x3, 1x2x3, blocks, f2l, f2l-1, oll,
    /// eo, eoline, eocross, dr, htr, corners, edges, last-layer, auf, with a place as in cross:D or 2x2x2:DLF; pieces, as in 'UF UR URF';
    /// moves or facelets
    ///
    /// Without a place, every place is tried, and those of the shortest solutions are shown. Pieces in braces may be exchanged,
    /// placed(UF UR) asks only for their places and oriented(edges) only that they are not turned; 54 facelets may have dots
    /// where the colour does not matter. Names may be in any case, and come before positions and pieces: F2L is the goal f2l, and DR
    /// the subgroup; the edge is {DR}, or DR in a list of pieces.
    #[arg(long, value_name = "GOAL")]
    to: Option<String>,
    /// The turns that are allowed, as in 'R U F2 r M'; a name without a number stands for all its turns [default: all turns of
    /// faces; in stm and qstm those of slices too, in etm any]
    #[arg(long, value_name = "TURNS")]
    moves: Option<String>,
    /// What turns cost, where not as the metric counts them, as in 'R2=2 B=3'
    #[arg(long, value_name = "COSTS")]
    cost: Option<String>,
    /// With --all or -n: also find solutions that are longer than the shortest, by up to this
    #[arg(long, value_name = "LENGTH", default_value_t = 0, hide_default_value = true)]
    slack: u32,
    /// Only solutions that begin with these turns
    #[arg(long, value_name = "TURNS")]
    starts: Option<String>,
    /// Only solutions that end with these turns
    #[arg(long, value_name = "TURNS")]
    ends: Option<String>,
    /// Only solutions that have none of these sequences in them, separated by commas, as in 'F2, R L'
    #[arg(long, value_name = "SEQUENCES")]
    avoid: Option<String>,
    /// Of solutions that are the same up to symmetry, inverse or both (symmetry,inverse), show one
    #[arg(long, value_name = "WHAT")]
    up_to: Option<String>,
    /// What a solver needs.
    #[command(flatten)]
    pub solver: SolverArgs,
}

impl RequestArgs {
    /// What is asked, of an engine of the lab if one is named. Ends the command if the arguments contradict each other.
    pub fn request(&self, engine: Option<&'static str>) -> Request {
        let &RequestArgs { format, face_order, niss, all, count, max_length, timeout, prefer, explain, slack, .. } =
            self;
        let count = match count {
            _ if all => SolutionCount::All,
            Some(count) => SolutionCount::AtMost(count),
            None => SolutionCount::ONE,
        };
        Request {
            metric: self.solver.turn_metric(),
            to: self.to.clone(),
            moves: self.moves.clone(),
            cost: self.cost.clone(),
            slack,
            starts: self.starts.clone(),
            ends: self.ends.clone(),
            avoid: self.avoid.clone(),
            up_to: self.up_to.clone(),
            format,
            face_order,
            niss,
            count,
            max_length,
            timeout,
            prefer,
            explain,
            optimal_moves: false,
            engine,
        }
    }

    /// Checks that the arguments go together, and reads the goal. Fails if they do not, or if it cannot be read.
    pub fn check(&self) -> Result<Option<Wanted>, clap::Error> {
        self.solver.check()?;
        let request = self.request(None);
        request.check().and_then(|()| request.goal()).map_err(|refused| misuse(&refused.worded(Audience::Command)))
    }

    /// The error that this option does not apply to the goal that is requested.
    pub fn misuse_with_goal(&self, option: &str) -> clap::Error {
        let cause = self.request(None).field_of_goal().replace('_', "-");
        let remedy = match option {
            "--as" => " (for several scrambles of a position, see `cosette scramble --case`)",
            _ => "",
        };
        misuse(&format!(
            "{option} applies only to the shortest solutions of the whole cube with turns of faces, and --{cause} \
             requests others; leave out {option} or --{cause}{remedy}"
        ))
    }

    /// The same where only whole cubes are solved.
    pub fn check_has_no_goal(&self) -> Result<(), clap::Error> {
        match self.check()? {
            Some(_) => Err(misuse(
                "parts of the cube, and other turns, costs and solutions than the shortest of faces, are for `cosette`, on one machine",
            )),
            None => Ok(()),
        }
    }

    /// A table of the whole cube, for goals of all its pieces. Fails if there is none.
    pub fn table_of_goals(&self) -> Result<Arc<Table>, Failure> {
        Ok(Arc::new(self.solver.open_for(self.solver.turn_metric().of_faces())?))
    }

    /// Whether what is special is told.
    pub fn is_explained(&self) -> bool {
        self.explain
    }
}

/// Reads one of these by its name; an option's `value_parser`.
pub fn one_of<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [T; N],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(name)).map(move |given| {
        let named = all.into_iter().find(|&one| name(one).eq_ignore_ascii_case(&given));
        named.expect("the parser accepts only these names")
    })
}

/// The names of all tables, with their metric and without.
pub fn table_names() -> impl Iterator<Item = String> {
    TableSize::ALL.into_iter().map(|size| size.name().to_owned()).chain(TableId::all().map(|id| id.to_string()))
}

/// A parser of names, and the names that a shell completes.
#[derive(Clone)]
pub struct Completed<P> {
    parser: P,
    names: Vec<String>,
}

impl<P> Completed<P> {
    /// A parser, and the names that it is good to know.
    pub fn new(parser: P, names: impl IntoIterator<Item = String>) -> Completed<P> {
        Completed { parser, names: names.into_iter().collect() }
    }
}

impl<P: TypedValueParser> TypedValueParser for Completed<P> {
    type Value = P::Value;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<P::Value, clap::Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().cloned().map(PossibleValue::new)))
    }
}

/// What a solver needs.
#[derive(Args)]
pub struct SolverArgs {
    /// What counts as one move: any turn of a face (htm) or a quarter of a turn (qtm); for `solve` and `batch` also any turn of
    /// layers (stm), a quarter of it (qstm), any turn, those of the whole cube too (etm) [default: htm]
    #[arg(
        long, value_parser = one_of(TurnMetric::ALL, TurnMetric::name), ignore_case = true, hide_possible_values = true, env = "COSETTE_METRIC",
        hide_env_values = true
    )]
    metric: Option<TurnMetric>,
    /// The table to solve with: auto takes the best one on disk that fits in memory, or generates one
    #[arg(
        long, value_name = "NAME", default_value = "auto", env = "COSETTE_TABLE", hide_env_values = true,
        value_parser = Completed::new(table_choice, std::iter::once("auto".to_owned()).chain(table_names())),
        hide_possible_values = true
    )]
    table: TableChoice,
    /// The most memory that the table may use, as in 2G or 500M [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_hyphen_values = true, env = "COSETTE_MEMORY", hide_env_values = true)]
    pub memory: Option<u64>,
    /// The threads, and where the tables are.
    #[command(flatten)]
    pub store: StoreArgs,
}

impl SolverArgs {
    /// Makes sure that the metric and the table do not contradict each other. Fails if they do not.
    pub fn check(&self) -> Result<(), clap::Error> {
        agreed(self.metric.map(TurnMetric::of_faces), self.table).map(drop)
    }

    /// The metric, which the name of a table may give.
    pub fn turn_metric(&self) -> TurnMetric {
        self.metric.unwrap_or_else(|| self.metric().into())
    }

    /// The metric of the table. Ends the command if the arguments contradict each other.
    pub fn metric(&self) -> Metric {
        if let Some(metric) = self.metric.filter(|&metric| metric != metric.of_faces().into()) {
            usage(&format!(
                "--metric {} (or COSETTE_METRIC) is for `solve` and `batch`; tables are for htm and qtm",
                metric.name()
            ));
        }
        agreed(self.metric.map(TurnMetric::of_faces), self.table).unwrap_or_else(|contradiction| contradiction.exit())
    }

    /// Whether a table is given.
    pub fn names_table(&self) -> bool {
        self.table.is_some()
    }

    /// The table, if one is given.
    pub fn table(&self) -> Option<TableId> {
        self.table.map(|name| TableId { metric: self.metric(), size: name.size })
    }

    /// The table to solve with, in memory. Fails if there is none, or on interruption.
    pub fn open(&self) -> Result<Table, Failure> {
        self.open_for(self.metric())
    }

    /// The same in this metric, whatever turns are counted.
    pub fn open_for(&self, metric: Metric) -> Result<Table, Failure> {
        let store = self.store.resolve()?;
        let memory = MemoryLimit::now(self.memory);
        let asked = self.table.map(|name| TableId { metric, size: name.size });
        let choice = choice::choose(&store.folder, metric, asked, memory)?;
        if memory.available > choice.id.size.bytes() + PLENTY {
            tables::begin_two_phase();
        }
        let table = store.open(choice, Users::This)?;
        if let Some(better) = choice.better.filter(|_| stderr::is_watched()) {
            tables::recommend(better, choice.id, &store);
        }
        Ok(table)
    }

    /// A solver with this table. Fails if there is no table, or on interruption.
    pub fn solver(&self) -> Result<Solver, Failure> {
        let (table, threads) = (self.open()?, self.store.threads.count());
        tracing::info!(table = %table.id(), %threads, instructions = Instructions::best().name(), "solving");
        Ok(Solver::new(Arc::new(table), threads))
    }
}
