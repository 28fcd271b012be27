//! The patterns one by one.

use super::in_full;
use super::records::{Records, Way};
use crate::nargolkar::message::Split;
use crate::nargolkar::patterns::Pattern;
use crate::nargolkar::record::{Search, Subject};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Plot, Series, Table};
use std::collections::BTreeMap;

/// The patterns, their true distances, and what was searched of them.
pub fn distances(records: &Records) -> Experiment {
    let searched = Metric::ALL.map(|metric| -> BTreeMap<Subject, &Search> {
        records.sequential(metric).map(|search| (search.subject, search)).collect()
    });
    let columns = [
        "pattern",
        "sequence",
        "depth (paper)",
        "distance in half turns",
        "searched to",
        "nodes",
        "time",
        "distance in quarter turns",
        "searched to ",
        "nodes ",
        "time ",
    ];
    let mut table = Table::new("The sequential program", &columns);
    for pattern in Pattern::all() {
        let mut row = vec![Cell::Count(pattern.number as u64), Cell::text(pattern.sequence)];
        row.push(Cell::Count(pattern.printed.into()));
        for (metric, searched) in Metric::ALL.into_iter().zip(&searched) {
            row.push(Cell::Count(pattern.distance(metric).into()));
            row.extend(cells(searched.get(&Subject::Pattern(pattern.number)).copied()));
        }
        table.row(row);
    }
    Experiment::new("positions", "The patterns and their distances", "Nargolkar 2006, appendix C")
        .text(
            "The depths that the appendix prints are lengths of sequences. The true distances are proven by \
             `cosette solve`, in both metrics. A search goes on to the distance, or begins no limit whose tree is \
             likely to have more nodes than the budget: then all limits up to the one named were searched to their \
             end, without a solution. Lines 1 and 4, and 24 and 25, are printed twice.",
        )
        .tables([table])
        .remarks(equal_trees(records))
}

/// How far, and with how many nodes.
fn cells(search: Option<&Search>) -> [Cell; 3] {
    let Some(Search { outcome, .. }) = search else { return [Cell::Nothing, Cell::Nothing, Cell::Nothing] };
    let to = match (outcome.length, outcome.limits.last()) {
        (Some(length), _) => Cell::text(format!("{length}, solved")),
        (None, Some(last)) => Cell::text(format!("{}, complete", last.limit)),
        (None, None) => Cell::Nothing,
    };
    [to, Cell::Count(outcome.nodes), Cell::Seconds(outcome.seconds)]
}

/// Which patterns have trees of the same size, apart from those that are printed twice.
fn equal_trees(records: &Records) -> Option<String> {
    let mut by_tree: BTreeMap<Vec<(u8, u64)>, Vec<usize>> = BTreeMap::new();
    for search in records.sequential(Metric::Htm) {
        if let Subject::Pattern(number) = search.subject {
            let complete = search.outcome.limits.iter().filter(|limit| limit.complete);
            by_tree.entry(complete.map(|limit| (limit.limit, limit.nodes)).collect()).or_default().push(number);
        }
    }
    let largest = by_tree.into_values().max_by_key(Vec::len).filter(|numbers| numbers.len() > 2)?;
    let numbers: Vec<String> = largest.iter().map(usize::to_string).collect();
    Some(format!(
        "The patterns {} have, in half turns, as many nodes as each other at every complete limit: a tree \
             depends on nothing but the three cosets of its position.",
        numbers.join(", ")
    ))
}

/// Figures 5.5 and 5.6: positions beside their inverses.
pub fn inverses(records: &Records) -> Experiment {
    let way = records.best_way().unwrap_or(Way { ranks: 1, searching: 1 });
    let tables = Metric::ALL
        .map(|metric| inverses_table(records, metric, way))
        .into_iter()
        .filter(|table| !table.rows.is_empty());
    Experiment::new("inverses", "Positions and their inverses", "Nargolkar 2006, Figures 5.5 and 5.6")
        .text(format!(
            "An inverse is as far from solved as its position, but the table bounds it by other cosets, so its \
             search may be longer or shorter. Sequential times, and those on {} processors by subtrees; a position \
             and its inverse are searched to the same limit.",
            way.ranks
        ))
        .tables(tables)
        .plots(Metric::ALL.map(|metric| plot(records, metric, way)))
}

/// A pattern and its inverse, searched in some way.
fn pair(records: &Records, metric: Metric, split: Split, way: Way, number: usize) -> Option<[&Search; 2]> {
    let find = |subject| records.find(subject, metric, split, way);
    Some([find(Subject::Pattern(number))?, find(Subject::Inverse(number))?])
}

fn inverses_table(records: &Records, metric: Metric, way: Way) -> Table {
    let columns =
        ["pattern", "distance", "nodes", "of the inverse", "time", "inverse", "parallel", "inverse, parallel"];
    let mut table = Table::new(format!("In {}", in_full(metric)), &columns);
    for pattern in Pattern::all() {
        let of = |split| pair(records, metric, split, way, pattern.number);
        if let (Some(alone), Some(parallel)) = (of(Split::Sequential), of(Split::Subtrees)) {
            let seconds = |search: &Search| Cell::Seconds(search.outcome.seconds);
            let mut row = vec![Cell::Count(pattern.number as u64), Cell::Count(pattern.distance(metric).into())];
            row.extend(alone.map(|search| Cell::Count(search.outcome.nodes)));
            row.extend(alone.map(seconds));
            row.extend(parallel.map(seconds));
            table.row(row);
        }
    }
    table
}

fn plot(records: &Records, metric: Metric, way: Way) -> Plot {
    let series = |label: &str, split, which: usize| {
        let point = |pattern: &Pattern| {
            let seconds = pair(records, metric, split, way, pattern.number)?[which].outcome.seconds;
            Some((pattern.number as f64, seconds))
        };
        Series { label: label.into(), points: Pattern::all().iter().filter_map(point).collect(), ..Series::default() }
    };
    Plot {
        name: match metric {
            Metric::Htm => "nargolkar-inverses-htm",
            Metric::Qtm => "nargolkar-inverses-qtm",
        },
        title: format!("Positions and their inverses, in {}", in_full(metric)),
        x: "pattern",
        y: "seconds",
        logarithmic: [false, true],
        series: vec![
            series("position, sequential", Split::Sequential, 0),
            series("inverse, sequential", Split::Sequential, 1),
            series("position, parallel", Split::Subtrees, 0),
            series("inverse, parallel", Split::Subtrees, 1),
        ],
    }
}
