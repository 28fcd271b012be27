//! The figures that Reid printed, and those that Nargolkar printed of a similar program, reproduced.

use super::coset::{Classes, Maps, TWISTS};
use super::table::{CosetTable, ENTRIES, Storage};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request, Table};
use crate::ida::IdaLimits;
use crate::lab::Lab;
use crate::packed::FourBits;
use crate::reid::Reid;
use cosette::ThreadCount;
use cosette::cube::{Cube, Metric, Move, MoveSet, parse_reid, random_positions};
use cosette::search::SolutionCount;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

/// The position of Nargolkar 2006, appendix B.
pub fn appendix_b() -> Cube {
    parse_reid("RU UF LF LU RB RD LB DB FR BU FD DL RUF LDF LFU LUB RDB RBU LBD RFD").expect("twenty pieces")
}

/// The limits of a search for all solutions up to a length, threshold by threshold, without the symmetry of the
/// position.
pub(super) fn up_to(last: u8) -> IdaLimits {
    IdaLimits { solution_count: SolutionCount::All, last: Some(last), by_parity: false, ..IdaLimits::default() }
}

/// The positions after canonical random walks of `length` moves, all of which are `wanted`, from the seed.
pub(super) fn random_walks(seed: u64, length: usize, wanted: impl Fn(Move) -> bool) -> impl Iterator<Item = Cube> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let mut walk: Vec<Move> = Vec::new();
        while walk.len() < length {
            let next: Vec<Move> = MoveSet::after(walk.last().copied()).iter().filter(|&m| wanted(m)).collect();
            walk.push(next[rng.random_range(0..next.len())]);
        }
        Cube::from_moves(&walk)
    })
}

/// The name of a metric in full.
pub(super) fn metric_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Htm => "half-turn metric",
        Metric::Qtm => "quarter-turn metric",
    }
}

/// The positions by distance in the half-turn metric, as the field knows them.
pub const POSITIONS_HTM: [u64; 13] =
    [1, 4, 50, 592, 7156, 87236, 1043817, 12070278, 124946368, 821605960, 1199128738, 58202444, 476];
/// The positions by distance in the quarter-turn metric: Nargolkar 2006, appendix B.
pub const POSITIONS_QTM: [u64; 14] =
    [1, 4, 34, 312, 2772, 24996, 225949, 2017078, 17554890, 139132730, 758147361, 1182378518, 117594403, 14072];
/// The first of the classes by distance in the quarter-turn metric, printed there too.
pub const CLASSES_QTM: [u64; 10] = [1, 1, 3, 24, 185, 1633, 14708, 130032, 1124165, 8868078];

/// The distances of all cosets of ⟨U, D, F2, R2, B2, L2⟩, in both metrics, beside the printed ones.
pub fn cosets(lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let mut tables = Vec::new();
    for (i, metric) in Metric::ALL.into_iter().enumerate() {
        lab.step("counting cosets", i as u64, 2);
        let counted = census(lab, &FourBits::new(lab.table(&CosetTable { metric, storage: Storage::Four })?))?;
        let (positions, classes): (&[u64], &[u64]) = match metric {
            Metric::Htm => (&POSITIONS_HTM, &[]),
            Metric::Qtm => (&POSITIONS_QTM, &CLASSES_QTM),
        };
        tables.push(table(metric, &counted, positions, classes));
    }
    lab.step("counting cosets", 2, 2);
    Ok(Experiment::new(
        "cosets",
        "Cosets of ⟨U, D, F2, R2, B2, L2⟩ by distance",
        "Reid 1997; Nargolkar 2006, appendix B",
    )
    .text(format!(
        "All 2,217,093,120 cosets, found by breadth-first search over {ENTRIES} entries: 64,430 classes of slots and \
         flips under the sixteen symmetries that keep the axis of U and D, times 2,187 twists. The printed classes are \
         these entries; orbits of cosets under the sixteen symmetries are fewer, since several twists of a class with \
         a stabilizer may belong to one orbit."
    ))
    .text(
        "Reid's e-mail prints no distances but the largest, 12. The thesis prints those of quarter turns, positions and classes. Those of \
         half turns are the ones known in the field since the searches that D. Winter and Reid made before, which the e-mail mentions. \
         Reid's search of them took under 11 minutes.",
    )
    .tables(tables))
}

