//! The size of the tree (Korf 1997, Table 1), and the value of bounds of the Manhattan type
//! (section 3.1).

use super::{CubieCosts, Manhattan, SumCombination};
use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions, Plot, RunSize};
use crate::ida::{Ida, IdaIteration, IdaLimits, LowerBound};
use crate::lab::Lab;
use crate::template::{PageTemplate, Value, row};
use crate::walks::random_walks;
use cosette::cube::{Corner, Cube, Edge, Metric, random_positions, sequence_counts};
use cosette::search::Outcome;

/// The forms of both experiments.
const FORMS: &str = include_str!("../../pages/manhattan-experiments.md");

/// Returns the limit of the ratio of nodes at successive depths: 6 + 3 √6 = 13.348469228349534…
pub fn branching_factor() -> f64 {
    6.0 + 54f64.sqrt()
}

/// Returns the nodes at each depth of the canonical tree, next to those of the paper and of a
/// search that tries all moves.
pub fn nodes(_lab: &Lab<'_>, _request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let mut form = PageTemplate::read(FORMS, "nodes");
    form.say("factor", format!("{:.14}", branching_factor()));
    let counts = sequence_counts(18, Metric::Htm);
    let plot = Plot::new(
        "korf-table-1",
        "Nodes at each depth",
        ["depth", "nodes"],
        [false, true],
    );
    let mut plot = plot
        .series("all moves", [])
        .series("canonical sequences", []);
    form.table("nodes").fill(|row| {
        let depth = row.count(0) as u32;
        let all = 18u128.pow(depth);
        let count = counts[depth as usize];
        let [before, nodes] = [counts[depth as usize - 1], count].map(|count| count as f64);
        for (series, nodes) in plot.series.iter_mut().zip([all as f64, nodes]) {
            series.points.push((depth.into(), nodes));
        }
        row![
            count,
            nodes / row.number(1),
            nodes / before,
            all,
            100.0 * nodes / all as f64
        ]
    });
    Ok(form.experiment().plots([plot]))
}

/// The extent of the measurement.
struct MeasurementSize {
    /// Number of random positions for the means.
    sample: u64,
    /// Number of random positions searched to each threshold, and of walks of each length that are
    /// solved.
    positions: usize,
    walks: usize,
    /// Maximum threshold, by heuristic in the order of [`SumCombination::ALL`].
    thresholds: [u8; 4],
    lengths: [u8; 4],
}

const fn size(effort: RunSize) -> MeasurementSize {
    match effort {
        RunSize::Quick => MeasurementSize {
            sample: 1_000_000,
            positions: 3,
            walks: 10,
            thresholds: [6, 10, 11, 11],
            lengths: [6, 10, 11, 11],
        },
        RunSize::Full => MeasurementSize {
            sample: 10_000_000,
            positions: 10,
            walks: 20,
            thresholds: [8, 12, 14, 14],
            lengths: [7, 12, 13, 13],
        },
    }
}

/// The default seed.
const SEED: u64 = 1997;

/// The expected value of the edges in the paper, and its nodes a second.
const PAPER_EDGES: f64 = 5.5;
const PAPER_RATE: f64 = 700_000.0;
const SECONDS_A_YEAR: f64 = 365.25 * 86_400.0;

/// Measures the value of the Manhattan-type bounds.
pub fn manhattan(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let size = size(request.effort);
    let seed = request.seed_or(SEED);
    let mut form = PageTemplate::read(FORMS, "manhattan");
    form.say("seed", seed).say("threads", lab.control.threads());
    form.say("sample", size.sample)
        .say("positions", size.positions)
        .say("walks", size.walks);
    let costs = CubieCosts::new(Metric::Htm);
    let corner = costs.of_corner(Corner::ALL[0]);
    let edge = costs.of_edge(Edge::ALL[0]);
    for (name, costs) in [("corner", corner), ("edge", edge)] {
        let at = |moves| {
            costs
                .iter()
                .filter(|&&cost| cost == moves)
                .count()
                .to_string()
        };
        let counts: Vec<String> = (0..=costs.iter().copied().max().unwrap_or(0))
            .map(at)
            .collect();
        form.say(name, counts.join(", "));
    }
    let mut means = means(lab, &costs, seed, size.sample)?.into_iter();
    form.table("means").fill(|row| {
        let [exact, sampled, rounded] = means.next().expect("there are as many rows");
        row![exact, exact / row.number(1), sampled, rounded]
    });
    let of_each =
        |deepest: [u8; 4], work: &dyn Fn(SumCombination, u8) -> Result<Vec<MeanCost>, LabError>| {
            let each = SumCombination::ALL
                .into_iter()
                .zip(deepest)
                .map(|(heuristic, deepest)| work(heuristic, deepest));
            each.collect::<Result<Vec<_>, LabError>>()
        };
    let iterations = of_each(size.thresholds, &|heuristic, deepest| {
        iterations(lab, heuristic, seed, size.positions, deepest)
    })?;
    let walks = of_each(size.lengths, &|heuristic, deepest| {
        walks(lab, heuristic, seed, size.walks, deepest)
    })?;
    let [.., larger, edges] = &iterations[..] else {
        unreachable!("there are four heuristics")
    };
    let mut before = f64::NAN;
    for (at, of_edges) in edges.iter().enumerate() {
        let at = iterations.iter().map(|works| {
            works
                .get(at)
                .map(|work| work.nodes)
                .filter(|&nodes| nodes > 0.0)
        });
        // A bound of e in all nodes would spare the last e moves.
        let estimate = branching_factor().powf(f64::from(of_edges.depth) - PAPER_EDGES);
        let is_searched = of_edges.nodes > 0.0;
        let [expected, times] =
            [estimate, of_edges.nodes / estimate].map(|of| is_searched.then_some(of));
        let rest = row![of_edges.nodes / before, expected, times];
        form.table("iterations").row(
            row![of_edges.depth]
                .into_iter()
                .chain(at.map(Value::from))
                .chain(rest),
        );
        before = of_edges.nodes;
    }
    say_times(&mut form, larger, edges);
    Ok(form.experiment().plots(plots(&walks)))
}

