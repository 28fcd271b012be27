//! Measurement of the time that the coordinator takes for a message: the service time of the
//! simulation.

use super::{Action, Dispatcher, LeaseCommand};
use crate::worker_pool::{WorkerCommand, WorkerReply};
use crate::world::World;
use cosette::search::distributed::{Counts, WorkResult, WorkUnit};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Number of root tasks of an iteration, about as many as a position has.
const TASKS: u16 = 43_000;

/// Reported time of every lease.
const TOOK: Duration = Duration::from_millis(10);

/// Leases all tasks of an iteration to ranks that reply at once, and prints the time.
fn lease_all(ranks: usize) {
    let mut dispatcher: Dispatcher<WorkUnit> = Dispatcher::new(&vec![1; ranks]);
    dispatcher.begin(
        (0..=TASKS.into()).map(|task| 100 * task).collect(),
        VecDeque::new(),
        None,
    );
    let mut replies: VecDeque<Vec<u8>> = VecDeque::new();
    let begin = Instant::now();
    let mut spent = Duration::ZERO;
    let mut messages = 0_u32;
    loop {
        let start = Instant::now();
        let mut orders = Vec::new();
        while let Some(action) = dispatcher.next_lease(begin.elapsed()) {
            let Action {
                lease,
                command: LeaseCommand::Search(places),
                ..
            } = action
            else {
                unreachable!()
            };
            let part = WorkUnit {
                tasks: places.iter().map(|&place| place as u16).collect(),
                nodes: Vec::new(),
            };
            orders.push(WorkerCommand::Search {
                lease,
                length: 17,
                part,
            });
        }
        let encoded: Vec<Vec<u8>> = orders
            .iter()
            .map(|order| postcard::to_stdvec(order).unwrap())
            .collect();
        messages += encoded.len() as u32;
        spent += start.elapsed();
        replies.extend(orders.iter().map(reply));
        let Some(reply) = replies.pop_front() else {
            break;
        };
        let start = Instant::now();
        let Ok(WorkerReply::Done {
            lease,
            result,
            took,
        }) = postcard::from_bytes(&reply)
        else {
            unreachable!()
        };
        dispatcher.done(begin.elapsed(), lease, took, result.left.is_empty());
        spent += start.elapsed();
        messages += 1;
    }
    let each = spent.as_secs_f64() / f64::from(messages) * 1e6;
    println!("{ranks} ranks: {each:.1} µs for each of {messages} messages");
}

fn reply(order: &WorkerCommand) -> Vec<u8> {
    let WorkerCommand::Search { lease, part, .. } = order else {
        unreachable!()
    };
    let priority = part.tasks.iter().map(|&task| (task, 1000)).collect();
    let result = WorkResult {
        counts: Counts {
            nodes: 100_000,
            probes: 400_000,
        },
        priority,
        left: WorkUnit::default(),
    };
    postcard::to_stdvec(&WorkerReply::Done {
        lease: *lease,
        result,
        took: TOOK,
    })
    .unwrap()
}

/// Measures the dispatcher; under `mpirun -np 2`, also MPI.
#[test]
#[ignore = "a measurement"]
fn service_time_of_the_coordinator() {
    let world = World::start();
    if world.is_first() {
        [1, 2, 8, 64, 512, 4096].into_iter().for_each(lease_all);
    }
    let part = WorkUnit {
        tasks: (0..300).collect(),
        nodes: Vec::new(),
    };
    let order = WorkerCommand::Search {
        lease: 1,
        length: 17,
        part,
    };
    let count = 10_000;
    let timed = |what: &str, pass: &dyn Fn()| {
        let start = Instant::now();
        (0..count).for_each(|_| pass());
        println!(
            "{what}: {:.1} µs a message",
            start.elapsed().as_secs_f64() / f64::from(count) * 1e6
        );
    };
    match (world.size(), world.rank()) {
        (2, 0) => {
            world.barrier();
            timed("receiving", &|| {
                while world.receive::<WorkerCommand>().is_none() {}
            });
            timed("sending", &|| world.send(1, &order));
        }
        (2, _) => {
            (0..count).for_each(|_| world.send(0, &order));
            world.barrier();
            (0..count).for_each(|_| while world.receive::<WorkerCommand>().is_none() {});
        }
        _ => {}
    }
    world.barrier();
}
