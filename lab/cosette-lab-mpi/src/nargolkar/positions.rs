//! Sections of the page about single positions: the patterns and their first solutions, the
//! superflip, positions next to their inverses, and the position of appendix B.

use super::coordinator::SOLVES_APPENDIX_B;
use super::plan::RankSplit;
use super::records::{Found, Measurements, PositionSearches, Sequential, Subject, Way};
use super::thesis::{
    LimitNodes, MEAN_SECONDS, ParallelGain, RATE, SUPERFLIP_HOURS, growth, number, speedup,
    speedup_at, spread,
};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Plot, ResultTable};
use cosette_lab::long_search::LongSearchResults;
use cosette_lab::nargolkar::{AppendixPattern, superflip_distance};
use cosette_lab::reid::PRINTED_LOG;
use cosette_lab::stored_results::StoredResults;
use std::collections::BTreeMap;

/// The position of appendix B.
const APPENDIX_B: Subject = Subject::Inverse(SOLVES_APPENDIX_B);

/// The name of a metric in full.
pub fn in_full(metric: Metric) -> &'static str {
    match metric {
        Metric::Htm => "half turns",
        Metric::Qtm => "quarter turns",
    }
}

/// A search of the sequential program to its first solution.
struct First {
    /// The fraction of the last tree at which the solution is found, if the growth of the limits
    /// before is known.
    fraction: Option<f64>,
    /// Speedup with eight processors.
    speedup: f64,
}

/// Returns the nodes of a search up to its first solution; `None` if it found none.
fn first(search: &Sequential) -> Option<First> {
    search.length?;
    let fraction = match search.limits[..] {
        [.., (_, before), (_, whole), (_, last)] if before > 1000 => {
            Some(last as f64 * before as f64 / (whole as f64).powi(2))
        }
        _ => None,
    };
    Some(First {
        fraction: fraction.filter(|&fraction| fraction <= 1.0),
        speedup: speedup(&search.limits, 8),
    })
}

/// The patterns in quarter turns, and their searches by the sequential program that went furthest.
fn furthest(
    records: &Measurements,
) -> impl Iterator<Item = (&'static AppendixPattern, Option<&Sequential>)> {
    AppendixPattern::all().iter().map(|pattern| {
        let position = records.position(Subject::Pattern(pattern.number), Metric::Qtm);
        (pattern, position.map(PositionSearches::furthest))
    })
}

fn firsts(records: &Measurements) -> Vec<First> {
    furthest(records)
        .filter_map(|(_, search)| first(search?))
        .collect()
}

/// Returns the number of patterns solved, and the speedup with eight processors: minimum, median,
/// maximum.
pub fn first_solutions(records: &Measurements) -> Vec<(&'static str, String)> {
    let firsts = firsts(records);
    let shown = |gain: Option<f64>| gain.map_or("–".into(), |gain| format!("{gain:.2}"));
    let [least, median, most] = spread(firsts.iter().map(|first| first.speedup)).map(shown);
    vec![
        ("solved", firsts.len().to_string()),
        ("least", least),
        ("median", median),
        ("most", most),
    ]
}

/// Plots the maximum speedup of the split by limits, with the patterns of appendix C.
pub fn ceilings(records: &Measurements) -> Plot {
    let fractions = || (1..=100).map(|percent| f64::from(percent) / 100.0);
    let curve = |metric| {
        fractions().map(move |fraction| (fraction, speedup_at(growth(metric).into(), fraction)))
    };
    let points = firsts(records)
        .into_iter()
        .filter_map(|first| Some((first.fraction?, first.speedup)));
    let axes = [
        "fraction of the last tree at which the solution is met",
        "speedup",
    ];
    Plot::new(
        "nargolkar-ceiling",
        "What the split by limits can gain",
        axes,
        [false, false],
    )
    .series("b = 8, quarter turns", curve(Metric::Qtm))
    .series("b = 13, half turns", curve(Metric::Htm))
    .printed("appendix C, ours", points)
}

