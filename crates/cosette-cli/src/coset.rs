//! `cosette coset`: all positions of a coset at once.

use anstyle::Style;
use clap::Args;
use cosette::coset::{CosetError, CosetSearch, CosetTables, Effort, Level, MEMBERS};
use cosette::cube::{Cube, Format, Metric, Moves, ReadOptions, read_position};
use cosette::search::{Options, Solver, TwoPhaseUse};
use cosette::{Control, Move};
use cosette_app::cli::args::{SolverArgs, format_parser, whole_number};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt;
use cosette_app::cli::stderr::hint;
use cosette_app::cli::tables::with_progress;
use cosette_app::json;
use cosette_app::remedies::{Audience, worded};
use cosette_app::words::counted;
use serde::Serialize;
use std::io::{self, Write};
use std::sync::Mutex;

/// Prove how far all 19,508,428,800 positions of a coset are
///
/// The coset of a position holds all positions from which U, D, R2, F2, L2 and B2 lead to it. Every one is shown to be within 20
/// moves, most by being a move from another; with --exact, all distances are found. It takes 5.7 GB of memory, and prints how many
/// positions are within each number of moves.
#[derive(Args)]
pub struct CosetArgs {
    /// A position of the coset: moves or facelets
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    position: String,
    /// The format of the position [default: recognised]
    #[arg(long, value_parser = format_parser())]
    format: Option<Format>,
    /// Stop after this many moves [default: 20, or 26 quarter turns: every position is within so many]
    #[arg(long, value_name = "MOVES", value_parser = whole_number::<u8>(0..=26))]
    within: Option<u8>,
    /// Find the distance of every position: an hour or more
    #[arg(long)]
    exact: bool,
    /// Print the positions at this distance, which must be searched completely: at most 15 without --exact
    #[arg(long, value_name = "DISTANCE", value_parser = whole_number::<u8>(0..=20))]
    list: Option<u8>,
    /// Print at most this many positions of --list
    #[arg(short = 'n', long, value_name = "N", requires = "list", value_parser = whole_number::<usize>(1..=u64::MAX))]
    count: Option<usize>,
    /// Draw this many positions of the coset, and print each with its distance, or with what it is at most
    #[arg(long, value_name = "N", value_parser = whole_number::<usize>(1..=10_000_000))]
    sample: Option<usize>,
    /// The random seed of --sample
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Print JSON, a line for each number of moves, and for each position
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    solver: SolverArgs,
}

/// A position with what is known about its distance.
#[derive(Serialize)]
struct Labelled {
    facelets: String,
    /// The distance is at most this.
    length: u8,
    /// Whether it is the distance.
    optimal: bool,
}

/// A position of a sample.
struct Drawn {
    position: Cube,
    length: Option<u8>,
    optimal: bool,
}

/// So few positions are solved one by one sooner than a level is searched.
const FEW_LEFT: u64 = 20_000;
/// The nodes of the two-phase search after which a position is left to the optimal search: about a second.
const NODES: u64 = 20_000_000;

/// Runs the subcommand.
pub fn run(args: &CosetArgs) -> Result<Exit, Failure> {
    let not_a_cube = |error| {
        let text = InputText { text: args.position.clone(), line: None };
        Failure::NotACube { error, text }
    };
    let position = read_position(&args.position, args.format, &ReadOptions::default()).map_err(not_a_cube)?.cube;
    with_progress(args.solver.store.threads.count(), |control| match coset(args, &position, control) {
        Err(Stop::Coset(CosetError::Cancelled)) if interrupt::is_requested() => Ok(Exit::Interrupted),
        Err(Stop::Coset(error)) => {
            let remedy = error.remedy().map(|remedy| worded(&remedy, Audience::Command)).unwrap_or_default();
            Err(Failure::new(error.to_string(), remedy))
        }
        Err(Stop::Failure(failure)) => Err(failure),
        Ok(exit) => Ok(exit),
    })
}

/// Why the command stops before its end.
enum Stop {
    Coset(CosetError),
    Failure(Failure),
}

impl From<CosetError> for Stop {
    fn from(error: CosetError) -> Stop {
        Stop::Coset(error)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Failure(error.into())
    }
}

fn coset(args: &CosetArgs, position: &Cube, control: &Control<'_>) -> Result<Exit, Stop> {
    let mut out = anstream::stdout();
    let metric = args.solver.metric();
    let within = args.within.unwrap_or(metric.diameter());
    let tables = CosetTables::generate(metric, control)?;
    let mut search = CosetSearch::new(&tables, position)?;
    let draw = |position| Drawn { position, length: None, optimal: false };
    let mut drawn: Vec<Drawn> =
        search.random_positions(args.seed).take(args.sample.unwrap_or_default()).map(draw).collect();
    if !args.json && args.sample.is_none() && args.list.is_none() {
        writeln!(out, "{BOLD}moves  positions within   by a pass     by search    seconds{BOLD:#}")?;
    }
    loop {
        let left = MEMBERS - search.count();
        let moves = search.level().map_or(0, |level| level.moves + 1);
        if left == 0 || moves > within {
            break;
        }
        // What a pass leaves is less than a search finds, long before the last level.
        let effort = match (args.exact, left) {
            (true, left) if left > FEW_LEFT => Effort::All,
            (true, _) => break,
            (false, _) => Effort::Enough,
        };
        let level = search.advance(effort, control)?;
        show(args, &level, &mut out)?;
        for drawn in drawn.iter_mut().filter(|drawn| drawn.length.is_none()) {
            if search.contains(&drawn.position) == Some(true) {
                (drawn.length, drawn.optimal) = (Some(level.moves), level.is_complete);
            }
        }
        if args.list == Some(level.moves) {
            return list(args, &search, &level, &mut out);
        }
    }
    if args.sample.is_some() {
        return sample(args, drawn, &mut out);
    }
    if within < metric.diameter() { Ok(Exit::Solved) } else { settle(args, &search, control, &mut out) }
}

