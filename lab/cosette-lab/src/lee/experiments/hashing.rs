//! Lee's Tables I to VIII: the stored backward space, the hashing schemes that confirm absence in
//! it, and the time that look-ups of absent positions take.
//!
//! All figures in Tables III to VII follow from one list: the number of buckets of each size
//! ([`Sizes`]). The paper prints the whole list for 100 and 500 million buckets, so its tables can
//! be computed again from its own Table III.

use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::lab::Lab;
use crate::lee::backward::BackwardSpace;
use crate::lee::hashed_membership::{BUCKETS, Hash, HashedSpace, Method, Scheme};
use crate::lee::heuristic::{PartialBound, Partials};
use crate::lee::search::{AstarSettings, search as astar};
use crate::lee::stored_space::{PositionKey, StoredSpace};
use crate::lee::{Perimeter, WITHIN};
use crate::main_engine;
use crate::record::Record;
use crate::stored_results::StoredResults;
use cosette::cube::{Cube, Move, random_positions};
use cosette::numbers::grouped;
use cosette::table::TableSize;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::RangeBounds;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Table II: d_back, and the number of classes within it under the symmetries of the cube; the
/// last two are of the classes counted by Rokicki (OEIS A080583).
const CLASSES: [(usize, u64); 6] = [
    (5, 13_098),
    (6, 172_229),
    (7, 2_273_804),
    (8, 30_035_907),
    (9, 396_647_119),
    (10, 5_235_211_266),
];

/// Measures the stored backward space: its size, level by level, and the cost of building it. With
/// full effort it is built to seven moves, and stays in the lab's folder.
pub fn space(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let kept = StoredResults::of(lab, request, "lee-space")?;
    if kept.is_open() && kept.get("seconds").is_none() {
        build(lab, &kept, 7)?;
    }
    let row = |&(d_back, classes): &(usize, u64)| {
        json!({
            "d_back": d_back,
            "stored": WITHIN[d_back],
            // Too large for the numbers of a template.
            "forward": grouped(u128::from(WITHIN[20 - d_back])),
            "classes": classes,
        })
    };
    let rows: Vec<Value> = CLASSES.iter().map(row).collect();
    let data = json!({
        "rows": rows,
        "stored_seconds": kept.number("seconds", 0),
        "class_seconds": kept.number("seconds", 1),
    });
    Ok(Record::of_results(&kept, &data))
}

/// Builds the space, and its classes in memory.
fn build(lab: &Lab<'_>, kept: &StoredResults, depth: u8) -> Result<(), LabError> {
    let start = Instant::now();
    BackwardSpace::perimeter(depth, lab)?;
    let classes = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let path = lab.folder.path().join(format!("lee-space-{depth}"));
    StoredSpace::build(&path, depth, &lab.control.step("storing positions"))?;
    kept.add(
        "seconds",
        &[
            &format!("{:.1}", start.elapsed().as_secs_f64()),
            &format!("{classes:.1}"),
        ],
    )
}

/// Table III of the paper for 100 and 500 million buckets: how many hold 0, 1, 2, … positions.
const PRINTED_SIZES: [[u64; 13]; 2] = [
    [
        33_613_590, 36_640_358, 19_976_849, 7_261_843, 1_982_473, 431_992, 78_773, 12_218, 1_644,
        233, 25, 1, 1,
    ],
    [
        402_035_741,
        87_663_071,
        9_565_144,
        696_162,
        38_187,
        1_641,
        53,
        1,
        0,
        0,
        0,
        0,
        0,
    ],
];

/// Tables IV to VII of the paper for each number of buckets and method: bytes, numbers of a bucket
/// in hash2, accesses, and hours for a million positions.
const PRINTED_SCHEMES: [[(u64, &str, &str, f64); 4]; 3] = [
    [
        (440_366_796, "455.85±412.11", "209.44±359.54", 581.78),
        (440_366_796, "455.85±412.11", "209.44±359.54", 581.78),
        (441_507_092, "454.86±412.11", "208.98±359.22", 580.51),
        (443_604_204, "453.87±412.11", "208.53±358.91", 579.24),
    ],
    [
        (1_236_172_492, "1.64±0.86", "2.75±1.43", 7.65),
        (1_089_611_060, "2.43±0.71", "2.39±1.45", 6.63),
        (1_290_719_456, "2.32±0.61", "2.19±1.27", 6.08),
        (1_632_624_712, "2.25±0.54", "2.12±1.13", 5.88),
    ],
    [
        (4_436_172_492, "1.11±0.34", "1.41±0.85", 3.93),
        (4_085_520_208, "2.08±0.28", "1.24±0.56", 3.44),
        (6_006_054_880, "2.06±0.24", "1.22±0.48", 3.39),
        (8_000_485_584, "2.04±0.21", "1.22±0.47", 3.38),
    ],
];

