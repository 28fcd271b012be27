//! The threads of a rank, which search its leases together; and the messages between the coordinator and the ranks.
//!
//! The rank hands pieces of its leases to its threads as the [`ThreadDispatcher`] says, and adds up what they find: the coordinator
//! hears of a lease when all of it is searched.

use crate::dispatcher::{Given, LeaseNumber, Progress, Sharing, ThreadDispatcher};
use crate::world::{FIRST, World, poll_interval};
use cosette::cube::{Cube, Move};
use cosette::search::distributed::{
    Checkpoint, Part, PartControl, PartResult, Searcher, SearcherEvent, Tasks, UpperBoundSearch,
};
use cosette::search::{Options, Outcome, Report, Solver};
use cosette::table::Table;
use cosette::{CancelReason, ThreadCount};
use cosette_app::batch::Remaining;
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::request::Request;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// From the coordinator to a rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the other fields say what they are
pub enum Order {
    /// The leases that follow are of this position.
    Position(Cube),
    /// All threads together are to search a part of an iteration.
    Search {
        lease: LeaseNumber,
        /// The length of the solutions.
        length: u8,
        part: Part,
    },
    /// One of the threads is to solve whole positions, one after the other.
    Solve {
        lease: LeaseNumber,
        thread: usize,
        /// What is asked of each.
        request: Box<Request>,
        positions: Vec<Remaining>,
    },
    /// Another rank is idle: this one is to give some of this lease away.
    Share(LeaseNumber),
    /// This lease is to be stopped, and what is left of it returned.
    Stop(LeaseNumber),
    /// There is no more work; the rank ends.
    End,
}

/// From a rank to the coordinator.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the other fields say what they are
pub enum Reply {
    /// A solution.
    Solution {
        /// The lease it was found in.
        lease: LeaseNumber,
        moves: Vec<Move>,
    },
    /// A part of a lease that is given away; it may be empty.
    Shared { lease: LeaseNumber, part: Part },
    /// A lease of a part has ended.
    Done {
        lease: LeaseNumber,
        /// Its result.
        result: PartResult,
        /// How long the threads have searched it together.
        took: Duration,
    },
    /// The search of a position has ended.
    Solved {
        lease: LeaseNumber,
        /// Its index in the list.
        position: usize,
        /// Its report.
        report: Report,
    },
    /// A lease of positions has ended, or was stopped.
    Returned {
        lease: LeaseNumber,
        /// The position that was under way, and the state of its search.
        under_way: Option<(usize, Checkpoint)>,
        /// Those that were not begun.
        not_begun: Vec<usize>,
    },
    /// This rank was asked to stop, as by Ctrl-C.
    Interrupted,
}

/// How long a rank polls often after it has heard something.
const ALERT: Duration = Duration::from_millis(100);

/// The threads of a rank, their leases, and their replies.
pub struct WorkerPool {
    table: Arc<Table>,
    tasks: Option<Arc<Tasks>>,
    threads: Vec<Thread>,
    dispatcher: ThreadDispatcher<Part>,
    /// The parts that have not ended.
    parts: HashMap<LeaseNumber, PartLease>,
    /// How to stop what single threads do instead.
    jobs: HashMap<LeaseNumber, PartControl>,
    /// What the threads report, each with its number.
    reports: Receiver<(usize, Reply)>,
    /// What the coordinator has not been told yet.
    replies: VecDeque<Reply>,
    start: Instant,
    /// When the last message came, or the last thing was heard from a thread.
    last_heard: Duration,
}

/// A thread.
struct Thread {
    assign: Sender<Assignment>,
    handle: JoinHandle<()>,
    /// How to stop the piece that it searches, or to share it.
    control: PartControl,
}

/// A part that the threads search together.
struct PartLease {
    tasks: Arc<Tasks>,
    length: u8,
    is_stopped: bool,
    /// The sum of what its pieces have ended with.
    result: PartResult,
    took: Duration,
}

/// What a thread is to do; it reports in the terms in which the coordinator hears of it.
type Assignment = Box<dyn FnOnce(&mut Worker) + Send>;

