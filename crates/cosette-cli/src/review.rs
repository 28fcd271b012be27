//! `cosette review`: the proven distance to solved after each move of somebody's own solution.

use crate::check::read_write_up;
use clap::Args;
use cosette::cube::{ParseOptions, parse_position};
use cosette::{Control, Progress};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{SolverArgs, seconds};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::{self, Interruptible};
use cosette_app::cli::stderr::{self, StepBar};
use cosette_app::events::write_line;
use cosette_app::units::counted;
use cosette_fmc::review::{
    Attempt, Review, ReviewEvent, ReviewProgress, ReviewedPosition, ReviewedStep, review,
};
use cosette_fmc::written_solution::{
    AttemptText, SolutionTextError, WrittenSolution, has_parentheses,
};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// Review a solution: find the proven distance to solved after each of its moves
///
/// SOLUTION can be a reconstruction of a speedsolve (comments after //, rotations, wide moves,
/// slices, groups) or a fewest-moves write-up with moves on the inverse in parentheses, which are
/// read as groups if that solves the scramble. Each line is a step, and its comment the label of
/// the step. Moves below a line `Inverse` are on the inverse, up to a line `Normal`.
///
/// A move may gain ground, keep the distance (=) or lose ground (+1). A turn of a slice counts as
/// two turns of faces. A step that reaches a cross, a 2x2x2 or 2x2x3 block, or the EO, DR or HTR
/// that its label names, is compared with the shortest way to that goal.
///
/// Positions are searched from the end of the solution towards the scramble. Ctrl-C or --timeout
/// ends the search: proven distances are printed, and bounds on the others.
#[derive(Args)]
pub struct ReviewArgs {
    /// Scramble, in any input format; or, without SOLUTION, a file with the scramble in its first
    /// line and the solution below; - reads standard input
    #[arg(value_name = "SCRAMBLE|FILE", default_value = "-")]
    scramble: String,
    /// Solution; - reads it from standard input
    #[arg(value_name = "SOLUTION")]
    solution: Option<String>,
    /// Print the review as one line of JSON
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Stop the searches after SECONDS; positions without a proof then have bounds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Search")]
    timeout: Option<Duration>,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Runs the subcommand.
pub fn run(args: &ReviewArgs) -> Result<Exit, Failure> {
    args.solver.check().unwrap_or_else(|error| error.exit());
    args.solver.require_table_metric();
    let read = match args.solution.as_deref() {
        None => read_write_up(Path::new(&args.scramble))?,
        Some("-") => read_write_up(Path::new("-"))?,
        Some(solution) => solution.to_owned(),
    };
    let text = match args.solution {
        None => AttemptText::split(&read).ok_or_else(no_scramble)?,
        Some(_) => AttemptText {
            scramble_line: 0,
            scramble: &args.scramble,
            solution: &read,
        },
    };
    let scramble = InputText {
        line: Some(text.scramble_line).filter(|&line| line > 0),
        ..InputText::from(text.scramble.to_owned())
    };
    let input = scramble.read(|text| parse_position(text, None, &ParseOptions::default()))?;
    let solution = WrittenSolution::read(text.solution, &input.cube)
        .map_err(|error| unreadable(error, text.scramble_line))?;
    if solution.turns.is_empty() {
        return Err(Failure::new(
            "the solution has no moves",
            "write it as the second argument, or below the scramble in a file",
        ));
    }
    if solution.is_niss {
        stderr::hint("moves in parentheses are read as moves on the inverse");
    } else if has_parentheses(text.solution) && !solution.end(&input.cube).is_solved() {
        stderr::hint(
            "moves in parentheses are read as groups: the solution solves the scramble in neither \
             reading; for moves on the inverse, put them below a line `Inverse`",
        );
    }
    let attempt = Attempt {
        input: text.scramble,
        scramble: input.cube,
        solution,
    };
    let solver = args.solver.solver()?;
    let work = Interruptible::start();
    let bar = StepBar::show();
    let on_event = |event: ReviewEvent<'_>| {
        if let ReviewEvent::Position(ReviewProgress { done, total, .. }) = event {
            bar.follow("proving distances", Progress { done, total });
        }
    };
    let cancel = work.cancel.limited(args.timeout);
    let control = Control::new(solver.threads()).with_cancel(&cancel);
    let review = review(&attempt, &solver, &on_event, &control);
    drop(bar);
    let mut out = anstream::stdout().lock();
    match args.json {
        true => write_line(&mut out, &review)?,
        false => write_review(&mut out, &review)?,
    }
    Ok(match review.stop_reason {
        _ if interrupt::is_requested() => Exit::Interrupted,
        Some(_) => Exit::Limit,
        None => Exit::Success,
    })
}

