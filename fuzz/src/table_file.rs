//! Table files with forged headers, lists of checksums and blocks, with valid or invalid checksums:
//! reading them returns an error, or exactly as many bytes as the contents have.

use crate::{Forgery, Noise, control, path, read};
use arbitrary::Arbitrary;
use cosette::block_file::{BlockFile, PartialFile};
use cosette::table::{TableFileState, TableFolder, TableId};
use std::fs::{self, File};
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64;

const PAGE: usize = 4096;
/// Offset in the header of the number of payload bytes.
const BYTES_AT: usize = 88;
/// Offset in the header of the checksum of the list of checksums; the checksum of the header
/// follows.
const LIST_CHECKSUM: usize = 368;
const CHECKSUM: usize = PAGE - 8;

/// A small payload of three blocks and a rest.
const NOISE: Noise = Noise {
    bytes: BYTES,
    block: 256,
};

const BYTES: usize = 3 * 256 + 17;

#[derive(Debug, Arbitrary)]
struct TableFileInput {
    /// `true` if the file begins as one that was written by the program.
    is_based: bool,
    forgery: Forgery,
    /// Number of payload bytes of the file and in its header, if forged.
    payload: Option<u16>,
    /// Checksums that are made to fit: those of the blocks, of the list, of the header.
    fit: [bool; 3],
    /// The table, if the file is read as a pruning table; its other bytes are zero.
    table: Option<u8>,
}

/// Returns the file as written by the program.
fn written() -> &'static [u8] {
    static BYTES_OF_FILE: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES_OF_FILE.get_or_init(|| {
        let payload: Vec<u8> = (0..BYTES).map(|i| (i * i) as u8).collect();
        let file = PartialFile::open(&path("table_file-base"), &NOISE).unwrap();
        file.save(&payload, &[3; 32], &control()).unwrap();
        let bytes = fs::read(path("table_file-base")).unwrap();
        // The constants above are those of the program.
        let at = |start: usize| u64::from_le_bytes(bytes[start..start + 8].try_into().unwrap());
        assert_eq!(at(BYTES_AT), BYTES as u64);
        assert_eq!(at(LIST_CHECKSUM), xxh3_64(&bytes[PAGE..2 * PAGE]));
        assert_eq!(at(CHECKSUM), xxh3_64(&bytes[..CHECKSUM]));
        bytes
    })
}

fn fit(bytes: &mut [u8], [blocks, list, header]: [bool; 3]) {
    if bytes.len() < 2 * PAGE {
        return;
    }
    let put = |start: usize, sum: u64, bytes: &mut [u8]| {
        bytes[start..start + 8].copy_from_slice(&sum.to_le_bytes())
    };
    if blocks {
        for block in 0..(bytes.len() - 2 * PAGE).div_ceil(256).min(PAGE / 8) {
            let start = 2 * PAGE + block * 256;
            let sum = xxh3_64(&bytes[start..bytes.len().min(start + 256)]);
            put(PAGE + block * 8, sum, bytes);
        }
    }
    if list {
        let sum = xxh3_64(&bytes[PAGE..2 * PAGE]);
        put(LIST_CHECKSUM, sum, bytes);
    }
    if header {
        let sum = xxh3_64(&bytes[..CHECKSUM]);
        put(CHECKSUM, sum, bytes);
    }
}

/// Table files with forged headers, lists of checksums and blocks, with valid or invalid checksums:
/// reading them returns an error, or exactly as many bytes as the contents have.
pub fn table_file(data: &[u8]) {
    let Some(input) = read::<TableFileInput>(data) else {
        return;
    };
    let mut bytes = if input.is_based {
        written().to_vec()
    } else {
        Vec::new()
    };
    input.forgery.apply(&mut bytes);
    if let Some(payload) = input.payload {
        bytes.resize(2 * PAGE + usize::from(payload), 0);
        bytes[BYTES_AT..BYTES_AT + 8].copy_from_slice(&u64::from(payload).to_le_bytes());
    }
    fit(&mut bytes, input.fit);
    match input.table {
        Some(number) => as_table(&bytes, number),
        None => as_noise(&bytes),
    }
}

fn as_noise(bytes: &[u8]) {
    let path = path("table_file-forged");
    fs::write(&path, bytes).unwrap();
    let Ok(file) = BlockFile::open(&path, &NOISE) else {
        return;
    };
    let mut memory = vec![0; BYTES];
    let read = file.read_into(&mut memory, &control());
    let each = file.for_each_block(|_, block| assert!(block.len() <= 256), &control());
    assert_eq!(read.is_ok(), each.is_ok());
}

/// Requests the state of a table whose file begins with these bytes and has the right length.
fn as_table(bytes: &[u8], number: u8) {
    static IDS: OnceLock<Vec<TableId>> = OnceLock::new();
    let ids = IDS.get_or_init(|| TableId::all().collect());
    let id = ids[usize::from(number) % ids.len()];
    let folder = TableFolder::new(path("table_file-tables"));
    fs::create_dir_all(folder.path()).unwrap();
    fs::write(folder.path_of(id), bytes).unwrap();
    let file = File::options()
        .write(true)
        .open(folder.path_of(id))
        .unwrap();
    file.set_len(cosette::block_file::file_size(&id)).unwrap();
    if let TableFileState::Corrupted(error) = folder.state(id) {
        assert!(
            error.to_string().len() < 1000 && error.remedy().is_some(),
            "{error}"
        );
    }
    fs::remove_file(folder.path_of(id)).unwrap();
}
