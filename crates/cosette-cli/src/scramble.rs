//! `cosette scramble`: random positions, random sequences, and scrambles of a case.

use clap::Args;
use cosette::cube::{Cube, Format, Metric, Move, Moves, ReadOptions, random_positions, random_walks, read_position};
use cosette::search::{Event, Options, Solver, TwoPhaseUse};
use cosette::twophase::{ScrambleOptions, scrambles};
use cosette_app::cli::args::{SolverArgs, one_of, usage, whole_number};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::{self, Interruptible};
use cosette_app::cli::stderr::{self, Bound};
use cosette_app::position::hint;
use cosette_app::random;
use rand::Rng;
use std::io::{self, BufWriter, Write};

/// Print random positions, sequences of moves or scrambles of a case, one per line
///
/// Positions are drawn uniformly from all 43,252,003,274,489,856,000. Written as moves, a position is the inverse of its
/// shortest solution, so each one has to be solved: about a second with a large table, some seconds with a small one. With
/// --length, sequences of random moves are drawn instead; no move turns the same face as the one before it, nor, after D, L
/// or B, the opposite one. The same seed gives the same lines on every machine.
///
/// With --case, different scrambles are printed that lead to that position. They have 21 moves; when many of them are used,
/// more follow with a move more. No table is needed. The moves of an algorithm lead to a case; for the case that an algorithm
/// ALG solves, write `--case "(ALG)'"`.
#[derive(Args)]
pub struct ScrambleArgs {
    /// The number of lines
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, value_parser = whole_number::<u64>(0..=u64::MAX))]
    count: u64,
    /// The random seed, which makes the output reproducible [default: random, shown with -v]
    #[arg(long, value_name = "NUMBER", value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Print scrambles that lead to this position, in any format, for example "R U R' U'"
    #[arg(long, value_name = "POSITION")]
    case: Option<String>,
    /// With --case: print scrambles of at least this many moves [default: 21]
    #[arg(long, value_name = "LENGTH", requires = "case", value_parser = whole_number::<u8>(0..=255))]
    min_length: Option<u8>,
    /// With --case: have a random turn of U, or none, before the solution of the case (pre-AUF), which is then seen from a
    /// random angle
    #[arg(long, requires = "case")]
    pre_auf: bool,
    /// With --case: have a random turn of U, or none, after the solution of the case (post-AUF)
    #[arg(long, requires = "case")]
    post_auf: bool,
    /// The format of the positions [default: facelets; moves with --length or --case]
    #[arg(long, value_parser = one_of(Format::ALL, Format::name))]
    format: Option<Format>,
    /// Draw sequences of this many turns, half turns among them, instead of positions; a million at most
    #[arg(short, long, value_name = "TURNS", value_parser = whole_number::<usize>(0..=1_000_000))]
    length: Option<usize>,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Runs the subcommand.
pub fn run(args: &ScrambleArgs) -> Result<Exit, Failure> {
    if args.length.is_some() && args.solver.turn_metric() != Metric::Htm.into() {
        usage("--length counts turns, half turns as one; leave --metric (or COSETTE_METRIC) out");
    }
    if args.case.is_some() {
        check_case(args);
    }
    // Ends with an error if no table has this metric, whether one is needed or not.
    args.solver.metric();
    let seed = args.seed.unwrap_or_else(|| random::system().next_u64());
    tracing::info!(seed, "drawing");
    let mut out = BufWriter::new(io::stdout().lock());
    if let Some(case) = &args.case {
        return write_scrambles_of(case, args, seed, &mut out);
    }
    match (args.length, args.format) {
        (Some(length), None | Some(Format::Moves)) => {
            for sequence in random_walks(seed, length).take(args.count as usize) {
                writeln!(out, "{}", Moves(&sequence))?;
            }
        }
        (Some(length), Some(format)) => {
            let positions = random_walks(seed, length).map(|sequence| Cube::from_moves(&sequence));
            write_positions(&mut out, positions.take(args.count as usize), format)?;
        }
        (None, Some(Format::Moves)) => return write_scrambles(args, seed, &mut out),
        (None, format) => {
            let positions = random_positions(seed).take(args.count as usize);
            write_positions(&mut out, positions, format.unwrap_or(Format::Facelets))?;
        }
    }
    out.flush()?;
    Ok(Exit::Solved)
}

/// Checks the arguments beside --case. Ends the command if they contradict it.
fn check_case(args: &ScrambleArgs) {
    if args.length.is_some() {
        usage("--length draws random moves, which lead anywhere; use --min-length with --case, or leave --case out");
    }
    if args.format.is_some_and(|format| format != Format::Moves) {
        usage("--case prints moves, as they all lead to one position; leave --format out");
    }
    if args.solver.turn_metric() != Metric::Htm.into() {
        usage("--min-length counts turns, half turns as one; leave --metric (or COSETTE_METRIC) out");
    }
}

/// Writes scrambles of a case, each as soon as it is found.
fn write_scrambles_of(case: &str, args: &ScrambleArgs, seed: u64, out: &mut impl Write) -> Result<Exit, Failure> {
    let read = |text: &str| read_position(text, None, &ReadOptions::default());
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
        writeln!(out, "{}", Moves(&scramble.moves))?;
        out.flush()?;
    }
    Ok(Exit::Solved)
}

fn write_positions(out: &mut impl Write, positions: impl Iterator<Item = Cube>, format: Format) -> io::Result<()> {
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
fn write_scrambles(args: &ScrambleArgs, seed: u64, out: &mut impl Write) -> Result<Exit, Failure> {
    let solver = args.solver.solver()?;
    for position in random_positions(seed).take(args.count as usize) {
        let Some(scramble) = scramble(&solver, &position) else { return Ok(Exit::Interrupted) };
        writeln!(out, "{}", Moves(&scramble))?;
        out.flush()?;
    }
    Ok(Exit::Solved)
}

/// The shortest moves that make this position; `None` if the user stops the search.
fn scramble(solver: &Solver, position: &Cube) -> Option<Vec<Move>> {
    // A solution of the inverse undoes it, and so makes the position.
    let inverse = position.inverse();
    let work = Interruptible::start();
    let (bound, metric) = (Bound::show(), solver.table().id().metric);
    let options = Options { two_phase: TwoPhaseUse::AtOnce, ..Options::default() };
    let on_event = |event: Event<'_>| bound.follow(event, metric);
    let report = solver.search(&inverse).options(options).cancel(&work.cancel).on_event(&on_event).run();
    let scramble = report.solutions.into_iter().next().filter(|_| !interrupt::is_requested())?;
    assert_eq!(Cube::from_moves(&scramble), *position, "the scramble makes the position");
    Some(scramble)
}
