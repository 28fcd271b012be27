//! Files in blocks with forged headers, checksums and journals, valid or invalid: tables, and
//! interrupted generations.

use crate::{path, read};
use arbitrary::Arbitrary;
use cosette::block_file::{BlockFile, FileError, PartialFile, PayloadKind, file_size, progress};
use cosette::table::{TableFileState, TableFolder, TableId};
use cosette::{Control, ThreadCount};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const PAGE: usize = 4096;

/// Generated contents of a file: random bytes, in blocks of this size.
struct Noise {
    bytes: usize,
    block: usize,
}

impl PayloadKind for Noise {
    fn name(&self) -> String {
        "noise".into()
    }

    fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    fn numbering(&self) -> u64 {
        7
    }

    fn block_size(&self) -> u64 {
        self.block as u64
    }
}

fn control() -> Control<'static> {
    Control::new(ThreadCount::ONE)
}

/// Changes to a file: bytes written over others, and another length.
#[derive(Debug, Arbitrary)]
pub struct Forgery {
    /// Offset and bytes of each edit.
    pub edits: Vec<(u16, Vec<u8>)>,
    /// The length of the file afterwards.
    pub length: Option<u16>,
}

impl Forgery {
    /// Applies the edits.
    pub fn apply(&self, bytes: &mut Vec<u8>) {
        for (start, edit) in &self.edits {
            let start = usize::from(*start).min(bytes.len());
            let end = (start + edit.len()).min(bytes.len());
            bytes[start..end].copy_from_slice(&edit[..end - start]);
        }
        if let Some(length) = self.length {
            bytes.resize(length.into(), 0);
        }
    }
}

/// Offset in the header of the number of payload bytes.
const BYTES_AT: usize = 88;
/// Offset in the header of the checksum of the list of checksums; the checksum of the header
/// follows.
const LIST_CHECKSUM: usize = 368;
const HEADER_CHECKSUM: usize = PAGE - 8;

/// A small payload of three blocks and a rest.
const TABLE_NOISE: Noise = Noise {
    bytes: TABLE_BYTES,
    block: 256,
};

const TABLE_BYTES: usize = 3 * 256 + 17;

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
    static WRITTEN_FILE: OnceLock<Vec<u8>> = OnceLock::new();
    WRITTEN_FILE.get_or_init(|| {
        let payload: Vec<u8> = (0..TABLE_BYTES).map(|i| (i * i) as u8).collect();
        let file = PartialFile::open(&path("table_file-base"), &TABLE_NOISE).unwrap();
        file.save(&payload, &[3; 32], &control()).unwrap();
        let bytes = fs::read(path("table_file-base")).unwrap();
        // The constants above are those of the program.
        let at = |start: usize| u64::from_le_bytes(bytes[start..start + 8].try_into().unwrap());
        assert_eq!(at(BYTES_AT), TABLE_BYTES as u64);
        assert_eq!(at(LIST_CHECKSUM), xxh3_64(&bytes[PAGE..2 * PAGE]));
        assert_eq!(at(HEADER_CHECKSUM), xxh3_64(&bytes[..HEADER_CHECKSUM]));
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
        let sum = xxh3_64(&bytes[..HEADER_CHECKSUM]);
        put(HEADER_CHECKSUM, sum, bytes);
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
    let Ok(file) = BlockFile::open(&path, &TABLE_NOISE) else {
        return;
    };
    let mut memory = vec![0; TABLE_BYTES];
    let read = file.read_into(&mut memory, &control());
    let each = file.for_each_block(|_, block| assert!(block.len() <= 256), &control());
    assert_eq!(read.is_ok(), each.is_ok());
}

/// Requests the state of a table whose file begins with these bytes and has the right length.
fn as_table(bytes: &[u8], number: u8) {
    let ids: Vec<TableId> = TableId::all().collect();
    let id = ids[usize::from(number) % ids.len()];
    let folder = TableFolder::new(path("table_file-tables"));
    fs::create_dir_all(folder.path()).unwrap();
    fs::write(folder.path_of(id), bytes).unwrap();
    let file = File::options().write(true).open(folder.path_of(id));
    file.unwrap().set_len(file_size(&id)).unwrap();
    if let TableFileState::Corrupted(error) = folder.state(id) {
        let is_short = error.to_string().len() < 1000;
        assert!(is_short && error.remedy().is_some(), "{error}");
    }
    fs::remove_file(folder.path_of(id)).unwrap();
}

const BLOCK: usize = 24;
const BYTES: usize = 17 * BLOCK + 5;
const BLOCKS: usize = BYTES.div_ceil(BLOCK);
const RECORD: usize = 80;

const NOISE: Noise = Noise {
    bytes: BYTES,
    block: BLOCK,
};

#[derive(Debug, Arbitrary)]
struct GenerationInput {
    part: Forgery,
    journal: Forgery,
    /// The records with valid checksums of the block and of the record.
    fit: Vec<(u8, bool)>,
    /// Number of blocks after which generation is interrupted.
    stop: Option<u8>,
}

fn ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.to_path_buf().into_os_string();
    path.push(ending);
    path.into()
}

