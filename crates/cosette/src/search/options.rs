//! Options of a search.

use crate::cube::Move;
use std::num::NonZeroUsize;

/// How many of the shortest solutions to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SolutionCount {
    /// As many as there are, up to this number.
    AtMost(NonZeroUsize),
    /// All of them.
    All,
}

impl SolutionCount {
    /// The first one found.
    pub const ONE: SolutionCount = SolutionCount::AtMost(NonZeroUsize::MIN);

    /// The largest number of solutions; `usize::MAX` for all.
    pub const fn most(self) -> usize {
        match self {
            SolutionCount::AtMost(count) => count.get(),
            SolutionCount::All => usize::MAX,
        }
    }
}

impl Default for SolutionCount {
    fn default() -> SolutionCount {
        SolutionCount::ONE
    }
}

/// Whether a two-phase search looks for good solutions during the search for a shortest one.
///
/// The numbers of nodes it expands depend on the search alone, so results with one thread are always the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TwoPhaseUse {
    /// It does not run.
    #[default]
    Never,
    /// In each threshold it may expand a fixed share of the number of nodes expanded so far, to find a solution of that
    /// length. It runs if one solution is wanted, in the half-turn metric.
    Meanwhile,
    /// As `Meanwhile`; it also runs before the first threshold, in either metric, so that a solution is known after a few
    /// milliseconds.
    AtOnce,
}

/// What to search for.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Options<'a> {
    /// How many of the shortest solutions to find.
    pub solution_count: SolutionCount,
    /// Give up once every length up to this one, in the metric of the table, is ruled out.
    pub max_length: Option<u8>,
    /// A solution that is known. Once every shorter length is ruled out, a search for one solution ends with it. Not
    /// serialised.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub known: Option<&'a [Move]>,
    /// Whether to run a two-phase search for solutions.
    pub two_phase: TwoPhaseUse,
}
