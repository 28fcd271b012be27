//! `cosette check`: verifies results of any solver with a model that shares no code with the
//! solver.

use crate::coset_folder;
use clap::Args;
use cosette::cube::DisplayMoves;
use cosette_app::cli::args::whole_number;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr;
use cosette_app::journal::is_damaged;
use cosette_app::units::counted;
use cosette_check::Check;
use cosette_fmc::writeup_check::{self, CheckedWriteup, WriteupStep};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Maximum size of a write-up, in bytes.
const MAX_WRITE_UP: u64 = 1 << 20;
/// Maximum length of a line of JSON, in bytes: a result with about five million solutions.
const MAX_JSON_LINE: u64 = 1 << 28;
/// Maximum length of any other line, in bytes.
const MAX_LINE: u64 = 1 << 24;

/// Verify results of Cosette or any other solver with an independent model of the cube
///
/// A result is one line: JSON of `cosette solve --json` or `cosette batch --json`, a line of a
/// journal of `batch`, CSV of `cosette batch --csv` with its header, or a position (moves or 54
/// facelets), a comma and a solution.
///
/// Each solution is applied to its position on a model of the cube that is built from geometry
/// alone. Lengths, bounds and counts must agree with the solutions and with each other, also
/// between results and files: a position, its mirror images and its inverse have the same length.
///
/// Lengths of up to --prove moves are proven again by brute force, with their numbers of solutions.
///
/// Not checked: proofs of greater lengths and of complete lists, and statements about single moves
/// (`optimal_moves`, `neighbor_distances`), unless another result contradicts them. Results for
/// goals other than the solved cube, or with moves other than face turns, are only counted.
///
/// In a folder of `cosette coset --save`, checksums and counts are checked, and that the distances
/// of sampled positions and of their neighbors differ by at most one move.
#[derive(Args)]
pub struct CheckArgs {
    /// Files of results, or folders of levels; - reads standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
    /// Prove lengths of up to MOVES again; two more moves take about 200 times as long
    #[arg(
        long,
        value_name = "MOVES",
        default_value_t = 6,
        value_parser = whole_number::<u8>(0..=10),
    )]
    prove: u8,
    /// Read each file as a fewest-moves write-up: a scramble, then one step per line, with moves on
    /// the inverse in parentheses; comments in the format of `cosette fmc` are checked as well
    #[arg(long, conflicts_with = "prove")]
    write_up: bool,
}

/// Runs the subcommand.
pub fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    if args.write_up {
        let check = |path: &PathBuf| {
            if args.files.len() > 1 {
                writeln!(io::stdout(), "{}:", path.display())?;
            }
            check_write_up(path)
        };
        let checked = args
            .files
            .iter()
            .map(check)
            .collect::<Result<Vec<bool>, _>>()?;
        return Ok(if checked.into_iter().all(|is_right| is_right) {
            Exit::Success
        } else {
            Exit::Error
        });
    }
    let mut check = Check::new(usize::from(args.prove));
    // Faults are shown even if other files cannot be read.
    let (of_levels, of_answers): (Vec<&PathBuf>, Vec<_>) =
        args.files.iter().partition(|path| path.is_dir());
    let levels = of_levels
        .iter()
        .map(|path| coset_folder::check(path, args.prove, &mut check))
        .collect::<Vec<_>>();
    let answers = of_answers
        .iter()
        .map(|path| read(path, &mut check))
        .collect::<Vec<_>>();
    let mut unreadable: Vec<Failure> = levels
        .into_iter()
        .chain(answers)
        .filter_map(Result::err)
        .collect();
    let report = check.finish();
    if report.answers == 0 && unreadable.len() == args.files.len() {
        let last = unreadable.pop();
        unreadable.into_iter().for_each(Failure::report);
        return last.map_or(Ok(Exit::Error), Err);
    }
    let mut out = io::stdout().lock();
    let count = |count: usize, what: &str| counted(count as u64, what);
    report
        .faults
        .iter()
        .try_for_each(|fault| writeln!(out, "{fault}"))?;
    if let Some(first) = &report.first_not_checked {
        let others = match report.not_checked {
            1 => String::new(),
            all => format!("; {} like this", count(all, "answer")),
        };
        writeln!(
            out,
            "{first}: not checked, because it is not a full solve with face turns{others}"
        )?;
    }
    writeln!(
        out,
        "{}, {}, {} proven again, {} compared: {}",
        count(report.answers, "answer"),
        count(report.solutions, "solution"),
        count(report.proven_again, "length"),
        count(report.compared, "position"),
        match report.faults.len() {
            0 if report.answers == 0 && of_levels.is_empty() => "nothing to check".to_owned(),
            0 => "no errors".to_owned(),
            faults => count(faults, "error"),
        }
    )?;
    let last = unreadable.pop();
    unreadable.into_iter().for_each(Failure::report);
    match last {
        Some(failure) => Err(failure),
        None if report.faults.is_empty()
            && report.answers + report.not_checked + of_levels.len() > 0 =>
        {
            Ok(Exit::Success)
        }
        None => Ok(Exit::Error),
    }
}

