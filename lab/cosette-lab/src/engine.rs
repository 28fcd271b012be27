//! The interface of a system that solves positions.

use cosette::cube::{Cube, Metric, Move, canonical};
use cosette::search::{Event, Options, Outcome, Report, SolutionCount, Threshold};
use cosette::{Cancel, Control};
use std::time::Instant;

/// Receives the events of a search, from any thread.
pub type OnEvent<'a> = &'a (dyn Fn(Event<'_>) + Sync);

/// A system that solves positions.
pub trait Engine {
    /// Its name, as in `cosette solve --engine korf`.
    fn name(&self) -> &'static str;

    /// What it counts.
    fn metric(&self) -> Metric;

    /// The name of its tables, such as `korf 8+6+6`, or of what it has instead of tables.
    fn tables(&self) -> String;

    /// Whether it proves its solutions the shortest.
    fn is_optimal(&self) -> bool {
        true
    }

    /// Solves `position`. In the report nodes are those generated, and probes accesses to tables. A system that does
    /// not prove gives the solution it found as the best known, with the bound zero.
    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report;
}

/// Searches one length after another, each `step` above the one before, until enough solutions are found. `search`
/// returns the work for a length and its solutions, or `None` if it was cancelled before it began.
pub(crate) fn by_length(
    position: &Cube,
    metric: Metric,
    options: &Options<'_>,
    (first, step): (u8, u8),
    (on_event, cancel): (OnEvent<'_>, &Cancel),
    search: impl Fn(u8) -> Option<(Threshold, Vec<Vec<Move>>)>,
) -> Report {
    let start = Instant::now();
    let last = options.max_length.unwrap_or(metric.diameter());
    // A known solution ends the search for one as soon as all shorter lengths are ruled out.
    let known = options.known.filter(|_| options.solution_count == SolutionCount::ONE);
    let mut thresholds = Vec::new();
    let mut length = first;
    let (outcome, solutions) = loop {
        if length > last {
            break (Outcome::NoneWithinLimit, Vec::new());
        }
        if let Some(known) = known.filter(|known| metric.length(known) <= length.into()) {
            break (Outcome::Optimal, vec![canonical(known)]);
        }
        on_event(Event::ThresholdStarted { length });
        let Some((threshold, mut solutions)) = search(length) else { break (Outcome::unfinished(cancel), Vec::new()) };
        on_event(Event::ThresholdDone(&threshold));
        thresholds.push(threshold);
        solutions.truncate(options.solution_count.most());
        if !solutions.is_empty() && (threshold.exhausted || solutions.len() == options.solution_count.most()) {
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
        thresholds,
        symmetry_count: position.symmetries().len(),
        elapsed: start.elapsed(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::search::SolutionCount;
    use std::num::NonZeroUsize;

    /// An iteration that is cut off with some of the solutions asked for is not complete; with all of them it is.
    #[test]
    fn fewer_solutions_than_asked_for_are_not_all() {
        let cancel = Cancel::new();
        cancel.cancel();
        let cut_off = |length| {
            let threshold = Threshold { length, nodes: 1, probes: 1, elapsed: Default::default(), exhausted: false };
            Some((threshold, vec![vec![Move::ALL[0]]]))
        };
        for (count, is_optimal) in [(1, true), (5, false)] {
            let solution_count = SolutionCount::AtMost(NonZeroUsize::new(count).unwrap());
            let options = Options { solution_count, ..Options::default() };
            let lengths = (1, 1);
            let report =
                by_length(Cube::of_move(Move::ALL[0]), Metric::Htm, &options, lengths, (&|_| {}, &cancel), cut_off);
            assert_eq!(report.outcome == Outcome::Optimal, is_optimal);
        }
    }
}
