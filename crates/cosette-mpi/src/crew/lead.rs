//! Who hands out the work, and hears what comes of it.

use super::dismiss;
use super::messages::{Answer, LeaseNumber, Order};
use super::round::{Finished, Round};
use super::singles::Singles;
use super::workshop::Workshop;
use crate::world::{POLL_INTERVAL, World};
use cosette::ThreadCount;
use cosette::cube::Cube;
use cosette::search::distributed::{Executor, Iteration, Part, ThreadExecutor};
use cosette_app::batch::Searched;
use cosette_app::cli::interrupt;
use std::time::{Duration, Instant};

/// How many leases a thread has, the one that it searches among them.
pub const LEASES: usize = 2;

/// An iteration after one with fewer nodes takes the first rank, alone, less than the messages would.
const NODES_FOR_ALL: u64 = 5_000;

/// Who writes down what comes of the work.
pub trait Clerk {
    /// Root tasks were searched to their end.
    fn finished(&mut self, _: Finished) {}
    /// A position of a batch is searched no more.
    fn solved(&mut self, _: Searched) {}
    /// A moment has passed.
    fn tick(&mut self) {}
}

/// The first rank, and through it all the others.
pub struct Lead<'a> {
    world: &'a World,
    workshop: Workshop,
    /// Short iterations are not worth a message.
    alone: ThreadExecutor,
    pub(super) threads: Vec<Thread>,
    next_lease: LeaseNumber,
    /// The length of the last iteration, and how long all threads together have searched it.
    last: Option<(u8, Duration)>,
    pub(super) singles: Singles,
    pub(super) clerk: Box<dyn Clerk + 'a>,
}

/// A thread of some rank.
pub(super) struct Thread {
    pub rank: usize,
    pub number: usize,
    /// How many parts of an iteration it has.
    pub parts: usize,
    /// How many leases of whole positions it has.
    pub singles: usize,
}

impl Thread {
    pub fn is_idle(&self) -> bool {
        self.parts + self.singles == 0
    }
}

