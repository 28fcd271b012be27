//! The model of a solve and of the network: the costs of tasks and messages, in nanoseconds; and
//! the static split, in which each core has its tasks in advance, and messages are sent only at the
//! end of a threshold.

use super::trace::{Threshold, Trace};
use cosette::search::SolutionCount;
use cosette_mpi::coordinator::MIN_NODES;
use cosette_mpi::world::poll_interval;

/// A span of simulated time in nanoseconds, or an instant as the time since the beginning.
pub type Nanos = u64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedTask {
    /// Search time of the task.
    pub cost: Nanos,
    /// The work in it as the last threshold predicted it, in an arbitrary unit.
    pub work: u64,
    /// Time from the beginning of the task until its first solution is found.
    pub solution: Option<Nanos>,
}

/// A threshold: its root tasks, the most promising first.
pub type ThresholdTasks = Vec<SimulatedTask>;

#[derive(Clone, Debug, Default)]
pub struct Solve {
    /// Time that one thread works while the others wait: the first thresholds, and the steps
    /// between thresholds.
    pub serial: Nanos,
    /// Time of each rank to split the position into root tasks.
    pub cut: Nanos,
    /// The thresholds that ranks share.
    pub thresholds: Vec<ThresholdTasks>,
    /// Time of the last threshold before those.
    pub before: Option<Nanos>,
}

impl Solve {
    /// The solve that was recorded. A threshold after one of few nodes is for the first rank alone.
    /// The time of a threshold is divided among its tasks by their nodes: a single task, of a few
    /// microseconds to a millisecond, could not be timed without its start and its end weighing too
    /// much.
    pub fn of(trace: &Trace) -> Solve {
        let nodes = |threshold: &Threshold| threshold.nodes.iter().sum::<u64>();
        let alone = trace
            .thresholds
            .iter()
            .position(|threshold| nodes(threshold) >= MIN_NODES);
        let alone = alone.map_or(trace.thresholds.len(), |last| last + 1);
        let (alone, shared) = trace.thresholds.split_at(alone);
        let in_shared: f64 = shared.iter().map(|threshold| threshold.seconds).sum();
        Solve {
            serial: nanos_from_seconds(trace.seconds - in_shared),
            cut: nanos_from_seconds(trace.cut),
            thresholds: shared.iter().map(tasks).collect(),
            before: alone
                .last()
                .map(|threshold| nanos_from_seconds(threshold.seconds)),
        }
    }

    /// Returns the time of one thread without any messages.
    pub fn by_one_thread(&self, wanted: SolutionCount) -> Nanos {
        let thresholds = self.thresholds.iter();
        let times =
            thresholds.map(|tasks| until_solved(tasks.iter(), wanted).unwrap_or_else(|all| all));
        self.serial + times.sum::<Nanos>()
    }

    /// Returns the time if core i takes the tasks i, i + n, i + 2n, …, as cards are dealt.
    pub fn by_static_split(&self, wanted: SolutionCount, network: &Network) -> Nanos {
        let mut time = self.serial + network.begin(self);
        for tasks in &self.thresholds {
            let mut first_solution = None;
            let mut last_end = 0;
            for core in 0..network.cores {
                match until_solved(tasks.iter().skip(core).step_by(network.cores), wanted) {
                    Ok(solved) => {
                        first_solution =
                            Some(first_solution.map_or(solved, |first: Nanos| first.min(solved)))
                    }
                    Err(end) => last_end = last_end.max(end),
                }
            }
            time += first_solution.unwrap_or(last_end) + network.barrier();
        }
        time
    }
}

/// Returns the time at which one thread that searches these tasks finds the first solution, if one
/// is enough; otherwise the time for all of them, as an error.
fn until_solved<'a>(
    tasks: impl Iterator<Item = &'a SimulatedTask>,
    wanted: SolutionCount,
) -> Result<Nanos, Nanos> {
    let mut before = 0;
    for task in tasks {
        match task.solution {
            Some(solution) if wanted == SolutionCount::ONE => return Ok(before + solution),
            _ => before += task.cost,
        }
    }
    Err(before)
}

