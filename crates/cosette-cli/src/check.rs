//! `cosette check`: the answers of any solver, checked by a model that shares no code with ours.

use crate::coset_file;
use clap::Args;
use cosette::coset::Saved;
use cosette::cube::Moves;
use cosette_app::cli::args::whole_number;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr;
use cosette_app::fewest::write;
use cosette_app::fewest::writeup::{self, Checked, Step};
use cosette_app::journal::is_damaged;
use cosette_app::words::counted;
use cosette_check::Check;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The longest write-up, in bytes.
const MAX_WRITE_UP: u64 = 1 << 20;
/// The longest line of JSON, in bytes: an answer with some five million solutions.
const MAX_JSON_LINE: u64 = 1 << 28;
/// The longest other line, in bytes.
const MAX_LINE: u64 = 1 << 24;

/// Check answers of this or any other solver with an independent model of the cube
///
/// An answer is a line: the JSON that `cosette solve --json` and `cosette batch --json` print, or a journal of `batch`
/// keeps, the CSV of `cosette batch --csv` with its header, or a position in moves or 54 facelets, a comma, and a solution.
/// Each solution is applied to its position on a model of the cube that is made from geometry alone. Lengths, bounds and
/// counts must agree with the solutions and with each other, also between answers and files, for a position, its mirror
/// images and its inverse have one length. Small lengths are proven again by trying everything, and for these lengths the
/// number of solutions too. A proof that a solver gives for a greater length, or that a list is whole, is believed until
/// another answer contradicts it; so is what it says of single moves (`optimal_moves`, `neighbours`). Of a file that `cosette coset --save` wrote, checksums and counts are checked, and that a
/// sample of positions and those a move from them are at most a move apart. Answers about other goals than the solved cube,
/// and about other turns than those of faces, are counted and not checked.
#[derive(Args)]
pub struct CheckArgs {
    /// The files with the answers; - reads standard input
    #[arg(value_name = "FILE", default_value = "-")]
    files: Vec<PathBuf>,
    /// Prove lengths up to this many moves again; every two more take about 200 times as long
    #[arg(long, value_name = "MOVES", default_value_t = 6, value_parser = whole_number::<u8>(0..=10))]
    prove: u8,
    /// Each file is a write-up of fewest moves: a scramble, then a step a line, with moves on the inverse in round brackets; what
    /// its comments say is checked where they are as `cosette fmc` writes them
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
        let checked = args.files.iter().map(check).collect::<Result<Vec<bool>, _>>()?;
        return Ok(if checked.into_iter().all(|is_right| is_right) { Exit::Solved } else { Exit::Error });
    }
    let mut check = Check::new(usize::from(args.prove));
    // Faults that were found are shown, whatever else cannot be read.
    let (of_levels, of_answers): (Vec<&PathBuf>, Vec<_>) = args.files.iter().partition(|path| Saved::is_at(path));
    let levels = of_levels.iter().map(|path| coset_file::check(path, args.prove, &mut check)).collect::<Vec<_>>();
    let answers = of_answers.iter().map(|path| read(path, &mut check)).collect::<Vec<_>>();
    let mut unreadable: Vec<Failure> = levels.into_iter().chain(answers).filter_map(Result::err).collect();
    let report = check.finish();
    if report.answers == 0 && unreadable.len() == args.files.len() {
        let last = unreadable.pop();
        unreadable.into_iter().for_each(Failure::report);
        return last.map_or(Ok(Exit::Error), Err);
    }
    let mut out = io::stdout().lock();
    let count = |count: usize, what: &str| counted(count as u64, what);
    report.faults.iter().try_for_each(|fault| writeln!(out, "{fault}"))?;
    if let Some(first) = &report.first_not_checked {
        let others = match report.not_checked {
            1 => String::new(),
            all => format!("; {} in all", count(all, "such answer")),
        };
        writeln!(out, "{first}: not checked, as it is not how turns of faces solve the cube{others}")?;
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
            0 => "no fault".to_owned(),
            faults => count(faults, "fault"),
        }
    )?;
    let last = unreadable.pop();
    unreadable.into_iter().for_each(Failure::report);
    match last {
        Some(failure) => Err(failure),
        None if report.faults.is_empty() && report.answers + report.not_checked + of_levels.len() > 0 => {
            Ok(Exit::Solved)
        }
        None => Ok(Exit::Error),
    }
}

/// Checks a write-up, says what each line reaches and what is wrong, and returns whether nothing is.
fn check_write_up(path: &Path) -> Result<bool, Failure> {
    let mut text = Vec::new();
    opened(path)?.1.take(MAX_WRITE_UP).read_to_end(&mut text).map_err(|error| unreadable(path, &error))?;
    if text.len() as u64 == MAX_WRITE_UP {
        let message = format!("{} is longer than a write-up", path.display());
        return Err(Failure::new(message, "name a file with one attempt: a scramble, then a step a line"));
    }
    let Checked { scramble, steps, solution, faults } = writeup::check(&String::from_utf8_lossy(&text));
    let mut out = io::stdout().lock();
    if scramble > 0 {
        writeln!(out, "line {scramble}: the scramble")?;
    }
    for Step { line, moves, total, reached } in steps {
        let reached: Vec<String> = reached.iter().map(ToString::to_string).collect();
        let reached = if reached.is_empty() { String::new() } else { format!(", {}", reached.join(" ")) };
        writeln!(out, "line {line}: {} // {total} by then{reached}", write::sides(&moves))?;
    }
    faults.iter().try_for_each(|fault| writeln!(out, "{fault}"))?;
    if let Some(solution) = solution {
        writeln!(out, "solved in {}: {}", counted(solution.len() as u64, "move"), Moves(&solution))?;
    }
    if faults.is_empty() {
        writeln!(out, "no fault")?;
    }
    Ok(faults.is_empty())
}

/// A file, or standard input, with its name.
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
        let message = format!("{name} is a binary file, as .npz and .parquet are");
        return Err(Failure::new(message, "check the .csv or the .jsonl of a data set"));
    }
    let mut before = Vec::new();
    for number in 1.. {
        let Some(line) = next_line(&mut input).map_err(|error| unreadable(path, &error))? else { break };
        // Batches leave it out as well, and solve its position again.
        if is_damaged(&line, &before) {
            stderr::hint(format_args!("{name}:{number}: a damaged line of a journal, not checked"));
        } else {
            // What is not UTF-8 is a fault of its line.
            check.check_line(&name, number, &String::from_utf8_lossy(&line));
        }
        before = line;
    }
    Ok(())
}

/// The next line, without its line feed; `None` at the end. Fails if it is too long.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let max = if input.fill_buf()?.first() == Some(&b'{') { MAX_JSON_LINE } else { MAX_LINE };
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
    Failure::new(format!("cannot read {}: {error}", path.display()), "name a file of answers, one per line")
}
