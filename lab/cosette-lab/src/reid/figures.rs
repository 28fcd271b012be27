//! The figures printed by Reid, those printed by Nargolkar for a similar program, and Reid's
//! invitation: distances to other subgroups as lower bounds.

use super::bound::{CosetBound, ModThreeBound};
use super::coset::{CosetClasses, Maps, TWISTS};
use super::table::{CosetTable, ENTRIES};
use super::{Reid, appendix_b, coset_tables, form, metric_name};
use crate::bound_table::{BoundTable, DistanceStorage};
use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions, Plot, RunSize};
use crate::ida::{Ida, IdaLimits, LowerBound};
use crate::korf::Korf;
use crate::lab::Lab;
use crate::packed::{FourBits, ModThree};
use crate::template::row;
use crate::thistlethwaite::GroupStage;
use cosette::Control;
use cosette::cube::{Cube, Face, Metric, Move, Symmetry, random_positions};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Published numbers of positions by distance in the half-turn metric.
pub const POSITIONS_HTM: [u64; 13] = [
    1, 4, 50, 592, 7156, 87236, 1043817, 12070278, 124946368, 821605960, 1199128738, 58202444, 476,
];
/// The positions by distance in the quarter-turn metric: Nargolkar 2006, appendix B.
pub const POSITIONS_QTM: [u64; 14] = [
    1, 4, 34, 312, 2772, 24996, 225949, 2017078, 17554890, 139132730, 758147361, 1182378518,
    117594403, 14072,
];
/// The classes by distance in the quarter-turn metric, printed there too.
pub const CLASSES_QTM: [u64; 14] = [
    1, 1, 3, 24, 185, 1633, 14708, 130032, 1124165, 8868078, 48182278, 75087495, 7498528, 1279,
];

/// Returns the distances of all cosets of ⟨U, D, F2, R2, B2, L2⟩, in both metrics, next to the
/// printed ones.
pub fn cosets(lab: &Lab<'_>, _request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let mut form = form("cosets");
    form.say("entries", ENTRIES);
    for (i, metric) in Metric::ALL.into_iter().enumerate() {
        lab.step("counting cosets", i as u64, 2);
        let distances = FourBits::new(lab.table(&CosetTable {
            metric,
            storage: DistanceStorage::FourBits,
        })?);
        let counted = census(&lab.control, |entry| distances.get(entry))?;
        let (positions, classes): (&[u64], &[u64]) = match metric {
            Metric::Htm => (&POSITIONS_HTM, &[]),
            Metric::Qtm => (&POSITIONS_QTM, &CLASSES_QTM),
        };
        let table = form.table(metric.name());
        for (distance, census) in counted.iter().enumerate() {
            let [p, c] = [positions, classes].map(|printed| printed.get(distance).copied());
            let ratio = |printed: Option<u64>, counted: u64| {
                printed.map(|printed| counted as f64 / printed as f64)
            };
            let CosetCount {
                positions,
                entries,
                orbits,
            } = *census;
            table.row(row![
                distance,
                p,
                positions,
                ratio(p, positions),
                c,
                entries,
                ratio(c, entries),
                orbits
            ]);
        }
        let sum = |count: fn(&CosetCount) -> u64| counted.iter().map(count).sum::<u64>();
        let sums = [
            sum(|census| census.positions),
            sum(|census| census.entries),
            sum(|census| census.orbits),
        ];
        let none = None::<u64>;
        table.row(row![
            "all",
            positions.iter().sum::<u64>(),
            sums[0],
            none,
            none,
            sums[1],
            none,
            sums[2]
        ]);
    }
    lab.step("counting cosets", 2, 2);
    Ok(form.experiment())
}

/// Number of cosets at a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

/// The mean of the largest of the three distances over ten million random positions.
pub fn mean(lab: &Lab<'_>, _request: &ExperimentOptions) -> Result<Experiment, LabError> {
    const PART: u64 = 50_000;
    const PARTS: u64 = 200;
    let mut form = form("mean");
    let mut moments_of_each = Vec::new();
    let title = "How often the bound of a random position has a value";
    let mut plot = Plot::new(
        "reid-mean",
        title,
        ["bound", "share of positions"],
        [false, false],
    );
    for metric in Metric::ALL {
        let reid = Reid::new(lab, metric)?;
        let done = AtomicU64::new(0);
        let part = |seed: u64| {
            let mut histogram: Histogram = Default::default();
            if lab.control.is_cancelled() {
                return histogram;
            }
            for position in random_positions(seed).take(PART as usize) {
                let [a, b, c] = reid.distances(&position);
                let largest = usize::from(a.max(b).max(c));
                histogram[0][largest] += 1;
                histogram[1][largest + usize::from(a == b && b == c && a > 0)] += 1;
            }
            lab.step(
                "bounds of random positions",
                done.fetch_add(1, Relaxed) + 1,
                PARTS,
            );
            histogram
        };
        let add = |mut a: Histogram, b: Histogram| {
            a.as_flattened_mut()
                .iter_mut()
                .zip(b.as_flattened())
                .for_each(|(a, b)| *a += b);
            a
        };
        let counted = lab.control.in_pool(|| {
            (1..=PARTS)
                .into_par_iter()
                .map(part)
                .reduce(Histogram::default, add)
        })?;
        lab.check()?;
        moments_of_each.extend(counted.map(|histogram| moments(&histogram)));
        let all = (PARTS * PART) as f64;
        let share = |(bound, &count): (usize, &u64)| {
            (count > 0).then_some((bound as f64, count as f64 / all))
        };
        plot = plot.series(
            metric_name(metric),
            counted[0].iter().enumerate().filter_map(share),
        );
    }
    let mut off = None;
    let mut moments = moments_of_each.into_iter();
    form.table("means").fill(|row| {
        let (mean, error) = moments.next().expect("there are two for each metric");
        off = off.or(Some((mean - row.number(2)) / error));
        row![mean, error, mean / row.number(2)]
    });
    form.say("positions", PARTS * PART)
        .say("parts", PARTS)
        .say("off", format!("{:.1}", off.unwrap_or_default()));
    Ok(form.experiment().plots([plot]))
}

