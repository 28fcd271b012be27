//! Reid 1997: an optimal solver whose bound is the distance to ⟨U, D, F2, R2, B2, L2⟩, along three
//! axes.
//!
//! Michael Reid announced it on the Cube-Lovers list in July 1997, half a year after Korf's paper.
//! The target subgroup H = ⟨U, D, F2, R2, B2, L2⟩ is that of the first phase of Kociemba's
//! algorithm. A position p is as far from H as its coset H·p, and no solution is shorter than that.
//! There are 2,217,093,120 cosets; under the sixteen symmetries that keep the axis of U and D they
//! fall to 140,908,410 entries of four bits (`table`). The same table serves along the three axes
//! (`view`), and the largest of the three distances is the lower bound (`bound`).
//!
//! ```text
//! search(p, threshold):                                      IDA* (`ida`)
//!     for each move m that may follow the last one
//!         for each axis: distance = table[class of p·m along the axis][twist]
//!         go on with p·m unless one of the distances exceeds what remains
//! where nothing remains p·m lies in the three subgroups H at once, in T (`target`):
//!     test whether it is solved
//! ```
//!
//! Departures: 1. The moves of several nodes are looked up together, the axis with the largest
//! distance of the parent first; nodes and tests stay the same. 2. Where a position has symmetry,
//! tasks of three moves that are conjugate are searched once. 3. Three equal distances can be made
//! to count one more (`bound`). Reid's own program seems not to have done so: without it, the nodes
//! generated are those that Nargolkar 2006 printed from his method, to the last digit ([`log`]). So
//! it is off by default. 4. Distances can be stored modulo three (`mod_three`).

pub mod bound;
pub mod coset;
mod figures;
mod searches;
pub mod table;
pub mod target;

pub use figures::{CosetCount, census, cosets, mean, speed, subgroups};
pub use searches::{PRINTED as PRINTED_LOG, korf_ten, korf_ten_by_reid, log, superflip};
pub use target::target_subgroup;

use crate::bound_table::{BoundTable, DistanceStorage};
use crate::error::LabError;
use crate::ida::{Ida, IdaEngine, IdaLimits, LowerBound};
use crate::lab::{Lab, LabTable};
use crate::packed::ModThree;
use bound::{CosetBound, ModThreeBound};
use cosette::Control;
use cosette::block_file::PayloadKind;
use cosette::cube::{Cube, Metric, parse_reid};
use cosette::search::SolutionCount;
use table::CosetTable;

/// The tables of this system: both metrics, in four bits and modulo three; in half turns with move
/// sets too.
pub fn tables() -> Vec<Box<dyn LabTable>> {
    coset_tables()
        .map(|table| Box::new(table) as Box<dyn LabTable>)
        .collect()
}

/// The tables of this system, metric by metric.
fn coset_tables() -> impl Iterator<Item = CosetTable> {
    use DistanceStorage::{FourBits, ModThree, MoveSets};
    let half_turns = [FourBits, ModThree, MoveSets].map(|storage| (Metric::Htm, storage));
    let quarter_turns = [FourBits, ModThree].map(|storage| (Metric::Qtm, storage));
    half_turns
        .into_iter()
        .chain(quarter_turns)
        .map(|(metric, storage)| CosetTable { metric, storage })
}

/// Reid's solver, with distances in four bits or with move sets; or modulo three, with another
/// bound.
pub struct Reid<B = CosetBound> {
    table: CosetTable,
    bound: B,
    raises_equal: bool,
    /// `true` if the search uses the symmetry of the position.
    pub by_symmetry: bool,
}

impl Reid {
    /// Creates the solver in a metric, with its table of four bits an entry in memory; three equal
    /// distances do not count as more.
    pub fn new(lab: &Lab<'_>, metric: Metric) -> Result<Reid, LabError> {
        Reid::with_storage(lab, metric, DistanceStorage::FourBits)
    }

    /// Creates the solver with its table stored so, in four bits or, in half turns, with move sets.
    pub fn with_storage(
        lab: &Lab<'_>,
        metric: Metric,
        storage: DistanceStorage,
    ) -> Result<Reid, LabError> {
        let table = CosetTable { metric, storage };
        let distances = BoundTable::new(storage, lab.table(&table)?);
        Ok(Reid {
            table,
            bound: CosetBound::new(distances, false),
            raises_equal: false,
            by_symmetry: true,
        })
    }

    /// Sets whether three equal distances count as one more.
    pub fn raise_equal(&mut self, raises: bool) {
        self.bound.raises_equal = raises;
        self.raises_equal = raises;
    }

    /// The distances of a position to the target subgroups along the three axes: U and D, R and L,
    /// F and B.
    pub fn distances(&self, position: &Cube) -> [u8; 3] {
        self.bound.distances(&self.bound.node(position))
    }

    /// The lower bound of a position.
    pub fn bound(&self, position: &Cube) -> u8 {
        self.bound
            .bound(&self.bound.node(position), u8::MAX, &mut 0)
    }

    /// Counts the cosets by distance.
    ///
    /// # Errors
    /// Returns an error on cancellation.
    pub fn coset_counts(&self, control: &Control<'_>) -> Result<Vec<CosetCount>, LabError> {
        census(control, |entry| self.bound.distance(entry))
    }
}

impl<B: LowerBound> Reid<B> {
    /// The move metric.
    pub fn metric(&self) -> Metric {
        self.table.metric
    }

    /// The search with this bound.
    pub fn ida(&self) -> Ida<'_, B> {
        Ida {
            bound: &self.bound,
            metric: self.table.metric,
        }
    }
}

impl Reid<ModThreeBound> {
    /// Creates the solver with distances modulo three. `raises_equal` is `true` if three equal
    /// distances count as one more.
    pub fn mod_three(
        lab: &Lab<'_>,
        metric: Metric,
        raises_equal: bool,
    ) -> Result<Reid<ModThreeBound>, LabError> {
        let storage = DistanceStorage::ModThree;
        let table = CosetTable { metric, storage };
        let distances = ModThree::new(lab.table(&table)?);
        Ok(Reid {
            table,
            bound: ModThreeBound::new(distances, metric, raises_equal),
            raises_equal,
            by_symmetry: true,
        })
    }
}

impl<B: LowerBound> IdaEngine for Reid<B> {
    type Bound = B;

    fn name(&self) -> &'static str {
        "reid"
    }

    fn metric(&self) -> Metric {
        self.table.metric
    }

    fn tables(&self) -> String {
        self.table.name()
    }

    fn lower_bound(&self) -> &B {
        &self.bound
    }

    fn bound_name(&self) -> String {
        let name = "cosets along three axes";
        match self.raises_equal {
            true => format!("{name}, three equal distances raised"),
            false => name.to_owned(),
        }
    }

    /// Like Reid's program, it searches every length, in quarter turns too.
    fn limits(&self) -> IdaLimits {
        IdaLimits {
            by_symmetry: self.by_symmetry,
            by_parity: false,
            ..IdaLimits::default()
        }
    }
}

/// The position of Nargolkar 2006, appendix B.
pub fn appendix_b() -> Cube {
    parse_reid("RU UF LF LU RB RD LB DB FR BU FD DL RUF LDF LFU LUB RDB RBU LBD RFD")
        .expect("twenty pieces")
}

/// The limits of a search for all solutions up to a length, threshold by threshold, without the
/// symmetry of the position.
fn up_to(last: u8) -> IdaLimits {
    IdaLimits {
        solution_count: SolutionCount::All,
        last: Some(last),
        by_parity: false,
        ..IdaLimits::default()
    }
}
