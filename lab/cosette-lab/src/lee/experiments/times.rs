//! How long looking up absent positions takes, from disk and from memory.

use super::buckets::Absent;
use super::experiment;
use super::kept::Kept;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request};
use crate::lab::Lab;
use crate::lee::absence::{Accesses, BUCKETS, Hash, HashedSpace, Method, Scheme};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Key, StoredSpace};
use std::fs::File;
use std::time::{Duration, Instant};

/// What was computed once, with full effort.
const RESULTS: &str = include_str!("../../../results/lee-times.txt");

/// How long it takes to confirm absence with the paper's schemes and XXH3. With full effort up to 10 GB of arrays are written
/// into the lab's folder and removed again.
pub fn times(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-times", RESULTS)?;
    if kept.is_open() {
        measure_all(lab, &kept, 7, &BUCKETS, [1_000_000, 10_000], request.seed_or(1))?;
    }
    let columns = "buckets | method | computed with 10 ms, s* | from disk, s* | asked for* | µs an access* | \
                   from the page cache, s* | asked for* | µs an access*";
    let caption = "Seconds to confirm that a million random positions are absent, with XXH3: measured on some of the million, and \
                   scaled.";
    let mut table = kept.table(caption, columns);
    for (buckets, method) in BUCKETS.into_iter().flat_map(|buckets| Method::ALL.map(|method| (buckets, method))) {
        let value = |place| kept.number(&format!("{buckets} {}", method.number()), place);
        let figure = |(place, digits)| value(place).map_or(Cell::Nothing, |value| Cell::Number(value, digits));
        let asked = |place| value(place).map_or(Cell::Nothing, |value| Cell::Count(value as u64));
        let [computed, from_disk, each, from_memory, each_there] = [(0, 0), (1, 1), (3, 2), (4, 1), (6, 2)].map(figure);
        let head = [Cell::Count(buckets), Cell::Count(method.number())];
        table.row(head.into_iter().chain([computed, from_disk, asked(2), each, from_memory, asked(5), each_there]));
    }
    Ok(experiment("times", "Confirming absence, measured", "Beside Lee 2013, Table VII")
        .text(kept.circumstances())
        .tables([table]))
}

/// Builds the arrays of each method, measures and removes them. `asked` is how many positions are looked up at most, and in
/// how many milliseconds.
fn measure_all(
    lab: &Lab<'_>,
    kept: &Kept,
    depth: u8,
    buckets: &[u64],
    [asked, limit]: [u64; 2],
    seed: u64,
) -> Result<(), LabError> {
    let mut space = StoredSpace::in_lab(lab, depth)?;
    let classes = Perimeter::new(depth, lab)?;
    let absent = Absent::draw(lab, &space, &classes, asked as usize, seed)?;
    let [random, _] = absent.keys();
    let limit = Duration::from_millis(limit);
    for (buckets, method) in buckets.iter().flat_map(|&buckets| Method::ALL.map(|method| (buckets, method))) {
        let key = format!("{buckets} {}", method.number());
        if kept.get(&key).is_some() {
            continue;
        }
        let what = format!("method {} with {buckets} buckets", method.number());
        let path = lab.folder.path().join("lee-index-trial");
        let scheme = Scheme { hash: Hash::Mixed, method, buckets };
        let hashed = HashedSpace::build(space, &path, scheme, &lab.control.step(&what))?;
        let from_disk = time(lab, &hashed, &random, Source::Disk, limit);
        let from_memory = hashed.verify(&lab.control).and_then(|()| {
            hashed.space().verify(&lab.control.silent())?;
            time(lab, &hashed, &random, Source::Memory, limit)
        });
        StoredSpace::remove(&path)?;
        let values = |timing: Option<Timing>| match timing {
            Some(timing) => {
                format!("{:.3} {} {:.2}", timing.million(), timing.positions, timing.access())
            }
            None => "- - -".into(),
        };
        let from_memory = from_memory?;
        let accesses = from_memory.as_ref().map_or(0.0, |timing| timing.accesses as f64 / timing.positions as f64);
        let computed = format!("{:.1}", accesses * 1e6 * 0.010);
        kept.add(&key, &[&computed, &values(from_disk?), &values(from_memory)])?;
        space = hashed.into_space();
    }
    Ok(())
}

/// Where what is looked up lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// On disk: the system is asked to forget the files again and again, and not to read ahead.
    Disk,
    /// In the system's page cache.
    Memory,
}

/// How long looking up takes.
#[derive(Clone, Copy, Debug, Default)]
struct Timing {
    /// How many positions were looked up.
    positions: u64,
    /// How many random accesses that took.
    accesses: u64,
    /// How long.
    elapsed: Duration,
}

impl Timing {
    /// Seconds for a million positions.
    fn million(&self) -> f64 {
        1e6 * self.elapsed.as_secs_f64() / self.positions as f64
    }

    /// Microseconds an access.
    fn access(&self) -> f64 {
        1e6 * self.elapsed.as_secs_f64() / self.accesses as f64
    }
}

/// Looks up absent positions one after another on one thread, as many as `limit` allows. `None` if the system cannot
/// drop a file from its page cache.
fn time(
    lab: &Lab<'_>,
    hashed: &HashedSpace,
    keys: &[Key],
    from: Source,
    limit: Duration,
) -> Result<Option<Timing>, LabError> {
    let start = Instant::now();
    let mut timing = Timing::default();
    for some in keys.chunks(if from == Source::Disk { 50 } else { 200 }) {
        lab.check()?;
        if from == Source::Disk && !hashed.files().into_iter().all(forget) {
            return Ok(None);
        }
        let (start_of_some, mut accesses) = (Instant::now(), Accesses::default());
        for &key in some {
            debug_assert!(hashed.find(key, &mut Accesses::default())?.is_none());
            hashed.find(key, &mut accesses)?;
        }
        timing.elapsed += start_of_some.elapsed();
        timing.accesses += accesses.total();
        timing.positions += some.len() as u64;
        if start.elapsed() > limit {
            break;
        }
    }
    Ok(Some(timing))
}

/// Asks the system to drop a file from the page cache, and not to read ahead. Pages that are not on
/// disk yet stay; these files have been synced.
#[cfg(target_os = "linux")]
fn forget(file: &File) -> bool {
    use rustix::fs::{Advice, fadvise};
    fadvise(file, 0, None, Advice::DontNeed).is_ok() && fadvise(file, 0, None, Advice::Random).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn forget(_: &File) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lee::experiments::tests::in_empty_lab;

    #[test]
    fn each_method_is_measured_and_its_file_removed() {
        in_empty_lab(|lab| {
            let kept = Kept::read("");
            measure_all(lab, &kept, 3, &[2000], [500, 50], 1).unwrap();
            for method in Method::ALL {
                assert!(kept.number(&format!("2000 {}", method.number()), 4).unwrap() > 0.0);
            }
            assert_eq!(std::fs::read_dir(lab.folder.path()).unwrap().count(), 1, "the space");
        });
    }
}
