//! What tests count and generate.

use super::{Plan, Scratch};
use crate::control::Cancel;
use crate::coord::CornerClasses;
use crate::cube::{Cube, Metric, Move};
use crate::kernel::Instructions;
use crate::platform::Threads;
use crate::table::alphabets::depth;
use crate::table::catalogue::{Distribution, TableId};
use crate::table::line::{ENTRIES_PER_WORD, Line};
use rayon::prelude::*;

/// How many cosets, not counted modulo symmetry, have each value in a table without flips: each entry of a class stands
/// for as many as the class has corner paintings.
pub(in crate::table) fn cosets_by_distance(id: TableId) -> Distribution {
    assert_eq!(id.size.kept_flips(), 0);
    let plan = Plan::new(id, Instructions::best(), &Threads::of_this_pool(), &Cancel::new()).unwrap();
    let scratch = || (Scratch::new(id), vec![Line([0; 8]); id.size.lines_per_class()]);
    let classes = (0..CornerClasses::COUNT as u32).into_par_iter();
    let weighted = classes.map_init(scratch, |(scratch, lines), class| {
        let orbit = 48 / CornerClasses::get().stabilizer(class).len() as u64;
        plan.generate_class(class, scratch, lines).map(|count| orbit * count)
    });
    weighted.reduce(Distribution::default, |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

/// Some classes of a table, generated with the given instructions.
pub(in crate::table) fn some_classes(id: TableId, instructions: Instructions) -> Vec<Vec<Line>> {
    let plan = Plan::new(id, instructions, &Threads::of_this_pool(), &Cancel::new()).unwrap();
    let classes = (0..CornerClasses::COUNT as u32).step_by(400).collect::<Vec<_>>().into_par_iter();
    let generate = |scratch: &mut Scratch, class| {
        let mut lines = vec![Line([0; 8]); id.size.lines_per_class()];
        plan.generate_class(class, scratch, &mut lines);
        lines
    };
    classes.map_init(|| Scratch::new(id), generate).collect()
}

/// How often each pair of levels occurs in a word, at the first level + 4 · the second.
pub(in crate::table) type PairCounts = [u8; 16];

/// The depths and pairs of words of a table: some of some classes, about as many for each size.
pub(in crate::table) fn pairs_of_some_classes(id: TableId) -> Vec<(u8, PairCounts)> {
    let plan = Plan::new(id, Instructions::best(), &Threads::of_this_pool(), &Cancel::new()).unwrap();
    let classes = (0..CornerClasses::COUNT as u32).step_by(61).collect::<Vec<_>>().into_par_iter();
    let words = id.size.entries_per_class() / ENTRIES_PER_WORD;
    let pairs = |scratch: &mut Scratch, class: u32| {
        let mut lines = vec![Line([0; 8]); id.size.lines_per_class()];
        plan.generate_class(class, scratch, &mut lines);
        let chosen = (class as usize % 7..words).step_by((words / 500).max(1));
        let pairs = chosen.map(|word| {
            let mut counts = PairCounts::default();
            for byte in scratch.levels().of_word(ENTRIES_PER_WORD * word) {
                counts[usize::from(byte % 16)] += 1;
                counts[usize::from(byte / 16)] += 1;
            }
            (depth(id.base_value(), scratch.least()[word]), counts)
        });
        pairs.collect::<Vec<_>>()
    };
    classes.map_init(|| Scratch::new(id), pairs).collect::<Vec<_>>().concat()
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