/// Counts the accesses with which the paper's hashing schemes confirm absence: d_back is 7, with
/// the paper's numbers of buckets.
pub fn absence(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let kept = StoredResults::of(lab, request, "lee-hashing")?;
    if kept.is_open() {
        count_all(lab, &kept, 7, &BUCKETS, 1_000_000, request.seed_or(1))?;
    }
    let all = BUCKETS.map(|buckets| counted(&kept, buckets));
    let sizes: Vec<Value> = (0..13)
        .map(|size| {
            let number = size as u32;
            let counted = [&all[1], &all[2]].map(|sizes| sizes.of_size(number..=number));
            let expected = [BUCKETS[1], BUCKETS[2]].map(|buckets| expected(buckets, number));
            json!({
                "size": size,
                "paper": PRINTED_SIZES.map(|printed| printed[size]),
                "counted": counted,
                "expected": expected,
            })
        })
        .collect();
    let schemes: Vec<Value> = PRINTED_SCHEMES
        .iter()
        .zip(&all)
        .flat_map(|(printed, sizes)| {
            let schemes = printed.iter().zip(Method::ALL);
            schemes.map(move |(&printed, method)| scheme(sizes, method, printed))
        })
        .collect();
    let poor = |rest: &str| {
        let name = Hash::Corners.name();
        kept.number(&format!("{name} {} {rest}", BUCKETS[1]), 0)
    };
    let data = json!({
        "sizes": sizes,
        "schemes": schemes,
        "poor": {
            "empty": poor("size 0").map(|empty| 100.0 * empty / BUCKETS[1] as f64),
            "largest": poor("largest"),
            "random": poor("random 2"),
            "beyond": poor("beyond 2"),
        },
    });
    Ok(Record::of_results(&kept, &data))
}

/// Returns the figures of a hashing scheme beside those of the paper.
fn scheme(sizes: &Sizes, method: Method, printed: (u64, &str, &str, f64)) -> Value {
    let in_hash2 = sizes.mean(|size| method.in_hash2(size).into(), false);
    let accesses = sizes.accesses(method);
    let (bytes, printed_in_hash2, printed_accesses, printed_hours) = printed;
    json!({
        "buckets": sizes.buckets(),
        "method": method.number(),
        "paper": {
            "bytes": bytes,
            "in_hash2": printed_in_hash2,
            "accesses": printed_accesses,
            "hours": printed_hours,
        },
        "bytes": sizes.bytes(method),
        "share": 100.0 * sizes.bytes(method) as f64 / (40 * WITHIN[7]) as f64,
        "in_hash2": with_deviation(in_hash2),
        "accesses": with_deviation(accesses),
        "hours": hours(accesses.0),
    })
}

