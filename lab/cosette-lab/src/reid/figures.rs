//! The figures printed by Reid, those printed by Nargolkar for a similar program, and Reid's
//! invitation: distances to other subgroups as lower bounds.

use super::bound::{CosetBound, ModThreeBound};
use super::coset::{CosetClasses, Maps, TWISTS};
use super::table::{CosetTable, ENTRIES};
use super::{Reid, appendix_b, coset_tables};
use crate::bound_table::{BoundTable, DistanceStorage};
use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::{Ida, IdaLimits, LowerBound};
use crate::korf::Korf;
use crate::lab::Lab;
use crate::packed::{FourBits, ModThree};
use crate::record::Record;
use crate::thistlethwaite::GroupStage;
use cosette::Control;
use cosette::cube::{Cube, Face, Metric, Move, Symmetry, random_positions};
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The figures of `cosette-lab reid cosets`, by distance.
#[derive(Serialize)]
struct CosetsRecord {
    /// Entries of the table.
    entries: usize,
    htm: Vec<CosetCount>,
    qtm: Vec<CosetCount>,
}

/// Counts the cosets of ⟨U, D, F2, R2, B2, L2⟩ by distance, in both metrics.
pub fn cosets(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let count = |metric| {
        lab.step("counting cosets", 0, 1);
        let table = CosetTable {
            metric,
            storage: DistanceStorage::FourBits,
        };
        let distances = FourBits::new(lab.table(&table)?);
        census(&lab.control, |entry| distances.get(entry))
    };
    let record = CosetsRecord {
        entries: ENTRIES,
        htm: count(Metric::Htm)?,
        qtm: count(Metric::Qtm)?,
    };
    Ok(Record::computed(request, &record))
}

/// Number of cosets at a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CosetCount {
    /// Cosets.
    pub positions: u64,
    /// Entries of the table: classes of slots and flips with a twist.
    pub entries: u64,
    /// Orbits of cosets under the sixteen symmetries.
    pub orbits: u64,
}

const DISTANCES: usize = 16;

/// Counts the cosets by distance, from 0 on; `distance` returns that of an entry.
pub fn census(
    control: &Control<'_>,
    distance: impl Fn(usize) -> u8 + Sync,
) -> Result<Vec<CosetCount>, LabError> {
    let maps = Maps::get();
    let classes = CosetClasses::get();
    let of_row = |class: usize| {
        let mut row = [CosetCount::default(); DISTANCES];
        if control.is_cancelled() {
            return row;
        }
        let size = classes.size(class);
        let stabilizer: Vec<&[u16]> = classes
            .stabilizer(class)
            .map(|s| &maps.twists_conjugated[s.index()][..])
            .collect();
        for twist in 0..TWISTS {
            let count = &mut row[usize::from(distance(class * TWISTS + twist))];
            count.positions += size;
            count.entries += 1;
            count.orbits += u64::from(
                stabilizer
                    .iter()
                    .all(|conjugated| usize::from(conjugated[twist]) >= twist),
            );
        }
        row
    };
    let sum = |mut sum: [CosetCount; DISTANCES], row: [CosetCount; DISTANCES]| {
        for (sum, row) in sum.iter_mut().zip(row) {
            sum.positions += row.positions;
            sum.entries += row.entries;
            sum.orbits += row.orbits;
        }
        sum
    };
    let empty = || [CosetCount::default(); DISTANCES];
    let counted = control.in_pool(|| {
        (0..CosetClasses::COUNT)
            .into_par_iter()
            .map(of_row)
            .reduce(empty, sum)
    })?;
    if control.is_cancelled() {
        return Err(LabError::Cancelled);
    }
    Ok(counted
        .into_iter()
        .filter(|count| count.positions > 0)
        .collect())
}

/// Number of positions with each bound, without and with one more for three equal distances.
type Histogram = [[u64; 16]; 2];

/// The figures of `cosette-lab reid mean`.
#[derive(Serialize)]
struct MeanRecord {
    /// Number of random positions.
    positions: u64,
    means: Vec<BoundMean>,
}

/// The mean of a bound.
#[derive(Serialize)]
struct BoundMean {
    metric: String,
    /// `true` if three equal distances count as one more.
    raises_equal: bool,
    mean: f64,
    /// The standard error of the mean.
    error: f64,
    /// The share of the positions with each bound.
    shares: Vec<BoundShare>,
}

/// The share of the positions with a bound.
#[derive(Serialize)]
struct BoundShare {
    bound: usize,
    share: f64,
}

