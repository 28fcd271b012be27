//! Shared parts of the commands for whole cosets: the range of levels, the positions left after
//! them, and error messages.

use crate::cli::args::{SolverArgs, exit_with_usage_error, whole_number};
use crate::cli::failure::{ErrorReport, Exit, Failure};
use crate::cli::interrupt::Interruptible;
use crate::remedies::{Audience, shell_word, worded};
use clap::Args;
use cosette::Control;
use cosette::block_file::FileError;
use cosette::coset::{
    CosetError, CosetSearch, Level, LevelFolder, MEMBER_COUNT, SearchEffort, UnmarkedPosition,
};
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Options, Solver, TwoPhaseMode};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
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
    /// The options of the solver for the positions left after the levels.
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// Callback for each level; the search ends if it returns `false`.
pub type OnLevel<'a> = dyn FnMut(&CosetSearch<'_>, &Level) -> Result<bool, Failure> + 'a;

/// Callback for a position that no level has marked, its solution, and `true` if that is proven
/// shortest.
pub type OnSolved<'a> = dyn FnMut(&Cube, &[Move], bool) -> io::Result<()> + 'a;

/// Number of nodes of the two-phase search after which a position is left to the optimal search:
/// about a second.
const NODES: u64 = 20_000_000;

impl LevelArgs {
    /// Returns the last level.
    pub fn last(&self) -> u8 {
        self.max_distance.unwrap_or(self.metric().diameter())
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.solver.require_table_metric()
    }

    /// Returns the depth to which each level is searched.
    pub fn effort(&self) -> SearchEffort {
        if self.exact {
            SearchEffort::Exhaustive
        } else {
            SearchEffort::UntilCovered
        }
    }

    /// Checks the maximum memory and the last level. Ends the command if the level exceeds the
    /// diameter of the metric.
    ///
    /// # Errors
    ///
    /// Returns an error if a search needs more memory than `--memory` allows.
    pub fn check(&self) -> Result<(), Failure> {
        let most = self.metric().diameter();
        if self.max_distance.is_some_and(|distance| distance > most) {
            exit_with_usage_error(&format!(
                "every position is within {most} moves; remove --max-distance, or set it to at \
                    most {most}"
            ));
        }
        check_memory(&self.solver)
    }

    /// Iterates over the levels, first those of a folder and then by search, and calls `on_level`
    /// with each. A searched level is saved before. Ends early if `on_level` returns `false`.
    /// Returns the number of moves within which all positions are marked.
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
            let moves = search.level().map_or(0, |level| level.moves + 1);
            // In exact searches, the positions left are solved one by one.
            let is_partial = search
                .level()
                .is_some_and(|level| self.exact && !level.is_complete);
            if search.count() == MEMBER_COUNT || moves > self.last() || is_partial {
                return Ok(complete);
            }
            let restored = folder
                .as_mut()
                .map_or(Ok(None), |folder| search.restore(folder, control))
                .map_err(failed)?;
            let level = match restored {
                Some(level) => level,
                None => search.advance(self.effort(), control).map_err(failed)?,
            };
            if let Some(folder) = folder.as_mut().filter(|_| restored.is_none()) {
                search.save(folder, control).map_err(failed)?;
            }
            if level.is_complete {
                complete = level.moves;
            }
            if !on_level(search, &level)? {
                return Ok(complete);
            }
        }
    }

    /// Solves the positions that no level has marked: with the two-phase search if distances need
    /// not be exact, and the others with the optimal search.
    ///
    /// # Errors
    ///
    /// Returns an error of these searches or of `on_solved`.
    pub fn settle(
        &self,
        search: &CosetSearch<'_>,
        control: &Control<'_>,
        on_solved: &mut OnSolved<'_>,
    ) -> Result<(), Failure> {
        let metric = self.metric();
        let positions = match self.exact || metric == Metric::Qtm {
            true => search
                .unmarked()
                .map(|position| UnmarkedPosition {
                    position,
                    solution: None,
                })
                .collect(),
            false => search
                .solve_unmarked(metric.diameter(), NODES, control)
                .map_err(failed)?,
        };
        let solver = OnceCell::new();
        for UnmarkedPosition { position, solution } in positions {
            let is_shortest = solution.is_none();
            let solution = solution.map_or_else(|| self.solved(&position, &solver), Ok)?;
            on_solved(&position, &solution, is_shortest)?;
        }
        Ok(())
    }

    /// Returns a shortest solution, from a solver that is opened on first use.
    ///
    /// # Errors
    ///
    /// Returns [`Failure`] if a table is missing, or on interruption.
    pub fn solved(&self, position: &Cube, solver: &OnceCell<Solver>) -> Result<Vec<Move>, Failure> {
        if solver.get().is_none() {
            let _ = solver.set(self.solver.solver()?);
        }
        let work = Interruptible::start();
        let options = Options {
            two_phase: TwoPhaseMode::Upfront,
            ..Options::default()
        };
        let search = solver.get().expect("it was set").search(position);
        let report = search.options(options).with_cancel(&work.cancel).run();
        report
            .solutions
            .into_iter()
            .next()
            .ok_or_else(|| failed(CosetError::Cancelled))
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CosetCounts {
    /// Number of positions within each number of moves.
    pub within: BTreeMap<u8, u64>,
    /// The last number of moves for which `within` is exact; beyond it, the counts are lower
    /// bounds.
    pub exact_to: u8,
    /// Number of positions beyond the last level with a solution of each length, found one by one.
    pub left: BTreeMap<u8, u64>,
    /// Wall-clock time, in seconds.
    pub seconds: f64,
}

impl CosetCounts {
    /// Counts the positions of the coset of a search that has not begun.
    ///
    /// # Errors
    ///
    /// The errors of [`LevelArgs::advance`] and [`LevelArgs::settle`].
    pub fn of(
        args: &LevelArgs,
        search: &mut CosetSearch<'_>,
        control: &Control<'_>,
    ) -> Result<CosetCounts, Failure> {
        let start = Instant::now();
        let mut counted = CosetCounts {
            within: BTreeMap::new(),
            exact_to: 0,
            left: BTreeMap::new(),
            seconds: 0.0,
        };
        counted.exact_to = args.advance(search, None, control, &mut |_, level| {
            counted.within.insert(level.moves, level.total);
            Ok(true)
        })?;
        if args.last() >= args.metric().diameter() && search.count() < MEMBER_COUNT {
            args.settle(search, control, &mut |_, solution, _| {
                *counted
                    .left
                    .entry(args.metric().length(solution) as u8)
                    .or_default() += 1;
                Ok(())
            })?;
        }
        counted.seconds = start.elapsed().as_secs_f64();
        Ok(counted)
    }
}

/// Converts an error of a coset search to the failure of a command. A cancellation is an
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
