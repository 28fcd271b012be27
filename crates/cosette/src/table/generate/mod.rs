//! Generating a table backwards from solved, by gathering.
//!
//! Each class of corner paintings is generated separately: its entries are a bitmap that fits in cache, and no other
//! thread writes to it. A painting p with the class's representative as its corners lies at distance D + n if and only
//! if a canonical word w of length n brings it to a seed at distance D (and no shorter word does). So for each w, look
//! up the class and symmetry of (representative · w): every seed of that class, conjugated back and followed by w⁻¹, is
//! such a p. One shuffle and one relabelling, the same for all seeds of a word, map them; the kernel sets their bits.
//!
//! ```text
//! for each level 0, 1, 2, … base + 2:
//!     the words of length max(0, level − D), the seeds at distance level − (length of the words):
//!         for each word w: mark the seeds of class(representative · w), mapped
//!     level ≤ base: the entries marked for the first time lower the least value of their words
//! pack the bitmaps "≤ base", "≤ base + 1", "≤ base + 2" into codes
//! ```
//!
//! Seeds for which w would only find duplicates are left out (`duplicates`), a quarter of them. Nearly all the time is
//! spent in the last level: 1.5·10¹⁰ marks for the 2G table, some 2 ns each on one thread. Half of that is spent
//! waiting for a line of the bitmap, which is in the second-level cache; prefetching the lines, or huge pages for the
//! bitmap, gained nothing.

mod class;
mod duplicates;
mod seeds;

use super::catalogue::{Distribution, TableId};
use super::error::TableError;
use super::line::Line;
use super::memory::TableMemory;
use super::pruning_table::{Memory, Table};
use crate::control::{Cancel, Control};
use crate::coord::{CornerClasses, CornerMoves, EdgeMap, edge_conjugations};
use crate::cube::{Cube, Face, Metric, Move, Symmetry, for_each_sequence};
use crate::kernel::Instructions;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

pub(super) use class::Scratch;
use seeds::Seeds;

impl Table {
    /// Generates a table in memory.
    ///
    /// Progress counts classes of corner paintings. The table does not depend on the number of threads. Fails if there
    /// is too little memory, if the threads cannot be started, or on cancellation, which takes effect within a fraction
    /// of a second: it is checked between two classes and between the steps that find the seeds.
    pub fn generate(id: TableId, control: &Control<'_>) -> Result<Table, TableError> {
        let step = format!("generating {id} in memory");
        let control = control.step(&step);
        let mut memory = TableMemory::zeroed(id.size.bytes())?;
        let distribution = control.in_pool(|| {
            let plan = Plan::new(id, Instructions::best(), control.cancel()).ok_or(TableError::Cancelled)?;
            let done = AtomicU64::new(0);
            let total = CornerClasses::COUNT as u64;
            let generate = |scratch: &mut Scratch, (class, lines): (usize, &mut [Line])| {
                if control.is_cancelled() {
                    return Err(TableError::Cancelled);
                }
                let distribution = plan.generate_class(class as u32, scratch, lines);
                control.report(1 + done.fetch_add(1, Ordering::Relaxed), total);
                Ok(distribution)
            };
            memory
                .as_mut_lines()
                .par_chunks_mut(id.size.lines_per_class())
                .enumerate()
                .map_init(|| Scratch::new(id), generate)
                .try_reduce(Distribution::default, |a, b| Ok(std::array::from_fn(|i| a[i] + b[i])))
        })??;
        Ok(Table { id, memory: Memory::Own(memory), distribution })
    }
}

/// What all classes need.
pub(crate) struct Plan {
    pub id: TableId,
    instructions: Instructions,
    seeds: Seeds,
    seed_depth: u8,
    /// The canonical words of each length that takes the seeds to base + 2.
    words: Vec<Vec<Word>>,
    /// For each symmetry s, what conjugation by s⁻¹ does to edges.
    unconjugations: [EdgeMap; Symmetry::COUNT],
}

/// A canonical word. It leads from a painting to a seed; its inverse leads back from the seed.
struct Word {
    moves: Vec<Move>,
    pub inverse: Cube,
}

impl Plan {
    /// The plan; `None` on cancellation.
    pub fn new(id: TableId, instructions: Instructions, cancel: &Cancel) -> Option<Plan> {
        // A level more makes 13 times as many seeds and as many words fewer, so the marks stay about the same. Longer
        // lists of seeds save looking up words; with yet another level, they would no longer fit in cache.
        let seed_depth = match id.metric {
            Metric::Htm => 8,
            Metric::Qtm => 9,
        };
        let lengths = 0..=(id.base_value() + 2).saturating_sub(seed_depth);
        let words = lengths.map(|length| Word::all(length, id.metric)).collect();
        let start = Instant::now();
        let seeds = Seeds::within(seed_depth, id.metric, cancel)?;
        tracing::debug!(depth = seed_depth, elapsed = ?start.elapsed(), "found the seeds");
        let unconjugations = std::array::from_fn(|s| edge_conjugations()[Symmetry::from_index(s).inverse().index()]);
        Some(Plan { id, instructions, seeds, seed_depth, words, unconjugations })
    }
}

impl Word {
    fn all(length: u8, metric: Metric) -> Vec<Word> {
        let mut words = Vec::new();
        for_each_sequence(length, metric, |moves| {
            words.push(Word { moves: moves.to_vec(), inverse: Cube::from_moves(moves).inverse() });
        });
        words
    }

    /// The raw coordinate of corners after the word.
    #[inline(always)]
    pub fn turned(&self, corners: u32, moves: &CornerMoves) -> u32 {
        self.moves.iter().fold(corners, |at, &m| moves.turned(at, m))
    }

    /// The face that its inverse turns first.
    #[inline(always)]
    pub fn first_back(&self) -> Option<Face> {
        self.moves.last().map(|m| m.face())
    }
}

/// How many cosets, not counted modulo symmetry, have each value in a table without flips: each entry of a class stands
/// for as many as the class has corner paintings.
#[cfg(test)]
pub(super) fn cosets_by_distance(id: TableId) -> Distribution {
    assert_eq!(id.size.kept_flips(), 0);
    let plan = Plan::new(id, Instructions::best(), &Cancel::new()).unwrap();
    let scratch = || (Scratch::new(id), vec![Line([0; 8]); id.size.lines_per_class()]);
    let classes = (0..CornerClasses::COUNT as u32).into_par_iter();
    let weighted = classes.map_init(scratch, |(scratch, lines), class| {
        let orbit = 48 / CornerClasses::get().stabilizer(class).len() as u64;
        plan.generate_class(class, scratch, lines).map(|count| orbit * count)
    });
    weighted.reduce(Distribution::default, |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

/// Some classes of a table, generated with the given instructions.
#[cfg(test)]
pub(super) fn some_classes(id: TableId, instructions: Instructions) -> Vec<Vec<Line>> {
    let plan = Plan::new(id, instructions, &Cancel::new()).unwrap();
    let classes = (0..CornerClasses::COUNT as u32).step_by(400).collect::<Vec<_>>().into_par_iter();
    let generate = |scratch: &mut Scratch, class| {
        let mut lines = vec![Line([0; 8]); id.size.lines_per_class()];
        plan.generate_class(class, scratch, &mut lines);
        lines
    };
    classes.map_init(|| Scratch::new(id), generate).collect()
}

/// How many cosets there are at each distance up to `deepest`, counted by a plain search.
#[cfg(test)]
pub(super) fn counted_cosets<C: Eq + std::hash::Hash>(
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
