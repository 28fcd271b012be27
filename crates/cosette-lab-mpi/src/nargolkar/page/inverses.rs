//! Figures 5.5 and 5.6: positions beside their inverses.

use super::in_full;
use super::records::{Records, Way};
use crate::nargolkar::message::Split;
use crate::nargolkar::patterns::Pattern;
use crate::nargolkar::record::{Search, Subject};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Plot, Series, Table};

/// The experiment.
pub fn experiment(records: &Records) -> Experiment {
    let way = records.best_way().unwrap_or(Way { ranks: 1, searching: 1 });
    let tables =
        Metric::ALL.map(|metric| table(records, metric, way)).into_iter().filter(|table| !table.rows.is_empty());
    Experiment {
        name: "inverses",
        title: "Positions and their inverses".into(),
        source: "Nargolkar 2006, Figures 5.5 and 5.6",
        text: vec![format!(
            "An inverse is as far from solved as its position, but the table bounds it by other cosets, so its search may be longer or \
             shorter. Sequential times, and those on {} processors by subtrees; a position and its inverse are searched to the same limit.",
            way.ranks
        )],
        tables: tables.collect(),
        plots: Metric::ALL.map(|metric| plot(records, metric, way)).to_vec(),
        ..Experiment::default()
    }
}

/// A pattern and its inverse, searched in some way.
fn pair(records: &Records, metric: Metric, split: Split, way: Way, number: usize) -> Option<[&Search; 2]> {
    let find = |subject| records.find(subject, metric, split, way);
    Some([find(Subject::Pattern(number))?, find(Subject::Inverse(number))?])
}

fn table(records: &Records, metric: Metric, way: Way) -> Table {
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
        Series { label: label.into(), points: Pattern::all().iter().filter_map(point).collect() }
    };
    Plot {
        name: match metric {
            Metric::Htm => "thesis-inverses-htm",
            Metric::Qtm => "thesis-inverses-qtm",
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
