//! The stored backward space: exact, built the same however often it is interrupted, refused where it is damaged and where the disk is full.

use cosette::block_file::FileError;
use cosette::cube::{Cube, Move, random_positions};
use cosette::{Cancel, Control, Progress, Remedy, ThreadCount};
use cosette_lab::error::{LabError, LabRemedy};
use cosette_lab::lee::CUMULATIVE;
use cosette_lab::lee::space::{Key, Layout, StoredSpace};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tempfile::TempDir;

fn control() -> Control<'static> {
    Control::new(ThreadCount::new(2).unwrap())
}

fn build(path: &Path, depth: u8, layout: Layout) -> Result<StoredSpace, LabError> {
    StoredSpace::build(path, depth, layout, &control())
}

/// All positions within `depth` moves with their distances, by the obvious search.
fn obvious(depth: u8) -> BTreeMap<Key, u8> {
    let mut distances = BTreeMap::from([(Key::of(&Cube::SOLVED), 0)]);
    let mut level = vec![Cube::SOLVED];
    for distance in 1..=depth {
        let mut next = Vec::new();
        for child in level.iter().flat_map(|position| Move::ALL.map(|m| position.turned(m))) {
            distances.entry(Key::of(&child)).or_insert_with(|| {
                next.push(child);
                distance
            });
        }
        level = next;
    }
    distances
}

/// Checks that the stored moves lead from a position to solved, in as many moves as its distance.
fn leads_home(space: &StoredSpace, mut index: u64) {
    let mut stored = space.get(index).unwrap();
    while let Some(home) = stored.home {
        index = space.find(Key::of(&stored.position.turned(home))).unwrap().unwrap();
        let next = space.get(index).unwrap();
        assert_eq!(next.distance + 1, stored.distance);
        stored = next;
    }
    assert!(stored.distance == 0 && stored.position.is_solved());
}

#[test]
fn the_space_is_that_of_the_obvious_search_and_leads_home() {
    let folder = TempDir::new().unwrap();
    let obvious = obvious(4);
    for layout in [Layout::Compact, Layout::Paper] {
        let space = build(&folder.path().join("space"), 4, layout).unwrap();
        assert_eq!(space.len(), obvious.len() as u64);
        let mut last = None;
        for index in 0..space.len() {
            let stored = space.get(index).unwrap();
            let key = Key::of(&stored.position);
            assert_eq!((space.key(index).unwrap(), obvious[&key]), (key, stored.distance));
            // Breadth first, and by keys on a level.
            assert!(last < Some((stored.distance, key)));
            last = Some((stored.distance, key));
            let nearer = stored.home.map(|home| obvious[&Key::of(&stored.position.turned(home))] + 1);
            assert_eq!(nearer.unwrap_or(0), stored.distance);
            if index % 97 == 0 {
                assert_eq!(space.find(key).unwrap(), Some(index));
                leads_home(&space, index);
            }
        }
        for position in random_positions(1).take(50) {
            assert_eq!(space.find(Key::of(&position)).unwrap(), None);
        }
        space.verify(&control()).unwrap();
    }
}

#[test]
fn each_level_is_as_large_as_known_and_is_sorted() {
    let folder = TempDir::new().unwrap();
    let space = build(&folder.path().join("space"), 6, Layout::Compact).unwrap();
    assert_eq!(space.len(), 8_240_087);
    let sum = AtomicU64::new(0);
    let check = |first: u64, keys: &mut dyn Iterator<Item = Key>| {
        let (mut index, mut last) = (first, None);
        for key in keys {
            assert!(last < Some(key) || CUMULATIVE.contains(&index));
            (index, last) = (index + 1, Some(key));
        }
        sum.fetch_add(index - first, Relaxed);
    };
    space.for_each_stretch(check, &control()).unwrap();
    assert_eq!(sum.into_inner(), space.len());
    // From the stored move of one position in each thousand one comes to the level before.
    for index in (1..space.len()).step_by(9973) {
        let stored = space.get(index).unwrap();
        let nearer = space.find(Key::of(&stored.position.turned(stored.home.unwrap()))).unwrap();
        assert_eq!(space.get(nearer.unwrap()).unwrap().distance, stored.distance - 1);
    }
}

