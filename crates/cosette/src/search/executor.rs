//! How the root tasks of an iteration are searched: by threads of this process, or by other means.

use super::checkpoint::Part;
use super::explore::{Explore, Explorer};
use super::iteration::Iteration;
use crate::control::ThreadCount;
use crate::kernel::Instructions;
use std::sync::Mutex;

/// Searches the root tasks of an iteration.
///
/// It searches everything in [`Iteration::left`], and passes each solution, the priorities, the counts and the progress
/// to the iteration. The counts of a whole iteration do not depend on the order of its tasks, or on where they are
/// searched.
pub trait Executor {
    /// Searches the iteration to its end, or until it is stopped ([`Iteration::is_stopped`]). Returns what is left.
    fn search(&mut self, iteration: &Iteration<'_>) -> Part;
}

/// Searches with threads of this process.
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
        explorers.iter_mut().for_each(|explorer| explorer.reset());
        let idle = Mutex::new(explorers.iter_mut());
        threads.run(&|number| {
            // The other threads do not wait for it.
            if number == 0 {
                iteration
                    .upper_bound_search()
                    .into_iter()
                    .for_each(|search| search.run(&mut |moves| iteration.add_solution(moves)));
            }
            let explorer = idle.lock().expect("no thread panics while it takes an explorer").next();
            explore(explorer.expect("there is one for each thread"));
        });
        explorers.iter().for_each(|explorer| iteration.add_counts(explorer.counts));
        let mut left = iteration.not_started();
        left.nodes.extend(explorers.iter().flat_map(|explorer| explorer.open_nodes()));
        left
    }
}
