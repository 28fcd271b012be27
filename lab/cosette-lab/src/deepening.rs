//! The search of one length after another, which several engines share, and its log.

use cosette::cube::{Cube, Metric, Move, canonical};
use cosette::search::{
    Event, IterationStats, Options, Outcome, Report, SolutionCount, TimeEstimate,
};
use cosette::{Control, Progress};
use cosette_app::engine::{Engine, OnEvent};
use cosette_app::events::Throttle;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The time between two reports of the progress of a length, and before the first estimate.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Searches one length after another, each `step` above the one before, until enough solutions are
/// found. `search` returns the work for a length and its solutions, or `None` if it was cancelled
/// before it began; its reports of progress become events, with an estimate of the time left.
pub(crate) fn by_length(
    position: &Cube,
    metric: Metric,
    options: &Options<'_>,
    (first, step): (u8, u8),
    (on_event, control): (OnEvent<'_>, &Control<'_>),
    mut search: impl FnMut(u8, &Control<'_>) -> Option<(IterationStats, Vec<Vec<Move>>)>,
) -> Report {
    let start = Instant::now();
    let cancel = control.cancel_token();
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
        let reports = LengthProgress::new(length, on_event);
        let on_progress = |_: &str, progress| reports.report(progress);
        let searched = search(length, &control.clone().on_progress(on_progress));
        let Some((threshold, mut solutions)) = searched else {
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
    // In quarter turns, all solutions have the parity of the position.
    let is_of_other_parity = metric == Metric::Qtm && (length % 2 == 1) != position.is_odd();
    let lower_bound = length + u8::from(is_of_other_parity);
    let mut report = Report::new(position, outcome, lower_bound);
    report.solutions = solutions;
    report.iterations = thresholds;
    report.elapsed = start.elapsed();
    report
}

/// The progress of a length, reported from time to time.
struct LengthProgress<'a> {
    length: u8,
    on_event: OnEvent<'a>,
    start: Instant,
    throttle: Throttle,
    /// The work that was done before the search of the length began, for instance by an earlier
    /// run.
    done_before: OnceLock<u64>,
}

impl LengthProgress<'_> {
    fn new(length: u8, on_event: OnEvent<'_>) -> LengthProgress<'_> {
        LengthProgress {
            length,
            on_event,
            start: Instant::now(),
            throttle: Throttle::new(REPORT_INTERVAL),
            done_before: OnceLock::new(),
        }
    }

    fn report(&self, progress: Progress) {
        let done_before = *self.done_before.get_or_init(|| progress.done);
        if !self.throttle.is_due() {
            return;
        }
        let Progress { done, total } = progress;
        let elapsed = self.start.elapsed();
        let done_since = done.saturating_sub(done_before);
        let is_estimated = done_since > 0 && elapsed >= REPORT_INTERVAL;
        let time_left = is_estimated.then(|| {
            let remaining = total.saturating_sub(done) as f64 / done_since as f64;
            TimeEstimate::new(elapsed.mul_f64(remaining))
        });
        (self.on_event)(Event::progress(self.length, progress, time_left));
    }
}

/// A function that is called as each length has been searched: with the metric, the work, and the
/// number of positions compared with the solved one, if the engine counts them.
pub type OnLength = fn(Metric, &IterationStats, Option<u64>);

/// An engine that reports the work for each length.
pub struct LoggedEngine<E> {
    /// The engine.
    pub engine: E,
    /// The receiver of the reports.
    pub on_length: OnLength,
}

impl<E: Engine> Engine for LoggedEngine<E> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn metric(&self) -> Metric {
        self.engine.metric()
    }

    fn tables(&self) -> String {
        self.engine.tables()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        let LoggedEngine { engine, on_length } = self;
        let metric = engine.metric();
        let on_event = |event: Event<'_>| {
            if let Event::IterationFinished(iteration) = event {
                on_length(metric, iteration, None);
            }
            on_event(event);
        };
        engine.solve(position, options, &on_event, control)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::Cancel;
    use std::num::NonZeroUsize;

    /// An iteration that is interrupted with some of the requested solutions is not complete; with
    /// all of them it is.
    #[test]
    fn fewer_solutions_than_asked_for_are_not_all() {
        let cancel = Cancel::new();
        cancel.cancel();
        let cut_off =
            |length, _: &Control<'_>| Some((IterationStats::new(length), vec![vec![Move::ALL[0]]]));
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
                (&|_| {}, &Control::default().with_cancel(&cancel)),
                cut_off,
            );
            assert_eq!(report.outcome == Outcome::Optimal, is_optimal);
        }
    }
}
