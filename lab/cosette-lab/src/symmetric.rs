//! Positions that symmetries fix: the number of positions of each of the 33 classes, and the
//! farthest of the small classes.

use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::lab::Lab;
use crate::main_engine;
use crate::record::Record;
use crate::stored_results::StoredResults;
use cosette::Cancel;
use cosette::cube::{Cube, DisplayMoves, Symmetry, SymmetryClass, inverse};
use cosette::numbers::grouped;
use cosette::search::Solver;
use serde_json::json;
use std::collections::BTreeSet;

/// Maximum number of positions of a class for which all are solved, where positions that symmetries
/// carry to one another count as one.
const LISTED: u128 = 500;

/// The experiment.
pub fn symmetric(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let kept = StoredResults::of(lab, request, "symmetric")?;
    let classes = SymmetryClass::count_positions();
    if kept.is_open() {
        let solver = main_engine::solver(lab)?;
        let cancel = lab.control.cancel_token().limited(request.time);
        for &(class, count) in &classes {
            let is_open = kept.get(class.name()).is_none();
            let expected = up_to_symmetry(class, count);
            if is_open && expected <= LISTED {
                solve(class, expected, &solver, &kept, &cancel)?;
                lab.check()?;
            }
        }
    }
    let figures = |&(class, count): &(SymmetryClass, u128)| {
        let moves = kept.get(class.name());
        json!({
            "name": class.name(),
            "symmetries": class.order(),
            "subgroups": class.subgroup_count(),
            // Texts, as they may lie beyond 64 bits.
            "positions": grouped(count),
            "up_to_symmetry": grouped(up_to_symmetry(class, count)),
            // The number of positions solved, the largest distance, and moves to the first there.
            "solved": kept.value::<u64>(class.name(), 0),
            "farthest": kept.value::<u8>(class.name(), 1),
            "moves": moves.map_or(String::new(), |values| values[2..].join(" ")),
        })
    };
    // From the largest number of symmetries.
    let record = json!({
        "listed": LISTED as u64,
        "classes": classes.iter().rev().map(figures).collect::<Vec<_>>(),
    });
    Ok(Record::of_results(&kept, &record))
}

/// Solves the positions of a class, and stores their number and the first of the farthest; if it is
/// cancelled, it stores nothing.
fn solve(
    class: SymmetryClass,
    expected: u128,
    solver: &Solver,
    kept: &StoredResults,
    cancel: &Cancel,
) -> Result<(), LabError> {
    let positions: BTreeSet<String> = class
        .positions()
        .map(|position| position.representative().facelets())
        .collect();
    assert_eq!(positions.len() as u128, expected, "{class}");
    let mut farthest: Option<(u8, String)> = None;
    for facelets in &positions {
        let position: Cube = facelets.parse().expect("they are those of a position");
        let report = solver.search(&position).with_cancel(cancel).run();
        let Some(length) = report.length() else {
            return Ok(());
        };
        if farthest.as_ref().is_none_or(|(most, _)| length > *most) {
            let moves = DisplayMoves(&inverse(&report.solutions[0])).to_string();
            farthest = Some((length, moves));
        }
    }
    match farthest {
        Some((length, moves)) => kept.add(class.name(), &[&positions.len(), &length, &moves]),
        None => Ok(()),
    }
}

/// Returns the number of positions of a class, where positions that symmetries carry to one another
/// count as one.
fn up_to_symmetry(class: SymmetryClass, count: u128) -> u128 {
    count * u128::from(class.order()) / Symmetry::COUNT as u128
}
