//! The oracles: known counts of positions, of sequences and of entries of tables by depth,
//! recomputed by slow, obvious code.
//!
//! Everything in the search depends on them. If a move or a symmetry were wrong anywhere, a count
//! would be off. The rows that take long are ignored in everyday runs: `cargo test --release --
//! --ignored`.

use crate::{check_counts, generators, id, known_counts, levels};
use cosette::Control;
use cosette::coord::CornerClasses;
use cosette::cube::{Cube, Metric, Symmetry, sequence_counts};
use cosette::table::{Table, TableId};
use rayon::prelude::*;

/// The positions at each distance from solved, from 0 on, counted 48 at a time.
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
            let size = |p: &Cube| (Symmetry::COUNT / p.symmetries().len()) as u64;
            let involutions = level.par_iter().filter(|&&p| (p * p).is_solved());
            census.classes.push(level.len() as u64);
            census.positions.push(level.par_iter().map(size).sum());
            census.involutions.push(involutions.map(size).sum());
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
fn positions() {
    check_positions(Metric::Htm, 7);
    check_positions(Metric::Qtm, 8);
}

#[test]
#[ignore = "one level more: 3 minutes and 2 GB on two slow cores"]
fn positions_deeper() {
    check_positions(Metric::Htm, 8);
    check_positions(Metric::Qtm, 9);
}

#[test]
fn canonical_sequences() {
    let counts = sequence_counts(7, Metric::Htm);
    let counts = counts.into_iter().map(|count| count as u64);
    assert!(counts.eq(known_counts("canonical-sequences-htm")));
}

fn check_tables(metric: Metric, sizes: &[&str]) {
    for size in sizes {
        let id = TableId { metric, ..id(size) };
        let table = Table::generate(id, &Control::default()).unwrap();
        let found = table.distribution();
        let known = known_counts(&format!("table-{id}"));
        assert_eq!(found[..known.len()], known, "{id}");
        let entries = CornerClasses::COUNT * id.size.entries_per_class();
        assert_eq!(found.iter().sum::<u64>(), entries as u64);
    }
}

#[test]
fn small_tables_have_their_golden_distributions() {
    check_tables(Metric::Htm, &["24M", "47M", "94M", "190M"]);
    check_tables(Metric::Qtm, &["24M"]);
}

#[test]
#[ignore = "two minutes on two cores, 2 GB"]
fn large_tables_have_their_golden_distributions() {
    check_tables(Metric::Htm, &["375M", "750M", "1.5G"]);
    check_tables(Metric::Qtm, &["47M"]);
}
