//! Lee's Tables I to VIII: the stored perimeter, the hashing schemes that confirm absence in it,
//! and the time that look-ups of absent positions take.
//!
//! All figures in Tables III to VII follow from one list: the number of buckets of each size
//! ([`Sizes`]). The paper prints the whole list for 100 and 500 million buckets, so its tables can
//! be computed again from its own Table III.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::lab::Lab;
use crate::lee::heuristic::{Heuristic, PartialBound, PartialProblem, opposite_faces};
use crate::lee::search::{AstarEvent, AstarSettings, search as astar};
use crate::lee::states::BackwardSpace;
use crate::lee::stored::{Method, PerimeterClasses, PositionKey, Scheme, StoredPerimeter};
use crate::lee::{Perimeter, WITHIN};
use crate::main_engine;
use crate::record::Record;
use cosette::cube::{Move, random_positions};
use cosette::table::TableSize;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use std::fs::File;
use std::ops::RangeBounds;
use std::time::{Duration, Instant};

/// The scale of these experiments.
struct Scale {
    d_back: u8,
    /// The numbers of buckets.
    buckets: [u64; 3],
    /// Number of absent positions that are looked up.
    absent: usize,
    /// The time after which look-ups end.
    time: Duration,
}

impl Scale {
    /// Returns the scale of the paper; with quick effort that of five moves, with as many buckets
    /// for each position.
    fn of(request: &ExperimentOptions) -> Scale {
        let buckets = [524_288, 100_000_000, 500_000_000];
        match request.effort {
            RunSize::Full => Scale {
                d_back: 7,
                buckets,
                absent: 1_000_000,
                time: Duration::from_secs(10),
            },
            RunSize::Quick => Scale {
                d_back: 5,
                buckets: buckets.map(|buckets| buckets * WITHIN[5] / WITHIN[7]),
                absent: 10_000,
                time: Duration::from_millis(100),
            },
        }
    }
}

/// Measures how long it takes to find the perimeter by classes, and to find and store its
/// positions.
pub fn space(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let scale = Scale::of(request);
    let d_back = scale.d_back;
    let start = Instant::now();
    BackwardSpace::perimeter(d_back, lab)?;
    let class_seconds = start.elapsed().as_secs_f64();
    let scheme = Scheme {
        d_back,
        method: Method::Start,
        buckets: scale.buckets[0],
    };
    let start = Instant::now();
    let stored = StoredPerimeter::in_lab(lab, scheme)?;
    let stored_seconds = start.elapsed().as_secs_f64();
    stored.remove()?;
    let data = json!({"class_seconds": class_seconds, "stored_seconds": stored_seconds});
    Ok(Record::computed(request, &data))
}

/// Counts the accesses with which the paper's hashing schemes confirm absence.
pub fn absence(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let scale = Scale::of(request);
    let step = lab.control.step("generating the perimeter");
    let classes = PerimeterClasses::generate(scale.d_back, &step)?;
    let count = |buckets: u64| {
        let sorted = sorted_buckets(lab, &classes, |key| key.bucket(buckets))?;
        Ok(Sizes::of(&sorted, buckets))
    };
    let sizes: Vec<Sizes> = scale
        .buckets
        .into_iter()
        .map(count)
        .collect::<Result<_, LabError>>()?;
    let positions = WITHIN[usize::from(scale.d_back)];
    let schemes = sizes.iter().flat_map(|sizes| {
        Method::ALL.map(|method| {
            json!({
                "buckets": sizes.buckets(),
                "method": method.number(),
                "bytes": sizes.bytes(method),
                "in_hash2": sizes.in_hash2(method),
                "accesses": sizes.accesses(method),
            })
        })
    });
    let data = json!({
        "positions": positions,
        "expected": scale.buckets.map(|buckets| expected(buckets, positions)),
        "schemes": schemes.collect::<Vec<Value>>(),
        "poor": poor_figures(lab, &classes, &scale)?,
        "sizes": sizes,
    });
    Ok(Record::computed(request, &data))
}

/// Returns the buckets of all positions, in order.
fn sorted_buckets(
    lab: &Lab<'_>,
    classes: &PerimeterClasses,
    bucket: impl Fn(PositionKey) -> u64,
) -> Result<Vec<u32>, LabError> {
    let mut buckets: Vec<u32> = Vec::new();
    classes.for_each(&lab.control.step("counting buckets"), |_, keys| {
        buckets.extend(keys.into_iter().map(|key| bucket(key) as u32));
        Ok(())
    })?;
    lab.control.in_pool(|| buckets.par_sort_unstable())?;
    Ok(buckets)
}

