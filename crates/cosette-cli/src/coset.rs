//! `cosette coset`: the distances of all positions of a coset.

use clap::{Args, ValueHint};
use cosette::Control;
use cosette::coset::{CosetSearch, CosetTables, Level, LevelFolder, MEMBER_COUNT};
use cosette::cube::{Cube, DisplayMoves, Format, Metric, Move, ParseOptions, parse_position};
use cosette_app::cli::BOLD;
use cosette_app::cli::args::{exit_with_usage_error, journal_path, one_of, whole_number};
use cosette_app::cli::cosets::{CosetList, LevelArgs, OnLevel, count_cosets, failed};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::stderr::hint;
use cosette_app::cli::tables::with_progress;
use cosette_app::events::write_line;
use cosette_app::request::Request;
use cosette_app::units::{counted, grouped};
use serde::Serialize;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Bound the distances of all 19,508,428,800 positions of a coset of the domino subgroup
///
/// Let H be the group of U, D, R2, F2, L2 and B2. The coset of POSITION is the set of positions
/// reached by moves of H and then the moves of POSITION: those with corners and edges oriented as
/// in POSITION, and the edges of the middle layer in the same slots.
///
/// The command proves that every position of the coset is within 20 moves, most of them because
/// they are one move from another; with --exact, it finds all distances. It prints the number of
/// positions within each number of moves, or a lower bound of it (≥). It needs 5.7 GB of memory.
///
/// With --save, each level is stored in a folder as soon as it is complete: even if the command is
/// killed, the next run resumes after the last level.
#[derive(Args)]
#[command(
    override_usage = "cosette coset [OPTIONS] <POSITION>...\n       cosette coset [OPTIONS] \
        --batch <FILE>"
)]
pub struct CosetArgs {
    /// Any position of the coset: moves or facelets
    #[arg(value_name = "POSITION", required_unless_present_any = ["batch", "journal"])]
    position: Vec<String>,
    /// Count the cosets of the positions in FILE, one per line; - reads standard input. A coset
    /// that is equivalent to an earlier one under symmetry is not searched again
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["position", "save", "list", "sample"],
        help_heading = "Input",
    )]
    batch: Option<PathBuf>,
    /// Store the counts of --batch in FILE, and skip cosets that it contains
    #[arg(
        long,
        value_name = "FILE",
        value_parser = journal_path(),
        requires = "batch",
        conflicts_with = "position",
        help_heading = "Search",
    )]
    journal: Option<PathBuf>,
    /// Input format [default: detected]
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = one_of(Format::ALL, Format::name),
        help_heading = "Input",
    )]
    input_format: Option<Format>,
    /// Store the levels in FOLDER (about 4 GB), and resume after those it contains
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath, help_heading = "Search")]
    save: Option<PathBuf>,
    /// Print the positions at DISTANCE. The list is complete up to about 15 moves (less for cosets
    /// of positions near H), partial at the next distance, and beyond needs --exact
    #[arg(
        long,
        value_name = "DISTANCE",
        value_parser = whole_number::<u8>(0..=26),
        help_heading = "Output",
    )]
    list: Option<u8>,
    /// Print at most N positions of --list
    #[arg(
        short = 'n',
        long,
        value_name = "N",
        requires = "list",
        value_parser = whole_number::<usize>(1..=u64::MAX),
        help_heading = "Output",
    )]
    count: Option<usize>,
    /// Draw N positions of the coset, and print each with its distance, or with an upper bound
    /// (`≤17`) or a strict lower bound (`>6`)
    #[arg(
        long,
        value_name = "N",
        conflicts_with = "list",
        value_parser = whole_number::<usize>(1..=10_000_000),
        help_heading = "Output",
    )]
    sample: Option<usize>,
    /// Random seed of --sample
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        requires = "sample",
        value_parser = whole_number::<u64>(0..=u64::MAX),
        help_heading = "Output",
    )]
    seed: u64,
    /// Print JSON Lines: one object per level, or per position with --list and --sample
    #[arg(long, help_heading = "Output")]
    json: bool,
    #[command(flatten)]
    levels: LevelArgs,
}

