//! Tables in files: what is saved comes back, and what is damaged is refused by name.

use crate::support::{assert_file_error, control, sign_header, smallest_file, smallest_table};
use cosette::block_file::FileError;
use cosette::cube::{Cube, Metric, random_positions};
use cosette::table::{OnDisk, Table, TableError, TableFolder, TableId};
use cosette::{Cancel, Progress, Remedy};
use std::fs;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

const PAGE: usize = 4096;
const BLOCK: usize = 4 << 20;
const VERSION_AT: usize = 16;
const BYTE_ORDER_AT: usize = 20;
const BYTES_AT: usize = 88;
const DISTRIBUTION_AT: usize = 104;
const NUMBERING_AT: usize = 360;

fn id(size: &str) -> TableId {
    TableId { metric: Metric::Htm, size: size.parse().unwrap() }
}

fn load(folder: &TableFolder) -> Result<Table, TableError> {
    folder.load(id("24M"), &control())
}

/// What loading and verifying say of the file after `damage` has been done to it; they must agree.
fn refusal_after(damage: impl FnOnce(&mut Vec<u8>)) -> TableError {
    let mut bytes = smallest_file().to_vec();
    damage(&mut bytes);
    let folder = TempDir::new().unwrap();
    let folder = TableFolder::new(folder.path());
    fs::write(folder.path_of(id("24M")), bytes).unwrap();
    let refusal = load(&folder).expect_err("a damaged table is refused");
    let verdict = folder.verify(id("24M"), &control()).unwrap_err();
    assert_eq!(verdict.to_string(), refusal.to_string());
    refusal
}

#[test]
fn what_is_saved_comes_back() {
    let (table, bytes) = (smallest_table(Metric::Htm), smallest_file());
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path().join("cache/cosette"));
    assert!(matches!(folder.state(id("24M")), OnDisk::No));
    let most = AtomicU64::new(0);
    let watch = |_: &str, progress: Progress| _ = most.fetch_max(progress.done, Ordering::Relaxed);
    folder.save(&table, &control().on_progress(&watch)).unwrap();
    assert_eq!(most.swap(0, Ordering::Relaxed), id("24M").size.bytes());
    assert_eq!(fs::read(folder.path_of(id("24M"))).unwrap(), *bytes);
    assert!(matches!(folder.state(id("24M")), OnDisk::Yes));

    let loaded = folder.load(id("24M"), &control().on_progress(&watch)).unwrap();
    assert_eq!(most.into_inner(), id("24M").size.bytes());
    assert_eq!(loaded.id(), table.id());
    assert_eq!(loaded.distribution(), table.distribution());
    for cube in random_positions(1).take(10_000).chain([Cube::SOLVED]) {
        assert_eq!(loaded.bound(&cube), table.bound(&cube));
    }
    folder.verify(id("24M"), &control()).unwrap();

    folder.remove(id("24M")).unwrap();
    assert!(matches!(load(&folder), Err(TableError::File(FileError::NotFound { .. }))));
    assert!(matches!(folder.remove(id("24M")), Err(TableError::File(FileError::NothingToRemove { .. }))));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

/// Tables on users' disks outlive the program that generated them. Another numbering of the entries is noticed when they
/// are loaded; a change to how they are coded must raise the version of the format along with this number.
#[test]
fn the_same_version_is_the_same_table() {
    let bytes = smallest_file();
    let version = u32::from_le_bytes(bytes[VERSION_AT..VERSION_AT + 4].try_into().unwrap());
    assert_eq!((version, xxh3_64(&bytes[2 * PAGE..])), (7, 2_323_428_293_045_372_703));
}

#[test]
fn a_truncated_file_is_refused() {
    let whole = smallest_file().len();
    let lengths = [whole as u64 - 1, whole as u64];
    assert_file_error!(
        refusal_after(|bytes| bytes.truncate(whole - 1)),
        FileError::WrongLength { found, expected, .. } if [*found, *expected] == lengths
    );
    assert_file_error!(refusal_after(|bytes| bytes.push(0)), FileError::WrongLength { .. });
    assert_file_error!(refusal_after(|bytes| bytes.truncate(PAGE)), FileError::WrongLength { .. });
    for length in [100, PAGE - 1] {
        assert_file_error!(refusal_after(|bytes| bytes.truncate(length)), FileError::DamagedHeader { .. });
    }
    assert_file_error!(refusal_after(|bytes| bytes.clear()), FileError::OtherFormat { .. });
}

#[test]
fn one_flipped_bit_names_its_block() {
    let whole = smallest_file().len();
    let lines_start = whole - id("24M").size.bytes() as usize;
    for (at, expected) in [(lines_start, 0), (lines_start + 3 * BLOCK, 3), (lines_start + 4 * BLOCK - 1, 3)] {
        let refusal = refusal_after(|bytes| bytes[at] ^= 0x10);
        assert_file_error!(refusal, FileError::DamagedBlock { block, .. } if *block == expected);
    }
    let refusal = refusal_after(|bytes| bytes[whole - 1] ^= 1);
    assert_file_error!(refusal, FileError::DamagedBlock { block, blocks, .. } if block + 1 == *blocks);
}

