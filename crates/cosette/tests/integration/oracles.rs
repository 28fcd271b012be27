//! The oracles: known counts of positions, cosets and sequences by depth, recomputed by slow,
//! obvious code.
//!
//! Everything in the search depends on them. If a move, a symmetry or a coordinate were wrong
//! anywhere, a count would be off. The rows that take long are ignored in everyday runs: `cargo
//! test --release -- --ignored`.
//!
//! A coordinate is anything of a position that the moves carry on by themselves: its value on p·m
//! depends on its value on p alone. [`OracleCoordinate::discover`] finds all values by walking
//! them, so it needs no formula for their ranks.

use crate::{check_all_counts, check_counts, generators, known_counts, levels};
use cosette::Control;
use cosette::coord::CornerClasses;
use cosette::cube::{Corner, Cube, Edge, Metric, Move, Symmetry, sequence_counts};
use cosette::table::{Table, TableId};
use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The values of a coordinate, numbered as they are found from the solved position, which is 0, and
/// what moves make of them.
struct OracleCoordinate {
    /// `next[m][value]`.
    next: Vec<Vec<u32>>,
}

impl OracleCoordinate {
    /// Finds all values that `value` takes.
    fn discover<V: Eq + Hash>(value: impl Fn(&Cube) -> V) -> OracleCoordinate {
        let mut numbers = HashMap::from([(value(&Cube::SOLVED), 0)]);
        let mut examples = vec![Cube::SOLVED];
        let mut next = vec![Vec::new(); Move::COUNT];
        let mut number = 0;
        while number < examples.len() {
            for m in Move::ALL {
                let neighbor = examples[number].apply(m);
                let found = *numbers.entry(value(&neighbor)).or_insert(examples.len());
                if found == examples.len() {
                    examples.push(neighbor);
                }
                next[m.index()].push(found as u32);
            }
            number += 1;
        }
        OracleCoordinate { next }
    }

    /// Which corner is in each slot: 40,320 values.
    fn corner_permutation() -> OracleCoordinate {
        OracleCoordinate::discover(|p| Corner::ALL.map(|slot| p.corner(slot).0))
    }

    /// How the corner in each slot is twisted: 2,187 values.
    fn twist() -> OracleCoordinate {
        OracleCoordinate::discover(|p| Corner::ALL.map(|slot| p.corner(slot).1))
    }

    /// How the edge in each slot is flipped: 2,048 values.
    fn flip() -> OracleCoordinate {
        OracleCoordinate::discover(|p| Edge::ALL.map(|slot| p.edge(slot).1))
    }

    /// Which slots hold the edges between U and D: 495 values.
    fn slice_placement() -> OracleCoordinate {
        OracleCoordinate::discover(|p| Edge::ALL.map(|slot| p.edge(slot).0.slice() == 0))
    }

    /// How many values there are.
    fn len(&self) -> usize {
        self.next[0].len()
    }

    /// The value after `m`.
    fn after(&self, value: usize, m: Move) -> usize {
        self.next[m.index()][value] as usize
    }
}

/// How many pairs of a row and a column there are at each distance from (0, 0), from 0 to the
/// largest.
///
/// A breadth-first search over the whole space, one byte a point: a pass over the points of one
/// level marks the next. The columns are the corner twists, 2,187 bytes a row, so that a row and
/// its neighbors stay in the cache while they are scanned. Takes rows × columns bytes of memory.
fn count_levels(
    rows: usize,
    row_after: impl Fn(usize, Move) -> usize + Sync,
    columns: &OracleCoordinate,
    metric: Metric,
) -> Vec<u64> {
    const UNREACHED: u8 = 0;
    let generators = generators(metric);
    let width = columns.len();
    let marks: Vec<AtomicU8> = std::iter::repeat_with(|| AtomicU8::new(UNREACHED))
        .take(rows * width)
        .collect();
    // The mark of a point is its distance plus one. Threads that reach the same point write the
    // same mark.
    marks[0].store(1, Relaxed);
    let scan_row = |mark: u8, row: usize| {
        let is_in_level = |column: &usize| marks[row * width + column].load(Relaxed) == mark;
        let level: Vec<usize> = (0..width).filter(is_in_level).collect();
        if !level.is_empty() {
            for &m in &generators {
                let start = row_after(row, m) * width;
                for &column in &level {
                    let neighbor = &marks[start + columns.after(column, m)];
                    if neighbor.load(Relaxed) == UNREACHED {
                        neighbor.store(mark + 1, Relaxed);
                    }
                }
            }
        }
        level.len() as u64
    };
    let level_count = |mark| {
        (0..rows)
            .into_par_iter()
            .map(|row| scan_row(mark, row))
            .sum()
    };
    (1..)
        .map(level_count)
        .take_while(|&count| count > 0)
        .collect()
}