const PART: u64 = 50_000;
/// Number of seeds, from 1 on, of [`PART`] positions each.
const PARTS: u64 = 200;

/// The mean of the largest of the three distances over ten million random positions.
pub fn mean(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let mut means = Vec::new();
    for metric in Metric::ALL {
        let counted = histogram(lab, &Reid::new(lab, metric)?)?;
        for (raises_equal, counts) in [false, true].into_iter().zip(&counted) {
            means.push(BoundMean::new(metric, raises_equal, counts));
        }
    }
    let positions = PARTS * PART;
    Ok(Record::computed(request, &MeanRecord { positions, means }))
}

/// Counts the bounds of random positions.
fn histogram(lab: &Lab<'_>, reid: &Reid) -> Result<Histogram, LabError> {
    let done = AtomicU64::new(0);
    let part = |seed: u64| {
        let mut histogram = Histogram::default();
        if lab.control.is_cancelled() {
            return histogram;
        }
        for position in random_positions(seed).take(PART as usize) {
            let [a, b, c] = reid.distances(&position);
            let largest = usize::from(a.max(b).max(c));
            histogram[0][largest] += 1;
            histogram[1][largest + usize::from(a == b && b == c && a > 0)] += 1;
        }
        let done = done.fetch_add(1, Relaxed) + 1;
        lab.step("bounds of random positions", done, PARTS);
        histogram
    };
    let add = |mut sum: Histogram, part: Histogram| {
        for (sum, part) in sum.as_flattened_mut().iter_mut().zip(part.as_flattened()) {
            *sum += part;
        }
        sum
    };
    let counted = lab.control.in_pool(|| {
        (1..=PARTS)
            .into_par_iter()
            .map(part)
            .reduce(Histogram::default, add)
    })?;
    lab.check()?;
    Ok(counted)
}

impl BoundMean {
    fn new(metric: Metric, raises_equal: bool, counts: &[u64]) -> BoundMean {
        let count = counts.iter().sum::<u64>() as f64;
        let sum_of = |value: &dyn Fn(f64) -> f64| -> f64 {
            let counts = counts.iter().enumerate();
            counts
                .map(|(bound, &count)| value(bound as f64) * count as f64)
                .sum()
        };
        let mean = sum_of(&|bound| bound) / count;
        let variance = sum_of(&|bound| (bound - mean).powi(2)) / (count - 1.0);
        let shares = counts
            .iter()
            .enumerate()
            .filter(|(_, at_bound)| **at_bound > 0)
            .map(|(bound, &at_bound)| BoundShare {
                bound,
                share: at_bound as f64 / count,
            });
        BoundMean {
            metric: metric.to_string(),
            raises_equal,
            mean,
            error: (variance / count).sqrt(),
            shares: shares.collect(),
        }
    }
}

/// The figures of one search of `cosette-lab reid speed`.
#[derive(Serialize)]
struct ReidSpeed {
    metric: String,
    storage: &'static str,
    /// `true` if three equal distances count as one more.
    raises_equal: bool,
    threshold: u8,
    nodes: u64,
    tests: u64,
    /// Nodes a second of processor time.
    rate: f64,
}

/// Nodes a second of one thread, in both metrics, with all storages, and with one more for three
/// equal distances.
pub fn speed(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let more = u8::from(request.effort == RunSize::Full);
    let position = appendix_b();
    let mut rows = Vec::new();
    for table in coset_tables() {
        let CosetTable { metric, storage } = table;
        let threshold = more
            + match metric {
                Metric::Htm => 14,
                Metric::Qtm => 16,
            };
        for raises_equal in [false, true] {
            let packed = lab.table(&table)?;
            let (last, rate) = match storage {
                DistanceStorage::ModThree => {
                    let bound = &ModThreeBound::new(ModThree::new(packed), metric, raises_equal);
                    Ida { bound, metric }.speed(&position, threshold, lab)?
                }
                _ => {
                    let table = BoundTable::new(storage, packed);
                    let bound = &CosetBound::new(table, raises_equal);
                    Ida { bound, metric }.speed(&position, threshold, lab)?
                }
            };
            rows.push(ReidSpeed {
                metric: metric.to_string(),
                storage: storage.name(),
                raises_equal,
                threshold,
                nodes: last.nodes,
                tests: last.tests,
                rate,
            });
        }
    }
    Ok(Record::computed(request, &rows))
}

/// The distances to one subgroup, along one axis or along all three.
struct SubgroupDistances {
    stage: GroupStage,
    /// Symmetries that carry each axis to that of U and D, or only the identity.
    views: Vec<Symmetry>,
}

