//! How long the lead is busy with a message: what the simulation takes as its service time.

use super::lead::{Thread, hungriest};
use super::messages::{Answer, LeaseNumber, Order};
use super::round::Round;
use crate::world::World;
use cosette::cube::random_positions;
use cosette::search::distributed::{Checkpoint, Counts, Executor, Iteration, Part, PartResult, ThreadExecutor};
use cosette::search::{Options, Solver};
use cosette::table::{Table, TableId};
use cosette::{Control, ThreadCount};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Leases root tasks and takes their ends, and searches none.
struct Pretence {
    alone: ThreadExecutor,
    threads: usize,
}

impl Executor for Pretence {
    fn search(&mut self, iteration: &Iteration<'_>) -> Part {
        if !iteration.is_cut() {
            return self.alone.search(iteration);
        }
        let thread = |number| Thread { rank: 0, number, parts: 0, singles: 0 };
        let mut threads: Vec<Thread> = (0..self.threads).map(thread).collect();
        let mut round = Round::new(iteration, None);
        let mut held: VecDeque<(LeaseNumber, Vec<u8>)> = VecDeque::new();
        let (mut spent, mut messages, mut next) = (Duration::ZERO, 0_u32, 0);
        loop {
            let start = Instant::now();
            let mut orders = Vec::new();
            while let Some(thread) = hungriest(&threads, &round) {
                next += 1;
                let part = round.lease(next, thread, threads.len());
                threads[thread].parts += 1;
                orders.push(Order::Search { lease: next, thread, length: iteration.length(), part });
            }
            let bytes: Vec<Vec<u8>> = orders.iter().map(|order| postcard::to_stdvec(order).unwrap()).collect();
            spent += start.elapsed();
            messages += bytes.len() as u32;
            held.extend(orders.iter().map(ended));
            let Some((lease, answer)) = held.pop_front() else { break };
            let start = Instant::now();
            let Ok(Answer::Done { result, took, .. }) = postcard::from_bytes(&answer) else { unreachable!() };
            let (thread, _) = round.done(lease, result, took);
            threads[thread].parts -= 1;
            spent += start.elapsed();
            messages += 1;
        }
        let each = spent.as_secs_f64() / f64::from(messages) * 1e6;
        println!(
            "{} threads, length {}: {each:.1} µs for each of {messages} messages",
            self.threads,
            iteration.length()
        );
        Part::default()
    }
}

fn ended(order: &Order) -> (LeaseNumber, Vec<u8>) {
    let Order::Search { lease, part, .. } = order else { unreachable!() };
    let priority = part.tasks.iter().map(|&task| (task, 1000)).collect();
    let result = PartResult { counts: Counts { nodes: 100_000, probes: 400_000 }, priority, left: Part::default() };
    let took = Duration::from_millis(10);
    (*lease, postcard::to_stdvec(&Answer::Done { lease: *lease, result, took }).unwrap())
}

/// Under `mpirun -np 2` also what MPI takes.
#[test]
#[ignore = "a measurement"]
fn service_time_of_the_lead() {
    let one = ThreadCount::ONE;
    let id = TableId { metric: cosette::cube::Metric::Htm, size: "30M".parse().unwrap() };
    let world = World::start();
    if world.is_first() {
        let table = Arc::new(Table::generate(id, &Control::new(one)).unwrap());
        let position = random_positions(2006).next().unwrap();
        for threads in [1, 2, 8, 64, 512, 4096] {
            let mut crew = Pretence { alone: ThreadExecutor::new(one), threads };
            let options = Options { max_length: Some(16), ..Options::default() };
            let solver = Solver::new(Arc::clone(&table), one);
            solver.search(&position).options(options).resume_with(&mut crew, Checkpoint::default());
        }
    }
    world.barrier();
    let part = Part { tasks: (0..300).collect(), nodes: Vec::new() };
    let order = Order::Search { lease: 1, thread: 0, length: 17, part };
    let count = 10_000;
    if world.size() == 2 && !world.is_first() {
        (0..count).for_each(|_| world.send(0, &order));
    }
    world.barrier();
    if world.size() == 2 && world.is_first() {
        let start = Instant::now();
        (0..count).for_each(|_| while world.receive::<Order>().is_none() {});
        println!("receiving: {:.1} µs a message", start.elapsed().as_secs_f64() / f64::from(count) * 1e6);
        let start = Instant::now();
        (0..count).for_each(|_| world.send(1, &order));
        println!("sending: {:.1} µs a message", start.elapsed().as_secs_f64() / f64::from(count) * 1e6);
    } else if world.size() == 2 {
        (0..count).for_each(|_| while world.receive::<Order>().is_none() {});
    }
    world.barrier();
}
