//! The times of Tables 5.1 to 5.4, what follows from them, and ours beside them.

use super::records::{Gain, Records};
use crate::nargolkar::measure::SOLVES_APPENDIX_B;
use crate::nargolkar::message::Split;
use crate::nargolkar::printed::{
    BEGIN, GENERATION, MINUTES, MINUTES_ON_EIGHT, RUN, SECONDS, SUPERFLIP_HOURS, Times, rate,
};
use crate::nargolkar::record::{Search, Subject};
use crate::nargolkar::scheme::{Tree, by_limits, ceiling, speedup, speedup_at};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Plot, Table};
use cosette_lab::nargolkar::patterns::{Pattern, superflip_distance};
use cosette_lab::reid::PRINTED_LOG;
use std::collections::BTreeMap;

/// How many processors her parallel times are of.
const EIGHT: usize = 8;

/// How many times the nodes of a limit the next one has, in quarter turns and in half turns.
const GROWTH: [f64; 2] = [8.0, 13.0];

/// The nodes of a limit in the log.
fn printed_nodes(limit: u8) -> Option<u64> {
    PRINTED_LOG.iter().find(|row| row.0 == limit).map(|row| row.1)
}

fn her_rate() -> f64 {
    rate(printed_nodes(17).expect("it is printed"))
}

/// The run of appendix B, as an example of limits on several processors.
pub fn schedule(_records: &Records) -> Experiment {
    let rate = her_rate();
    let last_seconds = RUN[7].2.expect("printed") - RUN[5].2.expect("printed");
    let nodes = |limit: u8| printed_nodes(limit).unwrap_or((last_seconds * rate).round() as u64);
    let trees: Vec<Tree> = RUN.iter().map(|&(limit, ..)| (limit, nodes(limit))).collect();
    let mut table = Table::headed(
        "From limit 12q on; those below take a thousandth of a second",
        "limit | nodes | processor (paper) | ends, s (paper) | begins, s | ends, s | on three processors | begins, s | ends, s",
    );
    let mut free = [BEGIN; 2];
    let seconds = |nodes: u64| BEGIN + nodes as f64 / rate;
    for (&(limit, processor, stamp), turn) in RUN.iter().zip(by_limits(&trees, 3)) {
        let begin = free[processor];
        free[processor] += nodes(limit) as f64 / rate;
        table.row([
            Cell::text(format!("{limit}q")),
            match printed_nodes(limit) {
                Some(nodes) => Cell::Count(nodes),
                None => Cell::text(format!("{:.1} million, by its time", nodes(limit) as f64 / 1e6)),
            },
            Cell::Count(processor as u64),
            stamp.map_or(Cell::Nothing, |stamp| Cell::Number(stamp, 2)),
            Cell::Number(begin, 2),
            Cell::Number(free[processor], 2),
            Cell::Count(turn.processor as u64),
            Cell::Number(seconds(turn.begin), 2),
            Cell::Number(seconds(turn.end), 2),
        ]);
    }
    let below: u64 = PRINTED_LOG.iter().filter(|row| row.0 < 12).map(|row| row.1).sum();
    let all = below + trees.iter().map(|tree| tree.1).sum::<u64>();
    let (alone, took) = (all as f64 / rate, RUN[7].2.expect("printed") - BEGIN);
    let gain = alone / took;
    Experiment::new("schedule", "An example: the run of appendix B", "Nargolkar 2006, appendix B")
        .text(format!(
            "Four processors, the position of appendix B, one solution. Each has its table at {BEGIN} s, and generates {:.2} million nodes a \
             second (limit 17q: {} nodes between {} s and {} s). The log says who ended which limit, and prints the time of some. \
             From the nodes alone the other times follow; they agree with those printed. The solution has 19 quarter turns and is found at {} s, \
             so the search of 19q had generated about {:.0} million nodes, {:.0} % of a tree that would have about {:.1} thousand million.",
            rate / 1e6,
            printed_nodes(17).unwrap_or_default(),
            RUN[3].2.unwrap_or_default(),
            RUN[5].2.unwrap_or_default(),
            RUN[7].2.unwrap_or_default(),
            nodes(19) as f64 / 1e6,
            100.0 * nodes(19) as f64 / (8.27 * nodes(18) as f64),
            8.27 * nodes(18) as f64 / 1e9,
        ))
        .tables([table])
        .remark(format!(
            "One processor would generate all {:.0} million nodes, in {alone:.0} s; the run took {took:.0} s from the beginning of the search. So S = \
             {gain:.2} for the search, E = S/4 = {:.2}, and {:.2} with the generation of the table in both times. It could not be much \
             more: from 8q on, only processors 0 and 1 ended limits. With three processors 17q would not stand before 19q, and S would be {:.2}; a \
             fourth one would change nothing.",
            all as f64 / 1e6,
            gain / 4.0,
            (alone + BEGIN) / RUN[7].2.unwrap_or_default(),
            speedup(&trees, 3),
        ))
        .remark(
            "Why did processors 2 and 3 end nothing after 7q and 3q? The log does not say. The pseudo code of section 4.3 has the \
             master answer one request and then search a tree itself, so requests wait for the length of its own search; that would explain it.",
        )
}

