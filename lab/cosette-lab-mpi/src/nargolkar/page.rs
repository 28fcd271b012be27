//! The figures of the page (`pages/nargolkar-parallel.md`), computed from the records.

use super::coordinator::SOLVES_APPENDIX_B;
use super::in_full;
use super::plan::RankSplit;
use super::records::{Measurements, PositionSearches, Sequential, SplitSearch, Subject, Way};
use super::thesis::{
    LimitNodes, ParallelGain, RATE, SUPERFLIP_HOURS, ceiling, growth, run_of_appendix_b, speedup,
    speedup_at, spread,
};
use cosette::cube::Metric;
use cosette_lab::nargolkar::AppendixPattern;
use cosette_lab::page::{Page, Records};
use cosette_lab::record::Record;
use cosette_lab::reid::PRINTED_LOG;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;

/// The file of the template.
const TEMPLATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pages/nargolkar-parallel.md");

/// The position of appendix B.
const APPENDIX_B: Subject = Subject::Inverse(SOLVES_APPENDIX_B);

/// The ranks of the thesis' comparisons.
const EIGHT: Way = Way {
    ranks: 8,
    searching: 8,
};

/// Renders the page of these records.
///
/// # Errors
///
/// The template cannot be read.
pub fn page(records: &Measurements) -> io::Result<Page> {
    let data = json!({
        "cores": records.cores(),
        "runs": records.runs,
        "appendix_b": run_of_appendix_b(),
        "firsts": spread(firsts(records).iter().map(|first| first.speedup)),
        "solved": firsts(records).len(),
        "ceiling": ceiling_curves(records),
        "beside": beside(records),
        "superflip": superflip(records),
        "gains": gains(records),
        "solutions": solutions(records),
        "spent": spent(records),
        "absolute": absolute(records),
        "depths": depths(records),
        "inverses": inverses(records),
        "log": log(records),
        "stored": stored_tables(records),
        "patterns": patterns(records),
        "equal_trees": equal_trees(records),
    });
    let record = Record {
        origin: String::new(),
        data,
    };
    let template = fs::read_to_string(TEMPLATE)?;
    let records = Records::from([("parallel", record)]);
    Ok(Page::render("nargolkar-parallel", &template, &records))
}

/// A search of the sequential program to its first solution.
struct FirstSolution {
    /// The fraction of the last tree at which the solution is found, if the growth of the limits
    /// before is known.
    fraction: Option<f64>,
    /// Speedup with eight processors.
    speedup: f64,
}

