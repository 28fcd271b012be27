//! The page generated from the records.
//!
//! Its text is `pages/nargolkar-parallel.md`; tables, plots and some numbers are filled in from the
//! records.

use super::plan::RankSplit;
use super::positions::{
    beside, ceilings, distances, equal_trees, expected, first_solutions, in_full, inverse_nodes,
    inverses, log, log_gains, superflip,
};
use super::records::{Found, Measurements, PositionSearches, ProgramRun, Subject, Sum, TableTimes};
use super::thesis::{PAGE, SUPERFLIP_HOURS, ceiling, growth, number, spread};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Plot, ResultTable};
use cosette_lab::nargolkar::AppendixPattern;
use cosette_lab::papers::Figure;
use cosette_lab::report::{ReportPage, table as markdown};
use std::collections::BTreeSet;

/// Renders the page of these records.
pub fn page(records: &Measurements) -> ReportPage {
    let plots = vec![
        ceilings(records),
        speedups(records, "nargolkar-speedup-htm", Metric::Htm),
        speedups(records, "nargolkar-speedup-qtm", Metric::Qtm),
        inverses(records, "nargolkar-inverses-htm", Metric::Htm),
        inverses(records, "nargolkar-inverses-qtm", Metric::Qtm),
    ];
    let mut values = vec![
        ("beside", shown([beside(records)])),
        ("superflip", shown([superflip(records), expected(records)])),
        (
            "gains",
            shown(Metric::ALL.map(|metric| gains(records, metric))),
        ),
        ("solutions", shown([solutions(records)])),
        ("spent", shown([spent(records)])),
        ("absolute", shown([absolute(records)])),
        (
            "depths",
            shown(Metric::ALL.map(|metric| depths(records, metric))),
        ),
        ("inverses", inverse_nodes(records)),
        ("best", records.best_way().ranks.to_string()),
        ("log", shown([log(records), log_gains(records)])),
        ("stored", shown([stored_tables(records)])),
        ("positions", shown([distances(records)])),
        ("equal_trees", equal_trees(records).unwrap_or_default()),
        (
            "cores",
            records
                .cores()
                .map_or("some".into(), |cores| cores.to_string()),
        ),
        ("runs", runs(&records.runs)),
    ];
    values.extend(first_solutions(records));
    ReportPage {
        name: "nargolkar-parallel",
        text: PAGE,
        figures: &[
            Figure {
                name: "limits",
                svg: include_str!("../../pages/limits.svg"),
            },
            Figure {
                name: "nargolkar-printed",
                svg: include_str!("../../pages/nargolkar-printed.svg"),
            },
        ],
        values,
        experiments: vec![Experiment::new("plots", "", "").plots(plots)],
    }
}

/// Renders the tables that have rows.
fn shown(tables: impl IntoIterator<Item = ResultTable>) -> String {
    let tables: Vec<String> = tables
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .map(|of| markdown(&of))
        .collect();
    tables.join("\n")
}

/// The commands, and what they ran on.
fn runs(runs: &[ProgramRun]) -> String {
    let run = |run: &ProgramRun| {
        let what = if run.sequential {
            "sequential program only"
        } else {
            "all ways"
        };
        let budget = run.budget as f64 / 1e6;
        let ProgramRun {
            ranks,
            seconds,
            circumstances,
            ..
        } = run;
        format!(
            "- np = {ranks}, {what}, budget {budget:.0} million nodes a limit: {seconds:.0} s. \
                {circumstances}."
        )
    };
    runs.iter().map(run).collect::<Vec<_>>().join("\n")
}

