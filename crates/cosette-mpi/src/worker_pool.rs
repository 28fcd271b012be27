//! The threads of a rank, which search its leases together.
//!
//! The rank hands pieces of its leases to its threads as the [`ThreadDispatcher`] says, and adds up what they find: the coordinator
//! hears of a lease when all of it is searched.

use crate::dispatcher::{Divisible, Given, LeaseNumber, Progress, Sharing, ThreadDispatcher};
use crate::messages::{Order, Reply};
use crate::world::{FIRST, World, poll_interval};
use cosette::cube::{Cube, Format, Move, ReadOptions, read_position};
use cosette::search::distributed::{
    Checkpoint, Part, PartControl, PartResult, Searcher, SearcherEvent, Tasks, UpperBoundSearch,
};
use cosette::search::{Options, Outcome, Report, Solver};
use cosette::table::Table;
use cosette::{CancelReason, ThreadCount};
use cosette_app::batch::Remaining;
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::request::Request;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

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
    /// What single threads do instead: the thread, and how to stop it.
    jobs: HashMap<LeaseNumber, (usize, PartControl)>,
    events: Receiver<Event>,
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

/// What a thread is to do.
enum Assignment {
    /// Search a piece of a part.
    Piece { lease: LeaseNumber, tasks: Arc<Tasks>, length: u8, piece: Part, control: PartControl },
    /// A two-phase search.
    UpperBound { lease: LeaseNumber, search: UpperBoundSearch },
    /// Solve whole positions.
    Positions { lease: LeaseNumber, request: Request, positions: VecDeque<Remaining>, control: PartControl },
}

/// What a thread reports.
enum Event {
    Solution {
        lease: LeaseNumber,
        moves: Vec<Move>,
    },
    /// It gives this away of its piece, which may be nothing.
    Shared {
        thread: usize,
        lease: LeaseNumber,
        piece: Part,
    },
    /// Its piece has ended.
    PieceDone {
        thread: usize,
        lease: LeaseNumber,
        result: PartResult,
        took: Duration,
    },
    UpperBoundDone {
        lease: LeaseNumber,
        took: Duration,
    },
    Solved {
        lease: LeaseNumber,
        position: usize,
        report: Report,
    },
    Returned {
        lease: LeaseNumber,
        under_way: Option<(usize, Checkpoint)>,
        not_begun: Vec<usize>,
    },
}

