//! `cosette scramble`: random positions, random sequences and scrambles of a case.

use clap::Args;
use cosette::cube::{
    Cube, DisplayMoves, Format, Metric, Move, ParseOptions, parse_position, random_positions,
    random_walks,
};
use cosette::search::{Event, Options, Report, Solver, TwoPhaseMode};
use cosette::twophase::{ScrambleOptions, scrambles};
use cosette_app::cli::args::{SolverArgs, exit_with_usage_error, one_of, whole_number};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::{self, Interruptible};
use cosette_app::cli::stderr::{self, SearchBar};
use cosette_app::events::SearchEvent;
use cosette_app::position::hint;
use cosette_app::random;
use rand::Rng;
use std::io::{self, BufWriter, Write};

/// Print random positions, random move sequences or scrambles of a case, one per line
///
/// Positions are drawn uniformly from all 43,252,003,274,489,856,000. With --format moves, a
/// position is printed as the inverse of its shortest solution, so each one must be solved: about a
/// second with a large table, a few seconds with a small one. With --length, random move sequences
/// are drawn instead: no face turns twice in a row, and U, R or F never directly follows its
/// opposite D, L or B. The same seed gives the same lines on every machine.
///
/// With --case, distinct scrambles of that position are printed. They have 21 moves; after many of
/// these have been printed, longer ones follow. No table is needed. For the case that an algorithm
/// ALG solves, write `--case "(ALG)'"`.
#[derive(Args)]
pub struct ScrambleArgs {
    /// Number of lines to print
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = whole_number::<u64>(0..=u64::MAX),
    )]
    count: u64,
    /// Random seed, for reproducible output [default: random, shown with -v]
    #[arg(long, value_name = "NUMBER", value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Print scrambles that lead to POSITION, in any input format, e.g. "R U R' U'"
    #[arg(long, value_name = "POSITION")]
    case: Option<String>,
    /// With --case, print scrambles of at least LENGTH moves [default: 21]
    #[arg(
        long,
        value_name = "LENGTH",
        requires = "case",
        value_parser = whole_number::<u8>(0..=255),
    )]
    min_length: Option<u8>,
    /// With --case, add a random U turn, or none, before the solution of the case (pre-AUF), so
    /// that the case appears from a random angle
    #[arg(long, requires = "case")]
    pre_auf: bool,
    /// With --case, add a random U turn, or none, after the solution of the case (post-AUF)
    #[arg(long, requires = "case")]
    post_auf: bool,
    /// Output format [default: facelets; moves with --length or --case]
    #[arg(long, value_parser = one_of(Format::ALL, Format::name))]
    format: Option<Format>,
    /// Draw random sequences of TURNS face turns, half turns included, instead of positions; up to
    /// a million
    #[arg(short, long, value_name = "TURNS", value_parser = whole_number::<usize>(0..=1_000_000))]
    length: Option<usize>,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Runs the subcommand.
pub fn run(args: &ScrambleArgs) -> Result<Exit, Failure> {
    if args.length.is_some() && args.solver.turn_metric() != Metric::Htm.into() {
        exit_with_usage_error(
            "--length supports only the metric htm; remove --metric (or COSETTE_METRIC)",
        );
    }
    if args.case.is_some() {
        check_case(args);
    }
    // Ends the command if there are no tables for this metric, even if no table is needed.
    args.solver.require_table_metric();
    let seed = args.seed.unwrap_or_else(|| random::system().next_u64());
    tracing::info!(seed, "drawing");
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some(case) = &args.case {
        return write_case_scrambles(case, args, seed, &mut out);
    }
    match (args.length, args.format) {
        (Some(length), None | Some(Format::Moves)) => {
            for sequence in random_walks(seed, length).take(args.count as usize) {
                writeln!(out, "{}", DisplayMoves(&sequence))?;
            }
        }
        (Some(length), Some(format)) => {
            let positions = random_walks(seed, length).map(|sequence| Cube::from_moves(&sequence));
            write_positions(&mut out, positions.take(args.count as usize), format)?;
        }
        (None, Some(Format::Moves)) => return write_positions_as_moves(args, seed, &mut out),
        (None, format) => {
            let positions = random_positions(seed).take(args.count as usize);
            write_positions(&mut out, positions, format.unwrap_or(Format::Facelets))?;
        }
    }
    out.flush()?;
    Ok(Exit::Success)
}

