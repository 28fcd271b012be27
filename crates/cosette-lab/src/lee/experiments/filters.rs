//! The same question with today's means, as an experiment.

use super::trial::{Absent, Source, Timing, time};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::CUMULATIVE;
use crate::lee::absence::{BUCKETS, Filter, Hash, HashedSpace, Method, Scheme, SortedHashes};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Key, StoredSpace};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Confirming absence with what one would use today, beside the paper's method 2: static filters, sorted hashes,
/// symmetry classes. d_back is 5, or 7 with full effort, which takes a gigabyte of memory or two for a while.
pub fn filters(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (depth, asked) = if request.effort == Effort::Full { (7, 1_000_000) } else { (5, 100_000) };
    let space = StoredSpace::in_lab(lab, depth)?;
    let start = Instant::now();
    let classes = Perimeter::new(depth, lab)?;
    let classing = start.elapsed();
    let absent = Absent::draw(lab, &space, &classes, asked, request.seed)?;
    let [random, _] = absent.keys();

    let columns = "what | bytes | bits a position | seconds to build | accesses in memory | false positives, % | \
                   seconds a million | ns a position";
    let caption = format!(
        "Confirming that {} random positions are not among the {} within {depth} moves.",
        random.len(),
        space.len()
    );
    let mut rows = Rows { table: Table::headed(caption, columns), positions: space.len() };

    let share = CUMULATIVE[usize::from(depth)] as f64 / CUMULATIVE[7] as f64;
    let buckets = (BUCKETS[1] as f64 * share).round() as u64;
    let path = lab.folder.path().join("lee-index-trial");
    let scheme = Scheme { hash: Hash::Mixed, method: Method::One, buckets };
    let start = Instant::now();
    let hashed = HashedSpace::build(space, &path, scheme, &lab.control.silent())?;
    let building = start.elapsed();
    let timing = time(lab, &hashed, &random, Source::Memory, Duration::from_secs(30));
    StoredSpace::remove(&path)?;
    if let Some(Timing { positions, accesses, elapsed }) = timing? {
        let lookups = Lookups { positions, accesses: accesses as f64 / positions as f64, taken: 0, elapsed };
        rows.row(&format!("method 2 with {buckets} buckets, page cache"), hashed.bytes(), building, lookups);
    }
    let space = hashed.into_space();

    let start = Instant::now();
    let sorted = SortedHashes::new(lab, &space)?;
    let sorting = start.elapsed();
    let mut accesses = 0;
    let lookups = Lookups::of(&random, 0.0, |&key| sorted.may_contain(key, &mut accesses));
    let lookups = Lookups { accesses: accesses as f64 / random.len() as f64, ..lookups };
    rows.row("sorted hashes of 64 bits, interpolation search", sorted.bytes(), sorting, lookups);

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
        rows.row(name, filter.bytes(), building, lookups);
        let missed = AtomicU64::new(0);
        let look = |_, keys: &mut dyn Iterator<Item = Key>| {
            missed.fetch_add(keys.filter(|&key| !filter.may_contain(key)).count() as u64, Relaxed);
        };
        space.for_each_stretch(look, &lab.control.silent())?;
        assert_eq!(missed.into_inner(), 0, "a filter never denies what it holds");
    }

    let lookups = Lookups::of(&absent.random, 1.0, |position| classes.distance(position).is_some());
    rows.row("symmetry classes, hash table", classes.bytes(), classing, lookups);

    Ok(Experiment::new(
        "filters",
        "Confirming absence with modern data structures",
        "Beside Lee 2013, Tables III to VIII",
    )
    .text(
        "Structures that fit in memory confirm absence without the disk. A binary fuse filter keeps a fingerprint \
             of each position. It has false positives, one in 256 or 65,536, which are then looked up exactly, but no \
             false negatives, as was checked with all stored positions. Sorted hashes and symmetry classes are exact.",
    )
    .text(
        "Bytes are those of the structure alone: a hashing scheme and a filter also need the positions on disk, \
             nine bytes each. The time to build a filter excludes hashing and sorting, which are in the row of the \
             sorted hashes. Accesses are those to the arrays; adjacent slots count once. Look-ups are made one after \
             another on one thread.",
    )
    .tables([rows.table]))
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

struct Rows {
    table: Table,
    positions: u64,
}

impl Rows {
    fn row(&mut self, what: &str, bytes: u64, building: Duration, lookups: Lookups) {
        let each = lookups.elapsed.as_secs_f64() / lookups.positions as f64;
        self.table.row([
            Cell::text(what),
            Cell::Count(bytes),
            Cell::Number(8.0 * bytes as f64 / self.positions as f64, 2),
            Cell::Seconds(building.as_secs_f64()),
            Cell::Number(lookups.accesses, 2),
            Cell::Number(100.0 * lookups.taken as f64 / lookups.positions as f64, 4),
            Cell::Seconds(1e6 * each),
            Cell::Number(1e9 * each, 0),
        ]);
    }
}
