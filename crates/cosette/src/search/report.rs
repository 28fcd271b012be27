//! What to search for, and what a search reports while it runs and at its end.

use super::neighbours::Neighbours;
use crate::control::{Cancel, CancelReason, Progress};
use crate::cube::Move;
use std::num::NonZeroUsize;
use std::time::Duration;

/// What happens during a search. Events come from any of its threads.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A solution is known that is shorter than all before. It has been checked by applying it to the position.
    Solution(&'a [Move]),
    /// All shorter lengths are ruled out; solutions of this length are searched next.
    ThresholdStarted {
        /// The length, in the metric of the table.
        length: u8,
    },
    /// The progress of the threshold.
    Progress {
        /// The length that is searched.
        length: u8,
        /// The work that has been started, of all work; its unit has no meaning of its own.
        progress: Progress,
        /// How much longer it will take; `None` while there is nothing to estimate it from.
        remaining: Option<Remaining>,
    },
    /// An iteration has ended.
    ThresholdDone(&'a Threshold),
}

/// How much longer a search will take: an estimate, given once it has settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remaining {
    /// Until all of this threshold is searched. It ends earlier if a solution is found.
    pub threshold: Duration,
    /// Until every length below that of the best solution known is ruled out; `None` while no solution is known.
    pub proof: Option<Duration>,
}

/// One iteration of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Threshold {
    /// The length of the solutions it searched.
    pub length: u8,
    /// Nodes expanded.
    pub nodes: u64,
    /// Accesses to the table.
    pub probes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether all of it was searched; `false` if it stopped at a solution or on request.
    pub exhausted: bool,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The shortest solutions were found, and every shorter length is ruled out.
    Optimal,
    /// Every length up to the limit is ruled out. Solutions that are longer may be known.
    NoneWithinLimit,
    /// The search was asked to stop, or the time limit of the request passed.
    Cancelled(CancelReason),
    /// The search ended by itself before either was proven: an engine's memory was full, a limit of its own was reached,
    /// or it is not optimal. Searches with a table and the threads of this process never end so; one with another
    /// [`Executor`](super::distributed::Executor) does where that leaves work without being asked to stop.
    Unproven,
}

impl Outcome {
    /// For engines, of a search that ended before it had proven anything: `Cancelled` with the reason of `cancel`, or
    /// `Unproven` if nobody asked it to stop.
    #[doc(hidden)]
    pub fn unfinished(cancel: &Cancel) -> Outcome {
        cancel.reason().map_or(Outcome::Unproven, Outcome::Cancelled)
    }
}

/// What a search has proven.
///
/// | claim | is made over | is covered by |
/// |---|---|---|
/// | [`lower_bound`](Report::lower_bound) | all sequences of turns of faces that solve the position, shorter than it in the metric of the table | the exhausted iterations, parity, and the table |
/// | [`Outcome::Optimal`] | the same: none is shorter than the solutions | the same |
/// | all solutions, with [`SolutionCount::All`] | all sequences of this length, turns of opposite faces in one order | the last iteration, if it is exhausted |
/// | [`Outcome::NoneWithinLimit`] | all sequences up to the limit | the iterations up to it, exhausted |
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// No solution is shorter than this, in the metric of the table. If all lengths within a limit are ruled out, it is
    /// above the limit, and by more than one where parity or the table rules out more.
    pub lower_bound: u8,
    /// The solutions found, all of length `lower_bound`, each checked by applying it to the position.
    pub solutions: Vec<Vec<Move>>,
    /// The shortest solution known, proven or not, checked by applying it to the position. A search that ends early has one only if
    /// it was known before, a two-phase search found it ([`Search::two_phase`](super::Search::two_phase)), or it was stopped while it looked for
    /// more than the first.
    pub best_known: Option<Vec<Move>>,
    /// The iterations, by rising length.
    pub thresholds: Vec<Threshold>,
    /// How far each position one move away is from solved, if that was asked for and the search has ended.
    pub neighbours: Option<Neighbours>,
    /// How many symmetries fix the position: the order of its stabilizer.
    #[cfg_attr(feature = "serde", serde(rename = "stabilizer"))]
    pub symmetry_count: usize,
    /// How long the search took, with the time before it was resumed.
    pub elapsed: Duration,
}

impl Report {
    /// The length of the shortest solution; `None` if none was proven.
    pub fn length(&self) -> Option<u8> {
        (!self.solutions.is_empty()).then_some(self.lower_bound)
    }

    /// Nodes expanded in all iterations.
    pub fn nodes(&self) -> u64 {
        self.thresholds.iter().map(|threshold| threshold.nodes).sum()
    }

    /// Accesses to the table in all iterations.
    pub fn probes(&self) -> u64 {
        self.thresholds.iter().map(|threshold| threshold.probes).sum()
    }
}

/// How many of the shortest solutions to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SolutionCount {
    /// As many as there are, up to this number.
    AtMost(NonZeroUsize),
    /// All of them, in one order of turns of opposite faces each.
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
    /// Give up once every length up to this one, in the metric of the table, is ruled out; a longer solution that is known by then is told.
    pub max_length: Option<u8>,
    /// A solution that is known. Once every shorter length is ruled out, a search for one solution ends with it. Not
    /// serialised.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub known: Option<&'a [Move]>,
    /// Whether to run a two-phase search for solutions.
    pub two_phase: TwoPhaseUse,
    /// Whether to find the distances of all positions one move away as well, which takes several times as long.
    pub neighbours: bool,
}
