//! The hashing schemes as an experiment: what the paper's Tables III to VIII show.
//!
//! Everything in those tables follows from one list: how many buckets hold how many positions ([`Sizes`]). The paper prints
//! the whole list for 100 and 500 million buckets, so its tables can be computed again from its own Table III.

use super::form;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request};
use crate::form::{Form, Row, row};
use crate::kept::Kept;
use crate::lab::Lab;
use crate::lee::WITHIN;
use crate::lee::absence::{BUCKETS, Hash, Method};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Key, StoredSpace};
use cosette::cube::{Cube, Move, random_positions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::RangeBounds;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How fast the paper's hashing schemes confirm absence, counted: d_back is 7, with the paper's numbers of buckets.
pub fn absence(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-hashing")?;
    if kept.is_open() {
        count_all(lab, &kept, 7, &BUCKETS, 1_000_000, request.seed_or(1))?;
    }
    let mut form = form("absence", &kept);
    let all = all(&mut form, &kept);
    fill(&mut form, &kept, &all);
    Ok(form.experiment())
}

/// Counts, for each number of buckets and each hash function, buckets by size, and the accesses that absent positions take.
fn count_all(lab: &Lab<'_>, kept: &Kept, depth: u8, buckets: &[u64], asked: usize, seed: u64) -> Result<(), LabError> {
    let trials = buckets.iter().flat_map(|&buckets| Hash::ALL.map(|hash| (buckets, hash)));
    let missing = |&(buckets, hash): &(u64, Hash)| kept.get(&format!("{} {buckets} largest", hash.name())).is_none();
    let missing: Vec<(u64, Hash)> = trials.filter(missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let space = StoredSpace::in_lab(lab, depth)?;
    let [random, beyond] = absent(lab, &space, &Perimeter::new(depth, lab)?, asked, seed)?;
    for (buckets, hash) in missing {
        let (sizes, answers) = Sizes::count(lab, &space, hash, buckets, &[&random, &beyond])?;
        let key = format!("{} {buckets}", hash.name());
        for (name, found) in ["random", "beyond"].into_iter().zip(&answers) {
            for method in Method::ALL {
                let accesses: u64 = found.iter().map(|&size| method.accesses(size)).sum();
                let mean = format!("{:.4}", accesses as f64 / found.len() as f64);
                kept.add(&format!("{key} {name} {}", method.number()), &[&mean, &found.len()])?;
            }
        }
        // Of the poor one the empty buckets are enough.
        for (size, count) in sizes.0.iter().filter(|&(&size, _)| hash == Hash::Mixed || size == 0) {
            kept.add(&format!("{key} size {size}"), &[&count])?;
        }
        // Last, so that a trial that was interrupted is counted again.
        kept.add(&format!("{key} largest"), &[&sizes.largest()])?;
    }
    Ok(())
}

/// So many buckets, in the paper and here.
struct Buckets {
    count: u64,
    /// The paper's Table III: all sizes, or of half a million buckets the lines that it prints.
    printed: Sizes,
    /// With XXH3.
    ours: Sizes,
}

impl Buckets {
    /// Those that a row of a table is about.
    fn of<'a>(all: &'a [Buckets; 3], row: Row<'_>) -> &'a Buckets {
        all.iter().find(|buckets| buckets.count == row.count(0)).expect("each row begins with a number of buckets")
    }

    /// Whether the paper prints all sizes.
    fn is_complete(&self) -> bool {
        self.printed.positions() == WITHIN[7]
    }

    /// How many of the paper's buckets are not empty.
    fn filled(&self) -> u64 {
        self.count - self.printed.of_size(..=0)
    }

    /// How many of them hold four positions or more.
    fn large(&self) -> u64 {
        self.filled() - self.printed.of_size(1..=3)
    }

    /// The bytes of both arrays, from Table III: what it tells of buckets with up to three positions is enough.
    fn bytes(&self, method: Method) -> u64 {
        let [one, two, three] = [1, 2, 3].map(|size| self.printed.of_size(size..=size));
        let in_hash1 = [0, one, self.filled() + two, 2 * self.filled() + three - one][method as usize];
        4 * (self.count * method.words() as u64 + WITHIN[7] - in_hash1)
    }

    /// The mean accesses, from Table III.
    fn accesses(&self, method: Method) -> f64 {
        let beyond = self.count - self.printed.of_size(..=method.most_in_entry());
        1.0 + (beyond + WITHIN[7]) as f64 / self.count as f64
    }
}

/// What the paper prints, of each number of buckets, beside what is kept.
fn all(form: &mut Form, kept: &Kept) -> [Buckets; 3] {
    let number = |text: &str| text.parse().expect("sizes and counts are whole numbers");
    BUCKETS.map(|count| {
        let ours = kept.all(&format!("{} {count} size ", Hash::Mixed.name()));
        Buckets {
            count,
            printed: form
                .table(&format!("III {count}"))
                .rows()
                .map(|row| (row.count(0) as u32, row.count(1)))
                .collect(),
            ours: ours.iter().map(|(size, count)| (number(size) as u32, number(&count[0]))).collect(),
        }
    })
}

/// The method that a row is about.
fn method(row: Row<'_>) -> Method {
    Method::ALL[row.count(1) as usize - 1]
}

fn with_deviation((mean, deviation): (f64, f64)) -> String {
    format!("{mean:.2}±{deviation:.2}")
}

/// Hours for a million positions, at the 10 ms that the paper assumes for a random access to a disk.
fn hours(accesses: f64) -> f64 {
    accesses * 1e6 * 0.010 / 3600.0
}

fn fill(form: &mut Form, kept: &Kept, all: &[Buckets; 3]) {
    let [half, fewer, more] = all;
    form.table("III 524288").fill(|row| {
        let size = row.count(0) as u32;
        row![half.ours.of_size(size..=size)]
    });
    let [smallest, largest] = [half.ours.smallest(), half.ours.largest()];
    form.table("III 524288").row(row![format!("{smallest} to {largest}"), Cell::Nothing, half.ours.of_size(..)]);
    for Buckets { count, printed, ours } in [fewer, more] {
        let mut poisson = poisson(WITHIN[7] as f64 / *count as f64);
        form.table(&format!("III {count}")).fill(|row| {
            let size = row.count(0) as u32;
            let [paper, ours] = [printed, ours].map(|sizes| sizes.of_size(size..=size));
            let expected = poisson.next().expect("it has no end") * *count as f64;
            row![ours, ours as f64 / paper as f64, expected]
        });
    }
    form.table("fit").fill(|row| {
        let Buckets { count, printed, ours } = Buckets::of(all, row);
        let ((own, cells), count) = (ours.chi_squared(), *count as f64);
        let [paper, empty] = [printed.of_size(..=0) as f64 / count, ours.share(..=0)].map(|share| 100.0 * share);
        let chi_squared = match Buckets::of(all, row).is_complete() {
            true => Cell::Number(printed.chi_squared().0, 1),
            false => Cell::text("beyond all measure"),
        };
        row![paper, empty, 100.0 * (-(WITHIN[7] as f64) / count).exp(), cells, chi_squared, own]
    });
    form.table("IV").fill(|row| {
        let (buckets, method) = (Buckets::of(all, row), method(row));
        let (again, ours) = (buckets.bytes(method), buckets.ours.bytes(method));
        let large = (method == Method::Three).then_some(4 * buckets.large());
        let head = row![again, row.count(2) - again].into_iter().chain(large.map(Into::into));
        head.chain(row![ours, ours as f64 / row.number(2)]).collect::<Vec<_>>()
    });
    form.table("V").fill(|row| {
        let (buckets, size) = (Buckets::of(all, row), row.count(1) as u32);
        let again = buckets.printed.of_size(size..=size) as f64 / buckets.count as f64;
        let digits = if !buckets.is_complete() && size > 0 { 7 } else { 4 };
        row![Cell::Number(again, digits), buckets.ours.share(size..=size)]
    });
    form.table("V in hash2").fill(|row| {
        let (buckets, method) = (Buckets::of(all, row), method(row));
        let both = [&buckets.printed, &buckets.ours].into_iter().skip(usize::from(!buckets.is_complete()));
        both.map(|sizes| with_deviation(sizes.mean(|size| method.in_hash2(size).into(), false)).into())
            .collect::<Vec<_>>()
    });
    form.table("VI").fill(|row| {
        let (buckets, method) = (Buckets::of(all, row), method(row));
        let paper: f64 = row.words(2).split('±').next().and_then(|mean| mean.parse().ok()).unwrap_or_default();
        let again = match buckets.is_complete() {
            true => with_deviation(buckets.printed.accesses(method)),
            false => format!("{:.2}", buckets.accesses(method)),
        };
        let ours = buckets.ours.accesses(method);
        row![again, with_deviation(ours), ours.0 / paper]
    });
    form.table("VII").fill(|row| {
        let (buckets, method) = (Buckets::of(all, row), method(row));
        let ours = hours(buckets.ours.accesses(method).0);
        row![hours(buckets.accesses(method)), ours, ours / row.number(2)]
    });
    let space = (40 * WITHIN[7]) as f64;
    let [few_bytes, many_bytes] = [fewer, more].map(|buckets| buckets.ours.bytes(Method::Two) as f64);
    let [few_accesses, many_accesses] = [fewer, more].map(|buckets| buckets.ours.accesses(Method::Two).0);
    let mut summary = [
        space / 1e9,
        few_bytes / 1e9,
        many_bytes / 1e9,
        (many_bytes - few_bytes) / 1e9,
        100.0 * many_accesses / few_accesses,
        100.0 * more.ours.bytes(Method::Three) as f64 / space,
    ]
    .into_iter();
    form.table("VIII").fill(|row| {
        let (paper, ours) = (row.number(1), summary.next().expect("six are printed"));
        row![Cell::Number(ours, if paper > 50.0 { 1 } else { 2 }), ours / paper]
    });
    form.table("poor").fill(|row| {
        let number = |rest: &str| kept.number(&format!("{} {} {rest}", row.words(1), row.count(0)), 0);
        let empty = 100.0 * number("size 0").unwrap_or(0.0) / row.number(0);
        row![empty, number("largest"), number("random 2"), number("beyond 2")]
    });
}

/// How many buckets are counted at a time, in 256 MB.
const AT_A_TIME: u64 = 1 << 26;

/// How many buckets there are of each size.
pub struct Sizes(BTreeMap<u32, u64>);

impl FromIterator<(u32, u64)> for Sizes {
    fn from_iter<T: IntoIterator<Item = (u32, u64)>>(sizes: T) -> Sizes {
        Sizes(sizes.into_iter().collect())
    }
}

impl Sizes {
    /// Counts the positions in each bucket, and says how many there are in the buckets of each of these sets of keys.
    pub fn count(
        lab: &Lab<'_>,
        space: &StoredSpace,
        hash: Hash,
        buckets: u64,
        asked: &[&[Key]],
    ) -> Result<(Sizes, Vec<Vec<u32>>), LabError> {
        let mut sizes: BTreeMap<u32, u64> = BTreeMap::new();
        let mut answers: Vec<Vec<u32>> = asked.iter().map(|keys| vec![0; keys.len()]).collect();
        let counts: Vec<AtomicU32> = (0..AT_A_TIME.min(buckets)).map(|_| AtomicU32::new(0)).collect();
        for first in (0..buckets).step_by(AT_A_TIME as usize) {
            lab.step(&format!("counting {buckets} buckets"), first, buckets);
            let counts = &counts[..AT_A_TIME.min(buckets - first) as usize];
            let count_of = |key| counts.get(hash.bucket(key, buckets).wrapping_sub(first) as usize);
            let count = |_, keys: &mut dyn Iterator<Item = Key>| {
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

    /// How many buckets there are.
    pub fn buckets(&self) -> u64 {
        self.0.values().sum()
    }

    /// How many hold a number of positions in this range.
    pub fn of_size(&self, sizes: impl RangeBounds<u32>) -> u64 {
        self.0.range(sizes).map(|(_, count)| count).sum()
    }

    /// How many positions they hold.
    pub fn positions(&self) -> u64 {
        self.0.iter().map(|(&size, count)| u64::from(size) * count).sum()
    }

    /// How many positions the least full holds.
    pub fn smallest(&self) -> u32 {
        self.0.first_key_value().map_or(0, |(&size, _)| size)
    }

    /// How many positions the fullest holds.
    pub fn largest(&self) -> u32 {
        self.0.last_key_value().map_or(0, |(&size, _)| size)
    }

    /// The share of the buckets with a number of positions in this range.
    pub fn share(&self, sizes: impl RangeBounds<u32>) -> f64 {
        self.of_size(sizes) as f64 / self.buckets() as f64
    }

    /// The mean of a value over all buckets, or over those for which it is positive, with its deviation.
    pub fn mean(&self, value: impl Fn(u32) -> u64, of_all: bool) -> (f64, f64) {
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
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

    /// How many bytes the two arrays of a method take.
    pub fn bytes(&self, method: Method) -> u64 {
        let numbers: u64 = self.0.iter().map(|(&size, count)| count * u64::from(method.in_hash2(size))).sum();
        4 * (self.buckets() * method.words() as u64 + numbers)
    }

    /// The random accesses that confirm that a random position is absent, with their deviation.
    pub fn accesses(&self, method: Method) -> (f64, f64) {
        self.mean(|size| method.accesses(size), true)
    }

    /// Chi-squared of sizes against Poisson's law, with the number of cells: those of fewer than five expected buckets are one.
    pub fn chi_squared(&self) -> (f64, usize) {
        let buckets = self.buckets() as f64;
        let mut cells: Vec<(f64, f64)> = Vec::new();
        let mut rest = (0.0, 0.0);
        for (size, chance) in (0..1000).zip(poisson(self.positions() as f64 / buckets)) {
            let (observed, expected) = (self.of_size(size..=size) as f64, chance * buckets);
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
        (cells.iter().map(|(observed, expected)| (observed - expected).powi(2) / expected).sum(), cells.len())
    }
}

/// The chances that a bucket holds 0, 1, 2, … positions where there are `mean` on average.
fn poisson(mean: f64) -> impl Iterator<Item = f64> {
    // As logarithms, which do not underflow.
    let next = move |&(size, chance): &(u32, f64)| Some((size + 1, chance + (mean / f64::from(size + 1)).ln()));
    std::iter::successors(Some((0, -mean)), next).map(|(_, chance)| chance.exp())
}

/// The keys of `count` positions that are not stored, uniformly random ones; and of as many one move beyond, children of random
/// positions of the last level: a search that comes near asks for those. That they are absent is checked with the classes, which
/// share no look-up with the hashing schemes; a random position is stored with a chance of 10⁻¹¹ at most.
pub(super) fn absent(
    lab: &Lab<'_>,
    space: &StoredSpace,
    classes: &Perimeter,
    count: usize,
    seed: u64,
) -> Result<[Vec<Key>; 2], LabError> {
    lab.step("drawing absent positions", 0, 2 * count as u64);
    let is_absent = |position: &Cube| classes.distance(position).is_none();
    let positions = random_positions(seed).take_while(|_| !lab.control.is_cancelled());
    let random = positions.filter(is_absent).take(count).map(|position| Key::of(&position)).collect();
    lab.step("drawing absent positions", count as u64, 2 * count as u64);
    let level = StoredSpace::level(space.depth());
    let child = |number: u64| {
        lab.check()?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let parent = space.get(rng.random_range(level.clone()))?.position;
        let mut children = std::iter::repeat_with(|| parent.turned(Move::ALL[rng.random_range(0..Move::COUNT)]));
        // Each position of the last level within eight moves has a child beyond.
        Ok(children.by_ref().take(1000).find(is_absent).map(|child| Key::of(&child)))
    };
    let children = || (0..count as u64).into_par_iter().map(child).collect::<Result<Vec<Option<Key>>, LabError>>();
    Ok([random, lab.control.in_pool(children)??.into_iter().flatten().collect()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page says of the paper's own figures.
    #[test]
    fn the_papers_tables_follow_from_its_table_iii() {
        let kept = Kept::of_program("lee-hashing");
        let mut form = form("absence", &kept);
        let all = all(&mut form, &kept);
        // Method 4 with an index more for each bucket of four or more.
        for row in form.table("IV").rows() {
            let (buckets, method) = (Buckets::of(&all, row), method(row));
            let more = if method == Method::Three { 4 * buckets.large() } else { 0 };
            assert_eq!(buckets.bytes(method) + more, row.count(2));
        }
        // Of half a million buckets methods 3 and 4 are printed without the one or two positions whose numbers stand in hash1.
        for row in form.table("VI").rows() {
            let (buckets, method) = (Buckets::of(&all, row), method(row));
            let left_out = if buckets.is_complete() { 0 } else { [0, 0, 1, 2][method as usize] };
            let left_out = (left_out * buckets.filled()) as f64 / buckets.count as f64;
            let accesses = format!("{:.2}±", buckets.accesses(method) - left_out);
            assert!(row.words(2).starts_with(&accesses), "{accesses}");
            if buckets.is_complete() {
                assert_eq!(buckets.printed.bytes(method), buckets.bytes(method));
                assert_eq!(format!("{:.2}±", buckets.printed.accesses(method).0), accesses);
            }
        }
        assert_eq!(all[0].large(), 239_197);
        // Poisson's law leaves 33.6 % of 100 million buckets empty.
        assert!((0.334..0.338).contains(&all[1].ours.share(..=0)));
        // Both whole lists are as random as a good hash function makes them.
        let [_, second, third] = all.map(|buckets| buckets.printed);
        assert_eq!([&second, &third].map(Sizes::buckets), [BUCKETS[1], BUCKETS[2]]);
        assert_eq!([&second, &third].map(Sizes::positions), [WITHIN[7]; 2]);
        let chi = [second, third].map(|sizes| sizes.chi_squared());
        assert!((chi[0].0 - 13.2).abs() < 0.1 && chi[0].1 == 11, "{chi:?}");
        assert!((chi[1].0 - 9.8).abs() < 0.1 && chi[1].1 == 7, "{chi:?}");
    }
}