impl WorkerPool {
    /// Starts the threads. Fails if the system cannot start one.
    pub fn start(table: Arc<Table>, threads: ThreadCount) -> std::io::Result<WorkerPool> {
        let (sender, reports) = mpsc::channel();
        let start_thread = |thread| {
            let (assign, assignments) = mpsc::channel::<Assignment>();
            let (table, reporter) = (Arc::clone(&table), Reporter { thread, reports: sender.clone() });
            let work = move || {
                let solver = Solver::new(Arc::clone(&table), ThreadCount::ONE);
                let mut worker = Worker { table, searcher: Searcher::default(), solver, reporter };
                assignments.into_iter().for_each(|assignment| assignment(&mut worker));
            };
            let handle = std::thread::Builder::new().spawn(work)?;
            Ok(Thread { assign, handle, control: PartControl::default() })
        };
        let dispatcher = ThreadDispatcher::new(threads.get());
        let threads = (0..threads.get()).map(start_thread).collect::<std::io::Result<_>>()?;
        Ok(WorkerPool {
            table,
            tasks: None,
            threads,
            dispatcher,
            parts: HashMap::new(),
            jobs: HashMap::new(),
            reports,
            replies: VecDeque::new(),
            start: Instant::now(),
            last_heard: Duration::ZERO,
        })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Works for the coordinator until it sends the end. If this rank is interrupted, it reports that to the first.
    pub fn serve(mut self, world: &World) {
        let (work, mut has_reported) = (Interruptible::start(), false);
        loop {
            while let Some((_, order)) = world.receive() {
                match order {
                    Order::End => return,
                    order => self.take(order),
                }
            }
            if work.cancel.is_cancelled() && !std::mem::replace(&mut has_reported, true) {
                world.send(FIRST, &Reply::Interrupted);
            }
            if let Some(reply) = self.next_reply(self.poll_interval(false)) {
                world.send(FIRST, &reply);
            }
        }
    }

    /// A message has come: more may come soon.
    pub fn note_message(&mut self) {
        self.last_heard = self.start.elapsed();
    }

    /// Takes an order of the coordinator.
    ///
    /// # Panics
    /// If it names a thread that does not exist, or a lease comes before its position.
    pub fn take(&mut self, order: Order) {
        self.note_message();
        match order {
            Order::Position(position) => self.tasks = Some(Arc::new(Tasks::of(&position, &self.table))),
            Order::Search { lease, length, part } => {
                let tasks = Arc::clone(self.tasks.as_ref().expect("the position comes before its leases"));
                let (result, took) = (PartResult::default(), Duration::ZERO);
                self.parts.insert(lease, PartLease { tasks, length, is_stopped: false, result, took });
                self.dispatcher.add(lease, part);
                self.hand_out();
            }
            Order::Solve { lease, thread, request, positions } => {
                let control = self.reserve_thread(lease, thread);
                self.threads[thread].assign(move |worker| worker.solve((lease, &*request), positions.into(), &control));
            }
            Order::Share(lease) => match self.dispatcher.share(lease) {
                Sharing::Given(part) => self.give((lease, part)),
                Sharing::Asked(threads) => self.ask_to_share(&threads),
                // Its result is on the way.
                Sharing::Ended => {}
            },
            Order::Stop(lease) => self.stop(lease),
            Order::End => {}
        }
    }

    /// The leases that follow are of these root tasks.
    pub fn set_tasks(&mut self, tasks: &Arc<Tasks>) {
        self.tasks = Some(Arc::clone(tasks));
    }

    /// Runs a two-phase search in a thread.
    pub fn search_upper_bound(&mut self, thread: usize, lease: LeaseNumber, search: UpperBoundSearch) {
        self.reserve_thread(lease, thread);
        self.threads[thread].assign(move |worker| worker.search_upper_bound(lease, &search));
    }

    /// A thread is to do something else than pieces.
    fn reserve_thread(&mut self, lease: LeaseNumber, thread: usize) -> PartControl {
        let control = PartControl::default();
        self.jobs.insert(lease, control.clone());
        self.dispatcher.reserve(thread);
        control
    }

    /// Gives idle threads something to do.
    fn hand_out(&mut self) {
        let now = self.start.elapsed();
        while let Some((thread, lease, piece)) = self.dispatcher.next_piece(now) {
            let PartLease { tasks, length, .. } = &self.parts[&lease];
            let (tasks, job, control) = (Arc::clone(tasks), (*length, piece), PartControl::default());
            self.threads[thread].control = control.clone();
            self.threads[thread].assign(move |worker| worker.search(lease, &tasks, job, &control));
        }
        let threads = self.dispatcher.requests(now);
        self.ask_to_share(&threads);
    }

    fn ask_to_share(&self, threads: &[usize]) {
        threads.iter().for_each(|&thread| self.threads[thread].control.share());
    }

    fn stop(&mut self, lease: LeaseNumber) {
        if let Some(control) = self.jobs.get(&lease) {
            control.stop.cancel();
        }
        // A lease that is not there has ended, and its result is on the way.
        let Some(part) = self.parts.get_mut(&lease) else { return };
        part.is_stopped = true;
        let (left, threads, has_ended) = self.dispatcher.stop(lease);
        left.into_iter().for_each(|left| part.result.left.join(left));
        threads.into_iter().for_each(|thread| self.threads[thread].control.stop.cancel());
        if has_ended {
            self.end(lease);
        }
    }

    /// A part is to be given to another rank; it may be nothing.
    fn give(&mut self, (lease, part): Given<Part>) {
        self.replies.push_back(Reply::Shared { lease, part: part.unwrap_or_default() });
    }

    /// A part has ended.
    fn end(&mut self, lease: LeaseNumber) {
        let PartLease { result, took, .. } = self.parts.remove(&lease).expect("a part ends once");
        self.replies.push_back(Reply::Done { lease, result, took });
    }

    /// The next reply, if one comes within this time. Gives threads that have ended their pieces new ones meanwhile.
    pub fn next_reply(&mut self, mut wait: Duration) -> Option<Reply> {
        while self.replies.is_empty() {
            let Ok((thread, report)) = self.reports.recv_timeout(std::mem::take(&mut wait)) else { break };
            self.hear(thread, report);
            self.hand_out();
        }
        // Some have searched their pieces for long enough by now.
        self.hand_out();
        self.replies.pop_front()
    }

    /// How long to sleep before polling for messages again. `waits` says whether the caller waits for one.
    pub fn poll_interval(&self, waits: bool) -> Duration {
        let is_alert = self.start.elapsed() - self.last_heard < ALERT;
        poll_interval(self.threads(), is_alert && (waits || self.dispatcher.has_idle_threads()))
    }

    /// Takes what a thread reports: adds the results of its piece to those of the part, and passes the rest on.
    fn hear(&mut self, thread: usize, report: Reply) {
        self.last_heard = self.start.elapsed();
        match report {
            Reply::Shared { lease, part: piece } => {
                let part = self.parts.get_mut(&lease).expect("its piece has not ended");
                let mut shared = Some(piece).filter(|piece| !piece.is_empty());
                if part.is_stopped {
                    shared.take().into_iter().for_each(|piece| part.result.left.join(piece));
                }
                let given = self.dispatcher.shared(self.start.elapsed(), thread, shared);
                given.into_iter().for_each(|given| self.give(given));
            }
            Reply::Done { lease, result, took } if !self.jobs.contains_key(&lease) => {
                let part = self.parts.get_mut(&lease).expect("its piece has not ended");
                part.result.counts += result.counts;
                part.result.priority.extend(result.priority);
                part.result.left.join(result.left);
                part.took += took;
                let Progress { given, has_ended, .. } = self.dispatcher.done(thread);
                given.into_iter().for_each(|given| self.give(given));
                if has_ended {
                    self.end(lease);
                }
            }
            report => {
                if let Reply::Done { lease, .. } | Reply::Returned { lease, .. } = report {
                    self.jobs.remove(&lease);
                    self.dispatcher.release(thread);
                }
                self.replies.push_back(report);
            }
        }
    }
}

impl Thread {
    fn assign(&self, assignment: impl FnOnce(&mut Worker) + Send + 'static) {
        self.assign.send(Box::new(assignment)).expect("threads work until the pool is dropped");
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.jobs.values().for_each(|control| control.stop.cancel());
        for Thread { assign, handle, control } in self.threads.drain(..) {
            control.stop.cancel();
            drop(assign);
            // A thread that panicked has printed why.
            let _ = handle.join();
        }
    }
}

/// What a thread works with.
struct Worker {
    table: Arc<Table>,
    searcher: Searcher,
    solver: Solver,
    reporter: Reporter,
}

/// Through which a thread reports.
struct Reporter {
    thread: usize,
    reports: Sender<(usize, Reply)>,
}

impl Reporter {
    fn report(&self, report: Reply) {
        // Nobody receives it while the pool is being dropped.
        let _ = self.reports.send((self.thread, report));
    }
}

impl Worker {
    /// Searches a piece of a part.
    fn search(&mut self, lease: LeaseNumber, tasks: &Tasks, job: (u8, Part), control: &PartControl) {
        let start = Instant::now();
        let result = self.searcher.search((&self.table, tasks), job, control, &|event| {
            self.reporter.report(match event {
                SearcherEvent::Solution(moves) => Reply::Solution { lease, moves: moves.to_vec() },
                SearcherEvent::Shared(part) => Reply::Shared { lease, part },
            });
        });
        self.reporter.report(Reply::Done { lease, result, took: start.elapsed() });
    }