/// Returns the nodes of a search up to its first solution; `None` if it found none.
fn first(search: &Sequential) -> Option<FirstSolution> {
    search.length?;
    let fraction = match search.limits[..] {
        [.., (_, before), (_, whole), (_, last)] if before > 1000 => {
            Some(last as f64 * before as f64 / (whole as f64).powi(2))
        }
        _ => None,
    };
    Some(FirstSolution {
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

fn firsts(records: &Measurements) -> Vec<FirstSolution> {
    furthest(records)
        .filter_map(|(_, search)| first(search?))
        .collect()
}

/// The maximum speedup of the split by limits as curves, and the patterns of appendix C as points.
fn ceiling_curves(records: &Measurements) -> Value {
    let curve = |metric| -> Vec<Value> {
        let fractions = (1..=200).map(|part| f64::from(part) / 200.0);
        let point = |f| json!({"f": f, "s": speedup_at(growth(metric).into(), f)});
        fractions.map(point).collect()
    };
    let points = firsts(records);
    let points = points
        .iter()
        .map(|first| json!({"f": first.fraction, "s": first.speedup}));
    json!({
        "htm": curve(Metric::Htm),
        "qtm": curve(Metric::Qtm),
        "ours": points.collect::<Vec<_>>(),
    })
}

/// Our nodes to the first solution at her speed, by true distance, next to her mean times.
fn beside(records: &Measurements) -> Vec<Value> {
    let mut by_distance: BTreeMap<u8, Vec<u64>> = BTreeMap::new();
    for (pattern, search) in furthest(records) {
        if let Some(search) = search.filter(|search| search.length.is_some()) {
            let distance = pattern.distance(Metric::Qtm);
            by_distance
                .entry(distance)
                .or_default()
                .push(search.nodes());
        }
    }
    let row = |(distance, nodes): (u8, Vec<u64>)| {
        let mean = nodes.iter().sum::<u64>() as f64 / nodes.len() as f64;
        json!({
            "distance": distance,
            "positions": nodes.len(),
            "least": nodes.iter().min(),
            "mean": mean,
            "most": nodes.iter().max(),
            "seconds": mean / RATE + 100.0,
            "minutes": (mean / RATE + 100.0) / 60.0,
        })
    };
    by_distance.into_iter().map(row).collect()
}

/// Table 5.4: the superflip.
fn superflip(records: &Measurements) -> Vec<Value> {
    let row = |&(np, hours): &(usize, f64)| {
        let way = Way {
            ranks: np,
            searching: np,
        };
        let ours = |split| {
            let is_it = |position: &PositionSearches, _: &SplitSearch| {
                position.subject == Subject::Superflip
            };
            records.sum(Metric::Qtm, (split, way), is_it).gain.speedup
        };
        let alone = SUPERFLIP_HOURS[0].1;
        let limits = ours(RankSplit::Limits);
        let subtrees = ours(RankSplit::Subtrees);
        json!({
            "np": np,
            "hours": hours,
            "hers": ParallelGain::of(np, alone, hours),
            "limits": limits,
            "subtrees": subtrees,
            "limits_hours": alone / limits,
            "subtrees_hours": alone / subtrees,
        })
    };
    SUPERFLIP_HOURS.iter().map(row).collect()
}

/// Speedup, efficiency and serial fraction of all searches together.
fn gains(records: &Measurements) -> Vec<Value> {
    let mut rows = Vec::new();
    for metric in Metric::ALL {
        for is_solved in [true, false] {
            for (split, way) in records.parallel() {
                let sum = records.sum(metric, (split, way), |_, found| {
                    found.length.is_some() == is_solved
                });
                if sum.positions > 0 {
                    rows.push(json!({
                        "metric": in_full(metric),
                        "searches": if is_solved { "to a solution" } else { "complete limits" },
                        "split": split.to_string(),
                        "np": way.name(),
                        "ranks": way.ranks,
                        "speedup": sum.gain.speedup,
                        "sum": sum,
                    }));
                }
            }
        }
    }
    rows
}

/// The first goal taken, and processors that find different solutions.
fn solutions(records: &Measurements) -> Vec<Value> {
    let mut rows = Vec::new();
    for (split, way) in records.parallel() {
        let solved: Vec<(&PositionSearches, &SplitSearch)> = records
            .found(split, way)
            .filter(|(_, found)| found.length.is_some())
            .collect();
        let gain = |position: &PositionSearches, found: &SplitSearch| {
            position.alone.nodes() as f64 / found.path as f64
        };
        let count = |is_counted: &dyn Fn(&PositionSearches, &SplitSearch) -> bool| {
            let counted = solved
                .iter()
                .filter(|(position, found)| is_counted(position, found));
            counted.count()
        };
        let gains = solved.iter().map(|(position, found)| gain(position, found));
        rows.push(json!({
            "split": split.to_string(),
            "np": way.name(),
            "solved": solved.len(),
            "others": count(&|_, found| found.is_other),
            "longer": count(&|position, found| found.length > position.alone.length),
            "spread": spread(gains),
            "above": count(&|position, found| {
                gain(position, found) > ceiling(growth(position.metric).into())
            }),
        }));
    }
    rows
}

/// The time that the processors spend on each activity.
fn spent(records: &Measurements) -> Vec<Value> {
    let mut rows = Vec::new();
    for (split, way) in records.parallel() {
        let (spent, needed) = records.total(None, split, way);
        let path: u64 = records.found(split, way).map(|(_, found)| found.path).sum();
        let all = way.searching as u64 * path;
        rows.push(json!({
            "split": split.to_string(),
            "np": way.name(),
            "computation": spent.computation,
            "communication": spent.communication,
            "useful": 100.0 * needed.min(all) as f64 / all as f64,
        }));
    }
    rows
}

/// The speedup over the fastest sequential program.
fn absolute(records: &Measurements) -> Vec<Value> {
    let mut rows = Vec::new();
    for metric in Metric::ALL {
        for way in records.ways() {
            let computation = |split| records.total(Some(metric), split, way).0.computation;
            let alone = computation(RankSplit::Sequential);
            let fastest = computation(RankSplit::Fastest);
            let gain = |split| {
                let sum = records.sum(metric, (split, way), |_, _| true);
                json!([sum.gain.speedup, sum.gain.speedup * fastest / alone])
            };
            rows.push(json!({
                "metric": in_full(metric),
                "np": way.name(),
                "alone": alone,
                "fastest": fastest,
                "limits": gain(RankSplit::Limits),
                "subtrees": gain(RankSplit::Subtrees),
            }));
        }
    }
    rows
}

/// The patterns by printed depth, with eight processors: Tables 5.1 to 5.3.
fn depths(records: &Measurements) -> Vec<Value> {
    let depths: BTreeSet<u8> = AppendixPattern::all()
        .iter()
        .map(|pattern| pattern.printed)
        .collect();
    let mut rows = Vec::new();
    for metric in Metric::ALL {
        for &depth in &depths {
            let is_of_depth = |position: &PositionSearches, _: &SplitSearch| {
                matches!(position.subject, Subject::Pattern(number)
                    if AppendixPattern::all()[number - 1].printed == depth)
            };
            let sum = |split| records.sum(metric, (split, EIGHT), is_of_depth);
            let limits = sum(RankSplit::Limits);
            let first = sum(RankSplit::Unproven);
            rows.push(json!({
                "metric": in_full(metric),
                "depth": depth,
                "positions": limits.positions,
                "solved": first.positions,
                "nodes": limits.sequential as f64 / limits.positions as f64,
                "limits": limits.gain.speedup,
                "first": first.gain.speedup,
                "subtrees": sum(RankSplit::Subtrees).gain.speedup,
            }));
        }
    }
    rows
}

/// The nodes of inverses over those of their positions: Figures 5.5 and 5.6.
fn inverses(records: &Measurements) -> Vec<Value> {
    let mut rows = Vec::new();
    for metric in Metric::ALL {
        for pattern in AppendixPattern::all() {
            let [position, inverse] = [Subject::Pattern, Subject::Inverse]
                .map(|subject| records.position(subject(pattern.number), metric));
            let (Some(position), Some(inverse)) = (position, inverse) else {
                continue;
            };
            let path = |of: &PositionSearches| {
                let found = of.found(RankSplit::Limits, EIGHT);
                found.map_or(f64::NAN, |found| found.path as f64)
            };
            rows.push(json!({
                "metric": in_full(metric),
                "pattern": pattern.number,
                "sequential": inverse.alone.nodes() as f64 / position.alone.nodes() as f64,
                "limits": path(inverse) / path(position),
            }));
        }
    }
    rows
}

/// The nodes of the position of appendix B by limit: as printed, of the sequential program, and in
/// how many parallel searches they were the same; and its speedups.
fn log(records: &Measurements) -> Value {
    let Some(position) = records.position(APPENDIX_B, Metric::Qtm) else {
        return json!({"limits": [], "gains": []});
    };
    let is_whole = |found: &&SplitSearch| found.split != RankSplit::Unproven;
    let parallel: Vec<&SplitSearch> = position.found.iter().filter(is_whole).collect();
    let row = |(at, &(limit, nodes)): (usize, &LimitNodes)| {
        let printed = PRINTED_LOG.iter().find(|printed| printed.0 == limit);
        json!({
            "limit": limit,
            "printed": printed.map(|printed| printed.1),
            "nodes": nodes,
            "searches": parallel.len(),
            "same": parallel.iter().filter(|found| found.same_limits > at).count(),
        })
    };
    let limits: Vec<Value> = position.alone.limits.iter().enumerate().map(row).collect();
    let gain = |found: &&SplitSearch| {
        let gain = ParallelGain::of(
            found.way.ranks,
            position.alone.nodes() as f64,
            found.path as f64,
        );
        json!({
            "split": found.split.to_string(),
            "np": found.way.name(),
            "path": found.path,
            "gain": gain,
        })
    };
    let several = parallel.iter().filter(|found| found.way.ranks > 1);
    let gains: Vec<Value> = several.map(gain).collect();
    json!({"limits": limits, "gains": gains})
}

/// Compares tables stored on disk with tables rebuilt by each rank, which the thesis left for
/// later: the times of the last rank.
fn stored_tables(records: &Measurements) -> Vec<Value> {
    let runs: BTreeSet<(Metric, usize)> = records
        .tables
        .iter()
        .map(|table| (table.metric, table.ranks))
        .collect();
    let row = |(metric, ranks): (Metric, usize)| {
        let of_run = records
            .tables
            .iter()
            .filter(|table| (table.metric, table.ranks) == (metric, ranks));
        let load = of_run.clone().map(|table| table.load).fold(0.0, f64::max);
        let generate = of_run.map(|table| table.fill).fold(0.0, f64::max);
        json!({"metric": metric, "np": ranks, "loaded": load, "rebuilt": generate})
    };
    runs.into_iter().map(row).collect()
}

/// The patterns, their true distances, and the last limits searched.
fn patterns(records: &Measurements) -> Vec<Value> {
    let row = |(pattern, search): (&AppendixPattern, Option<&Sequential>)| {
        let first = search.and_then(first);
        let to = search.and_then(|search| match (search.length, search.limits.last()) {
            (Some(length), _) => Some(format!("{length}q, solved")),
            (None, last) => Some(format!("{}q, complete", last?.0)),
        });
        json!({
            "number": pattern.number,
            "sequence": pattern.sequence,
            "printed": pattern.printed,
            "distances": Metric::ALL.map(|metric| pattern.distance(metric)),
            "to": to.unwrap_or_default(),
            "nodes": search.map(Sequential::nodes),
            "fraction": first.as_ref().and_then(|first| first.fraction),
            "speedup": first.map(|first| first.speedup),
        })
    };
    furthest(records).map(row).collect()
}

/// Returns the largest group of patterns whose trees have the same size, in half turns, at all
/// limits that they have completed, at least three.
fn equal_trees(records: &Measurements) -> Vec<usize> {
    let mut groups: Vec<(&[LimitNodes], Vec<usize>)> = Vec::new();
    for position in &records.positions {
        let (Subject::Pattern(number), Metric::Htm) = (position.subject, position.metric) else {
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
    let groups = groups.into_iter().map(|group| group.1);
    groups.max_by_key(Vec::len).unwrap_or_default()
}
