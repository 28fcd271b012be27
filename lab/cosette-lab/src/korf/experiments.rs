//! The experiments that measure the databases and their searches.

use super::edges::{EdgeSet, SEVEN, SIX};
use super::instances::walks;
use super::{Korf, KorfNode};
use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::{IdaEngine, LowerBound};
use crate::lab::{Lab, tally};
use crate::main_engine;
use crate::packed::DistanceCounts;
use crate::record::Record;
use cosette::cube::{Cube, Metric, Move, MoveSet, random_positions, sequence_counts};
use cosette::search::{Options, Solver};
use cosette::table::{TableFileState, TableId};
use cosette_app::units::mean_of_distribution;
use serde_json::{Value, json};
use std::sync::Arc;

/// Nodes a second of one thread, with databases of four bits an entry and with move sets.
pub fn speed(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let threshold = match request.effort {
        RunSize::Quick => 14,
        RunSize::Full => 15,
    };
    let seed = request.seed_or(1);
    let position = random_positions(seed).next().expect("they have no end");
    let mut rows = Vec::new();
    for storage in [DistanceStorage::FourBits, DistanceStorage::MoveSets] {
        let korf = Korf::with_storage(lab, &SIX, storage)?;
        let (iteration, rate) = korf.ida().speed(&position, threshold, lab)?;
        rows.push(json!({
            "entries": storage.name(),
            "bytes": korf.bytes(),
            "threshold": threshold,
            "nodes": iteration.nodes,
            "tests": iteration.tests,
            "probes": iteration.probes,
            "rate": rate,
        }));
    }
    let record = json!({"seed": seed, "rows": rows});
    Ok(Record::computed(request, &record))
}

/// Predicts the number of nodes from the distribution of the bound, and measures the bounds of the
/// nodes that a search meets.
pub fn formula(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let korf = Korf::new(lab, &SIX)?;
    let counts: Vec<&DistanceCounts> = korf.counts().collect();
    let mut so_far = 0.0;
    let thresholds = (0..=18).map(|threshold| {
        let iteration = predicted(&counts, threshold);
        so_far += iteration;
        json!({"threshold": threshold, "iteration": iteration, "so_far": so_far})
    });
    let record = json!({
        // If the databases were independent.
        "mean": mean_of_maximum(&counts),
        "thresholds": thresholds.collect::<Vec<_>>(),
        "bounds": bounds_met(lab, &korf, request.seed_or(1))?,
    });
    Ok(Record::computed(request, &record))
}

/// Numbers of nodes by their bound: of those generated, and of those whose children are.
#[derive(Default)]
struct BoundCounts {
    generated: [u64; 16],
    expanded: [u64; 16],
}

impl BoundCounts {
    /// Adds the nodes that an iteration generates below a node.
    fn add(&mut self, korf: &Korf, node: &KorfNode, last: Option<Move>, remaining: u8) {
        for m in MoveSet::after(last).iter() {
            let child = korf.turned(node, m);
            let bound = korf.bound(&child, u8::MAX, &mut 0);
            self.generated[usize::from(bound)] += 1;
            if bound < remaining && remaining > 1 {
                self.expanded[usize::from(bound)] += 1;
                self.add(korf, &child, Some(m), remaining - 1);
            }
        }
    }
}

/// Measures the bounds of the nodes of complete iterations of some random positions.
fn bounds_met(lab: &Lab<'_>, korf: &Korf, seed: u64) -> Result<Value, LabError> {
    const POSITIONS: usize = 10;
    const THRESHOLD: u8 = 12;
    let mut counts = BoundCounts::default();
    for position in random_positions(seed).take(POSITIONS) {
        lab.check()?;
        counts.add(korf, &korf.node(&position), None, THRESHOLD);
    }
    Ok(json!({
        "seed": seed,
        "positions": POSITIONS,
        "threshold": THRESHOLD,
        "generated": counts.generated.iter().sum::<u64>(),
        "generated_mean": mean_of_distribution(&counts.generated),
        "expanded": counts.expanded.iter().sum::<u64>(),
        "expanded_mean": mean_of_distribution(&counts.expanded),
    }))
}