/// Returns a table of our nodes to the first solution at her speed, next to her times.
pub fn beside(records: &Measurements) -> ResultTable {
    let mut by_distance: BTreeMap<u8, Vec<u64>> = BTreeMap::new();
    for (pattern, search) in furthest(records) {
        if let Some(search) = search.filter(|search| search.length.is_some()) {
            by_distance
                .entry(pattern.distance(Metric::Qtm))
                .or_default()
                .push(search.nodes());
        }
    }
    let mut table = ResultTable::headed(
        "Ours beside them: appendix C in quarter turns by true distance, to the first solution, \
            every limit; at her speed: nodes ÷ 1.46 million, plus 100 s",
        "quarter turns | positions | nodes, least | nodes, mean | nodes, most | at her speed, \
            mean | depth as printed: her mean",
    );
    for (distance, nodes) in by_distance {
        let mean = nodes.iter().sum::<u64>() as f64 / nodes.len() as f64;
        let hers = MEAN_SECONDS.iter().find(|(depth, _)| *depth == distance);
        table.row([
            Cell::Count(distance.into()),
            Cell::Count(nodes.len() as u64),
            Cell::count(nodes.iter().min().copied()),
            Cell::Count(mean.round() as u64),
            Cell::count(nodes.iter().max().copied()),
            Cell::Seconds(mean / RATE + 100.0),
            hers.map_or(Cell::Nothing, |hers| Cell::Seconds(hers.1)),
        ]);
    }
    table
}

/// Table 5.4: the superflip.
pub fn superflip(records: &Measurements) -> ResultTable {
    let mut table = ResultTable::headed(
        "Table 5.4 (paper), and ours in nodes: the limits that were searched to their end, in \
            quarter turns",
        "np | hours (paper) | S (paper) | E (paper) | Karp–Flatt (paper) | S, by limits | S, by \
            subtrees",
    );
    let ours = |split, np: usize| {
        let way = Way {
            ranks: np,
            searching: np,
        };
        records
            .sum(Metric::Qtm, (split, way), |position, _| {
                position.subject == Subject::Superflip
            })
            .speedup()
    };
    for (np, hours) in SUPERFLIP_HOURS {
        let hers = ParallelGain::cells(ParallelGain::of(np, SUPERFLIP_HOURS[0].1, hours));
        let [limits, subtrees] =
            [RankSplit::Limits, RankSplit::Subtrees].map(|split| ours(split, np));
        table.row(
            [Cell::Count(np as u64), Cell::Number(hours, 2)]
                .into_iter()
                .chain(hers)
                .chain([limits, subtrees]),
        );
    }
    table
}

/// The nodes that rule out all limits below the distance of the superflip, with its symmetries:
/// those searched by Reid's engine, and where it leaves out every other limit, for each the
/// geometric mean of its neighbors.
pub fn expected(records: &Measurements) -> ResultTable {
    let mut table = ResultTable::headed(
        "How many nodes prove the superflip with its 48 symmetries: \
            [measured](reid.md#the-superflip-by-reids-engine) where limits were searched, between \
            them the geometric mean",
        "metric | distance | limits searched | their nodes | all limits below the distance | hers \
            in 51.95 h | times hers | ceiling of its trees",
    );
    let hers = SUPERFLIP_HOURS[0].1 * 3600.0 * RATE;
    for metric in Metric::ALL {
        let Some(position) = records.position(Subject::Superflip, metric) else {
            continue;
        };
        let distance = superflip_distance(metric);
        let searched = LongSearchResults(StoredResults::of_program(&format!(
            "reid-superflip-{}",
            metric.name()
        )))
        .of_position(1);
        let [first, .., before, last] = &searched[..] else {
            continue;
        };
        let mut all: f64 = searched.iter().map(|of| of.nodes as f64).sum();
        let nodes = all;
        if last.threshold - before.threshold == 2 {
            all += searched
                .windows(2)
                .map(|of| (of[0].nodes as f64 * of[1].nodes as f64).sqrt())
                .sum::<f64>();
            all += (last.nodes as f64).powi(3).sqrt() / (before.nodes as f64).sqrt();
        }
        table.row([
            Cell::text(metric.name()),
            Cell::Count(distance.into()),
            Cell::text(format!(
                "{} to {}, {}",
                first.threshold,
                last.threshold,
                if nodes < all { "even" } else { "all" }
            )),
            Cell::Estimate(nodes),
            Cell::Estimate(all),
            Cell::Estimate(hers),
            Cell::Number(all / hers, 1),
            number(
                own_ceiling(&position.furthest().limits, metric, distance),
                2,
            ),
        ]);
    }
    table
}