/// Speedup, efficiency and serial fraction of all searches together.
fn gains(records: &Measurements, metric: Metric) -> ResultTable {
    let columns = "searches | divided by | np | positions | nodes, np = 1 | nodes on the path | S \
        | E | Karp–Flatt";
    let mut table = ResultTable::headed(format!("In {}", in_full(metric)), columns);
    for (name, is_solved) in [("to a solution", true), ("complete limits", false)] {
        for (split, way) in records.parallel() {
            let sum = records.sum(metric, (split, way), |_, found| {
                found.length.is_some() == is_solved
            });
            if sum.positions > 0 {
                let head = [Cell::text(name), Cell::text(split.to_string()), way.cell()];
                table.row(
                    head.into_iter()
                        .chain([Cell::Count(sum.positions as u64)])
                        .chain(sum.cells()),
                );
            }
        }
    }
    table
}

/// Speedup by number of processors, in nodes.
fn speedups(records: &Measurements, name: &'static str, metric: Metric) -> Plot {
    let title = format!(
        "Speedup in nodes on the critical path, in {}",
        in_full(metric)
    );
    let mut plot = Plot::new(name, title, ["processors", "speedup"], [false, false]);
    for (label, split, is_solved) in [
        ("by subtrees, complete limits", RankSplit::Subtrees, false),
        ("by subtrees, to a solution", RankSplit::Subtrees, true),
        ("first goal taken", RankSplit::Unproven, true),
        ("by limits, to a solution", RankSplit::Limits, true),
        ("by limits, complete limits", RankSplit::Limits, false),
    ] {
        let points = records
            .ways()
            .into_iter()
            .filter(|way| way.searching == way.ranks)
            .filter_map(|way| {
                let sum = records.sum(metric, (split, way), |_, found| {
                    found.length.is_some() == is_solved
                });
                Some((way.ranks as f64, sum.gain()?.speedup))
            });
        plot = plot.series(label, points);
    }
    match metric {
        Metric::Htm => plot,
        Metric::Qtm => {
            let points =
                SUPERFLIP_HOURS.map(|(np, hours)| (np as f64, SUPERFLIP_HOURS[0].1 / hours));
            plot.printed("thesis, superflip", points)
        }
    }
}

/// The first goal taken, and processors that find different solutions.
fn solutions(records: &Measurements) -> ResultTable {
    let mut table = ResultTable::headed(
        "",
        "divided by | np | searches with a solution | another one than np = 1 | longer than the \
            distance | S in nodes, least | median | most | above the ceiling",
    );
    for (split, way) in records.parallel() {
        let solved: Vec<(&PositionSearches, &Found)> = records
            .found(split, way)
            .filter(|(_, found)| found.length.is_some())
            .collect();
        if solved.is_empty() {
            continue;
        }
        let is_longer =
            |(position, found): &&(&PositionSearches, &Found)| found.length > position.alone.length;
        let gain = |(position, found): &(&PositionSearches, &Found)| {
            position.alone.nodes() as f64 / found.path as f64
        };
        let is_above =
            |of: &&(&PositionSearches, &Found)| gain(of) > ceiling(growth(of.0.metric).into());
        let [least, median, most] = spread(solved.iter().map(gain)).map(|gain| number(gain, 2));
        let count = |count: usize| Cell::Count(count as u64);
        table.row([
            Cell::text(split.to_string()),
            way.cell(),
            count(solved.len()),
            count(solved.iter().filter(|(_, found)| found.is_other).count()),
            count(solved.iter().filter(is_longer).count()),
            least,
            median,
            most,
            count(solved.iter().filter(is_above).count()),
        ]);
    }
    table
}

/// Returns the table of the time that the processors spend on each activity.
fn spent(records: &Measurements) -> ResultTable {
    let mut table = ResultTable::headed(
        "All searches together",
        "divided by | np | computation | communication | useful, in nodes | needless or idle, in \
            nodes",
    );
    for (split, way) in RankSplit::PARALLEL
        .into_iter()
        .flat_map(|split| records.ways().into_iter().map(move |way| (split, way)))
    {
        let (spent, needed) = records.total(None, split, way);
        let all = way.searching as u64
            * records
                .found(split, way)
                .map(|(_, found)| found.path)
                .sum::<u64>();
        if all > 0 {
            let useful = needed.min(all) as f64 / all as f64;
            let share = |part: f64| Cell::text(format!("{:.0} %", 100.0 * part));
            table.row([
                Cell::text(split.to_string()),
                way.cell(),
                Cell::Seconds(spent.computation),
                Cell::Seconds(spent.communication),
                share(useful),
                share(1.0 - useful),
            ]);
        }
    }
    table
}

