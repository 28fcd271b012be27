//! Who hands out the work: root tasks in leases, and what was shared of a lease to those who are idle.

use super::messages::{Answer, LeaseNumber, Order};
use super::portions::Pace;
use super::workshop::Workshop;
use crate::world::{NAP, World};
use cosette::cube::{Cube, Move};
use cosette::search::{Crew, Harvest, Iteration, Part, Threads};
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

/// How many leases a thread has, the one that it searches among them.
const LEASES: usize = 2;
/// A lease that has been searched for less is not asked to share: most end sooner than the question arrives.
const UNASKED: Duration = Duration::from_millis(5);

/// The first rank, and through it all the others.
pub struct Lead<'a> {
    world: &'a World,
    workshop: Workshop,
    /// Short iterations are not worth a message.
    alone: Threads,
    threads: Vec<Thread>,
    position: Cube,
    is_announced: bool,
    next_lease: LeaseNumber,
    on_searched: Box<dyn FnMut(Searched) + 'a>,
}

/// A thread of some rank.
struct Thread {
    rank: usize,
    number: usize,
    leases: usize,
}

/// Root tasks that were searched to their end.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The length of the solutions that were searched.
    pub length: u8,
    /// The tasks.
    pub tasks: Vec<u16>,
    /// What came of them; nothing is left.
    pub harvest: Harvest,
    /// The solutions that begin with them.
    pub solutions: Vec<Vec<Move>>,
}

/// A lease that is not at its end.
struct Lease {
    thread: usize,
    /// The lease whose root tasks it is of: itself, or the one that it was shared from.
    origin: LeaseNumber,
    since: Instant,
    /// How much of the work it holds, where that is known.
    work: u64,
    is_asked: bool,
}

/// Root tasks of which something is still searched.
#[derive(Default)]
struct Origin {
    tasks: Vec<u16>,
    harvest: Harvest,
    solutions: Vec<Vec<Move>>,
    /// How many leases, and parts that wait for one, are of these tasks.
    parts: usize,
}

/// An iteration under way.
struct Round<'i, 'a> {
    iteration: &'i Iteration<'a>,
    /// How many of the root tasks are leased.
    leased: usize,
    /// What was shared and waits for a thread.
    shared: VecDeque<(LeaseNumber, Part)>,
    leases: BTreeMap<LeaseNumber, Lease>,
    origins: BTreeMap<LeaseNumber, Origin>,
    pace: Pace,
    /// What is left where leases were stopped.
    left: Part,
}

impl<'a> Lead<'a> {
    /// The lead of so many threads on each rank. `on_searched` is told of root tasks that are searched to their end.
    pub fn new(
        world: &'a World,
        workshop: Workshop,
        threads: &[usize],
        on_searched: impl FnMut(Searched) + 'a,
    ) -> Lead<'a> {
        let threads_of = |(rank, &threads)| (0..threads).map(move |number| Thread { rank, number, leases: 0 });
        Lead {
            world,
            workshop,
            alone: Threads::new(NonZeroUsize::MIN),
            threads: threads.iter().enumerate().flat_map(threads_of).collect(),
            position: Cube::SOLVED,
            is_announced: false,
            next_lease: 0,
            on_searched: Box::new(on_searched),
        }
    }

    /// The next search is of this position.
    pub fn set_position(&mut self, position: &Cube) {
        self.position = *position;
        self.is_announced = false;
    }

    fn tell(&mut self, rank: usize, order: Order) {
        if rank == self.world.rank() { self.workshop.take(order) } else { self.world.send(rank, &order) }
    }

    fn tell_all(&mut self, order: &Order) {
        for rank in (0..self.world.size()).rev() {
            self.tell(rank, order.clone());
        }
    }
}

impl Drop for Lead<'_> {
    /// The other ranks are done.
    fn drop(&mut self) {
        self.tell_all(&Order::End);
    }
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

