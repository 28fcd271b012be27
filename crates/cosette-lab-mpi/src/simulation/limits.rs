//! The search-limit split (Nargolkar 2006): each core searches the whole tree to one limit, all of them at once.
//!
//! A core that has ended its limit gets the next one. The solve ends when a solution is found and all smaller limits have
//! ended. Here a core takes the tasks of each limit in the order that the limit before it has found to be best, which it
//! could not know yet: this favours the split.

use super::load::{Nanos, SolutionCount, Solve, one_after_the_other};
use super::network::Network;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How long a solve takes.
pub fn time(solve: &Solve, wanted: SolutionCount, network: &Network) -> Nanos {
    let mut free: BinaryHeap<Reverse<Nanos>> = (0..network.cores).map(|_| Reverse(0)).collect();
    let mut end = 0;
    for tasks in &solve.thresholds {
        let Reverse(begin) = free.pop().expect("there is at least one core");
        // It asks for a limit and is answered.
        let done = begin + network.barrier() + one_after_the_other(tasks, wanted);
        free.push(Reverse(done));
        end = end.max(done);
    }
    solve.serial + end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::testing::{ideal, solve};

    #[test]
    fn it_gains_the_sum_over_the_largest() {
        let solve = solve(&[&[1], &[5, 5], &[60, 40]]);
        assert_eq!(time(&solve, SolutionCount::All, &ideal(1)), 111);
        assert_eq!(time(&solve, SolutionCount::All, &ideal(2)), 101);
        assert_eq!(time(&solve, SolutionCount::All, &ideal(3)), 100);
        assert_eq!(time(&solve, SolutionCount::All, &ideal(4096)), 100);
    }
}
