//! Kociemba's two-phase search (H. Kociemba, "Close to God's algorithm", Cubism For Fun 28, 1992) as an engine.
//!
//! The search is that of the library; its theory and its departures stand in [`cosette::twophase`]. It finds a solution
//! within milliseconds and then ever shorter ones. Only where it has tried everything is the last one proven the shortest.

mod experiment;

pub use experiment::kociemba;

use crate::engine::Engine;
use cosette::Cancel;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Outcome, Report, Threshold};
use cosette::twophase::{Limits, TwoPhase};
use std::time::{Duration, Instant};

/// Two-phase search within limits of time and length.
///
/// `options.max_length` is a target too: the search ends with the first solution as short as that. A longer one is given
/// where there is no better. It gives one solution, whatever is wanted. Unless everything was tried, the outcome is [`Outcome::Cancelled`] with
/// the bound zero, which claims nothing: so it is where the time is over, the target is met, or the search was asked to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kociemba {
    /// A solution of this length is good enough.
    pub target: u8,
    /// The search ends after this time, counted from its beginning. With neither time nor target it goes on until
    /// everything is tried or it is asked to stop, which may take days.
    pub time: Option<Duration>,
}

impl Engine for Kociemba {
    fn name(&self) -> &'static str {
        "twophase"
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        "sieves and members".into()
    }

    fn is_optimal(&self) -> bool {
        false
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        _on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Report {
        let start = Instant::now();
        let target = self.target.max(options.max_length.unwrap_or(0));
        let limits = Limits { target, deadline: self.time.map(|time| start + time), ..Limits::default() };
        let found = TwoPhase::get().search(position, &limits, &mut |_| {}, cancel);
        let elapsed = start.elapsed();
        let length = found.solution.as_ref().map_or(Metric::Htm.diameter(), |solution| solution.len() as u8);
        let run = Threshold { length, nodes: found.nodes, probes: 0, elapsed, exhausted: found.exhausted };
        let is_short_enough = options.max_length.is_none_or(|longest| length <= longest);
        Report {
            outcome: match (found.exhausted, is_short_enough) {
                (false, _) => Outcome::Cancelled,
                (true, false) => Outcome::NoneWithinLimit,
                (true, true) => Outcome::Optimal,
            },
            lower_bound: if found.exhausted { length } else { 0 },
            solutions: found.solution.iter().filter(|_| found.exhausted && is_short_enough).cloned().collect(),
            best_known: found.solution,
            thresholds: vec![run],
            stabilizer: position.stabilizer().len(),
            elapsed,
        }
    }
}
