//! Tables in files: what is saved comes back, and what is not the table is refused. What of a file
//! can be damaged, and how that is found, is tested in `block_file`.

use crate::{assert_file_error, control, sign_header, smallest_file, smallest_table};
use cosette::block_file::FileError;
use cosette::cube::{Cube, Metric, random_positions};
use cosette::table::choice::{MemoryLimit, choose};
use cosette::table::{Table, TableError, TableFileState, TableFolder, TableId};
use cosette::{Cancel, Progress, Remedy};
use std::fs;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};
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

fn id(size: &str) -> TableId {
    TableId {
        metric: Metric::Htm,
        size: size.parse().unwrap(),
    }
}

fn load(folder: &TableFolder) -> Result<Table, TableError> {
    folder.load(id("24M"), &control())
}

#[test]
fn what_is_saved_comes_back() {
    let table = smallest_table(Metric::Htm);
    let bytes = smallest_file();
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path().join("cache/cosette"));
    assert!(matches!(folder.state(id("24M")), TableFileState::Missing));
    let most = AtomicU64::new(0);
    let watch = |_: &str, progress: Progress| _ = most.fetch_max(progress.done, Ordering::Relaxed);
    folder.save(&table, &control().on_progress(&watch)).unwrap();
    assert_eq!(most.swap(0, Ordering::Relaxed), id("24M").size.bytes());
    assert_eq!(fs::read(folder.path_of(id("24M"))).unwrap(), *bytes);
    assert!(matches!(folder.state(id("24M")), TableFileState::Complete));

    let loaded = folder
        .load(id("24M"), &control().on_progress(&watch))
        .unwrap();
    assert_eq!(most.into_inner(), id("24M").size.bytes());
    assert_eq!(loaded.id(), table.id());
    assert_eq!(loaded.distribution(), table.distribution());
    for cube in random_positions(1).take(10_000).chain([Cube::SOLVED]) {
        assert_eq!(loaded.bound(&cube), table.bound(&cube));
    }
    folder.verify(id("24M"), &control()).unwrap();

    // What a generation in WebAssembly left goes too.
    for ending in ["table.wasm-part", "table.wasm-journal"] {
        fs::write(folder.path_of(id("24M")).with_extension(ending), "").unwrap();
    }
    folder.remove(id("24M")).unwrap();
    assert!(matches!(
        load(&folder),
        Err(TableError::File(FileError::NotFound { .. }))
    ));
    assert!(matches!(
        folder.remove(id("24M")),
        Err(TableError::File(FileError::NothingToRemove { .. }))
    ));
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        0,
        "nothing is left behind"
    );
}

/// Tables on users' disks outlive the program that generated them. Another numbering of the entries
/// is noticed when they are loaded; a change to how they are coded must raise the version of the
/// format along with this number.
#[test]
fn the_same_version_is_the_same_table() {
    let bytes = smallest_file();
    let version = u32::from_le_bytes(bytes[VERSION_AT..VERSION_AT + 4].try_into().unwrap());
    assert_eq!(
        (version, xxh3_64(&bytes[PAYLOAD..])),
        (8, 2_323_428_293_045_372_703)
    );
}

/// The search reads a table without checking that its addresses lie in it.
#[test]
fn a_file_with_fewer_entries_than_the_table_is_refused() {
    let mut bytes = smallest_file().to_vec();
    bytes.truncate(PAYLOAD + 5 * BLOCK);
    bytes[BYTES_AT..BYTES_AT + 8].copy_from_slice(&(5 * BLOCK as u64).to_le_bytes());
    sign_header(&mut bytes);
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path());
    fs::write(folder.path_of(id("24M")), &bytes).unwrap();
    let file = RwLock::new(bytes);
    for refusal in [
        load(&folder).map(drop),
        folder.verify(id("24M"), &control()),
        Table::load_from(id("24M"), &file, &control()).map(drop),
        Table::verify_in(id("24M"), &file, &control()),
    ] {
        assert_file_error!(
            refusal.unwrap_err(),
            FileError::OtherContents { found, expected, .. }
                if found == "htm-24M (34880 bytes)"
                        && *expected == format!("htm-24M ({} bytes)", id("24M").size.bytes())
        );
    }
}