#[test]
fn an_interrupted_build_ends_in_the_same_file() {
    let folder = TempDir::new().unwrap();
    let (path, other) = (folder.path().join("space"), folder.path().join("other"));
    build(&other, 5, Layout::Compact).unwrap();
    // Stopped again and again, after another block each time.
    let mut stops = 0;
    for after in 1.. {
        let cancel = Cancel::new();
        let blocks = AtomicU64::new(0);
        let stop = |_: &str, progress: Progress| {
            if progress.done > 0 && blocks.fetch_add(1, Relaxed) + 1 >= after {
                cancel.cancel();
            }
        };
        match StoredSpace::build(&path, 5, Layout::Compact, &control().on_progress(&stop).with_cancel(&cancel)) {
            Err(error) => assert!(error.is_cancellation(), "{error}"),
            Ok(_) => break,
        }
        assert!(!path.exists(), "nothing half built bears the name");
        stops += 1;
        if stops == 2 {
            // What was written is altered, and the journal torn.
            let part = path.with_extension("part");
            let mut bytes = fs::read(&part).unwrap();
            let middle = bytes.len() / 10;
            bytes[middle..middle + 1000].fill(7);
            fs::write(&part, bytes).unwrap();
            let journal = path.with_extension("journal");
            let bytes = fs::read(&journal).unwrap();
            fs::write(&journal, &bytes[..bytes.len() - 3]).unwrap();
        }
    }
    assert!(stops > 2);
    assert!(fs::read(&path).unwrap() == fs::read(&other).unwrap());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left");
}

#[test]
fn a_truncated_or_altered_file_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("space");
    build(&path, 4, Layout::Compact).unwrap();
    let sound = fs::read(&path).unwrap();
    let refused = |change: &dyn Fn(&mut Vec<u8>), message: &str| {
        let mut bytes = sound.clone();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let opened = StoredSpace::open(&path, 4, Layout::Compact);
        let error = opened.and_then(|space| space.verify(&control())).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert_eq!(error.remedy(), Some(LabRemedy::RemoveAndRepeat(path.clone())), "{error}");
    };
    refused(&|bytes| bytes.truncate(bytes.len() - 1), "bytes and should have");
    refused(&|bytes| bytes.truncate(1000), "the header of");
    refused(&|bytes| bytes.clear(), "is not a table or database of Cosette");
    refused(&|bytes| bytes[3] ^= 1, "is not a table or database of Cosette");
    refused(&|bytes| bytes[16] = 9, "format version 9");
    refused(&|bytes| bytes[40] ^= 1, "the header of");
    refused(&|bytes| bytes[4096] ^= 1, "the header of");
    refused(&|bytes| bytes[8192] ^= 1, "block 1 of 1");
    refused(&|bytes| *bytes.last_mut().unwrap() ^= 0x80, "block 1 of 1");
    build(&path, 3, Layout::Compact).unwrap();
    let error = StoredSpace::open(&path, 4, Layout::Compact).unwrap_err();
    assert!(error.to_string().contains("holds the positions within 3 moves, 9 bytes each"), "{error}");
    build(&path, 4, Layout::Compact).unwrap();
    assert!(fs::read(&path).unwrap() == sound, "the remedy works");
}

#[test]
fn depths_out_of_range_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("space");
    for depth in [9, 255] {
        let error = build(&path, depth, Layout::Compact).unwrap_err();
        assert!(matches!(error, LabError::TooDeep { .. }));
        assert_eq!(error.remedy(), Some(LabRemedy::AskForFewerMoves(8)));
        assert!(StoredSpace::open(&path, depth, Layout::Compact).is_err());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    assert_eq!(build(&path, 0, Layout::Compact).unwrap().get(0).unwrap().home, None);
}

#[test]
fn a_build_is_stopped_within_a_fraction_of_a_second() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let cancel = Cancel::new();
    let stopped = std::thread::scope(|scope| {
        let stopping = scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(700));
            cancel.cancel();
            std::time::Instant::now()
        });
        let result =
            StoredSpace::build(&folder.path().join("space"), 7, Layout::Compact, &control().with_cancel(&cancel));
        let error = result.unwrap_err();
        assert!(error.is_cancellation(), "{error}");
        stopping.join().unwrap()
    });
    assert!(stopped.elapsed().as_secs_f64() < 1.0, "{:?}", stopped.elapsed());
}

// A disk that is full, or becomes full: on a file system of the test's own, where mounting is allowed.

