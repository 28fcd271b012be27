//! Forecasts of the remaining time, from the nodes expanded to this point and the growth from each
//! threshold to the next.
//!
//! ```text
//! time of this threshold    elapsed · nodes expected / nodes expanded
//! nodes expected            nodes of the last threshold · their growth
//! time of the next one      time of this threshold · growth
//! time until the proof      the sum over all thresholds below the best known length
//! ```
//!
//! Nothing is estimated until half a second has passed and a fiftieth of the work is done. From
//! then on the time of a threshold without a solution was within a factor of two of the estimate in
//! 97 of 100 reports (docs/performance.md). A threshold with a solution ends earlier, at an
//! unpredictable time: half of these thresholds end before a sixth of the work.
//!
//! The growth is measured between the last two thresholds, if the first of them took at least a
//! hundredth of a second; otherwise it is the growth of the number of canonical sequences. If no
//! number of nodes can be expected, because too little was searched before or because other
//! processes search, the share of the work that is started is used instead, as `Tasks::work_before`
//! estimates it.

use super::report::{IterationStats, TimeEstimate};
use crate::control::Progress;
use crate::cube::Metric;
use std::time::Duration;

/// A forecast of later thresholds from the completed ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forecast {
    growth: f64,
    nodes: Option<u64>,
    step: u8,
}

/// Minimum time of a threshold from which growth is measured: shorter times are inaccurate.
const MIN_TIME: Duration = Duration::from_millis(10);

/// Minimum number of nodes of a threshold from which their growth is measured.
const MIN_NODES: u64 = 1_000;

/// Minimum elapsed time before an estimate.
const SETTLED_TIME: Duration = Duration::from_millis(500);
/// Minimum share of the work done before an estimate.
const SETTLED_SHARE: f64 = 0.02;

/// Maximum forecast: a hundred years.
const MAX_TIME: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

impl Forecast {
    /// Creates a forecast from complete thresholds.
    pub fn new(iterations: &[IterationStats], metric: Metric) -> Forecast {
        let times: Vec<Duration> = iterations
            .iter()
            .map(|iteration| iteration.elapsed)
            .collect();
        let growth = match times[..] {
            [.., before, last] if before >= MIN_TIME => last.as_secs_f64() / before.as_secs_f64(),
            _ => metric.growth().powi(metric.step().into()),
        };
        let nodes = match iterations {
            [.., before, last] if before.nodes >= MIN_NODES => {
                Some((last.nodes as f64 * (last.nodes as f64 / before.nodes as f64)) as u64)
            }
            _ => None,
        };
        Forecast {
            growth,
            nodes,
            step: metric.step(),
        }
    }

    /// Returns the expected number of nodes of the next threshold, if earlier ones determine it.
    pub fn nodes(self) -> Option<u64> {
        self.nodes
    }

    /// Returns the time left for the threshold `length`, and until every length below `best` is
    /// ruled out. `None` until the estimate has settled.
    pub fn remaining(
        self,
        length: u8,
        best: Option<usize>,
        progress: Progress,
        elapsed: Duration,
    ) -> Option<TimeEstimate> {
        let share = progress.done as f64 / progress.total as f64;
        if elapsed < SETTLED_TIME || share.is_nan() || share < SETTLED_SHARE {
            return None;
        }
        let whole_threshold = elapsed.as_secs_f64() / share;
        let threshold_left = (whole_threshold - elapsed.as_secs_f64()).max(0.0);
        let proof = best.map(|best| {
            let later_thresholds =
                best.saturating_sub(usize::from(length) + 1) / usize::from(self.step);
            let later_seconds = (1..=later_thresholds)
                .map(|ahead| whole_threshold * self.growth.powi(ahead as i32))
                .sum::<f64>();
            // If the best solution is no longer than this threshold, no length remains to be ruled
            // out.
            if best <= usize::from(length) {
                0.0
            } else {
                threshold_left + later_seconds
            }
        });
        let seconds = |seconds: f64| Duration::from_secs_f64(seconds.min(MAX_TIME.as_secs_f64()));
        Some(TimeEstimate {
            iteration: seconds(threshold_left),
            proof: proof.map(seconds),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the estimate after this work and time: seconds of the iteration and of the proof.
    fn seconds(
        forecast: &Forecast,
        done: u64,
        total: u64,
        millis: u64,
        best: Option<usize>,
    ) -> Option<[Option<f64>; 2]> {
        let progress = Progress { done, total };
        let elapsed = Duration::from_millis(millis);
        let remaining = forecast.remaining(16, best, progress, elapsed)?;
        let times = [Some(remaining.iteration), remaining.proof];
        Some(times.map(|time| Some(time?.as_secs_f64().round())))
    }

    #[test]
    fn estimates_follow_the_growth_and_then_the_work() {
        let stats = [(14, 100), (15, 1_200)].map(|(length, millis)| IterationStats {
            length,
            nodes: 0,
            probes: 0,
            elapsed: Duration::from_millis(millis),
            exhausted: true,
        });
        let forecast = Forecast::new(&stats, Metric::Htm);
        for (done, millis, best, expected) in [
            (50, 6_000, Some(17), [Some(6.0), Some(6.0)]),
            (50, 6_000, Some(18), [Some(6.0), Some(150.0)]),
            (50, 6_000, Some(16), [Some(6.0), Some(0.0)]),
            (100, 9_000, None, [Some(0.0), None]),
        ] {
            assert_eq!(seconds(&forecast, done, 100, millis, best), Some(expected));
        }
    }

    #[test]
    fn nothing_is_estimated_before_the_minimum_time_and_share() {
        let htm = Forecast::new(&[], Metric::Htm);
        assert_eq!(seconds(&htm, 0, 0, 9_000, Some(20)), None);
        let forecast = Forecast::new(&[], Metric::Qtm);
        for (done, millis) in [(0, 9_000), (1, 9_000), (50, 499)] {
            assert_eq!(seconds(&forecast, done, 100, millis, Some(26)), None);
        }
        assert!(seconds(&forecast, 2, 100, 500, Some(26)).is_some());
        let longest = forecast.remaining(
            1,
            Some(26),
            Progress { done: 1, total: 9 },
            Duration::from_secs(u64::MAX >> 20),
        );
        assert_eq!(longest.unwrap().proof, Some(MAX_TIME));
    }
}
