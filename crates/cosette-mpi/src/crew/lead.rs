//! Who hands out the work, and hears what comes of it.

use super::dismiss;
use super::messages::{Answer, LeaseNumber, Order};
use super::round::{Finished, Round};
use super::singles::Singles;
use super::workshop::Workshop;
use crate::world::{NAP, World};
use cosette::cube::Cube;
use cosette::search::{Crew, Iteration, Part, Threads};
use cosette_cli::interrupt;
use cosette_front::batch::Searched;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// How many leases a thread has, the one that it searches among them.
pub const LEASES: usize = 2;

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
    alone: Threads,
    pub(super) threads: Vec<Thread>,
    position: Cube,
    is_announced: bool,
    next_lease: LeaseNumber,
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
            alone: Threads::new(NonZeroUsize::MIN),
            threads: threads.iter().enumerate().flat_map(|(rank, &count)| (0..count).map(thread(rank))).collect(),
            position: Cube::SOLVED,
            is_announced: false,
            next_lease: 0,
            singles: Singles::default(),
            clerk: Box::new(clerk),
        }
    }

    /// The next search is of this position.
    pub fn set_position(&mut self, position: &Cube) {
        self.position = *position;
        self.is_announced = false;
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
        let patience = if answers.is_empty() { NAP } else { Duration::ZERO };
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
                (Answer::Done { lease, harvest }, Some(round)) => {
                    let (thread, finished) = round.done(lease, harvest);
                    self.threads[thread].parts -= 1;
                    finished.into_iter().for_each(|finished| self.clerk.finished(finished));
                }
                // Usually this rank was asked too, as by Ctrl-C.
                (Answer::Interrupted, _) if interrupt::is_asked() => {}
                (Answer::Interrupted, _) => interrupt::ask(),
                (answer, _) => self.hear_of_singles(answer),
            }
        }
    }

    fn search_cut(&mut self, iteration: &Iteration<'_>) -> Part {
        let mut round = Round::new(iteration);
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

    fn lease(&mut self, round: &mut Round<'_, '_>, thread: usize) {
        let lease = self.new_lease();
        let part = round.lease(lease, thread, self.threads.len());
        let Thread { rank, number, ref mut parts, .. } = self.threads[thread];
        *parts += 1;
        self.tell(rank, Order::Search { lease, thread: number, length: round.length(), part });
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

impl Crew for Lead<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> Part {
        if !iteration.is_cut() {
            return self.alone.search(iteration);
        }
        if !std::mem::replace(&mut self.is_announced, true) {
            self.tell_all(&Order::Position(self.position.facelets()));
        }
        std::thread::scope(|scope| {
            scope.spawn(|| iteration.ask_two_phase());
            let left = self.search_cut(iteration);
            iteration.all_are_begun();
            left
        })
    }
}

impl Drop for Lead<'_> {
    /// The other ranks are done.
    fn drop(&mut self) {
        dismiss(self.world);
    }
}