/// Returns the number of nodes of a complete iteration predicted from the distributions of its
/// databases.
fn predicted(distributions: &[&DistanceCounts], threshold: u8) -> f64 {
    let threshold = usize::from(threshold);
    let sequences = sequence_counts(threshold, Metric::Htm);
    (0..threshold)
        .map(|depth| sequences[depth + 1] as f64 * share_within(distributions, threshold - depth))
        .sum()
}

/// P(max ≤ v) of values with these distributions, if they were independent: the product of P(value
/// ≤ v).
fn share_within(distributions: &[&DistanceCounts], v: usize) -> f64 {
    let share = |counts: &DistanceCounts| {
        counts.iter().take(v + 1).sum::<u64>() as f64 / counts.iter().sum::<u64>() as f64
    };
    distributions.iter().map(|counts| share(counts)).product()
}

/// The mean of the maximum of values with these distributions, if they were independent: the
/// paper's way. It is the sum over v of P(max > v).
pub fn mean_of_maximum(distributions: &[&DistanceCounts]) -> f64 {
    let largest = distributions.iter().map(|counts| counts.len()).max();
    (0..largest.unwrap_or(0))
        .map(|v| 1.0 - share_within(distributions, v))
        .sum()
}

/// Number of positions drawn from one seed.
const DRAWN_TOGETHER: u64 = 10_000;

/// Returns the number of drawn positions with each bound: `positions` of them, rounded up to whole
/// ten thousands, from seeds 0, 1, …; so the counts do not depend on the number of threads.
pub fn sampled<P: Iterator<Item = Cube>>(
    lab: &Lab<'_>,
    databases: &Korf,
    positions: u64,
    drawn: impl Fn(u64) -> P + Sync,
) -> Result<[u64; 16], LabError> {
    let seeds = 0..positions.div_ceil(DRAWN_TOGETHER);
    tally(
        &lab.control,
        "drawing random positions",
        seeds,
        |seed, counts| {
            for position in drawn(seed).take(DRAWN_TOGETHER as usize) {
                counts[usize::from(databases.values(&position).max().unwrap_or(0))] += 1;
            }
        },
    )
}

/// Computes the distribution of each database, their means, and the mean of the maximum: under
/// independence, over ten million random positions, and over walks as the paper draws its
/// positions. The full run adds the sets of seven edges.
pub fn databases(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    const WALKS: u64 = 1_000_000;
    let six = Korf::new(lab, &SIX)?;
    let walked = |seed| walks(seed).map(|walk| Cube::from_moves(&walk));
    let record = json!({
        "six": set_figures(lab, &six)?,
        "walked": mean_of_distribution(&sampled(lab, &six, WALKS, walked)?),
        "seven": match request.effort {
            RunSize::Quick => None,
            RunSize::Full => Some(set_figures(lab, &Korf::new(lab, &SEVEN)?)?),
        },
    });
    Ok(Record::computed(request, &record))
}

/// Returns the figures of a corner database and two sets of edges, and of the maximum of the three.
fn set_figures(lab: &Lab<'_>, korf: &Korf) -> Result<Value, LabError> {
    const POSITIONS: u64 = 10_000_000;
    let counts: Vec<&DistanceCounts> = korf.counts().collect();
    let names = std::iter::once("corners".to_owned())
        .chain(korf.sets().map(|edges| format!("edges {edges}")));
    let databases = names.zip(&counts).map(|(cubies, counts)| {
        json!({
            "cubies": cubies,
            "entries": counts.iter().sum::<u64>(),
            "mean": mean_of_distribution(counts),
            "counts": counts,
        })
    });
    Ok(json!({
        "databases": databases.collect::<Vec<_>>(),
        "independent_two": mean_of_maximum(&counts[..2]),
        "independent": mean_of_maximum(&counts),
        "sampled": mean_of_distribution(&sampled(lab, korf, POSITIONS, random_positions)?),
    }))
}

/// Additional depth at which the fast engine is compared, because its iterations are smaller.
const DEEPER: u8 = 3;
/// Number of random positions searched for the law.
const SEARCHED: usize = 20;
/// Number of random positions for the mean bound.
const FOR_THE_MEAN: u64 = 100_000;