const BOLD: Style = Style::new().bold();

/// Prints a level.
fn show(args: &CosetArgs, level: &Level, out: &mut impl Write) -> io::Result<()> {
    if args.sample.is_some() || args.list.is_some() {
        return Ok(());
    }
    if args.json {
        return json::write_line(out, level);
    }
    let Level { moves, by_pass, by_search, total, pass, search, .. } = level;
    let seconds = (*pass + *search).as_secs_f64();
    writeln!(
        out,
        "{moves:>5} {:>17} {:>14} {:>13} {seconds:>8.2}",
        grouped(*total),
        grouped(*by_pass),
        grouped(*by_search)
    )
}

fn grouped(number: u64) -> String {
    counted(number, "").trim_end_matches([' ', 's']).to_owned()
}

/// Prints the positions of the last level.
fn list(args: &CosetArgs, search: &CosetSearch<'_>, level: &Level, out: &mut impl Write) -> Result<Exit, Stop> {
    if !level.is_complete {
        let message = format!("the search of {} moves was not complete", level.moves);
        return Err(Failure::new(message, "add --exact, or list a smaller distance").into());
    }
    for position in search.newly_marked().take(args.count.unwrap_or(usize::MAX)) {
        label(args, &position, level.moves, true, out)?;
    }
    Ok(Exit::Solved)
}

fn label(args: &CosetArgs, position: &Cube, length: u8, optimal: bool, out: &mut impl Write) -> io::Result<()> {
    let facelets = position.facelets();
    match args.json {
        true => json::write_line(out, &Labelled { facelets, length, optimal }),
        false => writeln!(out, "{facelets} {}{length}", if optimal { "" } else { "≤" }),
    }
}

/// Prints the positions that were drawn; those that are not marked are solved.
fn sample(args: &CosetArgs, drawn: Vec<Drawn>, out: &mut impl Write) -> Result<Exit, Stop> {
    let mut solver = None;
    for Drawn { position, length, optimal } in drawn {
        match length {
            Some(length) => label(args, &position, length, optimal, out)?,
            None if args.within.is_some() => {}
            None => {
                let solution = solved(&position, solver_of(&mut solver, args)?);
                label(args, &position, solution.len() as u8, true, out)?;
            }
        }
    }
    Ok(Exit::Solved)
}

/// Solves what is left, and prints it.
fn settle(
    args: &CosetArgs,
    search: &CosetSearch<'_>,
    control: &Control<'_>,
    out: &mut impl Write,
) -> Result<Exit, Stop> {
    let left = MEMBERS - search.count();
    if left == 0 {
        return Ok(Exit::Solved);
    }
    hint(format_args!("{} left", counted(left, "position")));
    let by_length = Mutex::new([0u64; 27]);
    let mut hard = Vec::new();
    let metric = args.solver.metric();
    if args.exact || metric == Metric::Qtm {
        hard.extend(search.left());
    } else {
        let count = |_: &Cube, solution: &[Move]| {
            by_length.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[solution.len()] += 1;
        };
        hard = search.settle(metric.diameter(), NODES, &count, control)?;
    }
    let mut solver = None;
    for position in &hard {
        let solution = solved(position, solver_of(&mut solver, args)?);
        if interrupt::is_requested() {
            return Ok(Exit::Interrupted);
        }
        writeln!(out, "{} {} {}", position.facelets(), solution.len(), Moves(&solution))?;
    }
    let by_length = by_length.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    for (length, count) in by_length.into_iter().enumerate().filter(|&(_, count)| count > 0) {
        writeln!(out, "within {length} moves by themselves: {}", grouped(count))?;
    }
    Ok(Exit::Solved)
}

fn solver_of<'a>(solver: &'a mut Option<Solver>, args: &CosetArgs) -> Result<&'a Solver, Failure> {
    if solver.is_none() {
        *solver = Some(args.solver.solver()?);
    }
    Ok(solver.as_ref().expect("it was made"))
}

/// A shortest solution.
fn solved(position: &Cube, solver: &Solver) -> Vec<Move> {
    let work = interrupt::Interruptible::start();
    let options = Options { two_phase: TwoPhaseUse::AtOnce, ..Options::default() };
    let report = solver.search(position).options(options).cancel(&work.cancel).run();
    report.solutions.into_iter().next().unwrap_or_default()
}
