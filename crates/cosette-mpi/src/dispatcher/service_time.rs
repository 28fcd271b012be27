//! How long the coordinator is busy with a message: what the simulation takes as its service time.

use super::{Action, Command, Dispatcher};
use crate::worker_pool::{Order, Reply};
use crate::world::World;
use cosette::search::distributed::{Counts, Part, PartResult};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The root tasks of an iteration, about as many as a position has.
const TASKS: u16 = 43_000;

/// How long every lease is reported to take.
const TOOK: Duration = Duration::from_millis(10);

/// Leases all tasks of an iteration to ranks that reply at once, and prints how long that takes.
fn lease_all(ranks: usize) {
    let mut dispatcher: Dispatcher<Part> = Dispatcher::new(&vec![1; ranks]);
    dispatcher.begin((0..=TASKS.into()).map(|task| 100 * task).collect(), VecDeque::new(), None);
    let mut replies: VecDeque<Vec<u8>> = VecDeque::new();
    let (begin, mut spent, mut messages) = (Instant::now(), Duration::ZERO, 0_u32);
    loop {
        let start = Instant::now();
        let mut orders = Vec::new();
        while let Some(action) = dispatcher.next_lease(begin.elapsed()) {
            let Action { lease, command: Command::Search(places), .. } = action else { unreachable!() };
            let part = Part { tasks: places.iter().map(|&place| place as u16).collect(), nodes: Vec::new() };
            orders.push(Order::Search { lease, length: 17, part });
        }
        let encoded: Vec<Vec<u8>> = orders.iter().map(|order| postcard::to_stdvec(order).unwrap()).collect();
        messages += encoded.len() as u32;
        spent += start.elapsed();
        replies.extend(orders.iter().map(reply));
        let Some(reply) = replies.pop_front() else { break };
        let start = Instant::now();
        let Ok(Reply::Done { lease, result, took }) = postcard::from_bytes(&reply) else { unreachable!() };
        dispatcher.done(begin.elapsed(), lease, took, result.left.is_empty());
        spent += start.elapsed();
        messages += 1;
    }
    let each = spent.as_secs_f64() / f64::from(messages) * 1e6;
    println!("{ranks} ranks: {each:.1} µs for each of {messages} messages");
}

fn reply(order: &Order) -> Vec<u8> {
    let Order::Search { lease, part, .. } = order else { unreachable!() };
    let priority = part.tasks.iter().map(|&task| (task, 1000)).collect();
    let result = PartResult { counts: Counts { nodes: 100_000, probes: 400_000 }, priority, left: Part::default() };
    postcard::to_stdvec(&Reply::Done { lease: *lease, result, took: TOOK }).unwrap()
}

/// Under `mpirun -np 2`, also how long MPI takes.
#[test]
#[ignore = "a measurement"]
fn service_time_of_the_coordinator() {
    let world = World::start();
    if world.is_first() {
        [1, 2, 8, 64, 512, 4096].into_iter().for_each(lease_all);
    }
    let part = Part { tasks: (0..300).collect(), nodes: Vec::new() };
    let (order, count) = (Order::Search { lease: 1, length: 17, part }, 10_000);
    let timed = |what: &str, pass: &dyn Fn()| {
        let start = Instant::now();
        (0..count).for_each(|_| pass());
        println!("{what}: {:.1} µs a message", start.elapsed().as_secs_f64() / f64::from(count) * 1e6);
    };
    match (world.size(), world.rank()) {
        (2, 0) => {
            world.barrier();
            timed("receiving", &|| while world.receive::<Order>().is_none() {});
            timed("sending", &|| world.send(1, &order));
        }
        (2, _) => {
            (0..count).for_each(|_| world.send(0, &order));
            world.barrier();
            (0..count).for_each(|_| while world.receive::<Order>().is_none() {});
        }
        _ => {}
    }
    world.barrier();
}
