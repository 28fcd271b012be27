//! The patterns, their true distances, and what was searched of them.

use super::records::Records;
use crate::nargolkar::patterns::Pattern;
use crate::nargolkar::record::{Search, Subject};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Table};
use std::collections::BTreeMap;

/// The experiment.
pub fn experiment(records: &Records) -> Experiment {
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
    Experiment {
        name: "positions",
        title: "The patterns and their distances".into(),
        source: "Nargolkar 2006, appendix C",
        text: vec![
            "The depths that the appendix prints are lengths of sequences. The true distances are proven by `cosette solve`, in both \
             metrics. A search goes on to the distance, or begins no limit whose tree is likely to have more nodes than the budget: then all limits \
             up to the one named were searched to their end, without a solution. Lines 1 and 4, and 24 and 25, are \
             printed twice."
                .into(),
        ],
        tables: vec![table],
        remarks: equal_trees(records).into_iter().collect(),
        ..Experiment::default()
    }
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

/// Which patterns are searched by trees of the same size, printed lines that are equal apart.
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
        "The patterns {} have, in half turns, as many nodes as each other at every complete limit: a tree depends on nothing but the \
         three cosets of its position.",
        numbers.join(", ")
    ))
}
