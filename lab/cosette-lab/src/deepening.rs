//! The search of one length after another, which several engines share.

use cosette::Cancel;
use cosette::cube::{Cube, Metric, Move, canonical};
use cosette::search::{Event, IterationStats, Options, Outcome, Report, SolutionCount};
use cosette_app::engine::OnEvent;
use std::time::Instant;

/// Searches one length after another, each `step` above the one before, until enough solutions are
/// found. `search` returns the work for a length and its solutions, or `None` if it was cancelled
/// before it began.
pub(crate) fn by_length(
    position: &Cube,
    metric: Metric,
    options: &Options<'_>,
    (first, step): (u8, u8),
    (on_event, cancel): (OnEvent<'_>, &Cancel),
    mut search: impl FnMut(u8) -> Option<(IterationStats, Vec<Vec<Move>>)>,
) -> Report {
    let start = Instant::now();
    let last = options.max_length.unwrap_or(metric.diameter());
    // A known solution ends the search for one as soon as all shorter lengths are ruled out.
    let known = options
        .known_solution
        .filter(|_| options.solution_count == SolutionCount::ONE);
    let mut thresholds = Vec::new();
    let mut length = first;
    let (outcome, solutions) = loop {
        if length > last {
            break (Outcome::NoneWithinLimit, Vec::new());
        }
        if let Some(known) = known.filter(|known| metric.length(known) <= length.into()) {
            break (Outcome::Optimal, vec![canonical(known)]);
        }
        on_event(Event::IterationStarted { length });
        let Some((threshold, mut solutions)) = search(length) else {
            break (Outcome::unfinished(cancel), Vec::new());
        };
        on_event(Event::IterationFinished(&threshold));
        thresholds.push(threshold);
        solutions.truncate(options.solution_count.max());
        if !solutions.is_empty()
            && (threshold.exhausted || solutions.len() == options.solution_count.max())
        {
            break (Outcome::Optimal, solutions);
        }
        if !threshold.exhausted {
            break (Outcome::unfinished(cancel), solutions);
        }
        length += step;
    };
    Report {
        outcome,
        lower_bound: length,
        solutions,
        best_known: None,
        iterations: thresholds,
        neighbors: None,
        symmetry_count: position.symmetries().len(),
        elapsed: start.elapsed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::search::SolutionCount;
    use std::num::NonZeroUsize;

    /// An iteration that is interrupted with some of the requested solutions is not complete; with
    /// all of them it is.
    #[test]
    fn fewer_solutions_than_asked_for_are_not_all() {
        let cancel = Cancel::new();
        cancel.cancel();
        let cut_off = |length| {
            let threshold = IterationStats {
                length,
                nodes: 1,
                probes: 1,
                elapsed: Default::default(),
                exhausted: false,
            };
            Some((threshold, vec![vec![Move::ALL[0]]]))
        };
        for (count, is_optimal) in [(1, true), (5, false)] {
            let solution_count = SolutionCount::AtMost(NonZeroUsize::new(count).unwrap());
            let options = Options {
                solution_count,
                ..Options::default()
            };
            let lengths = (1, 1);
            let report = by_length(
                Cube::from_move(Move::ALL[0]),
                Metric::Htm,
                &options,
                lengths,
                (&|_| {}, &cancel),
                cut_off,
            );
            assert_eq!(report.outcome == Outcome::Optimal, is_optimal);
        }
    }
}
