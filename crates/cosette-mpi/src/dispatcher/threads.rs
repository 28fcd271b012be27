//! The assignment of pieces of leases to the threads of a rank: a state machine without messages
//! and without a clock, like the [`Dispatcher`](super::Dispatcher) of the coordinator.
//!
//! A lease is divided into a piece for each thread. An idle thread takes the next piece; if none is
//! left, the thread that has searched its piece longest is requested to share it. The coordinator
//! may request half of a lease for another rank. It gets half of the pieces that are not begun, or
//! half of the only piece if that is not begun. Otherwise it gets half of the remaining work of
//! every thread, once all threads have replied or ended. When the coordinator stops a lease, the
//! pieces that are not begun are returned, and the threads that search the others are stopped.

use super::LeaseNumber;
use cosette::search::distributed::WorkUnit;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// Work that can be divided among threads and joined again.
pub trait Divisible: Sized {
    /// Divides the work into up to `pieces` nonempty pieces of about the same size.
    fn divide(self, pieces: usize) -> Vec<Self>;

    /// Adds another piece.
    fn join(&mut self, other: Self);
}

/// Divides by striding: piece *i* of *n* takes every *n*-th task and node, so that all pieces begin
/// with promising ones.
impl Divisible for WorkUnit {
    fn divide(self, pieces: usize) -> Vec<WorkUnit> {
        let pieces = pieces.min(self.tasks.len().max(self.nodes.len())).max(1);
        let mut divided = vec![WorkUnit::default(); pieces];
        self.tasks
            .into_iter()
            .enumerate()
            .for_each(|(index, task)| divided[index % pieces].tasks.push(task));
        self.nodes
            .into_iter()
            .enumerate()
            .for_each(|(index, node)| divided[index % pieces].nodes.push(node));
        divided
    }

    fn join(&mut self, other: WorkUnit) {
        WorkUnit::join(self, other);
    }
}

/// Minimum age of a piece to be shared: the rest of a younger piece may take no longer than sharing
/// would.
const SHARE_AFTER: Duration = Duration::from_micros(500);

/// The dispatcher of a rank: its threads, and the pieces of its leases.
pub struct ThreadDispatcher<P> {
    threads: Vec<ThreadState>,
    /// Pieces that are not begun.
    queue: VecDeque<(LeaseNumber, P)>,
    /// Number of pieces of each lease that have not ended.
    pieces: BTreeMap<LeaseNumber, usize>,
    /// The work collected of each lease that is being shared.
    collected: BTreeMap<LeaseNumber, Collected<P>>,
}

#[derive(Clone, Copy, Default)]
struct ThreadState {
    /// `true` if the thread does other work than pieces, or will do so after its piece.
    is_reserved: bool,
    piece: Option<ThreadPiece>,
}

/// A piece that a thread is searching.
#[derive(Clone, Copy)]
struct ThreadPiece {
    lease: LeaseNumber,
    since: Duration,
    /// The recipient, if the thread was requested to share and has not replied.
    recipient: Option<Recipient>,
}

/// The recipient of shared work: an idle thread of this rank, or another rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Recipient {
    Thread,
    Rank,
}

/// The work collected for another rank, and the number of threads that have not replied yet.
struct Collected<P> {
    part: Option<P>,
    missing: usize,
}

/// The outcome of a request to share a lease.
#[derive(Debug, PartialEq, Eq)]
pub enum ShareOutcome<P> {
    /// The work unit to give away, which may be none.
    Given(Option<P>),
    /// The threads that must share first.
    Asked(Vec<usize>),
    /// The lease has ended, or is already giving work away.
    Ended,
}

/// A lease, and its work unit for another rank, which may be none.
pub type SharedOut<P> = (LeaseNumber, Option<P>);

/// The outcome of the end of a piece.
pub struct PieceProgress<P> {
    /// The lease of the piece.
    pub lease: LeaseNumber,
    /// `true` if the lease has ended.
    pub has_ended: bool,
    /// The work unit for another rank, if all threads have replied now.
    pub given: Option<SharedOut<P>>,
}

impl<P: Divisible> ThreadDispatcher<P> {
    /// Creates a dispatcher of `threads` threads.
    pub fn new(threads: usize) -> ThreadDispatcher<P> {
        ThreadDispatcher {
            threads: vec![ThreadState::default(); threads],
            queue: VecDeque::new(),
            pieces: BTreeMap::new(),
            collected: BTreeMap::new(),
        }
    }

