//! What commands about whole cosets share: how far their levels go, what is left after them, and how errors are worded.

use crate::cli::args::{SolverArgs, usage, whole_number};
use crate::cli::failure::{ErrorReport, Exit, Failure};
use crate::cli::interrupt::Interruptible;
use crate::remedies::{Audience, shell_word, worded};
use clap::Args;
use cosette::Control;
use cosette::coset::{CosetError, CosetSearch, Effort, Level, MEMBERS, Saved, SavedError};
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Options, Solver, TwoPhaseUse};
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::time::Instant;

/// How far the levels go.
#[derive(Args)]
pub struct LevelArgs {
    /// Stop after this many moves [default: 20, or 26 quarter turns: every position is within so many]
    #[arg(long, value_name = "MOVES", value_parser = whole_number::<u8>(0..=26))]
    pub within: Option<u8>,
    /// Find the distance of every position: some two hours
    #[arg(long)]
    pub exact: bool,
    /// What solves the positions that are left.
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// Takes a position that no level has marked, its solution, and whether that is proven shortest.
pub type OnSolved<'a> = dyn FnMut(&Cube, &[Move], bool) -> io::Result<()> + 'a;

/// The nodes of the two-phase search after which a position is left to the optimal search: about a second.
const NODES: u64 = 20_000_000;

impl LevelArgs {
    /// The last level.
    pub fn last(&self) -> u8 {
        self.within.unwrap_or(self.metric().diameter())
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.solver.metric()
    }

    /// How far each level is searched.
    pub fn effort(&self) -> Effort {
        if self.exact { Effort::All } else { Effort::Enough }
    }

    /// Fails if a search takes more memory than it may. Ends the command if the levels would go beyond the last one.
    pub fn check(&self) -> Result<(), Failure> {
        let most = self.metric().diameter();
        if self.within.is_some_and(|within| within > most) {
            usage(&format!("every position is within {most} moves: leave out --within, or give at most {most}"));
        }
        check_memory(&self.solver)
    }

    /// Goes through the levels, as far as a file has them and then by search, and calls `on_level` with each; each that was searched
    /// is saved before. It ends early where `on_level` returns `false`. Fails as the search does, or as `on_level` does.
    pub fn advance(
        &self,
        search: &mut CosetSearch<'_>,
        mut saved: Option<&mut Saved>,
        control: &Control<'_>,
        on_level: &mut dyn FnMut(&CosetSearch<'_>, &Level) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        loop {
            let moves = search.level().map_or(0, |level| level.moves + 1);
            // In exact levels, what is left is solved one by one.
            let is_partial = search.level().is_some_and(|level| self.exact && !level.is_complete);
            if search.count() == MEMBERS || moves > self.last() || is_partial {
                return Ok(());
            }
            let restored = saved.as_mut().map_or(Ok(None), |saved| search.restore(saved, control)).map_err(failed)?;
            let level = match restored {
                Some(level) => level,
                None => search.advance(self.effort(), control).map_err(failed)?,
            };
            if let Some(saved) = saved.as_mut().filter(|_| restored.is_none()) {
                search.save(saved, control).map_err(failed)?;
            }
            if !on_level(search, &level)? {
                return Ok(());
            }
        }
    }

    /// Solves the positions that no level has marked: by the two-phase search where distances need not be exact, and the others by
    /// the optimal search. Fails as these do, or as `on_solved` does.
    pub fn settle(
        &self,
        search: &CosetSearch<'_>,
        control: &Control<'_>,
        on_solved: &mut OnSolved<'_>,
    ) -> Result<(), Failure> {
        let metric = self.metric();
        let positions = match self.exact || metric == Metric::Qtm {
            true => search.left().map(|position| (position, None)).collect(),
            false => search.settle(metric.diameter(), NODES, control).map_err(failed)?,
        };
        let solver = OnceCell::new();
        for (position, found) in positions {
            let is_shortest = found.is_none();
            let solution = found.map_or_else(|| self.solved(&position, &solver), Ok)?;
            on_solved(&position, &solution, is_shortest)?;
        }
        Ok(())
    }