impl<'a> Lead<'a> {
    /// The lead of so many threads on each rank.
    pub fn new(world: &'a World, workshop: Workshop, threads: &[usize], clerk: impl Clerk + 'a) -> Lead<'a> {
        let thread = |rank| move |number| Thread { rank, number, parts: 0, singles: 0 };
        Lead {
            world,
            workshop,
            alone: ThreadExecutor::new(ThreadCount::ONE),
            threads: threads.iter().enumerate().flat_map(|(rank, &count)| (0..count).map(thread(rank))).collect(),
            next_lease: 0,
            last: None,
            singles: Singles::default(),
            clerk: Box::new(clerk),
        }
    }

    /// The next search is of this position.
    pub fn set_position(&mut self, position: &Cube) {
        self.last = None;
        // The other ranks cut it into root tasks while this one searches the first thresholds.
        for rank in 1..self.world.size() {
            self.tell(rank, Order::Position(position.facelets()));
        }
    }

    pub(super) fn new_lease(&mut self) -> LeaseNumber {
        self.next_lease += 1;
        self.next_lease
    }

    pub(super) fn tell(&mut self, rank: usize, order: Order) {
        if rank == self.world.rank() { self.workshop.take(order) } else { self.world.send(rank, &order) }
    }

    pub(super) fn tell_all(&mut self, order: &Order) {
        for rank in (0..self.world.size()).rev() {
            self.tell(rank, order.clone());
        }
    }

    /// What has been answered since; where nothing has, waits a moment.
    fn answers(&mut self) -> Vec<Answer> {
        let mut answers: Vec<Answer> = std::iter::from_fn(|| Some(self.world.receive()?.1)).collect();
        let patience = if answers.is_empty() { POLL_INTERVAL } else { Duration::ZERO };
        answers.extend(self.workshop.answer(patience));
        answers.extend(std::iter::from_fn(|| self.workshop.answer(Duration::ZERO)));
        self.clerk.tick();
        answers
    }

    /// Takes note of what has been answered, also of whole positions.
    pub(super) fn hear(&mut self, mut round: Option<&mut Round<'_, '_>>) {
        for answer in self.answers() {
            match (answer, &mut round) {
                (Answer::Solution { lease, moves }, Some(round)) => round.found(lease, moves),
                (Answer::Shared { lease, part }, Some(round)) => round.shared(lease, part),
                (Answer::Done { lease, result, took }, Some(round)) => {
                    let (thread, finished) = round.done(lease, result, took);
                    self.threads[thread].parts = round.leases_of(thread);
                    finished.into_iter().for_each(|finished| self.clerk.finished(finished));
                }
                // Usually this rank was asked too, as by Ctrl-C.
                (Answer::Interrupted, _) if interrupt::is_requested() => {}
                (Answer::Interrupted, _) => interrupt::request(),
                (answer, _) => self.hear_of_singles(answer),
            }
        }
    }

    /// What is left, and how long all threads together have searched.
    fn search_cut(&mut self, iteration: &Iteration<'_>) -> (Part, Duration) {
        self.workshop.set_tasks(iteration.tasks());
        let mut round = Round::new(iteration, self.expected(iteration));
        self.ask_two_phase(&mut round);
        while !iteration.is_stopped() {
            self.lease_singles();
            while let Some(thread) = hungriest(&self.threads, &round) {
                self.lease(&mut round, thread);
            }
            if round.is_over() {
                break;
            }
            self.ask_to_share(&mut round);
            self.hear(Some(&mut round));
        }
        let stopped: Vec<LeaseNumber> = round.leases().collect();
        for lease in stopped {
            let rank = self.threads[round.thread_of(lease)].rank;
            self.tell(rank, Order::CallBack(lease));
        }
        let stopping = Instant::now();
        while round.leases().next().is_some() {
            self.hear(Some(&mut round));
        }
        tracing::debug!(elapsed = ?stopping.elapsed(), "all threads have left off");
        round.end()
    }

    /// Has a thread of this rank ask a two-phase search, where it is its turn.
    fn ask_two_phase(&mut self, round: &mut Round<'_, '_>) {
        let own = self.world.rank();
        let Some(aside) = round.two_phase() else { return };
        let Some(thread) = self.threads.iter().position(|thread| thread.rank == own && thread.is_idle()) else {
            return;
        };
        let lease = self.new_lease();
        round.lease_two_phase(lease, thread);
        // It gets nothing else meanwhile.
        self.threads[thread].parts = LEASES;
        self.workshop.ask_two_phase(self.threads[thread].number, lease, aside);
    }

    fn lease(&mut self, round: &mut Round<'_, '_>, thread: usize) {
        let lease = self.new_lease();
        let part = round.lease(lease, thread, self.threads.len());
        let Thread { rank, number, ref mut parts, .. } = self.threads[thread];
        *parts += 1;
        self.tell(rank, Order::Search { lease, thread: number, length: round.length(), part });
    }

    /// How long one thread is likely to take for an iteration: longer than for the last one, as canonical sequences are more.
    fn expected(&self, iteration: &Iteration<'_>) -> Option<Duration> {
        let (last, took) = self.last?;
        let growth = iteration.metric().growth();
        (last < iteration.length()).then(|| took.mul_f64(growth.powi((iteration.length() - last).into())))
    }

    /// Where threads are idle, asks as many others to share.
    fn ask_to_share(&mut self, round: &mut Round<'_, '_>) {
        let idle = self.threads.iter().filter(|thread| thread.is_idle()).count();
        for lease in round.asked_to_share(idle) {
            let rank = self.threads[round.thread_of(lease)].rank;
            self.tell(rank, Order::Share(lease));
        }
    }
}

/// The thread to get the next lease, where there is something to search and a thread that has room for it.
pub(super) fn hungriest(threads: &[Thread], round: &Round<'_, '_>) -> Option<usize> {
    // What was shared is for those who have nothing.
    let room = match (round.has_tasks(), round.has_shared()) {
        (false, false) => return None,
        (false, true) => 1,
        _ => LEASES,
    };
    let free = threads.iter().enumerate().filter(|(_, thread)| thread.singles == 0 && thread.parts < room);
    free.min_by_key(|(_, thread)| thread.parts).map(|(thread, _)| thread)
}

impl Executor for Lead<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> Part {
        let start = Instant::now();
        let (left, searched) = if !iteration.is_cut() || iteration.nodes_before() < NODES_FOR_ALL {
            (self.alone.search(iteration), start.elapsed())
        } else {
            self.search_cut(iteration)
        };
        self.last = Some((iteration.length(), searched));
        left
    }
}

impl Drop for Lead<'_> {
    /// The other ranks are done.
    fn drop(&mut self) {
        dismiss(self.world);
    }
}
