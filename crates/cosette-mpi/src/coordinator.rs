//! The first rank coordinates all ranks: it hands out the work by messages, and collects the
//! results.
//!
//! The coordinator runs the same iterations as `cosette solve`. The threads of one process take
//! root tasks one by one. The coordinator instead hands out *leases*: a lease has several tasks for
//! all threads of a rank. The [dispatcher](crate::dispatcher) chooses them. All ranks number the
//! tasks in the same way, because tasks depend only on the position and the table. So a lease is
//! sent as a list of numbers. The messages that the diagram omits are in `worker_pool`.
//!
//! ```text
//! coordinator                        every rank
//!
//! Position(p)                  ──►   split p into root tasks
//! Search(lease, length, part)  ──►   divide it among the threads, the most promising tasks first
//!                              ◄──   Solution(moves), as soon as it is found
//!                              ◄──   Done(nodes, probes, priority of each task), once searched
//! Share(lease)                 ──►   sent to the oldest lease while another rank is idle
//!                              ◄──   Shared(half of its tasks or open nodes): a lease for others
//! Stop(lease)                  ──►   stop
//!                              ◄──   Done(…, the remaining work)
//! ```

use crate::dispatcher::{Action, Dispatcher, LeaseCommand, expected_time};
use crate::hosts::Team;
use crate::split_iteration::{SharedPart, SplitIteration, earlier_open_nodes};
use crate::worker_pool::{WorkerCommand, WorkerPool, WorkerReply};
use crate::world::World;
use cosette::cube::Cube;
use cosette::search::distributed::{Checkpoint, Executor, Iteration, ThreadExecutor, WorkUnit};
use cosette::search::{Event, Options, Report, Solver};
use cosette::table::Table;
use cosette::{Cancel, ThreadCount};
use cosette_app::batch::{PendingPosition, SearchedPosition};
use cosette_app::cli::interrupt;
use cosette_app::request::Request;
use cosette_app::search_journal::{FinishedUnit, JournalWriter};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Minimum number of nodes of the previous iteration to use all ranks: otherwise an iteration takes
/// less time on the first rank alone than the messages would.
pub const MIN_NODES: u64 = 500;

/// The invariant that the leases of an iteration end before the iteration does.
const RUNNING: &str = "there is an iteration";

/// An observer of the progress of the work.
pub trait ProgressObserver {
    /// Called when a work unit has been searched.
    fn part_done(&mut self, _: FinishedUnit) {}
    /// Called when the search of a position of a batch has ended.
    fn position_done(&mut self, _: SearchedPosition) {}
    /// Called once a millisecond or more often.
    fn tick(&mut self) {}
}

/// Records progress in the journal, if there is one.
impl ProgressObserver for Option<JournalWriter> {
    fn part_done(&mut self, part: FinishedUnit) {
        if let Some(writer) = self {
            writer.record_part(part);
        }
    }

    fn tick(&mut self) {
        self.iter().for_each(JournalWriter::commit_if_due);
    }
}

/// Sends the end of the work to all other ranks.
pub fn end_all(world: &World) {
    world.send_to_others(&WorkerCommand::End);
}

/// The coordinator: the first rank, which controls all others.
pub struct SearchCoordinator<'a> {
    world: &'a World,
    table: Arc<Table>,
    pool: WorkerPool,
    /// Searches short iterations, which are not worth a message, on this rank alone.
    alone: ThreadExecutor,
    dispatcher: Dispatcher<SharedPart>,
    start: Instant,
    /// The length of the last iteration, and its search time, summed over all threads.
    last_iteration: Option<(u8, Duration)>,
    request: Request,
    positions: BTreeMap<usize, PendingPosition>,
    preempted: VecDeque<PreemptedSearch>,
    observer: Box<dyn ProgressObserver + 'a>,
}

/// A position whose search by one thread was stopped so that all threads can continue it.
pub struct PreemptedSearch {
    /// The position.
    pub position: PendingPosition,
    /// The state of its search.
    pub checkpoint: Checkpoint,
    /// The time spent on its search.
    pub spent: Duration,
}