    /// Runs a two-phase search.
    fn search_upper_bound(&self, lease: LeaseNumber, search: &UpperBoundSearch) {
        let start = Instant::now();
        search.run(&mut |moves| self.reporter.report(Reply::Solution { lease, moves: moves.to_vec() }));
        self.reporter.report(Reply::Done { lease, result: PartResult::default(), took: start.elapsed() });
    }

    /// Solves positions one after the other. If it is stopped, returns the one under way and the state of its search.
    fn solve(
        &self,
        (lease, request): (LeaseNumber, &Request),
        mut positions: VecDeque<Remaining>,
        control: &PartControl,
    ) {
        let mut under_way = None;
        while !control.stop.is_cancelled()
            && let Some(Remaining { number: position, cube, known }) = positions.pop_front()
        {
            let cancel = request.limited(&control.stop);
            let options = Options { known: known.as_deref(), ..request.options_of_many() };
            let search = self.solver.search(&cube).options(options).cancel(&cancel);
            let (report, checkpoint) = search.resume(Checkpoint::default());
            if report.outcome == Outcome::Cancelled(CancelReason::Requested) {
                under_way = Some((position, checkpoint));
                break;
            }
            self.reporter.report(Reply::Solved { lease, position, report });
        }
        let not_begun = positions.into_iter().map(|position| position.number).collect();
        self.reporter.report(Reply::Returned { lease, under_way, not_begun });
    }
}
