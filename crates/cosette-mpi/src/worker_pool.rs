//! The threads of a rank: each searches its leases one after the other.

use crate::dispatcher::LeaseNumber;
use crate::messages::{PositionOptions, Reply, Request};
use crate::world::{FIRST, POLL_INTERVAL, World};
use cosette::cube::{Cube, Format, ReadOptions, read_position};
use cosette::search::distributed::{
    Checkpoint, Part, PartControl, PartResult, Searcher, SearcherEvent, Tasks, UpperBoundSearch,
};
use cosette::search::{Outcome, Solver};
use cosette::table::Table;
use cosette::{CancelReason, ThreadCount};
use cosette_app::cli::interrupt::Interruptible;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The threads of a rank, their leases, and their replies.
pub struct WorkerPool {
    table: Arc<Table>,
    tasks: Option<Arc<Tasks>>,
    workers: Vec<(Sender<Assignment>, JoinHandle<()>)>,
    /// How to stop and share the leases that have not ended.
    controls: HashMap<LeaseNumber, PartControl>,
    replies: Receiver<Reply>,
}

/// A lease given to a worker.
struct Assignment {
    lease: LeaseNumber,
    control: PartControl,
    job: Job,
}

/// What a worker does for a lease.
enum Job {
    /// A part of an iteration.
    Part { tasks: Arc<Tasks>, length: u8, part: Part },
    /// A two-phase search.
    UpperBound(UpperBoundSearch),
    /// Whole positions.
    Positions { options: PositionOptions, positions: VecDeque<(usize, Cube)> },
}

