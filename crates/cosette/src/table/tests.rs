//! Generated tables: the same with every kernel, and against cosets counted without symmetry.

use super::*;
use crate::coord::{CornerPainting, EdgePainting, PLACEMENTS};
use crate::cube::{Cube, Metric};
use crate::kernel::Instructions;

fn id(metric: Metric, name: &str) -> TableId {
    TableId { metric, size: name.parse().unwrap() }
}

#[test]
fn all_kernels_generate_the_same_table() {
    let id = id(Metric::Htm, "47M");
    let portable = generate::testing::some_classes(id, Instructions::portable());
    for instructions in Instructions::all() {
        assert!(generate::testing::some_classes(id, instructions) == portable, "{}", instructions.name());
    }
}

/// Without flips the coordinate is that of the cosets of a subgroup, so a plain search counts them.
#[test]
fn the_smallest_table_counts_all_cosets_near_solved() {
    const DEEPEST: usize = 5;
    for metric in Metric::ALL {
        let coset = |cube: &Cube| (CornerPainting::of(cube).coordinate(), EdgePainting::of(cube).placement());
        let expected = generate::testing::counted_cosets(metric, DEEPEST, coset);
        let found = generate::testing::cosets_by_distance(id(metric, "24M"));
        assert_eq!(found[..=DEEPEST], expected, "{metric}");
        assert_eq!(found.iter().sum::<u64>(), CornerPainting::COUNT as u64 * PLACEMENTS as u64);
    }
}

#[test]
fn a_name_that_no_table_has_is_quoted_in_part() {
    let long = "190M".repeat(1000);
    for message in [long.parse::<TableId>().unwrap_err(), long.parse::<TableSize>().unwrap_err()].map(|e| e.to_string())
    {
        assert!(message.contains("\"190M") && message.len() < 200, "{message}");
    }
}

#[test]
fn the_successor_of_a_table_of_the_first_format_is_named() {
    for (former, remedy) in [("2G", "generate htm-1.5G, which"), ("qtm-240M", "generate qtm-190M, which")] {
        let message = former.parse::<TableId>().unwrap_err().to_string();
        assert!(
            message.contains(remedy) && message.contains("-240M.table") | message.contains("htm-2G.table"),
            "{message}"
        );
    }
}
