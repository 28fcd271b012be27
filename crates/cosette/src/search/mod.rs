//! The optimal search: IDA* on a position and its inverse at once.
//!
//! The pruning rules, their proofs, and the notation used here are in [`pruning_rules`].
//!
//! # The loop
//!
//! ```text
//! one stack per thread; repeat:
//!     take the last 128 nodes of the stack (root tasks are added while it holds fewer)
//!     nodes with r = 0: record the solved ones as solutions; drop them all; for the other nodes:
//!     1. choose a side and its moves                                                  rules 1, 5, 6
//!     2. probe the other side: queue one coset per face; locate; prefetch             rules 2, 4
//!     3. read u; drop nodes and moves, eight nodes at a time; queue the children
//!        left; locate; prefetch                                                       rules 2, 3
//!     4. read w; push the children with w(m) ≤ r′, and note which moves these are     rules 4, 6
//! ```
//!
//! A node with r = 0 has bounds of 0, but need not be solved: a bound is not a distance. The moves
//! made on p begin a solution; the moves made on q, reversed and inverted, end it. Since nodes are
//! taken from the end of the stack, it holds little more than the open siblings along 128 paths. A
//! request to stop is checked once in each round.
//!
//! All lines of a step are prefetched before the first of them is read: some 560 lines in step 2. A
//! long search is split into root tasks, one for each sequence of four moves that rule 6 allows.
//! Each iteration takes the tasks by decreasing *priority* in the previous iteration: the sum of
//! 2^−bound over the children that were pushed in a task. The last iteration then finds a solution
//! after about a fifth of the work. Threads take one task at a time; a task lasts milliseconds if
//! the search lasts seconds. In the MPI program, a thread without work requests work from the other
//! threads. They give away every second node with nine or more moves remaining. A position with
//! symmetry gets one task for each class of sequences under its stabilizer, and the stabilizer
//! generates all solutions from the ones found.
//!
//! An [`Executor`](distributed::Executor) runs the tasks: on threads of this process, or of many
//! machines. A search that was stopped leaves a [`Checkpoint`](distributed::Checkpoint), from which
//! it can continue.
//!
//! # What was tried
//!
//! Mean number of probes for the 25 positions `random_17f` with the table htm-1.5G. All rows but
//! the last two were measured with an older packing of lines: a code could hold only three values;
//! all smaller entries shared one minimum (*fallback*), stored once for the line or once for each
//! of its words. Compare these rows only with one another. Before rule 6, with one fallback per
//! line, there were 13.32 million probes. Only the first two changes were kept.
//!
//! | change | million probes |
//! |---|---|
//! | rule 6 (kept) | 12.93 |
//! | and a fallback for each 31 entries instead of 254 (kept) | 12.77 |
//! | rule 6, and a bound w(m) ≥ r′ + 2 drops the other turns of the face | 12.62 |
//! | rule 6, and two faces probed on the other side before the others, to drop nodes early (rule 3): a fifth step in the loop | 12.40 |
//! | rule 6; and moves on q that rule 1 rules out stay ruled out in all descendants reached by moves on p | 12.94 |
//! | the same, and nodes with at least 1, 2 or 4 children are also probed from the opposite side, so that their descendants inherit the moves on q that are ruled out | 13.06, 13.07, 13.02 |
//! | root tasks of five moves, ordered by their priority: 2 % fewer nodes in the last iteration, and thirteen times the tasks | 12.35, before rule 6 |
//! | today's lines: a bound w(m) ≥ r′ + 2 drops the other turns of the face. No faster: 0.152 s before and 0.151 s after, medians of seven alternating runs | 11.38 → 11.11 |
//! | today's lines, at a later commit and without a two-phase search: nodes whose bounds and remaining moves both equal the mean of the table are postponed until all tasks have been started. Seconds: with AVX-512 0.25 → 0.28, with AVX2 0.50 → 0.49 | 16.45 → 13.35 |
//!
//! In the last row, fewer probes save no time: the postponed nodes have few children, and children
//! take most of the time.
//!
//! Times are in docs/performance.md.

mod executor;
#[cfg(feature = "serde")]
mod explanation;
mod explore;
mod forecast;
mod iteration;
mod iterative_deepening;
mod neighbors;
mod node;
pub mod pruning_rules;
mod report;
#[cfg(feature = "threads")]
mod solve_many;
#[cfg(feature = "serde")]
mod solve_result;
pub(crate) mod solver;
mod tasks;

#[cfg(feature = "serde")]
pub use explanation::{Explanation, SharedProperties};
pub use iterative_deepening::Search;
pub(crate) use report::EventListener;
pub use report::{
    Event, IterationStats, Neighbors, Options, Outcome, Report, SolutionCount, StopReason,
    TimeEstimate, TwoPhaseMode,
};
#[cfg(feature = "threads")]
pub use solve_many::SolveMany;
#[cfg(feature = "serde")]
pub use solve_result::{IterationSummary, SolveResult};
#[cfg(feature = "files")]
pub use solver::SolverBuilder;
pub use solver::{Solution, Solver};

pub mod distributed {
    //! Building blocks of distributed and resumable searches.
    //!
    //! An [`Executor`] receives one [`Iteration`] after the other. It hands out the root tasks
    //! ([`Tasks`]) in [`WorkUnit`]s to [`Searcher`]s, one per thread, on any machine; each returns
    //! a [`WorkResult`], and gives part of its work away when a [`WorkControl`] requests it. The
    //! state of a search is a [`Checkpoint`], from which
    //! [`Search::resume_with`](super::Search::resume_with) continues.

    pub use super::executor::{
        Executor, Searcher, SearcherEvent, ThreadExecutor, WorkControl, WorkResult,
    };
    pub use super::iteration::{Iteration, UpperBoundSearch};
    pub use super::node::{Checkpoint, Counts, OpenNode, PartialIteration, WorkUnit};
    pub use super::tasks::{MIN_SPLIT_LENGTH, Tasks};
}
