//! The figures in the paper's text, checked one by one, and Korf's law.
//!
//! # Time times memory is the size of the problem: t ≈ n/m
//!
//! The paper argues so. A bound of expected value e lets an iteration to depth d generate about as
//! many nodes as a search without a bound to depth d − e: t ≈ bᵈ⁻ᵉ, with b the branching factor. A
//! table with m entries reaches as deep as m nodes go: bᵉ ≈ m. So t ≈ bᵈ/m. For a random instance
//! to be solved, d is the depth to which there are as many nodes as positions, n, so t ≈ n/m.
//!
//! Here d is fixed and no random position is solved so early, so N(d), the number of canonical
//! sequences of length d, replaces n.

use super::edges::{EdgeSet, SEVEN, SIX};
use super::instances::{IterationMean, NODES_IN_THE_PAPER, measured_means, walks};
use super::{Korf, form};
use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions, Plot, RunSize};
use crate::ida::Ida;
use crate::lab::Lab;
use crate::manhattan::branching_factor;
use crate::packed::DistanceCounts;
use crate::stored_results::StoredResults;
use crate::template::row;
use cosette::cube::{Cube, Metric, random_positions, sequence_counts};
use cosette::search::{Options, Solver};
use cosette::table::{TableFileState, TableId};
use cosette_app::engine::Engine;
use cosette_app::units::mean_of_distribution;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of nodes a second that the paper's program generated.
const RATE: f64 = 700_000.0;

/// Compares each figure of the text with its derivation.
pub fn claims(_: &Lab<'_>, _: &ExperimentOptions) -> Result<Experiment, LabError> {
    const DEPTH_16: f64 = 9.5e9;
    const DEPTH_17: f64 = 1.22e11;
    const HOUR: f64 = 3600.0;
    const DAY: f64 = 24.0 * HOUR;
    const ENTRIES: f64 = 173_335_680.0;
    const MEBIBYTE: f64 = 1_048_576.0;
    const POSITIONS: f64 = 43_252_003_274_489_856_000.0;
    let b = branching_factor();
    let mean = NODES_IN_THE_PAPER.iter().sum::<u64>() as f64 / NODES_IN_THE_PAPER.len() as f64;
    let computed = [
        100.0 / (b - 1.0),
        DEPTH_16 / RATE / HOUR,
        DEPTH_17 / RATE / DAY,
        b * DEPTH_17 / RATE / DAY / 7.0,
        sequence_counts(8, Metric::Htm)[8] as f64,
        88_179_840f64.ln() / b.ln(),
        POSITIONS / ENTRIES,
        mean,
        mean / (POSITIONS / ENTRIES),
        ENTRIES / 2.0 / MEBIBYTE,
        510_935_040.0 / 2.0 / MEBIBYTE,
        RATE / 100.0,
        500.0 / 0.5,
        RATE / 10_000.0,
        (3 * 2 * 2).into(),
    ];
    let mut form = form("claims");
    let mut computed = computed.into_iter();
    form.table("claims").fill(|row| {
        let value = computed.next().expect("there is one for each row");
        row![row.as_in(1, value), value / row.number(1)]
    });
    Ok(form.experiment())
}

/// Nodes a second of one thread, with databases of four bits an entry and with move sets.
pub fn speed(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let threshold = match request.effort {
        RunSize::Quick => 14,
        RunSize::Full => 15,
    };
    let seed = request.seed_or(1);
    let position = random_positions(seed).next().expect("they have no end");
    let mut form = form("speed");
    form.say("seed", seed);
    for storage in [DistanceStorage::FourBits, DistanceStorage::MoveSets] {
        let korf = &Korf::with_storage(lab, &SIX, storage)?;
        let ida = Ida {
            bound: korf,
            metric: Metric::Htm,
        };
        let (iteration, rate) = ida.speed(&position, threshold, lab)?;
        form.table("speed").row(row![
            "8+6+6",
            storage.name(),
            korf.bytes(),
            threshold,
            iteration.nodes,
            iteration.tests,
            iteration.probes as f64 / iteration.nodes as f64,
            RATE,
            rate,
            rate / RATE
        ]);
    }
    Ok(form.experiment())
}