/// The search reads a table without checking that its addresses lie in it.
#[test]
fn a_file_with_fewer_entries_than_the_table_is_refused() {
    let mut bytes = smallest_file().to_vec();
    bytes.truncate(2 * PAGE + 5 * BLOCK);
    bytes[BYTES_AT..BYTES_AT + 8].copy_from_slice(&(5 * BLOCK as u64).to_le_bytes());
    sign_header(&mut bytes);
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path());
    fs::write(folder.path_of(id("24M")), &bytes).unwrap();
    let file = RwLock::new(bytes);
    for refusal in [
        load(&folder).map(drop),
        folder.load_shared(id("24M"), &control()).map(drop),
        folder.verify(id("24M"), &control()),
        Table::load_from(id("24M"), &file, &control()).map(drop),
        Table::verify_in(id("24M"), &file, &control()),
    ] {
        assert_file_error!(
            refusal.unwrap_err(),
            FileError::OtherContents { found, expected, .. }
                if found == "htm-24M (20971520 bytes)" && *expected == format!("htm-24M ({} bytes)", id("24M").size.bytes())
        );
    }
}

#[test]
fn one_flipped_bit_in_the_header_is_found() {
    // In the distribution, in the padding, in the checksum itself, in the checksum of the first block, in their padding.
    for at in [100, 2000, PAGE - 1, PAGE, 2 * PAGE - 1] {
        assert_file_error!(refusal_after(|bytes| bytes[at] ^= 0x80), FileError::DamagedHeader { .. });
    }
}

#[test]
fn other_files_are_told_apart() {
    assert_file_error!(refusal_after(|bytes| bytes[VERSION_AT] = 200), FileError::OtherVersion { found: 200, .. });
    let refusal = refusal_after(|bytes| {
        bytes[BYTE_ORDER_AT..BYTE_ORDER_AT + 4].reverse();
        sign_header(bytes);
    });
    assert_file_error!(refusal, FileError::OtherByteOrder { .. });
    let refusal = refusal_after(|bytes| {
        bytes[NUMBERING_AT] ^= 1;
        sign_header(bytes);
    });
    assert_file_error!(refusal, FileError::OtherNumbering { .. });
    assert_file_error!(refusal_after(|bytes| bytes[0] ^= 1), FileError::OtherFormat { .. });
    assert_file_error!(refusal_after(|bytes| *bytes = b"R U R' U'".to_vec()), FileError::OtherFormat { .. });

    let folder = TempDir::new().unwrap();
    let folder = TableFolder::new(folder.path());
    fs::write(folder.path_of(id("47M")), smallest_file()).unwrap();
    let OnDisk::Faulty(refusal) = folder.state(id("47M")) else { panic!("a table under another's name is refused") };
    assert_file_error!(refusal, FileError::OtherContents { found, .. } if found.starts_with("htm-24M"));
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
    assert!(matches!(verdict, TableError::WrongCounts { .. }), "{verdict}");
}

#[test]
fn stopping_leaves_nothing_behind() {
    let home = TempDir::new().unwrap();
    let folder = TableFolder::new(home.path());
    let cancel = Cancel::new();
    let stop = |_: &str, _: Progress| cancel.cancel();
    let refusal =
        folder.save(&smallest_table(Metric::Htm), &control().on_progress(&stop).with_cancel(&cancel)).unwrap_err();
    assert!(matches!(refusal, TableError::Cancelled));
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);

    folder.save(&smallest_table(Metric::Htm), &control()).unwrap();
    let cancel = Cancel::new();
    let stop = |_: &str, _: Progress| cancel.cancel();
    let refusal = folder.load(id("24M"), &control().on_progress(&stop).with_cancel(&cancel));
    assert!(matches!(refusal, Err(TableError::Cancelled)));
}