impl WorkerPool {
    /// Starts the threads. Fails if the system cannot start one.
    pub fn start(table: Arc<Table>, threads: ThreadCount) -> std::io::Result<WorkerPool> {
        let (report, events) = mpsc::channel();
        let thread = |number| {
            let (assign, assignments) = mpsc::channel();
            let (table, report) = (Arc::clone(&table), report.clone());
            let handle = std::thread::Builder::new().spawn(move || work(number, &table, &assignments, &report))?;
            Ok(Thread { assign, handle, control: PartControl::default() })
        };
        let dispatcher = ThreadDispatcher::new(threads.get());
        let threads = (0..threads.get()).map(thread).collect::<std::io::Result<_>>()?;
        Ok(WorkerPool {
            table,
            tasks: None,
            threads,
            dispatcher,
            parts: HashMap::new(),
            jobs: HashMap::new(),
            events,
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
            while let Some((_, request)) = world.receive() {
                match request {
                    Order::End => return,
                    request => self.take(request),
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

    /// Takes a request of the coordinator.
    ///
    /// # Panics
    /// If it names a thread that does not exist, or a lease comes before its position.
    pub fn take(&mut self, request: Order) {
        self.note_message();
        match request {
            Order::Position(facelets) => self.tasks = Some(Arc::new(Tasks::of(&read(&facelets), &self.table))),
            Order::Search { lease, length, part } => {
                let tasks = Arc::clone(self.tasks.as_ref().expect("the position comes before its leases"));
                let (result, took) = (PartResult::default(), Duration::ZERO);
                self.parts.insert(lease, PartLease { tasks, length, is_stopped: false, result, took });
                self.dispatcher.add(lease, part);
                self.hand_out();
            }
            Order::Solve { lease, thread, request, positions } => {
                let control = self.reserve_thread(lease, thread);
                let positions = positions.into();
                self.threads[thread].assign(Assignment::Positions { lease, request, positions, control });
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
        self.threads[thread].assign(Assignment::UpperBound { lease, search });
    }

    /// A thread is to do something else than pieces.
    fn reserve_thread(&mut self, lease: LeaseNumber, thread: usize) -> PartControl {
        let control = PartControl::default();
        self.jobs.insert(lease, (thread, control.clone()));
        self.dispatcher.reserve(thread);
        control
    }

    fn release_thread(&mut self, lease: LeaseNumber) {
        if let Some((thread, _)) = self.jobs.remove(&lease) {
            self.dispatcher.release(thread);
        }
    }

    /// Gives idle threads something to do.
    fn hand_out(&mut self) {
        let now = self.start.elapsed();
        while let Some((thread, lease, piece)) = self.dispatcher.next_piece(now) {
            let PartLease { tasks, length, .. } = &self.parts[&lease];
            let (tasks, length, control) = (Arc::clone(tasks), *length, PartControl::default());
            self.threads[thread].control = control.clone();
            self.threads[thread].assign(Assignment::Piece { lease, tasks, length, piece, control });
        }
        let threads = self.dispatcher.requests(now);
        self.ask_to_share(&threads);
    }

    fn ask_to_share(&self, threads: &[usize]) {
        threads.iter().for_each(|&thread| self.threads[thread].control.share());
    }

    fn stop(&mut self, lease: LeaseNumber) {
        if let Some((_, control)) = self.jobs.get(&lease) {
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
            let Ok(event) = self.events.recv_timeout(std::mem::take(&mut wait)) else { break };
            self.hear(event);
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

    /// Takes what a thread reports.
    fn hear(&mut self, event: Event) {
        self.last_heard = self.start.elapsed();
        match event {
            Event::Solution { lease, moves } => self.replies.push_back(Reply::Solution { lease, moves }),
            Event::Shared { thread, lease, piece } => {
                let part = self.parts.get_mut(&lease).expect("its piece has not ended");
                let mut shared = Some(piece).filter(|piece| !piece.is_empty());
                if part.is_stopped {
                    shared.take().into_iter().for_each(|piece| part.result.left.join(piece));
                }
                let given = self.dispatcher.shared(self.start.elapsed(), thread, shared);
                given.into_iter().for_each(|given| self.give(given));
            }
            Event::PieceDone { thread, lease, result, took } => {
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
            Event::UpperBoundDone { lease, took } => {
                self.release_thread(lease);
                self.replies.push_back(Reply::Done { lease, result: PartResult::default(), took });
            }
            Event::Solved { lease, position, report } => {
                self.replies.push_back(Reply::Solved { lease, position, report });
            }
            Event::Returned { lease, under_way, not_begun } => {
                self.release_thread(lease);
                self.replies.push_back(Reply::Returned { lease, under_way, not_begun });
            }
        }
    }
}

impl Thread {
    fn assign(&self, assignment: Assignment) {
        self.assign.send(assignment).expect("threads work until the pool is dropped");
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.jobs.values().for_each(|(_, control)| control.stop.cancel());
        for Thread { assign, handle, control } in self.threads.drain(..) {
            control.stop.cancel();
            drop(assign);
            // A thread that panicked has printed why.
            let _ = handle.join();
        }
    }
}

/// The position with these facelets.
fn read(facelets: &str) -> Cube {
    let read = read_position(facelets, Some(Format::Facelets), &ReadOptions::default());
    read.expect("the coordinator sends valid positions").cube
}

/// What a thread does.
fn work(thread: usize, table: &Arc<Table>, assignments: &Receiver<Assignment>, events: &Sender<Event>) {
    let mut searcher = Searcher::default();
    let solver = Solver::new(Arc::clone(table), ThreadCount::ONE);
    let report = |event| {
        // Nobody receives it while the pool is being dropped.
        let _ = events.send(event);
    };
    for assignment in assignments {
        let start = Instant::now();
        match assignment {
            Assignment::Piece { lease, tasks, length, piece, control } => {
                let result = searcher.search((table, &tasks), (length, piece), &control, &|event| match event {
                    SearcherEvent::Solution(moves) => report(Event::Solution { lease, moves: moves.to_vec() }),
                    SearcherEvent::Shared(piece) => report(Event::Shared { thread, lease, piece }),
                });
                report(Event::PieceDone { thread, lease, result, took: start.elapsed() });
            }
            Assignment::UpperBound { lease, search } => {
                search.run(&mut |moves| report(Event::Solution { lease, moves: moves.to_vec() }));
                report(Event::UpperBoundDone { lease, took: start.elapsed() });
            }
            Assignment::Positions { lease, request, mut positions, control } => {
                let under_way = solve(&solver, (lease, &request), &mut positions, &control, &report);
                let not_begun = positions.into_iter().map(|position| position.number).collect();
                report(Event::Returned { lease, under_way, not_begun });
            }
        }
    }
}

/// Solves positions one after the other. If it is stopped, returns the one under way and the state of its search.
fn solve(
    solver: &Solver,
    (lease, request): (LeaseNumber, &Request),
    positions: &mut VecDeque<Remaining>,
    control: &PartControl,
    report: &dyn Fn(Event),
) -> Option<(usize, Checkpoint)> {
    while !control.stop.is_cancelled() {
        let Remaining { number: position, cube, known } = positions.pop_front()?;
        let cancel = request.limited(&control.stop);
        let options = Options { known: known.as_deref(), ..request.options_of_many() };
        let search = solver.search(&cube).options(options).cancel(&cancel);
        let (found, checkpoint) = search.resume(Checkpoint::default());
        if found.outcome == Outcome::Cancelled(CancelReason::Requested) {
            return Some((position, checkpoint));
        }
        report(Event::Solved { lease, position, report: found });
    }
    None
}
