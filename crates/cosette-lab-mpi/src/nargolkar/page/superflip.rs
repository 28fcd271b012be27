//! Table 5.4: the superflip.

use super::records::{GAINS, Records, SPLITS};
use crate::nargolkar::patterns::superflip_distance;
use crate::nargolkar::record::Subject;
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Table};

/// The experiment.
pub fn experiment(records: &Records) -> Experiment {
    let mut columns = vec!["metric", "distance", "complete to", "divided by", "np"];
    columns.extend(GAINS);
    let mut table = Table::new("", &columns);
    for metric in Metric::ALL {
        for split in SPLITS {
            for way in records.ways() {
                let Some(search) = records.find(Subject::Superflip, metric, split, way) else { continue };
                let last = search.outcome.limits.iter().rfind(|limit| limit.complete);
                let mut row = vec![Cell::text(metric.name()), Cell::Count(superflip_distance(metric).into())];
                row.push(Cell::count(last.map(|limit| limit.limit.into())));
                row.extend([Cell::text(split.to_string()), way.cell()]);
                row.extend(records.sum(metric, split, way, |search| search.subject == Subject::Superflip).cells(way));
                table.row(row);
            }
        }
    }
    Experiment {
        name: "superflip",
        title: "The superflip".into(),
        source: "Nargolkar 2006, Table 5.4",
        text: vec![
            "The superflip is 20 half turns or 24 quarter turns from solved. Its search is cut off by the budget: what is measured are the \
             limits that were searched to their end; each of those that are missing would take some 13 times as long as the \
             one before in half turns, some 64 times in quarter turns. Its 48 symmetries are not used."
                .into(),
        ],
        tables: vec![table],
        ..Experiment::default()
    }
}