/// The most that the split by limits can gain, and where the patterns of appendix C lie.
pub fn ceilings(records: &Records) -> Experiment {
    let mut table = Table::headed("", "fraction f of the last tree | S, b = 8 | S, b = 13");
    for (name, fraction) in [
        ("1/100", 0.01),
        ("1/20", 0.05),
        ("1/13", 1.0 / 13.0),
        ("1/8", 0.125),
        ("1/4", 0.25),
        ("1/2", 0.5),
        ("1, all of it", 1.0),
    ] {
        let row = GROWTH.map(|growth| Cell::Number(speedup_at(growth, fraction), 3));
        table.row([Cell::text(name)].into_iter().chain(row));
    }
    let curve = |growth| {
        (1..=100).map(move |percent| (f64::from(percent) / 100.0, speedup_at(growth, f64::from(percent) / 100.0)))
    };
    let points: Vec<(f64, f64)> =
        firsts(records).iter().filter_map(|first| Some((first.fraction?, first.speedup))).collect();
    let axes = ["fraction of the last tree at which the solution is met", "speedup"];
    let plot = Plot::new("nargolkar-ceiling", "What the split by limits can gain", axes, [false, false])
        .series("b = 8, quarter turns", curve(GROWTH[0]))
        .series("b = 13, half turns", curve(GROWTH[1]))
        .printed("appendix C, ours", points.clone());
    let mut gains: Vec<f64> = firsts(records).iter().map(|first| first.speedup).collect();
    gains.sort_unstable_by(f64::total_cmp);
    let ours = match (gains.first(), gains.get(gains.len() / 2), gains.last()) {
        (Some(least), Some(median), Some(most)) => format!(
            "The crosses are our own searches of appendix C in quarter turns, to the first solution: {} positions, with the speedup that \
             eight processors have by their nodes. It is {least:.2} at least, {median:.2} in the median, {most:.2} at most.",
            gains.len()
        ),
        _ => "There are no records of searches to a solution.".into(),
    };
    Experiment::new("ceiling", "The ceiling", "Nargolkar 2006, section 3.1")
        .text(
            "Say each tree has b times the nodes of the one before (about 8 in quarter turns, 13 in half turns), and let the last tree \
             have the size 1. Its first solution is met after the fraction f of it. One processor searches all trees: 1/b + 1/b² + … before the \
             last one, which is 1/(b − 1), and f of the last. With enough processors, each tree has its own: the goal is met after f, and the \
             proof waits for the tree before it, 1/b, if that takes longer. So",
        )
        .text("> S(f) = (1/(b − 1) + f) / max(f, 1/b)")
        .text(
            "The largest value is at f = 1/b: b/(b − 1) + 1. That is **15/7 = 2.14 for b = 8**, and 25/12 = 2.08 for b = 13, with any \
             number of processors. (Where trees grow unevenly, it is 1 + (all smaller trees)/(the tree before the last).) If the whole last tree is searched, f = 1, it is b/(b − 1): 8/7 and 13/12.",
        )
        .tables([table])
        .plots([plot])
        .remark(ours)
}

/// A search of the sequential program to its first solution.
pub struct First {
    /// The fraction of the last tree at which it is met, if the growth of the limits before is known.
    pub fraction: Option<f64>,
    /// What eight processors gain.
    pub speedup: f64,
}