/// Counts, for each number of buckets and each hash function, buckets by size, and the accesses
/// that absent positions take.
fn count_all(
    lab: &Lab<'_>,
    kept: &StoredResults,
    depth: u8,
    buckets: &[u64],
    asked: usize,
    seed: u64,
) -> Result<(), LabError> {
    let trials = buckets
        .iter()
        .flat_map(|&buckets| Hash::ALL.map(|hash| (buckets, hash)));
    let missing = |&(buckets, hash): &(u64, Hash)| {
        kept.get(&format!("{} {buckets} largest", hash.name()))
            .is_none()
    };
    let missing: Vec<(u64, Hash)> = trials.filter(missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let space = StoredSpace::in_lab(lab, depth)?;
    let [random, beyond] = absent(
        lab,
        &space,
        &BackwardSpace::perimeter(depth, lab)?,
        asked,
        seed,
    )?;
    for (buckets, hash) in missing {
        let (sizes, answers) = Sizes::count(lab, &space, hash, buckets, &[&random, &beyond])?;
        let key = format!("{} {buckets}", hash.name());
        for (name, found) in ["random", "beyond"].into_iter().zip(&answers) {
            for method in Method::ALL {
                let accesses: u64 = found.iter().map(|&size| method.accesses(size)).sum();
                let mean = format!("{:.4}", accesses as f64 / found.len() as f64);
                kept.add(
                    &format!("{key} {name} {}", method.number()),
                    &[&mean, &found.len()],
                )?;
            }
        }
        // For the poor hash function, the empty buckets suffice.
        for (size, count) in sizes
            .0
            .iter()
            .filter(|&(&size, _)| hash == Hash::Mixed || size == 0)
        {
            kept.add(&format!("{key} size {size}"), &[&count])?;
        }
        // Stored last, so that an interrupted trial is counted again.
        kept.add(&format!("{key} largest"), &[&sizes.largest()])?;
    }
    Ok(())
}

/// Returns the number of buckets of each size, out of `buckets`, with XXH3.
fn counted(kept: &StoredResults, buckets: u64) -> Sizes {
    let number = |text: &str| text.parse().expect("sizes and counts are whole numbers");
    let sizes = kept.all(&format!("{} {buckets} size ", Hash::Mixed.name()));
    sizes
        .iter()
        .map(|(size, count)| (number(size) as u32, number(&count[0])))
        .collect()
}

fn with_deviation((mean, deviation): (f64, f64)) -> String {
    format!("{mean:.2}±{deviation:.2}")
}

/// Hours for a million positions, at the 10 ms that the paper assumes for a random access to a
/// disk.
fn hours(accesses: f64) -> f64 {
    accesses * 1e6 * 0.010 / 3600.0
}

/// Number of buckets counted at a time, in 256 MB.
const AT_A_TIME: u64 = 1 << 26;

/// Number of buckets of each size.
pub struct Sizes(BTreeMap<u32, u64>);

impl FromIterator<(u32, u64)> for Sizes {
    fn from_iter<T: IntoIterator<Item = (u32, u64)>>(sizes: T) -> Sizes {
        Sizes(sizes.into_iter().collect())
    }
}

impl Sizes {
    /// Counts the positions in each bucket, and returns, for each of the `asked` keys, the number
    /// of positions in its bucket.
    pub fn count(
        lab: &Lab<'_>,
        space: &StoredSpace,
        hash: Hash,
        buckets: u64,
        asked: &[&[PositionKey]],
    ) -> Result<(Sizes, Vec<Vec<u32>>), LabError> {
        let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
        let mut answers: Vec<Vec<u32>> = asked.iter().map(|keys| vec![0; keys.len()]).collect();
        let counts: Vec<AtomicU32> = (0..AT_A_TIME.min(buckets))
            .map(|_| AtomicU32::new(0))
            .collect();
        for first in (0..buckets).step_by(AT_A_TIME as usize) {
            lab.step(&format!("counting {buckets} buckets"), first, buckets);
            let counts = &counts[..AT_A_TIME.min(buckets - first) as usize];
            let count_of = |key| counts.get(hash.bucket(key, buckets).wrapping_sub(first) as usize);
            let count = |_, keys: &mut dyn Iterator<Item = PositionKey>| {
                for count in keys.filter_map(count_of) {
                    count.fetch_add(1, Relaxed);
                }
            };
            space.for_each_stretch(count, &lab.control.silent())?;
            for (answers, keys) in answers.iter_mut().zip(asked) {
                for (answer, &key) in answers.iter_mut().zip(*keys) {
                    *answer = count_of(key).map_or(*answer, |count| count.load(Relaxed));
                }
            }
            for count in counts {
                *sizes.entry(count.swap(0, Relaxed)).or_default() += 1;
            }
        }
        Ok((Sizes(sizes), answers))
    }

    /// Returns the number of buckets.
    pub fn buckets(&self) -> u64 {
        self.0.values().sum()
    }

    /// Returns the number of buckets with a number of positions in this range.
    pub fn of_size(&self, sizes: impl RangeBounds<u32>) -> u64 {
        self.0.range(sizes).map(|(_, count)| count).sum()
    }

    /// Returns the number of positions in all buckets.
    pub fn positions(&self) -> u64 {
        self.0
            .iter()
            .map(|(&size, count)| u64::from(size) * count)
            .sum()
    }

    /// Returns the number of positions in the largest bucket.
    pub fn largest(&self) -> u32 {
        self.0.last_key_value().map_or(0, |(&size, _)| size)
    }

    /// Returns the share of the buckets with a number of positions in this range.
    pub fn share(&self, sizes: impl RangeBounds<u32>) -> f64 {
        self.of_size(sizes) as f64 / self.buckets() as f64
    }

    /// Returns the mean of a value over all buckets, or over those for which it is positive, with
    /// its deviation.
    pub fn mean(&self, value: impl Fn(u32) -> u64, of_all: bool) -> (f64, f64) {
        let mut count = 0.0;
        let mut sum = 0.0;
        let mut squares = 0.0;
        for (&size, &buckets) in &self.0 {
            let value = value(size) as f64;
            if of_all || value > 0.0 {
                count += buckets as f64;
                sum += buckets as f64 * value;
                squares += buckets as f64 * value * value;
            }
        }
        let mean = sum / count;
        (mean, (squares / count - mean * mean).max(0.0).sqrt())
    }

    /// Returns the number of bytes of the two arrays of a method.
    pub fn bytes(&self, method: Method) -> u64 {
        let numbers: u64 = self
            .0
            .iter()
            .map(|(&size, count)| count * u64::from(method.in_hash2(size)))
            .sum();
        4 * (self.buckets() * method.words() as u64 + numbers)
    }

    /// Returns the number of random accesses that confirm the absence of a random position, with
    /// its deviation.
    pub fn accesses(&self, method: Method) -> (f64, f64) {
        self.mean(|size| method.accesses(size), true)
    }
}

/// Returns how many buckets of a random function hold `size` positions, by Poisson's law.
fn expected(buckets: u64, size: u32) -> f64 {
    let mean = WITHIN[7] as f64 / buckets as f64;
    let factorial: f64 = (1..=size).map(f64::from).product();
    buckets as f64 * (-mean).exp() * mean.powi(size as i32) / factorial
}

/// The keys of `count` positions that are not stored, uniformly random ones; and of as many one
/// move beyond, children of random positions of the last level: the look-ups of a search near the
/// perimeter are of this kind. Their absence is checked with the classes, which share no look-up
/// with the hashing schemes; a random position is stored with a chance of 10⁻¹¹ at most.
pub(super) fn absent(
    lab: &Lab<'_>,
    space: &StoredSpace,
    classes: &BackwardSpace,
    count: usize,
    seed: u64,
) -> Result<[Vec<PositionKey>; 2], LabError> {
    lab.step("drawing absent positions", 0, 2 * count as u64);
    let is_absent = |position: &Cube| matches!(classes.distance(position), Ok(None));
    let positions = random_positions(seed).take_while(|_| !lab.control.is_cancelled());
    let random = positions
        .filter(is_absent)
        .take(count)
        .map(|position| PositionKey::of(&position))
        .collect();
    lab.step("drawing absent positions", count as u64, 2 * count as u64);
    let level = StoredSpace::level(space.depth());
    let child = |number: u64| {
        lab.check()?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let parent = space.position(rng.random_range(level.clone()))?;
        let mut children =
            std::iter::repeat_with(|| parent.apply(Move::ALL[rng.random_range(0..Move::COUNT)]));
        // Each position of the last level within eight moves has a child beyond.
        Ok(children
            .by_ref()
            .take(1000)
            .find(is_absent)
            .map(|child| PositionKey::of(&child)))
    };
    let children = || {
        (0..count as u64)
            .into_par_iter()
            .map(child)
            .collect::<Result<Vec<Option<PositionKey>>, LabError>>()
    };
    Ok([
        random,
        lab.control
            .in_pool(children)??
            .into_iter()
            .flatten()
            .collect(),
    ])
}

/// Measures the time to confirm absence with the paper's schemes and XXH3. With full effort, up to
/// 10 GB of arrays are written into the lab's folder and removed again; those that searches use
/// stay.
pub fn times(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let kept = StoredResults::of(lab, request, "lee-times")?;
    if kept.is_open() {
        let limits = [1_000_000, 10_000];
        measure_all(lab, &kept, 7, &BUCKETS, limits, request.seed_or(1))?;
        search_all(lab, &kept, 7, [10, 11, 12, 13])?;
    }
    let numbers = |key: &str, names: &[&str]| {
        let number = |(place, name): (usize, &&str)| {
            let number = kept.number(key, place);
            ((*name).to_owned(), json!(number))
        };
        names
            .iter()
            .enumerate()
            .map(number)
            .collect::<serde_json::Map<_, _>>()
    };
    let schemes: Vec<Value> = BUCKETS[1..]
        .iter()
        .flat_map(|&buckets| Method::ALL.map(|method| (buckets, method.number())))
        .map(|(buckets, method)| {
            let names = [
                "computed",
                "disk",
                "disk_count",
                "disk_access",
                "cache",
                "cache_count",
                "cache_access",
            ];
            let mut row = numbers(&format!("{buckets} {method}"), &names);
            row.insert("buckets".to_owned(), json!(buckets));
            row.insert("method".to_owned(), json!(method));
            Value::Object(row)
        })
        .collect();
    let searches: Vec<Value> = [10, 11, 12, 13]
        .into_iter()
        .map(|length| {
            let names = ["looked_up", "states", "memory", "cache", "disk"];
            let mut row = numbers(&format!("search {length}"), &names);
            row.insert("length".to_owned(), json!(length));
            Value::Object(row)
        })
        .collect();
    let data = json!({"schemes": schemes, "searches": searches});
    Ok(Record::of_results(&kept, &data))
}

/// Builds the arrays of each method, measures and removes them. `asked` is the maximum number of
/// positions looked up, and the time limit in milliseconds.
fn measure_all(
    lab: &Lab<'_>,
    kept: &StoredResults,
    depth: u8,
    buckets: &[u64],
    [asked, limit]: [u64; 2],
    seed: u64,
) -> Result<(), LabError> {
    let mut space = StoredSpace::in_lab(lab, depth)?;
    let [random, _] = absent(
        lab,
        &space,
        &BackwardSpace::perimeter(depth, lab)?,
        asked as usize,
        seed,
    )?;
    let limit = Duration::from_millis(limit);
    for (buckets, method) in buckets
        .iter()
        .flat_map(|&buckets| Method::ALL.map(|method| (buckets, method)))
    {
        let key = format!("{buckets} {}", method.number());
        if kept.get(&key).is_some() {
            continue;
        }
        let what = format!("method {} with {buckets} buckets", method.number());
        let path = lab.folder.path().join("lee-index-trial");
        let scheme = Scheme {
            hash: Hash::Mixed,
            method,
            buckets,
        };
        let hashed = HashedSpace::build(space, &path, scheme, &lab.control.step(&what))?;
        let from_disk = time(lab, &hashed, &random, ArrayStorage::Disk, limit);
        // Reading both files completely brings them into the page cache.
        let from_memory = hashed.verify(&lab.control.silent()).and_then(|()| {
            hashed.space().verify(&lab.control.silent())?;
            time(lab, &hashed, &random, ArrayStorage::Memory, limit)
        });
        StoredSpace::remove(&path)?;
        let from_memory = from_memory?;
        let accesses = from_memory.as_ref().map_or(0.0, |timing| {
            timing.accesses as f64 / timing.positions as f64
        });
        let values =
            |timing: Option<Timing>| timing.map_or("- - -".into(), |timing| timing.values());
        let computed = format!("{:.1}", accesses * 1e6 * 0.010);
        kept.add(
            &key,
            &[&computed, &values(from_disk?), &values(from_memory)],
        )?;
        space = hashed.into_space();
    }
    Ok(())
}

/// Searches a position of each length with the perimeter in memory, in files that the system has
/// just dropped from its page cache, and in the same files again.
fn search_all<const N: usize>(
    lab: &Lab<'_>,
    kept: &StoredResults,
    depth: u8,
    lengths: [u8; N],
) -> Result<(), LabError> {
    let key = |length: u8| format!("search {length}");
    let missing: Vec<u8> = lengths
        .into_iter()
        .filter(|&length| kept.get(&key(length)).is_none())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let solver = main_engine::solver_of_size(TableSize::ALL[0], lab)?;
    let memory = BackwardSpace::perimeter(depth, lab)?;
    let files = HashedSpace::in_lab(lab, depth, Method::default(), None)?;
    let bound = PartialBound::Informed(5);
    let partials = Partials::opposite_faces(depth, bound, lab)?;
    for length in missing {
        let position = main_engine::positions_of_length(length, 1, 1, &solver, lab)?[0];
        let heuristic = partials.heuristic(bound, &position, &lab.control)?;
        let settings = AstarSettings::default();
        let run = |perimeter: &dyn Perimeter| {
            let start = Instant::now();
            let found = astar(
                &position,
                perimeter,
                &heuristic,
                &settings,
                &mut |_| {},
                &lab.control,
            )?;
            lab.check()?;
            Ok::<_, LabError>((found, format!("{:.3}", start.elapsed().as_secs_f64())))
        };
        lab.step("searching over files", length.into(), lengths[N - 1].into());
        let (found, in_memory) = run(&memory)?;
        if !files.files().into_iter().all(forget) {
            return Ok(());
        }
        let [from_disk, from_cache] = [run(&files)?, run(&files)?].map(|(again, seconds)| {
            assert_eq!(
                (again.lower_bound, again.stored),
                (found.lower_bound, found.stored)
            );
            seconds
        });
        kept.add(
            &key(length),
            &[
                &found.generated(),
                &found.stored,
                &in_memory,
                &from_cache,
                &from_disk,
            ],
        )?;
    }
    Ok(())
}

/// The storage of the arrays during look-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArrayStorage {
    /// The disk: the system is requested to drop the files from its cache again and again, and not
    /// to read ahead.
    Disk,
    /// The system's page cache.
    Memory,
}

