//! What a front end needs that searches on many machines, or keeps a journal: the parts of a search, who searches them,
//! and where a search stands.
//!
//! An [`Executor`] is given each [`Iteration`] in turn. It deals out the root tasks ([`Tasks`]) in [`Part`]s to
//! [`Searcher`]s, one a thread, on whichever machine; each answers with a [`PartResult`], and gives part of its work away
//! where a [`PartControl`] asks for it. What a search has done is a [`Checkpoint`], from which
//! [`Search::resume_with`](super::Search::resume_with) continues.

pub use super::checkpoint::{Checkpoint, PartialIteration};
pub use super::executor::{Executor, ThreadExecutor};
pub use super::explore::Counts;
pub use super::iteration::{Iteration, UpperBoundSearch};
pub use super::part::{OpenNode, Part};
pub use super::searcher::{PartControl, PartResult, Searcher, SearcherEvent};
pub use super::tasks::Tasks;
