//! Positions that symmetries fix: the number of positions of each of the 33 classes, and the
//! farthest of the small classes.

use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions};
use crate::lab::Lab;
use crate::main_engine;
use crate::stored_results::StoredResults;
use crate::template::{PageTemplate, row};
use cosette::cube::{Cube, DisplayMoves, Symmetry, SymmetryClass};
use cosette::search::Solver;
use std::collections::BTreeSet;
use std::time::Instant;

const FORMS: &str = include_str!("../pages/symmetric-experiments.md");

/// Maximum number of positions of a class for which all are solved, where positions that symmetries
/// carry to one another count as one.
const LISTED: u128 = 500;

/// The experiment.
pub fn symmetric(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let kept = StoredResults::of(lab, request, "symmetric")?;
    let classes = SymmetryClass::count_positions();
    if kept.is_open() {
        let solver = main_engine::solver(lab)?;
        let end = request.time.map(|time| Instant::now() + time);
        for &(class, count) in classes
            .iter()
            .filter(|&&counted| up_to_symmetry(counted) <= LISTED)
        {
            solve((class, count), &solver, &kept, lab, end)?;
        }
    }
    let mut form = PageTemplate::read(FORMS, "symmetric");
    for &(class, count) in classes.iter().rev() {
        let hardest = kept.get(class.name());
        let number = |place: usize| {
            hardest
                .as_ref()
                .and_then(|values| values.get(place)?.parse::<u64>().ok())
        };
        let solved = number(0);
        let length = number(1);
        let moves = hardest
            .as_ref()
            .map_or(String::new(), |values| values[2..].join(" "));
        form.table("classes").row(row![
            class.name(),
            class.order(),
            class.subgroup_count(),
            count,
            up_to_symmetry((class, count)),
            solved,
            length,
            moves
        ]);
    }
    form.say("listed", LISTED);
    form.say_kept(&kept);
    Ok(form.experiment())
}

/// Solves the positions of a class, and stores their number and the first of the farthest.
fn solve(
    (class, count): (SymmetryClass, u128),
    solver: &Solver,
    kept: &StoredResults,
    lab: &Lab<'_>,
    end: Option<Instant>,
) -> Result<(), LabError> {
    if kept.get(class.name()).is_some() {
        return Ok(());
    }
    let positions: BTreeSet<String> = class
        .positions()
        .map(|position| position.representative().facelets())
        .collect();
    assert_eq!(
        positions.len() as u128,
        up_to_symmetry((class, count)),
        "{class}"
    );
    let mut hardest: Option<(u8, String)> = None;
    for facelets in &positions {
        let position: Cube = facelets.parse().expect("they are those of a position");
        let cancel = end.map_or_else(
            || lab.control.cancel_token().child(),
            |end| {
                lab.control
                    .cancel_token()
                    .child_with_timeout(end.saturating_duration_since(Instant::now()))
            },
        );
        let report = solver.search(&position).with_cancel(&cancel).run();
        lab.check()?;
        let Some(length) = report.length() else {
            return Ok(());
        };
        if hardest.as_ref().is_none_or(|(most, _)| length > *most) {
            let scramble = cosette::cube::inverse(&report.solutions[0]);
            hardest = Some((length, DisplayMoves(&scramble).to_string()));
        }
    }
    match hardest {
        Some((length, moves)) => kept.add(class.name(), &[&positions.len(), &length, &moves]),
        None => Ok(()),
    }
}

/// Returns the number of positions of a class, where positions that symmetries carry to one another
/// count as one.
fn up_to_symmetry((class, count): (SymmetryClass, u128)) -> u128 {
    count * u128::from(class.order()) / Symmetry::COUNT as u128
}