#[test]
fn a_table_under_the_name_of_another_is_faulty() {
    let folder = TempDir::new().unwrap();
    let folder = TableFolder::new(folder.path());
    fs::write(folder.path_of(id("47M")), smallest_file()).unwrap();
    let TableFileState::Corrupted(refusal) = folder.state(id("47M")) else {
        panic!("a table under another's name is refused")
    };
    assert_file_error!(refusal, FileError::OtherContents { found, .. } if found.starts_with("htm-24M"));
}

/// Only where no table is named.
#[test]
fn a_faulty_table_is_passed_over_for_a_smaller_one() {
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path());
    let open = |named: Option<TableId>| {
        let memory = MemoryLimit {
            available: u64::MAX,
            allowed: None,
        };
        folder.open(
            choose(&folder, Metric::Htm, named, memory).unwrap(),
            &control(),
        )
    };
    for (size, bytes) in [
        ("190M", &b"notes"[..]),
        ("47M", &smallest_file()[..1_000_000]),
    ] {
        fs::write(folder.path_of(id(size)), bytes).unwrap();
    }
    assert_file_error!(
        open(None).map(drop).unwrap_err(),
        FileError::OtherFormat { .. }
    );
    fs::write(folder.path_of(id("24M")), smallest_file()).unwrap();
    let opened = open(None).unwrap();
    assert_eq!(
        (opened.table.id(), opened.skipped_table_errors.len()),
        (id("24M"), 2)
    );
    assert_file_error!(
        open(Some(id("190M"))).map(drop).unwrap_err(),
        FileError::OtherFormat { .. }
    );
}

#[test]
fn a_header_that_counts_other_entries_is_found_by_verifying() {
    const BASE_COUNT_AT: usize = DISTRIBUTION_AT + 8 * 8;
    let mut bytes = smallest_file().to_vec();
    bytes[BASE_COUNT_AT] ^= 1;
    sign_header(&mut bytes);
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path());
    fs::write(folder.path_of(id("24M")), bytes).unwrap();
    let verdict = folder.verify(id("24M"), &control()).unwrap_err();
    assert!(
        matches!(verdict, TableError::WrongCounts { .. }),
        "{verdict}"
    );
}

#[test]
fn stopping_leaves_nothing_behind() {
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path());
    let cancel = Cancel::new();
    let stop = |_: &str, _: Progress| cancel.cancel();
    let refusal = folder
        .save(
            &smallest_table(Metric::Htm),
            &control().on_progress(&stop).with_cancel(&cancel),
        )
        .unwrap_err();
    assert!(matches!(refusal, TableError::Cancelled));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);

    folder
        .save(&smallest_table(Metric::Htm), &control())
        .unwrap();
    let cancel = Cancel::new();
    let stop = |_: &str, _: Progress| cancel.cancel();
    let refusal = folder.load(
        id("24M"),
        &control().on_progress(&stop).with_cancel(&cancel),
    );
    assert!(matches!(refusal, Err(TableError::Cancelled)));
}

#[test]
fn a_folder_that_cannot_be_made_is_refused_with_a_remedy() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "in the way").unwrap();
    for path in [file.clone(), file.join("below")] {
        let refusal = TableFolder::new(path).check_room(id("24M")).unwrap_err();
        assert!(
            matches!(refusal, TableError::File(FileError::Io { .. })),
            "{refusal}"
        );
        assert_eq!(
            refusal.remedy(),
            Some(Remedy::ChooseWritableFolder),
            "{refusal}"
        );
    }
}

#[test]
fn a_table_that_no_disk_holds_is_refused_before_it_is_generated() {
    // No test machine is sure to have a full disk; the command's tests make one where they may.
    let home = TempDir::new().unwrap();
    let free = fs4::available_space(home.path()).unwrap();
    let verdict = TableFolder::new(home.path()).check_room(id("12G"));
    match verdict {
        Ok(()) => assert!(free > id("12G").size.bytes() / 2),
        Err(TableError::File(FileError::TooLittleDisk { needed, .. })) => {
            assert!(needed > id("12G").size.bytes())
        }
        Err(other) => panic!("{other}"),
    }
}
