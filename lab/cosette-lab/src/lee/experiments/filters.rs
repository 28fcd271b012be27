//! The same question with today's means, as an experiment.

use super::kept::{Kept, cell};
use super::trial::{Absent, Source, Timing, time};
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::absence::{BUCKETS, Filter, Hash, HashedSpace, Method, Scheme, SortedHashes};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Key, StoredSpace};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What was computed once, with full effort.
const RESULTS: &str = include_str!("../../../results/lee-filters.txt");

/// Confirming absence with what one would use today, beside the paper's method 2: static filters, sorted hashes,
/// symmetry classes. Computing it takes a gigabyte of memory or two for a while.
pub fn filters(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-filters", RESULTS)?;
    if kept.is_open() {
        compare(lab, &kept, 7, BUCKETS[1], 1_000_000, request.seed_or(1))?;
    }
    let columns = "what | bytes | bits a position | seconds to build | accesses in memory | false positives, % | \
                   ns a look-up";
    let caption = "Confirming that a million random positions are not among the 109,043,123 within 7 moves.";
    let mut table = Table::headed(caption, columns);
    for (what, values) in kept.all("") {
        let name = what.split_once(' ').map_or(what.as_str(), |(_, name)| name);
        table.row(std::iter::once(Cell::text(name)).chain(values.iter().map(|value| cell(value))));
    }
    Ok(Experiment::new(
        "filters",
        "Confirming absence with modern data structures",
        "Beside Lee 2013, Tables III to VIII",
    )
    .text("What one would use today, beside the paper's method 2.")
    .text(kept.circumstances.clone())
    .tables([table]))
}

/// Builds each structure and asks it for absent positions.
fn compare(lab: &Lab<'_>, kept: &Kept, depth: u8, buckets: u64, asked: usize, seed: u64) -> Result<(), LabError> {
    let space = StoredSpace::in_lab(lab, depth)?;
    let start = Instant::now();
    let classes = Perimeter::new(depth, lab)?;
    let classing = start.elapsed();
    let absent = Absent::draw(lab, &space, &classes, asked, seed)?;
    let [random, _] = absent.keys();

    let mut rows = Rows { kept, positions: space.len(), count: 0 };
    let path = lab.folder.path().join("lee-index-trial");
    let scheme = Scheme { hash: Hash::Mixed, method: Method::One, buckets };
    let start = Instant::now();
    let hashed = HashedSpace::build(space, &path, scheme, &lab.control.silent())?;
    let building = start.elapsed();
    let timing = time(lab, &hashed, &random, Source::Memory, Duration::from_secs(30));
    StoredSpace::remove(&path)?;
    if let Some(Timing { positions, accesses, elapsed }) = timing? {
        let lookups = Lookups { positions, accesses: accesses as f64 / positions as f64, taken: 0, elapsed };
        rows.add(&format!("method 2 with {buckets} buckets, page cache"), hashed.bytes(), building, &lookups)?;
    }
    let space = hashed.into_space();

    let start = Instant::now();
    let sorted = SortedHashes::new(lab, &space)?;
    let sorting = start.elapsed();
    let mut accesses = 0;
    let lookups = Lookups::of(&random, 0.0, |&key| sorted.may_contain(key, &mut accesses));
    let lookups = Lookups { accesses: accesses as f64 / random.len() as f64, ..lookups };
    rows.add("sorted hashes of 64 bits, interpolation search", sorted.bytes(), sorting, &lookups)?;

    for (name, build) in [
        ("binary fuse filter, 8 bits", Filter::eight as fn(&Lab<'_>, &SortedHashes) -> Result<Filter, LabError>),
        ("binary fuse filter, 16 bits", Filter::sixteen),
    ] {
        lab.check()?;
        lab.step(name, 0, 1);
        let start = Instant::now();
        let filter = build(lab, &sorted)?;
        let building = start.elapsed();
        let lookups = Lookups::of(&random, 3.0, |&key| filter.may_contain(key));
        rows.add(name, filter.bytes(), building, &lookups)?;
        let missed = AtomicU64::new(0);
        let look = |_, keys: &mut dyn Iterator<Item = Key>| {
            missed.fetch_add(keys.filter(|&key| !filter.may_contain(key)).count() as u64, Relaxed);
        };
        space.for_each_stretch(look, &lab.control.silent())?;
        assert_eq!(missed.into_inner(), 0, "a filter never denies what it holds");
    }

    let lookups = Lookups::of(&absent.random, 1.0, |position| classes.distance(position).is_some());
    rows.add("symmetry classes, hash table", classes.bytes(), classing, &lookups)?;

    Ok(())
}

/// The result of looking up absent positions.
struct Lookups {
    positions: u64,
    /// Accesses for each.
    accesses: f64,
    /// How many were taken for stored.
    taken: u64,
    elapsed: Duration,
}

impl Lookups {
    /// Asks `contains` for each of these.
    fn of<T>(absent: &[T], accesses: f64, mut contains: impl FnMut(&T) -> bool) -> Lookups {
        let start = Instant::now();
        let taken = absent.iter().filter(|position| contains(position)).count() as u64;
        Lookups { positions: absent.len() as u64, accesses, taken, elapsed: start.elapsed() }
    }
}

struct Rows<'a> {
    kept: &'a Kept,
    positions: u64,
    count: usize,
}

impl Rows<'_> {
    fn add(&mut self, what: &str, bytes: u64, building: Duration, lookups: &Lookups) -> Result<(), LabError> {
        self.count += 1;
        let values: [&dyn std::fmt::Display; 6] = [
            &bytes,
            &format!("{:.2}", 8.0 * bytes as f64 / self.positions as f64),
            &format!("{:.1}", building.as_secs_f64()),
            &format!("{:.2}", lookups.accesses),
            &format!("{:.4}", 100.0 * lookups.taken as f64 / lookups.positions as f64),
            &format!("{:.0}", 1e9 * lookups.elapsed.as_secs_f64() / lookups.positions as f64),
        ];
        self.kept.add(&format!("{} {what}", self.count), &values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lee::experiments::tests::in_empty_lab;

    #[test]
    fn five_structures_are_compared() {
        in_empty_lab(|lab| {
            let kept = Kept::read("");
            compare(lab, &kept, 4, 40_000, 1000, 1).unwrap();
            let rows = kept.all("");
            assert_eq!(rows.len(), 5);
            assert!(rows.iter().all(|(_, values)| values.len() == 6));
        });
    }
}