/// Measures the poor hash function with the second number of buckets: the share of empty ones, and
/// the accesses by method 2 for positions one move outside the perimeter, a child of each class:
/// the look-ups of a search near the perimeter are of this kind.
fn poor_figures(
    lab: &Lab<'_>,
    classes: &PerimeterClasses,
    scale: &Scale,
) -> Result<Value, LabError> {
    let buckets = scale.buckets[1];
    let sorted = sorted_buckets(lab, classes, |key| key.poor_bucket(buckets))?;
    let perimeter = BackwardSpace::perimeter(scale.d_back, lab)?;
    let mut count = 0;
    let mut accesses = 0;
    for (class, i) in classes.0.iter().zip(0..) {
        let parent = class.position().expect("classes have positions");
        let child = parent.apply(Move::ALL[i % Move::COUNT]);
        if perimeter.get(&child).is_none() {
            let bucket = PositionKey::of(&child).poor_bucket(buckets) as u32;
            let end = sorted.partition_point(|&other| other <= bucket);
            let size = end - sorted.partition_point(|&other| other < bucket);
            accesses += Method::One.accesses(size as u32);
            count += 1;
        }
    }
    let empty = Sizes::of(&sorted, buckets).of_size(0..=0);
    Ok(json!({
        "empty": 100.0 * empty as f64 / buckets as f64,
        "beyond": accesses as f64 / f64::from(count),
    }))
}

/// Returns how many buckets of a random function hold 0, 1, 2, … 12 positions, by Poisson's law.
fn expected(buckets: u64, positions: u64) -> Vec<f64> {
    let mean = positions as f64 / buckets as f64;
    let mut of_size = buckets as f64 * (-mean).exp();
    let mut expected = Vec::new();
    for size in 1..=13 {
        expected.push(of_size);
        of_size *= mean / f64::from(size);
    }
    expected
}

/// Numbers of buckets that hold 0, 1, 2, … positions.
#[derive(Serialize)]
pub struct Sizes(Vec<u64>);

impl Sizes {
    /// Counts the positions in each of `buckets` buckets from the sorted buckets of all positions.
    pub fn of(sorted: &[u32], buckets: u64) -> Sizes {
        let mut sizes = vec![buckets];
        for positions in sorted.chunk_by(|a, b| a == b) {
            let size = positions.len();
            if size >= sizes.len() {
                sizes.resize(size + 1, 0);
            }
            sizes[size] += 1;
            sizes[0] -= 1;
        }
        Sizes(sizes)
    }

