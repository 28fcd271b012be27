//! The entries of one class, level by level.

use super::Plan;
use super::duplicates::skipped_groups;
use crate::coord::{CornerClasses, CornerMoves};
use crate::cube::Symmetry;
use crate::kernel::{Kernel, Work};
use crate::table::catalogue::{Distribution, TableId};
use crate::table::line::{ENTRIES_PER_LINE, LOW_LEVELS, Levels, Line};

/// Working memory to generate a class in.
pub(crate) struct Scratch {
    /// The entries reached so far, one bit each.
    reached: Vec<u64>,
    levels: Levels,
    ends: Vec<End>,
}

/// Where a word leads from the representative of a class: the class of the corners there, and the symmetry that brings
/// them to its representative.
struct End {
    class: u32,
    symmetry: Symmetry,
    word: u32,
}

impl Scratch {
    pub fn new(id: TableId) -> Scratch {
        let bitmap = || vec![0; id.size.entries_per_class().div_ceil(64)];
        Scratch { reached: bitmap(), levels: Levels(std::array::from_fn(|_| bitmap())), ends: Vec::new() }
    }

    /// The levels of the entries of the class that was generated.
    #[cfg(test)]
    pub fn levels(&self) -> &Levels {
        &self.levels
    }
}

impl Plan {
    /// Generates the lines of a class and counts its entries by value.
    pub fn generate_class(&self, class: u32, scratch: &mut Scratch, lines: &mut [Line]) -> Distribution {
        self.instructions.run(GenerateClass { plan: self, class, scratch, lines })
    }
}

struct GenerateClass<'a> {
    plan: &'a Plan,
    class: u32,
    scratch: &'a mut Scratch,
    lines: &'a mut [Line],
}

impl Work for GenerateClass<'_> {
    type Output = Distribution;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Distribution {
        let GenerateClass { plan, class, scratch, lines } = self;
        let base = plan.id.base_value();
        let mut distribution = Distribution::default();
        let mut counted = 0;
        scratch.reached.fill(0);
        for distance in 0..=base + 2 {
            mark_level(kernel, plan, class, distance, scratch);
            if let Some(level) = (distance + LOW_LEVELS).checked_sub(base) {
                scratch.levels.0[usize::from(level)].copy_from_slice(&scratch.reached);
            }
            let reached = count_ones(&scratch.reached);
            distribution[usize::from(distance)] = reached - counted;
            counted = reached;
        }
        distribution[usize::from(base) + 3] = plan.id.size.entries_per_class() as u64 - counted;
        for (i, line) in lines.iter_mut().enumerate() {
            *line = Line::pack(&scratch.levels, i * ENTRIES_PER_LINE);
        }
        distribution
    }
}

/// Marks the entries of a class at a distance, and some of those below it.
#[inline(always)]
fn mark_level<K: Kernel>(kernel: K, plan: &Plan, class: u32, level: u8, scratch: &mut Scratch) {
    let (classes, moves) = (CornerClasses::get(), CornerMoves::get());
    let corners = classes.representative(class);
    let length = level.saturating_sub(plan.seed_depth);
    let words = &plan.words[usize::from(length)];
    let seeds_of = |class| plan.seeds.of(level - length, class);
    let Scratch { ends, reached, .. } = scratch;
    ends.clear();
    ends.extend((0..).zip(words).map(|(number, word)| {
        let (class, symmetry) = classes.classify(word.turned(corners, moves));
        End { class, symmetry, word: number }
    }));
    // Words that lead to the same seeds follow one another, so that the seeds come from cache.
    ends.sort_unstable_by_key(|end| end.class);
    for (i, end) in ends.iter().enumerate() {
        if let Some(next) = ends.get(i + 1) {
            seeds_of(next.class).prefetch();
        }
        let word = &words[end.word as usize];
        let map = plan.unconjugations[end.symmetry.index()].then(&word.inverse);
        let skipped = word.first_back().map_or(0..0, |first| skipped_groups(first, end.symmetry, plan.id.metric));
        for seeds in seeds_of(end.class).without(skipped) {
            kernel.mark(&map, seeds, plan.id.size.layout(), reached);
        }
    }
}

#[inline(always)]
fn count_ones(bitmap: &[u64]) -> u64 {
    let mut sum = 0;
    for word in bitmap {
        sum += u64::from(word.count_ones());
    }
    sum
}