fn block_bytes(block: usize, length: usize) -> Vec<u8> {
    (0..length).map(|i| (block * 31 + i * i) as u8).collect()
}

/// Generates the file, up to `stop` blocks.
fn run(path: &Path, stop: usize) -> Result<(), FileError> {
    let control = control();
    PartialFile::open(path, &NOISE)?.generate(&control, |generation, missing| {
        assert_eq!(generation.count(), BLOCKS);
        for (written, &block) in missing.iter().enumerate() {
            if written == stop {
                return Err(FileError::Cancelled);
            }
            let range = generation.range(block);
            generation.write(
                block,
                &block_bytes(block, (range.end - range.start) as usize),
                [1; 16],
            )?;
        }
        Ok(())
    })
}

/// The partial file and the journal after half of the blocks.
fn half() -> &'static (Vec<u8>, Vec<u8>) {
    static FILES: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    FILES.get_or_init(|| {
        let path = path("generation-half");
        assert!(matches!(run(&path, BLOCKS / 2), Err(FileError::Cancelled)));
        (
            fs::read(ending(&path, ".part")).unwrap(),
            fs::read(ending(&path, ".journal")).unwrap(),
        )
    })
}

/// Forged partial files and journals of an interrupted generation, with valid or invalid checksums:
/// generation resumes, and each block of its file holds the generated data, unless a record with a
/// valid checksum marks the block as intact.
pub fn generation(data: &[u8]) {
    let Some(input) = read::<GenerationInput>(data) else {
        return;
    };
    let (mut part, mut journal) = half().clone();
    let payload = part.len() - BYTES;
    // Edits apply to the payload and to the records; the page before a journal is compared as a
    // whole.
    let mut bytes = part.split_off(payload);
    input.part.apply(&mut bytes);
    let mut records = journal.split_off(PAGE);
    input.journal.apply(&mut records);
    for &(block, is_of_block) in &input.fit {
        let block = usize::from(block) % BLOCKS;
        let Some(record) = records.get_mut(block * RECORD..(block + 1) * RECORD) else {
            continue;
        };
        if let (true, Some(start)) = (is_of_block, bytes.get(block * BLOCK..)) {
            let start = &start[..start.len().min(BLOCK).min(BYTES - block * BLOCK)];
            record[64..72].copy_from_slice(&xxh3_64(start).to_le_bytes());
        }
        let sum = xxh3_64_with_seed(&record[..72], block as u64);
        record[72..].copy_from_slice(&sum.to_le_bytes());
    }
    part.extend(bytes);
    journal.extend(records);
    let path = path("generation-forged");
    fs::write(ending(&path, ".part"), part).unwrap();
    fs::write(ending(&path, ".journal"), journal).unwrap();
    if let Some(progress) = progress(&path, &NOISE) {
        assert!(progress.done <= BLOCKS as u64);
    }
    if let Some(stop) = input.stop {
        let _ = run(&path, stop.into());
    }
    run(&path, usize::MAX).unwrap();
    let file = BlockFile::open(&path, &NOISE).unwrap();
    let mut memory = vec![0; BYTES];
    file.read_into(&mut memory, &control()).unwrap();
    for (block, bytes) in memory.chunks(BLOCK).enumerate() {
        let is_forged = input
            .fit
            .iter()
            .any(|&(forged, is_of_block)| is_of_block && usize::from(forged) % BLOCKS == block);
        assert!(
            is_forged || *bytes == block_bytes(block, bytes.len()),
            "block {block} is not what was generated"
        );
    }
    fs::remove_file(path).unwrap();
}
