//! The optimal search: IDA* on a position and its inverse at once.
//!
//! # Theory
//!
//! IDA* (Korf 1985) searches depth first to a *threshold*, and raises it by one until a solution is found: then no shorter
//! one exists. A table bounds the distance of every position from below, and a node whose bound exceeds what remains is
//! cut. A position p and its inverse q = p⁻¹ are equally far from solved, so a node has two bounds, those of the cosets
//! H·p and H·q, and may be expanded on either side: a move m on p gives p·m and m⁻¹·q; a move on q likewise.
//!
//! The target subgroup H contains the half turns (`coord`), from which most cuts follow. Say a node is expanded on the side
//! of p, with r remaining and r′ = r − 1 for its children (half-turn metric), and let u(f) be the bound of H·f⁻¹·q, "other side",
//! and w(m) that of H·p·m, "child".
//!
//! 1. *Tight bound.* If the bound of q exceeds r′, no half turn on p can lead to a solution in time.
//!    Proof: for a half turn m, H·m⁻¹·q = H·q; so that bound is one of p·m as well.
//! 2. *Shared probe.* One probe across serves both quarter turns of a face, at most six probes for eighteen children. They
//!    are made first, and only the moves that survive, u(f) ≤ r′, are probed ahead.
//!    Proof: H·f·q = H·f²·f⁻¹·q = H·f⁻¹·q, since f² is in H.
//! 3. *Neighbours.* If u(f) > r + 1 the node itself is dropped; if u(f) > r, so is the half turn of f.
//!    Proof: p is one move from p·f, and p·f² is, so both lie at u(f) − 1 at least.
//! 4. *Inheritance.* The bound across of a half turn is that of the node and is never probed; where the quarter turns of a
//!    face are gone, its half turn is probed ahead alone. Proof: as for the tight bound.
//! 5. *Direction.* The side with fewer moves left is expanded, the one with the larger bound among equals. Proof: every
//!    solution begins with a move on p and ends with one on q, so either side's moves are all there is to try.
//! 6. *Commuting turns.* After a turn of R, only those turns of L follow that survived beside it, and after L none of R.
//!    Proof: p·R·L = p·L·R; were it within r − 2, then p·L would be within r′.
//!
//! In the quarter-turn metric a half turn leaves r − 2, and the same proofs hold with its cost.
//!
//! # The loop
//!
//! ```text
//! one stack a thread; repeat:
//!     take up to 64 nodes from the stack (fed with root tasks); the solved ones are solutions
//!     1. choose a side and its moves                                          rules 1, 5, 6
//!     2. look across: queue one coset a face; find the entries; prefetch      rules 2, 4
//!     3. read them; drop moves; queue the cosets ahead of the rest; prefetch  rules 2, 3
//!     4. read those; push the children that may still be solved in time
//! ```
//!
//! Every line of the table is asked for long before it is read: some 280 by one step 2. A long search is cut into root
//! tasks, the canonical sequences of four moves. Each iteration takes them in the order of the *priority* of the last one, the
//! sum of 2^−bound over the nodes that survived in a task: the last iteration then finds a solution after about a fifth of
//! the work. Threads take tasks one by one to the end; one takes milliseconds in a search of some seconds, half a second where
//! it stands for the 48 of a superflip, and no thread is idle for longer. A position with symmetry gets one task for each class under its stabilizer, and the stabilizer makes all solutions
//! of those found.
//!
//! Who takes the tasks is a [`Executor`](distributed::Executor): threads of this process, or of many machines. What a search
//! that was stopped has left is a [`Checkpoint`](distributed::Checkpoint), from which it can continue.
//!
//! # What did not pay
//!
//! Mean probes of the 25 positions `random_17f` with htm-2G; 13.32 million before rule 6 and with one fallback a line.
//!
//! | what | million probes |
//! |---|---|
//! | rule 6 (kept) | 12.93 |
//! | and a fallback for each 31 entries instead of 254 (kept) | 12.77 |
//! | rule 6, and a bound w(m) ≥ r′ + 2 drops the other turns of the face; counted only, its time was not measured | 12.62 |
//! | rule 6, and two faces looked across before the others, to drop nodes early (rule 3): a fifth step in the loop | 12.40 |
//! | rule 6, and moves on q that rule 1 excludes excluded for all descendants on p | 12.94 |
//! | the same, and nodes with 1, 2 or 4 children and more also look across on the other side, so that their descendants inherit the moves on q that are ruled out | 13.06, 13.07, 13.02 |
//! | root tasks of five moves, ordered by their priority: 2 % fewer nodes in the last iteration, and thirteen times the tasks | 12.35, before rule 6 |
//!
//! Figures of time are in docs/performance.md.

mod builder;
mod checkpoint;
mod deepening;
pub mod distributed;
mod executor;
mod explore;
mod forecast;
mod iteration;
mod many;
mod node;
mod open;
mod options;
mod part;
mod report;
mod searcher;
mod solution;
mod solutions;
mod solver;
mod tasks;

pub use builder::Search;
pub use many::SolveMany;
pub use open::SolverBuilder;
pub use options::{Options, SolutionCount, TwoPhaseUse};
pub use report::{Event, Outcome, Remaining, Report, Threshold};
pub use solution::Solution;
pub use solver::Solver;