/// Checks a write-up, and prints the reductions of each line and the errors. Returns `true` for a
/// write-up without errors.
fn check_write_up(path: &Path) -> Result<bool, Failure> {
    let mut text = Vec::new();
    opened(path)?
        .1
        .take(MAX_WRITE_UP)
        .read_to_end(&mut text)
        .map_err(|error| unreadable(path, &error))?;
    if text.len() as u64 == MAX_WRITE_UP {
        let message = format!("{} is too long for a write-up", path.display());
        return Err(Failure::new(
            message,
            "use a file with one attempt: a scramble, then one step per line",
        ));
    }
    let CheckedWriteup {
        scramble_line,
        steps,
        solution,
        errors,
    } = writeup_check::check(&String::from_utf8_lossy(&text));
    let mut out = io::stdout().lock();
    if scramble_line > 0 {
        writeln!(out, "line {scramble_line}: the scramble")?;
    }
    for step in steps {
        let WriteupStep {
            line, moves, total, ..
        } = step;
        write!(out, "line {line}: {moves} // {total} in total")?;
        if !step.reductions.is_empty() {
            let reductions = step.reductions.iter().map(ToString::to_string);
            write!(out, ", {}", reductions.collect::<Vec<_>>().join(" "))?;
        }
        writeln!(out)?;
    }
    for error in &errors {
        writeln!(out, "{error}")?;
    }
    if let Some(solution) = solution {
        writeln!(
            out,
            "solved in {}: {}",
            counted(solution.len() as u64, "move"),
            DisplayMoves(&solution)
        )?;
    }
    if errors.is_empty() {
        writeln!(out, "no errors")?;
    }
    Ok(errors.is_empty())
}

/// Opens a file, or standard input, and returns it with its name.
fn opened(path: &Path) -> Result<(String, Box<dyn BufRead>), Failure> {
    if path == Path::new("-") {
        return Ok(("standard input".into(), Box::new(io::stdin().lock())));
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    Ok((path.display().to_string(), Box::new(BufReader::new(file))))
}

/// Checks the lines of a file.
fn read(path: &Path, check: &mut Check) -> Result<(), Failure> {
    let (name, mut input) = opened(path)?;
    let beginning = input.fill_buf().map_err(|error| unreadable(path, &error))?;
    if beginning.starts_with(b"PK\x03\x04") || beginning.starts_with(b"PAR1") {
        let message = format!("{name} is a binary file, such as .npz or .parquet");
        return Err(Failure::new(message, "check a .csv or .jsonl file instead"));
    }
    let mut before = Vec::new();
    for number in 1.. {
        let Some(line) = next_line(&mut input).map_err(|error| unreadable(path, &error))? else {
            break;
        };
        // Batches ignore such a line as well, and solve its position again.
        if is_damaged(&line, &before) {
            stderr::hint(format_args!(
                "{name}:{number}: a corrupted journal line, not checked"
            ));
        } else {
            // Invalid UTF-8 is a fault of its line.
            check.check_line(&name, number, &String::from_utf8_lossy(&line));
        }
        before = line;
    }
    Ok(())
}

/// Returns the next line, without its line feed; `None` at the end. A line that is too long is an
/// error.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let max = if input.fill_buf()?.first() == Some(&b'{') {
        MAX_JSON_LINE
    } else {
        MAX_LINE
    };
    let mut line = Vec::new();
    if input.take(max).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    match line.pop() {
        Some(b'\n') => {}
        Some(_) if line.len() as u64 + 1 == max => {
            let error = format!("a line is longer than {max} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, error));
        }
        last => line.extend(last),
    }
    Ok(Some(line))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(
        format!("cannot read {}: {error}", path.display()),
        "use a file of results, one per line",
    )
}
