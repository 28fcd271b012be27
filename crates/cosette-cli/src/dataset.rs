//! `cosette dataset`: positions with proven lengths, in the files that people load.

use clap::{ArgGroup, Args};
use cosette::Control;
use cosette::cube::{ArrayOrder, ReadOptions, SymmetryClass, read_position};
use cosette_app::batch::List;
use cosette_app::cli::args::{SolverArgs, one_of, whole_number};
use cosette_app::cli::batch::report;
use cosette_app::cli::cosets;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::lines;
use cosette_app::cli::stderr::{Steps, hint, tell};
use cosette_app::cli::tables::with_progress;
use cosette_app::dataset::{
    Dataset, DatasetError, Format, LONGEST_WALK, Positions, Shard, card_path, journal_path, usual_distance,
};
use cosette_app::remedies::halves;
use cosette_app::request::Request;
use cosette_app::words::counted;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Make a file of positions with their proven lengths: .npz, .parquet, .csv or .jsonl
///
/// Positions are uniformly random, unless other ones are asked for. The same arguments give the same positions on any machine, however
/// often the command is stopped: what is done is kept in FILE.journal until all is. Beside FILE, FILE.md says what is in it and how it
/// was made. With --shard 3/64 the command makes the third of 64 parts, so that many machines make one set.
#[derive(Args)]
#[command(group = ArgGroup::new("positions").args(["walks", "distance", "depth", "from", "symmetry", "coset"]))]
pub struct DatasetArgs {
    /// The file, whose name ends in .npz, .parquet, .csv or .jsonl
    #[arg(value_name = "FILE", value_parser = format)]
    file: PathBuf,
    /// The number of rows of the whole set; with --depth and --from all, unless fewer are asked for: random ones of a depth, the first of a list
    #[arg(short = 'n', long, value_name = "N", required_unless_present_any = ["depth", "from"],
          value_parser = whole_number::<u64>(0..=1_000_000_000))]
    rows: Option<u64>,
    /// The random seed
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Positions after random walks of so many turns of faces (half turns as one, in quarter turns too), in turn, as in 1-14 or 4,8
    #[arg(long, value_name = "MOVES", value_parser = walks)]
    walks: Option<Walks>,
    /// Random positions exactly so many moves from solved
    #[arg(long, value_name = "MOVES", value_parser = whole_number::<u8>(0..=26))]
    distance: Option<u8>,
    /// All positions that are so many moves from solved, up to 6
    #[arg(long, value_name = "MOVES", value_parser = whole_number::<u8>(0..=26))]
    depth: Option<u8>,
    /// The positions of this file, one per line; - reads standard input
    #[arg(long, value_name = "LIST")]
    from: Option<PathBuf>,
    /// Random positions that symmetries of this class and no others fix, as in Th or "C2v (a1)"; the lab's page of symmetric positions has
    /// the 33 classes
    #[arg(long, value_name = "CLASS")]
    symmetry: Option<SymmetryClass>,
    /// Random positions of the coset of this position, as of `cosette coset`, with exact distances and without solutions; takes 5.7 GB of memory
    #[arg(long, value_name = "POSITION")]
    coset: Option<String>,
    /// The largest distance of positions of a coset, at most 16, or 19 quarter turns [default: one less]
    #[arg(long, value_name = "MOVES", requires = "coset", value_parser = whole_number::<u8>(0..=26))]
    within: Option<u8>,
    /// The part to make, as in 3/64
    #[arg(long, value_name = "PART", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// The order of facelets, colours and moves in .npz and .parquet, as programs that train on the cube have it; text has Kociemba's
    #[arg(long, default_value = "kociemba", value_parser = one_of(ArrayOrder::ALL, ArrayOrder::name))]
    order: ArrayOrder,
    /// Find the moves that begin a shortest solution too, and the distances of all positions one move away
    #[arg(long)]
    optimal_moves: bool,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Lengths of walks.
#[derive(Clone)]
struct Walks(Vec<usize>);

