//! Speedups of the splits, by number of cores and latency; and the splits without leases. Static:
//! each core has its tasks in advance, and messages are sent only at the end of a threshold. Search
//! limits: each core searches one threshold at a time.

use super::dynamic::{self, SimulatedSolve};
use super::model::{Nanos, Network, SimulatedTask, Solve, one_after_the_other, until_solved};
use super::trace::Trace;
use crate::nargolkar::end_by_limits;
use cosette::search::SolutionCount;

/// The division of the work among cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkSplit {
    /// In advance: core i takes the tasks i, i + n, i + 2n, …, as cards are dealt.
    Cyclic,
    /// In advance: each core takes tasks that follow one another, with the same predicted work.
    Blocks,
    /// A threshold for each core.
    Limits,
    /// By leases, to ranks of this many threads.
    Dynamic(usize),
}

/// Number of threads of a rank, as on a machine of a cluster.
pub const THREADS: usize = 64;

impl WorkSplit {
    /// All of them, in the order in which they are shown.
    pub const ALL: [WorkSplit; 5] = [
        WorkSplit::Cyclic,
        WorkSplit::Blocks,
        WorkSplit::Limits,
        WorkSplit::Dynamic(1),
        WorkSplit::Dynamic(THREADS),
    ];

    pub fn name(self) -> &'static str {
        match self {
            WorkSplit::Cyclic => "static, cyclic",
            WorkSplit::Blocks => "static, blocks",
            WorkSplit::Limits => "search limits",
            WorkSplit::Dynamic(1) => "dynamic, 1 thread a rank",
            WorkSplit::Dynamic(_) => "dynamic, 64 threads a rank",
        }
    }
}

/// Solves that are shown together, run one after the other.
pub struct SolveGroup {
    /// The recorded traces.
    pub traces: Vec<Trace>,
    /// The traces as simulated solves.
    pub solves: Vec<Solve>,
}

/// The speedup of a split for a group.
#[derive(Clone, Copy, Debug)]
pub struct SplitGain {
    /// Number of cores.
    pub cores: usize,
    /// Elapsed time.
    pub time: Nanos,
    /// Speedup over one thread.
    pub speedup: f64,
    /// The share of the time in which the coordinator is busy with messages.
    pub busy: f64,
}

impl SplitGain {
    /// The speedup by cores.
    pub fn efficiency(&self) -> f64 {
        self.speedup / self.cores as f64
    }
}

impl SolveGroup {
    pub fn of(traces: Vec<Trace>) -> SolveGroup {
        SolveGroup {
            solves: traces.iter().map(Solve::of).collect(),
            traces,
        }
    }

    /// Returns the time of one thread for all solves.
    pub fn by_one_thread(&self, wanted: SolutionCount) -> Nanos {
        self.solves
            .iter()
            .map(|solve| solve.by_one_thread(wanted))
            .sum()
    }

    /// Returns `true` if there are solutions among the searched lengths.
    pub fn is_solved(&self) -> bool {
        self.traces.iter().all(|trace| trace.solved.is_some())
    }

    /// Returns the speedup of this split.
    pub fn gain(&self, split: WorkSplit, wanted: SolutionCount, network: &Network) -> SplitGain {
        let mut time = 0;
        let mut busy = 0;
        for solve in &self.solves {
            let outcome = outcome(solve, split, wanted, network);
            time += outcome.time;
            busy += outcome.busy;
        }
        SplitGain {
            cores: network.cores,
            time,
            speedup: self.by_one_thread(wanted) as f64 / time.max(1) as f64,
            busy: busy as f64 / time.max(1) as f64,
        }
    }
}

/// Simulates a solve.
pub fn outcome(
    solve: &Solve,
    split: WorkSplit,
    wanted: SolutionCount,
    network: &Network,
) -> SimulatedSolve {
    let time = match split {
        WorkSplit::Dynamic(threads) => {
            return dynamic::outcome(
                solve,
                wanted,
                &Network {
                    threads,
                    ..*network
                },
            );
        }
        WorkSplit::Limits => limits_time(solve, wanted, network),
        WorkSplit::Cyclic | WorkSplit::Blocks => static_time(solve, split, wanted, network),
    };
    SimulatedSolve {
        time,
        ..SimulatedSolve::default()
    }
}

/// Returns the time of a solve with a static split.
fn static_time(solve: &Solve, split: WorkSplit, wanted: SolutionCount, network: &Network) -> Nanos {
    let thresholds = solve
        .thresholds
        .iter()
        .map(|tasks| threshold(tasks, split, wanted, network));
    solve.serial + network.begin(solve) + thresholds.sum::<Nanos>()
}

