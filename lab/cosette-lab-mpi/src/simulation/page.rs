//! The page: the speedup with many cores.

use super::model::{Nanos, Network, SERVICE, seconds};
use super::splits::{SolveGroup, SplitGain, THREADS, WorkSplit, outcome};
use cosette::search::SolutionCount;
use cosette_lab::experiment::{Cell, Experiment, Plot, ResultTable, Series};
use cosette_lab::report::ReportPage;
use std::collections::HashMap;

/// Measured seconds by facelets and table.
pub type MeasuredSeconds = HashMap<(String, String), f64>;

/// The names of the plots, one for each group.
const PLOTS: [&str; 6] = [
    "mpi-scaling-1",
    "mpi-scaling-2",
    "mpi-scaling-3",
    "mpi-scaling-4",
    "mpi-scaling-5",
    "mpi-scaling-6",
];

/// The simulated parameters.
pub struct Range {
    /// Message latencies; the middle one is shown in full.
    pub latencies: Vec<Nanos>,
    /// The numbers of cores.
    pub cores: Vec<usize>,
}

impl Range {
    /// The latency at which all splits are shown.
    pub fn usual_latency(&self) -> Nanos {
        self.latencies[(self.latencies.len() - 1) / 2]
    }
}

/// The page of these groups.
pub fn of(
    groups: &[SolveGroup],
    range: &Range,
    measured: &[(usize, MeasuredSeconds)],
) -> ReportPage {
    let mut experiments: Vec<Experiment> = groups
        .iter()
        .enumerate()
        .map(|(number, group)| experiment(group, range, PLOTS.get(number).copied()))
        .collect();
    let mut values = vec![
        ("threads", THREADS.to_string()),
        ("service", format!("{:.0} µs", SERVICE as f64 / 1e3)),
        (
            "latency",
            format!("{} µs", range.usual_latency() as f64 / 1e3),
        ),
    ];
    match measured {
        [] => values.push(("measured", String::new())),
        _ => experiments.push(beside_measured(groups, measured)),
    }
    ReportPage {
        name: "mpi-scaling",
        text: include_str!("../../pages/mpi-scaling.md"),
        figures: &[],
        values,
        experiments,
    }
}

fn experiment(group: &SolveGroup, range: &Range, plot: Option<&'static str>) -> Experiment {
    let mut tables = vec![by_split(group, range, SolutionCount::All)];
    if group.is_solved() {
        tables.push(by_split(group, range, SolutionCount::ONE));
    }
    tables.push(by_latency(group, range));
    let longest = group
        .solves
        .iter()
        .flat_map(|solve| solve.thresholds.iter().flatten())
        .map(|task| task.cost)
        .max();
    Experiment::new("", title(group), "cosette-lab-mpi simulate")
        .text(format!(
            "One thread takes {:.2} s for all together{}; the longest root task takes {:.1} ms.",
            seconds(group.by_one_thread(SolutionCount::All)),
            if group.is_solved() {
                format!(
                    ", {:.2} s where one solution each is enough",
                    seconds(group.by_one_thread(SolutionCount::ONE))
                )
            } else {
                String::new()
            },
            1e3 * seconds(longest.unwrap_or_default()),
        ))
        .tables(tables)
        .plots(plot.into_iter().map(|name| speedups(group, range, name)))
        .remark(remark(group, range))
}

/// Describes the limiting factor of each split.
fn remark(group: &SolveGroup, range: &Range) -> String {
    let network = |cores| ours(cores, range.usual_latency());
    let most = range.cores.iter().copied().max().unwrap_or(1);
    let keeps = |split| {
        let is_kept = |cores: &usize| {
            group
                .gain(split, SolutionCount::All, &network(*cores))
                .efficiency()
                >= 0.9
        };
        std::iter::successors(Some(1), |cores| Some(2 * cores))
            .take_while(|&cores| cores <= most)
            .filter(is_kept)
            .last()
    };
    let kept = |split| keeps(split).map_or("no number".into(), |cores: usize| cores.to_string());
    let dynamic = |&cores: &usize| {
        group.gain(
            WorkSplit::Dynamic(THREADS),
            SolutionCount::All,
            &network(cores),
        )
    };
    let best = range
        .cores
        .iter()
        .map(dynamic)
        .max_by(|a, b| a.speedup.total_cmp(&b.speedup));
    let best = best.map_or(String::new(), |best| {
        format!(
            " Its speedup is largest with {} cores of those shown: {:.0}.",
            best.cores, best.speedup
        )
    });
    format!(
        "All solutions, powers of two: the dynamic split with 64 threads a rank keeps 90 % of \
            efficiency up to {} cores, the cyclic \
             one up to {}, that in blocks up to {}. Search limits gain {:.2} times the speed of \
             one core at most, \
             as all but one core wait for the last threshold.{best}",
        kept(WorkSplit::Dynamic(THREADS)),
        kept(WorkSplit::Cyclic),
        kept(WorkSplit::Blocks),
        group
            .gain(WorkSplit::Limits, SolutionCount::All, &network(most))
            .speedup,
    )
}

fn title(group: &SolveGroup) -> String {
    let count = group.traces.len();
    let Some(first) = group.traces.first() else {
        return "Nothing".into();
    };
    let length = match (first.solved, first.thresholds.last()) {
        (Some(length), _) => format!("of {length} moves"),
        (None, last) => format!(
            "searched up to length {}",
            last.map_or(0, |last| last.length)
        ),
    };
    let symmetries = if first.symmetries > 1 {
        format!(" with {} symmetries", first.symmetries)
    } else {
        String::new()
    };
    format!(
        "{count} position{}{symmetries} {length}, {}",
        if count == 1 { "" } else { "s" },
        first.table
    )
}

