//! Each operation of the kernels, with each set of instructions that this machine has: `cargo bench`.
//!
//! The positions are few enough to stay in cache, so this measures computing alone. Rates are those of single results:
//! of products, paintings, places and marks. The best run counts.

use cosette::bench::{Instructions, Operation, Sample};
use std::hint::black_box;
use std::time::{Duration, Instant};

const RUNS: usize = 20;
/// How long a run takes at least.
const RUN: Duration = Duration::from_millis(50);

fn main() {
    let mut sample = Sample::default();
    for operation in Operation::ALL {
        for instructions in Instructions::all() {
            let runs = (0..RUNS).map(|_| seconds_of(|| operation.run(instructions, black_box(&mut sample))));
            let rate = operation.results() as f64 / runs.fold(f64::INFINITY, f64::min) / 1e6;
            println!("{:<10} {:<10} {rate:>8.1} million a second", format!("{operation:?}"), instructions.name());
        }
    }
}

/// How long `work` takes on average over one run.
fn seconds_of(mut work: impl FnMut()) -> f64 {
    let (start, mut times) = (Instant::now(), 0);
    while start.elapsed() < RUN {
        work();
        times += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(times)
}
