//! Rough estimates of times on this machine.
//!
//! The figures were measured on one machine with two cores and are scaled by the number of threads;
//! expect them to be off by a factor of two elsewhere, and those of quarter turns by a factor of
//! three.

use cosette::ThreadCount;
use cosette::cube::Metric;
use cosette::table::TableId;
use std::time::Duration;

/// Time in seconds to generate each size, from 24M to 12G, with two threads. The last three are
/// extrapolated from some of their classes; in quarter turns, those from 190M on are extrapolated
/// likewise, and the last three exceed that of 1.5G by the same factors as in half turns.
const GENERATE_WITH_TWO: [f64; 10] = [1.5, 1.6, 1.7, 1.8, 15.0, 17.0, 19.0, 250.0, 280.0, 310.0];
const GENERATE_WITH_TWO_QTM: [f64; 10] =
    [6.5, 6.5, 6.6, 58.0, 58.0, 61.0, 67.0, 900.0, 950.0, 1000.0];

/// Gigabytes of table times seconds of one thread for a random cube, the mean of a few tens. Single
/// cubes differ widely: one of 18 moves takes ten times as long as one of 17. In quarter turns, the
/// figure is extrapolated from the first iterations of four cubes.
const GIGABYTE_SECONDS: f64 = 3.9;
const GIGABYTE_SECONDS_QTM: f64 = 39.0;

/// Estimates the time to generate a table.
pub fn to_generate(id: TableId, threads: ThreadCount) -> Duration {
    let with_two = match id.metric {
        Metric::Htm => GENERATE_WITH_TWO,
        Metric::Qtm => GENERATE_WITH_TWO_QTM,
    };
    Duration::from_secs_f64(with_two[id.size.kept_flips() as usize] * 2.0 / threads.get() as f64)
}

/// Estimates the mean time for a random cube.
pub fn to_solve(id: TableId, threads: ThreadCount) -> Duration {
    let gigabyte_seconds = match id.metric {
        Metric::Htm => GIGABYTE_SECONDS,
        Metric::Qtm => GIGABYTE_SECONDS_QTM,
    };
    // Twice the table is half the work, but a probe takes longer in tables of 6 and 12 GB, whose
    // pages exceed the TLB: GB·s of half turns relative to those of 1.5G, docs/performance.md.
    let slowdown = match id.size.name() {
        "6G" => 1.5,
        "12G" => 2.2,
        _ => 1.0,
    };
    Duration::from_secs_f64(
        slowdown * gigabyte_seconds / (id.size.bytes() as f64 / 1e9) / threads.get() as f64,
    )
}
