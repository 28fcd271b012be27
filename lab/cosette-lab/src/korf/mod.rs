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

pub mod bound;
mod claims;
pub mod corners;
pub mod databases;
pub mod edges;
pub mod engine;
pub mod instances;
pub mod law;
pub mod triples;

pub use claims::{claims, formula};
pub use databases::databases;
pub use edges::{SEVEN, SIX};
pub use engine::Korf;
pub use instances::{Instances, PAPERS_TEN, instances};
pub use law::law;

use crate::lab::LabTable;
use corners::CornerDatabase;
use cosette::cube::Metric;
use edges::EdgeDatabase;

/// The paper's databases: the corners, two sets of six edges, and as the option two of seven.
pub fn tables() -> Vec<Box<dyn LabTable>> {
    let metric = Metric::Htm;
    let sets = [SIX, SEVEN].concat();
    let edges = sets.into_iter().map(|set| Box::new(EdgeDatabase { set, metric }) as Box<dyn LabTable>);
    std::iter::once(Box::new(CornerDatabase { metric }) as Box<dyn LabTable>).chain(edges).collect()
}
