//! What is gained: by all searches together, and by depth.

use super::in_full;
use super::records::{GAINS, Records, SPLITS, Way};
use crate::nargolkar::message::Split;
use crate::nargolkar::printed::SUPERFLIP_HOURS;
use crate::nargolkar::record::{Search, Subject};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Plot, Series, Table};
use cosette_lab::nargolkar::patterns::Pattern;
use std::collections::BTreeSet;

/// A name, and whether a search belongs to it.
type Group = (&'static str, fn(&Search) -> bool);

/// The groups whose sums are shown.
const GROUPS: [Group; 2] = [("to a solution", is_proven), ("complete limits", |search| !is_proven(search))];

fn is_proven(search: &Search) -> bool {
    search.outcome.length.is_some()
}

/// Speedup, efficiency and serial fraction of all searches together.
pub fn all(records: &Records) -> Experiment {
    let tables =
        Metric::ALL.map(|metric| gains_table(records, metric)).into_iter().filter(|table| !table.rows.is_empty());
    Experiment::new("gains", "Speedup, efficiency, serial fraction", "Nargolkar 2006, chapter 5; ours")
        .text(
            "Sums over all patterns of appendix C, their inverses and the superflip. *To a solution* are the searches that came to \
             one; the others end with complete limits, so that their nodes do not depend on how soon a solution is met in the last \
             one.",
        )
        .tables(tables)
        .plots(Metric::ALL.map(|metric| plot(records, metric)))
        .remark(
            "By limits a second processor gains what there is to gain, and more add next to nothing, for a reason that no machine can \
             remove: the last tree is searched by one processor alone. While it does so the others search larger limits for nothing. \
             By subtrees the last tree is shared. What is lost there is the wait at the end of each limit, which \
             weighs where a limit takes only milliseconds; and where a solution ends the search, chance decides how \
             much of the last tree is searched by then, so that the speedup may be less or more than np. With the first goal taken \
             nothing is proven, and the speedup is that of less work.",
        )
}

fn gains_table(records: &Records, metric: Metric) -> Table {
    let mut columns = vec!["searches", "divided by", "np", "positions"];
    columns.extend(GAINS);
    let mut table = Table::new(format!("In {}", in_full(metric)), &columns);
    for (name, is_selected) in GROUPS {
        for (split, way) in records.splits_and_ways().filter(|(_, way)| way.ranks > 1) {
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

/// Speedup by number of processors, in nodes.
fn plot(records: &Records, metric: Metric) -> Plot {
    let all = records.ways().into_iter().filter(|way| way.searching == way.ranks);
    let ways: Vec<Way> = all.collect();
    let lines = [
        ("by subtrees, complete limits", Split::Subtrees, GROUPS[1].1),
        ("by subtrees, to a solution", Split::Subtrees, GROUPS[0].1),
        ("first goal taken", Split::Unproven, GROUPS[0].1),
        ("by limits, to a solution", Split::Limits, GROUPS[0].1),
        ("by limits, complete limits", Split::Limits, GROUPS[1].1),
    ];
    let mut series: Vec<Series> = Vec::new();
    for (label, split, is_selected) in lines {
        let point = |&way: &Way| {
            let gain = records.sum(metric, split, way, is_selected).gain(way)?;
            Some((way.ranks as f64, gain.speedup))
        };
        series.push(Series { label: label.into(), points: ways.iter().filter_map(point).collect(), is_printed: false });
    }
    if metric == Metric::Qtm {
        let speedup = |&(np, hours): &(usize, f64)| (np as f64, SUPERFLIP_HOURS[0].1 / hours);
        let points = SUPERFLIP_HOURS.iter().map(speedup).collect();
        series.push(Series { label: "thesis, superflip".into(), points, is_printed: true });
    }
    let name = match metric {
        Metric::Htm => "nargolkar-speedup-htm",
        Metric::Qtm => "nargolkar-speedup-qtm",
    };
    let title = format!("Speedup in nodes on the critical path, in {}", in_full(metric));
    Plot { name, title, x: "processors", y: "speedup", logarithmic: [false, false], series }
}

/// Tables 5.1 to 5.3: by depth.
pub fn by_depth(records: &Records) -> Experiment {
    let most = records.ways().into_iter().rfind(|way| way.searching == way.ranks);
    let tables = most.into_iter().flat_map(|way| Metric::ALL.map(|metric| depths_table(records, metric, way)));
    Experiment::new("depths", "By depth, as in her tables", "Nargolkar 2006, Tables 5.1 to 5.3; ours")
        .text(
            "The depth is the one printed in appendix C: the number of moves in the sequence. Nodes are means over the patterns of that \
             depth; patterns that are printed twice count twice. A pattern whose distance was not reached within the budget \
             is searched, in every way, through the same complete limits.",
        )
        .tables(tables.filter(|table| !table.rows.is_empty()))
}

fn depths_table(records: &Records, metric: Metric, way: Way) -> Table {
    let mut table = Table::headed(
        format!("In {}, np = {}", in_full(metric), way.ranks),
        "depth | patterns | of them to a solution | nodes, np = 1 | S, by limits | S, first goal taken | S, by subtrees",
    );
    let depths: BTreeSet<u8> = Pattern::all().iter().map(|pattern| pattern.printed).collect();
    for depth in depths {
        let is_of_depth = |search: &Search| match search.subject {
            Subject::Pattern(number) => Pattern::all()[number - 1].printed == depth,
            _ => false,
        };
        let sums = SPLITS.map(|split| records.sum(metric, split, way, is_of_depth));
        let [limits, first, _] = sums;
        if limits.positions == 0 {
            continue;
        }
        let mut row = vec![
            Cell::Count(depth.into()),
            Cell::Count(limits.positions as u64),
            Cell::Count(first.positions as u64),
            Cell::Count((limits.nodes()[0] / limits.positions as f64).round() as u64),
        ];
        let speedup =
            |sum: super::records::Sum| sum.gain(way).map_or(Cell::Nothing, |gain| Cell::Number(gain.speedup, 2));
        row.extend(sums.map(speedup));
        table.row(row);
    }
    table
}
