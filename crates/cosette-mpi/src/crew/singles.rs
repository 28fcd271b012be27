//! Whole positions of a batch, each searched by one thread alone: so no thread waits for another.
//!
//! They are leased in small groups. When none is left to lease and threads are idle, the position that has been searched
//! longest is called back, with all that is proven of it; then all threads go on with it together.

use super::lead::{Lead, Thread};
use super::messages::{Answer, LeaseNumber, Order, Question};
use cosette::cube::Cube;
use cosette::search::distributed::Checkpoint;
use cosette_app::answer::Stop;
use cosette_app::batch::Searched;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// A group holds at most so many positions.
const MOST: usize = 16;
/// A group holds this share of what is left, divided by the number of threads.
const SHARE: usize = 8;
/// A position that has been searched for less is not called back: most are solved sooner.
const PATIENCE: Duration = Duration::from_millis(300);

/// The positions that are not solved.
#[derive(Default)]
pub(super) struct Singles {
    question: Option<Question>,
    queue: VecDeque<(usize, Cube)>,
    /// All of them by their places in the list.
    positions: BTreeMap<usize, Cube>,
    groups: BTreeMap<LeaseNumber, Group>,
    called_back: VecDeque<CalledBack>,
}

/// Positions in the hands of a thread.
struct Group {
    thread: usize,
    /// Since when the thread has been at it, or at the last one that was solved.
    since: Instant,
    is_called_back: bool,
}

/// A position that one thread has begun.
pub struct CalledBack {
    /// Its place in the list.
    pub number: usize,
    /// The position.
    pub position: Cube,
    /// Where its search stands.
    pub standing: Checkpoint,
    /// For how long it has been searched.
    pub spent: Duration,
}

impl Lead<'_> {
    /// Has positions of a list solved. They are in the order of the list.
    pub fn begin_singles(&mut self, question: Question, positions: Vec<(usize, Cube)>) {
        self.singles.question = Some(question);
        self.singles.positions = positions.iter().copied().collect();
        self.singles.queue = positions.into();
    }

    /// Whether all of them are solved, but for those that were called back.
    pub fn has_no_singles(&self) -> bool {
        self.singles.queue.is_empty() && self.singles.groups.is_empty()
    }

    /// The next position for all threads.
    pub fn next_called_back(&mut self) -> Option<CalledBack> {
        self.singles.called_back.pop_front()
    }

    /// Leases positions, calls back the longest where threads are idle, and hears what comes of it all.
    pub fn turn(&mut self) {
        self.lease_singles();
        self.call_back();
        self.hear(None);
    }

    /// Leaves off with all positions.
    pub fn stop_singles(&mut self) {
        self.singles.queue.clear();
        self.tell_all(&Order::Stop);
        while !self.singles.groups.is_empty() {
            self.hear(None);
        }
    }

    /// Gives positions to threads that have none.
    pub(super) fn lease_singles(&mut self) {
        let Some(question) = self.singles.question else { return };
        while !self.singles.queue.is_empty() {
            let Some(thread) = self.threads.iter().position(Thread::is_idle) else { return };
            let count = (self.singles.queue.len() / (SHARE * self.threads.len())).clamp(1, MOST);
            let group: Vec<(usize, Cube)> = self.singles.queue.drain(..count).collect();
            let positions = group.iter().map(|(number, position)| (*number, position.facelets())).collect();
            let lease = self.new_lease();
            self.singles.groups.insert(lease, Group { thread, since: Instant::now(), is_called_back: false });
            let Thread { rank, number, ref mut singles, .. } = self.threads[thread];
            *singles += 1;
            self.tell(rank, Order::Solve { lease, thread: number, question, positions });
        }
    }

    fn call_back(&mut self) {
        let is_awaited = !self.singles.called_back.is_empty() || self.singles.groups.values().any(|g| g.is_called_back);
        if is_awaited || !self.threads.iter().any(Thread::is_idle) {
            return;
        }
        let Some((&lease, group)) = self.singles.groups.iter_mut().min_by_key(|(_, group)| group.since) else { return };
        if group.since.elapsed() > PATIENCE {
            group.is_called_back = true;
            let rank = self.threads[group.thread].rank;
            self.tell(rank, Order::CallBack(lease));
        }
    }

    /// Takes note of what has been answered to a lease of positions.
    pub(super) fn hear_of_singles(&mut self, answer: Answer) {
        match answer {
            Answer::Solved { lease, number, report, is_late } => {
                self.singles.groups.get_mut(&lease).into_iter().for_each(|group| group.since = Instant::now());
                self.clerk.solved(Searched { number, report, stopped: is_late.then_some(Stop::Timeout) });
            }
            Answer::Left { lease, under_way, not_begun } => {
                let group = self.singles.groups.remove(&lease).expect("a lease ends once");
                self.threads[group.thread].singles -= 1;
                let singles = &mut self.singles;
                let not_begun = not_begun.into_iter().rev();
                not_begun.for_each(|number| singles.queue.push_front((number, singles.positions[&number])));
                singles.called_back.extend(under_way.map(|(number, standing)| CalledBack {
                    number,
                    position: singles.positions[&number],
                    standing,
                    spent: group.since.elapsed(),
                }));
            }
            // The end of a part that was left off.
            Answer::Solution { .. } | Answer::Shared { .. } | Answer::Done { .. } | Answer::Interrupted => {}
        }
    }
}
