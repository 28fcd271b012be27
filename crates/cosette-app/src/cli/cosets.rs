//! Shared parts of the commands for whole cosets: the range of levels, the positions that they
//! leave unmarked, lists of cosets with a journal, and error messages.

use crate::batch::{ListEntry, PositionList};
use crate::cli::args::{SolverArgs, exit_with_usage_error, whole_number};
use crate::cli::batch::report;
use crate::cli::failure::{ErrorReport, Exit, Failure};
use crate::cli::interrupt::Interruptible;
use crate::cli::lines;
use crate::events::write_line;
use crate::journal::{Journal, JournalRecord};
use crate::remedies::{Audience, shell_word, worded};
use crate::request::Request;
use crate::units::grouped;
use clap::Args;
use cosette::Control;
use cosette::block_file::FileError;
use cosette::coset::{
    CosetError, CosetSearch, CosetTables, Level, LevelFolder, MEMBER_COUNT, SearchEffort,
    UnmarkedPosition, coset_class,
};
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Options, Solver, TwoPhaseMode};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::time::Instant;

/// The options that limit the levels of a coset search.
#[derive(Args)]
pub struct LevelArgs {
    /// Stop after the level of MOVES [default: 20, or 26 quarter turns, which every position is
    /// within]
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = whole_number::<u8>(0..=26),
        help_heading = "Search",
    )]
    pub max_distance: Option<u8>,
    /// Find the exact distance of every position; takes about two hours
    #[arg(long, help_heading = "Search")]
    pub exact: bool,
    /// The options of the solver, which solves the positions that no level has marked.
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// Callback for each level; the search ends if it returns `false`.
pub type OnLevel<'a> = dyn FnMut(&CosetSearch<'_>, &Level) -> Result<bool, Failure> + 'a;

/// Callback for a position that no level has marked, its solution, and `true` if the solution is
/// proven shortest.
pub type OnSolved<'a> = dyn FnMut(&Cube, &[Move], bool) -> io::Result<()> + 'a;

/// Maximum number of nodes of the two-phase search of a position, about a second. A position that
/// it does not solve is left to the optimal search.
const MAX_TWO_PHASE_NODES: u64 = 20_000_000;

impl LevelArgs {
    /// Returns the last level.
    pub fn last(&self) -> u8 {
        self.max_distance.unwrap_or(self.metric().diameter())
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.solver.require_table_metric()
    }

    /// Returns the thoroughness of the search of each level.
    pub fn effort(&self) -> SearchEffort {
        if self.exact {
            SearchEffort::Exhaustive
        } else {
            SearchEffort::UntilCovered
        }
    }

    /// Checks the maximum memory and the last level. Ends the command if the last level exceeds the
    /// diameter of the metric.
    ///
    /// # Errors
    ///
    /// Returns an error if a search needs more memory than `--memory` allows.
    pub fn check(&self) -> Result<(), Failure> {
        let diameter = self.metric().diameter();
        if self
            .max_distance
            .is_some_and(|distance| distance > diameter)
        {
            exit_with_usage_error(&format!(
                "every position is within {diameter} moves; remove --max-distance, or set it to at \
                    most {diameter}"
            ));
        }
        check_memory(&self.solver)
    }

    /// Advances a search through the levels. Each level is restored from the folder, or searched
    /// and saved there; then `on_level` is called with it. Ends early if `on_level` returns
    /// `false`. Returns the number of moves of the last complete level: all positions within that
    /// many moves are marked.
    ///
    /// # Errors
    ///
    /// Returns an error of the search, of the folder or of `on_level`.
    pub fn advance(
        &self,
        search: &mut CosetSearch<'_>,
        mut folder: Option<&mut LevelFolder>,
        control: &Control<'_>,
        on_level: &mut OnLevel<'_>,
    ) -> Result<u8, Failure> {
        let mut complete = 0;
        loop {
            let next_moves = search.level().map_or(0, |level| level.moves + 1);
            // After an incomplete level, an exact search solves the unmarked positions one by one.
            let stops_after_level = search
                .level()
                .is_some_and(|level| self.exact && !level.is_complete);
            if search.count() == MEMBER_COUNT || next_moves > self.last() || stops_after_level {
                return Ok(complete);
            }
            let mut restored = None;
            if let Some(folder) = &mut folder {
                restored = search.restore(folder, control).map_err(failed)?;
            }
            let level = match restored {
                Some(level) => level,
                None => {
                    let level = search.advance(self.effort(), control).map_err(failed)?;
                    if let Some(folder) = &mut folder {
                        search.save(folder, control).map_err(failed)?;
                    }
                    level
                }
            };
            if level.is_complete {
                complete = level.moves;
            }
            if !on_level(search, &level)? {
                return Ok(complete);
            }
        }
    }

