//! A rank and its cores: its dispatcher assigns [pieces](TaskSpans) of its leases to them, and each
//! core searches one at a time.

use crate::model::{Nanos, SimulatedTask};
use cosette_mpi::dispatcher::{
    Divisible, LeaseCommand, LeaseNumber, PieceProgress, ShareOutcome, ThreadDispatcher,
};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// A message from a rank to the coordinator.
pub enum CoreReply {
    Solution,
    Shared(LeaseNumber, Option<TaskSpans>),
    /// The lease has ended, after the cores have searched it for this time together.
    Done(LeaseNumber, Nanos),
}

pub struct SimulatedRank<'a> {
    tasks: &'a [SimulatedTask],
    /// `true` if solutions are reported as soon as they are found.
    reports: bool,
    dispatcher: ThreadDispatcher<TaskSpans>,
    cores: Vec<Core>,
    hand_over: Nanos,
    /// Search time of each lease.
    took: BTreeMap<LeaseNumber, Nanos>,
    /// `true` if another check is scheduled.
    is_scheduled: bool,
    /// Messages to be sent to the coordinator.
    pub replies: Vec<CoreReply>,
}

fn duration(time: Nanos) -> Duration {
    Duration::from_nanos(time)
}

impl<'a> SimulatedRank<'a> {
    pub fn new(
        tasks: &'a [SimulatedTask],
        reports: bool,
        threads: usize,
        hand_over: Nanos,
    ) -> SimulatedRank<'a> {
        SimulatedRank {
            tasks,
            reports,
            dispatcher: ThreadDispatcher::new(threads),
            cores: (0..threads).map(|_| Core::default()).collect(),
            hand_over,
            took: BTreeMap::new(),
            is_scheduled: false,
            replies: Vec::new(),
        }
    }

    /// Total search time of all its cores.
    pub fn searched(&self) -> Nanos {
        self.cores.iter().map(|core| core.searched).sum()
    }

    /// Returns `true` if one of its cores is idle.
    pub fn waits(&self) -> bool {
        self.dispatcher.has_idle_threads()
    }

    /// Receives a command of the coordinator.
    pub fn take(&mut self, time: Nanos, lease: LeaseNumber, command: LeaseCommand<TaskSpans>) {
        match command {
            LeaseCommand::Search(places) => {
                self.take_piece(lease, TaskSpans::of(self.tasks, &places))
            }
            LeaseCommand::SearchShared(piece) => self.take_piece(lease, piece),
            LeaseCommand::Solve { .. } => unreachable!("only one position is simulated"),
            LeaseCommand::Share => match self.dispatcher.share(lease) {
                ShareOutcome::Given(piece) => self.replies.push(CoreReply::Shared(lease, piece)),
                ShareOutcome::Asked(cores) => {
                    cores.into_iter().for_each(|core| self.share(time, core))
                }
                ShareOutcome::Ended => {}
            },
            LeaseCommand::Stop => {
                let (_, cores, has_ended) = self.dispatcher.stop(lease);
                cores.into_iter().for_each(|core| self.end(time, core));
                if has_ended {
                    self.end_lease(lease);
                }
            }
        }
    }

    fn take_piece(&mut self, lease: LeaseNumber, piece: TaskSpans) {
        self.took.insert(lease, 0);
        self.dispatcher.add(lease, piece);
    }

    /// Processes an event of a core that was scheduled when it had this version; returns `true` if
    /// the event is not outdated.
    pub fn step(&mut self, time: Nanos, core: usize, version: u64) -> bool {
        if self.cores[core].version != version {
            return false;
        }
        match self.cores[core].next(self.tasks, self.reports) {
            Some((_, Next::Solution)) => {
                self.cores[core].is_reported = true;
                self.cores[core].version += 1;
                self.replies.push(CoreReply::Solution);
            }
            Some((_, Next::End)) => self.end(time, core),
            None => {}
        }
        true
    }

    /// A core gives half of its piece away.
    fn share(&mut self, time: Nanos, core: usize) {
        let piece = self.cores[core].share(time);
        if let Some((lease, given)) = self.dispatcher.shared(duration(time), core, piece) {
            self.replies.push(CoreReply::Shared(lease, given));
        }
    }

    /// The piece of a core has ended, or is stopped.
    fn end(&mut self, time: Nanos, core: usize) {
        let took = self.cores[core].end(time);
        let PieceProgress {
            lease,
            given,
            has_ended,
        } = self.dispatcher.done(core);
        *self
            .took
            .get_mut(&lease)
            .expect("a lease ends after its pieces") += took;
        self.replies
            .extend(given.map(|(lease, piece)| CoreReply::Shared(lease, piece)));
        if has_ended {
            self.end_lease(lease);
        }
    }

    fn end_lease(&mut self, lease: LeaseNumber) {
        self.replies.push(CoreReply::Done(
            lease,
            self.took.remove(&lease).expect("a lease ends once"),
        ));
    }

    /// Ends the wait.
    pub fn wake(&mut self) {
        self.is_scheduled = false;
    }

    /// Assigns work to idle cores. Returns `true` if this must be called again after some time, and
    /// no such call is scheduled yet.
    pub fn hand_out(&mut self, time: Nanos) -> bool {
        loop {
            while let Some((core, _, piece)) = self.dispatcher.next_piece(duration(time)) {
                self.cores[core].take(time + self.hand_over, piece);
            }
            let asked = self.dispatcher.requests(duration(time));
            if asked.is_empty() {
                break;
            }
            asked.into_iter().for_each(|core| self.share(time, core));
        }
        let looks_again = !self.took.is_empty() && self.waits();
        looks_again && !std::mem::replace(&mut self.is_scheduled, true)
    }

    /// Returns the cores whose next events have changed, with their times and versions.
    pub fn changed(&mut self) -> Vec<(usize, Nanos, u64)> {
        let mut changed = Vec::new();
        for (number, core) in self.cores.iter_mut().enumerate() {
            if std::mem::replace(&mut core.scheduled, core.version) != core.version {
                let next = core.next(self.tasks, self.reports);
                changed.extend(next.map(|(at, _)| (number, at, core.version)));
            }
        }
        changed
    }
}

