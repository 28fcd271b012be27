//! Generated tables against counts: golden distributions, and cosets counted without symmetry.

use super::*;
use crate::control::Control;
use crate::coord::{CornerClasses, CornerPainting, EdgePainting, PLACEMENTS};
use crate::cube::{Cube, Metric, Move};
use crate::kernel::Instructions;
use std::collections::HashSet;

fn id(metric: Metric, name: &str) -> TableId {
    TableId { metric, size: name.parse().unwrap() }
}

/// Generates a table and compares its distribution with the file in `tests/oracles`.
fn has_golden_distribution(metric: Metric, name: &str) {
    let id = id(metric, name);
    let table = Table::generate(id, &Control::default()).unwrap();
    let path = format!("{}/tests/oracles/table-{id}.txt", env!("CARGO_MANIFEST_DIR"));
    let golden = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rows = golden.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().nth(1).unwrap());
    let golden: Vec<u64> = rows.map(|count| count.parse().unwrap()).collect();
    let found = table.distribution();
    assert_eq!(found[..golden.len()], golden, "{id}");
    assert_eq!(found.iter().sum::<u64>(), (CornerClasses::COUNT * id.size.entries_per_class()) as u64);
}

#[test]
fn small_tables_have_their_golden_distributions() {
    for (metric, name) in
        [(Metric::Htm, "30M"), (Metric::Htm, "60M"), (Metric::Htm, "120M"), (Metric::Htm, "240M"), (Metric::Qtm, "30M")]
    {
        has_golden_distribution(metric, name);
    }
}

#[test]
#[ignore = "two minutes on two cores, 2 GB"]
fn large_tables_have_their_golden_distributions() {
    for (metric, name) in [(Metric::Htm, "480M"), (Metric::Htm, "1G"), (Metric::Htm, "2G"), (Metric::Qtm, "60M")] {
        has_golden_distribution(metric, name);
    }
}

#[test]
fn all_kernels_fill_alike() {
    let id = id(Metric::Htm, "60M");
    let portable = generate::some_classes(id, Instructions::portable());
    for instructions in Instructions::all() {
        assert!(generate::some_classes(id, instructions) == portable, "{}", instructions.name());
    }
}

/// Without flips the coordinate is that of the cosets of a subgroup, so a plain search counts them.
#[test]
fn the_smallest_table_counts_all_cosets_near_solved() {
    const DEEPEST: usize = 5;
    for metric in Metric::ALL {
        let coset = |cube: &Cube| (CornerPainting::of(cube).coordinate(), EdgePainting::of(cube).placement());
        let mut seen = HashSet::from([coset(&Cube::SOLVED)]);
        let mut level = vec![Cube::SOLVED];
        let mut expected = vec![1];
        for _ in 0..DEEPEST {
            let moves = || Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1);
            let neighbours = level.iter().flat_map(|cube| moves().map(|m| cube.turned(m)));
            level = neighbours.filter(|cube| seen.insert(coset(cube))).collect();
            expected.push(level.len() as u64);
        }
        let found = generate::cosets_by_distance(id(metric, "30M"));
        assert_eq!(found[..=DEEPEST], expected, "{metric}");
        assert_eq!(found.iter().sum::<u64>(), (CornerPainting::COUNT * PLACEMENTS) as u64);
    }
}