impl WorkerPool {
    /// Starts the threads. Fails if the system cannot start one.
    pub fn start(table: Arc<Table>, threads: ThreadCount) -> std::io::Result<WorkerPool> {
        let (reply, replies) = mpsc::channel();
        let worker = |_| {
            let (assign, assignments) = mpsc::channel();
            let (table, reply) = (Arc::clone(&table), reply.clone());
            let thread = std::thread::Builder::new().spawn(move || work(&table, &assignments, &reply))?;
            Ok((assign, thread))
        };
        let workers = (0..threads.get()).map(worker).collect::<std::io::Result<_>>()?;
        Ok(WorkerPool { table, tasks: None, workers, controls: HashMap::new(), replies })
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Works for the coordinator until it sends the end. If this rank is interrupted, it reports that to the first.
    pub fn serve(mut self, world: &World) {
        let (work, mut has_reported) = (Interruptible::start(None), false);
        loop {
            while let Some((_, request)) = world.receive() {
                match request {
                    Request::End => return,
                    request => self.take(request),
                }
            }
            if work.cancel.is_cancelled() && !std::mem::replace(&mut has_reported, true) {
                world.send(FIRST, &Reply::Interrupted);
            }
            if let Some(reply) = self.reply(POLL_INTERVAL) {
                world.send(FIRST, &reply);
            }
        }
    }

    /// Takes a request of the coordinator.
    ///
    /// # Panics
    /// If it names a thread that does not exist, or a lease comes before its position.
    pub fn take(&mut self, request: Request) {
        match request {
            Request::Position(facelets) => self.tasks = Some(Arc::new(Tasks::of(&read(&facelets), &self.table))),
            Request::Search { lease, thread, length, part } => {
                let tasks = Arc::clone(self.tasks.as_ref().expect("the position comes before its leases"));
                self.assign(thread, lease, Job::Part { tasks, length, part });
            }
            Request::Solve { lease, thread, options, positions } => {
                let positions = positions.iter().map(|(number, facelets)| (*number, read(facelets))).collect();
                self.assign(thread, lease, Job::Positions { options, positions });
            }
            // A lease without a control has ended, and its result is on the way.
            Request::Share(lease) => self.controls.get(&lease).into_iter().for_each(PartControl::share),
            Request::Stop(lease) => self.controls.get(&lease).into_iter().for_each(|control| control.stop.cancel()),
            Request::End => {}
        }
    }

    /// The leases that follow are of these root tasks.
    pub fn set_tasks(&mut self, tasks: &Arc<Tasks>) {
        self.tasks = Some(Arc::clone(tasks));
    }

    /// Runs a two-phase search in a thread.
    pub fn search_upper_bound(&mut self, thread: usize, lease: LeaseNumber, search: UpperBoundSearch) {
        self.assign(thread, lease, Job::UpperBound(search));
    }

    fn assign(&mut self, thread: usize, lease: LeaseNumber, job: Job) {
        let control = PartControl::default();
        self.controls.insert(lease, control.clone());
        let worker = &self.workers[thread].0;
        worker.send(Assignment { lease, control, job }).expect("threads work until the pool is dropped");
    }

    /// The next reply, if one comes within this time.
    pub fn reply(&mut self, wait: Duration) -> Option<Reply> {
        let reply = self.replies.recv_timeout(wait).ok()?;
        if let Reply::Done { lease, .. } | Reply::Returned { lease, .. } = reply {
            self.controls.remove(&lease);
        }
        Some(reply)
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.controls.values().for_each(|control| control.stop.cancel());
        for (assign, thread) in self.workers.drain(..) {
            drop(assign);
            // A thread that panicked has printed why.
            let _ = thread.join();
        }
    }
}

/// The position with these facelets.
fn read(facelets: &str) -> Cube {
    let read = read_position(facelets, Some(Format::Facelets), &ReadOptions::default());
    read.expect("the coordinator sends valid positions").cube
}

/// What a worker does.
fn work(table: &Arc<Table>, assignments: &Receiver<Assignment>, replies: &Sender<Reply>) {
    let mut searcher = Searcher::default();
    let solver = Solver::new(Arc::clone(table), ThreadCount::ONE);
    let reply = |message| {
        // Nobody receives it while the pool is being dropped.
        let _ = replies.send(message);
    };
    for Assignment { lease, control, job } in assignments {
        let start = Instant::now();
        match job {
            Job::Part { tasks, length, part } => {
                let result = searcher.search((table, &tasks), (length, part), &control, &|event| match event {
                    SearcherEvent::Solution(moves) => reply(Reply::Solution { lease, moves: moves.to_vec() }),
                    SearcherEvent::Shared(part) => reply(Reply::Shared { lease, part }),
                });
                reply(Reply::Done { lease, result, took: start.elapsed() });
            }
            Job::UpperBound(search) => {
                search.run(&mut |moves| reply(Reply::Solution { lease, moves: moves.to_vec() }));
                reply(Reply::Done { lease, result: PartResult::default(), took: start.elapsed() });
            }
            Job::Positions { options, mut positions } => {
                let under_way = solve(&solver, (lease, &options), &mut positions, &control, &reply);
                let not_begun = positions.into_iter().map(|(position, _)| position).collect();
                reply(Reply::Returned { lease, under_way, not_begun });
            }
        }
    }
}

/// Solves positions one after the other. If it is stopped, returns the one under way and the state of its search.
fn solve(
    solver: &Solver,
    (lease, options): (LeaseNumber, &PositionOptions),
    positions: &mut VecDeque<(usize, Cube)>,
    control: &PartControl,
    reply: &dyn Fn(Reply),
) -> Option<(usize, Checkpoint)> {
    while !control.stop.is_cancelled() {
        let (position, cube) = positions.pop_front()?;
        let stop = &control.stop;
        let cancel = options.timeout.map_or(stop.clone(), |timeout| stop.child_with_timeout(timeout));
        let search = solver.search(&cube).options(options.search).cancel(&cancel);
        let (report, checkpoint) = search.resume(Checkpoint::default());
        if stop.is_cancelled() && report.outcome == Outcome::Cancelled {
            return Some((position, checkpoint));
        }
        reply(Reply::Solved { lease, position, report, is_late: cancel.reason() == Some(CancelReason::TimedOut) });
    }
    None
}
