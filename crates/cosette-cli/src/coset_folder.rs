//! `cosette check` for folders of `cosette coset --save`.

use cosette::block_file::FileError;
use cosette::coset::{CosetSearch, CosetTables, LevelFolder, SearchEffort};
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

/// Verifies the levels in a folder, and prints a summary.
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
    let mut neighbors: Vec<(Cube, Cube)> = Vec::new();
    let mut looked_at: u64 = 0;
    let mut proven: u64 = 0;
    while let Some(level) = search.restore(&folder, control).map_err(failed)? {
        check_neighbors(&neighbors, &search, level.moves, &name)?;
        looked_at += neighbors.len() as u64;
        neighbors.clear();
        let moves = Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1);
        for position in search.newly_marked().take(DRAWN) {
            // A move before the position, which gives another position of the coset if it is in H.
            let before = moves.clone().map(|m| Cube::from_moves(&[m]) * position);
            let of_coset = before.filter(|neighbor| search.is_marked(neighbor).is_some());
            neighbors.extend(of_coset.map(|neighbor| (position, neighbor)));
        }
        let moves = level.moves;
        if !level.is_exact || moves > prove {
            continue;
        }
        for position in search.newly_marked().take(PROVEN) {
            proven += 1;
            let facelets = position.facelets();
            let bounds = format!(
                r#"{{"facelets":"{facelets}","metric":"{metric}","lower_bound":{moves},"upper_bound":{moves}}}"#
            );
            check.check_line(&name, usize::from(moves), &bounds);
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
        counted(looked_at, "neighbor"),
        counted(proven, "distance"),
    )?;
    Ok(())
}

/// Checks that all neighbors of positions of the level before are marked.
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
