//! How long the coordinator is busy with a message: what the simulation takes as its service time.

use super::{Action, Command, Dispatcher};
use crate::messages::{Order, Reply};
use crate::world::World;
use cosette::cube::{Metric, random_positions};
use cosette::search::distributed::{Checkpoint, Counts, Executor, Iteration, Part, PartResult, ThreadExecutor};
use cosette::search::{Options, Solver};
use cosette::table::{Table, TableId};
use cosette::{Control, ThreadCount};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long every lease is reported to take.
const TOOK: Duration = Duration::from_millis(10);

/// Leases root tasks and takes their results, but searches none.
struct FakeExecutor {
    alone: ThreadExecutor,
    ranks: usize,
}

impl Executor for FakeExecutor {
    fn search(&mut self, iteration: &Iteration<'_>) -> Part {
        if !iteration.is_cut() {
            return self.alone.search(iteration);
        }
        let (length, tasks) = (iteration.length(), &iteration.left().tasks);
        let mut dispatcher: Dispatcher<Part> = Dispatcher::new(&vec![1; self.ranks]);
        let work_before = (0..=tasks.len()).map(|count| iteration.work_in_first(count)).collect();
        dispatcher.begin(work_before, VecDeque::new(), None);
        let mut replies: VecDeque<Vec<u8>> = VecDeque::new();
        let (begin, mut spent, mut messages) = (Instant::now(), Duration::ZERO, 0_u32);
        loop {
            let start = Instant::now();
            let mut requests = Vec::new();
            while let Some(action) = dispatcher.next_lease(begin.elapsed()) {
                let Action { lease, command: Command::Search(places), .. } = action else { unreachable!() };
                let part = Part { tasks: places.iter().map(|&place| tasks[place]).collect(), nodes: Vec::new() };
                requests.push(Order::Search { lease, length, part });
            }
            let encoded: Vec<Vec<u8>> = requests.iter().map(|request| postcard::to_stdvec(request).unwrap()).collect();
            messages += encoded.len() as u32;
            spent += start.elapsed();
            replies.extend(requests.iter().map(reply));
            let Some(reply) = replies.pop_front() else { break };
            let start = Instant::now();
            let Ok(Reply::Done { lease, result, took }) = postcard::from_bytes(&reply) else { unreachable!() };
            dispatcher.done(begin.elapsed(), lease, took, result.left.is_empty());
            spent += start.elapsed();
            messages += 1;
        }
        let each = spent.as_secs_f64() / f64::from(messages) * 1e6;
        println!("{} ranks, length {length}: {each:.1} µs for each of {messages} messages", self.ranks);
        Part::default()
    }
}

fn reply(request: &Order) -> Vec<u8> {
    let Order::Search { lease, part, .. } = request else { unreachable!() };
    let priority = part.tasks.iter().map(|&task| (task, 1000)).collect();
    let result = PartResult { counts: Counts { nodes: 100_000, probes: 400_000 }, priority, left: Part::default() };
    postcard::to_stdvec(&Reply::Done { lease: *lease, result, took: TOOK }).unwrap()
}

/// Under `mpirun -np 2`, also how long MPI takes.
#[test]
#[ignore = "a measurement"]
fn service_time_of_the_coordinator() {
    let one = ThreadCount::ONE;
    let id = TableId { metric: Metric::Htm, size: "24M".parse().unwrap() };
    let world = World::start();
    if world.is_first() {
        let table = Arc::new(Table::generate(id, &Control::new(one)).unwrap());
        let position = random_positions(2006).next().unwrap();
        for ranks in [1, 2, 8, 64, 512, 4096] {
            let mut executor = FakeExecutor { alone: ThreadExecutor::new(one), ranks };
            let options = Options { max_length: Some(16), ..Options::default() };
            let solver = Solver::new(Arc::clone(&table), one);
            solver.search(&position).options(options).resume_with(&mut executor, Checkpoint::default());
        }
    }
    world.barrier();
    let part = Part { tasks: (0..300).collect(), nodes: Vec::new() };
    let request = Order::Search { lease: 1, length: 17, part };
    let count = 10_000;
    if world.size() == 2 && !world.is_first() {
        (0..count).for_each(|_| world.send(0, &request));
    }
    world.barrier();
    if world.size() == 2 && world.is_first() {
        let start = Instant::now();
        (0..count).for_each(|_| while world.receive::<Order>().is_none() {});
        println!("receiving: {:.1} µs a message", start.elapsed().as_secs_f64() / f64::from(count) * 1e6);
        let start = Instant::now();
        (0..count).for_each(|_| world.send(1, &request));
        println!("sending: {:.1} µs a message", start.elapsed().as_secs_f64() / f64::from(count) * 1e6);
    } else if world.size() == 2 {
        (0..count).for_each(|_| while world.receive::<Order>().is_none() {});
    }
    world.barrier();
}
