//! Reid 1997: an optimal solver whose bound is the distance to ⟨U, D, F2, R2, B2, L2⟩, along three axes.
//!
//! Michael Reid announced it on the Cube-Lovers list in July 1997, half a year after Korf's paper. The target subgroup H =
//! ⟨U, D, F2, R2, B2, L2⟩ is that of the first phase of Kociemba's algorithm. A position p is as far from H as its coset
//! H·p, and no solution is shorter than that. There are 2,217,093,120 cosets; under the sixteen symmetries that keep the
//! axis of U and D they fall to 140,908,410 entries of four bits (`table`). The same table serves along the
//! three axes (`view`), and the largest of the three distances is the lower bound (`bound`).
//!
//! ```text
//! search(p, threshold):                                      IDA* (`ida`)
//!     for each move m that may follow the last one
//!         for each axis: distance = table[class of p·m along the axis][twist]
//!         go on with p·m unless one of the distances exceeds what remains
//! where nothing remains p·m lies in the three subgroups H at once, in T (`target`): test whether it is solved
//! ```
//!
//! Departures: 1. The moves of several nodes are looked up together, the axis with the largest distance of the
//! parent first; nodes and tests stay the same. 2. Where a position has symmetry, tasks of three moves that are conjugate are
//! searched once. 3. Three equal distances can be made to count one more (`bound`). Reid's own program seems not to have done so: without it,
//! the nodes generated are those that Nargolkar 2006 printed from his method, to the last digit (`log`). So it is off
//! unless asked for. 4. Distances can be stored modulo three (`mod_three`).

pub mod bound;
pub mod classes;
pub mod coset;
mod engine;
pub mod experiments;
pub mod mod_three;
pub mod table;
pub mod target;
pub mod view;

pub use engine::Reid;
pub use experiments::{
    PRINTED as PRINTED_LOG, appendix_b, cosets, korf_ten, korf_ten_by_reid, log, mean, speed, subgroups, superflip,
    target_subgroup,
};

use crate::lab::LabTable;
use cosette::cube::Metric;
use table::{CosetTable, Storage};

/// The tables of this system: both metrics, in four bits and modulo three.
pub fn tables() -> Vec<Box<dyn LabTable>> {
    let table = |(metric, storage)| -> Box<dyn LabTable> { Box::new(CosetTable { metric, storage }) };
    let storages = [Storage::Four, Storage::ModThree];
    storages.into_iter().flat_map(|storage| Metric::ALL.map(|metric| (metric, storage))).map(table).collect()
}