/// Measures the law t = n/m for Korf's sets of tables, and for the fast engine's tables on disk: up
/// to 300 MB in the quick run, which are generated, up to 2 GB in the full one.
pub fn law(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    main_engine::generate(lab, &["24M", "47M", "94M", "190M"])?;
    let (depth, largest) = match request.effort {
        RunSize::Quick => (12, 300_000_000),
        RunSize::Full => (14, 2_100_000_000),
    };
    let seed = request.seed_or(1985);
    let positions: Vec<Cube> = random_positions(seed).take(SEARCHED).collect();
    let sets: [&[EdgeSet]; 3] = [&[], &SIX, &SEVEN];
    let korf = sets.map(|sets| korf_row(lab, sets, &positions, depth));
    let tables = lab.folder.list().into_iter().filter(|(id, state)| {
        let fits = id.metric == Metric::Htm && id.size.bytes() <= largest;
        fits && matches!(state, TableFileState::Complete)
    });
    let fast = tables.map(|(id, _)| fast_row(lab, id, &positions, depth + DEEPER));
    let record = json!({
        "positions": SEARCHED,
        "seed": seed,
        "korf": korf.into_iter().collect::<Result<Vec<_>, LabError>>()?,
        "fast": fast.collect::<Result<Vec<_>, LabError>>()?,
    });
    Ok(Record::computed(request, &record))
}

/// Returns the number of canonical sequences of this length: the nodes of a search without a bound.
fn sequences(depth: u8) -> f64 {
    sequence_counts(depth.into(), Metric::Htm)[usize::from(depth)] as f64
}

/// Measures the corners with these sets of edges.
fn korf_row(
    lab: &Lab<'_>,
    sets: &[EdgeSet],
    positions: &[Cube],
    depth: u8,
) -> Result<Value, LabError> {
    let korf = Korf::new(lab, sets)?;
    Ok(json!({
        "name": korf.tables(),
        "bytes": korf.bytes(),
        "entries": korf.entries(),
        "mean": mean_of_distribution(&sampled(lab, &korf, FOR_THE_MEAN, random_positions)?),
        "depth": depth,
        "sequences": sequences(depth),
        "nodes": korf.ida().mean_nodes(positions, depth, lab)?,
    }))
}

/// Measures a table of the fast engine.
fn fast_row(lab: &Lab<'_>, id: TableId, positions: &[Cube], depth: u8) -> Result<Value, LabError> {
    let table = Arc::new(lab.folder.load(id, &lab.control)?);
    let solver = Solver::new(table.clone(), lab.control.threads());
    let options = Options {
        max_length: Some(depth),
        ..Options::default()
    };
    let mut nodes = 0;
    for position in positions {
        let search = solver.search(position).options(options);
        let iterations = search.control(&lab.control).run().iterations;
        let at_depth = iterations.iter().filter(|done| done.length == depth);
        nodes += at_depth.map(|done| done.nodes).sum::<u64>();
        lab.check()?;
    }
    let bounds = random_positions(0)
        .take(FOR_THE_MEAN as usize)
        .map(|position| u64::from(table.bound(&position)));
    Ok(json!({
        "name": id.to_string(),
        "bytes": id.size.bytes(),
        "entries": cosette::coord::CornerClasses::COUNT * id.size.entries_per_class(),
        "mean": bounds.sum::<u64>() as f64 / FOR_THE_MEAN as f64,
        "depth": depth,
        "sequences": sequences(depth),
        "nodes": nodes as f64 / positions.len() as f64,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_maximum_is_that_of_all_pairs() {
        let a: DistanceCounts = vec![1, 2, 3];
        let b: DistanceCounts = vec![4, 0, 1, 2];
        let pairs = (0..3).flat_map(|v| (0..4).map(move |w| (v, w)));
        let all: f64 = pairs
            .map(|(v, w)| (a[v] * b[w]) as f64 * v.max(w) as f64)
            .sum();
        assert!((mean_of_maximum(&[&a, &b]) - all / (6.0 * 7.0)).abs() < 1e-12);
        assert_eq!(mean_of_distribution(&a), 8.0 / 6.0);
    }
}