/// The mean, and its standard error.
fn moments(histogram: &[u64]) -> (f64, f64) {
    let count: u64 = histogram.iter().sum();
    let sum_of = |value: &dyn Fn(f64) -> f64| -> f64 {
        histogram
            .iter()
            .enumerate()
            .map(|(bound, &count)| value(bound as f64) * count as f64)
            .sum()
    };
    let mean = sum_of(&|bound| bound) / count as f64;
    let variance = sum_of(&|bound| (bound - mean).powi(2)) / (count - 1) as f64;
    (mean, (variance / count as f64).sqrt())
}

/// Nodes a second of one thread, in both metrics, with all storages, and with one more for three
/// equal distances.
pub fn speed(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    /// The rate of Reid's program in 1997.
    const PAPER: f64 = 500_000.0;
    let more = u8::from(request.effort == RunSize::Full);
    let mut form = form("speed");
    for table in coset_tables() {
        let CosetTable { metric, storage } = table;
        let threshold = if metric == Metric::Htm { 14 } else { 16 } + more;
        let position = appendix_b();
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
            let bound = if raises_equal {
                "x, x, x → x + 1"
            } else {
                "maximum"
            };
            form.table("speed").row(row![
                metric_name(metric),
                storage.name(),
                bound,
                threshold,
                last.nodes,
                last.tests,
                PAPER,
                rate,
                rate / PAPER
            ]);
        }
    }
    Ok(form.experiment())
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

/// Tables of several subgroups: mean, bytes, nodes.
pub fn subgroups(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let (threshold, count) = match request.effort {
        RunSize::Quick => (9, 5),
        RunSize::Full => (11, 10),
    };
    let seed = request.seed_or(1);
    let positions: Vec<Cube> = random_positions(seed).take(count).collect();
    // The values that must be right for each: its cosets, its entries, the mean of its bound, and
    // nodes.
    let mut rows: Vec<(String, u64, u64, f64, f64)> = Vec::new();
    let subgroups = GroupStage::subgroups();
    let count_of_rows = 2 * subgroups.len() as u64;
    for (name, mut stage) in subgroups {
        lab.step("distances to subgroups", rows.len() as u64, count_of_rows);
        for (axes, along) in [(1, "one axis"), (3, "three axes")] {
            let bound = SubgroupDistances::new(stage, axes);
            let [mean, nodes] = measured(lab, &bound, threshold, &positions)?;
            rows.push((
                format!("{name}, {along}"),
                bound.stage.cosets(),
                bound.stage.cosets(),
                mean,
                nodes,
            ));
            stage = bound.stage;
        }
    }
    let [mean, nodes] = measured(lab, &Korf::new(lab, &[])?, threshold, &positions)?;
    rows.push((
        "corners solved (Korf)".into(),
        88_179_840,
        88_179_840,
        mean,
        nodes,
    ));
    let reid = Reid::new(lab, Metric::Htm)?;
    let [mean, nodes] = measured(lab, reid.ida().bound, threshold, &positions)?;
    rows.push((
        "Reid's, three axes".into(),
        2_217_093_120,
        140_908_410,
        mean,
        nodes,
    ));
    rows.sort_by(|a, b| b.4.total_cmp(&a.4));
    let products = rows
        .iter()
        .filter(|row| !row.0.ends_with("three axes"))
        .map(|row| row.4 * row.2.div_ceil(2) as f64);
    let (least, most) = products.fold((f64::INFINITY, 0.0), |(least, most), each| {
        (each.min(least), each.max(most))
    });
    let mut form = form("subgroups");
    form.say("spread", format!("{:.1}", most / least))
        .say("threshold", threshold)
        .say("count", count)
        .say("seed", seed)
        .say("sample", SAMPLE);
    for (name, cosets, entries, mean, nodes) in rows {
        let bytes = entries.div_ceil(2);
        form.table("subgroups")
            .row(row![name, cosets, bytes, mean, nodes, nodes * bytes as f64]);
    }
    Ok(form.experiment())
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