/// The ceiling for the trees of a position: what is gained if the last is met when the one before
/// it ends.
fn own_ceiling(trees: &[LimitNodes], metric: Metric, distance: u8) -> Option<f64> {
    // In quarter turns a solution has the parity of the distance.
    let last = trees
        .iter()
        .rposition(|(limit, _)| metric == Metric::Htm || limit % 2 == distance % 2)?;
    let before = trees[..last].last()?.1;
    let smaller: u64 = trees[..last].iter().map(|tree| tree.1).sum();
    Some(1.0 + smaller as f64 / before as f64)
}

/// A pattern and its inverse.
fn pair(records: &Measurements, metric: Metric, number: usize) -> Option<[&PositionSearches; 2]> {
    let [pattern, inverse] = [Subject::Pattern(number), Subject::Inverse(number)];
    Some([
        records.position(pattern, metric)?,
        records.position(inverse, metric)?,
    ])
}

/// Plots figures 5.5 and 5.6: positions next to their inverses.
pub fn inverses(records: &Measurements, name: &'static str, metric: Metric) -> Plot {
    let title = format!("Positions and their inverses, in {}", in_full(metric));
    let mut plot = Plot::new(name, title, ["pattern", "nodes"], [false, true]);
    let way = records.best_way();
    for (how, is_parallel) in [("sequential", false), ("parallel", true)] {
        for (at, which) in ["position", "inverse"].into_iter().enumerate() {
            let points = AppendixPattern::all().iter().filter_map(|pattern| {
                let position = pair(records, metric, pattern.number)?[at];
                let path = position
                    .found(RankSplit::Subtrees, way)
                    .map(|found| found.path);
                let nodes = if is_parallel {
                    path?
                } else {
                    position.alone.nodes()
                };
                Some((pattern.number as f64, nodes as f64))
            });
            plot = plot.series(format!("{which}, {how}"), points);
        }
    }
    plot
}

/// The nodes of inverses over those of their positions.
pub fn inverse_nodes(records: &Measurements) -> String {
    let pairs = Metric::ALL.into_iter().flat_map(|metric| {
        AppendixPattern::all()
            .iter()
            .filter_map(move |pattern| pair(records, metric, pattern.number))
    });
    let ratio = |[position, inverse]: [&PositionSearches; 2]| {
        inverse.alone.nodes() as f64 / position.alone.nodes() as f64
    };
    let ratios: Vec<f64> = pairs.map(ratio).collect();
    let [Some(least), _, Some(most)] = spread(ratios.iter().copied()) else {
        return String::new();
    };
    let equal = ratios.iter().filter(|&&ratio| ratio == 1.0).count();
    let all = ratios.len();
    format!(
        "An inverse takes between {least:.2} and {most:.2} times the nodes of its position; as \
            many in {equal} of {all} pairs."
    )
}

