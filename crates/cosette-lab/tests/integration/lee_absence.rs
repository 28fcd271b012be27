//! The hashing schemes: right with every method, and with the accesses and bytes that counting foretells.

use crate::support::in_lab;
use cosette::cube::{Cube, random_positions};
use cosette::search::Options;
use cosette::table::TableFolder;
use cosette::{Cancel, Control, ThreadCount};
use cosette_lab::engine::Engine;
use cosette_lab::error::LabError;
use cosette_lab::experiment::{Cell, Effort, Experiment, Request};
use cosette_lab::lab::Lab;
use cosette_lab::lee::Perimeter;
use cosette_lab::lee::absence::{Accesses, Filter, Hash, HashedSpace, Method, Scheme, SortedHashes};
use cosette_lab::lee::classes::Classes;
use cosette_lab::lee::experiments::{self, Spread};
use cosette_lab::lee::search::{AstarSettings, Lee};
use cosette_lab::lee::space::{Key, Layout, StoredSpace};
use cosette_lab::walks::random_walks;
use std::fs;
use tempfile::TempDir;

fn control() -> Control<'static> {
    Control::new(ThreadCount::new(2).unwrap())
}

/// Does `work` in a lab with an empty folder.
fn in_empty_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
    let folder = TempDir::new().unwrap();
    let folder = (TableFolder::new(folder.path()), folder);
    work(&Lab { folder: &folder.0, control: control() })
}

#[test]
fn every_method_finds_what_is_stored_and_nothing_else() {
    in_empty_lab(|lab| {
        let mut stored = StoredSpace::in_lab(lab, 3).unwrap();
        let absent: Vec<Key> = random_positions(3).take(2000).map(|position| Key::of(&position)).collect();
        for hash in Hash::ALL {
            for buckets in [1, 97, 3000, 30_000] {
                let (spread, sizes) = Spread::count(lab, &stored, hash, buckets, &[&absent]).unwrap();
                assert_eq!(spread.sizes.values().sum::<u64>(), buckets);
                assert_eq!(
                    spread.sizes.iter().map(|(&size, count)| u64::from(size) * count).sum::<u64>(),
                    stored.len()
                );
                for method in Method::ALL {
                    let path = lab.folder.path().join("index");
                    let scheme = Scheme { hash, method, buckets };
                    let hashed = HashedSpace::build(stored, &path, scheme, &lab.control.silent()).unwrap();
                    assert_eq!(hashed.bytes(), spread.bytes(method), "{hash:?} {method:?} {buckets}");
                    let step = if buckets == 1 { 997 } else { 7 };
                    for number in (0..hashed.space().len()).step_by(step) {
                        let key = hashed.space().key(number).unwrap();
                        assert_eq!(hashed.find(key, &mut Accesses::default()).unwrap(), Some(number));
                    }
                    for (&key, &size) in absent.iter().zip(&sizes[0]).take(if buckets == 1 { 2 } else { 2000 }) {
                        let mut accesses = Accesses::default();
                        assert_eq!(hashed.find(key, &mut accesses).unwrap(), None);
                        assert_eq!((accesses.total(), accesses.positions), (method.accesses(size), size.into()));
                    }
                    stored = hashed.into_space();
                }
            }
        }
    });
}

#[test]
fn all_perimeters_agree_and_lead_home() {
    in_empty_lab(|lab| {
        let hashed = HashedSpace::in_lab(lab, 5).unwrap();
        let classes = Classes::new(5, lab).unwrap();
        assert_eq!(classes.counts(), [1, 2, 9, 75, 934, 12077]);
        for number in (0..hashed.space().len()).step_by(211) {
            let stored = hashed.space().get(number).unwrap();
            for perimeter in [hashed.space() as &dyn Perimeter, &hashed, &classes] {
                assert_eq!(perimeter.depth(), 5);
                assert_eq!(perimeter.distance(&stored.position), Some(stored.distance));
                let way = perimeter.way_home(&stored.position).unwrap();
                assert!(way.len() == usize::from(stored.distance) && stored.position.after(&way).is_solved());
            }
        }
        for position in random_positions(9).take(1000) {
            for perimeter in [&hashed as &dyn Perimeter, &classes] {
                assert_eq!((perimeter.distance(&position), perimeter.way_home(&position)), (None, None));
            }
        }
        // The search asks the disk as it asks memory.
        let [on_disk, in_memory]: [Box<dyn Engine>; 2] = [
            Box::new(Lee::new(hashed, 3, None, AstarSettings::default(), lab).unwrap()),
            Box::new(Lee::new(classes, 3, None, AstarSettings::default(), lab).unwrap()),
        ];
        for walk in random_walks(10, 8).take(10) {
            let solve = |engine: &dyn Engine| {
                let report = engine.solve(&Cube::from_moves(&walk), &Options::default(), &|_| {}, &lab.control);
                (report.nodes(), report.length())
            };
            assert_eq!(solve(&*on_disk), solve(&*in_memory));
        }
        // It is kept, and found again.
        drop(on_disk);
        HashedSpace::in_lab(lab, 5).unwrap();
        // Altered, it is refused.
        let path = lab.folder.path().join("lee-index-5");
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let error = HashedSpace::in_lab(lab, 5).unwrap_err();
        assert!(error.to_string().contains("is damaged") && error.help().unwrap().contains("remove"), "{error}");
        fs::write(&path, &bytes[..middle]).unwrap();
        assert!(HashedSpace::in_lab(lab, 5).unwrap_err().to_string().contains("bytes and should have"));
    });
}