/// Cost of look-ups.
#[derive(Default)]
struct Timing {
    /// Number of positions looked up.
    positions: u64,
    /// Number of random accesses.
    accesses: u64,
    /// Elapsed time.
    elapsed: Duration,
}

impl Timing {
    /// Formats the seconds for a million positions, the number of positions looked up, and the
    /// microseconds per access.
    fn values(&self) -> String {
        let microseconds = 1e6 * self.elapsed.as_secs_f64();
        let [million, access] =
            [self.positions, self.accesses].map(|count| microseconds / count as f64);
        format!("{million:.3} {} {access:.2}", self.positions)
    }
}

/// Looks up absent positions one after another on one thread, until `limit` is reached. `None` if
/// the system cannot drop a file from its page cache.
fn time(
    lab: &Lab<'_>,
    hashed: &HashedSpace,
    keys: &[PositionKey],
    from: ArrayStorage,
    limit: Duration,
) -> Result<Option<Timing>, LabError> {
    let start = Instant::now();
    let mut timing = Timing::default();
    for some in keys.chunks(if from == ArrayStorage::Disk { 50 } else { 200 }) {
        lab.check()?;
        if from == ArrayStorage::Disk && !hashed.files().into_iter().all(forget) {
            return Ok(None);
        }
        let start_of_some = Instant::now();
        let mut accesses = 0;
        for &key in some {
            hashed.find(key, &mut accesses)?;
        }
        timing.elapsed += start_of_some.elapsed();
        timing.accesses += accesses;
        timing.positions += some.len() as u64;
        if start.elapsed() > limit {
            break;
        }
    }
    Ok(Some(timing))
}

