//! `cosette coset`: all positions of a coset at once.

use clap::Args;
use cosette::Control;
use cosette::coset::{CosetSearch, CosetTables, Level, MEMBERS, Saved};
use cosette::cube::{Cube, Format, Metric, Moves, ReadOptions, read_position};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{journal_path, one_of, usage, whole_number};
use cosette_app::cli::coset_list::{CosetList, count_cosets};
use cosette_app::cli::cosets::{LevelArgs, OnSolved, failed};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::stderr::hint;
use cosette_app::cli::tables::with_progress;
use cosette_app::json;
use cosette_app::request::Request;
use cosette_app::words::{counted, grouped};
use serde::Serialize;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Prove how far all 19,508,428,800 positions of a coset are
///
/// The coset of a position holds all positions that U, D, R2, F2, L2 and B2, and then the moves to the position, lead to: those
/// with corners and edges oriented as in it, and the edges between U and D in the same slots. Every one is shown to be within 20 moves, most by being a move from another; with --exact, all distances are found. It takes 5.7 GB of memory, and prints
/// how many positions are within each number of moves, or at least so many (≥). With --save, each level is kept in a file at once: however the command was
/// stopped, the next run continues after the last level, and what the file has is not searched again.
#[derive(Args)]
#[command(override_usage = "cosette coset [OPTIONS] <POSITION>...\n       cosette coset [OPTIONS] --batch <FILE>")]
pub struct CosetArgs {
    /// A position of the coset: moves or facelets
    #[arg(value_name = "POSITION", required_unless_present_any = ["batch", "journal"])]
    position: Vec<String>,
    /// Count the cosets of the positions in this file, one per line; - reads standard input. A coset that equals another up to
    /// symmetry is not searched again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "save", "list", "sample"])]
    batch: Option<PathBuf>,
    /// Keep the counts of --batch in this file, and do not repeat cosets that it has
    #[arg(long, value_name = "FILE", value_parser = journal_path(), requires = "batch", conflicts_with = "position")]
    journal: Option<PathBuf>,
    /// The format of the position [default: recognised]
    #[arg(long, value_parser = one_of(Format::ALL, Format::name))]
    format: Option<Format>,
    /// Keep the levels in this file, some 4 GB, and continue from those it has
    #[arg(long, value_name = "FILE", value_parser = journal_path())]
    save: Option<PathBuf>,
    /// Print the positions at this distance: all as far as levels are complete, which is up to 15 but for cosets of positions near H, some at the
    /// next, and beyond only with --exact
    #[arg(long, value_name = "DISTANCE", value_parser = whole_number::<u8>(0..=26))]
    list: Option<u8>,
    /// Print at most this many positions of --list
    #[arg(short = 'n', long, value_name = "N", requires = "list", value_parser = whole_number::<usize>(1..=u64::MAX))]
    count: Option<usize>,
    /// Draw this many positions of the coset, and print each with its distance, or with what it is at most (`≤17`) or more than (`>6`)
    #[arg(long, value_name = "N", conflicts_with = "list", value_parser = whole_number::<usize>(1..=10_000_000))]
    sample: Option<usize>,
    /// The random seed of --sample
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "sample", value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Print JSON, a line for each number of moves, and for each position
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    levels: LevelArgs,
}

/// A position with what is known about its distance, as `cosette check` reads it.
#[derive(Serialize)]
struct Labelled {
    facelets: String,
    metric: &'static str,
    /// It is at least this.
    lower_bound: Option<u8>,
    /// It is at most this; `None` if that is not known.
    upper_bound: Option<u8>,
}

impl Labelled {
    fn new(position: &Cube, metric: Metric) -> Labelled {
        Labelled { facelets: position.facelets(), metric: metric.name(), lower_bound: None, upper_bound: None }
    }

    /// Notes that the position is within so many moves, or exactly so far.
    fn note(&mut self, moves: u8, is_exact: bool) {
        (self.lower_bound, self.upper_bound) = (is_exact.then_some(moves), Some(moves));
    }