/// The speedup over the fastest sequential program.
fn absolute(records: &Measurements) -> ResultTable {
    let mut table = ResultTable::headed(
        "",
        "metric | np | processor time, np = 1 | processor time, fastest | relative S, by limits | \
            absolute S | relative S, by subtrees | absolute S ",
    );
    for metric in Metric::ALL {
        for way in records.ways() {
            let computation = |split| records.total(Some(metric), split, way).0.computation;
            let alone = computation(RankSplit::Sequential);
            let fastest = computation(RankSplit::Fastest);
            let mut row = vec![
                Cell::text(in_full(metric)),
                way.cell(),
                Cell::Seconds(alone),
                Cell::Seconds(fastest),
            ];
            for split in [RankSplit::Limits, RankSplit::Subtrees] {
                let Sum {
                    sequential,
                    parallel,
                    ..
                } = records.sum(metric, (split, way), |_, _| true);
                row.push(Cell::Number(sequential / parallel, 2));
                row.push(Cell::Number(sequential / parallel * fastest / alone, 2));
            }
            if fastest > 0.0 {
                table.row(row);
            }
        }
    }
    table
}

/// Tables 5.1 to 5.3: by depth.
fn depths(records: &Measurements, metric: Metric) -> ResultTable {
    let columns = "depth | patterns | of them to a solution | nodes, np = 1 | S, by limits | S, \
        first goal taken | S, by subtrees";
    let Some(way) = records
        .ways()
        .into_iter()
        .rfind(|way| way.searching == way.ranks)
    else {
        return ResultTable::headed("", columns);
    };
    let mut table = ResultTable::headed(
        format!("In {}, np = {}", in_full(metric), way.ranks),
        columns,
    );
    let depths: BTreeSet<u8> = AppendixPattern::all()
        .iter()
        .map(|pattern| pattern.printed)
        .collect();
    for depth in depths {
        let is_of_depth = |position: &PositionSearches, _: &Found| match position.subject {
            Subject::Pattern(number) => AppendixPattern::all()[number - 1].printed == depth,
            _ => false,
        };
        let sums = RankSplit::PARALLEL.map(|split| records.sum(metric, (split, way), is_of_depth));
        let [limits, first, _] = sums;
        if limits.positions > 0 {
            let head = [
                Cell::Count(depth.into()),
                Cell::Count(limits.positions as u64),
                Cell::Count(first.positions as u64),
                Cell::Count((limits.sequential / limits.positions as f64).round() as u64),
            ];
            table.row(head.into_iter().chain(sums.map(|sum| sum.speedup())));
        }
    }
    table
}

/// Compares tables stored on disk with tables rebuilt by each rank, which the thesis left for
/// later.
fn stored_tables(records: &Measurements) -> ResultTable {
    let columns = "table | np | loaded, last rank | rebuilt, last rank | times as long";
    let mut table = ResultTable::headed("Until the last rank has its table", columns);
    let runs: BTreeSet<(Metric, usize)> = records
        .tables
        .iter()
        .map(|table| (table.metric, table.ranks))
        .collect();
    for (metric, ranks) in runs {
        let of = || {
            records
                .tables
                .iter()
                .filter(|table| (table.metric, table.ranks) == (metric, ranks))
        };
        let last = |seconds: fn(&TableTimes) -> f64| of().map(seconds).fold(0.0, f64::max);
        let load = last(|table| table.load);
        let generate = last(|table| table.fill);
        table.row([
            Cell::text(format!("reid-{metric}")),
            Cell::Count(ranks as u64),
            Cell::Seconds(load),
            Cell::Seconds(generate),
            Cell::ratio(generate, load),
        ]);
    }
    table
}
