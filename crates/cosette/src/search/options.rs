//! Options of a search.

use crate::cube::Move;
use std::num::NonZeroUsize;

/// How many of the shortest solutions to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SolutionCount {
    /// The first one found.
    #[default]
    One,
    /// As many as there are, up to this number.
    AtMost(NonZeroUsize),
    /// All of them.
    All,
}

impl SolutionCount {
    /// How many at most; `usize::MAX` where all are wanted.
    pub const fn most(self) -> usize {
        match self {
            SolutionCount::One => 1,
            SolutionCount::AtMost(count) => count.get(),
            SolutionCount::All => usize::MAX,
        }
    }
}

/// Whether a two-phase search gives good solutions while the shortest is searched.
///
/// It expands numbers of nodes that depend on the search alone, so results are the same each time with one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TwoPhaseUse {
    /// It is not asked.
    #[default]
    Never,
    /// With each threshold it gets a fixed share of the nodes expanded so far, to find a solution of that length. It is asked where
    /// one solution is wanted, in the half-turn metric.
    Meanwhile,
    /// The same, and it is asked for a first solution before all else: so one is known after a few milliseconds, in either
    /// metric.
    AtOnce,
}

/// What to search for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How many of the shortest solutions to find.
    pub solution_count: SolutionCount,
    /// Give up once every length up to this one, in the metric of the table, is ruled out.
    pub max_length: Option<u8>,
    /// A solution that is known. Once every shorter length is ruled out, a search for one solution ends with it.
    pub known: Option<&'a [Move]>,
    /// Whether to ask a two-phase search for solutions.
    pub two_phase: TwoPhaseUse,
}
