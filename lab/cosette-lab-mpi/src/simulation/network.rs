//! What a message costs.

use super::load::Nanos;
use cosette_mpi::dispatcher::LeaseSizes;
use cosette_mpi::world::poll_interval;

/// The ranks and the network between them. Each core runs a thread; the first rank also coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    pub cores: usize,
    /// How many threads a rank has; the last one may have fewer.
    pub threads: usize,
    /// How long a message takes to arrive.
    pub latency: Nanos,
    /// How long the coordinator is busy with a message that it sends or receives ([`SERVICE`]).
    pub service: Nanos,
    /// How long it takes until a thread begins with what its rank gives it.
    pub hand_over: Nanos,
    /// Whether a message wakes a rank. Otherwise it polls.
    pub wakes: bool,
    pub sizes: LeaseSizes,
}

/// A thread that waits is woken by the system. On a core of its own that takes some microseconds.
const HAND_OVER: Nanos = 20_000;

/// How long the coordinator is busy with a message, on a core of an AMD EPYC in a virtual machine with other work on it: 2 µs of
/// bookkeeping and encoding with 8 ranks (0.4 µs with 512, whose leases are smaller, 1 µs with 4,096), and 1 µs to receive (`cargo test
/// --release -p cosette-mpi service_time -- --ignored --nocapture`, the binary under `mpirun -np 2`). Sending is assumed to take no
/// longer: measured in a row it waits for the receiver.
pub const SERVICE: Nanos = 3_000;

impl Network {
    /// Our ranks of this many threads with this many cores and this latency.
    pub fn ours((cores, threads): (usize, usize), latency: Nanos) -> Network {
        Network {
            cores,
            threads,
            hand_over: HAND_OVER,
            latency,
            service: SERVICE,
            wakes: false,
            sizes: LeaseSizes::default(),
        }
    }

    /// How many threads each rank has.
    pub fn ranks(&self) -> Vec<usize> {
        (0..self.cores).step_by(self.threads).map(|first| self.threads.min(self.cores - first)).collect()
    }

    /// When a request of the coordinator, sent at this time, is seen by a rank, which may be waiting for it.
    pub fn request_seen(&self, rank: usize, sent: Nanos, waits: bool) -> Nanos {
        // Requests to its own rank are not messages.
        if rank == 0 { sent } else { self.next_poll(rank, sent + self.latency, self.interval(waits)) }
    }

    /// How long a rank sleeps before it polls for messages again; zero if messages wake it.
    pub fn interval(&self, waits: bool) -> Nanos {
        let threads = self.threads.min(self.cores);
        if self.wakes { 0 } else { poll_interval(threads, waits).as_nanos() as Nanos }
    }

    /// When a reply of a rank, sent at this time, arrives at the coordinator.
    pub fn reply_arrives(&self, rank: usize, sent: Nanos) -> Nanos {
        if rank == 0 { sent } else { sent + self.latency }
    }

    /// When a rank polls next. Ranks do not poll at the same time: each has its own phase, which is fixed here.
    fn next_poll(&self, rank: usize, time: Nanos, interval: Nanos) -> Nanos {
        if interval == 0 {
            return time;
        }
        let phase = (rank as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) % interval;
        let since = (time + interval - phase) % interval;
        if since == 0 { time } else { time + interval - since }
    }

    /// How long a barrier takes: all tell the coordinator, the coordinator tells all.
    pub fn barrier(&self) -> Nanos {
        match self.cores.div_ceil(self.threads) as Nanos {
            1 => 0,
            ranks => 2 * (self.latency + (ranks - 1) * self.service),
        }
    }

    /// How long it takes until all ranks know the position and have cut it into root tasks, which takes `cut`; the first has done
    /// so before.
    pub fn begin(&self, cut: Nanos) -> Nanos {
        match self.cores.div_ceil(self.threads) {
            1 => 0,
            ranks => (ranks as Nanos - 1) * self.service + cut,
        }
    }
}