fn plots(walks: &[Vec<MeanCost>]) -> Vec<Plot> {
    let plot = |name, title, y, value: fn(&MeanCost) -> f64| {
        let plot = Plot::new(name, title, ["moves of the walk", y], [false, true]);
        SumCombination::ALL
            .into_iter()
            .zip(walks)
            .fold(plot, |plot, (heuristic, costs)| {
                plot.series(
                    heuristic.name(),
                    costs
                        .iter()
                        .map(|cost| (f64::from(cost.depth), value(cost))),
                )
            })
    };
    vec![
        plot(
            "manhattan-nodes",
            "Nodes by depth (Nargolkar 2006, Figure 2.1)",
            "nodes generated",
            |cost| cost.nodes,
        ),
        plot(
            "manhattan-seconds",
            "Time by depth (Nargolkar 2006, Figure 2.2)",
            "seconds",
            |cost| cost.seconds,
        ),
    ]
}

/// Adds the estimated times of searches to depths 14 and 18, and the value of the corners.
fn say_times(form: &mut PageTemplate, larger: &[MeanCost], edges: &[MeanCost]) {
    let [larger, last] =
        [larger, edges].map(|works| works.last().expect("some thresholds were searched"));
    let nodes = |depth: i32| last.nodes * branching_factor().powi(depth - i32::from(last.depth));
    let rate = last.nodes / last.seconds;
    let [years, ours] = [PAPER_RATE, rate].map(|rate| nodes(18) / rate / SECONDS_A_YEAR);
    form.say("threshold", last.depth)
        .say("seconds", format!("{:.1}", last.seconds));
    form.say("millions", format!("{:.1}", rate / 1e6))
        .say("nodes", format!("{:.2e}", nodes(18)));
    form.say("years", format!("{years:.0}"))
        .say("ours", format!("{ours:.1}"));
    form.say(
        "days",
        format!("{:.1}", nodes(14) / PAPER_RATE / SECONDS_A_YEAR * 365.25),
    );
    form.say(
        "more",
        format!("{:.0}", 100.0 * (last.nodes / larger.nodes - 1.0)),
    );
    form.say("longer", format!("{:.2}", last.seconds / larger.seconds));
}

/// Returns the exact means of the sums over the corners and over the edges. A cubie of a random
/// position is in each of its 24 states with equal chance; the mean of a sum is the sum of the
/// means, though cubies depend on one another.
fn exact_sums(costs: &CubieCosts) -> (f64, f64) {
    let total = |costs: Vec<u8>| costs.into_iter().map(u32::from).sum::<u32>();
    let corners: u32 = Corner::ALL
        .into_iter()
        .map(|cubie| total(costs.of_corner(cubie)))
        .sum();
    let edges: u32 = Edge::ALL
        .into_iter()
        .map(|cubie| total(costs.of_edge(cubie)))
        .sum();
    (f64::from(corners) / 24.0, f64::from(edges) / 24.0)
}