impl Lead<'_> {
    fn search_cut(&mut self, iteration: &Iteration<'_>) -> Part {
        let mut round = Round::new(iteration);
        while !iteration.is_stopped() {
            while let Some(thread) = self.hungriest(&round) {
                self.lease(&mut round, thread);
            }
            if round.leases.is_empty() {
                break;
            }
            self.ask_to_share(&mut round);
            self.hear(&mut round);
        }
        if !round.leases.is_empty() {
            self.tell_all(&Order::Stop);
        }
        while !round.leases.is_empty() {
            self.hear(&mut round);
        }
        round.end()
    }

    /// The thread to get the next lease, where there is something to search and a thread that has room for it.
    fn hungriest(&self, round: &Round<'_, '_>) -> Option<usize> {
        // What was shared is for those who have nothing.
        let room = match (round.tasks_left(), round.shared.is_empty()) {
            (0, true) => return None,
            (0, false) => 1,
            _ => LEASES,
        };
        let (thread, fewest) = self.threads.iter().enumerate().min_by_key(|(_, thread)| thread.leases)?;
        (fewest.leases < room).then_some(thread)
    }

    fn lease(&mut self, round: &mut Round<'_, '_>, thread: usize) {
        let lease = self.next_lease;
        self.next_lease += 1;
        let (origin, part, work) = round.take(lease, self.threads.len());
        round.leases.insert(lease, Lease { thread, origin, since: Instant::now(), work, is_asked: false });
        let Thread { rank, number, ref mut leases } = self.threads[thread];
        *leases += 1;
        self.tell(rank, Order::Search { lease, thread: number, length: round.iteration.length(), part });
    }

    /// Where threads are idle, asks as many others to share, those first that have been at their leases longest.
    fn ask_to_share(&mut self, round: &mut Round<'_, '_>) {
        if round.tasks_left() > 0 {
            return;
        }
        let idle = self.threads.iter().filter(|thread| thread.leases == 0).count();
        let asked = round.leases.values().filter(|lease| lease.is_asked).count() + round.shared.len();
        for _ in asked..idle {
            let can_share = |lease: &Lease| !lease.is_asked && lease.since.elapsed() > UNASKED;
            let longest = round.leases.iter_mut().filter(|(_, lease)| can_share(lease));
            let Some((&number, lease)) = longest.min_by_key(|(_, lease)| lease.since) else { return };
            lease.is_asked = true;
            let rank = self.threads[lease.thread].rank;
            self.tell(rank, Order::Share(number));
        }
    }

    /// Takes note of what has been answered, or waits for it a moment.
    fn hear(&mut self, round: &mut Round<'_, '_>) {
        let world = self.world;
        let from_others = std::iter::from_fn(|| world.receive().map(|(_, answer)| answer));
        let mut answers: Vec<Answer> = from_others.collect();
        let patience = if answers.is_empty() { NAP } else { Duration::ZERO };
        answers.extend(self.workshop.answer(patience));
        for answer in answers {
            match answer {
                Answer::Solution { lease, moves } => round.found(lease, moves),
                Answer::Shared { lease, part } => round.shared(lease, part),
                Answer::Done { lease, harvest } => {
                    let (thread, searched) = round.done(lease, harvest);
                    self.threads[thread].leases -= 1;
                    // The lease behind it begins now.
                    let now = Instant::now();
                    round
                        .leases
                        .values_mut()
                        .filter(|lease| lease.thread == thread)
                        .for_each(|lease| lease.since = now);
                    searched.into_iter().for_each(&mut self.on_searched);
                }
            }
        }
    }
}

impl<'i, 'a> Round<'i, 'a> {
    fn new(iteration: &'i Iteration<'a>) -> Round<'i, 'a> {
        // Nodes that were left open have no root tasks of their own.
        let nodes = &iteration.left().nodes;
        let shared = nodes.chunks(64).map(|nodes| Part { tasks: Vec::new(), nodes: nodes.to_vec() });
        let shared: VecDeque<_> = shared.map(|part| (LeaseNumber::MAX, part)).collect();
        let origin = Origin { parts: shared.len(), ..Origin::default() };
        Round {
            iteration,
            leased: 0,
            shared,
            leases: BTreeMap::new(),
            origins: BTreeMap::from([(LeaseNumber::MAX, origin)]),
            pace: Pace::default(),
            left: Part::default(),
        }
    }

