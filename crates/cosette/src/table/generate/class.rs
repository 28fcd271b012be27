//! Generating the entries of one class of corner paintings.

use super::seeds::{Seeds, skipped_groups};
use crate::control::{Cancel, Threads};
use crate::coord::{CornerClasses, CornerMoves, EdgeMap, edge_conjugations};
use crate::cube::{Cube, Metric, Move, Symmetry, for_each_sequence};
use crate::kernel::{Instructions, Kernel, Work};
use crate::platform::Instant;
use crate::table::catalog::TableId;
use crate::table::line::{ENTRIES_PER_LINE, LOW_LEVELS, Levels, Line};

/// The data that all classes need.
pub(crate) struct GenerationPlan {
    pub id: TableId,
    instructions: Instructions,
    seeds: Seeds,
    seed_depth: u8,
    /// The canonical words by length, up to the length that leads from the farthest seeds to
    /// distance base + 2.
    words: Vec<Vec<CanonicalWord>>,
    /// For each symmetry s, the effect of conjugation by s⁻¹ on edges.
    unconjugations: [EdgeMap; Symmetry::COUNT],
}

/// A canonical word. It leads from a painting to a seed; its inverse leads back from the seed.
struct CanonicalWord {
    moves: Vec<Move>,
    pub inverse: Cube,
}

impl GenerationPlan {
    /// Creates the plan; `None` on cancellation.
    pub fn new(
        id: TableId,
        instructions: Instructions,
        threads: &Threads,
        cancel: &Cancel,
    ) -> Option<GenerationPlan> {
        // One more level of seeds makes 13 times as many seeds and a thirteenth of the words, so
        // the number of marks stays about the same. Longer lists of seeds save lookups of words;
        // with one more level than here, they would no longer fit in cache. The smallest table has
        // so few marks that the seeds themselves take as long.
        let seed_depth = match id.metric {
            Metric::Htm => id.base_value().min(8),
            Metric::Qtm => 9,
        };
        let lengths = 0..=(id.base_value() + 2).saturating_sub(seed_depth);
        let words = lengths
            .map(|length| CanonicalWord::all(length, id.metric))
            .collect();
        let start = Instant::now();
        let seeds = Seeds::within(seed_depth, id.metric, threads, cancel)?;
        tracing::debug!(depth = seed_depth, elapsed = ?start.elapsed(), "found the seeds");
        let unconjugations =
            std::array::from_fn(|s| edge_conjugations()[Symmetry::from_index(s).inverse().index()]);
        Some(GenerationPlan {
            id,
            instructions,
            seeds,
            seed_depth,
            words,
            unconjugations,
        })
    }
}

impl CanonicalWord {
    fn all(length: u8, metric: Metric) -> Vec<CanonicalWord> {
        let mut words = Vec::new();
        for_each_sequence(length, metric, |moves| {
            words.push(CanonicalWord {
                moves: moves.to_vec(),
                inverse: Cube::from_moves(moves).inverse(),
            });
        });
        words
    }

    /// Returns the corner index after the word.
    #[inline(always)]
    pub fn turned(&self, corners: u32, moves: &CornerMoves) -> u32 {
        self.moves
            .iter()
            .fold(corners, |corners, &m| moves.turned(corners, m))
    }

    /// Returns the first move of the inverse.
    #[inline(always)]
    pub fn first_back(&self) -> Option<Move> {
        self.moves.last().map(|&m| !m)
    }
}

/// Working memory for generating a class.
pub(crate) struct Scratch {
    /// The reached entries, one bit each.
    reached: Vec<u64>,
    levels: Levels,
    ends: Vec<WordEnd>,
}

/// The end of a word from the representative of a class: the class of the corners there, and the
/// symmetry that carries them to its representative.
struct WordEnd {
    class: u32,
    symmetry: Symmetry,
    /// The number of the word among those of its length.
    word: u32,
}

impl Scratch {
    pub fn new(id: TableId) -> Scratch {
        let bitmap = || vec![0; id.size.entries_per_class().div_ceil(64)];
        Scratch {
            reached: bitmap(),
            levels: Levels(std::array::from_fn(|_| bitmap())),
            ends: Vec::new(),
        }
    }

    /// Returns the levels of the entries of the class that was generated.
    #[cfg(test)]
    pub fn levels(&self) -> &Levels {
        &self.levels
    }
}