fn threshold(
    tasks: &[SimulatedTask],
    split: WorkSplit,
    wanted: SolutionCount,
    network: &Network,
) -> Nanos {
    let dealt = |core| tasks.iter().skip(core).step_by(network.cores).collect();
    let shares: Vec<Vec<&SimulatedTask>> = match split {
        WorkSplit::Blocks => blocks(tasks, network.cores),
        _ => (0..network.cores).map(dealt).collect(),
    };
    let ends = shares.into_iter().map(|share| until_solved(share, wanted));
    let (found, all) = ends.fold(
        (None, 0),
        |(found, all): (Option<Nanos>, Nanos), end| match end {
            Ok(time) => (Some(found.map_or(time, |found| found.min(time))), all),
            Err(time) => (found, all.max(time)),
        },
    );
    found.unwrap_or(all) + network.barrier()
}

fn blocks(tasks: &[SimulatedTask], cores: usize) -> Vec<Vec<&SimulatedTask>> {
    let all: u128 = tasks.iter().map(|task| u128::from(task.work)).sum();
    let mut shares = vec![Vec::new(); cores];
    let mut before = 0_u128;
    for task in tasks {
        // By the location of the middle of a task.
        let middle = 2 * before + u128::from(task.work);
        shares[(middle * cores as u128 / (2 * all).max(1)) as usize].push(task);
        before += u128::from(task.work);
    }
    shares
}

/// Returns the time of a solve in which each core searches the whole tree to one limit, all limits
/// at once (Nargolkar 2006).
fn limits_time(solve: &Solve, wanted: SolutionCount, network: &Network) -> Nanos {
    // A core requests a limit, receives it, then searches it.
    let limits = solve
        .thresholds
        .iter()
        .map(|tasks| network.barrier() + one_after_the_other(tasks, wanted));
    let end = end_by_limits(limits, network.cores);
    solve.serial + network.begin(solve) + end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::model::testing::{ideal, slow, solve, uneven};

    #[test]
    fn every_task_has_one_core() {
        let uneven = solve(&[&[7, 1, 1, 5, 3, 2, 9, 4]]);
        let tasks = &uneven.thresholds[0];
        for cores in [1, 2, 3, 8, 20] {
            let shares = blocks(tasks, cores);
            assert_eq!(shares.concat().len(), tasks.len());
            assert_eq!(
                shares.concat().iter().map(|task| task.cost).sum::<Nanos>(),
                32
            );
        }
        for split in [WorkSplit::Cyclic, WorkSplit::Blocks] {
            assert_eq!(
                static_time(&uneven, split, SolutionCount::All, &ideal(1, 1)),
                32
            );
        }
        // 7 + 1 + 3 + 9 and 1 + 5 + 2 + 4.
        assert_eq!(
            static_time(&uneven, WorkSplit::Cyclic, SolutionCount::All, &ideal(2, 1)),
            20
        );
    }

    #[test]
    fn the_first_solution_in_time_ends_it() {
        let mut solve = solve(&[&[10, 10, 10, 10]]);
        (
            solve.thresholds[0][1].solution,
            solve.thresholds[0][2].solution,
        ) = (Some(9), Some(1));
        assert_eq!(
            static_time(&solve, WorkSplit::Cyclic, SolutionCount::ONE, &ideal(1, 1)),
            19
        );
        assert_eq!(
            static_time(&solve, WorkSplit::Cyclic, SolutionCount::ONE, &ideal(2, 1)),
            9
        );
        assert_eq!(
            static_time(&solve, WorkSplit::Cyclic, SolutionCount::ONE, &ideal(4, 1)),
            1
        );
    }

    #[test]
    fn it_gains_the_sum_over_the_largest() {
        let solve = solve(&[&[1], &[5, 5], &[60, 40]]);
        assert_eq!(limits_time(&solve, SolutionCount::All, &ideal(1, 1)), 111);
        assert_eq!(limits_time(&solve, SolutionCount::All, &ideal(2, 1)), 101);
        assert_eq!(limits_time(&solve, SolutionCount::All, &ideal(3, 1)), 100);
        assert_eq!(
            limits_time(&solve, SolutionCount::All, &ideal(4096, 1)),
            100
        );
    }

    #[test]
    fn static_splits_take_longer_if_tasks_are_uneven() {
        let mut costs = uneven(20_000, 20_000);
        costs[19_000] = 1_000_000_000;
        let mut solve = solve(&[&costs]);
        // Nothing is predicted.
        solve.thresholds[0]
            .iter_mut()
            .for_each(|task| task.work = 1);
        for cores in [2, 8, 64] {
            let dynamic = dynamic::outcome(&solve, SolutionCount::All, &slow(cores, 4)).time;
            for split in [WorkSplit::Cyclic, WorkSplit::Blocks] {
                let fixed = static_time(&solve, split, SolutionCount::All, &slow(cores, 4));
                assert!(
                    dynamic <= fixed,
                    "{dynamic} and {fixed} ns, {cores} cores, {split:?}"
                );
            }
        }
    }
}