#[test]
fn a_folder_that_cannot_be_made_is_refused_with_a_remedy() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "in the way").unwrap();
    for path in [file.clone(), file.join("below")] {
        let refusal = TableFolder::new(path).check_room(id("24M")).unwrap_err();
        assert!(matches!(refusal, TableError::File(FileError::Io { .. })), "{refusal}");
        assert_eq!(refusal.remedy(), Some(Remedy::ChooseWritableFolder), "{refusal}");
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
        Err(TableError::File(FileError::TooLittleDisk { needed, .. })) => assert!(needed > id("12G").size.bytes()),
        Err(other) => panic!("{other}"),
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_is_no_table() {
    let home = tempfile::TempDir::new().unwrap();
    let folder = TableFolder::new(home.path());
    let id: TableId = "htm-24M".parse().unwrap();
    assert!(std::process::Command::new("mkfifo").arg(folder.path_of(id)).status().unwrap().success());
    let refused = folder.load(id, &control()).err().unwrap().to_string();
    assert!(refused.ends_with("it is a device or a pipe, not a file"), "{refused}");
}

/// Packed tables: any bytes under any name come back, and what is damaged or another's is refused by name.
mod packed {
    use super::*;
    use cosette::block_file::{Contents, PartialFile, numbering};
    use cosette::table::{Distribution, TableMemory};

    /// A table of pseudo-random bytes: two whole blocks and a rest that is not a whole line.
    #[derive(Clone, Copy)]
    struct Noise {
        name: &'static str,
        bytes: usize,
        numbering: u64,
    }

    const NOISE: Noise = Noise { name: "noise-1", bytes: 2 * BLOCK + 101, numbering: 7 };

    impl Contents for Noise {
        fn name(&self) -> String {
            self.name.into()
        }

        fn bytes(&self) -> u64 {
            self.bytes as u64
        }

        fn numbering(&self) -> u64 {
            self.numbering
        }
    }

    fn entries() -> Vec<u8> {
        (0..NOISE.bytes as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
    }

    fn distribution() -> Distribution {
        std::array::from_fn(|value| 1000 * value as u64)
    }

    /// A folder in which the table is saved.
    fn saved() -> (TempDir, TableFolder) {
        let home = TempDir::new().unwrap();
        let folder = TableFolder::new(home.path());
        let file = PartialFile::open(&folder.path_of(NOISE), &NOISE).unwrap();
        file.save(&entries(), &distribution(), &control()).unwrap();
        (home, folder)
    }

    fn load(folder: &TableFolder, table: Noise) -> Result<(TableMemory, Distribution), TableError> {
        folder.load_packed(table, &control())
    }

    /// What loading and verifying say of the file as that of `expected`, after `damage` has been done to it; they must agree.
    fn refusal_after(damage: impl FnOnce(&mut Vec<u8>), expected: Noise) -> TableError {
        let (_home, folder) = saved();
        let mut bytes = fs::read(folder.path_of(NOISE)).unwrap();
        damage(&mut bytes);
        fs::write(folder.path_of(expected), bytes).unwrap();
        let refusal = load(&folder, expected).unwrap_err();
        let verdict = folder.verify_packed(expected, &control()).unwrap_err();
        assert_eq!(verdict.to_string(), refusal.to_string());
        refusal
    }

    #[test]
    fn what_is_saved_comes_back() {
        let (home, folder) = saved();
        assert!(home.path().join("noise-1.table").exists());
        assert!(matches!(folder.state(NOISE), OnDisk::Yes));
        let (memory, found) = load(&folder, NOISE).unwrap();
        assert!(memory[..] == entries() && found == distribution());
        memory.prefetch(NOISE.bytes - 1);
        folder.verify_packed(NOISE, &control()).unwrap();
        folder.remove(NOISE).unwrap();
        assert!(matches!(folder.state(NOISE), OnDisk::No));
        assert!(matches!(load(&folder, NOISE), Err(TableError::File(FileError::NotFound { .. }))));
        assert_eq!(home.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn one_flipped_bit_names_its_block_and_the_remedy() {
        for (from_end, expected) in [(1, 2), (101, 2), (102, 1), (NOISE.bytes, 0)] {
            let refusal = refusal_after(|bytes| *bytes.iter_mut().nth_back(from_end - 1).unwrap() ^= 8, NOISE);
            assert_eq!(refusal.remedy(), Some(Remedy::GenerateAgain(Some("noise-1".to_owned()))));
            assert_file_error!(refusal, FileError::DamagedBlock { block, blocks: 3, .. } if *block == expected);
        }
        assert_file_error!(refusal_after(|bytes| bytes[PAGE + 1] ^= 8, NOISE), FileError::DamagedHeader { .. });
    }

    #[test]
    fn other_tables_are_told_apart() {
        let other = Noise { name: "noise-2", ..NOISE };
        let refusal = refusal_after(|_| (), other);
        assert!(refusal.to_string().contains("holds noise-1 (8388709 bytes), not noise-2"), "{refusal}");
        assert_file_error!(refusal, FileError::OtherContents { .. });
        let shorter = Noise { bytes: NOISE.bytes - 1, ..NOISE };
        assert_file_error!(refusal_after(|_| (), shorter), FileError::OtherContents { .. });
        assert_file_error!(refusal_after(|_| (), Noise { numbering: 8, ..NOISE }), FileError::OtherNumbering { .. });
        assert_file_error!(
            refusal_after(|bytes| bytes[VERSION_AT] = 3, NOISE),
            FileError::OtherVersion { found: 3, .. }
        );
    }

    #[test]
    fn another_numbering_has_another_checksum() {
        let corners = |cube: &cosette::cube::Cube| u64::from(cosette::coord::CornerPainting::of(cube).coordinate());
        assert_eq!(numbering(corners), numbering(corners));
        assert_ne!(numbering(corners), numbering(|cube| corners(cube) + 1));
    }
}
