//! Rough estimates of how long things take on this machine, in the half-turn metric; quarter turns take several times as long.
//!
//! Both figures were measured on one machine with two cores and are scaled by the number of threads; expect them to be off by
//! a factor of two elsewhere.

use cosette::ThreadCount;
use cosette::cube::Metric;
use cosette::table::TableId;
use std::time::Duration;

/// Seconds to generate each size, from 30M to 16G, with two threads; the last three are extrapolated from some of their classes.
const GENERATE_WITH_TWO: [f64; 10] = [1.5, 1.6, 1.7, 1.8, 15.0, 17.0, 19.0, 250.0, 280.0, 310.0];

/// Gigabytes of table times seconds of one thread that a random cube takes, the mean of a few tens. Twice the table is half
/// the work. Single cubes differ widely: one of 18 moves takes ten times as long as one of 17.
const GIGABYTE_SECONDS: f64 = 5.0;

/// How long it takes to generate a table.
pub fn to_generate(id: TableId, threads: ThreadCount) -> Option<Duration> {
    (id.metric == Metric::Htm)
        .then(|| Duration::from_secs_f64(GENERATE_WITH_TWO[id.size.kept_flips() as usize] * 2.0 / threads.get() as f64))
}

/// How long a random cube takes on average.
pub fn to_solve(id: TableId, threads: ThreadCount) -> Option<Duration> {
    let gigabytes = id.size.bytes() as f64 / 1e9;
    (id.metric == Metric::Htm).then(|| Duration::from_secs_f64(GIGABYTE_SECONDS / gigabytes / threads.get() as f64))
}
