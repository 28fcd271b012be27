//! The ranks of a job, and messages between them.
//!
//! A message is any serde value, sent as bytes (postcard). Sending never waits for the receiver:
//! MPI copies the bytes into its own buffer ("buffered mode", MPI 4.1, section 3.4). Receiving
//! never waits either: an idle rank polls and sleeps in between, because MPI waits by spinning,
//! which takes a whole core.

use mpi::Threading;
use mpi::collective::{CommunicatorCollectives, Root};
use mpi::datatype::PartitionMut;
use mpi::environment::Universe;
use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::topology::{Color, Communicator, SimpleCommunicator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::time::Duration;

/// Buffer size for messages that are sent and not yet received. The largest messages take some
/// hundred kilobytes.
const BUFFER: usize = 64 << 20;

/// Time that a rank of one thread sleeps between two polls for messages.
pub const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Minimum time between two polls.
const MIN_POLL_INTERVAL: Duration = Duration::from_micros(50);

/// Returns the time that a rank of `threads` threads sleeps between two polls for messages. With
/// more threads it is shorter, because polling takes a smaller share of their time; it is minimal
/// if the rank `waits` for a message.
pub fn poll_interval(threads: usize, waits: bool) -> Duration {
    if waits {
        MIN_POLL_INTERVAL
    } else {
        MIN_POLL_INTERVAL.max(POLL_INTERVAL / threads as u32)
    }
}

/// The rank that coordinates the others.
pub const FIRST: usize = 0;

/// The ranks of a job, or some of them, from the view of one of them.
pub struct World {
    ranks: SimpleCommunicator,
    /// Messages of this rank to itself.
    own: RefCell<VecDeque<Vec<u8>>>,
    /// Ends MPI when dropped, so it is the last field; `None` for a part of the ranks of a job.
    _universe: Option<Universe>,
}

impl World {
    /// Starts MPI. Without `mpirun` there is one rank.
    ///
    /// # Panics
    /// Panics if MPI was started before.
    pub fn start() -> World {
        let started = mpi::initialize_with_threading(Threading::Funneled);
        let (mut universe, _) = started.expect("MPI is started once");
        universe.set_buffer_size(BUFFER);
        World {
            ranks: universe.world(),
            own: RefCell::default(),
            _universe: Some(universe),
        }
    }

    /// Returns the world of the ranks that pass `true`, in the same order; `None` on the other
    /// ranks. All ranks call this at once.
    pub fn among(&self, is_member: bool) -> Option<World> {
        let color = if is_member {
            Color::with_value(0)
        } else {
            Color::undefined()
        };
        Some(World {
            ranks: self.ranks.split_by_color(color)?,
            own: RefCell::default(),
            _universe: None,
        })
    }

    /// Returns the number of this rank.
    pub fn rank(&self) -> usize {
        self.ranks.rank() as usize
    }

    /// Returns the number of ranks.
    pub fn size(&self) -> usize {
        self.ranks.size() as usize
    }

    /// Returns `true` if this is the rank that coordinates the others.
    pub fn is_first(&self) -> bool {
        self.rank() == FIRST
    }

    /// Sends a message without waiting until it is received. Messages between two ranks arrive in
    /// order.
    pub fn send(&self, rank: usize, message: &impl Serialize) {
        let bytes = postcard::to_stdvec(message).expect("messages are plain values");
        if rank == self.rank() {
            self.own.borrow_mut().push_back(bytes);
        } else {
            self.ranks
                .process_at_rank(rank as i32)
                .buffered_send(&bytes[..]);
        }
    }

    /// Sends a message to all other ranks.
    pub fn send_to_others(&self, message: &impl Serialize) {
        (0..self.size())
            .filter(|&rank| rank != self.rank())
            .for_each(|rank| self.send(rank, message));
    }

    /// Returns the next message, if one has arrived, and the rank that sent it.
    ///
    /// # Panics
    /// Panics if the message is not of type `M`.
    pub fn receive<M: DeserializeOwned>(&self) -> Option<(usize, M)> {
        let read =
            |bytes: &[u8]| postcard::from_bytes(bytes).expect("all ranks run the same program");
        if let Some(bytes) = self.own.borrow_mut().pop_front() {
            return Some((self.rank(), read(&bytes)));
        }
        let probed = self.ranks.any_process().immediate_matched_probe()?;
        let (bytes, status) = probed.matched_receive_vec::<u8>();
        Some((status.source_rank() as usize, read(&bytes)))
    }

    /// Waits until every rank has called this. It polls, because MPI's own barrier spins.
    pub fn barrier(&self) {
        self.wait_for_all(POLL_INTERVAL);
    }

    /// Waits like [`World::barrier`], and polls at this interval.
    pub fn wait_for_all(&self, interval: Duration) {
        let mut all_arrived = self.ranks.immediate_barrier();
        while let Err(waiting) = all_arrived.test() {
            all_arrived = waiting;
            std::thread::sleep(interval);
        }
    }

    /// Waits until every rank has called this with a text; returns the texts of all, by rank.
    pub fn all_gather(&self, text: &str) -> Vec<String> {
        let mut lengths = vec![0_i32; self.size()];
        self.ranks
            .all_gather_into(&(text.len() as i32), &mut lengths[..]);
        // Open MPI rejects an empty gather.
        if lengths.iter().all(|&length| length == 0) {
            return vec![String::new(); self.size()];
        }
        let starts: Vec<i32> = lengths
            .iter()
            .scan(0, |sum, &length| {
                Some(std::mem::replace(sum, *sum + length))
            })
            .collect();
        let mut bytes = vec![0_u8; lengths.iter().sum::<i32>() as usize];
        let mut parts = PartitionMut::new(&mut bytes[..], &lengths[..], &starts[..]);
        self.ranks
            .all_gather_varcount_into(text.as_bytes(), &mut parts);
        let text = |(&start, &length): (&i32, &i32)| {
            String::from_utf8_lossy(&bytes[start as usize..(start + length) as usize]).into_owned()
        };
        starts.iter().zip(&lengths).map(text).collect()
    }

    /// Waits until every rank has called this with a value; returns the values of all, by rank.
    ///
    /// # Panics
    /// Panics if a rank runs another version of the program, with other values.
    pub fn gather<T: Serialize + DeserializeOwned>(&self, value: &T) -> Vec<T> {
        let text = serde_json::to_string(value).expect("plain values have a JSON text");
        let read = |text: &String| serde_json::from_str(text).expect("the ranks have one version");
        self.all_gather(&text).iter().map(read).collect()
    }

    /// Returns, for each rank, the first rank on the same host.
    pub fn first_on_host(&self) -> Vec<usize> {
        let host = self.ranks.split_shared(self.rank() as i32);
        let mut first = [self.rank() as i32];
        host.process_at_rank(0).broadcast_into(&mut first[..]);
        let mut firsts = vec![0_i32; self.size()];
        self.ranks.all_gather_into(&first[0], &mut firsts[..]);
        firsts.into_iter().map(|first| first as usize).collect()
    }
}
