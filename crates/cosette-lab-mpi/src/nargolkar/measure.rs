//! The searches that are measured, in order.

use super::coordinator::{Coordinator, divided};
use super::message::{Problem, Split};
use super::patterns::{Pattern, superflip, superflip_distance};
use super::record::{Record, Recorder, Search, Subject};
use cosette::cube::{Cube, Metric};
use cosette_lab::reid::appendix_b;
use cosette_mpi::world::World;
use std::io;

/// The line of appendix C that solves the position of appendix B.
const SOLVES_APPENDIX_B: usize = 17;

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
        for subject in subjects(selection.depths, metric) {
            let (position, distance) = position_of(subject, metric);
            let by_parity = subject != Subject::Log;
            let problem = Problem {
                facelets: position.facelets(),
                metric,
                last: metric.diameter(),
                by_parity,
                split: Split::Sequential,
            };
            let searching = world.size() - usize::from(selection.coordinates_only);
            let mut record = |split, outcome| {
                let search = Search { ranks: world.size(), searching, subject, metric, split, outcome };
                check(&search, distance)?;
                recorder.write(&Record::Search(search))
            };
            let alone = coordinator.solve_alone(&problem, selection.budget);
            record(Split::Sequential, alone.clone())?;
            for split in [Split::Limits, Split::Subtrees] {
                record(split, coordinator.solve(&divided(&problem, split, &alone)))?;
            }
        }
    }
    Ok(())
}

fn subjects(depths: &[u8], metric: Metric) -> Vec<Subject> {
    let patterns = Pattern::all().iter().filter(|pattern| depths.is_empty() || depths.contains(&pattern.printed));
    let mut subjects: Vec<Subject> =
        patterns.flat_map(|pattern| [Subject::Pattern(pattern.number), Subject::Inverse(pattern.number)]).collect();
    if depths.is_empty() {
        subjects.push(Subject::Superflip);
        subjects.extend((metric == Metric::Qtm).then_some(Subject::Log));
    }
    subjects
}

/// The position of a subject and its proven distance.
fn position_of(subject: Subject, metric: Metric) -> (Cube, u8) {
    let pattern = |number: usize| &Pattern::all()[number - 1];
    match subject {
        Subject::Pattern(number) => (pattern(number).position(), pattern(number).distance(metric)),
        Subject::Inverse(number) => (pattern(number).position().inverse(), pattern(number).distance(metric)),
        Subject::Log => (appendix_b(), pattern(SOLVES_APPENDIX_B).distance(metric)),
        Subject::Superflip => (superflip(), superflip_distance(metric)),
    }
}

fn check(search: &Search, distance: u8) -> io::Result<()> {
    let Search { subject, metric, split, outcome, .. } = search;
    match outcome.length {
        Some(length) if length != distance => Err(io::Error::other(format!(
            "internal error: {subject:?} is {distance} moves from solved in {metric}, but the search by {split} found {length}"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_appendix_c_solves_the_position_of_appendix_b() {
        assert_eq!(Pattern::all()[SOLVES_APPENDIX_B - 1].position().inverse(), appendix_b());
    }
}
