//! Tables 5.1 to 5.3: average times by depth.

use super::in_full;
use super::records::{GAINS, Records, SPLITS, Way};
use crate::nargolkar::message::Split;
use crate::nargolkar::patterns::Pattern;
use crate::nargolkar::record::{Search, Subject};
use cosette::cube::Metric;
use cosette_lab::experiment::Cell;
use cosette_lab::experiment::{Experiment, Table};
use std::collections::BTreeSet;

/// The experiment.
pub fn experiment(records: &Records) -> Experiment {
    let mut tables = Vec::new();
    for metric in Metric::ALL {
        for split in SPLITS {
            let table = table(records, metric, split);
            tables.extend((!table.rows.is_empty()).then_some(table));
        }
    }
    Experiment {
        name: "depths",
        title: "Average times by depth".into(),
        source: "Nargolkar 2006, Tables 5.1 to 5.3",
        text: vec![
            "The depth is the one printed in appendix C: the number of moves in the sequence. Each time is the mean over the \
             patterns of that depth; patterns that are printed twice count twice. A pattern whose distance was not reached within the \
             budget is searched, in every way, through the same complete limits."
                .into(),
        ],
        tables,
        ..Experiment::default()
    }
}

fn table(records: &Records, metric: Metric, split: Split) -> Table {
    let mut columns = vec!["depth", "np", "patterns", "of them proven"];
    columns.extend(GAINS);
    let mut table = Table::new(format!("By {split}, in {}", in_full(metric)), &columns);
    let depths: BTreeSet<u8> = Pattern::all().iter().map(|pattern| pattern.printed).collect();
    for depth in depths {
        for way in records.ways() {
            table.rows.extend(row(records, metric, split, depth, way));
        }
    }
    table
}

fn row(records: &Records, metric: Metric, split: Split, depth: u8, way: Way) -> Option<Vec<Cell>> {
    let is_of_depth = |search: &Search| match search.subject {
        Subject::Pattern(number) => Pattern::all()[number - 1].printed == depth,
        _ => false,
    };
    let sum = records.sum(metric, split, way, is_of_depth);
    let proven = records.sum(metric, split, way, |search| is_of_depth(search) && search.outcome.length.is_some());
    let mut row = vec![Cell::Count(depth.into()), way.cell(), Cell::Count(sum.positions as u64)];
    row.push(Cell::Count(proven.positions as u64));
    row.extend(sum.cells(way));
    (sum.positions > 0).then_some(row)
}
