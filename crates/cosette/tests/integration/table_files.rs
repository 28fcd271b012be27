//! Tables in files: what is saved comes back, and what is not the table is refused. What of a file
//! can be damaged, and how that is found, is tested in `block_file`.

use crate::{assert_file_error, control, id, smallest_file, smallest_table};
use cosette::block_file::FileError;
use cosette::cube::{Cube, Metric, random_positions};
use cosette::table::choice::{MemoryLimit, choose};
use cosette::table::{Table, TableError, TableFileState, TableFolder, TableId};
use cosette::{Cancel, Control, Progress, Remedy};
use std::fs;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

const PAGE: usize = 4096;
/// Size of a class of corner paintings.
const BLOCK: usize = 6976;
/// Offset of the payload: the checksums of the classes take seven pages.
const PAYLOAD: usize = 8 * PAGE;
const VERSION_AT: usize = 16;
const BYTES_AT: usize = 88;
const DISTRIBUTION_AT: usize = 104;

/// A folder with these files of tables.
fn folder(files: &[(&str, &[u8])]) -> (TempDir, TableFolder) {
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path());
    for (size, bytes) in files {
        fs::write(folder.path_of(id(size)), bytes).unwrap();
    }
    (home, folder)
}

/// The smallest file with another header, signed again.
fn with_header(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = smallest_file().to_vec();
    change(&mut bytes);
    let checksum = xxh3_64(&bytes[..PAGE - 8]);
    bytes[PAGE - 8..PAGE].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[test]
fn what_is_saved_comes_back() {
    let id = id("24M");
    let table = smallest_table(Metric::Htm);
    let (home, _) = folder(&[]);
    let folder = TableFolder::new(home.path().join("cache/cosette"));
    assert!(matches!(folder.state(id), TableFileState::Missing));
    let most = AtomicU64::new(0);
    let watch = |_: &str, progress: Progress| _ = most.fetch_max(progress.done, Relaxed);
    let control = control().on_progress(watch);
    folder.save(&table, &control).unwrap();
    assert_eq!(most.swap(0, Relaxed), id.size.bytes());
    assert!(fs::read(folder.path_of(id)).unwrap() == smallest_file());
    assert!(matches!(folder.state(id), TableFileState::Complete));

    let loaded = folder.load(id, &control).unwrap();
    assert_eq!(most.load(Relaxed), id.size.bytes());
    assert_eq!(loaded.id(), table.id());
    assert_eq!(loaded.distribution(), table.distribution());
    for cube in random_positions(1).take(10_000).chain([Cube::SOLVED]) {
        assert_eq!(loaded.bound(&cube), table.bound(&cube));
    }
    folder.verify(id, &control).unwrap();

    // The file that a generation in WebAssembly left is removed too.
    for ending in ["table.wasm-part", "table.wasm-journal"] {
        fs::write(folder.path_of(id).with_extension(ending), "").unwrap();
    }
    folder.remove(id).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    let missing = folder.load(id, &control).map(drop).unwrap_err();
    assert_file_error!(missing, FileError::NotFound { .. });
    let nothing = folder.remove(id).unwrap_err();
    assert_file_error!(nothing, FileError::NothingToRemove { .. });
}

/// Tables on users' disks outlive the program that generated them. Another numbering of the entries
/// or another base value is noticed when they are loaded; a change to how they are coded must raise
/// the version of the format along with this number.
#[test]
fn the_same_version_is_the_same_table() {
    let (header, payload) = smallest_file().split_at(PAYLOAD);
    assert_eq!(header[VERSION_AT..VERSION_AT + 4], 8u32.to_le_bytes());
    assert_eq!(xxh3_64(payload), 1_858_136_494_864_151_745);
}

/// The search reads a table without checking that its addresses lie in it.
#[test]
fn a_file_with_fewer_entries_than_the_table_is_refused() {
    let bytes = with_header(|bytes| {
        bytes.truncate(PAYLOAD + 5 * BLOCK);
        bytes[BYTES_AT..BYTES_AT + 8].copy_from_slice(&(5 * BLOCK as u64).to_le_bytes());
    });
    let id = id("24M");
    let (_home, folder) = folder(&[("24M", &bytes)]);
    let file = RwLock::new(bytes);
    for refusal in [
        folder.load(id, &control()).map(drop),
        folder.verify(id, &control()),
        Table::load_from(id, &file, &control()).map(drop),
        Table::verify_in(id, &file, &control()),
    ] {
        let whole = format!("htm-24M ({} bytes)", id.size.bytes());
        assert_file_error!(
            refusal.unwrap_err(),
            FileError::OtherContents { found, expected, .. }
                if found == "htm-24M (34880 bytes)" && *expected == whole
        );
    }
}

/// A smaller table is opened only where no table is named.
#[test]
fn faulty_tables_are_told_apart_and_passed_over_for_a_smaller_one() {
    let (_home, folder) = folder(&[("94M", smallest_file()), ("190M", b"notes")]);
    let TableFileState::Corrupted(refusal) = folder.state(id("94M")) else {
        panic!("a table under another's name is refused")
    };
    let is_smallest = |found: &str| found.starts_with("htm-24M");
    assert_file_error!(refusal, FileError::OtherContents { found, .. } if is_smallest(found));
    let open = |named: Option<TableId>| {
        let memory = MemoryLimit {
            available: u64::MAX,
            allowed: None,
        };
        let choice = choose(&folder, Metric::Htm, named, memory).unwrap();
        folder.open(choice, &control())
    };
    fs::write(folder.path_of(id("94M")), &smallest_file()[..1_000_000]).unwrap();
    let refusal = open(None).map(drop).unwrap_err();
    assert_file_error!(refusal, FileError::OtherFormat { .. });
    fs::write(folder.path_of(id("24M")), smallest_file()).unwrap();
    let opened = open(None).unwrap();
    assert_eq!(opened.table.id(), id("24M"));
    assert_eq!(opened.skipped_table_errors.len(), 2);
    let refusal = open(Some(id("190M"))).map(drop).unwrap_err();
    assert_file_error!(refusal, FileError::OtherFormat { .. });
}

#[test]
fn a_header_that_counts_other_entries_is_found_by_verifying() {
    let bytes = with_header(|bytes| bytes[DISTRIBUTION_AT + 8 * 8] ^= 1);
    let (_home, folder) = folder(&[("24M", &bytes)]);
    let verdict = folder.verify(id("24M"), &control());
    assert!(
        matches!(verdict, Err(TableError::WrongCounts { .. })),
        "{verdict:?}"
    );
}

#[test]
fn stopping_leaves_nothing_behind() {
    let table = smallest_table(Metric::Htm);
    let (home, folder) = folder(&[]);
    let stopped = |run: &dyn Fn(&Control<'_>) -> Result<(), TableError>| {
        let cancel = Cancel::new();
        let stop = |_: &str, _: Progress| cancel.cancel();
        let refusal = run(&control().on_progress(stop).with_cancel(&cancel));
        assert!(matches!(refusal, Err(TableError::Cancelled)), "{refusal:?}");
    };
    stopped(&|control| folder.save(&table, control));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    folder.save(&table, &control()).unwrap();
    stopped(&|control| folder.load(table.id(), control).map(drop));
}

#[test]
fn a_folder_without_room_is_refused_with_a_remedy() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "in the way").unwrap();
    for path in [file.clone(), file.join("below")] {
        let refusal = TableFolder::new(path).check_room(id("24M")).unwrap_err();
        assert_eq!(refusal.remedy(), Some(Remedy::ChooseWritableFolder));
        assert_file_error!(refusal, FileError::Io { .. });
    }
    // No test machine is sure to have a full disk; the command's tests make one where they may.
    let free = fs4::available_space(home.path()).unwrap();
    let size = id("12G").size.bytes();
    match TableFolder::new(home.path()).check_room(id("12G")) {
        Ok(()) => assert!(free > size / 2),
        Err(TableError::File(FileError::TooLittleDisk { needed, .. })) => assert!(needed > size),
        Err(other) => panic!("{other}"),
    }
}
