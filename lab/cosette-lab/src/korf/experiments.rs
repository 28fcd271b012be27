//! The experiments that measure the databases and their searches.

use super::edges::{EdgeSet, SEVEN, SIX};
use super::instances::walks;
use super::{Korf, KorfNode};
use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::{Ida, LowerBound};
use crate::lab::Lab;
use crate::main_engine;
use crate::packed::DistanceCounts;
use crate::record::Record;
use cosette::cube::{Cube, Metric, Move, MoveSet, random_positions, sequence_counts};
use cosette::search::{Options, Solver};
use cosette::table::{TableFileState, TableId};
use cosette_app::engine::Engine;
use cosette_app::units::mean_of_distribution;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The figures of `cosette-lab korf speed`.
#[derive(Serialize)]
struct SpeedRecord {
    seed: u64,
    rows: Vec<SpeedFigures>,
}

/// One iteration with databases of one storage, by one thread.
#[derive(Serialize)]
struct SpeedFigures {
    entries: String,
    bytes: u64,
    threshold: u8,
    nodes: u64,
    tests: u64,
    probes: u64,
    /// Nodes a second.
    rate: f64,
}

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
        let korf = &Korf::with_storage(lab, &SIX, storage)?;
        let ida = Ida {
            bound: korf,
            metric: Metric::Htm,
        };
        let (iteration, rate) = ida.speed(&position, threshold, lab)?;
        rows.push(SpeedFigures {
            entries: storage.name().to_owned(),
            bytes: korf.bytes(),
            threshold,
            nodes: iteration.nodes,
            tests: iteration.tests,
            probes: iteration.probes,
            rate,
        });
    }
    Ok(Record::computed(request, &SpeedRecord { seed, rows }))
}

/// The figures of `cosette-lab korf formula`.
#[derive(Serialize)]
struct FormulaRecord {
    /// The mean of the maximum of the databases, if they were independent.
    mean: f64,
    thresholds: Vec<PredictedNodes>,
    bounds: MetBounds,
}

/// The nodes that the distributions of the databases predict.
#[derive(Serialize)]
struct PredictedNodes {
    threshold: u8,
    /// Nodes of its iteration.
    iteration: f64,
    /// Total nodes of all thresholds up to this one.
    so_far: f64,
}

/// The mean bounds of the nodes of complete iterations.
#[derive(Serialize)]
struct MetBounds {
    seed: u64,
    positions: usize,
    threshold: u8,
    /// Number of nodes generated, and their mean bound.
    generated: u64,
    generated_mean: f64,
    /// Number of those whose children are generated, and their mean bound.
    expanded: u64,
    expanded_mean: f64,
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
        PredictedNodes {
            threshold,
            iteration,
            so_far,
        }
    });
    let record = FormulaRecord {
        mean: mean_of_maximum(&counts),
        thresholds: thresholds.collect(),
        bounds: bounds_met(lab, &korf, request.seed_or(1))?,
    };
    Ok(Record::computed(request, &record))
}

/// Numbers of nodes by their bound.
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
fn bounds_met(lab: &Lab<'_>, korf: &Korf, seed: u64) -> Result<MetBounds, LabError> {
    const POSITIONS: usize = 10;
    const THRESHOLD: u8 = 12;
    let mut counts = BoundCounts::default();
    for position in random_positions(seed).take(POSITIONS) {
        lab.check()?;
        counts.add(korf, &korf.node(&position), None, THRESHOLD);
    }
    Ok(MetBounds {
        seed,
        positions: POSITIONS,
        threshold: THRESHOLD,
        generated: counts.generated.iter().sum(),
        generated_mean: mean_of_distribution(&counts.generated),
        expanded: counts.expanded.iter().sum(),
        expanded_mean: mean_of_distribution(&counts.expanded),
    })
}

/// Returns the number of nodes of a complete iteration predicted from the distributions of its
/// databases.
fn predicted(distributions: &[&DistanceCounts], threshold: u8) -> f64 {
    let sequences = sequence_counts(usize::from(threshold), Metric::Htm);
    let share = |v: usize| share_within(distributions, v);
    (0..usize::from(threshold))
        .map(|depth| sequences[depth + 1] as f64 * share(usize::from(threshold) - depth))
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
    let largest = distributions
        .iter()
        .map(|counts| counts.len())
        .max()
        .unwrap_or(0);
    (0..largest)
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
) -> Result<DistanceCounts, LabError> {
    let seeds = positions.div_ceil(DRAWN_TOGETHER);
    let done = AtomicU64::new(0);
    let draw = |seed| -> Result<[u64; 16], LabError> {
        lab.check()?;
        let mut counts = [0; 16];
        for position in drawn(seed).take(DRAWN_TOGETHER as usize) {
            counts[usize::from(databases.values(&position).max().unwrap_or(0))] += 1;
        }
        lab.step(
            "drawing random positions",
            done.fetch_add(1, Relaxed) + 1,
            seeds,
        );
        Ok(counts)
    };
    let add = |a: [u64; 16], b: [u64; 16]| Ok(std::array::from_fn(|value| a[value] + b[value]));
    Ok(lab
        .control
        .in_pool(|| {
            (0..seeds)
                .into_par_iter()
                .map(draw)
                .try_reduce(|| [0; 16], add)
        })??
        .to_vec())
}

/// The figures of `cosette-lab korf databases`.
#[derive(Serialize)]
struct DatabasesRecord {
    six: SetFigures,
    /// The mean of the maximum over random walks of 100 moves, as the paper draws its positions.
    walked: f64,
    /// The sets of seven edges, in the full run.
    seven: Option<SetFigures>,
}