/// What the nodes of a search to its first solution say; `None` if it came to none.
pub fn first(search: &Search) -> Option<First> {
    search.outcome.length?;
    let trees: Vec<Tree> = search.outcome.limits.iter().map(|limit| (limit.limit, limit.nodes)).collect();
    let fraction = match trees[..] {
        [.., (_, before), (_, whole), (_, last)] if before > 1000 => {
            Some(last as f64 * before as f64 / (whole as f64).powi(2))
        }
        _ => None,
    };
    Some(First { fraction: fraction.filter(|&fraction| fraction <= 1.0), speedup: speedup(&trees, EIGHT) })
}

/// The patterns that were searched furthest in quarter turns.
fn firsts(records: &Records) -> Vec<First> {
    let patterns =
        Pattern::all().iter().filter_map(|pattern| records.furthest(Subject::Pattern(pattern.number), Metric::Qtm));
    patterns.filter_map(first).collect()
}

/// Tables 5.1 to 5.3.
pub fn times(records: &Records) -> Experiment {
    let mut sequential = Table::headed(
        "Table 5.1 (paper): the sequential program, in seconds",
        "depth | 1 | 2 | 3 | 4 | 5 | mean, printed | mean | less 100 s: million nodes",
    );
    for row in &SECONDS {
        let times = row.times.iter().map(|&time| Cell::Count(time as u64));
        let nodes = (row.true_mean() - 100.0).max(0.0) * her_rate() / 1e6;
        sequential.row([Cell::Count(row.depth.into())].into_iter().chain(times).chain([
            Cell::Number(row.mean, 1),
            Cell::Number(row.true_mean(), 1),
            Cell::Number(nodes, 0),
        ]));
    }
    let mut parallel = Table::headed(
        "Tables 5.2 and 5.3 (paper): minutes on one processor and on eight, and what follows",
        "depth | configuration | np = 1 | np = 8 | S | E | Karp–Flatt | S without generation | more than",
    );
    let (mut pairs, mut above, mut beyond) = (Vec::new(), 0, 0);
    for (one, eight) in MINUTES.iter().zip(&MINUTES_ON_EIGHT) {
        for (number, (&alone, &time)) in one.times.iter().zip(eight.times).enumerate() {
            parallel.row(row(one.depth, Cell::Count(number as u64 + 1), alone, time));
            if one.depth < 22 {
                pairs.push((alone, alone / time));
                above += usize::from(alone / time > ceiling(8.0));
                beyond += usize::from(alone / time > EIGHT as f64);
            }
        }
        if one.depth == 22 {
            parallel.row(row(22, Cell::text("2, if 307.5 is its time"), one.times[1], eight.times[0]));
        } else {
            let sum = |times: &Times| times.times.iter().sum::<f64>();
            parallel.row(row(one.depth, Cell::text("all five"), sum(one), sum(eight)));
        }
    }
    let ends = [2.0, 500.0];
    let plot = Plot::new(
        "nargolkar-printed",
        "The printed speedups on eight processors, depths 19 to 21",
        ["minutes on one processor", "speedup"],
        [true, true],
    )
    .printed("thesis", pairs)
    .series("ceiling, 15/7", ends.map(|x| (x, ceiling(8.0))))
    .series("processors, 8", ends.map(|x| (x, EIGHT as f64)));
    let mut means = Table::headed("Means that are not those of the printed times", "table | depth | printed | right");
    let tables: [(&str, &[Times], f64); 3] =
        [("5.1, s", &SECONDS, 0.1), ("5.2, min", &MINUTES, 0.01), ("5.3, min", &MINUTES_ON_EIGHT, 0.01)];
    for (name, rows, digit) in tables {
        for row in rows.iter().filter(|row| !row.is_right(digit)) {
            let digits = if digit < 0.1 { 2 } else { 1 };
            means.row([
                Cell::text(name),
                Cell::Count(row.depth.into()),
                Cell::Number(row.mean, digits),
                Cell::Number(row.true_mean(), digits),
            ]);
        }
    }
    Experiment::new("times", "The printed times", "Nargolkar 2006, Tables 5.1 to 5.3, Figures 5.1 to 5.4")
        .text(
            "Up to depth 16 every time is about 100 s: that is the generation of the table, which each run does again (in appendix B, with four \
             processors, the search begins after 109 s). What is more than that is the search. Figures 5.1 to 5.4 draw the means of these tables.",
        )
        .tables([sequential, parallel, means])
        .plots([plot])
        .remark(format!(
            "Of the fifteen pairs of depths 19 to 21, {above} exceed the ceiling of 15/7, and {beyond} exceeds even the number of processors. Taking \
             the generation off both times makes more of them, and larger. No way to divide the same work gains more than eight times: there the \
             eight processors did less work than one. A processor that searches a larger limit may meet a goal before the smaller limits have \
             ended. If that goal is accepted, nothing is proven, and the time may be anything: the time of depth 19, configuration 4, is 1.68 \
             minutes, which the generation of the table takes alone. Such a goal can be shortest all the same. The thesis says that the processors stop \
             \"if the goal found is optimal\", not how they know. What that gains is measured below (the first goal taken)."
        ))
        .remark(
            "At depth 22 there is one parallel time, 307.5 minutes. Beside configuration 1, under which it stands, it would be a loss; beside \
             configuration 2 it fits the others. Sequential and parallel depths 20 and 21 are gained at by factors between 1.3 and 2.2, but for 8.64: \
             what the scheme can give.",
        )
        .tables(beside(records))
}

