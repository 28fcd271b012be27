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
    let entries = space.rows() * space.columns();
    let marks = std::iter::repeat_with(|| AtomicU8::new(UNREACHED)).take(entries);
    let marked = MarkedSpace {
        space,
        moves: generators(metric),
        marks: marks.collect(),
    };
    let (row, column) = space.start();
    marked.row(row)[column].store(0, Relaxed);

    let mut reached = 1;
    for distance in 0.. {
        let is_forward = is_forward(reached, entries);
        let level = AtomicU64::new(0);
        let spread = |row: usize| {
            if !control.is_cancelled() {
                let found = match is_forward {
                    true => marked.spread_forward(row, distance),
                    false => marked.spread_backward(row, distance),
                };
                level.fetch_add(found, Relaxed);
            }
        };
        control.in_pool(|| (0..space.rows()).into_par_iter().for_each(spread))?;
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        let level = level.into_inner();
        reached += level;
        control.report(reached, entries as u64);
        if level == 0 {
            break;
        }
    }
    let marks = marked.marks.into_iter();
    Ok(marks.map(AtomicU8::into_inner).collect())
}

/// A space with the distances of its entries. Threads that reach the same entry write the same
/// distance.
struct MarkedSpace<'a, S> {
    space: &'a S,
    moves: Vec<Move>,
    marks: Vec<AtomicU8>,
}

impl<S: Space> MarkedSpace<'_, S> {
    fn row(&self, row: usize) -> &[AtomicU8] {
        let columns = self.space.columns();
        &self.marks[row * columns..][..columns]
    }

    /// Returns the columns of a row whose entries have this distance.
    fn columns_at(&self, row: usize, distance: u8) -> Vec<usize> {
        let marks = self.row(row);
        (0..marks.len())
            .filter(|&column| marks[column].load(Relaxed) == distance)
            .collect()
    }

    /// Marks an entry that has not been reached, and its twins; returns their number.
    #[inline(always)]
    fn mark(&self, marks: &[AtomicU8], row: usize, column: usize, distance: u8) -> u64 {
        let is_new = |column: usize| marks[column].swap(distance, Relaxed) == UNREACHED;
        if marks[column].load(Relaxed) != UNREACHED || !is_new(column) {
            return 0;
        }
        let mut entries = 1;
        self.space
            .twins(row, column, |twin| entries += u64::from(is_new(twin)));
        entries
    }

    /// Marks the neighbors of the entries of a row at this distance.
    fn spread_forward(&self, row: usize, distance: u8) -> u64 {
        let here = self.columns_at(row, distance);
        if here.is_empty() {
            return 0;
        }
        let mut found = 0;
        for &m in &self.moves {
            let (to_row, image) = self.space.turned(row, m);
            let to = self.row(to_row);
            for &column in &here {
                found += self.mark(to, to_row, image(column), distance + 1);
            }
        }
        found
    }

    /// Marks the entries of a row that have a neighbor at this distance.
    fn spread_backward(&self, row: usize, distance: u8) -> u64 {
        let mut open = self.columns_at(row, UNREACHED);
        let mut found = 0;
        for &m in &self.moves {
            if open.is_empty() {
                break;
            }
            let (to_row, image) = self.space.turned(row, m);
            let to = self.row(to_row);
            open.retain(|&column| {
                let is_near = to[image(column)].load(Relaxed) == distance;
                if is_near {
                    found += self.mark(self.row(row), row, column, distance + 1);
                }
                !is_near
            });
        }
        found
    }
}
