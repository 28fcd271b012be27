//! What a message costs.

use super::load::Nanos;
use cosette_mpi::dispatcher::ChunkSizes;
use cosette_mpi::world::POLL_INTERVAL;

/// The ranks and the network between them. Each core is a rank with one thread; the first also coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    pub cores: usize,
    /// How long a message takes to arrive.
    pub latency: Nanos,
    /// How long the coordinator is busy with a message that it sends or receives.
    pub service: Service,
    /// How long an idle rank sleeps before it polls for messages again; zero if messages wake it.
    pub poll_interval: Nanos,
    pub sizes: ChunkSizes,
}

/// How long the coordinator is busy with a message, which grows with the number of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Service {
    /// For the message.
    pub message: Nanos,
    /// For each thread, in thousandths of a nanosecond.
    pub thread_picos: u64,
}

impl Service {
    /// Ours, on a core of an AMD EPYC in a virtual machine with other work on it: 1.5 µs of bookkeeping and encoding with 512 threads, 13 µs
    /// with 4,096, and 0.9 µs to receive (`cargo test --release -p cosette-mpi service_time -- --ignored --nocapture`, the
    /// binary under `mpirun -np 2`). Sending is assumed to take no longer: measured in a row it waits for the receiver.
    pub const OURS: Service = Service { message: 2_500, thread_picos: 3_000 };
    /// None at all.
    pub const FREE: Service = Service { message: 0, thread_picos: 0 };

    /// With this many threads.
    pub fn with(self, threads: usize) -> Nanos {
        self.message + self.thread_picos * threads as u64 / 1000
    }
}

impl Network {
    /// Our ranks with this many cores, this latency and this service time.
    pub fn ours(cores: usize, latency: Nanos, service: Service) -> Network {
        Network {
            cores,
            latency,
            service,
            poll_interval: POLL_INTERVAL.as_nanos() as Nanos,
            sizes: ChunkSizes::default(),
        }
    }

    /// When a request of the coordinator, sent at this time, is seen by a core.
    pub fn request_seen(&self, core: usize, sent: Nanos) -> Nanos {
        // Requests to threads of its own rank are not messages.
        if core == 0 { sent } else { self.next_poll(core, sent + self.latency) }
    }

    /// When a reply of a core, sent at this time, arrives at the coordinator.
    pub fn reply_arrives(&self, core: usize, sent: Nanos) -> Nanos {
        if core == 0 { sent } else { sent + self.latency }
    }

    /// When a rank polls next. Ranks do not poll at the same time: each has its own phase, which is fixed here.
    fn next_poll(&self, core: usize, time: Nanos) -> Nanos {
        if self.poll_interval == 0 {
            return time;
        }
        let phase = (core as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) % self.poll_interval;
        let since = (time + self.poll_interval - phase) % self.poll_interval;
        if since == 0 { time } else { time + self.poll_interval - since }
    }

    /// How long a barrier takes: all tell the coordinator, the coordinator tells all.
    pub fn barrier(&self) -> Nanos {
        if self.cores == 1 { 0 } else { 2 * self.latency }
    }
}
