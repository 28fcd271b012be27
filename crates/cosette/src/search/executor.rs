//! Who searches the root tasks of an iteration: threads of this process, or whoever else.

use super::explore::{Counts, Explore, Explorer};
use super::iteration::Iteration;
use super::part::Part;
use crate::kernel::Instructions;
use std::num::NonZeroUsize;

/// Who searches the root tasks of an iteration.
///
/// All that is in [`Iteration::left`] is searched, and the iteration is told of each solution, of the priority, the counts
/// and how far the work is. The counts of a whole iteration do not depend on the order of its tasks, or on who
/// searches them.
pub trait Executor {
    /// Searches the iteration to its end, or until it is to be left off ([`Iteration::is_stopped`]). Returns what is left then.
    fn search(&mut self, iteration: &Iteration<'_>) -> Part;
}

/// Threads of this process.
pub struct ThreadExecutor {
    instructions: Instructions,
    explorers: Vec<Box<Explorer>>,
}

impl ThreadExecutor {
    /// So many threads, with the fastest instructions of this machine.
    pub fn new(threads: NonZeroUsize) -> ThreadExecutor {
        ThreadExecutor::with_instructions(threads, Instructions::best())
    }

    pub(super) fn with_instructions(threads: NonZeroUsize, instructions: Instructions) -> ThreadExecutor {
        let explorers = std::iter::repeat_with(|| Box::new(Explorer::new())).take(threads.get()).collect();
        ThreadExecutor { instructions, explorers }
    }
}

impl Executor for ThreadExecutor {
    fn search(&mut self, iteration: &Iteration<'_>) -> Part {
        let explore = |explorer: &mut Box<Explorer>| self.instructions.run(Explore { explorer, source: iteration });
        // A thread takes longer to start than a small iteration takes.
        let left = iteration.left();
        let threads = self.explorers.len().min(left.tasks.len() + left.nodes.len()).max(1);
        let explorers = &mut self.explorers[..threads];
        explorers.iter_mut().for_each(|explorer| explorer.counts = Counts::default());
        std::thread::scope(|scope| {
            let (first, others) = explorers.split_first_mut().expect("there is at least one thread");
            for explorer in others {
                let started = std::thread::Builder::new().spawn_scoped(scope, move || explore(explorer));
                if let Err(refused) = started {
                    tracing::warn!(%refused, "searching with fewer threads");
                    break;
                }
            }
            // The other threads need not wait for it.
            iteration.two_phase().into_iter().for_each(|aside| aside.search(&mut |moves| iteration.take(moves)));
            explore(first);
        });
        explorers.iter().for_each(|explorer| iteration.count(explorer.counts));
        let mut left = iteration.not_begun();
        left.nodes.extend(explorers.iter().flat_map(|explorer| explorer.open_nodes()));
        left
    }
}
