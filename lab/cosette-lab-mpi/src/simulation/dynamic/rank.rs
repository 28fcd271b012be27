//! A rank: its dispatcher hands pieces of its leases to its cores.

use super::Reply;
use super::core::{Core, Next};
use super::piece::Piece;
use crate::simulation::load::{Nanos, Task};
use cosette_mpi::dispatcher::{LeaseNumber, Progress, Sharing, ThreadDispatcher};
use std::collections::BTreeMap;
use std::time::Duration;

/// A message from the coordinator to a rank.
pub enum Request {
    Search(LeaseNumber, Piece),
    Share(LeaseNumber),
    Stop(LeaseNumber),
}

pub struct Rank {
    dispatcher: ThreadDispatcher<Piece>,
    cores: Vec<Core>,
    /// The versions of the cores whose next events are scheduled.
    scheduled: Vec<u64>,
    hand_over: Nanos,
    /// How long each lease was searched.
    took: BTreeMap<LeaseNumber, Nanos>,
    /// Whether it will look again.
    is_scheduled: bool,
    /// What is to be sent to the coordinator.
    pub replies: Vec<Reply>,
}

fn duration(time: Nanos) -> Duration {
    Duration::from_nanos(time)
}

impl Rank {
    pub fn new(threads: usize, hand_over: Nanos) -> Rank {
        Rank {
            dispatcher: ThreadDispatcher::new(threads),
            cores: (0..threads).map(|_| Core::default()).collect(),
            scheduled: vec![0; threads],
            hand_over,
            took: BTreeMap::new(),
            is_scheduled: false,
            replies: Vec::new(),
        }
    }

    /// How long all its cores have searched.
    pub fn searched(&self) -> Nanos {
        self.cores.iter().map(|core| core.searched).sum()
    }

    /// Whether one of its cores waits for something to do.
    pub fn waits(&self) -> bool {
        self.dispatcher.has_idle_threads()
    }

    /// Takes a request of the coordinator.
    pub fn take(&mut self, time: Nanos, request: Request) {
        match request {
            Request::Search(lease, piece) => {
                self.took.insert(lease, 0);
                self.dispatcher.add(lease, piece);
            }
            Request::Share(lease) => match self.dispatcher.share(lease) {
                Sharing::Given(piece) => self.replies.push(Reply::Shared(lease, piece)),
                Sharing::Asked(cores) => cores.into_iter().for_each(|core| self.share(time, core)),
                Sharing::Ended => {}
            },
            Request::Stop(lease) => {
                let (_, cores, has_ended) = self.dispatcher.stop(lease);
                cores.into_iter().for_each(|core| self.end(time, core));
                if has_ended {
                    self.end_lease(lease);
                }
            }
        }
    }

    /// A core comes to an event that was scheduled when it had this version; whether it is still to come.
    pub fn step(&mut self, time: Nanos, (core, version): (usize, u64), (tasks, reports): (&[Task], bool)) -> bool {
        if self.cores[core].version != version {
            return false;
        }
        match self.cores[core].next(tasks, reports) {
            Some((_, Next::Solution)) => {
                self.cores[core].is_reported = true;
                self.cores[core].version += 1;
                self.replies.push(Reply::Solution);
            }
            Some((_, Next::End)) => self.end(time, core),
            None => {}
        }
        true
    }

    /// A core gives half of its piece away.
    fn share(&mut self, time: Nanos, core: usize) {
        let piece = self.cores[core].share(time);
        if let Some((lease, given)) = self.dispatcher.shared(duration(time), core, piece) {
            self.replies.push(Reply::Shared(lease, given));
        }
    }

    /// The piece of a core has ended, or is stopped.
    fn end(&mut self, time: Nanos, core: usize) {
        let took = self.cores[core].end(time);
        let Progress { lease, given, has_ended } = self.dispatcher.done(core);
        *self.took.get_mut(&lease).expect("a lease ends after its pieces") += took;
        self.replies.extend(given.map(|(lease, piece)| Reply::Shared(lease, piece)));
        if has_ended {
            self.end_lease(lease);
        }
    }

    fn end_lease(&mut self, lease: LeaseNumber) {
        self.replies.push(Reply::Done(lease, self.took.remove(&lease).expect("a lease ends once")));
    }

    /// The time for which it waited is over.
    pub fn wake(&mut self) {
        self.is_scheduled = false;
    }

    /// Gives idle cores something to do. Whether to call this again after some time, if it does not wait for that already.
    pub fn hand_out(&mut self, time: Nanos) -> bool {
        loop {
            while let Some((core, _, piece)) = self.dispatcher.next_piece(duration(time)) {
                self.cores[core].take(time + self.hand_over, piece);
            }
            let asked = self.dispatcher.requests(duration(time));
            if asked.is_empty() {
                break;
            }
            asked.into_iter().for_each(|core| self.share(time, core));
        }
        let looks_again = !self.took.is_empty() && self.waits();
        looks_again && !std::mem::replace(&mut self.is_scheduled, true)
    }

    /// The cores whose next events have changed, when they are, and their versions.
    pub fn changed(&mut self, tasks: &[Task], reports: bool) -> Vec<(usize, Nanos, u64)> {
        let mut changed = Vec::new();
        for (number, (core, scheduled)) in self.cores.iter().zip(&mut self.scheduled).enumerate() {
            if std::mem::replace(scheduled, core.version) != core.version {
                changed.extend(core.next(tasks, reports).map(|(at, _)| (number, at, core.version)));
            }
        }
        changed
    }
}