    /// Reserves a thread for other work, once it has ended its piece.
    pub fn reserve(&mut self, thread: usize) {
        self.threads[thread].is_reserved = true;
    }

    /// Releases a reserved thread, which may then search pieces again.
    pub fn release(&mut self, thread: usize) {
        self.threads[thread].is_reserved = false;
    }

    /// Adds a lease.
    pub fn add(&mut self, lease: LeaseNumber, work: P) {
        let free = self
            .threads
            .iter()
            .filter(|thread| !thread.is_reserved)
            .count();
        let pieces = work.divide(free.max(1));
        self.pieces.insert(lease, pieces.len());
        self.queue
            .extend(pieces.into_iter().map(|piece| (lease, piece)));
    }

    /// Returns an idle thread and its next piece. Call this until it returns `None`.
    pub fn next_piece(&mut self, now: Duration) -> Option<(usize, LeaseNumber, P)> {
        let idle = self.threads.iter().position(ThreadState::is_idle)?;
        let (lease, piece) = self.queue.pop_front()?;
        self.threads[idle].piece = Some(ThreadPiece {
            lease,
            since: now,
            recipient: None,
        });
        Some((idle, lease, piece))
    }

    /// Returns threads that should share their pieces, one for each idle thread: those that have
    /// searched their pieces longest. Call this when there is no next piece.
    pub fn requests(&mut self, now: Duration) -> Vec<usize> {
        let idle = self
            .threads
            .iter()
            .filter(|thread| thread.is_idle())
            .count();
        let requested = self
            .threads
            .iter()
            .filter(|thread| thread.is_requested_for(Recipient::Thread))
            .count();
        let is_long = |piece: &ThreadPiece| now.saturating_sub(piece.since) > SHARE_AFTER;
        self.request(idle.saturating_sub(requested), Recipient::Thread, is_long)
    }

    /// Returns `true` if a thread is idle.
    pub fn has_idle_threads(&self) -> bool {
        self.threads.iter().any(ThreadState::is_idle)
    }

    /// Marks up to `most` threads as requested to share, and returns their numbers: of the threads
    /// whose piece satisfies `which`, those that have searched it longest.
    fn request(
        &mut self,
        most: usize,
        recipient: Recipient,
        which: impl Fn(&ThreadPiece) -> bool,
    ) -> Vec<usize> {
        if most == 0 {
            return Vec::new();
        }
        let pieces = self
            .threads
            .iter()
            .enumerate()
            .filter_map(|(number, thread)| Some((number, thread.piece?)));
        let candidates = pieces.filter(|(_, piece)| piece.recipient.is_none() && which(piece));
        let mut candidates: Vec<(Duration, usize)> = candidates
            .map(|(number, piece)| (piece.since, number))
            .collect();
        candidates.sort_unstable();
        let requested: Vec<usize> = candidates
            .into_iter()
            .take(most)
            .map(|(_, number)| number)
            .collect();
        for &number in &requested {
            self.threads[number]
                .piece
                .iter_mut()
                .for_each(|piece| piece.recipient = Some(recipient));
        }
        requested
    }

    /// Begins to give half of a lease to another rank.
    pub fn share(&mut self, lease: LeaseNumber) -> ShareOutcome<P> {
        if !self.pieces.contains_key(&lease) || self.collected.contains_key(&lease) {
            return ShareOutcome::Ended;
        }
        let is_of_lease = |(number, _): &(LeaseNumber, P)| *number == lease;
        let queued = self.queue.iter().filter(|piece| is_of_lease(piece)).count();
        if queued > 1 {
            return ShareOutcome::Given(self.take_queued(lease, queued / 2));
        }
        // If the lease has only one piece, and this is not begun, the piece is halved.
        if let (1, Some(index)) = (self.pieces[&lease], self.queue.iter().position(is_of_lease)) {
            return ShareOutcome::Given(self.halve_queued(index));
        }
        let requested = self.request(usize::MAX, Recipient::Rank, |piece| piece.lease == lease);
        if requested.is_empty() {
            return ShareOutcome::Given(None);
        }
        self.collected.insert(
            lease,
            Collected {
                part: None,
                missing: requested.len(),
            },
        );
        ShareOutcome::Asked(requested)
    }

