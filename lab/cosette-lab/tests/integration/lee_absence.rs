//! The hashing schemes: right with every method, and with the accesses and bytes that counting foretells.

use crate::support::{cancelled, two};
use cosette::Control;
use cosette::cube::{Cube, random_positions};
use cosette::table::TableFolder;
use cosette_lab::error::{LabError, LabRemedy};
use cosette_lab::lab::Lab;
use cosette_lab::lee::absence::{Accesses, Hash, HashedSpace, Method, Scheme};
use cosette_lab::lee::experiments::Sizes;
use cosette_lab::lee::perimeter::Perimeter;
use cosette_lab::lee::space::{Key, Layout, StoredSpace};
use std::fs;
use tempfile::TempDir;

/// Does `work` in a lab with an empty folder.
fn in_empty_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
    let folder = TempDir::new().unwrap();
    work(&Lab { folder: &TableFolder::new(folder.path()), control: Control::new(two()) })
}

#[test]
fn every_method_finds_what_is_stored_and_nothing_else() {
    in_empty_lab(|lab| {
        let mut stored = StoredSpace::in_lab(lab, 3).unwrap();
        let absent: Vec<Key> = random_positions(3).take(2000).map(|position| Key::of(&position)).collect();
        for hash in Hash::ALL {
            for buckets in [1, 97, 3000, 30_000] {
                let (sizes, asked) = Sizes::count(lab, &stored, hash, buckets, &[&absent]).unwrap();
                assert_eq!((sizes.buckets(), sizes.positions()), (buckets, stored.len()));
                for method in Method::ALL {
                    let path = lab.folder.path().join("index");
                    let scheme = Scheme { hash, method, buckets };
                    let hashed = HashedSpace::build(stored, &path, scheme, &lab.control.silent()).unwrap();
                    assert_eq!(hashed.bytes(), sizes.bytes(method), "{hash:?} {method:?} {buckets}");
                    let step = if buckets == 1 { 997 } else { 7 };
                    for number in (0..hashed.space().len()).step_by(step) {
                        let key = hashed.space().key(number).unwrap();
                        assert_eq!(hashed.find(key, &mut Accesses::default()).unwrap(), Some(number));
                    }
                    for (&key, &size) in absent.iter().zip(&asked[0]).take(if buckets == 1 { 2 } else { 2000 }) {
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
fn the_index_and_the_perimeter_in_memory_agree() {
    in_empty_lab(|lab| {
        let path = lab.folder.path().join("index");
        let space = StoredSpace::in_lab(lab, 5).unwrap();
        let scheme = Scheme { hash: Hash::Mixed, method: Method::One, buckets: space.len() };
        let hashed = HashedSpace::build(space, &path, scheme, &lab.control.silent()).unwrap();
        let perimeter = Perimeter::new(5, lab).unwrap();
        assert_eq!(perimeter.depth(), 5);
        let find = |position: &Cube| hashed.find(Key::of(position), &mut Accesses::default()).unwrap();
        for number in (0..hashed.space().len()).step_by(211) {
            let stored = hashed.space().get(number).unwrap();
            assert_eq!(find(&stored.position), Some(number));
            assert_eq!(perimeter.distance(&stored.position), Some(stored.distance));
        }
        for position in random_positions(9).take(1000) {
            assert_eq!((find(&position), perimeter.distance(&position)), (None, None));
            assert_eq!(perimeter.solution(&position), None);
        }
        // Altered, it is refused.
        let open = || HashedSpace::open(StoredSpace::in_lab(lab, 5).unwrap(), &path, scheme);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let error = open().unwrap().verify(&lab.control).unwrap_err();
        assert!(error.to_string().contains("is damaged"), "{error}");
        assert_eq!(error.remedy(), Some(LabRemedy::RemoveAndRepeat(path.clone())));
        fs::write(&path, &bytes[..middle]).unwrap();
        assert!(open().unwrap_err().to_string().contains("bytes and should have"));
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
        assert!(build(StoredSpace::in_lab(lab, 4).unwrap(), &cancelled()).unwrap_err().is_cancellation());
        assert_eq!(fs::read_dir(lab.folder.path()).unwrap().count(), 2, "the two spaces");
    });
}

#[test]
fn an_altered_space_is_refused_by_the_lab() {
    in_empty_lab(|lab| {
        let path = StoredSpace::path_in(lab, 3);
        StoredSpace::build(&path, 3, Layout::Compact, &lab.control.silent()).unwrap();
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        let error = StoredSpace::in_lab(lab, 3).unwrap_err();
        assert!(matches!(error, LabError::File(_)), "{error}");
        assert_eq!(error.remedy(), Some(LabRemedy::RemoveAndRepeat(path)));
    });
}