/// A position with bounds on its distance, in the format that `cosette check` reads.
#[derive(Serialize)]
struct LabeledPosition {
    facelets: String,
    metric: &'static str,
    /// Lower bound on the distance; `None` if none is known.
    lower_bound: Option<u8>,
    /// Upper bound on the distance; `None` if none is known.
    upper_bound: Option<u8>,
}

impl LabeledPosition {
    fn new(position: &Cube, metric: Metric) -> LabeledPosition {
        LabeledPosition {
            facelets: position.facelets(),
            metric: metric.name(),
            lower_bound: None,
            upper_bound: None,
        }
    }

    /// Sets the bounds of a distance of at most `moves`, or exactly `moves` if `is_exact`.
    fn set_bounds(&mut self, moves: u8, is_exact: bool) {
        self.lower_bound = is_exact.then_some(moves);
        self.upper_bound = Some(moves);
    }

    fn write(&self, as_json: bool, out: &mut impl Write) -> io::Result<()> {
        let LabeledPosition {
            facelets,
            lower_bound,
            upper_bound,
            ..
        } = self;
        match (lower_bound, upper_bound) {
            _ if as_json => write_line(out, self),
            (lower, Some(upper)) if lower == &Some(*upper) => writeln!(out, "{facelets} {upper}"),
            (_, Some(upper)) => writeln!(out, "{facelets} ≤{upper}"),
            (lower, None) => writeln!(out, "{facelets} >{}", lower.map_or(0, |lower| lower - 1)),
        }
    }
}

/// Runs the subcommand.
pub fn run(args: &CosetArgs) -> Result<Exit, Failure> {
    args.levels.check()?;
    if let Some(file) = &args.batch {
        return count_list(args, file);
    }
    let read = |text: &str| parse_position(text, args.input_format, &ParseOptions::default());
    let text = InputText::from(args.position.join(" "));
    let position = text.read(read)?.cube;
    let last = args.levels.last();
    if args.list.is_some_and(|distance| distance > last) {
        exit_with_usage_error(&format!(
            "the levels end at distance {last}; list a distance of at most {last}"
        ));
    }
    with_progress(args.levels.solver.store.threads.count(), |control| {
        coset(args, &position, control)
    })
}

fn coset(args: &CosetArgs, position: &Cube, control: &Control<'_>) -> Result<Exit, Failure> {
    let metric = args.levels.metric();
    let open = |path| LevelFolder::open_or_create(path, position, metric, args.levels.effort());
    let folder = args.save.as_deref().map(open).transpose();
    let folder = folder.map_err(|error| failed(error.into()))?;
    // The folder may have been created with another position of the coset.
    let position = folder
        .as_ref()
        .map_or(*position, |folder| *folder.position());
    let tables = CosetTables::new(metric);
    let coset = CosetCommand {
        args,
        control,
        search: CosetSearch::new(&tables, &position).map_err(failed)?,
        folder,
    };
    let mut out = anstream::stdout();
    if let Some(distance) = args.list {
        coset.list(distance, &mut out)
    } else if let Some(count) = args.sample {
        coset.sample(count, &mut out)
    } else {
        coset.count(&mut out)
    }
}

/// A search through a coset, and its options.
struct CosetCommand<'a> {
    args: &'a CosetArgs,
    control: &'a Control<'a>,
    search: CosetSearch<'a>,
    /// The folder of `--save`.
    folder: Option<LevelFolder>,
}