    /// Takes half of a piece in the queue, if it can be divided.
    fn halve_queued(&mut self, index: usize) -> Option<P> {
        let (lease, piece) = self.queue.remove(index).expect("the piece is in the queue");
        let mut halves = piece.divide(2).into_iter();
        self.queue
            .insert(index, (lease, halves.next().expect("a piece is not empty")));
        halves.next()
    }

    /// Takes the last `count` pieces of a lease in the queue, joined.
    fn take_queued(&mut self, lease: LeaseNumber, count: usize) -> Option<P> {
        let mut taken: Option<P> = None;
        for _ in 0..count {
            let index = self
                .queue
                .iter()
                .rposition(|(number, _)| *number == lease)
                .expect("the queue has `count` pieces of the lease");
            let (_, piece) = self
                .queue
                .remove(index)
                .expect("the index is that of a piece");
            self.end_piece(lease);
            taken = Some(joined(taken, piece));
        }
        taken
    }

    /// Records the piece that a thread has shared, which may be none. Returns the work unit for
    /// another rank, if all threads have replied now.
    pub fn shared(
        &mut self,
        now: Duration,
        thread: usize,
        piece: Option<P>,
    ) -> Option<SharedOut<P>> {
        let searched = self.threads[thread]
            .piece
            .as_mut()
            .expect("a thread shares only while it has a piece");
        if piece.is_none() {
            // Delays the next request to this thread.
            searched.since = now;
        }
        match (searched.recipient.take(), searched.lease) {
            (Some(Recipient::Rank), lease) => self.collect(lease, piece),
            (_, lease) => {
                if let Some(piece) = piece {
                    *self.pieces.entry(lease).or_default() += 1;
                    self.queue.push_back((lease, piece));
                }
                None
            }
        }
    }

    /// Records the reply of a thread that was requested to share for another rank.
    fn collect(&mut self, lease: LeaseNumber, piece: Option<P>) -> Option<SharedOut<P>> {
        let collected = self.collected.get_mut(&lease)?;
        collected.missing -= 1;
        if let Some(piece) = piece {
            collected.part = Some(joined(collected.part.take(), piece));
        }
        if collected.missing > 0 {
            return None;
        }
        self.collected
            .remove(&lease)
            .map(|collected| (lease, collected.part))
    }

    /// Records that a thread has ended its piece.
    ///
    /// # Panics
    /// Panics if it had none.
    pub fn done(&mut self, thread: usize) -> PieceProgress<P> {
        let ThreadPiece {
            lease, recipient, ..
        } = self.threads[thread]
            .piece
            .take()
            .expect("a piece ends once");
        let given = if recipient == Some(Recipient::Rank) {
            self.collect(lease, None)
        } else {
            None
        };
        PieceProgress {
            lease,
            given,
            has_ended: self.end_piece(lease),
        }
    }

    /// Stops a lease. Returns the pieces that are not begun, the threads that search the other
    /// pieces, and `true` if the lease has ended now.
    pub fn stop(&mut self, lease: LeaseNumber) -> (Option<P>, Vec<usize>, bool) {
        let queued = self
            .queue
            .iter()
            .filter(|(number, _)| *number == lease)
            .count();
        let had_pieces = self.pieces.contains_key(&lease);
        let not_begun = self.take_queued(lease, queued);
        let searches =
            |thread: &ThreadState| thread.piece.is_some_and(|piece| piece.lease == lease);
        let threads = self
            .threads
            .iter()
            .enumerate()
            .filter(|(_, thread)| searches(thread));
        let threads = threads.map(|(number, _)| number).collect();
        (
            not_begun,
            threads,
            had_pieces && !self.pieces.contains_key(&lease),
        )
    }

    /// Records the end of a piece of the lease. Returns `true` if the lease has ended now.
    fn end_piece(&mut self, lease: LeaseNumber) -> bool {
        let pieces = self
            .pieces
            .get_mut(&lease)
            .expect("a piece that has not ended is of a lease that has not ended");
        *pieces -= 1;
        let is_last = *pieces == 0;
        if is_last {
            self.pieces.remove(&lease);
        }
        is_last
    }
}

fn joined<P: Divisible>(all: Option<P>, piece: P) -> P {
    match all {
        Some(mut all) => {
            all.join(piece);
            all
        }
        None => piece,
    }
}

