//! The size of the tree (Korf 1997, Table 1), and the value of bounds of the Manhattan type
//! (section 3.1).

use super::{CubieCosts, Manhattan, SumCombination};
use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::{Ida, IdaLimits, LowerBound};
use crate::lab::{Lab, processor_time_of_process};
use crate::record::Record;
use crate::walks::random_walks;
use cosette::cube::{Corner, Cube, Edge, Metric, random_positions, sequence_counts};
use cosette::numbers::grouped;
use serde_json::{Value, json};

/// Returns the limit of the ratio of nodes at successive depths: 6 + 3 √6 = 13.348469228349534…
pub fn branching_factor() -> f64 {
    6.0 + 54f64.sqrt()
}

/// Counts the nodes at each depth of the canonical tree.
pub fn nodes(_lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let counts = sequence_counts(18, Metric::Htm);
    let depths = counts.windows(2).zip(1..).map(|(pair, depth)| {
        json!({
            "depth": depth,
            "exact": grouped(pair[1]),
            "nodes": pair[1] as f64,
            "growth": pair[1] as f64 / pair[0] as f64,
        })
    });
    let record = json!({
        "branching_factor": branching_factor(),
        "depths": depths.collect::<Vec<_>>(),
    });
    Ok(Record::computed(request, &record))
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

/// Measures the value of the Manhattan-type bounds.
pub fn manhattan(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let size = size(request.effort);
    let seed = request.seed_or(SEED);
    let costs_of_cubies = CubieCosts::new(Metric::Htm);
    let iteration = |depth| {
        let positions = random_positions(seed).take(size.positions);
        (IdaLimits::only(depth), positions.collect())
    };
    let walks = |depth: u8| {
        let limits = IdaLimits {
            last: Some(depth),
            ..IdaLimits::default()
        };
        let walks = random_walks(seed.wrapping_add(depth.into()), depth.into());
        let ends = walks.take(size.walks).map(|walk| Cube::from_moves(&walk));
        (limits, ends.collect())
    };
    let record = json!({
        "seed": seed,
        "sample": size.sample,
        "positions": size.positions,
        "walks": size.walks,
        "corner_states": by_distance(&costs_of_cubies.of_corner(Corner::ALL[0])),
        "edge_states": by_distance(&costs_of_cubies.of_edge(Edge::ALL[0])),
        "means": means(lab, seed, size.sample)?,
        // Complete iterations of random positions, and solutions of random walks.
        "iterations": costs(lab, size.thresholds, iteration)?,
        "solved_walks": costs(lab, size.lengths, walks)?,
    });
    Ok(Record::computed(request, &record))
}

/// Returns the number of states at each distance.
fn by_distance(distances: &[u8]) -> Vec<usize> {
    let farthest = distances.iter().copied().max().unwrap_or(0);
    (0..=farthest)
        .map(|moves| distances.iter().filter(|&&cost| cost == moves).count())
        .collect()
}

/// Returns the means of the corners ÷ 4 and of the three bounds over a sample of random positions,
/// as they are and rounded up.
fn means(lab: &Lab<'_>, seed: u64, sample: u64) -> Result<Vec<Value>, LabError> {
    let manhattan = Manhattan::new(SumCombination::Edges, Metric::Htm);
    let bounds = [
        SumCombination::Edges,
        SumCombination::AllCubies,
        SumCombination::Larger,
    ];
    let mut sums = [(0.0, 0u64); 4];
    for (number, position) in (0..sample).zip(random_positions(seed)) {
        if number % 10_000 == 0 {
            lab.check()?;
            lab.step("drawing random positions", number, sample);
        }
        let node = manhattan.node(&position);
        let quotients = bounds.map(|bound| bound.quotient(node.corners, node.edges));
        let quotients = std::iter::once((node.corners, 4)).chain(quotients);
        for (sum, (dividend, divisor)) in sums.iter_mut().zip(quotients) {
            sum.0 += f64::from(dividend) / f64::from(divisor);
            sum.1 += u64::from(dividend.div_ceil(divisor));
        }
    }
    let names = std::iter::once("corners ÷ 4").chain(bounds.map(SumCombination::name));
    let means = names.zip(sums).map(|(bound, (sum, rounded))| {
        json!({
            "bound": bound,
            "mean": sum / sample as f64,
            "rounded": rounded as f64 / sample as f64,
        })
    });
    Ok(means.collect())
}

/// Searches by each sum to each depth; `searched` returns the limits and the positions of a depth.
fn costs(
    lab: &Lab<'_>,
    deepest: [u8; 4],
    searched: impl Fn(u8) -> (IdaLimits, Vec<Cube>),
) -> Result<Vec<Value>, LabError> {
    let mut all = Vec::new();
    for (sum, deepest) in SumCombination::ALL.into_iter().zip(deepest) {
        let bound = Manhattan::new(sum, Metric::Htm);
        let step = format!("searching by {}", sum.name());
        let mut costs = Vec::new();
        for depth in 1..=deepest {
            lab.step(&step, depth.into(), deepest.into());
            let (limits, positions) = searched(depth);
            costs.push(mean_cost(lab, &bound, depth, &limits, &positions)?);
        }
        all.push(json!({"bound": sum.name(), "costs": costs}));
    }
    Ok(all)
}

fn mean_cost(
    lab: &Lab<'_>,
    bound: &Manhattan,
    depth: u8,
    limits: &IdaLimits,
    positions: &[Cube],
) -> Result<Value, LabError> {
    let ida = Ida {
        bound,
        metric: Metric::Htm,
    };
    let before = processor_time_of_process();
    let mut nodes = 0;
    for position in positions {
        let found = ida.search(position, limits, &lab.control);
        lab.check()?;
        nodes += found.iterations.iter().map(|done| done.nodes).sum::<u64>();
    }
    Ok(json!({
        "depth": depth,
        "nodes": nodes as f64 / positions.len() as f64,
        "seconds": (processor_time_of_process() - before) / positions.len() as f64,
    }))
}
