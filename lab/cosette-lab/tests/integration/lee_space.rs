//! The stored backward space and its hashing schemes: exact, and with the accesses and bytes that
//! counting foretells. What else may be wrong
//! with such files, and with the disk, is tested where all files of tables are (`table_files` and
//! `generation` of the library, `.ci/attacks/disk`).

use crate::support::{cancelled, two};
use cosette::cube::{Cube, Move, random_positions};
use cosette::table::TableFolder;
use cosette::{Cancel, Control, Progress};
use cosette_lab::error::{LabError, LabRemedy};
use cosette_lab::lab::Lab;
use cosette_lab::lee::WITHIN;
use cosette_lab::lee::backward::BackwardSpace;
use cosette_lab::lee::experiments::Sizes;
use cosette_lab::lee::hashed_membership::{Hash, HashedSpace, Method, Scheme};
use cosette_lab::lee::stored_space::{PositionKey, StoredSpace};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tempfile::TempDir;

/// Does `work` in a lab with an empty folder.
fn in_empty_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    work(&Lab {
        folder: &TableFolder::new(folder.path()),
        control: Control::new(two()),
    })
}

fn build(path: &Path, depth: u8) -> Result<StoredSpace, LabError> {
    StoredSpace::build(path, depth, &Control::new(two()))
}

/// All positions within `depth` moves with their distances, by the obvious search.
fn obvious(depth: u8) -> BTreeMap<PositionKey, u8> {
    let mut distances = BTreeMap::from([(PositionKey::of(&Cube::SOLVED), 0)]);
    let mut level = vec![Cube::SOLVED];
    for distance in 1..=depth {
        let mut next = Vec::new();
        for child in level
            .iter()
            .flat_map(|position| Move::ALL.map(|m| position.apply(m)))
        {
            distances.entry(PositionKey::of(&child)).or_insert_with(|| {
                next.push(child);
                distance
            });
        }
        level = next;
    }
    distances
}

#[test]
fn the_space_is_that_of_the_obvious_search() {
    in_empty_lab(|lab| {
        let obvious = obvious(4);
        let space = build(&lab.folder.path().join("space"), 4).unwrap();
        // Breadth first, and by keys on a level.
        let mut sorted: Vec<(u8, PositionKey)> = obvious
            .iter()
            .map(|(&key, &distance)| (distance, key))
            .collect();
        sorted.sort();
        let stored = (0..space.positions())
            .map(|index| (StoredSpace::distance(index), space.key(index).unwrap()));
        assert!(stored.eq(sorted));
        space.verify(&lab.control).unwrap();
    });
}

/// Stores the positions within a depth, and checks that levels are as large as known and sorted,
/// and that of some positions the distances are those of the perimeter in memory.
fn check_large(depth: u8, step: usize) {
    in_empty_lab(|lab| {
        let space = build(&lab.folder.path().join("space"), depth).unwrap();
        assert_eq!(space.positions(), WITHIN[usize::from(depth)]);
        let sum = AtomicU64::new(0);
        let check = |first: u64, keys: &mut dyn Iterator<Item = PositionKey>| {
            let mut index = first;
            let mut last = None;
            for key in keys {
                assert!(last < Some(key) || WITHIN.contains(&index));
                index += 1;
                last = Some(key);
            }
            sum.fetch_add(index - first, Relaxed);
        };
        space.for_each_stretch(check, &lab.control).unwrap();
        assert_eq!(sum.into_inner(), space.positions());
        let perimeter = BackwardSpace::perimeter(depth, lab).unwrap();
        for index in (1..space.positions()).step_by(step) {
            let distance = perimeter.get(&space.position(index).unwrap());
            assert_eq!(distance, Some(StoredSpace::distance(index)));
        }
    });
}

#[test]
fn six_moves() {
    check_large(6, 9973);
}

#[test]
#[ignore = "1 GB on disk, half a minute"]
fn seven_moves() {
    check_large(7, 99_991);
}

#[test]
#[ignore = "13 GB on disk, 1 GB of memory, some minutes"]
fn eight_moves() {
    check_large(8, 9_999_991);
}