    /// Solves the positions that no level has marked, with the optimal search. In htm, if distances
    /// need not be exact, the two-phase search tries each position first.
    ///
    /// # Errors
    ///
    /// Returns an error of the searches or of `on_solved`.
    pub fn solve_unmarked(
        &self,
        search: &CosetSearch<'_>,
        control: &Control<'_>,
        on_solved: &mut OnSolved<'_>,
    ) -> Result<(), Failure> {
        let metric = self.metric();
        let unsolved = |position| UnmarkedPosition {
            position,
            solution: None,
        };
        let positions = if self.exact || metric == Metric::Qtm {
            search.unmarked().map(unsolved).collect()
        } else {
            let solved = search.solve_unmarked(metric.diameter(), MAX_TWO_PHASE_NODES, control);
            solved.map_err(failed)?
        };
        let solver = OnceCell::new();
        for UnmarkedPosition { position, solution } in positions {
            // A position without a solution is left to the optimal search.
            let is_shortest = solution.is_none();
            let solution =
                solution.map_or_else(|| self.shortest_solution(&position, &solver), Ok)?;
            on_solved(&position, &solution, is_shortest)?;
        }
        Ok(())
    }

    /// Returns a shortest solution, from a solver that is opened on first use.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if a table is missing, or on interruption.
    pub fn shortest_solution(
        &self,
        position: &Cube,
        solver: &OnceCell<Solver>,
    ) -> Result<Vec<Move>, Failure> {
        if solver.get().is_none() {
            // This cannot fail: the cell is empty.
            let _ = solver.set(self.solver.solver()?);
        }
        let work = Interruptible::start();
        let options = Options {
            two_phase: TwoPhaseMode::Upfront,
            ..Options::default()
        };
        let search = solver.get().expect("it was set").search(position);
        let report = search.options(options).with_cancel(&work.cancel).run();
        let solution = report.solutions.into_iter().next();
        solution.ok_or_else(|| failed(CosetError::Cancelled))
    }
}

/// Checks the maximum memory.
///
/// # Errors
///
/// Returns an error if a search needs more memory than `--memory` allows.
pub fn check_memory(solver: &SolverArgs) -> Result<(), Failure> {
    let needed = cosette::coset::memory_bytes();
    match solver.memory.filter(|&memory| memory < needed) {
        Some(available) => {
            let error = CosetError::TooLittleMemory { needed, available };
            Err(Failure::new(
                error.to_string(),
                "raise --memory (or COSETTE_MEMORY), or remove it",
            ))
        }
        None => Ok(()),
    }
}

/// The numbers of positions of a coset by distance.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct CosetCounts {
    /// Number of positions within each number of moves.
    pub within: BTreeMap<u8, u64>,
    /// The last number of moves for which `within` is exact; beyond it, the counts are lower
    /// bounds.
    pub exact_to: u8,
    /// Number of the positions that no level has marked, by the length of the solution found for
    /// each of them.
    pub left: BTreeMap<u8, u64>,
    /// Wall-clock time, in seconds.
    pub seconds: f64,
}

impl fmt::Display for CosetCounts {
    /// Formats the counts, with `≥` before lower bounds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (&moves, &count) in self.within.iter().filter(|&(_, &count)| count > 0) {
            let is_exact = moves <= self.exact_to || count == MEMBER_COUNT;
            let sign = if is_exact { "" } else { "≥" };
            write!(f, "{separator}{moves}: {sign}{}", grouped(count))?;
            separator = ", ";
        }
        for (moves, &count) in &self.left {
            write!(f, ", {} in {moves}", grouped(count))?;
        }
        Ok(())
    }
}

