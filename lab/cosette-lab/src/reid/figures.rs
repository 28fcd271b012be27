//! The figures printed by Reid, those printed by Nargolkar for a similar program, and Reid's
//! invitation: distances to other subgroups as lower bounds.

use super::bound::{CosetBound, ModThreeBound};
use super::coset::{CosetClasses, Maps, TWISTS};
use super::table::{CosetTable, ENTRIES};
use super::{Reid, appendix_b, coset_tables};
use crate::bound_table::{BoundTable, DistanceStorage};
use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::{Ida, LowerBound};
use crate::korf::Korf;
use crate::lab::{Lab, tally};
use crate::packed::{FourBits, ModThree};
use crate::record::Record;
use crate::thistlethwaite::GroupStage;
use cosette::Control;
use cosette::cube::{Cube, Face, Metric, Move, Symmetry, random_positions};
use cosette_app::units::mean_of_distribution;
use serde::Serialize;
use serde_json::{Value, json};

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
    let record = json!({
        "entries": ENTRIES,
        "htm": count(Metric::Htm)?,
        "qtm": count(Metric::Qtm)?,
    });
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

/// Counts the cosets by distance, from 0 on; `distance` returns that of an entry.
pub fn census(
    control: &Control<'_>,
    distance: impl Fn(usize) -> u8 + Sync,
) -> Result<Vec<CosetCount>, LabError> {
    let maps = Maps::get();
    let classes = CosetClasses::get();
    let numbers = 0..CosetClasses::COUNT as u64;
    // The three counts of each distance, one after another.
    let counts: [u64; 48] = tally(control, "counting cosets", numbers, |class, counts| {
        let class = class as usize;
        let stabilizer = classes.stabilizer(class);
        let conjugates: Vec<_> = stabilizer.map(|s| &maps.twists_conjugated[s]).collect();
        for twist in 0..TWISTS {
            let is_first = |of: &&Vec<u16>| usize::from(of[twist]) >= twist;
            let first = 3 * usize::from(distance(class * TWISTS + twist));
            counts[first] += classes.size(class);
            counts[first + 1] += 1;
            counts[first + 2] += u64::from(conjugates.iter().all(is_first));
        }
    })?;
    let counts = counts.as_chunks::<3>().0.iter();
    let counts = counts.map(|&[positions, entries, orbits]| CosetCount {
        positions,
        entries,
        orbits,
    });
    Ok(counts.filter(|count| count.positions > 0).collect())
}

/// Number of positions drawn from each seed, and number of seeds, from 1 on.
const DRAWN_TOGETHER: u64 = 50_000;
const SEEDS: u64 = 200;

/// The mean of the largest of the three distances over ten million random positions, without and
/// with one more for three equal distances.
pub fn mean(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let mut means = Vec::new();
    for metric in Metric::ALL {
        let mut reid = Reid::new(lab, metric)?;
        for raises_equal in [false, true] {
            reid.raise_equal(raises_equal);
            let counts: [u64; 16] = tally(
                &lab.control,
                "bounds of random positions",
                1..SEEDS + 1,
                |seed, counts| {
                    for position in random_positions(seed).take(DRAWN_TOGETHER as usize) {
                        counts[usize::from(reid.bound(&position))] += 1;
                    }
                },
            )?;
            means.push(bound_mean(metric, raises_equal, &counts));
        }
    }
    let record = json!({"positions": SEEDS * DRAWN_TOGETHER, "means": means});
    Ok(Record::computed(request, &record))
}

/// Returns the mean of a bound, its standard error, and the share of the positions with each bound.
fn bound_mean(metric: Metric, raises_equal: bool, counts: &[u64]) -> Value {
    let count = counts.iter().sum::<u64>() as f64;
    let mean = mean_of_distribution(counts);
    let shares = || (0..).zip(counts.iter().map(|&at_bound| at_bound as f64 / count));
    let squares = shares().map(|(bound, share)| share * (f64::from(bound) - mean).powi(2));
    let variance = squares.sum::<f64>() * count / (count - 1.0);
    let shown = shares().filter(|&(_, share)| share > 0.0);
    json!({
        "metric": metric.to_string(),
        "raises_equal": raises_equal,
        "mean": mean,
        "error": (variance / count).sqrt(),
        "shares": shown
            .map(|(bound, share): (u8, f64)| json!({"bound": bound, "share": share}))
            .collect::<Vec<_>>(),
    })
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
            rows.push(json!({
                "metric": metric.to_string(),
                "storage": storage.name(),
                "raises_equal": raises_equal,
                "threshold": threshold,
                "nodes": last.nodes,
                "tests": last.tests,
                "rate": rate,
            }));
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

/// Tables of several subgroups: mean, entries, nodes.
pub fn subgroups(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let (threshold, count) = match request.effort {
        RunSize::Quick => (9, 5),
        RunSize::Full => (11, 10),
    };
    let seed = request.seed_or(1);
    let positions: Vec<Cube> = random_positions(seed).take(count).collect();
    let mut subgroups = Vec::new();
    let mut add = |name: &str, axes, [cosets, entries]: [u64; 2], [mean, nodes]: [f64; 2]| {
        let figures = json!({
            "name": name,
            "axes": axes,
            "cosets": cosets,
            "entries": entries,
            "mean": mean,
            "nodes": nodes,
        });
        subgroups.push((nodes, figures));
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
    // From the most nodes to the fewest.
    subgroups.sort_by(|a, b| b.0.total_cmp(&a.0));
    let figures = subgroups.into_iter().map(|(_, figures)| figures);
    let record = json!({
        "threshold": threshold,
        "positions": count,
        "seed": seed,
        "sample": SAMPLE,
        "subgroups": figures.collect::<Vec<_>>(),
    });
    Ok(Record::computed(request, &record))
}

/// The mean of a bound, and the mean nodes of complete iterations.
fn measured<B: LowerBound>(
    lab: &Lab<'_>,
    bound: &B,
    threshold: u8,
    positions: &[Cube],
) -> Result<[f64; 2], LabError> {
    let of = |position: Cube| f64::from(bound.bound(&bound.node(&position), u8::MAX, &mut 0));
    let sum: f64 = random_positions(1).take(SAMPLE).map(of).sum();
    let ida = Ida {
        bound,
        metric: Metric::Htm,
    };
    let nodes = ida.mean_nodes(positions, threshold, lab)?;
    Ok([sum / SAMPLE as f64, nodes])
}
