//! Bidirectional A* as an engine.

use super::partial::Partials;
use super::partial::problem::ForwardDepth;
use super::perimeter::Perimeter;
use super::search::{AstarEvent, AstarResult, AstarSettings, Bound, Estimates, Most, SearchEnd, search};
use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Outcome, Report};
use cosette_app::engine::{Engine, OnEvent};
use std::time::Instant;

/// Bidirectional A* over a perimeter, with the three problems in which two opposite faces are seen.
///
/// It stores what it generates, so memory limits it: positions more than about fifteen moves away are bounded from
/// below and not solved.
pub struct Lee {
    perimeter: Perimeter,
    partials: Partials,
    d_for: Option<ForwardDepth>,
    settings: AstarSettings,
}

impl Lee {
    /// The engine with this perimeter, and with backward spaces of the partial problems to a depth, at most seven.
    /// Without a depth of the forward spaces the backward spaces alone bound (heu6).
    pub fn new(
        perimeter: Perimeter,
        backward: u8,
        d_for: Option<ForwardDepth>,
        settings: AstarSettings,
        lab: &Lab<'_>,
    ) -> Result<Lee, LabError> {
        let partials = Partials::opposite_faces(backward, d_for, lab)?;
        Ok(Lee { perimeter, partials, d_for, settings })
    }

    /// Solves a position and reports the work.
    pub fn search(
        &self,
        position: &Cube,
        longest: u8,
        on_event: &mut dyn FnMut(AstarEvent<'_>),
        control: &Control<'_>,
    ) -> Result<AstarResult, LabError> {
        let is_near = self.perimeter.distance(position).is_some();
        let informed = match self.d_for.filter(|_| !is_near) {
            Some(d_for) => Some(self.partials.informed(position, d_for, control)?),
            None => None,
        };
        let bound = informed.as_ref().map_or(Bound::Backward(&self.partials, Most::HEU6), Bound::Informed);
        let settings = AstarSettings { longest: longest.min(self.settings.longest), ..self.settings };
        let estimates = Estimates { bound, ties: None };
        Ok(search(position, &self.perimeter, &estimates, &settings, on_event, control))
    }
}

impl Engine for Lee {
    fn name(&self) -> &'static str {
        "lee"
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        format!("perimeter {} and pairs of faces", self.perimeter.depth())
    }

    /// One solution is found, however many are wanted. A threshold is the work done while the least f of all open nodes
    /// was one number; probes are accesses to the perimeter. Where memory ends first, the outcome is
    /// [`Outcome::Unproven`], with the lower bound proven by then.
    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report {
        let start = Instant::now();
        let longest = options.max_length.unwrap_or(Metric::Htm.diameter());
        let mut tell = |event: AstarEvent<'_>| {
            let AstarEvent::Risen([done @ .., begun]) = event else { return };
            if let Some(done) = done.last() {
                on_event(Event::ThresholdDone(done));
            }
            on_event(Event::ThresholdStarted { length: begun.length });
        };
        let mut report = Report {
            outcome: Outcome::unfinished(control.cancel()),
            lower_bound: 0,
            solutions: Vec::new(),
            best_known: None,
            thresholds: Vec::new(),
            symmetry_count: position.symmetries().len(),
            elapsed: start.elapsed(),
        };
        if let Ok(found) = self.search(position, longest, &mut tell, control) {
            if found.ended == SearchEnd::Full {
                tracing::warn!("{found}");
            }
            (report.lower_bound, report.thresholds) = (found.lower_bound, found.thresholds);
            match found.ended {
                SearchEnd::Solved(moves) => {
                    report.outcome = Outcome::Optimal;
                    report.solutions.push(moves);
                }
                SearchEnd::NoneWithinLimit => report.outcome = Outcome::NoneWithinLimit,
                SearchEnd::Full => report.outcome = Outcome::Unproven,
                SearchEnd::Cancelled => {}
            }
            if let Some(last) = report.thresholds.last_mut() {
                last.exhausted = report.outcome == Outcome::NoneWithinLimit;
                on_event(Event::ThresholdDone(last));
            }
        }
        report.elapsed = start.elapsed();
        report
    }
}
