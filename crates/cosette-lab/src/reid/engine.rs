//! Reid's solver as an engine.

use super::bound::FourBitBound;
use super::mod_three::ModThreeBound;
use super::table::{CosetTable, Storage};
use crate::engine::Engine;
use crate::ida::{Found, Ida, Iteration, Limits, LowerBound};
use crate::lab::{Lab, LabError};
use crate::packed::{FourBits, ModThree};
use cosette::Cancel;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Outcome, Report, Threshold, Wanted};
use std::num::NonZeroUsize;

/// Reid's solver.
pub struct Reid {
    metric: Metric,
    threads: NonZeroUsize,
    bound: Bound,
}

enum Bound {
    Four(FourBitBound),
    ModThree(ModThreeBound),
}

impl Reid {
    /// The solver in a metric, with its table in memory at four bits an entry; three equal distances do not count as more.
    ///
    /// # Errors
    /// If the table cannot be had, or on cancellation.
    pub fn new(lab: &Lab<'_>, metric: Metric) -> Result<Reid, LabError> {
        Reid::with(lab, metric, Storage::Four, false)
    }

    /// The solver with distances stored as asked for; whether three equal distances count as one more.
    ///
    /// # Errors
    /// If the table cannot be had, or on cancellation.
    pub fn with(lab: &Lab<'_>, metric: Metric, storage: Storage, raises_equal: bool) -> Result<Reid, LabError> {
        let packed = lab.table(&CosetTable { metric, storage })?;
        let bound = match storage {
            Storage::Four => Bound::Four(FourBitBound::new(FourBits::new(packed), raises_equal)),
            Storage::ModThree => Bound::ModThree(ModThreeBound::new(ModThree::new(packed), metric, raises_equal)),
        };
        Ok(Reid { metric, threads: lab.threads, bound })
    }

    /// The same solver; whether three equal distances count as one more.
    #[must_use]
    pub fn raising_equal(mut self, raises_equal: bool) -> Reid {
        match &mut self.bound {
            Bound::Four(bound) => bound.raises_equal = raises_equal,
            Bound::ModThree(bound) => bound.raises_equal = raises_equal,
        }
        self
    }

    /// The same solver with so many threads.
    #[must_use]
    pub fn on_threads(self, threads: NonZeroUsize) -> Reid {
        Reid { threads, ..self }
    }

    /// The distances of a position to the target subgroups along the three axes: U and D, R and L, F and B.
    pub fn distances(&self, position: &Cube) -> [u8; 3] {
        match &self.bound {
            Bound::Four(bound) => bound.node(position).distances,
            Bound::ModThree(bound) => bound.node(position).distances,
        }
    }

    /// The lower bound of a position.
    pub fn bound(&self, position: &Cube) -> u8 {
        match &self.bound {
            Bound::Four(bound) => bound.bound(&bound.node(position), u8::MAX, &mut 0),
            Bound::ModThree(bound) => bound.bound(&bound.node(position), u8::MAX, &mut 0),
        }
    }

    /// The table at four bits an entry, where it is that which is used.
    pub fn table(&self) -> Option<&FourBits> {
        match &self.bound {
            Bound::Four(bound) => Some(bound.table()),
            Bound::ModThree(_) => None,
        }
    }

    /// Searches, and reports each iteration.
    pub fn search(
        &self,
        position: &Cube,
        limits: &Limits,
        on_iteration: &mut dyn FnMut(&Iteration),
        cancel: &Cancel,
    ) -> Found {
        let (metric, threads) = (self.metric, self.threads);
        match &self.bound {
            Bound::Four(bound) => Ida { bound, metric, threads }.search(position, limits, on_iteration, cancel),
            Bound::ModThree(bound) => Ida { bound, metric, threads }.search(position, limits, on_iteration, cancel),
        }
    }
}

impl Engine for Reid {
    fn name(&self) -> &'static str {
        "reid"
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn tables(&self) -> String {
        let storage = match self.bound {
            Bound::Four(_) => Storage::Four,
            Bound::ModThree(_) => Storage::ModThree,
        };
        crate::lab::LabTable::name(&CosetTable { metric: self.metric, storage })
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Report {
        // A known solution ends the search for one as soon as all shorter lengths are ruled out.
        let known = options.known.filter(|_| options.wanted == Wanted::One);
        let known_length = known.map(|known| self.metric.length(known) as u8);
        let last = options.max_length.unwrap_or(self.metric.diameter());
        let solves = known_length.is_some_and(|length| length <= last);
        if solves && known_length == Some(0) {
            return self.solve(position, &Options { known: None, ..*options }, on_event, cancel);
        }
        let limits = Limits {
            wanted: options.wanted,
            last: Some(if solves { known_length.unwrap_or(last) - 1 } else { last }),
            by_symmetry: true,
            ..Limits::default()
        };
        on_event(Event::ThresholdStarted { length: self.bound(position) });
        let mut done = |iteration: &Iteration| {
            let threshold = Threshold {
                length: iteration.threshold,
                nodes: iteration.nodes,
                probes: iteration.probes,
                elapsed: iteration.elapsed,
                exhausted: iteration.complete,
            };
            on_event(Event::ThresholdDone(&threshold));
            let next = iteration.threshold + if self.metric == Metric::Qtm { 2 } else { 1 };
            on_event(Event::ThresholdStarted { length: next });
        };
        let mut report = self.search(position, &limits, &mut done, cancel).into_report();
        if let (Outcome::NoneWithinLimit, true, Some(known)) = (report.outcome, solves, known) {
            report.outcome = Outcome::Optimal;
            report.lower_bound = self.metric.length(known) as u8;
            report.solutions = vec![known.to_vec()];
        }
        report
    }
}
