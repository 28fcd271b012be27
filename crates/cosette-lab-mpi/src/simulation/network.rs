//! What a message costs.

use super::load::Nanos;
use cosette_mpi::policy::Sizes;
use cosette_mpi::world::POLL_INTERVAL;

/// The ranks and what is between them. Each core is a rank with one thread; the first also leads.
#[derive(Clone, Copy, Debug)]
pub struct Network {
    /// How many cores there are.
    pub cores: usize,
    /// How long a message is under way.
    pub latency: Nanos,
    /// How long the lead is busy with a message that it sends or receives.
    pub service: Service,
    /// How long a rank with nothing to do sleeps between two looks for messages; zero where it is woken by them.
    pub nap: Nanos,
    /// The sizes of leases.
    pub sizes: Sizes,
}

/// How long the lead is busy with a message: some of it for every thread that there is, because it looks for the next among
/// all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Service {
    /// For the message.
    pub message: Nanos,
    /// For each thread, in thousandths of a nanosecond.
    pub thread_picos: u64,
}

impl Service {
    /// Ours, on a core of an AMD EPYC in a virtual machine with other work on it: 1.5 µs of books and encoding with 512 threads, 13 µs
    /// with 4,096, and 0.9 µs to receive (`cargo test --release -p cosette-mpi service_time -- --ignored --nocapture`, the
    /// binary under `mpirun -np 2`). Sending is assumed to take no longer: measured in a row it waits for the receiver.
    pub const OURS: Service = Service { message: 2_500, thread_picos: 3_000 };
    /// None at all.
    pub const FREE: Service = Service { message: 0, thread_picos: 0 };

    /// With so many threads.
    pub fn with(self, threads: usize) -> Nanos {
        self.message + self.thread_picos * threads as u64 / 1000
    }
}

impl Network {
    /// Our ranks with so many cores, this latency and this service time.
    pub fn ours(cores: usize, latency: Nanos, service: Service) -> Network {
        Network { cores, latency, service, nap: POLL_INTERVAL.as_nanos() as Nanos, sizes: Sizes::default() }
    }

    /// When the lead's order, sent at this time, is seen by a core.
    pub fn order_seen(&self, core: usize, sent: Nanos) -> Nanos {
        // PartControl to threads of its own rank are no messages.
        if core == 0 { sent } else { self.next_look(core, sent + self.latency) }
    }

    /// When a core's answer, sent at this time, has come to the lead.
    pub fn answer_comes(&self, core: usize, sent: Nanos) -> Nanos {
        if core == 0 { sent } else { sent + self.latency }
    }

    /// The next look of a rank that naps. Ranks do not nap in step: each has its own beat, here a fixed one.
    fn next_look(&self, core: usize, time: Nanos) -> Nanos {
        if self.nap == 0 {
            return time;
        }
        let beat = (core as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) % self.nap;
        let since = (time + self.nap - beat) % self.nap;
        if since == 0 { time } else { time + self.nap - since }
    }

    /// How long a barrier takes: all tell the lead, the lead tells all.
    pub fn barrier(&self) -> Nanos {
        if self.cores == 1 { 0 } else { 2 * self.latency }
    }
}