fn ours(cores: usize, latency: Nanos) -> Network {
    Network::ours((cores, THREADS), latency)
}

fn percent(gain: &SplitGain) -> Cell {
    Cell::Number(100.0 * gain.efficiency(), 1)
}

fn by_split(group: &SolveGroup, range: &Range, wanted: SolutionCount) -> ResultTable {
    let caption = match wanted {
        SolutionCount::All => {
            "All solutions, every threshold complete: efficiency in %, and speedup and time with \
                64 threads a rank"
        }
        SolutionCount::AtMost(_) => "To the first solution: the same",
    };
    let names = WorkSplit::ALL.map(WorkSplit::name);
    let mut table = ResultTable::new(
        caption,
        &[
            &["cores"],
            &names[..],
            &["speedup", "seconds", "coordinator busy, %"],
        ]
        .concat(),
    );
    for &cores in &range.cores {
        let gains = WorkSplit::ALL
            .map(|split| group.gain(split, wanted, &ours(cores, range.usual_latency())));
        let dynamic = gains[WorkSplit::ALL.len() - 1];
        let cells = [Cell::Count(cores as u64)]
            .into_iter()
            .chain(gains.iter().map(percent));
        let last = [
            Cell::Number(dynamic.speedup, 1),
            Cell::Number(seconds(dynamic.time), 3),
        ];
        table.row(
            cells
                .chain(last)
                .chain([Cell::Number(100.0 * dynamic.busy, 1)]),
        );
    }
    table
}

fn by_latency(group: &SolveGroup, range: &Range) -> ResultTable {
    let columns = ["latency, µs", "cores", "all solutions", "first solution"];
    let columns = if group.is_solved() {
        &columns[..]
    } else {
        &columns[..3]
    };
    let mut table = ResultTable::new(
        "Dynamic split, 64 threads a rank, by latency: efficiency in %",
        columns,
    );
    for &latency in &range.latencies {
        for &cores in range.cores.iter().filter(|&&cores| cores > 2) {
            let gain = |wanted| {
                percent(&group.gain(WorkSplit::Dynamic(THREADS), wanted, &ours(cores, latency)))
            };
            let cells = [
                Cell::Number(latency as f64 / 1e3, 0),
                Cell::Count(cores as u64),
                gain(SolutionCount::All),
            ];
            table.row(
                cells
                    .into_iter()
                    .chain(group.is_solved().then(|| gain(SolutionCount::ONE))),
            );
        }
    }
    table
}

fn speedups(group: &SolveGroup, range: &Range, name: &'static str) -> Plot {
    let series = |split: WorkSplit| {
        let point = |&cores: &usize| {
            let gain = group.gain(
                split,
                SolutionCount::All,
                &ours(cores, range.usual_latency()),
            );
            (cores as f64, gain.speedup)
        };
        Series {
            label: split.name().into(),
            points: range.cores.iter().map(point).collect(),
            ..Series::default()
        }
    };
    Plot {
        name,
        title: format!("Speedup: {}", title(group)),
        x: "cores",
        y: "speedup",
        logarithmic: [true, true],
        series: WorkSplit::ALL.map(series).to_vec(),
    }
}

/// Two ranks of a machine pass messages in about a microsecond.
const LATENCY_OF_A_HOST: Nanos = 1_000;

fn beside_measured(groups: &[SolveGroup], measured: &[(usize, MeasuredSeconds)]) -> Experiment {
    let columns = [
        "position",
        "ranks",
        "measured, s",
        "simulated, s",
        "measured speedup",
        "simulated speedup",
    ];
    let mut table = ResultTable::new("", &columns);
    let traces = groups
        .iter()
        .flat_map(|group| group.traces.iter().zip(&group.solves));
    for (trace, solve) in traces {
        let solved = (trace.position.clone(), trace.table.clone());
        let of_ranks = |ranks: usize| {
            measured
                .iter()
                .find(|(of, _)| *of == ranks)?
                .1
                .get(&solved)
                .copied()
        };
        for &(ranks, _) in measured {
            let Some(time) = of_ranks(ranks) else {
                continue;
            };
            let simulated = outcome(
                solve,
                WorkSplit::Dynamic(1),
                SolutionCount::All,
                &ours(ranks, LATENCY_OF_A_HOST),
            )
            .time;
            let alone = seconds(solve.by_one_thread(SolutionCount::All));
            table.row([
                Cell::text(&trace.position),
                Cell::Count(ranks as u64),
                Cell::Number(time, 2),
                Cell::Number(seconds(simulated), 2),
                of_ranks(1).map_or(Cell::Nothing, |one| Cell::Number(one / time, 3)),
                Cell::Number(alone / seconds(simulated), 3),
            ]);
        }
    }
    Experiment::new(
        "measured",
        "Beside what was measured",
        "cosette-mpi solve --all",
    )
    .text(
        "All solutions of the same positions by `cosette-mpi solve --all` with one thread per \
                rank, in seconds \
             (the median if measured several times, with two cores of an AMD EPYC in a virtual \
             machine), and the \
             same as simulated from the traces. Both cores of the machine were in use with two \
             ranks, which share \
             its caches and memory.",
    )
    .tables([table])
}
