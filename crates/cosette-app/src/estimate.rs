//! Rough estimates of times on this machine.
//!
//! The figures were measured on a machine with two cores, and are scaled by the number of threads.
//! On other machines, they may be off by a factor of two, or by a factor of three in the
//! quarter-turn metric.

use cosette::ThreadCount;
use cosette::cube::Metric;
use cosette::table::TableId;
use std::time::Duration;

/// Times in seconds to generate a table of each size, from 24M to 12G, with two threads. The last
/// three are extrapolated from the times of some classes of these tables.
const GENERATE_SECONDS: [f64; 10] = [0.4, 1.6, 1.7, 1.8, 15.0, 17.0, 19.0, 250.0, 280.0, 310.0];
/// The times of [`GENERATE_SECONDS`] in the quarter-turn metric. From 190M on, they are
/// extrapolated. The factors between the last three and 1.5G are those of the half-turn metric.
const GENERATE_SECONDS_QTM: [f64; 10] =
    [6.5, 6.5, 6.6, 58.0, 58.0, 61.0, 67.0, 900.0, 950.0, 1000.0];

/// Size of the table in gigabytes times the seconds that one thread takes for a random cube: the
/// mean of a few tens of cubes. Single cubes differ widely: one of 18 moves takes ten times as long
/// as one of 17.
const GIGABYTE_SECONDS: f64 = 3.9;
/// The mean of [`GIGABYTE_SECONDS`] in the quarter-turn metric, extrapolated from the first
/// iterations of four cubes.
const GIGABYTE_SECONDS_QTM: f64 = 39.0;

/// Estimates the time to generate a table.
pub fn to_generate(id: TableId, threads: ThreadCount) -> Duration {
    let seconds = match id.metric {
        Metric::Htm => GENERATE_SECONDS,
        Metric::Qtm => GENERATE_SECONDS_QTM,
    };
    Duration::from_secs_f64(seconds[id.size.kept_flips() as usize] * 2.0 / threads.get() as f64)
}

/// Estimates the mean time for a random cube.
pub fn to_solve(id: TableId, threads: ThreadCount) -> Duration {
    let gigabyte_seconds = match id.metric {
        Metric::Htm => GIGABYTE_SECONDS,
        Metric::Qtm => GIGABYTE_SECONDS_QTM,
    };
    // A table of twice the size halves the number of probes. But a probe takes longer in tables of
    // 6 and 12 GB, whose pages exceed the TLB. These factors compare the gigabyte-seconds of both
    // tables with those of 1.5G in the half-turn metric (docs/performance.md).
    let slowdown = match id.size.name() {
        "6G" => 1.5,
        "12G" => 2.2,
        _ => 1.0,
    };
    Duration::from_secs_f64(
        slowdown * gigabyte_seconds / (id.size.bytes() as f64 / 1e9) / threads.get() as f64,
    )
}
