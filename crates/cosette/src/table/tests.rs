//! The entries of small tables against definitions and counts.

use super::*;
use crate::cube::{Metric, Move, Symmetry, random_positions};
use crate::progress::Cancel;
use std::num::NonZeroUsize;

fn table(name: &str) -> Table {
    let id = TableId { metric: Metric::Htm, size: name.parse().unwrap() };
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let start = std::time::Instant::now();
    let t = Table::generate(id, threads, &|_| {}, &Cancel::new()).unwrap();
    println!("{name} {:?} {:?}", start.elapsed(), t.distribution);
    t
}

#[test]
fn try_sizes() {
    for name in std::env::var("SIZES").unwrap_or("30M".into()).split(',') {
        let table = table(name);
        let sum: u64 = random_positions(1).take(100000).map(|p| table.bound(&p) as u64).sum();
        println!("mean {}", sum as f64 / 1e5);
    }
}
