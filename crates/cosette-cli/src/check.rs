//! `cosette check`: verifies results of any solver, with a model of the cube that shares no code
//! with the solver of Cosette.

use clap::Args;
use cosette::block_file::FileError;
use cosette::coset::{CosetSearch, CosetTables, LevelFolder, SearchEffort};
use cosette::cube::{Cube, DisplayMoves, Metric, Move};
use cosette::{Control, ThreadCount};
use cosette_app::cli::args::whole_number;
use cosette_app::cli::cosets::failed;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr;
use cosette_app::cli::tables::with_progress;
use cosette_app::journal::is_damaged;
use cosette_app::units::{counted, grouped};
use cosette_check::{Check, CheckReport};
use cosette_fmc::writeup_check;
use serde_json::json;
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
    let is_right = match args.write_up {
        true => check_write_ups(&args.files)?,
        false => check_results(args)?,
    };
    Ok(match is_right {
        true => Exit::Success,
        false => Exit::Error,
    })
}

/// Checks files of results and folders of levels, and prints the errors and a summary. Returns
/// `true` if there is something to check and no error.
fn check_results(args: &CheckArgs) -> Result<bool, Failure> {
    let mut check = Check::new(usize::from(args.prove));
    let (folders, files): (Vec<&PathBuf>, Vec<_>) =
        args.files.iter().partition(|path| path.is_dir());
    // Kept until the end, as the faults of the other files are shown first.
    let mut failures = Vec::new();
    for path in &folders {
        failures.extend(check_levels(path, args.prove, &mut check).err());
    }
    for path in files {
        failures.extend(check_file(path, &mut check).err());
    }
    let report = check.finish();
    let last_failure = failures.pop();
    let is_any_read = report.answers > 0 || failures.len() + 1 < args.files.len();
    if last_failure.is_none() || is_any_read {
        write_report(&report, !folders.is_empty())?;
    }
    failures.into_iter().for_each(Failure::report);
    if let Some(failure) = last_failure {
        return Err(failure);
    }
    let count = report.answers + report.not_checked + folders.len();
    Ok(report.faults.is_empty() && count > 0)
}

fn write_report(report: &CheckReport, has_levels: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let count = |count: usize, noun: &str| counted(count as u64, noun);
    for fault in &report.faults {
        writeln!(out, "{fault}")?;
    }
    if let Some(first) = &report.first_not_checked {
        let note = match report.not_checked {
            1 => String::new(),
            all => format!("; {} like this", count(all, "answer")),
        };
        writeln!(
            out,
            "{first}: not checked, because it is not a full solve with face turns{note}"
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
            0 if report.answers == 0 && !has_levels => "nothing to check".to_owned(),
            0 => "no errors".to_owned(),
            faults => count(faults, "error"),
        }
    )
}

/// Checks write-ups, and prints the name of each if there are several. Returns `true` if none has
/// errors.
fn check_write_ups(files: &[PathBuf]) -> Result<bool, Failure> {
    let mut is_right = true;
    for path in files {
        if files.len() > 1 {
            writeln!(io::stdout(), "{}:", path.display())?;
        }
        is_right &= check_write_up(path)?;
    }
    Ok(is_right)
}

