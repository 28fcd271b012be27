//! The result of a level.

use std::time::Duration;

/// The thoroughness of the search of a level, after the pass that marks the images of all marked
/// positions under the moves of H.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEffort {
    /// Search all sequences, so that every position within this many moves is marked. The search is
    /// skipped if the pass leaves so few positions unmarked that solving each of them is faster.
    Exhaustive,
    /// Stop the search once enough positions are marked that later passes alone will have marked
    /// nearly all by level 20.
    UntilCovered,
}

/// The result of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Level {
    /// The number of moves.
    pub moves: u8,
    /// Number of positions that the pass marked.
    pub by_pass: u64,
    /// Number of positions that the search marked.
    pub by_search: u64,
    /// Number of searched sequences into H: at least one of each class under the symmetries of the
    /// coset, and a few more.
    pub sequences: u64,
    /// Number of all positions marked by this and earlier levels: they are within `moves` moves.
    pub total: u64,
    /// `true` if no other positions are within `moves` moves.
    pub is_complete: bool,
    /// `true` if the positions that this level marked are at a distance of exactly `moves`: the
    /// level before was complete.
    pub is_exact: bool,
    /// Wall-clock time of the pass.
    pub pass_time: Duration,
    /// Wall-clock time of the search.
    pub search_time: Duration,
}