/// Requests the system to drop a file from the page cache, and not to read ahead. Pages that are
/// not on disk yet stay; these files have been synced.
#[cfg(target_os = "linux")]
fn forget(file: &File) -> bool {
    use rustix::fs::{Advice, fadvise};
    fadvise(file, 0, None, Advice::DontNeed).is_ok()
        && fadvise(file, 0, None, Advice::Random).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn forget(_: &File) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::Control;
    use cosette::table::TableFolder;

    #[test]
    fn the_space_is_built_each_method_is_measured_and_the_trials_are_removed() {
        let folder = tempfile::TempDir::new().unwrap();
        let kept = StoredResults::read("");
        let lab = &Lab {
            folder: &TableFolder::new(folder.path()),
            control: Control::default(),
        };
        build(lab, &kept, 3).unwrap();
        assert!(kept.number("seconds", 1).is_some());
        measure_all(lab, &kept, 3, &[2000], [500, 50], 1).unwrap();
        for method in Method::ALL {
            assert!(
                kept.number(&format!("2000 {}", method.number()), 4)
                    .unwrap()
                    > 0.0
            );
        }
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "the space"
        );
        // The test fails if the search differs over files.
        search_all(lab, &kept, 3, [6]).unwrap();
        assert!(kept.number("search 6", 4).unwrap() > 0.0);
    }

    /// Number of buckets with 0 to 3 positions, out of 524,288, in the paper's Table III: enough
    /// for the derivations below.
    const HALF_A_MILLION: [u64; 4] = [285_080, 0, 6, 5];
    /// The shares of buckets with 0 to 3 positions, as printed in Table V.
    const TABLE_V: [[&str; 4]; 3] = [
        ["0.5443", "0", "1.14e-5", "0.95e-5"],
        ["0.3361", "0.3664", "0.1998", "0.0726"],
        ["0.8041", "0.1753", "0.1913", "0.0139"],
    ];

    /// The paper's Table III for a number of buckets, with its consequences: number of buckets with
    /// 0 to 3 positions.
    struct PrintedBuckets([u64; 4], u64);

    impl PrintedBuckets {
        fn filled(&self) -> u64 {
            self.1 - self.0[0]
        }

        fn bytes(&self, method: Method) -> u64 {
            let [_, one, two, three] = self.0;
            let in_hash1 =
                [0, one, self.filled() + two, 2 * self.filled() + three - one][method as usize];
            4 * (self.1 * method.words() as u64 + WITHIN[7] - in_hash1)
        }

        fn accesses(&self, method: Method) -> f64 {
            let in_entry: u64 = self.0[..=method.most_in_entry() as usize].iter().sum();
            1.0 + (self.1 - in_entry + WITHIN[7]) as f64 / self.1 as f64
        }

        fn in_hash2(&self, method: Method) -> f64 {
            let most = method.most_in_entry() as usize;
            let left = self.bytes(method) / 4 - self.1 * method.words() as u64;
            left as f64 / (self.1 - self.0[..=most].iter().sum::<u64>()) as f64
        }

        /// The share of buckets of a size, in the format of a printed one.
        fn share(&self, size: usize, printed: &str) -> String {
            let share = self.0[size] as f64 / self.1 as f64;
            match printed.split_once('e') {
                Some(_) if share < 1e-5 => format!("{:.2}e-5", 1e5 * share),
                Some(_) => format!("{share:.2e}"),
                None if printed == "0" => share.to_string(),
                None => format!("{share:.4}"),
            }
        }
    }

    /// Checks the statement of the page about the paper's own figures: those of Tables IV to VII
    /// follow from its Table III, or are misprints.
    #[test]
    fn the_papers_tables_follow_from_its_table_iii() {
        let whole = PRINTED_SIZES.map(|printed| (0..).zip(printed).collect::<Sizes>());
        let first = |sizes: &Sizes| [0, 1, 2, 3].map(|size| sizes.of_size(size..=size));
        let [fewer, more] = [0, 1].map(|i| PrintedBuckets(first(&whole[i]), BUCKETS[i + 1]));
        let all = [PrintedBuckets(HALF_A_MILLION, BUCKETS[0]), fewer, more];
        let mean = |words: &str| words.split('±').next().unwrap_or_default().to_owned();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for ((printed, shares), schemes) in all.iter().zip(TABLE_V).zip(PRINTED_SCHEMES) {
            let shares = shares.into_iter().enumerate();
            pairs
                .extend(shares.map(|(size, share)| (share.to_owned(), printed.share(size, share))));
            for ((bytes, in_hash2, accesses, hour), method) in schemes.into_iter().zip(Method::ALL)
            {
                let again = printed.accesses(method);
                pairs.push((bytes.to_string(), printed.bytes(method).to_string()));
                pairs.push((mean(in_hash2), format!("{:.2}", printed.in_hash2(method))));
                pairs.push((mean(accesses), format!("{again:.2}")));
                pairs.push((format!("{hour:.2}"), format!("{:.2}", hours(again))));
                // Method 4 has an index more for each bucket of four or more; methods 3 and 4 of
                // half a million buckets lack the one or two positions whose numbers are in hash1.
                let large = printed.filled() - printed.0[1..].iter().sum::<u64>();
                let more = [0, 0, 0, 4 * large][method as usize];
                assert_eq!(printed.bytes(method) + more, bytes);
                let is_small = printed.1 == BUCKETS[0];
                let left_out = if is_small {
                    [0, 0, 1, 2][method as usize]
                } else {
                    0
                };
                let left_out = (left_out * printed.filled()) as f64 / printed.1 as f64;
                assert_eq!(mean(accesses), format!("{:.2}", again - left_out));
            }
        }
        let agree = pairs.iter().filter(|(printed, again)| printed == again);
        assert_eq!((agree.count(), pairs.len()), (50, 60), "{pairs:#?}");
        for (sizes, buckets) in whole.iter().zip(&BUCKETS[1..]) {
            assert_eq!((sizes.buckets(), sizes.positions()), (*buckets, WITHIN[7]));
            // Random, as a good hash function makes them.
            for size in 0..4 {
                let expected = expected(*buckets, size);
                let excess = sizes.of_size(size..=size) as f64 - expected;
                assert!(excess.abs() < 4.0 * expected.sqrt(), "{size} {excess}");
            }
        }
    }
}