impl CosetCounts {
    /// Counts the positions of the coset of a new search, by distance.
    ///
    /// # Errors
    ///
    /// The errors of [`LevelArgs::advance`] and [`LevelArgs::solve_unmarked`].
    pub fn of(
        args: &LevelArgs,
        search: &mut CosetSearch<'_>,
        control: &Control<'_>,
    ) -> Result<CosetCounts, Failure> {
        let start = Instant::now();
        let mut counted = CosetCounts::default();
        counted.exact_to = args.advance(search, None, control, &mut |_, level| {
            counted.within.insert(level.moves, level.total);
            Ok(true)
        })?;
        if args.last() >= args.metric().diameter() && search.count() < MEMBER_COUNT {
            args.solve_unmarked(search, control, &mut |_, solution, _| {
                let length = args.metric().length(solution) as u8;
                *counted.left.entry(length).or_default() += 1;
                Ok(())
            })?;
        }
        counted.seconds = start.elapsed().as_secs_f64();
        Ok(counted)
    }
}

/// Converts an error of a coset search to the failure of a command. A cancellation counts as an
/// interruption.
pub fn failed(error: CosetError) -> Failure {
    let exit = if matches!(error, CosetError::Cancelled) {
        Exit::Interrupted
    } else {
        Exit::Error
    };
    let help = match &error {
        CosetError::Levels(error) => remedy(error),
        error => error
            .remedy()
            .map(|remedy| worded(&remedy, Audience::Command)),
    };
    Failure::Other(ErrorReport {
        message: error.to_string(),
        help,
        exit,
    })
}

/// Returns the remedy for an error of a folder of levels.
fn remedy(error: &FileError) -> Option<String> {
    Some(match error {
        FileError::Io { source, .. } => match source.kind() {
            ErrorKind::PermissionDenied => "use a folder that you can read and write".into(),
            ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                "use a new folder, or one created with --save".into()
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                "free disk space, then run the same command again to resume from the saved levels"
                    .into()
            }
            _ => return None,
        },
        FileError::TooLittleDisk { .. } => "free disk space, or use another folder".into(),
        FileError::BeingGenerated { .. } => {
            "wait until that process has ended, or use another folder".into()
        }
        FileError::OtherVersion { .. } | FileError::OtherNumbering { .. } => {
            "use the version of the program that wrote it, or another folder".into()
        }
        FileError::OtherContents { .. } => {
            "use the same position and options as before, or another folder".into()
        }
        FileError::CorruptedHeader { path }
        | FileError::CorruptedBlock { path, .. }
        | FileError::WrongLength { path, .. }
        | FileError::OtherFormat { path } => {
            let path = shell_word(path);
            format!("remove it with `rm {path}`: that level and later ones are then searched again")
        }
        _ => return None,
    })
}

/// A record of the journal: the counts of a coset. The settings of the journal are the options that
/// affect the counts: the metric, the last level, and whether distances are exact.
#[derive(Serialize, Deserialize)]
struct CosetRecord {
    /// The class of the coset.
    class: u64,
    counted: CosetCounts,
}

impl JournalRecord for CosetRecord {
    const KIND: &'static str = "cosets";
    const VERSION: u32 = 3;
    const STANDS_ALONE: bool = true;
}

/// A position of the list.
struct CosetPosition {
    text: String,
    cube: Cube,
    /// The class of its coset.
    class: u64,
}

/// The cosets of a list of positions.
pub struct CosetList {
    metric: String,
    positions: Vec<CosetPosition>,
    counts_by_class: BTreeMap<u64, CosetCounts>,
    journal: Option<Journal<CosetRecord>>,
    /// Exit code of the command, unless an error follows.
    exit: Exit,
}

/// The result of a position as JSON.
#[derive(Serialize)]
struct CosetAnswer<'a> {
    input: &'a str,
    facelets: String,
    metric: &'a str,
    #[serde(flatten)]
    counted: &'a CosetCounts,
}

