//! Figures printed in the thesis, speedups, and the split by limits as arithmetic: the processor
//! and the time of each limit, if time is counted in nodes.
//!
//! Each limit, in rising order, goes to the processor that is free first. The proof is complete
//! when the limit with the goal has met it and all smaller limits have ended; larger ones begin
//! later and delay nothing.
//!
//! Say that each tree has b times the nodes of the one before, that the last one has size 1, and
//! that its first solution is met after the fraction f of it. Then one processor takes 1/b + 1/b² +
//! … + f = 1/(b − 1) + f. With enough processors the last two trees are searched at the same time,
//! and those before them elsewhere: the proof takes max(f, 1/b). So
//!
//! ```text
//! S(f) = (1/(b − 1) + f) / max(f, 1/b)
//! ```
//!
//! which rises to f = 1/b and falls after it: at most b/(b − 1) + 1 = (2 b − 1)/(b − 1), that is
//! 15/7 for b = 8.

use cosette::cube::Metric;
use cosette_lab::reid::PRINTED_LOG;
use serde::Serialize;
use serde_json::{Value, json};

/// Table 5.4: the superflip, by number of processors, in hours.
pub const SUPERFLIP_HOURS: [(usize, f64); 5] = [
    (1, 51.94972),
    (2, 43.63417),
    (4, 40.55639),
    (6, 27.87778),
    (8, 22.23417),
];

/// Nodes per second of one of her processors: in the log of appendix B, limit 17q follows 15q on
/// the same one.
pub const RATE: f64 = 50_023_079.0 / (143.674447 - 109.466568);

/// Usual ratio of the nodes of successive limits.
pub fn growth(metric: Metric) -> u8 {
    match metric {
        Metric::Htm => 13,
        Metric::Qtm => 8,
    }
}

/// A limit, and the nodes that it takes: all of its tree, or those to the first solution.
pub type LimitNodes = (u8, u64);

/// The processor that searches a limit, and the start and end, in nodes or in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LimitSchedule {
    processor: usize,
    begin: u64,
    end: u64,
}

/// Schedules limits of these durations, in increasing order, on this many processors.
fn by_limits(limits: impl IntoIterator<Item = u64>, processors: usize) -> Vec<LimitSchedule> {
    let mut free = vec![0; processors];
    let turn = |took| {
        let processor = (0..processors)
            .min_by_key(|&processor| free[processor])
            .expect("there is a processor");
        let begin = free[processor];
        free[processor] += took;
        LimitSchedule {
            processor,
            begin,
            end: begin + took,
        }
    };
    limits.into_iter().map(turn).collect()
}

/// Returns the speedup of this many processors over one in proving the goal.
pub fn speedup(trees: &[LimitNodes], processors: usize) -> f64 {
    let alone: u64 = trees.iter().map(|tree| tree.1).sum();
    let turns = by_limits(trees.iter().map(|tree| tree.1), processors);
    let end = turns.iter().map(|turn| turn.end).max();
    alone as f64 / end.unwrap_or_default() as f64
}

/// Returns the speedup with enough processors, where trees grow by this factor and the goal is
/// reached after this fraction of the last.
pub fn speedup_at(growth: f64, fraction: f64) -> f64 {
    (1.0 / (growth - 1.0) + fraction) / fraction.max(1.0 / growth)
}

/// Returns the maximum speedup of any number of processors.
pub fn ceiling(growth: f64) -> f64 {
    speedup_at(growth, 1.0 / growth)
}

/// Comparison of several processors with one. Nodes on the critical path may stand in for times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ParallelGain {
    /// Speedup: the time on one processor divided by the time on several.
    pub speedup: f64,
    /// The share of the processors that was useful: the speedup divided by their number.
    pub efficiency: f64,
    /// The serial fraction e = (1/S − 1/p) / (1 − 1/p), determined experimentally (A. H. Karp and
    /// H. P. Flatt, "Measuring parallel processor performance", CACM 33, 1990); no number for one
    /// processor.
    pub serial_fraction: f64,
}

impl ParallelGain {
    /// The gain of these processors. Without a time it has no numbers.
    pub fn of(processors: usize, on_one: f64, on_several: f64) -> ParallelGain {
        let p = processors as f64;
        let speedup = on_one / on_several;
        ParallelGain {
            speedup,
            efficiency: speedup / p,
            serial_fraction: (1.0 / speedup - 1.0 / p) / (1.0 - 1.0 / p),
        }
    }
}

/// The seconds of the log of appendix B: the search begins, and limits end.
const BEGIN: f64 = 108.921634;
const ENDS: [(u8, f64); 4] = [
    (13, 108.932165),
    (15, 109.466568),
    (17, 143.674447),
    (19, 414.972172),
];