    fn write(&self, as_json: bool, out: &mut impl Write) -> io::Result<()> {
        let Labelled { facelets, lower_bound, upper_bound, .. } = self;
        match (lower_bound, upper_bound) {
            _ if as_json => json::write_line(out, self),
            (least, Some(most)) if least == &Some(*most) => writeln!(out, "{facelets} {most}"),
            (_, Some(most)) => writeln!(out, "{facelets} ≤{most}"),
            (least, None) => writeln!(out, "{facelets} >{}", least.map_or(0, |least| least - 1)),
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &CosetArgs) -> Result<Exit, Failure> {
    args.levels.check()?;
    if let Some(file) = &args.batch {
        return count_list(args, file);
    }
    let text = args.position.join(" ");
    let not_a_cube = |error| Failure::NotACube { error, text: Box::new(text.clone().into()) };
    let position = read_position(&text, args.format, &ReadOptions::default()).map_err(not_a_cube)?.cube;
    let last = args.levels.last();
    if args.list.is_some_and(|distance| distance > last) {
        usage(&format!("the levels end at {last}: list at most that distance"));
    }
    with_progress(args.levels.solver.store.threads.count(), |control| coset(args, &position, control))
}

fn coset(args: &CosetArgs, position: &Cube, control: &Control<'_>) -> Result<Exit, Failure> {
    let (mut out, metric) = (anstream::stdout(), args.levels.metric());
    let open = |path| Saved::open(path, position, metric, args.levels.effort());
    let mut saved = args.save.as_deref().map(open).transpose().map_err(|error| failed(error.into()))?;
    // Positions of one coset may differ; the file has one of them.
    let position = saved.as_ref().map_or(*position, |saved| *saved.position());
    let tables = CosetTables::new(metric);
    let mut search = CosetSearch::new(&tables, &position).map_err(failed)?;
    let positions = search.random_positions(args.seed).take(args.sample.unwrap_or_default());
    let mut drawn: Vec<(Cube, Labelled)> =
        positions.map(|position| (position, Labelled::new(&position, metric))).collect();
    if !args.json && args.sample.is_none() && args.list.is_none() {
        writeln!(out, "{BOLD}moves   positions within   by a pass     by search    seconds{BOLD:#}")?;
    }
    // No position is within so many moves that is not marked.
    let mut complete = 0;
    args.levels.advance(&mut search, saved.as_mut(), control, &mut |search, level| {
        show(args, level, &mut out)?;
        let is_open = !level.is_complete && level.total < MEMBERS;
        if is_open && !args.levels.exact && args.list.is_some_and(|distance| distance > level.moves) {
            let message = format!("not all positions within {} moves are known", level.moves);
            return Err(Failure::new(message, format!("add --exact, or list at most distance {}", level.moves)));
        }
        complete = if level.is_complete { level.moves } else { complete };
        for (position, label) in drawn.iter_mut().filter(|(_, label)| label.upper_bound.is_none()) {
            if search.contains(position) == Some(true) {
                label.note(level.moves, level.is_exact);
            }
        }
        Ok(args.list != Some(level.moves))
    })?;
    if let Some(distance) = args.list {
        return list(args, &search, distance, &mut out);
    }
    if args.sample.is_some() {
        return sample(args, drawn, complete, &mut out);
    }
    if args.levels.last() < metric.diameter() {
        Ok(Exit::Solved)
    } else {
        settle(args, &search, complete, control, &mut out)
    }
}

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
    let is_all = level.is_complete || *total == MEMBERS;
    writeln!(
        out,
        "{moves:>5} {:>18} {:>14} {:>13} {seconds:>8.2}",
        format!("{}{}", if is_all { "" } else { "≥" }, grouped(*total)),
        grouped(*by_pass),
        grouped(*by_search)
    )
}

/// Prints the positions at a distance: those of the last level and, of those that exact levels leave, what is solved in as many moves.
fn list(args: &CosetArgs, search: &CosetSearch<'_>, distance: u8, out: &mut impl Write) -> Result<Exit, Failure> {
    let (level, metric) = (search.level().expect("one is searched"), args.levels.metric());
    let is_open = !level.is_complete && search.count() < MEMBERS;
    if is_open && !args.levels.exact {
        hint(format_args!("these are not all at distance {distance}: --exact finds all"));
    }
    let is_marked = level.moves == distance && level.by_pass + level.by_search > 0;
    let marked = is_marked.then(|| search.newly_marked().map(Ok));
    let solver = OnceCell::new();
    let solved = |position: Cube| match args.levels.solved(&position, &solver) {
        Ok(solution) => (metric.length(&solution) == usize::from(distance)).then_some(Ok(position)),
        Err(failure) => Some(Err(failure)),
    };
    let left = (is_open && args.levels.exact).then(|| search.left().filter_map(solved));
    let mut are_any = false;
    for position in
        marked.into_iter().flatten().chain(left.into_iter().flatten()).take(args.count.unwrap_or(usize::MAX))
    {
        are_any = true;
        let position = position?;
        let mut label = Labelled::new(&position, metric);
        label.note(distance, true);
        label.write(args.json, out)?;
    }
    if !are_any {
        hint(format_args!("no position of the coset is at distance {distance}"));
    }
    Ok(Exit::Solved)
}

/// Prints the positions that were drawn; those that no level has marked are solved, unless the levels end before the last. All that
/// are within `complete` moves are marked.
fn sample(args: &CosetArgs, drawn: Vec<(Cube, Labelled)>, complete: u8, out: &mut impl Write) -> Result<Exit, Failure> {
    let solver = OnceCell::new();
    for (position, mut label) in drawn {
        if label.upper_bound.is_none() && args.levels.within.is_none() {
            let solution = args.levels.solved(&position, &solver)?;
            label.note(args.levels.metric().length(&solution) as u8, true);
        }
        label.lower_bound.get_or_insert(complete + 1);
        label.write(args.json, out)?;
    }
    Ok(Exit::Solved)
}

/// Solves what is left, and prints it. All that are within `complete` moves are marked.
fn settle(
    args: &CosetArgs,
    search: &CosetSearch<'_>,
    complete: u8,
    control: &Control<'_>,
    out: &mut impl Write,
) -> Result<Exit, Failure> {
    let left = MEMBERS - search.count();
    if left == 0 {
        return Ok(Exit::Solved);
    }
    hint(format_args!("{} left", counted(left, "position")));
    write_left((args.json, args.levels.metric(), complete), out, |on_solved| {
        args.levels.settle(search, control, on_solved)
    })?;
    Ok(Exit::Solved)
}

/// Prints the positions that `settle` solves: as JSON all; as text those whose solutions are shortest, and how many the others are.
fn write_left(
    (as_json, metric, complete): (bool, Metric, u8),
    out: &mut impl Write,
    settle: impl FnOnce(&mut OnSolved<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut by_length = BTreeMap::<u8, u64>::new();
    settle(&mut |position, solution, is_shortest| {
        let length = metric.length(solution) as u8;
        if as_json {
            let mut label = Labelled::new(position, metric);
            label.note(length, is_shortest);
            label.lower_bound.get_or_insert(complete + 1);
            label.write(true, out)?;
        } else if is_shortest {
            writeln!(out, "{} {length} {}", position.facelets(), Moves(solution))?;
        } else {
            *by_length.entry(length).or_default() += 1;
        }
        Ok(())
    })?;
    for (length, count) in by_length {
        writeln!(out, "within {length} moves by themselves: {}", grouped(count))?;
    }
    Ok(())
}

/// Counts the cosets of a list.
fn count_list(args: &CosetArgs, file: &Path) -> Result<Exit, Failure> {
    let request = Request { format: args.format, ..Request::default() };
    let list = CosetList::open(file, &request, &args.levels, args.journal.as_deref())?;
    with_progress(args.levels.solver.store.threads.count(), |control| {
        list.answer(args.json, &mut anstream::stdout(), |remaining, on_counted| {
            count_cosets(&args.levels, remaining, control, on_counted)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{Move, inverse};

    #[test]
    fn a_label_says_what_is_known() {
        for (lower_bound, upper_bound, said) in
            [(Some(6), Some(6), "6"), (Some(16), Some(17), "≤17"), (Some(7), None, ">6"), (None, Some(20), "≤20")]
        {
            let label = Labelled { lower_bound, upper_bound, ..Labelled::new(&Cube::SOLVED, Metric::Htm) };
            let mut out = Vec::new();
            label.write(false, &mut out).unwrap();
            assert!(String::from_utf8(out).unwrap().ends_with(&format!(" {said}\n")));
        }
    }

    #[test]
    fn what_is_left_is_printed_as_the_rest() {
        let moves: Vec<Move> = ["R", "U", "F2"].map(|name| name.parse().unwrap()).to_vec();
        let position = Cube::from_moves(&inverse(&moves));
        let printed = |as_json| {
            let mut out = Vec::new();
            let settle = |on_solved: &mut OnSolved<'_>| {
                on_solved(&position, &moves, true)?;
                Ok(on_solved(&position, &moves, false)?)
            };
            write_left((as_json, Metric::Htm, 1), &mut out, settle).unwrap();
            String::from_utf8(out).unwrap()
        };
        let facelets = position.facelets();
        assert_eq!(printed(false), format!("{facelets} 3 R U F2\nwithin 3 moves by themselves: 1\n"));
        let bounds = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["facelets"], facelets);
            [&line["lower_bound"], &line["upper_bound"]].map(|bound| bound.as_u64().unwrap())
        };
        assert_eq!(printed(true).lines().map(bounds).collect::<Vec<_>>(), [[3, 3], [2, 3]]);
    }
}
