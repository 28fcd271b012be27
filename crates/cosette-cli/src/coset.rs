//! `cosette coset`: all positions of a coset at once.

use anstyle::Style;
use clap::Args;
use cosette::coset::{CosetError, CosetSearch, CosetTables, Effort, Level, MEMBERS};
use cosette::cube::{Cube, Format, Metric, Moves, ReadOptions, read_position};
use cosette::search::{Options, Solver, TwoPhaseUse};
use cosette::{Control, Move};
use cosette_app::cli::args::{SolverArgs, format_parser, usage, whole_number};
use cosette_app::cli::failure::{ErrorReport, Exit, Failure, InputText};
use cosette_app::cli::interrupt;
use cosette_app::cli::stderr::hint;
use cosette_app::cli::tables::with_progress;
use cosette_app::json;
use cosette_app::remedies::{Audience, worded};
use cosette_app::words::{counted, grouped};
use serde::Serialize;
use std::io::{self, Write};

/// Prove how far all 19,508,428,800 positions of a coset are
///
/// The coset of a position holds all positions from which U, D, R2, F2, L2 and B2 lead to it. Every one is shown to be within
/// 20 moves, most by being a move from another; with --exact, all distances are found. It takes 5.7 GB of memory, and prints
/// how many positions are within each number of moves.
#[derive(Args)]
pub struct CosetArgs {
    /// A position of the coset: moves or facelets
    #[arg(value_name = "POSITION", required = true)]
    position: Vec<String>,
    /// The format of the position [default: recognised]
    #[arg(long, value_parser = format_parser())]
    format: Option<Format>,
    /// Stop after this many moves [default: 20, or 26 quarter turns: every position is within so many]
    #[arg(long, value_name = "MOVES", value_parser = whole_number::<u8>(0..=26))]
    within: Option<u8>,
    /// Find the distance of every position: some two hours
    #[arg(long)]
    exact: bool,
    /// Print the positions at this distance: all up to 15, some at 16, and beyond only with --exact
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
    /// The distance is at most this; `None` if it is not known.
    length: Option<u8>,
    /// Whether it is the distance.
    optimal: bool,
}

impl Labelled {
    fn new(position: &Cube) -> Labelled {
        Labelled { facelets: position.facelets(), length: None, optimal: false }
    }

    fn write(&self, args: &CosetArgs, out: &mut impl Write) -> io::Result<()> {
        let Labelled { facelets, length, optimal } = self;
        match length {
            _ if args.json => json::write_line(out, self),
            Some(length) => writeln!(out, "{facelets} {}{length}", if *optimal { "" } else { "≤" }),
            None => writeln!(out, "{facelets} -"),
        }
    }
}

/// The nodes of the two-phase search after which a position is left to the optimal search: about a second.
const NODES: u64 = 20_000_000;

/// Runs the subcommand.
pub fn run(args: &CosetArgs) -> Result<Exit, Failure> {
    let text = args.position.join(" ");
    let not_a_cube = |error| Failure::NotACube { error, text: InputText { text: text.clone(), line: None } };
    let position = read_position(&text, args.format, &ReadOptions::default()).map_err(not_a_cube)?.cube;
    let within = args.within.unwrap_or(args.solver.metric().diameter());
    if args.list.is_some_and(|distance| distance > within) {
        usage(&format!("the levels end at {within}: list at most that distance"));
    }
    if let Some(available) = args.solver.memory.filter(|&memory| memory < cosette::coset::bytes()) {
        return Err(failed(CosetError::TooLittleMemory { needed: cosette::coset::bytes(), available }));
    }
    with_progress(args.solver.store.threads.count(), |control| coset(args, &position, within, control))
}

/// The failure of the command: Ctrl-C ends it with what is printed.
fn failed(error: CosetError) -> Failure {
    let exit = if matches!(error, CosetError::Cancelled) { Exit::Interrupted } else { Exit::Error };
    let help = error.remedy().map(|remedy| worded(&remedy, Audience::Command));
    Failure::Other(ErrorReport { message: error.to_string(), help, exit })
}

