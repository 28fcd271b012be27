//! Packed tables in files: any bytes under any name come back, and what is damaged or another's is refused by name.

use crate::support::{assert_file_error, control, sign_header};
use cosette::block_file::{Contents, FileError, numbering};
use cosette::table::{Distribution, OnDisk, TableError, TableFolder, TableMemory};
use cosette::{Cancel, Progress, Remedy};
use std::fs;
use tempfile::TempDir;

const PAGE: usize = 4096;
const BLOCK: usize = 4 << 20;
const VERSION_AT: usize = 16;
const BYTES_AT: usize = 88;

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
    folder.save_packed(NOISE, (&entries(), &distribution()), &control()).unwrap();
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
fn a_truncated_file_is_refused() {
    assert_file_error!(refusal_after(|bytes| bytes.truncate(bytes.len() - 1), NOISE), FileError::WrongLength { .. });
    assert_file_error!(refusal_after(|bytes| bytes.truncate(PAGE - 1), NOISE), FileError::DamagedHeader { .. });
}

#[test]
fn a_payload_that_is_shorter_than_the_table_is_refused() {
    let refusal = refusal_after(
        |bytes| {
            bytes.truncate(2 * PAGE + BLOCK);
            bytes[BYTES_AT..BYTES_AT + 8].copy_from_slice(&(BLOCK as u64).to_le_bytes());
            sign_header(bytes);
        },
        NOISE,
    );
    assert!(refusal.to_string().contains("holds noise-1 (4194304 bytes), not noise-1 (8388709 bytes)"), "{refusal}");
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
    assert_file_error!(refusal_after(|bytes| bytes[VERSION_AT] = 3, NOISE), FileError::OtherVersion { found: 3, .. });
}

#[test]
fn stopping_leaves_nothing_behind() {
    let home = TempDir::new().unwrap();
    let cancel = Cancel::new();
    let content = (&entries()[..], &distribution());
    let stop = |_: &str, _: Progress| cancel.cancel();
    let control = control().on_progress(&stop).with_cancel(&cancel);
    let refusal = TableFolder::new(home.path()).save_packed(NOISE, content, &control);
    assert!(matches!(refusal, Err(TableError::Cancelled)));
    assert_eq!(home.path().read_dir().unwrap().count(), 0);
}

#[test]
fn another_numbering_has_another_checksum() {
    let corners = |cube: &cosette::cube::Cube| u64::from(cosette::coord::CornerPainting::of(cube).coordinate());
    assert_eq!(numbering(corners), numbering(corners));
    assert_ne!(numbering(corners), numbering(|cube| corners(cube) + 1));
}
