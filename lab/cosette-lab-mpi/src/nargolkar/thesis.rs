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
//!
//! The tables of the page that follow from the thesis alone are text
//! (`pages/nargolkar-parallel.md`); the tests recompute them.

use cosette::cube::Metric;
use cosette_lab::experiment::Cell;

/// The text of the page.
pub const PAGE: &str = include_str!("../../pages/nargolkar-parallel.md");

/// Table 5.4: the superflip, by number of processors, in hours.
pub const SUPERFLIP_HOURS: [(usize, f64); 5] = [
    (1, 51.94972),
    (2, 43.63417),
    (4, 40.55639),
    (6, 27.87778),
    (8, 22.23417),
];

/// The means of the times in Tables 5.1 and 5.2 by depth, in seconds: the sequential program.
pub const MEAN_SECONDS: [(u8, f64); 10] = [
    (12, 101.4),
    (14, 101.4),
    (15, 101.6),
    (16, 99.8),
    (17, 151.0),
    (18, 199.8),
    (19, 60.0 * 7.976),
    (20, 60.0 * 123.848),
    (21, 60.0 * 205.026),
    (22, 60.0 * 386.91),
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

/// Returns the time at which the last of the limits ends.
pub fn end_by_limits(limits: impl IntoIterator<Item = u64>, processors: usize) -> u64 {
    by_limits(limits, processors)
        .iter()
        .map(|turn| turn.end)
        .max()
        .unwrap_or_default()
}

/// Returns the speedup of this many processors over one in proving the goal.
pub fn speedup(trees: &[LimitNodes], processors: usize) -> f64 {
    let alone: u64 = trees.iter().map(|tree| tree.1).sum();
    alone as f64 / end_by_limits(trees.iter().map(|tree| tree.1), processors) as f64
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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelGain {
    /// Speedup: the time on one processor divided by the time on several.
    pub speedup: f64,
    /// The share of the processors that was useful: the speedup divided by their number.
    pub efficiency: f64,
    /// The serial fraction e = (1/S − 1/p) / (1 − 1/p), determined experimentally (A. H. Karp and
    /// H. P. Flatt, "Measuring parallel processor performance", CACM 33, 1990); undefined for one
    /// processor.
    pub serial_fraction: Option<f64>,
}

impl ParallelGain {
    /// The gain of these processors, if both times are positive.
    pub fn of(processors: usize, on_one: f64, on_several: f64) -> Option<ParallelGain> {
        if !(on_one > 0.0 && on_several > 0.0) || processors == 0 {
            return None;
        }
        let p = processors as f64;
        let speedup = on_one / on_several;
        let serial_fraction = (processors > 1).then(|| (1.0 / speedup - 1.0 / p) / (1.0 - 1.0 / p));
        Some(ParallelGain {
            speedup,
            efficiency: speedup / p,
            serial_fraction,
        })
    }

    /// Speedup, efficiency and serial fraction, as far as they are known.
    pub fn cells(gain: Option<ParallelGain>) -> [Cell; 3] {
        let [speedup, efficiency] = [
            gain.map(|gain| gain.speedup),
            gain.map(|gain| gain.efficiency),
        ];
        let serial = gain.and_then(|gain| gain.serial_fraction);
        [number(speedup, 2), number(efficiency, 2), number(serial, 3)]
    }
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

/// Formats a number with `digits` digits; empty if there is none.
pub fn number(value: Option<f64>, digits: usize) -> Cell {
    value.map_or(Cell::Nothing, |value| Cell::Number(value, digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette_lab::reid::PRINTED_LOG;

    /// The rows of the table with this first line on the page, by cells.
    fn rows(head: &str) -> Vec<Vec<&'static str>> {
        let (_, table) = PAGE
            .split_once(head)
            .unwrap_or_else(|| panic!("{head} is not on the page"));
        let lines = table
            .lines()
            .skip_while(|line| !line.starts_with("| -"))
            .skip(1);
        let lines = lines.take_while(|line| line.starts_with('|'));
        lines
            .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
            .collect()
    }

    fn number(cell: &str) -> f64 {
        cell.replace(',', "")
            .parse()
            .unwrap_or_else(|_| panic!("{cell} is no number"))
    }

    fn mean(times: &[f64]) -> f64 {
        times.iter().sum::<f64>() / times.len() as f64
    }

    /// The seconds that the log prints for the ends of limits, and when its search begins.
    const BEGIN: f64 = 108.921634;
    const ENDS: [(u8, f64); 4] = [
        (13, 108.932165),
        (15, 109.466568),
        (17, 143.674447),
        (19, 414.972172),
    ];

    #[test]
    fn the_serial_fraction_is_that_of_karp_and_flatt() {
        let gain = |processors, on_one, on_several| {
            ParallelGain::of(processors, on_one, on_several).expect("times")
        };
        let serial = |processors, on_one, on_several| {
            gain(processors, on_one, on_several)
                .serial_fraction
                .expect("several")
        };
        // Perfectly parallel work has none, work that gains nothing is all serial.
        assert!(serial(8, 8.0, 1.0).abs() < 1e-12);
        assert!((serial(8, 8.0, 8.0) - 1.0).abs() < 1e-12);
        // A tenth serial on four processors: 0.1 + 0.9 / 4 of the time (Amdahl).
        assert!((serial(4, 1.0, 0.1 + 0.9 / 4.0) - 0.1).abs() < 1e-12);
        // More than linear: negative.
        assert!(serial(2, 3.0, 1.0) < 0.0);
        assert_eq!(
            (gain(4, 10.0, 4.0).speedup, gain(4, 10.0, 4.0).efficiency),
            (2.5, 0.625)
        );
        assert_eq!(gain(1, 10.0, 10.0).serial_fraction, None);
        assert_eq!(ParallelGain::of(2, 10.0, 0.0), None);
    }

    #[test]
    fn the_ceiling_is_fifteen_sevenths() {
        assert!((ceiling(8.0) - 15.0 / 7.0).abs() < 1e-12);
        assert!((ceiling(13.0) - 25.0 / 12.0).abs() < 1e-12);
        assert!(
            (speedup_at(8.0, 1.0) - 8.0 / 7.0).abs() < 1e-12,
            "complete limits"
        );
        for percent in 1..=100 {
            assert!(speedup_at(8.0, f64::from(percent) / 100.0) <= ceiling(8.0));
        }
        for row in rows("| fraction f of the last tree") {
            let (one, part) = row[0]
                .trim_end_matches(", all of it")
                .split_once('/')
                .unwrap_or(("1", "1"));
            let expected = [8.0, 13.0]
                .map(|growth| format!("{:.3}", speedup_at(growth, number(one) / number(part))));
            assert_eq!(row[1..], expected);
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

    #[test]
    fn the_run_of_appendix_b_follows_from_its_nodes() {
        assert!((RATE / 1e6 - 1.462).abs() < 0.001);
        let rows = rows("| limit | nodes                      | processor (paper)");
        let printed = |limit: u8| {
            PRINTED_LOG
                .iter()
                .find(|row| row.0 == limit)
                .map(|row| row.1)
        };
        let last = ((ENDS[3].1 - ENDS[2].1) * RATE).round() as u64;
        let trees: Vec<LimitNodes> = (12..20)
            .map(|limit| (limit, printed(limit).unwrap_or(last)))
            .collect();
        let mut free = [BEGIN; 2];
        let seconds = |nodes: u64| format!("{:.2}", BEGIN + nodes as f64 / RATE);
        for ((row, &(limit, nodes)), turn) in rows
            .iter()
            .zip(&trees)
            .zip(by_limits(trees.iter().map(|tree| tree.1), 3))
        {
            let processor = usize::from(limit % 2);
            let begin = free[processor];
            free[processor] += nodes as f64 / RATE;
            let ends = ENDS
                .iter()
                .find(|end| end.0 == limit)
                .map_or(String::new(), |end| format!("{:.2}", end.1));
            assert_eq!(
                (row[0], row[2], row[3]),
                (&*format!("{limit}q"), &*processor.to_string(), &*ends)
            );
            assert_eq!(
                row[4..6],
                [format!("{begin:.2}"), format!("{:.2}", free[processor])]
            );
            assert_eq!(
                row[6..],
                [
                    turn.processor.to_string(),
                    seconds(turn.begin),
                    seconds(turn.end)
                ]
            );
            match printed(limit) {
                Some(nodes) => assert_eq!(number(row[1]) as u64, nodes),
                None => assert_eq!(
                    row[1],
                    format!("{:.1} million, by its time", last as f64 / 1e6)
                ),
            }
        }
        let below: u64 = PRINTED_LOG
            .iter()
            .filter(|row| row.0 < 12)
            .map(|row| row.1)
            .sum();
        let all = below + trees.iter().map(|tree| tree.1).sum::<u64>();
        let alone = all as f64 / RATE;
        let took = ENDS[3].1 - BEGIN;
        for sentence in [
            format!(
                "all {:.0} million nodes, in {alone:.0} s; the run took {took:.0} s",
                all as f64 / 1e6
            ),
            format!(
                "S = {:.2} for the search, E = S/4 = {:.2}",
                alone / took,
                alone / took / 4.0
            ),
            format!("and {:.2} with the generation", (alone + BEGIN) / ENDS[3].1),
            format!("and S would be {:.2}", speedup(&trees, 3)),
            format!(
                "{:.0} % of a tree",
                100.0 * last as f64 / (8.27 * printed(18).expect("printed") as f64)
            ),
        ] {
            assert!(PAGE.contains(&sentence), "{sentence}");
        }
    }

    /// The means that Tables 5.2 and 5.3 print, in minutes, by depth.
    const PRINTED_MEANS: [(u8, f64, f64); 4] = [
        (19, 7.12, 3.38),
        (20, 123.85, 60.24),
        (21, 205.03, 116.39),
        (22, 386.91, 307.05),
    ];

    /// A row of the page, if the printed mean is not that of the printed times.
    fn misprint(
        table: &str,
        depth: u8,
        printed: f64,
        right: f64,
        digits: usize,
    ) -> Option<[String; 4]> {
        let is_wrong = (right - printed).abs() > 0.5001 * 10_f64.powi(-(digits as i32));
        let row = [
            table.into(),
            depth.to_string(),
            format!("{printed:.digits$}"),
            format!("{right:.digits$}"),
        ];
        is_wrong.then_some(row)
    }

    #[test]
    fn what_follows_from_the_printed_times_is_on_the_page() {
        let mut means = Vec::new();
        let mut misprints = Vec::new();
        for row in rows("Table 5.1 (paper): ") {
            let depth = number(row[0]) as u8;
            let times = [1, 2, 3, 4, 5].map(|at| number(row[at]));
            let nodes = (mean(&times) - 100.0).max(0.0) * RATE / 1e6;
            assert_eq!(
                row[7..],
                [format!("{:.1}", mean(&times)), format!("{nodes:.0}")]
            );
            means.push((depth, mean(&times)));
            misprints.extend(misprint("5.1, s", depth, number(row[6]), mean(&times), 1));
        }
        let rows_of_eight = rows("Tables 5.2 and 5.3 (paper): ");
        let generation = 100.0 / 60.0;
        let mut above = 0;
        let mut beyond = 0;
        for row in &rows_of_eight {
            let [alone, time] = [number(row[2]), number(row[3])];
            let gain = ParallelGain::of(8, alone, time).expect("times");
            let serial = gain.serial_fraction.expect("eight processors");
            let gains = [(gain.speedup, 2), (gain.efficiency, 2), (serial, 3)];
            assert_eq!(
                row[4..7],
                gains.map(|(number, digits)| format!("{number:.digits$}")),
                "{row:?}"
            );
            let search = format!("{:.2}", (alone - generation) / (time - generation));
            assert_eq!(
                row[7],
                if time - generation < 0.05 {
                    "no search left"
                } else {
                    &search
                }
            );
            let more_than = [("8", 8.0), ("15/7", ceiling(8.0))]
                .into_iter()
                .find(|(_, most)| gain.speedup > *most);
            assert_eq!(row[8], more_than.map_or("", |(name, _)| name));
            let is_counted = row[1] != "all five" && row[0] != "22";
            above += u32::from(is_counted && !row[8].is_empty());
            beyond += u32::from(is_counted && row[8] == "8");
        }
        assert!(PAGE.contains(&format!(
            "{above} exceed the ceiling of 15/7, and {beyond} exceeds even"
        )));
        for (depth, printed_alone, printed) in PRINTED_MEANS {
            let (sums, single): (Vec<_>, Vec<_>) = rows_of_eight
                .iter()
                .filter(|row| number(row[0]) as u8 == depth)
                .partition(|row| row[1] == "all five");
            let alone: Vec<f64> = single.iter().map(|row| number(row[2])).collect();
            // At depth 22 there is one parallel time, which the page shows twice.
            let printed_once = single.iter().filter(|row| row[1].parse::<u8>().is_ok());
            let times: Vec<f64> = printed_once.map(|row| number(row[3])).collect();
            for row in sums {
                assert_eq!(
                    [row[2], row[3]],
                    [&alone, &times].map(|times| format!("{:.2}", times.iter().sum::<f64>()))
                );
            }
            means.push((depth, 60.0 * mean(&alone)));
            misprints.extend(misprint("5.2, min", depth, printed_alone, mean(&alone), 2));
            misprints.extend(misprint("5.3, min", depth, printed, mean(&times), 2));
        }
        for ((depth, seconds), (of, mean)) in MEAN_SECONDS.into_iter().zip(means) {
            assert!(
                depth == of && (seconds - mean).abs() < 1e-9,
                "{depth}: {seconds} and {mean}"
            );
        }
        assert_eq!(misprints.len(), 5);
        assert!(rows("Means that are not those").into_iter().eq(misprints));
    }
}
