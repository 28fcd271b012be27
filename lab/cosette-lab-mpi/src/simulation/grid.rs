//! What splits gain, by cores and latency.

use super::dynamic;
use super::fixed::{self, Deal};
use super::load::{Nanos, Solve};
use super::network::Network;
use super::trace::Trace;
use cosette::search::SolutionCount;

/// How the work is split among cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// In advance.
    Static(Deal),
    /// A threshold for each core.
    Limits,
    /// By leases, to ranks of this many threads.
    Dynamic(usize),
}

/// How many threads a rank has, as on a machine of a cluster.
pub const THREADS: usize = 64;

impl Split {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Split; 5] = [
        Split::Static(Deal::Cyclic),
        Split::Static(Deal::Blocks),
        Split::Limits,
        Split::Dynamic(1),
        Split::Dynamic(THREADS),
    ];

    pub fn name(self) -> &'static str {
        match self {
            Split::Static(Deal::Cyclic) => "static, cyclic",
            Split::Static(Deal::Blocks) => "static, blocks",
            Split::Limits => "search limits",
            Split::Dynamic(1) => "dynamic, 1 thread a rank",
            Split::Dynamic(_) => "dynamic, 64 threads a rank",
        }
    }
}

/// Solves that are shown together, one done after the other.
pub struct Group {
    /// What was recorded.
    pub traces: Vec<Trace>,
    /// The same, to be simulated.
    pub solves: Vec<Solve>,
}

/// What a split gains for a group.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    /// How many cores there are.
    pub cores: usize,
    /// How long they take.
    pub time: Nanos,
    /// How many times as long one thread takes.
    pub speedup: f64,
    /// The share of the time in which the coordinator is busy with messages.
    pub busy: f64,
}

impl Gain {
    /// The speedup by cores.
    pub fn efficiency(&self) -> f64 {
        self.speedup / self.cores as f64
    }
}

impl Group {
    pub fn of(traces: Vec<Trace>) -> Group {
        Group { solves: traces.iter().map(Solve::of).collect(), traces }
    }

    /// How long one thread takes for all.
    pub fn by_one_thread(&self, wanted: SolutionCount) -> Nanos {
        self.solves.iter().map(|solve| solve.by_one_thread(wanted)).sum()
    }

    /// Whether there are solutions among the lengths that were searched.
    pub fn is_solved(&self) -> bool {
        self.traces.iter().all(|trace| trace.solved.is_some())
    }

    /// What this split gains.
    pub fn gain(&self, split: Split, wanted: SolutionCount, network: &Network) -> Gain {
        let outcomes = self.solves.iter().map(|solve| outcome(solve, split, wanted, network));
        let (time, busy) = outcomes.fold((0, 0), |(time, busy), one| (time + one.0, busy + one.1));
        Gain {
            cores: network.cores,
            time,
            speedup: self.by_one_thread(wanted) as f64 / time.max(1) as f64,
            busy: busy as f64 / time.max(1) as f64,
        }
    }
}

/// How long a solve takes, and how much of that the coordinator is busy.
pub fn outcome(solve: &Solve, split: Split, wanted: SolutionCount, network: &Network) -> (Nanos, Nanos) {
    match split {
        Split::Static(deal) => (fixed::static_time(solve, deal, wanted, network), 0),
        Split::Limits => (fixed::limits_time(solve, wanted, network), 0),
        Split::Dynamic(threads) => {
            let network = Network { threads, ..*network };
            let dynamic::Outcome { time, busy, .. } = dynamic::outcome(solve, wanted, &network);
            (time, busy)
        }
    }
}