impl SubgroupDistances {
    fn new(stage: GroupStage, axes: usize) -> SubgroupDistances {
        let carries = |face: Face| {
            Symmetry::all()
                .find(move |s| s.face(face) == Face::U)
                .expect("a symmetry carries each face to U")
        };
        let views = [Face::U, Face::R, Face::F]
            .into_iter()
            .take(axes)
            .map(carries)
            .collect();
        SubgroupDistances { stage, views }
    }
}

impl LowerBound for SubgroupDistances {
    type Node = Cube;

    fn node(&self, position: &Cube) -> Cube {
        *position
    }

    fn turned(&self, node: &Cube, m: Move) -> Cube {
        node.apply(m)
    }

    fn bound(&self, node: &Cube, _: u8, probes: &mut u64) -> u8 {
        *probes += self.views.len() as u64;
        let distance = |&s: &Symmetry| {
            self.stage
                .distance(&node.conjugate(s))
                .expect("all moves lead to all cosets")
        };
        self.views.iter().map(distance).max().unwrap_or(0)
    }
}

/// Number of random positions for the mean of a bound.
const SAMPLE: usize = 20_000;

/// The figures of `cosette-lab reid subgroups`.
#[derive(Serialize)]
struct SubgroupsRecord {
    threshold: u8,
    /// Number of positions searched, from the seed.
    positions: usize,
    seed: u64,
    /// Number of positions of each mean.
    sample: usize,
    /// From the most nodes to the fewest.
    subgroups: Vec<SubgroupBound>,
}

/// A bound by the distances to a subgroup.
#[derive(Serialize)]
struct SubgroupBound {
    /// Pieces, or their properties, that are right in the subgroup.
    name: String,
    axes: usize,
    cosets: u64,
    entries: u64,
    mean: f64,
    nodes: f64,
}

/// Tables of several subgroups: mean, entries, nodes.
pub fn subgroups(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let (threshold, count) = match request.effort {
        RunSize::Quick => (9, 5),
        RunSize::Full => (11, 10),
    };
    let seed = request.seed_or(1);
    let positions: Vec<Cube> = random_positions(seed).take(count).collect();
    let mut subgroups: Vec<SubgroupBound> = Vec::new();
    let mut add = |name: &str, axes, [cosets, entries]: [u64; 2], [mean, nodes]: [f64; 2]| {
        subgroups.push(SubgroupBound {
            name: name.to_owned(),
            axes,
            cosets,
            entries,
            mean,
            nodes,
        });
    };
    for (name, mut stage) in GroupStage::subgroups() {
        lab.step("distances to subgroups", 0, 1);
        for axes in [1, 3] {
            let bound = SubgroupDistances::new(stage, axes);
            let sizes = [bound.stage.cosets(); 2];
            let found = measured(lab, &bound, threshold, &positions)?;
            add(name, axes, sizes, found);
            stage = bound.stage;
        }
    }
    let found = measured(lab, &Korf::new(lab, &[])?, threshold, &positions)?;
    add("corners solved (Korf)", 1, [88_179_840; 2], found);
    let reid = Reid::new(lab, Metric::Htm)?;
    let found = measured(lab, reid.ida().bound, threshold, &positions)?;
    add("Reid's", 3, [2_217_093_120, ENTRIES as u64], found);
    subgroups.sort_by(|a, b| b.nodes.total_cmp(&a.nodes));
    let record = SubgroupsRecord {
        threshold,
        positions: count,
        seed,
        sample: SAMPLE,
        subgroups,
    };
    Ok(Record::computed(request, &record))
}

/// The mean of a bound, and the mean nodes of complete iterations.
fn measured<B: LowerBound>(
    lab: &Lab<'_>,
    bound: &B,
    threshold: u8,
    positions: &[Cube],
) -> Result<[f64; 2], LabError> {
    let of = |position: &Cube| f64::from(bound.bound(&bound.node(position), u8::MAX, &mut 0));
    let mean = random_positions(1)
        .take(SAMPLE)
        .map(|position| of(&position))
        .sum::<f64>()
        / SAMPLE as f64;
    let ida = Ida {
        bound,
        metric: Metric::Htm,
    };
    let mut nodes = 0.0;
    for position in positions {
        let found = ida.search(position, &IdaLimits::only(threshold), &lab.control);
        nodes += found
            .iterations
            .first()
            .map_or(0, |iteration| iteration.nodes) as f64;
        lab.check()?;
    }
    Ok([mean, nodes / positions.len() as f64])
}