/// Compares the number of nodes predicted by the distribution of the bound with the measured one
/// and the paper's. If no results are stored, some positions are searched.
pub fn formula(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let korf = Korf::new(lab, &SIX)?;
    let counts: Vec<&DistanceCounts> = korf.counts().collect();
    let (kept, measured) = match measured_means(request)? {
        Some(measured) => measured,
        None => {
            let positions: Vec<Cube> = random_positions(request.seed_or(1)).take(10).collect();
            let mean = |threshold| {
                let nodes = korf.mean_nodes(lab, &positions, threshold)?;
                Ok(IterationMean {
                    threshold,
                    positions: positions.len(),
                    nodes,
                    growth: f64::NAN,
                    so_far: [f64::NAN; 3],
                })
            };
            (
                StoredResults::default(),
                (10..=13).map(mean).collect::<Result<_, LabError>>()?,
            )
        }
    };
    let mut iterations = Vec::new();
    let mut searches = Vec::new();
    let mut printed = Vec::new();
    let mut form = form("formula");
    form.say("mean", format!("{:.3}", mean_of_maximum(&counts)))
        .say_kept(&kept);
    form.table("nodes").fill(|row| {
        let threshold = row.count(0) as u8;
        let nodes = predicted(&counts, threshold);
        let sum: f64 = (0..=threshold)
            .map(|threshold| predicted(&counts, threshold))
            .sum();
        let found = measured.iter().find(|of| of.threshold == threshold);
        let [found, so_far] = [found.map(|of| of.nodes), found.map(|of| of.so_far[1])];
        for (points, to_formula) in [
            (&mut iterations, found.map(|found| found / nodes)),
            (&mut searches, so_far.map(|so_far| so_far / sum)),
            (&mut printed, Some(row.number(7) / sum)),
        ] {
            points.extend(
                to_formula
                    .filter(|ratio| ratio.is_finite())
                    .map(|ratio| (f64::from(threshold), ratio)),
            );
        }
        let ratio = |found: Option<f64>, nodes: f64| found.map(|found| found / nodes);
        row![
            nodes,
            found,
            ratio(found, nodes),
            sum,
            so_far,
            ratio(so_far, sum),
            row.number(7) / sum
        ]
    });
    let title = "Nodes of complete searches, to those of the formula";
    let plot = Plot::new(
        "korf-formula",
        title,
        ["threshold", "ratio"],
        [false, false],
    )
    .series("one iteration", iterations)
    .series("all thresholds so far", searches)
    .printed("paper, all thresholds so far", printed);
    Ok(form.experiment().plots([plot]))
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

/// Computes the distribution of each database, their means, and the mean of the maximum: under
/// independence and over ten million random positions. The full run adds the sets of seven edges.
pub fn databases(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    const POSITIONS: u64 = 10_000_000;
    const WALKS: u64 = 1_000_000;
    let mut form = form("databases");
    let six = Korf::new(lab, &SIX)?;
    let counts: Vec<&DistanceCounts> = six.counts().collect();
    for distance in 0..counts.iter().map(|counts| counts.len()).max().unwrap_or(0) {
        let cells = counts
            .iter()
            .map(|counts| counts.get(distance).copied().into());
        form.table("distances")
            .row(row![distance].into_iter().chain(cells));
    }
    let entries = |counts: &[&DistanceCounts]| {
        counts
            .iter()
            .map(|counts| counts.iter().sum::<u64>())
            .sum::<u64>()
    };
    let figures = |databases: &Korf| -> Result<_, LabError> {
        let counts: Vec<&DistanceCounts> = databases.counts().collect();
        let [first, second, third] =
            [0, 1, 2].map(|i| (entries(&counts[i..=i]), mean_of_distribution(counts[i])));
        let of_two = (entries(&counts[..2]), mean_of_maximum(&counts[..2]));
        let of_three = (entries(&counts), mean_of_maximum(&counts));
        Ok([
            first,
            second,
            third,
            of_two,
            of_three,
            (
                of_three.0,
                mean_of_distribution(&sampled(lab, databases, POSITIONS, random_positions)?),
            ),
        ])
    };
    let walked = |seed| walks(seed).map(|walk| Cube::from_moves(&walk));
    let of_walks = (
        six.entries() as u64,
        mean_of_distribution(&sampled(lab, &six, WALKS, walked)?),
    );
    let mut of_six = figures(&six)?.into_iter().chain([of_walks]);
    form.table("means").fill(|row| {
        let (entries, mean) = of_six.next().expect("there is one for each row");
        row![entries, entries.div_ceil(2), mean, mean / row.number(3)]
    });
    if request.effort == RunSize::Full {
        let [_, upper, lower, _, independent, sampled] = figures(&Korf::new(lab, &SEVEN)?)?;
        for (name, (entries, mean)) in [
            ("edges UR UF UL UB FR FL BR", upper),
            ("edges DR DF DL DB BR BL FR", lower),
            ("maximum with these, independent", independent),
            ("maximum with these, ten million positions", sampled),
        ] {
            form.table("means").row(row![
                name,
                entries,
                entries.div_ceil(2),
                None::<f64>,
                mean,
                None::<f64>
            ]);
        }
    }
    Ok(form.experiment())
}

/// A set of tables, and the cost of an iteration with it.
struct LawRow {
    name: String,
    bytes: u64,
    /// Number of entries, m.
    entries: u64,
    /// The mean bound of random positions, e.
    mean: f64,
    /// The depth of the iterations that are compared, d.
    depth: u8,
    /// The mean number of nodes of such an iteration, t.
    nodes: f64,
}

impl LawRow {
    /// Returns the number of nodes of a search without a bound at that depth, N(d).
    fn sequences(&self) -> f64 {
        sequence_counts(self.depth.into(), Metric::Htm)[usize::from(self.depth)] as f64
    }
}

/// Additional depth at which the fast engine is compared, because its iterations are smaller.
const DEEPER: u8 = 3;
/// Number of random positions searched for the law.
const SEARCHED: usize = 20;
/// Number of random positions for the mean bound.
const FOR_THE_MEAN: u64 = 100_000;

/// The law for Korf's sets of tables, and for the fast engine's tables on disk: up to 300 MB in the
/// quick run, up to 2 GB in the full one.
pub fn law(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let (depth, largest) = match request.effort {
        RunSize::Quick => (12, 300_000_000),
        RunSize::Full => (14, 2_100_000_000),
    };
    let seed = request.seed_or(1985);
    let positions: Vec<Cube> = random_positions(seed).take(SEARCHED).collect();
    let sets: [&[EdgeSet]; 3] = [&[], &SIX, &SEVEN];
    let korfs = sets
        .into_iter()
        .map(|sets| row_of(lab, sets, &positions, depth));
    let korfs: Vec<LawRow> = korfs.collect::<Result<_, LabError>>()?;
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
    let fast: Vec<LawRow> = fast.collect::<Result<_, LabError>>()?;

    let mut form = form("law");
    form.say("positions", SEARCHED).say("seed", seed);
    for (table, rows) in [("korf", &korfs), ("fast", &fast)] {
        for row in rows {
            let predicted = row.sequences() / row.entries as f64;
            let LawRow {
                name,
                bytes,
                entries,
                mean,
                depth,
                nodes,
            } = row;
            let fewer = row.sequences() / nodes;
            let ratio = nodes / predicted;
            form.table(table).row(row![
                name.as_str(),
                *entries,
                *bytes,
                *mean,
                *depth,
                *nodes,
                predicted,
                ratio,
                fewer
            ]);
        }
    }
    let points = |rows: &[LawRow]| -> Vec<(f64, f64)> {
        rows.iter()
            .map(|row| (row.entries as f64, row.nodes / row.sequences()))
            .collect()
    };
    let mut law: Vec<f64> = korfs
        .iter()
        .chain(&fast)
        .map(|row| row.entries as f64)
        .collect();
    law.sort_by(f64::total_cmp);
    let title = "The share of all sequences that an iteration generates";
    let mut plot = Plot::new("korf-law", title, ["entries m", "t/N(d)"], [true, true])
        .series("1/m", law.into_iter().map(|m| (m, 1.0 / m)))
        .series("Korf's databases: nodes generated", points(&korfs))
        .series("the fast engine: nodes expanded", points(&fast));
    plot.series.retain(|series| !series.points.is_empty());
    Ok(form.experiment().plots([plot]))
}

/// The row of the corners and these sets of edges.
fn row_of(
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
        nodes,
    })
}

/// The row of a table of the fast engine.
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