fn no_scramble() -> Failure {
    Failure::new(
        "the scramble is missing",
        "write it in the first line, and the solution below",
    )
}

/// Returns the failure of a line of the solution, which is below the line of the scramble.
fn unreadable(error: SolutionTextError, scramble_line: usize) -> Failure {
    let text = InputText {
        line: Some(scramble_line + error.line),
        ..InputText::from(error.text)
    };
    Failure::NotACube {
        error: error.error,
        text: Box::new(text),
    }
}

/// Writes a table with a line for each move, the steps and the totals.
fn write_review(out: &mut impl Write, review: &Review) -> io::Result<()> {
    let has_steps = review.steps.len() > 1 || review.steps.iter().any(|it| it.label.is_some());
    write_row(out, "scramble", "", &review.start)?;
    let mut length = 0;
    let mut shown_step = None;
    for each in &review.moves {
        if has_steps && each.step != shown_step {
            let step = each.step.map(|step| &review.steps[step]);
            step.map_or(Ok(()), |step| write_step(out, step))?;
        }
        shown_step = each.step;
        // A rotation has no number.
        let number = match each.length - length {
            0 => String::new(),
            _ => each.length.to_string(),
        };
        let change = match each.change {
            Some(0) if !number.is_empty() => "=".to_owned(),
            Some(change @ 1..) => format!("+{change}"),
            _ => String::new(),
        };
        write_row(
            out,
            &format!("{number:>4}  {}", each.name),
            &change,
            &each.position,
        )?;
        length = each.length;
    }
    if review.niss {
        for step in &review.steps {
            write_step(out, step)?;
        }
    }
    write_totals(out, review)
}

/// Writes a position: its distance, and a bar with a light end if the distance is not proven.
fn write_row(
    out: &mut impl Write,
    name: &str,
    change: &str,
    position: &ReviewedPosition,
) -> io::Result<()> {
    let lower = position.lower_bound;
    let upper = position.upper_bound;
    let distance = match position.distance {
        Some(distance) => distance.to_string(),
        None => format!("{lower}–{upper}"),
    };
    let row = format!(
        "{name:<10} {distance:>5} {change:<2} {}{}",
        "█".repeat(lower),
        "░".repeat(upper - lower)
    );
    writeln!(out, "{}", row.trim_end())
}

/// Writes a step, and the shortest way to the goal that it reached.
fn write_step(out: &mut impl Write, step: &ReviewedStep) -> io::Result<()> {
    let distance = |distance: Option<usize>| distance.map_or("?".to_owned(), |it| it.to_string());
    let label = match &step.label {
        Some(label) => label.clone(),
        None => format!("line {}", step.line),
    };
    write!(
        out,
        "{BOLD}{label}{BOLD:#}: {}, {} → {}",
        counted(step.length as u64, "move"),
        distance(step.before),
        distance(step.after)
    )?;
    match &step.best {
        Some(best) => writeln!(
            out,
            "; the shortest {} has {}: {}",
            best.goal,
            counted(best.length as u64, "move"),
            best.moves
        ),
        None => writeln!(out),
    }
}

fn write_totals(out: &mut impl Write, review: &Review) -> io::Result<()> {
    let length = counted(review.length as u64, "move");
    let changes = format!(
        "{} kept the distance, {} lost ground",
        review.kept, review.lost
    );
    match (review.start.distance, &review.start.continuation) {
        (Some(optimum), Some(moves)) => writeln!(
            out,
            "{length}, {changes}; the shortest solution has {optimum}: {moves}"
        )?,
        _ => writeln!(
            out,
            "{length}, {changes}; the shortest solution has at least {}; stopped before all \
             distances were proven",
            review.start.lower_bound
        )?,
    }
    if review.is_solved {
        return Ok(());
    }
    // A linearized solution that is not finished leads elsewhere.
    let after_steps = review.steps.last().and_then(|step| step.after);
    if let Some(left) = after_steps.filter(|_| review.niss) {
        return writeln!(out, "not solved: {} left", counted(left as u64, "move"));
    }
    let end = review
        .moves
        .last()
        .map_or(&review.start, |last| &last.position);
    let left = counted(end.lower_bound as u64, "move");
    let at_least = end.distance.map_or("at least ", |_| "");
    let moves = end.continuation.as_deref().unwrap_or_default();
    writeln!(out, "not solved: {at_least}{left} left: {moves}")
}
