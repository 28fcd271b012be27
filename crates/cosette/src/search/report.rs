//! Options, events and reports of a search. Types that callers only read are not exhaustive, because
//! they may get fields and variants.

#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

use crate::control::{Cancel, CancelReason, Progress};
use crate::cube::{Cube, Move};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// An event during a search. Events come from any of its threads.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A solution that is shorter than all before, verified by applying it to the position.
    Solution(&'a [Move]),
    /// All shorter lengths are ruled out; solutions of this length are searched for next.
    IterationStarted {
        /// The length, in the metric of the table.
        length: u8,
    },
    /// The progress of the current iteration.
    #[non_exhaustive]
    Progress {
        /// The length of the solutions searched for.
        length: u8,
        /// The work that has been started and the total work, in an arbitrary unit.
        progress: Progress,
        /// Estimated remaining time; `None` while there is no basis for an estimate.
        time_left: Option<TimeEstimate>,
    },
    /// An iteration has ended.
    IterationFinished(&'a IterationStats),
}

impl Event<'_> {
    /// Creates the event of progress of an engine.
    #[doc(hidden)]
    pub fn progress(
        length: u8,
        progress: Progress,
        time_left: Option<TimeEstimate>,
    ) -> Event<'static> {
        Event::Progress {
            length,
            progress,
            time_left,
        }
    }
}

/// A function that receives the events of a search.
pub(crate) type EventListener<'a> = Arc<dyn Fn(Event<'_>) + Send + Sync + 'a>;

/// An estimate of the remaining time of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimeEstimate {
    /// Time until all of this iteration is searched. The iteration ends earlier if a solution is
    /// found.
    pub iteration: Duration,
    /// Time until every length below that of the best known solution is ruled out; `None` if no
    /// solution is known.
    pub proof: Option<Duration>,
}

impl TimeEstimate {
    /// Creates an estimate for the current iteration alone.
    #[doc(hidden)]
    pub fn new(iteration: Duration) -> TimeEstimate {
        TimeEstimate {
            iteration,
            proof: None,
        }
    }
}

/// One iteration of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct IterationStats {
    /// The length of the solutions searched for.
    pub length: u8,
    /// Number of expanded nodes.
    pub nodes: u64,
    /// Number of accesses to the table.
    pub probes: u64,
    /// Wall-clock time of the iteration.
    pub elapsed: Duration,
    /// `true` if the whole iteration was searched; `false` if it stopped at a solution or on
    /// request.
    pub exhausted: bool,
}

impl IterationStats {
    /// Creates the statistics of an iteration before its first node.
    pub fn new(length: u8) -> IterationStats {
        IterationStats {
            length,
            nodes: 0,
            probes: 0,
            elapsed: Duration::ZERO,
            exhausted: false,
        }
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Outcome {
    /// As many shortest solutions as requested were found, or all if there are fewer, and every
    /// shorter length is ruled out.
    Optimal,
    /// Every length up to the limit is ruled out. Longer solutions may be known. In a
    /// [`GoalReport`](crate::goal::GoalReport), check
    /// [`unreachable`](crate::goal::GoalReport::unreachable) first: a goal that the allowed turns
    /// cannot reach has this outcome too, even without a limit.
    NoneWithinLimit,
    /// The search was cancelled, or its deadline passed.
    Cancelled(CancelReason),
    /// The memory of another engine is full. Searches of this crate never end like this.
    OutOfMemory,
    /// The search ended by itself without proof: another engine is not an optimal solver, or a
    /// custom [`Executor`](super::distributed::Executor) returned unfinished work without having
    /// been stopped. Searches of this crate never end like this on the threads of this process.
    Unproven,
}

impl Outcome {
    /// Returns the reason why the search ended early; `None` if it did not, or if it ended
    /// [unproven](Outcome::Unproven).
    pub fn stop_reason(self) -> Option<StopReason> {
        match self {
            Outcome::Optimal | Outcome::Unproven => None,
            Outcome::NoneWithinLimit => Some(StopReason::MaxLength),
            Outcome::Cancelled(reason) => Some(reason.into()),
            Outcome::OutOfMemory => Some(StopReason::Memory),
        }
    }

    /// Returns the outcome of a search that ended without proof: `Cancelled` with the reason of
    /// `cancel`, or `Unproven` if it was not cancelled.
    #[doc(hidden)]
    pub fn unfinished(cancel: &Cancel) -> Outcome {
        cancel
            .reason()
            .map_or(Outcome::Unproven, Outcome::Cancelled)
    }
}

/// The reason why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
#[expect(
    clippy::exhaustive_enums,
    reason = "each program describes every reason in its own words"
)]
pub enum StopReason {
    /// All lengths up to the limit are ruled out.
    MaxLength,
    /// The time limit was reached.
    Timeout,
    /// The search was cancelled.
    Interrupt,
    /// The engine reached its memory limit.
    Memory,
}

impl StopReason {
    /// Returns the name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::MaxLength => "max-length",
            StopReason::Timeout => "timeout",
            StopReason::Interrupt => "interrupt",
            StopReason::Memory => "memory",
        }
    }
}

impl From<CancelReason> for StopReason {
    fn from(reason: CancelReason) -> StopReason {
        match reason {
            CancelReason::Requested => StopReason::Interrupt,
            CancelReason::TimedOut => StopReason::Timeout,
        }
    }
}

