//! Nanoseconds of each operation of the kernels, with each set of instructions that this machine
//! has: `cargo bench`. In Node and in an emulator: `.ci/targets bench`.
//!
//! The positions are few enough to stay in cache, so this measures computing alone. The nanoseconds
//! are those of a single result: a product, a painting, an address, a mark. The best run counts.

use cosette::bench::{Instructions, Operation, Sample};
use std::hint::black_box;
use std::time::{Duration, Instant};

const RUNS: usize = 20;
/// Minimum time of a run.
const RUN: Duration = Duration::from_millis(50);
/// Number of operations between two looks at the clock, which takes microseconds in Node.
const TIMES: u32 = 100;

fn main() {
    let mut sample = Sample::default();
    for operation in Operation::ALL {
        for instructions in Instructions::all() {
            let runs = (0..RUNS)
                .map(|_| seconds_of(|| operation.run(instructions, black_box(&mut sample))));
            let nanoseconds = runs.fold(f64::INFINITY, f64::min) * 1e9 / operation.results() as f64;
            println!(
                "{:<10} {:<10} {nanoseconds:>8.2} ns",
                format!("{operation:?}"),
                instructions.name()
            );
        }
    }
}

/// Returns the mean time of `work` over one run.
fn seconds_of(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut times = 0;
    while start.elapsed() < RUN {
        (0..TIMES).for_each(|_| work());
        times += TIMES;
    }
    start.elapsed().as_secs_f64() / f64::from(times)
}