/// The nodes by limit: as printed, of the sequential program, and in how many parallel searches
/// they were the same.
pub fn log(records: &Measurements) -> ResultTable {
    let columns = "limit | nodes (paper) | nodes, sequential | parallel searches | of them with \
        the same nodes";
    let mut table = ResultTable::headed("Nodes generated by limit", columns);
    let Some(position) = records.position(APPENDIX_B, Metric::Qtm) else {
        return table;
    };
    let parallel: Vec<&Found> = position
        .found
        .iter()
        .filter(|found| found.split != RankSplit::Unproven)
        .collect();
    for (at, &(limit, nodes)) in position.alone.limits.iter().enumerate() {
        table.row([
            Cell::text(format!("{limit}q")),
            Cell::count(
                PRINTED_LOG
                    .iter()
                    .find(|printed| printed.0 == limit)
                    .map(|printed| printed.1),
            ),
            Cell::Count(nodes),
            Cell::Count(parallel.len() as u64),
            Cell::Count(
                parallel
                    .iter()
                    .filter(|found| found.same_limits > at)
                    .count() as u64,
            ),
        ]);
    }
    table
}

/// Returns a table of the speedup with several processors for the position of appendix B.
pub fn log_gains(records: &Measurements) -> ResultTable {
    let columns = "divided by | np | nodes, np = 1 | nodes on the path | S | E | Karp–Flatt";
    let mut table = ResultTable::headed("The search, limit by limit", columns);
    for (split, way) in records.parallel() {
        let sum = records.sum(Metric::Qtm, (split, way), |position, _| {
            position.subject == APPENDIX_B
        });
        if sum.positions > 0 {
            table.row(
                [Cell::text(split.to_string()), way.cell()]
                    .into_iter()
                    .chain(sum.cells()),
            );
        }
    }
    table
}

/// Returns a table of the patterns, their true distances, and the last limits searched.
pub fn distances(records: &Measurements) -> ResultTable {
    let mut table = ResultTable::headed(
        "The sequential program in quarter turns, every limit",
        "pattern | sequence | depth (paper) | half turns | quarter turns | searched to | nodes | \
            fraction f | S by limits, np = 8",
    );
    for (pattern, search) in furthest(records) {
        let first = search.and_then(first);
        let to = search.map_or(Cell::Nothing, |search| {
            match (search.length, search.limits.last()) {
                (Some(length), _) => Cell::text(format!("{length}q, solved")),
                (None, Some((last, _))) => Cell::text(format!("{last}q, complete")),
                (None, None) => Cell::Nothing,
            }
        });
        table.row([
            Cell::Count(pattern.number as u64),
            Cell::text(pattern.sequence),
            Cell::Count(pattern.printed.into()),
            Cell::Count(pattern.distance(Metric::Htm).into()),
            Cell::Count(pattern.distance(Metric::Qtm).into()),
            to,
            Cell::count(search.map(Sequential::nodes)),
            number(first.as_ref().and_then(|first| first.fraction), 3),
            number(first.as_ref().map(|first| first.speedup), 2),
        ]);
    }
    table
}

/// Returns the patterns whose trees have the same size at all limits that both have completed, at
/// least three.
pub fn equal_trees(records: &Measurements) -> Option<String> {
    let mut groups: Vec<(&[LimitNodes], Vec<usize>)> = Vec::new();
    for position in records
        .positions
        .iter()
        .filter(|position| position.metric == Metric::Htm)
    {
        let Subject::Pattern(number) = position.subject else {
            continue;
        };
        let trees = position.alone.complete();
        let is_like = |others: &[LimitNodes]| {
            trees.len().min(others.len()) > 2 && trees.iter().zip(others).all(|(a, b)| a == b)
        };
        match groups.iter_mut().find(|(others, _)| is_like(others)) {
            Some((_, numbers)) => numbers.push(number),
            None => groups.push((trees, vec![number])),
        }
    }
    let largest = groups
        .into_iter()
        .map(|of| of.1)
        .max_by_key(Vec::len)
        .filter(|numbers| numbers.len() > 2)?;
    let numbers: Vec<String> = largest.iter().map(usize::to_string).collect();
    Some(format!(
        "The patterns {} have, in half turns, as many nodes as each other at every limit that \
            they have completed: a tree \
         depends on nothing but the three cosets of its position, and theirs are the same up to a \
         symmetry of the cube.",
        numbers.join(", ")
    ))
}