fn table(metric: Metric, counted: &[Census], positions: &[u64], classes: &[u64]) -> Table {
    let mut table = Table::headed(
        metric_name(metric),
        match metric {
            Metric::Htm => {
                "distance | positions (known) | positions | ratio | classes (known) | classes | ratio of classes | orbits"
            }
            Metric::Qtm => {
                "distance | positions (thesis) | positions | ratio | classes (thesis) | classes | ratio of classes | orbits"
            }
        },
    );
    let ratio = |paper: Option<u64>, measured: u64| {
        paper.map_or(Cell::Nothing, |paper| Cell::ratio(measured as f64, paper as f64))
    };
    for (distance, census) in counted.iter().enumerate() {
        let paper = [positions, classes].map(|printed| printed.get(distance).copied());
        table.row([
            Cell::Count(distance as u64),
            Cell::count(paper[0]),
            Cell::Count(census.positions),
            ratio(paper[0], census.positions),
            Cell::count(paper[1]),
            Cell::Count(census.entries),
            ratio(paper[1], census.entries),
            Cell::Count(census.orbits),
        ]);
    }
    let sum = |count: fn(&Census) -> u64| Cell::Count(counted.iter().map(count).sum());
    table.row([
        Cell::text("all"),
        Cell::count((!positions.is_empty()).then(|| positions.iter().sum())),
        sum(|census| census.positions),
        Cell::Nothing,
        Cell::Nothing,
        sum(|census| census.entries),
        Cell::Nothing,
        sum(|census| census.orbits),
    ]);
    table
}

/// How many there are at a distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Cosets.
    pub positions: u64,
    /// Entries of the table: classes of slots and flips with a twist.
    pub entries: u64,
    /// Orbits of cosets under the sixteen symmetries.
    pub orbits: u64,
}

const DISTANCES: usize = 16;

/// Counts a table, by distance from 0 on.
pub fn census(lab: &Lab<'_>, table: &FourBits) -> Result<Vec<Census>, LabError> {
    let (maps, classes) = (Maps::get(), Classes::get());
    let of_row = |class: usize| {
        let mut row = [Census::default(); DISTANCES];
        if lab.control.is_cancelled() {
            return row;
        }
        let size = classes.size(class);
        let stabilizer: Vec<&[u16]> =
            classes.stabilizer(class).map(|s| &maps.twists_conjugated[s.index()][..]).collect();
        for twist in 0..TWISTS {
            let count = &mut row[usize::from(table.get(class * TWISTS + twist))];
            count.positions += size;
            count.entries += 1;
            count.orbits += u64::from(stabilizer.iter().all(|conjugated| usize::from(conjugated[twist]) >= twist));
        }
        row
    };
    let sum = |mut sum: [Census; DISTANCES], row: [Census; DISTANCES]| {
        for (sum, row) in sum.iter_mut().zip(row) {
            sum.positions += row.positions;
            sum.entries += row.entries;
            sum.orbits += row.orbits;
        }
        sum
    };
    let empty = || [Census::default(); DISTANCES];
    let counted = lab.control.in_pool(|| (0..Classes::COUNT).into_par_iter().map(of_row).reduce(empty, sum))?;
    lab.check()?;
    Ok(counted.into_iter().filter(|count| count.positions > 0).collect())
}

/// The mean of the maximum over random positions that is reported of Reid's bound, in the half-turn metric.
const PAPER_MEAN: f64 = 9.941;

/// How often each bound occurs, without and with one more for three equal distances.
type Histogram = [[u64; 16]; 2];

