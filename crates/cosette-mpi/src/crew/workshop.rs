//! The threads of a rank: each searches its leases one after the other.

use super::messages::{Answer, LeaseNumber, Order, Question};
use cosette::ThreadCount;
use cosette::cube::{Cube, Format, ReadOptions, read_position};
use cosette::search::distributed::{
    Checkpoint, Part, PartControl, PartResult, Searcher, SearcherEvent, Tasks, UpperBoundSearch,
};
use cosette::search::{Outcome, Solver};
use cosette::table::Table;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The threads of a rank, the leases they hold, and what they have to say.
pub struct Workshop {
    table: Arc<Table>,
    tasks: Option<Arc<Tasks>>,
    benches: Vec<(Sender<Job>, JoinHandle<()>)>,
    /// What may be asked of the leases that are not at their end.
    orders: HashMap<LeaseNumber, PartControl>,
    answers: Receiver<Answer>,
}

/// A lease in the hands of a thread.
struct Job {
    lease: LeaseNumber,
    orders: PartControl,
    work: Work,
}

/// What a lease is of.
enum Work {
    /// A part of an iteration.
    Part { tasks: Arc<Tasks>, length: u8, part: Part },
    /// A two-phase search.
    TwoPhase(UpperBoundSearch),
    /// Whole positions.
    Positions { question: Question, positions: VecDeque<(usize, Cube)> },
}

impl Workshop {
    /// Starts so many threads.
    ///
    /// # Errors
    /// If the system refuses one.
    pub fn open(table: Arc<Table>, threads: ThreadCount) -> std::io::Result<Workshop> {
        let (tell, answers) = mpsc::channel();
        let bench = |_| {
            let (give, jobs) = mpsc::channel();
            let (table, tell) = (Arc::clone(&table), tell.clone());
            let thread = std::thread::Builder::new().spawn(move || work(&table, &jobs, &tell))?;
            Ok((give, thread))
        };
        let benches = (0..threads.get()).map(bench).collect::<std::io::Result<_>>()?;
        Ok(Workshop { table, tasks: None, benches, orders: HashMap::new(), answers })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.benches.len()
    }

    /// Does what the first rank says.
    ///
    /// # Panics
    /// If the order makes no sense: a lease before there is a position, or for a thread that does not exist.
    pub fn take(&mut self, order: Order) {
        match order {
            Order::Position(facelets) => self.tasks = Some(Arc::new(Tasks::of(&read(&facelets), &self.table))),
            Order::Search { lease, thread, length, part } => {
                let tasks = Arc::clone(self.tasks.as_ref().expect("the position comes before its leases"));
                self.give(thread, lease, Work::Part { tasks, length, part });
            }
            Order::Solve { lease, thread, question, positions } => {
                let positions = positions.iter().map(|(number, facelets)| (*number, read(facelets))).collect();
                self.give(thread, lease, Work::Positions { question, positions });
            }
            // Where a lease is not there any more, its end is on the way.
            Order::Share(lease) => self.orders.get(&lease).into_iter().for_each(PartControl::share),
            Order::CallBack(lease) => self.orders.get(&lease).into_iter().for_each(|orders| orders.stop.cancel()),
            Order::Stop => self.orders.values().for_each(|orders| orders.stop.cancel()),
            Order::End => {}
        }
    }

    /// The leases to come are of these root tasks.
    pub fn set_tasks(&mut self, tasks: &Arc<Tasks>) {
        self.tasks = Some(Arc::clone(tasks));
    }

    /// Has a thread ask a two-phase search, which counts for nothing.
    pub fn ask_two_phase(&mut self, thread: usize, lease: LeaseNumber, aside: UpperBoundSearch) {
        self.give(thread, lease, Work::TwoPhase(aside));
    }

    fn give(&mut self, thread: usize, lease: LeaseNumber, work: Work) {
        let orders = PartControl::default();
        self.orders.insert(lease, orders.clone());
        self.benches[thread].0.send(Job { lease, orders, work }).expect("threads work until the workshop is closed");
    }

    /// The next answer, waiting for it so long.
    pub fn answer(&mut self, patience: Duration) -> Option<Answer> {
        let answer = self.answers.recv_timeout(patience).ok()?;
        if let Answer::Done { lease, .. } | Answer::Left { lease, .. } = answer {
            self.orders.remove(&lease);
        }
        Some(answer)
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        self.take(Order::Stop);
        for (jobs, thread) in self.benches.drain(..) {
            drop(jobs);
            // A thread that has panicked has said so.
            let _ = thread.join();
        }
    }
}

/// The position with these facelets.
fn read(facelets: &str) -> Cube {
    let read = read_position(facelets, Some(Format::Facelets), &ReadOptions::default());
    read.expect("it was a position when it was sent").cube
}

/// What a thread does.
fn work(table: &Arc<Table>, jobs: &Receiver<Job>, answers: &Sender<Answer>) {
    let mut searcher = Searcher::default();
    let solver = Solver::new(Arc::clone(table), ThreadCount::ONE);
    let tell = |answer| {
        // Nobody listens any more where the workshop is being closed.
        let _ = answers.send(answer);
    };
    for Job { lease, orders, work } in jobs {
        let start = Instant::now();
        match work {
            Work::Part { tasks, length, part } => {
                let result = searcher.search((table, &tasks), (length, part), &orders, &|find| match find {
                    SearcherEvent::Solution(moves) => tell(Answer::Solution { lease, moves: moves.to_vec() }),
                    SearcherEvent::Shared(part) => tell(Answer::Shared { lease, part }),
                });
                tell(Answer::Done { lease, result, took: start.elapsed() });
            }
            Work::TwoPhase(aside) => {
                aside.run(&mut |moves| tell(Answer::Solution { lease, moves: moves.to_vec() }));
                tell(Answer::Done { lease, result: PartResult::default(), took: start.elapsed() });
            }
            Work::Positions { question, mut positions } => {
                let under_way = solve(&solver, (lease, &question), &mut positions, &orders, &tell);
                let not_begun = positions.into_iter().map(|(number, _)| number).collect();
                tell(Answer::Left { lease, under_way, not_begun });
            }
        }
    }
}

/// Solves positions one after the other. Where it is told to stop, the one under way, and where its search stands.
fn solve(
    solver: &Solver,
    (lease, question): (LeaseNumber, &Question),
    positions: &mut VecDeque<(usize, Cube)>,
    orders: &PartControl,
    tell: &dyn Fn(Answer),
) -> Option<(usize, Checkpoint)> {
    while !orders.stop.is_cancelled() {
        let (number, position) = positions.pop_front()?;
        let cancel = question.timeout.map_or(orders.stop.clone(), |timeout| orders.stop.child_with_timeout(timeout));
        let search = solver.search(&position).options(question.options()).cancel(&cancel);
        let (report, standing) = search.resume(Checkpoint::default());
        if orders.stop.is_cancelled() && report.outcome == Outcome::Cancelled {
            return Some((number, standing));
        }
        tell(Answer::Solved { lease, number, report, is_late: cancel.is_cancelled() });
    }
    None
}
