//! Each operation of the kernels, with each set of instructions that this machine has: `cargo bench`.
//!
//! The positions are few enough to stay in cache, so this measures computing alone. Rates are those of single results:
//! of products, paintings, places and marks.

use cosette::bench::Instructions;
use cosette::bench::{Operation, Sample};
use criterion::{Criterion, Throughput};

fn kernels(criterion: &mut Criterion) {
    let mut sample = Sample::new();
    for operation in Operation::ALL {
        let mut group = criterion.benchmark_group(operation.name());
        group.throughput(Throughput::Elements(operation.results()));
        for instructions in Instructions::all() {
            group.bench_function(instructions.name(), |bencher| {
                bencher.iter(|| operation.run(instructions, &mut sample));
            });
        }
        group.finish();
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    kernels(&mut criterion);
    criterion.final_summary();
}