impl CosetCommand<'_> {
    /// Searches the levels, and returns the number of moves within which all positions are marked.
    fn advance(&mut self, on_level: &mut OnLevel<'_>) -> Result<u8, Failure> {
        let folder = self.folder.as_mut();
        self.args
            .levels
            .advance(&mut self.search, folder, self.control, on_level)
    }

    /// Prints the number of positions of each level, then the positions that no level has marked.
    fn count(mut self, out: &mut impl Write) -> Result<Exit, Failure> {
        let as_json = self.args.json;
        if !as_json {
            writeln!(
                out,
                "{BOLD}moves   positions within     by pass     by search    seconds{BOLD:#}"
            )?;
        }
        let complete = self.advance(&mut |_, level| {
            write_level(level, as_json, out)?;
            Ok(true)
        })?;
        let levels = &self.args.levels;
        let metric = levels.metric();
        let unmarked_count = MEMBER_COUNT - self.search.count();
        if levels.last() < metric.diameter() || unmarked_count == 0 {
            return Ok(Exit::Success);
        }
        hint(format_args!(
            "{} remaining",
            counted(unmarked_count, "position")
        ));
        let mut remaining = RemainingPositions {
            as_json,
            metric,
            complete,
            by_length: BTreeMap::new(),
        };
        levels.solve_unmarked(
            &self.search,
            self.control,
            &mut |position, solution, is_shortest| {
                remaining.write(position, solution, is_shortest, out)
            },
        )?;
        remaining.finish(out)?;
        Ok(Exit::Success)
    }

    /// Prints the positions at a distance: those that the level of this distance has marked, and,
    /// with `--exact`, unmarked positions whose shortest solutions have this length.
    fn list(mut self, distance: u8, out: &mut impl Write) -> Result<Exit, Failure> {
        let args = self.args;
        self.advance(&mut |_, level| {
            if is_open(level) && !args.levels.exact && distance > level.moves {
                let message = format!("not all positions within {} moves are known", level.moves);
                let help = format!("add --exact, or list a distance of at most {}", level.moves);
                return Err(Failure::new(message, help));
            }
            Ok(distance != level.moves)
        })?;
        let search = &self.search;
        let metric = args.levels.metric();
        let level = search.level().expect("one is searched");
        if is_open(level) && !args.levels.exact {
            hint(format_args!(
                "these are not all positions at distance {distance}; add --exact to find all"
            ));
        }
        let is_marked = level.moves == distance && level.by_pass + level.by_search > 0;
        let marked = is_marked.then(|| search.newly_marked().map(Ok));
        let solver = OnceCell::new();
        let solved = |position: Cube| match args.levels.shortest_solution(&position, &solver) {
            Ok(solution) => {
                (metric.length(&solution) == usize::from(distance)).then_some(Ok(position))
            }
            Err(failure) => Some(Err(failure)),
        };
        let are_unmarked_solved = is_open(level) && args.levels.exact;
        let unmarked = are_unmarked_solved.then(|| search.unmarked().filter_map(solved));
        let listed = marked.into_iter().flatten();
        let listed = listed.chain(unmarked.into_iter().flatten());
        let mut is_any_listed = false;
        for position in listed.take(args.count.unwrap_or(usize::MAX)) {
            is_any_listed = true;
            let mut label = LabeledPosition::new(&position?, metric);
            label.set_bounds(distance, true);
            label.write(args.json, out)?;
        }
        if !is_any_listed {
            hint(format_args!(
                "no position of the coset is at distance {distance}"
            ));
        }
        Ok(Exit::Success)
    }

    /// Prints drawn positions. Positions that no level has marked are solved, unless
    /// `--max-distance` ends the levels early.
    fn sample(mut self, count: usize, out: &mut impl Write) -> Result<Exit, Failure> {
        let args = self.args;
        let metric = args.levels.metric();
        let positions = self.search.random_positions(args.seed).take(count);
        let mut drawn: Vec<(Cube, LabeledPosition)> = positions
            .map(|position| (position, LabeledPosition::new(&position, metric)))
            .collect();
        let complete = self.advance(&mut |search, level| {
            let unlabeled = drawn
                .iter_mut()
                .filter(|(_, label)| label.upper_bound.is_none());
            for (position, label) in unlabeled {
                if search.is_marked(position) == Some(true) {
                    label.set_bounds(level.moves, level.is_exact);
                }
            }
            Ok(true)
        })?;
        let solver = OnceCell::new();
        for (position, mut label) in drawn {
            if label.upper_bound.is_none() && args.levels.max_distance.is_none() {
                let solution = args.levels.shortest_solution(&position, &solver)?;
                label.set_bounds(metric.length(&solution) as u8, true);
            }
            label.lower_bound.get_or_insert(complete + 1);
            label.write(args.json, out)?;
        }
        Ok(Exit::Success)
    }
}

/// Returns `true` if a level leaves positions within its moves unmarked.
fn is_open(level: &Level) -> bool {
    !level.is_complete && level.total < MEMBER_COUNT
}

