//! Korf 1997: optimal solutions with pattern databases.
//!
//! R. E. Korf, "Finding optimal solutions to Rubik's Cube using pattern databases", AAAI 1997. Forget all cubies but some,
//! and solve those: the least number of moves is a lower bound for the whole cube. A *pattern database* holds that
//! number for every arrangement of the chosen cubies. The paper has three, at four bits an entry:
//!
//! | cubies | entries | bytes |
//! |---|---|---|
//! | the eight corners | 8! · 3⁷ = 88,179,840 | 44,089,920 |
//! | six edges, twice | 12·11·10·9·8·7 · 2⁶ = 42,577,920 | 21,288,960 |
//! | seven edges, as the option | 510,935,040 | 255,467,520 |
//!
//! Moves of cubies outside the set still count, so the values must not be added; the bound is their maximum, and IDA*
//! searches with it.
//!
//! # The solver: IDA* with the maximum of the pattern databases (Korf 1997, "Experimental results")
//!
//! ```text
//! for threshold = bound of the position, …
//!     search depth first along canonical sequences; nodes whose depth and bound exceed the threshold are cut
//! ```
//!
//! Departures: 1. All threads search ([`crate::ida`]). 2. All shortest solutions are found where that is asked for.

pub mod bound;
pub mod claims;
pub mod corners;
pub mod edges;
pub mod instances;

pub use claims::{claims, databases, formula, law};
pub use edges::{SEVEN, SIX};
pub use instances::{PAPERS_TEN, instances};

use crate::error::LabError;
use crate::form::Form;
use crate::ida::{Ida, IdaIteration, IdaLimits};
use crate::lab::{Lab, LabTable};
use bound::Databases;
use corners::CornerDatabase;
use cosette::Control;
use cosette::cube::{Cube, Metric};
use cosette::search::{Options, Report};
use cosette_app::engine::{Engine, OnEvent};
use edges::{EdgeDatabase, EdgeSet};

/// The paper's databases: the corners, two sets of six edges, and as the option two of seven.
pub fn tables() -> Vec<Box<dyn LabTable>> {
    let metric = Metric::Htm;
    let sets = [SIX, SEVEN].concat();
    let edges = sets.into_iter().map(|set| Box::new(EdgeDatabase { set, metric }) as Box<dyn LabTable>);
    std::iter::once(Box::new(CornerDatabase { metric }) as Box<dyn LabTable>).chain(edges).collect()
}

/// The form of an experiment on this paper.
fn form(name: &'static str) -> Form {
    Form::read(include_str!("../../pages/korf-experiments.md"), name)
}

/// Korf's solver.
pub struct Korf {
    databases: Databases,
}

impl Korf {
    /// The solver with the databases of the corners and of these sets of edges, two at most: [`SIX`],
    /// [`SEVEN`], any others, or none.
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

    /// The search with the databases.
    fn ida(&self) -> Ida<'_, Databases> {
        Ida { bound: &self.databases, metric: Metric::Htm }
    }

    /// One iteration: searches solutions of exactly this length, which is not less than the bound of the position.
    pub fn iterate(&self, position: &Cube, threshold: u8, control: &Control<'_>) -> IdaIteration {
        let found = self.ida().search(position, &IdaLimits::only(threshold), &mut |_| {}, control);
        *found.iterations.first().expect("the threshold is not below the bound")
    }

    /// The mean nodes of complete iterations of this threshold.
    fn mean_nodes(&self, lab: &Lab<'_>, positions: &[Cube], threshold: u8) -> Result<f64, LabError> {
        let mut nodes = 0;
        for (position, done) in positions.iter().zip(0..) {
            lab.step(&self.tables(), done, positions.len() as u64);
            nodes += self.iterate(position, threshold, &lab.control).nodes;
            lab.check()?;
        }
        Ok(nodes as f64 / positions.len() as f64)
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
        self.ida().solve(position, options, false, on_event, control)
    }
}