/// Reads a file with one attempt, or standard input.
pub fn read_write_up(path: &Path) -> Result<String, Failure> {
    const HELP: &str = "use a file with one attempt: a scramble, then one step per line";
    let mut text = Vec::new();
    opened(path)
        .and_then(|(_, input)| {
            let mut input = input.take(MAX_WRITE_UP);
            let read = input.read_to_end(&mut text);
            read.map_err(|error| unreadable(path, &error))
        })
        .map_err(|failure| Failure::new(failure.to_string(), HELP))?;
    if text.len() as u64 == MAX_WRITE_UP {
        let message = format!("{} is too long for a write-up", path.display());
        return Err(Failure::new(message, HELP));
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Checks a write-up, and prints the reductions of each line and the errors. Returns `true` for a
/// write-up without errors.
fn check_write_up(path: &Path) -> Result<bool, Failure> {
    let checked = writeup_check::check(&read_write_up(path)?);
    let mut out = io::stdout().lock();
    if checked.scramble_line > 0 {
        writeln!(out, "line {}: the scramble", checked.scramble_line)?;
    }
    for step in &checked.steps {
        let reductions: String = step.reductions.iter().map(|it| format!(" {it}")).collect();
        let comma = if reductions.is_empty() { "" } else { "," };
        writeln!(
            out,
            "line {}: {} // {} in total{comma}{reductions}",
            step.line, step.moves, step.total
        )?;
    }
    for error in &checked.errors {
        writeln!(out, "{error}")?;
    }
    if let Some(solution) = checked.solution {
        writeln!(
            out,
            "solved in {}: {}",
            counted(solution.len() as u64, "move"),
            DisplayMoves(&solution)
        )?;
    }
    let is_right = checked.errors.is_empty();
    if is_right {
        writeln!(out, "no errors")?;
    }
    Ok(is_right)
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
fn check_file(path: &Path, check: &mut Check) -> Result<(), Failure> {
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
        // `cosette batch` ignores such a line as well, and solves its position again.
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

/// Number of positions of each level whose neighbors are checked.
const SAMPLED: usize = 1000;
/// Number of positions of each level, up to the distance of `--prove`, that are proven again.
const PROVEN: usize = 20;

/// Returns sampled positions of the last level, each with a neighbor in the coset.
fn sampled_neighbors(search: &CosetSearch<'_>, metric: Metric) -> Vec<(Cube, Cube)> {
    let mut neighbors = Vec::new();
    let unit_moves = Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1);
    for position in search.newly_marked().take(SAMPLED) {
        // A move of H before the moves of the position gives another position of the coset.
        let candidates = unit_moves
            .clone()
            .map(|m| Cube::from_moves(&[m]) * position);
        let in_coset = candidates.filter(|neighbor| search.is_marked(neighbor).is_some());
        neighbors.extend(in_coset.map(|neighbor| (position, neighbor)));
    }
    neighbors
}

/// Verifies the levels in a folder, and prints a summary.
fn check_levels(path: &Path, prove: u8, check: &mut Check) -> Result<(), Failure> {
    with_progress(ThreadCount::available(), |control| {
        verify_levels(path, prove, check, control)
    })
}

/// Implements [`check_levels`].
fn verify_levels(
    path: &Path,
    prove: u8,
    check: &mut Check,
    control: &Control<'_>,
) -> Result<(), Failure> {
    let name = path.display().to_string();
    let folder = LevelFolder::open_existing(path).map_err(|error| match error {
        FileError::NotFound { .. } => Failure::new(
            format!("{name} has no levels"),
            "name a folder of `cosette coset --save`",
        ),
        error => failed(error.into()),
    })?;
    let metric = folder.metric();
    let tables = CosetTables::new(metric);
    let mut search = CosetSearch::new(&tables, folder.position()).map_err(failed)?;
    // The sampled neighbors of the last level.
    let mut neighbors: Vec<(Cube, Cube)> = Vec::new();
    let mut neighbor_count: u64 = 0;
    let mut proven: u64 = 0;
    while let Some(level) = search.restore(&folder, control).map_err(failed)? {
        check_neighbors(&neighbors, &search, level.moves, &name)?;
        neighbor_count += neighbors.len() as u64;
        neighbors = sampled_neighbors(&search, metric);
        let moves = level.moves;
        if !level.is_exact || moves > prove {
            continue;
        }
        for position in search.newly_marked().take(PROVEN) {
            proven += 1;
            let bounds = json!({
                "facelets": position.facelets(),
                "metric": metric.name(),
                "lower_bound": moves,
                "upper_bound": moves,
            });
            check.check_line(&name, usize::from(moves), &bounds.to_string());
        }
    }
    let last = search.level().expect("the folder has levels");
    let distances = if folder.search_effort() == SearchEffort::Exhaustive {
        "distances"
    } else {
        "bounds"
    };
    writeln!(
        io::stdout(),
        "{name}: {distances} in {metric} to {}, {} positions of the coset of {}: checksums and \
         counts are correct, no position is in two levels, {} of positions are at most one move \
         farther, {} proven again; the other distances were not proven again",
        counted(last.moves.into(), "move"),
        grouped(last.total),
        folder.position().facelets(),
        counted(neighbor_count, "neighbor"),
        counted(proven, "distance"),
    )?;
    Ok(())
}

/// Checks that the neighbors of positions of the level before are marked, now that the level of
/// `moves` moves is.
fn check_neighbors(
    neighbors: &[(Cube, Cube)],
    search: &CosetSearch<'_>,
    moves: u8,
    name: &str,
) -> Result<(), Failure> {
    let is_missing = |(_, neighbor): &&(Cube, Cube)| search.is_marked(neighbor) != Some(true);
    let Some((position, neighbor)) = neighbors.iter().find(is_missing) else {
        return Ok(());
    };
    let position = position.facelets();
    let neighbor = neighbor.facelets();
    Err(Failure::new(
        format!("level {moves} of {name} lacks {neighbor}, which is one move from {position}"),
        "remove the folder and search again; if the error remains, please report it",
    ))
}
