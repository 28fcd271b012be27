//! The stored backward space, and the time of look-ups of absent positions in it, from disk and
//! from memory.

use super::absence::absent;
use super::form;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, ExperimentOptions};
use crate::lab::Lab;
use crate::lee::backward::BackwardSpace;
use crate::lee::hashed_membership::{BUCKETS, Hash, HashedSpace, Method, Scheme};
use crate::lee::heuristic::{PartialBound, Partials};
use crate::lee::search::{AstarSettings, search as astar};
use crate::lee::stored_space::{PositionKey, StoredSpace};
use crate::lee::{Perimeter, WITHIN};
use crate::main_engine;
use crate::stored_results::StoredResults;
use crate::template::{Value, row};
use cosette::table::TableSize;
use std::fs::File;
use std::time::{Duration, Instant};

/// Measures the stored backward space: its size, level by level, and the cost of building it. With
/// full effort it is built to seven moves, and stays in the lab's folder.
pub fn space(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let kept = StoredResults::of(lab, request, "lee-space")?;
    if kept.is_open() && kept.get("seconds").is_none() {
        build(lab, &kept, 7)?;
    }
    let mut form = form("space", &kept);
    form.table("II").fill(|row| {
        let d_back = row.count(0) as usize;
        let classes = row.number(8);
        let megabytes = |bytes: f64| match bytes / 1e6 {
            few @ ..100.0 => Cell::Number(few, 2),
            many => Cell::Count(many.round() as u64),
        };
        let positions = WITHIN[d_back];
        let sizes = [40.0, 9.0].map(|bytes| megabytes(bytes * positions as f64));
        let classes = [8.0, 9.0 / 8.0].map(|bytes| megabytes(bytes * classes));
        row![positions, WITHIN[20 - d_back]]
            .into_iter()
            .chain(sizes.into_iter().chain(classes).map(Value::from))
    });
    for (name, place) in [("stored", 0), ("classes", 1)] {
        form.say(
            name,
            kept.number("seconds", place)
                .map_or(String::new(), |seconds| format!("{seconds:.0}")),
        );
    }
    Ok(form.experiment())
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

/// Measures the time to confirm absence with the paper's schemes and XXH3. With full effort, up to
/// 10 GB of arrays are written into the lab's folder and removed again; those that searches use
/// stay.
pub fn times(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let kept = StoredResults::of(lab, request, "lee-times")?;
    if kept.is_open() {
        measure_all(
            lab,
            &kept,
            7,
            &BUCKETS,
            [1_000_000, 10_000],
            request.seed_or(1),
        )?;
        search_all(lab, &kept, 7, [10, 11, 12, 13])?;
    }
    let mut form = form("times", &kept);
    form.table("times").fill(|row| {
        let key = format!("{} {}", row.count(0), row.count(1));
        let value = |place| Value::from(kept.number(&key, place));
        (0..7).map(value).collect::<Vec<_>>()
    });
    form.table("searches").fill(|row| {
        let key = format!("search {}", row.count(0));
        (0..5)
            .map(|place| Value::from(kept.number(&key, place)))
            .collect::<Vec<_>>()
    });
    Ok(form.experiment())
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
    /// On disk: the system is requested to drop the files from its cache again and again, and not
    /// to read ahead.
    Disk,
    /// In the system's page cache.
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

    /// The one digit of Table II that differs.
    #[test]
    fn the_paper_s_forward_column() {
        let mut form = form("space", &StoredResults::read(""));
        for row in form.table("II").rows() {
            let d_back = row.count(0) as usize;
            let misprint = if d_back == 5 { 8 } else { 0 };
            assert_eq!(
                (row.count(1), row.count(3)),
                (WITHIN[d_back], WITHIN[20 - d_back] + misprint)
            );
        }
    }
}
