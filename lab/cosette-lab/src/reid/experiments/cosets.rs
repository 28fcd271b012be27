//! The printed table: positions and classes by distance, in both metrics.

use super::metric_name;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::packed::FourBits;
use crate::reid::classes::Classes;
use crate::reid::coset::{Maps, TWISTS};
use crate::reid::table::{CosetTable, ENTRIES, Storage};
use cosette::cube::Metric;
use rayon::prelude::*;

/// The positions by distance in the half-turn metric, as the field knows them.
pub const POSITIONS_HTM: [u64; 13] =
    [1, 4, 50, 592, 7156, 87236, 1043817, 12070278, 124946368, 821605960, 1199128738, 58202444, 476];
/// The positions by distance in the quarter-turn metric: Nargolkar 2006, appendix B.
pub const POSITIONS_QTM: [u64; 14] =
    [1, 4, 34, 312, 2772, 24996, 225949, 2017078, 17554890, 139132730, 758147361, 1182378518, 117594403, 14072];
/// The first of the classes by distance in the quarter-turn metric, printed there too.
pub const CLASSES_QTM: [u64; 10] = [1, 1, 3, 24, 185, 1633, 14708, 130032, 1124165, 8868078];

/// The distances of all cosets of ⟨U, D, F2, R2, B2, L2⟩, in both metrics, beside the printed ones.
pub fn cosets(lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let mut tables = Vec::new();
    for (i, metric) in Metric::ALL.into_iter().enumerate() {
        lab.step("counting cosets", i as u64, 2);
        let counted = census(lab, &FourBits::new(lab.table(&CosetTable { metric, storage: Storage::Four })?))?;
        let (positions, classes): (&[u64], &[u64]) = match metric {
            Metric::Htm => (&POSITIONS_HTM, &[]),
            Metric::Qtm => (&POSITIONS_QTM, &CLASSES_QTM),
        };
        tables.push(table(metric, &counted, positions, classes));
    }
    lab.step("counting cosets", 2, 2);
    Ok(Experiment::new(
        "cosets",
        "Cosets of ⟨U, D, F2, R2, B2, L2⟩ by distance",
        "Reid 1997; Nargolkar 2006, appendix B",
    )
    .text(format!(
        "All 2,217,093,120 cosets, found by breadth-first search over {ENTRIES} entries: 64,430 classes of slots and \
         flips under the sixteen symmetries that keep the axis of U and D, times 2,187 twists. The printed classes are \
         these entries; orbits of cosets under the sixteen symmetries are fewer, since several twists of a class with \
         a stabilizer may belong to one orbit."
    ))
    .text(
        "Reid's e-mail prints no distances but the largest, 12. The thesis prints those of quarter turns, positions and classes. Those of \
         half turns are the ones known in the field since the searches that D. Winter and Reid made before, which the e-mail mentions. \
         Reid's search of them took under 11 minutes.",
    )
    .tables(tables))
}

fn table(metric: Metric, counted: &[Census], positions: &[u64], classes: &[u64]) -> Table {
    let mut table = Table::headed(
        metric_name(metric),
        match metric {
            Metric::Htm => {
                "distance | positions (known) | positions | ratio | classes (known) | classes | ratio of classes | orbits"
            }
            Metric::Qtm => {
                "distance | positions (thesis) | positions | ratio | classes (thesis) | classes | ratio of classes | orbits"
            }
        },
    );
    let ratio = |paper: Option<u64>, measured: u64| {
        paper.map_or(Cell::Nothing, |paper| Cell::ratio(measured as f64, paper as f64))
    };
    for (distance, census) in counted.iter().enumerate() {
        let paper = [positions, classes].map(|printed| printed.get(distance).copied());
        table.row([
            Cell::Count(distance as u64),
            Cell::count(paper[0]),
            Cell::Count(census.positions),
            ratio(paper[0], census.positions),
            Cell::count(paper[1]),
            Cell::Count(census.entries),
            ratio(paper[1], census.entries),
            Cell::Count(census.orbits),
        ]);
    }
    let sum = |count: fn(&Census) -> u64| Cell::Count(counted.iter().map(count).sum());
    table.row([
        Cell::text("all"),
        Cell::count((!positions.is_empty()).then(|| positions.iter().sum())),
        sum(|census| census.positions),
        Cell::Nothing,
        Cell::Nothing,
        sum(|census| census.entries),
        Cell::Nothing,
        sum(|census| census.orbits),
    ]);
    table
}

/// How many there are at a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Cosets.
    pub positions: u64,
    /// Entries of the table: classes of slots and flips with a twist.
    pub entries: u64,
    /// Orbits of cosets under the sixteen symmetries.
    pub orbits: u64,
}

const DISTANCES: usize = 16;

/// Counts a table, by distance from 0 on.
pub fn census(lab: &Lab<'_>, table: &FourBits) -> Result<Vec<Census>, LabError> {
    let (maps, classes) = (Maps::get(), Classes::get());
    let of_row = |class: usize| {
        let mut row = [Census::default(); DISTANCES];
        if lab.control.is_cancelled() {
            return row;
        }
        let size = classes.size(class);
        let stabilizer: Vec<&[u16]> =
            classes.stabilizer(class).map(|s| &maps.twists_conjugated[s.index()][..]).collect();
        for twist in 0..TWISTS {
            let count = &mut row[usize::from(table.get(class * TWISTS + twist))];
            count.positions += size;
            count.entries += 1;
            count.orbits += u64::from(stabilizer.iter().all(|conjugated| usize::from(conjugated[twist]) >= twist));
        }
        row
    };
    let sum = |mut sum: [Census; DISTANCES], row: [Census; DISTANCES]| {
        for (sum, row) in sum.iter_mut().zip(row) {
            sum.positions += row.positions;
            sum.entries += row.entries;
            sum.orbits += row.orbits;
        }
        sum
    };
    let empty = || [Census::default(); DISTANCES];
    let counted = lab.control.in_pool(|| (0..Classes::COUNT).into_par_iter().map(of_row).reduce(empty, sum))?;
    lab.check()?;
    Ok(counted.into_iter().filter(|count| count.positions > 0).collect())
}