/// The run of appendix B, from its nodes at its rate: the limits from 12q on, as the log divides
/// them between processors 0 and 1, and as three processors would; and its speedups.
pub fn run_of_appendix_b() -> Value {
    let nodes_of_last = ((ENDS[3].1 - ENDS[2].1) * RATE).round() as u64;
    let printed = PRINTED_LOG.iter().map(|row| (row.0, row.1));
    let trees: Vec<LimitNodes> = printed.chain([(19, nodes_of_last)]).collect();
    let shown = trees.iter().filter(|tree| tree.0 >= 12);
    let on_three = by_limits(shown.clone().map(|tree| tree.1), 3);
    let seconds = |nodes: u64| BEGIN + nodes as f64 / RATE;
    let mut free = [BEGIN; 2];
    let mut rows = Vec::new();
    for (&(limit, nodes), turn) in shown.zip(on_three) {
        let processor = usize::from(limit % 2);
        let begin = free[processor];
        free[processor] += nodes as f64 / RATE;
        rows.push(json!({
            "limit": limit,
            "nodes": nodes,
            "processor": processor,
            "printed": ENDS.iter().find(|end| end.0 == limit).map(|end| end.1),
            "begin": begin,
            "end": free[processor],
            "of_three": [turn.processor as f64, seconds(turn.begin), seconds(turn.end)],
        }));
    }
    let all: u64 = trees.iter().map(|tree| tree.1).sum();
    let alone = all as f64 / RATE;
    let took = ENDS[3].1 - BEGIN;
    let whole_last = 8.27 * trees[trees.len() - 2].1 as f64;
    json!({
        "rows": rows,
        "rate": RATE,
        "nodes": all,
        "alone": alone,
        "took": took,
        "share_of_last": 100.0 * nodes_of_last as f64 / whole_last,
        "gain": ParallelGain::of(4, alone, took),
        "with_table": (alone + BEGIN) / ENDS[3].1,
        "on_three": speedup(&trees, 3),
    })
}

/// Returns the minimum, the median and the maximum of some numbers; `None` if there are no numbers.
pub fn spread(numbers: impl Iterator<Item = f64>) -> [Option<f64>; 3] {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_unstable_by(f64::total_cmp);
    [
        numbers.first(),
        numbers.get(numbers.len() / 2),
        numbers.last(),
    ]
    .map(Option::<&f64>::copied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_serial_fraction_is_that_of_karp_and_flatt() {
        let serial =
            |p, on_one, on_several| ParallelGain::of(p, on_one, on_several).serial_fraction;
        // Perfectly parallel work has none, work that gains nothing is all serial.
        assert!(serial(8, 8.0, 1.0).abs() < 1e-12);
        assert!((serial(8, 8.0, 8.0) - 1.0).abs() < 1e-12);
        // A tenth serial on four processors: 0.1 + 0.9 / 4 of the time (Amdahl).
        assert!((serial(4, 1.0, 0.1 + 0.9 / 4.0) - 0.1).abs() < 1e-12);
        // More than linear: negative.
        assert!(serial(2, 3.0, 1.0) < 0.0);
        let gain = ParallelGain::of(4, 10.0, 4.0);
        assert_eq!((gain.speedup, gain.efficiency), (2.5, 0.625));
        assert!(serial(1, 10.0, 10.0).is_nan());
    }

    #[test]
    fn the_ceiling_is_fifteen_sevenths() {
        assert!((ceiling(8.0) - 15.0 / 7.0).abs() < 1e-12);
        assert!((ceiling(13.0) - 25.0 / 12.0).abs() < 1e-12);
        let complete = speedup_at(8.0, 1.0);
        assert!((complete - 8.0 / 7.0).abs() < 1e-12, "complete limits");
        for percent in 1..=100 {
            assert!(speedup_at(8.0, f64::from(percent) / 100.0) <= ceiling(8.0));
        }
    }

    #[test]
    fn limits_go_to_the_processor_that_is_free_first() {
        // Each tree eight times the one before, and the goal after an eighth of the last.
        let trees: Vec<LimitNodes> = (0..7)
            .map(|limit| (limit, 8u64.pow(limit.into())))
            .chain([(7, 8u64.pow(6))])
            .collect();
        let turns = by_limits(trees.iter().map(|tree| tree.1), 2);
        assert_eq!(
            (turns[0].processor, turns[1].processor, turns[2].processor),
            (0, 1, 0)
        );
        assert_eq!(turns[2].begin, 1);
        assert!((speedup(&trees, 8) - 15.0 / 7.0).abs() < 1e-3);
        assert!(speedup(&trees, 1) == 1.0 && speedup(&trees, 2) < speedup(&trees, 3));
    }

    /// The times that follow from the nodes agree with those printed.
    #[test]
    fn the_run_of_appendix_b_follows_from_its_nodes() {
        assert!((RATE / 1e6 - 1.462).abs() < 0.001);
        let run = run_of_appendix_b();
        for row in run["rows"].as_array().expect("rows") {
            if let (Some(printed), Some(end)) = (row["printed"].as_f64(), row["end"].as_f64()) {
                assert!((printed - end).abs() < 0.02, "{row}");
            }
        }
        let number = |name: &str| run[name].as_f64().expect(name);
        assert!((number("with_table") - 1.69).abs() < 0.005);
        assert!((number("on_three") - 2.09).abs() < 0.005);
    }
}