/// Ends the command if another argument contradicts --case.
fn check_case(args: &ScrambleArgs) {
    if args.length.is_some() {
        exit_with_usage_error(
            "--length draws random moves, which do not create a given position; use --min-length \
                with --case, or remove --case",
        );
    }
    if args.format.is_some_and(|format| format != Format::Moves) {
        exit_with_usage_error(
            "--case prints only moves, because all scrambles create the same position; remove \
                --format",
        );
    }
    if args.solver.turn_metric() != Metric::Htm.into() {
        exit_with_usage_error(
            "--case supports only the metric htm; remove --metric (or COSETTE_METRIC)",
        );
    }
}

/// Writes scrambles of a case, each as soon as it is found.
fn write_case_scrambles(
    case: &str,
    args: &ScrambleArgs,
    seed: u64,
    out: &mut impl Write,
) -> Result<Exit, Failure> {
    let read = |text: &str| parse_position(text, None, &ParseOptions::default());
    let input = InputText::from(case.to_owned()).read(read)?;
    if let Some(hint) = hint(case, &input) {
        stderr::hint(hint);
    }
    let options = ScrambleOptions {
        min_length: args.min_length.unwrap_or(ScrambleOptions::MIN_LENGTH),
        pre_auf: args.pre_auf,
        post_auf: args.post_auf,
    };
    for scramble in scrambles(input.cube, seed, options).take(args.count as usize) {
        writeln!(out, "{}", DisplayMoves(&scramble.moves))?;
        out.flush()?;
    }
    Ok(Exit::Success)
}

fn write_positions(
    out: &mut impl Write,
    positions: impl Iterator<Item = Cube>,
    format: Format,
) -> io::Result<()> {
    let write = match format {
        Format::Facelets => Cube::facelets,
        Format::Reid => Cube::reid,
        Format::Speffz => Cube::speffz,
        Format::Moves => unreachable!("moves need a solver"),
    };
    for position in positions {
        writeln!(out, "{}", write(&position))?;
    }
    Ok(())
}

/// Writes positions as the inverses of their shortest solutions, each as soon as it is found.
fn write_positions_as_moves(
    args: &ScrambleArgs,
    seed: u64,
    out: &mut impl Write,
) -> Result<Exit, Failure> {
    let solver = args.solver.solver()?;
    for position in random_positions(seed).take(args.count as usize) {
        let Some(scramble) = shortest_scramble(&solver, &position) else {
            return Ok(Exit::Interrupted);
        };
        writeln!(out, "{}", DisplayMoves(&scramble))?;
        out.flush()?;
    }
    Ok(Exit::Success)
}

/// Returns a shortest scramble of this position; `None` if the user stops the search.
fn shortest_scramble(solver: &Solver, position: &Cube) -> Option<Vec<Move>> {
    // A solution of the inverse is a scramble of the position.
    let report = search_with_bar(solver, &position.inverse(), None);
    let scramble = report.solutions.into_iter().next();
    let scramble = scramble.filter(|_| !interrupt::is_requested())?;
    assert_eq!(
        Cube::from_moves(&scramble),
        *position,
        "the scramble makes the position"
    );
    Some(scramble)
}

/// Searches for a shortest solution until the user stops the search, and shows the bounds. `known`
/// is a solution of any length, if there is one.
pub fn search_with_bar(solver: &Solver, position: &Cube, known: Option<&[Move]>) -> Report {
    let work = Interruptible::start();
    let bar = SearchBar::show();
    let metric = solver.metric();
    let options = Options {
        known_solution: known,
        two_phase: TwoPhaseMode::Upfront,
        ..Options::default()
    };
    let on_event = |event: Event<'_>| bar.follow(&SearchEvent::new(event, metric), metric);
    solver
        .search(position)
        .options(options)
        .with_cancel(&work.cancel)
        .on_event(on_event)
        .run()
}