    fn tasks_left(&self) -> usize {
        self.iteration.left().tasks.len() - self.leased
    }

    /// What the next lease holds: the lease it is of, the part, and the work in it where that is known.
    fn take(&mut self, lease: LeaseNumber, threads: usize) -> (LeaseNumber, Part, u64) {
        if let Some((origin, part)) = self.shared.pop_front() {
            return (origin, part, 0);
        }
        let tasks = &self.iteration.left().tasks;
        let work_in_first = |count| self.iteration.work_in_first(count);
        let (before, all) = (work_in_first(self.leased), work_in_first(tasks.len()));
        let portion = self.pace.portion((all - before, all), threads);
        let enough = |&count: &usize| work_in_first(count) >= before + portion;
        let end = (self.leased + 1..tasks.len()).find(enough).unwrap_or(tasks.len());
        let tasks = tasks[self.leased..end].to_vec();
        self.leased = end;
        self.iteration.report(end);
        self.origins.insert(lease, Origin { tasks: tasks.clone(), parts: 1, ..Origin::default() });
        (lease, Part { tasks, nodes: Vec::new() }, work_in_first(end) - before)
    }

    fn found(&mut self, lease: LeaseNumber, moves: Vec<Move>) {
        self.iteration.take(&moves);
        let origin = self.leases.get(&lease).and_then(|lease| self.origins.get_mut(&lease.origin));
        origin.into_iter().for_each(|origin| origin.solutions.push(moves.clone()));
    }

    fn shared(&mut self, lease: LeaseNumber, part: Part) {
        let Some(lease) = self.leases.get_mut(&lease) else { return };
        lease.is_asked = false;
        if part.is_empty() {
            // Not to be asked again at once.
            lease.since = Instant::now();
        } else {
            let origin = lease.origin;
            self.origins.entry(origin).or_default().parts += 1;
            self.shared.push_back((origin, part));
        }
    }

    /// Takes note of the end of a lease: its thread, and the root tasks that are searched to their end with it.
    fn done(&mut self, lease: LeaseNumber, mut harvest: Harvest) -> (usize, Option<Searched>) {
        let Lease { thread, origin: number, since, work, .. } = self.leases.remove(&lease).expect("a lease ends once");
        if harvest.left.is_empty() && work > 0 {
            self.pace.learn(work, since.elapsed());
        }
        self.iteration.count(harvest.counts);
        for &(task, evidence) in &harvest.evidence {
            self.iteration.add_evidence(task, evidence);
        }
        let is_whole = harvest.left.is_empty();
        self.left.tasks.append(&mut harvest.left.tasks);
        self.left.nodes.append(&mut harvest.left.nodes);
        let origin = self.origins.get_mut(&number).expect("it is kept until its last part is searched");
        origin.harvest.counts.nodes += harvest.counts.nodes;
        origin.harvest.counts.probes += harvest.counts.probes;
        origin.harvest.evidence.extend(harvest.evidence);
        if is_whole {
            origin.parts -= 1;
        }
        if origin.parts > 0 || number == LeaseNumber::MAX {
            return (thread, None);
        }
        let Origin { tasks, harvest, solutions, .. } = self.origins.remove(&number).expect("it was there just now");
        (thread, Some(Searched { length: self.iteration.length(), tasks, harvest, solutions }))
    }

    /// What is left.
    fn end(mut self) -> Part {
        self.left.tasks.extend_from_slice(&self.iteration.left().tasks[self.leased..]);
        for (_, part) in self.shared {
            self.left.tasks.extend(part.tasks);
            self.left.nodes.extend(part.nodes);
        }
        self.left
    }
}
