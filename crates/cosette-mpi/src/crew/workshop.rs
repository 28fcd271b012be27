//! The threads of a rank: each searches its leases one after the other.

use super::messages::{Answer, LeaseNumber, Order};
use cosette::cube::{Format, ReadOptions, read_position};
use cosette::search::{Find, Orders, Part, Searcher, Tasks};
use cosette::table::Table;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// The threads of a rank, the leases they hold, and what they have to say.
pub struct Workshop {
    table: Arc<Table>,
    tasks: Option<Arc<Tasks>>,
    benches: Vec<(Sender<Job>, JoinHandle<()>)>,
    /// What may be asked of the leases that are not at their end.
    orders: HashMap<LeaseNumber, Orders>,
    answers: Receiver<Answer>,
}

/// A lease in the hands of a thread.
struct Job {
    lease: LeaseNumber,
    tasks: Arc<Tasks>,
    length: u8,
    part: Part,
    orders: Orders,
}

impl Workshop {
    /// Starts so many threads.
    ///
    /// # Errors
    /// If the system refuses one.
    pub fn open(table: Arc<Table>, threads: NonZeroUsize) -> std::io::Result<Workshop> {
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
            Order::Position(facelets) => {
                let read = read_position(&facelets, Some(Format::Facelets), &ReadOptions::default());
                let position = read.expect("it was a position when it was sent").cube;
                self.tasks = Some(Arc::new(Tasks::of(&position, &self.table)));
            }
            Order::Search { lease, thread, length, part } => {
                let tasks = Arc::clone(self.tasks.as_ref().expect("the position comes before its leases"));
                let orders = Orders::default();
                self.orders.insert(lease, orders.clone());
                let job = Job { lease, tasks, length, part, orders };
                self.benches[thread].0.send(job).expect("threads work until the workshop is closed");
            }
            // Where it is not there any more, its end is on the way.
            Order::Share(lease) => self.orders.get(&lease).into_iter().for_each(Orders::share),
            Order::Stop => self.orders.values().for_each(|orders| orders.stop.cancel()),
            Order::End => {}
        }
    }

    /// The next answer, waiting for it so long.
    pub fn answer(&mut self, patience: Duration) -> Option<Answer> {
        let answer = self.answers.recv_timeout(patience).ok()?;
        if let Answer::Done { lease, .. } = answer {
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

/// What a thread does.
fn work(table: &Table, jobs: &Receiver<Job>, answers: &Sender<Answer>) {
    let mut searcher = Searcher::default();
    let tell = |answer| {
        // Nobody listens any more where the workshop is being closed.
        let _ = answers.send(answer);
    };
    for Job { lease, tasks, length, part, orders } in jobs {
        let harvest = searcher.search((table, &tasks), (length, part), &orders, &|find| match find {
            Find::Solution(moves) => tell(Answer::Solution { lease, moves: moves.to_vec() }),
            Find::Shared(part) => tell(Answer::Shared { lease, part }),
        });
        tell(Answer::Done { lease, harvest });
    }
}
