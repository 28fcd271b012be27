//! Reid's solver as an engine.

use super::bound::FourBitBound;
use super::mod_three::ModThreeBound;
use super::table::{CosetTable, Storage};
use crate::engine::{Engine, OnEvent, by_length};
use crate::error::LabError;
use crate::experiment::Request;
use crate::ida::{Ida, IdaIteration, IdaLimits, IdaResult, LowerBound};
use crate::lab::Lab;
use crate::long_search::{self, Plan, Results};
use crate::packed::{FourBits, ModThree};
use cosette::Control;
use cosette::block_file::Contents;
use cosette::cube::{Cube, Metric};
use cosette::search::{Options, Report};

/// Reid's solver.
pub struct Reid {
    metric: Metric,
    bound: Bound,
}

enum Bound {
    Four(FourBitBound),
    ModThree(ModThreeBound),
}

impl Reid {
    /// The solver in a metric, with its table in memory at four bits an entry; three equal distances do not count as more.
    pub fn new(lab: &Lab<'_>, metric: Metric) -> Result<Reid, LabError> {
        Reid::with(lab, metric, Storage::Four, false)
    }

    /// The solver with distances stored as asked for; whether three equal distances count as one more.
    pub fn with(lab: &Lab<'_>, metric: Metric, storage: Storage, raises_equal: bool) -> Result<Reid, LabError> {
        let packed = lab.table(&CosetTable { metric, storage })?;
        let bound = match storage {
            Storage::Four => Bound::Four(FourBitBound::new(FourBits::new(packed), raises_equal)),
            Storage::ModThree => Bound::ModThree(ModThreeBound::new(ModThree::new(packed), metric, raises_equal)),
        };
        Ok(Reid { metric, bound })
    }

    /// Whether three equal distances count as one more from now on.
    pub fn raise_equal(&mut self, raises: bool) {
        match &mut self.bound {
            Bound::Four(bound) => bound.raises_equal = raises,
            Bound::ModThree(bound) => bound.raises_equal = raises,
        }
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

    /// What `show` makes of the search with the table of four bits an entry.
    ///
    /// # Panics
    /// If the distances are stored modulo three.
    pub(super) fn trace<T>(&self, show: impl FnOnce(&Ida<'_, FourBitBound>) -> T) -> T {
        match &self.bound {
            Bound::Four(bound) => show(&Ida { bound, metric: self.metric }),
            Bound::ModThree(_) => panic!("the distances are stored modulo three"),
        }
    }

    /// Searches many positions for hours, and keeps what is complete under this name (see [`long_search::run`]). The plan is
    /// in the metric of the solver.
    pub fn long_search(
        &self,
        lab: &Lab<'_>,
        request: &Request,
        name: &str,
        plan: &Plan<'_>,
    ) -> Result<Results, LabError> {
        match &self.bound {
            Bound::Four(bound) => long_search::run(lab, request, name, bound, plan),
            Bound::ModThree(bound) => long_search::run(lab, request, name, bound, plan),
        }
    }

    /// Searches, and reports each iteration.
    pub fn search(
        &self,
        position: &Cube,
        limits: &IdaLimits,
        on_iteration: &mut dyn FnMut(&IdaIteration),
        control: &Control<'_>,
    ) -> IdaResult {
        let metric = self.metric;
        match &self.bound {
            Bound::Four(bound) => Ida { bound, metric }.search(position, limits, on_iteration, control),
            Bound::ModThree(bound) => Ida { bound, metric }.search(position, limits, on_iteration, control),
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
        CosetTable { metric: self.metric, storage }.name()
    }

    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report {
        let limits = IdaLimits { solution_count: options.solution_count, by_symmetry: true, ..IdaLimits::default() };
        // In the quarter-turn metric a solution has the parity of the position.
        let (bound, step) = (self.bound(position), if self.metric == Metric::Qtm { 2 } else { 1 });
        let first = bound + u8::from(step == 2 && (bound % 2 == 1) != position.is_odd());
        by_length(position, self.metric, options, (first, step), (on_event, control.cancel()), |length| {
            let only = IdaLimits { first: length, last: Some(length), ..limits };
            let found = self.search(position, &only, &mut |_| {}, control);
            Some((found.iterations.first()?.threshold(), found.solutions))
        })
    }
}
