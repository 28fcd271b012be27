//! How many cosets there are at each distance: positions, entries of the table, classes under symmetry.
//!
//! Reid's printed table counts *positions*, the cosets themselves, and *classes*. His classes are the pairs of a class of slots
//! and flips with a twist, the entries of the table. Where the representative has a stabilizer, several twists
//! stand for one orbit of cosets under the sixteen symmetries, so there are fewer orbits than entries.

use super::classes::Classes;
use super::coset::{Maps, TWISTS};
use crate::lab::{Lab, LabError};
use crate::packed::FourBits;
use rayon::prelude::*;

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
///
/// # Errors
/// On cancellation, or if the threads cannot be started.
pub fn census(lab: &Lab<'_>, table: &FourBits) -> Result<Vec<Census>, LabError> {
    let (maps, classes) = (Maps::get(), Classes::get());
    let of_row = |class: usize| {
        let mut row = [Census::default(); DISTANCES];
        if lab.cancel.is_cancelled() {
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
    let pool = super::pool(lab)?;
    let counted = pool.install(|| (0..Classes::COUNT).into_par_iter().map(of_row).reduce(empty, sum));
    lab.check()?;
    Ok(counted.into_iter().filter(|count| count.positions > 0).collect())
}