/// Reads lengths of walks: numbers and ranges with commas between them.
fn walks(text: &str) -> Result<Walks, String> {
    let wrong = || format!("give numbers of moves up to {LONGEST_WALK}, as in 1-14 or 4,8");
    let number =
        |text: &str| text.trim().parse().ok().filter(|&length: &usize| length <= LONGEST_WALK).ok_or_else(wrong);
    let range = |text: &str| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let range = number(first)?..=number(last)?;
        if range.is_empty() { Err(wrong()) } else { Ok(range) }
    };
    let ranges = text.split(',').map(range).collect::<Result<Vec<_>, String>>()?;
    Ok(Walks(ranges.into_iter().flatten().collect()))
}

/// Reads the name of the file.
fn format(name: &str) -> Result<PathBuf, String> {
    Format::of(Path::new(name)).map(|_| name.into()).map_err(|unknown| unknown.to_string())
}

/// Runs the subcommand.
pub fn run(args: &DatasetArgs) -> Result<Exit, Failure> {
    let Some(positions) = args.positions()? else { return Ok(Exit::NotACube) };
    let set = Dataset {
        positions,
        rows: args.rows.unwrap_or(u64::MAX),
        seed: args.seed,
        shard: args.shard,
        metric: args.solver.metric(),
        order: args.order,
        optimal_moves: args.optimal_moves,
    };
    let (path, set) = (&args.file, set.checked().map_err(failed)?);
    if set.is_at(path).map_err(failed)? {
        hint(format_args!("{} is there already, made with these arguments", path.display()));
        return Ok(Exit::Solved);
    }
    let made = match &set.positions {
        &Positions::Coset { of, within } => {
            cosets::check_memory(&args.solver)?;
            let make = |control: &Control<'_>| set.make_coset_file((&of, within), path, control);
            Some(with_progress(args.solver.store.threads.count(), make).map_err(failed)?)
        }
        _ => {
            let solver = args.solver.solver()?;
            let (work, bar) = (Interruptible::start(), Steps::show());
            let follow = &mut |done| bar.follow("rows", done);
            set.make_file((&solver, path), &work.cancel, follow).map_err(failed)?
        }
    };
    let Some(rows) = made else {
        let journal = journal_path(path);
        tell(format_args!("interrupted; what is done is in {}; the same command continues", journal.display()));
        return Ok(Exit::Interrupted);
    };
    let (rows, card) = (counted(rows as u64, "position"), card_path(path));
    hint(format_args!(
        "{}: {rows} with proven lengths in {}; {} says more",
        path.display(),
        set.metric.name(),
        card.display()
    ));
    Ok(Exit::Solved)
}

impl DatasetArgs {
    /// The positions; `None` if a line of the list is none.
    fn positions(&self) -> Result<Option<Positions>, Failure> {
        if let Some(list) = &self.from {
            let (lines, _) = lines::of_file(list)?;
            let list = List::read(lines, &Request::default());
            report(&list);
            let cubes: Option<Vec<_>> =
                list.entries().iter().map(|entry| Some(entry.input.as_ref().ok()?.cube)).collect();
            return Ok(cubes.map(|cubes| Positions::Listed(Arc::new(cubes))));
        }
        if let Some(depth) = self.depth {
            return Positions::at_depth(depth, self.solver.metric()).map(Some).map_err(failed);
        }
        if let Some(text) = &self.coset {
            let not_a_cube = |error| Failure::NotACube { error, text: Box::new(text.clone().into()) };
            let of = read_position(text, None, &ReadOptions::default()).map_err(not_a_cube)?.cube;
            let within = self.within.unwrap_or(usual_distance(self.solver.metric()));
            return Ok(Some(Positions::Coset { of, within }));
        }
        if let Some(class) = self.symmetry {
            return Ok(Some(Positions::Symmetric(class)));
        }
        let walks = self.walks.clone().map(|Walks(lengths)| Positions::Walks(lengths));
        Ok(Some(walks.or(self.distance.map(Positions::Distance)).unwrap_or(Positions::Random)))
    }
}

fn failed(error: DatasetError) -> Failure {
    match error {
        DatasetError::Journal(error) => match error.remedy_of_dataset() {
            Some(help) => Failure::new(error.worded(), help),
            None => error.into(),
        },
        DatasetError::Coset(error) => cosets::failed(error),
        DatasetError::Refused(why) => {
            let (wrong, help) = halves(&why);
            Failure::new(wrong, help)
        }
        DatasetError::Write { .. } => {
            Failure::new(error.to_string(), "make room, or give another name; the same command continues")
        }
        other => Failure::new(other.to_string(), "start it again"),
    }
}