/// The result of a [`Search`](super::Search). It guarantees:
///
/// | field | guarantee | proven by |
/// |---|---|---|
/// | [`lower_bound`](Report::lower_bound) | no sequence of face turns that is shorter, in the metric of the table, solves the position | exhausted iterations, parity, and the table |
/// | [`Outcome::Optimal`] | no sequence is shorter than the solutions | as for `lower_bound` |
/// | [`solutions`](Report::solutions), with [`SolutionCount::All`] | they are all solutions of this length; solutions that differ only in the order of turns of opposite faces count once | the last iteration, if exhausted |
/// | [`Outcome::NoneWithinLimit`] | no sequence up to the limit solves the position | the exhausted iterations up to the limit |
///
/// With the feature `serde`, a move of a report is a number from 0 to 17, as [`Move::index`]
/// counts. `SolveResult` has the moves as text.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Report {
    /// The reason why the search ended.
    pub outcome: Outcome,
    /// Proven lower bound on the length of any solution, in the metric of the table. If all lengths
    /// within a limit are ruled out, it is above the limit, and by more than one if parity or the
    /// table rules out more.
    pub lower_bound: u8,
    /// The solutions found, all of length `lower_bound`, each verified by applying it to the
    /// position. [`DisplayMoves`](crate::DisplayMoves) writes one as text.
    pub solutions: Vec<Vec<Move>>,
    /// The shortest known solution, proven or not, verified by applying it to the position. If the
    /// search ended early, this is `None` unless a solution was supplied
    /// ([`Options::known_solution`]), the two-phase search found one
    /// ([`Search::two_phase`](super::Search::two_phase)), or the search was stopped while looking
    /// for further solutions.
    pub best_known: Option<Vec<Move>>,
    /// Statistics of each iteration, by increasing length.
    pub iterations: Vec<IterationStats>,
    /// The distances of all positions one move away, if requested and if the search found all
    /// shortest solutions.
    pub neighbors: Option<Neighbors>,
    /// Number of symmetries that fix the position: the order of its stabilizer.
    #[cfg_attr(feature = "serde", serde(rename = "stabilizer"))]
    pub symmetry_count: usize,
    /// Time of the search, including the time before it was resumed.
    pub elapsed: Duration,
}

impl Report {
    /// Creates the report of another engine, without solutions. Its fields can then be set.
    pub fn new(position: &Cube, outcome: Outcome, lower_bound: u8) -> Report {
        Report {
            outcome,
            lower_bound,
            solutions: Vec::new(),
            best_known: None,
            iterations: Vec::new(),
            neighbors: None,
            symmetry_count: position.symmetries().len(),
            elapsed: Duration::ZERO,
        }
    }

    /// Returns the length of the shortest solution; `None` if none was proven.
    pub fn length(&self) -> Option<u8> {
        (!self.solutions.is_empty()).then_some(self.lower_bound)
    }

    /// Returns the number of nodes expanded in all iterations.
    pub fn nodes(&self) -> u64 {
        self.iterations
            .iter()
            .map(|iteration| iteration.nodes)
            .sum()
    }

    /// Returns the number of table accesses in all iterations.
    pub fn probes(&self) -> u64 {
        self.iterations
            .iter()
            .map(|iteration| iteration.probes)
            .sum()
    }
}

/// The distances of all positions one move away.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Neighbors(pub(super) [Option<u8>; Move::COUNT]);

impl Neighbors {
    /// Returns the distance of the position after this move; `None` for a half turn in the
    /// quarter-turn metric.
    pub fn length_after(&self, m: Move) -> Option<u8> {
        self.0[m.index()]
    }

    /// Returns the moves of the metric, each with the distance of the position after it.
    pub fn lengths(&self) -> impl Iterator<Item = (Move, u8)> {
        Move::ALL
            .into_iter()
            .filter_map(|m| Some((m, self.length_after(m)?)))
    }

    /// Returns the moves that begin a shortest solution of the position, whose distance is
    /// `length`.
    pub fn optimal_moves(&self, length: u8) -> impl Iterator<Item = Move> {
        self.lengths()
            .filter(move |&(_, after)| after < length)
            .map(|(m, _)| m)
    }
}

/// The number of shortest solutions to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers choose one")]
pub enum SolutionCount {
    /// Up to this number of solutions.
    AtMost(NonZeroUsize),
    /// All solutions; solutions that differ only in the order of turns of opposite faces count
    /// once.
    All,
}

impl SolutionCount {
    /// The first solution found.
    pub const ONE: SolutionCount = SolutionCount::AtMost(NonZeroUsize::MIN);

    /// Returns the maximum number of solutions; `usize::MAX` for all.
    pub const fn max(self) -> usize {
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

/// The mode of a two-phase search for good solutions, concurrent with the optimal search.
///
/// The number of nodes it may expand depends only on the optimal search, not on time, so results
/// with one thread are deterministic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TwoPhaseMode {
    /// No two-phase search.
    #[default]
    Off,
    /// In each iteration, the two-phase search looks for a solution of the current length, and may
    /// expand a fixed fraction of the number of nodes that the optimal search has expanded before.
    /// It runs only if one solution is requested, in the half-turn metric.
    Interleaved,
    /// Like `Interleaved`, and also before the first iteration, in either metric, so that a
    /// solution is known after a few milliseconds.
    Upfront,
}

/// The options of a search.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[expect(clippy::exhaustive_structs, reason = "callers write all fields")]
pub struct Options<'a> {
    /// The number of shortest solutions to find.
    pub solution_count: SolutionCount,
    /// Stop once every length up to this one, in the metric of the table, is ruled out. A longer
    /// solution known at that point is reported.
    pub max_length: Option<u8>,
    /// A known solution. Once every shorter length is ruled out, a search for one solution ends
    /// with it. Not serialized.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub known_solution: Option<&'a [Move]>,
    /// The mode of the two-phase search.
    pub two_phase: TwoPhaseMode,
    /// `true` to find the distances of all positions one move away as well, which takes several
    /// times as long.
    pub neighbors: bool,
}
