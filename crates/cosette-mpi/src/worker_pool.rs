//! The threads of a rank, which search its leases together; and the messages between the
//! coordinator and the ranks.
//!
//! The rank hands pieces of its leases to its threads as the [`ThreadDispatcher`] decides, and adds
//! up their results: the coordinator gets the result of a lease when all of it is searched.

use crate::dispatcher::{LeaseNumber, PieceProgress, ShareOutcome, SharedOut, ThreadDispatcher};
use crate::world::{FIRST, World, poll_interval};
use cosette::cube::{Cube, Move};
use cosette::search::distributed::{
    Checkpoint, Searcher, SearcherEvent, Tasks, UpperBoundSearch, WorkControl, WorkResult, WorkUnit,
};
use cosette::search::{Options, Outcome, Report, Solver};
use cosette::table::Table;
use cosette::{CancelReason, ThreadCount};
use cosette_app::batch::PendingPosition;
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::request::Request;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A message from the coordinator to a rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum WorkerCommand {
    /// Sets the position of the leases that follow.
    Position(Cube),
    /// Search a work unit of an iteration with all threads together.
    Search {
        lease: LeaseNumber,
        /// The length of the solutions.
        length: u8,
        part: WorkUnit,
    },
    /// Solve whole positions, one after the other, with one thread.
    Solve {
        lease: LeaseNumber,
        thread: usize,
        /// The request for each position.
        request: Box<Request>,
        positions: Vec<PendingPosition>,
    },
    /// Give a part of this lease away, because another rank is idle.
    Share(LeaseNumber),
    /// Stop this lease and return its remaining work.
    Stop(LeaseNumber),
    /// End: there is no more work.
    End,
}

/// A message from a rank to the coordinator.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum WorkerReply {
    /// A solution.
    Solution {
        /// The lease in which it was found.
        lease: LeaseNumber,
        moves: Vec<Move>,
    },
    /// A work unit of a lease that is given away; it may be empty.
    Shared { lease: LeaseNumber, part: WorkUnit },
    /// A lease of a work unit has ended.
    Done {
        lease: LeaseNumber,
        /// The result of the lease.
        result: WorkResult,
        /// The search time of the lease, summed over the threads.
        took: Duration,
    },
    /// The search of a position has ended.
    Solved {
        lease: LeaseNumber,
        /// The index of the position in the list.
        position: usize,
        /// The report of its search.
        report: Report,
    },
    /// A lease of positions has ended, or was stopped.
    Returned {
        lease: LeaseNumber,
        /// The position whose search was stopped, and the state of its search.
        under_way: Option<(usize, Checkpoint)>,
        /// The positions that were not begun.
        not_begun: Vec<usize>,
    },
    /// This rank was interrupted, e.g. by Ctrl-C.
    Interrupted,
}

/// Time for which a rank polls often after a message or a report.
const ALERT: Duration = Duration::from_millis(100);

/// The threads of a rank, their leases, and their replies.
pub struct WorkerPool {
    table: Arc<Table>,
    tasks: Option<Arc<Tasks>>,
    threads: Vec<WorkerThread>,
    dispatcher: ThreadDispatcher<WorkUnit>,
    /// The leases of work units that have not ended.
    parts: HashMap<LeaseNumber, PartLease>,
    /// The controls of the work of reserved threads.
    jobs: HashMap<LeaseNumber, WorkControl>,
    /// Reports of the threads, each with the number of its thread.
    reports: Receiver<(usize, WorkerReply)>,
    /// Replies that are not sent to the coordinator yet.
    replies: VecDeque<WorkerReply>,
    start: Instant,
    /// The time of the last message, or of the last report of a thread.
    last_heard: Duration,
}

/// A thread.
struct WorkerThread {
    assign: Sender<Assignment>,
    handle: JoinHandle<()>,
    /// The control that stops or shares the piece being searched.
    control: WorkControl,
}

/// A lease of a work unit that the threads search together.
struct PartLease {
    tasks: Arc<Tasks>,
    length: u8,
    is_stopped: bool,
    /// The sum of the results of its ended pieces.
    result: WorkResult,
    /// The sum of the search times of its ended pieces.
    took: Duration,
}