impl CosetList {
    /// Reads a list, and the journal, which may have the counts of some of its cosets. Invalid
    /// lines are reported.
    ///
    /// # Errors
    ///
    /// Returns an error if the list or the journal cannot be read, or if the journal has other
    /// settings.
    pub fn open(
        file: &Path,
        request: &Request,
        args: &LevelArgs,
        journal: Option<&Path>,
    ) -> Result<CosetList, Failure> {
        let list = PositionList::read(lines::of_file(file)?.0, request);
        report(&list);
        let position = |entry: &ListEntry| {
            let cube = entry.input.as_ref().ok()?.cube;
            Some(CosetPosition {
                text: entry.text.clone(),
                cube,
                class: coset_class(&cube),
            })
        };
        let positions: Vec<CosetPosition> = list.entries().iter().filter_map(position).collect();
        let exit = if positions.len() == list.entries().len() {
            Exit::Success
        } else {
            Exit::NotACube
        };
        let metric = args.metric().name().to_owned();
        let settings = [
            ("metric", metric.clone()),
            ("max-distance", args.last().to_string()),
            ("exact", args.exact.to_string()),
        ];
        let mut counts_by_class = BTreeMap::new();
        let mut add = |_, record: CosetRecord| {
            counts_by_class.insert(record.class, record.counted);
            Ok(())
        };
        let journal = journal
            .map(|path| Journal::open(path, settings, &mut add))
            .transpose()?;
        Ok(CosetList {
            metric,
            positions,
            counts_by_class,
            journal,
            exit,
        })
    }

    /// Returns one position of each class of cosets that is not counted yet.
    pub fn remaining(&self) -> Vec<Cube> {
        let mut classes: BTreeSet<u64> = self.counts_by_class.keys().copied().collect();
        self.positions
            .iter()
            .filter(|position| classes.insert(position.class))
            .map(|position| position.cube)
            .collect()
    }

    /// Prints the counts of the cosets in the journal, and the counts of each other coset once
    /// `count` has counted it and the journal has its counts.
    ///
    /// # Errors
    ///
    /// Returns an error if the journal or the output cannot be written, or an error of `count`.
    pub fn answer(
        mut self,
        as_json: bool,
        out: &mut impl Write,
        count: impl FnOnce(
            Vec<Cube>,
            &mut dyn FnMut(&Cube, CosetCounts) -> Result<(), Failure>,
        ) -> Result<(), Failure>,
    ) -> Result<Exit, Failure> {
        for class in self.counts_by_class.keys().copied().collect::<Vec<_>>() {
            self.write(class, as_json, out)?;
        }
        let remaining = self.remaining();
        count(remaining, &mut |cube, counted| {
            let class = coset_class(cube);
            if let Some(journal) = &mut self.journal {
                journal.append(&CosetRecord {
                    class,
                    counted: counted.clone(),
                });
                journal.commit()?;
            }
            self.counts_by_class.insert(class, counted);
            Ok(self.write(class, as_json, out)?)
        })?;
        Ok(self.exit)
    }

    /// Prints the counts of the positions whose cosets have this class.
    fn write(&self, class: u64, as_json: bool, out: &mut impl Write) -> io::Result<()> {
        let counted = &self.counts_by_class[&class];
        let positions = self.positions.iter();
        for CosetPosition { text, cube, .. } in positions.filter(|position| position.class == class)
        {
            if as_json {
                let answer = CosetAnswer {
                    input: text,
                    facelets: cube.facelets(),
                    metric: &self.metric,
                    counted,
                };
                write_line(out, &answer)?;
            } else {
                writeln!(out, "{text}  {counted}")?;
            }
        }
        out.flush()
    }
}

/// Counts the cosets of these positions one after the other, and calls `on_counted` with each
/// position and its counts.
///
/// # Errors
///
/// Returns an error if memory is insufficient, on cancellation, or an error of `on_counted`.
pub fn count_cosets(
    args: &LevelArgs,
    positions: impl IntoIterator<Item = Cube>,
    control: &Control<'_>,
    on_counted: &mut dyn FnMut(&Cube, CosetCounts) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut positions = positions.into_iter().peekable();
    let Some(first) = positions.peek() else {
        return Ok(());
    };
    let tables = CosetTables::generate(args.metric(), control).map_err(failed)?;
    let mut search = CosetSearch::new(&tables, first).map_err(failed)?;
    for position in positions {
        // The search of the first position has no level yet.
        if search.level().is_some() {
            search.restart(&position, control).map_err(failed)?;
        }
        on_counted(&position, CosetCounts::of(args, &mut search, control)?)?;
    }
    Ok(())
}