/// A corner database and two sets of edges, and the maximum of the three.
#[derive(Serialize)]
struct SetFigures {
    databases: Vec<DatabaseFigures>,
    /// The mean of the maximum of the first two and of all, if they were independent.
    independent_two: f64,
    independent: f64,
    /// The mean of the maximum over random positions.
    sampled: f64,
}

/// The distribution of one database.
#[derive(Serialize)]
struct DatabaseFigures {
    cubies: String,
    entries: u64,
    mean: f64,
    counts: DistanceCounts,
}

/// Computes the distribution of each database, their means, and the mean of the maximum: under
/// independence and over ten million random positions. The full run adds the sets of seven edges.
pub fn databases(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    const WALKS: u64 = 1_000_000;
    let six = Korf::new(lab, &SIX)?;
    let walked = |seed| walks(seed).map(|walk| Cube::from_moves(&walk));
    let record = DatabasesRecord {
        six: set_figures(lab, &six)?,
        walked: mean_of_distribution(&sampled(lab, &six, WALKS, walked)?),
        seven: match request.effort {
            RunSize::Quick => None,
            RunSize::Full => Some(set_figures(lab, &Korf::new(lab, &SEVEN)?)?),
        },
    };
    Ok(Record::computed(request, &record))
}

fn set_figures(lab: &Lab<'_>, korf: &Korf) -> Result<SetFigures, LabError> {
    const POSITIONS: u64 = 10_000_000;
    let counts: Vec<&DistanceCounts> = korf.counts().collect();
    let names = std::iter::once("corners".to_owned())
        .chain(korf.sets().map(|edges| format!("edges {edges}")));
    let databases = names.zip(&counts).map(|(cubies, counts)| DatabaseFigures {
        cubies,
        entries: counts.iter().sum(),
        mean: mean_of_distribution(counts),
        counts: counts.to_vec(),
    });
    Ok(SetFigures {
        databases: databases.collect(),
        independent_two: mean_of_maximum(&counts[..2]),
        independent: mean_of_maximum(&counts),
        sampled: mean_of_distribution(&sampled(lab, korf, POSITIONS, random_positions)?),
    })
}

/// The figures of `cosette-lab korf law`.
#[derive(Serialize)]
struct LawRecord {
    positions: usize,
    seed: u64,
    korf: Vec<LawRow>,
    fast: Vec<LawRow>,
}

/// A set of tables, and the cost of an iteration with it.
#[derive(Serialize)]
struct LawRow {
    name: String,
    bytes: u64,
    /// Number of entries, m.
    entries: u64,
    /// The mean bound of random positions, e.
    mean: f64,
    /// The depth of the iterations that are compared, d.
    depth: u8,
    /// Number of nodes of a search without a bound at that depth, N(d).
    sequences: f64,
    /// The mean number of nodes of such an iteration, t.
    nodes: f64,
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
    let korf = sets
        .into_iter()
        .map(|sets| korf_row(lab, sets, &positions, depth));
    let fits = |id: &TableId| id.metric == Metric::Htm && id.size.bytes() <= largest;
    let on_disk = lab
        .folder
        .list()
        .into_iter()
        .filter(|(_, state)| matches!(state, TableFileState::Complete))
        .map(|(id, _)| id);
    let fast = on_disk
        .filter(fits)
        .map(|id| fast_row(lab, id, &positions, depth + DEEPER));
    let record = LawRecord {
        positions: SEARCHED,
        seed,
        korf: korf.collect::<Result<_, LabError>>()?,
        fast: fast.collect::<Result<_, LabError>>()?,
    };
    Ok(Record::computed(request, &record))
}

/// Returns the number of canonical sequences of this length.
fn sequences(depth: u8) -> f64 {
    sequence_counts(depth.into(), Metric::Htm)[usize::from(depth)] as f64
}

/// Measures the corners with these sets of edges.
fn korf_row(
    lab: &Lab<'_>,
    sets: &[EdgeSet],
    positions: &[Cube],
    depth: u8,
) -> Result<LawRow, LabError> {
    let korf = Korf::new(lab, sets)?;
    let nodes = korf.mean_nodes(lab, positions, depth)?;
    Ok(LawRow {
        name: korf.tables(),
        bytes: korf.bytes(),
        entries: korf.entries() as u64,
        mean: mean_of_distribution(&sampled(lab, &korf, FOR_THE_MEAN, random_positions)?),
        depth,
        sequences: sequences(depth),
        nodes,
    })
}

/// Measures a table of the fast engine.
fn fast_row(lab: &Lab<'_>, id: TableId, positions: &[Cube], depth: u8) -> Result<LawRow, LabError> {
    let table = Arc::new(lab.folder.load(id, &lab.control)?);
    let solver = Solver::new(table.clone(), lab.control.threads());
    let options = Options {
        max_length: Some(depth),
        ..Options::default()
    };
    let mut nodes = 0;
    for position in positions {
        let report = solver
            .search(position)
            .options(options)
            .control(&lab.control)
            .run();
        nodes += report
            .iterations
            .iter()
            .filter(|done| done.length == depth)
            .map(|done| done.nodes)
            .sum::<u64>();
        lab.check()?;
    }
    let bounds = random_positions(0)
        .take(FOR_THE_MEAN as usize)
        .map(|position| u64::from(table.bound(&position)));
    Ok(LawRow {
        name: id.to_string(),
        bytes: id.size.bytes(),
        entries: (cosette::coord::CornerClasses::COUNT * id.size.entries_per_class()) as u64,
        mean: bounds.sum::<u64>() as f64 / FOR_THE_MEAN as f64,
        depth,
        sequences: sequences(depth),
        nodes: nodes as f64 / positions.len() as f64,
    })
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
