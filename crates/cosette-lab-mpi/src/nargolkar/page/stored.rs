//! Tables kept on disk against tables rebuilt by each rank: what the thesis left for later.

use super::records::Records;
use crate::nargolkar::record;
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Table};
use std::collections::BTreeSet;

pub fn experiment(records: &Records) -> Experiment {
    let columns = ["table", "np", "loaded, last rank", "rebuilt, last rank", "times as long"];
    let mut table = Table::new("Until the last rank has its table", &columns);
    let ranks: BTreeSet<usize> = records.tables.iter().map(|table| table.ranks).collect();
    for metric in Metric::ALL {
        for &ranks in &ranks {
            let of = records.tables.iter().filter(|table| (table.metric, table.ranks) == (metric, ranks));
            let of: Vec<&record::Table> = of.collect();
            let last = |seconds: fn(&record::Table) -> f64| of.iter().map(|table| seconds(table)).fold(0.0, f64::max);
            let (load, generate) = (last(|table| table.load), last(|table| table.fill));
            if !of.is_empty() {
                table.row([
                    Cell::text(format!("reid-{metric}")),
                    Cell::Count(ranks as u64),
                    Cell::Seconds(load),
                    Cell::Seconds(generate),
                    Cell::ratio(generate, load),
                ]);
            }
        }
    }
    Experiment::new("stored", "Tables on disk against tables rebuilt", "Nargolkar 2006, left there for later")
        .text(
            "Each rank loads Reid's table of 70 MB with all its checksums, and then generates it on one thread, all \
             ranks at the same time. The system had the file in memory: a disk adds the time to read 70 MB once for \
             each machine.",
        )
        .tables([table])
}