impl<'a> SearchCoordinator<'a> {
    /// Creates the coordinator of a team of ranks.
    pub fn new(team: Team<'a>, observer: impl ProgressObserver + 'a) -> SearchCoordinator<'a> {
        let Team {
            world,
            table,
            pool,
            threads,
        } = team;
        SearchCoordinator {
            world,
            table,
            pool,
            alone: ThreadExecutor::new(ThreadCount::ONE),
            dispatcher: Dispatcher::new(&threads),
            start: Instant::now(),
            last_iteration: None,
            request: Request::default(),
            positions: BTreeMap::new(),
            preempted: VecDeque::new(),
            observer: Box::new(observer),
        }
    }

    /// Searches a position with all threads of all ranks.
    pub fn search(
        &mut self,
        (position, options, checkpoint): (&Cube, &Options<'_>, Checkpoint),
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Report {
        self.last_iteration = None;
        // The other ranks split the position into root tasks while this rank searches the first
        // iterations.
        self.world
            .send_to_others(&WorkerCommand::Position(*position));
        let solver = Solver::new(Arc::clone(&self.table), ThreadCount::ONE);
        let search = solver
            .search(position)
            .options(*options)
            .with_cancel(cancel)
            .on_event(on_event);
        search.resume_with(self, checkpoint).0
    }

    /// Begins to solve positions of a list, in order, each with one thread.
    pub fn begin_positions(&mut self, request: Request, positions: Vec<PendingPosition>) {
        self.request = request;
        self.dispatcher
            .add_positions(positions.iter().map(|position| position.number));
        self.positions.extend(
            positions
                .into_iter()
                .map(|position| (position.number, position)),
        );
    }

    /// Returns `true` if all positions of the list are solved, except the preempted ones.
    pub fn positions_are_done(&self) -> bool {
        self.dispatcher.positions_are_done()
    }

    /// Returns the next position for all threads to continue together.
    pub fn next_preempted(&mut self) -> Option<PreemptedSearch> {
        self.preempted.pop_front()
    }

    /// Hands out the available work, and records the replies that have arrived.
    pub fn advance(&mut self) {
        self.act(None);
        self.listen(None);
    }

    /// Stops all positions.
    pub fn stop_positions(&mut self) {
        let stops = self.dispatcher.stop_positions();
        self.perform_all(stops, None);
        while !self.positions_are_done() {
            self.listen(None);
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn send(&mut self, rank: usize, command: WorkerCommand) {
        if rank == self.world.rank() {
            self.pool.execute(command)
        } else {
            self.world.send(rank, &command)
        }
    }

    /// Performs the pending actions of the dispatcher.
    fn act(&mut self, mut iteration: Option<&mut SplitIteration<'_, '_>>) {
        while let Some(lease) = self.dispatcher.next_lease(self.now()) {
            self.perform(lease, iteration.as_deref_mut());
        }
        let requests = self.dispatcher.requests(self.now());
        self.perform_all(requests, iteration);
    }

    fn perform_all(
        &mut self,
        actions: Vec<Action<SharedPart>>,
        mut iteration: Option<&mut SplitIteration<'_, '_>>,
    ) {
        actions
            .into_iter()
            .for_each(|action| self.perform(action, iteration.as_deref_mut()));
    }

    fn perform(
        &mut self,
        action: Action<SharedPart>,
        iteration: Option<&mut SplitIteration<'_, '_>>,
    ) {
        let Action {
            lease,
            rank,
            command,
        } = action;
        let command = match command {
            LeaseCommand::Search(indices) => iteration.expect(RUNNING).search(lease, &indices),
            LeaseCommand::SearchShared(shared) => {
                iteration.expect(RUNNING).search_shared(lease, shared)
            }
            LeaseCommand::Solve { thread, positions } => {
                let positions = positions.iter().map(|number| &self.positions[number]);
                WorkerCommand::Solve {
                    lease,
                    thread,
                    request: Box::new(self.request.clone()),
                    positions: positions.cloned().collect(),
                }
            }
            LeaseCommand::Share => WorkerCommand::Share(lease),
            LeaseCommand::Stop => WorkerCommand::Stop(lease),
        };
        self.send(rank, command);
    }

    /// Returns the replies that have arrived; if there are none, waits a moment.
    fn replies(&mut self) -> Vec<WorkerReply> {
        let mut replies: Vec<WorkerReply> =
            std::iter::from_fn(|| Some(self.world.receive()?.1)).collect();
        if !replies.is_empty() {
            self.pool.note_message();
        }
        let interval = self.pool.poll_interval(self.dispatcher.has_idle_ranks());
        let wait = if replies.is_empty() {
            interval
        } else {
            Duration::ZERO
        };
        replies.extend(self.pool.next_reply(wait));
        replies.extend(std::iter::from_fn(|| self.pool.next_reply(Duration::ZERO)));
        self.observer.tick();
        replies
    }

    /// Records the replies that have arrived.
    fn listen(&mut self, mut iteration: Option<&mut SplitIteration<'_, '_>>) {
        for reply in self.replies() {
            self.record(reply, iteration.as_deref_mut());
        }
    }

    /// Records a reply.
    fn record(&mut self, reply: WorkerReply, iteration: Option<&mut SplitIteration<'_, '_>>) {
        let now = self.now();
        match reply {
            WorkerReply::Solution { lease, moves } => iteration.expect(RUNNING).found(lease, moves),
            WorkerReply::Shared { lease, part } => {
                let part = iteration.expect(RUNNING).shared(lease, part);
                self.dispatcher.shared(now, lease, part);
            }
            WorkerReply::Done {
                lease,
                result,
                took,
            } => {
                let is_complete = result.left.is_empty();
                self.dispatcher.done(now, lease, took, is_complete);
                if let Some(part) = iteration.expect(RUNNING).done(lease, result, took) {
                    self.observer.part_done(part);
                }
            }
            WorkerReply::Solved {
                lease,
                position: number,
                report,
            } => {
                self.dispatcher.position_solved(now, lease);
                self.observer
                    .position_done(SearchedPosition { number, report });
            }
            WorkerReply::Returned {
                lease,
                under_way,
                not_begun,
            } => {
                let spent = self.dispatcher.positions_returned(now, lease, not_begun);
                let preempted = under_way.map(|(number, checkpoint)| PreemptedSearch {
                    position: self.positions[&number].clone(),
                    checkpoint,
                    spent,
                });
                self.preempted.extend(preempted);
            }
            // Usually this rank was interrupted as well.
            WorkerReply::Interrupted if interrupt::is_requested() => {}
            WorkerReply::Interrupted => interrupt::request(),
        }
    }

    /// Searches an iteration with all ranks. Returns the remaining work, and the search time,
    /// summed over all threads.
    fn search_split(&mut self, iteration: &Iteration<'_>) -> (WorkUnit, Duration) {
        self.pool.set_tasks(iteration.tasks());
        let tasks = iteration.remaining().tasks.len();
        let expected = self
            .last_iteration
            .and_then(|last| expected_time(last, iteration.length(), iteration.metric()));
        let work_before: Vec<u64> = (0..=tasks)
            .map(|count| iteration.work_in_first(count))
            .collect();
        self.dispatcher.begin(
            work_before.clone(),
            earlier_open_nodes(iteration, self.pool.threads()),
            expected,
        );
        if tasks > 0 && iteration.upper_bound_search().is_some() {
            // A unit without work is recorded so that a resumed search does not repeat the
            // two-phase search.
            self.observer.part_done(FinishedUnit {
                length: iteration.length(),
                ..FinishedUnit::default()
            });
            self.search_upper_bound(iteration);
        }
        let mut split = SplitIteration::new(iteration, work_before);
        while !iteration.is_stopped() && !self.dispatcher.iteration_is_over() {
            self.act(Some(&mut split));
            if self.dispatcher.is_running_out() {
                iteration.mark_all_started();
            }
            self.listen(Some(&mut split));
        }
        let stopping = Instant::now();
        let stops = self.dispatcher.stop();
        self.perform_all(stops, None);
        while self.dispatcher.has_leases() {
            self.listen(Some(&mut split));
        }
        tracing::debug!(elapsed = ?stopping.elapsed(), "all threads have stopped");
        let (indices, shared) = self.dispatcher.take_unleased();
        let (remaining, search_time, begun) = split.end(&indices, shared);
        begun
            .into_iter()
            .for_each(|part| self.observer.part_done(part));
        (remaining, search_time)
    }

    /// Runs the two-phase search in a thread of this rank, if the iteration includes one and a
    /// thread is free.
    fn search_upper_bound(&mut self, iteration: &Iteration<'_>) {
        let Some(search) = iteration.upper_bound_search() else {
            return;
        };
        // This lease is sent here, not by `perform`.
        if let Some((lease, thread)) = self.dispatcher.reserve(self.world.rank()) {
            self.pool.search_upper_bound(thread, lease, search.clone());
        }
    }
}

impl Executor for SearchCoordinator<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        let start = Instant::now();
        let (remaining, search_time) =
            if !iteration.is_split() || iteration.nodes_before() < MIN_NODES {
                (self.alone.search(iteration), start.elapsed())
            } else {
                self.search_split(iteration)
            };
        self.last_iteration = Some((iteration.length(), search_time));
        remaining
    }
}

impl Drop for SearchCoordinator<'_> {
    fn drop(&mut self) {
        end_all(self.world);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::search::distributed::WorkResult;

    /// Returns the command to search some root tasks.
    fn search_command(lease: u64, tasks: impl Iterator<Item = u16>) -> WorkerCommand {
        let part = WorkUnit {
            tasks: tasks.collect(),
            nodes: Vec::new(),
        };
        WorkerCommand::Search {
            lease,
            length: 17,
            part,
        }
    }

    /// Leases the tasks of an iteration to ranks that reply at once. Prints the time for a message.
    fn lease_all(ranks: usize) {
        // About as many tasks as a position has.
        let work_before = (0..=43_000).map(|task| 100 * task).collect();
        let mut dispatcher: Dispatcher<WorkUnit> = Dispatcher::new(&vec![1; ranks]);
        dispatcher.begin(work_before, VecDeque::new(), None);
        let mut replies: VecDeque<Vec<u8>> = VecDeque::new();
        let begin = Instant::now();
        let mut spent = Duration::ZERO;
        let mut messages = 0;
        loop {
            let start = Instant::now();
            let mut commands = Vec::new();
            while let Some(action) = dispatcher.next_lease(begin.elapsed()) {
                if let LeaseCommand::Search(indices) = action.command {
                    let tasks = indices.into_iter().map(|index| index as u16);
                    let command = search_command(action.lease, tasks);
                    commands.push((postcard::to_stdvec(&command).unwrap(), command));
                }
            }
            spent += start.elapsed();
            for (_, command) in &commands {
                if let WorkerCommand::Search { lease, part, .. } = command {
                    let priority = part.tasks.iter().map(|&task| (task, 1000));
                    let done = WorkerReply::Done {
                        lease: *lease,
                        result: WorkResult {
                            priority: priority.collect(),
                            ..WorkResult::default()
                        },
                        took: Duration::from_millis(10),
                    };
                    replies.push_back(postcard::to_stdvec(&done).unwrap());
                }
            }
            messages += commands.len() + 1;
            let Some(reply) = replies.pop_front() else {
                break;
            };
            let start = Instant::now();
            if let Ok(WorkerReply::Done { lease, took, .. }) = postcard::from_bytes(&reply) {
                dispatcher.done(begin.elapsed(), lease, took, true);
            }
            spent += start.elapsed();
        }
        let per_message = spent / messages as u32;
        println!("{ranks} ranks: {per_message:?} for each of {messages} messages");
    }

    /// Measures the time that the coordinator takes for a message, which is the service time in the
    /// simulation: the time of the dispatcher and, under `mpirun -np 2`, the time of MPI.
    #[test]
    #[ignore = "a measurement"]
    fn service_time_of_the_coordinator() {
        let world = World::start();
        if world.is_first() {
            [1, 2, 8, 64, 512, 4096].into_iter().for_each(lease_all);
        }
        const COUNT: u32 = 10_000;
        let command = search_command(1, 0..300);
        let send = || (0..COUNT).for_each(|_| world.send(1 - world.rank(), &command));
        let receive =
            || (0..COUNT).for_each(|_| while world.receive::<WorkerCommand>().is_none() {});
        let timed = |what: &str, pass: &dyn Fn()| {
            let start = Instant::now();
            pass();
            println!("{what}: {:?} a message", start.elapsed() / COUNT);
        };
        match (world.size(), world.rank()) {
            (2, 0) => {
                world.barrier();
                timed("receiving", &receive);
                timed("sending", &send);
            }
            (2, _) => {
                send();
                world.barrier();
                receive();
            }
            _ => {}
        }
        world.barrier();
    }
}
