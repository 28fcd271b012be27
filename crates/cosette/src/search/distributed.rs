//! For front ends that search on many machines or keep a journal: the parts of a search, how they are searched,
//! and the state of a search.
//!
//! An [`Executor`] is given each [`Iteration`] in turn. It hands out the root tasks ([`Tasks`]) in [`Part`]s to
//! [`Searcher`]s, one per thread, on any machine; each returns a [`PartResult`], and gives part of its work away when a
//! [`PartControl`] asks for it. What a search has done is a [`Checkpoint`], from which
//! [`Search::resume_with`](super::Search::resume_with) continues.

pub use super::checkpoint::{Checkpoint, PartialIteration};
pub use super::executor::{Executor, ThreadExecutor};
pub use super::explore::Counts;
pub use super::iteration::{Iteration, UpperBoundSearch};
pub use super::part::{OpenNode, Part};
pub use super::searcher::{PartControl, PartResult, Searcher, SearcherEvent};
pub use super::tasks::Tasks;
