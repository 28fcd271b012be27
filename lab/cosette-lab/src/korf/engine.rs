//! The solver: IDA* with the maximum of the pattern databases (Korf 1997, "Experimental results").
//!
//! ```text
//! for threshold = bound of the position, …
//!     search depth first along canonical sequences; nodes whose depth and bound exceed the threshold are cut
//! ```
//!
//! Departures: 1. All threads search ([`crate::ida`]). 2. All shortest solutions are found where that is asked for.

use super::bound::Databases;
use super::edges::EdgeSet;
use crate::engine::{Engine, OnEvent, by_length};
use crate::error::LabError;
use crate::ida::{Ida, IdaIteration, IdaLimits, IdaResult};
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Metric};
use cosette::search::{Options, Report};

/// Korf's solver.
pub struct Korf {
    databases: Databases,
}

impl Korf {
    /// The solver with the databases of the corners and of these sets of edges, two at most: [`super::SIX`],
    /// [`super::SEVEN`], any others, or none.
    ///
    /// # Panics
    /// If there are more than two sets.
    pub fn new(lab: &Lab<'_>, sets: &[EdgeSet]) -> Result<Korf, LabError> {
        Ok(Korf { databases: Databases::new(lab, sets)? })
    }

    /// The databases.
    pub fn databases(&self) -> &Databases {
        &self.databases
    }

    /// The first threshold: the bound of the position itself.
    pub fn bound(&self, position: &Cube) -> u8 {
        self.databases.values(position).max().unwrap_or(0)
    }

    /// One iteration: searches solutions of exactly this length, which is not less than the bound of the position.
    pub fn iterate(
        &self,
        position: &Cube,
        threshold: u8,
        limits: &IdaLimits,
        control: &Control<'_>,
    ) -> (IdaIteration, IdaResult) {
        let limits = IdaLimits { first: threshold, last: Some(threshold), ..*limits };
        let ida = Ida { bound: &self.databases, metric: Metric::Htm };
        let found = ida.search(position, &limits, &mut |_| {}, control);
        (*found.iterations.first().expect("the threshold is not below the bound"), found)
    }
}

impl Engine for Korf {
    fn name(&self) -> &'static str {
        "korf"
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        self.databases.sets().fold("korf 8".to_owned(), |name, set| format!("{name}+{}", set.size()))
    }

    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report {
        let limits = IdaLimits { solution_count: options.solution_count, ..IdaLimits::default() };
        by_length(position, Metric::Htm, options, (self.bound(position), 1), (on_event, control.cancel()), |length| {
            let (iteration, found) = self.iterate(position, length, &limits, control);
            Some((iteration.threshold(), found.solutions))
        })
    }
}