#[test]
fn an_index_of_something_else_is_refused_and_nothing_is_left_of_a_cancelled_one() {
    in_empty_lab(|lab| {
        let path = lab.folder.path().join("index");
        let scheme = |method| Scheme { hash: Hash::Mixed, method, buckets: 10_000 };
        let build = |space, control: &Control<'_>| HashedSpace::build(space, &path, scheme(Method::Two), control);
        let hashed = build(StoredSpace::in_lab(lab, 3).unwrap(), &lab.control).unwrap();
        let open = |space, method| HashedSpace::open(space, &path, scheme(method));
        let space = hashed.into_space();
        assert!(
            open(space, Method::One).unwrap_err().to_string().contains("holds an index of 3 moves by Mixed, method 3")
        );
        let other = StoredSpace::in_lab(lab, 4).unwrap();
        assert!(
            open(other, Method::Two).unwrap_err().to_string().contains("holds an index of 3 moves by Mixed, method 3")
        );
        fs::remove_file(&path).unwrap();
        let cancel = Cancel::new();
        cancel.cancel();
        assert!(
            build(StoredSpace::in_lab(lab, 4).unwrap(), &Control::default().with_cancel(&cancel))
                .unwrap_err()
                .is_cancellation()
        );
        assert_eq!(fs::read_dir(lab.folder.path()).unwrap().count(), 2, "the two spaces");
    });
}

#[test]
fn filters_never_deny_what_is_stored_and_sorted_hashes_are_exact() {
    in_empty_lab(|lab| {
        let space = StoredSpace::in_lab(lab, 4).unwrap();
        let sorted = SortedHashes::new(lab, &space).unwrap();
        let filters = [Filter::eight(lab, &sorted).unwrap(), Filter::sixteen(lab, &sorted).unwrap()];
        // One position makes a filter too.
        let solved = SortedHashes::new(lab, &StoredSpace::in_lab(lab, 0).unwrap()).unwrap();
        assert!(Filter::eight(lab, &solved).unwrap().may_contain(space.key(0).unwrap()));
        let mut accesses = 0;
        for number in 0..space.len() {
            let key = space.key(number).unwrap();
            assert!(sorted.may_contain(key, &mut accesses) && filters.iter().all(|filter| filter.may_contain(key)));
        }
        let absent: Vec<Key> = random_positions(4).take(100_000).map(|position| Key::of(&position)).collect();
        assert!(!absent.iter().any(|&key| sorted.may_contain(key, &mut accesses)));
        let taken = |filter: &Filter| absent.iter().filter(|&&key| filter.may_contain(key)).count();
        assert!((300..500).contains(&taken(&filters[0])) && taken(&filters[1]) < 10);
    });
}

#[test]
fn the_good_hash_is_poissonian_and_the_exhibits_are_complete() {
    in_lab(|lab| {
        let stored = experiments::space(lab, &Request::new(Effort::Quick)).unwrap();
        assert_eq!(stored.tables[0].rows[7][1], Cell::Count(109_043_123));
        let absence = experiments::absence(lab, &Request::new(Effort::Quick)).unwrap();
        // 33.6 % of the buckets are empty where the paper has 100 million.
        let Cell::Number(empty, _) = absence.tables[3].rows[2][2] else { panic!("a number") };
        assert!((33.4..33.8).contains(&empty), "{empty}");
        assert_eq!(absence.tables.len(), 8);
        let today = experiments::filters(lab, &Request::new(Effort::Quick)).unwrap();
        assert_eq!(today.tables[0].rows.len(), 5);
    });
}

#[test]
fn exhibits_heed_cancellation() {
    in_empty_lab(|lab| {
        lab.control.cancel().cancel();
        assert!(experiments::space(lab, &Request::new(Effort::Quick)).unwrap_err().is_cancellation());
        assert!(experiments::absence(lab, &Request::new(Effort::Quick)).unwrap_err().is_cancellation());
        assert!(experiments::filters(lab, &Request::new(Effort::Quick)).unwrap_err().is_cancellation());
    });
}

/// What a lab finds altered it refuses, and says what mends it.
#[test]
fn an_altered_space_is_refused_by_the_lab() {
    in_empty_lab(|lab| {
        let path = StoredSpace::path_in(lab, 3);
        StoredSpace::build(&path, 3, Layout::Compact, &lab.control.silent()).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        let error = StoredSpace::in_lab(lab, 3).unwrap_err();
        assert!(matches!(error, LabError::File(_)) && error.help().unwrap().contains("lee-space-3"), "{error}");
    });
}

/// The paper's own sizes: `cargo test --release -p cosette-lab --test lee_absence -- --ignored --nocapture`.
fn in_full(experiment: fn(&Lab<'_>, &Request) -> Result<Experiment, LabError>) {
    in_lab(|lab| {
        let experiment = experiment(lab, &Request::new(Effort::Full)).unwrap();
        println!("{}", cosette_lab::report::to_markdown(&experiment, 2, &|_| String::new()));
    });
}

#[test]
#[ignore = "6 GB on disk, a minute"]
fn the_space_in_full() {
    in_full(experiments::space);
}

#[test]
#[ignore = "10 GB on disk, ten minutes"]
fn absence_in_full() {
    in_full(experiments::absence);
}

#[test]
#[ignore = "2 GB on disk, 2 GB of memory, two minutes"]
fn today_in_full() {
    in_full(experiments::filters);
}