impl ThreadState {
    fn is_idle(&self) -> bool {
        !self.is_reserved && self.piece.is_none()
    }

    fn is_requested_for(&self, recipient: Recipient) -> bool {
        self.piece
            .is_some_and(|piece| piece.recipient == Some(recipient))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLISECOND: Duration = Duration::from_millis(1);

    fn tasks(numbers: impl IntoIterator<Item = u16>) -> WorkUnit {
        WorkUnit {
            tasks: numbers.into_iter().collect(),
            nodes: Vec::new(),
        }
    }

    /// Returns the next piece: its thread, its lease and its tasks.
    fn next(dispatcher: &mut ThreadDispatcher<WorkUnit>) -> Option<(usize, u64, Vec<u16>)> {
        let (thread, lease, piece) = dispatcher.next_piece(Duration::ZERO)?;
        Some((thread, lease, piece.tasks))
    }

    #[test]
    fn a_lease_is_divided_among_threads() {
        let mut threads = ThreadDispatcher::new(3);
        threads.reserve(1);
        threads.add(7, tasks(0..5));
        assert_eq!(next(&mut threads), Some((0, 7, vec![0, 2, 4])));
        assert_eq!(next(&mut threads), Some((2, 7, vec![1, 3])));
        threads.release(1);
        assert_eq!(next(&mut threads), None);
        // The idle thread gets half of the piece that is searched longest, but not at once.
        assert!(threads.requests(MILLISECOND / 4).is_empty());
        assert_eq!(threads.requests(10 * MILLISECOND), [0]);
        assert!(threads.requests(10 * MILLISECOND).is_empty());
        let shared = threads.shared(10 * MILLISECOND, 0, Some(tasks([4])));
        assert!(shared.is_none());
        assert_eq!(next(&mut threads), Some((1, 7, vec![4])));
        let ends = [0, 2, 1].map(|thread| threads.done(thread).has_ended);
        assert_eq!(ends, [false, false, true]);
    }

    #[test]
    fn another_rank_gets_half_of_a_lease() {
        let mut threads = ThreadDispatcher::new(4);
        threads.add(1, tasks(0..8));
        threads.add(2, tasks(8..16));
        while next(&mut threads).is_some() {}
        let given = threads.share(2);
        assert_eq!(given, ShareOutcome::Given(Some(tasks([11, 15, 10, 14]))));
        assert_eq!(threads.share(1), ShareOutcome::Asked(vec![0, 1, 2, 3]));
        assert_eq!(threads.share(1), ShareOutcome::Ended, "once at a time");
        for (thread, piece) in [(1, Some(tasks([5]))), (2, None), (3, Some(tasks([7])))] {
            assert!(threads.shared(MILLISECOND, thread, piece).is_none());
        }
        // A thread that ends before it has shared has nothing to share.
        let progress = threads.done(0);
        assert_eq!((progress.lease, progress.has_ended), (1, false));
        assert_eq!(progress.given, Some((1, Some(tasks([5, 7])))));
        assert_eq!(
            threads.share(3),
            ShareOutcome::Ended,
            "there is no such lease"
        );
    }

    #[test]
    fn the_only_piece_of_a_lease_is_halved() {
        let mut threads = ThreadDispatcher::new(1);
        threads.add(1, tasks(0..1));
        threads.add(2, tasks(1..5));
        assert!(next(&mut threads).is_some());
        let given = threads.share(2);
        assert_eq!(given, ShareOutcome::Given(Some(tasks([2, 4]))));
        threads.done(0);
        assert_eq!(next(&mut threads), Some((0, 2, vec![1, 3])));
    }

    #[test]
    fn stopping_a_lease_returns_the_pieces_that_are_not_begun() {
        let mut threads = ThreadDispatcher::new(2);
        threads.add(1, tasks(0..2));
        threads.add(2, tasks(2..4));
        while next(&mut threads).is_some() {}
        assert_eq!(threads.stop(2), (Some(tasks([3, 2])), Vec::new(), true));
        assert_eq!(threads.stop(1), (None, vec![0, 1], false));
        assert_eq!(threads.stop(3), (None, Vec::new(), false));
        assert!(!threads.done(1).has_ended);
        assert!(threads.done(0).has_ended);
    }
}
