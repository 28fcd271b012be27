//! What the ways to divide a search differ in: the first goal taken, other solutions, where the time goes, and the speedup over the
//! fastest sequential program.

use super::in_full;
use super::records::Records;
use crate::nargolkar::message::Split;
use crate::nargolkar::record::{Search, Subject};
use cosette::cube::Metric;
use cosette_lab::experiment::{Cell, Experiment, Table};
use cosette_lab::nargolkar::patterns::{Pattern, superflip_distance};

/// The proven distance of a subject.
fn distance(search: &Search) -> u8 {
    match search.subject {
        Subject::Pattern(number) | Subject::Inverse(number) => Pattern::all()[number - 1].distance(search.metric),
        Subject::Superflip => superflip_distance(search.metric),
    }
}

/// The first goal taken, and processors that find different solutions.
pub fn solutions(records: &Records) -> Experiment {
    let mut table = Table::headed(
        "",
        "divided by | np | searches with a solution | another one than np = 1 | longer than the distance | S in nodes, least | median | most | above the ceiling",
    );
    for split in [Split::Limits, Split::Unproven, Split::Subtrees] {
        for way in records.ways().into_iter().filter(|way| way.ranks > 1) {
            let searches: Vec<&Search> =
                records.divided(split, way).filter(|search| search.outcome.length.is_some()).collect();
            let alone = |search: &Search| records.find(search.subject, search.metric, Split::Sequential, way);
            let other = |search: &&&Search| {
                alone(search).is_some_and(|alone| alone.outcome.solution != search.outcome.solution)
            };
            let is_longer = |search: &&&Search| search.outcome.length.is_some_and(|length| length > distance(search));
            let gain = |search: &&Search| {
                Some((search.metric, alone(search)?.outcome.path as f64 / search.outcome.path as f64))
            };
            let mut gains: Vec<(Metric, f64)> = searches.iter().filter_map(gain).collect();
            gains.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
            let is_above =
                |&&(metric, gain): &&(Metric, f64)| gain > if metric == Metric::Qtm { 15.0 / 7.0 } else { 25.0 / 12.0 };
            let number = |gain: Option<&(Metric, f64)>| gain.map_or(Cell::Nothing, |gain| Cell::Number(gain.1, 2));
            if !searches.is_empty() {
                table.row([
                    Cell::text(split.to_string()),
                    way.cell(),
                    Cell::Count(searches.len() as u64),
                    Cell::Count(searches.iter().filter(other).count() as u64),
                    Cell::Count(searches.iter().filter(is_longer).count() as u64),
                    number(gains.first()),
                    number(gains.get(gains.len() / 2)),
                    number(gains.last()),
                    Cell::Count(gains.iter().filter(is_above).count() as u64),
                ]);
            }
        }
    }
    Experiment::new("solutions", "Different solutions, and the first goal taken", "Nargolkar 2006, section 5.1.3")
        .text(
            "The thesis explains odd times by processors that find different solutions. If the smaller limits have to end, every \
             processor that meets a goal of the distance meets it in the tree of one limit, and in the same order as one processor does: the \
             solution is the same. Subtrees are searched in another order, so another solution may come first. And if the first goal that any \
             processor declares is taken, it may be a longer one, from a larger limit. (The ceiling is 15/7 in quarter turns and 25/12 \
             in half turns; trees that do not grow by exactly 8 or 13 may pass it a little.)",
        )
        .tables([table])
        .remark(
            "Factors such as 5.69 and 8.64 come about where the first goal is taken: a processor with a larger limit meets a goal early in its tree, while the \
             tree of the distance, and those below it, are far from searched. Some of these goals are too long, and none is proven shortest.",
        )
}