    /// Returns the number of buckets.
    pub fn buckets(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the number of buckets with a number of positions in this range.
    pub fn of_size(&self, sizes: impl RangeBounds<u32>) -> u64 {
        self.sum(|size| sizes.contains(&size).into())
    }

    /// Returns the sum of a value over all buckets.
    fn sum(&self, value: impl Fn(u32) -> u64) -> u64 {
        let sizes = (0..).zip(&self.0);
        sizes.map(|(size, buckets)| value(size) * buckets).sum()
    }

    /// Returns the mean of a value over some buckets, with its deviation.
    fn mean(&self, is_counted: impl Fn(u32) -> bool, value: impl Fn(u32) -> u64) -> (f64, f64) {
        let count = self.sum(|size| is_counted(size).into()) as f64;
        let sum = |power: u32| {
            self.sum(|size| u64::from(is_counted(size)) * value(size).pow(power)) as f64
        };
        let mean = sum(1) / count;
        (mean, (sum(2) / count - mean * mean).max(0.0).sqrt())
    }

    /// Returns the number of bytes of the two arrays of a method.
    pub fn bytes(&self, method: Method) -> u64 {
        let numbers = self.sum(|size| method.in_hash2(size).into());
        4 * (self.buckets() * method.words() as u64 + numbers)
    }

    /// Returns the number of random accesses that confirm the absence of a random position, with
    /// its deviation.
    pub fn accesses(&self, method: Method) -> (f64, f64) {
        self.mean(|_| true, |size| method.accesses(size))
    }

    /// Returns the number of position numbers in hash2 of the buckets that have some there, with
    /// its deviation.
    fn in_hash2(&self, method: Method) -> (f64, f64) {
        let numbers = |size| u64::from(method.in_hash2(size));
        self.mean(|size| numbers(size) > 0, numbers)
    }
}

/// The cost of look-ups.
#[derive(Default, Serialize)]
struct LookupTimes {
    /// Number of positions looked up.
    count: u64,
    /// Number of random accesses.
    accesses: u64,
    seconds: f64,
}

/// Measures the time to confirm absence with the paper's schemes and XXH3, and that of searches.
/// With full effort, up to 10 GB are written into the lab's folder and removed again.
pub fn times(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let data = measure(lab, &Scale::of(request), request.seed_or(1))?;
    Ok(Record::computed(request, &data))
}

fn measure(lab: &Lab<'_>, scale: &Scale, seed: u64) -> Result<Value, LabError> {
    // A random position is stored with a chance of 10⁻¹¹ at most.
    let absent = random_positions(seed).take(scale.absent);
    let d_back = scale.d_back;
    let absent: Vec<PositionKey> = absent.map(|position| PositionKey::of(&position)).collect();
    let mut schemes = Vec::new();
    for buckets in scale.buckets {
        for method in Method::ALL {
            let scheme = Scheme {
                d_back,
                method,
                buckets,
            };
            let stored = StoredPerimeter::in_lab(lab, scheme)?;
            let [disk, cache] = [true, false].map(|from_disk| {
                LookupTimes::measure(lab, &stored, &absent, from_disk, scale.time)
            });
            stored.remove()?;
            schemes.push(json!({
                "buckets": buckets,
                "method": method.number(),
                "disk": disk?,
                "cache": cache?,
            }));
        }
    }
    let scheme = Scheme {
        d_back,
        method: Method::One,
        buckets: WITHIN[usize::from(d_back)],
    };
    let stored = StoredPerimeter::in_lab(lab, scheme)?;
    let searches = search_times(lab, &stored);
    stored.remove()?;
    Ok(json!({"schemes": schemes, "searches": searches?}))
}

impl LookupTimes {
    /// Looks up absent positions one after another on one thread, until `limit` is reached: from
    /// disk, where the system is requested to drop the file from its page cache again and again, or
    /// from that cache.
    fn measure(
        lab: &Lab<'_>,
        stored: &StoredPerimeter,
        absent: &[PositionKey],
        from_disk: bool,
        limit: Duration,
    ) -> Result<LookupTimes, LabError> {
        stored.verify(&lab.control.silent())?;
        let start = Instant::now();
        let mut times = LookupTimes::default();
        for keys in absent.chunks(50) {
            lab.check()?;
            if from_disk {
                forget(stored.file());
            }
            let start_of_keys = Instant::now();
            for &key in keys {
                stored.find(key, &mut times.accesses)?;
            }
            times.seconds += start_of_keys.elapsed().as_secs_f64();
            times.count += keys.len() as u64;
            if start.elapsed() > limit {
                break;
            }
        }
        Ok(times)
    }
}

/// Searches a position of each length with the perimeter in memory, in a file that the system has
/// just dropped from its page cache, and in the same file again.
fn search_times(lab: &Lab<'_>, stored: &StoredPerimeter) -> Result<Vec<Value>, LabError> {
    let d_back = stored.depth();
    let solver = main_engine::solver_of_size(TableSize::ALL[0], lab)?;
    let memory = BackwardSpace::perimeter(d_back, lab)?;
    let bound = PartialBound::Informed(5);
    let problems = PartialProblem::all(&opposite_faces(), d_back, bound, lab)?;
    let mut searches = Vec::new();
    for length in d_back + 3..=d_back + 6 {
        lab.step("searching over a file", length.into(), (d_back + 6).into());
        let position = main_engine::positions_of_length(length, 1, 1, &solver, lab)?[0];
        let heuristic = Heuristic::new(&problems, bound, &position, &lab.control)?;
        let run = |perimeter: &dyn Perimeter| {
            let settings = AstarSettings::default();
            let ignore = &mut |_: AstarEvent<'_>| {};
            let start = Instant::now();
            let found = astar(
                &position,
                perimeter,
                &heuristic,
                &settings,
                ignore,
                &lab.control,
            )?;
            lab.check()?;
            Ok::<_, LabError>((found, start.elapsed().as_secs_f64()))
        };
        let (found, memory) = run(&memory)?;
        forget(stored.file());
        let [disk, cache] = [run(stored)?, run(stored)?].map(|(again, seconds)| {
            assert_eq!(again.stored, found.stored);
            seconds
        });
        searches.push(json!({
            "length": length,
            "looked_up": found.report.nodes(),
            "states": found.stored,
            "memory": memory,
            "cache": cache,
            "disk": disk,
        }));
    }
    Ok(searches)
}

/// Requests the system to drop a file from the page cache, and not to read ahead. Pages that are
/// not on disk yet stay; these files have been synced.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables))]
fn forget(file: &File) {
    #[cfg(target_os = "linux")]
    for advice in [rustix::fs::Advice::DontNeed, rustix::fs::Advice::Random] {
        rustix::fs::fadvise(file, 0, None, advice).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::Control;
    use cosette::table::TableFolder;
    use serde::de::DeserializeOwned;

    #[test]
    fn each_scheme_is_measured_and_its_file_is_removed() {
        let folder = tempfile::TempDir::new().unwrap();
        let lab = &Lab {
            folder: &TableFolder::new(folder.path()),
            control: Control::default(),
        };
        let scale = Scale {
            d_back: 3,
            buckets: [20, 2000, 9000],
            absent: 500,
            time: Duration::from_millis(20),
        };
        // The test fails if the searches differ over a file.
        let figures = measure(lab, &scale, 1).unwrap();
        for times in figures["schemes"].as_array().unwrap() {
            assert!(times["cache"]["seconds"].as_f64() > Some(0.0));
        }
        assert_eq!(figures["searches"].as_array().unwrap().len(), 4);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// Sizes of 524,288 buckets with some positions, from the paper's Table III: the size, and how
    /// many have it. The other buckets share the other positions as evenly as possible, which
    /// changes no mean.
    const HALF_A_MILLION: [(usize, u64); 5] =
        [(0, 285_080), (2, 6), (3, 5), (455, 30_736), (456, 208_461)];
    /// The shares of buckets with 0 to 3 positions, as printed in Table V.
    const TABLE_V: [[&str; 4]; 3] = [
        ["0.5443", "0", "1.14e-5", "0.95e-5"],
        ["0.3361", "0.3664", "0.1998", "0.0726"],
        ["0.8041", "0.1753", "0.1913", "0.0139"],
    ];

    /// Reads a list of the paper's figures from the template of the page.
    fn printed<T: DeserializeOwned>(name: &str) -> T {
        let page = include_str!("../../../pages/lee.md");
        let (_, list) = page.split_once(&format!("set {name} = ")).unwrap();
        serde_json::from_str(list.split_once(" %}").unwrap().0).unwrap()
    }

    /// Returns a share in the format of a printed one.
    fn share(share: f64, printed: &str) -> String {
        match printed.split_once('e') {
            Some(_) if share < 1e-5 => format!("{:.2}e-5", 1e5 * share),
            Some(_) => format!("{share:.2e}"),
            None if printed == "0" => share.to_string(),
            None => format!("{share:.4}"),
        }
    }

    /// Checks the statement of the page about the paper's own figures: those of Tables IV to VII
    /// follow from its Table III, or are misprints.
    #[test]
    fn the_papers_tables_follow_from_its_table_iii() {
        let table_iii: Vec<[u64; 2]> = printed("printed_sizes");
        let mut few = vec![0; 457];
        for (size, count) in HALF_A_MILLION {
            few[size] = count;
        }
        let mut all = vec![Sizes(few)];
        for (i, buckets) in [100_000_000, 500_000_000].into_iter().enumerate() {
            let sizes = Sizes(table_iii.iter().map(|row| row[i]).collect());
            assert_eq!(sizes.buckets(), buckets);
            // Random, as a good hash function makes them.
            for (size, expected) in (0..4).zip(expected(buckets, WITHIN[7])) {
                let excess = sizes.of_size(size..=size) as f64 - expected;
                assert!(excess.abs() < 4.0 * expected.sqrt(), "{size} {excess}");
            }
            all.push(sizes);
        }
        let schemes: Vec<(u64, String, String, f64)> = printed("printed_schemes");
        let mean = |words: &str| words.split('±').next().unwrap_or_default().to_owned();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for ((sizes, shares), schemes) in all.iter().zip(TABLE_V).zip(schemes.chunks(4)) {
            assert_eq!(sizes.sum(u64::from), WITHIN[7]);
            let buckets = sizes.buckets() as f64;
            for (size, printed) in (0..).zip(shares) {
                let of_size = sizes.of_size(size..=size) as f64;
                pairs.push((printed.to_owned(), share(of_size / buckets, printed)));
            }
            for ((bytes, in_hash2, accesses, hours), method) in schemes.iter().zip(Method::ALL) {
                let again = sizes.accesses(method).0;
                pairs.push((bytes.to_string(), sizes.bytes(method).to_string()));
                pairs.push((mean(in_hash2), format!("{:.2}", sizes.in_hash2(method).0)));
                pairs.push((mean(accesses), format!("{again:.2}")));
                // Hours for a million positions, with 10 ms for an access.
                let hours_again = again * 1e6 * 0.010 / 3600.0;
                pairs.push((format!("{hours:.2}"), format!("{hours_again:.2}")));
                // Method 4 has an index more for each bucket of four or more; methods 3 and 4 of
                // half a million buckets lack the one or two positions whose numbers are in hash1.
                let more = [0, 0, 0, 4 * sizes.of_size(4..)][method as usize];
                assert_eq!(sizes.bytes(method) + more, *bytes);
                let left_out = match sizes.buckets() {
                    524_288 => [0, 0, 1, 2][method as usize] * sizes.of_size(1..),
                    _ => 0,
                };
                let left_out = left_out as f64 / buckets;
                assert_eq!(mean(accesses), format!("{:.2}", again - left_out));
            }
        }
        let agree = pairs.iter().filter(|(printed, again)| printed == again);
        assert_eq!((agree.count(), pairs.len()), (50, 60), "{pairs:#?}");
    }
}