/// Prints a level.
fn write_level(level: &Level, as_json: bool, out: &mut impl Write) -> io::Result<()> {
    if as_json {
        return write_line(out, level);
    }
    let total = grouped(level.total);
    let seconds = (level.pass_time + level.search_time).as_secs_f64();
    writeln!(
        out,
        "{:>5} {:>18} {:>14} {:>13} {seconds:>8.2}",
        level.moves,
        if is_open(level) {
            format!("≥{total}")
        } else {
            total
        },
        grouped(level.by_pass),
        grouped(level.by_search)
    )
}

/// Prints the positions that no level has marked: as JSON, all of them; as text, those with proven
/// shortest solutions, and the numbers of the others.
struct RemainingPositions {
    as_json: bool,
    metric: Metric,
    /// All positions within this number of moves are marked.
    complete: u8,
    /// Number of positions without a proven shortest solution, by the length of their solution.
    by_length: BTreeMap<u8, u64>,
}

impl RemainingPositions {
    fn write(
        &mut self,
        position: &Cube,
        solution: &[Move],
        is_shortest: bool,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let length = self.metric.length(solution) as u8;
        if self.as_json {
            let mut label = LabeledPosition::new(position, self.metric);
            label.set_bounds(length, is_shortest);
            label.lower_bound.get_or_insert(self.complete + 1);
            return label.write(true, out);
        }
        if !is_shortest {
            *self.by_length.entry(length).or_default() += 1;
            return Ok(());
        }
        let facelets = position.facelets();
        writeln!(out, "{facelets} {length} {}", DisplayMoves(solution))
    }

    fn finish(self, out: &mut impl Write) -> io::Result<()> {
        for (length, count) in self.by_length {
            writeln!(
                out,
                "solved individually within {length} moves: {}",
                grouped(count)
            )?;
        }
        Ok(())
    }
}

/// Counts the cosets of a list.
fn count_list(args: &CosetArgs, file: &Path) -> Result<Exit, Failure> {
    let request = Request {
        format: args.input_format,
        ..Request::default()
    };
    let list = CosetList::open(file, &request, &args.levels, args.journal.as_deref())?;
    with_progress(args.levels.solver.store.threads.count(), |control| {
        list.answer(
            args.json,
            &mut anstream::stdout(),
            |remaining, on_counted| count_cosets(&args.levels, remaining, control, on_counted),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::inverse;

    #[test]
    fn positions_are_printed_with_their_bounds() {
        let moves: Vec<Move> = ["R", "U", "F2"].map(|name| name.parse().unwrap()).to_vec();
        let position = Cube::from_moves(&inverse(&moves));
        let facelets = position.facelets();
        let mut out = Vec::new();
        for (lower_bound, upper_bound) in [
            (Some(6), Some(6)),
            (Some(16), Some(17)),
            (Some(7), None),
            (None, Some(20)),
        ] {
            let label = LabeledPosition {
                lower_bound,
                upper_bound,
                ..LabeledPosition::new(&position, Metric::Htm)
            };
            label.write(false, &mut out).unwrap();
        }
        for as_json in [false, true] {
            let mut remaining = RemainingPositions {
                as_json,
                metric: Metric::Htm,
                complete: 1,
                by_length: BTreeMap::new(),
            };
            remaining.write(&position, &moves, true, &mut out).unwrap();
            remaining.write(&position, &moves, false, &mut out).unwrap();
            remaining.finish(&mut out).unwrap();
        }
        let printed = String::from_utf8(out).unwrap();
        let expected = [
            "POSITION 6",
            "POSITION ≤17",
            "POSITION >6",
            "POSITION ≤20",
            "POSITION 3 R U F2",
            "solved individually within 3 moves: 1",
            r#"{"facelets":"POSITION","metric":"htm","lower_bound":3,"upper_bound":3}"#,
            r#"{"facelets":"POSITION","metric":"htm","lower_bound":2,"upper_bound":3}"#,
        ];
        let printed = printed.replace(&facelets, "POSITION");
        assert_eq!(printed.lines().collect::<Vec<_>>(), expected);
    }
}
