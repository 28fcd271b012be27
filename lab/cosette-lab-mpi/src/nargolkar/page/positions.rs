//! The patterns one by one.

use super::in_full;
use super::printed::first;
use super::records::{Records, Way};
use crate::nargolkar::message::Split;
use crate::nargolkar::record::{Search, Subject};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Plot, Series, Table};
use cosette_lab::nargolkar::patterns::Pattern;
use std::collections::BTreeMap;

/// The patterns, their true distances, and how far they were searched.
pub fn distances(records: &Records) -> Experiment {
    let mut table = Table::headed(
        "The sequential program in quarter turns, every limit",
        "pattern | sequence | depth (paper) | half turns | quarter turns | searched to | nodes | fraction f | S by limits, np = 8",
    );
    for pattern in Pattern::all() {
        let search = records.furthest(Subject::Pattern(pattern.number), Metric::Qtm);
        let first = search.and_then(first);
        let number = |value: Option<f64>, digits| value.map_or(Cell::Nothing, |value| Cell::Number(value, digits));
        let to = search.map_or(Cell::Nothing, |Search { outcome, .. }| match (outcome.length, outcome.limits.last()) {
            (Some(length), _) => Cell::text(format!("{length}q, solved")),
            (None, Some(last)) => Cell::text(format!("{}q, complete", last.limit)),
            (None, None) => Cell::Nothing,
        });
        table.row([
            Cell::Count(pattern.number as u64),
            Cell::text(pattern.sequence),
            Cell::Count(pattern.printed.into()),
            Cell::Count(pattern.distance(Metric::Htm).into()),
            Cell::Count(pattern.distance(Metric::Qtm).into()),
            to,
            Cell::count(search.map(|search| search.outcome.nodes)),
            number(first.as_ref().and_then(|first| first.fraction), 3),
            number(first.as_ref().map(|first| first.speedup), 2),
        ]);
    }
    Experiment::new("positions", "The patterns and their distances", "Nargolkar 2006, appendix C")
        .text(
            "The depths that the appendix prints are lengths of sequences. The true distances are proven by \
             `cosette solve`, in both metrics. Lines 1 and 4, and 24 and 25, are the same. A search goes on to the solution, or begins no limit \
             that is likely to have more nodes than its budget. The fraction f is that of the last tree at which the solution is met, if that tree \
             grew as the one before did; S is what eight processors gain by limits, from these nodes.",
        )
        .tables([table])
        .remarks(equal_trees(records))
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
    let nodes = |search: &Search| search.outcome.nodes as f64;
    let mut ratios: Vec<f64> = Metric::ALL
        .into_iter()
        .flat_map(|metric| Pattern::all().iter().map(move |pattern| (metric, pattern.number)))
        .filter_map(|(metric, number)| pair(records, metric, Split::Sequential, way, number))
        .map(|[position, inverse]| nodes(inverse) / nodes(position))
        .collect();
    ratios.sort_unstable_by(f64::total_cmp);
    let remark = match (ratios.first(), ratios.last()) {
        (Some(least), Some(most)) => Some(format!(
            "An inverse takes between {least:.2} and {most:.2} times the nodes of its position; as many in {} of {} pairs.",
            ratios.iter().filter(|&&ratio| ratio == 1.0).count(),
            ratios.len()
        )),
        _ => None,
    };
    Experiment::new("inverses", "Positions and their inverses", "Nargolkar 2006, Figures 5.5 and 5.6; ours")
        .text(format!(
            "An inverse is as far from solved as its position, but the table bounds it by other cosets, so its \
             search may be longer or shorter. A position and its inverse are searched to the same limit. Her figures are bar charts of eight positions of depth 21 \
             without numbers. Nodes of the sequential program, and on the critical path of {} processors by subtrees.",
            way.ranks
        ))
        .plots(Metric::ALL.map(|metric| plot(records, metric, way)))
        .remarks(remark)
}

/// A pattern and its inverse, searched in some way.
fn pair(records: &Records, metric: Metric, split: Split, way: Way, number: usize) -> Option<[&Search; 2]> {
    let find = |subject| records.find(subject, metric, split, way);
    Some([find(Subject::Pattern(number))?, find(Subject::Inverse(number))?])
}

fn plot(records: &Records, metric: Metric, way: Way) -> Plot {
    let series = |label: &str, split, which: usize| {
        let point = |pattern: &Pattern| {
            let nodes = pair(records, metric, split, way, pattern.number)?[which].outcome.path;
            Some((pattern.number as f64, nodes as f64))
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
        y: "nodes",
        logarithmic: [false, true],
        series: vec![
            series("position, sequential", Split::Sequential, 0),
            series("inverse, sequential", Split::Sequential, 1),
            series("position, parallel", Split::Subtrees, 0),
            series("inverse, parallel", Split::Subtrees, 1),
        ],
    }
}