/// The next action of a core, unless a request comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Solution,
    End,
}

#[derive(Debug, Default)]
struct Core {
    piece: Option<TaskSpans>,
    /// The time up to which it is searched.
    now: Nanos,
    /// Start time of the search.
    since: Nanos,
    /// Total search time of all its pieces.
    searched: Nanos,
    /// `true` if the next solution has been reported.
    is_reported: bool,
    /// Counts changes, so that outdated events can be recognized; and the version whose next event
    /// is scheduled.
    version: u64,
    scheduled: u64,
}

impl Core {
    fn take(&mut self, time: Nanos, piece: TaskSpans) {
        (self.now, self.since) = (time, time);
        self.piece = Some(piece);
        self.version += 1;
    }

    /// Returns the next action and its time; `None` if the core has no piece.
    fn next(&self, tasks: &[SimulatedTask], reports: bool) -> Option<(Nanos, Next)> {
        let piece = self.piece.as_ref()?;
        let solution = if reports && !self.is_reported {
            piece.solution(tasks)
        } else {
            None
        };
        Some(match solution {
            Some(after) => (self.now + after, Next::Solution),
            None => (self.now + piece.cost(), Next::End),
        })
    }

    /// Ends its piece, finished or not. Returns its search time.
    fn end(&mut self, time: Nanos) -> Nanos {
        self.piece = None;
        self.advance_to(time);
        time.saturating_sub(self.since)
    }

    /// Gives half of its piece away, which may be nothing.
    fn share(&mut self, time: Nanos) -> Option<TaskSpans> {
        // The piece may not have begun yet.
        let searched = time.saturating_sub(self.now);
        self.advance_to(time);
        let piece = self.piece.as_mut()?;
        piece.advance(searched);
        Some(piece.give_half()).filter(|piece| !piece.is_empty())
    }

    /// Advances the search to this time.
    fn advance_to(&mut self, time: Nanos) {
        self.searched += time.saturating_sub(self.now);
        self.now = self.now.max(time);
        self.version += 1;
    }
}

/// Minimum rest of a task that is worth giving away: nodes near the threshold stay where they are.
const MIN_SPAN: Nanos = 20_000;

/// Some of a task, or all of it, as a span of its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    task: usize,
    from: Nanos,
    to: Nanos,
}

/// Spans of tasks, searched in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskSpans(VecDeque<Span>);

impl TaskSpans {
    /// Whole tasks.
    pub fn of(tasks: &[SimulatedTask], numbers: &[usize]) -> TaskSpans {
        TaskSpans(
            numbers
                .iter()
                .map(|&task| Span {
                    task,
                    from: 0,
                    to: tasks[task].cost,
                })
                .collect(),
        )
    }

    /// Returns the cost of the piece.
    pub fn cost(&self) -> Nanos {
        self.0.iter().map(|span| span.to - span.from).sum()
    }

    /// Returns `true` if the piece is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the time from now until the first solution is found.
    pub fn solution(&self, tasks: &[SimulatedTask]) -> Option<Nanos> {
        let mut before = 0;
        for span in &self.0 {
            match tasks[span.task].solution {
                Some(at) if span.from < at && at <= span.to => {
                    return Some(before + at - span.from);
                }
                _ => before += span.to - span.from,
            }
        }
        None
    }

    /// Takes away what was searched in this time.
    pub fn advance(&mut self, mut time: Nanos) {
        while let Some(span) = self.0.front_mut() {
            let searched = time.min(span.to - span.from);
            span.from += searched;
            time -= searched;
            if span.from < span.to {
                return;
            }
            self.0.pop_front();
        }
    }

    /// Takes away half of it: the last half of the tasks that are not begun, and half of the rest
    /// of the one that is.
    ///
    /// A searcher gives every other open node, which is about half of what is left of the task.
    pub fn give_half(&mut self) -> TaskSpans {
        let keep = self.0.len() - self.0.len().saturating_sub(1) / 2;
        let mut given = self.0.split_off(keep);
        if let Some(first) = self.0.front_mut()
            && first.to - first.from >= MIN_SPAN
        {
            let middle = first.from + (first.to - first.from) / 2;
            given.push_front(Span {
                from: middle,
                ..*first
            });
            first.to = middle;
        }
        TaskSpans(given)
    }
}

impl Divisible for TaskSpans {
    fn divide(self, pieces: usize) -> Vec<TaskSpans> {
        let pieces = pieces.min(self.0.len()).max(1);
        let mut divided = vec![TaskSpans::default(); pieces];
        self.0
            .into_iter()
            .enumerate()
            .for_each(|(at, span)| divided[at % pieces].0.push_back(span));
        divided
    }

    fn join(&mut self, other: TaskSpans) {
        self.0.extend(other.0);
    }
}