/// The work of a thread, which reports in the form of replies to the coordinator.
type Assignment = Box<dyn FnOnce(&mut ThreadWorker) + Send>;

impl WorkerPool {
    /// Starts the threads.
    ///
    /// # Errors
    ///
    /// Returns an error if the system cannot start one.
    pub fn start(table: Arc<Table>, threads: ThreadCount) -> std::io::Result<WorkerPool> {
        let (sender, reports) = mpsc::channel();
        let start_thread = |thread| {
            let (assign, assignments) = mpsc::channel::<Assignment>();
            let table = Arc::clone(&table);
            let reporter = Reporter {
                thread,
                reports: sender.clone(),
            };
            let work = move || {
                let solver = Solver::new(Arc::clone(&table), ThreadCount::ONE);
                let mut worker = ThreadWorker {
                    table,
                    searcher: Searcher::default(),
                    solver,
                    reporter,
                };
                assignments
                    .into_iter()
                    .for_each(|assignment| assignment(&mut worker));
            };
            let handle = std::thread::Builder::new().spawn(work)?;
            Ok(WorkerThread {
                assign,
                handle,
                control: WorkControl::default(),
            })
        };
        let dispatcher = ThreadDispatcher::new(threads.get());
        let threads = (0..threads.get())
            .map(start_thread)
            .collect::<std::io::Result<_>>()?;
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

    /// Returns the number of threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// Works for the coordinator until it sends the end. An interruption of this rank is reported
    /// to the coordinator.
    pub fn serve(mut self, world: &World) {
        let work = Interruptible::start();
        let mut has_reported = false;
        loop {
            while let Some((_, command)) = world.receive() {
                match command {
                    WorkerCommand::End => return,
                    command => self.execute(command),
                }
            }
            if work.cancel.is_cancelled() && !std::mem::replace(&mut has_reported, true) {
                world.send(FIRST, &WorkerReply::Interrupted);
            }
            if let Some(reply) = self.next_reply(self.poll_interval(false)) {
                world.send(FIRST, &reply);
            }
        }
    }

    /// Records the arrival of a message, after which more may arrive soon.
    pub fn note_message(&mut self) {
        self.last_heard = self.start.elapsed();
    }

    /// Executes a command of the coordinator.
    ///
    /// # Panics
    /// Panics if the command names a thread that does not exist, or if a lease arrives before its
    /// position.
    pub fn execute(&mut self, command: WorkerCommand) {
        self.note_message();
        match command {
            WorkerCommand::Position(position) => {
                self.tasks = Some(Arc::new(Tasks::of(&position, &self.table)))
            }
            WorkerCommand::Search {
                lease,
                length,
                part,
            } => {
                let tasks = self.tasks.clone();
                let part_lease = PartLease {
                    tasks: tasks.expect("the position comes before its leases"),
                    length,
                    is_stopped: false,
                    result: WorkResult::default(),
                    took: Duration::ZERO,
                };
                self.parts.insert(lease, part_lease);
                self.dispatcher.add(lease, part);
                self.hand_out();
            }
            WorkerCommand::Solve {
                lease,
                thread,
                request,
                positions,
            } => {
                let control = self.reserve_thread(lease, thread);
                self.threads[thread].assign(move |worker| {
                    worker.solve((lease, &*request), positions.into(), &control)
                });
            }
            WorkerCommand::Share(lease) => match self.dispatcher.share(lease) {
                ShareOutcome::Given(part) => self.give((lease, part)),
                ShareOutcome::Asked(threads) => self.ask_to_share(&threads),
                // The result of the lease is on the way.
                ShareOutcome::Ended => {}
            },
            WorkerCommand::Stop(lease) => self.stop(lease),
            WorkerCommand::End => {}
        }
    }

    /// Sets the root tasks of the leases that follow.
    pub fn set_tasks(&mut self, tasks: &Arc<Tasks>) {
        self.tasks = Some(Arc::clone(tasks));
    }

    /// Runs a two-phase search in a thread.
    pub fn search_upper_bound(
        &mut self,
        thread: usize,
        lease: LeaseNumber,
        search: UpperBoundSearch,
    ) {
        self.reserve_thread(lease, thread);
        self.threads[thread].assign(move |worker| worker.search_upper_bound(lease, &search));
    }

    /// Reserves a thread for other work than pieces. Returns the control of that work.
    fn reserve_thread(&mut self, lease: LeaseNumber, thread: usize) -> WorkControl {
        let control = WorkControl::default();
        self.jobs.insert(lease, control.clone());
        self.dispatcher.reserve(thread);
        control
    }

    /// Hands out pieces to idle threads.
    fn hand_out(&mut self) {
        let now = self.start.elapsed();
        while let Some((thread, lease, piece)) = self.dispatcher.next_piece(now) {
            let part = &self.parts[&lease];
            let tasks = Arc::clone(&part.tasks);
            let job = (part.length, piece);
            let control = WorkControl::default();
            self.threads[thread].control = control.clone();
            self.threads[thread].assign(move |worker| worker.search(lease, &tasks, job, &control));
        }
        let threads = self.dispatcher.requests(now);
        self.ask_to_share(&threads);
    }

    fn ask_to_share(&self, threads: &[usize]) {
        threads
            .iter()
            .for_each(|&thread| self.threads[thread].control.share());
    }

    fn stop(&mut self, lease: LeaseNumber) {
        if let Some(control) = self.jobs.get(&lease) {
            control.stop.cancel();
        }
        // An unknown lease has ended, and its result is on the way.
        let Some(part) = self.parts.get_mut(&lease) else {
            return;
        };
        part.is_stopped = true;
        let (not_begun, threads, has_ended) = self.dispatcher.stop(lease);
        part.result.left.join(not_begun.unwrap_or_default());
        for thread in threads {
            self.threads[thread].control.stop.cancel();
        }
        if has_ended {
            self.end(lease);
        }
    }

    /// Gives a work unit, which may be none, to another rank.
    fn give(&mut self, (lease, part): SharedOut<WorkUnit>) {
        self.replies.push_back(WorkerReply::Shared {
            lease,
            part: part.unwrap_or_default(),
        });
    }

    /// Ends the lease of a work unit.
    fn end(&mut self, lease: LeaseNumber) {
        let PartLease { result, took, .. } = self.parts.remove(&lease).expect("a part ends once");
        self.replies.push_back(WorkerReply::Done {
            lease,
            result,
            took,
        });
    }

    /// Returns the next reply, if one arrives within `wait`. Also hands out new pieces to idle
    /// threads.
    pub fn next_reply(&mut self, mut wait: Duration) -> Option<WorkerReply> {
        while self.replies.is_empty() {
            let Ok((thread, report)) = self.reports.recv_timeout(std::mem::take(&mut wait)) else {
                break;
            };
            self.process_report(thread, report);
            self.hand_out();
        }
        // Some threads may now have searched their pieces long enough to share them.
        self.hand_out();
        self.replies.pop_front()
    }

    /// Returns the time to sleep before polling for messages again. `waits` is `true` if a rank is
    /// idle until a message arrives.
    pub fn poll_interval(&self, waits: bool) -> Duration {
        let is_alert = self.start.elapsed() - self.last_heard < ALERT;
        poll_interval(
            self.threads(),
            is_alert && (waits || self.dispatcher.has_idle_threads()),
        )
    }

    /// Processes the report of a thread: adds the result of its piece to the result of the lease,
    /// and passes other reports on.
    fn process_report(&mut self, thread: usize, report: WorkerReply) {
        self.last_heard = self.start.elapsed();
        match report {
            WorkerReply::Shared { lease, part: piece } => {
                let part = self.parts.get_mut(&lease).expect("its piece has not ended");
                let mut shared = Some(piece).filter(|piece| !piece.is_empty());
                if part.is_stopped {
                    part.result.left.join(shared.take().unwrap_or_default());
                }
                let given = self.dispatcher.shared(self.start.elapsed(), thread, shared);
                given.into_iter().for_each(|given| self.give(given));
            }
            WorkerReply::Done {
                lease,
                result,
                took,
            } if !self.jobs.contains_key(&lease) => {
                let part = self.parts.get_mut(&lease).expect("its piece has not ended");
                part.result.counts += result.counts;
                part.result.priority.extend(result.priority);
                part.result.left.join(result.left);
                part.took += took;
                let PieceProgress {
                    given, has_ended, ..
                } = self.dispatcher.done(thread);
                given.into_iter().for_each(|given| self.give(given));
                if has_ended {
                    self.end(lease);
                }
            }
            report => {
                if let WorkerReply::Done { lease, .. } | WorkerReply::Returned { lease, .. } =
                    report
                {
                    self.jobs.remove(&lease);
                    self.dispatcher.release(thread);
                }
                self.replies.push_back(report);
            }
        }
    }
}

impl WorkerThread {
    fn assign(&self, assignment: impl FnOnce(&mut ThreadWorker) + Send + 'static) {
        self.assign
            .send(Box::new(assignment))
            .expect("threads work until the pool is dropped");
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        self.jobs.values().for_each(|control| control.stop.cancel());
        for WorkerThread {
            assign,
            handle,
            control,
        } in self.threads.drain(..)
        {
            control.stop.cancel();
            drop(assign);
            // A thread that panicked has printed the reason.
            let _ = handle.join();
        }
    }
}

/// The state of a thread: its table, its searchers and its reporter.
struct ThreadWorker {
    table: Arc<Table>,
    searcher: Searcher,
    solver: Solver,
    reporter: Reporter,
}

/// The channel for the reports of a thread.
struct Reporter {
    thread: usize,
    reports: Sender<(usize, WorkerReply)>,
}

impl Reporter {
    fn report(&self, report: WorkerReply) {
        // There is no receiver while the pool is being dropped.
        let _ = self.reports.send((self.thread, report));
    }
}

impl ThreadWorker {
    /// Searches a piece of a work unit.
    fn search(
        &mut self,
        lease: LeaseNumber,
        tasks: &Tasks,
        job: (u8, WorkUnit),
        control: &WorkControl,
    ) {
        let start = Instant::now();
        let result = self
            .searcher
            .search((&self.table, tasks), job, control, &|event| {
                self.reporter.report(match event {
                    SearcherEvent::Solution(moves) => WorkerReply::Solution {
                        lease,
                        moves: moves.to_vec(),
                    },
                    SearcherEvent::Shared(part) => WorkerReply::Shared { lease, part },
                });
            });
        self.reporter.report(WorkerReply::Done {
            lease,
            result,
            took: start.elapsed(),
        });
    }

