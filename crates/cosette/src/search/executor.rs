//! Who searches the root tasks of an iteration: threads of this process, or whoever else.

use super::explore::{Counts, Explore, Explorer};
use super::iteration::Iteration;
use super::part::Part;
use crate::control::ThreadCount;
use crate::kernel::Instructions;
use std::sync::Mutex;

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
    threads: ThreadCount,
    instructions: Instructions,
    explorers: Vec<Box<Explorer>>,
}

impl ThreadExecutor {
    /// An executor with this many threads and the fastest instructions of this machine.
    pub fn new(threads: ThreadCount) -> ThreadExecutor {
        ThreadExecutor::with_instructions(threads, Instructions::best())
    }

    pub(super) fn with_instructions(threads: ThreadCount, instructions: Instructions) -> ThreadExecutor {
        let explorers = std::iter::repeat_with(|| Box::new(Explorer::new())).take(threads.get()).collect();
        ThreadExecutor { threads, instructions, explorers }
    }
}

impl Executor for ThreadExecutor {
    fn search(&mut self, iteration: &Iteration<'_>) -> Part {
        let explore = |explorer: &mut Box<Explorer>| self.instructions.run(Explore { explorer, source: iteration });
        // A thread takes longer to start than a small iteration takes.
        let left = iteration.left();
        let threads = self.threads.at_most(left.tasks.len() + left.nodes.len());
        let explorers = &mut self.explorers[..threads.get()];
        explorers.iter_mut().for_each(|explorer| explorer.counts = Counts::default());
        let idle = Mutex::new(explorers.iter_mut());
        threads.run(&|number| {
            // The other threads need not wait for it.
            if number == 0 {
                iteration
                    .upper_bound_search()
                    .into_iter()
                    .for_each(|search| search.run(&mut |moves| iteration.take(moves)));
            }
            let explorer = idle.lock().expect("no thread panics while it takes an explorer").next();
            explore(explorer.expect("there is one for each thread"));
        });
        explorers.iter().for_each(|explorer| iteration.count(explorer.counts));
        let mut left = iteration.not_begun();
        left.nodes.extend(explorers.iter().flat_map(|explorer| explorer.open_nodes()));
        left
    }
}
