//! The page: what many cores would gain.

use super::fixed::Deal;
use super::grid::{Gain, Group, Split, THREADS, outcome};
use super::load::{Nanos, seconds};
use super::network::{Network, SERVICE};
use cosette::search::SolutionCount;
use cosette_lab::experiment::{Cell, Experiment, Plot, Series, Table};
use cosette_lab::report::Page;
use cosette_mpi::dispatcher::LeaseSizes;
use std::collections::HashMap;
use std::time::Duration;

/// Measured seconds by facelets and table.
pub type Measurements = HashMap<(String, String), f64>;

/// The names of the plots, one for each group.
const PLOTS: [&str; 6] =
    ["mpi-scaling-1", "mpi-scaling-2", "mpi-scaling-3", "mpi-scaling-4", "mpi-scaling-5", "mpi-scaling-6"];

/// What is simulated.
pub struct Range {
    /// How long a message takes to arrive; the middle one is shown in full.
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
pub fn of(groups: &[Group], range: &Range, measured: &[(usize, Measurements)]) -> Page {
    let mut experiments: Vec<Experiment> =
        groups.iter().enumerate().map(|(number, group)| experiment(group, range, PLOTS.get(number).copied())).collect();
    experiments.push(limits());
    experiments.extend((!measured.is_empty()).then(|| beside_measured(groups, measured)));
    let values = vec![("assumptions", assumptions(range))];
    Page { name: "mpi-scaling", text: include_str!("../../pages/mpi-scaling.md"), figures: &[], values, experiments }
}

/// What is assumed of the cores and the network.
fn assumptions(range: &Range) -> String {
    format!(
        "A rank has {THREADS} threads, one for each core, as where each machine of a cluster runs one rank; for comparison, \
             one thread. The first rank coordinates as well. A message arrives after the latency, and keeps the coordinator \
             busy for {:.0} µs, one message after the other (measured on its bookkeeping and on receiving; sending is assumed \
             to take no longer); the barriers of the static split are such messages too. Ranks poll for messages: once in \
             50 µs while a thread waits for something to do, otherwise once in a millisecond divided by their threads, at most \
             once in 50 µs. A thread begins with what its rank gives it 20 µs later. What is not split is done by one thread: \
             thresholds that follow one of few nodes, and the steps between thresholds; each rank cuts the position into \
             root tasks for itself. Left out: what a rank's own messages, polls and bookkeeping take of its cores, the time until \
             a thread sees a request, filling a batch of nodes again, the two-phase search, and that cores of a machine share \
             caches and memory, so that each is somewhat slower than one alone. Efficiency is the time of one thread without \
             messages, divided by cores × time; the latency is {} unless stated otherwise.",
        SERVICE as f64 / 1e3,
        micros(range.usual_latency()),
    )
}

fn micros(latency: Nanos) -> String {
    format!("{} µs", latency as f64 / 1e3)
}

fn experiment(group: &Group, range: &Range, plot: Option<&'static str>) -> Experiment {
    let mut tables = vec![by_split(group, range, SolutionCount::All)];
    if group.is_solved() {
        tables.push(by_split(group, range, SolutionCount::ONE));
    }
    tables.extend([by_latency(group, range), changed(group, range)]);
    let longest = group.solves.iter().flat_map(|solve| solve.thresholds.iter().flatten()).map(|task| task.cost).max();
    Experiment::new("", title(group), "cosette-lab-mpi simulate")
        .text(format!(
            "One thread takes {:.2} s for all together{}; the longest root task takes {:.1} ms.",
            seconds(group.by_one_thread(SolutionCount::All)),
            if group.is_solved() {
                format!(", {:.2} s where one solution each is enough", seconds(group.by_one_thread(SolutionCount::ONE)))
            } else {
                String::new()
            },
            1e3 * seconds(longest.unwrap_or_default()),
        ))
        .tables(tables)
        .plots(plot.into_iter().map(|name| speedups(group, range, name)))
        .remark(remark(group, range))
}

/// What limits each split.
fn remark(group: &Group, range: &Range) -> String {
    let network = |cores| ours(cores, range.usual_latency());
    let most = range.cores.iter().copied().max().unwrap_or(1);
    let keeps = |split| {
        let is_kept = |cores: &usize| group.gain(split, SolutionCount::All, &network(*cores)).efficiency() >= 0.9;
        std::iter::successors(Some(1), |cores| Some(2 * cores))
            .take_while(|&cores| cores <= most)
            .filter(is_kept)
            .last()
    };
    let kept = |split| keeps(split).map_or("no number".into(), |cores: usize| cores.to_string());
    let dynamic = |&cores: &usize| group.gain(Split::Dynamic(THREADS), SolutionCount::All, &network(cores));
    let best = range.cores.iter().map(dynamic).max_by(|a, b| a.speedup.total_cmp(&b.speedup));
    let best = best.map_or(String::new(), |best| {
        format!(" Its speedup is largest with {} cores of those shown: {:.0}.", best.cores, best.speedup)
    });
    format!(
        "All solutions, powers of two: the dynamic split with 64 threads a rank keeps 90 % of efficiency up to {} cores, the cyclic \
             one up to {}, that in blocks up to {}. Search limits gain {:.2} times the speed of one core at most, \
             as all but one core wait for the last threshold.{best}",
        kept(Split::Dynamic(THREADS)),
        kept(Split::Static(Deal::Cyclic)),
        kept(Split::Static(Deal::Blocks)),
        group.gain(Split::Limits, SolutionCount::All, &network(most)).speedup,
    )
}

fn title(group: &Group) -> String {
    let count = group.traces.len();
    let Some(first) = group.traces.first() else { return "Nothing".into() };
    let length = match (first.solved, first.thresholds.last()) {
        (Some(length), _) => format!("of {length} moves"),
        (None, last) => format!("searched up to length {}", last.map_or(0, |last| last.length)),
    };
    let symmetries =
        if first.symmetries > 1 { format!(" with {} symmetries", first.symmetries) } else { String::new() };
    format!("{count} position{}{symmetries} {length}, {}", if count == 1 { "" } else { "s" }, first.table)
}

fn ours(cores: usize, latency: Nanos) -> Network {
    Network::ours((cores, THREADS), latency)
}

fn percent(gain: &Gain) -> Cell {
    Cell::Number(100.0 * gain.efficiency(), 1)
}

fn by_split(group: &Group, range: &Range, wanted: SolutionCount) -> Table {
    let caption = match wanted {
        SolutionCount::All => {
            "All solutions, every threshold complete: efficiency in %, and speedup and time with 64 threads a rank"
        }
        SolutionCount::AtMost(_) => "To the first solution: the same",
    };
    let names = Split::ALL.map(Split::name);
    let mut table =
        Table::new(caption, &[&["cores"], &names[..], &["speedup", "seconds", "coordinator busy, %"]].concat());
    for &cores in &range.cores {
        let gains = Split::ALL.map(|split| group.gain(split, wanted, &ours(cores, range.usual_latency())));
        let dynamic = gains[Split::ALL.len() - 1];
        let cells = [Cell::Count(cores as u64)].into_iter().chain(gains.iter().map(percent));
        let last = [Cell::Number(dynamic.speedup, 1), Cell::Number(seconds(dynamic.time), 3)];
        table.row(cells.chain(last).chain([Cell::Number(100.0 * dynamic.busy, 1)]));
    }
    table
}

fn by_latency(group: &Group, range: &Range) -> Table {
    let columns = ["latency, µs", "cores", "all solutions", "first solution"];
    let columns = if group.is_solved() { &columns[..] } else { &columns[..3] };
    let mut table = Table::new("Dynamic split, 64 threads a rank, by latency: efficiency in %", columns);
    for &latency in &range.latencies {
        for &cores in range.cores.iter().filter(|&&cores| cores > 2) {
            let gain = |wanted| percent(&group.gain(Split::Dynamic(THREADS), wanted, &ours(cores, latency)));
            let cells = [Cell::Number(latency as f64 / 1e3, 0), Cell::Count(cores as u64), gain(SolutionCount::All)];
            table.row(cells.into_iter().chain(group.is_solved().then(|| gain(SolutionCount::ONE))));
        }
    }
    table
}

/// What changes would gain for the dynamic split.
fn changed(group: &Group, range: &Range) -> Table {
    let small = LeaseSizes { min: Duration::from_millis(1), ..LeaseSizes::default() };
    type Change = Box<dyn Fn(Network) -> Network>;
    let changes: [(&'static str, Change); 5] = [
        ("as it is", Box::new(|network| network)),
        ("woken by messages", Box::new(|network| Network { wakes: true, ..network })),
        ("leases from 1 ms", Box::new(move |network| Network { sizes: small, ..network })),
        ("both", Box::new(move |network| Network { sizes: small, wakes: true, ..network })),
        (
            "both, coordinator free",
            Box::new(move |network| Network { sizes: small, wakes: true, service: 0, ..network }),
        ),
    ];
    let columns = [&["cores"], &changes.each_ref().map(|change| change.0)[..]].concat();
    let mut table =
        Table::new("Dynamic split, 64 threads a rank, if it were changed, all solutions: efficiency in %", &columns);
    for &cores in range.cores.iter().filter(|&&cores| cores > 2) {
        let gain = |(_, change): &(&'static str, Change)| {
            percent(&group.gain(
                Split::Dynamic(THREADS),
                SolutionCount::All,
                &change(ours(cores, range.usual_latency())),
            ))
        };
        table.row([Cell::Count(cores as u64)].into_iter().chain(changes.iter().map(gain)));
    }
    table
}

fn speedups(group: &Group, range: &Range, name: &'static str) -> Plot {
    let series = |split: Split| {
        let point = |&cores: &usize| {
            let gain = group.gain(split, SolutionCount::All, &ours(cores, range.usual_latency()));
            (cores as f64, gain.speedup)
        };
        Series { label: split.name().into(), points: range.cores.iter().map(point).collect(), ..Series::default() }
    };
    Plot {
        name,
        title: format!("Speedup: {}", title(group)),
        x: "cores",
        y: "speedup",
        logarithmic: [true, true],
        series: Split::ALL.map(series).to_vec(),
    }
}

/// What limits each split, by the tables above.
fn limits() -> Experiment {
    Experiment::new("", "What limits each split", "cosette-lab-mpi simulate")
        .text(
            "*Static*: its longest share. Thousands of small tasks, dealt one by one in the order of their promise, \
             come out even, and no message is sent; the few large tasks of a symmetric position do not, and nothing \
             makes up for it, or for a core that is slower than the others. Blocks depend on the predicted work, \
             which is considerably wrong.",
        )
        .text("*Search limits*: the last threshold, which one core searches alone.")
        .text(
            "*Dynamic*: what one thread does between thresholds; then the messages that begin and end a threshold, one of each \
             for each rank, and at its end the sharing of what is left, which costs a round of messages for each halving. \
             With a rank for each core instead of one for each machine the coordinator is busy with as many messages as there \
             are cores. A search must be long for many cores to pay off; a short one is best left to a few of them.",
        )
}

/// Two ranks of a machine pass messages in about a microsecond.
const LATENCY_OF_A_HOST: Nanos = 1_000;

fn beside_measured(groups: &[Group], measured: &[(usize, Measurements)]) -> Experiment {
    let columns = ["position", "ranks", "measured, s", "simulated, s", "measured speedup", "simulated speedup"];
    let mut table = Table::new("", &columns);
    let traces = groups.iter().flat_map(|group| group.traces.iter().zip(&group.solves));
    for (trace, solve) in traces {
        let solved = (trace.position.clone(), trace.table.clone());
        let of_ranks = |ranks: usize| measured.iter().find(|(of, _)| *of == ranks)?.1.get(&solved).copied();
        for &(ranks, _) in measured {
            let Some(time) = of_ranks(ranks) else { continue };
            let (simulated, _) = outcome(solve, Split::Dynamic(1), SolutionCount::All, &ours(ranks, LATENCY_OF_A_HOST));
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
    Experiment::new("", "Beside what was measured", "cosette-mpi solve --all")
        .text(
            "All solutions of the same positions by `cosette-mpi solve --all` with one thread per rank, in seconds \
             (the median if measured several times, with two cores of an AMD EPYC in a virtual machine), and the \
             same as simulated from the traces. Both cores of the machine were in use with two ranks, which share \
             its caches and memory.",
        )
        .tables([table])
}
