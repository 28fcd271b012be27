//! The optimal search: IDA* on a position and its inverse at once.
//!
//! # Theory
//!
//! IDA* (Korf 1985) searches depth first to a *threshold*, and raises it by one until a solution is found: then no
//! shorter one exists. A table bounds the distance of every position from below, and a node whose bound exceeds what
//! remains is cut. A position p and its inverse q = p⁻¹ are equally far from solved, so a node has two bounds, those of
//! the cosets H·p and H·q, and may be expanded on either side: a move m on p gives p·m and m⁻¹·q; a move on q likewise.
//!
//! The target subgroup H contains the half turns (`coord`), from which most cuts follow. Say a node is expanded on the
//! side of p, with r remaining and r′ = r − 1 for its children (half-turn metric), and let u(f) be the bound of
//! H·f⁻¹·q, read by a *probe on the other side*, and w(m) that of H·p·m, read by a *probe of the child*.
//!
//! 1. *Tight bound.* If the bound of q exceeds r′, no half turn on p can lead to a solution in time.
//!    Proof: for a half turn m, H·m⁻¹·q = H·q; so that bound holds for p·m as well.
//! 2. *Shared probe.* One probe on the other side serves both quarter turns of a face: at most six probes for eighteen
//!    children. They are made first, and only the children of moves that survive, u(f) ≤ r′, are probed.
//!    Proof: H·f·q = H·f²·f⁻¹·q = H·f⁻¹·q, since f² is in H.
//! 3. *Neighbours.* If u(f) > r + 1 the node itself is dropped; if u(f) > r, so is the half turn of f.
//!    Proof: both p and p·f² are one move from p·f, so both are at least u(f) − 1 from solved.
//! 4. *Inheritance.* The other side's bound after a half turn is that of the node and is never probed; where the
//!    quarter turns of a face are ruled out, only the child of its half turn is probed. Proof: as for the tight bound.
//! 5. *Direction.* The side with fewer moves left is expanded, the one with the larger bound among equals. Proof: every
//!    solution begins with a move on p and ends with one on q, so the moves of either side are complete.
//! 6. *Commuting turns.* After a turn of R, only those turns of L follow that survived at the same node, and after L
//!    none of R.
//!    Proof: p·R·L = p·L·R; if it were within r − 2, then p·L would be within r′.
//!
//! In the quarter-turn metric a half turn leaves r − 2, and the same proofs hold with its cost.
//!
//! # The loop
//!
//! ```text
//! one stack per thread; repeat:
//!     take up to 64 nodes from the stack (fed with root tasks); the solved ones are solutions
//!     1. choose a side and its moves                                          rules 1, 5, 6
//!     2. probe the other side: queue one coset per face; locate; prefetch     rules 2, 4
//!     3. read; drop moves; queue the children of the rest; locate; prefetch   rules 2, 3
//!     4. read; push the children that may still be solved in time
//! ```
//!
//! Every line of the table is prefetched long before it is read: some 280 lines in one step 2. A long search is cut
//! into root tasks, the canonical sequences of four moves. Each iteration takes them in the order of the *priority* of
//! the last one, the sum of 2^−bound over the nodes that survived in a task: the last iteration then finds a solution
//! after about a fifth of the work. Threads take tasks one by one to the end; one takes milliseconds in a search of
//! some seconds, half a second where it represents the 48 of a superflip, and no thread is idle for longer. A position
//! with symmetry gets one task for each class under its stabilizer, and the stabilizer generates all solutions from
//! those found.
//!
//! An [`Executor`](distributed::Executor) runs the tasks: on threads of this process, or of many machines. A search
//! that was stopped leaves a [`Checkpoint`](distributed::Checkpoint), from which it can continue.
//!
//! # What did not pay
//!
//! Mean probes of the 25 positions `random_17f` with htm-1.5G; 13.32 million before rule 6 and with one fallback a line.
//!
//! | what | million probes |
//! |---|---|
//! | rule 6 (kept) | 12.93 |
//! | and a fallback for each 31 entries instead of 254 (kept) | 12.77 |
//! | rule 6, and a bound w(m) ≥ r′ + 2 drops the other turns of the face; counted only, its time was not measured | 12.62 |
//! | rule 6, and two faces probed on the other side before the others, to drop nodes early (rule 3): a fifth step in the loop | 12.40 |
//! | rule 6, and moves on q that rule 1 excludes excluded for all descendants on p | 12.94 |
//! | the same, and nodes with at least 1, 2 or 4 children are also probed from the opposite side, so that their descendants inherit the moves on q that are ruled out | 13.06, 13.07, 13.02 |
//! | root tasks of five moves, ordered by their priority: 2 % fewer nodes in the last iteration, and thirteen times the tasks | 12.35, before rule 6 |
//!
//! Times are in docs/performance.md.

mod builder;
mod checkpoint;
mod deepening;
mod executor;
mod explore;
mod forecast;
mod iteration;
#[cfg(feature = "threads")]
mod many;
mod node;
#[cfg(feature = "files")]
mod opening;
mod options;
mod report;
mod searcher;
mod solution;
mod solutions;
mod solver;
mod tasks;

pub use builder::Search;
#[cfg(feature = "threads")]
pub use many::SolveMany;
#[cfg(feature = "files")]
pub use opening::SolverBuilder;
pub use options::{Options, SolutionCount, TwoPhaseUse};
pub use report::{Event, Outcome, Remaining, Report, Threshold};
pub use solution::Solution;
pub use solver::Solver;

pub mod distributed {
    //! For front ends that search on many machines or keep a journal: the parts of a search, how they are searched,
    //! and the state of a search.
    //!
    //! An [`Executor`] is given each [`Iteration`] in turn. It hands out the root tasks ([`Tasks`]) in [`Part`]s to
    //! [`Searcher`]s, one per thread, on any machine; each returns a [`PartResult`], and gives part of its work away when a
    //! [`PartControl`] asks for it. What a search has done is a [`Checkpoint`], from which
    //! [`Search::resume_with`](super::Search::resume_with) continues.

    pub use super::checkpoint::{Checkpoint, Counts, OpenNode, Part, PartialIteration};
    pub use super::executor::{Executor, ThreadExecutor};
    pub use super::iteration::{Iteration, UpperBoundSearch};
    pub use super::searcher::{PartControl, PartResult, Searcher, SearcherEvent};
    pub use super::tasks::Tasks;
}