/// What there is at each distance from solved, from 0 on, counted 48 positions at a time.
///
/// Conjugation by a symmetry carries moves to moves of the same cost, so it keeps distances, and it
/// is enough to search among the representatives of the symmetry classes. A class has 48 /
/// |stabilizer| positions. If one of them is its own inverse then all are, so the same search
/// counts the involutions.
#[derive(Default)]
struct OracleCensus {
    /// Symmetry classes.
    classes: Vec<u64>,
    /// Positions.
    positions: Vec<u64>,
    /// Positions that are their own inverse, solved among them.
    involutions: Vec<u64>,
}

impl OracleCensus {
    /// Counts out to the distance `deepest`.
    fn take(metric: Metric, deepest: usize) -> OracleCensus {
        let generators = generators(metric);
        let neighbors = |p: Cube| generators.iter().map(move |&m| p.apply(m).representative());
        let mut census = OracleCensus::default();
        levels(Cube::SOLVED, deepest, neighbors, |level| {
            let count = |&p: &Cube| {
                let size = (Symmetry::COUNT / p.symmetries().len()) as u64;
                (size, if (p * p).is_solved() { size } else { 0 })
            };
            let sum = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
            let (positions, involutions) = level.par_iter().map(count).reduce(|| (0, 0), sum);
            census.classes.push(level.len() as u64);
            census.positions.push(positions);
            census.involutions.push(involutions);
        });
        census
    }
}

fn check_positions(metric: Metric, deepest: usize) {
    let census = OracleCensus::take(metric, deepest);
    assert_eq!(census.classes.len(), deepest + 1);
    check_counts(&format!("positions-{metric}"), &census.positions);
    check_counts(&format!("positions-mod-symmetry-{metric}"), &census.classes);
    if metric == Metric::Htm {
        check_counts("involutions-htm", &census.involutions);
    }
}

#[test]
fn positions_htm() {
    check_positions(Metric::Htm, 7);
}

#[test]
fn positions_qtm() {
    check_positions(Metric::Qtm, 8);
}

#[test]
#[ignore = "one level more: 2 minutes and 2 GB on two slow cores"]
fn positions_htm_deeper() {
    check_positions(Metric::Htm, 8);
}

#[test]
#[ignore = "one level more: 1 minute and 1 GB on two slow cores"]
fn positions_qtm_deeper() {
    check_positions(Metric::Qtm, 9);
}

#[test]
fn canonical_sequences() {
    let counted: Vec<u64> = sequence_counts(7, Metric::Htm)
        .into_iter()
        .map(|count| count as u64)
        .collect();
    check_all_counts("canonical-sequences-htm", &counted);
}

fn corner_counts(metric: Metric) -> Vec<u64> {
    let permutation = OracleCoordinate::corner_permutation();
    let twist = OracleCoordinate::twist();
    assert_eq!((permutation.len(), twist.len()), (40_320, 2_187));
    count_levels(
        permutation.len(),
        |row, m| permutation.after(row, m),
        &twist,
        metric,
    )
}

#[test]
fn corners_htm() {
    let counts = corner_counts(Metric::Htm);
    check_all_counts("corners-htm", &counts);
    let moves: u64 = (0..)
        .zip(&counts)
        .map(|(distance, count)| distance * count)
        .sum();
    let mean = moves as f64 / counts.iter().sum::<u64>() as f64;
    assert_eq!(format!("{mean:.3}"), "8.764");
}

