//! `cosette check` for files of `cosette coset --save`.

use cosette::coset::{CosetSearch, CosetTables, LevelFile, SearchEffort};
use cosette::cube::{Cube, Move};
use cosette::{Control, ThreadCount};
use cosette_app::cli::cosets::failed;
use cosette_app::cli::failure::Failure;
use cosette_app::cli::tables::with_progress;
use cosette_app::units::{counted, grouped};
use cosette_check::Check;
use std::io::{self, Write};
use std::path::Path;

/// Number of positions of each level that are sampled.
const DRAWN: usize = 1000;
/// Number of sampled positions of each level that are proven again, if they are near enough.
const PROVEN: usize = 20;

/// Verifies the file, and prints a summary.
///
/// # Errors
///
/// The first fault, or an interruption.
pub fn check(path: &Path, prove: u8, check: &mut Check) -> Result<(), Failure> {
    with_progress(ThreadCount::available(), |control| {
        levels(path, prove, check, control)
    })
}

fn levels(path: &Path, prove: u8, check: &mut Check, control: &Control<'_>) -> Result<(), Failure> {
    let saved = LevelFile::open_existing(path).map_err(|error| failed(error.into()))?;
    let (metric, name) = (saved.metric(), path.display());
    let tables = CosetTables::new(metric);
    let mut search = CosetSearch::new(&tables, saved.position()).map_err(failed)?;
    let mut neighbors: Vec<(Cube, Cube)> = Vec::new();
    let mut looked_at: u64 = 0;
    let mut proven: u64 = 0;
    while let Some(level) = search.restore(&saved, control).map_err(failed)? {
        for (position, neighbor) in neighbors.drain(..) {
            looked_at += 1;
            if search.is_marked(&neighbor) != Some(true) {
                let position = position.facelets();
                let neighbor = neighbor.facelets();
                let message = format!(
                    "level {} of {name} lacks {neighbor}, which is one move from {position}",
                    level.moves
                );
                return Err(Failure::new(
                    message,
                    "remove the file and search again; if the error remains, please report it",
                ));
            }
        }
        let moves = Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1);
        for position in search.newly_marked().take(DRAWN) {
            // A move before the position, which gives another position of the coset if it is in H.
            let before = moves.clone().map(|m| Cube::from_moves(&[m]) * position);
            let of_coset = before.filter(|neighbor| search.is_marked(neighbor).is_some());
            neighbors.extend(of_coset.map(|neighbor| (position, neighbor)));
        }
        for position in search
            .newly_marked()
            .take(PROVEN)
            .filter(|_| level.is_exact && level.moves <= prove)
        {
            proven += 1;
            let (facelets, moves) = (position.facelets(), level.moves);
            let bounds = format!(
                r#"{{"facelets":"{facelets}","metric":"{metric}","lower_bound":{moves},"upper_bound":{moves}}}"#
            );
            check.check_line(&name.to_string(), usize::from(moves), &bounds);
        }
    }
    let Some(last) = search.level() else {
        return Err(Failure::new(
            format!("{name} has no levels yet"),
            "run the command that created it again",
        ));
    };
    let distances = if saved.search_effort() == SearchEffort::Exhaustive {
        "distances"
    } else {
        "bounds"
    };
    writeln!(
        io::stdout(),
        "{name}: {distances} in {metric} to {}, {} positions of the coset of {}: checksums and counts are correct, no position is in \
         two levels, {} of positions are at most one move farther, {} proven again; the other distances were not proven again",
        counted(last.moves.into(), "move"),
        grouped(last.total),
        saved.position().facelets(),
        counted(looked_at, "neighbor"),
        counted(proven, "distance"),
    )?;
    Ok(())
}
