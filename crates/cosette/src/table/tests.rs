//! Generated tables: the same with every kernel, and against cosets counted without symmetry; and what other tests count
//! and generate.

use super::*;
use crate::control::{Cancel, ThreadCount, Threads};
use crate::coord::{CornerClasses, CornerPainting, EdgePainting, PLACEMENTS};
use crate::cube::{Cube, Metric, Move};
use crate::kernel::Instructions;
use crate::table::catalogue::{Distribution, TableId};
use crate::table::generate::{Plan, Scratch};
use crate::table::line::{ENTRIES_PER_WORD, LEVELS, Line};
use crate::table::pruning_table::entry_address;
use std::convert::Infallible;

fn id(metric: Metric, name: &str) -> TableId {
    TableId { metric, size: name.parse().unwrap() }
}

#[test]
fn all_kernels_generate_the_same_table() {
    let id = id(Metric::Htm, "47M");
    let portable = some_classes(id, Instructions::portable());
    for instructions in Instructions::all() {
        assert!(some_classes(id, instructions) == portable, "{}", instructions.name());
    }
}

/// Without flips the coordinate is that of the cosets of a subgroup, so a plain search counts them.
#[test]
fn the_smallest_table_counts_all_cosets_near_solved() {
    const DEEPEST: usize = 5;
    for metric in Metric::ALL {
        let coset = |cube: &Cube| (CornerPainting::of(cube).coordinate(), EdgePainting::of(cube).placement());
        let expected = counted_cosets(metric, DEEPEST, coset);
        let found = cosets_by_distance(id(metric, "24M"));
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

/// How many cosets, not counted modulo symmetry, have each value in a table without flips: each entry of a class stands
/// for as many as the class has corner paintings.
pub(in crate::table) fn cosets_by_distance(id: TableId) -> Distribution {
    assert_eq!(id.size.kept_flips(), 0);
    let weighted = of_classes(id, Instructions::best(), 1, |class, _, distribution, _| {
        let orbit = 48 / CornerClasses::get().stabilizer(class).len() as u64;
        distribution.map(|count| orbit * count)
    });
    weighted.into_iter().fold(Distribution::default(), |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

/// Some classes of a table, generated with the given instructions.
pub(in crate::table) fn some_classes(id: TableId, instructions: Instructions) -> Vec<Vec<Line>> {
    of_classes(id, instructions, 400, |_, _, _, lines| lines.to_vec())
}

/// What `result` makes of each class whose number is a multiple of `step`.
fn of_classes<R: Send>(
    id: TableId,
    instructions: Instructions,
    step: usize,
    result: impl Fn(u32, &Scratch, Distribution, &[Line]) -> R + Send + Sync,
) -> Vec<R> {
    let classes: Vec<u32> = (0..CornerClasses::COUNT as u32).step_by(step).collect();
    let memory = || (Scratch::new(id), vec![Line([0; 8]); id.size.lines_per_class()]);
    let results = Threads::run(ThreadCount::default(), |threads| {
        let plan = Plan::new(id, instructions, threads, &Cancel::new()).unwrap();
        let generate = |(scratch, lines): &mut (Scratch, Vec<Line>), class| {
            let distribution = plan.generate_class(class, scratch, lines);
            Ok::<R, Infallible>(result(class, scratch, distribution, lines))
        };
        threads.map(classes, memory, generate)
    });
    let Ok(results) = results.unwrap();
    results
}

/// The pairs of levels of a word, each as first level + [`LEVELS`] · second level.
pub(in crate::table) type LevelPairs = [u8; ENTRIES_PER_WORD / 2];

fn pairs_of_word(scratch: &Scratch, word: usize) -> LevelPairs {
    let levels = scratch.levels().of_word(ENTRIES_PER_WORD * word).to_each();
    std::array::from_fn(|i| levels[2 * i] + LEVELS as u8 * levels[2 * i + 1])
}

/// The pairs of words of a table: some of some classes, about as many for each size.
pub(in crate::table) fn words_of_some_classes(id: TableId) -> Vec<LevelPairs> {
    let words = id.size.entries_per_class() / ENTRIES_PER_WORD;
    let pairs = of_classes(id, Instructions::best(), 61, |class, scratch, _, _| {
        let chosen = (class as usize % 7..words).step_by((words / 500).max(1));
        chosen.map(|word| pairs_of_word(scratch, word)).collect::<Vec<_>>()
    });
    pairs.concat()
}

/// The pairs of the words that hold the bounds of these positions.
pub(in crate::table) fn words_of_positions(id: TableId, positions: &[Cube]) -> Vec<LevelPairs> {
    let words_per_class = id.size.layout().words_per_class() as usize;
    let mut read: Vec<usize> = positions.iter().map(|p| entry_address(p, id.size.layout()).word()).collect();
    read.sort_unstable();
    let pairs = of_classes(id, Instructions::best(), 1, |class, scratch, _, _| {
        let first = class as usize * words_per_class;
        let of_class =
            read.partition_point(|&word| word < first)..read.partition_point(|&word| word < first + words_per_class);
        read[of_class].iter().map(|word| pairs_of_word(scratch, word - first)).collect::<Vec<_>>()
    });
    pairs.concat()
}

/// How many cosets there are at each distance up to `deepest`, counted by a plain search.
pub(in crate::table) fn counted_cosets<C: Eq + std::hash::Hash>(
    metric: Metric,
    deepest: usize,
    coset: impl Fn(&Cube) -> C,
) -> Vec<u64> {
    let generators: Vec<Move> = Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1).collect();
    let mut seen = std::collections::HashSet::from([coset(&Cube::SOLVED)]);
    let (mut level, mut counts) = (vec![Cube::SOLVED], vec![1]);
    for _ in 0..deepest {
        let neighbours = level.iter().flat_map(|cube| generators.iter().map(|&m| cube.turned(m)));
        level = neighbours.filter(|cube| seen.insert(coset(cube))).collect();
        counts.push(level.len() as u64);
    }
    counts
}