    /// Runs a two-phase search.
    fn search_upper_bound(&self, lease: LeaseNumber, search: &UpperBoundSearch) {
        let start = Instant::now();
        search.run(&mut |moves| {
            self.reporter.report(WorkerReply::Solution {
                lease,
                moves: moves.to_vec(),
            })
        });
        self.reporter.report(WorkerReply::Done {
            lease,
            result: WorkResult::default(),
            took: start.elapsed(),
        });
    }

    /// Solves positions one after the other. If stopped, reports the current position with the
    /// state of its search, and the positions that are not begun.
    fn solve(
        &self,
        (lease, request): (LeaseNumber, &Request),
        mut positions: VecDeque<PendingPosition>,
        control: &WorkControl,
    ) {
        let mut under_way = None;
        while !control.stop.is_cancelled()
            && let Some(PendingPosition {
                number: position,
                cube,
                known,
            }) = positions.pop_front()
        {
            let cancel = request.with_deadline(&control.stop);
            let options = Options {
                known_solution: known.as_deref(),
                ..request.batch_options()
            };
            let search = self
                .solver
                .search(&cube)
                .options(options)
                .with_cancel(&cancel);
            let (report, checkpoint) = search.resume(Checkpoint::default());
            if report.outcome == Outcome::Cancelled(CancelReason::Requested) {
                under_way = Some((position, checkpoint));
                break;
            }
            self.reporter.report(WorkerReply::Solved {
                lease,
                position,
                report,
            });
        }
        let not_begun = positions
            .into_iter()
            .map(|position| position.number)
            .collect();
        self.reporter.report(WorkerReply::Returned {
            lease,
            under_way,
            not_begun,
        });
    }
}
