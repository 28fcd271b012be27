//! The distances of all cosets: a row for each class of slots and flips, a column for each twist.
//!
//! ```text
//! 64,430 · 2,187 = 140,908,410 entries     at four bits 70 MB, modulo three at two bits 35 MB
//! ```
//!
//! Breadth-first search over the entries (`space`) computes them, forward while few are known and
//! backward when few are left.

use super::coset::CosetClasses;
use super::coset::{AXIS_SYMMETRIES, Maps, ReidCoset, TWISTS};
use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::lab::LabTable;
use crate::packed::PackedDistances;
use crate::space::Space;
use cosette::Control;
use cosette::block_file::{PayloadKind, numbering};
use cosette::cube::{Metric, Move};

/// Number of entries.
pub const ENTRIES: usize = CosetClasses::COUNT * TWISTS;

/// The entry of a coset.
#[inline(always)]
pub fn entry(maps: &Maps, classes: &CosetClasses, coset: ReidCoset) -> usize {
    let (class, s) = classes.of(coset.raw());
    class * TWISTS + usize::from(maps.twists_conjugated[s][usize::from(coset.twist)])
}

/// The space of the entries.
struct EntrySpace {
    maps: &'static Maps,
    classes: &'static CosetClasses,
    /// For each move and each symmetry after it, the image of each twist.
    columns: Vec<Vec<u16>>,
}

impl EntrySpace {
    /// The space; its maps take a few milliseconds and a megabyte.
    fn new() -> EntrySpace {
        let maps = Maps::get();
        let columns = |m: Move, s: usize| {
            let image = |turned: &[u16; Move::COUNT]| {
                maps.twists_conjugated[s][usize::from(turned[m.index()])]
            };
            maps.twists_turned.iter().map(image).collect()
        };
        let columns = Move::ALL
            .into_iter()
            .flat_map(|m| (0..AXIS_SYMMETRIES).map(move |s| columns(m, s)))
            .collect();
        EntrySpace {
            maps,
            classes: CosetClasses::get(),
            columns,
        }
    }
}

impl Space for EntrySpace {
    fn rows(&self) -> usize {
        CosetClasses::COUNT
    }

    fn columns(&self) -> usize {
        TWISTS
    }

    fn start(&self) -> (usize, usize) {
        let start = entry(self.maps, self.classes, ReidCoset::target());
        (start / TWISTS, start % TWISTS)
    }

    fn turned(&self, row: usize, m: Move) -> (usize, impl Fn(usize) -> usize) {
        let (class, s) = self.classes.turned(self.maps, row, m);
        let twists = &self.columns[m.index() * AXIS_SYMMETRIES + s];
        (class, |twist| twists[twist].into())
    }

    fn twins(&self, row: usize, column: usize, mark: impl FnMut(usize)) {
        let twin = |s: usize| usize::from(self.maps.twists_conjugated[s][column]);
        self.classes
            .stabilizer(row)
            .skip(1)
            .map(twin)
            .for_each(mark);
    }
}

/// The table of the distances of all cosets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CosetTable {
    /// The move metric.
    pub metric: Metric,
    /// The storage of the distances.
    pub storage: DistanceStorage,
}

impl PayloadKind for CosetTable {
    fn name(&self) -> String {
        format!("reid-{}{}", self.metric, self.storage.suffix())
    }

    fn bytes(&self) -> u64 {
        self.storage.bytes(ENTRIES)
    }

    fn numbering(&self) -> u64 {
        numbering(|position| {
            entry(Maps::get(), CosetClasses::get(), ReidCoset::of(position)) as u64
        })
    }
}

impl LabTable for CosetTable {
    fn generate(&self, control: &Control<'_>) -> Result<PackedDistances, LabError> {
        self.storage
            .generate(&EntrySpace::new(), self.metric, control)
    }
}