/// The mean of the largest of the three distances over a million random positions, or ten.
pub fn mean(lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    const PART: u64 = 50_000;
    const PARTS: u64 = 200;
    let mut off = 0.0;
    let mut table = Table::new("", &["metric", "bound", "mean (paper)", "mean", "standard error", "ratio"]);
    let title = "How often the bound of a random position has a value";
    let mut plot = Plot::new("reid-mean", title, ["bound", "share of positions"], [false, false]);
    for metric in Metric::ALL {
        let reid = Reid::new(lab, metric)?;
        let done = std::sync::atomic::AtomicU64::new(0);
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
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            lab.step("bounds of random positions", done, PARTS);
            histogram
        };
        let add = |mut a: Histogram, b: Histogram| {
            a.as_flattened_mut().iter_mut().zip(b.as_flattened()).for_each(|(a, b)| *a += b);
            a
        };
        let counted = lab.control.in_pool(|| (1..=PARTS).into_par_iter().map(part).reduce(Histogram::default, add))?;
        lab.check()?;
        for (histogram, raised) in counted.iter().zip([false, true]) {
            let (mean, error) = moments(histogram);
            let paper = (metric == Metric::Htm && !raised).then_some(PAPER_MEAN);
            if let Some(paper) = paper {
                off = (mean - paper) / error;
            }
            table.row([
                Cell::text(metric_name(metric)),
                Cell::text(if raised { "one more if all three are equal" } else { "largest of three" }),
                paper.map_or(Cell::Nothing, |paper| Cell::Number(paper, 3)),
                Cell::Number(mean, 4),
                Cell::Number(error, 5),
                paper.map_or(Cell::Nothing, |paper| Cell::ratio(mean, paper)),
            ]);
        }
        let all = (PARTS * PART) as f64;
        let share = |(bound, &count): (usize, &u64)| (count > 0).then_some((bound as f64, count as f64 / all));
        plot = plot.series(metric_name(metric), counted[0].iter().enumerate().filter_map(share));
    }
    Ok(Experiment::new("mean", "The mean of the lower bound over random positions", "Reid 1997")
        .text(format!("{} uniformly random positions, drawn from the seeds 1 to {PARTS}.", PARTS * PART))
        .tables([table])
        .plots([plot])
        .remark(format!(
            "In the half-turn metric the mean lies {off:.1} standard errors from the reported 9.941, so it is not \
             the same figure, and the reason for the difference is not known. The mean along one axis is known \
             exactly from the table of cosets: 9.5245. With three independent axes the mean of the maximum would be \
             9.995."
        )))
}

/// The mean, and its standard error.
fn moments(histogram: &[u64]) -> (f64, f64) {
    let count: u64 = histogram.iter().sum();
    let sum_of = |value: &dyn Fn(f64) -> f64| -> f64 {
        histogram.iter().enumerate().map(|(bound, &count)| value(bound as f64) * count as f64).sum()
    };
    let mean = sum_of(&|bound| bound) / count as f64;
    let variance = sum_of(&|bound| (bound - mean).powi(2)) / (count - 1) as f64;
    (mean, (variance / count as f64).sqrt())
}

/// The rate of Reid's program in 1997.
const PAPER_RATE: f64 = 500_000.0;

/// Nodes a second of one thread and of all, in both metrics, with both storages, and with one more for three equal
/// distances.
pub fn speed(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let more = u8::from(request.effort == Effort::Full);
    let mut table = Table::headed(
        "",
        "metric | entries | bound | threads | threshold | nodes | tests | nodes/s (paper) | nodes/s | ratio",
    );
    let one = ThreadCount::ONE;
    let threads = if lab.control.threads() == one { vec![one] } else { vec![one, lab.control.threads()] };
    for metric in Metric::ALL {
        let threshold = if metric == Metric::Htm { 14 } else { 16 } + more;
        for storage in [Storage::Four, Storage::ModThree] {
            let mut reid = Reid::with(lab, metric, storage, false)?;
            for raises_equal in [false, true] {
                reid.raise_equal(raises_equal);
                for &threads in &threads {
                    let control = lab.control.clone().with_threads(threads);
                    let found = reid.search(&appendix_b(), &up_to(threshold), &mut |_| {}, &control);
                    lab.check()?;
                    let last = found.iterations.last().expect("the distance is larger than the threshold");
                    let rate = last.nodes as f64 / last.elapsed.as_secs_f64();
                    table.row([
                        Cell::text(metric_name(metric)),
                        Cell::text(if storage == Storage::Four { "four bits" } else { "modulo three" }),
                        Cell::text(if raises_equal { "x, x, x → x + 1" } else { "maximum" }),
                        Cell::Count(threads.get() as u64),
                        Cell::Count(threshold.into()),
                        Cell::Count(last.nodes),
                        Cell::Count(last.tests),
                        Cell::Estimate(PAPER_RATE),
                        Cell::Estimate(rate),
                        Cell::ratio(rate, PAPER_RATE),
                    ]);
                }
            }
        }
    }
    Ok(Experiment::new("speed", "Nodes a second", "Reid 1997")
        .text(
            "The last iteration of a search of the position of Nargolkar's appendix B to the threshold; nodes are \
             those generated. It is not known whether Reid's program counted one more for three equal distances; the \
             counts of the experiment log suggest that it did not.",
        )
        .tables([table]))
}
