//! `cosette dataset`: positions with proven lengths, as .npz, .parquet, .csv or .jsonl.

use clap::{ArgGroup, Args};
use cosette::Control;
use cosette::cube::{FaceletLayout, ParseOptions, SymmetryClass, parse_position};
use cosette_app::batch::PositionList;
use cosette_app::cli::args::{SolverArgs, one_of, whole_number};
use cosette_app::cli::batch::report;
use cosette_app::cli::cosets;
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::lines;
use cosette_app::cli::stderr::{StepBar, hint, tell};
use cosette_app::cli::tables::with_progress;
use cosette_app::dataset::{
    Dataset, DatasetError, DatasetFormat, MAX_WALK_LENGTH, PositionSource, Shard, card_path,
    default_distance, journal_path,
};
use cosette_app::remedies::split_help;
use cosette_app::request::Request;
use cosette_app::units::counted;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Generate a data set of positions with their proven lengths: .npz, .parquet, .csv or .jsonl
///
/// Positions are uniformly random by default. The same arguments give the same positions on any
/// machine, however often the command is interrupted: finished rows are stored in FILE.journal
/// until the set is complete.
///
/// The data card FILE.md describes the contents of FILE and how it was generated. With --shard 3/64
/// the command generates the third of 64 shards, so that many machines can generate one set.
#[derive(Args)]
#[command(
    group = ArgGroup::new("source").args([
        "walks",
        "distance",
        "all_at_distance",
        "positions",
        "symmetry",
        "coset",
    ]),
)]
pub struct DatasetArgs {
    /// File to write; its extension chooses the format: .npz, .csv, .jsonl, or .parquet (only in
    /// released programs and in builds with the feature `parquet`)
    #[arg(value_name = "FILE", value_parser = file_of_known_format)]
    file: PathBuf,
    /// Number of rows of the whole set, i.e. of all shards; optional with --all-at-distance (N
    /// random positions instead of all) and --positions (the first N of the list)
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        required_unless_present_any = ["all_at_distance", "positions"],
        value_parser = whole_number::<u64>(0..=1_000_000_000),
        help_heading = "Positions",
    )]
    rows: Option<u64>,
    /// Random seed
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        value_parser = whole_number::<u64>(0..=u64::MAX),
        help_heading = "Positions",
    )]
    seed: u64,
    /// Positions after random walks of MOVES face turns, cycling through the lengths, e.g. 1-14 or
    /// 4,8; half turns count as one in either metric
    #[arg(long, value_name = "MOVES", value_parser = walk_lengths, help_heading = "Positions")]
    walks: Option<WalkLengths>,
    // The lower limits of distances are checked with the data set, whose errors explain them.
    /// Random positions exactly MOVES from solved
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = whole_number::<u8>(0..=26),
        help_heading = "Positions",
    )]
    distance: Option<u8>,
    /// All positions exactly MOVES from solved, up to 6
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = whole_number::<u8>(0..=26),
        help_heading = "Positions",
    )]
    all_at_distance: Option<u8>,
    /// Positions of the file LIST, one per line; - reads standard input
    #[arg(long, value_name = "LIST", help_heading = "Positions")]
    positions: Option<PathBuf>,
    /// Random positions fixed by exactly the symmetries of CLASS, e.g. Th or "C2v (a1)"; the lab's
    /// page of symmetric positions lists the 33 classes
    #[arg(long, value_name = "CLASS", help_heading = "Positions")]
    symmetry: Option<SymmetryClass>,
    /// Random positions of the coset of POSITION (see `cosette coset`), with exact distances and
    /// without solutions; needs 5.7 GB of memory
    #[arg(long, value_name = "POSITION", help_heading = "Positions")]
    coset: Option<String>,
    /// With --coset, maximum distance of positions, up to 16, or 19 quarter turns [default: 15, or
    /// 18 quarter turns]
    #[arg(
        long,
        value_name = "MOVES",
        requires = "coset",
        value_parser = whole_number::<u8>(0..=26),
        help_heading = "Positions",
    )]
    max_distance: Option<u8>,
    /// Shard to generate, e.g. 3/64
    #[arg(long, value_name = "PART", default_value_t = Shard::WHOLE, help_heading = "Output")]
    shard: Shard,
    /// Layout of facelets, colors and moves in .npz and .parquet, as used by machine-learning
    /// projects; text files use Kociemba's
    #[arg(
        long,
        default_value = "kociemba",
        value_parser = one_of(FaceletLayout::ALL, FaceletLayout::name),
        help_heading = "Output",
    )]
    layout: FaceletLayout,
    /// Also find the first moves of all shortest solutions, and the distances of all positions one
    /// move away
    #[arg(long, help_heading = "Search")]
    optimal_moves: bool,
    #[command(flatten)]
    solver: SolverArgs,
}

/// The lengths of random walks: a type of their own, as clap would read a `Vec` from several
/// values.
#[derive(Clone)]
struct WalkLengths(Vec<usize>);