/// A pair of times, and what follows.
fn row(depth: u8, configuration: Cell, alone: f64, time: f64) -> Vec<Cell> {
    let gain = Gain::of(EIGHT, alone, time).expect("times");
    let search = (alone - GENERATION) / (time - GENERATION);
    let exceeded = match gain.speedup {
        more if more > EIGHT as f64 => Cell::text("8"),
        more if more > ceiling(8.0) => Cell::text("15/7"),
        _ => Cell::Nothing,
    };
    vec![
        Cell::Count(depth.into()),
        configuration,
        Cell::Number(alone, 2),
        Cell::Number(time, 2),
        Cell::Number(gain.speedup, 2),
        Cell::Number(gain.efficiency, 2),
        Cell::Number(gain.serial_fraction.expect("eight processors"), 3),
        if time - GENERATION < 0.05 { Cell::text("no search left") } else { Cell::Number(search, 2) },
        exceeded,
    ]
}

/// Our nodes to the first solution at her speed, beside her times.
fn beside(records: &Records) -> Option<Table> {
    let mut by_distance: BTreeMap<u8, Vec<&Search>> = BTreeMap::new();
    for pattern in Pattern::all() {
        let search = records.furthest(Subject::Pattern(pattern.number), Metric::Qtm);
        if let Some(search) = search.filter(|search| search.outcome.length.is_some()) {
            by_distance.entry(pattern.distance(Metric::Qtm)).or_default().push(search);
        }
    }
    let mut table = Table::headed(
        "Ours beside them: appendix C in quarter turns by true distance, to the first solution, every limit; at her speed: nodes ÷ 1.46 million, plus 100 s",
        "quarter turns | positions | nodes, least | nodes, mean | nodes, most | at her speed, mean | depth as printed: her mean",
    );
    for (distance, searches) in by_distance {
        let nodes: Vec<u64> = searches.iter().map(|search| search.outcome.nodes).collect();
        let mean = nodes.iter().sum::<u64>() as f64 / nodes.len() as f64;
        let of =
            |rows: &[Times], unit: f64| rows.iter().find(|row| row.depth == distance).map(|row| row.true_mean() * unit);
        let hers = of(&SECONDS, 1.0).or_else(|| of(&MINUTES, 60.0));
        table.row([
            Cell::Count(distance.into()),
            Cell::Count(nodes.len() as u64),
            Cell::count(nodes.iter().min().copied()),
            Cell::Count(mean.round() as u64),
            Cell::count(nodes.iter().max().copied()),
            Cell::Seconds(mean / her_rate() + 100.0),
            hers.map_or(Cell::Nothing, Cell::Seconds),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Table 5.4: the superflip.
pub fn superflip(records: &Records) -> Experiment {
    let mut table = Table::headed(
        "Table 5.4 (paper), and ours in nodes: the limits that were searched to their end, in quarter turns",
        "np | hours (paper) | S (paper) | E (paper) | Karp–Flatt (paper) | S, by limits | S, by subtrees",
    );
    let ours = |split, np: usize| {
        let way = records.ways().into_iter().find(|way| way.ranks == np && way.searching == np)?;
        records.sum(Metric::Qtm, split, way, |search| search.subject == Subject::Superflip).gain(way)
    };
    for (np, hours) in SUPERFLIP_HOURS {
        let gain = Gain::of(np, SUPERFLIP_HOURS[0].1, hours).expect("times");
        let number = |value: Option<f64>, digits| value.map_or(Cell::Nothing, |value| Cell::Number(value, digits));
        table.row([
            Cell::Count(np as u64),
            Cell::Number(hours, 2),
            Cell::Number(gain.speedup, 2),
            Cell::Number(gain.efficiency, 2),
            number(gain.serial_fraction, 3),
            number(ours(Split::Limits, np).map(|gain| gain.speedup), 2),
            number(ours(Split::Subtrees, np).map(|gain| gain.speedup), 2),
        ]);
    }
    let hers = SUPERFLIP_HOURS[0].1 * 3600.0 * her_rate();
    let mut expected = Table::headed(
        "How many nodes the superflip takes: all limits below its distance, from the largest tree that was searched",
        "metric | distance | largest tree | nodes | growth, mean of two | expected below the distance | the same ÷ 48 | hers in 51.95 h | ceiling of its trees",
    );
    for metric in Metric::ALL {
        let Some(search) = records.furthest(Subject::Superflip, metric) else { continue };
        let [.., before, _, last] = &search.outcome.limits[..] else { continue };
        let growth = (last.nodes as f64 / before.nodes as f64).sqrt();
        let distance = superflip_distance(metric);
        let below: f64 =
            (last.limit..distance).map(|limit| last.nodes as f64 * growth.powi(i32::from(limit - last.limit))).sum();
        expected.row([
            Cell::text(metric.name()),
            Cell::Count(distance.into()),
            Cell::Count(last.limit.into()),
            Cell::Count(last.nodes),
            Cell::Number(growth, 2),
            Cell::Estimate(below),
            Cell::Estimate(below / 48.0),
            Cell::Estimate(hers),
            own_ceiling(search, distance).map_or(Cell::Nothing, |ceiling| Cell::Number(ceiling, 2)),
        ]);
    }
    Experiment::new("superflip", "The superflip", "Nargolkar 2006, Table 5.4 and Figure 5.7")
        .text(
            "The superflip is 20 half turns or 24 quarter turns from solved. Hers took 52 hours on one processor and 22 on eight. Our \
             parallel search of it is cut off by the budget, and does not use its 48 symmetries.",
        )
        .tables([table, expected])
        .remark(format!(
            "Her factor 2.34 at np = 8 is above the ceiling of 15/7. The trees of the superflip do not all grow by 8 in quarter turns, so their own \
             ceiling, 1 + (all smaller trees)/(the tree before the last), is higher; hers is still above it. And the steps from 4 to 6 and 8 processors gain more \
             than the scheme can: with four processors all trees that matter have one of their own. In 51.95 hours at {:.2} million nodes a second her program generated \
             2.7·10¹¹ nodes. Without symmetry that is far too few to rule out all shorter solutions, in either metric; with all 48 \
             symmetries, which her log says are used, it is enough in half turns and about enough in quarter turns. The thesis does not say which metric it was.",
            her_rate() / 1e6
        ))
}

/// The ceiling for the trees of a position: what is gained if the last is met when the one before it ends.
fn own_ceiling(search: &Search, distance: u8) -> Option<f64> {
    let limits = &search.outcome.limits;
    // In quarter turns a solution has the parity of the distance.
    let is_last = |limit: u8| search.metric == Metric::Htm || limit % 2 == distance % 2;
    let last = limits.iter().rposition(|limit| is_last(limit.limit))?;
    let before = limits[..last].last()?.nodes;
    let smaller: u64 = limits[..last].iter().map(|limit| limit.nodes).sum();
    Some(1.0 + smaller as f64 / before as f64)
}

/// Which searches of the log agree: see [`super::single::log`].
pub const APPENDIX_B: Subject = Subject::Inverse(SOLVES_APPENDIX_B);