#[test]
fn corners_qtm() {
    check_all_counts("corners-qtm", &corner_counts(Metric::Qtm));
}

/// The cosets of ⟨U,D,F2,R2,B2,L2⟩. The subgroup permutes corners, slice edges and other edges
/// among themselves and turns none of them, so a coset is a placement of the slice edges, a flip
/// and a twist.
struct ReidCosets {
    slice: OracleCoordinate,
    flip: OracleCoordinate,
    twist: OracleCoordinate,
}

impl ReidCosets {
    fn new() -> ReidCosets {
        let [slice, flip, twist] = [
            OracleCoordinate::slice_placement(),
            OracleCoordinate::flip(),
            OracleCoordinate::twist(),
        ];
        assert_eq!((slice.len(), flip.len(), twist.len()), (495, 2_048, 2_187));
        ReidCosets { slice, flip, twist }
    }

    /// Counts all 2,217,093,120.
    fn counts(&self, metric: Metric) -> Vec<u64> {
        let width = self.flip.len();
        let row_after =
            |row, m| self.slice.after(row / width, m) * width + self.flip.after(row % width, m);
        count_levels(self.slice.len() * width, row_after, &self.twist, metric)
    }

    /// Counts those within `deepest` moves.
    fn counts_within(&self, metric: Metric, deepest: usize) -> Vec<u64> {
        let generators = generators(metric);
        let after = |(slice, flip, twist): (u16, u16, u16), m| {
            let [slice, flip, twist] = [
                (&self.slice, slice),
                (&self.flip, flip),
                (&self.twist, twist),
            ]
            .map(|(coordinate, value)| coordinate.after(usize::from(value), m) as u16);
            (slice, flip, twist)
        };
        let mut counts = Vec::new();
        let neighbors = |coset| generators.iter().map(move |&m| after(coset, m));
        levels((0, 0, 0), deepest, neighbors, |level| {
            counts.push(level.len() as u64)
        });
        assert_eq!(counts.len(), deepest + 1);
        counts
    }
}

#[test]
fn reid_cosets_near() {
    let cosets = ReidCosets::new();
    check_counts("reid-cosets-htm", &cosets.counts_within(Metric::Htm, 7));
    check_counts("reid-cosets-qtm", &cosets.counts_within(Metric::Qtm, 7));
}

#[test]
#[ignore = "the whole table: 2.5 minutes and 2.2 GB on two slow cores"]
fn reid_cosets_htm() {
    check_all_counts("reid-cosets-htm", &ReidCosets::new().counts(Metric::Htm));
}

#[test]
#[ignore = "the whole table: 2 minutes and 2.2 GB on two slow cores"]
fn reid_cosets_qtm() {
    check_all_counts("reid-cosets-qtm", &ReidCosets::new().counts(Metric::Qtm));
}

#[test]
fn whole_tables_are_whole() {
    let total = |name: &str| known_counts(name).iter().sum::<u64>();
    for metric in Metric::ALL {
        assert_eq!(total(&format!("corners-{metric}")), 40_320 * 2_187);
        assert_eq!(total(&format!("reid-cosets-{metric}")), 495 * 2_048 * 2_187);
    }
}

fn check_table(metric: Metric, size: &str) {
    let id = TableId {
        metric,
        size: size.parse().unwrap(),
    };
    let table = Table::generate(id, &Control::default()).unwrap();
    let found = table.distribution();
    let known = known_counts(&format!("table-{id}"));
    assert_eq!(found[..known.len()], known, "{id}");
    assert_eq!(
        found.iter().sum::<u64>(),
        (CornerClasses::COUNT * id.size.entries_per_class()) as u64
    );
}

#[test]
fn small_tables_have_their_golden_distributions() {
    ["24M", "47M", "94M", "190M"]
        .iter()
        .for_each(|size| check_table(Metric::Htm, size));
    check_table(Metric::Qtm, "24M");
}

#[test]
#[ignore = "two minutes on two cores, 2 GB"]
fn large_tables_have_their_golden_distributions() {
    ["375M", "750M", "1.5G"]
        .iter()
        .for_each(|size| check_table(Metric::Htm, size));
    check_table(Metric::Qtm, "47M");
}
