//! The hashing schemes as an experiment: the paper's Tables III to VIII.
//!
//! All figures in those tables follow from one list: the number of buckets of each size
//! ([`Sizes`]). The paper prints the whole list for 100 and 500 million buckets, so its tables can
//! be computed again from its own Table III.

use super::form;
use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions};
use crate::lab::Lab;
use crate::lee::Perimeter;
use crate::lee::WITHIN;
use crate::lee::backward::BackwardSpace;
use crate::lee::hashed_membership::{BUCKETS, Hash, Method};
use crate::lee::stored_space::{PositionKey, StoredSpace};
use crate::stored_results::StoredResults;
use crate::template::{PageTemplate, row};
use cosette::cube::{Cube, Move, random_positions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::RangeBounds;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Counts the accesses with which the paper's hashing schemes confirm absence: d_back is 7, with
/// the paper's numbers of buckets.
pub fn absence(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let kept = StoredResults::of(lab, request, "lee-hashing")?;
    if kept.is_open() {
        count_all(lab, &kept, 7, &BUCKETS, 1_000_000, request.seed_or(1))?;
    }
    let mut form = form("absence", &kept);
    fill(&mut form, &kept);
    Ok(form.experiment())
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

fn fill(form: &mut PageTemplate, kept: &StoredResults) {
    let all = BUCKETS.map(|buckets| counted(kept, buckets));
    let of = |buckets| {
        &all[BUCKETS
            .iter()
            .position(|&count| count == buckets)
            .expect("the paper has so many buckets")]
    };
    form.table("fit").fill(|row| {
        let sizes = of(row.count(0));
        let (chi_squared, cells) = of(row.count(0)).chi_squared();
        let poisson = (-(WITHIN[7] as f64) / row.number(0)).exp();
        row![
            100.0 * sizes.share(..=0),
            100.0 * poisson,
            cells,
            chi_squared
        ]
    });
    form.table("III").fill(|row| {
        let size = row.count(0) as u32;
        [&all[1], &all[2]].map(|sizes| sizes.of_size(size..=size).into())
    });
    form.table("schemes").fill(|row| {
        let sizes = of(row.count(0));
        let method = Method::ALL[row.count(1) as usize - 1];
        let in_hash2 = sizes.mean(|size| method.in_hash2(size).into(), false);
        let accesses = sizes.accesses(method);
        row![
            sizes.bytes(method),
            with_deviation(in_hash2),
            with_deviation(accesses),
            hours(accesses.0)
        ]
    });
    let [_, fewer, more] = &all;
    let stored = (40 * WITHIN[7]) as f64;
    let [few, many] = [fewer, more].map(|sizes| sizes.bytes(Method::Two) as f64);
    let time = more.accesses(Method::Two).0 / fewer.accesses(Method::Two).0;
    form.say("few", format!("{:.2}", few / 1e9))
        .say("many", format!("{:.2}", many / 1e9));
    form.say("more", format!("{:.2}", (many - few) / 1e9))
        .say("time", format!("{:.1}", 100.0 * time));
    form.say(
        "most",
        format!("{:.1}", 100.0 * more.bytes(Method::Three) as f64 / stored),
    );
    let poor = |rest: &str| {
        kept.number(
            &format!("{} {} {rest}", Hash::Corners.name(), BUCKETS[1]),
            0,
        )
        .unwrap_or(0.0)
    };
    form.say(
        "empty",
        format!("{:.0}", 100.0 * poor("size 0") / BUCKETS[1] as f64),
    )
    .say("largest", poor("largest"));
    form.say("random", format!("{:.1}", poor("random 2")))
        .say("beyond", format!("{:.1}", poor("beyond 2")));
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

    /// Returns the number of positions in the smallest bucket.
    pub fn smallest(&self) -> u32 {
        self.0.first_key_value().map_or(0, |(&size, _)| size)
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

    /// Returns chi-squared of the sizes against Poisson's law, with the number of cells; cells with
    /// fewer than five expected buckets are merged.
    pub fn chi_squared(&self) -> (f64, usize) {
        let buckets = self.buckets() as f64;
        let mut cells: Vec<(f64, f64)> = Vec::new();
        let mut rest = (0.0, 0.0);
        for (size, chance) in (0..1000).zip(poisson(self.positions() as f64 / buckets)) {
            let observed = self.of_size(size..=size) as f64;
            let expected = chance * buckets;
            if expected >= 5.0 {
                cells.push((observed, expected));
            } else {
                rest = (rest.0 + observed, rest.1 + expected);
            }
        }
        match cells.last_mut() {
            Some(last) if rest.1 < 5.0 => *last = (last.0 + rest.0, last.1 + rest.1),
            _ => cells.push(rest),
        }
        (
            cells
                .iter()
                .map(|(observed, expected)| (observed - expected).powi(2) / expected)
                .sum(),
            cells.len(),
        )
    }
}

/// Returns the probabilities of 0, 1, 2, … positions in a bucket, with `mean` on average.
fn poisson(mean: f64) -> impl Iterator<Item = f64> {
    // As logarithms, which do not underflow.
    let next = move |&(size, chance): &(u32, f64)| {
        Some((size + 1, chance + (mean / f64::from(size + 1)).ln()))
    };
    std::iter::successors(Some((0, -mean)), next).map(|(_, chance)| chance.exp())
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

#[cfg(test)]
mod tests {
    use super::*;

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
    struct Printed([u64; 4], u64);

    impl Printed {
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
    }

    /// Checks the statement of the page about the paper's own figures: those of Tables IV to VII
    /// follow from its Table III, or are misprints.
    #[test]
    fn the_papers_tables_follow_from_its_table_iii() {
        let mut form = form("absence", &StoredResults::of_program("lee-hashing"));
        let column = |form: &mut PageTemplate, column| {
            form.table("III")
                .rows()
                .map(|row| (row.count(0) as u32, row.count(column)))
                .collect::<Sizes>()
        };
        let whole = [1, 3].map(|number| column(&mut form, number));
        let first = |sizes: &Sizes| [0, 1, 2, 3].map(|size| sizes.of_size(size..=size));
        let [fewer, more] = [0, 1].map(|i| Printed(first(&whole[i]), BUCKETS[i + 1]));
        let all = [Printed(HALF_A_MILLION, BUCKETS[0]), fewer, more];
        let mut agree = 0;
        let mut differ = Vec::new();
        let mut compare = |what: String, printed: &str, again: &str| match printed == again {
            true => agree += 1,
            false => differ.push(format!("{what}: {printed}, {again}")),
        };
        for (printed, shares) in all.iter().zip(TABLE_V) {
            for (count, share) in printed.0.iter().zip(shares) {
                let again = *count as f64 / printed.1 as f64;
                let again = match share.split_once('e') {
                    Some(_) if again < 1e-5 => format!("{:.2}e-5", 1e5 * again),
                    Some(_) => format!("{:.2e}", again),
                    None if share == "0" => again.to_string(),
                    None => format!("{again:.4}"),
                };
                compare("V".into(), share, &again);
            }
        }
        for row in form.table("schemes").rows() {
            let printed = all
                .iter()
                .find(|printed| printed.1 == row.count(0))
                .expect("it is one of the three");
            let method = Method::ALL[row.count(1) as usize - 1];
            let at = |table: &str| format!("{table} {} {}", row.count(0), row.count(1));
            compare(
                at("IV"),
                &row.count(2).to_string(),
                &printed.bytes(method).to_string(),
            );
            let mean = |words: &str| words.split('±').next().unwrap_or_default().to_owned();
            compare(
                at("V"),
                &mean(row.words(4)),
                &format!("{:.2}", printed.in_hash2(method)),
            );
            compare(
                at("VI"),
                &mean(row.words(6)),
                &format!("{:.2}", printed.accesses(method)),
            );
            compare(
                at("VII"),
                &format!("{:.2}", row.number(8)),
                &format!("{:.2}", hours(printed.accesses(method))),
            );
            // Method 4 has an index more for each bucket of four or more; methods 3 and 4 of half a
            // million buckets lack the one or two positions whose numbers are in hash1.
            let large = printed.filled() - printed.0[1..].iter().sum::<u64>();
            let more = if method == Method::Three {
                4 * large
            } else {
                0
            };
            assert_eq!(printed.bytes(method) + more, row.count(2));
            let left_out = if printed.1 == BUCKETS[0] {
                [0, 0, 1, 2][method as usize]
            } else {
                0
            };
            let left_out = (left_out * printed.filled()) as f64 / printed.1 as f64;
            assert_eq!(
                mean(row.words(6)),
                format!("{:.2}", printed.accesses(method) - left_out)
            );
        }
        assert_eq!((agree, differ.len()), (50, 10), "{differ:#?}");
        assert!(
            form.experiment()
                .tables
                .iter()
                .any(|table| table.folded.contains("50 agree, 10 are misprints"))
        );
        // Poisson's law leaves 33.6 % of 100 million buckets empty; both whole lists are as random
        // as a good hash function makes them.
        for ((sizes, buckets), chi_squared) in
            whole.iter().zip(&BUCKETS[1..]).zip([(13.2, 11), (9.8, 7)])
        {
            assert_eq!((sizes.buckets(), sizes.positions()), (*buckets, WITHIN[7]));
            let found = sizes.chi_squared();
            assert!(
                (found.0 - chi_squared.0).abs() < 0.1 && found.1 == chi_squared.1,
                "{found:?}"
            );
        }
    }
}