fn tasks(threshold: &Threshold) -> ThresholdTasks {
    let all: u64 = threshold.nodes.iter().sum();
    let cost =
        |nodes: u64| nanos_from_seconds(threshold.seconds * nodes as f64 / all as f64).max(1);
    let task = |(&nodes, &work)| SimulatedTask {
        cost: cost(nodes),
        work,
        solution: None,
    };
    let mut tasks: ThresholdTasks = threshold
        .nodes
        .iter()
        .zip(&threshold.work)
        .map(task)
        .collect();
    for &(at, nodes) in &threshold.solutions {
        tasks[at].solution = Some(cost(nodes).min(tasks[at].cost));
    }
    tasks
}

/// Seconds in nanoseconds.
fn nanos_from_seconds(seconds: f64) -> Nanos {
    (seconds.max(0.0) * 1e9).round() as Nanos
}

/// The ranks and the network between them. Each core runs a thread; the first rank also
/// coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    pub cores: usize,
    /// Number of threads of a rank; the last rank may have fewer.
    pub threads: usize,
    /// Latency of a message.
    pub latency: Nanos,
    /// Time that the coordinator is busy with a message that it sends or receives.
    pub service: Nanos,
    /// Time until a thread begins with an assignment of its rank.
    pub hand_over: Nanos,
}

/// A thread that waits is woken by the system. On a core of its own that takes some microseconds.
const HAND_OVER: Nanos = 20_000;

/// Time that the coordinator is busy with a message, on a core of an AMD EPYC in a virtual machine
/// with other work on it: 2 µs of bookkeeping and encoding with 8 ranks (0.4 µs with 512, whose
/// leases are smaller, 1 µs with 4,096), and 1 µs to receive (`cargo test --release -p cosette-mpi
/// service_time -- --ignored --nocapture`, the binary under `mpirun -np 2`). Sending is assumed to
/// take no longer: measured in a row it waits for the receiver.
const SERVICE: Nanos = 3_000;

impl Network {
    /// Creates ranks of this many threads with this many cores and this latency.
    pub fn new(cores: usize, threads: usize, latency: Nanos) -> Network {
        Network {
            cores,
            threads,
            hand_over: HAND_OVER,
            latency,
            service: SERVICE,
        }
    }

    /// Returns the number of threads of each rank.
    pub fn ranks(&self) -> Vec<usize> {
        (0..self.cores)
            .step_by(self.threads)
            .map(|first| self.threads.min(self.cores - first))
            .collect()
    }

    /// Returns the time at which a rank, which may be waiting, sees a request sent by the
    /// coordinator at this time.
    pub fn request_seen(&self, rank: usize, sent: Nanos, waits: bool) -> Nanos {
        // Requests to its own rank are not messages.
        if rank == 0 {
            sent
        } else {
            self.next_poll(rank, sent + self.latency, self.interval(waits))
        }
    }

    /// Returns the sleep time of a rank between two polls for messages.
    pub fn interval(&self, waits: bool) -> Nanos {
        poll_interval(self.threads.min(self.cores), waits).as_nanos() as Nanos
    }

    /// Returns the time at which a reply sent by a rank at this time arrives at the coordinator.
    pub fn reply_arrives(&self, rank: usize, sent: Nanos) -> Nanos {
        if rank == 0 { sent } else { sent + self.latency }
    }

    /// Returns the time of the next poll of a rank. Ranks do not poll at the same time: each has a
    /// fixed phase, defined here.
    fn next_poll(&self, rank: usize, time: Nanos, interval: Nanos) -> Nanos {
        let phase = (rank as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) % interval;
        let since = (time + interval - phase) % interval;
        if since == 0 {
            time
        } else {
            time + interval - since
        }
    }

    /// Returns the time of a barrier: all ranks send a message to the coordinator, and it sends one
    /// to all.
    fn barrier(&self) -> Nanos {
        match self.cores.div_ceil(self.threads) as Nanos {
            1 => 0,
            ranks => 2 * (self.latency + (ranks - 1) * self.service),
        }
    }

    /// Returns the time until all ranks know the position and have split it into root tasks; the
    /// first rank has done so before. Zero if the first rank searches the position alone.
    pub fn begin(&self, solve: &Solve) -> Nanos {
        match self.cores.div_ceil(self.threads) {
            ranks if ranks > 1 && !solve.thresholds.is_empty() => {
                (ranks as Nanos - 1) * self.service + solve.cut
            }
            _ => 0,
        }
    }
}
