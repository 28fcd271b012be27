//! Filling a table by pulling.
//!
//! Each class of corner paintings is filled by itself: its entries are a bitmap that fits in cache, and no other worker
//! writes to it. A painting p with the class's representative as its corners lies at distance D + n if and only if a
//! canonical word w of length n brings it to a seed at distance D (and no shorter word does). So for each w, look up the
//! class and symmetry of (representative · w): every seed of that class, conjugated back and followed by w⁻¹, is such a p.
//! One shuffle and one relabelling, the same for all seeds of a word, map them; the kernel sets their bits.
//!
//! ```text
//! for each level 0, 1, 2, … base + 2:
//!     the words of length max(0, level − D), the seeds at distance level − (length of the words):
//!         for each word w: mark all seeds of class(representative · w), mapped
//!     level ≤ base: the entries marked for the first time lower the least value of their words
//! pack the bitmaps "≤ base", "≤ base + 1", "≤ base + 2" into codes
//! ```
//!
//! Nearly all time goes into the last level: about 2·10¹⁰ marks for the 2G table, some 3.5 ns each on one thread.

mod seeds;

use super::line::{ENTRIES_PER_LINE, ENTRIES_PER_WORD, Levels, Line};
use super::memory::LineMemory;
use super::{Table, TableError, TableId, thread_pool};
use crate::coord::WORDS_PER_LINE;
use crate::coord::{CornerClasses, CornerMoves, EdgeMap, edge_conjugations};
use crate::cube::{Cube, Metric, Move, for_each_sequence};
use crate::kernel::{Instructions, Kernel, Work};
use crate::progress::{Cancel, OnProgress, Progress};
use rayon::prelude::*;
use seeds::Seeds;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};

/// How many entries have each value; the last one stands for all values from base + 3 on.
pub type Distribution = [u64; 32];

/// A table being filled: what all classes need.
struct Plan {
    id: TableId,
    instructions: Instructions,
    seeds: Seeds,
    seed_depth: u8,
    /// The canonical words of each length that takes the seeds to base + 2.
    words: Vec<Vec<Word>>,
}

struct Word {
    moves: Vec<Move>,
    inverse: Cube,
}

impl Table {
    /// Fills a table, with `threads` threads.
    ///
    /// Progress counts classes of corner paintings. The table is the same whatever the number of threads.
    ///
    /// # Errors
    /// If there is too little memory, if the threads cannot be started, or on cancellation: it is heeded between two
    /// classes and between the steps that make the seeds, within a fraction of a second.
    pub fn generate(
        id: TableId,
        threads: NonZeroUsize,
        on_progress: OnProgress<'_>,
        cancel: &Cancel,
    ) -> Result<Table, TableError> {
        let mut lines = LineMemory::zeroed(id.size.lines())?;
        let distribution = thread_pool(threads)?.install(|| {
            let plan = Plan::new(id, Instructions::best(), cancel).ok_or(TableError::Cancelled)?;
            let done = AtomicU64::new(0);
            let total = CornerClasses::COUNT as u64;
            let fill = |scratch: &mut Scratch, (class, lines): (usize, &mut [Line])| {
                if cancel.is_cancelled() {
                    return Err(TableError::Cancelled);
                }
                let distribution = plan.fill_class(class as u32, scratch, lines);
                on_progress(Progress { done: 1 + done.fetch_add(1, Ordering::Relaxed), total });
                Ok(distribution)
            };
            lines
                .par_chunks_mut(id.size.lines_per_class())
                .enumerate()
                .map_init(|| Scratch::new(id), fill)
                .try_reduce(Distribution::default, |a, b| Ok(std::array::from_fn(|i| a[i] + b[i])))
        })?;
        Ok(Table { id, lines, distribution })
    }
}

/// The bitmaps of one class, one bit an entry.
struct Scratch {
    /// Reached so far.
    reached: Vec<u64>,
    base: Vec<u64>,
    plus_one: Vec<u64>,
    /// The least value of each word of the table.
    least: Vec<u8>,
}

impl Scratch {
    fn new(id: TableId) -> Scratch {
        let bitmap = || vec![0; id.size.entries_per_class().div_ceil(64)];
        Scratch {
            reached: bitmap(),
            base: bitmap(),
            plus_one: bitmap(),
            least: vec![0; WORDS_PER_LINE * id.size.lines_per_class()],
        }
    }
}

impl Plan {
    /// The plan; nothing on cancellation.
    fn new(id: TableId, instructions: Instructions, cancel: &Cancel) -> Option<Plan> {
        let seed_depth = match id.metric {
            Metric::Htm => 8,
            Metric::Qtm => 9,
        };
        let words = (0..=(id.base_value() + 2).saturating_sub(seed_depth)).map(|length| {
            let mut words = Vec::new();
            for_each_sequence(length, id.metric, |moves| {
                words.push(Word { moves: moves.to_vec(), inverse: Cube::from_moves(moves).inverse() });
            });
            words
        });
        let words = words.collect();
        let seeds = Seeds::within(seed_depth, id.metric, cancel)?;
        Some(Plan { id, instructions, seeds, seed_depth, words })
    }