impl GenerationPlan {
    /// Generates the lines of a class, and returns the number of its entries with each value.
    pub fn generate_class(
        &self,
        class: u32,
        scratch: &mut Scratch,
        lines: &mut [Line],
    ) -> [u32; 16] {
        self.instructions.run(GenerateClass {
            plan: self,
            class,
            scratch,
            lines,
        })
    }
}

struct GenerateClass<'a> {
    plan: &'a GenerationPlan,
    class: u32,
    scratch: &'a mut Scratch,
    lines: &'a mut [Line],
}

impl Work for GenerateClass<'_> {
    type Output = [u32; 16];

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> [u32; 16] {
        let GenerateClass {
            plan,
            class,
            scratch,
            lines,
        } = self;
        let base = plan.id.base_value();
        let mut counts = [0; 16];
        let mut counted = 0;
        scratch.reached.fill(0);
        for distance in 0..=base + 2 {
            mark_level(kernel, plan, class, distance, scratch);
            if let Some(level) = (distance + LOW_LEVELS).checked_sub(base) {
                scratch.levels.0[usize::from(level)].copy_from_slice(&scratch.reached);
            }
            let reached = count_ones(&scratch.reached);
            counts[usize::from(distance)] = reached - counted;
            counted = reached;
        }
        counts[usize::from(base) + 3] = plan.id.size.entries_per_class() as u32 - counted;
        for (i, line) in lines.iter_mut().enumerate() {
            *line = Line::pack(&scratch.levels, i * ENTRIES_PER_LINE);
        }
        counts
    }
}

/// Marks the entries of a class at distance `level`, and again some entries that earlier levels
/// have marked.
#[inline(always)]
fn mark_level<K: Kernel>(
    kernel: K,
    plan: &GenerationPlan,
    class: u32,
    level: u8,
    scratch: &mut Scratch,
) {
    let classes = CornerClasses::get();
    let moves = CornerMoves::get();
    let corners = classes.representative(class);
    let length = level.saturating_sub(plan.seed_depth);
    let words = &plan.words[usize::from(length)];
    let seeds_of = |class| plan.seeds.of(level - length, class);
    let Scratch { ends, reached, .. } = scratch;
    ends.clear();
    ends.extend((0..).zip(words).map(|(number, word)| {
        let (class, symmetry) = classes.classify(word.turned(corners, moves));
        WordEnd {
            class,
            symmetry,
            word: number,
        }
    }));
    // Words that lead to the same seeds follow one another, so that the seeds come from cache.
    ends.sort_unstable_by_key(|end| end.class);
    for (i, end) in ends.iter().enumerate() {
        if let Some(next) = ends.get(i + 1) {
            seeds_of(next.class).prefetch();
        }
        let word = &words[end.word as usize];
        let map = plan.unconjugations[end.symmetry.index()].then(&word.inverse);
        let skipped = word.first_back().map_or(0..0, |first| {
            skipped_groups(first, end.symmetry, plan.id.metric)
        });
        for seeds in seeds_of(end.class).without(skipped) {
            kernel.mark(&map, seeds, plan.id.size.layout(), reached);
        }
    }
}

#[inline(always)]
fn count_ones(bitmap: &[u64]) -> u32 {
    let mut sum = 0;
    for word in bitmap {
        sum += word.count_ones();
    }
    sum
}

/// Tests that all kernels agree, and that the entries agree with cosets counted without symmetry;
/// and helpers of other tests.
#[cfg(test)]
pub(in crate::table) mod tests {
    use super::*;
    use crate::control::ThreadCount;
    use crate::coord::{CornerPainting, EdgePainting, PLACEMENTS};
    use crate::table::line::{ENTRIES_PER_WORD, LEVELS};
    use crate::table::pruning_table::entry_address;
    use std::convert::Infallible;

    fn id(metric: Metric, name: &str) -> TableId {
        TableId {
            metric,
            size: name.parse().unwrap(),
        }
    }

    #[test]
    fn all_kernels_generate_the_same_table() {
        let some_classes = |instructions| {
            let id = id(Metric::Htm, "47M");
            of_classes(id, instructions, 400, |_, _, _, lines| lines.to_vec())
        };
        let portable = some_classes(Instructions::portable());
        for instructions in Instructions::all() {
            let classes = some_classes(instructions);
            assert!(classes == portable, "{}", instructions.name());
        }
    }

