//! What is gained: by all searches together, and by depth.

use super::in_full;
use super::records::{GAINS, Records, SPLITS, Way};
use crate::nargolkar::message::Split;
use crate::nargolkar::patterns::Pattern;
use crate::nargolkar::record::{Search, Subject};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Plot, Series, Table};
use std::collections::BTreeSet;

/// A name, and whether a search belongs to it.
type Group = (&'static str, fn(&Search) -> bool);

/// The groups whose sums are shown.
const GROUPS: [Group; 3] = [
    ("all", |search| is_counted(search)),
    ("proven", |search| is_counted(search) && search.outcome.length.is_some()),
    ("complete limits only", |search| is_counted(search) && search.outcome.length.is_none()),
];

fn is_counted(search: &Search) -> bool {
    matches!(search.subject, Subject::Pattern(_) | Subject::Inverse(_) | Subject::Superflip)
}

/// Speedup, efficiency and serial fraction of all searches together.
pub fn all(records: &Records) -> Experiment {
    let tables =
        Metric::ALL.map(|metric| gains_table(records, metric)).into_iter().filter(|table| !table.rows.is_empty());
    Experiment::new("gains", "Speedup, efficiency, serial fraction", "Nargolkar 2006, chapter 5")
        .text(
            "All patterns of appendix C, their inverses and the superflip: mean times, and gains of their sums. \
             *Proven* are the searches that came to a solution; the others end with complete limits, so that their \
             nodes do not depend on how soon a solution is met in the last one.",
        )
        .tables(tables)
        .plots([plot(records, 0), plot(records, 1)])
        .remark(
            "What agrees with the thesis: the nodes of the search, to the digit wherever appendix B prints them \
             (below), however it is divided. What differs: its abstract claims good speedup and scalability of the \
             parallel search. Here the search by limits gains next to nothing, for a reason that no machine can \
             remove. The tree of a limit has some 13 times the nodes of that before in half turns, and 8 times for \
             one quarter turn, or 64 times for the two that parity makes a step. The last tree is searched by one \
             processor alone; all others together save only what came before it, so that S is at most 13/12 = 1.08 \
             in half turns, and 64/63 = 1.02 in quarter turns (8/7 = 1.14 where limits go by ones), however many \
             processors there are. The measured nodes agree: a second processor takes that away at once, and more \
             add nothing. A speedup beyond that can come only where the solution lies early in the last tree, so \
             that the limits before it weigh more. While a processor searches the last limit that matters, the \
             others search larger ones for nothing.",
        )
        .remark(
            "By subtrees the last tree is shared. What is lost there is the wait at the end of each limit, which \
             weighs where a limit takes only milliseconds; and where a solution ends the search, chance decides how \
             much of the last tree is searched by then, so that the speedup may be less or more than np.",
        )
}

fn gains_table(records: &Records, metric: Metric) -> Table {
    let mut columns = vec!["searches", "divided by", "np", "positions"];
    columns.extend(GAINS);
    let mut table = Table::new(format!("In {}", in_full(metric)), &columns);
    for (name, is_selected) in GROUPS {
        for (split, way) in records.splits_and_ways() {
            let sum = records.sum(metric, split, way, is_selected);
            if sum.positions > 0 {
                let mut row = vec![Cell::text(name), Cell::text(split.to_string()), way.cell()];
                row.push(Cell::Count(sum.positions as u64));
                row.extend(sum.cells(way));
                table.row(row);
            }
        }
    }
    table
}

/// Speedup by number of processors, in seconds (0) or in nodes (1).
fn plot(records: &Records, unit: usize) -> Plot {
    let ways = Metric::ALL.into_iter().flat_map(|metric| SPLITS.map(|split| (metric, split)));
    let line = |(metric, split): (Metric, Split)| Series {
        label: format!("by {split}, in {}", in_full(metric)),
        points: points(records, metric, split, unit),
        ..Series::default()
    };
    let mut series: Vec<Series> = ways.map(line).collect();
    let most = records.ways().last().map_or(1, |way| way.ranks) as f64;
    series.push(Series {
        label: "as many as processors".into(),
        points: vec![(1.0, 1.0), (most, most)],
        ..Series::default()
    });
    let (name, title) = [
        ("nargolkar-speedup-seconds", "Speedup of all searches together, in seconds"),
        ("nargolkar-speedup-nodes", "Speedup of all searches together, in nodes on the critical path"),
    ][unit];
    Plot { name, title: title.into(), x: "processors", y: "speedup", logarithmic: [false, false], series }
}

fn points(records: &Records, metric: Metric, split: Split, unit: usize) -> Vec<(f64, f64)> {
    let ways = records.ways().into_iter().filter(|way| way.searching == way.ranks);
    let point = |way: Way| {
        let gain = records.sum(metric, split, way, is_counted).gains(way)[unit]?;
        Some((way.ranks as f64, gain.speedup))
    };
    ways.filter_map(point).collect()
}

/// Tables 5.1 to 5.3: average times by depth.
pub fn by_depth(records: &Records) -> Experiment {
    let mut tables = Vec::new();
    for metric in Metric::ALL {
        for split in SPLITS {
            let table = depths_table(records, metric, split);
            tables.extend((!table.rows.is_empty()).then_some(table));
        }
    }
    Experiment::new("depths", "Average times by depth", "Nargolkar 2006, Tables 5.1 to 5.3")
        .text(
            "The depth is the one printed in appendix C: the number of moves in the sequence. Each time is the mean \
             over the patterns of that depth; patterns that are printed twice count twice. A pattern whose distance \
             was not reached within the budget is searched, in every way, through the same complete limits.",
        )
        .tables(tables)
}

fn depths_table(records: &Records, metric: Metric, split: Split) -> Table {
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
