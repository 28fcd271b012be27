//! Breadth-first search over the whole of a coordinate space, one byte a point.
//!
//! A coordinate is anything of a position that the moves carry on by themselves: its value on p·m depends on its value on
//! p alone. [`Coordinate::discover`] finds all values by walking them, so it needs no formula for their ranks. The spaces
//! here are pairs of a *row* and a *column*, each a coordinate; a pass over the points of one level marks the next. The
//! columns are the corner twists, 2,187 bytes a row, so that a row and its neighbours stay in the cache while they are
//! scanned.

use super::generators;
use cosette::cube::{Corner, Cube, Edge, Metric, Move};
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The values of a coordinate, numbered as they are found from the solved position, which is 0, and what moves make of
/// them.
pub struct Coordinate {
    /// `next[m][value]`.
    next: Vec<Vec<u32>>,
}

impl Coordinate {
    /// Finds all values that `value` takes.
    pub fn discover<V: Eq + Hash>(value: impl Fn(&Cube) -> V) -> Coordinate {
        let mut numbers = HashMap::from([(value(&Cube::SOLVED), 0)]);
        let mut examples = vec![Cube::SOLVED];
        let mut next = vec![Vec::new(); Move::COUNT];
        let mut number = 0;
        while number < examples.len() {
            for m in Move::ALL {
                let neighbour = examples[number].turned(m);
                let found = *numbers.entry(value(&neighbour)).or_insert(examples.len());
                if found == examples.len() {
                    examples.push(neighbour);
                }
                next[m.index()].push(found as u32);
            }
            number += 1;
        }
        Coordinate { next }
    }

    /// Which corner is in each slot: 40,320 values.
    pub fn corner_permutation() -> Coordinate {
        Coordinate::discover(|p| Corner::ALL.map(|slot| p.corner(slot).0))
    }

    /// How the corner in each slot is twisted: 2,187 values.
    pub fn twist() -> Coordinate {
        Coordinate::discover(|p| Corner::ALL.map(|slot| p.corner(slot).1))
    }

    /// How the edge in each slot is flipped: 2,048 values.
    pub fn flip() -> Coordinate {
        Coordinate::discover(|p| Edge::ALL.map(|slot| p.edge(slot).1))
    }

    /// Which slots hold the edges between U and D: 495 values.
    pub fn slice_placement() -> Coordinate {
        Coordinate::discover(|p| Edge::ALL.map(|slot| p.edge(slot).0.slice() == 0))
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.next[0].len()
    }

    /// The value after `m`.
    pub fn after(&self, value: usize, m: Move) -> usize {
        self.next[m.index()][value] as usize
    }
}

/// How many pairs of a row and a column there are at each distance from (0, 0), from 0 to the largest.
///
/// Takes rows × columns bytes of memory.
pub fn count_levels(
    rows: usize,
    row_after: impl Fn(usize, Move) -> usize + Sync,
    columns: &Coordinate,
    metric: Metric,
) -> Vec<u64> {
    const UNREACHED: u8 = 0;
    let generators = generators(metric);
    let width = columns.len();
    let marks: Vec<AtomicU8> = std::iter::repeat_with(|| AtomicU8::new(UNREACHED)).take(rows * width).collect();
    // The mark of a point is its distance plus one. Threads that reach the same point write the same mark.
    marks[0].store(1, Relaxed);
    let scan_row = |mark: u8, row: usize| {
        let is_in_level = |column: &usize| marks[row * width + column].load(Relaxed) == mark;
        let level: Vec<usize> = (0..width).filter(is_in_level).collect();
        if !level.is_empty() {
            for &m in &generators {
                let start = row_after(row, m) * width;
                for &column in &level {
                    let neighbour = &marks[start + columns.after(column, m)];
                    if neighbour.load(Relaxed) == UNREACHED {
                        neighbour.store(mark + 1, Relaxed);
                    }
                }
            }
        }
        level.len() as u64
    };
    let level_count = |mark| (0..rows).into_par_iter().map(|row| scan_row(mark, row)).sum();
    (1..).map(level_count).take_while(|&count| count > 0).collect()
}