    /// Fills the lines of a class and counts its entries by value.
    fn fill_class(&self, class: u32, scratch: &mut Scratch, lines: &mut [Line]) -> Distribution {
        let base = self.id.base_value();
        let mut distribution = Distribution::default();
        let mut counted = 0;
        scratch.reached.fill(0);
        scratch.least.fill(u8::MAX);
        for level in 0..=base + 2 {
            self.instructions.run(MarkLevel { plan: self, class, level, bitmap: &mut scratch.reached });
            match level {
                _ if level < base => scratch.note_least(level),
                _ if level == base => {
                    scratch.note_least(level);
                    scratch.base.copy_from_slice(&scratch.reached);
                }
                _ if level == base + 1 => scratch.plus_one.copy_from_slice(&scratch.reached),
                _ => {}
            }
            let reached = scratch.reached.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
            distribution[usize::from(level)] = reached - counted;
            counted = reached;
        }
        distribution[usize::from(base) + 3] = self.id.size.entries_per_class() as u64 - counted;
        let levels = Levels { base: &scratch.base, plus_one: &scratch.plus_one, plus_two: &scratch.reached };
        for (i, line) in lines.iter_mut().enumerate() {
            let least = &scratch.least[WORDS_PER_LINE * i..][..WORDS_PER_LINE];
            *line = Line::pack(&levels, i * ENTRIES_PER_LINE, base, least);
        }
        distribution
    }
}

impl Scratch {
    /// Notes `level` as the least value of the words that have their first entries there.
    fn note_least(&mut self, level: u8) {
        for (i, &word) in self.reached.iter().enumerate() {
            let mut bits = word;
            while bits != 0 {
                let entry = 64 * i + bits.trailing_zeros() as usize;
                let least = &mut self.least[entry / ENTRIES_PER_WORD];
                *least = level.min(*least);
                // The other entries of that word of the table are no lower: go on after them.
                let next = (entry / ENTRIES_PER_WORD + 1) * ENTRIES_PER_WORD;
                bits = if next < 64 * (i + 1) { bits & u64::MAX << (next % 64) } else { 0 };
            }
        }
    }
}

/// Marks the entries of a class at a level, and some of those below it.
struct MarkLevel<'a> {
    plan: &'a Plan,
    class: u32,
    level: u8,
    bitmap: &'a mut [u64],
}

impl Work for MarkLevel<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let MarkLevel { plan, class, level, bitmap } = self;
        let (classes, moves) = (CornerClasses::get(), CornerMoves::get());
        let corners = classes.representative(class);
        let layout = plan.id.size.layout();
        let length = level.saturating_sub(plan.seed_depth);
        for word in &plan.words[usize::from(length)] {
            let (seed_class, s) = classes.classify(word.moves.iter().fold(corners, |at, &m| moves.turned(at, m)));
            let map: EdgeMap = edge_conjugations()[s.inverse().index()].then(&word.inverse);
            kernel.mark(&map, plan.seeds.of(level - length, seed_class), layout, bitmap);
        }
    }
}

/// How many cosets, not counted modulo symmetry, have each value in a table without flips: each entry of a class stands
/// for as many as the class has corner paintings.
#[cfg(test)]
pub(super) fn cosets_by_distance(id: TableId) -> Distribution {
    assert_eq!(id.size.kept_flips(), 0);
    let plan = Plan::new(id, Instructions::best(), &Cancel::new()).unwrap();
    let scratch = || (Scratch::new(id), LineMemory::zeroed(id.size.lines_per_class()).unwrap());
    let classes = (0..CornerClasses::COUNT as u32).into_par_iter();
    let weighted = classes.map_init(scratch, |(scratch, lines), class| {
        let orbit = 48 / CornerClasses::get().stabilizer(class).len() as u64;
        plan.fill_class(class, scratch, lines).map(|count| orbit * count)
    });
    weighted.reduce(Distribution::default, |a, b| std::array::from_fn(|i| a[i] + b[i]))
}

/// Some classes of a table, filled with the given instructions.
#[cfg(test)]
pub(super) fn some_classes(id: TableId, instructions: Instructions) -> Vec<Vec<Line>> {
    let plan = Plan::new(id, instructions, &Cancel::new()).unwrap();
    let classes = (0..CornerClasses::COUNT as u32).step_by(400).collect::<Vec<_>>().into_par_iter();
    let fill = |scratch: &mut Scratch, class| {
        let mut lines = LineMemory::zeroed(id.size.lines_per_class()).unwrap();
        plan.fill_class(class, scratch, &mut lines);
        lines.to_vec()
    };
    classes.map_init(|| Scratch::new(id), fill).collect()
}
