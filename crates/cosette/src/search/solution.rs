//! A solution that is proven shortest.

use super::report::Report;
use crate::cube::{Metric, Move, Moves};
use std::fmt;
use std::ops::Deref;

/// A proven shortest solution, checked by applying it to its position. It dereferences to its moves, and `Display` writes
/// them.
#[derive(Clone, Debug)]
pub struct Solution {
    report: Report,
    metric: Metric,
}

impl Solution {
    /// The solution in a report; `None` if the search ended without one.
    pub(super) fn new(report: Report, metric: Metric) -> Option<Solution> {
        (!report.solutions.is_empty()).then_some(Solution { report, metric })
    }

    /// The moves.
    pub fn moves(&self) -> &[Move] {
        &self.report.solutions[0]
    }

    /// How many moves it has, in the metric of the search. Where quarter turns are counted, that may be more than the
    /// `len()` of its slice of moves.
    pub fn length(&self) -> usize {
        self.metric.length(self.moves())
    }

    /// What the search has proven and counted.
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl Deref for Solution {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        self.moves()
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Moves(self.moves()).fmt(f)
    }
}