    /// A shortest solution, by a solver that is opened for the first. Fails if there is no table, or on interruption.
    pub fn solved(&self, position: &Cube, solver: &OnceCell<Solver>) -> Result<Vec<Move>, Failure> {
        if solver.get().is_none() {
            let _ = solver.set(self.solver.solver()?);
        }
        let work = Interruptible::start();
        let options = Options { two_phase: TwoPhaseUse::AtOnce, ..Options::default() };
        let search = solver.get().expect("it was set").search(position);
        let report = search.options(options).cancel(&work.cancel).run();
        report.solutions.into_iter().next().ok_or_else(|| failed(CosetError::Cancelled))
    }
}

/// Fails if a search takes more memory than it may.
pub fn check_memory(solver: &SolverArgs) -> Result<(), Failure> {
    let needed = cosette::coset::bytes();
    match solver.memory.filter(|&memory| memory < needed) {
        Some(available) => {
            let error = CosetError::TooLittleMemory { needed, available };
            Err(Failure::new(error.to_string(), "raise --memory (or COSETTE_MEMORY), or leave it out"))
        }
        None => Ok(()),
    }
}

/// What is known of a coset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counted {
    /// How many positions are within so many moves.
    pub within: BTreeMap<u8, u64>,
    /// Up to here the numbers are exact; from here on more positions may be within so many moves.
    pub exact_to: u8,
    /// Of those that are not within the last level, how many have a solution of so many moves, found one by one.
    pub left: BTreeMap<u8, u64>,
    /// How long it took.
    pub seconds: f64,
}

impl Counted {
    /// Counts the positions of the coset at which a search begins. Fails as [`LevelArgs::advance`] does.
    pub fn of(args: &LevelArgs, search: &mut CosetSearch<'_>, control: &Control<'_>) -> Result<Counted, Failure> {
        let start = Instant::now();
        let mut counted = Counted { within: BTreeMap::new(), exact_to: 0, left: BTreeMap::new(), seconds: 0.0 };
        args.advance(search, None, control, &mut |_, level| {
            counted.within.insert(level.moves, level.total);
            counted.exact_to = if level.is_complete { level.moves } else { counted.exact_to };
            Ok(true)
        })?;
        if args.last() >= args.metric().diameter() && search.count() < MEMBERS {
            args.settle(search, control, &mut |_, solution, _| {
                *counted.left.entry(args.metric().length(solution) as u8).or_default() += 1;
                Ok(())
            })?;
        }
        counted.seconds = start.elapsed().as_secs_f64();
        Ok(counted)
    }
}

/// The failure of a command: Ctrl-C ends it with what is printed.
pub fn failed(error: CosetError) -> Failure {
    let exit = if matches!(error, CosetError::Cancelled) { Exit::Interrupted } else { Exit::Error };
    let help = match &error {
        CosetError::Saved(error) => remedy(error),
        error => error.remedy().map(|remedy| worded(&remedy, Audience::Command)),
    };
    Failure::Other(ErrorReport { message: error.to_string(), help, exit })
}

/// How to fix a file of levels.
fn remedy(error: &SavedError) -> Option<String> {
    Some(match error {
        SavedError::Io { source, .. } => match source.kind() {
            ErrorKind::NotFound => "create its folder first, or name a file in another".into(),
            ErrorKind::PermissionDenied => "name a file that you may read and write".into(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
                "free disk space; the same command continues from the levels that the file has".into()
            }
            _ => return None,
        },
        SavedError::Locked { .. } => "wait until that process has ended, or name another file".into(),
        SavedError::Foreign { .. } => "name a new file, or one that was created with --save".into(),
        SavedError::Version { .. } => "use the version of the program that wrote it, or name another file".into(),
        SavedError::Damaged { path, level: 0, .. } => format!("remove {} and start again", path.display()),
        SavedError::Damaged { path, offset, .. } => {
            let path = shell_word(path);
            format!("cut it off there: `truncate -s {offset} {path}`; that level and those after it are searched again")
        }
        SavedError::Other { .. } => "give the position and the options of the file, or name another file".into(),
        _ => return None,
    })
}