/// The means of the corners ÷ 4 and of the three heuristics: exact (not known for the larger of
/// two), over a sample of random positions, and over the sample of the bounds, which are rounded
/// up.
fn means(
    lab: &Lab<'_>,
    costs: &CubieCosts,
    seed: u64,
    sample: u64,
) -> Result<[[f64; 3]; 4], LabError> {
    let manhattan = Manhattan::new(SumCombination::Edges, Metric::Htm);
    let (corners, edges) = exact_sums(costs);
    let exact = [
        corners / 4.0,
        edges / 4.0,
        (corners + edges) / 8.0,
        f64::NAN,
    ];
    let quotients = |corners: u8, edges: u8| {
        let quotient = |heuristic: SumCombination| heuristic.quotient(corners, edges);
        [
            (corners, 4),
            quotient(SumCombination::Edges),
            quotient(SumCombination::AllCubies),
            quotient(SumCombination::Larger),
        ]
    };
    let mut sums = [(0.0, 0u64); 4];
    for (number, position) in (0..sample).zip(random_positions(seed)) {
        if number % 10_000 == 0 {
            lab.check()?;
            lab.step("drawing random positions", number, sample);
        }
        let node = manhattan.node(&position);
        for (sum, (dividend, divisor)) in sums.iter_mut().zip(quotients(node.corners, node.edges)) {
            sum.0 += f64::from(dividend) / f64::from(divisor);
            sum.1 += u64::from(dividend.div_ceil(divisor));
        }
    }
    let sample = sample as f64;
    Ok(std::array::from_fn(|i| {
        [exact[i], sums[i].0 / sample, sums[i].1 as f64 / sample]
    }))
}

/// Mean costs of a search to a depth.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MeanCost {
    /// The threshold, or the length of the walks.
    pub depth: u8,
    /// Nodes generated.
    pub nodes: f64,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

impl MeanCost {
    fn mean(depth: u8, of: &[IdaIteration], positions: usize) -> MeanCost {
        let nodes: u64 = of.iter().map(|iteration| iteration.nodes).sum();
        let seconds: f64 = of
            .iter()
            .map(|iteration| iteration.elapsed.as_secs_f64())
            .sum();
        MeanCost {
            depth,
            nodes: nodes as f64 / positions as f64,
            seconds: seconds / positions as f64,
        }
    }
}

/// Runs the iterations of a search that ends at `last`, at a solution, or on cancellation.
fn search(
    lab: &Lab<'_>,
    bound: &Manhattan,
    position: &Cube,
    last: u8,
) -> Result<(Outcome, Vec<IdaIteration>), LabError> {
    let ida = Ida {
        bound,
        metric: Metric::Htm,
    };
    let limits = IdaLimits {
        last: Some(last),
        ..IdaLimits::default()
    };
    let found = ida.search(position, &limits, &lab.control);
    lab.check()?;
    Ok((found.outcome, found.iterations))
}

/// The work of complete iterations of each threshold up to `deepest`, on `positions` random
/// positions. Thresholds below the bound of a position take no work.
fn iterations(
    lab: &Lab<'_>,
    heuristic: SumCombination,
    seed: u64,
    positions: usize,
    deepest: u8,
) -> Result<Vec<MeanCost>, LabError> {
    let bound = Manhattan::new(heuristic, Metric::Htm);
    let mut all: Vec<IdaIteration> = Vec::new();
    for (number, position) in random_positions(seed).take(positions).enumerate() {
        lab.step(
            &format!("searching by {}", heuristic.name()),
            number as u64,
            positions as u64,
        );
        // A random position so near would be solved; none of those drawn is, or it would count for
        // fewer nodes.
        all.extend(search(lab, &bound, &position, deepest)?.1);
    }
    let at = |depth: u8| {
        all.iter()
            .filter(|iteration| iteration.threshold == depth)
            .copied()
            .collect::<Vec<_>>()
    };
    Ok((1..=deepest)
        .map(|depth| MeanCost::mean(depth, &at(depth), positions))
        .collect())
}

/// The work of solving random walks of each length up to `deepest`: all iterations, the last one to
/// the first solution.
fn walks(
    lab: &Lab<'_>,
    heuristic: SumCombination,
    seed: u64,
    count: usize,
    deepest: u8,
) -> Result<Vec<MeanCost>, LabError> {
    let bound = Manhattan::new(heuristic, Metric::Htm);
    let solve = |depth: u8| {
        lab.step(
            &format!("solving walks by {}", heuristic.name()),
            depth.into(),
            deepest.into(),
        );
        let mut all = Vec::new();
        for walk in random_walks(seed.wrapping_add(depth.into()), depth.into()).take(count) {
            let (outcome, iterations) = search(lab, &bound, &Cube::from_moves(&walk), depth)?;
            assert_eq!(
                outcome,
                Outcome::Optimal,
                "{walk:?} is undone in as many moves"
            );
            all.extend(iterations);
        }
        Ok(MeanCost::mean(depth, &all, count))
    };
    (1..=deepest).map(solve).collect()
}
