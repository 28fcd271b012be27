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
//!     keep a copy of the bitmap from base − 6 on
//! pack the copies into codes
//! ```
//!
//! Seeds for which w would only find duplicates are left out (`duplicates`), a quarter of them. Nearly all the time is
//! spent in the last level: 1.5·10¹⁰ marks for the 1.5G table, some 2 ns each on one thread. Half of that is spent
//! waiting for a line of the bitmap, which is in the second-level cache; prefetching the lines, or huge pages for the
//! bitmap, gained nothing.

mod class;
mod duplicates;
mod partial_table;
mod seeds;

use super::catalogue::TableId;
use crate::control::Cancel;
use crate::coord::{CornerMoves, EdgeMap, edge_conjugations};
use crate::cube::{Cube, Metric, Move, Symmetry, for_each_sequence};
use crate::kernel::Instructions;
use crate::platform::{Instant, Threads};

pub(super) use class::Scratch;
pub use partial_table::PartialTable;
use seeds::Seeds;

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
    pub fn new(id: TableId, instructions: Instructions, threads: &Threads, cancel: &Cancel) -> Option<Plan> {
        // A level more makes 13 times as many seeds and as many words fewer, so the marks stay about the same. Longer
        // lists of seeds save looking up words; with yet another level, they would no longer fit in cache.
        let seed_depth = match id.metric {
            Metric::Htm => 8,
            Metric::Qtm => 9,
        };
        let lengths = 0..=(id.base_value() + 2).saturating_sub(seed_depth);
        let words = lengths.map(|length| Word::all(length, id.metric)).collect();
        let start = Instant::now();
        let seeds = Seeds::within(seed_depth, id.metric, threads, cancel)?;
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

    /// The corner index after the word.
    #[inline(always)]
    pub fn turned(&self, corners: u32, moves: &CornerMoves) -> u32 {
        self.moves.iter().fold(corners, |at, &m| moves.turned(at, m))
    }

    /// The move that its inverse begins with.
    #[inline(always)]
    pub fn first_back(&self) -> Option<Move> {
        self.moves.last().map(|&m| !m)
    }
}

#[cfg(test)]
pub(super) mod testing;
