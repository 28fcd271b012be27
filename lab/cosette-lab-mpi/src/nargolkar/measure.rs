//! The searches that are measured, in order.

use super::coordinator::{Coordinator, divided};
use super::message::{Problem, Split};
use super::record::{Record, Recorder, Search, Subject};
use cosette::cube::{Cube, Metric};
use cosette_lab::nargolkar::patterns::{Pattern, superflip, superflip_distance};
use cosette_mpi::world::World;
use std::io;

/// The line of appendix C that solves the position of appendix B.
pub const SOLVES_APPENDIX_B: usize = 17;

/// Which searches are measured.
pub struct Selection<'a> {
    /// What is counted.
    pub metrics: &'a [Metric],
    /// The lines of appendix C with these printed depths; all if there are none.
    pub depths: &'a [u8],
    /// No search begins a limit whose tree is likely to have more nodes.
    pub budget: u64,
    /// Whether rank 0 only coordinates.
    pub coordinates_only: bool,
    /// Whether only the sequential program is measured.
    pub sequential_only: bool,
}

/// Searches every position in every way, and records each search as soon as it has ended. Fails if one proves another
/// distance than the known one.
pub fn measure(
    world: &World,
    coordinator: &mut Coordinator<'_, '_>,
    selection: &Selection<'_>,
    recorder: &mut Recorder,
) -> io::Result<()> {
    for &metric in selection.metrics {
        for subject in subjects(selection) {
            let (position, distance) = position_of(subject, metric);
            let (facelets, last, split) = (position.facelets(), metric.diameter(), Split::Sequential);
            let problem = Problem { facelets, metric, last, split };
            let searching = world.size() - usize::from(selection.coordinates_only);
            let mut record = |split, outcome| {
                let search = Search { ranks: world.size(), searching, subject, metric, split, outcome };
                check(&search, distance)?;
                recorder.write(&if selection.sequential_only { Record::Alone(search) } else { Record::Search(search) })
            };
            let alone = coordinator.solve_alone(&problem, selection.budget);
            record(Split::Sequential, alone.clone())?;
            if selection.sequential_only {
                continue;
            }
            record(Split::Fastest, coordinator.solve_fastest(&divided(&problem, Split::Fastest, &alone)))?;
            // Without a solution the first goal taken is that of the search by limits: none.
            let is_solved = alone.length.is_some();
            for split in [Split::Limits, Split::Unproven, Split::Subtrees] {
                if is_solved || split != Split::Unproven {
                    record(split, coordinator.solve(&divided(&problem, split, &alone)))?;
                }
            }
        }
    }
    Ok(())
}

fn subjects(selection: &Selection<'_>) -> Vec<Subject> {
    let depths = selection.depths;
    let patterns = Pattern::all().iter().filter(|pattern| depths.is_empty() || depths.contains(&pattern.printed));
    let mut subjects: Vec<Subject> =
        patterns.flat_map(|pattern| [Subject::Pattern(pattern.number), Subject::Inverse(pattern.number)]).collect();
    if depths.is_empty() {
        subjects.push(Subject::Superflip);
    }
    subjects
}

/// The position of a subject and its proven distance.
fn position_of(subject: Subject, metric: Metric) -> (Cube, u8) {
    let pattern = |number: usize| &Pattern::all()[number - 1];
    match subject {
        Subject::Pattern(number) => (pattern(number).position(), pattern(number).distance(metric)),
        Subject::Inverse(number) => (pattern(number).position().inverse(), pattern(number).distance(metric)),
        Subject::Superflip => (superflip(), superflip_distance(metric)),
    }
}

fn check(search: &Search, distance: u8) -> io::Result<()> {
    let Search { subject, metric, split, outcome, .. } = search;
    let is_wrong = |length| if *split == Split::Unproven { length < distance } else { length != distance };
    match outcome.length {
        Some(length) if is_wrong(length) => Err(io::Error::other(format!(
            "internal error: {subject:?} is {distance} moves from solved in {metric}, but the search by {split} found {length}"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette_lab::reid::appendix_b;

    #[test]
    fn a_line_of_appendix_c_solves_the_position_of_appendix_b() {
        assert_eq!(Pattern::all()[SOLVES_APPENDIX_B - 1].position().inverse(), appendix_b());
    }
}