/// What the processors spend their time on.
pub fn spent(records: &Records) -> Experiment {
    let mut table = Table::headed(
        "All searches together",
        "divided by | np | computation | communication | useful, in nodes | needless or idle, in nodes",
    );
    for split in [Split::Limits, Split::Unproven, Split::Subtrees] {
        for way in records.ways() {
            let (mut computation, mut communication, mut needed, mut all) = (0.0, 0.0, 0, 0);
            for search in records.divided(split, way) {
                let Search { outcome, .. } = search;
                computation += outcome.spent.iter().map(|of| of.computation).sum::<f64>();
                communication += outcome.spent.iter().map(|of| of.communication).sum::<f64>();
                needed += outcome.limits.iter().map(|limit| limit.nodes).sum::<u64>();
                all += way.searching as u64 * outcome.path;
            }
            if all > 0 {
                let useful = needed.min(all) as f64 / all as f64;
                let share = |part: f64| Cell::text(format!("{:.0} %", 100.0 * part));
                table.row([
                    Cell::text(split.to_string()),
                    way.cell(),
                    Cell::Seconds(computation),
                    Cell::Seconds(communication),
                    share(useful),
                    share(1.0 - useful),
                ]);
            }
        }
    }
    Experiment::new("spent", "Computation, communication, idle time", "Nargolkar 2006, section 3.2.1; ours")
        .text(
            "Her execution time has three parts; she gives no figures of them. Here *computation* is the processor time of searching on all \
             processors, and *communication* the time for packing, sending, receiving and unpacking messages. The rest of the time they wait: for \
             work, for the end of a limit, or for a core, of which there are too few here; so what remains is counted in nodes: np processors could generate \
             np × the nodes on the critical path. *Useful* is the share of them that limits up to the goal take; the rest goes to limits that nobody needs, or is idle.",
        )
        .tables([table])
        .remark(
            "Communication is next to nothing in every way: a limit is one message, and its result another. By limits processors are seldom idle, but \
             busy with needless limits. That is why busy processors say nothing about speedup. (Where the first goal is taken, limits up to a goal that is too \
             long count as useful.)",
        )
}

/// The speedup over the fastest sequential program.
pub fn absolute(records: &Records) -> Experiment {
    let mut table = Table::headed(
        "",
        "metric | np | processor time, np = 1 | processor time, fastest | relative S, by limits | absolute S | relative S, by subtrees | absolute S ",
    );
    for metric in Metric::ALL {
        for way in records.ways() {
            let computation = |split| -> f64 {
                let searches = records.divided(split, way).filter(|search| search.metric == metric);
                searches.flat_map(|search| &search.outcome.spent).map(|of| of.computation).sum()
            };
            let (alone, fastest) = (computation(Split::Sequential), computation(Split::Fastest));
            let mut row = vec![Cell::text(in_full(metric)), way.cell(), Cell::Seconds(alone), Cell::Seconds(fastest)];
            for split in [Split::Limits, Split::Subtrees] {
                let [sequential, path] = records.sum(metric, split, way, |_| true).nodes();
                row.push(Cell::Number(sequential / path, 2));
                row.push(Cell::Number(sequential / path * fastest / alone, 2));
            }
            if fastest > 0.0 {
                table.row(row);
            }
        }
    }
    Experiment::new("absolute", "Relative and absolute speedup", "Nargolkar 2006, section 3.2.3; ours")
        .text(
            "*Relative* speedup divides the time of the same program on one processor; *absolute* speedup the time of the fastest sequential program. \
             The thesis defines both and gives only relative ones. Here the fastest sequential program is the engine of this library, one thread, with its \
             default table. Sums over all positions, each to its solution or through the same limits. As the cores were shared with other programs, the relative speedup is that in nodes, \
             and the absolute one multiplies it by the processor time of the fastest program over that of the sequential one, both in the same run.",
        )
        .tables([table])
        .remark(
            "An absolute speedup below 1 means that one processor with the fastest program is faster than all of these. For positions of twelve to fourteen moves \
             it is the slower one, as it first looks for an upper bound, so sums over longer searches would be smaller still.",
        )
}