fn coset(args: &CosetArgs, position: &Cube, within: u8, control: &Control<'_>) -> Result<Exit, Failure> {
    let mut out = anstream::stdout();
    let metric = args.solver.metric();
    let tables = CosetTables::generate(metric, control).map_err(failed)?;
    let mut search = CosetSearch::new(&tables, position).map_err(failed)?;
    let positions = search.random_positions(args.seed).take(args.sample.unwrap_or_default());
    let mut drawn: Vec<(Cube, Labelled)> = positions.map(|position| (position, Labelled::new(&position))).collect();
    if !args.json && args.sample.is_none() && args.list.is_none() {
        writeln!(out, "{BOLD}moves  positions within   by a pass     by search    seconds{BOLD:#}")?;
    }
    loop {
        let left = MEMBERS - search.count();
        let moves = search.level().map_or(0, |level| level.moves + 1);
        if left == 0 || moves > within {
            break;
        }
        let effort = if args.exact { Effort::All } else { Effort::Enough };
        let level = search.advance(effort, control).map_err(failed)?;
        show(args, &level, &mut out)?;
        for (position, label) in drawn.iter_mut().filter(|(_, label)| label.length.is_none()) {
            if search.contains(position) == Some(true) {
                (label.length, label.optimal) = (Some(level.moves), level.is_exact);
            }
        }
        if args.list == Some(level.moves) {
            return list(args, &search, &level, &mut out);
        }
        // The others are solved one by one.
        if args.exact && !level.is_complete {
            break;
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

/// Prints the positions of the last level.
fn list(args: &CosetArgs, search: &CosetSearch<'_>, level: &Level, out: &mut impl Write) -> Result<Exit, Failure> {
    if !level.is_exact {
        let message = format!("not all positions within {} moves are known", level.moves - 1);
        return Err(Failure::new(message, "add --exact, or list a smaller distance"));
    }
    if !level.is_complete {
        hint(format_args!("these are not all at distance {}: --exact finds all", level.moves));
    }
    for position in search.newly_marked().take(args.count.unwrap_or(usize::MAX)) {
        let label = Labelled { length: Some(level.moves), optimal: true, ..Labelled::new(&position) };
        label.write(args, out)?;
    }
    Ok(Exit::Solved)
}

/// Prints the positions that were drawn; those that no level has marked are solved, unless the levels end before the last.
fn sample(args: &CosetArgs, drawn: Vec<(Cube, Labelled)>, out: &mut impl Write) -> Result<Exit, Failure> {
    let mut solver = None;
    for (position, mut label) in drawn {
        if label.length.is_none() && args.within.is_none() {
            let solution = solved(&position, solver_of(&mut solver, args)?);
            (label.length, label.optimal) = (Some(args.solver.metric().length(&solution) as u8), true);
        }
        label.write(args, out)?;
    }
    Ok(Exit::Solved)
}

/// Solves what is left, and prints it.
fn settle(
    args: &CosetArgs,
    search: &CosetSearch<'_>,
    control: &Control<'_>,
    out: &mut impl Write,
) -> Result<Exit, Failure> {
    let left = MEMBERS - search.count();
    if left == 0 {
        return Ok(Exit::Solved);
    }
    hint(format_args!("{} left", counted(left, "position")));
    let metric = args.solver.metric();
    let positions = match args.exact || metric == Metric::Qtm {
        true => search.left().map(|position| (position, None)).collect(),
        false => search.settle(metric.diameter(), NODES, control).map_err(failed)?,
    };
    let (mut solver, mut by_length) = (None, [0; 27]);
    for (position, solution) in positions {
        if let Some(solution) = solution {
            by_length[solution.len()] += 1;
            continue;
        }
        let solution = solved(&position, solver_of(&mut solver, args)?);
        if interrupt::is_requested() {
            return Ok(Exit::Interrupted);
        }
        writeln!(out, "{} {} {}", position.facelets(), metric.length(&solution), Moves(&solution))?;
    }
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