/// Parses lengths of walks: comma-separated numbers and ranges.
fn walk_lengths(text: &str) -> Result<WalkLengths, String> {
    let invalid = || format!("write numbers of moves up to {MAX_WALK_LENGTH}, such as 1-14 or 4,8");
    let number = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|&length: &usize| length <= MAX_WALK_LENGTH)
            .ok_or_else(invalid)
    };
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = number(first)?..=number(last)?;
        if range.is_empty() {
            Err(invalid())
        } else {
            Ok(range)
        }
    };
    let ranges = text
        .split(',')
        .map(range)
        .collect::<Result<Vec<_>, String>>()?;
    Ok(WalkLengths(ranges.into_iter().flatten().collect()))
}

/// Checks that the extension of the file is that of a known format.
fn file_of_known_format(name: &str) -> Result<PathBuf, String> {
    DatasetFormat::of(Path::new(name))
        .map(|_| name.into())
        .map_err(|unknown| unknown.to_string())
}

/// Runs the subcommand.
pub fn run(args: &DatasetArgs) -> Result<Exit, Failure> {
    let Some(positions) = args.positions()? else {
        return Ok(Exit::NotACube);
    };
    let set = Dataset {
        positions,
        rows: args.rows.unwrap_or(u64::MAX),
        seed: args.seed,
        shard: args.shard,
        metric: args.solver.require_table_metric(),
        layout: args.layout,
        optimal_moves: args.optimal_moves,
    };
    let path = &args.file;
    let set = set.validated().map_err(failed)?;
    if set.is_at(path).map_err(failed)? {
        hint(format_args!(
            "{} already exists with these arguments",
            path.display()
        ));
        return Ok(Exit::Success);
    }
    let row_count = match &set.positions {
        &PositionSource::Coset { of, within } => {
            cosets::check_memory(&args.solver)?;
            let make = |control: &Control<'_>| set.make_coset_file((&of, within), path, control);
            Some(with_progress(args.solver.store.threads.count(), make).map_err(failed)?)
        }
        _ => {
            let solver = args.solver.solver()?;
            let work = Interruptible::start();
            let bar = StepBar::show();
            let follow = &mut |progress| bar.follow("rows", progress);
            set.make_file((&solver, path), &work.cancel, follow)
                .map_err(failed)?
        }
    };
    let Some(rows) = row_count else {
        let journal = journal_path(path);
        tell(format_args!(
            "interrupted; the finished rows are in {}; run the same command again to resume",
            journal.display()
        ));
        return Ok(Exit::Interrupted);
    };
    hint(format_args!(
        "{}: {} with proven lengths in {}; described in {}",
        path.display(),
        counted(rows as u64, "position"),
        set.metric.name(),
        card_path(path).display()
    ));
    Ok(Exit::Success)
}

impl DatasetArgs {
    /// Returns the positions; `None` if a line of the list is not a valid position.
    fn positions(&self) -> Result<Option<PositionSource>, Failure> {
        if let Some(list) = &self.positions {
            let (lines, _) = lines::of_file(list)?;
            let list = PositionList::read(lines, &Request::default());
            report(&list);
            let cubes: Option<Vec<_>> = list
                .entries()
                .iter()
                .map(|entry| Some(entry.input.as_ref().ok()?.cube))
                .collect();
            return Ok(cubes.map(|cubes| PositionSource::Listed(Arc::new(cubes))));
        }
        if let Some(distance) = self.all_at_distance {
            return PositionSource::all_at_distance(distance, self.solver.require_table_metric())
                .map(Some)
                .map_err(failed);
        }
        if let Some(text) = &self.coset {
            let read = |text: &str| parse_position(text, None, &ParseOptions::default());
            let of = InputText::from(text.clone()).read(read)?.cube;
            let within = self
                .max_distance
                .unwrap_or(default_distance(self.solver.require_table_metric()));
            return Ok(Some(PositionSource::Coset { of, within }));
        }
        Ok(Some(if let Some(class) = self.symmetry {
            PositionSource::Symmetric(class)
        } else if let Some(WalkLengths(lengths)) = &self.walks {
            PositionSource::Walks(lengths.clone())
        } else {
            let distance = self.distance.map(PositionSource::Distance);
            distance.unwrap_or(PositionSource::Random)
        }))
    }
}

/// Converts an error of a data set to the failure of the command.
fn failed(error: DatasetError) -> Failure {
    match error {
        DatasetError::Journal(error) => error.into(),
        DatasetError::Coset(error) => cosets::failed(error),
        DatasetError::Refused(why) => {
            let (wrong, help) = split_help(&why);
            Failure::new(wrong, help)
        }
        DatasetError::Write { .. } => Failure::new(
            error.to_string(),
            "free disk space and run the same command again to resume, or use another name",
        ),
        other => Failure::new(other.to_string(), "run the command again"),
    }
}
