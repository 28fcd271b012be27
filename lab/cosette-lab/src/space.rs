//! Breadth-first search over a whole coordinate space.
//!
//! The spaces of the papers are products: corners are a permutation and a twist, six edges a
//! placement and their flips, Reid's cosets a class and a twist. A move carries the *row* to
//! another, and with it all *columns* by one rule. So a level is spread row by row, and a row and
//! its image lie in the cache while they are worked on.
//!
//! ```text
//! distance(start) = 0, all others unknown
//! for d = 0, 1, … while there are entries at distance d
//!     few of them: for each entry at d, each unknown neighbor gets d + 1          (forward)
//!     few unknown: each unknown entry with a neighbor at d gets d + 1             (backward; Reid 1997)
//! ```
//!
//! Moves come with their inverses, so an entry is a neighbor of its neighbors. If a row represents
//! a class with a stabilizer, one entry has several places in the row; [`Space::twins`] gives them,
//! and all are marked.

use crate::error::LabError;
use cosette::Control;
use cosette::cube::{Metric, Move};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// A coordinate space of rows and columns.
pub trait Space: Sync {
    /// Returns the number of rows.
    fn rows(&self) -> usize;

    /// Returns the number of columns.
    fn columns(&self) -> usize;

    /// The row and the column of the solved position.
    fn start(&self) -> (usize, usize);

    /// Returns the image of a row under a move, and the image of each column.
    fn turned(&self, row: usize, m: Move) -> (usize, impl Fn(usize) -> usize);

    /// Calls `mark` with the other columns of this row that represent the same entry.
    fn twins(&self, _row: usize, _column: usize, _mark: impl FnMut(usize)) {}
}

/// The moves that cost one in `metric`: all eighteen, or the twelve quarter turns. With these alone
/// a breadth-first search gives distances, for a half turn is two quarter turns.
pub fn generators(metric: Metric) -> Vec<Move> {
    Move::ALL
        .into_iter()
        .filter(|&m| metric.cost(m) == 1)
        .collect()
}

/// An entry that has not been reached.
pub const UNREACHED: u8 = u8::MAX;

/// Returns `true` if the next level is searched forward: fewer than half of the entries are reached.
pub fn is_forward(reached: u64, entries: usize) -> bool {
    reached < entries as u64 / 2
}

/// Returns the distance of every entry, one byte each: row by row. Progress counts entries.
/// Unreachable entries stay [`UNREACHED`].
pub fn distances<S: Space>(
    space: &S,
    metric: Metric,
    control: &Control<'_>,
) -> Result<Vec<u8>, LabError> {
    let rows = space.rows();
    let columns = space.columns();
    let moves = generators(metric);
    let marks: Vec<AtomicU8> = std::iter::repeat_with(|| AtomicU8::new(UNREACHED))
        .take(rows * columns)
        .collect();
    let row_at = |row: usize| &marks[row * columns..][..columns];
    let (row, column) = space.start();
    row_at(row)[column].store(0, Relaxed);

    let mut reached = 1;
    for distance in 0.. {
        let level = AtomicU64::new(0);
        // Threads that reach the same entry write the same distance.
        let mark = |marks: &[AtomicU8], row: usize, column: usize| {
            if marks[column].load(Relaxed) == UNREACHED
                && marks[column].swap(distance + 1, Relaxed) == UNREACHED
            {
                let mut entries = 1;
                space.twins(row, column, |twin| {
                    entries += u64::from(marks[twin].swap(distance + 1, Relaxed) == UNREACHED);
                });
                entries
            } else {
                0
            }
        };
        let forward = |row: usize| {
            let from = row_at(row);
            let here: Vec<usize> = (0..columns)
                .filter(|&column| from[column].load(Relaxed) == distance)
                .collect();
            let mut marked = 0;
            for &m in if here.is_empty() { &[][..] } else { &moves } {
                let (to_row, image) = space.turned(row, m);
                let to = row_at(to_row);
                marked += here
                    .iter()
                    .map(|&column| mark(to, to_row, image(column)))
                    .sum::<u64>();
            }
            marked
        };
        let backward = |row: usize| {
            let from = row_at(row);
            let mut here: Vec<usize> = (0..columns)
                .filter(|&column| from[column].load(Relaxed) == UNREACHED)
                .collect();
            let mut marked = 0;
            for &m in &moves {
                if here.is_empty() {
                    break;
                }
                let (to_row, image) = space.turned(row, m);
                let to = row_at(to_row);
                here.retain(|&column| {
                    let found = to[image(column)].load(Relaxed) == distance;
                    if found {
                        marked += mark(from, row, column);
                    }
                    !found
                });
            }
            marked
        };
        let is_forward = is_forward(reached, rows * columns);
        control.in_pool(|| {
            (0..rows).into_par_iter().for_each(|row| {
                if !control.is_cancelled() {
                    level.fetch_add(
                        if is_forward {
                            forward(row)
                        } else {
                            backward(row)
                        },
                        Relaxed,
                    );
                }
            });
        })?;
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        let level = level.into_inner();
        reached += level;
        control.report(reached, (rows * columns) as u64);
        if level == 0 {
            break;
        }
    }
    Ok(marks.into_iter().map(AtomicU8::into_inner).collect())
}