    /// Without flips the coordinate is that of the cosets of a subgroup, so a plain search counts
    /// them. Each entry of a class stands for as many cosets as the class has corner paintings.
    #[test]
    fn the_smallest_table_counts_all_cosets_near_solved() {
        const MAX_DEPTH: usize = 5;
        for metric in Metric::ALL {
            let coset = |cube: &Cube| {
                let edges = EdgePainting::of(cube).placement();
                (CornerPainting::of(cube).coordinate(), edges)
            };
            let expected = counted_cosets(metric, MAX_DEPTH, coset);
            let id = id(metric, "24M");
            assert_eq!(id.size.kept_flips(), 0);
            let weighted = of_classes(id, Instructions::best(), 1, |class, _, counts, _| {
                let orbit = 48 / CornerClasses::get().stabilizer(class).len() as u64;
                counts.map(|count| orbit * u64::from(count))
            });
            let cosets: Vec<u64> = (0..16)
                .map(|distance| weighted.iter().map(|counts| counts[distance]).sum())
                .collect();
            assert_eq!(cosets[..=MAX_DEPTH], expected, "{metric}");
            let all = CornerPainting::COUNT as u64 * PLACEMENTS as u64;
            assert_eq!(cosets.iter().sum::<u64>(), all);
        }
    }

    /// Generates each class whose number is a multiple of `step`, and returns the `result` of each.
    fn of_classes<R: Send>(
        id: TableId,
        instructions: Instructions,
        step: usize,
        result: impl Fn(u32, &Scratch, [u32; 16], &[Line]) -> R + Send + Sync,
    ) -> Vec<R> {
        let classes = (0..CornerClasses::COUNT as u32).step_by(step).collect();
        let memory = || {
            let lines = vec![Line([0; 8]); id.size.lines_per_class()];
            (Scratch::new(id), lines)
        };
        let results = Threads::run(ThreadCount::default(), |threads| {
            let plan = GenerationPlan::new(id, instructions, threads, &Cancel::new()).unwrap();
            let generate = |(scratch, lines): &mut (Scratch, Vec<Line>), class| {
                let counts = plan.generate_class(class, scratch, lines);
                Ok::<R, Infallible>(result(class, scratch, counts, lines))
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

    /// Returns the pairs of some words of some classes of a table: about as many words for each
    /// size.
    pub(in crate::table) fn words_of_some_classes(id: TableId) -> Vec<LevelPairs> {
        let words = id.size.entries_per_class() / ENTRIES_PER_WORD;
        let pairs = of_classes(id, Instructions::best(), 61, |class, scratch, _, _| {
            let chosen = (class as usize % 7..words).step_by((words / 500).max(1));
            chosen
                .map(|word| pairs_of_word(scratch, word))
                .collect::<Vec<_>>()
        });
        pairs.concat()
    }

    /// Returns the pairs of the words that hold the bounds of these positions.
    pub(in crate::table) fn words_of_positions(id: TableId, positions: &[Cube]) -> Vec<LevelPairs> {
        let words_per_class = id.size.layout().words_per_class() as usize;
        let mut word_numbers: Vec<usize> = positions
            .iter()
            .map(|p| entry_address(p, id.size.layout()).word())
            .collect();
        word_numbers.sort_unstable();
        let pairs = of_classes(id, Instructions::best(), 1, |class, scratch, _, _| {
            let first = class as usize * words_per_class;
            let of_class = word_numbers.partition_point(|&word| word < first)
                ..word_numbers.partition_point(|&word| word < first + words_per_class);
            word_numbers[of_class]
                .iter()
                .map(|word| pairs_of_word(scratch, word - first))
                .collect::<Vec<_>>()
        });
        pairs.concat()
    }

    /// Returns the number of cosets at each distance up to `deepest`, counted by a plain search.
    pub(in crate::table) fn counted_cosets<C: Eq + std::hash::Hash>(
        metric: Metric,
        deepest: usize,
        coset: impl Fn(&Cube) -> C,
    ) -> Vec<u64> {
        let generators: Vec<Move> = Move::ALL
            .into_iter()
            .filter(|&m| metric.cost(m) == 1)
            .collect();
        let mut reached = std::collections::HashSet::from([coset(&Cube::SOLVED)]);
        let mut level = vec![Cube::SOLVED];
        let mut counts = vec![1];
        for _ in 0..deepest {
            let neighbors = level
                .iter()
                .flat_map(|cube| generators.iter().map(|&m| cube.apply(m)));
            level = neighbors
                .filter(|cube| reached.insert(coset(cube)))
                .collect();
            counts.push(level.len() as u64);
        }
        counts
    }
}