#[test]
fn an_interrupted_build_leaves_nothing_and_the_next_is_the_same() {
    in_empty_lab(|lab| {
        let [path, other] = ["space", "other"].map(|name| lab.folder.path().join(name));
        build(&other, 4).unwrap();
        // Stopped earlier and later.
        for after in [1, 9, 20] {
            let cancel = Cancel::new();
            let reports = AtomicU64::new(0);
            let stop = |_: &str, _: Progress| {
                if reports.fetch_add(1, Relaxed) + 1 >= after {
                    cancel.cancel();
                }
            };
            let control = Control::new(two()).on_progress(stop).with_cancel(&cancel);
            let stopped = StoredSpace::build(&path, 4, &control).unwrap_err();
            assert!(stopped.is_cancellation(), "{stopped}");
            assert_eq!(fs::read_dir(lab.folder.path()).unwrap().count(), 1);
        }
        build(&path, 4).unwrap();
        assert!(fs::read(&path).unwrap() == fs::read(&other).unwrap());
    });
}

#[test]
fn every_method_finds_what_is_stored_and_nothing_else() {
    in_empty_lab(|lab| {
        let mut stored = StoredSpace::in_lab(lab, 3).unwrap();
        let absent: Vec<PositionKey> = random_positions(3)
            .take(2000)
            .map(|position| PositionKey::of(&position))
            .collect();
        for hash in Hash::ALL {
            for buckets in [1, 97, 3000, 30_000] {
                let (sizes, asked) = Sizes::count(lab, &stored, hash, buckets, &[&absent]).unwrap();
                assert_eq!(
                    (sizes.buckets(), sizes.positions()),
                    (buckets, stored.positions())
                );
                for method in Method::ALL {
                    let path = lab.folder.path().join("index");
                    let scheme = Scheme {
                        hash,
                        method,
                        buckets,
                    };
                    let hashed =
                        HashedSpace::build(stored, &path, scheme, &lab.control.silent()).unwrap();
                    assert_eq!(
                        hashed.bytes(),
                        sizes.bytes(method),
                        "{hash:?} {method:?} {buckets}"
                    );
                    let step = if buckets == 1 { 997 } else { 7 };
                    for number in (0..hashed.space().positions()).step_by(step) {
                        let key = hashed.space().key(number).unwrap();
                        assert_eq!(hashed.find(key, &mut 0).unwrap(), Some(number));
                    }
                    for (&key, &size) in
                        absent
                            .iter()
                            .zip(&asked[0])
                            .take(if buckets == 1 { 2 } else { 2000 })
                    {
                        let mut accesses = 0;
                        assert_eq!(hashed.find(key, &mut accesses).unwrap(), None);
                        assert_eq!(accesses, method.accesses(size));
                    }
                    stored = hashed.into_space();
                }
            }
        }
    });
}

#[test]
fn what_is_altered_or_something_else_is_refused_and_nothing_is_left_of_what_is_cancelled() {
    in_empty_lab(|lab| {
        let index = lab.folder.path().join("index");
        let space = |depth| StoredSpace::in_lab(lab, depth).unwrap();
        let scheme = |method| Scheme {
            hash: Hash::Mixed,
            method,
            buckets: 10_000,
        };
        let alter = |path: &Path| {
            let mut bytes = fs::read(path).unwrap();
            *bytes.last_mut().unwrap() ^= 1;
            fs::write(path, bytes).unwrap();
        };
        HashedSpace::build(space(3), &index, scheme(Method::Two), &lab.control).unwrap();
        for (depth, method) in [(3, Method::One), (4, Method::Two)] {
            let refused = HashedSpace::open(space(depth), &index, scheme(method)).unwrap_err();
            assert!(
                refused
                    .to_string()
                    .contains("holds an index of 3 moves by Mixed, method 3"),
                "{refused}"
            );
        }
        alter(&index);
        let refused = HashedSpace::open(space(3), &index, scheme(Method::Two))
            .unwrap()
            .verify(&lab.control);
        assert_eq!(
            refused.unwrap_err().remedy(),
            Some(LabRemedy::RemoveAndRepeat(index.clone()))
        );
        fs::remove_file(&index).unwrap();
        let stopped = HashedSpace::build(space(4), &index, scheme(Method::Two), &cancelled());
        assert!(stopped.unwrap_err().is_cancellation());
        assert_eq!(
            fs::read_dir(lab.folder.path()).unwrap().count(),
            2,
            "the two spaces"
        );

        let path = lab.folder.path().join("lee-space-3");
        let refused = StoredSpace::open(&path, 4).unwrap_err();
        assert!(
            refused
                .to_string()
                .contains("holds the keys of the positions within 3 moves, 9 bytes each"),
            "{refused}"
        );
        alter(&path);
        let refused = StoredSpace::in_lab(lab, 3).unwrap_err();
        assert!(matches!(refused, LabError::File(_)), "{refused}");
        assert_eq!(refused.remedy(), Some(LabRemedy::RemoveAndRepeat(path)));
    });
}
