//! The oracles: known counts of positions, cosets and sequences by depth, recomputed by slow, obvious code.
//!
//! Everything in the search depends on them. If a move, a symmetry or a coordinate were wrong anywhere, a count
//! would be off. The rows that take long are ignored in everyday runs: `cargo test --release -- --ignored`.

use crate::support::breadth_first::levels;
use crate::support::level_scan::{Coordinate, count_levels};
use crate::support::{generators, oracle};
use cosette::Control;
use cosette::coord::CornerClasses;
use cosette::cube::{Cube, Face, Metric, Symmetry, Turn, sequence_counts};
use cosette::table::{Table, TableId};
use rayon::prelude::*;

/// What there is at each distance from solved, from 0 on, counted 48 positions at a time.
///
/// Conjugation by a symmetry carries moves to moves of the same cost, so it keeps distances, and it is enough to search
/// among the representatives of the symmetry classes. A class has 48 / |stabilizer| positions. If one of them is its own
/// inverse then all are, so the same search counts the involutions.
#[derive(Default)]
struct Census {
    /// Symmetry classes.
    classes: Vec<u64>,
    /// Positions.
    positions: Vec<u64>,
    /// Positions that are their own inverse, solved among them.
    involutions: Vec<u64>,
}

impl Census {
    /// Counts out to the distance `deepest`.
    fn take(metric: Metric, deepest: usize) -> Census {
        let generators = generators(metric);
        let neighbours = |p: Cube| generators.iter().map(move |&m| p.turned(m).representative());
        let mut census = Census::default();
        levels(Cube::SOLVED, deepest, neighbours, |level| {
            let count = |&p: &Cube| {
                let size = (Symmetry::COUNT / p.stabilizer().len()) as u64;
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
    let census = Census::take(metric, deepest);
    assert_eq!(census.classes.len(), deepest + 1);
    oracle::check(&format!("positions-{metric}"), &census.positions);
    oracle::check(&format!("positions-mod-symmetry-{metric}"), &census.classes);
    if metric == Metric::Htm {
        oracle::check("involutions-htm", &census.involutions);
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

/// How many sequences go on for `remaining` moves after a turn of `last`, by trying them all.
fn continuations(last: Option<Face>, remaining: u8) -> u64 {
    if remaining == 0 {
        return 1;
    }
    let may_follow = |face: Face| match last {
        None => true,
        Some(last) if last.axis() != face.axis() => true,
        Some(last) => last < face,
    };
    let turns = Face::ALL.into_iter().filter(|&face| may_follow(face)).flat_map(|face| Turn::ALL.map(|_| face));
    turns.map(|face| continuations(Some(face), remaining - 1)).sum()
}

#[test]
fn canonical_sequences() {
    let tried: Vec<u64> = (0..=7).map(|length| continuations(None, length)).collect();
    oracle::check_all("canonical-sequences-htm", &tried);
    let counted: Vec<u64> = sequence_counts(7, Metric::Htm).into_iter().map(|count| count as u64).collect();
    oracle::check_all("canonical-sequences-htm", &counted);
}

fn corner_counts(metric: Metric) -> Vec<u64> {
    let (permutation, twist) = (Coordinate::corner_permutation(), Coordinate::twist());
    assert_eq!((permutation.len(), twist.len()), (40_320, 2_187));
    count_levels(permutation.len(), |row, m| permutation.after(row, m), &twist, metric)
}

#[test]
fn corners_htm() {
    let counts = corner_counts(Metric::Htm);
    oracle::check_all("corners-htm", &counts);
    let moves: u64 = (0..).zip(&counts).map(|(distance, count)| distance * count).sum();
    let mean = moves as f64 / counts.iter().sum::<u64>() as f64;
    assert_eq!(format!("{mean:.3}"), "8.764");
}

#[test]
fn corners_qtm() {
    oracle::check_all("corners-qtm", &corner_counts(Metric::Qtm));
}

/// The cosets of ⟨U,D,F2,R2,B2,L2⟩. The subgroup permutes corners, slice edges and other edges among themselves and turns
/// none of them, so a coset is a placement of the slice edges, a flip and a twist.
struct ReidCosets {
    slice: Coordinate,
    flip: Coordinate,
    twist: Coordinate,
}

impl ReidCosets {
    fn new() -> ReidCosets {
        let [slice, flip, twist] = [Coordinate::slice_placement(), Coordinate::flip(), Coordinate::twist()];
        assert_eq!((slice.len(), flip.len(), twist.len()), (495, 2_048, 2_187));
        ReidCosets { slice, flip, twist }
    }

    /// Counts all 2,217,093,120.
    fn counts(&self, metric: Metric) -> Vec<u64> {
        let width = self.flip.len();
        let row_after = |row, m| self.slice.after(row / width, m) * width + self.flip.after(row % width, m);
        count_levels(self.slice.len() * width, row_after, &self.twist, metric)
    }

    /// Counts those within `deepest` moves.
    fn counts_within(&self, metric: Metric, deepest: usize) -> Vec<u64> {
        let generators = generators(metric);
        let after = |(slice, flip, twist): (u16, u16, u16), m| {
            let [slice, flip, twist] = [(&self.slice, slice), (&self.flip, flip), (&self.twist, twist)]
                .map(|(coordinate, value)| coordinate.after(usize::from(value), m) as u16);
            (slice, flip, twist)
        };
        let mut counts = Vec::new();
        let neighbours = |coset| generators.iter().map(move |&m| after(coset, m));
        levels((0, 0, 0), deepest, neighbours, |level| counts.push(level.len() as u64));
        assert_eq!(counts.len(), deepest + 1);
        counts
    }
}

#[test]
fn reid_cosets_near() {
    let cosets = ReidCosets::new();
    oracle::check("reid-cosets-htm", &cosets.counts_within(Metric::Htm, 7));
    oracle::check("reid-cosets-qtm", &cosets.counts_within(Metric::Qtm, 7));
}

#[test]
#[ignore = "the whole table: 2.5 minutes and 2.2 GB on two slow cores"]
fn reid_cosets_htm() {
    oracle::check_all("reid-cosets-htm", &ReidCosets::new().counts(Metric::Htm));
}

#[test]
#[ignore = "the whole table: 2 minutes and 2.2 GB on two slow cores"]
fn reid_cosets_qtm() {
    oracle::check_all("reid-cosets-qtm", &ReidCosets::new().counts(Metric::Qtm));
}

#[test]
fn whole_tables_are_whole() {
    let total = |name: &str| oracle::counts(name).iter().sum::<u64>();
    for metric in Metric::ALL {
        assert_eq!(total(&format!("corners-{metric}")), 40_320 * 2_187);
        assert_eq!(total(&format!("reid-cosets-{metric}")), 495 * 2_048 * 2_187);
    }
}

fn check_table(metric: Metric, size: &str) {
    let id = TableId { metric, size: size.parse().unwrap() };
    let table = Table::generate(id, &Control::default()).unwrap();
    let (found, known) = (table.distribution(), oracle::counts(&format!("table-{id}")));
    assert_eq!(found[..known.len()], known, "{id}");
    assert_eq!(found.iter().sum::<u64>(), (CornerClasses::COUNT * id.size.entries_per_class()) as u64);
}

#[test]
fn small_tables_have_their_golden_distributions() {
    ["24M", "47M", "94M", "190M"].iter().for_each(|size| check_table(Metric::Htm, size));
    check_table(Metric::Qtm, "24M");
}

#[test]
#[ignore = "two minutes on two cores, 2 GB"]
fn large_tables_have_their_golden_distributions() {
    ["375M", "750M", "1.5G"].iter().for_each(|size| check_table(Metric::Htm, size));
    check_table(Metric::Qtm, "47M");
}
