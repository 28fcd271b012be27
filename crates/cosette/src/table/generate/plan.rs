//! What the generation of all classes needs: the seeds, and the words that continue from them.

use super::seeds::Seeds;
use crate::control::Cancel;
use crate::coord::{CornerMoves, EdgeMap, edge_conjugations};
use crate::cube::{Cube, Face, Metric, Move, Symmetry, for_each_sequence};
use crate::kernel::Instructions;
use crate::table::catalogue::TableId;
use std::time::Instant;

/// What all classes need.
pub(crate) struct Plan {
    pub id: TableId,
    pub(super) instructions: Instructions,
    pub(super) seeds: Seeds,
    pub(super) seed_depth: u8,
    /// The canonical words of each length that takes the seeds to base + 2.
    pub(super) words: Vec<Vec<Word>>,
    /// For each symmetry s, what conjugation by s⁻¹ does to edges.
    pub(super) unconjugations: [EdgeMap; Symmetry::COUNT],
}

/// A canonical word. It leads from a painting to a seed; its inverse leads back from the seed.
pub(super) struct Word {
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