/// In the environment of a test that has a file system of its own: where it is mounted.
const MOUNTED: &str = "COSETTE_TEST_MOUNTED";

/// Runs `work` with a folder that is a file system of so many megabytes; or, in the process of the test itself, runs the
/// test named `test` once more in another process, which has one.
fn with_file_system(test: &str, megabytes: u32, work: impl FnOnce(&Path)) {
    if let Some(folder) = std::env::var_os(MOUNTED) {
        return work(&PathBuf::from(folder));
    }
    let folder = tempfile::TempDir::new().unwrap();
    let run = |unshare: &[&str]| {
        let mount = format!(
            r#"mount -t tmpfs -o size={megabytes}m tmpfs "${MOUNTED}" || exit 99; exec "$0" --exact lee_space::{test}"#
        );
        let mut command = Command::new(unshare[0]);
        command.args(&unshare[1..]).args(["sh", "-c", &mount]).arg(std::env::current_exe().unwrap());
        let output = command.env(MOUNTED, folder.path()).output().ok()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        (output.status.code() != Some(99) && !stderr.starts_with("unshare:")).then_some(output)
    };
    match run(&["unshare", "-m"]).or_else(|| run(&["unshare", "-Urm"])) {
        None => eprintln!("skipped: mounting is forbidden here"),
        Some(output) => {
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}");
        }
    }
}

/// Builds the space within five moves, and calls `on_start` when that begins.
fn build_from(path: &Path, on_start: &(dyn Fn() + Sync)) -> Result<StoredSpace, LabError> {
    let once = Once::new();
    let on_progress = |_: &str, _: Progress| once.call_once(on_start);
    StoredSpace::build(path, 5, Layout::Compact, &control().on_progress(&on_progress))
}

#[test]
fn too_small_a_disk_is_noticed_first() {
    with_file_system("too_small_a_disk_is_noticed_first", 5, |folder| {
        let error = build_from(&folder.join("space"), &|| panic!("nothing is begun")).unwrap_err();
        assert!(matches!(error, LabError::File(FileError::TooLittleDisk { .. })), "{error}");
        assert!(error.to_string().contains("needs 6 MB more on disk and 5 MB are free"), "{error}");
        assert_eq!(error.remedy(), Some(LabRemedy::Table(Remedy::FreeDiskSpace)));
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
    });
}

#[test]
fn a_disk_that_becomes_full_leaves_nothing_that_is_trusted() {
    with_file_system("a_disk_that_becomes_full_leaves_nothing_that_is_trusted", 8, |folder| {
        let (path, filler) = (folder.join("space"), folder.join("filler"));
        // Someone else writes five of the eight megabytes once the room has been checked.
        let error = build_from(&path, &|| fs::write(&filler, vec![1; 5 << 20]).unwrap()).unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
        assert_eq!(error.remedy(), Some(LabRemedy::Table(Remedy::FreeDiskSpace)), "{error}");
        assert!(!path.exists());
        let error = build_from(&path, &|| {}).unwrap_err();
        assert!(matches!(error, LabError::File(FileError::TooLittleDisk { .. })), "{error}");
        // Room is made: the building goes on, and ends in the same file as one that was never interrupted.
        fs::remove_file(&filler).unwrap();
        build_from(&path, &|| {}).unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        build_from(&path, &|| {}).unwrap();
        assert!(fs::read(&path).unwrap() == bytes);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    });
}

/// Stores the positions within a depth, checks them and follows some of them home.
fn check_large(depth: u8, step: usize) {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let start = std::time::Instant::now();
    let space = build(&folder.path().join("space"), depth, Layout::Compact).unwrap();
    println!("{} positions in {:.1} s", space.len(), start.elapsed().as_secs_f64());
    space.verify(&control()).unwrap();
    (1..space.len()).step_by(step).for_each(|index| leads_home(&space, index));
}

#[test]
#[ignore = "1 GB on disk, half a minute"]
fn seven_moves() {
    assert_eq!(CUMULATIVE[7], 109_043_123);
    check_large(7, 99_991);
}

#[test]
#[ignore = "13 GB on disk, 1 GB of memory, some minutes"]
fn eight_moves() {
    assert_eq!(CUMULATIVE[8], 1_441_386_411);
    check_large(8, 9_999_991);
}
